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
import json

import numpy as np
from scipy.sparse import csr_matrix
from sklearn.neighbors import NearestNeighbors
from sklearn.preprocessing import normalize

from reproduction.papers.ofer.multi_target import SteadyForest
from reproduction.papers.sslsop.local_predictors import break_ties

rng = np.random.default_rng(0)
words = normalize(csr_matrix((rng.random((300, 40)) < 0.1).astype(float)))
words = break_ties(words)
near = NearestNeighbors(n_neighbors=5).fit(words).kneighbors(words, return_distance=False)
X = rng.normal(size=(40, 12))
Y = np.tanh(X @ rng.normal(size=(12, 3)) @ np.ones((3, 5)))  # sums by BLAS
forest = SteadyForest(20, random_state=0).fit(X, Y)
places = [tree.tree_.feature.tolist() for tree in forest.estimators_]
print(json.dumps({"neighbours": near.tolist(), "forest": places}))
"""
VARIANTS = {
    "as it is": {},
    "no AVX-512": {"NPY_DISABLE_CPU_FEATURES": "X86_V4 AVX512_ICL"},
    "no AVX": {"NPY_DISABLE_CPU_FEATURES": "X86_V3 X86_V4 AVX512_ICL"},
    "Haswell's BLAS": {"OPENBLAS_CORETYPE": "Haswell"},
    "Nehalem's BLAS": {"OPENBLAS_CORETYPE": "Nehalem"},
    "old": {
        "NPY_DISABLE_CPU_FEATURES": "X86_V3 X86_V4 AVX512_ICL",
        "OPENBLAS_CORETYPE": "Nehalem",
    },
}


def probe(variables):
    """What the probe prints in a process of its own; NumPy reads the variables when imported."""
    kept = {k: v for k, v in os.environ.items() if k not in VARIANTS["old"]}
    # A feature that this processor lacks is a warning, and no error here.
    command = [sys.executable, "-W", "ignore", "-c", PROBE]
    done = subprocess.run(command, env=kept | variables, capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


@pytest.fixture(scope="module")
def reference():
    return probe(VARIANTS["as it is"])


@pytest.mark.parametrize("variant", [name for name in VARIANTS if name != "as it is"])
def test_neighbours_and_forests_do_not_hang_on_the_processor(reference, variant):
    found = probe(VARIANTS[variant])
    assert found["neighbours"] == reference["neighbours"]
    assert found["forest"] == reference["forest"]


def test_a_stored_cell_is_held_to_the_tolerance_of_its_method():
    experiment = get_experiment("fkl-table-03")
    table, _ = load(experiment.id)
    cells = table[(table["metric"] == "1-NN") & table["method"].isin(["FKL", "Fisher"])]
    compared = beside_stored(experiment, cells.assign(value=cells["value"] + 3.0))
    excess = compared[compared["metric"] == "1-NN"].groupby("method")["excess"]
    assert excess.max()["FKL"] < 1 < excess.min()["Fisher"]
