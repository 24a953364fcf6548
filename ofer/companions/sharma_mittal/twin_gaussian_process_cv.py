"""Twin Gaussian processes that choose widths, ridge parameter and alpha by cross-validation."""

from collections.abc import Iterable
from itertools import product
from typing import ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator, MultiOutputMixin, RegressorMixin
from sklearn.model_selection import BaseCrossValidator, BaseShuffleSplit, check_cv
from sklearn.utils.validation import check_is_fitted, validate_data

from ofer.companions._checks import check_numeric
from ofer.companions.sharma_mittal.twin_gaussian_process import (
    ALPHA,
    BANDWIDTH,
    RIDGE,
    SEARCH_CONSTRAINTS,
    TwinGaussianProcess,
    distances,
)
from ofer.companions.sharma_mittal.twin_gaussian_process import WIDTHS as RULE
from ofer.utils.fitting import fit_context
from ofer.utils.products import quiet
from ofer.utils.scoring import score_predictions, target_units
from ofer.utils.typing import ScoringLike
from ofer.utils.validation import (
    check_even,
    check_range,
    check_rows,
    check_values,
    check_weights,
)

# Predictions change most near the ends, which an even grid would leap over.
ALPHAS = (0.0, 1e-4, 1e-3, 0.01, 0.03, 0.1, 0.3, 0.5, 0.7, 0.9, 0.97, 0.99, 1.0)
WIDTHS = (1.0, 2.0, 4.0), (0.5, 1.0, 2.0)  # of inputs and outputs, in typical distances
RIDGES = (1e-3, 1e-2, 1e-1)
DEFAULTS = TwinGaussianProcess().get_params()  # its widths are RULE
N_STANDARD_ERRORS = 2.0  # by which a candidate is better than the defaults
PARAMETERS = "bandwidth_x", "bandwidth_y", "ridge", "alpha"
GRIDS = {"bandwidths_x": BANDWIDTH, "bandwidths_y": BANDWIDTH, "ridges": RIDGE, "alphas": ALPHA}


