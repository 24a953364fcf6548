"""Ridge regression of indicators with weak labels: learnt as they are, or as latent classes."""

import warnings

import numpy as np
from sklearn.exceptions import ConvergenceWarning

from ofer import KernelSystem, SemanticClassifier
from reproduction.papers.ofer.ridge import squared_error_ridge

__all__ = ["PARAMETERS", "RIDGES", "fit_latent", "self_training"]

PARAMETERS = {
    "alphas": np.logspace(-2, 2, 9).tolist(),
    "alpha_for_one": 1.0,
    "weak_weights": [0.1, 0.3, 1.0],
    "max_iter": 10,
}


def fit_latent(task, still_open, weak="latent", *, places=None, **options):
    """Fit a classifier with latent classes.

    Parameters
    ----------
    task : Task
        As from `reproduction.papers.ofer.images.tasks.take`.
    still_open : ndarray of bool of shape (n_weak, n_classes)
        Candidates of weak images, of which there may be fewer than in the task.
    weak : str, default="latent"
        As in `SemanticClassifier`.
    places : ndarray of shape (n_classes, p), default=None
        Vectors of the classes; None is their indicators.
    **options
        `max_iter` of the classifier, and `noise_weak` of its fit.

    Returns
    -------
    SemanticClassifier
    """
    places = np.eye(still_open.shape[1]) if places is None else places
    max_iter = options.pop("max_iter", PARAMETERS["max_iter"])
    ridge = squared_error_ridge()
    model = SemanticClassifier(ridge, places, weak=weak, max_iter=max_iter)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)  # the number of rounds is a choice
        return model.fit(
            task.X,
            task.y,
            X_weak=task.X_weak[: len(still_open)],
            candidates_weak=still_open,
            weak_weight=PARAMETERS["weak_weights"],
            **options,
        )


def self_training(task, n_classes, n_rounds):
    """Scores of test images after rounds of learning the guessed classes of all weak ones.

    Parameters
    ----------
    task : Task
        As from `reproduction.papers.ofer.images.tasks.take`.
    n_classes : int
        How many.
    n_rounds : int
        How often the classes of unlabelled images are guessed; 0 is the one-hot ridge.

    Returns
    -------
    ndarray of shape (n_test, n_classes)
    """
    n, indicators = len(task.y), np.eye(n_classes)
    system, targets = KernelSystem.from_features(task.X), indicators[task.y]
    grid = PARAMETERS["alphas"] if task.per_class > 1 else [PARAMETERS["alpha_for_one"]]
    alpha, _ = _best_ridge(system, targets, n, grid)
    solution = system.solve(targets, alpha)
    inputs = np.vstack([task.X, task.X_weak])
    guessed, chosen = None, None
    for _ in range(n_rounds):
        found = solution.predict(task.X_weak).argmax(axis=1)
        if guessed is not None and (found == guessed).all():
            break
        guessed, targets = found, np.vstack([indicators[task.y], indicators[found]])
        if chosen is None:  # weight and ridge after the first guess, as of latent classes
            for weight in PARAMETERS["weak_weights"]:
                weights = np.repeat([1.0, weight], [n, len(found)])
                system = KernelSystem.from_features(inputs, weights)
                alpha, error = _best_ridge(system, targets, n, grid)
                if chosen is None or error < chosen[0]:
                    chosen = error, system, alpha
        solution = chosen[1].solve(targets, chosen[2])
    return solution.predict(task.X_test)


def _best_ridge(system, targets, n, grid):
    """Ridge of the least leave-one-out error of the first n samples, and that."""
    alphas = system.mean_eigenvalue * np.asarray(grid)
    errors = [np.square(part[:n]).mean() for part in system.loo_residuals(targets, alphas)]
    return alphas[np.argmin(errors)], min(errors)


def _of_model(weak="latent", **options):
    return lambda data, task, still_open: fit_latent(task, still_open, weak, **options).predict(
        task.X_test
    )


def _self_trained(n_rounds):
    return lambda data, task, still_open: self_training(task, len(data.vectors), n_rounds).argmax(
        axis=1
    )


# Each classifies the test part of a task, given the candidates of its weak images.
RIDGES = {
    "self-training, 1 round": _self_trained(1),
    "self-training": _self_trained(PARAMETERS["max_iter"]),
    "one-hot ridge, imputed": _of_model(max_iter=0),
    "latent": _of_model(),
    "latent, soft": _of_model("latent-soft"),
}
