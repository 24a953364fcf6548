import numpy as np
import pytest
from numpy.testing import assert_array_equal
from scipy.stats import rankdata
from sklearn.base import clone
from sklearn.frozen import FrozenEstimator
from sklearn.multiclass import OneVsRestClassifier
from sklearn.svm import SVC

from ofer import (
    InputOutputKernelRegressor,
    KernelRidgeCV,
    Memberships,
    OutputFisherRegressor,
    SemanticClassifier,
)
from ofer.kernels import median_gamma
from reproduction.methods.classifiers import CLASSIFIERS
from reproduction.methods.mean_rank import mean_rank
from reproduction.studies.images import classification as module
from reproduction.studies.images import weak_as_printed
from reproduction.studies.images.classification import (
    COMPARED,
    MIXED,
    predict,
)
from reproduction.studies.images.tasks import describe, draw, take

# The grids are those of the protocol.
pytestmark = pytest.mark.filterwarnings("ignore:alphas should have")
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


def task_of(data, per_class=3, split=0):
    return take(data, per_class, split)


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


@pytest.fixture
def few_choices(monkeypatch):
    """Two ridges, two sizes of mixtures, two weights."""
    monkeypatch.setitem(module.PARAMETERS, "alphas", [0.05, 1.0])
    monkeypatch.setitem(module.PARAMETERS, "n_components", [2, 5])
    monkeypatch.setitem(module.PARAMETERS, "weak_weights", [0.3, 1.0])


def ridges_of(X, weights=None, *, fit_intercept=True):
    """The ridges to choose from, in units of the mean eigenvalue of the centred kernel."""
    middle = (
        KernelRidgeCV("fixed", fit_intercept=fit_intercept).fit(X, X[:, 0], weights).alphas_[12]
    )
    return [middle * alpha for alpha in module.PARAMETERS["alphas"]]


def classifier(method, data, alpha, mixture):
    """A row of the tables as an estimator with one ridge."""
    printed = method.startswith("OFER-GMM as printed")
    options = {"fit_intercept": not (printed or method in ("Sem-KRR", "Sem-IOKR"))}
    ridge = KernelRidgeCV([alpha], **options)
    cosine = {"metric": "cosine"} if method.endswith("centred") or method == "OFER-GMM" else {}
    if method == "one-hot ridge":
        return SemanticClassifier(ridge)
    if "IOKR" in method:
        gamma = median_gamma(data.vectors)
        ridge = InputOutputKernelRegressor([alpha], output_gamma=gamma, **options)
    if mixture is not None:
        ridge = OutputFisherRegressor(FrozenEstimator(mixture), ridge, block_wise=not printed)
    cosine |= {"decode": "output"} if printed else {}
    return SemanticClassifier(ridge, data.vectors, **cosine)


def from_the_mean(points, places, scale=1.0):
    """Inner products of predictions with unit vectors towards the classes, from the mean."""
    origin = places.mean(axis=0)
    directions = (places - origin) * scale
    return ((points - origin) * scale) @ (directions.T / np.linalg.norm(directions, axis=1))


def unseen_scores(model, data, task):
    """Classes compared with predictions for each sample by a fit without it."""
    whole, rows, points = clone(model).fit(task.X, task.y), [], []
    for i in range(len(task.y)):
        part = clone(model).fit(np.delete(task.X, i, axis=0), np.delete(task.y, i))
        rows.append(part.decision_function(task.X[[i]])[0])
        if isinstance(part.regressor_, InputOutputKernelRegressor):
            scores = part.regressor_.score_candidates(task.X[[i]], data.vectors)[0]
            points.append((scores + 1.0) / 2.0)  # inner products with the candidates
        elif model.metric == "cosine" and whole.block_weights_ is not None:
            points.append(part.regressor_.predict_embedding(task.X[[i]])[0])
        else:
            points.append(part.regressor_.predict(task.X[[i]])[0])
    if model.metric == "euclidean":
        return np.array(rows)
    # The mean and the weights of blocks are those of all samples.
    points = np.array(points)
    if isinstance(whole.regressor_, InputOutputKernelRegressor):
        # Inner products with candidates are coordinates, of which the root of the Gram matrix
        # makes orthonormal ones.
        gram = whole.regressor_.output_kernel_matrix(data.vectors)
        values, vectors = np.linalg.eigh(gram)
        return from_the_mean(points @ vectors / np.sqrt(values), vectors * np.sqrt(values))
    if whole.block_weights_ is None:
        return from_the_mean(points, data.vectors)
    embedding = whole.regressor_.embedding_
    scale = np.empty(points.shape[1])
    for name, columns in embedding.blocks_.items():
        scale[columns] = np.sqrt(whole.block_weights_[name])
    return from_the_mean(points, embedding.transform(data.vectors), scale)


