"""Output Fisher embedding regression and companions.

The estimators follow scikit-learn's conventions; `ofer.kernels`, `ofer.metrics`,
`ofer.datasets` and `ofer.experiments` hold what the book's experiments need beside them.
"""

from ofer.embeddings import (
    FullFisherEmbedding,
    GaussianEmbedding,
    GaussianMixtureEmbedding,
    StateSpaceEmbedding,
)
from ofer.iokr import InputOutputKernelRegressor
from ofer.kernel_ridge import KernelRidgeCV
from ofer.linear_gaussian import LinearGaussianSSM
from ofer.regression import OutputFisherRegressor
from ofer.semantic import SemanticClassifier

__all__ = [
    "FullFisherEmbedding",
    "GaussianEmbedding",
    "GaussianMixtureEmbedding",
    "InputOutputKernelRegressor",
    "KernelRidgeCV",
    "LinearGaussianSSM",
    "OutputFisherRegressor",
    "SemanticClassifier",
    "StateSpaceEmbedding",
]

__version__ = "0.1.0"
