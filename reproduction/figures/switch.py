"""A figure in the page whose parts a box shows and hides, without a script."""

import hashlib
import re
from html import escape

import matplotlib.pyplot as plt
from IPython.display import HTML

from reproduction.figures.formats import to_svg

__all__ = ["with_switch"]

_HASHED = re.compile(r"\b[a-z][0-9a-f]{10}\b")  # ids that matplotlib makes of all digits


def with_switch(figure, parts, label, description):
    """A figure as HTML, with a box that shows some of its parts when it is ticked.

    Parts are group ids (`Artist.set_gid`). The label is what the box says, the description what is
    to be seen, for readers who cannot see it. The figure is closed, so that the notebook does not
    show it a second time.
    """
    svg = to_svg(figure)
    plt.close(figure)
    # ids of the digits that are written: another processor moves the others
    drawing = hashlib.sha256(_HASHED.sub("", svg).encode()).hexdigest()[:8]
    for number, id in enumerate(dict.fromkeys(_HASHED.findall(svg))):
        svg = svg.replace(id, f"{drawing}-{number}")
    for id in parts:
        svg = svg.replace(f'<g id="{id}">', f'<g id="{id}" class="switched">')
    svg = svg.replace("<svg ", f'<svg role="img" aria-label="{escape(description)}" ', 1)
    box = f'<label><input type="checkbox" checked> {escape(label)}</label>'
    return HTML(f'<div class="switch">{box}{svg}</div>')
