"""Conventions of the package, for Fisher kernel learning."""

import pytest

from ofer.companions import PairwiseMRF
from tests.ofer.samples import CHAINS, named


def test_nodes_have_columns_in_one_order():
    graphs = [(named(chain), [[0, 1]]) for chain in CHAINS]
    field = PairwiseMRF(1, max_iter=0).fit(graphs)
    with pytest.raises(ValueError, match="feature names should match"):
        field.transform([(nodes[list("cba")], edges) for nodes, edges in graphs])
