"""Choice of hyper-parameters on a training part, as the experiments share it."""

from sklearn.ensemble import RandomForestRegressor
from sklearn.metrics import make_scorer
from sklearn.model_selection import GridSearchCV

from ofer.metrics import rrmse

__all__ = ["select_by_folds", "select_forest"]


def select_by_folds(model, grid, X, Y, folds, *, groups=None):
    """Fit a model with the hyper-parameters that have the least cross-validated RRMSE.

    Parameters
    ----------
    model : estimator
        The model.
    grid : dict of str to list
        Values to try, as in `sklearn.model_selection.GridSearchCV`.
    X : array-like
        Training inputs.
    Y : ndarray of shape (n_train, n_outputs)
        Training outputs.
    folds : cross-validation splitter
        The folds, of the training part alone.
    groups : array-like of shape (n_train,), default=None
        Passed to the splitter.

    Returns
    -------
    estimator
        Fitted to all of the training part.
    """
    scoring = make_scorer(rrmse, greater_is_better=False)
    search = GridSearchCV(model, grid, cv=folds, scoring=scoring, error_score="raise")
    return search.fit(X, Y, groups=groups).best_estimator_


def select_forest(X, Y, *, n_trees, max_features, seed):
    """Fit random forests and keep the one with the least out-of-bag RRMSE.

    Parameters
    ----------
    X : array-like of shape (n_train, n_features)
        Training inputs.
    Y : ndarray of shape (n_train, n_outputs)
        Training outputs.
    n_trees : int
        Trees of a forest.
    max_features : sequence of {"sqrt", float}
        Shares of the features that a split may choose from, to try.
    seed : int
        Seeds the trees.

    Returns
    -------
    RandomForestRegressor
    """
    forests = [
        RandomForestRegressor(n_trees, max_features=share, oob_score=True, random_state=seed).fit(
            X, Y
        )
        for share in max_features
    ]
    return min(forests, key=lambda forest: rrmse(Y, forest.oob_prediction_))
