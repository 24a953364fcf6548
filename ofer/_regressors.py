"""What `ofer` asks of the regressors that it is given, in one place."""

import numpy as np
from scipy import sparse
from sklearn.base import clone
from sklearn.pipeline import Pipeline
from sklearn.utils import check_array
from sklearn.utils.validation import has_fit_parameter

from ofer.embeddings.base import as_output_model
from ofer.utils.sklearn_private import get_feature_names
from ofer.utils.validation import check_columns, check_real

__all__ = [
    "by_samples",
    "check_support",
    "fit_blocks",
    "loo_predictions",
    "loo_residuals",
    "mean_square",
    "partial_fit_blocks",
    "predict_blocks",
    "single_column_flat",
    "stack_inputs",
    "stack_weights",
]


def check_support(estimator, embedding, states, weights, weak_weight):
    """Raise unless the parts of an estimator of blocks can take what they are given.

    `weak_weight` is None where there are no weak samples.
    """
    model, name = as_output_model(embedding), type(embedding).__name__
    if states is not None and not model.has_states:
        raise ValueError(
            "states must be None unless the embedding has states, as StateSpaceEmbedding; "
            f"got {name}."
        )
    regressor = estimator.part("regressor")
    weighted = has_fit_parameter(regressor, "sample_weight")
    if not (weights is None or weighted):
        raise ValueError(
            f"sample_weight must be None for {type(regressor).__name__}, which takes none."
        )
    if weak_weight is None:
        return
    check_real("weak_weight", weak_weight, above=0)
    if not model.has_membership:
        raise ValueError(
            "membership_weak needs an embedding with a membership block, such as "
            f"GaussianMixtureEmbedding; got {name}."
        )
    if not estimator.block_wise:
        raise ValueError(
            "membership_weak needs block_wise=True, because the blocks then have different "
            "samples; got block_wise=False. For one ridge give the regressor a single alpha."
        )
    if weak_weight != 1 and not weighted:
        raise ValueError(
            f"weak_weight must be 1 for {type(regressor).__name__}, which takes no "
            f"sample_weight; got {weak_weight!r}."
        )


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


def partial_fit_blocks(regressor, fitted, X, blocks, sample_weight=None):
    """Add samples to what this function or `fit_blocks` returned; `fitted` is empty at first."""
    options = {} if sample_weight is None else {"sample_weight": sample_weight}
    shared = getattr(regressor, "partial_fit_blocks", None)
    if shared is not None:
        return shared(fitted, X, blocks, **options)
    fitted = fitted or {name: clone(regressor) for name in blocks}
    for name, block in blocks.items():
        fitted[name].partial_fit(X, single_column_flat(block), **options)
    return fitted


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


def loo_predictions(regressor, Y):
    """Leave-one-out predictions (n_samples, d) of a fitted regressor of Y (n_samples, d), or None.

    They are those of its method `loo_predict`, or follow from its leave-one-out residuals.
    """
    residuals = loo_residuals(regressor)
    if residuals is not None:
        return Y - residuals
    predict = getattr(regressor, "loo_predict", None)
    errors = getattr(regressor, "loo_errors_", {})  # None for blocks whose regressor has none
    if predict is None or any(error is None for error in errors.values()):
        return None
    return predict().reshape(Y.shape)


def stack_inputs(X, X_weak, known, pairwise):
    """Labelled inputs, and the weak ones below them; of a kernel, the matrix of all of them.

    `known` are the names of the features of X, or None. Raises ValueError unless X_weak has the
    same features; with a kernel, its values with the labelled and then the weak inputs.
    """
    names = get_feature_names(X_weak)
    if not (pairwise or known is None or names is None) and known.tolist() != names.tolist():
        raise ValueError(
            f"X_weak must have the feature names of X, {known.tolist()}; got {names.tolist()}."
        )
    accepted = {"accept_sparse": ("csr", "csc")}
    X = check_array(X, input_name="X", **accepted)
    X_weak = check_array(X_weak, input_name="X_weak", **accepted)
    n = X.shape[0]
    if pairwise:
        check_columns("X_weak", X_weak, n + X_weak.shape[0], "labelled and weak inputs")
        return X, np.block([[X, X_weak[:, :n].T], [X_weak[:, :n], X_weak[:, n:]]])
    check_columns("X_weak", X_weak, X.shape[1], "the features of X")
    if sparse.issparse(X) or sparse.issparse(X_weak):
        return X, sparse.vstack([X, X_weak], format="csr")
    return X, np.vstack([X, X_weak])


def by_samples(parts):
    """What belongs to the membership block, and what to the others, by name."""
    others = {name: part for name, part in parts.items() if name != "membership"}
    return {"membership": parts["membership"]}, others


def stack_weights(weights, n, n_weak, weak_weight):
    """Weights of labelled and then weak samples, or None if all are one."""
    if weights is None and weak_weight == 1:
        return None
    labelled = np.ones(n) if weights is None else weights
    return np.append(labelled, np.full(n_weak, float(weak_weight)))


def single_column_flat(block):
    """One target as scikit-learn's regressors like it, without a warning."""
    return block[:, 0] if block.shape[1] == 1 else block


def mean_square(residuals, weights):
    """Mean square, over targets and samples with weights; NaN has no part. None for None."""
    if residuals is None:
        return None
    shares = ~np.isnan(residuals) * (1.0 if weights is None else weights[:, None])
    squares = shares * np.square(np.nan_to_num(residuals))
    return float(np.mean(squares.sum(axis=0) / shares.sum(axis=0)))
