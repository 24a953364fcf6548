"""Conventions of scikit-learn and of this package, for all estimators at once."""

import pickle
from copy import deepcopy

import numpy as np
import pytest
import sklearn
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from scipy import sparse
from sklearn.base import BaseEstimator, RegressorMixin, clone
from sklearn.linear_model import Ridge
from sklearn.metrics import make_scorer
from sklearn.model_selection import GridSearchCV, cross_val_score

from ofer import (
    GaussianEmbedding,
    GaussianMixtureEmbedding,
    KernelRidgeCV,
    LinearGaussianSSM,
    OutputFisherRegressor,
    StateSpaceEmbedding,
)
from ofer.embeddings import CollapsedComponentWarning
from ofer.kernels import median_gamma
from ofer.metrics import arrmse, flat_scorer, rrmse
from tests.ofer.rooms import gathered
from tests.ofer.samples import (
    BAD_KERNELS,
    GRAM,
    MIXTURE,
    RNG,
    SERIES,
    WEAK,
    N,
    X,
    Y,
    caught,
    linear,
    named,
    predict,
    quiet,
    transform,
)

# estimator, what `fit` takes by name of the argument, queries, what is asked of the fitted model
CASES = {
    "ridge": (KernelRidgeCV(kernel="rbf"), {"X": X, "y": Y}, X, predict),
    "ridge, given": (
        KernelRidgeCV(np.array([0.1, 1.0]), kernel="precomputed"),
        {"X": GRAM, "y": Y},
        GRAM[:4],
        predict,
    ),
    "ridge, sparse": (
        KernelRidgeCV(kernel="rbf"),
        {"X": sparse.csr_array(X), "y": Y},
        X,
        predict,
    ),
    "ofer": (OutputFisherRegressor(MIXTURE), {"X": X, "y": Y}, X, predict),
    "ofer, weak": (
        WEAK,
        {"X": X, "y": Y, "X_weak": X + 1, "membership_weak": np.arange(N) % 2},
        X,
        predict,
    ),
    "ofer, series": (
        OutputFisherRegressor(StateSpaceEmbedding(1, max_iter=5)),
        {"X": X, "y": SERIES},
        X,
        predict,
    ),
    "gaussian": (GaussianEmbedding(), {"Y": Y}, Y, transform),
    "mixture": (MIXTURE, {"Y": Y}, Y, transform),
    "states": (StateSpaceEmbedding(1, max_iter=5), {"Z": SERIES}, SERIES, transform),
    "ssm": (
        LinearGaussianSSM(1, max_iter=5),
        {"Z": SERIES},
        SERIES,
        lambda model, queries: model.smooth(queries).means,
    ),
} | dict(gathered("CASES"))
KERNEL_MACHINES = [KernelRidgeCV, *gathered("KERNEL_MACHINES")]
BY_NAME = pytest.mark.parametrize("name", CASES)


def overwrite(data, value):
    """Change all numbers that the caller holds, in place."""
    if sparse.issparse(data):
        data.data[:] = value
    elif isinstance(data, np.ndarray):
        data[...] = value
    elif isinstance(data, list):
        for one in data:
            overwrite(one, value)


def fitted(name, **changed):
    """A fitted model of a case, with what it was fitted to."""
    estimator, data, _, _ = deepcopy(CASES[name])
    data |= changed
    return clone(estimator).fit(**data), data


@quiet
@BY_NAME
@settings(max_examples=3, deadline=None)
@given(value=st.sampled_from([0, 1, 7]))
def test_a_model_keeps_what_it_needs_and_changes_nothing(name, value):
    """Neither does the caller's array change in `fit`, nor the model with the caller's array."""
    queries, ask = CASES[name][2:]
    model, data = fitted(name)
    for argument, given_value in CASES[name][1].items():
        for mine, yours in zip(list(data[argument]), list(given_value), strict=True):
            if not sparse.issparse(mine) and mine is not None:
                assert_array_equal(mine, yours)
    before = deepcopy(ask(model, queries))
    for argument in data.values():
        overwrite(argument, value)
    for parameter in model.get_params(deep=False).values():
        overwrite(parameter, value)
    for mine, yours in zip(ask(model, queries), before, strict=True):
        assert_array_equal(mine, yours)


