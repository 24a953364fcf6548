"""CBIS-DDSM: what radiologists say of findings in mammograms."""

import csv
import io

import numpy as np
import pandas as pd

from reproduction.datasets.declaration import Dataset, Field
from reproduction.datasets.upstream import on_github

__all__ = ["CBIS_DDSM", "DATASETS", "fetch_cbis_ddsm"]

_COLUMNS = (
    *("split", "abnormality", "patient_id", "breast_density", "side", "view", "abnormality_id"),
    *("mass_shape", "mass_margins", "calc_type", "calc_distribution"),
    *("assessment", "subtlety", "pathology"),
)
_RENAMED = {
    "breast density": "breast_density",
    "left or right breast": "side",
    "image view": "view",
    "abnormality id": "abnormality_id",
    "mass shape": "mass_shape",
    "mass margins": "mass_margins",
    "calc type": "calc_type",
    "calc distribution": "calc_distribution",
}
_DESCRIBED = (
    *("abnormality", "breast_density", "mass_shape", "mass_margins", "calc_type"),
    "calc_distribution",
)
_CLASSES = ["BENIGN_WITHOUT_CALLBACK", "BENIGN", "MALIGNANT"]


def _convert(fetch):
    """The four tables as one text, without the paths of images."""
    text = io.StringIO()
    writer = csv.DictWriter(text, _COLUMNS, restval="", extrasaction="ignore", lineterminator="\n")
    writer.writeheader()
    for abnormality in ("mass", "calc"):
        for split in ("train", "test"):
            path = fetch(f"{abnormality}_case_description_{split}_set.csv")
            with open(path, encoding="utf-8", newline="") as file:
                for row in csv.DictReader(file):
                    row = {_RENAMED.get(key, key): value for key, value in row.items()}
                    writer.writerow(row | {"split": split, "abnormality": abnormality})
    return {"cases": np.frombuffer(text.getvalue().encode(), dtype=np.uint8)}


def _assemble(arrays, *, assessment=False):
    text = io.BytesIO(arrays["cases"].tobytes())
    # Words of Python: of pyarrow's, pandas makes an indicator for the empty one, too.
    frame = pd.read_csv(text, dtype=object, keep_default_na=False)
    # Words are joined by hyphens; "N/A" says nothing.
    words = [
        frame[column].replace("N/A", "").str.get_dummies("-").add_prefix(f"{column}=")
        for column in _DESCRIBED + ("assessment", "subtlety") * assessment
    ]
    features = pd.concat(words, axis=1)
    return {
        "features": features.to_numpy(dtype=np.float64),
        "feature_names": list(features.columns),
        "labels": frame["pathology"].map(_CLASSES.index).to_numpy(),
        "class_names": np.array(_CLASSES),
        "patient": frame["patient_id"].str.removeprefix("P_").astype(int).to_numpy(),
        "frame": frame,
    }


CBIS_DDSM = Dataset(
    name="cbis_ddsm",
    title="CBIS-DDSM mammograms: radiologists' descriptions to diagnoses",
    details="""
Findings in mammograms, 1696 masses and 1872 calcifications, each seen in one image, with the
radiologist's description and the diagnosis that a biopsy or follow-up gave. Inputs are zeros and
ones: whether a finding is a mass, the density of the breast, and the words for its shape, margins,
type and distribution (a finding may have several). The reader's verdict, the BI-RADS assessment, is
nearly a label and left out unless asked for. Split by patient: many have several findings, and
31 are in both of the publishers' own parts.
The upstream files have 2 MB. fetch_mias_bof has visual words of mammograms of another data base.
""",
    size="3568 findings of 1566 patients, 3 classes",
    paper=(
        "Local structured output predictors (Du 2016), section 4.1, data set I: its archive, "
        "without images"
    ),
    source=(
        "The tables of cases in GitHub lazatsoc/cbis_ddsm_dataloader. The images are at The "
        "Cancer Imaging Archive, https://doi.org/10.7937/K9/TCIA.2016.7O02S9CY."
    ),
    licence=("No licence file in the repository; the archive: CC BY 3.0 (not verified)."),
    citation=(
        "R. S. Lee et al., A curated mammography data set for use in computer-aided detection "
        "and diagnosis research, Scientific Data 4, 170177, 2017; M. Heath et al., The Digital "
        "Database for Screening Mammography, IWDM 2000"
    ),
    fidelity="substitute",
    notes=(
        "The archive of the paper on local structured predictors, but descriptions instead of "
        "bags of visual words, findings instead of 2620 pairs of images, and no normal class: "
        "the third one is benign without callback."
    ),
    spdx="CC-BY-3.0",
    conversion=(
        "The four tables one after the other as one CSV text, without the paths of images, "
        "columns renamed alike."
    ),
    prepared="cbis_ddsm/cbis_ddsm.npz",
    checksums={
        "cases": "17ae1bfd6522088e3183fb3bb97091742e0a1ff4aabb8e549be6520f8e370bcf",
    },
    upstream=(
        on_github(
            "lazatsoc/cbis_ddsm_dataloader@de1de418409c614d1dfe6db94e0bca3528fcefaa",
            "resources/mass_case_description_train_set.csv",
            "4e4a4cab94956b95941564c5c622bc43723c5595f5f3bf6ddf83badaefeedd8d",
        ),
        on_github(
            "lazatsoc/cbis_ddsm_dataloader@de1de418409c614d1dfe6db94e0bca3528fcefaa",
            "resources/mass_case_description_test_set.csv",
            "e0d551a56e3b33f21c34f7c872a83807f7e9ac330cf35fe5d08695823a730933",
        ),
        on_github(
            "lazatsoc/cbis_ddsm_dataloader@de1de418409c614d1dfe6db94e0bca3528fcefaa",
            "resources/calc_case_description_train_set.csv",
            "251d71462d2d8f93e5ed1b708f28d13210797dec1df989309524c6f9fe523817",
        ),
        on_github(
            "lazatsoc/cbis_ddsm_dataloader@de1de418409c614d1dfe6db94e0bca3528fcefaa",
            "resources/calc_case_description_test_set.csv",
            "0c55528bf01c5d01297f3e354b981c7b02f13eba1463a6b2ac57b8f8c8bd94bc",
        ),
    ),
    convert=_convert,
    assemble=_assemble,
    fields={
        "features": Field("float64", (3568, 39), "zeros and ones"),
        "feature_names": Field(
            "str", (39,), 'what they say, such as "mass_shape=OVAL"', kind="list"
        ),
        "labels": Field("int64", (3568,), "diagnoses, indices of class_names"),
        "class_names": Field("str", (3,), "BENIGN_WITHOUT_CALLBACK, BENIGN, MALIGNANT"),
        "patient": Field("int64", (3568,), "number of the patient"),
        "frame": Field("str", (3568, 14), "the table, as text", kind="table"),
    },
)
DATASETS = (CBIS_DDSM,)


def fetch_cbis_ddsm(*, assessment=False, **options):
    """Load descriptions of findings in mammograms (classification, 3 classes).

    Parameters
    ----------
    assessment : bool, default=False
        Whether inputs tell the BI-RADS assessment and the subtlety of the finding too.
    **options
        `data_home` and `download_if_missing`, as of `Dataset.fetch`.

    Returns
    -------
    sklearn.utils.Bunch
        As from `Dataset.fetch`.
    """
    return CBIS_DDSM.fetch(assessment=assessment, **options)
