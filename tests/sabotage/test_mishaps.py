"""A command is killed, or has no room: nothing is lost, and nothing is claimed that is not so."""

import os
import re
import signal
import subprocess

import psutil
import pytest

pytestmark = pytest.mark.sabotage

TABLE, OWNER = "ofer-weak-weight", "06_5_classification"  # 60 units of half a second
BUILD = ".venv/bin/doit -f reproduction/pipeline/dodo.py chapter:"
RESULTS = f"make results ID={TABLE} JOBS=1"


def kernels(process):
    """Kernels that a command has started."""
    found = psutil.Process(process.pid).children(recursive=True)
    return [one for one in found if "ipykernel_launcher" in " ".join(one.cmdline())]


def wait_for(process, pattern):
    """Read what a command says up to a line that matches."""
    for line in process.stdout:
        if re.search(pattern, line):
            return
    raise AssertionError(f"{pattern} was never said")


def test_a_killed_kernel_computes_nothing(clone):
    process = clone.start(f"{RESULTS} FRESH=1")
    wait_for(process, "computing because asked")
    for kernel in kernels(process):
        kernel.kill()
    said = process.communicate()[0]
    assert process.returncode != 0
    assert f"{TABLE}: not computed, the stored table stands" in said
    assert f"{TABLE}: stored" not in said


def test_a_killed_run_continues_and_says_which_lines_are_damaged(clone):
    process = clone.start(f"{RESULTS} FRESH=1")
    wait_for(process, r"[3-9]/60")
    os.killpg(process.pid, signal.SIGKILL)
    process.communicate()
    (scratch,) = (clone / f".cache/scratch/{TABLE}").glob("*.jsonl")
    lines = scratch.read_bytes().splitlines()
    scratch.write_bytes(b"\n".join([*lines[:-1], lines[-1].replace(b": ", b": 1")]))
    status, said = clone.run(RESULTS)
    assert status == 0, said
    assert re.search(r"\.jsonl: 1 of \d+ lines are damaged", said)
    assert f"{TABLE}: stored after" in said


def test_a_killed_build_does_not_begin_anew(clone):
    names = "00_overview", "02_output_fisher_embedding_regression"
    process = clone.start(" ".join([BUILD + names[0], f"chapter:{names[1]}"]))
    wait_for(process, rf"{names[0]}: \d+ s")
    wait_until_noted = clone / f".cache/executed/{names[0]}"
    while not wait_until_noted.exists() and process.poll() is None:
        pass
    os.killpg(process.pid, signal.SIGKILL)
    process.communicate()
    status, said = clone.run(BUILD + names[0])
    assert status == 0, said
    assert f"{names[0]}: " not in said


def test_half_a_notebook_is_made_again(clone):
    path = clone / "book/01_introduction.ipynb"
    whole = path.read_bytes()
    path.write_bytes(whole[:1000])
    status, said = clone.run(f"{BUILD}01_introduction")
    assert status == 0, said
    assert path.read_bytes() == whole


def test_a_full_disk_leaves_what_was_there(clone):
    path = clone / "book/01_introduction.ipynb"
    whole = path.read_bytes()
    status, said = clone.run("ulimit -f 100; make chapter NAME=01_introduction")
    assert status != 0, said
    assert re.search(r"01_introduction\.ipynb was not written \(File too large\)", said)
    assert path.read_bytes() == whole
    assert sorted(path.parent.glob(".01*")) == []


@pytest.mark.parametrize("note", ["doit.json", "executed/01_introduction"])
def test_half_a_note_of_the_build_is_no_harm(clone, note):
    assert clone.run(f"{BUILD}01_introduction")[0] == 0
    path = clone / ".cache" / note
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
    status, said = clone.run(f"{BUILD}01_introduction")
    assert status == 0, said


@pytest.mark.skipif(os.name != "posix" or os.getuid(), reason="root alone can become nobody")
def test_a_folder_that_cannot_be_written_is_said(clone):
    for folder in (clone.folder, *clone.folder.parents[:2]):
        folder.chmod(0o755)
    done = subprocess.run(
        ["make", "book"], cwd=clone.folder, user="nobody", capture_output=True, text=True
    )
    assert done.returncode != 0
    assert "Nothing can be written to . of" in done.stderr


def test_an_odd_path_and_an_odd_locale_are_no_obstacle(clone):
    clone.environment["LC_ALL"] = "C"
    status, said = clone.run("make chapter NAME=02_output_fisher_embedding_regression")
    assert status == 0, said
