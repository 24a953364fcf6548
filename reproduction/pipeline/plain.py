"""The texts of a chapter as a Jupyter without the book shows them: roles and directives in words.

What roles show, and the numbers of equations, figures and exercises, are noted when the pages are
rendered, by ``book/_ext/roles.py``.
"""

import re
from typing import NamedTuple

import nbformat

__all__ = ["Shown", "plain_notebook", "plain_text"]

_ROLE = re.compile(r"\{([\w:-]+)\}`([^`]+)`")
_FENCE = re.compile(r" *(`{3,}|:{3,})(?:\{([\w:-]+)\} *(.*))?")
_OPTION = re.compile(r" *:([\w-]+): *(.*)")
_TERM = re.compile(r"^(\S.*)\n: +", re.MULTILINE)
_TARGET = re.compile(r"^\(([\w-]+)\)=$", re.MULTILINE)
_FOLDED = ("dropdown", "solution")
# What has no heading of its own: the cells or words between speak for themselves.
_SILENT = ("grid", "solution-end")
_CODE = ("class", "func", "meth")


class Shown(NamedTuple):
    """What the rendered page says that its source does not."""

    roles: dict[str, str]
    """The text of each role, such as "(3.1)" of ``:eq:`eq-one```."""
    numbers: dict[str, str]
    """The number of each label."""
    macros: dict[str, str]
    """Commands of formulas that Jupyter does not know, without backslash."""


def plain_notebook(notebook, shown):
    """Make a notebook plain: its texts, and captions as texts of their own.

    Parameters
    ----------
    notebook : NotebookNode
        A chapter; it is left as it is.
    shown : Shown
        What its page shows.

    Returns
    -------
    plain : NotebookNode

    Raises
    ------
    KeyError
        When the page does not know a role.
    """
    cells = []
    for cell in nbformat.from_dict(notebook).cells:
        if cell.cell_type == "markdown":
            cell.source = plain_text(cell.source, shown)
        cells.append(cell)
        figure = cell.metadata.get("mystnb", {}).get("figure", {})
        if "caption" in figure:
            name = shown.roles.get(f":numref:`{figure.get('name')}`")
            text = f"**{name}.** " * bool(name) + plain_text(figure["caption"], shown)
            cells.append(nbformat.v4.new_markdown_cell(text, id=f"{cell.id}-caption"))
    return nbformat.from_dict({**notebook, "cells": cells})


def plain_text(text, shown):
    """Write Markdown without roles and directives.

    Parameters
    ----------
    text : str
        MyST Markdown.
    shown : Shown
        What its page shows.

    Returns
    -------
    plain : str
        Markdown that Jupyter knows: boxes have bold titles, and what is folded is so still.

    Raises
    ------
    KeyError
        When the page does not know a role.
    """
    written, lines = [], text.splitlines()
    while lines:
        words = []
        while lines and not _FENCE.match(lines[0]):
            words.append(lines.pop(0))
        written.append(_plain_words("\n".join(words), shown))
        if lines:
            fence, name, argument = _FENCE.match(lines[0]).groups()
            opening, inside = lines.pop(0), []
            while lines and lines[0].strip() != fence:
                inside.append(lines.pop(0))
            closing = lines.pop(0)
            if name is None:
                written.append("\n".join([opening, *inside, closing]))
            else:
                written.append(_plain_directive(name, argument, inside, shown))
    return re.sub(r"\n{3,}", "\n\n", "\n".join(written)).strip()


def _plain_words(text, shown):
    """Write a text without fences."""
    text = _ROLE.sub(lambda role: _plain_role(*role.groups(), shown), text)
    text = _TARGET.sub(r'<a id="\1"></a>', text)
    text = _TERM.sub(r"- **\1**: ", text)
    return _without_macros(text, shown)


def _without_macros(text, shown):
    for name, meaning in shown.macros.items():
        text = re.sub(rf"\\{name}(?![A-Za-z])", lambda _, meaning=meaning: meaning, text)
    return text


def _plain_role(name, content, shown):
    content = " ".join(content.split())
    if name == "math":
        return f"${content}$"
    if name == "index":
        return content.partition(" <")[0]
    words = shown.roles[f":{name}:`{content}`"]
    if name in _CODE:
        return f"`{words}`"
    return f"*{words}*" if name == "doc" else words


def _plain_directive(name, argument, inside, shown):
    """Write a box: its title, if it has one, and what is in it."""
    options = {}
    while inside and (option := _OPTION.fullmatch(inside[0])):
        options[option[1]] = option[2]
        inside.pop(0)
    label = options.get("label") or options.get("name") or ""
    if name == "math":
        return _formula(inside, shown.numbers.get(f"equation-{label}"), shown)
    body = plain_text("\n".join(inside), shown)
    kind = name.rpartition(":")[2].partition("-")[0].capitalize()
    heading = " ".join(filter(None, [kind, shown.numbers.get(label)]))
    argument = _plain_words(argument, shown)
    if name in ("admonition", "dropdown", "grid-item-card"):
        heading, argument = argument, ""
    if name in _FOLDED:
        return f"<details><summary>{heading}</summary>\n\n{body}\n\n</details>\n"
    if name in _SILENT:
        return f"\n{body}\n"
    aside = f" ({argument})" if argument and name not in ("solution-start", "table") else ""
    ending = f" {argument}" if name == "table" else ""
    return f"\n**{heading}{aside}.**{ending}\n\n{body}\n"


def _formula(lines, number, shown):
    text = _without_macros("\n".join(filter(str.strip, lines)), shown)
    if r"\\" in text:
        text = f"\\begin{{split}}\n{text}\n\\end{{split}}"
    tag = f"\n\\tag{{{number}}}" if number else ""
    return f"\n$$\n{text}{tag}\n$$\n"
