"""Fifteen categories of scenes: features of photographs, and a tree of the categories."""

from sklearn.utils import Bunch

from ofer.datasets._cache import DatasetInfo, RemoteDataset, fetch_arrays

__all__ = ["SCENE15", "fetch_scene15"]

SCENE15 = RemoteDataset(
    info=DatasetInfo(
        name="scene15",
        title="Fifteen scene categories: image features to leaves of a tree",
        size="3000 images, 1764 features, 15 leaves of a tree of 29 nodes",
        source=(
            "Made from 3000 photographs of the GitHub repository "
            "lionelmessi6410/Scene-Recognition-with-Bag-of-Words; the array filename says which. "
            "No image is kept."
        ),
        licence=(
            "Repository MIT; the photographs come without a stated licence (Corel, the web and "
            "personal collections). Only features are kept."
        ),
        citation=(
            "S. Lazebnik, C. Schmid, J. Ponce, Beyond bags of features: spatial pyramid matching "
            "for recognizing natural scene categories, CVPR 2006"
        ),
        fidelity="substitute",
        notes=(
            "As in the paper on local structured predictors 15 leaves, 200 images each, HOG "
            "features; but other photographs than those of SUN, and a tree of our own after the "
            "upper levels of SUN's, since the paper does not print its tree."
        ),
    ),
    prepared="scene15/scene15_hog.npz",
    checksums={
        "hog_u8": "f588f5f7e35cb5a33cbcb6182962cf9947ad88949b8e01c8cfba06a81de3f692",
        "y": "c23a8c991cee0292dcb7f0cb5feeee0c5c5134a36062a1220adf359695097887",
        "class_names": "21490fe59a3f1351f20112d0ed817ef0d1a6074c6afd502db57edbca84e86e96",
        "node_names": "f7fca3037284675dc1ea15864ae6291519c47d92aa3a6c58753875201dfb5687",
        "parent": "a562449bf3f081e3b9d48b8ef2477ac38e9822f84e72e1debb75b6c4bb0f5b77",
        "leaf_node": "42df52a2c7d891147495b779bda95766c17ed6594ec74adb03ecb0339c0bfd1f",
        "filename": "2b2023a2fc9ef7adeed7e8de4f3f03515d64e6fa5de68b4bbbb1d9a5fa905ea3",
    },
)

_DETAILS = """
Photographs of rooms, landscapes and streets, 200 a category. Inputs are histograms of oriented
gradients: grey images of 128 x 128 pixels, 9 orientations, cells of 16 x 16 pixels, blocks of
2 x 2 cells, L2-Hys; 1764 values in [0, 1], stored in steps of 1/255. Categories are leaves of a
tree with three inner levels, the root one of them; every leaf has depth 3.
"""


def fetch_scene15(*, data_home=None, download_if_missing=True):
    """Load the fifteen scene categories with their tree (classification, 15 leaves).

    The kind of data of the paper on local structured predictors [1]_: photographs whose labels
    are leaves of a tree.

    Parameters
    ----------
    data_home : str or path-like, default=None
        Folder of the data, see `ofer.datasets.data_home`. The prepared file
        ``scene15/scene15_hog.npz`` in it is checked and used.
    download_if_missing : bool, default=True
        As in the other loaders, but without effect: nothing can be downloaded here.

    Returns
    -------
    sklearn.utils.Bunch
        With attributes

        features : ndarray of shape (3000, 1764)
            Histograms of oriented gradients, in [0, 1].
        labels : ndarray of shape (3000,)
            Categories, indices of `class_names` and `leaves`.
        class_names : ndarray of shape (15,)
            Names of the categories.
        parents : ndarray of shape (29,)
            Parent of each node of the tree, -1 for the root.
        leaves : ndarray of shape (15,)
            Node of each category.
        node_names : ndarray of shape (29,)
            Names of the nodes.
        filename : ndarray of shape (3000,)
            Names of the photographs in the source repository.
        DESCR : str
            Description, terms of use, and how the data differ from the paper's.
        checksums : dict of str to str
            sha256 of the stored arrays.

    Raises
    ------
    DataUnavailableError
        If the prepared file is missing or damaged.

    See Also
    --------
    ofer.companions.TreeOutputs : Takes `parents` and `leaves`.

    References
    ----------
    .. [1] Du, "Semi-supervised learning of local structured output predictors", Neurocomputing
       2016, section 4.1, data set II.

    Examples
    --------
    >>> from ofer.datasets import fetch_scene15
    >>> scenes = fetch_scene15()  # doctest: +SKIP
    >>> scenes.features.shape, len(scenes.parents)  # doctest: +SKIP
    ((3000, 1764), 29)
    """
    arrays = fetch_arrays(SCENE15, home=data_home, download_if_missing=download_if_missing)
    return Bunch(
        features=arrays["hog_u8"] / 255.0,
        labels=arrays["y"].astype(int),
        class_names=arrays["class_names"],
        parents=arrays["parent"].astype(int),
        leaves=arrays["leaf_node"].astype(int),
        node_names=arrays["node_names"],
        filename=arrays["filename"],
        DESCR=SCENE15.info.describe(_DETAILS),
        checksums=dict(SCENE15.checksums),
    )
