"""Algorithm 1 as printed, predictor by predictor and sample by sample: slow, for comparison."""

import numpy as np

from ofer.companions.local_structured.space import Scores

__all__ = ["iterate_primal", "local_gradient", "local_objective"]


def iterate_primal(X, lengths, neighbors, space, y, unlabelled, etas, C, y_step):
    """Yield weights and outputs after each iteration of algorithm 1."""
    n = len(neighbors)
    ends = np.cumsum(lengths)
    rows = [slice(end - length, end) for end, length in zip(ends, lengths, strict=True)]
    W = np.zeros((n, X.shape[1], space.n_codes_))
    V = np.zeros((n, space.n_shared_))
    z, y = {}, y.copy()
    for eta in etas:
        for i in range(n):  # the outputs of equation (17)
            for j in neighbors[i]:
                scores = _scores(W[i], V[i], X[rows[j]])
                z[i, j] = space.decode_augmented(scores, y[rows[j]])
        for i in range(n):  # equation (18)
            members = [(X[rows[j]], y[rows[j]], z[i, j]) for j in neighbors[i]]
            gradient_W, gradient_V = local_gradient(W[i], V[i], space, members, C)
            W[i] -= eta * gradient_W
            V[i] -= eta * gradient_V
        if y_step is not None:
            new = y.copy()
            for j in unlabelled:  # equation (20), or the step that lowers the bound
                new[rows[j]] = _new_output(W, V, X[rows[j]], neighbors, space, y[rows[j]], z, j,
                                           y_step)  # fmt: skip
            y = new
        yield W.copy(), V.copy(), y.copy()


def local_objective(W, V, space, members, C):
    """Value g of one neighbourhood's problem (10)."""
    bounds = [space.hinge(_scores(W, V, x), y)[0] for x, y, _ in members]
    return np.mean(bounds) + 0.5 * C * ((W**2).sum() + (V**2).sum())


def local_gradient(W, V, space, members, C):
    """Sub-gradient (11) of `local_objective`, for the outputs `z` of equation (17)."""
    gradient_W, gradient_V = C * W, C * V
    for x, y, z in members:
        codes_y, shared_y = space.features(y, np.array([len(x)]))
        codes_z, shared_z = space.features(z, np.array([len(x)]))
        gradient_W += x.T @ (codes_z - codes_y) / len(members)
        gradient_V += (shared_z - shared_y)[0] / len(members)
    return gradient_W, gradient_V


def _scores(W, V, x):
    return Scores(x @ W, V[None], np.array([len(x)]))


def _new_output(W, V, x, neighbors, space, y, z, j, y_step):
    predictors = np.flatnonzero((neighbors == j).any(axis=1))
    problems = [_scores(W[i], V[i], x) for i in predictors]
    totals = Scores(sum(p.rows for p in problems), sum(p.shared for p in problems),
                    np.array([len(x)]))  # fmt: skip
    owner = np.zeros(len(predictors), dtype=int)
    if y_step == "literal":
        return space.literal_step(totals, np.concatenate([z[i, j] for i in predictors]), owner)
    scores = Scores(*map(np.concatenate, zip(*problems, strict=True)))
    return space.upper_bound_step(scores, totals, y, owner)
