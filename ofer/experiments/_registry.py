"""Every experiment by its id."""

from importlib import import_module

# id -> module whose attribute EXPERIMENT is the declaration. A module is imported only when its
# experiment is asked for, so that naming all of them costs nothing.
_MODULES = {
    "ofer-ablation": "ofer.experiments.ablation",
    "ofer-mtr": "ofer.experiments.multi_target",
    "ofer-sensitivity-d1": "ofer.experiments.sensitivity_d1",
    "ofer-table-01": "ofer.experiments.synthetic_d1",
    "ofer-table-03": "ofer.experiments.synthetic_d1_mixtures",
    "ofer-table-04": "ofer.experiments.synthetic_d2",
    "ofer-table-05": "ofer.experiments.time_series",
    "ofer-table-06": "ofer.experiments.text_volatility",
    "ofer-table-07": "ofer.experiments.personality_traits",
    "ofer-table-08": "ofer.experiments.weak_personality_traits",
    "ofer-table-09": "ofer.experiments.drug_activity",
    "ofer-table-10": "ofer.experiments.weak_drug_activity",
}


def list_experiments():
    """Ids of all experiments.

    Returns
    -------
    ids : list of str
    """
    return list(_MODULES)


def get_experiment(id):
    """Declaration of an experiment.

    Parameters
    ----------
    id : str
        One of `list_experiments`.

    Returns
    -------
    experiment : Experiment

    Raises
    ------
    ValueError
        When there is no such experiment.
    """
    if id not in _MODULES:
        raise ValueError(f"id must be one of {list_experiments()}. Got {id!r}.")
    return import_module(_MODULES[id]).EXPERIMENT
