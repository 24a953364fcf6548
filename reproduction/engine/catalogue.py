"""Every experiment by its id."""

from pkgutil import resolve_name

# id -> declaration, as module:attribute. A module is imported only when its experiment is asked
# for, so that naming all of them costs nothing.
_DECLARATIONS = {
    "fkl-table-01": "reproduction.papers.fkl.fisher_kernels:CHARACTERS",
    "fkl-table-02": "reproduction.papers.fkl.fisher_kernels:SPOKEN_DIGITS",
    "fkl-table-03": "reproduction.papers.fkl.fisher_kernels:VOWELS",
    "fkl-table-04": "reproduction.papers.fkl.fisher_kernels:MOLECULES",
    "fkl-untrained": "reproduction.papers.fkl.untrained:EXPERIMENT",
    "ofer-ablation": "reproduction.papers.ofer.ablation:EXPERIMENT",
    "ofer-costs": "reproduction.papers.ofer.costs:EXPERIMENT",
    "ofer-mtr": "reproduction.papers.ofer.multi_target:EXPERIMENT",
    "ofer-sensitivity-d1": "reproduction.papers.ofer.sensitivity_d1:EXPERIMENT",
    "ofer-table-01": "reproduction.papers.ofer.synthetic_d1:EXPERIMENT",
    "ofer-table-03": "reproduction.papers.ofer.synthetic_d1_mixtures:EXPERIMENT",
    "ofer-table-04": "reproduction.papers.ofer.synthetic_d2:EXPERIMENT",
    "ofer-table-05": "reproduction.papers.ofer.time_series:EXPERIMENT",
    "ofer-table-06": "reproduction.papers.ofer.text_volatility:EXPERIMENT",
    "ofer-table-07": "reproduction.papers.ofer.personality_traits:EXPERIMENT",
    "ofer-table-08": "reproduction.papers.ofer.weak_personality_traits:EXPERIMENT",
    "ofer-table-09": "reproduction.papers.ofer.drug_activity:EXPERIMENT",
    "ofer-table-10": "reproduction.papers.ofer.weak_drug_activity:EXPERIMENT",
    "ofer-table-11": "reproduction.papers.ofer.images.tables:CALTECH101",
    "ofer-table-12": "reproduction.papers.ofer.images.tables:AWA",
    "ofer-table-13": "reproduction.papers.ofer.images.tables:WEAK_CALTECH101",
    "ofer-table-14": "reproduction.papers.ofer.images.tables:WEAK_AWA",
    "ofer-table-16": "reproduction.papers.ofer.times:EXPERIMENT",
    "ofer-weak-weight": "reproduction.papers.ofer.images.weak_weight:EXPERIMENT",
    "smtgp-costs": "reproduction.papers.smtgp.costs:EXPERIMENT",
    "smtgp-order": "reproduction.papers.smtgp.order:EXPERIMENT",
    "smtgp-table-02": "reproduction.papers.smtgp.errors:EXPERIMENT",
    "smtgp-table-03": "reproduction.papers.smtgp.times:EXPERIMENT",
    "sslsop-sensitivity": "reproduction.papers.sslsop.sensitivity:EXPERIMENT",
    "sslsop-table-01": "reproduction.papers.sslsop.local_predictors:EXPERIMENT",
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
