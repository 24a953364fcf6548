"""Semi-supervised learning of local predictors of structured outputs (SSLSOP)."""

from ofer.companions.local_structured.chain import ChainOutputs
from ofer.companions.local_structured.multiclass import MulticlassOutputs
from ofer.companions.local_structured.predictor import LocalStructuredPredictor
from ofer.companions.local_structured.space import OutputSpace, Scores
from ofer.companions.local_structured.tree import TreeOutputs

__all__ = [
    "ChainOutputs",
    "LocalStructuredPredictor",
    "MulticlassOutputs",
    "OutputSpace",
    "Scores",
    "TreeOutputs",
]
