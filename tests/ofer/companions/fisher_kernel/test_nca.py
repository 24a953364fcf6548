"""The objective of stochastic neighbours against loops, differences and scikit-learn."""

from decimal import Context, Decimal, localcontext

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from scipy.special import log_softmax
from sklearn.neighbors import NeighborhoodComponentsAnalysis
from sklearn.preprocessing import LabelEncoder

from ofer.companions import nca_objective
from ofer.companions.fisher_kernel import nca


def draw(n=30, d=4, n_classes=3, seed=0):
    rng = np.random.default_rng(seed)
    return rng.normal(size=(n, d)), rng.uniform(0.3, 1.5, size=d), rng.integers(n_classes, size=n)


def by_loops(G, w, y):
    """Equations (3) and (4), literally."""
    total = 0.0
    for i in range(len(G)):
        others = [j for j in range(len(G)) if j != i]
        weights = {j: np.exp(-(w**2 * (G[i] - G[j]) ** 2).sum()) for j in others}
        total += sum(weights[j] for j in others if y[i] == y[j]) / sum(weights.values())
    return total


def central(function, x, step=1e-6):
    gradient = np.empty_like(x)
    for place in np.ndindex(x.shape):
        shift = np.zeros_like(x)
        shift[place] = step
        gradient[place] = (function(x + shift) - function(x - shift)) / (2 * step)
    return gradient


@given(n=st.integers(2, 12), d=st.integers(1, 4), seed=st.integers(0, 1000))
def test_definition(n, d, seed):
    G, w, y = draw(n, d, seed=seed)
    assert_allclose(nca_objective(G, w, y)[0], by_loops(G, w, y), atol=1e-12)


def test_gradients():
    G, w, y = draw()
    _, gradient_w, gradient_G = nca_objective(G, w, y)
    assert_allclose(gradient_w, central(lambda v: nca_objective(G, v, y)[0], w), atol=1e-8)
    assert_allclose(gradient_G, central(lambda H: nca_objective(H, w, y)[0], G), atol=1e-8)


def test_gradients_of_logarithms():
    G, w, y = draw()
    value, gradient_w, gradient_G = nca.log_objective(G, w, y)
    squares = [(w * (G - row)) ** 2 for row in G]
    logs = -np.array([one.sum(axis=1) for one in squares])
    np.fill_diagonal(logs, -np.inf)
    pairs = (y[:, None] == y) & np.isfinite(logs)
    assert_allclose(value, log_softmax(logs, axis=1)[pairs].sum(), rtol=1e-12)
    assert_allclose(gradient_w, central(lambda v: nca.log_objective(G, v, y)[0], w), rtol=1e-6)
    assert_allclose(
        gradient_G, central(lambda H: nca.log_objective(H, w, y)[0], G), rtol=1e-5, atol=1e-7
    )


def test_scikit_learn():
    G, w, y = draw(200, 7)
    codes = LabelEncoder().fit_transform(y)
    same = codes[:, None] == codes
    theirs = NeighborhoodComponentsAnalysis()
    theirs.n_iter_ = 0
    value, gradient = theirs._loss_grad_lbfgs(np.diag(w).ravel(), G, same, sign=1.0)
    mine, gradient_w, _ = nca_objective(G, w, y)
    assert_allclose(mine, value, rtol=1e-10)
    assert_allclose(gradient_w, np.diag(gradient.reshape(7, 7)), atol=1e-10)


