"""Tables whose methods are values: what a column's identity is, and what is computed for it."""

import dataclasses
import importlib
import json
import sys
from functools import partial

import numpy as np
import pytest
from pandas.testing import assert_frame_equal

from reproduction.engine import (
    Check,
    Experiment,
    Grid,
    Prediction,
    Score,
    Table,
    Task,
    get_experiment,
    list_experiments,
    load,
    load_groups,
    results,
    run,
    save,
    why_stale,
)
from reproduction.engine.scores import find_faults
from reproduction.engine.table import groups_of

pytestmark = pytest.mark.usefixtures("checkout")

COMMON = """
import numpy as np
from reproduction.engine import Prediction, Task

def load():
    return np.random.default_rng(3).normal(size=(60, 2))

def draw(data, setting, split):
    order = np.random.default_rng(split).permutation(len(data))
    test, train = order[:20], order[20 : 20 + int(setting)]
    X, Y = data[:, :1], data[:, 1:]
    return Task(X[train], Y[train], X[test], Y[test], split, objects=test)
"""
SCORES = """
import numpy as np

def error(Y_test, outputs, Y):
    return np.square(Y_test - outputs).mean()
"""
MEAN = """
import numpy as np
from reproduction.engine import Prediction

def mean(task):
    with open(CALLS, "a") as file:
        file.write("mean\\n")
    return Prediction(np.tile(task.Y.mean(axis=0), (len(task.Y_test), 1)))
"""
SCALED = """
from dataclasses import dataclass
import numpy as np
from reproduction.engine import Prediction

@dataclass(frozen=True)
class Scaled:
    factor: float = 1.0

    def __call__(self, task):
        with open(CALLS, "a") as file:
            file.write(f"scaled {self.factor}\\n")
        outputs = self.factor * np.tile(np.median(task.Y, axis=0), (len(task.Y_test), 1))
        return Prediction(outputs, {"factor": self.factor})
"""


class Rooms:
    """Modules of a toy table, which a test edits."""

    def __init__(self, folder):
        self.folder, self.calls = folder, folder / "calls.txt"
        self.texts = {"common": COMMON, "scores": SCORES, "mean": MEAN, "scaled": SCALED}
        for name in self.texts:
            self.edit(name, "", "")

    def edit(self, name, before, after):
        """Change the text of a module."""
        assert before in self.texts[name]
        self.texts[name] = text = self.texts[name].replace(before, after, 1)
        (self.folder / f"toy_{name}.py").write_text(f"CALLS = {str(self.calls)!r}\n{text}")

    def table(self, methods=("mean", "half"), factor=0.5, **fields):
        """Declare the table by the modules as they are now."""
        common, scores, mean, scaled = (self._load(name) for name in self.texts)
        known = {"mean": mean.mean, "half": scaled.Scaled(factor), "whole": scaled.Scaled()}
        given = {
            "id": "toy", "title": "A toy", "load": common.load, "draw": common.draw,
            "methods": {label: known[label] for label in methods},
            "scores": (Score("error", scores.error), Score("factor", high=2.0)),
            "settings": ("10", "30"), "n_splits": 2,
        }  # fmt: skip
        return Table(**given | fields)

    def called(self):
        """Methods that were called since the last time somebody asked."""
        text = self.calls.read_text() if self.calls.exists() else ""
        self.calls.unlink(missing_ok=True)
        return text.splitlines()

    def _load(self, name):
        sys.modules.pop(f"toy_{name}", None)
        importlib.invalidate_caches()
        return importlib.import_module(f"toy_{name}")


