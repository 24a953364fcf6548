"""Errors of structured predictions: points in space, limbs of a body."""

from numbers import Integral

import numpy as np
from sklearn.utils import check_array, check_scalar

__all__ = ["limb_angle_error", "mean_point_distance"]


def mean_point_distance(y_true, y_pred, *, n_coordinates=3):
    r"""Mean Euclidean distance of predicted points.

    .. math:: \frac{1}{n m} \sum_{i=1}^n \sum_{j=1}^m \| \hat y_i^j - y_i^j \|

    over n samples of m points each. It is the error that Elhoseiny and Elgammal [1]_ print for
    HumanEva, and with all outputs as one point the one for USPS, which they call a root mean
    square.

    References
    ----------
    .. [1] Elhoseiny, Elgammal, "Generalized twin Gaussian processes using Sharma-Mittal
       divergence", Machine Learning 100 (2015), sections 5.1.3 and 5.1.5.

    Examples
    --------
    >>> from reproduction.studies.second_volume.twin_processes.structured_errors import (
    ...     mean_point_distance,
    ... )
    >>> mean_point_distance([[0, 0, 0, 1, 1, 1]], [[3, 4, 0, 1, 1, 1]])
    2.5
    """
    true, predicted = _check_points(y_true, y_pred, n_coordinates)
    return float(np.linalg.norm(true - predicted, axis=-1).mean())


def limb_angle_error(y_true, y_pred, *, limbs):
    r"""Mean angle between predicted and true directions of limbs, in degrees.

    It does not see the lengths of predicted limbs. The paper [1]_ averages over joint angles
    instead, which points in space do not determine.

    References
    ----------
    .. [1] Elhoseiny, Elgammal, "Generalized twin Gaussian processes using Sharma-Mittal
       divergence", Machine Learning 100 (2015), section 5.1.4.

    Examples
    --------
    >>> from reproduction.studies.second_volume.twin_processes.structured_errors import (
    ...     limb_angle_error,
    ... )
    >>> round(limb_angle_error([[0, 0, 0, 1, 0, 0]], [[5, 5, 5, 5, 9, 5]], limbs=[[0, 1]]), 6)
    90.0
    """
    true, predicted = _check_points(y_true, y_pred, 3)
    limbs = np.asarray(limbs)
    if limbs.ndim != 2 or limbs.shape[1] != 2 or not np.issubdtype(limbs.dtype, np.integer):
        raise ValueError(f"limbs must be pairs of integers; got {limbs!r}.")
    if limbs.min() < 0 or limbs.max() >= true.shape[1]:
        raise ValueError(f"limbs must join points 0 to {true.shape[1] - 1}; got {limbs!r}.")
    directions = [points[:, limbs[:, 1]] - points[:, limbs[:, 0]] for points in (true, predicted)]
    for name, vectors in zip(("y_true", "y_pred"), directions, strict=True):
        if not vectors.any(axis=-1).all():
            raise ValueError(f"{name} must have limbs of positive length; got one of length 0.")
    # The arc tangent is exact for small angles, where the arc cosine loses half of the digits.
    across = np.linalg.norm(np.cross(*directions), axis=-1)
    along = np.sum(directions[0] * directions[1], axis=-1)
    return float(np.degrees(np.arctan2(across, along)).mean())


def _check_points(y_true, y_pred, n_coordinates):
    """Outputs and predictions as (n_samples, n_points, n_coordinates)."""
    check_scalar(n_coordinates, "n_coordinates", Integral, min_val=1)
    y_true = check_array(y_true, dtype=np.float64, input_name="y_true")
    y_pred = check_array(y_pred, dtype=np.float64, input_name="y_pred")
    if y_true.shape != y_pred.shape:
        raise ValueError(
            f"y_pred must have the shape of y_true {y_true.shape}; got {y_pred.shape}."
        )
    if y_true.shape[1] % n_coordinates:
        raise ValueError(
            f"y_true must have {n_coordinates} columns a point; got shape {y_true.shape}."
        )
    shape = (len(y_true), -1, n_coordinates)
    return y_true.reshape(shape), y_pred.reshape(shape)
