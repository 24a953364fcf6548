import numpy as np
import pandas as pd
import pytest
from scipy import stats

from reproduction.claims.rules import RULES
from reproduction.claims.values import Table
from reproduction.statistics.effects import SAME

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
    columns = ["method", "setting", "split", "metric", "value"]
    return {"t": Table(pd.DataFrame(rows, columns=columns))}


def decide(rule, tables, **arguments):
    return RULES[rule](tables, table="t", metric="error", level=1e-3, **arguments)


def printed(tables):
    """The same beside a paper's table: A has 1, 1 and 1, B has 2, 2 and 2."""
    means = {(method, s, "error"): v for method, v in (("A", 1), ("B", 2)) for s in SETTINGS}
    return {"t": tables["t"]._replace(printed=means)}


@pytest.mark.parametrize(
    ("ours", "outcome", "evidence"),
    [
        ([1, 1, 1], "holds", "holds at all 3 rows"),
        ([1, 1, 3], "holds in part", "holds at 10, 20; does not hold at 100"),
        ([2, 2, 3], "does not hold", "undecided at 10, 20; does not hold at 100"),
        ([2, 2, 2], "undecided", "undecided at all 3 rows"),
        ([3, 3, 3], "does not hold", "does not hold at any of the 3 rows"),
    ],
)
def test_better(ours, outcome, evidence):
    tables = table({"a": ours, "b": [2, 2, 2], "c": [2, 2, 2]})
    decision = decide("better", tables, method="a", than=["b", "c"])
    assert decision.outcome == outcome
    assert f"; {evidence}; largest p" in decision.in_words()
    assert decision.test == "paired t-test, level 0.001"
    frame = tables["t"].frame
    flipped = Table(frame.assign(value=10 - frame["value"]))
    again = decide("better", {"t": flipped}, method="a", than=["b", "c"], lower_is_better=False)
    assert again.outcome == outcome


def test_a_metric_that_the_table_lacks_is_named():
    tables = table({"a": [1, 1, 1], "b": [2, 2, 2]}, metric="errors")
    with pytest.raises(ValueError, match=r"metric of t must be one of \['errors'\]; got 'error'"):
        decide("better", tables, method="a", than=["b"])


def test_better_takes_rivals_from_a_table_beside():
    """As if they stood in the table itself; rows that it has not are left out."""
    both = table({"a": [1, 1, 3], "b": [2, 2, 2]})["t"]
    rows = both.frame
    tables = {
        "t": Table(rows[(rows["method"] == "a") & (rows["setting"] != "20")]),
        "other": Table(rows[rows["method"] == "b"]),
    }
    found = decide("better", tables, method="a", beside="other", others=["b"])
    expected = decide("better", {"t": both}, method="a", than=["b"], settings=["10", "100"])
    assert found.in_words() == expected.in_words()


DEGENERATE = {
    SAME: lambda a, b: (b, b),
    "a method has the same value on every split": lambda a, b: (a, 0 * b + 0.5556),
    "the two methods differ by the same on every split": lambda a, b: (b - 0.5, b),
}


@pytest.mark.parametrize("reason", DEGENERATE)
@pytest.mark.parametrize(
    ("rule", "arguments"),
    [
        ("better", {"method": "a", "than": ["b"]}),
        ("ratio", {"method": "a", "than": "b", "at_least": 1.5}),
        ("alike", {"methods": ["a", "b"], "at_least": 0.1}),
    ],
)
def test_degenerate_rows_decide_nothing(rule, arguments, reason):
    """One parameter makes two methods one, a method predicts one class, a spread is zero."""
    tables = table({"a": [1.0, 1.0, 1.0], "b": [2.0, 2.0, 2.0]})
    frame = tables["t"].frame.set_index(["setting", "method"])
    a, b = (frame.loc[[("100", name)], "value"].to_numpy() for name in "ab")
    frame.loc[[("100", "a")], "value"], frame.loc[[("100", "b")], "value"] = DEGENERATE[reason](
        a, b
    )
    tables = {"t": Table(frame.reset_index())}
    decision = decide(rule, tables, **arguments)
    assert [row.outcome for row in decision.rows] == ["holds", "holds", "undecided"]
    assert decision.outcome == "holds in part"
    assert f"degenerate at 100: {reason}" in decision.evidence
    alone = decide(rule, tables, settings=["100"], **arguments)
    assert set(alone.by_decider.values()) == {"undecided"}


