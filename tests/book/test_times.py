"""The tables of times on the page about re-running."""

import importlib.util
import json

import pytest

from reproduction.engine import list_experiments, load
from reproduction.pipeline.dodo import HTML
from reproduction.pipeline.execute import BOOK, chapter_names


@pytest.fixture(scope="module")
def times():
    """The extension that makes the tables."""
    spec = importlib.util.spec_from_file_location("times", BOOK / "_ext" / "times.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_durations(times):
    texts = [times.duration(seconds) for seconds in (0.4, 59, 89, 3540, 3600, 9000)]
    assert texts == ["0 s", "59 s", "1 min", "59 min", "1 h 0 min", "2 h 30 min"]


def test_tables_by_hand(times, tmp_path):
    (tmp_path / "results").mkdir()
    (tmp_path / "times.csv").write_text(
        "chapter,seconds,processors,load\n01_one,50,2,\n02_two,70,4,1.5\n"
    )
    sidecar = {"id": "a", "title": "A", "duration_s": 120.4, "date": "2026-01-01"}
    sidecar |= {"machine": {"processors": 2, "architecture": "x", "load": 0.05}}
    (tmp_path / "results" / "a.json").write_text(json.dumps(sidecar))
    assert times.chapter_table(tmp_path)[3:-1] == [
        "| {doc}`01_one` | 50 s | 2 |",
        "| {doc}`02_two` | 1 min \\* | 4 |",
        "| all | 2 min |  |",
    ]
    assert times.experiment_table(tmp_path)[3:-1] == [
        "| `a` | A | 2 min | 2 | 2026-01-01 |",
        "| all |  | 2 min |  |  |",
    ]


def test_every_chapter_and_every_result_has_a_row(times):
    assert [row[0] for row in times.chapter_rows(BOOK)] == chapter_names(), "run make times"
    rows = {row[0]: row[2] for row in times.experiment_rows(BOOK)}
    assert set(list_experiments()) <= set(rows)
    for id in list_experiments():
        assert rows[id] == load(id)[1]["duration_s"]


@pytest.mark.html
def test_tables_are_on_the_page(pages, parsed):
    page = parsed(HTML / "how_to_rerun.html")
    chapters, experiments = (box.table for box in page.find_all(class_="times"))
    assert len(chapters.tbody.find_all("tr")) == len(chapter_names()) + 1
    assert len(chapters.tbody.find_all("a")) == len(chapter_names())
    assert len(experiments.tbody.find_all("tr")) > len(list_experiments())
