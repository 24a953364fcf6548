"""Table 11 by what is compared: Caltech-101."""

from reproduction.studies.images.choice_readings import COMPARED, declare
from reproduction.studies.images.tables import ofer_table_11

__all__ = ["EXPERIMENT"]

EXPERIMENT = declare(ofer_table_11.EXPERIMENT, "caltech101", *COMPARED)
