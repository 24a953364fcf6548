"""Weak samples: their inputs beside labelled ones, and what their labels say of the outputs."""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import wraps
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse
from scipy.special import erfcx, ndtr
from sklearn.utils import check_array, check_consistent_length

from ofer.utils.absent import indexable
from ofer.utils.entries import (
    check_unmasked,
)
from ofer.utils.sklearn_private import get_feature_names, num_samples
from ofer.utils.typing import Matrix, MatrixLike
from ofer.utils.validation import (
    as_numbers,
    check_columns,
    check_entries,
    check_even,
    check_order,
    check_range,
    check_real,
    reveal,
)

SQRT2 = np.sqrt(2.0)


@dataclass(frozen=True, eq=False)
class WeakSamples:
    """Inputs X of samples whose outputs are known in part, and the weight of one of them."""

    X: MatrixLike
    weight: float | str = field(default="auto", kw_only=True)

    def __post_init__(self):
        if self.X is None:
            raise ValueError("X must be the inputs of weak samples; got None.")
        if not (isinstance(self.weight, str) and self.weight == "auto"):
            check_real("weight", self.weight, above=0)


def weight_of(weak: WeakSamples) -> float:
    """Their weight, 1 for "auto"."""
    return 1.0 if isinstance(weak.weight, str) else float(weak.weight)


@dataclass(frozen=True, eq=False)
class Memberships(WeakSamples):
    r"""Weak samples whose component of an output model is known, or how likely each is.

    For the `fit` of an `OutputFisherRegressor` whose embedding has memberships, as a
    `GaussianMixtureEmbedding`, or of a `SemanticClassifier` with such a regressor.

    Parameters
    ----------
    X : {array-like, sparse matrix} of shape (n_weak, n_features)
        Inputs; with a precomputed kernel its values (n_weak, n_samples + n_weak) with the labelled
        and then the weak inputs.
    labels : array-like of shape (n_weak,) or (n_weak, C)
        Component indices, or responsibilities: rows that are not negative and sum to one.
    weight : float or "auto", default="auto"
        Weight of a weak sample relative to a labelled one: :math:`2 \ell \lambda_2` in equation
        (14) of [1]_. "auto" is the one of 0, .03, .1, .3 and 1 with the smallest leave-one-out
        error of the labelled samples' decoded outputs, each in units of its variance. It is 0 if
        this gains less than one standard error, and 1 for a regressor without weights or
        leave-one-out. Other values than 1 need a regressor that takes weights of samples.

    Notes
    -----
    By equation (14) of [1]_ weak samples join the regression of the block of memberships alone. It
    has n + n_weak samples then and O((n + n_weak)^3) cost; the other blocks have n.

    References
    ----------
    .. [1] Djerrab, Garcia, Sangnier, d'Alché-Buc, "Output Fisher embedding regression",
       Machine Learning 107 (2018), equation (14).

    Examples
    --------
    >>> import numpy as np
    >>> from ofer import GaussianMixtureEmbedding, Memberships, OutputFisherRegressor
    >>> rng = np.random.default_rng(0)
    >>> X, part = rng.normal(size=(60, 2)), np.repeat([0, 1], 30)
    >>> Y = 5.0 * part[:, None] + rng.normal(size=(60, 3))
    >>> mixture = GaussianMixtureEmbedding(2, random_state=0).fit(Y[::3])
    >>> weak = Memberships(X[1::3], mixture.predict_proba(Y[1::3]), weight=1.0)
    >>> model = OutputFisherRegressor(mixture).fit(X[::3], Y[::3], weak=weak)
    >>> model.weak_weight_
    1.0
    """

    labels: ArrayLike

    def __post_init__(self):
        super().__post_init__()
        check_unmasked("labels", self.labels)
        check_consistent_length(self.X, self.labels)


@dataclass(frozen=True, eq=False)
class Classes(WeakSamples):
    """Weak samples of known classes, of which only the mixture component is told.

    For the `fit` of a `SemanticClassifier` whose regressor is an `OutputFisherRegressor`, as in the
    experiments of [1]_. The output model is fitted to the vectors of the labelled samples first.

    Parameters
    ----------
    X : {array-like, sparse matrix} of shape (n_weak, n_features)
        Inputs.
    y : array-like of shape (n_weak,)
        Labels.
    weight : float or "auto", default="auto"
        As for `Memberships`.

    Notes
    -----
    The regressor gets `Memberships`, the likeliest component of each label's vector.

    References
    ----------
    .. [1] Djerrab, Garcia, Sangnier, d'Alché-Buc, "Output Fisher embedding regression",
       Machine Learning 107 (2018), section 6.5.

    Examples
    --------
    >>> from ofer import Classes
    >>> Classes([[0.0], [1.0]], ["cat", "dog"]).weight
    'auto'
    """

    y: ArrayLike

    def __post_init__(self):
        super().__post_init__()
        check_unmasked("y", self.y)
        check_consistent_length(self.X, self.y)


