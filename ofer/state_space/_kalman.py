"""Kalman filter and Rauch-Tung-Striebel smoother, batched over series."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ofer.utils.series import SeriesBatch
from ofer.utils.validation import check_even

LENGTHEN, SWEEPS = 4, 5  # see `filter_in_pieces`
SHORT = 2000  # numbers in all sweeps for a step, below which doubling is quicker than stepping
ROUNDOFF = 1e-8  # relative, of covariances that a user gives
SETTLED = 1e-15  # relative change of a covariance in one step; see `_settled`
NAMES = (
    *("transition_matrix", "transition_covariance", "observation_matrix"),
    *("observation_covariance", "initial_mean", "initial_covariance"),
    *("transition_offset", "observation_offset"),
)  # of `Parameters`, in the same order


class Parameters(NamedTuple):
    """Parameters of a linear Gaussian state-space model, d states and p observations."""

    A: np.ndarray  # (d, d)
    Q: np.ndarray  # (d, d)
    C: np.ndarray  # (p, d)
    R: np.ndarray  # (p, p)
    mu0: np.ndarray  # (d,)
    Sigma0: np.ndarray  # (d, d)
    a: np.ndarray | float = 0.0  # (d,), offset of the transitions
    b: np.ndarray | float = 0.0  # (p,), offset of the observations


def check_parameters(given, d=None, p=None):
    """Copies of the parameters that have these names; an offset that is not there is zero.

    None for d and p takes those of the two matrices. Raises ValueError, with the name, if a shape
    is wrong, a number is not finite, or a covariance is not symmetric and positive semi-definite.
    """
    if not {*NAMES[:6]} <= {*given} <= {*NAMES}:
        raise ValueError(
            f"start must have the keys {', '.join(NAMES[:6])}, and may have "
            f"{' and '.join(NAMES[6:])}; got {[*given]}."
        )
    for name, value in given.items():
        check_even(name, value)
    d = d or len(np.atleast_2d(given["transition_matrix"]))
    p = p or len(np.atleast_2d(given["observation_matrix"]))
    arrays = []
    shapes = ((d, d), (d, d), (p, d), (p, p), (d,), (d, d), (d,), (p,))
    for name, shape in zip(NAMES, shapes, strict=True):
        array = np.asarray(given.get(name, np.zeros(shape)))
        if array.shape != shape or array.dtype.kind not in "biuf":
            raise ValueError(
                f"{name} must have shape {shape} and real numbers; "
                f"got shape {array.shape} of {array.dtype}."
            )
        array = array.astype(np.float64)
        if not np.isfinite(array).all():
            raise ValueError(f"{name} must be finite; got {array[~np.isfinite(array)][0]}.")
        if name.endswith("covariance"):
            _check_covariance(name, array)
            array = symmetrize(array)
        arrays.append(array)
    return Parameters(*arrays)


def _check_covariance(name: str, array: NDArray) -> None:
    """Raise ValueError unless a matrix is a covariance up to roundoff, in any unit."""
    variances = np.abs(np.diagonal(array))
    unit = np.sqrt(np.where(variances > 0, variances, 1.0))
    scaled = array / np.outer(unit, unit)
    if (np.abs(scaled - scaled.T) > ROUNDOFF).any():
        gap = np.abs(array - array.T).max()
        raise ValueError(f"{name} must be symmetric; got entries that differ by {gap:.3g}.")
    if np.linalg.eigvalsh(symmetrize(scaled))[0] < -ROUNDOFF:
        lowest = np.linalg.eigvalsh(symmetrize(array))[0]
        raise ValueError(f"{name} must be positive semi-definite; got eigenvalue {lowest:.3g}.")


class Filtered(NamedTuple):
    """Moments of the states given the past; time first, covariances by pattern."""

    means: np.ndarray  # (T, n, d)
    covariances: np.ndarray  # (T, G, d, d)
    predicted_means: np.ndarray
    predicted_covariances: np.ndarray
    loglikelihoods: np.ndarray  # (n,)
    repeats: np.ndarray  # (T,), whether all covariances are those of the step before


class Smoothed(NamedTuple):
    """Moments of the states given whole series; time first, covariances by pattern."""

    means: np.ndarray  # (T, n, d)
    covariances: np.ndarray  # (T, G, d, d)
    lag_one_covariances: np.ndarray  # (T - 1, G, d, d), Cov(m_{t+1}, m_t)


def symmetrize(matrices: NDArray) -> NDArray:
    """Mean of square matrices and their transposes."""
    return 0.5 * (matrices + matrices.mT)


def kalman_filter(parameters: Parameters, batch: SeriesBatch) -> Filtered:
    r"""Filter all series of a batch, one step of all at a time.

    Missing entries drop out by row selection, written with a diagonal 0-1 matrix M of the
    observed coordinates: with C replaced by M C and the innovations' covariance by
    M S M + I - M, gains and likelihood are those of the observed coordinates alone. The
    covariance update is Joseph's, :math:`(I - K C) P (I - K C)^\top + K R K^\top`, which stays
    positive semi-definite in floating point.

    No covariance depends on the data, and while the same entries are observed the covariances
    tend to a steady state, often within some tens of steps. Once they stand still, one gain
    serves up to the next change, and a step takes no more than a product.

    The offset of the observations has been taken from the batch, see `SeriesBatch.shifted`.
    Moments are zero after a series' end. Raises ValueError, with series and time, if a covariance
    of innovations is not positive definite.
    """
    A, Q, C, R, mu0, Sigma0, a, _ = parameters
    T, n, p = batch.Z.shape
    d, G = len(A), len(batch.counts)
    means, predicted_means = np.zeros((2, T, n, d))
    covariances, predicted_covariances = np.zeros((2, T, G, d, d))
    white = np.zeros((T, n, p))
    roots = np.ones((T, G, p))
    repeats = np.zeros(T, dtype=bool)
    identity, changes, (n_series, n_patterns) = np.eye(d), _next_changes(batch), _alive(batch)
    predicted_means[0] = mu0
    t = 0
    while t < T:
        series, patterns = slice(n_series[t]), slice(n_patterns[t])
        pattern = batch.pattern[series]
        if t == 0:
            P = np.broadcast_to(Sigma0, (G, d, d))
        else:
            P = symmetrize(A @ covariances[t - 1, patterns] @ A.T + Q)
        unchanged = t > 0 and changes[t] == changes[t - 1]
        if unchanged and _settled(P, predicted_covariances[t - 1, patterns]):
            stop = changes[t]  # K, V and all else that follows from P is as at the step before
            repeats[t:stop] = True
        else:
            stop = t + 1
            C_o, R_o = select_rows(C, R, batch.observed[t, patterns])
            W = _whitener((C_o @ P @ C_o.mT + R_o)[None], "observations", batch, [t])[0]
            K = P @ (W @ C_o).mT @ W
            kept = identity - K @ C_o
            V = symmetrize(kept @ P @ kept.mT + K @ R @ K.mT)
        steps = slice(t, stop)
        predicted_covariances[steps, patterns], covariances[steps, patterns] = P, V
        roots[steps, patterns] = np.diagonal(W, axis1=1, axis2=2)
        if t > 0 and stop > t + 1:  # all means of a steady state together
            filtered = apply_by_pattern(K, pattern, batch.Z[steps, series])
            pushed = np.broadcast_to(a, (len(pattern), d))
            filtered += apply_by_pattern(kept, pattern, pushed)
            _accumulate(kept @ A, pattern, means[t - 1, series], filtered)
            means[steps, series] = filtered
            predicted_means[steps, series] = means[t - 1 : stop - 1, series] @ A.T + a
        elif t > 0:
            predicted_means[t, series] = means[t - 1, series] @ A.T + a
        expected = predicted_means[steps, series]
        surprise = batch.Z[steps, series] - apply_by_pattern(C_o, pattern, expected)
        white[steps, series] = apply_by_pattern(W, pattern, surprise)
        if stop == t + 1:
            means[steps, series] = expected + apply_by_pattern(K, pattern, surprise)
        t = stop
    log_roots = np.log(roots).sum(axis=(0, 2))
    constants = log_roots - 0.5 * np.log(2 * np.pi) * batch.observed.sum(axis=(0, 2))
    loglikelihoods = constants[batch.pattern] - 0.5 * np.einsum("tnp,tnp->n", white, white)
    return Filtered(
        means, covariances, predicted_means, predicted_covariances, loglikelihoods, repeats
    )


def filter_in_pieces(parameters: Parameters, batch: SeriesBatch) -> Filtered:
    """`kalman_filter`, for one long series with many changes by pieces that run side by side.

    A piece starts where the one before it ended in the sweep before. A filter forgets its start,
    so a few sweeps usually leave no start that moves (by more than `SETTLED`); else one step
    follows the other after all.
    """
    T, n, _ = batch.Z.shape
    length = int(np.sqrt(LENGTHEN * T))
    changes = np.count_nonzero(np.diff(batch.observed[:, 0], axis=0).any(axis=1))
    if n > 1 or changes < SWEEPS * length:
        return kalman_filter(parameters, batch)
    count = -(-T // length)

    def cut(values: NDArray) -> NDArray:
        padding = np.zeros((count * length - T, *values.shape[2:]), values.dtype)
        rows = np.concatenate([values[:, 0], padding])
        return np.swapaxes(rows.reshape(count, length, *values.shape[2:]), 0, 1)

    Z, observed, alive = cut(batch.Z), cut(batch.observed), cut(batch.alive)
    each = np.arange(count)
    pieces = SeriesBatch(Z, observed, each, np.ones_like(each), each, alive, alive)
    A, Q, _, _, mu0, Sigma0, a, _ = parameters
    means, covariances = np.tile(mu0, (count, 1)), np.tile(Sigma0, (count, 1, 1))
    for _ in range(SWEEPS):
        try:
            filtered = kalman_filter(parameters._replace(mu0=means, Sigma0=covariances), pieces)
        except ValueError:  # which names a place in a piece
            break
        old, old_means = covariances, means
        means = np.vstack([mu0, filtered.means[-1, :-1] @ A.T + a])
        moved = symmetrize(A @ filtered.covariances[-1, :-1] @ A.T + Q)
        covariances = np.concatenate([Sigma0[None], moved])
        units = np.abs(means) + np.sqrt(np.diagonal(covariances, axis1=1, axis2=2))
        if _settled(covariances, old) and (np.abs(means - old_means) <= SETTLED * units).all():
            moments = filtered[:4]
            joined = [np.swapaxes(part, 0, 1).reshape(-1, 1, *part.shape[2:]) for part in moments]
            values, repeats = filtered.loglikelihoods.sum(keepdims=True), np.zeros(T, dtype=bool)
            return Filtered._make([*(part[:T] for part in joined), values, repeats])
    return kalman_filter(parameters, batch)


def kalman_smoother(parameters: Parameters, batch: SeriesBatch, filtered: Filtered) -> Smoothed:
    r"""Smooth all series of a batch, backwards from what the filter found.

    With the gain :math:`J_t = P_{t|t} A^\top P_{t+1|t}^{-1}`,

    .. math::

        V_t = (I - J_t A) P_{t|t} (I - J_t A)^\top + J_t (V_{t+1} + Q) J_t^\top, \qquad
        \mathrm{Cov}(m_{t+1}, m_t) = V_{t+1} J_t^\top .

    Moments are zero after a series' end. Raises ValueError, with series and time, if a covariance
    of predicted states is not positive definite.
    """
    A, Q = parameters.A, parameters.Q
    identity, (n_series, n_patterns) = np.eye(len(A)), _alive(batch)
    covariances = filtered.covariances.copy()
    # All that does not depend on the next step, at once for all steps that do not repeat another.
    new = ~(filtered.repeats[:-1] & filtered.repeats[1:])
    first, which = np.flatnonzero(new), np.cumsum(new) - 1
    reached = batch.alive_patterns[first + 1, :, None, None]
    predicted = np.where(reached, filtered.predicted_covariances[first + 1], identity)
    W = _whitener(predicted, "states", batch, first + 1)
    J = covariances[first] @ A.T @ W.mT @ W
    kept = identity - J @ A
    independent = kept @ covariances[first] @ kept.mT + J @ Q @ J.mT
    ahead = filtered.means - filtered.predicted_means  # what the observations add to a prediction
    t = len(which) - 1
    while t >= 0:
        # A series that ends at t is smoothed already.
        series, patterns = slice(n_series[t + 1]), slice(n_patterns[t + 1])
        k = which[t]
        gain, V = J[k, patterns], covariances[t + 1, patterns]
        smoothed = symmetrize(independent[k, patterns] + gain @ V @ gain.mT)
        alike = first[k] < t and _settled(smoothed, V)
        steps = slice(first[k] if alike else t, t + 1)  # all with this gain
        covariances[steps, patterns] = smoothed
        backwards = ahead[steps, series][::-1]
        _accumulate(gain, batch.pattern[series], ahead[t + 1, series], backwards)
        t = steps.start - 1
    lag_one = covariances[1:] @ J[which].mT
    return Smoothed(filtered.predicted_means + ahead, covariances, lag_one)


def select_rows(C: NDArray, R: NDArray, observed: NDArray) -> tuple[NDArray, NDArray]:
    """M C and M R M + I - M for each pattern's observed coordinates, the diagonals of M (..., p).

    Their shapes are (..., p, d) and (..., p, p), or (1, p, d) and (1, p, p) if all are observed.
    Rows of missing coordinates are zero in the first, and those of the identity in the second.
    """
    if observed.all():
        return C[None], R[None]
    M = observed.astype(float)
    R_o = M[..., :, None] * R * M[..., None, :] + np.eye(len(R)) * (1 - M)[..., None, :]
    return M[..., :, None] * C, R_o


def _alive(batch: SeriesBatch) -> Iterator[list[int]]:
    """For each step, how many series and how many patterns have it."""
    return (alive.sum(axis=1).tolist() for alive in (batch.alive, batch.alive_patterns))


def apply_by_pattern(matrices: NDArray, pattern: NDArray, vectors: NDArray) -> NDArray:
    """Multiply each vector by its pattern's matrix; the series are on the last axis but one."""
    if matrices.shape[-3] == 1:
        return vectors @ matrices[..., 0, :, :].mT
    return np.einsum("...nij,...nj->...ni", matrices[..., pattern, :, :], vectors)


