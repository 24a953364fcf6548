# ---
# jupyter:
#   kernelspec:
#     display_name: Python 3
#     name: python3
# ---

# %% [markdown]
# # Data
#
# Here stands what the experiments are run on, where it is from, under which terms it may be used,
# and how far it is from what the paper had. The table and the list below are not typed: each loader
# carries these facts, and shows them in the `DESCR` of what it returns.
#
# Most data sets lie in `data` of the project, each with a card; each array is compared with a
# pinned checksum before it is used. {doc}`how_to_rerun` says which folders are looked into, and how
# what is missing is downloaded. Where the table below counts files, these can be downloaded from
# their publishers and converted, as the prepared ones were. Where it counts none, the original
# files are too many, behind a registration, or in a form that is not read here.
#
# The licence of the software does not hold for the data. Terms are by their
# [SPDX](https://spdx.org/licenses/) identifier; those that begin with `LicenseRef` are explained in
# `LICENSES`. Some forbid commercial use. Where a source states no licence, numbers are passed on
# (measurements, counts, scores, features, the pixels of small digits), and no sentence, photograph
# or recording.
#
# *Faithful* data are those of their paper or a part of them ({doc}`91_scorecard` calls a part
# *thinned*), *substitutes* are others of their kind. The list below it says which paper that is.

# %% tags=["hide-input"] mystnb={"figure": {"caption": "The data sets: fidelity, whether they lie in this repository, number of files, terms and size."}}
import re
from html import escape

import pandas as pd
from IPython.display import HTML

from reproduction.datasets import dataset_info, list_datasets, upstream_files

parts = ["name", "title", "fidelity", "size", "spdx", "paper", "notes", "source", "conversion"]
parts += ["licence", "citation", "kept_out"]
infos = [dataset_info(name) for name in list_datasets()]
table = pd.DataFrame([[getattr(info, part) for part in parts] for info in infos], columns=parts)
table["files"] = [len(upstream_files(name)) for name in table["name"]]
table["in data"] = table["kept_out"].eq("").map({True: "yes", False: "no"})
columns = ["name", "fidelity", "in data", "files", "spdx", "size"]
HTML(table[columns].to_html(index=False, border=0, justify="left"))

# %% [markdown]
# ## Sources, terms, and differences from the paper
#
# The `sha256` of every upstream file is pinned too: {func}`~reproduction.datasets.upstream_files`
# lists them with their addresses. What each attribute of the data is, with its type, shape and
# unit, is declared too, and shown in the `DESCR`.

# %% tags=["hide-input"]
labels = {
    "paper": "Paper",
    "notes": "Differences",
    "source": "Source",
    "conversion": "Conversion",
    "kept_out": "Not in the project",
    "licence": "Licence",
    "citation": "Cite",
}
text = ""
for values, sets in table.groupby(list(labels), sort=False):
    titles = "<strong>" + sets["name"] + "</strong> " + sets["title"]
    text += f"<p>{'<br>'.join(titles)}</p><dl>"
    for label, value in zip(labels.values(), values, strict=True):
        if not value:
            continue
        text += f"<dt>{label}</dt><dd>{escape(value, quote=False)}</dd>"
    text += "</dl>"
text = re.sub(r"(https?://[^\s,;<]+)", r'<a href="\1">\1</a>', text)
HTML(f'<div style="overflow-wrap: anywhere">{text}</div>')

# %% [markdown]
# ## Your own copies
#
# Four loaders read originals that this project does not have. With them, whoever has the paper's
# own data can run its experiments on these:
#
# * {func}`~reproduction.datasets.texts.ten_k_volatility.load_10k_volatility` reads the 10-K corpus
#   (section 6.3);
# * {func}`~reproduction.datasets.tables.nci_cancer.load_nci_cancer` reads the kernel matrix and the
#   activities of the drug experiment (section 6.4.2);
# * {func}`~reproduction.datasets.images.image_features.load_image_features` reads features of
#   images, such as those of layer fc7 of VGG19 (section 6.5);
# * {func}`~reproduction.datasets.texts.glove.load_glove` reads the complete files of word vectors
#   (section 6.5).
#
# Data that are always there are generated
# ({func}`~reproduction.datasets.generated.mixtures.make_d1`,
# {func}`~reproduction.datasets.generated.mixtures.make_d2`,
# {func}`~reproduction.datasets.generated.mixture_regression.make_mixture_regression`,
# {func}`~reproduction.datasets.generated.state_space_series.make_state_space_series`,
# {func}`~reproduction.datasets.generated.toy_curves.make_toy1`,
# {func}`~reproduction.datasets.generated.toy_curves.make_toy2`,
# {func}`~reproduction.datasets.generated.markov_sequences.make_markov_sequences`) or shipped with
# scikit-learn ({func}`~ofer.datasets.load_digits_reconstruction`).
