"""Warnings that name the line of the user."""

import sys
import warnings

INSIDE = {"ofer", "sklearn", "joblib"}


def warn(message: str, category: type[Warning] = UserWarning) -> None:
    """Warn where this package was called, also through a search or a pipeline of scikit-learn."""
    level, frame = 1, sys._getframe()
    while frame.f_back and frame.f_globals.get("__name__", "").partition(".")[0] in INSIDE:
        level, frame = level + 1, frame.f_back
    warnings.warn(message, category, stacklevel=level)
