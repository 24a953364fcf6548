"""OFER from blocks of samples: equal to a fit to all of them with the same output model."""

from copy import deepcopy

import joblib
import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.frozen import FrozenEstimator
from sklearn.linear_model import SGDRegressor
from sklearn.multioutput import MultiOutputRegressor

from ofer import (
    GaussianMixtureEmbedding,
    KernelRidgeCV,
    Memberships,
    NystroemRidgeCV,
    OutputFisherRegressor,
    StateSpaceEmbedding,
)

RNG = np.random.default_rng(0)
N = 240
X = RNG.normal(size=(N, 3))
Y = np.sin(X @ RNG.normal(size=(3, 2))) + 3 * (X[:, :1] > 0) + 0.1 * RNG.normal(size=(N, 2))
WEIGHTS = RNG.integers(1, 4, size=N).astype(float)
BLOCKS = np.array_split(np.arange(N), 4)
MIXTURE = GaussianMixtureEmbedding(2, random_state=0)
RIDGE = NystroemRidgeCV(gamma=0.2, n_components=30, selection="gcv", random_state=0)
SERIES = np.cumsum(RNG.normal(size=(N, 5)) + X[:, :1], axis=1)[:, :, None]


def model(regressor=RIDGE, **options):
    return OutputFisherRegressor(MIXTURE, regressor, **options)


def at_once(fitted, X, y, weights=None):
    """A fit to all samples with the output model and the centres of another."""
    centres = next(iter(fitted.regressor_.values())).components_
    twin = clone(fitted).set_params(
        embedding=FrozenEstimator(fitted.embedding_), regressor__components=centres
    )
    return twin.fit(X, y, weights)


@pytest.mark.parametrize("block_wise", [True, False])
@pytest.mark.parametrize("weights", [None, WEIGHTS])
def test_blocks_are_as_good_as_all_at_once(block_wise, weights):
    ours = model(block_wise=block_wise)
    for b in BLOCKS:
        ours.partial_fit(X[b], Y[b], None if weights is None else weights[b])
    first = clone(MIXTURE).fit(Y[BLOCKS[0]], None, *([] if weights is None else [weights[:60]]))
    assert_allclose(ours.embedding_.transform(Y), first.transform(Y))
    whole = at_once(ours, X, Y, weights)
    assert_allclose(ours.predict(X), whole.predict(X), rtol=1e-7)
    assert_allclose(ours.predict_membership(X), whole.predict_membership(X), atol=1e-8)


@pytest.mark.parametrize(
    ("embedding", "y"), [(MIXTURE, Y), (StateSpaceEmbedding(1, tol=0.01), SERIES)]
)
def test_models_that_began_alike_add_up(embedding, y):
    start = OutputFisherRegressor(embedding, RIDGE).partial_fit(X[:60], y[:60])
    parts = [start.without_samples().partial_fit(X[b], y[b]) for b in BLOCKS]
    merged = parts[2].merge(parts[0]).merge(parts[3].merge(parts[1]))
    assert_allclose(merged.predict(X), at_once(start, X, y).predict(X), rtol=1e-7)
    counts = [one.n_samples_seen_ for one in merged.regressor_.values()]
    assert counts == [N] * len(counts)
    other = model().partial_fit(X[60:], Y[60:])
    with pytest.raises(ValueError, match="other must have the same embedding_"):
        merged.merge(other)


def test_a_model_whose_arrays_are_in_files_is_merged(tmp_path):
    start = OutputFisherRegressor(MIXTURE, RIDGE).partial_fit(X[:60], Y[:60])
    parts = [start.without_samples().partial_fit(X[b], Y[b]) for b in BLOCKS[:2]]
    joblib.dump(parts[1], tmp_path / "part")
    mapped = joblib.load(tmp_path / "part", mmap_mode="r")
    expected = deepcopy(parts[0]).merge(parts[1]).predict(X)
    assert_allclose(deepcopy(mapped).merge(parts[0]).predict(X), expected, rtol=1e-7)
    assert_allclose(parts[0].merge(mapped).predict(X), expected)


def test_it_is_there_for_regressors_that_can():
    ours = model(KernelRidgeCV())
    assert not hasattr(ours, "partial_fit")
    with pytest.raises(AttributeError) as raised:
        ours.partial_fit(X, Y)
    assert "regressor must have the ability 'partial_fit'" in str(raised.value.__cause__)
    assert not hasattr(model(MultiOutputRegressor(SGDRegressor())), "merge")


def test_a_mixture_from_blocks_is_taken_frozen():
    blocks = [Y[b] for b in BLOCKS]
    frozen = FrozenEstimator(clone(MIXTURE).fit_in_batches(blocks))
    model = OutputFisherRegressor(frozen, NystroemRidgeCV(gamma=0.1, n_components=50))
    for b in BLOCKS:
        model.partial_fit(X[b], Y[b])
    assert model.predict(X).shape == Y.shape
    assert_allclose(model.embedding_.means_, frozen.means_, rtol=0)


def test_samples_are_not_added_to_weak_ones():
    ours = model(clone(RIDGE)).fit(X, Y, weak=Memberships(X[:3], [0, 1, 0]))
    with pytest.raises(ValueError, match="partial_fit must not follow a fit with weak"):
        ours.partial_fit(X, Y)


def test_a_model_that_saw_other_samples_forgets_leave_one_out():
    first = model(clone(RIDGE).set_params(selection="gcv")).fit(X, Y)
    known = {**vars(first)}
    other = first.without_samples().partial_fit(X[:50], Y[:50])
    for changed in (first.without_samples(), other, first.merge(other)):
        assert changed.loo_errors_ == dict.fromkeys(changed.blocks_)
        with pytest.raises(ValueError, match="must have leave-one-out residuals"):
            changed.loo_predict()
        assert vars(changed).keys() <= known.keys()


def test_a_model_without_samples_does_not_predict():
    fitted = model().fit(X, Y)
    for empty in (fitted.without_samples(), fitted.regressor_["mean"].without_samples()):
        with pytest.raises(
            NotFittedError, match=r"has seen no sample\. Give it some by partial_fit"
        ):
            empty.predict(X)
    both = fitted.without_samples().merge(fitted)
    assert_allclose(both.predict(X), fitted.predict(X), rtol=1e-9)


def test_weak_samples_are_not_merged():
    weak = {"weak": Memberships(X[:30], np.arange(30) % 2)}
    fitted = model().fit(X, Y, **weak)
    with pytest.raises(ValueError, match="must have seen no weak"):
        fitted.merge(model(regressor=RIDGE).fit(X, Y).set_params())
