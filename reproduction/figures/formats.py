"""How notebooks show figures: as SVG, and as PNG where they hold pictures or would be heavy."""

import io
import re
from weakref import WeakKeyDictionary

import matplotlib.pyplot as plt
from IPython import get_ipython
from matplotlib.collections import QuadMesh
from matplotlib.figure import Figure

__all__ = ["show_as_svg", "to_png", "to_svg"]

HEAVY = 400_000  # characters of an SVG that takes a browser long to draw
PIXELS = 2  # of a PNG for each one of the screen
# Letters are drawn, so that no font is missing, and the same figure gives the same characters.
_SETTINGS = {"svg.fonttype": "path", "svg.hashsalt": "figure"}
_METADATA = dict.fromkeys(("Creator", "Date", "Format", "Type"))
# Scales stay: that of letters is a sixty-fourth, and rounded it would enlarge them by a quarter.
_PLACE = re.compile(r"scale\([^)]*\)|(?<![\w#.])-?\d+\.\d+")
_HAS_SVG = WeakKeyDictionary()  # figures of which a notebook has just asked for the SVG


def show_as_svg():
    """Let notebooks show figures as SVG, or as PNG where `to_svg` has none."""
    if shell := get_ipython():
        formatters = shell.display_formatter.formatters
        formatters["image/svg+xml"].for_type(Figure, _show_svg)
        formatters["image/png"].for_type(Figure, to_png)


def to_svg(figure):
    """A figure as SVG, places to a hundredth of a point; None where it has pixels or is heavy."""
    meshes = (mesh for axis in figure.axes for mesh in axis.collections)
    if any(axis.images for axis in figure.axes) or any(isinstance(m, QuadMesh) for m in meshes):
        return None
    with plt.rc_context(_SETTINGS):
        figure.savefig(file := io.StringIO(), format="svg", bbox_inches="tight", metadata=_METADATA)
    drawing = " ".join(file.getvalue().split())
    drawing = drawing[drawing.index("<svg") :]
    text = _PLACE.sub(_rounded, drawing)
    return text if len(text) <= HEAVY else None


def to_png(figure):
    """Pixels of a figure that `to_svg` leaves out, and its width on the screen; else None."""
    has_svg = _HAS_SVG.pop(figure, None)
    if has_svg is None:
        has_svg = to_svg(figure) is not None
    if has_svg:
        return None
    figure.savefig(file := io.BytesIO(), dpi=PIXELS * figure.dpi, bbox_inches="tight")
    width = int.from_bytes(file.getvalue()[16:20], "big")  # where a PNG has it
    return file.getvalue(), {"width": width // PIXELS}


def _show_svg(figure):
    text = to_svg(figure)
    _HAS_SVG[figure] = text is not None  # the PNG's turn comes next
    return text


def _rounded(place):
    if place[0].startswith("scale"):
        return place[0]
    return f"{float(place[0]):.2f}".rstrip("0").rstrip(".")
