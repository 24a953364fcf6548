import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.kernel_ridge import KernelRidge
from sklearn.model_selection import KFold
from sklearn.utils import Bunch

from ofer import KernelRidgeCV, OutputFisherRegressor, StateSpaceEmbedding
from ofer.metrics import rrmse
from reproduction.datasets.generated.state_space_series import make_state_space_series
from reproduction.studies.time_series.simulated_series import (
    PARAMETERS,
    evaluate,
    forecast,
    load_repetitions,
)
from reproduction.studies.time_series.tables.ofer_table_05 import EXPERIMENT

DATA = make_state_space_series(60, random_state=0)
X_NEW = DATA.X[50:]


@pytest.fixture
def _brief(monkeypatch):
    """Less work for what is long: few trees, few iterations."""
    monkeypatch.setitem(PARAMETERS, "n_trees", 3)
    monkeypatch.setitem(PARAMETERS, "max_features", [1.0])
    monkeypatch.setitem(PARAMETERS, "max_iter", 3)


def flat(array):
    return array.reshape(len(array), -1)


@pytest.mark.usefixtures("_brief")
@pytest.mark.filterwarnings("ignore:Some inputs do not have OOB scores")
@pytest.mark.parametrize("method", EXPERIMENT.methods)
def test_methods_see_training_series_alone(method):
    predicted = forecast(method, DATA, 30, X_NEW, seed=0)
    assert predicted.observed.shape == (10, 5, 3)
    assert method == "OFER-GSSM smoothed" or predicted.states.shape == (10, 5, 2)

    hidden = Bunch(**DATA)
    for name in ("X", "Y", "states", "series", "paths"):
        hidden[name] = DATA[name].copy()
        hidden[name][30:] = np.nan
    again = forecast(method, hidden, 30, X_NEW, seed=0)
    assert_array_equal(again.observed, predicted.observed)


def test_evaluate_compares_with_the_test_series():
    """The floor is below the level of predicting zero, and does not depend on training."""
    data = load_repetitions()[:1]
    few, many = (evaluate(data, "Bayes", size, 0) for size in ("20", "1000"))
    assert few == many
    future = data[0].model.forecast(data[0].series[1000:, :5], 5)
    assert few == {
        "rrmse observed": rrmse(flat(data[0].Y[1000:]), flat(future.means)),
        "rrmse latent": rrmse(flat(data[0].states[1000:]), flat(future.state_means)),
    }
    assert 0.5 < few["rrmse latent"] < few["rrmse observed"] < 0.8


def test_iokr_chooses_training_series_with_their_paths():
    predicted = forecast("IOKR-GAK", DATA, 30, X_NEW, seed=0)
    same = np.all(predicted.observed[:, None] == DATA.Y[:30], axis=(2, 3))
    assert_array_equal(same.sum(axis=1), 1)
    assert_array_equal(predicted.states, DATA.states[:30][same.argmax(axis=1)])


def test_as_printed_is_the_ridge_of_the_folds_around_the_model_s_mean_path():
    """Identity of section 6.2, and folds that cut the states along with the series."""
    X, Y, states = DATA.X[:30], DATA.Y[:30], DATA.states[:30]

    def fit(rows, alpha):
        return OutputFisherRegressor(
            StateSpaceEmbedding(2, fit_offset=False), KernelRidge(alpha=alpha), block_wise=False
        ).fit(X[rows], Y[rows], states=states[rows])

    folds = list(KFold(5, shuffle=True, random_state=0).split(X))
    errors = [
        np.mean([rrmse(flat(Y[b]), flat(fit(a, alpha).predict(X[b]))) for a, b in folds])
        for alpha in PARAMETERS["alphas"]
    ]
    alpha = PARAMETERS["alphas"][int(np.argmin(errors))]
    model = fit(slice(None), alpha)
    mean = model.embedding_.inverse_transform(np.zeros((1, 25)))
    ridge = KernelRidgeCV([alpha], fit_intercept=False).fit(X, flat(Y - mean))
    expected = ridge.predict(X_NEW).reshape(-1, 5, 3) + mean
    predicted = forecast("OFER-GSSM as printed", DATA, 30, X_NEW, seed=0)
    assert_allclose(predicted.observed, expected, atol=1e-9)
