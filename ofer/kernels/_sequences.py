"""Kernels and distances between series of unequal lengths, by alignment."""

import numpy as np
from numpy.typing import NDArray
from scipy.spatial.distance import pdist

from ofer.kernels._alignment import Recursion, Series, align, as_series, as_two_sets
from ofer.kernels._bandwidth import some_rows
from ofer.utils.products import quiet
from ofer.utils.typing import ListLike, Seed
from ofer.utils.validation import check_real

LONG = 750  # steps of both series; with fewer there are less than 1e300 alignments


@quiet
def global_alignment_kernel(
    X: ListLike, Z: ListLike | None = None, *, bandwidth: float, normalize: bool = True
) -> NDArray:
    r"""Global alignment kernel between series.

    The sum, over all alignments :math:`\pi` of two series, of the product of a local kernel over
    the matched steps [1]_,

    .. math::

        k(x, z) &= \sum_\pi \prod_{(i, j) \in \pi} \frac{g_{ij}}{2 - g_{ij}} , \\
        g_{ij} &= \exp\Bigl(-\frac{\|x_i - z_j\|^2}{2 \sigma^2}\Bigr) ,

    where :math:`\sigma` is the bandwidth. This local kernel makes :math:`k` positive
    semi-definite, which a plain Gaussian does not ensure [2]_.

    Parameters
    ----------
    X : array-like of shape (n_x, n_steps) or (n_x, n_steps, n_dimensions), or list of arrays
        Series; a list holds arrays of shape (n_steps_i,) or (n_steps_i, n_dimensions), of any
        lengths.
    Z : as `X`, default=None
        The other side; None is `X` itself.
    bandwidth : float
        :math:`\sigma > 0`, in the unit of the series. `gak_bandwidth` gives a first guess.
    normalize : bool, default=True
        Whether to divide by :math:`\sqrt{k(x, x) k(z, z)}`. The plain values grow
        exponentially with the lengths.

    Returns
    -------
    ndarray of shape (n_x, n_z)
        Kernel values; in [0, 1] when normalised.

    Raises
    ------
    ValueError
        If a plain value is beyond the range of floating-point numbers.

    See Also
    --------
    gak_bandwidth : A rule for the bandwidth.

    Notes
    -----
    O(n_x n_z s^2 p) time for s steps in p dimensions, in memory bounded by batches of pairs. Long
    series are safe: their sums are taken on the logarithmic scale.

    References
    ----------
    .. [1] Cuturi, Vert, Birkenes, Matsui, "A kernel for time series based on global alignments",
       ICASSP (2007).
    .. [2] Cuturi, "Fast global alignment kernels", ICML (2011).

    Examples
    --------
    >>> from ofer.kernels import global_alignment_kernel
    >>> series = [[0.0, 1.0, 2.0], [0.0, 1.0, 1.0, 2.0], [5.0, 3.0]]
    >>> global_alignment_kernel(series, bandwidth=1.0).round(3)
    array([[1.  , 0.76, 0.  ],
           [0.76, 1.  , 0.  ],
           [0.  , 0.  , 1.  ]])
    """
    check_real("bandwidth", bandwidth, above=0)
    A, B = as_two_sets(X, Z)
    n_steps = A.lengths.max() + (A if B is None else B).lengths.max()
    make, log = (_log_sums, np.negative) if n_steps > LONG else (_sums, _log)
    recursion = make(float(bandwidth))
    logs = log(_pairwise(A, B, recursion))
    if normalize:
        left = np.diag(logs) if B is None else log(_self_totals(A, recursion))
        right = left if B is None else log(_self_totals(B, recursion))
        logs = logs - (left[:, None] + right) / 2
        np.minimum(logs, 0.0, out=logs)  # roundoff
    elif logs.max() > np.log(np.finfo(float).max):
        raise ValueError(
            f"normalize must be True for series this long: a value is exp({logs.max():.4g})."
        )
    return np.exp(logs)


@quiet
def dtw_distance(X: ListLike, Z: ListLike | None = None) -> NDArray:
    r"""Dynamic time warping distance between series.

    .. math:: d(x, z) = \min_\pi \Bigl( \sum_{(i, j) \in \pi} \|x_i - z_j\|^2 \Bigr)^{1/2}

    over all alignments :math:`\pi` of the two series [1]_. It is symmetric, but neither satisfies
    the triangle inequality nor tells a series from its slowed copy.

    Parameters
    ----------
    X : array-like of shape (n_x, n_steps) or (n_x, n_steps, n_dimensions), or list of arrays
        Series; a list holds arrays of shape (n_steps_i,) or (n_steps_i, n_dimensions), of any
        lengths.
    Z : as `X`, default=None
        The other side; None is `X` itself.

    Returns
    -------
    ndarray of shape (n_x, n_z)
        Distances, in the unit of the series.

    Notes
    -----
    O(n_x n_z s^2 p) time for s steps in p dimensions, in memory bounded by batches of pairs.

    References
    ----------
    .. [1] Sakoe, Chiba, "Dynamic programming algorithm optimization for spoken word recognition",
       IEEE Transactions on Acoustics, Speech, and Signal Processing 26 (1978).

    Examples
    --------
    >>> from ofer.kernels import dtw_distance
    >>> dtw_distance([[0.0, 1.0, 2.0], [0.0, 1.0, 1.0, 2.0], [0.0, 3.0]])
    array([[0.        , 0.        , 1.41421356],
           [0.        , 0.        , 1.73205081],
           [1.41421356, 1.73205081, 0.        ]])
    """
    A, B = as_two_sets(X, Z)
    return np.sqrt(_pairwise(A, B, Recursion(_add_to_least, 0.0, np.inf)))


