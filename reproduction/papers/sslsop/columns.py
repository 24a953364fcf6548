"""What the numbers of the stored tables of local structured predictors can be."""

from reproduction.engine.columns import Number

COLUMNS = {
    "test error": Number(0, 100),
    "unlabelled": Number(0, 100),
    "loss": Number(),
    "violation": Number(),
    "deviation": Number(),
    "rises": Number(0, 1),
    "word loss": Number(0, 1),
    "majority only": Number(0, 1),
    "global start": Number(0, 1, whole=True, choice=True),
    "n_neighbors": Number(1, whole=True, choice=True),
    "C": Number(choice=True),
    "n_iter": Number(0, whole=True, choice=True),
}
