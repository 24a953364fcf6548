"""Not in the paper: how often prediction regions hold the output, and how large they are."""

import warnings
from functools import partial

import numpy as np
from scipy.stats import norm
from sklearn.decomposition import TruncatedSVD
from sklearn.exceptions import ConvergenceWarning
from sklearn.feature_extraction.text import TfidfTransformer
from sklearn.feature_selection import VarianceThreshold
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import RBF, ConstantKernel, WhiteKernel
from sklearn.impute import SimpleImputer
from sklearn.metrics.pairwise import rbf_kernel
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils import Bunch

from ofer import (
    FullConformalRegressor,
    GaussianMixtureEmbedding,
    JackknifePlus,
    KernelRidgeCV,
    OutputFisherRegressor,
)
from ofer.datasets import load_digits_reconstruction
from ofer.embeddings import CollapsedComponentWarning
from ofer.kernels import median_bandwidth
from reproduction.datasets.images.poser import fetch_poser
from reproduction.datasets.images.usps import fetch_usps
from reproduction.datasets.tables.mtr import fetch_mtr
from reproduction.datasets.tables.nci60 import fetch_nci60
from reproduction.datasets.texts.first_impressions import fetch_first_impressions
from reproduction.datasets.texts.maec_volatility import fetch_maec_volatility
from reproduction.methods.squared_error_ridge import squared_error_ridge
from reproduction.studies.second_volume.regions.rival_regions import (
    NEAR,
    ConformalisedQuantiles,
    LocalUnits,
    ProcessAnOutput,
)

__all__ = [
    "METHODS",
    "PARAMETERS",
    "TABLES",
    "best_width",
    "evaluate",
    "fit_half",
    "judge",
    "load_sets",
    "regions_of",
    "shares_between",
    "take_split",
    "worst_slab",
]

PARAMETERS = {
    "levels": [0.5, 0.8, 0.9, 0.95],
    "train_fraction": 0.8,
    "most_train": 400,
    "most_test": 150,
    "random_state": 2021,
    "n_text_directions": 100,
    "width_factors": [0.5, 1, 2, 4],
    "n_samples_for_width": 250,  # and for the parameters of the Gaussian process
    "n_components": [1, 2, 4],
    "outputs_per_component": 5,
    "n_neighbours": [10, 30, 100, 400],
    "n_clusters": [1, 2, 4],
    "level_of_choice": 0.9,
    "n_samples_for_choice": 100,
    "slab_mass": 0.2,
    "n_slabs": 200,
    "n_folds": 10,  # of CV+
    "inside": {
        "alphas": np.logspace(-4, 2, 13).tolist(),
        # in units of the root mean square distance of standardised inputs, a fixed number
        "width_factors": [0.25, 0.5, 1, 2],
        "n_sizes": 40,  # queries whose volume is computed, at one level
    },
}
TABLES = ("andro", "edm", "atp7d", "sf1", "oes97", "atp1d", "osales", "enb", "wq", "sf2", "scpf")
REGIONS = {
    "ridge": {},
    "ridge, each output": {"simultaneous": False},
    "ridge, ellipsoid": {"shape": "ellipsoid"},
    "OFER-GMM": {},
    "OFER-GMM, ellipsoid": {"shape": "ellipsoid"},
}


def load_sets():
    """Inputs and outputs of all sets."""
    digits, usps, poser = load_digits_reconstruction(), fetch_usps(), fetch_poser()
    molecules, clips, calls = fetch_nci60(), fetch_first_impressions(), fetch_maec_volatility()
    bits = np.unpackbits(molecules.fingerprints, axis=1).astype(np.float64)
    return {name: fetch_mtr(name) for name in TABLES} | {
        "digits": Bunch(X=digits.X, Y=digits.Y),
        "usps": Bunch(X=usps.X, Y=usps.Y),
        "poser": Bunch(X=poser.X, Y=poser.Y),
        "traits": Bunch(X=clips.counts, Y=clips.Y),
        "volatility": Bunch(X=calls.counts, Y=calls.Y),
        "nci60": Bunch(X=bits, Y=molecules.Y),
    }


