"""Pictures are outputs: those of an execution beside the stored ones.

nbval compares all outputs of a cell but its pictures; ``book/conftest.py`` has these compared, too.
"""

import base64
import io
import itertools
import os
import re
from pathlib import Path

from PIL import Image, ImageChops, ImageOps, ImageStat

from reproduction.paths import CHECKOUT

__all__ = ["APART", "PICTURES", "TOLERANCE", "differing_pictures", "keep_equal_outputs"]

TOLERANCE = 0.5
"""Root mean square of the differences of pixels, of 255, up to which two pictures are equal.

On another processor the edge of a line may fall on another pixel, which gives up to 0.22. In a
picture of 1000 x 600 pixels 0.5 lets two pixels turn from white to black, and no mark of a curve.
"""

APART = 0.05
"""Difference of two numbers of a drawing up to which they are equal, in points.

The last digits of another processor do not reach the decimals that are stored; a mark that moves
by a pixel moves by 0.75.
"""

PICTURES = CHECKOUT / ".cache" / "pictures"
"""Where pictures that differ are written: a folder for each chapter, in it one for each cell."""

_PNG, _SVG = "image/png", "image/svg+xml"
_PLACE = re.compile(r"(?<![\w#.-])-?\d+(?:\.\d+)?(?=[^<>]*>)")  # in a tag, and in no name or colour


def differing_pictures(stored, computed, folder):
    """Say which pictures of a cell are not the stored ones.

    Parameters
    ----------
    stored, computed : list of NotebookNode
        Outputs of a cell.
    folder : path-like
        Where each such picture is written, the stored one and their difference beside it; made
        when needed.

    Returns
    -------
    lines : list of str
        One for each; none when all are equal within `TOLERANCE`, drawings within `APART`.
    """
    lines = []
    pairs = itertools.zip_longest(_pictures(stored), _pictures(computed))
    for number, (left, right) in enumerate(pairs, start=1):
        if left is None or right is None:
            lines.append(f"picture {number}: {'one too many' if left is None else 'missing'}.")
        elif left != right and (why := _difference(left, right, Path(folder), number)):
            lines.append(f"picture {number}: {why}")
    return lines


def keep_equal_outputs(stored, executed, folder):
    """Put stored outputs in the place of those that are equal within the comparison.

    So a notebook that another processor has executed is the stored one to the last byte, unless
    something is to be seen that differs.

    Parameters
    ----------
    stored, executed : NotebookNode
        Two executions of a chapter; the second is changed in place. Cells belong together by their
        code.
    folder : path-like
        As of `differing_pictures`.
    """
    before = {cell.source: cell for cell in stored.cells if cell.cell_type == "code"}
    for cell in executed.cells:
        if cell.cell_type != "code" or cell.source not in before:
            continue
        outputs = before[cell.source].outputs
        same_texts = _without_pictures(outputs) == _without_pictures(cell.outputs)
        if same_texts and not differing_pictures(outputs, cell.outputs, Path(folder, cell.id)):
            cell.outputs = outputs


def _pictures(outputs):
    shown = (output.get("data", {}) for output in outputs)
    return [(kind, data[kind]) for data in shown for kind in (_SVG, _PNG) if kind in data]


def _without_pictures(outputs):
    kept = []
    for output in outputs:
        data = output.get("data", {})
        data = {kind: "" if kind in (_PNG, _SVG) else it for kind, it in data.items()}
        kept.append({**output, "data": data})
    return kept


def _difference(stored, computed, folder, number):
    """Why two pictures differ, which are then written; empty when they are equal."""
    both = {"stored": stored, "computed": computed}
    (kind, left), (other, right) = both.values()
    if kind != other:
        why = f"{other} in the place of {kind}"
    elif kind == _SVG:
        why = _places_apart(left, right)
    else:
        why, apart = _pixels_apart(left, right)
        if apart:
            both["difference"] = _PNG, apart
    if not why:
        return ""
    folder.mkdir(parents=True, exist_ok=True)
    names = [
        f"{number}-{name}{'.svg' if kind == _SVG else '.png'}" for name, (kind, _) in both.items()
    ]
    for name, (kind, text) in zip(names, both.values(), strict=True):
        content = text.encode() if kind == _SVG else base64.b64decode(text)
        (folder / name).write_bytes(content)
    return f"{why}. See {os.path.relpath(folder, CHECKOUT)}: {', '.join(names)}."


def _places_apart(stored, computed):
    """Why two drawings differ: in their elements and texts, or in the numbers of their places."""
    if _PLACE.sub("", stored) != _PLACE.sub("", computed):
        return "it is drawn with other elements, texts or colours"
    pairs = zip(_PLACE.findall(stored), _PLACE.findall(computed), strict=True)
    apart = max((abs(float(left) - float(right)) for left, right in pairs), default=0.0)
    return "" if apart <= APART else f"places differ by {apart:.2f} points (allowed: {APART})"


def _pixels_apart(stored, computed):
    """Why two pictures of pixels differ, and a picture of their difference, if there is one."""
    both = [_decoded(text) for text in (stored, computed)]
    if both[0].size != both[1].size:
        why = "{} x {} pixels in the place of {} x {}".format(*both[1].size, *both[0].size)
        return why, None
    apart = ImageChops.difference(*both)
    rms = max(ImageStat.Stat(apart).rms)
    if rms <= TOLERANCE:
        return "", None
    ImageOps.invert(ImageOps.autocontrast(apart)).save(file := io.BytesIO(), "png")
    why = f"the pixels differ by {rms:.1f} of 255 (root mean square; allowed: {TOLERANCE})"
    return why, base64.b64encode(file.getvalue()).decode()


def _decoded(text):
    return Image.open(io.BytesIO(base64.b64decode(text))).convert("RGB")
