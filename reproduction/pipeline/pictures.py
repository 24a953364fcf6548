"""Pictures are outputs: those of an execution beside the stored ones.

nbval compares all outputs of a cell but its pictures; ``book/conftest.py`` has these compared, too.
"""

import base64
import io
import itertools
import os
from pathlib import Path

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

_PNG = "image/png"


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
        One for each; none when all are equal within `TOLERANCE`.
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
    return [output.data[_PNG] for output in outputs if _PNG in output.get("data", {})]


def _without_pictures(outputs):
    kept = []
    for output in outputs:
        data = {kind: "" if kind == _PNG else it for kind, it in output.get("data", {}).items()}
        kept.append({**output, "data": data})
    return kept


def _difference(stored, computed, folder, number):
    """Why two pictures differ, which are then written; empty when they are equal."""
    texts = {"stored": stored, "computed": computed}
    both = {name: _decoded(text) for name, text in texts.items()}
    sizes = [picture.size for picture in both.values()]
    if sizes[0] == sizes[1]:
        apart = ImageChops.difference(*both.values())
        rms = max(ImageStat.Stat(apart).rms)
        if rms <= TOLERANCE:
            return ""
        both["difference"] = ImageOps.invert(ImageOps.autocontrast(apart))
        why = f"the pixels differ by {rms:.1f} of 255 (root mean square; allowed: {TOLERANCE})"
    else:
        why = "{} x {} pixels in the place of {} x {}".format(*sizes[1], *sizes[0])
    folder.mkdir(parents=True, exist_ok=True)
    for name, picture in both.items():
        picture.save(folder / f"{number}-{name}.png")
    return f"{why}. See {os.path.relpath(folder, CHECKOUT)}/{number}-*.png: {', '.join(both)}."


def _decoded(text):
    return Image.open(io.BytesIO(base64.b64decode(text))).convert("RGB")
