"""The rule by which open classes are inferred, its safeguards taken away one by one."""

import numpy as np

from ofer.ridge.kernel_system import candidate_alphas
from ofer.semantic.open_classes import ALPHAS, LEAST_GAIN, N_SHUFFLES, infer_classes
from reproduction.studies.second_volume.open_classes.small import draw

__all__ = ["PARAMETERS", "WITHOUT", "evaluate", "infer"]

PARAMETERS = {"width_factors": [0.25, 0.5, 1.0, 2.0, 4.0]}
STARTS = "averaged", "restricted"
WITHOUT = {
    "gain": {},
    "averaged start alone": {"starts": STARTS[:1]},
    "restricted start alone": {"starts": STARTS[1:]},
    "no null gain": {"null": False},
    "gain of weak samples alone": {"by": "weak_gain"},
    "no safeguard": {"starts": STARTS[:1], "null": False, "by": "weak_gain"},
    "grid of widths": {"width_factors": PARAMETERS["width_factors"]},
    "grid of widths, gain of weak samples alone": {
        "width_factors": PARAMETERS["width_factors"],
        "by": "weak_gain",
    },
}


def infer(problem, *, starts=STARTS, null=True, by="gain", width_factors=(1.0,)):
    """Infer the classes as `SemanticClassifier` does, with or without its safeguards."""
    n, still_open = problem.n, problem.still_open[problem.n :]
    alone = problem.regressor().fit(problem.X[:n], problem.indicators[problem.y[:n]])
    scores = alone.predict(problem.X[n:])

    def inferred(system, alphas, still_open):
        options = problem.y[:n], still_open, scores, problem.indicators
        return [one for one in infer_classes(system, alphas, *options) if one.start in starts]

    candidates = []
    for factor in width_factors:
        scaled = problem._replace(gamma=factor * problem.gamma)
        system = scaled.system(slice(None))
        alphas = candidate_alphas(system, system.mean_eigenvalue * ALPHAS)
        candidates += [(one, scaled, system) for one in inferred(system, alphas, still_open)]
    best, scaled, system = max(candidates, key=lambda row: getattr(row[0], by))
    if null:
        rng = np.random.default_rng(0)
        shuffled = [still_open[rng.permutation(len(still_open))] for _ in range(N_SHUFFLES)]
        gains = [one.weak_gain for s in shuffled for one in inferred(system, [best.alpha], s)]
        if best.weak_gain <= LEAST_GAIN * max(0.0, *gains):
            return alone.predict(problem.X_test).argmax(axis=1), False
    solution = system.solve(best.targets, best.alpha)
    kernel = scaled.kernel(problem.X_test, slice(None))
    return solution.predict(kernel).argmax(axis=1), True


def evaluate(data, method, setting, split):
    """Accuracy of one form of the rule on one split."""
    name, _, shuffled = setting.partition(", ")
    problem = draw(data, name, split)
    if shuffled:
        still_open, n = problem.still_open.copy(), problem.n
        still_open[n:] = still_open[
            n + np.random.default_rng(split).permutation(len(still_open) - n)
        ]
        problem = problem._replace(still_open=still_open)
    classes, used = infer(problem, **WITHOUT[method])
    return {"accuracy": 100.0 * np.mean(classes == problem.y_test), "used": float(used)}
