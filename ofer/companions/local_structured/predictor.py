"""Semi-supervised learning of a predictor of structured outputs for each neighbourhood."""

from collections.abc import Callable, Sequence
from numbers import Integral, Real
from operator import itemgetter
from typing import ClassVar, Self

import numpy as np
from joblib import Parallel
from numpy.typing import ArrayLike
from scipy.sparse import csr_matrix
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils import check_random_state, gen_batches
from sklearn.utils.validation import check_is_fitted

from ofer.companions.local_structured.estimator import (
    OUTPUTS_CONSTRAINT,
    StructuredEstimatorMixin,
    make_space,
)
from ofer.companions.local_structured.initial import INITIALISATIONS, initial_outputs
from ofer.companions.local_structured.inputs import (
    Kernel,
    check_inputs,
    check_outputs,
    warn_of_mark,
    warn_of_units,
)
from ofer.companions.local_structured.neighborhoods import (
    Neighborhoods,
    find_neighborhoods,
    nearest_neighbors,
)
from ofer.companions.local_structured.space import OutputSpace, Scores, rows_of
from ofer.companions.local_structured.training import Trainer, step_sizes
from ofer.utils.fitting import fit_context
from ofer.utils.products import quiet
from ofer.utils.sklearn_private import Interval, StrOptions
from ofer.utils.warning import warn

_KERNEL_VALUES = 2**22  # held at a time by predict
MOST_GROWTH = 2.0  # of the objective, without a warning of a step that was given


