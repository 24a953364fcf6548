"""Expected number of objects that stochastic nearest neighbours classify correctly."""

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import softmax
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_array, check_consistent_length, column_or_1d

BLOCK_ENTRIES = 2**22  # of a block of rows of the (n, n) matrices: 32 MB each


def nca_objective(G: ArrayLike, w: ArrayLike, y: ArrayLike) -> tuple[float, np.ndarray, np.ndarray]:
    r"""Expected number of objects whose stochastic nearest neighbour has their class.

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
        If shapes do not fit, a number is not finite, or there are fewer than two objects.

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

    Matrix products over blocks of rows: O(n^2 d) time, O(n d) memory beside a block of 32 MB.

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
    G = check_array(G, dtype=np.float64, input_name="G", ensure_min_samples=2)
    w = check_array(w, dtype=np.float64, ensure_2d=False, input_name="w")
    y = column_or_1d(y)
    check_consistent_length(G, y)
    check_classification_targets(y)
    if w.shape != (G.shape[1],):
        raise ValueError(
            f"w must have one weight per column of G, {G.shape[1]}; got shape {w.shape}."
        )
    return objective(G, w, np.unique(y, return_inverse=True)[1])


def objective(G, w, codes):
    """`nca_objective` of checked arrays and classes 0, 1, ..."""
    n, centred = len(G), G - G.mean(axis=0)
    scaled = centred * w
    norms = np.einsum("ij,ij->i", scaled, scaled)
    value, column_sums, mixed = 0.0, np.zeros(n), np.zeros_like(G)
    rows = max(1, BLOCK_ENTRIES // n)
    for start in range(0, n, rows):
        block = slice(start, min(start + rows, n))
        own = np.arange(block.start, block.stop)
        logs = 2 * scaled[block] @ scaled.T
        logs -= norms[block, None]
        logs -= norms
        np.minimum(logs, 0, out=logs)
        logs[own - start, own] = -np.inf
        p = softmax(logs, axis=1)
        same = codes[block, None] == codes
        correct = (p * same).sum(axis=1)
        value += correct.sum()
        C = p * (same - correct[:, None])  # rows sum to zero
        column_sums += C.sum(axis=0)
        mixed[block] += C @ centred
        mixed += C.T @ centred[block]
    pulls = column_sums[:, None] * centred - mixed
    gradient_w = -2 * w * np.einsum("ij,ij->j", centred, pulls)
    return float(value), gradient_w, -2 * w**2 * pulls
