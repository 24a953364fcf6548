"""Table 4: error against training size and number of components (section 6.2)."""

import warnings
from functools import partial

import numpy as np
from sklearn.kernel_ridge import KernelRidge
from sklearn.model_selection import KFold

from ofer import GaussianMixtureEmbedding, OutputFisherRegressor
from ofer.embeddings import CollapsedComponentWarning
from ofer.kernels import median_bandwidth
from ofer.metrics import arrmse, rrmse
from reproduction.datasets.generated.mixtures import make_d2
from reproduction.methods.squared_error_ridge import squared_error_ridge
from reproduction.statistics.selection import select_by_folds
from reproduction.statistics.splits import random_split

__all__ = ["METHODS", "PARAMETERS", "evaluate", "load_d2", "select"]

SPLITS = {"train_fraction": 0.5, "random_state": 2018}
PARAMETERS = {
    **SPLITS,
    "n_samples": 600,
    "n_folds": 5,
    "alphas": np.logspace(-5, 1, 7).tolist(),
    "width_factors": [0.3, 1.0, 3.0],
}


def load_d2():
    """The data set D2: one draw, which the splits share."""
    return make_d2(PARAMETERS["n_samples"], random_state=PARAMETERS["random_state"])


def evaluate(data, method, setting, split):
    """Errors of one method on one split with one training size."""
    n_train = int(setting)
    parts = random_split(len(data.Y), split, **SPLITS)
    train, test = parts.train(n_train), parts.test
    predicted = select(method, data.X[train], data.Y[train], seed=split).predict(data.X[test])
    return {
        "rrmse": rrmse(data.Y[test], predicted),
        "arrmse": arrmse(data.Y[test], predicted, y_train=data.Y[train]),
    }


def select(method, X, Y, *, seed):
    """Fit a method with its hyper-parameters chosen on the training part alone.

    All have the Gaussian kernel, whose width is chosen in five folds. The forms as printed choose
    their ridge by the same folds, ours by exact leave-one-out.
    """
    widths = median_bandwidth(X) * np.array(PARAMETERS["width_factors"])
    gammas = 1 / (2 * widths**2)
    folds = KFold(PARAMETERS["n_folds"], shuffle=True, random_state=seed)
    model, grid = METHODS[method](gammas, seed)
    with warnings.catch_warnings():
        # Twelve outputs for three components: a collapse is what the folds are there to punish.
        warnings.simplefilter("ignore", CollapsedComponentWarning)
        return select_by_folds(model, grid, X, Y, folds)


def _ridge_as_printed(gammas, seed):
    return KernelRidge(kernel="rbf"), {"alpha": PARAMETERS["alphas"], "gamma": gammas}


def _centred_ridge(gammas, seed):
    return squared_error_ridge(kernel="rbf"), {"gamma": gammas}


def _ofer_as_printed(gammas, seed, *, n_components):
    embedding = GaussianMixtureEmbedding(
        n_components, scaling="score", decoder="raw", random_state=seed
    )
    model = OutputFisherRegressor(embedding, KernelRidge(kernel="rbf"), block_wise=False)
    return model, {"regressor__alpha": PARAMETERS["alphas"], "regressor__gamma": gammas}


def _ofer(gammas, seed, *, n_components):
    embedding = GaussianMixtureEmbedding(n_components, random_state=seed)
    model = OutputFisherRegressor(embedding, squared_error_ridge(kernel="rbf"), block_wise=True)
    return model, {"regressor__gamma": gammas}


METHODS = {"m-KRR": _ridge_as_printed, "m-KRR centred": _centred_ridge}
METHODS |= {
    f"OFER {C}-GMM as printed": partial(_ofer_as_printed, n_components=C) for C in (1, 2, 3)
}
METHODS |= {f"OFER {C}-GMM": partial(_ofer, n_components=C) for C in (1, 2, 3)}
