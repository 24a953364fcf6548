"""What the filter keeps for the smoother: rows of rotations, checked by the equations of a step."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from ofer.state_space._kalman import kalman_filter
from ofer.utils.series import pack_series
from tests.ofer.state_space.joint import MODEL, PARAMETERS, D, P


@pytest.mark.parametrize("missing", [0.0, 0.3])
def test_turns_are_rows_of_rotations(missing):
    """With x = E e + X x' + U u: what innovations tell, and what the next state keeps.

    A long complete series stands still and jumps; changes of what is observed end the jump.
    """
    _, Z = MODEL.sample(1, 120, random_state=0)
    rng = np.random.default_rng(1)
    z = np.where((rng.random(Z[0].shape) < missing) & (np.arange(120) > 60)[:, None], np.nan, Z[0])
    model = PARAMETERS._replace(b=np.zeros(P))
    A, Q, C, R = PARAMETERS[:4]
    filtered, covariance = kalman_filter(model, pack_series([z])), PARAMETERS.Sigma0
    assert len(filtered.roots) < 120
    for t, here in enumerate(filtered.which):
        L, rows = filtered.roots[here, 0], filtered.turns[here, 0]
        innovation, ahead, _ = np.split(rows, [P, P + D], axis=1)
        seen = np.isfinite(z[t])
        shared = covariance @ C[seen].T
        told = shared @ np.linalg.solve(C[seen] @ shared + R[np.ix_(seen, seen)], shared.T)
        assert_allclose(L @ L.T, covariance, atol=1e-7)  # a jump stands for its steps
        assert_allclose(rows @ rows.T, np.eye(D), atol=1e-9)
        assert_allclose(L @ innovation @ innovation.T @ L.T, told, atol=1e-7)
        kept = (covariance - told) @ A.T
        if t + 1 < len(z):
            L_next = filtered.roots[filtered.which[t + 1], 0]
            assert_allclose(L @ ahead @ L_next.T, kept, atol=1e-7)
        covariance = A @ kept + Q
