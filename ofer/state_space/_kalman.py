"""Kalman filter and smoother in square-root form, batched over series."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ofer.state_space._diffuse import DiffuseStart, DiffuseStep, smooth_diffuse
from ofer.state_space._square_root import (
    Turns,
    alignment,
    apply_by_pattern,
    apply_by_step,
    has_exact,
    masked_roots,
    norms,
    reflect,
    refuse,
    root,
    roundoff,
    runs_of,
    symmetrize,
)
from ofer.utils.series import SeriesBatch
from ofer.utils.validation import check_even

LENGTHEN, SWEEPS = 4, 5  # see `filter_in_pieces`
SHORT = 2000  # numbers in all sweeps for a step, below which doubling is quicker than stepping
ROUNDOFF = 1e-8  # relative, of covariances that a user gives
CHECKED = 3  # steps from one look at whether covariances stand still to the next
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
        flat = np.diagonal(array) == np.inf if name == "initial_covariance" else np.zeros(1, bool)
        finite = np.where(np.diag(flat), 0.0, array) if flat.any() else array
        if not np.isfinite(finite).all():
            raise ValueError(f"{name} must be finite; got {finite[~np.isfinite(finite)][0]}.")
        if flat.any() and finite[flat].any() | finite[:, flat].any():
            raise ValueError(f"{name} must be zero beside an infinite variance; got {array[flat]}.")
        if name.endswith("covariance"):
            _check_covariance(name, finite)
            array = (
                np.where(np.diag(flat), array, symmetrize(finite))
                if flat.any()
                else symmetrize(array)
            )
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
    """Moments of the states given the past; time first, covariances by pattern.

    A covariance is kept as its root L, with L L' = P. Steps share roots: those of step t are at
    ``which[t]``.
    """

    predicted_means: np.ndarray  # (T, n, d)
    loglikelihoods: np.ndarray  # (n,)
    innovations: np.ndarray  # (T, n, p), white: uncorrelated, with variance one
    roots: np.ndarray  # (K, G, d, d), of the predicted covariances
    turns: np.ndarray  # (K, G, d, p + 2 d), rows of rotations, see `kalman_filter`
    which: np.ndarray  # (T,)
    following: tuple  # predicted means and roots of the step after the last, of series that have it
    steps: list[DiffuseStep]  # the first ones, while states without a prior are not determined
    n_flat: np.ndarray  # (G,), coordinates of such states that a series never determines
    pieces: tuple = ()  # those of `filter_in_pieces`: batch, result, and roots at their starts

    @property
    def repeats(self) -> NDArray:
        """Whether all covariances are those of the step before (T,)."""
        return np.append(False, self.which[1:] == self.which[:-1])

    def moments(self, batch: SeriesBatch) -> list[NDArray]:
        """Means (T, n, d) and covariances (T, G, d, d) given past and present, and the past alone.

        They are zero after a series' end.
        """
        p, first = self.innovations.shape[2], len(self.steps)
        which = self.which[first:]
        moved, white, n_series = self.roots @ self.turns, self.innovations[first:], _alive(batch)[0]
        gains, left = moved[..., :p], moved[..., p:]
        means, shape = self.predicted_means.copy(), (first, *self.roots.shape[1:])
        if len(which):
            means[first:] += apply_by_step(gains, which, batch, white, n_series[first:])
        covariances, predicted = left @ left.mT, self.roots @ self.roots.mT
        start, past = np.zeros((2, *shape))
        for t, step in enumerate(self.steps):
            series, patterns = slice(len(step.constant)), slice(len(step.root))
            moments = step.filtered(batch.pattern[series], means[t, series])
            means[t, series], start[t, patterns] = moments
            past[t, patterns] = step.predicted()
        if first:
            covariances = np.concatenate([start, covariances[which]])
            predicted = np.concatenate([past, predicted[which]])
        else:
            covariances, predicted = covariances[which], predicted[which]
        return [means, covariances, self.predicted_means, predicted]


class Smoothed(NamedTuple):
    """Moments of the states given whole series; time first, covariances by pattern."""

    means: np.ndarray  # (T, n, d)
    covariances: np.ndarray  # (T, G, d, d)
    lag_one_covariances: np.ndarray  # (T - 1, G, d, d), Cov(m_{t+1}, m_t)


def kalman_filter(parameters: Parameters, batch: SeriesBatch, start: Any = None) -> Filtered:
    r"""Filter all series of a batch, one step of all at a time, in square-root form.

    The predicted state is :math:`\hat m_t + L_t x_t`, where x, and v and w of the noises of
    observations and transitions, are white: uncorrelated, with variance one. A rotation
    :math:`\Theta_t` makes of them the innovation e, the x of the next step, and a rest u of which
    no later observation depends:

    .. math::

        \begin{pmatrix} C L_t & R^{1/2} & 0 \\ A L_t & 0 & Q^{1/2} \end{pmatrix} \Theta_t =
        \begin{pmatrix} S_t^{1/2} & 0 & 0 \\ \bar K_t & L_{t+1} & 0 \end{pmatrix}, \qquad
        \begin{pmatrix} x_t \\ v_t \\ w_t \end{pmatrix} =
        \Theta_t \begin{pmatrix} e_t \\ x_{t+1} \\ u_t \end{pmatrix} .

    That is the array algorithm of [1]_, section 12.3, by a QR decomposition of the transposed
    array. Covariances are neither subtracted nor inverted, but for those of innovations, and a root
    has half of the digits that its covariance spans. The smoother needs the rows of
    :math:`\Theta_t` for x; these are `turns`.

    Missing entries drop out by row selection, written with a diagonal 0-1 matrix M of the
    observed coordinates: C is replaced by M C, and R by M R M + I - M, which gives each missing
    coordinate a noise of its own. Gains and likelihood are then those of the observed
    coordinates alone.

    No covariance depends on the data, and while the same entries are observed the covariances
    tend to a steady state, often within some tens of steps. Once they stand still, one array
    serves up to the next change, and a step takes no more than a product: with the gain
    :math:`G = \bar K S^{-1/2}`, :math:`\hat m_{t+1} = (A - G C) \hat m_t + G z_t + a`.

    The offset of the observations has been taken from the batch, see `SeriesBatch.shifted`. `start`
    has means (n, d) and roots (G, d, d) in the place of the first state's moments. Moments are zero
    after a series' end. Raises ValueError, with series and time, if a covariance of innovations is
    not positive definite.

    References
    ----------
    .. [1] Kailath, Sayed, Hassibi, "Linear estimation", Prentice Hall (2000).
    """
    A, Q, _, R, mu0, Sigma0, a, _ = parameters
    T, n, p = batch.Z.shape
    G, (n_series, n_patterns) = len(batch.counts), _alive(batch)
    noise, push = root(R), root(Q)
    # Predicted means; the last row is of the step that follows.
    means, white, which = np.zeros((T + 1, n, len(A))), np.zeros((T, n, p)), np.zeros(T, dtype=int)
    if start is None:
        Sigma = np.where(np.isinf(Sigma0), 0.0, Sigma0)
        start = mu0, np.tile(root(Sigma), (G, 1, 1))
    means[0], L = start
    flat, t = DiffuseStart(parameters, noise, push, batch), 0
    while t < T and flat.loads[: n_patterns[t]].any():
        series, patterns = slice(n_series[t]), slice(n_patterns[t])
        pattern, past = batch.pattern[series], means[t, series]
        moments = flat.step(t, patterns, pattern, past, L[patterns])
        white[t, series], means[t + 1, series], L = moments
        t += 1
    ended, covariances = n_series[-1] < n, _Covariances(parameters, batch, noise, push)
    while t < T:
        runs, L, maps = covariances.advance(t, L)
        W, gains, forget, C_o = maps
        steps = slice(t, t := runs[-1][1])
        places = np.repeat(np.arange(len(runs)), np.diff([*(run[0] for run in runs), t]))
        which[steps] = places + covariances.turns.appended - len(runs)
        alive = n_series[steps]
        Z, pushed = batch.Z[steps], means[steps.start + 1 : t + 1]
        np.add(apply_by_step(gains, places, batch, Z, alive), a, out=pushed)
        for k, (begin, end) in enumerate(runs):
            series = slice(n_series[begin])
            rows = means[begin + 1 : end + 1, series]  # others are zeroed below
            _accumulate(forget[k], batch.pattern[series], means[begin, series], rows)
        if C_o is None:
            surprises = Z - means[steps] @ parameters.C.T
        else:
            surprises = Z - apply_by_step(C_o, places, batch, means[steps], alive)
        if ended:
            surprises[~batch.alive[steps]] = 0.0
        white[steps] = apply_by_step(W, places, batch, surprises, alive)
    if ended:
        means[1:T][~batch.alive[1:]] = 0.0
    n_entries = batch.observed.sum(axis=(0, 2))
    constants = flat.logs - covariances.log_scales - 0.5 * np.log(2 * np.pi) * n_entries
    loglikelihoods = constants[batch.pattern] - 0.5 * np.einsum("tnp,tnp->n", white, white)
    return Filtered(
        predicted_means=means[:T],
        loglikelihoods=loglikelihoods,
        innovations=white,
        roots=covariances.roots[: covariances.turns.appended],
        turns=covariances.turns.finish(),
        which=which,
        following=(means[T, : n_series[-1]], L),
        steps=flat.steps,
        n_flat=flat.n_flat,
    )


class _Covariances:
    """The part of `kalman_filter` that does not depend on the data, by pattern."""

    def __init__(self, parameters, batch, noise, push):
        self.batch, self.A, self.C = batch, parameters.A, parameters.C
        (T, _, p), G, d = batch.Z.shape, len(batch.counts), len(self.A)
        self.exact = has_exact(noise)
        self.complete = bool((batch.observed == batch.alive_patterns[:, :, None]).all())
        if not self.complete:
            self.noises, self.noise_at = masked_roots(noise, batch.observed)
        # Large rows come first in the transposed array, or QR loses what is small beside them.
        self.array = np.zeros((G, d + p + d, p + d))
        self.array[:, d : d + p, :p], self.array[:, d + p :, p:] = noise.T, push.T
        self.maps = np.vstack([self.C, self.A]).T
        self.roots, self.log_scales = np.zeros((T, G, d, d)), np.zeros(G)
        self.turns, self.changes = Turns(T, G, d, self.array.shape[1:]), _next_changes(batch)
        self.n_patterns = _alive(batch)[1]

    def advance(self, t, L):
        """Go on from a step and the roots of its predicted covariances, as far as memory allows.

        Returns pairs of steps, from the first to before the second of which arrays stay as they
        are, the roots predicted for the step after all, and for each pair maps by pattern: the
        whitener of innovations, the gain of the next means, what they keep of these means, and the
        observation matrix. Adds to `log_scales` what the likelihood has of determinants.
        """
        (T, _, p), d, lower = self.batch.Z.shape, len(self.A), np.tri(len(self.A))
        turns, changes, maps = self.turns, self.changes, self.maps
        runs: list[tuple[int, int]] = []
        while t < T and len(runs) < turns.size:
            patterns, k = slice(self.n_patterns[t]), turns.appended
            L = L[patterns]
            if runs and t % CHECKED == 0 and changes[t] == changes[t - 1]:
                before = self.roots[k - 1, patterns]
                if _settled(L @ L.mT, before @ before.mT):
                    turns.align(L, before)  # what follows from L is as at the step before
                    L, t = before, changes[t]
                    runs[-1] = runs[-1][0], t
                    continue
            now = self.array[patterns]
            now[:, :d] = L.mT @ maps
            if not self.complete:
                now[:, :d, :p] *= self.batch.observed[t, patterns, None, :]
                now[:, d : d + p, :p] = self.noises[self.noise_at[t, patterns]]
            self.roots[k, patterns] = L
            reflectors = turns.append(now)
            L = reflectors[:, p:, p : p + d] * lower
            if self.exact:
                bounds = roundoff(maps, self.roots[k, patterns], now[:, d:])
                scales = np.abs(np.diagonal(reflectors, axis1=1, axis2=2)[:, :p])
                refuse((scales <= bounds[:, :p]).any(axis=1), self.batch, t)
                L[norms(L) <= bounds[:, p:]] = 0.0  # what is known has no variance to be found
            runs.append((t, t := t + 1))
        return runs, L, self._maps(runs)

    def _maps(self, runs):
        """See `advance`."""
        p, starts = self.array.shape[2] - len(self.A), [run[0] for run in runs]
        reflectors = self.turns.last(len(runs))
        alive = self.batch.alive_patterns[starts]
        S = np.where(alive[..., None, None], reflectors[..., :p, :p] * np.tri(p), np.eye(p))
        with np.errstate(divide="ignore"):
            log_scales = np.log(np.abs(np.diagonal(S, axis1=2, axis2=3))).sum(axis=2)
        bad = ~np.isfinite(log_scales)
        if bad.any():
            k = bad.any(axis=1).argmax()
            refuse(bad[k], self.batch, starts[k])
        self.log_scales += np.diff(np.array(runs)).T[0] @ log_scales
        W = np.linalg.solve(S, np.eye(p))
        gains = reflectors[..., p:, :p] @ W
        if self.complete:
            return W, gains, self.A - gains @ self.C, None
        C_o = self.C * self.batch.observed[starts][..., None]
        return W, gains, self.A - gains @ C_o, C_o


def filter_in_pieces(parameters: Parameters, batch: SeriesBatch) -> Filtered:
    """`kalman_filter`, for one long series with many changes by pieces that run side by side.

    A piece starts where the one before it ended in the sweep before. A filter forgets its start,
    so a few sweeps usually leave no start that moves (by more than `SETTLED`); else one step
    follows the other after all.
    """
    T, n, _ = batch.Z.shape
    length = int(np.sqrt(LENGTHEN * T))
    changes = np.count_nonzero(np.diff(batch.observed[:, 0], axis=0).any(axis=1))
    if n > 1 or changes < SWEEPS * length or np.isinf(parameters.Sigma0).any():
        return kalman_filter(parameters, batch)
    count = -(-T // length)

    def cut(values: NDArray) -> NDArray:
        padding = np.zeros((count * length - T, *values.shape[2:]), values.dtype)
        rows = np.concatenate([values[:, 0], padding])
        return np.swapaxes(rows.reshape(count, length, *values.shape[2:]), 0, 1)

    Z, observed, alive = cut(batch.Z), cut(batch.observed), cut(batch.alive)
    each = np.arange(count)
    pieces = SeriesBatch(
        Z, observed, each, np.ones_like(each), each, alive, alive, alive.sum(axis=0)
    )
    first, first_root = parameters.mu0, root(parameters.Sigma0)
    means, roots = np.tile(first, (count, 1)), np.tile(first_root, (count, 1, 1))
    for _ in range(SWEEPS):
        try:
            filtered = kalman_filter(parameters, pieces, (means, roots))
        except ValueError:  # which names a place in a piece
            break
        old_means, old_roots = means, roots
        ends, end_roots = (values[: count - 1] for values in filtered.following)
        means = np.vstack([first, ends])
        roots = np.concatenate([first_root[None], end_roots])
        old, new = old_roots @ old_roots.mT, roots @ roots.mT
        units = np.abs(means) + np.sqrt(np.diagonal(new, axis1=1, axis2=2))
        if _settled(new, old) and (np.abs(means - old_means) <= SETTLED * units).all():
            return _join(pieces, filtered, old_roots, T)
    return kalman_filter(parameters, batch)


def _join(pieces: SeriesBatch, filtered: Filtered, roots: NDArray, T: int) -> Filtered:
    """The filter of a series of T steps from that of its pieces, which started at these roots."""
    p, d = filtered.innovations.shape[2], roots.shape[2]
    mean, last = filtered.following
    turns, ends = filtered.turns[filtered.which], slice(p, p + d)
    turn = alignment(last[: len(roots) - 1], roots[1:])  # the x after a piece is the next one's
    turns[-1, :-1, :, ends] = turns[-1, :-1, :, ends] @ turn
    aligned = filtered._replace(
        roots=filtered.roots[filtered.which], turns=turns, which=np.arange(len(turns))
    )
    return Filtered(
        predicted_means=_joined(filtered.predicted_means, T),
        loglikelihoods=filtered.loglikelihoods.sum(keepdims=True),
        innovations=_joined(filtered.innovations, T),
        roots=_joined(aligned.roots, T),
        turns=_joined(turns, T),
        which=np.arange(T),
        following=(mean[-1:], last[-1:]),
        steps=[],
        n_flat=filtered.n_flat[:1],
        pieces=(pieces, aligned, roots),
    )


def _joined(values: NDArray, T: int) -> NDArray:
    """Values of a series of T steps from those of its pieces."""
    return np.swapaxes(values, 0, 1).reshape(-1, 1, *values.shape[2:])[:T]


def kalman_smoother(parameters: Parameters, batch: SeriesBatch, filtered: Filtered) -> Smoothed:
    r"""Smooth all series of a batch, backwards through the rotations of the filter.

    Given the whole series e is known, u is as it was, white, and x of the next step has a mean
    :math:`\xi` and a covariance F F'. So the rows :math:`\Theta^e, \Theta^x, \Theta^u` for x of
    `kalman_filter` give, from mean 0 and root I after the end of a series,

    .. math::

        \xi_t = \Theta^e_t e_t + \Theta^x_t \xi_{t+1}, \qquad
        F_t F_t^\top = \Theta^x_t F_{t+1} F_{t+1}^\top \Theta^{x\top}_t
            + \Theta^u_t \Theta^{u\top}_t,

    the latter by a QR decomposition of :math:`(\Theta^x_t F_{t+1}, \Theta^u_t)`. Smoothed states
    have mean :math:`\hat m_t + L_t \xi_t` and covariance :math:`L_t F_t F_t^\top L_t^\top`, and
    :math:`\operatorname{Cov}(m_{t+1}, m_t) = L_{t+1} F_{t+1} F_{t+1}^\top \Theta^{x\top}_t
    L_t^\top`. Rotations are all that is applied, so errors do not grow, and nothing is inverted.

    Moments are zero after a series' end.
    """
    first = len(filtered.steps)
    if not first:
        return _smooth_in_pieces(filtered) or _smooth(batch, filtered)[0]
    T, n, d = filtered.predicted_means.shape
    if first == T:
        means, covariances, lag_one = smooth_diffuse(
            filtered, batch, np.zeros((n, d)), np.tile(np.eye(d), (len(batch.counts), 1, 1))
        )
        return Smoothed(means, covariances, lag_one[:-1])
    later = batch._replace(
        Z=batch.Z[first:],
        observed=batch.observed[first:],
        alive=batch.alive[first:],
        alive_patterns=batch.alive_patterns[first:],
    )
    tail = filtered._replace(
        predicted_means=filtered.predicted_means[first:],
        innovations=filtered.innovations[first:],
        which=filtered.which[first:],
    )
    rest, x, F = _smooth(later, tail)
    start = smooth_diffuse(filtered, batch, x, F)
    return Smoothed(*(np.concatenate(both) for both in zip(start, rest, strict=True)))


def _smooth_in_pieces(filtered):
    """`kalman_smoother` by the pieces of `filter_in_pieces`, None where ends go on to move."""
    if not filtered.pieces:
        return None
    batch, aligned, roots = filtered.pieces
    T, roots = len(filtered.which), roots[1:]
    x, F = np.zeros(roots.shape[:2]), np.tile(np.eye(roots.shape[2]), (len(roots), 1, 1))
    for _ in range(SWEEPS):
        smoothed, first, root_of_first = _smooth(batch, aligned, (x, F, roots))
        old_x, before = x, roots @ F
        x, F = first[1:], root_of_first[1:]
        D, moved = roots @ F, np.abs(x - old_x)
        if _settled(D @ D.mT, before @ before.mT) and (moved <= SETTLED * (1 + np.abs(x))).all():
            means, covariances, lag_one = (_joined(one, T) for one in smoothed)
            return Smoothed(means, covariances, lag_one[: T - 1])
    return None


def _smooth(batch, filtered, end=None):
    """`kalman_smoother` where all states have a prior, and mean and root of the first x.

    `end` has means (m, d) and roots of covariances (m, d, d) of the x after the last step, of m
    series that go on, one for each pattern, and the roots (m, d, d) of these states. Covariances
    with the next step are then there for the last step too.
    """
    (T, _, p), d = batch.Z.shape, filtered.roots.shape[-1]
    G, (n_series, n_patterns) = len(batch.counts), _alive(batch)
    means, _, white, roots, turns, which = filtered[:6]
    from_white, from_next, from_rest = turns[..., :p], turns[..., p : p + d], turns[..., p + d :]
    x, runs = apply_by_step(from_white, which, batch, white, n_series), runs_of(which)
    factors, roots_after = np.zeros((T + 1, G, d, d)), np.zeros((G, d, d))
    factors[:] = np.eye(d)  # after the end of a series
    if end is not None:
        m = len(end[0])
        gain = from_next[which[-1], :m]
        x[-1, :m] += (gain @ end[0][:, :, None])[:, :, 0]
        factors[0, :m], roots_after[:m] = end[1:]
    for start, stop in runs[::-1]:
        gain = from_next[which[start]]
        if stop < T:  # series that end here have nothing ahead
            series = slice(n_series[stop])
            x[stop - 1, series] += apply_by_pattern(gain, batch.pattern[series], x[stop, series])
        if start < stop - 1:
            series = slice(n_series[start])
            before = x[start : stop - 1, series][::-1]
            _accumulate(gain, batch.pattern[series], x[stop - 1, series], before)
    # Roots of covariances; steps of a run share those that stand still.
    array, lower, j = np.zeros((G, turns.shape[3] - p, d)), np.tri(d), 0
    places, of, next_of = np.zeros((3, T), dtype=int)
    following = np.append(which[1:], len(roots))
    for start, stop in runs[::-1]:
        k, patterns, t = which[start], slice(n_patterns[start]), stop - 1
        now = array[patterns]
        now[:, d:] = from_rest[k, patterns].mT
        ahead, L = from_next[k, patterns], roots[k, patterns]
        while t >= start:
            now[:, :d] = (ahead @ factors[j, patterns]).mT
            reflectors, _ = reflect(now)
            of[j], next_of[j], places[t] = k, following[t], j
            j += 1
            np.multiply(reflectors[:, :, :d], lower, out=factors[j, patterns])
            if (stop - t) % CHECKED == 0:
                D, before = L @ factors[j, patterns], L @ factors[j - 1, patterns]
                if _settled(D @ D.mT, before @ before.mT):
                    places[start:t] = j - 1
                    break
            t -= 1
    later = np.concatenate([roots, roots_after[None]])[next_of[:j]]
    L, before = roots[of[:j]], factors[:j]
    D, earlier = L @ factors[1 : j + 1], L @ (from_next[of[:j]] @ before)
    lag_one = later @ before @ earlier.mT
    means = means + apply_by_step(roots, which, batch, x, n_series)
    lag_one = lag_one[places if end else places[:-1]]
    return Smoothed(means, (D @ D.mT)[places], lag_one), x[0], factors[j]


def prolong_filtered(parameters, batch, moments):
    """Moments of `Filtered.moments` up to the steps that series were given with, by prediction."""
    means, covariances, predicted_means, predicted = moments
    longer = _prolong(parameters, batch, means, covariances)
    if longer is None:
        return moments
    past = [longer[0].copy(), longer[1].copy()]
    T = len(means)
    past[0][:T] = np.where(batch.alive[:, :, None], predicted_means, past[0][:T])
    past[1][:T] = np.where(batch.alive_patterns[:, :, None, None], predicted, past[1][:T])
    return [*longer, *past]


def prolong_smoothed(parameters, batch, smoothed):
    """Smoothed moments up to the steps that series were given with, by prediction."""
    means, covariances, lag_one = smoothed
    longer = _prolong(parameters, batch, means, covariances)
    if longer is None:
        return smoothed
    with np.errstate(invalid="ignore"):
        lags = parameters.A @ longer[1][:-1]
    lags[np.isnan(lags)] = np.inf
    lags[~(longer[1][1:] != 0).any(axis=(2, 3))] = 0.0
    inside = batch.alive_patterns[1:, :, None, None]
    lags[: len(lag_one)] = np.where(inside, lag_one, lags[: len(lag_one)])
    return Smoothed(longer[0], longer[1], lags)


def _prolong(parameters, batch, means, covariances):
    """Means and covariances predicted from the last observed step on; None if series end there."""
    T, lengths = int(batch.steps.max()), batch.lengths
    if (batch.steps == lengths).all():
        return None
    steps = np.zeros(len(batch.counts), dtype=int)
    np.maximum.at(steps, batch.pattern, batch.steps)
    pattern_lengths = batch.alive_patterns.sum(axis=0)
    longer = [np.zeros((T, *one.shape[1:])) for one in (means, covariances)]
    longer[0][: len(means)], longer[1][: len(means)] = means, covariances
    for t in range(lengths[batch.steps > lengths].min(), T):
        series = np.flatnonzero((lengths <= t) & (t < batch.steps))
        patterns = np.flatnonzero((pattern_lengths <= t) & (t < steps))
        longer[0][t, series] = longer[0][t - 1, series] @ parameters.A.T + parameters.a
        with np.errstate(invalid="ignore"):  # infinity times zero, of states without a prior
            moved = parameters.A @ longer[1][t - 1, patterns] @ parameters.A.T + parameters.Q
        longer[1][t, patterns] = symmetrize(np.where(np.isnan(moved), np.inf, moved))
    return longer


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


def _alive(batch: SeriesBatch) -> tuple[list[int], list[int]]:
    """For each step, how many series and how many patterns have it."""
    if batch.alive[-1].all():
        return [len(batch.order)] * len(batch.Z), [len(batch.counts)] * len(batch.Z)
    return batch.alive.sum(axis=1).tolist(), batch.alive_patterns.sum(axis=1).tolist()


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
