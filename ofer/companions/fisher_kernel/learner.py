"""Fisher kernel learning: a generative model trained to separate classes by its scores."""

import warnings
from collections.abc import Callable, Sequence
from copy import deepcopy
from functools import lru_cache, partial
from numbers import Integral, Real
from typing import ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike
from scipy.optimize import Bounds, line_search
from sklearn.base import BaseEstimator, TransformerMixin, clone
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.validation import check_is_fitted

from ofer.companions._distances import FAR, middle
from ofer.companions.fisher_kernel import nca
from ofer.companions.fisher_kernel.emissions import EMISSIONS
from ofer.companions.fisher_kernel.expectations import tangent
from ofer.companions.fisher_kernel.likelihood import (
    Evaluation,
    bounds_of,
    climb,
    evaluate,
    expect_all,
    projected,
)
from ofer.companions.fisher_kernel.objects import check_classes, check_objects, pack
from ofer.companions.fisher_kernel.pairwise_mrf import PairwiseMRF
from ofer.companions.fisher_kernel.parameters import ParameterLayout
from ofer.utils.estimators import DefaultParts, part_of
from ofer.utils.fitting import fit_context
from ofer.utils.products import quiet
from ofer.utils.sklearn_private import Interval, StrOptions
from ofer.utils.warning import warn

PATIENCE = 40  # iterations that may pass without a gain
LARGEST_FACTOR = 4.0  # natural logarithm of what a weight is multiplied by, at most
LARGEST_MOVE = 10.0  # of a parameter, in units that gradients are alike in; three are common
SMALLEST_SHARE = 1e-8  # of the largest mean square; scores below it are scaled up no further
LEAST_GRADIENT = 1e-7  # length of a gradient that counts as none
ROUNDOFF = 1e-6  # by which a start may lie below its bound
FLAT = 0.01  # the same once the objective has stalled, as a share of it or of one
MEMORY = 20  # steps that L-BFGS remembers


