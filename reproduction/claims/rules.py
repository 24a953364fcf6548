"""Rules that decide claims from tables of results: one small function each.

A rule takes tables of results by id and keyword arguments as they stand in the ledger, and gives
a `Decision`. Each one that compares means has a test at a stated level; the corrected resampled
t-test stands beside it where splits overlap. Where the paper prints the figures that a claim is
about, their difference is the claimed size, which an interval can exclude.
"""

from itertools import combinations, pairwise

import numpy as np
from scipy import stats

from reproduction import paths
from reproduction.claims.decisions import Comparison, Decision, judge, text_range
from reproduction.claims.values import Values
from reproduction.statistics.effects import Effect, mean_effect, rate_effect, share_effect
from reproduction.statistics.effects import spread_effect as compare_spreads
from reproduction.statistics.summary import summarize

__all__ = ["RULES"]

_BELOW = (-np.inf, -1e-12)


def better(
    tables,
    *,
    table,
    metric,
    method,
    than,
    level,
    settings=None,
    lower_is_better=True,
    control=None,
    n_test=None,
):
    """A method is significantly better than each of others, row by row (paired t-tests; where
    there is one test set, of the shares of so many objects, mean over starts).

    Where a control is named, such as the method with shuffled labels, the evidence says what that
    does; it has no part in the verdict.
    """
    data, comparisons = Values(tables, table, metric), []
    sign = 1 if lower_is_better else -1
    for setting in data.settings(settings):
        for other in than:
            effect = data.difference(method, other, setting, level, sign=sign, n_test=n_test)
            size = data.printed_difference((method, setting), (other, setting), sign)
            claimed = _from_size(size, data.sizes_count)
            comparisons.append(Comparison(setting, effect, _BELOW, claimed, size))
    shown = {"show": _signed_percent, "scale": lambda value: sign * value}
    test = f"test of two shares, level {level:g}" if n_test else _paired(level)
    decision = judge(comparisons, test=test, what="difference", **shown)
    if control is None:
        return decision
    effects = [
        sign * data.difference(control, other, setting, level, sign=sign).value
        for setting in data.settings(settings)
        for other in than
    ]
    told = f"{control.split()[-1]} labels: difference {text_range(effects, _signed_percent)}"
    return decision._replace(evidence=f"{decision.evidence}; {told}")


def no_worse(tables, *, table, metric, method, than, margin, level, settings=None):
    """The mean exceeds none of others by more than a share, row by row (paired t-tests)."""
    data, inside = Values(tables, table, metric), (-np.inf, margin)
    comparisons = [
        Comparison(
            setting, data.difference(method, other, setting, level, bound=margin), inside, inside
        )
        for setting in data.settings(settings)
        for other in than
    ]
    return judge(comparisons, test=_paired(level), what="difference", show=_signed_percent)


def indistinguishable(tables, *, table, metric, methods, margin, level, settings=None):
    """No two of the methods differ by more than a share, row by row (equivalence tests)."""
    data, inside = Values(tables, table, metric), (-margin, margin)
    comparisons = []
    for setting in data.settings(settings):
        for a, b in combinations(methods, 2):
            nearer = np.copysign(margin, data.difference(a, b, setting, level).value)
            effect = data.difference(a, b, setting, level, bound=nearer)
            comparisons.append(Comparison(setting, effect, inside, inside))
    test = f"paired t-tests against a margin of {margin:.0%}, level {level:g}"
    return judge(comparisons, test=test, what="difference", show=_signed_percent)


def decreasing(tables, *, table, metric, method, level, settings=None):
    """The mean falls significantly from each row to the next (paired t-tests)."""
    data, comparisons = Values(tables, table, metric), []
    for before, after in pairwise(data.settings(settings)):
        a, b = data.common((after, method), (before, method))
        size = data.printed_difference((method, after), (method, before))
        effect = mean_effect(a - b, level=level, overlap=data.overlap(after), unit=b.mean())
        claimed = _from_size(size, data.sizes_count)
        comparisons.append(Comparison(f"{before} to {after}", effect, _BELOW, claimed, size))
    return judge(comparisons, test=_paired(level), what="step", show=_signed_percent)


def ratio(tables, *, table, metric, method, than, at_least, level, settings=None):
    """The mean of another method is at least so many times that of the method, row by row (paired
    t-tests of logarithms).
    """
    data, inside = Values(tables, table, metric), (-np.inf, -np.log(at_least))
    comparisons = []
    for setting in data.settings(settings):
        a, b = data.common((setting, method), (setting, than))
        effect = mean_effect(
            np.log(a / b), bound=inside[1], level=level, overlap=data.overlap(setting)
        )
        size = np.log1p(data.printed_difference((method, setting), (than, setting)))
        comparisons.append(Comparison(setting, effect, inside, inside, size))
    test = f"paired t-test of logarithms, level {level:g}"
    return judge(comparisons, test=test, what="ratio", show=_three, scale=lambda x: np.exp(-x))


