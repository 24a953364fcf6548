"""How much the splits of each table overlap, for the corrected resampled t-test."""

from collections.abc import Callable

__all__ = ["overlap"]

_TASKS = {"1": 100, "2": 1000, "1 random": 100}


def _sizes(n_test: int, factor: int = 1) -> Callable[[str], float | None]:
    """A test set of fixed size; the last word of a setting is the size of the training set."""
    return lambda setting: n_test / (factor * int(setting.split()[-1]))


# Of tables that are not named, splits are drawn anew, or are repeated measurements of time.
_RATIOS: dict[str, Callable[[str], float | None]] = {
    "ofer-table-01": _sizes(200),
    "ofer-table-03": _sizes(200),
    "ofer-table-04": _sizes(300),
    "ofer-table-06": lambda setting: 1 / 4,
    "ofer-table-07": lambda setting: 2500 / _TASKS[setting],
    "ofer-table-08": lambda setting: 2500 / _TASKS[setting],
    "ofer-table-09": _sizes(891),
    "ofer-table-10": _sizes(891),
    "ofer-table-11": _sizes(5472, 101),
    "ofer-table-12": _sizes(9143, 50),
    "ofer-table-13": _sizes(5472, 101),
    "ofer-table-14": _sizes(9143, 50),
    # Of USPS that of the first split, the largest.
    "smtgp-table-02": lambda setting: {"USPS": 1.0, "Poser": 418 / 1927, "digits": 1.0}.get(
        setting
    ),
    "fkl-table-01": lambda setting: 1 / 9,
    "fkl-table-03": lambda setting: 1 / 9,
    "sslsop-table-01": lambda setting: 1 / 9,
    "sslsop-sensitivity": lambda setting: 1 / 9,
}


def overlap(table, setting):
    """Size of the test set over that of the training set, where splits overlap.

    Parameters
    ----------
    table : str
        Id of a table of results.
    setting : str
        One of its rows.

    Returns
    -------
    ratio : float or None
        None where splits are independent.
    """
    ratio = _RATIOS.get(table)
    return None if ratio is None else ratio(setting)
