import pickle
import warnings
from functools import wraps

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import sparse
from sklearn import config_context
from sklearn.base import clone
from sklearn.decomposition import PCA
from sklearn.frozen import FrozenEstimator
from sklearn.linear_model import Ridge
from sklearn.metrics.pairwise import rbf_kernel
from sklearn.model_selection import GroupKFold, KFold, ShuffleSplit
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from ofer import (
    GaussianEmbedding,
    GaussianMixtureEmbedding,
    JackknifePlus,
    KernelRidgeCV,
    OutputFisherRegressor,
    OutputFisherRegressorCV,
)
from ofer.embeddings import CollapsedComponentWarning
from ofer.kernels import median_gamma
from ofer.tuning.regression_cv import SEARCH_TOL

RNG = np.random.default_rng(0)
X = RNG.uniform(-2, 2, size=(50, 2))
Y = np.column_stack([np.sign(X[:, 0]) * 3, X[:, 1]]) + 0.3 * RNG.normal(size=(50, 2))
MIXTURE = GaussianMixtureEmbedding(random_state=0)
RBF = KernelRidgeCV(kernel="rbf")
UNITS = Y.std(axis=0)
Z = (Y - Y.mean(axis=0)) / UNITS


def chosen_by(**params):
    defaults = {
        "n_components": (1, 2), "covariance_types": ("spherical", "full"), "gammas": (0.1, 1.0),
        "regressor": RBF,
    }  # fmt: skip
    return OutputFisherRegressorCV(**{"embedding": MIXTURE, **defaults, **params})


def loose(**params):
    """A mixture as the search fits it."""
    return clone(MIXTURE).set_params(tol=SEARCH_TOL, **params)


def test_errors_are_those_of_the_regressor():
    """When the output model sees all outputs, each candidate is one `OutputFisherRegressor`."""
    path = chosen_by(cv=None).fit(X, Y).cv_results_
    names = "n_components", "covariance_type", "gamma"
    rows = list(zip(*(path[name] for name in names), strict=True))
    models = [(1, "spherical"), (2, "spherical"), (2, "full")]
    assert rows == [(*model, gamma) for gamma in (0.1, 1.0) for model in models]
    for (count, covariance_type, gamma), error, alpha in zip(
        rows, path["error"], path["alpha"], strict=True
    ):
        mixture = loose(n_components=count, covariance_type=covariance_type)
        ridge = KernelRidgeCV(kernel="rbf", gamma=gamma)
        model = OutputFisherRegressor(mixture, ridge, block_wise=True).fit(X, Z)
        assert error == pytest.approx(np.square(model.loo_predict() - Z).mean(), rel=1e-9)
        assert alpha == pytest.approx(model.regressor_["mean"].alpha_)


def test_errors_are_those_of_refits_without_the_sample():
    """Each sample is predicted by a refit without it, in an embedding fitted to other folds."""
    model = chosen_by(
        n_components=(3,),
        covariance_types=("diag",),
        gammas=(0.5,),
        regressor=KernelRidgeCV([0.3], kernel="rbf"),
    ).fit(X, Y)
    errors = np.empty(len(X))
    for rows, left in KFold(5, shuffle=True, random_state=0).split(X):
        mixture = loose(n_components=3, covariance_type="diag").fit(Z[rows])
        for i in left:
            others = np.delete(np.arange(len(X)), i)
            ridge = KernelRidgeCV([0.3], kernel="rbf", gamma=0.5)
            ridge.fit(X[others], mixture.transform(Z[others]))
            wrong = mixture.inverse_transform(ridge.predict(X[[i]])) - Z[i]
            errors[i] = np.square(wrong).mean()
    path = model.cv_results_
    assert_allclose(path["error"], [errors.mean()], rtol=1e-8)
    assert_allclose(path["standard_error"], [errors.std(ddof=1) / np.sqrt(len(X))], rtol=1e-8)
    assert model.best_error_ == path["error"][0]


