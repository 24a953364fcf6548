"""Table 13: Caltech-101 with weak labels."""

from reproduction.studies.images.comparison import WITH_WEAK, declare

__all__ = ["EXPERIMENT"]

EXPERIMENT = declare("ofer-table-13", "caltech101", **WITH_WEAK)
