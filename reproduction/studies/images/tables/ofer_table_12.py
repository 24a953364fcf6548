"""Table 12: Animals with Attributes."""

from reproduction.studies.images.comparison import COMPARED, declare, repeats_comparison

__all__ = ["EXPERIMENT"]

EXPERIMENT = declare(
    "ofer-table-12", "awa", printed={"ofer-table-14": repeats_comparison}, **COMPARED
)
