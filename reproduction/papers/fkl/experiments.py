"""Modules of this folder by the id of the experiment that they declare."""

EXPERIMENTS = {
    "fkl-table-01": "fisher_kernels",
    "fkl-table-02": "fisher_kernels",
    "fkl-table-03": "fisher_kernels",
    "fkl-table-04": "fisher_kernels",
    "fkl-logarithms": "logarithms",
    "fkl-theory": "theory",
    "fkl-untrained": "untrained",
    "fkl-readings-01": "readings",
    "fkl-readings-02": "readings",
    "fkl-readings-04": "readings",
}
