"""What is stored and never computed again has a checksum."""

import pytest

from reproduction.pipeline import sums


def test_stored_files_are_what_they_were():
    mend = "restore them by `git checkout`; after a change that is meant, `make sums`"
    assert sums.changed_files() == [], mend


@pytest.fixture
def book(tmp_path):
    (tmp_path / "paper").mkdir()
    for name in ("paper/table-01.csv", "times.csv", "claims.yml"):
        (tmp_path / name).write_text(name)
    sums.main(tmp_path)
    return tmp_path


def test_nothing_has_changed(book):
    assert sums.changed_files(book) == []
    (book / "claims.yml").write_text("which tests compute")
    assert sums.changed_files(book) == []


def test_altered_new_and_missing_files_are_named(book):
    (book / "paper/table-01.csv").write_text("paper/table-02.csv")
    (book / "paper/table-03.csv").touch()
    (book / "times.csv").unlink()
    assert sums.changed_files(book) == ["paper/table-01.csv", "paper/table-03.csv", "times.csv"]


def test_the_form_is_that_of_sha256sum(book):
    line = (book / sums.SUMS).read_text().splitlines()[1]
    digest, name = line.split("  ")
    assert (len(digest), name) == (64, "times.csv")
