"""Hidden entries, dates and labels are not taken for numbers."""

from datetime import date, datetime, timedelta

import numpy as np
import pandas as pd
import pytest

from ofer import (
    FullFisherEmbedding,
    GaussianEmbedding,
    GaussianMixtureEmbedding,
    LinearGaussianSSM,
    StateSpaceEmbedding,
)
from ofer.kernels import (
    dtw_distance,
    dtw_kernel,
    gak_bandwidth,
    global_alignment_kernel,
    tanimoto_kernel,
)
from ofer.metrics import arrmse, rrmse

Y = np.arange(24.0).reshape(12, 2) ** 2
Z = np.sin(np.arange(48.0)).reshape(4, 6, 2)
GAUSSIAN = GaussianEmbedding().fit(Y)
STATES = StateSpaceEmbedding(1, max_iter=2, tol=1.0).fit(Z)


def hidden(array, place):
    """A copy whose entry at this place is hidden, and absurd."""
    masked = np.ma.array(array, copy=True)
    masked[place] = -9999.0
    masked[place] = np.ma.masked
    return masked


ROWS, PATHS = hidden(Y, (3, 1)), hidden(Z, (2, 0, 1))
MASKED = {
    "dtw_distance": lambda: dtw_distance(PATHS),
    "dtw_distance, the other side": lambda: dtw_distance(Z, PATHS),
    "dtw_distance, a list": lambda: dtw_distance(list(PATHS)),
    "dtw_distance, lists of rows": lambda: dtw_distance([list(one) for one in PATHS]),
    "dtw_distance, numbers": lambda: dtw_distance([[0.0, np.ma.masked], [1.0, 2.0]]),
    "dtw_kernel": lambda: dtw_kernel(PATHS, bandwidth=1.0),
    "global_alignment_kernel": lambda: global_alignment_kernel(PATHS, bandwidth=1.0),
    "gak_bandwidth": lambda: gak_bandwidth(PATHS),
    "tanimoto_kernel": lambda: tanimoto_kernel(ROWS),
    "tanimoto_kernel, the other side": lambda: tanimoto_kernel(Y, list(ROWS)),
    "tanimoto_kernel, packed": lambda: tanimoto_kernel(
        hidden(np.ones((2, 2), np.int16), (0, 0)).astype(np.uint8), packed=True
    ),
    "rrmse, outputs": lambda: rrmse(ROWS, Y),
    "rrmse, predictions": lambda: rrmse(Y, ROWS),
    "arrmse, training outputs": lambda: arrmse(Y, Y, y_train=list(ROWS)),
    "arrmse, series": lambda: arrmse([list(one) for one in PATHS], Z),
    "GaussianEmbedding": lambda: GaussianEmbedding().fit(ROWS),
    "GaussianEmbedding.transform": lambda: GAUSSIAN.transform(list(ROWS)),
    "GaussianEmbedding.inverse_transform": lambda: GAUSSIAN.inverse_transform(ROWS),
    "mixture of full covariances, score": lambda: GaussianMixtureEmbedding(
        covariance_type="full", scaling="score"
    ).fit(ROWS),
    "mixture in batches": lambda: GaussianMixtureEmbedding().fit_in_batches([Y, ROWS]),
    "FullFisherEmbedding": lambda: FullFisherEmbedding().fit(ROWS),
    "StateSpaceEmbedding": lambda: StateSpaceEmbedding().fit(PATHS),
    "StateSpaceEmbedding, a list": lambda: StateSpaceEmbedding().fit(list(PATHS)),
    "StateSpaceEmbedding.decode_states": lambda: STATES.decode_states(
        hidden(np.ones((1, 18)), (0, 3))
    ),
    "LinearGaussianSSM, states": lambda: LinearGaussianSSM(2).fit(Z, states=PATHS),
}


