"""Figures as SVG: a piece for each panel and entry of a legend, and values that hovering shows.

On a narrow screen the page puts the pieces under each other, see ``book/_ext/figures.py``;
elsewhere they stand where matplotlib has put them.
"""

import io
import re
from copy import deepcopy
from itertools import permutations
from xml.etree import ElementTree

import matplotlib.pyplot as plt
import numpy as np
from IPython import get_ipython
from matplotlib.collections import QuadMesh
from matplotlib.container import ErrorbarContainer
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.offsetbox import HPacker, TextArea
from matplotlib.transforms import Bbox

__all__ = ["show_as_pieces", "to_png", "to_svg"]

HEAVY = 250_000  # characters; what has more is shown by its pixels
PIXELS = 2  # of a picture for each one of the screen
_PADDING = 2.0  # points around a piece
_REFERENCE = re.compile(r"(?<=#)[\w.-]+")
_PLACE = re.compile(r"(?<![\w#.])-?\d+\.\d+(?=[^<>]*>)")  # in a tag, and in no text


def show_as_pieces():
    """Let notebooks show figures as SVG, and as twice the pixels where that would be heavy."""
    if shell := get_ipython():
        formatters = shell.display_formatter.formatters
        formatters["image/svg+xml"].for_type(Figure, to_svg)
        formatters["image/png"].for_type(Figure, to_png)


