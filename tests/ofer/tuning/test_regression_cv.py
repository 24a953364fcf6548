import pickle

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import sparse
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.metrics.pairwise import rbf_kernel
from sklearn.model_selection import GridSearchCV, KFold

from ofer import (
    GaussianMixtureEmbedding,
    KernelRidgeCV,
    OutputFisherRegressor,
    OutputFisherRegressorCV,
)
from ofer.kernels import median_gamma

RNG = np.random.default_rng(0)
X = RNG.uniform(-2, 2, size=(50, 2))
Y = np.column_stack([np.sign(X[:, 0]) * 3, X[:, 1]]) + 0.3 * RNG.normal(size=(50, 2))
MIXTURE = GaussianMixtureEmbedding(random_state=0)


def chosen_by(**params):
    defaults = {
        "n_components": (1, 2), "covariance_types": ("spherical", "full"), "gammas": (0.1, 1.0)
    }  # fmt: skip
    return OutputFisherRegressorCV(MIXTURE, **defaults | params)


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
        mixture = clone(MIXTURE).set_params(n_components=count, covariance_type=covariance_type)
        ridge = KernelRidgeCV(kernel="rbf", gamma=gamma)
        model = OutputFisherRegressor(mixture, ridge).fit(X, Y)
        assert error == pytest.approx(np.square(model.loo_predict() - Y).mean(), rel=1e-9)
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
        mixture = clone(MIXTURE).set_params(n_components=3, covariance_type="diag").fit(Y[rows])
        for i in left:
            others = np.delete(np.arange(len(X)), i)
            ridge = KernelRidgeCV([0.3], kernel="rbf", gamma=0.5)
            ridge.fit(X[others], mixture.transform(Y[others]))
            wrong = mixture.inverse_transform(ridge.predict(X[[i]])) - Y[i]
            errors[i] = np.square(wrong).mean()
    path = model.cv_results_
    assert_allclose(path["error"], [errors.mean()], rtol=1e-8)
    assert_allclose(path["standard_error"], [errors.std(ddof=1) / np.sqrt(len(X))], rtol=1e-8)
    assert model.best_error_ == path["error"][0]


def test_one_component_wins_unless_the_gain_is_clear():
    model = chosen_by(n_components=(1, 2, 3), n_standard_errors=1e6).fit(X, Y)
    assert model.best_params_["n_components"] == 1
    gammas = model.cv_results_["gamma"]
    ridges = [KernelRidgeCV(kernel="rbf", gamma=gamma).fit(X, Y) for gamma in np.unique(gammas)]
    ridge = max(ridges, key=lambda ridge: ridge.best_score_)
    assert model.best_params_["gamma"] == ridge.gamma
    assert_allclose(model.predict(X), ridge.predict(X), atol=1e-9)

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
        "n_components": 2, "covariance_type": "spherical", "gamma": None
    }  # fmt: skip
    one = OutputFisherRegressorCV(MIXTURE, linear, n_components=(1,)).fit(x, steps)
    assert model.best_error_ < 0.9 * one.best_error_


def test_decompositions_are_shared(monkeypatch):
    """One for each width, and that of the final fit; mixtures are fitted once for all widths."""
    decompositions, fits = [], []
    eigh, fit = np.linalg.eigh, GaussianMixtureEmbedding.fit
    monkeypatch.setattr(np.linalg, "eigh", lambda A: decompositions.append(A) or eigh(A))
    monkeypatch.setattr(
        GaussianMixtureEmbedding, "fit", lambda *args: fits.append(args) or fit(*args)
    )
    chosen_by(covariance_types=("spherical",), gammas=(0.1, 0.2, 0.4)).fit(X, Y)
    assert len(decompositions) == 3 + 1
    assert len(fits) == 2 * 5 + 1


@pytest.mark.filterwarnings("ignore:alphas should have")
def test_widths_follow_the_inputs():
    model = OutputFisherRegressorCV(MIXTURE, n_components=(1,)).fit(X, Y)
    scaled = OutputFisherRegressorCV(MIXTURE, n_components=(1,)).fit(100 * X, Y)
    assert_allclose(
        model.cv_results_["gamma"],
        median_gamma(X) * np.array([16, 4, 1, 1 / 4, 1 / 16, 1 / 64]),
    )
    assert_allclose(scaled.predict(100 * X), model.predict(X), rtol=1e-6)
    assert_allclose(
        OutputFisherRegressorCV(MIXTURE, n_components=(1,)).fit(sparse.csr_matrix(X), Y).predict(X),
        model.predict(X),
    )


def test_a_precomputed_kernel_has_no_width():
    K = rbf_kernel(X, gamma=0.5)
    precomputed = KernelRidgeCV(kernel="precomputed")
    model = OutputFisherRegressorCV(MIXTURE, precomputed, n_components=(1, 2)).fit(K, Y)
    same = chosen_by(gammas=(0.5,), covariance_types=("spherical",)).fit(X, Y)
    assert_allclose(model.predict(K), same.predict(X), atol=1e-8)
    assert_allclose(model.cv_results_["error"], same.cv_results_["error"], rtol=1e-8)


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


def test_inside_a_search():
    grid = {"n_components": [(1,), (1, 2)], "embedding__scaling": ["natural", "score"]}
    search = GridSearchCV(chosen_by(gammas=(1.0,)), grid, cv=2, error_score="raise").fit(X, Y)
    assert np.isfinite(search.cv_results_["mean_test_score"]).all()


def test_candidates_that_outputs_cannot_have_are_left_out():
    few = np.repeat([[0.0], [1.0], [2.0]], [20, 20, 10], axis=0)
    model = chosen_by(n_components=(8, 1, 3)).fit(X, few)
    assert set(model.cv_results_["n_components"]) == {1, 3}


@pytest.mark.parametrize(
    ("params", "message"),
    [
        (
            {"covariance_types": ("round",)},
            "'covariance_type' parameter of GaussianMixtureEmbedding must be",
        ),
        ({"n_components": ()}, "n_components must be a non-empty 1-D array"),
        ({"n_components": (0, 1)}, "each of n_components must be at least 1; got 0"),
        ({"gammas": ()}, r"gammas must be a non-empty 1-D array; got \(\)"),
        ({"gammas": (-1.0,)}, "each of gammas must be greater than 0; got -1.0"),
        ({"cv": 1}, "The 'cv' parameter of OutputFisherRegressorCV must be an int in the range"),
        ({"embedding": KernelRidgeCV()}, "'embedding' parameter of OutputFisherRegressorCV must"),
    ],
)
def test_errors(params, message):
    model = OutputFisherRegressorCV(**{"embedding": MIXTURE, **params})
    with pytest.raises((TypeError, ValueError), match=message):
        model.fit(X, Y)


def test_not_fitted():
    for method in ("predict", "predict_membership"):
        with pytest.raises(NotFittedError):
            getattr(chosen_by(), method)(X)
    with pytest.raises(NotFittedError):
        chosen_by().loo_predict()
