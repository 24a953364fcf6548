import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.linear_model import Ridge

from ofer import KernelSystem
from ofer.ridge.decomposition import CholeskyBasis, Eigenbasis

RNG = np.random.default_rng(0)
ALPHAS = [1e-2, 1.0, 30.0]
N = 12


def problem(d, weighted, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(N, d)) + 2.0
    Y = np.column_stack([X[:, 0], rng.normal(size=N)]) + 5.0
    weights = rng.uniform(0.5, 2.0, size=N) if weighted else None
    if weighted:
        weights[[1, 7]] = 0.0
    return X, Y, weights, rng.normal(size=(4, d))


def refit(X, Y, weights, alpha, fit_intercept):
    return Ridge(alpha=alpha, fit_intercept=fit_intercept, solver="cholesky").fit(X, Y, weights)


each_shape = pytest.mark.parametrize("d", [1, 3, 9, 11, 30])
each_weighting = pytest.mark.parametrize("weighted", [False, True])
each_intercept = pytest.mark.parametrize("fit_intercept", [False, True])


@each_shape
@each_weighting
@each_intercept
def test_primal_dual_and_refits_agree(d, weighted, fit_intercept):
    X, Y, weights, queries = problem(d, weighted)
    primal = KernelSystem.from_features(X, weights, fit_intercept)
    dual = KernelSystem.from_kernel(X @ X.T, weights, fit_intercept)
    assert dual.is_dual
    n_kept = N if weights is None else N - 2
    assert primal.is_dual == (d >= n_kept - fit_intercept)
    assert_allclose(primal.mean_eigenvalue, dual.mean_eigenvalue, rtol=1e-10)
    for alpha in ALPHAS:
        expected = refit(X, Y, weights, alpha, fit_intercept).predict(queries)
        by_features, by_kernel = primal.solve(Y, alpha), dual.solve(Y, alpha)
        assert_allclose(by_features.predict(queries), expected, atol=1e-9)
        assert_allclose(by_kernel.predict(queries @ X.T), expected, atol=1e-9)
        assert_allclose(primal.smoother(queries, alpha) @ Y, expected, atol=1e-9)
        assert_allclose(dual.smoother(queries @ X.T, alpha) @ Y, expected, atol=1e-9)
        assert_allclose(X.T @ by_kernel.coef, by_features.coef, atol=1e-9)


@each_shape
@each_weighting
@each_intercept
def test_leave_one_out_equals_refits(d, weighted, fit_intercept):
    X, Y, weights, _ = problem(d, weighted)
    everything = np.ones(N) if weights is None else weights
    for system in (
        KernelSystem.from_features(X, weights, fit_intercept),
        KernelSystem.from_kernel(X @ X.T, weights, fit_intercept),
    ):
        paths = zip(ALPHAS, system.loo_residuals(Y, ALPHAS), system.path(Y, ALPHAS), strict=True)
        for alpha, residuals, predictions in paths:
            for i in range(N):
                others = np.delete(np.arange(N), i)
                model = refit(X[others], Y[others], everything[others], alpha, fit_intercept)
                expected = model.predict(X[[i]])[0] if everything[i] else np.nan
                assert_allclose(predictions[i], expected, atol=1e-9)
                assert_allclose(residuals[i], Y[i] - expected, atol=1e-9)


@each_weighting
@each_intercept
def test_a_fit_without_a_sample_from_the_smoother_and_its_residual(weighted, fit_intercept):
    """What leaving out sample i does to any prediction: f_{-i}(x) = f(x) - w_i(x) r_i."""
    X, Y, weights, queries = problem(3, weighted)
    everything = np.ones(N) if weights is None else weights
    system = KernelSystem.from_features(X, weights, fit_intercept)
    W = system.smoother(queries, 1.0)
    for found, alpha in zip(system.smoothers(queries, [0.1, 1.0]), [0.1, 1.0], strict=True):
        assert_allclose(found, system.expansion(alpha).predict(queries), atol=1e-9)
    (residuals,) = system.loo_residuals(Y, [1.0])
    for i in np.flatnonzero(everything):
        others = np.delete(np.arange(N), i)
        model = refit(X[others], Y[others], everything[others], 1.0, fit_intercept)
        found = W @ Y - W[:, [i]] * residuals[i]
        assert_allclose(found, model.predict(queries), atol=1e-9)


@pytest.mark.parametrize("d", [3, 30])
def test_one_ridge_for_each_target(d):
    X, Y, weights, queries = problem(d, weighted=True)
    system = KernelSystem.from_features(X, weights)
    joint = system.solve(Y, [0.1, 10.0])
    (residuals,) = system.loo_residuals(Y, [[0.1, 10.0]])
    for j, alpha in enumerate([0.1, 10.0]):
        alone = system.solve(Y[:, j], alpha)
        assert alone.coef.shape == (d,)
        assert np.isscalar(alone.intercept)
        assert_allclose(joint.predict(queries)[:, j], alone.predict(queries), atol=1e-12)
        (expected,) = system.loo_residuals(Y[:, j], [alpha])
        assert_allclose(residuals[:, j], expected, atol=1e-12)


