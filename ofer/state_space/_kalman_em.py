"""Expectation maximisation for a linear Gaussian state-space model, over many series."""

from typing import NamedTuple

import numpy as np

from ofer.state_space._kalman import (
    Parameters,
    Smoothed,
    apply_by_pattern,
    filter_in_pieces,
    kalman_smoother,
    select_rows,
    symmetrize,
)

BLOCK = 1024  # series times steps whose missing entries are expected at once

__all__ = ["Floors", "em_step", "fit_to_states", "run_em"]

RELATIVE_FLOOR = 1e-9


class Floors(NamedTuple):
    """Lower bounds of the covariances: the covariance minus diag(floor) stays non-negative.

    A floor is `RELATIVE_FLOOR` times each coordinate's mean square, so units do not matter; where
    offsets are fitted, data come centred, so neither does their level.
    """

    states: np.ndarray  # (d,)
    observations: np.ndarray  # (p,)


def run_em(batch, n_states, max_iter, tol, fit_offset):
    """EM from the rule's start, up to `max_iter` iterations.

    It ends once an iteration gains no more than `tol` in log-likelihood per observed entry. Returns
    the parameters, the total log-likelihoods from the start's to theirs, and the last gain per
    entry.
    """
    n_entries = (batch.observed.sum(axis=(0, 2)) * batch.counts).sum()
    parameters, floors = initial_parameters(batch, n_states, fit_offset)
    value, following = em_step(parameters, batch, floors, fit_offset)
    history = [value]
    for _ in range(max_iter):
        parameters = following
        value, following = em_step(parameters, batch, floors, fit_offset)
        gain = (value - history[-1]) / n_entries
        history.append(value)
        if gain <= tol:
            break
    return parameters, history, gain


def em_step(parameters, batch, floors, fit_offset=False):
    """The total log-likelihood under the present model (E-step), and the next model (M-step)."""
    batch = batch.shifted(parameters.b)
    filtered = filter_in_pieces(parameters, batch)
    smoothed = kalman_smoother(parameters, batch, filtered)
    following = maximize(smoothed, batch, floors, parameters, fit_b=fit_offset)
    return filtered.loglikelihoods.sum(), following._replace(b=parameters.b + following.b)


def maximize(smoothed, batch, floors, parameters=None, *, fit_a=False, fit_b=False):
    """Parameters that maximise the expected complete log-likelihood (M-step).

    The sums run over the steps of all series. A step of which nothing is observed says nothing
    about C and R and is left out there. A clipped covariance is the maximiser under the constraint
    of its floor, so the likelihood still cannot decrease. Missing entries are expected under the
    present parameters, which are not needed without any. Offsets that are fitted are intercepts of
    the regressions; that of the observations comes on top of the one that the batch has lost.
    """
    means, V, lag_one = smoothed
    counts = batch.counts
    earlier = np.where(batch.alive[1:, :, None], means[:-1], 0.0)
    earlier_V = np.where(batch.alive_patterns[1:, :, None, None], V[:-1], 0.0)
    gram = _sum_outer(earlier, earlier) + _sum_patterns(earlier_V, counts)
    # Moments are zero after a series' end.
    cross = _sum_outer(means[1:], earlier) + _sum_patterns(lag_one, counts)
    later = _sum_outer(means[1:], means[1:]) + _sum_patterns(V[1:], counts)
    sums = _totals(means[1:]), _totals(earlier)
    A, a, Q = _regress(later, cross, gram, *sums, batch.alive[1:].sum(), fit_a)

    mu0 = means[0].mean(axis=0)
    deviations = means[0] - mu0
    Sigma0 = (deviations.T @ deviations + _sum_patterns(V[:1], counts)) / batch.alive.shape[1]

    seen = batch.observed.any(axis=2)
    states = np.where(seen[:, batch.pattern, None], means, 0.0)
    V = np.where(seen[:, :, None, None], V, 0.0)
    Z, moment_zz, moment_zm = _expected_observations(states, V, seen, batch, parameters)
    gram = _sum_outer(states, states) + _sum_patterns(V, counts)
    cross = _sum_outer(Z, states) + moment_zm
    sums = _totals(Z), _totals(states)
    total = _sum_outer(Z, Z) + moment_zz
    C, b, R = _regress(total, cross, gram, *sums, (seen * counts).sum(), fit_b)
    return Parameters(
        A,
        _clip(Q, floors.states),
        C,
        _clip(R, floors.observations),
        mu0,
        _clip(Sigma0, floors.states),
        a,
        b,
    )


