"""What the estimators of this room share."""

from sklearn.utils import get_tags

from ofer.utils.estimators import DefaultParts

__all__ = ["OfEstimator"]


class OfEstimator(DefaultParts):
    """An estimator with the part `estimator`, which decides what the inputs may be."""

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        inner = get_tags(self.part("estimator")).input_tags
        tags.input_tags.sparse, tags.input_tags.pairwise = inner.sparse, inner.pairwise
        return tags
