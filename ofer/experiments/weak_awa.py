"""Table 14: weak labels on Animals with Attributes (section 6.5)."""

from ofer.experiments import _classification, awa
from ofer.experiments._declaration import Experiment

__all__ = ["EXPERIMENT", "evaluate"]


def evaluate(data, method, setting, split):
    """Accuracy of OFER-GMM on one split with so many examples a class, and weak ones.

    Parameters
    ----------
    data : sklearn.utils.Bunch
        As from `ofer.experiments.awa.load_images`.
    method : str
        One of the experiment's methods.
    setting : str
        Number of labelled images a class.
    split : int
        Number of the split; the splits are those of Table 12.

    Returns
    -------
    dict of str to float
        The metric "accuracy" in percent, "rank", by which choices are made, "n_components" and,
        with weak samples, "weak_weight".
    """
    return awa.evaluate(data, method, setting, split)


EXPERIMENT = Experiment(
    id="ofer-table-14",
    title="Table 14: image classification on Animals with Attributes with weak labels",
    load=awa.load_images,
    evaluate=evaluate,
    methods=_classification.WEAK,
    settings=awa.EXPERIMENT.settings,
    n_splits=10,
    parameters=awa.PARAMETERS,
    datasets=awa.EXPERIMENT.datasets,
    check_settings=("1", "3"),
    check_methods=("OFER-GMM", "wOFER+700"),
)
