"""What the numbers of the stored tables of local structured predictors can be."""

from reproduction.engine.columns import Chosen, Counted, Number, Whole

COLUMNS = {
    "loss": Number(),
    "word loss": Counted(2000),
    "majority only": Counted(30),  # sentences of a fold
    "global start": Whole(0, 1),
    "n_neighbors": Chosen(),
    "C": Chosen(),
    "n_iter": Chosen(),
}
