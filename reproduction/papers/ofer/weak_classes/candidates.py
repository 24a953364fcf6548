"""What weak labels of images say: the component of a class, of a mixture of class vectors."""

__all__ = ["candidates"]


def candidates(data, y, n_components=None):
    """Which classes weak labels leave open: those of the mixture component of an image's class.

    Parameters
    ----------
    data : sklearn.utils.Bunch
        As from `reproduction.papers.ofer.images.tasks.describe`.
    y : ndarray of shape (n_weak,)
        Classes of the weak images.
    n_components : int, default=None
        Size of the mixture of class vectors; None is the largest.

    Returns
    -------
    ndarray of bool of shape (n_weak, n_classes)
    """
    mixture = data.natural[n_components or max(data.natural)]
    component = mixture.predict_proba(data.vectors).argmax(axis=1)
    return component == component[y][:, None]
