"""Statements of sections 3 to 5 that a computation decides: two routes to one number."""

import warnings
from typing import NamedTuple

import numpy as np
from scipy.optimize import minimize
from sklearn.exceptions import ConvergenceWarning
from sklearn.model_selection import KFold

from ofer import GaussianMixtureEmbedding, KernelRidgeCV, OutputFisherRegressor
from ofer.embeddings import CollapsedComponentWarning
from ofer.kernels import median_bandwidth
from reproduction.datasets.generated.mixtures import make_d1, make_d2
from reproduction.methods.squared_error_ridge import squared_error_ridge

__all__ = [
    "ADDED",
    "CHOSEN",
    "CLUSTERS",
    "DECODED",
    "PARAMETERS",
    "SPARSE",
    "Mixture",
    "closed_form",
    "embed",
    "evaluate",
]

PARAMETERS = {
    "n_cases": 20,
    "n_outputs": 2,
    "n_components": 3,
    "noise": 0.3,  # of a predicted coordinate, in its standard deviations
    "lower": 0.01,  # share by which a search must go below the closed form to count
    "small": 0.01,  # share of its vector's largest entry below which one is near zero
    "n_steps": 5,
    "n_train": 60,
    "n_added": 5,
    "n_outputs_clustered": 10,
    "n_clustered": 100,
    "candidates": 10,
    "n_folds": 5,
}
DECODED = "closed form"
ADDED = ("nothing added", "own component added", "other components added")
SPARSE = {
    "D1, 2 components": (make_d1, 2),
    "D1, 4 components": (make_d1, 4),
    "D1, 10 components": (make_d1, 10),
    "D2, 3 components": (make_d2, 3),
    "D2, 10 components": (make_d2, 10),
}
CLUSTERS = {f"{n} cluster{'s' * (n > 1)}": n for n in (1, 2, 4, 8)}
CHOSEN = "components by cross-validation"


class Mixture(NamedTuple):
    """Parameters of a Gaussian mixture; one component makes it a Gaussian."""

    weights: np.ndarray
    means: np.ndarray
    covariances: np.ndarray

    @property
    def precisions(self):
        """Inverse covariances."""
        return np.linalg.inv(self.covariances)

    def memberships(self, Y):
        """Probabilities of the components given outputs (n, d), as (n, C)."""
        gaps = Y[:, None] - self.means
        squares = np.einsum("njd,jde,nje->nj", gaps, self.precisions, gaps)
        logs = np.log(self.weights) - 0.5 * (squares + np.linalg.slogdet(self.covariances)[1])
        logs -= logs.max(axis=1, keepdims=True)
        return np.exp(logs) / np.exp(logs).sum(axis=1, keepdims=True)

    def scores(self, Y):
        """Scores of the means and of the covariances of the single components."""
        gaps = Y[:, None] - self.means
        of_means = np.einsum("jde,nje->njd", self.precisions, gaps)
        squares = of_means[..., :, None] * of_means[..., None, :]
        return of_means, 0.5 * (squares - self.precisions)

    def sample(self, n, rng):
        """Outputs."""
        labels = rng.choice(len(self.weights), n, p=self.weights)
        roots = np.linalg.cholesky(self.covariances)[labels]
        noise = rng.normal(size=(n, self.means.shape[1], 1))
        return self.means[labels] + (roots @ noise)[..., 0]


def embed(mixture, Y):
    """Reduced Fisher embedding of section 4.2, as (n, C + d); without memberships for C = 1."""
    gamma = mixture.memberships(Y)
    summed = np.einsum("nj,njd->nd", gamma, mixture.scores(Y)[0])
    return summed if len(mixture.weights) == 1 else np.hstack([gamma / mixture.weights, summed])


def closed_form(mixture, H):
    """Equations (7) and (10), literally."""
    n_components = len(mixture.weights)
    if n_components == 1:
        return H @ mixture.covariances[0] + mixture.means[0]
    shares = mixture.weights * H[:, :n_components]
    sums = np.einsum("nj,jde->nde", shares, mixture.precisions)
    centres = np.einsum("jde,je->jd", mixture.precisions, mixture.means)
    return np.linalg.solve(sums, (H[:, n_components:] + shares @ centres)[..., None])[..., 0]


