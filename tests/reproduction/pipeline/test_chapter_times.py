"""What chapters took here, and the reference that is committed."""

import pytest

from reproduction.pipeline import chapter_times as times


@pytest.fixture
def book(tmp_path, monkeypatch):
    """Two chapters, of which one is in the reference."""
    monkeypatch.setattr(times, "BOOK", tmp_path)
    monkeypatch.setattr(times, "NOTES", tmp_path / "notes")
    monkeypatch.setattr(times, "REFERENCE", tmp_path / "times.csv")
    for name in ("01_one", "02_two"):
        (tmp_path / f"{name}.ipynb").touch()
    times.REFERENCE.write_text("chapter,seconds,processors,load\n00_gone,9,64,\n01_one,50,64,\n")
    return tmp_path


def test_a_machine_s_own_time_comes_before_the_reference(book):
    assert times.seconds_taken("01_one") == 50
    assert times.seconds_taken("02_two") is None
    times.note("01_one", 12.34, 0.5)
    assert times.seconds_taken("01_one") == 12.3
    (times.NOTES / "01_one").write_text("")  # the disk was full
    assert times.seconds_taken("01_one") == 50
    times.REFERENCE.unlink()
    assert times.seconds_taken("01_one") is None


def test_noting_leaves_the_reference_alone(book):
    before = times.REFERENCE.read_bytes()
    times.note("01_one", 1, 0.5)
    assert times.REFERENCE.read_bytes() == before


def test_the_reference_takes_what_was_measured_and_keeps_the_rest(book, monkeypatch):
    monkeypatch.setattr("os.cpu_count", lambda: 2)
    times.note("02_two", 0.4, 1.5)
    times.write_reference()
    assert times.REFERENCE.read_text().splitlines() == [
        "chapter,seconds,processors,load",
        "01_one,50,64,",
        "02_two,1,2,1.5",
    ]


def test_a_load_that_is_not_known_is_not_stored(book, monkeypatch):
    monkeypatch.setattr("os.cpu_count", lambda: 2)
    times.note("01_one", 1, None)
    (times.NOTES / "02_two").write_text("12.3\n")
    times.write_reference()
    assert times.REFERENCE.read_text().splitlines()[1:] == ["01_one,1,2,", "02_two,12,2,"]
