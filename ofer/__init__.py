"""Output Fisher embedding regression and companions.

The estimators follow scikit-learn's conventions; `ofer.kernels`, `ofer.metrics`,
`ofer.datasets` hold what goes with them; `ofer.companions` has the systems of related papers.

The core is imported with the package. Rooms build on it, and are imported when they, or one of
their names, are asked for.
"""

from importlib import import_module
from pkgutil import iter_modules
from typing import TYPE_CHECKING

from ofer.blocks import BlockRegressor
from ofer.embeddings import (
    FullFisherEmbedding,
    GaussianEmbedding,
    GaussianMixtureEmbedding,
    StateSpaceEmbedding,
)
from ofer.kernel_ridge import KernelRidgeCV
from ofer.regression import OutputFisherRegressor
from ofer.ridge.kernel_system import KernelSystem
from ofer.state_space import LinearGaussianSSM

__all__ = [
    "BlockRegressor",
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

if TYPE_CHECKING:  # for whoever reads and does not run: what `__getattr__` finds
    import ofer.companions as companions
    import ofer.datasets as datasets
    import ofer.distributed as distributed
    import ofer.metrics as metrics
    from ofer.iokr import InputOutputKernelRegressor
    from ofer.nystroem import NystroemRidgeCV
    from ofer.regions import CrossConformalClassifier, JackknifePlus
    from ofer.semantic import SemanticClassifier
    from ofer.tuning import OutputFisherRegressorCV, TunedThresholdMultilabelClassifier
else:
    _ROOMS = {
        "CrossConformalClassifier": "regions",
        "InputOutputKernelRegressor": "iokr",
        "JackknifePlus": "regions",
        "NystroemRidgeCV": "nystroem",
        "OutputFisherRegressorCV": "tuning",
        "SemanticClassifier": "semantic",
        "TunedThresholdMultilabelClassifier": "tuning",
    }

    def __getattr__(name):
        try:
            module = import_module(f"ofer.{_ROOMS.get(name, name)}")
        except ModuleNotFoundError as error:
            if not error.name.startswith("ofer."):
                raise
            message = f"module 'ofer' has no attribute {name!r}: there is no {error.name}"
            raise AttributeError(message) from None
        return getattr(module, name) if name in _ROOMS else module

    def __dir__():
        return {*globals(), *_ROOMS, *(module.name for module in iter_modules(__path__))}
