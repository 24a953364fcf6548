"""Earnings calls and the volatility that follows them: text to a short time series."""

from reproduction.datasets.declaration import Dataset, Field
from reproduction.datasets.stored import word_counts

__all__ = ["DATASETS", "MAEC_VOLATILITY", "fetch_maec_volatility"]


def _assemble(arrays):
    return {"counts": word_counts(arrays)}


MAEC_VOLATILITY = Dataset(
    name="maec_volatility",
    title="Earnings calls to a series of log-volatilities",
    details="""
Transcripts of quarterly earnings conference calls of US companies, 2015-02-25 to 2017-08-31, as
word counts, and the log-volatility of the stock in the five consecutive windows of ten trading
days after the call: log(std(r)) with the daily returns r_t = p_t / p_(t-1) - 1 and n - 1 in the
denominator. The first return of the first window is that of the first trading day after the
call. Words are lower-case, of two letters or more, in at least 15 and at most 98 % of the calls.
Samples are sorted by date. Companies are the groups of a cross-validation.
""",
    size="2953 calls, 6000 words, 5 outputs",
    paper=(
        "Output Fisher embedding regression (Djerrab et al. 2018), section 6.3: a substitute for "
        "its 10-K corpus, text of a company in, a short time series of risk out"
    ),
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
        "J. Li, L. Yang, B. Smyth, R. Dong, MAEC: a multimodal aligned earnings conference call "
        "dataset for financial risk prediction, CIKM 2020, doi:10.1145/3340531.3412879"
    ),
    fidelity="substitute",
    notes=(
        "Not the 10-K corpus, but the same task: text of a company to five successive "
        "log-volatilities. One earnings call instead of five yearly reports, windows of ten "
        "trading days instead of years, 2953 series of 1167 companies instead of 500, a "
        "dictionary of 6000 words instead of 70000."
    ),
    spdx="CC-BY-SA-4.0",
    conversion=(
        "Words of letters in small letters, the 6000 in most calls of those in at least 15 and "
        "at most 98 % of them; counts without their order. Log-volatilities from closing "
        "prices, which are not kept. Needs 7073 files of 340 MB, so that it is not made again "
        "here."
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
    assemble=_assemble,
    fields={
        "counts": Field("float64", (2953, 6000), "word counts", kind="csr"),
        "vocabulary": Field("str", (6000,), "the words, sorted", stored="vocab"),
        "Y": Field(
            "float64", (2953, 5), "log-volatilities; Y[:, :, None] are series of five steps"
        ),
        "log_vol_before": Field("float64", (2953,), "the same over the 20 returns before the call"),
        "company": Field("str", (2953,), "ticker symbols", stored="ticker"),
        "date": Field("str", (2953,), "dates of the calls, YYYY-MM-DD"),
    },
)
DATASETS = (MAEC_VOLATILITY,)
fetch_maec_volatility = MAEC_VOLATILITY.fetch
