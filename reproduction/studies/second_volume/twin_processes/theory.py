"""Statements of sections 2 to 4 that a computation decides: two routes to one number."""

from copy import copy
from functools import partial

import numpy as np
from scipy.stats import spearmanr
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import RBF, WhiteKernel

from ofer.companions import sharma_mittal_divergence
from reproduction.datasets.generated.toy_curves import make_toy1

__all__ = [
    "GAPS",
    "LIMITS",
    "PARAMETERS",
    "RATIOS",
    "SAMPLES",
    "STABLE",
    "divergence_by_quadrature",
    "evaluate",
]

PARAMETERS = {
    "n_cases": 20,
    "n_train": 40,
    "n_few": 5,  # where a divergence itself is compared, which saturates in many dimensions
    "n_grid": 161,
    "n_dimensions": 6,
    "near": 1e-5,  # how near to a limit
    "width": 0.15,
    "ridge": 1e-3,
    "orders": (0.5, 0.99, 1.5),  # the paper's values of beta
}
_ALPHAS = np.round(np.arange(0.05, 1.0, 0.05), 2)  # the paper's grid, without its ends
LIMITS = ("Rényi", "Tsallis", "Kullback-Leibler", "half of Bhattacharyya's limit")
SAMPLES = ("toy 1", "normal samples")
STABLE = {"alpha up to 0.95": _ALPHAS, "alpha 0.999": (0.999,), "alpha 1": (1.0,)}
GAPS = {"gap 0.1": 0.1, "gap 0.01": 0.01}
RATIOS = {"ratio 0.1": 1e-1, "ratio 0.01": 1e-2, "ratio 0.0001": 1e-4}


def divergence_by_quadrature(p, q, alpha, beta):
    """Equation (1) for two Gaussians (mean, standard deviation) of one variable."""
    low, high = (f(m + side * 14 * s for m, s in (p, q)) for f, side in ((min, -1), (max, 1)))
    t = np.linspace(low, high, 40_001)
    logs = [-0.5 * ((t - m) / s) ** 2 - np.log(s * np.sqrt(2 * np.pi)) for m, s in (p, q)]
    area = np.trapezoid(np.exp(alpha * logs[0] + (1 - alpha) * logs[1]), t)
    return np.expm1((1 - beta) / (1 - alpha) * np.log(area)) / (beta - 1)


def evaluate(data, method, setting, split):
    """One statement in one kind of case, over as many random cases as the parameters say."""
    rng = np.random.default_rng([split, *map(ord, setting)])
    cases = range(PARAMETERS["n_cases"])
    if method in LIMITS:
        return {"deviation": max(_limit(rng, method) for _ in cases)}
    if method == "Lemma 3.1":
        return {"deviation": max(_two_forms(rng, setting) for _ in cases)}
    if method == "two means":
        return _two_means(rng, setting)
    sample = _Twins(rng, setting if setting in SAMPLES else "toy 1", split)
    if method == "cost (16)":
        return {"unstable": _unstable(sample, rng, STABLE[setting])}
    return {
        "Lemma 4.1": _bound,
        "Lemma 4.1, integral": partial(_integral, exchanged=False),
        "Lemma 4.1, integral as printed": partial(_integral, exchanged=True),
        "Lemma 4.2": _maximiser,
        "growth of the determinant": _growth,
        "bounds of eta": _bounds_of_eta,
        "predictive variance": _predictive_variance,
        "eta and distance": _eta_and_distance,
        "appendix 1": _bordered_inverse,
    }[method](sample, rng)


