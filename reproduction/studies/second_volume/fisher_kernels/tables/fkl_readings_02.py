"""Table 2 with vectors as they are: spoken digits."""

from reproduction.studies.second_volume.fisher_kernels.readings import declare
from reproduction.studies.second_volume.fisher_kernels.tables import fkl_table_02

__all__ = ["EXPERIMENT"]

EXPERIMENT = declare(fkl_table_02.EXPERIMENT, "spoken digits")
