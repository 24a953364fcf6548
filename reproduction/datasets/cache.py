"""Folders of data: where they are, and how their files are read, checked and kept.

A data set `d` lives in one folder below one of `data_folders`::

    <folder>/d/d.npz      the prepared arrays
    <folder>/d/raw/...    the upstream files that they are converted from

Downloads and conversions are kept below the one that `data_home` names.

No lock is needed between processes: a file gets its name only when it is complete and checked
(`replacing`), and two processes can only write the same contents.
"""

import contextlib
import hashlib
import os
import warnings
from pathlib import Path

import numpy as np

from reproduction import paths
from reproduction.files import replacing

__all__ = [
    "DamagedDataError",
    "DataUnavailableError",
    "data_folders",
    "data_home",
    "find_damage",
    "import_pooch",
    "keep_prepared",
    "read_prepared",
]


class DamagedDataError(OSError):
    """A file of data is there, and is not what it was: one line says which, and what to do.

    Nothing skips it, as what is missing may be skipped: whoever reads the file fails.
    """


class DataUnavailableError(OSError):
    """A data set cannot be had: missing and not downloaded, or not convertible.

    The message is one line, which says what is missing and what to do; the page *Data* has the
    rest. The failure behind it is the ``__cause__``. Tests and chapters skip with the message as
    their reason (see `unavailable_reason`).
    """


def data_folders(path=None):
    """Folders in which data are looked for, the first one first.

    Parameters
    ----------
    path : str or path-like, default=None
        The only folder. None is three: the one that the environment variable ``OFER_DATA`` names,
        ``data`` of the checkout, and ``ofer`` in the user's cache folder.

    Returns
    -------
    list of pathlib.Path
        Absolute paths. They need not exist.

    Raises
    ------
    TypeError
        If `path` is not a path.

    Examples
    --------
    >>> from reproduction.datasets import data_folders
    >>> [folder.name for folder in data_folders("/data/ofer")]
    ['ofer']
    """
    if path is not None:
        return [data_home(path)]
    home, tree = data_home(), paths.CHECKOUT / "data"
    return [home, tree, _user_cache()] if os.environ.get("OFER_DATA") else [tree, home]


def data_home(path=None):
    """Folder in which downloaded and converted data are kept.

    Parameters
    ----------
    path : str or path-like, default=None
        The folder. None is the environment variable ``OFER_DATA``, or without it the folder
        ``ofer`` in the user's cache folder. ``~`` is the user's home; a relative path is taken
        from the current folder.

    Returns
    -------
    pathlib.Path
        Absolute path. The folder need not exist.

    Raises
    ------
    TypeError
        If `path` is not a path.

    Examples
    --------
    >>> from reproduction.datasets import data_home
    >>> data_home("/data/ofer").name
    'ofer'
    """
    if path is None:
        path = os.environ.get("OFER_DATA") or _user_cache()
    elif not isinstance(path, str | os.PathLike):
        raise TypeError(f"data_home must be a path or None; got {path!r}.")
    return Path(path).expanduser().absolute()


def _user_cache():
    return import_pooch().os_cache("ofer")


def import_pooch():
    """Import pooch when it is needed, without what it prints in notebooks.

    It complains that progress bars, which are not used, would be plain, and says into which
    local paths it downloads.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import pooch
    pooch.get_logger().setLevel("WARNING")
    return pooch


def read_prepared(path, checksums, *, advice):
    """Arrays of a prepared file, compared with their checksums (sha256 of the bytes in C order).

    Any file but an ``.npz`` is one array of its bytes, under its own name. `advice` ends the
    message of the `DamagedDataError`.
    """
    try:
        # Opened here, because np.load leaves a damaged file open.
        with open(path, "rb") as file:
            if path.suffix == ".npz":
                with np.load(file, allow_pickle=False) as stored:
                    arrays = {name: stored[name] for name in checksums}
            else:
                arrays = {path.name: np.frombuffer(file.read(), dtype=np.uint8)}
    except Exception as error:  # zipfile, zlib and numpy all have their own for a damaged file
        raise DamagedDataError(
            f"{path} is damaged: it cannot be read ({type(error).__name__}: {error}). {advice}"
        ) from error
    if damage := find_damage(arrays, checksums):
        raise DamagedDataError(f"{path} is damaged: {damage}. {advice}")
    return arrays


def find_damage(arrays, checksums):
    """The first array that has not its pinned checksum, in words; empty when there is none."""
    for name, array in arrays.items():
        digest = hashlib.sha256(array.tobytes()).hexdigest()
        if digest != checksums[name]:
            return (
                f"its array {name!r} has the sha256 {digest[:12]} instead of {checksums[name][:12]}"
            )
    return ""


def keep_prepared(path, arrays):
    """Write a prepared file, all of it or nothing; a folder that refuses it is left alone."""
    # What cannot be written costs the next call a conversion, and this one nothing.
    with contextlib.suppress(OSError), replacing(path) as file:
        np.savez_compressed(file, **arrays)
