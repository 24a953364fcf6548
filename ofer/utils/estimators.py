"""Base classes of estimators: defaults of parts, warnings given once, parameters fixed by a fit."""

from collections.abc import Callable
from functools import partial
from typing import ClassVar, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, clone
from sklearn.utils import get_tags
from sklearn.utils.validation import check_is_fitted

from ofer.utils.products import quiet
from ofer.utils.scoring import rises_at
from ofer.utils.warning import warn


@quiet
class DefaultParts(BaseEstimator):
    """An estimator of parts, where None stands for a default whose parameters can be set.

    ``set_params(part__parameter=value)`` puts the default in the place of None first. The
    constructor only stores: what has None has clones with None.
    """

    _default_parts: ClassVar[dict[str, Callable]] = {}  # makers of defaults by name
    _input_part: ClassVar[str | None] = None  # this part decides what inputs may be
    _is_clone = False

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        if self._input_part is not None:
            inner = get_tags(part_of(self, self._input_part)).input_tags
            tags.input_tags.sparse, tags.input_tags.pairwise = inner.sparse, inner.pairwise
        return tags

    def __sklearn_clone__(self) -> Self:
        twin = super().__sklearn_clone__()
        twin._is_clone = True
        if "_default_parts" in vars(self):
            twin._default_parts = self._default_parts
            return twin
        # Clones of this one take clones of the same defaults, which warn once: see `WarnsOnce`.
        twin._default_parts = {}
        for name, make in self._default_parts.items():
            default = clone(make())
            twin._default_parts[name] = partial(clone, default)
        return twin

    def get_params(self, deep: bool = True) -> dict:
        """Parameters by name; if `deep`, those of parts too, as ``part__parameter``."""
        params = super().get_params(deep)
        for name in self._default_parts if deep else ():
            if params[name] is None:
                inner = part_of(self, name).get_params()
                params |= {f"{name}__{key}": value for key, value in inner.items()}
        return params

    def set_params(self, **params: object) -> Self:
        """Set parameters by name, those of parts as ``part__parameter``."""
        for name, make in self._default_parts.items():
            inner = any(key.startswith(f"{name}__") for key in params)
            if inner and params.get(name, getattr(self, name)) is None:
                params[name] = make()
        return super().set_params(**params)


def part_of(estimator: DefaultParts, name: str) -> BaseEstimator:
    """The part of an estimator that it was made with, or its default."""
    value = getattr(estimator, name)
    return estimator._default_parts[name]() if value is None else value


class WarnsOnce(BaseEstimator):
    """An estimator that gives a warning once in a search, and not for each of its candidates.

    A search clones what it is given, and all its candidates are clones of that clone. A clone has
    a memory of the warnings that were given, and shares it with its own clones and copies. What a
    user makes has none, and warns each time.
    """

    _warned: set[type[Warning]] | None = None  # categories; None means no memory

    def __sklearn_clone__(self) -> Self:
        twin = super().__sklearn_clone__()
        twin._warned = set() if self._warned is None else self._warned
        return twin

    def __copy__(self) -> Self:
        twin = object.__new__(type(self))
        twin.__dict__.update(vars(self))  # other copies lose the memory
        return twin

    def __getstate__(self) -> dict:
        return {key: value for key, value in super().__getstate__().items() if key != "_warned"}

    def _warn_once(self, message: str, category: type[Warning] = UserWarning) -> None:
        """Warn, unless a warning of this category was given by who shares the memory."""
        if self._warned is not None:
            if category in self._warned:
                return
            self._warned.add(category)
        warn(message, category)

    def _warn_of_grid_end(self, alphas: NDArray, scores: NDArray) -> None:
        """Warn if a best ridge parameter is an end of the grid, and beats its neighbour by 1 %."""
        order = np.argsort(alphas)
        alphas, scores = alphas[order], scores[order].reshape(len(alphas), -1)
        if len(alphas) == 1:
            return
        for end, which in ((0, "smaller"), (-1, "larger")):
            count = np.count_nonzero(rises_at(end, scores))
            if count:
                message = (
                    f"alphas should have {which} values: the best ridge is the last of the grid, "
                    f"{alphas[end]:.3g}, for {count} of {scores.shape[1]} choices, and the "
                    "score still rises there."
                )
                self._warn_once(message)


class FixedByFit(BaseEstimator):
    """An estimator that checks its parameters where they are used; some decided the fit."""

    _fixed_by_fit: ClassVar[tuple[str, ...]] = ()  # others may change, as the level does

    def _keep_parameters(self):
        """Remember what the fit was made with: its last step."""
        self._fitted_with = {name: getattr(self, name) for name in self._fixed_by_fit}

    def _check_parameters(self):
        """Raise ValueError unless parameters, which may have been set after `fit`, suit it."""
        check_is_fitted(self)
        self._validate_params()
        for name, fitted in self._fitted_with.items():
            if (now := getattr(self, name)) != fitted:
                raise ValueError(
                    f"{name} must be that of the fit, {fitted!r}; got {now!r}. Fit again."
                )
