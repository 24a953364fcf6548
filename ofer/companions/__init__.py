"""Systems of the companion papers."""

from ofer.companions.dependence_knn import DependenceKNNRegressor
from ofer.companions.fisher_kernel import FisherKernelLearner, PairwiseMRF, nca_objective
from ofer.companions.local_structured import (
    ChainOutputs,
    LocalStructuredPredictor,
    MulticlassOutputs,
    OutputSpace,
    StructuredPerceptron,
    TreeOutputs,
)
from ofer.companions.sharma_mittal import sharma_mittal_divergence
from ofer.companions.structured_errors import (
    branch_error,
    limb_angle_error,
    mean_point_distance,
)
from ofer.companions.twin_gaussian_process import TwinGaussianProcess
from ofer.companions.twin_gaussian_process_cv import TwinGaussianProcessCV

__all__ = [
    "ChainOutputs",
    "DependenceKNNRegressor",
    "FisherKernelLearner",
    "LocalStructuredPredictor",
    "MulticlassOutputs",
    "OutputSpace",
    "PairwiseMRF",
    "StructuredPerceptron",
    "TreeOutputs",
    "TwinGaussianProcess",
    "TwinGaussianProcessCV",
    "branch_error",
    "limb_angle_error",
    "mean_point_distance",
    "nca_objective",
    "sharma_mittal_divergence",
]
