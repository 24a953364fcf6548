"""First steps of a Kalman filter and smoother whose first state has entries without a prior."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ofer.state_space._square_root import ROUNDED, apply_by_pattern, has_exact, norms, refuse
from ofer.utils.series import SeriesBatch

RANK = 1e-10  # relative size below which an observation does not depend on a direction
UNEVEN = 1e4  # units of directions that differ by more are evened out


class DiffuseStep(NamedTuple):
    r"""A step at which some direction of some state still has no prior, by pattern.

    The predicted state is :math:`\hat m_t + L_t x_t + D_t \delta_t` with white x and q flat
    coordinates :math:`\delta`. Together they are :math:`y_t = h_t + G_t y_{t+1} + B_t u_t`.
    """

    root: NDArray  # (G, d, d), L
    loads: NDArray  # (G, d, q), D
    constant: NDArray  # (n, d + q), h
    ahead: NDArray  # (G, d + q, d + q), G
    rest: NDArray  # (G, d + q, m), B
    left: NDArray  # (G, d, q), what D leaves flat after the step

    def filtered(self, pattern: NDArray, predicted: NDArray) -> tuple[NDArray, NDArray]:
        """Means (n, d) and covariances (G, d, d) of the states given the past and the present."""
        d = self.root.shape[1]
        maps = np.concatenate([self.root, self.loads], axis=2)
        means = predicted + apply_by_pattern(maps, pattern, self.constant)
        spread = maps @ np.concatenate([self.ahead[:, :, :d], self.rest], axis=2)
        return means, unbounded(spread @ spread.mT, self.left)

    def predicted(self) -> NDArray:
        """Covariances (G, d, d) of the states given the past."""
        return unbounded(self.root @ self.root.mT, self.loads)


def unbounded(covariances: NDArray, loads: NDArray) -> NDArray:
    """Covariances, infinite where the states move with a flat coordinate."""
    sizes = norms(loads)
    flat = loads @ loads.mT
    infinite = np.abs(flat) > RANK * sizes[..., :, None] * sizes[..., None, :]
    return np.where(infinite, np.copysign(np.inf, flat), covariances)


class DiffuseStart:
    r"""The steps at which observations determine the entries of states that have no prior.

    This is the exact limit of prior variances :math:`\kappa` that grow without bound [1]_. An
    observation first determines as many of the flat coordinates :math:`\delta` as it can, in terms
    of its value and of white noises; what it says beyond that updates the white noises as in any
    step, by a QR decomposition. The log-likelihood is the limit of the usual one plus
    :math:`\tfrac q2 \log \kappa`, for q coordinates.

    References
    ----------
    .. [1] Koopman, "Exact initial Kalman filtering and smoothing for nonstationary time series
       models", Journal of the American Statistical Association 92 (1997).
    """

    def __init__(self, parameters: Any, noise: NDArray, push: NDArray, batch: SeriesBatch) -> None:
        self.parameters, self.noise, self.push, self.batch = parameters, noise, push, batch
        flat = np.isinf(np.diagonal(parameters.Sigma0))
        G = len(batch.counts)
        self.loads = np.tile(np.eye(len(flat))[:, flat], (G, 1, 1))
        self.n_flat = np.full(G, flat.sum())  # coordinates that are left
        self.logs = np.zeros(G)  # of the likelihood, beside those of white innovations
        self.steps: list[DiffuseStep] = []

    def step(
        self, t: int, patterns: slice, pattern: NDArray, mean: NDArray, L: NDArray
    ) -> tuple[NDArray, NDArray, NDArray]:
        """One step of the filter, from predicted means (n, d) and roots L.

        With H = C D the surprise is e = H delta + C L x + v in the flat coordinates delta. Of an
        SVD of H comes delta = pinned (e - C L x - v) + free delta_next, and the projection `fixed`
        on what H reaches. The rest, (I - fixed) e, says nothing of delta, and updates x as in
        `kalman_filter`. It is singular along `fixed`, where the array has unit noises, whose
        innovations are zero. The likelihood loses the logarithms of H's singular values.

        Returns white innovations (n, p), and the next means and roots. Raises ValueError if a
        covariance of innovations is singular.
        """
        A, _, C, _, _, _, a, _ = self.parameters
        (G, d, _), p = L.shape, len(C)
        D, seen = self.loads[patterns].copy(), self.batch.observed[t, patterns, :, None]
        C_o, m = C * seen, d + 2 * p
        # Observations and states in the white noises of x, of observations, and of missing ones.
        look = np.concatenate([C_o @ L, self.noise * seen, np.eye(p) * ~seen], axis=2)
        state = np.concatenate([L, np.zeros((G, d, 2 * p))], axis=2)
        scale, pinned, free, fixed = self._resolve(C_o, D, patterns)
        gain = D @ pinned
        rest = (np.eye(p) - fixed) * scale[:, None]  # what is left to say, in units of `scale`
        # (rest look, fixed, 0; A (state - gain look), 0, Q^1/2), transposed: what the noises of
        # `look`, unit ones along what is fixed, and those of the transition do.
        array = np.zeros((G, m + p + d, p + d))
        array[:, :m, :p], array[:, m : m + p, :p] = (rest @ look).mT, fixed
        array[:, :m, p:], array[:, m + p :, p:] = (A @ (state - gain @ look)).mT, self.push.T
        turns, triangle = np.linalg.qr(array, mode="complete")
        triangle = triangle[:, : p + d].mT
        S, K, L_next = triangle[:, :p, :p], triangle[:, p:, :p], triangle[:, p:, p:]
        scales = np.diagonal(S, axis1=1, axis2=2)
        if has_exact(self.noise):
            sizes = norms(look)[..., None]
            roundoff = ROUNDED * (p + d + m)
            bounds = roundoff * (np.abs(rest) @ sizes + norms(fixed)[..., None])[..., 0]
            refuse((np.abs(scales) <= bounds).any(axis=1), self.batch, t)
            reached = norms(L)[..., None] + np.abs(gain) @ sizes
            bounds = roundoff * ((np.abs(A) @ reached)[..., 0] + norms(self.push))
            L_next[norms(L_next) <= bounds] = 0.0
        surprise = self.batch.Z[t, : len(mean)] - apply_by_pattern(C_o, pattern, mean)
        whitener = np.linalg.solve(S, rest)
        white = apply_by_pattern(whitener, pattern, surprise)
        pushed = apply_by_pattern(A @ gain + K @ whitener, pattern, surprise)
        # Of x and the flat coordinates, in the innovation, the next x, and what no one sees.
        rows = np.concatenate([turns[:, :d], -pinned @ look @ turns[:, :m]], axis=1)
        constant = apply_by_pattern(rows[..., :p], pattern, white)
        constant[:, d:] += apply_by_pattern(pinned, pattern, surprise)
        ahead = np.concatenate([rows[..., p : p + d], np.zeros((G, d + D.shape[2], D.shape[2]))], 2)
        ahead[:, d:, d:] = free
        left = cleared(D @ free, norms(D))
        self.steps.append(DiffuseStep(L, D, constant, ahead, rows[..., p + d :], left))
        moved = cleared(A @ left, (np.abs(A) @ norms(left)[..., None])[..., 0])
        self.loads[patterns] = moved * (self.n_flat[patterns] > 0)[:, None, None]
        self.logs[patterns] -= np.log(np.abs(scales)).sum(axis=1)
        return white, mean @ A.T + a + pushed, L_next

    def _resolve(self, C_o, D, patterns):
        """What observations determine: their scale, and three maps.

        The flat coordinates are `pinned` (G, q, p) times what is left of the surprise and its
        noises, plus `free` (G, q, q) times the coordinates of the next step. In units of `scale`,
        observations are used up in the directions of the projection `fixed` (G, p, p).
        """
        parts = np.abs(C_o)[..., None] * np.abs(D)[:, None]  # (G, p, d, q)
        bounds = parts.sum(axis=2)
        largest = bounds.max(axis=2)
        scale = 1.0 / np.where(largest > 0, largest, 1.0)
        sizes = (bounds * scale[..., None]).max(axis=1)
        even = np.where(sizes > 0, sizes, sizes.max(axis=1, keepdims=True))
        uneven = even.max(axis=1) > UNEVEN * even.min(axis=1)
        units = np.where(uneven[:, None] & (sizes > 0), 1.0 / np.where(sizes > 0, sizes, 1.0), 1.0)
        U, values, Vt = np.linalg.svd(scale[..., None] * (C_o @ D) * units[:, None])
        seen = values > RANK
        r = seen.shape[1]
        inverse = np.zeros((*units.shape[:1], units.shape[1], U.shape[1]))
        each = np.arange(r)
        inverse[:, each, each] = np.where(seen, 1.0 / np.where(seen, values, 1.0), 0.0)
        kept = np.ones(units.shape)
        kept[:, :r] = ~seen
        V = units[..., None] * Vt.mT
        pinned = V @ inverse @ U.mT * scale[:, None]
        fixed = (U[..., :r] * seen[:, None]) @ U[..., :r].mT
        self.n_flat[patterns] -= seen.sum(axis=1)
        self.logs[patterns] += np.log(units).sum(axis=1) + np.log(scale).sum(axis=1)
        self.logs[patterns] -= np.log(np.where(seen, values, 1.0)).sum(axis=1)
        return scale, pinned, V * kept[:, None], fixed


def cleared(loads: NDArray, bounds: NDArray) -> NDArray:
    """Loads (G, d, q) without rows that are roundoff beside what they were made of, (G, d)."""
    return np.where((norms(loads) > RANK * bounds)[..., None], loads, 0.0)


def smooth_diffuse(filtered: Any, batch: SeriesBatch, x: NDArray, F: NDArray) -> list[NDArray]:
    """Smoothed means and covariances of the first steps, and covariances with the next step.

    The whites x of the step after them have means (n, d) and roots F (G, d, d) of covariances.
    """
    steps, (n, d), G = filtered.steps, x.shape, len(F)
    q, first, pattern = steps[0].loads.shape[2], len(steps), batch.pattern
    y, factor = np.zeros((n, d + q)), np.zeros((G, d + q, d + q))
    y[:, :d], factor[:, :d, :d] = x, F
    flat = np.eye(q) * (filtered.n_flat > 0)[:, None, None]
    maps = np.zeros((G, d, d + q))  # from y to the states
    if first < len(batch.Z):
        maps[..., :d] = filtered.roots[filtered.which[first]]
    moments: list[tuple] = []
    for t in reversed(range(first)):
        step = steps[t]
        series, patterns = slice(len(step.constant)), slice(len(step.root))
        y[series] = step.constant + apply_by_pattern(step.ahead, pattern[series], y[series])
        later, crossed = maps @ factor, step.ahead @ factor[patterns]
        spread = np.concatenate([crossed, step.rest], axis=2)
        triangle: NDArray = np.linalg.qr(spread.mT, mode="r")  # type: ignore[assignment]
        factor[patterns] = triangle.mT
        flat[patterns] = step.ahead[:, d:, d:] @ flat[patterns]
        maps[patterns] = now = np.concatenate([step.root, step.loads], axis=2)
        means, covariances, lag_one = np.zeros((n, d)), *np.zeros((2, G, d, d))
        means[series] = filtered.predicted_means[t, series]
        means[series] += apply_by_pattern(now, pattern[series], y[series])
        roots = now @ factor[patterns]
        loads = cleared(step.loads @ flat[patterns], norms(step.loads))
        covariances[patterns] = unbounded(roots @ roots.mT, loads)
        if t + 1 < len(batch.Z):
            next_patterns = slice(int(batch.alive_patterns[t + 1].sum()))
            lag_one[next_patterns] = later[next_patterns] @ (now @ crossed)[next_patterns].mT
        moments.append((means, covariances, lag_one))
    return [np.array(one) for one in zip(*moments[::-1], strict=True)]
