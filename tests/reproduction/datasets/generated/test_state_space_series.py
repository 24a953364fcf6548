import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from scipy.linalg import solve_discrete_lyapunov

from reproduction.datasets.generated.state_space_series import make_state_space_series

arguments = st.fixed_dictionaries(
    {
        "n_samples": st.integers(1, 20),
        "n_steps": st.integers(5, 8),
        "n_given": st.integers(1, 4),
        "n_observed": st.integers(1, 4),
        "radius": st.floats(0, 0.99),
        "angle": st.floats(-4, 4),
        "noise": st.floats(0.01, 10),
        "random_state": st.integers(0, 2**32 - 1),
    }
)


@settings(deadline=None, max_examples=25)
@given(arguments)
def test_shapes_and_determinism(options):
    data = make_state_space_series(**options)
    n, T, given, p = (options[name] for name in ("n_samples", "n_steps", "n_given", "n_observed"))
    assert data.X.shape == (n, given * p)
    assert data.Y.shape == (n, T - given, p)
    assert data.states.shape == (n, T - given, 2)
    assert_array_equal(np.hstack([data.X, data.Y.reshape(n, -1)]), data.series.reshape(n, -1))
    assert_array_equal(data.paths[:, given:], data.states)

    again = make_state_space_series(**options)
    assert_array_equal(again.series, data.series)
    assert_array_equal(again.paths, data.paths)


@settings(deadline=None, max_examples=25)
@given(arguments)
def test_the_model_is_stationary(options):
    """The start has the covariance that solves the Lyapunov equation, hence every step has it."""
    model = make_state_space_series(**options).model
    A, Q = model.transition_matrix_, model.transition_covariance_
    assert np.abs(np.linalg.eigvals(A)).max() < 1
    assert_allclose(model.initial_covariance_, solve_discrete_lyapunov(A, Q), atol=1e-9)
    assert_allclose(A @ model.initial_mean_, model.initial_mean_)
