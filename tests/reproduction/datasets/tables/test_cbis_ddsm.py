"""CBIS-DDSM: made-up tables, and the real ones where present."""

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression

from reproduction.datasets import dataset_info, unavailable_reason
from reproduction.datasets.tables import cbis_ddsm as module
from reproduction.datasets.tables.cbis_ddsm import CBIS_DDSM, fetch_cbis_ddsm

MASS = (
    "patient_id,breast_density,left or right breast,image view,abnormality id,abnormality type,"
    "mass shape,mass margins,assessment,pathology,subtlety,image file path\n"
)
CALC = (
    "patient_id,breast density,left or right breast,image view,abnormality id,abnormality type,"
    "calc type,calc distribution,assessment,pathology,subtlety,image file path\n"
)
FILES = {
    "mass_case_description_train_set.csv": MASS
    + 'P_00001,3,LEFT,CC,1,mass,IRREGULAR-OVAL,SPICULATED,4,MALIGNANT,5,"a path\n"\n',
    "mass_case_description_test_set.csv": MASS + "P_00016,4,LEFT,CC,1,mass,N/A,,4,BENIGN,5,p\n",
    "calc_case_description_train_set.csv": CALC
    + "P_00005,3,RIGHT,CC,1,calcification,PUNCTATE,CLUSTERED,2,BENIGN_WITHOUT_CALLBACK,1,p\n",
    "calc_case_description_test_set.csv": CALC,
}
TABLE = """\
split,abnormality,patient_id,breast_density,side,view,abnormality_id,mass_shape,mass_margins,\
calc_type,calc_distribution,assessment,subtlety,pathology
train,mass,P_00001,3,LEFT,CC,1,IRREGULAR-OVAL,SPICULATED,,,4,5,MALIGNANT
test,mass,P_00016,4,LEFT,CC,1,N/A,,,,4,5,BENIGN
train,calc,P_00005,3,RIGHT,CC,1,,,PUNCTATE,CLUSTERED,2,1,BENIGN_WITHOUT_CALLBACK
"""


@pytest.fixture
def made_up(tmp_path, put, monkeypatch):
    """The data set has the made-up tables, converted."""
    raw = tmp_path / "tables"
    raw.mkdir()
    for name, text in FILES.items():
        (raw / name).write_text(text, newline="")
    arrays = CBIS_DDSM.convert(lambda name: raw / name)
    assert arrays["cases"].tobytes().decode() == TABLE
    monkeypatch.setattr(module, "CBIS_DDSM", put(CBIS_DDSM, **arrays))


def test_bunch(made_up):
    findings = module.fetch_cbis_ddsm()
    assert findings.feature_names == [
        "abnormality=calc",
        "abnormality=mass",
        "breast_density=3",
        "breast_density=4",
        "mass_shape=IRREGULAR",
        "mass_shape=OVAL",
        "mass_margins=SPICULATED",
        "calc_type=PUNCTATE",
        "calc_distribution=CLUSTERED",
    ]
    np.testing.assert_array_equal(
        findings.features,
        [[0, 1, 1, 0, 1, 1, 1, 0, 0], [0, 1, 0, 1, 0, 0, 0, 0, 0], [1, 0, 1, 0, 0, 0, 0, 1, 1]],
    )
    np.testing.assert_array_equal(findings.labels, [2, 1, 0])
    np.testing.assert_array_equal(findings.patient, [1, 16, 5])
    for part in ("2620", "no normal", "CC BY 3.0", "Lee", "substitute"):
        assert part in findings.DESCR


def test_assessment_on_request(made_up):
    names = module.fetch_cbis_ddsm(assessment=True).feature_names
    assert names[-4:] == ["assessment=2", "assessment=4", "subtlety=1", "subtlety=5"]


@pytest.fixture
def real():
    if reason := unavailable_reason("cbis_ddsm"):
        pytest.skip(reason)
    return fetch_cbis_ddsm(download_if_missing=False)


def test_real_data(real):
    assert dataset_info("cbis_ddsm").size == "3568 findings of 1566 patients, 3 classes"
    assert real.features.shape == (3568, len(real.feature_names))
    assert len(np.unique(real.patient)) == 1566
    np.testing.assert_array_equal(np.bincount(real.labels), [682, 1429, 1457])
    assert (real.frame["abnormality"] == "mass").sum() == 1696
    assert not any("assessment" in name for name in real.feature_names)
    both = set(real.patient[real.frame["split"] == "train"])
    assert len(both & set(real.patient[real.frame["split"] == "test"])) == 31


def test_descriptions_tell_diagnoses(real):
    """Rows of features and labels belong together: the largest class is 41 %."""
    train = real.patient % 2 == 0
    model = LogisticRegression(max_iter=1000).fit(real.features[train], real.labels[train])
    assert model.score(real.features[~train], real.labels[~train]) > 0.6