@quiet
@pytest.mark.parametrize(
    ("name", "argument"), [("ridge", "X"), ("ofer", "X"), *gathered("FEATURES_HAVE_NAMES")]
)
def test_features_are_known_by_their_names(name, argument):
    ask, data = CASES[name][3], CASES[name][1][argument]
    model, _ = fitted(name, **{argument: named(data)})
    plain, _ = fitted(name)
    for mine, yours in zip(ask(model, named(data)), ask(plain, data), strict=True):
        assert_allclose(mine, yours)
    permuted = named(data)
    permuted = (
        [one[list("cab")] for one in permuted] if isinstance(data, list) else permuted[list("cab")]
    )
    with pytest.raises(ValueError, match="feature names should match"):
        ask(model, permuted)


METHODS = ("predict", "predict_embedding", "predict_membership", "score")


class Careless(RegressorMixin, BaseEstimator):
    """A regressor that does not look at names."""

    def fit(self, X, y):
        self.model_ = Ridge().fit(np.asarray(X), y)
        return self

    def predict(self, X):
        return self.model_.predict(np.asarray(X))


@quiet
@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("weak", [False, True])
@pytest.mark.parametrize("regressor", [KernelRidgeCV(), Careless()])
def test_all_queries_are_checked(method, weak, regressor):
    extra = {"X_weak": named(X), "membership_weak": np.arange(N) % 2} if weak else {}
    model = OutputFisherRegressor(MIXTURE, regressor).fit(named(X), Y, **extra)
    ask = getattr(model, method)
    queries = (named(X), Y) if method == "score" else (named(X),)
    ask(*queries)
    with pytest.raises(ValueError, match="feature names should match"):
        ask(named(X)[list("cba")], *queries[1:])


@quiet
def test_weak_samples_have_the_features_of_the_labelled():
    membership = np.arange(N) % 2
    for permuted in (named(X)[list("cba")], named(X, "xyz")):
        with pytest.raises(ValueError, match=r"X_weak must .* names of X, \['a', 'b'"):
            WEAK.fit(named(X), Y, X_weak=permuted, membership_weak=membership)
    with pytest.raises(ValueError, match=r"X_weak must have 3 columns \(the features of X\)"):
        WEAK.fit(named(X), Y, X_weak=X[:, :2], membership_weak=membership)


@pytest.mark.parametrize("embedding", [GaussianEmbedding(), MIXTURE, *gathered("EMBEDDINGS")])
def test_embeddings_have_names(embedding):
    frame = named(Y, "uv")
    model = clone(embedding).set_output(transform="pandas").fit(frame)
    H = model.transform(frame)
    assert list(H.columns) == list(model.get_feature_names_out())
    assert all(name.endswith(("_u", "_v")) for name in H.columns if name.startswith("mean"))
    assert_allclose(model.inverse_transform(H), Y, atol=1e-3)
    with pytest.raises(ValueError, match="H must have its columns in the order"):
        model.inverse_transform(H.iloc[:, ::-1])
    with pytest.raises(ValueError, match="feature names should match"):
        model.transform(frame[["v", "u"]])


def test_names_of_outputs_reach_the_embedding():
    model = OutputFisherRegressor(MIXTURE).fit(X, named(Y, "uv"))
    names = ["membership0", "membership1", "mean_u", "mean_v"]
    assert list(model.embedding_.get_feature_names_out()) == names
    plain = OutputFisherRegressor(MIXTURE).fit(X, Y)
    names = ["membership0", "membership1", "mean_y0", "mean_y1"]
    assert list(plain.embedding_.get_feature_names_out()) == names
    assert_allclose(model.predict(X), plain.predict(X))


@quiet
@BY_NAME
def test_frames_as_the_output_of_all_transformers(name):
    queries, ask = CASES[name][2:]
    expected = ask(fitted(name)[0], queries)
    with sklearn.config_context(transform_output="pandas"):
        found = ask(fitted(name)[0], queries)
    for mine, yours in zip(np.asarray(found), np.asarray(expected), strict=True):
        assert_allclose(mine, yours)


def test_series_have_columns_in_one_order():
    frames, others = ([named(one, names) for one in SERIES] for names in ("uv", "vu"))
    model = LinearGaussianSSM(1, max_iter=500, tol=0.01).fit(frames)
    for ask in (model.filter, model.smooth, model.loglikelihood, lambda Z: model.forecast(Z, 1)):
        ask(frames)
        with pytest.raises(ValueError, match="feature names should match"):
            ask(others)


@quiet
def test_weak_labels_need_two_components():
    one = clone(WEAK).set_params(embedding__n_components=1)
    with pytest.raises(ValueError, match=r"among at least 2 components.*got n_components=1"):
        one.fit(X, Y, X_weak=X, membership_weak=np.zeros(N, int))


