"""Emissions of a pairwise Markov random field: isotropic Gaussians, or symbols.

The log density of a node is linear in its features: its columns, their squared norm and one; or
the indicators of symbols. Statistics are sums of features over the nodes of each object, weighted
with the marginals of the hidden states, by a sparse design (N, n m) that has the features of a node
in the columns of its object. Moves are directions of the parameters, one an object, such as means
(n, K, d).

A fit works on nodes around their mean, divided by a power of ten. Given parameters are evaluated
around the middle of their means, where no object takes digits from another; or, if some of these
are far from others, by differences of nodes from each mean.
"""

import warnings
from typing import ClassVar

import numpy as np
from scipy.spatial.distance import cdist
from scipy.special import log_softmax, softmax
from sklearn.exceptions import ConvergenceWarning
from sklearn.mixture import GaussianMixture

START_FRAMES = 20_000  # that the start of a fit is computed from, at most
FAR = 1e4  # squared distance of means, in scales, beyond which products of nodes cost digits
LEAST_PROBABILITY = 1e-10  # of a symbol, so that one not seen in training is not impossible


class Emission:
    """The shapes of the parameters of each state, and what most kinds leave as it is."""

    name: ClassVar[str]
    of_symbols: ClassVar[bool]
    axes: ClassVar[dict[str, tuple]]
    more_features: ClassVar[int]  # of a node than its columns or symbols

    def __init__(self, n_states, width):
        self.n_states, self.width = n_states, width
        self.n_features = width + self.more_features
        self.shapes = {name: (n_states, width)[: len(axes)] for name, axes in self.axes.items()}

    def given(self, parameters):
        """The emission that evaluates given parameters: this one, for symbols."""
        return self

    def frame(self, nodes):
        """What a fit takes from all nodes and divides them by, and their spread after that."""
        return 0, 1.0, 1.0

    def place(self, parameters, shift, unit):
        """Parameters of nodes as they came, from those of nodes in a frame."""
        return parameters

    def frame_parameters(self, parameters, shift, unit):
        """The opposite of `place`."""
        return parameters

    def statistics(self, batch, marginals, parameters):
        """Sums over the nodes of each object, weighted with marginals (N, K)."""
        raise NotImplementedError

    def move(self, design, parameters, moves):
        """Derivatives of the log density of each node in each state, (N, K)."""
        coefficients = np.swapaxes(self.coefficients(parameters, moves), 1, 2)
        return design @ coefficients.reshape(-1, self.n_states)

    def sum_features(self, design, marginals):
        """Weighted sums of features over each object, (n, K, m)."""
        sums = (design.T @ marginals).reshape(-1, self.n_features, self.n_states)
        return np.swapaxes(sums, 1, 2)

    def least(self, floor):
        """Lower bounds of parameters: none."""
        return {}

    def natural_units(self, parameters):
        """Sizes of moves of parameters that matter, if they are not one."""
        return {}

    def coefficients(self, parameters, moves):
        """Derivatives of the log density of each state in the features, (n, K, m)."""
        raise NotImplementedError


class GaussianEmission(Emission):
    """Normal distributions with mean mu_k and covariance sigma_k^2 I; s_k = log sigma_k."""

    name, of_symbols, more_features = "gaussian", False, 2
    axes: ClassVar[dict] = {"means": ("n_states", "n_features"), "log_scales": ("n_states",)}

    def __init__(self, n_states, width, origin=None):
        super().__init__(n_states, width)
        self.origin = origin  # that nodes are moved to, in the place of their mean

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
        for i, rows in enumerate(arrays):
            if rows.shape[1] != width:
                raise ValueError(f"objects[{i}] must have {width} columns; got shape {rows.shape}.")
        nodes = np.concatenate(arrays)
        return nodes, width, ~np.isfinite(nodes).all(axis=1), "finite numbers"

    def given(self, parameters):
        """The emission that evaluates given parameters."""
        means, precisions = parameters["means"], np.exp(-2 * parameters["log_scales"])
        origin = means.mean(axis=0)
        apart = (_squared_norms(means - origin) * precisions).max() > FAR
        kind = ApartGaussianEmission if apart else GaussianEmission
        return kind(self.n_states, self.width, origin)

    def frame(self, nodes):
        """The mean of all nodes; the power of ten next to their spread; the spread in this unit.

        Nodes of scale one stay as they are, to the last bit, and so does what is learned from them.
        In another decimal unit they become the same.
        """
        if self.origin is not None:
            return self.origin, 1.0, 1.0
        shift = nodes.mean(axis=0)
        spread = float(np.sqrt(np.mean((nodes - shift) ** 2)))
        unit = float(10.0 ** np.round(np.log10(spread))) if spread > 0 else 1.0
        return shift, unit, spread / unit

    def place(self, parameters, shift, unit):
        means, log_scales = parameters["means"], parameters["log_scales"]
        return parameters | {
            "means": unit * means + shift,
            "log_scales": log_scales + np.log(unit),
        }

    def frame_parameters(self, parameters, shift, unit):
        means, log_scales = parameters["means"], parameters["log_scales"]
        return parameters | {
            "means": (means - shift) / unit,
            "log_scales": log_scales - np.log(unit),
        }

    def least(self, floor):
        """Lower bounds of parameters."""
        return {"log_scales": np.full(self.n_states, np.log(floor))}

    def natural_units(self, parameters):
        """Moves of means that matter have the scale of their state."""
        scales = np.exp(parameters["log_scales"])
        return {"means": np.broadcast_to(scales[:, None], self.shapes["means"])}

    def features(self, nodes):
        """Columns and values of the features of each node."""
        values = np.column_stack([nodes, _squared_norms(nodes), np.ones(len(nodes))])
        return np.broadcast_to(np.arange(self.n_features), values.shape), values

    def log_density(self, nodes, parameters):
        """Log density of each node in each state, (N, K)."""
        means, log_scales = parameters["means"], parameters["log_scales"]
        # In place: mu'x - |x|^2 / 2 - |mu|^2 / 2 is minus half the squared distance.
        logs = nodes @ means.T
        logs -= 0.5 * _squared_norms(nodes)[:, None]
        logs -= 0.5 * _squared_norms(means)
        logs *= np.exp(-2 * log_scales)
        logs -= self.width * (log_scales + 0.5 * np.log(2 * np.pi))
        return logs

    def statistics(self, batch, marginals, parameters):
        """Counts (n, K), sums (n, K, d) and squared norms (n, K) of nodes, weighted."""
        sums = self.sum_features(batch.design, marginals)
        return sums[..., -1], sums[..., :-2], sums[..., -2]

    def coefficients(self, parameters, moves):
        means, precisions = parameters["means"], np.exp(-2 * parameters["log_scales"])
        shifts, stretches = moves["means"], moves["log_scales"]
        squares = precisions * stretches
        linear = precisions[:, None] * shifts - 2 * squares[..., None] * means
        constant = squares * _squared_norms(means) - self.width * stretches
        constant -= precisions * (shifts * means).sum(axis=-1)
        return np.concatenate([linear, squares[..., None], constant[..., None]], axis=-1)

    def curvature(self, statistics, parameters, moves):
        """Derivatives of the score while statistics stay, summed over objects."""
        counts, scores = statistics[0], self.score(statistics, parameters)
        precisions = np.exp(-2 * parameters["log_scales"])
        shifts, stretches = moves["means"], moves["log_scales"]
        of_means = -(counts * precisions)[..., None] * shifts
        of_means -= 2 * stretches[..., None] * scores["means"]
        ratios = scores["log_scales"] + self.width * counts
        of_scales = -2 * ((shifts * scores["means"]).sum(axis=-1) + stretches * ratios)
        return {"means": of_means.sum(axis=0), "log_scales": of_scales.sum(axis=0)}

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


