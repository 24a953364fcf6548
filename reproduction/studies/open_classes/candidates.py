"""What weak labels of images say: the component of a class, of a mixture of class vectors."""

__all__ = ["candidates"]


def candidates(data, y, n_components=None):
    """Which classes weak labels leave open: those of the mixture component of an image's class."""
    mixture = data.natural[n_components or max(data.natural)]
    component = mixture.predict_proba(data.vectors).argmax(axis=1)
    return component == component[y][:, None]
