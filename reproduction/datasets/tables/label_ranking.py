"""Label ranking: the benchmark made from sets for classification and regression."""

from functools import partial

import numpy as np

from reproduction.checks import check_option
from reproduction.datasets.declaration import Dataset, Field
from reproduction.datasets.upstream import on_github

__all__ = ["DATASETS", "LABEL_RANKING", "fetch_label_ranking"]

_REPOSITORY = "alfaro96/scikit-lr@e6110c5e09317cfb035b01b594aa44d917a594f4"

# What differs between the sets: a title, (samples, inputs, labels), and checksums.
_SETS = {
    "authorship": {
        "title": "pages of books, by four authors",
        "size": (841, 70, 4),
        "file": "11f0585d63eec9f4dbcf7770633fb21b5cdb1fa766c8cb03783fdd383599e5e4",
        "X": "91bec3edc184d0a6f4c4a33db2e7126661e042953f4edd76ff323ae0e17b1c9d",
        "ranks": "7ee6eb1209f28a56ec1e9b490732034242bc7790de401d5790d30cb419c643f7",
    },
    "bodyfat": {
        "title": "measurements of men",
        "size": (252, 7, 7),
        "file": "46cbe82a100da0d3754828e96cbf0319ff7e5c155194f2890a6735bb29a30dbb",
        "X": "df0c1879ba97baf62b3578579bd16964f9110775ee3c7dc3daf36320645ea86d",
        "ranks": "fcbcd0ea596871dcddba53d99d3065de2494ca81ae5488a45d6d3396b4b963e5",
    },
    "glass": {
        "title": "splinters of glass",
        "size": (214, 9, 6),
        "file": "f34634f30dc168f95cd5a578fce2ecfd6e940ce8c9478dabe88e2f54f9ab1101",
        "X": "e5bfdeed36bf537089a2a7801e1ba3f78bf0b0fc3e7d0c95be49e2974832152d",
        "ranks": "3a1d5196a33dac019284c0d154cf315dfc01be906f6c5f90d4f59e8533454b1c",
    },
    "housing": {
        "title": "districts of Boston",
        "size": (506, 6, 6),
        "file": "a4ded06764b9da9192ace36b9153e0b99d17b4e16ee20174377dc0edf85e9f5f",
        "X": "544b6e648e0b3efbce7b6e093b842f515576d5e492dead0bcabf9ea857ff3465",
        "ranks": "9f329d04812178533069e7533f0e4d464f9f880f383985a9112fb72984ee23f8",
    },
    "iris": {
        "title": "irises",
        "size": (150, 4, 3),
        "file": "3c1bfea4619200e1bc2782871df8dabc5773c09b2603bbc8046f16c3397528c5",
        "X": "630340f3a0b3c3383f87717c5c49f716fac5df6bbfc932adaf9d73c6953fca83",
        "ranks": "4b9372214dc1e99c50a8d0f92dd08ca7d7360f327c1594249a93280b5a16b41f",
    },
    "vehicle": {
        "title": "silhouettes of vehicles",
        "size": (846, 18, 4),
        "file": "7f0d1a0c15a391f2df09a5808ff1036027dd4f97bc5ec99c2c9a8fcd326cfc60",
        "X": "96cd30753a5b71ddbeac468da159cde0b268224ef1c06a26b5b00c857896279b",
        "ranks": "0657e459f6a876326fb0b5006ff62e90ae011f7374c3cedc63a957f4351bbea3",
    },
    "vowel": {
        "title": "spoken vowels",
        "size": (528, 10, 11),
        "file": "68a31835abce34053baded4421db72856f679dbf3a12a7b7bbb836f8b8262acd",
        "X": "79c2c6fabc46844202cb9f43dd3484b5b8bb1e73d1f12156d552c5f5458987a8",
        "ranks": "ee9615b2b9973556fd872aeaff182330ff2babd677bb97567bfde61d16318d87",
    },
    "wine": {
        "title": "wines of three growers",
        "size": (178, 13, 3),
        "file": "4a4956db3f3b86202a72005b9eb7d9f1cff334aa5045e095987b9ab6d50766ba",
        "X": "06a504f7c0216de6047789817d6cda56fb0b9af7e8bddeecfce1b5cc26dceaae",
        "ranks": "5d90a12273477a9b02283cd6d21f68d3b39aa2957c9163c3f26b6917e1142cd5",
    },
    "wisconsin": {
        "title": "breast cancers",
        "size": (194, 16, 16),
        "file": "ba1a88107e67438548c18402414e8bd70b01f93e10609a107a035c6435e4e433",
        "X": "3cdedcedde89f32ec7abf0662eacef8d1a0cfbd376c41ebbf0aa949f65201dd5",
        "ranks": "7de52a6deb0c26d01001c5d11751be9cd5e1f4495c2e07f59452b201d058fa29",
    },
}


