"""Pairwise Markov random field over hidden states, on chains and on graphs."""

from collections.abc import Sequence
from numbers import Integral, Real
from typing import ClassVar, NamedTuple, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted

from ofer.companions.fisher_kernel.emissions import EMISSIONS
from ofer.companions.fisher_kernel.expectations import expect_prior, infer
from ofer.companions.fisher_kernel.graphs import TOLERANCE
from ofer.companions.fisher_kernel.likelihood import (
    evaluate,
    fit_by_ascent,
    fit_by_em,
    remaining,
    start_vector,
)
from ofer.companions.fisher_kernel.objects import check_objects, pack
from ofer.companions.fisher_kernel.parameters import ParameterLayout, complete
from ofer.utils.fitting import fit_context
from ofer.utils.products import quiet
from ofer.utils.sklearn_private import Interval, StrOptions, validate_parameter_constraints
from ofer.utils.validation import check_names
from ofer.utils.warning import warn

# A fit has converged where the gradient per node is at most this times the root of `tol`, or none:
# a step of Newton's would gain about half the square of the gradient.
STATIONARY = 3.0
LEAST_GRADIENT = 1e-7


class Posteriors(NamedTuple):
    """Marginals of the hidden states given what is seen, and how far propagation converged."""

    nodes: list  # of (n_nodes, K): p(z_i = k | X)
    edges: list  # of (n_edges, K, K): p(z_i = k, z_j = m | X), in the order of the edges
    loglikelihoods: np.ndarray  # (n,)
    residuals: np.ndarray  # (n,), change of a log message in the last sweep; 0 on chains
    n_sweeps: np.ndarray  # (n,), the more of the two runs with and without what is seen
    converged: np.ndarray  # (n,)


