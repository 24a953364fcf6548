import io

import pytest

from reproduction.engine.progress import Progress, format_duration


class Terminal(io.StringIO):
    def isatty(self):
        return True


@pytest.fixture
def clock(monkeypatch):
    """Clock that a test sets by hand."""
    now = [100.0]
    monkeypatch.setattr("time.monotonic", lambda: now[0])
    return now


def test_time_left_counts_only_this_run(clock):
    stream = io.StringIO()
    progress = Progress("toy", 10, done=4, stream=stream)
    clock[0] += 60.0
    progress.update(("ridge", "10", 0))
    clock[0] += 20.0
    progress.update(("ridge", "10", 1))
    assert stream.getvalue().splitlines() == [
        "toy: ridge, 10, split 0: 5/10, elapsed 1 min 0 s, about 5 min 0 s left",
        "toy: ridge, 10, split 1: 6/10, elapsed 1 min 20 s, about 2 min 40 s left",
    ]


def test_a_notebook_gets_few_lines_and_the_last_one(clock):
    stream = io.StringIO()
    progress = Progress("toy", 100, stream=stream)
    for split in range(100):
        clock[0] += 0.3
        progress.update(("ridge", "10", split))
    lines = stream.getvalue().splitlines()
    assert len(lines) == 6  # of thirty seconds
    assert ": 100/100, elapsed 30 s, " in lines[-1]


def test_terminal_line_is_rewritten_in_place(clock):
    stream = Terminal()
    progress = Progress("toy", 2, stream=stream)
    progress.update(("ridge", "10", 0))
    progress.update(("ridge", "10", 1))
    first, second = stream.getvalue().split("\r")[1:]
    assert "\n" not in first
    assert second.endswith("left\x1b[K\n")


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