def test_one_component_wins_unless_the_gain_is_clear():
    model = chosen_by(n_components=(1, 2, 3), n_standard_errors=1e6).fit(X, Y)
    assert model.best_params_["n_components"] == 1
    gammas = model.cv_results_["gamma"]
    ridges = [KernelRidgeCV(kernel="rbf", gamma=gamma).fit(X, Z) for gamma in np.unique(gammas)]
    ridge = max(ridges, key=lambda ridge: ridge.best_score_)
    assert model.best_params_["gamma"] == ridge.gamma
    assert_allclose(model.predict(X), ridge.predict(X) * UNITS + Y.mean(axis=0), atol=1e-9)

    path = model.cv_results_
    least = chosen_by(n_components=(1, 2, 3), n_standard_errors=0).fit(X, Y)
    assert least.best_error_ == path["error"].min()
    best = path["error"].argmin()
    asked = path["gain"][best] / path["gain_standard_error"][best]
    assert asked > 0
    for share, expected in ((0.99, least), (1.01, model)):
        other = chosen_by(n_components=(1, 2, 3), n_standard_errors=share * asked).fit(X, Y)
        assert other.best_params_ == expected.best_params_


def test_gains_are_paired():
    """They are less uncertain than the errors: what is hard for one candidate is for all."""
    path = chosen_by().fit(X, Y).cv_results_
    one = path["n_components"] == 1
    default = np.flatnonzero(one)[path["error"][one].argmin()]
    assert_allclose(path["gain"], path["error"][default] - path["error"], atol=1e-15)
    assert path["gain_standard_error"][default] == 0
    assert path["gain_standard_error"][~one].max() < path["standard_error"].min() * np.sqrt(2)


def test_components_are_taken_where_they_are_clear():
    """A linear kernel cannot make a step, but memberships that lie on the simplex can."""
    x = np.random.default_rng(1).uniform(-3, 3, size=(200, 1))
    steps = 5 * np.sign(x) + 0.2 * np.random.default_rng(2).normal(size=(200, 2))
    linear = KernelRidgeCV()
    model = OutputFisherRegressorCV(MIXTURE, linear, n_components=(1, 2)).fit(x, steps)
    assert model.best_params_ == {
        "n_components": 2, "covariance_type": "spherical", "kernel": "linear", "gamma": None
    }  # fmt: skip
    one = OutputFisherRegressorCV(MIXTURE, linear, n_components=(1,)).fit(x, steps)
    assert model.best_error_ < 0.9 * one.best_error_


@pytest.mark.filterwarnings("ignore:alphas should have")
def test_widths_follow_the_inputs():
    model = OutputFisherRegressorCV(MIXTURE, n_components=(1,)).fit(X, Y)
    scaled = OutputFisherRegressorCV(MIXTURE, n_components=(1,)).fit(100 * X, Y)
    assert_allclose(
        model.cv_results_["gamma"],
        median_gamma(X / X.std(axis=0)) * np.array([np.nan, 16, 4, 1, 1 / 4, 1 / 16, 1 / 64]),
    )
    assert model.cv_results_["kernel"].tolist() == ["linear", *["rbf"] * 6]
    assert_allclose(scaled.predict(100 * X), model.predict(X), rtol=1e-6)
    assert_allclose(
        OutputFisherRegressorCV(MIXTURE, n_components=(1,)).fit(sparse.csr_matrix(X), Y).predict(X),
        model.predict(X),
    )


