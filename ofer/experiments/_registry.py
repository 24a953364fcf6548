"""Every experiment by its id."""

from pkgutil import resolve_name

# id -> declaration, as module:attribute. A module is imported only when its experiment is asked
# for, so that naming all of them costs nothing.
_DECLARATIONS = {
    "fkl-table-01": "ofer.experiments.fisher_kernels:CHARACTERS",
    "fkl-table-02": "ofer.experiments.fisher_kernels:SPOKEN_DIGITS",
    "fkl-table-03": "ofer.experiments.fisher_kernels:VOWELS",
    "fkl-table-04": "ofer.experiments.fisher_kernels:MOLECULES",
    "fkl-untrained": "ofer.experiments.fisher_kernels_untrained:EXPERIMENT",
    "ofer-ablation": "ofer.experiments.ablation:EXPERIMENT",
    "ofer-costs": "ofer.experiments.costs:EXPERIMENT",
    "ofer-mtr": "ofer.experiments.multi_target:EXPERIMENT",
    "ofer-sensitivity-d1": "ofer.experiments.sensitivity_d1:EXPERIMENT",
    "ofer-table-01": "ofer.experiments.synthetic_d1:EXPERIMENT",
    "ofer-table-03": "ofer.experiments.synthetic_d1_mixtures:EXPERIMENT",
    "ofer-table-04": "ofer.experiments.synthetic_d2:EXPERIMENT",
    "ofer-table-05": "ofer.experiments.time_series:EXPERIMENT",
    "ofer-table-06": "ofer.experiments.text_volatility:EXPERIMENT",
    "ofer-table-07": "ofer.experiments.personality_traits:EXPERIMENT",
    "ofer-table-08": "ofer.experiments.weak_personality_traits:EXPERIMENT",
    "ofer-table-09": "ofer.experiments.drug_activity:EXPERIMENT",
    "ofer-table-10": "ofer.experiments.weak_drug_activity:EXPERIMENT",
    "ofer-table-11": "ofer.experiments.image_classification:CALTECH101",
    "ofer-table-12": "ofer.experiments.image_classification:AWA",
    "ofer-table-13": "ofer.experiments.image_classification:WEAK_CALTECH101",
    "ofer-table-14": "ofer.experiments.image_classification:WEAK_AWA",
    "ofer-table-16": "ofer.experiments.times:EXPERIMENT",
    "ofer-weak-weight": "ofer.experiments.weak_weight:EXPERIMENT",
    "smtgp-costs": "ofer.experiments.smtgp_costs:EXPERIMENT",
    "smtgp-order": "ofer.experiments.smtgp_order:EXPERIMENT",
    "smtgp-table-02": "ofer.experiments.smtgp_errors:EXPERIMENT",
    "smtgp-table-03": "ofer.experiments.smtgp_times:EXPERIMENT",
    "sslsop-sensitivity": "ofer.experiments.local_predictors_sensitivity:EXPERIMENT",
    "sslsop-table-01": "ofer.experiments.local_predictors:EXPERIMENT",
}


def list_experiments():
    """Ids of all experiments.

    Returns
    -------
    ids : list of str
    """
    return list(_DECLARATIONS)


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
    if id not in _DECLARATIONS:
        raise ValueError(f"id must be one of {list_experiments()}. Got {id!r}.")
    return resolve_name(_DECLARATIONS[id])
