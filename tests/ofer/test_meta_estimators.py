"""Each estimator in each of scikit-learn's meta-estimators that takes its kind.

What comes out is right, or there is an error before the fit.
"""

import inspect
import re

import numpy as np
import pytest
from sklearn import ensemble, feature_selection, multiclass, multioutput
from sklearn.base import clone, is_classifier, is_regressor
from sklearn.calibration import CalibratedClassifierCV
from sklearn.compose import TransformedTargetRegressor
from sklearn.linear_model import LinearRegression, RANSACRegressor
from sklearn.metrics import accuracy_score, r2_score
from sklearn.model_selection import (
    FixedThresholdClassifier,
    GridSearchCV,
    RandomizedSearchCV,
    TunedThresholdClassifierCV,
    cross_val_predict,
)
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.semi_supervised import SelfTrainingClassifier
from sklearn.tree import DecisionTreeClassifier
from sklearn.utils import all_estimators, get_tags

from ofer import SemanticClassifier, TunedThresholdMultilabelClassifier
from tests.ofer.estimators import ENTRIES

pytestmark = pytest.mark.filterwarnings("ignore")
RNG = np.random.default_rng(0)
BASE = np.arange(48) % 3
X = 3 * np.eye(3)[BASE] + 0.3 * RNG.normal(size=(48, 3))
Y = np.column_stack([X[:, 0] - X[:, 1], X[:, 1] + 0.5 * X[:, 2]]) + 0.05 * RNG.normal(size=(48, 2))

EITHER = {
    "GridSearchCV": lambda one: GridSearchCV(one, {}, cv=2),
    "RandomizedSearchCV": lambda one: RandomizedSearchCV(one, {}, n_iter=1, cv=2),
}
IMPORTANCE = ("RFE", "RFECV", "SelectFromModel")  # of features, which kernel machines have not
CLASSIFIERS = EITHER | {
    "AdaBoostClassifier": lambda one: ensemble.AdaBoostClassifier(one, n_estimators=2),
    "BaggingClassifier": lambda one: ensemble.BaggingClassifier(one, 2, random_state=0),
    "CalibratedClassifierCV": lambda one: CalibratedClassifierCV(one, cv=2),
    "OneVsOneClassifier": multiclass.OneVsOneClassifier,
    "OneVsRestClassifier": multiclass.OneVsRestClassifier,
    "OutputCodeClassifier": lambda one: multiclass.OutputCodeClassifier(one, code_size=4),
    "SelfTrainingClassifier": SelfTrainingClassifier,
    "StackingClassifier": lambda one: ensemble.StackingClassifier(
        [("one", one)], DecisionTreeClassifier(), cv=2
    ),
    "VotingClassifier": lambda one: ensemble.VotingClassifier([("one", one)]),
}
REGRESSORS = EITHER | {
    "AdaBoostRegressor": lambda one: ensemble.AdaBoostRegressor(one, n_estimators=2),
    "BaggingRegressor": lambda one: ensemble.BaggingRegressor(one, 2, random_state=0),
    "MultiOutputRegressor": multioutput.MultiOutputRegressor,
    "RANSACRegressor": lambda one: RANSACRegressor(one, min_samples=40, random_state=0),
    "RegressorChain": multioutput.RegressorChain,
    "SequentialFeatureSelector": lambda one: make_pipeline(
        feature_selection.SequentialFeatureSelector(one, n_features_to_select=2, cv=2),
        LinearRegression(),
    ),
    "StackingRegressor": lambda one: ensemble.StackingRegressor(
        [("one", one)], LinearRegression(), cv=2
    ),
    "TransformedTargetRegressor": lambda one: TransformedTargetRegressor(
        one, transformer=StandardScaler()
    ),
    "VotingRegressor": lambda one: ensemble.VotingRegressor([("one", one)]),
}
BINARY = {
    "ClassifierChain": multioutput.ClassifierChain,
    "FixedThresholdClassifier": FixedThresholdClassifier,
    "MultiOutputClassifier": multioutput.MultiOutputClassifier,
    "TunedThresholdClassifierCV": lambda one: TunedThresholdClassifierCV(
        one, scoring="accuracy", cv=2
    ),
}
OTHERS = {"ColumnTransformer", "FeatureUnion", "FrozenEstimator", "Pipeline"}  # harness, pipelines
ONE_OUTPUT = ("AdaBoostRegressor", "StackingRegressor", "VotingRegressor")
OF_CLASSES = {type(e.estimator): e.estimator for e in ENTRIES[::-1] if is_classifier(e.estimator)}
OF_CLASSES.pop(TunedThresholdMultilabelClassifier)
OF_NUMBERS = {type(e.estimator): e.estimator for e in ENTRIES[::-1] if is_regressor(e.estimator)}
REFUSALS = (
    r"parameter of \w+ must be",  # it has no scores
    "doesn't support sample_weight",
    "has dtype string",
    "must have a `decision_function` or `predict_proba`|has no attribute 'predict_proba'",
    "class_vectors must|y and class_vectors must",
)


