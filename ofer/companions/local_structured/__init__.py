"""Semi-supervised learning of local predictors of structured outputs (SSLSOP)."""

from ofer.companions.local_structured.chain import ChainOutputs
from ofer.companions.local_structured.finite import MulticlassOutputs, TreeOutputs
from ofer.companions.local_structured.predictor import LocalStructuredPredictor
from ofer.companions.local_structured.space import OutputSpace, Scores

__all__ = [
    "ChainOutputs",
    "LocalStructuredPredictor",
    "MulticlassOutputs",
    "OutputSpace",
    "Scores",
    "TreeOutputs",
]
