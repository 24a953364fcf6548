"""Twin Gaussian processes under the Sharma-Mittal divergence (SMTGP)."""

from ofer.companions.sharma_mittal.costs import CubicObjective, LogObjective, QuadraticObjective
from ofer.companions.sharma_mittal.divergence import sharma_mittal_divergence
from ofer.companions.sharma_mittal.twin_gaussian_process import TwinGaussianProcess
from ofer.companions.sharma_mittal.twin_gaussian_process_cv import TwinGaussianProcessCV

__all__ = [
    "CubicObjective",
    "LogObjective",
    "QuadraticObjective",
    "TwinGaussianProcess",
    "TwinGaussianProcessCV",
    "sharma_mittal_divergence",
]
