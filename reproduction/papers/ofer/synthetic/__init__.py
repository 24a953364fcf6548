"""Experiments on generated outputs."""
