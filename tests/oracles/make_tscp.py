"""Store half sides of TSCP's boxes, by its authors' code, in tscp.json.

The code is no package: get github.com/OTheMagic/multi-target-scaling and run

    python tests/oracles/make_tscp.py PATH_OF_ITS_FOLDER
"""

import json
import subprocess
import sys
from pathlib import Path

import numpy as np

SHAPES = ((8, 2), (12, 1), (25, 3), (40, 6), (30, 4))
LEVELS = (0.5, 0.8, 0.9, 0.95)


def main(folder):
    """Errors of different units, with heavy tails or far from zero, at several levels."""
    sys.path.insert(0, folder)
    from utility.res_rescaled import standardized_prediction

    cases = []
    for seed, (n, d) in enumerate(SHAPES):
        rng = np.random.default_rng(seed)
        errors = np.abs(rng.standard_t(3, size=(n, d))) * rng.uniform(0.1, 10, size=d)
        errors = (errors + (seed % 2) * rng.uniform(0, 5, size=d)).round(3)
        for level in LEVELS[d == 1 :]:  # with one output and 50 % its search does not go on
            box = standardized_prediction(errors, alpha=1 - level)
            sides = [None if np.isinf(side) else float(side) for side in box.upper]
            cases.append({"errors": errors.tolist(), "level": level, "sides": sides})
    command = ["git", "-C", folder, "rev-parse", "--short", "HEAD"]
    commit = subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()
    lines = [f'"commit": {json.dumps(commit)}', f'"cases": {json.dumps(cases)}']
    path = Path(__file__).with_name("tscp.json")
    path.write_text("{\n" + ",\n".join(lines) + "\n}\n")


if __name__ == "__main__":
    main(sys.argv[1])