@quiet
class FisherKernelLearner(DefaultParts, TransformerMixin, BaseEstimator):
    r"""Fisher kernel learning: trains a generative model so that its scores separate classes.

    The score of an object is the gradient of its log-likelihood in the parameters
    :math:`\Theta` of a `PairwiseMRF`. [1]_ chooses the parameters, and the weight of each of
    them, to maximise the expected number of objects whose stochastic nearest neighbour, by the
    weighted distance of scores, has their class: equations (3) and (4), `nca_objective`.
    `transform` returns the weighted scores.

    Parameters
    ----------
    model : PairwiseMRF, default=None
        The model that is cloned, and whose `fit` is the start: by maximum likelihood; or, as in
        the paper, random emissions, of ``PairwiseMRF(n_states, init="random", max_iter=0)``.
        None takes ``PairwiseMRF(5)``.
    optimizer : {"lbfgs", "alternating"}, default="lbfgs"
        L-BFGS with the full gradient; or the paper's alternation: the marginals of the hidden
        states are computed, then held for one step of steepest ascent, whose length satisfies
        the Wolfe conditions. The alternation may lower the objective; the best iterate is kept.
    objective : {"expected", "log"}, default="expected"
        What is maximised: the expected number of objects, equation (4); or the sum of
        :math:`\log p_{ij}` over pairs of a class, which the paper found to work less well.
    prefit : bool, default=False
        Whether the model is fitted already: its parameters, copied, are the start.
    max_iter : int, default=400
        Iterations at most. Four thousand graphs with ten states took 726.
    tol : float, default=1e-5
        Learning stops once forty iterations have raised the best objective so far by no more than
        this per object. (Single iterations may well gain nothing: the objective has plateaus.)

    Attributes
    ----------
    model_ : PairwiseMRF
        The trained model; its `score_vectors` are the scores without weights.
    weights_ : ndarray of shape (n_parameters,)
        :math:`w`, the root of the metric's diagonal.
    objectives_ : ndarray of shape (1 + number of iterations,)
        Objective per object, between 0 and 1, at the start and after each iteration; the
        logarithmic one per pair of objects of a class.
    gradient_norm_ : float
        Length of the full gradient of the objective per object at the parameters and weights that
        are kept, in the parameters and in the logarithms of the weights; means and scales are in
        the power of ten next to the spread of all nodes. It is small on a plateau and at a maximum.
    converged_ : bool
        Whether `tol` was reached where the gradient, as far as bounds leave it, is less than a
        hundredth of the objective, or of one if that is larger; or the gradient has vanished.
    n_iter_ : int
        Iterations.
    classes_ : ndarray of shape (n_classes,)
        Classes.
    n_features_in_ : int
        Columns of the nodes; 1 for symbols.

    Warns
    -----
    ConvergenceWarning
        If learning stops before `tol` is reached, or where the objective still rises along its
        gradient, or belief propagation has not converged on some graph.

    See Also
    --------
    PairwiseMRF : Its transform is the plain Fisher representation.

    Notes
    -----
    *Gradient.* With :math:`u_i = \partial O / \partial g_i`, the derivative in the parameters is
    :math:`\sum_i H_i u_i`, where :math:`H_i` is the Hessian of object i's log-likelihood. No
    Hessian is computed: :math:`H_i u_i` is the derivative of the score in the direction
    :math:`u_i`, a different one for each object, and follows from one more round of inference, of
    derivatives, for any number of parameters. What depends on the model alone is linear in the
    direction, and computed once for all chains of one length. With marginals held, :math:`H_i`
    lacks what they contribute, but keeps the model's own marginals: were these held too, the score
    would not depend on the transitions at all. The paper's formula has the opposite sign and leaves
    out derivatives of one coordinate of the score in another parameter; here they are included.

    *Metric.* Weights start at :math:`w_t^2 = n / \sum_i g_{it}^2`, as in the paper, but at most
    at ten thousand times the smallest: a score that nearly vanishes at the start, such as that of
    a symbol that a state never emits, would decide alone as soon as it grows. The alternation
    works on w itself.

    *Scales.* L-BFGS works on v and z, of :math:`w = w_0 e^v` and :math:`\Theta = \Theta_0 + c z`.
    The number c makes the root mean squares of the two gradients equal at the start; otherwise
    most iterations would move one part alone. Weights stay within a factor of :math:`e^4` of their
    start: without that bound a line search may overflow. Nodes are divided by the power of ten next
    to their spread, so that learning in another decimal unit is the same; in other units, such as
    inches, the search may end at another maximum.

    *Plateaus.* Where scales become so small that every object's neighbour is certain, the
    objective is flat, and learning stops: raise `min_scale` of the model if it stops early. Other
    starts end on other plateaus.

    *Messages that do not settle.* Beliefs of such a graph, see `PairwiseMRF`, have no derivative,
    and are held. They depend on where messages start from, so that learning may end early.

    *Standardising.* A linear classifier after a `StandardScaler` does not see the weights;
    nearest neighbours do.

    *Cost.* An evaluation takes about three times the inference of `PairwiseMRF.score_vectors`, and
    O(n^2 P) for P parameters; an iteration has one or two.

    References
    ----------
    .. [1] van der Maaten, "Learning discriminative Fisher kernels", ICML 2011.

    Examples
    --------
    Random walks that turn back now and then, or at every other step: the class is in the order.

    >>> import numpy as np
    >>> from sklearn.neighbors import KNeighborsClassifier
    >>> from sklearn.pipeline import make_pipeline
    >>> from ofer.companions import FisherKernelLearner, PairwiseMRF
    >>> rng = np.random.default_rng(0)
    >>> y = np.arange(120) % 2
    >>> signs = [np.cumprod(np.where(rng.random(20) < (0.8 if c else 0.2), -1, 1)) for c in y]
    >>> walks = [s[:, None] + 0.3 * rng.normal(size=(20, 1)) for s in signs]
    >>> learner = FisherKernelLearner(PairwiseMRF(2, random_state=0))
    >>> model = make_pipeline(learner, KNeighborsClassifier(1)).fit(walks[:60], y[:60])
    >>> bool(model.score(walks[60:], y[60:]) > 0.95)
    True
    >>> bool(learner.objectives_[-1] > learner.objectives_[0])
    True
    """

    _parameter_constraints: ClassVar[dict] = {
        "model": [PairwiseMRF, None],
        "optimizer": [StrOptions({"lbfgs", "alternating"})],
        "objective": [StrOptions({"expected", "log"})],
        "prefit": ["boolean"],
        "max_iter": [Interval(Integral, 1, None, closed="left")],
        "tol": [Interval(Real, 0, None, closed="left")],
    }

    _default_parts: ClassVar[dict] = {"model": partial(PairwiseMRF, 5)}

    def __init__(
        self,
        model: PairwiseMRF | None = None,
        *,
        optimizer: str = "lbfgs",
        objective: str = "expected",
        prefit: bool = False,
        max_iter: int = 400,
        tol: float = 1e-5,
    ):
        self.model = model
        self.optimizer = optimizer
        self.objective = objective
        self.prefit = prefit
        self.max_iter = max_iter
        self.tol = tol

    @fit_context(prefer_skip_nested_validation=False)
    def fit(self, objects: Sequence, y: ArrayLike) -> Self:
        """Train the generative model and the weights of its scores.

        Parameters
        ----------
        objects : list
            Chains, or graphs, see `PairwiseMRF`.
        y : array-like of shape (n_objects,)
            Classes, at least two, one of which has two objects.

        Returns
        -------
        self : FisherKernelLearner

        Raises
        ------
        TypeError, ValueError
            If a parameter is out of range, an object is not one, or there is but one class.
        """
        model = part_of(self, "model")
        if self.prefit:
            check_is_fitted(model, "blocks_")
        model = deepcopy(model) if self.prefit else clone(model)
        checked = check_objects(objects, EMISSIONS[model.emission], model.n_symbols)
        classes, codes, counts = check_classes(y, len(checked.sizes))
        if counts.max() < 2:
            raise ValueError(
                f"y must have two objects of one class; got {len(codes)} objects of as many "
                "classes."
            )
        if not self.prefit:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", ConvergenceWarning)  # a start need not converge
                model.fit(objects)
        problem = FisherProblem(model, checked, codes, self.objective)
        theta, w, history, box = OPTIMIZERS[self.optimizer](problem, self.max_iter, self.tol)
        place, slope = problem.slope(theta, w)
        rest = float(np.linalg.norm(projected(place, slope, *box)))
        stalled, least = _stalled(history, self.tol), FLAT * max(1.0, abs(max(history)))
        model.set_parameters(**problem.parameters(theta))
        self.model_, self.weights_, self.classes_ = model, problem.weights(w), classes
        self.objectives_, self.n_iter_ = np.array(history), len(history) - 1
        self.gradient_norm_ = float(np.linalg.norm(slope))
        self.n_features_in_ = model.n_features_in_
        self.converged_ = bool(rest <= (least if stalled else LEAST_GRADIENT))
        if not self.converged_:
            self._warn_of_stop(stalled, rest)
        return self

    def _warn_of_stop(self, stalled, rest):
        """Say where learning has stopped, and what to do."""
        where = f"before {PATIENCE} of them gained no more than tol={self.tol:.2g}"
        advice = "Raise max_iter or tol"
        if stalled:
            where = f"where the objective still has a gradient of length {rest:.2g}"
            advice = "Lower tol, start elsewhere, or take optimizer='lbfgs'"
        elif self.n_iter_ < self.max_iter:
            advice = "No step raises the objective: raise min_scale, or start elsewhere"
        warn(
            f"fit stopped after {self.n_iter_} iterations (max_iter={self.max_iter}), {where}. "
            f"{advice}.",
            ConvergenceWarning,
        )

    def get_feature_names_out(self, input_features: object = None) -> np.ndarray:
        """Names of the weighted scores, which are those of the model.

        Returns
        -------
        ndarray of str of shape (n_parameters,)
        """
        check_is_fitted(self)
        return self.model_.get_feature_names_out()

    def transform(self, objects: Sequence) -> np.ndarray:
        """Weighted Fisher scores of objects.

        Parameters
        ----------
        objects : list
            Chains, or graphs.

        Returns
        -------
        ndarray of shape (n_objects, n_parameters)
            Euclidean distances of its rows are those of the objective.
        """
        check_is_fitted(self)
        return self.model_.score_vectors(objects) * self.weights_


