"""Not in the paper: boxes with local units that need no mixture, beside which its boxes stand."""

import numpy as np
from scipy.stats import norm
from sklearn.cluster import KMeans
from sklearn.ensemble import GradientBoostingRegressor
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import RBF, ConstantKernel, WhiteKernel
from sklearn.metrics.pairwise import rbf_kernel
from sklearn.neighbors import NearestNeighbors

from ofer.kernels import median_bandwidth

__all__ = ["NEAR", "PARAMETERS", "ConformalisedQuantiles", "LocalUnits", "ProcessAnOutput"]

PARAMETERS = {
    "prior": 2.0,  # samples for which the units of all count, as in the units of a mixture
    "width_factors": np.logspace(-1.5, 1.5, 19).tolist(),
    "noise_ratios": np.logspace(-5, 3, 33).tolist(),
    "quantiles": [0.05, 0.95],
    "boosting": {"n_estimators": 100, "max_depth": 2, "max_features": "sqrt"},
}


class LocalUnits:
    """Jackknife+ boxes of a ridge regression, in units of the residuals near the prediction."""

    def __init__(self, ridge, near, count, seed):
        self.ridge, self.near, self.count, self.seed = ridge, near, count, seed

    def fit(self, X, Y):
        """Fit the ridge, and know its residuals without each sample."""
        self.ridge.fit(X, Y)
        self.missed = self.ridge.loo_residuals_
        self.weights = self.near(X, Y - self.missed, Y, self.count, self.seed)
        self.smoother = self.ridge.smoother(X, {"y": self.ridge})
        self.scores = (np.abs(self.missed) / self._units(self.weights())).max(axis=1)
        return self

    def _units(self, weights):
        """Root mean squares of the residuals of those that are near."""
        squares, prior = np.square(self.missed), PARAMETERS["prior"]
        sums = weights @ squares + prior * squares.mean(axis=0)
        return np.sqrt(sums / (weights.sum(axis=1, keepdims=True) + prior))

    def ends(self, X, level):
        """Ends of the boxes."""
        predicted = self.ridge.predict(X)
        without = predicted[:, None] - self.smoother(X)["y"] * self.missed
        reach = self.scores[:, None] * self._units(self.weights(X, predicted))[:, None]
        return -_smallest(reach - without, level), _smallest(reach + without, level)


def _near_inputs(X, left_out, Y, count, seed):
    """Those with the nearest inputs."""
    tree = NearestNeighbors(n_neighbors=min(count, len(Y) - 1)).fit(X)
    return lambda X=None, predicted=None: tree.kneighbors_graph(X).toarray()


def _near_predictions(X, left_out, Y, count, seed):
    """Those whose predictions without themselves are nearest to a prediction."""
    tree = NearestNeighbors(n_neighbors=min(count, len(Y) - 1)).fit(left_out)
    return lambda X=None, predicted=None: tree.kneighbors_graph(predicted).toarray()


def _clusters(X, left_out, Y, count, seed):
    """Those whose predictions are in the same cluster of outputs."""
    means = KMeans(count, n_init=10, random_state=seed).fit(Y)
    labels = means.predict(left_out)

    def weights(X=None, predicted=None):
        if predicted is None:
            return ((labels[:, None] == labels) & ~np.eye(len(labels), dtype=bool)).astype(float)
        return (means.predict(predicted)[:, None] == labels).astype(float)

    return weights


NEAR = {
    "inputs": _near_inputs,
    "predictions": _near_predictions,
    "clusters": _clusters,
}
"""Which samples are near: functions of inputs (n, d), left-out predictions (n, p), outputs (n, p),
a count and a seed. They return a function of queries (m, d) and their predictions (m, p), or of
nothing for the samples, which are not near themselves, that gives weights (m, n)."""


class ProcessAnOutput:
    """A Gaussian process for each output, all parameters by the likelihood of all samples.

    The likelihood is the highest on a grid of widths and of ratios of noise to scale, with the best
    scale for each, for which the kernel matrix of each width is decomposed once for all outputs.
    """

    def fit(self, X, Y):
        """Find width, scale and noise of each output."""
        ratios = np.array(PARAMETERS["noise_ratios"])
        best = np.full(Y.shape[1], -np.inf)
        self.found = np.empty((Y.shape[1], 3))
        for width in median_bandwidth(X) * np.array(PARAMETERS["width_factors"]):
            values, vectors = np.linalg.eigh(rbf_kernel(X, gamma=0.5 / width**2))
            total = np.maximum(values, 0.0) + ratios[:, None]
            scales = (1.0 / total) @ np.square(vectors.T @ Y) / len(Y)
            likelihood = -len(Y) * np.log(scales) - np.log(total).sum(axis=1, keepdims=True)
            which, every = likelihood.argmax(axis=0), np.arange(Y.shape[1])
            better = likelihood[which, every] > best
            best = np.maximum(best, likelihood[which, every])
            scales = scales[which, every]
            rows = np.column_stack([np.full(len(every), width), scales, scales * ratios[which]])
            self.found[better] = rows[better]
        kernels = [ConstantKernel(s) * RBF(w) + WhiteKernel(noise) for w, s, noise in self.found]
        self.models = [
            GaussianProcessRegressor(kernel, optimizer=None).fit(X, y)
            for kernel, y in zip(kernels, Y.T, strict=True)
        ]
        return self

    def ends(self, X, level):
        """Ends of intervals that hold together, as those of `LocalUnits`."""
        answers = [model.predict(X, return_std=True) for model in self.models]
        means, deviations = (np.column_stack(part) for part in zip(*answers, strict=True))
        reach = norm.ppf((1.0 + level ** (1.0 / len(answers))) / 2.0) * deviations
        return means - reach, means + reach


class ConformalisedQuantiles:
    """Two quantiles of each output by boosted trees on one half, widened by the other half.

    All outputs are widened at once, each in units of the mean length of its intervals, by what the
    other half asks for: the largest coordinate of how far an output lies outside.
    """

    def __init__(self, seed):
        self.seed = seed

    def fit(self, X, Y):
        """Fit to the first half, and see how far the others are outside."""
        half = len(Y) // 2
        options = PARAMETERS["boosting"] | {"loss": "quantile", "random_state": self.seed}
        self.models = [
            [GradientBoostingRegressor(alpha=q, **options).fit(X[:half], y) for y in Y[:half].T]
            for q in PARAMETERS["quantiles"]
        ]
        lower, upper = self._quantiles(X[:half])
        lengths = (upper - lower).mean(axis=0)
        self.units = np.where(lengths > 0, lengths, 1.0)
        lower, upper = self._quantiles(X[half:])
        outside = np.maximum(lower - Y[half:], Y[half:] - upper) / self.units
        self.scores = outside.max(axis=1)
        return self

    def _quantiles(self, X):
        both = [np.column_stack([one.predict(X) for one in models]) for models in self.models]
        return np.sort(both, axis=0)  # they may cross

    def ends(self, X, level):
        """Ends of the boxes, as those of `LocalUnits`; where the upper is less, one is empty."""
        lower, upper = self._quantiles(X)
        widened = _smallest(self.scores[None], level) * self.units
        return lower - widened, upper + widened


def _smallest(values, level):
    """The ``ceil(level (n + 1))``-th smallest of n values along axis 1; infinite beyond n."""
    n = values.shape[1]
    rank = int(np.ceil(np.round(level * (n + 1), 9)))
    if rank > n:
        return np.full(np.delete(values.shape, 1), np.inf)
    return np.partition(values, rank - 1, axis=1)[:, rank - 1]
