"""What an experiment is: its data, its grid of units, and what identifies it."""

import contextlib
import hashlib
import inspect
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields, is_dataclass
from functools import cached_property, partial
from numbers import Integral
from pathlib import Path
from typing import Any, NamedTuple

from reproduction import datasets
from reproduction.checks import check_option
from reproduction.closure import closure_of
from reproduction.engine.readings import Readings
from reproduction.engine.scores import Score, check_scores

# The engine hands an evaluation its data and keeps what it returns, and has no part in its values:
# a change of it need not put all tables in doubt.
LEFT_OUT = ("reproduction.engine.",)

ORIGINS = ("faithful", "thinned", "generated", "substitute")
"""How near data are to those of a paper, the nearest first."""


class Unit(NamedTuple):
    """Smallest piece of an experiment that is evaluated at once."""

    method: str
    setting: str
    split: int


class Cell(NamedTuple):
    """Labels of a cell of a table, over all splits."""

    method: str
    setting: str
    metric: str


@dataclass(frozen=True, kw_only=True)
class Check:
    """Check slice: the units that are recomputed when code has changed.

    They are those of split 0 under some settings and methods, and some more.

    Parameters
    ----------
    settings, methods : tuple of str, default=None
        Which ones; None means all.
    more : tuple of (method, setting, split), default=()
        Units that belong to the slice, too.
    load : callable, default=None
        ``load() -> data``: a small part of the data, for an experiment whose shortest units take
        many seconds. The slice is then evaluated on this part, and what it gives is stored beside
        the table, to be compared with.
    """

    settings: tuple[str, ...] | None = None
    methods: tuple[str, ...] | None = None
    more: tuple[tuple[str, str, int], ...] = ()
    load: Callable[[], Any] | None = None

    def __post_init__(self):
        if not (self.load is None or callable(self.load)):
            raise TypeError(f"load of a check must be callable or None; got {self.load!r}.")


@dataclass(frozen=True, kw_only=True)
class Tolerance:
    """How much a number that is computed again may differ from the stored one.

    Parameters
    ----------
    rtol : float, default=1e-6
        Share of the stored number.
    atol : mapping of str or (str, str) to float, default={}
        By metric, or by method and metric, which goes first: what is added to that share, for
        counts and errors that hang on the last bit of a sum, and so on the processor, where a
        search has not converged or a choice is a near tie.
    """

    rtol: float = 1e-6
    atol: Mapping[str | tuple[str, str], float] = field(default_factory=dict)

    def __post_init__(self):
        if not self.rtol >= 0:
            raise ValueError(f"rtol must be at least 0; got {self.rtol!r}.")
        for metric, value in self.atol.items():
            if not value >= 0:
                raise ValueError(f"atol[{metric!r}] must be at least 0; got {value!r}.")


@dataclass(frozen=True, kw_only=True)
class Facts:
    """What is known of a table beside its rows, for tests, claims and readers.

    Parameters
    ----------
    test_train_ratio : mapping of str to float, default={}
        By setting, the size of the test set over that of the training set, where splits are drawn
        from the same samples: tests that allow for this need it. Of a setting that is not named,
        splits are independent, or nobody tests anything.
    train_share : mapping of str to float, default={}
        By setting, the size of the training set over that of the sample; the two-way test of tables
        with groups of objects needs it.
    origin : mapping of str to str, default={}
        By setting, one of `ORIGINS`, where that is not what the data sets say.
    thinned : mapping of str to str, default={}
        By setting, what there is less of than in the paper: data, or iterations.
    datasets_of : mapping of str to sequence of str, default={}
        By setting, its data sets, where these are not all that the experiment has.
    trivial : str, default=""
        The method that predicts one class for everything, if the experiment has it.
    printed : mapping of str to callable, default={}
        By printed table, a function that takes the `Cell` of a printed figure and gives the one of
        ours that answers it, or None. The printed table of the same id, unless it is named here, is
        answered under its own labels.
    chance : mapping of str to float, default={}
        By metric, what a guess gives: a row whose methods do no better says nothing of them.
    readings : tuple of Readings, default=()
        The tables that this one reads in other ways. The word "readings" is in its id, by which
        claims find it.
    not_recorded : str, default=""
        What methods search and the table does not have, in words.
    """

    test_train_ratio: Mapping[str, float] = field(default_factory=dict)
    train_share: Mapping[str, float] = field(default_factory=dict)
    origin: Mapping[str, str] = field(default_factory=dict)
    thinned: Mapping[str, str] = field(default_factory=dict)
    datasets_of: Mapping[str, Sequence[str]] = field(default_factory=dict)
    trivial: str = ""
    printed: Mapping[str, Callable[[Cell], Cell | None]] = field(default_factory=dict)
    chance: Mapping[str, float] = field(default_factory=dict)
    readings: tuple[Readings, ...] = ()
    not_recorded: str = ""

    def __post_init__(self):
        if not isinstance(self.readings, tuple):
            raise TypeError(f"readings must be a tuple of Readings; got {self.readings!r}.")
        for setting, ratio in self.test_train_ratio.items():
            if not ratio > 0:
                raise ValueError(f"test_train_ratio[{setting!r}] must be positive; got {ratio!r}.")
        for setting, share in self.train_share.items():
            if not 0 < share < 1:
                raise ValueError(
                    f"train_share[{setting!r}] must be between 0 and 1; got {share!r}."
                )
        for setting, origin in self.origin.items():
            check_option(f"origin[{setting!r}]", origin, ORIGINS)
        for table, ours_of in self.printed.items():
            if not callable(ours_of):
                raise TypeError(f"printed[{table!r}] must be callable; got {ours_of!r}.")


