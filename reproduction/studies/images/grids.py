"""What the tables of images have, and from which values their methods choose."""

import numpy as np

from reproduction.engine.scores import Grid, Score

__all__ = ["COMPARED", "WITH_WEAK"]

_TWO = "open: two candidates, so that each is an end"


def _counts(parameters, method, setting):
    """Numbers of components."""
    counts = parameters["n_components"]
    if "as printed" in method:
        return [count for count in counts if count > 1 or ", C > 1" not in method]
    if setting == "1":
        return []  # of one image nothing is left out
    return [*counts, *parameters["wide"]] if "wide" in method or "imputed" in method else counts


def _costs(parameters, method, setting):
    """The search goes on by decades, between a least and a greatest cost."""
    least, greatest = np.log10(parameters["choices"]["least_and_greatest_cost"])
    return np.logspace(least, greatest, round(greatest - least) + 1)


_BY_ALL = (
    Score("accuracy", high=100),
    Score("rank", high=100),
    # Two components are the fewest of a mixture.
    Score("n_components", low=1, whole=True, choice=Grid(values=_counts, natural={"low": 2})),
)
COMPARED = (
    *_BY_ALL,
    Score("cost", choice=Grid(values=_costs)),
    Score(
        "n_hidden",
        low=1,
        whole=True,
        choice=Grid(values=lambda parameters, *_: parameters["choices"]["n_hidden"], done=_TWO),
    ),
    Score(
        "learning_rate",
        choice=Grid(
            values=lambda parameters, *_: parameters["choices"]["learning_rate"], done=_TWO
        ),
    ),
    Score(
        "features tried",
        high=1,
        choice="two rules for the number of features, and neither is an end",
    ),
)
WITH_WEAK = (
    *_BY_ALL,
    Score(
        "weak_weight",
        choice=Grid(values=lambda parameters, *_: parameters["weak_weights"], done=_TWO),
    ),
)
