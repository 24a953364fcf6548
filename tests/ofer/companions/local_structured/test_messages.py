"""Conventions of the package, for local structured predictors."""

import numpy as np
import pytest
from sklearn.base import clone

from ofer.companions import ChainOutputs, LocalStructuredPredictor, MulticlassOutputs
from tests.ofer.samples import CHAINS, LABELS, TAGS, N, X


@pytest.mark.parametrize("values", [(-1, 1), (-1.0, 1.0)])
def test_minus_one_is_no_class(values):
    y = np.where(X[:, 0] > 0, *values)
    model = LocalStructuredPredictor(n_neighbors=4, n_iter=2)
    with pytest.warns(UserWarning, match="y has -1, which marks samples without an output"):
        model.fit(X, y)
    with pytest.warns(UserWarning, match=r"the classes are \[-1, 1\]"):
        clone(model).set_params(outputs=MulticlassOutputs([-1, 1])).fit(X, y)
    model.fit(X, np.where(np.arange(N) % 3 == 0, -1, LABELS))  # as is meant


def test_minus_one_is_a_label_of_sequences():
    y = [[-1, 1, 1, -1]] * 8 + [None] * 16
    model = LocalStructuredPredictor("chain", n_neighbors=4, n_iter=2)
    with pytest.warns(UserWarning, match="y has the label -1 in sequences.*None in place"):
        model.fit(CHAINS, y)
    model.set_params(outputs=ChainOutputs([-1, 1])).fit(CHAINS, y)


@pytest.mark.parametrize("gap", [None, np.nan])
def test_partly_labelled_chain(gap):
    with pytest.raises(ValueError, match=r"y\[1\] must have a label at each step, or be None"):
        LocalStructuredPredictor("chain", n_neighbors=4).fit(
            CHAINS, [TAGS[0], [0, gap, 1, 1], *TAGS[2:]]
        )


def test_values_of_a_kernel_of_rows_are_checked():
    model = LocalStructuredPredictor(n_neighbors=4, kernel=lambda a, b: np.nan)
    with pytest.raises(ValueError, match=r"^kernel must return finite values.*NaN"):
        model.fit(X, LABELS)
