"""Effects over splits, each with its interval, its p and how many splits would decide it."""

from functools import cache
from typing import NamedTuple

import numpy as np
from scipy import stats

from reproduction.statistics.order import least

__all__ = [
    "MOST_OVERLAP",
    "ROUNDING",
    "SAME",
    "Effect",
    "degenerate",
    "deviation_effect",
    "mean_effect",
    "rate_effect",
    "share_effect",
    "spread_effect",
    "student",
]

_MOST_SPLITS = 10_000


class Effect(NamedTuple):
    """An estimate, and what a test says of it.

    Attributes
    ----------
    value : float
        The estimate.
    low, high : float
        Ends of the interval of confidence 1 - level; NaN where one split leaves none, or equal
        splits.
    p : float
        Two-sided p of the test of `value` against a bound; NaN likewise.
    p_corrected : float
        The same of a test that allows for splits that overlap: the two-way test where values
        without groups of objects are known, else the corrected resampled t-test; NaN where there
        is none.
    n : int
        Number of splits.
    needed : float
        Least number of splits at which an effect of this size and spread would be significant;
        infinite above ten thousand, NaN where there is no spread to judge by.
    degenerate : str
        Why the values say nothing, see `degenerate`; empty where they do.
    """

    value: float
    low: float
    high: float
    p: float
    p_corrected: float
    n: int
    needed: float
    degenerate: str = ""


MOST_OVERLAP = 1.5
"""Bound of the ratio in the corrected test. Two splits are correlated at most as far as they test
the same objects, c, and then the right ratio is c / (1 - c). No table here tests more than six
tenths of its objects. With few training samples the test set over the training set is far more, up
to 90, and the corrected test blind."""

ROUNDING = 1e-9
"""Stored values have ten significant digits: a smaller relative spread is not variance."""


SAME = "the two methods give the same on every split"


def degenerate(a, b):
    """Why the values of two methods on the same splits can decide nothing; empty where they can.

    Two methods may be one at the parameter that was chosen; a method may predict the same class for
    everything, so that its error is the same on every split; differences may have no spread, which
    a test could take for certainty.
    """
    if len(a) < 2:
        return ""
    rounding = ROUNDING * max(np.abs(a).max(), np.abs(b).max())
    if np.abs(a - b).max() <= rounding:
        return SAME
    if min(np.ptp(a), np.ptp(b)) <= rounding:
        return "a method has the same value on every split"
    if np.ptp(a - b) <= rounding:
        return "the two methods differ by the same on every split"
    return ""


def student(values, *, bound=0.0, ratio=0.0):
    r"""Statistic and two-sided p of Student's t-test of a mean, or of the corrected resampled one.

    With mean m and standard deviation s of K values, :math:`t = (m - b) / (s \sqrt{1 / K + \rho})`,
    with the bound b and the ratio :math:`\rho` of the size of the test set to the training set's.
    """
    n = len(values)
    t = (values.mean() - bound) / (values.std(ddof=1) * np.sqrt(1 / n + ratio))
    return float(t), _p(abs(t), n - 1)


def mean_effect(values, *, bound=0.0, level=0.05, overlap=None, unit=1.0):
    r"""Mean over splits, in a unit, by Student's t-test against a bound in that unit.

    With mean m and standard deviation s of the K values the interval is :math:`m \pm t_{K-1} \, s /
    \sqrt K`; the corrected test takes :math:`s \sqrt{1 / K + \rho}` for the error of the mean, see
    `paired_t_test`. The overlap :math:`\rho` is the size of the test set over that of the training
    set, where splits overlap; at most `MOST_OVERLAP` of it counts.

    Examples
    --------
    >>> effect = mean_effect([1.0, 2.0, 3.0], level=0.05)
    >>> [round(number, 2) for number in effect[:4]]
    [2.0, -0.48, 4.48, 0.07]
    >>> effect.needed
    4.0
    """
    values = np.asarray(values, dtype=float) / unit
    n, mean = len(values), float(values.mean())
    if n < 2:
        return Effect(mean, *[np.nan] * 4, n, np.nan)
    if np.ptp(values) <= ROUNDING * max(1.0, np.abs(values).max()):
        p = 1.0 if np.isclose(mean, bound, rtol=0, atol=1e-9) else 0.0
        return Effect(mean, mean, mean, p, np.nan if overlap is None else p, n, np.nan)
    error = values.std(ddof=1)
    half = float(stats.t.isf(level / 2, n - 1) * error / np.sqrt(n))
    _, p = student(values, bound=bound)
    p_corrected = np.nan
    if overlap is not None:
        p_corrected = student(values, bound=bound, ratio=min(overlap, MOST_OVERLAP))[1]
    needed = 1 + _least_degrees(abs(mean - bound) / error, level)
    return Effect(mean, mean - half, mean + half, p, p_corrected, n, needed)


