import pickle

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.optimize import approx_fprime, minimize
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.metrics.pairwise import linear_kernel, rbf_kernel
from sklearn.model_selection import GridSearchCV

from ofer import InputOutputKernelRegressor, KernelRidgeCV
from ofer.kernels import dtw_kernel, global_alignment_kernel, median_bandwidth

RNG = np.random.default_rng(0)
SHORT_GRID = pytest.mark.filterwarnings("ignore:alphas should have")  # and meant to
X = RNG.normal(size=(30, 3))
Y = np.column_stack([np.sin(X[:, 0]), X[:, 1] ** 2, X @ RNG.normal(size=3)]) + 1.0
X_TEST = RNG.normal(size=(9, 3))


def expansion(alpha, gamma, X_train=X, queries=X_TEST, fit_intercept=False):
    """Weights of the training outputs, by solving the bordered system as it stands."""
    n = len(X_train)
    system = np.zeros((n + 1, n + 1))
    system[:n, :n] = rbf_kernel(X_train, gamma=gamma) + alpha * np.eye(n)
    system[:n, n] = system[n, :n] = 1.0
    k = np.column_stack([rbf_kernel(queries, X_train, gamma=gamma), np.ones(len(queries))])
    if not fit_intercept:
        system, k = system[:n, :n], k[:, :n]
    return np.linalg.solve(system, k.T).T[:, :n]


@SHORT_GRID
@pytest.mark.parametrize("fit_intercept", [True, False])
def test_linear_output_kernel_chooses_as_kernel_ridge_does(fit_intercept):
    params = {"kernel": "rbf", "gamma": 0.3, "fit_intercept": fit_intercept}
    ours = InputOutputKernelRegressor(output_kernel="linear", preimage="gradient", **params)
    theirs = KernelRidgeCV("fixed", **params)
    for y in (Y, Y[:, 0]):
        ours.fit(X, y)
        theirs.fit(X, y)
        assert ours.alpha_ == theirs.alpha_
        assert_allclose(ours.loo_scores_, theirs.loo_scores_, rtol=1e-8)
        assert_allclose(ours.predict(X_TEST), theirs.predict(X_TEST), rtol=0, atol=1e-8)


@pytest.mark.parametrize("output_kernel", ["rbf", "linear", linear_kernel])
@pytest.mark.parametrize("n_queries", [9, 2])
def test_scores_of_candidates_are_squared_distances_in_the_feature_space(output_kernel, n_queries):
    queries, candidates = X_TEST[:n_queries], RNG.normal(size=(4, 3))
    model = InputOutputKernelRegressor(
        [0.3], kernel="rbf", gamma=0.3, output_kernel=output_kernel, output_gamma=0.4
    ).fit(X, Y)
    a = expansion(0.3, 0.3, queries=queries, fit_intercept=True)

    origin = np.median(Y, axis=0) if output_kernel == "linear" else 0.0  # the weights sum to one

    def kernel(A, B):
        A, B = np.subtract(A, origin), np.subtract(B, origin)
        return rbf_kernel(A, B, gamma=0.4) if output_kernel == "rbf" else linear_kernel(A, B)

    squared_norms = np.einsum("ti,ij,tj->t", a, kernel(Y, Y), a)
    distances = np.array(
        [
            [kernel([c], [c])[0, 0] - 2 * row @ kernel(Y, [c])[:, 0] + norm for c in candidates]
            for row, norm in zip(a, squared_norms, strict=True)
        ]
    )
    scores = model.score_candidates(queries, candidates)
    assert_allclose(scores - squared_norms[:, None], -distances, rtol=0, atol=1e-8)
    chosen = model.predict(queries, candidates)
    assert_array_equal(chosen, candidates[distances.argmin(axis=1)])
    assert_array_equal(model.predict(queries, candidates.tolist()), chosen)
    of_training = model.score_candidates(queries, Y)
    assert_allclose(model.score_candidates(queries), of_training, rtol=0, atol=1e-10)


@SHORT_GRID
@pytest.mark.parametrize("fit_intercept", [True, False])
@pytest.mark.parametrize("output_kernel", ["rbf", "linear"])
def test_leave_one_out_equals_brute_force(output_kernel, fit_intercept):
    alphas = [1e-2, 0.3, 10.0]
    model = InputOutputKernelRegressor(
        alphas,
        kernel="rbf",
        gamma=0.3,
        output_kernel=output_kernel,
        output_gamma=0.4,
        fit_intercept=fit_intercept,
    ).fit(X, Y)
    L = rbf_kernel(Y, gamma=0.4)
    if output_kernel == "linear":  # in units of each target, the mean over them
        L = linear_kernel(Y / Y.std(axis=0)) / Y.shape[1]
    expected = []
    for alpha in alphas:
        errors = []
        for i in range(len(X)):
            kept = np.arange(len(X)) != i
            a = expansion(alpha, 0.3, X[kept], X[[i]], fit_intercept)[0]
            errors.append(L[i, i] - 2 * a @ L[kept, i] + a @ L[np.ix_(kept, kept)] @ a)
        expected.append(-np.mean(errors))
    assert_allclose(model.loo_scores_, expected, rtol=0, atol=1e-8)
    assert model.alpha_ == alphas[np.argmax(expected)]
    assert model.best_score_ == model.loo_scores_.max()


