"""Kernel ridge regression on any number of samples."""

from ofer.nystroem.regressor import NystroemRidgeCV

__all__ = ["NystroemRidgeCV"]
