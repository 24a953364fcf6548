"""Show the front page's figure in the README, with the words that stand beneath it.

python -m reproduction.pipeline.readme
"""

import re
from html import unescape

from reproduction.files import replacing
from reproduction.paths import CHECKOUT
from reproduction.pipeline.chapters import BOOK
from reproduction.pipeline.execute import read_stored

__all__ = ["PICTURE", "README", "main", "picture_and_lines"]

README = CHECKOUT / "README.md"
PICTURE = BOOK / "front.svg"
FRONT = BOOK / "00_overview.ipynb"
_BEGIN, _END = "<!-- written by make book -->", "<!-- end of the figure -->"
_SVG = re.compile(r"<svg .*</svg>", re.DOTALL)
_DESCRIPTION = re.compile(r'aria-label="([^"]*)"')


def picture_and_lines():
    """The figure of the executed front page as SVG, and the whole text of the README with it.

    The figure is on white ground, since a page may be dark and its letters are black.
    """
    cells = read_stored(FRONT).cells
    place = next(n for n, c in enumerate(cells) if "front-figure" in c.metadata.get("tags", []))
    svg = _SVG.search(cells[place].outputs[0].data["text/html"])[0]
    description = unescape(_DESCRIPTION.search(svg)[1])
    ground = '<rect width="100%" height="100%" fill="white"/>'
    picture = re.sub(r"(<svg [^>]*>)", rf"\1{ground}", svg, count=1)
    caption = " ".join(cells[place + 1].source.split())
    link = PICTURE.relative_to(README.parent).as_posix()
    lines = [_BEGIN, "", f"![{description}]({link})", "", caption, "", _END]
    before, _, rest = README.read_text(encoding="utf-8").partition(_BEGIN)
    text = before + "\n".join(lines) + rest.partition(_END)[2]
    return f"{picture}\n", text


def main():
    """Write the picture and the README."""
    for path, text in zip((PICTURE, README), picture_and_lines(), strict=True):
        with replacing(path) as draft:
            draft.write_text(text, encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
