"""Choices at an end of their grid are counted, natural ends apart."""

from collections import Counter

import numpy as np
import pandas as pd
import pytest

from reproduction.engine import Grid, Score, load
from reproduction.engine.grids import (
    declared_grids,
    grid_ends,
    share_by_method,
    stored_grid_ends,
)


def table(values, *, method="ridge", setting="10", metric="width"):
    """Rows of one method and setting, a split each."""
    rows = [(method, setting, split, metric, float(v)) for split, v in enumerate(values)]
    return pd.DataFrame(rows, columns=["method", "setting", "split", "metric", "value"])


def fixed(*values, **options):
    return Grid(values=lambda parameters, method, setting: values, **options)


def test_counts_are_those_of_a_loop(toy):
    grid, rng, frames = [0.25, 0.5, 1.0, 2.0], np.random.default_rng(0), []
    for method in ("ridge", "forest"):
        for setting in ("10", "20"):
            drawn = rng.choice(grid, size=rng.integers(1, 20))
            frames.append(table(drawn, method=method, setting=setting))
    frame = pd.concat(frames)
    found = grid_ends(toy(), frame, grids={"width": fixed(*grid[::-1])})
    assert len(found) == 4
    for row in found.itertuples():
        rows = frame[(frame["method"] == row.method) & (frame["setting"] == row.setting)]
        count = Counter(rows["value"])
        assert (row.n, row.at_low, row.at_high) == (len(rows), count[0.25], count[2.0])
        assert row.natural == 0
        assert np.isclose(row.share, (count[0.25] + count[2.0]) / len(rows))


def test_natural_ends_are_counted_apart(toy):
    frame = table([1, 1, 2, 4, 4, 4])
    (row,) = grid_ends(
        toy(), frame, grids={"width": fixed(1, 2, 4, natural={"low": 1})}
    ).itertuples()
    assert (row.n, row.at_low, row.at_high, row.natural, row.share) == (6, 0, 3, 2, 0.5)
    both = fixed(1, 2, 4, natural={"low": 2, "high": 4})
    (row,) = grid_ends(toy(), frame, grids={"width": both}).itertuples()
    assert (row.at_low, row.at_high, row.natural, row.share) == (0, 0, 5, 0.0)
    neither = fixed(1, 2, 4, natural={"low": 0, "high": 5})  # the grid stops before
    (row,) = grid_ends(toy(), frame, grids={"width": neither}).itertuples()
    assert (row.at_low, row.at_high, row.natural) == (2, 3, 0)


def test_the_end_is_that_of_the_grid_that_was_searched_there(toy):
    grid = Grid(
        values=lambda parameters, _, setting: [1, *parameters["sizes"]][: int(setting) // 5]
    )
    frame = pd.concat([table([10, 1], setting="10"), table([10, 20, 1], setting="15")])
    small, large = grid_ends(toy(), frame, grids={"width": grid}).itertuples()
    assert (small.at_low, small.at_high, small.share) == (1, 1, 1.0)
    assert (large.at_low, large.at_high) == (1, 1)
    given = {"sizes": [10, 20, 30]}
    moved = grid_ends(toy(), table([10], setting="10"), parameters=given, grids={"width": grid})
    assert moved["at_high"].tolist() == [1]


def test_one_value_is_no_choice_and_a_sentence_no_grid(toy):
    grids = {"width": fixed(1), "start": "two names, neither of which is an end"}
    frame = pd.concat([table([1, 1]), table([0, 1], metric="start")])
    assert grid_ends(toy(), frame, grids=grids).empty


def test_a_value_outside_of_the_grid_is_an_error(toy):
    with pytest.raises(ValueError, match=r"toy, ridge, 10: width must be one of \[1.0, 2.0\]"):
        grid_ends(toy(), table([1, 1.5]), grids={"width": fixed(1, 2)})
    # The last digits of a stored number are no such value.
    assert grid_ends(toy(), table([1 + 1e-9]), grids={"width": fixed(1, 2)})["at_low"].sum() == 1


def test_shares_are_summed_over_settings(toy):
    frame = pd.concat(
        [table([1, 2, 2, 2]), table([1, 4], setting="20"), table([2, 2], method="forest")]
    )
    cells = grid_ends(toy(), frame, grids={"width": fixed(1, 2, 4)}).assign(table="toy", done="no")
    first, last = share_by_method(cells).itertuples()
    assert (first.method, first.n, first.at_low, first.at_high) == ("ridge", 6, 2, 1)
    assert (first.share, first.where) == (0.5, "20 (100%)")
    assert (last.method, last.share, last.where) == ("forest", 0.0, "")


def test_grids_are_those_of_the_scores_that_are_choices(toy):
    grid, why = fixed(1, 2), "one of two names, and neither is an end"
    scores = Score("error"), Score("width", choice=grid), Score("start", choice=why)
    assert declared_grids(toy(scores=scores)) == {"width": grid, "start": why}
    assert declared_grids(toy()) == {}
    frame = table([1, 1, 2])
    pd.testing.assert_frame_equal(
        grid_ends(toy(scores=scores), frame), grid_ends(toy(), frame, grids={"width": grid})
    )


def test_counts_of_all_stored_tables_agree_with_their_rows():
    counts = stored_grid_ends()
    assert (counts["at_low"] + counts["at_high"] + counts["natural"] <= counts["n"]).all()
    assert counts["done"].ne("").all()
    for (id, metric), rows in counts.groupby(["table", "metric"]):
        frame, _ = load(id)
        stored = frame[frame["metric"] == metric]
        cells = rows.set_index(["method", "setting"])["n"]
        there = stored.groupby(["method", "setting"]).size()
        assert cells.equals(there.reindex(cells.index).rename("n"))
