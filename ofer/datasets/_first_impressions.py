"""First Impressions: what people say in short videos, and how their personality seems."""

import numpy as np
from sklearn.utils import Bunch

from ofer.datasets._cache import DatasetInfo, RemoteDataset, fetch_arrays
from ofer.datasets._stored import word_counts

__all__ = ["FIRST_IMPRESSIONS", "fetch_first_impressions"]

FIRST_IMPRESSIONS = RemoteDataset(
    info=DatasetInfo(
        name="first_impressions",
        title="First impressions: words spoken in a video to personality traits",
        size="10000 clips, 3611 words, 5 traits",
        source=(
            "Made from six Python pickles of the GitHub repository mterzolo/first-impressions, "
            "which are not read here. The originals can be had after registration, "
            "https://chalearnlap.cvc.uab.cat/dataset/24/description/, and no loader reads them."
        ),
        licence=(
            "Non-commercial: research data, described as CC BY-NC 4.0 on a public data card. "
            "They are scores about real people, by strangers who saw them for 15 seconds: use "
            "them to compare methods, not to judge a person."
        ),
        citation=(
            "V. Ponce-López et al., ChaLearn LAP 2016: first round challenge on first "
            "impressions - dataset and results, ECCV workshops 2016; H. J. Escalante et al., "
            "Explaining first impressions, 2018"
        ),
        fidelity="substitute",
        notes=(
            "The outputs are the paper's: its 6000 videos are the training clips. The inputs "
            "are words of the transcripts; the paper has CaffeNet features of the first frame."
        ),
    ),
    prepared="first_impressions/first_impressions.npz",
    checksums={
        "video_id": "9067e9ec410c04ae605b73e0bf961e684d3fab389112e779ac95095b206cf04a",
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
)

_DETAILS = """
Clips of 15 seconds in which a person speaks to a camera. The outputs are apparent traits between
0 and 1, fitted to comparisons of pairs of clips by paid annotators; the column "neuroticism" is
its opposite, emotional stability, in these data. The inputs are counts of the words that a
transcriber heard: lower-case, in at least 5 clips. Only ids, scores and unordered word counts are
kept. Clips of one video are in more than one part of the split, as in the challenge.
"""

_SPLITS = np.array(["training", "validation", "test"])


def fetch_first_impressions(*, data_home=None, download_if_missing=True):
    """Load transcripts of video clips and apparent personality traits (regression, 5 outputs).

    The outputs of the paper's section 6.4.1 [1]_, with other inputs: the words spoken in the
    clip.

    Parameters
    ----------
    data_home : str or path-like, default=None
        Folder of the data, see `ofer.datasets.data_home`. The prepared file
        ``first_impressions/first_impressions.npz`` in it is checked and used.
    download_if_missing : bool, default=True
        As in the other loaders, but without effect: nothing can be downloaded here.

    Returns
    -------
    sklearn.utils.Bunch
        With attributes

        counts : scipy.sparse.csr_matrix of shape (n_samples, n_words)
            Word counts, float64.
        vocabulary : ndarray of shape (n_words,)
            The words, sorted.
        Y : ndarray of shape (n_samples, 5)
            Scores of the five traits, between 0 and 1, float64.
        traits : ndarray of shape (5,)
            Names of the outputs.
        interview : ndarray of shape (n_samples,)
            Whether the person would be invited to a job interview, between 0 and 1.
        split : ndarray of shape (n_samples,)
            ``"training"`` (the paper's videos), ``"validation"`` or ``"test"``.
        video_id : ndarray of shape (n_samples,)
            The video's id and the clip's number, separated by a dot.
        n_words : ndarray of shape (n_samples,)
            Number of words of the clip, those outside the vocabulary too.
        DESCR : str
            Description, terms of use, and how the data differ from the paper's.
        checksums : dict of str to str
            sha256 of the stored arrays.

    Raises
    ------
    DataUnavailableError
        If the prepared file is missing or damaged.

    References
    ----------
    .. [1] Ponce-López et al., "ChaLearn LAP 2016: first round challenge on first impressions -
       dataset and results", ECCV workshops 2016.

    Examples
    --------
    >>> from ofer.datasets import fetch_first_impressions
    >>> clips = fetch_first_impressions()  # doctest: +SKIP
    >>> clips.counts.shape, clips.Y.shape  # doctest: +SKIP
    ((10000, 3611), (10000, 5))
    """
    arrays = fetch_arrays(
        FIRST_IMPRESSIONS, home=data_home, download_if_missing=download_if_missing
    )
    scores = arrays["Y"].astype(np.float64)
    return Bunch(
        counts=word_counts(arrays),
        vocabulary=arrays["vocab"],
        Y=scores[:, :5],
        traits=arrays["traits"][:5],
        interview=scores[:, 5],
        split=_SPLITS[arrays["split"]],
        video_id=arrays["video_id"],
        n_words=arrays["n_words"].astype(int),
        DESCR=FIRST_IMPRESSIONS.info.describe(_DETAILS),
        checksums=dict(FIRST_IMPRESSIONS.checksums),
    )
