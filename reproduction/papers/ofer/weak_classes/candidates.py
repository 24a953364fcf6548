"""What weak labels say: the component of a class, of a mixture of class vectors."""

import numpy as np

__all__ = ["candidates"]


def candidates(data, y, *, n_components=None, wrong=0.0, seed=0):
    """Which classes weak labels leave open: those of the mixture component of an image's class.

    Parameters
    ----------
    data : sklearn.utils.Bunch
        As from `reproduction.papers.ofer.images.tasks.describe`.
    y : ndarray of shape (n_weak,)
        Classes of the weak images.
    n_components : int, default=None
        Size of the mixture of class vectors; None is the largest.
    wrong : float, default=0.0
        Share of labels that are replaced by another component, at random.
    seed : int, default=0
        Seeds which, and by what.

    Returns
    -------
    ndarray of bool of shape (n_weak, n_classes)
    """
    mixture = data.natural[n_components or max(data.natural)]
    component = mixture.predict_proba(data.vectors).argmax(axis=1)
    told, used = component[y], np.unique(component)
    rng = np.random.default_rng([seed, 77])
    changed = rng.permutation(len(y))[: round(wrong * len(y))]
    step = rng.integers(1, max(len(used), 2), size=len(changed))
    told[changed] = used[(np.searchsorted(used, told[changed]) + step) % len(used)]
    return component == told[:, None]
