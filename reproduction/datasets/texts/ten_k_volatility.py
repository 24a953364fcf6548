"""The 10-K corpus: yearly company reports and the volatility that follows them."""

import csv
import tarfile
import zlib
from itertools import pairwise
from pathlib import Path, PurePosixPath

import numpy as np
import pandas as pd
from scipy import sparse
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.utils import Bunch

from reproduction.checks import check_real
from reproduction.datasets.cache import DataUnavailableError
from reproduction.datasets.declaration import DatasetInfo

__all__ = ["load_10k_volatility"]

_INFO = DatasetInfo(
    name="10k_volatility",
    title="10-K reports to a series of log-volatilities",
    size="All companies with a report in every year",
    details="""
Tokenised sections 7 and 7A ("management's discussion and analysis") of the yearly 10-K reports of
US companies, as word counts, a block of columns a year, and the log-volatility of the stock in
the twelve months after each report.
""",
    paper="Output Fisher embedding regression (Djerrab et al. 2018), section 6.3",
    source="http://www.cs.cmu.edu/~ark/10K/",
    licence="None stated; the corpus asks for a citation.",
    citation=(
        "S. Kogan, D. Levin, B. R. Routledge, J. S. Sagi, N. A. Smith, Predicting risk from "
        "financial reports with regression, NAACL-HLT 2009"
    ),
    fidelity="faithful",
    notes=(
        "The paper's corpus. Which 500 companies it took, and how it built its dictionary, the "
        "paper does not say; here are all companies with a report in every year."
    ),
)


def load_10k_volatility(folder, *, years=(2001, 2002, 2003, 2004, 2005), max_features=70_000):
    """Load the paper's text-to-series data from a copy of the 10-K corpus.

    The corpus of [1]_ can be had from http://www.cs.cmu.edu/~ark/10K/; it is not part of this
    project, and nothing is downloaded. A sample is a company with a report in each of the years;
    its input is made of all its reports, its output of the log-volatilities after them, as in
    section 6.3.1 of [2]_.

    Parameters
    ----------
    folder : str or path-like
        Folder that holds, for each year, ``<year>.tok.tgz``, ``<year>.meta.txt``,
        ``<year>.logvol.+12.txt`` and, for the first year, ``<year>.logvol.-12.txt``.
    years : sequence of int, default=(2001, 2002, 2003, 2004, 2005)
        Years of the reports, increasing.
    max_features : int, default=70_000
        Size of the dictionary: the most frequent words of the kept reports. The default is that
        of [2]_.

    Returns
    -------
    sklearn.utils.Bunch
        With the attributes of `fetch_maec_volatility` but `checksums`:

        counts : scipy.sparse.csr_matrix of shape (n_companies, n_years * n_words)
            Word counts, float64, the blocks of the years side by side. Apply TF-IDF to each.
        vocabulary : ndarray of shape (n_words,)
            The words of each block, sorted.
        Y : ndarray of shape (n_companies, n_years)
            Log-volatility in the twelve months after each report.
        log_vol_before : ndarray of shape (n_companies,)
            Log-volatility in the twelve months before the first report.
        company : ndarray of shape (n_companies,)
            SEC codes, sorted.
        date : ndarray of shape (n_companies, n_years)
            Dates of the reports, ``YYYYMMDD``.
        DESCR : str
            Description.

    Raises
    ------
    DataUnavailableError
        If a file is missing or cannot be read as described, or an archive lacks a report.
    TypeError, ValueError
        If an argument is out of range, or no company has a report in every year.

    Notes
    -----
    Documented in the README of the corpus, version 1.0: the names of the files; that archives
    hold a file ``<key>.mda`` a report; that the log-volatility files map keys to numbers, and
    ``meta`` files map keys to a date, an address, a company name and an SEC code.

    Assumed, after programs that others published for it: lines of the log-volatility files are a
    number, a blank and a key; fields of the ``meta`` files are separated by tabs, in the order
    above; repeated lines and reports are exact copies. Of several reports in a year the first is
    taken; those without an SEC code or a log-volatility after them are left out. Texts are UTF-8,
    wrong bytes replaced; words are lower-case, of two letters or more.

    Archives are read in place, never extracted.

    References
    ----------
    .. [1] Kogan, Levin, Routledge, Sagi, Smith, "Predicting risk from financial reports with
       regression", NAACL-HLT 2009.
    .. [2] Djerrab, Garcia, Sangnier, d'Alché-Buc, "Output Fisher embedding regression",
       Machine Learning 107 (2018), section 6.3.1.

    Examples
    --------
    >>> from reproduction.datasets.texts.ten_k_volatility import load_10k_volatility
    >>> reports = load_10k_volatility("10K")  # doctest: +SKIP
    """
    years = _check_years(years)
    check_real("max_features", max_features, at_least=1, integer=True)
    folder = Path(folder).expanduser()
    tables = [_read_year(folder, year) for year in years]
    companies = sorted(set.intersection(*(set(table.index) for table in tables)))
    if not companies:
        raise ValueError(
            f"years must be years in which at least one company has a report each; got {years}."
        )
    tables = [table.loc[companies] for table in tables]

    keys = [key for table in tables for key in table["key"]]
    counts, words = _count_words(folder, years, keys, max_features)
    n = len(companies)
    blocks = [counts[start : start + n] for start in range(0, len(keys), n)]
    path = folder / f"{years[0]}.logvol.-12.txt"
    before = _read_volatilities(path).reindex(tables[0]["key"])
    if before.isna().any():
        raise _unreadable(path, f"there is no number for {before.index[before.isna()][0]}")
    return Bunch(
        counts=sparse.hstack(blocks, format="csr"),
        vocabulary=words,
        Y=np.column_stack([table["after"] for table in tables]),
        log_vol_before=before.to_numpy(),
        company=np.array(companies),
        date=np.column_stack([table["date"].to_numpy(dtype=str) for table in tables]),
        DESCR=_INFO.describe(),
    )


