"""Kernels on inputs, and rules for their widths."""

import numpy as np
from scipy.spatial.distance import pdist
from sklearn.utils import check_array, check_random_state

from ofer._validation import check_real

__all__ = ["median_bandwidth", "tanimoto_kernel"]


def tanimoto_kernel(X, Z=None, *, packed=False):
    r"""Tanimoto kernel between sets of features, or vectors of counts.

    .. math:: k(x, z) = \frac{x^\top z}{x^\top x + z^\top z - x^\top z}

    For 0/1 vectors this is the size of the intersection over that of the union, the usual
    similarity of molecular fingerprints and positive semi-definite [1]_. Two empty sets are
    equal: their similarity is 1, and that of an empty set with any other is 0.

    Parameters
    ----------
    X : array-like of shape (n_x, n_features)
        0/1 values or counts, not negative; with ``packed=True``, bytes (uint8) that hold eight
        bits each, as `numpy.packbits` makes them (in either bit order).
    Z : array-like of shape (n_z, n_features), default=None
        The other side; None is `X` itself.
    packed : bool, default=False
        Whether the rows are packed bits.

    Returns
    -------
    ndarray of shape (n_x, n_z)
        Similarities in [0, 1], float64.

    Raises
    ------
    ValueError
        If a value is negative or not finite, or the numbers of features differ.
    TypeError
        If `packed` and the arrays are not uint8.

    Notes
    -----
    One matrix product: O(n_x n_z b) time for b features (bits). Bits are unpacked in
    O((n_x + n_z) b) memory.

    References
    ----------
    .. [1] Ralaivola, Swamidass, Saigo, Baldi, "Graph kernels for chemical informatics", Neural
       Networks 18 (2005), section 3.

    Examples
    --------
    >>> import numpy as np
    >>> from ofer.kernels import tanimoto_kernel
    >>> X = np.array([[1, 1, 0, 0], [1, 1, 1, 1], [0, 0, 0, 0]])
    >>> tanimoto_kernel(X)
    array([[1. , 0.5, 0. ],
           [0.5, 1. , 0. ],
           [0. , 0. , 1. ]])
    >>> tanimoto_kernel(np.packbits(X, axis=1), packed=True)
    array([[1. , 0.5, 0. ],
           [0.5, 1. , 0. ],
           [0. , 0. , 1. ]])
    """
    A = _features("X", X, packed)
    B = A if Z is None else _features("Z", Z, packed)
    if A.shape[1] != B.shape[1]:
        raise ValueError(
            f"X and Z must have the same number of features; got {A.shape[1]} and {B.shape[1]}."
        )
    # Products of bits are integers below 2**24, which float32 holds exactly.
    common = (A @ B.T).astype(np.float64)
    union = _squared_norms(A)[:, None] + _squared_norms(B) - common
    empty = union == 0
    return np.where(empty, 1.0, common / np.where(empty, 1.0, union))


def _features(name, array, packed):
    """Unpacked bits as float32, or counts as float64."""
    if packed:
        if getattr(array, "dtype", None) != np.uint8:
            raise TypeError(
                f"{name} must hold packed bits of dtype uint8 when packed=True; "
                f"got {getattr(array, 'dtype', type(array).__name__)}."
            )
        return np.unpackbits(check_array(array, dtype=None), axis=1).astype(np.float32)
    array = check_array(array, dtype=np.float64, input_name=name)
    if (array < 0).any():
        raise ValueError(f"{name} must not have negative values; got {array.min()}.")
    return array


def _squared_norms(A):
    return np.einsum("ij,ij->i", A, A, dtype=np.float64)


def median_bandwidth(X, *, max_samples=1000, random_state=None):
    r"""Median distance between samples, the usual first guess of a kernel's width.

    For the Gaussian kernel :math:`\exp(-\gamma \|x - z\|^2)` take
    ``gamma = 1 / (2 * median_bandwidth(X) ** 2)``.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
        Samples.
    max_samples : int, default=1000
        Larger sets are represented by this many random rows: O(max_samples^2) time and memory.
    random_state : int, RandomState instance or None, default=None
        Draws those rows.

    Returns
    -------
    float
        The median of the positive Euclidean distances between different rows, in the unit of
        `X`.

    Raises
    ------
    ValueError
        If all rows are equal.

    Examples
    --------
    >>> from ofer.kernels import median_bandwidth
    >>> median_bandwidth([[0.0], [1.0], [3.0]])
    2.0
    """
    check_real("max_samples", max_samples, at_least=2, integer=True)
    X = check_array(X, dtype=np.float64, ensure_min_samples=2, input_name="X")
    if len(X) > max_samples:
        rng = check_random_state(random_state)
        X = X[rng.choice(len(X), max_samples, replace=False)]
    distances = pdist(X)
    distances = distances[distances > 0]
    if distances.size == 0:
        raise ValueError("X must have at least two different rows; all rows are equal.")
    return float(np.median(distances))