def test_the_linear_kernel_is_a_candidate():
    """Its error is that of the regressor; groups show that it alone follows a trend."""
    steps = np.arange(120.0)
    season = np.sin(steps / 2)
    series = 1 + steps / 10 + season + 0.1 * np.random.default_rng(0).normal(size=120)
    inputs = np.stack([series[i : i + 12] for i in range(105)])
    coming = np.stack([series[i + 12 : i + 15] for i in range(105)])
    seen, later = slice(0, 70), slice(84, None)
    years = np.arange(70) // 14
    model = OutputFisherRegressorCV(n_components=(1,)).fit(inputs[seen], coming[seen], groups=years)
    assert model.best_params_["kernel"] == "linear"
    scaled = StandardScaler().fit(coming[seen]).transform(coming[seen])
    pipeline = make_pipeline(StandardScaler(), KernelRidgeCV())
    ridge = pipeline.fit(inputs[seen], scaled, kernelridgecv__groups=years)[-1]
    assert model.best_error_ == pytest.approx(np.square(ridge.loo_residuals_).mean(), rel=1e-6)
    gammas = model.cv_results_["gamma"][1:]
    bell = OutputFisherRegressorCV(n_components=(1,), gammas=gammas)
    bell.fit(inputs[seen], coming[seen], groups=years)
    missed, other = (
        np.square(fitted.predict(inputs[later]) - coming[later]).mean() for fitted in (model, bell)
    )
    assert missed < 0.2 * other  # .013 and .093


def test_a_precomputed_kernel_has_no_width():
    K = rbf_kernel(X, gamma=0.5)
    precomputed = KernelRidgeCV(kernel="precomputed")
    model = OutputFisherRegressorCV(MIXTURE, precomputed, n_components=(1, 2)).fit(K, Y)
    same = chosen_by(gammas=(0.5,), covariance_types=("spherical",)).fit(X, Y)
    assert_allclose(model.predict(K), same.predict(X), atol=1e-8)
    assert_allclose(model.cv_results_["error"], same.cv_results_["error"], rtol=1e-8)
    weights = np.arange(50) % 3
    kept = np.flatnonzero(weights)
    some = clone(model).fit(K[np.ix_(kept, kept)], Y[kept], weights[kept])
    model.fit(K, Y, weights)
    assert_allclose(model.cv_results_["error"], some.cv_results_["error"], rtol=1e-8)
    assert_allclose(model.predict(K), some.predict(K[:, kept]), atol=1e-8)


def test_what_it_forwards():
    model = chosen_by(n_standard_errors=0).fit(X, Y)
    best = model.best_estimator_
    assert_allclose(model.predict(X), best.predict(X), rtol=1e-9, atol=1e-12)
    assert_allclose(model.predict_membership(X), best.predict_membership(X), rtol=1e-9, atol=1e-12)
    assert_allclose(model.loo_predict(), best.loo_predict(), rtol=1e-9, atol=1e-12)
    assert_allclose(pickle.loads(pickle.dumps(model)).predict(X), model.predict(X), atol=1e-12)
    assert clone(model).get_params()["gammas"] == (0.1, 1.0)
    single = chosen_by().fit(X, Y[:, 0])
    assert single.predict(X).shape == single.loo_predict().shape == (50,)


def test_weights_enter_the_mean_of_errors():
    weights = RNG.uniform(0.5, 2, size=50)
    model = chosen_by(cv=None, n_components=1, gammas=(0.5,)).fit(X, Y, weights)
    scaled = StandardScaler().fit(Y, sample_weight=weights).transform(Y)
    ridge = KernelRidgeCV(kernel="rbf", gamma=0.5).fit(X, scaled, weights)
    errors = np.square(ridge.loo_residuals_).mean(axis=1)
    assert model.best_error_ == pytest.approx(np.average(errors, weights=weights), rel=1e-9)


def test_a_regressor_in_a_pipeline():
    """Its transformers are fitted once, and widths follow what they make of the inputs."""
    moved = X * [1.0, 50.0] + 3.0
    piped = make_pipeline(StandardScaler(), RBF)
    model = chosen_by(regressor=piped, gammas=None).fit(moved, Y)
    scaled = StandardScaler().fit_transform(moved)
    same = chosen_by(gammas=None).fit(scaled, Y)
    assert model.best_params_ == pytest.approx(same.best_params_)
    assert_allclose(model.cv_results_["error"], same.cv_results_["error"], rtol=1e-8)
    assert_allclose(model.predict(moved), same.predict(scaled), atol=1e-8)
    assert_allclose(model.loo_predict(), same.loo_predict(), atol=1e-8)


