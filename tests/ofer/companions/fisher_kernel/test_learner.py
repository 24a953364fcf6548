"""Fisher kernel learning: gradients by differences, what is learned, and bad input."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.special import log_softmax
from sklearn.exceptions import ConvergenceWarning, NotFittedError

from ofer.companions import FisherKernelLearner, PairwiseMRF, nca_objective
from ofer.companions.fisher_kernel.emissions import EMISSIONS
from ofer.companions.fisher_kernel.learner import FisherProblem
from ofer.companions.fisher_kernel.objects import check_objects
from reproduction.datasets.generated.markov_sequences import make_markov_sequences

STARTS = {
    "maximum likelihood": PairwiseMRF(3, random_state=0),
    "random": PairwiseMRF(3, init="random", max_iter=0, random_state=0),
}
pytestmark = pytest.mark.filterwarnings("ignore:fit stopped after")


@pytest.fixture(scope="module")
def data():
    return make_markov_sequences(80, random_state=0)


@pytest.fixture
def problem(draw_model, draw_chains, draw_loops):
    """Function that returns the learner's problem for a few objects and random parameters."""

    def make(kind, emission, symmetric, n_states=2):
        if kind == "chains":
            objects = draw_chains(emission, lengths=(3, 1, 5, 4, 5, 2, 8))
        else:
            objects = draw_loops(emission) + draw_loops(emission, seed=7)
        model = draw_model(emission, symmetric=symmetric, strength=0.5, n_states=n_states)
        checked = check_objects(objects, EMISSIONS[emission])
        return FisherProblem(model, checked, np.arange(len(objects)) % 2)

    return make


@pytest.mark.parametrize("held", [False, True])
@pytest.mark.parametrize("symmetric", [False, True])
@pytest.mark.parametrize("emission", ["gaussian", "multinomial"])
@pytest.mark.parametrize("kind", ["chains", "graphs"])
def test_gradient_of_many_states(kind, emission, symmetric, held, problem):
    """Along random directions, as there are many parameters."""
    one, rng = problem(kind, emission, symmetric, n_states=10), np.random.default_rng(0)
    theta, w = one.start, 0.3 * one.start_weights()
    statistics = one.hold(theta) if held else None
    _, gradient_theta, gradient_w = one(theta, w, statistics)
    step = 1e-5
    for _ in range(3):
        a, b = rng.normal(size=(2, len(theta)))
        values = [one(theta + s * a, w * (1 + s * b), statistics)[0] for s in (step, -step)]
        slope = gradient_theta @ a + gradient_w @ (w * b)
        assert_allclose(slope, (values[0] - values[1]) / (2 * step), rtol=1e-6, atol=1e-8)


def test_messages_start_from_those_before(problem):
    """They settle where they would without, in fewer sweeps."""
    cold, warm = (problem("graphs", "multinomial", True, n_states=4) for _ in range(2))
    near, w = cold.start + 0.01, cold.start_weights()
    warm(warm.start, w)
    for ours, expected in zip(warm(near, w), cold(near, w), strict=True):
        assert_allclose(ours, expected, rtol=1e-8, atol=1e-10)
    sweeps = [
        sum(part.n_sweeps.sum() for part in one.last.seen + one.last.unseen) for one in (warm, cold)
    ]
    assert sweeps[0] < sweeps[1]


@pytest.mark.parametrize("held", [False, True])
@pytest.mark.parametrize("symmetric", [False, True])
@pytest.mark.parametrize("emission", ["gaussian", "multinomial"])
@pytest.mark.parametrize("kind", ["chains", "graphs"])
def test_gradient(kind, emission, symmetric, held, problem):
    one = problem(kind, emission, symmetric)
    theta, w = one.start, 0.5 * one.start_weights()
    statistics = one.hold(theta) if held else None
    if held:
        theta = theta + 0.1  # where what is held is not what would be inferred
    _, gradient_theta, gradient_w = one(theta, w, statistics)
    step, size = 1e-5, len(theta)
    for gradient, shifts in (
        (gradient_theta, [(step * e, 0) for e in np.eye(size)]),
        (gradient_w, [(0, step * e) for e in np.eye(size)]),
    ):
        differences = [
            (one(theta + a, w + b, statistics)[0] - one(theta - a, w - b, statistics)[0])
            / (2 * step)
            for a, b in shifts
        ]
        assert np.abs(differences).max() > 1e-3
        assert_allclose(gradient, differences, rtol=1e-6, atol=1e-7)


