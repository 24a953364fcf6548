r"""The costs of twin Gaussian processes, and their slopes along the output's kernel values.

With :math:`k = K_Y^y` (N,), the kernel values of an output with those of the training set, every
cost is a function that returns, for rows of k (m, N) and the queries they belong to (m,), the
values (m,) and :math:`\partial F / \partial k` (m, N). Equations are those of Elhoseiny and
Elgammal (2015); the displays of (5) to (17) are stated in the docstring of `TwinGaussianProcess`.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable
from numbers import Real
from typing import ClassVar

import numpy as np
from scipy.linalg import cho_factor, cho_solve
from sklearn.base import BaseEstimator

from ofer.companions.sharma_mittal.twin_kernels import Queries, TwinKernels, dots, variances
from ofer.utils.products import quiet
from ofer.utils.sklearn_private import Interval, validate_parameter_constraints

LARGEST = 300.0  # of the exponents of (16): squares of such powers are in the range of numbers


def kl(twins, queries):
    """Equations (5) and (6): the divergence of outputs from inputs."""

    def cost(k, rows):
        u_x, eta_x = queries.weights[rows], queries.eta[rows]
        u_y, eta_y = _solve_outputs(twins, k)
        values = 1.0 + twins.ridge_y - 2.0 * dots(k, u_x) - eta_x * np.log(eta_y)
        u_y *= (eta_x / eta_y)[:, None]
        u_y -= u_x
        u_y *= 2.0
        return values, u_y

    return cost


def inverse_kl(twins, queries):
    """The divergence of inputs from outputs, exactly."""

    def cost(k, rows):
        u_y, eta_y = _solve_outputs(twins, k)
        difference = u_y - queries.weights[rows]
        pulled = difference @ twins.K_x  # K_X u_y - k_x
        # 1 + ridge_x - 2 u_y' k_x + u_y' K_X u_y, as a sum of what is not negative
        spread = queries.eta[rows] + dots(difference, pulled)
        slopes = _solve_outputs(twins, pulled)[0]
        slopes += (spread / eta_y - 1.0)[:, None] * u_y
        return spread / eta_y + np.log(eta_y), 2.0 / eta_y[:, None] * slopes

    return cost


@quiet
class TwinObjective(ABC, BaseEstimator):
    """A form of the cost of Sharma-Mittal twin Gaussian processes; all have the same minimisers.

    At the ends of the family it gives way to a limit that does not depend on the form: `kl` for
    alpha 0, `inverse_kl` for alpha 1.
    """

    _parameter_constraints: ClassVar[dict] = {}

    def at(self, alpha: float, twins: TwinKernels, queries: Queries) -> Callable:
        """The cost for one alpha, as a function of kernel values and the queries of their rows."""
        if alpha in LIMITS:
            return LIMITS[alpha](twins, queries)
        return self.inside(alpha, twins, queries)

    @abstractmethod
    def inside(self, alpha: float, twins: TwinKernels, queries: Queries) -> Callable:
        """Cost for an alpha between its ends, and its gradients."""

    def validate(self) -> None:
        """Raise ValueError for a parameter out of its range."""
        validate_parameter_constraints(
            self._parameter_constraints, self.get_params(), type(self).__name__
        )


@quiet
class LogObjective(TwinObjective):
    """Logarithmic cost of a twin Gaussian process, from (16): log eta_xy - alpha log eta_y.

    Nothing in it can overflow, and it costs what (16) does.
    """

    def inside(self, alpha: float, twins: TwinKernels, queries: Queries) -> Callable:
        inputs = (1.0 - alpha) * queries.kernel

        def cost(k, rows):
            u_y, eta_y = _solve_outputs(twins, k)
            mixed = inputs[rows]
            mixed += alpha * k
            v, eta_xy = _mixed_terms(twins, mixed, alpha)
            values = np.log(eta_xy) - alpha * np.log(eta_y)
            u_y *= (2.0 * alpha / eta_y)[:, None]  # in place: memory takes time, besides BLAS
            v *= (2.0 * alpha / eta_xy)[:, None]
            u_y -= v
            return values, u_y

        return cost


@quiet
class QuadraticObjective(TwinObjective):
    """Quadratic cost of a twin Gaussian process, equations (16) and (17); see `LogObjective`.

    It is a power, of which `LogObjective` is the logarithm. Powers stay in the range of numbers.

    Parameters
    ----------
    beta : float, default=0.5
        Order of the divergence, not 1, whose limit `LogObjective` is. It scales costs;
        predictions do not depend on it (Lemma 4.2).

    Examples
    --------
    >>> from ofer.companions import QuadraticObjective, TwinGaussianProcess
    >>> model = TwinGaussianProcess(0.3, objective=QuadraticObjective(beta=1.5))
    """

    _parameter_constraints: ClassVar[dict] = {
        "beta": [
            Interval(Real, None, 1, closed="neither"),
            Interval(Real, 1, None, closed="neither"),
        ]
    }

    def __init__(self, beta: float = 0.5):
        self.beta = beta

    def inside(self, alpha: float, twins: TwinKernels, queries: Queries) -> Callable:
        logarithm = LogObjective().inside(alpha, twins, queries)
        exponent = (self.beta - 1.0) / (2.0 * (1.0 - alpha))

        def cost(k, rows):
            values, slopes = logarithm(k, rows)
            powers = np.exp(np.clip(exponent * values, -LARGEST, LARGEST))
            return powers / (self.beta - 1.0), powers[:, None] / (2.0 * (1.0 - alpha)) * slopes

        return cost


@quiet
class CubicObjective(TwinObjective):
    """Cubic cost of a twin Gaussian process, equations (11) and (12): O(N^3) for each row."""

    def inside(self, alpha: float, twins: TwinKernels, queries: Queries) -> Callable:
        def cost(k, rows):
            u_y, eta_y = _solve_outputs(twins, k)
            values, slopes = np.empty(len(k)), np.empty_like(k)
            for i, row in enumerate(rows):
                P_x = _bordered_inverse(twins.inverses[0], queries.weights[row], queries.eta[row])
                P_y = _bordered_inverse(twins.inverses[1], u_y[i], eta_y[i])
                factor = cho_factor(alpha * P_x + (1.0 - alpha) * P_y, overwrite_a=True)
                logdet = 2.0 * np.log(np.diag(factor[0])).sum()
                values[i] = 0.5 * (np.log(eta_y[i]) + logdet / (1.0 - alpha))
                mu = P_y @ cho_solve(factor, P_y[:, -1])
                slopes[i] = -mu[:-1] - u_y[i] / eta_y[i]
            return values, slopes

        return cost


LIMITS = {0: kl, 1: inverse_kl}
OBJECTIVES = {"log": LogObjective(), "quadratic": QuadraticObjective(), "cubic": CubicObjective()}


def _mixed_terms(twins, k, alpha):
    """The rows v = C^-1 k and variances eta_xy under C = (1 - alpha) K_X + alpha K_Y."""
    factor = twins.factor_mixed(alpha)
    whitened = factor.whiten(k)
    ridge = (1.0 - alpha) * twins.ridge_x + alpha * twins.ridge_y
    eta = variances(whitened, ridge)
    return factor.unwhiten(whitened), eta


def _solve_outputs(twins, k):
    """The rows u_y = K_Y^-1 k and variances eta_y."""
    whitened = twins.factor_y.whiten(k)
    eta = variances(whitened, twins.ridge_y)
    return twins.factor_y.unwhiten(whitened), eta


def _bordered_inverse(inverse, u, eta):
    """Equation (25): the inverse of a matrix that has grown by a row and a column."""
    border = np.append(u, -1.0)
    grown = np.outer(border, border) / eta
    grown[:-1, :-1] += inverse
    return grown


def certainty(twins, queries, k, alpha):
    r"""The certainty :math:`\varphi_\alpha` of Lemma 4.1; at 0 and 1, what is left of it there.

    :math:`\varphi_\alpha` tends to one at both ends, but its power
    :math:`1 / (\alpha (1 - \alpha))`, in the same order, tends to the exponential of minus twice
    what a Kullback-Leibler divergence grows by with the new point.
    """
    u_y, eta_y = _solve_outputs(twins, k)
    if 0.0 < alpha < 1.0:
        _, eta_xy = _mixed_terms(twins, (1.0 - alpha) * queries.kernel + alpha * k, alpha)
        logs = (1.0 - alpha) * np.log(queries.eta) + alpha * np.log(eta_y) - np.log(eta_xy)
        return np.exp(logs)
    difference = u_y - queries.weights
    eta, other, K = (
        (queries.eta, eta_y, twins.K_y) if alpha == 0.0 else (eta_y, queries.eta, twins.K_x)
    )
    spread = other + dots(difference @ K, difference)
    return np.exp(1.0 + np.log(other / eta) - spread / eta)