def test_the_best_estimator_has_exact_regions():
    model = OutputFisherRegressorCV(MIXTURE, n_components=2, gammas=(1.0,)).fit(X, Y)
    regions = JackknifePlus(model.best_estimator_).fit(X, Y)
    assert_allclose(regions.loo_residuals_, Y - model.loo_predict(), atol=1e-9)
    assert regions.predict_interval(X[:3]).shape == (3, 2, 2)


def test_it_warns_of_the_final_fit_alone():
    """A clone, whose own clones warn once, is not silenced by its silent search."""
    counts = np.repeat([[0.0, 1.0], [1.0, 0.0], [2.0, 5.0]], [20, 20, 10], axis=0)
    model = clone(chosen_by(n_components=(3,), covariance_types=("spherical",)))
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        model.fit(X, counts)
    assert [w.category for w in caught].count(CollapsedComponentWarning) == 1
    narrow = clone(chosen_by(gammas=(1e9,), n_components=1))
    with pytest.warns(UserWarning, match="kernel matrix is, to 1e-6 of its diagonal, the identity"):
        narrow.fit(X, Y)


def test_candidates_that_outputs_cannot_have_are_left_out():
    few = np.repeat([[0.0], [1.0], [2.0]], [20, 20, 10], axis=0)
    model = chosen_by(n_components=(8, 1, 3)).fit(X, few)
    assert set(model.cv_results_["n_components"]) == {1, 3}


@pytest.mark.parametrize(
    ("params", "message"),
    [
        ({"n_components": ()}, "n_components must be a non-empty 1-D array"),
        ({"n_components": (0, 1)}, "each of n_components must be at least 1; got 0"),
        ({"gammas": ()}, r"gammas must be numbers, at least one, in a 1-D array; got \(\)"),
        ({"gammas": (-1.0,)}, "gammas must be positive and finite; got"),
        (
            {"regressor": make_pipeline(StandardScaler())},
            "regressor must be a KernelRidgeCV, or a pipeline that ends in one; got Pipeline",
        ),
    ],
)
def test_errors(params, message):
    model = OutputFisherRegressorCV(**{"embedding": MIXTURE, **params})
    with pytest.raises((TypeError, ValueError), match=message):
        model.fit(X, Y)


def test_samples_are_enough_for_the_folds():
    for weights, n in ((None, 2), ([1.0, 0.0, 1.0], 3)):
        with pytest.raises(ValueError, match=r"y must have at least 3 samples.*; got 2"):
            OutputFisherRegressorCV().fit(X[:n], Y[:n], weights)
    assert OutputFisherRegressorCV(cv=None).fit(X[:2], Y[:2]).predict(X[:1]).shape == Y[:1].shape


def test_groups_leave_together():
    """Copies change nothing if they leave together."""
    twice, labels = (np.vstack([X, X]), np.vstack([Y, Y])), np.tile(np.arange(50), 2)
    search = chosen_by(regressor=KernelRidgeCV([1.0], kernel="rbf"), n_components=1)
    half = clone(search).set_params(regressor__alphas=[2.0]).fit(*twice, groups=labels)
    assert_allclose(half.cv_results_["error"], search.fit(X, Y).cv_results_["error"], rtol=1e-8)
    for name in ("standard_error", "gain_standard_error"):
        assert_allclose(half.cv_results_[name], search.cv_results_[name], rtol=1e-6, atol=1e-12)
    missed = Y - search.loo_predict()
    assert_allclose(np.vstack([Y, Y]) - half.loo_predict(), np.vstack([missed, missed]), atol=1e-8)
    weights = np.r_[np.ones(50), np.zeros(50)]
    absent = clone(search).fit(*twice, weights, groups=labels)
    assert_allclose(absent.cv_results_["error"], search.cv_results_["error"], rtol=1e-8)
    with pytest.warns(UserWarning, match="50% of the samples are copies"):
        chosen_by().fit(*twice)
    with pytest.raises(ValueError, match="groups must be None with weak samples, and with a"):
        OutputFisherRegressor(regressor=Ridge()).fit(X, Y, groups=labels[:50])


