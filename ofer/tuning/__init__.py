"""Choices by leave-one-out: output models, kernel widths and thresholds."""

from ofer.tuning.multilabel import TunedThresholdMultilabelClassifier
from ofer.tuning.regression_cv import OutputFisherRegressorCV

__all__ = ["OutputFisherRegressorCV", "TunedThresholdMultilabelClassifier"]
