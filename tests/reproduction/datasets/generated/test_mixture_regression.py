import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial.distance import pdist
from sklearn.metrics.pairwise import rbf_kernel
from sklearn.preprocessing import KernelCenterer

from reproduction.datasets.generated.mixture_regression import make_mixture_regression


def make_d1(n_samples=600, **parameters):
    return make_mixture_regression(n_samples, **{"n_clusters": 4, "n_outputs": 10, **parameters})


def make_d2(n_samples=600, **parameters):
    return make_mixture_regression(n_samples, **{"n_clusters": 10, "n_outputs": 5, **parameters})


sizes = st.fixed_dictionaries(
    {
        "n_samples": st.integers(8, 40),
        "n_clusters": st.integers(1, 6),
        "n_outputs": st.integers(1, 6),
        "n_inputs": st.integers(1, 7),
        "separation": st.floats(0, 10),
        "cluster_std": st.floats(0.1, 10),
        "input_noise": st.floats(0, 2),
        "random_state": st.integers(0, 2**32 - 1),
    }
)


@settings(deadline=None, max_examples=25)
@given(sizes)
def test_shapes_and_determinism(arguments):
    data = make_mixture_regression(**arguments)
    n = arguments["n_samples"]
    assert data.X.shape == (n, arguments["n_inputs"])
    assert data.Y.shape == (n, arguments["n_outputs"])
    assert data.clusters.shape == (n,)
    assert set(data.clusters) <= set(range(arguments["n_clusters"]))
    assert data.means.shape == (arguments["n_clusters"], arguments["n_outputs"])
    assert np.isfinite(data.X).all()
    assert np.isfinite(data.Y).all()

    again = make_mixture_regression(**arguments)
    np.testing.assert_array_equal(again.X, data.X)
    np.testing.assert_array_equal(again.Y, data.Y)


@settings(deadline=None, max_examples=25)
@given(sizes, st.sampled_from([0.25, 2.0, 64.0]))
def test_the_unit_of_the_outputs_does_not_change_the_inputs(arguments, unit):
    """A power of two scales outputs exactly; the median heuristic takes it out again."""
    data = make_mixture_regression(**arguments)
    arguments["cluster_std"] *= unit
    scaled = make_mixture_regression(**arguments)
    np.testing.assert_allclose(scaled.Y, unit * data.Y, rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose(scaled.means, unit * data.means, rtol=1e-12, atol=1e-12)
    np.testing.assert_array_equal(scaled.clusters, data.clusters)
    np.testing.assert_allclose(scaled.X, data.X, atol=1e-7)


def test_all_axes_of_the_rbf_projection_give_back_the_centred_kernel():
    data = make_d1(30, n_inputs=29, gamma=0.01, random_state=0)
    gram = KernelCenterer().fit_transform(rbf_kernel(data.Y, gamma=0.01))
    np.testing.assert_allclose(data.X @ data.X.T, gram, atol=1e-12)


def test_all_axes_of_the_linear_projection_are_a_rotation():
    data = make_d2(50, kernel="linear", n_inputs=5, random_state=0)
    np.testing.assert_allclose(pdist(data.X), pdist(data.Y), rtol=1e-10)


def test_median_heuristic():
    data = make_d1(80, random_state=0)
    expected = 1 / (2 * np.median(pdist(data.Y)) ** 2)
    np.testing.assert_allclose(data.parameters["gamma"], expected)
    same = make_d1(80, gamma=expected, random_state=0)
    np.testing.assert_allclose(same.X, data.X, atol=1e-12)
