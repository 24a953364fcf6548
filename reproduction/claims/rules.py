"""Rules that decide claims from tables of results: one small function each.

A rule takes tables of results by id and keyword arguments as they stand in the ledger, and gives
a `Decision`. Each one that compares means has a test at a stated level; the corrected resampled
t-test stands beside it where splits overlap. Where the paper prints the figures that a claim is
about, their difference stands beside ours.
"""

from itertools import combinations, pairwise

import numpy as np
import pandas as pd
from scipy import stats

from reproduction.claims.decisions import Comparison, Decision, judge, text_range
from reproduction.claims.values import Values, compare
from reproduction.statistics import least, most, to_digits
from reproduction.statistics.effects import (
    SAME,
    Effect,
    degenerate,
    deviation_effect,
    mean_effect,
    rate_effect,
    spread_effect,
)
from reproduction.statistics.summary import summarize

__all__ = ["RULES"]

_BELOW = (-np.inf, -1e-12)


def better(
    tables,
    *,
    table,
    metric,
    method,
    level,
    than=(),
    settings=None,
    lower_is_better=True,
    at_most_worse=0.0,
    control=None,
    n_test=None,
    beside=None,
    others=(),
):
    """A method is significantly better than each of the others, row by row. Where the claim names
    a share, the method may be worse by less than that. The tests are paired t-tests; where there is
    one test set, they compare two shares of its objects, on means over starts.

    Where a control is named, such as the method with shuffled labels, the evidence says what that
    does; it has no part in the outcome. Others may stand in a table beside this one, which has its
    rows and splits.
    """
    if beside is not None:
        joined = _join(tables[table], tables[beside], others)
        tables, than = tables | {table: joined}, (*than, *others)
    data, comparisons = Values(tables, table, metric), []
    sign = 1 if lower_is_better else -1
    inside = (-np.inf, at_most_worse) if at_most_worse else _BELOW
    for setting in data.settings(settings):
        nothing = data.says_nothing(setting, (method, *than), level)
        for other in than:
            effect = data.difference(
                method, other, setting, level, bound=at_most_worse, sign=sign, n_test=n_test
            )
            if at_most_worse and effect.degenerate == SAME:
                effect = effect._replace(low=0.0, high=0.0, degenerate="")  # as good, by choice
            size = data.printed_difference((setting, method), (setting, other), sign)
            comparisons.append(Comparison(setting, effect, inside, size, other, nothing))
    shown = {"show": _signed_percent, "scale": lambda value: sign * value}
    test = f"test of two shares, level {level:g}" if n_test else _paired(level)
    decision = judge(comparisons, test=test, level=level, what="difference", **shown)
    if control is None:
        return decision
    effects = [
        sign * data.difference(control, other, setting, level, sign=sign).value
        for setting in data.settings(settings)
        for other in than
    ]
    words = f"{control.split()[-1]} labels: difference {text_range(effects, _signed_percent)}"
    return decision._replace(evidence=f"{decision.evidence}; {words}")


