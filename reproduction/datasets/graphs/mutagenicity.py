"""Mutagenicity: molecules as graphs, and whether they damage genes."""

from zipfile import ZipFile

import numpy as np

from reproduction.datasets.declaration import Dataset, Field
from reproduction.datasets.upstream import on_github

__all__ = ["DATASETS", "MUTAGENICITY", "fetch_mutagenicity"]


def _convert(fetch):
    """Arrays of the upstream file: all but IAM's, which are in thousands of other files."""
    with ZipFile(fetch("Mutagenicity.zip")) as archive:

        def read(name):
            with archive.open(f"Mutagenicity_{name}.txt") as file:
                return np.loadtxt(file, delimiter=",", dtype=int)

        pairs, valences = read("A") - 1, read("edge_labels") + 1
        atoms, owner, classes = read("node_labels"), read("graph_indicator"), read("graph_labels")
        legend = archive.read("Mutagenicity_label_readme.txt").decode()
    once = np.flatnonzero(pairs[:, 0] < pairs[:, 1])  # each bond is there in both directions
    once = once[np.lexsort(pairs[once].T[::-1])]
    nodes, _ = legend.split("Edge labels were")
    rows = [line.split() for line in nodes.splitlines()]
    return {
        "edges": pairs[once].astype("<i4"),
        "bond_valence": valences[once].astype(np.int8),
        "atom": atoms.astype(np.int8),
        "graph_id": (owner - 1).astype("<i2"),
        "y_mutagen": (classes == 0).astype(np.int8),
        "atom_names": np.array([row[1] for row in rows if len(row) == 2 and row[0].isdigit()]),
    }


def _assemble(arrays):
    owner = arrays["graph_id"].astype(int)
    firsts = np.flatnonzero(np.diff(owner, prepend=-1))  # nodes lie graph by graph
    edge_owner = owner[arrays["edges"][:, 0]]
    cuts = np.searchsorted(edge_owner, np.arange(1, len(firsts)))
    edges = np.split(arrays["edges"].astype(int) - firsts[edge_owner, None], cuts)
    nodes = np.split(arrays["atom"].astype(int), firsts[1:])
    split = arrays.get("iam_split")
    return {
        "graphs": list(zip(nodes, edges, strict=True)),
        "valences": np.split(arrays["bond_valence"].astype(int), cuts),
        "iam_split": None if split is None else split.astype(int),
    }


MUTAGENICITY = Dataset(
    name="mutagenicity",
    title="Mutagenicity: molecules as graphs to a binary class",
    details="""
A node is an atom, its symbol the element; an edge is a covalent bond, of valence 1 to 3. Rings
make cycles, salts several components. The class says whether the molecule is a mutagen by the
Ames test.
A graph is a pair (nodes, edges): symbols (n_nodes,), indices of atom_names, and pairs of nodes
(n_edges, 2), each once, the lower number first. The upstream file (1 MB) is converted at each call
(a second), since it lacks IAM's division, which is None then.
""",
    size="4337 graphs of 4 to 417 nodes, 14 symbols, 2 classes",
    paper="Learning discriminative Fisher kernels (van der Maaten 2011), the fourth data set",
    source=(
        "Graphs: GitHub flyingdoog/PGExplainer, the files of TUDataset. Division: the IAM Graph "
        "Database, in GitHub dbblumenthal/gedlib."
    ),
    licence=(
        "IAM: free for non-commercial research, with citation. PGExplainer: no licence file; "
        "gedlib: LGPL-3.0."
    ),
    citation=(
        "K. Riesen, H. Bunke, IAM graph database repository for graph based pattern recognition "
        "and machine learning, SSPR 2008; J. Kazius, R. McGuire, R. Bursi, Derivation and "
        "validation of toxicophores for mutagenicity prediction, Journal of Medicinal Chemistry "
        "48 (2005)"
    ),
    fidelity="faithful",
    notes=(
        "The molecules and symbols of the paper on Fisher kernels. Its one division into 90 % "
        "and 10 % is not published; that of IAM is. The 38 molecules of more than 99 atoms lost "
        "bonds before anyone published them: their further atoms are isolated."
    ),
    spdx="LicenseRef-IAM",
    conversion=(
        "Each bond once, numbers from 0. iam_split and iam_molecule were found by matching all "
        "molecules with IAM's 4337 files, which are not downloaded."
    ),
    prepared="mutagenicity/mutagenicity.npz",
    checksums={
        "edges": "2fd3338ef05d41e23d5ba9e300d670786cc4e9e88484a11a4751288ec5836cea",
        "bond_valence": "764c6eadae2284139a72695851defa304a76c95338456a28fd28dffabeca756a",
        "atom": "bb8b9677d3bffb10fd6e658e90d124ad2527cc75629dd40dbfcf77f054f96a7c",
        "graph_id": "b0fa5656abe956bd1900fbe49e3202289fc174d341becfa59765e7387534444e",
        "y_mutagen": "667cc48e431ed9cd08cb61fe7899bfaac6a15aea0d20dd5a9ae8d3e49bfdf8f3",
        "iam_split": "2a199957279011c825165ad6532be57daf27b099cbbbcb8c4bbbfe799a28c388",
        "iam_molecule": "5e161d6c3f42bbcf768919773a7511db3e975896e5e23a5cb95dea7188f76f41",
        "atom_names": "1dfe8113c7b9c67f673f7ee3166bff5fdaacdc98b37098dffc1ae00c9846cc76",
    },
    upstream=(
        on_github(
            "flyingdoog/PGExplainer@51edc7b3000e980635f68618af027ae24297f6e5",
            "dataset/Mutagenicity.zip",
            "20c0134bad28fa23a1dd928c6cf5afa6b6f1db10758d8622cfac7245207a95ca",
        ),
    ),
    convert=_convert,
    assemble=_assemble,
    fields={
        "graphs": Field("int64", (4337, 2), "pairs (nodes, edges)", kind="list"),
        "y": Field("int64", (4337,), "1 for mutagens, 0 for others", stored="y_mutagen"),
        "valences": Field(
            "int64", (4337, None), "valences of the bonds, 1 to 3, one for each edge", kind="list"
        ),
        "atom_names": Field("str", (14,), "symbols of the elements"),
        "iam_split": Field(
            "int64", (4337,), "IAM's division: 0 training, 1 validation, 2 test; or None"
        ),
    },
)
DATASETS = (MUTAGENICITY,)
fetch_mutagenicity = MUTAGENICITY.fetch
