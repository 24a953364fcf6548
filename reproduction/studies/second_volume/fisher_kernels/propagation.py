"""Log-likelihoods of small graphs by enumeration, and by the approximation of Bethe."""

from copy import deepcopy

import numpy as np
from scipy.special import logsumexp, softmax

from reproduction.studies.second_volume.fisher_kernels.derivatives import enumerate_states

__all__ = ["bethe_loglikelihood", "enumerate_chances"]


def bethe_loglikelihood(model, symbols, edges):
    """Bethe's approximation by the beliefs of the package, with observations less without."""
    seen = _bethe(model, symbols, edges, model.logits_)
    n_symbols = model.logits_.shape[1]
    alike = np.full_like(model.logits_, -np.log(n_symbols))  # all symbols say the same
    return seen - (_bethe(model, symbols, edges, alike) + len(symbols) * np.log(n_symbols))


def _bethe(model, symbols, edges, logits):
    beliefs = deepcopy(model).set_parameters(logits=logits).posteriors([(symbols, edges)])
    b, b_edges = beliefs.nodes[0], beliefs.edges[0]
    degrees = np.bincount(np.ravel(edges), minlength=len(symbols))[:, None]
    energy = (b * (model.initial_ + logits[:, symbols].T)).sum()
    energy += (b_edges * model.transition_).sum()
    return energy - (b_edges * np.log(b_edges)).sum() + ((degrees - 1) * b * np.log(b)).sum()


def enumerate_chances(model, symbols, edges):
    """Log-likelihood, and probability that the first state is the first, from all joint states."""
    joint, prior = enumerate_states(model, (symbols, edges))
    shares = softmax(joint)
    return logsumexp(joint) - logsumexp(prior), shares[: len(joint) // model.n_states].sum()
