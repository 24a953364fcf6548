"""Table 14: Animals with Attributes with weak labels."""

from reproduction.studies.images.comparison import WITH_WEAK, declare

__all__ = ["EXPERIMENT"]

EXPERIMENT = declare("ofer-table-14", "awa", **WITH_WEAK)
