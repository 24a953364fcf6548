"""Which mutants are tried, and what is concluded from a part of them."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from reproduction.pipeline.mutants import drawn, rate

NAMES = [f"module.function_{i}" for i in range(50)]


def test_a_larger_part_holds_the_smaller_one():
    few, many = drawn(NAMES, 0.1), drawn(reversed(NAMES), 0.5)
    assert (len(few), len(many), len(drawn(NAMES[:3], 0.1))) == (5, 25, 1)
    assert many[:5] == few != NAMES[:5]
    assert sorted(drawn(NAMES, 1.0)) == sorted(NAMES)


def test_modules_count_by_their_mutants():
    share, error = rate([300, 100], [30, 100], [15, 90])
    assert_allclose(share, 0.75 * 0.5 + 0.25 * 0.9)
    assert_allclose(error, 0.75 * np.sqrt(0.9 * 0.25 / 29))  # the second was tried as a whole
    assert rate([7], [7], [7]) == (1.0, 0.0)


def test_the_error_is_that_of_draws():
    rng = np.random.default_rng(0)
    killed = np.arange(80) < 60
    found = [rate([80], [20], [rng.permutation(killed)[:20].sum()]) for _ in range(4000)]
    shares, errors = np.transpose(found)
    assert shares.mean() == pytest.approx(0.75, abs=0.005)
    assert np.sqrt(np.square(errors).mean()) == pytest.approx(shares.std(), rel=0.03)
