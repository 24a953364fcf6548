import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy import sparse
from sklearn import config_context
from sklearn.base import clone
from sklearn.datasets import make_regression
from sklearn.kernel_ridge import KernelRidge
from sklearn.linear_model import Ridge
from sklearn.metrics import r2_score
from sklearn.metrics.pairwise import rbf_kernel
from sklearn.model_selection import train_test_split
from sklearn.pipeline import make_pipeline

from ofer import KernelRidgeCV, KernelSystem
from ofer.ridge.kernel_system import scored_alphas

RNG = np.random.default_rng(0)
SHORT_GRID = pytest.mark.filterwarnings("ignore:alphas should have")  # and meant to
X = RNG.normal(size=(30, 4))
Y = np.column_stack([np.sin(X[:, 0]), X[:, 1] ** 2, X @ RNG.normal(size=4)]) + 3.0
WEIGHTS = RNG.uniform(0.5, 2.0, size=30)
GROUPS = np.arange(30) % 7  # five of four samples, and two of five
X_TEST = RNG.normal(size=(7, 4))


@pytest.mark.parametrize("weights", [None, WEIGHTS])
@pytest.mark.parametrize("kernel", ["linear", "rbf", "poly", "laplacian"])
def test_without_intercept_equals_kernel_ridge(kernel, weights):
    ours = KernelRidgeCV([0.3], kernel=kernel, gamma=0.2, fit_intercept=False)
    theirs = KernelRidge(alpha=0.3, kernel=kernel, gamma=0.2)
    ours.fit(X, Y, weights)
    theirs.fit(X, Y, weights)
    assert_allclose(ours.predict(X_TEST), theirs.predict(X_TEST), rtol=0, atol=1e-10)
    assert_allclose(ours.dual_coef_, theirs.dual_coef_, rtol=0, atol=1e-10)


@pytest.mark.parametrize("kernel", ["linear", "rbf", "laplacian", "poly"])
@pytest.mark.parametrize("unit", [1e-200, 1e170, 1e300])
def test_the_unit_of_the_weights_has_no_part(kernel, unit):
    model, other = (
        KernelRidgeCV(kernel=kernel).fit(X, Y, factor * WEIGHTS) for factor in (1, unit)
    )
    assert_allclose(other.predict(X_TEST), model.predict(X_TEST), atol=1e-9)


@pytest.mark.parametrize("weights", [None, WEIGHTS])
def test_linear_kernel_with_intercept_equals_ridge(weights):
    ours = KernelRidgeCV([0.3]).fit(X, Y, weights)
    theirs = Ridge(alpha=0.3, solver="cholesky").fit(X, Y, weights)
    assert_allclose(ours.predict(X_TEST), theirs.predict(X_TEST), rtol=0, atol=1e-10)
    assert_allclose(X.T @ ours.dual_coef_, theirs.coef_.T, atol=1e-10)
    assert_allclose(ours.intercept_, theirs.intercept_, atol=1e-10)


@pytest.mark.parametrize("fit_intercept", [True, False])
@pytest.mark.parametrize("weights", [None, WEIGHTS])
def test_leave_one_out_equals_brute_force(fit_intercept, weights):
    alphas = [1e-3, 0.1, 10.0]
    model = KernelRidgeCV(kernel="rbf", gamma=0.3, fit_intercept=fit_intercept)
    path = model.loo_predictions(X, Y, alphas=alphas, sample_weight=weights)
    assert path.shape == (3, 30, 3)
    for alpha, predictions in zip(alphas, path, strict=True):
        for i in range(len(X)):
            kept = np.arange(len(X)) != i
            single = clone(model).set_params(alphas=[alpha])
            single.fit(X[kept], Y[kept], None if weights is None else weights[kept])
            assert_allclose(predictions[i], single.predict(X[[i]])[0], rtol=0, atol=1e-8)


