"""Generated data, and data that scikit-learn bundles."""

from ofer.datasets._digits import assemble_digits, load_digits_reconstruction
from ofer.datasets._synthetic import make_mixture_regression

__all__ = ["assemble_digits", "load_digits_reconstruction", "make_mixture_regression"]
