"""Partial labels: real samples with sets of candidate classes, of which one is true."""

from functools import partial

import numpy as np
from scipy.io import loadmat

from reproduction.checks import check_option
from reproduction.datasets.declaration import Dataset, Field
from reproduction.datasets.upstream import on_github

__all__ = ["DATASETS", "PARTIAL_LABELS", "fetch_partial_labels"]

_REPOSITORY = "agapiR/partial-label-learning@003e9f8b11eae8a135fe42ab19c74ce5bff7cb6a"

# What differs between the sets.
_SETS = {
    "lost": {
        "title": "faces of a television series to characters",
        "details": "Candidates are the characters that the script names in the scene.",
        "size": (1122, 108, 16),
        "citation": "T. Cour, B. Sapp, B. Taskar, Learning from partial labels, JMLR 2011",
        "file": ("lost", "c52670e602fd7065cd6380622f3861e7a86eef74cd0b44b14d741870946a54cd"),
        "X": "014e674c50e8d54ce413e058a9a1d4587f601f8412a74386af8ebff44b503072",
        "candidates": "e4bbd7acef84818778f8b4fe4d3a36cc93740bf0e8298ffde0aa17ca3ef2f822",
        "y": "e781041d8421137acee01c8edbde9744a79a0b410ea881a161f777fcf3bc61ca",
    },
    "msrcv2": {
        "title": "segments of photographs to objects",
        "details": "Candidates are the objects that are somewhere in the photograph.",
        "size": (1758, 48, 23),
        "citation": (
            "L. Liu, T. G. Dietterich, A conditional multinomial mixture model for superset label "
            "learning, NIPS 2012"
        ),
        "file": ("MSRCv2", "635f129d8a9a3cd5a921824aab6c8b1e45e5aadca0901352095997154c8887f3"),
        "X": "ebf66a7be8cba6232d318cc56e83ffa2cf4f8097bd1ecf0886afbe2dd7686f72",
        "candidates": "f95821ed5f009a6955e33c9b8377dcfa0ce05994d555202068b67883673a7b22",
        "y": "03c45da76d71d9d0f82601545f85f01f5e485207a22fc3df85682742799ed0c3",
    },
    "birdsong": {
        "title": "syllables in sound recordings to birds",
        "details": "Candidates are the species that are heard in the recording.",
        "size": (4998, 38, 13),
        "citation": (
            "F. Briggs, X. Z. Fern, R. Raich, Rank-loss support instance machines for MIML "
            "instance annotation, KDD 2012"
        ),
        "file": ("birdac", "200cb7168a476d213058520e30c6300f2096cd435ba0fa9dc86a2dcb6388964b"),
        "X": "4fa8408a0a1f68d767ce138f1616c0196bf1933e9f13b9a214be5d9c75803715",
        "candidates": "0b88b4fa3516362d7e485a90e4c6404654e19e050fccdd2be0395d8cc0359597",
        "y": "18b9b895c1d9b9d20fe3e09716d32a819ed69f63786747c65ea25488014efcc2",
    },
}


def _convert(fetch, *, name):
    """Inputs, candidates and true classes of a file of MATLAB."""
    arrays = loadmat(fetch(name))
    return {
        "X": np.ascontiguousarray(arrays["features"]),
        "candidates": arrays["p_labels"] == 1,
        "y": arrays["logitlabels"].argmax(axis=1).astype(np.uint8),
    }


def _declare(name, facts):
    (n, n_inputs, n_classes), (file, sha256) = facts["size"], facts["file"]
    return Dataset(
        name=f"partial_{name}",
        title=f"Partial labels: {facts['title']}",
        details=f"""
Each sample has a set of candidate classes, of which one is true. {facts["details"]} Inputs are not
scaled.
""",
        size=f"{n} samples, {n_inputs} inputs, {n_classes} classes",
        paper="none; used by most papers on partial labels",
        source="GitHub agapiR/partial-label-learning, data/realworld.",
        licence="None is stated there, for the program or the data.",
        citation=facts["citation"],
        fidelity="substitute",
        notes="Not in the paper. The form in which papers on partial labels use the set.",
        spdx="LicenseRef-none-stated",
        conversion="Renamed and retyped, nothing else.",
        kept_out=(
            "Nobody says that the data may be passed on. They are downloaded from the addresses "
            "in `upstream`, and converted."
        ),
        prepared=f"partial_labels/{name}.npz",
        checksums={array: facts[array] for array in ("X", "candidates", "y")},
        upstream=(on_github(_REPOSITORY, f"data/realworld/{file}.mat", sha256),),
        convert=partial(_convert, name=f"{file}.mat"),
        fields={
            "X": Field("float64", (n, n_inputs), "inputs"),
            "candidates": Field("bool", (n, n_classes), "which classes are candidates"),
            "y": Field("uint8", (n,), "true classes"),
        },
    )


PARTIAL_LABELS = {name: _declare(name, one) for name, one in _SETS.items()}
DATASETS = tuple(PARTIAL_LABELS.values())


def fetch_partial_labels(name, **options):
    """Load real samples with candidate classes.

    Parameters
    ----------
    name : {"lost", "msrcv2", "birdsong"}
        The set, by its usual name.
    **options
        `data_home` and `download_if_missing`, as of `Dataset.fetch`.

    Returns
    -------
    sklearn.utils.Bunch
        As from `Dataset.fetch`.

    Raises
    ------
    ValueError
        If `name` is not one of its values.

    Examples
    --------
    >>> from reproduction.datasets.tables.partial_labels import fetch_partial_labels
    >>> faces = fetch_partial_labels("lost")  # doctest: +SKIP
    >>> faces.X.shape, faces.candidates.shape  # doctest: +SKIP
    ((1122, 108), (1122, 16))
    """
    check_option("name", name, PARTIAL_LABELS)
    return PARTIAL_LABELS[name].fetch(**options)
