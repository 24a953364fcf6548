"""What a chapter depends on."""

import json
import sys

import nbformat
import pytest
from doit.cmd_base import ModuleTaskLoader
from doit.doit_cmd import DoitMain
from nbformat.v4 import new_code_cell, new_markdown_cell

from reproduction.engine import get_experiment
from reproduction.pipeline import dodo
from reproduction.pipeline.execute import ROOT


def relative(paths):
    return {path.relative_to(ROOT).as_posix() for path in paths}


def test_a_chapter_depends_on_the_modules_it_reaches_and_on_no_others(tmp_path):
    source = tmp_path / "chapter.py"
    source.write_text("import numpy as np\nfrom reproduction.paths import CHECKOUT\n")
    assert {*dodo.modules(source)} == {"chapter", "reproduction.paths"}


def test_a_chapter_depends_on_the_experiment_whose_declaration_it_shows(tmp_path):
    source = tmp_path / "chapter.py"
    source.write_text('experiment = get_experiment("ofer-table-09")\n')
    assert "reproduction.papers.ofer.drug_activity" in dodo.modules(source)
    source.write_text('table = results("ofer-table-09")\n')
    assert {*dodo.modules(source)} == {"chapter"}


@pytest.mark.parametrize(
    ("text", "ids"),
    [
        ('results("ofer-table-09")', {"ofer-table-09"}),
        ('results("ofer-table-09", profile=profile)', {"ofer-table-09"}),
        ('[results(id) for id in ("ofer-table-09", "ofer-mtr")]', {"ofer-table-09", "ofer-mtr"}),
        ('# results("ofer-table-09") stands in a text', set()),
        ('read_claims(table="ofer-table-10")', {"ofer-table-10"}),
        ('read_claims(paper="du2016")', {"sslsop-table-01", "sslsop-sensitivity"}),
    ],
)
def test_the_results_that_a_chapter_asks_for(tmp_path, text, ids):
    source = tmp_path / "chapter.py"
    source.write_text(text + "\n")
    assert dodo.asked_results(source) == ids


@pytest.mark.parametrize("text", ["scorecard(read_claims())", "match_cells()"])
def test_a_chapter_may_ask_for_everything(tmp_path, text):
    source = tmp_path / "chapter.py"
    source.write_text(text + "\n")
    assert {"ofer-table-09", "fkl-table-01", "sslsop-table-01"} <= dodo.asked_results(source)


def test_a_chapter_depends_on_the_tables_it_shows(tmp_path):
    source = tmp_path / "chapter.py"
    source.write_text('results("ofer-table-09")\n')
    named = {"book/results/ofer-table-09.csv", "book/paper/ofer-table-09.csv"}
    assert relative(dodo.tables(source)) == named
    source.write_text('read_claims(table="ofer-table-09")\n')
    ledger = {"book/claims.yml", "book/papers.yml"}
    assert relative(dodo.tables(source)) == named | ledger
    source.write_text('read_claims(table="ofer-table-09")\nread_conclusions()\n')
    assert relative(dodo.tables(source)) == {
        *named,
        *ledger,
        "book/conclusions.yml",
        "notebooks/11_1_fisher_kernel_learning.py",
        "notebooks/12_1_local_structured_predictors.py",
    }
    source.write_text("read_claims()\nmatch_cells()\n")
    assert {*named, "book/claims.yml", "book/paper/ofer-table-02.csv"} <= relative(
        dodo.tables(source)
    )


def test_a_sealed_table_is_the_same_table(tmp_path, monkeypatch):
    monkeypatch.setattr(dodo, "BOOK", tmp_path)
    sidecar = tmp_path / "results" / "ofer-table-09.json"
    sidecar.parent.mkdir()
    source = tmp_path / "chapter.py"
    source.write_text('results("ofer-table-09")\n')
    said = {"date": "2026-11-01", "code": {"a": "1"}, "fingerprint": "f"}
    sidecar.write_text(json.dumps(said))
    before = dodo.origins(source)
    sidecar.write_text(json.dumps(said | {"code": {"a": "2"}, "sealed": {}, "fingerprint": "g"}))
    assert dodo.origins(source) == before
    sidecar.write_text(json.dumps(said | {"date": "2026-11-02"}))
    assert dodo.origins(source) != before


def test_what_is_known_of_a_table_is_a_dependency(tmp_path, declare):
    source = tmp_path / "chapter.py"
    source.write_text('results("toy")\n')
    declare(id="toy")
    before = dodo.origins(source)
    get_experiment("toy").test_train_ratio["10"] = 2.0
    assert dodo.origins(source) != before


