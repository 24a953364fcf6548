import pickle

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.special import log_softmax
from sklearn.base import clone
from sklearn.frozen import FrozenEstimator
from sklearn.linear_model import RidgeClassifier
from sklearn.metrics.pairwise import euclidean_distances, rbf_kernel
from sklearn.model_selection import KFold, cross_val_predict
from sklearn.neighbors import KNeighborsRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from ofer import (
    Bounds,
    Classes,
    GaussianEmbedding,
    GaussianMixtureEmbedding,
    InputOutputKernelRegressor,
    KernelRidgeCV,
    Memberships,
    OutputFisherRegressor,
    SemanticClassifier,
)
from ofer.embeddings import CollapsedComponentWarning

RNG = np.random.default_rng(0)
N_CLASSES = 9
GROUPS = np.arange(N_CLASSES) % 3
VECTORS = 4.0 * RNG.normal(size=(3, 4))[GROUPS] + RNG.normal(size=(N_CLASSES, 4)) + 1.0
LABELS = np.concatenate([np.arange(N_CLASSES), RNG.integers(0, N_CLASSES, size=81)])
INPUTS = VECTORS[LABELS] @ RNG.normal(size=(4, 5)) + 2.0 * RNG.normal(size=(90, 5))
X, Y, X_TEST, Y_TEST = INPUTS[:45], LABELS[:45], INPUTS[45:65], LABELS[45:65]
X_WEAK, Y_WEAK = INPUTS[65:], LABELS[65:]
WEAK = {"weak": Classes(X_WEAK, Y_WEAK)}


def mixture(n_components=3, **params):
    return GaussianMixtureEmbedding(n_components, random_state=0, reg_covar=0.01, **params)


def ofer(n_components=3, regressor=None, **params):
    return OutputFisherRegressor(mixture(n_components, **params), regressor or KernelRidgeCV())


REGRESSORS = {
    "Sem-KRR": KernelRidgeCV(),
    "Sem-IOKR": InputOutputKernelRegressor(),
    "OFER": ofer(),
    "OFER as printed": OutputFisherRegressor(mixture(scaling="score"), block_wise=False),
    "neighbours": KNeighborsRegressor(3),
}
each_regressor = pytest.mark.parametrize("regressor", REGRESSORS.values(), ids=REGRESSORS)
each_metric = pytest.mark.parametrize("metric", ["euclidean", "cosine"])


def angles_at(origin, A, B):
    """Cosines between the rows of A and B, seen from `origin`, one by one."""
    return np.array(
        [
            [
                (a - origin)
                @ (b - origin)
                / np.linalg.norm(a - origin)
                / np.linalg.norm(b - origin)
                for b in B
            ]
            for a in A
        ]
    )


def centred(scores):
    return scores - scores.mean(axis=1, keepdims=True)


@pytest.mark.parametrize("decode", ["embedding", "output"])
def test_semantic_kernel_ridge_takes_the_nearest_vector(decode):
    model = SemanticClassifier(KernelRidgeCV(), VECTORS, decode=decode).fit(X, Y)
    predicted = KernelRidgeCV().fit(X, VECTORS[Y]).predict(X_TEST)
    distances = euclidean_distances(predicted, VECTORS, squared=True)
    assert_array_equal(model.predict(X_TEST), distances.argmin(axis=1))
    assert_allclose(centred(model.decision_function(X_TEST)), centred(-distances), atol=1e-9)
    assert model.block_weights_ is None
    assert_allclose(model.score(X_TEST, Y_TEST), np.mean(distances.argmin(axis=1) == Y_TEST))


@pytest.mark.parametrize("regressor", [KernelRidgeCV(), ofer()], ids=["Sem-KRR", "OFER"])
def test_cosine_of_decoded_vectors(regressor):
    model = SemanticClassifier(regressor, VECTORS, decode="output", metric="cosine").fit(X, Y)
    predicted = clone(regressor).fit(X, VECTORS[Y]).predict(X_TEST)
    origin = VECTORS[Y].mean(axis=0)
    expected = angles_at(origin, predicted, VECTORS)
    lengths = np.linalg.norm(predicted - origin, axis=1, keepdims=True)
    assert_allclose(model.decision_function(X_TEST) / lengths, expected, atol=1e-10)


