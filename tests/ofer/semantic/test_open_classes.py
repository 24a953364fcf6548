"""Weak samples whose class is inferred among those that their label leaves open."""

import warnings

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy import sparse
from sklearn.base import clone
from sklearn.datasets import load_digits
from sklearn.linear_model import Ridge
from sklearn.metrics.pairwise import rbf_kernel
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from ofer import (
    Candidates,
    Classes,
    KernelRidgeCV,
    NystroemRidgeCV,
    OutputFisherRegressor,
    SemanticClassifier,
)
from ofer.semantic.open_classes import ALPHAS

RNG = np.random.default_rng(0)
K, D = 6, 12
MEANS = 1.2 * RNG.normal(size=(K, D))
Y = np.repeat(np.arange(K), 3)
N, N_WEAK = len(Y), 150
Y_WEAK = RNG.integers(0, K, size=N_WEAK)
Y_TEST = RNG.integers(0, K, size=200)
X, X_WEAK, X_TEST = (MEANS[y] + RNG.normal(size=(len(y), D)) for y in (Y, Y_WEAK, Y_TEST))
COMPONENT = np.arange(K) % 2
OPEN = COMPONENT[Y_WEAK][:, None] == COMPONENT
VECTORS = MEANS + 0.1 * RNG.normal(size=(K, D))
NO_X, NO_Y = np.empty((0, D)), np.empty(0, dtype=int)
GAMMA = 0.03
RBF = KernelRidgeCV(kernel="rbf", gamma=GAMMA)
ONE = KernelRidgeCV([0.5])
each_vectors = pytest.mark.parametrize("vectors", [None, VECTORS], ids=["indicators", "vectors"])
each_kernel = pytest.mark.parametrize("ridge", [KernelRidgeCV(), RBF], ids=["linear", "rbf"])
pytestmark = pytest.mark.filterwarnings("ignore:.*of the grid:UserWarning")


def fit(
    regressor=None, vectors=None, *, X=X, y=Y, X_weak=X_WEAK, still_open=OPEN, weight="auto", **told
):
    weak = Candidates(X_weak, still_open, weight=weight)
    return SemanticClassifier(regressor, vectors).fit(X, y, weak=weak, **told)


def accuracy(model):
    return (model.predict(X_TEST) == Y_TEST).mean()


@each_vectors
@each_kernel
def test_weak_labels_help(ridge, vectors):
    """Where each class has three samples, and the inputs tell the classes apart."""
    alone, model = SemanticClassifier(ridge, vectors).fit(X, Y), fit(ridge, vectors)
    assert accuracy(model) > accuracy(alone) + 0.008
    assert (model.assignments_ == Y_WEAK).mean() > 0.85
    assert OPEN[np.arange(N_WEAK), model.assignments_].all()


@each_vectors
def test_the_regressor_is_a_fit_to_the_inferred_classes(vectors):
    """A quarter of a weak target is the mean over its open classes; the ridge is the best row's."""
    model = fit(RBF, vectors, weight=0.5)
    path, of = model.gain_path_, np.eye(K) if vectors is None else vectors
    best = path["gain"].argmax()
    weak = 0.25 * OPEN / OPEN.sum(axis=1, keepdims=True) + 0.75 * np.eye(K)[model.assignments_]
    ridge = clone(RBF).set_params(alphas=[path["alpha"][best]])
    weights = np.repeat([1.0, 0.5], [N, N_WEAK])
    expected = ridge.fit(np.vstack([X, X_WEAK]), np.vstack([np.eye(K)[Y], weak]) @ of, weights)
    assert_allclose(model.regressor_.predict(X_TEST), expected.predict(X_TEST), atol=1e-10)
    assert model.regressor_.alpha_ == path["alpha"][best]