def test_a_row_says_nothing_where_no_method_is_better_than_one_class():
    """A method that has collapsed loses to one that has not."""
    tables = table({"a": [1, 1, 2], "b": [2, 2, 1], "c": [2, 2, 2], "majority": [2, 2, 2]})
    frame = tables["t"].frame.set_index(["setting", "method"])
    frame.loc[("100", "a"), "value"] = frame.loc[("100", "majority"), "value"].to_numpy()
    tables = {"t": Table(frame.reset_index(), trivial="majority")}
    decision = decide("better", tables, method="a", than=["b"])
    assert [row.outcome for row in decision.rows] == ["holds", "holds", "does not hold"]
    decision = decide("better", tables, method="a", than=["c"])
    assert [row.outcome for row in decision.rows] == ["holds", "holds", "not comparable"]
    assert decision.outcome == "holds"
    assert "not comparable at 100: no method is better than a guess" in decision.evidence


def test_a_row_says_nothing_at_chance():
    means = {"a": [50.0, 60.0, 50.0], "b": [50.0, 50.0, 61.0]}
    tables = table(means, noise=0.1)
    tables = {"t": tables["t"]._replace(chance={"error": 50.0})}
    rows = decide("better", tables, method="a", than=["b"]).rows
    assert [row.outcome for row in rows] == ["not comparable", "does not hold", "holds"]


@pytest.mark.parametrize(
    ("ours", "outcome"),
    [
        ([90.0, 95.0], "not comparable"),  # of the missing 80 and 50 there are 10 and 5
        ([10.0, 95.0], "holds"),  # one is within a factor of two
        ([20.0, 50.0], "holds"),
    ],
)
def test_a_row_on_other_data_says_nothing_far_from_the_printed_level(ours, outcome):
    means = {"a": [ours[0]] * 3, "b": [ours[1]] * 3}
    figures = {("a", s, "error"): 20.0 for s in SETTINGS}
    figures |= {("b", s, "error"): 50.0 for s in SETTINGS}
    known = {"printed": figures, "percentages": {"error"}}
    elsewhere = {"t": table(means)["t"]._replace(**known, elsewhere={"10", "20", "100"})}
    assert decide("better", elsewhere, method="a", than=["b"]).outcome == outcome
    at_home = {"t": table(means)["t"]._replace(**known)}
    assert decide("better", at_home, method="a", than=["b"]).outcome == "holds"


def test_a_level_belongs_to_its_data():
    tables = table({"a": [5.0, 5.0, 5.0]})
    assert decide("between", tables, method="a", high=2.0).outcome == "does not hold"
    tables["t"] = tables["t"]._replace(elsewhere={*SETTINGS}, percentages={"error"})
    assert decide("between", tables, method="a", high=2.0).outcome == "not comparable"


def test_better_is_the_paired_t_test():
    tables = table({"a": [1.0, 1, 1], "b": [1.001, 1, 1]})
    decision = decide("better", tables, method="a", than=["b"], settings=["10"])
    values = (
        tables["t"]
        .frame.query("setting == '10'")
        .pivot(index="split", columns="method", values="value")
    )
    assert decision.evidence.startswith(f"p {stats.ttest_rel(values['a'], values['b']).pvalue:.2g}")


def test_better_must_beat_all_and_only_in_the_claimed_rows():
    tables = table({"a": [1, 1, 5], "b": [2, 2, 2], "c": [0, 2, 2]})
    assert decide("better", tables, method="a", than=["b", "c"]).outcome == "holds in part"
    only = decide("better", tables, method="a", than=["b", "c"], settings=["20"])
    assert only.outcome == "holds"


def test_a_control_is_told_and_decides_nothing():
    tables = table({"a": [1, 1, 1], "b": [2, 2, 2], "a shuffled": [3, 3, 3]})
    decision = decide("better", tables, method="a", than=["b"], control="a shuffled")
    assert decision.outcome == "holds"
    assert decision.evidence.endswith("shuffled labels: difference +50 %")


