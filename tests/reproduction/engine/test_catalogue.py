import pytest

from reproduction.engine import get_experiment, list_experiments

MODULE = """
from reproduction.engine.declaration import Experiment

def evaluate(data, method, setting, split):
    return {{"error": 0.0}}

SOME_NAME = Experiment(
    id="{id}", title="A toy", load=lambda: None, evaluate=evaluate, methods=("one",),
    settings=("1",), n_splits=1, parameters={{}},
)
"""


def test_every_experiment_has_its_own_id():
    ids = list_experiments()
    assert ids == sorted(ids)
    assert [get_experiment(id).id for id in ids] == ids


def test_experiments_are_found_wherever_they_lie(papers):
    papers(
        toys__in__first=MODULE.format(id="a-toy"),
        toys__in__rooms__in__second=MODULE.format(id="b-toy"),
        toys__in__helper="raise RuntimeError('a module that declares nothing is not imported')",
    )
    assert list_experiments() == ["a-toy", "b-toy"]
    assert get_experiment("b-toy").title == "A toy"


def test_only_the_module_that_is_asked_for_is_imported(papers):
    broken = "from reproduction.engine import Experiment\nimport module_that_is_not_there\n"
    papers(toys__in__first=MODULE.format(id="a-toy"), toys__in__broken=broken)
    assert get_experiment("a-toy").id == "a-toy"
    with pytest.raises(ModuleNotFoundError, match="module_that_is_not_there"):
        list_experiments()


def test_an_experiment_may_be_imported_by_another_module(papers):
    again = "from papers_of_this_test.toys.first import Experiment, SOME_NAME\n"
    papers(toys__in__first=MODULE.format(id="a-toy"), toys__in__again=again)
    assert list_experiments() == ["a-toy"]


def test_two_experiments_of_one_id(papers):
    papers(toys__in__first=MODULE.format(id="a-toy"), toys__in__second=MODULE.format(id="a-toy"))
    with pytest.raises(ValueError, match=r"ids of experiments must differ; got 'a-toy'"):
        list_experiments()


def test_unknown_experiment():
    with pytest.raises(ValueError, match=r"id must be one of .*; got 'table-99'"):
        get_experiment("table-99")
