"""The PDF of the report, where a TeX program is there."""

import os
import shutil
import subprocess

from reproduction.paths import CHECKOUT

PAPER = CHECKOUT / "paper"
CACHE = CHECKOUT / ".cache" / "paper"
LATEX = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "paper.tex"]
COMPILERS = {
    "latexmk": [["latexmk", "-pdf", *LATEX[1:]]],
    "tectonic": [["tectonic", "paper.tex"]],
    "pdflatex": [LATEX, ["bibtex", "paper"], LATEX, LATEX],
}


def typeset(folder=CACHE, *, find=shutil.which):
    """Set the report in a folder aside, by the first compiler of `COMPILERS` that is there.

    The folder gets copies of all that is needed. The path of the PDF is returned, or None where
    there is no compiler.
    """
    compiler = next((name for name in COMPILERS if find(name)), None)
    if compiler is None:
        return None
    folder.mkdir(parents=True, exist_ok=True)
    for path in [*PAPER.iterdir(), CHECKOUT / "book" / "references.bib"]:
        shutil.copy(path, folder)
    dateless = os.environ | {"SOURCE_DATE_EPOCH": "0"}
    for command in COMPILERS[compiler]:
        done = subprocess.run(command, cwd=folder, env=dateless, capture_output=True, check=False)
        if done.returncode:
            raise RuntimeError(f"{compiler} fails: see {folder / 'paper.log'}.")
    return folder / "paper.pdf"