def nothing():
    """No data."""


@dataclass(frozen=True, kw_only=True)
class Experiment:
    """Declaration of an experiment: all that decides its table of results, or is known of it.

    A *unit* is one (method, setting, split): the engine evaluates all of them and writes a row
    per unit and metric. Two declarations with the same `identity` have the same results; title,
    scores, check, tolerance and facts have no part in it.

    Parameters
    ----------
    id : str
        Name of the stored table, such as ``"toy-table-01"``: lower-case letters, digits and
        hyphens.
    title : str
        One line for a reader.
    load : callable, default=nothing
        ``load() -> data``; called once per run, in the parent process, and not at all when
        nothing is left to evaluate; an evaluation that draws its own data needs none. It raises
        `reproduction.datasets.DataUnavailableError` when it cannot have the data.
    evaluate : function
        ``evaluate(data, method, setting, split) -> mapping of metric to float``. A pure function
        that takes its seeds from its arguments alone and leaves `data` unchanged (workers see
        large arrays as read-only memory maps). The code of its module, and of all modules that
        this one reaches, is part of the identity.
    methods : tuple of str
        Labels of the compared methods, in the order of the table.
    settings : tuple of str
        Labels of the rows, as printed. The engine starts with the last ones, which usually take
        longest.
    n_splits : int
        Number of repetitions; splits are numbered from 0.
    parameters : mapping
        Everything that steers the evaluation and is not in the fields above; JSON-able.
    scores : tuple of Score, default=()
        The metrics, and what their numbers can be; without any, nothing is known of them.
    datasets : tuple of str, default=()
        Names of the real data sets; their pinned checksums are part of the identity.
    methods_of : mapping of str to tuple of str, default={}
        By setting, the methods that exist there; a setting that is not named has all of them.
    splits_of : mapping of str to int, default={}
        By setting, the number of splits there is, where that is less than `n_splits`.
    check : Check, default=Check()
        What is recomputed when code has changed.
    tolerance : Tolerance, default=Tolerance()
        How it is compared.
    facts : Facts, default=Facts()
        What is known of the table beside its rows.

    Attributes
    ----------
    code : str or None
        Digest of the modules that the evaluation reaches, see `Closure`, as they are when it
        is first asked for; None when `evaluate` or `load` is not defined in a file.

    Raises
    ------
    TypeError, ValueError
        When a field breaks these rules; the message names the field and its value.

    Examples
    --------
    >>> def evaluate(data, method, setting, split):
    ...     return {"error": abs(data - int(setting)) + split}
    >>> experiment = Experiment(
    ...     id="toy", title="A toy", load=lambda: 3.0, evaluate=evaluate,
    ...     methods=("constant",), settings=("1", "2"), n_splits=2, parameters={},
    ... )
    >>> experiment.check_slice()
    [Unit(method='constant', setting='1', split=0), Unit(method='constant', setting='2', split=0)]
    """

    id: str
    title: str
    load: Callable[[], Any] = nothing
    evaluate: Callable[[Any, str, str, int], Mapping[str, float]]
    methods: tuple[str, ...]
    settings: tuple[str, ...]
    n_splits: int
    parameters: Mapping[str, Any]
    scores: tuple[Score, ...] = ()
    datasets: tuple[str, ...] = ()
    methods_of: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    splits_of: Mapping[str, int] = field(default_factory=dict)
    check: Check = field(default_factory=Check)
    tolerance: Tolerance = field(default_factory=Tolerance)
    facts: Facts = field(default_factory=Facts)

    groups = None  # what a `Table` has besides

    def __post_init__(self):
        if not (isinstance(self.id, str) and _is_file_name(self.id)):
            raise ValueError(
                f"id must consist of lower-case letters, digits and hyphens; got {self.id!r}."
            )
        if not (isinstance(self.title, str) and self.title):
            raise ValueError(f"title must be a string that is not empty; got {self.title!r}.")
        if not callable(self.load):
            raise TypeError(f"load must be callable; got {self.load!r}.")
        if not inspect.isfunction(self.evaluate):
            raise TypeError(f"evaluate must be a plain function; got {self.evaluate!r}.")
        labelled = isinstance(self.methods, Mapping)  # of a `Table`
        _check_labels("methods", tuple(self.methods) if labelled else self.methods)
        _check_labels("settings", self.settings)
        _check_labels("datasets", self.datasets, may_be_empty=True)
        if not (isinstance(self.n_splits, Integral) and self.n_splits >= 1):
            raise ValueError(f"n_splits must be an int, at least 1; got {self.n_splits!r}.")
        if not isinstance(self.parameters, Mapping):
            raise TypeError(f"parameters must be a mapping; got {self.parameters!r}.")
        check_scores(self.scores)
        if not labelled and (given := [s.name for s in self.scores if s.function is not None]):
            raise ValueError(f"scores that evaluate returns must have no function; got {given}.")
        try:
            _canonical_json(dict(self.parameters))
        except (TypeError, ValueError) as error:
            raise TypeError(f"parameters must be JSON-able: {error}.") from error
        _subset("settings of the check", self.check.settings, self.settings)
        _subset("methods of the check", self.check.methods, self.methods)
        by_setting = {"methods_of": self.methods_of, "splits_of": self.splits_of}
        of_facts = ("test_train_ratio", "train_share", "origin", "thinned")
        by_setting |= {name: getattr(self.facts, name) for name in of_facts}
        for name, values in by_setting.items():
            _subset(name, values or None, self.settings)
        for setting, methods in self.methods_of.items():
            _subset(f"methods_of[{setting!r}]", methods, self.methods)
        for setting, number in self.splits_of.items():
            if not (isinstance(number, Integral) and number >= 1):
                raise ValueError(
                    f"splits_of[{setting!r}] must be an int, at least 1; got {number!r}."
                )
        _subset("more of the check", self.check.more or None, self.units())
        if self.facts.readings and "readings" not in self.id.split("-"):
            raise ValueError(
                f'id of an experiment with readings must have the word "readings"; got {self.id!r}.'
            )
        for readings in self.facts.readings:
            for choice in readings.choices:
                readings.methods(choice, self.methods)

    @cached_property
    def closures(self):
        """Closures of the files that define `evaluate` and `load`, by file; empty without a file.

        They are read when somebody first asks, as every run does before it evaluates anything: an
        edit made during a long run is a change after it.
        """
        return closures_of(self.evaluate, self.load)

    @property
    def code(self):
        """Digest of all modules that the evaluation reaches, None if it is in no file."""
        return joint_digest(closure.digest() for closure in self.closures.values())

    @property
    def timings(self):
        """Metrics that are times, in seconds."""
        return tuple(score.name for score in self.scores if score.is_time)

    @property
    def percentages(self):
        """Metrics that are shares of hundred."""
        return frozenset(score.name for score in self.scores if score.high == 100)

    @property
    def test_train_ratio(self):
        """By setting, as in `facts`: chapters hand it on to their tests."""
        return self.facts.test_train_ratio

    def units(self, *, methods=None, settings=None, splits=None):
        """Part of the grid, in the declared order.

        Parameters
        ----------
        methods, settings : sequence of str, default=None
            Wanted labels; None means all.
        splits : sequence of int, default=None
            Wanted splits; None means all.

        Returns
        -------
        units : list of Unit
            Tuples (method, setting, split).

        Raises
        ------
        ValueError
            When something wanted is not declared, or nothing is wanted.
        """
        methods = _subset("methods", methods, self.methods)
        settings = _subset("settings", settings, self.settings)
        splits = _subset("splits", splits, range(self.n_splits))
        units = [
            Unit(method, setting, split)
            for method in methods
            for setting in settings
            if method in self.methods_of.get(setting, self.methods)
            for split in splits
            if split < self.splits_of.get(setting, self.n_splits)
        ]
        if not units:
            raise ValueError(
                f"methods and splits must exist in some of {settings}; got {methods}, {splits}."
            )
        return units

    def check_slice(self):
        """Units that are recomputed when code has changed, in the declared order.

        Returns
        -------
        units : list of Unit
        """
        wanted = self.units(methods=self.check.methods, settings=self.check.settings, splits=[0])
        return [unit for unit in self.units() if unit in wanted or unit in self.check.more]


