"""Emissions of a pairwise Markov random field: isotropic Gaussians, or symbols.

Parameters come shared, such as means (K, d), or one set an object, (n, K, d). Statistics are sums
over the nodes of each object, weighted with the marginals of the hidden states.
"""

import warnings
from typing import ClassVar

import numpy as np
from scipy.sparse import csr_array
from scipy.special import log_softmax, softmax
from sklearn.exceptions import ConvergenceWarning
from sklearn.mixture import GaussianMixture

START_FRAMES = 20_000  # that the start of a fit is computed from, at most
LEAST_PROBABILITY = 1e-10  # of a symbol, so that one not seen in training is not impossible


class Emission:
    """The shapes of the parameters of each state, and what most kinds leave as it is."""

    name: ClassVar[str]
    of_symbols: ClassVar[bool]
    axes: ClassVar[dict[str, tuple]]

    def __init__(self, n_states, width):
        self.n_states, self.width = n_states, width
        self.shapes = {name: (n_states, width)[: len(axes)] for name, axes in self.axes.items()}

    @staticmethod
    def shift(parameters, by):
        """Parameters of nodes that have been moved, which symbols never are."""
        return parameters

    def least(self, floor):
        """Lower bounds of parameters: none."""
        return {}


class GaussianEmission(Emission):
    """Normal distributions with mean mu_k and covariance sigma_k^2 I; s_k = log sigma_k."""

    name, of_symbols = "gaussian", False
    axes: ClassVar[dict] = {"means": ("n_states", "n_features"), "log_scales": ("n_states",)}

    @staticmethod
    def check_nodes(name, nodes):
        """Array (n_nodes, n_features) of an object's nodes."""
        nodes = np.asarray(nodes)
        if nodes.ndim != 2 or nodes.dtype.kind not in "biuf" or nodes.shape[1] == 0:
            raise ValueError(
                f"{name} must have nodes of shape (n_nodes, n_features), real numbers; "
                f"got shape {nodes.shape} of {nodes.dtype}."
            )
        return nodes.astype(np.float64)

    @staticmethod
    def join(arrays, width):
        """All nodes, their width, which are bad, and the rule that those break."""
        width = arrays[0].shape[1] if width is None else width
        for i, one in enumerate(arrays):
            if one.shape[1] != width:
                raise ValueError(f"objects[{i}] must have {width} columns; got shape {one.shape}.")
        nodes = np.concatenate(arrays)
        return nodes, width, ~np.isfinite(nodes).all(axis=1), "finite numbers"

    @staticmethod
    def shift(parameters, by):
        """Parameters of nodes that have been moved."""
        return parameters | {"means": parameters["means"] + by}

    def least(self, floor):
        """Lower bounds of parameters."""
        return {"log_scales": np.full(self.n_states, np.log(floor))}

    def log_density(self, nodes, owner, parameters):
        """Log density of each node in each state, (N, K)."""
        means, log_scales = parameters["means"], parameters["log_scales"]
        norms, precisions = (means**2).sum(axis=-1), np.exp(-2 * log_scales)
        normalizers = self.width * (log_scales + 0.5 * np.log(2 * np.pi))
        if means.ndim == 2:
            logs = nodes @ means.T
        else:
            logs = np.einsum("nd,nkd->nk", nodes, means[owner])
            norms, precisions, normalizers = norms[owner], precisions[owner], normalizers[owner]
        # In place: mu'x - |x|^2 / 2 - |mu|^2 / 2 is minus half the squared distance.
        logs -= 0.5 * _squared_norms(nodes)[:, None]
        logs -= 0.5 * norms
        logs *= precisions
        logs -= normalizers
        return logs

    def statistics(self, nodes, node_sum, marginals):
        """Counts (n, K), sums (n, K, d) and squared norms (n, K) of nodes, weighted.

        `node_sum` is the sparse (n, N) sum by object.
        """
        weighted = [
            csr_array((weights, node_sum.indices, node_sum.indptr), node_sum.shape) @ nodes
            for weights in marginals.T
        ]
        squares = _squared_norms(nodes)[:, None] * marginals
        return node_sum @ marginals, np.stack(weighted, axis=1), node_sum @ squares

    def score(self, statistics, parameters):
        """Gradient of the expected log density in means and log scales, for each object."""
        counts, sums, squares = statistics
        means, precisions = parameters["means"], np.exp(-2 * parameters["log_scales"])
        residuals = squares - 2 * (means * sums).sum(axis=-1)
        residuals += counts * (means**2).sum(axis=-1)
        return {
            "means": (sums - counts[..., None] * means) * precisions[..., None],
            "log_scales": residuals * precisions - self.width * counts,
        }

    def maximize(self, statistics, parameters, floor):
        """Maximum of the expected log density, for the statistics of all objects together.

        A state that has no node stays as it is.
        """
        counts, sums, squares = statistics
        used = counts > 1e-10 * counts.sum()
        safe = np.where(used, counts, 1.0)
        means = np.where(used[:, None], sums / safe[:, None], parameters["means"])
        variances = (squares / safe - (means**2).sum(axis=1)) / self.width
        log_scales = 0.5 * np.log(np.maximum(variances, floor**2))
        log_scales = np.where(used, log_scales, parameters["log_scales"])
        return {"means": means, "log_scales": log_scales}

    def start(self, nodes, init, floor, rng):
        """Parameters before the first iteration; `nodes` have mean zero."""
        if init == "random":
            spread = np.sqrt((nodes**2).mean())
            means = 0.5 * spread * rng.normal(size=self.shapes["means"])
            return {"means": means, "log_scales": np.full(self.n_states, np.log(spread))}
        if len(nodes) > START_FRAMES:
            nodes = nodes[rng.choice(len(nodes), START_FRAMES, replace=False)]
        mixture = GaussianMixture(
            self.n_states,
            covariance_type="spherical",
            reg_covar=floor**2,
            random_state=rng.randint(2**31 - 1),
        )
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)  # a start need not converge
            mixture.fit(nodes)
        return {"means": mixture.means_, "log_scales": 0.5 * np.log(mixture.covariances_)}


