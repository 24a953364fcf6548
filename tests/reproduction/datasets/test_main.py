"""The command that fetches data and compares them."""

import numpy as np
import pytest

from reproduction.datasets import __main__ as module


@pytest.fixture
def run(tiny, monkeypatch, capsys):
    """Function that runs the command on `tiny` and returns its code and what it says."""
    monkeypatch.setenv("OFER_DATA", str(tiny.home))
    monkeypatch.setattr(module, "list_datasets", lambda: ["tiny"])
    monkeypatch.setattr(module, "dataset_info", lambda name: tiny.dataset)

    def run(*arguments):
        return module.main(list(arguments)), capsys.readouterr().out

    return run


def test_missing_data_are_downloaded_or_named(run, tiny, upstream):
    assert run() == (0, "tiny: here\n")
    tiny.check(tiny.fetch())
    (tiny.home / "tiny/tiny.npz").unlink()
    (tiny.home / "tiny/raw/a.txt").unlink()
    upstream.files.clear()
    code, text = run("tiny")
    assert code == 0
    assert text.startswith("tiny is missing: a.txt was not downloaded (HTTPError: 404 ")


def test_damaged_data_are_a_failure(run, tiny):
    tiny.put_prepared(a=np.array([1]))
    for arguments in ((), ("--verify",)):
        code, text = run(*arguments)
        assert code == 1
        assert "tiny.npz is damaged: its array" in text


def test_verify_converts_again_and_downloads_nothing(run, tiny, upstream):
    assert run("--verify") == (0, "tiny: not here\n")
    tiny.put_prepared()
    assert run("--verify") == (0, "tiny: checksums are right\n")
    tiny.put_raw()
    assert run("--verify") == (0, "tiny: 2 of 2 arrays converted again, the same\n")
    assert upstream.requests == []
    tiny.change(convert=lambda fetch: {"a": np.array([9])})
    code, text = run("--verify")
    assert code == 1
    assert "tiny was converted from its upstream files, and its array 'a'" in text
