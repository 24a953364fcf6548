"""Sums over all configurations of hidden states, one by one."""

from itertools import product
from typing import NamedTuple

import numpy as np
from scipy.special import log_softmax, logsumexp


class Enumeration(NamedTuple):
    """What the paper's equation (1) says of one object."""

    loglikelihood: float
    nodes: np.ndarray  # (T, K)
    edges: np.ndarray  # (E, K, K)
    score: np.ndarray  # (P,)


def parts(one):
    """Nodes, edges and the nodes with an initial potential of a chain or graph."""
    if isinstance(one, tuple):
        nodes, edges = one
        return np.asarray(nodes), np.reshape(edges, (-1, 2)).astype(int), range(len(nodes))
    one = np.asarray(one)
    return one, np.array([(t, t + 1) for t in range(len(one) - 1)]).reshape(-1, 2), [0]


def log_emissions(model, nodes):
    """Log p(x_i | k), (T, K)."""
    if model.emission == "multinomial":
        return log_softmax(model.logits_, axis=1)[:, nodes].T
    scales = np.exp(model.log_scales_)
    z = (nodes[:, None] - model.means_) / scales[:, None]
    return (-0.5 * z**2 - np.log(scales)[:, None] - 0.5 * np.log(2 * np.pi)).sum(axis=2)


def enumerate_states(model, one):
    """Log-likelihood, marginals and score of an object by enumeration."""
    nodes, edges, starts = parts(one)
    logs, K = log_emissions(model, nodes), model.n_states
    states = np.array(list(product(range(K), repeat=len(nodes))))  # (K^T, T)
    prior = sum(model.initial_[states[:, i]] for i in starts)
    prior = prior + sum(model.transition_[states[:, i], states[:, j]] for i, j in edges)
    joint = prior + logs[np.arange(len(nodes)), states].sum(axis=1)
    loglikelihood = logsumexp(joint) - logsumexp(prior)
    posterior, prior = (np.exp(log - logsumexp(log)) for log in (joint, prior))
    hot = np.eye(K)[states]  # (K^T, T, K)

    def pairs(weights):
        shape = (len(edges), K, K)
        return np.array(
            [np.einsum("s,sk,sm->km", weights, hot[:, i], hot[:, j]) for i, j in edges]
        ).reshape(shape)

    gamma, gamma0 = (np.einsum("s,stk->tk", weights, hot) for weights in (posterior, prior))
    initial = sum(gamma[i] - gamma0[i] for i in starts)
    transition = (pairs(posterior) - pairs(prior)).sum(axis=0)
    if model.symmetric:
        both = transition + transition.T - np.diag(np.diag(transition))
        transition = both[np.triu_indices(K)]
    blocks = [initial, transition.ravel()]
    if model.emission == "multinomial":
        B = np.exp(log_softmax(model.logits_, axis=1))
        seen = np.eye(B.shape[1])[nodes]  # (T, V)
        blocks.append((gamma.T @ seen - gamma.sum(axis=0)[:, None] * B).ravel())
    else:
        variances = np.exp(2 * model.log_scales_)
        residuals = nodes[:, None] - model.means_  # (T, K, d)
        blocks.append((np.einsum("tk,tkd->kd", gamma, residuals) / variances[:, None]).ravel())
        excess = (residuals**2).sum(axis=2) / variances - nodes.shape[1]
        blocks.append((gamma * excess).sum(axis=0))
    return Enumeration(loglikelihood, gamma, pairs(posterior), np.concatenate(blocks))
