"""Inference of open classes: every step against its definition, written out."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.special import softmax

from ofer import KernelSystem
from ofer.semantic.open_classes import (
    MAX_ROUNDS,
    PRIOR_SHARE,
    TEMPERATURES,
    WRONG,
    _gains,
    _Ridge,
    _Scores,
    infer_classes,
)

RNG = np.random.default_rng(0)
N, N_WEAK, K = 9, 30, 4
MEANS = RNG.normal(size=(K, 5))
KNOWN, TRUE = np.arange(N) % K, RNG.integers(K, size=N_WEAK)
FEW = MEANS[np.append(KNOWN, TRUE)] + 0.7 * RNG.normal(size=(N + N_WEAK, 5))
MANY = np.hstack([FEW, 0.2 * RNG.normal(size=(N + N_WEAK, 60))])
WEIGHTS = RNG.uniform(0.5, 2.0, size=N + N_WEAK)
WEIGHTS[[2, 5]] = 0.0
OPEN = (TRUE[:, None] % 2) == (np.arange(K) % 2)
VECTORS = MEANS[:, :3] + 1.0
GUESS = np.where(RNG.random(N_WEAK) < 0.5, OPEN.argmax(axis=1), K - 1 - OPEN[:, ::-1].argmax(1))
kinds = pytest.mark.parametrize("features", [FEW, MANY], ids=["primal", "dual"])
intercepts = pytest.mark.parametrize("fit_intercept", [True, False])
each_vectors = pytest.mark.parametrize("vectors", [np.eye(K), VECTORS], ids=["indicators", "own"])


def infer(alphas=(0.7,), features=FEW, weights=WEIGHTS, guess=GUESS, vectors=VECTORS, opened=OPEN):
    system = KernelSystem.from_features(features, weights)
    alone = None if guess is None else np.eye(len(vectors))[guess]
    return list(infer_classes(system, np.array(alphas), KNOWN, opened, alone, vectors))


@kinds
@intercepts
@pytest.mark.parametrize("weights", [WEIGHTS, None], ids=["weighted", "even"])
def test_residuals_after_changes_are_those_of_new_fits(features, fit_intercept, weights):
    """Left out, and of the fit; of targets that change in all rows, in some, and in none."""
    system, alpha = KernelSystem.from_features(features, weights, fit_intercept), 0.7
    assert system.is_dual == (features is MANY)
    kept, ridge = system.samples.rows, _Ridge(system, alpha)
    targets = RNG.normal(size=(N + N_WEAK, K))
    for rows in (slice(None), [0, 9, 33], [], slice(12, None), [20]):
        targets = targets.copy()
        targets[rows] += RNG.normal(size=targets[rows].shape)
        missed = ridge.learn(targets[kept])
        (expected,) = system.loo_residuals(targets, [alpha])
        assert_allclose(missed, expected[kept], atol=1e-10)
        fitted = system.solve(targets, alpha).predict(features)
        assert_allclose(missed * ridge.shrinkage, (targets - fitted)[kept], atol=1e-10)


@each_vectors
def test_scores_are_half_squared_distances(vectors):
    """Up to a number for each row, and in the unit of indicators, whose distance is 2."""
    mixtures = RNG.dirichlet(np.ones(K), size=7)
    squares = np.square((mixtures @ vectors)[:, None] - vectors).sum(axis=2)
    centred = vectors - vectors.mean(axis=0)
    unit = np.square(centred).sum() / (K - 1)
    expected = -squares / 2.0 / unit
    found = _Scores(vectors)(mixtures)
    assert_allclose(found - found[:, :1], expected - expected[:, :1], atol=1e-12)
    residuals = mixtures - mixtures[::-1]  # whose rows sum to zero
    weights = np.arange(1.0, 8.0)
    squares = np.square(residuals @ vectors).mean(axis=1) / unit
    found = _Scores(vectors).mean_square(residuals, weights)
    assert_allclose(found, np.average(squares, weights=weights))


def gain_by_hand(targets, scores, classes, weights):
    """A loop over samples, and a finer grid of temperatures than none."""
    shares = weights / weights.sum()
    mean = sum(share * row for share, row in zip(shares, targets, strict=True))
    entropy = -sum(q * np.log(q) for q in mean if q > 0)
    losses = []
    for T in TEMPERATURES:
        loss = 0.0
        for share, row, k in zip(shares, scores, classes, strict=True):
            loss -= share * np.log((1 - WRONG) * softmax(row / T)[k] + WRONG / len(row))
        losses.append(loss)
    return entropy - min(losses)


def test_the_gain_is_its_definition():
    """Of all samples, and of those from the fourth on, with a temperature of their own."""
    targets, scores = RNG.dirichlet(np.ones(K), size=11), RNG.normal(size=(11, K))
    classes, weights = RNG.integers(K, size=11), RNG.uniform(0.5, 2.0, size=11)
    parts = targets, scores, classes, weights
    expected = gain_by_hand(*parts), gain_by_hand(*(part[3:] for part in parts))
    assert _gains(*parts, 3) == pytest.approx(expected)
    assert abs(expected[0] - expected[1]) > 0.01
    without = _gains(*parts, 0)  # no labelled sample
    assert without == pytest.approx((expected[0], expected[0]))


def test_the_gain_of_scores_that_say_nothing_or_all():
    """Even scores gain nothing where classes are even, and right ones log K; one class, nothing."""
    classes = np.repeat(np.arange(K), 5)
    targets, even = np.eye(K)[classes], np.ones(20)
    assert _gains(targets, np.zeros((20, K)), classes, even, 0)[0] == pytest.approx(0.0, abs=1e-12)
    best = np.log(K) + np.log(1.0 - WRONG + WRONG / K)
    assert _gains(targets, targets, classes, even, 0)[0] == pytest.approx(best)
    alone = np.eye(K)[np.zeros(20, int)]
    assert _gains(alone, alone, np.zeros(20, int), even, 0)[0] <= 0.0


def inferred_by_hand(start, alpha, vectors, fit_intercept=True):
    """The alternation by plain fits, with scores as distances of predicted vectors."""
    system = KernelSystem.from_features(FEW, WEIGHTS, fit_intercept)
    kept = WEIGHTS > 0
    labelled, seen = np.flatnonzero(kept[:N]), kept.nonzero()[0]
    indicators, prior = np.eye(K), OPEN / OPEN.sum(axis=1, keepdims=True)
    unit = np.square(vectors - vectors.mean(axis=0)).sum() / (K - 1)

    def scores(mixtures):
        return -np.square((mixtures @ vectors)[:, None] - vectors).sum(axis=2) / (2.0 * unit)

    def targets_of(q):
        weak = PRIOR_SHARE * prior + (1.0 - PRIOR_SHARE) * q
        return np.vstack([indicators[KNOWN], weak])

    if start == "averaged":
        targets = np.vstack([indicators[KNOWN], prior])
        (missed,) = system.loo_residuals(targets, [alpha])
        squares = np.square(missed[labelled] @ vectors).mean(axis=1) / unit
        variance = np.average(squares, weights=WEIGHTS[labelled])
        found = scores(system.solve(targets, alpha).predict(FEW)[N:])
        q = softmax(np.where(OPEN, found / variance, -np.inf), axis=1)
    else:
        q = indicators[GUESS]
    targets, chosen = targets_of(q), None
    (missed,) = system.loo_residuals(targets, [alpha])
    found = scores((targets - missed)[N:])
    for n_rounds in range(MAX_ROUNDS + 1):
        following = np.where(OPEN, found, -np.inf).argmax(axis=1)
        if n_rounds == MAX_ROUNDS or (chosen is not None and (following == chosen).all()):
            break
        chosen = following
        targets = targets_of(indicators[chosen])
        found = scores(system.solve(targets, alpha).predict(FEW)[N:])
    (missed,) = system.loo_residuals(targets, [alpha])
    found = scores((targets - missed)[seen])
    classes = np.append(KNOWN, chosen)
    gain = gain_by_hand(targets[seen], found, classes[seen], WEIGHTS[seen])
    weak = gain_by_hand(targets[N:], found[len(labelled) :], chosen, WEIGHTS[N:])
    return gain, weak, n_rounds, targets[seen]


@each_vectors
@pytest.mark.parametrize("alpha", [0.01, 0.7, 20.0])
def test_the_alternation_is_that_of_plain_fits(vectors, alpha):
    starts = infer([alpha], vectors=vectors)
    assert [found.start for found in starts] == ["averaged", "restricted"]
    for found in starts:
        gain, weak_gain, n_rounds, targets = inferred_by_hand(found.start, alpha, vectors)
        assert_allclose(found.targets, targets, atol=1e-10)
        assert found.n_rounds == n_rounds >= 1
        assert (found.gain, found.weak_gain) == pytest.approx((gain, weak_gain), abs=1e-9)
        assert found.alpha == alpha


def test_the_starts_differ_here():
    """Otherwise the comparison above would hold for one start that is taken twice."""
    assert len({found.gain for found in infer()}) == 2
    assert [found.start for found in infer(guess=None)] == ["averaged"]


def test_no_class_is_chosen_that_is_closed():
    for found in infer([0.01, 1.0, 100.0]):
        weak = found.targets[-N_WEAK:]
        assert not weak[~OPEN].any()
        assert_allclose(found.targets.sum(axis=1), 1.0)
        # A quarter is spread over the two open classes, and the rest has one of them.
        assert_allclose(np.sort(weak, axis=1)[:, -2:], np.tile([0.125, 0.875], (N_WEAK, 1)))


def test_neither_samples_nor_classes_have_an_order():
    order, new = RNG.permutation(N_WEAK), RNG.permutation(K)  # class k is now called new[k]
    rows, old = np.append(np.arange(N), N + order), np.argsort(new)
    for one, other in zip(
        infer([0.1, 1.0]),
        infer(
            [0.1, 1.0],
            FEW[rows],
            WEIGHTS[rows],
            GUESS[order],
            opened=OPEN[order],
        ),
        strict=True,
    ):
        assert_allclose(other.targets[-N_WEAK:], one.targets[-N_WEAK:][order])
        assert other.gain == pytest.approx(one.gain)
    system = KernelSystem.from_features(FEW, WEIGHTS)
    renamed = infer_classes(
        system, np.array([0.1, 1.0]), new[KNOWN], OPEN[:, old], np.eye(K)[new[GUESS]], VECTORS[old]
    )
    for one, other in zip(infer([0.1, 1.0]), renamed, strict=True):
        assert_allclose(other.targets, one.targets[:, old])
        assert (other.gain, other.weak_gain) == pytest.approx((one.gain, one.weak_gain))


def test_unit_and_origin_of_the_vectors_have_no_part():
    moved = infer([0.1, 1.0], vectors=1e3 * VECTORS - 7.0)
    for one, other in zip(infer([0.1, 1.0]), moved, strict=True):
        assert_array_equal(one.targets, other.targets)
        assert one.gain == pytest.approx(other.gain)


def test_indicators_are_vectors_as_others():
    """They have a way of their own, which must not show."""
    turned = np.eye(K) @ np.linalg.qr(RNG.normal(size=(K, K)))[0]
    for one, other in zip(infer(vectors=np.eye(K)), infer(vectors=turned), strict=True):
        assert_allclose(one.targets, other.targets)
        assert one.gain == pytest.approx(other.gain)


def test_a_class_that_is_sure_from_the_start_takes_one_round():
    """All rows have one open class: what is learnt in the first round does not change."""
    for found in infer(opened=np.eye(K, dtype=bool)[TRUE], guess=TRUE):
        assert_array_equal(found.targets[-N_WEAK:], np.eye(K)[TRUE])
        assert found.n_rounds == 1