def _check_years(years):
    """Years as a list of increasing integers."""
    if isinstance(years, str) or not hasattr(years, "__iter__"):
        raise TypeError(f"years must be a sequence of integers; got {years!r}.")
    years = list(years)
    for year in years:
        check_real("years", year, integer=True)
    if not years or any(a >= b for a, b in pairwise(years)):
        raise ValueError(f"years must be increasing, at least one; got {years}.")
    return years


def _read_year(folder, year):
    """First report of each company in a year: key, date and log-volatility by SEC code."""
    meta = _read_table(
        folder / f"{year}.meta.txt", "\t", ["key", "date", "address", "name", "code"]
    )
    after = _read_volatilities(folder / f"{year}.logvol.+12.txt").rename("after")
    reports = meta[meta["code"] != ""].join(after, on="key", how="inner")
    return reports.sort_values(["date", "key"]).drop_duplicates("code").set_index("code")


def _read_volatilities(path):
    """Log-volatilities by key."""
    table = _read_table(path, " ", ["value", "key"]).drop_duplicates("key")
    try:
        return table.set_index("key")["value"].astype(np.float64)
    except ValueError as error:
        raise _unreadable(path, error) from error


def _read_table(path, separator, names):
    """Text table without header or quotes, one column per name, all text."""
    try:
        table = pd.read_csv(
            path,
            sep=separator,
            header=None,
            dtype=str,
            quoting=csv.QUOTE_NONE,
            keep_default_na=False,
            encoding_errors="replace",
        )
    except (OSError, ValueError) as error:  # pandas' own errors are ValueErrors
        raise _unreadable(path, error) from error
    if table.shape[1] != len(names):
        raise _unreadable(path, f"{table.shape[1]} columns instead of {', '.join(names)}")
    return table.set_axis(names, axis=1)


def _count_words(folder, years, keys, max_features):
    """Word counts of the reports `keys`, a row each in this order, and the dictionary."""
    wanted, read = set(keys), []

    def texts():
        for year in years:
            path = folder / f"{year}.tok.tgz"
            try:
                with tarfile.open(path, "r:gz") as archive:
                    for member in archive:
                        key = PurePosixPath(member.name).name.removesuffix(".mda")
                        if member.isfile() and key in wanted:
                            wanted.remove(key)
                            read.append(key)
                            yield archive.extractfile(member).read().decode(errors="replace")
            except (OSError, EOFError, tarfile.TarError, zlib.error) as error:
                raise _unreadable(path, error) from error

    vectorizer = CountVectorizer(
        token_pattern="[a-z]{2,}", max_features=max_features, dtype=np.float64
    )
    counts = vectorizer.fit_transform(texts())
    if wanted:
        raise _unreadable(
            folder / f"{years[0]}.tok.tgz",
            f"{len(wanted)} reports, {min(wanted)} for one, are in no archive of {years}",
        )
    rows = {key: row for row, key in enumerate(read)}
    return counts[[rows[key] for key in keys]], vectorizer.get_feature_names_out().astype(str)


def _unreadable(path, reason):
    kind = type(reason).__name__ if isinstance(reason, Exception) else "ill-formed"
    return DataUnavailableError(
        f"10-K corpus: {path} cannot be read ({kind}: {reason}). The files come from "
        "http://www.cs.cmu.edu/~ark/10K/."
    )
