import numpy as np
from numpy.testing import assert_allclose

from ofer import OutputFisherRegressor, StateSpaceEmbedding
from ofer.metrics import rrmse
from reproduction.datasets.generated.state_space_series import make_state_space_series
from reproduction.methods.squared_error_ridge import squared_error_ridge
from reproduction.studies.embedding.shrinkage import errors_of_shrinkage, shrunk

DATA = make_state_space_series(60, n_steps=12, n_given=6, n_observed=2, random_state=0)
X, Y, X_NEW, Y_NEW = DATA.X[:30], DATA.Y[:30], DATA.X[30:], DATA.Y[30:]
EMBEDDING = StateSpaceEmbedding(2, fit_offset=False, max_iter=50, tol=1e-3)


def test_with_a_large_ridge_the_model_forecasts_from_the_learned_start():
    model = OutputFisherRegressor(EMBEDDING, squared_error_ridge(), block_wise=True).fit(X, Y)
    (decoded,) = shrunk(model, X, Y, X_NEW, [1e12])
    H, of_training = model.predict_embedding(X_NEW), model.embedding_.transform(Y)
    for name in ("transition", "emission"):
        columns = model.embedding_.blocks_[name]
        H[:, columns] = of_training[:, columns].mean(axis=0)  # the intercept alone
    assert_allclose(decoded, model.embedding_.inverse_transform(H), atol=1e-6)


def test_the_rivals_come_after_the_ridges():
    errors = errors_of_shrinkage(DATA, 30, EMBEDDING, [1.0, 1e3])
    truth = Y_NEW.reshape(30, -1)
    flat = squared_error_ridge().fit(X, Y.reshape(30, -1)).predict(X_NEW)
    assert len(errors) == 5
    assert_allclose(errors[2], rrmse(truth, flat))
    assert np.argmin(errors) == 4  # no method beats the true matrices on average
