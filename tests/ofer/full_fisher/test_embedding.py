import warnings

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.optimize import least_squares
from sklearn.exceptions import ConvergenceWarning

from ofer import (
    FullFisherEmbedding,
    GaussianEmbedding,
    GaussianMixtureEmbedding,
)

RNG = np.random.default_rng(0)
CENTRES = np.array([[0.0, 0.0, 0.0], [4.0, 0.0, 1.0], [0.0, 3.0, -2.0]])
Y = np.vstack([c + RNG.normal(size=(30, 3)) * (0.5, 1.0, 1.5) for c in CENTRES])
MODELS = [
    GaussianEmbedding(),
    GaussianEmbedding(covariance_type="diag"),
    GaussianEmbedding(covariance_type="full"),
    GaussianMixtureEmbedding(1),
    *(
        GaussianMixtureEmbedding(3, covariance_type=kind, random_state=0)
        for kind in ("spherical", "diag", "tied", "full")
    ),
]
STEP = 1e-5


def noisy_targets(embedding, n=12, size=0.3, unit=1.0):
    """Embeddings off the range, with asymmetric covariance blocks."""
    H = embedding.transform(unit * Y[::7][:n])
    return H + size * np.random.default_rng(1).normal(size=H.shape) * H.std(axis=0)


@pytest.mark.parametrize("model", MODELS, ids=str)
def test_loss_and_its_derivatives(model):
    """The loss is the distance of Fisher vectors; its terms come from their Jacobian."""
    embedding = FullFisherEmbedding(model).fit(Y)
    H = noisy_targets(embedding)
    y = Y[2:90:7][: len(H)]
    losses, gradients, normals = embedding.loss(H)(y, np.arange(len(H)))
    residual = embedding.transform(y) - H
    assert_allclose(losses, np.square(residual).sum(axis=1), rtol=1e-10)
    jacobian = np.stack(
        [
            (embedding.transform(y + STEP * e) - embedding.transform(y - STEP * e)) / (2 * STEP)
            for e in np.eye(3)
        ],
        axis=2,
    )
    expected = np.einsum("npd,np->nd", jacobian, residual)
    assert_allclose(gradients, expected, rtol=1e-5, atol=1e-6 * np.abs(expected).max())
    expected = np.einsum("npd,npe->nde", jacobian, jacobian)
    assert_allclose(normals, expected, rtol=1e-5, atol=1e-7 * np.abs(expected).max())


@pytest.mark.parametrize("model", MODELS, ids=str)
def test_recovers_what_was_embedded(model):
    embedding = FullFisherEmbedding(model).fit(Y)
    found = embedding.pre_images(embedding.transform(Y))
    assert_allclose(found.outputs, Y, atol=1e-5)
    assert found.converged.all()


@pytest.mark.parametrize("model", [MODELS[0], MODELS[4], MODELS[7]], ids=str)
def test_no_worse_than_scipy_from_any_start(model):
    embedding = FullFisherEmbedding(model).fit(Y)
    H = noisy_targets(embedding)
    found = embedding.pre_images(H)
    assert_allclose(found.losses, np.square(embedding.transform(found.outputs) - H).sum(axis=1))
    starts = embedding.starts(H)
    for row, h in enumerate(H):
        peer = min(
            2 * least_squares(lambda y, h=h: embedding.transform(y[None])[0] - h, start).cost
            for start in starts[:, row]
        )
        assert found.losses[row] <= peer * (1 + 1e-6)


def test_starts_are_the_closed_form_and_the_means():
    """Where the weights and means are those of an output, the closed form is that output."""
    for model in MODELS:
        embedding = FullFisherEmbedding(model).fit(Y)
        H = embedding.transform(Y[:5])
        H[:, embedding.blocks_["covariances"]] = 7.0
        starts = embedding.starts(H)
        assert_allclose(starts[0], Y[:5], atol=1e-8)
        C = getattr(model, "n_components", 1)
        assert len(starts) == 1 + C + (C > 1)


