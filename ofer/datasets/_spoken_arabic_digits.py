"""Spoken Arabic digits: cepstra of utterances, and the digits that they say."""

from functools import partial
from pathlib import Path

import numpy as np
from sklearn.utils import Bunch

from ofer._validation import check_option
from ofer.datasets._cache import DatasetInfo, RemoteDataset, UpstreamFile, fetch_arrays
from ofer.datasets._stored import split_frames

__all__ = ["SPOKEN_ARABIC_DIGITS", "fetch_spoken_arabic_digits"]

_RAW = (
    "https://raw.githubusercontent.com/max4211/arabic-digit-recognition"
    "/ef1d8a065f4951be5c3d4b86a8f97914d2734d8c/data/01_raw"
)
_PER_DIGIT = {"train": 660, "test": 220}  # utterances
_STEP = 5e-4


def _describe(subset, size, file, sha256, checksums):
    """The part `subset` as `fetch_arrays` has to know it."""
    return RemoteDataset(
        info=DatasetInfo(
            name=f"spoken_arabic_digits_{subset}",
            title=f"Spoken Arabic digits, {subset}: cepstra of utterances to digits",
            size=size,
            source=(
                "GitHub max4211/arabic-digit-recognition, which holds the files of UCI, "
                "https://archive.ics.uci.edu/dataset/195/spoken+arabic+digit."
            ),
            licence="No licence file; UCI's pages state CC BY 4.0 (not verified).",
            citation=(
                "N. Hammami, M. Bedda, Improved tree model for Arabic speech recognition, IEEE "
                "ICCSIT 2010"
            ),
            fidelity="faithful",
            notes=(
                "The data of the paper on Fisher kernels and its fixed division, rounded to "
                f"{_STEP}. Digits, sex and speakers follow from the order of the utterances, as "
                "UCI documents."
            ),
        ),
        prepared=f"spoken_arabic_digits/sad_{subset}.npz",
        checksums=checksums,
        upstream=(UpstreamFile(file, f"{_RAW}/{file}", sha256),),
    )


_SCALE = "a9354cb88a60330a1b2fa595e556bc765743d814b0117d54dc1ac52b34543f9b"
SPOKEN_ARABIC_DIGITS = {
    "train": _describe(
        "train",
        "6600 series of 4 to 93 frames, 13 columns, 10 classes, 66 speakers",
        "Train_Arabic_Digit.txt",
        "cecd3ee9951658e5391f0342e9b6467ba7c0e7ecff5c9012b9c1ed9f81b97bc6",
        {
            "X_q": "eab0ff0421df5852eb9ed583744c52abc8c2edede6499689d320f290f6b11294",
            "scale": _SCALE,
            "lengths": "4e064a73fb3eb23115c4e09e358d8194f53b230aae9bde66382a7f5afc30ae8b",
            "y": "276d27dc3493d2e8bd5a63ac75f9fbeef50ccee486646c985f2c87a95e42e2d4",
            "is_female": "c4a1c82da4207a0a4fd4834c6ba0c5a9f01ac52bdfd2ac572a88aefc0b9d86c7",
            "speaker": "61a5d9661252a9a9135d0676b91d65d6eb8e058d15985d0d6667ba680edc184b",
        },
    ),
    "test": _describe(
        "test",
        "2200 series of 7 to 83 frames, 13 columns, 10 classes, 22 speakers",
        "Test_Arabic_Digit.txt",
        "de40eac66ce18fca8924bad592002ee7ef646fc84d48b065ce21ac9f88946922",
        {
            "X_q": "0fa24cabff351dcccb50ef66aad6d854e78dde6b54d31b8e7ebf7c08faef65b5",
            "scale": _SCALE,
            "lengths": "88dd91291312d5851936f95c94f9387958e78aad8dc16364253443cba28f342d",
            "y": "57d664310b4df78ade4cd5928154b3e8fd6a54d530662b6669633fd4e2f6ca32",
            "is_female": "8d88fe38e354bd7d11a38ac1058e810ffc7fc41efc1fcee35f40c16d39c2b0c0",
            "speaker": "a8d6c58e78888a45847809f88606c65c215f61548dd3ff3b9e51c5d9c15150b6",
        },
    ),
}