def best(
    tables,
    *,
    table,
    metrics,
    method,
    level,
    than=(),
    n_test=None,
    settings=None,
    beside=None,
    rows=None,
    others=(),
):
    """The least mean of a method, over rows and metrics, is below the least mean of each other
    method (paired t-tests; where there is one split, tests of two shares of its test objects).

    Metrics are alternatives here, such as the errors of several classifiers of one representation;
    a method need not have all of them. That the least one is taken is not corrected for.

    Others may stand in a table beside this one, on the same splits: `rows` has the names here of
    its rows.
    """
    known = tables[table]
    frame, than = known.frame, (*than, *others)
    if beside is not None:
        more = tables[beside].frame
        more = more[more["setting"].isin(rows) & more["method"].isin(others)]
        frame = pd.concat([frame, more.assign(setting=more["setting"].map(rows))])
    frame = frame[frame["metric"].isin(metrics)]
    if settings is not None:
        frame = frame[frame["setting"].isin(settings)]
    lowest, printed, comparisons, names = {}, {}, [], []
    for name in (method, *than):
        summary = summarize(frame[frame["method"] == name])
        row = summary.loc[least(summary["mean"])]
        cell = frame[(frame["method"] == name) & (frame["setting"] == row["setting"])]
        lowest[name] = cell[cell["metric"] == row["metric"]].set_index("split")["value"]
        names.append(f"{name} {to_digits(row['mean']):.3g} ({row['metric']}, {row['setting']})")
        figures = [
            value
            for (own, setting, metric), value in known.printed.items()
            if own == name and metric in metrics and (settings is None or setting in settings)
        ]
        printed[name] = min(figures, default=np.nan)
    overlap = known.test_train_ratio.get(frame["setting"].iloc[0])
    for name in than:
        a, b = (one.to_numpy() for one in lowest[method].align(lowest[name], join="inner"))
        effect = compare(a, b, level, n_test=n_test, overlap=overlap)
        size = printed[method] / (printed[name] or np.nan) - 1
        comparisons.append(Comparison(name, effect, _BELOW, size))
    test = f"test of two shares, level {level:g}" if n_test else _paired(level)
    shown = {"what": "difference", "show": _signed_percent}
    decision = judge(comparisons, test=test, level=level, **shown)
    return decision._replace(evidence="; ".join(filter(None, [*names, decision.evidence])))


def ratio(tables, *, table, metric, method, than, at_least, level, of="means", settings=None):
    """The mean of another method is at least a stated number of times that of the method, row by
    row (paired t-tests of logarithms). Where the claim is about spreads, the standard deviation
    over splits is (Pitman-Morgan tests). Rows may have different rivals.

    ``of="spreads"`` says the latter. With ``of="usual times"`` a run that something has disturbed
    counts as the median one, see `_usual`.
    """
    data, comparisons = Values(tables, table, metric), []
    inside, bound = (np.log(at_least), np.inf), np.log(at_least)
    rivals = than if isinstance(than, dict) else dict.fromkeys(data.settings(settings), than)
    for setting, rival in rivals.items():
        a, b = data.common((setting, method), (setting, rival))
        if of == "usual times":
            a, b = _usual(a), _usual(b)
        size = -np.log1p(data.printed_difference((setting, method), (setting, rival)))
        if reason := degenerate(a, b):
            effect = Effect(0.0, *[np.nan] * 4, len(a), np.nan, reason)
        elif of == "spreads":
            effect, size = spread_effect(b, a, bound=at_least, level=level), np.nan
            value, low, high = np.log([effect.value, effect.low, effect.high])
            effect = effect._replace(value=value, low=low, high=high)
        else:
            overlap = data.overlap(setting)
            effect = mean_effect(np.log(b / a), bound=bound, level=level, overlap=overlap)
        nothing = data.says_nothing(setting, (method, rival), level)
        comparisons.append(Comparison(setting, effect, inside, size, rival, nothing))
    test = "Pitman-Morgan test" if of == "spreads" else "paired t-test of logarithms"
    what = "ratio of spreads" if of == "spreads" else "ratio"
    shown = {"what": what, "show": _three, "scale": np.exp}
    return judge(comparisons, test=f"{test}, level {level:g}", level=level, **shown)


def steps(tables, *, table, metric, method, level, at_most=0.0, settings=None):
    """The mean falls significantly from each row to the next. Where the claim names a share, the
    mean may grow by less than that (paired t-tests).
    """
    data, comparisons = Values(tables, table, metric), []
    inside = (-np.inf, at_most) if at_most else _BELOW
    for before, after in pairwise(data.settings(settings)):
        a, b = data.common((after, method), (before, method))
        effect = compare(a, b, level, bound=at_most, overlap=data.overlap(after))
        size = data.printed_difference((after, method), (before, method))
        # A step says something unless both of its ends do not.
        nothing = data.says_nothing(before, (method,), level)
        nothing = nothing and data.says_nothing(after, (method,), level)
        row = f"{before} to {after}"
        comparisons.append(Comparison(row, effect, inside, size, says_nothing=nothing))
    return judge(comparisons, test=_paired(level), level=level, what="step", show=_signed_percent)