def test_every_meta_estimator_is_here():
    parts = {"estimator", "estimators", "regressor", "classifier", "transformers", "steps"}
    parts |= {"transformer_list", "base_estimator"}
    found = {
        name
        for name, cls in all_estimators()
        if not name.startswith("Halving")  # there where another test has enabled them
        and parts & inspect.signature(cls.__init__).parameters.keys()
    }
    assert found == {*CLASSIFIERS, *REGRESSORS, *BINARY, *IMPORTANCE, *OTHERS}


def right_or_refused(model, y, score):
    try:
        predicted = model.fit(X, y).predict(X)
    except (ValueError, AttributeError) as error:
        assert re.search("|".join(REFUSALS), str(error)), error  # noqa: PT017
    else:
        assert score(y, predicted) > 0.75


@pytest.mark.parametrize("labels", [[1, 3, 4], ["b", "c", "a"]], ids=["numbers", "names"])
@pytest.mark.parametrize("meta", CLASSIFIERS)
@pytest.mark.parametrize("cls", OF_CLASSES, ids=lambda cls: cls.__name__)
def test_classifiers(cls, meta, labels):
    estimator = clone(OF_CLASSES[cls])
    if cls is SemanticClassifier:
        estimator = SemanticClassifier()
    right_or_refused(CLASSIFIERS[meta](estimator), np.array(labels)[BASE], accuracy_score)


@pytest.mark.parametrize("meta", BINARY)
@pytest.mark.parametrize("cls", OF_CLASSES, ids=lambda cls: cls.__name__)
def test_two_classes(cls, meta):
    estimator = SemanticClassifier() if cls is SemanticClassifier else clone(OF_CLASSES[cls])
    y = np.column_stack([BASE == 0, BASE == 1]).astype(int)
    y = y if "Threshold" not in meta else y[:, 0]
    right_or_refused(BINARY[meta](estimator), y, lambda a, b: np.mean(a == b))


@pytest.mark.parametrize("meta", REGRESSORS)
@pytest.mark.parametrize("cls", OF_NUMBERS, ids=lambda cls: cls.__name__)
def test_regressors(cls, meta):
    y = Y[:, 0] if meta in ONE_OUTPUT else Y
    right_or_refused(REGRESSORS[meta](clone(OF_NUMBERS[cls])), y, r2_score)


@pytest.mark.parametrize("meta", IMPORTANCE)
@pytest.mark.parametrize("cls", [*OF_CLASSES, *OF_NUMBERS], ids=lambda cls: cls.__name__)
def test_what_has_no_weights_of_features_selects_none(cls, meta):
    """With `coef_` for each feature, as of the linear kernel, there is a choice of features."""
    estimator = clone((OF_CLASSES | OF_NUMBERS)[cls])
    y = BASE if cls in OF_CLASSES else Y[:, 0]
    model = getattr(feature_selection, meta)(estimator)
    if hasattr(clone(estimator).fit(X, y), "coef_"):
        assert np.shape(model.fit(X, y).get_support()) == (3,)
        return
    with pytest.raises(ValueError, match="importance_getter"):
        model.fit(X, y).get_support()


VECTORS = np.eye(5)[:, ::-1] + 0.1 * RNG.normal(size=(5, 5))


@pytest.mark.parametrize("labels", [[1, 3, 4], [0, 1, 2], [0, 2, 4]])
@pytest.mark.parametrize("keys", ["places", "mapping"])
@pytest.mark.parametrize(
    "meta",
    ["VotingClassifier", "StackingClassifier", "BaggingClassifier", "OneVsRestClassifier",
     "OneVsOneClassifier"],
)  # fmt: skip
def test_vectors_are_those_of_the_own_labels(meta, keys, labels):
    vectors = VECTORS if keys == "places" else dict(enumerate(VECTORS))
    model, y = SemanticClassifier(class_vectors=vectors), np.array(labels)[BASE]
    assert accuracy_score(y, model.fit(X, y).predict(X)) > 0.9
    with pytest.raises(ValueError, match=r"class_vectors must be a mapping from names.* of 5"):
        CLASSIFIERS[meta](model).fit(X, y)


def test_all_labels_may_be_numbered():
    model, y = SemanticClassifier(class_vectors=VECTORS[:3]), BASE
    voting = ensemble.VotingClassifier([("one", model)]).fit(X, y)
    assert (voting.predict(X) == model.fit(X, y).predict(X)).all()


@pytest.mark.parametrize("scoring", ["roc_auc", "average_precision"])
def test_labels_together(scoring):
    model, labels = TunedThresholdMultilabelClassifier(), (Y > 0).astype(int)
    assert get_tags(model).classifier_tags.multi_label
    found = cross_val_predict(model, X, labels, method="decision_function", cv=3)
    assert np.mean((found > 0) == labels) > 0.9
    stack = ensemble.StackingClassifier([("one", model)], model, cv=3).fit(X, labels)
    assert np.mean(stack.predict(X) == labels) > 0.9
    assert GridSearchCV(model, {}, cv=3, scoring=scoring).fit(X, labels).best_score_ > 0.9
