"""Where EM of a state-space model starts: several guesses of the dynamics, and a race of them."""

from contextlib import suppress
from math import comb
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ofer.state_space._kalman import Parameters
from ofer.state_space._kalman_em import (
    RELATIVE_FLOOR,
    Floors,
    clip,
    floor_of,
    initial_parameters,
    mean_squares,
    scale_of,
)
from ofer.state_space._path import Path

ROUNDS = (15, 3), (40, 2), (100, 1)  # iterations, and how many paths are left after them
CLEAR = 0.05  # nats between paths that end apart, not at one maximum up to roundoff
TREND = 1  # its place among `possible_starts`
LONG = 500  # steps
OF_A_TREND = 40  # iterations at most with the transitions of a trend
MUCH_LOWER = 1e-2  # floors of a model, relative to those of a start
FARTHEST = 1e3  # level of an autoregression, in sizes of its states; a farther one is a drift


class Gapless(NamedTuple):
    """A batch of series whose gaps are filled, in units of the columns."""

    Z: NDArray  # (T, n, p)
    alive: NDArray  # (T, n)

    def rows(self, values: NDArray, lag: int = 0) -> NDArray:
        """Of values (..., n, p) for the last steps, those with `lag` steps before them."""
        alive = self.alive[lag:]
        return values[len(values) - len(alive) :][alive]


def possible_starts(batches, n_states, fit_offset, still):
    """Starts of EM, pairs of parameters and floors, the one of `initial_parameters` first.

    The others are a trend and an autoregression. They depend neither on the units of columns nor,
    where offsets are fitted, on their level.
    """
    yield initial_parameters(batches, n_states, fit_offset, still)
    bounds = floor_of(mean_squares(batches), still)
    series = [Gapless(filled_between(batch), batch.alive) for batch in batches]
    scale = scale_of(_mean_square([one.rows(one.Z) for one in series]))
    series = [one._replace(Z=one.Z / scale) for one in series]
    if not any(one.Z.any() for one in series):
        return
    for start, squares in (
        _trend(series, n_states),
        _autoregression(series, n_states, fit_offset),
    ):
        floors = Floors(floor_of(squares, 1.0), bounds)
        fitted = start._replace(
            Q=clip(start.Q, floors.states),
            C=scale[:, None] * start.C,
            R=clip(np.outer(scale, scale) * start.R, bounds),
            Sigma0=clip(start.Sigma0, floors.states),
            b=scale * start.b,
        )
        yield fitted, floors


