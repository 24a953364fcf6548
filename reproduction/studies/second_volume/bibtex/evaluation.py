"""Table of the sketched IOKR papers: tags of bibliographic entries."""

import time
import warnings
from functools import partial

import numpy as np
from scipy.linalg import cho_factor, cho_solve
from sklearn.kernel_approximation import RBFSampler
from sklearn.metrics import f1_score
from sklearn.metrics.pairwise import rbf_kernel
from sklearn.preprocessing import StandardScaler, normalize
from sklearn.utils import Bunch

from ofer import (
    GaussianMixtureEmbedding,
    InputOutputKernelRegressor,
    KernelRidgeCV,
    NystroemRidgeCV,
    OutputFisherRegressor,
    TunedThresholdMultilabelClassifier,
)
from ofer.embeddings import CollapsedComponentWarning
from reproduction.datasets.texts.bibtex import fetch_bibtex
from reproduction.methods.squared_error_ridge import squared_error_ridge
from reproduction.studies.second_volume.bibtex.output_sketches import ProjectedOutputs

__all__ = [
    "EXACT",
    "GAMMA_X",
    "METHODS",
    "PARAMETERS",
    "SKETCHED",
    "evaluate",
    "fit_ridge",
    "load_parts",
    "scores_by_example",
    "training_part",
]

# Widths and ridges are those that the authors' programs state, found by them in five folds.
PARAMETERS = {
    "variance_x": 1e4,
    "IOKR": {"ridge": 1e-5, "variance_y": 1.0},
    "SIOKR": {"ridge": 1e-6, "variance_y": 1e7},
    "ISOKR": {"ridge": 1e-5, "variance_y": 1e6},
    "SISOKR": {"ridge": 1e-5, "variance_y": 1e4},
    "n_centres": 2250,
    "n_output_features": 200,
    "n_nonzero": 20,
    "inputs": ["binary", "standardised", "unit length"],
    "gamma_of_unit_length": 0.5,
    "n_components": [2, 8],
}
GAMMA_X = 1.0 / (2.0 * PARAMETERS["variance_x"])


def load_parts():
    """Training and test part, with their inputs in three forms."""
    entries = fetch_bibtex()
    X, is_test = entries.words.toarray(), entries.is_test
    scaler, Y = StandardScaler().fit(X[~is_test]), entries.tags[~is_test]
    parts = {
        name: {
            "binary": X[rows],
            "standardised": scaler.transform(X[rows]),
            "unit length": normalize(X[rows]),
        }
        for name, rows in (("train", ~is_test), ("test", is_test))
    }
    _, first = np.unique(Y, axis=0, return_index=True)
    outputs = {"Y": Y, "candidates": Y[np.sort(first)]}
    return Bunch(**parts, outputs=outputs, Y_test=entries.tags[is_test])


def evaluate(data, method, setting, split):
    """F1 by example of one method, in per cent, and the processor seconds that it takes."""
    start = time.process_time()
    predict = METHODS[method](training_part(data), split)
    fitted = time.process_time()
    predicted = predict(data.test)
    done = time.process_time()
    each = scores_by_example(predicted, data.Y_test)
    options = {"average": "samples", "zero_division": 0.0}
    return {
        "f1": 100.0 * f1_score(data.Y_test, predicted, **options),
        "se": 100.0 * float(each.std() / np.sqrt(len(each))),
        "fit_s": fitted - start,
        "predict_s": done - fitted,
    }


def training_part(data):
    """What a method is given: the training entries, of which `X` is the standardised form."""
    return Bunch(X=data.train["standardised"], inputs=data.train, **data.outputs)


def scores_by_example(predicted, Y):
    """F1 of each entry."""
    return 2.0 * (predicted * Y).sum(axis=1) / (predicted + Y).sum(axis=1)


def _widths(name, n):
    """Ridge of the sum of squared errors, and width parameter of the output kernel."""
    chosen = PARAMETERS[name]
    return n * chosen["ridge"], 1.0 / (2.0 * chosen["variance_y"])


def _ridge(alpha, seed):
    """Ridge regression on kernel values with some training inputs: the input sketch."""
    return NystroemRidgeCV(
        [alpha],
        gamma=GAMMA_X,
        n_components=PARAMETERS["n_centres"],
        selection="gcv",
        fit_intercept=False,
        random_state=seed,
    )


def _iokr(data, seed):
    alpha, gamma = _widths("IOKR", len(data.X))
    options = {"gamma": GAMMA_X, "output_gamma": gamma, "fit_intercept": False}
    model = InputOutputKernelRegressor([alpha], kernel="rbf", **options)
    model.fit(data.X, data.Y)
    return lambda test: model.predict(test["standardised"])


def _iokr_plainly(data, seed):
    """One solve, one product: the authors' algorithm."""
    alpha, gamma = _widths("IOKR", len(data.X))
    K = rbf_kernel(data.X, gamma=GAMMA_X)
    K[np.diag_indices_from(K)] += alpha
    right = rbf_kernel(data.Y, data.candidates, gamma=gamma)
    solved = cho_solve(cho_factor(K, overwrite_a=True), right, overwrite_b=True)

    def predict(test):
        scores = rbf_kernel(test["standardised"], data.X, gamma=GAMMA_X) @ solved
        return data.candidates[scores.argmax(axis=1)]

    return predict


