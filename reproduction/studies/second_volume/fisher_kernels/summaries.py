"""A table of the chapter on experiments: readings beside the paper."""

import pandas as pd

from reproduction.statistics import format_mean_std, read_paper, summarize

__all__ = ["beside_readings"]

READINGS = {
    "Fisher": "standardised",
    "Fisher, raw": "raw",
    "FKL as printed": "standardised away",
    "FKL as printed, kept": "kept",
}
N_STATES = ("2", "5", "10")


def beside_readings(frame, id, classifiers):
    """Errors of both representations in all readings of a table, and the paper's."""
    chosen = frame[frame["method"].isin(READINGS) & frame["metric"].isin(classifiers)]
    cells = summarize(chosen)
    values = zip(cells["mean"], cells["std"], strict=True)
    cells["text"] = [format_mean_std(mean, std, digits=1) for mean, std in values]
    ours = cells.pivot(index=["metric", "setting"], columns="method", values="text")
    names = [(label.split(",")[0], reading) for label, reading in READINGS.items()]
    ours = ours.reindex(columns=[*READINGS]).set_axis(pd.MultiIndex.from_tuples(names), axis=1)
    paper = read_paper(id).query("method != 'likelihood'")
    paper = paper.pivot(index=["metric", "setting"], columns="method", values="printed")
    ours["Fisher", "paper"], ours["FKL as printed", "paper"] = paper["Fisher"], paper["FKL"]
    order = [(metric, k) for metric in classifiers for k in N_STATES]
    return ours.reindex([row for row in order if row in ours.index])[["Fisher", "FKL as printed"]]
