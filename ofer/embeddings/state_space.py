"""Output Fisher embedding of series under a linear Gaussian state-space model."""

from collections.abc import Callable, Iterable, Sequence
from numbers import Integral, Real
from typing import ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.utils import check_consistent_length
from sklearn.utils.validation import check_is_fitted

from ofer.embeddings._scalings import SCALINGS
from ofer.embeddings.base import HasStates, OutputModel
from ofer.state_space import LinearGaussianSSM
from ofer.utils.fitting import fit_context
from ofer.utils.products import quiet
from ofer.utils.series import SIZES
from ofer.utils.sklearn_private import Interval, StrOptions
from ofer.utils.typing import Seed
from ofer.utils.validation import as_numbers, check_batches, check_names, check_range, listed


@quiet
class StateSpaceEmbedding(HasStates, OutputModel):
    r"""Reduced Fisher embedding of series under a state-space model, with a closed-form pre-image.

    The model has states :math:`m_t \in \mathbb R^d` and observations :math:`z_t \in \mathbb R^p`,

    .. math::

        m_1 \sim \mathcal N(\mu_0, \Sigma_0), \quad
        m_t \mid m_{t-1} \sim \mathcal N(A m_{t-1} + a, Q), \quad
        z_t \mid m_t \sim \mathcal N(C m_t + b, R) .

    A series of T steps, with its states given or replaced by their smoothed means, is embedded in
    three blocks of innovations, equations (11) and (12) of [1]_:

    .. table:: Blocks of the embedding by scaling.

        ========== =========================== =========================================
        block      natural scaling             score scaling
        ========== =========================== =========================================
        initial    :math:`m_1 - \mu_0`         :math:`\Sigma_0^{-1} (m_1 - \mu_0)`
        transition :math:`m_t - A m_{t-1} - a` :math:`Q^{-1} (m_t - A m_{t-1} - a)`
        emission   :math:`z_t - C m_t - b`     :math:`R^{-1} (z_t - C m_t - b)`
        ========== =========================== =========================================

    for t from 2 to T in the transition block and from 1 to T in the emission block. The pre-image
    is exact and sequential: each innovation, in its natural scale, advances the recursion by one
    step.

    Parameters
    ----------
    n_states : int, default=1
        Dimension d of the states.
    scaling : {"natural", "score"}, default="natural"
        Which embedding; the paper's is "score".
    max_iter : int, default=200
        Iterations of the model's fit at most, see `LinearGaussianSSM`.
    tol : float, default=1e-8
        The fit ends once its next step promises no more log-likelihood per observed entry.
    fit_offset : bool, default=True
        Whether to fit the offsets, see `LinearGaussianSSM`; otherwise they are zero, as in the
        paper, and the series should be centred.
    random_state : int, RandomState instance or None, default=None
        Passed to the model.

    Attributes
    ----------
    model_ : LinearGaussianSSM
        The fitted output model.
    blocks_ : dict of slice
        Columns of the blocks "initial", "transition" and "emission".
    n_steps_ : int
        Length T of the series.
    n_features_in_ : int
        Dimension p of the observations.

    See Also
    --------
    LinearGaussianSSM : The model and its EM.
    OutputFisherRegressor : Learns the embedding and decodes the prediction.

    Notes
    -----
    `transform` costs a smoother pass, unless states are given, and O(n T (d^2 + p d + p^2));
    `inverse_transform` O(n T (d^2 + p d + p^2)), vectorised over series. Embedding and decoding
    are affine: with one ridge parameter for all blocks, kernel ridge regression with an intercept
    on this embedding is kernel ridge regression on the series.

    References
    ----------
    .. [1] Djerrab, Garcia, Sangnier, d'Alché-Buc, "Output Fisher embedding regression",
       Machine Learning 107 (2018), sections 3.3 and 4.3.

    Examples
    --------
    >>> import numpy as np
    >>> from ofer import StateSpaceEmbedding
    >>> Z = np.cumsum(np.random.default_rng(0).normal(size=(30, 6, 1)), axis=1)
    >>> embedding = StateSpaceEmbedding(n_states=1, tol=1e-4).fit(Z)
    >>> H = embedding.transform(Z)
    >>> H.shape
    (30, 12)
    >>> np.allclose(embedding.inverse_transform(H), Z)
    True
    """

    _parameter_constraints: ClassVar = {
        "n_states": [Interval(Integral, 1, None, closed="left")],
        "scaling": [StrOptions(set(SCALINGS))],
        "max_iter": [Interval(Integral, 1, None, closed="left")],
        "tol": [Interval(Real, 0, None, closed="left")],
        "fit_offset": ["boolean"],
        "random_state": ["random_state"],
    }

    def __init__(
        self,
        n_states: int = 1,
        *,
        scaling: str = "natural",
        max_iter: int = 200,
        tol: float = 1e-8,
        fit_offset: bool = True,
        random_state: Seed = None,
    ):
        self.n_states = n_states
        self.scaling = scaling
        self.max_iter = max_iter
        self.tol = tol
        self.fit_offset = fit_offset
        self.random_state = random_state

    @fit_context(prefer_skip_nested_validation=True)
    def fit(self, Z: ArrayLike, states: ArrayLike | None = None) -> Self:
        """Estimate the state-space model: by EM, or, with given states, by regressions.

        Parameters
        ----------
        Z : array-like of shape (n_series, T, p)
            Series.
        states : array-like of shape (n_series, T, n_states), default=None
            Their states, where these are observed.

        Returns
        -------
        self : StateSpaceEmbedding
        """
        return self._fit(Z, lambda model: model.fit(Z, states=states))

    @fit_context(prefer_skip_nested_validation=True)
    def fit_in_batches(self, batches: Iterable[ArrayLike]) -> Self:
        """Estimate the model from batches of series (n_series, T, p), as `LinearGaussianSSM` does.

        Parameters
        ----------
        batches : iterable of array-like
            Batches of series; no iterator, since EM goes through them again and again.

        Returns
        -------
        self : StateSpaceEmbedding
        """
        return self._fit(check_batches(batches), lambda model: model.fit_in_batches(batches))

    def _fit(self, Z: ArrayLike, fit: Callable[[LinearGaussianSSM], LinearGaussianSSM]) -> Self:
        """Fit the model, given its first series."""
        check_names(self, Z, reset=True)
        Z = self._check_series("Z", Z)
        options = {name: value for name, value in self.get_params().items() if name != "scaling"}
        self.model_ = fit(LinearGaussianSSM(**options))
        _, self.n_steps_, self.n_features_in_ = Z.shape
        d, T, p = self.n_states, self.n_steps_, self.n_features_in_
        self._set_blocks(initial=d, transition=(T - 1) * d, emission=T * p)
        return self

    def transform(self, Z: ArrayLike, states: ArrayLike | None = None) -> NDArray:
        """Embed series.

        Parameters
        ----------
        Z : array-like of shape (n_series, T, p)
            Series of the fitted length.
        states : array-like of shape (n_series, T, n_states), default=None
            Their states; None takes the smoothed means.

        Returns
        -------
        ndarray of shape (n_series, T * (n_states + p))
            Blocks initial, transition and emission, step by step.
        """
        encode = SCALINGS[self.scaling].encode
        blocks = [encode(*innovations) for innovations in self._innovations(Z, states)]
        return np.hstack([block.reshape(len(block), -1) for block in blocks])

    def inverse_transform(self, H: ArrayLike) -> NDArray:
        H = self.check_embeddings(H)
        M = self.decode_states(H)
        residuals = self._residuals(H, "emission", self.model_.observation_covariance_)
        return M @ self.model_.observation_matrix_.T + self.model_.observation_offset_ + residuals

    def decode_states(self, H: ArrayLike) -> NDArray:
        H = self.check_embeddings(H)
        model = self.model_
        start = self._residuals(H, "initial", model.initial_covariance_)
        moves = self._residuals(H, "transition", model.transition_covariance_)
        moves = moves + model.transition_offset_
        M = np.concatenate([start + model.initial_mean_, moves], axis=1)
        for t in range(1, self.n_steps_):
            M[:, t] += M[:, t - 1] @ model.transition_matrix_.T
        return M

    def fisher_vector(self, Z: ArrayLike, states: ArrayLike | None = None) -> NDArray:
        r"""Fisher score of series with their states, step by step: equation (2) of [1]_.

        A step with the residual r and the covariance S, a transition for instance with
        :math:`r = m_t - A m_{t-1} - a` and :math:`S = Q`, contributes the score in its mean and,
        row by row, in its covariance, every entry of it free:

        .. math:: S^{-1} r, \qquad \tfrac12 (S^{-1} r r^\top S^{-1} - S^{-1}) .

        The derivative in what the steps share, a matrix such as Q or an offset, whose score is
        that in the mean, is the sum over steps.

        Parameters
        ----------
        Z : array-like of shape (n_series, T, p)
            Series of the fitted length.
        states : array-like of shape (n_series, T, n_states), default=None
            Their states; None takes the smoothed means.

        Returns
        -------
        ndarray of shape (n_series, T * (d + d * d) + T * (p + p * p))
            The initial step, the transitions, the emissions; d stands for n_states.

        References
        ----------
        .. [1] Djerrab, Garcia, Sangnier, d'Alché-Buc, "Output Fisher embedding regression",
           Machine Learning 107 (2018), section 3.3.
        """
        blocks = []
        for residuals, covariance in self._innovations(Z, states):
            score = SCALINGS["score"].encode(residuals, covariance)
            outer = score[..., :, None] * score[..., None, :]
            precision = np.linalg.solve(covariance, np.eye(len(covariance)))
            matrix = (0.5 * (outer - precision)).reshape(*score.shape[:2], -1)
            steps = np.concatenate([score, matrix], axis=2)
            blocks.append(steps.reshape(len(steps), -1))
        return np.hstack(blocks)

    def _innovations(self, Z, states):
        """Residuals (n, steps, dimension) and covariance of the three kinds of steps."""
        check_is_fitted(self)
        check_names(self, Z, reset=False)
        Z = self._check_series("Z", Z, self.n_features_in_)
        if states is None:
            M = self.model_.smooth(Z).means
        else:
            M = self._check_series("states", states, self.n_states)
            check_consistent_length(Z, M)
        model = self.model_
        moves = M[:, 1:] - M[:, :-1] @ model.transition_matrix_.T - model.transition_offset_
        noise = Z - M @ model.observation_matrix_.T - model.observation_offset_
        return (
            (M[:, :1] - model.initial_mean_, model.initial_covariance_),
            (moves, model.transition_covariance_),
            (noise, model.observation_covariance_),
        )

    def _residuals(self, H: NDArray, name: str, covariance: NDArray) -> NDArray:
        """Innovations of a block in their natural scale, (n, steps, dimension)."""
        block = H[:, self.blocks_[name]].reshape(len(H), -1, len(covariance))
        return SCALINGS[self.scaling].decode(block, covariance)

    def _labels(self, block: str, columns: slice, outputs: Sequence[str]) -> list[str]:
        names = outputs if block == "emission" else [f"m{i}" for i in range(self.n_states)]
        first = 1 if block == "transition" else 0
        steps = (columns.stop - columns.start) // len(names)
        return [f"{t}_{name}" for t in range(first, first + steps) for name in names]

    def _check_series(self, name, array, n_dimensions=None):
        """Series (n, T, p), float64; with `n_dimensions`, of the fitted length."""
        options = {"ensure_all_finite": "allow-nan", "allow_nd": True}
        series = as_numbers(name, listed(array), **options)
        if series.ndim != 3:
            raise ValueError(
                f"{name} must have the shape (n_series, n_steps, n_dimensions); got {series.shape}."
            )
        if n_dimensions is not None and series.shape[1:] != (self.n_steps_, n_dimensions):
            raise ValueError(
                f"{name} must have {self.n_steps_} steps of {n_dimensions} dimensions, as fitted; "
                f"got shape {series.shape}."
            )
        if gaps := np.count_nonzero(np.isnan(series)):
            raise ValueError(
                f"{name} must be complete; got NaN in {gaps} of {series.size} entries. Fill them, "
                "or fit a LinearGaussianSSM, which takes series Z with gaps, and whose smoothed "
                "means say what to fill in."
            )
        check_range(name, series, SIZES[1])
        return series
