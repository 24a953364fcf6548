"""Filling the cache: over real HTTP, with every way in which that fails."""

import hashlib
import os
import subprocess
import sys
import tempfile
from contextlib import contextmanager
from pathlib import Path
from threading import Barrier

import numpy as np
import pooch
import pytest

from ofer.datasets import DataUnavailableError, data_home
from ofer.datasets._cache import DatasetInfo, RemoteDataset, UpstreamFile, fetch_arrays

TINY_FILES = {"a.txt": b"1 2 3\n", "b.txt": b"4 5\n"}
RAW = {"tiny/raw/a.txt", "tiny/raw/b.txt"}
FULL = RAW | {"tiny/tiny.npz"}


def sha256(content):
    return hashlib.sha256(content).hexdigest()


def tiny_convert(fetch):
    """The converter of the tiny data set."""
    return {
        "a": np.loadtxt(fetch("a.txt"), dtype="<i4"),
        "b": np.loadtxt(fetch("b.txt"), dtype="<f8"),
    }


def tiny_dataset(url):
    """The data set of `TINY_FILES` below the address that `url(name)` gives."""
    return RemoteDataset(
        info=DatasetInfo("tiny", "Five numbers", "public domain", "none", "faithful", "None."),
        prepared="tiny/tiny.npz",
        checksums={
            "a": sha256(np.array([1, 2, 3], dtype="<i4").tobytes()),
            "b": sha256(np.array([4.0, 5.0], dtype="<f8").tobytes()),
        },
        upstream=tuple(
            UpstreamFile(name, url(name), sha256(content)) for name, content in TINY_FILES.items()
        ),
    )


@pytest.fixture
def tiny(upstream):
    """`RemoteDataset` of two files, which `upstream` serves."""
    upstream.files |= TINY_FILES
    return tiny_dataset(upstream.url)


def listing(folder):
    """All files below a folder, so that a forgotten temporary file is seen."""
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}


def assert_tiny(arrays):
    assert arrays.keys() == {"a", "b"}
    np.testing.assert_array_equal(arrays["a"], [1, 2, 3])
    np.testing.assert_array_equal(arrays["b"], [4.0, 5.0])


def put_raw(home, **contents):
    folder = home / "tiny" / "raw"
    folder.mkdir(parents=True)
    for name, content in (TINY_FILES | contents).items():
        (folder / name).write_bytes(content)


def put_prepared(home, **arrays):
    path = home / "tiny" / "tiny.npz"
    path.parent.mkdir(parents=True)
    np.savez_compressed(path, **arrays)
    return path


# Downloads


def test_download_convert_and_keep(tiny, upstream, tmp_path):
    assert_tiny(fetch_arrays(tiny, tiny_convert, home=tmp_path))
    assert listing(tmp_path) == FULL
    assert sorted(upstream.requests) == ["a.txt", "b.txt"]

    assert_tiny(fetch_arrays(tiny, pytest.fail, home=tmp_path))
    assert len(upstream.requests) == 2


def test_the_environment_variable_says_where(tiny, tmp_path, monkeypatch):
    monkeypatch.setenv("OFER_DATA", str(tmp_path / "new" / "folder"))
    fetch_arrays(tiny, tiny_convert)
    assert listing(tmp_path / "new" / "folder") == FULL


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
def test_failed_download_is_one_error_and_leaves_nothing(
    tiny, upstream, tmp_path, break_it, reason
):
    break_it(upstream)
    with pytest.raises(DataUnavailableError, match=reason) as caught:
        fetch_arrays(tiny, tiny_convert, home=tmp_path)
    for part in ("tiny: a.txt", upstream.url("a.txt"), "OFER_DATA", "tiny/tiny.npz"):
        assert part in str(caught.value)
    assert caught.value.__cause__ is not None
    assert listing(tmp_path) == set()


@pytest.mark.parametrize("break_it", [wrong_checksum, truncated, not_found])
def test_a_later_call_is_not_harmed_by_a_failed_one(tiny, upstream, tmp_path, break_it):
    break_it(upstream)
    with pytest.raises(DataUnavailableError):
        fetch_arrays(tiny, tiny_convert, home=tmp_path)
    upstream.files |= TINY_FILES
    upstream.declared.clear()
    assert_tiny(fetch_arrays(tiny, tiny_convert, home=tmp_path))
    assert listing(tmp_path) == FULL


def test_complete_files_survive_the_failure_of_another(tiny, upstream, tmp_path):
    del upstream.files["b.txt"]
    with pytest.raises(DataUnavailableError, match=r"tiny: b\.txt"):
        fetch_arrays(tiny, tiny_convert, home=tmp_path)
    assert listing(tmp_path) == {"tiny/raw/a.txt"}


