"""What is known of the data sets by name, without loading them.

A data set is one file in a folder below this one, which lists what it declares in the tuple
``DATASETS``; it is found by looking into the folders.
"""

import importlib
import pkgutil
from functools import cache
from pathlib import Path

from reproduction.checks import check_option

__all__ = [
    "checksums",
    "dataset_info",
    "list_datasets",
    "unavailable_reason",
    "upstream_files",
]


@cache
def _declared():
    """All declarations by name, in the order of the alphabet."""
    package, datasets = __name__.rpartition(".")[0], {}
    for module in pkgutil.walk_packages([str(Path(__file__).parent)], f"{package}."):
        if module.ispkg or module.name.rpartition(".")[0] == package:  # a folder, or machinery
            continue
        # A module that declares nothing reads files that users bring.
        declared = vars(importlib.import_module(module.name)).get("DATASETS", ())
        datasets |= {dataset.name: dataset for dataset in declared}
    return dict(sorted(datasets.items()))


def list_datasets():
    """Names of the data sets that are downloaded or taken from the data folder.

    Returns
    -------
    list of str
        The names, in the order of the alphabet.

    Examples
    --------
    >>> from reproduction.datasets import list_datasets
    >>> list_datasets()[:3]
    ['awa', 'bibtex', 'caltech101']
    """
    return list(_declared())


def dataset_info(name):
    """Title, size, source, licence and fidelity of a data set, without loading it.

    Parameters
    ----------
    name : str
        One of `list_datasets`.

    Returns
    -------
    Dataset
        Its declaration, which is a `DatasetInfo`.

    Raises
    ------
    ValueError
        If there is no data set `name`. The other functions here raise it too.

    Examples
    --------
    >>> from reproduction.datasets import dataset_info
    >>> dataset_info("nci60").fidelity
    'substitute'
    """
    check_option("name", name, _declared())
    return _declared()[name]


def upstream_files(name):
    """Addresses of the files that a data set is converted from, without loading it.

    Parameters
    ----------
    name : str
        One of `list_datasets`.

    Returns
    -------
    list of UpstreamFile
        Named tuples (name, url, sha256). None for a data set that is there as a prepared file or
        not at all.

    Examples
    --------
    >>> from reproduction.datasets import upstream_files
    >>> [file.name for file in upstream_files("mtr_enb")]
    ['enb.arff']
    """
    return list(dataset_info(name).upstream)


def checksums(name):
    """Pinned checksums of a data set's arrays, without loading it.

    A loader returns nothing that does not follow from these, so that results computed from the
    data are stale exactly if a checksum has changed.

    Parameters
    ----------
    name : str
        One of `list_datasets`.

    Returns
    -------
    dict of str to str
        Hexadecimal sha256 of the bytes of each array in C order, or of the one text file.

    Examples
    --------
    >>> from reproduction.datasets import checksums
    >>> checksums("nci60")["Y"][:8]
    'd44075ae'
    """
    return dict(dataset_info(name).checksums)


def unavailable_reason(name, *, download=False, data_home=None):
    """Why a data set cannot be loaded, or None if it can.

    Parameters
    ----------
    name : str
        One of `list_datasets`.
    download : bool, default=False
        Whether the loader may download what is missing.
    data_home : str or path-like, default=None
        Folder of the data, see `data_home`.

    Returns
    -------
    str or None
        The loader's error message.

    Raises
    ------
    DamagedDataError
        If a file of it is damaged: that is no reason to do without.

    See Also
    --------
    Dataset.unavailable_reason : What it costs.

    Examples
    --------
    >>> from reproduction.datasets import unavailable_reason
    >>> unavailable_reason("nci60", data_home="/nowhere")
    'nci60 is missing: `make data` downloads it.'
    """
    return dataset_info(name).unavailable_reason(download=download, data_home=data_home)
