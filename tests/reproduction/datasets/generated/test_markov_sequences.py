import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from reproduction.datasets.generated.markov_sequences import make_markov_sequences


@settings(deadline=None, max_examples=30)
@given(
    n_samples=st.integers(1, 20),
    n_classes=st.integers(1, 4),
    steps=st.tuples(st.integers(1, 5), st.integers(0, 5)),
    persistence=st.floats(0, 0.99),
    random_state=st.integers(0, 2**32 - 1),
)
def test_shapes_and_determinism(n_samples, n_classes, steps, persistence, random_state):
    options = {
        "n_classes": n_classes,
        "min_steps": steps[0],
        "max_steps": sum(steps),
        "persistence": persistence,
        "random_state": random_state,
    }
    data, again = (make_markov_sequences(n_samples, **options) for _ in range(2))
    assert len(data.sequences) == len(data.paths) == len(data.y) == n_samples
    for one, same, path in zip(data.sequences, again.sequences, data.paths, strict=True):
        assert steps[0] <= len(one) <= sum(steps)
        assert one.shape == (len(path), 2)
        assert_array_equal(one, same)
    assert_array_equal(data.y, np.arange(n_samples) % n_classes)


def test_classes_differ_in_their_strides():
    data = make_markov_sequences(3000, n_classes=3, persistence=0.7, random_state=0)
    assert_allclose(np.linalg.norm(data.means, axis=1), 1)
    for label in range(3):
        paths = [path for path, y in zip(data.paths, data.y, strict=True) if y == label]
        strides = np.concatenate([np.diff(path) % 4 for path in paths])
        assert_array_equal(np.unique(strides), [0, label + 1])
        assert abs(np.mean(strides == 0) - 0.7) < 0.02
        places = np.bincount(np.concatenate(paths), minlength=4) / sum(map(len, paths))
        assert_allclose(places, 0.25, atol=0.02)
