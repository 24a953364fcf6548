import numpy as np
import pytest

from reproduction.datasets.generated.mixtures import make_d1, make_d2


@pytest.mark.parametrize(("make", "n_clusters", "n_outputs"), [(make_d1, 4, 10), (make_d2, 10, 5)])
def test_the_paper_s_sizes(make, n_clusters, n_outputs):
    data = make(random_state=0)
    assert data.X.shape == (600, 5)
    assert data.Y.shape == (600, n_outputs)
    np.testing.assert_array_equal(np.unique(data.clusters), np.arange(n_clusters))
