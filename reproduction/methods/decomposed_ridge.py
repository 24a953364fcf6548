"""Ridge regression on inputs that are decomposed once for many regressions."""

import numpy as np
from sklearn.base import BaseEstimator, MultiOutputMixin, RegressorMixin, clone

from ofer import BlockRegressor

__all__ = ["DecomposedRidge"]


class DecomposedRidge(MultiOutputMixin, RegressorMixin, BlockRegressor, BaseEstimator):
    """What `ofer.KernelRidgeCV` is, without a decomposition of its own.

    A regressor for `ofer.OutputFisherRegressor`. Mixtures of all sizes, and all their blocks, have
    the same inputs; so a search for the size decomposes these once, where each fit of
    `KernelRidgeCV` would again. And the labelled samples can have another ridge than those of
    the membership block, which are the labelled and the weak ones.
    """

    abilities = frozenset({"sample_weight"})

    def __init__(self, systems, alphas=None, *, pairwise=False):
        self.systems = systems
        self.alphas = alphas
        self.pairwise = pairwise

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.pairwise = self.pairwise
        return tags

    def __sklearn_clone__(self):
        """An unfitted one on the same decompositions; scikit-learn would copy them."""
        return type(self)(self.systems, self.alphas, pairwise=self.pairwise)

    def fit(self, X, y, sample_weight=None):
        """Choose the ridge and solve, in O(n r m q) time for m targets and q ridges."""
        weights = np.ones(len(X)) if sample_weight is None else sample_weight
        known = [np.array_equal(system.samples.weights, weights) for system in self.systems]
        if not any(known):
            raise ValueError(f"systems must have one of the {len(X)} samples with their weights.")
        place = known.index(True)
        system = self.systems[place]
        alphas = system.default_alphas() if self.alphas is None else self.alphas[place]
        errors = [weights @ np.square(r) for r in system.loo_residuals(y, alphas)]
        self.alpha_ = float(alphas[np.argmin([error.mean() for error in errors])])
        (self.loo_residuals_,) = system.loo_residuals(y, [self.alpha_])
        self.solution_ = system.solve(y, self.alpha_)
        return self

    def fit_blocks(self, X, blocks, sample_weight=None):
        """Fit a clone for each block: all of them look their decomposition up."""
        return {name: clone(self).fit(X, block, sample_weight) for name, block in blocks.items()}

    def predict_blocks(self, X, fitted):
        """Predictions of what `fit_blocks` returned."""
        return {name: one.predict(X) for name, one in fitted.items()}

    def predict(self, X):
        """Predict targets."""
        return self.solution_.predict(X)
