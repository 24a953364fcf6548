"""Parameters that may be set after a fit only to what they were in it."""

from typing import ClassVar

from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted


class FixedByFit(BaseEstimator):
    """An estimator that checks its parameters where they are used; some decided the fit."""

    _fixed_by_fit: ClassVar[tuple[str, ...]] = ()  # the others may change, as the level does

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
