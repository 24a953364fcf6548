"""Table 3: mixtures."""

from reproduction.studies.synthetic.d1 import declare

__all__ = ["EXPERIMENT"]

EXPERIMENT = declare(
    "ofer-table-03",
    "Table 3: full and reduced embedding under mixtures",
    tuple(f"{C}-GMM {n}" for C in (2, 4, 10) for n in (10, 50, 100)),
    ("2-GMM 50", "4-GMM 100"),
    "ofer-table-03",
)
