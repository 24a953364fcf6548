"""What of the papers is in the book: each table, figure, lemma and so on, where, on which data."""

import re
from html import escape
from typing import NamedTuple

import pandas as pd
import yaml
from docutils.nodes import make_id

from reproduction.claims import match_cells, on_what
from reproduction.engine import get_experiment, list_experiments
from reproduction.experiments import printed_tables
from reproduction.pipeline.chapters import BOOK, SOURCES, owned_by_chapter
from reproduction.statistics import read_paper

__all__ = ["Item", "has_anchor", "inventory_to_html", "link_to", "read_inventory", "table_id"]


class Item(NamedTuple):
    """A table, figure, algorithm, lemma or equation of a paper."""

    name: str
    """Such as "Table 3"."""
    shows: str
    places: list[str]
    """Where it is in the book, as "chapter#anchor"; none where it is not."""
    on: str
    """The data behind it, what differs from the paper, and why it is not there if it is not."""
    cells: str
    """How many of the printed numbers have one of ours beside them; empty where none is printed."""
    table: str
    """Id of the printed table; empty where its cells are not in the text."""
    why: dict[str, str]
    """Why our numbers are not the printed ones, by kind of number; "" stands for all kinds."""
    outputs: int = 0
    """How many outputs the generated data have; 0 where the data are given."""


def read_inventory():
    """All tables, figures, algorithms, lemmas and important equations, by key of the paper.

    What declarations of experiments say is taken from there.
    """
    with (BOOK / "inventory.yml").open(encoding="utf-8") as file:
        papers = yaml.safe_load(file)
    answered = match_cells().groupby("table").size()
    return {
        paper: [
            _item(name, entry, table_id(entries["id"], name), answered)
            for name, entry in entries.items()
            if name != "id"
        ]
        for paper, entries in papers.items()
    }


def table_id(prefix, name):
    """Id of a printed table by the number of its name; of what is no table, one that none has."""
    kind, _, number = name.partition(" ")
    return f"{prefix}-{kind.lower()}-{number:0>2}"


def _short(on):
    """The data behind a table; which setting has which data is left to the cards of its claims."""
    return f"{on.kind}, in part" if ": " in on.detail else str(on)


def _item(name, entry, id, answered):
    entry = {"shows": entry} if isinstance(entry, str) else entry
    experiments = entry.get("from") or _answering(id)
    on = [entry.get("data", ""), *(_short(on_what(get_experiment(one))) for one in experiments)]
    places = entry.get("at") or [_place(one, one if "from" in entry else id) for one in experiments]
    cells = ""
    if id in printed_tables():
        cells = f"{answered.get(id, 0)} of {len(read_paper(id))}"
    else:
        id = ""
    note = "; ".join(dict.fromkeys(filter(None, [*on, entry.get("but", "")])))
    why = entry.get("why", {})
    why = why if isinstance(why, dict) else {"": why}
    places = list(dict.fromkeys(places))
    return Item(name, entry["shows"], places, note, cells, id, why, entry.get("outputs", 0))


def _answering(id):
    """Experiments that make a printed table again."""
    return [one for one in list_experiments() if id in (one, *get_experiment(one).facts.printed)]


def _place(experiment, printed):
    """Where the chapter that owns a table shows it, beside the printed one if that is there."""
    chapter = next(name for name, ids in owned_by_chapter().items() if experiment in ids)
    return f"{chapter}#{printed if has_anchor(chapter, printed) else experiment}"


def has_anchor(chapter, anchor):
    """Whether a chapter's page has an anchor: that of a table, a figure or a section."""
    text = (SOURCES / f"{chapter}.py").read_text(encoding="utf-8")
    headings = re.findall(r"^# #+ (.+)$", text, re.MULTILINE)
    return f'"{anchor}"' in text or anchor in map(make_id, headings)


def inventory_to_html(items):
    """A table of one paper's items, with links."""
    rows = [
        (
            one.name,
            escape(one.shows),
            "<br>".join(map(link_to, one.places)) or "not in the book",
            escape(one.on),
            one.cells,
        )
        for one in items
    ]
    columns = ["in the paper", "shows", "in the book", "on what, or why not", "cells"]
    table = pd.DataFrame(rows, columns=columns)
    return f'<div class="texts">{table.to_html(index=False, border=0, escape=False)}</div>'


def link_to(place):
    """A link to a place in the book, under the title of its page."""
    chapter, _, anchor = place.partition("#")
    text = (SOURCES / f"{chapter}.py").read_text(encoding="utf-8")
    title = re.search(r"^# # (.+)$", text, re.MULTILINE).group(1)
    return f'<a href="{chapter}.html#{anchor}">{escape(title)}</a>'
