import pandas as pd
import pytest

from reproduction.engine import Facts, StaleResultsError, access, compute, results
from reproduction.statistics import paired_t_test

pytestmark = pytest.mark.usefixtures("checkout")


def test_missing_is_an_error_that_names_the_command(toy, calls, checkout):
    with pytest.raises(
        StaleResultsError, match=r"toy cannot be used: missing\. Run .* profile=profile\.$"
    ):
        results(toy())
    assert calls.n_loads() == 0
    assert not checkout.exists()


def test_stale_rows_are_not_used(toy, calls):
    compute(toy(n_splits=2), n_jobs=1, progress=False)
    before = len(calls.evaluated())
    with pytest.raises(StaleResultsError, match="parameters changed"):
        results(toy())
    assert len(calls.evaluated()) == before


def test_where_code_has_changed_the_message_says_how_to_see_what_moved(toy, monkeypatch):
    compute(toy(), n_jobs=1, progress=False)
    monkeypatch.setattr(access, "why_stale", lambda experiment: "code changed (ridge)")
    with pytest.raises(StaleResultsError, match="`make results ID=toy PROFILE=check` shows which"):
        results(toy())


def test_stale_rows_are_used_with_a_warning_where_that_is_allowed(toy, capsys):
    compute(toy(n_splits=2), n_jobs=1, progress=False)
    stored = results(toy(n_splits=2)).frame
    assert capsys.readouterr().err == ""
    assert results(toy(), allow_stale=True).frame.equals(stored)
    assert capsys.readouterr().err == (
        "Warning: the stored results of toy are out of date: parameters changed. "
        "Run `make results ID=toy`.\n"
    )


@pytest.mark.parametrize("profile", ["stored", "quick", "verify"])
def test_a_missing_table_is_an_error_whatever_is_allowed(toy, calls, profile):
    with pytest.raises(StaleResultsError, match="toy cannot be used: missing"):
        results(toy(), profile=profile, allow_stale=True)
    assert calls.evaluated() == []


def test_a_contrast_knows_what_the_experiment_declares(toy, monkeypatch):
    experiment = toy(facts=Facts(test_train_ratio=dict.fromkeys(("10", "20", "100"), 2.0)))
    compute(experiment, n_jobs=1, progress=False)
    monkeypatch.setattr("reproduction.engine.access.get_experiment", lambda id: experiment)
    stored, pair = results(experiment), ("ridge", "forest")
    options = {"metric": "error", "level": 0.05, "test_train_ratio": 2.0}
    expected = paired_t_test(stored.frame, *pair, **options)
    pd.testing.assert_frame_equal(stored.contrast("error", level=0.05).tests(*pair), expected)
    without = stored.contrast("error", test_train_ratio=None).tests(*pair)
    assert "p_corrected" not in without
