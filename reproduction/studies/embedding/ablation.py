"""What each departure from kernel ridge regression earns: one step at a time."""

import warnings

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from sklearn.kernel_ridge import KernelRidge
from sklearn.metrics.pairwise import rbf_kernel
from sklearn.model_selection import KFold
from sklearn.utils import Bunch

from ofer import GaussianMixtureEmbedding, Memberships, OutputFisherRegressor
from ofer.embeddings import CollapsedComponentWarning
from ofer.kernels import median_bandwidth
from ofer.metrics import rrmse
from reproduction.datasets.generated.mixtures import make_d2
from reproduction.methods.squared_error_ridge import squared_error_ridge
from reproduction.statistics.selection import select_by_folds
from reproduction.statistics.splits import random_split
from reproduction.studies.drug_activity.molecules import load_molecules

__all__ = ["BY_BLOCK", "ONE_RIDGE", "PARAMETERS", "WEAK", "evaluate", "load_tasks"]

SPLITS = {"train_fraction": 0.6, "random_state": 2018}
PARAMETERS = {
    **SPLITS,
    "n_folds": 5,
    "alphas": np.logspace(-4, 3, 8).tolist(),
    "n_components": {"D2 clean": 10, "D2 noisy": 10, "NCI-60": 4},
    "input_noise": 0.5,
    "n_weak": 250,
}
# Ridge for all coordinates, chosen by folds on the error of the outputs. The first two are not
# OFER; of the others the first is the printed form.
ONE_RIDGE = {
    "m-KRR": None,
    "m-KRR centred": None,
    "as printed": {"scaling": "score", "decoder": "raw", "intercept": False},
    "score, simplex": {"scaling": "score", "decoder": "simplex", "intercept": False},
    "score, simplex, intercept": {"scaling": "score", "decoder": "simplex", "intercept": True},
    "natural": {"scaling": "natural", "decoder": "raw", "intercept": False},
    "natural, intercept": {"scaling": "natural", "decoder": "raw", "intercept": True},
    "natural, simplex, intercept": {
        "scaling": "natural",
        "decoder": "simplex",
        "intercept": True,
    },
}
# Ridges by block, chosen by leave-one-out; natural scaling and intercept.
BY_BLOCK = {"ridges by block": "raw", "defaults": "simplex", "exact pre-image": "exact"}
WEAK = "weak labels"


def load_tasks():
    """The tasks by name: D2 with clean and with noisy inputs, and the drug activities."""
    molecules = load_molecules()
    return Bunch(
        **{
            "D2 clean": make_d2(random_state=0),
            "D2 noisy": make_d2(random_state=0, input_noise=PARAMETERS["input_noise"]),
            "NCI-60": Bunch(K=molecules.K, Y=molecules.Y),
        }
    )


def evaluate(data, method, setting, split):
    """Error of one form of the method on one split of a task with one training size."""
    name, size = setting.rsplit(" ", 1)
    task, n_train = data[name], int(size)
    parts = random_split(len(task.Y), split, **SPLITS)
    train, test = parts.train(n_train), parts.test
    weak = parts.rest(n_train)[: PARAMETERS["n_weak"]]
    K = _kernel(task, train)
    n_components = min(PARAMETERS["n_components"][name], n_train // 5)
    with warnings.catch_warnings():
        # Few outputs a component, and iterative pre-images of odd predictions: both are results.
        for category in (CollapsedComponentWarning, ConvergenceWarning):
            warnings.simplefilter("ignore", category)
        mixture = GaussianMixtureEmbedding(n_components, random_state=split)
        if method == WEAK:
            labels = mixture.fit(task.Y[train]).predict_proba(task.Y[weak])
            seen = np.concatenate([train, weak])
            model = OutputFisherRegressor(
                mixture, squared_error_ridge(kernel="precomputed"), block_wise=True
            )
            model.fit(
                K[np.ix_(train, train)],
                task.Y[train],
                weak=Memberships(K[np.ix_(weak, seen)], labels, weight=1.0),
            )
        else:
            seen = train
            model = _fit(method, mixture, K[np.ix_(train, train)], task.Y[train], split)
        predicted = model.predict(K[np.ix_(test, seen)])
    return {"rrmse": rrmse(task.Y[test], predicted)}


def _kernel(task, train):
    """Kernel matrix of all samples; the width of a Gaussian one is that of the training inputs."""
    if "K" in task:
        return task.K
    return rbf_kernel(task.X, gamma=0.5 / median_bandwidth(task.X[train]) ** 2)


def _fit(method, mixture, K, Y, seed):
    """Fit one of the forms without weak labels."""
    if method in BY_BLOCK:
        mixture.set_params(decoder=BY_BLOCK[method])
        return OutputFisherRegressor(
            mixture, squared_error_ridge(kernel="precomputed"), block_wise=True
        ).fit(K, Y)
    form = ONE_RIDGE[method]
    centred = method == "m-KRR centred" if form is None else form["intercept"]
    if centred:
        ridge = squared_error_ridge(kernel="precomputed")
        grid = {"alphas": [[alpha] for alpha in PARAMETERS["alphas"]]}
    else:
        ridge, grid = KernelRidge(kernel="precomputed"), {"alpha": PARAMETERS["alphas"]}
    model = ridge
    if form is not None:
        mixture.set_params(scaling=form["scaling"], decoder=form["decoder"])
        model = OutputFisherRegressor(mixture, ridge, block_wise=False)
        grid = {f"regressor__{name}": values for name, values in grid.items()}
    folds = KFold(PARAMETERS["n_folds"], shuffle=True, random_state=seed)
    return select_by_folds(model, grid, K, Y, folds)
