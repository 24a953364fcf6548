"""Table 11: Caltech-101."""

from reproduction.studies.images.comparison import COMPARED, declare, repeats_comparison

__all__ = ["EXPERIMENT"]

EXPERIMENT = declare(
    "ofer-table-11",
    "caltech101",
    printed={"ofer-table-13": repeats_comparison, "esann-table-02": lambda cell: cell},
    **COMPARED,
)