@SHORT_GRID
@pytest.mark.parametrize("per_target", [True, False])
@pytest.mark.parametrize("fit_intercept", [True, False])
@pytest.mark.parametrize("weights", [None, WEIGHTS, np.where(GROUPS == 5, 0.0, WEIGHTS)])
@pytest.mark.parametrize("kernel", ["linear", "rbf"])  # primal and dual
@pytest.mark.parametrize("missing", [True, False])
def test_groups_leave_together(per_target, fit_intercept, weights, kernel, missing):
    """Against refits without the group."""
    grid, common = [0.1, 1.0], {"kernel": kernel, "gamma": 0.3, "fit_intercept": fit_intercept}
    targets = np.where([[True, False, False]] & (np.arange(30) % 4 == 0)[:, None], np.nan, Y)
    targets = targets if missing else Y
    model = KernelRidgeCV(grid, alpha_per_target=per_target, **common)
    model.fit(X, targets, weights, groups=GROUPS)
    for label in np.unique(GROUPS):
        left = label == GROUPS
        for k, alpha in enumerate(np.broadcast_to(model.alpha_, 3)):
            kept = ~left & ~np.isnan(targets[:, k])
            refit = KernelRidgeCV([alpha], **common)
            refit.fit(X[kept], targets[kept, k], None if weights is None else weights[kept])
            expected = targets[left, k] - refit.predict(X[left])
            if weights is not None:
                expected[weights[left] == 0] = np.nan
            assert_allclose(model.loo_residuals_[left, k], expected, rtol=0, atol=1e-10)
    blocks = KernelRidgeCV(grid, alpha_per_target=per_target, **common).fit_blocks(
        X, {"a": targets[:, 1:], "b": targets[:, :2]}, weights, groups=GROUPS
    )
    path = model.loo_predictions(X, targets, groups=GROUPS)
    if not missing and weights is None:
        alone = [(path[grid.index(a)] - Y)[:, k] for k, a in enumerate(model.alpha_ * np.ones(3))]
        assert_allclose(model.loo_residuals_, -np.transpose(alone), atol=1e-10)
        if per_target:
            assert_allclose(blocks["a"].loo_residuals_, model.loo_residuals_[:, 1:], atol=1e-10)


def test_labels_of_single_samples_are_no_groups():
    alone = KernelRidgeCV(kernel="rbf").fit(X, Y, WEIGHTS)
    labels = [f"sample {i}" for i in range(30)]
    grouped = KernelRidgeCV(kernel="rbf").fit(X, Y, WEIGHTS, groups=labels)
    assert_allclose(grouped.loo_scores_, alone.loo_scores_, rtol=1e-10)
    for wrong, message in ((GROUPS[:9], "inconsistent numbers"), (np.ones(30), "at least 2")):
        with pytest.raises(ValueError, match=message):
            KernelRidgeCV().fit(X, Y, groups=wrong)


@SHORT_GRID
@pytest.mark.parametrize("convert", [np.asarray, sparse.csr_array])
def test_copies_are_told_and_harmless_in_groups(convert):
    noisy = Y + RNG.normal(size=Y.shape)
    twice, labels = convert(np.vstack([X, X])), np.tile(np.arange(30), 2)
    once = KernelRidgeCV(kernel="rbf").fit(convert(X), noisy)
    with pytest.warns(UserWarning, match="50% of the samples are copies of others, in X and y"):
        copied = KernelRidgeCV(kernel="rbf").fit(twice, np.vstack([noisy, noisy]))
    assert len(copied.alphas_) == 25  # and no smaller ones, which would look better still
    with pytest.warns(UserWarning, match="50% of the samples are copies of others"):
        KernelRidgeCV([0.1, 1.0], kernel="rbf").fit(twice, np.vstack([noisy, noisy]))
    grouped = KernelRidgeCV(kernel="rbf").fit(twice, np.vstack([noisy, noisy]), groups=labels)
    assert_allclose(grouped.predict(X_TEST), once.predict(X_TEST), atol=0.1)
    with config_context(enable_metadata_routing=True):
        ridge = KernelRidgeCV(kernel="rbf").set_fit_request(groups=True)
        routed = make_pipeline("passthrough", ridge).fit(
            twice, np.vstack([noisy, noisy]), groups=labels
        )
    assert_array_equal(routed.predict(X_TEST), grouped.predict(X_TEST))


def test_categories_with_several_outputs_are_no_copies():
    category = RNG.integers(0, 5, size=200)
    counts = RNG.poisson(1.0 + category)  # equal in both, for many
    KernelRidgeCV(kernel="rbf").fit(category[:, None], counts)


@SHORT_GRID
@pytest.mark.parametrize("per_target", [True, False])
def test_scores_and_choice_follow_the_leave_one_out_errors(per_target):
    alphas = np.logspace(-3, 2, 6)
    model = KernelRidgeCV(alphas, kernel="rbf", alpha_per_target=per_target).fit(X, Y, WEIGHTS)
    path = model.loo_predictions(X, Y, sample_weight=WEIGHTS)
    errors = np.average(np.square(path - Y), axis=1, weights=WEIGHTS)
    deviations = Y - np.average(Y, axis=0, weights=WEIGHTS)
    errors /= np.average(np.square(deviations), axis=0, weights=WEIGHTS)
    if not per_target:
        errors = errors.mean(axis=1)
    assert_allclose(model.loo_scores_, -errors)
    assert_array_equal(model.alpha_, alphas[errors.argmin(axis=0)])
    assert_allclose(model.best_score_, -errors.min(axis=0))