def _stalled(history, tol):
    """Whether the last iterations have not raised the best objective."""
    return len(history) > PATIENCE and max(history) - max(history[:-PATIENCE]) <= tol


class FisherProblem:
    """The objective per object, or pair, as a function of parameters and weights."""

    def __init__(self, model, objects, codes, objective="expected"):
        emission = EMISSIONS[model.emission](model.n_states, objects.width)
        self.packed, self.codes = pack(objects, emission), codes
        counts = np.bincount(codes)
        self.objective: Callable = partial(nca.objective, fast=True)
        self.n_terms = len(codes)
        if objective == "log":
            self.objective, self.n_terms = nca.log_objective, int(counts @ (counts - 1))
        self.layout = ParameterLayout(emission, model.symmetric)
        self.start = self.layout.flatten(model.parameters_, *self.packed.frame)
        self.bounds = bounds_of(self.layout, model.min_scale * self.packed.spread)
        below = self.start < self.bounds.lb - ROUNDOFF  # a fitted model may have its own scales
        self.bounds.lb = np.where(below, self.start, self.bounds.lb)
        self.last: Evaluation | None = None  # which the next is near
        self.start_scores = evaluate(self.packed, self.layout, self.start).scores
        # Trials of a search may throw objects far off; differences are for those that start there.
        far = middle(self.start_scores, self.start_weights())[1].size > 0
        self.objective = partial(self.objective, limit=FAR if far else np.inf)

    def parameters(self, theta):
        """Parameters by name, in the coordinates of the user."""
        return self.layout.unpack(theta, *self.packed.frame)

    def weights(self, w):
        """Weights of scores in the parameters of the user; scores in the means have a unit."""
        factors = np.ones(len(w))
        if "means" in self.layout.blocks:
            factors[self.layout.blocks["means"]] = self.packed.frame[1]
        return factors * w

    def clip(self, theta):
        """The nearest parameters within their bounds."""
        return np.clip(theta, self.bounds.lb, self.bounds.ub)

    def start_weights(self):
        """The paper's: each coordinate of the score of mean square one, except for tiny ones."""
        squares = np.mean(self.start_scores**2, axis=0)
        return 1 / np.sqrt(np.maximum(squares, SMALLEST_SHARE * squares.max() or 1.0))

    def slope(self, theta, w):
        """The parameters and logarithms of weights as a vector, and the full gradient in them."""
        _, gradient, gradient_w = self(theta, w)
        logs = np.log(np.maximum(np.abs(w), np.finfo(float).tiny))
        return np.append(theta, logs), np.append(gradient, w * gradient_w)

    def hold(self, theta):
        """Expectations of the hidden states given what is seen, of each batch."""
        return expect_all(self.packed, self.layout, theta, self.last)

    def __call__(self, theta, w, held=None):
        """Value and gradients in theta and w.

        What is `held`, as `hold` returns it, does not follow the parameters.
        """
        self.last = evaluate(self.packed, self.layout, theta, held=held, last=self.last)
        value, gradient_w, pulls = self.objective(self.last.scores, w, self.codes)
        parameters = self.layout.unpack(theta)
        moves = self.layout.unpack(pulls)
        emission = self.layout.emission
        gradient = {name: np.zeros_like(array) for name, array in parameters.items()}

        def add(parts, sign=1):
            for name, term in parts.items():
                gradient[name] += sign * term

        for batch, expectation in zip(self.packed.batches, self.last.seen, strict=True):
            own_moves = {name: array[batch.places] for name, array in moves.items()}
            add(emission.curvature(expectation.emission, parameters, own_moves))
            if held is None:
                node_moves = emission.move(batch.design, parameters, own_moves)
                rises, parts = tangent(
                    batch.structure, expectation.marginals, parameters, own_moves, node_moves
                )
                add(parts)
                pooled = [
                    part.sum(axis=0) for part in emission.statistics(batch, rises, parameters)
                ]
                add(emission.score(pooled, parameters))
        for group, inferred in zip(self.packed.unseen, self.last.unseen, strict=True):
            own_moves = {name: group.sum_moves(moves[name]) for name in ("initial", "transition")}
            node_moves = np.zeros_like(inferred.nodes)
            _, parts = tangent(group.structure, inferred, parameters, own_moves, node_moves)
            add(parts, -1)
        n = self.n_terms
        return value / n, self.layout.flatten_gradient(gradient) / n, gradient_w / n


