import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from scipy.stats import multivariate_normal

from ofer.companions import sharma_mittal_divergence

FORMS = "simplified", "original"


def gaussian(n, seed):
    rng = np.random.default_rng(seed)
    root = rng.normal(size=(n, 3 * n + 2))
    return rng.normal(size=n), root @ root.T / n


def log_chernoff_by_quadrature(p, q, alpha, n_points=400):
    """Logarithm of the integral of p^alpha q^(1 - alpha) on a grid in two dimensions."""
    precision = alpha * np.linalg.inv(p[1]) + (1 - alpha) * np.linalg.inv(q[1])
    pulls = (
        weight * np.linalg.solve(covariance, mean)
        for weight, (mean, covariance) in ((alpha, p), (1 - alpha, q))
    )
    centre = np.linalg.solve(precision, sum(pulls))
    root = np.linalg.cholesky(np.linalg.inv(precision))
    axis = np.linspace(-12, 12, n_points)
    points = centre + np.stack(np.meshgrid(axis, axis), axis=-1) @ root.T
    logs = alpha * multivariate_normal(*p).logpdf(points)
    logs += (1 - alpha) * multivariate_normal(*q).logpdf(points)
    area = (axis[1] - axis[0]) ** 2 * np.linalg.det(root)
    return np.log(np.exp(logs).sum() * area)


def kullback_leibler(p, q):
    difference = p[0] - q[0]
    ratio = np.linalg.solve(q[1], p[1])
    return 0.5 * (
        np.trace(ratio)
        - len(ratio)
        - np.linalg.slogdet(ratio)[1]
        + difference @ np.linalg.solve(q[1], difference)
    )


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("alpha", [0.05, 0.2, 0.5, 0.9])
@pytest.mark.parametrize("beta", [-1.0, 0.5, 0.99, 1.5, 3.0])
def test_numerical_integration(form, alpha, beta):
    p, q = gaussian(2, 0), gaussian(2, 1)
    chernoff = np.exp(log_chernoff_by_quadrature(p, q, alpha))
    expected = (chernoff ** ((1 - beta) / (1 - alpha)) - 1) / (beta - 1)
    found = sharma_mittal_divergence(*p, *q, alpha, beta, form=form)
    assert_allclose(found, expected, rtol=1e-8)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("n", [1, 2, 7, 60])
def test_limits(form, n):
    p, q = gaussian(n, 2), gaussian(n, 3)

    def divergence(alpha, beta):
        return sharma_mittal_divergence(*p, *q, alpha, beta, form=form)

    alpha, eps = 0.3, 1e-9
    renyi = divergence(alpha, 1.0)
    chernoff = np.exp((alpha - 1) * renyi)
    assert_allclose(divergence(alpha, 1 + eps), renyi, rtol=1e-6)
    assert_allclose(divergence(alpha, 1 - eps), renyi, rtol=1e-6)
    assert_allclose(divergence(alpha, alpha), (chernoff - 1) / (alpha - 1), rtol=1e-12)
    assert_allclose(divergence(alpha, alpha + eps), divergence(alpha, alpha), rtol=1e-6)
    assert_allclose(divergence(1.0, 1.0), kullback_leibler(p, q), rtol=1e-9)
    assert_allclose(divergence(1 - 1e-8, 1.0), kullback_leibler(p, q), rtol=1e-6)
    assert_allclose(divergence(1 - 1e-8, 1 - 1e-8), kullback_leibler(p, q), rtol=1e-6)
    assert divergence(0.0, 1.0) == divergence(0.0, 0.5) == 0.0
    assert_allclose(divergence(1e-8, 1.0) / 1e-8, kullback_leibler(q, p), rtol=1e-6)


@pytest.mark.parametrize("form", FORMS)
def test_bhattacharyya(form):
    p, q = gaussian(2, 4), gaussian(2, 5)
    bhattacharyya = -log_chernoff_by_quadrature(p, q, 0.5)
    found = sharma_mittal_divergence(*p, *q, 0.5, 1.0, form=form)
    assert_allclose(found / 2, bhattacharyya, rtol=1e-8)
    textbook = np.linalg.slogdet((p[1] + q[1]) / 2)[1] / 2
    textbook -= (np.linalg.slogdet(p[1])[1] + np.linalg.slogdet(q[1])[1]) / 4
    shift = p[0] - q[0]
    textbook += shift @ np.linalg.solve((p[1] + q[1]) / 2, shift) / 8
    assert_allclose(found / 2, textbook, rtol=1e-12)