def test_many_ridges_come_in_blocks_that_change_nothing():
    """Two ridges fill a block of 8 MB here, and the third has its own."""
    X, Y = RNG.normal(size=(30, 3)), RNG.normal(size=(30, 15_000))
    for system in (KernelSystem.from_features(X), KernelSystem.from_kernel(X @ X.T)):
        for alpha, residuals in zip(ALPHAS, system.loo_residuals(Y, ALPHAS), strict=True):
            assert_allclose(residuals, next(system.loo_residuals(Y, [alpha])), atol=1e-12)


def test_default_ridges_follow_the_scale_of_the_kernel():
    X, _, weights, _ = problem(3, weighted=True)
    system = KernelSystem.from_features(X, weights)
    unit = system.mean_eigenvalue
    assert_allclose(KernelSystem.from_features(10 * X, weights).mean_eigenvalue, 100 * unit)
    assert_allclose(system.default_alphas()[[0, 12, 24]], unit * np.logspace(-4, 4, 3))
    assert_allclose(KernelSystem.from_features(np.ones((5, 2))).default_alphas()[12], 1.0)


@each_weighting
@each_intercept
def test_one_ridge_of_features_has_a_factor_and_the_same_numbers(weighted, fit_intercept):
    X, Y, weights, queries = problem(30, weighted)
    options = {"sample_weight": weights, "fit_intercept": fit_intercept}
    many = KernelSystem.from_features(X, **options)
    for alpha in ALPHAS:
        lone = KernelSystem.from_features(X, **options, alpha=alpha)
        assert isinstance(lone.basis, CholeskyBasis)
        for found, expected in zip(lone.solve(Y, alpha), many.solve(Y, alpha), strict=True):
            assert_allclose(found, expected, rtol=1e-10)
        for found, expected in zip(lone.expansion(alpha), many.expansion(alpha), strict=True):
            assert_allclose(found, expected, rtol=1e-10, atol=1e-14)
        paths = lone.loo_residuals(Y, [alpha]), many.loo_residuals(Y, [alpha])
        for found, expected in zip(*paths, strict=True):
            assert_allclose(found, expected, rtol=1e-10)
        assert_allclose(lone.smoother(queries, alpha), many.smoother(queries, alpha), atol=1e-13)
    with pytest.raises(ValueError, match="made for one"):
        lone.solve(Y, ALPHAS[0])


def test_too_small_a_ridge_of_features_is_decomposed_and_warns():
    """Twenty samples on a line: all directions but one are roundoff."""
    X = np.outer(RNG.normal(size=20), np.ones(30))
    lone = KernelSystem.from_features(X, alpha=1e-12)
    assert isinstance(lone.basis, Eigenbasis)
    with pytest.warns(UserWarning, match="at the level of the roundoff of the kernel"):
        found = lone.solve(X[:, 0], 1e-12)
    assert_allclose(found.coef, np.full(30, 1 / 30))
    with pytest.warns(UserWarning, match="at the level of the roundoff of the kernel"):
        expected = KernelSystem.from_features(X).solve(X[:, 0], 1e-12)
    assert_array_equal(found.coef, expected.coef)
    signs, alpha = RNG.choice([-1.0, 1.0], size=600), 7e-7  # the largest eigenvalue is 600
    for given in (None, alpha):
        system = KernelSystem.from_kernel(np.outer(signs, signs), None, False, alpha=given)
        with pytest.warns(UserWarning, match="at the level of the roundoff of the kernel"):
            system.solve(signs, alpha)


def test_a_ridge_at_the_level_of_roundoff_warns():
    """Below ten thousand times of it, and directions of no variance are left alone."""
    basis, limit = Eigenbasis(np.array([0.0, 2.0]), np.eye(2), 1e-9), 1e4 * 1e-9
    assert_array_equal(basis.inverse(limit), [[1.0 / limit], [1.0 / (2.0 + limit)]])
    ridges = np.array([limit, 0.999 * limit])
    expected = r"^the ridge 9\.99e-06 is at the level of the roundoff of the kernel, 1e-09, and"
    with pytest.warns(UserWarning, match=expected):
        found = basis.inverse(ridges)
    assert_array_equal(found, [[1.0 / limit, 0.0], 1.0 / (2.0 + ridges)])


