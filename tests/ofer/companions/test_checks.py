"""What every companion refuses before it works: masked entries, times, labels of two types."""

import warnings
from datetime import datetime

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from ofer.companions import (
    ChainOutputs,
    FisherKernelLearner,
    LocalStructuredPredictor,
    MulticlassOutputs,
    PairwiseMRF,
    TreeOutputs,
    TwinGaussianProcess,
    TwinGaussianProcessCV,
    nca_objective,
    sharma_mittal_divergence,
)

RNG = np.random.default_rng(0)
X, Y = RNG.normal(size=(12, 2)), RNG.normal(size=(12, 2))
LABELS = np.arange(12) % 3
CHAINS = list(RNG.normal(size=(8, 5, 2)))
PATHS = [list("ababa")] * 8
EDGES = np.array([[0, 1], [1, 2]])
FIELD = PairwiseMRF(2).set_parameters(means=[[0.0, 0.0], [1.0, 1.0]], log_scales=[0, 0])
SYMBOLS = PairwiseMRF(2, emission="multinomial").set_parameters(logits=[[0.0, 1.0], [1.0, 0.0]])
QUICK = FisherKernelLearner(PairwiseMRF(2, max_iter=2, random_state=0), max_iter=2)
LOCAL = LocalStructuredPredictor(n_neighbors=3, n_iter=2).fit(X, LABELS)
LOCAL_CHAINS = LocalStructuredPredictor("chain", n_neighbors=3, n_iter=2).fit(CHAINS, PATHS)
TWINS = TwinGaussianProcess(max_iter=2).fit(X, Y)
GRID = {"alphas": [0.0], "ridges": [0.1], "bandwidths_x": [1.0], "bandwidths_y": [1.0]}
SEARCH = TwinGaussianProcessCV(**GRID, cv=2, max_iter=2).fit(X, Y)


def set_means(means):
    return PairwiseMRF(2).set_parameters(means=means, log_scales=[0, 0])


def learn(objects, y):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return QUICK.fit(objects, y)


def masked(array, hidden=True):
    """An array with a mask that hides its first entry, or none."""
    array = np.ma.array(np.asarray(array).copy())
    array.mask = np.zeros(array.shape, dtype=bool)
    array.mask[(0,) * array.ndim] = hidden
    return array


def first_masked(objects, hidden=True):
    return [masked(objects[0], hidden), *objects[1:]]


