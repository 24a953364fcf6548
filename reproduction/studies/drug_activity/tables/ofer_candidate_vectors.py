"""Weak labels of molecules and digits: the mean of a component, or the outputs of a list."""

from reproduction.engine.declaration import Check, Experiment, Facts, Tolerance
from reproduction.engine.scores import Score
from reproduction.studies.drug_activity.candidate_vectors import (
    COMPONENTS,
    DISAMBIGUATED,
    KNOWN,
    LABELLED,
    MEAN,
    NEAREST,
    PARAMETERS,
    evaluate,
    load_both,
)

__all__ = ["EXPERIMENT"]


def _test_train_ratio(setting):
    """Test samples over labelled and weak ones."""
    name, n = setting.split()
    return {"molecules": 891, "digits": 719}[name] / (int(n) + PARAMETERS["n_weak"])


DIGITS = ("digits 20", "digits 50", "digits 100")
SETTINGS = ("molecules 10", "molecules 20", "molecules 100", *DIGITS)
EXPERIMENT = Experiment(
    id="ofer-candidate-vectors",
    title="Weak labels of molecules and digits: components, and outputs on lists",
    load=load_both,
    evaluate=evaluate,
    methods=(LABELLED, COMPONENTS, MEAN, NEAREST, DISAMBIGUATED, KNOWN),
    methods_of=dict.fromkeys(DIGITS, (LABELLED, MEAN, NEAREST, DISAMBIGUATED, KNOWN)),
    scores=(Score("rrmse"), Score("right", high=100)),
    settings=SETTINGS,
    n_splits=10,
    parameters=PARAMETERS,
    datasets=("nci60",),
    check=Check(settings=("molecules 20", "digits 20")),
    # A sample near the middle of two candidates may change sides on another processor.
    tolerance=Tolerance(atol={"right": 0.5, (NEAREST, "rrmse"): 1e-3}),
    facts=Facts(
        test_train_ratio={one: _test_train_ratio(one) for one in SETTINGS},
        not_recorded="components, ridge parameters",
    ),
)
