"""Semi-supervised learning of local predictors of structured outputs (SSLSOP)."""

from ofer.companions.local_structured._space import OutputSpace, Scores
from ofer.companions.local_structured.baselines import (
    LabelledKFold,
    LabelledOnly,
    semi_supervised_baselines,
)
from ofer.companions.local_structured.chain import ChainOutputs
from ofer.companions.local_structured.laplacian_ridge import LaplacianRidgeClassifier
from ofer.companions.local_structured.majority import MajorityPredictor
from ofer.companions.local_structured.multiclass import MulticlassOutputs
from ofer.companions.local_structured.perceptron import StructuredPerceptron
from ofer.companions.local_structured.predictor import LocalStructuredPredictor
from ofer.companions.local_structured.tree import TreeOutputs

__all__ = [
    "ChainOutputs",
    "LabelledKFold",
    "LabelledOnly",
    "LaplacianRidgeClassifier",
    "LocalStructuredPredictor",
    "MajorityPredictor",
    "MulticlassOutputs",
    "OutputSpace",
    "Scores",
    "StructuredPerceptron",
    "TreeOutputs",
    "semi_supervised_baselines",
]