@each_metric
def test_kernel_regression_with_a_linear_output_kernel_is_semantic_kernel_ridge(metric):
    iokr = InputOutputKernelRegressor(output_kernel="linear")
    model = SemanticClassifier(iokr, VECTORS, metric=metric).fit(X, Y)
    expected = SemanticClassifier(KernelRidgeCV(), VECTORS, metric=metric).fit(X, Y)
    # Distances differ from squared norms of another origin, by a number a row.
    assert_allclose(
        centred(model.decision_function(X_TEST)),
        centred(expected.decision_function(X_TEST)),
        atol=1e-8,
    )
    assert_array_equal(model.rank(X_TEST, 9), expected.rank(X_TEST, 9))


def test_indicators_and_kernel_ridge_are_the_ridge_classifier():
    model = SemanticClassifier(KernelRidgeCV([2.0])).fit(X, Y)
    expected = RidgeClassifier(alpha=2.0).fit(X, Y)
    assert_array_equal(model.class_vectors_, np.eye(N_CLASSES))
    assert_array_equal(model.predict(X_TEST), expected.predict(X_TEST))
    scores, theirs = model.decision_function(X_TEST), expected.decision_function(X_TEST)
    # Its indicators are -1 and 1, which brings the factor 2 of the inner product in a distance.
    assert_allclose(centred(scores), centred(theirs), atol=1e-8)


@pytest.mark.parametrize("scaling", ["natural", "score"])
def test_candidates_in_the_embedding_by_brute_force(scaling):
    """Equation (3), with each block in units of its leave-one-out error."""
    model = SemanticClassifier(ofer(scaling=scaling), VECTORS).fit(X, Y)
    regressor = clone(ofer(scaling=scaling)).set_params(block_wise=True).fit(X, VECTORS[Y])
    H, embedding = regressor.predict_embedding(X_TEST), regressor.embedding_
    targets, places = embedding.transform(VECTORS[Y]), embedding.transform(VECTORS)
    distances = np.zeros((len(H), N_CLASSES))
    for name, columns in embedding.blocks_.items():
        errors = []
        for i in range(len(X)):
            kept = np.arange(len(X)) != i
            ridge = KernelRidgeCV([regressor.regressor_[name].alpha_])
            left_out = ridge.fit(X[kept], targets[kept, columns]).predict(X[[i]])[0]
            errors.append(left_out - targets[i, columns])
        variance = np.mean(np.square(errors))
        assert_allclose(model.block_weights_[name], 1.0 / variance)
        for k, place in enumerate(places):
            residuals = H[:, columns] - place[columns]
            distances[:, k] += np.square(residuals).sum(axis=1) / variance
    assert_allclose(centred(model.decision_function(X_TEST)), centred(-distances), atol=1e-8)
    assert_array_equal(model.predict(X_TEST), distances.argmin(axis=1))
    assert set(model.block_weights_) == {"membership", "mean"}


def test_one_regressor_for_all_blocks_makes_the_search_that_of_equation_three():
    one = OutputFisherRegressor(mixture(scaling="score"), block_wise=False)
    model = SemanticClassifier(one, VECTORS).fit(X, Y)
    regressor = clone(one).fit(X, VECTORS[Y])
    places = regressor.embedding_.transform(VECTORS)
    distances = euclidean_distances(regressor.predict_embedding(X_TEST), places, squared=True)
    assert_array_equal(model.predict(X_TEST), distances.argmin(axis=1))


def test_cosine_in_the_embedding_by_brute_force():
    model = SemanticClassifier(ofer(), VECTORS, metric="cosine").fit(X, Y)
    embedding, regressor = model.regressor_.embedding_, model.regressor_
    scale = np.empty(7)
    for name, columns in embedding.blocks_.items():
        scale[columns] = np.sqrt(model.block_weights_[name])
    H = scale * regressor.predict_embedding(X_TEST)
    origin = scale * embedding.transform(VECTORS[Y]).mean(axis=0)
    expected = angles_at(origin, H, scale * embedding.transform(VECTORS))
    lengths = np.linalg.norm(H - origin, axis=1, keepdims=True)
    assert_allclose(model.decision_function(X_TEST) / lengths, expected, atol=1e-10)


