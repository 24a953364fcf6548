"""The methods that local predictors are compared with."""

import numpy as np
import pytest
from scipy.sparse import csr_matrix
from sklearn.datasets import load_iris
from sklearn.neighbors import KNeighborsClassifier

from reproduction.studies.second_volume.local_predictors.baselines.labelled_only import LabelledOnly
from reproduction.studies.second_volume.local_predictors.baselines.perceptron import (
    StructuredPerceptron,
)
from reproduction.studies.second_volume.local_predictors.labelled_folds import LabelledKFold


@pytest.fixture(scope="module")
def sequences():
    """Rows that know their labels, up to noise, and outputs of which two in three are hidden."""
    rng = np.random.default_rng(0)
    y = [rng.integers(0, 3, T) for T in rng.integers(1, 5, 20)]
    X = [np.eye(4)[labels] + 0.4 * rng.normal(size=(len(labels), 4)) for labels in y]
    return X, y, [labels if i % 3 == 0 else None for i, labels in enumerate(y)]


@pytest.fixture(scope="module")
def iris():
    X, y = load_iris(return_X_y=True)
    known = np.random.default_rng(0).random(len(y)) < 0.3
    return X, y, np.where(known, y, -1)


def test_selection_sees_unlabelled_samples_and_no_test_label(iris):
    """Labels that are hidden make no difference, samples without them do."""
    X, _, partly = iris
    folds = list(LabelledKFold(4, random_state=0).split(X, partly))
    tested = np.concatenate([test for _, test in folds])
    np.testing.assert_array_equal(np.sort(tested), np.flatnonzero(partly >= 0))
    for train, test in folds:
        assert set(np.flatnonzero(partly < 0)) <= set(train)
        np.testing.assert_array_equal(np.union1d(train, test), np.arange(len(X)))


def test_labelled_only(iris):
    X, _, partly = iris
    known = partly >= 0
    model = LabelledOnly(KNeighborsClassifier(3)).fit(csr_matrix(X), partly)
    expected = KNeighborsClassifier(3).fit(X[known], partly[known])
    np.testing.assert_array_equal(model.predict(X), expected.predict(X))
    with pytest.raises(ValueError, match="y must have an output for at least one sample"):
        LabelledOnly(KNeighborsClassifier(3)).fit(X, np.full(len(X), -1))


def test_perceptron_ignores_unlabelled_samples(sequences):
    X, y, partly = sequences
    model = StructuredPerceptron("chain", random_state=0).fit(X, partly)
    known = [i for i, labels in enumerate(partly) if labels is not None]
    alone = StructuredPerceptron("chain", random_state=0)
    alone.fit([X[i] for i in known], [y[i] for i in known])
    np.testing.assert_array_equal(model.coef_, alone.coef_)
    np.testing.assert_array_equal(model.shared_coef_, alone.shared_coef_)
    assert model.score(X, y) > 0.4
