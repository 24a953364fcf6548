"""The ledger of the book, decided once."""

import pandas as pd
import pytest

from reproduction.claims import Claim, read_claims, scorecard


@pytest.fixture(scope="session")
def ledger():
    """All claims, and their scorecard."""
    claims = read_claims()
    return claims, scorecard(claims)


@pytest.fixture
def book(checkout):
    """The folder of a book without papers, which has room for stored tables."""
    (checkout / "book" / "results").mkdir(parents=True)
    (checkout / "book" / "papers.yml").write_text("{}")
    return checkout / "book"


@pytest.fixture
def study(checkout):
    """The folder of a study, which has room for printed tables."""
    folder = checkout / "reproduction" / "studies" / "toys"
    (folder / "printed").mkdir(parents=True)
    return folder


@pytest.fixture
def claim(book, study, declare):
    """A claim whose table is printed and stored."""
    (study / "printed/a-table-01.csv").write_text(
        "method,setting,metric,mean,std,bold\na,10,error,0.50,0.1,\na,20,error,0.30,0.1,\n"
    )
    rows = [
        (method, setting, split, "error", value + (2e-3 if method == "b" else 1e-3) * split)
        for method, setting, value in [
            ("a as printed", "10", 0.25),
            ("a as printed", "20", 0.125),
            ("a as printed", "30", 9.0),
            ("b", "10", 1234.4),
            ("b", "20", 0.0625),
        ]
        for split in (0, 1)
    ]
    columns = ["method", "setting", "split", "metric", "value"]
    pd.DataFrame(rows, columns=columns).to_csv(book / "results/a-table-01.csv", index=False)
    (book / "results/a-table-01.json").write_text('{"duration_s": 1.0}')
    declare(id="a-table-01", methods='("a as printed", "b")', settings='("10", "20", "30")')
    return Claim(
        id="one",
        paper="p",
        place="Table <1>",
        statement="a & b.",
        rule="better",
        chapter="06_1_protocol",
        arguments={
            "table": "a-table-01", "metric": "error", "method": "a as printed", "than": ["b"],
            "settings": ["10", "20"], "level": 0.05,
        },
        words="It & ours is better.",
        errata=["A wrong sign"],
    )  # fmt: skip