def take_split(data, split):
    """Random training and test part in units of the training part.

    Words become the leading directions of TF-IDF; missing inputs become the training mean, inputs
    and outputs that are constant in the training part are dropped, the others standardised.
    """
    n = len(data.Y)
    order = np.random.default_rng([PARAMETERS["random_state"], split]).permutation(n)
    n_train = min(PARAMETERS["most_train"], int(PARAMETERS["train_fraction"] * n))
    train, test = order[:n_train], order[n_train : n_train + PARAMETERS["most_test"]]
    if isinstance(data.X, np.ndarray):
        steps = SimpleImputer(keep_empty_features=True), VarianceThreshold()
    else:
        directions = TruncatedSVD(PARAMETERS["n_text_directions"], random_state=0)
        steps = TfidfTransformer(sublinear_tf=True), directions
    inputs = make_pipeline(*steps, StandardScaler()).fit(data.X[train])
    outputs = make_pipeline(VarianceThreshold(), StandardScaler()).fit(data.Y[train])
    return Bunch(
        X=inputs.transform(data.X[train]),
        Y=outputs.transform(data.Y[train]),
        X_test=inputs.transform(data.X[test]),
        Y_test=outputs.transform(data.Y[test]),
    )


def evaluate(data, method, setting, split):
    """Coverage and size of the regions of one method on one split of one set."""
    task = take_split(data[setting], split)
    with warnings.catch_warnings():
        # Counts and repeated outputs make components collapse, and some outputs follow from the
        # inputs almost without noise: the regions that are judged here show what that costs.
        warnings.simplefilter("ignore", CollapsedComponentWarning)
        warnings.simplefilter("ignore", ConvergenceWarning)
        warnings.filterwarnings("ignore", "alphas should have")
        regions, chosen = METHODS[method](task, split)
    return chosen | judge(task, regions, split)


def judge(task, regions, split):
    """Coverage and size of regions, which are a function of the level, on one split."""
    values = {"n_test": float(len(task.Y_test)), "n_outputs": float(task.Y.shape[1])}
    for level in PARAMETERS["levels"]:
        inside, log_volumes = regions(level)
        values[f"coverage {level}"] = float(inside.mean())
        size = float(np.median(log_volumes)) / task.Y.shape[1]
        if np.isfinite(size):  # with fewer samples than the level asks for it is infinite
            values[f"log size {level}"] = size
        if level in (0.5, 0.9):
            held = inside.reshape(len(inside), -1).mean(axis=1)
            values[f"slab {level}"] = worst_slab(task.X_test, held, seed=split)
    return values


def worst_slab(X, inside, *, seed):
    """Coverage between the two parallel planes where it is least.

    The planes are searched for on the first half of the test samples, among those with enough
    samples between them along random directions; the coverage is that of the second half.
    """
    half = len(X) // 2
    rng = np.random.default_rng(seed)
    directions = rng.normal(size=(X.shape[1], PARAMETERS["n_slabs"]))
    places = X @ directions
    fewest = max(2, int(np.ceil(PARAMETERS["slab_mass"] * half)))
    shares, lows, highs = shares_between(places[:half], inside[:half], fewest)
    which, along = np.unravel_index(shares.argmin(), shares.shape)
    low, high = lows[which, along], highs[which, along]
    between = (low <= places[half:, along]) & (places[half:, along] <= high)
    return float(inside[half:][between].mean() if between.any() else inside[half:].mean())


def shares_between(places, inside, fewest):
    """Coverages between pairs of parallel planes, by direction, and where the planes are.

    `places` (n, m) are those of the samples along m directions; there are at least `fewest` samples
    between the planes. Three arrays (n_pairs, m).
    """
    order = np.argsort(places, axis=0, kind="stable")
    sums = np.pad(inside[order].cumsum(axis=0), ((1, 0), (0, 0)))
    first, last = np.triu_indices(len(places) + 1, fewest)
    shares = (sums[last] - sums[first]) / (last - first)[:, None]
    ordered = np.take_along_axis(places, order, axis=0)
    return shares, ordered[first], ordered[last - 1]


def best_width(X, Y):
    """Width parameter of the Gaussian kernel with which one ridge has the least error."""
    kept = slice(PARAMETERS["n_samples_for_width"])  # the training part is in random order
    median = median_bandwidth(X[kept])
    scores = {}
    for factor in PARAMETERS["width_factors"]:
        gamma = 1.0 / (2.0 * (factor * median) ** 2)
        scores[gamma] = (
            squared_error_ridge(kernel="rbf", gamma=gamma).fit(X[kept], Y[kept]).best_score_
        )
    return max(scores, key=scores.get)


