"""Orders of numbers that no processor moves.

Another processor adds in another order, so last bits differ. Numbers that are equal but for these
are equal here, and stay in the order in which their rows or names are declared.
"""

import numpy as np
import pandas as pd

__all__ = ["gap", "least", "most", "steady"]

_DIGITS = 9  # of the largest number; roundoff moves the thirteenth


def steady(values):
    """Numbers, rounded to nine digits of the largest: what to sort by, and what to print.

    Half of a printed digit, as in 1.875, would be rounded up or down by a last bit.

    Parameters
    ----------
    values : float, array-like, Series or DataFrame
        What is sorted or compared.

    Returns
    -------
    rounded : float, ndarray, Series or DataFrame
        The numbers, rounded.

    Examples
    --------
    >>> from reproduction.statistics.order import steady
    >>> steady([0.1 + 0.2, 0.3]).argmax()
    np.int64(0)
    """
    array = np.asarray(values, dtype=float)
    largest = np.abs(array[np.isfinite(array) & (array != 0)]).max(initial=0)
    values = values if isinstance(values, pd.DataFrame | pd.Series) else array
    decimals = _DIGITS - 1 - int(np.floor(np.log10(largest or 1.0)))
    return values.round(min(decimals, 300))  # more decimals overflow


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
        a - b.

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
