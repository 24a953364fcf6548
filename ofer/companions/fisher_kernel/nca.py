"""Expected number of objects that stochastic nearest neighbours classify correctly."""

import numpy as np
from numpy.typing import ArrayLike
from scipy.sparse import csr_array
from scipy.spatial.distance import cdist
from sklearn.utils.validation import check_consistent_length

from ofer.companions._distances import FAR, middle
from ofer.companions.fisher_kernel.objects import check_labels
from ofer.utils.products import quiet
from ofer.utils.validation import as_numbers

BLOCK_ENTRIES = 2**22  # of a block of rows of the (n, n) matrices: 32 MB each
REACH = 25.0  # logarithm of the share of a row's largest probability that is left out
FLOOR = 40.0  # the same of what takes the place of less, which would be slow in single precision
LARGEST_DENSITY = 0.015  # share of pairs, for which sparse products are the faster ones


@quiet
def nca_objective(G: ArrayLike, w: ArrayLike, y: ArrayLike) -> tuple[float, np.ndarray, np.ndarray]:
    r"""Neighbourhood components objective: expected number of objects with a neighbour of their
    class.

    Equations (3) and (4) of [1]_, neighbourhood components analysis [2]_ with a diagonal metric:

    .. math::

        O = \sum_i \sum_{j \ne i} \delta_{y_i y_j} p_{ij}, \qquad
        p_{ij} = \frac{\exp(-D_{ij})}{\sum_{j' \ne i} \exp(-D_{ij'})}, \qquad
        D_{ij} = \sum_t w_t^2 (g_{it} - g_{jt})^2 .

    Parameters
    ----------
    G : array-like of shape (n_objects, n_features)
        Vectors of the objects, such as their scores.
    w : array-like of shape (n_features,)
        Weight of each feature; the metric is its square.
    y : array-like of shape (n_objects,)
        Classes.

    Returns
    -------
    value : float
        O, between 0 and n_objects.
    gradient_w : ndarray of shape (n_features,)
        Derivative in the weights.
    gradient_G : ndarray of shape (n_objects, n_features)
        Derivative in the vectors.

    Raises
    ------
    ValueError
        If shapes do not fit, a number is not finite, a mask hides an entry, classes are of two
        types, or there are fewer than two objects.

    See Also
    --------
    sklearn.neighbors.NeighborhoodComponentsAnalysis : The same objective for a linear map.

    Notes
    -----
    With :math:`p_i = \sum_j \delta_{y_i y_j} p_{ij}`, :math:`C_{ij} = p_{ij} (\delta_{y_i y_j} -
    p_i)`, :math:`S = C + C^\top` and r its row sums, :math:`dO = -\sum_{ij} C_{ij}\, dD_{ij}`, so

    .. math::

        \frac{\partial O}{\partial w_t}
            = -2 w_t \Bigl[\sum_i r_i g_{it}^2 - (G^\top S G)_{tt}\Bigr], \qquad
        \frac{\partial O}{\partial g_i} = -2 w^2 \circ (r_i g_i - (S G)_i) .

    The paper prints :math:`p_i` without the Kronecker delta, the second sum of the derivative in
    the metric without its bracket, and the derivative in the parameters with the opposite sign;
    finite differences decide for the above.

    Matrix products over blocks of rows: O(n^2 d) time, O(n d) memory beside a block of 32 MB. Rows
    further than a thousand from the middle of all, by the weighted distance, are compared by
    differences, which takes longer and keeps their digits.

    References
    ----------
    .. [1] van der Maaten, "Learning discriminative Fisher kernels", ICML 2011, section 3.
    .. [2] Goldberger, Roweis, Hinton, Salakhutdinov, "Neighbourhood components analysis",
       NIPS 2004.

    Examples
    --------
    Two pairs, each close together and of one class:

    >>> from ofer.companions import nca_objective
    >>> value, gradient_w, gradient_G = nca_objective([[0.0], [1.0], [5.0], [6.0]], [1.0],
    ...                                               [0, 0, 1, 1])
    >>> round(value, 4)
    4.0
    >>> gradient_w.shape, gradient_G.shape
    ((1,), (4, 1))
    """
    G = as_numbers("G", G, ensure_min_samples=2)
    w = as_numbers("w", w, ensure_2d=False)
    y = check_labels(y)
    check_consistent_length(G, y)
    if w.shape != (G.shape[1],):
        raise ValueError(
            f"w must have one weight per column of G, {G.shape[1]}; got shape {w.shape}."
        )
    return objective(G, w, np.unique(y, return_inverse=True)[1])


