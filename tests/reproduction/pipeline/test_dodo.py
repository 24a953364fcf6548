"""The build executes what has changed, and nothing when a table is stale."""

import pytest
from doit.exceptions import TaskFailed

from reproduction.pipeline import dodo
from reproduction.pipeline.execute import BOOK, ROOT


@pytest.fixture(scope="module")
def chapters():
    """Files that each chapter depends on, relative to the checkout."""
    return {
        task["name"]: {path.relative_to(ROOT).as_posix() for path in task["file_dep"]}
        for task in dodo.task_chapter()
    }


def test_a_chapter_depends_on_its_source_and_on_the_code_it_reaches(chapters):
    found = chapters["03_1_gaussian"]
    assert {"notebooks/03_1_gaussian.py", "ofer/embeddings/gaussian.py"} <= found
    assert "ofer/nystroem/regressor.py" not in found


def test_a_chapter_depends_on_the_experiments_that_it_computes(chapters):
    assert "reproduction/papers/ofer/drug_activity.py" in chapters["06_4_2_drug_activity"]


def test_a_chapter_that_reads_tables_depends_on_all_of_them(chapters):
    tables = {path.relative_to(ROOT).as_posix() for path in BOOK.glob("results/*.csv")}
    assert tables <= chapters["91_scorecard"]
    assert not tables & chapters["03_1_gaussian"]


def test_a_chapter_is_executed_again_once_its_data_are_there(monkeypatch):
    def settings():
        tasks = {task["name"]: task for task in dodo.task_chapter()}
        return tasks["06_4_2_drug_activity"]["uptodate"][0].config

    before = settings()
    monkeypatch.setattr(dodo, "obstacle", lambda source: "nci60 is missing")
    assert settings() != before


def test_a_stale_table_stops_the_build_and_is_named(monkeypatch):
    monkeypatch.setattr(dodo, "why_stale", lambda experiment: "code changed")
    failed = dodo.stale_tables()
    assert isinstance(failed, TaskFailed)
    assert "Run `make results` first." in str(failed)
    assert "ofer-table-09: code changed" in str(failed)


def test_pages_that_warn_leave_the_old_ones(tmp_path, monkeypatch):
    html = tmp_path / "html"
    html.mkdir()
    (html / "index.html").write_text("old")
    book = tmp_path / "book"
    book.mkdir()
    monkeypatch.setattr(dodo, "HTML", html)
    monkeypatch.setattr(dodo, "CACHE", tmp_path)
    monkeypatch.setattr(dodo, "BOOK", book)
    assert isinstance(dodo.render(), TaskFailed)
    assert (html / "index.html").read_text() == "old"
