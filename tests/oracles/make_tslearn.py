"""Store values of tslearn's alignment kernel and time warping in tslearn.json.

tslearn needs numba, which is too heavy to install for a few numbers. Where it is installed, run

    python tests/oracles/make_tslearn.py
"""

import json
from pathlib import Path

import numpy as np
import tslearn
from tslearn.metrics import dtw, gak, unnormalized_gak

BANDWIDTHS, RADIUS = [0.5, 2.0], 2


def main():
    """Draw series, of several lengths in two dimensions and of one length, and compare them."""
    rng = np.random.default_rng(0)
    ragged = [rng.normal(size=(length, 2)).cumsum(axis=0).round(3) for length in (3, 7, 12, 1, 7)]
    equal = [rng.normal(size=(9, 1)).cumsum(axis=0).round(3) for _ in range(4)]

    def table(function, series, **options):
        return [[float(function(x, z, **options)) for z in series] for x in series]

    values = {
        "tslearn": tslearn.__version__,
        "bandwidths": BANDWIDTHS,
        "radius": RADIUS,
        "ragged": [x.tolist() for x in ragged],
        "equal": [x.tolist() for x in equal],
        "gak": [table(gak, ragged, sigma=sigma) for sigma in BANDWIDTHS],
        "unnormalized_gak": [table(unnormalized_gak, ragged, sigma=sigma) for sigma in BANDWIDTHS],
        "dtw": table(dtw, ragged),
        "banded_dtw": table(dtw, equal, global_constraint="sakoe_chiba", sakoe_chiba_radius=RADIUS),
    }
    lines = [f"{json.dumps(key)}: {json.dumps(value)}" for key, value in values.items()]
    path = Path(__file__).with_name("tslearn.json")
    path.write_text("{\n" + ",\n".join(lines) + "\n}\n")


if __name__ == "__main__":
    main()
