"""The readings of Table 1: searches of the local predictors, and their start."""

import numpy as np
import pytest
from sklearn.model_selection import GridSearchCV

from ofer.companions import MulticlassOutputs
from reproduction.studies.second_volume.local_predictors import readings
from reproduction.studies.second_volume.local_predictors.line_search import LineSearchCV
from reproduction.studies.second_volume.local_predictors.readings import (
    FOLDS,
    READINGS,
    SEARCHES,
    STARTS,
)


@pytest.mark.parametrize("form", READINGS.labels)
def test_a_full_grid_has_the_candidates_of_the_lines(form):
    space = MulticlassOutputs()
    lines = readings._search(form, SEARCHES[0], FOLDS[0], STARTS[0], space, 0)
    grid = readings._search(form, SEARCHES[1], FOLDS[1], STARTS[0], space, 0)
    assert isinstance(lines, LineSearchCV)
    assert isinstance(grid, GridSearchCV)
    assert grid.param_grid == lines.lines
    assert (lines.cv.get_n_splits(), grid.cv.get_n_splits()) == (1, 2)


def test_a_chosen_start_is_that_of_our_form():
    space = MulticlassOutputs()
    printed = readings._search("SSLSOP as printed", SEARCHES[0], FOLDS[0], STARTS[1], space, 0)
    ours = readings._search("SSLSOP", SEARCHES[0], FOLDS[0], STARTS[0], space, 0)
    assert printed.lines == ours.lines
    assert printed.estimator.y_step == "literal"
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 3))
    y = np.where(rng.random(60) < 0.3, -1, (X[:, 0] > 0).astype(int))
    assert printed.fit(X, y).best_params_["y_init"] in ("neighbors", "global")
