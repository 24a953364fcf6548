"""Earnings calls and the volatility that follows them: text to a short time series."""

import numpy as np
from sklearn.utils import Bunch

from ofer.datasets._cache import DatasetInfo, RemoteDataset, fetch_arrays
from ofer.datasets._stored import word_counts

__all__ = ["MAEC_VOLATILITY", "fetch_maec_volatility"]

MAEC_VOLATILITY = RemoteDataset(
    info=DatasetInfo(
        name="maec_volatility",
        title="Earnings calls to a series of log-volatilities",
        size="2953 calls, 6000 words, 5 outputs",
        source=(
            "Made from 7073 files: transcripts of the GitHub repository "
            "Earnings-Call-Dataset/MAEC-A-Multimodal-Aligned-Earnings-Conference-Call-Dataset-"
            "for-Financial-Risk-Prediction, and daily prices of guyr18/stock-market-big-data. "
            "The paper's own data are the 10-K corpus, http://www.cs.cmu.edu/~ark/10K/, which "
            "load_10k_volatility reads."
        ),
        licence=(
            "Word counts, from transcripts under CC BY-SA 4.0: CC BY-SA 4.0. Volatilities, from "
            "prices published as CC0 (not verified); no price is kept."
        ),
        citation=(
            "J. Li, L. Yang, B. Smyth, R. Dong, MAEC: a multimodal aligned earnings conference "
            "call dataset for financial risk prediction, CIKM 2020, doi:10.1145/3340531.3412879"
        ),
        fidelity="substitute",
        notes=(
            "Not the 10-K corpus, but the same task: text of a company to five successive "
            "log-volatilities. One earnings call instead of five yearly reports, windows of ten "
            "trading days instead of years, 2953 series of 1167 companies instead of 500, a "
            "dictionary of 6000 words instead of 70000."
        ),
    ),
    prepared="maec_volatility/maec_volatility.npz",
    checksums={
        "data": "e492f9360b1d86ca760676884dee7307596fa19b2402ac42fc0673b7bcbfd133",
        "indices": "1bcd810589603bb46c3367bac1aa6a4e8394485ef7af221bf160ee1e3ad850d7",
        "indptr": "4e2f8ec2b3428a5e4cc6c5edf8f559f33f0c0aeb3ca2cde50f28364dc75f45fa",
        "shape": "6d1be4d0771d4b0db807040218d20b096fc7023ecc3f33766eeeeb203a1bccbc",
        "vocab": "1d2bf5f81cc73c093a3bde9d33fd3433564a7d1277063d911c55f2c2f5ae1d3a",
        "Y": "dbc3bf38ffe158529e9a5d860a62dcfd99c89d029b0d7aa4270a728e4a220534",
        "log_vol_before": "041402bff86a834588ddf522b40c2dd59174af7a383f25f2035218f4ebc016fa",
        "ticker": "6ce3ed4e5b27c5aaa2a87d0073b3312502c2522d57f7eb583e4f85eac0cdb4de",
        "date": "8363d2241ed4e4b93d5f6d47f7d52789d3f930ddb0f6465c3a710acaab946e83",
    },
)

_DETAILS = """
Transcripts of quarterly earnings conference calls of US companies, 2015-02-25 to 2017-08-31, as
word counts, and the log-volatility of the stock in the five consecutive windows of ten trading
days after the call: log(std(r)) with the daily returns r_t = p_t / p_(t-1) - 1 and n - 1 in the
denominator. The first return of the first window is that of the first trading day after the
call. Words are lower-case, of two letters or more, in at least 15 and at most 98 % of the calls.
"""


def fetch_maec_volatility(*, data_home=None, download_if_missing=True):
    """Load earnings calls and the log-volatilities after them (regression, 5 outputs).

    A substitute for the data of the paper's section 6.3, the 10-K corpus: text of a company in,
    a short time series of risk out [1]_.

    Parameters
    ----------
    data_home : str or path-like, default=None
        Folder of the data, see `ofer.datasets.data_home`. The prepared file
        ``maec_volatility/maec_volatility.npz`` in it is checked and used.
    download_if_missing : bool, default=True
        As in the other loaders, but without effect: nothing can be downloaded here.

    Returns
    -------
    sklearn.utils.Bunch
        With attributes

        counts : scipy.sparse.csr_matrix of shape (n_samples, n_words)
            Word counts, float64.
        vocabulary : ndarray of shape (n_words,)
            The words, sorted.
        Y : ndarray of shape (n_samples, 5)
            Log-volatilities, float64; ``Y[:, :, None]`` are series of five steps.
        log_vol_before : ndarray of shape (n_samples,)
            The same over the 20 returns before the call.
        company : ndarray of shape (n_samples,)
            Ticker symbols: the groups of a cross-validation.
        date : ndarray of shape (n_samples,)
            Dates of the calls, ``YYYY-MM-DD``; samples are sorted by them.
        DESCR : str
            Description, terms of use, and how the data differ from the paper's.
        checksums : dict of str to str
            sha256 of the stored arrays.

    Raises
    ------
    DataUnavailableError
        If the prepared file is missing or damaged.

    See Also
    --------
    load_10k_volatility : Reads the paper's own corpus.

    References
    ----------
    .. [1] Li, Yang, Smyth, Dong, "MAEC: a multimodal aligned earnings conference call dataset
       for financial risk prediction", CIKM 2020.

    Examples
    --------
    >>> from ofer.datasets import fetch_maec_volatility
    >>> calls = fetch_maec_volatility()  # doctest: +SKIP
    >>> calls.counts.shape, calls.Y.shape  # doctest: +SKIP
    ((2953, 6000), (2953, 5))
    """
    arrays = fetch_arrays(MAEC_VOLATILITY, home=data_home, download_if_missing=download_if_missing)
    return Bunch(
        counts=word_counts(arrays),
        vocabulary=arrays["vocab"],
        Y=arrays["Y"].astype(np.float64),
        log_vol_before=arrays["log_vol_before"].astype(np.float64),
        company=arrays["ticker"],
        date=arrays["date"],
        DESCR=MAEC_VOLATILITY.info.describe(_DETAILS),
        checksums=dict(MAEC_VOLATILITY.checksums),
    )
