"""What is chosen by leave-one-out: output models, widths, thresholds and temperatures."""

from ofer.tuning.multilabel import TunedThresholdMultilabelClassifier
from ofer.tuning.regression_cv import OutputFisherRegressorCV

__all__ = ["OutputFisherRegressorCV", "TunedThresholdMultilabelClassifier"]