@each_metric
def test_candidates_of_kernel_regression_by_brute_force(metric):
    """Feature vectors of an rbf kernel, made explicit by a factor of its Gram matrix."""
    iokr = InputOutputKernelRegressor([0.3], kernel="rbf", gamma=0.01, output_gamma=0.05)
    model = SemanticClassifier(iokr, VECTORS, metric=metric).fit(X, Y)
    features = np.linalg.cholesky(rbf_kernel(VECTORS, gamma=0.05))
    ridge = KernelRidgeCV([0.3], kernel="rbf", gamma=0.01).fit(X, features[Y])
    H, origin = ridge.predict(X_TEST), features[Y].mean(axis=0)
    scores = model.decision_function(X_TEST)
    if metric == "cosine":
        lengths = np.linalg.norm(H - origin, axis=1, keepdims=True)
        assert_allclose(scores / lengths, angles_at(origin, H, features), atol=1e-10)
    else:
        distances = euclidean_distances(H, features, squared=True)
        assert_allclose(centred(scores), centred(-distances), atol=1e-10)


@pytest.mark.parametrize(
    "regressor", [KernelRidgeCV([1.0]), InputOutputKernelRegressor([1.0], output_kernel="linear")]
)
def test_a_class_at_the_mean_has_no_direction(regressor):
    vectors = np.array([[0.1, 0.3], [0.2, 0.9], [0.15, 0.6]])  # the last is the mean of the others
    y = np.array([0, 1, 0, 1, 1, 0])
    model = SemanticClassifier(regressor, vectors, metric="cosine").fit(X[:6], y)
    scores = model.decision_function(X_TEST)
    assert_array_equal(scores[:, 2], 0.0)
    assert (np.abs(scores[:, :2]) > 1e-6).all()


def test_kernel_regression_minds_the_length_of_candidates():
    """With a linear kernel, leaving out k(y, y) would favour the longest vector."""
    vectors = np.array([[1.0], [2.0], [100.0]])
    iokr = InputOutputKernelRegressor([1e-6], output_kernel="linear")
    x = np.array([[1.0], [2.0], [1.1], [1.9]])
    model = SemanticClassifier(iokr, vectors).fit(x, [0, 1, 0, 1])
    assert_array_equal(model.predict(x), [0, 1, 0, 1])


def test_vectors_of_the_regressor_s_own_pre_image_are_decoded():
    iokr = InputOutputKernelRegressor(preimage="gradient")
    model = SemanticClassifier(iokr, VECTORS, decode="output").fit(X, Y)
    predicted = clone(iokr).fit(X, VECTORS[Y]).predict(X_TEST)
    assert_array_equal(
        model.predict(X_TEST), euclidean_distances(predicted, VECTORS).argmin(axis=1)
    )


def test_blocks_of_other_regressors_are_weighed_by_cross_validation():
    model = SemanticClassifier(ofer(regressor=KNeighborsRegressor(3)), VECTORS).fit(X, Y)
    block = model.regressor_.embedding_.transform(VECTORS[Y])[:, 3:]
    folds = KFold(5, shuffle=True, random_state=0)
    left_out = cross_val_predict(KNeighborsRegressor(3), X, block, cv=folds)
    assert_allclose(model.block_weights_["mean"], 1.0 / np.mean(np.square(left_out - block)))
    scored = KernelRidgeCV(scoring="neg_mean_absolute_error")
    weights, expected = (
        SemanticClassifier(ofer(regressor=one).set_params(block_wise=True), VECTORS).fit(X, Y)
        for one in (scored, None)
    )
    weights, expected = weights.block_weights_, expected.block_weights_
    assert list(weights) == ["membership", "mean"]
    for name, weight in weights.items():  # two estimates of one variance
        assert 0.5 < weight / expected[name] < 2.0


@each_regressor
@each_metric
def test_order_and_names_of_classes_do_not_matter(regressor, metric):
    names = np.array([f"{chr(105 - k)}{k}" for k in range(N_CLASSES)])  # sorted the other way
    plain = SemanticClassifier(regressor, VECTORS, metric=metric).fit(X, Y)
    shuffled = {names[k]: VECTORS[k].tolist() for k in RNG.permutation(N_CLASSES)}
    named = SemanticClassifier(regressor, shuffled, metric=metric).fit(X, names[Y])
    assert_array_equal(named.classes_, np.sort(names))
    assert_array_equal(named.predict(X_TEST), names[plain.predict(X_TEST)])
    assert_allclose(
        named.decision_function(X_TEST), plain.decision_function(X_TEST)[:, ::-1], atol=1e-8
    )


