"""A fit is whole, or it did not happen."""

import functools
from collections.abc import Callable

from sklearn import config_context, get_config

from ofer.utils.entries import naming_texts


def fit_context(*, prefer_skip_nested_validation: bool) -> Callable:
    """Decorate a method that changes an estimator, such as `fit`, `partial_fit` or `merge`.

    As scikit-learn's decorator of this name, it checks the parameters first. It
    checks data for NaN even with ``assume_finite``, since no sum here survives one. And if the
    method fails or is interrupted, the estimator is what it was: its attributes are those from
    before. A method must therefore set attributes, and not write into the arrays or estimators that
    they hold.
    """

    def decorate(method: Callable) -> Callable:
        @functools.wraps(method)
        def whole(estimator, *args, **kwargs):
            skip, before = get_config()["skip_parameter_validation"], dict(vars(estimator))
            if not skip:
                estimator._validate_params()
            inner = prefer_skip_nested_validation or skip
            try:
                options = {"skip_parameter_validation": inner, "assume_finite": False}
                with config_context(**options), naming_texts(args[0] if args else kwargs.get("X")):
                    return method(estimator, *args, **kwargs)
            except BaseException:
                vars(estimator).clear()
                vars(estimator).update(before)
                raise

        return whole

    return decorate