def test_damaged_upstream_file_is_downloaded_again(tiny, tmp_path):
    put_raw(tmp_path, **{"a.txt": b"1 2"})
    assert_tiny(fetch_arrays(tiny, tiny_convert, home=tmp_path))
    assert (tmp_path / "tiny" / "raw" / "a.txt").read_bytes() == TINY_FILES["a.txt"]


def test_damaged_upstream_file_without_network_is_an_error_and_left_alone(tiny, upstream, tmp_path):
    put_raw(tmp_path, **{"a.txt": b"1 2"})
    upstream.stop()
    with pytest.raises(DataUnavailableError, match=r"a\.txt is not at .* with the expected"):
        fetch_arrays(tiny, tiny_convert, home=tmp_path)
    assert listing(tmp_path) == RAW
    assert (tmp_path / "tiny" / "raw" / "a.txt").read_bytes() == b"1 2"


def test_upstream_files_at_hand_need_no_network(tiny, upstream, tmp_path):
    put_raw(tmp_path)
    assert_tiny(fetch_arrays(tiny, tiny_convert, home=tmp_path))
    assert upstream.requests == []
    assert listing(tmp_path) == FULL


def test_no_download_unless_allowed(tiny, upstream, tmp_path):
    with pytest.raises(DataUnavailableError, match="download_if_missing is False"):
        fetch_arrays(tiny, tiny_convert, home=tmp_path, download_if_missing=False)
    assert upstream.requests == []
    assert listing(tmp_path) == set()


def test_pooch_does_not_print_paths(tiny, tmp_path, caplog, monkeypatch):
    logger = pooch.get_logger()
    monkeypatch.setattr(logger, "handlers", [caplog.handler])
    fetch_arrays(tiny, tiny_convert, home=tmp_path)
    assert caplog.records == []
    logger.info("As before.")
    assert caplog.messages == ["As before."]


