"""NCI-60: activities of molecules on cancer cell lines."""

from collections.abc import Collection
from pathlib import Path

import numpy as np
import pandas as pd

from reproduction.checks import check_option
from reproduction.datasets.cache import DataUnavailableError
from reproduction.datasets.declaration import Dataset, Field
from reproduction.datasets.upstream import on_github

__all__ = ["DATASETS", "NCI60", "fetch_nci60"]

# The three structures that Open Babel cannot read, named so that `has_smiles` needs no Open Babel.
_UNREADABLE_NSC = (107660, 126728, 403170)


def _convert(fetch):
    """Arrays of the upstream files."""
    nsc, scores, cell_lines, aids = _read_activities(
        fetch("activity_processed"), fetch("id2aid2name")
    )
    fp3 = _read_fp3(fetch("ncicancer_labels"), fetch("ncicancer_features_fp3"), nsc)
    smiles = _read_smiles(
        [fetch("public_drug_info_v2.5_correct.txt"), fetch("public_drug_info_2_14.txt")], nsc
    )
    return {
        "nsc": nsc,
        "Y": scores,
        "cell_lines": cell_lines,
        "pubchem_aid": aids,
        "fp2_packed": _compute_fp2(smiles),
        "fp3_packed": fp3,
        "has_smiles": np.array([text is not None for text in smiles]),
        "active": (scores >= 60).any(axis=1),
    }


def _read_activities(activities, ids):
    """NSC numbers, scores (complete rows), names and AIDs of the cell lines."""
    ids = pd.read_csv(ids, sep="\t", header=None, names=["number", "aid", "name"])
    # Column "0" holds the NSC number, the others are called by their AID; those that belong to
    # no cell line are other assays.
    table = pd.read_csv(activities, sep=" ", index_col="0")[ids["aid"].astype(str)].dropna()
    return (
        table.index.to_numpy(dtype="<i4"),
        table.to_numpy(dtype="<i2"),
        np.array(ids["name"].tolist()),
        ids["aid"].to_numpy(dtype="<i2"),
    )


def _read_fp3(labels, features, nsc):
    """Packed FP3 of the molecules `nsc`, (n, 8)."""
    # A line is a binary number; its bit of value 2**b is fingerprint column b.
    numbers = (int(line, 2) for line in Path(features).read_text().split())
    by_nsc = dict(zip(map(int, Path(labels).read_text().split()), numbers, strict=True))
    return np.array([by_nsc[n] for n in nsc.tolist()], dtype="<u8").view(np.uint8).reshape(-1, 8)


def _read_smiles(tables, nsc):
    """SMILES of the molecules `nsc`, None where unknown or unreadable; later tables win."""
    known = {}
    for path in tables:
        table = pd.read_csv(path, sep="\t", usecols=["NSC", "SMILES"], keep_default_na=False)
        # "NA", the empty string and a single character stand for an unknown structure.
        table = table[(table["SMILES"] != "NA") & (table["SMILES"].str.len() > 1)]
        known |= dict(zip(table["NSC"], table["SMILES"], strict=True))
    return [None if n in _UNREADABLE_NSC else known.get(n) for n in nsc.tolist()]


def _compute_fp2(smiles):
    """Packed FP2 fingerprints, (n, 128); zeros where there is no structure."""
    try:
        from openbabel import pybel
    except ImportError as error:
        raise DataUnavailableError(
            "nci60: FP2 fingerprints are computed by Open Babel, which is not installed. Install "
            "it (pip install openbabel-wheel), or set OFER_DATA to a folder that holds "
            "nci60/nci60.npz."
        ) from error
    bits = np.zeros((len(smiles), 1024), dtype=bool)
    log = pybel.ob.obErrorLog
    log.StopLogging()  # remarks on odd aromatic rings, straight to the terminal
    try:
        for row, text in zip(bits, smiles, strict=True):
            if text is not None:
                positions = pybel.readstring("smi", text).calcfp("fp2").bits
                row[np.array(positions, dtype=int) - 1] = True  # Open Babel counts from 1
    finally:
        log.StartLogging()
    return np.packbits(bits, axis=1, bitorder="little")


