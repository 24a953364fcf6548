"""What is known of the downloaded data sets by name, without loading them."""

from functools import partial

from ofer._validation import check_option
from ofer.datasets._awa import AWA, fetch_awa
from ofer.datasets._cache import DataUnavailableError
from ofer.datasets._caltech101 import CALTECH101, fetch_caltech101
from ofer.datasets._cbis_ddsm import CBIS_DDSM, fetch_cbis_ddsm
from ofer.datasets._character_trajectories import (
    CHARACTER_TRAJECTORIES,
    fetch_character_trajectories,
)
from ofer.datasets._class_texts import CLASS_TEXTS, fetch_class_texts
from ofer.datasets._conll2002_es import CONLL2002_ES, fetch_conll2002_es
from ofer.datasets._cora import CORA, fetch_cora
from ofer.datasets._first_impressions import FIRST_IMPRESSIONS, fetch_first_impressions
from ofer.datasets._glove import GLOVE, fetch_glove
from ofer.datasets._japanese_vowels import JAPANESE_VOWELS, fetch_japanese_vowels
from ofer.datasets._maec_volatility import MAEC_VOLATILITY, fetch_maec_volatility
from ofer.datasets._mias_bof import MIAS_BOF, fetch_mias_bof
from ofer.datasets._mtr import MTR, fetch_mtr
from ofer.datasets._mutagenicity import MUTAGENICITY, fetch_mutagenicity
from ofer.datasets._nci60 import NCI60, fetch_nci60
from ofer.datasets._poser import POSER, fetch_poser
from ofer.datasets._scene15 import SCENE15, fetch_scene15
from ofer.datasets._spoken_arabic_digits import SPOKEN_ARABIC_DIGITS, fetch_spoken_arabic_digits
from ofer.datasets._usps import USPS, fetch_usps

__all__ = [
    "checksums",
    "dataset_info",
    "is_available",
    "list_datasets",
    "unavailable_reason",
    "upstream_files",
]

_FETCHED = [
    (MAEC_VOLATILITY, fetch_maec_volatility),
    (FIRST_IMPRESSIONS, fetch_first_impressions),
    (NCI60, fetch_nci60),
    (CALTECH101, fetch_caltech101),
    (AWA, fetch_awa),
    (CLASS_TEXTS, partial(fetch_class_texts, "awa")),  # all texts are in one file
    *((dataset, partial(fetch_glove, name)) for name, dataset in GLOVE.items()),
    *((dataset, partial(fetch_mtr, name)) for name, dataset in MTR.items()),
    (USPS, fetch_usps),
    (POSER, fetch_poser),
    (MIAS_BOF, fetch_mias_bof),
    (CBIS_DDSM, fetch_cbis_ddsm),
    (SCENE15, fetch_scene15),
    (CORA, fetch_cora),
    (CONLL2002_ES, fetch_conll2002_es),
    (CHARACTER_TRAJECTORIES, fetch_character_trajectories),
    *((part, partial(fetch_spoken_arabic_digits, s)) for s, part in SPOKEN_ARABIC_DIGITS.items()),
    *((part, partial(fetch_japanese_vowels, s)) for s, part in JAPANESE_VOWELS.items()),
    (MUTAGENICITY, fetch_mutagenicity),
]
_DATASETS = {dataset.info.name: (dataset, fetch) for dataset, fetch in _FETCHED}


def list_datasets():
    """Names of the data sets that are downloaded or taken from the data folder.

    Returns
    -------
    list of str
        Those of the paper's experiments first, in its order.

    Examples
    --------
    >>> from ofer.datasets import list_datasets
    >>> list_datasets()[:3]
    ['maec_volatility', 'first_impressions', 'nci60']
    """
    return list(_DATASETS)


def _find(name):
    check_option("name", name, _DATASETS)
    return _DATASETS[name]


def dataset_info(name):
    """Title, size, source, licence and fidelity of a data set, without loading it.

    Parameters
    ----------
    name : str
        One of `list_datasets`.

    Returns
    -------
    DatasetInfo
        Named tuple (name, title, size, source, licence, citation, fidelity, notes).

    Raises
    ------
    ValueError
        If there is no data set `name`.

    Examples
    --------
    >>> from ofer.datasets import dataset_info
    >>> dataset_info("nci60").fidelity
    'substitute'
    """
    dataset, _ = _find(name)
    return dataset.info


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

    Raises
    ------
    ValueError
        If there is no data set `name`.

    Examples
    --------
    >>> from ofer.datasets import upstream_files
    >>> [file.name for file in upstream_files("mtr_enb")]
    ['enb.arff']
    """
    dataset, _ = _find(name)
    return list(dataset.upstream)


def checksums(name):
    """Pinned checksums of a data set's arrays, without loading it.

    A loader returns no other arrays than these, so that results computed from the data are
    stale exactly if a checksum has changed.

    Parameters
    ----------
    name : str
        One of `list_datasets`.

    Returns
    -------
    dict of str to str
        Hexadecimal sha256 of the bytes of each array in C order, or of the one text file.

    Raises
    ------
    ValueError
        If there is no data set `name`.

    Examples
    --------
    >>> from ofer.datasets import checksums
    >>> checksums("nci60")["Y"][:8]
    'd44075ae'
    """
    dataset, _ = _find(name)
    return dict(dataset.checksums)


def unavailable_reason(name, *, download=False, **options):
    """Why a data set cannot be loaded, or None if it can.

    The loader itself is asked, so the answer agrees with what a call of it would do (and costs
    as much).

    Parameters
    ----------
    name : str
        One of `list_datasets`.
    download : bool, default=False
        Whether the loader may download what is missing.
    **options
        Arguments of the loader, such as `data_home`.

    Returns
    -------
    str or None
        The loader's error message.

    Raises
    ------
    ValueError
        If there is no data set `name`.

    Examples
    --------
    >>> from ofer.datasets import unavailable_reason
    >>> "nci60.npz" in unavailable_reason("nci60", data_home="/nowhere")
    True
    """
    _, fetch = _find(name)
    try:
        fetch(**options, download_if_missing=download)
    except DataUnavailableError as error:
        return str(error)
    return None


def is_available(name, **options):
    """Whether a data set can be loaded without a download.

    Parameters
    ----------
    name : str
        One of `list_datasets`.
    **options
        Arguments of the loader, such as `data_home`.

    Returns
    -------
    bool
        True if the loader needs no network.

    Raises
    ------
    ValueError
        If there is no data set `name`.

    See Also
    --------
    unavailable_reason : Says why not.

    Examples
    --------
    >>> from ofer.datasets import is_available
    >>> is_available("nci60", data_home="/nowhere")
    False
    """
    return unavailable_reason(name, **options) is None