def test_better_with_one_split_and_a_test_set():
    tables = table({"a": [20, 20, 20], "b": [25, 20, 15]}, noise=0, n_splits=1)
    arguments = {"method": "a", "than": ["b"]}
    assert decide("better", tables, **arguments).outcome == "undecided"
    decision = decide("better", tables, **arguments, n_test=10_000)
    assert "holds at 10; undecided at 20; does not hold at 100" in decision.in_words()
    assert decision.test == "test of two shares, level 0.001"


def test_better_within_a_share():
    tables = table({"a": [1.005, 1, 2], "b": [1, 1, 1]}, noise=1e-4)
    decision = decide("better", tables, method="a", than=["b"], at_most_worse=0.01)
    assert decision.outcome == "holds in part"
    assert "holds at 10, 20; does not hold at 100" in decision.in_words()


def test_a_method_that_is_the_other_by_choice_is_as_good():
    tables = table({"a": [1, 1, 1], "b": [1, 1, 1]})
    frame = tables["t"].frame
    frame["value"] = frame.groupby(["setting", "split"])["value"].transform("first")
    arguments = {"method": "a", "than": ["b"]}
    assert decide("better", tables, **arguments, at_most_worse=0.01).outcome == "holds"
    assert decide("better", tables, **arguments).outcome == "undecided"


def test_alike():
    tables = table({"a": [1, 1, 1], "b": [1.05, 1, 1.3], "c": [1.04, 0.98, 1]})
    assert decide("alike", tables, methods=["a", "c"], at_most=0.1).outcome == "holds"
    three = {"methods": ["a", "b", "c"]}
    decision = decide("alike", tables, **three, at_most=0.1)
    assert decision.outcome == "holds in part"
    assert "does not hold at 100" in decision.in_words()
    differing = decide("alike", tables, **three, at_least=0.1)
    assert "holds at 100; does not hold at 10, 20" in differing.in_words()
    # To find no difference is not to show that there is none.
    noisy = table({"a": [1, 1, 1], "b": [1, 1, 1]}, noise=0.5)
    assert decide("alike", noisy, methods=["a", "b"], at_most=0.05).outcome == "undecided"


def test_steps():
    tables = table({"down": [3, 2, 1], "once": [3, 1, 2], "up": [1, 2, 3], "flat": [1, 1, 1]})
    found = {m: decide("steps", tables, method=m).outcome for m in ("down", "once", "up", "flat")}
    assert [*found.values()] == ["holds", "holds in part", "does not hold", "undecided"]
    grows = table({"square": [100, 400, 1600]})
    assert decide("steps", grows, method="square", at_most=3.1).outcome == "holds"
    assert decide("steps", grows, method="square", at_most=2.9).outcome == "does not hold"


def test_ratio():
    tables = table({"fast": [1, 1, 1], "slow": [10, 4, 1]})
    arguments = {"method": "fast", "than": "slow"}
    assert decide("ratio", tables, **arguments, at_least=0.9).outcome == "holds"
    decision = decide("ratio", tables, **arguments, at_least=2)
    assert (decision.outcome, decision.effect) == ("holds in part", "ratio 1 to 10")
    assert decide("ratio", tables, **arguments, at_least=20).outcome == "does not hold"


def test_ratio_of_spreads():
    calm, wild = (table({"x": [1, 1, 1]}, noise=noise)["t"].frame for noise in (1e-3, 1e-1))
    frame = pd.concat([calm.assign(method="calm"), wild.assign(method="wild", split=wild["split"])])
    frame["value"] += 1e-4 * np.random.default_rng(1).normal(size=len(frame))

    def outcome(method, than, at_least):
        options = {"method": method, "than": than, "at_least": at_least, "of": "spreads"}
        return decide("ratio", {"t": Table(frame)}, **options).outcome

    assert outcome("calm", "wild", 1.0) == "holds"
    assert outcome("calm", "wild", 2.0) == "holds"
    assert outcome("calm", "wild", 1e3) == "does not hold"
    assert outcome("wild", "calm", 1.0) == "does not hold"