def test_the_path_has_a_row_for_each_width_ridge_and_start():
    gammas, alphas = [0.02, 0.1, 0.5], [0.1, 1.0]
    model = fit(KernelRidgeCV(alphas, kernel="rbf", gamma=gammas))
    path = model.gain_path_
    assert [*path] == ["kernel", "gamma", "alpha", "start", "gain", "weak_gain", "n_rounds"]
    rows = list(zip(path["gamma"], path["alpha"], path["start"], strict=True))
    starts = "averaged", "restricted"
    assert rows == [(g, a, start) for g in gammas for a in alphas for start in starts]
    best = path["gain"].argmax()
    chosen = model.regressor_.gamma_, model.regressor_.alpha_
    assert chosen == (path["gamma"][best], path["alpha"][best])
    assert (path["n_rounds"] >= 1).all()


@pytest.mark.parametrize("gammas", [[GAMMA, 2.0], [2.0, GAMMA]])
@pytest.mark.filterwarnings("ignore:the kernel matrix is, to")
def test_the_width_of_the_highest_gain_is_chosen(gammas):
    """Wherever it stands; a kernel so narrow that samples see no other tells nothing."""
    model = fit(clone(RBF).set_params(gamma=gammas))
    assert model.regressor_.gamma_ == GAMMA
    assert_allclose(model.decision_function(X_TEST), fit(RBF).decision_function(X_TEST))
    gain, gamma = model.gain_path_["gain"], model.gain_path_["gamma"]
    assert_allclose(gain[gamma == GAMMA], fit(RBF).gain_path_["gain"])
    assert gain[gamma == 2.0].max() < gain.max()


@pytest.mark.parametrize("rule", ["median", "mean", "loo"])
def test_a_width_may_be_a_rule(rule):
    model = fit(KernelRidgeCV(kernel="rbf", gamma=rule))
    ruled = KernelRidgeCV(kernel="rbf", gamma=rule).fit(np.vstack([X, X_WEAK]), np.arange(168.0))
    path = model.gain_path_
    assert_allclose(np.unique(path["gamma"]), np.unique(ruled.cv_results_["gamma"]))
    assert [*np.unique(path["kernel"])] == [*np.unique(ruled.cv_results_["kernel"])]
    best = path["gain"].argmax()
    chosen = model.regressor_.kernel_, model.regressor_.alpha_
    assert chosen == (path["kernel"][best], path["alpha"][best])


def test_default_ridges_are_in_the_unit_of_the_kernel():
    model = fit(RBF)
    alphas = np.unique(model.gain_path_["alpha"])
    system = RBF.kernel_system(np.vstack([X, X_WEAK]))
    assert_allclose(alphas, system.mean_eigenvalue * ALPHAS)


def test_weak_samples_have_no_order():
    order = RNG.permutation(N_WEAK)
    model, other = fit(), fit(X_weak=X_WEAK[order], still_open=OPEN[order])
    assert_allclose(other.decision_function(X_TEST), model.decision_function(X_TEST))
    assert_array_equal(other.assignments_, model.assignments_[order])
    assert_allclose(other.gain_path_["gain"], model.gain_path_["gain"])


@each_vectors
def test_classes_have_no_order(vectors):
    new = RNG.permutation(K)  # class k is now called new[k]
    old = np.argsort(new)
    moved = None if vectors is None else vectors[old]
    model, other = fit(vectors=vectors), fit(vectors=moved, y=new[Y], still_open=OPEN[:, old])
    assert_array_equal(other.predict(X_TEST), new[model.predict(X_TEST)])
    assert_array_equal(other.assignments_, new[model.assignments_])
    assert_allclose(other.gain_path_["gain"], model.gain_path_["gain"])


def test_assignments_are_labels():
    names = np.array(["f", "e", "d", "c", "b", "a"])
    model, other = fit(), fit(y=names[Y], still_open=OPEN[:, ::-1])
    assert_array_equal(other.assignments_, names[model.assignments_])
    assert_array_equal(other.classes_, names[::-1])


