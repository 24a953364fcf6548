"""Caltech-101: features of images, and what they show."""

from sklearn.utils import Bunch

from ofer.datasets._cache import DatasetInfo, RemoteDataset, fetch_arrays
from ofer.datasets._stored import dequantised

__all__ = ["CALTECH101", "fetch_caltech101"]

CALTECH101 = RemoteDataset(
    info=DatasetInfo(
        name="caltech101",
        title="Caltech-101: image features to classes of objects",
        size="8677 images, 1024 features, 101 classes",
        source=(
            "Made from 8677 images of the GitHub repository zi-gax/HOG_SVM_Caltech101 and the "
            "network weights in kostasx/tfjs-mobilenet-offline-model. The original images are at "
            "https://data.caltech.edu/records/mzrjq-6wc02; features computed from them, such as "
            "the paper's, are read by load_image_features."
        ),
        licence=(
            "Images: published by Caltech as CC BY 4.0 (not verified); no image is kept. Network "
            "weights: published by Google under Apache-2.0; only the features are kept."
        ),
        citation=(
            "L. Fei-Fei, R. Fergus, P. Perona, Learning generative visual models from few "
            "training examples, CVPR workshop 2004"
        ),
        fidelity="substitute",
        notes=(
            "The paper's images and classes. The features are of another network of the same "
            "kind: MobileNet v1 (1024 numbers) instead of layer fc7 of VGG19 (4096)."
        ),
    ),
    prepared="caltech101/caltech101_mobilenet.npz",
    checksums={
        "features_q": "a8ec55e9e90039c48a46ab4142534ce243da1b8010855f93e0b44b069dc47a86",
        "scale": "760ff6f1a93e59e0f3b59256da32108a5334f8fd347f93cb8ac3e83e8e18f977",
        "labels": "d4e9161701aedb5e840d1584707f9753c38bed86e47a9be9ef0b6a4cf57127bb",
        "class_names": "d538edea2a5eaaf62bbd202be313b388747930442c80e7467be17a8c3e1bd510",
        "image_number": "6cbb4df70dd13c619f2825bc5446aa0f052462341d7a1fc49cecf81f32ffad35",
    },
)

_DETAILS = """
Photographs of objects of 101 classes, 31 to 800 a class, without the class of backgrounds. An
input is what a network trained on ImageNet sees in the image: the last but one convolutional
layer of MobileNet v1 (conv_dw_13), averaged over the image. Images were resized to 224 x 224
pixels. Features are not negative; each column is stored in at most 256 equal steps.
"""


def fetch_caltech101(*, data_home=None, download_if_missing=True):
    """Load Caltech-101 as features of a convolutional network (classification, 101 classes).

    The images of the paper's section 6.5 [1]_, with features of another network.

    Parameters
    ----------
    data_home : str or path-like, default=None
        Folder of the data, see `ofer.datasets.data_home`. The prepared file
        ``caltech101/caltech101_mobilenet.npz`` in it is checked and used.
    download_if_missing : bool, default=True
        As in the other loaders, but without effect: nothing can be downloaded here.

    Returns
    -------
    sklearn.utils.Bunch
        With attributes

        features : ndarray of shape (n_samples, 1024)
            Features of the images, float32.
        labels : ndarray of shape (n_samples,)
            Class of each image, an index of `class_names`.
        class_names : ndarray of shape (101,)
            Names of the classes: the folders of the original data.
        image_number : ndarray of shape (n_samples,)
            Number of the image in its folder.
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
    load_image_features : Reads other features, such as the paper's.
    fetch_class_texts : Says in words what the classes are.

    References
    ----------
    .. [1] Fei-Fei, Fergus, Perona, "Learning generative visual models from few training
       examples", CVPR workshop 2004.

    Examples
    --------
    >>> from ofer.datasets import fetch_caltech101
    >>> images = fetch_caltech101()  # doctest: +SKIP
    >>> images.features.shape  # doctest: +SKIP
    (8677, 1024)
    """
    arrays = fetch_arrays(CALTECH101, home=data_home, download_if_missing=download_if_missing)
    return Bunch(
        features=dequantised(arrays),
        labels=arrays["labels"].astype(int),
        class_names=arrays["class_names"],
        image_number=arrays["image_number"].astype(int),
        DESCR=CALTECH101.info.describe(_DETAILS),
        checksums=dict(CALTECH101.checksums),
    )
