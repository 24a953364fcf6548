"""Masks, dates and labels are no numbers: errors say so before any work."""

import numpy as np
import pandas as pd
import pytest
import sklearn
from numpy.testing import assert_allclose, assert_array_equal

from ofer import (
    CrossConformalClassifier,
    GaussianMixtureEmbedding,
    InputOutputKernelRegressor,
    KernelRidgeCV,
    KernelSystem,
    LinearGaussianSSM,
    Memberships,
    NystroemRidgeCV,
    OutputFisherRegressor,
    OutputFisherRegressorCV,
    SemanticClassifier,
    StateSpaceEmbedding,
)
from ofer.companions import FisherKernelLearner, LocalStructuredPredictor, PairwiseMRF

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
            "weak.X",
            lambda X: weakly().fit(X, X, weak=Memberships(masked_rows(X), [0, 1] * 20)),
        ),
        ("labels", lambda X: weakly().fit(X, X, weak=Memberships(X, MASKED))),
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
        (
            [1, "a"] * 20,
            "groups must have labels of one type; got 1 \\(number\\) and 'a' \\(str\\)",
        ),
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


@pytest.mark.parametrize("size", [1e-150, 1e-155, 1e-158])
@pytest.mark.parametrize("kernel", ["linear", "rbf", "poly"])
def test_inputs_too_small_for_squares_are_named(kernel, size):
    with pytest.raises(ValueError, match=r"X must have .* Multiply it by a constant"):
        KernelRidgeCV(kernel=kernel).fit(size * ROWS_40, ROWS_40[:, 0])


@pytest.mark.parametrize("unit", [1e-155, 1e-20, 1e20])
def test_angles_have_no_unit(unit):
    ridge = KernelRidgeCV(kernel="cosine")
    expected = ridge.fit(ROWS_40, ROWS_40[:, 0]).predict(ROWS_40)
    found = ridge.fit(unit * ROWS_40, ROWS_40[:, 0]).predict(unit * ROWS_40)
    assert_allclose(found, expected, rtol=1e-9, atol=1e-12)


REGRESSORS = [
    KernelRidgeCV(), NystroemRidgeCV(), OutputFisherRegressor(), OutputFisherRegressorCV(),
]  # fmt: skip


@pytest.mark.parametrize("model", REGRESSORS, ids=lambda model: type(model).__name__)
def test_texts_are_named_with_their_column(model):
    frame = pd.DataFrame({"size": ROWS_40[:, 0], "country": ["Japan", "Peru"] * 20})
    with pytest.raises(ValueError, match=r"column 'country' must .* 'Japan'.* ColumnTransformer"):
        model.fit(frame, ROWS_40)


@pytest.mark.parametrize("model", REGRESSORS, ids=lambda model: type(model).__name__)
def test_nothing_is_assumed_finite(model):
    spoilt = ROWS_40.copy()
    spoilt[3, 1] = np.nan
    with sklearn.config_context(assume_finite=True), pytest.raises(ValueError, match="X contains"):
        model.fit(spoilt, ROWS_40[:, 0])


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_strings_of_numpy_are_labels():
    names = np.array(["a", "b", "c"])[np.arange(40) % 3]
    strings = names.astype(np.dtypes.StringDType())
    for model in (SemanticClassifier(), CrossConformalClassifier(), LocalStructuredPredictor()):
        expected = model.fit(ROWS_40, names).predict(ROWS_40)
        assert_array_equal(model.fit(ROWS_40, strings).predict(ROWS_40), expected)
    learner = FisherKernelLearner(PairwiseMRF(2, max_iter=2, random_state=0), max_iter=1)
    objects = [*ROWS_40[:, None]]
    expected = learner.fit(objects, names).transform(objects)
    assert_allclose(learner.fit(objects, strings).transform(objects), expected)
    gap = np.array(["a", None, "b"] * 10, dtype=np.dtypes.StringDType(na_object=None))
    with pytest.raises(ValueError, match="y must have"):
        SemanticClassifier().fit(ROWS_40[:30], gap)


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_series_may_come_in_an_array_of_objects():
    series = [*np.random.default_rng(0).normal(size=(10, 4, 2))]
    objects = np.empty(10, dtype=object)
    objects[:] = series
    model, embedding = LinearGaussianSSM(1, max_iter=3), StateSpaceEmbedding(1, max_iter=3)
    expected = model.fit(series).smooth(series).means
    assert_allclose(model.fit(objects).smooth(objects).means, expected)
    assert isinstance(model.smooth(objects).means, list)
    regressor = OutputFisherRegressor(embedding)
    expected = regressor.fit(ROWS_40[:10], series).predict(ROWS_40)
    assert_allclose(regressor.fit(ROWS_40[:10], objects).predict(ROWS_40), expected)
