"""Weak samples whose output is one of several candidates: one step beyond equation (14)."""

from copy import copy

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, clone
from sklearn.utils import check_array, check_consistent_length

from ofer.kernel_ridge import KernelRidgeCV
from ofer.ridge.kernel_system import candidate_alphas
from ofer.utils.pipelines import Transformers
from ofer.utils.validation import check_range, check_real
from ofer.weak.alternation import PRIOR_SHARE, Alternation
from ofer.weak.latent_ridge import LatentRidge


def check_ridge(name: str, regressor: BaseEstimator) -> None:
    """Raise ValueError unless a regressor has the one decomposition that an argument needs.

    Its ridge is chosen by squared errors, in the one unit that places of candidates share.
    """
    last = Transformers(regressor).last
    ridge = isinstance(last, KernelRidgeCV) and not last.alpha_per_target
    if not ridge or last.scoring not in (None, "neg_mean_squared_error"):
        raise ValueError(
            f"{name} needs a KernelRidgeCV with one ridge, chosen by squared errors, as regressor, "
            f"or a pipeline that ends in one; got {regressor!r}."
        )


def check_candidate_outputs(regressor, y, X_weak, candidates_weak, weak_weight):
    """Candidate outputs, weak sample by weak sample, and to which each belongs."""
    check_ridge("candidates_weak", regressor)
    check_real("weak_weight", weak_weight, above=0)
    if np.isnan(y).any():
        raise ValueError("y must be complete with candidates_weak; got NaN in it.")
    options = {"allow_nd": True, "ensure_all_finite": "allow-nan", "dtype": np.float64}
    outputs = check_array(candidates_weak, input_name="candidates_weak", **options)
    check_range("candidates_weak", outputs)
    if outputs.shape[2:] != y.shape[1:]:
        raise ValueError(
            "candidates_weak must have the shape (n_weak, k) and then that of an output, "
            f"{y.shape[1:]}; got shape {outputs.shape}."
        )
    check_consistent_length(X_weak, outputs)
    missing = np.isnan(outputs.reshape(*outputs.shape[:2], -1))
    if (part := missing.any(axis=2) != missing.all(axis=2)).any():
        raise ValueError(
            "candidates_weak must have candidates of numbers, or of NaN alone to fill up; got some "
            f"that are missing in part in row(s) {np.flatnonzero(part.any(axis=1))[:10].tolist()}."
        )
    there = ~missing.all(axis=2)
    if not there.any(axis=1).all():
        raise ValueError(
            "candidates_weak must have a candidate in each row; got none in row(s) "
            f"{np.flatnonzero(~there.any(axis=1))[:10].tolist()}. Drop them."
        )
    return outputs[there], there


def fit_candidates(regressor, X, weights, H, blocks, places, there, weak_weight, max_iter):
    """Fit a regressor for each block while the outputs of weak samples are inferred.

    `X` and `weights` are those of labelled and weak samples, `H` (n, p) embeddings of the labelled
    outputs, `blocks` {name: columns}, and `places` (n_candidates, p) those of the candidates in the
    places that `there` (n_weak, k) marks. Returns the fitted ridges by block, and the rounds.
    """
    before = Transformers(regressor)
    ridge = clone(before.last)
    counts = there.sum(axis=1)
    means = np.add.reduceat(places, np.cumsum(counts) - counts) / counts[:, None]
    before, seen = before.fit(X, np.vstack([H, means]), weights)
    X = ridge._begin(seen, weights)
    system = ridge.kernel_system(seen, weights, ridge.alphas)
    alphas = candidate_alphas(system, ridge.alphas)
    search = _OneOfSome(system, alphas, H, blocks, places, means, there, weak_weight)
    rounds = search.run(max_iter, stacklevel=5)
    targets = np.vstack([H, search.targets])
    fitted = {
        name: part.model.give(copy(ridge), X, targets[:, part.columns], alphas, part.best)
        for name, part in search.parts.items()
    }
    fitted = {name: before.ending_in(one) for name, one in fitted.items()}
    return fitted, rounds._replace(assignments=np.nonzero(there)[1][rounds.assignments])


