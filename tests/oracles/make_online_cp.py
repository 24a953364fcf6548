"""Store studentised residuals of online-cp's kernel ridge regression machine in online_cp.json.

It has one output and no intercept. Where it is installed, run

    python tests/oracles/make_online_cp.py
"""

import json
from importlib.metadata import version
from pathlib import Path

import numpy as np
from online_cp import KernelConformalRidgeRegressor
from online_cp.kernels import GaussianKernel

SIGMA, RIDGE = 0.7, 0.3


def main():
    """Add each of some queries to the samples: residuals are A + y B for an output y."""
    rng = np.random.default_rng(0)
    X, queries = rng.normal(size=(25, 2)).round(3), rng.normal(size=(12, 2)).round(3)
    y = (np.sin(X[:, 0]) + 0.3 * rng.standard_t(3, size=25)).round(3)
    kernel = GaussianKernel(SIGMA)
    machine = KernelConformalRidgeRegressor(kernel, a=RIDGE, studentised=True)
    machine.learn_initial_training_set(X, y)
    parts = []
    for x in queries:
        k, own = kernel(X, x).reshape(-1, 1), kernel(x, x)
        K = machine._update_K(machine.K, k, own)
        inverse = machine._update_Kinv(machine.Kinv, k, own + RIDGE)
        parts.append(machine.compute_A_and_B(np.vstack([X, x]), K, inverse, y))
    # exp(-|x - z|^2 / (2 sigma^2)), as its values at two points say
    gamma = -np.log(np.squeeze(kernel(X[:1], X[1]))) / np.square(X[0] - X[1]).sum()
    values = {
        "online-cp": version("online-cp"),
        "gamma": float(gamma),
        "ridge": RIDGE,
        "X": X.tolist(),
        "y": y.tolist(),
        "queries": queries.tolist(),
        "A": [A.tolist() for A, _ in parts],
        "B": [B.tolist() for _, B in parts],
    }
    lines = [f"{json.dumps(key)}: {json.dumps(value)}" for key, value in values.items()]
    path = Path(__file__).with_name("online_cp.json")
    path.write_text("{\n" + ",\n".join(lines) + "\n}\n")


if __name__ == "__main__":
    main()