def test_start_weights_are_bounded():
    """Scores of symbols that are never seen nearly vanish; their weights stay finite."""
    rng = np.random.default_rng(0)
    objects = [rng.integers(2, size=9) for _ in range(12)]
    objects[0][:] = 9  # of ten symbols, seven stand nowhere
    model = PairwiseMRF(3, emission="multinomial", n_symbols=10, random_state=0).fit(objects)
    checked = check_objects(objects, EMISSIONS["multinomial"], 10)
    one = FisherProblem(model, checked, np.arange(12) % 2)
    squares = np.mean(model.score_vectors(objects) ** 2, axis=0)
    assert np.mean(squares < 1e-12 * squares.max()) > 0.5
    w = one.start_weights()
    assert w.max() < 1.001e4 * w.min()
    large = squares > 1e-8 * squares.max()
    assert_allclose(w[large] ** 2 * squares[large], 1)


@pytest.mark.parametrize("optimizer", ["lbfgs", "alternating"])
@pytest.mark.parametrize("init", STARTS)
def test_fit(optimizer, init, data):
    learner = FisherKernelLearner(STARTS[init], optimizer=optimizer, max_iter=15)
    learner.fit(data.sequences, data.y)
    history = learner.objectives_
    assert len(history) == learner.n_iter_ + 1
    features = learner.transform(data.sequences)
    assert features.shape == (80, 3 + 9 + 6 + 3)
    assert_allclose(features, learner.model_.score_vectors(data.sequences) * learner.weights_)
    assert ((history >= 0) & (history <= 1)).all()
    # The best iterate is kept, and its objective is that of the representation.
    assert_allclose(nca_objective(features, np.ones(21), data.y)[0] / 80, history.max(), atol=1e-9)
    assert history.max() > history[0] + 0.02
    assert learner.gradient_norm_ >= 0
    if optimizer == "lbfgs":
        assert np.diff(history).min() > 0


def test_learning_ends_on_a_plateau(data):
    learner = FisherKernelLearner(STARTS["maximum likelihood"]).fit(data.sequences, data.y)
    assert learner.converged_
    assert learner.n_iter_ < learner.max_iter
    short = FisherKernelLearner(STARTS["maximum likelihood"], max_iter=3).fit(
        data.sequences, data.y
    )
    assert learner.gradient_norm_ < 0.1 * short.gradient_norm_
    assert not short.converged_


def test_a_fitted_model_is_the_start(data):
    model = PairwiseMRF(3, random_state=0).fit(data.sequences)
    first, second = (
        FisherKernelLearner(model, prefit=prefit, max_iter=5).fit(data.sequences, data.y)
        for prefit in (False, True)
    )
    assert_array_equal(first.objectives_, second.objectives_)
    assert_array_equal(model.means_, PairwiseMRF(3, random_state=0).fit(data.sequences).means_)
    with pytest.raises(NotFittedError, match="PairwiseMRF"):
        FisherKernelLearner(PairwiseMRF(3), prefit=True).fit(data.sequences, data.y)


def test_logarithms(data):
    learner = FisherKernelLearner(PairwiseMRF(3, random_state=0), objective="log", max_iter=60)
    learner.fit(data.sequences, data.y)
    history = learner.objectives_
    assert np.diff(history).min() > 0
    G, y = learner.transform(data.sequences), data.y
    D = np.square(G[:, None] - G).sum(axis=2)
    np.fill_diagonal(D, np.inf)
    pairs = (y[:, None] == y) & np.isfinite(D)
    assert_allclose(history[-1], log_softmax(-D, axis=1)[pairs].mean(), rtol=1e-9)


