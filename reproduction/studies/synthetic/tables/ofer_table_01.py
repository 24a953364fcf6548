"""Tables 1 and 2: one Gaussian."""

from reproduction.studies.synthetic.d1 import declare

__all__ = ["EXPERIMENT"]

EXPERIMENT = declare(
    "ofer-table-01",
    "Tables 1 and 2: full and reduced embedding under one Gaussian",
    ("10", "50", "100"),
    ("10", "100"),
    "ofer-table-02",
)
