"""Masks, dates and labels are no numbers: errors say so before any work."""

import numpy as np
import pandas as pd
import pytest

from ofer import (
    GaussianMixtureEmbedding,
    InputOutputKernelRegressor,
    KernelRidgeCV,
    KernelSystem,
    NystroemRidgeCV,
    OutputFisherRegressor,
)

MASKED = np.ma.masked_array(np.ones(40), np.arange(40) == 3)
ROWS_40 = np.random.default_rng(0).normal(size=(40, 2))


def masked_rows(A):
    return np.ma.masked_array(A, A > 0.5)


@pytest.mark.parametrize(
    ("name", "call"),
    [
        ("sample_weight", lambda X: KernelRidgeCV().fit(X, X, MASKED)),
        ("groups", lambda X: KernelRidgeCV().fit(X, X, groups=MASKED)),
        ("alphas", lambda X: KernelRidgeCV(MASKED[:5]).fit(X, X)),
        ("components", lambda X: NystroemRidgeCV(components=masked_rows(X)).fit(X, X)),
        (
            "candidates",
            lambda X: InputOutputKernelRegressor().fit(X, X).predict(X, masked_rows(X)),
        ),
        (
            "X_weak",
            lambda X: weakly().fit(X, X, X_weak=masked_rows(X), membership_weak=[0, 1] * 20),
        ),
        ("membership_weak", lambda X: weakly().fit(X, X, X_weak=X, membership_weak=MASKED)),
        ("K", lambda X: KernelSystem.from_kernel(masked_rows(X @ X.T))),
        ("Y", lambda X: KernelSystem.from_features(X).solve(masked_rows(X), 0.1)),
        ("X", lambda X: KernelRidgeCV().fit(X, X).predict([MASKED[2:4]])),
        ("X", lambda X: KernelRidgeCV().fit([[MASKED[2], MASKED[3]], [1.0, 2.0]], [1.0, 2.0])),
    ],
)
def test_what_a_mask_hides_is_no_number(name, call):
    with pytest.raises(ValueError, match=f"{name} must have no masked entries"):
        call(ROWS_40)


def weakly():
    return OutputFisherRegressor(GaussianMixtureEmbedding(2, random_state=0))


@pytest.mark.parametrize(
    ("groups", "message"),
    [
        ([1, "a"] * 20, "groups must have labels of one type; got int and str"),
        (np.array([1, "a"] * 20, dtype=object), "groups must have labels of one type"),
        ([None, "a"] * 20, "groups must have a label for each sample; got None for 20 of 40"),
        (np.where(np.arange(40) % 2, np.nan, 1.0), "groups must have a label for each sample"),
        (np.array(["NaT", "2020-01-01"] * 20, dtype="M8[D]"), "got NaT for 20 of 40"),
    ],
)
def test_each_sample_has_a_label_of_one_type(groups, message):
    with pytest.raises(ValueError, match=message):
        KernelRidgeCV().fit(ROWS_40, ROWS_40, groups=groups)


@pytest.mark.parametrize("dtype", ["M8[s]", "M8[ns]", "m8[D]"])
def test_dates_are_no_numbers(dtype):
    dates = (1e4 * np.abs(ROWS_40)).astype(dtype)
    for X, y in ((dates, ROWS_40), (ROWS_40, dates), (pd.DataFrame(dates), ROWS_40)):
        for model in (KernelRidgeCV(), NystroemRidgeCV(), OutputFisherRegressor()):
            with pytest.raises(
                ValueError, match=r"must hold numbers; got dates or times, (datetime|timedelta)"
            ):
                model.fit(X, y)
    with pytest.raises(ValueError, match="X must hold numbers"):
        KernelRidgeCV().fit(ROWS_40, ROWS_40).predict(dates)
