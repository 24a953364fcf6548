import pytest

from ofer.experiments import Results, compute, results

pytestmark = pytest.mark.usefixtures("checkout")


def test_missing_is_computed_and_not_written(toy, checkout):
    found = results(toy(), n_jobs=1, progress=False)
    assert not found.stored
    assert len(found.frame) == 36
    assert found.sidecar["id"] == "toy"
    assert found.describe().startswith("Results computed now: 0 s of computation on a machine")
    assert not checkout.exists()


def test_fresh_is_loaded(toy, calls):
    compute(toy(), n_jobs=1, progress=False)
    computed = len(calls.evaluated())
    found = results(toy())
    assert found.stored
    assert len(calls.evaluated()) == computed
    assert found.frame.equals(results(toy(n_splits=3), progress=False).frame)


def test_stale_rows_are_not_used(toy, calls):
    compute(toy(n_splits=2), n_jobs=1, progress=False)
    before = len(calls.evaluated())
    found = results(toy(), n_jobs=1, progress=False)
    assert not found.stored
    assert len(calls.evaluated()) - before == 18


def test_what_has_no_source_is_refused_before_any_work(toy, calls):
    scope = {}
    exec("def evaluate(data, method, setting, split): return {'error': 0.0}", scope)
    with pytest.raises(ValueError, match="toy can be kept only when evaluate is defined in a file"):
        results(toy(evaluate=scope["evaluate"]), progress=False)
    assert calls.n_loads() == 0


def test_by_id(toy, monkeypatch):
    monkeypatch.setattr("ofer.experiments._results.get_experiment", {"toy": toy()}.get)
    assert len(results("toy", n_jobs=1, progress=False).frame) == 36


def test_compute_leaves_only_table_and_sidecar(toy, checkout):
    compute(toy(), n_jobs=1, progress=False)
    files = {path.relative_to(checkout).as_posix() for path in checkout.rglob("*.*")}
    assert files == {".cache", "book/results/toy.csv", "book/results/toy.json"}


def test_describe_stored():
    sidecar = {
        "date": "2026-11-21",
        "duration_s": 754.2,
        "machine": {"processors": 2, "architecture": "x86_64"},
    }
    assert Results(None, sidecar, stored=True).describe() == (
        "Stored results, computed on 2026-11-21: 12 min 34 s of computation on a machine with "
        "2 processors (x86_64)."
    )
