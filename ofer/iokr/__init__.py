"""Regression with a kernel on the outputs."""

from ofer.iokr.regressor import InputOutputKernelRegressor

__all__ = ["InputOutputKernelRegressor"]