_DETAILS = """
The digits 0 to 9, each said ten times by each of 88 speakers: 13 mel-frequency cepstral
coefficients a frame, computed from sound of 11025 Hz in Hamming windows. The speakers of the test
part are not among those of the training part.
"""


def fetch_spoken_arabic_digits(subset="train", *, data_home=None, download_if_missing=True):
    """Load cepstra of spoken digits (classification, 10 classes).

    The second data set of the paper on Fisher kernels [1]_, with its official division [2]_.

    Parameters
    ----------
    subset : {"train", "test"}, default="train"
        Which part.
    data_home : str or path-like, default=None
        Folder of the downloaded data, see `ofer.datasets.data_home`. A prepared file
        ``spoken_arabic_digits/sad_train.npz``, or ``sad_test.npz``, in it is checked and used;
        otherwise a text file in ``raw/`` (28 or 9 MB) is, after a download if it is missing.
    download_if_missing : bool, default=True
        Whether the file may be downloaded; if not, its lack is an error.

    Returns
    -------
    sklearn.utils.Bunch
        With attributes

        sequences : list of ndarray of shape (n_frames, 13)
            Cepstral coefficients; not standardised.
        y : ndarray of shape (n_series,)
            Digits.
        speaker : ndarray of shape (n_series,)
            Number of the speaker in this part.
        is_female : ndarray of shape (n_series,)
            Whether the speaker is a woman.
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
    .. [2] Hammami, Bedda, "Improved tree model for Arabic speech recognition", ICCSIT 2010.

    Examples
    --------
    >>> from ofer.datasets import fetch_spoken_arabic_digits
    >>> digits = fetch_spoken_arabic_digits("test")  # doctest: +SKIP
    >>> len(digits.sequences), digits.sequences[0].shape[1]  # doctest: +SKIP
    (2200, 13)
    """
    check_option("subset", subset, tuple(SPOKEN_ARABIC_DIGITS))
    dataset = SPOKEN_ARABIC_DIGITS[subset]
    arrays = fetch_arrays(
        dataset,
        partial(_convert, file=dataset.upstream[0].name, per_digit=_PER_DIGIT[subset]),
        home=data_home,
        download_if_missing=download_if_missing,
    )
    return Bunch(
        sequences=split_frames(arrays["X_q"] * arrays["scale"], arrays["lengths"]),
        y=arrays["y"].astype(int),
        speaker=arrays["speaker"].astype(int),
        is_female=arrays["is_female"].astype(bool),
        DESCR=dataset.info.describe(_DETAILS),
        checksums=dict(dataset.checksums),
    )


def _convert(fetch, *, file, per_digit):
    """Arrays of the upstream file: frames a line, utterances between blank lines."""
    path = fetch(file)
    lines = Path(path).read_text().splitlines()
    filled = np.array([not line.isspace() and line != "" for line in lines])
    starts = filled & ~np.append(False, filled[:-1])
    lengths = np.bincount(np.cumsum(starts)[filled] - 1)
    frames = np.loadtxt(line for line, keep in zip(lines, filled, strict=True) if keep)
    order = np.arange(len(lengths))
    half = per_digit // 2
    is_female = order % per_digit >= half
    speaker = order % half // 10 + is_female * (half // 10)
    return {
        "X_q": np.round(frames / _STEP).astype("<i2"),
        "scale": np.array(_STEP, dtype="<f4"),
        "lengths": lengths.astype("<i2"),
        "y": (order // per_digit).astype(np.int8),
        "is_female": is_female.astype(np.int8),
        "speaker": speaker.astype(np.int8),
    }
