"""Ridge regression of indicators of classes, of which weak labels leave some open.

Each method takes a problem and returns predicted classes of its test samples. All ridge parameters
are on one grid, and all but that of `gain` are chosen by the squared leave-one-out error.
"""

import warnings
from functools import partial

import numpy as np

from ofer import Candidates, SemanticClassifier
from ofer.embeddings import project_simplex
from ofer.semantic.open_classes import ALPHAS, infer_classes

__all__ = ["ON_PATH", "PARAMETERS", "RIDGES", "Ridge", "within"]

PARAMETERS = {"alphas": ALPHAS.tolist(), "max_iter": 10}


class Ridge:
    """Ridge regression on some samples of a problem, for any targets."""

    def __init__(self, problem, rows=slice(None)):
        self.problem, self.rows, self.system = problem, rows, problem.system(rows)
        self.alphas = self.system.mean_eigenvalue * ALPHAS

    def fit(self, targets):
        """Learn targets with the ridge parameter of the least leave-one-out error."""
        left_out = list(self.system.loo_residuals(targets, self.alphas))
        best = int(np.argmin([np.square(missed).sum() for missed in left_out]))
        self.left_out = targets - left_out[best]
        self.solution = self.system.solve(targets, self.alphas[best])
        return self

    def predict(self, inputs):
        """Scores of the classes for inputs."""
        return self.solution.predict(self.problem.kernel(inputs, self.rows))

    def test(self):
        """Classes of the test samples."""
        return self.predict(self.problem.X_test).argmax(axis=1)


def within(still_open, scores):
    """Best open class of each sample."""
    return np.where(still_open, scores, -np.inf).argmax(axis=1)


def labelled_only(problem):
    """Learn the labelled samples alone."""
    return _of_labelled(problem).test()


def averaged(problem):
    """Learn the mean over the open classes."""
    return Ridge(problem).fit(problem.averaged).test()


def restrict_and_refit(problem):
    """Give weak samples the open class that the labelled ones make best, and learn all."""
    return Ridge(problem).fit(problem.indicators[_restricted(problem)]).test()


def self_training(problem, still_open=None, start="restricted"):
    """Learn, give weak samples the best open class by the fit, and so on until nothing changes."""
    still_open = problem.still_open if still_open is None else still_open
    ridge, classes = Ridge(problem), None
    if start == "restricted":
        classes = _restricted(problem, still_open)
    for _ in range(PARAMETERS["max_iter"]):
        ridge.fit(problem.averaged if classes is None else problem.indicators[classes])
        inferred = within(still_open, ridge.predict(problem.X))
        if np.array_equal(inferred, classes):
            break
        classes = inferred
    return ridge.test()


def without_weak_labels(problem):
    """Self-training that is told nothing of the weak samples."""
    still_open = problem.still_open.copy()
    still_open[problem.n :] = True
    return self_training(problem, still_open)


def exact_alone(problem):
    """Learn the labelled samples, and the weak ones of which one class is open."""
    rows = np.flatnonzero(problem.still_open.sum(axis=1) == 1)
    return Ridge(problem, rows).fit(problem.averaged[rows]).test()


def gain(problem):
    """Infer the classes, the highest gain chooses; this is the package's own."""
    n, places = problem.n, problem.indicators
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # of weak samples that are not used, and
        # of few labelled samples for many classes
        model = SemanticClassifier(problem.regressor(), places).fit(
            problem.X[:n],
            problem.y[:n],
            weak=Candidates(problem.X[n:], problem.still_open[n:]),
        )
    return model.predict(problem.X_test)


def all_known(problem):
    """Learn the true classes of all samples."""
    return Ridge(problem).fit(problem.indicators[problem.y]).test()


# Other choices among what `gain` chooses from: its ridge parameters and starts.


def best_row(problem):
    """Choose by the test samples: no method, but a bound for all choices."""
    rows = [predicted for _, predicted in _path(problem)]
    return max(rows, key=lambda predicted: np.mean(predicted == problem.y_test))


def by_covering_rate(problem):
    """Choose by the share of weak samples whose left-out prediction is an open class."""
    open_weak = problem.still_open[problem.n :]

    def covered(scores):
        return open_weak[np.arange(len(scores)), scores.argmax(axis=1)].mean()

    return max(_path(problem), key=lambda row: covered(row[0]))[1]


def by_approximated_accuracy(problem):
    """Choose by the probability of the left-out prediction, given that an open class is true."""
    open_weak = problem.still_open[problem.n :]

    def approximated(scores):
        # Predictions of indicators are probabilities, once projected on the simplex.
        shares = project_simplex(scores) * open_weak
        chosen = shares[np.arange(len(scores)), scores.argmax(axis=1)]
        return np.mean(chosen / np.maximum(shares.sum(axis=1), 1e-12))

    return max(_path(problem), key=lambda row: approximated(row[0]))[1]


def _path(problem):
    """Left-out scores of the weak samples and classes of the test samples, row by row."""
    n, system = problem.n, problem.system(slice(None))
    alone = problem.indicators[_restricted(problem)[n:]] if n else None
    queries = problem.kernel(problem.X_test, slice(None))
    alphas = system.mean_eigenvalue * ALPHAS
    known, still_open = problem.y[:n], problem.still_open[n:]
    for inference in infer_classes(system, alphas, known, still_open, alone, problem.indicators):
        (left_out,) = system.path(inference.targets, [inference.alpha])
        solution = system.solve(inference.targets, inference.alpha)
        yield left_out[n:], solution.predict(queries).argmax(axis=1)


def _of_labelled(problem):
    rows = slice(problem.n)
    return Ridge(problem, rows).fit(problem.averaged[rows])


def _restricted(problem, still_open=None):
    """Best open class by the labelled samples; where there are none, by the averaged fit."""
    still_open = problem.still_open if still_open is None else still_open
    ridge = _of_labelled(problem) if problem.n else Ridge(problem).fit(problem.averaged)
    return within(still_open, ridge.predict(problem.X))


RIDGES = {
    "labelled only": labelled_only,
    "averaged": averaged,
    "restrict and refit": restrict_and_refit,
    "self-training, averaged": partial(self_training, start="averaged"),
    "self-training, restricted": self_training,
    "self-training, no weak label": without_weak_labels,
    "exact labels alone": exact_alone,
    "gain": gain,
    "best parameter (oracle)": best_row,
    "all known": all_known,
}
ON_PATH = {
    "chosen by covering rate": by_covering_rate,
    "chosen by approximated accuracy": by_approximated_accuracy,
}
