"""The 10-K corpus, made up of a few words and written as its README says."""

import io
import tarfile

import numpy as np
import pytest
from sklearn.feature_extraction.text import CountVectorizer

from reproduction.datasets import DataUnavailableError
from reproduction.datasets.texts.maec_volatility import MAEC_VOLATILITY
from reproduction.datasets.texts.ten_k_volatility import load_10k_volatility

# key: (SEC code, date, text, log-volatility before, after), a dictionary a year
REPORTS = {
    2001: {
        "a1": ("20", "20010301", "risk rises , # percent", -3.0, -3.1),
        "b1": ("7", "20010302", "risk falls falls", -2.0, -2.1),
        "c1": ("9", "20010303", "unknown words", -1.0, -1.1),
    },
    2002: {
        "b2": ("7", "20020401", "steady steady risk", -2.1, -2.2),
        "a2": ("20", "20020301", "Lower risk", -3.1, -3.2),
        "a2b": ("20", "20020201", "earlier report risk", -3.4, -3.5),
    },
}
YEARS = (2001, 2002)


def pack(texts, *, prefix="tok/"):
    """Bytes of an archive of texts by member name."""
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w:gz") as archive:
        for name, text in texts.items():
            content = text.encode()
            member = tarfile.TarInfo(prefix + name)
            member.size = len(content)
            archive.addfile(member, io.BytesIO(content))
    return buffer.getvalue()


@pytest.fixture
def folder(tmp_path):
    for year, reports in REPORTS.items():
        lines = {"meta": "", "logvol.+12": "", "logvol.-12": ""}
        for key, (code, date, _, before, after) in reports.items():
            lines["meta"] += f'{key}\t{date}\thttp://sec/{key}\tSay "{key}\t{code}\n'
            lines["logvol.+12"] += f"{after} {key}\n"
            lines["logvol.-12"] += f"{before} {key}\n"
        for name, text in lines.items():
            (tmp_path / f"{year}.{name}.txt").write_text(text)
        texts = {f"{key}.mda": report[2] for key, report in reports.items()}
        (tmp_path / f"{year}.tok.tgz").write_bytes(pack(texts))
    return tmp_path


def test_samples_are_companies_with_a_report_each_year(folder):
    data = load_10k_volatility(folder, years=YEARS)
    np.testing.assert_array_equal(data.company, ["20", "7"])
    # The first of two reports in a year counts.
    np.testing.assert_array_equal(data.Y, [[-3.1, -3.5], [-2.1, -2.2]])
    np.testing.assert_array_equal(data.log_vol_before, [-3.0, -2.0])
    np.testing.assert_array_equal(data.date, [["20010301", "20020201"], ["20010302", "20020401"]])
    for part in ("Kogan", "faithful", "500 companies"):
        assert part in data.DESCR


def test_counts_are_blocks_of_years_in_one_dictionary(folder):
    data = load_10k_volatility(folder, years=YEARS)
    kept = [REPORTS[2001]["a1"], REPORTS[2001]["b1"], REPORTS[2002]["a2b"], REPORTS[2002]["b2"]]
    counter = CountVectorizer(token_pattern="[a-z]+")
    expected = counter.fit_transform([report[2] for report in kept]).toarray()
    np.testing.assert_array_equal(data.vocabulary, counter.get_feature_names_out())
    assert "unknown" not in data.vocabulary, "words of reports that are left out"
    np.testing.assert_array_equal(data.counts.toarray(), np.hstack([expected[:2], expected[2:]]))
    assert data.counts.dtype == data.Y.dtype == np.float64


def test_dictionary_is_the_most_frequent_words(folder):
    data = load_10k_volatility(folder, years=YEARS, max_features=1)
    np.testing.assert_array_equal(data.vocabulary, ["risk"])
    np.testing.assert_array_equal(data.counts.toarray(), np.ones((2, 2)))


def test_same_attributes_as_the_substitute(folder):
    reports = load_10k_volatility(folder, years=YEARS)
    assert reports.keys() - {"DESCR"} == MAEC_VOLATILITY.fields.keys()


