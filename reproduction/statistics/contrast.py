"""What a table of results says of its methods, in sentences that are true or raise an error."""

from collections.abc import Mapping
from functools import cached_property
from itertools import pairwise, product
from numbers import Integral

import numpy as np
import pandas as pd

from reproduction.statistics.order import to_digits
from reproduction.statistics.significance import paired_t_test

__all__ = ["Contrast", "mean_table"]

_ANSWERS = {True: "yes", False: "no"}


def mean_table(frame, metric):
    """Means over splits, a row for each setting and a column for each method.

    Parameters
    ----------
    frame : DataFrame
        Table of results, as `run` returns it, or a printed one, as from `read_paper`.
    metric : str
        Which of its metrics.

    Returns
    -------
    means : DataFrame
        Settings and methods in the order of the table; NaN where a method was not run.

    Raises
    ------
    ValueError
        When the metric is not in the table.

    Examples
    --------
    >>> import pandas as pd
    >>> frame = pd.DataFrame({
    ...     "method": ["a", "a", "b", "b"], "setting": "10", "split": [0, 1, 0, 1],
    ...     "metric": "error", "value": [1.0, 2.0, 0.0, 1.0],
    ... })
    >>> mean_table(frame, "error").loc["10"].to_dict()
    {'a': 1.5, 'b': 0.5}
    """
    rows = _rows_of(frame, metric)
    value = "value" if "value" in rows else "mean"
    means = rows.pivot_table(index="setting", columns="method", values=value)
    means = means.reindex(index=rows["setting"].unique(), columns=rows["method"].unique())
    return means.map(to_digits)


