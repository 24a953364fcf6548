"""The contract of output models: every one of them, and any transformer in their place."""

import pickle
import re
import warnings

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.special import softmax
from sklearn.base import clone
from sklearn.decomposition import PCA
from sklearn.frozen import FrozenEstimator
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer, StandardScaler
from sklearn.utils.validation import check_is_fitted

import ofer
from ofer import (
    FullFisherEmbedding,
    GaussianEmbedding,
    GaussianMixtureEmbedding,
    KernelRidgeCV,
    Memberships,
    OutputFisherRegressor,
    RankingEmbedding,
    StateSpaceEmbedding,
)
from ofer.embeddings import HasMembership, HasStates, OutputModel
from ofer.embeddings.base import as_output_model

RNG = np.random.default_rng(0)
LABELS = RNG.integers(0, 3, size=60)
X = np.eye(3)[LABELS] + 0.3 * RNG.normal(size=(60, 3))
VECTORS = 5.0 * RNG.normal(size=(3, 2))[LABELS] + RNG.normal(size=(60, 2))
RANKS = 1.0 + np.argsort(np.argsort(RNG.normal(size=(60, 4))))
SERIES = np.cumsum(RNG.normal(size=(60, 5, 2)), axis=1)


class Prototypes(HasMembership, OutputModel):
    """Soft memberships in a few given points, and what they leave over."""

    def __init__(self, points, sharpness=1.0):
        self.points = points
        self.sharpness = sharpness

    def fit(self, Y, y=None):
        self.points_ = np.asarray(self.points, dtype=float)
        self.n_components_, self.n_features_in_ = self.points_.shape
        ends = np.cumsum(self.points_.shape)
        self.blocks_ = {"membership": slice(0, ends[0]), "rest": slice(*ends)}
        return self

    def posterior(self, Y):
        squares = np.square(np.asarray(Y)[:, None] - self.points_).sum(axis=2)
        return softmax(-self.sharpness * squares, axis=1)

    def encode_membership(self, responsibilities):
        return responsibilities

    def decode_membership(self, block):
        positive = np.maximum(block, 1e-12)
        return positive / positive.sum(axis=1, keepdims=True)

    def transform(self, Y):
        gamma = self.posterior(Y)
        return np.hstack([gamma, Y - gamma @ self.points_])

    def inverse_transform(self, H):
        H = self.check_embeddings(H)
        membership, rest = (H[:, columns] for columns in self.blocks_.values())
        return self.decode_membership(membership) @ self.points_ + rest


POINTS = [[0.0, 0.0], [4.0, 1.0], [-3.0, 5.0]]

MODELS = [
    (GaussianEmbedding(), VECTORS),
    (GaussianMixtureEmbedding(3, random_state=0), VECTORS),
    (GaussianMixtureEmbedding(3, scaling="score", decoder="exact", random_state=0), VECTORS),
    (StateSpaceEmbedding(2, tol=1e-3), SERIES),
    (StateSpaceEmbedding(1, scaling="score", tol=1e-3), SERIES),
    (Prototypes(POINTS), VECTORS),
    *((RankingEmbedding(kind), RANKS) for kind in ("kemeny", "hamming", "lehmer")),
    (FullFisherEmbedding(GaussianEmbedding()), VECTORS),
    (FullFisherEmbedding(GaussianMixtureEmbedding(2, random_state=0)), VECTORS),
]


def test_every_output_model_is_tried():
    public = [getattr(room, name) for room in (ofer, ofer.embeddings) for name in room.__all__]
    models = {one for one in public if isinstance(one, type) and issubclass(one, OutputModel)}
    tried = {OutputModel, *(type(model) for model, _ in MODELS)}
    assert models <= tried, "MODELS of this file must have it"


@pytest.fixture(params=MODELS, ids=lambda pair: str(pair[0]))
def case(request):
    model, Y = request.param
    return clone(model), Y


def test_contract(case):
    """Blocks tile the columns, decoding inverts embedding, and names say what columns are."""
    model, Y = case
    assert isinstance(model, OutputModel)
    assert model.has_membership == isinstance(model, HasMembership)
    assert model.has_states == isinstance(model, HasStates)
    assert model.fit(Y, None) is model
    check_is_fitted(model)
    H = model.transform(Y)
    assert H.shape[0] == len(Y)
    edges = [(columns.start, columns.stop) for columns in model.blocks_.values()]
    assert [start for start, _ in edges] == [0, *(stop for _, stop in edges[:-1])]
    assert edges[-1][1] == H.shape[1]
    found = model.inverse_transform(H)
    assert found.shape == Y.shape
    assert_allclose(found, Y, atol=1e-4)
    assert np.isfinite(model.inverse_transform(H + 0.1)).all()
    with pytest.raises(ValueError, match="H must have"):
        model.inverse_transform(H[:, 1:])
    again = pickle.loads(pickle.dumps(model))
    assert_array_equal(again.transform(Y), H)
    assert clone(model).get_params().keys() == model.get_params().keys()


