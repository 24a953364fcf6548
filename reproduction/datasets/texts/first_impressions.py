"""First Impressions: what people say in short videos, and how their personality seems."""

import numpy as np

from reproduction.datasets.declaration import Dataset, Field
from reproduction.datasets.stored import word_counts

__all__ = ["DATASETS", "FIRST_IMPRESSIONS", "fetch_first_impressions"]

_SPLITS = np.array(["training", "validation", "test"])


def _assemble(arrays):
    scores = arrays["Y"].astype(np.float64)
    return {
        "counts": word_counts(arrays),
        "Y": scores[:, :5],
        "traits": arrays["traits"][:5],
        "interview": scores[:, 5],
        "split": _SPLITS[arrays["split"]],
    }


FIRST_IMPRESSIONS = Dataset(
    name="first_impressions",
    title="First impressions: words spoken in a video to personality traits",
    details="""
Clips of 15 seconds in which a person speaks to a camera. The outputs are apparent traits between
0 and 1, fitted to comparisons of pairs of clips by paid annotators; the column "neuroticism" is
its opposite, emotional stability, in these data. The inputs are counts of the words that a
transcriber heard: lower-case, in at least 5 clips. Only ids, scores and unordered word counts are
kept. Clips of one video are in more than one part of the split, as in the challenge.
""",
    size="10000 clips, 3611 words, 5 traits",
    paper=(
        "Output Fisher embedding regression (Djerrab et al. 2018), section 6.4.1: its outputs, "
        "with other inputs, the words spoken in the clip"
    ),
    source=(
        "Made from six Python pickles of the GitHub repository mterzolo/first-impressions, which "
        "are not read here. The originals can be had after registration, "
        "https://chalearnlap.cvc.uab.cat/dataset/24/description/, and no loader reads them."
    ),
    licence=(
        "Non-commercial: research data, described as CC BY-NC 4.0 on a public data card. They "
        "are scores about real people, by strangers who saw them for 15 seconds: use them to "
        "compare methods, not to judge a person."
    ),
    citation=(
        "V. Ponce-López et al., ChaLearn LAP 2016: first round challenge on first impressions - "
        "dataset and results, ECCV workshops 2016; H. J. Escalante et al., Explaining first "
        "impressions, 2018"
    ),
    fidelity="substitute",
    notes=(
        "The outputs are the paper's: its 6000 videos are the training clips. The inputs are "
        "words of the transcripts; the paper has CaffeNet features of the first frame."
    ),
    spdx="CC-BY-NC-4.0",
    conversion=(
        "Scores as published, in single precision. Transcripts in small letters, what is in "
        "brackets removed, words of letters and apostrophes; counts of those in at least 5 "
        "clips, without their order. Made from pickled files, which this project does not read,"
        " so that it cannot be made again here. The addresses of the videos are left out: nobody "
        "needs them here to find the people whom strangers have judged."
    ),
    prepared="first_impressions/first_impressions.npz",
    checksums={
        "split": "a59d3d0a61e4226bd0dda81ddf9ce10975c3a59c1a8eaad1f53e5415bcb8d67a",
        "Y": "22668c792de644fc0f8a1d7f7bec4bcdfdbae51a4fa43a617bc969047c889af6",
        "traits": "099981497e08f42a438b71cf80c47e0fcb132719b1c28b6e416a11ed1d42d28a",
        "data": "9e215722506bbb509fe6f525c9ba2f712445a1d042c7899b9dfcb810f0748b00",
        "indices": "a576f065dd99e6ccfe78e9e91229bf0b73c21bef6ca132555ad06ef249f0bb50",
        "indptr": "e56fe83a535e13c745b64427e264b2a9ebfec27a7f71c6d1934ea887961a8735",
        "shape": "a439591c911a41021b3ae4c2899d1496118f0818c38bd8eea8881cadb5e5a0f0",
        "vocab": "5ac4eff7b4f164eb5c4d2774006f3a7ecbcdf19c3b8898046c12c430ce9a856f",
        "n_words": "f1137dc6d87940be3428e5929b1c24c845ac62dfe2e83e96772953b18fd13ec1",
    },
    assemble=_assemble,
    fields={
        "counts": Field("float64", (10000, 3611), "word counts", kind="csr"),
        "vocabulary": Field("str", (3611,), "the words, sorted", stored="vocab"),
        "Y": Field("float64", (10000, 5), "scores of the five traits, between 0 and 1"),
        "traits": Field("str", (5,), "names of the outputs"),
        "interview": Field(
            "float64",
            (10000,),
            "whether the person would be invited to a job interview, between 0 and 1",
        ),
        "split": Field("str", (10000,), "training (the paper's videos), validation or test"),
        "n_words": Field(
            "int64", (10000,), "number of words of the clip, those outside the vocabulary too"
        ),
    },
)
DATASETS = (FIRST_IMPRESSIONS,)
fetch_first_impressions = FIRST_IMPRESSIONS.fetch
