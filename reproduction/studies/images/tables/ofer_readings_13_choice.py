"""Table 13 by what is compared: Caltech-101 with weak labels."""

from reproduction.studies.images.choice_readings import WITH_WEAK, declare
from reproduction.studies.images.tables import ofer_table_13

__all__ = ["EXPERIMENT"]

EXPERIMENT = declare(ofer_table_13.EXPERIMENT, "caltech101", *WITH_WEAK)
