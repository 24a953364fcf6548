# ---
# jupyter:
#   kernelspec: {display_name: Python 3, language: python, name: python3}
# ---

# %% [markdown]
# # Data
#
# Which data do the experiments use, where are they from, and how far are they from the paper's? Each
# loader carries these facts, and shows them in the `DESCR` of what it returns, with type, shape and
# unit of every field.
#
# *Faithful* data are those of their paper or a part of them ({doc}`91_scorecard` calls a part
# *thinned*). *Substitutes* are other data of the same kind. The line *Paper* of a card says which
# paper that is.
#
# Most data sets lie in `data` of the project. {doc}`how_to_rerun` says where the programs look for
# data, and how they download the others. Every array must match its pinned checksum before it is
# used, and so must every downloaded file
# ({func}`~reproduction.datasets.upstream_files` lists addresses and checksums). A card without
# *Files to download* means that the originals are too many, behind a registration, or in a form
# that we do not read.
#
# The licence of the software does not cover the data. Terms are
# [SPDX](https://spdx.org/licenses/) identifiers; `LICENSES` explains those that begin with
# `LicenseRef`. Some forbid commercial use. Where a source states no licence, we redistribute
# numbers (measurements, counts, scores, features, pixels of small digits), but no sentence,
# photograph or recording.
#
# ## The data sets
#
# Open a line for source, licence, citation and difference from the paper's data. The cards in the folder
# `data` say, too, how each file was made.

# %% tags=["remove-input"]
import re
from html import escape

import pandas as pd
from IPython.display import HTML

from reproduction.datasets import dataset_info, list_datasets, upstream_files

labels = {
    "paper": "Paper",
    "notes": "Differences",
    "source": "Source",
    "files": "Files to download",
    "kept_out": "Not in the project",
    "licence": "Licence",
    "citation": "Cite",
}
infos = [dataset_info(name) for name in list_datasets()]
parts = ["name", "title", "fidelity", "size", "spdx", *labels]
table = pd.DataFrame(
    [
        [len(upstream_files(i.name)) if p == "files" else getattr(i, p) for p in parts]
        for i in infos
    ],
    columns=parts,
)
text = ""
for values, sets in table.groupby(list(labels), sort=False):
    names = "<br>".join(
        f"<strong>{one.name}</strong> {one.title} ({one.fidelity}; {one.size}; {one.spdx})"
        for one in sets.itertuples()
    )
    text += f'<details class="folded"><summary>{names}</summary><dl>'
    for label, value in zip(labels.values(), values, strict=True):
        if value:
            text += f"<dt>{label}</dt><dd>{escape(str(value), quote=False)}</dd>"
    text += "</dl></details>"
text = re.sub(r"(https?://[^\s,;<]+)", r'<a href="\1">\1</a>', text)
HTML(f'<div style="overflow-wrap: anywhere">{text}</div>')

# %% [markdown]
# ## Your own copies
#
# If you have the paper's own data, four loaders read the originals:
#
# * {func}`~reproduction.datasets.texts.ten_k_volatility.load_10k_volatility`: the 10-K corpus
#   (Section 6.3);
# * {func}`~reproduction.datasets.tables.nci_cancer.load_nci_cancer`: the kernel matrix and the
#   activities of the drug experiment (Section 6.4.2);
# * {func}`~reproduction.datasets.images.image_features.load_image_features`: features of images,
#   such as layer fc7 of VGG19 (Section 6.5);
# * {func}`~reproduction.datasets.texts.glove.load_glove`: complete files of word vectors
#   (Section 6.5).
#
# Generators make other data without any file
# ({func}`~reproduction.datasets.generated.mixtures.make_d1`,
# {func}`~reproduction.datasets.generated.mixtures.make_d2`,
# {func}`~reproduction.datasets.generated.mixture_regression.make_mixture_regression`,
# {func}`~reproduction.datasets.generated.state_space_series.make_state_space_series`,
# {func}`~reproduction.datasets.generated.toy_curves.make_toy1`,
# {func}`~reproduction.datasets.generated.toy_curves.make_toy2`,
# {func}`~reproduction.datasets.generated.markov_sequences.make_markov_sequences`). scikit-learn ships
# the digits of {func}`~ofer.datasets.load_digits_reconstruction`.