@SHORT_GRID
@pytest.mark.parametrize("alphas", [None, [0.3], [0.3, 30.0]])
@pytest.mark.parametrize("exponent", [-240, -140, 140, 290])
def test_the_unit_of_the_inputs_has_no_part(alphas, exponent):
    """A power of two, so that all digits are the same, whose fourth is no number."""
    unit = 2.0**exponent
    scaled = None if alphas is None else [alpha * unit**2 for alpha in alphas]
    model = InputOutputKernelRegressor(alphas).fit(X, Y)
    other = InputOutputKernelRegressor(scaled).fit(X * unit, Y)
    assert_allclose(other.loo_scores_, model.loo_scores_, rtol=1e-9)
    assert_array_equal(other.predict(X_TEST * unit), model.predict(X_TEST))


@SHORT_GRID
@pytest.mark.parametrize("kernel", ["rbf", "linear"])
@pytest.mark.parametrize("fit_intercept", [True, False])
@pytest.mark.parametrize("weighted", [True, False])
def test_one_ridge_is_that_of_a_grid(kernel, fit_intercept, weighted):
    """Which finds by a Cholesky factor, and on demand, what the grid decomposes for."""
    weights = np.where(np.arange(30) % 5 == 0, 0, 1 + np.arange(30) % 2) if weighted else None
    options = {"kernel": kernel, "gamma": 0.3, "fit_intercept": fit_intercept}
    one = InputOutputKernelRegressor([0.4], **options).fit(X, Y, weights)
    grid = InputOutputKernelRegressor([0.4, 1e5], **options).fit(X, Y, weights)
    assert grid.alpha_ == one.alpha_ == 0.4
    assert_allclose(one.score_candidates(X_TEST), grid.score_candidates(X_TEST), atol=1e-9)
    assert_array_equal(one.predict(X_TEST), grid.predict(X_TEST))
    assert_array_equal(one.predict(X_TEST[:1]), grid.predict(X_TEST[:1]))
    assert_allclose(one.loo_scores_, grid.loo_scores_[:1], rtol=1e-9)
    assert one.best_score_ == one.loo_scores_[0]
    for name in ("dual_coef_", "coef_", "intercept_"):
        ours, theirs = getattr(one, name), getattr(grid, name)
        assert (ours is None) == (theirs is None)
        if ours is not None:
            assert_allclose(ours, theirs, atol=1e-9)


def test_equal_training_outputs_are_one_candidate():
    """The first of them that is present, and predictions are those among all outputs."""
    twice, weights = np.vstack([Y[:15], -0.0 * Y[:1], Y[:15], 0.0 * Y[:1]]), np.ones(32)
    inputs, weights[:4] = np.vstack([X, X_TEST[:2]]), 0
    model = InputOutputKernelRegressor([0.4], kernel="rbf", gamma=0.3)
    model.fit(inputs, twice, weights)
    scores = model.score_candidates(X_TEST)
    assert np.isneginf(scores[:, :4]).all()
    assert_allclose(model.predict(X_TEST), twice[scores.argmax(axis=1)])
    with_all = model.fit(inputs, twice).predict(X_TEST, candidates=twice)
    assert_array_equal(model.predict(X_TEST), with_all)


def test_gradient_preimage_is_a_minimum():
    params = {"kernel": "rbf", "gamma": 0.3, "fit_intercept": False, "output_gamma": 0.4}
    model = InputOutputKernelRegressor([0.2], preimage="gradient", **params).fit(X, Y)
    best = clone(model).set_params(preimage="candidates").fit(X, Y)
    for a, y, start in zip(
        expansion(0.2, 0.3), model.predict(X_TEST), best.predict(X_TEST), strict=True
    ):

        def objective(y, a=a):
            return 1 - 2 * a @ rbf_kernel(Y, y[None], gamma=0.4)[:, 0]

        assert objective(y) < objective(start)
        assert_allclose(approx_fprime(y, objective, 1e-7), 0.0, atol=1e-5)
        # Steps in any direction lead up, and another route from there leads back.
        assert all(objective(y + step) > objective(y) for step in 0.05 * np.vstack([Y, -Y]))
        back = minimize(objective, y + 0.01, method="L-BFGS-B", options={"gtol": 1e-9})
        assert_allclose(back.x, y, atol=1e-4)


