"""Pictures are outputs: those of an execution beside the stored ones, as they are seen.

nbval compares all outputs of a cell but its pictures; ``book/conftest.py`` has these compared, too.
On another processor a drawing may be written with other elements, and show the same.
"""

import base64
import io
import itertools
import os
import re
from pathlib import Path

import resvg_py
from PIL import Image, ImageChops, ImageOps, ImageStat

from reproduction.paths import CHECKOUT

__all__ = ["PICTURES", "TOLERANCE", "differing_pictures", "keep_equal_outputs"]

TOLERANCE = 0.5
"""Root mean square of the differences of pixels, of 255, up to which two pictures are equal.

On another processor the edge of a line may fall on another pixel, which gives up to 0.22. In a
picture of 1000 x 600 pixels 0.5 lets two pixels turn from white to black, and no mark of a curve.
"""

PICTURES = CHECKOUT / ".cache" / "pictures"
"""Where pictures that differ are written: a folder for each chapter, in it one for each cell."""

_KINDS = ("image/svg+xml", "image/png")
_SIZE = re.compile(r' (width|height)="([\d.]+)pt"')


def differing_pictures(stored, computed, folder):
    """A line for each picture of a cell that is not the stored one within `TOLERANCE`.

    Each is written to a folder, the stored one and their difference beside it.
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
    something is to be seen that differs. It is changed in place; cells belong together by their
    code.
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
    return [(kind, data[kind]) for data in shown for kind in _KINDS if kind in data]


def _without_pictures(outputs):
    kept = []
    for output in outputs:
        data = {kind: "" if kind in _KINDS else it for kind, it in output.get("data", {}).items()}
        kept.append({**output, "data": data})
    return kept


def _difference(stored, computed, folder, number):
    """Why two pictures differ, which are then written; empty when they look the same."""
    seen = {"stored": _seen(*stored), "computed": _seen(*computed)}
    left, right = seen.values()
    if left.size != right.size:
        why = "{} x {} pixels in the place of {} x {}".format(*right.size, *left.size)
    else:
        apart = ImageChops.difference(left, right)
        rms = max(ImageStat.Stat(apart).rms)
        if rms <= TOLERANCE:
            return ""
        why = f"the pixels differ by {rms:.1f} of 255 (root mean square; allowed: {TOLERANCE})"
        seen["difference"] = ImageOps.invert(ImageOps.autocontrast(apart))
    folder.mkdir(parents=True, exist_ok=True)
    names = [f"{number}-{name}.png" for name in seen]
    for name, picture in zip(names, seen.values(), strict=True):
        picture.save(folder / name)
    return f"{why}. See {os.path.relpath(folder, CHECKOUT)}: {', '.join(names)}."


def _seen(kind, content):
    """Pixels of a picture."""
    if kind == "image/svg+xml":
        # The renderer knows no points.
        content = _SIZE.sub(r' \1="\2"', content, count=2)
        pixels = resvg_py.svg_to_bytes(svg_string=content, background="white", zoom=2)
    else:
        pixels = base64.b64decode(content)
    return Image.open(io.BytesIO(pixels)).convert("RGB")