@quiet
def dtw_kernel(X: ListLike, Z: ListLike | None = None, *, bandwidth: float) -> NDArray:
    r"""Dynamic time warping kernel between series: a Gaussian function of the distance.

    .. math:: k(x, z) = \exp\bigl(-d(x, z)^2 / (2 \sigma^2)\bigr)

    In general this is **not** positive semi-definite [1]_: methods that need a kernel proper
    should take `global_alignment_kernel`.

    Parameters
    ----------
    X : array-like of shape (n_x, n_steps) or (n_x, n_steps, n_dimensions), or list of arrays
        Series, as for `dtw_distance`.
    Z : as `X`, default=None
        The other side; None is `X` itself.
    bandwidth : float
        :math:`\sigma > 0`, in the unit of the series.

    Returns
    -------
    ndarray of shape (n_x, n_z)
        Similarities in [0, 1].

    References
    ----------
    .. [1] Cuturi, Vert, Birkenes, Matsui, "A kernel for time series based on global alignments",
       ICASSP (2007).

    Examples
    --------
    >>> from ofer.kernels import dtw_kernel
    >>> dtw_kernel([[0.0, 1.0], [0.0, 1.0, 1.0], [1.0, 1.0]], bandwidth=1.0).round(3)
    array([[1.   , 1.   , 0.607],
           [1.   , 1.   , 0.607],
           [0.607, 0.607, 1.   ]])
    """
    check_real("bandwidth", bandwidth, above=0)
    distances = dtw_distance(X, Z)
    with np.errstate(over="ignore"):  # a tiny bandwidth: the similarity is 0
        return np.exp(-np.square(distances / bandwidth) / 2)


def _pairwise(A: Series, B: Series | None, recursion: Recursion) -> NDArray:
    """Totals of all pairs, (n_x, n_z); a set with itself is aligned once per pair."""
    if B is not None:
        shape = len(A.lengths), len(B.lengths)
        left, right = np.indices(shape).reshape(2, -1)
        return align(A, B, left, right, recursion).reshape(shape)
    n = len(A.lengths)
    left, right = np.triu_indices(n)
    totals = np.empty((n, n))
    totals[left, right] = totals[right, left] = align(A, A, left, right, recursion)
    return totals


def _self_totals(A: Series, recursion: Recursion) -> NDArray:
    each = np.arange(len(A.lengths))
    return align(A, A, each, each, recursion)


def _log(values: NDArray) -> NDArray:
    with np.errstate(divide="ignore"):
        return np.log(values)


def _sums(bandwidth: float) -> Recursion:
    """Recursion of the plain values: no more than the number of alignments, if not too many."""
    scale = -0.5 / max(bandwidth * bandwidth, 1e-300)  # not infinite: equal steps have 0

    def advance(squared, up, left, diagonal, out):
        with np.errstate(over="ignore"):
            squared *= scale
        np.exp(squared, out=squared)
        np.add(up, left, out=out)
        out += diagonal
        out *= squared
        out /= np.subtract(2.0, squared, out=squared)

    return Recursion(advance, 1.0, 0.0)


def _log_sums(bandwidth: float) -> Recursion:
    """Recursion of minus the logarithms."""

    def advance(squared, up, left, diagonal, out):
        # Divided one by one: a tiny bandwidth does not make 0 / 0 of equal steps.
        with np.errstate(over="ignore"):
            u = squared / bandwidth / bandwidth / 2
        smallest = np.minimum(np.minimum(up, left), diagonal)
        # Where all are infinite any finite shift will do.
        shift = np.where(np.isinf(smallest), 0.0, smallest)
        total = np.exp(shift - up) + np.exp(shift - left) + np.exp(shift - diagonal)
        with np.errstate(divide="ignore"):
            out[...] = u + np.log(2.0 - np.exp(-u)) + shift - np.log(total)

    return Recursion(advance, 0.0, np.inf)


def _add_to_least(squared, up, left, diagonal, out):
    """Costs of time warping."""
    np.minimum(up, left, out=out)
    np.minimum(out, diagonal, out=out)
    out += squared


@quiet
def gak_bandwidth(X: ListLike, *, max_samples: int = 1000, random_state: Seed = None) -> float:
    r"""Bandwidth for the global alignment kernel, by the rule of its author.

    The median distance between steps of different series, times the square root of the median
    length [1]_. Try multiples of it, from 0.1 to 10 say.

    Parameters
    ----------
    X : array-like of shape (n_series, n_steps[, n_dimensions]) or list of arrays
        Two series or more, as for `global_alignment_kernel`, with steps that differ.
    max_samples : int, default=1000
        More steps are represented by this many random ones: O(max_samples^2) time and memory.
    random_state : int, RandomState instance or None, default=None
        Draws those steps.

    Returns
    -------
    float
        A bandwidth in the unit of the series.

    References
    ----------
    .. [1] Cuturi, "Fast global alignment kernels", ICML (2011).

    Examples
    --------
    >>> from ofer.kernels import gak_bandwidth
    >>> gak_bandwidth([[0.0, 1.0, 0.0, 1.0], [2.0, 3.0, 2.0, 3.0]])
    4.0
    """
    values, lengths = as_series("X", X)
    if len(lengths) < 2:
        raise ValueError("X must hold at least two series; got one.")
    steps = np.concatenate([x[:length] for x, length in zip(values, lengths, strict=True)])
    owners = np.repeat(np.arange(len(lengths)), lengths)[:, None]
    rows = some_rows(len(steps), max_samples, random_state)
    distances = pdist(steps[rows]) * (pdist(owners[rows]) > 0)
    if not distances.any():
        raise ValueError("X must hold series that differ; all steps of different series are equal.")
    return float(np.median(distances[distances > 0]) * np.sqrt(np.median(lengths)))
