"""Why regions fail on texts: what the directions of their words are fitted to."""

import numpy as np
import pandas as pd
from sklearn.decomposition import TruncatedSVD
from sklearn.feature_extraction.text import TfidfTransformer
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from ofer import FullConformalRegressor, JackknifePlus
from ofer.kernels import median_gamma
from reproduction.methods.squared_error_ridge import squared_error_ridge
from reproduction.studies.second_volume.regions.coverage import PARAMETERS, take_split

__all__ = ["held_by_directions"]


def inputs_by_directions(texts, split):
    """Inputs of training texts and of queries, by what the directions are fitted to."""
    data = take_split(texts, split)
    n = len(data.Y)
    rng = np.random.default_rng([PARAMETERS["random_state"], split])
    order = rng.permutation(len(texts.Y))[: n + len(data.Y_test)]
    directions = TruncatedSVD(PARAMETERS["n_text_directions"], random_state=0)
    steps = make_pipeline(TfidfTransformer(sublinear_tf=True), directions, StandardScaler())
    both = steps.fit_transform(texts.X[order])
    return {
        "training texts": (data.X, data.X_test),
        "with the queries": (both[:n], both[n:]),
    }


def held_by_directions(texts, n_splits):
    """Shares of outputs in 90 % regions, and lengths of inputs: means over the splits."""
    by_split = {}
    for split in range(n_splits):
        data = take_split(texts, split)
        for name, (known, asked) in inputs_by_directions(texts, split).items():
            # half the median width, which most of the stored splits choose
            ridge = squared_error_ridge(kernel="rbf", gamma=4 * median_gamma(known))
            full = FullConformalRegressor(ridge, shape="ellipsoid").fit(known, data.Y)
            ellipsoids = JackknifePlus(ridge, shape="ellipsoid").fit(known, data.Y)
            measured = {
                "full conformal": full.contains(asked, data.Y_test).mean(),
                "jackknife+, ellipsoid": ellipsoids.contains(asked, data.Y_test).mean(),
                "length, training": np.linalg.norm(known, axis=1).mean(),
                "length, query": np.linalg.norm(asked, axis=1).mean(),
            }
            by_split.setdefault(name, []).append(measured)
    return pd.DataFrame({name: pd.DataFrame(found).mean() for name, found in by_split.items()})
