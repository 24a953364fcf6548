"""Units on a dask cluster of two processes on this machine."""

import contextlib
import os
import socket
import subprocess
import sys

import joblib
import psutil
import pytest
from pandas.testing import assert_frame_equal
from sklearn.utils import Bunch

from reproduction.engine import load, results, run, runner
from reproduction.engine.cluster import computing_on
from reproduction.paths import CHECKOUT

pytest.importorskip("distributed", reason="dask.distributed is not installed")

pytestmark = pytest.mark.filterwarnings("default")  # those of dask are not ours


def tasks_done(client):
    """How many tasks each worker has executed."""
    return client.run(lambda dask_worker: dask_worker.state.executed_count)


def test_a_profile_may_name_a_scheduler(toy, calls, tmp_path, client):
    before = tasks_done(client)
    address = client.scheduler.address
    frame = results(toy(), profile=f"full:toy@{address}", folder=tmp_path).frame
    assert_frame_equal(frame, run(toy(), n_jobs=1, progress=False))
    assert load("toy", folder=tmp_path)[0].equals(frame)
    done = {worker: count - before[worker] for worker, count in tasks_done(client).items()}
    assert len(done) == 2
    assert min(done.values()) > 0, "a worker had nothing to do"


def test_a_scheduler_may_be_encrypted(toy, encrypted):
    assert encrypted.startswith("tls://")
    with computing_on(encrypted):
        frame = run(toy(), progress=False)
    assert_frame_equal(frame, run(toy(), n_jobs=1, progress=False))


@pytest.mark.parametrize("data", [Bunch(a=1.5), {"a": 1.5}, (1.5,), 1.5])
def test_workers_get_the_data_as_they_are(toy, client, data):
    kind = type(data)

    def evaluate(given, method, setting, split):
        assert type(given) is kind
        return {"same": given == data}

    with joblib.parallel_config(backend="dask"):
        frame = run(toy(load=lambda: data, evaluate=evaluate), progress=False)
    assert set(frame["value"]) == {1.0}


def test_data_are_sent_once(toy, client):
    class Data:
        """Counts how often it is pickled."""

        pickled = 0

        def __reduce__(self):
            type(self).pickled += 1
            return str, ("here",)

    def evaluate(data, method, setting, split):
        return {"arrived": data == "here"}

    with joblib.parallel_config(backend="dask"):
        frame = run(toy(load=Data, evaluate=evaluate), progress=False)
    assert set(frame["value"]) == {1.0}
    assert Data.pickled < len(frame)


def test_an_equal_process_id_on_another_host_is_another_process(toy, client):
    """That is, a worker limits its threads itself."""
    parent = os.getpid()

    def pretend(undo=False):
        if undo:
            os.getpid, socket.gethostname, runner.threadpool_limits = os.kept
            return
        os.kept = os.getpid, socket.gethostname, runner.threadpool_limits
        os.getpid, socket.gethostname = lambda: parent, lambda: "another"
        runner.threadpool_limits = lambda limits: contextlib.nullcontext(
            setattr(os, "limit", limits)
        )

    def evaluate(data, method, setting, split):
        assert (os.getpid(), socket.gethostname()) == (parent, "another")
        return {"limit": os.limit}

    client.run(pretend)
    try:
        with joblib.parallel_config(backend="dask"):
            frame = run(toy(evaluate=evaluate), progress=False)
    finally:
        client.run(pretend, undo=True)
    assert set(frame["value"]) == {1.0}


def test_a_cluster_needs_dask(monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    with (
        pytest.raises(ImportError, match=r"dask must be installed for a cluster; got none"),
        computing_on("tcp://127.0.0.1:8786"),
    ):
        pass


LONG = """
from joblib import Parallel, delayed
from reproduction.engine.cluster import computing_on

def work(i):
    print("at work", flush=True)
    while True:
        pass

with computing_on(""):
    Parallel(n_jobs=2)(delayed(work)(i) for i in range(2))
"""


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux ends them at once")
def test_workers_end_with_a_parent_that_is_killed(tmp_path):
    (tmp_path / "long.py").write_text(LONG)
    command = [sys.executable, tmp_path / "long.py"]
    with subprocess.Popen(command, cwd=CHECKOUT, stdout=subprocess.PIPE) as parent:
        parent.stdout.readline()
        parent.stdout.readline()  # both are at work
        workers = psutil.Process(parent.pid).children(recursive=True)
        parent.kill()
    busy = [one for one in workers if "resource_tracker" not in " ".join(_command_line(one))]
    assert psutil.wait_procs(busy, timeout=60)[1] == []


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux ends them at once")
def test_a_worker_ends_that_begins_after_its_parent_was_killed():
    call = "from reproduction.engine import cluster; cluster._end_with_parent(0)"
    command = [sys.executable, "-c", f"{call}; print('at work')"]
    done = subprocess.run(command, cwd=CHECKOUT, capture_output=True, text=True)
    assert (done.returncode, done.stdout, done.stderr) == (1, "", "")


def _command_line(process):
    try:
        return process.cmdline()
    except psutil.NoSuchProcess:
        return []
