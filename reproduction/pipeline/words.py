"""How many words each page of the rendered book has, open and folded.

``python -m reproduction.pipeline.words [PAGE ...]`` prints a row a page; it is a report, not a
limit. Words are what a chapter's reading time counts: code and drawings are not read, and a formula
is one word. Cards, captions and tables of results count here too.
"""

import re
import sys

import pandas as pd
from bs4 import BeautifulSoup
from bs4.element import Comment

from reproduction.paths import CHECKOUT

__all__ = ["count_words", "main", "words_of_pages"]

_WORD = re.compile(r"\w[\w'’-]*")
_UNREAD = "script, style, svg, pre, code.highlight, nav, .headerlink, .cell_input"
_FOLDED = "details:not([open]), .dropdown, .toggle, .tag_hide-output"


def count_words(html):
    """Words of a page's ``article`` that stand open, and words behind a click."""
    article = BeautifulSoup(html, "html.parser").find("article")
    if article is None:
        return 0, 0
    for node in article.select(_UNREAD):
        node.decompose()
    for node in article.select(".math"):
        node.string = "formula"
    whole = _count(article)
    for node in article.select(_FOLDED):
        for child in [*node.children]:
            if child.name != "summary" and "admonition-title" not in _classes(child):
                child.extract()
    shown = _count(article)
    return shown, whole - shown


def _classes(node):
    return node.get("class", []) if node.name else []


def _count(article):
    texts = article.find_all(string=lambda text: not isinstance(text, Comment))
    return sum(len(_WORD.findall(text)) for text in texts)


def words_of_pages(names=()):
    """Words of rendered pages, a row for each and one for all.

    The columns are ``open``, ``folded`` and their sum ``all``.
    """
    html = CHECKOUT / "_build" / "html"
    pages = sorted(path for path in html.glob("*.html") if not names or path.stem in names)
    rows = {path.stem: count_words(path.read_text(encoding="utf-8")) for path in pages}
    words = pd.DataFrame.from_dict(rows, orient="index", columns=["open", "folded"])
    words.loc["all pages"] = words.sum()
    return words.assign(all=words.sum(axis=1)).astype(int)


def main(names):
    """Print the report."""
    print(words_of_pages(names).to_string())


if __name__ == "__main__":
    main(sys.argv[1:])
