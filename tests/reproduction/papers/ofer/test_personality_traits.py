import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy import sparse
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.frozen import FrozenEstimator
from sklearn.gaussian_process.kernels import RBF
from sklearn.kernel_ridge import KernelRidge
from sklearn.model_selection import KFold
from sklearn.utils import Bunch

from ofer import GaussianMixtureEmbedding, KernelRidgeCV, OutputFisherRegressor
from ofer.kernels import median_bandwidth
from ofer.metrics import arrmse, rrmse
from reproduction.papers.ofer import personality_traits as module
from reproduction.papers.ofer.personality_traits import (
    EXPERIMENT,
    evaluate,
    is_far,
    kernels,
    take_split,
)
from reproduction.papers.ofer.weak import personality_traits as weak_module
from reproduction.papers.ofer.weak.personality_traits import EXPERIMENT as WEAK_EXPERIMENT
from reproduction.papers.ofer.weak.personality_traits import evaluate as evaluate_weak
from reproduction.statistics.selection import select_by_folds


def make_clips(n=400, *, seed=0):
    """Clips in which a few words tell the level of all five scores."""
    rng = np.random.default_rng(seed)
    level = rng.normal(size=n)
    rates = np.exp(np.outer(level, np.linspace(-1, 1, 40)))
    scores = 0.5 + 0.13 * (level[:, None] + 0.5 * rng.normal(size=(n, 5)))
    return Bunch(counts=sparse.csr_matrix(rng.poisson(rates), dtype=float), Y=np.clip(scores, 0, 1))


CLIPS = make_clips()


