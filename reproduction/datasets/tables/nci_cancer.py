"""The kernel matrix and activities that the paper's drug experiment was made with."""

from pathlib import Path

import numpy as np
from sklearn.utils import Bunch

from reproduction.datasets.cache import DataUnavailableError
from reproduction.datasets.declaration import DatasetInfo

__all__ = ["load_nci_cancer"]

_INFO = DatasetInfo(
    name="nci_cancer",
    title="NCI cancer: kernel matrix of molecules and their activities on cancer cell lines",
    size="2303 molecules and 59 cell lines, as the paper counts",
    details="""
Growth inhibition of human tumour cell lines by molecules of the NCI screen, and the Tanimoto kernel
of the molecules.
""",
    paper="Output Fisher embedding regression (Djerrab et al. 2018), section 6.4.2",
    source=(
        "Files ncicancer_kernel_hf_ex0.txt and ncicancer_targets_ex0.txt, which one of the "
        "paper's authors shared for teaching in 2015; they are not part of this project."
    ),
    licence="None stated.",
    citation=(
        "H. Su, M. Heinonen, J. Rousu, Structured output prediction of anti-cancer drug "
        "activity, PRIB 2010"
    ),
    fidelity="faithful",
    notes="The names fit the paper's data, zero activities left out; we have not seen the files.",
)


def load_nci_cancer(folder):
    r"""Load the NCI cancer data in their original form: a kernel matrix and activities.

    For readers who have the two files of the paper's section 6.4.2 [1]_: nothing is downloaded,
    and `fetch_nci60` has similar data.

    Parameters
    ----------
    folder : str or path-like
        Folder that holds ``ncicancer_kernel_hf_ex0.txt`` and ``ncicancer_targets_ex0.txt``.

    Returns
    -------
    sklearn.utils.Bunch
        With attributes

        K : ndarray of shape (n_samples, n_samples)
            Kernel matrix of the molecules, for ``kernel="precomputed"``.
        Y : ndarray of shape (n_samples, n_outputs)
            Activities, as they stand in the file.
        DESCR : str
            Description.

    Raises
    ------
    DataUnavailableError
        If a file is missing, is no table of finite numbers, or they do not fit together.

    See Also
    --------
    reproduction.datasets.tables.nci60.fetch_nci60 : A later download of the same assay.

    Notes
    -----
    Known, from a published program that reads them: the names of the files, that both are tables
    of numbers separated by blanks, that a row of either is a molecule in the same order, and
    that a column of the second is an output. Not known: which column is which cell line, and the
    unit of the activities.

    References
    ----------
    .. [1] Su, Heinonen, Rousu, "Structured output prediction of anti-cancer drug activity",
       PRIB 2010.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> from reproduction.datasets.tables.nci_cancer import load_nci_cancer
    >>> with TemporaryDirectory() as folder:
    ...     _ = Path(folder, "ncicancer_kernel_hf_ex0.txt").write_text("1 0.5\n0.5 1\n")
    ...     _ = Path(folder, "ncicancer_targets_ex0.txt").write_text("60 48 51\n62 70 44\n")
    ...     molecules = load_nci_cancer(folder)
    >>> molecules.K.shape, molecules.Y.shape
    ((2, 2), (2, 3))
    """
    folder = Path(folder).expanduser()
    K = _read_table(folder / "ncicancer_kernel_hf_ex0.txt")
    Y = _read_table(folder / "ncicancer_targets_ex0.txt")
    # Printed numbers: symmetric up to their last digit.
    if K.shape[0] != K.shape[1] or not np.allclose(K, K.T, rtol=0, atol=1e-4):
        raise DataUnavailableError(
            f"NCI cancer: the kernel matrix in {folder} is not symmetric; got shape {K.shape}."
        )
    if len(K) != len(Y):
        raise DataUnavailableError(
            f"NCI cancer: the files in {folder} do not belong together; got a kernel matrix of "
            f"{len(K)} molecules and activities of {len(Y)}."
        )
    return Bunch(K=K, Y=Y, DESCR=_INFO.describe())


def _read_table(path):
    """Table of finite numbers."""
    try:
        table = np.loadtxt(path, ndmin=2)
        if not np.isfinite(table).all():
            raise ValueError("not all numbers are finite")
    except (OSError, ValueError) as error:
        raise DataUnavailableError(
            f"NCI cancer: {path} cannot be read ({type(error).__name__}: {error}). It must be a "
            "table of numbers, separated by blanks; fetch_nci60 loads similar data."
        ) from error
    return table
