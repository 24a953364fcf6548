"""Output Fisher embedding regression and companions."""

__version__ = "0.1.0"
