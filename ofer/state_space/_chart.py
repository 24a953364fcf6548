"""Coordinates of state-space models in which the likelihood is easy to climb."""

from collections.abc import Collection, Iterator

import numpy as np
from numpy.typing import NDArray

from ofer.state_space._kalman import Parameters
from ofer.state_space._kalman_em import (
    RELATIVE_FLOOR,
    Floors,
    StateSums,
    precision,
    scale_of,
    which_stay,
)

# Coefficients by field, the field of the covariance of what they leave, and the sums of both.
REGRESSIONS = (
    (("A", "a"), "Q", "moves"),
    (("C", "b"), "R", "seen"),
    (("mu0",), "Sigma0", "first"),
)
WIDER = 16.0  # factor from one variance that is tried to the next
SINGULAR = 1e-12  # relative eigenvalue that is no more than roundoff


class Chart:
    r"""Models around one, by coordinates in which the log-likelihood curves by at most one.

    If states were seen, a model would be three regressions :math:`y = B x`, of states on earlier
    ones, of observations on states and of first states on a constant. With a covariance S of what
    it leaves, the information on B is :math:`S^{-1} \otimes \sum x x^\top`, and that on a root of S
    is 2 n. A coordinate is a step in units of this information. So the log-likelihood of states and
    observations curves by one, and that of observations, which know less, by at most one. Only
    where coefficients are held in part, several rows together may curve by more. A step along the
    gradient, as long as that, is to first order one of EM [1]_.

    The model `origin` is at zero, and `sums` are those of its E-step. Covariances stay above
    `floors`, which also mask what is held in part; the fields in `held` stay.

    References
    ----------
    .. [1] Jamshidian, Jennrich, "Acceleration of the EM algorithm by using quasi-Newton methods",
       Journal of the Royal Statistical Society B 59 (1997).
    """

    def __init__(self, origin: Parameters, sums: StateSums, floors: Floors, held: Collection[str]):
        self.origin = origin
        self._parts: list[tuple[Coefficients | Root, str]] = []
        for columns, covariance, name in REGRESSIONS:
            products = getattr(sums, name)
            free = ~which_stay(origin, floors.masks, held, *columns)
            if free.any():
                block = Coefficients(origin, columns, covariance, products, free)
                self._parts.append((block, name))
            if covariance not in held:
                self._parts.append((Root(origin, covariance, products.n, floors), name))
        sizes = [part.size for part, _ in self._parts]
        self.size = sum(sizes)
        self._cuts: NDArray = np.cumsum(sizes)[:-1]

    def at(self, point: NDArray) -> Parameters:
        """The model at a point (size,)."""
        fields: dict[str, NDArray] = {}
        for (block, _), step in zip(self._parts, np.split(point, self._cuts), strict=True):
            fields |= block.at(step)
        return self.origin._replace(**fields)

    def gradient(self, point: NDArray, model: Parameters, sums: StateSums) -> NDArray:
        """Gradient of the log-likelihood at a point, from the model there and its E-step.

        By Fisher's identity it is that of the expected log-likelihood of states and observations.
        """
        steps = np.split(point, self._cuts)
        return np.concatenate(
            [
                part.gradient(step, model, getattr(sums, name))
                for (part, name), step in zip(self._parts, steps, strict=True)
            ]
        )

    def wider(self, sums: StateSums, rise: float) -> Iterator[Iterator[Parameters]]:
        """Models in which one variance is ever larger, for each variance that may gain `rise` so.

        The sums are those of the E-step at the origin.
        """
        states = np.diagonal(sums.moves.xx) / sums.moves.n
        for block, name in self._parts:
            if isinstance(block, Root):
                squares = block.largest if block.field == "R" else states
                for fields in block.wider(getattr(sums, name), squares, rise):
                    yield (self.origin._replace(**some) for some in fields)


