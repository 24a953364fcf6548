"""What two counts of errors on one test set say without knowing which objects are wrong."""

from typing import NamedTuple

import numpy as np
from scipy.stats import binom

from ofer.utils.validation import check_real

__all__ = ["PRange", "mcnemar_range"]


class PRange(NamedTuple):
    """The least and the greatest p that McNemar's test can have."""

    least: float
    """Where one method errs on nothing that the other one gets right, as far as counts allow."""
    greatest: float
    """Where both err on as few objects together as counts allow."""

    def says(self, level):
        """What is known at a level.

        Parameters
        ----------
        level : float
            Of the test.

        Returns
        -------
        answer : str
            "differ", "open", or "hangs on the pairs".
        """
        if self.greatest < level:
            return "differ"
        return "open" if self.least >= level else "hangs on the pairs"


def mcnemar_range(wrong_a, wrong_b, n_test):
    """Range of p of McNemar's exact test of two methods on the same objects.

    The test compares how many objects only the one and only the other gets wrong. Of these numbers
    the counts of errors give the difference, and bounds of the sum.

    Parameters
    ----------
    wrong_a, wrong_b : int
        Objects that each method gets wrong.
    n_test : int
        Number of test objects.

    Returns
    -------
    PRange

    Raises
    ------
    TypeError, ValueError
        If a count of errors is no integer from 0 to `n_test`.

    Examples
    --------
    >>> from reproduction.statistics import mcnemar_range
    >>> found = mcnemar_range(143, 90, 2200)
    >>> found.greatest < 0.001, found.says(0.05)
    (True, 'differ')
    >>> mcnemar_range(111, 108, 434).says(0.05)
    'open'
    """
    for name, value in (("wrong_a", wrong_a), ("wrong_b", wrong_b)):
        check_real(name, value, at_least=0, integer=True)
        if value > n_test:
            raise ValueError(f"{name} must be at most n_test={n_test}; got {value}.")
    apart = abs(wrong_a - wrong_b)
    together = min(wrong_a + wrong_b, 2 * n_test - wrong_a - wrong_b)
    of_one = np.arange(apart, together + 1, 2)  # objects that exactly one gets wrong
    p = np.minimum(1.0, 2 * binom.cdf((of_one - apart) // 2, of_one, 0.5))
    return PRange(float(p.min()), float(p.max()))