def test_folds_may_be_those_of_a_splitter():
    labels, folds = np.arange(50) % 10, GroupKFold(5)
    ours = chosen_by(cv=folds).fit(X, Y, groups=labels)
    plain = chosen_by(cv=5).fit(X, Y, groups=labels)
    again = chosen_by(cv=KFold(5, shuffle=True, random_state=0)).fit(X, Y)
    assert ours.cv_results_["error"].shape == plain.cv_results_["error"].shape
    assert_allclose(again.cv_results_["error"], chosen_by().fit(X, Y).cv_results_["error"])
    with pytest.raises(ValueError, match="cv must leave out each sample once; got ShuffleSplit"):
        chosen_by(cv=ShuffleSplit(2, random_state=0)).fit(X, Y)


def test_the_search_goes_on_at_an_end_as_its_regressor_does():
    inputs = RNG.normal(size=(40, 12)) * np.logspace(0, -4, 12)
    outputs = inputs @ np.logspace(0, 4, 12)[:, None] + [[0.0, 1.0]] * inputs[:, :1]
    search = OutputFisherRegressorCV(MIXTURE, KernelRidgeCV(), n_components=1, cv=None).fit(
        inputs, outputs
    )
    (alpha,) = search.cv_results_["alpha"]
    assert alpha == pytest.approx(search.best_estimator_.regressor_["mean"].alpha_)
    assert len(search.best_estimator_.regressor_["mean"].alphas_) > 25


def test_it_says_what_it_tries(capsys):
    search = chosen_by(verbose=True).fit(X, Y)
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == len(search.cv_results_["error"])
    assert f"error {search.best_error_:.4g}, " in "".join(lines)
    chosen_by().fit(X, Y)
    assert not capsys.readouterr().out


@pytest.mark.parametrize("weights", [None, np.linspace(0.5, 2.0, 50)])
@pytest.mark.parametrize("scaled", [True, False])
def test_regions_search_once(monkeypatch, weights, scaled):
    """They are those of the search's choice."""
    calls, fit = [], OutputFisherRegressorCV.fit
    counted = wraps(fit)(lambda *args, **kw: calls.append(1) or fit(*args, **kw))
    monkeypatch.setattr(OutputFisherRegressorCV, "fit", counted)
    search = chosen_by()
    model = make_pipeline(StandardScaler(), search) if scaled else search
    ours = JackknifePlus(model).fit(X, Y, weights)
    assert len(calls) == 1
    inputs = StandardScaler().fit_transform(X, sample_weight=weights) if scaled else X
    best = clone(search).fit(inputs, Y, weights).best_estimator_
    assert_allclose(ours.predict(X), best.predict(inputs), atol=1e-8)
    assert_allclose(ours.loo_residuals_, Y - best.loo_predict(), atol=1e-8)
    expected = JackknifePlus(clone(best)).fit(inputs, Y, weights).predict_interval(inputs)
    assert_allclose(ours.predict_interval(X), expected, atol=1e-8)


def test_groups_are_routed():
    labels = np.arange(50) // 2
    with config_context(enable_metadata_routing=True):
        for model in (chosen_by(), OutputFisherRegressor(MIXTURE, RBF), JackknifePlus(RBF)):
            asked = clone(model).set_fit_request(groups=True)
            routed = make_pipeline("passthrough", asked).fit(X, Y, groups=labels)
            expected = clone(model).fit(X, Y, groups=labels).predict(X)
            assert_allclose(routed.predict(X), expected)


