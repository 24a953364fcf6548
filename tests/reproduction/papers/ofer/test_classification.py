import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.stats import rankdata
from sklearn.frozen import FrozenEstimator
from sklearn.multiclass import OneVsRestClassifier
from sklearn.svm import SVC

from ofer import (
    InputOutputKernelRegressor,
    KernelRidgeCV,
    OutputFisherRegressor,
    SemanticClassifier,
)
from ofer.kernels import median_gamma
from reproduction.papers.ofer.images import classification as module
from reproduction.papers.ofer.images.classification import (
    COMPARED,
    WEAK,
    evaluate,
    mean_rank,
    predict,
)
from reproduction.papers.ofer.images.linear_ridge import LinearRidge
from reproduction.papers.ofer.images.tasks import describe, draw, take

SIZES = {"largest": 4, "n_test": 100}


def make_data(seed=0):
    """Twelve classes in three groups; inputs are noisy linear images of the class vectors."""
    rng = np.random.default_rng(seed)
    vectors = np.repeat(rng.normal(size=(3, 6)), 4, axis=0) + 0.3 * rng.normal(size=(12, 6))
    labels = rng.permutation(np.repeat(np.arange(12), 30))
    features = vectors[labels] @ rng.normal(size=(6, 20)) + rng.normal(size=(360, 20))
    return describe(features + 3.0, labels, vectors, [1, 2, 3, 5], **SIZES)


@pytest.fixture(scope="module")
def data():
    return make_data()


@pytest.fixture
def one_ridge(monkeypatch):
    """No choice but the mixture of five components."""
    monkeypatch.setitem(module.PARAMETERS, "alphas", [0.1])
    monkeypatch.setitem(module.PARAMETERS, "n_components", [5])
    monkeypatch.setitem(module.PARAMETERS, "weak_weights", [0.3])
    return 0.1


def task_of(data, per_class=3, split=0):
    return take(data, per_class, split)


@pytest.mark.parametrize("fit_intercept", [True, False])
@pytest.mark.parametrize("shape", [(15, 40), (40, 15)])
def test_linear_ridge_is_kernel_ridge(shape, fit_intercept):
    rng = np.random.default_rng(0)
    X, Y, new = rng.normal(size=shape) + 1.0, rng.normal(size=(shape[0], 3)), np.ones((2, shape[1]))
    weights = rng.uniform(0.2, 2.0, size=shape[0])
    ridge = LinearRidge(X, weights, fit_intercept=fit_intercept)
    reference = KernelRidgeCV([0.5 * ridge.scale], fit_intercept=fit_intercept)
    reference.fit(X, Y, sample_weight=weights)
    assert_allclose(ridge.fit(Y, 0.5).predict(new), reference.predict(new), atol=1e-10)
    (loo,) = ridge.path(Y, [0.5])
    assert_allclose(Y - loo, reference.loo_residuals_, atol=1e-10)
    default = KernelRidgeCV(fit_intercept=fit_intercept).fit(X, Y, sample_weight=weights)
    assert ridge.scale == pytest.approx(default.alphas_[12])


def test_splits_are_disjoint_nested_and_balanced(data):
    test, others = draw(data.y, split=3, random_state=1, **SIZES)
    assert_array_equal(np.sort(np.concatenate([test, others])), np.arange(360))
    assert len(test) == 100
    assert_array_equal(draw(data.y, split=3, random_state=1, **SIZES)[0], test)
    assert set(draw(data.y, split=4, random_state=1, **SIZES)[0]) != set(test)
    small, large = task_of(data, 2), task_of(data, 4)
    assert_array_equal(np.bincount(small.y), np.full(12, 2))
    assert_array_equal(np.bincount(large.y), np.full(12, 4))
    assert {row.tobytes() for row in small.X} < {row.tobytes() for row in large.X}
    assert_array_equal(small.X_test, large.X_test)
    seen = [{row.tobytes() for row in part} for part in (small.X, small.X_weak, small.X_test)]
    assert len(set.union(*seen)) == sum(map(len, seen)) == 360


def test_mean_rank():
    scores = np.array([[1.0, 2.0, 3.0, 4.0], [5.0, 5.0, 0.0, 9.0]])
    y = np.array([1, 0])
    expected = [rankdata(-row)[k] - 1 for row, k in zip(scores, y, strict=True)]
    assert expected == [2.0, 1.5]
    assert mean_rank(scores, y) == np.mean(expected)


@pytest.mark.parametrize("method", dict.fromkeys((*COMPARED, *WEAK)))
def test_metrics(method, data):
    task = task_of(data)
    found = evaluate(method, data, task)
    predicted, chosen = predict(method, data, task)
    accuracy = 100 * np.mean(predicted == task.y_test)
    assert found == {"accuracy": pytest.approx(accuracy), **chosen}
    assert found["accuracy"] > 3 * 100 / 12, "three times chance"
    weak = method in module.WEAK_SIZES
    assert ("n_components" in found) == (weak or "OFER" in method)
    assert ("weak_weight" in found) == weak


@pytest.mark.parametrize(
    ("method", "intercept", "metric"),
    [("Sem-KRR", False, "euclidean"), ("Sem-KRR centred", True, "cosine")],
)
def test_sem_krr_is_the_classifier(method, intercept, metric, data, one_ridge):
    task = task_of(data)
    alpha = one_ridge * LinearRidge(task.X, fit_intercept=intercept).scale
    regressor = KernelRidgeCV([alpha], fit_intercept=intercept)
    model = SemanticClassifier(regressor, data.vectors, metric=metric).fit(task.X, task.y)
    assert_array_equal(predict(method, data, task)[0], model.predict(task.X_test))


