"""Statements of section 2 that a computation decides, by listing all outputs."""

from reproduction.engine.declaration import Check, Experiment, Facts, Tolerance
from reproduction.engine.scores import Score
from reproduction.studies.second_volume.local_predictors.theory import PARAMETERS, STEPS, evaluate

__all__ = ["EXPERIMENT"]

_SPACES = ("classes", "tree", "sequences")
_STATEMENTS = ("bound (6)", "sub-gradient (11)")
_METHODS_OF = dict.fromkeys(_SPACES, _STATEMENTS) | {"two moons": tuple(STEPS)}
EXPERIMENT = Experiment(
    id="sslsop-theory",
    title="Statements of the model that a computation decides",
    evaluate=evaluate,
    methods=(*_STATEMENTS, *STEPS),
    scores=(Score("violation"), Score("deviation"), Score("rises", high=1)),
    settings=tuple(_METHODS_OF),
    n_splits=10,
    methods_of=_METHODS_OF,
    parameters=PARAMETERS,
    check=Check(),
    tolerance=Tolerance(atol={"deviation": 1e-4, "violation": 1e-9, "rises": 0.1}),
    facts=Facts(
        thinned=dict.fromkeys(_SPACES, "random cases under the assumptions of the statement")
        | {"two moons": "sixty points of two moons, our choice"},
    ),
)