def test_rows_that_predict_their_neighbours_are_said():
    """A walk in time; shuffled, or with labels of its stretches, there is nothing to say."""
    rng = np.random.default_rng(0)
    time = np.linspace(0.0, 10.0, 120)
    X = np.column_stack([np.sin(3.0 * time), time / 10.0])
    Y = rng.normal(size=(120, 2)).cumsum(axis=0)
    model = OutputFisherRegressorCV(n_components=1)
    with pytest.warns(UserWarning, match=r"neighbouring rows predict each other.*give groups"):
        model.fit(X, Y)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model.fit(X, Y, groups=np.arange(120) // 10)
        order = rng.permutation(120)
        model.fit(X[order], Y[order])


@pytest.mark.parametrize(
    ("embedding", "n_models"),
    [
        (GaussianEmbedding(), 1),
        (StandardScaler(), 1),
        (PCA(), 2),
        (make_pipeline(PCA(), GaussianMixtureEmbedding(random_state=0)), 3),
    ],
    ids=["gaussian", "scaler", "projection", "pipeline"],
)
def test_any_output_model_has_candidates_for_the_parameters_it_takes(embedding, n_models):
    model = chosen_by(embedding=embedding, cv=None).fit(X, Y)
    assert len(model.cv_results_["error"]) == 2 * n_models  # and two widths
    squares = np.square(model.loo_predict() - Y) / Y.var(axis=0)
    assert model.best_error_ == pytest.approx(squares.mean())
    assert hasattr(model, "predict_membership") == (n_models == 3)


def test_an_output_model_that_is_not_fitted_by_the_search_is_refused():
    frozen = FrozenEstimator(GaussianEmbedding().fit(Y))
    with pytest.raises(ValueError, match=r"embedding must be fitted by the search.*is frozen"):
        chosen_by(embedding=frozen).fit(X, Y)


@pytest.mark.parametrize("groups", [None, np.arange(50) // 2], ids=["samples", "groups"])
def test_a_search_changes_nothing_that_it_was_given(groups):
    embedding, regressor = clone(MIXTURE), make_pipeline(StandardScaler(), clone(RBF))
    before = [repr(one.get_params()) for one in (embedding, regressor)]
    chosen_by(embedding=embedding, regressor=regressor, gammas=None).fit(X, Y, groups=groups)
    assert [repr(one.get_params()) for one in (embedding, regressor)] == before
    assert not [name for name in vars(regressor[-1]) if name.endswith("_")]


def test_series_are_long_vectors():
    series = np.stack([np.sin(X + t) for t in range(4)], axis=1)  # (n, T, p)
    options = {"n_components": (1, 2), "embedding": MIXTURE}
    model = OutputFisherRegressorCV(**options).fit(X, series)
    flat = OutputFisherRegressorCV(**options).fit(X, series.reshape(len(X), -1))
    assert model.best_params_ == flat.best_params_
    assert_allclose(model.predict(X).reshape(len(X), -1), flat.predict(X))
    assert_allclose(model.loo_predict().reshape(len(X), -1), flat.loo_predict())
    one = OutputFisherRegressorCV(**options).fit(X, series[:, :, :1])
    assert one.predict(X).shape == (len(X), 4, 1)
    holes = np.where(np.arange(series.size).reshape(series.shape) % 19 == 0, np.nan, series)
    assert OutputFisherRegressorCV(**options).fit(X, holes).predict(X).shape == series.shape
    regions = JackknifePlus(clone(model)).fit(X, series)
    assert regions.predict(X).shape == series.shape
    assert_allclose(
        regions.predict_interval(X).reshape(len(X), -1, 2),
        JackknifePlus(clone(flat)).fit(X, series.reshape(len(X), -1)).predict_interval(X),
    )
