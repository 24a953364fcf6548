"""Output spaces that are small enough to be listed: classes, and the leaves of a tree."""

from collections.abc import Sequence
from typing import ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ofer.companions._checks import check_unmasked, join_labels
from ofer.companions.local_structured.space import OutputSpace, Scores, encode, first_best
from ofer.utils.fitting import fit_context
from ofer.utils.products import quiet


@quiet
class FiniteOutputs(OutputSpace):
    """Outputs that are listed: a table of codes, and one of losses.

    The `fit` of a subclass ends in `_list`. Inference takes O(n_outputs * n_codes) for each
    problem, the upper-bound step O(n_outputs**2). Ties go to the first label.
    """

    def transform(self, y: ArrayLike | Sequence) -> NDArray:
        return encode(self.classes_, join_labels("y", [y]))

    def inverse_transform(self, y: NDArray, lengths: NDArray) -> NDArray:
        return self.classes_[y]

    def features(self, y: NDArray, lengths: NDArray) -> tuple[NDArray, NDArray]:
        return self.codes_[y], np.zeros((len(y), 0))

    def losses(self, y: NDArray, z: NDArray, lengths: NDArray) -> NDArray:
        return self.loss_matrix_[y, z]

    def decode(self, scores: Scores) -> NDArray:
        return first_best(self._all_scores(scores).T)

    def decode_augmented(self, scores: Scores, y: NDArray) -> NDArray:
        return first_best(self._all_scores(scores).T + self.loss_matrix_.T[:, y])

    def values(self, scores: Scores, y: NDArray) -> NDArray:
        return np.take_along_axis(self._all_scores(scores), y[:, None], axis=1)[:, 0]

    def literal_step(self, totals: Scores, z: NDArray, owner: NDArray) -> NDArray:
        m, n_outputs = len(totals.lengths), len(self.classes_)
        votes = np.bincount(owner * n_outputs + z, minlength=m * n_outputs)
        cost = votes.reshape(m, n_outputs) @ self.loss_matrix_.T
        return first_best((self._all_scores(totals) - cost).T)

    def upper_bound_step(
        self, scores: Scores, totals: Scores, y: NDArray, owner: NDArray
    ) -> NDArray:
        values = np.ascontiguousarray(self._all_scores(scores).T)
        cost = -self._all_scores(totals).T
        for label, losses in enumerate(self.loss_matrix_):
            worst = (values + losses[:, None]).max(axis=0)
            cost[label] += np.bincount(owner, worst, minlength=cost.shape[1])
        return first_best(-cost)

    def _list(self, classes, codes, losses):
        """Sorted labels, codes (n_outputs, n_codes) and losses (n_outputs, n_outputs)."""
        self.classes_ = self.labels_ = classes
        self.codes_, self.loss_matrix_ = codes, losses
        self.n_codes_, self.n_shared_ = codes.shape[1], 0
        return self

    def _all_scores(self, scores):
        """Scores of all outputs (q, n_outputs)."""
        return scores.rows @ self.codes_.T


@quiet
class MulticlassOutputs(FiniteOutputs):
    """Output space of classes, coded as indicators, with the 0/1 loss of equation (25).

    Parameters
    ----------
    classes : array-like of shape (n_classes,), default=None
        The labels; None takes those of the labelled samples.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The labels, sorted.
    codes_ : ndarray of shape (n_classes, n_classes)
        The identity.
    loss_matrix_ : ndarray of shape (n_classes, n_classes)
        Ones off the diagonal.

    See Also
    --------
    OutputSpace : Describes the methods.

    References
    ----------
    .. [1] Du, "Semi-supervised learning of local structured output predictors", Neurocomputing
       2016, equations (24) to (26).

    Examples
    --------
    >>> from ofer.companions import MulticlassOutputs
    >>> space = MulticlassOutputs().fit(["cat", "dog", "cat"])
    >>> space.transform(["dog", "cat"])
    array([1, 0])
    """

    _parameter_constraints: ClassVar[dict] = {"classes": ["array-like", None]}

    def __init__(self, classes: ArrayLike | None = None):
        self.classes = classes

    @fit_context(prefer_skip_nested_validation=True)
    def fit(self, y: ArrayLike | Sequence) -> Self:
        name, labels = ("y", y) if self.classes is None else ("classes", self.classes)
        classes = np.unique(join_labels(name, [labels]))
        codes = np.eye(len(classes))
        return self._list(classes, codes, 1.0 - codes)

    def _all_scores(self, scores):
        return scores.rows  # codes are indicators