def test_alpha_per_target_equals_one_model_a_target():
    joint = KernelRidgeCV(kernel="rbf", alpha_per_target=True).fit(X, Y)
    singles = [KernelRidgeCV(kernel="rbf").fit(X, y) for y in Y.T]
    assert_array_equal(joint.alpha_, [single.alpha_ for single in singles])
    expected = np.column_stack([single.predict(X_TEST) for single in singles])
    assert_allclose(joint.predict(X_TEST), expected, atol=1e-10)


@SHORT_GRID
def test_scoring_is_applied_to_the_leave_one_out_predictions():
    alphas = [1e-2, 1.0, 100.0]
    model = KernelRidgeCV(alphas, kernel="rbf", scoring="r2").fit(X, Y)
    path = model.loo_predictions(X, Y)
    expected = [r2_score(Y, predictions) for predictions in path]
    assert_allclose(model.loo_scores_, expected)
    by_target = clone(model).set_params(alpha_per_target=True).fit(X, Y)
    assert by_target.loo_scores_.shape == (3, 3)
    assert_allclose(by_target.loo_scores_.mean(axis=1), expected)


def test_precomputed_and_callable_kernels_equal_the_named_one():
    named = KernelRidgeCV(kernel="rbf", gamma=0.3).fit(X, Y)
    given_matrix = KernelRidgeCV(kernel="precomputed").fit(rbf_kernel(X, gamma=0.3), Y)
    function = KernelRidgeCV(kernel=rbf_kernel, kernel_params={"gamma": 0.3}).fit(X, Y)
    expected = named.predict(X_TEST)
    assert_allclose(given_matrix.predict(rbf_kernel(X_TEST, X, gamma=0.3)), expected, atol=1e-10)
    assert_allclose(function.predict(X_TEST), expected, atol=1e-10)


def test_constant_target_and_constant_inputs_give_the_constant():
    assert_allclose(KernelRidgeCV().fit(X, np.full(30, 4.2)).predict(X_TEST), 4.2)
    flat = KernelRidgeCV().fit(np.ones((30, 2)), Y)
    assert_allclose(flat.predict(np.ones((1, 2)))[0], Y.mean(axis=0))


@pytest.mark.parametrize(
    ("params", "message"),
    [
        ({"alphas": []}, "alphas must be numbers, at least one, in a 1-D array"),
        ({"alphas": (1, 1.0, "1")}, "alphas must be numbers, at least one, in a 1-D array"),
        ({"alphas": [1.0, 0.0]}, r"alphas must be positive and finite; got \[1.0, 0.0\]"),
        ({"alphas": [np.nan]}, "alphas must be positive and finite"),
        ({"kernel": "precomputed"}, r"square kernel matrix .* got shape \(30, 4\)"),
    ],
)
def test_bad_parameters(params, message):
    with pytest.raises(ValueError, match=message):
        KernelRidgeCV(**params).fit(X, Y)
    with pytest.raises(ValueError, match=message):
        KernelRidgeCV(**params).fit_blocks(X, {"all": Y})
    with pytest.raises(ValueError, match=message):
        KernelRidgeCV(**params).loo_predictions(X, Y)


class Doubled(KernelRidgeCV):
    """Predicts twice as much, whoever asks."""

    def predict_blocks(self, X, fitted):
        return {name: 2.0 * H for name, H in super().predict_blocks(X, fitted).items()}


def test_what_a_subclass_says_of_blocks_counts_everywhere():
    expected = 2.0 * KernelRidgeCV(kernel="rbf").fit(X, Y).predict(X_TEST)
    assert_allclose(Doubled(kernel="rbf").fit(X, Y).predict(X_TEST), expected)


def test_blocks_of_other_fits_are_refused():
    fitted = KernelRidgeCV(kernel="rbf").fit_blocks(X, {"a": Y})
    other = KernelRidgeCV(kernel="rbf").fit(X[:-1], Y[:-1])
    with pytest.raises(ValueError, match="fitted must be what one call of fit_blocks returned"):
        fitted["a"].predict_blocks(X_TEST, fitted | {"b": other})


