"""How a state-space model is fitted to series, at once or block by block."""

import warnings
from collections.abc import Iterable
from typing import Self

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.exceptions import ConvergenceWarning

from ofer.state_space._kalman_em import initial_parameters, run_em
from ofer.utils.series import check_series, check_sizes, pack_series
from ofer.utils.sklearn_private import fit_context
from ofer.utils.typing import ListLike
from ofer.utils.validation import check_blocks, check_names

__all__ = ["FitsSeries"]


class FitsSeries(BaseEstimator):
    """A state-space model of hidden states that EM fits."""

    @fit_context(prefer_skip_nested_validation=True)
    def fit_in_blocks(self, blocks: Iterable[ListLike]) -> Self:
        """Estimate the parameters from blocks of series, in memory that one of them needs.

        EM starts from the first block, which also sets the floors, and goes through all blocks in
        each iteration, whose sums add up: it is the EM of all series together, from that start.

        Parameters
        ----------
        blocks : iterable of array-like of shape (n, T, p) or list of array-like
            Blocks of series, each as in `fit`; no iterator, since EM goes through them again and
            again. What reads a block when it is asked for keeps no other in memory.

        Returns
        -------
        self : object
        """
        first = self._check_block(check_blocks(blocks), reset=True)
        center = first.center() * self.fit_offset

        def batches():
            for Z in blocks:
                yield self._check_block(Z, reset=False).shifted(center)

        self._run_em(first.shifted(center), batches)
        self.observation_offset_ += center
        return self

    def _check_block(self, Z, *, reset, allow_missing=True):
        """Check and pack series; the first ones have an observed entry in each column."""
        n_columns = None if reset else self.n_features_in_
        series = check_series("Z", Z, n_columns, min_steps=2, allow_missing=allow_missing)
        check_names(self, Z, reset=reset)
        batch = pack_series(series)
        hollow = batch.order[~batch.observed.any(axis=(0, 2))[batch.pattern]]
        if hollow.size:
            raise ValueError(f"Z[{hollow.min()}] must have an observed entry; all are NaN.")
        check_sizes("Z", batch.Z)
        empty = np.flatnonzero(~batch.observed.any(axis=(0, 1)))
        if reset and empty.size:
            raise ValueError(f"Z must have an observed entry in column {empty[0]}; all are NaN.")
        self.n_features_in_ = batch.Z.shape[2]
        return batch

    def _run_em(self, batch, batches):
        """Hidden states: EM over `batches()`, from the start that a first batch gives."""
        if batch.alive.sum() < self.n_states:
            raise ValueError(
                f"n_states must be at most the number of steps of all series, "
                f"{batch.alive.sum()}; got {self.n_states}."
            )
        start = initial_parameters(batch, self.n_states, self.fit_offset)
        options = self.max_iter, self.tol, self.fit_offset
        parameters, history, gain = run_em(batches, *start, *options)
        self.converged_ = bool(gain <= self.tol)
        self._store(parameters, history)
        if not self.converged_:
            message = (
                f"EM stopped after max_iter={self.max_iter} iterations, the last of which gained "
                f"{gain:.2g} per observed entry; tol is {self.tol:.2g}. Raise max_iter or tol, "
                "or use fewer states."
            )
            warnings.warn(message, ConvergenceWarning, stacklevel=4)

    def _store(self, parameters, history):
        """Set the fitted attributes."""
        self.transition_matrix_, self.transition_covariance_ = parameters.A, parameters.Q
        self.observation_matrix_, self.observation_covariance_ = parameters.C, parameters.R
        self.initial_mean_, self.initial_covariance_ = parameters.mu0, parameters.Sigma0
        self.transition_offset_, self.observation_offset_ = parameters.a, parameters.b
        self.loglikelihoods_, self.n_iter_ = np.array(history), len(history) - 1
