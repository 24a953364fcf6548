import pandas as pd

from reproduction.statistics import read_paper
from reproduction.studies.second_volume.fisher_kernels.summaries import beside_readings

ERRORS = {"FKL": [3.0, 4.0, 2.5], "Fisher": [5.0, 4.5, 6.0], "Fisher, raw": [2.0, 2.0, 2.0]}
FRAME = pd.DataFrame(
    [
        {"method": name, "setting": k, "split": split, "metric": "SVM", "value": error}
        for name, errors in ERRORS.items()
        for k in ("2", "5", "10")
        for split, error in enumerate(errors)
    ]
)


def test_readings_stand_beside_the_printed_cells():
    table = beside_readings(FRAME, "fkl-table-01", ["SVM"])
    printed = read_paper("fkl-table-01").query("metric == 'SVM' and setting == '10'")
    printed = printed.set_index("method")["printed"]
    assert list(table.index) == [("SVM", k) for k in ("2", "5", "10")]
    assert table.loc[("SVM", "10"), ("Fisher", "raw")].startswith("2.0")
    assert table.loc[("SVM", "10"), ("Fisher", "paper")] == printed["Fisher"]
    assert table.loc[("SVM", "10"), ("FKL as printed", "paper")] == printed["FKL"]
    assert pd.isna(table.loc[("SVM", "10"), ("FKL as printed", "kept")])