@quiet
@pytest.mark.parametrize(
    "model",
    [
        OutputFisherRegressor(StateSpaceEmbedding(1, max_iter=5)),
        *gathered("MODELS_OF_SERIES"),
    ],
)
def test_series_are_scored(model):
    found = clone(model).fit(X, SERIES)
    flat = SERIES.reshape(N, -1)
    predicted = np.reshape(found.predict(X), (N, -1))
    assert found.score(X, SERIES) == pytest.approx(sklearn.metrics.r2_score(flat, predicted))
    weights = np.arange(N)
    assert found.score(X, SERIES, weights) != found.score(X, SERIES)
    mse = flat_scorer("neg_mean_squared_error")
    assert mse(found, X, SERIES) == pytest.approx(-np.mean((flat - predicted) ** 2))
    assert pickle.loads(pickle.dumps(mse))(found, X, SERIES) == mse(found, X, SERIES)
    for scoring in (None, mse, make_scorer(rrmse, greater_is_better=False)):
        assert np.isfinite(cross_val_score(model, X, SERIES, cv=3, scoring=scoring)).all()
    with pytest.raises(ValueError, match="y must have rows of one shape"):
        found.score(X, [one[: 3 + i % 2] for i, one in enumerate(SERIES)])


def test_series_have_errors():
    flat = SERIES.reshape(N, -1)
    assert rrmse(SERIES, SERIES + 1) == rrmse(flat, flat + 1)
    assert arrmse(SERIES, SERIES + 1, y_train=SERIES) == arrmse(flat, flat + 1, y_train=flat)


def test_relative_error_is_a_scorer():
    scoring = make_scorer(arrmse, greater_is_better=False)
    scores = cross_val_score(KernelRidgeCV(), X, Y, cv=3, scoring=scoring, error_score="raise")
    assert (scores > -1).all()
    search = GridSearchCV(Ridge(), {"alpha": [0.1, 1e6]}, scoring=scoring, cv=3).fit(X, Y)
    assert search.best_params_ == {"alpha": 0.1}
    assert arrmse(Y, Y + 1) == arrmse(Y, Y + 1, y_train=Y)


@pytest.mark.parametrize("message", BAD_KERNELS)
@pytest.mark.parametrize("when", ["fit", "predict"])
@pytest.mark.parametrize("estimator", KERNEL_MACHINES)
def test_values_of_a_kernel_are_checked(estimator, when, message):
    calls = []

    def kernel(A, B):
        calls.append(1)
        return BAD_KERNELS[message](A, B) if len(calls) > (when == "predict") else linear(A, B)

    with pytest.raises(ValueError, match=f"^kernel must return finite values.*{message}"):
        estimator([1.0], kernel=kernel).fit(X, Y).predict(X[:4])


RAGGED = [[1.0, 2.0], [3.0]] + [[1.0, 2.0]] * (N - 2)


@pytest.mark.parametrize("name", [name for name in CASES if set("yYZ") & set(CASES[name][1])])
def test_ragged_outputs_are_named(name):
    estimator, data, _, _ = CASES[name]
    argument = next(key for key in "yYZ" if key in data)
    if name in ("ssm", *gathered("TAKES_LISTS")):
        pytest.skip("takes labels, or lists")
    for ragged in (RAGGED, np.array(RAGGED, dtype=object)):
        with pytest.raises(ValueError, match=f"^[{argument}Y] must have rows of one shape"):
            clone(estimator).fit(**data | {argument: ragged})


@quiet
@pytest.mark.parametrize("estimator", KERNEL_MACHINES)
@pytest.mark.parametrize("convert", [np.asarray, sparse.csr_array])
def test_rules_for_the_width(estimator, convert):
    inputs = convert(X)
    for rule, gamma in {"mean": 0.5 / X.var(axis=0).sum(), "median": median_gamma(X)}.items():
        model = estimator(kernel="rbf", gamma=rule).fit(inputs, Y)
        assert model.gamma_ == pytest.approx(gamma)
        expected = estimator(kernel="rbf", gamma=gamma).fit(inputs, Y)
        assert expected.gamma_ == gamma
        assert_allclose(model.predict(inputs), expected.predict(inputs), rtol=1e-6)
        again = clone(model).fit(inputs * 2, Y)
        assert again.gamma_ == pytest.approx(gamma / 4)
    with pytest.raises(ValueError, match="'gamma' parameter of"):
        estimator(gamma="scale").fit(X, Y)