def steadier(tables, *, table, metric, method, than, level, at_most=1.0, settings=None):
    """The standard deviation over splits is at most so many times another method's, row by row
    (Pitman-Morgan tests).
    """
    data, inside = Values(tables, table, metric), (-np.inf, at_most)
    comparisons = []
    for setting in data.settings(settings):
        a, b = data.common((setting, method), (setting, than))
        effect = compare_spreads(a, b, bound=at_most, level=level)
        comparisons.append(Comparison(setting, effect, inside, inside))
    test = f"Pitman-Morgan test, level {level:g}"
    return judge(comparisons, test=test, what="ratio of spreads", show=_three)


def near(tables, *, table, metric, method, tolerance, level, settings=None):
    """The mean is within a relative tolerance of the printed one, row by row (t-tests)."""
    data, inside = Values(tables, table, metric), (1 - tolerance, 1 + tolerance)
    comparisons = []
    for setting in data.settings(settings):
        printed = data.printed[method, setting, metric]
        ours = data.of(setting, method)
        bound = inside[int(ours.mean() > printed)]
        options = {"bound": bound, "level": level, "overlap": data.overlap(setting)}
        effect = mean_effect(ours, unit=printed, **options)
        comparisons.append(Comparison(setting, effect, inside, inside, 1.0))
    test = f"t-test against a tolerance of {tolerance:.0%}, level {level:g}"
    return judge(comparisons, test=test, what="ours / printed", show=_three)


def stable(tables, *, table, metric, methods, tolerance, level, settings=None):
    """The largest mean of some methods exceeds the least by at most a share, row by row (paired
    t-tests).
    """
    data, inside = Values(tables, table, metric), (-np.inf, tolerance)
    comparisons = [
        Comparison(setting, data.extremes(methods, setting, level, tolerance), inside, inside)
        for setting in data.settings(settings)
    ]
    test = f"paired t-test against a tolerance of {tolerance:.0%}, level {level:g}"
    return judge(comparisons, test=test, what="largest over least", show=_signed_percent)


def differing(tables, *, table, metric, methods, margin, level, settings=None):
    """The largest mean of some methods exceeds the least by more than a share, row by row (paired
    t-tests).
    """
    data, inside = Values(tables, table, metric), (margin, np.inf)
    comparisons = [
        Comparison(setting, data.extremes(methods, setting, level, margin), inside, inside)
        for setting in data.settings(settings)
    ]
    test = f"paired t-test against {margin:.0%}, level {level:g}"
    return judge(comparisons, test=test, what="largest over least", show=_signed_percent)


def between(
    tables, *, table, metric, method, level, low=-np.inf, high=np.inf, n_test=None, settings=None
):
    """The mean lies within bounds, row by row (t-tests; a binomial test where one test set has
    so many objects).
    """
    data, inside = Values(tables, table, metric), (low, high)
    comparisons = []
    for setting in data.settings(settings):
        ours = data.of(setting, method)
        bound = high if np.isinf(low) or abs(high - ours.mean()) < abs(low - ours.mean()) else low
        if n_test:
            effect = rate_effect(ours.mean(), n_test, bound=bound, level=level)
        else:
            effect = mean_effect(ours, bound=bound, level=level, overlap=data.overlap(setting))
        comparisons.append(Comparison(setting, effect, inside, inside))
    test = f"{'binomial test' if n_test else 't-test'} against {bound:g}, level {level:g}"
    return judge(comparisons, test=test, what="mean", show=_three)


def best(tables, *, table, metrics, method, than, level, n_test=None, settings=None):
    """The least mean over rows and metrics is below the least one of each of others (paired
    t-tests; where there is one split, of the shares of so many test objects).

    Metrics are alternatives here, such as the errors of several classifiers of one representation;
    a method need not have all of them. That the least one is taken is not corrected for.
    """
    known = tables[table]
    frame = known.frame[known.frame["metric"].isin(metrics)]
    if settings is not None:
        frame = frame[frame["setting"].isin(settings)]
    least, claimed, comparisons, names = {}, {}, [], []
    for name in (method, *than):
        summary = summarize(frame[frame["method"] == name])
        row = summary.loc[summary["mean"].idxmin()]
        cell = frame[(frame["method"] == name) & (frame["setting"] == row["setting"])]
        least[name] = cell[cell["metric"] == row["metric"]].set_index("split")["value"]
        names.append(f"{name} {row['mean']:.3g} ({row['metric']}, {row['setting']})")
        figures = [
            value
            for (own, setting, metric), value in known.printed.items()
            if own == name and metric in metrics and (settings is None or setting in settings)
        ]
        claimed[name] = min(figures, default=np.nan)
    for name in than:
        a, b = least[method].align(least[name], join="inner")
        size = claimed[method] / (claimed[name] or np.nan) - 1
        if n_test:
            effect = share_effect(a.mean(), b.mean(), n_test, level=level, unit=b.mean())
        else:
            ratio_ = known.test_train_ratio.get(frame["setting"].iloc[0])
            effect = mean_effect((a - b).to_numpy(), level=level, overlap=ratio_, unit=b.mean())
        claims = _from_size(size, known.sizes_count)
        comparisons.append(Comparison(name, effect, _BELOW, claims, size))
    test = f"test of two shares, level {level:g}" if n_test else _paired(level)
    decision = judge(comparisons, test=test, what="difference", show=_signed_percent)
    return decision._replace(evidence="; ".join(filter(None, [*names, decision.evidence])))


