"""Choosing parameters one after the other, each along a line of candidates."""

import numpy as np
from sklearn.base import BaseEstimator, MetaEstimatorMixin, clone
from sklearn.model_selection import cross_val_score

__all__ = ["LineSearchCV"]


class LineSearchCV(MetaEstimatorMixin, BaseEstimator):
    """One parameter after the other moves along its candidates while the score rises.

    What a grid would take the product of, this takes a part of the sum of. The estimator's own
    score is the criterion. Each parameter starts where the estimator has it, and goes up, or else
    down, to the next candidate as long as that is better.
    """

    def __init__(self, estimator, lines, *, cv, refit=True):
        self.estimator = estimator
        self.lines = lines
        self.cv = cv
        self.refit = refit

    def fit(self, X, y):
        """Choose, and fit the best candidate."""
        start = self.estimator.get_params()
        best = {name: start[name] for name in self.lines}
        score = self._score(best, X, y)
        for name, line in self.lines.items():
            place = line.index(best[name])
            for following in (line[place + 1 :], line[:place][::-1]):
                before = score
                for value in following:
                    trial = self._score(best | {name: value}, X, y)
                    if trial <= score:
                        break
                    best, score = best | {name: value}, trial
                if score > before:  # what is better above is not looked for below
                    break
        self.best_params_, self.best_score_ = best, score
        self.best_estimator_ = clone(self.estimator).set_params(**best)
        if self.refit:
            self.best_estimator_.fit(X, y)
        return self

    def _score(self, params, X, y):
        """Mean score over the folds."""
        model = clone(self.estimator).set_params(**params)
        return float(np.mean(cross_val_score(model, X, y, cv=self.cv, error_score="raise")))

    def predict(self, X):
        """Predict by the best candidate."""
        return self.best_estimator_.predict(X)
