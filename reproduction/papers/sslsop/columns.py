"""What the numbers of the stored tables of local structured predictors can be."""

from reproduction.engine.columns import Chosen, Number, Whole

COLUMNS = {
    "loss": Number(),
    "word loss": Number(0, 1),
    "majority only": Number(0, 1),
    "global start": Whole(0, 1),
    "n_neighbors": Chosen(),
    "C": Chosen(),
    "n_iter": Chosen(),
}
