"""Where EM starts: no special case of the model does better than what it finds."""

import warnings

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.exceptions import ConvergenceWarning

from ofer import LinearGaussianSSM
from ofer.ascent import ascend
from ofer.state_space._path import Path
from ofer.state_space._starts import filled_between, possible_starts, race
from ofer.utils.series import center, pack_groups, pack_series
from tests.ofer.state_space.joint import Z, every_set

TREND = {"transition_matrix": [[1.0, 1.0], [0.0, 1.0]], "observation_matrix": [[1.0, 0.0]]}


def growing(n=30, seed=0):
    """A panel of weights: each grows at a rate of its own, which changes; some leave early."""
    rng = np.random.default_rng(seed)
    slopes = rng.normal(0.2, 0.03, size=(n, 1)) + 0.02 * rng.normal(size=(n, 12)).cumsum(axis=1)
    levels = 3.7 + 0.05 * rng.normal(size=(n, 1)) + slopes.cumsum(axis=1)
    series = levels + 0.03 * rng.normal(size=levels.shape)
    return [one[: rng.integers(5, 20), None] for one in series]


def periodic(n=10, T=60, seed=0):
    """Nearly periodic, each around a level of its own: the AR(2) inside has no noise of sensors."""
    rng = np.random.default_rng(seed)
    z = rng.normal(size=(n, T + 100))
    for t in range(2, T + 100):
        z[:, t] += 2 * 0.995 * np.cos(0.6) * z[:, t - 1] - 0.995**2 * z[:, t - 2]
    return list(80 + z[:, 100:, None])


def fit(model, data, **options):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        return model.fit(data, **options)


def packed(data, fit_offset=True):
    batches = pack_groups(list(data))
    level = center(batches) * fit_offset
    return [batch.shifted(level) for batch in batches]


def paths(data, n_states, max_iter=100):
    """EM from each start."""
    batches = packed(data)
    starts = possible_starts(batches, n_states, True, 1.0)
    return [Path(lambda: batches, *start, max_iter, 1e-6, {"a"}) for start in starts]


def trend_inside(data):
    """The log-likelihood of a local linear trend, which is fitted for long."""
    firsts = np.array([one[:2, 0] for one in data])
    spread = np.diag(np.var(np.diff(np.concatenate(data)[:, 0], n=2)) * np.array([0.1, 0.1]))
    model = LinearGaussianSSM.from_parameters(
        **TREND,
        transition_covariance=spread,
        observation_covariance=spread[:1, :1],
        initial_mean=[firsts[:, 0].mean(), np.diff(firsts).mean()],
        initial_covariance=np.diag([firsts[:, 0].var() + spread[0, 0], np.diff(firsts).var()]),
        fit_offset=False,
        max_iter=1000,
    )
    return fit(model, data, fixed=tuple(TREND)).loglikelihoods_[-1]


def autoregression_inside(data):
    """That of an AR(2) with an intercept by least squares, given the first two steps."""
    lags = np.concatenate([np.stack([z[1:-1, 0], z[:-2, 0], z[2:, 0]], axis=1) for z in data])
    design = np.column_stack([lags[:, :2], np.ones(len(lags))])
    weights = np.linalg.lstsq(design, lags[:, 2], rcond=None)[0]
    variance = np.mean(np.square(lags[:, 2] - design @ weights))
    later = -0.5 * len(lags) * (np.log(2 * np.pi * variance) + 1)
    firsts = np.array([z[:2, 0] for z in data])
    _, logdet = np.linalg.slogdet(np.cov(firsts.T, bias=True))
    return later - 0.5 * len(data) * (2 * np.log(2 * np.pi) + logdet + 2)


@pytest.mark.parametrize("data", [growing(), growing(seed=1), periodic(), periodic(seed=1)])
def test_no_model_inside_is_better(data):
    found = fit(LinearGaussianSSM(2), data).loglikelihoods_[-1]
    assert found > autoregression_inside(data)
    assert found > trend_inside(data)
    ends = [path.end()[1] for path in paths(data, 2)]
    assert max(end[0] for end in ends) < found
    assert ends[0][-1] < found - 50.0  # principal components alone
    without = fit(LinearGaussianSSM(2, fit_offset=False), data).loglikelihoods_[-1]
    assert without < found + 0.1