@quiet
class TwinGaussianProcessCV(MultiOutputMixin, RegressorMixin, BaseEstimator):
    r"""Twin Gaussian process regression that chooses its parameters jointly by cross-validation.

    Tries every combination of widths, ridge parameter and :math:`\alpha` on every fold. The ends of
    the grid of :math:`\alpha` are the Kullback-Leibler forms of `TwinGaussianProcess`: so the
    choice among divergences is part of the search, unless it is the only candidate, such as
    ``alphas=[0]`` for KLTGP.

    Parameters
    ----------
    alphas : array-like of shape (n_alphas,), default=None
        Candidates for :math:`\alpha`, from 0 to 1. None takes 13 values with 0 and 1, dense towards
        both.
    bandwidths_x, bandwidths_y : array-like of shape (n_bandwidths,), default=None
        Positive candidates for the widths of the kernels, each for all columns. None has widths
        for each column, as `TwinGaussianProcess` has: 1, 2 and 4 times the root mean square of the
        distances between inputs whose columns are divided by their standard deviations, and 0.5, 1
        and 2 times that of outputs.
    ridges : array-like of shape (n_ridges,), default=None
        Candidates for the ridge parameter of both kernels. None takes 1e-3, 1e-2 and 1e-1.
    cv : int, cross-validation generator or iterable, default=5
        Folds, as in scikit-learn.
    scoring : str or callable, default=None
        A scikit-learn scorer for the predictions. None is minus the mean squared error in units of
        each output's variance. The paper's error is the mean Euclidean distance.
    n_neighbors, n_starts, max_iter : int, default=None, 1, 50
        As in `TwinGaussianProcess`.

    Attributes
    ----------
    best_estimator_ : TwinGaussianProcess
        Fitted to all samples with the chosen parameters.
    best_params_ : dict
        The chosen "bandwidth_x", "bandwidth_y", "ridge" and "alpha"; numbers, but for default
        widths, which are arrays.
    best_score_ : float
        Mean score of the chosen parameters over the folds. If the grid has default widths and
        holds the defaults of `TwinGaussianProcess`, these stay unless the best parameters gain more
        than two standard errors of the folds over them.
    cv_results_ : dict of str to ndarray of shape (n_candidates,)
        "param_bandwidth_x" and so on, of shape (n_candidates, n_columns) for default widths,
        "split0_test_score" and so on, "mean_test_score" and "std_test_score" of all combinations.
    n_iter_ : int
        That of `best_estimator_`.
    n_features_in_ : int
        Number of input features.

    Warns
    -----
    UserWarning
        By `predict`, as `TwinGaussianProcess` does.

    See Also
    --------
    TwinGaussianProcess : The model for given parameters.

    Notes
    -----
    For each fold, widths and ridge parameter, the kernels are factorised once, the prediction of
    KLTGP is made once and starts the searches of all :math:`\alpha`: O(N^3) time for each
    of these combinations, and as much for each :math:`\alpha`, besides the predictions. The
    default grid has 27 x 13 combinations: with many samples, give fewer candidates, set
    `n_neighbors` or validate on one split only, ``cv=ShuffleSplit(1)``.

    The default grid holds the defaults of `TwinGaussianProcess`, which stay where folds of few
    samples do not tell another choice from luck; units of columns change nothing.

    A pickle has the training set and `cv_results_`, a row for each combination.

    To choose the other parameters for KLTGP first and :math:`\alpha` afterwards, as in [1]_, fit
    one of these estimators with ``alphas=[0]`` and another with its choice for the only
    candidates.

    References
    ----------
    .. [1] Elhoseiny, Elgammal, "Generalized Twin Gaussian processes using Sharma-Mittal
       divergence", Machine Learning 100 (2015), sections 4.2 and 5.2.

    Examples
    --------
    >>> import numpy as np
    >>> from ofer.companions import TwinGaussianProcessCV
    >>> X = np.random.default_rng(0).uniform(0, 6, size=(40, 1))
    >>> circle = np.column_stack([np.cos(X), np.sin(X)])
    >>> model = TwinGaussianProcessCV(alphas=[0, 0.1, 1], ridges=[1e-3]).fit(X, circle)
    >>> sorted(model.best_params_)
    ['alpha', 'bandwidth_x', 'bandwidth_y', 'ridge']
    >>> model.cv_results_["mean_test_score"].shape
    (27,)
    """

    _parameter_constraints: ClassVar[dict] = {
        **{name: ["array-like", None] for name in GRIDS},
        "cv": ["cv_object"],
        "scoring": [str, callable, None],
        **SEARCH_CONSTRAINTS,
    }

    def __init__(
        self,
        *,
        alphas: ArrayLike | None = None,
        bandwidths_x: ArrayLike | None = None,
        bandwidths_y: ArrayLike | None = None,
        ridges: ArrayLike | None = None,
        cv: int | BaseCrossValidator | BaseShuffleSplit | Iterable = 5,
        scoring: ScoringLike = None,
        n_neighbors: int | None = None,
        n_starts: int = 1,
        max_iter: int = 50,
    ):
        self.alphas = alphas
        self.bandwidths_x = bandwidths_x
        self.bandwidths_y = bandwidths_y
        self.ridges = ridges
        self.cv = cv
        self.scoring = scoring
        self.n_neighbors = n_neighbors
        self.n_starts = n_starts
        self.max_iter = max_iter

    @fit_context(prefer_skip_nested_validation=True)
    def fit(self, X: ArrayLike, y: ArrayLike) -> Self:
        """Choose the parameters and fit the model to all samples.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Training inputs.
        y : array-like of shape (n_samples,) or (n_samples, n_targets)
            Training outputs.

        Returns
        -------
        self : TwinGaussianProcessCV
            The fitted estimator.

        Raises
        ------
        ValueError
            If a parameter or the data are out of their range.
        """
        check_numeric(**{name: getattr(self, name) for name in GRIDS})
        check_even("X", X)
        y = check_values("y", y)  # names the estimator for outputs of which some are missing
        X, y = validate_data(
            self, X, y, multi_output=True, y_numeric=True, dtype=np.float64, ensure_min_samples=2
        )
        y = np.asarray(y, dtype=np.float64)
        check_range("X", X)
        check_range("y", y)
        *widths_and_ridges, alphas = grids = self._grids(X, y)
        candidates = list(product(*widths_and_ridges))
        units = target_units(y.reshape(len(y), -1))
        scores = np.array(
            [
                [self._scores(one, alphas, X, y, units, train, test) for one in candidates]
                for train, test in check_cv(self.cv).split(X, y)
            ]
        ).reshape(-1, len(candidates) * len(alphas))

        means = scores.mean(axis=0)
        best = self._choose(scores, grids)
        columns = zip(PARAMETERS, zip(*product(*grids), strict=True), strict=True)
        parameters = {name: np.array(column) for name, column in columns}
        self.cv_results_ = {f"param_{name}": column for name, column in parameters.items()}
        self.cv_results_ |= {f"split{i}_test_score": row for i, row in enumerate(scores)}
        self.cv_results_ |= {"mean_test_score": means, "std_test_score": scores.std(axis=0)}
        chosen = {name: column[best] for name, column in parameters.items()}
        self.best_params_ = {k: one if np.ndim(one) else float(one) for k, one in chosen.items()}
        self.best_score_ = float(means[best])
        self.best_estimator_ = self._model(**self.best_params_).fit(X, y)
        self.n_iter_ = self.best_estimator_.n_iter_
        return self

    def predict(
        self, X: ArrayLike, return_certainty: bool = False
    ) -> np.ndarray | tuple[np.ndarray, np.ndarray]:
        """Predict the outputs with the chosen parameters.

        Parameters
        ----------
        X : array-like of shape (n_queries, n_features)
            Inputs.
        return_certainty : bool, default=False
            Whether to return the certainty of each prediction, too.

        Returns
        -------
        Y : ndarray of shape (n_queries,) or (n_queries, n_targets)
            Outputs.
        certainty : ndarray of shape (n_queries,)
            As in `TwinGaussianProcess.predict`; only if asked for.
        """
        check_is_fitted(self)
        check_numeric(X=X)
        X = check_rows(self, "X", X, reset=False)
        return self.best_estimator_.predict(X, return_certainty=return_certainty)

    def score(self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None) -> float:
        """The coefficient of determination of the predictions, R2, averaged over outputs.

        Parameters
        ----------
        X : array-like of shape (n_queries, n_features)
            Inputs.
        y : array-like of shape (n_queries,) or (n_queries, n_targets)
            Their outputs.
        sample_weight : array-like of shape (n_queries,), default=None
            Weights of the queries.

        Returns
        -------
        float
            At most one.
        """
        y = check_values("y", y)
        return super().score(X, y, check_weights(sample_weight, y))

    def _scores(self, candidate, alphas, X, y, units, train, test):
        """Scores of all alphas on one fold."""
        model = self._model(*candidate).fit(X[train], y[train])
        predictions = model.predict_alphas(X[test], alphas)
        if self.scoring is None:
            errors = (predictions - y[test]).reshape(len(alphas), len(test), -1) / units
            return -np.square(errors).mean(axis=(1, 2))
        return np.array([score_predictions(self.scoring, y[test], one) for one in predictions])

    def _choose(self, scores, grids):
        """Place of the best candidate, or of the defaults if it is better by chance only."""
        best = int(scores.mean(axis=0).argmax())
        grids = *WIDTHS, *grids[2:]  # multiples of typical distances, ridge parameters and alphas
        defaults = *RULE, DEFAULTS["ridge_x"], DEFAULTS["alpha"]
        places = [few.index(one) for one, few in zip(defaults, grids, strict=True) if one in few]
        ruled = self.bandwidths_x is None and self.bandwidths_y is None
        if len(scores) == 1 or not ruled or len(places) < len(grids):
            return best
        default = int(np.ravel_multi_index(places, [len(few) for few in grids]))
        gains = scores[:, best] - scores[:, default]
        asked = N_STANDARD_ERRORS * gains.std(ddof=1) / np.sqrt(len(gains))
        return best if gains.mean() > asked else default

    def _grids(self, X, y):
        """Candidates for each parameter, in the order of `PARAMETERS`."""
        units = distances(X, y.reshape(len(y), -1))
        widths = [np.multiply.outer(few, unit) for few, unit in zip(WIDTHS, units, strict=True)]
        defaults = dict(zip(GRIDS, (*widths, RIDGES, ALPHAS), strict=True))
        return [_candidates(name, getattr(self, name), defaults[name]) for name in GRIDS]

    def _model(self, bandwidth_x, bandwidth_y, ridge, alpha=0.0):
        options = {name: getattr(self, name) for name in SEARCH_CONSTRAINTS}
        widths = {"bandwidth_x": bandwidth_x, "bandwidth_y": bandwidth_y}
        return TwinGaussianProcess(alpha, **widths, ridge_x=ridge, ridge_y=ridge, **options)


def _candidates(name, values, default):
    """Candidates as a list of floats, or the default."""
    if values is None:
        return list(default)
    values = np.asarray(values)
    if values.ndim != 1 or values.size == 0:
        raise ValueError(f"{name} must be a list of numbers; got shape {values.shape}.")
    for value in values.tolist():
        if not GRIDS[name].is_satisfied_by(value):
            raise ValueError(f"each of {name} must be {GRIDS[name]}; got {value!r}.")
    return values.astype(np.float64).tolist()
