import numpy as np
import pandas as pd
import pytest

from reproduction.engine import get_experiment, list_experiments, load, load_groups, why_stale
from reproduction.pipeline.last_bits import STORED, move_last_bits


@pytest.fixture(scope="module")
def moved(tmp_path_factory):
    folder = tmp_path_factory.mktemp("results")
    move_last_bits(folder, seed=0)
    return folder


def test_last_bits_move_and_nothing_else(moved):
    names = {path.name for path in STORED.iterdir()}
    assert {path.name for path in moved.iterdir()} == names
    moves = False
    for name in sorted(name for name in names if name.endswith(".csv")):
        before, after = (pd.read_csv(folder / name) for folder in (STORED, moved))
        numbers = before.select_dtypes("float").columns
        pd.testing.assert_frame_equal(before.drop(columns=numbers), after.drop(columns=numbers))
        np.testing.assert_allclose(after[numbers], before[numbers], rtol=2e-13, atol=0)
        moves |= not before[numbers].equals(after[numbers])
    assert moves


def test_their_sidecars_vouch_for_them(moved, monkeypatch):
    stale = {id: why_stale(get_experiment(id)) for id in list_experiments()}
    monkeypatch.setenv("OFER_RESULTS", str(moved))
    assert {id: why_stale(get_experiment(id)) for id in list_experiments()} == stale
    assert load("ofer-table-09")[0].shape == pd.read_csv(STORED / "ofer-table-09.csv").shape
    assert len(load_groups("ofer-table-09")) > 0
