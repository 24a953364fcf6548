r"""Distance of the full Fisher vector of a mixture to a target, and its Gauss-Newton terms."""

import numpy as np

from ofer.embeddings.covariances import full_precisions, precision_times


class FullFisherLoss:
    r"""The loss :math:`\|\phi(y) - h\|^2` of the full Fisher vector, equations (4) and (9).

    With responsibilities :math:`\gamma_j`, precisions :math:`P_j`, :math:`s_j = P_j (y - \mu_j)`,
    :math:`g_j = \nabla \gamma_j` and :math:`U_j = \tfrac12 (s_j s_j^\top - P_j)`, the derivatives
    of the three blocks along coordinate k are

    .. math::

        \frac{g_{jk}}{\pi_j}, \qquad
        g_{jk} s_j + \gamma_j P_j e_k, \qquad
        g_{jk} U_j + \tfrac12 \gamma_j (P_j e_k s_j^\top + s_j e_k^\top P_j) .

    Neither they nor the residual of the covariance block are formed: all products need no
    more of the target matrices :math:`H_j` than :math:`H_j s_j`.

    The targets (n_queries, p) are predicted Fisher vectors under a fitted `GaussianMixture`; with
    `has_weights` they begin with the block of the weights. An evaluation takes O(C d^2) time and
    memory per row.
    """

    def __init__(self, mixture, targets, *, has_weights):
        C, d = mixture.means_.shape
        self.mixture = mixture
        self.has_weights = has_weights
        self.precisions = full_precisions(mixture.precisions_, mixture.covariance_type, C, d)
        self.squares = self.precisions @ self.precisions
        self.sizes_of_P = np.square(self.precisions).sum(axis=(1, 2))
        ends = np.cumsum([C if has_weights else 0, C * d])
        weights, means, matrices = np.split(targets, ends, axis=1)
        self.weights = weights
        self.means = means.reshape(-1, C, d)
        # The loss sees an asymmetric part as a constant.
        matrices = matrices.reshape(-1, C, d, d)
        self.matrices = 0.5 * (matrices + matrices.mT)
        self.asymmetric = np.square(0.5 * (matrices - matrices.mT)).sum(axis=(1, 2, 3))
        # Inner products of each matrix with itself and with the precision.
        self.sizes = np.square(self.matrices).sum(axis=(2, 3))
        self.traces = np.einsum("ncde,cde->nc", self.matrices, self.precisions)

    def __call__(self, y, rows):
        """Losses, J'r and J'J, as `levenberg_marquardt` takes them."""
        kind = self.mixture.covariance_type
        gamma = self.mixture.predict_proba(y)
        s = precision_times(y[:, None] - self.mixture.means_, self.mixture.precisions_, kind)
        Ps = precision_times(s, self.mixture.precisions_, kind)
        slopes = gamma[:, :, None] * (np.einsum("mc,mcd->md", gamma, s)[:, None] - s)
        squared = np.einsum("mcd,mcd->mc", s, s)

        Hs = (self.matrices[rows] @ s[:, :, :, None])[:, :, :, 0]
        Us = 0.5 * (squared[:, :, None] * s - Ps)
        UH = 0.5 * (np.einsum("mcd,mcd->mc", s, Hs) - self.traces[rows])
        UU = 0.25 * (np.square(squared) - 2 * np.einsum("mcd,mcd->mc", s, Ps) + self.sizes_of_P)

        mean_residual = gamma[:, :, None] * s - self.means[rows]
        losses = self.asymmetric[rows] + np.square(mean_residual).sum(axis=(1, 2))
        # |gamma U - H|^2, without the roundoff that would make it negative
        matrix_losses = gamma * (gamma * UU - 2 * UH) + self.sizes[rows]
        losses += np.maximum(matrix_losses, 0.0).sum(axis=1)

        # J'r = sum_j along_j g_j + P_j pull_j
        along = np.einsum("mcd,mcd->mc", s, mean_residual) + gamma * UU - UH
        pull = gamma[:, :, None] * (mean_residual + gamma[:, :, None] * Us - Hs)
        # J'J = sum_j a_j g_j g_j' + g_j v_j' + v_j g_j' + b_j P_j^2 + c_j P_j s_j s_j' P_j
        a = squared + UU
        v = precision_times(gamma[:, :, None] * (s + Us), self.mixture.precisions_, kind)
        b = np.square(gamma) * (1 + 0.5 * squared)
        c = 0.5 * np.square(gamma)
        if self.has_weights:
            residual = gamma / self.mixture.weights_ - self.weights[rows]
            losses += np.square(residual).sum(axis=1)
            along += residual / self.mixture.weights_
            a += 1 / np.square(self.mixture.weights_)

        gradient = np.einsum("mc,mcd->md", along, slopes)
        gradient += precision_times(pull, self.mixture.precisions_, kind).sum(axis=1)
        left = np.concatenate([slopes, slopes, v, Ps], axis=1)
        right = np.concatenate([a[:, :, None] * slopes, v, slopes, c[:, :, None] * Ps], axis=1)
        normal = left.mT @ right + np.tensordot(b, self.squares, axes=1)
        return losses, gradient, normal