def evaluate(data, method, setting, split):
    """One statement in one kind of case, over as many random cases as the parameters say."""
    rng = np.random.default_rng([split, *map(ord, setting)])
    if method == DECODED:
        return _solve_series(rng) if setting == "series" else _decode(rng, setting, split)
    if method == "Fisher vector":
        return {"others near zero": _near_zero(setting, split)}
    if method == CHOSEN:
        return {"chosen over true": _choose(CLUSTERS[setting], split)}
    if method in ADDED:
        return {"block loss": _add_samples(method, split)}
    return {
        "error (8)": _error_of_gaussian,
        "covariance block": _covariance_block,
        "full loss (4)": _full_loss,
        "ridges apart": _ridges_apart,
        "loss by blocks": _loss_by_blocks,
    }[method](rng)


def _decode(rng, setting, split):
    """Closed form against search."""
    if setting == "mixture, learnt":
        mixture, Y, H = _learn(split)
    else:
        mixture = _draw(rng, setting)
        Y = mixture.sample(PARAMETERS["n_cases"], rng)
        H = embed(mixture, Y)
        if setting != "mixture, exact":
            spread = embed(mixture, mixture.sample(1000, rng)).std(axis=0)
            H = H + PARAMETERS["noise"] * spread * rng.normal(size=H.shape)
    decoded = closed_form(mixture, H)
    optima = np.array([_search(mixture, h, y) for h, y in zip(H, decoded, strict=True)])
    losses = [np.square(embed(mixture, P) - H).sum(axis=1) for P in (decoded, optima)]
    relevant = losses[0] > 1e-9 * np.square(H).sum(axis=1)
    beaten = relevant & (losses[1] < (1 - PARAMETERS["lower"]) * losses[0])
    values = {
        "deviation": _deviation(decoded, Y if setting == "mixture, exact" else optima),
        "beaten": beaten.mean(),
    }
    if setting != "mixture, exact":  # where nothing is wrong there is no error to have a share of
        values["pre-image share"] = np.linalg.norm(decoded - optima) / np.linalg.norm(optima - Y)
    return values


def _draw(rng, setting):
    """A random Gaussian or mixture."""
    d = PARAMETERS["n_outputs"]
    n_components = 1 if setting == "one Gaussian" else PARAMETERS["n_components"]
    roots = rng.normal(size=(n_components, d, d))
    covariances = roots @ roots.transpose(0, 2, 1) / d + 0.3 * np.eye(d)
    if setting == "mixture, spherical":
        covariances = rng.uniform(0.3, 2.0, size=(n_components, 1, 1)) * np.eye(d)
    weights = rng.dirichlet(np.full(n_components, 5.0))
    return Mixture(weights, 3.0 * rng.normal(size=(n_components, d)), covariances)


def _learn(split):
    """Predictions of a ridge regression on data like D1, in two dimensions."""
    data = make_d1(200, n_clusters=3, n_outputs=2, n_inputs=2, random_state=split)
    train, test = np.arange(PARAMETERS["n_train"]), slice(-PARAMETERS["n_cases"], None)
    fitted = GaussianMixtureEmbedding(3, scaling="score", decoder="raw", random_state=split)
    H = fitted.fit_transform(data.Y[train])
    covariances = fitted.covariances_[:, None, None] * np.eye(data.Y.shape[1])
    mixture = Mixture(fitted.weights_, fitted.means_, covariances)
    ridge = KernelRidgeCV(kernel="rbf", gamma=0.5 / median_bandwidth(data.X[train]) ** 2)
    return mixture, data.Y[test], ridge.fit(data.X[train], H).predict(data.X[test])


def _search(mixture, h, start):
    """The output with the lowest loss (3) that searches find."""

    def loss(y):
        return np.square(embed(mixture, y[None]) - h).sum()

    starts = [start, *mixture.means, mixture.weights @ mixture.means]
    tight = {"xatol": 1e-10, "fatol": 1e-16, "maxiter": 2000}
    ends = [minimize(loss, one, method="Nelder-Mead", options=tight) for one in starts]
    return min(ends, key=lambda end: end.fun).x


