"""How often a chosen hyper-parameter stands at an end of its grid."""

import numpy as np
import pandas as pd

from reproduction.engine.catalogue import get_experiment, list_experiments
from reproduction.engine.store import load

__all__ = ["declared_grids", "grid_ends", "share_by_method", "stored_grid_ends"]

_COLUMNS = ["method", "setting", "metric", "n", "at_low", "at_high", "natural", "share"]


def grid_ends(experiment, frame, *, parameters=None, grids=None):
    """Count the choices that stand at an end of their grid, for each method, setting and metric.

    Of ``n`` choices, ``at_low`` and ``at_high`` stand at an end that a wider grid would move,
    ``natural`` at an end beyond which there is nothing; ``share`` is that of the former two. The
    parameters and grids are those of the experiment, unless others are given.
    """
    parameters = experiment.parameters if parameters is None else parameters
    rows = []
    for metric, grid in (declared_grids(experiment) if grids is None else grids).items():
        if isinstance(grid, str):
            continue
        chosen = frame[frame["metric"] == metric].groupby(["method", "setting"], sort=False)
        for (method, setting), values in chosen["value"]:
            searched = np.unique(np.array(grid.values(parameters, method, setting), dtype=float))
            if len(searched) < 2:
                continue
            places = np.abs(values.to_numpy()[:, None] - searched).argmin(axis=1)
            # Factors that are divided out again, and text of ten digits, keep the last bits not.
            if not np.allclose(values, searched[places], rtol=1e-6, atol=0.0):
                raise ValueError(
                    f"{experiment.id}, {method}, {setting}: {metric} must be one of "
                    f"{searched.tolist()}; got {sorted(set(values))}."
                )
            at = {"low": int(sum(places == 0)), "high": int(sum(places == len(searched) - 1))}
            nothing_beyond = {
                "low": searched[0] <= grid.natural.get("low", -np.inf),
                "high": searched[-1] >= grid.natural.get("high", np.inf),
            }
            bound = {end: 0 if nothing_beyond[end] else count for end, count in at.items()}
            natural = sum(at.values()) - sum(bound.values())
            share = sum(bound.values()) / len(values)
            rows.append((method, setting, metric, len(values), *bound.values(), natural, share))
    return pd.DataFrame(rows, columns=_COLUMNS)


def stored_grid_ends():
    """Count them in all stored tables, with the ``table`` and what was ``done``."""
    frames = [pd.DataFrame(columns=["table", *_COLUMNS, "done"])]
    for id in list_experiments():
        experiment = get_experiment(id)
        grids = declared_grids(experiment)
        try:
            frame, sidecar = load(id)
        except FileNotFoundError:  # declared, and not computed yet
            continue
        counts = grid_ends(experiment, frame, parameters=sidecar["parameters"])
        done = [
            grids[row.metric].done_of.get(row.method, grids[row.metric].done)
            for row in counts.itertuples()
        ]
        frames.append(counts.assign(table=id, done=done))
    return pd.concat([part for part in frames if len(part)] or frames, ignore_index=True)


def share_by_method(counts):
    """Sum counts of `stored_grid_ends` over the settings of a table, the largest ``share`` first.

    ``where`` is the setting with the largest share of its own, and that share.
    """
    keys = ["table", "metric", "method", "done"]
    sums = counts.groupby(keys, sort=False)[["n", "at_low", "at_high", "natural"]].sum()
    sums["share"] = (sums["at_low"] + sums["at_high"]) / sums["n"]
    most = counts.sort_values("share", ascending=False, kind="stable").groupby(keys).first()
    where = most["setting"] + most["share"].map(" ({:.0%})".format)
    sums["where"] = where.where(most["share"] > 0, "")
    return sums.sort_values("share", ascending=False, kind="stable").reset_index()


def declared_grids(experiment):
    """By metric, the `Grid` of a choice, or a sentence that says why its ends cannot be counted."""
    return {s.name: s.choice for s in experiment.scores if s.choice is not None}
