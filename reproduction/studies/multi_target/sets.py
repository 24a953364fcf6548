"""How large the sets are, and in how many directions their outputs vary."""

import numpy as np

__all__ = ["describe"]


def describe(data):
    """Count the samples, inputs and outputs of a set, and the directions of its outputs."""
    values = np.linalg.eigvalsh(np.corrcoef(data.Y.T))
    shares = values / values.sum()
    return {
        "samples": len(data.X),
        "inputs": data.X.shape[1],
        "missing inputs": f"{np.isnan(data.X).mean():.0%}",
        "outputs": data.Y.shape[1],
        "different outputs": len(np.unique(data.Y, axis=0)),
        "directions": round(1 / float(np.square(shares).sum()), 1),
    }
