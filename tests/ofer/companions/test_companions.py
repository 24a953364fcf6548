"""The three systems share nothing but the core, and are loaded when asked for."""

import importlib
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import ofer
from ofer import companions

ROOMS = ("fisher_kernel", "local_structured", "sharma_mittal")


def test_every_public_name_is_found_in_a_room():
    gathered = {name for room in ROOMS for name in vars(room_of(room))["__all__"]}
    assert set(companions.__all__) <= gathered & set(dir(companions))
    for name in companions.__all__:
        assert getattr(companions, name).__module__.split(".")[2] in ROOMS
    with pytest.raises(AttributeError, match="no attribute 'GaussianProcess'"):
        companions.GaussianProcess  # noqa: B018


def room_of(name):
    return importlib.import_module(f"ofer.companions.{name}")


@pytest.mark.parametrize("gone", ROOMS)
def test_each_room_can_be_deleted(gone, tmp_path):
    shutil.copytree(Path(ofer.__file__).parent, tmp_path / "ofer")
    shutil.rmtree(tmp_path / "ofer/companions" / gone)
    others = ", ".join(f"ofer.companions.{room}" for room in ROOMS if room != gone)
    program = f"import ofer.companions; import {others}; print(ofer.companions.__file__)"
    command = [sys.executable, "-W", "ignore", "-c", program]
    run = subprocess.run(command, capture_output=True, text=True, check=True, cwd=tmp_path,
                         env={"PYTHONPATH": str(tmp_path)})  # fmt: skip
    assert Path(run.stdout.strip()).is_relative_to(tmp_path)


@pytest.mark.parametrize("room", ROOMS)
def test_no_room_loads_another(room):
    program = f"import sys, ofer.companions.{room}; print(*sys.modules)"
    command = [sys.executable, "-W", "ignore", "-c", program]
    run = subprocess.run(command, capture_output=True, text=True, check=True)
    loaded = {
        name.split(".")[2]
        for name in run.stdout.split()
        if name.startswith("ofer.comp") and name.count(".") == 2
    }
    assert loaded == {room}
