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
