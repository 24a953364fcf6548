"""Methods of others for partial labels; a labelled sample is one with a single open class.

Each takes a problem and returns predicted classes of its test samples. What they choose, they
choose on labelled and weak samples: numbers of neighbours and peaks by the covering rate of
left-out predictions, costs by the loss of folds, ridge parameters by the leave-one-out error.
"""

import numpy as np
from scipy import sparse
from scipy.optimize import minimize
from scipy.special import logsumexp, softmax
from sklearn.model_selection import KFold
from sklearn.neighbors import NearestNeighbors

from ofer.embeddings import project_simplex
from reproduction.studies.second_volume.open_classes.ridges import Ridge

__all__ = ["PARAMETERS", "RIVALS", "aggd", "clpl", "clpl_loss", "logistic_em", "neighbours", "sure"]

PARAMETERS = {
    "neighbours": [5, 10, 20, 40],
    "costs": [1.0, 10.0, 100.0],
    "n_folds": 2,
    "n_axes": 256,
    "em_rounds": [4, 20],  # in folds, and then
    "max_iter": 20,  # of L-BFGS, each time
    "peaks": [0.1, 0.3, 1.0],
    "sure_rounds": 10,
    "aggd": {"k": 10, "rounds": 10, "smooth": 1.0, "reconstruct": 0.05, "steps": 50},
}


def neighbours(problem):
    """PL-kNN (Hüllermeier and Beringer, 2006): neighbours vote for all of their candidates."""
    votes, index = problem.still_open.astype(float), NearestNeighbors().fit(problem.X)

    def scores(queries, k):
        distances, rows = index.kneighbors(queries, n_neighbors=k)
        weights = 1.0 - distances / np.maximum(distances.sum(axis=1, keepdims=True), 1e-12)
        return np.stack([w @ votes[r] for w, r in zip(weights, rows, strict=True)])

    usable = [k for k in PARAMETERS["neighbours"] if k < len(problem.X)]
    best = max(usable, key=lambda k: _covering_rate(problem, scores(None, k)))
    return scores(problem.X_test, best).argmax(axis=1)


# Linear scores on the principal axes of the kernel


def logistic_em(problem):
    """Multinomial logistic regression; in turns, shares of the open classes by its probabilities.

    A few rounds of EM for the likelihood of the open classes. They start from the fit to the
    labelled samples, or where there are none from equal shares.
    """

    def fit(Z, still_open, cost):
        shares, W = still_open / still_open.sum(axis=1, keepdims=True), None
        n_rounds = PARAMETERS["em_rounds"][len(Z) == len(problem.X)]
        seen = shares.max(axis=1) == 1.0 if problem.n else np.full(len(Z), True)
        for _ in range(n_rounds + 1):
            target = shares[seen]
            W = _minimise(lambda F, q=target: _log_loss(F, q), Z[seen], shares.shape[1], cost, W)
            shares, seen = (
                softmax(np.where(still_open, _scores(Z, W), -np.inf), axis=1),
                slice(None),
            )
        return W

    def loss(F, still_open):
        inside = logsumexp(np.where(still_open, F, -np.inf), axis=1)
        return (logsumexp(F, axis=1) - inside).sum()

    return _by_folds(problem, fit, loss)


def clpl(problem):
    """CLPL (Cour, Sapp and Taskar, 2011): the mean over candidates high, each other class low."""

    def fit(Z, still_open, cost):
        return _minimise(lambda F: clpl_loss(F, still_open), Z, still_open.shape[1], cost)

    return _by_folds(problem, fit, lambda F, still_open: clpl_loss(F, still_open)[0])


def clpl_loss(F, still_open):
    """Squared hinge of the mean open score and of minus every other one; and its gradient."""
    sizes = still_open.sum(axis=1, keepdims=True)
    short = np.maximum(1.0 - (F * still_open).sum(axis=1, keepdims=True) / sizes, 0.0)
    over = np.where(still_open, 0.0, np.maximum(1.0 + F, 0.0))
    gradient = 2.0 * over - 2.0 * still_open * short / sizes
    return np.square(short).sum() + np.square(over).sum(), gradient


def _log_loss(F, shares):
    """Cross entropy of shares of the classes, and its gradient."""
    return (logsumexp(F, axis=1) - (shares * F).sum(axis=1)).sum(), softmax(F, axis=1) - shares


def _minimise(loss, Z, n_classes, cost, start=None):
    """Weights of linear scores, the last row a constant that is not penalised."""
    shape = Z.shape[1] + 1, n_classes

    def value(w):
        W = w.reshape(shape)
        total, by_scores = loss(_scores(Z, W))
        total += np.square(W[:-1]).sum() / (2.0 * cost)
        gradient = np.vstack([Z.T @ by_scores + W[:-1] / cost, by_scores.sum(axis=0)])
        return total, gradient.ravel()

    start = np.zeros(shape) if start is None else start
    options = {"maxiter": PARAMETERS["max_iter"]}
    return minimize(value, start.ravel(), jac=True, method="L-BFGS-B", options=options).x.reshape(
        shape
    )


def _scores(Z, W):
    return Z @ W[:-1] + W[-1]