class Contrast:
    """One metric of a table of results, in verbs that say how its methods compare.

    A verb returns True where its sentence is true, and raises an AssertionError with the numbers
    where it is not: ``assert errors.better("a", than="b")``. It speaks of all settings that have
    both methods; `at` restricts it to some. `only` says where alone it is true: at these settings
    of them, or at so many; ``only=[]`` means nowhere. Several methods or rivals are taken each
    with each.

    Parameters
    ----------
    frame : DataFrame
        Table of results, as `run` returns it.
    metric : str
        The metric to compare.
    larger_is_better : bool, default=False
        Whether the metric is one, such as accuracy.
    level : float, default=1e-3
        Level of the tests.
    corrected : bool, default=False
        Whether the verbs take the test that allows for overlap, and not Student's.
    test_train_ratio, groups, train_share : default=None
        What the corrected test needs, see `paired_t_test`.

    Raises
    ------
    ValueError
        When the metric is not in the table, or the level is none.

    Examples
    --------
    >>> import pandas as pd
    >>> frame = pd.DataFrame({
    ...     "method": ["a"] * 3 + ["b"] * 3, "setting": "10", "split": [0, 1, 2] * 2,
    ...     "metric": "error", "value": [0.0, 0.0, 1.0, 4.0, 5.0, 5.0],
    ... })
    >>> errors = Contrast(frame, "error", level=0.05)
    >>> assert errors.better("a", than="b")
    >>> assert errors.worse("b", than="a", only=["10"])
    >>> assert errors.worse("a", than="b", only=[])
    """

    def __init__(
        self,
        frame,
        metric,
        *,
        larger_is_better=False,
        level=1e-3,
        corrected=False,
        test_train_ratio=None,
        groups=None,
        train_share=None,
    ):
        if not 0 < level < 1:
            raise ValueError(f"level must be between 0 and 1; got {level!r}.")
        self._rows = _rows_of(frame, metric)
        self._metric, self._level, self._corrected = metric, level, corrected
        self._sign = 1 if larger_is_better else -1
        self._ratio = test_train_ratio
        self._options = {"groups": groups, "train_share": train_share}

    @cached_property
    def means(self):
        """Means over splits, a row for each setting and a column for each method."""
        return mean_table(self._rows, self._metric)

    @cached_property
    def deviations(self):
        """Standard deviations over splits, in the same form."""
        return self.by_split.groupby("setting", sort=False).std()

    @cached_property
    def by_split(self):
        """Values, a row for each setting and split and a column for each method."""
        rows = self._rows
        wide = rows.pivot(index=["setting", "split"], columns="method", values="value")
        order = {"index": rows["setting"].unique(), "columns": rows["method"].unique()}
        return wide.reindex(**order, level="setting")

    def tests(self, method, reference, *, at=None):
        """Paired t-tests of a method against a reference, one per setting that has both.

        Parameters
        ----------
        method, reference : str
            Labels of the two methods.
        at : str or sequence of str, default=None
            Only at these settings.

        Returns
        -------
        tests : DataFrame
            As `paired_t_test` returns it; the corrected test is there where all settings have a
            `test_train_ratio`.

        Raises
        ------
        ValueError
            When a method or setting is not in the table, the two have no setting in common, or
            they do not share the same splits of one, at least two.
        """
        settings = self._leads(method, reference, at).index
        ratio = self._ratio
        if isinstance(ratio, Mapping) and not {*settings} <= {*ratio}:
            ratio = None
        tests = paired_t_test(
            self._rows[self._rows["setting"].isin(settings)],
            method,
            reference,
            metric=self._metric,
            level=self._level,
            test_train_ratio=ratio,
            **self._options,
        )
        return tests.loc[settings]

    def changes(self, method, reference):
        """Mean changes from a reference to a method on the same splits, in percent.

        Parameters
        ----------
        method, reference : str
            Labels of the two methods.

        Returns
        -------
        changes : Series
            ``100 (method / reference - 1)``, by setting that has both.

        Raises
        ------
        ValueError
            When a method is not in the table, or the two have no setting in common.
        """
        settings = self._leads(method, reference, None).index
        ratios = self.by_split[method] / self.by_split[reference]
        return 100 * (ratios.groupby("setting").mean()[settings] - 1)

    def starred(self, pairs, *, digits=4):
        """Differences of pairs of methods as text, with a star where a test finds them.

        Parameters
        ----------
        pairs : sequence of tuple of two str
            Labels of methods.
        digits : int, default=4
            Decimals of the differences.

        Returns
        -------
        cells : DataFrame of str
            A row for each pair and a column for each setting that one has.

        Raises
        ------
        ValueError
            As in `tests`.
        """
        column = "significant_corrected" if self._corrected else "significant"
        cells = {}
        for method, reference in pairs:
            tests = self.tests(method, reference)
            stars = tests[column].map({True: " *", False: ""})
            differences = tests["difference"].map(f"{{:+.{digits}f}}".format)
            cells[f"{method} − {reference}"] = differences + stars
        rows = pd.DataFrame(cells).T.rename_axis(columns=None)
        return rows[[setting for setting in self.means.index if setting in rows]].fillna("")

    def listed(self, pairs, *, digits=4, both=False):
        """Tests of pairs of methods as text.

        Parameters
        ----------
        pairs : sequence of tuple of two str
            Labels of methods.
        digits : int, default=4
            Decimals of the differences.
        both : bool, default=False
            Whether the test that allows for overlap stands beside Student's.

        Returns
        -------
        cells : DataFrame of str
            A row for each pair and setting: ``difference``, ``p``, ``significant``, and with both
            tests the last two once more, with the suffix ``", corrected"``.

        Raises
        ------
        ValueError
            As in `tests`.
        """
        tests = {f"{method} − {other}": self.tests(method, other) for method, other in pairs}
        tests = pd.concat(tests, names=["methods", "setting"])
        cells = {"difference": tests["difference"].map(f"{{:+.{digits}f}}".format)}
        for suffix in ("", "_corrected") if both else ("",):
            word = suffix.replace("_", ", ")
            cells[f"p{word}"] = tests[f"p{suffix}"].map("{:.1g}".format)
            cells[f"significant{word}"] = tests[f"significant{suffix}"].map(_ANSWERS)
        return pd.DataFrame(cells)

    def better(self, method, than, *, at=None, only=None, corrected=None, level=None):
        """Whether a test finds a method better than another one.

        Parameters
        ----------
        method, than : str or sequence of str
            Labels of methods.
        at : str or sequence of str, default=None
            Settings of which the sentence speaks; None means all.
        only : str, sequence of str or int, default=None
            Settings of these where alone it is true, or how many they are.
        corrected : bool, default=None
            By which test, if not by that of the contrast.
        level : float, default=None
            At which level, if not at that of the contrast.

        Returns
        -------
        true : bool
            True.

        Raises
        ------
        AssertionError
            When it is not so.
        ValueError
            As in `tests`, or when there is no corrected test.
        """
        return self._test("better", {1}, method, than, at, only, corrected, level)

    def worse(self, method, than, *, at=None, only=None, corrected=None, level=None):
        """Whether a test finds a method worse than another one; see `better`.

        Returns
        -------
        true : bool
            True.
        """
        return self._test("worse", {-1}, method, than, at, only, corrected, level)

    def apart(self, method, other, *, at=None, only=None, corrected=None, level=None):
        """Whether a test tells two methods apart, whichever is better; see `better`.

        Returns
        -------
        true : bool
            True.
        """
        return self._test("other", {-1, 1}, method, other, at, only, corrected, level)

    def ahead(self, method, of, *, by=0.0, at=None, only=None):
        """Whether a method has a better mean than another one, significant or not.

        Parameters
        ----------
        method, of : str or sequence of str
            Labels of methods.
        by : float or tuple of two, default=0.0
            The least difference of the means, exclusive, or the least and the largest.
        at : str or sequence of str, default=None
            As in `better`.
        only : str, sequence of str or int, default=None
            As in `better`.

        Returns
        -------
        true : bool
            True.

        Raises
        ------
        AssertionError
            When it is not so.
        ValueError
            When a method or setting is not in the table, or they have none in common.
        """
        least, most = by if isinstance(by, tuple) else (by, np.inf)
        for label, other in self._pairs(method, of):
            leads = self._leads(label, other, at)
            holds = leads.between(least, most, inclusive="neither")
            _demand(f"the mean of {label} is better than that of {other}", holds, leads, only)
        return True

    def order(self, *methods, at=None):
        """Whether each method has a better mean than the next one; see `ahead`.

        Returns
        -------
        true : bool
            True.
        """
        if len(methods) < 2:
            raise ValueError(f"an order needs two methods or more; got {list(methods)}.")
        return all(self.ahead(method, of=other, at=at) for method, other in pairwise(methods))

    def best(self, method, *, without=(), at=None, only=None):
        """Whether a method has a better mean than all others.

        Parameters
        ----------
        method : str
            Its label.
        without : sequence of str, default=()
            Methods that do not count.
        at : str or sequence of str, default=None
            As in `better`.
        only : str, sequence of str or int, default=None
            As in `better`.

        Returns
        -------
        true : bool
            True.
        """
        self._know([method, *without])
        others = [other for other in self.means if other not in {method, *without}]
        means = self._at(self.means[[method, *others]], at).dropna(subset=method)
        leads = self._sign * means[others].rsub(means[method], axis=0)
        return _demand(f"{method} has the best mean", leads.min(axis=1) > 0, means, only)

    def _pairs(self, methods, others):
        """Each method with each other one: of none a sentence would be true without a reason."""
        methods, others = _listed(methods), _listed(others)
        if not (methods and others):
            raise ValueError(f"a sentence needs methods; got {methods} and {others}.")
        return product(methods, others)

    def _leads(self, method, other, at):
        """Differences of means by setting that has both, positive where the method is better."""
        self._know([method, other])
        leads = self._sign * (self.means[method] - self.means[other]).dropna()
        leads = self._at(leads, at)
        if leads.empty:
            raise ValueError(f"{method} and {other} have no setting in common.")
        return leads

    def _know(self, methods):
        if unknown := [label for label in methods if label not in self.means]:
            raise ValueError(f"methods must be among {list(self.means)}; got {unknown}.")

    def _at(self, rows, settings):
        if settings is None:
            return rows
        settings = _listed(settings)
        if unknown := [label for label in settings if label not in rows.index]:
            raise ValueError(f"settings must be among {list(rows.index)}; got {unknown}.")
        return rows.loc[settings]

    def _test(self, word, signs, methods, others, at, only, corrected, level):
        corrected = self._corrected if corrected is None else corrected
        column = "p_corrected" if corrected else "p"
        level = self._level if level is None else level
        for method, other in self._pairs(methods, others):
            tests = self.tests(method, other, at=at)
            if column not in tests:
                raise ValueError("the corrected test needs a test_train_ratio of every setting.")
            signs_found = np.sign(self._sign * tests["difference"])
            sentence = f"{method} is {word} than {other} by a test at the level {level:g}"
            holds = (tests[column] < level) & signs_found.isin(signs)
            _demand(sentence, holds, tests[["difference", column]], only)
        return True


def _rows_of(frame, metric):
    rows = frame[frame["metric"] == metric]
    if rows.empty:
        known = list(frame["metric"].unique())
        raise ValueError(f"metric must be one of {known}; got {metric!r}.")
    return rows


def _listed(labels):
    return [labels] if isinstance(labels, str) else list(labels)


def _demand(sentence, holds, numbers, only):
    """Return True where a sentence is true at the settings that are wanted, else raise."""
    if holds.empty:
        raise ValueError(f"there is no setting of which to say that {sentence}.")
    true_at = list(holds.index[holds])
    if isinstance(only, Integral):
        wanted, is_so = f"{only} settings", len(true_at) == only
    else:
        wanted = list(holds.index) if only is None else _listed(only)
        if unknown := [label for label in wanted if label not in holds.index]:
            raise ValueError(f"only must be among {list(holds.index)}; got {unknown}.")
        is_so = {*true_at} == {*wanted}
    if not is_so:
        raise AssertionError(f"{sentence}: at {true_at}, not at {wanted}.\n{numbers.to_string()}")
    return True
