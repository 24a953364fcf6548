"""Stored tables as the parts of the report ask for them, and a guard for sentences in words."""

from functools import cache

import numpy as np

from reproduction.engine import Results, load

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
def _results_of(id):
    """A stored table and where it comes from, read once."""
    return Results(*load(id))


def frame_of(id):
    """A stored table."""
    return _results_of(id).frame


@cache
def means_of(id, metric):
    """Means over the splits, a row for each setting and a column for each method."""
    return _results_of(id).contrast(metric).means


def compare(id, method, reference, metric, level=STRICT, settings=None):
    """Whether a method is ahead of another one or behind it, by setting that has both."""
    contrast = _results_of(id).contrast(metric, level=level)
    tests = contrast.tests(method, reference, at=settings)
    sign = 1 if metric == "accuracy" else -1
    ahead, behind = (side * sign * tests["difference"] > 0 for side in (1, -1))
    tests = tests.assign(ahead=tests["significant"] & ahead, behind=tests["significant"] & behind)
    if "p_corrected" in tests:
        sure = tests["p_corrected"] < USUAL
        tests["surely ahead"], tests["surely behind"] = sure & ahead, sure & behind
    return tests


def percent(share, digits=0):
    """A share in percent, as LaTeX."""
    return f"{100 * share:.{digits}f}\\,\\%"


def table_row(*cells):
    """A row of a LaTeX table."""
    return " & ".join(map(str, cells)) + r" \\"