def closures_of(*values):
    """Closures of the files that define functions, and the parts of what is made of such.

    Empty when one is defined outside of files, as in a notebook.
    """
    paths = {path for value in values for path in sources_of(value)}
    if not all(path.is_file() for path in paths):
        return {}
    return {path: closure_of(path, without=LEFT_OUT) for path in paths}


def joint_digest(digests):
    """One digest of several; None of none."""
    digests = sorted({*digests})
    if len(digests) < 2:
        return next(iter(digests), None)
    return hashlib.sha256(" ".join(digests).encode()).hexdigest()[:32]


def sources_of(value):
    """Files that define a value and its parts."""
    value = inspect.unwrap(value) if callable(value) else value  # such as a cached function
    if inspect.ismethod(value):
        value = value.__self__
    parts = ()
    if isinstance(value, partial):
        parts = value.func, *value.args, *value.keywords.values()
    elif isinstance(value, Mapping):
        parts = value.values()
    elif isinstance(value, list | tuple):
        parts = value
    elif callable(value) or is_dataclass(value):
        is_named = inspect.isfunction(value) or inspect.isclass(value)
        if value is not nothing:
            with contextlib.suppress(TypeError):  # what is built in has no file
                yield Path(inspect.getfile(value if is_named else type(value)))
        parts = fields_of(value).values() if is_dataclass(value) and not is_named else ()
    for item in parts:
        yield from sources_of(item)