def test_bad_data():
    model = KernelRidgeCV()
    broken = Y.copy()
    broken[0] = np.nan
    with pytest.raises(ValueError, match=r"y must have an observed output in each row.*\[0\]"):
        model.fit(X, broken)
    with pytest.raises(ValueError, match="Input y contains NaN"):
        model.fit(X, broken[:, 0])
    broken = Y.copy()
    broken[1:, 0] = np.nan
    with pytest.raises(ValueError, match=r"two observed outputs in each column.*\[0\]"):
        model.fit(X, broken)
    broken = Y.copy()
    broken[2:, 1] = np.nan
    with pytest.raises(ValueError, match=r"two observed outputs of samples of pos.*\[1\]"):
        model.fit(X, broken, np.r_[0.0, np.ones(29)])
    with pytest.raises(ValueError, match=r"observed outputs of two groups.*\[1\]"):
        model.fit(X, broken, groups=np.arange(30) // 2)
    with pytest.raises(ValueError, match="sample_weight must not be negative"):
        model.fit(X, Y, np.r_[-1.0, np.ones(29)])
    with pytest.raises(ValueError, match="positive for at least 2 samples; got 1"):
        model.fit(X, Y, np.r_[1.0, np.zeros(29)])
    with pytest.raises(ValueError, match="must be positive for leave-one-out"):
        model.loo_predictions(X, Y, sample_weight=np.r_[0.0, np.ones(29)])
    with pytest.raises(ValueError, match="symmetric kernel matrix"):
        KernelRidgeCV(kernel="precomputed").fit(RNG.normal(size=(30, 30)), Y)


def test_indefinite_kernel_warns():
    K = rbf_kernel(X) - 5.0 * np.eye(30)
    with pytest.warns(UserWarning, match="not positive semi-definite .* Use a positive"):
        KernelRidgeCV(kernel="precomputed").fit(K, Y)


@pytest.mark.parametrize("kernel", ["linear", "rbf"])
def test_default_ridges_go_on_where_the_score_rises(kernel):
    """Smooth outputs without noise want a small ridge."""
    rng = np.random.default_rng(2)
    inputs = rng.normal(size=(40, 12)) * np.logspace(0, -4, 12)
    targets, noise = inputs @ np.logspace(0, 4, 12), rng.normal(size=40)
    if kernel == "rbf":
        inputs = np.linspace(-1, 1, 40)[:, None]
        targets = np.sin(5 * inputs[:, 0])
    fixed, free = KernelRidgeCV("fixed", kernel=kernel), KernelRidgeCV(kernel=kernel)
    with pytest.warns(UserWarning, match="alphas should have smaller values"):
        fixed.fit(inputs, targets)
    free.fit(inputs, targets)
    assert len(fixed.alphas_) == 25
    assert_array_equal(free.alphas_[-25:], fixed.alphas_)
    assert_allclose(np.diff(np.log10(free.alphas_)), 1 / 3, rtol=1e-9)
    assert free.alpha_ < fixed.alpha_
    assert free.best_score_ > fixed.best_score_
    blocks = KernelRidgeCV(kernel=kernel).fit_blocks(inputs, {"a": targets, "b": noise})
    assert blocks["a"].alpha_ == free.alpha_
    assert len(blocks["b"].alphas_) == 25


@pytest.mark.parametrize("end", [0, -1])
def test_they_end_where_nothing_is_left_to_find(end):
    system = KernelSystem.from_kernel(rbf_kernel(X))
    sign = -1 if end == 0 else 1
    alphas, scores = scored_alphas(system, None, lambda tried: [*np.exp(sign * np.log(tried))])
    assert_allclose(scores, alphas**sign)
    assert_allclose(np.diff(np.log10(alphas)), 1 / 3, rtol=1e-9)
    assert np.isin(system.default_alphas(), alphas).all()
    assert (alphas >= 1e4 * system.basis.roundoff).all()
    assert (alphas <= 1e4 * system.eigenvalues[-1]).all()
    assert alphas[end] != system.default_alphas()[end]


@pytest.mark.parametrize("fit_intercept", [True, False])
@SHORT_GRID
def test_tiny_ridges_of_data_without_noise(fit_intercept):
    """The example on which RidgeCV by singular values once had coefficients without bound."""
    X, y = make_regression(n_samples=1000, n_features=50, noise=0, random_state=42)
    X, X_test, y, y_test = train_test_split(X, y, test_size=0.9, random_state=42)
    model = KernelRidgeCV([1e-15, 1e-14], kernel="linear", fit_intercept=fit_intercept)
    with pytest.warns(UserWarning, match="level of the roundoff"):
        model.fit(X, y)
    assert_allclose(model.predict(X_test), y_test, atol=1e-8 * np.abs(y_test).max())
    assert_allclose(model.loo_residuals_, 0.0, atol=1e-8 * np.abs(y).max())
