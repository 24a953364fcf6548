import errno
from pathlib import Path

import pytest

from reproduction.files import naming, replacing

FULL = Path("/dev/full")  # a disk without space, as far as one who writes to it can tell


def test_what_fails_leaves_the_old_one(tmp_path):
    path = tmp_path / "deep" / "file.txt"
    with replacing(path) as part:
        part.write_text("old")

    def write(text):
        with replacing(path) as part:
            part.write_text(text)
            raise OSError("disk full")

    with pytest.raises(OSError, match="full"):
        write("ne")
    assert path.read_text() == "old"
    assert [*path.parent.iterdir()] == [path]


@pytest.mark.skipif(not FULL.exists(), reason="there is no /dev/full")
@pytest.mark.parametrize("context", [naming, replacing])
def test_a_full_disk_is_an_error_that_names_the_file(tmp_path, context):
    path = tmp_path / "file.txt"
    with pytest.raises(OSError, match=r"No space left.*file\.txt") as caught, context(path):
        FULL.write_text("too much")
    assert caught.value.errno == errno.ENOSPC
    assert [*tmp_path.iterdir()] == []


def test_an_error_that_names_a_file_or_is_of_no_system_stays_as_it_is(tmp_path):
    for error in (FileNotFoundError(errno.ENOENT, "gone", "other.txt"), OSError("of our own")):
        said = str(error)
        with pytest.raises(OSError, match=said.replace("[", r"\[")), naming(tmp_path / "file.txt"):
            raise error
        assert str(error) == said


def test_a_folder_takes_the_place_of_another(tmp_path):
    for name in ("old", "new"):
        with replacing(tmp_path / "html") as part:
            part.mkdir()
            (part / name).touch()
    assert [path.name for path in (tmp_path / "html").iterdir()] == ["new"]
