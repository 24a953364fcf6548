"""Features of images that the reader has computed."""

from pathlib import Path

import numpy as np
from sklearn.utils import Bunch, check_array, check_consistent_length, column_or_1d

from reproduction.datasets.cache import DataUnavailableError

__all__ = ["load_image_features"]


def load_image_features(path, *, labels=None, class_names=None):
    """Load features of images from a file, in the form of `fetch_caltech101` and `fetch_awa`.

    The paper's features for both data sets are those of layer fc7 of VGG19 (section 6.5). They
    are not part of this project; any others will do.

    Parameters
    ----------
    path : str or path-like
        An ``.npz`` file with the arrays ``features``, ``labels`` and perhaps ``class_names``, or
        an ``.npy`` file with the features alone, of shape (n_samples, n_features).
    labels : array-like of shape (n_samples,), default=None
        The class of each image: names, or indices of `class_names`. None takes the file's.
    class_names : array-like of shape (n_classes,), default=None
        Names of the classes, in the order that the labels shall have. None takes the file's; if
        it has none, the names among the labels are sorted.

    Returns
    -------
    sklearn.utils.Bunch
        With attributes

        features : ndarray of shape (n_samples, n_features)
            Features of the images, float32.
        labels : ndarray of shape (n_samples,)
            Class of each image, an index of `class_names`.
        class_names : ndarray of shape (n_classes,)
            Names of the classes.

    Raises
    ------
    DataUnavailableError
        If the file is missing or is no such file; pickled objects are not read.
    TypeError, ValueError
        If features are not finite, do not go with the labels, or these not with the names.

    See Also
    --------
    reproduction.datasets.texts.class_texts.fetch_class_texts : Its ``class_names`` put
        other features in the order of the texts.

    Examples
    --------
    >>> import numpy as np
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> from reproduction.datasets.images.image_features import load_image_features
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder, "vgg19_fc7.npz")
    ...     np.savez(path, features=[[0.0, 1.5], [2.0, 0.0]], labels=["wolf", "fox"])
    ...     images = load_image_features(path)
    >>> images.labels, images.class_names
    (array([1, 0]), array(['fox', 'wolf'], dtype='<U4'))
    """
    arrays = _read(Path(path).expanduser())
    for name, value in (("labels", labels), ("class_names", class_names)):
        if value is not None:
            arrays[name] = np.asarray(value)
    if "labels" not in arrays:
        raise ValueError(f"labels must be given, since {path} holds none; got None.")
    features = check_array(arrays["features"], dtype=np.float32, input_name="features")
    labels = column_or_1d(arrays["labels"])
    check_consistent_length(features, labels)
    labels, class_names = _encode(labels, arrays.get("class_names"))
    return Bunch(features=features, labels=labels, class_names=class_names)


def _read(path):
    """Arrays of the file, those of them that are known here."""
    try:
        with open(path, "rb") as file:
            stored = np.load(file, allow_pickle=False)
            if isinstance(stored, np.ndarray):
                return {"features": stored}
            names = {"features"} | ({"labels", "class_names"} & set(stored))
            return {name: stored[name] for name in names}
    except Exception as error:  # zipfile, zlib and numpy all have their own for a damaged file
        raise DataUnavailableError(
            f"Image features: {path} cannot be read ({type(error).__name__}: {error}). It must "
            "be an .npy file of features, or an .npz file with the arrays features, labels and "
            "perhaps class_names."
        ) from error


def _encode(labels, class_names):
    """Labels as indices, and the names that they are indices of."""
    if labels.dtype.kind == "U":
        if class_names is None:
            class_names, labels = np.unique(labels, return_inverse=True)
            return labels, class_names
        numbers = {name: number for number, name in enumerate(class_names.tolist())}
        unknown = set(labels.tolist()) - numbers.keys()
        if unknown:
            raise ValueError(f"labels must be among class_names; got {min(unknown)!r}.")
        return np.array([numbers[name] for name in labels.tolist()]), class_names
    if labels.dtype.kind not in "iu":
        raise TypeError(f"labels must be names or integers; got dtype {labels.dtype}.")
    if class_names is None:
        raise ValueError("class_names must be given when labels are numbers; got None.")
    if labels.min() < 0 or labels.max() >= len(class_names):
        raise ValueError(
            f"labels must be from 0 to {len(class_names) - 1}, indices of class_names; "
            f"got {labels.min()} to {labels.max()}."
        )
    return labels.astype(int), class_names