def _lbfgs(problem, max_iter, tol):
    """L-BFGS with the full gradient.

    Returns parameters, weights, the objectives, and the ends of the box of parameters and
    logarithms of weights.
    """
    start, weights = problem.start, problem.start_weights()
    _, gradient, gradient_w = problem(start, weights)
    lengths = np.linalg.norm(weights * gradient_w), np.linalg.norm(gradient)
    unit = lengths[0] / lengths[1] if min(lengths) > 0 else 1.0

    def place(x):
        z, v = np.split(x, 2)
        # A bound in z may round to one beyond that of the parameter.
        return problem.clip(start + unit * z), weights * np.exp(v)

    def scaled(x):
        theta, w = place(x)
        value, gradient, gradient_w = problem(theta, w)
        return value, np.concatenate([unit * gradient, w * gradient_w])

    box, factors = np.full(len(start), LARGEST_MOVE), np.full(len(start), LARGEST_FACTOR)
    lower = np.maximum(-box, (problem.bounds.lb - start) / unit)
    upper = np.minimum(box, (problem.bounds.ub - start) / unit)
    bounds = Bounds(np.append(lower, -factors), np.append(upper, factors))
    done, origin = partial(_stalled, tol=tol), np.zeros(2 * len(start))
    x, history = climb(scaled, origin, bounds, max_iter, done=done, memory=MEMORY)
    logs = np.log(weights)
    lower, upper = problem.clip(start + unit * lower), problem.clip(start + unit * upper)
    return *place(x), history, (np.append(lower, logs - factors), np.append(upper, logs + factors))


