"""Japanese vowels: cepstra of utterances, and who says them."""

from functools import partial
from pathlib import Path

import numpy as np

from reproduction.checks import check_option
from reproduction.datasets.declaration import Dataset, Field
from reproduction.datasets.stored import split_frames
from reproduction.datasets.upstream import on_github

__all__ = ["DATASETS", "JAPANESE_VOWELS", "fetch_japanese_vowels"]

_REPOSITORY = "aeon-toolkit/aeon@a101ddc8b35a65441609b45c9bcce5aeafa0c131"

# What differs between the parts: numbers of series and of frames, and checksums.
_PARTS = {
    "train": {
        "n": 270,
        "frames": "7 to 26",
        "file": "68a430eabd919cc77f40b1f5f3bc0dcafacc1486bca9260785aeb7d262cc78cd",
        "X": "b531e6680122bee893af0ee8794a696bb7caad40d5abe04cc19dd8be9bc61172",
        "lengths": "aa99c8fdf2288a559af6e7489aa25b6f5e6c93a92d0c6732037c574cc1a2ec5f",
        "y": "357a9a0ea9690a5cc3d3899e108581009c6fef9601ea08295799c6dc2d0c1f47",
    },
    "test": {
        "n": 370,
        "frames": "7 to 29",
        "file": "b3d41d6a0ca3bcad3afb9ca7d4365382aa51341e2e58bae2a574babdda5b9462",
        "X": "7c71160980b89a87419481f63e5e0687879d87e97d824d2d77393df866943db5",
        "lengths": "5626a8bb253524c3a9bc105ba0106f2c49e6138e68b6d2b94a2e4b135ce2147d",
        "y": "6f93d930a85924b8b707ee3118d063a3c8f3b3d0e40f3b2dac53e33686f24c21",
    },
}


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


def _assemble(arrays):
    return {"sequences": split_frames(arrays["X"], arrays["lengths"])}


def _declare(subset, facts):
    file = f"JapaneseVowels_{subset.upper()}.ts"
    return Dataset(
        name=f"japanese_vowels_{subset}",
        title=f"Japanese vowels, {subset}: cepstra of utterances to speakers",
        details="""
Nine men say two Japanese vowels in a row: 12 coefficients of the linear prediction cepstrum a
frame. The class is the speaker. The division is the official one. Upstream files have 0.5 MB.
""",
        size=f"{facts['n']} series of {facts['frames']} frames, 12 columns, 9 classes",
        paper="none; stands in for a data set of Learning discriminative Fisher kernels "
        "(van der Maaten 2011) that may not be passed on",
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
        spdx="CC-BY-4.0",
        conversion=(
            "The numbers of the upstream file in single precision, all series in a row, speakers "
            "from 0."
        ),
        prepared=f"japanese_vowels/japanese_vowels_{subset}.npz",
        checksums={name: facts[name] for name in ("X", "lengths", "y")},
        upstream=(
            on_github(_REPOSITORY, f"aeon/datasets/data/JapaneseVowels/{file}", facts["file"]),
        ),
        convert=partial(_convert, file=file),
        assemble=_assemble,
        fields={
            "sequences": Field(
                "float64", (facts["n"], None, 12), "coefficients; not standardised", kind="list"
            ),
            "y": Field("int64", (facts["n"],), "speakers 0 to 8"),
        },
    )


JAPANESE_VOWELS = {subset: _declare(subset, part) for subset, part in _PARTS.items()}
DATASETS = tuple(JAPANESE_VOWELS.values())


def fetch_japanese_vowels(subset="train", **options):
    """Load cepstra of two vowels and their speakers (classification, 9 classes).

    Parameters
    ----------
    subset : {"train", "test"}, default="train"
        Which part of the official division.
    **options
        `data_home` and `download_if_missing`, as of `Dataset.fetch`.

    Returns
    -------
    sklearn.utils.Bunch
        As from `Dataset.fetch`.

    Raises
    ------
    ValueError
        If `subset` is not one of its values.
    """
    check_option("subset", subset, JAPANESE_VOWELS)
    return JAPANESE_VOWELS[subset].fetch(**options)
