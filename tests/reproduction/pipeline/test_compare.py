"""A chapter is executed again unless it is known to give what is stored."""

import nbformat
import pytest
from doit.cmd_base import ModuleTaskLoader
from doit.doit_cmd import DoitMain
from nbformat.v4 import new_code_cell, new_notebook, new_output

from reproduction.pipeline import compare, dodo

WANTED = {"missing data": "", "code": [], "modules": {}, "tables": {}}


@pytest.fixture
def book(tmp_path, monkeypatch):
    """A book with one chapter, whose dependencies and stored outputs can be changed."""
    monkeypatch.setattr(dodo, "BOOK", tmp_path)
    for module in (dodo, compare):
        monkeypatch.setattr(module, "BOOK", tmp_path)
    monkeypatch.setattr(dodo, "CACHE", tmp_path)
    depended = tmp_path / "table.csv"
    depended.write_text("1")

    def change(text="1.00\n", table="1", **wanted):
        cell = new_code_cell("print()", outputs=[new_output("stream", text=text)])
        nbformat.write(new_notebook(cells=[cell]), tmp_path / "one.ipynb")
        depended.write_text(table)
        monkeypatch.setattr(dodo, "dependencies", lambda name: (WANTED | wanted, [depended]))

    change()
    return change


@pytest.fixture
def build(tmp_path, monkeypatch):
    """Function that lets doit make the chapter, and says how often it was executed so far."""
    runs = []

    class Done:
        returncode = 0

    def run(command):
        runs.append(command)
        return Done

    monkeypatch.setattr(dodo.subprocess, "run", run)
    monkeypatch.setattr(dodo, "chapter_names", lambda: ["one"])
    store = {"backend": "json", "dep_file": str(tmp_path / "doit.json"), "verbosity": 0}
    tasks = {
        "task_chapter": dodo.task_chapter,
        "task_stale_results": lambda: {"actions": []},
        "DOIT_CONFIG": store,
    }

    def build():
        assert DoitMain(ModuleTaskLoader(tasks)).run(["--single", "chapter:one"]) == 0
        return len(runs)

    return build


CHANGES = [
    {"text": "1.00, 2\n"},
    {"table": "2"},
    {"modules": {"ofer": "1"}},
    {"code": ["1 + 1"]},
    {"tables": {"a": {}}},
]


@pytest.mark.parametrize("changed", CHANGES, ids=lambda changed: next(iter(changed)))
def test_the_build_executes_what_has_changed_and_that_alone(book, build, changed):
    assert build() == build() == 1
    book(**changed)
    assert build() == build() == 2


def test_the_build_tries_a_chapter_without_its_data_each_time(book, build):
    book(**{"missing data": "no gold here"})
    assert [build(), build()] == [1, 2]


def test_what_nbval_has_executed_the_build_does_not(book, build, executed):
    compare.compare(["one"])
    assert build() == 0


@pytest.fixture
def executed(monkeypatch):
    """What nbval was asked to execute; one of its cells fails, or is skipped, when told so."""

    class Report:
        def __init__(self, outcome):
            self.nodeid, self.passed = "book/one.ipynb::Cell 0", outcome == "passed"

    def main(arguments, plugins):
        asked.append([argument for argument in arguments if argument.endswith(".ipynb")])
        for outcome in main.outcomes:
            plugins[0].pytest_runtest_logreport(Report(outcome))
        return main.status

    asked = []
    main.outcomes, main.status = ["passed", "passed"], pytest.ExitCode.OK
    monkeypatch.setattr(compare.pytest, "main", main)
    asked.append(main)
    yield asked
    asked.clear()


def n_executed(executed):
    return len(executed) - 1


def test_what_gave_its_outputs_is_not_executed_again(book, executed, capsys):
    assert compare.main(["one"]) == compare.main(["one"]) == 0
    assert n_executed(executed) == 1
    assert "1 chapters gave these outputs before" in capsys.readouterr().out


@pytest.mark.parametrize("changed", CHANGES, ids=lambda changed: next(iter(changed)))
def test_a_change_has_it_executed(book, executed, changed):
    compare.compare(["one"])
    book(**changed)
    compare.compare(["one"])
    assert n_executed(executed) == 2


def test_another_processor_has_it_executed(book, executed, monkeypatch):
    compare.compare(["one"])
    monkeypatch.setattr(dodo, "circumstances", lambda: {"features": "none"})
    compare.compare(["one"])
    assert n_executed(executed) == 2


@pytest.mark.parametrize(
    ("outcomes", "status"),
    [
        (["passed", "failed"], pytest.ExitCode.TESTS_FAILED),
        (["skipped", "passed"], pytest.ExitCode.OK),
        (["passed"], pytest.ExitCode.INTERRUPTED),
        ([], pytest.ExitCode.NO_TESTS_COLLECTED),
    ],
)
def test_what_has_not_passed_wholly_is_executed_again(book, executed, outcomes, status):
    executed[0].outcomes, executed[0].status = outcomes, status
    assert compare.compare(["one"]) == compare.compare(["one"]) == status
    assert n_executed(executed) == 2


def test_without_its_data_it_is_not_compared_and_never_known(book, executed, capsys):
    book(**{"missing data": "no gold here"})
    assert compare.compare(["one"]) == compare.compare(["one"]) == 0
    assert n_executed(executed) == 0
    assert capsys.readouterr().out == 2 * "one: not compared. no gold here\n"


@pytest.mark.parametrize(("text", "n_left"), [("1.00\n", 0), ("other\n", 1)], ids=["same", "other"])
def test_the_build_vouches_for_outputs_that_it_found_stored(
    book, executed, monkeypatch, text, n_left
):
    class Done:
        returncode = 0

    def run(command):
        book(text=text)
        return Done

    monkeypatch.setattr(dodo.subprocess, "run", run)
    assert dodo.execute_chapter("one") is None
    compare.compare(["one"])
    assert n_executed(executed) == n_left


def test_a_chapter_that_fails_is_not_vouched_for(book, executed, monkeypatch):
    class Done:
        returncode = 1

    monkeypatch.setattr(dodo.subprocess, "run", lambda command: Done)
    assert "one was not executed" in dodo.execute_chapter("one").message
    compare.compare(["one"])
    assert n_executed(executed) == 1


def test_the_longest_chapter_comes_first_after_those_never_timed(book, executed, monkeypatch):
    taken = {"one": None, "short": 1.0, "long": 30.0}
    monkeypatch.setattr(compare, "is_fresh", lambda name, known: False)
    monkeypatch.setattr(compare, "state", lambda name: (None, None))
    monkeypatch.setattr(compare, "seconds_taken", taken.get)
    compare.compare(["short", "long", "one"])
    assert [path.rpartition("/")[2] for path in executed[1]] == [
        "one.ipynb",
        "long.ipynb",
        "short.ipynb",
    ]