def test_width_of_the_output_kernel():
    model = InputOutputKernelRegressor().fit(X, Y)
    assert_allclose(model.output_gamma_, 0.5 / median_bandwidth(Y) ** 2)
    assert InputOutputKernelRegressor(output_gamma=3.0).fit(X, Y).output_gamma_ == 3.0
    assert InputOutputKernelRegressor(output_kernel="linear").fit(X, Y).output_gamma_ is None
    assert_array_equal(InputOutputKernelRegressor().fit(X, 0 * Y + 2).predict(X_TEST), 2.0)


def test_precomputed_kernels_and_functions_equal_named_ones():
    params = {"gamma": 0.3, "output_gamma": 0.4}
    expected = InputOutputKernelRegressor(kernel="rbf", **params).fit(X, Y)
    predictions = expected.predict(X_TEST)
    by_function = InputOutputKernelRegressor(
        kernel=rbf_kernel,
        kernel_params={"gamma": 0.3},
        output_kernel=rbf_kernel,
        output_kernel_params={"gamma": 0.4},
    ).fit(X, Y)
    assert_array_equal(by_function.predict(X_TEST), predictions)
    by_matrix = InputOutputKernelRegressor(kernel="precomputed", output_kernel="precomputed")
    by_matrix.fit(rbf_kernel(X, gamma=0.3), rbf_kernel(Y, gamma=0.4))
    indices = by_matrix.predict(rbf_kernel(X_TEST, X, gamma=0.3))
    assert_array_equal(Y[indices], predictions)
    assert_allclose(by_matrix.loo_scores_, expected.loo_scores_)


def ramps(ends, lengths):
    """Series in two dimensions: a constant, and a line to it."""
    return [
        np.column_stack([np.full(n, end), np.linspace(0, end, n)])
        for end, n in zip(ends, lengths, strict=True)
    ]


def end_error(model, X, series):
    """A scorer for series: minus the mean error of their last values."""
    errors = [abs(p[-1, 1] - s[-1, 1]) for p, s in zip(model.predict(X), series, strict=True)]
    return -np.mean(errors)


ALIGNED = InputOutputKernelRegressor(
    kernel="rbf", output_kernel=global_alignment_kernel, output_kernel_params={"bandwidth": 3}
)


def test_series_of_unequal_lengths_as_outputs():
    series = ramps(X[:, 0], RNG.integers(3, 7, size=30))
    model = clone(ALIGNED).fit(X, series)
    for candidates in (None, series[:3], series):
        predictions = model.predict(X, candidates)
        assert isinstance(predictions, list)
        assert [p.shape[1] for p in predictions] == [2] * 30
    assert all(any(p is s for s in series) for p in predictions)
    assert np.corrcoef([p[0, 0] for p in predictions], X[:, 0])[0, 1] > 0.7
    again = pickle.loads(pickle.dumps(model)).predict(X)
    assert all(map(np.array_equal, again, model.predict(X)))


@pytest.mark.parametrize("ragged", [True, False])
def test_grid_search_over_output_kernels_of_series(ragged):
    lengths = RNG.integers(3, 7, size=30) if ragged else np.full(30, 4)
    series = ramps(X[:, 0], lengths)
    series = series if ragged else np.stack(series)
    widths = [{"bandwidth": bandwidth} for bandwidth in (1e-3, 1.0)]
    grid = {"output_kernel_params": widths, "gamma": [1e-3, 0.1]}
    search = GridSearchCV(ALIGNED, grid, scoring=end_error, cv=3).fit(X, series)
    # The narrow kernel knows equality alone, and a flat input kernel sees no inputs.
    assert search.best_params_ == {"output_kernel_params": widths[1], "gamma": 0.1}
    assert search.best_score_ > -0.7
    assert search.best_estimator_.get_params()["output_kernel"] is global_alignment_kernel


def indefinite_series():
    """Noise of unequal lengths, on which time warping is no kernel, and features of it."""
    rng = np.random.default_rng(0)
    series = [rng.normal(size=(n, 1)) for n in rng.integers(2, 7, size=30)]
    return np.array([[s.sum(), len(s)] for s in series]), series