class ApartGaussianEmission(GaussianEmission):
    """The same for means that are far apart: all sums are of differences from these."""

    def frame(self, nodes):
        """Nodes as they are."""
        return 0.0, 1.0, 1.0

    def features(self, nodes):
        """None: statistics come from the nodes."""
        empty = np.zeros((len(nodes), 0))
        return empty.astype(int), empty

    def log_density(self, nodes, parameters):
        log_scales = parameters["log_scales"]
        logs = cdist(nodes, parameters["means"], "sqeuclidean")
        logs *= -0.5 * np.exp(-2 * log_scales)
        logs -= self.width * (log_scales + 0.5 * np.log(2 * np.pi))
        return logs

    def statistics(self, batch, marginals, parameters):
        """Counts (n, K), and sums (n, K, d) and squared norms (n, K) of differences, weighted."""
        means, add = parameters["means"], batch.structure.node_sum
        squares = add @ (marginals * cdist(batch.nodes, means, "sqeuclidean"))
        sums = [
            add @ (own[:, None] * (batch.nodes - mean))
            for own, mean in zip(marginals.T, means, strict=True)
        ]
        return add @ marginals, np.stack(sums, axis=1), squares

    def score(self, statistics, parameters):
        counts, sums, squares = statistics
        precisions = np.exp(-2 * parameters["log_scales"])
        return {
            "means": sums * precisions[:, None],
            "log_scales": squares * precisions - self.width * counts,
        }


class MultinomialEmission(Emission):
    """Distributions over symbols 0 ... V - 1, softmax of the rows of the logits."""

    name, of_symbols, more_features = "multinomial", True, 0
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
        # Unsigned and signed integers would become floats together; what is too large is refused
        # later, and does not wrap to another symbol.
        return (np.minimum(nodes, 2**63 - 1) if nodes.dtype == np.uint64 else nodes).astype(int)

    @staticmethod
    def join(arrays, width):
        """All nodes, the number of symbols, which nodes are bad, and the rule that those break."""
        nodes = np.concatenate(arrays)
        if width is None:
            return nodes, int(nodes.max()) + 1, nodes < 0, "symbols 0, 1, ..."
        return nodes, width, (nodes < 0) | (nodes >= width), f"symbols from 0 to {width - 1}"

    def features(self, nodes):
        """Columns and values of the features of each node."""
        return nodes[:, None], np.ones((len(nodes), 1))

    def log_density(self, nodes, parameters):
        """Log probability of each node in each state, (N, K)."""
        return log_softmax(parameters["logits"], axis=1).T[nodes]

    def statistics(self, batch, marginals, parameters):
        """Weighted counts (n, K, V) of symbols."""
        return (self.sum_features(batch.design, marginals),)

    def coefficients(self, parameters, moves):
        """Derivatives of the log probabilities of symbols, (n, K, V)."""
        shifts, shares = moves["logits"], softmax(parameters["logits"], axis=1)
        return shifts - (shares * shifts).sum(axis=-1, keepdims=True)

    def curvature(self, statistics, parameters, moves):
        """Derivatives of the score while statistics stay, summed over objects."""
        (counts,) = statistics
        totals = counts.sum(axis=-1, keepdims=True)
        weighted = (totals * self.coefficients(parameters, moves)).sum(axis=0)
        return {"logits": -softmax(parameters["logits"], axis=1) * weighted}

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
