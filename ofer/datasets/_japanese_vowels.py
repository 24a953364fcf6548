"""Japanese vowels: cepstra of utterances, and who says them."""

from functools import partial
from pathlib import Path

import numpy as np
from sklearn.utils import Bunch

from ofer._validation import check_option
from ofer.datasets._cache import DatasetInfo, RemoteDataset, UpstreamFile, fetch_arrays
from ofer.datasets._stored import split_frames

__all__ = ["JAPANESE_VOWELS", "fetch_japanese_vowels"]

_RAW = (
    "https://raw.githubusercontent.com/aeon-toolkit/aeon"
    "/a101ddc8b35a65441609b45c9bcce5aeafa0c131/aeon/datasets/data/JapaneseVowels"
)


def _describe(subset, size, sha256, checksums):
    """The part `subset` as `fetch_arrays` has to know it."""
    file = f"JapaneseVowels_{subset.upper()}.ts"
    return RemoteDataset(
        info=DatasetInfo(
            name=f"japanese_vowels_{subset}",
            title=f"Japanese vowels, {subset}: cepstra of utterances to speakers",
            size=size,
            source=(
                "GitHub aeon-toolkit/aeon, which holds the files of UCI, "
                "https://archive.ics.uci.edu/dataset/128/japanese+vowels."
            ),
            licence="aeon: BSD-3-Clause; UCI's pages state CC BY 4.0 (not verified).",
            citation=(
                "M. Kudo, J. Toyama, M. Shimbo, Multidimensional curve classification using "
                "passing-through regions, Pattern Recognition Letters 20 (1999)"
            ),
            fidelity="substitute",
            notes=(
                "In none of the papers: a small set of series of unequal length, with an official "
                "division, in place of the facial expressions of the paper on Fisher kernels "
                "(Cohn-Kanade), which may not be passed on."
            ),
        ),
        prepared=f"japanese_vowels/japanese_vowels_{subset}.npz",
        checksums=checksums,
        upstream=(UpstreamFile(file, f"{_RAW}/{file}", sha256),),
    )


JAPANESE_VOWELS = {
    "train": _describe(
        "train",
        "270 series of 7 to 26 frames, 12 columns, 9 classes",
        "68a430eabd919cc77f40b1f5f3bc0dcafacc1486bca9260785aeb7d262cc78cd",
        {
            "X": "b531e6680122bee893af0ee8794a696bb7caad40d5abe04cc19dd8be9bc61172",
            "lengths": "aa99c8fdf2288a559af6e7489aa25b6f5e6c93a92d0c6732037c574cc1a2ec5f",
            "y": "357a9a0ea9690a5cc3d3899e108581009c6fef9601ea08295799c6dc2d0c1f47",
        },
    ),
    "test": _describe(
        "test",
        "370 series of 7 to 29 frames, 12 columns, 9 classes",
        "b3d41d6a0ca3bcad3afb9ca7d4365382aa51341e2e58bae2a574babdda5b9462",
        {
            "X": "7c71160980b89a87419481f63e5e0687879d87e97d824d2d77393df866943db5",
            "lengths": "5626a8bb253524c3a9bc105ba0106f2c49e6138e68b6d2b94a2e4b135ce2147d",
            "y": "6f93d930a85924b8b707ee3118d063a3c8f3b3d0e40f3b2dac53e33686f24c21",
        },
    ),
}

_DETAILS = """
Nine men say two Japanese vowels in a row: 12 coefficients of the linear prediction cepstrum a
frame. The class is the speaker.
"""


def fetch_japanese_vowels(subset="train", *, data_home=None, download_if_missing=True):
    """Load cepstra of two vowels and their speakers (classification, 9 classes).

    Stands in for a data set of the paper on Fisher kernels [1]_ that may not be passed on.

    Parameters
    ----------
    subset : {"train", "test"}, default="train"
        Which part of the official division [2]_.
    data_home : str or path-like, default=None
        Folder of the downloaded data, see `ofer.datasets.data_home`. A prepared file
        ``japanese_vowels/japanese_vowels_train.npz``, or ``..._test.npz``, in it is checked and
        used; otherwise a file in ``raw/`` (0.5 MB) is, after a download if it is missing.
    download_if_missing : bool, default=True
        Whether the file may be downloaded; if not, its lack is an error.

    Returns
    -------
    sklearn.utils.Bunch
        With attributes

        sequences : list of ndarray of shape (n_frames, 12)
            Coefficients; not standardised.
        y : ndarray of shape (n_series,)
            Speakers 0 to 8.
        DESCR : str
            Description, terms of use, and how the data differ from the paper's.
        checksums : dict of str to str
            sha256 of the stored arrays.

    Raises
    ------
    DataUnavailableError
        If the file is neither in the cache nor can be downloaded.
    ValueError
        If `subset` is not one of its values.

    References
    ----------
    .. [1] van der Maaten, "Learning discriminative Fisher kernels", ICML 2011.
    .. [2] Kudo, Toyama, Shimbo, "Multidimensional curve classification using passing-through
       regions", Pattern Recognition Letters 20 (1999).

    Examples
    --------
    >>> from ofer.datasets import fetch_japanese_vowels
    >>> vowels = fetch_japanese_vowels()  # doctest: +SKIP
    >>> len(vowels.sequences), vowels.sequences[0].shape[1]  # doctest: +SKIP
    (270, 12)
    """
    check_option("subset", subset, tuple(JAPANESE_VOWELS))
    dataset = JAPANESE_VOWELS[subset]
    arrays = fetch_arrays(
        dataset,
        partial(_convert, file=dataset.upstream[0].name),
        home=data_home,
        download_if_missing=download_if_missing,
    )
    return Bunch(
        sequences=split_frames(arrays["X"], arrays["lengths"]),
        y=arrays["y"].astype(int),
        DESCR=dataset.info.describe(_DETAILS),
        checksums=dict(dataset.checksums),
    )


def _convert(fetch, *, file):
    """Arrays of the upstream file: a series a line, columns between colons, its class last."""
    _, data = Path(fetch(file)).read_text().split("@data\n")
    series, labels = [], []
    for line in data.splitlines():
        *columns, label = line.split(":")
        series.append(np.array([column.split(",") for column in columns], dtype="<f4").T)
        labels.append(int(label) - 1)
    return {
        "X": np.concatenate(series),
        "lengths": np.array([len(one) for one in series], dtype="<i2"),
        "y": np.array(labels, dtype=np.int8),
    }