@dataclass(frozen=True, eq=False)
class Candidates(WeakSamples):
    """Weak samples with a list of outputs, one of which is the true one; or with open classes.

    For the `fit` of an `OutputFisherRegressor`, or of a `SemanticClassifier` on a `KernelRidgeCV`,
    perhaps behind transformers. Labels that leave some classes open are those of [1]_.

    Parameters
    ----------
    X : {array-like, sparse matrix} of shape (n_weak, n_features)
        Inputs; with a precomputed kernel its values (n_weak, n_samples + n_weak) with the labelled
        and then the weak inputs.
    outputs : array-like of shape (n_weak, k) + y.shape[1:] or (n_weak, n_classes)
        For a regressor up to k outputs for each sample. Rows with fewer are filled up with
        candidates of NaN alone. For a classifier booleans: which classes are open, in the order of
        its `classes_`; of components, ``component_of_class == component[:, None]``. A sample that
        leaves all classes open is not used.
    weight : float or "auto", default="auto"
        Weight of a weak sample relative to a labelled one; "auto" is 1.

    Notes
    -----
    The fit to the n labelled samples predicts the outputs. Each weak sample gets its nearest
    candidate, in units of the outputs' standard deviations, and `fit` learns once more from all, in
    O((n + n_weak)^3) time. `SemanticClassifier` says how open classes are found.

    References
    ----------
    .. [1] Cour, Sapp, Taskar, "Learning from partial labels", Journal of Machine Learning Research
       12 (2011).

    Examples
    --------
    >>> import numpy as np
    >>> from ofer import Candidates, OutputFisherRegressor
    >>> X, Y = np.arange(8.0)[:, None], np.arange(8.0)[:, None] % 3
    >>> weak = Candidates([[1.5], [2.5]], [[[1.5], [9.0]], [[-7.0], [2.0]]])
    >>> OutputFisherRegressor(block_wise=False).fit(X, Y, weak=weak).assignments_
    array([0, 1])
    """

    outputs: ArrayLike


@dataclass(frozen=True, eq=False)
class Bounds(WeakSamples):
    """Weak samples with least and greatest outputs.

    For the `fit` of an `OutputFisherRegressor`. Bounds are what a detection limit, a sensor at its
    end, an interval or "more than ten" leave of an output, as in a Tobit model [1]_. Below a
    detection limit compare with the limit itself, and with half of it, as outputs: if all labelled
    samples lie above the limit, the fit to them starts too high.

    Parameters
    ----------
    X : {array-like, sparse matrix} of shape (n_weak, n_features)
        Inputs; with a precomputed kernel its values (n_weak, n_samples + n_weak) with the labelled
        and then the weak inputs.
    low : array-like
        Least outputs, of a shape that numpy broadcasts to (n_weak,) + y.shape[1:]; -inf where there
        is no bound.
    high : array-like
        Greatest outputs, likewise; equal to `low` where an output is known.
    weight : float or "auto", default="auto"
        Weight of a weak sample relative to a labelled one; "auto" is 1.

    Notes
    -----
    The fit to the n labelled samples predicts the outputs. Each weak sample gets the mean, within
    its bounds, of a Gaussian around the prediction. Leave-one-out errors tell its deviation.
    Then `fit` learns once more from all, in O((n + n_weak)^3) time.

    References
    ----------
    .. [1] Tobin, "Estimation of relationships for limited dependent variables", Econometrica 26
       (1958).

    Examples
    --------
    >>> import numpy as np
    >>> from ofer import Bounds, OutputFisherRegressor
    >>> X, y = np.arange(8.0)[:, None], np.arange(8.0)
    >>> weak = Bounds([[9.0], [10.0]], low=8.0, high=np.inf)
    >>> model = OutputFisherRegressor().fit(X, y, weak=weak)
    """

    low: ArrayLike
    high: ArrayLike


_NEW_WORDS = {
    "membership_weak": "Memberships(X_weak, membership_weak)",
    "y_weak": "Classes(X_weak, y_weak)",
    "candidates_weak": "Candidates(X_weak, candidates_weak)",
    "bounds_weak": "Bounds(X_weak, low, high)",
}