# By name, what takes an argument, and the argument.
NUMBERS = {
    "nca_objective, G": (lambda G: nca_objective(G, np.ones(2), LABELS), X),
    "nca_objective, w": (lambda w: nca_objective(X, w, LABELS), np.ones(2)),
    "divergence, mean": (lambda m: sharma_mittal_divergence(m, np.eye(2), *P, 1, 1), np.ones(2)),
    "divergence, matrix": (lambda S: sharma_mittal_divergence(*P, np.ones(2), S, 1, 1), np.eye(2)),
    "TwinGaussianProcess, X": (lambda x: TwinGaussianProcess().fit(x, Y), X),
    "TwinGaussianProcess, Y": (lambda y: TwinGaussianProcess().fit(X, y), Y),
    "TwinGaussianProcess, bandwidth": (
        lambda b: TwinGaussianProcess(bandwidth_x=b).fit(X, Y),
        np.ones(2),
    ),
    "TwinGaussianProcess.predict": (lambda x: TWINS.predict(x), X),
    "TwinGaussianProcess.predict_alphas": (lambda a: TWINS.predict_alphas(X, a), np.zeros(1)),
    "TwinGaussianProcess.cost, X": (lambda x: TWINS.cost(x, Y), X),
    "TwinGaussianProcess.cost, Y": (lambda y: TWINS.cost(X, y), Y),
    "TwinGaussianProcess.score": (lambda y: TWINS.score(X, y), Y),
    "TwinGaussianProcessCV, X": (lambda x: TwinGaussianProcessCV(**GRID, cv=2).fit(x, Y), X),
    "TwinGaussianProcessCV, y": (lambda y: TwinGaussianProcessCV(**GRID, cv=2).fit(X, y), Y),
    "TwinGaussianProcessCV, ridges": (
        lambda r: TwinGaussianProcessCV(**GRID | {"ridges": r}).fit(X, Y),
        np.ones(1),
    ),
    "TwinGaussianProcessCV.predict": (lambda x: SEARCH.predict(x), X),
    "TwinGaussianProcessCV.score": (lambda y: SEARCH.score(X, y), Y),
    "LocalStructuredPredictor, X": (
        lambda x: LocalStructuredPredictor(n_neighbors=3).fit(x, LABELS),
        X,
    ),
    "LocalStructuredPredictor.predict": (lambda x: LOCAL.predict(x), X),
    "PairwiseMRF, means": (
        lambda m: PairwiseMRF(2).set_parameters(means=m, log_scales=[0, 0]),
        X[:2],
    ),
}
OBJECTS = {
    "PairwiseMRF": lambda objects: PairwiseMRF(2, max_iter=2).fit(objects),
    "PairwiseMRF.loglikelihood": FIELD.loglikelihood,
    "PairwiseMRF.score_vectors": FIELD.score_vectors,
    "PairwiseMRF.transform": FIELD.transform,
    "PairwiseMRF.posteriors": FIELD.posteriors,
    "FisherKernelLearner": lambda objects: QUICK.fit(objects, np.arange(8) % 2),
    "LocalStructuredPredictor": lambda objects: LocalStructuredPredictor(
        "chain", n_neighbors=3
    ).fit(objects, PATHS),
    "LocalStructuredPredictor.predict": LOCAL_CHAINS.predict,
}
TARGETS = {
    "nca_objective": (lambda y: nca_objective(X, np.ones(2), y), LABELS),
    "FisherKernelLearner": (lambda y: learn(CHAINS, y), np.arange(8) % 2),
    "LocalStructuredPredictor": (
        lambda y: LocalStructuredPredictor(n_neighbors=3).fit(X, y),
        LABELS,
    ),
    "LocalStructuredPredictor, y_init": (
        lambda y: LocalStructuredPredictor(n_neighbors=3, y_init=y).fit(
            X, np.where(LABELS == 1, -1, LABELS)
        ),
        LABELS % 2 * 2,
    ),
    "LocalStructuredPredictor.score": (lambda y: LOCAL.score(X, y), LABELS),
    "MulticlassOutputs": (lambda y: MulticlassOutputs().fit(y), LABELS),
    "MulticlassOutputs, classes": (lambda y: MulticlassOutputs(y).fit(LABELS), LABELS),
    "ChainOutputs, states": (lambda y: ChainOutputs(y).fit([]), LABELS),
    "TreeOutputs.transform": (lambda y: TreeOutputs([-1, 0, 0, 0]).fit([]).transform(y), LABELS),
}
P = np.zeros(2), np.eye(2)
HIDDEN = "must have no masked entries; got some. Impute or drop them"
MISSING = f"{HIDDEN}|(?i:input y contains NaN, in [0-9]+ of .* KernelRidgeCV takes)"


@pytest.mark.parametrize("name", NUMBERS)
def test_masked_numbers_and_times_are_refused(name):
    call, good = NUMBERS[name]
    call(masked(good, hidden=False))
    bad = [masked(good), [masked(row) for row in good] if good.ndim == 2 else [*good[:-1], MASKED]]
    for one in bad:
        with pytest.raises(ValueError, match=MISSING):
            call(one)
    times = np.zeros(good.shape, "datetime64[s]") + np.arange(good.size).reshape(good.shape)
    dates = np.full(good.shape, datetime(2026, 1, 1)).tolist()
    for one in (times, times - times[0], times.tolist(), dates):
        with pytest.raises(ValueError, match=r"must hold numbers; got (date|time)"):
            call(one)


MASKED = np.ma.masked


@pytest.mark.parametrize("name", OBJECTS)
def test_masked_objects_are_refused(name):
    call = OBJECTS[name]
    nested = [[list(masked(row)) for row in one] for one in CHAINS]
    for objects in (first_masked(CHAINS), nested, masked(np.array(CHAINS))):
        with pytest.raises(ValueError, match=HIDDEN):
            call(objects)
    if not name.startswith("Local"):
        graphs = [(one, EDGES) for one in CHAINS]
        for bad in ((masked(CHAINS[0]), EDGES), (CHAINS[0], masked(EDGES))):
            with pytest.raises(ValueError, match=HIDDEN):
                call([bad, *graphs[1:]])
    with pytest.raises(
        ValueError, match=r"(real numbers; got shape|must hold numbers).*datetime64"
    ):
        call([one.astype("datetime64[s]") for one in CHAINS])


def test_masks_that_hide_nothing_change_nothing():
    assert_array_equal(
        FIELD.score_vectors(first_masked(CHAINS, hidden=False)), FIELD.score_vectors(CHAINS)
    )
    assert_array_equal(LOCAL.predict(masked(X, hidden=False)), LOCAL.predict(X))


