"""Ridge regression of classes of which some are latent: equation (14) carried one step further."""

import warnings
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import softmax, xlogy
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import get_tags
from sklearn.utils.validation import _get_feature_names

from ofer._input_kernel import InputKernel
from ofer._regressors import stack_inputs, stack_weights
from ofer.kernel_system import KernelSystem

__all__ = ["fit_latent", "labelled_residuals"]

PRIOR_SHARE = 0.25  # of what the weak label says in the target of a weak sample


class _Start(NamedTuple):
    """The choice before the first round."""

    error: float  # mean squared leave-one-out error of labelled samples and targets
    alpha: float
    alphas: NDArray
    weak_weight: float
    noise: float
    weights: NDArray
    prior: NDArray
    system: KernelSystem


def fit_latent(
    ridge, X, X_weak, y, places, still_open, weights, weak_weight, noise, *, max_iter, soft
):
    r"""Alternate between the classes of weak samples and the regression of their places.

    With the places :math:`v_c` of the classes, :math:`d_{jc} = \| v_c - f(x_j) \|^2`, the prior
    :math:`\pi_{jc}` by what a weak label says and is wrong, a temperature T and a share
    :math:`\lambda` of the prior, each round lowers

    .. math::

        \sum_i w_i \| v_{y_i} - f(x_i) \|^2 + \alpha \| f \|^2 + w \sum_j \Big( (1 - \lambda)
        \sum_c q_{jc} (d_{jc} - T \log \pi_{jc}) + \lambda \sum_c \pi_{jc} d_{jc} \Big) ,

    in q given f, by the class of the least bracket, and in f given q, by a ridge regression with
    the same decomposition. If `soft`, :math:`T \sum_c q_{jc} \log q_{jc}` joins the sum over c and
    q is a softmax.

    The inputs are those of `SemanticClassifier.fit`, `y` (n,) and `places` (n_classes, p) the
    indices and the places of classes, `still_open` (n_weak, n_classes) the candidates, and
    `weak_weight` and `noise` numbers, or several to choose from. Returns the fitted ridge, the
    shares of the classes in its outputs, and attributes for the classifier.
    """
    fields = ridge.kernel, ridge.gamma, ridge.degree, ridge.coef0, ridge.kernel_params
    kernel, ridge, truth = InputKernel(*fields), clone(ridge), places[y]
    pairwise = get_tags(ridge).input_tags.pairwise
    _, inputs = stack_inputs(X, X_weak, _get_feature_names(X), pairwise)
    inputs = kernel.check_inputs(ridge, inputs)
    kernel = kernel._replace(gamma=kernel.width(inputs))
    n, by_features = len(y), kernel.has_features(inputs)
    start = _choose(kernel, ridge, inputs, truth, places, still_open, weights, weak_weight, noise)
    system, prior, of_all, alpha = start.system, start.prior, start.weights, start.alpha
    inverse = np.divide(1.0, of_all, out=np.zeros(len(of_all)), where=of_all > 0)[:, None]
    temperature, squares = 2.0 * start.error, np.square(places).sum(axis=1)
    with np.errstate(divide="ignore"):
        penalty = -temperature * np.log(prior)

    def regress(mixed):
        targets = np.vstack([truth, mixed @ places])
        solution = system.solve(targets, alpha)
        if by_features:
            return targets, solution, solution.predict(inputs)
        return targets, solution, targets - alpha * inverse * solution.coef

    def assign(fitted):
        bracket = squares - 2.0 * fitted[n:] @ places.T + penalty
        if soft:
            return softmax(-bracket / temperature, axis=1)
        return np.eye(len(places))[bracket.argmin(axis=1)]

    q = mixed = prior
    targets, solution, fitted = regress(mixed)
    objectives, converged = [], False
    while True:
        found = assign(fitted)
        converged = bool(objectives) and np.allclose(found, q, rtol=0, atol=1e-3)
        if converged or len(objectives) == max_iter:
            break
        q, mixed = found, PRIOR_SHARE * prior + (1.0 - PRIOR_SHARE) * found
        if not objectives:  # most of a target is one class now, and a smaller ridge may be better
            targets = np.vstack([truth, mixed @ places])
            alpha = start.alphas[_labelled_errors(system, targets, start.alphas, n).argmin()]
        targets, solution, fitted = regress(mixed)
        costs = np.multiply(q, penalty, out=np.zeros(q.shape), where=q > 0)
        costs += temperature * xlogy(q, q) if soft else 0.0
        spread = mixed @ squares - np.square(targets[n:]).sum(axis=1)
        weak = spread + (1.0 - PRIOR_SHARE) * costs.sum(axis=1)
        missed = ((targets - fitted) * targets).sum(axis=1)
        objectives.append(of_all @ missed + of_all[n:] @ weak)
    if max_iter and not converged:
        changed = int((np.abs(found - q).max(axis=1) > 1e-3).sum())
        warnings.warn(
            f"max_iter should be larger: {changed} of {len(q)} weak samples still changed their "
            f"class in round {max_iter}. Raise it, or see whether the objectives_ hardly fall.",
            ConvergenceWarning,
            stacklevel=4,
        )
    _store(ridge, kernel, inputs, by_features, start, alpha, targets, solution, fitted, n)
    shares = of_all[n:] @ mixed + np.bincount(y, of_all[:n], minlength=len(places))
    found = {"assignments_": q, "objectives_": np.array(objectives), "n_iter_": len(objectives)}
    found |= {"converged_": converged, "weak_weight_": start.weak_weight}
    return ridge, shares / shares.sum(), found | {"noise_weak_": start.noise}


