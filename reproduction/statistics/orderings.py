"""Whether a claimed ordering of two methods holds."""

from typing import NamedTuple


class Verdict(NamedTuple):
    """What the tests say of a claim "the method is better than the reference".

    Attributes
    ----------
    word : str
        "reproduced" (in all rows), "partly" (in some) or "not reproduced" (in none).
    holds : tuple of str
        Settings in which the method is significantly better.
    opposite : tuple of str
        Settings in which it is significantly worse.
    """

    word: str
    holds: tuple[str, ...]
    opposite: tuple[str, ...]


def ordering_verdict(tests, settings, *, lower_is_better=True):
    """Decide a claim about an ordering, row by row, from paired t-tests.

    Parameters
    ----------
    tests : DataFrame
        Method against reference, as `paired_t_test` returns it.
    settings : sequence of str
        Rows for which the paper makes the claim.
    lower_is_better : bool, default=True
        Whether a smaller metric is better, as for errors.

    Returns
    -------
    verdict : Verdict
        The word, and the settings behind it.

    Raises
    ------
    ValueError
        When a setting has no test, or no setting is given.

    Examples
    --------
    >>> import pandas as pd
    >>> tests = pd.DataFrame(
    ...     {"difference": [-0.1, -0.1, 0.2], "significant": [True, False, True]},
    ...     index=["10", "20", "100"],
    ... )
    >>> ordering_verdict(tests, ["10", "20", "100"])
    Verdict(word='partly', holds=('10',), opposite=('100',))
    """
    missing = [setting for setting in settings if setting not in tests.index]
    if missing or not len(settings):
        raise ValueError(
            f"settings must be among {list(tests.index)}, at least one; got {list(settings)}."
        )
    rows = tests.loc[list(settings)]
    better = (rows["difference"] < 0) == lower_is_better
    moved = rows["significant"] & (rows["difference"] != 0)
    holds, opposite = (tuple(rows.index[moved & side]) for side in (better, ~better))
    word = "reproduced" if len(holds) == len(rows) else "partly" if holds else "not reproduced"
    return Verdict(word, holds, opposite)
