"""Scores under random models, which nobody has trained: the start of FKL as printed."""

from reproduction.engine.declaration import Check, Experiment, Facts, Tolerance
from reproduction.studies.fisher_kernels import classification
from reproduction.studies.fisher_kernels.untrained import SETTINGS, TABLES, evaluate, load

__all__ = ["EXPERIMENT"]

EXPERIMENT = Experiment(
    id="fkl-untrained",
    title="Fisher scores under random models",
    load=load,
    evaluate=evaluate,
    methods=("random model",),
    scores=(*classification.ERRORS, *classification.LEARNED),
    settings=tuple(SETTINGS),
    n_splits=max(table.n_splits for _, table in TABLES.values()),
    parameters=classification.PARAMETERS,
    datasets=tuple(dict.fromkeys(sum((table.datasets for _, table in TABLES.values()), ()))),
    splits_of={setting: TABLES[name][1].n_splits for setting, (name, _) in SETTINGS.items()},
    check=Check(settings=("vowels, 2",)),
    tolerance=Tolerance(rtol=1e-4),
    facts=Facts(not_recorded=classification.NOT_RECORDED),
)
