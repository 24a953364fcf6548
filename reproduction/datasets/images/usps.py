"""USPS: predict the middle of a handwritten digit from the pixels around it."""

import numpy as np

from reproduction.datasets.cache import DataUnavailableError
from reproduction.datasets.declaration import Dataset, Field
from reproduction.datasets.upstream import on_github

__all__ = ["DATASETS", "USPS", "fetch_usps"]

_SIDE = 16  # pixels; the pictures are square
_CENTRE = slice(6, 10)


def _convert(fetch):
    """Arrays of the upstream file, which has the pixels as (x + 1) / 2 in single precision."""
    path = fetch("usps.h5")
    try:
        import h5py
    except ImportError as error:
        raise DataUnavailableError(
            "usps: usps.h5 is read by h5py, which is not installed. Install it (pip install "
            "h5py), or set OFER_DATA to a folder that holds usps/usps.npz."
        ) from error
    with h5py.File(path, "r") as file:
        parts = {name: (file[name]["data"][()], file[name]["target"][()]) for name in file}
    pixels, digits = (np.concatenate([parts[p][k] for p in ("train", "test")]) for k in (0, 1))
    order = np.random.RandomState(0).permutation(len(digits))
    half = len(digits) // 2
    return {
        "pixels_milli": (np.round(2000.0 * pixels.astype(np.float64)) - 1000.0).astype("<i2"),
        "y": digits.astype(np.int8),
        "is_official_test": (np.arange(len(digits)) >= len(parts["train"][1])).astype(np.int8),
        "half_train_idx": np.sort(order[:half]).astype("<i2"),
        "half_test_idx": np.sort(order[half:]).astype("<i2"),
    }


def _assemble(arrays):
    images = arrays["pixels_milli"].reshape(-1, _SIDE, _SIDE) / 1000.0
    centre_mask = np.zeros((_SIDE, _SIDE), dtype=bool)
    centre_mask[_CENTRE, _CENTRE] = True
    return {
        "X": images[:, ~centre_mask],
        "Y": images[:, centre_mask],
        "images": images,
        "border_mask": ~centre_mask,
        "centre_mask": centre_mask,
    }


USPS = Dataset(
    name="usps",
    title="USPS handwritten digits: the middle from the pixels around it",
    details="""
Grey pictures of handwritten digits from envelopes, 16 x 16 pixels, from -1 (background) to 1. An
input holds the 240 pixels around the middle, an output the 4 x 4 pixels in the middle (rows and
columns 6 to 9 from 0), both row by row.
Converting the upstream file (3 MB) needs h5py (pip install h5py). A smaller task of the same kind,
which needs no download, is ofer.datasets.load_digits_reconstruction.
""",
    size="9298 pictures, 240 inputs, 16 outputs",
    paper="Sharma-Mittal twin Gaussian processes (Elhoseiny and Elgammal 2015), section 5.1.3",
    source=(
        "GitHub niuers/Learning-From-Data-A-Short-Course. The data are also at "
        "https://hastie.su.domains/ElemStatLearn/data.html."
    ),
    licence="None stated; passed on freely for research since the 1990s.",
    citation=(
        "J. J. Hull, A database for handwritten text recognition research, IEEE TPAMI 16(5), "
        "550-554, 1994"
    ),
    fidelity="faithful",
    notes=(
        "The same 9298 pictures as in the paper on Sharma-Mittal twin Gaussian processes; its "
        "random division into two halves is another one."
    ),
    spdx="LicenseRef-none-stated",
    conversion=(
        "Pixels as thousandths, round(2000 v) - 1000, which restores the originals; the "
        "division into halves is numpy's RandomState(0).permutation(9298)."
    ),
    prepared="usps/usps.npz",
    checksums={
        "pixels_milli": "9cf22299793712e1eca4804d130224a06d933663814aa8ad7f29f64a1f310270",
        "y": "23d374427c9e1a0074b0b6f6d9ced2b877e9fe72adc27db773fba947c93ea3bd",
        "is_official_test": "cd32d1441b1ea8ecf9ac8b910a96606d49ba6410669a7bce16bb8abc1c3c9713",
        "half_train_idx": "711e77e476b02bac1353fae14c49e2395f9d2440c155df68c656ac9a10392ba7",
        "half_test_idx": "2d7374ecacdd1b274a5eabde4e941189f8ba16fdf9d5e2b4afc03355c9e05b87",
    },
    upstream=(
        on_github(
            "niuers/Learning-From-Data-A-Short-Course@879a698b960e5867f7c2b11f8938fa89c3d21839",
            "data/usps.h5",
            "734f88c541104a956d88be2c95d03b4a463ffd74ccc2ba9c80841fb98e3fcb36",
        ),
    ),
    convert=_convert,
    assemble=_assemble,
    fields={
        "X": Field("float64", (9298, 240), "pixels around the middle, in [-1, 1]"),
        "Y": Field(
            "float64", (9298, 16), "pixels of the middle, in [-1, 1]: images[:, centre_mask]"
        ),
        "train": Field(
            "int64", (4649,), "random half, as indices of rows", stored="half_train_idx"
        ),
        "test": Field("int64", (4649,), "the other half", stored="half_test_idx"),
        "target": Field("int64", (9298,), "the digits, 0 to 9; not part of the task", stored="y"),
        "images": Field("float64", (9298, 16, 16), "the whole pictures, in [-1, 1]"),
        "border_mask": Field("bool", (16, 16), "which pixels are inputs"),
        "centre_mask": Field("bool", (16, 16), "which pixels are outputs"),
    },
)
DATASETS = (USPS,)
fetch_usps = USPS.fetch
