"""NCI-60: the conversion on a few hand-made lines, and the real data where they are present."""

import hashlib
import sys
from dataclasses import replace
from functools import partial
from types import SimpleNamespace

import numpy as np
import pytest

from ofer.kernels import tanimoto_kernel
from reproduction.datasets import (
    DataUnavailableError,
    UpstreamFile,
    checksums,
    dataset_info,
)
from reproduction.datasets.tables import nci60
from reproduction.datasets.tables.nci60 import fetch_nci60

FILES = {
    # Cell lines 3 and 1, in this order, and the assay 11, which is not one.
    "activity_processed": (
        "0 3 1 11\n186 47 46 NA\n479 60 17 50\n107660 70 71 50\n5 NA 50 50\n700 59 61 NA\n"
    ),
    "id2aid2name": "1\t1\tLC:A\n2\t3\tME:MDA_N\n",
    "ncicancer_labels": "700\n5\n479\n107660\n186\n",
    "ncicancer_features_fp3": "1\n0\n101\n100000000\n1" + "0" * 63 + "\n",
    # 186 is unknown in both, 479 in the later one, 700 is replaced there.
    "public_drug_info_v2.5_correct.txt": (
        '""\t"NSC"\t"NAME"\t"SMILES"\n"1"\t"186"\t"x"\t"O"\n"2"\t"479"\t"y"\t"CC"\n'
        '"3"\t"700"\t"z"\t"CCO"\n"4"\t"107660"\t"t"\t"bad"\n'
    ),
    "public_drug_info_2_14.txt": (
        '""\t"NSC"\t"NAME"\t"SMILES"\n"1"\t186\t"x"\tNA\n"2"\t479\t"y"\t""\n"3"\t700\t"z"\t"CCN"\n'
    ),
}
EXPECTED = {
    "nsc": np.array([186, 479, 107660, 700], dtype="<i4"),
    "Y": np.array([[46, 47], [17, 60], [71, 70], [61, 59]], dtype="<i2"),
    "cell_lines": np.array(["LC:A", "ME:MDA_N"]),
    "pubchem_aid": np.array([1, 3], dtype="<i2"),
    "fp3_packed": np.array(
        [[0] * 7 + [128], [5] + [0] * 7, [0, 1] + [0] * 6, [1] + [0] * 7], dtype=np.uint8
    ),
    "has_smiles": np.array([False, True, False, True]),
    "active": np.array([False, True, True, True]),
}
FP2_BITS = {"CC": [1, 1024], "CCN": [9]}  # Open Babel counts from 1
EXPECTED_FP2 = np.zeros((4, 128), dtype=np.uint8)
EXPECTED_FP2[1, [0, 127]] = [1, 128]
EXPECTED_FP2[3, 1] = 1


@pytest.fixture
def served(upstream, monkeypatch):
    """`fetch_nci60` of the hand-made files, from `upstream`."""
    upstream.files |= {name: text.encode() for name, text in FILES.items()}
    arrays = EXPECTED | {"fp2_packed": EXPECTED_FP2}
    dataset = replace(
        nci60.NCI60,
        checksums={name: sha256(array.tobytes()) for name, array in arrays.items()},
        upstream=tuple(
            UpstreamFile(name, upstream.url(name), sha256(content))
            for name, content in upstream.files.items()
        ),
    )
    monkeypatch.setattr(nci60, "NCI60", dataset)
    return upstream


def sha256(content):
    return hashlib.sha256(content).hexdigest()


@pytest.fixture
def open_babel(monkeypatch):
    """A stand-in for Open Babel that knows two molecules."""

    def readstring(kind, smiles):
        assert kind == "smi"
        return SimpleNamespace(calcfp=lambda name: SimpleNamespace(bits=FP2_BITS[smiles]))

    log = SimpleNamespace(calls=[])
    log.StopLogging = lambda: log.calls.append("stop")
    log.StartLogging = lambda: log.calls.append("start")
    pybel = SimpleNamespace(readstring=readstring, ob=SimpleNamespace(obErrorLog=log))
    monkeypatch.setitem(sys.modules, "openbabel", SimpleNamespace(pybel=pybel))
    return log


