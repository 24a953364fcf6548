"""Where data are looked for, what is downloaded and kept, and what is said of damage."""

import numpy as np
import pooch
import pytest

from reproduction.datasets import (
    DamagedDataError,
    DataUnavailableError,
    data_folders,
)

RAW = {"tiny/raw/a.txt", "tiny/raw/b.txt"}
FULL = RAW | {"tiny/tiny.npz"}


def test_fields_are_stored_arrays_or_assembled(tiny):
    numbers = tiny.dataset.fetch(data_home=tiny.home, factor=2.0)
    assert list(numbers) == ["sum", "integers", "b", "DESCR", "checksums"]
    assert numbers.sum == 18.0
    np.testing.assert_array_equal(numbers.integers, np.array([1, 2, 3], np.int64), strict=True)
    assert tiny.dataset.describe() == numbers.DESCR
    with pytest.raises(TypeError, match="unexpected keyword argument 'facto'"):
        tiny.dataset.fetch(data_home=tiny.home, facto=2.0)


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
    path = tiny.put_prepared()
    assert tiny.dataset.prepared_file() == path
    tiny.check(tiny.dataset.arrays())
    assert upstream.requests == []


def test_first_folder_wins_and_its_damage_is_an_error(tiny, three):
    for folder in three.values():
        tiny.home = folder
        tiny.put_prepared()
    (three["own"] / "tiny" / "tiny.npz").write_bytes(b"no")
    with pytest.raises(DamagedDataError, match=r"own/tiny/tiny\.npz is damaged: .*Delete it"):
        tiny.dataset.arrays()


def test_folder_of_the_caller_is_the_only_one(tiny, three, tmp_path):
    tiny.home = three["checkout/data"]
    tiny.put_prepared()
    assert tiny.dataset.prepared_file(data_home=tmp_path) is None


@pytest.mark.parametrize("part", ["own", "cache"])
def test_downloads_are_kept_outside_of_the_checkout(tiny, three, part, monkeypatch):
    if part == "cache":
        monkeypatch.delenv("OFER_DATA")
    tiny.check(tiny.dataset.arrays())
    assert {name for name, folder in three.items() if folder.exists()} == {part}
    tiny.home = three[part]
    assert tiny.listing() == FULL


# Damage


def test_a_file_of_the_checkout_is_restored(tiny, three):
    tiny.home = three["checkout/data"]
    tiny.put_prepared().write_bytes(b"no")
    with pytest.raises(DamagedDataError, match=r"Restore it: git checkout -- data/tiny/tiny\.npz"):
        tiny.dataset.unavailable_reason()


@pytest.mark.parametrize(
    ("upstream_files", "remedy"),
    [(True, "Delete it"), (False, "Set OFER_DATA to a folder with an undamaged one")],
)
def test_other_contents_are_named_and_left_alone(tiny, upstream, upstream_files, remedy):
    if not upstream_files:
        tiny.change(upstream=(), convert=None)
    path = tiny.put_prepared(a=np.array([1, 2, 4], "<i4"))
    before = path.read_bytes()
    said = rf"^.*tiny\.npz is damaged: its array 'a' has the sha256.* instead of .*\. {remedy}.*$"
    with pytest.raises(DamagedDataError, match=said):
        tiny.fetch()
    assert path.read_bytes() == before
    assert upstream.requests == []


def test_no_damage_goes_unseen(tiny):
    """Bytes flipped, lengths cut: the right arrays or the one error."""
    path = tiny.put_prepared()
    good, right = path.read_bytes(), 0
    flipped = [good[:i] + bytes([good[i] ^ 0xFF]) + good[i + 1 :] for i in range(0, len(good), 7)]
    for content in flipped + [good[:i] for i in range(0, len(good), 7)]:
        path.write_bytes(content)
        try:
            tiny.check(tiny.fetch())
            right += 1
        except DamagedDataError:
            pass
    assert right < len(flipped)


class Bomb:
    """Ends the test when it is unpickled."""

    def __reduce__(self):
        return pytest.fail, ("unpickled",)


def test_nothing_is_unpickled(tiny):
    tiny.put_prepared(a=np.array([Bomb()], dtype=object))
    with pytest.raises(DamagedDataError, match="allow_pickle=False"):
        tiny.fetch()


# Downloads


def test_download_convert_and_keep(tiny, upstream, caplog):
    tiny.check(tiny.fetch())
    assert tiny.listing() == FULL
    assert sorted(upstream.requests) == ["a.txt", "b.txt"]
    tiny.check(tiny.fetch())
    assert len(upstream.requests) == 2
    assert not pooch.get_logger().isEnabledFor(20), "no local path goes into a notebook"


def test_upstream_files_at_hand_need_no_network(tiny, upstream):
    tiny.put_raw()
    tiny.check(tiny.fetch())
    assert upstream.requests == []
    assert tiny.listing() == FULL


def wrong_checksum(upstream):
    upstream.files["a.txt"] = b"1 2 4\n"


def not_found(upstream):
    del upstream.files["a.txt"]


def refused(upstream):
    upstream.stop()


@pytest.mark.parametrize(
    ("break_it", "reason"),
    [
        (wrong_checksum, "ValueError: SHA256 hash"),
        (not_found, "HTTPError: 404"),
        (refused, "ConnectionError"),
    ],
)
def test_failed_download_is_one_line_and_leaves_nothing(tiny, upstream, break_it, reason):
    break_it(upstream)
    with pytest.raises(DataUnavailableError, match=reason) as caught:
        tiny.fetch()
    for part in ("tiny is missing: a.txt", "`make data` tries again; see the page Data."):
        assert part in str(caught.value)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 200
    assert tiny.listing() == set()


def test_damaged_upstream_file_is_downloaded_again(tiny, tmp_path):
    tiny.put_raw(**{"a.txt": b"1 2"})
    tiny.check(tiny.fetch())
    assert (tmp_path / "tiny" / "raw" / "a.txt").read_bytes() == tiny.files["a.txt"]


def test_other_conversion_is_an_error_and_not_kept(tiny):
    tiny.put_raw()
    tiny.change(convert=lambda fetch: tiny.arrays | {"b": np.array([4.0, 6.0])})
    with pytest.raises(DataUnavailableError, match=r"tiny was converted .* 'b' .*Other versions"):
        tiny.fetch()
    assert tiny.listing() == RAW


@pytest.mark.parametrize("raw", [True, False])
def test_full_disk(tiny, raw):
    """What cannot be kept is used all the same; what cannot be downloaded is the error."""
    resource = pytest.importorskip("resource")
    if raw:
        tiny.put_raw()
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (3, hard))
    try:
        if raw:
            tiny.check(tiny.fetch())
        else:
            with pytest.raises(DataUnavailableError, match="OSError"):
                tiny.fetch()
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert tiny.listing() == (RAW if raw else set())
