"""A search over models of outputs that are observed in part."""

import numpy as np
import pytest

from ofer import GaussianMixtureEmbedding, KernelRidgeCV, OutputFisherRegressorCV

RNG = np.random.default_rng(0)
X = RNG.uniform(-2, 2, size=(60, 2))
CLUSTER = np.where(X[:, :1] > 0, 3.0, -3.0)
Y = np.column_stack([CLUSTER + X, CLUSTER[:, 0] - X[:, 0]]) + 0.3 * RNG.normal(size=(60, 3))
PARTLY = np.where((np.arange(180).reshape(60, 3) % 4 == 0), np.nan, Y)


def test_selection_with_missing_outputs():
    """Errors are over what is observed; without holes they are those of complete outputs."""
    rbf = KernelRidgeCV(kernel="rbf")
    model = OutputFisherRegressorCV(
        GaussianMixtureEmbedding(random_state=0), rbf, n_components=(1, 2), gammas=(0.3,)
    )
    path = model.fit(X, PARTLY).cv_results_
    assert np.isfinite(path["error"]).all()
    ridge = KernelRidgeCV(kernel="rbf", gamma=0.3).fit(X, PARTLY)
    by_row = np.nanmean(np.square(ridge.loo_residuals_ / np.nanstd(PARTLY, axis=0)), axis=1)
    assert path["error"][0] == pytest.approx(by_row.mean(), rel=1e-6)
