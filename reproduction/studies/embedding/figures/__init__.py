"""Figures of the chapters on output Fisher embedding regression."""