@pytest.mark.parametrize("ridge", [KernelRidgeCV(), KernelRidgeCV(kernel="rbf")])
def test_units_have_no_part(ridge):
    """Nor has the origin, neither of inputs nor of class vectors."""
    model = fit(ridge, VECTORS)
    queries, options = X_TEST, {}
    for scale, shift in ((1e3, 0.0), (1e-3, 2.0)):
        inputs = {"X": scale * X + shift, "X_weak": scale * X_WEAK + shift}
        queries = scale * X_TEST + shift
        for vectors, options in ((VECTORS, inputs), (scale * VECTORS + shift, {})):
            other = fit(ridge, vectors, **options)
            found = other.predict(queries if options else X_TEST)
            assert_array_equal(found, model.predict(X_TEST))
            assert_array_equal(other.assignments_, model.assignments_)
            assert_allclose(other.gain_path_["gain"], model.gain_path_["gain"], atol=1e-6)


@each_vectors
def test_one_open_class_is_a_label(vectors):
    known = np.eye(K, dtype=bool)[Y_WEAK]
    model = fit(ONE, vectors, still_open=known, weight=0.5)
    both, weights = np.vstack([X, X_WEAK]), np.repeat([1.0, 0.5], [N, N_WEAK])
    expected = SemanticClassifier(ONE, vectors).fit(both, np.append(Y, Y_WEAK), weights)
    assert_allclose(model.regressor_.coef_, expected.regressor_.coef_, atol=1e-10)
    assert_allclose(model.decision_function(X_TEST), expected.decision_function(X_TEST), atol=1e-9)
    assert_array_equal(model.assignments_, Y_WEAK)


def test_rows_with_all_classes_open_change_nothing():
    everything = OPEN.copy()
    everything[[3, 50, 140]] = True
    moved = np.where(everything.all(axis=1)[:, None], X_WEAK + 30.0, X_WEAK)
    expected_message = "Candidates leave all classes open in 3 of 150 rows; these weak samples"
    with pytest.warns(UserWarning, match=expected_message) as said:
        model = fit(RBF, still_open=everything, X_weak=moved)
    assert said[0].filename == __file__
    kept = ~everything.all(axis=1)
    expected = fit(RBF, still_open=OPEN[kept], X_weak=X_WEAK[kept])
    found = model.decision_function(X_TEST)
    assert_allclose(found, expected.decision_function(X_TEST), atol=1e-10)
    assert_array_equal(model.assignments_[kept], expected.assignments_)
    assert model.temperature_ == pytest.approx(expected.temperature_)


def same_as_labelled(model, ridge, **options):
    expected = SemanticClassifier(ridge).fit(X, Y, **options)
    found = model.decision_function(X_TEST)
    assert_allclose(found, expected.decision_function(X_TEST), atol=1e-10)
    assert_allclose(model.predict_proba(X_TEST), expected.predict_proba(X_TEST), atol=1e-6)


@each_kernel
def test_labels_of_all_open_classes_are_the_labelled_fit(ridge):
    with pytest.warns(UserWarning, match="leave all classes open in 150 of 150 rows"):
        model = fit(ridge, still_open=np.ones_like(OPEN))
    same_as_labelled(model, ridge)
    assert all(len(column) == 0 for column in model.gain_path_.values())


def test_labels_that_the_inputs_do_not_follow_are_not_used():
    """The gain of classes drawn at random is below zero, and the fit that to the labelled."""
    noise = np.eye(K)[np.random.default_rng(3).permutation(Y_WEAK)]
    expected = (
        r"inputs do not agree: the gain of weak samples is -\S+, and \S+ when labels are shuf"
    )
    with pytest.warns(UserWarning, match=expected) as said:
        model = fit(RBF, still_open=noise)
    assert said[0].filename == __file__
    path = model.gain_path_
    assert path["weak_gain"][path["gain"].argmax()] <= 0.0
    same_as_labelled(model, RBF)
    weights = np.arange(N) % 3 + 1
    with pytest.warns(UserWarning, match="do not agree"):
        weighted = fit(RBF, still_open=noise, sample_weight=weights)
    same_as_labelled(weighted, RBF, sample_weight=weights)


