"""Choice of hyper-parameters by cross-validation, as the paper describes it."""

import warnings

from sklearn.model_selection import KFold

from ofer.embeddings import CollapsedComponentWarning
from reproduction.statistics.selection import select_by_folds

__all__ = ["few_enough", "fit_by_folds"]


def fit_by_folds(model, grid, task, n_folds):
    """Fit a model to the training part, with the parameters of the least error over its folds."""
    folds = KFold(n_folds, shuffle=True, random_state=task.seed)
    with warnings.catch_warnings():
        # Ten samples for two components: a collapse is what the folds are there to punish.
        warnings.simplefilter("ignore", CollapsedComponentWarning)
        return select_by_folds(model, grid, task.X, task.Y, folds)


def few_enough(n_components, n_train, outputs_per_component):
    """Numbers of components that leave each enough outputs on average."""
    return [count for count in n_components if count <= n_train / outputs_per_component]
