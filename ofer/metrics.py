"""Errors of multi-output predictions, relative to a trivial one."""

from collections.abc import Callable
from functools import partial

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.utils import check_consistent_length

from ofer.utils.products import quiet
from ofer.utils.scoring import as_rows, score_predictions
from ofer.utils.typing import ScoringLike
from ofer.utils.validation import as_numbers

__all__ = ["arrmse", "flat_scorer", "rrmse"]

ROUNDOFF = 1e-14  # of deviations from a mean, relative to the outputs


@quiet
def rrmse(y_true: ArrayLike, y_pred: ArrayLike) -> float:
    r"""Relative root mean squared error :math:`\|Y - \hat Y\|_F / \|Y\|_F`.

    0 is perfect and 1 is the level of predicting zero. The paper [1]_ reports an "RRMSE" that it
    does not define; this definition reproduces the level of its Tables 9 and 10.

    Parameters
    ----------
    y_true, y_pred : array-like of shape (n_samples,), (n_samples, n_targets) or (n_samples, T, p)
        Outputs, not all zero, and predictions, in the same unit.

    Returns
    -------
    float
        The error, without unit.

    See Also
    --------
    arrmse : Relative to the mean predictor, target by target.

    References
    ----------
    .. [1] Djerrab, Garcia, Sangnier, d'Alché-Buc, "Output Fisher embedding regression",
       Machine Learning 107 (2018), section 6.

    Examples
    --------
    >>> from ofer.metrics import rrmse
    >>> rrmse([[3.0, 4.0]], [[3.0, 3.0]])
    0.2
    """
    Y, Y_hat = _check_outputs(y_true, y_pred)
    unit = _unit(Y)
    if unit == 0:
        raise ValueError("y_true must not be all zero: the relative error is undefined.")
    return float(np.linalg.norm(Y / unit - Y_hat / unit) / np.linalg.norm(Y / unit))


@quiet
def arrmse(y_true: ArrayLike, y_pred: ArrayLike, *, y_train: ArrayLike | None = None) -> float:
    r"""Average relative root mean squared error over targets, relative to the training mean.

    .. math::

        \frac{1}{m} \sum_{t=1}^m \sqrt{ \frac{\sum_i (y_{it} - \hat y_{it})^2}
        {\sum_i (y_{it} - \bar y_t)^2} } ,

    with :math:`\bar y_t` the mean of target t over the *training* outputs, as in the
    multi-target literature [1]_. 1 is the level of predicting that mean.

    Parameters
    ----------
    y_true, y_pred : array-like of shape (n_samples,), (n_samples, n_targets) or (n_samples, T, p)
        Test outputs and predictions. No test target may equal its training mean everywhere.
    y_train : array-like of shape (n_train,), (n_train, n_targets) or (n_train, T, p), default=None
        Training outputs. None takes the test outputs, as a scorer must, who does not see others.

    Returns
    -------
    float
        The error, without unit.

    References
    ----------
    .. [1] Spyromitros-Xioufis, Tsoumakas, Groves, Vlahavas, "Multi-target regression via input
       space expansion: treating targets as inputs", Machine Learning 104 (2016).

    Examples
    --------
    >>> from ofer.metrics import arrmse
    >>> arrmse([1.0, 3.0], [1.5, 2.5], y_train=[0.0, 4.0])
    0.5

    As a scorer of a search or a cross-validation:

    >>> from sklearn.metrics import make_scorer
    >>> scoring = make_scorer(arrmse, greater_is_better=False)
    """
    Y, Y_hat = _check_outputs(y_true, y_pred)
    Y_train = Y
    if y_train is not None:
        Y_train, _ = _check_outputs(y_train, y_train, "y_train")
    if Y_train.shape[1] != Y.shape[1]:
        raise ValueError(
            f"y_train must have the targets of y_true ({Y.shape[1]}); got {Y_train.shape[1]}."
        )
    units = _unit(Y, axis=0)
    units[units == 0] = 1.0
    Y, Y_hat, mean = Y / units, Y_hat / units, (Y_train / units).mean(axis=0)
    trivial = np.linalg.norm(Y - mean, axis=0)
    constant = trivial <= ROUNDOFF * np.linalg.norm(Y, axis=0)
    if constant.any():
        targets = np.flatnonzero(constant).tolist()
        raise ValueError(
            f"y_true must vary around the training mean; target(s) {targets} equal it everywhere."
        )
    return float(np.mean(np.linalg.norm(Y - Y_hat, axis=0) / trivial))


def _unit(Y: NDArray, axis: int | None = None) -> NDArray:
    """A power of two near the largest entry, in which squares neither overflow nor vanish."""
    return np.ldexp(1.0, np.frexp(np.abs(Y).max(axis=axis))[1] - 1) * np.any(Y, axis=axis)


@quiet
def flat_scorer(scoring: ScoringLike) -> Callable:
    """Make a scikit-learn scorer accept outputs with more than two axes, such as series.

    Parameters
    ----------
    scoring : str or callable
        A scorer of predicted vectors. It is given each output, and its prediction, as one vector.

    Returns
    -------
    callable
        A scorer, for the parameter `scoring` of searches and cross-validations.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.dummy import DummyRegressor
    >>> from ofer.metrics import flat_scorer
    >>> X, series = [[0.0], [1.0]], np.ones((2, 3, 1))
    >>> model = DummyRegressor().fit(X, [[0.0, 0.0, 0.0]] * 2)
    >>> print(flat_scorer("neg_mean_squared_error")(model, X, series))
    -1.0
    """
    return partial(_score_flat, scoring)


def _score_flat(scoring, estimator, X, y):
    return score_predictions(scoring, as_rows(y), as_rows(estimator.predict(X)))


def _check_outputs(y_true, y_pred, name="y_true"):
    """Two arrays of the same shape, float64, two-dimensional."""
    options = {"ensure_2d": False, "allow_nd": True}
    true = as_numbers(name, y_true, **options)
    predicted = as_numbers("y_pred", y_pred, **options)
    check_consistent_length(true, predicted)
    true, predicted = true.reshape(len(true), -1), predicted.reshape(len(predicted), -1)
    if true.shape != predicted.shape:
        raise ValueError(
            f"y_pred must have the shape of y_true {true.shape}; got {predicted.shape}."
        )
    return true, predicted
