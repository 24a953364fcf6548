"""What shuffled weak labels cost."""

import warnings

import numpy as np
import pandas as pd

from ofer import Candidates, SemanticClassifier
from reproduction.studies.second_volume.open_classes.ridges import RIDGES

__all__ = ["measure_shuffled"]


def measure_shuffled(problems, shares):
    """Accuracy where a share of the weak labels is shuffled."""
    rows = []
    for number, problem in enumerate(problems):
        n, rng = problem.n, np.random.default_rng(number)
        order = n + rng.permutation(len(problem.X) - n)
        for share in shares:
            taken = order[: round(share * len(order))]
            still_open = problem.still_open.copy()
            still_open[taken] = still_open[rng.permutation(taken)]
            wrong = problem._replace(still_open=still_open)
            model = SemanticClassifier(problem.regressor())
            with warnings.catch_warnings(record=True) as warned:
                warnings.simplefilter("always")
                model.fit(
                    problem.X[:n], problem.y[:n],
                    weak=Candidates(problem.X[n:], still_open[n:]),
                )  # fmt: skip
            predicted = {
                name: RIDGES[name](wrong) for name in ("labelled only", "restrict and refit")
            }
            predicted["gain"] = model.predict(problem.X_test)
            row = {name: 100.0 * np.mean(k == problem.y_test) for name, k in predicted.items()}
            row["ignored"] = sum("do not agree" in str(one.message) for one in warned)
            rows.append({"share": share} | row)
    by_share = pd.DataFrame(rows).groupby("share")
    return by_share.mean().drop(columns="ignored"), by_share["ignored"].sum()
