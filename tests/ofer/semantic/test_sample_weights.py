"""Integer weights are repetitions, and a weight of zero is an absent sample."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.decomposition import PCA
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from ofer import (
    Candidates,
    GaussianMixtureEmbedding,
    InputOutputKernelRegressor,
    OutputFisherRegressor,
    SemanticClassifier,
)
from tests.ofer.weighted import ONE_RIDGE, QUERIES, W, X, Y, kept, repeated


@pytest.mark.parametrize(
    "regressor",
    [
        ONE_RIDGE,
        OutputFisherRegressor(GaussianMixtureEmbedding(2, random_state=0), ONE_RIDGE),
        InputOutputKernelRegressor([0.3], kernel="rbf", gamma=0.2, output_gamma=0.5),
    ],
)
@pytest.mark.parametrize("metric", ["euclidean", "cosine"])
@pytest.mark.filterwarnings("ignore:component")
def test_semantic_classifier(regressor, metric):
    labels = np.argmax(np.c_[Y, np.full(40, 1.0)], axis=1)
    vectors = [[0.0, 0.0], [1.0, 0.2], [0.1, 1.5], [2.0, 2.0]]
    model = SemanticClassifier(regressor, vectors, metric=metric, decode="output")
    expected = model.fit(*repeated(X, labels)).decision_function(QUERIES)
    found = model.fit(X, labels, W).decision_function(QUERIES)
    assert_allclose(found, expected, atol=1e-8)
    model.set_params(decode="embedding")
    expected = model.fit(*kept(X, labels, W)).decision_function(QUERIES)
    assert_allclose(model.fit(X, labels, W).decision_function(QUERIES), expected, atol=1e-8)


@pytest.mark.filterwarnings("ignore:Candidates and the inputs do not agree")
@pytest.mark.parametrize("weak", [False, True])
def test_transformers_do_not_see_samples_of_weight_zero(weak):
    labels, weights = np.arange(40) % 2, (np.arange(40) % 5 > 0) * np.linspace(0.5, 2.0, 40)
    moved = np.where(weights[:, None] > 0, X, X + 50.0)
    model = SemanticClassifier(make_pipeline(StandardScaler(), PCA(2), ONE_RIDGE))
    # One open class is a label, which the transformers see.
    weak = {"weak": Candidates(QUERIES, np.eye(2)[np.arange(15) % 2])} if weak else {}
    chosen = weights > 0
    expected = model.fit(X[chosen], labels[chosen], weights[chosen], **weak).predict_proba(QUERIES)
    assert_allclose(
        model.fit(moved, labels, weights, **weak).predict_proba(QUERIES), expected, atol=1e-8
    )
