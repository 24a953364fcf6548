"""Downloads into the cache over real HTTP, with every way in which they fail."""

import subprocess
import sys
from pathlib import Path
from threading import Barrier

import pooch
import pytest

from reproduction.datasets import DataUnavailableError

RAW = {"tiny/raw/a.txt", "tiny/raw/b.txt"}
FULL = RAW | {"tiny/tiny.npz"}


def test_download_convert_and_keep(tiny, upstream):
    tiny.check(tiny.fetch())
    assert tiny.listing() == FULL
    assert sorted(upstream.requests) == ["a.txt", "b.txt"]

    tiny.check(tiny.fetch(pytest.fail))
    assert len(upstream.requests) == 2


def test_the_environment_variable_says_where(tiny, tmp_path, monkeypatch):
    monkeypatch.setenv("OFER_DATA", str(tmp_path / "new" / "folder"))
    tiny.dataset.arrays()
    tiny.home = tmp_path / "new" / "folder"
    assert tiny.listing() == FULL


def wrong_checksum(upstream):
    upstream.files["a.txt"] = b"1 2 4\n"


def truncated(upstream):
    upstream.declared["a.txt"] = 1000


def not_found(upstream):
    del upstream.files["a.txt"]


def refused(upstream):
    upstream.stop()


@pytest.mark.parametrize(
    ("break_it", "reason"),
    [
        (wrong_checksum, "ValueError: SHA256 hash"),
        (truncated, "ChunkedEncodingError"),
        (not_found, "HTTPError: 404"),
        (refused, "ConnectionError"),
    ],
)
def test_failed_download_is_one_error_and_leaves_nothing(tiny, upstream, break_it, reason):
    break_it(upstream)
    with pytest.raises(DataUnavailableError, match=reason) as caught:
        tiny.fetch()
    for part in ("tiny is missing: a.txt", "`make data` tries again; see the page Data."):
        assert part in str(caught.value)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 200
    assert caught.value.__cause__ is not None
    assert tiny.listing() == set()


@pytest.mark.parametrize("break_it", [wrong_checksum, truncated, not_found])
def test_a_later_call_is_not_harmed_by_a_failed_one(tiny, upstream, break_it):
    break_it(upstream)
    with pytest.raises(DataUnavailableError):
        tiny.fetch()
    upstream.files |= tiny.files
    upstream.declared.clear()
    tiny.check(tiny.fetch())
    assert tiny.listing() == FULL


def test_complete_files_survive_the_failure_of_another(tiny, upstream):
    del upstream.files["b.txt"]
    with pytest.raises(DataUnavailableError, match=r"tiny is missing: b\.txt"):
        tiny.fetch()
    assert tiny.listing() == {"tiny/raw/a.txt"}


def test_damaged_upstream_file_is_downloaded_again(tiny, tmp_path):
    tiny.put_raw(**{"a.txt": b"1 2"})
    tiny.check(tiny.fetch())
    assert (tmp_path / "tiny" / "raw" / "a.txt").read_bytes() == tiny.files["a.txt"]


def test_damaged_upstream_file_without_network_is_an_error_and_left_alone(tiny, upstream, tmp_path):
    tiny.put_raw(**{"a.txt": b"1 2"})
    upstream.stop()
    with pytest.raises(DataUnavailableError, match=r"a\.txt was not downloaded"):
        tiny.fetch()
    assert tiny.listing() == RAW
    assert (tmp_path / "tiny" / "raw" / "a.txt").read_bytes() == b"1 2"


def test_upstream_files_at_hand_need_no_network(tiny, upstream):
    tiny.put_raw()
    tiny.check(tiny.fetch())
    assert upstream.requests == []
    assert tiny.listing() == FULL


def test_no_download_unless_allowed(tiny, upstream):
    with pytest.raises(DataUnavailableError, match="tiny is missing: `make data` downloads it"):
        tiny.fetch(download_if_missing=False)
    assert upstream.requests == []
    assert tiny.listing() == set()


def test_pooch_does_not_print_paths(tiny, caplog, monkeypatch):
    logger = pooch.get_logger()
    monkeypatch.setattr(logger, "handlers", [caplog.handler])
    tiny.fetch()
    assert caplog.records == []
    logger.info("As before.")
    assert caplog.messages == ["As before."]


def test_two_processes_at_the_same_time(tiny, upstream, tmp_path):
    """Each file is answered only when both processes ask for it, so both really write it."""
    upstream.before_answer = Barrier(2, timeout=60).wait
    script = (
        "import runpy, sys\n"
        "conftest, base, home = sys.argv[1:]\n"
        "tiny = runpy.run_path(conftest)['Tiny'](lambda name: base + name, home)\n"
        "tiny.check(tiny.fetch())\n"
    )
    conftest = Path(__file__).with_name("conftest.py")
    processes = [
        subprocess.Popen(
            [sys.executable, "-c", script, conftest, upstream.url(""), tmp_path],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for _ in range(2)
    ]
    for process in processes:
        out, err = process.communicate(timeout=120)
        assert (process.returncode, out, err) == (0, "", "")
    assert sorted(upstream.requests) == ["a.txt", "a.txt", "b.txt", "b.txt"]
    assert tiny.listing() == FULL
    tiny.check(tiny.fetch(pytest.fail))
