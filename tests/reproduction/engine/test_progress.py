import pytest

from reproduction.engine.progress import format_duration


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
