"""Output Fisher embedding of a Gaussian mixture."""

import warnings

import numpy as np
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import check_array
from sklearn.utils.validation import check_is_fitted, validate_data

from ofer._validation import check_columns, check_option, check_real
from ofer.embeddings._covariances import (
    COVARIANCE_TYPES,
    full_precisions,
    precision_matrix_sum,
    precision_times,
    row_blocks,
    solve_precision_sum,
)
from ofer.embeddings._mixture_fit import fit_mixture
from ofer.embeddings._simplex import project_simplex
from ofer.embeddings.preimage import search_from_starts, squared_distance

__all__ = ["GaussianMixtureEmbedding"]


class GaussianMixtureEmbedding(ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator):
    r"""Reduced Fisher embedding of outputs under a Gaussian mixture, and its pre-image.

    With responsibilities :math:`\gamma_j(y)` of the C components, weights :math:`\pi_j`, means
    :math:`\mu_j` and covariances :math:`\Sigma_j`, the embedding has a membership block in
    :math:`\mathbb R^C` and a mean block in :math:`\mathbb R^d`:

    ========= ============================ =====================================================
    scaling   membership block             mean block
    ========= ============================ =====================================================
    natural   :math:`\gamma_j(y)`          :math:`y - \sum_j \gamma_j(y) \mu_j`
    score     :math:`\gamma_j(y) / \pi_j`  :math:`\sum_j \gamma_j(y) \Sigma_j^{-1} (y - \mu_j)`
    ========= ============================ =====================================================

    Score scaling is the paper's [1]_, section 4.2. Natural scaling is another choice of its free
    matrix M, the natural gradient of each mean weighted by :math:`\pi_j`; its pre-image needs no
    inverse. For a predicted embedding :math:`h = (h_1, h_2)` the closed forms are

    .. math::

        y^* = h_2 + \sum_j g_j \mu_j \quad (\text{natural}), \qquad
        \Big( \sum_j g_j \Sigma_j^{-1} \Big) y^* = h_2 + \sum_j g_j \Sigma_j^{-1} \mu_j
        \quad (\text{score, equation (10)}),

    where :math:`g` is the predicted membership, :math:`h_1` or :math:`\pi_j h_{1j}`.

    Parameters
    ----------
    n_components : int, default=1
        Number C of components.
    covariance_type : {"spherical", "diag", "tied", "full"}, default="spherical"
        Form of the covariances; the paper's are spherical.
    scaling : {"natural", "score"}, default="natural"
        Which embedding.
    decoder : {"simplex", "raw", "exact"}, default="simplex"
        Pre-image: "simplex" projects the membership on the probability simplex before the
        closed form, "raw" takes it as predicted (as printed; with score scaling it explodes where
        the sum of precisions is nearly singular), "exact" takes the best minimum of (3),
        :math:`\|\phi(y) - h\|^2`, that is reached from there, from the model's mean and
        from the means of the components.
    reg_covar : float, default=1e-6
        Added to the variances, relative to the outputs' mean variance.
    tol : float, default=1e-6
        Mean score of the training outputs, in their standard scale, at which EM may stop.
    max_iter : int, default=500
        EM iterations at most.
    n_init : int, default=1
        EM starts; the most likely is kept.
    random_state : int, RandomState instance or None, default=None
        Seeds the starts.

    Attributes
    ----------
    weights_ : ndarray of shape (C,)
        :math:`\pi`.
    means_ : ndarray of shape (C, d)
        :math:`\mu`.
    covariances_, precisions_ : ndarray
        :math:`\Sigma` and its inverse: (C,), (C, d), (d, d) or (C, d, d) by covariance type.
    blocks_ : dict of slice
        Columns of the blocks "membership" and "mean".
    mixture_ : GaussianMixture
        The fitted output model.
    converged_ : bool
        Whether EM reached `tol`.
    n_iter_ : int
        EM iterations of the best start.
    n_features_in_ : int
        Number d of outputs.

    Warns
    -----
    CollapsedComponentWarning
        If a component shrinks to a point or a subspace.
    ConvergenceWarning
        If EM stops by `max_iter`.

    See Also
    --------
    OutputFisherRegressor : Learns the embedding and decodes the prediction.
    GaussianEmbedding : One Gaussian.

    Notes
    -----
    An EM iteration and `transform` take O(n C d) (spherical, diag), O(n C d^2) (tied, full);
    `inverse_transform` O(n C d) with natural scaling, and with score scaling O(n C d),
    O(n d (C + d)) and O(n (C d^2 + d^3)) for spherical and diag, tied, and full;
    the exact decoder O((C + d) d^2 + d^3) a row, start and step.

    References
    ----------
    .. [1] Djerrab, Garcia, Sangnier, d'Alché-Buc, "Output Fisher embedding regression",
       Machine Learning 107 (2018), sections 3.2 and 4.2.

    Examples
    --------
    >>> import numpy as np
    >>> from ofer import GaussianMixtureEmbedding
    >>> rng = np.random.default_rng(0)
    >>> Y = np.vstack([rng.normal(0, 1, (50, 2)), rng.normal(8, 1, (50, 2))])
    >>> embedding = GaussianMixtureEmbedding(n_components=2, random_state=0).fit(Y)
    >>> H = embedding.transform(Y)
    >>> H.shape
    (100, 4)
    >>> np.allclose(embedding.inverse_transform(H), Y)
    True
    """

    def __init__(
        self,
        n_components=1,
        *,
        covariance_type="spherical",
        scaling="natural",
        decoder="simplex",
        reg_covar=1e-6,
        tol=1e-6,
        max_iter=500,
        n_init=1,
        random_state=None,
    ):
        self.n_components = n_components
        self.covariance_type = covariance_type
        self.scaling = scaling
        self.decoder = decoder
        self.reg_covar = reg_covar
        self.tol = tol
        self.max_iter = max_iter
        self.n_init = n_init
        self.random_state = random_state

    def fit(self, Y, y=None):
        """Estimate the mixture by maximum likelihood (EM).

        Parameters
        ----------
        Y : array-like of shape (n_samples, d)
            Outputs.
        y : None
            Ignored; here for scikit-learn's pipelines.

        Returns
        -------
        self : GaussianMixtureEmbedding

        Raises
        ------
        ValueError
            If a parameter is out of range, the outputs are not finite or all equal, or there
            are fewer different outputs than components.
        """
        self._check_parameters()
        Y = validate_data(self, Y, dtype=np.float64, ensure_min_samples=2)
        self.mixture_ = fit_mixture(
            Y,
            self.n_components,
            self.covariance_type,
            reg_covar=self.reg_covar,
            tol=self.tol,
            max_iter=self.max_iter,
            n_init=self.n_init,
            random_state=self.random_state,
        )
        for name in ("weights_", "means_", "covariances_", "precisions_"):
            setattr(self, name, getattr(self.mixture_, name))
        self.converged_ = self.mixture_.converged_
        self.n_iter_ = self.mixture_.n_iter_
        C, d = self.means_.shape
        self.blocks_ = {"membership": slice(0, C), "mean": slice(C, C + d)}
        self._n_features_out = C + d
        return self

    def transform(self, Y):
        """Embed outputs.

        Parameters
        ----------
        Y : array-like of shape (n_samples, d)
            Outputs.

        Returns
        -------
        ndarray of shape (n_samples, C + d)
            Membership block, then mean block.
        """
        check_is_fitted(self)
        Y = validate_data(self, Y, reset=False, dtype=np.float64)
        gamma = self.mixture_.predict_proba(Y)
        if self.scaling == "natural":
            mean = Y - gamma @ self.means_
        else:
            mean = np.einsum("nc,ncd->nd", gamma, self._component_scores(Y))
        return np.hstack([self.encode_membership(gamma), mean])

    def inverse_transform(self, H):
        """Decode embeddings: the pre-image chosen by `decoder`.

        Parameters
        ----------
        H : array-like of shape (n_samples, C + d)
            Embeddings, predicted ones as a rule.

        Returns
        -------
        ndarray of shape (n_samples, d)
            Outputs. With the simplex decoder and natural scaling each is the predicted mean
            block plus a point of the convex hull of the component means.

        Warns
        -----
        UserWarning
            If equation (10) is singular for some rows (score scaling, raw decoder); they become
            the mean of the output model.
        ConvergenceWarning
            If the search of the exact decoder stops early for some rows.
        """
        check_is_fitted(self)
        H = check_array(H, dtype=np.float64, input_name="H")
        check_columns("H", H, self._n_features_out, "C memberships, then d outputs")
        membership = H[:, self.blocks_["membership"]]
        if self.decoder == "raw":
            g = membership if self.scaling == "natural" else membership * self.weights_
        else:
            g = self.decode_membership(membership)
        Y = self._closed_form(g, H[:, self.blocks_["mean"]])
        return self._improve(Y, H) if self.decoder == "exact" else Y

    def encode_membership(self, responsibilities):
        """Membership block of outputs of which only the responsibilities are known.

        Parameters
        ----------
        responsibilities : ndarray of shape (n_samples, C)
            Rows of the probability simplex.

        Returns
        -------
        ndarray of shape (n_samples, C)
        """
        if self.scaling == "natural":
            return responsibilities
        return responsibilities / self.weights_

    def decode_membership(self, block):
        """Responsibilities nearest to a predicted membership block.

        Parameters
        ----------
        block : ndarray of shape (n_samples, C)
            Any finite rows.

        Returns
        -------
        ndarray of shape (n_samples, C)
            Their projection, in the natural scale, on the probability simplex.
        """
        return project_simplex(block if self.scaling == "natural" else block * self.weights_)

    def fisher_vector(self, Y):
        r"""Exact score of outputs: gradient of the log-density in every parameter.

        The blocks are, for each component j,

        .. math::

            \gamma_j / \pi_j, \qquad \gamma_j \Sigma_j^{-1} (y - \mu_j), \qquad
            \tfrac12 \gamma_j \big( \Sigma_j^{-1} (y - \mu_j)(y - \mu_j)^\top \Sigma_j^{-1}
            - \Sigma_j^{-1} \big) .

        The weights are free of the constraint that they sum to one, as in the paper, so that
        the mean of their block over the training outputs is 1, the constraint's multiplier;
        the means of the other blocks are 0. The covariance block treats every component and
        every entry as free; the derivative in the parameter of a simpler covariance is its
        contraction: the diagonal, the trace, or the sum over components.

        Parameters
        ----------
        Y : array-like of shape (n_samples, d)
            Outputs.

        Returns
        -------
        ndarray of shape (n_samples, C + C * d + C * d * d)
            Weights, means (component by component), covariances (likewise, row by row).
        """
        check_is_fitted(self)
        Y = validate_data(self, Y, reset=False, dtype=np.float64)
        n, d = Y.shape
        C = len(self.weights_)
        gamma = self.mixture_.predict_proba(Y)
        scores = self._component_scores(Y)
        P = full_precisions(self.precisions_, self.covariance_type, C, d)
        covariance = scores[:, :, :, None] * scores[:, :, None, :] - P
        covariance *= 0.5 * gamma[:, :, None, None]
        mean = gamma[:, :, None] * scores
        return np.hstack([gamma / self.weights_, mean.reshape(n, -1), covariance.reshape(n, -1)])

    def predict_proba(self, Y):
        """Responsibilities of the components for outputs.

        Parameters
        ----------
        Y : array-like of shape (n_samples, d)
            Outputs.

        Returns
        -------
        ndarray of shape (n_samples, C)
        """
        check_is_fitted(self)
        return self.mixture_.predict_proba(validate_data(self, Y, reset=False, dtype=np.float64))

    def score_samples(self, Y):
        """Log-density of outputs.

        Parameters
        ----------
        Y : array-like of shape (n_samples, d)
            Outputs.

        Returns
        -------
        ndarray of shape (n_samples,)
        """
        check_is_fitted(self)
        return self.mixture_.score_samples(validate_data(self, Y, reset=False, dtype=np.float64))

    def _check_parameters(self):
        check_real("n_components", self.n_components, at_least=1, integer=True)
        check_option("covariance_type", self.covariance_type, COVARIANCE_TYPES)
        check_option("scaling", self.scaling, ("natural", "score"))
        check_option("decoder", self.decoder, ("simplex", "raw", "exact"))
        check_real("reg_covar", self.reg_covar, at_least=0)
        check_real("tol", self.tol, above=0)
        check_real("max_iter", self.max_iter, at_least=1, integer=True)
        check_real("n_init", self.n_init, at_least=1, integer=True)

    def _component_scores(self, Y):
        """Scores of each component's mean, ``Sigma_j^-1 (y - mu_j)``: (n, C, d)."""
        residuals = Y[:, None, :] - self.means_
        return precision_times(residuals, self.precisions_, self.covariance_type)

    def _closed_form(self, g, mean):
        """Pre-image for memberships `g` and a mean block, both predicted."""
        if self.scaling == "natural":
            return mean + g @ self.means_
        # Around the model's mean the system has smaller numbers than around the origin.
        centre = self.weights_ @ self.means_
        pulls = precision_times(
            (self.means_ - centre)[None], self.precisions_, self.covariance_type
        )[0]
        Y = solve_precision_sum(g, self.precisions_, self.covariance_type, mean + g @ pulls)
        singular = ~np.isfinite(Y).all(axis=1)
        if singular.any():
            warnings.warn(
                f"equation (10) is singular for {singular.sum()} of {len(Y)} rows; they are "
                "decoded to the mean of the output model. Use decoder='simplex'.",
                UserWarning,
                stacklevel=3,
            )
            Y[singular] = 0.0
        return Y + centre

    def _improve(self, Y, H):
        """Best local minima of (3) reached from the closed form Y and from the model's means."""
        means = np.vstack([self.weights_ @ self.means_, self.means_])
        row_size = (1 + len(means)) * self._n_features_out * Y.shape[1]
        found = []
        for rows in row_blocks(len(Y), row_size):  # Jacobians are large
            others = np.broadcast_to(means[:, None], (len(means), *Y[rows].shape))
            starts = np.concatenate([Y[None, rows], others])
            found.append(search_from_starts(squared_distance(self._embed, H[rows]), starts))
        unfinished = sum(np.count_nonzero(~part.converged) for part in found)
        if unfinished:
            warnings.warn(
                f"the exact pre-image of {unfinished} of {len(Y)} rows was still improving when "
                "its search stopped; they are no worse than the closed form. Use "
                "decoder='simplex' or fewer components.",
                ConvergenceWarning,
                stacklevel=3,
            )
        return np.vstack([part.outputs for part in found])

    def _embed(self, Y):
        """Embedding (n, C + d) of outputs and its Jacobian (n, C + d, d)."""
        gamma = self.mixture_.predict_proba(Y)
        scores = self._component_scores(Y)
        centred = np.einsum("nc,ncd->nd", gamma, scores)[:, None, :] - scores
        slopes = gamma[:, :, None] * centred  # of the responsibilities, (n, C, d)
        if self.scaling == "natural":
            mean = Y - gamma @ self.means_
            mean_slopes = np.eye(Y.shape[1]) - self.means_.T @ slopes
            membership, membership_slopes = gamma, slopes
        else:
            mean = np.einsum("nc,ncd->nd", gamma, scores)
            mean_slopes = scores.transpose(0, 2, 1) @ slopes
            mean_slopes += precision_matrix_sum(
                gamma, self.precisions_, self.covariance_type, Y.shape[1]
            )
            membership = gamma / self.weights_
            membership_slopes = slopes / self.weights_[:, None]
        return (
            np.hstack([membership, mean]),
            np.concatenate([membership_slopes, mean_slopes], axis=1),
        )
