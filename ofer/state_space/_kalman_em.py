"""Expectation maximisation for a linear Gaussian state-space model, over many series."""

from collections.abc import Iterable, Mapping
from functools import reduce
from types import MappingProxyType
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ofer.state_space._kalman import (
    Filtered,
    Parameters,
    Smoothed,
    apply_by_step,
    filter_in_pieces,
    kalman_smoother,
    select_rows,
    symmetrize,
)
from ofer.utils.series import SeriesBatch, center

BATCH = 1024  # series times steps whose missing entries are expected at once

RELATIVE_FLOOR = 1e-9

COVARIANCES = "Q", "R", "Sigma0"

UNSEEN = 1e-10  # relative size of what observations see of a covariance that they do not see


class Floors(NamedTuple):
    """Lower bounds of the covariances: the covariance minus diag(floor) stays non-negative.

    A floor is `RELATIVE_FLOOR` times each coordinate's mean square, so units do not matter; where
    offsets are fitted, data come centred, so neither does their level. The bounds of an entry that
    is held are its value: `masks` says by field which ones are, if some are and others are not.
    """

    states: np.ndarray  # (d,)
    observations: np.ndarray  # (p,)
    diagonal: bool = False  # whether the covariance of observations is held diagonal, too
    masks: Mapping[str, NDArray] = MappingProxyType({})

    def clip(self, field: str, covariance: NDArray) -> NDArray:
        """Nearest covariance above the floor; what is held of it stays."""
        floor = self.observations if field == "R" else self.states
        if field not in self.masks:
            return clip(covariance, floor)
        at = self.free(field)
        clipped = covariance.copy()
        clipped[at] = clip(covariance[at], floor[at[0][:, 0]])
        return np.where(self.masks[field], covariance, clipped)

    def free(self, field: str) -> tuple:
        """Where the block of a covariance is that has no variance that is held."""
        variances = np.flatnonzero(~np.diagonal(self.masks[field]))
        return np.ix_(variances, variances)


class Products(NamedTuple):
    """Sums of products of pairs x, y, for the regression of y on x."""

    yy: np.ndarray
    yx: np.ndarray
    xx: np.ndarray
    y: np.ndarray
    x: np.ndarray
    n: int

    def plus(self, other: "Products") -> "Products":
        """Of both sets of pairs."""
        return Products(*map(np.add, self, other))


class StateSums(NamedTuple):
    """Sums over series for an M-step; those of batches of series add up, in any order."""

    moves: Products  # of m_t and m_{t-1}
    seen: Products  # of z_t and m_t
    n_series: int
    start: np.ndarray  # (d,), of the first states around an origin
    start_outer: np.ndarray  # (d, d)
    n_entries: int
    loglikelihood: float

    @property
    def first(self) -> Products:
        """Products of the first states, around the origin, as of a regression on nothing."""
        none = np.zeros((len(self.start), 0))
        return Products(self.start_outer, none, none[:0], self.start, none[0], self.n_series)

    def plus(self, other: "StateSums") -> "StateSums":
        """Of the series of both."""
        moves, seen = self.moves.plus(other.moves), self.seen.plus(other.seen)
        return StateSums(moves, seen, *map(np.add, self[2:], other[2:]))


def m_step(parameters, sums, floors, held):
    """The model that follows one with these sums, with the fields `held` of it (M-step)."""
    left = parameters._replace(b=np.zeros(len(parameters.C)))  # b is taken from the batches
    kept = {name: getattr(left, name) for name in held}
    following = maximize(sums, left.mu0, floors, kept, left)
    return following._replace(b=parameters.b + following.b)


def expect(parameters: Parameters, batches: Iterable[SeriesBatch]) -> StateSums:
    """Sums of all batches under the present model (E-step)."""
    return reduce(StateSums.plus, (_expect(parameters, batch) for batch in batches))