@pytest.mark.parametrize(
    ("method", "intercept", "metric"),
    [("Sem-IOKR", False, "euclidean"), ("Sem-IOKR centred", True, "cosine")],
)
def test_sem_iokr_is_the_classifier(method, intercept, metric, data, one_ridge):
    task = task_of(data)
    alpha = one_ridge * LinearRidge(task.X, fit_intercept=intercept).scale
    regressor = InputOutputKernelRegressor(
        [alpha], fit_intercept=intercept, output_gamma=median_gamma(data.vectors)
    )
    model = SemanticClassifier(regressor, data.vectors, metric=metric).fit(task.X, task.y)
    assert_array_equal(predict(method, data, task)[0], model.predict(task.X_test))


def test_one_hot_ridge_is_the_classifier(data, one_ridge):
    task = task_of(data)
    alpha = one_ridge * LinearRidge(task.X).scale
    model = SemanticClassifier(KernelRidgeCV([alpha])).fit(task.X, task.y)
    assert_array_equal(predict("one-hot ridge", data, task)[0], model.predict(task.X_test))


def test_ofer_is_the_classifier(data, one_ridge):
    task = task_of(data)
    regressor = OutputFisherRegressor(
        FrozenEstimator(data.natural[5]), KernelRidgeCV([one_ridge * LinearRidge(task.X).scale])
    )
    model = SemanticClassifier(regressor, data.vectors, metric="cosine").fit(task.X, task.y)
    assert_array_equal(predict("OFER-GMM", data, task)[0], model.predict(task.X_test))


def test_ofer_as_printed_is_the_classifier(data, one_ridge):
    task = task_of(data)
    scale = LinearRidge(task.X, fit_intercept=False).scale
    regressor = OutputFisherRegressor(
        FrozenEstimator(data.printed[5]),
        KernelRidgeCV([one_ridge * scale], fit_intercept=False),
        block_wise=False,
    )
    model = SemanticClassifier(regressor, data.vectors, decode="output").fit(task.X, task.y)
    assert_array_equal(predict("OFER-GMM as printed", data, task)[0], model.predict(task.X_test))


def test_weak_memberships_are_those_of_the_regressor(data):
    task = task_of(data)
    (target,) = (t for t in module._wide_mixtures(data, task) if t.n_components == 5)
    ridge, memberships = module.weak_problem(target, task, 70, 0.3)
    fit = ridge.fit(memberships, 0.1)
    mixture = data.natural[5]
    model = OutputFisherRegressor(FrozenEstimator(mixture), KernelRidgeCV([0.1 * ridge.scale])).fit(
        task.X,
        data.vectors[task.y],
        X_weak=task.X_weak[:70],
        membership_weak=mixture.predict_proba(data.vectors).argmax(axis=1)[task.y_weak[:70]],
        weak_weight=0.3,
    )
    expected = model.predict_embedding(task.X_test)[:, mixture.blocks_["membership"]]
    assert_allclose(fit.predict(task.X_test), expected, atol=1e-9)


def test_one_component_is_sem_krr(data, monkeypatch):
    """Identity: a mixture of one component adds nothing, in either form."""
    monkeypatch.setitem(module.PARAMETERS, "n_components", [1])
    task = task_of(data)
    pairs = [("OFER-GMM", "Sem-KRR centred"), ("wOFER+700", "Sem-KRR centred")]
    for method, reference in pairs:
        assert_array_equal(predict(method, data, task)[0], predict(reference, data, task)[0])


def test_support_vector_machines_are_one_against_the_rest(data):
    task = task_of(data, 1)
    model = OneVsRestClassifier(SVC(kernel="linear", C=module.PARAMETERS["svm_C_for_one"]))
    expected = model.fit(task.X, task.y).predict(task.X_test)
    assert_array_equal(predict("m-SVM", data, task)[0], expected)


def test_predictions_do_not_see_the_test_part(data):
    task = task_of(data)
    part = task._replace(X_test=task.X_test[:7], y_test=task.y_test[::-1][:7])
    for method in COMPARED:
        assert_array_equal(predict(method, data, part)[0], predict(method, data, task)[0][:7])
    whole, _ = predict("wOFER+700", data, task)
    assert_array_equal(predict("wOFER+700", data, part)[0], whole[:7])


def test_weak_labels_are_components_and_nothing_more(data):
    """Classes of one component are the same weak label."""
    task = task_of(data)
    component = data.natural[3].predict_proba(data.vectors).argmax(axis=1)
    representative = np.array([np.flatnonzero(component == c)[0] for c in component])
    blurred = task._replace(y_weak=representative[task.y_weak])
    (target,) = (t for t in module._wide_mixtures(data, task) if t.n_components == 3)
    _, told = module.weak_problem(target, task, 70, 0.5)
    _, blurred_told = module.weak_problem(target, blurred, 70, 0.5)
    assert_array_equal(told, blurred_told)
    assert (task.y_weak[:70] != blurred.y_weak[:70]).any()


def test_imputed_weak_labels_spread_over_the_classes_of_a_component(data):
    """If nobody shared a component, they would be labels."""
    task = task_of(data)
    (target,) = module._imputed(data, task)
    assert_allclose(target.told.sum(axis=1), 1.0)
    assert_allclose(target.told, target.told.T)
    component = data.natural[target.n_components].predict_proba(data.vectors).argmax(axis=1)
    assert_array_equal(target.told > 0, component[:, None] == component)
    ridge, told = module.weak_problem(target._replace(told=np.eye(12)), task, 70, 1.0)
    X, y = np.vstack([task.X, task.X_weak[:70]]), np.concatenate([task.y, task.y_weak[:70]])
    expected = LinearRidge(X).fit(np.eye(12)[y], 0.1).predict(task.X_test)
    assert_allclose(ridge.fit(told, 0.1).predict(task.X_test), expected, atol=1e-12)
