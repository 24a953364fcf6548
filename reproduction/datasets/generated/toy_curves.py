"""Generated curves with several outputs an input: the toys of twin Gaussian processes."""

import numpy as np
from sklearn.utils import Bunch, check_array, check_consistent_length, check_random_state

from reproduction.checks import check_real

__all__ = ["branch_error", "make_toy1", "make_toy2", "toy_branches", "toy_curve"]

_HEIGHT = 0.3
# Where the slope of the curve changes its sign, in one period.
_TURN = np.arccos(-1.0 / (2.0 * np.pi * _HEIGHT)) / (2.0 * np.pi)
_PIECES = np.array([0.0, _TURN, 1.0 - _TURN, 1.0])


def toy_curve(y):
    r"""The input that belongs to an output, without noise.

    .. math:: x = f(y) = y + 0.3 \sin(2 \pi y)

    Parameters
    ----------
    y : array-like
        Outputs.

    Returns
    -------
    ndarray
        Inputs, of the same shape. The curve repeats itself, :math:`f(y + 1) = f(y) + 1`.

    Examples
    --------
    >>> from reproduction.datasets.generated.toy_curves import toy_curve
    >>> toy_curve([0.0, 0.25, 1.25]).round(2).tolist()
    [0.0, 0.55, 1.55]
    """
    y = np.asarray(y, dtype=np.float64)
    return y + _HEIGHT * np.sin(2.0 * np.pi * y)


def toy_branches(x):
    """All outputs that belong to an input, without noise.

    Parameters
    ----------
    x : array-like of shape (n,) or (n, 1)
        Inputs.

    Returns
    -------
    ndarray of shape (n, 3)
        In each row the one or three solutions y of ``toy_curve(y) == x``, ascending; NaN takes the
        place of a solution that is not there.

    Notes
    -----
    The curve rises, falls and rises again in each period, and each of the three pieces is
    searched by bisection. Cost O(n).

    Examples
    --------
    >>> from reproduction.datasets.generated.toy_curves import toy_branches
    >>> toy_branches([0.2, 0.5]).round(3).tolist()
    [[0.071, nan, nan], [0.21, 0.5, 0.79]]
    """
    x = check_array(x, dtype=np.float64, ensure_2d=False, input_name="x").ravel()[:, None]
    whole = np.floor(x)
    inside = np.minimum(x - whole, toy_curve(1.0))  # rounded up it is 1, and the curve ends below
    low, high = (np.broadcast_to(ends, (len(x), 3)) for ends in (_PIECES[:-1], _PIECES[1:]))
    rises = toy_curve(low) < toy_curve(high)
    ends = np.sort([toy_curve(low), toy_curve(high)], axis=0)
    there = (ends[0] <= inside) & (inside <= ends[1])
    for _ in range(53):  # the bits of a double
        middle = (low + high) / 2.0
        below = (toy_curve(middle) < inside) == rises
        low, high = np.where(below, middle, low), np.where(below, high, middle)
    return np.where(there, whole + (low + high) / 2.0, np.nan)


def make_toy1(n_samples=250, *, n_test=250, noise=0.005, random_state=None):
    r"""Generate toy example 1: an S-shaped curve with up to three outputs an input.

    .. math:: y \sim U(0, 1), \quad x = y + 0.3 \sin(2 \pi y) + \mathcal N(0, \sigma^2)

    Parameters
    ----------
    n_samples : int, default=250
        Number of training samples.
    n_test : int, default=250
        Number of test inputs, equally spaced.
    noise : float, default=0.005
        Standard deviation :math:`\sigma` of the noise on the inputs.
    random_state : int, RandomState instance or None, default=None
        Draws everything; pass an int for the same data at each call.

    Returns
    -------
    sklearn.utils.Bunch
        With attributes

        X, Y : ndarray of shape (n_samples, 1)
            Inputs and outputs.
        X_test : ndarray of shape (n_test, 1)
            Inputs without noise: the midpoints of n_test equal pieces of (0, 1).
        branches : ndarray of shape (n_test, 3)
            All right answers, see `toy_branches`.
        DESCR : str
            Description.

    Raises
    ------
    TypeError, ValueError
        If an argument is not of its type or out of its range.

    See Also
    --------
    branch_error : Distance to the nearest right answer.

    Notes
    -----
    The papers measure a "mean prediction error" and do not say of which of the right answers
    [1]_ [2]_. Ours is the distance to the nearest one.

    References
    ----------
    .. [1] Elhoseiny, Elgammal, "Generalized twin Gaussian processes using Sharma-Mittal
       divergence", Machine Learning 100 (2015), section 5.1.1.
    .. [2] Bo, Sminchisescu, "Twin Gaussian processes for structured prediction", IJCV 87 (2010).

    Examples
    --------
    >>> from reproduction.datasets.generated.toy_curves import make_toy1
    >>> toy = make_toy1(random_state=0)
    >>> toy.X.shape, toy.X_test.shape, toy.branches.shape
    ((250, 1), (250, 1), (250, 3))
    """
    return _make(0.0, n_samples, n_test, noise, random_state)


