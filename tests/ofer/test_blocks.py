"""The contract of regressors of several blocks; each of them is one entry below."""

import pickle

import joblib
import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn import config_context
from sklearn.base import clone
from sklearn.decomposition import PCA
from sklearn.feature_selection import SelectFromModel
from sklearn.frozen import FrozenEstimator
from sklearn.linear_model import Lasso, Ridge, SGDRegressor
from sklearn.neighbors import KNeighborsRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from ofer import InputOutputKernelRegressor, KernelRidgeCV, NystroemRidgeCV, OutputFisherRegressor
from ofer.blocks import (
    BlockRegressor,
    as_block_regressor,
    fit_weighted,
    left_out,
    predict_blocks,
)

RNG = np.random.default_rng(0)
N = 25
X, QUERIES = RNG.normal(size=(N, 4)), RNG.normal(size=(6, 4))
BLOCKS = {"one": X[:, 0] ** 2, "two": np.column_stack([X[:, 1], RNG.normal(size=N)])}
WEIGHTS = np.where(np.arange(N) % 7 == 3, 0.0, RNG.uniform(0.5, 2.0, N))
CENTRES = RNG.normal(size=(9, 4))

REGRESSORS = {
    "primal": KernelRidgeCV(),
    "dual": KernelRidgeCV(kernel="rbf", fit_intercept=False),
    "ridges": KernelRidgeCV(kernel="rbf", gamma=0.3, alpha_per_target=True),
    "scaled": make_pipeline(StandardScaler(), KernelRidgeCV(kernel="rbf")),
    "projected": make_pipeline(PCA(2), KernelRidgeCV()),
    "selected": make_pipeline(SelectFromModel(Lasso(0.01)), KernelRidgeCV()),
    "neighbours": KNeighborsRegressor(3),
    "any pipeline": make_pipeline(StandardScaler(), Ridge()),
    "output kernel": InputOutputKernelRegressor(output_kernel="linear", preimage="gradient"),
    "sums": NystroemRidgeCV(components=CENTRES, selection="gcv"),
    "sums, leave-one-out": NystroemRidgeCV(components=CENTRES, selection="loo"),
}

each = pytest.mark.parametrize("regressor", REGRESSORS.values(), ids=REGRESSORS.keys())


def can(ability):
    """Those that declare an ability."""
    found = {label: one for label, one in REGRESSORS.items()
             if ability in as_block_regressor(one).abilities}  # fmt: skip
    return pytest.mark.parametrize("regressor", found.values(), ids=found.keys())


def cannot(ability):
    found = {label: one for label, one in REGRESSORS.items()
             if ability not in as_block_regressor(one).abilities}  # fmt: skip
    return pytest.mark.parametrize("regressor", found.values(), ids=found.keys())


@each
def test_a_block_has_what_a_fit_of_its_own_has(regressor):
    fitted = as_block_regressor(clone(regressor)).fit_blocks(X, BLOCKS)
    together = predict_blocks(fitted, QUERIES)
    for name, block in BLOCKS.items():
        assert type(fitted[name]) is type(regressor)
        alone = fitted[name].predict(QUERIES).reshape(len(QUERIES), -1)
        assert_allclose(together[name], alone, rtol=1e-9, atol=1e-12)
        if "selectfrommodel" not in dict(getattr(regressor, "steps", [])):  # sees all targets
            own = clone(regressor).fit(X, block).predict(QUERIES).reshape(len(QUERIES), -1)
            assert_allclose(alone, own, rtol=1e-7, atol=1e-9)


@can("sample_weight")
def test_a_weight_of_zero_is_an_absent_sample(regressor):
    view, kept = as_block_regressor(regressor), WEIGHTS > 0
    fitted = view.fit_blocks(X, BLOCKS, WEIGHTS)
    fewer = view.fit_blocks(X[kept], {n: b[kept] for n, b in BLOCKS.items()}, WEIGHTS[kept])
    for name, found in predict_blocks(fitted, QUERIES).items():
        assert_allclose(found, predict_blocks(fewer, QUERIES)[name], rtol=1e-7, atol=1e-9)


@can("leave_one_out")
@pytest.mark.parametrize("weights", [None, WEIGHTS], ids=["plain", "weighted"])
def test_the_smoother_predicts_and_leaves_out(regressor, weights):
    view = as_block_regressor(regressor)
    if weights is not None and "sample_weight" not in view.abilities:
        pytest.skip("no weights")
    fitted = view.fit_blocks(X, BLOCKS, weights)
    smoother = as_block_regressor(fitted["one"]).smoother(X, fitted, weights)
    found, there = pickle.loads(pickle.dumps(smoother))(QUERIES), 2
    for name, predicted in predict_blocks(fitted, QUERIES).items():
        block = BLOCKS[name].reshape(N, -1)
        smoothed = (found[name] * block).sum(axis=1)
        if not view_without_intercept(regressor):
            assert_allclose(found[name].sum(axis=1), 1.0, atol=1e-9)
        assert_allclose(smoothed, predicted, atol=1e-8)
        missed = as_block_regressor(fitted[name]).loo_residuals_.reshape(N, -1)
        # The fit without a sample is that in which its target is what this fit predicts for it.
        changed = block.copy()
        changed[there] -= missed[there]
        without = (smoother(X[[there]])[name] * changed).sum(axis=1)
        assert_allclose(without[0], changed[there], atol=1e-8)
        assert_allclose(left_out(fitted[name], block), block - missed)


