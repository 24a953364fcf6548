"""The full Fisher vector as an output embedding."""

from numbers import Integral, Real
from typing import ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.validation import check_is_fitted

from ofer.embeddings import project_simplex
from ofer.embeddings.base import OutputModel
from ofer.embeddings.mixture import GaussianMixtureEmbedding
from ofer.embeddings.mixture_blocks import MEAN_BLOCKS
from ofer.embeddings.preimage import PreImages, search_from_starts
from ofer.full_fisher._loss import FullFisherLoss
from ofer.utils.estimators import DefaultParts, part_of
from ofer.utils.fitting import fit_context
from ofer.utils.memory import row_batches
from ofer.utils.products import quiet
from ofer.utils.sklearn_private import HasMethods, Interval
from ofer.utils.validation import check_range, check_spread
from ofer.utils.warning import warn

ROUNDOFF = 1e-13  # of losses, relative to the square of the target


@quiet
class FullFisherEmbedding(DefaultParts, OutputModel):
    r"""Full Fisher vector of outputs as their embedding, decoded by an iterative pre-image search.

    The embedding is the whole Fisher score of a Gaussian or a Gaussian mixture, with covariances:
    the case :math:`M = I` of [1]_. A predicted embedding h has no pre-image in closed form. The
    output is the best local minimum of

    .. math:: \| \phi(y) - h \|^2 ,

    equations (4) and (9). Damped Gauss-Newton steps search it from several starts: the mean of the
    model, the mean of each component, and the closed form for the blocks of weights and means
    alone, equation (10).

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
    The blocks have the units 1, of one over that of the outputs, and of one over its square, and
    the loss adds their squares: in another unit another block counts most. Embeddings of outputs
    are decoded to these in any unit, but predicted ones are only comparable in one unit, such as
    that of standardised outputs.

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

    _parameter_constraints: ClassVar = {
        "embedding": [HasMethods(["fisher_vector"]), None],
        "max_steps": [Interval(Integral, 1, None, closed="left")],
        "tol": [Interval(Real, 0, None, closed="left")],
    }

    _default_parts: ClassVar = {"embedding": GaussianMixtureEmbedding}

    def __init__(
        self, embedding: OutputModel | None = None, *, max_steps: int = 200, tol: float = 1e-9
    ):
        self.embedding = embedding
        self.max_steps = max_steps
        self.tol = tol

    @fit_context(prefer_skip_nested_validation=False)
    def fit(self, Y: ArrayLike, y: object = None) -> Self:
        # Complete, whatever the inner one takes; the search has sixth powers of deviations.
        rows = self._check_outputs(Y, reset=True)
        check_range("Y minus its first row", rows - rows[0], 1e50)
        check_spread("Y", rows, 1e-50)
        self.embedding_ = clone(part_of(self, "embedding")).fit(Y)
        C, d = self.embedding_.mixture_.means_.shape
        weights = {"weights": C} if "membership" in self.embedding_.blocks_ else {}
        self._set_blocks(**weights, means=C * d, covariances=C * d * d)
        return self

    def transform(self, Y: ArrayLike) -> NDArray:
        check_is_fitted(self)
        return self.embedding_.fisher_vector(Y)

    def inverse_transform(self, H: ArrayLike) -> NDArray:
        images = self.pre_images(H)
        unfinished = np.count_nonzero(~images.converged)
        if unfinished:
            warn(
                f"the pre-image of {unfinished} of {len(images.outputs)} rows was still improving "
                f"after max_steps={self.max_steps}. Raise max_steps or tol.",
                ConvergenceWarning,
            )
        return images.outputs

    def pre_images(self, H: ArrayLike) -> PreImages:
        """Decode embeddings, and return the loss of each pre-image.

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
        H = self.check_embeddings(H)
        starts = self.starts(H)
        # A search takes many small steps: few large batches of matrices, by component and start.
        row_size = len(starts) * len(self.embedding_.mixture_.weights_) * H.shape[1]
        options = {"max_iter": self.max_steps, "tol": self.tol}
        images = [
            search_from_starts(
                self.loss(H[rows]),
                starts[:, rows],
                roundoff=ROUNDOFF * np.square(H[rows]).sum(axis=1),
                **options,
            )
            for rows in row_batches(len(H), row_size, factor=16)
        ]
        found = PreImages(*map(np.concatenate, zip(*images, strict=True)))
        # What lies on its target up to roundoff may still gain another roundoff at each step.
        arrived = found.losses <= ROUNDOFF * np.square(H).sum(axis=1)
        return found._replace(converged=found.converged | arrived)

    def loss(self, H: NDArray) -> FullFisherLoss:
        """Squared distance that the search for a pre-image minimises.

        Parameters
        ----------
        H : ndarray of shape (n_samples, p)
            Embeddings.

        Returns
        -------
        callable
            ``loss(y, rows)`` as `ofer.embeddings.preimage.levenberg_marquardt` takes it.
        """
        H = self.check_embeddings(H)
        return FullFisherLoss(self.embedding_.mixture_, H, has_weights="weights" in self.blocks_)

    def starts(self, H: NDArray) -> NDArray:
        """Starting points of the pre-image search: closed form, component means, the model's mean.

        Parameters
        ----------
        H : ndarray of shape (n_samples, p)
            Embeddings.

        Returns
        -------
        ndarray of shape (n_starts, n_samples, d)
        """
        H, mixture = self.check_embeddings(H), self.embedding_.mixture_
        centres = mixture.means_
        if len(centres) > 1:
            centres = np.vstack([centres, mixture.weights_ @ centres])
        closed = self._closed_form(H)
        others = np.broadcast_to(centres[:, None], (len(centres), *closed.shape))
        return np.concatenate([closed[None], others])

    def _closed_form(self, H):
        """Pre-image of the blocks of weights and means alone, by equation (7) or (10)."""
        means = H[:, self.blocks_["means"]]
        if "weights" not in self.blocks_:
            return self.embedding_.inverse_transform(means)
        mixture = self.embedding_.mixture_
        summed = means.reshape(len(H), *mixture.means_.shape).sum(axis=1)
        g = project_simplex(H[:, self.blocks_["weights"]] * mixture.weights_)
        return MEAN_BLOCKS["score"].decode(mixture, g, summed)

    def _labels(self, block, columns, outputs):
        if block == "weights":
            return super()._labels(block, columns, outputs)
        entries = [f"_{a}" for a in outputs]
        if block == "covariances":
            entries = [a + b for a in entries for b in entries]
        C = (columns.stop - columns.start) // len(entries)
        return [f"{j}{entry}" for j in range(C) for entry in entries]