def deviation_effect(values, *, bounds=(0.0, np.inf), level=0.05):
    r"""Standard deviation over splits, by the chi-squared test.

    With standard deviation s of K values, :math:`(K - 1) s^2 / \sigma^2` has a chi-squared
    distribution with K - 1 degrees of freedom where values are normal. The test is against the
    bound that is nearer to the estimate on a logarithmic scale.

    Examples
    --------
    >>> effect = deviation_effect(np.array([1.0, 2.0, 3.0, 4.0]), bounds=(0.0, 0.1))
    >>> effect.p < 1e-3, effect.low < effect.value < effect.high
    (True, True)
    """
    values, n = np.asarray(values, dtype=float), len(values)
    if n < 2 or np.ptp(values) <= ROUNDING * np.abs(values).max():
        return Effect(0.0, *[np.nan] * 4, n, np.nan)
    deviation, degrees = values.std(ddof=1), n - 1
    squares = degrees * deviation**2
    low, high = (np.sqrt(squares / stats.chi2.isf(q, degrees)) for q in (level / 2, 1 - level / 2))
    ends = [end for end in bounds if 0 < end < np.inf]
    away = {end: abs(np.log(end / deviation)) for end in ends}
    bound = least(away) if ends else deviation
    tails = (tail(squares / bound**2, degrees) for tail in (stats.chi2.cdf, stats.chi2.sf))
    p = min(1.0, 2.0 * min(tails))
    return Effect(float(deviation), float(low), float(high), float(p), np.nan, n, np.nan)


def spread_effect(a, b, *, bound=1.0, level=0.05):
    r"""Ratio of the standard deviations of paired values, a's to b's, by the Pitman-Morgan test.

    The variances of a and c b are equal where a + c b and a - c b are uncorrelated: with their
    correlation r, :math:`t = r \sqrt{(K - 2) / (1 - r^2)}`. The interval is the one that goes with
    it; c is the bound.

    References
    ----------
    E. J. G. Pitman, "A note on normal correlation", Biometrika 31, 1939; W. A. Morgan, "A test
    for the significance of the difference between the two variances in a sample from a normal
    bivariate population", Biometrika 31, 1939.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> effect = spread_effect(rng.normal(size=50), 3 * rng.normal(size=50))
    >>> 0.2 < effect.low < effect.value < effect.high < 0.6
    True
    """
    a, b = np.asarray(a, dtype=float), np.asarray(b, dtype=float)
    n, spreads = len(a), (np.ptp(a), np.ptp(b))
    if n < 3 or min(spreads) == 0:
        return Effect(spreads[0] / spreads[1] if spreads[1] else 1.0, *[np.nan] * 4, n, np.nan)
    ratio = a.std(ddof=1) / b.std(ddof=1)
    r = np.corrcoef(a + bound * b, a - bound * b)[0, 1]
    slope = abs(r) / np.sqrt(1.0 - r**2)
    quantile = stats.t.isf(level / 2, n - 2)
    width = 1.0 + 2.0 * (1.0 - np.corrcoef(a, b)[0, 1] ** 2) * quantile**2 / (n - 2)
    low, high = (ratio * np.sqrt(width + side * np.sqrt(width**2 - 1)) for side in (-1, 1))
    p = _p(slope * np.sqrt(n - 2), n - 2)
    needed = 2 + _least_degrees(slope, level, more=0)
    return Effect(float(ratio), float(low), float(high), p, np.nan, n, needed)


def share_effect(a, b, n_test, *, level=0.05, unit=1.0):
    """Difference of two error rates in percent on one test set, as if on two of `n_test` objects.

    Errors on the same objects go together, which makes the true interval shorter: this one is on
    the safe side. It answers for the test set alone, not for another training set; `needed` counts
    test sets of this size.

    Examples
    --------
    >>> effect = share_effect(26.04, 28.80, 434)
    >>> round(effect.p, 2), round(effect.low, 1), round(effect.high, 1)
    (0.36, -8.7, 3.2)
    """
    shares = np.array([a, b]) / 100.0
    error = 100.0 * np.sqrt((shares * (1.0 - shares)).sum() / n_test)
    gap, quantile = a - b, stats.norm.isf(level / 2)
    half = float(quantile * error)
    p = float(2 * stats.norm.sf(abs(gap) / error)) if error else float(gap == 0)
    needed = np.ceil((half / gap) ** 2) if gap else np.inf
    ends = (gap / unit, (gap - half) / unit, (gap + half) / unit)
    return Effect(*ends, p, np.nan, 1, float(needed))


def rate_effect(value, n_test, *, bound, level=0.05):
    """Error rate in percent on one test set, by the exact binomial test against a bound.

    Examples
    --------
    >>> effect = rate_effect(25.0, 400, bound=34.5)
    >>> effect.p < 1e-3, round(effect.low), round(effect.high)
    (True, 21, 30)
    """
    test = stats.binomtest(round(value / 100.0 * n_test), n_test, bound / 100.0)
    low, high = 100.0 * np.array(test.proportion_ci(1.0 - level))
    return Effect(value, float(low), float(high), float(test.pvalue), np.nan, 1, np.nan)


def _least_degrees(size, level, *, more=1):
    """Least degrees of freedom v with size * sqrt(v + more) beyond the quantile."""
    degrees = np.arange(1, _MOST_SPLITS)
    enough = size * np.sqrt(degrees + more) > _quantiles(level)
    return float(degrees[enough][0]) if enough.any() else np.inf


@cache
def _quantiles(level):
    return stats.t.isf(level / 2, np.arange(1, _MOST_SPLITS))


def _p(t, degrees):
    return float(2 * stats.t.sf(t, degrees))
