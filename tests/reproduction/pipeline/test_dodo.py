"""The build executes what has changed, and nothing when a table is stale."""

import os
import signal
import tempfile
from pathlib import Path

import pytest
from doit.cmd_base import ModuleTaskLoader
from doit.doit_cmd import DoitMain
from doit.exceptions import TaskFailed

from reproduction.experiments import claims_files, printed_tables
from reproduction.paths import CHECKOUT
from reproduction.pipeline import dodo
from reproduction.pipeline.chapters import BOOK, ChapterError


@pytest.fixture(scope="module")
def chapters():
    """Files that each chapter depends on, relative to the checkout."""
    return {
        task["name"]: {path.relative_to(CHECKOUT).as_posix() for path in task["file_dep"]}
        for task in dodo.task_chapter()
    }


def test_a_chapter_depends_on_its_source_and_on_the_code_it_reaches(chapters):
    found = chapters["03_1_gaussian"]
    assert {"notebooks/03_1_gaussian.py", "ofer/embeddings/gaussian.py"} <= found
    assert "ofer/nystroem/regressor.py" not in found


def test_a_chapter_depends_on_the_experiments_that_it_computes(chapters):
    assert (
        "reproduction/studies/drug_activity/tables/ofer_table_09.py"
        in chapters["06_4_2_drug_activity"]
    )


def test_a_chapter_depends_on_the_tables_that_it_reads(chapters):
    tables = {path.relative_to(CHECKOUT).as_posix() for path in BOOK.glob("results/*.csv")}
    assert tables <= chapters["91_scorecard"]
    assert not tables & chapters["03_1_gaussian"]
    own, read = "book/results/ofer-forensics.csv", "book/results/ofer-table-05.csv"
    assert tables & chapters["06_2_time_series"] == {own, read}


def test_claims_and_printed_tables_decide_what_chapters_and_pages_show(chapters):
    ledger, printed = {*claims_files()}, {*printed_tables().values()}
    assert ledger | printed <= {CHECKOUT / path for path in chapters["91_scorecard"]}
    assert not (ledger | printed) & {CHECKOUT / path for path in chapters["03_1_gaussian"]}
    assert ledger | printed <= {*dodo.task_pages()["file_dep"]}


def test_a_chapter_does_not_depend_on_code_that_only_computes_its_table(chapters):
    """Whether the table is what this code gives is asked before any chapter is executed."""
    assert "ofer/iokr/regressor.py" not in chapters["06_2_time_series"]
    assert "reproduction/methods/squared_error_ridge.py" in chapters["06_2_time_series"]


def test_cells_are_compared_again_on_another_processor(monkeypatch):
    def settings():
        return next(dodo.task_cells())["uptodate"][0].config

    before = settings()
    monkeypatch.setenv("OPENBLAS_CORETYPE", "Nehalem of this test")
    assert settings() != before


@pytest.fixture
def build(tmp_path, monkeypatch, capsys):
    """Build a book of one chapter, and give what was said: 12 where it was executed."""
    notebook = tmp_path / "01_one.ipynb"
    monkeypatch.setattr(dodo, "BOOK", tmp_path)
    monkeypatch.setattr(dodo, "chapter_names", lambda: ["01_one"])
    monkeypatch.setattr(dodo, "dependencies", lambda name: [])
    monkeypatch.setattr(dodo, "missing", lambda name: [])
    monkeypatch.setattr(dodo, "execute", lambda name: print(notebook.write_text("true numbers")))
    tasks = {"task_chapter": dodo.task_chapter, "task_stale_tables": lambda: {"actions": []}}
    tasks["DOIT_CONFIG"] = dodo.DOIT_CONFIG | {"dep_file": str(tmp_path / "doit.db")}

    def build():
        assert DoitMain(ModuleTaskLoader(tasks)).run(["chapter"]) == 0
        assert notebook.read_text() == "true numbers"
        return capsys.readouterr().out.splitlines()

    notebook.write_text("of a fresh clone")
    assert build() == ["12"]
    assert build() == []
    return build


def test_a_notebook_that_is_not_as_written_is_executed_again(build, tmp_path):
    notebook = tmp_path / "01_one.ipynb"
    why = "01_one: its stored notebook {}, so it is executed again"
    for damage in ("false numbers", "true num", ""):
        notebook.write_text(damage)
        assert build() == [why.format("has changed since it was executed"), "12"]
    notebook.unlink()
    assert build() == [why.format("is missing"), "12"]
    assert build() == []


