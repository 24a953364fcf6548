"""Rivals of the twenty jobs."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.ensemble import RandomForestRegressor
from sklearn.model_selection import train_test_split

from reproduction.studies.defaults.jobs import SplitConformalForest

RNG = np.random.default_rng(0)
X, QUERIES = RNG.normal(size=(150, 3)), RNG.normal(size=(20, 3))
Y = X[:, :2] ** 2 + RNG.normal(size=(150, 2))


def ends(Y, **options):
    return SplitConformalForest(random_state=3, **options).fit(X, Y).predict_interval(QUERIES)


def test_an_interval_of_a_split_holds_its_share_of_the_other_half():
    model = SplitConformalForest(random_state=3).fit(X, Y)
    _, held, _, Y_held = train_test_split(X, Y, test_size=0.5, random_state=3)
    low, high = np.moveaxis(model.predict_interval(held), -1, 0)
    assert list(((low <= Y_held) & (Y_held <= high)).sum(axis=0)) == [69, 69]  # ceil(.9 * 76)


def test_one_output_together_is_one_alone():
    assert_allclose(ends(Y[:, :1], together=True), ends(Y[:, :1]))


@pytest.mark.parametrize("together", [False, True])
def test_intervals_follow_the_unit(together):
    y = Y[:, :1]
    assert_allclose(ends(y * 2**13, together=together), ends(y, together=together) * 2**13)


def test_it_is_mapie():
    regression = pytest.importorskip("mapie.regression", reason="MAPIE is not installed")
    forest = RandomForestRegressor(100, random_state=3)
    theirs = regression.SplitConformalRegressor(forest, confidence_level=0.9, prefit=False)
    half, held, y_half, y_held = train_test_split(X, Y[:, 0], test_size=0.5, random_state=3)
    theirs.fit(half, y_half).conformalize(held, y_held)
    assert_allclose(ends(Y[:, :1])[:, 0], theirs.predict_interval(QUERIES)[1][:, :, 0])
