"""Sharma-Mittal twin Gaussian processes."""
