"""Small real sets, raw and standardised, for what is asked of every estimator."""

from functools import partial

import numpy as np
from sklearn.datasets import (
    load_breast_cancer,
    load_diabetes,
    load_digits,
    load_iris,
    load_linnerud,
    load_wine,
)
from sklearn.feature_selection import VarianceThreshold
from sklearn.impute import SimpleImputer
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils import Bunch

from ofer.datasets import load_digits_reconstruction
from reproduction.datasets.images.poser import fetch_poser
from reproduction.datasets.images.usps import fetch_usps
from reproduction.datasets.tables.mtr import fetch_mtr
from reproduction.statistics.splits import random_split
from reproduction.studies.multi_target import benchmark

__all__ = ["FORMS", "LABELLED", "LOADERS", "load_real_sets", "squared_errors", "take_part"]

FORMS = ("raw", "standardised")


def load_real_sets(names):
    """Inputs and outputs of some sets; of classes, the indicators are the outputs."""
    return {name: LOADERS[name]() for name in names}


def _outputs(load, **options):
    """A set of outputs, one or several."""
    bunch = load(**options)
    return Bunch(X=bunch.data, Y=bunch.target.reshape(len(bunch.data), -1))


def _labels(load):
    """A set of classes."""
    bunch = load()
    indicators = np.eye(bunch.target.max() + 1)[bunch.target]
    return Bunch(X=bunch.data, Y=indicators, labels=bunch.target)


def _poses():
    poses = fetch_poser()
    return Bunch(X=np.vstack([poses.X, poses.X_test]), Y=np.vstack([poses.Y, poses.Y_test]))


LABELLED = {
    "iris": partial(_labels, load_iris),
    "wine": partial(_labels, load_wine),
    "cancer": partial(_labels, load_breast_cancer),
    "digits": partial(_labels, load_digits),
}
LOADERS = {
    **{name: partial(fetch_mtr, name) for name in benchmark.SETS},
    "diabetes": partial(_outputs, load_diabetes, scaled=False),
    "linnerud": partial(_outputs, load_linnerud),
    **LABELLED,
    "middles of digits": load_digits_reconstruction,
    "usps": fetch_usps,
    "poser": _poses,
}


def take_part(data, form, split, *, n_train, n_test=400, random_state=2026):
    """Training and test part: four fifths and the rest of a set, or fewer samples.

    Missing inputs become the training mean, and inputs that are constant in the training part are
    dropped. Outputs stay in their own units.
    """
    pool, test = random_split(len(data.X), split, train_fraction=0.8, random_state=random_state)
    train, test = pool[:n_train], test[:n_test]
    steps = [SimpleImputer(keep_empty_features=True), VarianceThreshold()]
    steps += [StandardScaler()] if form == "standardised" else []
    inputs = make_pipeline(*steps).fit(data.X[train])
    task = Bunch(
        X=inputs.transform(data.X[train]),
        Y=data.Y[train],
        X_test=inputs.transform(data.X[test]),
        Y_test=data.Y[test],
    )
    if "labels" in data:
        task |= {"labels": data.labels[train], "labels_test": data.labels[test]}
    return task


def squared_errors(task, predicted):
    """Squared errors of the targets relative to those of the training mean.

    One minus them is R2, but for the mean: that of the test outputs, of which a few may be equal.
    """
    missed = np.square(task.Y_test - predicted).sum(axis=0)
    trivial = np.square(task.Y_test - task.Y.mean(axis=0)).sum(axis=0)
    return missed[trivial > 0] / trivial[trivial > 0]
