"""Ridge regression of classes of which some are latent: equation (14) carried one step further."""

from typing import NamedTuple

import numpy as np
from scipy.special import softmax, xlogy
from sklearn.base import BaseEstimator, clone
from sklearn.utils import gen_batches

from ofer.ridge.kernel_system import candidate_alphas
from ofer.utils.pipelines import Transformers
from ofer.utils.sklearn_private import get_feature_names
from ofer.weak.alternation import PRIOR_SHARE, Alternation, Rounds
from ofer.weak.latent_ridge import LatentRidge
from ofer.weak.samples import stack_inputs, stack_weights

BATCH = 256  # weak samples that are looked at together


class LatentFit(NamedTuple):
    """Result of the inference of latent classes."""

    regressor: BaseEstimator
    shares: np.ndarray  # of the classes in its outputs, (n_classes,)
    rounds: Rounds
    weak_weight: float
    noise: float


def fit_latent(
    regressor, X, X_weak, y, places, still_open, weights, weak_weight, noise, *, max_iter, soft
):
    """Fit a ridge, or a pipeline that ends in one, while classes of weak samples are inferred.

    The inputs are those of `SemanticClassifier.fit`, `y` (n,) and `places` (n_classes, p) the
    indices and the places of classes, `still_open` (n_weak, n_classes) the candidates, and
    `weak_weight` and `noise` numbers, or several to choose from: those, and the ridge, of the least
    leave-one-out error before any class is inferred.
    """
    before, best = Transformers(regressor), None
    last = clone(before.last)  # whose clones warn once
    _, everything = stack_inputs(X, X_weak, get_feature_names(X), last.kernel == "precomputed")
    means = still_open @ places / still_open.sum(axis=1, keepdims=True)
    for weight in np.atleast_1d(weak_weight):
        of_all = stack_weights(weights, len(y), len(still_open), weight)
        fitted, seen = before.fit(everything, np.vstack([places[y], means]), of_all)
        ridge = clone(last)
        inputs = ridge._begin(seen, of_all)
        system = ridge.kernel_system(seen, of_all, ridge.alphas)
        alphas = candidate_alphas(system, ridge.alphas)
        for rate in np.atleast_1d(noise):
            search = _LatentClasses(
                system, alphas, y, places, still_open, float(weight), float(rate), soft,
                around_mean=ridge.fit_intercept,
            )  # fmt: skip
            if best is None or search.error < best.error:
                best, chosen = search, (fitted, ridge, inputs)
    if best.weak_weight == 0:  # nothing would be learnt
        rounds = Rounds(best.prior, np.array([]), 0, True)
    else:
        rounds = best.run(max_iter, stacklevel=5)
    fitted, ridge, inputs = chosen
    regressor = fitted.ending_in(best.give(ridge, inputs))
    shares = best.system.samples.weights @ np.vstack([np.eye(len(places))[y], best.mixed])
    return LatentFit(regressor, shares / shares.sum(), rounds, best.weak_weight, best.noise)


class _LatentClasses(Alternation):
    r"""The classes of weak samples, and the regression of their places.

    With the places :math:`v_c` of the classes, :math:`d_{jc} = \| v_c - f(x_j) \|^2`, the prior
    :math:`\pi_{jc}` by what a weak label says and is wrong, a temperature T and a share
    :math:`\lambda` of the prior, each round lowers

    .. math::

        \sum_i w_i \| v_{y_i} - f(x_i) \|^2 + \alpha \| f \|^2 + w \sum_j \Big( (1 - \lambda)
        \sum_c q_{jc} (d_{jc} - T \log \pi_{jc}) + \lambda \sum_c \pi_{jc} d_{jc} \Big) ,

    in q given f, by the class of the least bracket (the first, if there are more), and in f given
    q, by a ridge regression with the same decomposition. If `soft`,
    :math:`T \sum_c q_{jc} \log q_{jc}` joins the sum over c and q is a softmax, as the guess is.

    The targets are mixtures of classes, and their lengths are in the gram matrix of the places: so
    a round looks at open classes alone.
    """

    noun = "class"

    def __init__(
        self, system, alphas, y, places, still_open, weak_weight, noise, soft, *, around_mean
    ):
        self.system, self.weak_weight, self.noise = system, weak_weight, noise
        self._alphas, self._y, self._places, self._soft = alphas, y, places, soft
        self.prior = self.mixed = _prior(still_open, noise)
        labelled, gram = np.eye(len(places))[y], None
        if not np.array_equal(places, np.eye(len(places))):
            centred = places - places.mean(axis=0) if around_mean else places
            gram = centred @ centred.T
        self._squares = np.ones(len(places)) if gram is None else np.diag(gram)
        self._model = LatentRidge(system, np.vstack([labelled, self.prior]), len(y), gram)
        errors = self._model.loo_errors(alphas) / places.shape[1]
        self._best, self.error = errors.argmin(), errors.min()
        self._temperature, self._batches = 2.0 * self.error, _batches(self.prior > 0)
        with np.errstate(divide="ignore"):
            self._penalty = -self._temperature * np.log(self.prior)

    def guess(self):
        self._model.solve(self._alphas[self._best])
        return self._assign(soft=True)

    def assign(self, *, left_out=False):
        return self._assign(self._soft, left_out)

    def _assign(self, soft, left_out=False):
        bracket = np.zeros(self.prior.shape)
        for rows, columns in self._batches:
            fitted = self._model.fitted(rows, columns, left_out)
            bracket[np.ix_(rows, columns)] = self._squares[columns] - 2.0 * fitted
        bracket += self._penalty
        if soft:
            return softmax(-bracket / self._temperature, axis=1)
        least = bracket.min(axis=1, keepdims=True)
        slack = 1e-12 * (self._squares.max() + np.abs(least))  # of roundoff
        return np.eye(len(self._places))[(bracket <= least + slack).argmax(axis=1)]

    def learn(self, assignments, *, choose):
        self._q, self.mixed = assignments, PRIOR_SHARE * self.prior
        self.mixed = self.mixed + (1.0 - PRIOR_SHARE) * assignments
        for rows, columns in self._batches:
            self._model.change(rows, columns, self.mixed[np.ix_(rows, columns)])
        if choose:  # targets are sharper now, and a smaller ridge may be better
            self._best = self._model.loo_errors(self._alphas).argmin()
        self._model.solve(self._alphas[self._best])

    def objective(self):
        q = self._q
        costs = np.multiply(q, self._penalty, out=np.zeros(q.shape), where=q > 0)
        costs += self._temperature * xlogy(q, q) if self._soft else 0.0
        spread = self.mixed @ self._squares - self._model.weak_squares()
        weak = spread + (1.0 - PRIOR_SHARE) * costs.sum(axis=1)
        return self._model.penalised_squares() + self.weak_weight * weak.sum()

    def changed(self, assignments, others):
        return np.abs(assignments - others).max(axis=1) > 1e-3

    def give(self, ridge, X):
        """Make a ridge that has begun with X the fit of what was learnt."""
        targets = np.vstack([self._places[self._y], self.mixed @ self._places])
        return self._model.give(ridge, X, targets, self._alphas, self._best, self._places)


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
    batches = [order[rows] for rows in gen_batches(len(order), BATCH)] if len(order) else []
    return [(rows, np.flatnonzero(possible[rows].any(axis=0))) for rows in batches]