@pytest.fixture
def rooms(tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    monkeypatch.syspath_prepend(tmp_path)
    yield Rooms(tmp_path)
    for name in ("common", "scores", "mean", "scaled"):
        sys.modules.pop(f"toy_{name}", None)


def update(table):
    """Do what `make results` does."""
    return results(table, profile="full", n_jobs=1).frame


def test_a_table_equals_an_experiment(rooms):
    table = rooms.table()

    def evaluate(data, method, setting, split):
        task = table.draw(data, setting, split)
        outputs, chosen = table.methods[method](task)
        return {"error": np.square(task.Y_test - outputs).mean(), **chosen}

    plain = Experiment(
        id="toy", title="A toy", load=table.load, evaluate=evaluate, methods=("mean", "half"),
        settings=("10", "30"), n_splits=2, parameters={},
    )  # fmt: skip
    frames = [run(one, n_jobs=1, progress=False).frame for one in (table, plain)]
    assert_frame_equal(*frames)
    assert find_faults(table, frames[0]) == []


def test_an_edit_of_one_method_is_checked_in_its_column(rooms, checkout, capsys):
    before = update(rooms.table())
    rooms.called()
    rooms.edit("scaled", "np.median(task.Y, axis=0)", "1.0 * np.median(task.Y, axis=0)")
    assert why_stale(rooms.table()) == "code changed (half)"
    assert update(rooms.table()).equals(before)
    assert rooms.called() == ["scaled 0.5"] * 2  # split 0 of both settings
    assert "toy: sealed" in capsys.readouterr().err
    assert why_stale(rooms.table()) is None


def test_a_column_that_moved_is_computed_and_the_others_stay(rooms, checkout, capsys):
    before = update(rooms.table())
    rooms.called()
    rooms.edit("scaled", "np.median", "np.max")
    after = update(rooms.table())
    assert "computing because code changed and 2 cells moved" in capsys.readouterr().err
    assert rooms.called() == ["scaled 0.5"] * (2 + 4)
    mean = before["method"] == "mean"
    assert_frame_equal(after[mean], before[mean])
    assert (after["value"] != before["value"]).sum() == 4
    sidecar = json.loads((checkout / "book" / "results" / "toy.json").read_text())
    assert sidecar["kept"] == {"date": sidecar["date"], "but": ["half, 10", "half, 30"]}
    said = results(rooms.table()).describe()
    assert said.endswith(f"; rows of earlier runs are kept, since {sidecar['date']}.")
    assert_frame_equal(after, run(rooms.table(), n_jobs=1, progress=False).frame)


def test_a_column_is_sealed_beside_one_that_moved(rooms):
    update(rooms.table())
    rooms.called()
    rooms.edit("mean", "task.Y.mean(axis=0)", "1.0 * task.Y.mean(axis=0)")
    rooms.edit("scaled", "np.median", "np.max")
    after = update(rooms.table())
    assert sorted(rooms.called()) == ["mean"] * 2 + ["scaled 0.5"] * (2 + 4)
    assert_frame_equal(after, run(rooms.table(), n_jobs=1, progress=False).frame)


def test_many_stale_columns_are_counted_instead_of_named(rooms):
    table = rooms.table()
    halves = {f"half, {i}": table.methods["half"] for i in range(4)}
    update(dataclasses.replace(table, methods={"mean": table.methods["mean"]} | halves))
    rooms.edit("scaled", "np.median", "np.max")
    table = rooms.table()
    halves = dict.fromkeys(halves, table.methods["half"])
    changed = dataclasses.replace(table, methods={"mean": table.methods["mean"]} | halves)
    assert why_stale(changed) == "code changed (4 of 5 methods)"


def test_options_count_and_are_not_only_checked(rooms):
    update(rooms.table())
    rooms.called()
    assert why_stale(rooms.table(factor=0.6)) == "parameters changed (half)"
    assert why_stale(rooms.table(factor=0.5 * (1 + 1e-15))) is None  # twelve digits count
    update(rooms.table(factor=0.6))
    assert rooms.called() == ["scaled 0.6"] * 4


def test_parameters_are_shared_by_all_columns(rooms):
    update(rooms.table(parameters={"share": 0.5}))
    assert why_stale(rooms.table(parameters={"share": 0.6})) == "parameters changed"
    table = rooms.table(parameters={"share": 0.5})
    assert why_stale(dataclasses.replace(table, title="Another title")) is None


def test_a_new_method_is_one_new_column(rooms):
    before = update(rooms.table())
    rooms.called()
    wide = rooms.table(("whole", "mean", "half"))
    assert why_stale(wide) == "missing (whole)"
    frame = update(wide)
    assert rooms.called() == ["scaled 1.0"] * 4
    assert [*frame["method"].unique()] == ["whole", "mean", "half"]
    assert_frame_equal(frame[frame["method"] != "whole"].reset_index(drop=True), before)
    update(rooms.table(("half", "whole")))  # one that is taken away computes nothing
    assert rooms.called() == []
    assert {*load("toy")[0]["method"]} == {"half", "whole"}


def test_new_splits_are_computed_alone(rooms):
    update(rooms.table())
    rooms.called()
    assert why_stale(rooms.table(n_splits=3)) == "parameters changed"
    frame = update(rooms.table(n_splits=3))
    assert sorted(rooms.called()) == ["mean"] * 2 + ["scaled 0.5"] * 2
    assert_frame_equal(frame, run(rooms.table(n_splits=3), n_jobs=1, progress=False).frame)
    rooms.called()
    rooms.edit("scaled", "np.median", "1.0 * np.median")
    frame = update(rooms.table(n_splits=4))  # the stored rows are sealed, and no others
    assert sorted(rooms.called()) == ["mean"] * 2 + ["scaled 0.5"] * (2 + 2)
    assert {*frame["split"]} == {0, 1, 2, 3}


@pytest.mark.parametrize(
    ("room", "before", "after"),
    [("common", "order[:20]", "order[:19 + 1]"), ("scores", ".mean()", ".mean() + 0.0")],
)
def test_what_all_columns_share_puts_all_in_doubt(rooms, room, before, after):
    update(rooms.table())
    rooms.called()
    rooms.edit(room, before, after)
    assert why_stale(rooms.table()) == "code changed"
    update(rooms.table())
    assert sorted(rooms.called()) == ["mean"] * 2 + ["scaled 0.5"] * 2


def test_a_shared_change_that_moves_one_column_computes_all(rooms):
    update(rooms.table())
    rooms.called()
    rooms.edit(
        "scores", "- outputs)", "- outputs + 1e-3 * np.allclose(outputs[0], Y.mean(axis=0)))"
    )
    update(rooms.table())
    assert sorted(rooms.called()) == ["mean"] * 6 + ["scaled 0.5"] * 6


def test_a_column_without_a_unit_in_the_check_slice_has_one_of_its_own(rooms):
    check = Check(methods=("mean",))
    update(rooms.table(check=check))
    rooms.called()
    rooms.edit("scaled", "class Scaled:", "class Scaled:\n    unused = 1\n")
    update(rooms.table(check=check))
    assert rooms.called() == ["scaled 0.5"]


def test_groups_are_those_of_brute_force(rooms):
    table = rooms.table(groups=7)
    update(table)
    data, groups = table.load(), load_groups("toy")
    assert len(groups) == 8  # the factor is no score of predictions
    for row in groups.itertuples(index=False):
        task = table.draw(data, row.setting, row.split)
        outputs = table.methods[row.method](task).outputs
        for group, value in enumerate(row[4:]):
            wanted = [i for i in range(20) if groups_of(range(60), 7)[task.objects[i]] != group]
            expected = np.square(task.Y_test[wanted] - outputs[wanted]).mean()
            np.testing.assert_allclose(value, expected, rtol=1e-7)


def test_groups_of_kept_columns_stay(rooms):
    update(rooms.table(groups=3))
    before = load_groups("toy")
    rooms.called()
    wide = rooms.table(("mean", "whole", "half"), groups=3)
    update(wide)
    assert rooms.called() == ["scaled 1.0"] * 4
    after = load_groups("toy")
    assert_frame_equal(after[after["method"] != "whole"].reset_index(drop=True), before)
    assert [*after["method"].unique()] == ["mean", "whole", "half"]


def test_a_lost_or_edited_file_of_groups_is_found(rooms, checkout):
    update(rooms.table(groups=3))
    path = checkout / "book" / "results" / "toy.groups.csv"
    text = path.read_text()
    path.write_text(text.replace("error", "mistake", 1))
    assert why_stale(rooms.table(groups=3)) == "toy.groups.csv is not the table that was stored"
    path.unlink()
    assert why_stale(rooms.table(groups=3)) == "missing"
    assert why_stale(rooms.table()) == "parameters changed"


def test_a_table_without_its_groups_is_not_stored(rooms):
    table = rooms.table(groups=3)
    done = run(table, n_jobs=1, progress=False)
    for groups in (None, done.groups.assign(split=7)):
        with pytest.raises(ValueError, match="run must have the groups of toy; got"):
            save(table, done._replace(groups=groups))


def test_an_object_has_one_group_in_every_pool():
    groups = groups_of(np.arange(4000), 40)
    assert [*groups_of([7, 3000], 40)] == [groups[7], groups[3000]]
    assert np.bincount(groups, minlength=40).min() > 60


def test_a_killed_run_goes_on_with_the_column_that_was_left(rooms, checkout):
    update(rooms.table())
    wide = rooms.table(("mean", "half", "whole"))
    units = wide.units(methods=["whole"], splits=[0])
    run(wide, units, n_jobs=1, scratch=checkout / ".cache" / "scratch", progress=False)
    rooms.called()
    update(wide)
    assert rooms.called() == ["scaled 1.0"] * 2


def no_method(task):
    return Prediction(None, {"speed": 1.0})


@pytest.mark.parametrize(
    ("fields", "error", "message"),
    [
        ({"methods": ("a",)}, TypeError, r"methods must be a mapping .* got \('a',\)\."),
        ({"methods": {"a": lambda task: None}}, TypeError, "method 'a' must be made of functions"),
        ({"methods": {"a": partial(no_method, np.ones(1))}}, TypeError, r"got array\(\[1\.\]\)\."),
        (
            {"scores": (Score("e"), "f")},
            TypeError,
            r"scores must be a tuple of Score; got \(Score.*",
        ),
        ({"scores": [Score("error")]}, TypeError, "scores must be a tuple of Score; got"),
        ({"scores": (Score("e"), Score("e"))}, ValueError, r"not repeat a name; got \['e', 'e'\]"),
        ({"groups": 1}, ValueError, "groups must be an int, at least 2, or None; got 1."),
    ],
)
def test_bad_field_is_named(rooms, fields, error, message):
    table = rooms.table()
    with pytest.raises(error, match=message):
        dataclasses.replace(table, **fields)


def test_what_is_chosen_must_have_a_score(rooms):
    table = rooms.table(scores=(Score("error"),))
    with pytest.raises(ValueError, match=r"scores of toy must name .* half .*\['factor'\]"):
        table.evaluate(table.load(), "half", "10", 0)


def one_setting(data, setting, split):
    return Task(data, data, data, data, split)


def test_groups_need_the_objects(rooms):
    table = rooms.table(draw=one_setting, groups=3)
    with pytest.raises(ValueError, match="must number its 60 test objects for groups; got None"):
        table.evaluate(table.load(), "mean", "10", 0)


def test_a_table_outside_of_files_is_evaluated_and_not_stored(rooms):
    scope = {}
    exec("def mean(task): return task.Y.mean(axis=0) + 0 * task.Y_test, {}", scope)
    table = dataclasses.replace(rooms.table(), methods={"mean": scope["mean"]})
    assert table.code is None
    assert len(run(table, n_jobs=1, progress=False).frame) == 4
    with pytest.raises(ValueError, match="toy can be kept only when"):
        update(table)


def test_a_table_without_scores_is_none(rooms):
    table = rooms.table()
    names = ("id", "title", "load", "draw", "methods", "settings", "n_splits")
    with pytest.raises(TypeError, match=r"missing .* argument: 'scores'"):
        Table(**{name: getattr(table, name) for name in names})


def test_ranges_and_grids_have_no_part_in_the_identity(rooms):
    update(rooms.table())
    rooms.called()
    error, factor = rooms.table().scores
    grid = Grid(values=lambda parameters, method, setting: [0.5, 1.0])
    table = rooms.table(scores=(error, Score("factor", high=3.0, choice=grid)))
    assert table.parameters["scores"] == {"error": "error", "factor": None}
    assert why_stale(table) is None
    assert why_stale(rooms.table(scores=(factor, error))) is None
    assert why_stale(rooms.table(scores=(error,))) == "parameters changed"


def test_numbers_have_the_range_of_their_score(rooms):
    table = rooms.table(("half", "mean"), factor=3.0)
    with pytest.raises(ValueError, match="factor must be between 0 and 2; got 3"):
        save(table, run(table, n_jobs=1, progress=False))
    assert why_stale(table) == "missing"


def test_tables_of_the_book_say_what_their_columns_are():
    tables = [one for one in map(get_experiment, list_experiments()) if isinstance(one, Table)]
    for table in tables:
        assert [*table.code["methods"]] == [*table.methods] == [*table.parameters["methods"]]
