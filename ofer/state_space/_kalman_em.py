"""Expectation maximisation for a linear Gaussian state-space model, over many series."""

from typing import NamedTuple

import numpy as np

from ofer.state_space._kalman import (
    Parameters,
    Smoothed,
    apply_by_pattern,
    kalman_filter,
    kalman_smoother,
    select_rows,
    symmetrize,
)

__all__ = ["Floors", "em_step", "initial_parameters", "maximize", "observed_states", "run_em"]

RELATIVE_FLOOR = 1e-9


class Floors(NamedTuple):
    """Lower bounds of the covariances: the covariance minus diag(floor) stays non-negative.

    A floor is `RELATIVE_FLOOR` times each coordinate's mean square, so units do not matter.
    """

    states: np.ndarray  # (d,)
    observations: np.ndarray  # (p,)


def run_em(batch, n_states, max_iter, tol):
    """EM from the rule's start, up to `max_iter` iterations.

    It ends once an iteration gains no more than `tol` in log-likelihood per observed entry. Returns
    the parameters, the total log-likelihoods from the start's to theirs, and the last gain per
    entry.
    """
    n_entries = (batch.observed.sum(axis=(0, 2)) * batch.counts).sum()
    parameters, floors = initial_parameters(batch, n_states)
    value, following = em_step(parameters, batch, floors)
    history = [value]
    for _ in range(max_iter):
        parameters = following
        value, following = em_step(parameters, batch, floors)
        gain = (value - history[-1]) / n_entries
        history.append(value)
        if gain <= tol:
            break
    return parameters, history, gain


def em_step(parameters, batch, floors):
    """The total log-likelihood under the present model (E-step), and the next model (M-step)."""
    filtered = kalman_filter(parameters, batch)
    smoothed = kalman_smoother(parameters, batch, filtered)
    return filtered.loglikelihoods.sum(), maximize(smoothed, batch, floors, parameters)


def maximize(smoothed, batch, floors, parameters=None):
    """Parameters that maximise the expected complete log-likelihood (M-step).

    The sums run over the steps of all series. A step of which nothing is observed says nothing
    about C and R and is left out there. A clipped covariance is the maximiser under the constraint
    of its floor, so the likelihood still cannot decrease. Missing entries are expected under the
    present parameters, which are not needed without any.
    """
    means, V, lag_one = smoothed
    counts = batch.counts
    earlier = np.where(batch.alive[1:, :, None], means[:-1], 0.0)
    earlier_V = np.where(batch.alive_patterns[1:, :, None, None], V[:-1], 0.0)
    gram = _sum_outer(earlier, earlier) + _sum_patterns(earlier_V, counts)
    # Moments are zero after a series' end.
    cross = _sum_outer(means[1:], earlier) + _sum_patterns(lag_one, counts)
    later = _sum_outer(means[1:], means[1:]) + _sum_patterns(V[1:], counts)
    A = _regress(cross, gram)
    Q = _residual_covariance(later, cross, gram, A, batch.alive[1:].sum())

    mu0 = means[0].mean(axis=0)
    deviations = means[0] - mu0
    Sigma0 = (deviations.T @ deviations + _sum_patterns(V[:1], counts)) / batch.alive.shape[1]

    seen = batch.observed.any(axis=2)
    states = np.where(seen[:, batch.pattern, None], means, 0.0)
    V = np.where(seen[:, :, None, None], V, 0.0)
    Z, moment_zz, moment_zm = _expected_observations(states, V, seen, batch, parameters)
    gram = _sum_outer(states, states) + _sum_patterns(V, counts)
    cross = _sum_outer(Z, states) + moment_zm
    C = _regress(cross, gram)
    R = _residual_covariance(_sum_outer(Z, Z) + moment_zz, cross, gram, C, (seen * counts).sum())
    return Parameters(
        A,
        _clip(Q, floors.states),
        C,
        _clip(R, floors.observations),
        mu0,
        _clip(Sigma0, floors.states),
    )


def initial_parameters(batch, n_states):
    """Where EM starts: a deterministic rule.

    The states are the first `n_states` principal components (uncentred, mean square one) of the
    observations, in units of each column's root mean square, joined with as many earlier ones as
    make at least `n_states` columns; missing entries are at their column's mean. The parameters
    are those fitted to these states, except that half of the transition covariance is put down
    to observation noise: principal components are noisy, and EM leaves a start without noise
    very slowly. Returns the parameters, and the floors of the covariances for the iterations.
    """
    T, n, p = batch.Z.shape
    observed = batch.observed[:, batch.pattern]
    totals = batch.Z.sum(axis=(0, 1)) / np.maximum(observed.sum(axis=(0, 1)), 1)
    filled = np.where(observed, batch.Z, totals) * batch.alive[:, :, None]
    scaled = filled / _scale(np.square(filled).sum(axis=(0, 1)))
    lags = [np.zeros_like(scaled) for _ in range(-(-n_states // p))]
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
    start = maximize(smoothed, complete, floors)
    half = 0.5 * start.Q
    R = symmetrize(start.R + start.C @ half @ start.C.T)
    return start._replace(Q=_clip(half, floors.states), R=R), floors


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


def _sum_outer(X, Y):
    """Sum of x y' over all steps and series."""
    return X.reshape(-1, X.shape[-1]).T @ Y.reshape(-1, Y.shape[-1])


def _sum_patterns(matrices, counts):
    """Sum of a matrix over all steps and series, given by pattern."""
    return np.tensordot(counts, matrices.sum(axis=0), 1)


def _regress(cross, gram):
    """Coefficients B that minimise the sum of |y - B x|^2, from the sums of y x' and x x'."""
    scale = _scale(np.diagonal(gram))  # else units would decide what counts as rank
    solution = np.linalg.lstsq(gram / np.outer(scale, scale), (cross / scale).T, rcond=None)[0]
    return solution.T / scale


def _residual_covariance(total, cross, gram, coefficients, n_steps):
    """Mean of (y - B x)(y - B x)' from sums."""
    product = cross @ coefficients.T
    return (total - product - product.T + coefficients @ gram @ coefficients.T) / n_steps


def _expected_observations(states, V, seen, batch, parameters):
    """Expected observations and their summed covariances, alone and with the states.

    Given the state and the observed entries, the missing ones have mean C m + B (z - C m), where
    B regresses all entries' noise on that of the observed ones, and covariance R - B R.
    """
    p, d = batch.Z.shape[2], states.shape[2]
    moment_zz, moment_zm = np.zeros((p, p)), np.zeros((p, d))
    Z = batch.Z.copy()
    for t in np.flatnonzero((seen & ~batch.observed.all(axis=2)).any(axis=1)):
        C, R = parameters.C, parameters.R
        kept = select_rows(C, R, batch.observed[t])[1]
        B = np.linalg.solve(kept, batch.observed[t, :, :, None] * R).mT
        H = (np.eye(p) - B) @ C * seen[t, :, None, None]
        HV = H @ V[t]
        spread = HV @ H.mT + (R - B @ R) * seen[t, :, None, None]
        moment_zm += np.tensordot(batch.counts, HV, 1)
        moment_zz += np.tensordot(batch.counts, spread, 1)
        Z[t] = apply_by_pattern(H, batch.pattern, states[t])
        Z[t] += apply_by_pattern(B, batch.pattern, batch.Z[t])
    return Z, moment_zz, moment_zm