def test_blocks(monkeypatch):
    """Any number of rows at a time gives the same."""
    G, w, y = draw(50)
    expected = nca_objective(G, w, y)
    for entries in (1, 50 * 7, 50 * 49):
        monkeypatch.setattr(nca, "BLOCK_ENTRIES", entries)
        for mine, whole in zip(nca_objective(G, w, y), expected, strict=True):
            assert_allclose(mine, whole, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("spread", [0.05, 0.5, 5.0, 50.0])
def test_the_fast_objective_is_nearly_it(spread, monkeypatch):
    """With few neighbours that count, and with many."""
    monkeypatch.setattr(nca, "BLOCK_ENTRIES", 300 * 100)
    G, w, y = draw(300, 5)
    expected, found = (nca.objective(spread * G, w, y, fast=fast) for fast in (False, True))
    assert_allclose(found[0] / 300, expected[0] / 300, atol=1e-8)
    for ours, exact in zip(found[1:], expected[1:], strict=True):
        assert_allclose(ours, exact, atol=3e-6 * np.abs(exact).max())


@pytest.mark.filterwarnings("ignore:The number of unique classes")
def test_extremes():
    """Far apart: every object's neighbour is certain. All classes different: none is right."""
    G, w, y = draw()
    value, gradient_w, gradient_G = nca_objective(1e6 * G, w, y)
    assert abs(value - round(value)) < 1e-12
    assert np.isfinite(gradient_w).all()
    assert np.isfinite(gradient_G).all()
    value, *gradients = nca_objective(G, w, np.arange(len(G)))
    assert value == 0
    assert all((gradient == 0).all() for gradient in gradients)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"w": np.ones(3)}, r"w must have one weight per column of G, 4; got shape \(3,\)"),
        ({"w": [1, 1, 1, np.nan]}, "w contains NaN"),
        ({"G": np.full((30, 4), np.inf)}, "G contains infinity"),
        ({"G": np.ones((1, 4)), "y": [0]}, "minimum of 2 is required"),
        ({"y": [0, 1]}, "inconsistent numbers of samples"),
        ({"y": np.linspace(0, 1, 30)}, "Unknown label type"),
    ],
)
def test_bad_input(change, message):
    G, w, y = draw()
    with pytest.raises(ValueError, match=message):
        nca_objective(**({"G": G, "w": w, "y": y} | change))


def in_fractions(G, w, y):
    """The objective and its gradients in numbers of 60 digits, pair by pair."""
    with localcontext(Context(prec=60)) as context:
        number = context.create_decimal_from_float
        G = [[number(float(entry)) for entry in row] for row in G]
        w = [number(float(entry)) for entry in w]
        n, d = len(G), len(w)
        value, of_w, of_G = Decimal(0), [Decimal(0)] * d, [[Decimal(0)] * d for _ in range(n)]
        for i in range(n):
            D = [sum((w[t] * (G[i][t] - G[j][t])) ** 2 for t in range(d)) for j in range(n)]
            least = min(D[j] for j in range(n) if j != i)
            p = [(least - D[j]).exp() if j != i else Decimal(0) for j in range(n)]
            p = [one / sum(p) for one in p]
            right = sum(p[j] for j in range(n) if y[i] == y[j])
            value += right
            for j in range(n):
                C = p[j] * ((y[i] == y[j]) - right)
                for t in range(d):
                    difference = G[i][t] - G[j][t]
                    of_w[t] -= 2 * w[t] * C * difference**2
                    of_G[i][t] -= 2 * w[t] ** 2 * C * difference
                    of_G[j][t] += 2 * w[t] ** 2 * C * difference
        return float(value), np.array(of_w, dtype=float), np.array(of_G, dtype=float)


@pytest.mark.parametrize("far", [0.0, 1e2, 1e4, 1e9, 1e12])
@pytest.mark.parametrize("n_far", [1, 4])
def test_far_rows_keep_digits(far, n_far):
    """Rows near each other and far from others, in numbers of many digits."""
    rng = np.random.default_rng(0)
    G, w, y = rng.normal(size=(10, 2)), np.array([0.5, 1.0]), np.arange(10) % 2
    G[:n_far] += far
    value, of_w, of_G = nca_objective(G, w, y)
    expected = in_fractions(G, w, y)
    assert_allclose(value, expected[0], rtol=1e-10)
    assert_allclose(of_w, expected[1], rtol=1e-8, atol=1e-9)
    assert_allclose(of_G, expected[2], rtol=1e-8, atol=1e-9)