def test_a_damaged_ledger_is_one_line_before_anything_is_executed(monkeypatch):
    def asked_results(source):
        raise ValueError("claims.yml is damaged (it is lead): restore it.")

    monkeypatch.setattr(dodo, "asked_results", asked_results)
    assert dodo.stale_results().message == "claims.yml is damaged (it is lead): restore it."


def test_stale_results_are_found_before_anything_is_executed(monkeypatch):
    monkeypatch.setattr(dodo, "why_stale", lambda experiment: None)
    assert dodo.stale_results() is None
    reasons = {"ofer-table-09": "code changed (ofer.metrics)"}
    monkeypatch.setattr(dodo, "why_stale", lambda experiment: reasons.get(experiment.id))
    said = dodo.stale_results().message
    assert "Run `make results` first.\nofer-table-09: code changed (ofer.metrics)" in said


def test_texts_of_a_notebook_are_not_what_was_executed(tmp_path):
    path = tmp_path / "chapter.ipynb"
    cells = [new_markdown_cell("Text."), new_code_cell("print(1)")]
    nbformat.write(nbformat.v4.new_notebook(cells=cells), path)
    before = dodo.executed(path)
    cells[0].source = "Another text."
    nbformat.write(nbformat.v4.new_notebook(cells=cells), path)
    assert dodo.executed(path) == before
    cells[1].source = "print(2)"
    nbformat.write(nbformat.v4.new_notebook(cells=cells), path)
    assert dodo.executed(path) != before


@pytest.fixture
def look(tmp_path, monkeypatch):
    """Function that looks at pages, or passes over them: how often they were looked at so far.

    In three processes.
    """
    log, browser = tmp_path / "log", tmp_path / "bin" / "chromium"
    browser.parent.mkdir()
    program = tmp_path / "python"
    for name in ("html", "book", "notebooks", "ofer", "reproduction", "tests"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "file").write_text("1")
    monkeypatch.setattr(dodo, "ROOT", tmp_path)
    monkeypatch.setattr(dodo, "HTML", tmp_path / "html")
    monkeypatch.setattr(sys, "executable", str(program))
    monkeypatch.setenv("PATH", str(browser.parent), prepend=":")
    store = {"backend": "json", "dep_file": str(tmp_path / "doit.json"), "verbosity": 0}
    tasks = ModuleTaskLoader({"task_visit": dodo.task_visit, "DOIT_CONFIG": store})

    def look(found="exit 0", version="1", arguments=()):
        for path, text in ((program, f"echo $@ >> {log}; {found}"), (browser, f"echo {version}")):
            path.write_text(f"#!/bin/sh\n{text}\n")
            path.chmod(0o755)
        status = DoitMain(tasks).run([*arguments, "--single", "visit", "jobs=3"])
        assert (status == 0) == (found == "exit 0")
        looks = log.read_text().splitlines()
        assert all(" -n 3 " in look for look in looks)
        return len(looks)

    return look


def test_pages_without_a_fault_are_not_looked_at_again(look, tmp_path):
    assert look() == look() == 1
    assert look(arguments=["--always-execute"]) == 2
    assert look(version="2") == 3
    for n, name in enumerate(("html", "book", "notebooks", "ofer", "reproduction", "tests")):
        (tmp_path / name / "file").write_text("22")
        assert look(version="2") == look(version="2") == 4 + n


def test_pages_with_a_fault_are_looked_at_again(look, tmp_path):
    assert look("exit 1") == 1
    assert look() == 2
    (tmp_path / "html" / "file").write_text("22")
    assert look("exit 1") == 3
    assert look() == look() == 4


def test_unit_tests_run_again_when_anything_they_read_has_changed(tmp_path, monkeypatch):
    """Sources, stored tables, settings and, by size and time, the data."""
    monkeypatch.setattr(dodo, "data_folders", lambda: [tmp_path])
    task = dodo.task_unit()
    read = {"Makefile", "ofer/kernel_ridge.py", "tests/conftest.py", "book/claims.yml"}
    assert read <= relative(task["file_dep"])
    assert not any(path.is_relative_to(dodo.CACHE) for path in task["file_dep"])
    (tmp_path / "some.npz").write_text("12")
    (before,), (now,) = task["uptodate"], dodo.task_unit()["uptodate"]
    assert before.config["data"] == []
    assert now.config["data"][0][:2] == [str(tmp_path / "some.npz"), 2]
    assert now.config["here"] == before.config["here"]
