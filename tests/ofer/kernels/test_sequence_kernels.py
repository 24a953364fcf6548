import json
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from scipy.spatial.distance import cdist

from ofer.kernels import (
    _alignment,
    _sequences,
    dtw_distance,
    dtw_kernel,
    gak_bandwidth,
    global_alignment_kernel,
)

RNG = np.random.default_rng(0)
RAGGED = [RNG.normal(size=(length, 2)) for length in (1, 3, 4, 2, 5)]
OTHER = [RNG.normal(size=(length, 2)) for length in (4, 1, 3)]


def alignments(n, m):
    """All monotone paths from (0, 0) to (n - 1, m - 1)."""
    if n == 1 and m == 1:
        return [[(0, 0)]]
    before = [(n - 1, m), (n, m - 1), (n - 1, m - 1)]
    return [[*path, (n - 1, m - 1)] for i, j in before if i and j for path in alignments(i, j)]


def summed(x, z, bandwidth):
    """The definition, alignment by alignment."""
    g = np.exp(-cdist(x, z, "sqeuclidean") / (2 * bandwidth**2))
    kappa = g / (2 - g)
    paths = alignments(len(x), len(z))
    return sum(np.prod([kappa[match] for match in path]) for path in paths)


def test_global_alignment_is_the_sum_over_all_alignments():
    expected = np.array([[summed(x, z, 1.3) for z in OTHER] for x in RAGGED])
    plain = global_alignment_kernel(RAGGED, OTHER, bandwidth=1.3, normalize=False)
    assert_allclose(plain, expected, rtol=1e-12)
    norms = [np.sqrt([summed(x, x, 1.3) for x in series]) for series in (RAGGED, OTHER)]
    normalized = global_alignment_kernel(RAGGED, OTHER, bandwidth=1.3)
    assert_allclose(normalized, expected / np.outer(*norms), rtol=1e-12)


def test_time_warping_is_the_best_of_all_alignments():
    def best(x, z):
        costs = cdist(x, z, "sqeuclidean")
        paths = alignments(len(x), len(z))
        return np.sqrt(min(sum(costs[match] for match in path) for path in paths))

    expected = [[best(x, z) for z in OTHER] for x in RAGGED]
    assert_allclose(dtw_distance(RAGGED, OTHER), expected, rtol=1e-12)
    similarities = dtw_kernel(RAGGED, OTHER, bandwidth=0.7)
    assert_allclose(similarities, np.exp(-np.square(expected) / (2 * 0.7**2)), rtol=1e-12)


@given(
    lengths=st.lists(st.integers(1, 9), min_size=2, max_size=8),
    dimension=st.integers(1, 3),
    bandwidth=st.floats(0.1, 10),
    seed=st.integers(0, 1000),
)
def test_global_alignment_is_a_kernel(lengths, dimension, bandwidth, seed):
    rng = np.random.default_rng(seed)
    X = [rng.normal(size=(length, dimension)) for length in lengths]
    K = global_alignment_kernel(X, bandwidth=bandwidth)
    assert_array_equal(K, K.T)
    assert_array_equal(np.diag(K), 1.0)
    assert (K >= 0).all()
    assert np.linalg.eigvalsh(K)[0] > -1e-9
    order = rng.permutation(len(X))
    moved = global_alignment_kernel([X[i] for i in order], X, bandwidth=bandwidth)
    assert_allclose(moved, K[order], rtol=1e-9, atol=1e-12)


def test_blocks_of_pairs_change_nothing(monkeypatch):
    expected = [global_alignment_kernel(RAGGED, bandwidth=1.0), dtw_distance(RAGGED, OTHER)]
    monkeypatch.setattr(_alignment, "CHUNK", 1)
    assert_allclose(global_alignment_kernel(RAGGED, bandwidth=1.0), expected[0], rtol=1e-13)
    assert_allclose(dtw_distance(RAGGED, OTHER), expected[1], rtol=1e-13)


def test_plain_sums_and_logarithms_agree(monkeypatch):
    rng = np.random.default_rng(0)
    series = [np.cumsum(rng.normal(size=(n, 2)), axis=0) for n in (30, 28, 29, 30)]
    plain = global_alignment_kernel(series, bandwidth=2.0)
    monkeypatch.setattr(_sequences, "LONG", 0)
    assert_allclose(global_alignment_kernel(series, bandwidth=2.0), plain, rtol=1e-11)


def test_arrays_and_lists_are_the_same_series():
    X = RNG.normal(size=(4, 5))
    for kernel in (dtw_distance, lambda *A: global_alignment_kernel(*A, bandwidth=1.0)):
        expected = kernel(X)
        assert_array_equal(kernel(X[:, :, None]), expected)
        assert_array_equal(kernel([x[:, None] for x in X]), expected)
        assert_array_equal(kernel(list(X)), expected)
        assert_allclose(kernel(X, X), expected, atol=1e-12)


def test_long_series():
    X = RNG.normal(size=(3, 1000)).cumsum(axis=1)
    K = global_alignment_kernel(X, bandwidth=gak_bandwidth(X, random_state=0))
    assert np.isfinite(K).all()
    assert_array_equal(np.diag(K), 1.0)
    assert (K[np.triu_indices(3, 1)] > 0).all()
    with pytest.raises(ValueError, match=r"normalize must be True for series this long: .* exp\("):
        global_alignment_kernel(X, bandwidth=100.0, normalize=False)


@pytest.mark.parametrize("bandwidth", [1e-200, 1e200])
def test_extreme_bandwidths(bandwidth):
    expected = np.eye(2) if bandwidth < 1 else np.ones((2, 2))
    X = [[0.0, 1.0, 2.0], [3.0, 5.0, 4.0]]
    assert_allclose(global_alignment_kernel(X, bandwidth=bandwidth), expected)
    assert_allclose(dtw_kernel(X, bandwidth=bandwidth), expected)