def make_toy2(n_samples=250, *, n_test=500, noise=0.005, random_state=None):
    """Generate toy example 2: two S shapes one after the other, half as densely sampled.

    As `make_toy1`, but outputs and test inputs come from (-1, 1).

    Parameters
    ----------
    n_samples : int, default=250
        Number of training samples. The paper draws 500 and keeps every second one; keeping any
        half of independent draws is the same as drawing 250.
    n_test : int, default=500
        Number of test inputs, equally spaced.
    noise : float, default=0.005
        Standard deviation of the noise on the inputs.
    random_state : int, RandomState instance or None, default=None
        Draws everything; pass an int for the same data at each call.

    Returns
    -------
    sklearn.utils.Bunch
        As from `make_toy1`.

    Raises
    ------
    TypeError, ValueError
        If an argument is not of its type or out of its range.

    Notes
    -----
    The paper [1]_ shows the curve and gives no formula. It joins "two S shapes"; ours is the curve
    of toy example 1 over two periods.

    References
    ----------
    .. [1] Elhoseiny, Elgammal, "Generalized twin Gaussian processes using Sharma-Mittal
       divergence", Machine Learning 100 (2015), section 5.1.2.

    Examples
    --------
    >>> from reproduction.datasets.generated.toy_curves import make_toy2
    >>> toy = make_toy2(random_state=0)
    >>> toy.X.shape, toy.X_test.shape, bool(toy.X_test.min() < 0)
    ((250, 1), (500, 1), True)
    """
    return _make(-1.0, n_samples, n_test, noise, random_state)


def branch_error(x, y_pred):
    r"""Mean distance of predictions from the nearest right answer of the toy examples.

    .. math:: \frac{1}{n} \sum_{i=1}^n \min_{y : f(y) = x_i} |\hat y_i - y|

    Parameters
    ----------
    x : array-like of shape (n_samples,) or (n_samples, 1)
        Inputs without noise.
    y_pred : array-like of shape (n_samples,) or (n_samples, 1)
        Predictions.

    Returns
    -------
    float
        The error.

    Raises
    ------
    ValueError
        If the numbers of samples differ or a value is not finite.

    See Also
    --------
    toy_branches : All right answers.

    Examples
    --------
    >>> from reproduction.datasets.generated.toy_curves import branch_error
    >>> round(branch_error([0.5, 0.5], [0.5, 0.81]), 2)
    0.01
    """
    branches = toy_branches(x)
    y_pred = check_array(y_pred, dtype=np.float64, ensure_2d=False, input_name="y_pred").ravel()
    check_consistent_length(branches, y_pred)
    return float(np.nanmin(np.abs(branches - y_pred[:, None]), axis=1).mean())


def _make(start, n_samples, n_test, noise, random_state):
    check_real("n_samples", n_samples, at_least=1, integer=True)
    check_real("n_test", n_test, at_least=1, integer=True)
    check_real("noise", noise, at_least=0)
    rng = check_random_state(random_state)
    Y = rng.uniform(start, 1.0, size=(n_samples, 1))
    X = toy_curve(Y) + noise * rng.standard_normal((n_samples, 1))
    width = (1.0 - start) / n_test
    X_test = start + width * (np.arange(n_test)[:, None] + 0.5)
    return Bunch(
        X=X,
        Y=Y,
        X_test=X_test,
        branches=toy_branches(X_test),
        DESCR=(
            f"Inputs y + {_HEIGHT} sin(2 pi y) + N(0, {noise}^2) of outputs y ~ U({start}, 1), "
            f"{n_samples} of them.\n\nFidelity: made after sections 5.1.1 and 5.1.2 of the paper "
            "on Sharma-Mittal twin Gaussian processes.\n"
        ),
    )
