"""Table 13 by its features: Caltech-101 with weak labels."""

from reproduction.studies.images.feature_readings import WITH_WEAK, declare
from reproduction.studies.images.tables import ofer_table_13

__all__ = ["EXPERIMENT"]

EXPERIMENT = declare(ofer_table_13.EXPERIMENT, "caltech101", *WITH_WEAK)