def naming_new_words(fit: Callable) -> Callable:
    """Decorate a `fit` that had an argument for each kind of weak label, to say what to write."""

    @wraps(fit)
    def checked(*args, **options):
        old = options.keys() & {"X_weak", "weak_weight", *_NEW_WORDS}
        if not old:
            return fit(*args, **options)
        kinds = sorted(old & _NEW_WORDS.keys()) or ["membership_weak"]
        new = _NEW_WORDS[kinds[0]]
        if "weak_weight" in old:
            new = f"{new[:-1]}, weight=weak_weight)"
        raise TypeError(f"{', '.join(sorted(old))} must be one argument now: weak={new}.")

    return checked


def check_kind(weak: Any, *kinds: type) -> None:
    """Raise TypeError unless weak samples are None or of one of these kinds."""
    if not (weak is None or isinstance(weak, kinds)):
        names = ", ".join(sorted(kind.__name__ for kind in kinds))
        raise TypeError(f"weak must be None or of one of the classes {names}; got {weak!r:.80}.")


def stack_inputs(
    X: MatrixLike,
    X_weak: MatrixLike,
    names: NDArray | None,
    pairwise: bool,
    ensure_min_samples: int = 1,
) -> tuple[Matrix, Matrix]:
    """Labelled inputs, and the weak ones below them; of a kernel, the matrix of all of them.

    Raises ValueError unless the weak ones have the features of X, and their `names`, if both have
    some; with a kernel, its values with the labelled and then the weak inputs.
    """
    weak_names = get_feature_names(X_weak)
    if not (pairwise or names is None or weak_names is None) and [*names] != [*weak_names]:
        raise ValueError(
            f"weak.X must have the feature names of X, {[*names]}; got {[*weak_names]}."
        )
    X = check_array(
        X, input_name="X", accept_sparse=("csr", "csc"), ensure_min_samples=ensure_min_samples,
        ensure_min_features=ensure_min_samples if pairwise else 1,
    )  # fmt: skip
    check_even("weak.X", X_weak)
    X_weak = check_array(indexable(X_weak), input_name="weak.X", accept_sparse=("csr", "csc"))
    n = X.shape[0]
    if pairwise:
        check_columns("weak.X", X_weak, n + X_weak.shape[0], "labelled and weak inputs")
        return X, np.block([[X, X_weak[:, :n].T], [X_weak[:, :n], X_weak[:, n:]]])
    check_columns("weak.X", X_weak, X.shape[1], "the features of X")
    if sparse.issparse(X) or sparse.issparse(X_weak):
        return X, sparse.vstack([X, X_weak], format="csr")
    return X, np.vstack([X, X_weak])


def stack_weights(
    weights: NDArray | None, n: int, n_weak: int, weak_weight: float
) -> NDArray | None:
    """Weights of labelled and then weak samples, or None if all are one."""
    if weights is None and weak_weight == 1:
        return None
    labelled = np.ones(n) if weights is None else weights
    return np.append(labelled, np.full(n_weak, float(weak_weight)))


def encode_memberships(model: Any, weak: Memberships) -> NDArray:
    """Membership block of weak samples, checked, under an output model."""
    gamma = _check_membership(weak.labels, model.n_components_)
    return model.encode_membership(gamma)


def _check_membership(membership: ArrayLike, n_components: int) -> NDArray:
    """Weak labels as responsibilities (n_weak, C)."""
    name = "labels"
    if n_components < 2:
        raise ValueError(
            f"{name} must be labels among at least 2 components, as those of a single one say "
            f"nothing; got n_components={n_components}. Raise it, or drop the weak samples."
        )
    gamma = check_array(membership, ensure_2d=False, dtype=None, input_name=name)
    if gamma.dtype.kind not in "fiu":
        raise TypeError(f"{name} must be numeric; got dtype {gamma.dtype}.")
    if gamma.ndim == 1:
        wrong = (gamma < 0) | (gamma >= n_components) | (gamma != np.floor(gamma))
        if wrong.any():
            raise ValueError(
                f"{name} must hold component indices from 0 to {n_components - 1}; "
                f"got {gamma[wrong][0]}."
            )
        return np.eye(n_components)[gamma.astype(np.intp)]
    check_columns(name, gamma, n_components, "one per component")
    sums = gamma.sum(axis=1)
    if (gamma < 0).any() or not np.allclose(sums, 1.0, atol=1e-6):
        raise ValueError(
            f"{name} must hold responsibilities: rows that are not negative and sum to "
            f"1; got a row with minimum {gamma.min():.3g}, or a sum of "
            f"{sums[np.abs(sums - 1).argmax()]:.6g}."
        )
    return gamma.astype(np.float64)


