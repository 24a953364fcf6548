"""Regression task with outputs of a Gaussian mixture and inputs by kernel PCA of the outputs.

Fidelity: made after section 6.2 of the paper, which gives the numbers of clusters and of
dimensions only; the other parameters are ours (see make_mixture_regression).
"""

import numpy as np
from numpy.typing import ArrayLike
from sklearn.decomposition import KernelPCA
from sklearn.utils import Bunch, check_array, check_random_state

from ofer.kernels import median_bandwidth
from ofer.utils.typing import Seed
from reproduction.checks import check_option, check_real

__all__ = ["make_mixture_regression"]


def make_mixture_regression(
    n_samples: int = 600,
    *,
    n_clusters: int = 4,
    n_outputs: int = 10,
    n_inputs: int = 5,
    weights: ArrayLike | None = None,
    separation: float = 6.0,
    cluster_std: float = 1.0,
    kernel: str = "rbf",
    gamma: float | str = "median",
    input_noise: float = 0.0,
    random_state: Seed = None,
) -> Bunch:
    r"""Generate a regression task whose outputs come from a Gaussian mixture.

    An output is drawn from an isotropic Gaussian mixture,

    .. math:: c \sim \mathrm{weights}, \quad
              y \mid c \sim \mathcal N(\mu_c, \sigma^2 I), \quad
              \mu_c \sim \mathcal N\!\left(0, \frac{(s \sigma)^2}{2 d} I\right),

    with :math:`\sigma` = `cluster_std`, `s` = `separation` and `d` = `n_outputs`. Its input is
    its projection on the first `n_inputs` axes of a kernel PCA of all outputs, plus noise. So
    inputs are a smooth, compressed view of the outputs, which shows their clusters.

    Parameters
    ----------
    n_samples : int, default=600
        Number of samples, at least 2.
    n_clusters : int, default=4
        Number of components of the mixture. In a small sample some may have no member.
    n_outputs : int, default=10
        Dimension of the outputs.
    n_inputs : int, default=5
        Dimension of the inputs, less than `n_samples`; with the linear kernel at most
        `n_outputs` too. There are no more axes.
    weights : array-like of shape (n_clusters,), default=None
        Probabilities of the clusters, which sum to 1; None is equal ones.
    separation : float, default=6.0
        Root mean squared distance between two cluster means, in units of `cluster_std`. In
        these units it has the same meaning in any dimension.
    cluster_std : float, default=1.0
        Standard deviation of each output coordinate within a cluster.
    kernel : {"rbf", "linear", "poly"}, default="rbf"
        Kernel of the projection; "poly" is of degree 3.
    gamma : float or "median", default="median"
        Coefficient of the kernels "rbf" and "poly". The median heuristic is
        ``1 / (2 * median_bandwidth(Y) ** 2)``.
    input_noise : float, default=0.0
        Standard deviation of the Gaussian noise on the inputs, as a fraction of their root mean
        square before it.
    random_state : int, RandomState instance or None, default=None
        Draws everything; pass an int for the same data at each call.

    Returns
    -------
    sklearn.utils.Bunch
        With attributes

        X : ndarray of shape (n_samples, n_inputs)
            Inputs.
        Y : ndarray of shape (n_samples, n_outputs)
            Outputs.
        clusters : ndarray of shape (n_samples,)
            The component of each output, 0 to ``n_clusters - 1``.
        means : ndarray of shape (n_clusters, n_outputs)
            Means of the components.
        parameters : dict
            The arguments but `random_state`, with the values that None and "median" stood for.
        DESCR : str
            Description.

    Notes
    -----
    The paper (section 6.2) gives the number of clusters, the two dimensions and the words
    "kernel PCA". The rest is chosen here, not tuned to any result, and is an argument:

    * Equal weights and isotropic clusters: the paper's models are isotropic throughout.
    * ``separation=6``: two clusters at that distance mix up one sample in about 700, so they are
      clusters to the eye. The paper says nothing on it.
    * A Gaussian kernel with the median heuristic: the usual choice where none is stated. It also
      makes the inputs invariant under a change of the outputs' unit.
    * No noise: the paper mentions none. Without it only the compression to `n_inputs` axes hides
      something of the outputs.
    * The kernel PCA is fitted on all outputs, test samples too: it makes the data, it does not
      learn from them.

    Time is O(n_samples^2 n_inputs), memory O(n_samples^2).

    Examples
    --------
    >>> from reproduction.datasets.generated.mixture_regression import make_mixture_regression
    >>> data = make_mixture_regression(100, n_clusters=3, n_outputs=4, n_inputs=2, random_state=0)
    >>> data.X.shape, data.Y.shape, data.means.shape
    ((100, 2), (100, 4), (3, 4))
    """
    check_real("n_samples", n_samples, at_least=2, integer=True)
    check_real("n_clusters", n_clusters, at_least=1, integer=True)
    check_real("n_outputs", n_outputs, at_least=1, integer=True)
    check_real("n_inputs", n_inputs, at_least=1, integer=True)
    check_real("separation", separation, at_least=0)
    check_real("cluster_std", cluster_std, above=0)
    check_real("input_noise", input_noise, at_least=0)
    check_option("kernel", kernel, ("rbf", "linear", "poly"))
    if gamma != "median":
        check_real("gamma, unless it is 'median',", gamma, above=0)
    n_axes = n_samples - 1  # the Gram matrix is centred
    if kernel == "linear":
        n_axes = min(n_axes, n_outputs)
    if n_inputs > n_axes:
        raise ValueError(
            f"n_inputs must be at most {n_axes}, the number of axes that a {kernel} kernel PCA of "
            f"{n_samples} samples in {n_outputs} dimensions has; got {n_inputs}."
        )
    weights = _check_weights(weights, n_clusters)
    rng = check_random_state(random_state)

    # All draws are of unit scale, so that another scale changes the numbers and not the draws.
    scale = separation * cluster_std / np.sqrt(2 * n_outputs)
    means = scale * rng.standard_normal((n_clusters, n_outputs))
    clusters = rng.choice(n_clusters, size=n_samples, p=weights)
    Y = means[clusters] + cluster_std * rng.standard_normal((n_samples, n_outputs))
    noise = rng.standard_normal((n_samples, n_inputs))

    if gamma == "median":
        gamma = 1 / (2 * median_bandwidth(Y, random_state=rng) ** 2)
    X = KernelPCA(n_inputs, kernel=kernel, gamma=gamma, random_state=rng).fit_transform(Y)
    X += input_noise * np.sqrt(np.mean(X**2)) * noise

    parameters = {
        "n_samples": n_samples,
        "n_clusters": n_clusters,
        "n_outputs": n_outputs,
        "n_inputs": n_inputs,
        "weights": weights,
        "separation": separation,
        "cluster_std": cluster_std,
        "kernel": kernel,
        "gamma": gamma,
        "input_noise": input_noise,
    }
    values = "\n".join(f"{name} = {value}" for name, value in parameters.items())
    description = f"{__doc__}\nParameters\n----------\n{values}\n"
    return Bunch(X=X, Y=Y, clusters=clusters, means=means, parameters=parameters, DESCR=description)


def _check_weights(weights, n_clusters):
    """Probabilities of the clusters as an array, checked."""
    if weights is None:
        return np.full(n_clusters, 1 / n_clusters)
    weights = check_array(weights, dtype=np.float64, ensure_2d=False, input_name="weights")
    if weights.shape != (n_clusters,) or (weights < 0).any() or not np.isclose(weights.sum(), 1):
        raise ValueError(
            f"weights must be {n_clusters} numbers, not negative, that sum to 1; got {weights}."
        )
    return weights / weights.sum()
