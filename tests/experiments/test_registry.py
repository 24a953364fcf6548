import sys
from types import ModuleType

import pytest

from reproduction.engine import Experiment, get_experiment, list_experiments
from reproduction.engine import catalogue as _registry


def test_every_experiment_has_its_own_id():
    assert {id: get_experiment(id).id for id in list_experiments()} == {
        id: id for id in list_experiments()
    }


def test_module_is_imported_when_asked_for(toy, monkeypatch):
    module = ModuleType("toy_module")
    module.EXPERIMENT = toy()
    places = {"toy": "toy_module:EXPERIMENT", "other": "module_that_is_not_there:TOY"}
    monkeypatch.setattr(_registry, "_DECLARATIONS", places)
    monkeypatch.setitem(sys.modules, "toy_module", module)
    assert list_experiments() == ["toy", "other"]
    assert isinstance(get_experiment("toy"), Experiment)
    with pytest.raises(ModuleNotFoundError, match="module_that_is_not_there"):
        get_experiment("other")


def test_unknown_experiment():
    with pytest.raises(ValueError, match=r"id must be one of .* Got 'table-99'"):
        get_experiment("table-99")
