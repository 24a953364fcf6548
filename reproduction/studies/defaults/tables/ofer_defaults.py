"""Not in the paper: every estimator at its defaults, beside the simplest one."""

from functools import partial

from reproduction.engine.declaration import Check, Experiment, Facts, Tolerance
from reproduction.engine.scores import Score
from reproduction.studies.defaults.every_estimator import (
    CLASSIFIERS,
    PARAMETERS,
    REGRESSORS,
    SETS,
    evaluate,
)
from reproduction.studies.defaults.real_sets import (
    FORMS,
    LABELLED,
    load_real_sets,
)

__all__ = ["EXPERIMENT"]


def _methods_of(name):
    """Estimators for a set, without those that would take too long."""
    methods = (*REGRESSORS, *(CLASSIFIERS if name in LABELLED else ()))
    left_out = () if name in PARAMETERS["for_slow"] else PARAMETERS["slow"]
    return tuple(method for method in methods if method not in left_out)


EXPERIMENT = Experiment(
    id="ofer-defaults",
    title="Every estimator at its defaults",
    load=partial(load_real_sets, SETS),
    evaluate=evaluate,
    methods=(*REGRESSORS, *CLASSIFIERS),
    scores=(
        Score("r2", low=-100, high=1),
        Score("accuracy", high=1),
        Score("warned", high=1, whole=True),
    ),
    settings=tuple(f"{name}, {form}" for name in SETS for form in FORMS),
    n_splits=5,
    parameters=PARAMETERS,
    datasets=("mtr_andro", "mtr_edm", "mtr_enb"),
    methods_of={f"{name}, {form}": _methods_of(name) for name in SETS for form in FORMS},
    check=Check(
        settings=("andro, raw", "wine, raw", "wine, standardised"),
        methods=tuple(
            method for method in (*REGRESSORS, *CLASSIFIERS) if method not in PARAMETERS["slow"]
        ),
    ),
    # much at the edge of its box: 0.023 was measured
    tolerance=Tolerance(atol={("TwinGaussianProcess", "r2"): 0.05}),
    facts=Facts(not_recorded="ridge parameters and widths, by the defaults of each package"),
)
