"""Ridge regression and leave-one-out from one decomposition, for all parameters and targets."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from operator import attrgetter
from typing import NamedTuple, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse
from sklearn.utils import check_consistent_length

from ofer.ridge.decomposition import Basis, CentredFeatures, Samples, decompose, weigh
from ofer.ridge.leave_one_out import Ridges, group_residuals, loo_residuals
from ofer.utils.absent import indexable
from ofer.utils.memory import BATCH
from ofer.utils.products import quiet
from ofer.utils.scoring import rises_at
from ofer.utils.typing import MatrixLike
from ofer.utils.validation import as_numbers, check_columns, check_entries, check_groups


@quiet
class KernelSolution(NamedTuple):
    """A fitted ridge regression.

    Attributes
    ----------
    coef : ndarray of shape (n_columns,) or (n_columns, n_targets)
        Coefficients: of the kernel with the n samples, or of the features.
    intercept : float or ndarray of shape (n_targets,)
        The intercept, 0 when there is none.
    """

    coef: NDArray
    intercept: NDArray

    def predict(self, queries: ArrayLike) -> NDArray:
        """Predict targets for rows of the kernel (n_queries, n), or of features."""
        check_entries("queries", queries)
        return queries @ self.coef + self.intercept


@quiet
@dataclass(frozen=True, eq=False, repr=False)
class KernelSystem:
    r"""Solver of kernel ridge regression: one decomposition for all ridge parameters and targets.

    For any targets Y and any ridge parameter :math:`\alpha`, minimises over functions f of a
    kernel's RKHS and an unpenalised intercept b

    .. math:: \sum_i w_i \| y_i - f(x_i) - b \|^2 + \alpha \| f \|^2 ,

    the learning step (13) of [1]_. Make it by `from_kernel` (dual) or, for the linear kernel, by
    `from_features`, which decomposes the smaller of the two Gram matrices. Samples of weight zero
    count as absent; in results with a row for each sample, their row is NaN, or zero for
    coefficients.

    Attributes
    ----------
    samples : tuple of ndarray
        Named tuple: `weights` :math:`w` (n_samples,), and of those that are positive the places
        `rows` (n_kept,), the `roots` :math:`s` and the `shares` in the mean that is taken off,
        which are zero without an intercept.
    is_dual : bool
        Which of the two Gram matrices was decomposed; see the notes.
    basis : object
        The decomposition: eigenvalues and vectors or, for one ridge parameter, a Cholesky factor.
    eigenvalues : ndarray of shape (rank,)
        :math:`\omega \ge 0`, in ascending order.
    coordinates : ndarray of shape (n_kept, rank)
        :math:`V` (dual) or :math:`Z` (primal), for the samples of positive weight.
    loadings : ndarray of shape (n_features, rank), or None
        What takes a solution in such coordinates, :math:`V^T y` or :math:`Z^T y` over
        :math:`\omega + \alpha`, to coefficients of features; made when it is asked for.
    mean : ndarray of shape (n_columns,)
        Weighted mean of the rows of the kernel, or of features; zero without an intercept.
    span : ndarray of shape (n_features, n_kept or rank), or None
        What takes solutions to coefficients of features: the weighted samples around their mean
        (dual) or the loadings (primal).
    mean_eigenvalue : float
        Mean eigenvalue of the centred, weighted kernel matrix: the unit of ridge parameters.
    only_alpha : float or None
        The only ridge parameter that this was made for; then `eigenvalues` and `coordinates` may be
        others, which have the same inverse, and are made when they are asked for.

    See Also
    --------
    KernelRidgeCV : An estimator on top of it.

    Notes
    -----
    *Dual.* With :math:`s = \sqrt{w}` and :math:`S = \mathrm{diag}(s)`, the problem is the
    bordered system

    .. math::

        \begin{pmatrix} S K S + \alpha I & s \\ s^\top & 0 \end{pmatrix}
        \begin{pmatrix} c \\ b \end{pmatrix} = \begin{pmatrix} S y \\ 0 \end{pmatrix} .

    Its first equation lives on the complement of s (the whole space without an intercept), where
    :math:`S K S = V \mathrm{diag}(\omega) V^\top`; the upper left part of the inverse is
    :math:`G = V \mathrm{diag}(1 / (\omega + \alpha)) V^\top`, the coefficients of the kernel are
    :math:`S G S y`. If :math:`y_i` is replaced by what the fit without sample i predicts for it,
    that fit solves the system, and has no use for sample i: its coefficient
    :math:`(G S y)_i - G_{ii} s_i (y_i - f_{-i}(x_i))` is zero. So the leave-one-out residual is
    :math:`y_i - f_{-i}(x_i) = (G S y)_i / (s_i G_{ii})`, where a factor of G cancels. For a group
    of samples the same holds with the block of its rows and columns in the place of
    :math:`G_{ii}`, and a small system in that of the division.

    *Primal.* With :math:`\tilde X = S (X - 1 \bar x^\top)`,
    :math:`\tilde X^\top \tilde X = U \mathrm{diag}(\omega) U^\top` and :math:`Z = \tilde X U`,

    .. math:: \alpha G = I - s s^\top / s^\top s - Z \mathrm{diag}(1 / (\omega + \alpha)) Z^\top ,

    whose diagonal is one minus the leverages.

    *Costs.* For n samples, d features, m targets, q ridge parameters and r = n or d the rank:
    O(n^3) or O(n d min(n, d)) for the decomposition, O(n r m) for a solution, O(n r m q) for
    leave-one-out residuals. Memory is that of three n x n matrices at most, one of which is kept
    (dual), or of one n x d matrix besides the features (primal). It is exact leave-one-out: each
    residual is that of a fit, with its own intercept, to the other n - 1 samples.

    References
    ----------
    .. [1] Djerrab, Garcia, Sangnier, d'Alché-Buc, "Output Fisher embedding regression",
       Machine Learning 107 (2018), equation (13).

    Examples
    --------
    >>> import numpy as np
    >>> from ofer import KernelSystem
    >>> X, y = np.arange(5.0)[:, None], np.array([0.0, 1.0, 2.0, 3.0, 9.0])
    >>> system = KernelSystem.from_features(X)
    >>> for residuals in system.loo_residuals(y, [1e-9, 1.0]):
    ...     print(residuals.round(2))
    [ 2.5  -0.   -1.25 -2.86  5.  ]
    [ 1.46 -0.26 -1.25 -2.56  5.42]
    >>> system.solve(y, 1.0).predict([[5.0]]).round(2)
    array([8.45])
    >>> dual = KernelSystem.from_kernel(X @ X.T)
    >>> (dual.smoother([[5.0]] @ X.T, 1.0) @ y).round(2)
    array([8.45])
    """

    samples: Samples
    is_dual: bool
    basis: Basis
    mean: NDArray
    mean_eigenvalue: float
    span: NDArray | None = None
    only_alpha: float | None = None

    def __post_init__(self):
        if 0 < self.mean_eigenvalue < 1e-290:
            mean = f"{self.mean_eigenvalue:.2g}. Multiply it by a constant."
            raise ValueError(f"X must have kernel values of 1e-290 or more; got a mean of {mean}")

    eigenvalues = property(attrgetter("basis.values"), doc="")  # the class describes both
    coordinates = property(attrgetter("basis.vectors"), doc="")

    @cached_property
    @quiet
    def loadings(self) -> NDArray | None:
        """What takes a solution in coordinates to coefficients of features."""
        dual_of_features = self.is_dual and self.span is not None
        return self.span @ self.coordinates if dual_of_features else self.span

    @classmethod
    def from_kernel(
        cls,
        K: ArrayLike,
        sample_weight: ArrayLike | None = None,
        fit_intercept: bool = True,
        *,
        alpha: float | None = None,
        semidefinite: bool = False,
        overwrite: bool = False,
    ) -> Self:
        """Decompose a kernel matrix, in O(n^3) time; for one ridge parameter much faster.

        Parameters
        ----------
        K : array-like of shape (n_samples, n_samples)
            Symmetric and positive semi-definite.
        sample_weight : float or array-like of shape (n_samples,), default=None
            Weights, not negative and at least two of them positive; None is ones.
        fit_intercept : bool, default=True
            Whether there is an intercept.
        alpha : float, default=None
            The only ridge parameter that will be used; None allows all.
        semidefinite : bool, default=False
            Whether K is known to be positive semi-definite: one ridge parameter then needs no check
            of it.
        overwrite : bool, default=False
            Whether the memory of K may be used, which then holds nothing of interest.

        Returns
        -------
        KernelSystem

        Warns
        -----
        UserWarning
            If the matrix is not positive semi-definite.
        """
        gram = as_numbers("K", K, order="C", copy=not overwrite)
        if gram.shape[0] != gram.shape[1]:
            raise ValueError(f"K must be a square matrix; got shape {gram.shape}.")
        samples = weigh(sample_weight, gram, fit_intercept)
        _, rows, roots, shares = samples
        everything = len(rows) == len(gram)
        mean = shares @ (gram if everything else gram[rows])
        kept = gram if everything else gram[np.ix_(rows, rows)]
        basis = decompose(kept, roots, fit_intercept, alpha, semidefinite)
        return cls(samples, True, basis, mean, basis.values.mean(), only_alpha=alpha)

    @classmethod
    def from_features(
        cls,
        X: MatrixLike,
        sample_weight: ArrayLike | None = None,
        fit_intercept: bool = True,
        *,
        alpha: float | None = None,
    ) -> Self:
        """Decompose the linear kernel of features, in O(n d min(n, d)) time.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            Features. Not changed.
        sample_weight : float or array-like of shape (n_samples,), default=None
            Weights, not negative and at least two of them positive; None is ones.
        fit_intercept : bool, default=True
            Whether there is an intercept, by exact centring.
        alpha : float, default=None
            The only ridge parameter that will be used; None allows all.

        Returns
        -------
        KernelSystem
        """
        X = as_numbers("X", indexable(X), accept_sparse="csr")
        samples = weigh(sample_weight, X, fit_intercept)
        _, rows, roots, _ = samples
        d, rank = X.shape[1], len(rows) - bool(fit_intercept)
        centred = CentredFeatures(X, samples, fit_intercept)
        if is_dual := d >= rank:
            features = centred[:]
            gram = features @ features.T
            basis = decompose(gram, roots, fit_intercept, alpha, semidefinite=True)
            features *= roots[:, None]
            span = features.T
        else:
            basis, span = centred.decompose()
        mean_eigenvalue = basis.values.sum() / rank
        return cls(samples, is_dual, basis, centred.mean, mean_eigenvalue, span, alpha)

    def default_alphas(self) -> NDArray:
        """Candidates for the ridge parameter, in the scale of the kernel.

        Returns
        -------
        ndarray of shape (25,)
            Logarithmically spaced from 1e-4 to 1e4 times the mean eigenvalue, or 1 where that is
            zero.
        """
        mean = self.mean_eigenvalue
        return (mean if mean > 0 else 1.0) * np.logspace(-4, 4, 25)

    @property
    def _alpha_range(self) -> tuple[float, float]:
        """Least ridge parameter above the roundoff of the kernel, and one that leaves nothing but
        means.
        """
        return 1e4 * self.basis.roundoff, 1e4 * float(self.eigenvalues.max(initial=0.0))

    def solve(self, Y: ArrayLike, alpha: ArrayLike) -> KernelSolution:
        """Fit m targets, in O(n r m) time.

        Parameters
        ----------
        Y : array-like of shape (n_samples,) or (n_samples, n_targets)
            Targets.
        alpha : float or array-like of shape (n_targets,)
            The ridge parameter, or one for each target.

        Returns
        -------
        KernelSolution
            With the attributes `coef` and `intercept` and the method `predict`.
        """
        (alpha,) = self._check([alpha])
        centred, mean = self._centre(Y)
        inverse = self.basis.inverse(alpha)
        if self.is_dual:
            solved = self.basis.solve(centred, inverse)
        else:
            solved = self.coordinates.T @ centred * inverse
        coef = self.samples.weighted(solved) if self.span is None else self.span @ solved
        intercept = mean - self.mean @ coef
        if np.ndim(Y) == 1:
            return KernelSolution(coef[:, 0], intercept[0])
        return KernelSolution(coef, intercept)

    def expansion(self, alpha: float) -> KernelSolution:
        """Solution for unit vectors as targets, in O(n n_columns r) time.

        Parameters
        ----------
        alpha : float
            The ridge.

        Returns
        -------
        KernelSolution
            With `coef` of shape (n_columns, n_samples) and `intercept` of shape (n_samples,).
        """
        ((alpha,),) = self._check([alpha])
        weights, rows, roots, shares = self.samples
        shrunk = np.zeros((len(self.eigenvalues), len(weights)))
        shrunk[:, rows] = self.coordinates.T * roots
        shrunk *= self.basis.inverse(alpha)
        solved = self.coordinates @ shrunk if self.is_dual else shrunk
        coef = self.samples.weighted(solved) if self.span is None else self.span @ solved
        intercept = -self.mean @ coef
        intercept[rows] += shares
        return KernelSolution(coef, intercept)

    def smoother(self, queries: ArrayLike, alpha: float) -> NDArray:
        """Smoother matrix of `expansion`: weights of samples in predictions, in O(n r) for each
        query.

        Parameters
        ----------
        queries : array-like of shape (n_queries, n_columns)
            Rows of the kernel with the n samples, or of features.
        alpha : float
            The ridge.

        Returns
        -------
        ndarray of shape (n_queries, n_samples)
            The matrix W for which the predictions are ``W @ Y``, whatever the targets Y.
        """
        (W,) = self.smoothers(queries, [alpha])
        return W

    def smoothers(self, queries: ArrayLike, alphas: ArrayLike) -> Iterator[NDArray]:
        """Smoother matrices, one ridge parameter after the other, by one decomposition.

        Parameters
        ----------
        queries : array-like of shape (n_queries, n_columns)
            Rows of the kernel with the n samples, or of features.
        alphas : array-like of shape (n_alphas,)
            Ridges.

        Returns
        -------
        iterator of ndarray of shape (n_queries, n_samples)
        """
        return self._smoothers(self._check_queries(queries), self._check(alphas))

    def _smoothers(self, queries, alphas):
        """`smoothers` of checked arrays."""
        _, rows, roots, shares = self.samples
        centred, projected = queries - self.mean, None
        if self.span is None:
            centred = roots[:, None] * centred[:, rows].T
        else:
            centred = (centred @ self.span).T
        if not self.is_dual:
            projected = centred
        elif self.only_alpha is None:
            projected = self.coordinates.T @ centred
        for (alpha,) in alphas:
            inverse = self.basis.inverse(alpha)
            if projected is None:  # the basis is a Cholesky factor
                solved = self.basis.solve(centred, inverse)
            else:
                solved = self.coordinates @ (projected * inverse)
            solved += (shares / roots)[:, None]
            yield self.samples.weighted(solved).T

    def dual(self, Y: ArrayLike, alpha: float) -> tuple[NDArray, NDArray]:
        """Coefficients of the kernel, and the diagonal of the matrix that makes them from targets.

        Their quotients are the leave-one-out residuals. O(n r m) time.

        Parameters
        ----------
        Y : array-like of shape (n_samples,) or (n_samples, n_targets)
            Targets.
        alpha : float
            The ridge parameter.

        Returns
        -------
        coef : ndarray of shape (n_samples, n_targets)
            With the upper left block G of the inverse of the bordered system, ``G Y``.
        diagonal : ndarray of shape (n_samples,)
            That of G; zero for samples of weight zero.
        """
        ((alpha,),) = self._check([alpha])
        centred, _ = self._centre(Y)
        _, _, roots, shares = self.samples
        inverse = self.basis.inverse(alpha)[:, None]
        ridges = Ridges(self.coordinates, inverse, roots, shares, self.is_dual)
        unit = 1.0 if self.is_dual else 1.0 / alpha
        coef, diagonal = unit * ridges.solve(centred)[:, 0], unit * ridges.diagonal[:, 0]
        return self.samples.weighted(coef), self.samples.weighted(diagonal)[:, 0]

    def predictive(
        self, queries: NDArray, diagonal: NDArray | None, alphas: ArrayLike
    ) -> Iterator[tuple[NDArray, NDArray]]:
        """Weights of the samples in predictions, and variances of new outputs, by ridge parameter.

        The variances are those of an output of weight one under the Gaussian process that has this
        kernel, noise of variance ``alpha / weight``, and with an intercept a mean of which nothing
        is known beforehand.

        Parameters
        ----------
        queries : ndarray of shape (n_queries, n_columns)
            Rows of the kernel with the n samples, or of features.
        diagonal : ndarray of shape (n_queries,) or None
            The kernel of each query with itself; None for features.
        alphas : array-like of shape (n_alphas,)
            Ridge parameters.

        Returns
        -------
        iterator of (ndarray of shape (n_queries, n_samples), ndarray of shape (n_queries,))
        """
        weights, rows, _, shares = self.samples
        queries, alphas = self._check_queries(queries), self._check(alphas)
        if diagonal is None:
            centred = queries - self.mean
            lengths = np.einsum("ij,ij->i", centred, centred)
            projected = centred @ self.span
            squares = np.square(projected @ self.coordinates if self.is_dual else projected)
        else:
            diagonal = as_numbers("diagonal", diagonal, ensure_2d=False)
            if diagonal.shape != (len(queries),):
                raise ValueError(
                    f"diagonal must have the shape {(len(queries),)}; got {diagonal.shape}."
                )
        for W, (alpha,) in zip(self._smoothers(queries, alphas), alphas, strict=True):
            noise = alpha * (1.0 + shares.any() / weights.sum())
            if diagonal is not None:
                explained = np.einsum("ij,ij->i", queries - self.mean, W)
                rest = diagonal - queries[:, rows] @ shares - explained
            elif self.is_dual:
                rest = lengths - squares @ self.basis.inverse(alpha)[:, 0]
            else:
                rest = np.maximum(lengths - squares.sum(axis=1), 0.0)
                rest += squares @ (alpha * self.basis.inverse(alpha)[:, 0])
            yield W, noise + np.maximum(rest, 0.0)

    def loo_residuals(
        self, Y: ArrayLike, alphas: ArrayLike, groups: ArrayLike | None = None
    ) -> Iterator[NDArray]:
        """Leave-one-out residuals ``y_i - f_{-i}(x_i)``, one ridge parameter after the other.

        Several ridge parameters share one matrix product, as long as its result stays within 8 MB.

        Parameters
        ----------
        Y : array-like of shape (n_samples,) or (n_samples, n_targets)
            Targets.
        alphas : array-like of shape (n_alphas,) or (n_alphas, n_targets)
            Ridges, for all targets or for each.
        groups : array-like of shape (n_samples,), default=None
            Labels, of which at least two are different: the fits are without all samples that have
            the label of sample i, which takes O(k^2 r) time for each k of them and each ridge.

        Returns
        -------
        iterator of ndarray of the shape of Y
            The residuals; NaN for samples of weight zero.
        """
        alphas = self._check(alphas)
        centred, _ = self._centre(Y)
        if groups is None:
            paths = loo_residuals(self, centred, alphas)
        else:
            members = members_by_size(groups, self.samples.weights)
            paths = group_residuals(self, centred, alphas, members)
        return (self.samples.filled(missed, np.shape(Y)) for missed in paths)

    def path(self, Y: ArrayLike, alphas: ArrayLike) -> Iterator[NDArray]:
        """Leave-one-out predictions, one ridge parameter after the other.

        Parameters
        ----------
        Y : array-like of shape (n_samples,) or (n_samples, n_targets)
            Targets.
        alphas : array-like of shape (n_alphas,) or (n_alphas, n_targets)
            Ridges, for all targets or for each.

        Returns
        -------
        iterator of ndarray of the shape of Y
            Row i is the prediction of a fit without sample i; NaN for samples of weight zero.
        """
        residuals, Y = self.loo_residuals(Y, alphas), np.asarray(Y)
        return (Y - missed for missed in residuals)

    def _centre(self, Y: ArrayLike) -> tuple[NDArray, NDArray]:
        """Targets (n_kept, n_targets) around their mean, times the roots of weights; the mean."""
        checked = as_numbers("Y", Y, ensure_2d=False)
        check_consistent_length(checked, self.samples.weights)
        targets, (_, rows, roots, shares) = checked.reshape(len(checked), -1), self.samples
        kept = targets.copy(order="K") if len(rows) == len(targets) else targets[rows]
        mean = shares @ kept
        if shares.any():
            kept -= mean
        if (roots != 1.0).any():
            kept *= roots[:, None]
        return kept, mean

    def _check_queries(self, queries: ArrayLike) -> NDArray:
        queries = queries.toarray() if sparse.issparse(queries) else queries
        queries = as_numbers("queries", queries)
        check_columns("queries", queries, len(self.mean), "the samples, or features")
        return queries

    def _check(self, alphas: ArrayLike) -> NDArray:
        """Ridges as an array (n_alphas, 1 or n_targets)."""
        check_entries("alphas", alphas)
        checked = np.atleast_1d(np.asarray(alphas, dtype=np.float64))
        if not (np.isfinite(checked).all() and (checked > 0).all()):
            raise ValueError(f"alphas must be positive and finite; got {alphas!r}.")
        if self.only_alpha is not None and (checked != self.only_alpha).any():
            raise ValueError(
                f"alphas must be {self.only_alpha!r} for this system, made for one; got {alphas!r}."
            )
        return checked.reshape(len(checked), -1)


def members_by_size(groups: ArrayLike, weights: NDArray) -> list[NDArray]:
    """Places of the members of groups, among samples of positive weight: arrays (n_groups, size).

    Groups of one size are in one array, cut so that it is within some MB with its coordinates.
    """
    kept = weights > 0
    labels = np.asarray(check_groups(groups, weights))[kept]
    check_groups(labels, labels)
    _, which, sizes = np.unique(labels, return_inverse=True, return_counts=True)
    order, sizes_of = np.argsort(which, kind="stable"), sizes[np.sort(which)]
    parts = []
    for size in np.unique(sizes):
        rows = order[sizes_of == size].reshape(-1, size)
        step = max(1, BATCH // (size * len(which)))
        parts += [rows[start : start + step] for start in range(0, len(rows), step)]
    return parts


def candidate_alphas(system: KernelSystem, alphas: ArrayLike | None) -> NDArray:
    """Ridges to try: those given or, for None and "fixed", the default ones of a system."""
    default = alphas is None or isinstance(alphas, str)
    return system.default_alphas() if default else np.array(alphas, dtype=np.float64)


def scored_alphas(system, alphas, scores_of):
    """Ridges to try, and their scores (n_alphas, ...); for None as many as the scores ask for.

    Where the best of the default ones is at an end and the score still rises, there follows one
    decade after the other: up to where the kernel is roundoff, or a ten-thousandth of the ridge.
    """
    tried = candidate_alphas(system, alphas)
    scores, (least, most) = np.array(scores_of(tried)), system._alpha_range
    for end, step in ((0, -1), (-1, 1)) if alphas is None else ():
        while rises_at(end, scores.reshape(len(tried), -1)).any():
            more = tried[end] * 10.0 ** (step * np.arange(1, 4) / 3)
            more = more[(more >= least) & (more <= most)][::step]
            if not len(more):
                break
            parts = [(more, tried), (np.array(scores_of(more)), scores)]
            tried, scores = (np.concatenate(part[::-step]) for part in parts)
    return tried, scores
