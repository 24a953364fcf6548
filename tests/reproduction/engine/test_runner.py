import subprocess
import sys

import numpy as np
import pandas as pd
import psutil
import pytest
from pandas.testing import assert_frame_equal
from threadpoolctl import threadpool_info, threadpool_limits

from reproduction.engine import run


def plain_loop(experiment):
    """Reference: the whole experiment without any machinery."""
    data = experiment.load()
    rows = []
    for method in experiment.methods:
        for setting in experiment.settings:
            for split in range(experiment.n_splits):
                for metric, value in experiment.evaluate(data, method, setting, split).items():
                    rows.append((method, setting, split, metric, float(f"{value:.10g}")))
    return pd.DataFrame(rows, columns=["method", "setting", "split", "metric", "value"])


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_equals_a_plain_loop(toy, calls, n_jobs):
    frame = run(toy(), n_jobs=n_jobs, progress=False).frame
    assert calls.n_loads() == 1
    assert_frame_equal(frame, plain_loop(toy()))


def test_a_part_is_a_part_of_the_whole(toy):
    part = {"splits": [2, 0], "methods": ["forest"], "settings": ["100", "10"]}
    frame = run(toy(), toy().units(**part), n_jobs=1, progress=False).frame
    whole = plain_loop(toy())
    rows = whole["method"].eq("forest") & whole["split"].ne(1) & whole["setting"].ne("20")
    assert_frame_equal(frame, whole[rows].reset_index(drop=True))


@pytest.mark.parametrize("name", ["splits", "methods", "settings"])
def test_part_that_is_not_declared(toy, name):
    with pytest.raises(ValueError, match=rf"{name} must be some of .* got \['svm'\]"):
        toy().units(**{name: ["svm"]})


def blas_threads():
    return [pool["num_threads"] for pool in threadpool_info() if pool["user_api"] == "blas"]


@pytest.mark.skipif(not blas_threads(), reason="threadpoolctl does not know Apple's library")
@pytest.mark.parametrize("n_jobs", [1, 2])
def test_one_blas_thread_everywhere(toy, monkeypatch, n_jobs):
    monkeypatch.setenv("OPENBLAS_NUM_THREADS", "2")  # of the workers, which would take one

    def evaluate(data, method, setting, split):
        return {"threads": max(blas_threads())}

    with threadpool_limits(limits=2):
        unlimited = evaluate(None, "", "", 0)
        frame = run(toy(evaluate=evaluate), n_jobs=n_jobs, progress=False).frame
        assert evaluate(None, "", "", 0) == unlimited  # nothing is left behind
    assert set(frame["value"]) == {1.0}


@pytest.mark.parametrize("values", [{}, {"error": np.nan}, {"error": 1.0, "score": np.inf}])
def test_values_must_be_finite(toy, values):
    with pytest.raises(ValueError, match=r"metrics with finite values; got") as error:
        run(toy(evaluate=lambda *args: values), n_jobs=1, progress=False)
    assert error.value.__notes__ == [
        "While evaluating Unit(method='ridge', setting='100', split=0)."
    ]


LONG = """
from reproduction.engine import Experiment, run

def evaluate(*unit):
    print("at work", flush=True)
    while True:
        pass

run(Experiment(
    id="toy", title="A toy", load=lambda: None, evaluate=evaluate, methods=("a", "b"),
    settings=("1",), n_splits=1, parameters={},
), n_jobs=2)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux ends them at once")
def test_workers_end_with_a_parent_that_is_killed(tmp_path):
    (tmp_path / "long.py").write_text(LONG)
    command = [sys.executable, tmp_path / "long.py"]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as parent:
        parent.stdout.readline()
        parent.stdout.readline()  # both are at work
        workers = psutil.Process(parent.pid).children(recursive=True)
        busy = [one for one in workers if "resource_tracker" not in " ".join(one.cmdline())]
        parent.kill()
    assert psutil.wait_procs(busy, timeout=60)[1] == []
