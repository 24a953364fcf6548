"""Character trajectories: movements of a pen, and the letters that they write."""

import numpy as np
from scipy.io import loadmat

from reproduction.datasets.declaration import Dataset, Field
from reproduction.datasets.stored import split_frames
from reproduction.datasets.upstream import on_github

__all__ = ["CHARACTER_TRAJECTORIES", "DATASETS", "fetch_character_trajectories"]


def _convert(fetch):
    """Arrays of the upstream file."""
    content = loadmat(fetch("trajectories_train.mat"))
    frames, lengths, lead, trail = [], [], [], []
    for cell in content["xtrain"].ravel():
        moving = np.flatnonzero(cell.any(axis=0))
        first, end = moving[0], moving[-1] + 1
        frames.append(cell[:, first:end].T)
        lengths.append(end - first)
        lead.append(first)
        trail.append(cell.shape[1] - end)
    return {
        "X": np.concatenate(frames).astype("<f4"),
        "lengths": np.array(lengths, dtype="<i2"),
        "n_zero_lead": np.array(lead, dtype="<i2"),
        "n_zero_trail": np.array(trail, dtype="<i2"),
        "y": (content["ytrain"].ravel() - 1).astype(np.int8),
        "class_names": np.array([str(cell[0]) for cell in content["key"].ravel()]),
    }


def _assemble(arrays):
    return {"sequences": split_frames(arrays["X"], arrays["lengths"])}


CHARACTER_TRAJECTORIES = Dataset(
    name="character_trajectories",
    title="Character trajectories: pen movements to letters",
    details="""
Single letters that one person wrote on a tablet, at 200 frames a second: velocities in x and y,
and the force on the tip, smoothed and scaled by the authors. Letters that take two strokes are
not among the 20. The zeros that padded each series in front and behind are removed.
The upstream file has 4 MB.
""",
    size="1429 series of 61 to 182 frames, 3 columns, 20 classes",
    paper=(
        "Learning discriminative Fisher kernels (van der Maaten 2011), the first data set: that "
        "half of it which has labels"
    ),
    source=(
        "GitHub ShuningZhao/Character-Trajectories, a class project's division of the UCI set, "
        "https://archive.ics.uci.edu/dataset/175/character+trajectories."
    ),
    licence="No licence file; UCI's pages state CC BY 4.0 (not verified).",
    citation=(
        "B. H. Williams, M. Toussaint, A. J. Storkey, Modelling motion primitives and their "
        "timing in biologically executed movements, NIPS 2007"
    ),
    fidelity="faithful",
    notes=(
        "Half of the 2858 series of the paper on Fisher kernels: the labels of the other half "
        "are not at hand. Same classes, and the same average length of 120 frames."
    ),
    spdx="CC-BY-4.0",
    conversion=(
        "Frames of zeros in front and behind counted and removed, single precision, classes from 0."
    ),
    prepared="character_trajectories/character_trajectories_labelled.npz",
    checksums={
        "X": "5e0b1d8874b16568eef8ec7da382ed7f7c92d307ca7e83cb8d5ed22884eff0dd",
        "lengths": "fe89f74b790744b1f10155b5c73667faf22ccd3305ca1b8816fdb4075cabd704",
        "n_zero_lead": "8e5a78c39a2567d33913a9dc4d875bee46eb75ee26e14700f9c889f5a21577fa",
        "n_zero_trail": "a3fd1a1cb90ca3b4e06cd0e7b6afc197eb1208941833e4ee543a4e2f644bb3d7",
        "y": "578e8bc658e1246d03b9ac1b9b540b99802df16a2fb2e6da9d9b12a1fe4b676e",
        "class_names": "23894c66e17b64c7678fb35e5c283e02c5454af2b44e2ed0aadab627e74345c8",
    },
    upstream=(
        on_github(
            "ShuningZhao/Character-Trajectories@0c9bfa477542c4f885370a6af05a99b45764f3af",
            "trajectories_train.mat",
            "97fd57710818c740f411985681c1cde11fdc5ce2e05ab988121a9f82854218fb",
        ),
    ),
    convert=_convert,
    assemble=_assemble,
    fields={
        "sequences": Field(
            "float64",
            (1429, None, 3),
            "velocity in x, velocity in y, force; not standardised",
            kind="list",
        ),
        "y": Field("int64", (1429,), "classes, indices of class_names"),
        "class_names": Field("str", (20,), "letters"),
    },
)
DATASETS = (CHARACTER_TRAJECTORIES,)
fetch_character_trajectories = CHARACTER_TRAJECTORIES.fetch
