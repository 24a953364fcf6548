"""Animals with Attributes: features of images, animals, and what these are like."""

import numpy as np

from reproduction.datasets.declaration import Dataset, Field
from reproduction.datasets.stored import dequantised

__all__ = ["AWA", "DATASETS", "fetch_awa"]


def _assemble(arrays):
    strength = arrays["predicates_continuous"].astype(np.float64)
    return {
        "features": dequantised(arrays),
        "predicate_strength": np.where(strength == -1, np.nan, strength),
    }


AWA = Dataset(
    name="awa",
    title="Animals with Attributes: image features to animals",
    details="""
Photographs of animals of 50 kinds, first version of the data set. An input is the first 256
principal components of five of the authors' histograms of visual words (lss, phog, rgsift, sift
and surf): each histogram divided by its sum, its square root taken, all five centred side by
side. The components are those of all images, without their labels. Attributes, such as "black" or
"swims", are known for each kind of animal.
Images are sorted by class. Other features, such as the paper's, are read by load_image_features;
fetch_class_texts says in words what the classes are.
""",
    size="30475 images, 256 features, 50 classes, 85 attributes",
    paper=(
        "Output Fisher embedding regression (Djerrab et al. 2018), section 6.5: its images, with "
        "older features"
    ),
    source=(
        "Made from 250 files of histograms and six text files of the GitHub repository "
        "samorr/Animals-with-Attributes. The authors' page is https://cvml.ist.ac.at/AwA/; "
        "features computed from the original images, such as the paper's, are read by "
        "load_image_features."
    ),
    licence="No licence file; the repository points to the authors' page.",
    citation=(
        "C. H. Lampert, H. Nickisch, S. Harmeling, Learning to detect unseen object classes by "
        "between-class attribute transfer, CVPR 2009"
    ),
    fidelity="substitute",
    notes=(
        "The paper's images and classes. The features are histograms of visual words, as was "
        "usual in 2009, instead of layer fc7 of VGG19, and far weaker: accuracies are much lower "
        "than the paper's."
    ),
    spdx="LicenseRef-none-stated",
    conversion=(
        "Each histogram divided by its sum, its square root taken, the five side by side "
        "centred, 256 principal components of all images, stored as int8 with a step for each "
        "column. Made from 250 pickled files, which this project does not read, so that it "
        "cannot be made again here."
    ),
    prepared="awa/awa_pca256.npz",
    checksums={
        "features_q": "1690b7ad3eb2db41205a0620638471ff06c4a6df2f1d5dadc611288e78f7a3ed",
        "scale": "5cc4724ff1ac262037eb335ade8f0d090c736d6489eaa232224a986609de4363",
        "labels": "9fac405835695f32259a33c5a87adfd94394da1d6836b73f296b149646012e11",
        "class_names": "b334b138ac68cd53a0ce92c897c27517f63ce010fbfb545705cea4969d4cb8cc",
        "predicate_names": "3212e1a2e80e690664b785d2ea914646079af0b6f7d480d74cfbcf442ae8ef4c",
        "predicates_binary": "6f7c31dfb46bcc577687146c69b1ca310139e6b4e8d3aea9ba29186d6ea29a00",
        "predicates_continuous": "e72734298a7d9420e17452b7b7f473e64f86da92bc602b2fd36d67bf0932076b",
        "zero_shot_test_class": "3b040f64519fb637fca540952ea865fd24ee9df8004c68ee858c95fa4665e63c",
        "explained_variance": "c6752db4d49899a9de2e1e96f5a6015176935b9588a3d3a6ce4565c46c99d836",
    },
    assemble=_assemble,
    fields={
        "features": Field(
            "float32", (30475, 256), "principal components, those of most variance first"
        ),
        "labels": Field("int64", (30475,), "class of each image, an index of class_names"),
        "class_names": Field("str", (50,), "names of the classes"),
        "predicate_names": Field("str", (85,), "names of the attributes"),
        "predicates": Field(
            "bool", (50, 85), "whether an animal has an attribute", stored="predicates_binary"
        ),
        "predicate_strength": Field(
            "float64", (50, 85), "how much it has of it, NaN where not known"
        ),
        "zero_shot_test_class": Field(
            "bool", (50,), "whether the authors kept the class for tests of zero-shot learning"
        ),
    },
)
DATASETS = (AWA,)
fetch_awa = AWA.fetch