class _OneOfSome(Alternation):
    r"""Choice of a candidate for each weak sample, and the regression of the embeddings.

    With the blocks :math:`\phi_b` of the embedding, candidates :math:`y_{jc}` of which a weak
    sample has one, :math:`d_{jc} = \sum_b \| \phi_b(y_{jc}) - f_b(x_j) \|^2 / \sigma_b^2` and a
    share :math:`\lambda` for all of them alike, each round lowers

    .. math::

        \sum_b \frac{1}{\sigma_b^2} \Big( \sum_i w_i \| \phi_b(y_i) - f_b(x_i) \|^2
        + \alpha_b \| f_b \|^2 \Big) + w \sum_j \Big( (1 - \lambda) d_{j z_j}
        + \frac{\lambda}{k_j} \sum_c d_{jc} \Big)

    in z given f, by the nearest candidate (the first, if there are more), and in f given z, by a
    ridge regression for each block with the same decomposition. The variances are leave-one-out
    errors of labelled samples before the first round.
    """

    noun = "output"

    def __init__(self, system, alphas, H, blocks, places, means, there, weak_weight):
        self._places, self._mean, self._weak_weight = places, means, weak_weight
        self._counts, self._owner = there.sum(axis=1), np.nonzero(there)[0]
        self._starts = np.cumsum(self._counts) - self._counts
        self.targets = self._mean
        self.parts = {
            name: _Block(system, H, self._mean, places, columns, alphas)
            for name, columns in blocks.items()
        }
        self.prior = self.assign()

    def guess(self) -> NDArray:
        return self.prior

    def assign(self, *, left_out: bool = False) -> NDArray:
        """Place, among all candidates, of the one that each weak sample has."""
        distance = sum(part.distances(self._owner, left_out) for part in self.parts.values())
        least = np.minimum.reduceat(distance, self._starts)
        slack = 1e-12 * np.maximum.reduceat(distance, self._starts)  # of roundoff
        near = np.flatnonzero(distance <= (least + slack)[self._owner])
        return near[np.searchsorted(self._owner[near], np.arange(len(self._counts)))]

    def learn(self, assignments: NDArray, *, choose: bool) -> None:
        self._learnt = assignments
        chosen = self._places[assignments]
        self.targets = PRIOR_SHARE * self._mean + (1.0 - PRIOR_SHARE) * chosen
        for part in self.parts.values():
            part.learn(self.targets, choose)

    def objective(self) -> float:
        shares = self._weak_weight * PRIOR_SHARE / self._counts[self._owner]
        shares[self._learnt] += self._weak_weight * (1.0 - PRIOR_SHARE)
        owned = self.targets[self._owner]
        return sum(part.lost(owned, shares) for part in self.parts.values())

    def changed(self, assignments: NDArray, others: NDArray) -> NDArray:
        return assignments != others


class _Block:
    """The regression of one block, and its weight."""

    def __init__(self, system, H, mean, places, columns, alphas):
        self.columns, self.alphas, self.places = columns, alphas, places[:, columns]
        targets = np.vstack([H, mean])[:, columns]
        self.all_rows, self.all_columns = np.arange(len(mean)), np.arange(targets.shape[1])
        self.model = LatentRidge(system, targets, len(H))
        errors = self.model.loo_errors(alphas) / targets.shape[1]
        self.best, spread = errors.argmin(), targets.var(axis=0).mean()
        self.weight = 0.0  # of a block that says nothing, such as the membership of one component
        if spread > 1e-20 * np.square(targets).mean():
            self.weight = 1.0 / max(errors.min(), np.finfo(float).eps * spread)
        self.model.solve(alphas[self.best])

    def distances(self, owner: NDArray, left_out: bool) -> NDArray:
        """Weighted squared distances from the prediction to each candidate."""
        predicted = self.model.fitted(self.all_rows, self.all_columns, left_out)
        missed = self.places - predicted[owner]
        return self.weight * np.square(missed).sum(axis=1)

    def learn(self, targets: NDArray, choose: bool) -> None:
        """Fit targets of weak samples, with a ridge that is chosen for them, or the last one."""
        self.model.change(self.all_rows, self.all_columns, targets[:, self.columns])
        if choose:  # targets are sharper now, and a smaller ridge may be better
            self.best = self.model.loo_errors(self.alphas).argmin()
        self.model.solve(self.alphas[self.best])

    def lost(self, targets: NDArray, shares: NDArray) -> float:
        """Part of the objective; `targets` are those of the samples that candidates belong to."""
        spread = shares @ np.square(self.places - targets[:, self.columns]).sum(axis=1)
        return self.weight * (self.model.penalised_squares() + spread)
