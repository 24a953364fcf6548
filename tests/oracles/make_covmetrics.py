"""Store the worst slabs that covmetrics finds, by direction, in covmetrics.json.

Where it is installed, run

    python tests/oracles/make_covmetrics.py
"""

import json
from importlib.metadata import version
from pathlib import Path

import numpy as np
from covmetrics.slab_metrics import wsc_all_numpy

SHARES = (0.1, 0.2, 0.5)


def main():
    """Coverage between two planes, least over them, and the place of the lower one."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 3)).round(3)
    inside = (rng.uniform(size=60) < 0.8).astype(float)
    directions = rng.normal(size=(12, 3))
    directions = (directions / np.linalg.norm(directions, axis=1)[:, None]).round(3)
    slabs = [wsc_all_numpy(X, inside, share, directions)[:2] for share in SHARES]
    values = {
        "covmetrics": version("covmetrics"),
        "X": X.tolist(),
        "inside": inside.tolist(),
        "directions": directions.tolist(),
        "shares": SHARES,
        "least": [least.tolist() for least, _ in slabs],
        "lower": [lower.tolist() for _, lower in slabs],
    }
    lines = [f"{json.dumps(key)}: {json.dumps(value)}" for key, value in values.items()]
    path = Path(__file__).with_name("covmetrics.json")
    path.write_text("{\n" + ",\n".join(lines) + "\n}\n")


if __name__ == "__main__":
    main()
