"""Coordinates of models: slopes, units, and what is held."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from ofer.state_space._chart import Chart
from ofer.state_space._fixed import check_masks
from ofer.state_space._kalman import Parameters
from ofer.state_space._kalman_em import COVARIANCES, Floors, expect, m_step
from ofer.utils.series import pack_groups
from tests.ofer.state_space.joint import (
    MODEL,
    PARAMETERS,
    SETS,
    D,
    P,
    every_set,
    holes,
    ragged,
)
from tests.ofer.state_space.test_held_parts import DIAGONAL, FIELDS, MASKS

FLOORS = Floors(np.full(D, 1e-3), np.full(P, 2e-3))
STEPS = 0.3 * np.random.default_rng(0).normal(size=100)


def masked(fixed, diagonal=False):
    """What is held as a whole, and floors with masks of the rest."""
    whole = {FIELDS[name] for name, mask in fixed.items() if np.all(mask)}
    parts = {name: np.asarray(mask) for name, mask in fixed.items() if not np.all(mask)}
    masks = check_masks(parts, DIAGONAL, whole, diagonal)
    return whole, FLOORS._replace(masks=masks, diagonal=diagonal)


def chart_of(parameters, data, floors=FLOORS, held=()):
    batches = pack_groups(list(data))
    return Chart(parameters, expect(parameters, batches), floors, held), batches


def slope_and_difference(chart, batches, point):
    """Gradient along a direction, and the same by differences of the likelihood."""
    direction = np.random.default_rng(1).normal(size=chart.size)
    model = chart.at(point)
    gradient = chart.gradient(point, model, expect(model, batches))
    up, down = (
        expect(chart.at(point + sign * 1e-5 * direction), batches).loglikelihood for sign in (1, -1)
    )
    return gradient @ direction, (up - down) / 2e-5


@every_set
def test_gradients_by_finite_differences(data):
    chart, batches = chart_of(PARAMETERS, data)
    for scale in (0.0, 1.0, 10.0):
        slope, difference = slope_and_difference(chart, batches, scale * STEPS[: chart.size])
        assert_allclose(slope, difference, rtol=1e-6)


@pytest.mark.parametrize("kind", ["complete", "ragged, missing"])
@pytest.mark.parametrize("fixed", MASKS)
def test_what_is_held_stays_and_the_rest_has_its_slope(fixed, kind):
    held, floors = masked(fixed)
    chart, batches = chart_of(DIAGONAL, SETS[kind], floors, held)
    point = STEPS[: chart.size]
    model = chart.at(point)
    for name, field in FIELDS.items():
        value, start = getattr(model, field), getattr(DIAGONAL, field)
        stays = np.broadcast_to(fixed.get(name, False), value.shape)
        assert_array_equal(value[stays], start[stays], err_msg=name)
        assert (value[~stays] != start[~stays]).all(), name
    slope, difference = slope_and_difference(chart, batches, point)
    assert_allclose(slope, difference, rtol=1e-6)


def test_diagonal_noise_stays_diagonal():
    chart, batches = chart_of(DIAGONAL._replace(R=np.eye(P)), SETS["missing"],
                              FLOORS._replace(diagonal=True))  # fmt: skip
    whole, _ = chart_of(DIAGONAL._replace(R=np.eye(P)), SETS["missing"])
    assert chart.size == whole.size - P * (P - 1)
    point = STEPS[: chart.size]
    R = chart.at(point).R
    assert_array_equal(R, np.diag(np.diagonal(R)))
    assert_allclose(*slope_and_difference(chart, batches, point), rtol=1e-6)


@every_set
def test_the_origin_and_the_floors(data):
    chart, _ = chart_of(PARAMETERS, data)
    origin = chart.at(np.zeros(chart.size))
    for field in Parameters._fields:
        assert_allclose(getattr(origin, field), getattr(PARAMETERS, field), rtol=1e-12, atol=1e-12)
    for scale in (1.0, 1e3):
        far = chart.at(scale * STEPS[: chart.size])
        for field in COVARIANCES:
            floor = np.diag(FLOORS.observations if field == "R" else FLOORS.states)
            excess = getattr(far, field) - floor
            assert np.linalg.eigvalsh(excess)[0] > -1e-12 * np.trace(excess)


@pytest.mark.parametrize("change", [list, holes, ragged, lambda Z: ragged(holes(Z))], ids=SETS)
def test_a_step_along_the_gradient_is_one_of_em(change):
    """To first order in the step, at a model near a maximum, which few series need not have."""
    floors = Floors(np.full(D, 1e-9), np.full(P, 1e-9))
    model, batches = PARAMETERS, pack_groups(list(change(MODEL.sample(40, 6)[1])))
    for _ in range(60):
        model = m_step(model, expect(model, batches), floors, ())
    sums = expect(model, batches)
    chart = Chart(model, sums, floors, ())
    origin = np.zeros(chart.size)
    stepped = chart.at(chart.gradient(origin, model, sums))
    following = m_step(model, sums, floors, ())
    for field in Parameters._fields:
        size = np.abs(getattr(following, field) - getattr(model, field)).max()
        assert_allclose(getattr(stepped, field), getattr(following, field), atol=0.1 * size)


def test_units_do_not_matter():
    """Of columns and of states."""
    data, units = SETS["ragged, missing"], np.array([1e-6, 1.0, 1e6])
    to = np.array([1e-5, 1e4])
    x, z = np.outer(to, to), np.outer(units, units)
    A, Q, C, R, mu0, Sigma0, a, b = PARAMETERS
    other = Parameters(
        A * np.outer(to, 1 / to), Q * x, C * np.outer(units, 1 / to), R * z, mu0 * to,
        Sigma0 * x, a * to, b * units,
    )  # fmt: skip
    floors = Floors(FLOORS.states * to**2, FLOORS.observations * units**2)
    chart, batches = chart_of(PARAMETERS, data)
    scaled, others = chart_of(other, [one * units for one in data], floors)
    sums, theirs = expect(PARAMETERS, batches), expect(other, others)
    origin = np.zeros(chart.size)
    sizes = [
        np.linalg.norm(one.gradient(origin, one.origin, its))
        for one, its in ((chart, sums), (scaled, theirs))
    ]
    assert_allclose(*sizes, rtol=1e-9)


@pytest.mark.parametrize("floor", [1e-9, 1e-19])
@pytest.mark.parametrize("field", COVARIANCES)
def test_a_larger_variance_is_tried_where_it_may_gain(field, floor):
    """Up to the size of the states, though those of the start, and so the floors, are smaller."""
    data = SETS["complete"]
    batches = pack_groups(list(data))
    small = PARAMETERS._replace(**{field: 1e-8 * getattr(PARAMETERS, field)})
    floors = Floors(np.full(D, floor), np.full(P, 1e-9))
    chart = Chart(small, expect(small, batches), floors, ())
    sums = expect(small, batches)
    tried = [[*models] for models in chart.wider(sums, 0.1)]
    best = max(expect(model, batches).loglikelihood for models in tried for model in models)
    assert best > sums.loglikelihood + 1.0
    held = {name for name in Parameters._fields if name != "mu0"}
    assert not [*Chart(small, sums, floors, held).wider(sums, 0.1)]


def test_a_larger_variance_than_roundoff():
    """Of a covariance that is singular in floats, whose least eigenvalue may be below zero."""
    batches = pack_groups(list(SETS["complete"]))
    for slope in np.linspace(0.1, 1.0, 20):
        axis = np.array([[1.0], [slope]])
        small = PARAMETERS._replace(Q=axis @ axis.T)
        sums = expect(small, batches)
        chart = Chart(small, sums, Floors(np.full(D, 1e-30), np.full(P, 1e-9)), ())
        models = [model for some in chart.wider(sums, -np.inf) for model in some]
        assert models
        assert all(np.isfinite(model.Q).all() for model in models)
