"""Orders of numbers that no processor moves.

Another processor adds in another order, so last bits differ. Numbers that are equal but for these
are equal here, and stay in the order in which their rows or names are declared.
"""

import numpy as np
import pandas as pd

__all__ = ["gap", "least", "most", "steady", "to_digits"]

_DIGITS = 9  # of the largest number; roundoff moves the thirteenth


def steady(values):
    """Numbers, where those that differ by roundoff alone are equal: what to sort by.

    Parameters
    ----------
    values : array-like, Series or DataFrame
        What is sorted or compared.

    Returns
    -------
    alike : ndarray, Series or DataFrame
        The numbers; in the place of one that differs from the next smaller one only from the tenth
        digit of the largest on, that one. (Rounded numbers would differ where the roundoff is
        beside half a digit.)

    Examples
    --------
    >>> from reproduction.statistics.order import steady
    >>> steady([0.1 + 0.2, 0.3]).argmax()
    np.int64(0)
    """
    array = np.asarray(values, dtype=float)
    order = array.argsort(axis=None)
    ordered = array.ravel()[order]
    largest = np.abs(array[np.isfinite(array)]).max(initial=0)
    with np.errstate(invalid="ignore"):
        is_equal = np.diff(ordered, prepend=np.nan) <= 10.0**-_DIGITS * largest
    alike = np.empty(array.size)
    alike[order] = ordered[np.maximum.accumulate(np.where(is_equal, 0, np.arange(array.size)))]
    alike = alike.reshape(array.shape)
    if isinstance(values, pd.DataFrame | pd.Series):
        return values.where(np.isnan(array), alike)
    return alike


def to_digits(number):
    """A number to twelve digits, two more than are stored: what to print.

    A last bit would round half of a printed digit, as in 1.875, up or down.

    Parameters
    ----------
    number : float
        Of any size.

    Returns
    -------
    rounded : float
        The number, rounded.

    Examples
    --------
    >>> from reproduction.statistics.order import to_digits
    >>> f"{to_digits(1.875 - 1e-15):.2f}"
    '1.88'
    """
    return float(f"{number:.12g}")


def gap(a, b):
    """Differences of two results, zero where they are equal but for last bits.

    A test takes for certain what has no other variance than that of last bits.

    Parameters
    ----------
    a, b : ndarray, Series or DataFrame
        Numbers side by side.

    Returns
    -------
    difference : ndarray, Series or DataFrame
        The first minus the second.

    Examples
    --------
    >>> from reproduction.statistics.order import gap
    >>> gap(np.array([0.1 + 0.2, 1.0]), np.array([0.3, 0.5]))
    array([0. , 0.5])
    """
    difference = a - b
    return difference * (abs(difference) > 10.0**-_DIGITS * np.nanmax(np.abs([a, b]))) + 0.0


def least(numbers):
    """Label of the smallest number, the first of equal ones.

    Parameters
    ----------
    numbers : dict or Series
        Numbers by their labels.

    Returns
    -------
    label : hashable
        Its label.
    """
    return steady(pd.Series(numbers)).fillna(np.inf).idxmin()


def most(numbers):
    """Label of the largest number, the first of equal ones.

    Parameters
    ----------
    numbers : dict or Series
        Numbers by their labels.

    Returns
    -------
    label : hashable
        Its label.
    """
    return steady(pd.Series(numbers)).fillna(-np.inf).idxmax()
