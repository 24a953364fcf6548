"""Not in the paper: eleven sets of the multi-target regression benchmark."""

import warnings

import numpy as np
from sklearn.dummy import DummyRegressor
from sklearn.ensemble import RandomForestRegressor
from sklearn.exceptions import ConvergenceWarning
from sklearn.feature_selection import VarianceThreshold
from sklearn.impute import SimpleImputer
from sklearn.metrics.pairwise import rbf_kernel
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils import Bunch

from ofer import GaussianMixtureEmbedding, KernelRidgeCV, OutputFisherRegressor
from ofer.embeddings import CollapsedComponentWarning
from ofer.kernels import median_bandwidth
from ofer.metrics import arrmse, rrmse
from reproduction.datasets.tables.mtr import fetch_mtr
from reproduction.methods.squared_error_ridge import squared_error_ridge
from reproduction.statistics.splits import random_split

__all__ = ["MIXTURES", "PARAMETERS", "RIDGES", "SETS", "evaluate", "load_sets", "take_split"]

SETS = ("andro", "edm", "atp7d", "sf1", "oes97", "atp1d", "osales", "enb", "wq", "sf2", "scpf")
SPLITS = {"train_fraction": 0.8, "random_state": 2016}
PARAMETERS = {
    **SPLITS,
    "width_factors": [0.25, 0.5, 1, 2, 4, 8],
    "n_samples_for_width": 400,
    "n_components": [1, 2, 3, 4, 6, 8],
    "n_components_of_slow": [1, 2, 4],  # of the exact decoder and the forest
    "outputs_per_component": 5,
    "n_trees": 60,
    "max_features": 1 / 3,
}
RIDGES = {
    "m-KRR": {"fit_intercept": False},
    "m-KRR centred": {},
    "m-KRR a ridge a target": {"alpha_per_target": True},
}
MIXTURES = {
    "OFER-GMM": {},
    "OFER-GMM exact": {"decoder": "exact"},
    "OFER-GMM as printed": {"scaling": "score", "decoder": "raw"},
    "OFER forest": {},
}
WITHOUT_KERNEL = ("mean", "m-RF", "OFER forest")


class StackedRidge:
    """Kernel ridge regressions, corrected by a linear ridge on the predictions of all targets.

    The second ridge learns what the leave-one-out predictions miss, so that one that finds no
    dependence between the targets leaves the first as they are.
    """

    def fit(self, K, Y):
        """Fit both stages, K of shape (n, n), Y of shape (n, n_targets)."""
        self.first_ = KernelRidgeCV("fixed", kernel="precomputed", alpha_per_target=True).fit(K, Y)
        missed = self.first_.loo_residuals_
        self.second_ = KernelRidgeCV("fixed", alpha_per_target=True).fit(Y - missed, missed)
        return self

    def predict(self, K):
        """Predict the targets, K of shape (n_queries, n)."""
        predicted = self.first_.predict(K)
        return predicted + self.second_.predict(predicted)


class SteadyForest(RandomForestRegressor):
    """Random forest that grows the same trees on every processor.

    In small nodes many splits part the samples alike, and which of them a tree takes hangs on the
    last bit of sums of targets. Sums of multiples of 2**-30 are exact, so that such splits tie and
    the first one is taken.
    """

    def fit(self, X, y):
        """Fit the trees to inputs X (n, d) and targets y (n, p) of size about one."""
        return super().fit(X, np.ldexp(np.round(np.ldexp(y, 30)), -30))


def load_sets():
    """Inputs and outputs of all sets."""
    return {name: fetch_mtr(name) for name in SETS}


def take_split(data, split):
    """Training and test part in units of the training part.

    Missing inputs become the training mean, inputs that are constant in the training part are
    dropped, and the others and the outputs are standardised.
    """
    train, test = random_split(len(data.Y), split, **SPLITS)
    inputs = make_pipeline(
        SimpleImputer(keep_empty_features=True), VarianceThreshold(), StandardScaler()
    ).fit(data.X[train])
    outputs = StandardScaler().fit(data.Y[train])
    return Bunch(
        X=inputs.transform(data.X[train]),
        Y=outputs.transform(data.Y[train]),
        X_test=inputs.transform(data.X[test]),
        Y_test=outputs.transform(data.Y[test]),
    )


