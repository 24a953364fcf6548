"""Figures of the chapters on Fisher kernel learning."""
