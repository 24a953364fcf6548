import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose
from scipy.stats import chi2

from reproduction.statistics import rank_methods


def make_frame(errors):
    """Table of results with a row of `errors` a set and a column a method, in two splits."""
    errors = pd.DataFrame(errors, columns=[f"m{i}" for i in range(np.shape(errors)[1])])
    errors.index = [f"set {i}" for i in errors.index]
    long = errors.rename_axis("setting").reset_index().melt("setting", var_name="method")
    splits = [
        long.assign(split=split, value=long["value"] + shift) for split, shift in [(0, -1), (1, 1)]
    ]
    return pd.concat(splits).assign(metric="error")


@pytest.mark.parametrize(
    ("n_methods", "quantile"),
    [(3, 2.343), (4, 2.569), (5, 2.728), (6, 2.850), (8, 3.031), (10, 3.164)],
)
def test_critical_difference_has_the_quantiles_of_demsar_table_5(n_methods, quantile):
    errors = np.random.default_rng(0).normal(size=(14, n_methods))
    found = rank_methods(make_frame(errors), metric="error").critical_difference
    assert_allclose(found, quantile * np.sqrt(n_methods * (n_methods + 1) / 84), rtol=5e-4)


def test_friedman_by_its_formula():
    rng = np.random.default_rng(1)
    errors = rng.normal(size=(9, 5)) + np.arange(5) / 2
    found = rank_methods(make_frame(errors), metric="error", digits=12)
    ranks = (errors.argsort(axis=1).argsort(axis=1) + 1).mean(axis=0)
    statistic = 12 * 9 / (5 * 6) * (np.sum(ranks**2) - 5 * 6**2 / 4)
    assert_allclose(found.ranks[[f"m{i}" for i in range(5)]], ranks)
    assert_allclose(found.statistic, statistic)
    assert_allclose(found.p, chi2.sf(statistic, 4))
    assert found.ranks.is_monotonic_increasing


def test_means_that_agree_to_the_digits_share_their_rank():
    errors = np.array([[1.0, 1.00001, 3.0], [5.0, 5.00002, 4.0]])
    frame = make_frame(errors)
    assert_allclose(rank_methods(frame, metric="error").ranks[["m0", "m1", "m2"]], [2, 2, 2])
    finer = rank_methods(frame, metric="error", digits=6).ranks
    assert_allclose(finer[["m0", "m1", "m2"]], [1.5, 2.5, 2])


def test_missing_means_are_named():
    frame = make_frame(np.eye(3))
    frame = frame[(frame["method"] != "m1") | (frame["setting"] != "set 2")]
    with pytest.raises(ValueError, match=r"metric 'error' everywhere; \['m1'\] lack it"):
        rank_methods(frame, metric="error")
