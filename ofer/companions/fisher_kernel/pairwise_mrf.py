"""Pairwise Markov random field over hidden states, on chains and on graphs."""

import warnings
from typing import NamedTuple

import numpy as np
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted

from ofer._validation import check_columns, check_option, check_real
from ofer.companions.fisher_kernel._emissions import GaussianEmission, MultinomialEmission
from ofer.companions.fisher_kernel._expectations import expect_prior, infer
from ofer.companions.fisher_kernel._graphs import TOLERANCE
from ofer.companions.fisher_kernel._likelihood import evaluate, fit_by_ascent, fit_by_em
from ofer.companions.fisher_kernel._objects import check_objects, pack
from ofer.companions.fisher_kernel._parameters import ParameterLayout

__all__ = ["PairwiseMRF", "Posteriors"]

EMISSION_PARAMETERS = {"gaussian": ("means", "log_scales"), "multinomial": ("logits",)}
LARGEST_SPREAD = 300  # of transitions, see `Chains`


class Posteriors(NamedTuple):
    """Marginals of the hidden states given what is seen, and how far propagation converged."""

    nodes: list  # of (n_nodes, K): p(z_i = k | X)
    edges: list  # of (n_edges, K, K): p(z_i = k, z_j = m | X), in the order of the edges
    loglikelihoods: np.ndarray  # (n,)
    residuals: np.ndarray  # (n,), change of a log message in the last sweep; 0 on chains
    n_sweeps: np.ndarray  # (n,), the more of the two runs with and without what is seen
    converged: np.ndarray  # (n,)