@each_metric
@pytest.mark.parametrize("decode", ["embedding", "output"])
def test_unit_and_origin_of_the_vectors_do_not_matter(decode, metric):
    params = {"decode": decode, "metric": metric}
    plain = SemanticClassifier(ofer(), VECTORS, **params).fit(X, Y)
    moved = SemanticClassifier(ofer(), 1e3 * VECTORS - 50.0, **params).fit(X, Y)
    assert_array_equal(moved.rank(X_TEST, N_CLASSES), plain.rank(X_TEST, N_CLASSES))


@each_regressor
@each_metric
def test_decision_function_predict_and_rank_agree(regressor, metric):
    model = SemanticClassifier(regressor, VECTORS, metric=metric).fit(X, Y)
    scores = model.decision_function(X_TEST)
    assert scores.shape == (20, N_CLASSES)
    assert_array_equal(scores.argmax(axis=1), model.predict(X_TEST))
    ranks = model.rank(X_TEST, k=4)
    assert ranks.shape == (20, 4)
    assert_array_equal(ranks[:, 0], model.predict(X_TEST))
    assert (np.diff(np.take_along_axis(scores, ranks, axis=1)) <= 0).all()
    assert model.score(X_TEST, Y_TEST) > 2 / N_CLASSES
    assert_array_equal(pickle.loads(pickle.dumps(model)).predict(X_TEST), model.predict(X_TEST))


@each_regressor
def test_two_classes_have_one_score(regressor):
    kept = np.isin(Y, [0, 1])
    vectors = {0: [0.0, 1.0], 1: [2.0, 0.5]}
    x = np.vstack([X[kept], X[kept] + 0.1])
    regressor = clone(regressor)
    if isinstance(regressor, OutputFisherRegressor):
        regressor.embedding = GaussianEmbedding()
    model = SemanticClassifier(regressor, vectors).fit(x, np.tile(Y[kept], 2))
    scores = model.decision_function(X_TEST)
    assert scores.shape == (20,)
    assert_array_equal(model.predict(X_TEST), (scores > 0).astype(int))


def test_classes_without_examples_are_found():
    """Zero-shot: directions learned from other classes carry over."""
    vectors = np.array([[a, b] for a in (0.0, 1.0, 2.0) for b in (0.0, 1.0, 2.0)])
    x = np.repeat(vectors, 4, axis=0) + 0.05 * RNG.normal(size=(36, 2))
    y = np.repeat(np.arange(9), 4)
    seen = y != 4
    for regressor in (KernelRidgeCV([1e-3]), InputOutputKernelRegressor(kernel="rbf")):
        model = SemanticClassifier(regressor, vectors).fit(x[seen], y[seen])
        assert_array_equal(model.classes_, np.arange(9))
        assert_array_equal(model.predict(x[~seen]), [4, 4, 4, 4])


def test_one_component_is_semantic_kernel_ridge():
    """Its membership says nothing, and its residual is the vector itself."""
    model = SemanticClassifier(ofer(1), VECTORS).fit(X, Y)
    expected = SemanticClassifier(KernelRidgeCV(), VECTORS).fit(X, Y)
    assert model.block_weights_["membership"] == 0.0
    scale = model.block_weights_["mean"]
    assert_allclose(
        model.decision_function(X_TEST) / scale, expected.decision_function(X_TEST), atol=1e-8
    )


def test_one_component_a_class_is_the_ridge_classifier():
    """Residuals are roundoff then, and memberships indicators."""
    model = SemanticClassifier(
        OutputFisherRegressor(
            GaussianMixtureEmbedding(N_CLASSES, n_init=5, random_state=0), KernelRidgeCV()
        ),
        VECTORS,
    )
    with pytest.warns(CollapsedComponentWarning, match="larger reg_covar"):
        model.fit(X, Y)
    assert model.block_weights_["mean"] == 0.0
    indicators = SemanticClassifier(KernelRidgeCV()).fit(X, Y)
    assert_array_equal(model.predict(X_TEST), indicators.predict(X_TEST))


