"""Integer weights are repetitions, and a weight of zero is an absent sample."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.neighbors import KNeighborsRegressor

from ofer import (
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


def test_parts_that_take_no_weights():
    model = SemanticClassifier(KNeighborsRegressor())
    with pytest.raises(ValueError, match="sample_weight must be None for KNeighborsRegressor"):
        model.fit(X, (Y[:, 0] > 0).astype(int), W)
