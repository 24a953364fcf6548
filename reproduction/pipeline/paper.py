r"""Write the numbers, tables and figures of the report in `paper`, and set it where TeX is there.

``make paper`` runs it. The text types no result: it asks for a number by its name, as in
``\num{claims}``. What it says in words is guarded: where the results no longer bear a sentence,
nothing is written, and the error repeats it.
"""

import re
import sys

import matplotlib.pyplot as plt

from reproduction.engine import get_experiment, list_experiments, why_stale
from reproduction.files import replacing
from reproduction.report import claims, figures, same_data, weak_labels
from reproduction.report.stored import Untrue
from reproduction.report.typesetting import COMPILERS, PAPER, typeset

__all__ = ["compute_files", "draw_figures", "main"]

FIGURES = {"drugs": figures.drugs, "weak_labels": figures.weak_labels}


def compute_files():
    r"""The files that the text reads, by name: a line for each number, and the tables.

    The text looks a number up with ``\num``. It is an error (`Untrue`) when the text says something
    in words that the results do not bear, or asks for a number that is not computed.
    """
    parts = claims.NUMBERS + same_data.NUMBERS + weak_labels.NUMBERS
    numbers = {name: str(text) for part in parts for name, text in part().items()}
    wanted = re.findall(r"\\num\{([a-z-]+\d*)\}", (PAPER / "paper.tex").read_text(encoding="utf-8"))
    if unknown := {*wanted} - {*numbers}:
        raise Untrue(f"paper.tex asks for numbers that nothing computes: {sorted(unknown)}.")
    lines = [f"\\setnum{{{name}}}{{{numbers[name]}}}\n" for name in sorted({*wanted})]
    return {
        "numbers.tex": "% Written by make paper: do not edit.\n" + "".join(lines),
        "table_claims.tex": claims.table(),
        "table_drugs.tex": same_data.table(),
        "table_weak.tex": weak_labels.table(),
    }


def draw_figures(folder):
    """Draw the figures into a folder as PDF, the same bytes each time."""
    options = {"metadata": {"CreationDate": None}, "bbox_inches": "tight", "pad_inches": 0.02}
    for name, draw in FIGURES.items():
        with plt.rc_context({"pdf.fonttype": 42}):
            figure = draw()
            figure.savefig(folder / f"figure_{name}.pdf", **options)
        plt.close(figure)


def main():
    """Write what the text reads, and set it; 1 where a table is stale, or the text is not true."""
    if stale := [id for id in list_experiments() if why_stale(get_experiment(id))]:
        print(f"Stale: {', '.join(stale)}. Run `make results` first.", file=sys.stderr)
        return 1
    try:
        texts = compute_files()
    except Untrue as error:
        print(error, file=sys.stderr)
        return 1
    for name, text in texts.items():
        with replacing(PAPER / name) as draft:
            draft.write_text(text, encoding="utf-8")
    draw_figures(PAPER)
    path = typeset()
    print(path or f"Written. No PDF: none of {', '.join(COMPILERS)} is there.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
