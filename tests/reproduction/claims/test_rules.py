import numpy as np
import pandas as pd
import pytest

from reproduction.claims.rules import RULES

SETTINGS = ["10", "20", "100"]


def table(means, metric="error", noise=1e-3, n_splits=10):
    """Results whose means are given: method -> one a setting."""
    rng = np.random.default_rng(0)
    rows = [
        (method, setting, split, metric, mean + noise * rng.normal())
        for method, values in means.items()
        for setting, mean in zip(SETTINGS, values, strict=True)
        for split in range(n_splits)
    ]
    return {"t": pd.DataFrame(rows, columns=["method", "setting", "split", "metric", "value"])}


def decide(rule, tables, **arguments):
    return RULES[rule](tables, table="t", metric="error", **arguments)


@pytest.mark.parametrize(
    ("ours", "verdict", "evidence"),
    [
        ([1, 1, 1], "reproduced", "better at 10, 20, 100"),
        ([1, 1, 3], "partly", "better at 10, 20; worse at 100"),
        ([2, 2, 3], "not reproduced", "worse at 100"),
    ],
)
def test_better(ours, verdict, evidence):
    tables = table({"a": ours, "b": [2, 2, 2], "c": [2, 2, 2]})
    decision = decide("better", tables, method="a", than=["b", "c"])
    assert decision.verdict == verdict
    assert decision.evidence.endswith(evidence)
    flipped = tables["t"].assign(value=-tables["t"]["value"])
    again = decide("better", {"t": flipped}, method="a", than=["b", "c"], lower_is_better=False)
    assert again.verdict == verdict


def test_better_must_beat_all_and_only_in_the_claimed_rows():
    tables = table({"a": [1, 1, 5], "b": [2, 2, 2], "c": [0, 2, 2]})
    assert decide("better", tables, method="a", than=["b", "c"]).verdict == "partly"
    only = decide("better", tables, method="a", than=["b", "c"], settings=["20"])
    assert only.verdict == "reproduced"


def test_indistinguishable():
    tables = table({"a": [1, 1, 1], "b": [1, 1, 1], "c": [1, 1, 4]})
    assert decide("indistinguishable", tables, methods=["a", "b"]).verdict == "reproduced"
    decision = decide("indistinguishable", tables, methods=["a", "b", "c"])
    assert decision.verdict == "partly"
    assert decision.evidence.endswith("significant differences at 100")


def test_stable():
    tables = table({"a": [1, 1, 1], "b": [1.05, 1, 1.3], "c": [1.04, 0.98, 1]}, noise=0)
    pair = decide("stable", tables, methods=["a", "c"], tolerance=0.1)
    assert pair == ("reproduced", "largest / smallest mean 1.00 to 1.04")
    decision = decide("stable", tables, methods=["a", "b", "c"], tolerance=0.1)
    assert decision.verdict == "partly"
    assert decision.evidence.endswith("; beyond it at 100")


def test_decreasing():
    tables = table({"down": [3, 2, 1], "once": [3, 1, 2], "up": [1, 2, 3]})
    verdicts = [decide("decreasing", tables, method=m).verdict for m in ("down", "once", "up")]
    assert verdicts == ["reproduced", "partly", "not reproduced"]


def test_ratio():
    tables = table({"fast": [1, 1, 1], "slow": [10, 4, 1]})
    arguments = {"method": "fast", "than": "slow"}
    assert decide("ratio", tables, **arguments, at_least=0.9).verdict == "reproduced"
    decision = decide("ratio", tables, **arguments, at_least=2)
    assert decision == ("partly", "ratio 1 to 10")
    assert decide("ratio", tables, **arguments, at_least=20).verdict == "not reproduced"


def test_steadier():
    calm, wild = (table({"x": [1, 1, 1]}, noise=noise)["t"] for noise in (1e-3, 1e-1))
    frame = pd.concat([calm.assign(method="calm"), wild.assign(method="wild")])
    assert decide("steadier", {"t": frame}, method="calm", than="wild").verdict == "reproduced"
    assert decide("steadier", {"t": frame}, method="wild", than="calm").verdict == "not reproduced"