def objective(G, w, codes, fast=False, multiply=None, limit=FAR):
    """`nca_objective` of checked arrays and classes 0, 1, ...

    What is fast leaves out probabilities below exp(-25) of their row's largest where few are left,
    and computes in single precision where many are, if there are too many pairs for one block.
    Rows beyond the `limit` of `middle` are compared by differences.
    """
    origin, far = middle(G, w, limit)
    n, centred = len(G), G - origin
    scaled = centred * w
    # The inner product of two such rows is 2 z_i'z_j - |z_j|^2: minus the squared distance, but
    # for what a softmax over j does not see.
    left = np.column_stack([2 * scaled, -np.ones(n)])
    right = np.column_stack([scaled, np.einsum("ij,ij->i", scaled, scaled)])
    rows = max(1, BLOCK_ENTRIES // n)
    fast = fast and rows < n and not far.size
    if multiply is None:
        multiply = _multiply_single if fast else _multiply
    screen = _Screen(left, right) if fast else None
    value, column_sums, mixed = 0.0, np.zeros(n), np.zeros_like(G)
    of_far = np.zeros((len(far), n))  # rows of S
    for start in range(0, n, rows):
        block = slice(start, min(start + rows, n))
        products = None if screen is None else screen.multiply(codes, centred, block)
        if products is None:  # too many neighbours count, and will in other blocks
            screen, diagonal = None, np.arange(block.stop - start)
            logs = left[block] @ right.T
            here = np.flatnonzero((far >= start) & (far < block.stop))
            logs[far[here] - start] = -cdist(G[far[here]], G, "sqeuclidean", w=w**2)
            logs[diagonal, start + diagonal] = -np.inf
            logs -= logs.max(axis=1, keepdims=True)
            products = multiply(logs, codes[block, None] == codes, centred, block)
            if far.size:  # the logarithms have become the rows of C
                of_far[here] += logs[far[here] - start]
                of_far[:, block] += logs[:, far].T
        value += products[0]
        column_sums += products[1]
        mixed[block] += products[2]
        mixed += products[3]
    pulls = column_sums[:, None] * centred - mixed
    inner = np.einsum("ij,ij->j", centred, pulls)
    if far.size:
        pulls, inner = _far_pulls(G, centred, pulls, far, of_far)
    return float(value), -2 * w * inner, -2 * w**2 * pulls


def _far_pulls(G, centred, pulls, far, of_far):
    """Pulls, and their products with the rows summed, by differences for what is far.

    `of_far` (n_far, n) are the rows of S that belong to far rows.
    """
    near, pulls, inner = np.ones(len(G), dtype=bool), pulls.copy(), np.empty(G.shape[1])
    near[far] = False
    shares = np.where(near, 1.0, 0.5)  # a pair of far rows comes twice
    for t, column in enumerate(G.T):
        differences = column[far, None] - column
        moved = of_far * differences
        inner[t] = centred[near, t] @ (pulls[near, t] + moved[:, near].sum(axis=0))
        inner[t] += ((moved * differences) @ shares).sum()
        pulls[far, t] = moved.sum(axis=1)
    return pulls, inner


def _multiply(logs, same, vectors, block):
    """Share of right neighbours, and the sums and products of C, of whose rows this is a block.

    These are sums over its rows, its product with the vectors, and that of its transpose with
    theirs. The logarithms, largest 0 in each row, are overwritten.
    """
    p = np.exp(logs, out=logs)
    totals = p.sum(axis=1, dtype=np.float64)
    correct = np.where(same, p, 0).sum(axis=1, dtype=np.float64) / totals
    p /= totals[:, None]
    p *= same - correct[:, None]  # rows sum to zero
    return correct.sum(), p.sum(axis=0, dtype=np.float64), p @ vectors, p.T @ vectors[block]


def log_objective(G, w, codes, limit=FAR):
    """The sum of log p_ij over pairs of a class, and its gradients, as `objective`."""
    return objective(G, w, codes, multiply=_multiply_logs, limit=limit)


def _multiply_logs(logs, same, vectors, block):
    """The same with log p_ij in the place of p_ij: C_ij is 1 less n_i p_ij for each pair."""
    others = same & (logs > -np.inf)
    counts = others.sum(axis=1)
    value = logs[others].sum()
    p = np.exp(logs, out=logs)
    totals = p.sum(axis=1)
    p *= (-counts / totals)[:, None]
    p += others
    return value - counts @ np.log(totals), p.sum(axis=0), p @ vectors, p.T @ vectors[block]


def _multiply_single(logs, same, vectors, block):
    """The same in single precision, but for sums."""
    single = np.maximum(logs, -FLOOR, dtype=np.float32, casting="same_kind")
    products = _multiply(single, same, vectors.astype(np.float32), block)
    return tuple(np.asarray(part, dtype=np.float64) for part in products)


class _Screen:
    """Finds the pairs that count in single precision, and computes with these in double."""

    def __init__(self, left, right):
        self.left, self.right = left, right
        self.single = left.astype(np.float32), right.astype(np.float32)
        # Beyond the roundoff of a product of two rows.
        self.slack = 1 + 10 * np.finfo(np.float32).eps * right[:, -1].max()

    def multiply(self, codes, vectors, block):
        """As `_multiply`, but None where this is not faster, or not safe."""
        n, rows = len(vectors), np.arange(block.stop - block.start)
        logs = self.single[0][block] @ self.single[1].T
        logs[rows, block.start + rows] = -np.inf
        kept = logs > logs.max(axis=1, keepdims=True) - np.float32(REACH + self.slack)
        count = np.count_nonzero(kept)
        if count > LARGEST_DENSITY * kept.size or self.slack > REACH:
            return None
        places = np.flatnonzero(kept)
        i, j = places // n, places % n
        logs = np.empty(count)
        step = max(1, BLOCK_ENTRIES // self.left.shape[1])
        for some in (slice(at, at + step) for at in range(0, count, step)):
            ours, theirs = self.left[block.start + i[some]], self.right[j[some]]
            np.einsum("ij,ij->i", ours, theirs, out=logs[some])
        ends = np.searchsorted(i, np.append(rows, len(rows)))
        starts = ends[:-1]  # of rows, none of which is empty
        p = np.exp(logs - np.maximum.reduceat(logs, starts)[i])
        p /= np.add.reduceat(p, starts)[i]
        right = codes[block.start + i] == codes[j]
        correct = np.add.reduceat(np.where(right, p, 0), starts)
        p *= right - correct[i]
        C = csr_array((p, j, ends), shape=(len(rows), n))
        return correct.sum(), C.sum(axis=0), C @ vectors, C.T @ vectors[block]
