"""A small model, sets of series, and the joint Gaussian of states and observations."""

import numpy as np
import pytest

from ofer import LinearGaussianSSM
from ofer.state_space._kalman import NAMES, Parameters

D, P = 2, 3


def covariance(rng, size):
    root = rng.normal(size=(size, size))
    return root @ root.T + 0.5 * np.eye(size)


def random_parameters(seed=0, d=D, p=P):
    rng = np.random.default_rng(seed)
    A = rng.normal(size=(d, d))
    A *= 0.9 / np.abs(np.linalg.eigvals(A)).max()
    return Parameters(
        A,
        covariance(rng, d),
        rng.normal(size=(p, d)),
        covariance(rng, p),
        rng.normal(size=d),
        covariance(rng, d),
        rng.normal(size=d),
        rng.normal(size=p),
    )


def with_parameters(parameters, **options):
    """A model with given parameters."""
    a, b = parameters.a + np.zeros(len(parameters.A)), parameters.b + np.zeros(len(parameters.C))
    values = dict(zip(NAMES, parameters._replace(a=a, b=b), strict=True))
    return LinearGaussianSSM.from_parameters(**values, **options)


def holes(Z, seed=0, share=0.3):
    """A copy of an array with missing entries, one whole step among them."""
    Z = Z.copy()
    Z[np.random.default_rng(seed).uniform(size=Z.shape) < share] = np.nan
    Z[0, 1] = np.nan
    Z[:, 2, 0] = 1.0
    return Z


def ragged(Z):
    """The series of an array cut to lengths in no order, some of them equal."""
    return [one[: 2 + (3 * i) % (len(one) - 1)] for i, one in enumerate(Z)]


PARAMETERS = random_parameters()
MODEL = with_parameters(PARAMETERS, random_state=0)
STATES, Z = MODEL.sample(8, 6)
SETS = {
    "complete": Z,
    "missing": holes(Z),
    "ragged": ragged(Z),
    "ragged, missing": ragged(holes(Z)),
}
every_set = pytest.mark.parametrize("data", SETS.values(), ids=SETS.keys())


def joint_gaussian(parameters, T):
    """Mean and covariance of (m_1 .. m_T, z_1 .. z_T)."""
    A, Q, C, R, mu0, Sigma0, a, b = parameters
    d, p = len(A), len(C)
    # m = L (mu0 + e_1, a + e_2, .., a + e_T) with block lower triangular L of powers of A
    L = np.zeros((T * d, T * d))
    powers = [np.linalg.matrix_power(A, k) for k in range(T)]
    for t in range(T):
        for s in range(t + 1):
            L[t * d : (t + 1) * d, s * d : (s + 1) * d] = powers[t - s]
    noise = np.zeros((T * d, T * d))
    for t in range(T):
        noise[t * d : (t + 1) * d, t * d : (t + 1) * d] = Q if t else Sigma0
    start = np.concatenate([mu0, np.tile(a, T - 1)])
    emission = np.kron(np.eye(T), C)
    mean, S = L @ start, L @ noise @ L.T
    top = np.hstack([S, S @ emission.T])
    bottom = np.hstack([emission @ S, emission @ S @ emission.T + np.kron(np.eye(T), R)])
    assert bottom.shape[0] == T * p
    return np.concatenate([mean, emission @ mean + np.tile(b, T)]), np.vstack([top, bottom])


def conditioned(parameters, z, n_seen):
    """Moments of all states given the observed entries of the first steps, by brute force."""
    T, d = len(z), len(parameters.A)
    mean, S = joint_gaussian(parameters, T)
    seen = np.isfinite(z)
    seen[n_seen:] = False
    places = T * d + np.flatnonzero(seen)
    if not len(places):
        return mean[: T * d].reshape(T, d), S[: T * d, : T * d].reshape(T, d, T, d)
    gain = np.linalg.solve(S[np.ix_(places, places)], S[places, : T * d]).T
    m = mean[: T * d] + gain @ (z[seen] - mean[places])
    V = S[: T * d, : T * d] - gain @ S[places, : T * d]
    return m.reshape(T, d), V.reshape(T, d, T, d)
