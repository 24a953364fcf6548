"""Table 3: vowels in the place of faces."""

from reproduction.studies.second_volume.fisher_kernels.classification import (
    PARAMETERS,
    RATIO,
    declare,
)

__all__ = ["EXPERIMENT"]

EXPERIMENT = declare(
    "fkl-table-03",
    "vowels in the place of faces",
    "vowels",
    PARAMETERS["n_folds"],
    "japanese_vowels_train",
    "japanese_vowels_test",
    on_part=False,  # a fold of these takes seconds
    test_train_ratio=RATIO,
    printed={"fkl-table-03": lambda cell: None},  # faces: no data stand in for them
)