@pytest.mark.parametrize(("alphas", "count"), [(None, 10), ("fixed", 25), ([0.1, 1.0], 2)])
def test_the_path_has_the_ridges_of_the_regressor(alphas, count):
    path = fit(KernelRidgeCV(alphas, kernel="rbf")).gain_path_
    assert len(np.unique(path["alpha"])) == count


def test_inputs_of_noise_do_no_harm():
    """Classes are chosen to be predictable, so noise gains too, as shuffled labels do."""
    noise = np.random.default_rng(3).normal(size=X_WEAK.shape)
    with pytest.warns(UserWarning, match="do not agree"):
        model = fit(RBF, X_weak=noise)
    path = model.gain_path_
    assert path["weak_gain"][path["gain"].argmax()] > 0.1
    assert model.null_gain_ > 0.1
    same_as_labelled(model, RBF)


def test_useful_labels_are_used_without_a_word():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model = fit(RBF)
    path = model.gain_path_
    assert path["weak_gain"][path["gain"].argmax()] > 0.1


@pytest.mark.parametrize("weight", ["auto", 0.3])
def test_a_kernel_matrix_serves_as_well_as_the_kernel(weight):
    both = np.vstack([X, X_WEAK])
    model = fit(RBF, weight=weight)
    gram = rbf_kernel(both, gamma=GAMMA)
    other = fit(
        KernelRidgeCV(kernel="precomputed"), X=gram[:N, :N], X_weak=gram[N:],
        weight=weight,
    )  # fmt: skip
    found = other.decision_function(rbf_kernel(X_TEST, both, gamma=GAMMA))
    assert_allclose(found, model.decision_function(X_TEST), atol=1e-8)
    assert_allclose(model.regressor_.dual_coef_, other.regressor_.dual_coef_, atol=1e-8)
    assert_array_equal(model.assignments_, other.assignments_)


@pytest.mark.parametrize("queries", [X_TEST, sparse.csr_array(X_TEST)], ids=["dense", "sparse"])
@each_kernel
def test_sparse_inputs_are_as_good(ridge, queries):
    model = fit(ridge)
    thin = fit(ridge, X=sparse.csr_array(X), X_weak=sparse.csc_array(X_WEAK))
    assert_allclose(thin.decision_function(queries), model.decision_function(X_TEST), atol=1e-8)
    assert_array_equal(thin.assignments_, model.assignments_)


def test_a_pipeline_scales_labelled_and_weak_inputs_together():
    units, weights = np.geomspace(1e-2, 1e2, D), np.arange(1, N + 1)
    options = {"weight": 0.5, "sample_weight": weights}
    pipeline = make_pipeline(StandardScaler(), RBF)
    model = fit(pipeline, X=X * units, X_weak=X_WEAK * units, **options)
    of_all = np.append(weights, np.full(N_WEAK, 0.5))
    scaler = StandardScaler().fit(np.vstack([X, X_WEAK]) * units, sample_weight=of_all)
    assert_allclose(model.regressor_[0].mean_, scaler.mean_)
    assert_allclose(model.regressor_[0].scale_, scaler.scale_)
    # The guess comes from the labelled fit, whose scaler has seen the labelled inputs alone.
    labelled = StandardScaler().fit(X * units, sample_weight=weights)
    scaled = {"X": scaler.transform(X * units), "X_weak": scaler.transform(X_WEAK * units)}
    alone = fit(RBF, **scaled, **options)
    assert not np.allclose(labelled.scale_, scaler.scale_)
    averaged = model.gain_path_["start"] == "averaged"
    for name in ("gain", "weak_gain", "alpha"):
        assert_allclose(
            model.gain_path_[name][averaged], alone.gain_path_[name][averaged], atol=1e-8
        )
    assert (model.assignments_ == alone.assignments_).mean() > 0.95
    assert type(model.regressor_) is type(pipeline)


