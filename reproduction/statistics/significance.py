"""Significance of the difference of two methods over repeated splits."""

from collections.abc import Mapping

import numpy as np
import pandas as pd

from reproduction.statistics.effects import MOST_OVERLAP, ROUNDING, student
from reproduction.statistics.order import gap, to_digits
from reproduction.statistics.two_way import two_way_effect


def paired_t_test(
    frame,
    method,
    reference,
    *,
    metric,
    level=1e-3,
    test_train_ratio=None,
    groups=None,
    train_share=None,
):
    r"""Paired t-tests of a method against a reference, one per setting.

    With d_k the difference (method minus reference) on split k, its mean :math:`\bar d` and its
    standard deviation s over the K splits,

    .. math:: t = \frac{\bar d}{s \sqrt{1 / K + \rho}}, \qquad p = 2 P(T_{K - 1} > |t|).

    Student's test has :math:`\rho = 0` and takes the splits for independent. They are not: random
    splits share test objects and training objects, which makes s too small. Where test objects
    decide how much splits differ, Student's test is far too generous; with a few training samples
    it nearly keeps its level. The corrected resampled test has :math:`\rho = n_{test} / n_{train}`,
    which is far too strict there. `two_way_effect` keeps its level in both cases, and needs the
    values without each group of objects.

    Parameters
    ----------
    frame : DataFrame
        Table of results, as `run` returns it.
    method, reference : str
        Labels of the two methods.
    metric : str
        The metric to compare.
    level : float, default=1e-3
        A difference is called significant when p is below it. The default is the paper's.
    test_train_ratio : float or mapping of setting to float, default=None
        Size of the test set divided by the size of the training set, of which `MOST_OVERLAP` counts
        at most. None: Student's test only.
    groups : DataFrame, default=None
        Values without each group of objects, as from `load_groups`: where it has both methods, the
        two-way test takes the corrected one's place.
    train_share : mapping of setting to float, default=None
        Size of the training set over that of the sample, for the two-way test.

    Returns
    -------
    tests : DataFrame of shape (n_settings, 4) or (n_settings, 7)
        Indexed by setting: ``difference`` (mean), ``t``, ``p``, ``significant``, and the last
        three once more with the suffix ``_corrected`` when `test_train_ratio` is given.

    Raises
    ------
    ValueError
        When a method or the metric is not in the table, or the two methods do not share the
        same splits, at least two.

    Notes
    -----
    The tests are two-sided. Where all splits have the same difference, s is zero: then p is 1
    when the difference is zero too, and 0 otherwise.

    References
    ----------
    The paper marks the best method of a row when Student's t-test at level 0.001 finds it
    different (section 6). The correction: C. Nadeau and Y. Bengio, "Inference for the
    generalization error", Machine Learning 52, 2003.

    Examples
    --------
    >>> import pandas as pd
    >>> frame = pd.DataFrame({
    ...     "method": ["a"] * 3 + ["b"] * 3, "setting": "10", "split": [0, 1, 2] * 2,
    ...     "metric": "error", "value": [1.0, 2.0, 4.0, 0.0, 0.0, 1.0],
    ... })
    >>> paired_t_test(frame, "a", "b", metric="error").loc["10", ["difference", "t"]].round(3)
    difference    2.000
    t             3.464
    Name: 10, dtype: float64
    """
    if not 0 < level < 1:
        raise ValueError(f"level must be between 0 and 1; got {level!r}.")
    values = _pivot(frame, metric)
    for name, label in {"method": method, "reference": reference}.items():
        if label not in values.columns:
            raise ValueError(f"{name} must be one of {list(values.columns)}; got {label!r}.")
    rows = []
    for setting, pair in values[[method, reference]].groupby("setting", sort=False):
        if pair.isna().any(axis=None) or len(pair) < 2:
            raise ValueError(
                f"{method} and {reference} must share the same splits, at least two, in setting "
                f"{setting}; got {dict(pair.count())}."
            )
        a, b = pair.to_numpy().T
        t, p = _t_test(a, b)
        row = {"setting": setting, "difference": to_digits(gap(np.mean(a), np.mean(b)))}
        row |= {"t": t, "p": p, "significant": p < level}
        if test_train_ratio is not None:
            t, p = _t_test(a, b, min(_ratio(test_train_ratio, setting), MOST_OVERLAP))
            without = differences_without(groups, method, reference, setting, metric)
            if without is not None and len(without) == len(a) and 0 < p < 1:  # they differ
                shared = (train_share or {}).get(setting, 0.0)
                p = two_way_effect(a - b, without, shared=shared, level=level).p
                t = np.nan
            row |= {"t_corrected": t, "p_corrected": p, "significant_corrected": p < level}
        rows.append(row)
    return pd.DataFrame(rows).set_index("setting")


def differences_without(groups, method, reference, setting, metric):
    """Differences (K, G) of two methods on each split, in order, without each group of objects.

    They are None where a method has no rows, or a table no groups.
    """
    if groups is None:
        return None
    rows = groups[(groups["setting"] == setting) & (groups["metric"] == metric)]
    rows = rows.drop(columns=["setting", "metric"]).set_index(["method", "split"])
    if not {method, reference} <= {*rows.index.get_level_values("method")}:
        return None
    return (rows.loc[method] - rows.loc[reference]).dropna().sort_index().to_numpy()


def _pivot(frame, metric):
    """Values with a row per (setting, split) and a column per method, in the table's order."""
    rows = frame[frame["metric"] == metric]
    if rows.empty:
        known = list(frame["metric"].unique())
        raise ValueError(f"metric must be one of {known}; got {metric!r}.")
    wide = rows.pivot(index=["setting", "split"], columns="method", values="value")
    return wide.reindex(
        index=rows["setting"].unique(), level="setting", columns=rows["method"].unique()
    )


def _ratio(test_train_ratio, setting):
    ratio = test_train_ratio
    if isinstance(ratio, Mapping):
        if setting not in ratio:
            raise ValueError(f"test_train_ratio has no value for setting {setting!r}.")
        ratio = ratio[setting]
    if not ratio > 0:
        raise ValueError(f"test_train_ratio must be positive; got {ratio!r}.")
    return ratio


def _t_test(a, b, ratio=0.0):
    """Statistic and two-sided p of the paired difference a - b."""
    d = a - b
    rounding = ROUNDING * max(np.abs(a).max(), np.abs(b).max())
    if np.ptp(d) <= rounding:
        return (np.copysign(np.inf, d[0]), 0.0) if abs(d[0]) > rounding else (0.0, 1.0)
    return student(d, ratio=ratio)
