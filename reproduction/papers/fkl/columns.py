"""What the numbers of the stored tables of Fisher kernel learning can be."""

from reproduction.engine.columns import Counted, Number

_ERRORS = ("1-NN", "Bayes", "LMNN", "SVM", "softmax")
# Objects of the largest test set of a fold, and of the largest training set.
_SIZES = {
    "fkl-table-01": (143, 1287),
    "fkl-table-02": (2200, 6600),
    "fkl-table-03": (64, 576),
    "fkl-table-04": (434, 3903),
}

COLUMNS = {
    **{(id, error): Counted(n, 100) for id, (n, _) in _SIZES.items() for error in _ERRORS},
    **{(id, "softmax, training"): Counted(n, 100) for id, (_, n) in _SIZES.items()},
    # One method and four data sets: too few numbers of one test set to have a size in common.
    **{("fkl-untrained", error): Number(0, 100) for error in (*_ERRORS, "softmax, training")},
    "objective": Number(0, 1),
    "test objective": Number(0, 1),
    "start": Number(0, 1),
    "falls": Counted(20),
}
