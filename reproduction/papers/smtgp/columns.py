"""What the numbers of the stored tables of Sharma-Mittal twin Gaussian processes can be."""

from reproduction.engine.columns import Chosen, Counted, Number, Size

COLUMNS = {
    "error": Number(),
    "validation error": Number(),
    "rmse per pixel": Number(),
    "limb angle": Number(0, 180),
    "certainty": Number(-1, 1),
    "moved": Counted(1000),  # of at most as many test inputs
    **dict.fromkeys(
        ("factor", "factor_x", "factor_y", "ridge", "n_neighbors", "n_components"), Chosen()
    ),
    "alpha": Chosen(),
    "n_train": Size(1),
    "n_test": Size(1),
}
