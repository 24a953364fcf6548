"""What `ofer` asks of the regressors that it is given, in one place."""

import numpy as np
from scipy import sparse
from sklearn.base import clone
from sklearn.pipeline import Pipeline

__all__ = ["fit_blocks", "loo_residuals", "predict_blocks", "single_column_flat", "stack_inputs"]


def fit_blocks(regressor, X, blocks, sample_weight=None):
    """Fit one regressor for each block of targets, {name: (n_samples, n_columns)}.

    A regressor with a method `fit_blocks`, as `KernelRidgeCV` has, shares its factorisation;
    of any other only the public `fit` of clones is called. Weights of None are not passed on.
    """
    options = {} if sample_weight is None else {"sample_weight": sample_weight}
    shared = getattr(regressor, "fit_blocks", None)
    if shared is not None:
        return shared(X, blocks, **options)
    return {
        name: clone(regressor).fit(X, single_column_flat(block), **options)
        for name, block in blocks.items()
    }


def predict_blocks(fitted, X):
    """Predictions (n_queries, n_columns) by name of what `fit_blocks` returned."""
    first = next(iter(fitted.values()))
    shared = getattr(first, "predict_blocks", None)
    if shared is not None:
        found = shared(X, fitted)
    else:
        found = {name: np.asarray(one.predict(X)) for name, one in fitted.items()}
    return {name: H.reshape(len(H), -1) for name, H in found.items()}


def loo_residuals(regressor):
    """Leave-one-out residuals (n_samples, n_columns) of a fitted regressor, or None.

    They are its attribute `loo_residuals_`, or that of the last step of a pipeline.
    """
    last = regressor[-1] if isinstance(regressor, Pipeline) else regressor
    residuals = getattr(last, "loo_residuals_", None)
    return None if residuals is None else residuals.reshape(len(residuals), -1)


def stack_inputs(X, X_weak, pairwise):
    """Labelled and then weak inputs; of a kernel, the matrix of all of them."""
    n = X.shape[0]
    if pairwise:
        return np.block([[X, X_weak[:, :n].T], [X_weak[:, :n], X_weak[:, n:]]])
    if sparse.issparse(X) or sparse.issparse(X_weak):
        return sparse.vstack([X, X_weak], format="csr")
    return np.vstack([X, X_weak])


def single_column_flat(block):
    """One target as scikit-learn's regressors like it, without a warning."""
    return block[:, 0] if block.shape[1] == 1 else block
