"""Twin Gaussian processes: structured outputs of least divergence between two processes."""

from numbers import Integral, Real
from typing import ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator, MultiOutputMixin, RegressorMixin
from sklearn.linear_model import Ridge
from sklearn.utils import gen_batches
from sklearn.utils.validation import check_is_fitted, validate_data

from ofer.companions._checks import check_numeric
from ofer.companions._distances import index_neighbors
from ofer.companions.sharma_mittal.costs import OBJECTIVES, TwinObjective, certainty, kl
from ofer.companions.sharma_mittal.descent import descend, evaluate
from ofer.companions.sharma_mittal.twin_kernels import TwinKernels
from ofer.utils.entries import check_numbers
from ofer.utils.fitting import fit_context
from ofer.utils.memory import check_gram_memory
from ofer.utils.products import quiet
from ofer.utils.sklearn_private import Interval, StrOptions
from ofer.utils.validation import (
    as_numbers,
    check_even,
    check_range,
    check_rows,
    check_values,
    check_weights,
)
from ofer.utils.warning import warn

ALPHA = Interval(Real, 0, 1, closed="both")
BANDWIDTH = Interval(Real, 0, None, closed="neither")
RIDGE = Interval(Real, 0, None, closed="left")
SEARCH_CONSTRAINTS = {
    "n_neighbors": [Interval(Integral, 2, None, closed="left"), None],
    "n_starts": [Interval(Integral, 1, None, closed="left")],
    "max_iter": [Interval(Integral, 1, None, closed="left")],
}
BATCH = 1024  # queries at a time, whose kernel values with the training set are in memory
MARGIN = 0.1  # of the box around the training outputs, as a fraction of its sides
WIDTHS = 4.0, 1.0  # of inputs and outputs, in root mean squares of distances
EDGES = 0.1  # of the predicted coordinates may be at the ends of the box


