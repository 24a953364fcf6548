"""Figures of the chapters on twin Gaussian processes."""
