"""Weak samples whose class is inferred among those that their label leaves open."""

import warnings

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.exceptions import ConvergenceWarning
from sklearn.metrics.pairwise import rbf_kernel
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from ofer import KernelRidgeCV, KernelSystem, OutputFisherRegressor, SemanticClassifier

RNG = np.random.default_rng(0)
K, D = 6, 12
MEANS = 1.2 * RNG.normal(size=(K, D))
Y = np.repeat(np.arange(K), 3)
Y_WEAK = RNG.integers(0, K, size=150)
Y_TEST = RNG.integers(0, K, size=200)
X, X_WEAK, X_TEST = (MEANS[y] + RNG.normal(size=(len(y), D)) for y in (Y, Y_WEAK, Y_TEST))
COMPONENT = np.arange(K) % 2
OPEN = COMPONENT[Y_WEAK][:, None] == COMPONENT
VECTORS = MEANS + 0.1 * RNG.normal(size=(K, D))
pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
each_step = pytest.mark.parametrize("weak", ["latent", "latent-soft"])


def fit(weak="latent", regressor=None, vectors=None, max_iter=30, X=X, X_weak=X_WEAK, **options):
    model = SemanticClassifier(regressor, vectors, weak=weak, max_iter=max_iter)
    options = {"candidates_weak": OPEN, **options}
    return model.fit(X, Y, X_weak=X_weak, **options)


@each_step
@pytest.mark.parametrize("vectors", [None, VECTORS], ids=["indicators", "vectors"])
@pytest.mark.parametrize("noise", [0.0, 0.2])
@pytest.mark.parametrize("kernel", ["linear", "rbf"])
def test_the_objective_never_rises(weak, vectors, noise, kernel):
    model = fit(weak, KernelRidgeCV(kernel=kernel), vectors, noise_weak=noise, weak_weight=0.5)
    assert model.n_iter_ == len(model.objectives_) >= 1
    assert (np.diff(model.objectives_) <= 1e-9 * np.abs(model.objectives_[:-1])).all()
    assert model.converged_ or weak == "latent-soft"


@pytest.mark.parametrize("noise", [0.0, 0.2])
def test_the_objective_is_the_penalised_squares(noise):
    """Every term by itself, for given classes."""
    alpha, weight = 0.7, 0.5
    model = fit(regressor=KernelRidgeCV([alpha]), max_iter=1, weak_weight=weight, noise_weak=noise)
    indicators, q = np.eye(K), model.assignments_
    prior = np.where(OPEN, (1 - noise) / 3, noise / 3)
    system = KernelSystem.from_features(
        np.vstack([X, X_WEAK]), np.repeat([1.0, weight], [len(X), len(q)])
    )
    start = np.vstack([indicators[Y], prior])
    error = np.square(next(system.loo_residuals(start, [alpha]))[: len(X)]).mean()
    f = model.regressor_
    distances = np.square(indicators - f.predict(X_WEAK)[:, None]).sum(axis=2)
    cost = -2 * error * np.log(np.where(q > 0, np.maximum(prior, 1e-300), 1.0))
    squares = np.square(indicators[Y] - f.predict(X)).sum() + alpha * np.square(f.coef_).sum()
    weak = 0.75 * (q * (distances + cost)).sum() + 0.25 * (prior * distances).sum()
    assert_allclose(model.objectives_, [squares + weight * weak])


@each_step
def test_weak_samples_have_no_order(weak):
    order = RNG.permutation(len(X_WEAK))
    model = fit(weak)
    other = fit(weak, X_weak=X_WEAK[order], candidates_weak=OPEN[order])
    assert_allclose(other.decision_function(X_TEST), model.decision_function(X_TEST))
    assert_allclose(other.assignments_, model.assignments_[order], atol=1e-9)


@each_step
def test_classes_have_no_order(weak):
    new = RNG.permutation(K)  # class k is now called new[k]
    model, other = fit(weak), SemanticClassifier(weak=weak, max_iter=30)
    other.fit(X, new[Y], X_weak=X_WEAK, candidates_weak=OPEN[:, np.argsort(new)])
    assert_array_equal(other.predict(X_TEST), new[model.predict(X_TEST)])


def test_one_open_class_is_a_label():
    known = np.eye(K, dtype=bool)[Y_WEAK]
    ridge = KernelRidgeCV([0.5])
    model = fit(regressor=ridge, candidates_weak=known, weak_weight=0.5)
    both, weights = np.vstack([X, X_WEAK]), np.repeat([1.0, 0.5], [len(X), len(X_WEAK)])
    expected = SemanticClassifier(ridge).fit(both, np.append(Y, Y_WEAK), weights)
    assert_allclose(model.regressor_.coef_, expected.regressor_.coef_, atol=1e-10)
    assert_array_equal(model.predict(X_TEST), expected.predict(X_TEST))
    assert_array_equal(model.assignments_, known)
    assert model.converged_


@each_step
@pytest.mark.parametrize("kernel", ["linear", "rbf"])
def test_weight_zero_and_no_weak_samples_are_the_labelled_fit(weak, kernel):
    ridge = KernelRidgeCV(kernel=kernel, gamma=0.1)
    expected = SemanticClassifier(ridge).fit(X, Y)
    nothing = SemanticClassifier(ridge, weak=weak).fit(X, Y)
    assert_allclose(nothing.decision_function(X_TEST), expected.decision_function(X_TEST))
    model = fit(weak, ridge, weak_weight=0.0)
    assert_allclose(model.decision_function(X_TEST), expected.decision_function(X_TEST))
    assert_allclose(model.regressor_.loo_residuals_, expected.regressor_.loo_residuals_)
    assert_allclose(model.predict_proba(X_TEST), expected.predict_proba(X_TEST), atol=1e-6)


