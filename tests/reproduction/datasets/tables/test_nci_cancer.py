"""The original kernel matrix of the drug experiment, made up."""

import numpy as np
import pytest

from reproduction.datasets import DataUnavailableError
from reproduction.datasets.tables.nci_cancer import load_nci_cancer

K = np.array([[1, 0.25, 0], [0.25, 1, 0.5], [0, 0.5, 1]])
Y = np.array([[60.0, 48], [62, 70], [44, 65]])


@pytest.fixture
def folder(tmp_path):
    np.savetxt(tmp_path / "ncicancer_kernel_hf_ex0.txt", K)
    np.savetxt(tmp_path / "ncicancer_targets_ex0.txt", Y, fmt="%g")
    return tmp_path


def test_bunch(folder):
    molecules = load_nci_cancer(str(folder))
    np.testing.assert_array_equal(molecules.K, K)
    np.testing.assert_array_equal(molecules.Y, Y)
    for part in ("faithful", "Su", "we have not seen the files"):
        assert part in molecules.DESCR


def test_one_output_is_a_column(folder):
    np.savetxt(folder / "ncicancer_targets_ex0.txt", Y[:, 0])
    np.testing.assert_array_equal(load_nci_cancer(folder).Y, Y[:, :1])


@pytest.mark.parametrize("name", ["ncicancer_kernel_hf_ex0.txt", "ncicancer_targets_ex0.txt"])
@pytest.mark.parametrize("content", [None, b"1 2\n3\n", b"a b\n", b"nan 1\n1 1\n"])
def test_file_that_is_no_table(folder, name, content):
    path = folder / name
    if content is None:
        path.unlink()
    else:
        path.write_bytes(content)
    with pytest.raises(DataUnavailableError, match=rf"NCI cancer: .*{name} cannot be read"):
        load_nci_cancer(folder)


@pytest.mark.parametrize("matrix", [K[:2], K + np.eye(3, k=1)])
def test_matrix_that_is_no_kernel(folder, matrix):
    np.savetxt(folder / "ncicancer_kernel_hf_ex0.txt", matrix)
    with pytest.raises(DataUnavailableError, match=r"is not symmetric; got shape \(\d, 3\)"):
        load_nci_cancer(folder)


def test_files_that_do_not_belong_together(folder):
    np.savetxt(folder / "ncicancer_targets_ex0.txt", Y[:2])
    with pytest.raises(DataUnavailableError, match="of 3 molecules and activities of 2"):
        load_nci_cancer(folder)
