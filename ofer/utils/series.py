"""Sets of time series of unequal lengths with missing entries, packed for batched recursions."""

from collections.abc import Iterable, Iterator
from contextlib import suppress
from functools import reduce
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ofer.utils.entries import check_numbers, check_unmasked
from ofer.utils.typing import ListLike
from ofer.utils.validation import check_even, check_range, listed, reveal

STEP = 200  # rows of a batch that take as long as one more step; see `pack_groups`
SIZES = 1e-75, 1e75  # products of four such numbers are in the range of floating-point numbers


def check_series(name, Z, n_columns=None, *, min_steps=1, allow_missing=True, limit=1e140):
    """Check a set of series and return it as a list of float arrays (T_i, p).

    Z is an array (n, T, p) or a list of arrays (T_i, p) of at least `min_steps` steps; NaN, or the
    mask of a masked array, marks a missing entry where `allow_missing`, and nothing is above
    `limit` in absolute value. None for `n_columns` requires the p of the first series.
    Errors call Z `name`, and say which series is wrong, and at which time where there is one.
    """
    if not allow_missing:
        check_unmasked(name, Z)
    Z = listed(Z)
    if isinstance(Z, np.ndarray) and Z.ndim != 3:
        raise ValueError(
            f"{name} must have shape (n, T, p) or be a list of arrays (T_i, p); "
            f"got shape {Z.shape}."
        )
    if not isinstance(Z, np.ndarray | list | tuple):
        raise TypeError(f"{name} must be a 3-D array or a list of 2-D arrays; got {type(Z)!r}.")
    if len(Z) == 0:
        raise ValueError(f"{name} must hold at least one series; got none.")
    if isinstance(Z, np.ndarray) and Z.dtype == np.float64 and Z.size and not np.ma.isMA(Z):
        # At once; what is wrong with an array is found below, one series after the other.
        with np.errstate(invalid="ignore"):
            good = (np.abs(Z) <= limit) | (np.isnan(Z) & allow_missing)
        if good.all() and Z.shape[1] >= min_steps and n_columns in (None, Z.shape[2]):
            return list(Z.copy())
    checked = []
    for i, series in enumerate(Z):
        series = reveal(series)
        check_even(item := f"{name}[{i}]", series)
        series = np.asarray(series)
        if series.dtype == object:
            check_numbers(item, series)
            with suppress(TypeError, ValueError):  # of what is no number
                series = series.astype(np.float64)
        if series.ndim != 2 or series.dtype.kind not in "biuf":
            raise ValueError(
                f"{item} must be a 2-D array (steps, columns) of real numbers; "
                f"got shape {series.shape} of {series.dtype}."
            )
        if n_columns is None:
            n_columns = series.shape[1]
        if n_columns == 0:
            raise ValueError(f"{item} must have a column; got shape {series.shape}.")
        if series.shape[1] != n_columns:
            raise ValueError(f"{item} must have {n_columns} columns; got shape {series.shape}.")
        if len(series) < min_steps:
            raise ValueError(f"{item} must have at least {min_steps} steps; got {len(series)}.")
        series = series.astype(np.float64)
        bad = np.isinf(series) if allow_missing else ~np.isfinite(series)
        if bad.any():
            t, j = np.argwhere(bad)[0]
            rule = "finite, or NaN where missing" if allow_missing else "finite"
            raise ValueError(f"{item} must be {rule}; got {series[t, j]} at time {t}, column {j}.")
        check_range(item, series, limit)
        checked.append(series)
    return checked


