"""Solver: one decomposition of a kernel or of features, for every ridge parameter and target."""

from ofer.ridge.kernel_system import KernelSolution, KernelSystem

__all__ = ["KernelSolution", "KernelSystem"]
