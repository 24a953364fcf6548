"""Sharma-Mittal divergence between Gaussian distributions."""

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike
from scipy.linalg import cho_solve, eigh, lapack, solve_triangular

from ofer.utils.products import quiet
from ofer.utils.validation import (
    as_numbers,
    check_option,
    check_real,
)

NEAR_LIMIT = 1e-4  # closer than this to 0 or 1, differences of log-determinants lose digits


@quiet
def sharma_mittal_divergence(
    mean_p: ArrayLike,
    covariance_p: ArrayLike,
    mean_q: ArrayLike,
    covariance_q: ArrayLike,
    alpha: float,
    beta: float,
    *,
    form: str = "simplified",
) -> float:
    r"""Sharma-Mittal divergence between two Gaussian distributions.

    With the Chernoff coefficient :math:`I_\alpha(p : q) = \int p^\alpha q^{1 - \alpha}`,

    .. math::

        D_{\alpha, \beta}(p : q) = \frac{I_\alpha(p : q)^{(1 - \beta) / (1 - \alpha)} - 1}
        {\beta - 1}

    is the two-parameter family of [1]_, equation (1). Its limits are the divergences of Rényi
    (:math:`\beta \to 1`), of Tsallis (:math:`\beta \to \alpha`) and of Kullback and Leibler
    (:math:`\alpha, \beta \to 1`), and twice that of Bhattacharyya (:math:`\alpha = 1/2`,
    :math:`\beta \to 1`). All of them are included: ask for the limit itself, such as ``beta=1``.

    Parameters
    ----------
    mean_p : array-like of shape (n,)
        Mean of p.
    covariance_p : array-like of shape (n, n)
        Covariance of p, symmetric and positive definite.
    mean_q : array-like of shape (n,)
        Mean of q.
    covariance_q : array-like of shape (n, n)
        Covariance of q, symmetric and positive definite.
    alpha : float
        Which distribution counts more, from 0 to 1. At 1 the Rényi divergence is that of
        Kullback and Leibler, of p from q; at 0 every divergence is zero.
    beta : float
        Order, any real number.
    form : {"simplified", "original"}, default="simplified"
        Which closed form to compute: equation (18) of [1]_ or equation (3) of [1]_, from [2]_.
        They are equal.

    Returns
    -------
    float
        The divergence, not negative; for ``beta < 1`` at most ``1 / (1 - beta)``. It is infinite
        where it exceeds the range of floating-point numbers.

    Raises
    ------
    ValueError
        If the shapes do not match, an entry is not finite or is masked, a covariance is not
        symmetric and positive definite, or a parameter is out of its range.
    TypeError
        If `alpha` or `beta` is not a real number.

    Notes
    -----
    Both forms give the Rényi divergence :math:`R_\alpha = \log I_\alpha / (\alpha - 1)`, and then

    .. math:: D_{\alpha, \beta} = \mathrm{expm1}((\beta - 1) R_\alpha) / (\beta - 1) ,

    in logarithms throughout, so that no determinant overflows. With
    :math:`S = \alpha \Sigma_q + (1 - \alpha) \Sigma_p` and :math:`\delta = \mu_p - \mu_q`,

    .. math::

        R_\alpha = \tfrac{\alpha}{2} \delta^\top S^{-1} \delta
        + \frac{\log|S| - (1 - \alpha) \log|\Sigma_p| - \alpha \log|\Sigma_q|}{2 (1 - \alpha)}

    is the simplified form. The original one has
    :math:`P = \alpha \Sigma_p^{-1} + (1 - \alpha) \Sigma_q^{-1}` in the place of S:
    :math:`\log|S| = \log|P| + \log|\Sigma_p| + \log|\Sigma_q|` and
    :math:`S^{-1} = \Sigma_p^{-1} P^{-1} \Sigma_q^{-1}`.

    *Cost.* The simplified form takes three Cholesky factorisations, n^3 floating-point
    operations, whether or not the means differ: the quadratic form is a triangular solve, O(n^2).
    The original takes two inverses more, 7 n^3 / 3 operations with LAPACK's routines. The paper
    counts 5 n^3 / 3, an inverse from a factorisation as cheap as the factorisation, and another
    n^3 / 3 in both forms when the means differ. Memory is O(n^2).

    Within 1e-4 of 0 and of 1, but not there, the simplified form sums over the generalised
    eigenvalues of the covariances instead, because log-determinants that nearly cancel lose as
    many digits as :math:`\alpha (1 - \alpha)` has zeros. That takes several times as long.

    References
    ----------
    .. [1] Elhoseiny, Elgammal, "Generalized Twin Gaussian processes using Sharma-Mittal
       divergence", Machine Learning 100 (2015), sections 2 and 3.4.
    .. [2] Nielsen, Nock, "A closed-form expression for the Sharma-Mittal entropy of exponential
       families", Journal of Physics A 45 (2012).

    Examples
    --------
    >>> from ofer.companions import sharma_mittal_divergence
    >>> p, q = ([0.0], [[1.0]]), ([1.0], [[1.0]])
    >>> sharma_mittal_divergence(*p, *q, alpha=1.0, beta=1.0)  # Kullback-Leibler
    0.5
    >>> round(sharma_mittal_divergence(*p, *q, alpha=0.5, beta=0.5), 4)  # Tsallis
    0.235
    """
    check_option("form", form, FORMS)
    check_real("alpha", alpha, at_least=0)
    if alpha > 1:
        raise ValueError(f"alpha must be at most 1; got {alpha!r}.")
    check_real("beta", beta)
    p = _checked_gaussian("p", mean_p, covariance_p)
    q = _checked_gaussian("q", mean_q, covariance_q)
    if len(p[0]) != len(q[0]):
        raise ValueError(
            f"mean_p and mean_q must have the same length; got {len(p[0])} and {len(q[0])}."
        )
    if alpha == 0:
        return 0.0
    renyi = _kullback_leibler(*p, *q) if alpha == 1 else FORMS[form](*p, *q, alpha)
    renyi = max(renyi, 0.0)  # equal distributions: a roundoff below
    if beta == 1:
        return float(renyi)
    with np.errstate(over="ignore"):
        return float(np.expm1((beta - 1.0) * renyi) / (beta - 1.0))


