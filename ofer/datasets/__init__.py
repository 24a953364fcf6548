"""Generated data, and a task on the digits that scikit-learn bundles."""

from ofer.datasets._digits import assemble_digits, load_digits_reconstruction
from ofer.datasets._state_space import make_state_space_series
from ofer.datasets._synthetic import make_d1, make_d2, make_mixture_regression

__all__ = [
    "assemble_digits",
    "load_digits_reconstruction",
    "make_d1",
    "make_d2",
    "make_mixture_regression",
    "make_state_space_series",
]