@pytest.fixture(autouse=True)
def small(monkeypatch):
    """Few clips and few choices: the methods, not their sizes, are tested."""
    changes = {
        "n_labelled": [40, 90],
        "n_test": 150,
        "n_trees": 40,
        "thresholds": [0.75, 0.7],
        "n_components": [1, 2, 3],
        "alphas": [0.01, 1.0],
    }
    for name, value in changes.items():
        monkeypatch.setitem(module.PARAMETERS, name, value)
    monkeypatch.setitem(weak_module.PARAMETERS, "n_components", [1, 2, 3])
    sizes = {name: min(size, 160 + size // 1000) for name, size in weak_module.N_WEAK.items()}
    monkeypatch.setattr(weak_module, "N_WEAK", sizes)


def test_tasks_are_nested_and_share_their_test_and_weak_clips():
    one, two = (take_split(CLIPS.Y, task, 3) for task in ("1", "2"))
    assert len(one.labelled) == 40
    assert len(two.labelled) == 90
    assert_array_equal(two.labelled[:40], one.labelled)
    assert is_far(CLIPS.Y[one.labelled], 0.75).all()
    assert is_far(CLIPS.Y[two.labelled], 0.7).all()
    assert_array_equal(one.test, two.test)
    assert_array_equal(one.weak, two.weak)
    assert_array_equal(np.sort(np.concatenate([*two])), np.arange(400))
    assert len(two.test) == 150


def test_control_has_the_same_sizes_without_selection():
    control = take_split(CLIPS.Y, "1 random", 3)
    assert [len(part) for part in control] == [len(part) for part in take_split(CLIPS.Y, "1", 3)]
    labelled = [take_split(CLIPS.Y, "1 random", split).labelled for split in range(30)]
    share = is_far(CLIPS.Y[np.concatenate(labelled)], 0.7).mean()
    assert_allclose(share, is_far(CLIPS.Y, 0.7).mean(), atol=0.05)
    together = np.concatenate([*control])
    assert len(set(together)) == len(together)


def test_words_are_weighed_by_seen_clips_and_the_width_is_that_of_the_labelled():
    clips = take_split(CLIPS.Y, "1", 0)
    seen = np.concatenate([clips.labelled, clips.weak[:30]])
    names = [f"w{j:02}" for j in range(40)]
    documents = [" ".join(np.repeat(names, row.astype(int))) for row in CLIPS.counts.toarray()]
    expected = TfidfVectorizer(sublinear_tf=True, vocabulary=names)
    expected.fit([documents[i] for i in seen])
    X = expected.transform(documents).toarray()
    K, K_test = kernels(CLIPS.counts, seen, clips.test, n_labelled=40)
    gaussian = RBF(median_bandwidth(X[clips.labelled]))
    assert_allclose(K, gaussian(X[seen]))
    assert_allclose(K_test, gaussian(X[clips.test], X[seen]))


@pytest.mark.parametrize(
    ("experiment", "of"), [(EXPERIMENT, evaluate), (WEAK_EXPERIMENT, evaluate_weak)]
)
def test_predictions_do_not_depend_on_test_outputs(experiment, of, monkeypatch):
    seen = []
    clips = take_split(CLIPS.Y, "1", 0)
    Y = CLIPS.Y.copy()
    Y[clips.test] = 0.5
    blind = Bunch(counts=CLIPS.counts, Y=Y)
    for one in (module, weak_module):
        monkeypatch.setattr(one, "take_split", lambda *_: clips)
        monkeypatch.setattr(one, "arrmse", lambda _, predicted, **__: seen.append(predicted) or 0.0)
    for method in experiment.methods:
        of(CLIPS, method, "1", 0)
        of(blind, method, "1", 0)
    for first, second in zip(seen[::2], seen[1::2], strict=True):
        assert_array_equal(first, second)


def test_iokr_is_ridge_regression_with_the_linear_kernel():
    clips = take_split(CLIPS.Y, "2", 1)
    X, X_test = module._weigh_words(CLIPS.counts, clips.labelled, clips.test)
    Y = CLIPS.Y[clips.labelled]
    predicted, _ = module._predict_iokr_as_printed(CLIPS.counts, Y, clips, 1)
    K, K_test = (X @ X.T).toarray(), (X_test @ X.T).toarray()
    errors = [
        np.abs(K_test @ np.linalg.solve(K + alpha * np.eye(90), Y) - predicted).max()
        for alpha in module.PARAMETERS["alphas"]
    ]
    assert_allclose(min(errors), 0.0, atol=1e-10)


def test_ofer_as_printed_is_the_estimator_that_the_folds_choose():
    clips = take_split(CLIPS.Y, "1", 0)
    Y, options = CLIPS.Y[clips.labelled], module.PARAMETERS["em"]
    K, K_test = kernels(CLIPS.counts, clips.labelled, clips.test, n_labelled=40)
    model = OutputFisherRegressor(
        GaussianMixtureEmbedding(scaling="score", decoder="raw", random_state=0, **options),
        KernelRidge(kernel="precomputed"),
        block_wise=False,
    )
    grid = {
        "embedding__n_components": module.PARAMETERS["n_components"],
        "regressor__alpha": module.PARAMETERS["alphas"],
    }
    folds = KFold(5, shuffle=True, random_state=0)
    chosen = select_by_folds(model, grid, K, Y, folds)
    predicted, values = module._predict_ofer_as_printed(CLIPS.counts, Y, clips, 0)
    assert values == {"n_components": chosen.embedding_.n_components}
    assert_allclose(predicted, chosen.predict(K_test))


def weak_problem(setting, n_weak):
    """Labelled and weak clips, their kernel and the test clips: outputs and kernel."""
    clips = take_split(CLIPS.Y, setting, 0)
    weak = clips.weak[:n_weak]
    seen = np.concatenate([clips.labelled, weak])
    K, K_test = kernels(CLIPS.counts, seen, clips.test, n_labelled=len(clips.labelled))
    return CLIPS.Y[clips.labelled], CLIPS.Y[weak], CLIPS.Y[clips.test], K, K_test


def mixtures_of(Y):
    """The mixtures that a table tries, by their size."""
    sizes, options = weak_module.PARAMETERS["n_components"], weak_module.PARAMETERS["em"]
    return {n: GaussianMixtureEmbedding(n, random_state=0, **options).fit(Y) for n in sizes}


def assert_chosen(found, models, Y, truth, K_test):
    """The row is that of the model of least leave-one-out error, given {size: (unseen, model)}."""
    best = min(models, key=lambda size: rrmse(Y, models[size][0]))
    predicted = {
        size: model.predict(K_test[:, : model.n_features_in_])
        for size, (_, model) in models.items()
    }
    expected = {
        "rrmse": rrmse(truth, predicted[best]),
        "arrmse": arrmse(truth, predicted[best], y_train=Y),
        "n_components": best,
        "rrmse of two components": rrmse(truth, predicted[2]),
    }
    assert found == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize("setting", ["1", "2"])
@pytest.mark.parametrize("method", ["OFER-GMM", "wOFER+644", "wOFER+2500"])
def test_rows_are_the_estimator_with_ridges_of_its_own(method, setting):
    """Every size anew, with a decomposition for each."""
    n_weak = weak_module.N_WEAK[method]
    Y, Y_weak, truth, K, K_test = weak_problem(setting, n_weak)
    n, models = len(Y), {}
    for size, mixture in mixtures_of(Y).items():
        ridge = KernelRidgeCV("fixed", kernel="precomputed")
        model = OutputFisherRegressor(FrozenEstimator(mixture), ridge, block_wise=True)
        weak = {}
        if n_weak and size > 1:
            weak = {"X_weak": K[n:], "membership_weak": mixture.predict_proba(Y_weak)}
            weak["weak_weight"] = 1.0
        models[size] = model.fit(K[:n, :n], Y, **weak).loo_predict(), model
    assert_chosen(evaluate_weak(CLIPS, method, setting, 0), models, Y, truth, K_test)


def test_imputed_outputs_are_means_of_components():
    """Leave-one-out predictions by leaving each labelled clip out, at the ridge of all."""
    n_weak = weak_module.N_WEAK["m-KRR imputed+2500"]
    Y, Y_weak, truth, K, K_test = weak_problem("1", n_weak)
    models = {}
    for size, mixture in mixtures_of(Y).items():
        imputed = np.vstack([Y, mixture.predict_proba(Y_weak) @ mixture.means_])
        model = KernelRidgeCV(kernel="precomputed").fit(K, imputed)
        one = KernelRidgeCV([model.alpha_], kernel="precomputed")
        unseen = np.empty_like(Y)
        for i in range(len(Y)):
            kept = np.delete(np.arange(len(K)), i)
            unseen[i] = one.fit(K[np.ix_(kept, kept)], imputed[kept]).predict(K[[i]][:, kept])[0]
        models[size] = unseen, model
    assert_chosen(evaluate_weak(CLIPS, "m-KRR imputed+2500", "1", 0), models, Y, truth, K_test)


def test_known_outputs_are_plain_ridge_regression():
    clips = take_split(CLIPS.Y, "1", 0)
    seen = np.concatenate([clips.labelled, clips.weak[:162]])
    K, K_test = kernels(CLIPS.counts, seen, clips.test, n_labelled=40)
    predicted = KernelRidgeCV(kernel="precomputed").fit(K, CLIPS.Y[seen]).predict(K_test)
    errors = evaluate_weak(CLIPS, "m-KRR known+2500", "1", 0)
    assert_allclose(errors["rrmse"], rrmse(CLIPS.Y[clips.test], predicted))
    expected = arrmse(CLIPS.Y[clips.test], predicted, y_train=CLIPS.Y[clips.labelled])
    assert_allclose(errors["arrmse"], expected)
