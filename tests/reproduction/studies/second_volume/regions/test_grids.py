"""Grids that the data cut are cut here in the same way."""

import numpy as np
import pytest

from reproduction.datasets import unavailable_reason
from reproduction.engine.grids import declared_grids
from reproduction.studies.multi_target import benchmark
from reproduction.studies.multi_target.tables import ofer_mtr
from reproduction.studies.second_volume.regions.tables import ofer_coverage


@pytest.mark.parametrize("method", ["OFER-GMM", "OFER-GMM exact", "OFER forest"])
def test_components_of_the_benchmark_are_those_that_its_search_tries(method):
    experiment = ofer_mtr.EXPERIMENT
    for name in experiment.datasets:
        if reason := unavailable_reason(name):
            pytest.skip(reason)
    grid = declared_grids(experiment)["n_components"]
    sets = benchmark.load_sets()
    for setting in experiment.settings:
        for split in range(experiment.n_splits):
            Y = benchmark.take_split(sets[setting], split).Y
            tried = benchmark._components(method, Y)
            assert grid.values(experiment.parameters, method, setting) == tried


def test_the_last_neighbours_of_a_set_are_all_of_them():
    grid = declared_grids(ofer_coverage.EXPERIMENT)["n_neighbours"]
    parameters = ofer_coverage.EXPERIMENT.parameters
    for setting in ofer_coverage.EXPERIMENT.settings:
        counts = grid.values(parameters, "ridge, units of near inputs", setting)
        assert counts == parameters["n_neighbours"][: len(counts)]
        assert np.all(np.diff(counts) > 0)
    assert grid.values(parameters, "", "andro") == [10, 30, 100]
    assert grid.values(parameters, "", "atp7d") == [10, 30, 100, 400]
