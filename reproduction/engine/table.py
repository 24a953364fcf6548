"""An experiment whose methods are values: each column of its table has an identity of its own."""

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, is_dataclass
from functools import cached_property, partial
from numbers import Integral
from typing import Any, NamedTuple

import numpy as np

from reproduction.engine.declaration import (
    Experiment,
    closures_of,
    fields_of,
    joint_digest,
    sources_of,
)
from reproduction.engine.scores import Score, check_scores

__all__ = ["Method", "Prediction", "Table", "Task", "groups_of"]


class Task(NamedTuple):
    """The whole of one split, as a method is given it."""

    X: Any
    """Training inputs."""
    Y: Any
    """Their outputs."""
    X_test: Any
    """Test inputs."""
    Y_test: Any
    """Their outputs: scores look at them, and methods that are bounds for others."""
    seed: int
    """Seeds folds, starts and trees."""
    objects: Any = None
    """Number of each test object in the pool that all splits are drawn from."""
    weak: Any = None
    """What is known of objects whose outputs are not."""


class Prediction(NamedTuple):
    """What a method gives."""

    outputs: Any
    """Of the test objects; None of a method that predicts nothing."""
    chosen: Mapping[str, float] = {}
    """What it chose on the training part, or found there, by metric."""


Method = Callable[[Task], Prediction]


@dataclass(frozen=True, kw_only=True)
class Table(Experiment):
    """Declaration of an experiment in which each method is a value.

    `draw`, each method and the function of each score are a function of a module, a frozen
    dataclass whose instances are called, or a `functools.partial` of one. A method is identified
    by its options and by the code of the modules that define it and its parts; so a method is
    added, or its module edited, and `run` evaluates this method alone. Therefore `draw`, the
    scores, the methods and the declaration stand in modules of their own.

    Parameters
    ----------
    draw : callable
        ``draw(data, setting, split) -> Task``.
    methods : mapping of str to callable
        By label, in the order of the table: ``method(task) -> Prediction``.
    scores : tuple of Score
        The metrics, in the order of the rows.
    groups : int, default=None
        Into how many groups test objects are put. Then the values of the scores on the test
        objects without each group are stored, too, for tests on objects: see `load_groups`.
    parameters : mapping, default={}
        What steers all methods and is not in the fields above, such as constants of the module of
        `draw`; a change of it is a change of all columns. The options of `draw`, of the scores and
        of the methods are added to it.
    **fields
        As of `Experiment`, without ``evaluate``, which follows from these.
    """

    draw: Callable[[Any, str, int], Task]
    methods: Mapping[str, Method]
    scores: tuple[Score, ...] = field()  # without the default of an experiment
    groups: int | None = None
    evaluate: Callable[[Any, str, str, int], Mapping[str, Any]] = field(init=False, repr=False)
    parameters: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self):
        if not isinstance(self.methods, Mapping):
            raise TypeError(
                f"methods must be a mapping of labels to methods; got {self.methods!r}."
            )
        check_scores(self.scores)
        if self.groups is not None and not (isinstance(self.groups, Integral) and self.groups > 1):
            raise ValueError(f"groups must be an int, at least 2, or None; got {self.groups!r}.")
        options = {
            **self.parameters,
            "draw": _options("draw", self.draw),
            "scores": {s.name: _options(f"score {s.name!r}", s.function) for s in self.scores},
            "methods": {
                label: _options(f"method {label!r}", method)
                for label, method in self.methods.items()
            },
        }
        if self.groups is not None:
            options["groups"] = int(self.groups)
        object.__setattr__(self, "parameters", options)
        object.__setattr__(self, "evaluate", _compose(self))
        super().__post_init__()

    @cached_property
    def closures(self):
        """Closures of the files that define `draw`, `load`, the scores and the methods, by file."""
        functions = (score.function for score in self.scores)
        return closures_of(self.load, self.draw, *functions, *self.methods.values())

    @property
    def code(self):
        """Digests of the modules of `draw` and `load`, of the scores, and of each method.

        They are in a dict with the keys ``"draw"``, ``"scores"``, and ``"methods"``, a dict by
        label; None when one of them is not defined in a file.
        """
        if not self.closures:
            return None
        digests = {path: closure.digest() for path, closure in self.closures.items()}

        def code_of(*values):
            return joint_digest(digests[path] for value in values for path in sources_of(value))

        return {
            "draw": code_of(self.load, self.draw),
            "scores": code_of(*(score.function for score in self.scores)),
            "methods": {label: code_of(method) for label, method in self.methods.items()},
        }


def groups_of(objects, n_groups):
    """Group of each object: drawn at random, the same in every split of every table."""
    objects = np.asarray(objects)
    # The numbers that a generator gives first do not depend on how many are asked for.
    drawn = np.random.default_rng(0).random(objects.max() + 1)
    return (n_groups * drawn[objects]).astype(int)


def _compose(table):
    """Evaluation of a table: its parts in turn."""
    id, draw, methods, n_groups = table.id, table.draw, table.methods, table.groups
    scores = {score.name: score.function for score in table.scores}

    def evaluate(data, method, setting, split):
        task = draw(data, setting, split)
        outputs, chosen = methods[method](task)
        if unknown := sorted({*chosen} - {*scores}):
            raise ValueError(
                f"scores of {id} must name each metric that {method} chooses; got {unknown}."
            )
        values = {}
        for name, function in scores.items():
            if function is None:
                if name in chosen:
                    values[name] = chosen[name]
            elif outputs is not None:
                values[name] = function(task.Y_test, outputs, task.Y)
                if n_groups is not None:
                    without = _without_each_group(function, task, outputs, n_groups)
                    values[name] = [values[name], *without]
        return values

    return evaluate


def _without_each_group(function, task, outputs, n_groups):
    """Values of a score on the test objects without those of each group."""
    if task.objects is None or len(task.objects) != len(task.Y_test):
        raise ValueError(
            f"objects of a task must number its {len(task.Y_test)} test objects for groups; "
            f"got {task.objects!r}."
        )
    groups = groups_of(task.objects, n_groups)
    kept = (groups != group for group in range(n_groups))
    return [function(task.Y_test[rows], outputs[rows], task.Y) for rows in kept]


def _options(name, value):
    """What tells a value from others that the same code can make, as JSON-able values."""
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if isinstance(value, list | tuple):
        return [_options(name, item) for item in value]
    if isinstance(value, Mapping):
        return {str(key): _options(name, item) for key, item in value.items()}
    if isinstance(value, partial):
        parts = {"of": value.func, "arguments": value.args, **value.keywords}
        return _options(name, parts)
    if is_dataclass(value) and type(value).__dataclass_params__.frozen:
        return {"of": type(value).__qualname__, **_options(name, fields_of(value))}
    if inspect.isfunction(value) and "<" not in value.__qualname__:
        return value.__qualname__
    raise TypeError(
        f"{name} must be made of functions of modules, frozen dataclasses, partials, numbers and "
        f"texts; got {value!r}."
    )