def _checked_gaussian(name, mean, covariance):
    """Mean, covariance and Cholesky factor of one distribution."""
    mean = as_numbers(f"mean_{name}", mean, ensure_2d=False)
    if mean.ndim != 1:
        raise ValueError(f"mean_{name} must have one dimension; got shape {mean.shape}.")
    matrix = f"covariance_{name}"
    covariance = as_numbers(matrix, covariance)
    if covariance.shape != (len(mean), len(mean)):
        raise ValueError(
            f"{matrix} must have shape {(len(mean), len(mean))}, as mean_{name}; "
            f"got {covariance.shape}."
        )
    sizes = np.sqrt(np.abs(np.diag(covariance)))  # each entry in its own units
    if (np.abs(covariance - covariance.T) > 1e-10 * np.outer(sizes, sizes)).any():
        raise ValueError(
            f"{matrix} must be symmetric; got entries that differ by "
            f"{np.abs(covariance - covariance.T).max():.3g}."
        )
    try:
        factor = np.linalg.cholesky(covariance)
    except np.linalg.LinAlgError:
        least = np.linalg.eigvalsh(covariance)[0]
        raise ValueError(
            f"{matrix} must be positive definite; got the smallest eigenvalue {least:.3g}."
        ) from None
    return mean, covariance, factor


def _logdet(factor):
    return 2.0 * np.log(np.diag(factor)).sum()


def _kullback_leibler(mean_p, _covariance_p, L_p, mean_q, _covariance_q, L_q):
    """Divergence of p from q, the limit at alpha = 1."""
    whitened = solve_triangular(L_q, np.column_stack([L_p, mean_p - mean_q]), lower=True)
    return 0.5 * (np.square(whitened).sum() - len(L_p) + _logdet(L_q) - _logdet(L_p))


def _renyi_simplified(mean_p, covariance_p, L_p, mean_q, covariance_q, L_q, alpha):
    """Equation (18): one more factorisation than those of the covariances."""
    L = np.linalg.cholesky(alpha * covariance_q + (1.0 - alpha) * covariance_p)
    spread = np.square(solve_triangular(L, mean_p - mean_q, lower=True)).sum()
    if min(alpha, 1.0 - alpha) < NEAR_LIMIT:
        excess = _excess_near_limit(covariance_p, covariance_q, alpha)
    else:
        excess = _logdet(L) - (1.0 - alpha) * _logdet(L_p) - alpha * _logdet(L_q)
    return 0.5 * (alpha * spread + excess / (1.0 - alpha))


def _excess_near_limit(covariance_p, covariance_q, alpha):
    """The three log-determinants together, term by term of order alpha (1 - alpha)."""
    if alpha > 0.5:  # exchanging p and q exchanges alpha and 1 - alpha
        covariance_p, covariance_q, alpha = covariance_q, covariance_p, 1.0 - alpha
    ratios = eigh(covariance_q, covariance_p, eigvals_only=True)
    return (np.log1p(alpha * (ratios - 1.0)) - alpha * np.log(ratios)).sum()


def _renyi_original(mean_p, _covariance_p, L_p, mean_q, _covariance_q, L_q, alpha):
    """Equation (3), with the quadratic form in the right units: two inverses more."""
    precision_p, precision_q = _inverse(L_p), _inverse(L_q)
    L = np.linalg.cholesky(alpha * precision_p + (1.0 - alpha) * precision_q)
    difference = mean_p - mean_q
    spread = precision_p @ difference @ cho_solve((L, True), precision_q @ difference)
    excess = _logdet(L) + alpha * _logdet(L_p) + (1.0 - alpha) * _logdet(L_q)
    return 0.5 * (alpha * spread + excess / (1.0 - alpha))


FORMS: dict[str, Callable] = {"simplified": _renyi_simplified, "original": _renyi_original}


def _inverse(factor):
    """Inverse of a matrix from its Cholesky factor, in 2 n^3 / 3 operations."""
    inverse, _ = lapack.dpotri(factor, lower=True)
    lower = np.tril(inverse)
    return lower + np.tril(inverse, -1).T
