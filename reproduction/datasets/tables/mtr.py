"""Multi-target regression: the standard benchmark for several real outputs."""

from functools import partial

import numpy as np
from scipy.io import arff

from reproduction.checks import check_option
from reproduction.datasets.declaration import Dataset, Field
from reproduction.datasets.upstream import on_github

__all__ = ["DATASETS", "MTR", "fetch_mtr"]

_REPOSITORY = "tsoumakas/mulan@43f6389095ad71984264db4387a8074b22bc7d4a"

# What differs between the sets: a title, (samples, inputs, outputs), and checksums.
_SETS = {
    "andro": {
        "title": "quality of sea water",
        "size": (49, 30, 6),
        "file": "08f0e2757b2a7635136ac58ea76c4e801ffeb0a81116b29e6ac169228c8aa132",
        "X": "6ca34036a23350c3788947f2d96f7a71baaae93e54f06e10ac57baf8f3c601f9",
        "Y": "fff295d66a00faa47d94072ba1ae63ce62048574cacb7a9ddb2a8ed66a6bb82b",
        "x_names": "b68022f6bf1b67eea2827c9e144a67831da38b5d4ab549b3c1637493abed4ecf",
        "y_names": "39717d59f8a8aa48a8396d5968db7ae10438e0e603fd5ab9dda6dbc480f1c264",
    },
    "atp1d": {
        "title": "airline ticket prices, next day",
        "size": (337, 411, 6),
        "file": "ed935ba476c4994ba40d6712d590fb389709cceba7cf7dbbb33ef28c84762bb9",
        "X": "629aa1521b02cb9497bd8f4609bc5d48cad61d441453badd18a30d2a159f3a27",
        "Y": "1a013ac37a104cf6c538c8ba5a0be7854111641a1aeb849373769bd8d14fbd8e",
        "x_names": "edb1b1a8e7b01a0a5064ed645b8fde40230c7e825de1167aed22777eb4d04c7d",
        "y_names": "e101fa5e99b1f072c34ebcd2c69bf67e59260859cc0f21b558f9e194ff8803de",
    },
    "atp7d": {
        "title": "airline ticket prices, lowest of seven days",
        "size": (296, 411, 6),
        "file": "77d59efdf4a6329c71c854684de7409d0d61d3bebccd6821ae268c1620c95b2d",
        "X": "1711edd7a0629ad510e11ffd9bc40f017fdb07ebd97f0286bcf5c9d3daac9b16",
        "Y": "e62a58a9697296ae0787ad7cbeb22bfce0e88c132153ef63dc0cb73b2122a594",
        "x_names": "edb1b1a8e7b01a0a5064ed645b8fde40230c7e825de1167aed22777eb4d04c7d",
        "y_names": "769dbcc5869b9030fa2f319d4b4c004f33b9e1e5659ee59bfb2c6730e60f0c26",
    },
    "edm": {
        "title": "electrical discharge machining",
        "size": (154, 16, 2),
        "file": "37777374030f592a53cbcf597ae0aa6105238a1c696dd04ccb229be982f6bc5b",
        "X": "2b47096afe706a8879a5f009c429386f8457f537f6651b33d770d11ff6b5e58c",
        "Y": "c0e7cb0454d654e95279f22d65ea6cf555e8721e7a1243b716a244884441a0b2",
        "x_names": "1bd8b9a804073eb899c9477487e0c30534922c625f9a129fe737c852ff35e4e7",
        "y_names": "b3886e87e7c01f36e408c549a679f5455849c53de67679ab3633eb0d27aed6b3",
    },
    "enb": {
        "title": "energy needs of buildings",
        "size": (768, 8, 2),
        "file": "8277d9094ccda6da2cd1c2b79c90ca201fa3695e75aca173ffc43138dcab0071",
        "X": "394f967b71ba5a86a0eec3d218a9bdba1d035895c4d9f2223dfd8d64f93258fe",
        "Y": "e6372ce26f655db58dc2c2316a6e4d30ecee989118ac36df2ac2312a4c48a42a",
        "x_names": "1bedff957c58ba8b1846142cb83f1eecb6aca6855aaa5653362698e93c00b67c",
        "y_names": "95486ac1176f00a8902745a401ac72e034f23f4bb7afa4bd278af6685ac5be0a",
    },
    "oes97": {
        "title": "occupational employment, 1997",
        "size": (334, 263, 16),
        "file": "aee74aa656c709f797f45d817c41996be94c2e924c0f1e7ad315fb7e2f1a9498",
        "X": "89e798edc5cf182993b402ae3ea4ec5ae820ea2984c0621c2719990b34cf4e9e",
        "Y": "59d4ea8ac740cbda9da61651582403ac682d8a915960839439f078028d0f2680",
        "x_names": "94c3b3e938d9dbabb0bc1e9e65da10b07de3e7e3ed49b90d326c600f13dff236",
        "y_names": "cfdef0719a0bc99978f1e6d5419c09703813d5bf1927a1eb4be267de20f21e7f",
    },
    "osales": {
        "title": "online product sales",
        "size": (639, 401, 12),
        "file": "c9c656c7e0131ad1c3f427cea7828f2ed315ec80da6d6f43c05b40b87257efe5",
        "X": "1a6c722138ccdd7f25db75d283010ad7310b7d1ccc6884d17a14718e6b2e7186",
        "Y": "b9a2de6c56e83cd9c04f2829a99eebb4ca460f980c962add0b8f85aed89ea2a6",
        "x_names": "f6af25e17607e6d02e7088ae62361d7b2278d1115460a25bab4dab83946d58ab",
        "y_names": "65ebbe0b20d348d312c65e946be14cff76d0443f71fd499ab3c71d40d303de6e",
    },
    "scpf": {
        "title": "reports of citizens (See Click Predict Fix)",
        "size": (1137, 23, 3),
        "file": "f7d3c7b134c0e5ddff56a7900371cb44328f9b7f550203c4a556929203ea81e9",
        "X": "c4b61ac4273aace0aa45221a779a3cae3f8690c69e78091fcf0cbb11aa33c244",
        "Y": "b396bc91837b090cb49c5dbd3e1d3f5934e36bcaf6728ac3b4e51d006abe73f0",
        "x_names": "de2c0070d42e4508b91619cae4fc52f36c85fb89e05bc0cbd44eee75d37379b9",
        "y_names": "1dfc0782dcdfd01c573b8435b6d9059346c2cef45376195ac2e016d26498cf3e",
    },
    "sf1": {
        "title": "solar flares, first part",
        "size": (323, 24, 3),
        "file": "8f78e64aca64f7c0c7ba4d9b2f114feb2a6f72e6116e87d7dab94e7cab426d93",
        "X": "573ffb97245453ff3ac3423be185f016a731adb9513fecf4e26fd2fe2da5cadb",
        "Y": "ca0aed91396b6d93cf398024306d51a112ba2b911c47faa5287ca0553956279c",
        "x_names": "323eab2ece72ec1a97543efdbb16269e5ecba672d2bbccd92f7af1da8302a6a3",
        "y_names": "a6ccf397fa371f5d2c52b733e0c2c9b3d612802eb76e4cd3681f847d8d4e3204",
    },
    "sf2": {
        "title": "solar flares, second part",
        "size": (1066, 24, 3),
        "file": "2c1ac60f3e612b0e0bc9884ffe98a205ce07ca83f3f89c019220fde350396795",
        "X": "86d70912c3d5bb96bccb08b448b952c5c845b6f7b0b461402d7a758d70a9ae29",
        "Y": "be7f12608cf365c1d5ac97f7c90626d47942f646b351b8b3b52cb5edc47f9675",
        "x_names": "323eab2ece72ec1a97543efdbb16269e5ecba672d2bbccd92f7af1da8302a6a3",
        "y_names": "a6ccf397fa371f5d2c52b733e0c2c9b3d612802eb76e4cd3681f847d8d4e3204",
    },
    "wq": {
        "title": "life in river water",
        "size": (1060, 16, 14),
        "file": "4a0906b4a51bf52c986790ddaf261ba51faa3da9cffe823badabd88d38d252fe",
        "X": "1c05df161b64372d2c3dfe8b7685c5f4f3ee98f2bd64dd37cc388a77b4aeaf33",
        "Y": "8eebe4f3068c91dc004a5772bcd18f2e08b1f8226585e0600c39863a5c19ad4f",
        "x_names": "81babdb8a9af1369b6236fd3d48c5b242c5991985395e5f7c267b74d64ef31ba",
        "y_names": "e82a856dea9cc929683d361725f0e2b3639de11c5bd7820f085e72cdfe0a99b0",
    },
}


