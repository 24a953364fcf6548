"""There is no room, no permission, an odd path or locale: nothing is lost, and it is said.

Runs that are killed are in ``tests/reproduction/engine/test_resume.py``.
"""

import contextlib
import re

import pytest

from reproduction.engine import Run, get_experiment, load, load_groups, save

CHAPTER = "00_short"
SOURCE = """\
# ---
# jupyter:
#   kernelspec:
#     display_name: Python 3
#     name: python3
# ---

# %%
import ofer

print(f"{ofer.__name__}: ", "ü" * 60_000)
"""


@pytest.fixture
def chapter(clone):
    """Place of the notebook of a chapter that takes no time."""
    (clone.folder / f"notebooks/{CHAPTER}.py").write_text(SOURCE, encoding="utf-8")
    return clone.folder / f"book/{CHAPTER}.ipynb"


def test_a_full_disk_leaves_the_stored_table(tmp_path, monkeypatch):
    resource = pytest.importorskip("resource")
    done = Run(load("ofer-table-09")[0], 1.0, None, load_groups("ofer-table-09"))
    monkeypatch.setenv("OFER_RESULTS", str(tmp_path))
    save(get_experiment("ofer-table-09"), done)
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, limits[1]))
    try:
        with pytest.raises(OSError, match=r"File too large: .*ofer-table-09\."):
            save(get_experiment("ofer-table-09"), done)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before


def test_an_odd_path_and_an_odd_locale_are_no_obstacle(clone, chapter):
    status, said = clone.run(f"make chapter NAME={CHAPTER}")
    assert status == 0, said
    assert "ofer:  üüü" in chapter.read_text(encoding="utf-8")


def test_a_full_disk_leaves_the_notebook(clone, chapter):
    chapter.write_text("what was there")
    status, said = clone.run(f"ulimit -f 100; make chapter NAME={CHAPTER}")
    assert status != 0, said
    assert re.search(rf"{CHAPTER}\.ipynb was not written \(File too large\)", said)
    assert chapter.read_text() == "what was there"
    assert sorted(chapter.parent.glob(".00*")) == []


def test_the_cache_of_another_user_is_named(clone):
    lock = clone.folder / ".cache" / "command.lock"
    with contextlib.suppress(FileNotFoundError):
        lock.unlink()
    lock.mkdir(parents=True)  # cannot be written, even by root
    status, said = clone.run(f"make chapter NAME={CHAPTER}")
    lock.rmdir()
    assert status != 0
    assert "command.lock cannot be written (Is a directory)." in said
    assert ".cache may be removed" in said
    assert "Traceback" not in said
