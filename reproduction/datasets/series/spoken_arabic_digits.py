"""Spoken Arabic digits: cepstra of utterances, and the digits that they say."""

from functools import partial
from pathlib import Path

import numpy as np

from reproduction.checks import check_option
from reproduction.datasets.declaration import Dataset, Field
from reproduction.datasets.stored import split_frames
from reproduction.datasets.upstream import on_github

__all__ = ["DATASETS", "SPOKEN_ARABIC_DIGITS", "fetch_spoken_arabic_digits"]

_REPOSITORY = "max4211/arabic-digit-recognition@ef1d8a065f4951be5c3d4b86a8f97914d2734d8c"
_STEP = 5e-4

# What differs between the parts: utterances of a digit, ranges, and checksums.
_PARTS = {
    "train": {
        "per_digit": 660,
        "frames": "4 to 93",
        "file": "cecd3ee9951658e5391f0342e9b6467ba7c0e7ecff5c9012b9c1ed9f81b97bc6",
        "X_q": "eab0ff0421df5852eb9ed583744c52abc8c2edede6499689d320f290f6b11294",
        "lengths": "4e064a73fb3eb23115c4e09e358d8194f53b230aae9bde66382a7f5afc30ae8b",
        "y": "276d27dc3493d2e8bd5a63ac75f9fbeef50ccee486646c985f2c87a95e42e2d4",
        "is_female": "c4a1c82da4207a0a4fd4834c6ba0c5a9f01ac52bdfd2ac572a88aefc0b9d86c7",
        "speaker": "61a5d9661252a9a9135d0676b91d65d6eb8e058d15985d0d6667ba680edc184b",
    },
    "test": {
        "per_digit": 220,
        "frames": "7 to 83",
        "file": "de40eac66ce18fca8924bad592002ee7ef646fc84d48b065ce21ac9f88946922",
        "X_q": "0fa24cabff351dcccb50ef66aad6d854e78dde6b54d31b8e7ebf7c08faef65b5",
        "lengths": "88dd91291312d5851936f95c94f9387958e78aad8dc16364253443cba28f342d",
        "y": "57d664310b4df78ade4cd5928154b3e8fd6a54d530662b6669633fd4e2f6ca32",
        "is_female": "8d88fe38e354bd7d11a38ac1058e810ffc7fc41efc1fcee35f40c16d39c2b0c0",
        "speaker": "a8d6c58e78888a45847809f88606c65c215f61548dd3ff3b9e51c5d9c15150b6",
    },
}


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


def _assemble(arrays):
    return {"sequences": split_frames(arrays["X_q"] * arrays["scale"], arrays["lengths"])}


def _declare(subset, facts):
    file, n = f"{subset.capitalize()}_Arabic_Digit.txt", 10 * facts["per_digit"]
    return Dataset(
        name=f"spoken_arabic_digits_{subset}",
        title=f"Spoken Arabic digits, {subset}: cepstra of utterances to digits",
        details="""
The digits 0 to 9, each said ten times by each of 88 speakers: 13 mel-frequency cepstral
coefficients a frame, computed from sound of 11025 Hz in Hamming windows. The speakers of the test
part are not among those of the training part. Upstream files have 28 and 9 MB.
""",
        size=(
            f"{n} series of {facts['frames']} frames, 13 columns, 10 classes, {n // 100} speakers"
        ),
        paper=(
            "Learning discriminative Fisher kernels (van der Maaten 2011), the second data set, "
            "with its official division"
        ),
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
        spdx="CC-BY-4.0",
        conversion=(
            "Utterances between blank lines; round(x / 5e-4) as int16; digit, sex and speaker from "
            "the position in the file."
        ),
        prepared=f"spoken_arabic_digits/sad_{subset}.npz",
        checksums={
            "X_q": facts["X_q"],
            "scale": "a9354cb88a60330a1b2fa595e556bc765743d814b0117d54dc1ac52b34543f9b",
            **{name: facts[name] for name in ("lengths", "y", "is_female", "speaker")},
        },
        upstream=(on_github(_REPOSITORY, f"data/01_raw/{file}", facts["file"]),),
        convert=partial(_convert, file=file, per_digit=facts["per_digit"]),
        assemble=_assemble,
        fields={
            "sequences": Field(
                "float64", (n, None, 13), "cepstral coefficients; not standardised", kind="list"
            ),
            "y": Field("int64", (n,), "digits"),
            "speaker": Field("int64", (n,), "number of the speaker in this part"),
            "is_female": Field("bool", (n,), "whether the speaker is a woman"),
        },
    )


SPOKEN_ARABIC_DIGITS = {subset: _declare(subset, part) for subset, part in _PARTS.items()}
DATASETS = tuple(SPOKEN_ARABIC_DIGITS.values())


def fetch_spoken_arabic_digits(subset="train", **options):
    """Load cepstra of spoken digits (classification, 10 classes).

    Parameters
    ----------
    subset : {"train", "test"}, default="train"
        Which part.
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
    check_option("subset", subset, SPOKEN_ARABIC_DIGITS)
    return SPOKEN_ARABIC_DIGITS[subset].fetch(**options)
