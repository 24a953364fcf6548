"""Generated series of a stationary state-space model, cut into a past and a future (Table 5)."""

import numpy as np
from sklearn.utils import Bunch

from ofer import LinearGaussianSSM
from reproduction.checks import check_real

__all__ = ["make_state_space_series"]


def make_state_space_series(
    n_samples=2000,
    *,
    n_steps=10,
    n_given=5,
    n_observed=3,
    radius=0.95,
    angle=np.pi / 5,
    noise=0.5,
    random_state=None,
):
    r"""Generate series whose past is the input and whose future is the output.

    A hidden point in the plane turns, is damped and pushed; what is seen is its coordinate in
    some directions, with noise:

    .. math::

        m_1 \sim \mathcal N(0, I), \qquad
        m_t = \rho\, U_\theta\, m_{t-1} + \mathcal N(0, (1 - \rho^2) I), \qquad
        z_t = C m_t + \mathcal N(0, \sigma^2 I),

    with :math:`U_\theta` the rotation by `angle`, :math:`\rho` = `radius`, :math:`\sigma` =
    `noise`, and the rows of C unit vectors at the angles :math:`0, \pi/p, 2\pi/p, \ldots` The
    noise of the states makes up for the damping, so the series are stationary: every state has
    the covariance I, every observation :math:`C C^\top + \sigma^2 I`.

    Parameters
    ----------
    n_samples : int, default=2000
        Number of series.
    n_steps : int, default=10
        Steps of a series.
    n_given : int, default=5
        Steps that are the input, less than `n_steps`; the rest is the output.
    n_observed : int, default=3
        Observations p a step.
    radius : float, default=0.95
        Share of the state that survives a step, at least 0 and below 1.
    angle : float, default=pi / 5
        Rotation a step, in radians.
    noise : float, default=0.5
        Standard deviation of the noise of an observation. The signal's is 1.
    random_state : int, RandomState instance or None, default=None
        Draws everything; pass an int for the same data at each call.

    Returns
    -------
    sklearn.utils.Bunch
        With attributes

        X : ndarray of shape (n_samples, n_given * n_observed)
            Inputs: the first steps, one after the other.
        Y : ndarray of shape (n_samples, n_steps - n_given, n_observed)
            Outputs: the other steps.
        states : ndarray of shape (n_samples, n_steps - n_given, 2)
            States behind the outputs.
        series : ndarray of shape (n_samples, n_steps, n_observed)
            Whole series.
        paths : ndarray of shape (n_samples, n_steps, 2)
            States behind whole series.
        model : LinearGaussianSSM
            The model that drew them, with its parameters set. Series whose output steps are NaN,
            given to its `filter`, come back with the best possible forecast.
        parameters : dict
            The arguments but `random_state`.
        DESCR : str
            Description.

    Raises
    ------
    TypeError, ValueError
        If an argument is not of its type or out of its range.

    See Also
    --------
    ofer.LinearGaussianSSM : The model.

    Notes
    -----
    The paper (section 6.2) says that the series have ten steps, come from a Gaussian state-space
    model with "steady-state" parameters, and are cut in half. The rest is chosen here, not tuned
    to any result, and is an argument:

    * Two states that turn by a tenth of a circle a step: the simplest dynamics in which the order
      of the steps matters, and over which the second half of a series is not a copy of the first.
    * A radius of 0.95 keeps 0.77 of the state over the five steps of the output, so that there is
      something to forecast at the last of them.
    * Three observations of two states, and noise of half the signal's size: redundant, but not so
      much that the states could be read off a single step.
    * The mean is zero. It has to be: a stationary model of this form has no other.

    Examples
    --------
    >>> from reproduction.datasets.generated.state_space_series import make_state_space_series
    >>> data = make_state_space_series(100, random_state=0)
    >>> data.X.shape, data.Y.shape, data.states.shape
    ((100, 15), (100, 5, 3), (100, 5, 2))

    The best possible forecast, and the root mean squared error that no method can beat:

    >>> import numpy as np
    >>> seen = data.series.copy()
    >>> seen[:, 5:] = np.nan
    >>> states = data.model.filter(seen).means[:, 5:]
    >>> forecast = states @ data.model.observation_matrix_.T
    >>> round(float(np.sqrt(np.mean((data.Y - forecast) ** 2))), 2)
    0.75
    """
    check_real("n_samples", n_samples, at_least=1, integer=True)
    check_real("n_steps", n_steps, at_least=2, integer=True)
    check_real("n_given", n_given, at_least=1, integer=True)
    if n_given >= n_steps:
        raise ValueError(f"n_given must be less than n_steps={n_steps}; got {n_given}.")
    check_real("n_observed", n_observed, at_least=1, integer=True)
    check_real("radius", radius, at_least=0)
    if radius >= 1:
        raise ValueError(f"radius must be less than 1; got {radius}.")
    check_real("angle", angle)
    check_real("noise", noise, above=0)

    model = _turning_model(n_observed, radius, angle, noise, random_state)
    paths, series = model.sample(n_samples, n_steps)
    parameters = {
        "n_samples": n_samples,
        "n_steps": n_steps,
        "n_given": n_given,
        "n_observed": n_observed,
        "radius": radius,
        "angle": angle,
        "noise": noise,
    }
    return Bunch(
        X=series[:, :n_given].reshape(n_samples, -1),
        Y=series[:, n_given:],
        states=paths[:, n_given:],
        series=series,
        paths=paths,
        model=model,
        parameters=parameters,
        DESCR=_describe(parameters),
    )


def _turning_model(n_observed, radius, angle, noise, random_state):
    """The stationary model, with parameters that are set and not estimated."""
    directions = np.pi * np.arange(n_observed) / n_observed
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    model = LinearGaussianSSM(2, random_state=random_state)
    model.initial_mean_, model.initial_covariance_ = np.zeros(2), np.eye(2)
    model.transition_matrix_ = radius * turn
    model.transition_covariance_ = (1 - radius**2) * np.eye(2)
    model.observation_matrix_ = np.column_stack([np.cos(directions), np.sin(directions)])
    model.observation_covariance_ = noise**2 * np.eye(n_observed)
    model.transition_offset_, model.observation_offset_ = np.zeros(2), np.zeros(n_observed)
    model.n_features_in_ = n_observed
    return model


def _describe(parameters):
    """Text of the `DESCR`."""
    values = "\n".join(f"{name} = {value}" for name, value in parameters.items())
    return (
        "Series of a stationary linear Gaussian state-space model; their first steps are the "
        f"input, the others the output.\n\nParameters\n----------\n{values}\n\n"
        "Fidelity: made after section 6.2 of the paper, which gives the length of the series and "
        "where they are cut; the other parameters are ours (see make_state_space_series).\n"
    )
