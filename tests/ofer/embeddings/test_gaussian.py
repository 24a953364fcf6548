import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.stats import multivariate_normal

from ofer import GaussianEmbedding, GaussianMixtureEmbedding
from ofer.embeddings import CollapsedComponentWarning

RNG = np.random.default_rng(0)
MIXING = np.eye(3) + 0.3 * RNG.normal(size=(3, 3))
Y = RNG.normal(size=(60, 3)) @ MIXING + [1.0, -2.0, 5.0]
TYPES = ["spherical", "diag", "full"]


def as_matrix(covariance):
    return np.diag(np.broadcast_to(covariance, 3)) if np.ndim(covariance) < 2 else covariance


@pytest.mark.parametrize("covariance_type", TYPES)
def test_maximum_likelihood(covariance_type):
    embedding = GaussianEmbedding(covariance_type=covariance_type, reg_covar=0).fit(Y)
    sample = np.cov(Y.T, bias=True)
    expected = {"spherical": np.trace(sample) / 3, "diag": np.diag(sample), "full": sample}
    assert_allclose(embedding.mean_, Y.mean(axis=0))
    assert_allclose(embedding.covariance_, expected[covariance_type])
    assert_allclose(
        embedding.score_samples(Y),
        multivariate_normal(Y.mean(axis=0), as_matrix(expected[covariance_type])).logpdf(Y),
    )


@pytest.mark.parametrize("covariance_type", TYPES)
def test_pre_image_inverts_the_embedding(covariance_type):
    embedding = GaussianEmbedding(covariance_type=covariance_type).fit(Y)
    H = embedding.transform(Y)
    expected = np.linalg.solve(as_matrix(embedding.covariance_), (Y - embedding.mean_).T).T
    assert_allclose(H, expected, atol=1e-8)
    assert_allclose(embedding.inverse_transform(H), Y, atol=1e-8)
    assert embedding.blocks_ == {"mean": slice(0, 3)}
    assert list(embedding.get_feature_names_out()) == ["mean_y0", "mean_y1", "mean_y2"]


@pytest.mark.parametrize("covariance_type", TYPES)
def test_score_by_finite_differences(covariance_type):
    embedding = GaussianEmbedding(covariance_type=covariance_type).fit(Y)
    mean, covariance = embedding.mean_, as_matrix(embedding.covariance_)

    def density(m, S):
        # As a function of any matrix, symmetric or not: each entry is free.
        r = Y - m
        return -0.5 * (
            np.linalg.slogdet(S)[1] + np.einsum("ni,ni->n", r, np.linalg.solve(S, r.T).T)
        )

    step = 1e-6
    columns = []
    for i in range(3):
        e = step * np.eye(3)[i]
        columns.append((density(mean + e, covariance) - density(mean - e, covariance)) / (2 * step))
    for i in range(3):
        for j in range(3):
            E = np.zeros((3, 3))
            E[i, j] = step
            columns.append(
                (density(mean, covariance + E) - density(mean, covariance - E)) / (2 * step)
            )
    assert_allclose(embedding.fisher_vector(Y), np.column_stack(columns), atol=1e-6)


def test_mean_score_of_the_training_outputs_is_zero():
    embedding = GaussianEmbedding(covariance_type="full", reg_covar=0).fit(Y)
    assert_allclose(embedding.fisher_vector(Y).mean(axis=0), 0.0, atol=1e-10)


@pytest.mark.parametrize("covariance_type", TYPES)
def test_equals_the_mixture_of_one(covariance_type):
    gaussian = GaussianEmbedding(covariance_type=covariance_type).fit(Y)
    mixture = GaussianMixtureEmbedding(covariance_type=covariance_type, scaling="score").fit(Y)
    assert_allclose(gaussian.transform(Y), mixture.transform(Y)[:, 1:])
    assert_allclose(gaussian.fisher_vector(Y), mixture.fisher_vector(Y)[:, 1:])


def test_bad_input():
    with pytest.raises(ValueError, match="Y must vary"):
        GaussianEmbedding().fit(1e-200 * Y)
    with pytest.warns(CollapsedComponentWarning, match="drop constant targets"):
        GaussianEmbedding().fit(np.ones((5, 2)))
    with pytest.raises(ValueError, match=r"H must have 3 columns .* got shape \(2, 4\)"):
        GaussianEmbedding().fit(Y).inverse_transform(np.ones((2, 4)))
