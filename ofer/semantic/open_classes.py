"""Weak samples of which a label leaves some classes open: one step beyond equation (14)."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import softmax, xlogy
from sklearn.base import BaseEstimator, clone
from sklearn.utils import get_tags

from ofer.blocks import fit_weighted
from ofer.kernel_ridge import KernelRidgeCV, prepare_inputs
from ofer.ridge.kernel_system import KernelSystem, candidate_alphas
from ofer.ridge.leave_one_out import ridges_of
from ofer.utils.absent import cover_absent
from ofer.utils.pipelines import Transformers
from ofer.utils.sklearn_private import get_feature_names
from ofer.utils.typing import MatrixLike
from ofer.utils.warning import warn
from ofer.weak import stack_inputs

PRIOR_SHARE = 0.25  # the weak label keeps this share of the target
MAX_ROUNDS = 10
ALPHAS = np.logspace(-3, 1.5, 10)  # in units of the mean eigenvalue of the kernel
TEMPERATURES = np.logspace(-3, 0.5, 15)
N_SHUFFLES = 5
LEAST_GAIN = 1.2  # weak samples must gain this many times what shuffled labels do
WRONG = 0.02  # this share of the classes counts as random, so that no error costs too much


class Labelled(NamedTuple):
    """Samples whose classes are known, perhaps none."""

    X: MatrixLike
    classes: NDArray  # (n,), as indices
    weights: NDArray | None


class LeftOpen(NamedTuple):
    """Samples of which a label leaves some classes open."""

    X: MatrixLike
    still_open: NDArray  # bool, (n_weak, n_classes)
    weight: float  # of each, relative to a labelled sample


class OpenClassesFit(NamedTuple):
    """A regressor fitted to labelled and weak samples, and how their classes were found."""

    regressor: BaseEstimator
    inputs: NDArray  # of all samples
    targets: NDArray  # (n + n_weak, n_classes), rows on the simplex
    weights: NDArray  # (n + n_weak,), zero where a sample was not used
    path: dict[str, NDArray]  # a row for each ridge parameter, width and start
    null: float  # gain with shuffled labels


def fit_open_classes(
    regressor: BaseEstimator, vectors: NDArray, labelled: Labelled, weak: LeftOpen
) -> OpenClassesFit:
    """Infer the classes of weak samples where the gain is highest, and fit the regressor to all.

    `vectors` (n_classes, p) are those of the classes. The regressor's `gamma` says which kernels
    there are to choose from.
    """
    y, still_open = labelled.classes, weak.still_open
    last = Transformers(regressor).last
    if not isinstance(last, KernelRidgeCV):
        raise ValueError(
            "regressor must be a KernelRidgeCV, or a pipeline that ends in one, for "
            f"Candidates; got {regressor!r}."
        )
    n, n_classes = len(y), len(vectors)
    pairwise = get_tags(regressor).input_tags.pairwise
    names = get_feature_names(labelled.X)
    known, X = cover_absent(labelled.weights, labelled.X, pairwise=pairwise)
    X, everything = stack_inputs(X, weak.X, names, pairwise, ensure_min_samples=0)
    known = np.ones(n) if known is None else known
    weights = np.append(known, np.full(len(still_open), weak.weight))
    used = ~still_open.all(axis=1)
    weights[n:][~used] = 0.0
    if not used.all():
        _warn(f"Candidates leave all classes open in {(~used).sum()} of {len(used)} rows")
    targets = np.vstack([np.eye(n_classes)[y], still_open / still_open.sum(axis=1, keepdims=True)])

    scores = None
    if len(np.unique(y[known > 0])) > 1:
        alone = fit_weighted(regressor, X, vectors[y], None if (known == 1).all() else known)
        predicted = alone.predict(everything[n:, :n] if pairwise else everything[n:])
        scores = (predicted @ vectors.T - np.square(vectors).sum(axis=1) / 2.0)[used]

    best, rows, null = None, [], np.nan
    if used.any():
        before, seen = Transformers(regressor).fit(everything, targets @ vectors, weights)
        weights, seen = cover_absent(weights, seen, pairwise=pairwise)
        inputs, kernels = prepare_inputs(clone(before.last), seen, weights)
        for kernel in kernels:
            system = kernel.system(inputs, None, weights, before.last.fit_intercept)
            if (alphas := before.last.alphas) is None:
                alphas = (system.mean_eigenvalue or 1.0) * ALPHAS
            alphas = candidate_alphas(system, alphas)
            for inference in infer_classes(system, alphas, y, still_open[used], scores, vectors):
                rows.append((kernel.kernel, kernel.gamma, *inference[:-1]))
                if best is None or inference.gain > best.gain:
                    best, best_kernel, best_system = inference, kernel, system
        null = null_gain(best_system, best.alpha, y, still_open[used], scores, vectors)
    columns = ("kernel", "gamma", *Inference._fields[:-1])
    path = {name: np.array([row[k] for row in rows]) for k, name in enumerate(columns)}
    path["gamma"] = path["gamma"].astype(float)  # None becomes NaN

    model = clone(regressor)
    agree = best is not None and best.weak_gain > LEAST_GAIN * max(null, 0.0)
    if agree or (best is not None and n == 0):
        chosen = {"kernel": best_kernel.kernel, "gamma": best_kernel.gamma}
        Transformers(model).last.set_params(alphas=[best.alpha], **chosen)
        targets[weights > 0] = best.targets
    else:
        if best is not None:
            _warn(
                "Candidates and the inputs do not agree: the gain of weak samples is "
                f"{best.weak_gain:.2g}, and {null:.2g} when labels are shuffled"
            )
        weights[n:] = 0.0
    model = fit_weighted(model, everything, targets @ vectors, weights)
    return OpenClassesFit(model, everything, targets, weights, path, null)


def _warn(fact: str) -> None:
    warn(f"{fact}; these weak samples are not used.")


class Inference(NamedTuple):
    """Classes of the weak samples, inferred with one ridge parameter from one start."""

    alpha: float
    start: str
    gain: float
    weak_gain: float  # of the weak samples alone
    n_rounds: int
    targets: NDArray  # (n_samples, n_classes), rows on the simplex


def infer_classes(system, alphas, known, still_open, scores_alone, vectors):
    r"""Infer the classes of weak samples, for each ridge parameter and from each start.

    From the guess, every round learns the classes and then gives each weak sample the open class
    of the highest score. A quarter of a weak target stays the mean over its open classes. The
    averaged start learns that mean and begins with a softmax of its scores over the variance of its
    errors. The first round scores by leave-one-out predictions, so that no guess confirms itself.

    The gain is :math:`H(\bar q) - \frac1n \sum_i -\log p_{i z_i}`: the entropy of the mean target
    minus the log loss of the classes z under leave-one-out predictions. It is what the inputs tell
    about the classes, in nats. Without the entropy the best answer is one class for all.

    The `KernelSystem` is of labelled and then weak samples, the latter of positive weights. `known`
    (n_labelled,) are indices of classes, `still_open` (n_weak, n_classes) is True for open ones,
    `vectors` (n_classes, d) are those of the classes, whose unit has no part. `scores_alone`
    (n_weak, n_classes) are by the labelled samples alone, and their best open class is a start;
    None starts from the mean over the open ones alone. A round takes O(n r K) time, for rank r.
    """
    _, rows, roots, _ = system.samples
    known, weights = known[rows[rows < len(known)]], np.square(roots)
    n, indicators = len(known), np.eye(still_open.shape[1])
    prior = still_open / still_open.sum(axis=1, keepdims=True)
    averaged = np.vstack([indicators[known], prior])
    scores = _Scores(vectors)

    def targets_of(q: NDArray) -> NDArray:
        return np.vstack([indicators[known], PRIOR_SHARE * prior + (1.0 - PRIOR_SHARE) * q])

    for alpha in alphas:
        ridge = _Ridge(system, alpha)
        missed = ridge.learn(averaged)
        # Scores are left out, `missed`, or of the fit, `missed * shrinkage`. The first guess is of
        # the fit; the squared errors of the labelled samples set how soft it is.
        measured = slice(n) if n else slice(None)
        variance = scores.mean_square(missed[measured], weights[measured])
        fitted = scores(averaged - missed * ridge.shrinkage)[n:]
        soft = softmax(np.where(still_open, fitted / variance, -np.inf), axis=1)
        starts = {"averaged": soft}
        if scores_alone is not None:
            best = np.where(still_open, scores_alone, -np.inf).argmax(axis=1)
            starts["restricted"] = indicators[best]
        for start, q in starts.items():
            targets = targets_of(q)
            missed, chosen = ridge.learn(targets), None
            scored = scores(targets - missed)[n:]  # left out, in the first round alone
            for n_rounds in range(MAX_ROUNDS + 1):
                following = np.where(still_open, scored, -np.inf).argmax(axis=1)
                if n_rounds == MAX_ROUNDS or np.array_equal(following, chosen):
                    break
                chosen = following
                targets = targets_of(indicators[chosen])
                missed = ridge.learn(targets)
                scored = scores(targets - missed * ridge.shrinkage)[n:]
            scored = scores(targets - missed)
            gains = _gains(targets, scored, np.append(known, chosen), weights, n)
            yield Inference(float(alpha), start, *gains, n_rounds, targets)


def null_gain(system, alpha, known, still_open, scores_alone, vectors):
    """Gain of the weak samples when their labels are shuffled: the best of `N_SHUFFLES`.

    It is positive, because inferred classes are chosen to be predictable. The arguments are those
    of `infer_classes`.
    """
    rng = np.random.default_rng(0)
    gains = []
    for _ in range(N_SHUFFLES):
        shuffled = still_open[rng.permutation(len(still_open))]
        paths = infer_classes(system, np.array([alpha]), known, shuffled, scores_alone, vectors)
        gains += [path.weak_gain for path in paths]
    return max(gains)


class _Ridge:
    """Ridge regression of targets that change, with one ridge parameter."""

    def __init__(self, system: KernelSystem, alpha: float):
        self._system, self._ridge = system, ridges_of(system, np.array([[alpha]]))
        # Residuals of the fit are those of leave-one-out times this.
        self.shrinkage = self._ridge.diagonal[:, 0] / system.samples.roots[:, None]
        self.shrinkage *= alpha if system.is_dual else 1.0
        self._targets: NDArray | None = None

    def learn(self, targets: NDArray) -> NDArray:
        """Leave-one-out residuals; what has not changed since the last targets costs nothing."""
        system, roots = self._system, self._system.samples.roots[:, None]
        if self._targets is None:
            self._projected = system.coordinates.T @ (roots * targets)
        else:
            step = targets - self._targets
            rows = np.flatnonzero(step.any(axis=1))
            self._projected += system.coordinates[rows].T @ (roots[rows] * step[rows])
        self._targets = targets
        centred = roots * (targets - system.samples.shares @ targets)
        return self._ridge.loo_residuals(centred, self._projected)[:, 0]


class _Scores:
    """Scores of the classes for predictions that are mixtures of classes.

    Minus half the squared distance from the predicted vector to that of a class, up to a number
    that the classes share, in a unit in which indicators have distance 2.
    """

    def __init__(self, vectors: NDArray):
        self._gram, self._n_columns = None, vectors.shape[1]
        if not np.array_equal(vectors, np.eye(len(vectors))):
            centred = vectors - vectors.mean(axis=0)
            unit = np.square(centred).sum() / (len(vectors) - 1)
            self._gram = centred @ centred.T / unit

    def __call__(self, mixtures: NDArray) -> NDArray:
        if self._gram is None:
            return mixtures
        return mixtures @ self._gram - np.diag(self._gram) / 2.0

    def mean_square(self, mixtures: NDArray, weights: NDArray) -> float:
        """Weighted mean square of a coordinate; never zero."""
        products = mixtures if self._gram is None else mixtures @ self._gram
        squares = weights @ (mixtures * products).sum(axis=1) / weights.sum()
        return max(squares / self._n_columns, 1e-12)


def _gains(
    targets: NDArray, scores: NDArray, classes: NDArray, weights: NDArray, n: int
) -> tuple[float, float]:
    """Gain of all samples, and that of the weak ones, which begin at n.

    It is the entropy of the mean target minus the log loss of the classes, at the temperature of
    the least loss.
    """
    below = scores - scores.max(axis=1, keepdims=True)
    of_class = below[np.arange(len(classes)), classes]
    losses = []
    for T in TEMPERATURES:
        right = np.exp(of_class / T) / np.exp(below / T).sum(axis=1)
        losses.append(-np.log((1.0 - WRONG) * right + WRONG / scores.shape[1]))
    gains = []
    for first in (0, n):
        shares = weights[first:] / weights[first:].sum()
        mean = shares @ targets[first:]
        gains.append(float(-xlogy(mean, mean).sum() - min(np.array(losses)[:, first:] @ shares)))
    return gains[0], gains[1]
