"""What all tests share."""

import gc
import importlib
import os
import shutil
import subprocess
import sys
from fnmatch import fnmatch
from pathlib import Path

import pytest
from hypothesis import settings

from ofer.utils import products

ROOT = Path(__file__).resolve().parents[1]
# The same few examples in each run, and no limit on what one may take.
settings.register_profile("few", derandomize=True, deadline=None, max_examples=15)
settings.load_profile("few")


def pytest_configure(config):
    """Let warnings be no errors that scikit-learn's products give without a cause."""
    for line in products.FILTERS:
        config.addinivalue_line("filterwarnings", line)


@pytest.hookimpl(wrapper=True)
def pytest_collection():
    """Collect tests without the garbage collector, which never looks at them afterwards either.

    They stay until the end, so that visiting ten thousand of them again and again finds nothing.
    """
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items):
    """Tests on a cluster come last: one is started, and does not idle while others run."""
    items.sort(key=lambda item: "cluster" in item.fixturenames)


@pytest.fixture(scope="session")
def cluster(tmp_path_factory):
    """Client of a dask cluster of two processes on this machine."""
    dask, distributed = pytest.importorskip("dask"), pytest.importorskip("distributed")
    # On Linux workers are forks of a process that has imported what they need; what macOS loads
    # with numpy does not live through a fork.
    method = "forkserver" if sys.platform == "linux" else "spawn"
    with dask.config.set({"distributed.worker.multiprocessing-method": method}):
        context = importlib.import_module("distributed.utils").get_mp_context()
        if method == "forkserver":
            context.set_forkserver_preload(["distributed", "ofer.distributed", "ofer.companions"])
        cluster = distributed.LocalCluster(
            n_workers=2,
            threads_per_worker=1,
            dashboard_address=":0",
            local_directory=tmp_path_factory.mktemp("dask"),
        )
        with cluster, distributed.Client(cluster) as client:
            yield client


@pytest.fixture
def client(cluster):
    """The same, with both workers there, whatever the test before has done to one."""
    cluster.wait_for_workers(2)
    return cluster


@pytest.fixture
def encrypted(tmp_path):
    """Address of a cluster that talks to those alone who have its certificate, as this process."""
    dask, distributed = pytest.importorskip("dask"), pytest.importorskip("distributed")
    openssl = shutil.which("openssl") or pytest.skip("there is no openssl on the path")
    files = {"cert": str(tmp_path / "cluster.pem"), "key": str(tmp_path / "cluster.key")}
    command = [openssl, "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=cluster"]
    command += ["-days", "2", "-out", files["cert"], "-keyout", files["key"]]
    subprocess.run(command, check=True, capture_output=True)
    settings = {"distributed.comm.require-encryption": True}
    settings["distributed.comm.tls.ca-file"] = files["cert"]
    for role in ("client", "scheduler", "worker"):
        settings[f"distributed.comm.tls.{role}"] = files
    with (
        dask.config.set(settings),
        distributed.LocalCluster(
            n_workers=1,
            threads_per_worker=1,
            processes=False,
            protocol="tls://",
            dashboard_address=":0",
        ) as cluster,
    ):
        yield cluster.scheduler_address


@pytest.fixture(scope="session")
def project_files():
    """Files under version control; where git cannot say, all that it would not ignore."""
    try:
        listed = subprocess.run(
            ["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True
        )
        names = os.fsdecode(listed.stdout).split("\0")
    except (OSError, subprocess.CalledProcessError):
        names = [""]
    paths = [ROOT / name for name in names if name] or files_not_ignored(ROOT)
    return [path for path in paths if path.is_file()]


def files_not_ignored(root):
    """Files below `root` without those that a pattern of ``.gitignore`` matches by name."""
    patterns = [".git", *(line.rstrip("/") for line in (root / ".gitignore").read_text().split())]

    def kept(names):
        return [name for name in names if not any(fnmatch(name, pattern) for pattern in patterns)]

    found = []
    for folder, folders, names in os.walk(root):
        folders[:] = kept(folders)
        found += [Path(folder, name) for name in kept(names)]
    return found
