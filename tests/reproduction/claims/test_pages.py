import re

from reproduction.claims import figures_of_claims, rules_to_html
from reproduction.engine import load
from reproduction.statistics import read_paper, summarize


def test_figures_by_hand(claim):
    figures = figures_of_claims([claim])
    assert figures.to_numpy().tolist() == [
        ["one", "a as printed", "0.30 to 0.50", "0.126 to 0.251", "0.00071"],
        ["one", "b", "–", "0.0635 to 1230", "0.0014"],
    ]


def test_figures_of_the_ledger(ledger):
    claims, card = ledger
    figures = figures_of_claims(claims).set_index(["claim", "method"])
    decided = {claim.id for claim in claims if card.loc[claim.id, "outcome"] in
               ("holds", "holds in part", "undecided", "does not hold")}  # fmt: skip
    assert decided <= {id for id, _ in figures.index}
    ours = summarize(load("ofer-table-10")[0]).query(
        "metric == 'rrmse' and method == 'wOFER+800 as printed'"
    )
    printed = read_paper("ofer-table-10").query("method == 'wOFER+800'")
    row = figures.loc[("ofer-10-weak-labels-help", "wOFER+800 as printed")]
    assert row["ours"] == f"{ours['mean'].min():.3g} to {ours['mean'].max():.3g}"
    assert row["paper"] == f"{printed['mean'].min():.2f} to {printed['mean'].max():.2f}"


def test_every_rule_that_decides_has_its_meaning(ledger):
    claims, _ = ledger
    rules = re.findall(r'<dt id="rule-(\w+)">', rules_to_html(claims))
    assert set(rules) == {claim.rule for claim in claims}
