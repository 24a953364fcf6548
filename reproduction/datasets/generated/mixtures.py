"""The paper's generated data sets D1 and D2."""

from reproduction.datasets.generated.mixture_regression import make_mixture_regression

__all__ = ["make_d1", "make_d2"]


def make_d1(n_samples=600, *, n_clusters=4, n_outputs=10, **parameters):
    """Generate the paper's data set D1: 4 clusters in 10 dimensions, 5 inputs (section 6.2).

    Parameters
    ----------
    n_samples : int, default=600
        Number of samples; the paper states none. It is that of D2, and leaves a test set beside
        the 100 samples of the largest training set (Tables 1 to 3).
    n_clusters : int, default=4
        Number of clusters.
    n_outputs : int, default=10
        Dimension of the outputs.
    **parameters
        Other arguments of `make_mixture_regression`, whose notes say where the paper is silent.

    Returns
    -------
    sklearn.utils.Bunch
        As from `make_mixture_regression`.

    Raises
    ------
    TypeError, ValueError
        If an argument is unknown, not of its type or out of its range.

    Examples
    --------
    >>> from reproduction.datasets.generated.mixtures import make_d1
    >>> d1 = make_d1(random_state=0)
    >>> d1.X.shape, d1.Y.shape, len(d1.means)
    ((600, 5), (600, 10), 4)
    """
    return make_mixture_regression(
        n_samples, n_clusters=n_clusters, n_outputs=n_outputs, **parameters
    )


def make_d2(n_samples=600, *, n_clusters=10, n_outputs=5, **parameters):
    """Generate the paper's data set D2: 10 clusters in 5 dimensions, 5 inputs (section 6.2).

    Parameters
    ----------
    n_samples : int, default=600
        Number of samples; the paper states none. Half of the samples are for training and 300
        of these are used in Table 4, so there are at least 600.
    n_clusters : int, default=10
        Number of clusters.
    n_outputs : int, default=5
        Dimension of the outputs.
    **parameters
        Other arguments of `make_mixture_regression`, whose notes say where the paper is silent.
        The paper makes D2 "similarly to" D1, so the defaults are the same, 5 inputs included.

    Returns
    -------
    sklearn.utils.Bunch
        As from `make_mixture_regression`.

    Raises
    ------
    TypeError, ValueError
        If an argument is unknown, not of its type or out of its range.

    Examples
    --------
    >>> from reproduction.datasets.generated.mixtures import make_d2
    >>> d2 = make_d2(random_state=0)
    >>> d2.X.shape, d2.Y.shape, len(d2.means)
    ((600, 5), (600, 5), 10)
    """
    return make_mixture_regression(
        n_samples, n_clusters=n_clusters, n_outputs=n_outputs, **parameters
    )
