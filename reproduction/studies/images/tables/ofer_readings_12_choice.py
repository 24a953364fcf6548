"""Table 12 by what is compared: Animals with Attributes."""

from reproduction.studies.images.choice_readings import COMPARED, declare
from reproduction.studies.images.tables import ofer_table_12

__all__ = ["EXPERIMENT"]

EXPERIMENT = declare(ofer_table_12.EXPERIMENT, "awa", *COMPARED)
