import importlib
import pkgutil
import subprocess
import sys

import pytest

from reproduction import papers
from reproduction.engine import Experiment, catalogue, get_experiment, list_experiments


def test_every_experiment_that_a_module_declares_is_listed():
    """A module that declares one and is not in its paper's list would never be found."""
    declared = set()
    for module in pkgutil.walk_packages(papers.__path__, f"{papers.__name__}."):
        values = vars(importlib.import_module(module.name)).values()
        declared |= {value.id for value in values if isinstance(value, Experiment)}
    assert declared == {*list_experiments()}


def test_only_the_module_that_is_asked_for_is_imported():
    code = (
        "import sys\n"
        "from reproduction.engine import get_experiment, list_experiments\n"
        "assert 'smtgp-grid' in list_experiments()\n"
        "assert 'reproduction.papers.smtgp.grid' not in sys.modules\n"
        "get_experiment('smtgp-grid')\n"
        "assert 'reproduction.papers.smtgp.grid' in sys.modules\n"
        "assert 'reproduction.papers.fkl.fisher_kernels' not in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_unknown_experiment(declare, monkeypatch):
    with pytest.raises(ValueError, match=r"id must be one of .*; got 'table-99'"):
        get_experiment("table-99")
    declare(id="toy")
    assert get_experiment("toy").id == "toy"
    monkeypatch.setattr(catalogue, "experiment_modules", lambda: {"other": "declared_in_this_test"})
    with pytest.raises(
        ValueError, match="declared_in_this_test must declare the experiment 'other'"
    ):
        get_experiment("other")