@pytest.mark.parametrize("call", MASKED.values(), ids=MASKED.keys())
def test_masks_are_refused_where_nothing_may_be_missing(call):
    with pytest.raises(ValueError, match="must have no masked entries; got some"):
        call()


def test_masks_are_missing_entries_where_nan_are():
    nan = ROWS.filled(np.nan)
    found = GaussianMixtureEmbedding(2, random_state=0, max_iter=9, tol=1.0).fit(ROWS)
    expected = GaussianMixtureEmbedding(2, random_state=0, max_iter=9, tol=1.0).fit(nan)
    np.testing.assert_array_equal(found.means_, expected.means_)
    np.testing.assert_array_equal(found.transform(ROWS), expected.transform(nan))
    found, expected = (LinearGaussianSSM(1, max_iter=2, tol=1.0) for _ in range(2))
    found.fit([list(one) for one in PATHS])
    expected.fit(PATHS.filled(np.nan))
    np.testing.assert_array_equal(found.loglikelihoods_, expected.loglikelihoods_)


def test_a_mask_that_hides_nothing_is_none():
    np.testing.assert_array_equal(dtw_distance(np.ma.array(Z, mask=False)), dtw_distance(Z))
    assert rrmse(np.ma.array(Y), 2 * Y) == 1.0


DAYS = np.array(["2020-01-01", "2021-05-05", "2022-02-02"], dtype="M8[D]")[:, None]
DATES = {
    "days": DAYS,
    "differences": DAYS - DAYS[0],
    "frame": pd.DataFrame(DAYS),
    "frame with numbers": pd.DataFrame({"a": DAYS[:, 0], "b": [1.0, 2.0, 3.0]}),
    "time zones": pd.DataFrame(pd.to_datetime(DAYS[:, 0]).tz_localize("UTC")),
    "dates": [[date(2020, 1, 1)], [date(2021, 1, 1)]],
    "times": np.array([[datetime(2020, 1, 1)], [timedelta(3)]], dtype=object),
}


@pytest.mark.parametrize("dates", DATES.values(), ids=DATES.keys())
@pytest.mark.parametrize(
    "call",
    [
        GaussianEmbedding().fit,
        GaussianMixtureEmbedding().fit,
        FullFisherEmbedding().fit,
        lambda dates: GaussianMixtureEmbedding().fit_in_batches([Y, dates]),
        tanimoto_kernel,
        lambda dates: rrmse(dates, dates),
        lambda dates: StateSpaceEmbedding().fit(np.asarray(dates)[:, :, None]),
    ],
)
def test_dates_are_no_numbers(call, dates):
    with pytest.raises(ValueError, match=r"must hold numbers; got dates or times"):
        call(dates)


def test_labels_are_no_numbers():
    with pytest.raises(ValueError, match="Y must hold numbers; got labels, such as '1'"):
        GaussianEmbedding().fit([["1"], ["2"]])


@pytest.mark.parametrize(
    "convert",
    [
        lambda Y: Y.astype(object),
        lambda Y: Y.astype(np.uint64),
        lambda Y: Y.astype(np.float32),
        np.asfortranarray,
        pd.DataFrame,
        lambda Y: pd.DataFrame(Y).astype("Int64"),
        lambda Y: Y.tolist(),
    ],
)
def test_other_types_of_numbers_are_numbers(convert):
    numbers = np.round(Y)
    numbers.flags.writeable = False
    expected = GaussianEmbedding().fit(numbers).transform(numbers)
    given = convert(numbers)
    found = GaussianEmbedding().fit(given).transform(given)
    np.testing.assert_allclose(found, expected, rtol=1e-13)
    assert rrmse(given, numbers) == 0.0
    np.testing.assert_allclose(tanimoto_kernel(given), tanimoto_kernel(numbers), rtol=1e-15)


def test_booleans_are_numbers():
    model = GaussianEmbedding().fit(np.eye(4, 2) > 0)
    np.testing.assert_allclose(model.mean_, [0.25, 0.25], rtol=1e-15)
