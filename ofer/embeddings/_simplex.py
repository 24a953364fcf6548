"""Euclidean projection on the probability simplex."""

import numpy as np
from numpy.typing import NDArray

from ofer.utils.products import quiet
from ofer.utils.validation import as_numbers


@quiet
def project_simplex(V: NDArray) -> NDArray:
    r"""Project each row onto the probability simplex.

    The projection is :math:`\max(v - \tau, 0)`, with :math:`\tau` the number that makes the row
    sum to one [1]_. All rows are sorted at once: O(n C log C).

    Parameters
    ----------
    V : ndarray of shape (n, C)
        Finite rows.

    Returns
    -------
    ndarray of shape (n, C)
        Rows that are not negative and sum to one.

    References
    ----------
    .. [1] Duchi, Shalev-Shwartz, Singer, Chandra, "Efficient projections onto the l1-ball for
       learning in high dimensions", ICML 2008, figure 1.

    Examples
    --------
    >>> import numpy as np
    >>> from ofer.embeddings import project_simplex
    >>> project_simplex(np.array([[0.2, 0.8], [2.0, 0.0], [0.0, 0.0]]))
    array([[0.2, 0.8],
           [1. , 0. ],
           [0.5, 0.5]])
    """
    return _project(as_numbers("V", V))


def _project(V):
    """Projection of checked rows."""
    # A point of the simplex stays as it is: roundoff in a zero would count where means are far.
    there = (np.abs(V.sum(axis=1) - 1.0) <= 1e-15 * V.shape[1]) & (V.min(axis=1) >= 0)
    if there.all():
        return V.copy()
    given = V
    # The projection does not change when a row is shifted: a largest entry of zero keeps the
    # sums below exact enough whatever the size of the row.
    V = V - V.max(axis=1, keepdims=True)
    falling = -np.sort(-V, axis=1)
    counts = np.arange(1, V.shape[1] + 1)
    excess = np.cumsum(falling, axis=1) - 1.0
    support = (falling * counts > excess).sum(axis=1, keepdims=True)
    tau = np.take_along_axis(excess, support - 1, axis=1) / support
    return np.where(there[:, None], given, np.maximum(V - tau, 0.0))
