"""Embeddings of rankings: distances, ties, and pre-images beside a search through all rankings."""

from itertools import permutations, product

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.stats import kendalltau

from ofer import KernelRidgeCV, OutputFisherRegressor, RankingEmbedding

KINDS = ("kemeny", "hamming", "lehmer")
RANKINGS = 1.0 + np.array([*permutations(range(4))])


def squared_distances(H, other):
    return np.square(H[:, None] - other).sum(axis=2)


@pytest.mark.parametrize("kind", KINDS)
def test_pre_images_are_the_nearest_of_all_rankings(kind):
    embedding = RankingEmbedding(kind).fit(RANKINGS)
    images = embedding.transform(RANKINGS)
    H = np.random.default_rng(0).normal(size=(300, images.shape[1]))
    if kind == "kemeny":  # some rows are decoded by their signs, others are not
        signs = (np.sign(H)[:, None] == images).all(axis=2).any(axis=1)
        assert 0.2 < signs.mean() < 0.9
    found = embedding.inverse_transform(H)
    assert_array_equal(np.sort(found), np.tile(np.arange(1.0, 5.0), (300, 1)))
    reached = np.square(H - embedding.transform(found)).sum(axis=1)
    assert_allclose(reached, squared_distances(H, images).min(axis=1))


@pytest.mark.parametrize("K", [2, 3, 4, 5])
@pytest.mark.parametrize("kind", KINDS)
def test_ties_and_edges_beside_all_rankings(kind, K):
    rankings = 1.0 + np.array([*permutations(range(K))])
    embedding = RankingEmbedding(kind).fit(rankings)
    images = embedding.transform(rankings)
    rng, p = np.random.default_rng(K), images.shape[1]
    H = [np.zeros((1, p)), np.full((1, p), 0.5), rng.integers(-1, 2, size=(20, p)), -images[:3]]
    H = np.concatenate([*H, 1e-300 * rng.normal(size=(3, p)), 0.5 * (images[:1] + images)])
    found = embedding.inverse_transform(H)
    assert_array_equal(np.sort(found), np.tile(np.arange(1.0, K + 1), (len(H), 1)))
    reached = np.square(H - embedding.transform(found)).sum(axis=1)
    assert_allclose(reached, squared_distances(H, images).min(axis=1))
    tied = np.array([*product(range(3), repeat=K)])
    for Y, mean in zip(tied, embedding.transform(tied), strict=True):
        ahead = Y[:, None] < Y
        orders = [image for r, image in zip(rankings, images, strict=True)
                  if (r[:, None] < r)[ahead].all()]  # fmt: skip
        assert_allclose(mean, np.mean(orders, axis=0), atol=1e-12)


@pytest.mark.parametrize("kind", KINDS)
def test_one_label_is_no_ranking(kind):
    with pytest.raises(ValueError, match="minimum of 2 is required"):
        RankingEmbedding(kind).fit([[1.0], [1.0]])


def test_distances_are_losses():
    pairs = RankingEmbedding().fit_transform(RANKINGS)
    taus = [[kendalltau(one, other).statistic for other in RANKINGS] for one in RANKINGS]
    assert_allclose(squared_distances(pairs, pairs) / 4, 6 * (1 - np.array(taus)) / 2, atol=1e-12)
    positions = RankingEmbedding("hamming").fit_transform(RANKINGS)
    apart = (RANKINGS[:, None] != RANKINGS).sum(axis=2)
    assert_allclose(squared_distances(positions, positions), 2 * apart)
    code = RankingEmbedding("lehmer").fit_transform(RANKINGS)
    in_order = RankingEmbedding().fit_transform([[1, 2, 3, 4]])
    assert_allclose(code.sum(axis=1), squared_distances(pairs, in_order)[:, 0] / 4)


@pytest.mark.parametrize("kind", KINDS)
def test_ties_are_the_mean_of_the_rankings_that_break_them(kind):
    embedding = RankingEmbedding(kind).fit(RANKINGS)
    for tied in ([2, 1, 2, 2], [1, 1, 7, 7], [3, 3, 3, 3], [4, 1, 1, 2]):
        order = np.sign(np.subtract.outer(tied, tied))
        agree = [
            (np.sign(np.subtract.outer(one, one))[order != 0] == order[order != 0]).all()
            for one in RANKINGS
        ]
        expected = embedding.transform(RANKINGS[agree]).mean(axis=0)
        assert_allclose(embedding.transform([tied])[0], expected, atol=1e-12)


@pytest.mark.parametrize("kind", KINDS)
def test_an_order_is_all_that_matters(kind):
    rng = np.random.default_rng(1)
    ranks = 1.0 + np.argsort(np.argsort(rng.normal(size=(20, 6))))
    embedding = RankingEmbedding(kind).fit(ranks)
    assert_array_equal(embedding.transform(np.exp(ranks) - 50), embedding.transform(ranks))
    decoded = embedding.inverse_transform(embedding.transform(np.exp(ranks)))
    assert_array_equal(decoded, ranks)
    H = rng.normal(size=(5, embedding.transform(ranks).shape[1]))
    if kind != "lehmer":
        for unit in (1e-12, 1e9):
            assert_array_equal(
                embedding.inverse_transform(unit * H), embedding.inverse_transform(H)
            )
    assert np.isfinite(embedding.inverse_transform(0 * H)).all()


@pytest.mark.parametrize("kind", KINDS)
def test_a_regressor_learns_rankings(kind):
    rng = np.random.default_rng(2)
    X = rng.normal(size=(120, 3))
    Y = 1.0 + np.argsort(np.argsort(X @ rng.normal(size=(3, 5))))
    model = OutputFisherRegressor(RankingEmbedding(kind), KernelRidgeCV(kernel="rbf"))
    model.fit(X[:80], Y[:80], sample_weight=np.ones(80))
    predicted = model.predict(X[80:])
    taus = [kendalltau(*pair).statistic for pair in zip(predicted, Y[80:], strict=True)]
    assert np.mean(taus) > 0.7


def test_names_of_columns():
    Y = RANKINGS[:, :3]
    names = {kind: [*RankingEmbedding(kind).fit(Y).get_feature_names_out()] for kind in KINDS}
    assert names["kemeny"] == ["pairs_y0_y1", "pairs_y0_y2", "pairs_y1_y2"]
    assert names["hamming"][:4] == [f"positions_y{k}_{p}" for k, p in ("01", "02", "03", "11")]
    assert names["lehmer"] == ["code_y1", "code_y2"]


def test_errors_say_what_is_wrong():
    with pytest.raises(ValueError, match="'kind' parameter of RankingEmbedding must be"):
        RankingEmbedding("borda").fit(RANKINGS)
    with pytest.raises(ValueError, match="contains NaN"):
        RankingEmbedding().fit([[1.0, np.nan], [1.0, 2.0]])
    with pytest.raises(ValueError, match="minimum of 2 is required"):
        RankingEmbedding().fit([[1.0], [1.0]])
    with pytest.raises(ValueError, match="H must have 6 columns"):
        RankingEmbedding().fit(RANKINGS).inverse_transform(np.ones((2, 5)))