def alike(
    tables, *, table, metric, methods, level, at_least=-np.inf, at_most=np.inf, settings=None
):
    """The largest mean of the named methods is above the smallest by at most a stated share, row by
    row: the methods are alike. Where the claim says that they are not, it is above by at least
    that share (paired t-tests).
    """
    data, inside, comparisons = Values(tables, table, metric), (at_least, at_most), []
    bound = at_most if np.isfinite(at_most) else at_least
    for setting in data.settings(settings):
        effect = data.extremes(methods, setting, level, bound)
        figures = [data.printed(setting, method) for method in methods]
        size = max(figures) / min(figures) - 1 if not np.isnan(figures).any() else np.nan
        nothing = data.says_nothing(setting, methods, level)
        comparisons.append(Comparison(setting, effect, inside, size, says_nothing=nothing))
    test = f"paired t-test against {bound:.0%}, level {level:g}".replace("%", " %")
    return judge(
        comparisons, test=test, level=level, what="largest mean above the smallest by",
        show=_signed_percent,
    )  # fmt: skip


def between(
    tables,
    *,
    table,
    metric,
    method,
    level,
    low=-np.inf,
    high=np.inf,
    n_test=None,
    each=False,
    settings=None,
):
    """The mean lies within stated bounds, row by row (t-tests; a binomial test where one test set
    has so many objects). Where the claim is about each split, every value does (no test).
    """
    data, inside = Values(tables, table, metric), (low, high)
    comparisons = []
    for setting in data.settings(settings):
        ours = data.of(setting, method)
        nothing = data.says_nothing(setting, (method,), level, of_level=True)
        if each:
            outside = np.maximum(low - ours, ours - high)
            worst = ours[most(outside)]
            effect = Effect(worst, worst, worst, np.nan, np.nan, len(ours), np.nan)
            size = data.printed(setting, method)
            comparisons.append(Comparison(setting, effect, inside, size, says_nothing=nothing))
            continue
        bound = least({end: abs(end - ours.mean()) for end in inside})
        if n_test:
            effect = rate_effect(ours.mean(), n_test, bound=bound, level=level)
        else:
            effect = mean_effect(ours, bound=bound, level=level, overlap=data.overlap(setting))
        printed = data.printed(setting, method)
        comparisons.append(Comparison(setting, effect, inside, printed, says_nothing=nothing))
    if each:
        what, test = "farthest value", "every split counts, no test"
    else:
        what = "mean"
        test = f"{'binomial test' if n_test else 't-test'} against {bound:g}, level {level:g}"
    return judge(comparisons, test=test, level=level, what=what, show=_three, neutral=np.nan)


def spread(tables, *, table, metric, methods, level, at_least=0.0, at_most=np.inf, settings=None):
    """The standard deviation over splits lies within bounds, for each method and row by row
    (chi-squared intervals).
    """
    data, inside, comparisons = Values(tables, table, metric), (at_least, at_most), []
    for setting in data.settings(settings):
        nothing = data.says_nothing(setting, methods, level)
        for method in methods:
            values = data.of(setting, method)
            effect = deviation_effect(values, bounds=inside, level=level)
            comparisons.append(
                Comparison(setting, effect, inside, rival=method, says_nothing=nothing)
            )
    shown = {"what": "standard deviation", "show": _three, "neutral": np.nan}
    return judge(comparisons, test=f"chi-squared test, level {level:g}", level=level, **shown)


def optima_differ(tables, *, table, metric, methods, level, settings=None):
    """Rows want different methods: the one with the least mean in a row is significantly worse in
    another row than the best one there. This is asked of every pair of rows, in one of the two
    directions (paired t-tests).
    """
    data, comparisons = Values(tables, table, metric), []
    chosen = data.settings(settings)
    best = {s: least({method: data.of(s, method).mean() for method in methods}) for s in chosen}
    for first, second in combinations(chosen, 2):
        effects = [
            data.difference(best[here], best[there], here, level)
            for here, there in ((first, second), (second, first))
        ]
        effect = effects[least([effect.high for effect in effects])]
        if best[first] == best[second]:
            effect = effect._replace(degenerate="the same is best in both")
        pair = f"{first} and {second}"
        nothing = [data.says_nothing(one, methods, level) for one in (first, second)]
        comparisons.append(
            Comparison(pair, effect, _BELOW, says_nothing=next(filter(None, nothing), ""))
        )
    decision = judge(
        comparisons, test=_paired(level), level=level, what="gain of the own optimum",
        show=_signed_percent,
    )  # fmt: skip
    words = "; ".join(f"least at {name} on {setting}" for setting, name in best.items())
    return decision._replace(evidence=f"{decision.evidence}; {words}")


