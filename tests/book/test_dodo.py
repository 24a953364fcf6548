"""What a chapter depends on."""

from types import SimpleNamespace

import dodo
import nbformat
from execute import ROOT
from nbformat.v4 import new_code_cell, new_markdown_cell


def relative(paths):
    return {path.relative_to(ROOT).as_posix() for path in paths}


def test_a_chapter_depends_on_the_modules_it_reaches_and_on_no_others(tmp_path):
    source = tmp_path / "chapter.py"
    source.write_text("import numpy as np\nfrom ofer.metrics import rrmse\n")
    found = relative(dodo.modules(source))
    assert {"ofer/__init__.py", "ofer/metrics.py"} <= found
    assert not any(path.startswith(("ofer/experiments", "notebooks", ".venv")) for path in found)


def test_a_chapter_depends_on_the_experiment_it_names(tmp_path):
    source = tmp_path / "chapter.py"
    source.write_text('from ofer.experiments import results\nresults("ofer-table-09")\n')
    assert "ofer/experiments/drug_activity.py" in relative(dodo.modules(source))


def test_a_chapter_depends_on_the_tables_it_names(tmp_path, monkeypatch):
    monkeypatch.setattr(dodo, "BOOK", tmp_path)
    for name in ("results/a-table-01.csv", "results/a-table-01.json", "paper/a-table-01.csv"):
        for path in (tmp_path / name, tmp_path / name.replace("01", "02")):
            path.parent.mkdir(exist_ok=True)
            path.touch()
    source = tmp_path / "chapter.py"
    source.write_text('results("a-table-01")\n')
    found = {path.relative_to(tmp_path).as_posix() for path in dodo.tables(source)}
    named = {"results/a-table-01.csv", "results/a-table-01.json", "paper/a-table-01.csv"}
    assert found == named
    source.write_text('read_claims(table="a-table-01")\n')
    found = {path.relative_to(tmp_path).as_posix() for path in dodo.tables(source)}
    assert found == {*named, "claims.yml"}
    source.write_text("scorecard(read_claims())\n")
    found = {path.relative_to(tmp_path).as_posix() for path in dodo.tables(source)}
    assert found == {*named, *(name.replace("01", "02") for name in named), "claims.yml"}


def test_a_notebook_with_other_outputs_or_code_is_not_up_to_date(tmp_path):
    path = tmp_path / "chapter.ipynb"
    task = SimpleNamespace(targets=[str(path)], value_savers=[])
    assert not dodo.untouched(task, {})
    output = nbformat.v4.new_output("stream", text="1\n")
    cells = [new_markdown_cell("Text."), new_code_cell("print(1)", outputs=[output])]
    notebook = nbformat.v4.new_notebook(cells=cells)
    nbformat.write(notebook, path)
    assert not dodo.untouched(task, {})
    saved = task.value_savers[-1]()
    assert dodo.untouched(task, saved)

    cells[0].source = "Another text."
    nbformat.write(notebook, path)
    assert dodo.untouched(task, saved)
    cells[1].source = "print(2)"
    nbformat.write(notebook, path)
    assert not dodo.untouched(task, saved)
    cells[1].source, output.text = "print(1)", "2\n"
    nbformat.write(notebook, path)
    assert not dodo.untouched(task, saved)