def _limit(rng, name):
    """Deviation of a divergence from the family, this near to its limit."""
    p, q = ((rng.normal(), rng.uniform(0.5, 2.0)) for _ in range(2))
    alpha, near = rng.uniform(0.1, 0.9), PARAMETERS["near"]
    (m, s), (n, r) = p, q
    variance = alpha * r**2 + (1 - alpha) * s**2
    renyi = np.log(r / s) + np.log(r**2 / variance) / (2 * (alpha - 1))
    renyi += alpha * (m - n) ** 2 / (2 * variance)
    if name == "Rényi":
        return _deviation(divergence_by_quadrature(p, q, alpha, 1 - near), renyi)
    if name == "Tsallis":
        tsallis = (np.exp((alpha - 1) * renyi) - 1) / (alpha - 1)
        return _deviation(divergence_by_quadrature(p, q, alpha, alpha + near), tsallis)
    if name == "Kullback-Leibler":
        kl = np.log(r / s) + (s**2 + (m - n) ** 2) / (2 * r**2) - 0.5
        return _deviation(divergence_by_quadrature(p, q, 1 - near, 1 - near), kl)
    both = s**2 + r**2
    bhattacharyya = (m - n) ** 2 / (4 * both) + np.log(both / (2 * s * r)) / 2
    return _deviation(divergence_by_quadrature(p, q, 0.5, 1 - near) / 2, bhattacharyya)


def _two_forms(rng, setting):
    """The simplified divergence against equation (3) with inverses and determinants."""
    d, alpha = PARAMETERS["n_dimensions"], rng.uniform(0.1, 0.9)
    beta = PARAMETERS["orders"][rng.integers(3)]
    roots = rng.normal(size=(2, d, d))
    P, Q = roots @ roots.transpose(0, 2, 1) / d + 0.2 * np.eye(d)
    means = rng.normal(size=(2, d)) * (setting == "different means")
    mixed = alpha * np.linalg.inv(P) + (1 - alpha) * np.linalg.inv(Q)
    gap = means[0] - means[1]
    determinants = (
        np.linalg.det(P) ** alpha * np.linalg.det(Q) ** (1 - alpha) * np.linalg.det(mixed)
    )
    inner = gap @ np.linalg.inv(P) @ np.linalg.inv(mixed) @ np.linalg.inv(Q) @ gap
    power = -(1 - beta) / (2 * (1 - alpha))
    original = determinants**power * np.exp(-alpha * (1 - beta) / 2 * inner)
    simplified = sharma_mittal_divergence(means[0], P, means[1], Q, alpha, beta)
    return _deviation(simplified, (original - 1) / (beta - 1))


class _Twins:
    """Kernel matrices of some inputs and outputs, and what a new pair adds to them."""

    def __init__(self, rng, setting, split):
        if setting == "toy 1":
            toy = make_toy1(PARAMETERS["n_train"], random_state=split)
            self.X, self.Y, self.width = toy.X, toy.Y, PARAMETERS["width"]
        else:
            self.X = rng.normal(size=(PARAMETERS["n_train"], 3))
            self.Y, self.width = (
                np.tanh(self.X[:, :1] + 0.1 * rng.normal(size=(len(self.X), 1))),
                1.0,
            )
        self._complete()

    def _complete(self):
        self.K_x, self.K_y = self.gram(self.X), self.gram(self.Y)
        self.logdets = [np.linalg.slogdet(K)[1] for K in (self.K_x, self.K_y)]

    def of_few(self, rng):
        """The same of a few of the pairs."""
        few, chosen = copy(self), rng.permutation(len(self.X))[: PARAMETERS["n_few"]]
        few.X, few.Y = self.X[chosen], self.Y[chosen]
        few._complete()
        return few

    def gram(self, Z):
        """Kernel matrix with the ridge parameter."""
        return self.between(Z, Z) + PARAMETERS["ridge"] * np.eye(len(Z))

    def between(self, A, B):
        """Kernel values of two samples."""
        squares = np.square(A[:, None] - B[None]).sum(axis=2)
        return np.exp(-squares / (2 * self.width**2))

    def inputs(self, rng, n):
        """New inputs, from the box of the known ones."""
        return rng.uniform(self.X.min(axis=0), self.X.max(axis=0), size=(n, self.X.shape[1]))

    def outputs(self):
        """A grid of outputs."""
        margin = 0.1 * np.ptp(self.Y)
        return np.linspace(self.Y.min() - margin, self.Y.max() + margin, PARAMETERS["n_grid"])[
            :, None
        ]

    def mixed(self, alpha):
        """Kernel matrix of pairs."""
        return (1 - alpha) * self.K_x + alpha * self.K_y

    def etas(self, x, y, alpha):
        """eta_x, eta_y and eta_xy of one input and many outputs."""
        k_x, k_y = self.between(x, self.X), self.between(y, self.Y)
        whole = 1.0 + PARAMETERS["ridge"]
        both = (1 - alpha) * k_x + alpha * k_y
        pairs = (self.K_x, k_x), (self.K_y, k_y), (self.mixed(alpha), both)
        return [whole - np.einsum("ni,ni->n", k, np.linalg.solve(K, k.T).T) for K, k in pairs]


