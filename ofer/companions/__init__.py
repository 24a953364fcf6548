"""Systems of the companion papers, each in a room of its own, which is loaded when asked for."""

from importlib import import_module
from typing import TYPE_CHECKING

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

if TYPE_CHECKING:  # for whoever reads and does not run: what `__getattr__` finds
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
else:
    _ROOMS = {
        **dict.fromkeys(["FisherKernelLearner", "PairwiseMRF", "nca_objective"], "fisher_kernel"),
        **dict.fromkeys(["LocalStructuredPredictor", "OutputSpace"], "local_structured"),
        **dict.fromkeys(["ChainOutputs", "MulticlassOutputs", "TreeOutputs"], "local_structured"),
        **dict.fromkeys(["CubicObjective", "LogObjective", "QuadraticObjective"], "sharma_mittal"),
        **dict.fromkeys(["TwinGaussianProcess", "TwinGaussianProcessCV"], "sharma_mittal"),
        "sharma_mittal_divergence": "sharma_mittal",
    }

    def __getattr__(name):
        if name not in _ROOMS:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        try:
            return getattr(import_module(f"{__name__}.{_ROOMS[name]}"), name)
        except ModuleNotFoundError as error:
            if not error.name.startswith("ofer."):
                raise
            raise AttributeError(
                f"{__name__}.{name} needs {error.name}, which is not there"
            ) from None

    def __dir__():
        return {*globals(), *__all__}
