"""What a chapter depends on."""

from types import SimpleNamespace

import dodo
from execute import ROOT


def relative(paths):
    return {path.relative_to(ROOT).as_posix() for path in paths}


def test_a_chapter_depends_on_the_modules_it_reaches_and_on_no_others(tmp_path):
    source = tmp_path / "chapter.py"
    source.write_text("import numpy as np\nfrom ofer.metrics import rrmse\n")
    found = relative(dodo.modules(source) - {source})
    assert {"ofer/__init__.py", "ofer/metrics.py"} <= found
    assert not any(path.startswith(("ofer/experiments", "notebooks", ".venv")) for path in found)


def test_a_chapter_depends_on_the_experiment_it_names(tmp_path):
    source = tmp_path / "chapter.py"
    source.write_text('from ofer.experiments import results\nresults("ofer-table-09")\n')
    assert "ofer/experiments/drug_activity.py" in relative(dodo.modules(source) - {source})


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


def test_a_notebook_that_was_edited_is_not_up_to_date(tmp_path):
    notebook = tmp_path / "chapter.ipynb"
    task = SimpleNamespace(targets=[str(notebook)], value_savers=[])
    assert not dodo.untouched(task, {})
    notebook.write_text("executed")
    assert not dodo.untouched(task, {})
    saved = task.value_savers[-1]()
    assert dodo.untouched(task, saved)
    notebook.write_text("edited")
    assert not dodo.untouched(task, saved)


def test_pages_that_warn_leave_the_old_ones(tmp_path, monkeypatch):
    html = tmp_path / "_build" / "html"
    html.mkdir(parents=True)
    (html / "index.html").write_text("old")
    (tmp_path / "book").mkdir()
    (tmp_path / "_config.yml").write_text("title: A book\n")
    (tmp_path / "book" / "_toc.yml").write_text("format: jb-book\nroot: index\n")
    (tmp_path / "book" / "index.md").write_text("# A book\n\n[nowhere](#missing)\n")
    monkeypatch.setattr(dodo, "HTML", html)
    monkeypatch.setattr(dodo, "BOOK", tmp_path / "book")

    failed = dodo.render()
    assert "missing" in failed.get_msg()
    assert (html / "index.html").read_text() == "old"
    assert list(html.parent.iterdir()) == [html]

    (tmp_path / "book" / "index.md").write_text("# A book\n")
    assert dodo.render() is None
    assert "A book" in (html / "index.html").read_text()
    assert list(html.parent.iterdir()) == [html]
