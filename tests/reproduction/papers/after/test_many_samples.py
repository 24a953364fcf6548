"""Generated samples, and the next frame of speech."""

import numpy as np
import pytest
from sklearn.utils import Bunch

from reproduction.papers.after import frames, many_samples
from reproduction.papers.after.measured import measured_passes


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


def test_more_samples_and_more_centres_are_better():
    errors = {
        (method, n): many_samples.evaluate(None, method, n, 0)["mse"]
        for method in ("100 centres", "300 centres")
        for n in ("1000", "20000")
    }
    assert errors["100 centres", "20000"] < errors["100 centres", "1000"]
    assert errors["300 centres", "20000"] < errors["100 centres", "20000"]
    linear = many_samples.evaluate(None, "gradient descent, linear", "20000", 0)["mse"]
    assert linear > errors["100 centres", "20000"]


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


def test_every_method_learns():
    data = frames.load_frames()
    part = Bunch(X=data.X[:400], Y=data.Y[:400], X_test=data.X_test[:400], Y_test=data.Y_test[:400])
    for method in frames.EXPERIMENT.methods:
        assert frames.evaluate(part, method, "frames", 0)["error"] < 0.9


def test_passes_are_read_from_the_stored_benchmark(tmp_path):
    (tmp_path / "speeds.csv").write_text(
        "benchmark,case,ours_s,note\n"
        'scale,"one pass over 20 samples, one worker",2.0,"10 rows/s, 0.5 of the rows/s of dsyrk '
        'alone, peak memory 7 MB, mean squared error 0.25"\n'
        'scale,"one pass over 20 samples, 9 centres, two workers",1.0,"20 rows/s, 0.4 of dsyrk '
        'alone in the slower worker, peak memory 8 MB, largest difference of predictions 1e-10"\n'
        "scale,sums,1.0,not a pass\nother,one pass over 3 samples,1.0,not ours\n"
    )
    one, two = measured_passes("speeds", tmp_path).to_dict("records")
    assert one == {
        "samples": 20,
        "workers": 1,
        "seconds": 2.0,
        "samples per second": 10,
        "share of dsyrk": 0.5,
        "memory in MB": 7,
        "error": 0.25,
    }
    assert (two["workers"], two["share of dsyrk"], two["memory in MB"]) == (2, 0.4, 8)
    assert np.isnan(two["error"])