def test_bandwidth_rule():
    X = [RNG.normal(size=(length, 2)) for length in (4, 9, 16)]
    between = [cdist(X[i], X[j]).ravel() for i, j in ((0, 1), (0, 2), (1, 2))]
    assert_allclose(gak_bandwidth(X), 3 * np.median(np.concatenate(between)))
    assert_allclose(gak_bandwidth([10 * x for x in X]), 10 * gak_bandwidth(X))
    some = gak_bandwidth(X, max_samples=20, random_state=0)
    assert some == gak_bandwidth(X, max_samples=20, random_state=0)
    assert_allclose(some, gak_bandwidth(X), rtol=0.4)


def test_agrees_with_stored_values_of_tslearn():
    theirs = json.loads((Path(__file__).parents[2] / "oracles" / "tslearn.json").read_text())
    ragged = theirs["ragged"]
    for i, bandwidth in enumerate(theirs["bandwidths"]):
        ours = global_alignment_kernel(ragged, bandwidth=bandwidth)
        assert_allclose(ours, theirs["gak"][i], rtol=1e-10)
        ours = global_alignment_kernel(ragged, bandwidth=bandwidth, normalize=False)
        assert_allclose(ours, theirs["unnormalized_gak"][i], rtol=1e-10)
    assert_allclose(dtw_distance(ragged), theirs["dtw"], rtol=1e-12)


@pytest.mark.parametrize("kernel", [dtw_distance, global_alignment_kernel])
def test_bad_series(kernel):
    params = {} if kernel is dtw_distance else {"bandwidth": 1.0}
    with pytest.raises(TypeError, match="X must be an array or a list of series; got float"):
        kernel(1.0, **params)
    with pytest.raises(ValueError, match="Z must hold at least one series; got none"):
        kernel(RAGGED, [], **params)
    with pytest.raises(ValueError, match=r"X\[0\] must be a 2-D array .* got shape \(\)"):
        kernel([1.0, 2.0], **params)
    with pytest.raises(ValueError, match=r"X\[1\] must be a 2-D .* real numbers.* complex128"):
        kernel([[1.0], [1j]], **params)
    with pytest.raises(ValueError, match=r"X\[1\] must be finite; got nan at time 0, column 0"):
        kernel([[1.0], [np.nan]], **params)
    with pytest.raises(ValueError, match=r"Z\[0\] must be finite; got -inf at time 2, column 1"):
        kernel(RAGGED, [[[0.0, 0.0], [0.0, 0.0], [0.0, -np.inf]]], **params)
    with pytest.raises(ValueError, match=r"X\[1\] must have 1 columns; got shape \(2, 2\)"):
        kernel([np.ones((2, 1)), np.ones((2, 2))], **params)
    with pytest.raises(ValueError, match=r"Z\[0\] must have 2 columns; got shape \(1, 1\)"):
        kernel(RAGGED, [[1.0]], **params)
    with pytest.raises(ValueError, match=r"X\[1\] must have at least 1 steps; got 0"):
        kernel([[1.0], []], **params)


@pytest.mark.parametrize("unit", [1e-100, 1e-12, 1e-6, 1e6, 1e12, 1e100])
def test_units(unit):
    moved = [unit * x for x in RAGGED]
    assert_allclose(dtw_distance(moved), unit * dtw_distance(RAGGED), rtol=1e-13)
    assert_allclose(gak_bandwidth(moved), unit * gak_bandwidth(RAGGED), rtol=1e-13)
    for kernel in (dtw_kernel, global_alignment_kernel):
        expected = kernel(RAGGED, bandwidth=2.0)
        assert_allclose(kernel(moved, bandwidth=2.0 * unit), expected, rtol=1e-12)


@pytest.mark.parametrize("far", [1e9, 1e12])
def test_values_do_not_depend_on_company(far):
    company = [*RAGGED, RAGGED[3] + far, np.full((9, 2), -far)]
    assert_allclose(dtw_distance(company)[:5, :5], dtw_distance(RAGGED), rtol=1e-13)
    for kernel in (dtw_kernel, global_alignment_kernel):
        expected = kernel(RAGGED, bandwidth=2.0)
        assert_allclose(kernel(company, bandwidth=2.0)[:5, :5], expected, rtol=1e-12)


@pytest.mark.parametrize("frame", [pd.DataFrame, pl.DataFrame])
def test_series_of_a_frame_are_its_rows(frame):
    rows = RNG.normal(size=(4, 3))
    assert_array_equal(dtw_distance(frame(rows)), dtw_distance(rows))
    assert_array_equal(dtw_distance(pd.Series(RAGGED)), dtw_distance(RAGGED))
    frames = [frame(x) for x in RAGGED]
    assert_array_equal(dtw_distance(frames), dtw_distance(RAGGED))


def test_what_has_no_order_is_no_list_of_series():
    for wrong in ({"a": [1.0], "b": [2.0]}, {(1.0, 2.0), (3.0,)}, "ab"):
        with pytest.raises(TypeError, match="X must be an array or a list of series; got"):
            dtw_distance(wrong)


def test_bad_parameters():
    for kernel in (global_alignment_kernel, dtw_kernel):
        with pytest.raises(ValueError, match=r"bandwidth must be greater than 0; got 0\.0"):
            kernel(RAGGED, bandwidth=0.0)
    with pytest.raises(ValueError, match="X must hold at least two series; got one"):
        gak_bandwidth([[1.0, 2.0]])
    with pytest.raises(ValueError, match="X must hold series that differ"):
        gak_bandwidth([[1.0, 1.0], [1.0]])
