"""Table 1 with vectors as they are: handwritten characters."""

from reproduction.studies.second_volume.fisher_kernels.readings import declare
from reproduction.studies.second_volume.fisher_kernels.tables import fkl_table_01

__all__ = ["EXPERIMENT"]

EXPERIMENT = declare(fkl_table_01.EXPERIMENT, "characters")
