import numpy as np
from numpy.testing import assert_allclose

from ofer.embeddings.preimage import levenberg_marquardt, squared_distance
from reproduction.studies.synthetic.gradient_descent import gradient_descent

RNG = np.random.default_rng(0)
A = RNG.normal(size=(5, 2))


def wave(y):
    """A curved embedding R^2 -> R^5 and its Jacobian."""
    angles = y @ A.T
    return np.sin(angles) + angles, (np.cos(angles) + 1.0)[:, :, None] * A


def descend(embed, target, start, **options):
    def objective(y):
        phi, J = embed(y[None])
        residual = phi[0] - target
        return residual @ residual, 2 * J[0].T @ residual

    return gradient_descent(objective, start, **options)


def test_gradient_descent_agrees_on_a_convex_case():
    def linear(y):
        return y @ A.T, np.broadcast_to(A, (len(y), 5, 2))

    targets = RNG.normal(size=(6, 5))
    expected = levenberg_marquardt(squared_distance(linear, targets), np.zeros((6, 2)))
    for row, target in enumerate(targets):
        found = descend(linear, target, np.zeros(2))
        assert_allclose(found.outputs[0], expected.outputs[row], atol=1e-3)
        assert_allclose(found.losses[0], expected.losses[row], rtol=1e-6)
        assert found.converged.all()


def test_gradient_descent_never_is_worse_than_the_start_and_falls():
    targets, starts = 50 * RNG.normal(size=(20, 5)), 50 * RNG.normal(size=(20, 2))
    before = starts.copy()
    for target, start in zip(targets, starts, strict=True):
        losses = [np.square(wave(start[None])[0][0] - target).sum()]
        for max_iter in (1, 3, 100):
            found = descend(wave, target, start, max_iter=max_iter)
            assert_allclose(np.square(wave(found.outputs)[0][0] - target).sum(), found.losses[0])
            losses.append(found.losses[0])
        assert (np.diff(losses) <= 0).all()
        assert losses[1] < losses[0]
    assert_allclose(starts, before, rtol=0)