def _expect(parameters, batch):
    """Sums of a batch."""
    batch = batch.shifted(parameters.b)
    filtered = filter_in_pieces(parameters, batch)
    check_determined(batch, filtered)
    smoothed = kalman_smoother(parameters, batch, filtered)
    return collect(smoothed, batch, parameters.mu0, parameters, filtered.loglikelihoods.sum())


def check_determined(batch: SeriesBatch, filtered: Filtered) -> None:
    """Raise ValueError if a series never determines states that have no prior."""
    if filtered.n_flat.any():
        place = batch.order[filtered.n_flat[batch.pattern] > 0].min()
        raise ValueError(
            f"Z[{place}] must determine the states without a prior, those of infinite initial "
            f"variance; got {filtered.n_flat.max()} that it does not see."
        )


def collect(smoothed, batch, origin, parameters=None, loglikelihood=0.0):
    """Sums for the M-step of the moments of a batch's states, over all steps and series.

    Next states and observations stand there as residuals of the present parameters, so that of a
    small variance more is left than roundoff of large squares; without parameters, as they are. A
    step of which nothing is observed says nothing about observations and is left out there. The
    first states are taken around an origin (d,).
    """
    means, V, lag_one = smoothed
    counts, earlier, earlier_V = batch.counts, means[:-1], V[:-1]
    if not batch.complete:
        earlier = np.where(batch.alive[1:, :, None], earlier, 0.0)
        earlier_V = np.where(batch.alive_patterns[1:, :, None, None], earlier_V, 0.0)
    later, spread, cross, earlier_spread = (
        means[1:],
        *(_sum_patterns(one, counts) for one in (V[1:], lag_one, earlier_V)),
    )
    if parameters is not None:
        A = parameters.A
        later = later - earlier @ A.T
        if np.any(parameters.a):
            later -= parameters.a * batch.alive[1:, :, None]
        crossed = cross @ A.T
        spread = spread - crossed - crossed.T + A @ earlier_spread @ A.T
        cross = cross - A @ earlier_spread
    moves = _products(batch.alive[1:].sum(), later, earlier, spread, cross, earlier_spread)
    deviations = means[0] - origin
    start_outer = deviations.T @ deviations + _sum_patterns(V[:1], counts)
    seen, states = batch.observed.any(axis=2), means
    if not batch.complete:
        states = np.where(seen[:, batch.pattern, None], means, 0.0)
    residuals, n_seen = _expected_residuals(states, V, seen, batch, parameters), (seen * counts)
    looks = _products(n_seen.sum(), residuals[0], states, *residuals[1:])
    n_entries = (batch.observed.sum(axis=(0, 2)) * counts).sum()
    first = len(deviations), deviations.sum(axis=0), start_outer
    return StateSums(moves, looks, *first, n_entries, loglikelihood)


def maximize(sums, origin, floors, held, present=None):
    """Parameters that maximise the expected complete log-likelihood (M-step), given those held.

    A clipped covariance is the maximiser under the constraint of its floor, so the likelihood still
    cannot decrease. The same goes for covariances of which blocks are held, with zeros beside them.
    Offsets that are fitted are intercepts of the regressions; that of the
    observations comes on top of the one that the batches have lost. What is held, a dictionary
    by field, enters the regressions: a covariance is that of the residuals that it leaves. An
    initial mean that is held is the origin. The sums are those of residuals of the parameters
    `present`, if there are any.

    Where a part of a matrix is held, the rest of it is the maximiser given the present covariance,
    on which it then depends, and the covariance that given this rest.
    """
    bases = (0.0, 0.0, 0.0, 0.0)
    if present is not None:
        bases = present.A, present.a, present.C, 0.0
    masks = floors.masks
    if masks.keys() & {"A", "a"}:
        stay = which_stay(present, masks, held, "A", "a")
        A, a, Q = _regress_in_part(sums.moves, present.A, present.a, stay, present.Q)
    else:
        A, a, Q = _regress(sums.moves, *bases[:2], held.get("A"), held.get("a"))
    if "mu0" in masks:
        stay, none = masks["mu0"][:, None], np.zeros((len(origin), 0))
        _, mu0, Sigma0 = _regress_in_part(sums.first, none, origin, stay, present.Sigma0)
    else:
        shift = sums.start / sums.n_series * ("mu0" not in held)
        mu0, Sigma0 = origin + shift, sums.start_outer / sums.n_series - np.outer(shift, shift)
    if masks.keys() & {"C", "b"}:
        stay = which_stay(present, masks, held, "C", "b")
        C, b, R = _regress_in_part(sums.seen, present.C, 0.0, stay, present.R)
    else:
        C, b, R = _regress(sums.seen, *bases[2:], held.get("C"), held.get("b"))
    R = np.diag(np.diagonal(R)) if floors.diagonal else R  # the maximiser among diagonal ones
    raw = {"Q": Q, "R": R, "Sigma0": Sigma0}
    for name in masks.keys() & raw:
        raw[name] = np.where(masks[name], getattr(present, name), raw[name])
    clipped = {name: floors.clip(name, one) for name, one in raw.items()}
    return Parameters(A=A, C=C, mu0=mu0, a=a, b=b, **clipped)._replace(**held)


