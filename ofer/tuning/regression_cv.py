"""Output Fisher embedding regression that chooses its output model and its kernel width."""

import warnings
from collections.abc import Sequence
from functools import partial
from itertools import product
from numbers import Integral, Real
from typing import ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, MultiOutputMixin, RegressorMixin, clone
from sklearn.model_selection import KFold
from sklearn.utils import check_array, check_consistent_length
from sklearn.utils.validation import check_is_fitted, validate_data

from ofer.blocks import LeaveOneOut
from ofer.embeddings import GaussianMixtureEmbedding
from ofer.kernel_ridge import KernelRidgeCV
from ofer.regression import OutputFisherRegressor
from ofer.ridge.input_kernel import InputKernel
from ofer.utils.estimators import DefaultParts
from ofer.utils.scoring import AnyOutputsMixin
from ofer.utils.sklearn_private import Interval, fit_context
from ofer.utils.typing import MatrixLike
from ofer.utils.validation import check_outputs, check_real

WIDTHS = 4.0 ** np.arange(2, -4, -1)  # from a quarter of the median distance to eight times it


class OutputFisherRegressorCV(
    DefaultParts, LeaveOneOut, AnyOutputsMixin, MultiOutputMixin, RegressorMixin, BaseEstimator
):
    r"""`OutputFisherRegressor` with components, covariances and kernel width chosen by itself.

    Every combination is judged by the squared error of its decoded leave-one-out predictions.
    The best one with the fewest components is kept unless that of least error gains more than
    `n_standard_errors` of the paired differences between their errors, sample by sample: with one
    component the method [1]_ is kernel ridge regression with an intercept, which more components
    seldom beat where the outputs have no clusters. It is the rule of [2]_ with paired differences.

    Parameters
    ----------
    embedding : GaussianMixtureEmbedding, default=None
        What the candidates have in common, such as `scaling`, `decoder` and `random_state`; None
        is one with its defaults. Its `n_components` and `covariance_type` are replaced.
    regressor : KernelRidgeCV, default=None
        What the candidates have in common, such as `kernel` and `alphas`; None is one with the rbf
        kernel. Its `gamma` is replaced.
    n_components : int or sequence of int, default=(1, 2, 3, 4, 6, 8)
        Candidates for the number of components. Those above the number of different outputs are
        left out.
    covariance_types : sequence of str, default=("spherical",)
        Candidates for the form of the covariances. One component is tried with the first alone.
    gammas : sequence of float, default=None
        Candidates for the kernel's width parameter. None takes six for the rbf kernel: those of
        widths from 1/4 to 8 times the median distance of the inputs; and the regressor's own
        `gamma` for any other kernel.
    cv : int or None, default=5
        Folds for the output model, see the notes; None lets it see all outputs.
    n_standard_errors : float, default=2.0
        Gain, in standard errors, that is asked of more than the fewest components. 0 takes the
        candidate of least error.

    Attributes
    ----------
    best_estimator_ : OutputFisherRegressor
        Fitted to all samples, with the chosen parameters.
    best_params_ : dict
        The chosen "n_components", "covariance_type" and "gamma".
    best_error_ : float
        Mean squared leave-one-out error of the choice.
    cv_results_ : dict of ndarray of shape (n_candidates,)
        "n_components", "covariance_type" and "gamma" of each candidate; "alpha", the ridge chosen
        for its mean block; its leave-one-out "error", averaged over samples and outputs, and the
        "standard_error" of that; the "gain", by how much it is less than that of the best
        candidate with the fewest components, and the paired "gain_standard_error".
    n_features_in_ : int
        Number of input features.

    See Also
    --------
    OutputFisherRegressor : The estimator for given parameters.

    Notes
    -----
    *What is exact.* Given an output model, leave-one-out is exact for each ridge: no regression has
    seen the left-out sample, though the ridge of a block is the best of its candidates on
    these very residuals. An output model that has seen all outputs knows the left-out one, too. Of
    n = 39 outputs four components with full covariances so gained 12 % on average over five
    splits of a benchmark set, and lost 8 % when they had to do without the output. So each output
    is predicted in the embedding of a model fitted to the other folds: its regressions learn the
    embeddings of *all* other outputs under that model. This costs fits of the output model,
    and no decomposition. Fewer outputs make a worse model: the error is a cautious one.

    *Cost.* For n samples, d outputs, w widths, c candidates with C components and f folds: one
    decomposition for each width, O(w n^3); O(w c f n^2 (C + d)) for each ridge; c f fits of
    mixtures, once for all widths; and the final fit. O(n^2 + n c f (C + d)) memory.

    References
    ----------
    .. [1] Djerrab, Garcia, Sangnier, d'Alché-Buc, "Output Fisher embedding regression",
       Machine Learning 107 (2018), section 4.2.
    .. [2] Breiman, Friedman, Olshen, Stone, "Classification and regression trees", Wadsworth
       (1984), section 3.4.3: the simplest model within a standard error of the best.

    Examples
    --------
    >>> import numpy as np
    >>> from ofer import GaussianMixtureEmbedding, OutputFisherRegressorCV
    >>> rng = np.random.default_rng(0)
    >>> X = rng.uniform(-1, 1, size=(60, 2))
    >>> Y = np.sin(3 * X) + 0.5 * rng.normal(size=(60, 2))  # no clusters
    >>> model = OutputFisherRegressorCV(
    ...     GaussianMixtureEmbedding(random_state=0), n_components=(1, 2)
    ... ).fit(X, Y)
    >>> model.best_params_["n_components"]
    1
    >>> model.cv_results_["error"].shape  # two output models, six widths
    (12,)
    """

    _parameter_constraints: ClassVar = {
        "embedding": [GaussianMixtureEmbedding, None],
        "regressor": [KernelRidgeCV, None],
        "n_components": ["array-like", Integral],
        "covariance_types": ["array-like"],
        "gammas": ["array-like", None],
        "cv": [Interval(Integral, 2, None, closed="left"), None],
        "n_standard_errors": [Interval(Real, 0, None, closed="left")],
    }

    _default_parts: ClassVar = {
        "embedding": GaussianMixtureEmbedding,
        "regressor": partial(KernelRidgeCV, kernel="rbf"),
    }
    _input_part = "regressor"

    def __init__(
        self,
        embedding: GaussianMixtureEmbedding | None = None,
        regressor: KernelRidgeCV | None = None,
        *,
        n_components: int | Sequence[int] = (1, 2, 3, 4, 6, 8),
        covariance_types: Sequence[str] = ("spherical",),
        gammas: ArrayLike | None = None,
        cv: int | None = 5,
        n_standard_errors: float = 2.0,
    ):
        self.embedding = embedding
        self.regressor = regressor
        self.n_components = n_components
        self.covariance_types = covariance_types
        self.gammas = gammas
        self.cv = cv
        self.n_standard_errors = n_standard_errors

    @fit_context(prefer_skip_nested_validation=False)
    def fit(self, X: MatrixLike, y: ArrayLike) -> Self:
        """Choose the parameters and fit the estimator to all samples.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            Inputs; with a precomputed kernel the matrix (n_samples, n_samples).
        y : array-like of shape (n_samples,) or (n_samples, d)
            Outputs; entries may be missing (NaN), as in `OutputFisherRegressor`, and have no part
            in errors.

        Returns
        -------
        self : OutputFisherRegressorCV
        """
        validate_data(self, X, y, skip_check_array=True)
        y = check_outputs(y, self.part("embedding"))
        if y.ndim > 2:
            raise ValueError(f"y must have one or two axes; got shape {y.shape}.")
        check_consistent_length(X, y)
        Y = y.reshape(len(y), -1)
        with warnings.catch_warnings():  # a bad candidate is one that is not chosen
            warnings.simplefilter("ignore", UserWarning)
            candidates, errors, alphas = self._search(X, Y)
        best = self._choose(candidates, errors, alphas)
        n_components, covariance_type, gamma = candidates[best]
        self.best_params_ = {
            "n_components": n_components,
            "covariance_type": covariance_type,
            "gamma": gamma,
        }
        self.best_error_ = float(self.cv_results_["error"][best])
        self.best_estimator_ = OutputFisherRegressor(
            self._make_embedding(n_components, covariance_type), self._make_regressor(gamma)
        ).fit(X, y)
        return self

    def predict(self, X: MatrixLike) -> NDArray:
        """Predict the output with the chosen parameters.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_queries, n_features)
            Inputs; with a precomputed kernel its values with the training inputs.

        Returns
        -------
        ndarray of shape (n_queries,) or (n_queries, d)
        """
        check_is_fitted(self)
        return self.best_estimator_.predict(X)

    def predict_membership(self, X: MatrixLike) -> NDArray:
        """Predict the responsibilities of the chosen mixture's components.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_queries, n_features)
            Inputs, as in `predict`.

        Returns
        -------
        ndarray of shape (n_queries, C)
        """
        check_is_fitted(self)
        return self.best_estimator_.predict_membership(X)

    def loo_predict(self) -> NDArray:
        """Predict the output of each sample by regressions that have not seen it.

        The output model and the parameters are the chosen ones, which have seen all samples.

        Returns
        -------
        ndarray of shape (n_samples,) or (n_samples, d)
        """
        check_is_fitted(self)
        return self.best_estimator_.loo_predict()

    def predict_left_out(self, Y: NDArray) -> NDArray:
        """As `loo_predict`, in the shape of Y.

        Parameters
        ----------
        Y : ndarray of shape (n_samples, d)
            The training outputs.

        Returns
        -------
        ndarray of the shape of Y
        """
        return self.loo_predict().reshape(Y.shape)

    def _search(self, X, Y):
        """Candidates, their squared errors (n_candidates, n_samples) and ridges."""
        folds, gammas = self._folds(Y), self._widths(X)
        models = {
            name: [(self._make_embedding(*name).fit(Y[rows]), left) for rows, left in folds]
            for name in self._output_models(Y, folds)
        }
        errors, alphas = zip(*(self._judge(X, Y, models, gamma) for gamma in gammas), strict=True)
        candidates = [(*name, gamma) for gamma, name in product(gammas, models)]
        return candidates, np.vstack(errors), np.concatenate(alphas)

    def _make_regressor(self, gamma):
        return clone(self.part("regressor")).set_params(gamma=gamma)

    def _make_embedding(self, n_components, covariance_type):
        common = clone(self.part("embedding"))
        return common.set_params(n_components=n_components, covariance_type=covariance_type)

    def _folds(self, Y):
        """Pairs of the outputs that a model is fitted to, and those that it embeds unseen."""
        if self.cv is None:
            return [(np.arange(len(Y)), np.arange(len(Y)))]
        return list(KFold(min(self.cv, len(Y)), shuffle=True, random_state=0).split(Y))

    def _output_models(self, Y, folds):
        """Pairs of a number of components and a form of covariances, fewest components first."""
        counts = sorted(set(_candidates("n_components", np.atleast_1d(self.n_components))))
        for count in counts:
            check_real("each of n_components", count, at_least=1, integer=True)
        most = min(len(np.unique(Y[rows], axis=0)) for rows, _ in folds)
        counts = [count for count in counts if count <= most] or counts[:1]
        return [
            (count, covariance_type)
            for count, covariance_type in product(counts, self.covariance_types)
            if count > 1 or covariance_type == self.covariance_types[0]
        ]

    def _widths(self, X):
        """Candidates for the kernel's width parameter."""
        if self.gammas is not None:
            gammas = _candidates("gammas", self.gammas)
            for gamma in gammas:
                check_real("each of gammas", gamma, above=0)
            return gammas
        regressor = self.part("regressor")
        if regressor.kernel != "rbf":
            return [regressor.gamma]
        X = check_array(X, accept_sparse=("csr", "csc"), dtype=np.float64, input_name="X")
        return (WIDTHS * float(InputKernel("rbf", "median").width(X))).tolist()

    def _judge(self, X, Y, models, gamma):
        """Squared leave-one-out errors (n_models, n_samples) and ridges (n_models,), one width."""
        targets = {}
        for name, fitted in models.items():
            for fold, (embedding, _) in enumerate(fitted):
                H = embedding.transform(Y)
                for block, columns in embedding.blocks_.items():
                    targets[name, fold, block] = H[:, columns]
        ridges = self._make_regressor(gamma).fit_blocks(X, targets)
        predicted = targets
        if np.isnan(Y).any():  # what is missing is predicted as if it were of another sample
            predicted = next(iter(ridges.values())).predict_blocks(X, ridges)
        errors = np.empty((len(models), len(Y)))
        for row, (name, fitted) in zip(errors, models.items(), strict=True):
            for fold, (embedding, left) in enumerate(fitted):
                keys = [(name, fold, block) for block in embedding.blocks_]
                unseen = [
                    np.where(
                        np.isnan(targets[key]),
                        predicted[key],
                        targets[key] - ridges[key].loo_residuals_,
                    )[left]
                    for key in keys
                ]
                wrong = embedding.inverse_transform(np.hstack(unseen)) - Y[left]
                row[left] = np.nanmean(np.square(wrong), axis=1)
        logs = [
            np.mean([np.log(ridges[name, fold, "mean"].alpha_) for fold in range(len(fitted))])
            for name, fitted in models.items()
        ]
        return errors, np.exp(logs)

    def _choose(self, candidates, errors, alphas):
        """Index of the chosen candidate, from the errors (n_candidates, n_samples) of all."""
        counts, covariance_types, gammas = (
            np.array(column) for column in zip(*candidates, strict=True)
        )
        means, root = errors.mean(axis=1), np.sqrt(errors.shape[1])
        fewest = np.flatnonzero(counts == counts.min())
        default, best = fewest[means[fewest].argmin()], means.argmin()
        gains = errors[default] - errors
        self.cv_results_ = {
            "n_components": counts,
            "covariance_type": covariance_types,
            "gamma": gammas,
            "alpha": alphas,
            "error": means,
            "standard_error": errors.std(axis=1, ddof=1) / root,
            "gain": gains.mean(axis=1),
            "gain_standard_error": gains.std(axis=1, ddof=1) / root,
        }
        asked = self.n_standard_errors * self.cv_results_["gain_standard_error"][best]
        return int(best if self.cv_results_["gain"][best] > asked else default)


def _candidates(name, values):
    """Candidates as a list of numbers."""
    array = np.asarray(values)
    if array.ndim != 1 or array.size == 0:
        raise ValueError(f"{name} must be a non-empty 1-D array; got {values!r}.")
    return array.tolist()
