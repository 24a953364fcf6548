"""Conventions of the package, for input output kernel regression."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from ofer import InputOutputKernelRegressor
from tests.ofer.samples import BAD_KERNELS, X, Y, linear


@pytest.mark.parametrize("message", BAD_KERNELS)
@pytest.mark.parametrize("when", ["fit", "score_candidates"])
def test_values_of_an_output_kernel_are_checked(message, when):
    calls = []

    def kernel(A, B):
        calls.append(1)
        return BAD_KERNELS[message](A, B) if len(calls) > (when != "fit") else linear(A, B)

    model = InputOutputKernelRegressor([1.0], output_kernel=kernel)
    with pytest.raises(ValueError, match=f"^output_kernel must return finite.*{message}"):
        model.fit(X, Y).score_candidates(X, Y[:4])


@pytest.mark.parametrize("preimage", ["gradient", "candidates"])
@pytest.mark.parametrize("output_kernel", ["rbf", "linear"])
@pytest.mark.parametrize("offset", [2.0**27, 2.0**40])
def test_outputs_far_from_zero_move_predictions_as_far(offset, output_kernel, preimage):
    """With outputs that are multiples of 1 / 256 both offsets are exact."""
    rng = np.random.default_rng(0)
    X, Y = rng.normal(size=(40, 3)), np.round(256 * rng.normal(size=(40, 2))) / 256
    model = InputOutputKernelRegressor(kernel="rbf", output_kernel=output_kernel, preimage=preimage)
    expected = model.fit(X, Y).predict(X[:9] + 0.1)
    moved = model.fit(X, Y + offset).predict(X[:9] + 0.1) - offset
    assert_allclose(moved, expected, atol=2 * np.spacing(offset))