def test_names_of_columns(case):
    model, Y = case
    names = model.fit(Y).get_feature_names_out()
    assert len(set(names)) == len(names) == model.transform(Y).shape[1]
    for block, columns in model.blocks_.items():
        assert all(re.match(rf"{block}(\d|_)", name) for name in names[columns])
    if Y.ndim == 2:
        frame = model.set_output(transform="pandas").transform(Y)
        assert list(frame.columns) == list(names)
        own = [f"u{i}" for i in range(Y.shape[1])]
        named = model.get_feature_names_out(own)
        assert [re.sub("y(?=[0-9])", "u", name) for name in names] == list(named)


def test_memberships_and_states(case):
    model, Y = case
    H = model.fit(Y).transform(Y)
    if model.has_membership:
        gamma = model.posterior(Y)
        assert gamma.shape == (len(Y), model.n_components_)
        block = H[:, model.blocks_["membership"]]
        assert_allclose(model.encode_membership(gamma), block)
        assert_allclose(model.decode_membership(block), gamma, atol=1e-9)
        anything = model.decode_membership(RNG.normal(size=block.shape))
        assert_allclose(anything.sum(axis=1), 1.0)
        assert (anything >= 0).all()
    if model.has_states:
        paths = model.decode_states(H)
        assert paths.shape[:2] == Y.shape[:2]
        assert_allclose(model.transform(Y, paths), H, atol=1e-6)
        told = clone(model).fit(Y, paths)
        assert_allclose(told.decode_states(told.transform(Y, paths)), paths, atol=1e-8)


@pytest.mark.parametrize("frozen", [False, True])
def test_inside_the_regressor(case, frozen):
    model, Y = case
    embedding = FrozenEstimator(model.fit(Y)) if frozen else model
    regressor = OutputFisherRegressor(embedding, KernelRidgeCV(kernel="rbf"), block_wise=True)
    for name, offered in (("membership", model.has_membership), ("states", model.has_states)):
        assert hasattr(regressor, f"predict_{name}") == offered
    regressor.fit(X, Y)
    assert list(regressor.regressor_) == list(model.fit(Y).blocks_) == list(regressor.blocks_)
    assert regressor.predict(X[:4]).shape == Y[:4].shape
    assert regressor.loo_predict().shape == Y.shape
    again = pickle.loads(pickle.dumps(clone(regressor).fit(X, Y)))
    assert_array_equal(again.predict(X[:4]), regressor.predict(X[:4]))
    if not model.has_states:
        with pytest.raises(ValueError, match="states must be None unless the embedding has states"):
            regressor.fit(X, Y, states=np.zeros((60, 5, 1)))
    if not model.has_membership:
        with pytest.raises(ValueError, match="need an embedding with a membership block"):
            regressor.fit(X, Y, weak=Memberships(X, LABELS))


@pytest.mark.parametrize("frozen", [False, True])
def test_a_model_of_one_s_own_learns_from_weak_labels(frozen):
    model = Prototypes(POINTS, sharpness=0.1).fit(VECTORS)
    few, weak, new = slice(0, 8), slice(8, 40), slice(40, 60)
    embedding = FrozenEstimator(model) if frozen else model
    ridge = KernelRidgeCV(kernel="rbf")
    gamma = model.posterior(VECTORS[weak])
    alone = OutputFisherRegressor(embedding, ridge).fit(X[few], VECTORS[few])
    helped = clone(alone).fit(X[few], VECTORS[few], weak=Memberships(X[weak], gamma))
    truth = model.posterior(VECTORS[new])
    errors = [np.linalg.norm(m.predict_membership(X[new]) - truth) for m in (alone, helped)]
    assert errors[1] < errors[0]
    everything = np.vstack([model.transform(VECTORS[few])[:, :3], gamma])
    expected = clone(ridge).fit(X[:40], everything).predict(X[new])
    assert_allclose(helped.predict_embedding(X[new])[:, :3], expected, atol=1e-10)
    labels = gamma.argmax(axis=1)
    assert helped.fit(X[few], VECTORS[few], weak=Memberships(X[weak], labels))
    with pytest.raises(ValueError, match="indices from 0 to 2; got 3"):
        helped.fit(X[few], VECTORS[few], weak=Memberships(X[weak], labels + 1))


