"""Character trajectories: movements of a pen, and the letters that they write."""

import numpy as np
from scipy.io import loadmat
from sklearn.utils import Bunch

from ofer.datasets._cache import DatasetInfo, RemoteDataset, UpstreamFile, fetch_arrays
from ofer.datasets._stored import split_frames

__all__ = ["CHARACTER_TRAJECTORIES", "fetch_character_trajectories"]

CHARACTER_TRAJECTORIES = RemoteDataset(
    info=DatasetInfo(
        name="character_trajectories",
        title="Character trajectories: pen movements to letters",
        size="1429 series of 61 to 182 frames, 3 columns, 20 classes",
        source=(
            "GitHub ShuningZhao/Character-Trajectories, a class project's division of the UCI "
            "set, https://archive.ics.uci.edu/dataset/175/character+trajectories."
        ),
        licence="No licence file; UCI's pages state CC BY 4.0 (not verified).",
        citation=(
            "B. H. Williams, M. Toussaint, A. J. Storkey, Modelling motion primitives and their "
            "timing in biologically executed movements, NIPS 2007"
        ),
        fidelity="faithful",
        notes=(
            "Half of the 2858 series of the paper on Fisher kernels: the labels of the other half "
            "are not public. Same classes, and the same average length of 120 frames."
        ),
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
        UpstreamFile(
            "trajectories_train.mat",
            "https://raw.githubusercontent.com/ShuningZhao/Character-Trajectories"
            "/0c9bfa477542c4f885370a6af05a99b45764f3af/trajectories_train.mat",
            "97fd57710818c740f411985681c1cde11fdc5ce2e05ab988121a9f82854218fb",
        ),
    ),
)

_DETAILS = """
Single letters that one person wrote on a tablet, at 200 frames a second: velocities in x and y,
and the force on the tip, smoothed and scaled by the authors. Letters that take two strokes are
not among the 20. The zeros that padded each series in front and behind are removed.
"""


def fetch_character_trajectories(*, data_home=None, download_if_missing=True):
    """Load pen movements and their letters (classification, 20 classes).

    The first data set of the paper on Fisher kernels [1]_, that half of it which has labels.

    Parameters
    ----------
    data_home : str or path-like, default=None
        Folder of the downloaded data, see `ofer.datasets.data_home`. A prepared file
        ``character_trajectories/character_trajectories_labelled.npz`` in it is checked and used;
        otherwise ``raw/trajectories_train.mat`` (4 MB) is, after a download if it is missing.
    download_if_missing : bool, default=True
        Whether the file may be downloaded; if not, its lack is an error.

    Returns
    -------
    sklearn.utils.Bunch
        With attributes

        sequences : list of ndarray of shape (n_frames, 3)
            Velocity in x, velocity in y, force; not standardised.
        y : ndarray of shape (1429,)
            Classes, indices of `class_names`.
        class_names : ndarray of shape (20,)
            Letters.
        DESCR : str
            Description, terms of use, and how the data differ from the paper's.
        checksums : dict of str to str
            sha256 of the stored arrays.

    Raises
    ------
    DataUnavailableError
        If the file is neither in the cache nor can be downloaded.

    References
    ----------
    .. [1] van der Maaten, "Learning discriminative Fisher kernels", ICML 2011.

    Examples
    --------
    >>> from ofer.datasets import fetch_character_trajectories
    >>> letters = fetch_character_trajectories()  # doctest: +SKIP
    >>> len(letters.sequences), letters.sequences[0].shape[1]  # doctest: +SKIP
    (1429, 3)
    """
    arrays = fetch_arrays(
        CHARACTER_TRAJECTORIES, _convert, home=data_home, download_if_missing=download_if_missing
    )
    return Bunch(
        sequences=split_frames(arrays["X"], arrays["lengths"]),
        y=arrays["y"].astype(int),
        class_names=arrays["class_names"],
        DESCR=CHARACTER_TRAJECTORIES.info.describe(_DETAILS),
        checksums=dict(CHARACTER_TRAJECTORIES.checksums),
    )


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
