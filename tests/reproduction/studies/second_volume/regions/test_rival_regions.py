import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.base import clone
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import RBF, ConstantKernel, WhiteKernel

from ofer import JackknifePlus, KernelRidgeCV
from reproduction.studies.second_volume.regions.rival_regions import (
    NEAR,
    PARAMETERS,
    ConformalisedQuantiles,
    LocalUnits,
    ProcessAnOutput,
)

RIDGE = KernelRidgeCV([0.1], kernel="rbf", gamma=0.5)


def draw(n, seed=0):
    """Outputs in two clusters, one of them tight."""
    rng = np.random.default_rng(seed)
    wide = rng.integers(2, size=n)
    X = rng.normal(size=(n, 2)) * 0.5 + 2.0 * wide[:, None]
    spread = np.where(wide, 1.0, 0.15)[:, None]
    return X, 6.0 * wide[:, None] - 3.0 + spread * rng.normal(size=(n, 2)), wide


X, Y, _ = draw(80)
QUERIES = draw(30, seed=1)[0]


@pytest.mark.parametrize("near", ["predictions", "inputs"])
def test_boxes_in_units_of_neighbours_are_those_of_refits(near):
    lower, upper = LocalUnits(clone(RIDGE), NEAR[near], 10, 0).fit(X, Y).ends(QUERIES, 0.9)
    refits = [
        clone(RIDGE).fit(np.delete(X, i, axis=0), np.delete(Y, i, axis=0)) for i in range(len(X))
    ]
    left_out = np.vstack([fit.predict(X[[i]]) for i, fit in enumerate(refits)])
    missed = Y - left_out

    places = {"predictions": left_out, "inputs": X}[near]

    def units(point, but=None):
        distances = np.linalg.norm(places - point, axis=1)
        found = [i for i in np.argsort(distances) if i != but][:10]
        squares = np.square(missed)
        return np.sqrt((squares[found].sum(axis=0) + 2 * squares.mean(axis=0)) / 12)

    scores = [np.max(np.abs(missed[i]) / units(places[i], i)) for i in range(len(X))]
    predicted = clone(RIDGE).fit(X, Y).predict(QUERIES)
    points = {"predictions": predicted, "inputs": QUERIES}[near]
    reach = np.array([np.outer(scores, units(one)) for one in points])
    fits = np.stack([fit.predict(QUERIES) for fit in refits], axis=1)
    rank = int(np.ceil(0.9 * 81))
    assert_allclose(upper, np.sort(fits + reach, axis=1)[:, rank - 1], rtol=1e-7)
    assert_allclose(lower, np.sort(fits - reach, axis=1)[:, 80 - rank], rtol=1e-7)


@pytest.mark.parametrize(("near", "count"), [("predictions", 79), ("inputs", 79), ("clusters", 1)])
def test_units_of_all_samples_give_the_box_of_the_ridge(near, count):
    lower, upper = LocalUnits(clone(RIDGE), NEAR[near], count, 0).fit(X, Y).ends(QUERIES, 0.9)
    box = JackknifePlus(RIDGE).fit(X, Y).predict_interval(QUERIES)
    assert_allclose(upper - lower, np.ptp(box, axis=2), rtol=0.05)


@pytest.mark.parametrize(("near", "count"), [("predictions", 10), ("inputs", 10), ("clusters", 2)])
def test_boxes_are_small_where_the_cluster_is_tight(near, count):
    inputs, outputs, wide = draw(1000, seed=2)
    lower, upper = LocalUnits(clone(RIDGE), NEAR[near], count, 0).fit(X, Y).ends(inputs, 0.9)
    sides = (upper - lower).mean(axis=1)
    assert np.median(sides[wide == 0]) < 0.5 * np.median(sides[wide == 1])
    inside = ((lower <= outputs) & (outputs <= upper)).all(axis=1)
    assert 0.8 < inside.mean() < 0.99


def test_clusters_of_samples_leave_the_sample_out():
    weights = NEAR["clusters"](X, Y, Y, 2, 0)
    assert_allclose(weights() + np.eye(len(Y)), weights(X, Y))


def test_process_has_the_highest_likelihood_of_the_grid():
    inputs = np.random.default_rng(3).normal(size=(40, 2))
    y = np.sin(inputs[:, :1]) + 0.1 * np.random.default_rng(4).normal(size=(40, 1))
    y = y - y.mean()
    model = ProcessAnOutput().fit(inputs, y)
    width, scale, noise = model.found[0]

    def likelihood(width, scale, noise):
        kernel = ConstantKernel(scale) * RBF(width) + WhiteKernel(noise)
        process = GaussianProcessRegressor(kernel, optimizer=None).fit(inputs, y[:, 0])
        return process.log_marginal_likelihood_value_

    best, step = likelihood(width, scale, noise), 10**0.25
    for factor in (0.9, 1.1):  # scale and noise together: in closed form
        assert likelihood(width, factor * scale, factor * noise) < best
    steps = np.diff(np.log10(PARAMETERS["width_factors"]))[0]
    for factor in (10**steps, 10**-steps):
        assert likelihood(width * factor, scale, noise) < best
    for factor in (step, 1 / step):
        assert likelihood(width, scale, noise * factor) < best + 1e-9


def test_process_holds_what_it_was_drawn_from():
    rng = np.random.default_rng(4)
    inputs = rng.uniform(-2, 2, size=(600, 1))
    cov = np.exp(-np.square(inputs - inputs.T) / 0.5)
    drawn = rng.multivariate_normal(np.zeros(600), cov, size=2, method="eigh").T
    drawn += [0.1, 1.0] * rng.normal(size=(600, 2))
    lower, upper = ProcessAnOutput().fit(inputs[:150], drawn[:150]).ends(inputs[150:], 0.9)
    inside = ((lower <= drawn[150:]) & (drawn[150:] <= upper)).all(axis=1)
    assert 0.84 < inside.mean() < 0.96
    assert (upper - lower)[:, 1].mean() > 3 * (upper - lower)[:, 0].mean()


def test_conformalised_quantiles_hold_the_level_on_average():
    held = []
    for seed in range(8):
        inputs, outputs, _ = draw(400, seed)
        model = ConformalisedQuantiles(0).fit(inputs[:200], outputs[:200])
        for level in (0.5, 0.9):
            lower, upper = model.ends(inputs[200:], level)
            inside = (lower <= outputs[200:]) & (outputs[200:] <= upper)
            held.append((level, inside.all(axis=1).mean()))
    for level in (0.5, 0.9):
        assert abs(np.mean([share for p, share in held if p == level]) - level) < 0.06
