"""Output Fisher embedding regression and companions.

The estimators follow scikit-learn's conventions; `ofer.kernels`, `ofer.metrics`,
`ofer.datasets` hold what goes with them; `ofer.companions` has the systems of related papers.

The core is imported with the package. Rooms build on it, and are imported when they, or one of
their names, are asked for.
"""

from typing import TYPE_CHECKING

from ofer.blocks import BlockRegressor
from ofer.embeddings import (
    GaussianEmbedding,
    GaussianMixtureEmbedding,
    OutputModel,
    RankingEmbedding,
    StateSpaceEmbedding,
)
from ofer.kernel_ridge import KernelRidgeCV
from ofer.regression import OutputFisherRegressor
from ofer.ridge.kernel_system import KernelSystem
from ofer.state_space import LinearGaussianSSM
from ofer.utils.lazy import lazy_loading
from ofer.weak import Bounds, Candidates, Classes, Memberships

__all__ = [
    "BlockRegressor",
    "Bounds",
    "Candidates",
    "Classes",
    "CrossConformalClassifier",
    "FullConformalRegressor",
    "FullFisherEmbedding",
    "GaussianEmbedding",
    "GaussianMixtureEmbedding",
    "InputOutputKernelRegressor",
    "JackknifePlus",
    "KernelRidgeCV",
    "KernelSystem",
    "LinearGaussianSSM",
    "Memberships",
    "NystroemRidgeCV",
    "OutputFisherRegressor",
    "OutputFisherRegressorCV",
    "OutputModel",
    "RankingEmbedding",
    "SemanticClassifier",
    "StateSpaceEmbedding",
    "TunedThresholdMultilabelClassifier",
]

__version__ = "0.3.0"

if TYPE_CHECKING:  # for whoever reads and does not run: what `__getattr__` finds
    import ofer.companions as companions
    import ofer.datasets as datasets
    import ofer.distributed as distributed
    import ofer.metrics as metrics
    from ofer.full_fisher import FullFisherEmbedding
    from ofer.iokr import InputOutputKernelRegressor
    from ofer.nystroem import NystroemRidgeCV
    from ofer.regions import CrossConformalClassifier, FullConformalRegressor, JackknifePlus
    from ofer.semantic import SemanticClassifier
    from ofer.tuning import OutputFisherRegressorCV, TunedThresholdMultilabelClassifier
else:
    _ROOMS = {
        "full_fisher": "FullFisherEmbedding",
        "iokr": "InputOutputKernelRegressor",
        "nystroem": "NystroemRidgeCV",
        "regions": "CrossConformalClassifier FullConformalRegressor JackknifePlus",
        "semantic": "SemanticClassifier",
        "tuning": "OutputFisherRegressorCV TunedThresholdMultilabelClassifier",
    }
    __getattr__, __dir__ = lazy_loading(__name__, _ROOMS)
