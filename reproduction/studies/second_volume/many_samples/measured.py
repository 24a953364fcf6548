"""What passes over many samples took, as the stored benchmark says."""

import re

import numpy as np
import pandas as pd

from reproduction.paths import CHECKOUT

__all__ = ["measured_passes"]

PATTERNS = {
    "samples": r"over (\d+) samples",
    "samples per second": r"(\d+) rows/s",
    "share of dsyrk": r"([\d.]+) of (?:the rows/s of )?dsyrk",
    "memory in MB": r"peak memory (\d+) MB",
    "error": r"squared error ([\d.]+)",
}


def measured_passes(table="benchmarks"):
    """One line for each pass over generated samples that `benchmarks/scale.py` has timed."""
    rows = pd.read_csv(CHECKOUT / "book" / f"{table}.csv")
    rows = rows[rows["benchmark"] == "scale"]
    rows = rows[rows["case"].str.startswith("one pass")]
    passes = []
    for case, seconds, note in zip(rows["case"], rows["ours_s"], rows["note"], strict=True):
        numbers = {
            name: float(match[1]) if (match := re.search(pattern, f"{case}; {note}")) else np.nan
            for name, pattern in PATTERNS.items()
        }
        workers = 2 if "two workers" in case else 1
        passes.append({"workers": workers, "seconds": seconds, **numbers})
    frame = pd.DataFrame(passes)
    return frame.astype(dict.fromkeys(("samples", "samples per second", "memory in MB"), int))
