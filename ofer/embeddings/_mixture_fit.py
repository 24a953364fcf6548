"""Maximum likelihood for Gaussian mixtures, tight and free of the outputs' unit."""

import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from copy import copy
from typing import Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import logsumexp, softmax
from sklearn.exceptions import ConvergenceWarning
from sklearn.mixture import GaussianMixture
from sklearn.preprocessing import StandardScaler

from ofer.embeddings.mixture_blocks import are_apart

ROUNDOFF = 1e-12  # of variances, relative to those of the outputs


class CollapsedComponentWarning(UserWarning):
    """A component of the output model has shrunk to a point or a subspace."""


class _CentredMixture(GaussianMixture):
    """scikit-learn's, for outputs that are NaN where missing, and evaluated around `origin`.

    Far from zero squares have few digits. Those of a component that is far from the others, for its
    width, have few around any origin: then `apart` is True, and differences from each mean take
    their place. What an output is given does not depend on its company.
    """

    origin: NDArray | float = 0.0
    apart: bool = False

    def predict_proba(self, X: ArrayLike) -> NDArray:
        """Responsibilities (n_samples, n_components), given what is observed."""
        quick = super(_CentredMixture, self._moved()).predict_proba
        return self._evaluate(np.asarray(X), quick, lambda logs: softmax(logs, axis=1))

    def score_samples(self, X: ArrayLike) -> NDArray:
        """Log-densities (n_samples,) of what is observed."""
        quick = super(_CentredMixture, self._moved()).score_samples
        return self._evaluate(np.asarray(X), quick, lambda logs: logsumexp(logs, axis=1))

    def settle(self, shift: NDArray, scale: float) -> Self:
        """Choose how to evaluate outputs with this mean and deviation."""
        self.origin = shift if np.abs(shift).max() > 1e3 * scale else 0.0
        self.apart = are_apart(self, self.origin)
        return self

    def _evaluate(self, X: NDArray, quick: Callable, of_logs: Callable) -> NDArray:
        if not (self.apart or np.isnan(X).any()):
            return quick(X - self.origin)
        from ofer.embeddings._mixture_em import joint_log_densities

        slow = np.isnan(X).any(axis=1) | self.apart
        values = of_logs(joint_log_densities(self, X[slow]))
        if slow.all():
            return values
        joined = np.empty((len(X), *values.shape[1:]))
        joined[slow], joined[~slow] = values, quick(X[~slow] - self.origin)
        return joined

    def _moved(self) -> Self:
        moved = copy(self)
        moved.means_ = self.means_ - self.origin
        return moved


