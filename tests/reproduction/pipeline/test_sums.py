"""What is stored and never computed again has a checksum."""

import pytest

from reproduction.pipeline import sums


def test_stored_files_are_what_they_were():
    mend = "restore them by `git checkout`; after a change that is meant, `make sums`"
    assert sums.changed_files() == [], mend


@pytest.fixture
def book(tmp_path):
    (tmp_path / "paper").mkdir()
    (tmp_path / "paper" / "notes").mkdir()
    for name in ("paper/table-01.csv", "paper/notes/bold.csv", "times.csv", "claims.yml"):
        (tmp_path / name).write_text(name)
    sums.main([], tmp_path)
    return tmp_path


def test_nothing_has_changed(book):
    assert sums.changed_files(book) == []
    (book / "claims.yml").write_text("which tests compute")
    assert sums.changed_files(book) == []


def test_altered_new_and_missing_files_are_named(book):
    (book / "paper/table-01.csv").write_text("paper/table-02.csv")
    (book / "paper/notes/bold.csv").write_text("none")
    (book / "paper/table-03.csv").touch()
    (book / "times.csv").unlink()
    changed = ["paper/notes/bold.csv", "paper/table-01.csv", "paper/table-03.csv", "times.csv"]
    assert sums.changed_files(book) == changed


def test_who_measures_anew_vouches_for_its_own_files_alone(book, capsys):
    for name in ("paper/table-01.csv", "times.csv"):
        (book / name).write_text("altered")
    sums.main(["times.csv"], book)
    assert sums.changed_files(book) == ["paper/table-01.csv"]
    with pytest.raises(SystemExit):
        sums.main(["claims.yml"], book)
    assert "got claims.yml." in capsys.readouterr().err


def test_the_form_is_that_of_sha256sum(book):
    line = (book / sums.SUMS).read_text().splitlines()[-1]
    digest, name = line.split("  ")
    assert (len(digest), name) == (64, "times.csv")
