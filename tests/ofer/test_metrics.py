import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from ofer.metrics import arrmse, rrmse

RNG = np.random.default_rng(0)
Y = RNG.normal(size=(20, 3)) + 2.0
P = Y + RNG.normal(size=(20, 3))
Y_TRAIN = RNG.normal(size=(15, 3)) + 2.0


def test_rrmse_levels():
    assert rrmse(Y, Y) == 0.0
    assert_allclose(rrmse(Y, np.zeros_like(Y)), 1.0)
    assert_allclose(rrmse(Y, P) ** 2, np.square(Y - P).sum() / np.square(Y).sum())


def test_arrmse_levels():
    mean = np.broadcast_to(Y_TRAIN.mean(axis=0), Y.shape)
    assert arrmse(Y, Y, y_train=Y_TRAIN) == 0.0
    assert_allclose(arrmse(Y, mean, y_train=Y_TRAIN), 1.0)


def test_arrmse_averages_single_targets():
    single = [arrmse(Y[:, t], P[:, t], y_train=Y_TRAIN[:, t]) for t in range(3)]
    assert_allclose(arrmse(Y, P, y_train=Y_TRAIN), np.mean(single))


@given(scale=st.floats(0.01, 100.0), shift=st.floats(-10, 10), seed=st.integers(0, 100))
def test_invariances(scale, shift, seed):
    order = np.random.default_rng(seed).permutation(len(Y))
    assert_allclose(rrmse(scale * Y[order], scale * P[order]), rrmse(Y, P))
    moved = [scale * A + shift for A in (Y[order], P[order], Y_TRAIN)]
    assert_allclose(arrmse(*moved[:2], y_train=moved[2]), arrmse(Y, P, y_train=Y_TRAIN), rtol=1e-6)


@pytest.mark.parametrize("unit", [1e-300, 1e-160, 1e-12, 1e12, 1e160, 1e300])
def test_units(unit):
    expected = arrmse(Y, P, y_train=Y_TRAIN)
    found = arrmse(unit * Y, unit * P, y_train=unit * Y_TRAIN)
    assert_allclose(found, expected, rtol=1e-14)
    assert_allclose(rrmse(unit * Y, unit * P), rrmse(Y, P), rtol=1e-14)
    units = np.array([unit, 1.0, 1.0])
    assert_allclose(arrmse(units * Y, units * P, y_train=units * Y_TRAIN), expected, rtol=1e-14)


@pytest.mark.parametrize("value", [0.1, 1 / 3, 1e-9, 7e12])
def test_a_constant_target_has_no_relative_error_whatever_its_mean_rounds_to(value):
    constant = np.column_stack([np.arange(7.0), np.full(7, value)])
    with pytest.raises(ValueError, match=r"target\(s\) \[1\] equal it everywhere"):
        arrmse(constant, constant + 1.0)


def test_bad_input():
    with pytest.raises(ValueError, match=r"y_pred must have the shape of y_true \(20, 3\)"):
        rrmse(Y, P[:, :2])
    with pytest.raises(ValueError, match="inconsistent numbers of samples"):
        rrmse(Y, P[:5])
    with pytest.raises(ValueError, match="y_pred contains NaN"):
        rrmse(Y, np.full_like(Y, np.nan))
    with pytest.raises(ValueError, match="y_true contains NaN"):
        rrmse(np.full_like(Y, np.nan), P)
    with pytest.raises(ValueError, match="y_train contains NaN"):
        arrmse(Y, P, y_train=np.full_like(Y, np.nan))
    with pytest.raises(ValueError, match=r"^y_true must not be all zero: the rel"):
        rrmse(np.zeros((2, 2)), np.ones((2, 2)))
    with pytest.raises(ValueError, match=r"y_train must have the targets of y_true \(3\); got 2"):
        arrmse(Y, P, y_train=Y_TRAIN[:, :2])
    with pytest.raises(ValueError, match=r"target\(s\) \[1\] equal it everywhere"):
        arrmse([[1.0, 2.0]], [[0.0, 0.0]], y_train=[[0.0, 2.0]])
