"""OFER with weak samples as printed, equation (14): folds choose all at once."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from sklearn.model_selection import KFold

from reproduction.engine.table import Prediction
from reproduction.papers.ofer.methods.folds import few_enough
from reproduction.papers.ofer.methods.weak_samples import seen
from reproduction.papers.ofer.weak.as_printed import Problem, predict_as_printed

__all__ = ["WeakOferAsPrinted"]


@dataclass(frozen=True)
class WeakOferAsPrinted:
    """Scores unscaled, the raw closed form and no intercept, with so many weak samples."""

    n_weak: int
    n_components: tuple[int, ...]
    alphas: tuple[float, ...]
    outputs_per_component: int = 5
    n_folds: int = 5
    em: Mapping[str, float] = field(default_factory=dict)
    """Further options of the mixture."""

    def __call__(self, task):
        samples = seen(task, self.n_weak)
        counts = few_enough(self.n_components, len(task.Y), self.outputs_per_component)
        problem = Problem(samples.K, task.Y, samples.Y, counts, self.alphas, task.seed, self.em)
        folds = KFold(self.n_folds, shuffle=True, random_state=task.seed)
        outputs, choice = predict_as_printed(problem, folds, samples.K_test)
        chosen = {"n_components": float(choice.n_components)}
        if self.n_weak:
            chosen["weak_weight"] = choice.weight
        return Prediction(outputs, chosen)
