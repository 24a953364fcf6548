"""Finished units of a run that was killed are found again, and nothing else."""

import os

import pytest

from reproduction.engine import run, units
from reproduction.engine.declaration import Unit
from reproduction.engine.units import Outcome, Units, circumstances

GIVEN = [Unit("ridge", "10", 0), Unit("ridge", "10", 1), Unit("ridge", "20", 0)]
OUTCOMES = [Outcome({"error": 0.1 * k, "score": 1 / 3}, 0.5) for k in range(3)]


def test_other_versions_are_evaluated_anew(toy, calls, tmp_path, monkeypatch):
    run(toy(), n_jobs=1, scratch=tmp_path, progress=False)
    monkeypatch.setattr(units, "circumstances", lambda: circumstances() | {"python": "4"})
    run(toy(), n_jobs=1, scratch=tmp_path, progress=False)
    assert len(calls.evaluated()) == 2 * 18
    assert len(list((tmp_path / "toy").iterdir())) == 1, "what other versions wrote is forgotten"


@pytest.mark.parametrize("n_characters", [1, 10, -1])
def test_torn_line_is_dropped(toy, tmp_path, n_characters):
    kept = Units(toy(), tmp_path)
    kept.append(GIVEN[0], OUTCOMES[0])
    complete = kept.path.read_text()
    kept.append(GIVEN[1], OUTCOMES[1])
    torn = kept.path.read_text()[len(complete) :][:n_characters]
    kept.path.write_text(complete + torn)

    assert kept.read() == {GIVEN[0]: OUTCOMES[0]}
    kept.append(GIVEN[2], OUTCOMES[2])
    assert kept.read() == {GIVEN[0]: OUTCOMES[0], GIVEN[2]: OUTCOMES[2]}


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="there is no /dev/full")
def test_units_that_cannot_be_kept_are_an_error_that_names_their_file(toy, tmp_path):
    kept = Units(toy(), tmp_path)
    kept.path.parent.mkdir()
    kept.path.symlink_to("/dev/full")
    with pytest.raises(OSError, match=rf"No space left on device: '{kept.path}'"):
        kept.append(GIVEN[0], OUTCOMES[0])
