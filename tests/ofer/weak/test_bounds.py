"""Weak samples whose outputs have bounds."""

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.linear_model import Ridge
from sklearn.neighbors import KNeighborsRegressor

from ofer import (
    Bounds,
    Candidates,
    GaussianEmbedding,
    GaussianMixtureEmbedding,
    JackknifePlus,
    KernelRidgeCV,
    NystroemRidgeCV,
    OutputFisherRegressor,
)
from ofer.weak import expected_within

RNG = np.random.default_rng(0)
N, N_WEAK, P, D = 20, 80, 4, 3
COEF = RNG.normal(size=(P, D))


def draw(n):
    X = RNG.normal(size=(n, P))
    return X, np.tanh(X @ COEF) + 0.1 * RNG.normal(size=(n, D))


(X, Y), (X_WEAK, Y_WEAK), (X_TEST, Y_TEST) = draw(N), draw(N_WEAK), draw(200)
LIMIT = 0.2
LOW = np.minimum(Y_WEAK, LIMIT)  # a detector that does not tell outputs above its limit apart
HIGH = np.where(Y_WEAK > LIMIT, np.inf, Y_WEAK)
RBF = KernelRidgeCV(kernel="rbf", gamma=0.2)


def fit(
    regressor=RBF, embedding=None, block_wise="auto",
    *, X=X, y=Y, X_weak=X_WEAK, bounds=(LOW, HIGH), weight="auto",
):  # fmt: skip
    model = OutputFisherRegressor(
        embedding or GaussianEmbedding(), regressor, block_wise=block_wise
    )
    return model.fit(X, y, weak=Bounds(X_weak, *bounds, weight=weight))


def by_quadrature(low, high, centre, spread):
    """Mean of a truncated Gaussian, by sums over fine steps around its largest density."""
    mode = np.clip(centre, low, high)
    steps = spread * np.linspace(-12, 12, 400_001)
    z = mode + steps[(mode + steps >= low) & (mode + steps <= high)]
    logs = -0.5 * ((z - centre) / spread) ** 2
    shares = np.exp(logs - logs.max())
    return (shares @ z) / shares.sum()


@pytest.mark.parametrize(
    ("low", "high"),
    [(0.5, np.inf), (-np.inf, 0.5), (-np.inf, -3.0), (5.0, np.inf), (-1.0, 2.0), (3.0, 4.0)],
)
@pytest.mark.parametrize("spread", [0.3, 1.0, 4.0])
def test_expected_outputs_are_means_of_truncated_gaussians(low, high, spread):
    expected = by_quadrature(low, high, 0.2, spread)
    for sign in (1.0, -1.0):
        sides = sorted((sign * low, sign * high))
        found = expected_within(*np.array(sides), sign * 0.2, np.float64(spread))
        assert found == pytest.approx(sign * expected, rel=1e-3, abs=1e-4)


def test_bounds_at_the_limits():
    """Far, equal, narrow and absent ones, and no deviation at all."""

    def expect(low, high, spread=1.0):
        return float(expected_within(*(np.array(v, float) for v in (low, high, 0.0, spread))))

    assert expect(-np.inf, np.inf) == 0.0
    assert expect(2.0, 2.0) == 2.0
    assert expect(2.0, 2.0 + 1e-9) == pytest.approx(2.0, rel=1e-8)
    assert expect(-5e-5, 1e-4) == pytest.approx(2.5e-5, rel=1e-6)
    assert expect(1.0, np.inf, spread=0.0) == 1.0
    assert expect(-np.inf, 1.0, spread=0.0) == 0.0
    for far in (1e3, 1e9, 1e100):
        assert expect(far, np.inf) == pytest.approx(far + 1 / far)
        assert expect(-np.inf, -far) == pytest.approx(-far - 1 / far)
        assert expect(-far, far) == 0.0
        assert far <= expect(far, 2 * far) <= 2 * far


@pytest.mark.parametrize("regressor", [RBF, Ridge(), KNeighborsRegressor(3), NystroemRidgeCV()])
@pytest.mark.parametrize("components", [1, 2])
def test_outputs_are_inferred_once(regressor, components):
    embedding = GaussianMixtureEmbedding(components, random_state=0)
    model = fit(regressor, embedding, block_wise=True)
    alone = OutputFisherRegressor(embedding, regressor, block_wise=True).fit(X, Y)
    inferred = np.clip(alone.predict(X_WEAK), LOW, HIGH)
    if isinstance(regressor, KernelRidgeCV | NystroemRidgeCV):
        spread = np.sqrt(np.pi / 2) * np.abs(Y - alone.loo_predict()).mean(axis=0)
        inferred = expected_within(LOW, HIGH, alone.predict(X_WEAK), spread)
    everything = np.vstack([alone.embedding_.transform(Z) for Z in (Y, inferred)])
    expected = [
        type(regressor)(**regressor.get_params()).fit(np.vstack([X, X_WEAK]), everything[:, block])
        for block in alone.embedding_.blocks_.values()
    ]
    predicted = [one.predict(X_TEST).reshape(len(X_TEST), -1) for one in expected]
    assert_allclose(model.predict_embedding(X_TEST), np.hstack(predicted), atol=1e-9)
    assert model.assignments_ is None
    assert model.weak_weight_ == 1.0


