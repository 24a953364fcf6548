"""The cache of downloaded data sets: where it is, what is in it, how it is filled and checked.

A data set `d` lives in one folder below `data_home`::

    <data_home>/d/d.npz      the prepared arrays
    <data_home>/d/raw/...    the upstream files that they are converted from

A loader describes its data set in a `RemoteDataset`, writes one function that converts upstream
files to arrays, and leaves the rest to `fetch_arrays`. Where the upstream files cannot be
downloaded one by one there is no such function: the prepared file has to be there.

No lock is needed between processes: a file gets its name only when it is complete and checked
(`os.replace`), and two processes can only write the same contents.
"""

import hashlib
import os
import tempfile
import warnings
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import numpy as np

__all__ = [
    "DataUnavailableError",
    "DatasetInfo",
    "RemoteDataset",
    "UpstreamFile",
    "data_home",
    "fetch_arrays",
    "fetch_text",
]


class DataUnavailableError(OSError):
    """A data set cannot be had: missing and not downloaded, damaged, or not convertible.

    The message says what to do. For a missing file it names the file, the address it comes from
    and the variable ``OFER_DATA``; the failure behind it is the ``__cause__``. Tests and
    chapters skip with the message as their reason (see `ofer.datasets.unavailable_reason`).
    """


class DatasetInfo(NamedTuple):
    """What a result table says about its data.

    Attributes
    ----------
    name : str
        Name of the data set, as `ofer.datasets.dataset_info` knows it.
    title : str
        One line.
    size : str
        How much of what: numbers of samples, inputs and outputs.
    source : str
        Sentences that say where the data are from, and what reads the originals.
    licence : str
        Under which terms the data may be used.
    citation : str
        What its authors ask to cite.
    fidelity : {"faithful", "substitute"}
        Whether these are the data of the paper (or a part of them), or others of their kind.
    notes : str
        How the data differ from those of the paper.
    """

    name: str
    title: str
    size: str
    source: str
    licence: str
    citation: str
    fidelity: str
    notes: str

    def describe(self, details):
        """Text of a `DESCR`.

        Parameters
        ----------
        details : str
            What the data are.

        Returns
        -------
        str
            Title, `details`, size, source, fidelity and terms of use.
        """
        return (
            f"{self.title}\n\n{details.strip()}\n\n"
            f"Size: {self.size}.\n"
            f"Source: {self.source}\n"
            f"Fidelity: {self.fidelity}. {self.notes}\n"
            f"Licence: {self.licence}\n"
            f"Citation: {self.citation}\n"
        )


class UpstreamFile(NamedTuple):
    """A file as its authors publish it.

    Attributes
    ----------
    name : str
        Path below ``raw/``.
    url : str
        Permanent address.
    sha256 : str
        Checksum of the file, hexadecimal.
    """

    name: str
    url: str
    sha256: str


class RemoteDataset(NamedTuple):
    """What is known in advance of a data set that is not shipped with the package.

    Attributes
    ----------
    info : DatasetInfo
        Description.
    prepared : str
        Path of the prepared file below `data_home`, for example ``"nci60/nci60.npz"``.
    checksums : dict of str to str
        The arrays in it, and the sha256 of each one's bytes in C order. The bytes of the
        ``.npz`` itself depend on how it was compressed, so they are not compared. For a text
        file its name, and the sha256 of the file.
    upstream : tuple of UpstreamFile, default=()
        The files it is converted from; none where they cannot be downloaded.
    """

    info: DatasetInfo
    prepared: str
    checksums: dict[str, str]
    upstream: tuple[UpstreamFile, ...] = ()


def data_home(path=None):
    """Folder of the downloaded data.

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
    >>> from ofer.datasets import data_home
    >>> data_home("/data/ofer").name
    'ofer'
    """
    if path is None:
        path = os.environ.get("OFER_DATA") or _import_pooch().os_cache("ofer")
    elif not isinstance(path, str | os.PathLike):
        raise TypeError(f"data_home must be a path or None; got {path!r}.")
    return Path(path).expanduser().absolute()