def _convert(fetch, *, name, n_labels):
    """Inputs, and the ranks in the last columns."""
    rows = np.loadtxt(fetch(name), delimiter=",", skiprows=1)
    return {"X": rows[:, :-n_labels], "ranks": rows[:, -n_labels:].astype(np.uint8)}


def _declare(name, facts):
    n, n_inputs, n_labels = facts["size"]
    return Dataset(
        name=f"ranking_{name}",
        title=f"Label ranking: {facts['title']}",
        details="""
Each sample has a ranking of the same few labels, without ties or gaps. The rankings were made from
sets for classification (authorship, glass, iris, vehicle, vowel, wine) and for regression.
""",
        size=f"{n} samples, {n_inputs} inputs, {n_labels} labels",
        paper=(
            "A structured prediction approach for label ranking (Korba, Garcia, d'Alché-Buc 2018)"
        ),
        source=(
            "GitHub alfaro96/scikit-lr, an early commit. Inputs and rankings equal those in the "
            "repository of the paper's authors, akorba/Structured_Approach_Label_Ranking, entry by "
            "entry and in its order."
        ),
        licence="MIT, as of the repository.",
        citation=(
            "W. Cheng, J. Hühn, E. Hüllermeier, Decision tree and instance-based learning for "
            "label ranking, ICML 2009"
        ),
        fidelity="faithful",
        notes="The paper's data.",
        spdx="MIT",
        conversion="The columns of the table: inputs in double precision, ranks as small integers.",
        prepared=f"label_ranking/{name}.npz",
        checksums={array: facts[array] for array in ("X", "ranks")},
        upstream=(
            on_github(
                _REPOSITORY, f"plr/datasets/data/label_ranking/ranks/{name}.csv", facts["file"]
            ),
        ),
        convert=partial(_convert, name=f"{name}.csv", n_labels=n_labels),
        fields={
            "X": Field("float64", (n, n_inputs), "inputs"),
            "ranks": Field("float64", (n, n_labels), "rank of each label, 1 for the first"),
        },
    )


LABEL_RANKING = {name: _declare(name, one) for name, one in _SETS.items()}
DATASETS = tuple(LABEL_RANKING.values())


def fetch_label_ranking(name, **options):
    """Load a set of the label-ranking benchmark.

    Parameters
    ----------
    name : {"authorship", "bodyfat", "glass", "housing", "iris", "vehicle", "vowel", \
"wine", "wisconsin"}
        The set, by the name that is usual for it.
    **options
        `data_home` and `download_if_missing`, as of `Dataset.fetch`.

    Returns
    -------
    sklearn.utils.Bunch
        As from `Dataset.fetch`.

    Raises
    ------
    ValueError
        If `name` is not one of its values.

    Examples
    --------
    >>> from reproduction.datasets.tables.label_ranking import fetch_label_ranking
    >>> wines = fetch_label_ranking("wine")  # doctest: +SKIP
    >>> wines.X.shape, wines.ranks.shape  # doctest: +SKIP
    ((178, 13), (178, 3))
    """
    check_option("name", name, LABEL_RANKING)
    return LABEL_RANKING[name].fetch(**options)