def test_without_rounds_weak_labels_are_learnt_as_they_are():
    model = fit(max_iter=0, regressor=KernelRidgeCV([0.5]))
    targets = np.vstack([np.eye(K)[Y], OPEN / 3.0])
    expected = KernelRidgeCV([0.5]).fit(np.vstack([X, X_WEAK]), targets)
    assert_allclose(model.regressor_.predict(X_TEST), expected.predict(X_TEST))
    assert (model.n_iter_, len(model.objectives_), model.converged_) == (0, 0, False)


@pytest.mark.parametrize("weak_weight", [0.3, [0.3]])
def test_a_kernel_matrix_serves_as_well_as_the_kernel(weak_weight):
    both = np.vstack([X, X_WEAK])
    model = fit(regressor=KernelRidgeCV(kernel="rbf", gamma=0.1), weak_weight=weak_weight)
    gram = rbf_kernel(both, gamma=0.1)
    ridge, n = KernelRidgeCV(kernel="precomputed"), len(X)
    other = SemanticClassifier(ridge, weak="latent", max_iter=30).fit(
        gram[:n, :n], Y, X_weak=gram[n:], candidates_weak=OPEN, weak_weight=weak_weight
    )
    found = other.decision_function(rbf_kernel(X_TEST, both, gamma=0.1))
    assert_allclose(found, model.decision_function(X_TEST), atol=1e-8)
    assert_allclose(model.regressor_.dual_coef_, other.regressor_.dual_coef_, atol=1e-8)


def test_weight_and_noise_are_chosen_by_the_error_before_the_first_round():
    model = fit(weak_weight=[0.1, 1.0], noise_weak=[0.0, 0.3])
    errors = {}
    for weight in (0.1, 1.0):
        for noise in (0.0, 0.3):
            alone = fit(weak_weight=weight, noise_weak=noise, max_iter=0)
            errors[weight, noise] = -alone.regressor_.best_score_
    assert min(errors, key=errors.get) == (model.weak_weight_, model.noise_weak_)


def test_soft_classes_are_probabilities():
    q = fit("latent-soft").assignments_
    assert_allclose(q.sum(axis=1), 1.0)
    assert not q[~OPEN].any()
    assert ((q > 0.01) & (q < 0.99)).any()


def test_it_says_when_classes_still_change():
    with pytest.warns(
        ConvergenceWarning, match=r"max_iter should be larger: \d+ of 150 weak"
    ) as said:
        model = fit(max_iter=1)
    assert said[0].filename == __file__
    assert not model.converged_
    assert model.n_iter_ == 1
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        fit(max_iter=0)


NO_CLASS = OPEN.copy()
NO_CLASS[[3, 5]] = False


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"candidates_weak": NO_CLASS}, r"must leave a class open in each row; got .* \[3, 5\]"),
        ({"candidates_weak": OPEN[:, :-1]}, r"candidates_weak must have 6 columns"),
        ({"candidates_weak": OPEN[:-1]}, "inconsistent numbers of samples"),
        ({"candidates_weak": None}, "weak='latent' needs candidates_weak"),
        ({"membership_weak": COMPONENT[Y_WEAK]}, "neither y_weak nor membership_weak"),
        ({"weak_weight": -1.0}, "weak_weight must be at least 0; got -1.0"),
        ({"noise_weak": [0.0, 1.0]}, "noise_weak must be below 1; got 1.0"),
        ({"regressor": OutputFisherRegressor()}, "needs a KernelRidgeCV with one ridge"),
        ({"regressor": KernelRidgeCV(alpha_per_target=True)}, "needs a KernelRidgeCV"),
    ],
)
def test_what_cannot_be_inferred_is_refused(options, message):
    with pytest.raises(ValueError, match=message):
        fit(**options)


def test_candidates_need_latent_classes():
    with pytest.raises(ValueError, match="candidates_weak must be None without X_weak and"):
        SemanticClassifier().fit(X, Y, X_weak=X_WEAK, candidates_weak=OPEN)
    with pytest.raises(ValueError, match="candidates_weak must be None without X_weak and"):
        SemanticClassifier(weak="latent").fit(X, Y, candidates_weak=OPEN)


@each_step
@pytest.mark.parametrize("weak_weight", [0.5, [0.0, 0.3, 1.0]], ids=["given", "chosen"])
def test_a_pipeline_scales_labelled_and_weak_inputs_together(weak, weak_weight):
    units, weights = np.geomspace(1e-2, 1e2, D), np.arange(1, len(Y) + 1)
    options = {"weak_weight": weak_weight, "sample_weight": weights}
    ridge = KernelRidgeCV(kernel="rbf")
    pipeline = make_pipeline(StandardScaler(), ridge)
    model = fit(weak, pipeline, X=X * units, X_weak=X_WEAK * units, **options)
    of_all = np.append(weights, np.full(len(X_WEAK), model.weak_weight_))
    scaler = StandardScaler().fit(np.vstack([X, X_WEAK]), sample_weight=of_all)
    options["weak_weight"] = model.weak_weight_
    alone = fit(weak, ridge, X=scaler.transform(X), X_weak=scaler.transform(X_WEAK), **options)
    assert_allclose(model.assignments_, alone.assignments_, atol=1e-8)
    found = model.decision_function(X_TEST * units)
    assert_allclose(found, alone.decision_function(scaler.transform(X_TEST)), atol=1e-7)
    assert model.temperature_ == pytest.approx(alone.temperature_)
    assert type(model.regressor_) is type(pipeline)