def test_a_chapter_is_executed_again_once_its_data_are_there(build, monkeypatch):
    monkeypatch.setattr(dodo, "missing", lambda name: ["nci60"])
    assert build() == []  # nobody looks for data while no folder has changed
    monkeypatch.setattr(dodo, "folders_of_data", lambda: [["nci60.npz", 3, 1]])
    assert build() == ["12"]
    monkeypatch.setattr(dodo, "folders_of_data", lambda: [["nci60.npz", 3, 1], ["else", 1, 1]])
    assert build() == []
    monkeypatch.setattr(dodo, "missing", lambda name: [])
    assert build() == ["12"]


def test_damaged_data_are_told_by_the_execution(monkeypatch):
    def missing_data(source):
        raise ChapterError(f"{source.stem}: not executed. gold.npz is damaged.")

    monkeypatch.setattr(dodo, "missing_data", missing_data)
    assert dodo.missing("01_damaged") == ["01_damaged: not executed. gold.npz is damaged."]


def test_a_stale_table_stops_the_build_and_is_named(monkeypatch):
    monkeypatch.setattr("reproduction.engine.why_stale", lambda experiment: "code changed")
    failed = dodo.stale_tables()
    assert isinstance(failed, TaskFailed)
    assert "Run `make results` first." in str(failed)
    assert "ofer-table-09: code changed" in str(failed)


def test_an_edited_table_can_be_restored(monkeypatch):
    why = "ofer-table-09.csv is not the table that was stored"
    monkeypatch.setattr("reproduction.engine.why_stale", lambda experiment: why)
    assert "`git checkout book/results` restores" in str(dodo.stale_tables())


def test_a_killed_worker_is_one_line():
    failed = dodo.in_a_worker(signal.raise_signal, signal.SIGKILL, fault="01_one was not executed.")
    dodo.workers.cache_clear()
    assert "\n01_one was not executed. A process was killed;" in str(failed)


@pytest.fixture
def html(tmp_path, monkeypatch):
    """The place of the pages, with old ones."""
    html = tmp_path / "_build" / "html"
    html.mkdir(parents=True)
    (html / "index.html").write_text("old")
    monkeypatch.setattr(dodo, "HTML", html)
    return html


@pytest.fixture
def made(tmp_path):
    """New pages, on another disk where there is one."""
    disk = "/dev/shm" if os.path.isdir("/dev/shm") else None
    with tempfile.TemporaryDirectory(dir=disk) as folder:
        made = Path(folder, "html")
        made.mkdir()
        (made / "index.html").write_text("new" * 1000)
        yield made


def test_pages_take_the_place_of_the_old_ones(html, made):
    dodo.put_in_place(made)
    assert (html / "index.html").read_text() == "new" * 1000
    assert [*html.parent.iterdir()] == [html]


def test_on_a_full_disk_the_old_pages_stay(html, made):
    resource = pytest.importorskip("resource")
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, limits[1]))
    try:
        with pytest.raises(OSError, match="File too large"):
            dodo.put_in_place(made)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert (html / "index.html").read_text() == "old"
    assert [*html.parent.iterdir()] == [html]


def test_old_pages_come_back(html, made, monkeypatch):
    rename = Path.rename

    def fails(path, target):
        if path.name == "new":
            raise PermissionError("no")
        return rename(path, target)

    monkeypatch.setattr(Path, "rename", fails)
    with pytest.raises(PermissionError):
        dodo.put_in_place(made)
    assert (html / "index.html").read_text() == "old"


def test_pages_that_warn_leave_the_old_ones(tmp_path, monkeypatch, html):
    book = tmp_path / "book"
    book.mkdir()
    monkeypatch.setattr(dodo, "CACHE", tmp_path)
    monkeypatch.setattr(dodo, "BOOK", book)
    monkeypatch.setattr(dodo, "digest_beside_texts", lambda: "all else")
    assert isinstance(dodo.render(), TaskFailed)
    assert (html / "index.html").read_text() == "old"
    assert not (tmp_path / "pages").exists()


def test_only_texts_are_read_one_by_one(monkeypatch, tmp_path):
    """A change of anything else that goes into pages has all texts read anew."""
    before = dodo.digest_beside_texts()
    style, text = tmp_path / "style.css", tmp_path / "text.md"
    style.write_text("")
    text.write_text("")
    listed = dodo.files

    def more(*paths):
        monkeypatch.setattr(
            dodo, "files", lambda folder, pattern="*": [*listed(folder, pattern), *paths]
        )
        return dodo.digest_beside_texts()

    assert more(text) == before != more(style)
    style.write_text("p {}")
    assert more(style) not in (before, more(text))
