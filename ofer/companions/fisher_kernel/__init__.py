"""Learning discriminative Fisher kernels: pairwise Markov random fields and their scores."""

from ofer.companions.fisher_kernel.pairwise_mrf import PairwiseMRF, Posteriors

__all__ = ["PairwiseMRF", "Posteriors"]
