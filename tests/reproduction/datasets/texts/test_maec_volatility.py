"""The substitute for the 10-K corpus: three made-up calls, and the real file where present."""

import numpy as np
import pytest
from scipy import sparse

from reproduction.datasets import dataset_info
from reproduction.datasets.texts.maec_volatility import MAEC_VOLATILITY, fetch_maec_volatility

COUNTS = np.array([[1, 0, 2], [0, 3, 0], [0, 0, 1]])


@pytest.fixture
def three_calls(put):
    """The data set, of three calls."""
    counts = sparse.csr_matrix(COUNTS)
    return put(
        MAEC_VOLATILITY,
        data=counts.data.astype("<u2"),
        indices=counts.indices.astype("<u2"),
        indptr=counts.indptr.astype("<i4"),
        shape=np.array([3, 3], "<i4"),
        vocab=np.array(["loss", "profit", "risk"]),
        Y=np.arange(15, dtype="<f4").reshape(3, 5),
        log_vol_before=np.array([-4, -3, -2], "<f4"),
        ticker=np.array(["A", "B", "A"]),
        date=np.array(["2015-01-01", "2015-01-02", "2015-04-01"]),
    )


def test_bunch(three_calls):
    calls = three_calls.fetch()
    np.testing.assert_array_equal(calls.counts.toarray(), COUNTS)
    np.testing.assert_array_equal(calls.Y, np.arange(15.0).reshape(3, 5))
    np.testing.assert_array_equal(calls.log_vol_before, [-4.0, -3.0, -2.0])
    np.testing.assert_array_equal(calls.company, ["A", "B", "A"])
    np.testing.assert_array_equal(calls.vocabulary, ["loss", "profit", "risk"])
    assert calls.counts.dtype == calls.Y.dtype == calls.log_vol_before.dtype == np.float64
    for part in ("CC BY-SA 4.0", "substitute", "10-K", "ten trading days", "Li"):
        assert part in calls.DESCR


@pytest.fixture
def calls(need):
    need("maec_volatility")
    return fetch_maec_volatility()


def test_real_data(calls):
    assert calls.counts.shape == (2953, 6000)
    assert calls.counts.has_sorted_indices
    assert calls.counts.data.min() >= 1
    assert calls.Y.shape == (2953, 5)
    assert dataset_info("maec_volatility").size == "2953 calls, 6000 words, 5 outputs"
    assert len(set(calls.company)) == 1167
    assert (np.diff(calls.date.astype("datetime64[D]").astype(int)) >= 0).all()
    assert (np.sort(calls.vocabulary) == calls.vocabulary).all()


def test_past_and_words_go_with_the_series(calls):
    """Rows of inputs and outputs belong together: shuffled ones would not pass."""
    assert np.corrcoef(calls.log_vol_before, calls.Y.mean(axis=1))[0, 1] > 0.5
    rows = calls.counts[:, np.searchsorted(calls.vocabulary, "dividend")].toarray()[:, 0] > 0
    assert calls.Y[rows].mean() < calls.Y[~rows].mean() - 0.1