def _solve_series(rng):
    """The recursion of section 4.3 against least squares over the whole path."""
    d, p, n_steps = 2, 3, PARAMETERS["n_steps"]
    A, C = 0.5 * rng.normal(size=(d, d)), rng.normal(size=(p, d))
    Q, R, first = (_covariance(rng, size) for size in (d, p, d))
    mean = rng.normal(size=d)
    inverses = [np.linalg.inv(one) for one in (first, Q, R)]

    def residuals(path):  # (11) and (12), of all steps
        m, z = path[: n_steps * d].reshape(-1, d), path[n_steps * d :].reshape(-1, p)
        moves = (m[1:] - m[:-1] @ A.T) @ inverses[1]
        return np.concatenate(
            [inverses[0] @ (m[0] - mean), moves.ravel(), ((z - m @ C.T) @ inverses[2]).ravel()]
        )

    size = n_steps * (d + p)
    offset = residuals(np.zeros(size))
    matrix = np.array([residuals(unit) - offset for unit in np.eye(size)]).T
    gaps, beaten = [], []
    for h in rng.normal(size=(PARAMETERS["n_cases"], size)):
        moves, seen = h[d : n_steps * d].reshape(-1, d), h[n_steps * d :].reshape(-1, p)
        m = [mean + first @ h[:d]]
        for move in moves:
            m.append(A @ m[-1] + Q @ move)
        z = np.array(m) @ C.T + seen @ R
        solution = np.concatenate([np.ravel(m), z.ravel()])
        whole = np.linalg.lstsq(matrix, h - offset)[0]
        losses = [np.square(residuals(path) - h).sum() for path in (solution, whole)]
        gaps.append(_deviation(solution, whole))
        beaten.append(losses[0] > 1e-9 * h @ h and losses[1] < losses[0])
    return {"deviation": max(gaps), "beaten": np.mean(beaten)}


def _error_of_gaussian(rng):
    """Both sides of (8)."""
    gaussian = _draw(rng, "one Gaussian")
    Y = gaussian.sample(PARAMETERS["n_cases"], rng)
    errors = rng.normal(size=Y.shape)
    decoded = closed_form(gaussian, embed(gaussian, Y) + errors)
    lengths = [
        np.linalg.norm(one, axis=1) for one in (Y - decoded, errors @ gaussian.covariances[0])
    ]
    return {"deviation": _deviation(*lengths)}


def _covariance_block(rng):
    """The score of the covariance, by differences and from that of the mean (section 3.1)."""
    gaussian = _draw(rng, "one Gaussian")
    y, step, d = gaussian.sample(1, rng)[0], 1e-5, PARAMETERS["n_outputs"]

    def log_density(covariance):
        gap = y - gaussian.means[0]
        return -0.5 * (np.linalg.slogdet(covariance)[1] + gap @ np.linalg.solve(covariance, gap))

    numerical = np.empty((d, d))
    for i, j in np.ndindex(d, d):
        moved = np.zeros((d, d))
        moved[i, j] = step
        up, down = (log_density(gaussian.covariances[0] + sign * moved) for sign in (1, -1))
        numerical[i, j] = (up - down) / (2 * step)
    of_mean = embed(gaussian, y[None])[0]
    derived = 0.5 * (np.outer(of_mean, of_mean) - gaussian.precisions[0])
    return {"deviation": _deviation(derived, numerical)}


def _full_loss(rng):
    """How often the loss (4) of a noisy prediction has a positive minimum, and is not convex."""
    above, curved = [], []
    for _ in range(PARAMETERS["n_cases"]):
        gaussian = _draw(rng, "one Gaussian")

        def scores(y, gaussian=gaussian):
            of_mean, of_covariance = gaussian.scores(np.atleast_2d(y))
            return np.hstack([of_mean[:, 0], of_covariance.reshape(len(of_mean), -1)])

        many = gaussian.sample(400, rng)
        spread = scores(many).std(axis=0)
        h = scores(many[:1]) + PARAMETERS["noise"] * spread * rng.normal(size=spread.shape)

        def loss(y, scores=scores, h=h):
            return np.square(scores(y) - h).sum(axis=1)

        ends = [minimize(lambda y: loss(y)[0], y, method="Nelder-Mead").fun for y in many[:3]]
        above.append(min(ends) > 1e-6)
        left, right = np.split(many, 2)
        middle = loss((left + right) / 2)
        curved.append(bool((middle > (loss(left) + loss(right)) / 2 * (1 + 1e-9)).any()))
    return {"above zero": np.mean(above), "not convex": np.mean(curved)}


def _ridges_apart(rng):
    """The problem (13) with the kernel times identity, at once and coordinate by coordinate."""
    n, p = 15, PARAMETERS["n_components"] + PARAMETERS["n_outputs"]
    X, X_new, targets = rng.normal(size=(n, 2)), rng.normal(size=(4, 2)), rng.normal(size=(n, p))
    ridge = rng.uniform(0.01, 1.0)

    def kernel(A, B):
        return np.exp(-np.square(A[:, None] - B).sum(axis=2) / 2)

    # Stationary point of ridge * c'Gc + |T - Gc|^2 / (2 n), with the Gram matrix G of all entries.
    gram = np.kron(kernel(X, X), np.eye(p))
    system = 2 * ridge * gram + gram @ gram / n
    at_once = np.linalg.lstsq(system, gram @ targets.ravel() / n)[0]
    whole = (np.kron(kernel(X_new, X), np.eye(p)) @ at_once).reshape(-1, p)
    dual = np.linalg.solve(kernel(X, X) + 2 * n * ridge * np.eye(n), targets)
    return {"deviation": _deviation(whole, kernel(X_new, X) @ dual)}


