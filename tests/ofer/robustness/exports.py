"""Every public estimator, found in what the package exports, and a subject of each at its defaults.

A class that comes in is in without a line: its tags say what kind of problem is generated for it.
"""

import inspect
import pkgutil
from dataclasses import replace
from importlib import import_module

from sklearn.base import BaseEstimator
from sklearn.utils import get_tags

import ofer
from tests.ofer.robustness.problems import (
    Subject,
    classes,
    features,
    points,
    predict,
    regression,
)

__all__ = ["at_defaults", "public_estimators"]

# What constructors ask for, and what the defaults leave open.
REQUIRED = {"n_states": 1}
KINDS = {
    "regressor": (regression, predict, "outputs"),
    "classifier": (classes, predict, "labels"),
    "transformer": (points, features, "features"),
}
FEW = 3  # cases: defaults are what takes long
# Fewer of those that take seconds, and the five properties alone.
SLOW = {"TwinGaussianProcessCV": 0, "FisherKernelLearner": 0, "OutputFisherRegressorCV": 1}
SLOW |= {"StateSpaceEmbedding": 1, "LinearGaussianSSM": 1}


def public_estimators():
    """Classes by name: all that can be fitted to data, but spaces of outputs and abstract ones."""
    modules = [ofer, *map(import_module, sorted(public_modules()))]
    pairs = [(module, name) for module in modules for name in vars(module).get("__all__", ())]
    found = {name: getattr(module, name, None) for module, name in pairs}  # a room may be gone
    return {name: one for name, one in sorted(found.items()) if is_estimator(one)}


def is_estimator(one):
    known = isinstance(one, type) and issubclass(one, BaseEstimator) and hasattr(one, "fit")
    return known and not inspect.isabstract(one) and fit_arguments(one)[0] != "y"


def public_modules():
    for module in pkgutil.walk_packages(ofer.__path__, "ofer."):
        if not any(part.startswith("_") for part in module.name.split(".")):
            yield module.name


def fit_arguments(cls):
    return list(inspect.signature(cls.fit).parameters)[1:]


def at_defaults(cls, known):
    """A subject of the class with its default parameters, and seeds of 0.

    What is generated, and asked, is that of the first of the known subjects that is of this
    class, or else goes by the tags.
    """
    parameters = inspect.signature(cls).parameters.values()
    asked = [one.name for one in parameters if one.default is one.empty]
    estimator = cls(**{name: REQUIRED[name] for name in asked})
    seeds = [name for name in estimator.get_params() if name.endswith("random_state")]
    estimator.set_params(**dict.fromkeys(seeds, 0))
    for subject in known:
        if type(subject.estimator) is cls:
            cases, thorough = SLOW.get(cls.__name__, FEW), cls.__name__ not in SLOW
            return replace(subject, estimator=estimator, loo=None, cases=cases, thorough=thorough)
    generate, ask, answers = KINDS[get_tags(estimator).estimator_type or "transformer"]
    names = tuple(fit_arguments(cls)[: 1 if answers == "features" else 2])
    return Subject(estimator, generate, ask, answers, names, cases=FEW)