def race(paths):
    """The path that is best after some iterations.

    Each takes some iterations, and the better ones go on. As a likelihood never falls, the best one
    is above all starts. Of those that arrive at the same maximum the first is taken, whatever
    roundoff says. A path on which there is no likelihood is out.
    """
    going = [*paths]
    for n_iter, n_left in ROUNDS if len(going) > 1 else ():
        values = {path: _value(path, n_iter) for path in going}
        top = max(values.values(), default=-np.inf)
        going = [path for path in going if np.isfinite(values[path])]
        going = sorted(going, key=lambda path: (top - values[path]) // CLEAR)[:n_left]
    return going[0] if going else None


def from_a_trend(path):
    """A path from where another one, from the start of a trend, leads while it remains one.

    It ends above the trends near that start, which the other one may leave for something worse.
    None where there is no such trend, and for long series: its covariances seldom settle, so an
    iteration takes a turn for each step, ten times as long as all the rest of a fit.
    """
    held = path.holding("A")
    is_long = max(len(batch.Z) for batch in path.batches()) > LONG
    if is_long or not np.isfinite(_value(held, OF_A_TREND)):
        return None
    start = held.reach(OF_A_TREND).parameters
    return Path(path.batches, start, path.floors, path.max_iter, path.tol, path.held)


def follow(path, refloor):
    """What a path from a given start ends with, as `Path.end` has it.

    A start far from the series sees states of another size than the end does, and floors that are
    too high for them. So the path goes on from its end while the floors that `refloor` has for it
    are much lower. A floor never rises, since what is there need not be above a higher one.
    """
    max_iter = path.max_iter
    parameters, history, complaint = path.end()
    while complaint is None:
        states = np.minimum(path.floors.states, refloor(parameters).states)
        if not (states < MUCH_LOWER * path.floors.states).any():
            break
        floors, n_left = path.floors._replace(states=states), max_iter - len(history) + 1
        path = Path(path.batches, parameters, floors, n_left, path.tol, path.held)
        parameters, further, complaint = path.end()
        history = [*history, *further[1:]]
    return parameters, history, complaint


def _value(path, n_iter):
    """Log-likelihood after some iterations, or minus infinity without one."""
    with suppress(ValueError, np.linalg.LinAlgError), np.errstate(all="ignore"):
        return path.reach(n_iter).sums.loglikelihood
    return -np.inf


def filled_between(batch):
    """Observations (T, n, p), linear between those that are seen and constant outside of them."""
    if batch.complete:
        return batch.Z
    seen = batch.observed[:, batch.pattern]
    T = len(seen)
    t = np.arange(T)[:, None, None]
    before = np.maximum.accumulate(np.where(seen, t, -1))
    after = np.minimum.accumulate(np.where(seen, t, T)[::-1])[::-1]
    first = np.where(before >= 0, before, np.where(after < T, after, 0))
    last = np.where(after < T, after, first)
    low, high = (np.take_along_axis(batch.Z, at, axis=0) for at in (first, last))
    return low + (t - first) / np.maximum(last - first, 1) * (high - low)


def _trend(series, d):
    """A start, and the mean squares of its states: levels, their slopes, and so on.

    The levels are principal components of the series, and what the highest differences do not know
    of the next step is noise of all states and of the observations, in equal shares.
    """
    rows = np.concatenate([one.rows(one.Z) for one in series])
    sizes, axes = _principal(rows, d)
    r = len(sizes)
    levels = [one.Z @ axes for one in series]
    orders = -(-(d - np.arange(r)) // r)  # states of each component
    squares, variances, firsts = (
        np.zeros(d),
        np.zeros(r),
        [np.zeros((x.shape[1], d)) for x in levels],
    )
    for k in range(orders[0] + 1):
        moves = [np.diff(x, n=k, axis=0) for x in levels]
        square = _mean_square([one.rows(x, k) for one, x in zip(series, moves, strict=True)])
        square = np.maximum(square, RELATIVE_FLOOR * sizes)
        variances[orders == k] = square[orders == k]
        columns = slice(k * r, min((k + 1) * r, d))
        width = max(columns.stop - columns.start, 0)
        if not width:
            break
        squares[columns] = square[:width]
        for first, batch, x in zip(firsts, series, moves, strict=True):
            if len(x):
                first[:, columns] = x[0, :, :width] * batch.alive[k, :, None]
    order, component = np.divmod(np.arange(d), r)
    shares = variances / (orders + 1)
    noise = [comb(2 * m, m) for m in orders[component] - 1 - order]
    Q = shares[component] / noise
    seen = shares / [comb(2 * m, m) for m in orders]
    rest = rows - rows @ axes @ axes.T
    first = np.concatenate(firsts)
    return Parameters(
        A=np.eye(d) + np.eye(d, k=r),
        Q=np.diag(Q),
        C=np.hstack([axes, np.zeros((len(axes), d - r))]),
        R=axes * seen @ axes.T + rest.T @ rest / len(rows),
        mu0=first.mean(axis=0),
        Sigma0=_covariance(first) + np.diag(Q),
        a=np.zeros(d),
        b=np.zeros(len(axes)),
    ), squares


def _autoregression(series, d, fit_offset):
    """A start, and the mean squares of its states; half of what it leaves is noise of observations.

    The states are principal components of steps beside those before them, as many as d needs. What
    is before a series lies on the line through its first two steps. The level is that of the
    regression's intercept, if offsets are fitted.
    """
    n_columns = np.count_nonzero(np.any([one.Z.any(axis=(0, 1)) for one in series], axis=0))
    n_lags = -(-d // n_columns)
    joined = [Gapless(_beside_earlier(one, n_lags), one.alive) for one in series]
    skipped = n_lags - 1  # steps whose lags are guesses
    if sum(one.alive[skipped + 1 :].sum() for one in series) <= d:
        skipped = 0
    sizes, axes = _principal(np.concatenate([one.rows(one.Z, skipped) for one in joined]), d)
    basis = np.hstack([axes / np.sqrt(sizes), np.zeros((len(axes), d - len(sizes)))])
    states = [Gapless(one.Z @ basis, one.alive) for one in joined]
    before, after = (
        np.concatenate([one.rows(one.Z[:stop], skipped + 1) for one in states])
        for stop in (-1, None)
    )
    level = np.zeros(d)
    if fit_offset:
        ones = np.ones((len(before), 1))
        *A, drift = np.linalg.lstsq(np.hstack([before, ones]), after, rcond=None)[0]
        far = np.linalg.lstsq(np.eye(d) - np.transpose(A), drift, rcond=None)[0]
        level = far if np.abs(far).max() < FARTHEST else level
    A = np.linalg.lstsq(before - level, after - level, rcond=None)[0].T
    moves = after - level - (before - level) @ A.T
    half = 0.5 * moves.T @ moves / len(moves)
    m, z = (np.concatenate([one.rows(one.Z) for one in some]) for some in (states, series))
    C = np.linalg.lstsq(m, z, rcond=None)[0].T
    rest = z - m @ C.T
    first = np.concatenate([one.Z[0] for one in states]) - level
    start = Parameters(
        A=A,
        Q=half,
        C=C,
        R=rest.T @ rest / len(rest) + C @ half @ C.T,
        mu0=first.mean(axis=0),
        Sigma0=_covariance(first) + half,
        a=np.zeros(d),
        b=C @ level,
    )
    return start, _mean_square([m])


def _beside_earlier(batch, n_lags):
    """Observations beside the earlier ones, (T, n, n_lags p)."""
    Z = batch.Z
    slope = (Z[1] - Z[0]) * batch.alive[1, :, None] if len(Z) > 1 else 0.0 * Z[0]
    earlier = [Z[0] - k * slope for k in range(n_lags - 1, 0, -1)]
    longer = np.concatenate([np.reshape(earlier, (-1, *Z.shape[1:])), Z])
    lags = [longer[n_lags - 1 - k :][: len(Z)] for k in range(n_lags)]
    return np.concatenate(lags, axis=2)


def _principal(rows, d):
    """Mean squares and directions of the first principal components, at most d."""
    sizes, axes = np.linalg.eigh(rows.T @ rows / len(rows))
    some = np.arange(len(sizes))[::-1][:d]
    some = some[sizes[some] > 1e-12 * sizes[-1]]
    return sizes[some], axes[:, some]


def _mean_square(rows):
    """Mean square of each column; zero of no rows."""
    total = sum(np.square(one).sum(axis=0) for one in rows)
    return total / max(sum(map(len, rows)), 1)


def _covariance(rows):
    """Covariance of rows, around their mean."""
    centred = rows - rows.mean(axis=0)
    return centred.T @ centred / len(rows)