@pytest.mark.parametrize(
    "method", [m for m in COMPARED if m not in (*CLASSIFIERS, "OFER-GMM wide")]
)
def test_labelled_rows_are_the_classifiers_chosen_by_refits(method, data, few_choices):
    task = task_of(data, 2)
    mixtures = [None]
    if "OFER" in method:
        fitted = data.printed if "printed" in method else data.natural
        mixtures = [fitted[size] for size in (2, 5)]
    found = []
    for place, mixture in enumerate(mixtures):
        intercept = "centred" in method or method in ("one-hot ridge", "OFER-GMM")
        for alpha in ridges_of(task.X, fit_intercept=intercept):
            model = classifier(method, data, alpha, mixture)
            scores = unseen_scores(model, data, task)
            errors = np.mean(scores.argmax(axis=1) != task.y) if method.endswith(MIXED) else 0.0
            found.append((errors, mean_rank(scores, task.y), place, -alpha, model))
    _, rank, place, _, model = min(found, key=lambda one: one[:4])
    predicted, chosen = predict(method, data, task)
    assert chosen["rank"] == pytest.approx(rank)
    if "OFER" in method:
        assert chosen["n_components"] == mixtures[place].n_components
    assert_array_equal(predicted, model.fit(task.X, task.y).predict(task.X_test))


def weak_embedding(mixture, ridges, data, task, weight, queries):
    """Predicted embeddings: the membership block with one ridge, the mean with another."""
    component = mixture.predict_proba(data.vectors).argmax(axis=1)
    H = np.empty((len(queries), len(mixture.transform(data.vectors[:1])[0])))
    for name, alpha in ridges.items():
        model = OutputFisherRegressor(FrozenEstimator(mixture), KernelRidgeCV([alpha])).fit(
            task.X,
            data.vectors[task.y],
            weak=Memberships(task.X_weak, component[task.y_weak], weight=weight),
        )
        H[:, mixture.blocks_[name]] = model.predict_embedding(queries)[:, mixture.blocks_[name]]
    return H


def test_weak_rows_are_the_regressor_chosen_by_refits(data, few_choices):
    """The weight and the second ridge; the first and the mixture are those without weak labels."""
    task = task_of(data, 2)
    task = task._replace(X_weak=task.X_weak[:40], y_weak=task.y_weak[:40])
    _, without = predict("OFER-GMM", data, task)
    mixture = data.natural[int(without["n_components"])]
    places, H = mixture.transform(data.vectors), mixture.transform(data.vectors[task.y])

    def unseen(of, weight=1.0):
        rows = []
        for i in range(len(task.y)):
            part = task._replace(X=np.delete(task.X, i, axis=0), y=np.delete(task.y, i))
            rows.append(weak_embedding(mixture, of, data, part, weight, task.X[[i]])[0])
        return np.array(rows)

    def compare(points, errors):
        scale = np.empty(places.shape[1])
        for columns in mixture.blocks_.values():
            scale[columns] = 1.0 / np.sqrt(np.square(errors[:, columns]).mean())
        return from_the_mean(points, places, scale)

    # The ridge of the mean block is the one that is chosen without weak labels.
    candidates = [
        (alpha, classifier("OFER-GMM", data, alpha, mixture)) for alpha in ridges_of(task.X)
    ]
    ranks = [mean_rank(unseen_scores(model, data, task), task.y) for _, model in candidates]
    assert min(ranks) == pytest.approx(without["rank"])
    first = candidates[int(np.argmin(ranks))][0]

    found = []
    everything = np.vstack([task.X, task.X_weak])
    for weight in (0.3, 1.0):
        weights = np.repeat([1.0, weight], [len(task.X), 40])
        for alpha in ridges_of(everything, weights):
            ridges = {"membership": alpha, "mean": first}
            points = unseen(ridges, weight)
            rank = mean_rank(compare(points, points - H), task.y)
            found.append((rank, weight, ridges, points))
    rank, weight, ridges, points = min(found, key=lambda one: one[0])
    predicted, chosen = predict("wOFER+700", data, task)
    assert chosen["rank"] == pytest.approx(rank)
    assert chosen["weak_weight"] == weight
    at_test = weak_embedding(mixture, ridges, data, task, weight, task.X_test)
    assert_array_equal(predicted, compare(at_test, points - H).argmax(axis=1))


def target_of_size(size, data, task):
    (target,) = (t for t in module._wide_mixtures(data, task) if t.mixture is data.natural[size])
    return target


def test_one_component_is_sem_krr(data, monkeypatch):
    """Identity: a mixture of one component adds nothing, in either form."""
    monkeypatch.setitem(module.PARAMETERS, "n_components", [1])
    task = task_of(data)
    pairs = [("OFER-GMM", "Sem-KRR centred"), ("wOFER+700", "Sem-KRR centred")]
    for method, reference in pairs:
        assert_array_equal(predict(method, data, task)[0], predict(reference, data, task)[0])


def test_rows_with_clusters_take_two_components_or_more(data, monkeypatch):
    """They are the rows as printed where these may not take a single component either."""
    monkeypatch.setitem(module.PARAMETERS, "n_components", [1, 3])
    task = task_of(data)
    for evaluate, name in ((module.evaluate, "OFER-GMM"), (weak_as_printed.evaluate, "wOFER+2500")):
        method = f"{name} as printed{MIXED}"
        with_one = evaluate(method, data, task)
        assert with_one["n_components"] == 3.0
        monkeypatch.setitem(module.PARAMETERS, "n_components", [3])
        assert evaluate(method, data, task) == with_one
        monkeypatch.setitem(module.PARAMETERS, "n_components", [1, 3])


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
    target = target_of_size(3, data, task)
    _, told = module.weak_problem(target, task, 70, 0.5)
    _, blurred_told = module.weak_problem(target, blurred, 70, 0.5)
    assert_array_equal(told, blurred_told)
    assert (task.y_weak[:70] != blurred.y_weak[:70]).any()
