"""Cora: a made-up file of three papers, and the real one where present."""

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression

from reproduction.datasets import dataset_info
from reproduction.datasets.graphs.cora import CORA, fetch_cora

RAW = {
    "adj_indices": np.array([1, 2, 0], np.int32),
    "adj_indptr": np.array([0, 2, 2, 3], np.int32),
    "attr_indices": np.array([0, 3, 1, 2], np.int32),
    "attr_indptr": np.array([0, 2, 3, 4], np.int32),
    "attr_shape": np.array([3, 4]),
    "labels": np.array([1, 0, 1], np.int8),
    "class_names": np.array(["Theory", "Trees"]),
    "node_names": np.array(["35", "40", "114"]),
}


def test_conversion_and_bunch(tmp_path, put):
    np.savez(tmp_path / "raw.npz", **RAW)
    arrays = CORA.convert(lambda name: tmp_path / "raw.npz")
    papers = put(CORA, **arrays).fetch()
    np.testing.assert_array_equal(
        papers.words.toarray(), [[1, 0, 0, 1], [0, 1, 0, 0], [0, 0, 1, 0]]
    )
    # Papers 1 and 2 cite 0, and 0 cites 2: rows cite columns.
    np.testing.assert_array_equal(papers.out_links.toarray(), [[0, 0, 1], [1, 0, 0], [1, 0, 0]])
    np.testing.assert_array_equal(papers.class_names[papers.labels], ["Trees", "Theory", "Trees"])
    np.testing.assert_array_equal(papers.paper_id, [35, 40, 114])
    for part in ("2708", "9947", "substitute", "MIT", "McCallum"):
        assert part in papers.DESCR


@pytest.fixture
def real(need):
    need("cora")
    return fetch_cora(download_if_missing=False)


def test_real_data(real):
    assert dataset_info("cora").size == "2708 papers, 1433 words, 5429 citations, 7 topics"
    assert real.words.shape == (2708, 1433)
    assert (real.out_links.shape, real.out_links.nnz) == ((2708, 2708), 5429)
    assert (np.diff(real.out_links.indptr) > 0).sum() == 2222
    assert len(np.unique(real.labels)) == len(real.class_names) == 7
    assert "2222 of them cite others" in real.DESCR


def test_papers_cite_papers_on_their_topic(real):
    """Rows of links, words and labels belong together."""
    citing, cited = real.out_links.nonzero()
    assert np.mean(real.labels[citing] == real.labels[cited]) > 0.7
    model = LogisticRegression().fit(real.words[::2], real.labels[::2])
    assert model.score(real.words[1::2], real.labels[1::2]) > 0.65