class Coefficients:
    """Coordinates of the free ones of coefficients B, which are columns of some fields.

    Steps of B are ``L R`` with ``L L' = S``, and rows of R are ``u M`` with ``M G M' = 1``, for the
    Gram matrix G of the regressors. Where entries are held, each row has regressors of its own, and
    L is diagonal.
    """

    def __init__(self, origin, columns, covariance, products, free):
        self.columns, self.covariance = columns, covariance
        self.base = np.column_stack([getattr(origin, name) for name in columns])
        gram = np.block([[products.xx, products.x[:, None]], [products.x, np.full(1, products.n)]])
        S = getattr(origin, covariance)
        if (free == free[0]).all():
            self.left, self.rows = _root(S), [_whitener(gram, free[0])] * len(free)
        else:
            # Each row alone has information one; rows together may curve by more.
            self.left = np.diag(1 / scale_of(np.diagonal(precision(S))))
            self.rows = [_whitener(gram, some) for some in free]
        sizes = [len(row) for row in self.rows]
        self.size, self._cuts = sum(sizes), np.cumsum(sizes)[:-1]

    def at(self, step):
        """Fields of the model."""
        steps = np.split(step, self._cuts)
        moves = [some @ row for some, row in zip(steps, self.rows, strict=True)]
        B = self.base + self.left @ moves
        return dict(zip(self.columns[::-1], (B[:, -1], B[:, :-1]), strict=False))

    def gradient(self, step, model, products):
        """Gradient at the model."""
        residuals = np.column_stack([products.yx, products.y])
        slope = precision(getattr(model, self.covariance)) @ residuals
        slopes = self.left.T @ slope
        return np.concatenate([row @ some for row, some in zip(self.rows, slopes, strict=True)])


class Root:
    """Coordinates of what is free of a covariance S: steps of a root of what is above its floor.

    The root is ``root(S - floor) (1 + W / sqrt(2 n))``.
    """

    def __init__(self, origin, field, n, floors):
        self.field, self.base = field, getattr(origin, field)
        self.block = floors.free(field) if field in floors.masks else ...
        floor = floors.observations if field == "R" else floors.states
        self.floor, self.largest = np.diag(floor)[self.block], floor / RELATIVE_FLOOR
        self.root = _root(self.base[self.block] - self.floor)
        self.is_held = floors.masks.get(field, np.zeros(self.base.shape, dtype=bool))[self.block]
        self.free = ~self.is_held
        if field == "R" and floors.diagonal:
            self.free = self.free & np.eye(len(self.free), dtype=bool)
        self.unit, self.size = 1 / np.sqrt(2 * n), np.count_nonzero(self.free)

    def at(self, step):
        """Fields of the model."""
        F = self._root_at(step)
        return self._fields(F @ F.T + self.floor)

    def gradient(self, step, model, products):
        """Gradient at the model."""
        S = getattr(model, self.field)[self.block]
        P = precision(S)
        slope = P @ (products.yy[self.block] - products.n * S) @ P
        return self.unit * (self.root.T @ slope @ self._root_at(step))[self.free]

    def wider(self, products, squares, rise):
        """Fields in which the variance of a direction is ever larger, for each that may gain so.

        A direction may if the slope of its variance leads that far before the variance is the mean
        square of what it is a part of; `squares` are those of the coordinates.
        """
        S, floor = self.base[self.block], np.diagonal(self.floor)
        unit = np.sqrt(np.maximum(np.diagonal(np.diag(squares)[self.block]), floor))
        P = precision(S)
        slope = P @ (products.yy[self.block] - products.n * S) @ P / 2
        sizes, vectors = np.linalg.eigh(S / np.outer(unit, unit))
        sizes = np.maximum(sizes, SINGULAR)  # those of a far smaller floor drown in roundoff
        for size, axis in zip(sizes, (unit[:, None] * vectors).T, strict=True):
            if axis @ slope @ axis > rise:
                n_steps = int(np.ceil(np.log(1 / size) / np.log(WIDER)))
                variances = size * WIDER ** np.arange(1.0, n_steps + 1)
                yield (self._fields(S + one * np.outer(axis, axis)) for one in variances)

    def _fields(self, block):
        S = self.base.copy()
        S[self.block] = np.where(self.is_held, S[self.block], block)
        return {self.field: S}

    def _root_at(self, step):
        W = np.zeros(self.root.shape)
        W[self.free] = self.unit * step
        return self.root + self.root @ W


def _root(covariance):
    """L with L L' = covariance, which may be singular; of blocks, those of each."""
    unit = scale_of(np.diagonal(covariance))
    sizes, vectors = np.linalg.eigh(covariance / np.outer(unit, unit))
    return unit[:, None] * (vectors * np.sqrt(np.maximum(sizes, 0.0))) @ vectors.T


def _whitener(gram, some):
    """M with M gram M' = 1 for some of the columns, and zeros in the others."""
    unit = scale_of(np.diagonal(gram)[some])
    sizes, vectors = np.linalg.eigh(gram[np.ix_(some, some)] / np.outer(unit, unit))
    known = sizes > SINGULAR * sizes.max(initial=0.0)
    whitener = np.zeros((np.count_nonzero(known), len(gram)))
    whitener[:, some] = (vectors[:, known] / np.sqrt(sizes[known])).T / unit
    return whitener
