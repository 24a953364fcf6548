"""Mini-MIAS: bags of visual words of mammograms."""

import numpy as np
from sklearn.utils import Bunch

from ofer.datasets._cache import DatasetInfo, RemoteDataset, fetch_arrays

__all__ = ["MIAS_BOF", "fetch_mias_bof"]

MIAS_BOF = RemoteDataset(
    info=DatasetInfo(
        name="mias_bof",
        title="Mini-MIAS mammograms: visual words to diagnoses",
        size="185 regions, 200 visual words, 3 classes",
        source=(
            "Made from 185 regions of mammograms of the GitHub repository "
            "RafaelaMartins/mammogram-classification, which does not say how the regions were "
            "chosen. The data base is at http://peipa.essex.ac.uk/info/mias.html."
        ),
        licence=(
            "The MIAS agreement allows research and does not grant redistribution; no image is "
            "kept, only histograms."
        ),
        citation=(
            "J. Suckling et al., The Mammographic Image Analysis Society digital mammogram "
            "database, Excerpta Medica International Congress Series 1069, 1994"
        ),
        fidelity="substitute",
        notes=(
            "Modality, classes and kind of features are those of the paper on local structured "
            "predictors; another data base than DDSM, and 185 regions instead of 2620 pairs of "
            "images. The visual words were learnt, without labels, from all regions."
        ),
    ),
    prepared="mias_bof/mias_bof.npz",
    checksums={
        "hist": "a001d0ce572862e8e3b43c7093681acb13338a140404940d448807944e5e1dd2",
        "y": "5a7681e71fdafdf8e76a3c4961f7cfb248f0a7d4e9b6dbe1d7a494b3848862c8",
        "class_names": "187c0c1a6f279f238375108967a082c784fd99ad7df910fc5df5bbe8230f3d97",
        "source_name": "cbd2223f4a1881fde1f8d1bede6d05920e2a9f6cb90447b9f87ce3c44edbc346",
    },
)

_DETAILS = """
Regions of 96 x 96 pixels: 70 normal, 65 with a benign, 50 with a malignant finding. An input
counts 200 visual words, that is, clusters of patches of 8 x 8 pixels, among the 529 patches of a
region. Divide by their sum; square roots help. A few images have two regions, so splits should go
by `image`.
"""


def fetch_mias_bof(*, data_home=None, download_if_missing=True):
    """Load bags of visual words of the Mini-MIAS mammograms (classification, 3 classes).

    The kind of data of the paper on local structured predictors [1]_, from a small data base.

    Parameters
    ----------
    data_home : str or path-like, default=None
        Folder of the data, see `ofer.datasets.data_home`. The prepared file
        ``mias_bof/mias_bof.npz`` in it is checked and used.
    download_if_missing : bool, default=True
        As in the other loaders, but without effect: nothing can be downloaded here.

    Returns
    -------
    sklearn.utils.Bunch
        With attributes

        counts : ndarray of shape (185, 200)
            Counts of visual words, float64.
        labels : ndarray of shape (185,)
            Diagnoses, indices of `class_names`.
        class_names : ndarray of shape (3,)
            normal, benign, malignant.
        image : ndarray of shape (185,)
            Number of the mammogram that a region is from.
        source_name : ndarray of shape (185,)
            Names of the files.
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
    fetch_cbis_ddsm : Descriptions of mammograms of the paper's data base.

    References
    ----------
    .. [1] Du, "Semi-supervised learning of local structured output predictors", Neurocomputing
       2016, section 4.1, data set I.

    Examples
    --------
    >>> from ofer.datasets import fetch_mias_bof
    >>> mammograms = fetch_mias_bof()  # doctest: +SKIP
    >>> mammograms.counts.shape  # doctest: +SKIP
    (185, 200)
    """
    arrays = fetch_arrays(MIAS_BOF, home=data_home, download_if_missing=download_if_missing)
    names = arrays["source_name"]
    return Bunch(
        counts=arrays["hist"].astype(np.float64),
        labels=arrays["y"].astype(int),
        class_names=arrays["class_names"],
        # Normal/mdb006.jpg; where an image has two regions, a number in parentheses follows
        image=np.array([int(name.partition("mdb")[2][:3]) for name in names.tolist()]),
        source_name=names,
        DESCR=MIAS_BOF.info.describe(_DETAILS),
        checksums=dict(MIAS_BOF.checksums),
    )
