"""The full Fisher vector as an output embedding."""

import warnings
from copy import copy

import numpy as np
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin, clone
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import check_array
from sklearn.utils.validation import check_is_fitted

from ofer._validation import check_columns, check_real
from ofer.embeddings._covariances import row_blocks
from ofer.embeddings._full_loss import FullFisherLoss
from ofer.embeddings.mixture import GaussianMixtureEmbedding
from ofer.embeddings.preimage import PreImages, search_from_starts

__all__ = ["FullFisherEmbedding"]


class FullFisherEmbedding(ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator):
    r"""Full Fisher embedding of outputs, with an iterative pre-image.

    The whole score of a Gaussian or a Gaussian mixture, covariances included: the case
    :math:`M = I` of [1]_. A predicted embedding h has no pre-image in closed form. The output is
    the best local minimum of

    .. math:: \| \phi(y) - h \|^2 ,

    equations (4) and (9), that damped Gauss-Newton steps reach from several starts: the model's
    mean, each component's mean, and the closed form that the blocks of weights and means alone
    would have, equation (10).

    Parameters
    ----------
    embedding : GaussianEmbedding or GaussianMixtureEmbedding, default=None
        The output model; its reduced embedding is not used. None is
        `GaussianMixtureEmbedding` with its defaults.
    max_steps : int, default=200
        Steps from a start at most.
    tol : float, default=1e-9
        A search ends when a step lowers the loss by less than this fraction.

    Attributes
    ----------
    embedding_ : transformer
        The fitted output model.
    blocks_ : dict of slice
        Columns of the blocks "weights" (of a mixture), "means" and "covariances".
    n_features_in_ : int
        Number d of outputs.

    Warns
    -----
    ConvergenceWarning
        If the search stops early for some rows.

    See Also
    --------
    GaussianMixtureEmbedding : The reduced embedding, with a closed form.

    Notes
    -----
    `transform` takes O(n C d^2), the size of its result. A step of the search takes
    O(C d^2 + d^3) for each row and start: the Jacobian, which has C d^2 rows, is never formed.

    References
    ----------
    .. [1] Djerrab, Garcia, Sangnier, d'Alché-Buc, "Output Fisher embedding regression",
       Machine Learning 107 (2018), sections 3 and 4, equations (1), (4), (9).

    Examples
    --------
    >>> import numpy as np
    >>> from ofer import FullFisherEmbedding, GaussianEmbedding
    >>> Y = np.random.default_rng(0).normal(size=(50, 3))
    >>> embedding = FullFisherEmbedding(GaussianEmbedding()).fit(Y)
    >>> H = embedding.transform(Y)
    >>> H.shape
    (50, 12)
    >>> np.allclose(embedding.inverse_transform(H), Y, atol=1e-4)
    True
    """

    def __init__(self, embedding=None, *, max_steps=200, tol=1e-9):
        self.embedding = embedding
        self.max_steps = max_steps
        self.tol = tol

    def fit(self, Y, y=None):
        """Estimate the output model.

        Parameters
        ----------
        Y : array-like of shape (n_samples, d)
            Outputs.
        y : None
            Ignored; here for scikit-learn's pipelines.

        Returns
        -------
        self : FullFisherEmbedding

        Raises
        ------
        ValueError
            If a parameter is out of range, or the model cannot be fitted.
        """
        check_real("max_steps", self.max_steps, at_least=1, integer=True)
        check_real("tol", self.tol, at_least=0)
        embedding = GaussianMixtureEmbedding() if self.embedding is None else self.embedding
        if not (hasattr(embedding, "fisher_vector") and hasattr(embedding, "score_samples")):
            raise ValueError(
                "embedding must be a GaussianEmbedding or a GaussianMixtureEmbedding; "
                f"got {type(embedding).__name__}."
            )
        self.embedding_ = clone(embedding).fit(Y)
        self.n_features_in_ = self.embedding_.n_features_in_
        C, d = self.embedding_.mixture_.means_.shape
        self._has_weights = "membership" in self.embedding_.blocks_
        sizes = {"weights": C} if self._has_weights else {}
        sizes |= {"means": C * d, "covariances": C * d * d}
        ends = np.cumsum(list(sizes.values()))
        self.blocks_ = {
            name: slice(int(end - size), int(end))
            for (name, size), end in zip(sizes.items(), ends, strict=True)
        }
        self._n_features_out = int(ends[-1])
        return self

    def transform(self, Y):
        """Embed outputs: their whole score.

        Parameters
        ----------
        Y : array-like of shape (n_samples, d)
            Outputs.

        Returns
        -------
        ndarray of shape (n_samples, C + C * d + C * d * d) or (n_samples, d + d * d)
            Blocks weights (of a mixture), means, covariances.
        """
        check_is_fitted(self)
        return self.embedding_.fisher_vector(Y)

    def inverse_transform(self, H):
        """Decode embeddings.

        Parameters
        ----------
        H : array-like of shape (n_samples, p)
            Embeddings, predicted ones as a rule.

        Returns
        -------
        ndarray of shape (n_samples, d)

        Warns
        -----
        ConvergenceWarning
            If the search stops early for some rows.
        """
        found = self.pre_images(H)
        unfinished = np.count_nonzero(~found.converged)
        if unfinished:
            warnings.warn(
                f"the pre-image of {unfinished} of {len(found.outputs)} rows was still improving "
                f"after max_steps={self.max_steps}. Raise max_steps or tol.",
                ConvergenceWarning,
                stacklevel=2,
            )
        return found.outputs

    def pre_images(self, H):
        """Decode embeddings, and say how well.

        Parameters
        ----------
        H : array-like of shape (n_samples, p)
            Embeddings, predicted ones as a rule.

        Returns
        -------
        PreImages
            Named tuple of `outputs` (n_samples, d), the `losses` that they attain and whether the
            search `converged`, both (n_samples,).
        """
        check_is_fitted(self)
        H = check_array(H, dtype=np.float64, input_name="H")
        check_columns("H", H, self._n_features_out, "the whole score")
        starts = self._starts(H)
        # A row's matrices, one a component and start, should stay in the processor's cache.
        row_size = len(starts) * len(self.embedding_.mixture_.weights_) * H.shape[1]
        found = [
            search_from_starts(
                FullFisherLoss(self.embedding_.mixture_, H[rows], has_weights=self._has_weights),
                starts[:, rows],
                max_iter=self.max_steps,
                tol=self.tol,
            )
            for rows in row_blocks(len(H), row_size)
        ]
        return PreImages(*map(np.concatenate, zip(*found, strict=True)))

    def _starts(self, H):
        """First guesses, (n_starts, n, d): closed form, component means, the model's mean."""
        mixture = self.embedding_.mixture_
        centres = mixture.means_
        if len(centres) > 1:
            centres = np.vstack([centres, mixture.weights_ @ centres])
        closed = self._closed_form(H)
        return np.concatenate(
            [closed[None], np.broadcast_to(centres[:, None], (len(centres), *closed.shape))]
        )

    def _closed_form(self, H):
        """What equation (7) or (10) makes of the blocks of weights and means."""
        means = H[:, self.blocks_["means"]]
        if not self._has_weights:
            return self.embedding_.inverse_transform(means)
        summed = means.reshape(len(H), *self.embedding_.means_.shape).sum(axis=1)
        reduced = copy(self.embedding_).set_params(scaling="score", decoder="simplex")
        return reduced.inverse_transform(np.hstack([H[:, self.blocks_["weights"]], summed]))