def test_weight_zero_is_an_absent_sample():
    weights = np.linspace(0.5, 2.0, N)
    weights[[0, 7]] = 0.0
    kept = weights > 0
    moved = np.where(kept[:, None], X, np.where(np.arange(N) > 0, 30.0, np.nan)[:, None])
    model = fit(RBF, X=moved, sample_weight=weights)
    expected = fit(RBF, X=X[kept], y=Y[kept], sample_weight=weights[kept])
    found = model.decision_function(X_TEST)
    assert_allclose(found, expected.decision_function(X_TEST), atol=1e-8)
    assert_array_equal(model.assignments_, expected.assignments_)
    assert_allclose(model.gain_path_["gain"], expected.gain_path_["gain"])
    assert model.temperature_ == pytest.approx(expected.temperature_)


def test_a_class_whose_only_samples_have_no_weight_is_a_class():
    """Weak labels may have it, and the labelled fit, which knows no sample of it, guesses."""
    weights = np.where(Y == 0, 0.0, 1.0)
    model = fit(RBF, VECTORS, sample_weight=weights)
    expected = fit(RBF, VECTORS, X=X[Y > 0], y=Y[Y > 0])
    assert_allclose(model.decision_function(X_TEST), expected.decision_function(X_TEST), atol=1e-8)
    assert (model.assignments_ == Y_WEAK).mean() > 0.9


def test_weights_are_repetitions_of_weak_samples():
    """With one ridge, but for leave-one-out, which leaves out a sample and not its copy."""
    twice = fit(ONE, X_weak=np.repeat(X_WEAK, 2, axis=0), still_open=np.repeat(OPEN, 2, 0))
    model = fit(ONE, weight=2.0)
    assert (model.assignments_ == twice.assignments_[::2]).mean() > 0.95
    known = {"still_open": np.eye(K)[Y_WEAK], "weight": 2.0}
    both = {"X_weak": np.repeat(X_WEAK, 2, axis=0), "still_open": np.eye(K)[Y_WEAK.repeat(2)]}
    found, expected = fit(ONE, **known), fit(ONE, **both)
    assert_allclose(found.regressor_.coef_, expected.regressor_.coef_, atol=1e-10)
    found, expected = (one.set_params(metric="cosine") for one in (found, expected))
    assert_allclose(found.decision_function(X_TEST), expected.decision_function(X_TEST), atol=1e-9)
    assert_allclose(
        fit(weight="auto").decision_function(X_TEST),
        fit(weight=1.0).decision_function(X_TEST),
    )


def two_open(seed):
    """The class, and one other drawn at random."""
    rng = np.random.default_rng(seed)
    other = (Y_WEAK + rng.integers(1, K, size=N_WEAK)) % K
    return np.eye(K, dtype=bool)[Y_WEAK] | np.eye(K, dtype=bool)[other]


@each_vectors
@each_kernel
def test_no_labelled_sample_is_needed(ridge, vectors):
    """Partial labels: each weak sample has two open classes."""
    model = fit(ridge, vectors, X=NO_X, y=NO_Y, still_open=two_open(1))
    assert_array_equal(model.classes_, np.arange(K))
    assert accuracy(model) > 0.85
    assert (model.assignments_ == Y_WEAK).mean() > 0.9
    assert set(model.gain_path_["start"]) == {"averaged"}
    assert model.n_features_in_ == D
    p = model.predict_proba(X_TEST)
    assert_allclose(p.sum(axis=1), 1.0)
    assert p.min() >= 0.0
    # The scores are sure of what they are sure of: the likely class is mostly right.
    assert p[np.arange(len(Y_TEST)), Y_TEST].mean() > 2.0 / K


def test_no_labelled_sample_with_named_classes():
    names = ["a", "b", "c", "d", "e", "f"]
    named = dict(zip(names, VECTORS, strict=True))
    model = fit(None, named, X=NO_X, y=[], still_open=two_open(1))
    expected = fit(None, VECTORS, X=NO_X, y=NO_Y, still_open=two_open(1))
    assert_array_equal(model.assignments_, np.array(names)[expected.assignments_])
    assert_array_equal(model.predict(X_TEST), np.array(names)[expected.predict(X_TEST)])