def growth(tables, *, table, metric, method, at_most, level, settings=None):
    """The mean grows at most like a power of the row's number, from the first to the last row
    (t-test of the power).
    """
    data, inside = Values(tables, table, metric), (-np.inf, at_most)
    rows = data.settings(settings)
    first, last = rows[0], rows[-1]
    a, b = data.common((last, method), (first, method))
    powers = np.log(a / b) / np.log(float(last) / float(first))
    effect = mean_effect(powers, bound=at_most, level=level)
    one = Comparison(f"{first} to {last}", effect, inside, inside)
    return judge([one], test=f"t-test, level {level:g}", what="power", show=_three)


def most_often(tables, *, table, metric, method, value, level, settings=None):
    """A value is chosen more often than any other, over some rows and all splits (binomial test
    against the next).
    """
    frame = tables[table].frame
    frame = frame[(frame["metric"] == metric) & (frame["method"] == method)]
    if settings is not None:
        frame = frame[frame["setting"].isin(settings)]
    counts = frame["value"].value_counts()
    own = int(counts.get(value, 0))
    other = int(counts.drop(value, errors="ignore").max()) if len(counts.index) > (own > 0) else 0
    test = stats.binomtest(own, max(own + other, 1))
    low, high = test.proportion_ci(1.0 - level)
    effect = Effect(own / max(own + other, 1), low, high, test.pvalue, np.nan, len(frame), np.nan)
    one = Comparison("all", effect, (0.5, 1.0), (0.5, 1.0))
    description = f"binomial test against the next, level {level:g}"
    decision = judge([one], test=description, what="share of the two", show=_three)
    chosen = f"{value:g} chosen {own} of {len(frame)} times, the next {other} times"
    return decision._replace(evidence=f"{chosen}; p {test.pvalue:.2g}")


def undominated(
    tables, *, table, metric, times, parts, times_setting, method, among, level, setting
):
    """Each other method is significantly worse in the mean or slower in the sum of some times."""
    errors, comparisons = Values(tables, table, metric), []
    frame = tables[times].frame
    frame = frame[(frame["setting"] == times_setting) & frame["metric"].isin(parts)]
    total = frame.pivot_table(index="split", columns="method", values="value", aggfunc="sum")
    for name, timed in among.items():
        worse = errors.difference(method, name, setting, level)
        gaps = (total[method] - total[timed]).to_numpy()
        slower = mean_effect(gaps, unit=total[timed].mean(), level=level)
        effect = min(worse, slower, key=lambda effect: effect.high)
        comparisons.append(Comparison(name, effect, _BELOW, _BELOW))
    test = f"{_paired(level)}, of the error or of the time"
    return judge(comparisons, test=test, what="greater advantage", show=_signed_percent)


def asserted(tables, *, notebook, assertion, holds):
    """A computation in a chapter decides: it holds or refutes the claim, by an assertion there."""
    text = (paths.CHECKOUT / "notebooks" / f"{notebook}.py").read_text(encoding="utf-8")
    if assertion not in text:
        return Decision("undecided", f"{notebook} no longer asserts {assertion!r}")
    verdict = "reproduced" if holds else "not reproduced"
    return Decision(verdict, f"the chapter asserts {assertion!r}", "assertion in a chapter")


def not_testable(tables, *, reason):
    """Nothing that can be computed here decides the claim."""
    return Decision("not testable", reason)


RULES = {
    rule.__name__: rule
    for rule in (
        better,
        no_worse,
        indistinguishable,
        decreasing,
        ratio,
        steadier,
        near,
        stable,
        differing,
        between,
        best,
        growth,
        most_often,
        undominated,
        asserted,
        not_testable,
    )
}


def _from_size(size, counts):
    """Where a claimed effect puts an interval: at its size or beyond, or below zero."""
    return (-np.inf, size) if counts and size < 0 else _BELOW


def _paired(level):
    return f"paired t-test, level {level:g}"


def _signed_percent(value):
    percent = 100 * value
    return f"{percent:+.{0 if abs(percent) >= 10 else 1}f} %".replace("-", "−")


def _three(value):
    digits = f"{value:.3g}"
    return (f"{value:.0f}" if 1e3 <= abs(value) < 1e6 else digits).replace("-", "−")
