"""Table 4 with vectors as they are: molecules."""

from reproduction.studies.second_volume.fisher_kernels.readings import declare
from reproduction.studies.second_volume.fisher_kernels.tables import fkl_table_04

__all__ = ["EXPERIMENT"]

# Learning takes ten to twenty minutes a start on molecules.
EXPERIMENT = declare(fkl_table_04.EXPERIMENT, "molecules", n_splits=1)
