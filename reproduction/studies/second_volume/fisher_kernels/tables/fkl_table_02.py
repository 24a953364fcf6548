"""Table 2: spoken digits."""

from reproduction.studies.second_volume.fisher_kernels.classification import PARAMETERS, declare

__all__ = ["EXPERIMENT"]

EXPERIMENT = declare(
    "fkl-table-02",
    "spoken digits",
    "spoken digits",
    PARAMETERS["n_starts"],
    "spoken_arabic_digits_train",
    "spoken_arabic_digits_test",
)
