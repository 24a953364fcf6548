"""Caltech-101: features of images, and what they show."""

from reproduction.datasets.declaration import Dataset, Field
from reproduction.datasets.stored import dequantised

__all__ = ["CALTECH101", "DATASETS", "fetch_caltech101"]


def _assemble(arrays):
    return {"features": dequantised(arrays)}


CALTECH101 = Dataset(
    name="caltech101",
    title="Caltech-101: image features to classes of objects",
    details="""
Photographs of objects of 101 classes, 31 to 800 a class, without the class of backgrounds. An
input is what a network trained on ImageNet sees in the image: the last but one convolutional
layer of MobileNet v1 (conv_dw_13), averaged over the image. Images were resized to 224 x 224
pixels. Features are not negative; each column is stored in at most 256 equal steps.
Other features, such as the paper's, are read by load_image_features; fetch_class_texts says in
words what the classes are.
""",
    size="8677 images, 1024 features, 101 classes",
    paper=(
        "Output Fisher embedding regression (Djerrab et al. 2018), section 6.5: its images, with "
        "features of another network"
    ),
    source=(
        "Made from 8677 images of the GitHub repository zi-gax/HOG_SVM_Caltech101 and the "
        "network weights in kostasx/tfjs-mobilenet-offline-model. The original images are at "
        "https://data.caltech.edu/records/mzrjq-6wc02; features computed from them, such as the "
        "paper's, are read by load_image_features."
    ),
    licence=(
        "Images: published by Caltech as CC BY 4.0 (not verified); no image is kept. Network "
        "weights: published by Google under Apache-2.0; only the features are kept."
    ),
    citation=(
        "L. Fei-Fei, R. Fergus, P. Perona, Learning generative visual models from few training "
        "examples, CVPR workshop 2004"
    ),
    fidelity="substitute",
    notes=(
        "The paper's images and classes. The features are of another network of the same kind: "
        "MobileNet v1 (1024 numbers) instead of layer fc7 of VGG19 (4096)."
    ),
    spdx="CC-BY-4.0",
    conversion=(
        "Images in RGB, resized to 224 x 224 pixels (bilinear, without keeping the aspect), x /"
        " 127.5 - 1; the outputs of the layer conv_dw_13 averaged over the image, stored as "
        "uint8 with a step for each column. Needs 8677 images and the network, so that it is "
        "not made again here."
    ),
    prepared="caltech101/caltech101_mobilenet.npz",
    checksums={
        "features_q": "a8ec55e9e90039c48a46ab4142534ce243da1b8010855f93e0b44b069dc47a86",
        "scale": "760ff6f1a93e59e0f3b59256da32108a5334f8fd347f93cb8ac3e83e8e18f977",
        "labels": "d4e9161701aedb5e840d1584707f9753c38bed86e47a9be9ef0b6a4cf57127bb",
        "class_names": "d538edea2a5eaaf62bbd202be313b388747930442c80e7467be17a8c3e1bd510",
        "image_number": "6cbb4df70dd13c619f2825bc5446aa0f052462341d7a1fc49cecf81f32ffad35",
    },
    assemble=_assemble,
    fields={
        "features": Field("float32", (8677, 1024), "features of the images, not negative"),
        "labels": Field("int64", (8677,), "class of each image, an index of class_names"),
        "class_names": Field(
            "str", (101,), "names of the classes: the folders of the original data"
        ),
        "image_number": Field("int64", (8677,), "number of the image in its folder"),
    },
)
DATASETS = (CALTECH101,)
fetch_caltech101 = CALTECH101.fetch
