"""From which values the methods on personality traits choose."""

from reproduction.engine.scores import Grid, Score

__all__ = ["COUNTS", "N_COMPONENTS"]

COUNTS = (1, 2, 3, 4, 6, 8)
N_COMPONENTS = Score(
    "n_components",
    low=1,
    whole=True,
    choice=Grid(
        values=lambda *_: COUNTS,
        natural={"low": 1},
        done="open: more components are a search of their own",
    ),
)