@every_set
@pytest.mark.parametrize("n_states", [1, 2, 3, 5])
def test_every_start_is_below_the_fit(data, n_states):
    found = fit(LinearGaussianSSM(n_states, max_iter=15), data)
    begins = [path.reach(0).sums.loglikelihood for path in paths(data, n_states)]
    assert len(begins) == 3
    assert max(begins) < found.loglikelihoods_[-1]
    assert np.diff(found.loglikelihoods_).min() > -1e-9
    # Or it starts from a trend that was fitted.
    assert np.isclose(begins, found.loglikelihoods_[0], rtol=1e-12).any() or (
        found.loglikelihoods_[0] > begins[1]
    )


def test_max_iter_does_not_choose_the_start():
    data = growing()
    long = fit(LinearGaussianSSM(2, max_iter=60, tol=0), data).loglikelihoods_
    for max_iter in (1, 4, 16, 17, 20, 45):
        short = fit(LinearGaussianSSM(2, max_iter=max_iter, tol=0), data)
        assert short.n_iter_ == max_iter
        assert_array_equal(short.loglikelihoods_, long[: max_iter + 1])
        assert_allclose(short.loglikelihood(data).sum(), short.loglikelihoods_[-1], rtol=1e-10)


@pytest.mark.parametrize("data", [growing(), periodic()])
@pytest.mark.parametrize("n_states", [1, 2, 3])
def test_units_and_level_do_not_matter(data, n_states):
    unit, level = 1e4, -3e5
    plain = fit(LinearGaussianSSM(n_states), data)
    other = fit(LinearGaussianSSM(n_states), [unit * one + level for one in data])
    values = other.loglikelihoods_ + sum(map(len, data)) * np.log(unit)
    assert_allclose(values[-1], plain.loglikelihoods_[-1], atol=0.05)
    assert_allclose(values[:17], plain.loglikelihoods_[:17], atol=1e-4)


@pytest.mark.parametrize("n_states", [1, 2])
def test_an_ascent_reaches_what_em_reaches_late(n_states, monkeypatch):
    data = periodic(seed=1)
    ascents = [path.end()[1] for path in paths(data, n_states)]
    monkeypatch.setattr("ofer.state_space._path.QUICK", 10**6)
    alone = [path.end()[1] for path in paths(data, n_states, 400)]
    for quick, slow in zip(ascents, alone, strict=True):
        assert np.all(np.diff(quick) > 0)
        assert_array_equal(quick[:16], slow[:16])
        assert len(slow) > len(quick)
        assert quick[-1] > slow[:300][-1]


def test_a_search_that_ends_early_is_no_arrival(monkeypatch):
    """As one does whose steps have failed until they promise nothing."""
    *_, expected = (path.end()[1][-1] for path in paths(growing(), 2, 400))

    def brief(*arguments, max_iter, **options):
        return ascend(*arguments, max_iter=min(max_iter, 3), **options)

    monkeypatch.setattr("ofer.state_space._path.ascend", brief)
    *_, path = paths(growing(), 2, 400)
    _, history, complaint = path.end()
    assert complaint is None
    assert_allclose(history[-1], expected, atol=0.2)


def test_a_start_that_fails_is_out():
    batches = packed(list(Z))
    good, floors = next(possible_starts(batches, 2, True, 1.0))
    bad = good._replace(R=np.full_like(good.R, np.nan))

    def path(start):
        return Path(lambda: batches, start, floors, 100, 1e-6, {"a"})

    best = path(good)
    assert race([path(bad), best, path(bad)]) is best
    assert race([path(bad), path(bad)]) is None


def test_gaps_are_filled_by_lines():
    nan = np.nan
    series = np.array([[nan, 1.0], [2.0, nan], [nan, nan], [nan, 7.0], [8.0, nan]])
    batch = pack_series([series, series[:3]])
    filled = filled_between(batch)
    expected = [[2.0, 1.0], [2.0, 3.0], [4.0, 5.0], [6.0, 7.0], [8.0, 7.0]]
    assert_allclose(filled[:, 0], expected)
    assert_allclose(filled[:2, 1], [[2.0, 1.0], [2.0, 1.0]])
