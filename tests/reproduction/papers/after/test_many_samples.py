"""Generated samples, and the next frame of speech."""

import numpy as np
import pytest

from reproduction.papers.after import frames, many_samples


def test_blocks_are_the_same_when_made_again_and_follow_one_function():
    X, Y, truth = many_samples.make_block(3, 4000)
    again = many_samples.make_block(3, 4000)
    for one, other in zip((X, Y, truth), again, strict=True):
        np.testing.assert_array_equal(one, other)
    assert (many_samples.make_block(4, 4000)[0] != X).all()
    assert (Y - truth).std() == pytest.approx(many_samples.PARAMETERS["noise"], rel=0.01)
    fixed = np.random.default_rng(2018)
    directions = fixed.normal(size=(20, 65)) / np.sqrt(20)
    first, second = fixed.integers(20, size=(2, 65))
    expected = np.sin(X @ directions) + 0.3 * X[:, first] * X[:, second]
    np.testing.assert_allclose(truth, expected)


def test_frames_follow_their_past():
    data = frames.load_frames()
    assert data.X.shape == (230_257, 65)
    assert data.Y_test.shape == (76_063, 13)
    np.testing.assert_allclose(data.Y.mean(axis=0), 0.0, atol=1e-10)
    np.testing.assert_allclose(data.Y.std(axis=0), 1.0)
    # a frame is the past of the ones after it: test windows of one utterance overlap
    past = data.X_test[0].reshape(5, 13)
    np.testing.assert_allclose(data.X_test[1].reshape(5, 13)[:4], past[1:])
    np.testing.assert_allclose(data.X_test[1].reshape(5, 13)[4], data.Y_test[0])
