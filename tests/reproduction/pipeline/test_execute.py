"""The runner: same bytes twice, and nothing half-written."""

import errno
import json
import os
import subprocess
import sys

import pytest

from reproduction.datasets import DamagedDataError
from reproduction.paths import CHECKOUT
from reproduction.pipeline import chapters, execute

CHAPTER = """\
# ---
# jupyter:
#   kernelspec:
#     display_name: Another
#     language: python
#     name: another
#   ofer:
#     data: [gold, silver]
#     tables: [toy-table-01]
# ---

# %% [markdown]
# # A chapter

# %% tags=["parameters"]
n = 3

# %%
import os
import matplotlib.pyplot as plt
_ = plt.plot(range(n))

# %%
print(n, os.getcwd() == BOOK, os.environ["OMP_NUM_THREADS"], hash("a") == hash("a"), __debug__)
"""


NEEDS = """\
# ---
# jupyter:
#   ofer:
#     data: [{}]
# ---

# %%
"""


def write(folder):
    path = folder / "chapter.py"
    path.write_text(CHAPTER.replace("BOOK", repr(str(execute.BOOK))))
    return path


@pytest.fixture
def source(tmp_path):
    return write(tmp_path)


@pytest.fixture(scope="module")
def executed(tmp_path_factory):
    """The notebook of the chapter, as bytes."""
    folder = tmp_path_factory.mktemp("executed")
    execute.execute(write(folder), folder / "chapter.ipynb")
    return (folder / "chapter.ipynb").read_bytes()


def test_a_notebook_has_its_figure_and_no_traces(executed):
    notebook = json.loads(executed)
    cells = notebook["cells"]
    assert [cell["id"] for cell in cells] == [f"cell-{i:03d}" for i in range(len(cells))]
    assert [cell["cell_type"] for cell in cells] == ["markdown", "code", "code", "code"]
    assert cells[1]["metadata"] == {"tags": ["parameters", "remove-cell"]}
    assert all(cell["metadata"] == {} for cell in cells[2:])
    assert "image/png" in cells[2]["outputs"][0]["data"]
    assert cells[3]["outputs"][0]["text"] == ["3 True 1 True True\n"]
    assert notebook["metadata"]["kernelspec"]["name"] == "python3"
    assert set(notebook["metadata"]) == {"kernelspec", "language_info"}
    assert "version" not in notebook["metadata"]["language_info"]


def test_another_run_in_another_home_gives_the_same_bytes(
    executed, source, tmp_path, monkeypatch, capsys
):
    monkeypatch.setattr(execute, "PROGRESS_EVERY", 3600)
    target = tmp_path / "chapter.ipynb"
    startup = tmp_path / ".ipython" / "profile_default" / "startup"
    startup.mkdir(parents=True)
    silent, look = startup / "00-silent.py", tmp_path / ".config" / "matplotlib" / "matplotlibrc"
    silent.write_text("print = str\n")
    look.parent.mkdir(parents=True)
    look.write_text("figure.dpi: 20\n")
    for name, value in {"STARTUP": silent, "OPTIMIZE": 1}.items():
        monkeypatch.setenv(f"PYTHON{name}", str(value))
    monkeypatch.setenv("MATPLOTLIBRC", str(look))
    for home in (tmp_path, source):  # a file is no folder, not even for root
        monkeypatch.setenv("HOME", str(home))
        execute.execute(source, target)
        assert target.read_bytes() == executed
    assert capsys.readouterr().out == ""


@pytest.mark.skipif(os.name == "nt", reason="the flags are set by functions of C")
def test_a_kernel_warns_of_no_product_that_sets_flags_without_a_cause(source, tmp_path):
    """On a processor with such products, which all processes have here."""
    (tmp_path / "sitecustomize.py").write_text("import tests.ofer.flagging\n")
    source.write_text("# %%\nimport numpy as np\nones = np.ones((9, 9))\nones @ ones / 0\n")
    target = tmp_path / "out.ipynb"
    program = (
        "from reproduction.pipeline import execute; "
        f"execute.execute({str(source)!r}, {str(target)!r})"
    )
    environment = os.environ | {"PYTHONPATH": os.pathsep.join([str(tmp_path), str(CHECKOUT)])}
    subprocess.run([sys.executable, "-c", program], env=environment, check=True)
    (cell,) = json.loads(target.read_text())["cells"]
    said = "".join(next(out["text"] for out in cell["outputs"] if out.get("name") == "stderr"))
    assert said.count("Warning") == 1
    assert "divide by zero encountered in divide" in said


def test_long_chapters_say_how_far_they_are(source, tmp_path, monkeypatch, capsys):
    target = tmp_path / "chapter.ipynb"
    monkeypatch.setattr(execute, "PROGRESS_EVERY", 0)
    execute.execute(source, target, {"n": 5})
    cells = json.loads(target.read_text())["cells"]
    said = capsys.readouterr().err
    assert f"chapter: 100%|██████████| {len(cells)}/{len(cells)} " in said
    assert cells[-1]["outputs"][0]["text"][0].startswith("5 "), "parameters replace the defaults"


def test_an_unknown_parameter_is_named_before_anything_runs(source, tmp_path):
    message = r"chapter: parameters must be among \['n'\], those of .*; got \['m'\]"
    with pytest.raises(execute.ChapterError, match=message):
        execute.execute(source, tmp_path / "out.ipynb", {"m": 5})
    assert list(tmp_path.iterdir()) == [source]


def test_a_failing_cell_shows_its_cause_and_leaves_the_old_notebook(source, tmp_path):
    target = tmp_path / "chapter.ipynb"
    target.write_text("old")
    source.write_text('# %%\nn = 0\n\n# %%\nprint("before")\n1 / n\n')
    with pytest.raises(execute.ChapterError, match=r"(?s)cell \[2\] failed.*1 / n.*ZeroDivision"):
        execute.execute(source, target)
    assert target.read_text() == "old"
    assert sorted(tmp_path.iterdir()) == [target, source]


