"""Derivatives of pairwise fields in other ways than the package's, to check its formulas by."""

from copy import deepcopy
from itertools import product

import numpy as np

__all__ = ["central_differences", "enumerate_states", "held_scores"]


def central_differences(function, model, step=1e-5):
    """Derivatives of a function of a model in the model's parameters."""
    rows = []
    for name, value in model.parameters_.items():
        for at in np.ndindex(value.shape):
            move = np.zeros(value.shape)
            move[at] = step
            up, down = (
                np.asarray(function(deepcopy(model).set_parameters(**{name: value + sign * move})))
                for sign in (1, -1)
            )
            rows.append((up - down) / (2 * step))
    return np.array(rows)


def enumerate_states(model, item):
    r"""Exponents of all joint states z of one small object, with what is seen and without.

    Their logarithms of sums of exponentials are :math:`\log Z(X)` and :math:`\log Z(G)`.
    """
    nodes, edges = item if isinstance(item, tuple) else (item, None)
    states = np.array(list(product(range(model.n_states), repeat=len(nodes))))
    starts = states[:, :1] if edges is None else states
    pairs = np.arange(len(nodes))[:-1, None] + [0, 1] if edges is None else np.asarray(edges)
    prior = model.initial_[starts].sum(axis=1)
    prior += model.transition_[states[:, pairs[:, 0]], states[:, pairs[:, 1]]].sum(axis=1)
    density = _log_densities(model, nodes)
    return prior + density[np.arange(len(nodes)), states].sum(axis=1), prior


def _log_densities(model, nodes):
    """Of each node in each state, of shape (n, K)."""
    if model.emission == "multinomial":
        return model.logits_[:, nodes].T
    squares = np.square(np.asarray(nodes)[:, None] - model.means_).sum(axis=2)
    scales = np.log(2 * np.pi) / 2 + model.log_scales_
    return -squares * np.exp(-2 * model.log_scales_) / 2 - model.means_.shape[1] * scales


def held_scores(model, chains, held, own=None):
    """Scores of chains in which the marginals of the states do not follow the model."""
    own = model if own is None else own
    posteriors, result, blocks = own.posteriors(chains), own.score_vectors(chains), model.blocks_
    variances = np.exp(2 * model.log_scales_)
    for row, x, gamma, xi, before, edges in zip(
        result, chains, held.nodes, held.edges, posteriors.nodes, posteriors.edges, strict=True
    ):
        gaps = x[:, None] - model.means_
        row[blocks["initial"]] += gamma[0] - before[0]
        row[blocks["transition"]] += (xi - edges).sum(axis=0).ravel()
        row[blocks["means"]] = ((gamma[..., None] * gaps).sum(axis=0) / variances[:, None]).ravel()
        ratios = np.square(gaps).sum(axis=2) / variances - x.shape[1]
        row[blocks["log_scales"]] = (gamma * ratios).sum(axis=0)
    return result
