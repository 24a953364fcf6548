from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

from reproduction.studies.gains.parts import beside_baseline, parts_of_gains

ERRORS = {
    "m-KRR": 1.0,
    "m-KRR centred": 0.8,
    "OFER-GMM": 0.72,
    "m-KRR imputed+9": 0.6,
    "wOFER+9": 0.66,
    "wOFER+9 shuffled": 0.72,
}
STORED = {
    "toy": SimpleNamespace(
        frame=pd.DataFrame(
            [
                {"method": name, "setting": size, "split": split, "metric": "rrmse", "value": error}
                for name, error in ERRORS.items()
                for size in ("10", "20")
                for split in (0, 1)
            ]
        )
    )
}


def test_each_part_is_the_change_of_its_step():
    changes = parts_of_gains(STORED, [("toy", "rrmse", ["10"], "OFER-GMM", 9, ("toy",))])
    means = changes.groupby(["part", "kind"])["change"].mean()
    assert {*changes["task"]} == {"toy 10"}
    assert means["intercept", "labels alone"] == pytest.approx(-20)
    assert means["embedding", "labels alone"] == pytest.approx(-10)
    assert means["imputation", "weak labels"] == pytest.approx(-25)
    assert means["embedding", "weak labels"] == pytest.approx(10)
    assert means["shuffled labels", "weak labels"] == pytest.approx(0)


def test_without_weak_samples_two_parts_are_left():
    changes = parts_of_gains(STORED, [("toy", "rrmse", ["20"], "OFER-GMM", 0, ("toy", "toy"))])
    assert list(dict.fromkeys(changes["part"])) == ["intercept", "embedding"]
    assert len(changes) == 4  # two splits each; what stands in two tables counts once


def test_methods_stand_beside_the_baseline_of_their_own_table():
    frame = beside_baseline(STORED, [("toy", "toy", "rrmse", "OFER-GMM", ["20"])], "OFER")
    values = frame.pivot(index=["setting", "split"], columns="method", values="value")
    assert {*frame["metric"]} == {"error"}
    assert {*frame["setting"]} == {"toy 20"}
    assert np.allclose(values[["OFER", "baseline"]], [0.72, 0.8])