@quiet
class LocalStructuredPredictor(StructuredEstimatorMixin, ClassifierMixin, BaseEstimator):
    r"""Semi-supervised structured prediction (SSLSOP) by a linear predictor in each neighbourhood.

    Every sample :math:`x_i` has its own predictor :math:`\arg\max_y w_i^\top \Phi(x, y)`, for its
    neighbourhood :math:`\mathcal N_i`: itself and its nearest neighbours. `fit` learns predictors
    and the outputs of unlabelled samples together. The objective (9) of [1]_ is

    .. math::

        \sum_i \Bigl\{ \frac 1k \sum_{j \in \mathcal N_i} \max_z \bigl[ w_i^\top
        (\Phi(x_j, z) - \Phi(x_j, y_j)) + \Delta(y_j, z) \bigr]
        + \frac C2 \| w_i \|^2 \Bigr\} ,

    where the maximum bounds the loss :math:`\Delta` of the local prediction. Neighbourhoods
    overlap, and an output serves all of them.

    Parameters
    ----------
    outputs : {"multiclass", "chain"} or OutputSpace, default="multiclass"
        The space of outputs. By name: classes, or sequences of labels, one for each row of an
        input, both with the 0/1 loss. Others are given as objects: `TreeOutputs`, which needs its
        tree, or ``ChainOutputs(loss="hamming")``.
    n_neighbors : int, default=10
        Size k of a neighbourhood, the sample itself included; at most the number of samples.
    C : float, default=None
        Weight of the squared norms: the larger, the simpler the predictors. (It is not the C of
        support vector machines, which weights the losses.) Its unit is that of squared rows; None
        takes a tenth of their mean squared length, for sequences of its sum, see the notes.
    y_step : {"upper_bound", "literal", None}, default="upper_bound"
        How to update the outputs: so that the objective falls, by the printed equation (16), or not
        at all. See the notes.
    y_init : {"neighbors", "random", "global"} or array-like, default="neighbors"
        Outputs of unlabelled samples to start from: the majority among the five nearest labelled
        samples, weighted by their inverse distances (for sequences: among the nearest labelled
        rows, row by row); uniform draws; the predictions of an
        averaged structured perceptron, one predictor for all inputs; or outputs of all samples.
    n_iter : int, default=25
        Number of iterations.
    eta0 : float, default=None
        First step size; iteration t has ``eta0 / (1 + eta0 * C * t)``. The paper does not state
        them. None takes one over the same mean, or over `C` if that is larger.
    kernel : str or callable, default="linear"
        Inner product of rows: a name known to `sklearn.metrics.pairwise.pairwise_kernels`, or a
        function. The search for neighbours always uses the Euclidean distance.
    kernel_params : dict, default=None
        Keyword arguments of the kernel.
    fit_intercept : bool, default=False
        Whether rows have a constant feature, that is, whether to add one to the kernel. With
        unbalanced labels it makes the averages of large neighbourhoods favour the frequent ones.
    n_jobs : int, default=None
        Number of jobs, as in `joblib.Parallel`; None leaves it to an active
        `joblib.parallel_config`, whose backend is used in any case, and is otherwise one. The
        results do not depend on it.
    random_state : int, RandomState instance or None, default=None
        For ``y_init="random"`` and ``"global"``.

    Attributes
    ----------
    transduction_ : ndarray of shape (n_samples,), or list of ndarray of shape (T_i,)
        Outputs of all training samples, given or learnt.
    initial_transduction_ : ndarray or list
        The same at the start.
    objective_history_ : ndarray of shape (n_iter + 1,)
        The objective at the start and after each iteration.
    C_, eta0_ : float
        The weight and the first step size: those given, or by rule.
    outputs_ : OutputSpace
        The fitted space.
    classes_ : ndarray
        The labels: of samples, or of the steps of sequences.
    neighbors_ : ndarray of shape (n_samples, n_neighbors)
        The neighbourhoods, each sample the first in its own.
    dual_coef_ : ndarray of shape (n_pair_rows, n_codes)
        Coefficients of the predictors, k samples (with all their rows) a predictor.
    shared_coef_ : ndarray of shape (n_samples, n_shared)
        Weights of the shared features of each predictor: for chains, of the transitions.
    n_iter_ : int
        Number of iterations.
    n_features_in_ : int
        Number of features of a row.

    Warns
    -----
    UserWarning
        If the unlabelled outputs, different at the start, have all become one label; -1 seems to
        be given as a class; half of the columns of dense inputs are of less than a hundredth of
        the largest spread; or the objective is larger at the end than at the start, if `eta0` is
        given more than twice as large.

    See Also
    --------
    sklearn.semi_supervised.LabelSpreading : Labels that spread along the neighbourhoods.

    Notes
    -----
    *Representer form.* The weights start from zero and move along members of the neighbourhood,
    so :math:`w_i = \sum_{l \in \mathcal N_i} x_l \otimes a_{il}`, and the scores on the
    neighbourhood are :math:`G_i a_i \Psi^\top` with its k x k Gram matrix. An iteration costs
    O(n k^2 n_codes) and no d, besides n k inferences; the memory is O(n k (k + n_codes)). The
    iterates equal those of the printed algorithm, up to rounding. For sequences k is the number of
    rows in a neighbourhood; sparse rows are multiplied directly where that is less work. A
    prediction costs O(k^2 n_codes), and kernel values with all samples; the search for neighbours
    comes on top, O(n^2 d) unless d is small.

    *Units.* By default predictions do not depend on the unit of the inputs. The mean squared length
    is that of all samples in all neighbourhoods, for other kernels the mean of :math:`k(x, x)`.
    Rows of unit length, as the paper's, get a weight of 0.1 and a step of 1. With these numbers the
    objective on the raw wines of scikit-learn grows from 178 to 4e6; by rule it falls to 97. If it
    is still larger at the end than at the start, `fit` warns, and keeps predictors and outputs of
    the best iteration. With a given `eta0` it keeps those of the last, and warns if the objective
    has more than doubled, because the printed steps let it rise. If columns have different units,
    the widest ones decide who is a neighbour: standardise them, unless rows have unit length.
    Predictors of sequences do depend on the unit, because transitions have none.

    *Accuracy.* A predictor sees only its neighbourhood, so it is about as good as k nearest
    neighbours. On iris, breast cancer and digits, raw and standardised, the accuracy at the
    defaults is within .02 of that of logistic regression; on standardised wine it is .94 to .99,
    and .96 for the neighbours.

    *Steps over the outputs.* Equation (16) keeps the :math:`z` of the loss fixed, although they
    depend on the outputs. So the step lowers a lower bound of the objective, and the objective
    itself may rise. ``y_step="upper_bound"`` minimises the objective itself over each output.
    Labelled outputs never change.

    *Collapse.* An output tends to agree with what the neighbouring predictors have learnt about it.
    If most steps of sequences have the same label, all outputs may drift to that label, under
    either loss and with either step. Compare with the most frequent label, and with
    ``y_step=None``.

    Sequences are neighbours by the mean of their rows. Ties of scores go to the first label.

    References
    ----------
    .. [1] Du, "Semi-supervised learning of local structured output predictors", Neurocomputing
       2016, algorithms 1 and 2.

    Examples
    --------
    Labels that take turns along a line, of which no linear predictor could know; one in eight is
    given:

    >>> import numpy as np
    >>> from ofer.companions import ChainOutputs, LocalStructuredPredictor
    >>> X = np.linspace(0, 4, 80, endpoint=False)[:, None]
    >>> truth = X[:, 0].astype(int) % 2
    >>> y = np.where(np.arange(80) % 8 == 2, truth, -1)
    >>> model = LocalStructuredPredictor(n_neighbors=5, eta0=0.1).fit(X, y)
    >>> model.predict([[0.5], [1.5], [2.5], [3.5]])
    array([0, 1, 0, 1])

    Sequences are lists of arrays, without an output where there is None:

    >>> rows = np.eye(2)
    >>> X = [rows[[0, 1]], rows[[1, 1, 0]], rows[[0, 0, 1]], rows[[1, 0]]]
    >>> y = [["noun", "verb"], ["verb", "verb", "noun"], None, None]
    >>> space = ChainOutputs(loss="hamming")
    >>> model = LocalStructuredPredictor(space, n_neighbors=2).fit(X, y)
    >>> [sequence.tolist() for sequence in model.transduction_[2:]]
    [['noun', 'noun', 'verb'], ['verb', 'noun']]
    """

    _parameter_constraints: ClassVar[dict] = {
        "outputs": OUTPUTS_CONSTRAINT,
        "n_neighbors": [Interval(Integral, 1, None, closed="left")],
        "C": [Interval(Real, 0, None, closed="left"), None],
        "y_step": [StrOptions({"upper_bound", "literal"}), None],
        "y_init": [StrOptions(INITIALISATIONS), "array-like"],
        "n_iter": [Interval(Integral, 1, None, closed="left")],
        "eta0": [Interval(Real, 0, None, closed="neither"), None],
        "kernel": [str, callable],
        "kernel_params": [dict, None],
        "fit_intercept": ["boolean"],
        "n_jobs": [Integral, None],
        "random_state": ["random_state"],
    }

    def __init__(
        self,
        outputs: str | OutputSpace = "multiclass",
        *,
        n_neighbors: int = 10,
        C: float | None = None,
        y_step: str | None = "upper_bound",
        y_init: str | ArrayLike | Sequence = "neighbors",
        n_iter: int = 25,
        eta0: float | None = None,
        kernel: str | Callable = "linear",
        kernel_params: dict | None = None,
        fit_intercept: bool = False,
        n_jobs: int | None = None,
        random_state: int | np.random.RandomState | None = None,
    ):
        self.outputs = outputs
        self.n_neighbors = n_neighbors
        self.C = C
        self.y_step = y_step
        self.y_init = y_init
        self.n_iter = n_iter
        self.eta0 = eta0
        self.kernel = kernel
        self.kernel_params = kernel_params
        self.fit_intercept = fit_intercept
        self.n_jobs = n_jobs
        self.random_state = random_state

    @fit_context(prefer_skip_nested_validation=False)
    def fit(self, X: ArrayLike | Sequence, y: ArrayLike | Sequence) -> Self:
        """Learn the predictors and the missing outputs.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features), or list of (T_i, d)
            Samples; a list of sequences of rows for chains.
        y : array-like of shape (n_samples,), or list of array-like of shape (T_i,)
            Outputs; -1 or None marks an unlabelled sample, for chains None alone.

        Returns
        -------
        self : LocalStructuredPredictor

        Raises
        ------
        TypeError, ValueError
            If a parameter is out of range, nothing is labelled, labels are outside the space,
            there are fewer samples than neighbours, or inputs and outputs do not match.
        """
        space = make_space(self.outputs)
        inputs = check_inputs(self, X, sequential=space.sequential, reset=True)
        n_samples = len(inputs.lengths)
        if self.n_neighbors > n_samples:
            raise ValueError(
                f"n_neighbors must be at most n_samples={n_samples}; got {self.n_neighbors}."
            )
        labelled, outputs = check_outputs(self, y, inputs, sequential=space.sequential)
        self.outputs_ = space.fit(outputs)
        warn_of_mark(space, y)
        start = initial_outputs(
            self.y_init, inputs, labelled, space.transform(outputs), space,
            self.fit_intercept, check_random_state(self.random_state),
        )  # fmt: skip

        parallel = Parallel(n_jobs=self.n_jobs)
        kernel = Kernel(self.kernel, self.kernel_params, self.fit_intercept)
        self._inputs, self._fitted_kernel = inputs, kernel
        points = inputs.descriptors()
        warn_of_units(points)
        self.neighbors_ = find_neighborhoods(points, self.n_neighbors, parallel)
        trainer = Trainer(inputs, self.neighbors_, labelled, space, kernel, self.C, parallel)
        self.C_ = trainer.C
        self.eta0_ = self.eta0 or 1.0 / max(trainer.size, self.C_)
        state, history = trainer.start(start), []
        least = np.inf, state
        for eta in step_sizes(self.eta0_, self.C_, self.n_iter):
            following, before = trainer.iterate(state, eta, self.y_step)
            history.append(before)
            least, state = min(least, (before, state), key=itemgetter(0)), following
        self.objective_history_ = np.array([*history, trainer.objective(state)])
        self.n_iter_ = self.n_iter
        most = self.objective_history_[0] * (1.0 if self.eta0 is None else MOST_GROWTH)
        if not self.objective_history_[-1] <= most:
            state = least[1] if self.eta0 is None else state
            self._warn_of_growth()
        self.dual_coef_, self.shared_coef_ = state.coef, state.shared
        self.initial_transduction_ = space.inverse_transform(start, inputs.lengths)
        self.transduction_ = space.inverse_transform(state.y, inputs.lengths)
        self._warn_of_collapse(start, state.y, np.repeat(labelled, inputs.lengths))
        return self

    def predict(self, X: ArrayLike | Sequence) -> np.ndarray | list[np.ndarray]:
        """Predict outputs by the average of the predictors of the nearest samples (21).

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_queries, n_features), or list of (T_i, d)
            Samples.

        Returns
        -------
        ndarray of shape (n_queries,), or list of ndarray of shape (T_i,)
            Outputs, as in `fit`.
        """
        check_is_fitted(self)
        space = self.outputs_
        queries = check_inputs(self, X, sequential=space.sequential, reset=False)
        parallel, points = Parallel(n_jobs=self.n_jobs), self._inputs.descriptors()
        k = self.neighbors_.shape[1]
        near = nearest_neighbors(points, queries.descriptors(), k, parallel)
        neighborhoods = Neighborhoods.of(self.neighbors_, self._inputs)
        most = max(self._inputs.rows.shape[0], k * neighborhoods.sizes.max())
        size = max(1, _KERNEL_VALUES // int(most * queries.lengths.max()))
        outputs = []
        for batch in gen_batches(len(near), size):
            some = queries.take(np.arange(len(near))[batch])
            outputs.append(space.decode(self._average_scores(some, near[batch], neighborhoods)))
        return space.inverse_transform(np.concatenate(outputs), queries.lengths)

    def _average_scores(self, queries, near, neighborhoods):
        """Scores of the average of the predictors `near` each query."""
        K = self._fitted_kernel(queries.rows, self._inputs.rows)
        sizes = neighborhoods.sizes
        # A query's row has the kernel values of all rows of all these predictors, times their
        # coefficients: the row of a sparse matrix, since most predictors are elsewhere.
        of_row = np.repeat(near, queries.lengths, axis=0)
        places = rows_of(sizes, of_row.ravel())
        ends = np.concatenate([[0], np.cumsum(sizes[of_row].sum(axis=1))])
        row = np.repeat(np.arange(len(of_row)), np.diff(ends))
        values = K[row, neighborhoods.rows[places]]
        weights = csr_matrix((values, places, ends), shape=(len(of_row), len(self.dual_coef_)))
        k = near.shape[1]
        return Scores(
            (weights @ self.dual_coef_) / k, self.shared_coef_[near].mean(axis=1), queries.lengths
        )

    def _warn_of_growth(self):
        first, last = self.objective_history_[[0, -1]]
        warn(
            f"the objective is larger at the end, {last:.3g}, than at the start, {first:.3g}. "
            f"Take a smaller eta0 than {self.eta0_:.3g}, or standardise X."
        )

    def _warn_of_collapse(self, start, y, known):
        before, after = np.unique(start[~known]), np.unique(y[~known])
        if len(before) > 1 and len(after) == 1:
            warn(
                "The outputs of all unlabelled samples have become "
                f"{self.classes_[after[0]]!r}, as can happen where one label is much more frequent "
                "than others. Keep the initial ones with y_step=None."
            )