def test_weak_labels_are_the_components_of_their_vectors():
    model = SemanticClassifier(ofer(), VECTORS).fit(X, Y, weak=Classes(X_WEAK, Y_WEAK, weight=0.5))
    embedding = mixture().fit(VECTORS[Y])
    components = embedding.predict_proba(VECTORS[Y_WEAK]).argmax(axis=1)
    frozen = OutputFisherRegressor(FrozenEstimator(embedding), KernelRidgeCV())
    weak = {"weak": Memberships(X_WEAK, components, weight=0.5)}
    expected = frozen.fit(X, VECTORS[Y], **weak)
    assert_allclose(model.regressor_.predict_embedding(X_TEST), expected.predict_embedding(X_TEST))
    through = SemanticClassifier(frozen, VECTORS).fit(X, Y, **weak)
    assert_allclose(model.decision_function(X_TEST), through.decision_function(X_TEST))
    alone = SemanticClassifier(ofer(), VECTORS).fit(X, Y)
    assert not np.allclose(model.decision_function(X_TEST), alone.decision_function(X_TEST))


BAD = [
    ({"class_vectors": VECTORS[:8]}, r"for every label in y; got none for \[8\]. \(Rows"),
    ({"class_vectors": {0: [1.0], 1: [2.0, 3.0]}}, r"shapes \(1,\) for 0 and \(2,\) for 1"),
    ({"class_vectors": np.vstack([VECTORS, VECTORS[2]])}, "those of 2 and 9 are equal"),
    ({"class_vectors": np.where(VECTORS > 0, VECTORS, np.nan)}, "class_vectors contains NaN"),
    ({"class_vectors": VECTORS[0]}, "Expected 2D array, got 1D array"),
    ({"class_vectors": VECTORS[:1]}, r"minimum of 2 is required"),
]


@pytest.mark.parametrize(("params", "message"), BAD)
def test_bad_parameters(params, message):
    model = SemanticClassifier(KernelRidgeCV(), VECTORS).set_params(**params)
    with pytest.raises(ValueError, match=message):
        model.fit(X, Y)


def test_bad_labels():
    model = SemanticClassifier(KernelRidgeCV(), VECTORS)
    for labels, weights in ((np.full(45, 3), None), (Y, np.where(Y == 3, 1.0, 0.0))):
        with pytest.raises(ValueError, match=r"labels of at least 2 classes; got 1 class\(es\)"):
            model.fit(X, labels, weights)
    with pytest.raises(ValueError, match="y and class_vectors must have labels of one type"):
        model.fit(X, Y.astype(str))
    twins = {"cat": [1.0], "dog": [2.0], "tiger": [1.0]}
    with pytest.raises(ValueError, match="those of 'cat' and 'tiger' are equal"):
        model.set_params(class_vectors=twins).fit(X, np.where(Y > 4, "cat", "dog"))


def test_bad_weak_labels():
    model = SemanticClassifier(KernelRidgeCV(), VECTORS)
    with pytest.raises(ValueError, match=r"need an OutputFisherRegressor.*; got KernelRidgeCV"):
        model.fit(X, Y, **WEAK)
    model = SemanticClassifier(ofer(), VECTORS)
    with pytest.raises(
        TypeError, match=r"weak must be None or .* Candidates, Classes, Memberships"
    ):
        model.fit(X, Y, weak=Bounds(X_WEAK, 0.0, 1.0))
    with pytest.raises(ValueError, match=r"every label in weak\.y; got none for \[11\]"):
        model.fit(X, Y, weak=Classes(X_WEAK[:2], [0, 11]))
    with pytest.raises(ValueError, match="X must be the inputs of weak samples; got None"):
        model.fit(X, Y, weak=Classes(None, Y_WEAK))
    with pytest.raises(ValueError, match="inconsistent numbers of samples"):
        model.fit(X, Y, weak=Classes(X_WEAK, Y_WEAK[:-1]))
    gaussian = OutputFisherRegressor(GaussianEmbedding())
    with pytest.raises(ValueError, match=r"embedding with memberships.*; got GaussianEmbedding"):
        SemanticClassifier(gaussian, VECTORS).fit(X, Y, **WEAK)


