"""Rules that decide claims from tables of results: one small function each.

A rule takes tables of results by id and keyword arguments as they stand in the ledger, and gives
a `Decision`. It never sees what the paper concluded.
"""

from itertools import combinations
from typing import NamedTuple

import numpy as np

from reproduction.statistics.significance import paired_t_test
from reproduction.statistics.summary import read_paper, summarize

__all__ = ["RULES", "VERDICTS", "Decision"]

VERDICTS = ("reproduced", "partly", "not reproduced", "not testable", "undecided")


class Decision(NamedTuple):
    """What a rule finds.

    Attributes
    ----------
    verdict : {"reproduced", "partly", "not reproduced", "not testable", "undecided"}
        "partly": in some of the claimed rows. "undecided": the table has not been re-run.
    evidence : str
        The finding in numbers, or the reason.
    """

    verdict: str
    evidence: str


def better(tables, *, table, metric, method, than, settings=None, level=1e-3, lower_is_better=True):
    """A method is significantly better than each of others, row by row (paired t-tests)."""
    frame = tables[table]
    settings = _settings(frame, settings)
    frame = frame[frame["setting"].isin(settings)]  # elsewhere there may be a single split
    holds, opposite, gaps = set(settings), set(), []
    for reference in than:
        tests = paired_t_test(frame, method, reference, metric=metric, level=level).loc[settings]
        lower = tests["difference"] < 0
        wins = tests["significant"] & (lower == lower_is_better)
        losses = tests["significant"] & (lower != lower_is_better)
        holds &= set(tests.index[wins])
        opposite |= set(tests.index[losses])
        gaps += list(tests["difference"])
    evidence = [f"difference {_interval(gaps, '+.3f')}"]
    evidence += [f"better at {_list(settings, holds)}"] if holds else []
    evidence += [f"worse at {_list(settings, opposite)}"] if opposite else []
    return Decision(_word(holds, settings), "; ".join(evidence))


def indistinguishable(tables, *, table, metric, methods, settings=None, level=1e-3):
    """No two of the methods differ significantly, row by row (paired t-tests)."""
    frame = tables[table]
    settings = _settings(frame, settings)
    holds = set(settings)
    for method, reference in combinations(methods, 2):
        tests = paired_t_test(frame, method, reference, metric=metric, level=level)
        holds -= set(tests.index[tests["significant"]])
    gaps = _means(frame, metric, settings)[list(methods)]
    spread = gaps.max(axis=1) - gaps.min(axis=1)
    evidence = f"means lie {_interval(spread, '.3f')} apart"
    if differ := set(settings) - holds:
        evidence += f"; significant differences at {_list(settings, differ)}"
    return Decision(_word(holds, settings), evidence)


def decreasing(tables, *, table, metric, method, settings=None):
    """The mean falls from each row to the next."""
    frame = tables[table]
    settings = _settings(frame, settings)
    means = _means(frame, metric, settings)[method]
    falls = set(means.index[1:][means.diff().to_numpy()[1:] < 0])
    path = ", ".join(f"{value:.3f}" for value in means)
    return Decision(_word(falls, settings[1:]), f"means {path}")


def ratio(tables, *, table, metric, method, than, at_least, settings=None):
    """The mean of another method is at least so many times that of the method, row by row."""
    frame = tables[table]
    settings = _settings(frame, settings)
    means = _means(frame, metric, settings)
    ratios = means[than] / means[method]
    holds = set(ratios.index[ratios >= at_least])
    return Decision(_word(holds, settings), f"ratio {_interval(ratios, '.3g')}")


def steadier(tables, *, table, metric, method, than, settings=None):
    """The standard deviation over splits is smaller than another method's, row by row."""
    frame = tables[table]
    settings = _settings(frame, settings)
    spread = _pivot(frame, metric, "std").loc[settings]
    holds = set(spread.index[spread[method] < spread[than]])
    ratios = spread[method] / spread[than]
    return Decision(_word(holds, settings), f"ratio of spreads {_interval(ratios, '.2g')}")


def level(tables, *, table, metric, method, printed, tolerance, settings=None):
    """The mean is within a relative tolerance of the printed one, row by row."""
    frame = tables[table]
    settings = _settings(frame, settings)
    ours = _means(frame, metric, settings)[method]
    paper = read_paper(table)
    paper = paper[(paper["method"] == printed) & (paper["metric"] == metric)]
    ratios = ours / paper.set_index("setting").loc[settings, "mean"]
    holds = set(ratios.index[abs(ratios - 1) <= tolerance])
    return Decision(_word(holds, settings), f"ours / printed {_interval(ratios, '.2f')}")