@pytest.fixture
def no_open_babel(monkeypatch):
    monkeypatch.setitem(sys.modules, "openbabel", None)


def test_conversion(served, open_babel, tmp_path):
    arrays = nci60.NCI60.arrays(data_home=tmp_path)
    for name, expected in (EXPECTED | {"fp2_packed": EXPECTED_FP2}).items():
        np.testing.assert_array_equal(arrays[name], expected)
        assert arrays[name].dtype == expected.dtype
    assert open_babel.calls == ["stop", "start"]
    assert (tmp_path / "nci60" / "nci60.npz").is_file()


def test_kept_conversion_needs_neither_network_nor_open_babel(
    served, open_babel, tmp_path, monkeypatch
):
    assert nci60.NCI60.unavailable_reason(data_home=tmp_path)
    fetch_nci60(data_home=tmp_path)
    served.stop()
    monkeypatch.setitem(sys.modules, "openbabel", None)
    assert nci60.NCI60.unavailable_reason(data_home=tmp_path) is None
    np.testing.assert_array_equal(fetch_nci60(data_home=tmp_path).nsc, [479, 700])


def test_open_babel_may_speak_again_after_an_error(served, open_babel, tmp_path, monkeypatch):
    monkeypatch.delitem(FP2_BITS, "CCN")
    with pytest.raises(KeyError, match="CCN"):
        fetch_nci60(data_home=tmp_path)
    assert open_babel.calls == ["stop", "start"]


def test_fp2_without_open_babel(served, no_open_babel, tmp_path):
    with pytest.raises(
        DataUnavailableError, match=r'pip install openbabel-wheel.*OFER_DATA.*fingerprint="fp3"'
    ) as caught:
        fetch_nci60(data_home=tmp_path)
    assert isinstance(caught.value.__cause__, ImportError)


def test_fp3_without_open_babel(served, no_open_babel, tmp_path):
    molecules = fetch_nci60(data_home=tmp_path, fingerprint="fp3", drop_cell_lines=())
    np.testing.assert_array_equal(molecules.fingerprints, EXPECTED["fp3_packed"][[1, 3]])
    np.testing.assert_array_equal(molecules.Y, [[17, 60], [61, 59]])
    assert not (tmp_path / "nci60" / "nci60.npz").exists()


def test_selection(served, open_babel, tmp_path):
    molecules = fetch_nci60(data_home=tmp_path)
    np.testing.assert_array_equal(molecules.nsc, [479, 700])
    np.testing.assert_array_equal(molecules.Y, [[17.0], [61.0]])
    assert molecules.Y.dtype == np.float64
    np.testing.assert_array_equal(molecules.cell_lines, ["LC:A"])
    np.testing.assert_array_equal(molecules.fingerprints, EXPECTED_FP2[[1, 3]])

    everything = fetch_nci60(data_home=tmp_path, subset="all", drop_cell_lines=["LC:A"])
    np.testing.assert_array_equal(everything.nsc, EXPECTED["nsc"])
    np.testing.assert_array_equal(everything.Y[:, 0], EXPECTED["Y"][:, 1])
    np.testing.assert_array_equal(everything.active, EXPECTED["active"])
    np.testing.assert_array_equal(everything.has_smiles, EXPECTED["has_smiles"])


def test_description(served, open_babel, tmp_path):
    molecules = fetch_nci60(data_home=tmp_path)
    for part in ("2228", "2303", "ME:MDA_N", "LGPL-3", "Su", "substitute", "GI50"):
        assert part in molecules.DESCR
    assert molecules.checksums == nci60.NCI60.checksums


