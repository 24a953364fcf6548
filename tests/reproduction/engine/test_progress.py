import pytest

from reproduction.engine.progress import format_duration, progress_bar


def test_a_log_gets_few_lines_and_the_last_one(capsys):
    with progress_bar("toy", 100, done=40) as bar:
        for _ in range(60):
            bar.update()
    lines = capsys.readouterr().err.split("\r")
    assert len([line for line in lines if line.strip()]) == 2
    assert "toy:  40%" in lines[1]
    assert " 100/100 " in lines[-1]


def test_nothing_is_said_where_nothing_is_wanted(capsys):
    with progress_bar("toy", 1, shown=False) as bar:
        bar.update()
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (0.4, "0 s"),
        (59.6, "1 min 0 s"),
        (61, "1 min 1 s"),
        (3599.7, "1 h 0 min"),
        (90061, "25 h 1 min"),
    ],
)
def test_format_duration(seconds, text):
    assert format_duration(seconds) == text
