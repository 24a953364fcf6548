"""The three steps on a dask cluster of two processes on this machine: the same numbers."""

import numpy as np
import pytest
from joblib import parallel_config

from ofer.companions import LocalStructuredPredictor
from ofer.companions.local_structured import neighborhoods, training

pytest.importorskip("distributed", reason="dask.distributed is not installed")


@pytest.mark.filterwarnings("default")  # those of dask are not ours
@pytest.mark.parametrize(("name", "y_step"), [("tree", "upper_bound"), ("chain", "literal")])
def test_same_numbers_as_in_one_process(client, make_problem, monkeypatch, name, y_step):
    monkeypatch.setattr(neighborhoods, "SUBSET_SIZE", 11)
    monkeypatch.setattr(training, "BLOCK_SIZE", 7)
    problem = make_problem(name)
    model = LocalStructuredPredictor(problem.space, n_neighbors=6, n_iter=3, y_step=y_step)

    def run():
        fitted = model.fit(problem.X, problem.partly)
        predicted = np.hstack(fitted.predict(problem.X))
        return fitted.neighbors_, fitted.dual_coef_, fitted.objective_history_, predicted

    alone = run()
    before = tasks_done(client)
    with parallel_config("dask"):
        together = run()
    for one, other in zip(alone, together, strict=True):
        np.testing.assert_array_equal(one, other)
    done = {worker: count - before[worker] for worker, count in tasks_done(client).items()}
    assert len(done) == 2
    assert min(done.values()) > 0, "a worker had nothing to do"


def tasks_done(client):
    """How many tasks each worker has executed."""
    return client.run(lambda dask_worker: dask_worker.state.executed_count)
