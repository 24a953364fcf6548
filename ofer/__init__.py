"""Output Fisher embedding regression and companions.

The estimators follow scikit-learn's conventions; `ofer.kernels`, `ofer.metrics`,
`ofer.datasets` hold what goes with them; `ofer.companions` has the systems of related papers.
"""

from ofer.embeddings import (
    FullFisherEmbedding,
    GaussianEmbedding,
    GaussianMixtureEmbedding,
    StateSpaceEmbedding,
)
from ofer.iokr import InputOutputKernelRegressor
from ofer.kernel_ridge import KernelRidgeCV
from ofer.nystroem import NystroemRidgeCV
from ofer.regions import CrossConformalClassifier, JackknifePlus
from ofer.regression import OutputFisherRegressor
from ofer.ridge.kernel_system import KernelSystem
from ofer.semantic import SemanticClassifier
from ofer.state_space import LinearGaussianSSM
from ofer.tuning import OutputFisherRegressorCV, TunedThresholdMultilabelClassifier

__all__ = [
    "CrossConformalClassifier",
    "FullFisherEmbedding",
    "GaussianEmbedding",
    "GaussianMixtureEmbedding",
    "InputOutputKernelRegressor",
    "JackknifePlus",
    "KernelRidgeCV",
    "KernelSystem",
    "LinearGaussianSSM",
    "NystroemRidgeCV",
    "OutputFisherRegressor",
    "OutputFisherRegressorCV",
    "SemanticClassifier",
    "StateSpaceEmbedding",
    "TunedThresholdMultilabelClassifier",
]

__version__ = "0.1.0"