def view_without_intercept(regressor):
    return not getattr(regressor, "fit_intercept", True)


@can("leave_one_out")
def test_residuals_are_those_of_refits_given_the_transformers(regressor):
    y, (*steps, last) = BLOCKS["two"], getattr(regressor, "steps", [("last", regressor)])
    fitted = as_block_regressor(regressor).fit_blocks(X, {"y": y})["y"]
    inputs = fitted[:-1].transform(X) if steps else X
    ridge = fitted[-1] if steps else fitted
    for i in range(3):
        rows = np.delete(np.arange(N), i)
        for column, alpha in enumerate(np.broadcast_to(ridge.alpha_, 2)):
            alone = clone(last[1]).set_params(alphas=[alpha], gamma=ridge.gamma_)
            alone.fit(inputs[rows], y[rows, column])
            expected = y[i, column] - alone.predict(inputs[[i]])[0]
            assert_allclose(left_out_residual(fitted)[i, column], expected, atol=1e-7)


def left_out_residual(fitted):
    return as_block_regressor(fitted).loo_residuals_


@cannot("leave_one_out")
def test_what_is_missing_says_so(regressor):
    fitted = as_block_regressor(regressor).fit_blocks(X, BLOCKS)
    assert left_out(fitted["two"], BLOCKS["two"]) is None
    with pytest.raises(AttributeError, match="smoother"):
        as_block_regressor(fitted["two"]).smoother(X, fitted)


@cannot("partial_fit")
def test_partial_fit_is_missing(regressor):
    with pytest.raises(AttributeError, match="partial_fit"):
        as_block_regressor(regressor).partial_fit_blocks({}, X, BLOCKS)
    assert not hasattr(OutputFisherRegressor(regressor=regressor), "partial_fit")


@cannot("merge")
def test_merge_is_missing(regressor):
    view = as_block_regressor(regressor)
    for method, arguments in (("merge", (view,)), ("without_samples", ())):
        with pytest.raises(AttributeError, match=method):
            getattr(view, method)(*arguments)


@can("partial_fit")
def test_parts_are_the_whole(regressor):
    view, half = as_block_regressor(clone(regressor)), N // 2
    fitted: dict = {}
    for rows in (slice(0, half), slice(half, N)):
        blocks = {name: block[rows] for name, block in BLOCKS.items()}
        fitted = view.partial_fit_blocks(fitted, X[rows], blocks)
    whole = as_block_regressor(clone(regressor)).fit_blocks(X, BLOCKS)
    for name, found in predict_blocks(fitted, QUERIES).items():
        assert_allclose(found, predict_blocks(whole, QUERIES)[name], atol=1e-8)


def test_any_regressor_with_partial_fit_has_that_ability():
    """Each block is what a clone makes of the same parts, with their weights."""
    view, target = as_block_regressor(SGDRegressor(random_state=0)), {"one": X[:, :1] ** 2}
    assert view.abilities == {"partial_fit", "sample_weight"}
    scaled = make_pipeline(StandardScaler(), view.regressor)  # whose scaler has seen other parts
    assert as_block_regressor(scaled).abilities == {"sample_weight"}
    fitted, alone = {}, clone(view.regressor)
    for weights in (WEIGHTS, None):
        fitted = view.partial_fit_blocks(fitted, X, target, weights)
        alone.partial_fit(X, X[:, 0] ** 2, weights)
        assert_allclose(fitted["one"].predict(QUERIES), alone.predict(QUERIES))


METHODS = {
    "leave_one_out": ["smoother"],
    "partial_fit": ["partial_fit", "partial_fit_blocks"],
    "merge": ["merge", "without_samples"],
}


@each
def test_a_method_is_there_exactly_with_its_ability(regressor):
    """Where something is missing its name is, too; and steps of a fit are not public."""
    if isinstance(regressor, BlockRegressor):
        for ability, names in METHODS.items():
            there = [hasattr(regressor, name) for name in names]
            assert there == [ability in regressor.abilities] * len(names)
        assert not any(hasattr(regressor, name) for name in ("begin", "adopt", "warn_once"))


def test_a_class_of_the_contract_overrides_pairs():
    with pytest.raises(TypeError, match="Half must override predict_blocks if it overrides predic"):
        type("Half", (BlockRegressor,), {"predict": lambda self, X: X})


def test_a_mixin_before_the_regressor_overrides_pairs_too():
    mixin = type("Mix", (), {"predict": lambda self, X: X})
    with pytest.raises(TypeError, match="Sub must override predict_blocks"):
        type("Sub", (mixin, KernelRidgeCV), {})


