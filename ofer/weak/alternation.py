"""Alternation of assignments of weak samples and the regression that learns them."""

import warnings
from abc import ABC, abstractmethod
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray
from sklearn.exceptions import ConvergenceWarning

PRIOR_SHARE = 0.25  # of what the weak label says in the target of a weak sample


class Rounds(NamedTuple):
    """Result of the rounds of an alternation."""

    assignments: np.ndarray
    objectives: np.ndarray  # (n_iter,), each at most the one before
    n_iter: int
    converged: bool


class Alternation(ABC):
    """Assignments of weak samples and a regression, each the best for the other.

    Before the first round a guess is made, learnt, and revised by predictions that leave out the
    sample itself: so no guess speaks for itself.
    """

    noun: ClassVar[str]  # what is assigned, for the warning
    prior: Any  # what the weak labels say, before anything is inferred

    @abstractmethod
    def guess(self) -> NDArray:
        """First assignments."""

    @abstractmethod
    def assign(self, *, left_out: bool = False) -> NDArray:
        """Best assignments for the present regression, or for those without each weak sample."""

    @abstractmethod
    def learn(self, assignments: NDArray, *, choose: bool) -> None:
        """Fit the regression to assignments; `choose` its ridge anew, or keep it."""

    @abstractmethod
    def objective(self) -> float:
        """Objective that the rounds lower, for the assignments that were learnt last."""

    @abstractmethod
    def changed(self, assignments: NDArray, others: NDArray) -> NDArray:
        """Weak samples that are assigned differently, bool (n_weak,)."""

    def run(self, max_iter: int, *, stacklevel: int) -> Rounds:
        """Alternate for `max_iter` rounds, or until nothing changes; warn if that is not so."""
        current, left = self.prior, None
        objectives: list[float] = []
        if max_iter:
            self.learn(self.guess(), choose=True)
            following = self.assign(left_out=True)
        while len(objectives) < max_iter and (left is None or left.any()):
            current = following
            self.learn(current, choose=not objectives)
            objectives.append(self.objective())
            following = self.assign()
            left = self.changed(following, current)
        converged = left is not None and not left.any()
        if left is not None and not converged:
            warnings.warn(
                f"max_iter should be larger: {left.sum()} of {len(left)} weak samples still "
                f"changed their {self.noun} in round {max_iter}. Raise it, or see whether the "
                "objectives_ hardly fall.",
                ConvergenceWarning,
                stacklevel=stacklevel,
            )
        return Rounds(current, np.array(objectives), len(objectives), converged)
