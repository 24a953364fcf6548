"""Experiments, a folder for each question."""
