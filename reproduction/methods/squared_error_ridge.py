"""Ridge regression, its parameter chosen as the papers choose theirs."""

from ofer import KernelRidgeCV

__all__ = ["squared_error_ridge"]


def squared_error_ridge(alphas="fixed", **options):
    """Ridge by the squared leave-one-out errors of all outputs, in their own units."""
    return KernelRidgeCV(alphas, scoring="neg_mean_squared_error", **options)
