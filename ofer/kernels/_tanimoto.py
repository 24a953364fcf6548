"""Tanimoto kernel on sets of features."""

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.utils import check_array

from ofer.utils.entries import check_unmasked
from ofer.utils.products import quiet
from ofer.utils.validation import as_numbers


@quiet
def tanimoto_kernel(X: ArrayLike, Z: ArrayLike | None = None, *, packed: bool = False) -> NDArray:
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
    (A, a), (B, b) = _in_range(A), _in_range(B)
    # Products of bits are integers below 2**24, which float32 holds exactly.
    common = (A @ B.T).astype(np.float64)
    sizes = _squared_norms(A)[:, None], _squared_norms(B)
    if a.any() or b.any():
        apart = np.clip(a[:, None] - b, -1000, 1000)
        with np.errstate(over="ignore"):  # a similarity of 0
            sizes = np.ldexp(sizes[0], apart), np.ldexp(sizes[1], -apart)
    union = sizes[0] + sizes[1]
    union -= common
    empty = union == 0
    if empty.any():
        common[empty] = union[empty] = 1.0
    K = np.divide(common, union, out=common)
    np.minimum(K, 1.0, out=K)  # roundoff
    if Z is None:
        np.fill_diagonal(K, 1.0)
    return K


def _features(name: str, array: ArrayLike, packed: bool) -> NDArray:
    """Unpacked bits as float32, or counts as float64."""
    if packed:
        check_unmasked(name, array)
        array = check_array(array, dtype=None, input_name=name)
        if array.dtype != np.uint8:
            raise TypeError(
                f"{name} must hold packed bits of dtype uint8 when packed=True; got {array.dtype}."
            )
        return np.unpackbits(array, axis=1).astype(np.float32)
    counts = as_numbers(name, array)
    if (counts < 0).any():
        raise ValueError(f"{name} must not have negative values; got {counts.min()}.")
    return counts


def _in_range(A: NDArray) -> tuple[NDArray, NDArray]:
    """Rows of which squares neither overflow nor vanish, and the powers of two they lost."""
    powers = np.frexp(A.max(axis=1))[1]
    powers[np.abs(powers) <= 200] = 0  # as they are, nearly always
    return (np.ldexp(A, -powers[:, None]) if powers.any() else A), powers


def _squared_norms(A: NDArray) -> NDArray:
    return np.einsum("ij,ij->i", A, A, dtype=np.float64)
