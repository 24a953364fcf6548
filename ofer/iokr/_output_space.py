"""Pre-images in the feature space of an output kernel."""

from functools import partial

import numpy as np
from sklearn.utils import gen_batches

from ofer.ascent import ascend
from ofer.kernels._distances import GaussianCentres
from ofer.utils.sklearn_private import safe_indexing
from ofer.utils.validation import as_numbers
from ofer.utils.warning import warn


def check_candidates(candidates, output_kernel, outputs):
    """Candidates of the kind of the training outputs, checked."""
    if output_kernel == "precomputed":
        raise ValueError("candidates must be None when output_kernel='precomputed'.")
    if callable(output_kernel):
        if len(candidates) == 0:
            raise ValueError("candidates must hold at least one output; got none.")
        return candidates
    candidates = as_numbers("candidates", candidates, ensure_2d=outputs.ndim > 1)
    if candidates.shape[1:] != outputs.shape[1:]:
        raise ValueError(
            f"candidates must have the training outputs' shape (n, {outputs.shape[1:]}); "
            f"got {candidates.shape}."
        )
    return candidates


def check_preimage(preimage, output_kernel, candidates=None):
    """Raise ValueError unless the output kernel has such pre-images, and they take candidates."""
    if candidates is not None and preimage != "candidates":
        raise ValueError(
            f"candidates must be None unless preimage='candidates'; got preimage={preimage!r}."
        )
    if preimage == "gradient" and output_kernel not in ("rbf", "linear"):
        raise ValueError(
            "preimage must be 'candidates' unless output_kernel is 'rbf' or 'linear'; "
            f"got output_kernel={output_kernel!r}."
        )


def check_output_gram(y):
    """Raise ValueError unless an array is a symmetric matrix."""
    if y.shape != (len(y), len(y)) or not np.allclose(y, y.T, atol=1e-10 * np.abs(y).max()):
        raise ValueError(
            "y must be a symmetric Gram matrix when output_kernel='precomputed'; "
            f"got shape {y.shape}."
        )


def warn_if_indefinite(gram):
    """Warn unless an output kernel's matrix is positive semi-definite, up to roundoff."""
    values = np.linalg.eigvalsh(gram)
    if values[0] < -1e-8 * np.abs(values).max():
        warn(
            f"output_kernel is not positive semi-definite (smallest eigenvalue {values[0]:.3g}, "
            f"largest {values[-1]:.3g}): squared leave-one-out errors may be negative, and the "
            "ridge chosen by them poor. Use a positive semi-definite kernel, or give one ridge "
            "in alphas, chosen by the error of predictions.",
        )


def self_similarities(kernel, candidates):
    """Values ``kernel(c, c)`` of each candidate, from a function that returns whole matrices."""
    # Small batches balance wasted entries and the cost of a call.
    batches = [
        safe_indexing(candidates, np.arange(batch.start, batch.stop))
        for batch in gen_batches(len(candidates), 32)
    ]
    return np.concatenate([np.diag(kernel(C, C)) for C in batches])


def nearest(weights, gram, squared_norms):
    """Index (n_queries,) of the candidate nearest to each expansion, in the feature space.

    The expansions have the coefficients `weights` (n_queries, n_samples); `gram` (n_samples,
    n_candidates) is the output kernel between samples and candidates, and `squared_norms`
    (n_candidates,) that of each candidate with itself.
    """
    return (squared_norms - 2.0 * weights @ gram).argmin(axis=1)


def climb(weights, Y, starts, gamma):
    """Vectors that maximise expansions of Gaussians, a local maximum from each start.

    The Gaussians ``exp(-gamma * squared_distance)`` have their centres at Y (n_samples, n_targets)
    and coefficients of any sign, `weights` (n_queries, n_samples). The result, of the shape
    (n_queries, n_targets) of the starts, is never worse than these.
    """
    # Tolerances mean the same everywhere in units of the width, around the median.
    unit, origin = 1.0 / np.sqrt(gamma), np.median(Y, axis=0)
    centres, starts = GaussianCentres((Y - origin) / unit, 1.0), (starts - origin) / unit
    # Weights are in units of what a start sees of them; no Gaussian curves more than 2.
    seen = (np.abs(weights) * centres.kernel(starts)).sum(axis=1, keepdims=True)
    weights = weights / np.where(seen > 0, seen, 1.0)
    return origin + unit * ascend(partial(gaussian_expansions, weights, centres), starts)


def gaussian_expansions(weights, centres, points, rows):
    r"""Values (m,) and gradients (m, n_targets) of :math:`\sum_i a_i \exp(-\|u - c_i\|^2)`.

    Each row of the weights (n_queries, n_samples) holds the coefficients :math:`a` of one
    expansion; all share the `centres` :math:`c_i`, which are `GaussianCentres`. `rows` (m,) says
    which to evaluate at each of the points :math:`u`.
    """
    terms = weights[rows] * centres.kernel(points)
    values = terms.sum(axis=1)
    return values, 2.0 * (terms @ centres.Z - values[:, None] * points)