def test_no_labelled_sample_with_a_kernel_matrix():
    told = {"y": NO_Y, "still_open": two_open(1)}
    model = fit(RBF, X=NO_X, **told)
    gram = rbf_kernel(X_WEAK, gamma=GAMMA)
    other = fit(KernelRidgeCV(kernel="precomputed"), X=np.empty((0, 0)), X_weak=gram, **told)
    assert_array_equal(model.assignments_, other.assignments_)
    found = other.decision_function(rbf_kernel(X_TEST, X_WEAK, gamma=GAMMA))
    assert_allclose(found, model.decision_function(X_TEST), atol=1e-8)


def test_no_labelled_sample_in_a_pipeline():
    told = {"X": NO_X, "y": NO_Y, "still_open": two_open(1)}
    model = fit(make_pipeline(StandardScaler(), RBF), **told)
    scaler = StandardScaler().fit(X_WEAK)
    expected = fit(RBF, **told | {"X_weak": scaler.transform(X_WEAK)})
    assert_array_equal(model.assignments_, expected.assignments_)
    found = model.decision_function(X_TEST)
    assert_allclose(found, expected.decision_function(scaler.transform(X_TEST)), atol=1e-8)


def test_one_labelled_class_gives_no_guess():
    """It has no say in which class is which but its own."""
    model = fit(RBF, VECTORS, X=X[:3], y=Y[:3], still_open=two_open(1))
    assert set(model.gain_path_["start"]) == {"averaged"}
    assert accuracy(model) > 0.85


def test_probabilities_are_those_of_labelled_samples_left_out():
    """The temperature is that of the labelled samples alone."""
    model = fit(RBF)
    ridge = model.regressor_
    targets = np.eye(K)[Y]
    predicted = targets - ridge.loo_residuals_[:N]
    scores = 2.0 * predicted - 1.0

    def loss(T):
        shifted = scores / T - (scores / T).max(axis=1, keepdims=True)
        logs = shifted - np.log(np.exp(shifted).sum(axis=1, keepdims=True))
        return -logs[np.arange(N), Y].mean()

    T = model.temperature_
    assert loss(T) <= min(loss(0.9 * T), loss(1.1 * T)) + 1e-9


BAD_CLASS = OPEN.copy()
BAD_CLASS[[3, 5]] = False
ROW = np.arange(N_WEAK)[:, None] == 7


@pytest.mark.parametrize("value", [-1, 2, 0.4])
def test_candidates_are_zero_or_one(value):
    message = rf"must be booleans, or 0 and 1: whether a class is open; got \S*{value}\S* in row 7"
    with pytest.raises(ValueError, match=message):
        fit(still_open=np.where(ROW & OPEN, value, OPEN))


@pytest.mark.parametrize("dtype", [int, float, object, "list"])
def test_candidates_of_any_type(dtype):
    told = OPEN.astype(int).tolist() if dtype == "list" else OPEN.astype(dtype)
    model = fit(ONE, still_open=told)
    assert_allclose(model.decision_function(X_TEST), fit(ONE).decision_function(X_TEST))


@pytest.mark.parametrize(
    ("told", "message"),
    [
        ({"still_open": BAD_CLASS}, r"must leave a class open in each row; .* \[3, 5\]"),
        ({"still_open": OPEN[:, :-1]}, r"outputs must have 6 columns"),
        ({"still_open": OPEN[:-1]}, "inconsistent numbers of samples"),
        ({"still_open": np.where(ROW, np.nan, OPEN)}, "outputs contains NaN"),
        ({"still_open": np.where(ROW, None, OPEN)}, "outputs"),
        ({"still_open": OPEN[:, 0]}, "Expected 2D array, got 1D array instead"),
        ({"X_weak": None}, "X must be the inputs of weak samples; got None"),
        ({"X_weak": X_WEAK[:, :-1]}, "weak.X must have 12 columns"),
        ({"weight": -1.0}, "weight must be greater than 0; got -1.0"),
        ({"weight": 0.0}, "weight must be greater than 0; got 0.0"),
        ({"regressor": OutputFisherRegressor()}, "regressor must be a KernelRidgeCV"),
        (
            {"regressor": make_pipeline(StandardScaler(), make_pipeline(RBF))},
            "regressor must be a KernelRidgeCV",
        ),
        ({"regressor": NystroemRidgeCV()}, "regressor must be a KernelRidgeCV"),
        (
            {"regressor": make_pipeline(StandardScaler(), Ridge())},
            "regressor must be a KernelRidgeCV",
        ),
    ],
)
def test_what_cannot_be_inferred_is_refused(told, message):
    with pytest.raises(ValueError, match=message):
        fit(**told)


