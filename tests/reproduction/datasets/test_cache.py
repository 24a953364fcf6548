"""The cache folder: what is used from it, what is kept in it, and where it is."""

import os
import tempfile
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import numpy as np
import pooch
import pytest

from reproduction.datasets import (
    DamagedDataError,
    DataUnavailableError,
    data_folders,
    data_home,
)

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
    said = r"tiny\.npz is damaged: its array 'a' has the sha256.*Delete it"
    with pytest.raises(DamagedDataError, match=said):
        tiny.fetch(pytest.fail)
    assert path.read_bytes() == before
    assert upstream.requests == []


def test_prepared_file_without_an_array(tiny):
    tiny.put_prepared(a=np.array([1, 2, 3], "<i4"))
    with pytest.raises(DamagedDataError, match=r"cannot be read \(KeyError: .*b"):
        tiny.fetch(pytest.fail)


class Bomb:
    """Ends the test when it is unpickled."""

    def __reduce__(self):
        return pytest.fail, ("unpickled",)


def test_nothing_is_unpickled(tiny):
    tiny.put_prepared(a=np.array([Bomb()], dtype=object), b=np.array([4.0, 5.0]))
    with pytest.raises(DamagedDataError, match="allow_pickle=False"):
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
        except DamagedDataError:
            outcomes[False] += 1
        else:
            tiny.check(arrays)
            outcomes[True] += 1
    assert outcomes[True] < outcomes[False]


# Conversions


def test_conversion_is_checked_before_it_is_kept(tiny):
    def convert(fetch):
        return tiny.convert(fetch) | {"b": np.array([4.0, 6.0])}

    with pytest.raises(DataUnavailableError, match=r"tiny was converted .* 'b' .*Other versions"):
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
    with pytest.raises(DataUnavailableError, match=r"NotADirectoryError.*the page Data"):
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


@pytest.fixture
def others_may_read():
    """Whatever the one who runs the tests lets others do."""
    before = os.umask(0o022)
    yield
    os.umask(before)


def test_new_files_can_be_read_by_others_as_far_as_the_user_lets_them(
    tiny, tmp_path, others_may_read
):
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
        match=r"^tiny is missing.* put tiny/tiny\.npz into the folder OFER_DATA\.",
    ):
        tiny.fetch()
    assert upstream.requests == []
    assert tiny.listing() == set()


def test_damaged_prepared_file_without_upstream_files(tiny):
    tiny.dataset = replace(tiny.dataset, upstream=(), convert=None)
    tiny.put_prepared(a=np.array([1, 2, 4], "<i4"), b=np.array([4.0, 5.0]))
    with pytest.raises(DamagedDataError, match=r"sha256 .* Set OFER_DATA to .* undamaged one"):
        tiny.fetch()


# Which folder comes first


@pytest.fixture
def three(tiny, tmp_path, monkeypatch):
    """Folders by their part: of the variable, of the checkout, of the user's cache."""
    folders = {part: tmp_path / part for part in ("own", "checkout/data", "cache")}
    monkeypatch.setattr("reproduction.paths.CHECKOUT", tmp_path / "checkout")
    monkeypatch.setattr("pooch.os_cache", lambda name: folders["cache"])
    monkeypatch.setenv("OFER_DATA", str(folders["own"]))
    return folders


def test_order_of_the_folders(three, monkeypatch):
    assert data_folders() == list(three.values())
    monkeypatch.delenv("OFER_DATA")
    assert data_folders() == list(three.values())[1:]
    assert data_folders(three["own"]) == [three["own"]]


@pytest.mark.parametrize("part", ["own", "checkout/data", "cache"])
def test_prepared_file_is_found_in_each_folder(tiny, upstream, three, part):
    tiny.home = three[part]
    path = tiny.put_prepared(**tiny.arrays)
    assert tiny.dataset.prepared_file() == path
    tiny.check(tiny.dataset.arrays())
    assert upstream.requests == []


def test_first_folder_wins_and_its_damage_is_an_error(tiny, three):
    for folder in three.values():
        tiny.home = folder
        tiny.put_prepared(**tiny.arrays)
    (three["own"] / "tiny" / "tiny.npz").write_bytes(b"no")
    with pytest.raises(DamagedDataError, match=r"own/tiny/tiny\.npz is damaged: .*Delete it"):
        tiny.dataset.arrays()


def test_a_file_of_the_checkout_is_restored(tiny, three):
    tiny.home = three["checkout/data"]
    tiny.put_prepared(**tiny.arrays).write_bytes(b"no")
    with pytest.raises(DamagedDataError, match=r"Restore it: git checkout -- data/tiny/tiny\.npz"):
        tiny.dataset.unavailable_reason()


@pytest.mark.parametrize("part", ["own", "cache"])
def test_downloads_are_kept_outside_of_the_checkout(tiny, three, part, monkeypatch):
    if part == "cache":
        monkeypatch.delenv("OFER_DATA")
    tiny.check(tiny.dataset.arrays())
    assert {name for name, folder in three.items() if folder.exists()} == {part}
    tiny.home = three[part]
    assert tiny.listing() == FULL


def test_folder_of_the_caller_is_the_only_one(tiny, three, tmp_path):
    tiny.home = three["checkout/data"]
    tiny.put_prepared(**tiny.arrays)
    assert tiny.dataset.prepared_file(data_home=tmp_path) is None


def test_conversion_does_not_look_at_the_prepared_file(tiny):
    tiny.put_raw()
    tiny.put_prepared(a=np.array([0]))
    tiny.check(tiny.dataset.convert_upstream(data_home=tiny.home, download_if_missing=False))