@quiet
class PairwiseMRF(TransformerMixin, BaseEstimator):
    r"""Pairwise Markov random field with hidden states, for sequences and graphs.

    Each node i of an object has a hidden state :math:`z_i \in \{1, \ldots, K\}`, which an edge
    ties to the states of its neighbours. Equation (1) of [1]_ with initial potentials :math:`\pi`:

    .. math::

        p(X) = \frac1{Z(G)} \sum_z \exp\Bigl[\sum_{i \in V} \log p(x_i \mid z_i)
               + \sum_{i \in S} \pi_{z_i} + \sum_{(i, j) \in E} A_{z_i z_j}\Bigr],

    where Z(G) is the same sum without the observations. On a chain S is the first node, edges join
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
        Whether A is symmetric. Use True if edges have no direction: otherwise the results depend on
        the order in which an edge names its two nodes.
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
    parameters_ : dict of str to ndarray
        All parameters below, by name without the underscore.
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
        Whether `fit` reached `tol` where the gradient of the log-likelihood per node is small, too:
        at most three times the root of `tol`, in the means in units of their states' scales.
    n_iter_ : int
        Iterations of `fit`.
    n_features_in_ : int
        Columns d of the nodes; 1 for symbols.

    Warns
    -----
    ConvergenceWarning
        If `fit` stops by `max_iter` or where the likelihood still rises along its gradient, or
        belief propagation has not converged on some graph.
    UserWarning
        If half of the nodes' columns have less than a hundredth of the largest spread.

    See Also
    --------
    FisherKernelLearner : Trains the parameters for the separation of classes.

    Notes
    -----
    *Hidden Markov models.* If exp(:math:`\pi`) and the rows of exp(A) sum to one, Z = 1 on chains
    and the model is a hidden Markov model. Adding a constant to :math:`\pi` or to A changes
    nothing.

    *Units.* Scores of standardised columns do not depend on the unit of the data. All columns of a
    state have one scale, so first divide columns of different units by their standard deviations.

    *Limits.* Entries of A must lie within 300 of each other, a ratio of 1e130. Then scaled weights
    are as exact as logarithms. `fit` keeps the potentials within 100 of zero.

    *Graphs.* Messages are sent one after the other, breadth first and back, in the logarithmic
    domain, until no log message changes by more than 1e-12. Graphs that have not converged after
    100 sweeps are damped for at most 200 more: a message keeps 0.3 of what it was. At a fixed point
    the score is the exact gradient of the Bethe log-likelihood. `fit` raises it by L-BFGS, because
    there is no bound that EM could raise.

    *Cost.* A score takes O(K (K + d)) time per node of a chain, and O(K^2) per edge and sweep of a
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

    _parameter_constraints: ClassVar[dict] = {
        "n_states": [Interval(Integral, 1, None, closed="left")],
        "emission": [StrOptions(set(EMISSIONS))],
        "symmetric": ["boolean"],
        "n_symbols": [Interval(Integral, 1, None, closed="left"), None],
        "init": [StrOptions({"mixture", "random"})],
        "max_iter": [Interval(Integral, 0, None, closed="left")],
        "tol": [Interval(Real, 0, None, closed="left")],
        "min_scale": [Interval(Real, 0, None, closed="neither")],
        "random_state": ["random_state"],
    }

    def __init__(
        self,
        n_states: int,
        *,
        emission: str = "gaussian",
        symmetric: bool = False,
        n_symbols: int | None = None,
        init: str = "mixture",
        max_iter: int = 100,
        tol: float = 1e-6,
        min_scale: float = 1e-3,
        random_state: int | np.random.RandomState | None = None,
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

    @fit_context(prefer_skip_nested_validation=True)
    def fit(self, objects: Sequence, y: object = None) -> Self:
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
        kind = self._kind()
        checked = check_objects(objects, kind, self.n_symbols)
        check_names(self, _nodes(objects), reset=True)
        layout = ParameterLayout(kind(self.n_states, checked.width), self.symmetric)
        packed = pack(checked, layout.emission)
        if packed.spread == 0:
            raise ValueError("objects must hold nodes that differ; all are equal.")
        if checked.nodes.ndim == 2:
            _warn_of_units(checked.nodes)
        floor = self.min_scale * packed.spread
        rng = check_random_state(self.random_state)
        vector = start_vector(packed, layout, self.init, floor, rng)
        fit = fit_by_em if checked.edges is None else fit_by_ascent
        vector, history, gain = fit(
            packed, layout, vector, floor=floor, tol=self.tol, max_iter=self.max_iter
        )
        self._store(layout, layout.unpack(vector, *packed.frame))
        density = packed.n_nodes * layout.emission.width * np.log(packed.frame[1])
        self.loglikelihoods_ = np.array(history) - density  # per unit of the nodes as they came
        self.n_iter_ = len(history) - 1
        self.converged_ = False
        if self.max_iter > 0:
            rest = remaining(packed, layout, vector, floor)
            least = max(STATIONARY * np.sqrt(self.tol), LEAST_GRADIENT)
            self.converged_ = bool(gain <= self.tol and rest <= least)
            self._warn_of_stop(gain, rest)
        return self

    def set_parameters(self, **parameters: ArrayLike) -> Self:
        """Set parameters by hand, all or some of them.

        Parameters
        ----------
        **parameters : array-like
            By name: "initial" of shape (K,) and "transition" of shape (K, K), potentials that are
            zero where never set or fitted, the latter symmetric if the model is; of Gaussian
            emissions "means" (K, d) and "log_scales" (K,); of multinomial ones "logits" (K, V),
            logarithms of the probabilities of symbols, up to a constant in each row.

        Returns
        -------
        self : PairwiseMRF

        Raises
        ------
        ValueError
            If there is no such parameter, an array has the wrong shape or kind, or the emissions
            stay without parameters.
        """
        validate_parameter_constraints(
            self._parameter_constraints, self.get_params(deep=False), type(self).__name__
        )
        kind = self._kind()
        old = self.parameters_ if "blocks_" in vars(self) else {}
        layout, arrays = complete(
            kind, self.n_states, self.symmetric, self.n_symbols, old, parameters
        )
        self._store(layout, arrays)
        return self

    @property
    def parameters_(self) -> dict[str, np.ndarray]:
        """The parameters by name, in the order of a score vector."""
        check_is_fitted(self, "blocks_")
        return {name: getattr(self, f"{name}_") for name in self.blocks_}

    def get_feature_names_out(self, input_features: object = None) -> np.ndarray:
        """Names of the entries of a score vector.

        Returns
        -------
        ndarray of str of shape (n_parameters,)
            Such as "transition_0_1".
        """
        check_is_fitted(self, "blocks_")
        return self._layout.names()

    def loglikelihood(self, objects: Sequence) -> np.ndarray:
        """Log-likelihood of each object; with cycles, that of Bethe.

        Returns
        -------
        ndarray of shape (n_objects,)
        """
        return self._evaluate(objects).loglikelihoods

    def score_vectors(self, objects: Sequence) -> np.ndarray:
        r"""Fisher scores: gradient of the log-likelihood of each object in the parameters.

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

        Returns
        -------
        ndarray of shape (n_objects, n_parameters)
            Blocks initial, transition, means and log scales, or logits; matrices row by row, of
            symmetric transitions the upper triangle. `blocks_` has the places. See section 2 of
            the paper.
        """
        return self._evaluate(objects).scores

    def transform(self, objects: Sequence) -> np.ndarray:
        """The same as `score_vectors`, for pipelines.

        Returns
        -------
        ndarray of shape (n_objects, n_parameters)
        """
        return self.score_vectors(objects)

    def posteriors(self, objects: Sequence) -> Posteriors:
        """Posterior marginals of the hidden states, given the observations.

        Returns
        -------
        Posteriors
            Lists `nodes` of arrays (n_nodes, K) and `edges` of arrays (n_edges, K, K); and
            `loglikelihoods`, `residuals`, `n_sweeps`, `converged` of shape (n_objects,).
        """
        packed, layout, vector = self._pack(objects)
        parameters, n = layout.unpack(vector), packed.n_objects
        result = Posteriors(
            [None] * n, [None] * n, np.empty(n), np.empty(n), np.empty(n, int), np.empty(n, bool)
        )
        prior = expect_prior(packed, parameters)
        for batch in packed.batches:
            structure, places = batch.structure, batch.places
            potentials = layout.emission.log_density(batch.nodes, parameters)
            inferred = infer(structure, potentials, parameters)
            pairs = structure.pairs(inferred, parameters["transition"])
            for place, nodes, edges in zip(
                places,
                np.split(inferred.nodes, np.cumsum(structure.sizes)[:-1]),
                np.split(pairs, np.cumsum(structure.count_pairs())[:-1]),
                strict=True,
            ):
                result.nodes[place], result.edges[place] = nodes, edges
            priors = [getattr(prior, name)[places] for name in ("log_partitions", "residuals")]
            result.loglikelihoods[places] = inferred.log_partitions - priors[0]
            result.residuals[places] = np.maximum(inferred.residuals, priors[1])
            result.n_sweeps[places] = np.maximum(inferred.n_sweeps, prior.n_sweeps[places])
        result.converged[:] = result.residuals <= TOLERANCE
        return result

    def _evaluate(self, objects):
        """Log-likelihoods and scores; warns of what has not converged."""
        result = evaluate(*self._pack(objects))
        lost = np.flatnonzero(result.residuals > TOLERANCE)
        if lost.size:
            warn(
                f"Belief propagation has not converged on {lost.size} of {len(objects)} "
                f"objects, objects[{lost[0]}] for one; their log messages still changed by up to "
                f"{result.residuals.max():.2g}. See `posteriors` for which; smaller transition "
                "potentials would converge.",
                ConvergenceWarning,
            )
        return result

    def _warn_of_stop(self, gain, rest):
        """Say where a fit has stopped that has not converged, and what to do."""
        if self.converged_:
            return
        where = (
            f"after max_iter={self.max_iter} iterations, the last of which gained {gain:.2g} per "
            f"node; tol is {self.tol:.2g}"
        )
        advice = "Raise max_iter or tol, or use fewer states"
        if gain <= self.tol or self.n_iter_ < self.max_iter:
            where = (
                f"after {self.n_iter_} iterations, where the gradient of the log-likelihood per "
                f"node still has length {rest:.2g}"
            )
            advice = "Lower tol, raise min_scale, or start elsewhere by random_state"
        warn(f"fit stopped {where}. {advice}.", ConvergenceWarning)

    def _kind(self):
        """Class of the emissions."""
        kind = EMISSIONS[self.emission]
        if self.n_symbols is not None and not kind.of_symbols:
            raise ValueError(
                f"n_symbols must be None, for {self.emission} emissions; got {self.n_symbols}."
            )
        return kind

    def _pack(self, objects):
        """Packed objects, the layout of the model, and its parameters as a vector."""
        check_is_fitted(self, "blocks_")
        check_names(self, _nodes(objects), reset=False)
        layout = self._layout.given(self.parameters_)
        emission = layout.emission
        packed = pack(check_objects(objects, type(emission), emission.width), emission)
        return packed, layout, layout.flatten(self.parameters_, *packed.frame)

    def _store(self, layout, parameters):
        """Set the parameters."""
        self._layout = layout
        for name in layout.shapes:
            setattr(self, f"{name}_", parameters[name].copy())
        self.blocks_ = dict(layout.blocks)
        self.n_features_in_ = 1 if layout.emission.of_symbols else layout.emission.width


def _warn_of_units(nodes):
    """Warn where one scale a state is too large for half of the columns (N, d), or more."""
    spreads = nodes.std(axis=0)
    small = spreads[spreads > 0] < 0.01 * spreads.max()
    if small.any() and 2 * small.sum() >= len(small):
        warn(
            "half or more of the columns of objects have less than a hundredth of the largest "
            "standard deviation: emissions, of one scale for all columns, hardly see them. Divide "
            "each column by its own."
        )


def _nodes(objects):
    """Nodes of chains and of graphs; what is neither is found elsewhere."""
    chains = objects if isinstance(objects, list | tuple) else ()
    return [one[0] if isinstance(one, tuple) and one else one for one in chains]
