"""Ridge regression, its parameter chosen as the papers choose theirs."""

from ofer import KernelRidgeCV

__all__ = ["squared_error_ridge"]


def squared_error_ridge(alphas="fixed", **options):
    """Ridge by the squared leave-one-out errors of all outputs, in their own units.

    Parameters
    ----------
    alphas : array-like or str, default="fixed"
        Candidates, as of `KernelRidgeCV`: the same 25 whatever the outputs.
    **options : dict
        Other parameters.

    Returns
    -------
    KernelRidgeCV
    """
    return KernelRidgeCV(alphas, scoring="neg_mean_squared_error", **options)