@quiet
class TwinGaussianProcess(MultiOutputMixin, RegressorMixin, BaseEstimator):
    r"""Twin Gaussian process regression, which minimises the Sharma-Mittal divergence.

    Inputs and outputs are taken for two zero-mean Gaussian processes over the same samples, with
    kernels :math:`k(a, b) = \exp(-\|a - b\|^2 / (2 \rho^2))` and a ridge parameter :math:`\lambda`
    on the diagonal. The prediction for an input x is the output y that, appended to the training
    set, makes the two distributions

    .. math::

        p = \mathcal N(0, K_{X \cup x}), \qquad q = \mathcal N(0, K_{Y \cup y})

    as similar as possible [1]_: similar inputs are to have similar outputs, all coordinates of an
    output at once. The measure is the Sharma-Mittal divergence :math:`D_{\alpha, \beta}(p : q)` of
    `sharma_mittal_divergence` [1]_ (SMTGP), or a Kullback-Leibler divergence [2]_ (KLTGP, IKLTGP):
    these are the ends of the family.

    Parameters
    ----------
    alpha : float, default=0.0
        Member of the family, from 0 to 1: 0 is KLTGP, which minimises :math:`KL(q \| p)`, and 1
        is IKLTGP, :math:`KL(p \| q)`; between them is SMTGP. There is no parameter for the order
        :math:`\beta`, as predictions do not depend on it ([1]_, Lemma 4.2).
    bandwidth_x, bandwidth_y : float or array-like of shape (n_columns,), default=None
        Widths :math:`\rho` of the kernels, in the units of inputs and outputs: one for all columns,
        or one for each. None takes one for each column by rule, see the notes.
    ridge_x, ridge_y : float, default=1e-2
        The ridge parameters :math:`\lambda`, not negative.
    objective : {"log", "quadratic", "cubic"} or a TwinObjective, default="log"
        Which form of the cost to minimise between the ends: its logarithm, `LogObjective`; the
        printed (16), `QuadraticObjective`, of order 0.5 unless the object has another; or (11)
        through a determinant, `CubicObjective`. They have the same minimisers.
    n_neighbors : int, default=None
        Samples that a prediction rests on: those with the nearest inputs. None, or more than there
        are, takes all.
    n_starts : int, default=1
        Searches for each prediction. The first starts from a linear regression, which KLTGP has
        improved; the others start from the outputs of the nearest training inputs. The least cost
        wins. Take 5 to 10 where one input has several outputs.
    max_iter : int, default=50
        Evaluations of the cost at most in each search, after those at its start.

    Attributes
    ----------
    X_fit_ : ndarray of shape (n_samples, n_features)
        A copy of the training inputs.
    y_fit_ : ndarray of shape (n_samples,) or (n_samples, n_targets)
        A copy of the training outputs.
    bounds_ : ndarray of shape (2, n_targets)
        Ends of the box of possible predictions: that of the training outputs and a tenth more on
        each side. Beyond, all costs flatten.
    bandwidth_x_, bandwidth_y_ : float or ndarray of shape (n_features,) and (n_targets,)
        The widths: those given, or one for each column.
    start_ : sklearn.linear_model.Ridge
        Linear regression of the outputs on columns divided by their relative widths, where the
        first search starts.
    neighbors_ : sklearn.neighbors.NearestNeighbors
        Index of the training inputs, with columns divided in the same way.
    n_iter_ : int
        1: `fit` solves once. The searches, which `max_iter` bounds, are those of `predict`.
    n_features_in_ : int
        Number of input features.

    See Also
    --------
    TwinGaussianProcessCV : Chooses bandwidths, ridge parameters and alpha by cross-validation.
    sharma_mittal_divergence : The divergence between any two Gaussian distributions.

    Notes
    -----
    Let :math:`k_x = K_X^x`, :math:`u_x = K_X^{-1} k_x` and
    :math:`\eta_x = 1 + \lambda_x - k_x^\top u_x`, the variance of x given the training inputs; the
    same for y; and :math:`C = (1 - \alpha) K_X + \alpha K_Y`,
    :math:`k_{xy} = (1 - \alpha) k_x + \alpha k_y`, :math:`v = C^{-1} k_{xy}`,
    :math:`\eta_{xy} = (1 - \alpha)(1 + \lambda_x) + \alpha (1 + \lambda_y) - k_{xy}^\top v`.
    The costs are

    .. math::

        F_0 &= 1 + \lambda_y - 2 k_y^\top u_x - \eta_x \log \eta_y & (5) \\
        F_1 &= (1 + \lambda_x - 2 u_y^\top k_x + u_y^\top K_X u_y) / \eta_y
            + \log \eta_y \\
        F_\text{log} &= \log \eta_{xy} - \alpha \log \eta_y \\
        F_\text{quadratic} &= \exp(-c F_\text{log}) / (\beta - 1), \quad
            c = (1 - \beta) / (2 (1 - \alpha)) & (16) \\
        F_\text{cubic} &= \tfrac12 \log \eta_y + \log|\alpha K_{X \cup x}^{-1}
            + (1 - \alpha) K_{Y \cup y}^{-1}| / (2 (1 - \alpha)) .

    The first two are affine functions of the divergences. The last is the logarithm of the base of
    (11), over :math:`\beta - 1`, so that it is less where the divergence is less, whatever
    :math:`\beta`; it is :math:`F_\text{log} / (2 (1 - \alpha))` and a constant.

    *Defaults.* Each column is divided by its standard deviation, and the width is four times the
    root mean square of the distances between inputs, and once that between outputs: so the units of
    columns do not matter. On 15 regression sets, twelve of them with several outputs, three splits
    of 300 samples or fewer, R2 is .02 above that of cross-validated ridge regression on average, if
    differences beyond .5 count as .5, and more than .05 below in 7 of 45. With :math:`\alpha = 0.1`
    it is .06 below; with that, one median distance for both widths and ridge parameters of 1e-3 it
    is .28 below. A prediction is the most similar output, not the average of the possible ones:
    where outputs are mostly noise, ridge regression has less squared error.

    *Search.* All queries and starts descend at once, in the box, by limited-memory BFGS with the
    analytic gradients of [1]_, (6), (12) and (17).

    *Certainty.* Lemma 4.1 bounds
    :math:`\varphi_\alpha(x, y) = \eta_x^{1 - \alpha} \eta_y^\alpha / \eta_{xy}` by
    :math:`|C| / (|K_X|^{1 - \alpha} |K_Y|^\alpha)`. Predictions maximise it.

    *Cost.* With N samples, or N neighbours, `fit` takes O(N^3) time and O(N^2) memory. An
    evaluation takes four triangular products for each query, 4 N^2 operations, and O(N d_y):
    two such products for KLTGP and six triangular and square ones for IKLTGP; the cubic objective
    takes O(N^3). With neighbours, every query with neighbours of its own takes three
    factorisations besides. A pickle has the training set alone, and the matrices are factorised
    again when it is loaded.

    References
    ----------
    .. [1] Elhoseiny, Elgammal, "Generalized Twin Gaussian processes using Sharma-Mittal
       divergence", Machine Learning 100 (2015), section 3.
    .. [2] Bo, Sminchisescu, "Twin Gaussian processes for structured prediction", International
       Journal of Computer Vision 87 (2010).

    Examples
    --------
    A curve that folds back, so that one x has up to three y: averages are wrong, one of them is
    right.

    >>> import numpy as np
    >>> from ofer.companions import TwinGaussianProcess
    >>> y = np.linspace(0, 1, 100)
    >>> x = y + 0.3 * np.sin(2 * np.pi * y)
    >>> narrow = {"bandwidth_x": 0.1, "bandwidth_y": 0.1, "ridge_x": 1e-3, "ridge_y": 1e-3}
    >>> model = TwinGaussianProcess(0.1, n_starts=5, **narrow).fit(x[:, None], y)
    >>> prediction, certainty = model.predict([[0.45]], return_certainty=True)
    >>> bool(abs(prediction + 0.3 * np.sin(2 * np.pi * prediction) - 0.45).max() < 0.02)
    True
    """

    _parameter_constraints: ClassVar[dict] = {
        "alpha": [ALPHA],
        "bandwidth_x": [BANDWIDTH, "array-like", None],
        "bandwidth_y": [BANDWIDTH, "array-like", None],
        "ridge_x": [RIDGE],
        "ridge_y": [RIDGE],
        "objective": [StrOptions(set(OBJECTIVES)), TwinObjective],
        **SEARCH_CONSTRAINTS,
    }

    def __init__(
        self,
        alpha: float = 0.0,
        *,
        bandwidth_x: float | ArrayLike | None = None,
        bandwidth_y: float | ArrayLike | None = None,
        ridge_x: float = 1e-2,
        ridge_y: float = 1e-2,
        objective: str | TwinObjective = "log",
        n_neighbors: int | None = None,
        n_starts: int = 1,
        max_iter: int = 50,
    ):
        self.alpha = alpha
        self.bandwidth_x = bandwidth_x
        self.bandwidth_y = bandwidth_y
        self.ridge_x = ridge_x
        self.ridge_y = ridge_y
        self.objective = objective
        self.n_neighbors = n_neighbors
        self.n_starts = n_starts
        self.max_iter = max_iter

    @fit_context(prefer_skip_nested_validation=True)
    def fit(self, X: ArrayLike, Y: ArrayLike) -> Self:
        """Store the training set and factorise its kernel matrices.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Training inputs.
        Y : array-like of shape (n_samples,) or (n_samples, n_targets)
            Training outputs.

        Returns
        -------
        self : TwinGaussianProcess
            The fitted estimator.

        Raises
        ------
        ValueError
            If a parameter or the data are out of their range, or a kernel matrix is singular,
            such as that of equal samples without a ridge.
        MemoryError
            If the kernel matrices would not fit in this machine's memory.
        """
        self._objective().validate()
        check_numeric(bandwidth_x=self.bandwidth_x, bandwidth_y=self.bandwidth_y)
        check_even("X", X)
        Y = check_values("Y", Y)  # names the estimator for outputs of which some are missing
        options = {"multi_output": True, "y_numeric": True, "ensure_min_samples": 2, "copy": True}
        X, Y = validate_data(self, X, Y, dtype=np.float64, **options)
        Y = np.array(Y, dtype=np.float64)
        check_range("X", X)
        check_range("Y", Y)
        local = self.n_neighbors is not None and self.n_neighbors < len(X)
        check_gram_memory(
            self.n_neighbors if local else len(X),
            n_matrices=8,
            method="a twin Gaussian process",
            advice="Set n_neighbors.",
        )
        self.X_fit_, self.y_fit_ = X, Y
        self._near = self.n_neighbors if local else None
        self._ridges = {"ridge_x": self.ridge_x, "ridge_y": self.ridge_y}
        outputs = Y.reshape(len(Y), -1)
        rules = [
            factor * width for factor, width in zip(WIDTHS, distances(X, outputs), strict=True)
        ]
        self.bandwidth_x_ = _bandwidth("bandwidth_x", self.bandwidth_x, rules[0])
        self.bandwidth_y_ = _bandwidth("bandwidth_y", self.bandwidth_y, rules[1])
        self._prepare()
        ends = np.array([outputs.min(axis=0), outputs.max(axis=0)])
        self.bounds_ = ends + MARGIN * np.diff(ends, axis=0) * [[-1.0], [1.0]]
        inputs = self._relative(X)
        penalty = 1e-3 * len(X) * inputs.var(axis=0).mean()
        self.start_ = Ridge(alpha=penalty or 1.0).fit(inputs, outputs)
        self.n_iter_ = 1
        return self

    def predict(
        self, X: ArrayLike, return_certainty: bool = False
    ) -> np.ndarray | tuple[np.ndarray, np.ndarray]:
        r"""Predict the outputs.

        Parameters
        ----------
        X : array-like of shape (n_queries, n_features)
            Inputs.
        return_certainty : bool, default=False
            Whether to return the certainty of each prediction, too.

        Returns
        -------
        Y : ndarray of shape (n_queries,) or (n_queries, n_targets)
            Outputs, inside the box `bounds_`.
        certainty : ndarray of shape (n_queries,)
            :math:`\varphi_\alpha` of each, positive; only if asked for. At :math:`\alpha = 0` and
            at 1 it would be one for all: there it is the limit of its power
            :math:`1 / (\alpha (1 - \alpha))`, which has the same order.

        Warns
        -----
        UserWarning
            If more than a tenth of all predicted coordinates, of ten or more, are at an end of
            the box.
        """
        results = self.predict_alphas(X, [self.alpha], return_certainty)
        self._warn_of_edges(results[0][0] if return_certainty else results[0])
        return (results[0][0], results[1][0]) if return_certainty else results[0]

    def predict_alphas(
        self, X: ArrayLike, alphas: ArrayLike, return_certainty: bool = False
    ) -> np.ndarray | tuple[np.ndarray, np.ndarray]:
        """Predict the outputs for several values of `alpha`.

        One factorisation of the kernel matrices and one start serve all.

        Parameters
        ----------
        X : array-like of shape (n_queries, n_features)
            Inputs.
        alphas : array-like of shape (n_alphas,)
            Members, from 0 to 1.
        return_certainty : bool, default=False
            Whether to return the certainties, too.

        Returns
        -------
        Y : ndarray of shape (n_alphas, n_queries) or (n_alphas, n_queries, n_targets)
            Outputs, as in `predict`.
        certainty : ndarray of shape (n_alphas, n_queries)
            Only if asked for.
        """
        check_is_fitted(self)
        check_numeric(X=X)
        alphas = as_numbers("alphas", alphas, ensure_2d=False)
        if alphas.ndim != 1 or not ((alphas >= 0) & (alphas <= 1)).all():
            raise ValueError(f"alphas must be numbers from 0 to 1, in one axis; got {alphas!r}.")
        X = check_rows(self, "X", X, reset=False)
        objective, starts = self._objective(), self._starts(X)
        Y = np.empty((len(alphas), len(X), self.bounds_.shape[1]))
        certainties = np.empty((len(alphas), len(X)))
        for rows, twins in self._groups(X):
            queries = twins.query(X[rows])
            # The cheapest cost first, roughly: this brings the others most of the way.
            improved = self._search(twins, kl(twins, queries), starts[:1, rows], tol=1e-6)
            first = np.concatenate([improved[None], starts[1:, rows]])
            for i, alpha in enumerate(alphas):
                Y[i, rows] = self._search(twins, objective.at(alpha, twins, queries), first)
                if return_certainty:
                    k = twins.outputs.kernel(twins.outputs.scale(Y[i, rows]))
                    certainties[i, rows] = certainty(twins, queries, k, alpha)
        Y = Y.reshape(len(alphas), len(X), *self.y_fit_.shape[1:])
        return (Y, certainties) if return_certainty else Y

    def cost(self, X: ArrayLike, Y: ArrayLike) -> tuple[np.ndarray, np.ndarray]:
        """Cost of given outputs, in the form that `objective` names, and its gradients.

        Parameters
        ----------
        X : array-like of shape (n_queries, n_features)
            Inputs.
        Y : array-like of shape (n_queries,) or (n_queries, n_targets)
            An output for each, inside the box or not.

        Returns
        -------
        values : ndarray of shape (n_queries,)
            One of the costs in the notes of the class.
        gradients : ndarray of shape of `Y`
            Derivatives of the costs with respect to the outputs.

        Raises
        ------
        ValueError
            If inputs and outputs do not match each other or the training set.
        """
        check_is_fitted(self)
        check_numeric(X=X)
        X = check_rows(self, "X", X, reset=False)
        Y = as_numbers("Y", Y, ensure_2d=False)
        expected = (len(X), *self.y_fit_.shape[1:])
        if Y.shape != expected:
            raise ValueError(
                f"Y must have shape {expected}, an output for each row of X; got {Y.shape}."
            )
        outputs = Y.reshape(len(Y), -1)
        objective = self._objective()
        values, gradients = np.empty(len(X)), np.empty_like(outputs)
        for rows, twins in self._groups(X):
            cost = objective.at(self.alpha, twins, twins.query(X[rows]))
            points = twins.outputs.scale(outputs[rows])
            values[rows], gradients[rows] = evaluate(
                twins.outputs, cost, points, np.arange(len(points))
            )
        return values, (gradients / self.bandwidth_y_).reshape(Y.shape)

    def score(self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None) -> float:
        """The coefficient of determination of the predictions, R2, averaged over outputs.

        Parameters
        ----------
        X : array-like of shape (n_queries, n_features)
            Inputs.
        y : array-like of shape (n_queries,) or (n_queries, n_targets)
            Their outputs.
        sample_weight : array-like of shape (n_queries,), default=None
            Weights of the queries.

        Returns
        -------
        float
            At most one.
        """
        y = check_values("y", y)
        return super().score(X, y, check_weights(sample_weight, y))

    def __getstate__(self):
        """Without what `__setstate__` makes again from the training set."""
        made = "_twins", "neighbors_"
        return {name: v for name, v in super().__getstate__().items() if name not in made}

    def __setstate__(self, state):
        super().__setstate__(state)
        if "X_fit_" in state:
            self._prepare()

    def _prepare(self):
        """Factorise the kernel matrices, and index the inputs."""
        self._twins = None if self._near else self._kernels(self.X_fit_, self.y_fit_)
        self.neighbors_ = index_neighbors(self._relative(self.X_fit_))

    def _relative(self, X):
        """Inputs whose columns are divided by their widths, relative to the least width."""
        return X / (self.bandwidth_x_ / np.min(self.bandwidth_x_))

    def _warn_of_edges(self, Y):
        wide = np.ptp(self.bounds_, axis=0) > 0
        outputs = Y.reshape(len(Y), -1)[:, wide]
        low, high = self.bounds_[:, wide]
        edges = ((outputs <= low) | (outputs >= high)).sum()
        if outputs.size >= 10 and edges > EDGES * outputs.size:
            warn(
                f"{edges / outputs.size:.0%} of the predicted coordinates are at an end of the box "
                "of training outputs: similarity to these says little there. Take a larger "
                "bandwidth_x or larger ridges, leave the widths to their rule, or let "
                "TwinGaussianProcessCV choose."
            )

    def _search(self, twins, cost, starts, **options):
        return descend(twins.outputs, cost, starts, self.bounds_, max_iter=self.max_iter, **options)

    def _objective(self):
        return OBJECTIVES.get(self.objective, self.objective)

    def _starts(self, X):
        """Outputs to start from (n_starts, n_queries, n_targets)."""
        inputs = self._relative(X)
        linear = self.start_.predict(inputs).reshape(1, len(X), -1)
        n_others = min(self.n_starts - 1, len(self.X_fit_))
        if n_others == 0:
            return linear
        nearest = self.neighbors_.kneighbors(inputs, n_others, return_distance=False)
        outputs = self.y_fit_.reshape(len(self.y_fit_), -1)
        return np.concatenate([linear, outputs[nearest.T]])

    def _groups(self, X):
        """Rows of the inputs that share training samples, with the kernels of those samples."""
        if self._twins is not None:
            for batch in gen_batches(len(X), BATCH):
                yield batch, self._twins
            return
        inputs = self._relative(X)
        nearest = self.neighbors_.kneighbors(inputs, self._near, return_distance=False)
        sets, owners = np.unique(np.sort(nearest, axis=1), axis=0, return_inverse=True)
        owners = owners.ravel()  # numpy 2.0.0 alone gives a column
        order = np.argsort(owners, kind="stable")
        for rows in np.split(order, np.cumsum(np.bincount(owners))[:-1]):
            members = sets[owners[rows[0]]]
            yield rows, self._kernels(self.X_fit_[members], self.y_fit_[members])

    def _kernels(self, X, Y):
        widths = {"bandwidth_x": self.bandwidth_x_, "bandwidth_y": self.bandwidth_y_}
        return TwinKernels(X, Y.reshape(len(Y), -1), **widths, **self._ridges)


def distances(X, Y):
    """For each column of inputs and of outputs, the width for which the typical distance is one."""
    # Inputs that are constant here say nothing where they are not; outputs must have a width.
    return _distance(X, constant=np.inf), _distance(Y, constant=1.0)


def _bandwidth(name, given, rule):
    """Width of all columns, or (d,) of each, given or by rule."""
    if given is None or isinstance(given, Real):
        return rule if given is None else given
    check_numbers(name, given)
    widths = np.asarray(given, dtype=np.float64)
    if widths.shape != rule.shape or not (widths > 0).all():
        raise ValueError(
            f"{name} must be positive, a number or one for each of {len(rule)} columns; "
            f"got {given!r}."
        )
    return widths


def _distance(Z, constant):
    ends = np.ptp(Z, axis=0)
    varying = ends > 1e-12 * np.abs(Z).max(axis=0)
    ends = np.where(varying, ends, 1.0)
    spreads = ends * (Z / ends).std(axis=0)  # squares of tiny numbers would underflow
    widths = np.sqrt(2.0 * varying.sum()) * spreads
    return np.where(varying, widths, constant) if varying.any() else np.ones(len(ends))