def check_candidate_outputs(y, weak):
    """Candidate outputs (n_weak, k, ...) of weak samples; those that fill up are NaN."""
    options = {"allow_nd": True, "ensure_all_finite": "allow-nan"}
    outputs = as_numbers("outputs", reveal(weak.outputs), **options)
    check_range("outputs", outputs)
    if outputs.shape[2:] != y.shape[1:]:
        raise ValueError(
            "outputs must have the shape (n_weak, k) and then that of an output, "
            f"{y.shape[1:]}; got shape {outputs.shape}."
        )
    check_consistent_length(weak.X, outputs)
    missing = np.isnan(outputs.reshape(*outputs.shape[:2], -1))
    if (partly := missing.any(axis=2) != missing.all(axis=2)).any():
        raise ValueError(
            "outputs must have candidates of numbers, or of NaN alone to fill up; got some "
            f"that are missing in part in row(s) {_rows_with(partly)}."
        )
    if (empty := missing.all(axis=(1, 2))).any():
        raise ValueError(
            "outputs must have a candidate in each row; got none in row(s) "
            f"{_rows_with(empty)}. Drop them."
        )
    return outputs


def check_bounds(y, weak, columns=()):
    """Least and greatest outputs (n_weak, ...) of weak samples, infinite where none is known.

    Frames have the columns of labelled outputs y in their order, if these have names.
    """
    for name in ("low", "high"):
        check_order(name, getattr(weak, name), columns)
    low, high = (_check_bound(name, getattr(weak, name), y, weak.X) for name in ("low", "high"))
    for wrong, rule in (
        (low > high, "least outputs that are at most the greatest"),
        (np.isposinf(low) | np.isneginf(high), "infinite entries only where there is no bound"),
    ):
        if wrong.any():
            raise ValueError(
                f"low and high must have {rule}; got others in row(s) {_rows_with(wrong)}."
            )
    silent = (np.isinf(low) & np.isinf(high)).reshape(len(low), -1).all(axis=1)
    if silent.any():
        raise ValueError(
            f"low and high must have a bound in each row; got none in row(s) {_rows_with(silent)}. "
            "Drop them."
        )
    return low, high


def expected_within(low: NDArray, high: NDArray, centre: NDArray, spread: NDArray) -> NDArray:
    """Means of Gaussians of some centres and standard deviations, given their bounds.

    Where the deviation is zero, the centre is clipped. Bounds may be infinite, far or equal.
    """
    clipped = np.clip(centre, low, high)
    with np.errstate(divide="ignore", invalid="ignore", over="ignore", under="ignore"):
        a, b = (low - centre) / spread, (high - centre) / spread
        flipped = a + b < 0  # a mean is minus that of the mirrored interval: b is far from zero
        a, b = np.where(flipped, -b, a), np.where(flipped, -a, b)
        width, drop = b - a, np.exp(-0.5 * (b - a) * (b + a))
        # Both are mean = (pdf(a) - pdf(b)) / (cdf(b) - cdf(a)), in the tail without its powers.
        tail = (1 - drop) / (erfcx(a / SQRT2) - drop * erfcx(b / SQRT2)) * np.sqrt(2 / np.pi)
        body = np.exp(-0.5 * a**2) * (1 - drop) / (ndtr(b) - ndtr(a)) / np.sqrt(2 * np.pi)
        narrow = 0.5 * (a + b) * (1 - width**2 / 12)
        mean = np.where(width < 1e-4, narrow, np.where(a > 0, tail, body))
        expected = centre + spread * np.where(flipped, -mean, mean)
    return np.clip(np.where(np.isfinite(expected), expected, clipped), low, high)


def _check_bound(name, bound, y, X_weak):
    """One side of the bounds in the shape of the weak samples' outputs, float64."""
    bound = reveal(bound)
    check_entries(name, bound)
    bound = np.asarray(bound, dtype=np.float64)
    if np.isnan(bound).any():
        raise ValueError(
            f"{name} must have no missing entries; got some. Where there is no bound, low is -inf "
            "and high is inf."
        )
    check_range(name, np.where(np.isinf(bound), 0.0, bound))
    shape = (num_samples(X_weak), *y.shape[1:])
    try:
        return np.broadcast_to(bound, shape)
    except ValueError:
        raise ValueError(
            f"{name} must have the shape of the weak samples' outputs, {shape}, or one that "
            f"numpy broadcasts to it; got shape {bound.shape}."
        ) from None


def _rows_with(wrong):
    """The first rows that have a wrong entry."""
    return np.flatnonzero(wrong.reshape(len(wrong), -1).any(axis=1))[:10].tolist()


def nearest_candidates(predicted: NDArray, outputs: NDArray, spreads: NDArray) -> NDArray:
    """Which of the candidates (n_weak, k, ...) is nearest to the prediction (n_weak, ...).

    Distances are in units of the `spreads` of the outputs.
    """
    squares = np.square((outputs - predicted[:, None]) / spreads)
    return np.nanargmin(squares.reshape(*outputs.shape[:2], -1).sum(axis=2), axis=1)