class SeriesBatch(NamedTuple):
    """Series in order of decreasing length, and which of them share a pattern.

    A series ends at its last observed entry, after one step at least. A pattern is a length
    together with the places of the missing entries. Series of one pattern share all covariances of
    a Kalman recursion. Longer ones come first, for series and for patterns, so those alive at a
    step are a prefix and nothing is computed for padding.
    """

    Z: np.ndarray  # (T, n, p), time first; zero where missing and after the end
    observed: np.ndarray  # (T, G, p), by pattern
    pattern: np.ndarray  # (n,), index of each series' pattern
    counts: np.ndarray  # (G,), series of each pattern
    order: np.ndarray  # (n,), the series' places in the input
    alive: np.ndarray  # (T, n), whether a series has a step
    alive_patterns: np.ndarray  # (T, G)
    steps: np.ndarray  # (n,), steps that were given, with the missing ones at the end

    @property
    def lengths(self) -> NDArray:
        """Length of each series."""
        return self.alive.sum(axis=0)

    @property
    def n_seen(self) -> NDArray:
        """Number of observed entries of each column (p,)."""
        return self.counts @ self.observed.sum(axis=0)

    @property
    def complete(self) -> bool:
        """Whether all entries of all series are observed, up to one length."""
        return bool(self.observed.all())

    def shifted(self, offset: NDArray) -> "SeriesBatch":
        """Batch with an offset (p,) taken from all that is observed."""
        if self.complete:
            return self._replace(Z=self.Z - offset)
        return self._replace(Z=np.where(self.observed[:, self.pattern], self.Z - offset, 0.0))


def center(batches: list[SeriesBatch]) -> NDArray:
    """Mean of what is observed of each column (p,); of a constant column, exactly that."""
    lowest = np.min([_lowest(batch) for batch in batches], axis=0)
    total = sum(batch.shifted(lowest).Z.sum(axis=(0, 1)) for batch in batches)
    return lowest + total / sum(batch.n_seen for batch in batches)


def _lowest(batch: SeriesBatch) -> NDArray:
    """The least of what is observed of each column."""
    if batch.complete:
        return batch.Z.reshape(-1, batch.Z.shape[2]).min(axis=0)
    seen = batch.observed[:, batch.pattern]
    return batch.Z.min(axis=(0, 1), where=seen, initial=np.inf)


def places_of(batches: list[SeriesBatch]) -> NDArray:
    """Where the series of the input are, in one batch after the other."""
    return np.argsort(np.concatenate([batch.order for batch in batches]))


def pack_groups(series: list[NDArray], rows: NDArray | None = None) -> list[SeriesBatch]:
    """Pack series (T_i, p) that `check_series` returned, those of similar lengths together.

    `rows` are those of all series, if they are at hand.

    The longest of a batch decides what it costs, so shorter series get one of their own where the
    rows that this saves are more than `STEP` times the steps that it adds.
    """
    rows = np.concatenate(series) if rows is None else rows
    lengths = _lengths(series, rows)
    order = np.argsort(-lengths, kind="stable")
    ordered, first, groups = lengths[order], 0, []
    for i in (np.flatnonzero(np.diff(ordered)) + 1).tolist():
        if (ordered[first] - ordered[i]) * (len(order) - i) > STEP * ordered[i]:
            groups.append(order[first:i])
            first = i
    if not groups:
        return [pack_series(series, lengths, rows)]
    batches = []
    for group in [*groups, order[first:]]:
        places = np.sort(group)
        batch = pack_series([series[i] for i in places], lengths[places])
        batches.append(batch._replace(order=places[batch.order]))
    return batches


def _lengths(series: list[NDArray], rows: NDArray) -> NDArray:
    """Number of steps of each series up to its last observed entry, or one."""
    seen = reduce(np.logical_or, np.isfinite(rows).T)  # quicker than along short rows
    stops = np.cumsum([len(one) for one in series])
    starts = np.append(0, stops[:-1])
    if seen[stops - 1].all():
        return stops - starts
    places = np.append(-1, np.flatnonzero(seen))  # the first for series before any observation
    last = places[np.searchsorted(places, stops) - 1]
    return np.maximum(last - starts, 0) + 1


