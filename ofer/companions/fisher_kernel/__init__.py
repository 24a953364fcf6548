"""Learning discriminative Fisher kernels: pairwise Markov random fields and their scores."""

from ofer.companions.fisher_kernel.learner import FisherKernelLearner
from ofer.companions.fisher_kernel.nca import nca_objective
from ofer.companions.fisher_kernel.pairwise_mrf import PairwiseMRF, Posteriors

__all__ = ["FisherKernelLearner", "PairwiseMRF", "Posteriors", "nca_objective"]
