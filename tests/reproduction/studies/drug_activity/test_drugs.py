"""Molecules are drawn alike for Tables 9 and 10; methods are the estimators that they name."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.preprocessing import normalize
from sklearn.utils import Bunch

from ofer import GaussianMixtureEmbedding, OutputFisherRegressor
from reproduction.methods.forms import On
from reproduction.methods.mean import training_mean
from reproduction.methods.ridge import RidgeByFolds, centred_ridge
from reproduction.methods.squared_error_ridge import squared_error_ridge
from reproduction.methods.weak_as_printed import WeakOferAsPrinted
from reproduction.methods.weak_mixtures import ImputedRidge, WeakOfer
from reproduction.methods.weak_samples import shuffled
from reproduction.studies.drug_activity import molecules

N = 100


@pytest.fixture
def data(monkeypatch):
    """A hundred molecules, of which sixty may be trained on."""
    monkeypatch.setattr(molecules, "N_WEAK", 30)
    rng = np.random.default_rng(0)
    X = normalize(rng.random((N, 5)))
    Y = 5 + X @ rng.normal(size=(5, 3)) + 0.1 * rng.normal(size=(N, 3))
    return Bunch(K=X @ X.T, bits=X, Y=Y)


def test_draws_are_nested_and_of_one_pool(data):
    small, large = (molecules.draw(data, size, 2) for size in ("10", "20"))
    assert_array_equal(small.objects, large.objects)
    assert_array_equal(data.Y[large.objects], large.Y_test)
    assert_array_equal(large.X.bits[:10], small.X.bits)
    assert_allclose(large.X_test.K, large.X_test.bits @ large.X.bits.T)
    assert_array_equal(molecules.bits(large).X, large.X.bits)


def test_weak_molecules_are_neither_trained_on_nor_tested(data):
    plain, task = (
        molecules.kernel(molecules.draw(data, "20", 1)),
        molecules.draw_weak(data, "20", 1),
    )
    for name in ("X", "Y", "X_test", "Y_test", "objects"):
        assert_array_equal(getattr(task, name), getattr(plain, name))
    rows = {tuple(row) for part in (task.Y, task.weak.Y, task.Y_test) for row in part}
    assert len(rows) == 20 + 30 + 40
    assert_array_equal(task.weak.K[:20, :20], task.X)
    assert_array_equal(task.weak.K_test[:, :20], task.X_test)
    few = task.weak.first(4)
    assert [part.shape for part in few] == [(24, 24), (40, 24), (4, 3)]


def test_shuffled_outputs_are_those_of_other_molecules(data):
    task = molecules.draw_weak(data, "20", 1)
    mixed = shuffled(task)
    assert_array_equal(mixed.weak.K, task.weak.K)
    assert not np.array_equal(mixed.weak.Y, task.weak.Y)
    assert_array_equal(np.sort(mixed.weak.Y, axis=0), np.sort(task.weak.Y, axis=0))
    outputs = On(shuffled, WeakOfer(30, (2,)))(task).outputs
    assert_array_equal(outputs, WeakOfer(30, (2,))(mixed).outputs)


def test_without_weak_samples_it_is_the_estimator(data):
    task = molecules.draw_weak(data, "20", 0)
    outputs, chosen = WeakOfer(0, (2, 30))(task)  # thirty components are too many for twenty
    model = OutputFisherRegressor(
        GaussianMixtureEmbedding(2, random_state=0),
        squared_error_ridge(kernel="precomputed"),
        block_wise=True,
    )
    assert chosen == {"n_components": 2.0}
    assert_allclose(outputs, model.fit(task.X, task.Y).predict(task.X_test))


def test_methods_look_at_no_test_output(data):
    task = molecules.draw_weak(data, "20", 0)
    blind = task._replace(Y_test=np.full_like(task.Y_test, np.nan))
    methods = (
        RidgeByFolds((0.1, 1.0)), centred_ridge, training_mean, WeakOfer(10, (1, 2)),
        ImputedRidge(30, (1, 2)), WeakOferAsPrinted(10, (1, 2), (0.1, 1.0)),
    )  # fmt: skip
    for method in methods:
        (seen, chosen), (unseen, again) = method(task), method(blind)
        assert_array_equal(seen, unseen)
        assert seen.shape == task.Y_test.shape
        assert chosen == again
