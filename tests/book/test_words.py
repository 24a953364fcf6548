"""No word of a chapter's texts is lost on the way to its page."""

import re

import pytest

from reproduction.pipeline.dodo import HTML
from reproduction.pipeline.execute import BOOK, SOURCES, chapter_names, read_source

pytestmark = pytest.mark.html

# What markup says and a page shows in another form, or not: it ends a run of words.
MARKUP = re.compile(
    r"""
    ^\s*(?:`{3,}|:{3,}|~{3,})\{(?:figure|image|toctree|bibliography|tableofcontents|eval-rst
        |chapter-times|experiment-times)\}.*?^\s*(?:`{3,}|:{3,}|~{3,})\s*$  # no words of their own
    | ^\s*(?:`{3,}|:{3,}|~{3,})\{(?:grid|code-block|solution[\w-]*)\}[^\n]*  # no title
    | ^\s*(?:`{3,}|:{3,}|~{3,})[^\n]*?\{[^}\n]*\}     # a directive; its title stays
    | ^\s*(?:`{3,}|:{3,}|~{3,})\w*\s*$                # its end, or code in a language
    | ^\s*:[\w-]+:[^\n]*$                             # an option of a directive
    | ^\s*\([\w:.-]+\)=\s*$                           # a label
    | <!--.*?--> | </?[a-z][^>]*>
    | \$\$.*?\$\$(?:\s*\([\w-]+\))?  | \$[^$\n]*(?:\n[^$\n]+)?\$
    | ^\s*\\begin\{(\w+\*?)\}.*?\\end\{\1\}           # mathematics
    | \{[\w:-]+\}`[^`<]*<[^`>]*>`                     # reference with a title, see TITLED
    | \{[\w:-]+\}`[^`]*`                              # or with the title of what it leads to
    | \]\([^)\s]*\)  | <https?:[^>]*>                 # address of a link
    | ^\|[\s:|-]+$                                    # line below the head of a table
    | ^\s*(?:\d+\.|[*+:-]|\#+)\s | \n\s*\n              # an item, a heading, a paragraph
    """,
    re.MULTILINE | re.DOTALL | re.VERBOSE,
)
TITLED = re.compile(r"\{[\w:-]+\}`([^`<]*)<[^`>]*>`")
WORD = re.compile(r"\w+")
BREAK = "\0"


def runs(text):
    """Runs of words between what is markup in a text in Markdown."""
    text = MARKUP.sub(BREAK, TITLED.sub(rf"{BREAK}\1{BREAK}", text))
    return [run for part in text.split(BREAK) if (run := WORD.findall(part))]


def lost(text, page):
    """Runs of words of a text that a page does not have one after the other."""
    shown = f" {' '.join(WORD.findall(page))} "
    return [" ".join(run) for run in runs(text) if f" {' '.join(run)} " not in shown]


def test_a_comment_that_eats_half_a_sentence_is_found():
    text = "No setting is within 10\n% of **clusters** that $x$ are `apart`, {doc}`see <this>`."
    assert lost(text, "No setting is within 10 % of clusters that (x) are apart, see.") == []
    assert lost(text, "No setting is within 10 that are apart, see.") == [
        "No setting is within 10 of clusters that"
    ]


@pytest.mark.parametrize(
    "name", [*chapter_names(), *sorted(path.stem for path in BOOK.glob("*.md"))]
)
def test_every_word_of_a_text_is_on_its_page(pages, parsed, name):
    article = parsed(HTML / f"{name}.html").select_one("article")
    page = (
        f"{article.get_text()} {article.get_text(chr(32))}"  # words end where elements do, or not
    )
    if name in chapter_names():
        cells = read_source(SOURCES / f"{name}.py").cells
        texts = [cell.source for cell in cells if cell.cell_type == "markdown"]
    else:
        texts = [(BOOK / f"{name}.md").read_text(encoding="utf-8")]
    assert [run for text in texts for run in lost(text, page)] == []