def pack_series(
    series: list[NDArray], lengths: NDArray | None = None, rows: NDArray | None = None
) -> SeriesBatch:
    """Pack the series (T_i, p) that `check_series` returned into one `SeriesBatch`.

    Their lengths and `rows` are taken from them unless they are at hand.
    """
    if lengths is None:
        lengths = _lengths(series, np.concatenate(series))
    steps = np.array([len(one) for one in series])
    order = np.argsort(-lengths, kind="stable")
    if (steps == steps[0]).all() and (lengths == lengths[0]).all():
        rows = np.concatenate(series) if rows is None else rows
        Z = rows.reshape(len(series), steps[0], -1)[:, : lengths[0]]
        Z = np.ascontiguousarray(np.swapaxes(Z, 0, 1))
    else:
        Z = np.full((lengths.max(), len(series), series[0].shape[1]), np.nan)
        for place, i in enumerate(order):
            Z[: lengths[i], place] = series[i][: lengths[i]]
    observed = np.isfinite(Z)
    lengths = lengths[order]
    alive = np.arange(len(Z))[:, None] < lengths
    if (observed == alive[:, :, None]).all():  # a length is a pattern
        pattern = np.unique(-lengths, return_inverse=True)[1]
    else:
        keys: dict[tuple, int] = {}
        pattern = np.array(
            [
                keys.setdefault((length, observed[:, i].tobytes()), len(keys))
                for i, length in enumerate(lengths)
            ]
        )
    first = np.unique(pattern, return_index=True)[1]
    return SeriesBatch(
        Z=np.where(observed, Z, 0.0),
        observed=observed[:, first],
        pattern=pattern,
        counts=np.bincount(pattern),
        order=order,
        alive=alive,
        alive_patterns=alive[:, first],
        steps=steps[order],
    )


def pack_states(states: ListLike, n_states: int, batches: list[SeriesBatch]) -> list[SeriesBatch]:
    """Check observed paths against the series of batches, and pack them likewise."""
    paths = check_series("states", states, n_states, allow_missing=False)
    n = sum(len(batch.order) for batch in batches)
    if len(paths) != n:
        raise ValueError(f"states must have one path per series, {n}; got {len(paths)}.")
    for batch in batches:
        for i, length in zip(batch.order, batch.lengths, strict=True):
            if len(paths[i]) != length:
                raise ValueError(
                    f"states[{i}] must have as many steps as Z[{i}], {length}; got {len(paths[i])}."
                )
    packed = [pack_series([paths[i] for i in batch.order]) for batch in batches]
    check_sizes("states", [batch.Z for batch in packed])
    return packed


def unpack(
    batches: list[SeriesBatch], moments: Iterable[Iterable[NDArray]], as_list: bool
) -> Iterator:
    """Yield moments of batches, time first, in the form and the order of the input.

    Means (T, n, d) run over series, and covariances (T, G, d, d) over patterns; either may lack the
    last steps. They become arrays (n, T, ...), or lists of arrays cut to the steps that each series
    was given with. Covariances that all series share are a read-only view.
    """
    places = places_of(batches)
    for parts in zip(*moments, strict=True):
        joined: Any = []
        for batch, values in zip(batches, parts, strict=True):
            by_pattern, lost = values.ndim == 4, batch.steps.max() - len(values)
            rows = batch.pattern if by_pattern else np.arange(len(batch.order))
            values = np.swapaxes(values, 0, 1)
            if as_list:
                lengths = batch.steps - lost
                joined += [values[i, :stop].copy() for i, stop in zip(rows, lengths, strict=True)]
            elif len(batches) > 1:
                joined.append(values[rows])
            elif len(values) == 1 and by_pattern:
                joined = np.broadcast_to(values, (len(rows), *values.shape[1:]))
            else:
                joined = values[rows[places]]
        if as_list:
            yield [joined[i] for i in places]
        else:
            yield np.concatenate(joined)[places] if len(batches) > 1 else joined


def check_sizes(name: str, packed: list[NDArray]) -> None:
    """Raise ValueError if products of a column's entries would leave the range of numbers."""
    sizes = np.max([np.abs(one).max(axis=(0, 1)) for one in packed], axis=0)
    bad = np.flatnonzero((sizes > 0) & ((sizes < SIZES[0]) | (sizes > SIZES[1])))
    if bad.size:
        j = bad[0]
        raise ValueError(
            f"{name} must have columns of size {SIZES[0]:g} to {SIZES[1]:g}; got {sizes[j]:.3g} "
            f"in column {j}. Change its unit."
        )
