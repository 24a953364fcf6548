"""How much memory a fit takes, and how much there is."""

import os
import subprocess
import sys
import tracemalloc
from types import SimpleNamespace

import numpy as np
import pytest
from sklearn.kernel_approximation import Nystroem
from sklearn.pipeline import make_pipeline

from ofer import KernelRidgeCV
from ofer.utils.memory import check_gram_memory, free_memory
from tests.ofer.estimators import KERNEL_MACHINES

FITS = """
import re
import numpy as np
import ofer
n = 2100  # a matrix has more than 32 MB, so that its memory goes back as soon as it is free
X = np.random.default_rng(0).normal(size=(n, 5))
Y, weights = np.sin(X[:, :2]), np.linspace(0.5, 2, n)
def peak():
    return int(re.search(r"VmHWM:\\s+(\\d+) kB", open("/proc/self/status").read())[1])
def matrices(model, *weights):
    model.fit(X[:90], Y[:90]).predict(X[:9])
    with open("/proc/self/clear_refs", "w") as file:
        file.write("5")  # the peak begins anew
    before = peak()
    model.fit(X, Y, *weights)
    return (peak() - before) * 1024 / (8 * n**2)
"""
# a model, and what else `fit` takes; the most square matrices that it may have at once
MATRICES = [
    ("ofer.KernelRidgeCV(kernel='rbf', gamma=0.1)", 3.4),
    ("ofer.KernelRidgeCV(kernel='laplacian', gamma=0.1), weights", 3.4),
    ("ofer.InputOutputKernelRegressor(kernel='rbf', gamma=0.1, alphas=[0.1])", 5.4),
]


@pytest.mark.skipif(sys.platform != "linux", reason="the peak is read from /proc")
def test_a_fit_takes_the_matrices_that_are_counted():
    code = FITS + "".join(f"print(matrices({model}))\n" for model, _ in MATRICES)
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    for found, (_, most) in zip(run.stdout.split(), MATRICES, strict=True):
        assert 0.9 < float(found) < most


def test_the_least_of_machine_and_containers_counts(tmp_path):
    def write(path, text):
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text, encoding="utf-8")

    assert free_memory(tmp_path) > 0  # a system that does not tell
    write("proc/meminfo", "MemTotal: 9000 kB\nMemAvailable:    8000 kB\n")
    assert free_memory(tmp_path) == 8_192_000
    write("proc/self/cgroup", "5:cpu:/x\n4:memory:/a/b\n0::/c/d\n")
    write("sys/fs/cgroup/memory/a/memory.limit_in_bytes", "5000\n")
    write("sys/fs/cgroup/memory/a/memory.usage_in_bytes", "1000\n")
    assert free_memory(tmp_path) == 4000
    write("sys/fs/cgroup/c/d/memory.max", "max\n")
    write("sys/fs/cgroup/c/d/memory.current", "100\n")
    assert free_memory(tmp_path) == 4000
    write("sys/fs/cgroup/memory.max", "3000\n")
    write("sys/fs/cgroup/memory.current", "2900\n")
    write("sys/fs/cgroup/memory.stat", "anon 1000\ninactive_file 500\n")
    assert free_memory(tmp_path) == 600


def test_without_proc_psutil_is_asked_or_all_of_the_machine_is_free(tmp_path, monkeypatch):
    psutil = pytest.importorskip("psutil")
    everything = SimpleNamespace(total=9000, available=7000)
    monkeypatch.setattr(psutil, "virtual_memory", lambda: everything)
    assert free_memory(tmp_path) == 7000
    monkeypatch.setitem(sys.modules, "psutil", None)
    monkeypatch.setattr(os, "sysconf_names", {"SC_PHYS_PAGES": 1}, raising=False)
    monkeypatch.setattr(
        os, "sysconf", {"SC_PAGE_SIZE": 10, "SC_PHYS_PAGES": 900}.get, raising=False
    )
    assert free_memory(tmp_path) == 9000
    monkeypatch.delattr(os, "sysconf_names")  # Windows
    assert free_memory(tmp_path) == float("inf")


def test_too_large_a_kernel_matrix_is_refused_before_it_is_made():
    with pytest.raises(
        MemoryError, match=r"kernel ridge on 100000000 samples needs .* GB.*NystroemRidgeCV"
    ):
        check_gram_memory(10**8)


def peak(function):
    """Bytes of arrays that a call has at once, beside those that were there."""
    tracemalloc.start()
    try:
        function()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


@pytest.mark.filterwarnings("ignore:alphas should have")
def test_few_features_take_the_memory_of_the_data():
    """And some blocks of 8 MB, where the matrix of the kernel would take 29 GB."""
    X = np.random.default_rng(0).normal(size=(60_000, 20))
    Y = np.sin(X[:, :2])
    assert peak(lambda: KernelRidgeCV().fit(X, Y)) < 10 * X.nbytes
    recipe = make_pipeline(Nystroem(n_components=20, gamma=0.1, random_state=0), KernelRidgeCV())
    assert peak(lambda: recipe.fit(X, Y)) < 15 * X.nbytes


@pytest.mark.parametrize("make", KERNEL_MACHINES)
def test_predictions_take_blocks(make):
    X, queries = np.linspace(0, 6, 500)[:, None], np.linspace(0, 6, 40_000)[:, None]
    model = make([1e-3], kernel="rbf").fit(X, np.sin(X))
    whole = 8 * len(X) * len(queries)
    assert peak(lambda: model.predict(queries)) < whole / 2
