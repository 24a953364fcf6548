"""Outputs that are known to be one of some candidates: equation (14) carried one step further."""

from copy import copy

import numpy as np
from sklearn.utils import check_array, check_consistent_length

from ofer._regressors import stack_weights
from ofer.utils.validation import check_range, check_real
from ofer.weak.kernel_ridge import as_fit_to, check_ridge, store_fit, warn_of_rounds
from ofer.weak.latent_ridge import PRIOR_SHARE, LatentRidge

__all__ = ["check_candidate_outputs", "fit_candidates"]


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


def fit_candidates(ridge, X, X_weak, H, blocks, places, there, weights, weak_weight, max_iter):
    r"""Alternate between the outputs of weak samples and the regression of their embeddings.

    With the blocks :math:`\phi_b` of the embedding, candidates :math:`y_{jc}` of which a weak
    sample has one, :math:`d_{jc} = \sum_b \| \phi_b(y_{jc}) - f_b(x_j) \|^2 / \sigma_b^2` and a
    share :math:`\lambda` for all of them alike, each round lowers

    .. math::

        \sum_b \frac{1}{\sigma_b^2} \Big( \sum_i w_i \| \phi_b(y_i) - f_b(x_i) \|^2
        + \alpha_b \| f_b \|^2 \Big) + w \sum_j \Big( (1 - \lambda) d_{j z_j}
        + \frac{\lambda}{k_j} \sum_c d_{jc} \Big)

    in z given f, by the nearest candidate (the first, if there are more), and in f given z, by a
    ridge regression for each block with the same decomposition. The variances are leave-one-out
    errors of labelled samples before the first round. Then, too, a guess is made, learnt, and
    revised: the first z is that of predictions that leave out the sample itself.

    `H` (n, p) are embeddings of the labelled outputs, `blocks` {name: columns}, and `places`
    (n_candidates, p) those of the candidates in the places that `there` (n_weak, k) marks. Returns
    the fitted ridges by block, all inputs, and attributes for the regressor.
    """
    kernel, ridge, inputs = as_fit_to(ridge, X, X_weak)
    n, (n_weak, _) = len(H), there.shape
    of_all = stack_weights(weights, n, n_weak, weak_weight)
    system = kernel.system(inputs, ridge.alphas, of_all, ridge.fit_intercept)
    alphas = system.default_alphas() if ridge.alphas is None else np.array(ridge.alphas, float)
    counts, owner = there.sum(axis=1), np.nonzero(there)[0]
    starts, everyone = np.cumsum(counts) - counts, np.arange(n_weak)
    mean = np.add.reduceat(places, starts) / counts[:, None]
    parts = [_Block(system, H, mean, places, columns, alphas) for columns in blocks.values()]

    def assign(left_out=False):
        distance = sum(part.distances(owner, left_out) for part in parts)
        least = np.minimum.reduceat(distance, starts)
        slack = 1e-12 * np.maximum.reduceat(distance, starts)  # of roundoff
        near = np.flatnonzero(distance <= (least + slack)[owner])
        return near[np.searchsorted(owner[near], everyone)]

    def learn(chosen, choose):
        targets = PRIOR_SHARE * mean + (1.0 - PRIOR_SHARE) * places[chosen]
        for part in parts:
            part.learn(targets, choose)
        return targets

    chosen, objectives, converged, targets = assign(), [], False, mean
    if max_iter:
        learn(chosen, True)
        chosen = assign(left_out=True)
    while len(objectives) < max_iter and not converged:
        learnt, targets = chosen, learn(chosen, not objectives)
        shares = weak_weight * PRIOR_SHARE / counts[owner]
        shares[learnt] += weak_weight * (1.0 - PRIOR_SHARE)
        objectives.append(sum(part.lost(targets[owner], shares) for part in parts))
        chosen = assign()
        converged = np.array_equal(chosen, learnt)
    if max_iter and not converged:
        changed = int((chosen != learnt).sum())
        warn_of_rounds("output", changed, n_weak, max_iter, stacklevel=6)
    outputs = np.vstack([H, targets])
    fitted = {name: copy(ridge) for name in blocks}
    for one, part in zip(fitted.values(), parts, strict=True):
        own = outputs[:, part.columns]
        store_fit(one, kernel, inputs, part.model, own, alphas, part.alpha)
    found = {"assignments_": np.nonzero(there)[1][learnt if objectives else chosen]}
    found |= {"objectives_": np.array(objectives), "n_iter_": len(objectives)}
    return fitted, inputs, found | {"converged_": converged}


class _Block:
    """The regression of one block, and what counts in it."""

    def __init__(self, system, H, mean, places, columns, alphas):
        self.columns, self.alphas, self.places = columns, alphas, places[:, columns]
        targets = np.vstack([H, mean])[:, columns]
        self.everything = np.arange(len(mean)), np.arange(targets.shape[1])
        self.model = LatentRidge(system, targets, len(H))
        errors = self.model.loo_errors(alphas) / targets.shape[1]
        self.alpha, spread = alphas[errors.argmin()], targets.var(axis=0).mean()
        self.weight = 0.0  # of a block that says nothing, such as the membership of one component
        if spread > 1e-20 * np.square(targets).mean():
            self.weight = 1.0 / max(errors.min(), np.finfo(float).eps * spread)
        self.model.solve(self.alpha)

    def distances(self, owner, left_out):
        """From the prediction to each candidate."""
        missed = self.places - self.model.fitted(*self.everything, left_out)[owner]
        return self.weight * np.square(missed).sum(axis=1)

    def learn(self, targets, choose):
        """Fit targets of weak samples, with a ridge that is chosen for them, or the last one."""
        self.model.change(*self.everything, targets[:, self.columns])
        if choose:  # targets are sharper now, and a smaller ridge may be better
            self.alpha = self.alphas[self.model.loo_errors(self.alphas).argmin()]
        self.model.solve(self.alpha)

    def lost(self, targets, shares):
        """Part of the objective; `targets` are those of the samples that candidates belong to."""
        spread = shares @ np.square(self.places - targets[:, self.columns]).sum(axis=1)
        return self.weight * (self.model.penalised_squares() + spread)
