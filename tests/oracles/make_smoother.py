"""Store smoothed moments of hard state-space models, computed with sixty digits, in smoother.json.

Families of models whose predicted covariances are singular, or span more digits than a number has:
no noise of the states and states that decay, noise of rank one, nearly none, exact observations,
known starts, and priors far above the noise; with missing entries and tails. The recursions are
those of Durbin and Koopman, "Time series analysis by state space methods" (2012), section 4.4,
which need no inverse but that of innovations, and in sixty digits no care. Where mpmath is
installed, run

    python tests/oracles/make_smoother.py
"""

import json
from pathlib import Path

import mpmath
import numpy as np

FAMILIES = {
    "no noise, two states": 5,
    "no noise, three states": 5,
    "noise of rank one": 4,
    "nearly no noise": 5,
    "exact observations": 4,
    "exact autoregression": 3,
    "known start": 3,
    "trend with a known start": 3,
    "growth": 3,
    "large prior": 8,
}
N_STEPS = 16


def random_covariance(rng, size):
    root = rng.normal(size=(size, size))
    return root @ root.T + 0.1 * np.eye(size)


def draw(rng, family, place):
    """Parameters of a model of a family, and a series of it with missing entries."""
    d, p = int(rng.integers(2, 4)), int(rng.integers(1, 3))
    d = {"no noise, two states": 2, "no noise, three states": 3}.get(family, d)
    if family in {"large prior", "trend with a known start"}:
        d, p = 2, 1
    basis = rng.normal(size=(d, d))
    speeds = rng.uniform(0.2, 0.95, size=d) * rng.choice([-1, 1], size=d)
    A = basis @ np.diag(speeds) @ np.linalg.inv(basis)
    Q, R, Sigma0 = (random_covariance(rng, size) for size in (d, p, d))
    C, mu0 = rng.normal(size=(p, d)), rng.normal(size=d)
    direction = rng.normal(size=d)
    if family.startswith("no noise"):
        Q = np.zeros((d, d))
    elif family == "noise of rank one":
        Q = np.outer(direction, direction)
    elif family == "nearly no noise":
        Q = Q * 10.0 ** (-16 + 3 * place)
    elif family == "exact observations":
        R = np.zeros((p, p))
    elif family == "exact autoregression":
        A, Q, C, R = np.eye(d, k=-1), np.zeros((d, d)), np.eye(1, d), np.zeros((1, 1))
        A[0], Q[0, 0] = rng.uniform(-0.4, 0.4, size=d), 1.0
    elif family == "known start":
        Q, Sigma0 = np.outer(direction, direction), np.zeros((d, d))
    elif family in {"trend with a known start", "large prior"}:
        A, C, R = np.array([[1.0, 1.0], [0.0, 1.0]]), np.eye(1, 2), np.eye(1)
        Q, Sigma0 = np.diag([0.0, 0.1]), np.zeros((2, 2))
    elif family == "growth":
        A = 1.3 * A / np.abs(speeds).max()
    if family == "large prior":
        prior, noise = [(1e4, 1e-6), (1e6, 1e-2), (1e7, 1e-6), (1e9, 1e-6)][place % 4]
        Q, R, Sigma0 = np.diag(rng.uniform(0.001, 1, 2)), noise * np.eye(1), prior * np.eye(2)
    p = len(C)
    state, series = rng.multivariate_normal(mu0, Sigma0), []
    for _ in range(N_STEPS):
        series.append(C @ state + rng.multivariate_normal(np.zeros(p), R))
        state = A @ state + rng.multivariate_normal(np.zeros(d), Q)
    z = np.array(series)
    if place % 2:
        z[rng.uniform(size=z.shape) < 0.3] = np.nan
    if place % 3 == 2:
        z[-int(rng.integers(1, 6)) :] = np.nan
    return (A, Q, C, R, mu0, Sigma0), z


def exact(values):
    """Array of numbers with sixty digits."""
    return np.vectorize(mpmath.mpf, otypes=[object])(np.asarray(values, dtype=float))


def inverse(matrix):
    solved = mpmath.matrix(matrix.tolist()) ** -1
    return np.array(solved.tolist(), dtype=object).reshape(matrix.shape)


def smooth(parameters, z):
    """Means, covariances and lag-one covariances of the states given the series."""
    A, Q, C, R, m, P = (exact(value) for value in parameters)
    z_exact, steps = exact(np.nan_to_num(z)), []
    for t in range(len(z)):
        seen = np.isfinite(z[t])
        C_o, e = C[seen], z_exact[t][seen] - C[seen].dot(m)
        S = C_o.dot(P).dot(C_o.T) + R[np.ix_(seen, seen)]
        precision = inverse(S) if seen.any() else S
        K = P.dot(C_o.T).dot(precision)
        L = A - A.dot(K).dot(C_o)
        steps.append((m, P, C_o, precision, e, L))
        m, P = A.dot(m + K.dot(e)), L.dot(P).dot(A.T) + Q
    r, N = exact(np.zeros(len(A))), exact(np.zeros(A.shape))
    means, covariances, lag_one = [], [], []
    for t in reversed(range(len(z))):
        m, P, C_o, precision, e, L = steps[t]
        if t < len(z) - 1:
            lag_one.append((exact(np.eye(len(A))) - steps[t + 1][1].dot(N)).dot(L).dot(P))
        weighted = C_o.T.dot(precision)
        r, N = weighted.dot(e) + L.T.dot(r), weighted.dot(C_o) + L.T.dot(N).dot(L)
        means.append(m + P.dot(r))
        covariances.append(P - P.dot(N).dot(P))
    return [np.array(one[::-1], dtype=float) for one in (means, covariances, lag_one)]


def rounded(values):
    """Nested lists, with as many digits as the test needs of covariances."""
    return np.vectorize(lambda value: float(f"{value:.10g}"))(values).tolist()


def main():
    """Draw the models, and smooth one series of each."""
    mpmath.mp.dps = 60
    lines = []
    for number, (family, count) in enumerate(FAMILIES.items()):
        rng = np.random.default_rng(number)
        for place in range(count):
            parameters, z = draw(rng, family, place)
            means, *covariances = smooth(parameters, z)
            entry = {
                "family": family,
                "parameters": [value.tolist() for value in parameters],
                "series": [[x if np.isfinite(x) else None for x in row] for row in z.tolist()],
                "smoothed": [means.tolist(), *(rounded(value) for value in covariances)],
            }
            lines.append(json.dumps(entry))
    path = Path(__file__).with_name("smoother.json")
    path.write_text("[\n" + ",\n".join(lines) + "\n]\n")


if __name__ == "__main__":
    main()
