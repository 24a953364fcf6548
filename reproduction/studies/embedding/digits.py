"""A first comparison on the embedded digits, which is not in the paper."""

import warnings

from sklearn.frozen import FrozenEstimator

from ofer import GaussianMixtureEmbedding, Memberships, OutputFisherRegressor
from ofer.embeddings import CollapsedComponentWarning
from ofer.kernels import median_bandwidth
from ofer.metrics import rrmse
from reproduction.methods.squared_error_ridge import squared_error_ridge
from reproduction.statistics.splits import random_split

__all__ = ["PARAMETERS", "evaluate"]

SPLITS = {"train_fraction": 0.5, "random_state": 0}
PARAMETERS = {
    **SPLITS,
    "n_components": {"20": 4, "50": 8, "100": 10},
    "n_weak": 500,
}


def evaluate(data, method, setting, split):
    """Error of one method on one split of the digits with one training size."""
    n_train = int(setting)
    parts = random_split(len(data.Y), split, **SPLITS)
    train, weak = parts.train(n_train), parts.rest(n_train)[: PARAMETERS["n_weak"]]
    X, Y = data.X[train], data.Y[train]
    ridge = squared_error_ridge(kernel="rbf", gamma=0.5 / median_bandwidth(X) ** 2)
    mixture = GaussianMixtureEmbedding(PARAMETERS["n_components"][setting], random_state=split)
    with warnings.catch_warnings():
        # A component with a handful of pictures may be flat in some direction.
        warnings.simplefilter("ignore", CollapsedComponentWarning)
        if method == "m-KRR centred":
            model = ridge.fit(X, Y)
        elif method == "OFER-GMM":
            model = OutputFisherRegressor(mixture, ridge, block_wise=True).fit(X, Y)
        elif method == "OFER-GMM as printed":
            mixture.set_params(scaling="score", decoder="raw")
            ridge.set_params(fit_intercept=False)
            model = OutputFisherRegressor(mixture, ridge, block_wise=False).fit(X, Y)
        else:
            mixture.fit(Y)
            labels = mixture.predict_proba(data.Y[weak])
            model = OutputFisherRegressor(FrozenEstimator(mixture), ridge, block_wise=True)
            model.fit(X, Y, weak=Memberships(data.X[weak], labels, weight=1.0))
    return {"rrmse": rrmse(data.Y[parts.test], model.predict(data.X[parts.test]))}
