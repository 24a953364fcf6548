import numpy as np
import pytest
from numpy.testing import assert_allclose

from reproduction.studies.second_volume.regions.scaled_boxes import scaled, standardised

N, LEVEL = 19, 0.9


def mean_and_deviation(everyone):
    return everyone.mean(axis=0), everyone.std(axis=0, ddof=1)


def zero_and_quantile(everyone):
    place = int(np.ceil(np.round(LEVEL * len(everyone), 9)))
    return 0.0, np.sort(everyone, axis=0)[place - 1]


def is_kept(errors, candidate, units):
    """Whether an error of the query is kept, by the definition: all n + 1 have their own units."""
    everyone = np.vstack([errors, candidate])
    middle, unit = units(everyone)
    scores = ((everyone - middle) / unit).max(axis=1)
    rank = int(np.ceil(np.round(LEVEL * len(everyone), 9)))
    return scores[-1] <= np.sort(scores[:-1])[rank - 1]


@pytest.mark.parametrize(
    ("box", "units"), [(scaled, zero_and_quantile), (standardised, mean_and_deviation)]
)
def test_boxes_hold_all_that_is_kept_and_little_more(box, units):
    rng = np.random.default_rng(0)
    for _ in range(20):
        errors = np.abs(rng.standard_t(3, size=(N, 2))) * [1.0, 20.0]
        sides = box(errors, LEVEL)
        candidates = 1.5 * sides * rng.uniform(size=(300, 2))
        kept = np.array([is_kept(errors, one, units) for one in candidates])
        assert (candidates[kept] <= sides * (1 + 1e-9)).all()
        assert kept.sum() > 0.2 * len(candidates)  # of those within the box, 4 / 9 of all
    assert_allclose(box(errors * [3.0, 0.1], LEVEL), sides * [3.0, 0.1])


@pytest.mark.parametrize("box", [scaled, standardised])
def test_a_level_that_few_samples_cannot_have_is_infinite(box):
    errors = np.random.default_rng(0).uniform(size=(N, 3))
    assert np.isfinite(box(errors, 0.95)).all()
    assert np.isinf(box(errors, 0.96)).all()


def test_an_output_nearly_without_errors_has_no_side():
    errors = np.random.default_rng(0).uniform(size=(N, 3))
    errors[:, 1] = 0.0
    sides = scaled(errors, LEVEL)
    assert_allclose(sides[[0, 2]], scaled(errors[:, [0, 2]], LEVEL))
    assert sides[1] == 0.0
    errors[:10, 1] = 1.0  # at 50 % the unit is between zero and one
    assert np.isinf(scaled(errors, 0.5)).all()
