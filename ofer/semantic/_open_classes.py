"""Fit of a semantic classifier to weak samples, of which a label leaves some classes open."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, clone
from sklearn.utils import get_tags

from ofer.blocks import BlockRegressor, fit_weighted
from ofer.ridge.kernel_system import candidate_alphas
from ofer.utils.pipelines import Transformers
from ofer.utils.sklearn_private import get_feature_names
from ofer.utils.warning import warn
from ofer.weak.classes import ALPHAS, Inference, infer_classes, null_gain
from ofer.weak.samples import stack_inputs

LEAST_GAIN = 1.2  # weak samples must gain this many times what shuffled labels do


class OpenClassesFit(NamedTuple):
    """A regressor fitted to labelled and weak samples, and how their classes were found."""

    regressor: BaseEstimator
    inputs: NDArray  # of all samples
    targets: NDArray  # (n + n_weak, n_classes), rows on the simplex
    weights: NDArray  # (n + n_weak,), zero where a sample was not used
    path: dict[str, NDArray]  # a row for each ridge parameter, width and start
    null: float  # gain with shuffled labels


def fit_open_classes(regressor, gammas, X, X_weak, y, vectors, still_open, weights, weak_weight):
    """Infer the classes of weak samples where the gain is highest, and fit the regressor to all.

    `X` (n, d) and `y` (n,) are inputs and classes of labelled samples, perhaps none, `vectors`
    (n_classes, p) those of the classes, and `still_open` (n_weak, n_classes) what a label says.
    """
    last = Transformers(regressor).last
    if not (isinstance(last, BlockRegressor) and "kernel_system" in last.abilities):
        raise ValueError(
            "candidates_weak needs a regressor with the ability 'kernel_system', as KernelRidgeCV "
            f"has and a pipeline that ends in it; got {regressor!r}."
        )
    n, n_classes = len(y), len(vectors)
    pairwise = get_tags(regressor).input_tags.pairwise
    names = get_feature_names(X)
    X, everything = stack_inputs(X, X_weak, names, pairwise, ensure_min_samples=0)
    labelled = np.ones(n) if weights is None else weights
    weights = np.append(labelled, np.full(len(still_open), float(weak_weight)))
    used = ~still_open.all(axis=1)
    weights[n:][~used] = 0.0
    if not used.all():
        _warn(f"candidates_weak leaves all classes open in {(~used).sum()} of {len(used)} rows")
    targets = np.vstack([np.eye(n_classes)[y], still_open / still_open.sum(axis=1, keepdims=True)])

    scores = None
    if len(np.unique(y[labelled > 0])) > 1:
        alone = fit_weighted(regressor, X, vectors[y], None if (labelled == 1).all() else labelled)
        predicted = alone.predict(everything[n:, :n] if pairwise else everything[n:])
        scores = (predicted @ vectors.T - np.square(vectors).sum(axis=1) / 2.0)[used]

    best, rows, null = None, [], np.nan
    if used.any():
        before, seen = Transformers(regressor).fit(everything, targets @ vectors, weights)
        for gamma in [before.last.gamma] if gammas is None else gammas:
            system = clone(before.last).set_params(gamma=gamma).kernel_system(seen, weights)
            if (alphas := before.last.alphas) is None:
                alphas = (system.mean_eigenvalue or 1.0) * ALPHAS
            alphas = candidate_alphas(system, alphas)
            for inference in infer_classes(system, alphas, y, still_open[used], scores, vectors):
                rows.append((gamma, *inference[:-1]))
                if best is None or inference.gain > best.gain:
                    best, best_gamma, best_system = inference, gamma, system
        null = null_gain(best_system, best.alpha, y, still_open[used], scores, vectors)
    columns = ("gamma", *Inference._fields[:-1])
    path = {name: np.array([row[k] for row in rows]) for k, name in enumerate(columns)}

    model = clone(regressor)
    agree = best is not None and best.weak_gain > LEAST_GAIN * max(null, 0.0)
    if agree or (best is not None and n == 0):
        Transformers(model).last.set_params(alphas=[best.alpha], gamma=best_gamma)
        targets[weights > 0] = best.targets
    else:
        if best is not None:
            _warn(
                "candidates_weak and the inputs do not agree: the gain of weak samples is "
                f"{best.weak_gain:.2g}, and {null:.2g} when labels are shuffled"
            )
        weights[n:] = 0.0
    model = fit_weighted(model, everything, targets @ vectors, weights)
    return OpenClassesFit(model, everything, targets, weights, path, null)


def _warn(fact: str) -> None:
    warn(f"{fact}; these weak samples are not used.")