def test_start_is_the_paper_s(data):
    start = PairwiseMRF(2, init="random", max_iter=0, random_state=0)
    learner = FisherKernelLearner(start, max_iter=1).fit(data.sequences, data.y)
    start = start.fit(data.sequences)
    scores = start.score_vectors(data.sequences)
    assert_array_equal(start.transition_, 0)
    w = 1 / np.sqrt(np.mean(scores**2, axis=0))
    assert_allclose(learner.objectives_[0], nca_objective(scores, w, data.y)[0] / 80, rtol=1e-9)


def test_graphs():
    """Rings against lines of the same symbols: only the edges tell them apart."""
    rng = np.random.default_rng(0)
    objects, y = [], []
    for i in range(24):
        n = rng.integers(5, 8)
        line = [(t, t + 1) for t in range(n - 1)]
        objects.append((np.arange(n) % 2, [*line, (n - 1, 0)] if i % 2 else line))
        y.append("ring" if i % 2 else "line")
    start = PairwiseMRF(
        2, emission="multinomial", symmetric=True, init="random", max_iter=0, random_state=0
    )
    learner = FisherKernelLearner(start, max_iter=30).fit(objects, y)
    assert learner.objectives_[-1] > 0.9
    assert learner.objectives_[-1] > learner.objectives_[0]
    assert_array_equal(learner.classes_, ["line", "ring"])


@pytest.mark.filterwarnings("default:fit stopped after")
def test_warns_when_it_stops_early(data):
    learner = FisherKernelLearner(PairwiseMRF(2, random_state=0), max_iter=1, tol=0)
    with pytest.warns(ConvergenceWarning, match=r"after 1 iterations.*Raise max_iter or tol"):
        learner.fit(data.sequences, data.y)
    assert not learner.converged_


@pytest.mark.filterwarnings("default:fit stopped after")
def test_says_when_there_is_no_step(data, monkeypatch):
    module = "ofer.companions.fisher_kernel.learner"
    monkeypatch.setattr(f"{module}.line_search", lambda *args, **options: (None,))
    learner = FisherKernelLearner(PairwiseMRF(2, random_state=0), optimizer="alternating")
    with pytest.warns(ConvergenceWarning, match=r"after 0 iterations.*No step raises.*min_scale"):
        learner.fit(data.sequences, data.y)
    assert np.isfinite(learner.transform(data.sequences)).all()


def test_numbers_of_states_without_anything_hidden(data):
    """One state: potentials have no score at all, and do no harm."""
    learner = FisherKernelLearner(PairwiseMRF(1, random_state=0), max_iter=5)
    learner.fit(data.sequences, data.y)
    features = learner.transform(data.sequences)
    assert np.abs(features[:, :2]).max() < 1e-6
    assert np.isfinite(features).all()


@pytest.mark.parametrize(
    ("parameters", "y", "error", "message"),
    [
        ({}, [1] * 80, ValueError, r"y must have at least two classes; got \[1\]"),
        ({}, range(80), ValueError, "y must have two objects of one class; got 80 objects"),
        ({}, [0, 1], ValueError, "y must have one class for each of 80 objects; got 2"),
        ({}, np.linspace(0, 1, 80), ValueError, "Unknown label type"),
    ],
)
@pytest.mark.filterwarnings("ignore:The number of unique classes")
def test_bad_parameters(parameters, y, error, message, data):
    with pytest.raises(error, match=message):
        FisherKernelLearner(**parameters).fit(data.sequences, data.y if y is None else list(y))


def test_bad_objects(data):
    broken = [*data.sequences[:-1], data.sequences[-1] * np.nan]
    with pytest.raises(ValueError, match=r"objects\[79\] must hold finite numbers"):
        FisherKernelLearner().fit(broken, data.y)
    with pytest.raises(NotFittedError, match="FisherKernelLearner"):
        FisherKernelLearner().transform(data.sequences)