def _assemble(arrays, *, subset="active", fingerprint="fp2", drop_cell_lines=("ME:MDA_N",)):
    names = arrays["cell_lines"].tolist()
    for name in drop_cell_lines:
        check_option("drop_cell_lines", name, names)
    rows = (arrays["active"] & arrays["has_smiles"]) | (subset == "all")
    columns = np.array([name not in drop_cell_lines for name in names])
    return {
        "fingerprints": arrays[f"{fingerprint}_packed"][rows],
        "Y": arrays["Y"][np.ix_(rows, columns)].astype(np.float64),
        "cell_lines": arrays["cell_lines"][columns],
        **{name: arrays[name][rows] for name in ("nsc", "active", "has_smiles")},
    }


NCI60 = Dataset(
    name="nci60",
    title="NCI-60 drug activity: molecules x cancer cell lines",
    details="""
Growth inhibition of 60 human tumour cell lines by molecules of the NCI/DTP screen. An output is
PubChem's activity score, about -10 log10(GI50 in mol/l): 60 is one micromolar, higher is more
active. A molecule is active if its score reaches 60 on at least one cell line. Inputs are binary
fingerprints for a Tanimoto kernel: FP2 (1024 bits, paths of up to 7 atoms) or FP3 (64 bits, 55
substructures). Cell lines are named tissue:line; tissues are LC lung, ME melanoma, PR prostate,
CNS brain, CO colon, BR breast, OV ovary, LE leukaemia and RE kidney.
Fingerprints are packed, np.unpackbits(fingerprints, axis=1, bitorder="little"), as
ofer.kernels.tanimoto_kernel takes them; a row of FP2 is zero where has_smiles is False. The
upstream files have 11 MB.
""",
    size="2228 of 4690 molecules, 59 of 60 cell lines",
    paper=(
        'Output Fisher embedding regression (Djerrab et al. 2018), section 6.4.2, "Non-zero '
        'Activity" version, in a later download'
    ),
    source=(
        "Activities and FP3: GitHub aalto-ics-kepaco/molecular_classification. Structures: "
        "GitHub CBIIT/rcellminerData. The paper's own kernel matrix is read by load_nci_cancer."
    ),
    licence=(
        "Activities and FP3: no licence file (scores from PubChem/DTP); their repository asks to "
        "cite Su and Rousu (2015). Structures: from an LGPL-3 repository."
    ),
    citation=(
        "H. Su, M. Heinonen, J. Rousu, Structured output prediction of anti-cancer drug "
        "activity, PRIB 2010; H. Su, J. Rousu, Multilabel classification through random graph "
        "ensembles, Machine Learning 2015, doi:10.1007/s10994-014-5465-9"
    ),
    fidelity="substitute",
    notes=(
        "Assay, score, selection rule, kind of kernel and research group are the paper's; the "
        "download is of 2015, not 2010: 2228 active molecules with a structure instead of 2303, "
        "not all the same. The paper does not name the one of 60 cell lines that it leaves out; "
        "dropping ME:MDA_N is our guess."
    ),
    spdx="LicenseRef-none-stated",
    conversion=(
        "Rows without a missing score on the 60 cell lines; FP3 bits packed, matched by NSC "
        "number; FP2 computed by Open Babel 3.1 from structures matched by NSC number. No "
        "structure is kept."
    ),
    prepared="nci60/nci60.npz",
    checksums={
        "nsc": "969259cac8e9e468b56961fa7491cd370c303ba973aabb1ba32dbdb459fbcdd4",
        "Y": "d44075ae12cd0e24053d59c6722d56aab55019d97c19ff8d8d057b6027eb3de8",
        "cell_lines": "ec03c527943091fa28164eb34da959b6577487ecfed3f244f70ee0b78b18a41d",
        "pubchem_aid": "e477dbd31d59da8d516ef1bcbe59ba09fbda587a4d541dad5e24442a8a3f4b69",
        "fp2_packed": "de749f604f698edb3f5371bbd2514ffedf7c13492c42ebbd1358f895465a082f",
        "fp3_packed": "0a1bf067bf91cd277d6dc4bc075d0652bee51396aef77b14ad059d2101a7e907",
        "has_smiles": "9e133086f0a77604377894b47baf7ccf80fedda928f209281999484ddb10e4ef",
        "active": "a06b66b1d4d54710447c18ad4e6d35f6c22b23a53db9ebd5ad12f63534c77d1d",
    },
    upstream=(
        on_github(
            "aalto-ics-kepaco/molecular_classification@2f33fe317d92a2983b1384ec8e6e4d15e3b9b135",
            "data/DTPNCI2015/activity_processed",
            "13496dbd2a63b749f41311e9d91d491b79fcfef96d09226c0ab4b44925dcfdab",
        ),
        on_github(
            "aalto-ics-kepaco/molecular_classification@2f33fe317d92a2983b1384ec8e6e4d15e3b9b135",
            "data/DTPNCI2015/otherfiles/id2aid2name",
            "b8f62ef2c517c8914f04dc835871447e423f383583501566a7d1bb936f5b0e64",
        ),
        on_github(
            "aalto-ics-kepaco/molecular_classification@a137d517eedb86dd864cc8ebfcb5dcf9444619ac",
            "data/DTPNCI2015/results/ncicancer_features_fp3",
            "2a0084992764291d46488ad1ae05854f5bc0f4fb18ed4102aabc85638caf6afa",
        ),
        on_github(
            "aalto-ics-kepaco/molecular_classification@a137d517eedb86dd864cc8ebfcb5dcf9444619ac",
            "data/DTPNCI2015/results/ncicancer_labels",
            "99e18ea2c80c8ec8f57e9e5c40a1603f4c78c7a88488c71561ee5e4b44c58ebd",
        ),
        on_github(
            "CBIIT/rcellminerData@7eabea8b5f53f1dd71396ba9775d9170a2359e21",
            "inst/extdata/public_drug_info_v2.5_correct.txt",
            "07d384d30ac9742ea2f86601af3b7c372a884221831befbe075e2f2102b0c028",
        ),
        on_github(
            "CBIIT/rcellminerData@7eabea8b5f53f1dd71396ba9775d9170a2359e21",
            "inst/extdata/public_drug_info_2_14.txt",
            "cc880ee014fbc72fd0185df5b4c9707972b792a6e24509c8879f3714a722452f",
        ),
    ),
    convert=_convert,
    assemble=_assemble,
    fields={
        "fingerprints": Field("uint8", (2228, 128), "packed bits: FP2, or (n, 8) FP3"),
        "Y": Field("float64", (2228, 59), "activity scores, none missing"),
        "nsc": Field("int32", (2228,), "NSC numbers of the molecules"),
        "cell_lines": Field("str", (59,), "names of the outputs"),
        "active": Field("bool", (2228,), "whether any score is at least 60"),
        "has_smiles": Field("bool", (2228,), "whether the structure is known"),
    },
)
DATASETS = (NCI60,)


