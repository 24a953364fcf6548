import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy import sparse
from sklearn.feature_extraction.text import TfidfTransformer, TfidfVectorizer
from sklearn.frozen import FrozenEstimator
from sklearn.gaussian_process.kernels import RBF
from sklearn.kernel_ridge import KernelRidge
from sklearn.model_selection import KFold
from sklearn.utils import Bunch

from ofer import (
    GaussianMixtureEmbedding,
    KernelRidgeCV,
    Memberships,
    OutputFisherRegressor,
)
from ofer.kernels import median_bandwidth
from ofer.metrics import rrmse
from reproduction.methods.weak_as_printed import WeakOferAsPrinted
from reproduction.methods.weak_mixtures import (
    ImputedRidge,
    WeakOfer,
    WithTwoComponents,
)
from reproduction.statistics.selection import select_by_folds
from reproduction.studies.personality_traits import clips as traits
from reproduction.studies.personality_traits.clips import (
    draw_counts,
    gaussian,
    is_far,
    kernels,
    take_split,
)
from reproduction.studies.personality_traits.tables.ofer_table_07 import ALPHAS, EM, EXPERIMENT
from reproduction.studies.personality_traits.tables.ofer_table_08 import (
    EXPERIMENT as WEAK_EXPERIMENT,
)

SIZES = (1, 2, 3)


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
    """Few clips: the methods, not their sizes, are tested."""
    sizes = {"n_labelled": [40, 90], "n_test": 150, "thresholds": [0.75, 0.7]}
    for name, value in sizes.items():
        monkeypatch.setitem(traits.PARAMETERS, name, value)


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


def test_a_task_has_the_words_of_its_clips():
    clips, task = take_split(CLIPS.Y, "2", 1), draw_counts(CLIPS, "2", 1)
    weigh = TfidfTransformer(sublinear_tf=True).fit(CLIPS.counts[clips.labelled])
    X, X_test = (weigh.transform(CLIPS.counts[part]) for part in clips[:2])
    assert_allclose(traits.words(task).X_test.toarray(), X_test.toarray())
    assert_allclose(traits.linear(task).X_test, (X_test @ X.T).toarray())
    seen = np.concatenate([clips.labelled, clips.weak[:30]])
    K, K_test = kernels(CLIPS.counts, seen, clips.test, n_labelled=90)
    weak = gaussian(task, 30).weak
    assert_allclose(weak.K, K)
    assert_allclose(weak.K_test, K_test)
    assert_array_equal(weak.Y, CLIPS.Y[clips.weak[:30]])


@pytest.mark.parametrize("experiment", [EXPERIMENT, WEAK_EXPERIMENT])
def test_predictions_do_not_depend_on_test_outputs(experiment):
    task = draw_counts(CLIPS, "1", 0)
    blind = task._replace(Y_test=np.full_like(task.Y_test, 0.5))
    for method in experiment.methods.values():
        assert_array_equal(method(task).outputs, method(blind).outputs)


def test_iokr_is_ridge_regression_with_the_linear_kernel():
    task = draw_counts(CLIPS, "2", 1)
    predicted = EXPERIMENT.methods["IOKR"](task).outputs
    K, K_test = traits.linear(task).X, traits.linear(task).X_test
    errors = [
        np.abs(K_test @ np.linalg.solve(K + alpha * np.eye(90), task.Y) - predicted).max()
        for alpha in ALPHAS
    ]
    assert_allclose(min(errors), 0.0, atol=1e-10)


def test_ofer_as_printed_is_the_estimator_that_the_folds_choose():
    task, alphas = gaussian(draw_counts(CLIPS, "1", 0)), [0.01, 1.0]
    model = OutputFisherRegressor(
        GaussianMixtureEmbedding(scaling="score", decoder="raw", random_state=0, **EM),
        KernelRidge(kernel="precomputed"),
        block_wise=False,
    )
    grid = {"embedding__n_components": SIZES, "regressor__alpha": alphas}
    folds = KFold(5, shuffle=True, random_state=0)
    expected = select_by_folds(model, grid, task.X, task.Y, folds)
    predicted, chosen = WeakOferAsPrinted(0, SIZES, tuple(alphas), em=EM)(task)
    assert chosen == {"n_components": expected.embedding_.n_components}
    assert_allclose(predicted, expected.predict(task.X_test))


def mixtures_of(Y):
    """The mixtures that a table tries, by their size."""
    return {n: GaussianMixtureEmbedding(n, random_state=0, **EM).fit(Y) for n in SIZES}


def assert_chosen(method, task, models):
    """Predictions are of the model of least leave-one-out error, given {size: (unseen, model)}."""
    outputs, chosen = WithTwoComponents(method)(task)
    best = min(models, key=lambda size: rrmse(task.Y, models[size][0]))
    predicted = {
        size: model.predict(task.weak.K_test[:, : model.n_features_in_])
        for size, (_, model) in models.items()
    }
    assert_allclose(outputs, predicted[best], rtol=1e-9)
    assert chosen["n_components"] == best
    assert_allclose(chosen["rrmse of two components"], rrmse(task.Y_test, predicted[2]), rtol=1e-9)


@pytest.mark.parametrize("setting", ["1", "2"])
@pytest.mark.parametrize("n_weak", [0, 100, 160])
def test_ours_is_the_estimator_with_ridges_of_its_own(n_weak, setting):
    """Every size anew, with a decomposition for each."""
    task = gaussian(draw_counts(CLIPS, setting, 0), n_weak)
    n, models = len(task.Y), {}
    for size, mixture in mixtures_of(task.Y).items():
        ridge = KernelRidgeCV("fixed", kernel="precomputed")
        model = OutputFisherRegressor(FrozenEstimator(mixture), ridge, block_wise=True)
        weak = None
        if n_weak and size > 1:
            responsibilities = mixture.predict_proba(task.weak.Y)
            weak = Memberships(task.weak.K[n:], responsibilities, weight=1.0)
        models[size] = model.fit(task.X, task.Y, weak=weak).loo_predict(), model
    assert_chosen(WeakOfer(n_weak, SIZES, em=EM), task, models)


def test_imputed_outputs_are_means_of_components():
    """Leave-one-out predictions by leaving each labelled clip out, at the ridge of all."""
    task = gaussian(draw_counts(CLIPS, "1", 0), 160)
    K, models = task.weak.K, {}
    for size, mixture in mixtures_of(task.Y).items():
        imputed = np.vstack([task.Y, mixture.predict_proba(task.weak.Y) @ mixture.means_])
        model = KernelRidgeCV(kernel="precomputed").fit(K, imputed)
        one = KernelRidgeCV([model.alpha_], kernel="precomputed")
        unseen = np.empty_like(task.Y)
        for i in range(len(task.Y)):
            kept = np.delete(np.arange(len(K)), i)
            unseen[i] = one.fit(K[np.ix_(kept, kept)], imputed[kept]).predict(K[[i]][:, kept])[0]
        models[size] = unseen, model
    assert_chosen(ImputedRidge(160, SIZES, em=EM), task, models)


def test_known_outputs_are_plain_ridge_regression():
    clips, task = take_split(CLIPS.Y, "1", 0), draw_counts(CLIPS, "1", 0)
    seen = np.concatenate([clips.labelled, clips.weak])
    K, K_test = kernels(CLIPS.counts, seen, clips.test, n_labelled=40)
    expected = KernelRidgeCV(kernel="precomputed").fit(K, CLIPS.Y[seen]).predict(K_test)
    assert_allclose(WEAK_EXPERIMENT.methods["m-KRR known+2500"](task).outputs, expected)