def _log_bound(sample, alpha):
    (log_x, log_y), mixed = sample.logdets, np.linalg.slogdet(sample.mixed(alpha))[1]
    return mixed - (1 - alpha) * log_x - alpha * log_y


def _bound(sample, rng):
    """Logarithm by which the certainty is above its bound, or the bound below one, at most."""
    worst = 0.0
    for x in sample.inputs(rng, PARAMETERS["n_cases"]):
        alpha = rng.uniform(0.05, 0.95)
        eta_x, eta_y, eta_xy = sample.etas(x[None], sample.outputs(), alpha)
        certainty = (1 - alpha) * np.log(eta_x) + alpha * np.log(eta_y) - np.log(eta_xy)
        bound = _log_bound(sample, alpha)
        worst = max(worst, certainty.max() - bound, -bound)
    return {"violation": worst}


def _integral(sample, rng, *, exchanged):
    """Logarithm of the integral to the power of minus two, against that of the determinants."""
    gaps = []
    for alpha in rng.uniform(0.05, 0.95, size=PARAMETERS["n_cases"]):
        pair = (sample.K_x, sample.K_y)
        first, second = pair[::-1] if exchanged else pair
        mixed = alpha * np.linalg.inv(first) + (1 - alpha) * np.linalg.inv(second)
        logs = [np.linalg.slogdet(K)[1] for K in (first, second, mixed)]
        log_integral = -0.5 * (alpha * logs[0] + (1 - alpha) * logs[1] + logs[2])
        gaps.append(_deviation(-2 * log_integral, _log_bound(sample, alpha)))
    return {"deviation": max(gaps)}


def _maximiser(sample, rng):
    """Outputs that minimise the divergence for each order, and those of greatest certainty."""
    few, gaps = sample.of_few(rng), []
    grid = few.outputs()
    grown_y = np.array([_grown(few.K_y, k) for k in few.between(grid, few.Y)])
    log_y = np.linalg.slogdet(grown_y)[1]
    for x in few.inputs(rng, PARAMETERS["n_cases"]):
        alpha = rng.uniform(0.05, 0.95)
        grown_x = _grown(few.K_x, few.between(x[None], few.X)[0])
        mixed = np.linalg.slogdet((1 - alpha) * grown_x + alpha * grown_y)[1]
        log_x = np.linalg.slogdet(grown_x)[1]
        renyi = (mixed - (1 - alpha) * log_x - alpha * log_y) / (2 * (1 - alpha))
        _, eta_y, eta_xy = few.etas(x[None], grid, alpha)
        certain = grid[(alpha * np.log(eta_y) - np.log(eta_xy)).argmax(), 0]
        for beta in PARAMETERS["orders"]:
            divergence = np.expm1((beta - 1) * renyi) / (beta - 1)
            gaps.append(abs(grid[divergence.argmin(), 0] - certain) / np.ptp(grid))
    return {"deviation": max(gaps)}


def _grown(K, k):
    """Kernel matrix with one point more."""
    return np.block([[K, k[:, None]], [k[None], 1.0 + PARAMETERS["ridge"]]])