def fetch_nci60(*, subset="active", fingerprint="fp2", drop_cell_lines=("ME:MDA_N",), **options):
    """Load the NCI-60 drug activities (regression, 59 outputs).

    Parameters
    ----------
    subset : {"active", "all"}, default="active"
        Molecules that are active on at least one cell line and whose structure is known, as in
        the paper; or all of them.
    fingerprint : {"fp2", "fp3"}, default="fp2"
        The inputs. Converting the upstream files again needs Open Babel
        (``pip install openbabel-wheel``).
    drop_cell_lines : sequence of str, default=("ME:MDA_N",)
        Outputs to leave out, by name. The paper has 59 of the 60 and does not say which; the
        default is our guess. ``()`` keeps all.
    **options
        `data_home` and `download_if_missing`, as of `Dataset.fetch`.

    Returns
    -------
    sklearn.utils.Bunch
        As from `Dataset.fetch`.

    Raises
    ------
    DataUnavailableError
        If the data cannot be had, or have to be converted and Open Babel is not installed.
    TypeError, ValueError
        If an argument is not one of its values, or a cell line is unknown.

    Examples
    --------
    >>> from reproduction.datasets.tables.nci60 import fetch_nci60
    >>> molecules = fetch_nci60()  # doctest: +SKIP
    >>> molecules.fingerprints.shape, molecules.Y.shape  # doctest: +SKIP
    ((2228, 128), (2228, 59))
    """
    check_option("subset", subset, ("active", "all"))
    check_option("fingerprint", fingerprint, ("fp2", "fp3"))
    if isinstance(drop_cell_lines, str) or not isinstance(drop_cell_lines, Collection):
        raise TypeError(f"drop_cell_lines must be a sequence of names; got {drop_cell_lines!r}.")
    return NCI60.fetch(
        subset=subset, fingerprint=fingerprint, drop_cell_lines=drop_cell_lines, **options
    )
