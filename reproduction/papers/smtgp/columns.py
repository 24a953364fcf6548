"""What the numbers of the stored tables of Sharma-Mittal twin Gaussian processes can be."""

from reproduction.engine.columns import Number

COLUMNS = {
    "error": Number(),
    "validation error": Number(),
    "rmse per pixel": Number(),
    "limb angle": Number(0, 180),
    "certainty": Number(-1, 1),
    "certainty and variance": Number(-1, 1),
    "moved": Number(0, 1),
    "deviation": Number(),
    "violation": Number(),
    "rank correlation": Number(-1, 1),
    "unstable": Number(0, 1),
    "over the smaller": Number(1),
    "nearer": Number(0, 1),
    "factor": Number(choice=True),
    "factor_x": Number(choice=True),
    "factor_y": Number(choice=True),
    "ridge": Number(choice=True),
    "alpha": Number(choice=True),
    "n_neighbors": Number(1, whole=True, choice=True),
    "n_components": Number(1, whole=True, choice=True),
    "n_train": Number(1, whole=True),
    "n_test": Number(1, whole=True),
}
