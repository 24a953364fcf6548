"""Toy experiments."""

import sys

import numpy as np
import pytest

from reproduction import closure
from reproduction.engine import Experiment, catalogue


@pytest.fixture
def checkout(tmp_path, monkeypatch):
    """Empty folder in the place of the checkout: no test touches the real results."""
    folder = tmp_path / "checkout"
    monkeypatch.setattr("reproduction.paths.CHECKOUT", folder)
    monkeypatch.delenv("OFER_RESULTS", raising=False)
    return folder


@pytest.fixture
def declare(tmp_path, monkeypatch):
    """Declare toy experiments, given their fields as texts of Python; there is no other then."""
    known = {
        "title": '"A toy"', "load": "lambda: None", "evaluate": "evaluate",
        "methods": '("a", "b")', "settings": '("10",)', "n_splits": "2", "parameters": "{}",
    }  # fmt: skip
    files = {}

    def module(id):
        return f"declared_in_this_test_{id.replace('-', '_')}"

    def write(*, id, **fields):
        texts = ", ".join(f"{name}={text}" for name, text in (known | fields).items())
        files[id] = tmp_path / f"{module(id)}.py"
        files[id].write_text(
            "from reproduction.engine import Dimension, Experiment, Facts, Readings\n\n"
            "def evaluate(data, method, setting, split):\n"
            '    return {"error": 0.0}\n\n'
            f"EXPERIMENT = Experiment(id={id!r}, {texts})\n"
        )
        sys.modules.pop(module(id), None)
        monkeypatch.syspath_prepend(tmp_path)
        monkeypatch.setattr(catalogue, "experiment_files", lambda: files)
        monkeypatch.setattr(catalogue, "experiment_module", module)

    yield write
    for id in files:
        sys.modules.pop(module(id), None)


class Calls:
    """Counts calls in files, which works across processes."""

    def __init__(self, folder):
        self.evaluations = folder / "evaluations.txt"
        self.loads = folder / "loads.txt"

    def evaluated(self):
        return self._read(self.evaluations)

    def n_loads(self):
        return len(self._read(self.loads))

    def _read(self, path):
        return path.read_text().splitlines() if path.exists() else []


@pytest.fixture
def calls(tmp_path):
    return Calls(tmp_path)


@pytest.fixture
def toy(calls):
    """Factory of a small experiment of 2 methods, 3 settings and 3 splits."""
    # Nested functions travel to worker processes by value: workers cannot import this file.
    evaluations, loads = calls.evaluations, calls.loads

    def load():
        with loads.open("a") as file:
            file.write("load\n")
        return np.arange(7.0)

    def evaluate(data, method, setting, split):
        with evaluations.open("a") as file:
            file.write(f"{method} {setting} {split}\n")
        noise = np.random.default_rng([len(method), int(setting), split]).normal(size=2)
        return {"error": data.mean() / int(setting) + noise[0], "score": noise[1]}

    def make(**changes):
        fields = {
            "id": "toy",
            "title": "A toy",
            "load": load,
            "evaluate": evaluate,
            "methods": ("ridge", "forest"),
            "settings": ("10", "20", "100"),
            "n_splits": 3,
            "parameters": {"alpha": 0.5, "sizes": [10, 20]},
        }
        return Experiment(**fields | changes)

    return make


@pytest.fixture
def house(tmp_path, monkeypatch):
    """Write the modules of a package that counts as the project's; returns its folder."""
    folder = tmp_path / "house"
    folder.mkdir()
    (folder / "__init__.py").touch()
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(closure, "_OWN", ("house",))
    monkeypatch.setattr(closure, "_folder", {"house": folder}.get)

    def write(**texts):
        for name, text in texts.items():
            (folder / f"{name}.py").write_text(text)
        return folder

    yield write
    for name in [name for name in sys.modules if name.partition(".")[0] == "house"]:
        del sys.modules[name]
