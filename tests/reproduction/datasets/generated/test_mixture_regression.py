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


def test_the_stated_parameters_make_the_same_data():
    data = make_d2(100, weights=[0.55] + [0.05] * 9, random_state=3)
    again = make_mixture_regression(**data.parameters, random_state=3)
    np.testing.assert_array_equal(again.X, data.X)
    np.testing.assert_array_equal(again.Y, data.Y)


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


def test_separation_is_the_distance_of_means_in_standard_deviations():
    means = make_d2(10, n_clusters=1000, separation=4, cluster_std=0.5, random_state=0).means
    distance = np.sqrt(np.mean(pdist(means, "sqeuclidean"))) / 0.5
    # The mean of d chi-square variables over 1000 means has a relative deviation of 1.4 %.
    np.testing.assert_allclose(distance, 4, rtol=0.03)


def test_spread_within_the_clusters():
    data = make_d1(4000, n_inputs=1, cluster_std=0.3, random_state=0)
    residuals = data.Y - data.means[data.clusters]
    np.testing.assert_allclose(residuals.std(axis=0), 0.3, rtol=0.05)
    np.testing.assert_allclose(residuals.mean(axis=0), 0, atol=0.02)


def test_weights():
    only_one = make_d1(50, weights=[0, 0, 1, 0], random_state=0)
    assert (only_one.clusters == 2).all()
    data = make_d1(2000, n_inputs=1, weights=[0.1, 0.2, 0.3, 0.4], random_state=0)
    np.testing.assert_allclose(np.bincount(data.clusters) / 2000, [0.1, 0.2, 0.3, 0.4], atol=0.04)


def test_input_noise_is_relative_and_leaves_the_outputs_alone():
    clean, some, twice = (
        make_d1(500, input_noise=noise, random_state=0) for noise in (0, 0.5, 1.0)
    )
    np.testing.assert_array_equal(twice.Y, clean.Y)
    np.testing.assert_allclose(twice.X - clean.X, 2 * (some.X - clean.X), atol=1e-12)
    ratio = np.linalg.norm(some.X - clean.X) / np.linalg.norm(clean.X)
    np.testing.assert_allclose(ratio, 0.5, rtol=0.05)