def test_bad_queries():
    model = SemanticClassifier(KernelRidgeCV(), VECTORS)
    model.fit(X, Y)
    with pytest.raises(ValueError, match="at most the number of classes, 9; got 10"):
        model.rank(X, k=10)
    with pytest.raises(TypeError, match="k must be an integer"):
        model.rank(X, k=1.5)


PROBABLE = [
    SemanticClassifier(KernelRidgeCV(kernel="rbf", gamma=0.5)),
    SemanticClassifier(KernelRidgeCV(kernel="rbf", gamma=0.5), metric="cosine"),
    SemanticClassifier(
        OutputFisherRegressor(GaussianMixtureEmbedding(2, reg_covar=0.1, random_state=0))
    ),
    SemanticClassifier(OutputFisherRegressor(), decode="output"),
    SemanticClassifier(make_pipeline(StandardScaler(), KernelRidgeCV())),
]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("n_classes", [2, 4])
@pytest.mark.parametrize("model", PROBABLE)
def test_probabilities(model, n_classes):
    """They sum to one, agree with predictions, and have the least leave-one-out log loss."""
    rng = np.random.default_rng(3)
    y = rng.integers(0, n_classes, 80)
    inputs = np.eye(n_classes)[y] + rng.normal(size=(80, n_classes))
    queries = rng.normal(size=(30, n_classes))
    model = clone(model).fit(inputs, y)
    found = model.predict_proba(queries)
    assert_allclose(found.sum(axis=1), 1.0)
    assert_array_equal(model.classes_[found.argmax(axis=1)], model.predict(queries))
    ratios = np.log(found) - np.log(found[:, :1])
    scores = model.decision_function(queries)
    scores = np.c_[np.zeros(30), scores] if n_classes == 2 else scores
    assert_allclose(ratios * model.temperature_, scores - scores[:, :1], atol=1e-8)


@pytest.mark.parametrize("weights", [np.ones(40), RNG.uniform(0.1, 3.0, size=40)])
def test_temperature_is_that_of_refits(weights):
    """The leave-one-out log loss, by refits, is least at the temperature found."""
    rng = np.random.default_rng(3)
    y = rng.integers(0, 3, 40)
    inputs = np.eye(3)[y] + rng.normal(size=(40, 3))
    model = SemanticClassifier(KernelRidgeCV([1.0]), np.eye(3)).fit(inputs, y, weights)
    scores = np.empty((40, 3))
    for i in range(40):
        rest = np.delete(np.arange(40), i)
        ridge = KernelRidgeCV([1.0]).fit(inputs[rest], np.eye(3)[y[rest]], weights[rest])
        scores[i] = -np.square(ridge.predict(inputs[[i]]) - np.eye(3)).sum(axis=1)

    def loss(temperature):
        return -weights @ log_softmax(scores / temperature, axis=1)[np.arange(40), y]

    T = model.temperature_
    assert loss(T) < min(loss(1.001 * T), loss(0.999 * T))


def test_without_errors_the_temperature_is_no_lower_than_the_loss_can_tell():
    x = np.array([[0.0], [0.1], [1.0], [1.1]])
    model = SemanticClassifier(KernelRidgeCV([1e-3])).fit(x, [0, 0, 1, 1])
    gap = np.abs(model.decision_function(x)).min()
    assert 1e-15 < np.exp(-gap / model.temperature_) < 1e-6


def test_inputs_that_say_nothing_give_equal_probabilities():
    ridge, x = KernelRidgeCV([1.0], fit_intercept=False), np.zeros((4, 2))
    assert_allclose(SemanticClassifier(ridge).fit(x, [0, 0, 1, 1]).predict_proba(x), 0.5)


def test_probabilities_need_leave_one_out():
    rng = np.random.default_rng(0)
    inputs, y = rng.normal(size=(30, 2)), rng.integers(0, 2, 30)
    for regressor in (KNeighborsRegressor(), InputOutputKernelRegressor()):
        model = SemanticClassifier(regressor).fit(inputs, y)
        assert model.temperature_ is None
        assert not hasattr(model, "predict_proba")