def fields_of(value):
    """Values of the fields of a dataclass, by name."""
    return {item.name: getattr(value, item.name) for item in fields(value)}


def identity(experiment):
    """Everything that decides an experiment's results, as JSON-able values.

    Floats count with twelve significant digits: the last ones of a computed parameter, such as one
    of `numpy.logspace`, depend on the processor. ``data`` are the pinned sha256 of each array of
    each data set, ``code`` is one digest of all modules that the evaluation reaches, see
    `Closure`; of a `Table` one of `draw`, one of the scores and one of each method.
    """
    if not experiment.closures:
        raise ValueError(
            f"The results of {experiment.id} can be kept only when all of its functions are "
            "defined in files, whose source can be checked."
        )
    values = {
        "parameters": _rounded(experiment.parameters),
        "methods": list(experiment.methods),
        "settings": experiment.settings,
        "n_splits": int(experiment.n_splits),
        "methods_of": dict(experiment.methods_of),
        "splits_of": {name: int(number) for name, number in experiment.splits_of.items()},
        "data": {name: dict(datasets.checksums(name)) for name in experiment.datasets},
        "code": experiment.code,
    }
    return json.loads(_canonical_json(values))  # tuples become lists, as in a file


def _rounded(value):
    """The same with floats of twelve significant digits."""
    if isinstance(value, Mapping):
        return {name: _rounded(item) for name, item in value.items()}
    if isinstance(value, list | tuple):
        return [_rounded(item) for item in value]
    return float(f"{value:.12g}") if isinstance(value, float) else value


def _is_file_name(id):
    return id != "" and set(id) <= set("abcdefghijklmnopqrstuvwxyz0123456789-")


def _canonical_json(value):
    return json.dumps(value, sort_keys=True, allow_nan=False)


def _check_labels(name, labels, *, may_be_empty=False):
    if not isinstance(labels, tuple) or not all(isinstance(s, str) and s for s in labels):
        raise TypeError(f"{name} must be a tuple of strings that are not empty; got {labels!r}.")
    if len(set(labels)) < len(labels):
        raise ValueError(f"{name} must not repeat a label; got {labels!r}.")
    if not (labels or may_be_empty):
        raise ValueError(f"{name} must not be empty.")


def _subset(name, wanted, declared):
    if wanted is None:
        return list(declared)
    wanted = list(wanted)
    unknown = [item for item in wanted if item not in declared]
    if unknown or not wanted:
        raise ValueError(f"{name} must be some of {list(declared)}; got {wanted}.")
    return [item for item in declared if item in wanted]
