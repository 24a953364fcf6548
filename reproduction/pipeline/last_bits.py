"""The stored tables with other last bits, as another processor would have computed them.

What a chapter shows, says and decides from them is the same, or it hangs on the order of numbers
that are equal up to roundoff. So ``make test`` compares chapters on such tables.
"""

import hashlib
import json
from pathlib import Path

import numpy as np
import pandas as pd

from reproduction.paths import CHECKOUT

__all__ = ["STORED", "move_last_bits"]

STORED = CHECKOUT / "book" / "results"
RELATIVE = 1e-13


def move_last_bits(folder, seed):
    """Write all stored tables into a folder, numbers times ``1 + u``, ``|u| <= 1e-13``.

    Whole numbers and those of at most four digits stay: counts, shares of counts, and choices from
    a grid are the same on every processor. The sidecars vouch for these tables as for the stored
    ones.
    """
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    random = np.random.default_rng(seed)
    for path in sorted(STORED.glob("*.json")):
        sidecar = json.loads(path.read_text(encoding="utf-8"))
        for key, ending in (("table", ".csv"), ("groups", ".groups.csv")):
            if key in sidecar:
                text = _moved(path.with_suffix(ending), random)
                (folder / path.with_suffix(ending).name).write_bytes(text)
                sidecar[key] = hashlib.sha256(text).hexdigest()
        (folder / path.name).write_text(json.dumps(sidecar, indent=1) + "\n", encoding="utf-8")


def _moved(path, random):
    table = pd.read_csv(path, dtype={"setting": str})
    for name, column in table.select_dtypes("float").items():
        moved = column * (1 + random.uniform(-RELATIVE, RELATIVE, len(column)))
        exact = (column.round() == column) | (column.map("{:.4g}".format).astype(float) == column)
        table[name] = moved.mask(exact, column)
    return table.to_csv(index=False, lineterminator="\n").encode()
