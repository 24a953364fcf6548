"""Conventions that several estimators share: names, defaults of parts, series, warnings."""

import pickle

import numpy as np
import pandas as pd
import pytest
import sklearn
from numpy.testing import assert_allclose
from sklearn.base import BaseEstimator, RegressorMixin, clone
from sklearn.linear_model import Ridge
from sklearn.metrics import make_scorer
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from ofer import (
    Bounds,
    Candidates,
    FullConformalRegressor,
    FullFisherEmbedding,
    GaussianMixtureEmbedding,
    InputOutputKernelRegressor,
    JackknifePlus,
    KernelRidgeCV,
    LinearGaussianSSM,
    Memberships,
    NystroemRidgeCV,
    OutputFisherRegressor,
    SemanticClassifier,
    StateSpaceEmbedding,
)
from ofer.companions import FisherKernelLearner
from ofer.embeddings import CollapsedComponentWarning
from ofer.metrics import arrmse, flat_scorer, rrmse
from tests.ofer.estimators import KERNEL_MACHINES
from tests.ofer.samples import (
    BAD_KERNELS,
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
    quiet,
)

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
    extra = {"weak": Memberships(named(X), np.arange(N) % 2)} if weak else {}
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
        with pytest.raises(ValueError, match=r"weak.X must .* names of X, \['a', 'b'"):
            WEAK.fit(named(X), Y, weak=Memberships(permuted, membership))
    with pytest.raises(ValueError, match=r"weak.X must have 3 columns \(the features of X\)"):
        WEAK.fit(named(X), Y, weak=Memberships(X[:, :2], membership))


def test_names_of_outputs_reach_the_embedding():
    model = OutputFisherRegressor(MIXTURE).fit(X, named(Y, "uv"))
    names = ["membership0", "membership1", "mean_u", "mean_v"]
    assert list(model.embedding_.get_feature_names_out()) == names
    plain = OutputFisherRegressor(MIXTURE).fit(X, Y)
    names = ["membership0", "membership1", "mean_y0", "mean_y1"]
    assert list(plain.embedding_.get_feature_names_out()) == names
    assert_allclose(model.predict(X), plain.predict(X))


@pytest.mark.parametrize("package", ["pandas", "polars", "pyarrow"])
def test_bounds_may_be_frames_of_any_library(package):
    library = pytest.importorskip(package)
    frame = library.table if package == "pyarrow" else library.DataFrame

    def fit(low, names="uv"):
        low = frame({name: low[:, "uv".index(name)] for name in names})
        return OutputFisherRegressor().fit(X, named(Y, "uv"), weak=Bounds(X + 1, low, np.inf))

    expected = OutputFisherRegressor().fit(X, Y, weak=Bounds(X + 1, Y - 9, np.inf))
    assert_allclose(fit(Y - 9).predict(X), expected.predict(X))
    with pytest.raises(ValueError, match="low must have its columns in the order"):
        fit(Y - 9, "vu")


@pytest.mark.parametrize("name", ["low", "high"])
def test_bounds_have_the_columns_of_the_outputs(name):
    told = {"low": named(Y - 9, "uv"), "high": named(Y + 9, "uv")}
    expected = OutputFisherRegressor().fit(X, Y, weak=Bounds(X + 1, Y - 9, Y + 9)).predict(X)
    assert_allclose(
        OutputFisherRegressor().fit(X, named(Y, "uv"), weak=Bounds(X + 1, **told)).predict(X),
        expected,
    )
    told[name] = told[name][["v", "u"]]
    with pytest.raises(ValueError, match=rf"{name} must have .* \['u', 'v'\]; got \['v', 'u'\]"):
        OutputFisherRegressor().fit(X, named(Y, "uv"), weak=Bounds(X + 1, **told))
    OutputFisherRegressor().fit(X, Y, weak=Bounds(X + 1, **told))  # outputs without names


Y_UV = named(Y, "uv")
COME_AGAIN = {
    "contains": (FullConformalRegressor(), lambda model, y: model.contains(X, y)),
    "p_values": (FullConformalRegressor(), lambda model, y: model.p_values(X, y)),
    "tune": (FullConformalRegressor(), lambda model, y: model.fit(X, Y_UV, X_tune=X, y_tune=y)),
    "jackknife": (JackknifePlus(KernelRidgeCV()), lambda model, y: model.contains(X, y)),
    "candidates": (
        InputOutputKernelRegressor(output_kernel="rbf"),
        lambda model, y: model.predict(X, y),
    ),
    "batches": (
        NystroemRidgeCV(n_components=5),
        lambda model, y: clone(model).partial_fit(X, Y_UV).partial_fit(X, y),
    ),
}


