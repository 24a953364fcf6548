import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.base import clone

from ofer.companions import PairwiseMRF
from reproduction.datasets.generated.markov_sequences import make_markov_sequences
from reproduction.studies.second_volume.fisher_kernels.pairwise_mrf_classifier import (
    PairwiseMRFClassifier,
)


@pytest.fixture(scope="module")
def data():
    return make_markov_sequences(90, random_state=0)


@pytest.fixture(scope="module")
def model():
    return PairwiseMRF(3, tol=1e-3, random_state=0)


def test_a_model_of_each_class(data, model):
    y = np.array(["left", "right"])[data.y]
    bayes = PairwiseMRFClassifier(model).fit(data.sequences, y)
    assert_array_equal(bayes.classes_, ["left", "right"])
    for c in range(2):
        own = [x for x, label in zip(data.sequences, data.y, strict=True) if label == c]
        alone = clone(model).fit(own).loglikelihood(data.sequences)
        assert_allclose(bayes.transform(data.sequences)[:, c], alone, rtol=1e-12)


def test_bayes_rule(data, model):
    """Unequal classes: the prior is in the prediction, not in the representation."""
    rows = np.flatnonzero((data.y == 0) | (np.arange(90) % 4 == 1))
    objects, y = [data.sequences[i] for i in rows], data.y[rows]
    bayes = PairwiseMRFClassifier(model).fit(objects, y)
    logs = bayes.transform(data.sequences) + np.log(np.bincount(y) / len(y))
    assert_array_equal(bayes.predict(data.sequences), logs.argmax(axis=1))
    assert bayes.score(data.sequences, data.y) > 0.8
