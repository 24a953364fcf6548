"""When weak labels help: three methods on D2 with clean and with noisy inputs."""

from dataclasses import dataclass

import numpy as np
from sklearn.frozen import FrozenEstimator

from ofer import (
    GaussianMixtureEmbedding,
    Memberships,
    OutputFisherRegressor,
)
from ofer.kernels import median_bandwidth
from ofer.metrics import rrmse
from reproduction.datasets.generated.mixtures import make_d2
from reproduction.methods.squared_error_ridge import squared_error_ridge
from reproduction.statistics import repeated_splits

__all__ = ["Contest", "regressor"]


def regressor(X, **options):
    """Ridge regression with a Gaussian kernel of the median width."""
    return squared_error_ridge(kernel="rbf", gamma=0.5 / median_bandwidth(X) ** 2, **options)


@dataclass(frozen=True)
class Contest:
    """Samples of D2 and three methods; ``n_components`` and ``n_weak`` are the most there are."""

    n_train: int
    n_weak: int
    n_components: int
    seed: int
    n_samples: int = 900

    def draw(self, noise, split_seed=None):
        """Labelled, weak and test samples from D2 with noisy inputs."""
        data, (split,) = self._data(noise), self._splits(1, [self.n_train], split_seed)
        weak = split.rest(self.n_train)[: self.n_weak]
        rows = {"labelled": split.train(self.n_train), "weak": weak, "test": split.test}
        return {name: (data.X[i], data.Y[i]) for name, i in rows.items()}

    def fit_all(self, X, Y):
        """The contestants, fitted to the same samples."""
        C = min(self.n_components, len(Y) // 5)
        mixture = GaussianMixtureEmbedding(C, covariance_type="tied", random_state=self.seed)
        ridge, model = regressor(X), FrozenEstimator(mixture.fit(Y))
        yield "m-KRR centred", ridge.fit(X, Y)
        yield "OFER, one ridge", OutputFisherRegressor(model, ridge, block_wise=False).fit(X, Y)
        yield "OFER-GMM", OutputFisherRegressor(model, ridge, block_wise=True).fit(X, Y)

    def learning_curves(self, noise, sizes, n_splits):
        """Test errors by method, a row for each split and a column for each size."""
        data, errors = self._data(noise), {}
        for split in self._splits(n_splits, sizes):
            for size in sizes:
                i = split.train(size)
                for name, fitted in self.fit_all(data.X[i], data.Y[i]):
                    error = rrmse(data.Y[split.test], fitted.predict(data.X[split.test]))
                    errors.setdefault(name, []).append(error)
        return {name: np.reshape(e, (n_splits, len(sizes))) for name, e in errors.items()}

    def weak_curves(self, noise, counts, n_splits):
        """Test errors with and without weak labels, a column for each number of these."""
        plain, helped = [], []
        for split_seed in range(n_splits):
            (X, Y), (X_weak, Y_weak), (X_test, Y_test) = self.draw(noise, split_seed).values()
            (_, krr), _, (_, ofer) = self.fit_all(X, Y)
            plain.append([rrmse(Y_test, fitted.predict(X_test)) for fitted in (krr, ofer)])
            memberships = ofer.embedding_.predict_proba(Y_weak)
            for n in counts:
                ofer.fit(X, Y, weak=Memberships(X_weak[:n], memberships[:n], weight=1.0))
                helped.append(rrmse(Y_test, ofer.predict(X_test)))
        krr, ofer = np.repeat(np.transpose(plain)[:, :, None], len(counts), axis=2)
        return {
            "m-KRR centred": krr,
            "OFER-GMM, no weak labels": ofer,
            "OFER-GMM, weak labels": np.reshape(helped, (n_splits, -1)),
        }

    def _data(self, noise):
        return make_d2(self.n_samples, input_noise=noise, random_state=self.seed)

    def _splits(self, n_splits, sizes, split_seed=None):
        return repeated_splits(
            self.n_samples,
            n_splits=n_splits,
            train_fraction=0.6,
            train_sizes=sizes,
            random_state=self.seed if split_seed is None else split_seed,
        )