def test_a_cell_that_takes_too_long_is_stopped(source, tmp_path, monkeypatch):
    monkeypatch.setattr(execute, "CELL_TIMEOUT", 1)
    source.write_text("# %%\nwhile True:\n    pass\n")
    with pytest.raises(execute.ChapterError, match=r"(?s)chapter: .*timed out.*while True"):
        execute.execute(source, tmp_path / "out.ipynb")
    assert list(tmp_path.iterdir()) == [source]


def test_a_dead_kernel_is_reported(source, tmp_path):
    source.write_text("# %%\nimport os\nos._exit(1)\n")
    with pytest.raises(execute.ChapterError, match="chapter: Kernel died"):
        execute.execute(source, tmp_path / "out.ipynb")
    assert list(tmp_path.iterdir()) == [source]


@pytest.fixture
def book(tmp_path, monkeypatch):
    """A book with one chapter that needs data nobody has."""
    for name in ("SOURCES", "BOOK", "TRIALS"):
        monkeypatch.setattr(execute, name, tmp_path / name.lower())
        (tmp_path / name.lower()).mkdir()
    monkeypatch.setattr(chapters, "SOURCES", tmp_path / "sources")
    monkeypatch.setattr(execute, "CHECKOUT", tmp_path)
    monkeypatch.setattr(
        "reproduction.datasets.unavailable_reason", lambda name, download: f"no {name} here"
    )
    (tmp_path / "sources" / "01_data.py").write_text(NEEDS.format("gold, silver") + "1 / 0\n")
    (tmp_path / "sources" / "02_plain.py").write_text("# %%\n1 + 1\n")
    return tmp_path / "book"


def test_without_its_data_a_chapter_keeps_its_stored_notebook(book, capsys):
    (book / "01_data.ipynb").write_text("stored")
    assert execute.main(["01_data"]) == 0
    said = capsys.readouterr().out
    assert said == (
        "01_data: fetching gold, silver\n"
        "01_data: skipped, its stored notebook stands. no gold here; no silver here\n"
    )
    assert (book / "01_data.ipynb").read_text() == "stored"


PART = """\
# ---
# jupyter:
#   ofer:
#     data: [gold]
# ---

# %%
n = 1

# %% data=["gold"]
load("gold")

# %%
n + 1
"""


def test_without_its_data_a_cell_keeps_its_stored_outputs(book, capsys):
    """And nothing tells the notebook from one that was executed with them."""
    source, target = book.parent / "sources" / "03_part.py", book / "03_part.ipynb"
    source.write_text(PART.replace('load("gold")', "n + 10"))
    execute.execute(source, target)
    source.write_text(PART)
    stored = target.read_text().replace("n + 10", 'load(\\"gold\\")')
    target.write_text(stored)
    assert execute.main(["03_part"]) == 0
    said = "03_part: no gold here Cells that need it keep their stored outputs.\n"
    assert said in capsys.readouterr().out
    assert target.read_text() == stored

    source.write_text(PART.replace('load("gold")', 'load("gold") + 1'))
    assert execute.main(["03_part"]) == 1
    assert "cell-001 has no stored outputs, and data that it needs are not here (gold)" in (
        capsys.readouterr().err
    )
    assert target.read_text() == stored


def test_damaged_data_are_a_failure_where_missing_ones_are_none(book, monkeypatch, capsys):
    def unavailable_reason(name, download):
        raise DamagedDataError(f"{name}.npz is damaged: it is lead. Restore it.")

    monkeypatch.setattr("reproduction.datasets.unavailable_reason", unavailable_reason)
    (book / "01_data.ipynb").write_text("stored")
    assert execute.main(["01_data"]) == 1
    assert capsys.readouterr().err == (
        "01_data: not executed. gold.npz is damaged: it is lead. Restore it.\n"
    )
    assert (book / "01_data.ipynb").read_text() == "stored"


def test_a_full_disk_is_one_line(book, monkeypatch, capsys):
    def full_disk(notebook, path):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(execute.nbformat, "write", full_disk)
    assert execute.main(["02_plain"]) == 1
    assert capsys.readouterr().err == (
        f"02_plain: {book / '02_plain.ipynb'} was not written (No space left on device).\n"
    )
    assert list(book.iterdir()) == []


@pytest.mark.parametrize("arguments", [["01_data"], ["01_data", "-p", "seed", "3"]])
def test_without_data_and_stored_notebook_a_chapter_is_an_error(book, arguments, capsys):
    assert execute.main(arguments) == 1
    assert capsys.readouterr().err == "01_data: not executed. no gold here; no silver here\n"


def test_command_line_writes_into_the_book_and_says_how_long(book, capsys):
    assert execute.main(["02_plain"]) == 0
    assert capsys.readouterr().out.endswith(" s -> book/02_plain.ipynb\n")
    assert (book / "02_plain.ipynb").exists()


def test_command_line_names_the_chapters_when_there_is_no_such(book, capsys):
    with pytest.raises(SystemExit):
        execute.main(["03"])
    assert "name must be among ['01_data', '02_plain']; got '03'" in capsys.readouterr().err


def test_a_chapter_may_be_named_by_its_files_and_the_nearest_is_named(book, capsys):
    for path in ("notebooks/02_plain.py", "book/02_plain.ipynb"):
        assert execute.main([path]) == 0
    with pytest.raises(SystemExit):
        execute.main(["book/02_plan.ipynb"])
    assert "got 'book/02_plan.ipynb'. Did you mean 02_plain?\n" in capsys.readouterr().err
