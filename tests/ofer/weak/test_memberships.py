"""The weight of weak samples with memberships is chosen by leave-one-out."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.frozen import FrozenEstimator
from sklearn.metrics.pairwise import rbf_kernel
from sklearn.neighbors import KNeighborsRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from ofer import (
    GaussianMixtureEmbedding,
    KernelRidgeCV,
    Memberships,
    NystroemRidgeCV,
    OutputFisherRegressor,
)
from ofer.regression import WEAK_WEIGHTS

N, N_WEAK = 24, 80
RBF = KernelRidgeCV(kernel="rbf", gamma=0.2)
SCALED = make_pipeline(StandardScaler(), RBF)
UNITS = np.array([20.0, 1.0])


class Problem:
    """Outputs in three groups, of which the inputs tell something, and weak labels some."""

    def __init__(self, seed, wrong=0.0):
        self.rng = rng = np.random.default_rng(seed)
        n = N + N_WEAK
        labels = rng.integers(3, size=n)
        centres = np.array([[0.0, 0.0], [6.0, 1.0], [-1.0, 7.0]])
        X = 1.3 * np.eye(3)[labels] + 0.7 * rng.normal(size=(n, 3))
        Y = (centres[labels] + rng.normal(size=(n, 2)) + X[:, :2]) * UNITS
        self.X, self.Y, self.X_weak, self.queries = X[:N], Y[:N], X[N:], rng.normal(size=(9, 3))
        mixture = GaussianMixtureEmbedding(3, random_state=0).fit(self.Y)
        self.embedding = FrozenEstimator(mixture)
        gamma = mixture.predict_proba(Y[N:])
        self.labels = gamma[rng.permutation(N_WEAK)] if wrong else gamma

    def fit(self, weight="auto", regressor=RBF, weights=None):
        model = OutputFisherRegressor(self.embedding, regressor)
        weak = {"weak": Memberships(self.X_weak, self.labels, weight=weight)}
        return model.fit(self.X, self.Y, weights, **weak)

    def alone(self, regressor=RBF, weights=None):
        model = OutputFisherRegressor(self.embedding, regressor, block_wise=True)
        return model.fit(self.X, self.Y, weights)

    def errors(self, model, weights=None):
        """Squared leave-one-out errors of labelled samples, in units of variances."""
        mean = np.average(self.Y, axis=0, weights=weights)
        variances = np.average(np.square(self.Y - mean), axis=0, weights=weights)
        return (np.square(self.Y - model.loo_predict()) / variances).mean(axis=1)


def chosen_by_hand(problem, regressor, weights=None):
    """The weight of the least error, by fits of their own, unless it gains too little."""
    candidates = {w: problem.fit(w, regressor, weights) for w in WEAK_WEIGHTS if w > 0}
    errors = {0.0: problem.errors(problem.alone(regressor, weights), weights)}
    errors |= {w: problem.errors(model, weights) for w, model in candidates.items()}
    best = min(errors, key=lambda w: np.average(errors[w], weights=weights))
    gains = errors[0.0] - errors[best]
    shares = np.ones(N) if weights is None else weights
    gain = np.average(gains, weights=shares)
    variance = np.average(np.square(gains - gain), weights=shares)
    if gain <= np.sqrt(variance / shares.sum()):
        best = 0.0
    return best, candidates.get(best)


@pytest.mark.parametrize("regressor", [RBF, SCALED], ids=["ridge", "pipeline"])
@pytest.mark.parametrize("wrong", [False, True])
@pytest.mark.parametrize("seed", range(5))
def test_auto_is_the_fit_with_the_chosen_weight(seed, wrong, regressor):
    problem = Problem(seed, wrong)
    model = problem.fit(regressor=regressor)
    if regressor is RBF:  # the scaler of a labelled fit has not seen the weak samples
        weight, explicit = chosen_by_hand(problem, regressor)
        assert model.weak_weight_ == weight
    else:
        weight = model.weak_weight_
        explicit = problem.fit(weight, regressor) if weight > 0 else None
    expected = problem.alone(regressor) if explicit is None else explicit
    assert_allclose(model.predict(problem.queries), expected.predict(problem.queries), atol=1e-8)
    assert_allclose(model.loo_predict(), expected.loo_predict(), atol=1e-8)
    assert model.loo_errors_ == pytest.approx(expected.loo_errors_)
    assert model.block_wise_ is True
    assert expected.weak_weight_ == (None if explicit is None else weight)


def test_useful_labels_are_used_and_wrong_ones_are_not():
    """Otherwise the test above would hold for a constant."""
    right = [Problem(seed).fit().weak_weight_ for seed in range(5)]
    wrong = [Problem(seed, wrong=True).fit().weak_weight_ for seed in range(5)]
    assert max(wrong) == 0.0 == min(wrong)
    assert WEAK_WEIGHTS == (0.0, 0.03, 0.1, 0.3, 1.0)  # as documented
    assert sum(weight > 0 for weight in right) >= 2


@pytest.mark.parametrize("unit", [0.1, 1.0, 10.0])
def test_weights_of_samples_have_a_say_in_the_choice(unit):
    for seed in range(5):
        problem = Problem(seed)
        weights = unit * problem.rng.uniform(0.1, 3.0, size=N)
        weight, _ = chosen_by_hand(problem, RBF, weights)
        assert problem.fit(weights=weights).weak_weight_ == weight


def test_the_error_of_the_choice_is_no_worse_than_without():
    for seed in range(5):
        for wrong in (False, True):
            problem = Problem(seed, wrong)
            found, alone = (problem.errors(one).mean() for one in (problem.fit(), problem.alone()))
            assert found <= alone * (1 + 1e-9)


@pytest.mark.parametrize("weight", ["auto", 0.3])
@pytest.mark.parametrize("absent", [False, True])
def test_a_kernel_matrix_serves_as_well_as_the_kernel(weight, absent):
    """Also for what a sample of weight zero, which nothing has seen, is predicted to be."""
    problem = Problem(1)
    weights = np.where(np.arange(N) == 4, 0.0, 1.0) if absent else None
    model = problem.fit(weight, weights=weights)
    both = np.vstack([problem.X, problem.X_weak])
    gram = rbf_kernel(both, gamma=0.2)
    queries = rbf_kernel(problem.queries, both, gamma=0.2)
    expected = model.predict(problem.queries)
    problem.X, problem.X_weak = gram[:N, :N], gram[N:]
    other = problem.fit(weight, KernelRidgeCV(kernel="precomputed"), weights)
    assert other.weak_weight_ == model.weak_weight_
    assert_allclose(other.predict(queries), expected, atol=1e-6)
    assert_allclose(other.loo_predict(), model.loo_predict(), atol=1e-6)
    assert other.n_features_in_ == N + N_WEAK
    if absent:  # nothing that it holds may matter
        gram[4] = gram[:, 4] = np.nan
        other = problem.fit(weight, KernelRidgeCV(kernel="precomputed"), weights)
        assert_allclose(other.predict(queries), expected, atol=1e-6)


@pytest.mark.parametrize("regressor", [KNeighborsRegressor(3), NystroemRidgeCV(gamma=0.2)])
def test_the_weight_is_one_where_nothing_can_be_left_out(regressor):
    problem = Problem(0)
    model, explicit = (problem.fit(weight, regressor) for weight in ("auto", 1.0))
    assert model.weak_weight_ == explicit.weak_weight_ == 1.0
    assert model.block_wise_ is True
    assert_allclose(model.predict(problem.queries), explicit.predict(problem.queries))


def test_a_fit_without_weak_samples_has_no_weight():
    problem = Problem(0)
    model = problem.fit()
    assert model.weak_weight_ in WEAK_WEIGHTS
    model.fit(problem.X, problem.Y)
    assert model.weak_weight_ is None
