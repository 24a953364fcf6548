"""The style of all figures.

Colours are those of Okabe and Ito, which colour-blind readers can tell apart; lines differ in
marker and dash too, so that a figure can be read in grey.
"""

from functools import wraps

import matplotlib.pyplot as plt

from reproduction.figures.formats import show_as_svg

COLORS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00", "#000000")
MARKERS = ("o", "s", "^", "D", "v", "P", "X")
DASHES = ("-", "--", "-.", ":", (0, (5, 1)), (0, (3, 1, 1, 1)), (0, (1, 1)))

STYLE = {
    "axes.grid": True,
    "axes.prop_cycle": plt.cycler(color=COLORS),
    "axes.spines.right": False,
    "axes.spines.top": False,
    "axes.titlesize": "medium",
    "figure.constrained_layout.use": True,
    "figure.dpi": 110,
    "font.size": 10,
    "grid.alpha": 0.3,
    "legend.frameon": False,
    "savefig.dpi": 110,
}


def in_style(plot):
    """Let a figure function draw in the book's style, whatever the reader's own settings are."""

    @wraps(plot)
    def styled(*args, **kwargs):
        # Loads the backend. Loaded inside the context, a notebook's one would lose its
        # interactive mode at the end of it, and with that every later figure.
        plt.install_repl_displayhook()
        show_as_svg()
        with plt.rc_context(STYLE):
            return plot(*args, **kwargs)

    return styled


def line_look(number):
    """Colour and dash of the line with this number, from 0; they repeat after seven."""
    return {"color": COLORS[number % len(COLORS)], "ls": DASHES[number % len(DASHES)]}


def mark_look(number):
    """Colour and marker of the points with this number, which no line joins."""
    return {"color": COLORS[number % len(COLORS)], "marker": MARKERS[number % 7], "ls": ""}


def curve_look(number):
    """Colour, dash and marker of the curve with this number."""
    return mark_look(number) | line_look(number)