@SHORT_GRID
@pytest.mark.parametrize("precomputed", [True, False])
def test_indefinite_output_kernels_are_used_as_they_are_with_a_warning(precomputed):
    features, series = indefinite_series()
    gram = dtw_kernel(series, bandwidth=1.0)
    assert np.linalg.eigvalsh(gram)[0] < -0.01
    model = InputOutputKernelRegressor(
        [0.1],
        kernel="rbf",
        gamma=0.5,
        fit_intercept=False,
        output_kernel="precomputed" if precomputed else dtw_kernel,
        output_kernel_params={"bandwidth": 1.0},
    )
    with pytest.warns(UserWarning, match=r"positive semi-definite \(smallest eigenvalue -0\.\d+,"):
        model.fit(features, gram if precomputed else series)
    assert_array_equal(model.output_gram_, gram)
    # Equal lengths of feature vectors: the most similar output wins.
    weights = expansion(0.1, 0.5, features, features)
    best = (weights @ gram).argmax(axis=1)
    predicted = model.predict(features)
    if precomputed:
        assert_array_equal(predicted, best)
    else:
        for chosen, i in zip(predicted, best, strict=True):
            assert_array_equal(chosen, series[i])


def test_indefinite_output_kernels_have_negative_squared_errors():
    indefinite = np.diag([1.0, 1.0, -1.0])
    model = InputOutputKernelRegressor([1.0], kernel="precomputed", output_kernel="precomputed")
    with pytest.warns(UserWarning, match="may be negative"):
        model.fit(np.eye(3) + 1.0, indefinite)
    # Without sample i the others, alike to it, predict their mean: L_ii + sum(L_jj) / 4.
    assert_allclose(model.loo_scores_, -np.mean([1, 1, -0.5]))
    with pytest.warns(UserWarning, match="may be negative"):
        model.fit(np.eye(3) + 1.0, -np.eye(3))
    assert_allclose(model.loo_scores_, 1.5)


def test_positive_semi_definite_matrices_of_low_rank_do_not_warn():
    low_rank = Y[:, :1] @ Y[:, :1].T
    model = InputOutputKernelRegressor(output_kernel="precomputed").fit(X, low_rank)
    assert (model.loo_scores_ <= 0).all()


@pytest.mark.parametrize(
    ("params", "error", "message"),
    [
        ({"alphas": [0.0]}, ValueError, "alphas must be positive and finite"),
        (
            {"output_kernel": linear_kernel, "preimage": "gradient"},
            ValueError,
            "preimage must be 'candidates' unless output_kernel is 'rbf' or 'linear'",
        ),
        ({"output_kernel": "precomputed"}, ValueError, r"symmetric Gram .* shape \(30, 3\)"),
        ({"kernel": "precomputed"}, ValueError, r"X must be a square kernel matrix"),
        (
            {"output_kernel": lambda A, B: np.ones(3)},
            ValueError,
            r"output_kernel must return finite values of shape \(30, 30\); got shape \(3,\)",
        ),
    ],
)
def test_bad_parameters(params, error, message):
    with pytest.raises(error, match=message):
        InputOutputKernelRegressor(**params).fit(X, Y)


def test_bad_data():
    with pytest.raises(NotFittedError):
        InputOutputKernelRegressor().predict(X)
    for output_kernel in ("rbf", linear_kernel):
        with pytest.raises(ValueError, match=r"inconsistent numbers of samples: \[30, 29\]"):
            InputOutputKernelRegressor(output_kernel=output_kernel).fit(X, Y[:-1])
    model = InputOutputKernelRegressor().fit(X, Y)
    with pytest.raises(ValueError, match=r"candidates must have .* got \(30, 2\)"):
        model.predict(X_TEST, Y[:, :2])
    with pytest.raises(ValueError, match="candidates contains NaN"):
        model.predict(X_TEST, np.full((2, 3), np.nan))
    with pytest.raises(ValueError, match="X has 2 features"):
        model.predict(X_TEST[:, :2])
    with pytest.raises(ValueError, match="candidates must be None unless preimage='candidates'"):
        model.set_params(preimage="gradient").predict(X_TEST, Y)
    model = InputOutputKernelRegressor(output_kernel="precomputed").fit(X, Y @ Y.T)
    with pytest.raises(ValueError, match=r"candidates must .* output_kernel='precomputed'"):
        model.predict(X_TEST, Y)
    model = InputOutputKernelRegressor(output_kernel=linear_kernel).fit(X, Y)
    with pytest.raises(ValueError, match="y must hold outputs; got None"):
        model.fit(X, None)
    with pytest.raises(ValueError, match="candidates must hold at least one output; got none"):
        model.predict(X_TEST, [])


def test_outputs_of_other_scales_warn():
    with pytest.warns(UserWarning, match=r"outputs y differ by .*: the output kernel sees the lar"):
        InputOutputKernelRegressor([1.0], kernel="rbf").fit(X, Y * [1.0, 1e4, 1.0])
