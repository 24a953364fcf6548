"""Systems of the companion papers."""

from ofer.companions.local_structured import (
    ChainOutputs,
    MulticlassOutputs,
    OutputSpace,
    TreeOutputs,
)
from ofer.companions.sharma_mittal import sharma_mittal_divergence
from ofer.companions.structured_errors import (
    branch_error,
    limb_angle_error,
    mean_point_distance,
)

__all__ = [
    "ChainOutputs",
    "MulticlassOutputs",
    "OutputSpace",
    "TreeOutputs",
    "branch_error",
    "limb_angle_error",
    "mean_point_distance",
    "sharma_mittal_divergence",
]
