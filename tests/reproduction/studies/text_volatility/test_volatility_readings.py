"""The readings of Table 6: an intercept, and how words are counted."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import sparse
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.utils import Bunch

from ofer import KernelSystem
from reproduction.studies.text_volatility.calls import add_constant, draw, weigh_counts
from reproduction.studies.text_volatility.tables.ofer_readings_volatility import (
    CONSTANT,
)


@pytest.fixture
def calls():
    """Calls of which ten words tell the level of a series."""
    rng = np.random.default_rng(0)
    level = rng.normal(size=60)
    counts = rng.poisson(1 + np.exp(np.outer(level, np.linspace(-1, 1, 10))))
    return Bunch(
        counts=sparse.csr_matrix(counts, dtype=float),
        Y=level[:, None] / 2 - 4 + 0.3 * rng.normal(size=(60, 5)),
        log_vol_before=level / 2 - 4,
        company=np.repeat(np.arange(20), 3).astype(str),
    )


@pytest.mark.parametrize("alpha", [0.1, 31.6])
def test_a_large_constant_is_an_intercept(calls, alpha):
    task = draw(calls, "calls", 0)
    expected = KernelSystem.from_kernel(task.X).solve(task.Y, alpha).predict(task.X_test)
    with_constant = add_constant(task, CONSTANT)
    system = KernelSystem.from_kernel(with_constant.X, fit_intercept=False)
    found = system.solve(task.Y, alpha).predict(with_constant.X_test)
    assert_allclose(found, expected, atol=1e-3)


def test_counts_are_weighed_without_logarithms(calls):
    task = draw(calls, "calls", 1)
    train = np.isin(calls.company, task.weak.company)
    names = [f"w{j}" for j in range(10)]
    texts = [" ".join(np.repeat(names, row.astype(int))) for row in calls.counts.toarray()]
    weigh = TfidfVectorizer(vocabulary=names)
    weigh.fit([text for text, kept in zip(texts, train, strict=True) if kept])
    expected = weigh.transform(texts).toarray()
    changed = weigh_counts(task)
    assert_allclose(changed.weak.words.toarray(), expected[train])
    assert_allclose(changed.X_test, expected[~train] @ expected[train].T)