@pytest.mark.parametrize("name", TARGETS)
def test_masked_and_mixed_labels_are_refused(name):
    call, good = TARGETS[name]
    call(masked(good, hidden=False))
    for bad in (masked(good), [*good[:-1], MASKED]):
        with pytest.raises(ValueError, match=HIDDEN):
            call(bad)
    some = [int(label) for label in good[:-1]]
    for bad in ([*some, "b"], np.array([*some, "b"], dtype=object)):
        with pytest.raises(
            ValueError, match=r"must have labels of one type; got \d+ \(number\) and 'b' \(str\)\."
        ):
            call(bad)
    with pytest.raises(
        ValueError, match=r"must have labels of one type; got b'b' \(bytes\) and '.' \(str\)\."
    ):
        call([*map(str, some), b"b"])


@pytest.mark.parametrize("bad", [[1, "b"] * 2, [np.int64(1), "b"] * 2, ["b", True] * 2])
def test_sequences_of_mixed_labels_are_refused(bad):
    rows = [X[:4]] * 4
    model = LocalStructuredPredictor("chain", n_neighbors=3)
    for y in ([bad, None, None, bad], [bad[:1] * 4, None, None, bad[1:2] * 4]):
        with pytest.raises(
            ValueError, match=r"y must have labels of one type; got .* and .*\(str\)\."
        ):
            model.fit(rows, y)
    with pytest.raises(ValueError, match="y must have labels of one type"):
        ChainOutputs().fit([bad])
    with pytest.raises(ValueError, match=HIDDEN):
        model.fit(rows, [np.ma.array([1, 2, 1, 2], mask=[0, 1, 0, 0]), *[[1, 2, 1, 2]] * 3])


@pytest.mark.parametrize("labels", [(True, False), ("a", "b"), (2**62 + 1, 2**62), (1.0, 2.0)])
@pytest.mark.parametrize("mark", [None, -1])
def test_labels_come_back_as_they_were(labels, mark):
    far = np.repeat(np.eye(2), 6, axis=0) + np.arange(12)[:, None] / 100
    y = [*[labels[0]] * 5, mark, *[labels[1]] * 5, mark]
    for given in (y, np.array([*y, None], dtype=object)[:-1]):
        model = LocalStructuredPredictor(n_neighbors=3).fit(far, given)
        assert model.predict(far).tolist() == [labels[0]] * 6 + [labels[1]] * 6
        assert type(model.classes_.tolist()[0]) is type(labels[0])
    assert model.score(far[:5], [labels[0]] * 5) == 1


def test_integers_of_both_signs_keep_their_digits():
    big, next_to_it = 2**53, 2**53 + 1
    y = [np.uint64(big), np.int64(next_to_it)] * 6
    far = np.tile(np.eye(2), (6, 1)) + np.arange(12)[:, None] / 100
    assert LocalStructuredPredictor(n_neighbors=3).fit(far, y).predict(far).tolist() == y
    paths = [np.array([big, big], "u8"), np.array([next_to_it, big], "i8")]
    space = ChainOutputs().fit(paths)
    assert_array_equal(space.states_, [big, next_to_it])
    assert space.states_.dtype == np.int64
    assert_array_equal(space.transform(paths[::-1]), [1, 0, 0, 0])
    assert_array_equal(space.transform([paths[0]]), [0, 0])
    for bad in ([np.array([2**63 + 1], "u8")], [["a"]]):
        with pytest.raises(ValueError, match="y must have labels among"):
            space.transform(bad)
    with pytest.raises(ValueError, match="must have labels that fit into 64 bits together"):
        ChainOutputs().fit([np.array([2**63 + 1], "u8"), np.array([-1])])


@pytest.mark.parametrize("y", [[np.uint64(2**63 + 1), np.int64(1)], [2**63 + 1, 1]])
def test_lists_of_large_integers_keep_their_digits(y):
    assert MulticlassOutputs().fit(y).classes_.tolist() == [1, 2**63 + 1]
    assert learn(CHAINS, y * 4).classes_.tolist() == [1, 2**63 + 1]


def test_symbols_of_any_integer_type():
    chains = [np.array([0, 1, 1], "u8"), np.array([1, 0], "i8"), np.array([1, 1], "u1")]
    plain = [one.astype(int) for one in chains]
    model = PairwiseMRF(2, emission="multinomial", random_state=0)
    assert_array_equal(model.fit(chains).loglikelihoods_, model.fit(plain).loglikelihoods_)
    assert_array_equal(SYMBOLS.score_vectors(chains), SYMBOLS.score_vectors(plain))
    with pytest.raises(ValueError, match=r"objects\[1\] must hold symbols from 0 to 1"):
        SYMBOLS.loglikelihood([chains[0], np.array([2**64 - 1], "u8")])