def _import_pooch():
    """Import pooch when it is needed, without the warning it prints in notebooks.

    It offers progress bars, which are not used, and complains that they would be plain.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import pooch
    return pooch


def fetch_arrays(dataset, convert=None, *, home=None, download_if_missing=True):
    """Arrays of a data set: prepared, or else converted from upstream files.

    1. A prepared file is used when its arrays have the pinned checksums; other contents are an
       error, since the file may be the user's own and is not overwritten.
    2. Otherwise the upstream files are taken from ``raw/``, or downloaded into it, and
       converted. The arrays are checked in the same way and kept as the prepared file. Where
       that cannot be written (a read-only folder, a full disk) the result is the same, and the
       next call converts again.
    3. A data set without upstream files has its prepared file or is an error.

    Parameters
    ----------
    dataset : RemoteDataset
        What to load.
    convert : callable, default=None
        ``convert(fetch)`` returns a dict of arrays; ``fetch(name)`` returns the path of the
        upstream file `name`, checked. It may leave out arrays that need an optional package:
        what it returns is then used but not kept. Not needed without upstream files.
    home : str or path-like, default=None
        See `data_home`.
    download_if_missing : bool, default=True
        Whether files may be downloaded.

    Returns
    -------
    dict of str to ndarray
        The arrays.

    Raises
    ------
    DataUnavailableError
        If there is neither a prepared file nor every upstream file, or one is damaged.
    """
    home = data_home(home)
    prepared = home / dataset.prepared
    if os.path.exists(prepared):  # also False where the folder may not be looked into
        return _read(prepared, dataset.checksums)
    if not dataset.upstream:
        raise _missing(dataset, prepared)

    files = {file.name: file for file in dataset.upstream}

    def fetch(name):
        return _fetch_file(files[name], dataset, home, download_if_missing)

    arrays = convert(fetch)
    _check_arrays(
        arrays,
        dataset.checksums,
        origin=f"{dataset.info.name}, converted from its upstream files,",
        advice="Other versions of the libraries may convert otherwise. Set OFER_DATA to a folder "
        f"that holds {dataset.prepared}.",
    )
    if arrays.keys() == dataset.checksums.keys():
        _keep(prepared, arrays)
    return arrays


def fetch_text(dataset, *, home=None):
    """Contents of a data set that is one text file, shipped as it is.

    Parameters
    ----------
    dataset : RemoteDataset
        What to load. Its one checksum, under the name of the file, is that of the file.
    home : str or path-like, default=None
        See `data_home`.

    Returns
    -------
    str
        The text.

    Raises
    ------
    DataUnavailableError
        If the file is missing or damaged.
    """
    path = data_home(home) / dataset.prepared
    if not os.path.exists(path):
        raise _missing(dataset, path)
    advice = "Set OFER_DATA to a folder with an undamaged one."
    try:
        content = path.read_bytes()
    except OSError as error:
        raise DataUnavailableError(f"{path} cannot be read ({error}). {advice}") from error
    found = hashlib.sha256(content).hexdigest()
    if found != dataset.checksums[path.name]:
        raise DataUnavailableError(
            f"{path} has the sha256 {found} instead of {dataset.checksums[path.name]}. {advice}"
        )
    return content.decode("utf-8")


def _missing(dataset, path):
    """Error for a prepared file that is not there and cannot be made."""
    return DataUnavailableError(
        f"{dataset.info.name}: {path} is not there, and cannot be made from a download. "
        f"Set OFER_DATA to a folder that holds {dataset.prepared}. {dataset.info.source}"
    )


def _fetch_file(file, dataset, home, download_if_missing):
    """Path of an upstream file with the pinned checksum, downloaded if need be."""
    pooch = _import_pooch()
    path = (home / dataset.prepared).parent / "raw" / file.name
    try:
        if path.is_file() and pooch.file_hash(str(path)) == file.sha256:
            return path
        if not download_if_missing:
            raise FileNotFoundError("download_if_missing is False")
        with _quiet(pooch):
            # Into a temporary file beside it, which is renamed once its checksum is right. Not
            # streamed, since a stream that fails is left open.
            pooch.retrieve(
                file.url,
                known_hash=f"sha256:{file.sha256}",
                fname=path.name,
                path=path.parent,
                downloader=pooch.HTTPDownloader(stream=False),
            )
    except (OSError, ValueError) as error:  # ValueError: pooch's word for a wrong checksum
        raise DataUnavailableError(
            f"{dataset.info.name}: {file.name} is not at {path} with the expected checksum, and "
            f"could not be had from {file.url} ({type(error).__name__}: {error}). Set OFER_DATA "
            f"to a folder that holds {dataset.prepared} or its raw/ files; or, to download, to "
            "one that can be written, and connect to the network."
        ) from error
    return path


@contextmanager
def _quiet(pooch):
    """Keep pooch from printing local paths to stderr, and so into executed notebooks."""
    logger = pooch.get_logger()
    before, logger.disabled = logger.disabled, True
    try:
        yield
    finally:
        logger.disabled = before


def _read(path, checksums):
    """Arrays of a prepared file, checked."""
    advice = "Delete it to have it made again, or set OFER_DATA to another folder."
    try:
        # Opened here, because np.load leaves a damaged file open.
        with open(path, "rb") as file, np.load(file, allow_pickle=False) as stored:
            arrays = {name: stored[name] for name in checksums}
    except Exception as error:  # zipfile, zlib and numpy all have their own for a damaged file
        raise DataUnavailableError(
            f"{path} cannot be read ({type(error).__name__}: {error}). {advice}"
        ) from error
    _check_arrays(arrays, checksums, origin=path, advice=advice)
    return arrays


def _check_arrays(arrays, checksums, *, origin, advice):
    """Raise DataUnavailableError unless every array has its pinned checksum."""
    for name, array in arrays.items():
        found = hashlib.sha256(array.tobytes()).hexdigest()
        if found != checksums[name]:
            raise DataUnavailableError(
                f"The array {name!r} of {origin} has the sha256 {found} instead of "
                f"{checksums[name]}. {advice}"
            )


def _keep(path, arrays):
    """Write the prepared file, all of it or nothing; a folder that refuses it is left alone."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=path.parent) as scratch:
            part = Path(scratch, path.name)
            np.savez_compressed(part, **arrays)
            os.replace(part, path)
    except OSError:
        pass  # costs the next call a conversion, and this one nothing
