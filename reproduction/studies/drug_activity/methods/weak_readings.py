"""Readings of methods with weak samples: a Gaussian kernel, and an intercept of printed forms."""

from dataclasses import dataclass

from joblib import hash as hash_of

from reproduction.engine.table import Method, Prediction
from reproduction.methods.kernel_readings import MixtureReading, gaussian

__all__ = ["OnGaussian", "add_constant"]

_WIDTHS: dict[str, float] = {}  # of the splits that were met here: forms share them


@dataclass(frozen=True)
class OnGaussian:
    """A method on the Gaussian of distances, whose width is chosen without weak samples."""

    reading: MixtureReading
    method: Method

    def __call__(self, task):
        key = hash_of([self.reading, task.X, task.Y])
        if key not in _WIDTHS:
            _WIDTHS[key] = self.reading.choose(task).width
        width = _WIDTHS[key]
        outputs, chosen = self.method(_map_kernels(task, lambda K: gaussian(K, task.X, width)))
        return Prediction(outputs, {"width": float(width), **chosen})


def add_constant(task, constant):
    """A task with a constant feature of this square, hardly penalised: an intercept."""
    return _map_kernels(task, lambda K: K + constant)


def _map_kernels(task, function):
    """A task with other kernels."""
    samples = task.weak._replace(K=function(task.weak.K), K_test=function(task.weak.K_test))
    return task._replace(X=function(task.X), X_test=function(task.X_test), weak=samples)
