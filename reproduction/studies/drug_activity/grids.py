"""From which values the methods on molecules choose."""

from reproduction.engine.scores import Grid, Score

__all__ = ["COUNTS", "N_COMPONENTS", "WEAK_WEIGHT"]

COUNTS = (1, 2, 3, 4, 6, 8)
_PER_COMPONENT = 5  # outputs that a component must have on average


def _by_size(parameters, method, setting):
    """Numbers of components that leave each enough of the labelled molecules."""
    return [count for count in COUNTS if count <= int(setting) / _PER_COMPONENT]


N_COMPONENTS = Score(
    "n_components",
    low=1,
    whole=True,
    choice=Grid(
        values=_by_size,
        natural={"low": 1},
        done="open: more components are a search of their own",
    ),
)
WEAK_WEIGHT = Score(
    "weak_weight", choice=Grid(values=lambda parameters, *_: parameters["weak_weights"])
)
