"""Speed of predictions by twin Gaussian processes, all queries together and one at a time.

The task is that of the paper's image reconstruction on scikit-learn's digits: 900 images without
their middle, whose 16 pixels are to be predicted. The loops are written for one query at a time:
scipy's L-BFGS-B from the same starts in the same box, with the same costs and gradients from the
same factors, by triangular solves; and, as the paper describes it, by inverses made beforehand,
which lose digits. All take turns in this process, so a machine's speed cancels; how
the attained objectives compare is noted. Then follows how the time of an evaluation grows
with the number of samples. Run it with an idle core:

    OMP_NUM_THREADS=1 python benchmarks/twin_gaussian_process.py
"""

from functools import partial

import numpy as np
from record import comparison, growth, run, significant
from scipy.linalg import cho_factor, cho_solve
from scipy.optimize import minimize
from sklearn.datasets import load_digits
from timing import growth_exponent, median_times

from ofer.companions import TwinGaussianProcess
from ofer.kernels import median_bandwidth

ALPHA = 0.3
RIDGES = {"ridge_x": 1e-3, "ridge_y": 1e-3}


def make_digits(n_train):
    """Images without their middle, and the middle, of shapes (n, 48) and (n, 16)."""
    images = load_digits().images / 8 - 1
    order = np.random.default_rng(0).permutation(len(images))
    middle = np.zeros((8, 8), dtype=bool)
    middle[2:6, 2:6] = True
    X, Y = images[order][:, ~middle], images[order][:, middle]
    return X[:n_train], Y[:n_train], X[n_train:]


def by_triangles(K):
    """Solver by a Cholesky factor."""
    return partial(cho_solve, cho_factor(K), check_finite=False)


def by_inverse(K):
    """Solver by an inverse, which loses more digits."""
    return partial(np.matmul, np.linalg.inv(K))


def kernel(rows, points, bandwidth):
    """Gaussian kernel of one point with many."""
    difference = rows - points
    return np.exp(-np.einsum("ij,ij->i", difference, difference) / (2 * bandwidth**2))


class OneAtATime:
    """Cost and gradient of one output; `factorise` turns a matrix into a function that solves."""

    def __init__(self, model, factorise):
        self.model = model
        sides = (model.X_fit_, model.bandwidth_x), (model.y_fit_, model.bandwidth_y)
        K_x, K_y = (
            np.array([kernel(rows, point, width) for point in rows])
            + model.ridge_x * np.eye(len(rows))
            for rows, width in sides
        )
        mixed = (1 - model.alpha) * K_x + model.alpha * K_y
        self.solve = [factorise(K) for K in (K_x, K_y, mixed)]

    def _along_output(self, slopes, k, y):
        weights = slopes * k
        Y, width = self.model.y_fit_, self.model.bandwidth_y
        return (weights @ Y - weights.sum() * y) / width**2

    def kl(self, y, u_x, eta_x):
        """Equations (5) and (6)."""
        k = kernel(self.model.y_fit_, y, self.model.bandwidth_y)
        u_y, prior = self.solve[1](k), 1 + self.model.ridge_x
        eta_y = prior - k @ u_y
        value = prior - 2 * k @ u_x - eta_x * np.log(eta_y)
        return value, self._along_output(2 * (eta_x / eta_y * u_y - u_x), k, y)

    def log(self, y, k_x):
        """The logarithm of (16)."""
        alpha, prior = self.model.alpha, 1 + self.model.ridge_x
        k = kernel(self.model.y_fit_, y, self.model.bandwidth_y)
        k_mixed = (1 - alpha) * k_x + alpha * k
        u, v = self.solve[1](k), self.solve[2](k_mixed)
        eta_y, eta_xy = prior - k @ u, prior - k_mixed @ v
        value = np.log(eta_xy) - alpha * np.log(eta_y)
        return value, self._along_output(2 * alpha * (u / eta_y - v / eta_xy), k, y)

    def predict(self, X):
        """Predictions by two searches each, and how many evaluations they take."""
        model, predictions, evaluations = self.model, [], 0
        box = list(zip(*model.bounds_, strict=True))
        options = {"jac": True, "method": "L-BFGS-B", "bounds": box}
        for x, start in zip(X, model.start_.predict(X), strict=True):
            k_x = kernel(model.X_fit_, x, model.bandwidth_x)
            u_x = self.solve[0](k_x)
            eta_x = 1 + model.ridge_x - k_x @ u_x
            start = np.clip(start, *model.bounds_)
            first = minimize(self.kl, start, args=(u_x, eta_x), options={"maxiter": 50}, **options)
            best = minimize(self.log, first.x, args=(k_x,), options={"maxiter": 50}, **options)
            predictions.append(best.x)
            evaluations += first.nfev + best.nfev
        return np.array(predictions), evaluations / len(X)