def _convert(fetch, *, name, n_outputs):
    """Arrays of an ARFF file whose last `n_outputs` attributes are the outputs."""
    with open(fetch(name), encoding="utf-8") as file:
        rows, attributes = arff.loadarff(file)
    columns, names = [], []
    for attribute in attributes.names():
        kind, letters = attributes[attribute]
        values, label = rows[attribute], attribute.strip("'\"")
        if kind == "nominal" and not _are_numbers(letters):
            columns += [values == letter.encode() for letter in letters]
            names += [f"{label}={letter}" for letter in letters]
        else:
            columns.append(
                np.where(values == b"?", b"nan", values) if kind == "nominal" else values
            )
            names.append(label)
    table = np.column_stack([column.astype(np.float64) for column in columns])
    return {
        "X": table[:, :-n_outputs],
        "Y": table[:, -n_outputs:],
        "x_names": np.array(names[:-n_outputs]),
        "y_names": np.array(names[-n_outputs:]),
    }


def _are_numbers(values):
    try:
        [float(value) for value in values]
    except ValueError:
        return False
    return True


def _declare(name, facts):
    n, n_inputs, n_outputs = facts["size"]
    return Dataset(
        name=f"mtr_{name}",
        title=f"Multi-target regression: {facts['title']}",
        details="""
Several real outputs for each sample, as collected for the program Mulan. Missing inputs are NaN;
there are some in osales and scpf. Inputs with letters for values (in sf1 and sf2) are one column
a letter, 0 or 1; all others are as published.
""",
        size=f"{n} samples, {n_inputs} inputs, {n_outputs} outputs",
        paper="none; collected by Spyromitros-Xioufis et al. (2016)",
        source=(
            "GitHub tsoumakas/mulan, data/multi-target; its README says where each set is "
            "from (UCI, Kaggle, and papers)."
        ),
        licence="No licence file; the program beside it, Mulan, is under the GPL.",
        citation=(
            "E. Spyromitros-Xioufis, G. Tsoumakas, W. Groves, I. Vlahavas, Multi-target "
            "regression via input space expansion: treating targets as inputs, Machine "
            "Learning 2016"
        ),
        fidelity="substitute",
        notes=(
            "Not in the paper. A faithful copy of one of 18 standard sets, 11 of which are "
            "here: all but jura, oes10, rf1, rf2, scm1d, scm20d and slump."
        ),
        spdx="LicenseRef-none-stated",
        conversion=(
            "The columns of the ARFF file in double precision; the last ones are the outputs; a "
            "column of letters becomes one column for each letter."
        ),
        prepared=f"mtr/{name}.npz",
        checksums={array: facts[array] for array in ("X", "Y", "x_names", "y_names")},
        upstream=(on_github(_REPOSITORY, f"data/multi-target/{name}.arff", facts["file"]),),
        convert=partial(_convert, name=f"{name}.arff", n_outputs=n_outputs),
        fields={
            "X": Field("float64", (n, n_inputs), "inputs, NaN where missing"),
            "Y": Field("float64", (n, n_outputs), "outputs, none missing"),
            "feature_names": Field("str", (n_inputs,), "names of the inputs", stored="x_names"),
            "target_names": Field("str", (n_outputs,), "names of the outputs", stored="y_names"),
        },
    )


MTR = {name: _declare(name, one) for name, one in _SETS.items()}
DATASETS = tuple(MTR.values())


def fetch_mtr(name, **options):
    """Load a set of the multi-target regression benchmark: real data with vectors for outputs.

    Parameters
    ----------
    name : {"andro", "atp1d", "atp7d", "edm", "enb", "oes97", "osales", "scpf", "sf1", "sf2", "wq"}
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
    >>> from reproduction.datasets.tables.mtr import fetch_mtr
    >>> buildings = fetch_mtr("enb")  # doctest: +SKIP
    >>> buildings.X.shape, buildings.Y.shape  # doctest: +SKIP
    ((768, 8), (768, 2))
    """
    check_option("name", name, MTR)
    return MTR[name].fetch(**options)
