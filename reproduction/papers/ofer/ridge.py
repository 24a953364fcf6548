"""Ridge regression, its parameter chosen as the papers choose theirs."""

from functools import partial

from ofer import KernelRidgeCV

__all__ = ["squared_error_ridge"]

# By the squared leave-one-out errors of all outputs, in their own units.
squared_error_ridge = partial(KernelRidgeCV, scoring="neg_mean_squared_error")
