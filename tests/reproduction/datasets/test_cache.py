"""The cache folder: what is used from it, what is kept in it, and where it is."""

import os
import tempfile
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import numpy as np
import pooch
import pytest

from reproduction.datasets import DataUnavailableError, data_home

RAW = {"tiny/raw/a.txt", "tiny/raw/b.txt"}
FULL = RAW | {"tiny/tiny.npz"}


# Prepared files


def test_prepared_file_alone_is_enough(tiny, upstream):
    tiny.put_prepared(a=np.array([1, 2, 3], "<i4"), b=np.array([4.0, 5.0]), more=[0])
    tiny.check(tiny.fetch(pytest.fail))
    assert upstream.requests == []


def test_prepared_file_of_other_contents(tiny, upstream):
    path = tiny.put_prepared(a=np.array([1, 2, 4], "<i4"), b=np.array([4.0, 5.0]))
    before = path.read_bytes()
    with pytest.raises(DataUnavailableError, match=r"'a' of .*tiny\.npz has the sha256.*Delete it"):
        tiny.fetch(pytest.fail)
    assert path.read_bytes() == before
    assert upstream.requests == []


def test_prepared_file_without_an_array(tiny):
    tiny.put_prepared(a=np.array([1, 2, 3], "<i4"))
    with pytest.raises(DataUnavailableError, match=r"cannot be read \(KeyError: .*b"):
        tiny.fetch(pytest.fail)


class Bomb:
    """Ends the test when it is unpickled."""

    def __reduce__(self):
        return pytest.fail, ("unpickled",)


def test_nothing_is_unpickled(tiny):
    tiny.put_prepared(a=np.array([Bomb()], dtype=object), b=np.array([4.0, 5.0]))
    with pytest.raises(DataUnavailableError, match="allow_pickle=False"):
        tiny.fetch(pytest.fail)


def test_no_damage_goes_unseen(tiny):
    """Every byte flipped, every length cut: the right arrays or the one error."""
    path = tiny.put_prepared(a=np.array([1, 2, 3], "<i4"), b=np.array([4.0, 5.0]))
    good = path.read_bytes()
    flipped = [good[:i] + bytes([good[i] ^ 0xFF]) + good[i + 1 :] for i in range(len(good))]
    cut = [good[:i] for i in range(len(good))]
    outcomes = {True: 0, False: 0}
    for content in flipped + cut:
        path.write_bytes(content)
        try:
            arrays = tiny.fetch(pytest.fail)
        except DataUnavailableError:
            outcomes[False] += 1
        else:
            tiny.check(arrays)
            outcomes[True] += 1
    assert outcomes[True] < outcomes[False]


# Conversions


def test_conversion_is_checked_before_it_is_kept(tiny):
    def convert(fetch):
        return tiny.convert(fetch) | {"b": np.array([4.0, 6.0])}

    with pytest.raises(DataUnavailableError, match=r"'b' of tiny, converted .*Other versions"):
        tiny.fetch(convert)
    assert tiny.listing() == RAW


def test_part_of_the_arrays_is_used_but_not_kept(tiny):
    def convert(fetch):
        return {"a": tiny.convert(fetch)["a"]}

    assert tiny.fetch(convert).keys() == {"a"}
    assert tiny.listing() == RAW
    tiny.check(tiny.fetch())
    assert tiny.listing() == FULL


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
def test_conversion_that_cannot_be_kept_is_used(tiny, n_bytes):
    tiny.put_raw()
    with full_disk(n_bytes):
        arrays = tiny.fetch()
    tiny.check(arrays)
    assert tiny.listing() == RAW


@pytest.mark.parametrize("n_bytes", [0, 3])
def test_download_that_cannot_be_written_is_an_error(tiny, n_bytes):
    with full_disk(n_bytes), pytest.raises(DataUnavailableError, match="OSError"):
        tiny.fetch()
    assert tiny.listing() == set()


def test_folder_that_cannot_be_made(tiny, upstream, tmp_path):
    (tmp_path / "file").write_text("")
    tiny.home = tmp_path / "file" / "below"
    with pytest.raises(DataUnavailableError, match=r"NotADirectoryError.*OFER_DATA"):
        tiny.fetch()
    assert upstream.requests == []
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


@pytest.mark.skipif(
    not hasattr(os, "geteuid") or os.geteuid() == 0, reason="no folder is closed to the superuser"
)
def test_read_only_folder(tiny, tmp_path):
    tiny.put_raw()
    (tmp_path / "tiny").chmod(0o500)
    try:
        arrays = tiny.fetch()
    finally:
        (tmp_path / "tiny").chmod(0o700)
    tiny.check(arrays)
    assert tiny.listing() == RAW


def test_new_files_can_be_read_by_others_as_far_as_the_user_lets_them(tiny, tmp_path):
    tiny.put_raw()
    tiny.fetch()
    with tempfile.NamedTemporaryFile(dir=tmp_path) as private:
        private_mode = Path(private.name).stat().st_mode
    (tmp_path / "usual").write_text("")
    usual_mode = (tmp_path / "usual").stat().st_mode
    assert (tmp_path / "tiny" / "tiny.npz").stat().st_mode == usual_mode != private_mode


# No upstream files


def test_prepared_file_is_enough_without_upstream_files(tiny):
    tiny.dataset = replace(tiny.dataset, upstream=(), convert=None)
    tiny.put_prepared(**tiny.arrays)
    tiny.check(tiny.fetch())


def test_missing_prepared_file_without_upstream_files(tiny, upstream):
    tiny.dataset = replace(tiny.dataset, upstream=(), convert=None)
    with pytest.raises(
        DataUnavailableError,
        match=r"tiny: .*tiny\.npz is not there.*Set OFER_DATA.* tiny/tiny\.npz\. .*in a drawer",
    ):
        tiny.fetch()
    assert upstream.requests == []
    assert tiny.listing() == set()


def test_damaged_prepared_file_without_upstream_files(tiny):
    tiny.dataset = replace(tiny.dataset, upstream=(), convert=None)
    tiny.put_prepared(a=np.array([1, 2, 4], "<i4"), b=np.array([4.0, 5.0]))
    with pytest.raises(DataUnavailableError, match=r"sha256 .* Set OFER_DATA to .* undamaged one"):
        tiny.fetch()
