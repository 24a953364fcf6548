"""What is known of the downloaded data sets by name, without loading them."""

from ofer._validation import check_option
from ofer.datasets._cache import DataUnavailableError
from ofer.datasets._maec_volatility import MAEC_VOLATILITY, fetch_maec_volatility
from ofer.datasets._nci60 import NCI60, fetch_nci60

__all__ = ["checksums", "dataset_info", "is_available", "unavailable_reason"]

_DATASETS = {
    "maec_volatility": (MAEC_VOLATILITY, fetch_maec_volatility),
    "nci60": (NCI60, fetch_nci60),
}


def _find(name):
    check_option("name", name, _DATASETS)
    return _DATASETS[name]


def dataset_info(name):
    """Title, licence, citation and fidelity of a data set, without loading it.

    Parameters
    ----------
    name : {"maec_volatility", "nci60"}
        Name of a data set, as in ``fetch_<name>``.

    Returns
    -------
    DatasetInfo
        Named tuple (name, title, licence, citation, fidelity, notes).

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


def checksums(name):
    """Pinned checksums of a data set's arrays, without loading it.

    A loader returns no other arrays than these, so that results computed from the data are
    stale exactly if a checksum has changed.

    Parameters
    ----------
    name : {"maec_volatility", "nci60"}
        Name of a data set, as in ``fetch_<name>``.

    Returns
    -------
    dict of str to str
        Hexadecimal sha256 of the bytes of each array in C order.

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
    name : {"maec_volatility", "nci60"}
        Name of a data set, as in ``fetch_<name>``.
    download : bool, default=False
        Whether the loader may download what is missing.
    **options
        Arguments of ``fetch_<name>``, such as `data_home`.

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
    name : {"maec_volatility", "nci60"}
        Name of a data set, as in ``fetch_<name>``.
    **options
        Arguments of ``fetch_<name>``, such as `data_home`.

    Returns
    -------
    bool
        True if ``fetch_<name>(**options)`` needs no network.

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