def _choose(kernel, ridge, inputs, truth, places, still_open, weights, weak_weight, noise):
    """Weight, noise and ridge of the least leave-one-out error before any class is inferred."""
    best, n, n_weak = None, len(truth), len(still_open)
    for weight in np.atleast_1d(weak_weight):
        of_all = stack_weights(weights, n, n_weak, weight)
        of_all = np.ones(n + n_weak) if of_all is None else of_all
        system = kernel.system(inputs, ridge.alphas, of_all, ridge.fit_intercept)
        alphas = system.default_alphas() if ridge.alphas is None else np.array(ridge.alphas, float)
        for rate in np.atleast_1d(noise):
            prior = _prior(still_open, rate)
            targets = np.vstack([truth, prior @ places])
            errors = _labelled_errors(system, targets, alphas, n)
            i = errors.argmin()
            if best is None or errors[i] < best.error:
                chosen = float(errors[i]), float(alphas[i]), alphas, float(weight), float(rate)
                best = _Start(*chosen, of_all, prior, system)
    return best


def _prior(still_open, noise):
    """Probabilities of the classes, given a weak label that is wrong at the rate `noise`."""
    inside = still_open.sum(axis=1, keepdims=True)
    outside = still_open.shape[1] - inside
    noise = np.where(outside > 0, noise, 0.0)
    return np.where(still_open, (1.0 - noise) / inside, noise / np.maximum(outside, 1))


def labelled_residuals(system, targets, alphas, n):
    """Leave-one-out residuals of those of the first n samples that have a weight.

    As `KernelSystem.loo_residuals`, in O(n r m) time for each ridge: the other samples are left
    out by nobody.
    """
    _, rows, roots, shares = system.samples
    kept = targets[rows]
    centred = roots[:, None] * (kept - shares @ kept)
    first = rows.searchsorted(n)
    projected, Z = system.coordinates.T @ centred, system.coordinates[:first]
    for alpha in alphas:
        inverse = 1.0 / (system.eigenvalues + alpha)
        solved, diagonal = Z @ (inverse[:, None] * projected), np.square(Z) @ inverse
        if not system.is_dual:
            solved, diagonal = centred[:first] - solved, 1.0 - shares[:first] - diagonal
        yield solved / (diagonal * roots[:first])[:, None]


def _labelled_errors(system, targets, alphas, n):
    """Mean squares of these residuals, one for each ridge."""
    weights = system.samples.weights[:n]
    shares = weights[weights > 0] / weights.sum() / targets.shape[1]
    paths = labelled_residuals(system, targets, alphas, n)
    return np.array([shares @ np.square(missed).sum(axis=1) for missed in paths])


def _store(ridge, kernel, inputs, by_features, start, alpha, targets, solution, fitted, n):
    """Give a ridge the attributes of a fitted one; its residuals are those of labelled samples."""
    ridge.gamma_, ridge.alphas_, ridge.alpha_ = kernel.gamma, start.alphas, float(alpha)
    ridge.loo_scores_ = -_labelled_errors(start.system, targets, start.alphas, n)
    ridge.best_score_ = float(ridge.loo_scores_[start.alphas == alpha][0])
    ridge.loo_residuals_ = np.full((n, targets.shape[1]), np.nan)
    (residuals,) = labelled_residuals(start.system, targets, [alpha], n)
    ridge.loo_residuals_[start.weights[:n] > 0] = residuals
    ridge.intercept_ = solution.intercept
    if by_features:
        dual = start.weights[:, None] * (targets - fitted) / alpha
        ridge.coef_, ridge.dual_coef_ = solution.coef, dual
    else:
        ridge.coef_, ridge.dual_coef_ = None, solution.coef
    ridge.X_fit_ = None if by_features or kernel.kernel == "precomputed" else inputs
