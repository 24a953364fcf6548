import numpy as np
import pandas as pd
from numpy.testing import assert_allclose

from reproduction.studies.second_volume.regions.sides import LEVELS, by_level, sides_at


def frame_of(coverages, log_sizes, method="regions", setting="toy"):
    """Two splits, whose means are the given values."""
    rows = []
    for what, values in {"coverage": coverages, "log size": log_sizes}.items():
        for level, value in zip(LEVELS, values, strict=True):
            for split, noise in enumerate((-0.01, 0.01)):
                entry = {"method": method, "setting": setting, "split": split}
                rows.append(entry | {"metric": f"{what} {level}", "value": value + noise})
    return pd.DataFrame(rows)


def test_the_side_at_a_level_that_holds_its_share_is_the_measured_one():
    frame = frame_of(LEVELS, [0.0, 1.0, 2.0, 3.0])
    assert_allclose(by_level(frame, "regions").loc["toy"], LEVELS)
    assert_allclose(sides_at(frame, 0.9).loc["toy", "regions"], np.exp(2.0))


def test_a_side_between_two_levels_is_interpolated():
    frame = frame_of([0.6, 0.85, 0.95, 0.97], [0.0, 1.0, 2.0, 3.0])
    assert_allclose(sides_at(frame, 0.9).loc["toy", "regions"], np.exp(1.5))


def test_no_side_where_no_level_holds_the_share():
    frame = pd.concat(
        [
            frame_of([0.4, 0.6, 0.7, 0.8], [0.0, 1.0, 2.0, 3.0], "few"),
            frame_of(LEVELS, [np.nan] * 4, "no size"),
        ]
    )
    assert sides_at(frame, 0.9).isna().all(axis=None)
    assert_allclose(sides_at(frame, 0.7).loc["toy", "few"], np.exp(2.0))
