"""What others compute is told from what we do, by times of processors that are made up here."""

from types import SimpleNamespace

import psutil
import pytest

from reproduction import machine


class Process:
    """One with times of its own and children."""

    def __init__(self, seconds, children=()):
        self.seconds, self.started = seconds, children

    def cpu_times(self):
        if self.seconds is None:
            raise psutil.NoSuchProcess(1)
        own = {"user": self.seconds, "system": 0.0}
        return SimpleNamespace(**own, children_user=0.0, children_system=0.0)

    def children(self, recursive):
        return [*self.started]


@pytest.fixture
def clock(monkeypatch):
    """Seconds that have passed, and seconds of all processors that worked."""
    now = SimpleNamespace(passed=100.0, worked=1000.0)
    monkeypatch.setattr(machine.time, "monotonic", lambda: now.passed)
    monkeypatch.setattr(
        psutil, "cpu_times", lambda: SimpleNamespace(user=now.worked, steal=3.0, idle=now.passed)
    )
    return now


def test_our_own_work_and_that_of_our_children_is_no_load(clock):
    child, ended = Process(2.0), Process(None)
    us = Process(5.0, (child, ended))
    others = machine.watch(us)
    clock.passed, clock.worked = 110.0, 1016.0
    us.seconds, child.seconds = 9.0, 8.0  # 10 seconds of ours, so 6 of others
    assert others() == 0.6
    child.seconds = 14.0
    assert others() == 0.0


def test_where_processes_cannot_be_seen_the_load_is_not_known(monkeypatch):
    monkeypatch.setattr(machine, "find_spec", lambda name: None)
    assert machine.watch()() is None
