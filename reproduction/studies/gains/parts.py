"""Gains over all tables, and the parts of each: intercept, imputation, embedding."""

import pandas as pd

from reproduction.statistics import percent_change

__all__ = ["beside_baseline", "parts_of_gains"]

BASELINE = "m-KRR centred"


def beside_baseline(stored, rows, label):
    """Errors of one method in each of several tables, under one label, and of the baseline there.

    ``stored`` has the results by id; a row has the name of the task, the id, the metric, the
    method, and the settings that are shown.
    """
    parts = []
    for name, id, metric, method, settings in rows:
        frame = stored[id].frame
        frame = frame[frame["metric"].eq(metric) & frame["setting"].isin(settings)]
        for source, target in ((method, label), (BASELINE, "baseline")):
            chosen = frame[frame["method"].eq(source)]
            tasks = f"{name} " + chosen["setting"]
            parts.append(chosen.assign(method=target, metric="error", setting=tasks))
    return pd.concat(parts)


def parts_of_gains(stored, rows):
    """Changes of the error in percent by each part of a gain, for each task and split.

    A row has the name of the task, the metric, the settings, the model, the number of weak samples
    and the ids of its tables.
    """
    parts = []
    for name, metric, settings, model, n_weak, ids in rows:
        frame = pd.concat([stored[id].frame for id in ids])
        frame = frame.drop_duplicates(["method", "setting", "split", "metric"])
        for setting in settings:
            task = name if setting == "calls" else f"{name} {setting}"
            for part, kind, old, new in _steps(model, n_weak):
                change = percent_change(frame, old, new, metric=metric, setting=setting)
                columns = {"part": part, "kind": kind, "task": task, "change": change}
                parts.append(pd.DataFrame(columns))
    return pd.concat(parts)


def _steps(model, n_weak):
    """Part, kind, and the two methods whose errors differ by it."""
    imputed, weak = f"m-KRR imputed+{n_weak}", f"wOFER+{n_weak}"
    yield "intercept", "labels alone", "m-KRR", BASELINE
    if n_weak:
        yield "imputation", "weak labels", BASELINE, imputed
        yield "embedding", "weak labels", imputed, weak
    yield "embedding", "labels alone", BASELINE, model
    if n_weak:
        yield "shuffled labels", "weak labels", model, f"{weak} shuffled"
