"""From which grids the methods of the label-ranking benchmark choose."""

from reproduction.engine.grids import Grid
from reproduction.studies.label_ranking.methods.embedded import ALPHAS, NEIGHBORS
from reproduction.studies.label_ranking.methods.ours import FACTORS


def _fixed(grid):
    """The same grid for all methods and sets."""
    return lambda parameters, method, setting: grid


_PROGRAM = "kept: it is the grid of the authors' program"
GRIDS = {
    "ranking-benchmark": {
        "alpha": Grid(values=_fixed(ALPHAS), done=_PROGRAM),
        "gamma": Grid(values=_fixed(ALPHAS), done=_PROGRAM),
        "k": Grid(values=_fixed(NEIGHBORS), natural={"low": 1}, done=_PROGRAM),
        "width": Grid(values=_fixed(FACTORS)),
    },
}
NOT_RECORDED = {
    "ranking-benchmark": "ridge parameters of our form, and features of a split of the forest",
}