@pytest.mark.parametrize("frozen", [False, True])
def test_any_transformer_has_the_block_all(frozen):
    transformer = make_pipeline(StandardScaler(), PCA(2)).fit(VECTORS)
    embedding = FrozenEstimator(transformer) if frozen else transformer
    regressor = OutputFisherRegressor(embedding, KernelRidgeCV([0.1]))
    assert not hasattr(regressor, "predict_membership")
    assert not hasattr(regressor, "predict_states")
    regressor.fit(X, VECTORS)
    assert regressor.blocks_ == {"all": slice(0, 2)}
    assert type(regressor.embedding_) is type(embedding)
    expected = KernelRidgeCV([0.1]).fit(X, transformer.transform(VECTORS)).predict(X)
    assert_allclose(regressor.predict(X), transformer.inverse_transform(expected))
    model = as_output_model(embedding)
    assert_allclose(model.fit(VECTORS).transform(VECTORS), transformer.transform(VECTORS))
    assert list(model.get_feature_names_out()) == ["all0", "all1"]


def negated(Y):
    return -Y


@pytest.mark.parametrize("frozen", [False, True])
def test_a_pipeline_has_what_its_last_step_has(case, frozen):
    """Blocks, memberships and states; what the steps before do to outputs is undone."""
    model, Y = case
    turned = FunctionTransformer(negated, inverse_func=negated)
    embedding = make_pipeline(turned, "passthrough", model)
    if frozen:
        embedding = FrozenEstimator(embedding.fit(Y))
    piped = OutputFisherRegressor(embedding, KernelRidgeCV([0.1])).fit(X, Y)
    plain = OutputFisherRegressor(model, KernelRidgeCV([0.1])).fit(X, -Y)
    assert_allclose(
        as_output_model(clone(embedding)).fit(Y).transform(Y), plain.embedding_.transform(-Y)
    )
    assert list(piped.regressor_) == list(piped.blocks_) == list(plain.blocks_)
    assert_allclose(piped.predict(X), -plain.predict(X))
    assert_allclose(piped.loo_predict(), -plain.loo_predict())
    for name in ("membership", "states"):
        assert hasattr(piped, f"predict_{name}") == hasattr(plain, f"predict_{name}")
    if model.has_membership:
        assert_allclose(piped.predict_membership(X), plain.predict_membership(X))
        view, own = as_output_model(piped.embedding_), plain.embedding_
        assert_allclose(view.posterior(Y), own.posterior(-Y))
        weak = {"weak": Memberships(X, own.posterior(-Y))}
        found = piped.fit(X, Y, **weak).predict(X)
        assert_allclose(found, -plain.fit(X, -Y, **weak).predict(X))
    if model.has_states:
        assert_allclose(piped.predict_states(X), plain.predict_states(X))


def test_outputs_of_any_unit_behind_a_scaler():
    """With weights, and with entries that are missing."""
    mixture = GaussianMixtureEmbedding(2, random_state=0)
    model = OutputFisherRegressor(make_pipeline(StandardScaler(), mixture), KernelRidgeCV())
    weights = np.where(LABELS == 1, 0.0, 2.0)
    partly = np.where(np.arange(120).reshape(60, 2) % 7 == 0, np.nan, VECTORS)
    for Y, options in ((VECTORS, {}), (VECTORS, {"sample_weight": weights}), (partly, {})):
        expected = model.fit(X, Y, **options).predict(X)
        assert_allclose(model.fit(X, Y * [1, 1e4], **options).predict(X) / [1, 1e4], expected)
    kept = weights > 0
    expected = model.fit(X[kept], VECTORS[kept], weights[kept]).predict(X)
    assert_allclose(model.fit(X, VECTORS, weights).predict(X), expected, atol=1e-8)
    model.set_params(embedding=make_pipeline(PCA(2), mixture))  # PCA takes no weights
    expected = model.fit(X[kept], VECTORS[kept], weights[kept]).predict(X)
    assert_allclose(model.fit(X, VECTORS, weights).predict(X), expected, atol=1e-8)
    with pytest.raises(ValueError, match="sample_weight must be None for PCA, whose fit takes"):
        model.set_params(embedding=PCA(2)).fit(X, VECTORS, weights)


def test_an_incomplete_model_cannot_be_made():
    class Half(HasMembership, OutputModel):
        def fit(self, Y, y=None):
            return self

    with pytest.raises(TypeError, match="abstract"):
        Half()


def test_what_is_no_transformer_is_refused_before_any_work():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(ValueError, match="'embedding' parameter of OutputFisherRegressor"):
            OutputFisherRegressor(KernelRidgeCV()).fit(X, VECTORS)