def test_a_pipeline_of_one_step_is_its_regressor():
    pipeline = make_pipeline(KernelRidgeCV())
    model = OutputFisherRegressor(regressor=pipeline).fit(X, BLOCKS["two"], WEIGHTS + 0.1)
    expected = OutputFisherRegressor(regressor=pipeline[-1])
    expected.fit(X, BLOCKS["two"], WEIGHTS + 0.1)
    assert_allclose(model.loo_predict(), expected.loo_predict())
    assert len(model.regressor_["mean"]) == 1


def test_a_pipeline_with_a_step_that_passes_through_takes_weights():
    regressor = make_pipeline("passthrough", StandardScaler(), KernelRidgeCV())
    view = as_block_regressor(regressor)
    assert "sample_weight" in view.abilities
    fitted = view.fit_blocks(X, BLOCKS, WEIGHTS)
    assert predict_blocks(fitted, QUERIES)["two"].shape == (6, 2)
    with config_context(enable_metadata_routing=True):  # where pipelines take them in another way
        routed = view.fit_blocks(X, BLOCKS, WEIGHTS)
    assert_allclose(predict_blocks(routed, QUERIES)["two"], predict_blocks(fitted, QUERIES)["two"])


def test_a_pipeline_may_begin_with_a_frozen_step():
    frozen = FrozenEstimator(PCA(2).fit(X))
    model = OutputFisherRegressor(regressor=make_pipeline(frozen, KernelRidgeCV([0.1])))
    expected = OutputFisherRegressor(regressor=KernelRidgeCV([0.1]))
    reduced = frozen.transform(X), frozen.transform(QUERIES)
    for weights in (None, WEIGHTS):
        found = model.fit(X, BLOCKS["two"], weights).predict(QUERIES)
        expected.fit(reduced[0], BLOCKS["two"], weights)
        assert_allclose(found, expected.predict(reduced[1]))


def test_transformers_have_the_weights_that_they_take():
    """And those that take none see the samples of positive weight, and no others."""
    weights, far = np.arange(N) % 3, np.where(np.arange(N)[:, None] % 3, X, X + 100.0)
    pipeline = make_pipeline(StandardScaler(), "passthrough", PCA(2), KernelRidgeCV([0.3]))
    found = fit_weighted(pipeline, far, BLOCKS["two"], weights)
    repeated = StandardScaler().fit(np.repeat(X, weights, axis=0))
    assert_allclose(found[0].mean_, repeated.mean_)
    assert_allclose(found[0].scale_, repeated.scale_)
    kept = weights > 0
    assert_allclose(found[2].components_, PCA(2).fit(repeated.transform(X[kept])).components_)
    expected = KernelRidgeCV([0.3]).fit(found[:-1].transform(far), BLOCKS["two"], weights)
    assert_allclose(found.predict(QUERIES), expected.predict(found[:-1].transform(QUERIES)))


def test_a_pipeline_in_a_pipeline_is_one():
    regressor = make_pipeline(StandardScaler(), make_pipeline(PCA(2), KernelRidgeCV()))
    assert as_block_regressor(regressor).abilities == KernelRidgeCV.abilities
    flat = make_pipeline(StandardScaler(), PCA(2), KernelRidgeCV())
    found, expected = (fit_weighted(one, X, BLOCKS["two"], WEIGHTS) for one in (regressor, flat))
    assert_allclose(found.predict(QUERIES), expected.predict(QUERIES))
    kept = WEIGHTS > 0
    assert_allclose(*(left_out(one, BLOCKS["two"])[kept] for one in (found, expected)))


def test_a_pipeline_leaves_out_what_its_last_step_leaves_out():
    pipeline = make_pipeline(StandardScaler(), OutputFisherRegressor()).fit(X, BLOCKS["two"])
    assert_allclose(left_out(pipeline, BLOCKS["two"]), pipeline[-1].loo_predict())


def test_weights_for_what_takes_none_are_refused():
    pipeline = make_pipeline(StandardScaler(), KNeighborsRegressor())
    for regressor, name in ((pipeline, "Pipeline"), (pipeline[-1], "KNeighborsRegressor")):
        with pytest.raises(ValueError, match=f"sample_weight must be None for {name}, which takes"):
            fit_weighted(regressor, X, BLOCKS["one"], WEIGHTS)


@pytest.mark.parametrize("mmap_mode", [None, "r"])
def test_models_come_back_from_a_file(tmp_path, mmap_mode):
    """Where an array is stored as often as somebody refers to it."""
    model = OutputFisherRegressor(regressor=KernelRidgeCV(kernel="rbf")).fit(X, BLOCKS["two"])
    joblib.dump(model, tmp_path / "model")
    again = joblib.load(tmp_path / "model", mmap_mode=mmap_mode)
    assert_allclose(again.predict(QUERIES), model.predict(QUERIES))


def test_a_smoother_is_of_complete_targets():
    partly = BLOCKS["two"].copy()
    partly[3, 0] = np.nan
    model = KernelRidgeCV().fit(X, partly)
    with pytest.raises(ValueError, match="fitted must have complete targets for a smoother"):
        model.smoother(X, {"y": model})
