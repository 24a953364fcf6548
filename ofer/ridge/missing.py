"""Ridge regressions of targets that are missing for some samples."""

from collections.abc import Callable, Iterator

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ofer.ridge.decomposition import Samples, weigh
from ofer.ridge.kernel_system import KernelSolution, KernelSystem
from ofer.utils.sklearn_private import check_sample_weight


class SystemsByPattern:
    """One decomposition for each set of observed samples, computed on demand and kept.

    ``decompose(sample_weight)`` decomposes the kernel of the inputs; that of targets that are
    missing for some samples is the one in which these have no weight.
    """

    def __init__(
        self, decompose: Callable[[ArrayLike | None], KernelSystem], sample_weight: ArrayLike | None
    ):
        self._decompose, self._weights = decompose, sample_weight
        self._systems: dict[bytes | None, KernelSystem] = {}

    def of(self, Y: NDArray) -> "KernelSystem | _PatternedSystem":
        """System of targets (n_samples, n_targets), NaN where missing."""
        missing = np.isnan(Y)
        if not missing.any():
            return self._system(None)
        present = check_sample_weight(self._weights, Y, dtype=np.float64) > 0
        seen = (present[:, None] & ~missing).sum(axis=0)
        _check_seen("two observed outputs of samples of positive weight", seen)
        patterns, which = np.unique(missing, axis=1, return_inverse=True)
        parts = [
            (np.flatnonzero(which == i), self._system(pattern))
            for i, pattern in enumerate(patterns.T)
        ]
        return _PatternedSystem(parts, weigh(self._weights, Y, False))

    def _system(self, missing: NDArray | None) -> KernelSystem:
        key = None if missing is None else missing.tobytes()
        if key not in self._systems:
            weights = self._weights
            if missing is not None:
                weights = check_sample_weight(weights, missing, dtype=np.float64) * ~missing
            self._systems[key] = self._decompose(weights)
        return self._systems[key]


class _PatternedSystem:
    """Several systems as one: each answers for the columns of its pattern."""

    def __init__(self, parts: list[tuple[NDArray, KernelSystem]], samples: Samples):
        self.parts, self.samples = parts, samples
        self._order = np.argsort(np.concatenate([columns for columns, _ in parts]))

    def default_alphas(self) -> NDArray:
        """Candidates for the ridge parameter: averages over the columns of their systems."""
        sizes = [len(columns) for columns, _ in self.parts]
        alphas = [system.default_alphas() for _, system in self.parts]
        return np.average(alphas, axis=0, weights=sizes)

    @property
    def _alpha_range(self) -> tuple[float, float]:
        """Least and largest useful ridge parameter for all columns, as of a `KernelSystem`."""
        least, most = zip(*(system._alpha_range for _, system in self.parts), strict=True)
        return max(least), max(most)

    def loo_residuals(
        self, Y: NDArray, alphas: ArrayLike, groups: ArrayLike | None = None
    ) -> Iterator[NDArray]:
        """Leave-one-out residuals for each ridge parameter; NaN where the target is missing."""
        filled = np.nan_to_num(Y)
        if groups is not None:
            seen = [
                np.full(len(columns), len(np.unique(np.asarray(groups)[system.samples.rows])))
                for columns, system in self.parts
            ]
            _check_seen("observed outputs of two groups", np.concatenate(seen)[self._order])
        paths = [
            system.loo_residuals(filled[:, columns], _take(alphas, columns), groups)
            for columns, system in self.parts
        ]
        return (np.hstack(parts)[:, self._order] for parts in zip(*paths, strict=True))

    def solve(self, Y: NDArray, alpha: ArrayLike) -> KernelSolution:
        """Fit targets; what is missing has coefficients of zero."""
        filled, solutions = np.nan_to_num(Y), []
        for columns, system in self.parts:
            (ridge,) = _take([alpha], columns)
            solutions.append(system.solve(filled[:, columns], ridge))
        coef = np.hstack([one.coef for one in solutions])
        intercept = np.concatenate([one.intercept for one in solutions])
        return KernelSolution(coef[:, self._order], intercept[self._order])


def _check_seen(what: str, counts: NDArray) -> None:
    """Raise ValueError unless each column of the targets has two of what can be left out."""
    if (few := np.flatnonzero(counts < 2)).size:
        raise ValueError(
            f"y must have {what} in each column; got fewer in column(s) {few[:10].tolist()}."
        )


def _take(alphas: ArrayLike, columns: NDArray) -> NDArray:
    """Ridges of some columns, from (n_alphas,) or (n_alphas, n_targets)."""
    alphas = np.asarray(alphas)
    return alphas if alphas.ndim == 1 else alphas[:, columns]
