"""Results of a state-space model: named tuples of moments."""

from typing import NamedTuple

import numpy as np
from scipy.special import ndtri

from ofer.utils.products import quiet
from ofer.utils.validation import check_real


class FilterResult(NamedTuple):
    """Result of `filter`: means and covariances of the states, given the observations so far."""

    means: np.ndarray  # (n, T, d), of m_t given z_1 .. z_t
    covariances: np.ndarray  # (n, T, d, d)
    predicted_means: np.ndarray  # (n, T, d), of m_t given z_1 .. z_{t-1}
    predicted_covariances: np.ndarray  # (n, T, d, d)
    loglikelihoods: np.ndarray  # (n,)


class SmootherResult(NamedTuple):
    """Result of `smooth`: means and covariances of the states, given whole series."""

    means: np.ndarray  # (n, T, d)
    covariances: np.ndarray  # (n, T, d, d)
    lag_one_covariances: np.ndarray  # (n, T - 1, d, d), Cov(m_{t+1}, m_t)
    loglikelihoods: np.ndarray  # (n,)


@quiet
class ForecastResult(NamedTuple):
    """Result of `forecast`: means and covariances of future observations and states."""

    means: np.ndarray  # (n, n_steps, p)
    covariances: np.ndarray  # (n, n_steps, p, p), with the noise of the observations
    state_means: np.ndarray  # (n, n_steps, d)
    state_covariances: np.ndarray  # (n, n_steps, d, d)

    def intervals(self, level: float = 0.9) -> tuple[np.ndarray, np.ndarray]:
        """Bounds between which each future entry lies with a probability, under the model.

        Parameters
        ----------
        level : float, default=0.9
            The probability, between 0 and 1, of each entry on its own. That the parameters are
            estimates is not in it.

        Returns
        -------
        lower, upper : ndarray of shape (n, n_steps, p)
            Quantiles of the Gaussian forecasts.

        Raises
        ------
        ValueError
            If the level is not between 0 and 1.
        """
        check_real("level", level, at_least=0)
        if not 0 < level < 1:
            raise ValueError(f"level must be between 0 and 1; got {level}.")
        deviations = np.sqrt(np.diagonal(self.covariances, axis1=2, axis2=3))
        width = ndtri(0.5 + 0.5 * level) * deviations
        return self.means - width, self.means + width
