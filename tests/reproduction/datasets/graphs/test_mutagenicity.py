"""Mutagenicity: two made-up molecules, and the real ones where present."""

from zipfile import ZipFile

import numpy as np
from numpy.testing import assert_array_equal

from reproduction.datasets import dataset_info
from reproduction.datasets.graphs.mutagenicity import MUTAGENICITY, fetch_mutagenicity

# Water, and oxygen beside a lonely carbon.
FILES = {
    "A": "1, 2\n2, 1\n3, 2\n2, 3\n6, 4\n4, 6\n",
    "edge_labels": "0\n0\n0\n0\n1\n1\n",
    "graph_indicator": "1\n1\n1\n2\n2\n2\n",
    "node_labels": "2\n1\n2\n1\n0\n1\n",
    "graph_labels": "1\n0\n",
    "label_readme": "Node labels:\n\nComponent 0:\n\t0\tC\n\t1\tO\n\t2\tH\n\n"
    "Edge labels were converted\n\nComponent 0:\n\t0\t1\n\t1\t2\n",
}
EXPECTED = {
    "edges": np.array([[0, 1], [1, 2], [3, 5]], "<i4"),
    "bond_valence": np.array([1, 1, 2], np.int8),
    "atom": np.array([2, 1, 2, 1, 0, 1], np.int8),
    "graph_id": np.array([0, 0, 0, 1, 1, 1], "<i2"),
    "y_mutagen": np.array([0, 1], np.int8),
    "atom_names": np.array(["C", "O", "H"]),
}


def test_conversion(tmp_path):
    with ZipFile(tmp_path / "molecules.zip", "w") as archive:
        for name, text in FILES.items():
            archive.writestr(f"Mutagenicity_{name}.txt", text)
    arrays = MUTAGENICITY.convert(lambda name: tmp_path / "molecules.zip")
    assert arrays.keys() == EXPECTED.keys()
    for name, array in EXPECTED.items():
        assert_array_equal(arrays[name], array, strict=True)


def check_molecules(molecules):
    (water, bonds), (oxygen, double) = molecules.graphs
    assert_array_equal(molecules.atom_names[water], ["H", "O", "H"])
    assert_array_equal(bonds, [[0, 1], [1, 2]])
    assert_array_equal(molecules.atom_names[oxygen], ["O", "C", "O"])
    assert_array_equal(double, [[0, 2]])
    assert_array_equal(molecules.valences[0], [1, 1])
    assert_array_equal(molecules.valences[1], [2])
    assert_array_equal(molecules.y, [0, 1])


def test_bunch(put):
    iam = {"iam_split": np.array([2, 0], np.int8), "iam_molecule": np.array([7, 8], "<i2")}
    molecules = put(MUTAGENICITY, **EXPECTED, **iam).fetch()
    check_molecules(molecules)
    assert_array_equal(molecules.iam_split, [2, 0])
    for part in ("Ames", "non-commercial", "Riesen", "isolated", "faithful"):
        assert part in molecules.DESCR


def test_download_has_no_division():
    assert MUTAGENICITY.assemble(EXPECTED)["iam_split"] is None


def test_molecules_without_bonds(put):
    """One between two others, and the last one."""
    arrays = EXPECTED | {
        "atom": np.array([1, 1, 0, 2, 2, 0], np.int8),
        "graph_id": np.array([0, 0, 1, 2, 2, 3], "<i2"),
        "edges": np.array([[0, 1], [3, 4]], "<i4"),
        "bond_valence": np.array([2, 1], np.int8),
    }
    iam = {"iam_split": np.zeros(4, np.int8), "iam_molecule": np.zeros(4, "<i2")}
    graphs = put(MUTAGENICITY, **arrays, **iam).fetch().graphs
    assert [len(nodes) for nodes, _ in graphs] == [2, 1, 2, 1]
    assert [edges.tolist() for _, edges in graphs] == [[[0, 1]], [], [[0, 1]], []]


def test_real_data(need):
    need("mutagenicity")
    molecules = fetch_mutagenicity()
    sizes = np.array([len(nodes) for nodes, _ in molecules.graphs])
    size = f"{len(sizes)} graphs of {sizes.min()} to {sizes.max()} nodes, 14 symbols, 2 classes"
    assert dataset_info("mutagenicity").size == size
    assert sizes.sum() == 131_488
    assert sum(len(edges) for _, edges in molecules.graphs) == 133_447
    assert_array_equal(np.bincount(molecules.y), [1936, 2401])
    assert_array_equal(np.bincount(molecules.iam_split), [1500, 500, 2337])
    # Hydrogen has one bond, carbon at most four: nodes and edges belong together.
    H, C = (molecules.atom_names.tolist().index(name) for name in "HC")
    for (nodes, edges), small in zip(molecules.graphs, sizes < 100, strict=True):
        degrees = np.bincount(edges.ravel(), minlength=len(nodes))
        assert degrees[nodes == C].max(initial=0) <= 4
        if small:
            assert (degrees[nodes == H] <= 1).all()
