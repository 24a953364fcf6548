"""Table 4: mutagenicity of molecules."""

from reproduction.studies.second_volume.fisher_kernels.classification import PARAMETERS, declare

__all__ = ["EXPERIMENT"]

EXPERIMENT = declare(
    "fkl-table-04",
    "mutagenicity of molecules",
    "molecules",
    PARAMETERS["n_starts"],
    "mutagenicity",
)
