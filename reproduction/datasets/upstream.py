"""Files as their authors publish them, downloaded and checked."""

from typing import NamedTuple

from reproduction.datasets.cache import DataUnavailableError, import_pooch

__all__ = ["UpstreamFile", "fetch_upstream", "on_github"]


_TIMEOUT = 4, 30  # seconds: to connect to each address of a host, and between two packets


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


def on_github(repository, path, sha256, *, name=None):
    """Declare an upstream file of a GitHub repository.

    Parameters
    ----------
    repository : str
        ``"<owner>/<name>@<commit>"``.
    path : str
        Path of the file in it.
    sha256 : str
        Checksum of the file, hexadecimal.
    name : str, default=None
        Path below ``raw/``; None is the file's own name.

    Returns
    -------
    UpstreamFile
        The file, with its permanent address.

    Examples
    --------
    >>> from reproduction.datasets import on_github
    >>> on_github("owner/name@c0ffee", "data/x.csv", "00").url
    'https://raw.githubusercontent.com/owner/name/c0ffee/data/x.csv'
    """
    repository, _, commit = repository.partition("@")
    url = f"https://raw.githubusercontent.com/{repository}/{commit}/{path}"
    return UpstreamFile(name or path.rpartition("/")[2], url, sha256)


def fetch_upstream(file, folder, *, dataset, download_if_missing=True):
    """Path of an upstream file below `folder`, with the pinned checksum, downloaded if need be.

    `dataset` is named by the `DataUnavailableError` where that cannot be.
    """
    pooch = import_pooch()
    path = folder / file.name
    try:
        if path.is_file() and pooch.file_hash(str(path)) == file.sha256:
            return path
        if not download_if_missing:
            raise DataUnavailableError(f"{dataset} is missing: `make data` downloads it.")
        # Into a temporary file beside it, which is renamed once its checksum is right. Not
        # streamed, since a stream that fails is left open.
        pooch.retrieve(
            file.url,
            known_hash=f"sha256:{file.sha256}",
            fname=path.name,
            path=path.parent,
            downloader=pooch.HTTPDownloader(stream=False, timeout=_TIMEOUT),
        )
    except DataUnavailableError:
        raise
    except (OSError, ValueError) as error:  # ValueError: pooch's word for a wrong checksum
        kind = str(error).partition(":")[0]  # what follows are addresses, often several times
        raise DataUnavailableError(
            f"{dataset} is missing: {file.name} was not downloaded "
            f"({type(error).__name__}: {kind}). `make data` tries again; see the page Data."
        ) from error
    return path
