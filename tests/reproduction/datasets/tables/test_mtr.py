"""Multi-target regression: a made-up ARFF file, and the real ones where present."""

import hashlib
from dataclasses import replace

import numpy as np
import pytest

from reproduction.datasets import UpstreamFile, dataset_info
from reproduction.datasets.tables import mtr as module
from reproduction.datasets.tables.mtr import fetch_mtr

FILE = """\
% a comment
@relation 'made up: -C 2'

@attribute 'mean, winter' numeric
@ATTRIBUTE letter {B, A}
@attribute code {1,2}
@attribute target-1 numeric
@attribute target-2 real

@DATA
1.5, A, 2, 0, 10
?, B, ?, 1, 20
% another
-3,A,1,2,30
"""
EXPECTED = {
    "X": np.array([[1.5, 0, 1, 2], [np.nan, 1, 0, np.nan], [-3, 0, 1, 1]]),
    "Y": np.array([[0.0, 10], [1, 20], [2, 30]]),
    "x_names": np.array(["mean, winter", "letter=B", "letter=A", "code"]),
    "y_names": np.array(["target-1", "target-2"]),
}


@pytest.fixture
def home(upstream, monkeypatch, tmp_path):
    """An empty data folder, the set "enb" being the file above, served by `upstream`."""
    upstream.files["enb.arff"] = FILE.encode()
    dataset = replace(
        module.MTR["enb"],
        checksums={
            name: hashlib.sha256(array.tobytes()).hexdigest() for name, array in EXPECTED.items()
        },
        upstream=(
            UpstreamFile(
                "enb.arff", upstream.url("enb.arff"), hashlib.sha256(FILE.encode()).hexdigest()
            ),
        ),
    )
    monkeypatch.setitem(module.MTR, "enb", dataset)
    return tmp_path


def test_conversion(home, upstream):
    for _ in range(2):  # converted, then kept
        data = fetch_mtr("enb", data_home=home)
        np.testing.assert_array_equal(data.X, EXPECTED["X"], strict=True)
        np.testing.assert_array_equal(data.Y, EXPECTED["Y"], strict=True)
        np.testing.assert_array_equal(data.feature_names, EXPECTED["x_names"])
        np.testing.assert_array_equal(data.target_names, EXPECTED["y_names"])
    assert upstream.requests == ["enb.arff"]
    assert (home / "mtr" / "enb.npz").is_file()


def test_description(home):
    data = fetch_mtr("enb", data_home=home)
    for part in ("energy", "768 samples, 8 inputs, 2 outputs", "Mulan", "jura", "Spyromitros"):
        assert part in data.DESCR
    assert data.checksums == module.MTR["enb"].checksums


def test_unknown_name_lists_the_names():
    with pytest.raises(ValueError, match=r"name must be one of 'andro', .*'wq'; got 'jura'"):
        fetch_mtr("jura")


def test_names_are_those_of_the_documentation():
    listed = ", ".join(f'"{name}"' for name in module.MTR)
    assert f"name : {{{listed}}}" in fetch_mtr.__doc__


@pytest.mark.parametrize("name", module.MTR)
def test_real_data(need, name):
    need(f"mtr_{name}")
    data = fetch_mtr(name)
    n_samples, n_features = data.X.shape
    assert dataset_info(f"mtr_{name}").size == (
        f"{n_samples} samples, {n_features} inputs, {data.Y.shape[1]} outputs"
    )
    assert len(data.Y) == n_samples
    assert (len(data.feature_names), len(data.target_names)) == (n_features, data.Y.shape[1])
    assert np.isfinite(data.Y).all()
    assert np.isnan(data.X).any() == (name in ("osales", "scpf"))
