"""Table 14 by what is compared: Animals with Attributes with weak labels."""

from reproduction.studies.images.choice_readings import WITH_WEAK, declare
from reproduction.studies.images.tables import ofer_table_14

__all__ = ["EXPERIMENT"]

EXPERIMENT = declare(ofer_table_14.EXPERIMENT, "awa", *WITH_WEAK)