def test_level(checkout):
    folder = checkout / "book" / "paper"
    folder.mkdir(parents=True)
    (folder / "t.csv").write_text(
        "method,setting,metric,mean,std\nA,10,error,1.0,\nA,20,error,1.0,\nA,100,error,2.0,\n"
    )
    tables = table({"a": [1.05, 1.0, 1.0]})
    decision = decide("level", tables, method="a", printed="A", tolerance=0.1)
    assert decision.verdict == "partly"
    assert decision.evidence == "ours / printed 0.50 to 1.05"


def test_at_most():
    tables = table({"a": [1, 2, 3]})
    verdicts = [decide("at_most", tables, method="a", bound=b).verdict for b in (4, 2.5, 0)]
    assert verdicts == ["reproduced", "partly", "not reproduced"]


def test_lowest():
    tables = table({"a": [1, 2, 3], "b": [2, 3, 2], "c": [4, 1, 4]}, noise=0)
    assert decide("lowest", tables, method="a", among=["b"]) == (
        "partly",
        "mean / least of the others 0.500 to 1.500; above it at 100",
    )
    assert decide("lowest", tables, method="a", among=["b", "c"]).evidence.endswith("20, 100")
    equal = decide("lowest", tables, method="a", among=["a", "b"], settings=["10", "20"])
    assert equal == ("reproduced", "mean / least of the others 1.000")
    assert decide("lowest", tables, method="c", among=["a"], settings=["10"]) == (
        "not reproduced",
        "mean / least of the others 4.000; above it at 10",
    )


def test_best_takes_the_least_of_rows_and_metrics():
    first = table({"a": [4, 2, 3], "b": [5, 3, 9], "c": [9, 9, 1]}, noise=0)["t"]
    second = table({"a": [8, 8, 8], "b": [1, 8, 8]}, metric="other", noise=0)["t"]
    tables = {"t": pd.concat([first, second])}

    def best(than, metrics=("error", "other"), **more):
        options = {"table": "t", "metrics": metrics, "method": "a", "than": than}
        return RULES["best"](tables, **options, **more)

    assert best(["b"]) == ("not reproduced", "a 2 (error, 20); b 1 (other, 10)")
    assert best(["b"], metrics=["error"]).verdict == "reproduced"
    assert best(["b", "c"], metrics=["error"]).verdict == "partly"
    assert best(["b", "c"], settings=["20"]).verdict == "reproduced"


def test_growth():
    tables = table({"square": [100, 400, 10_000], "cube": [1e3, 8e3, 1e6]}, noise=0)
    assert decide("growth", tables, method="square", at_most=2.2) == (
        "reproduced",
        "power 2.00 from 10 to 100",
    )
    assert decide("growth", tables, method="cube", at_most=2.2).verdict == "not reproduced"
    upper = decide("growth", tables, method="cube", at_most=3.001, settings=["20", "100"])
    assert upper == ("reproduced", "power 3.00 from 20 to 100")


def test_better_with_a_single_split_elsewhere():
    frame = table({"a": [1, 1, 1], "b": [2, 2, 2]})["t"]
    frame = frame[(frame["setting"] != "100") | (frame["split"] == 0)]
    decision = decide("better", {"t": frame}, method="a", than=["b"], settings=["10", "20"])
    assert decision.verdict == "reproduced"


def test_most_often():
    tables = table({"a": [6, 2, 6]}, noise=0)
    assert decide("most_often", tables, method="a", value=6).verdict == "reproduced"
    decision = decide("most_often", tables, method="a", value=2)
    assert decision == ("not reproduced", "2 chosen 10 of 30 times, 6 most often")


def test_not_testable_gives_the_reason():
    assert RULES["not_testable"]({}, reason="no such data") == ("not testable", "no such data")


def test_unknown_settings():
    with pytest.raises(ValueError, match=r"settings must be among .* got \['7'\]"):
        decide("decreasing", table({"a": [1, 2, 3]}), method="a", settings=["7"])