@pytest.mark.parametrize("case", COME_AGAIN)
def test_outputs_that_come_again_have_the_columns_of_the_fit(case):
    model, call = COME_AGAIN[case]
    model = clone(model).fit(X, Y_UV)
    call(model, Y_UV)
    call(model, Y)  # without names
    with pytest.raises(ValueError, match=r"must have its columns in the order \['u', 'v'\]"):
        call(model, Y_UV[["v", "u"]])


@pytest.mark.parametrize("words", [["ant", "bee", "cat"], [2, 5, 9]])
def test_open_classes_have_the_order_of_the_classes(words):
    labels, inputs = np.array(words)[np.arange(N) % 3], X + 9 * np.eye(3)[np.arange(N) % 3]
    still_open = pd.get_dummies(labels).astype(bool)
    weak = Candidates(inputs + 0.1, still_open)
    model = SemanticClassifier(KernelRidgeCV()).fit(inputs, labels, weak=weak)
    np.testing.assert_array_equal(model.assignments_, labels)
    with pytest.raises(ValueError, match="outputs must have its columns in the order"):
        model.fit(inputs, labels, weak=Candidates(inputs + 0.1, still_open[words[::-1]]))


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
        one.fit(X, Y, weak=Memberships(X, np.zeros(N, int)))


@quiet
@pytest.mark.parametrize(
    "model",
    [
        OutputFisherRegressor(StateSpaceEmbedding(1, max_iter=5)),
        InputOutputKernelRegressor(preimage="gradient"),
        InputOutputKernelRegressor(output_kernel=linear),
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


@quiet
def test_a_search_reaches_into_defaults():
    model = OutputFisherRegressor()
    assert model.get_params(deep=False)["embedding"] is None
    assert model.get_params()["embedding__n_components"] == 1
    assert clone(model).embedding is None
    grid = {"embedding__n_components": [1, 2], "embedding__random_state": [0]}
    grid["regressor__kernelridgecv__kernel"] = ["linear", "rbf"]
    search = GridSearchCV(model, grid, cv=3, error_score="raise").fit(X, Y)
    best = search.best_estimator_
    assert best.embedding_.n_components == search.best_params_["embedding__n_components"]
    regressor = make_pipeline(StandardScaler(), KernelRidgeCV(kernel="rbf"))
    explicit = OutputFisherRegressor(GaussianMixtureEmbedding(), regressor)
    expected = GridSearchCV(explicit, grid, cv=3).fit(X, Y)
    scores = "mean_test_score"
    assert_allclose(search.cv_results_[scores], expected.cv_results_[scores])
    assert search.estimator.embedding is None
    assert model.set_params(embedding=None, embedding__n_components=3).embedding.n_components == 3
    assert "n_components=3" in repr(model)
    assert pickle.loads(pickle.dumps(best)).predict(X).shape == Y.shape


def test_defaults_of_all_estimators_of_parts():
    cases = [
        (OutputFisherRegressor(), ("embedding", "n_components", 2)),
        (FullFisherEmbedding(), ("embedding", "n_components", 2)),
        (SemanticClassifier(), ("regressor", "verbose", True)),
        (FisherKernelLearner(), ("model", "n_states", 3)),
    ]
    for shared, (part, name, value) in cases:
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
    for model in (KernelRidgeCV(), InputOutputKernelRegressor(output_kernel="linear")):
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
    weak = {"weak": Memberships(X, np.arange(N) % 2)}
    for options in ({}, weak):
        assert len(caught(UserWarning, lambda o=options: model.fit(X, exact, **o))) == 1
    search = GridSearchCV(model, {"regressor__kernel": ["linear", "poly"]}, cv=3)
    assert len(caught(UserWarning, lambda: search.fit(X, exact))) == 1


def test_a_warning_names_the_line_that_called():
    """Not one inside of this package or of scikit-learn, through which the call went."""
    exact = X @ [[1.0, 2.0], [0.0, 1.0], [1.0, 1.0]]
    ridge, repeated = KernelRidgeCV([1e-3, 1.0]), np.tile(Y[:6], (4, 1))
    collapsing = OutputFisherRegressor(GaussianMixtureEmbedding(6, random_state=0), ridge)
    for action in (
        lambda: ridge.fit(X, exact),
        lambda: OutputFisherRegressor(MIXTURE, ridge).fit(X, exact),
        lambda: make_pipeline(StandardScaler(), ridge).fit(X, exact),
        lambda: GridSearchCV(ridge, {"kernel": ["linear", "poly"]}, cv=3).fit(X, exact),
        lambda: collapsing.fit(X, repeated),
    ):
        found = caught(UserWarning, action)
        assert {warning.filename for warning in found} == {__file__}
