"""Fisher kernel learning: a generative model trained to separate classes by its scores."""

import warnings
from collections.abc import Sequence
from functools import lru_cache, partial
from numbers import Integral, Real
from typing import ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike
from scipy.optimize import Bounds, line_search
from sklearn.base import BaseEstimator, TransformerMixin, clone
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.validation import check_is_fitted

from ofer.companions.fisher_kernel.emissions import EMISSIONS
from ofer.companions.fisher_kernel.expectations import expect
from ofer.companions.fisher_kernel.likelihood import bounds_of, climb, evaluate
from ofer.companions.fisher_kernel.nca import objective
from ofer.companions.fisher_kernel.objects import check_classes, check_objects, pack, twice
from ofer.companions.fisher_kernel.pairwise_mrf import PairwiseMRF
from ofer.companions.fisher_kernel.parameters import ParameterLayout
from ofer.utils.estimators import DefaultParts
from ofer.utils.sklearn_private import Interval, StrOptions, fit_context

PATIENCE = 10  # iterations that may pass without a gain
STEP = 1e-5  # of central differences, for directions whose largest entry is one


class FisherKernelLearner(DefaultParts, TransformerMixin, BaseEstimator):
    r"""Fisher kernel learning: scores under a model that is trained to keep classes apart.

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
    max_iter : int, default=100
        Iterations at most.
    tol : float, default=1e-4
        Learning stops once ten iterations have raised the best objective so far by no more than
        this per object. (Single iterations may well gain nothing: the objective has plateaus.)

    Attributes
    ----------
    model_ : PairwiseMRF
        The trained model; its `score_vectors` are the scores without weights.
    weights_ : ndarray of shape (n_parameters,)
        :math:`w`, the root of the metric's diagonal.
    objectives_ : ndarray of shape (1 + number of iterations,)
        Objective per object, between 0 and 1, at the start and after each iteration.
    converged_ : bool
        Whether `tol` was reached.
    n_iter_ : int
        Iterations.
    classes_ : ndarray of shape (n_classes,)
        Classes.
    n_features_in_ : int
        Columns of the nodes; 1 for symbols.

    Warns
    -----
    ConvergenceWarning
        If learning stops before `tol` is reached, or belief propagation has not converged on some
        graph.

    See Also
    --------
    PairwiseMRF : Its transform is the plain Fisher representation.

    Notes
    -----
    *Gradient.* With :math:`u_i = \partial O / \partial g_i`, the derivative in the parameters is
    :math:`\sum_i H_i u_i`, where :math:`H_i` is the Hessian of object i's log-likelihood. As the
    score is at hand, :math:`H_i u_i` is its central difference in the direction :math:`u_i`, an
    own one for each object: two more rounds of inference for any number of parameters. With
    marginals held, :math:`H_i` lacks what they contribute, but keeps the model's own marginals:
    were these held too, the score would not depend on the transitions at all. The paper's formula
    has the opposite sign and leaves out derivatives of one coordinate of the score in another
    parameter; here they are included.

    *Metric.* Weights start at :math:`w_t^2 = n / \sum_i g_{it}^2`, as in the paper, at most a
    million times their median. L-BFGS works on w relative to that start, the alternation on w.
    Steps in the means have the unit of the data, so in another unit the search may end at another
    maximum.

    *Plateaus.* Where scales become so small that every object's neighbour is certain, the
    objective is flat, and learning stops: raise `min_scale` of the model if it stops early.

    *Standardising.* A linear classifier after a `StandardScaler` does not see the weights;
    nearest neighbours do.

    *Cost.* An iteration takes about five times the inference of `PairwiseMRF.score_vectors`, and
    O(n^2 P) for P parameters.

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
    >>> y = np.arange(60) % 2
    >>> signs = [np.cumprod(np.where(rng.random(20) < (0.8 if c else 0.2), -1, 1)) for c in y]
    >>> walks = [s[:, None] + 0.3 * rng.normal(size=(20, 1)) for s in signs]
    >>> learner = FisherKernelLearner(PairwiseMRF(2, random_state=0), tol=0.01)
    >>> model = make_pipeline(learner, KNeighborsClassifier(1)).fit(walks[:30], y[:30])
    >>> bool(model.score(walks[30:], y[30:]) > 0.9)
    True
    >>> bool(learner.objectives_[-1] > learner.objectives_[0])
    True
    """

    _parameter_constraints: ClassVar[dict] = {
        "model": [PairwiseMRF, None],
        "optimizer": [StrOptions({"lbfgs", "alternating"})],
        "max_iter": [Interval(Integral, 1, None, closed="left")],
        "tol": [Interval(Real, 0, None, closed="left")],
    }

    _default_parts: ClassVar[dict] = {"model": partial(PairwiseMRF, 5)}

    def __init__(
        self,
        model: PairwiseMRF | None = None,
        *,
        optimizer: str = "lbfgs",
        max_iter: int = 100,
        tol: float = 1e-4,
    ):
        self.model = model
        self.optimizer = optimizer
        self.max_iter = max_iter
        self.tol = tol

    @fit_context(prefer_skip_nested_validation=False)
    def fit(self, objects: Sequence, y: ArrayLike) -> Self:
        """Train model and weights.

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
        model = clone(self._part("model"))
        checked = check_objects(objects, EMISSIONS[model.emission], model.n_symbols)
        self.classes_, codes, counts = check_classes(y, len(checked.sizes))
        if counts.max() < 2:
            raise ValueError(
                f"y must have two objects of one class; got {len(codes)} objects of as many "
                "classes."
            )
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)  # a start need not converge
            model.fit(objects)
        problem = FisherProblem(model, checked, codes)
        theta, w, history = OPTIMIZERS[self.optimizer](problem, self.max_iter, self.tol)
        model.set_parameters(**problem.parameters(theta))
        self.model_, self.weights_ = model, w
        self.objectives_ = np.array(history)
        self.n_iter_ = len(history) - 1
        self.n_features_in_ = model.n_features_in_
        self.converged_ = _stalled(history, self.tol)
        if not self.converged_:
            advice = "Raise max_iter or tol"
            if self.n_iter_ < self.max_iter:
                advice = "No step raises the objective: raise min_scale, or start elsewhere"
            warnings.warn(
                f"fit stopped after {self.n_iter_} iterations (max_iter={self.max_iter}), before "
                f"{PATIENCE} of them gained no more than tol={self.tol:.2g}. {advice}.",
                ConvergenceWarning,
                stacklevel=2,
            )
        return self

    def get_feature_names_out(self, input_features: object = None) -> np.ndarray:
        """Names of the weighted scores, those of the model, whatever the input features.

        Returns
        -------
        ndarray of str of shape (n_parameters,)
        """
        check_is_fitted(self)
        return self.model_.get_feature_names_out()

    def transform(self, objects: Sequence) -> np.ndarray:
        """Weighted scores of objects.

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
    """The objective per object, as a function of parameters and weights."""

    def __init__(self, model, objects, codes):
        self.packed, self.twice, self.codes = pack(objects), pack(twice(objects)), codes
        emission = EMISSIONS[model.emission](model.n_states, objects.width)
        self.layout = ParameterLayout(emission, model.symmetric)
        self.start = self.layout.flatten(model.parameters_, self.packed.shift)
        self.bounds = bounds_of(self.layout, model.min_scale * self.packed.spread)

    def parameters(self, theta):
        """Parameters by name, in the coordinates of the user."""
        return self.layout.unpack(theta, self.packed.shift)

    def start_weights(self):
        """The paper's: each coordinate of the score of mean square one, but for rounding errors."""
        squares = np.mean(self.scores(self.start) ** 2, axis=0)
        metric = 1 / np.maximum(squares, np.finfo(float).eps ** 2 * squares.max() or 1.0)
        return np.sqrt(np.minimum(metric, 1e6 * np.median(metric)))

    def scores(self, theta, held=None):
        """Scores of shared parameters (P,), or each object's own (n, P)."""
        return evaluate(self.packed, self.layout, theta, held).scores

    def hold(self, theta):
        """Expectations of the hidden states given what is seen, of each batch."""
        parameters = self.layout.unpack(theta)
        return [expect(batch, self.layout.emission, parameters) for batch in self.packed.batches]

    def __call__(self, theta, w, held=None):
        """Value and gradients in theta and w."""
        n = self.packed.n_objects
        value, gradient_w, pulls = objective(self.scores(theta, held), w, self.codes)
        sizes = np.abs(pulls).max(axis=1, keepdims=True)
        moves = STEP * pulls / np.where(sizes > 0, sizes, 1.0)
        if held is None:  # both sides at once, as a step of the recursions costs the same for few
            sides = evaluate(self.twice, self.layout, np.vstack([theta + moves, theta - moves]))
            difference = sides.scores[:n] - sides.scores[n:]
        else:
            difference = self.scores(theta + moves, held) - self.scores(theta - moves, held)
        gradient_theta = (sizes * difference).sum(axis=0) / (2 * STEP)
        return value / n, gradient_theta / n, gradient_w / n


def _lbfgs(problem, max_iter, tol):
    """L-BFGS with the full gradient; returns parameters, weights and the objectives."""
    scale, size = problem.start_weights(), problem.layout.size

    def weighted(x):
        value, gradient, gradient_w = problem(x[:size], scale * x[size:])
        return value, np.concatenate([gradient, scale * gradient_w])

    start, free = np.concatenate([problem.start, np.ones(size)]), np.full(size, np.inf)
    bounds = Bounds(np.append(problem.bounds.lb, -free), np.append(problem.bounds.ub, free))
    done = partial(_stalled, tol=tol)
    x, history = climb(weighted, start, bounds, max_iter, done=done)
    return x[:size], scale * x[size:], history


def _alternate(problem, max_iter, tol):
    """The paper's alternation; returns the best parameters and weights, and the objectives."""
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
        x[:size] = np.clip(x[:size], problem.bounds.lb, problem.bounds.ub)
    return best[:size], best[size:], history


OPTIMIZERS = {"lbfgs": _lbfgs, "alternating": _alternate}