def test_between():
    tables = table({"a": [1, 2, 3]})
    outcomes = [decide("between", tables, method="a", high=b).outcome for b in (4, 2.5, 0)]
    assert outcomes == ["holds", "holds in part", "does not hold"]
    both = decide("between", tables, method="a", low=1.5, high=2.5)
    assert "holds at 20; does not hold at 10, 100" in both.in_words()
    tables["t"].frame.loc[0, "value"] = 9.0
    each = decide("between", tables, method="a", high=3.5, each=True)
    assert "holds at 20, 100; does not hold at 10" in each.in_words()
    zeros = decide("between", table({"a": [0, 0, 0]}, noise=0), method="a", high=0.0)
    assert zeros.outcome == "holds"


def test_between_with_one_split_and_a_test_set():
    tables = table({"a": [20, 20, 20]}, noise=0, n_splits=1)
    arguments = {"method": "a", "high": 25.0}
    assert decide("between", tables, **arguments).outcome == "undecided"
    assert decide("between", tables, **arguments, n_test=50).outcome == "undecided"
    assert decide("between", tables, **arguments, n_test=5000).outcome == "holds"


def best(tables, than, metrics=("error", "other"), **more):
    options = {"table": "t", "metrics": metrics, "method": "a", "than": than, "level": 0.05}
    return RULES["best"](tables, **options, **more)


def test_best_takes_the_least_of_rows_and_metrics():
    first = table({"a": [4, 2, 3], "b": [5, 3, 9], "c": [9, 9, 1]})["t"].frame
    second = table({"a": [8, 8, 8], "b": [1, 8, 8]}, metric="other")["t"].frame
    tables = {"t": Table(pd.concat([first, second]))}
    decision = best(tables, ["b"])
    assert decision.outcome == "does not hold"
    assert decision.evidence.startswith("a 2 (error, 20); b 1 (other, 10)")
    assert best(tables, ["b"], metrics=["error"]).outcome == "holds"
    assert best(tables, ["b", "c"], metrics=["error"]).outcome == "holds in part"
    assert best(tables, ["b", "c"], settings=["20"]).outcome == "holds"


def test_best_of_one_split_is_decided_by_the_test_set():
    tables = table({"a": [20, 20, 20], "b": [22, 22, 22]}, noise=0, n_splits=1)
    assert best(tables, ["b"]).outcome == "undecided"
    assert best(tables, ["b"], n_test=400).outcome == "undecided"
    assert best(tables, ["b"], n_test=40_000).outcome == "holds"


def test_outcomes_by_other_rules_of_decision():
    """The sound test is stricter, the means alone always decide, and sizes count here alone."""
    means = {"a": [1.87, 1.99, 2.13], "b": [2.0, 2.0, 2.0]}
    tables = table(means, noise=0.05)
    tables["t"] = tables["t"]._replace(test_train_ratio=dict.fromkeys(SETTINGS, 400.0))
    found = {
        setting: decide("better", tables, method="a", than=["b"], settings=[setting]).by_decider
        for setting in SETTINGS
    }
    assert [*found["10"].values()] == ["holds", "holds", "undecided", "holds"]
    assert [*found["20"].values()][:3] == ["undecided"] * 3
    assert found["20"]["means alone"] in ("holds", "does not hold")
    assert [*found["100"].values()] == ["does not hold"] * 2 + ["undecided", "does not hold"]
    equal = printed(table({"A": [1, 1, 1], "B": [1, 1, 1]}))
    found = decide("better", equal, method="A", than=["B"]).by_decider
    assert (found["this book"], found["printed sizes"]) == ("undecided", "does not hold")


def test_the_papers_own_numbers_can_contradict_a_claim():
    tables = printed(table({"A": [1, 1, 1], "B": [2, 2, 2]}))
    assert decide("better", tables, method="A", than=["B"]).printed == ""
    said = "The paper's own numbers contradict the claim at all 3 rows."
    assert decide("better", tables, method="B", than=["A"]).printed == said
    cells = dict(tables["t"].printed)
    cells["A", "20", "error"] = cells["B", "20", "error"]
    tables["t"] = tables["t"]._replace(printed=cells)
    tie = decide("better", tables, method="A", than=["B"])
    assert tie.printed == "The paper's own numbers only tie at 20."


