"""Modules of this folder by the id of the experiment that they declare."""

EXPERIMENTS = {"ranking-benchmark": "benchmark"}
