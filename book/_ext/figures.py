"""Put figures that are SVG into the page: their panels wrap, and they have the page's colours.

A figure is stored in pieces, see ``reproduction/figures/vector.py``. Each becomes an element of
its own that may shrink until its smallest text has nine pixels; what then is wider than the screen
scrolls. Greys are mixed from the page's text and ground, so that they follow its theme.
"""

import re
from html import escape
from itertools import groupby
from math import ceil
from pathlib import Path
from xml.etree import ElementTree

from docutils import nodes
from sphinx.transforms import SphinxTransform

SMALLEST = 9  # pixels of the smallest text, where a figure has shrunk
_PIXELS = 4 / 3  # in a point
_NAMESPACE = ' xmlns="http://www.w3.org/2000/svg"'
_GREY = re.compile(r"#([0-9a-f]{2})\1\1\b")
_SIZE = re.compile(r"([\d.]+)px")


def pieces(svg, name, alt):
    """HTML of a stored figure.

    Parameters
    ----------
    svg : str
        The figure, as it is stored.
    name : str
        What the ids of its parts begin with.
    alt : str
        What is to be seen.

    Returns
    -------
    html : str
    """
    drawn = ElementTree.fromstring(svg.replace(_NAMESPACE, ""))
    whole = float(drawn.get("viewBox").split()[2])
    parts = []
    for piece in drawn:
        _, y, width, _ = map(float, piece.get("viewBox").split())
        share = int(1000 * width / whole) / 10
        least = ceil(SMALLEST / _smallest_text(piece) * width)
        is_entry = piece.get("class") == "entry"
        size = f"flex-basis: {share}%; min-width: {least}px; max-width: {_PIXELS * width:.0f}px"
        content = "".join(ElementTree.tostring(child, encoding="unicode") for child in piece)
        view = f'viewBox="{piece.get("viewBox")}" style="{size}"'
        parts.append((not is_entry, y, f"<svg {view}>{content}</svg>"))
    rows = {is_panel: [*row] for is_panel, row in groupby(parts, key=lambda part: part[0])}
    ordered = sorted(rows.items(), key=lambda row: row[1][0][1])
    html = "".join(
        f'<div class="{"panels" if is_panel else "entries"}">{"".join(p[2] for p in row)}</div>'
        for is_panel, row in ordered
    )
    html = re.sub(r'(?<=["#])(?=p\d+-\d)', f"{name}-", html)
    html = _GREY.sub(_of_the_page, html)
    return f'<div class="drawn" role="img" aria-label="{escape(alt)}">{html}</div>'


def _smallest_text(piece):
    """Size of the smallest text in a piece, in its units; an index counts as what it stands at."""
    sizes = [
        max(float(_SIZE.search(part.get("style", "0px"))[1]) for part in text.iter())
        for text in piece.iter("text")
    ]
    return min(sizes, default=SMALLEST)


def _of_the_page(grey):
    ink = round(100 * (1 - int(grey[1], 16) / 255))
    if ink == 100:
        return "currentColor"
    return f"color-mix(in srgb, currentColor {ink}%, var(--pst-color-background))"


class _Inline(SphinxTransform):
    default_priority = 210  # before sphinx copies pictures

    def apply(self):
        for number, image in enumerate([*self.document.findall(nodes.image)]):
            if image["uri"].endswith(".svg"):
                path = Path(self.env.relfn2path(image["uri"], self.env.docname)[1])
                html = pieces(path.read_text(encoding="utf-8"), f"f{number}", image.get("alt", ""))
                image.replace_self(nodes.raw("", html, format="html"))


def setup(app):
    """Register the extension with sphinx."""
    app.add_transform(_Inline)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
