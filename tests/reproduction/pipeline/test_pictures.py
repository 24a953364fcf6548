"""What is to be seen is compared, and nothing that cannot be seen."""

import base64
import io
import subprocess
import sys

import nbformat
import numpy as np
import pytest
from nbformat.v4 import new_code_cell, new_notebook, new_output
from PIL import Image

from reproduction.pipeline import execute
from reproduction.pipeline.pictures import (
    TOLERANCE,
    differing_pictures,
    keep_equal_outputs,
)

GREY = np.full((60, 80), 200, np.uint8)
MARK = GREY.copy()
MARK[20:26, 30:36] = 0


def shown(*pixels, text="<Figure>"):
    """Outputs of a cell that shows pictures."""
    outputs = []
    for array in pixels:
        Image.fromarray(np.ascontiguousarray(array)).save(file := io.BytesIO(), "png")
        data = {"text/plain": text, "image/png": base64.b64encode(file.getvalue()).decode()}
        outputs.append(new_output("display_data", data=data))
    return outputs


@pytest.mark.parametrize("step", [0, 3])
def test_what_nobody_can_see_is_no_difference(tmp_path, step):
    apart = MARK.copy()
    apart[0, 0] += step
    assert step / np.sqrt(MARK.size) < TOLERANCE
    assert differing_pictures(shown(MARK), shown(apart), tmp_path / "aside") == []
    assert list(tmp_path.iterdir()) == []


DIFFERENCES = {
    "mirrored": (MARK[:, ::-1], "pixels differ by"),
    "a mark moved by a pixel": (np.roll(MARK, 1, axis=0), "pixels differ by"),
    "inverted": (255 - MARK, "pixels differ by"),
    "another size": (MARK[:50], "80 x 50 pixels in the place of 80 x 60"),
}


@pytest.mark.parametrize("what", DIFFERENCES)
def test_a_difference_is_said_and_shown(tmp_path, what):
    computed, said = DIFFERENCES[what]
    (line,) = differing_pictures(shown(GREY, MARK), shown(GREY, computed), tmp_path / "aside")
    assert line.startswith("picture 2: ")
    assert said in line
    written = {
        path.name: np.asarray(Image.open(path).convert("L"))
        for path in (tmp_path / "aside").iterdir()
    }
    assert np.array_equal(written["2-stored.png"], MARK)
    assert np.array_equal(written["2-computed.png"], computed)
    assert ("2-difference.png" in written) == (computed.shape == MARK.shape)


def drawn(path="M 10 20 L 30.5 40", color="#0072b2"):
    """Outputs of a cell that shows a drawing, in points as matplotlib writes them."""
    style = f"fill: none; stroke: {color}; stroke-width: 2"
    svg = (
        '<svg xmlns="http://www.w3.org/2000/svg" width="300pt" height="200pt" '
        'viewBox="0 0 300 200">'
        f'<path d="{path}" style="{style}"/></svg>'
    )
    return [new_output("display_data", data={"text/plain": "", "image/svg+xml": svg})]


@pytest.mark.parametrize("path", ["M 10.01 20 L 30.5 39.99", "M 10 20 L 20.25 30 L 30.5 40"])
def test_drawings_that_look_the_same_are_equal(tmp_path, path):
    assert differing_pictures(drawn(), drawn(path), tmp_path / "aside") == []
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "change",
    [{"path": "M 30.5 20 L 10 40"}, {"path": "M 11 20 L 31.5 40"}, {"color": "#0012b2"}],
    ids=["mirrored", "moved", "another colour"],
)
def test_a_drawing_that_looks_different_is_said_and_shown(tmp_path, change):
    (line,) = differing_pictures(drawn(), drawn(**change), tmp_path / "aside")
    assert "1-stored.png, 1-computed.png, 1-difference.png." in line


def test_the_same_number_of_pictures_is_wanted(tmp_path):
    assert differing_pictures(shown(MARK), shown(), tmp_path) == ["picture 1: missing."]
    assert differing_pictures(shown(), shown(MARK), tmp_path) == ["picture 1: one too many."]


def notebook(*outputs):
    cells = [new_code_cell(f"draw({i})", outputs=each) for i, each in enumerate(outputs)]
    return new_notebook(cells=cells)


def test_only_outputs_that_are_not_equal_are_replaced(tmp_path):
    near = MARK.copy()
    near[0, 0] += 1
    stored = notebook(shown(MARK), shown(MARK), shown(MARK))
    executed = notebook(shown(near), shown(GREY), shown(near, text="<Another>"))
    moved = executed.cells[1].outputs, executed.cells[2].outputs
    keep_equal_outputs(stored, executed, tmp_path)
    assert executed.cells[0].outputs == stored.cells[0].outputs
    assert (executed.cells[1].outputs, executed.cells[2].outputs) == moved


DRAWING = """\
# %%
import numpy as np
from IPython.display import Image
from matplotlib.pyplot import imsave
imsave("FILE", np.arange(6.0).reshape(2, 3))
Image("FILE")
"""


def test_nbval_and_the_build_see_a_mirrored_picture(tmp_path):
    """The first fails and names the pictures; the second puts the right one back."""
    source, target = tmp_path / "one.py", tmp_path / "01_introduction.ipynb"  # has no data to need
    source.write_text(DRAWING.replace("FILE", str(tmp_path / "drawn.png")))
    execute.execute(source, target)
    right = target.read_bytes()
    stored = nbformat.read(target, as_version=4)
    data = stored.cells[0].outputs[0].data
    pixels = np.asarray(Image.open(io.BytesIO(base64.b64decode(data["image/png"]))))
    data["image/png"] = shown(pixels[:, ::-1])[0].data["image/png"]
    nbformat.write(stored, target)

    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-p",
        "book.conftest",
        "-p",
        "no:cacheprovider",
    ]
    command += ["--nbval", "--nbval-current-env", target]
    done = subprocess.run(command, cwd=execute.CHECKOUT, capture_output=True, text=True)
    assert done.returncode == 1
    assert "picture 1: the pixels differ by" in done.stdout
    assert "See .cache/pictures/01_introduction/cell-000: 1-stored.png" in done.stdout

    execute.execute(source, target)
    assert target.read_bytes() == right