def test_two_processes_at_the_same_time(tiny, upstream, tmp_path):
    """Each file is answered only when both processes ask for it, so both really write it."""
    upstream.before_answer = Barrier(2, timeout=60).wait
    script = (
        "import runpy, sys\n"
        "path, base, home = sys.argv[1:]\n"
        "test = runpy.run_path(path)\n"
        "dataset = test['tiny_dataset'](lambda name: base + name)\n"
        "test['assert_tiny'](test['fetch_arrays'](dataset, test['tiny_convert'], home=home))\n"
    )
    processes = [
        subprocess.Popen(
            [sys.executable, "-c", script, __file__, upstream.url(""), str(tmp_path)],
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
    assert listing(tmp_path) == FULL
    assert_tiny(fetch_arrays(tiny, pytest.fail, home=tmp_path))


# Folders that cannot be written


@contextmanager
def full_disk(n_bytes):
    """No file may grow beyond `n_bytes`: writes fail, for the superuser too."""
    resource = pytest.importorskip("resource")
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (n_bytes, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


@pytest.mark.parametrize("n_bytes", [0, 100])
def test_conversion_that_cannot_be_kept_is_used(tiny, tmp_path, n_bytes):
    put_raw(tmp_path)
    with full_disk(n_bytes):
        arrays = fetch_arrays(tiny, tiny_convert, home=tmp_path)
    assert_tiny(arrays)
    assert listing(tmp_path) == RAW


@pytest.mark.parametrize("n_bytes", [0, 3])
def test_download_that_cannot_be_written_is_an_error(tiny, tmp_path, n_bytes):
    with full_disk(n_bytes), pytest.raises(DataUnavailableError, match="OSError"):
        fetch_arrays(tiny, tiny_convert, home=tmp_path)
    assert listing(tmp_path) == set()


def test_folder_that_cannot_be_made(tiny, upstream, tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(DataUnavailableError, match=r"NotADirectoryError.*OFER_DATA"):
        fetch_arrays(tiny, tiny_convert, home=tmp_path / "file" / "below")
    assert upstream.requests == []
    assert listing(tmp_path) == {"file"}


@pytest.mark.skipif(
    not hasattr(os, "geteuid") or os.geteuid() == 0, reason="no folder is closed to the superuser"
)
def test_read_only_folder(tiny, tmp_path):
    put_raw(tmp_path)
    (tmp_path / "tiny").chmod(0o500)
    try:
        arrays = fetch_arrays(tiny, tiny_convert, home=tmp_path)
    finally:
        (tmp_path / "tiny").chmod(0o700)
    assert_tiny(arrays)
    assert listing(tmp_path) == RAW


def test_new_files_can_be_read_by_others_as_far_as_the_user_lets_them(tiny, tmp_path):
    put_raw(tmp_path)
    fetch_arrays(tiny, tiny_convert, home=tmp_path)
    with tempfile.NamedTemporaryFile(dir=tmp_path) as private:
        private_mode = Path(private.name).stat().st_mode
    (tmp_path / "usual").write_text("")
    usual_mode = (tmp_path / "usual").stat().st_mode
    assert (tmp_path / "tiny" / "tiny.npz").stat().st_mode == usual_mode != private_mode


# Prepared files


def test_prepared_file_alone_is_enough(tiny, upstream, tmp_path):
    put_prepared(tmp_path, a=np.array([1, 2, 3], "<i4"), b=np.array([4.0, 5.0]), more=[0])
    assert_tiny(fetch_arrays(tiny, pytest.fail, home=tmp_path))
    assert upstream.requests == []


def test_prepared_file_of_other_contents(tiny, upstream, tmp_path):
    path = put_prepared(tmp_path, a=np.array([1, 2, 4], "<i4"), b=np.array([4.0, 5.0]))
    before = path.read_bytes()
    with pytest.raises(DataUnavailableError, match=r"'a' of .*tiny\.npz has the sha256.*Delete it"):
        fetch_arrays(tiny, pytest.fail, home=tmp_path)
    assert path.read_bytes() == before
    assert upstream.requests == []


def test_prepared_file_without_an_array(tiny, tmp_path):
    put_prepared(tmp_path, a=np.array([1, 2, 3], "<i4"))
    with pytest.raises(DataUnavailableError, match=r"cannot be read \(KeyError: .*b"):
        fetch_arrays(tiny, pytest.fail, home=tmp_path)


class Bomb:
    """Ends the test when it is unpickled."""

    def __reduce__(self):
        return pytest.fail, ("unpickled",)


def test_nothing_is_unpickled(tiny, tmp_path):
    put_prepared(tmp_path, a=np.array([Bomb()], dtype=object), b=np.array([4.0, 5.0]))
    with pytest.raises(DataUnavailableError, match="allow_pickle=False"):
        fetch_arrays(tiny, pytest.fail, home=tmp_path)


def test_no_damage_goes_unseen(tiny, tmp_path):
    """Every byte flipped, every length cut: the right arrays or the one error."""
    path = put_prepared(tmp_path, a=np.array([1, 2, 3], "<i4"), b=np.array([4.0, 5.0]))
    good = path.read_bytes()
    flipped = [good[:i] + bytes([good[i] ^ 0xFF]) + good[i + 1 :] for i in range(len(good))]
    cut = [good[:i] for i in range(len(good))]
    outcomes = {True: 0, False: 0}
    for content in flipped + cut:
        path.write_bytes(content)
        try:
            arrays = fetch_arrays(tiny, pytest.fail, home=tmp_path)
        except DataUnavailableError:
            outcomes[False] += 1
        else:
            assert_tiny(arrays)
            outcomes[True] += 1
    assert outcomes[True] < outcomes[False]


# Conversions


def test_conversion_is_checked_before_it_is_kept(tiny, tmp_path):
    def convert(fetch):
        return tiny_convert(fetch) | {"b": np.array([4.0, 6.0])}

    with pytest.raises(DataUnavailableError, match=r"'b' of tiny, converted .*Other versions"):
        fetch_arrays(tiny, convert, home=tmp_path)
    assert listing(tmp_path) == RAW


def test_part_of_the_arrays_is_used_but_not_kept(tiny, tmp_path):
    def convert(fetch):
        return {"a": tiny_convert(fetch)["a"]}

    assert fetch_arrays(tiny, convert, home=tmp_path).keys() == {"a"}
    assert listing(tmp_path) == RAW
    assert_tiny(fetch_arrays(tiny, tiny_convert, home=tmp_path))
    assert listing(tmp_path) == FULL


# Where the data are


def test_data_home(tmp_path, monkeypatch):
    monkeypatch.setenv("OFER_DATA", str(tmp_path))
    assert data_home() == tmp_path
    assert data_home(tmp_path / "other") == tmp_path / "other"
    monkeypatch.chdir(tmp_path)
    assert data_home("relative") == tmp_path / "relative"
    monkeypatch.setenv("HOME", str(tmp_path))
    assert data_home("~/x") == tmp_path / "x"


@pytest.mark.parametrize("value", [None, ""])
def test_default_data_home_is_the_user_s_cache(value, monkeypatch):
    monkeypatch.delenv("OFER_DATA", raising=False)
    if value is not None:
        monkeypatch.setenv("OFER_DATA", value)
    assert data_home() == pooch.os_cache("ofer")


def test_data_home_must_be_a_path():
    with pytest.raises(TypeError, match="data_home must be a path or None; got 3"):
        data_home(3)
