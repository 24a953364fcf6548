"""Table 12 by its features: Animals with Attributes."""

from reproduction.studies.images.feature_readings import COMPARED, declare
from reproduction.studies.images.tables import ofer_table_12

__all__ = ["EXPERIMENT"]

EXPERIMENT = declare(ofer_table_12.EXPERIMENT, "awa", *COMPARED)
