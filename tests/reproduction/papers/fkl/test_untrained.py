import numpy as np
import pytest
from numpy.testing import assert_allclose

from ofer.companions import FisherKernelLearner, PairwiseMRF
from reproduction.datasets.generated.markov_sequences import make_markov_sequences
from reproduction.papers.fkl import representations as module


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
