"""Weak samples as one argument."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.model_selection import KFold, cross_validate

from ofer import (
    Bounds,
    Candidates,
    Classes,
    GaussianMixtureEmbedding,
    KernelRidgeCV,
    Memberships,
    OutputFisherRegressor,
    SemanticClassifier,
)

RNG = np.random.default_rng(0)
X, Y = RNG.normal(size=(30, 3)), RNG.normal(size=(30, 2))
X_WEAK = RNG.normal(size=(30, 3))
LABELS = np.arange(30) % 2
OFER = OutputFisherRegressor(GaussianMixtureEmbedding(2, random_state=0), KernelRidgeCV([0.5]))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ({"membership_weak": LABELS}, "Memberships(X_weak, membership_weak)"),
        ({"y_weak": LABELS}, "Classes(X_weak, y_weak)"),
        ({"bounds_weak": (Y, Y)}, "Bounds(X_weak, low, high)"),
        ({"weak_weight": 0.5}, "Memberships(X_weak, membership_weak, weight=weak_weight)"),
        (
            {"candidates_weak": Y, "weak_weight": 1.0},
            "Candidates(X_weak, candidates_weak, weight=weak_weight)",
        ),
    ],
)
@pytest.mark.parametrize("model", [OFER, SemanticClassifier(OFER)])
def test_old_words_are_answered_with_the_new_line(model, old, new):
    with pytest.raises(TypeError) as raised:
        model.fit(X, LABELS, X_weak=X_WEAK, **old)
    words = ", ".join(sorted({"X_weak", *old}))
    assert str(raised.value) == f"{words} must be one argument now: weak={new}."


@pytest.mark.parametrize(
    ("model", "weak"),
    [
        (OFER, Classes(X_WEAK, LABELS)),
        (OFER, (X_WEAK, LABELS)),
        (SemanticClassifier(OFER), Bounds(X_WEAK, 0.0, 1.0)),
        (SemanticClassifier(OFER), {"X": X_WEAK}),
    ],
)
def test_other_kinds_are_refused(model, weak):
    with pytest.raises(TypeError, match="weak must be None or of one of the classes "):
        model.fit(X, LABELS, weak=weak)


@pytest.mark.parametrize("kind", [Memberships, Classes, Candidates, Bounds])
def test_what_no_fit_could_take_is_refused_at_once(kind):
    labels = [LABELS] if kind is not Bounds else [0.0, 1.0]
    for weight in (0.0, -1.0, np.nan, np.inf):
        with pytest.raises(ValueError, match="weight must be"):
            kind(X_WEAK, *labels, weight=weight)
    with pytest.raises(TypeError, match="weight must be a real number"):
        kind(X_WEAK, *labels, weight="automatic")
    with pytest.raises(ValueError, match="X must be the inputs of weak samples; got None"):
        kind(None, *labels)


def test_cross_validation_gives_every_fold_all_weak_samples():
    """Even if there are as many as labelled ones, which scikit-learn would cut as it cuts X."""
    weak, folds = Memberships(X_WEAK, LABELS, weight=1.0), KFold(3)
    found = cross_validate(OFER, X, Y, cv=folds, params={"weak": weak}, scoring="r2")
    expected = []
    for train, test in folds.split(X):
        model = OFER.fit(X[train], Y[train], weak=weak)
        expected.append(model.score(X[test], Y[test]))
    assert_allclose(found["test_score"], expected)