class MultinomialEmission(Emission):
    """Distributions over symbols 0 ... V - 1, softmax of the rows of the logits."""

    name, of_symbols = "multinomial", True
    axes: ClassVar[dict] = {"logits": ("n_states", "n_symbols")}

    @staticmethod
    def check_nodes(name, nodes):
        """Array (n_nodes,) of an object's nodes."""
        nodes = np.asarray(nodes)
        if nodes.ndim != 1 or (nodes.dtype.kind not in "iu" and nodes.size):
            raise ValueError(
                f"{name} must have nodes of shape (n_nodes,), integers; "
                f"got shape {nodes.shape} of {nodes.dtype}."
            )
        return nodes

    @staticmethod
    def join(arrays, width):
        """All nodes, the number of symbols, which nodes are bad, and the rule that those break."""
        nodes = np.concatenate(arrays)
        if width is None:
            return nodes, int(nodes.max()) + 1, nodes < 0, "symbols 0, 1, ..."
        return nodes, width, (nodes < 0) | (nodes >= width), f"symbols from 0 to {width - 1}"

    def log_density(self, nodes, owner, parameters):
        """Log probability of each node in each state, (N, K)."""
        logs = log_softmax(parameters["logits"], axis=-1)
        return logs.T[nodes] if logs.ndim == 2 else logs[owner, :, nodes]

    def statistics(self, nodes, node_sum, marginals):
        """Weighted counts (n, K, V) of symbols; `node_sum` is the sparse (n, N) sum by object."""
        owner = np.repeat(np.arange(node_sum.shape[0]), np.diff(node_sum.indptr))
        rows = np.empty(len(nodes), dtype=int)
        rows[node_sum.indices] = owner * self.width + nodes[node_sum.indices]
        shape = (node_sum.shape[0] * self.width, len(nodes))
        by_symbol = csr_array((np.ones(len(nodes)), (rows, np.arange(len(nodes)))), shape)
        counts = (by_symbol @ marginals).reshape(-1, self.width, self.n_states)
        return (np.swapaxes(counts, 1, 2),)

    def score(self, statistics, parameters):
        """Gradient of the expected log probability in the logits, for each object."""
        (counts,) = statistics
        totals = counts.sum(axis=-1, keepdims=True)
        return {"logits": counts - totals * softmax(parameters["logits"], axis=-1)}

    def maximize(self, statistics, parameters, floor):
        """Maximum of the expected log probability, likewise."""
        (counts,) = statistics
        totals = counts.sum(axis=1, keepdims=True)
        used = totals > 1e-10 * totals.sum()
        shares = np.maximum(counts / np.where(used, totals, 1.0), LEAST_PROBABILITY)
        return {"logits": np.where(used, np.log(shares), parameters["logits"])}

    def start(self, nodes, init, floor, rng):
        """Parameters before the first iteration: frequencies, or none, times random factors."""
        noise = rng.normal(size=self.shapes["logits"])
        if init == "random":
            return {"logits": noise}
        counts = np.bincount(nodes, minlength=self.width)
        return {"logits": np.log(np.maximum(counts / len(nodes), LEAST_PROBABILITY)) + noise}


EMISSIONS = {kind.name: kind for kind in (GaussianEmission, MultinomialEmission)}


def _squared_norms(array):
    """Squared Euclidean norm of each row."""
    return np.einsum("ij,ij->i", array, array)
