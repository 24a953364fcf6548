"""Poser: the pose of a walking body from its silhouette."""

import numpy as np
from scipy.io import loadmat

from reproduction.datasets.declaration import Dataset, Field
from reproduction.datasets.upstream import on_github

__all__ = ["DATASETS", "POSER", "fetch_poser"]


_NAMES = {"X_train": "Y", "Y_train": "Z", "X_test": "Y_test", "Y_test": "Z_test"}

# Pairs of points from 1: trunk and head, two arms, two legs.
_LIMBS = (
    *((2, 3), (3, 4), (4, 5)),
    *((3, 6), (6, 7), (7, 8), (8, 9)),
    *((3, 10), (10, 11), (11, 12), (12, 13)),
    *((2, 14), (14, 15), (15, 16), (16, 20)),
    *((2, 17), (17, 18), (18, 19), (19, 21)),
)


def _convert(fetch):
    """Arrays of the upstream file in single precision."""
    stored = loadmat(fetch("ankurDataPoseSilhouette.mat"), variable_names=list(_NAMES.values()))
    return {name: stored[theirs].astype("<f4") for name, theirs in _NAMES.items()}


def _assemble(arrays):
    starts = [0, 100, 336, 405, 471, 1531, 1769]
    return {"limbs": np.array(_LIMBS) - 1, "sequence_starts": np.array(starts)}


POSER = Dataset(
    name="poser",
    title="Poser: silhouettes to 3D body poses",
    details="""
Motion-captured walking, rendered by the program Poser. An input is a silhouette as a histogram of
100 kinds of shape contexts, which sums to 100; an output is the pose: 21 points in space, one
after the other, in a unit that is not documented (a thigh is 19 long, so inches are likely).
Frames are in the order of time, so that neighbours are nearly equal.
The upstream file has 3 MB.
""",
    size="1927 training and 418 test frames, 100 inputs, 63 outputs",
    paper=(
        "Sharma-Mittal twin Gaussian processes (Elhoseiny and Elgammal 2015), section 5.1.4, "
        "after Agarwal and Triggs (2006)"
    ),
    source="GitHub SheffieldML/GPmat, from the authors' own data.",
    licence=("The repository is under BSD-3-Clause; no licence is stated for the data."),
    citation=(
        "A. Agarwal, B. Triggs, Recovering 3D human pose from monocular images, IEEE TPAMI "
        "28(1), 44-58, 2006; C. H. Ek, P. Torr, N. Lawrence, Gaussian process latent variable "
        "models for human pose estimation, MLMI 2007"
    ),
    fidelity="faithful",
    notes=(
        "Inputs and division are those of the paper on Sharma-Mittal twin Gaussian processes. "
        "Its outputs are 54 joint angles; here they are the 63 coordinates of 21 points that "
        "follow from these angles. Errors in degrees are of the directions of limbs, and cannot "
        "be compared with the paper's one to one."
    ),
    spdx="LicenseRef-none-stated",
    conversion="The arrays Y, Z, Y_test and Z_test of the upstream file, in single precision.",
    prepared="poser/poser.npz",
    checksums={
        "X_train": "aaec407272b9840f7c9f896d72abf1bc176ffd75aaefcfccb143a9a75a94cf15",
        "Y_train": "63113587c1bf50cfc653acdd78d055e8b76285c6f2cb751376bf0e1a26feeddb",
        "X_test": "aadf714e4d47d48d39426390c248a55833a19590b4fcb84c6a633d5e86ed739b",
        "Y_test": "1414aa3ff62b483cbcd7bed42fc063682c78ec5f765f599f6b3016224d01d0fd",
    },
    upstream=(
        on_github(
            "SheffieldML/GPmat@4b5914a38ecbad9fb7a13a3392970bfc28c9d911",
            "datasets/data/mocap/ankur/ankurDataPoseSilhouette.mat",
            "9d13ee29b484b64be6c99bba114d0889fe3cb0c818aec893ad45d5981f27f637",
        ),
    ),
    convert=_convert,
    assemble=_assemble,
    fields={
        "X": Field("float64", (1927, 100), "histograms of training frames", stored="X_train"),
        "Y": Field(
            "float64", (1927, 63), "their poses; Y.reshape(-1, 21, 3) are points", stored="Y_train"
        ),
        "X_test": Field("float64", (418, 100), "histograms of test frames"),
        "Y_test": Field("float64", (418, 63), "their poses"),
        "limbs": Field(
            "int64",
            (19, 2),
            "pairs of points, from 0, that a limb joins; its length is the same in all frames",
        ),
        "sequence_starts": Field(
            "int64",
            (7,),
            "training frames, from 0, at which the pose jumps: each begins another sequence",
        ),
    },
)
DATASETS = (POSER,)
fetch_poser = POSER.fetch
