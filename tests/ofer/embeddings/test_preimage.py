import numpy as np
from numpy.testing import assert_allclose
from scipy.optimize import least_squares

from ofer.embeddings.preimage import levenberg_marquardt, search_from_starts, squared_distance

RNG = np.random.default_rng(0)
A = RNG.normal(size=(5, 2))


def search(embed, targets, start, **options):
    return levenberg_marquardt(squared_distance(embed, targets), start, **options)


def wave(y):
    """A curved embedding R^2 -> R^5 and its Jacobian."""
    angles = y @ A.T
    return np.sin(angles) + angles, (np.cos(angles) + 1.0)[:, :, None] * A


def test_linear_embedding_gives_least_squares():
    targets = RNG.normal(size=(6, 5))
    found = search(
        lambda y: (y @ A.T, np.broadcast_to(A, (len(y), 5, 2))), targets, np.zeros((6, 2))
    )
    expected = np.linalg.lstsq(A, targets.T, rcond=None)[0].T
    assert_allclose(found.outputs, expected, atol=1e-6)
    assert found.converged.all()


def test_recovers_what_was_embedded():
    truth = RNG.normal(size=(8, 2))
    start = truth + 0.1 * RNG.normal(size=truth.shape)
    found = search(wave, wave(truth)[0], start)
    assert_allclose(found.outputs, truth, atol=1e-6)
    assert_allclose(found.losses, 0.0, atol=1e-12)


def test_each_row_agrees_with_scipy():
    targets, start = RNG.normal(size=(10, 5)), RNG.normal(size=(10, 2))
    found = search(wave, targets, start)
    for row in range(10):
        scipy_loss = (
            2
            * least_squares(
                lambda y, h=targets[row]: wave(y[None])[0][0] - h, start[row], method="lm"
            ).cost
        )
        assert_allclose(found.losses[row], scipy_loss, rtol=1e-6)


def test_never_worse_than_the_start_and_the_start_is_kept():
    targets, start = 50 * RNG.normal(size=(20, 5)), 50 * RNG.normal(size=(20, 2))
    before = start.copy()
    initial = np.square(wave(start)[0] - targets).sum(axis=1)
    for max_iter in (1, 3, 100):
        found = search(wave, targets, start, max_iter=max_iter)
        assert (found.losses <= initial).all()
        assert_allclose(np.square(wave(found.outputs)[0] - targets).sum(axis=1), found.losses)
    assert_allclose(start, before, rtol=0)


def test_rows_do_not_influence_each_other():
    targets, start = RNG.normal(size=(7, 5)), RNG.normal(size=(7, 2))
    together = search(wave, targets, start)
    alone = [search(wave, targets[[i]], start[[i]]) for i in range(7)]
    assert_allclose(together.outputs, np.vstack([one.outputs for one in alone]), atol=1e-9)


def test_the_best_of_several_starts():
    def ripple(y):
        return np.sin(3 * y @ A.T), 3 * np.cos(3 * y @ A.T)[:, :, None] * A

    targets, starts = RNG.normal(size=(9, 5)), RNG.normal(size=(4, 9, 2))
    found = search_from_starts(squared_distance(ripple, targets), starts)
    each = [search(ripple, targets, start) for start in starts]
    losses = np.array([one.losses for one in each])
    assert np.ptp(losses, axis=0).max() > 0.1  # the starts do matter
    assert_allclose(found.losses, losses.min(axis=0))
    outputs = np.array([one.outputs for one in each])
    assert_allclose(found.outputs, outputs[losses.argmin(axis=0), np.arange(9)])