def test_bad_input():
    X, Y, _, queries = problem(3, weighted=False)
    with pytest.raises(ValueError, match=r"K must be a square matrix; got shape \(12, 3\)"):
        KernelSystem.from_kernel(X)
    with pytest.raises(ValueError, match="Input K contains NaN"):
        KernelSystem.from_kernel(np.full((3, 3), np.nan))
    with pytest.raises(ValueError, match="Input X contains infinity"):
        KernelSystem.from_features(np.full((3, 3), np.inf))
    with pytest.raises(ValueError, match=r"sample_weight must not be negative; got -1\.0"):
        KernelSystem.from_features(X, np.r_[-1.0, np.ones(N - 1)])
    with pytest.raises(ValueError, match=r"positive for at least 2 samples; got 1"):
        KernelSystem.from_kernel(X @ X.T, np.r_[1.0, np.zeros(N - 1)])
    system = KernelSystem.from_features(X)
    for alphas in ([0.0], [1.0, -1.0], [np.nan]):
        for call in (system.loo_residuals, system.path):
            with pytest.raises(ValueError, match="alphas must be positive and finite; got"):
                call(Y, alphas)
    with pytest.raises(ValueError, match="alphas must be positive"):
        system.solve(Y, 0.0)
    with pytest.raises(ValueError, match="alphas must be positive"):
        system.smoother(queries, -1.0)
    with pytest.raises(ValueError, match=r"inconsistent numbers of samples: \[11, 12\]"):
        system.solve(Y[:-1], 1.0)


def test_masked_entries_are_refused():
    """They would be used as what is beneath the mask."""
    hidden = np.ma.masked_array(np.eye(5), np.eye(5))
    system = KernelSystem.from_features(np.eye(5))
    for name, make in (
        ("K", lambda: KernelSystem.from_kernel(hidden)),
        ("X", lambda: KernelSystem.from_features(hidden)),
        ("Y", lambda: system.solve(hidden, 1.0)),
    ):
        with pytest.raises(ValueError, match=f"{name} must have no masked entries"):
            make()


@pytest.mark.parametrize("fit_intercept", [True, False])
@pytest.mark.parametrize("n_features", [2, 30])
def test_dual_and_predictive_are_those_of_the_bordered_inverse(n_features, fit_intercept):
    rng, n, alpha = np.random.default_rng(0), 12, 0.7
    X, Q, Y = (rng.normal(size=shape) for shape in [(n, n_features), (5, n_features), (n, 2)])
    weights = rng.uniform(0.5, 2.0, size=n)
    weights[3] = 0.0
    kept = weights > 0
    K, k = X @ X.T, X[kept] @ Q.T
    border = np.ones((n, n))
    border[:-1, :-1] = K[np.ix_(kept, kept)] + np.diag(alpha / weights[kept])
    border[-1, -1] = 0.0 if fit_intercept else 1.0
    if not fit_intercept:
        border[-1, :-1] = border[:-1, -1] = 0.0
    inverse = np.linalg.inv(border)
    G = np.zeros((n, n))
    G[np.ix_(kept, kept)] = inverse[:-1, :-1]
    right = np.vstack([k, np.full((1, 5), float(fit_intercept))])
    expected = np.square(Q).sum(axis=1) + alpha - np.einsum("ij,ij->j", right, inverse @ right)
    systems = {
        "features": KernelSystem.from_features(X, weights, fit_intercept),
        "features, one": KernelSystem.from_features(X, weights, fit_intercept, alpha=alpha),
        "dual": KernelSystem.from_kernel(K, weights, fit_intercept),
        "one": KernelSystem.from_kernel(K.copy(), weights, fit_intercept, alpha=alpha),
    }
    for name, system in systems.items():
        coef, diagonal = system.dual(Y, alpha)
        assert_allclose(coef, G @ Y, atol=1e-9)
        assert_allclose(diagonal, np.diag(G), atol=1e-9)
        (missed,) = system.loo_residuals(Y, [alpha])
        assert_allclose((coef / np.where(kept, diagonal, 1)[:, None])[kept], missed[kept])
        queries, own = (Q, None) if "features" in name else (Q @ X.T, np.square(Q).sum(axis=1))
        ((W, found),) = system.predictive(queries, own, [alpha])
        assert_allclose(found, expected, rtol=1e-9)
        assert_allclose(W, system.smoother(queries, alpha))


@each_shape
@each_weighting
def test_loadings_take_coordinates_of_solutions_to_coefficients(d, weighted):
    X, Y, weights, _ = problem(d, weighted)
    system = KernelSystem.from_features(X, weights)
    everything = np.ones(N) if weights is None else weights
    kept = everything > 0
    centred = Y[kept] - np.average(Y, axis=0, weights=everything)
    projected = system.coordinates.T @ (np.sqrt(everything[kept])[:, None] * centred)
    coef = system.loadings @ (projected / (system.eigenvalues[:, None] + 2.0))
    assert_allclose(coef, system.solve(Y, 2.0).coef, atol=1e-9)


@each_weighting
def test_a_kernel_has_an_intercept_by_default(weighted):
    X, Y, weights, _ = problem(3, weighted)
    default, asked = (
        KernelSystem.from_kernel(X @ X.T, weights, *options).solve(Y, 1.0)
        for options in ((), (True,))
    )
    assert_array_equal(default.intercept, asked.intercept)
    assert (default.intercept != 0).all()


def test_groups_among_samples_of_positive_weight_are_at_least_two():
    X, Y, *_ = problem(3, weighted=False)
    groups, weights = np.arange(N) < 6, np.repeat([1.0, 0.0], 6)
    system = KernelSystem.from_features(X, weights)
    with pytest.raises(ValueError, match="groups must have at least 2"):
        system.loo_residuals(Y, [1.0], groups)
