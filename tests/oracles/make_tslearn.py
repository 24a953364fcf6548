"""Store values of tslearn's alignment kernel and time warping in tslearn.json.

tslearn needs numba, which is too heavy to install for a few numbers. Where it is installed, run

    python tests/oracles/make_tslearn.py
"""

import json
from pathlib import Path

import numpy as np
import tslearn
from tslearn.metrics import dtw, gak, unnormalized_gak

BANDWIDTHS = [0.5, 2.0]


def main():
    """Draw series of several lengths in two dimensions, and compare them."""
    rng = np.random.default_rng(0)
    ragged = [rng.normal(size=(length, 2)).cumsum(axis=0).round(3) for length in (3, 7, 12, 1, 7)]

    def table(function, series, **options):
        return [[float(function(x, z, **options)) for z in series] for x in series]

    values = {
        "tslearn": tslearn.__version__,
        "bandwidths": BANDWIDTHS,
        "ragged": [x.tolist() for x in ragged],
        "gak": [table(gak, ragged, sigma=sigma) for sigma in BANDWIDTHS],
        "unnormalized_gak": [table(unnormalized_gak, ragged, sigma=sigma) for sigma in BANDWIDTHS],
        "dtw": table(dtw, ragged),
    }
    lines = [f"{json.dumps(key)}: {json.dumps(value)}" for key, value in values.items()]
    path = Path(__file__).with_name("tslearn.json")
    path.write_text("{\n" + ",\n".join(lines) + "\n}\n")


if __name__ == "__main__":
    main()