def to_png(figure):
    """Pixels of a figure that is too heavy for SVG, and its width on the screen; else None."""
    if to_svg(figure) is not None:
        return None
    figure.savefig(file := io.BytesIO(), dpi=PIXELS * figure.dpi, bbox_inches="tight")
    width = int.from_bytes(file.getvalue()[16:20], "big")  # where a PNG has it
    return file.getvalue(), {"width": width // PIXELS}


def to_svg(figure):
    """A figure as SVG, or None where it has pictures or is heavy.

    Parameters
    ----------
    figure : Figure
        It keeps the layout that it has now.

    Returns
    -------
    svg : str or None
        Its children are the pieces, ``<svg>`` elements that need nothing of each other. The same
        figure gives the same text.
    """
    if any(axis.images or axis.findobj(QuadMesh) for axis in figure.axes):
        return None
    figure.draw_without_rendering()
    figure.set_layout_engine("none")
    whole = figure.get_tightbbox().padded(_PADDING / 72)
    pieces = [*_panels(figure), *_entries(figure)]
    for number, (artists, _) in enumerate(pieces):
        for place, artist in enumerate(artists):
            artist.set_gid(f"piece-{number}-{place}")
    for number, line in enumerate(figure.findobj(Line2D)):
        line.set_gid(line.get_gid() or f"line-{number}")
    settings = {"svg.fonttype": "none", "svg.hashsalt": "figure", "path.simplify": False}
    with plt.rc_context(settings):
        figure.savefig(file := io.StringIO(), format="svg", bbox_inches=whole)
    text = re.sub(r' xmlns(:xlink)?="[^"]*"|xlink:(?=href)', "", file.getvalue())
    drawn = ElementTree.fromstring(text)
    by_id = {node.get("id"): node for node in drawn.iter() if node.get("id")}
    height = 72 * whole.height
    _tell_values(figure, by_id, whole)
    size = {"width": f"{72 * whole.width:.2f}pt", "height": f"{height:.2f}pt"}
    root = ElementTree.Element("svg", xmlns="http://www.w3.org/2000/svg", **size)
    root.set("viewBox", f"0 0 {72 * whole.width:.2f} {height:.2f}")
    root.set("style", "stroke-linejoin: round; stroke-linecap: butt")
    for number, (artists, box) in enumerate(pieces):
        place = 72 / figure.dpi * box.get_points() - 72 * whole.min
        x, y, w, h = place[0, 0], height - place[1, 1], *np.ptp(place, axis=0)
        x, y, w, h = x - _PADDING, y - _PADDING, w + 2 * _PADDING, h + 2 * _PADDING
        values = [f"{value:.2f}" for value in (x, y, w, h)]
        piece = ElementTree.SubElement(root, "svg", viewBox=" ".join(values))
        piece.set("style", "overflow: visible")
        piece.attrib |= dict(zip(("x", "y", "width", "height"), values, strict=True))
        if artists[0] not in figure.axes:
            piece.set("class", "entry")
        piece.extend(by_id[f"piece-{number}-{place}"] for place in range(len(artists)))
        _rely_on_itself(piece, by_id, f"p{number}")
    text = re.sub(r"(?<=>)\s+(?=<)", "", ElementTree.tostring(root, encoding="unicode"))
    text = re.sub(r"\s+", " ", text)
    text = _PLACE.sub(lambda found: f"{float(found[0]):.2f}".rstrip("0").rstrip("."), text)
    return text if len(text) <= HEAVY else None


def _panels(figure):
    """Axes that must stay beside each other, and the box around them.

    Such axes overlap, or one names the rows or columns of the other.
    """
    boxes = {axis: axis.get_tightbbox() for axis in figure.axes}
    panels = {axis: [axis] for axis in figure.axes}
    for axis, other in permutations(figure.axes, 2):
        near = boxes[axis].overlaps(boxes[other].padded(-1))
        spec, there = axis.get_subplotspec(), other.get_subplotspec()
        if spec and there:
            bare = [not _has_labels(of) for of in (axis.xaxis, axis.yaxis)]
            shared = axis.get_shared_x_axes(), axis.get_shared_y_axes()
            column, row = (all(bare) or of.joined(axis, other) for of in shared)
            near |= spec.colspan == there.colspan and bare[0] and column
            near |= spec.rowspan == there.rowspan and bare[1] and row
        if near and panels[axis] is not panels[other]:
            panels[axis] += panels[other]
            panels.update(dict.fromkeys(panels[other], panels[axis]))
    for members in {id(members): members for members in panels.values()}.values():
        yield members, Bbox.union([boxes[axis] for axis in members])


def _has_labels(axis):
    """Whether something is written at the ticks of an axis."""
    return any(label.get_text() and label.get_visible() for label in axis.get_ticklabels())


def _entries(figure):
    """Entries of the legends of a whole figure: their artists, and the box around these."""
    for legend in figure.legends:
        for packer in legend.findobj(HPacker):
            if any(isinstance(child, TextArea) for child in packer.get_children()):
                leaves = [artist for artist in packer.findobj() if not artist.get_children()]
                yield leaves, packer.get_window_extent()


def _rely_on_itself(piece, by_id, name):
    """Give a piece copies of what it refers to, under ids of its own."""
    ids = {}
    inside = {id(node) for node in piece.iter()}
    for node in [*piece.iter()]:
        node.attrib = {key: text.strip() for key, text in node.items() if text.strip()}
        for key in ("href", "clip-path", "style"):
            for old in _REFERENCE.findall(node.get(key, "")) if "#" in node.get(key, "") else ():
                if old not in by_id:
                    continue  # a colour
                if old not in ids and id(by_id[old]) not in inside:
                    ElementTree.SubElement(piece, "defs").append(copy := deepcopy(by_id[old]))
                    copy.set("id", old)  # another piece may have renamed it
                new = ids.setdefault(old, f"{name}-{len(ids)}")
                node.set(key, node.get(key).replace(f"#{old}", f"#{new}"))
    for node in piece.iter():
        if (old := node.attrib.pop("id", None)) in ids:
            node.set("id", ids[old])


def _tell_values(figure, by_id, whole):
    """Say at each mark of a curve that has a name what it stands for."""
    for axis in figure.axes:
        for artist, label in zip(*axis.get_legend_handles_labels(), strict=True):
            line = artist[0] if isinstance(artist, ErrorbarContainer) else artist
            if not isinstance(line, Line2D) or line.get_linestyle() == "None":
                continue
            values = np.column_stack(np.ma.filled(line.get_data(), np.nan)).astype(float)
            places = axis.transData.transform(values) / figure.dpi - whole.min
            places = 72 * np.column_stack([places[:, 0], whole.height - places[:, 1]])
            for mark in by_id[line.get_gid()].iter("use"):
                place = float(mark.get("x")), float(mark.get("y"))
                x, y = values[np.nanargmin(np.square(places - place).sum(axis=1))]
                ElementTree.SubElement(mark, "title").text = f"{label}: {y:.3g} at {x:g}"