def _accumulate(matrices: NDArray, pattern: NDArray, before: NDArray, rows: NDArray) -> None:
    """Solve x_t = F x_{t-1} + u_t in place, for rows u_t and the x before them.

    Where rows are short, each sweep doubles the number of terms of x_t = u_t + F u_{t-1} + ... that
    are there, in place of one step after the other.
    """
    powers = [matrices]
    while 2 ** len(powers) < len(rows):
        powers.append(powers[-1] @ powers[-1])
    if len(powers) * rows[0].size <= SHORT and np.isfinite(powers[-1]).all():
        rows[0] += apply_by_pattern(matrices, pattern, before)
        for k, power in enumerate(powers if len(rows) > 1 else ()):
            rows[2**k :] += apply_by_pattern(power, pattern, rows[: -(2**k)])
        return
    for row in rows:
        row += apply_by_pattern(matrices, pattern, before)
        before = row


def _next_changes(batch: SeriesBatch) -> NDArray:
    """For each step, the first step after it at which other entries are observed, or T."""
    same = (batch.observed[1:] == batch.observed[:-1]).all(axis=(1, 2))
    same &= (batch.alive_patterns[1:] == batch.alive_patterns[:-1]).all(axis=1)
    stops = np.append(np.flatnonzero(~same) + 1, len(batch.Z))
    return stops[np.searchsorted(stops, np.arange(len(batch.Z)), side="right")]


