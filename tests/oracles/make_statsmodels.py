"""Store what statsmodels makes of states without a prior in statsmodels.json.

Its exact diffuse start is that of Koopman (1997). statsmodels needs pandas, which is too much to
install for a few numbers. Where it is installed, run

    python tests/oracles/make_statsmodels.py
"""

import json
from pathlib import Path

import numpy as np
import statsmodels
from statsmodels.tsa.statespace.initialization import Initialization
from statsmodels.tsa.statespace.kalman_smoother import KalmanSmoother

FLAT = float("inf")
TREND = [[1.0, 1.0], [0.0, 1.0]]
NOISES = [[1.0, 0.3], [0.3, 2.0]]
# A, Q, C, R, and the variances of the first state
MODELS = {
    "local level": ([[1.0]], [[0.5]], [[1.0]], [[1.0]], [FLAT]),
    "local trend": (TREND, [[0.5, 0], [0, 0.1]], [[1.0, 0]], [[1.0]], [FLAT, FLAT]),
    "trend, slope with a prior": (TREND, [[0.5, 0], [0, 0.1]], [[1.0, 0]], [[1.0]], [FLAT, 1]),
    "AR(2), exact": ([[0.5, 0.3], [1, 0]], [[1.0, 0], [0, 0]], [[1.0, 0]], [[0.0]], [FLAT, FLAT]),
    "AR(2), noisy": ([[0.5, 0.3], [1, 0]], [[1.0, 0], [0, 0]], [[1.0, 0]], [[0.3]], [FLAT, FLAT]),
    "one level twice": ([[1.0]], [[0.5]], [[1.0], [1.0]], NOISES, [FLAT]),
    "trend and noise": (
        [[1.0, 1, 0], [0, 1, 0], [0, 0, 0.5]],
        np.diag([0.5, 0.1, 1.0]).tolist(),
        [[1.0, 0, 0], [1, 0, 1]],
        NOISES,
        [FLAT, FLAT, 1.0],
    ),
}


def series_of(p):
    """Two ragged series; the second has holes, at its start too, unless they are not many."""
    rng = np.random.default_rng(p)
    first, second = (rng.normal(size=(length, p)).cumsum(axis=0).round(3) for length in (15, 11))
    second[0, 0] = second[3] = second[7:9, 0] = np.nan
    if p == 1:
        second[1] = np.nan
    return [first, second]


def smooth(model, series):
    """statsmodels' smoothed moments, likelihood, and filter after the start."""
    A, Q, C, R, variances = model
    d, p = len(A), len(C)
    peer = KalmanSmoother(k_endog=p, k_states=d, loglikelihood_burn=0)
    peer.bind(series.copy())
    peer["transition"], peer["state_cov"], peer["design"] = (np.array(x, float) for x in (A, Q, C))
    peer["obs_cov"], peer["selection"] = np.array(R), np.eye(d)
    start = Initialization(d)
    for i, variance in enumerate(variances):
        if variance == FLAT:
            start.set(i, "diffuse")
        else:
            start.set(i, "known", constant=[0.0], stationary_cov=[[variance]])
    peer.initialize(start)
    peer.tolerance = 0.0  # else it takes the covariances for steady where they are not quite
    found = peer.smooth()
    return {
        "loglikelihood": float(found.llf),
        "means": found.smoothed_state.T.tolist(),
        "covariances": found.smoothed_state_cov.transpose(2, 0, 1).tolist(),
        "n_diffuse": int(found.nobs_diffuse),
        "filtered_means": found.filtered_state.T.tolist(),
        "filtered_covariances": found.filtered_state_cov.transpose(2, 0, 1).tolist(),
    }


def main():
    """Smooth two series under each model."""
    lines = [f'"statsmodels": "{statsmodels.__version__}"']
    for name, model in MODELS.items():
        series = series_of(len(model[2]))
        if name == "AR(2), exact":  # a hole would leave nothing to condition on
            series = [series[0], series[0][:6] + 1]
        entry = {
            "parameters": [*model[:4], [str(x) for x in model[4]]],
            "series": [np.where(np.isnan(z), None, z).tolist() for z in series],
            "results": [smooth(model, z) for z in series],
        }
        lines.append(f"{json.dumps(name)}: {json.dumps(entry)}")
    path = Path(__file__).with_name("statsmodels.json")
    path.write_text("{\n" + ",\n".join(lines) + "\n}\n")


if __name__ == "__main__":
    main()