def _alternate(problem, max_iter, tol):
    """The paper's alternation; returns what `_lbfgs` does, of the best iterate."""
    size = problem.layout.size
    x = np.concatenate([problem.start, problem.start_weights()])
    history, best = [], None
    for iteration in range(max_iter + 1):
        held = problem.hold(x[:size])

        @lru_cache(maxsize=1)  # value and gradient are asked for one after the other
        def minus(place, held=held):
            x = np.frombuffer(place)
            value, *gradients = problem(x[:size], x[size:], held)
            return -value, -np.concatenate(gradients)

        value, gradient = minus(x.tobytes())
        history.append(-value)
        if history[-1] == max(history):
            best = x
        if iteration == max_iter or _stalled(history, tol):
            break
        length = np.linalg.norm(gradient)
        # A previous value that makes the first trial a step of length one.
        with warnings.catch_warnings():
            # A search that finds no step says so by None.
            warnings.filterwarnings("ignore", "The line search algorithm", RuntimeWarning)
            step, *_ = line_search(
                lambda x, minus=minus: minus(x.tobytes())[0],
                lambda x, minus=minus: minus(x.tobytes())[1],
                x,
                -gradient,
                gfk=gradient,
                old_fval=value,
                old_old_fval=value + length / 2,
            )
        if step is None:  # no step satisfies the conditions
            break
        x = x - step * gradient
        x[:size] = problem.clip(x[:size])
    free = np.full(len(x) - size, np.inf)
    box = np.append(problem.bounds.lb, -free), np.append(problem.bounds.ub, free)
    return best[:size], best[size:], history, box


OPTIMIZERS = {"lbfgs": _lbfgs, "alternating": _alternate}