def stable(tables, *, table, metric, methods, tolerance, settings=None):
    """The means of some methods are within a relative tolerance of each other, row by row."""
    frame = tables[table]
    settings = _settings(frame, settings)
    means = _means(frame, metric, settings)[list(methods)]
    ratios = means.max(axis=1) / means.min(axis=1)
    holds = set(ratios.index[ratios <= 1 + tolerance])
    evidence = f"largest / smallest mean {_interval(ratios, '.2f')}"
    if beyond := set(settings) - holds:
        evidence += f"; beyond it at {_list(settings, beyond)}"
    return Decision(_word(holds, settings), evidence)


def at_most(tables, *, table, metric, method, bound, settings=None):
    """The mean does not exceed a bound, row by row."""
    frame = tables[table]
    settings = _settings(frame, settings)
    means = _means(frame, metric, settings)[method]
    holds = set(means.index[means <= bound])
    return Decision(_word(holds, settings), f"means {_interval(means, '.3g')}")


def lowest(tables, *, table, metric, method, among, settings=None):
    """The mean is not above that of any other method, row by row."""
    frame = tables[table]
    settings = _settings(frame, settings)
    means = _means(frame, metric, settings)
    ratios = means[method] / means[list(among)].min(axis=1)
    holds = set(ratios.index[ratios <= 1.0])
    evidence = f"mean / least of the others {_interval(ratios, '.3f')}"
    if above := set(settings) - holds:
        evidence += f"; above it at {_list(settings, above)}"
    return Decision(_word(holds, settings), evidence)


def best(tables, *, table, metrics, method, than, settings=None):
    """The least mean over rows and metrics is below the least one of each of others.

    Metrics are alternatives here, such as the errors of several classifiers of one representation;
    a method need not have all of them.
    """
    frame = tables[table]
    settings = _settings(frame, settings)
    summary = summarize(frame[frame["setting"].isin(settings) & frame["metric"].isin(metrics)])
    least = {
        name: summary.loc[summary[summary["method"] == name]["mean"].idxmin()]
        for name in (method, *than)
    }
    holds = {name for name in than if least[method]["mean"] < least[name]["mean"]}
    evidence = "; ".join(
        f"{name} {row['mean']:.3g} ({row['metric']}, {row['setting']})"
        for name, row in least.items()
    )
    return Decision(_word(holds, than), evidence)


def growth(tables, *, table, metric, method, at_most, settings=None):
    """The mean grows at most like a power of the row's number, from the first to the last row."""
    frame = tables[table]
    settings = _settings(frame, settings)
    means = _means(frame, metric, settings)[method]
    rows, sizes = (settings[0], settings[-1]), np.array([settings[0], settings[-1]], float)
    power = np.log(means[rows[1]] / means[rows[0]]) / np.log(sizes[1] / sizes[0])
    verdict = "reproduced" if power <= at_most else "not reproduced"
    return Decision(verdict, f"power {power:.2f} from {rows[0]} to {rows[1]}")


def most_often(tables, *, table, metric, method, value):
    """A value is the one that is chosen most often over all rows and splits."""
    frame = tables[table]
    chosen = frame[(frame["metric"] == metric) & (frame["method"] == method)]["value"]
    counts = chosen.value_counts()
    times = int(counts.get(value, 0))
    evidence = f"{value:g} chosen {times} of {len(chosen)} times, {counts.index[0]:g} most often"
    return Decision("reproduced" if times == counts.max() else "not reproduced", evidence)


def not_testable(tables, *, reason):
    """Nothing that can be computed here decides the claim."""
    return Decision("not testable", reason)


RULES = {
    rule.__name__: rule
    for rule in (
        better,
        indistinguishable,
        decreasing,
        ratio,
        steadier,
        level,
        stable,
        at_most,
        lowest,
        best,
        growth,
        most_often,
        not_testable,
    )
}


def _settings(frame, settings):
    known = list(frame["setting"].unique())
    if settings is None:
        return known
    missing = [setting for setting in settings if setting not in known]
    if missing:
        raise ValueError(f"settings must be among {known}; got {missing}.")
    return list(settings)


def _pivot(frame, metric, statistic):
    summary = summarize(frame).query("metric == @metric")
    return summary.pivot(index="setting", columns="method", values=statistic)


def _means(frame, metric, settings):
    return _pivot(frame, metric, "mean").loc[settings]


def _word(holds, settings):
    if len(holds) == len(settings):
        return "reproduced"
    return "partly" if holds else "not reproduced"


def _interval(values, spec):
    low, high = (format(value, spec) for value in (min(values), max(values)))
    return low if low == high else f"{low} to {high}"


def _list(settings, some):
    """The settings that are among `some`, in order."""
    return ", ".join(setting for setting in settings if setting in some)
