"""What the classifiers on Fisher vectors choose, none of which is stored."""

GRIDS: dict[str, dict] = {}
_COST = "penalty C of softmax and SVM, one of four"
NOT_RECORDED = {
    "fkl-logarithms": _COST,
    "fkl-readings-01": _COST,
    "fkl-readings-02": _COST,
    "fkl-readings-04": _COST,
    "fkl-table-01": _COST,
    "fkl-table-02": _COST,
    "fkl-table-03": _COST,
    "fkl-table-04": _COST,
    "fkl-untrained": _COST,
}
