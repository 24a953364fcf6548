import numpy as np
import pytest
from numpy.testing import assert_allclose

from ofer.companions import FisherKernelLearner, PairwiseMRF
from reproduction.datasets.generated.markov_sequences import make_markov_sequences
from reproduction.papers.fkl import fisher_kernels
from reproduction.papers.fkl import representations as module
from reproduction.papers.fkl import untrained as fisher_kernels_untrained


def test_units_are_those_of_the_tables():
    units = fisher_kernels_untrained.EXPERIMENT.units()
    tables = (table for _, table in fisher_kernels_untrained.TABLES.values())
    assert len(units) == sum(len(table.units(methods=["Fisher"])) for table in tables)
    assert ("random model", "letters, 10", 2) in units
    assert ("random model", "molecules, 10", 1) not in units


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_scores_are_those_of_the_start_of_learning():
    data = make_markov_sequences(40, random_state=0)
    options = {"model": {}, "seed": 3}
    found = module.represent("random model", 3, data.sequences, data.y, data.sequences, **options)
    start = PairwiseMRF(3, init="random", max_iter=0, random_state=3)
    learner = FisherKernelLearner(start, optimizer="alternating", max_iter=1)
    learner.fit(data.sequences, data.y)
    scale = 1 / np.sqrt(np.mean(found.train**2, axis=0))
    value = module.nca_objective(found.train, scale, data.y)[0] / len(data.y)
    assert_allclose(value, learner.objectives_[0])


def test_evaluates_as_the_tables(monkeypatch):
    monkeypatch.setattr(fisher_kernels, "evaluate", lambda *unit: unit)
    data = {"vowels": lambda: "loaded"}
    found = fisher_kernels_untrained.evaluate(data, "random model", "vowels, 10", 4)
    assert found == ("loaded", "random model", "10", 4)