@quiet
def test_a_search_reaches_into_defaults():
    model = OutputFisherRegressor()
    assert model.get_params(deep=False)["embedding"] is None
    assert model.get_params()["embedding__n_components"] == 1
    assert clone(model).embedding is None
    grid = {"embedding__n_components": [1, 2], "embedding__random_state": [0]}
    grid["regressor__kernel"] = ["linear", "rbf"]
    search = GridSearchCV(model, grid, cv=3, error_score="raise").fit(X, Y)
    best = search.best_estimator_
    assert best.embedding_.n_components == search.best_params_["embedding__n_components"]
    explicit = OutputFisherRegressor(GaussianMixtureEmbedding(), KernelRidgeCV())
    expected = GridSearchCV(explicit, grid, cv=3).fit(X, Y)
    scores = "mean_test_score"
    assert_allclose(search.cv_results_[scores], expected.cv_results_[scores])
    assert search.estimator.embedding is None
    assert model.set_params(embedding=None, embedding__n_components=3).embedding.n_components == 3
    assert "n_components=3" in repr(model)
    assert pickle.loads(pickle.dumps(best)).predict(X).shape == Y.shape


def test_defaults_of_all_estimators_of_parts():
    cases = [(OutputFisherRegressor(), ("embedding", "n_components", 2))]
    for shared, (part, name, value) in [*cases, *gathered("DEFAULT_PARTS")]:
        model = clone(shared)
        assert f"{part}__{name}" in model.get_params()
        assert clone(model).get_params(deep=False)[part] is None
        model.set_params(**{f"{part}__{name}": value})
        assert getattr(getattr(clone(model), part), name) == value
    with pytest.raises(ValueError, match="Invalid parameter 'n_component'"):
        OutputFisherRegressor().set_params(embedding__n_component=2)


@pytest.mark.parametrize("named_embedding", [True, False])
def test_a_search_warns_of_collapse_once(named_embedding):
    embedding = GaussianMixtureEmbedding(random_state=0) if named_embedding else None
    repeated = np.tile(Y[:6], (4, 1))
    model = OutputFisherRegressor(embedding, KernelRidgeCV([1.0]))
    search = GridSearchCV(model, {"embedding__n_components": [5, 6]}, cv=3)
    for _ in range(2):
        assert len(caught(CollapsedComponentWarning, lambda: search.fit(X, repeated))) == 1
    single = model.set_params(embedding__n_components=6, embedding__random_state=0)
    for _ in range(2):
        assert len(caught(CollapsedComponentWarning, lambda: single.fit(X, repeated))) == 1


def test_end_of_the_grid():
    noisy = RNG.normal(size=(N, 2))
    exact = X @ [[1.0, 2.0], [0.0, 1.0], [1.0, 1.0]]
    message = "alphas should have {} values: the best ridge is the last of the grid, {}"
    for model in (KernelRidgeCV(), *gathered("ENDS_OF_GRIDS")):
        for alphas in ([1e-3, 1.0], [1.0, 1e-3]):
            with pytest.warns(UserWarning, match=message.format("smaller", "0.001")):
                model.set_params(alphas=alphas).fit(X, exact)
        with pytest.warns(UserWarning, match=message.format("larger", "1")):
            model.set_params(alphas=[1e-3, 1e-2, 1.0]).fit(X[:5], noisy[:5])
        model.set_params(alphas=[1e-3]).fit(X, exact)  # no choice
        model.set_params(alphas=[1e-9, 1e-8]).fit(X, Y)  # nothing to gain
    with pytest.warns(UserWarning, match="for 1 of 2 choices"):
        KernelRidgeCV([1e-3, 1.0, 1e3], alpha_per_target=True).fit(
            X, np.column_stack([exact[:, 0], Y[:, 0]])
        )


def test_one_model_warns_of_the_grid_once():
    exact = X @ [[1.0, 2.0], [0.0, 1.0], [1.0, 1.0]]
    model = OutputFisherRegressor(MIXTURE, KernelRidgeCV([1e-3, 1.0]))
    weak = {"X_weak": X, "membership_weak": np.arange(N) % 2}
    for options in ({}, weak):
        assert len(caught(UserWarning, lambda o=options: model.fit(X, exact, **o))) == 1
    search = GridSearchCV(model, {"regressor__kernel": ["linear", "poly"]}, cv=3)
    assert len(caught(UserWarning, lambda: search.fit(X, exact))) == 1