def most_often(tables, *, table, metric, method, value, level, settings=None):
    """A value is chosen more often than any other, over some rows and all splits (binomial test
    against the next).
    """
    frame = tables[table].frame
    frame = frame[(frame["metric"] == metric) & (frame["method"] == method)]
    if settings is not None:
        frame = frame[frame["setting"].isin(settings)]
    counts = frame["value"].value_counts()
    count = int(counts.get(value, 0))
    other = int(counts.drop(value, errors="ignore").max()) if len(counts.index) > (count > 0) else 0
    test = stats.binomtest(count, max(count + other, 1))
    low, high = test.proportion_ci(1.0 - level)
    effect = Effect(
        count / max(count + other, 1), low, high, test.pvalue, np.nan, len(frame), np.nan
    )
    comparison = Comparison("all", effect, (0.5 + 1e-12, 1.0))
    description = f"binomial test against the next, level {level:g}"
    shown = {"what": "share of the two", "show": _three, "neutral": 0.5}
    decision = judge([comparison], test=description, level=level, **shown)
    chosen = f"{value:g} chosen {count} of {len(frame)} times, the next {other} times"
    return decision._replace(evidence=f"{chosen}; p {test.pvalue:.2g}")


def undominated(
    tables, *, table, metric, times, parts, times_setting, method, among, level, setting
):
    """Each other method has a significantly higher mean error, or a significantly longer sum of the
    named times. A run that something has disturbed counts as the median run.
    """
    errors, comparisons = Values(tables, table, metric), []
    frame = tables[times].frame
    frame = frame[(frame["setting"] == times_setting) & frame["metric"].isin(parts)]
    total = frame.pivot_table(index="split", columns="method", values="value", aggfunc="sum")
    for name, timed in among.items():
        worse = errors.difference(method, name, setting, level)
        slower = compare(_usual(total[method]), _usual(total[timed]), level)
        effect = (worse, slower)[least([worse.high, slower.high])]
        comparisons.append(Comparison(name, effect, _BELOW))
    test = f"{_paired(level)}, of the error or of the time"
    shown = {"what": "greater advantage", "show": _signed_percent}
    return judge(comparisons, test=test, level=level, **shown)


def not_testable(tables, *, reason):
    """Nothing that can be computed here decides the claim."""
    return Decision("not testable", reason)


RULES = {
    rule.__name__: rule
    for rule in (
        better,
        best,
        ratio,
        steps,
        alike,
        between,
        spread,
        optima_differ,
        most_often,
        undominated,
        not_testable,
    )
}


def _usual(times):
    """Times of runs, in which one that takes half as long again as the median run is the median:
    something else has disturbed it. Where nothing does, no time is touched.
    """
    times = np.asarray(times, dtype=float)
    middle = np.median(times)
    return np.where(times > 1.5 * middle, middle, times)


def _join(table, beside, methods):
    """A table with some methods of another one, which has its rows and splits."""
    frame, more = table.frame, beside.frame
    more = more[more["method"].isin(methods) & more["setting"].isin(frame["setting"])]
    frame = pd.concat([frame, more], ignore_index=True)
    return table._replace(frame=frame, printed={**beside.printed, **table.printed})


def _paired(level):
    return f"paired t-test, level {level:g}"


def _signed_percent(value):
    percent = 100 * to_digits(value)
    if abs(percent) < 0.05:
        return "0 %"
    return f"{percent:+.{0 if abs(percent) >= 10 else 1}f} %".replace("-", "−")


def _three(value):
    value = to_digits(value)
    digits = f"{value:.3g}"
    return (f"{value:.0f}" if 1e3 <= abs(value) < 1e6 else digits).replace("-", "−")
