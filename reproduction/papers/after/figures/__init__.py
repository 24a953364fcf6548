"""Figures of the chapters on what came after the paper."""
