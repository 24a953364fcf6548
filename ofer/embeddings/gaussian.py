"""Output Fisher embedding of a single Gaussian."""

from collections.abc import Sequence
from numbers import Real
from typing import ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ofer.embeddings._mixture_fit import fit_mixture
from ofer.embeddings._scalings import SCALINGS
from ofer.embeddings.base import OutputModel
from ofer.embeddings.mixture_blocks import component_scores, full_scores
from ofer.utils.absent import cover_absent
from ofer.utils.fitting import fit_context
from ofer.utils.products import quiet
from ofer.utils.sklearn_private import Interval, StrOptions


@quiet
class GaussianEmbedding(OutputModel):
    r"""Fisher embedding of outputs under one Gaussian, with a closed-form pre-image.

    The reduced embedding (5) and its exact pre-image (7) of [1]_ are

    .. math:: \phi(y) = \Sigma^{-1} (y - \mu), \qquad y^* = \Sigma h + \mu .

    Parameters
    ----------
    covariance_type : {"spherical", "diag", "full"}, default="spherical"
        Form of :math:`\Sigma`; the paper's is spherical.
    reg_covar : float, default=1e-6
        Added to the variances, relative to the outputs' mean variance.

    Attributes
    ----------
    mean_ : ndarray of shape (d,)
        :math:`\mu`.
    covariance_ : float or ndarray of shape (d,) or (d, d)
        :math:`\Sigma`.
    precision_ : float or ndarray of shape (d,) or (d, d)
        :math:`\Sigma^{-1}`.
    blocks_ : dict of slice
        The block "mean" of the embedding's columns.
    n_features_in_ : int
        Number of outputs d.

    See Also
    --------
    GaussianMixtureEmbedding : Several Gaussians.

    Notes
    -----
    Fitting takes O(n d), for a full covariance O(n d^2 + d^3); transforming and inverting
    O(n d) and O(n d^2). With one ridge parameter for all outputs and an intercept, regression on
    this embedding is kernel ridge regression on the outputs, because the map is affine.

    References
    ----------
    .. [1] Djerrab, Garcia, Sangnier, d'Alché-Buc, "Output Fisher embedding regression",
       Machine Learning 107 (2018), sections 3.1 and 4.1.

    Examples
    --------
    >>> import numpy as np
    >>> from ofer import GaussianEmbedding
    >>> Y = np.array([[0.0, 0.0], [2.0, 2.0], [0.0, 2.0], [2.0, 0.0]])
    >>> embedding = GaussianEmbedding(reg_covar=0).fit(Y)
    >>> embedding.transform([[3.0, 1.0]])
    array([[2., 0.]])
    >>> embedding.inverse_transform([[2.0, 0.0]])
    array([[3., 1.]])
    """

    _parameter_constraints: ClassVar = {
        "covariance_type": [StrOptions({"spherical", "diag", "full"})],
        "reg_covar": [Interval(Real, 0, None, closed="left")],
    }

    def __init__(self, *, covariance_type: str = "spherical", reg_covar: float = 1e-6):
        self.covariance_type = covariance_type
        self.reg_covar = reg_covar

    @fit_context(prefer_skip_nested_validation=True)
    def fit(self, Y: ArrayLike, y: object = None, sample_weight: ArrayLike | None = None) -> Self:
        """Estimate mean and covariance by maximum likelihood.

        Parameters
        ----------
        Y : array-like of shape (n_samples, d)
            Outputs.
        y : None
            Ignored; here for scikit-learn's pipelines.
        sample_weight : float or array-like of shape (n_samples,), default=None
            Weights, not negative. Integers are repetitions, zero is an absent sample.

        Returns
        -------
        self : GaussianEmbedding
        """
        weights, Y = cover_absent(sample_weight, Y)
        Y = self._check_outputs(Y, reset=True, ensure_min_samples=2)
        one_step = {"tol": 1.0, "max_iter": 2, "random_state": 0}  # is all that a Gaussian needs
        gaussian = fit_mixture(Y, weights, self._warn_once, **self.get_params(), **one_step)
        self.mean_ = gaussian.means_[0]
        self.covariance_ = gaussian.covariances_[0]
        self.precision_ = gaussian.precisions_[0]
        self.mixture_ = gaussian
        self._set_blocks(mean=Y.shape[1])
        return self

    def transform(self, Y: ArrayLike) -> NDArray:
        Y = self._check_outputs(Y)
        return component_scores(self.mixture_, Y)[:, 0]

    def inverse_transform(self, H: ArrayLike) -> NDArray:
        H = self.check_embeddings(H)
        return SCALINGS["score"].decode(H, self.covariance_) + self.mean_

    def fisher_vector(self, Y: ArrayLike) -> NDArray:
        r"""Fisher score of outputs: gradient of the log-density in mean and covariance.

        The blocks are :math:`\Sigma^{-1}(y - \mu)` and, row by row,
        :math:`\tfrac12 (\phi_\mu \phi_\mu^\top - \Sigma^{-1})`; the factor is missing from
        the printed equation (1).

        Parameters
        ----------
        Y : array-like of shape (n_samples, d)
            Outputs.

        Returns
        -------
        ndarray of shape (n_samples, d + d * d)
        """
        Y = self._check_outputs(Y)
        return np.hstack(full_scores(self.mixture_, np.ones((len(Y), 1)), Y))

    def score_samples(self, Y: ArrayLike) -> NDArray:
        """Log-density of outputs.

        Parameters
        ----------
        Y : array-like of shape (n_samples, d)
            Outputs.

        Returns
        -------
        ndarray of shape (n_samples,)
        """
        Y = self._check_outputs(Y)
        return self.mixture_.score_samples(Y)

    def _labels(self, block: str, columns: slice, outputs: Sequence[str]) -> list[str]:
        return [f"_{output}" for output in outputs]
