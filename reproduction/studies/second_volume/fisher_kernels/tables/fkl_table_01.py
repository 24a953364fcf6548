"""Table 1: handwritten characters."""

from reproduction.studies.second_volume.fisher_kernels.classification import (
    PARAMETERS,
    RATIO,
    SIZES,
    declare,
)

__all__ = ["EXPERIMENT"]

EXPERIMENT = declare(
    "fkl-table-01",
    "handwritten characters",
    "characters",
    PARAMETERS["n_folds"],
    "character_trajectories",
    test_train_ratio=RATIO,
    # The labels of the other half stand in another file of the archive.
    thinned=dict.fromkeys(SIZES, "the half of the letters that is at hand"),
)
