"""Systems of the companion papers."""

from ofer.companions.fisher_kernel import FisherKernelLearner, PairwiseMRF, nca_objective
from ofer.companions.local_structured import (
    ChainOutputs,
    LocalStructuredPredictor,
    MulticlassOutputs,
    OutputSpace,
    TreeOutputs,
)
from ofer.companions.sharma_mittal import (
    CubicObjective,
    LogObjective,
    QuadraticObjective,
    TwinGaussianProcess,
    TwinGaussianProcessCV,
    sharma_mittal_divergence,
)

__all__ = [
    "ChainOutputs",
    "CubicObjective",
    "FisherKernelLearner",
    "LocalStructuredPredictor",
    "LogObjective",
    "MulticlassOutputs",
    "OutputSpace",
    "PairwiseMRF",
    "QuadraticObjective",
    "TreeOutputs",
    "TwinGaussianProcess",
    "TwinGaussianProcessCV",
    "nca_objective",
    "sharma_mittal_divergence",
]
