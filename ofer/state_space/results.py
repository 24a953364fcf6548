"""Results of a state-space model: named tuples of moments."""

from typing import NamedTuple

import numpy as np


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


class ForecastResult(NamedTuple):
    """Result of `forecast`: means and covariances of future observations and states."""

    means: np.ndarray  # (n, n_steps, p)
    covariances: np.ndarray  # (n, n_steps, p, p), with the noise of the observations
    state_means: np.ndarray  # (n, n_steps, d)
    state_covariances: np.ndarray  # (n, n_steps, d, d)
