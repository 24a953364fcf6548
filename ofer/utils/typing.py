"""Types of arguments that several estimators and functions share."""

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse

Matrix = NDArray | sparse.spmatrix | sparse.sparray  # what a check has returned
MatrixLike = ArrayLike | sparse.spmatrix | sparse.sparray
ListLike = ArrayLike | Sequence  # series of unequal lengths, or whatever a given kernel takes
KernelLike = str | Callable
ScoringLike = str | Callable | None
Seed = int | np.random.RandomState | None