def test_no_network_and_no_data_is_one_error(served, no_open_babel, tmp_path):
    served.stop()
    with pytest.raises(DataUnavailableError, match=r"activity_processed.*HTTP.*the page Data"):
        fetch_nci60(data_home=tmp_path)


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"subset": "some"}, ValueError, "subset must be one of 'active', 'all'; got 'some'"),
        (
            {"fingerprint": "ecfp"},
            ValueError,
            "fingerprint must be one of 'fp2', 'fp3'; got 'ecfp'",
        ),
        (
            {"drop_cell_lines": "LC:A"},
            TypeError,
            "drop_cell_lines must be a sequence of names; got",
        ),
        ({"drop_cell_lines": 3}, TypeError, "drop_cell_lines must be a sequence of names; got 3"),
        ({"data_home": 3}, TypeError, "data_home must be a path or None; got 3"),
    ],
)
def test_bad_arguments(arguments, error, message):
    with pytest.raises(error, match=message):
        fetch_nci60(**arguments)


def test_unknown_cell_line(served, open_babel, tmp_path):
    with pytest.raises(ValueError, match="must be one of 'LC:A', 'ME:MDA_N'; got 'ME:MDA'"):
        fetch_nci60(data_home=tmp_path, drop_cell_lines=["ME:MDA_N", "ME:MDA"])


# The real data


@pytest.fixture
def prepared(need):
    """The real prepared arrays."""
    need("nci60")
    with np.load(nci60.NCI60.prepared_file(), allow_pickle=False) as arrays:
        return dict(arrays)


@pytest.fixture
def molecules(prepared):
    return fetch_nci60(download_if_missing=False)


def test_real_data(molecules):
    assert molecules.fingerprints.shape == (2228, 128)
    assert molecules.fingerprints.dtype == np.uint8
    assert molecules.Y.shape == (2228, 59)
    assert dataset_info("nci60").size == "2228 of 4690 molecules, 59 of 60 cell lines"
    assert molecules.Y.dtype == np.float64
    assert (molecules.Y >= 60).any(axis=1).sum() >= 2220  # some only on the dropped cell line
    assert molecules.fingerprints.any(axis=1).all()
    assert len(set(molecules.nsc)) == 2228
    assert "ME:MDA_N" not in molecules.cell_lines


def test_all_real_data(molecules):
    everything = fetch_nci60(subset="all", fingerprint="fp3", drop_cell_lines=())
    assert everything.fingerprints.shape == (4690, 8)
    assert everything.Y.shape == (4690, 60)
    assert (everything.Y.min(), everything.Y.max()) == (17, 147)
    assert (everything.has_smiles.sum(), everything.active.sum()) == (3436, 2406)
    rows = np.isin(everything.nsc, molecules.nsc)
    np.testing.assert_array_equal(rows, everything.active & everything.has_smiles)


def test_similar_molecules_have_similar_activities(molecules):
    """Rows of inputs and outputs belong together: shuffled ones would not pass."""
    similarity = tanimoto_kernel(molecules.fingerprints[:1000], packed=True)
    np.fill_diagonal(similarity, 0)
    nearest = similarity.argmax(axis=1)
    Y = molecules.Y[:1000]
    distance = np.linalg.norm(Y - Y[nearest], axis=1).mean()
    assert distance < 0.8 * np.linalg.norm(Y - np.roll(Y, 500, axis=0), axis=1).mean()


def test_conversion_of_the_real_files_without_open_babel(no_open_babel, prepared, unprepared):
    arrays = convert_real(unprepared("nci60"), need_fp2=False)
    assert arrays.keys() == checksums("nci60").keys() - {"fp2_packed"}
    assert_same_arrays(arrays, prepared)


def test_conversion_of_the_real_files_with_open_babel(prepared, unprepared):
    pytest.importorskip("openbabel", reason="FP2 is computed by Open Babel")
    arrays = convert_real(unprepared("nci60"), need_fp2=True)
    assert arrays.keys() == checksums("nci60").keys()
    assert_same_arrays(arrays, prepared)


def convert_real(home, *, need_fp2):
    convert = partial(nci60.NCI60.convert, need_fp2=need_fp2)
    dataset = replace(nci60.NCI60, convert=convert)
    return dataset.arrays(data_home=home, download_if_missing=False)


def assert_same_arrays(arrays, expected):
    for name, array in arrays.items():
        assert array.dtype == expected[name].dtype
        np.testing.assert_array_equal(array, expected[name], strict=True)