def test_one_component_is_the_gaussian():
    """A mixture of one has the weights' block 1, and the rest of the Gaussian's score."""
    gaussian = FullFisherEmbedding(GaussianEmbedding()).fit(Y)
    mixture = FullFisherEmbedding(GaussianMixtureEmbedding(1)).fit(Y)
    assert_allclose(mixture.transform(Y)[:, 0], 1.0)
    assert_allclose(mixture.transform(Y)[:, 1:], gaussian.transform(Y), rtol=1e-6)
    H = noisy_targets(gaussian)
    one = mixture.pre_images(np.hstack([np.full((len(H), 1), 0.3), H]))
    assert_allclose(one.outputs, gaussian.pre_images(H).outputs, atol=1e-4)


def test_a_large_batch_is_cut_into_blocks(monkeypatch):
    embedding = FullFisherEmbedding(MODELS[4]).fit(Y)
    H = noisy_targets(embedding)
    whole = embedding.pre_images(H)
    monkeypatch.setattr(
        "ofer.full_fisher.embedding.row_batches", lambda n, size, factor: [slice(0, 5), slice(5, n)]
    )
    cut = embedding.pre_images(H)
    for a, b in zip(whole, cut, strict=True):
        assert_allclose(a, b, rtol=1e-6)


def test_says_when_it_stops_early():
    embedding = FullFisherEmbedding(MODELS[4], max_steps=1).fit(Y)
    H = noisy_targets(embedding)
    with pytest.warns(
        ConvergenceWarning, match=r"pre-image of \d+ of 12 rows .* max_steps=1\. Raise"
    ):
        embedding.inverse_transform(H)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        FullFisherEmbedding(MODELS[4]).fit(Y).inverse_transform(H)


@pytest.mark.parametrize("unit", [1e-40, 1e-12, 1e-6, 1e6, 1e12, 1e40])
def test_embeddings_of_outputs_are_decoded_in_any_unit(unit):
    for model in MODELS:
        embedding = FullFisherEmbedding(model).fit(unit * Y)
        H = embedding.transform(unit * Y)
        assert_allclose(embedding.inverse_transform(H) / unit, Y, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("max_steps", [5, 20])
def test_an_output_on_its_target_up_to_roundoff_has_arrived(max_steps):
    """However many roundoffs it gains at each step."""
    embedding = FullFisherEmbedding(MODELS[4], max_steps=max_steps, tol=0.0).fit(Y)
    H = embedding.transform(Y)
    found = embedding.pre_images(H)
    exact = found.losses <= 1e-13 * np.square(H).sum(axis=1)
    assert exact.mean() > 0.9
    assert found.converged[exact].all()


@pytest.mark.parametrize("unit", [1e-40, 1e-12, 1e-6, 1e6, 1e12, 1e40])
@pytest.mark.filterwarnings("ignore:the pre-image of")
def test_predicted_embeddings_are_decoded_to_numbers_in_any_unit(unit):
    for model in MODELS:
        embedding = FullFisherEmbedding(model).fit(unit * Y)
        images = embedding.pre_images(noisy_targets(embedding, unit=unit))
        assert np.isfinite(images.outputs).all()
        assert np.isfinite(images.losses).all()


def test_an_output_is_decoded_alike_in_any_company():
    embedding = FullFisherEmbedding(MODELS[4]).fit(Y)
    H = noisy_targets(embedding)
    far = np.vstack([H, 1e9 * H[:1], embedding.transform(np.full((1, Y.shape[1]), 1e9))])
    alone = np.vstack([embedding.inverse_transform(h[None]) for h in H])
    assert_allclose(embedding.inverse_transform(far)[: len(H)], alone, atol=1e-6)


def test_bad_input():
    with pytest.raises(ValueError, match="Y must have rows that are equal or differ by 1e-50"):
        FullFisherEmbedding(GaussianEmbedding()).fit(1e-60 * Y)
    with pytest.raises(ValueError, match="H must have 12 columns"):
        FullFisherEmbedding(GaussianEmbedding()).fit(Y).inverse_transform(np.ones((2, 3)))