def _siokr(data, seed):
    """The input sketched: the scores of the candidates are regressed."""
    alpha, gamma = _widths("SIOKR", len(data.X))
    model = _ridge(alpha, seed).fit(data.X, rbf_kernel(data.Y, data.candidates, gamma=gamma))
    return lambda test: data.candidates[model.predict(test["standardised"]).argmax(axis=1)]


def _nearest(model, features, data):
    """Decode predicted features: the candidate with the largest product."""
    right = features.transform(data.candidates).T

    def predict(test):
        scores = model.predict(test["standardised"]) @ right
        return data.candidates[scores.argmax(axis=1)]

    return predict


def _projected(name, n_nonzero, seed):
    gamma, n = _widths(name, 1)[1], PARAMETERS["n_output_features"]
    return ProjectedOutputs(gamma, n, n_nonzero, random_state=seed)


def _isokr(data, seed):
    """The output sketched."""
    alpha, _ = _widths("ISOKR", len(data.X))
    features = _projected("ISOKR", PARAMETERS["n_nonzero"], seed)
    options = {"kernel": "rbf", "gamma": GAMMA_X, "fit_intercept": False}
    model = KernelRidgeCV([alpha], alpha_per_target=True, **options)  # the same for all
    return _nearest(model.fit(data.X, features.fit_transform(data.Y)), features, data)


def _sisokr(data, seed, n_nonzero=PARAMETERS["n_nonzero"]):
    """Both sketched."""
    alpha, _ = _widths("SISOKR", len(data.X))
    features = _projected("SISOKR", n_nonzero, seed)
    return _nearest(_ridge(alpha, seed).fit(data.X, features.fit_transform(data.Y)), features, data)


def _sisokr_plainly(data, seed):
    """The same by one solve and one product."""
    alpha, _ = _widths("SISOKR", len(data.X))
    features = _projected("SISOKR", PARAMETERS["n_nonzero"], seed)
    H = features.fit_transform(data.Y)
    rows = np.random.RandomState(seed).permutation(len(data.X))[: PARAMETERS["n_centres"]]
    centres = data.X[rows]
    K = rbf_kernel(data.X, centres, gamma=GAMMA_X)
    system = K.T @ K + alpha * K[rows]
    system[np.diag_indices_from(system)] += 1e-8  # as the authors: some inputs are equal
    solved = np.linalg.solve(system, K.T @ H) @ features.transform(data.candidates).T

    def predict(test):
        scores = rbf_kernel(test["standardised"], centres, gamma=GAMMA_X) @ solved
        return data.candidates[scores.argmax(axis=1)]

    return predict


def _sisokr_random_features(data, seed):
    """Random Fourier features of the outputs, in the place of a sketch, with IOKR's width."""
    alpha, gamma = _widths("IOKR", len(data.X))
    features = RBFSampler(gamma=gamma, n_components=2000, random_state=seed)
    return _nearest(_ridge(alpha, seed).fit(data.X, features.fit_transform(data.Y)), features, data)


def fit_ridge(data, at_least_one):
    """Ridge with a threshold; the form of the inputs by the F1 of the leave-one-out predictions."""
    fitted = []
    for form in PARAMETERS["inputs"]:
        model = _thresholded(squared_error_ridge(), at_least_one).fit(data.inputs[form], data.Y)
        fitted.append((model.best_score_, form, model))
    return max(fitted, key=lambda candidate: candidate[0])[1:]


def _ridge_threshold(data, seed, at_least_one):
    form, model = fit_ridge(data, at_least_one)
    return lambda test: model.predict(test[form])


def _sketched_ridge_threshold(data, seed):
    ridge = NystroemRidgeCV(
        gamma=PARAMETERS["gamma_of_unit_length"],
        n_components=PARAMETERS["n_centres"],
        selection="loo",
        random_state=seed,
    )
    model = _thresholded(ridge, True).fit(data.inputs["unit length"], data.Y)
    return lambda test: model.predict(test["unit length"])


def _ofer_threshold(data, seed):
    """Number of components by the F1 of the leave-one-out predictions."""
    fitted = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", CollapsedComponentWarning)  # many entries have equal tags
        for n in PARAMETERS["n_components"]:
            mixture = GaussianMixtureEmbedding(n, covariance_type="spherical", random_state=seed)
            model = _thresholded(
                OutputFisherRegressor(mixture, squared_error_ridge(), block_wise=True), True
            )
            fitted.append(model.fit(data.inputs["unit length"], data.Y))
    model = max(fitted, key=lambda model: model.best_score_)
    return lambda test: model.predict(test["unit length"])


def _thresholded(regressor, at_least_one):
    return TunedThresholdMultilabelClassifier(regressor, at_least_one=at_least_one)


EXACT = {
    "IOKR": _iokr,
    "IOKR, one solve": _iokr_plainly,
    "ridge, threshold": partial(_ridge_threshold, at_least_one=False),
    "ridge, threshold, one tag": partial(_ridge_threshold, at_least_one=True),
    "OFER, threshold, one tag": _ofer_threshold,
}
SKETCHED = {
    "SIOKR": _siokr,
    "ISOKR": _isokr,
    "SISOKR": _sisokr,
    "SISOKR, one solve": _sisokr_plainly,
    "SISOKR, sub-Gaussian": partial(_sisokr, n_nonzero=None),
    "SISOKR, random features": _sisokr_random_features,
    "sketched ridge, threshold, one tag": _sketched_ridge_threshold,
}
METHODS = EXACT | SKETCHED