def _by_folds(problem, fit, loss):
    """Classes of the test samples with the cost of the least loss in folds."""
    (Z, Z_test), still_open = _axes(problem), problem.still_open
    folds = KFold(PARAMETERS["n_folds"], shuffle=True, random_state=problem.seed)

    def total(cost):
        return sum(
            loss(_scores(Z[test], fit(Z[train], still_open[train], cost)), still_open[test])
            for train, test in folds.split(Z)
        )

    cost = min(PARAMETERS["costs"], key=total)
    return _scores(Z_test, fit(Z, still_open, cost)).argmax(axis=1)


def _axes(problem):
    """Principal coordinates of training and test samples, of mean square one."""
    system, everything = problem.system(slice(None)), slice(None)
    kept = slice(-PARAMETERS["n_axes"], None)
    basis, queries = system.coordinates[:, kept], problem.kernel(problem.X_test, everything)
    if system.is_dual:
        roots = np.sqrt(np.maximum(system.eigenvalues[kept], 1e-9 * system.eigenvalues[-1]))
        Z, Z_test = basis * roots, (queries - system.mean) @ basis / roots
    else:
        Z, Z_test = basis, (queries - system.mean) @ system.loadings[:, kept]
    unit = np.sqrt(np.square(Z).sum(axis=1).mean())
    return Z / unit, Z_test / unit


# Ridge regression of shares that are inferred


def sure(problem, peaks=None):
    """SURE (Feng and An, 2019): learn shares, and then make the largest of each sample larger."""
    ridge, best = Ridge(problem), None
    for peak in peaks or PARAMETERS["peaks"]:
        shares = problem.averaged
        for _ in range(PARAMETERS["sure_rounds"]):
            ridge.fit(shares)
            following = peaked(ridge.predict(problem.X), problem.still_open, peak)
            if np.abs(following - shares).max() < 1e-3:
                break
            shares = following
        rate = _covering_rate(problem, ridge.left_out)
        if best is None or rate > best[0]:
            best = rate, ridge.test()
    return best[1]


def peaked(scores, still_open, peak):
    r"""Minimise :math:`\|p - s\|^2 - \lambda \max_j p_j` for shares p of the open classes.

    The least over j of the problems with :math:`p_j` for the maximum, which are projections of
    :math:`s + \lambda e_j / 2`, is the least of all: the maximum is one of them.
    """
    best, values = np.zeros(scores.shape), np.full(len(scores), np.inf)
    for j in range(scores.shape[1]):
        rows = np.flatnonzero(still_open[:, j])
        raised = scores[rows].copy()
        raised[:, j] += peak / 2.0
        shares = _project(raised, still_open[rows])
        value = np.square(shares - scores[rows]).sum(axis=1) - peak * shares[:, j]
        better = value < values[rows]
        best[rows[better]], values[rows[better]] = shares[better], value[better]
    return best


def aggd(problem):
    """PL-AGGD (Wang, Li and Zhang, 2019): shares that neighbours share, on a graph that adapts.

    In turns: a ridge learns the shares; shares near its predictions and near those of neighbours;
    weights of neighbours that reconstruct the input and have near shares. Here projected gradient
    steps solve the two quadratic programs.
    """
    options, ridge, X = PARAMETERS["aggd"], Ridge(problem), problem.X
    nearest = NearestNeighbors(n_neighbors=options["k"]).fit(X).kneighbors(return_distance=False)
    apart = X[nearest] - X[:, None]
    gram = options["reconstruct"] * apart @ apart.transpose(0, 2, 1)
    bounds = 2.0 * np.trace(gram, axis1=1, axis2=2)[:, None] + 1e-12
    weights = np.full(nearest.shape, 1.0 / options["k"])
    shares, unlike = problem.averaged, np.zeros(nearest.shape)
    for turn in range(options["rounds"] + 1):
        for _ in range(options["steps"]):
            slope = 2.0 * np.einsum("nij,nj->ni", gram, weights) + options["smooth"] * unlike
            weights = project_simplex(weights - slope / bounds)
        if turn == options["rounds"]:
            break
        predicted = ridge.fit(shares).predict(X)
        rows = np.repeat(np.arange(len(X)), options["k"])
        graph = sparse.csr_matrix((weights.ravel(), (rows, nearest.ravel())), shape=(len(X),) * 2)
        graph = graph + graph.T
        degrees = np.asarray(graph.sum(axis=1))
        step = 0.5 / (1.0 + 2.0 * options["smooth"] * degrees)
        for _ in range(options["steps"]):
            rough = degrees * shares - graph @ shares
            slope = 2.0 * (shares - predicted + options["smooth"] * rough)
            shares = _project(shares - step * slope, problem.still_open)
        unlike = np.square(shares[nearest] - shares[:, None]).sum(axis=2)
    return ridge.fit(shares).test()


def _project(values, still_open):
    """Nearest shares of the open classes."""
    highest = np.where(still_open, values, -np.inf).max(axis=1, keepdims=True)
    # What lies one below the highest has no share.
    return project_simplex(np.where(still_open, values, highest - 2.0))


def _covering_rate(problem, scores):
    """Share of left-out samples whose best class is open."""
    return problem.still_open[np.arange(len(scores)), scores.argmax(axis=1)].mean()


RIVALS = {
    "logistic EM": logistic_em,
    "PL-kNN": neighbours,
    "CLPL": clpl,
    "SURE": sure,
    "PL-AGGD": aggd,
}
