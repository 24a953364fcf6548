"""Ridge regression of classes of which some are latent: equation (14) carried one step further."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import softmax, xlogy

from ofer._regressors import stack_weights
from ofer.weak.kernel_ridge import as_fit_to, store_fit, warn_of_rounds
from ofer.weak.latent_ridge import PRIOR_SHARE, LatentRidge

__all__ = ["fit_latent"]

BATCH = 256  # weak samples that are looked at together


class _Start(NamedTuple):
    """The choice before the first round."""

    error: float  # mean squared leave-one-out error of labelled samples and coordinates
    alpha: float
    alphas: NDArray
    weak_weight: float
    noise: float
    weights: NDArray
    prior: NDArray
    squares: NDArray  # squared lengths of the places
    model: LatentRidge


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

    in q given f, by the class of the least bracket (the first, if there are more), and in f given
    q, by a ridge regression with the same decomposition. If `soft`,
    :math:`T \sum_c q_{jc} \log q_{jc}` joins the sum over c and q is a softmax.

    Before the first round a guess is made by a softmax, learnt, and revised: the first q is that of
    predictions that leave out the sample itself. So no guess speaks for itself.

    The targets are mixtures of classes, and their lengths are in the gram matrix of the places: so
    a round looks at open classes alone.

    The inputs are those of `SemanticClassifier.fit`, `y` (n,) and `places` (n_classes, p) the
    indices and the places of classes, `still_open` (n_weak, n_classes) the candidates, and
    `weak_weight` and `noise` numbers, or several to choose from. Returns the fitted ridge, the
    shares of the classes in its outputs, and attributes for the classifier.
    """
    kernel, ridge, inputs = as_fit_to(ridge, X, X_weak)
    start = _choose(kernel, ridge, inputs, y, places, still_open, weights, weak_weight, noise)
    model, prior, alpha, squares = start.model, start.prior, start.alpha, start.squares
    temperature, batches = 2.0 * start.error, _batches(prior > 0)
    with np.errstate(divide="ignore"):
        penalty = -temperature * np.log(prior)

    def assign(soft, left_out=False):
        bracket = np.zeros(prior.shape)
        for rows, columns in batches:
            fitted = model.fitted(rows, columns, left_out)
            bracket[np.ix_(rows, columns)] = squares[columns] - 2.0 * fitted
        bracket += penalty
        if soft:
            return softmax(-bracket / temperature, axis=1)
        least = bracket.min(axis=1, keepdims=True)
        slack = 1e-12 * (squares.max() + np.abs(least))  # of roundoff
        return np.eye(len(places))[(bracket <= least + slack).argmax(axis=1)]

    def learn(q, alpha=None):
        mixed = PRIOR_SHARE * prior + (1.0 - PRIOR_SHARE) * q
        for rows, columns in batches:
            model.change(rows, columns, mixed[np.ix_(rows, columns)])
        if alpha is None:  # targets are sharper now, and a smaller ridge may be better
            alpha = float(start.alphas[model.loo_errors(start.alphas).argmin()])
        model.solve(alpha)
        return mixed, alpha

    q = mixed = prior
    objectives, converged = [], start.weak_weight == 0  # then nothing would be learnt
    if max_iter and not converged:
        model.solve(alpha)
        learn(assign(soft=True))
        found, alpha = assign(soft, left_out=True), None
    while len(objectives) < max_iter and not converged:
        q, (mixed, alpha) = found, learn(found, alpha)
        costs = np.multiply(q, penalty, out=np.zeros(q.shape), where=q > 0)
        costs += temperature * xlogy(q, q) if soft else 0.0
        spread = mixed @ squares - model.weak_squares()
        weak = spread + (1.0 - PRIOR_SHARE) * costs.sum(axis=1)
        objectives.append(model.penalised_squares() + start.weak_weight * weak.sum())
        found = assign(soft)
        converged = np.allclose(found, q, rtol=0, atol=1e-3)
    if max_iter and not converged:
        changed = np.abs(found - q).max(axis=1) > 1e-3
        warn_of_rounds("class", int(changed.sum()), len(q), max_iter, stacklevel=5)
    targets = np.vstack([places[y], mixed @ places])
    store_fit(ridge, kernel, inputs, model, targets, start.alphas, alpha, places)
    shares = start.weights @ np.vstack([np.eye(len(places))[y], mixed])
    found = {"assignments_": q, "objectives_": np.array(objectives), "n_iter_": len(objectives)}
    found |= {"converged_": bool(converged), "weak_weight_": start.weak_weight}
    return ridge, shares / shares.sum(), found | {"noise_weak_": start.noise}


def _choose(kernel, ridge, inputs, y, places, still_open, weights, weak_weight, noise):
    """Weight, noise and ridge of the least leave-one-out error before any class is inferred."""
    best, n, n_weak = None, len(y), len(still_open)
    labelled, gram = np.eye(len(places))[y], None
    if not np.array_equal(places, np.eye(len(places))):
        centred = places - places.mean(axis=0) if ridge.fit_intercept else places
        gram = centred @ centred.T
    squares = np.ones(len(places)) if gram is None else np.diag(gram)
    for weight in np.atleast_1d(weak_weight):
        of_all = stack_weights(weights, n, n_weak, weight)
        of_all = np.ones(n + n_weak) if of_all is None else of_all
        system = kernel.system(inputs, ridge.alphas, of_all, ridge.fit_intercept)
        alphas = system.default_alphas() if ridge.alphas is None else np.array(ridge.alphas, float)
        for rate in np.atleast_1d(noise):
            prior = _prior(still_open, rate)
            model = LatentRidge(system, np.vstack([labelled, prior]), n, gram)
            errors = model.loo_errors(alphas) / places.shape[1]
            i = errors.argmin()
            if best is None or errors[i] < best.error:
                chosen = float(errors[i]), float(alphas[i]), alphas, float(weight), float(rate)
                best = _Start(*chosen, of_all, prior, squares, model)
    return best


def _prior(still_open, noise):
    """Probabilities of the classes, given a weak label that is wrong at the rate `noise`."""
    inside = still_open.sum(axis=1, keepdims=True)
    outside = still_open.shape[1] - inside
    noise = np.where(outside > 0, noise, 0.0)
    return np.where(still_open, (1.0 - noise) / inside, noise / np.maximum(outside, 1))


def _batches(possible):
    """Rows with much the same possible classes, and these, batch after batch; one is no choice."""
    _, kind = np.unique(np.packbits(possible, axis=1), axis=0, return_inverse=True)
    order = np.argsort(kind.ravel(), kind="stable")
    order = order[possible[order].sum(axis=1) > 1]
    batches = np.split(order, range(BATCH, len(order), BATCH))
    return [(rows, np.flatnonzero(possible[rows].any(axis=0))) for rows in batches]