def _jackknife(task, seed, *, mixture, **options):
    """Jackknife+ regions of the ridge, or of the mixture whose regions are smallest in training."""
    gamma = best_width(task.X, task.Y)
    K = rbf_kernel(task.X, gamma=gamma)
    K_test = rbf_kernel(task.X_test, task.X, gamma=gamma)
    ridge, chosen = squared_error_ridge(kernel="precomputed"), {}
    if mixture:
        ridge, chosen["n_components"] = _choose_mixture(ridge, K, task.Y, seed, options)
    model = JackknifePlus(ridge, **options).fit(K, task.Y)

    def regions(level):
        model.set_params(confidence_level=level)
        if model.shape == "ellipsoid":
            return model.contains(K_test, task.Y_test), np.log(model.volume(K_test))
        lower, upper = np.moveaxis(model.predict_interval(K_test), -1, 0)  # once for both
        inside = (lower <= task.Y_test) & (task.Y_test <= upper)
        if model.simultaneous:
            inside = inside.all(axis=1)
        return inside, np.log(upper - lower).sum(axis=1)

    return regions, chosen


def _cross_validation_plus(task, seed):
    """CV+ ellipsoids: the jackknife+ of folds that leave together."""
    n = len(task.Y)
    folds = np.random.default_rng(seed).permutation(n) % PARAMETERS["n_folds"]
    ridge = squared_error_ridge(kernel="rbf", gamma=best_width(task.X, task.Y))
    model = JackknifePlus(ridge, shape="ellipsoid").fit(task.X, task.Y, groups=folds)
    return regions_of(model, task), {}


def _full_conformal(task, seed, *, selection):
    """Full conformal regions: chosen once as the others choose, inside, or on half of the part."""
    half, d, options = len(task.Y) // 2, task.X.shape[1], {"shape": "ellipsoid"}
    if selection == "half":
        tuning = {"X_tune": task.X[:half], "y_tune": task.Y[:half]}
        ridge = squared_error_ridge(kernel="rbf", gamma=best_width(*tuning.values()))
        model = FullConformalRegressor(ridge, **options)
        model.fit(task.X[half:], task.Y[half:], **tuning)
    elif selection == "once":
        ridge = squared_error_ridge(kernel="rbf", gamma=best_width(task.X, task.Y))
        model = FullConformalRegressor(ridge, **options).fit(task.X, task.Y)
    else:
        grid = PARAMETERS["inside"]
        gammas = [0.5 / (factor**2 * 2 * d) for factor in grid["width_factors"]]
        search = GridSearchCV(KernelRidgeCV(grid["alphas"], kernel="rbf"), {"gamma": gammas})
        model = FullConformalRegressor(search, selection="inside", **options).fit(task.X, task.Y)
        few = slice(grid["n_sizes"])
        return regions_of(model, task, few, [PARAMETERS["level_of_choice"]]), {}
    return regions_of(model, task), {}


def regions_of(model, task, measured=slice(None), levels=PARAMETERS["levels"]):
    """Regions of a model of the package; some have sizes."""

    def regions(level):
        model.set_params(confidence_level=level)
        with np.errstate(divide="ignore"):
            sizes = np.log(model.volume(task.X_test[measured])) if level in levels else np.inf
        return model.contains(task.X_test, task.Y_test), sizes

    return regions


def _choose_mixture(ridge, K, Y, seed, options):
    most = min(len(Y) / PARAMETERS["outputs_per_component"], len(np.unique(Y, axis=0)))
    sizes, level = {}, PARAMETERS["level_of_choice"]
    for count in PARAMETERS["n_components"]:
        if count > most:
            continue
        model = OutputFisherRegressor(
            GaussianMixtureEmbedding(count, random_state=seed), ridge, block_wise=True
        )
        regions = JackknifePlus(model, confidence_level=level, **options).fit(K, Y)
        volumes = regions.volume(K[: PARAMETERS["n_samples_for_choice"]])
        sizes[count] = float(np.median(volumes)), count, model
    _, count, model = min(sizes.values(), key=lambda candidate: candidate[:2])
    return model, float(count)


def fit_half(task):
    """A ridge fitted to one half, and the sizes of its errors on the other and on the test part."""
    half = len(task.Y) // 2
    X, Y = task.X[:half], task.Y[:half]
    model = squared_error_ridge(kernel="rbf", gamma=best_width(X, Y)).fit(X, Y)
    others = (task.X[half:], task.Y[half:]), (task.X_test, task.Y_test)
    return model, *(np.abs(outputs - model.predict(inputs)) for inputs, outputs in others)


