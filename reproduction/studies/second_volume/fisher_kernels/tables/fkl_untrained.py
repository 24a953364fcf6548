"""Scores under random models, which nobody has trained: the start of FKL as printed."""

from reproduction.engine.declaration import Check, Experiment, Facts, Tolerance
from reproduction.studies.second_volume.fisher_kernels import classification
from reproduction.studies.second_volume.fisher_kernels.tables import (
    fkl_table_01,
    fkl_table_02,
    fkl_table_03,
    fkl_table_04,
)
from reproduction.studies.second_volume.fisher_kernels.untrained import SETTINGS, evaluate, load

__all__ = ["EXPERIMENT"]

TABLES = {
    "letters": fkl_table_01.EXPERIMENT,
    "digits": fkl_table_02.EXPERIMENT,
    "vowels": fkl_table_03.EXPERIMENT,
    "molecules": fkl_table_04.EXPERIMENT,
}
EXPERIMENT = Experiment(
    id="fkl-untrained",
    title="Fisher scores under random models",
    load=load,
    evaluate=evaluate,
    methods=("random model",),
    scores=(*classification.ERRORS, *classification.LEARNED),
    settings=tuple(SETTINGS),
    n_splits=max(table.n_splits for table in TABLES.values()),
    parameters=classification.PARAMETERS,
    datasets=tuple(dict.fromkeys(sum((table.datasets for table in TABLES.values()), ()))),
    splits_of={setting: TABLES[name].n_splits for setting, (name, _) in SETTINGS.items()},
    check=Check(settings=("vowels, 2",)),
    tolerance=Tolerance(rtol=1e-4),
    facts=Facts(not_recorded=classification.NOT_RECORDED),
)
