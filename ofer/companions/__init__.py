"""Systems of the companion papers."""

from ofer.companions.dependence_knn import DependenceKNNRegressor
from ofer.companions.fisher_kernel import (
    FisherKernelLearner,
    LargeMarginNearestNeighbor,
    NodeScaler,
    PairwiseMRF,
    PairwiseMRFClassifier,
    nca_objective,
)
from ofer.companions.local_structured import (
    ChainOutputs,
    LabelledKFold,
    LabelledOnly,
    LaplacianRidgeClassifier,
    LocalStructuredPredictor,
    MajorityPredictor,
    MulticlassOutputs,
    OutputSpace,
    StructuredPerceptron,
    TreeOutputs,
    semi_supervised_baselines,
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
    "LabelledKFold",
    "LabelledOnly",
    "LaplacianRidgeClassifier",
    "LargeMarginNearestNeighbor",
    "LocalStructuredPredictor",
    "MajorityPredictor",
    "MulticlassOutputs",
    "NodeScaler",
    "OutputSpace",
    "PairwiseMRF",
    "PairwiseMRFClassifier",
    "StructuredPerceptron",
    "TreeOutputs",
    "TwinGaussianProcess",
    "TwinGaussianProcessCV",
    "branch_error",
    "limb_angle_error",
    "mean_point_distance",
    "nca_objective",
    "semi_supervised_baselines",
    "sharma_mittal_divergence",
]
