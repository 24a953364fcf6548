"""A method on another form of what a task gives."""

from collections.abc import Callable
from dataclasses import dataclass

from reproduction.engine.table import Method, Prediction, Task

__all__ = ["On", "OutputsAlone"]


@dataclass(frozen=True)
class On:
    """Give a method the task in another form: some of its inputs, or its labels shuffled."""

    form: Callable[[Task], Task]
    method: Method

    def __call__(self, task):
        return self.method(self.form(task))


@dataclass(frozen=True)
class OutputsAlone:
    """A method that does not say what it chose."""

    method: Method

    def __call__(self, task):
        return Prediction(self.method(task).outputs)