class PairwiseMRF(TransformerMixin, BaseEstimator):
    r"""Pairwise Markov random field with multinomial hidden states, for sequences and graphs.

    Each node i of an object has a hidden state :math:`z_i \in \{1, \ldots, K\}`, which an edge
    ties to the states of its neighbours. Equation (1) of [1]_ with initial potentials :math:`\pi`:

    .. math::

        p(X) = \frac1{Z(G)} \sum_z \exp\Bigl[\sum_{i \in V} \log p(x_i \mid z_i)
               + \sum_{i \in S} \pi_{z_i} + \sum_{(i, j) \in E} A_{z_i z_j}\Bigr],

    where Z(G) is the same sum without what is seen. On a chain S is the first node, edges join
    each node to the next, and all sums are exact. On a graph S holds all nodes, and the sums are
    those of loopy belief propagation: the Bethe approximation, exact where there is no cycle.

    An object is a chain, an array (T, d) of real numbers or (T,) of symbols 0, 1, ...; or a
    graph, a tuple (nodes, edges) of such an array and of an integer array (n_edges, 2). Graphs
    may have isolated nodes and several components.

    Parameters
    ----------
    n_states : int
        Number K of hidden states.
    emission : {"gaussian", "multinomial"}, default="gaussian"
        :math:`p(x \mid k)`: normal with mean :math:`\mu_k` and covariance
        :math:`\sigma_k^2 I`, or a distribution over symbols.
    symmetric : bool, default=False
        Whether A is symmetric. It should be where edges have no direction: otherwise the results
        depend on the order in which an edge names its two nodes.
    n_symbols : int, default=None
        Number V of symbols; None takes one more than the largest seen by `fit`.
    init : {"mixture", "random"}, default="mixture"
        Start of the emissions: a mixture model of the nodes (for symbols: their frequencies times
        random factors), or random (means normal with half the standard deviation of the nodes,
        scales equal to it; logits standard normal). Potentials start at zero.
    max_iter : int, default=100
        Iterations at most, of EM on chains and of L-BFGS on graphs. 0 keeps the start.
    tol : float, default=1e-6
        Fitting stops once an iteration gains no more log-likelihood than this per node.
    min_scale : float, default=1e-3
        Least :math:`\sigma_k`, as a share of the nodes' standard deviation.
    random_state : int, RandomState instance or None, default=None
        Draws the start.

    Attributes
    ----------
    initial_ : ndarray of shape (K,)
        :math:`\pi`.
    transition_ : ndarray of shape (K, K)
        :math:`A`.
    means_ : ndarray of shape (K, d)
        :math:`\mu_k`, of Gaussian emissions.
    log_scales_ : ndarray of shape (K,)
        :math:`s_k = \log \sigma_k`.
    logits_ : ndarray of shape (K, V)
        Of multinomial emissions; their probabilities are the softmax of each row.
    blocks_ : dict of str to slice
        Places of the parameters in a score vector.
    loglikelihoods_ : ndarray of shape (1 + number of iterations,)
        Total log-likelihood at the start and after each iteration of `fit`.
    converged_ : bool
        Whether `fit` reached `tol`.
    n_iter_ : int
        Iterations of `fit`.
    n_features_in_ : int
        Columns d of the nodes; 1 for symbols.

    Warns
    -----
    ConvergenceWarning
        If `fit` stops by `max_iter`, or belief propagation has not converged on some graph.

    See Also
    --------
    FisherKernelLearner : Trains the parameters for the separation of classes.

    Notes
    -----
    *Hidden Markov models.* If exp(:math:`\pi`) and the rows of exp(A) sum to one, Z = 1 on chains
    and the model is a hidden Markov model. Adding a constant to :math:`\pi` or to A changes
    nothing.

    *Limits.* Entries of A must lie within 300 of each other, a ratio of 1e130: so scaled
    weights are as exact as logarithms. `fit` keeps the potentials within 100 of zero.

    *Graphs.* Messages are sent one after the other, breadth first and back, in the logarithmic
    domain, until no log message changes by more than 1e-12. Graphs that have not converged after
    100 sweeps are damped for at most 200 more: a message keeps 0.3 of what it was. At a fixed
    point the score is the exact gradient of the Bethe log-likelihood. `fit` raises that by
    L-BFGS, as there is no bound that EM could raise.

    *Cost.* A score takes O(K (K + d)) time a node of a chain, and O(K^2) an edge and sweep of a
    graph. What depends on the model alone is computed once for each distinct length of chains.

    References
    ----------
    .. [1] van der Maaten, "Learning discriminative Fisher kernels", ICML 2011.
    .. [2] Rabiner, "A tutorial on hidden Markov models and selected applications in speech
       recognition", Proceedings of the IEEE 77 (1989).
    .. [3] Yedidia, Freeman, Weiss, "Constructing free-energy approximations and generalized
       belief propagation algorithms", IEEE Transactions on Information Theory 51 (2005).

    Examples
    --------
    >>> import numpy as np
    >>> from ofer.companions import PairwiseMRF
    >>> rng = np.random.default_rng(0)
    >>> sequences = [rng.normal(size=(T, 2)).cumsum(axis=0) for T in (8, 12, 12, 20)]
    >>> model = PairwiseMRF(3, random_state=0, tol=1e-4).fit(sequences)
    >>> bool(np.all(np.diff(model.loglikelihoods_) > 0))
    True
    >>> model.score_vectors(sequences).shape  # 3 initial, 9 transitions, 6 means, 3 scales
    (4, 21)

    A ring of four symbols, whose hidden states are independent of each other as long as A is 0:

    >>> ring = ([0, 1, 1, 0], [(0, 1), (1, 2), (2, 3), (3, 0)])
    >>> model = PairwiseMRF(2, emission="multinomial", symmetric=True)
    >>> model = model.set_parameters(logits=np.log([[0.9, 0.1], [0.5, 0.5]]))
    >>> round(float(np.exp(model.loglikelihood([ring])[0])), 4)  # (0.7 * 0.3) ** 2
    0.0441
    """

    def __init__(
        self,
        n_states,
        *,
        emission="gaussian",
        symmetric=False,
        n_symbols=None,
        init="mixture",
        max_iter=100,
        tol=1e-6,
        min_scale=1e-3,
        random_state=None,
    ):
        self.n_states = n_states
        self.emission = emission
        self.symmetric = symmetric
        self.n_symbols = n_symbols
        self.init = init
        self.max_iter = max_iter
        self.tol = tol
        self.min_scale = min_scale
        self.random_state = random_state

    def fit(self, objects, y=None):
        """Maximise the likelihood of objects: by EM on chains, by L-BFGS on graphs.

        Parameters
        ----------
        objects : list
            Chains, or graphs.
        y : object, default=None
            Ignored.

        Returns
        -------
        self : PairwiseMRF

        Raises
        ------
        TypeError, ValueError
            If a parameter is out of range, or an object is not one; the message names it.
        """
        self._check_options()
        check_option("init", self.init, ("mixture", "random"))
        check_real("max_iter", self.max_iter, at_least=0, integer=True)
        check_real("tol", self.tol, at_least=0)
        check_real("min_scale", self.min_scale, above=0)
        objects = check_objects(objects, self.emission, n_symbols=self.n_symbols)
        packed = pack(objects)
        if packed.spread == 0:
            raise ValueError("objects must hold nodes that differ; all are equal.")
        if self.emission == "gaussian":
            width = objects.nodes.shape[1]
        else:
            width = self.n_symbols or int(objects.nodes.max()) + 1
        floor = self.min_scale * packed.spread
        emission, layout = self._system(width)
        vector = self._start(packed, emission, layout, floor)
        fit = fit_by_em if objects.edges is None else fit_by_ascent
        vector, history, gain = fit(
            packed, emission, layout, vector, floor=floor, tol=self.tol, max_iter=self.max_iter
        )
        fitted = layout.unpack(vector)
        if "means" in fitted:
            fitted["means"] = fitted["means"] + packed.shift
        self._store(layout, fitted)
        self.loglikelihoods_ = np.array(history)
        self.n_iter_ = len(history) - 1
        self.converged_ = bool(gain <= self.tol)
        if not self.converged_ and self.max_iter > 0:
            warnings.warn(
                f"fit stopped after max_iter={self.max_iter} iterations, the last of which gained "
                f"{gain:.2g} per node; tol is {self.tol:.2g}. Raise max_iter or tol, or use fewer "
                "states.",
                ConvergenceWarning,
                stacklevel=2,
            )
        return self

    def set_parameters(
        self, *, initial=None, transition=None, means=None, log_scales=None, logits=None
    ):
        """Set parameters by hand, all or some of them.

        Parameters
        ----------
        initial : array-like of shape (K,), default=None
            Initial potentials. Where never set or fitted, they are zero.
        transition : array-like of shape (K, K), default=None
            Transition potentials, likewise; symmetric if the model is.
        means : array-like of shape (K, d), default=None
            Means of Gaussian emissions.
        log_scales : array-like of shape (K,), default=None
            Logarithms of their standard deviations.
        logits : array-like of shape (K, V), default=None
            Logarithms of the probabilities of symbols, up to a constant in each row.

        Returns
        -------
        self : PairwiseMRF

        Raises
        ------
        ValueError
            If an array has the wrong shape or kind, or the emissions stay without parameters.
        """
        self._check_options()
        given = {
            "initial": initial,
            "transition": transition,
            "means": means,
            "log_scales": log_scales,
            "logits": logits,
        }
        K = self.n_states
        arrays = {"initial": np.zeros(K), "transition": np.zeros((K, K))}
        for name, value in given.items():
            used = name in arrays or name in EMISSION_PARAMETERS[self.emission]
            if value is not None:
                if not used:
                    raise ValueError(
                        f"{name} must be None, for {self.emission} emissions; got {value!r}."
                    )
                arrays[name] = _check_parameter(name, value, K)
            elif hasattr(self, f"{name}_"):
                arrays[name] = getattr(self, f"{name}_")
            elif used and name not in arrays:
                raise ValueError(f"{name} must be given, for {self.emission} emissions; got None.")
        _check_transition(arrays["transition"], self.symmetric)
        if self.emission == "multinomial" and self.n_symbols is not None:
            check_columns("logits", arrays["logits"], self.n_symbols, "n_symbols")
        width = arrays[EMISSION_PARAMETERS[self.emission][0]].shape[1]
        _, layout = self._system(width)
        self._store(layout, arrays)
        return self

    def loglikelihood(self, objects):
        """Log-likelihood of each object; with cycles, that of Bethe.

        Parameters
        ----------
        objects : list
            Chains, or graphs.

        Returns
        -------
        ndarray of shape (n_objects,)
        """
        return self._evaluate(objects).loglikelihoods

    def score_vectors(self, objects):
        r"""Gradient of each object's log-likelihood in the parameters: the Fisher representation.

        With :math:`\gamma_{ik} = p(z_i = k \mid X)`, :math:`\xi_{ij,km} = p(z_i = k, z_j = m \mid
        X)`, and the same of the model alone, :math:`\gamma^0` and :math:`\xi^0`, the blocks are

        .. math::

            \frac{\partial L}{\partial \pi_k} = \sum_{i \in S} (\gamma_{ik} - \gamma^0_{ik}),
            \qquad
            \frac{\partial L}{\partial A_{km}}
                = \sum_{(i, j) \in E} (\xi_{ij,km} - \xi^0_{ij,km}),

        .. math::

            \frac{\partial L}{\partial \mu_k}
                = \sum_i \gamma_{ik} \frac{x_i - \mu_k}{\sigma_k^2},
            \qquad
            \frac{\partial L}{\partial s_k}
                = \sum_i \gamma_{ik} \Bigl(\frac{\|x_i - \mu_k\|^2}{\sigma_k^2} - d\Bigr),

        or, with :math:`B` the probabilities of the symbols,
        :math:`\partial L / \partial b_{kv} = \sum_i \gamma_{ik} (1[x_i = v] - B_{kv})`. Without
        the model's own part the block of A would sum to the number of edges, whatever is seen.

        Parameters
        ----------
        objects : list
            Chains, or graphs.

        Returns
        -------
        ndarray of shape (n_objects, n_parameters)
            Blocks initial, transition, means and log scales, or logits; matrices row by row, of
            symmetric transitions the upper triangle. `blocks_` has the places.

        References
        ----------
        .. [1] van der Maaten, "Learning discriminative Fisher kernels", ICML 2011, section 2.
        """
        return self._evaluate(objects).scores

    def transform(self, objects):
        """The same as `score_vectors`, for pipelines.

        Parameters
        ----------
        objects : list
            Chains, or graphs.

        Returns
        -------
        ndarray of shape (n_objects, n_parameters)
        """
        return self.score_vectors(objects)

    def posteriors(self, objects):
        """Marginals of the hidden states given what is seen.

        Parameters
        ----------
        objects : list
            Chains, or graphs.

        Returns
        -------
        Posteriors
            Named tuple of `nodes`, a list of arrays (n_nodes, K); `edges`, a list of arrays
            (n_edges, K, K); `loglikelihoods`, `residuals`, `n_sweeps` and `converged`, each of
            shape (n_objects,).
        """
        packed, emission, layout = self._pack(objects)
        parameters = layout.unpack(self._vector(packed, layout))
        n = packed.n_objects
        result = Posteriors(
            [None] * n, [None] * n, np.empty(n), np.empty(n), np.empty(n, int), np.empty(n, bool)
        )
        for batch in packed.batches:
            structure, places = batch.structure, batch.places
            potentials = emission.log_density(batch.nodes, structure.owner, parameters)
            inferred = infer(structure, potentials, parameters)
            prior = expect_prior(structure, parameters)
            pairs = structure.pairs(inferred, parameters["transition"])
            for place, nodes, edges in zip(
                places,
                np.split(inferred.nodes, np.cumsum(structure.sizes)[:-1]),
                np.split(pairs, np.cumsum(structure.count_pairs())[:-1]),
                strict=True,
            ):
                result.nodes[place], result.edges[place] = nodes, edges
            result.loglikelihoods[places] = inferred.log_partitions - prior.log_partitions
            result.residuals[places] = np.maximum(inferred.residuals, prior.residuals)
            result.n_sweeps[places] = np.maximum(inferred.n_sweeps, prior.n_sweeps)
        result.converged[:] = result.residuals <= TOLERANCE
        return result

    def _evaluate(self, objects):
        """Log-likelihoods and scores; warns of what has not converged."""
        packed, emission, layout = self._pack(objects)
        result = evaluate(packed, emission, layout, self._vector(packed, layout))
        lost = np.flatnonzero(result.residuals > TOLERANCE)
        if lost.size:
            warnings.warn(
                f"Belief propagation has not converged on {lost.size} of {packed.n_objects} "
                f"objects, objects[{lost[0]}] for one; their log messages still changed by up to "
                f"{result.residuals.max():.2g}. See `posteriors` for which; smaller transition "
                "potentials would converge.",
                ConvergenceWarning,
                stacklevel=3,
            )
        return result

    def _check_options(self):
        """Raise for parameters that shape the model."""
        check_real("n_states", self.n_states, at_least=1, integer=True)
        check_option("emission", self.emission, tuple(EMISSION_PARAMETERS))
        if not isinstance(self.symmetric, bool | np.bool_):
            raise TypeError(f"symmetric must be True or False; got {self.symmetric!r}.")
        if self.n_symbols is not None:
            check_real("n_symbols", self.n_symbols, at_least=1, integer=True)

    def _system(self, width):
        """Emission and layout for nodes of so many columns, or symbols."""
        kind = GaussianEmission if self.emission == "gaussian" else MultinomialEmission
        emission = kind(self.n_states, width)
        return emission, ParameterLayout(self.n_states, emission.shapes, self.symmetric)

    def _pack(self, objects):
        """Checked and packed objects, emission and layout of the fitted model."""
        check_is_fitted(self, "transition_")
        gaussian = self.emission == "gaussian"
        width = (self.means_ if gaussian else self.logits_).shape[1]
        required = {"n_features" if gaussian else "n_symbols": width}
        packed = pack(check_objects(objects, self.emission, **required))
        return packed, *self._system(width)

    def _vector(self, packed, layout):
        """The fitted parameters as a vector, means shifted like the packed nodes."""
        parameters = {name: getattr(self, f"{name}_") for name in layout.shapes}
        if "means" in parameters:
            parameters["means"] = parameters["means"] - packed.shift
        return layout.flatten(parameters)

    def _start(self, packed, emission, layout, floor):
        """Vector of the parameters before the first iteration."""
        nodes = np.concatenate([batch.nodes for batch in packed.batches])
        if len(nodes) < self.n_states:
            raise ValueError(
                f"n_states must be at most the number of nodes, {len(nodes)}; got {self.n_states}."
            )
        K = self.n_states
        rng = check_random_state(self.random_state)
        emissions = emission.start(nodes, self.init, floor, rng)
        potentials = {"initial": np.zeros(K), "transition": np.zeros((K, K))}
        return layout.flatten(potentials | emissions)

    def _store(self, layout, parameters):
        """Set the parameters."""
        for name in layout.shapes:
            setattr(self, f"{name}_", parameters[name].copy())
        self.blocks_ = dict(layout.blocks)
        self.n_features_in_ = self.means_.shape[1] if self.emission == "gaussian" else 1


def _check_parameter(name, value, n_states):
    """Float array of the right shape, finite."""
    array = np.array(value, dtype=np.float64)
    ranks = {"initial": 1, "log_scales": 1}
    shapes = {"transition": (n_states, n_states)}
    rank = ranks.get(name, 2)
    if array.ndim != rank or len(array) != n_states or array.shape != shapes.get(name, array.shape):
        rule = {"transition": "(n_states, n_states)"}.get(
            name, "(n_states,)" if rank == 1 else "(n_states, columns)"
        )
        raise ValueError(
            f"{name} must have shape {rule} with n_states={n_states}; got shape {array.shape}."
        )
    if not np.isfinite(array).all():
        raise ValueError(f"{name} must be finite; got {value!r}.")
    return array


def _check_transition(transition, symmetric):
    """Raise ValueError unless the recursions can work with it."""
    spread = np.ptp(transition)
    if spread > LARGEST_SPREAD:
        raise ValueError(
            f"transition must have entries within {LARGEST_SPREAD} of each other (a ratio of "
            f"1e-130 stands for what is forbidden); got a spread of {spread:.4g}."
        )
    if symmetric and not np.array_equal(transition, transition.T):
        raise ValueError("transition must be symmetric, as symmetric=True; got an asymmetric one.")