def initial_parameters(batch, n_states, fit_offset=False):
    """Where EM starts: a deterministic rule.

    The states are the first `n_states` principal components (uncentred, mean square one) of the
    observations, in units of each column's root mean square, joined with as many earlier ones as
    make at least `n_states` that are not zero; missing entries are at their mean. The parameters
    are those fitted to these states, except that half of the transition covariance is put down
    to observation noise: principal components are noisy, and EM leaves a start without noise
    very slowly. Returns the parameters, and the floors of the covariances for the iterations.
    """
    T, n, _ = batch.Z.shape
    observed = batch.observed[:, batch.pattern]
    totals = batch.Z.sum(axis=(0, 1)) / np.maximum(observed.sum(axis=(0, 1)), 1)
    filled = np.where(observed, batch.Z, totals) * batch.alive[:, :, None]
    squares = np.square(filled).sum(axis=(0, 1))
    scaled = filled / _scale(squares)
    lags = [np.zeros_like(scaled) for _ in range(-(-n_states // max(np.count_nonzero(squares), 1)))]
    for k, lagged in enumerate(lags[:T]):
        lagged[k:] = scaled[: T - k]
    rows = np.concatenate(lags, axis=2)[batch.alive]
    values, vectors = np.linalg.eigh(rows.T @ rows / len(rows))
    values, vectors = values[::-1][:n_states], vectors[:, ::-1][:, :n_states]
    signs = np.sign(vectors[np.abs(vectors).argmax(axis=0), np.arange(n_states)])
    scales = np.zeros(n_states)
    informative = values > 1e-12 * values[0]
    scales[informative] = signs[informative] / np.sqrt(values[informative])
    states = np.zeros((T, n, n_states))
    states[batch.alive] = rows @ (vectors * scales)

    complete = batch._replace(
        Z=filled, observed=np.broadcast_to(batch.alive_patterns[:, :, None], batch.observed.shape)
    )
    smoothed, floors = observed_states(states, complete)
    start = maximize(smoothed, complete, floors, fit_b=fit_offset)
    half = 0.5 * start.Q
    R = symmetrize(start.R + start.C @ half @ start.C.T)
    return start._replace(Q=_clip(half, floors.states), R=R), floors


def fit_to_states(batch, paths, fit_offset):
    """Parameters for given states, a batch of paths: an M-step without uncertainty.

    Returns them with a list, as `run_em` does, of the total log-likelihood.
    """
    center = paths.center() * fit_offset
    smoothed, floors = observed_states(paths.shifted(center).Z, batch)
    fitted = maximize(smoothed, batch, floors, fit_a=fit_offset, fit_b=fit_offset)
    value = filter_in_pieces(fitted, batch.shifted(fitted.b)).loglikelihoods.sum()
    moved = fitted._replace(
        mu0=fitted.mu0 + center,
        a=fitted.a + center - fitted.A @ center,
        b=fitted.b - fitted.C @ center,
    )
    return moved, [value]


def observed_states(states, batch):
    """Moments of states that are known, with covariances zero, and floors in their scale.

    The states (T, n, d) are in the batch's order, and zero after a series' end.
    """
    T, _, d = states.shape
    zeros = np.zeros((T, len(batch.counts), d, d))
    n_steps = batch.alive.sum()
    n_observed = (batch.observed.sum(axis=0) * batch.counts[:, None]).sum(axis=0)
    floors = Floors(
        _floor(np.square(states).sum(axis=(0, 1)) / n_steps),
        _floor(np.square(batch.Z).sum(axis=(0, 1)) / np.maximum(n_observed, 1)),
    )
    return Smoothed(states, zeros, zeros[1:]), floors


def _floor(mean_squares):
    """Floor of each coordinate."""
    return RELATIVE_FLOOR * _scale(mean_squares) ** 2


def _scale(squares):
    """Root of each coordinate's squares; one for a coordinate that is zero throughout."""
    return np.sqrt(np.where(squares > 0, squares, 1.0))


def _clip(covariance, floor):
    """Nearest covariance, in the floor's scale, with no eigenvalue under one."""
    scale = np.sqrt(np.outer(floor, floor))
    values, vectors = np.linalg.eigh(symmetrize(covariance) / scale)
    if values[0] >= 1.0:
        return symmetrize(covariance)
    return symmetrize((vectors * np.maximum(values, 1.0)) @ vectors.T * scale)


def _totals(X):
    """Sum over all steps and series."""
    return X.sum(axis=(0, 1))


def _sum_outer(X, Y):
    """Sum of x y' over all steps and series."""
    return X.reshape(-1, X.shape[-1]).T @ Y.reshape(-1, Y.shape[-1])


def _sum_patterns(matrices, counts):
    """Sum of a matrix over all steps and series, given by pattern."""
    return np.tensordot(counts, matrices.sum(axis=0), 1)


def _regress(total, cross, gram, sum_y, sum_x, n_steps, intercept):
    """Least squares of y = B x + b, from the sums of y y', y x', x x', y and x.

    Returns B, b (zero without intercept) and the mean of (y - B x - b)(y - B x - b)'.
    """
    if intercept:  # that is, about the means
        total = total - np.outer(sum_y, sum_y / n_steps)
        cross = cross - np.outer(sum_y, sum_x / n_steps)
        gram = gram - np.outer(sum_x, sum_x / n_steps)
    scale = _scale(np.diagonal(gram))  # else units would decide what counts as rank
    solution = np.linalg.lstsq(gram / np.outer(scale, scale), (cross / scale).T, rcond=None)[0]
    B = solution.T / scale
    product = cross @ B.T
    b = (sum_y - B @ sum_x) / n_steps * intercept
    return B, b, (total - product - product.T + B @ gram @ B.T) / n_steps


def _expected_observations(states, V, seen, batch, parameters):
    """Expected observations and their summed covariances, alone and with the states.

    Given the state and the observed entries, the missing ones have mean C m + B (z - C m), where
    B regresses all entries' noise on that of the observed ones, and covariance R - B R.
    """
    _, n, p = batch.Z.shape
    moment_zz, moment_zm = np.zeros((p, p)), np.zeros((p, states.shape[2]))
    Z = batch.Z.copy()
    partly = np.flatnonzero((seen & ~batch.observed.all(axis=2)).any(axis=1))
    size = max(BLOCK // n, 1)
    for t in (partly[k : k + size] for k in range(0, len(partly), size)):
        C, R = parameters.C, parameters.R
        kept = select_rows(C, R, batch.observed[t])[1]
        B = np.linalg.solve(kept, batch.observed[t, :, :, None] * R).mT
        H = (np.eye(p) - B) @ C * seen[t, :, None, None]
        HV = H @ V[t]
        spread = HV @ H.mT + (R - B @ R) * seen[t, :, None, None]
        moment_zm += _sum_patterns(HV, batch.counts)
        moment_zz += _sum_patterns(spread, batch.counts)
        Z[t] = apply_by_pattern(H, batch.pattern, states[t])
        Z[t] += apply_by_pattern(B, batch.pattern, batch.Z[t])
    return Z, moment_zz, moment_zm
