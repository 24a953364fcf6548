"""Helpers that the package shares: checks, types, memory, pipelines, scores and series."""
