"""Speed of `KernelRidgeCV` and `OutputFisherRegressor` beside their peers.

Every comparison runs both sides in turn, in this process and on the same data, and gives the
ratio of their median times: a machine's speed cancels. Goals were ratios of 20 or more beside
`GridSearchCV`, of 4 beside himalaya, and of 1 / 1.3 = 0.77 for predictions. Run it with one or two
idle cores:

    python benchmarks/kernel_ridge.py
"""

import warnings

import numpy as np
from himalaya.kernel_ridge import KernelRidgeCV as HimalayaKernelRidgeCV
from record import comparison, run
from sklearn.kernel_ridge import KernelRidge
from sklearn.model_selection import GridSearchCV
from timing import median_times

from ofer import GaussianMixtureEmbedding, KernelRidgeCV, OutputFisherRegressor

ALPHAS = np.logspace(-4, 4, 20)


def selection(n_samples, n_features, n_targets, repetitions):
    """Choosing among 20 ridges: exact leave-one-out against cross-validation in five folds."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n_samples, n_features))
    Y = np.sin(X @ rng.normal(size=(n_features, n_targets)) / np.sqrt(n_features))
    Y += 0.1 * rng.normal(size=Y.shape)
    gamma = 1.0 / n_features
    ours = KernelRidgeCV(ALPHAS, kernel="rbf", gamma=gamma)
    grid = GridSearchCV(KernelRidge(kernel="rbf", gamma=gamma), {"alpha": ALPHAS}, cv=5)
    peer = HimalayaKernelRidgeCV(ALPHAS, kernel="rbf", kernel_params={"gamma": gamma}, cv=5)
    case = f"`KernelRidgeCV.fit` with {len(ALPHAS)} ridges, n = {n_samples}, {n_targets} targets, "
    case += f"{n_features} input features"
    mine, grids = median_times(repetitions, lambda: ours.fit(X, Y), lambda: grid.fit(X, Y))
    against = "`GridSearchCV(KernelRidge, cv=5)`"
    yield comparison(case, against, mine, grids, repetitions, headline=n_features == 20)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # himalaya remarks on scikit-learn's newer tags
        mine, peers = median_times(repetitions, lambda: ours.fit(X, Y), lambda: peer.fit(X, Y))
    against = "himalaya's `KernelRidgeCV(cv=5)`"
    yield comparison(case, against, mine, peers, repetitions, headline=n_features == 20)


def prediction(n_samples, n_outputs, n_components, repetitions):
    """Predicting through the embedding, against kernel ridge with as many targets."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n_samples, 20))
    Y = np.sin(X @ rng.normal(size=(20, n_outputs)) / 4)
    queries = rng.normal(size=(n_samples, 20))
    embedding = GaussianMixtureEmbedding(n_components, random_state=0)
    model = OutputFisherRegressor(embedding, KernelRidgeCV(kernel="rbf", gamma=0.05)).fit(X, Y)
    targets = model.embedding_.transform(Y)
    plain = KernelRidge(kernel="rbf", gamma=0.05).fit(X, targets)
    mine, theirs = median_times(
        repetitions, lambda: model.predict(queries), lambda: plain.predict(queries)
    )
    case = f"`OutputFisherRegressor.predict`, n = {n_samples}, {targets.shape[1]} embedding columns"
    against = "`KernelRidge.predict` with as many targets"
    yield comparison(case, against, mine, theirs, repetitions, headline=True)


def measure(repetitions):
    """Yield the rows of all comparisons."""
    # Few features, so that kernels cost nothing; and as many as NCI-60's fingerprints have.
    for n_features in (20, 1024):
        yield from selection(1000, n_features, 60, repetitions)
    yield from prediction(1000, 59, 6, 5 * repetitions)


if __name__ == "__main__":
    run(measure, __doc__, repetitions=3)
