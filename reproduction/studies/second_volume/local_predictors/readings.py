"""Table 1 in the readings that the paper leaves open: how parameters are chosen, and the start.

Algorithm 1 says "Initialize", and no sentence says how k, C and T were chosen. Table 1 here moves
one parameter of the local predictors after the other, by one of two inner folds, where its rivals
have full grids and both folds. Here the local predictors have these too.
"""

from itertools import product

from sklearn.base import clone
from sklearn.model_selection import GridSearchCV

from reproduction.engine.readings import Dimension, Readings
from reproduction.studies.second_volume.local_predictors import evaluation
from reproduction.studies.second_volume.local_predictors.baselines.majority import MajorityPredictor
from reproduction.studies.second_volume.local_predictors.evaluation import (
    build,
    mean_loss,
    quiet,
    take,
)
from reproduction.studies.second_volume.local_predictors.labelled_folds import LabelledKFold

__all__ = ["PARAMETERS", "READ", "READINGS", "evaluate"]

SEARCHES = ("lines", "full grid")
FOLDS = ("one inner fold", "two inner folds")
STARTS = ("random start", "chosen start")
PARAMETERS = evaluation.PARAMETERS
READINGS = Readings(
    of="sslsop-table-01",
    dimensions=(
        Dimension(
            name="search",
            words="No sentence says how parameters were chosen.",
            options=SEARCHES,
            why="Lines take a tenth of the time, and Table 1 has them.",
        ),
        Dimension(
            name="inner folds",
            words="No sentence says how parameters were chosen.",
            options=FOLDS,
            why="One takes half of the time, and Table 1 has it.",
        ),
        Dimension(
            name="start",
            words="“Initialize” the outputs",
            options=STARTS,
            why="It asks for nothing that the paper does not name.",
        ),
    ),
    choices=(
        (SEARCHES[0], FOLDS[0], STARTS[0]),
        (SEARCHES[0], FOLDS[1], STARTS[0]),
        (SEARCHES[0], FOLDS[0], STARTS[1]),
        (SEARCHES[1], FOLDS[1], STARTS[0]),
        (SEARCHES[1], FOLDS[1], STARTS[1]),
    ),
    labels={
        "SSLSOP as printed": "SSLSOP as printed, {search}, {inner folds}, {start}",
        # These choose their start in Table 1 already.
        "SSLSOP": "SSLSOP, {search}, {inner folds}",
        "SSLSOP, outputs held": "SSLSOP, outputs held, {search}, {inner folds}",
    },
)


def _label(form, choice):
    names = (dimension.name for dimension in READINGS.dimensions)
    return READINGS.labels[form].format_map(dict(zip(names, choice, strict=True)))


# The rows of the first reading are those of Table 1, and a start makes a printed form only.
READ = {
    _label(form, choice): (form, *choice)
    for form, choice in product(READINGS.labels, READINGS.choices)
    if _label(form, choice) != _label(form, READINGS.choices[0])
}


def evaluate(data, method, setting, split):
    """Mean loss of one method in a reading on one of the folds of Table 1, and what it chose."""
    task = data[setting]
    train, (X_test, y_test) = take(task, split)
    with quiet():
        if method == "majority":
            predicted = MajorityPredictor(task.space).fit(*train).predict(X_test)
            return {"loss": mean_loss(task.space, y_test, predicted)}
        search = _search(*READ[method], task.space, split).fit(*train)
        model = clone(search.estimator).set_params(**search.best_params_).fit(*train)
        predicted = model.predict(X_test)
    chosen = {name: float(getattr(model, name)) for name in ("n_neighbors", "C", "n_iter")}
    chosen["global start"] = float(model.y_init == "global")
    return {"loss": mean_loss(task.space, y_test, predicted)} | chosen


def _search(form, search, folds, start, space, seed):
    """The search of Table 1, or the same with more of the candidates, folds or starts."""
    model = build(form, space, seed=seed).set_params(refit=False)
    if form == "SSLSOP as printed" and start == STARTS[1]:
        lines = model.lines | {"y_init": PARAMETERS["lines"]["y_init"]}
        model.set_params(lines=lines, estimator__y_init=lines["y_init"][0])
    if folds == FOLDS[1]:
        model.set_params(cv=LabelledKFold(PARAMETERS["n_inner_folds"], random_state=seed))
    if search == SEARCHES[0]:
        return model
    return GridSearchCV(model.estimator, model.lines, cv=model.cv, refit=False, error_score="raise")
