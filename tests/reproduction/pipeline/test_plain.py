"""Texts of chapters for a Jupyter that does not know the book."""

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from reproduction.pipeline.plain import Shown, plain_notebook, plain_text

SHOWN = Shown(
    roles={
        ":doc:`other`": "The other page",
        ":eq:`eq-one`": "(3.1)",
        ":cite:t:`one2000`": "One [1]",
        ":class:`~ofer.Thing`": "Thing",
        ":numref:`fig-one`": "Fig. 3.2",
    },
    numbers={"equation-eq-one": "3.1", "ex-one": "3.4", "thm-one": "3.5", "tab-one": "3.6"},
    macros={"R": r"\mathbb{R}", "T": r"^{\mathsf{T}}"},
)


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("See {doc}`other`.", "See *The other page*."),
        ("By {eq}`eq-one`, {cite:t}`one2000` has", "By (3.1), One [1] has"),
        ("{class}`~ofer.Thing`", "`Thing`"),
        ("{math}`x^2`", "$x^2$"),
        ("These {index}`places <! errata>` are", "These places are"),
        ("$x \\in \\R$, $x\\T$, $\\Re$", "$x \\in \\mathbb{R}$, $x^{\\mathsf{T}}$, $\\Re$"),
        ("(part)=\n## A part", '<a id="part"></a>\n## A part'),
        ("Word\n: What it means,\n  at length.", "- **Word**: What it means,\n  at length."),
        ("```{math}\n:label: eq-one\nx \\R\n```", "$$\nx \\mathbb{R}\n\\tag{3.1}\n$$"),
        (
            "```{math}\na \\\\\n\nb\n```",
            "$$\n\\begin{split}\na \\\\\nb\n\\end{split}\n$$",
        ),
        ("````{admonition} Your bet\nText\n````", "**Your bet.**\n\nText"),
        ("```{prf:theorem} Name\n:label: thm-one\nText\n```", "**Theorem 3.5 (Name).**\n\nText"),
        (":::{table} What.\n:name: tab-one\n| a |\n:::", "**Table 3.6.** What.\n\n| a |"),
        ("```{solution-start} ex-one\n```", "**Solution.**"),
        ("```{solution-end}\n```", ""),
        (
            "```{dropdown} Who\nBy {eq}`eq-one`\n```",
            "<details><summary>Who</summary>\n\nBy (3.1)\n\n</details>",
        ),
        (
            "````{exercise} Quick\n:label: ex-one\n```{math}\nx\n```\n````",
            "**Exercise 3.4 (Quick).**\n\n$$\nx\n$$",
        ),
        ("```python\nx = '{doc}`other`'\n```", "```python\nx = '{doc}`other`'\n```"),
    ],
)
def test_what_jupyter_does_not_know_is_written_in_words(text, plain):
    assert plain_text(text, SHOWN) == plain
    assert plain_text(f"Before\n\n{text}\n\nafter", SHOWN) == f"Before\n\n{plain}\n\nafter".replace(
        "\n\n\n\n", "\n\n"
    )


def test_a_role_that_the_page_does_not_know_is_an_error():
    with pytest.raises(KeyError, match=":doc:`missing`"):
        plain_text("{doc}`missing`", SHOWN)


def test_a_text_without_both_stays_as_it_is():
    text = "# Title\n\nA *text* with $x_1$:\n\n* one\n* two\n\n| a | b |\n|---|---|\n| 1 | 2 |"
    assert plain_text(text, SHOWN) == text


def test_captions_become_texts_under_their_cells():
    figure = {"name": "fig-one", "caption": "What {doc}`other` shows."}
    cells = [
        new_markdown_cell("{doc}`other`"),
        new_code_cell("draw()", id="cell-1", metadata={"mystnb": {"figure": figure}}),
        new_code_cell("1", metadata={"mystnb": {"figure": {"caption": "Without a name."}}}),
    ]
    notebook = new_notebook(cells=cells)
    before = nbformat.writes(notebook)
    plain = plain_notebook(notebook, SHOWN)
    assert nbformat.writes(notebook) == before
    texts = [cell.source for cell in plain.cells if cell.cell_type == "markdown"]
    shows = "What *The other page* shows."
    assert texts == ["*The other page*", f"**Fig. 3.2.** {shows}", "Without a name."]
    assert [cell.cell_type for cell in plain.cells[1:3]] == ["code", "markdown"]
    nbformat.validate(plain)