def fit_mixture(Y, sample_weight, warn, *, tol, **params):
    """Fit scikit-learn's `GaussianMixture` to outputs (n_samples, n_features), on a standard scale.

    The outputs are centred and divided by one number, their root mean square deviation, and the
    parameters taken back to the original unit: shifting or scaling the outputs shifts and scales
    the model, and `reg_covar` and `tol` mean the same for all data. The gain of an EM iteration is
    quadratic in the mean score, so EM stops on a gain below ``tol ** 2``: the mean score of the
    outputs is then of order `tol`. Weights of samples, and entries that are NaN because they are
    missing, need an EM of our own.

    `params` are those of `GaussianMixture`; `warn` takes a message and its category. Raises
    ValueError if there are fewer different outputs than components, or if a component collapses and
    there is no floor; warns if EM stops by `max_iter` (ConvergenceWarning) or a component's
    variance reached the floor in some direction, as that of equal outputs does
    (CollapsedComponentWarning).
    """
    n_samples = len(Y) if sample_weight is None else sample_weight.sum()
    if sample_weight is not None:
        Y, sample_weight = _present(Y, sample_weight)
    mixture = _CentredMixture(**params, tol=tol**2)
    C = mixture.n_components
    if len(Y) < C:
        raise ValueError(
            f"n_components must be at most the number of outputs, n_samples={len(Y)}; got {C}."
        )
    plain = sample_weight is None and not np.isnan(Y).any()
    weights = np.ones(len(Y)) if sample_weight is None else sample_weight
    shift, scale = _standard_scale(Y, None if plain else weights)
    if scale <= 1e-14 * (largest := np.nanmax(np.abs(Y))):
        if C > 1 or np.nanmax(np.nanmax(Y, axis=0) - np.nanmin(Y, axis=0)) > 1e-13 * largest:
            raise ValueError(
                f"Y must vary: all {len(Y)} outputs are equal (constant targets), or squares of "
                f"their differences are zero, so that n_components={C} cannot be estimated."
            )
        scale = largest or 1.0  # of one Gaussian the floor is the variance
    if C > 1 and (n_different := len(np.unique(Y, axis=0))) < C:
        raise ValueError(
            f"n_components must be at most the number of different outputs, {n_different}; got {C}."
        )
    with warnings.catch_warnings():
        # Replaced by those of `_warn`, which say what to do.
        warnings.simplefilter("ignore", ConvergenceWarning)
        with _collapse_is_named():
            mixture = _fit(mixture, (Y - shift) / scale, weights, plain)
    _warn(mixture, n_samples, mixture.reg_covar, warn)
    mixture.means_ = mixture.means_ * scale + shift
    mixture.covariances_ = mixture.covariances_ * scale**2
    mixture.precisions_ = mixture.precisions_ / scale**2
    mixture.precisions_cholesky_ = mixture.precisions_cholesky_ / scale
    mixture.lower_bound_ -= Y.shape[1] * np.log(scale)
    mixture.lower_bounds_ = [bound - Y.shape[1] * np.log(scale) for bound in mixture.lower_bounds_]
    return mixture.settle(shift, scale)


def fit_mixture_in_batches(mixture, batches, warn):
    """Go on with EM from a fitted mixture, over batches of complete outputs, again and again.

    `batches()` goes through them once. Iterations, tolerance and floor are those of the mixture,
    the floor relative to the mean variance of all outputs, which a first pass finds.
    """
    from ofer.embeddings._mixture_em import run_em

    scaler = StandardScaler()
    for Y in batches():
        scaler.partial_fit(Y)
    floor = mixture.reg_covar * scaler.var_.mean()
    with _collapse_is_named():
        run_em(mixture, lambda: ((Y, 1.0) for Y in batches()), floor)
        if mixture.reg_covar < ROUNDOFF:
            _check_width(mixture, scaler.var_, ROUNDOFF**2)
    _warn(mixture, scaler.n_samples_seen_, floor, warn)
    return mixture.settle(scaler.mean_, np.sqrt(scaler.var_.mean()))


def _present(Y: NDArray, weights: NDArray) -> tuple[NDArray, NDArray | None]:
    """Outputs of positive weight, and their weights in a unit of their own; None if all are one."""
    kept = weights > 0
    if (n := np.count_nonzero(kept)) < 2:
        raise ValueError(f"sample_weight must be positive for at least 2 outputs; got {n}.")
    Y, weights = Y[kept], weights[kept]
    if (weights == weights[0]).all():
        return Y, None
    return Y, np.ldexp(weights, 1 - np.frexp(weights.max())[1])  # exactly: a power of two


@contextmanager
def _collapse_is_named() -> Iterator[None]:
    """Say what has happened where linear algebra fails."""
    try:
        yield
    except ValueError as error:  # LinAlgError is one, too
        if not isinstance(error, np.linalg.LinAlgError) and "ill-defined" not in str(error):
            raise
        raise ValueError(
            "reg_covar must be positive for these outputs: components collapsed to a point or a "
            "subspace, where without a floor the likelihood has no maximum. Use a reg_covar such "
            "as 1e-6, fewer components or a simpler covariance_type, or drop constant targets."
        ) from error