def _settled(covariances: NDArray, before: NDArray) -> np.bool:
    """Whether a recursion of covariances stands still.

    It does once no entry changes by more than `SETTLED`, in units of the two standard deviations.
    That is roundoff. Changes shrink on the way to a steady state, so what is left out in T steps
    is at most T times as much, however slow the recursion is.
    """
    deviations = np.sqrt(np.diagonal(covariances, axis1=-2, axis2=-1))
    bounds = SETTLED * deviations[..., :, None] * deviations[..., None, :]
    return (np.abs(covariances - before) <= bounds).all()


def _whitener(covariances, meaning, batch, times):
    """Inverse Cholesky factors W, by time and pattern: W' W is the inverse covariance."""
    try:
        roots = np.linalg.cholesky(covariances)
    except np.linalg.LinAlgError:
        for t, g in np.ndindex(covariances.shape[:2]):
            try:
                np.linalg.cholesky(covariances[t, g])
            except np.linalg.LinAlgError:
                break
        place = batch.order[batch.pattern == g].min()
        raise ValueError(
            f"the predicted covariance of the {meaning} of series {place} must be positive "
            f"definite at time {times[t]}; got one that is singular or not finite. Check the "
            "model's covariances, and the eigenvalues of its transition matrix."
        ) from None
    return np.linalg.solve(roots, np.eye(roots.shape[-1]))