def evaluate(data, method, setting, split):
    """Error of one method on one split of one set."""
    task = take_split(data[setting], split)
    X, X_test, chosen = task.X, task.X_test, {}
    if method not in WITHOUT_KERNEL:
        gamma, chosen["width_factor"] = _select_width(X, task.Y)
        X, X_test = rbf_kernel(X, gamma=gamma), rbf_kernel(X_test, X, gamma=gamma)
    if method in MIXTURES:
        model, chosen["n_components"] = _select_mixture(method, X, task.Y, split)
    else:
        model = _make_plain(method, split).fit(X, task.Y)
    error = arrmse(task.Y_test, model.predict(X_test), y_train=task.Y)
    return {"arrmse": error, **chosen}


def _select_width(X, Y):
    """Width of the Gaussian kernel with which one centred ridge has the least error."""
    kept = slice(PARAMETERS["n_samples_for_width"])  # the training part is in random order
    X, Y = X[kept], Y[kept]
    median = median_bandwidth(X)
    scores = {}
    for factor in PARAMETERS["width_factors"]:
        gamma = 1.0 / (2.0 * (factor * median) ** 2)
        ridge = squared_error_ridge(kernel="rbf", gamma=gamma).fit(X, Y)
        scores[gamma, float(factor)] = ridge.best_score_
    return max(scores, key=scores.get)


def _make_plain(method, seed):
    """Method without an output model."""
    if method == "mean":
        return DummyRegressor()
    if method == "m-RF":
        return _make_forest(seed)
    if method == "ridge stacking":
        return StackedRidge()
    return squared_error_ridge(kernel="precomputed", **RIDGES[method])


def _make_forest(seed, **options):
    n_trees, max_features = PARAMETERS["n_trees"], PARAMETERS["max_features"]
    return SteadyForest(n_trees, max_features=max_features, random_state=seed, **options)


def _select_mixture(method, X, Y, seed):
    """OFER with the number of components whose decoded predictions of the unseen are best."""
    if method == "OFER forest":
        regressor = _make_forest(seed, oob_score=True)
    else:
        printed = method == "OFER-GMM as printed"
        regressor = squared_error_ridge(kernel="precomputed", fit_intercept=not printed)
    candidates = []
    for n_components in _components(method, Y):
        mixture = GaussianMixtureEmbedding(n_components, random_state=seed, **MIXTURES[method])
        model = OutputFisherRegressor(
            mixture, regressor, block_wise=method != "OFER-GMM as printed"
        )
        with warnings.catch_warnings():
            # Counts and repeated outputs make components collapse, and a search in the exact
            # decoder may stop early: the error that is judged here punishes both.
            warnings.simplefilter("ignore", CollapsedComponentWarning)
            warnings.simplefilter("ignore", ConvergenceWarning)
            model.fit(X, Y)
            candidates.append((rrmse(Y, _predict_unseen(model)), n_components, model))
    _, n_components, model = min(candidates, key=lambda candidate: candidate[0])
    return model, float(n_components)


def _predict_unseen(model):
    """Leave-one-out predictions of ridges, out-of-bag predictions of forests."""
    if isinstance(model.regressor, KernelRidgeCV):
        return model.loo_predict()
    blocks = [forest.oob_prediction_ for forest in model.regressor_.values()]
    H = np.column_stack(blocks)
    return model.embedding_.inverse_transform(H)


def _components(method, Y):
    """Numbers of components that leave each enough outputs on average, and different ones."""
    slow = method in ("OFER-GMM exact", "OFER forest")
    largest = min(len(Y) / PARAMETERS["outputs_per_component"], len(np.unique(Y, axis=0)))
    counts = PARAMETERS["n_components_of_slow" if slow else "n_components"]
    return [count for count in counts if count <= largest]
