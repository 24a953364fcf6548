"""Table 13: weak labels on Caltech-101 (section 6.5)."""

from ofer.experiments import _classification, caltech101
from ofer.experiments._declaration import Experiment

__all__ = ["EXPERIMENT", "evaluate"]


def evaluate(data, method, setting, split):
    """Accuracy of OFER-GMM on one split with so many examples a class, and weak ones.

    Parameters
    ----------
    data : sklearn.utils.Bunch
        As from `ofer.experiments.caltech101.load_images`.
    method : str
        One of the experiment's methods.
    setting : str
        Number of labelled images a class.
    split : int
        Number of the split; the splits are those of Table 11.

    Returns
    -------
    dict of str to float
        The metric "accuracy" in percent, "rank", by which choices are made, "n_components" and,
        with weak samples, "weak_weight".
    """
    return caltech101.evaluate(data, method, setting, split)


EXPERIMENT = Experiment(
    id="ofer-table-13",
    title="Table 13: image classification on Caltech-101 with weak labels",
    load=caltech101.load_images,
    evaluate=evaluate,
    methods=_classification.WEAK,
    settings=caltech101.EXPERIMENT.settings,
    n_splits=10,
    parameters=caltech101.PARAMETERS,
    datasets=caltech101.EXPERIMENT.datasets,
    check_settings=("1", "3"),
    check_methods=("OFER-GMM", "wOFER+700"),
)
