"""Forms of the smoother of a linear Gaussian state space, to set beside each other."""

import numpy as np

from ofer import LinearGaussianSSM

__all__ = [
    "CASES",
    "compare_forms",
    "level_of",
    "smooth_by_covariances",
    "smooth_by_least_squares",
    "smooth_by_ofer",
]

ONE_SENSOR = np.array([[1.0, 0.0]])
N_STEPS = 40
_TREND = np.array([[1.0, 1.0], [0.0, 1.0]])
CASES = {  # transitions, the noise of states and of the sensor, and the prior
    "an ordinary model": (0.9 * np.eye(2), 0.1 * np.eye(2), 0.1, np.eye(2)),
    "states decay without noise": (
        np.array([[-0.4, 0.9], [-0.1, 0.8]]),
        np.zeros((2, 2)),
        1.0,
        np.eye(2),
    ),
    "a trend without noise": (_TREND, np.zeros((2, 2)), 1.0, np.eye(2)),
    "a vague prior, an exact sensor": (_TREND, np.diag([0.0, 1e-4]), 1e-6, 1e7 * np.eye(2)),
}


def smooth_by_least_squares(A, Q, r, S, z):
    """Smoothed means and covariances of two states seen by one sensor, by QR.

    The unknowns are the first state and the innovations, in units of their standard deviations, so
    that no covariance is divided by.
    """
    T = len(z)
    paths = np.zeros((T, 2, 2 * T))
    paths[0, :, :2] = np.sqrt(S)
    for t in range(1, T):
        paths[t] = A @ paths[t - 1]
        paths[t, :, 2 * t : 2 * t + 2] = np.sqrt(Q)
    seen = (ONE_SENSOR @ paths)[:, 0] / np.sqrt(r)
    orthogonal, R = np.linalg.qr(np.vstack([seen, np.eye(2 * T)]))
    right = np.concatenate([z[:, 0] / np.sqrt(r), np.zeros(2 * T)])
    halves = np.linalg.solve(R.T, paths.reshape(-1, 2 * T).T).T.reshape(paths.shape)
    return paths @ np.linalg.solve(R, orthogonal.T @ right), halves @ halves.mT


def smooth_by_covariances(A, Q, r, S, z):
    """Filter and smoother as the equations of the textbooks stand; as `smooth_by_least_squares`."""
    means, covariances, m, P = [], [], np.zeros(2), S
    for t, value in enumerate(z):
        m, P = (m, P) if t == 0 else (A @ m, A @ P @ A.T + Q)
        gain = P @ ONE_SENSOR.T / (ONE_SENSOR @ P @ ONE_SENSOR.T + r)
        m, P = m + gain @ (value - ONE_SENSOR @ m), P - gain @ ONE_SENSOR @ P
        means.append(m)
        covariances.append(P)
    for t in range(len(z) - 2, -1, -1):
        ahead = A @ covariances[t] @ A.T + Q
        J = covariances[t] @ A.T @ np.linalg.pinv(ahead, rcond=1e-300)
        means[t] = means[t] + J @ (means[t + 1] - A @ means[t])
        covariances[t] = covariances[t] + J @ (covariances[t + 1] - ahead) @ J.T
    return np.array(means), np.array(covariances)


def smooth_by_ofer(A, Q, r, S, z):
    """By `ofer.LinearGaussianSSM`; as `smooth_by_least_squares`."""
    smoothed = _model(A, Q, r, S).smooth(z[None])
    return smoothed.means[0], smoothed.covariances[0]


def compare_forms(forms):
    """Largest error of smoothed means and covariances, in units of the standard deviations."""
    wrong = {name: {} for name in forms}
    for case, (A, Q, r, S) in CASES.items():
        z = _model(A, Q, r, S).sample(1, N_STEPS)[1][0]
        means, covariances = smooth_by_least_squares(A, Q, r, S, z)
        deviations = np.sqrt(np.diagonal(covariances, axis1=1, axis2=2))
        scales = deviations[:, :, None] * deviations[:, None]
        for name, smooth in forms.items():
            smoothed = smooth(A, Q, r, S, z)
            errors = (smoothed[0] - means) / deviations, (smoothed[1] - covariances) / scales
            wrong[name][case] = max(float(np.abs(one).max()) for one in errors)
    return wrong


def level_of(error):
    """How large an error is, in words that no last digit changes."""
    for exponent in (-9, -6, -3):
        if error < 10.0**exponent:
            return f"below 1e{exponent}"
    return "above 0.1" if error > 0.1 else "below 0.1"


def _model(A, Q, r, S):
    return LinearGaussianSSM.from_parameters(
        transition_matrix=A,
        transition_covariance=Q,
        observation_matrix=ONE_SENSOR,
        observation_covariance=[[r]],
        initial_mean=[0.0, 0.0],
        initial_covariance=S,
        random_state=0,
    )
