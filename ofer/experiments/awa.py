"""Table 12: classification of Animals with Attributes with few examples (section 6.5)."""

from ofer.datasets import fetch_awa
from ofer.experiments import _classification
from ofer.experiments._declaration import Experiment

__all__ = ["EXPERIMENT", "evaluate", "load_images", "take"]

PARAMETERS = {
    **_classification.PARAMETERS,
    "largest": 14,
    "n_test": 9143,
    "wide": [15, 20, 30, 40],
}


def load_images():
    """Features and classes of the images, vectors of the classes, and mixtures of these.

    Returns
    -------
    sklearn.utils.Bunch
        `X`, (30475, 256), `y`, `vectors`, (50, 50), and the mixtures `natural` and `printed`.
    """
    images = fetch_awa()
    sizes = [*PARAMETERS["n_components"], *PARAMETERS["wide"]]
    vectors = _classification.class_vectors("awa")
    return _classification.describe(images.features, images.labels, vectors, sizes)


def take(data, per_class, split):
    """Draw a training set with as many images of each class, and a test set.

    Parameters
    ----------
    data : sklearn.utils.Bunch
        As from `load_images`.
    per_class : int
        Labelled images a class; a smaller set is contained in a larger one.
    split : int
        Number of the split.

    Returns
    -------
    Task
        Inputs and classes: `X`, `y`, labelled; `X_weak`, `y_weak`, at most 2500 others;
        `X_test`, `y_test`.
    """
    sizes = {name: PARAMETERS[name] for name in ("largest", "n_test")}
    return _classification.take(data, per_class, split, **sizes)


def evaluate(data, method, setting, split):
    """Accuracy of one method on one split with so many examples a class.

    Parameters
    ----------
    data : sklearn.utils.Bunch
        As from `load_images`.
    method : str
        One of the experiment's methods.
    setting : str
        Number of labelled images a class.
    split : int
        Number of the split.

    Returns
    -------
    dict of str to float
        The metric "accuracy" in percent; for linear methods "rank", by which choices are made, and
        "n_components" where there is a mixture.
    """
    return _classification.evaluate(method, data, take(data, int(setting), split))


EXPERIMENT = Experiment(
    id="ofer-table-12",
    title="Table 12: image classification on Animals with Attributes",
    load=load_images,
    evaluate=evaluate,
    methods=_classification.COMPARED,
    settings=("1", "2", "3", "4", "5", "7", "10", "11", "14"),
    n_splits=10,
    parameters=PARAMETERS,
    datasets=("awa", "class_texts", "glove50"),
    check_settings=("1", "3"),
)
