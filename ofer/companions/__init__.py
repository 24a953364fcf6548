"""Systems of the companion papers, each in a room of its own, which is loaded when asked for."""

from typing import TYPE_CHECKING

from ofer.utils.lazy import lazy_loading

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
        "fisher_kernel": "FisherKernelLearner PairwiseMRF nca_objective",
        "local_structured": "LocalStructuredPredictor OutputSpace ChainOutputs MulticlassOutputs "
        "TreeOutputs",
        "sharma_mittal": "TwinGaussianProcess TwinGaussianProcessCV CubicObjective LogObjective "
        "QuadraticObjective sharma_mittal_divergence",
    }
    __getattr__, __dir__ = lazy_loading(__name__, _ROOMS)
