import pytest

from reproduction.files import replacing


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


def test_a_folder_takes_the_place_of_another(tmp_path):
    for name in ("old", "new"):
        with replacing(tmp_path / "html") as part:
            part.mkdir()
            (part / name).touch()
    assert [path.name for path in (tmp_path / "html").iterdir()] == ["new"]
