"""Features of scenes: their form is chosen inside each training part."""

import numpy as np
from sklearn.decomposition import PCA
from sklearn.model_selection import cross_val_score
from sklearn.neighbors import KNeighborsClassifier
from sklearn.preprocessing import normalize

from reproduction.studies.second_volume.local_predictors.baselines.labelled_only import LabelledOnly
from reproduction.studies.second_volume.local_predictors.labelled_folds import LabelledKFold

__all__ = ["PARAMETERS", "choose_form", "forms_of"]

PARAMETERS = {"n_components": [100, 400], "n_neighbors": 5, "n_folds": 2}


def forms_of(X, seen):
    """Forms that positive features can be given, fitted to the inputs of a training part."""
    leading = PCA(max(PARAMETERS["n_components"]), svd_solver="covariance_eigh").fit(X[seen])
    components = leading.transform(X)
    forms = {"as they are": X, "centred": normalize(X - leading.mean_)}
    return forms | {
        f"{count} components": normalize(components[:, :count])
        for count in PARAMETERS["n_components"]
    }


def choose_form(X, seen, y, *, seed, forms=None):
    """The form in which labelled training samples are the best neighbours of each other."""
    forms = forms_of(X, seen) if forms is None else forms
    neighbours = KNeighborsClassifier(PARAMETERS["n_neighbors"], weights="distance")
    folds = LabelledKFold(PARAMETERS["n_folds"], random_state=seed)
    scores = {
        name: np.mean(cross_val_score(LabelledOnly(neighbours), form[seen], y, cv=folds))
        for name, form in forms.items()
    }
    best = max(scores, key=scores.get)
    return best, forms[best]
