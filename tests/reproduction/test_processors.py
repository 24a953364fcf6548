"""Numbers that once hung on the processor, under its vectorisations that can be chosen."""

import json
import os
import subprocess
import sys

import pytest

from reproduction.engine import get_experiment
from reproduction.engine.check import beside_stored
from reproduction.engine.store import load

PROBE = """
import numpy as np
from scipy.sparse import csr_matrix
from sklearn.neighbors import NearestNeighbors
from sklearn.preprocessing import normalize

from reproduction.engine import fingerprint, get_experiment, list_experiments
from reproduction.papers.ofer.multi_target import SteadyForest
from reproduction.papers.sslsop.local_predictors import break_ties

rng = np.random.default_rng(0)
words = normalize(csr_matrix((rng.random((300, 40)) < 0.1).astype(float)))
words = break_ties(words)
near = NearestNeighbors(n_neighbors=5).fit(words).kneighbors(words, return_distance=False)
X = rng.normal(size=(40, 12))
Y = np.tanh(X @ rng.normal(size=(12, 3)) @ np.ones((3, 5)))  # sums by BLAS
forest = SteadyForest(20, random_state=0).fit(X, Y)
found = {
    "neighbours": near.tolist(),
    "forest": [tree.tree_.feature.tolist() for tree in forest.estimators_],
    "identities": {id: fingerprint(get_experiment(id)) for id in list_experiments()},
}
"""
MACHINES = {
    "no AVX-512, Haswell's BLAS": {
        "NPY_DISABLE_CPU_FEATURES": "X86_V4 AVX512_ICL",
        "OPENBLAS_CORETYPE": "Haswell",
    },
    "no AVX, Nehalem's BLAS": {
        "NPY_DISABLE_CPU_FEATURES": "X86_V3 X86_V4 AVX512_ICL",
        "OPENBLAS_CORETYPE": "Nehalem",
    },
}


@pytest.fixture(scope="module")
def here():
    """What the probe finds in this process."""
    exec(PROBE, scope := {})
    return scope["found"]


@pytest.mark.parametrize("machine", MACHINES)
def test_choices_and_identities_do_not_hang_on_the_processor(here, machine):
    """NumPy and its BLAS read the variables when they are imported."""
    # A feature that this processor lacks is a warning, and no error here.
    command = [
        sys.executable,
        "-W",
        "ignore",
        "-c",
        f"{PROBE}\nimport json\nprint(json.dumps(found))",
    ]
    environment = os.environ | MACHINES[machine]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    assert json.loads(done.stdout) == here


def test_a_stored_cell_is_held_to_the_tolerance_of_its_method():
    experiment = get_experiment("fkl-table-03")
    table, _ = load(experiment.id)
    cells = table[(table["metric"] == "1-NN") & table["method"].isin(["FKL", "Fisher"])]
    compared = beside_stored(experiment, cells.assign(value=cells["value"] + 3.0))
    excess = compared[compared["metric"] == "1-NN"].groupby("method")["excess"]
    assert excess.max()["FKL"] < 1 < excess.min()["Fisher"]