def test_most_often():
    tables = table({"a": [6, 2, 6], "even": [6, 2, 6]}, noise=0, n_splits=30)
    assert decide("most_often", tables, method="a", value=6).outcome == "undecided"
    decision = decide("most_often", tables, method="a", value=2)
    assert decision.evidence.startswith("2 chosen 30 of 90 times, the next 60 times; p ")
    rows = decide("most_often", tables, method="a", value=6, settings=["10", "100"])
    assert rows.outcome == "holds"
    assert decide("most_often", tables, method="a", value=4).outcome == "does not hold"


@pytest.mark.parametrize(
    ("errors", "seconds", "outcome"),
    [
        ({"a": 1, "b": 2}, {"a": 5, "b": 1}, "holds"),
        ({"a": 2, "b": 1}, {"a": 1, "b": 5}, "holds"),
        ({"a": 2, "b": 1}, {"a": 5, "b": 1}, "does not hold"),
        ({"a": 1, "b": 1}, {"a": 1, "b": 1}, "undecided"),
    ],
)
def test_undominated(errors, seconds, outcome):
    times = table({name: [value] * 3 for name, value in seconds.items()}, metric="fit time")["t"]
    tables = table({name: [value] * 3 for name, value in errors.items()}) | {"s": times}
    decision = decide(
        "undominated", tables, setting="10", times="s", parts=["fit time"], times_setting="20",
        method="a", among={"b": "b"},
    )  # fmt: skip
    assert decision.outcome == outcome


def test_spread():
    rng = np.random.default_rng(1)
    values = rng.normal(size=20)
    values = (values - values.mean()) / values.std(ddof=1)
    rows = [("a", "10", k, "error", 5 + 0.1 * value) for k, value in enumerate(values)]
    frame = pd.DataFrame(rows, columns=["method", "setting", "split", "metric", "value"])

    def outcome(**bounds):
        return decide("spread", {"t": Table(frame)}, methods=["a"], **bounds).outcome

    assert outcome(at_most=0.3) == "holds"
    assert outcome(at_most=0.11) == "undecided"
    assert outcome(at_most=0.01) == "does not hold"
    assert outcome(at_least=0.03, at_most=0.3) == "holds"


def test_optima_differ():
    tables = table({"a": [1, 3, 1], "b": [2, 2, 2], "c": [3, 1, 3]})
    decision = decide("optima_differ", tables, methods=["a", "b", "c"])
    assert decision.outcome == "holds in part"
    assert "holds at 10 and 20, 20 and 100; undecided at 10 and 100" in decision.in_words()
    assert decision.evidence.endswith("least at a on 10; least at c on 20; least at a on 100")
    two = decide("optima_differ", tables, methods=["a", "c"], settings=["10", "20"])
    assert two.outcome == "holds"


def test_a_disturbed_run_counts_as_the_usual_one():
    fast, slow = [1.0, 1.01, 0.99, 1.02, 1.0], [1.1, 1.12, 1.09, 1.1, 1.11]
    rows = [("fast", k, t) for k, t in enumerate([*fast[:-1], 3.0])]
    rows += [("slow", k, t) for k, t in enumerate(slow)]
    frame = pd.DataFrame(rows, columns=["method", "split", "value"])
    frame = frame.assign(setting="10", metric="error")

    def outcome(**more):
        options = {"method": "fast", "than": "slow", "at_least": 1.0}
        return decide("ratio", {"t": Table(frame)}, **options, **more).outcome

    assert outcome() == "undecided"
    assert outcome(of="usual times") == "holds"


def test_best_beside_another_table():
    tables = table({"a": [4, 2, 3]}) | {"u": table({"b": [8, 9, 1]})["t"]}
    options = {"table": "t", "metrics": ["error"], "method": "a", "level": 0.05}
    beside = {"beside": "u", "others": ["b"]}
    worse = RULES["best"](tables, **options, **beside, rows={"100": "100"})
    assert worse.outcome == "does not hold"
    better = RULES["best"](tables, **options, **beside, rows={"10": "10", "20": "20"})
    assert better.outcome == "holds"
    assert better.evidence.startswith("a 2 (error, 20); b 8 (error, 10)")


def test_not_testable_gives_the_reason():
    decision = RULES["not_testable"]({}, reason="no such data")
    assert decision[:2] == ("not testable", "no such data")
