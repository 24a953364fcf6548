"""What survived is explained, and the page quotes what the table says."""

import csv
import tomllib
from fnmatch import fnmatch
from functools import cache

import pytest

from reproduction.paths import CHECKOUT
from reproduction.pipeline.mutants import SAME, SCORES, SURVIVORS, rate


@cache
def rows(path):
    with path.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def lines(text):
    return {line.strip() for line in text.splitlines()}


@pytest.mark.parametrize("path", [row["module"] for row in rows(SCORES)[1:]])
def test_survivors_have_a_reason_and_their_lines_are_there(path):
    source = lines((CHECKOUT / path).read_text(encoding="utf-8"))
    for row in rows(SURVIVORS):
        if row["module"] == path:
            assert row["reason"].strip(), f"say why: {row}"
            assert lines(row["code"]) <= source, f"gone, take it out: {row}"


def test_modules_are_those_that_are_mutated():
    config = tomllib.loads((CHECKOUT / "pyproject.toml").read_text(encoding="utf-8"))
    others = config["tool"]["mutmut"]["do_not_mutate"]
    files = {path.relative_to(CHECKOUT).as_posix() for path in (CHECKOUT / "ofer").rglob("*.py")}
    mutated = {path for path in files if not any(fnmatch(path, other) for other in others)}
    assert {row["module"] for row in rows(SCORES)[1:]} <= mutated


def test_counts_agree():
    names = ("mutants", "tried", "killed", "survived", "equivalent")
    counts = {row["module"]: [int(row[name]) for name in names] for row in rows(SCORES)}
    assert counts.pop("all") == [sum(column) for column in zip(*counts.values(), strict=True)]
    for module, (_, tried, killed, survived, same) in counts.items():
        own = [row["reason"] for row in rows(SURVIVORS) if row["module"] == module]
        assert (survived, same) == (len(own), sum(reason.startswith(SAME) for reason in own))
        assert tried == killed + survived > 0


def test_the_page_quotes_the_table():
    names = ("mutants", "tried", "killed", "equivalent")
    total, tried, killed, same = ([int(row[name]) for row in rows(SCORES)[1:]] for name in names)
    share, error = rate(total, tried, killed)
    told, _ = rate(total, tried, [k + s for k, s in zip(killed, same, strict=True)])
    quoted = (
        f"{sum(tried):,} of {sum(total):,} were tried, and {sum(killed):,} noticed. "
        f"By module, that is {share:.1%} of all, with a standard error of {error:.1%}; "
        f"{told:.1%}, if those count as noticed that no test can notice."
    )
    assert quoted in (CHECKOUT / "book" / "robustness.md").read_text(encoding="utf-8")
    assert share > 0.9
