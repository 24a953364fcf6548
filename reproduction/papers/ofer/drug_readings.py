"""Table 9 in the readings that the paper leaves open: the kernel, and an intercept.

The text says: "In all the experiments we directly used a representation of the training data as a
Gram matrix with Tanimoto kernel". The caption says: "Comparison of (Gaussian) m-KRR, RF, IOKR and
OFER-GMM". Equation (13) has no intercept, and no sentence says whether outputs were centred. So
there are four readings of one table. `reproduction.papers.ofer.drug_activity` has the first, the
Tanimoto kernel without an intercept; here each method has all four, by one protocol.
"""

from itertools import product

import numpy as np

from ofer.metrics import rrmse
from reproduction.engine.declaration import Check, Experiment, Facts
from reproduction.engine.readings import Dimension, Readings
from reproduction.papers.ofer import kernel_readings
from reproduction.papers.ofer.drug_activity import OVERLAP, SETTINGS, load_molecules
from reproduction.papers.ofer.kernel_readings import METHODS, Grid
from reproduction.statistics.splits import repeated_splits

__all__ = ["EXPERIMENT", "INTERCEPTS", "KERNELS", "READINGS", "evaluate", "label", "select"]

PARAMETERS = {
    "train_fraction": 0.6,
    "random_state": 2018,
    "n_folds": 5,
    "n_components": [1, 2, 3, 4, 6, 8],
    "outputs_per_component": 5,
    "alphas": np.logspace(-6, 3, 10).tolist(),
    "widths": [0.25, 0.5, 1, 2, 4, 8, 16, 32],  # in units of the median distance
}
KERNELS = ("Tanimoto", "Gaussian")
INTERCEPTS = ("no intercept", "intercept")
MEAN = "training mean"
READINGS = Readings(
    of="ofer-table-09",
    dimensions=(
        Dimension(
            name="kernel",
            words="“a Gram matrix with Tanimoto kernel” (text); “(Gaussian) m-KRR” (caption)",
            options=KERNELS,
            why="The text speaks of all experiments, the caption of one method.",
        ),
        Dimension(
            name="intercept",
            words="Equation (13) has none; no sentence says whether outputs were centred.",
            options=INTERCEPTS,
            why="The equation is what is printed.",
        ),
    ),
    choices=tuple(product(KERNELS, INTERCEPTS)),
    labels={method: f"{method}, {{kernel}}, {{intercept}}" for method in METHODS},
)


def label(method, kernel, intercept):
    """Name of a method in a reading, such as "m-KRR, Gaussian, no intercept"."""
    return f"{method}, {kernel}, {intercept}"


_READINGS = {label(*reading): reading for reading in product(METHODS, KERNELS, INTERCEPTS)}


def evaluate(data, method, setting, split):
    """Error of a method in a reading on one split, and what was chosen.

    Parameters
    ----------
    data : sklearn.utils.Bunch
        As from `load_molecules`.
    method : str
        One of the experiment's methods.
    setting : str
        Number of training molecules.
    split : int
        Number of the split.

    Returns
    -------
    dict of str to float
        The metric "rrmse"; "width" with the Gaussian kernel, "n_components" of mixtures, and
        "alpha" where folds choose the ridge parameter.
    """
    n_train = int(setting)
    parts = repeated_splits(
        len(data.Y),
        n_splits=split + 1,
        train_fraction=PARAMETERS["train_fraction"],
        train_sizes=[n_train],
        random_state=PARAMETERS["random_state"],
    )[split]
    train, test = parts.train(n_train), parts.test
    Y, Y_test = data.Y[train], data.Y[test]
    if method == MEAN:
        return {"rrmse": rrmse(Y_test, np.tile(Y.mean(axis=0), (len(test), 1)))}
    method, kernel, intercept = _READINGS[method]
    K, K_test = data.K[np.ix_(train, train)], data.K[np.ix_(test, train)]
    choice = select(method, kernel, intercept, K, Y, seed=split)
    predicted = kernel_readings.predict(
        method, choice, intercept == "intercept", K, Y, K_test, seed=split, em={}
    )
    chosen = {name: float(value) for name, value in choice._asdict().items() if value is not None}
    return {"rrmse": rrmse(Y_test, predicted)} | chosen


def select(method, kernel, intercept, K, Y, *, seed):
    """Hyper-parameters of a method in a reading.

    Parameters
    ----------
    method, kernel, intercept : str
        A method in a reading.
    K : ndarray of shape (n, n)
        The Tanimoto kernel matrix of the training part.
    Y : ndarray of shape (n, n_outputs)
        Its outputs.
    seed : int
        Seeds folds and EM.

    Returns
    -------
    reproduction.papers.ofer.kernel_readings.Choice
    """
    grid = Grid(
        widths=PARAMETERS["widths"] if kernel == "Gaussian" else [None],
        n_components=_components(len(Y)),
        alphas=PARAMETERS["alphas"],
        n_folds=PARAMETERS["n_folds"],
        em={},
    )
    return kernel_readings.select(method, grid, intercept == "intercept", K, Y, seed=seed)


def _components(n_train):
    """Numbers of components that leave each enough outputs on average."""
    largest = n_train / PARAMETERS["outputs_per_component"]
    return [count for count in PARAMETERS["n_components"] if count <= largest]


EXPERIMENT = Experiment(
    id="ofer-readings-drugs",
    title="Table 9 in four readings: kernel and intercept",
    load=load_molecules,
    evaluate=evaluate,
    methods=(*_READINGS, MEAN),
    settings=SETTINGS,
    n_splits=10,
    parameters=PARAMETERS,
    datasets=("nci60",),
    check=Check(settings=("10",)),
    facts=Facts(test_train_ratio=OVERLAP, readings=(READINGS,)),
)
