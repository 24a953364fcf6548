"""Types of arguments that several estimators and functions share."""

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import ArrayLike
from scipy import sparse

MatrixLike = ArrayLike | sparse.spmatrix | sparse.sparray
ListLike = ArrayLike | Sequence  # series of unequal lengths, or whatever a given kernel takes
KernelLike = str | Callable
ScoringLike = str | Callable | None
Seed = int | np.random.RandomState | None
