"""Twin Gaussian processes: structured outputs of least divergence between two processes."""

import numpy as np
from sklearn.base import BaseEstimator, MultiOutputMixin, RegressorMixin
from sklearn.linear_model import Ridge
from sklearn.neighbors import NearestNeighbors
from sklearn.utils import check_array, gen_batches
from sklearn.utils.validation import check_is_fitted, validate_data

from ofer._validation import check_gram_memory, check_option, check_real
from ofer.companions import _twin_costs as costs
from ofer.companions._twin_kernels import Hyperparameters, TwinKernels
from ofer.companions._twin_search import evaluate, search

__all__ = ["TwinGaussianProcess"]

DIVERGENCES = "kl", "inverse_kl", "inverse_kl_swapped", "sharma_mittal"
OBJECTIVES = "log", "quadratic", "cubic"
BATCH = 1024  # queries at a time, whose kernel values with the training set are in memory
MARGIN = 0.1  # of the box around the training outputs, as a fraction of its sides


class TwinGaussianProcess(MultiOutputMixin, RegressorMixin, BaseEstimator):
    r"""Structured regression by the least divergence between two Gaussian processes.

    Inputs and outputs are taken for two zero-mean Gaussian processes over the same samples, with
    kernels :math:`k(a, b) = \exp(-\|a - b\|^2 / (2 \rho^2))` and a ridge :math:`\lambda` on the
    diagonal. The prediction for an input x is the output y that, appended to the training set,
    makes the two distributions

    .. math::

        p = \mathcal N(0, K_{X \cup x}), \qquad q = \mathcal N(0, K_{Y \cup y})

    as similar as possible [1]_: similar inputs are to have similar outputs, all coordinates of an
    output at once. The measure is a Kullback-Leibler divergence [2]_ or the Sharma-Mittal
    divergence :math:`D_{\alpha, \beta}(p : q)` of `sharma_mittal_divergence` [1]_.

    Parameters
    ----------
    divergence : {"sharma_mittal", "kl", "inverse_kl", "inverse_kl_swapped"}
        What to minimise: :math:`KL(q \| p)` (KLTGP), :math:`KL(p \| q)` (IKLTGP), the KLTGP cost
        with inputs and outputs exchanged, which differs from the latter and is no divergence, or
        :math:`D_{\alpha, \beta}(p : q)` (SMTGP).
    alpha : float, default=0.1
        From 0 to 1, where the Sharma-Mittal divergence gives way to its limits: 0 is "kl" and 1 is
        "inverse_kl". The other divergences do not use it.
    beta : float, default=0.5
        Order of the Sharma-Mittal divergence. Predictions do not depend on it ([1]_, Lemma 4.2);
        it scales the costs of the objective "quadratic".
    bandwidth_x, bandwidth_y : float, default=1.0
        Widths :math:`\rho` of the kernels, in the units of inputs and outputs.
    ridge_x, ridge_y : float, default=1e-3
        The ridges :math:`\lambda`, not negative.
    objective : {"log", "quadratic", "cubic"}, default="log"
        Which form of the Sharma-Mittal cost to minimise: its logarithm, (16), or (11) through a
        determinant. They have the same minimisers.
    n_neighbors : int, default=None
        Samples that a prediction rests on: those with the nearest inputs. None, or more than there
        are, takes all.
    n_starts : int, default=1
        Searches for each prediction. The first starts from a linear regression, which "kl" has
        improved; the others start from the outputs of the nearest training inputs. The least cost
        wins. Take 5 to 10 where one input has several outputs.
    max_iter : int, default=50
        Evaluations of the cost at most in each search, after those at its start.

    Attributes
    ----------
    X_fit_ : ndarray of shape (n_samples, n_features)
        Training inputs.
    y_fit_ : ndarray of shape (n_samples,) or (n_samples, n_targets)
        Training outputs.
    bounds_ : ndarray of shape (2, n_targets)
        Ends of the box of possible predictions: that of the training outputs and a tenth more on
        each side. Beyond, all costs flatten.
    start_ : sklearn.linear_model.Ridge
        Linear regression of the outputs, where the first search starts.
    neighbors_ : sklearn.neighbors.NearestNeighbors
        Index of the training inputs.
    n_features_in_ : int
        Number of input features.

    See Also
    --------
    TwinGaussianProcessCV : Bandwidths, ridges and alpha chosen by cross-validation.
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

        F_\text{kl} &= 1 + \lambda_y - 2 k_y^\top u_x - \eta_x \log \eta_y & (5) \\
        F_\text{inverse kl} &= (1 + \lambda_x - 2 u_y^\top k_x + u_y^\top K_X u_y) / \eta_y
            + \log \eta_y \\
        F_\text{swapped} &= 1 + \lambda_x - 2 k_x^\top u_y - \eta_y \log \eta_x \\
        F_\text{log} &= \log \eta_{xy} - \alpha \log \eta_y \\
        F_\text{quadratic} &= \exp(-c F_\text{log}) / (\beta - 1), \quad
            c = (1 - \beta) / (2 (1 - \alpha)) & (16) \\
        F_\text{cubic} &= \tfrac12 \log \eta_y + \log|\alpha K_{X \cup x}^{-1}
            + (1 - \alpha) K_{Y \cup y}^{-1}| / (2 (1 - \alpha)) .

    The first two are affine functions of the divergences. The last is the logarithm of the base of
    (11), over :math:`\beta - 1`, so that it is less where the divergence is less, whatever
    :math:`\beta`; it is :math:`F_\text{log} / (2 (1 - \alpha))` and a constant.

    *Search.* All queries and starts descend at once, in the box, by limited-memory BFGS with the
    analytic gradients of [1]_, (6), (12) and (17).

    *Certainty.* Lemma 4.1 bounds
    :math:`\varphi_\alpha(x, y) = \eta_x^{1 - \alpha} \eta_y^\alpha / \eta_{xy}` by
    :math:`|C| / (|K_X|^{1 - \alpha} |K_Y|^\alpha)`. Predictions maximise it.

    *Cost.* With N samples, or N neighbours, `fit` takes O(N^3) time and O(N^2) memory. An
    evaluation takes four triangular products for each query, 4 N^2 operations, and O(N d_y):
    two such products for "kl" and six triangular and square ones for "inverse_kl"; the cubic
    objective takes O(N^3). With neighbours, every query with neighbours of its own takes three
    factorisations besides.

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
    >>> model = TwinGaussianProcess(bandwidth_x=0.1, bandwidth_y=0.1, n_starts=5).fit(x[:, None], y)
    >>> prediction, certainty = model.predict([[0.45]], return_certainty=True)
    >>> bool(abs(prediction + 0.3 * np.sin(2 * np.pi * prediction) - 0.45).max() < 0.02)
    True
    """

    def __init__(
        self,
        divergence="sharma_mittal",
        *,
        alpha=0.1,
        beta=0.5,
        bandwidth_x=1.0,
        bandwidth_y=1.0,
        ridge_x=1e-3,
        ridge_y=1e-3,
        objective="log",
        n_neighbors=None,
        n_starts=1,
        max_iter=50,
    ):
        self.divergence = divergence
        self.alpha = alpha
        self.beta = beta
        self.bandwidth_x = bandwidth_x
        self.bandwidth_y = bandwidth_y
        self.ridge_x = ridge_x
        self.ridge_y = ridge_y
        self.objective = objective
        self.n_neighbors = n_neighbors
        self.n_starts = n_starts
        self.max_iter = max_iter

    def fit(self, X, Y):
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
        TypeError
            If a parameter is of the wrong type.
        MemoryError
            If the kernel matrices would not fit in this machine's memory.
        """
        self._check_parameters()
        X, Y = validate_data(
            self, X, Y, multi_output=True, y_numeric=True, dtype=np.float64, ensure_min_samples=2
        )
        Y = np.asarray(Y, dtype=np.float64)
        local = self.n_neighbors is not None and self.n_neighbors < len(X)
        check_gram_memory(
            self.n_neighbors if local else len(X),
            n_matrices=8,
            method="a twin Gaussian process",
            advice="Set n_neighbors.",
        )
        self._twins = None if local else self._kernels(X, Y)
        self.X_fit_, self.y_fit_ = X, Y
        outputs = Y.reshape(len(Y), -1)
        ends = np.array([outputs.min(axis=0), outputs.max(axis=0)])
        self.bounds_ = ends + MARGIN * np.diff(ends, axis=0) * [[-1.0], [1.0]]
        penalty = 1e-3 * len(X) * X.var(axis=0).mean()
        self.start_ = Ridge(alpha=penalty or 1.0).fit(X, outputs)
        self.neighbors_ = NearestNeighbors().fit(X)
        return self

    def predict(self, X, return_certainty=False):
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
            :math:`\varphi_\alpha` of each, positive; only if asked for. At :math:`\alpha = 0` (and
            for "kl") and at 1 (and for "inverse_kl") it would be one for all: there it is the
            limit of its power :math:`1 / (\alpha (1 - \alpha))`, which has the same order.
        """
        check_is_fitted(self)
        X = validate_data(self, X, reset=False, dtype=np.float64)
        (Y,), (certainty,) = self._predict_alphas(
            X, [self.alpha], return_certainty=return_certainty
        )
        Y = Y.reshape(len(Y), *self.y_fit_.shape[1:])
        return (Y, certainty) if return_certainty else Y

    def cost(self, X, Y):
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
        X = validate_data(self, X, reset=False, dtype=np.float64)
        Y = check_array(Y, dtype=np.float64, ensure_2d=False, input_name="Y")
        expected = (len(X), *self.y_fit_.shape[1:])
        if Y.shape != expected:
            raise ValueError(
                f"Y must have shape {expected}, an output for each row of X; got {Y.shape}."
            )
        outputs = Y.reshape(len(Y), -1)
        values, gradients = np.empty(len(X)), np.empty_like(outputs)
        for rows, twins in self._groups(X):
            cost = self._cost(twins, twins.query(X[rows]), self.alpha)
            points = twins.outputs.scale(outputs[rows])
            values[rows], gradients[rows] = evaluate(
                twins.outputs, cost, points, np.arange(len(points))
            )
        return values, gradients.reshape(Y.shape) / self.bandwidth_y

    def _predict_alphas(self, X, alphas, *, return_certainty=False):
        """Outputs and certainties for each alpha; one factorisation and one start serve all."""
        Y = np.empty((len(alphas), len(X), self.bounds_.shape[1]))
        certainties = np.empty((len(alphas), len(X)))
        starts = self._starts(X)
        for rows, twins in self._groups(X):
            queries = twins.query(X[rows])
            kl = costs.kl(twins, queries)
            # The cheapest cost first, roughly: this brings the others most of the way.
            improved = self._search(twins, kl, starts[:1, rows], tol=1e-6)
            first = np.concatenate([improved[None], starts[1:, rows]])
            for i, alpha in enumerate(alphas):
                Y[i, rows] = self._search(twins, self._cost(twins, queries, alpha), first)
                if return_certainty:
                    k = twins.outputs.kernel(twins.outputs.scale(Y[i, rows]))
                    end = self._end(alpha)
                    at = alpha if end is None else end
                    certainties[i, rows] = costs.certainty(twins, queries, k, at)
        return Y, certainties

    def _search(self, twins, cost, starts, **options):
        return search(twins.outputs, cost, starts, self.bounds_, max_iter=self.max_iter, **options)

    def _end(self, alpha):
        """The end 0 or 1 of the Sharma-Mittal family that the divergence is, or None."""
        if self.divergence != "sharma_mittal":
            return 0 if self.divergence == "kl" else 1
        return int(alpha) if alpha in (0, 1) else None

    def _cost(self, twins, queries, alpha):
        end = self._end(alpha)
        if end == 0:
            return costs.kl(twins, queries)
        if end == 1:
            swapped = self.divergence == "inverse_kl_swapped"
            return (costs.inverse_kl_swapped if swapped else costs.inverse_kl)(twins, queries)
        if self.objective == "quadratic":
            return costs.quadratic(twins, queries, alpha, self.beta)
        return (costs.cubic if self.objective == "cubic" else costs.log)(twins, queries, alpha)

    def _starts(self, X):
        """Outputs to start from (n_starts, n_queries, n_targets)."""
        linear = self.start_.predict(X).reshape(1, len(X), -1)
        n_others = min(self.n_starts - 1, len(self.X_fit_))
        if n_others == 0:
            return linear
        nearest = self.neighbors_.kneighbors(X, n_others, return_distance=False)
        outputs = self.y_fit_.reshape(len(self.y_fit_), -1)
        return np.concatenate([linear, outputs[nearest.T]])

    def _groups(self, X):
        """Rows of the inputs that share training samples, with the kernels of those samples."""
        if self._twins is not None:
            for batch in gen_batches(len(X), BATCH):
                yield batch, self._twins
            return
        nearest = self.neighbors_.kneighbors(X, self.n_neighbors, return_distance=False)
        sets, owners = np.unique(np.sort(nearest, axis=1), axis=0, return_inverse=True)
        order = np.argsort(owners, kind="stable")
        for rows in np.split(order, np.cumsum(np.bincount(owners))[:-1]):
            members = sets[owners[rows[0]]]
            yield rows, self._kernels(self.X_fit_[members], self.y_fit_[members])

    def _kernels(self, X, Y):
        parameters = Hyperparameters(self.bandwidth_x, self.bandwidth_y, self.ridge_x, self.ridge_y)
        return TwinKernels(X, Y.reshape(len(Y), -1), parameters)

    def _check_parameters(self):
        check_option("divergence", self.divergence, DIVERGENCES)
        check_option("objective", self.objective, OBJECTIVES)
        check_real("alpha", self.alpha, at_least=0)
        if self.alpha > 1:
            raise ValueError(f"alpha must be at most 1; got {self.alpha!r}.")
        check_real("beta", self.beta)
        if self.objective == "quadratic" and self.beta == 1:
            raise ValueError(
                "beta must differ from 1 when objective is 'quadratic', whose limit there is "
                f"objective='log'; got {self.beta!r}."
            )
        for name in ("bandwidth_x", "bandwidth_y"):
            check_real(name, getattr(self, name), above=0)
        for name in ("ridge_x", "ridge_y"):
            check_real(name, getattr(self, name), at_least=0)
        if self.n_neighbors is not None:
            check_real("n_neighbors", self.n_neighbors, at_least=2, integer=True)
        for name in ("n_starts", "max_iter"):
            check_real(name, getattr(self, name), at_least=1, integer=True)
