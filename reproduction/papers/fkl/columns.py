"""What the numbers of the stored tables of Fisher kernel learning can be."""

from reproduction.engine.columns import Counted, Number

_ERRORS = ("1-NN", "Bayes", "LMNN", "SVM", "softmax")
_TEST = {"fkl-table-03": 64, "fkl-table-04": 434}  # objects of a fold

COLUMNS = {
    **{error: Number(0, 100) for error in (*_ERRORS, "softmax, training")},
    **{(id, error): Counted(n, 100) for id, n in _TEST.items() for error in _ERRORS},
    "objective": Number(0, 1),
    "test objective": Number(0, 1),
    "start": Number(0, 1),
    "falls": Counted(20),
}
