"""A `KernelRidgeCV` of labelled and weak samples: its inputs before a fit, its attributes after."""

import warnings

import numpy as np
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import get_tags

from ofer._regressors import stack_inputs
from ofer.kernel_ridge import KernelRidgeCV
from ofer.ridge.input_kernel import InputKernel
from ofer.utils.sklearn_private import get_feature_names

__all__ = ["as_fit_to", "check_ridge", "store_fit", "warn_of_rounds"]


def check_ridge(name, regressor):
    """Raise ValueError unless a regressor has the one decomposition that an argument needs."""
    if not isinstance(regressor, KernelRidgeCV) or regressor.alpha_per_target or regressor.scoring:
        raise ValueError(
            f"{name} needs a KernelRidgeCV with one ridge and its default score as regressor; "
            f"got {regressor!r}."
        )


def as_fit_to(ridge, X, X_weak):
    """The kernel of a ridge, a clone that has seen the inputs, and these, the weak ones below."""
    fields = ridge.kernel, ridge.gamma, ridge.degree, ridge.coef0, ridge.kernel_params
    kernel, ridge = InputKernel(*fields), clone(ridge)
    pairwise = get_tags(ridge).input_tags.pairwise
    _, inputs = stack_inputs(X, X_weak, get_feature_names(X), pairwise)
    inputs = kernel.check_inputs(ridge, inputs)
    return kernel._replace(gamma=kernel.width(inputs)), ridge, inputs


def store_fit(ridge, kernel, inputs, model, targets, alphas, alpha, vectors=None):
    """Give a ridge the attributes of a fitted one; its residuals are those of labelled samples.

    `model` is the `LatentRidge` of the targets, or of the mixtures of `vectors` that they are.
    """
    n, n_targets = model.n_labelled, targets.shape[1]
    weights, by_features = model.system.samples.weights, kernel.has_features(inputs)
    ridge.gamma_, ridge.alphas_, ridge.alpha_ = kernel.gamma, alphas, float(alpha)
    ridge.loo_scores_ = -model.loo_errors(alphas) / n_targets
    ridge.best_score_ = float(ridge.loo_scores_[alphas == alpha][0])
    (residuals,) = model.loo_residuals([alpha])
    ridge.loo_residuals_ = np.full((n, n_targets), np.nan)
    ridge.loo_residuals_[weights[:n] > 0] = residuals if vectors is None else residuals @ vectors
    solution = model.system.solve(targets, alpha)
    ridge.intercept_ = solution.intercept
    if by_features:
        dual = weights[:, None] * (targets - solution.predict(inputs)) / alpha
        ridge.coef_, ridge.dual_coef_ = solution.coef, dual
    else:
        ridge.coef_, ridge.dual_coef_ = None, solution.coef
    ridge.X_fit_ = None if by_features or kernel.kernel == "precomputed" else inputs


def warn_of_rounds(what, changed, n_weak, max_iter, stacklevel):
    """Warn that latent classes or outputs still changed."""
    warnings.warn(
        f"max_iter should be larger: {changed} of {n_weak} weak samples still changed their "
        f"{what} in round {max_iter}. Raise it, or see whether the objectives_ hardly fall.",
        ConvergenceWarning,
        stacklevel=stacklevel,
    )