def which_stay(present, masks, held, *names):
    """Which entries of fields, columns side by side, stay: of a matrix and of its offset."""
    columns = [
        np.broadcast_to(masks.get(name, name in held), np.shape(getattr(present, name)))
        for name in names
    ]
    return np.column_stack(columns)


def initial_parameters(batches, n_states, fit_offset=False, still=1.0):
    """Parameters at which EM starts, by a deterministic rule.

    The states are the first `n_states` principal components (uncentred, mean square one) of the
    observations, in units of each column's root mean square, joined with as many earlier ones as
    make at least `n_states` that are not zero; missing entries are at their mean. The parameters
    are those fitted to these states, except that half of the transition covariance is put down
    to observation noise: principal components are noisy, and EM leaves a start without noise
    very slowly. Returns the parameters, and the floors of the covariances for the iterations; the
    squares `still` (p,) are for columns that are zero in the batches.
    """
    n_seen = sum(batch.n_seen for batch in batches)
    means = sum(batch.Z.sum(axis=(0, 1)) for batch in batches) / np.maximum(n_seen, 1)
    complete = [_filled(batch, means) for batch in batches]
    squares = sum(np.square(batch.Z).sum(axis=(0, 1)) for batch in complete)
    n_lags = -(-n_states // max(int(np.count_nonzero(squares)), 1))
    rows = [_lagged(batch, scale_of(squares), n_lags) for batch in complete]
    gram = sum(one.T @ one for one in rows)
    values, vectors = np.linalg.eigh(gram / sum(len(one) for one in rows))
    values, vectors = values[::-1][:n_states], vectors[:, ::-1][:, :n_states]
    sizes = np.abs(vectors)  # the last of the largest entries is positive, whatever roundoff says
    largest = (sizes >= (1 - 1e-8) * sizes.max(axis=0))[::-1].argmax(axis=0)
    signs = np.sign(vectors[len(vectors) - 1 - largest, np.arange(n_states)])
    scales = np.zeros(n_states)
    informative = values > 1e-12 * values[0]
    scales[informative] = signs[informative] / np.sqrt(values[informative])
    states = [np.zeros((*batch.alive.shape, n_states)) for batch in batches]
    for state, batch, some in zip(states, batches, rows, strict=True):
        state[batch.alive] = some @ (vectors * scales)

    smoothed, floors = observed_states(states, complete, still)
    held = {"a": np.zeros(n_states)} | ({} if fit_offset else {"b": np.zeros(len(means))})
    start = _fit_to_means(smoothed, complete, floors, held)
    half = 0.5 * start.Q
    R = symmetrize(start.R + start.C @ half @ start.C.T)
    return start._replace(Q=floors.clip("Q", half), R=R), floors


def _filled(batch, means):
    """A batch without missing entries, which are at these means."""
    if batch.complete:
        return batch
    filled = np.where(batch.observed[:, batch.pattern], batch.Z, means)
    everywhere = np.broadcast_to(batch.alive_patterns[:, :, None], batch.observed.shape)
    return batch._replace(Z=filled * batch.alive[:, :, None], observed=everywhere)


def _lagged(batch, scale, n_lags):
    """For each step of a series the scaled entries, beside those of the steps before it."""
    scaled = batch.Z / scale
    if n_lags == 1 and batch.complete:
        return scaled.reshape(-1, scaled.shape[2])
    lags = [np.zeros_like(scaled) for _ in range(n_lags)]
    for k, lagged in enumerate(lags[: len(scaled)]):
        lagged[k:] = scaled[: len(scaled) - k]
    return np.concatenate(lags, axis=2)[batch.alive]


def given_parameters(batches, start, held, still, masks):
    """A start that a user gives, and the floors in the scale of the states that it sees.

    The squares `still` (p,) are for columns that are zero in the batches. What is not held, as a
    whole or by `masks`, is clipped, as all that follows it, so that EM does not begin with a loss.
    """
    means = []
    for batch in batches:
        shifted = batch.shifted(start.b)
        filtered = filter_in_pieces(start, shifted)
        means.append(kalman_smoother(start, shifted, filtered).means)
    spreads = np.diagonal(start.Q) + _finite(np.diagonal(start.Sigma0))
    _, floors = observed_states(means, batches, still, spreads)
    floors = floors._replace(masks=masks)
    free = {name: floors.clip(name, getattr(start, name)) for name in {*COVARIANCES} - held}
    return start._replace(**free), floors


def fit_to_states(batches, paths, start, held, still, diagonal=False):
    """Parameters for given states, batches of paths: an M-step without uncertainty.

    The fields `held` are as at the start; without one, they are offsets, which are zero. The
    squares `still` (p,) are for columns that are zero throughout; `diagonal` is as in `Floors`.
    Returns the parameters with a list of the total log-likelihood, as other fits have one
    of each iteration.
    """
    zeros = {"a": np.zeros(paths[0].Z.shape[2]), "b": np.zeros(batches[0].Z.shape[2])}
    values = zeros if start is None else start._asdict()
    middle = center(paths) * (not held)
    shifted = [one.shifted(middle).Z for one in paths]
    smoothed, floors = observed_states(shifted, batches, still, np.square(middle))
    floors = floors._replace(diagonal=diagonal)
    fitted = _fit_to_means(smoothed, batches, floors, {name: values[name] for name in held})
    value = sum(
        filter_in_pieces(fitted, batch.shifted(fitted.b)).loglikelihoods.sum() for batch in batches
    )
    moved = fitted._replace(
        mu0=fitted.mu0 + middle,
        a=fitted.a + middle - fitted.A @ middle,
        b=fitted.b - fitted.C @ middle,
    )
    return moved, [value]


def count_parameters(parameters, held, masks, diagonal=False):
    r"""Dimension of the set of models that a fit has looked at.

    That is, the entries of all that is not held, as a whole or by masks, of symmetric ones those of
    a triangle; less, where states are hidden, the dimension of the changes that no series can tell
    and that leave unchanged what is held, to first order. They are changes of basis
    :math:`m \mapsto G m + c`, and those by a symmetric X, of :math:`\Sigma_0` and all later
    covariances of states, that no later observation sees: :math:`A X C^\top = 0`. The covariance R
    takes up what the present one sees of X. Where states are given the masks are None.
    """
    n_free = 0
    for name, value in parameters._asdict().items():
        free = ~np.broadcast_to((masks or {}).get(name, name in held), value.shape)
        if name == "R" and diagonal:
            free = np.diagonal(free)
        n_free += int(np.tril(free).sum() if name in COVARIANCES and free.ndim > 1 else free.sum())
    if masks is None:
        return n_free
    units = units_of(parameters)  # else they decide on rank
    A, Q, C, _, mu0, Sigma0, a, _ = (
        one / unit for one, unit in zip(parameters, units, strict=True)
    )
    known = np.diag(~np.isinf(np.diagonal(Sigma0))) * 1.0  # a flat prior is so in any basis
    Sigma0 = np.where(np.isinf(Sigma0), 0.0, Sigma0)
    d = len(A)
    X = _unseen(A, C)
    each = np.eye(d * d + d)
    each = np.vstack([each, np.zeros((len(X), d * d + d))])
    X = np.concatenate([np.zeros((d * d + d, d, d)), X])
    G, c = each[:, : d * d].reshape(-1, d, d), each[:, d * d :]
    seen = C @ X @ C.T
    # Signs of whole blocks have no part in a rank. Of a flat prior only what is known moves.
    moves = {
        "A": G @ A - A @ G,
        "Q": G @ Q + (G @ Q).mT + X - A @ X @ A.T,
        "C": C @ G,
        "R": seen * (np.abs(seen) > UNSEEN),
        "mu0": (G @ mu0 + c) @ known,
        "Sigma0": known @ (G @ (Sigma0 + np.eye(d) - known) + (G @ Sigma0).mT + X @ known),
        "a": G @ a + c - c @ A.T,
        "b": c @ C.T,
    }
    masks = masks | ({"R": ~np.eye(len(C), dtype=bool)} if diagonal and "R" not in held else {})
    stay = {name: np.asarray(masks.get(name, name in held)) for name in moves}
    still = [moves[name][:, np.broadcast_to(stay[name], moves[name].shape[1:])] for name in moves]
    every = [one.reshape(len(each), -1) for one in moves.values()]
    return n_free - (_rank(every) - _rank(still))


def _rank(blocks):
    """Rank of matrices side by side, whatever their units."""
    scaled = [one / scale_of(np.square(one).max(initial=0.0)) for one in blocks]
    return int(np.linalg.matrix_rank(np.hstack(scaled)))


def _unseen(A, C):
    """A basis of the symmetric X (k, d, d) with A X C' = 0."""
    d = len(A)
    i, j = np.tril_indices(d)
    triangles = np.zeros((len(i), d, d))
    triangles[np.arange(len(i)), i, j] = triangles[np.arange(len(i)), j, i] = 1.0
    seen = (A @ triangles @ C.T).reshape(len(i), -1)
    left, sizes, _ = np.linalg.svd(seen)
    rank = np.count_nonzero(sizes > UNSEEN * sizes.max(initial=0.0))
    return np.tensordot(left[:, rank:].T, triangles, axes=1)


def _fit_to_means(smoothed, batches, floors, held):
    """M-step of complete series, around the mean of the first states."""
    firsts = [one.means[0] for one in smoothed]
    mean = sum(one.sum(axis=0) for one in firsts) / sum(map(len, firsts))
    origin = held.get("mu0", mean)
    sums = (collect(one, batch, origin) for one, batch in zip(smoothed, batches, strict=True))
    return maximize(reduce(StateSums.plus, sums), origin, floors, held)


def observed_states(
    states: list[NDArray],
    batches: list[SeriesBatch],
    still: NDArray | float,
    still_states: NDArray | float = 1.0,
) -> tuple[list[Smoothed], Floors]:
    """Moments of states that are known, with covariances zero, and floors in their scale.

    The states (T, n, d) are in the order of each batch, and zero after a series' end. `still` (p,)
    and `still_states` (d,) take the place of mean squares that are zero.
    """
    known = []
    for state, batch in zip(states, batches, strict=True):
        zeros = np.zeros((len(state), len(batch.counts), *state.shape[2:] * 2))
        known.append(Smoothed(state, zeros, zeros[1:]))
    squares = sum(np.square(one).sum(axis=(0, 1)) for one in states)
    squares = squares / sum(batch.alive.sum() for batch in batches)
    return known, Floors(floor_of(squares, still_states), floor_of(mean_squares(batches), still))


def mean_squares(batches):
    """Mean squares of the columns of series, zero only if they are zero in all batches, (p,)."""
    squares = n_observed = 0.0
    for batch in batches:
        squares = squares + np.square(batch.Z).sum(axis=(0, 1))
        n_observed = n_observed + (batch.observed.sum(axis=0) * batch.counts[:, None]).sum(axis=0)
        if squares.all():
            break
    return squares / np.maximum(n_observed, 1)


def floor_of(mean_squares: NDArray, still: NDArray | float) -> NDArray:
    """Floor of each coordinate; of one that is zero throughout, by the squares `still`."""
    return RELATIVE_FLOOR * scale_of(np.where(mean_squares > 0, mean_squares, still)) ** 2


def units_of(now):
    """Units of parameters: standard deviations of the noise of states and of observations."""
    x = np.sqrt(np.diagonal(now.Q) + _finite(np.diagonal(now.Sigma0)))
    z = np.sqrt(np.diagonal(now.R))
    x, z = (np.where(one > 0, one, 1.0) for one in (x, z))
    xx = np.outer(x, x)
    return Parameters(xx / np.square(x), xx, np.outer(z, 1 / x), np.outer(z, z), x, xx, x, z)


def _finite(variances: NDArray) -> NDArray:
    """Variances, zero where they are infinite."""
    return np.where(np.isinf(variances), 0.0, variances)


def scale_of(squares: NDArray) -> NDArray:
    """Root of each coordinate's squares; one for a coordinate that is zero throughout."""
    return np.sqrt(np.where(squares > 0, squares, 1.0))


def clip(covariance: NDArray, floor: NDArray) -> NDArray:
    """Nearest covariance, in the floor's scale, with no eigenvalue under one."""
    scale = np.sqrt(np.outer(floor, floor))
    values, vectors = np.linalg.eigh(symmetrize(covariance) / scale)
    if values[0] >= 1.0:
        return symmetrize(covariance)
    return symmetrize((vectors * np.maximum(values, 1.0)) @ vectors.T * scale)


def _products(n: int, Y: NDArray, X: NDArray, yy: NDArray, yx: NDArray, xx: NDArray) -> Products:
    """Sums over n pairs with these means, zero elsewhere, and these sums of covariances."""
    y, x = Y.reshape(-1, Y.shape[-1]), X.reshape(-1, X.shape[-1])
    ones = np.ones(len(y))  # products with them are quicker than sums along short rows
    return Products(y.T @ y + yy, y.T @ x + yx, x.T @ x + xx, ones @ y, ones @ x, n)


def _sum_patterns(matrices: NDArray, counts: NDArray) -> NDArray:
    """Sum of a matrix over all steps and series, given by pattern."""
    total = matrices.sum(axis=0)
    return (counts.astype(float) @ total.reshape(len(counts), -1)).reshape(total.shape[1:])


def _regress(products, B0, b0, B=None, b=None):
    """Least squares of y = B x + b, in those of B and b that are not given.

    The products are those of y - B0 x - b0. Returns B, b and the mean of
    (y - B x - b)(y - B x - b)'.
    """
    total, cross, gram, sum_y, sum_x, n_steps = products
    change = None if b is None else b - b0
    if change is None:  # that is, about the means
        total = total - np.outer(sum_y, sum_y / n_steps)
        cross = cross - np.outer(sum_y, sum_x / n_steps)
        gram = gram - np.outer(sum_x, sum_x / n_steps)
    else:
        total = total - np.outer(sum_y, change) - np.outer(change, sum_y)
        total = total + n_steps * np.outer(change, change)
        cross = cross - np.outer(change, sum_x)
    if B is None:
        scale = scale_of(np.diagonal(gram))  # else units would decide what counts as rank
        solution = np.linalg.lstsq(gram / np.outer(scale, scale), (cross / scale).T, rcond=None)[0]
        move = solution.T / scale
    else:
        move = B - B0
    product = cross @ move.T
    change = (sum_y - move @ sum_x) / n_steps if b is None else change
    return (B0 + move, b0 + change, (total - product - product.T + move @ gram @ move.T) / n_steps)


def _regress_in_part(products, B0, b0, stay, covariance):
    """As `_regress`, but entries of (B, b) stay where the mask says so; given a covariance.

    That is of what the regression leaves, and weighs the rows.
    """
    total, cross, gram, sum_y, sum_x, n_steps = products
    cross = np.column_stack([cross, sum_y])
    gram = np.block([[gram, sum_x[:, None]], [sum_x, np.full(1, n_steps)]])
    free = ~stay
    move = np.zeros(free.shape)
    if np.array_equal(covariance, np.diag(np.diagonal(covariance))):
        for row, its, some in zip(move, cross, free, strict=True):  # which do not touch each other
            row[some] = _solve(gram[np.ix_(some, some)], its[some])
    else:
        weights = precision(covariance)
        i, j = np.nonzero(free)
        move[free] = _solve(weights[np.ix_(i, i)] * gram[np.ix_(j, j)], (weights @ cross)[free])
    product = cross @ move.T
    return (
        B0 + move[:, :-1],
        b0 + move[:, -1],
        (total - product - product.T + move @ gram @ move.T) / n_steps,
    )


def precision(covariance: NDArray) -> NDArray:
    """Inverse of a covariance, zero where it is singular; units do not decide on that."""
    unit = scale_of(np.diagonal(covariance))
    return np.linalg.pinv(covariance / np.outer(unit, unit), hermitian=True) / np.outer(unit, unit)


def _solve(gram, right):
    """Least squares by normal equations, in which units do not decide on rank."""
    scale = scale_of(np.diagonal(gram))
    return np.linalg.lstsq(gram / np.outer(scale, scale), right / scale, rcond=None)[0] / scale


def _expected_residuals(states, V, seen, batch, parameters):
    """Expected residuals of observations, zero where nothing is seen, and sums of covariances.

    Those are of the residuals, of them with the states, and of the states. Given the state and the
    observed entries, the noise of all entries has mean B (z - C m), where B regresses it on that
    of the observed ones, and covariance R - B R. Without parameters C is zero.
    """
    _, n, p = batch.Z.shape
    if parameters is None:
        nothing = np.zeros((p, states.shape[2]))
        return batch.Z, np.zeros((p, p)), nothing, _sum_patterns(V, batch.counts)
    C, R = parameters.C, parameters.R
    residuals, full = batch.Z - states @ C.T, V
    complete = batch.observed.all(axis=2)
    if not batch.complete:
        residuals = np.where(batch.observed[:, batch.pattern], residuals, 0.0)
        V = np.where(seen[:, :, None, None], V, 0.0)
        full = np.where(complete[:, :, None, None], V, 0.0)
    full = _sum_patterns(full, batch.counts)
    cross, spread, total = -C @ full, C @ full @ C.T, _sum_patterns(V, batch.counts)
    partly = seen & ~complete
    steps = np.flatnonzero(partly.any(axis=1))
    size = max(BATCH // n, 1)
    for t in (steps[k : k + size] for k in range(0, len(steps), size)):
        kept = select_rows(C, R, batch.observed[t])[1]
        covariance = batch.observed[t, :, :, None] * R
        try:
            B = np.linalg.solve(kept, covariance).mT
        except np.linalg.LinAlgError:  # an R that is held may be singular
            B = (np.linalg.pinv(kept, hermitian=True) @ covariance).mT
        mask = partly[t][:, :, None, None]
        BC = B @ C * mask
        BCV = BC @ V[t]
        cross -= _sum_patterns(BCV, batch.counts)
        spread += _sum_patterns(BCV @ BC.mT + (R - B @ R) * mask, batch.counts)
        residuals[t] = apply_by_step(B, np.arange(len(t)), batch, residuals[t], [n] * len(t))
    return residuals, spread, cross, total