@quiet
class TreeOutputs(FiniteOutputs):
    """Output space of leaves of a tree; the loss is the height of the first common ancestor.

    A leaf is coded by the indicators of the nodes on its path to the root, both ends included, so
    that leaves share the weights of their ancestors. The tree says which labels there are, so
    `fit` does not look at any; it raises ValueError if the parents are not those of one tree, or a
    label's node is not a leaf.

    Parameters
    ----------
    parents : array-like of shape (n_nodes,)
        The parent of each node, -1 for the root.
    leaves : array-like of shape (n_leaves,), default=None
        The node of each label: labels are the integers 0, ..., n_leaves - 1. None takes all nodes
        without children, in order.

    Attributes
    ----------
    classes_ : ndarray of shape (n_leaves,)
        The labels.
    leaves_ : ndarray of shape (n_leaves,)
        Their nodes.
    codes_ : ndarray of shape (n_leaves, n_nodes)
        Ancestors of each leaf, itself included.
    loss_matrix_ : ndarray of shape (n_leaves, n_leaves)
        Heights of the first common ancestors. The height of a node is the number of edges on the
        longest path from it down to a leaf.

    See Also
    --------
    OutputSpace : Describes the methods.

    References
    ----------
    .. [1] Du, "Semi-supervised learning of local structured output predictors", Neurocomputing
       2016, section 4.1, equation (27).

    Examples
    --------
    A root with two children, the second of which has two children of its own:

    >>> from ofer.companions import TreeOutputs
    >>> space = TreeOutputs([-1, 0, 0, 2, 2]).fit([])
    >>> space.leaves_
    array([1, 3, 4])
    >>> space.codes_[2]
    array([1., 0., 1., 0., 1.])
    >>> space.loss_matrix_
    array([[0., 2., 2.],
           [2., 0., 1.],
           [2., 1., 0.]])
    """

    _parameter_constraints: ClassVar[dict] = {
        "parents": ["array-like"],
        "leaves": ["array-like", None],
    }

    def __init__(self, parents: ArrayLike, leaves: ArrayLike | None = None):
        self.parents = parents
        self.leaves = leaves

    @fit_context(prefer_skip_nested_validation=True)
    def fit(self, y: ArrayLike | Sequence) -> Self:
        ancestors = _ancestors(_integers("parents", self.parents))
        childless = np.flatnonzero(ancestors.sum(axis=0) == 1)
        if self.leaves is None:
            self.leaves_ = childless
        else:
            self.leaves_ = _integers("leaves", self.leaves)
            wrong = self.leaves_[~np.isin(self.leaves_, childless)]
            if len(wrong):
                raise ValueError(f"leaves must be nodes without children; got {wrong[0]}.")
            if len(np.unique(self.leaves_)) < len(self.leaves_):
                raise ValueError(f"leaves must not repeat a node; got {self.leaves!r}.")
        codes = ancestors[self.leaves_].astype(np.float64)
        depths = ancestors.sum(axis=1) - 1
        heights = np.where(ancestors, depths[:, None], 0).max(axis=0) - depths
        # Ancestors in common are a path from the root: the last of them is the lowest.
        common = codes[:, None] * codes[None] > 0
        losses = np.where(common, heights, len(depths)).min(axis=2).astype(np.float64)
        return self._list(np.arange(len(codes)), codes, losses)


def _integers(name, values):
    check_unmasked(**{name: values})
    array = np.asarray(values)
    if array.ndim != 1 or array.dtype.kind not in "iu" or not len(array):
        raise ValueError(f"{name} must be a sequence of integers; got {values!r}.")
    return array.astype(int)


def _ancestors(parents):
    """Which node (column) is an ancestor of which (row), or the node itself."""
    n_nodes = len(parents)
    outside = (parents < -1) | (parents >= n_nodes)
    if outside.any():
        raise ValueError(f"parents must be nodes, or -1; got {parents[outside][0]}.")
    if (roots := int((parents == -1).sum())) != 1:
        raise ValueError(f"parents must have one -1, that of the root; got {roots}.")
    ancestors = np.eye(n_nodes, dtype=bool)
    above = parents.copy()
    for _ in range(n_nodes):
        rows = np.flatnonzero(above >= 0)
        if not len(rows):
            return ancestors
        ancestors[rows, above[rows]] = True
        above[rows] = parents[above[rows]]
    raise ValueError(f"parents must lead to the root; node {np.argmax(above >= 0)} is in a cycle.")
