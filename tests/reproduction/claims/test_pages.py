from dataclasses import replace

import pandas as pd
import pytest
from bs4 import BeautifulSoup

from reproduction.claims import (
    Claim,
    claims_to_html,
    figures_of_claims,
    front_page_to_html,
    read_conclusions,
    rules_to_html,
)
from reproduction.engine import load
from reproduction.statistics import read_paper, summarize


@pytest.fixture
def claim():
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
    )  # fmt: skip


@pytest.fixture
def folders(tmp_path, declare):
    (tmp_path / "a-table-01.csv").write_text(
        "method,setting,metric,mean,std\na,10,error,0.50,0.1\na,20,error,0.30,0.1\n"
    )
    rows = [
        (method, setting, split, "error", value + 1e-3 * split)
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
    (tmp_path / "results").mkdir()
    pd.DataFrame(rows, columns=columns).to_csv(tmp_path / "results/a-table-01.csv", index=False)
    (tmp_path / "results/a-table-01.json").write_text('{"duration_s": 1.0}')
    declare(id='"a-table-01"', methods='("a as printed", "b")', settings='("10", "20", "30")')
    return {"folder": tmp_path / "results", "paper_folder": tmp_path}


def parsed(html):
    return BeautifulSoup(html, "html.parser")


def test_figures_by_hand(claim, folders):
    figures = figures_of_claims([claim], **folders)
    assert figures.to_numpy().tolist() == [
        ["one", "a as printed", "0.30 to 0.50", "0.126 to 0.251", "0.00071"],
        ["one", "b", "–", "0.063 to 1230", "0.00071"],
    ]


def test_a_single_printed_cell_keeps_its_spread(claim, folders):
    claim.arguments["settings"] = ["10"]
    assert figures_of_claims([claim], **folders)["paper"].tolist() == ["0.50 ± 0.1", "–"]


def test_a_claim_about_several_metrics(claim, folders):
    path = folders["folder"] / "a-table-01.csv"
    more = path.read_text() + "b,10,0,loss,77\nb,10,1,loss,77\n"
    path.write_text(more)
    del claim.arguments["metric"]
    claim.arguments.update(metrics=["error", "loss"], settings=["10"])
    assert figures_of_claims([claim], **folders)["ours"].tolist() == ["0.251", "77 to 1230"]


def test_table_of_one_claim(claim, folders):
    table = parsed(claims_to_html([claim], **folders)).table
    (body,) = table.find_all("tbody", id=True)
    assert (body["id"], body["data-paper"], body["data-verdict"]) == ("claim-one", "p", "in part")
    assert body.th.a["href"] == "06_1_protocol.html"  # which does not show this table
    assert body.th.a.text == "a & b."
    assert "p: Table <1>; generated data" in body.th.text
    verdict, evidence = body.tr.find_all("td", recursive=False)
    assert verdict.text == "◐ in part"
    assert evidence.details.summary.text.startswith("difference")
    assert "better (level 0.05)paired t-test, level 0.05difference" in evidence.text
    assert [len(row.find_all(["th", "td"])) for row in evidence.find_all("tr")] == [4, 4, 4]


def test_a_claim_without_a_table_or_a_chapter(folders):
    claim = Claim(
        id="one",
        paper="p",
        place="Section 1",
        statement="It is so.",
        rule="not_testable",
        chapter="99_nowhere",
        arguments={"reason": "why"},
    )
    elsewhere = replace(claim, chapter="12_1_local_structured_predictors")
    link = parsed(claims_to_html([elsewhere], **folders)).table.th.find_next("tbody").a
    assert link["href"] == "12_1_local_structured_predictors.html"
    table = parsed(claims_to_html([claim], **folders)).table
    assert table.tbody.th.a is None
    assert [cell.text for cell in table.tbody.find_all("td")] == [
        "– not testable",
        "evidencenot testablewhy",
    ]


def test_the_ledger_of_the_book(ledger):
    """Verdicts are those of the scorecard, figures those of the tables, links have their goal."""
    claims, card = ledger
    bodies = parsed(claims_to_html(claims)).find_all("tbody", id=True)
    assert [body["data-verdict"] for body in bodies] == list(card["verdict"])
    rules = {tag["id"] for tag in parsed(rules_to_html(claims)).find_all(id=True)}
    assert {f"rule-{claim.rule}" for claim in claims} == rules
    assert {body.find_all("a")[-1]["href"] for body in bodies} == {
        f"91_scorecard.html#{rule}" for rule in rules
    }

    goals = {body["id"]: body.th.a["href"] for body in bodies if body.th.a}
    assert goals["claim-ofer-10-weak-labels-help"] == "06_4_2_weak_labels.html#ofer-table-10"
    assert goals["claim-ofer-cvae-fails"] == "06_5_classification.html"

    figures = figures_of_claims(claims).set_index(["claim", "method"])
    decided = {claim.id for claim in claims if card.loc[claim.id, "verdict"] in
               ("reproduced", "in part", "inconclusive", "not reproduced")}  # fmt: skip
    asserted = {claim.id for claim in claims if claim.rule == "asserted"}
    assert decided - asserted <= {id for id, _ in figures.index}
    ours = summarize(load("ofer-table-10")[0]).query(
        "metric == 'rrmse' and method == 'wOFER+800 as printed'"
    )
    printed = read_paper("ofer-table-10").query("method == 'wOFER+800'")
    row = figures.loc[("ofer-10-weak-labels-help", "wOFER+800 as printed")]
    assert row["ours"] == f"{ours['mean'].min():.3g} to {ours['mean'].max():.3g}"
    assert row["paper"] == f"{printed['mean'].min():.2f} to {printed['mean'].max():.2f}"


def test_the_front_page_counts_every_claim_and_gives_no_tick_for_what_others_win(ledger):
    claims, card = ledger
    table = parsed(front_page_to_html(claims, card, read_conclusions())).table
    numbers = [int(cell.text) for cell in table.find_all("td") if cell.text.isdigit()]
    assert sum(numbers) == sum(not claim.ours for claim in claims)
    for claim in claims:
        if claim.id in ("ofer-11-svm-best", "ofer-11-svm-with-more-data", "esann-2-svm-best"):
            (own,) = [
                text for text, ids in read_conclusions()[claim.paper].items() if claim.id in ids
            ]
            assert own.startswith("Conceded")
