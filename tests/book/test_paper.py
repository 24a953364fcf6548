"""The report in `paper`: what is stored is what the results give, and the text types no result."""

import re

import pytest

from reproduction.paths import CHECKOUT
from reproduction.pipeline import paper
from reproduction.report import figures, same_data, stored
from reproduction.report.typesetting import PAPER, typeset

TEXT = (PAPER / "paper.tex").read_text(encoding="utf-8")
BODY = re.sub(r"(?<!\\)%.*", "", TEXT.partition("\\begin{document}")[2])
NAMES = re.findall(r"\\num\{([^}]*)\}", BODY)


@pytest.fixture(scope="module")
def texts():
    """What the results give now."""
    return paper.compute_files()


def test_numbers_and_tables_are_what_the_results_give(texts):
    for name, text in texts.items():
        assert (PAPER / name).read_text(encoding="utf-8") == text, "run make paper"


def test_every_number_is_there_and_none_is_empty(texts):
    known = dict(re.findall(r"\\setnum\{([^}]*)\}\{(.*)\}", texts["numbers.tex"]))
    assert {*NAMES} <= {*known}
    assert not re.search(r"\bnan\b|\binf\b|\{\}", texts["numbers.tex"])


def test_the_text_types_no_result():
    """Digits stand in sizes of a design, places of a paper, formulas, code, and nowhere else."""
    rest = re.sub(r"\\begin\{(equation|verbatim)\}.*?\\end\{\1\}", "", BODY, flags=re.DOTALL)
    rest = re.sub(r"\\\[.*?\\\]|\$[^$]*\$", "", rest, flags=re.DOTALL)
    macros = "num|design|label|ref|eqref|cite[tp]?|input|includegraphics|url|cmidrule.*?"
    rest = re.sub(rf"\\(?:{macros})(?:\[[^]]*\])?\{{[^}}]*\}}", "", rest)
    rest = re.sub(r"Caltech-101|MobileNet v1|VGG19|10-K|NCI-60|F1|\b2018\b", "", rest)
    rest = re.sub(r"Tables?[ ~][\d, and-]*\d|Equation~\d+|\(\d\)~", "", rest)
    rest = re.sub(r"^\d[\d, -]* &", "", rest, flags=re.MULTILINE)  # tables of the 2018 paper
    assert re.findall(r".*\d.*", rest) == []
    assert all(re.fullmatch(r"[\d.]+", size) for size in re.findall(r"\\design\{(.*?)\}", BODY))


def test_what_the_text_reads_is_there_and_cited_works_are_known():
    books = [PAPER / "further.bib", CHECKOUT / "book" / "references.bib"]
    known = re.findall(r"^@\w+\{(\S+),$", "".join(b.read_text("utf-8") for b in books), re.M)
    cited = {key for keys in re.findall(r"\\cite[tp]\{(.*?)\}", BODY) for key in keys.split(",")}
    assert cited <= {*known}
    assert len(known) == len({*known})
    for name in re.findall(r"\\(?:includegraphics|input)\{(.*?)\}", BODY):
        assert list(PAPER.glob(f"{name}*")), name


def test_a_sentence_that_is_not_so_stops_everything(monkeypatch, capsys):
    monkeypatch.setattr(paper, "why_stale", lambda experiment: "")

    def tell():
        stored.told([True, False], "drugs are cheap")

    monkeypatch.setattr(same_data, "NUMBERS", [tell])
    monkeypatch.setattr(paper.claims, "NUMBERS", [])
    assert paper.main() == 1
    assert "The paper says what is not so: drugs are cheap." in capsys.readouterr().err


def test_without_a_compiler_there_is_no_pdf(tmp_path):
    assert typeset(tmp_path / "set", find=lambda name: None) is None
    assert not (tmp_path / "set").exists()


def test_a_figure_has_the_same_bytes_each_time(tmp_path, monkeypatch):
    monkeypatch.setattr(paper, "FIGURES", {"some": figures.drugs})
    drawn = []
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        paper.draw_figures(tmp_path / name)
        drawn.append((tmp_path / name / "figure_some.pdf").read_bytes())
    assert drawn[0] == drawn[1]
