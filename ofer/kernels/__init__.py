"""Kernels on inputs and outputs, and rules for their widths."""

from ofer.kernels._bandwidth import median_bandwidth, median_gamma
from ofer.kernels._sequences import dtw_distance, dtw_kernel, gak_bandwidth, global_alignment_kernel
from ofer.kernels._tanimoto import tanimoto_kernel

__all__ = [
    "dtw_distance",
    "dtw_kernel",
    "gak_bandwidth",
    "global_alignment_kernel",
    "median_bandwidth",
    "median_gamma",
    "tanimoto_kernel",
]
