"""Linear Gaussian state-space models of many series."""

from ofer.state_space.linear_gaussian import LinearGaussianSSM
from ofer.state_space.results import FilterResult, ForecastResult, SmootherResult

__all__ = ["FilterResult", "ForecastResult", "LinearGaussianSSM", "SmootherResult"]