def test_near_the_limits_no_digits_are_lost():
    """Log-determinants of a thousand, that differ by 1e-10 of it."""
    p, q = gaussian(300, 6), gaussian(300, 7)
    p, q = (p[0], 1e-3 * p[1]), (p[0], 1e-3 * q[1])
    limit = kullback_leibler(p, q)
    near = sharma_mittal_divergence(*p, *q, 1 - 1e-10, 1.0)
    assert_allclose(near, limit, rtol=1e-8)
    rough = sharma_mittal_divergence(*p, *q, 1 - 1e-10, 1.0, form="original")
    assert abs(rough / limit - 1) > 1e-7
    for edge in (1e-4, 1 - 1e-4):  # both formulas meet where one takes over
        both = [sharma_mittal_divergence(*p, *q, edge * factor, 1.0) for factor in (1 - 1e-9, 1)]
        assert_allclose(*both, rtol=1e-6)


@given(
    n=st.integers(1, 6),
    seed=st.integers(0, 2**16),
    alpha=st.floats(0.01, 0.99),
    beta=st.floats(-2.0, 3.0),
)
def test_invariants(n, seed, alpha, beta):
    p, q = gaussian(n, seed), gaussian(n, seed + 1)
    value = sharma_mittal_divergence(*p, *q, alpha, beta)
    assert value >= 0
    original = sharma_mittal_divergence(*p, *q, alpha, beta, form="original")
    assert_allclose(original, value, rtol=1e-6)
    assert sharma_mittal_divergence(*p, *p, alpha, beta) < 1e-12
    # Skew symmetry of the Renyi divergence, and invariance under invertible affine maps.
    renyi = sharma_mittal_divergence(*p, *q, alpha, 1.0)
    swapped = sharma_mittal_divergence(*q, *p, 1 - alpha, 1.0)
    assert_allclose((1 - alpha) * renyi, alpha * swapped, rtol=1e-9)
    A = np.linalg.qr(np.random.default_rng(seed).normal(size=(n, n)))[0] * np.geomspace(1, 5, n)
    (mean_p, root_p), (mean_q, root_q) = ((m, A @ np.linalg.cholesky(S)) for m, S in (p, q))
    mapped = A @ mean_p + 1, root_p @ root_p.T, A @ mean_q + 1, root_q @ root_q.T
    assert_allclose(sharma_mittal_divergence(*mapped, alpha, 1.0), renyi, rtol=1e-7)
    if beta < 1:
        assert value <= 1 / (1 - beta)


def test_extreme_covariances():
    """Determinants of 1e-600 and 1e600, and a divergence beyond all numbers."""
    n = 200
    p, q = (np.zeros(n), 1e-3 * np.eye(n)), (np.zeros(n), 1e3 * np.eye(n))
    renyi = sharma_mittal_divergence(*p, *q, 0.5, 1.0)
    assert_allclose(renyi, n * (np.log(500.0005) - 0.0), rtol=1e-12)
    assert sharma_mittal_divergence(*p, *q, 0.5, 0.5) == 2.0
    assert sharma_mittal_divergence(*p, *q, 0.5, 3.0) == np.inf


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"alpha": 1.1}, "alpha must be at most 1; got 1.1"),
        ({"alpha": -0.1}, "alpha must be at least 0; got -0.1"),
        ({"beta": np.inf}, "beta must be finite; got inf"),
        ({"form": "literal"}, "form must be one of 'simplified', 'original'; got 'literal'"),
        ({"mean_q": np.zeros(3), "covariance_q": np.eye(3)}, "same length; got 2 and 3"),
        ({"mean_p": np.zeros((2, 1))}, r"mean_p must have one dimension; got shape \(2, 1\)"),
        ({"covariance_q": np.eye(3)}, r"covariance_q must have shape \(2, 2\).*got \(3, 3\)"),
        ({"covariance_p": [[1.0, 0.2], [0.0, 1.0]]}, "covariance_p must be symmetric"),
        ({"covariance_q": np.diag([1.0, -2.0])}, "covariance_q must be positive definite.*-2"),
        ({"covariance_q": np.zeros((2, 2))}, "covariance_q must be positive definite"),
        ({"covariance_p": [[np.nan, 0], [0, 1]]}, "covariance_p contains NaN"),
        ({"mean_p": [0.0, np.inf]}, "mean_p contains infinity"),
    ],
)
def test_bad_input(change, message):
    good = {
        "mean_p": np.zeros(2),
        "covariance_p": np.eye(2),
        "mean_q": np.zeros(2),
        "covariance_q": np.eye(2),
        "alpha": 0.5,
        "beta": 0.5,
    }
    with pytest.raises(ValueError, match=message):
        sharma_mittal_divergence(**good | change)


@pytest.mark.parametrize("name", ["alpha", "beta"])
def test_bad_type(name):
    arguments = {"alpha": 0.5, "beta": 0.5} | {name: "0.5"}
    with pytest.raises(TypeError, match=f"{name} must be a real number; got '0.5'"):
        sharma_mittal_divergence([0], [[1]], [0], [[1]], **arguments)
