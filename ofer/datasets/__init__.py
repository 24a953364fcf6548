"""Data that scikit-learn bundles, as tasks with vectors as outputs."""

from ofer.datasets._digits import assemble_digits, load_digits_reconstruction

__all__ = ["assemble_digits", "load_digits_reconstruction"]
