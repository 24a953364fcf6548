import importlib
import pkgutil
import subprocess
import sys

import pytest

from reproduction import experiments, studies
from reproduction.engine import Experiment, catalogue, get_experiment, list_experiments


def test_every_experiment_is_declared_in_the_module_of_its_name():
    """In another module it would never be found."""
    declared = {}
    for module in pkgutil.walk_packages(studies.__path__, f"{studies.__name__}."):
        values = vars(importlib.import_module(module.name)).values()
        declared |= {id(value): value.id for value in values if isinstance(value, Experiment)}
    assert sorted(declared.values()) == list_experiments()
    for id_ in list_experiments():
        assert get_experiment(id_).id == id_


def test_only_the_module_that_is_asked_for_is_imported():
    code = (
        "import sys\n"
        "from reproduction.engine import get_experiment, list_experiments\n"
        "volume = 'reproduction.studies.second_volume'\n"
        "assert 'smtgp-grid' in list_experiments()\n"
        "assert f'{volume}.twin_processes.tables.smtgp_grid' not in sys.modules\n"
        "get_experiment('smtgp-grid')\n"
        "assert f'{volume}.twin_processes.tables.smtgp_grid' in sys.modules\n"
        "assert f'{volume}.fisher_kernels.classification' not in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_unknown_experiment(declare, monkeypatch):
    with pytest.raises(ValueError, match=r"id must be one of .*; got 'table-99'"):
        get_experiment("table-99")
    declare(id="toy")
    assert get_experiment("toy").id == "toy"
    monkeypatch.setattr(catalogue, "list_experiments", lambda: ["other"])
    monkeypatch.setattr(catalogue, "experiment_module", lambda id: "declared_in_this_test_toy")
    with pytest.raises(
        ValueError, match="declared_in_this_test_toy must declare 'other' as EXPERIMENT; got 'toy'"
    ):
        get_experiment("other")


def test_two_studies_cannot_declare_one_table(tmp_path, monkeypatch):
    for study in ("first", "second"):
        (tmp_path / study / "tables").mkdir(parents=True)
        (tmp_path / study / "tables" / "a_table.py").touch()
    monkeypatch.setattr(experiments, "STUDIES", tmp_path)
    with pytest.raises(ValueError, match=r"must differ; got 'a-table' in .*first.* and .*second"):
        experiments.experiment_files.__wrapped__()
