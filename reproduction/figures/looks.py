"""One look for each method, in all figures: its colour, dash and marker.

Methods of a family have one colour. The first look of each has filled marks, the others hollow
ones; names that share a look never stand in one figure.
"""

from reproduction.figures.style import COLORS, curve_look

__all__ = ["method_looks"]

BLUE, VERMILION, GREEN, PINK, SKY, ORANGE, BLACK = COLORS
_FAMILIES = (
    # OFER
    (BLUE, ("OFER", "OFER-GMM", "OFER-GSSM", "OFER-GMM, no weak labels", "OFER 1-GMM"),
           ("OFER-GMM as printed", "OFER-GSSM as printed", "OFER 2-GMM"),
           ("OFER-GMM wide", "OFER-GSSM smoothed", "OFER, one ridge", "OFER-GMM, ellipsoid",
            "OFER 3-GMM", "reduced"),
           ("reduced, defaults",), ("full",), ("full by descent",)),
    # ridge regression without an intercept, then with one
    (VERMILION, ("m-KRR",), ("Sem-KRR",)),
    (GREEN, ("m-KRR centred", "kernel ridge regression", "baseline"),
            ("m-KRR imputed+800", "one-hot ridge+2500 imputed", "imputed outputs", "imputed",
             "m-KRR a ridge a target", "ridge, ellipsoid", "averaged"),
            ("ridge stacking", "m-KRR known+2500", "one-hot ridge")),
    # OFER with weak labels, the fewest first, and its successor
    (PINK, ("wOFER+2500", "wOFER+800", "OFER, weak labels", "OFER-GMM, weak labels",
            "gain"),
           ("wOFER+1288", "wOFER+1500", "wOFER+500", "best parameter (oracle)"),
           ("wOFER+644", "wOFER+700", "wOFER+100"),
           ("wOFER+2500 wide",)),
    # input output kernel regression
    (SKY, ("IOKR", "Sem-IOKR"), ("IOKR rbf", "IOKR-DTW"), ("IOKR-GAK",)),
    (ORANGE, ("m-RF",)),
    # what others are measured by
    (BLACK, ("Bayes", "mean", "m-SVM", "printed", "split conformal",
             "Kalman, true matrices", "labelled only"),
            ("MLP", "Kalman fitted", "the paper's", "all known")),
    # Fisher kernel learning
    (BLUE, ("FKL",), ("FKL as printed",)),
    (GREEN, ("Fisher",)),
    (ORANGE, ("weights alone",)),
    (BLACK, ("likelihood",)),
    # twin Gaussian processes
    (PINK, ("SMTGP", "SMTGP (16)"), ("SMTGP (11)",)),
    (ORANGE, ("KLTGP", "KLTGP (0)")),
    (SKY, ("IKLTGP", "IKLTGP (1)")),
)  # fmt: skip


def _hollow(look, whether):
    return look | ({"mfc": "white"} if whether else {})


LOOKS = {
    name: _hollow(curve_look(COLORS.index(color) + number) | {"color": color}, number > 0)
    for color, *looks in _FAMILIES
    for number, names in enumerate(looks)
    for name in names
}


def method_looks(names):
    """Colour, dash and marker of each curve of one figure, by name.

    They are those of the book for a method that has one, and others, in turn, for any other name;
    marks are hollow, too, when there are many.
    """
    names = list(dict.fromkeys(names))
    # The paper's form has the look of ours where it has none: in the panel of printed numbers.
    known = {name: LOOKS.get(name) or LOOKS.get(name.removesuffix(" as printed")) for name in names}
    taken = {look["color"] for look in known.values() if look}
    free = [n for n, color in enumerate(COLORS) if color not in taken] or range(len(COLORS))
    others = [name for name in names if not known[name]]
    turns = [divmod(n, len(free)) for n in range(len(others))]
    in_turn = {
        name: _hollow(curve_look(free[n]), turn % 2)
        for name, (turn, n) in zip(others, turns, strict=True)
    }
    return {name: known[name] or in_turn[name] for name in names}
