"""From which grids the methods of the tables that answer later papers choose."""

import numpy as np

from reproduction.engine.grids import Grid


def _of_centres(parameters, method, setting):
    """Those of `many_samples.evaluate`; of exact ridges they are in units of the kernel."""
    return np.logspace(-2, 4, 19) if method[0].isdigit() else []


GRIDS = {
    "ofer-scale": {"alpha": Grid(values=_of_centres)},
    "ofer-widths": {
        "gamma": "one of three multiples of a width that differs from sample to sample",
    },
}
NOT_RECORDED = {
    "after-bibtex": "ridge parameters",
    "after-bibtex-leads": "ridge parameters",
    "ofer-defaults": "ridge parameters and widths, by the defaults of each package",
    "ofer-frames": "ridge parameters",
    "ofer-scale": "ridge parameter of all samples as centres, in units of the kernel",
    "ofer-widths": "ridge parameters",
}
