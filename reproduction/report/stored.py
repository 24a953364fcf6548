"""Stored tables as the parts of the report ask for them, and a guard for sentences in words."""

from functools import cache

import numpy as np

from reproduction.engine import get_experiment, load
from reproduction.engine.store import groups_of_table
from reproduction.statistics import paired_t_test

SIZES = ("10", "20", "100", "300", "500")
"""Numbers of training molecules."""

STRICT, USUAL = 0.001, 0.05
"""Levels of tests: the 2018 paper's; that of the sound test, and of the other papers."""


class Untrue(ValueError):
    """A sentence of the paper that the results do not bear."""


def told(so, sentence):
    """Let a sentence stand as long as it is true."""
    if not np.all(so):
        raise Untrue(f"The paper says what is not so: {sentence}. Rewrite paper/paper.tex.")


@cache
def frame_of(id):
    """A stored table, read once."""
    return load(id)[0]


@cache
def means_of(id, metric):
    """Means over the splits, a row for each setting and a column for each method."""
    frame = frame_of(id)
    rows = frame[frame["metric"] == metric]
    return rows.pivot_table(index="setting", columns="method", values="value", sort=False)


def compare(id, method, reference, metric, level=STRICT, settings=None):
    """Whether a method is ahead of another one or behind it, by setting that has both."""
    facts = get_experiment(id).facts
    ratio = facts.test_train_ratio or None
    frame = frame_of(id)
    rows = frame[(frame["metric"] == metric) & frame["method"].isin([method, reference])]
    wanted = settings or rows.groupby("setting")["method"].nunique().loc[lambda n: n == 2].index
    tests = paired_t_test(
        rows[rows["setting"].isin(wanted)],
        method,
        reference,
        metric=metric,
        level=level,
        test_train_ratio=ratio,
        groups=groups_of_table(id),
        train_share=facts.train_share,
    )
    sign = 1 if metric == "accuracy" else -1
    tests["ahead"] = tests["significant"] & (sign * tests["difference"] > 0)
    tests["behind"] = tests["significant"] & (sign * tests["difference"] < 0)
    if ratio:
        sure = tests["p_corrected"] < USUAL
        tests["surely ahead"] = sure & (sign * tests["difference"] > 0)
        tests["surely behind"] = sure & (sign * tests["difference"] < 0)
    return tests


def percent(share, digits=0):
    """A share in percent, as LaTeX."""
    return f"{100 * share:.{digits}f}\\,\\%"


def table_row(*cells):
    """A row of a LaTeX table."""
    return " & ".join(map(str, cells)) + r" \\"
