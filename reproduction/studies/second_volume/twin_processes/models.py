"""The methods of the tables of twin Gaussian processes, with hyper-parameters chosen by folds."""

import warnings
from contextlib import contextmanager
from functools import partial
from itertools import product

import numpy as np
from joblib import hash as hash_of
from sklearn.exceptions import ConvergenceWarning
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import RBF, ConstantKernel, WhiteKernel
from sklearn.kernel_ridge import KernelRidge
from sklearn.metrics import make_scorer
from sklearn.neighbors import KNeighborsRegressor

from ofer import GaussianMixtureEmbedding, KernelRidgeCV, OutputFisherRegressor
from ofer.companions import TwinGaussianProcess, TwinGaussianProcessCV
from ofer.embeddings import CollapsedComponentWarning
from ofer.kernels import median_bandwidth
from reproduction.methods.squared_error_ridge import squared_error_ridge
from reproduction.studies.second_volume.twin_processes.dependence_knn import DependenceKNNRegressor
from reproduction.studies.second_volume.twin_processes.structured_errors import mean_point_distance

__all__ = ["METHODS", "MODELS", "PARAMETERS", "by_folds", "quiet", "search_twins", "select"]

PARAMETERS = {
    "width_factors": [0.125, 0.25, 0.5, 1, 2],  # of ridges, in median distances
    "ridges": [1e-4, 1e-3, 1e-2, 1e-1, 1.0],
    "n_neighbors": [1, 2, 3, 5, 8, 12, 20, 30],
    "dependence": {
        "factor_x": [0.0625, 0.125, 0.25, 0.5, 1],
        "factor_y": [0.125, 0.25, 0.5, 1, 2],
        "n_neighbors": [5, 10, 20, 40, 80],
    },
    "n_components": [1, 2, 4, 8, 16],
    "n_gpr": 800,  # samples that the likelihood of a Gaussian process is maximised on
    "twins": {
        "toys": {
            "factor_x": [0.25, 0.5, 1, 2],
            "factor_y": [0.125, 0.25, 0.5],
            "ridge": [1e-4, 1e-3, 1e-2],
        },
        "others": {
            "factor_x": [1, 2, 4],
            "factor_y": [0.25, 0.5, 1],
            "ridge": [1e-4, 1e-3, 1e-2],
        },
    },
    "n_starts": 5,  # on toys, where one input has several outputs; else one
    "alphas": [0, 1e-4, 1e-3, 0.01, 0.03, 0.1, 0.3, 0.5, 0.7, 0.9, 0.97, 0.99, 1],
    "alphas as printed": [round(0.05 * step, 2) for step in range(21)],
}


def select(method, task):
    """Choose the hyper-parameters of a method, and fit it to the whole training part."""
    with quiet():
        model, chosen = METHODS[method](task)
        return model.fit(task.X, task.Y), chosen