def _loss_by_blocks(rng):
    """The equality before (14)."""
    mixture = _draw(rng, "mixture, full")
    H = embed(mixture, mixture.sample(PARAMETERS["n_cases"], rng))
    predicted = H + rng.normal(size=H.shape)
    A = np.diag(np.arange(H.shape[1]) < len(mixture.weights)).astype(float)
    rest = np.eye(len(A)) - A
    parts = [np.square(H @ one - predicted @ one).sum(axis=1) for one in (A, rest)]
    return {"deviation": _deviation(sum(parts), np.square(H - predicted).sum(axis=1))}


def _near_zero(setting, split):
    """Small entries of full Fisher vectors, of all components but the likeliest (section 3.2)."""
    make, n_components = SPARSE[setting]
    Y = make(random_state=split).Y[:300]
    fitted = GaussianMixtureEmbedding(n_components, scaling="score", random_state=split).fit(Y)
    covariances = fitted.covariances_[:, None, None] * np.eye(Y.shape[1])
    mixture = Mixture(fitted.weights_, fitted.means_, covariances)
    gamma, (of_means, of_covariances) = mixture.memberships(Y), mixture.scores(Y)
    parts = [
        (gamma / mixture.weights)[..., None],
        gamma[..., None] * of_means,
        gamma[..., None] * of_covariances.reshape(*gamma.shape, -1),
    ]
    vectors = np.abs(np.concatenate(parts, axis=2))
    small = vectors < PARAMETERS["small"] * vectors.max(axis=(1, 2), keepdims=True)
    others = np.arange(n_components) != gamma.argmax(axis=1)[:, None]
    return small[others].mean()


def _add_samples(method, split):
    """Error of memberships of one component, with more samples of it or of others."""
    data, n_train, rng = make_d2(random_state=split), PARAMETERS["n_train"], _seeded(split)
    mixture = GaussianMixtureEmbedding(10, scaling="score", random_state=split).fit(data.Y)
    targets = mixture.transform(data.Y)[:, mixture.blocks_["membership"]]
    labels = mixture.posterior(data.Y).argmax(axis=1)
    component = np.bincount(labels[n_train:]).argmax()
    order = n_train + rng.permutation(len(labels) - n_train)
    pool, test = order[: len(order) // 2], order[len(order) // 2 :]
    added = {
        "nothing added": pool[:0],
        "own component added": pool[labels[pool] == component],
        "other components added": pool[labels[pool] != component],
    }[method][: PARAMETERS["n_added"]]
    train, test = np.concatenate([np.arange(n_train), added]), test[labels[test] == component]
    ridge = KernelRidgeCV(kernel="rbf", gamma=0.5 / median_bandwidth(data.X[:n_train]) ** 2)
    predicted = ridge.fit(data.X[train], targets[train]).predict(data.X[test])
    return np.square(predicted - targets[test]).sum(axis=1).mean()


def _choose(n_clusters, split):
    """Number of components of the paper's form with the least error over folds, over the true."""
    n_outputs, n = PARAMETERS["n_outputs_clustered"], PARAMETERS["n_clustered"]
    data = make_d1(n, n_clusters=n_clusters, n_outputs=n_outputs, random_state=split)
    kernel = {"kernel": "rbf", "gamma": 0.5 / median_bandwidth(data.X) ** 2}
    folds = KFold(PARAMETERS["n_folds"], shuffle=True, random_state=split)

    def error(size):
        options = {"scaling": "score", "decoder": "raw", "random_state": split}
        model = OutputFisherRegressor(
            GaussianMixtureEmbedding(size, **options),
            squared_error_ridge(fit_intercept=False, **kernel),
            block_wise=False,
        )
        total = 0.0
        for train, test in folds.split(data.X):
            predicted = model.fit(data.X[train], data.Y[train]).predict(data.X[test])
            total += np.square(predicted - data.Y[test]).sum()
        return total

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", CollapsedComponentWarning)
        # EM may be slow on the way to a size that loses.
        warnings.simplefilter("ignore", ConvergenceWarning)
        return min(range(1, PARAMETERS["candidates"] + 1), key=error) / n_clusters


def _covariance(rng, size):
    root = rng.normal(size=(size, size))
    return root @ root.T / size + 0.3 * np.eye(size)


def _deviation(first, second):
    return float(np.abs(first - second).max() / np.abs(second).max())


def _seeded(split):
    return np.random.default_rng([split, 52])
