"""IOKR on tags by the form of its inputs, its ridge parameter by a squared error instead of F1."""

import numpy as np
from sklearn.utils import Bunch

from reproduction.engine.declaration import Check, Experiment
from reproduction.engine.scores import Score
from reproduction.studies.second_volume.bibtex import evaluation
from reproduction.studies.second_volume.bibtex.evaluation import (
    load_parts,
)
from reproduction.studies.second_volume.bibtex.forms import METHOD, evaluate

__all__ = ["EXPERIMENT"]

N_CHECK = 400  # entries of either part in the check slice


def load_part():
    """The first entries of both parts, as from `load_parts`."""
    data = load_parts()
    train, test = (
        {form: X[:N_CHECK] for form, X in part.items()} for part in (data.train, data.test)
    )
    Y = data.outputs["Y"][:N_CHECK]
    outputs = {"Y": Y, "candidates": np.unique(Y, axis=0)}
    return Bunch(train=train, test=test, outputs=outputs, Y_test=data.Y_test[:N_CHECK])


EXPERIMENT = Experiment(
    id="after-bibtex-forms",
    title="Sketched IOKR: forms of the inputs with a linear kernel on Bibtex",
    load=load_parts,
    evaluate=evaluate,
    methods=(METHOD,),
    scores=(
        Score("f1", high=100),
        Score("lead", low=-100, high=100),
        *(Score(f"{name} se", high=100) for name in ("f1", "lead")),
    ),
    settings=("binary", "standardised", "unit length"),
    n_splits=1,
    parameters=evaluation.PARAMETERS | {"selection": "squared error of the features, left out"},
    datasets=("bibtex",),
    check=Check(load=load_part),
)