@contextmanager
def quiet():
    """Without the warnings of bad candidates, which their validation error punishes.

    A mixture may have more components than a fold has clusters, and EM may take its time; a width
    may end at its bound.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", CollapsedComponentWarning)
        warnings.simplefilter("ignore", ConvergenceWarning)
        yield


# Models of a task with given hyper-parameters.


def _gaussian_process(task):
    """Hyper-parameters of the greatest likelihood, on a part of a large training set."""
    median, _ = _medians(task)
    kernel = ConstantKernel(1.0) * RBF(median) + WhiteKernel(0.1)
    few = slice(PARAMETERS["n_gpr"])
    first = GaussianProcessRegressor(kernel, normalize_y=True).fit(task.X[few], task.Y[few])
    return GaussianProcessRegressor(first.kernel_, normalize_y=True, optimizer=None)


def _neighbors(task, *, n_neighbors):
    return KNeighborsRegressor(n_neighbors, weights="distance")


def _dependence(criterion, task, *, factor_x, factor_y, n_neighbors):
    median_x, median_y = _medians(task)
    return DependenceKNNRegressor(
        criterion,
        n_neighbors=n_neighbors,
        bandwidth_x=factor_x * median_x,
        bandwidth_y=factor_y * median_y,
    )


def _ridge(task, *, factor, ridge):
    return KernelRidge(ridge, kernel="rbf", gamma=_gamma(task, factor))


def _centred_ridge(task, *, factor, ridge):
    return KernelRidgeCV([ridge], kernel="rbf", gamma=_gamma(task, factor))


def _ofer(task, *, factor, n_components):
    """A ridge per block, by leave-one-out."""
    mixture = GaussianMixtureEmbedding(n_components, random_state=task.seed)
    ridge = squared_error_ridge(PARAMETERS["ridges"], kernel="rbf", gamma=_gamma(task, factor))
    return OutputFisherRegressor(mixture, ridge, block_wise=True)


def _twin(task, *, factor_x, factor_y, ridge, alpha, n_starts=1):
    median_x, median_y = _medians(task)
    return TwinGaussianProcess(
        alpha,
        bandwidth_x=factor_x * median_x,
        bandwidth_y=factor_y * median_y,
        ridge_x=ridge,
        ridge_y=ridge,
        n_starts=n_starts,
    )


def _gamma(task, factor):
    return 0.5 / (factor * _medians(task)[0]) ** 2


def _medians(task):
    return [median_bandwidth(Z, random_state=0) for Z in (task.X, task.Y)]


ENDS = {"KLTGP": 0, "IKLTGP": 1}  # of the family, by alpha
MODELS = {
    "GPR": _gaussian_process,
    "W-KNN": _neighbors,
    "HSIC-KNN": partial(_dependence, "hsic"),
    "KTA-KNN": partial(_dependence, "kta"),
    "m-KRR": _ridge,
    "m-KRR centred": _centred_ridge,
    "OFER-GMM": _ofer,
    **{method: partial(_twin, alpha=alpha) for method, alpha in ENDS.items()},
    "SMTGP": _twin,
}


# Their choice.

_FOUND: dict[tuple, tuple] = {}  # the least error and its combination, of the searches made here


def _search(task, model, grid):
    """The least validation error over a grid, and the combination that has it."""
    candidates = []
    for values in product(*grid.values()):
        chosen = dict(zip(grid, values, strict=True))
        candidates.append((task.validate(model(task, **chosen).fit), chosen))
    return min(candidates, key=lambda candidate: candidate[0])


def _result(task, method, error, chosen, **options):
    return MODELS[method](task, **chosen, **options), {**chosen, "validation error": error}


def _by_likelihood(task):
    return MODELS["GPR"](task), {}


def by_folds(method, grid, task):
    """Model of a method with hyper-parameters that folds choose, and which these are."""
    return _result(task, method, *_search(task, MODELS[method], grid))


def _by_components(task):
    """The kernel of the centred ridge, and the number of components by folds."""
    _, chosen = _search(task, MODELS["m-KRR centred"], WIDTHS)
    model = partial(MODELS["OFER-GMM"], factor=chosen["factor"])
    error, best = _search(task, model, {"n_components": PARAMETERS["n_components"]})
    return _result(task, "OFER-GMM", error, {"factor": chosen["factor"], **best})


def search_twins(task, alphas, grid, n_starts=1):
    """Search widths, ridge and alpha of twin Gaussian processes by the validation error."""
    medians = dict(zip("xy", _medians(task), strict=True))
    error = {"greater_is_better": False, "n_coordinates": task.n_coordinates}
    search = TwinGaussianProcessCV(
        alphas=alphas,
        bandwidths_x=np.multiply(grid["factor_x"], medians["x"]),
        bandwidths_y=np.multiply(grid["factor_y"], medians["y"]),
        ridges=grid["ridge"],
        cv=task.folds,
        scoring=make_scorer(mean_point_distance, **error),
        n_starts=n_starts,
    ).fit(task.X, task.Y)
    best = search.best_params_
    # Factors are powers of two, so that dividing gives them back.
    factors = {f"factor_{side}": best[f"bandwidth_{side}"] / medians[side] for side in medians}
    return -search.best_score_, {**factors, "ridge": best["ridge"], "alpha": best["alpha"]}


def _search_end(task, method, n_starts):
    """Of several methods that search alike on a task, one does so for all in this process."""
    grid = PARAMETERS["twins"]["toys" if task.Y.shape[1] == 1 else "others"]
    key = hash_of([task.X, task.Y, task.folds, task.n_coordinates, grid]), method, n_starts
    if key not in _FOUND:
        error, chosen = search_twins(task, [ENDS[method]], grid, n_starts)
        _FOUND[key] = error, {name: chosen[name] for name in grid}
    return _FOUND[key]


def _search_alpha(task, chosen, alphas, n_starts):
    return search_twins(task, alphas, {name: [chosen[name]] for name in chosen}, n_starts)


def _own(method, task):
    """A Kullback-Leibler form with hyper-parameters of its own."""
    n_starts = _n_starts(task)
    return _result(task, method, *_search_end(task, method, n_starts), n_starts=n_starts)


def _own_alpha(task):
    """Alpha with the hyper-parameters of either Kullback-Leibler form, whichever is better."""
    n_starts, candidates = _n_starts(task), []
    for method in ("KLTGP", "IKLTGP"):
        _, chosen = _search_end(task, method, n_starts)
        candidates.append(_search_alpha(task, chosen, PARAMETERS["alphas"], n_starts))
    best = min(candidates, key=lambda candidate: candidate[0])
    return _result(task, "SMTGP", *best, n_starts=n_starts)


def _as_printed(method, task):
    """One start, and the hyper-parameters of KLTGP."""
    error, chosen = _search_end(task, "KLTGP", 1)
    if method == "SMTGP":
        error, chosen = _search_alpha(task, chosen, PARAMETERS["alphas as printed"], 1)
    if method == "IKLTGP":
        error = task.validate(MODELS[method](task, **chosen).fit)
    return _result(task, method, error, chosen)


def _n_starts(task):
    return PARAMETERS["n_starts"] if task.Y.shape[1] == 1 else 1


WIDTHS = {"factor": PARAMETERS["width_factors"], "ridge": PARAMETERS["ridges"]}
METHODS = {
    "GPR": _by_likelihood,
    "W-KNN": partial(by_folds, "W-KNN", {"n_neighbors": PARAMETERS["n_neighbors"]}),
    "HSIC-KNN": partial(by_folds, "HSIC-KNN", PARAMETERS["dependence"]),
    "KTA-KNN": partial(by_folds, "KTA-KNN", PARAMETERS["dependence"]),
    "m-KRR": partial(by_folds, "m-KRR", WIDTHS),
    "m-KRR centred": partial(by_folds, "m-KRR centred", WIDTHS),
    "OFER-GMM": _by_components,
    "KLTGP as printed": partial(_as_printed, "KLTGP"),
    "IKLTGP as printed": partial(_as_printed, "IKLTGP"),
    "SMTGP as printed": partial(_as_printed, "SMTGP"),
    "KLTGP": partial(_own, "KLTGP"),
    "IKLTGP": partial(_own, "IKLTGP"),
    "SMTGP": _own_alpha,
}