def _growth(sample, rng):
    """|K| of one point more over |K|, and eta."""
    gaps = []
    for x in sample.inputs(rng, PARAMETERS["n_cases"]):
        grown = _grown(sample.K_x, sample.between(x[None], sample.X)[0])
        factor = np.exp(np.linalg.slogdet(grown)[1] - sample.logdets[0])
        gaps.append(_deviation(factor, _eta(sample, x[None])[0]))
    return {"deviation": max(gaps)}


def _eta(sample, X):
    k = sample.between(X, sample.X)
    return 1.0 + PARAMETERS["ridge"] - np.einsum("ni,ni->n", k, np.linalg.solve(sample.K_x, k.T).T)


def _bounds_of_eta(sample, rng):
    """How far eta is below zero or above k(z, z)."""
    eta = _eta(sample, 5 * sample.inputs(rng, 500))
    return {"violation": max(0.0, -eta.min(), eta.max() - 1.0 - PARAMETERS["ridge"])}


def _predictive_variance(sample, rng):
    """Compare eta with the variance of scikit-learn's Gaussian process."""
    kernel = RBF(sample.width, "fixed") + WhiteKernel(PARAMETERS["ridge"], "fixed")
    process = GaussianProcessRegressor(kernel, alpha=1e-14, optimizer=None)
    X = sample.inputs(rng, PARAMETERS["n_cases"])
    _, std = process.fit(sample.X, sample.Y[:, 0]).predict(X, return_std=True)
    return {"deviation": _deviation(std**2, _eta(sample, X))}


def _eta_and_distance(sample, rng):
    """Rank correlation of eta with the distance to the nearest known input."""
    X = sample.inputs(rng, 200)
    nearest = np.linalg.norm(X[:, None] - sample.X[None], axis=2).min(axis=1)
    return {"rank correlation": float(spearmanr(nearest, _eta(sample, X)).statistic)}


def _bordered_inverse(sample, rng):
    """The inverse of one point more, from the known one in O(N^2) and from scratch."""
    inverse, gaps = np.linalg.inv(sample.K_x), []
    for x in sample.inputs(rng, PARAMETERS["n_cases"]):
        k = sample.between(x[None], sample.X)[0]
        u = inverse @ k
        eta = 1.0 + PARAMETERS["ridge"] - k @ u
        bordered = np.block(
            [[inverse + np.outer(u, u) / eta, -u[:, None] / eta], [-u[None] / eta, 1 / eta]]
        )
        gaps.append(_deviation(bordered, np.linalg.inv(_grown(sample.K_x, k))))
    return {"deviation": max(gaps)}


def _unstable(sample, rng, alphas):
    """Share of cases in which (16), computed as printed, fails."""
    fails = []
    for x in sample.inputs(rng, PARAMETERS["n_cases"] // 4):
        for alpha in map(np.float64, alphas):
            _, eta_y, eta_xy = sample.etas(x[None], sample.outputs(), alpha)
            least = (np.log(eta_xy) - alpha * np.log(eta_y)).argmin()
            for beta in PARAMETERS["orders"]:
                with np.errstate(all="ignore"):
                    power = (1 - beta) / (2 * (1 - alpha))
                    cost = eta_y ** (alpha * power) * eta_xy**-power / (beta - 1)
                fails.append(not np.isfinite(cost).all() or cost.argmin() != least)
    return float(np.mean(fails))


def _two_means(rng, setting):
    """Geometric against arithmetic mean of two variances, over all weights."""
    smaller, factor = rng.uniform(0.01, 0.5), RATIOS.get(setting)
    larger = smaller / factor if factor else smaller * (1 + GAPS[setting])
    geometric = smaller ** (1 - _ALPHAS) * larger**_ALPHAS
    arithmetic = (1 - _ALPHAS) * smaller + _ALPHAS * larger
    return {
        "deviation": _deviation(arithmetic, geometric),
        "over the smaller": (geometric / smaller).max(),
        "nearer": float(np.mean(geometric < arithmetic)),
    }


def _deviation(first, second):
    gap = np.abs(np.asarray(first) - second).max()
    return float(gap / np.abs(second).max())
