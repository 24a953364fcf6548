from types import SimpleNamespace

import pandas as pd

from reproduction.studies.images.summaries import joined_rows, read_printed_form


def test_rows_that_stand_in_two_tables_count_once():
    row = {"metric": "accuracy", "setting": "1", "split": 0}
    table = SimpleNamespace(frame=pd.DataFrame([row | {"method": "a", "value": 1.0}]))
    readings = SimpleNamespace(
        frame=pd.DataFrame([row | {"method": name, "value": 1.0} for name in ("a", "b")])
    )
    assert list(joined_rows([table, readings])["method"]) == ["a", "b"]


def test_only_ofer_is_called_the_papers_form():
    methods = {*read_printed_form("ofer-table-13")["method"]}
    assert {name for name in methods if "OFER" in name} == {
        name for name in methods if name.endswith(" as printed")
    }
    assert "m-SVM" in methods