def _fit(mixture: GaussianMixture, Z: NDArray, weights: NDArray, plain: bool) -> GaussianMixture:
    """Fit a mixture to outputs on a standard scale; `plain` ones are complete and weigh the same.

    Raises ValueError if a component collapses.
    """
    if plain and mixture.reg_covar >= ROUNDOFF:
        return mixture.fit(Z)
    variances = np.nanvar(Z, axis=0)
    if plain:
        with suppress(ValueError):
            fitted = copy(mixture).fit(Z)
            _check_width(fitted, variances, ROUNDOFF)
            return fitted
    from ofer.embeddings._mixture_em import fit_from_clusters

    if mixture.reg_covar >= ROUNDOFF:
        return fit_from_clusters(mixture, Z, weights)
    # Our EM has squares of differences, and scikit-learn differences of squares: what has no width
    # for it may have one.
    fitted = fit_from_clusters(mixture, Z, weights)
    _check_width(fitted, variances, ROUNDOFF**2)
    return fitted


def _check_width(mixture: GaussianMixture, variances: NDArray, least: NDArray | float) -> None:
    """Raise LinAlgError if a component has no width, for outputs with these variances (d,).

    It is roundoff then, `least` of the variances, and may be positive by chance. Each column has
    its own unit, but for spherical components, which have one.
    """
    widths = mixture.covariances_
    if mixture.covariance_type == "spherical":
        widths = widths / variances.mean()
    else:
        unit = np.sqrt(np.where(variances > 0, variances, np.inf))
        if mixture.covariance_type == "diag":
            widths = widths / np.square(unit)
        else:
            widths = np.linalg.eigvalsh(widths / np.outer(unit, unit))
            least = np.maximum(least, ROUNDOFF * widths[..., -1:])
    if not (widths > least).all():
        raise np.linalg.LinAlgError("A component has no width.")


def _standard_scale(Y: NDArray, weights: NDArray | None) -> tuple[NDArray, float]:
    """Mean (n_features,) and root mean square deviation of outputs, weighted if there are weights.

    Entries that are missing have no part in them.
    """
    if weights is None:
        shift = Y.mean(axis=0)
        return shift, np.sqrt(np.mean(np.square(Y - shift)))
    seen = ~np.isnan(Y)
    shares = weights[:, None] * seen
    if not shares.any(axis=0).all():
        empty = np.flatnonzero(~shares.any(axis=0)).tolist()
        raise ValueError(f"Y must have an observed output in each column; got none in {empty}.")
    origin = np.nanmin(Y, axis=0)
    shift = origin + np.sum(shares * np.where(seen, Y - origin, 0.0), axis=0) / shares.sum(axis=0)
    squares = np.square(np.where(seen, Y - shift, 0.0))
    return shift, np.sqrt(np.sum(shares * squares) / shares.sum())


def _warn(mixture: GaussianMixture, n_samples: float, floor: float, warn: Callable) -> None:
    """Say what is wrong with a fit, whose variances have a floor, and what to do."""
    C, variances = mixture.n_components, mixture.covariances_
    by_axis = mixture.covariance_type in ("spherical", "diag")
    variances = variances.reshape(C, -1) if by_axis else np.linalg.eigvalsh(variances)
    collapsed = np.flatnonzero(np.broadcast_to(variances.min(axis=-1) <= 2 * floor, C))
    if collapsed.size:
        outputs = np.round(mixture.weights_[collapsed] * n_samples, 1).tolist()
        warn(
            f"component(s) {collapsed.tolist()}, holding {outputs} of {n_samples:g} outputs, "
            "collapsed: the variance reached the floor reg_covar in some direction. Use fewer "
            "components, a simpler covariance_type or a larger reg_covar, or drop constant "
            "targets.",
            CollapsedComponentWarning,
        )
    if not mixture.converged_:
        warn(
            f"EM stopped after max_iter={mixture.max_iter} iterations, before the mean score of "
            "the outputs was zero to tolerance. Raise max_iter or tol, or use fewer components.",
            ConvergenceWarning,
        )
