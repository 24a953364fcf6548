"""Kernel ridge regression in an embedding, in our form."""

from dataclasses import dataclass

from ofer import GaussianEmbedding, KernelRidgeCV, OutputFisherRegressor, RankingEmbedding
from reproduction.engine.table import Prediction

__all__ = ["FACTORS", "OurRidge"]

FACTORS = (0.25, 0.5, 1.0, 2.0, 4.0, 8.0)


@dataclass(frozen=True)
class OurRidge:
    """With an intercept; ridge and width by exact leave-one-out. Without a kind, of the ranks."""

    kind: str = ""

    def __call__(self, task):
        embedding = RankingEmbedding(self.kind) if self.kind else GaussianEmbedding()
        rule = KernelRidgeCV(kernel="rbf").fit(task.X, task.Y).gamma_
        models = []
        for factor in FACTORS:
            ridge = KernelRidgeCV(kernel="rbf", gamma=factor * rule)
            models.append(OutputFisherRegressor(embedding, ridge).fit(task.X, task.Y))
        best = max(range(len(FACTORS)), key=lambda i: _regressor(models[i]).best_score_)
        outputs = models[best].predict(task.X_test)
        ranks = outputs if self.kind else 1.0 + outputs.argsort(axis=1).argsort(axis=1)
        return Prediction(ranks, {"width": FACTORS[best]})


def _regressor(model):
    """Of the one block."""
    return next(iter(model.regressor_.values()))