def test_exact_copies_and_other_members_are_passed_over(folder):
    for name in ("meta", "logvol.+12", "logvol.-12"):
        path = folder / f"2001.{name}.txt"
        lines = path.read_text().splitlines(keepends=True)
        path.write_text("".join([*lines, lines[0]]))
    texts = {f"{key}.mda": report[2] for key, report in REPORTS[2001].items()}
    before = load_10k_volatility(folder, years=YEARS)
    (folder / "2001.tok.tgz").write_bytes(pack(texts | {"readme": "about"}, prefix="../../etc/"))
    after = load_10k_volatility(folder, years=YEARS)
    np.testing.assert_array_equal(after.Y, before.Y)
    np.testing.assert_array_equal(after.counts.toarray(), before.counts.toarray())


def test_archives_are_not_extracted(folder):
    before = sorted(folder.rglob("*"))
    load_10k_volatility(folder, years=YEARS)
    assert sorted(folder.rglob("*")) == before


def test_report_without_code_or_volatility_is_left_out(folder):
    path = folder / "2002.logvol.+12.txt"
    path.write_text(path.read_text().replace("-3.5 a2b\n", ""))
    np.testing.assert_array_equal(load_10k_volatility(folder, years=YEARS).Y[0], [-3.1, -3.2])
    path = folder / "2002.meta.txt"
    path.write_text(path.read_text().replace("\t20\n", "\t\n"))
    np.testing.assert_array_equal(load_10k_volatility(folder, years=YEARS).company, ["7"])


@pytest.mark.parametrize(
    "name", ["2002.meta.txt", "2001.logvol.+12.txt", "2001.logvol.-12.txt", "2002.tok.tgz"]
)
@pytest.mark.parametrize("damage", ["missing", "cut", "other"])
def test_damaged_file_is_one_error(folder, name, damage):
    path = folder / name
    if damage == "missing":
        path.unlink()
    else:
        path.write_bytes(path.read_bytes()[:1] if damage == "cut" else b"one two three\n")
    with pytest.raises(
        DataUnavailableError, match=rf"10-K corpus: .*{name[:11]}.* cannot be read .*cs\.cmu\.edu"
    ):
        load_10k_volatility(folder, years=YEARS)


def test_text_where_a_number_should_be(folder):
    (folder / "2001.logvol.+12.txt").write_text("a1 -3.1\n")
    with pytest.raises(DataUnavailableError, match=r"logvol.*ValueError"):
        load_10k_volatility(folder, years=YEARS)


def test_no_volatility_before(folder):
    (folder / "2001.logvol.-12.txt").write_text("-2.0 b1\n")
    with pytest.raises(DataUnavailableError, match=r"-12\.txt .*there is no number for a1"):
        load_10k_volatility(folder, years=YEARS)


def test_archive_without_a_report(folder):
    (folder / "2002.tok.tgz").write_bytes(pack({"b2.mda": "steady"}))
    with pytest.raises(DataUnavailableError, match="1 reports, a2b for one, are in no archive"):
        load_10k_volatility(folder, years=YEARS)


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"years": 2001}, TypeError, "years must be a sequence of integers; got 2001"),
        ({"years": "2001"}, TypeError, "years must be a sequence of integers; got '2001'"),
        ({"years": [2001.5]}, TypeError, "years must be an integer; got 2001.5"),
        ({"years": []}, ValueError, r"years must be increasing, at least one; got \[\]"),
        ({"years": [2002, 2001]}, ValueError, "years must be increasing"),
        ({"max_features": 0}, ValueError, "max_features must be at least 1; got 0"),
    ],
)
def test_bad_arguments(tmp_path, arguments, error, message):
    with pytest.raises(error, match=message):
        load_10k_volatility(tmp_path, **arguments)


def test_no_company_has_a_report_each_year(folder):
    for name in ("meta", "logvol.+12"):
        path = folder / f"2002.{name}.txt"
        lines = path.read_text().splitlines(keepends=True)
        path.write_text(lines[0].replace("\t7\n", "\t8\n"))
    with pytest.raises(ValueError, match=r"years must be years in which .* got \[2001, 2002\]"):
        load_10k_volatility(folder, years=YEARS)
