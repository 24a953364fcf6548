"""Outputs of least cost, for all queries and starts at once."""

import numpy as np

from ofer.ascent import ascend

FLAT = 1e-10  # slopes and curvatures below this fraction of a cost are roundoff
PROBE = 1e-3  # length of the step that measures curvature, in units of the bandwidth


def evaluate(outputs, cost, points, rows):
    """Costs (m,) of scaled outputs (m, d_y) for these queries, and their gradients (m, d_y)."""
    k = outputs.kernel(points)
    values, slopes = cost(k, rows)
    slopes *= k
    return values, outputs.pull(slopes, points)


def descend(outputs, cost, starts, bounds, *, max_iter, tol=1e-9):
    """The best of the local minima reached from several starts, query by query: (n_queries, d_y).

    ``cost(k, rows)`` takes kernel values (m, N) with the training `outputs`, ScaledPoints, and the
    queries of these rows, and returns costs (m,) and their derivatives along the kernel values
    (m, N). The starts (n_starts, n_queries, d_y) and what is returned are in the box whose ends
    (d_y,) are the `bounds`. After its start a row's cost is evaluated `max_iter` times at most. A
    row has arrived when its next step promises no more than `tol`, in units in which a step
    promises about the square of its length in bandwidths.
    """
    n_starts, n_queries, d = starts.shape
    box = tuple(outputs.scale(end) for end in bounds)
    points = np.clip(outputs.scale(starts.reshape(-1, d)), *box)
    queries = np.tile(np.arange(n_queries), n_starts)
    first = evaluate(outputs, cost, points, queries)
    scales = _scales(outputs, cost, points, queries, box, *first)

    def scaled(costs, rows):
        values, gradients = costs
        return -values / scales[rows], -gradients / scales[rows, None]

    def objective(trials, rows):
        return scaled(evaluate(outputs, cost, trials, queries[rows]), rows)

    first = scaled(first, slice(None))
    points = ascend(objective, points, max_iter=max_iter, tol=tol, bounds=box, first=first)
    if n_starts > 1:
        values = evaluate(outputs, cost, points, queries)[0].reshape(n_starts, n_queries)
        points = points.reshape(starts.shape)[values.argmin(axis=0), np.arange(n_queries)]
    # Scaling back and forth may round to the other side of a face.
    return np.clip(outputs.unscale(points), *bounds)


def _scales(outputs, cost, points, queries, box, values, gradients):
    """Divisors that make the first step of each row right: a Newton step, if it is not long."""
    lengths = np.linalg.norm(gradients, axis=1)
    units = gradients / np.where(lengths > 0, lengths, 1.0)[:, None]
    probes = np.clip(points - PROBE * units, *box)
    changes = evaluate(outputs, cost, probes, queries)[1] - gradients
    curvatures = np.einsum("ij,ij->i", changes, probes - points) / PROBE**2
    # Where a cost is flat but for roundoff there is nowhere to go: let steps promise nothing.
    scales = np.maximum(np.maximum(curvatures / 2.0, lengths), FLAT * np.abs(values))
    return np.where(scales > 0, scales, 1.0)
