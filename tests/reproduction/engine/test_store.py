import importlib
import tempfile

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pandas.testing import assert_frame_equal

from reproduction.engine import Check, Experiment, load, run, save, why_stale
from reproduction.engine.store import load_check
from reproduction.paths import results_dir

pytestmark = pytest.mark.usefixtures("checkout")


@pytest.fixture
def stored(toy):
    """The toy's table, stored."""
    done = run(toy(), n_jobs=1, progress=False)
    save(toy(), done)
    return done


def test_round_trip_is_exact(stored):
    frame, sidecar = load("toy")
    assert_frame_equal(frame, stored.frame, check_exact=True)
    assert sidecar["id"] == "toy"


@settings(deadline=None)
@given(value=st.floats(allow_nan=False, allow_infinity=False, min_value=-1e300, max_value=1e300))
def test_round_trip_of_any_value(toy_of, value):
    experiment = toy_of(value)
    done = run(experiment, n_jobs=1, progress=False)
    with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        patch.setenv("OFER_RESULTS", folder)
        save(experiment, done)
        assert_frame_equal(load("toy")[0], done.frame, check_exact=True)


@pytest.fixture(scope="module")
def toy_of():
    """Factory of an experiment of one unit with a given value."""

    def make(value):
        return Experiment(
            id="toy",
            title="A toy",
            load=lambda: value,
            evaluate=lambda data, method, setting, split: {"error": data},
            methods=("None",),  # labels that a reader of tables could take for numbers or gaps
            settings=("010",),
            n_splits=1,
            parameters={},
        )

    return make


def test_folder_by_argument_then_environment_then_checkout(checkout, tmp_path, monkeypatch):
    assert results_dir() == checkout / "book" / "results"
    monkeypatch.setenv("OFER_RESULTS", str(tmp_path / "elsewhere"))
    assert results_dir() == tmp_path / "elsewhere"
    assert results_dir(tmp_path) == tmp_path


@pytest.mark.parametrize(
    "changes",
    [
        {"parameters": {"alpha": 0.5}},
        {"methods": ("ridge",)},
        {"settings": ("10", "20")},
        {"n_splits": 2},
        {"methods_of": {"10": ("ridge",)}},
        {"splits_of": {"10": 1}},
    ],
)
def test_changed_parameters(toy, stored, changes):
    assert why_stale(toy(**changes)) == "parameters changed"


def test_changed_data(toy, monkeypatch):
    pinned = {"X": "aa"}
    monkeypatch.setattr("reproduction.datasets.checksums", lambda name: pinned)
    experiment = toy(datasets=("nci60",))
    save(experiment, run(experiment, n_jobs=1, progress=False))
    assert load("toy")[1]["data"] == {"nci60": {"X": "aa"}}
    assert why_stale(experiment) is None
    pinned["X"] = "bb"
    assert why_stale(experiment) == "data changed"
    pinned["X"] = "aa"
    assert why_stale(experiment) is None


def test_changed_code(toy, tmp_path):
    source = tmp_path / "declaration.py"
    source.write_text("def evaluate(*unit):\n    return {'error': 1.0}\n")
    scope = {}
    exec(compile(source.read_text(), source, "exec"), scope)
    experiment = toy(evaluate=scope["evaluate"])
    done = run(experiment, n_jobs=1, progress=False)
    source.write_text(source.read_text().replace("1.0", "2.0"))
    save(experiment, done)  # its source is the one that was run, not the one edited meanwhile
    assert why_stale(experiment) is None
    assert why_stale(toy(evaluate=scope["evaluate"])) == "code changed"


AT_ONCE = """
from house.rare import VALUE

def evaluate(data, method, setting, split):
    return {"error": VALUE if setting == "100" else 1.0}
"""
DEFERRING = """
def evaluate(data, method, setting, split):
    if setting == "100":
        from house.rare import VALUE
        return {"error": VALUE}
    return {"error": 1.0}
"""


@pytest.fixture
def deferring(toy, house):
    """Declare a toy of some settings, of which the last one needs a rare module; and its file."""
    folder = house(rare="VALUE = 2.0\n", toy=DEFERRING)
    evaluate = importlib.import_module("house.toy").evaluate

    def declare(*settings):
        return toy(evaluate=evaluate, settings=settings, check=Check(settings=settings[:1]))

    return declare, folder / "rare.py"


def test_a_module_that_a_function_imports_counts(deferring):
    declare, rare = deferring
    experiment = declare("10")
    save(experiment, run(experiment, n_jobs=1, progress=False))
    assert why_stale(declare("10")) is None
    rare.write_text("VALUE = 3.5\n")
    assert why_stale(declare("10")) == "code changed"


def test_edited_table(toy, stored, checkout):
    path = checkout / "book" / "results" / "toy.csv"
    text = path.read_text()
    path.write_text(text.replace("error", "mistake", 1))
    assert why_stale(toy()) == "toy.csv is not the table that was stored"
    path.write_text(text, newline="\r\n")  # other line ends are no edit
    assert why_stale(toy()) is None


def test_a_table_is_read_as_its_file_is_now(stored, checkout):
    frame, _ = load("toy")
    frame["value"] = 0.0  # a reader has a copy of its own
    assert_frame_equal(load("toy")[0], stored.frame)
    path = checkout / "book" / "results" / "toy.csv"
    path.write_text(path.read_text().replace("ridge", "lasso"))  # as long as before
    assert "lasso" in {*load("toy")[0]["method"]}


@pytest.mark.parametrize("read", [load, load_check], ids=["load", "load_check"])
def test_half_a_sidecar_is_named(toy, stored, checkout, read):
    path = checkout / "book" / "results" / "toy.json"
    path.write_text(path.read_text()[:100])
    assert why_stale(toy()) == "toy.json is damaged"
    with pytest.raises(ValueError, match=r"toy\.json is damaged .*make results ID=toy"):
        read("toy")


def test_incomplete_table_is_not_stored(toy, checkout):
    part = run(toy(), toy().units(splits=[0]), n_jobs=1, progress=False)
    with pytest.raises(ValueError, match="every unit of toy and no other: 12 missing, 0 not"):
        save(toy(), part)
    with pytest.raises(ValueError, match="frame must have the columns"):
        save(toy(), part._replace(frame=part.frame.drop(columns="metric")))
    assert not (checkout / "book").exists()
