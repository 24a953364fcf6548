"""Mini-MIAS: bags of visual words of mammograms."""

import numpy as np

from reproduction.datasets.declaration import Dataset, Field

__all__ = ["DATASETS", "MIAS_BOF", "fetch_mias_bof"]


def _assemble(arrays):
    # Normal/mdb006.jpg; where an image has two regions, a number in parentheses follows
    names = arrays["source_name"].tolist()
    return {"image": np.array([int(name.partition("mdb")[2][:3]) for name in names])}


MIAS_BOF = Dataset(
    name="mias_bof",
    title="Mini-MIAS mammograms: visual words to diagnoses",
    details="""
Regions of 96 x 96 pixels: 70 normal, 65 with a benign, 50 with a malignant finding. An input
counts 200 visual words, that is, clusters of patches of 8 x 8 pixels, among the 529 patches of a
region. Divide by their sum; square roots help. A few images have two regions, so splits should go
by `image`.
fetch_cbis_ddsm has descriptions of mammograms of the paper's data base.
""",
    size="185 regions, 200 visual words, 3 classes",
    paper=(
        "Local structured output predictors (Du 2016), section 4.1, data set I: the kind of "
        "data, from a small data base"
    ),
    source=(
        "Made from 185 regions of mammograms of the GitHub repository "
        "RafaelaMartins/mammogram-classification, which does not say how the regions were "
        "chosen. The data base is at http://peipa.essex.ac.uk/info/mias.html."
    ),
    licence=(
        "The MIAS agreement allows research and does not grant redistribution; no image is kept, "
        "only histograms."
    ),
    citation=(
        "J. Suckling et al., The Mammographic Image Analysis Society digital mammogram database, "
        "Excerpta Medica International Congress Series 1069, 1994"
    ),
    fidelity="substitute",
    notes=(
        "Modality, classes and kind of features are those of the paper on local structured "
        "predictors; another data base than DDSM, and 185 regions instead of 2620 pairs of "
        "images. The visual words were learnt, without labels, from all regions."
    ),
    spdx="LicenseRef-MIAS-histograms",
    conversion=(
        "Patches of 8 x 8 pixels every 4 pixels; a patch minus its mean, divided by 10, joined "
        "with its mean divided by 32; scikit-learn's MiniBatchKMeans(200, random_state=0, "
        "n_init=3, batch_size=4096) on all patches; counts. The images may not be passed on, so"
        " that it is not made again here."
    ),
    prepared="mias_bof/mias_bof.npz",
    checksums={
        "hist": "a001d0ce572862e8e3b43c7093681acb13338a140404940d448807944e5e1dd2",
        "y": "5a7681e71fdafdf8e76a3c4961f7cfb248f0a7d4e9b6dbe1d7a494b3848862c8",
        "class_names": "187c0c1a6f279f238375108967a082c784fd99ad7df910fc5df5bbe8230f3d97",
        "source_name": "cbd2223f4a1881fde1f8d1bede6d05920e2a9f6cb90447b9f87ce3c44edbc346",
    },
    assemble=_assemble,
    fields={
        "counts": Field("float64", (185, 200), "counts of visual words", stored="hist"),
        "labels": Field("int64", (185,), "diagnoses, indices of class_names", stored="y"),
        "class_names": Field("str", (3,), "normal, benign, malignant"),
        "image": Field("int64", (185,), "number of the mammogram that a region is from"),
        "source_name": Field("str", (185,), "names of the files"),
    },
)
DATASETS = (MIAS_BOF,)
fetch_mias_bof = MIAS_BOF.fetch