def compare_predictions(n_queries, n_looped, repetitions):
    """Yield the times of a query beside those of the loops, and how the objectives compare."""
    X, Y, queries = make_digits(900)
    queries = np.resize(queries, (n_queries, queries.shape[1]))
    if n_queries > 897:  # the digits are used up: move the repetitions a little
        queries[897:] += 0.05 * np.random.default_rng(1).normal(size=queries[897:].shape)
    model = TwinGaussianProcess(
        alpha=ALPHA,
        bandwidth_x=0.7 * median_bandwidth(X, random_state=0),
        bandwidth_y=0.7 * median_bandwidth(Y, random_state=0),
        **RIDGES,
    ).fit(X, Y)
    few = queries[:n_looped]
    loops = {
        "L-BFGS-B, one query at a time, triangular solves": OneAtATime(model, by_triangles),
        "L-BFGS-B, one query at a time, inverses": OneAtATime(model, by_inverse),
    }
    mine, *theirs = median_times(
        repetitions,
        lambda: model.predict(queries),
        *(lambda loop=loop: loop.predict(few) for loop in loops.values()),
    )
    mine /= n_queries
    ours = model.cost(few, model.predict(queries)[:n_looped])[0]
    case = f"`TwinGaussianProcess.predict`, one of {n_queries} queries, n = {len(X)}"
    for (name, loop), seconds in zip(loops.items(), theirs, strict=True):
        outputs, evaluations = loop.predict(few)
        values = model.cost(few, outputs)[0]
        note = (
            f"{evaluations:.0f} evaluations a query; mean objective {values.mean():.6f}, ours "
            f"{ours.mean():.6f}, larger by 1e-4 at {np.mean(ours > values + 1e-4):.0%}, smaller at "
            f"{np.mean(ours < values - 1e-4):.0%}"
        )
        more = {"note": note}
        yield comparison(case, name, mine, seconds / n_looped, repetitions, **more)


def compare_growth(sizes, repetitions):
    """Yield the exponents of n in the time of an evaluation for one query."""
    rng = np.random.default_rng(0)
    for objective in ("kl", "log", "quadratic", "cubic"):
        times = []
        for n in sizes:
            X, Y = rng.normal(size=(n, 8)), rng.normal(size=(n, 8))
            kind = {"alpha": 0} if objective == "kl" else {"alpha": ALPHA, "objective": objective}
            model = TwinGaussianProcess(**kind, bandwidth_x=3.0, bandwidth_y=3.0, **RIDGES)
            model.fit(X, Y)
            # Many outputs of one query: what a query costs once hardly counts.
            m = 4 if objective == "cubic" else 64
            arguments = np.tile(X[:1] + 0.1, (m, 1)), Y[:m] + 0.1
            (seconds,) = median_times(repetitions, partial(model.cost, *arguments))
            times.append(seconds / m)
        case = f"`TwinGaussianProcess.cost` of one query, {objective} objective, "
        case += f"number of samples {sizes[0]} to {sizes[-1]}"
        note = ", ".join(f"{significant(1e3 * seconds)} ms" for seconds in times)
        yield growth(case, growth_exponent(sizes, times), repetitions, note=note)


def measure(repetitions):
    """Yield the rows of all comparisons."""
    yield from compare_predictions(60, 60, repetitions)
    yield from compare_predictions(1000, 60, repetitions)
    yield from compare_growth((400, 800, 1600, 3200), repetitions)


if __name__ == "__main__":
    run(measure, __doc__, repetitions=3)
