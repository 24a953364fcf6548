"""Conventions of the package, for the classifier of named classes."""

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_array_equal
from sklearn.base import clone

from ofer import Memberships, SemanticClassifier
from tests.ofer.samples import LABELS, VECTORS, WEAK, N, X, named, quiet


@quiet
def test_frames_of_class_vectors():
    names = np.array(["cat", "dog", "car"])
    frame = pd.DataFrame(VECTORS, index=names)
    model = SemanticClassifier(class_vectors=frame).fit(X, names[LABELS])
    expected = SemanticClassifier(class_vectors=dict(zip(names, VECTORS, strict=True)))
    expected.fit(X, names[LABELS])
    assert_array_equal(model.classes_, expected.classes_)
    assert_array_equal(model.class_vectors_, expected.class_vectors_)
    assert_array_equal(clone(model).fit(X, names[LABELS]).predict(X), expected.predict(X))
    numbers = SemanticClassifier(class_vectors=pd.DataFrame(VECTORS)).fit(X, LABELS)
    plain = SemanticClassifier(class_vectors=VECTORS).fit(X, LABELS)
    assert_array_equal(numbers.decision_function(X), plain.decision_function(X))
    frame.index = ["cat", "dog", "dog"]
    with pytest.raises(ValueError, match="class_vectors must have one row per label; got more for"):
        SemanticClassifier(class_vectors=frame).fit(X, names[LABELS])


@quiet
def test_weak_samples_have_the_features_of_the_labelled():
    model, membership = SemanticClassifier(WEAK, VECTORS), np.arange(N) % 2
    for permuted in (named(X)[list("cba")], named(X, "xyz")):
        with pytest.raises(ValueError, match=r"weak\.X must have the feature names of X"):
            model.fit(named(X), LABELS, weak=Memberships(permuted, membership))


@quiet
def test_weak_labels_need_two_components():
    model = clone(SemanticClassifier(WEAK, VECTORS))
    model.set_params(regressor__embedding__n_components=1)
    with pytest.raises(ValueError, match=r"among at least 2 components.*got n_components=1"):
        model.fit(X, LABELS, weak=Memberships(X, np.zeros(N, int)))
