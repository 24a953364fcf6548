r"""Leave-one-out residuals of a `KernelSystem`, for its samples of positive weight.

Let the bordered system that `KernelSystem` documents have G as the upper left block of its inverse.
If :math:`y_i` is replaced by what the fit without sample i predicts for it, that fit solves the
system, and as it has no use for sample i, its coefficient :math:`(G S y)_i` is zero:

.. math:: (G S y)_i - G_{ii} s_i (y_i - f_{-i}(x_i)) = 0 .

So the residual is :math:`(G S y)_i / (s_i G_{ii})`, where a factor of G cancels. Coordinates V
(dual) or Z (primal) give

.. math:: G = V \mathrm{diag}(1 / (\omega + \alpha)) V^\top , \quad
    \alpha G = I - s s^\top / s^\top s - Z \mathrm{diag}(1 / (\omega + \alpha)) Z^\top .
"""

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ofer.utils.memory import BLOCK, row_blocks

if TYPE_CHECKING:
    from ofer.ridge.kernel_system import KernelSystem


def residuals(system, centred, alphas, projected=None, rows=slice(None)):
    """Residuals (n_rows, m) of centred, weighted targets (n_rows, m), one ridge after the other.

    `alphas` have shape (n_alphas, 1 or m). `projected` (rank, m) are products of coordinates and
    the targets of all samples; they are made of `centred` if None, which then has all `rows`.
    """
    coordinates = system.coordinates[rows]
    (n, m), step = centred.shape, max(1, BLOCK // max(1, centred.size))
    if projected is None:
        projected = coordinates.T @ centred
    for start in range(0, len(alphas), step):
        inverse = 1.0 / (system.eigenvalues[:, None, None] + alphas[start : start + step])
        rank, q, _ = inverse.shape
        scales = diagonals(system, inverse.reshape(rank, -1), rows).reshape(n, q, -1)
        shrunk = (inverse * projected[:, None]).reshape(rank, -1)
        solved = (coordinates @ shrunk).reshape(n, q, m)
        if not system.is_dual:
            solved = centred[:, None] - solved
        yield from (solved / scales).transpose(1, 0, 2)


def diagonals(
    system: "KernelSystem", inverse: NDArray, rows: slice | NDArray = slice(None)
) -> NDArray:
    """Diagonals of G (primal: of alpha G) times the roots of weights, (n_rows, k).

    `inverse` (rank, k) has the numbers ``1 / (eigenvalues + alpha)``.
    """
    coordinates = system.coordinates[rows]
    found = np.empty((len(coordinates), inverse.shape[1]))
    for part in row_blocks(*coordinates.shape):
        found[part] = np.square(coordinates[part]) @ inverse
    if not system.is_dual:
        found = 1.0 - system.samples.shares[rows, None] - found
    return found * system.samples.roots[rows, None]
