"""Weak samples of a regressor of embedded outputs: their components or candidates are known."""

import warnings

import numpy as np
from sklearn.base import clone
from sklearn.utils import check_consistent_length, get_tags

from ofer._incremental import EmbedsOutputs
from ofer._regressors import by_samples, fit_blocks, stack_inputs, stack_weights
from ofer.utils.validation import check_membership
from ofer.weak.outputs import fit_candidates

__all__ = ["FitsWeakSamples", "check_weak_labels"]


def check_weak_labels(X_weak, membership_weak, candidates_weak):
    """Raise ValueError unless weak samples have labels of one kind, and labels samples."""
    labels = {"membership_weak": membership_weak, "candidates_weak": candidates_weak}
    given = [name for name, value in labels.items() if value is not None]
    if len(given) > 1:
        raise ValueError("membership_weak and candidates_weak exclude each other; got both.")
    if (X_weak is None) != (not given):
        label = given[0] if given else "membership_weak"
        missing = "X_weak" if X_weak is None else label
        raise ValueError(f"X_weak and {label} go together; {missing} is None.")


class FitsWeakSamples(EmbedsOutputs):
    """A regressor of embedded outputs, with the parts `embedding` and `regressor`."""

    max_iter: int

    def _fit_weak(self, X, targets, weights, X_weak, membership_weak, weak_weight):
        """Fit the membership block to all samples, the others to the labelled ones: (14).

        Returns the labelled inputs, as queries, and the weights of the samples by block, or None.
        """
        pairwise = get_tags(self).input_tags.pairwise
        names = getattr(self, "feature_names_in_", None)
        X, everything = stack_inputs(X, X_weak, names, pairwise)
        gamma = check_membership("membership_weak", membership_weak, self._model.n_components_)
        check_consistent_length(X_weak, gamma)
        n_weak = self._count_weak(gamma, pairwise)
        of_all = stack_weights(weights, self._n_labelled, n_weak, weak_weight)
        membership, others = by_samples(targets)
        encoded = self._model.encode_membership(gamma)
        membership = {name: np.vstack([block, encoded]) for name, block in membership.items()}
        regressor = clone(self.part("regressor"))  # whose clones warn once
        fitted = fit_blocks(regressor, everything, membership, of_all)
        fitted |= fit_blocks(regressor, X, others, weights)
        self.regressor_ = {name: fitted[name] for name in self.blocks_}
        by_block = dict.fromkeys(others, weights) | {"membership": of_all}
        return everything[: self._n_labelled], by_block

    def _fit_candidates(self, X, H, weights, X_weak, outputs, there, weak_weight):
        """Fit all blocks to all samples, and infer which candidate each weak sample has.

        Returns what `_fit_weak` does.
        """
        with warnings.catch_warnings():  # candidates have no names of columns
            warnings.filterwarnings("ignore", "X does not have valid feature names")
            places = np.asarray(self._model.transform(self._as_embedded(outputs, outputs)))
        self.regressor_, inputs, found = fit_candidates(
            self.part("regressor"), X, X_weak, H, self.blocks_, places, there, weights,
            weak_weight, self.max_iter,
        )  # fmt: skip
        self.__dict__.update(found)
        self._count_weak(there, get_tags(self).input_tags.pairwise)
        return inputs[: self._n_labelled], dict.fromkeys(self.blocks_, weights)

    def _count_weak(self, labels, pairwise):
        self._n_weak = len(labels)
        self.n_features_in_ += self._n_weak * pairwise
        return self._n_weak
