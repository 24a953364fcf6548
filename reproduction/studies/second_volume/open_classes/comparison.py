"""Classes that weak labels leave open: the tables, on four kinds of data by the same methods."""

from functools import partial

from reproduction.engine.scores import Score
from reproduction.engine.table import Table
from reproduction.studies.second_volume.open_classes import ridges, rivals
from reproduction.studies.second_volume.open_classes.problem import accuracy, as_task, predict, say

__all__ = ["WHAT_IS_SAID", "declare"]

WHAT_IS_SAID = "weak labels"


def declare(room, methods, *, parameters, **fields):
    """One table: its samples are drawn by `room`, and weak labels are a method that says much."""
    values = {label: partial(predict, method) for label, method in methods.items()}
    return Table(
        draw=partial(as_task, room.draw),
        methods=values | {WHAT_IS_SAID: say},
        scores=(
            Score("accuracy", accuracy, high=100),
            Score("open classes", low=1),
            Score("exact", high=100),
        ),
        n_splits=10,
        parameters=parameters | {"ridges": ridges.PARAMETERS, "rivals": rivals.PARAMETERS},
        **fields,
    )
