"""What EM says of itself: whether it has arrived, wherever it started."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from ofer import LinearGaussianSSM

RNG = np.random.default_rng(0)
WALKS = np.cumsum(RNG.normal(size=(20, 30, 1)), axis=1) + RNG.normal(size=(20, 30, 1))
KNOWN = ("transition_matrix", "observation_matrix")
WALK = {name: [[1.0]] for name in (*KNOWN, "transition_covariance", "observation_covariance")}
WALK |= {"initial_mean": [0.0], "initial_covariance": [[1.0]]}


def start_at(fixed=KNOWN, data=WALKS, **changed):
    options = {"fit_offset": False, "max_iter": 1000}
    return LinearGaussianSSM.from_parameters(**WALK | changed, **options).fit(data, fixed=fixed)


@pytest.mark.parametrize("unit", [1e-6, 1.0, 1e6])
@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("initial_mean", 0.0),
        ("initial_mean", 10.0),
        ("initial_mean", 1e6),
        ("initial_mean", 1e30),
        *(
            (f"{name}_covariance", value)
            for name in ("observation", "transition", "initial")
            for value in (1e-12, 1e-8, 1e-6, 1e-3, 1e3, 1e12)
        ),
    ],
)
def test_a_fit_arrives_wherever_it_starts(name, value, unit):
    """EM alone stalls: it takes for noise what it does not understand, and leaves zero slowly."""
    sizes = {key: unit if key.endswith("mean") else unit**2 for key in WALK if key not in KNOWN}
    start = {key: [[size]] for key, size in sizes.items()} | {"initial_mean": [0.0]}
    best = start_at(data=unit * WALKS, **start)
    start[name] = [value * sizes[name]] if name.endswith("mean") else [[value * sizes[name]]]
    model = start_at(data=unit * WALKS, **start)
    assert model.converged_
    assert_allclose(model.loglikelihoods_[-1], best.loglikelihoods_[-1], atol=0.01)
    assert np.all(np.diff(model.loglikelihoods_) > 0)


@pytest.mark.parametrize("level", [1e6, 1e7, 1e8])
@pytest.mark.parametrize("n_steps", [3, 8, 12])
@pytest.mark.filterwarnings("ignore:EM stopped")
def test_a_line_far_from_the_start(level, n_steps):
    Z = (level + np.arange(1.0, n_steps + 1)).reshape(1, n_steps, 1)
    known = {"transition_matrix": [[1.0, 1.0], [0.0, 1.0]], "observation_matrix": [[1.0, 0.0]]}
    spread = {name: np.eye(2) for name in ("transition_covariance", "initial_covariance")}

    def start(mean):
        model = LinearGaussianSSM.from_parameters(
            **known, **spread, observation_covariance=[[1.0]], initial_mean=mean,
            fit_offset=False, max_iter=700,
        )  # fmt: skip
        return model.fit(Z, fixed=KNOWN)

    near, far = start([level + 1, 1.0]), start([0.0, 0.0])
    assert near.converged_
    assert far.loglikelihoods_[-1] > near.loglikelihoods_[-1] - 0.1 or not far.converged_
    for model in (near, far):
        assert np.all(np.diff(model.loglikelihoods_) > 0)


def two_channels():
    """Batches of series whose second channel is not connected in the first batch."""
    states = np.cumsum(np.random.default_rng(0).normal(size=(30, 20, 1)), axis=1)
    noise = 0.3 * np.random.default_rng(1).normal(size=(30, 20, 2))
    Z = states @ np.array([[1.0, 0.5]]) + noise
    Z[:10, :, 1] = Z[0, 0, 1]
    return [Z[:10], Z[10:20], Z[20:]]


@pytest.mark.parametrize("unit", [1e-12, 1e-6, 1e6, 1e12])
@pytest.mark.parametrize("columns", [[0, 1], [1]])
@pytest.mark.filterwarnings("ignore:EM stopped")
def test_units_of_columns_that_are_constant_at_first(unit, columns):
    units, batches = np.ones(2), two_channels()
    units[columns] = unit
    expected = LinearGaussianSSM(1, max_iter=60).fit_in_batches(batches)
    together = LinearGaussianSSM(1, max_iter=60).fit(np.concatenate(batches))
    assert_allclose(expected.loglikelihoods_[-1], together.loglikelihoods_[-1], atol=1.0)
    model = LinearGaussianSSM(1, max_iter=60).fit_in_batches([units * Z for Z in batches])
    found = model.loglikelihoods_ + sum(Z[:, :, 0].size for Z in batches) * np.log(units).sum()
    assert_allclose(found, expected.loglikelihoods_, rtol=1e-6)
    R = model.observation_covariance_ / np.outer(units, units)
    assert_allclose(R, expected.observation_covariance_, rtol=1e-4)


@pytest.mark.parametrize("unit", [1e-12, 1e-6, 1e6, 1e12])
@pytest.mark.filterwarnings("ignore:EM stopped")
def test_units_of_a_constant_column(unit):
    Z = np.concatenate([WALKS, np.full_like(WALKS, 3.0)], axis=2)
    expected = LinearGaussianSSM(1, max_iter=5).fit(Z)
    found = LinearGaussianSSM(1, max_iter=5).fit(Z * [1.0, unit])
    values = found.loglikelihoods_ + WALKS.size * np.log(unit)
    assert_allclose(values, expected.loglikelihoods_, rtol=1e-6)