def test_bounds_that_meet_are_labels():
    model = fit(KernelRidgeCV([0.5]), bounds=(Y_WEAK, Y_WEAK), weight=0.5)
    weights = np.repeat([1.0, 0.5], [N, N_WEAK])
    embedding = GaussianEmbedding().fit(Y)
    scores = np.vstack([embedding.transform(Y), embedding.transform(Y_WEAK)])
    ridge = KernelRidgeCV([0.5]).fit(np.vstack([X, X_WEAK]), scores, weights)
    expected = embedding.inverse_transform(ridge.predict(X_TEST))
    assert_allclose(model.predict(X_TEST), expected, atol=1e-10)


def test_bounds_that_hold_anyway_leave_predictions():
    """They only say what the fit to the labelled samples says."""
    wide = (np.full(D, -1e3), np.full(D, 1e3))
    ridge = KernelRidgeCV([1e-7], kernel="rbf", gamma=0.2)
    alone = OutputFisherRegressor(GaussianEmbedding(), ridge).fit(X, Y).predict(X_WEAK)
    assert_allclose(fit(ridge, bounds=wide).predict(X_WEAK), alone, atol=1e-3)


def test_bounds_help():
    def error(model):
        return np.mean(np.square(model.predict(X_TEST) - Y_TEST))

    alone = OutputFisherRegressor(GaussianEmbedding(), RBF).fit(X, Y)
    assert error(fit()) < 0.75 * error(alone)
    assert error(fit()) < 0.75 * error(fit(bounds=(LOW, np.minimum(Y_WEAK, LIMIT))))


def test_shapes_that_broadcast():
    limits = np.array([0.2, -0.1, 0.0])
    full = np.broadcast_to(limits, Y_WEAK.shape)
    expected = fit(bounds=(full, np.full(Y_WEAK.shape, np.inf))).predict(X_TEST)
    for low, high in ((limits, np.inf), (list(limits), [np.inf]), (pd.DataFrame(full), np.inf)):
        assert_array_equal(fit(bounds=(low, high)).predict(X_TEST), expected)
    told = {"y": Y[:, 0], "bounds": (LOW[:, 0], HIGH[:, 0])}
    column = {"y": Y[:, :1], "bounds": (LOW[:, :1], HIGH[:, :1])}
    assert_allclose(fit(**told).predict(X_TEST), fit(**column).predict(X_TEST)[:, 0])


def test_units_and_order():
    units, shift = np.array([1e-9, 1.0, 1e9]), np.array([0.0, -5.0, 1e9])
    moved = {"y": Y * units + shift, "bounds": (LOW * units + shift, HIGH * units + shift)}
    assert_allclose(
        (fit(**moved).predict(X_TEST) - shift) / units, fit().predict(X_TEST), atol=1e-6
    )
    order = RNG.permutation(N_WEAK)
    other = fit(X_weak=X_WEAK[order], bounds=(LOW[order], HIGH[order]))
    assert_allclose(other.predict(X_TEST), fit().predict(X_TEST), atol=1e-9)


def test_a_precomputed_kernel():
    inputs = np.vstack([X, X_WEAK])
    told = {"X": X @ X.T, "X_weak": X_WEAK @ inputs.T}
    model = fit(KernelRidgeCV(kernel="precomputed"), **told)
    assert_allclose(
        model.predict(X_TEST @ inputs.T), fit(KernelRidgeCV()).predict(X_TEST), atol=1e-8
    )


CROSSED, SILENT, HOLE = LOW.copy(), LOW.copy(), LOW.copy()
CROSSED[4, 1], SILENT[[3, 5]], HOLE[7, 0] = 1e3, -np.inf, np.nan
OPEN = HIGH.copy()
OPEN[[3, 5]], OPEN[4, 1] = np.inf, 1.0


@pytest.mark.parametrize(
    ("told", "message"),
    [
        ({"bounds": (LOW[:, :2], HIGH)}, r"low must have the shape .*\(80, 3\).*2\)"),
        ({"bounds": (LOW[:-1], HIGH)}, r"low must have the shape"),
        ({"bounds": (CROSSED, OPEN)}, r"least outputs that are at most .* \[4\]"),
        ({"bounds": (np.inf, np.inf)}, r"infinite entries only where there is no bound"),
        ({"bounds": (SILENT, OPEN)}, r"low and high must have a bound .* \[3, 5\]. Drop"),
        ({"bounds": (HOLE, HIGH)}, "low must have no missing entries"),
        ({"bounds": (np.ma.masked_less(LOW, 0), HIGH)}, "low must have no missing"),
        ({"bounds": (-1e200, HIGH)}, r"low must be at most 1e\+140"),
        ({"X_weak": None}, "X must be the inputs of weak samples; got None"),
        ({"weight": 0.0}, "weight must be greater than 0; got 0.0"),
    ],
)
def test_what_is_no_bound_is_refused(told, message):
    with pytest.raises(ValueError, match=message):
        fit(**told)


def test_regions_refuse_inferred_outputs():
    for weak in (Bounds(X_WEAK, LOW, HIGH), Candidates(X_WEAK, LOW[:, None])):
        with pytest.raises(ValueError, match=r"^weak must be None or Memberships; got (Bou|Cand)"):
            JackknifePlus(OutputFisherRegressor()).fit(X, Y, weak=weak)
