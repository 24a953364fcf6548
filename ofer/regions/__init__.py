"""Prediction regions of vectors, series and classes, by fits without each sample."""

from ofer.regions.classes import CrossConformalClassifier
from ofer.regions.full_conformal import FullConformalRegressor
from ofer.regions.jackknife import JackknifePlus

__all__ = ["CrossConformalClassifier", "FullConformalRegressor", "JackknifePlus"]
