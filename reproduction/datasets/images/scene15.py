"""Fifteen categories of scenes: features of photographs, and a tree of the categories."""

from reproduction.datasets.declaration import Dataset, Field

__all__ = ["DATASETS", "SCENE15", "fetch_scene15"]


def _assemble(arrays):
    return {"features": arrays["hog_u8"] / 255.0}


SCENE15 = Dataset(
    name="scene15",
    title="Fifteen scene categories: image features to leaves of a tree",
    details="""
Photographs of rooms, landscapes and streets, 200 a category. Inputs are histograms of oriented
gradients: grey images of 128 x 128 pixels, 9 orientations, cells of 16 x 16 pixels, blocks of
2 x 2 cells, L2-Hys; 1764 values in [0, 1], stored in steps of 1/255. Categories are leaves of a
tree with three inner levels, the root one of them; every leaf has depth 3.
The tree goes into ofer.companions.TreeOutputs as parents and leaves.
""",
    size="3000 images, 1764 features, 15 leaves of a tree of 29 nodes",
    paper=(
        "Local structured output predictors (Du 2016), section 4.1, data set II: the kind of "
        "data, photographs whose labels are leaves of a tree"
    ),
    source=(
        "Made from 3000 photographs of the GitHub repository "
        "lionelmessi6410/Scene-Recognition-with-Bag-of-Words; the array filename says which. No "
        "image is kept."
    ),
    licence=(
        "Repository MIT; the photographs come without a stated licence (Corel, the web and "
        "personal collections). Only features are kept."
    ),
    citation=(
        "S. Lazebnik, C. Schmid, J. Ponce, Beyond bags of features: spatial pyramid matching for "
        "recognizing natural scene categories, CVPR 2006"
    ),
    fidelity="substitute",
    notes=(
        "As in the paper on local structured predictors 15 leaves, 200 images each, HOG "
        "features; but other photographs than those of SUN, and a tree of our own after the "
        "upper levels of SUN's, since the paper does not print its tree."
    ),
    spdx="LicenseRef-none-stated",
    conversion=(
        "Of each category 200 photographs drawn with numpy's RandomState(0) from all, sorted by"
        " name; grey, resized to 128 x 128 pixels (bilinear), skimage.feature.hog, rounded to "
        "1/255. Needs 3000 images, so that it is not made again here."
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
    assemble=_assemble,
    fields={
        "features": Field("float64", (3000, 1764), "histograms of oriented gradients, in [0, 1]"),
        "labels": Field(
            "int64", (3000,), "categories, indices of class_names and leaves", stored="y"
        ),
        "class_names": Field("str", (15,), "names of the categories"),
        "parents": Field(
            "int64", (29,), "parent of each node of the tree, -1 for the root", stored="parent"
        ),
        "leaves": Field("int64", (15,), "node of each category", stored="leaf_node"),
        "node_names": Field("str", (29,), "names of the nodes"),
        "filename": Field("str", (3000,), "names of the photographs in the source repository"),
    },
)
DATASETS = (SCENE15,)
fetch_scene15 = SCENE15.fetch
