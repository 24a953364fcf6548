"""What local predictors have to beat: simple methods, each with its parameters chosen fairly."""

import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV
from sklearn.neighbors import KNeighborsClassifier
from sklearn.semi_supervised import LabelSpreading, SelfTrainingClassifier
from sklearn.svm import LinearSVC

from ofer.companions.local_structured.estimator import make_space
from reproduction.studies.second_volume.local_predictors.baselines.labelled_only import LabelledOnly
from reproduction.studies.second_volume.local_predictors.baselines.laplacian_ridge import (
    LaplacianRidgeClassifier,
)
from reproduction.studies.second_volume.local_predictors.baselines.laplacian_svm import (
    LaplacianStructuredSVM,
)
from reproduction.studies.second_volume.local_predictors.baselines.majority import MajorityPredictor
from reproduction.studies.second_volume.local_predictors.baselines.perceptron import (
    StructuredPerceptron,
)
from reproduction.studies.second_volume.local_predictors.labelled_folds import LabelledKFold

__all__ = ["semi_supervised_baselines"]


def semi_supervised_baselines(outputs="multiclass", *, n_splits=5, random_state=None):
    """Simple methods that take unlabelled samples, or leave them out, by name.

    Parameters that matter are chosen by cross-validation on the labelled samples, with the
    unlabelled ones in every training part (`LabelledKFold`), so that no test label has a say.
    """

    def tuned(estimator, **grid):
        folds = LabelledKFold(n_splits, random_state=random_state)
        return GridSearchCV(estimator, grid, cv=folds, error_score="raise")

    majority = MajorityPredictor(outputs)
    perceptron = StructuredPerceptron(outputs, random_state=random_state)
    weights = {"alpha": [1e-4, 1e-3, 1e-2], "smoothness": [0.1, 1.0, 10.0]}
    margins = tuned(LaplacianStructuredSVM(outputs), **weights)
    if make_space(outputs).sequential:
        return {
            "majority": majority,
            "structured perceptron": perceptron,
            "Laplacian SVM": margins,
        }
    scales = np.logspace(-2, 3, 6).tolist()
    return {
        "majority": majority,
        "linear SVM": tuned(
            LabelledOnly(LinearSVC(dual="auto", random_state=random_state)), estimator__C=scales
        ),
        "k-NN": tuned(
            LabelledOnly(KNeighborsClassifier(weights="distance")),
            estimator__n_neighbors=[1, 2, 5, 10, 20],
        ),
        "self-training": tuned(
            SelfTrainingClassifier(LogisticRegression(max_iter=1000)),
            estimator__C=scales[2:],
            threshold=[0.75, 0.9],
        ),
        "label spreading": tuned(
            LabelSpreading(kernel="knn", max_iter=1000),
            n_neighbors=[5, 10, 20],
            alpha=[0.2, 0.8],
        ),
        "structured perceptron": perceptron,
        "Laplacian ridge": tuned(LaplacianRidgeClassifier(outputs), **weights),
        "Laplacian SVM": margins,
    }