def test_components_of_classes_are_refused():
    with pytest.raises(ValueError, match="Classes need an OutputFisherRegressor"):
        SemanticClassifier().fit(X, Y, weak=Classes(X_WEAK, Y_WEAK))


@pytest.mark.parametrize("regressor", [RBF, make_pipeline(StandardScaler(), RBF)])
@pytest.mark.parametrize("labelled", [True, False])
def test_frames_of_inputs_keep_their_names(regressor, labelled):
    names = [f"x{j}" for j in range(D)]
    told = {} if labelled else {"y": NO_Y, "still_open": two_open(1)}
    arrays = {"X": X if labelled else NO_X, "X_weak": X_WEAK}
    frames = {name: pd.DataFrame(inputs, columns=names) for name, inputs in arrays.items()}
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model = fit(regressor, **told, **frames)
        found = model.decision_function(pd.DataFrame(X_TEST, columns=names))
    assert_array_equal(model.feature_names_in_, names)
    assert_allclose(found, fit(regressor, **told, **arrays).decision_function(X_TEST))
    with pytest.raises(ValueError, match="feature names should match those that were passed"):
        model.predict(pd.DataFrame(X_TEST, columns=names[::-1]))
    turned = frames | {"X_weak": frames["X_weak"][names[::-1]]}
    with pytest.raises(ValueError, match=r"weak\.X must have the feature names of X"):
        fit(regressor, **told, **turned)


def test_frames_of_labelled_inputs_keep_their_names():
    names = [f"x{j}" for j in range(D)]
    model = SemanticClassifier(RBF).fit(pd.DataFrame(X, columns=names), Y)
    assert_array_equal(model.feature_names_in_, names)
    expected = SemanticClassifier(RBF).fit(X, Y).predict(X_TEST)
    assert_array_equal(model.predict(pd.DataFrame(X_TEST, columns=names)), expected)


def test_a_fit_without_weak_labels_has_no_path():
    """Nor has a fit that follows one with weak labels."""
    model = fit(ONE)
    model.fit(X, Y)
    assert not {"gain_path_", "assignments_"} & vars(model).keys()


DIGITS, DIGIT = load_digits(return_X_y=True)
COARSE = np.array([0, 1, 2, 2, 1, 3, 0, 1, 3, 2])  # groups of look-alikes


@pytest.mark.parametrize("group", [np.arange(10) % 2, COARSE], ids=["parity", "coarse"])
@pytest.mark.parametrize("seed", range(3))
def test_weak_labels_do_no_harm(group, seed):
    """Three labelled digits of each class, and 300 of which the group is known."""
    rng = np.random.default_rng(seed)
    order = rng.permutation(len(DIGIT))
    few = np.concatenate([order[DIGIT[order] == k][:3] for k in range(10)])
    rest = np.setdiff1d(order, few)
    rng.shuffle(rest)
    weak, test = rest[:300], rest[300:1000]
    opened = group[DIGIT[weak]][:, None] == group
    model = SemanticClassifier(KernelRidgeCV(kernel="rbf"))
    alone = model.fit(DIGITS[few], DIGIT[few]).score(DIGITS[test], DIGIT[test])
    model.fit(DIGITS[few], DIGIT[few], weak=Candidates(DIGITS[weak], opened))
    helped = model.score(DIGITS[test], DIGIT[test])
    assert helped > alone + 0.03
    assert (model.assignments_ == DIGIT[weak]).mean() > 0.8
