"""Decisions that end in code, as a tree for the reader."""

from html import escape

from IPython.display import HTML

__all__ = ["show_decisions"]


def show_decisions(tree):
    """A tree of questions whose leaves are code, as HTML.

    By question, it has a dict with another such tree for each answer, or the code to run. Lists
    within lists can be followed without style sheets, too.
    """
    return HTML(f'<div class="decisions">{_list(tree)}</div>')


def _list(tree):
    items = []
    for question, answers in tree.items():
        branches = "".join(
            f"<li><span>{escape(answer)}</span>{_end(end)}</li>" for answer, end in answers.items()
        )
        items.append(f"<li><strong>{escape(question)}</strong><ul>{branches}</ul></li>")
    return f"<ul>{''.join(items)}</ul>"


def _end(end):
    if isinstance(end, dict):
        return _list(end)
    return f'<pre tabindex="0">{escape(end)}</pre>'
