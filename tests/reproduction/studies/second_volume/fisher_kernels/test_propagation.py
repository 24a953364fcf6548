import numpy as np
import pytest

from ofer.companions import PairwiseMRF
from reproduction.studies.second_volume.fisher_kernels.propagation import (
    bethe_loglikelihood,
    enumerate_chances,
)

SYMBOLS = np.array([0, 1, 1, 0])
RING = np.array([[0, 1], [1, 2], [2, 3], [3, 0]])
MODEL = PairwiseMRF(2, emission="multinomial", symmetric=True).set_parameters(
    initial=[0.2, -0.2],
    transition=[[0.8, -0.8], [-0.8, 0.8]],
    logits=np.log([[0.9, 0.1], [0.3, 0.7]]),
)


def test_the_package_has_the_approximation_on_a_ring():
    found = bethe_loglikelihood(MODEL, SYMBOLS, RING)
    assert found == pytest.approx(MODEL.loglikelihood([(SYMBOLS, RING)])[0], abs=1e-8)
    assert found != pytest.approx(enumerate_chances(MODEL, SYMBOLS, RING)[0], abs=1e-3)


def test_without_a_cycle_the_approximation_is_exact():
    loglikelihood, chance = enumerate_chances(MODEL, SYMBOLS, RING[:3])
    beliefs = MODEL.posteriors([(SYMBOLS, RING[:3])])
    assert bethe_loglikelihood(MODEL, SYMBOLS, RING[:3]) == pytest.approx(loglikelihood, abs=1e-8)
    assert beliefs.nodes[0][0, 0] == pytest.approx(chance, abs=1e-8)
