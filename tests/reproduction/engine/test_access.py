import pytest

from reproduction.engine import Results, StaleResultsError, compute, results

pytestmark = pytest.mark.usefixtures("checkout")


def test_missing_is_an_error_that_names_the_command(toy, calls, checkout):
    with pytest.raises(
        StaleResultsError, match=r"toy cannot be used: missing\. Run `make results ID"
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


def test_what_has_no_source_is_refused_before_any_work(toy, calls):
    scope = {}
    exec("def evaluate(data, method, setting, split): return {'error': 0.0}", scope)
    with pytest.raises(ValueError, match="toy can be kept only when evaluate is defined in a file"):
        results(toy(evaluate=scope["evaluate"]))
    assert calls.n_loads() == 0


def test_by_id(toy, monkeypatch):
    monkeypatch.setattr("reproduction.engine.access.get_experiment", {"toy": toy()}.get)
    compute(toy(), n_jobs=1, progress=False)
    assert len(results("toy").frame) == 36


def test_compute_leaves_only_table_and_sidecar(toy, checkout):
    compute(toy(), n_jobs=1, progress=False)
    files = {path.relative_to(checkout).as_posix() for path in checkout.rglob("*.*")}
    assert files == {".cache", "book/results/toy.csv", "book/results/toy.json"}


def test_describe():
    sidecar = {
        "date": "2026-11-21",
        "duration_s": 754.2,
        "machine": {"processors": 2, "architecture": "x86_64"},
    }
    assert Results(None, sidecar).describe() == (
        "Stored results, computed on 2026-11-21: 12 min 34 s of computation on a machine with "
        "2 processors (x86_64)."
    )