def _split_conformal(task, seed):
    """Boxes around a ridge fitted to one half, from its errors on the other."""
    model, missed, missed_in_test = fit_half(task)
    units = np.sqrt(np.square(model.loo_residuals_).mean(axis=0))
    units = np.where(units > 0, units, 1.0)
    scores = np.sort((missed / units).max(axis=1))
    errors = (missed_in_test / units).max(axis=1)

    def regions(level):
        rank = int(np.ceil(np.round(level * (len(scores) + 1), 9)))
        radius = scores[rank - 1] if rank <= len(scores) else np.inf
        return errors <= radius, np.full(len(errors), np.log(2.0 * radius * units).sum())

    return regions, {}


def _gaussian_process(task, seed):
    """Boxes of a Gaussian process with one kernel for all outputs, which are independent then."""
    kept = slice(PARAMETERS["n_samples_for_width"])
    width = median_bandwidth(task.X[kept])
    kernel = ConstantKernel() * RBF(width, (width / 100, 100 * width)) + WhiteKernel(
        0.5, (1e-6, 1e2)
    )
    tuned = GaussianProcessRegressor(kernel).fit(task.X[kept], task.Y[kept]).kernel_
    model = GaussianProcessRegressor(tuned, optimizer=None).fit(task.X, task.Y)
    mean, deviations = model.predict(task.X_test, return_std=True)

    def regions(level):
        reach = norm.ppf((1.0 + level ** (1.0 / task.Y.shape[1])) / 2.0) * deviations
        inside = (np.abs(task.Y_test - mean) <= reach).all(axis=1)
        return inside, np.log(2.0 * reach).sum(axis=1)

    return regions, {}


def _local_units(task, seed, *, near):
    """Boxes of the ridge in local units, of the count whose boxes are smallest in training."""
    gamma, kept = best_width(task.X, task.Y), slice(PARAMETERS["n_samples_for_choice"])
    counted, most = "n_neighbours", np.inf
    if near == "clusters":
        counted, most = "n_clusters", len(np.unique(task.Y, axis=0))
    sizes = {}
    for count in PARAMETERS[counted]:
        if count <= most:
            ridge = squared_error_ridge(kernel="rbf", gamma=gamma)
            model = LocalUnits(ridge, NEAR[near], count, seed).fit(task.X, task.Y)
            lower, upper = model.ends(task.X[kept], PARAMETERS["level_of_choice"])
            sizes[count] = float(np.median(_log_volumes(lower, upper))), count, model
    _, count, model = min(sizes.values(), key=lambda candidate: candidate[:2])
    return _boxes(task, model), {counted: float(count)}


def _of_rival(task, seed, *, rival):
    return _boxes(task, rival(seed).fit(task.X, task.Y)), {}


def _boxes(task, model):
    """Regions of a model that knows the ends of its boxes."""

    def regions(level):
        lower, upper = model.ends(task.X_test, level)
        inside = ((lower <= task.Y_test) & (task.Y_test <= upper)).all(axis=1)
        return inside, _log_volumes(lower, upper)

    return regions


def _log_volumes(lower, upper):
    with np.errstate(divide="ignore"):  # boxes that are empty
        return np.log(np.maximum(upper - lower, 0.0)).sum(axis=1)


METHODS = {
    name: partial(_jackknife, mixture=name.startswith("OFER"), **options)
    for name, options in REGIONS.items()
} | {
    "ridge, ellipsoid, CV+": _cross_validation_plus,
    "full conformal": partial(_full_conformal, selection="once"),
    "full conformal, chosen inside": partial(_full_conformal, selection="inside"),
    "full conformal, tuned on half": partial(_full_conformal, selection="half"),
    "split conformal": _split_conformal,
    "Gaussian process": _gaussian_process,
    "ridge, units of near predictions": partial(_local_units, near="predictions"),
    "ridge, units of near inputs": partial(_local_units, near="inputs"),
    "ridge, units of clusters": partial(_local_units, near="clusters"),
    "Gaussian process an output": partial(_of_rival, rival=lambda seed: ProcessAnOutput()),
    "conformalised quantiles": partial(_of_rival, rival=ConformalisedQuantiles),
}
