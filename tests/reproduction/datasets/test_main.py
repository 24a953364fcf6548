"""The command that fetches data and compares them."""

import numpy as np
import pytest

from reproduction.datasets import __main__ as module


@pytest.fixture
def run(tiny, monkeypatch, capsys):
    """Function that runs the command on `tiny` and returns its code and what it says."""
    monkeypatch.setenv("OFER_DATA", str(tiny.home))
    monkeypatch.setattr(module, "list_datasets", lambda: ["tiny"])
    monkeypatch.setattr(module, "dataset_info", {"tiny": tiny.dataset}.get)

    def run(*arguments):
        return module.main(list(arguments)), capsys.readouterr().out

    return run


def test_missing_data_are_downloaded_and_kept(run, tiny):
    assert run() == (0, "tiny: here\n")
    tiny.check(tiny.fetch(pytest.fail))


def test_data_that_cannot_be_had_are_named_and_no_failure(run, upstream):
    upstream.files.clear()
    code, text = run("tiny")
    assert code == 0
    assert text.startswith("tiny is missing: a.txt was not downloaded (HTTPError: 404 ")


def test_damaged_data_are_a_failure(run, tiny):
    tiny.put_prepared(a=np.array([1]), b=np.array([2]))
    for arguments in ((), ("--verify",)):
        code, text = run(*arguments)
        assert code == 1
        assert "tiny.npz is damaged: its array" in text


def test_verify_downloads_nothing(run, tiny, upstream):
    assert run("--verify") == (0, "tiny: not here\n")
    tiny.put_prepared(**tiny.arrays)
    assert run("--verify") == (0, "tiny: checksums are right\n")
    assert upstream.requests == []


def test_verify_converts_again(run, tiny):
    tiny.put_prepared(**tiny.arrays)
    tiny.put_raw()
    assert run("--verify") == (0, "tiny: 2 of 2 arrays converted again, the same\n")


def test_verify_finds_another_conversion(run, tiny):
    tiny.put_prepared(**tiny.arrays)
    tiny.put_raw()
    object.__setattr__(tiny.dataset, "convert", lambda fetch: {"a": np.array([9])})
    code, text = run("--verify")
    assert code == 1
    assert "tiny was converted from its upstream files, and its array 'a'" in text
