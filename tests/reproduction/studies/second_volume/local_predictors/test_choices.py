"""How local predictors and the features of scenes are chosen inside training parts."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.datasets import make_classification
from sklearn.model_selection import KFold, cross_val_score
from sklearn.neighbors import KNeighborsClassifier
from sklearn.preprocessing import normalize

from reproduction.studies.second_volume.local_predictors import scene_features
from reproduction.studies.second_volume.local_predictors.line_search import LineSearchCV

FOLDS = KFold(3, shuffle=True, random_state=0)


@pytest.fixture(scope="module")
def samples():
    return make_classification(150, n_informative=6, n_classes=3, random_state=0)


def score(samples, **params):
    return cross_val_score(KNeighborsClassifier(**params), *samples, cv=FOLDS).mean()


@pytest.mark.parametrize("start", [1, 9, 60])
def test_a_parameter_goes_on_while_the_score_rises(samples, start):
    line = [1, 5, 9, 20, 60]
    search = LineSearchCV(KNeighborsClassifier(start), {"n_neighbors": line}, cv=FOLDS)
    best = search.fit(*samples).best_params_["n_neighbors"]
    scores = [score(samples, n_neighbors=k) for k in line]
    place, end = line.index(start), line.index(best)
    walked = scores[min(place, end) : max(place, end) + 1]
    assert walked == sorted(walked, reverse=end < place)
    step = 1 if end >= place else -1
    beyond = end + step
    assert not 0 <= beyond < len(line) or scores[beyond] <= scores[end]
    assert search.best_score_ == scores[end] >= scores[place]
    model = KNeighborsClassifier(best).fit(*samples)
    assert_array_equal(search.predict(samples[0]), model.predict(samples[0]))


@pytest.fixture
def scenes(monkeypatch):
    """Positive rows that are all alike but for small parts."""
    monkeypatch.setitem(scene_features.PARAMETERS, "n_components", [2, 4])
    rng = np.random.default_rng(0)
    y = rng.integers(0, 3, size=120)
    return normalize(9.0 + np.eye(3)[y] @ rng.normal(size=(3, 10)) + rng.random((120, 10))), y


def test_forms_are_fitted_to_the_training_part(scenes):
    X, _ = scenes
    seen, others = np.arange(90), np.arange(90, 120)
    forms = scene_features.forms_of(X, seen)
    assert list(forms) == ["as they are", "centred", "2 components", "4 components"]
    assert_allclose(forms["centred"], normalize(X - X[seen].mean(axis=0)), atol=1e-12)
    changed = X.copy()
    changed[others] = normalize(np.random.default_rng(1).random((30, 10)))
    for name, form in scene_features.forms_of(changed, seen).items():
        assert_array_equal(form[seen], forms[name][seen])


def test_test_samples_and_hidden_labels_have_no_part_in_the_form(scenes):
    X, y = scenes
    seen = np.arange(90)
    given = np.where(np.arange(90) % 2, y[:90], -1)
    name, form = scene_features.choose_form(X, seen, given, seed=0)
    changed = X.copy()
    changed[90:] = X[:30]
    assert scene_features.choose_form(changed, seen, given, seed=0)[0] == name
    assert_allclose(form, scene_features.forms_of(X, seen)[name])
