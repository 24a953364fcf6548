# ---
# jupyter:
#   kernelspec: {display_name: Python 3, language: python, name: python3}
#   ofer:
#     data: [caltech101, awa, class_vectors]
#     tables: [ofer-table-11, ofer-table-12, ofer-table-13, ofer-table-14, ofer-readings-11,
#       ofer-readings-12, ofer-weak-weight, ofer-autoencoder, ofer-readings-11-choice,
#       ofer-readings-12-choice, ofer-readings-13-choice, ofer-readings-14-choice, ofer-readings-13,
#       ofer-readings-14]
# ---

# %% [markdown]
# # Classes of images
#
# *Section 6.5 of {cite:t}`djerrab2018`, Tables 11 to 14*
#
# **The question.** You have one photograph of each of a hundred things. Does it help to know that a
# *crocodile* is more like an *emu* than like a *grand piano*?
#
# **The idea.** Describe each class by a vector for the meaning of its name. Learn to predict this
# vector from an image, and answer with the nearest class. Output Fisher embedding regression (OFER)
# first fits a Gaussian mixture to these vectors. Its components are clusters of classes.
#
# **The answer.** Where each class has an image, the names do not help on our features. A support vector machine (SVM) and
# ridge regression of class indicators know no names, and yet beat OFER in our two collections of
# images. *Weak labels* name the cluster of a class instead of the class. With one image per class of
# Caltech-101 and 2500 weak labels our form of OFER, with up to 50 clusters, is the best of all methods;
# the paper's form is not. The paper's features were others and are not public.

# %% tags=["parameters"]
profile: str = "stored"  # or "quick", "full": see "The data and the protocol"
level: float = 1e-3  # of the t-tests; the paper's

# %%
from functools import cache

import numpy as np
import pandas as pd
from IPython.display import HTML
from sklearn.frozen import FrozenEstimator
from sklearn.preprocessing import normalize

from ofer import KernelRidgeCV, OutputFisherRegressor, SemanticClassifier
from reproduction.claims import claims_to_html, effects_in_readings, read_claims
from reproduction.datasets import dataset_info
from reproduction.datasets.texts.class_vectors import fetch_class_vectors
from reproduction.engine import get_experiment, results
from reproduction.figures.curves import plot_curves
from reproduction.figures.errors_by_split import plot_paired_differences
from reproduction.figures.learning_curves import plot_learning_curves
from reproduction.figures.names import table_name
from reproduction.figures.specification import plot_specifications
from reproduction.figures.tables import show_results
from reproduction.statistics import Contrast, least, mean_table, read_paper, summarize
from reproduction.studies.embedding.figures.embeddings import plot_class_scheme
from reproduction.studies.images.comparison import take
from reproduction.studies.images.feature_readings import CHOICES as FEATURES_READ
from reproduction.studies.images.figures import plot_class_map
from reproduction.studies.images.summaries import (
    beside_paper,
    joined_rows,
    load_some,
    read_printed_form,
)


# %%
@cache
def table_of(id):
    """A table of this chapter, read once."""
    return results(id, profile=profile)


caltech, animals = load_some("caltech101", [10, 50]), load_some("awa", [1, 10])
kinds = ("table-{}", "readings-{}", "readings-{}-choice")
everything = {
    name: joined_rows(table_of("ofer-" + kind.format(n)) for kind in kinds for n in pair)
    for name, pair in {"Caltech-101": (11, 13), "AwA": (12, 14)}.items()
}
in_caltech, in_awa = (
    Contrast(rows, "accuracy", larger_is_better=True, level=level) for rows in everything.values()
)
contrasts = {"Caltech-101": in_caltech, "AwA": in_awa}

# %%
tables = {f"ofer-table-{n}": table_of(f"ofer-table-{n}") for n in (11, 12)}
weak_tables = {f"ofer-table-{n}": table_of(f"ofer-table-{n}") for n in (13, 14)}
caltech_frame, animals_frame = (table.frame for table in tables.values())
all_rows = dict(zip(contrasts, (table.frame for table in weak_tables.values()), strict=True))
weak_frames, controls = {}, {}
for name, rows_of_set in all_rows.items():
    extra = rows_of_set["method"].str.contains("as printed|shuffled")
    weak_frames[name], controls[name] = rows_of_set[~extra], rows_of_set[extra]
on_caltech, on_animals = (mean_table(table.frame, "accuracy") for table in tables.values())
ours = {"method": {"OFER-GMM": "OFER-GMM as printed"}}
printed = mean_table(read_paper("ofer-table-11").replace(ours), "accuracy")
options = {"metric": "accuracy", "size": "labelled images per class", "label": "accuracy (%)"}
wide_form, ridge_form = "wOFER+2500 wide", "one-hot ridge"
imputed_form, best_form = "one-hot ridge+2500 imputed", "wOFER+2500 as printed"

# %% [markdown]
# ## Who wins
#
# Caltech-101 has photographs of 101 kinds of objects, Animals with Attributes (AwA) of 50 animals.
# The methods learn from 1 to 10 images of each kind, on AwA from 1 to 14, in ten random splits. The
# table has the accuracy with one and with ten images.

# %% mystnb={"figure": {"caption": "Accuracy in percent with 1 and with 10 labelled images per class of Caltech-101, here and in the paper, and of AwA; means over ten splits. Class indicators and class vectors are learnt by ridge regression. OFER (ours) has up to ten clusters, the rows below it up to 50 (40 on AwA). Weak: with 2500 weak labels. OFER, in our form with up to 50 clusters, is the best method in one column, on Caltech-101 with one image and weak labels."}}
named = {
    "support vector machine": "m-SVM",
    "class indicators": ridge_form,
    "class vectors": "Sem-KRR",
    "OFER (paper)": "OFER-GMM as printed",
    "OFER (ours)": "OFER-GMM",
    "OFER (ours), 50 clusters": "OFER-GMM wide",
    "OFER (ours), 50 clusters, weak": wide_form,
    "class indicators, weak": imputed_form,
}
columns = {}
for size in ("1", "10"):
    for where, source in {"here": in_caltech.means, "paper": printed}.items():
        columns[f"{size}: {where}"] = source.loc[size].reindex([*named.values()])
for size in ("1", "10"):
    columns[f"AwA, {size}: here"] = in_awa.means.loc[size, [*named.values()]]
levels = pd.DataFrame(columns).set_axis([*named]).map("{:.0f}".format)
levels.replace("nan", "")

# %% [markdown]
# *Our form* has an intercept and one ridge parameter for each part of the description. It answers
# with the class at the smallest angle, not at the smallest distance.
#
# With one image of each object, the paper prints 38 % for OFER and 10 % for the SVM. We get 29 % and
# 66 %. On
# Caltech-101 ridge regression of class indicators is as good as the SVM. Without weak labels no method
# that goes through the class vectors reaches it, on either collection. The reason may be that a class
# vector has only fifty numbers, which must tell 101 classes apart. The vector nearest to *cougar body*
# is *cougar face*.

# %%
of_both = ["OFER-GMM as printed", "m-SVM"]
assert [round(printed[method]["1"]) for method in of_both] == [38, 10]
assert [round(on_caltech[method]["1"]) for method in of_both] == [29, 66]
assert np.all(on_caltech["one-hot ridge"] > on_caltech["m-SVM"] - 0.5)
for means in (on_caltech, on_animals):
    through_names = means.filter(regex="Sem|OFER").max(axis=1)
    assert np.all(through_names < means["one-hot ridge"])
    assert np.all(means.filter(regex="OFER").max(axis=1) < means["m-SVM"])
assert {*caltech_frame["split"]} == {*animals_frame["split"]} == {*range(10)}
described = fetch_class_vectors("caltech101")
places = {str(name): at for at, name in enumerate(described.names)}
body = described.vectors[places["cougar body"]]
nearest_vectors = np.argsort(np.linalg.norm(described.vectors - body, axis=1))
assert nearest_vectors[1] == places["cougar face"]
assert described.vectors.shape == (101, 50)

# %% mystnb={"figure": {"name": "fig-table-11", "caption": "Accuracy on Caltech-101 over the number of labelled images per class, here and in the paper; bands are one standard deviation over ten splits. Here the SVM (m-SVM) and ridge regression of class indicators (one-hot ridge), which know no names, are on top; in the paper OFER is, up to five images. Sem-KRR is ridge regression of class vectors, Sem-IOKR a rival with a kernel on them, MLP a neural network. OFER-GMM (ours) is our form with up to ten clusters, OFER-GMM (paper) is the paper's form."}, "image": {"alt": "Two panels of accuracy against 1 to 10 images per class. In ours the one-hot ridge and the SVM coincide far above the methods that use names; in the paper OFER-GMM is on top until 5 images."}}
shown = ["m-SVM", "MLP", "Sem-IOKR", "Sem-KRR", "OFER-GMM as printed", "one-hot ridge", "OFER-GMM"]


_ = plot_learning_curves(**beside_paper(caltech_frame, "ofer-table-11", shown), **options)

# %% [markdown]
# Our features of Caltech-101 come from another network than the paper's. Those of AwA are histograms
# from 2009, and tell less. So these results say nothing about the paper's features. One thing is odd in
# print: a second image adds 14 points to the SVM and six to OFER. Perhaps the authors chose the cost of
# the SVM by cross-validation. With one image per class that leaves out the only example of a class.

# %%
steps = printed.loc["2"] - printed.loc["1"]
assert [round(steps[method]) for method in ("m-SVM", "OFER-GMM as printed")] == [14, 6]

# %% [markdown]
# ## What the mixture adds
#
# In the paper's form the mixture adds next to nothing, with our features as they are.
# Cross-validation chooses a single cluster on Caltech-101 from two images per class on. The accuracy of
# OFER is then that of the regression of class vectors, up to half a point. On AwA cross-validation
# mostly chooses more clusters, without any significant gain. (The next section has the readings in
# which this is otherwise.)
#
# We also made the mixture take two clusters or more: as many as give the best accuracy for images that
# were left out. With features as they are and no constant added, it is then ahead of the regression of
# class vectors on AwA by more than a point, with ten images or more. On Caltech-101 it is behind by one
# to eleven points.

# %%
counts = {
    (name, method): values.dropna().astype(int).value_counts()
    for name, table in zip(contrasts, tables.values(), strict=True)
    for method, values in table.contrast("n_components").by_split.drop("1").items()
}
component_counts = pd.DataFrame(counts).fillna(0).astype(int).sort_index()
as_printed = component_counts["Caltech-101", "OFER-GMM as printed"]
assert as_printed[1] == as_printed.sum()
gap = on_caltech["OFER-GMM as printed"] - on_caltech["Sem-KRR"]
assert gap.drop("1").abs().max() < 0.5
assert component_counts["AwA", "OFER-GMM as printed"][1] < 0.5 * as_printed.sum()
for contrast in contrasts.values():
    assert contrast.better("OFER-GMM as printed", than="Sem-KRR", only=[])
mixed_form, many_images = "OFER-GMM as printed, C > 1", ["10", "11", "14"]
assert in_awa.better(mixed_form, than="Sem-KRR", at=many_images)
assert in_awa.ahead(mixed_form, of="Sem-KRR", by=1, at=many_images)
few_images = on_animals.index.drop(many_images)
sure = in_awa.tests(mixed_form, "Sem-KRR", at=few_images).query("significant")
assert (sure["difference"] <= 1).all()
assert in_caltech.ahead("Sem-KRR", of=mixed_form, by=(1, 11.5))

# %% [markdown]
# ## What our set-up decides
#
# The paper's forms have no intercept. So it matters whether the features contain a constant, and the
# paper does not say. Ours of Caltech-101 do: their mean has the length .97, where each image has 1.
# Those of AwA do not: they are scores of a principal component analysis, whose mean is near zero. We
# ran the paper's forms in four readings: features as they are; the same with a constant column, or
# with an intercept; and features from which the mean of the training images is taken. On Caltech-101
# a constant or an intercept changes the accuracy of class vectors by a point at most, and without the
# mean it falls from 62 to 20 percent with ten images. On AwA a constant nearly doubles it from four images
# on, and with one image it adds half a point at most.
#
# The SVM leads in every reading, on both collections, at every size. But how far depends on the
# reading: on AwA with fourteen images it has five times the accuracy of class vectors as they are, and
# 2.6 times with a constant. There the mixture of two or more clusters is significantly ahead of class
# vectors with features as they are, but not with centred ones, and not with a constant.


# %% mystnb={"figure": {"name": "fig-image-readings", "caption": "Accuracy of the paper's form, with two or more clusters, on AwA with ten images of each class, as a difference from the regression of class vectors in the same reading; above zero OFER is better. Readings are sorted by the difference, with their choices beneath. Intervals have the level of the paper's test; filled where zero is outside."}, "image": {"alt": "Four dots. One lies near plus 32 percent, with the features as they are and no constant. The others lie near or below zero."}}
def leads_in_readings(id, method, rival, within):
    """By how many percent a method is ahead of a rival, in each reading of a table at each size."""
    sizes = table_of(id).contrast("accuracy").means.index
    options = {"setting": sizes, "metric": "accuracy", "level": level, "within": [within]}
    effects, choices = effects_in_readings(id, [method], rival, **options)
    return effects.join(choices).rename(columns={"setting": "size"}).assign(rival=rival, id=id)


mixed = leads_in_readings("ofer-table-12", mixed_form, "Sem-KRR", "ofer-readings-12")
at_ten = mixed[mixed["size"] == "10"]
_ = plot_specifications(at_ten, at_ten[["features", "constant"]], label="difference, %")

# %%
vectors_of = {11: in_caltech.means, 12: in_awa.means}
for with_constant in ("constant column", "intercept"):
    name = f"Sem-KRR, as they are, {with_constant}"
    assert (vectors_of[11][name] - on_caltech["Sem-KRR"]).abs().max() < 1
    assert (vectors_of[12][name] / on_animals["Sem-KRR"])["4":].between(1.7, 2).all()
    assert vectors_of[12][name]["1"] - on_animals["Sem-KRR"]["1"] < 0.5
    assert 2.6 < on_animals["m-SVM"]["14"] / vectors_of[12][name]["14"] < 2.7
assert round(on_caltech["Sem-KRR"]["10"]) == 62
assert round(in_caltech.means["Sem-KRR, centred, no constant"]["10"]) == 20
assert 5 < on_animals["m-SVM"]["14"] / on_animals["Sem-KRR"]["14"] < 5.1
for id in tables:
    for method in ("Sem-KRR", "Sem-IOKR", "OFER-GMM as printed", mixed_form):
        behind = leads_in_readings(id, method, "m-SVM", id.replace("table", "readings"))
        assert behind["value"].max() < 0
ahead = mixed[(mixed["low"] > 0) & mixed["size"].isin(["10", "14"])]
assert list(ahead["features"] + ", " + ahead["constant"]) == ["as they are, no constant"] * 2
with_one = at_ten[at_ten["constant"] != "no constant"]
assert with_one["high"].max() < 20
assert with_one["value"].max() < 0

# %% [markdown]
# One statement holds in each reading: SVM, ridge regression of class indicators and network are
# significantly ahead of OFER in the paper's form, at every size, on both collections. Other statements
# need the reading.
#
# * On AwA random forest and Sem-IOKR are significantly ahead of OFER at every size without a constant.
#   With a constant and one image neither is significantly ahead.
# * With a constant column and one image of AwA, OFER is significantly ahead of the regression of class
#   vectors. It is not at any other size of AwA, in any of these four readings.
# * With centred features of Caltech-101, OFER has a higher mean than the regression of class vectors with
#   up to four images, and is significantly ahead with three. It has 22 % there, the SVM 82 %.

# %%
printed_form, leaders = "OFER-GMM as printed", ["m-SVM", ridge_form, "MLP"]
leads = pd.concat(
    [
        leads_in_readings(id, printed_form, rival, id.replace("table", "readings"))
        for id in tables
        for rival in (*leaders, "m-RF", "Sem-IOKR", "Sem-KRR")
    ]
)
assert leads.loc[leads["rival"].isin(leaders), "high"].max() < 0
of_awa = leads[(leads["id"] == "ofer-table-12") & leads["rival"].isin(["m-RF", "Sem-IOKR"])]
without = of_awa["constant"] == "no constant"
assert of_awa.loc[without, "high"].max() < 0
assert of_awa.loc[~without & (of_awa["size"] == "1"), "high"].min() >= 0
ahead = leads.loc[leads["low"] > 0, ["id", "size", "rival", "features", "constant"]]
assert {*ahead.itertuples(index=False, name=None)} == {
    ("ofer-table-11", "3", "Sem-KRR", "centred", "no constant"),
    ("ofer-table-12", "1", "Sem-KRR", "as they are", "constant column"),
}
centred = leads.query("id == 'ofer-table-11' and rival == 'Sem-KRR' and features == 'centred'")
assert {*centred.loc[centred["value"] > 0, "size"]} == {*"1234"}
assert round(in_caltech.means[f"{printed_form}, centred, no constant"]["3"]) == 22
assert round(on_caltech["m-SVM"]["3"]) == 82

# %% [markdown]
# The accuracies of each reading are in
# <a href="results/ofer-readings-11.csv" download>ofer-readings-11.csv</a> (Caltech-101, where guessing
# has 1 %) and <a href="results/ofer-readings-12.csv" download>ofer-readings-12.csv</a> (AwA, where it
# has 2 %).
#
# ### What a choice by accuracy changes
#
# The paper chooses the number of clusters, from one to ten, by cross-validation, and does not say what
# it compares. We compare the ranks of the true class, because with one image a class there is hardly a
# right answer among the images that are left out. In another reading the accuracy decides, for OFER,
# the regression of class vectors and Sem-IOKR alike. On AwA OFER is then significantly ahead of the
# regression of class vectors with ten images or more, by 1.1 to 1.7 points, and behind Sem-IOKR and the
# SVM at every size, as by rank.
#
# This is not the work of the clusters. OFER is ahead in each of the 23 cases (of 90 splits and sizes) in
# which the accuracy chooses a single one. With one cluster the closed form P(10) adds the mean of the
# class vectors, as an intercept does, and divides the rest by the predicted membership
# ({doc}`05_what_ofer_computes`). Where features contain a constant, the regression of class vectors has
# an intercept of its own. On Caltech-101 OFER is nowhere significantly ahead of the regression of class
# vectors by accuracy, either.

# %%
chosen_form, chosen_vectors = f"{printed_form}, by accuracy", "Sem-KRR, by accuracy"
assert in_awa.better(chosen_form, than=chosen_vectors, only=many_images)
assert in_awa.ahead(chosen_form, of=chosen_vectors, by=(1.1, 1.7), at=many_images)
assert in_awa.worse(chosen_form, than=["Sem-IOKR, by accuracy", "m-SVM"])
chosen = table_of("ofer-readings-12-choice").contrast("n_components").by_split[chosen_form]
single = chosen.index[chosen == 1]
leads = in_awa.by_split[chosen_form] - in_awa.by_split[chosen_vectors]
assert len(single) == 23
assert leads[single].min() > 0
assert in_caltech.better(chosen_form, than=chosen_vectors, only=[])

# %%
embedding, middle = animals.printed[1], animals.vectors.mean(axis=0)
halved = embedding.transform(animals.vectors) * np.r_[0.5, np.ones(animals.vectors.shape[1])]
np.testing.assert_allclose(
    embedding.inverse_transform(halved) - middle, 2 * (animals.vectors - middle), atol=1e-8
)

# %% [markdown]
# ## What makes the mixture work
#
# A different comparison lets the mixture work. Ridge regression shrinks its predictions towards the
# mean, and distances then favour the classes in the middle. The angle seen from the mean does not.
# There is a second choice: we can compare the predicted vector with the vector of each class, or the
# predicted *embedding* with the embedding of each class. Only embeddings keep the clusters.

# %%
mixture = FrozenEstimator(caltech.natural[10])
rows = []
for per_class in (2, 4, 7):
    task = take(caltech, per_class, 0)
    for decode in ("output", "embedding"):
        model = SemanticClassifier(
            OutputFisherRegressor(mixture, KernelRidgeCV(), block_wise=True),
            caltech.vectors,
            decode=decode,
        ).fit(task.X, task.y)
        for metric in ("euclidean", "cosine"):  # which no fit depends on
            model.set_params(metric=metric)
            accuracy = 100 * np.mean(model.predict(task.X_test) == task.y_test)
            rows.append((f"{decode}, {metric}", str(per_class), "accuracy", accuracy))

decoding = pd.DataFrame(rows, columns=["method", "setting", "metric", "mean"]).assign(std=0.0)
ways = decoding.pivot(index="setting", columns="method", values="mean")

# %% mystnb={"figure": {"name": "fig-class-decoding", "caption": "One regression, four ways to answer: compare vectors (output) or embeddings, by distance (euclidean) or by angle (cosine). One split of Caltech-101, ten clusters, ridge parameters by leave-one-out error. The angle is better than the distance, and best in the embedding."}, "image": {"alt": "Four rising curves of accuracy against 2, 4 and 7 images per class; the two cosine curves lie above the two Euclidean ones, and that of the embedding on top."}}
_ = plot_learning_curves(decoding, **options)

# %% [markdown]
# On this split the angle gives at least ten points more than the distance. With the angle the
# embedding is more accurate than the vector. So our form compares embeddings by the angle. It beats
# the regression of class vectors, with an intercept and the angle too, on both collections. On
# Caltech-101 its lead grows with the number of clusters. With a cluster for each class it would be
# ridge regression of class indicators ({ref}`ex-classes-limit`). Sem-IOKR, the rival with a Gaussian
# output kernel, also gains from an intercept and the angle ({numref}`tab-caltech`). On Caltech-101 it is
# then better than our form with ten clusters, and worse than that with fifty. On AwA it differs
# from both by about a point at most.

# %%
for decode in ("output", "embedding"):
    assert np.all(ways[f"{decode}, cosine"] > ways[f"{decode}, euclidean"] + 10)
assert np.all(ways["embedding, cosine"] > ways["output, cosine"])
for contrast in contrasts.values():
    assert contrast.order("OFER-GMM", "Sem-KRR centred")
    assert contrast.ahead("Sem-IOKR centred", of="Sem-IOKR")
assert in_caltech.order(ridge_form, "OFER-GMM wide", "OFER-GMM", "Sem-KRR centred")
assert in_caltech.order("OFER-GMM wide", "Sem-IOKR centred", "OFER-GMM")
assert in_awa.ahead(["OFER-GMM", "OFER-GMM wide"], of="Sem-IOKR centred", by=(-1.1, 1.1))

# %% [markdown]
# ## What weak labels are worth
#
# A weak label says in which cluster the class of an image lies. In our form weak labels raise the
# mean accuracy at every size on both collections. The more clusters, the fewer classes a label leaves
# open, and the more it says. {numref}`fig-weak-best` has up to 50 clusters. Ridge regression of class
# indicators gets the same labels; it takes all classes of the cluster for equally likely.

# %% mystnb={"figure": {"name": "fig-weak-best", "caption": "What 2500 weak labels are worth on Caltech-101, to OFER with up to 50 clusters (OFER-GMM (ours), wide; wOFER+2500 (ours), wide) and to ridge regression of class indicators (one-hot ridge); bands are one standard deviation over ten splits. OFER with weak labels wins with one image per class, and loses from four on."}, "image": {"alt": "Four rising curves. With one image per class OFER-GMM with weak labels is on top; from four images on, the two curves of class indicators, close together."}}
compared = ["OFER-GMM wide", wide_form, ridge_form, imputed_form]
best = pd.concat([weak_frames["Caltech-101"], caltech_frame.query("method == @ridge_form")])
_ = plot_learning_curves(summarize(best[best["method"].isin(compared)]), **options)

# %% [markdown]
# On Caltech-101 there is one case for OFER. With one image per class and weak labels it is best, by
# more than eight points. A second image is worth more than the weak labels: with two images and no weak
# label, ridge regression of class indicators is above that. With two images it does not differ
# significantly from OFER with weak labels; from four images on OFER is behind. Weak labels do not help
# ridge regression of class indicators, and with two images they harm it.
#
# On AwA weak labels help both methods, and ridge regression of class indicators has the higher mean at
# every size.
#
# In the paper's form, with ranks for the choice of clusters, 2500 weak labels change nothing
# significantly on Caltech-101. From three images on, ranks choose a single cluster there. Every image is
# a member of it, so a label says nothing. If the mixture must have two clusters or more, the labels raise the mean at every
# size, significantly with four, seven and ten images. That makes up for what the clusters cost, and no
# more: from two images on the accuracy is that of one cluster, to about a point. On AwA, by rank, weak
# labels help the paper's form significantly with two and three images, by at most two points. Labels
# given to the wrong images do no significant good in either form.

# %%
for contrast in contrasts.values():
    assert contrast.ahead("wOFER+2500", of="OFER-GMM")
    assert contrast.better(f"{best_form}, shuffled", than="OFER-GMM as printed", only=[])
    assert contrast.better("wOFER+2500 shuffled", than="OFER-GMM", only=[])
rivals = [*dict.fromkeys(weak_frames["Caltech-101"]["method"]), *on_caltech]
rivals = [name for name in rivals if name != wide_form]
assert in_caltech.ahead(wide_form, of=rivals, by=8, at="1")
first, second = (in_caltech.means.loc[n] for n in ("1", "2"))
assert first[wide_form] < second[ridge_form]
assert in_caltech.apart(wide_form, ridge_form, at="2", only=[])
assert in_caltech.worse(wide_form, than=ridge_form, at=["4", "5", "7", "10"])
assert in_caltech.better(imputed_form, than=ridge_form, only=[])
assert in_caltech.worse(imputed_form, than=ridge_form, only="2")
assert in_caltech.ahead(ridge_form, of=imputed_form, at=["1", "2"])
assert in_awa.order(imputed_form, wide_form, "OFER-GMM wide")
assert in_awa.ahead(imputed_form, of=ridge_form)

# %%
assert in_caltech.apart(best_form, "OFER-GMM as printed", only=[])
assert in_caltech.ahead(f"{best_form}, C > 1", of=mixed_form)
assert in_caltech.apart(f"{best_form}, C > 1", mixed_form, only=["4", "7", "10"])
beyond_one = in_caltech.means.index.drop("1")
about = {"by": (-1.1, 1.1), "at": beyond_one}
assert in_caltech.ahead(f"{best_form}, C > 1", of="OFER-GMM as printed", **about)
assert in_awa.apart(best_form, "OFER-GMM as printed", only=["2", "3"])
assert in_awa.ahead(best_form, of="OFER-GMM as printed", by=(-np.inf, 2))
taken = weak_tables["ofer-table-13"].contrast("n_components").by_split[best_form]
assert taken.drop(["1", "2"]).eq(1).mean() > 0.9

# %% [markdown]
# ## What this changes for you
#
# * Try an SVM with a tuned cost, and ridge regression of class indicators, before you use names.
# * If you use names, compare classes by the angle, in the embedding, with many clusters:
#   `SemanticClassifier(..., decode="embedding", metric="cosine")`.
# * Collect weak labels if you have one example per class, and make their groups fine. With two or more
#   examples learn the indicators. Here a weak label may weigh as much as a label: a tuned weight is no
#   better. Elsewhere let leave-one-out choose the weight, in case labels are wrong.
# * Use names for classes without images. Of ten such classes, regression of class vectors picks the
#   right one for more than half of the images.
# * Do not choose parameters by accuracy if that leaves out the only example of a class. For methods
#   that know names, choose by the rank of the true class. For others, fix the parameters.

# %%
for name, contrast in contrasts.items():
    rivals = [contrast.tests(wide_form, other) for other in (ridge_form, imputed_form)]
    ahead = [test["significant"] & (test["difference"] > 0) for test in rivals]
    assert (ahead[0] & ahead[1]).sum() == (name == "Caltech-101")

# %% [markdown]
# ## The data and the protocol

# %%
for id, table in (tables | weak_tables).items():
    print(f"{table_name(id)}: {table.describe()}")

# %%
for name in ("caltech101", "awa", "class_texts", "glove50"):
    info = dataset_info(name)
    print(f"{info.title}\n  {info.size}; {info.fidelity}. {info.notes}")

# %% [markdown]
# A class vector is an average of word vectors, weighted by TF-IDF. The words are those of a line in a
# dictionary, in the paper those of the first paragraph in Wikipedia
# ({func}`~reproduction.datasets.texts.class_vectors.class_vectors_from_texts`).

# %%
for name, images in {"Caltech-101": caltech, "AwA": animals}.items():
    print(f"{name}: {len(images.X)} images, {images.X.shape[1]} features,", end=" ")
    print(f"{len(images.vectors)} class vectors of {images.vectors.shape[1]} numbers")

# %% mystnb={"figure": {"name": "fig-class-map", "caption": "The fifty animals by the directions of their class vectors from the mean, on the first two principal components. Marks that look alike are one component of a mixture of ten."}, "image": {"alt": "Scatter plot with names: rodents at the top, big cats at the left, bears below the middle; gorilla, raccoon, bobcat and spider monkey lie apart at the bottom."}}
component = animals.natural[10].predict_proba(animals.vectors).argmax(axis=1)
directions = normalize(animals.vectors - animals.vectors.mean(axis=0))
_ = plot_class_map(directions, fetch_class_vectors("awa").names, component)

# %% [markdown]
# A *pig* lies beside a *chihuahua*: dictionaries describe both in similar words. A mixture of ten
# divides the animals unevenly:

# %%
names = fetch_class_vectors("awa").names
sizes = np.bincount(component)
for k in np.argsort(-sizes, kind="stable")[:5]:
    print(sizes[k], "classes:", ", ".join(names[component == k][:6]))
print("components of a single class:", int((sizes == 1).sum()))

# %% [markdown]
# The paper adds a step to its method at either end: vectors describe the classes before anything is
# learnt, and a predicted vector becomes a class.

# %% mystnb={"figure": {"name": "fig-class-scheme", "caption": "From an image of Caltech-101 to a class in five steps, with our sizes. We drew it after the text, because we do not have Figure 3 of the paper."}, "image": {"alt": "Diagram of four boxes. Classes are described by vectors, these are embedded, images are regressed on the embeddings, the prediction is decoded to a vector, and the nearest class is the answer."}}
_ = plot_class_scheme(caltech.X.shape[1], caltech.vectors.shape[1], 10, len(caltech.vectors))

# %% [markdown]
# Let $v_1, \dots, v_K$ be the vectors of the classes and $\hat y(x)$ the predicted vector. Regression
# of class vectors and OFER in the paper's form answer
#
# ```{math}
# :label: eq-nearest-class
# \hat k(x) = \argmin_k \| v_k - \hat y(x) \| .
# ```
#
# Our form compares the predicted embedding $h(x)$ with the embedding $\phi(v_k)$ of each class, by
# the angle seen from the mean $m$ of the embedded training outputs:
#
# ```{math}
# :label: eq-class-cosine
# \hat k(x) = \argmax_k \frac{\langle \phi(v_k) - m, \; h(x) - m \rangle}{\| \phi(v_k) - m \|}
# ```
#
# So the pre-image problem P(3) is solved exactly among the classes. {class}`~ofer.SemanticClassifier`
# compares vectors or embeddings, by distance or by angle. The numbers of
# {numref}`fig-class-decoding`:

# %% mystnb={"figure": {"caption": "Accuracy in percent on one split of Caltech-101, by labelled images per class (rows) and way of answering (columns)."}}
ways.round(1)

# %% [markdown]
# There are ten random splits, with 5472 test images of Caltech-101 and 9143 of AwA, as in the paper.
# Each larger training set contains the smaller ones. Rows of inputs are normalised, kernels linear.
# Mixtures are fitted once to the class vectors, with a variance floor of 0.1, and see no image.
#
# :::{table} Methods on images of named classes. *(paper)* means the paper's form: no intercept, one ridge parameter for all coordinates.
# | method | what it is |
# |---|---|
# | m-SVM | linear SVM, one against the rest; its cost by two-fold cross-validation, a hard margin with one image per class |
# | MLP | one hidden layer, trained until the loss no longer falls; 64 or 256 units and a rate of 0.001 or 0.01 by two-fold cross-validation |
# | m-RF | random forest of 500 trees; the inputs tried at a split by predictions out of bag |
# | one-hot ridge | ridge regression of class indicators |
# | Sem-IOKR | IOKR with a Gaussian output kernel on class vectors, no intercept |
# | Sem-KRR | ridge regression of class vectors, no intercept, {eq}`eq-nearest-class` |
# | OFER-GMM (paper) | score scaling, closed form P(10) as it is, {eq}`eq-nearest-class`; 1 to 10 components |
# | ..., C > 1 | the same with 2 to 10 components, chosen by the accuracy for images that were left out |
# | Sem-IOKR centred, Sem-KRR centred | the same with an intercept, compared by the angle {eq}`eq-class-cosine` |
# | OFER-GMM (ours) | natural scaling, intercept, compared in the embedding by the angle; 1 to 10 components |
# | OFER-GMM (ours), wide | the same with up to 50 components, 40 for the 50 animals |
# | wOFER+*n* (ours) | OFER-GMM (ours) with *n* weak labels, the components of the images' classes; their weight, 0.1 or 1, is chosen as the ridge parameter is |
# | one-hot ridge+2500 imputed | the one-hot ridge; all classes in the component of a weak image are equally likely |
# :::
#
# **How choices are made.** The paper says 5-fold cross-validation on the training set. With one
# example per class this fails: whoever leaves an example out leaves its class out, and nearly all
# answers are wrong. The *rank* of the true class stays informative, because names can lift an unseen
# class into the upper half. So all methods choose by the mean rank of the true class for images that
# were left out. Linear methods use exact leave-one-out, SVM and MLP two folds, the forest out-of-bag
# images. The costs of the SVM are 1, 10 and 100, and further powers of ten where the best lies at an
# end. With one example per class these are fixed: the ridge parameter for indicators (the mean
# eigenvalue of the kernel matrix), the SVM (a hard margin), the number of components (the largest; in
# the paper's form ranks decide), MLP and forest (as in scikit-learn). We settled on ranks after a look
# at three further splits of the same images.

# %%
for id in tables:
    budget = get_experiment(id).parameters["choices"]
    assert budget["n_trees"] == 500
    assert budget["n_epochs"] == 10_000

# %% [markdown]
# ## Table 11: Caltech-101
#
# The printed numbers of OFER-GMM stand beneath *OFER-GMM (paper)*, computed here. Our random forest
# is at least 16 points above OFER-GMM (paper), in each reading. The paper reports 1.6 % at most for
# its forest.

# %%
in_readings = in_caltech.means.filter(regex=f"^{printed_form}(, (as|centred).*)?$").max(axis=1)
assert (on_caltech["m-RF"] - in_readings).min() > 16

# %% mystnb={"figure": {"name": "tab-caltech", "caption": "Accuracy in percent on Caltech-101, ours and the paper's Table 11, by labelled images per class (columns)."}}
percent = {"metric": "accuracy", "digits": 1, "larger_is_better": True}
show_results(tables["ofer-table-11"], read_paper("ofer-table-11").replace(ours), **percent)

# %% [markdown]
# ## Table 12: Animals with Attributes

# %% mystnb={"figure": {"caption": "Accuracy in percent on Animals with Attributes, ours and the paper's Table 12, by labelled images per class (columns)."}}
show_results(tables["ofer-table-12"], read_paper("ofer-table-12").replace(ours), **percent)

# %% mystnb={"figure": {"name": "fig-table-12", "caption": "Table 12 as learning curves, ours and the paper's. Features, and with them the levels, differ."}, "image": {"alt": "Two panels of accuracy against 1 to 14 images per class: ours between 2 and 21 percent, the paper's between 0 and 50."}}
_ = plot_learning_curves(**beside_paper(animals_frame, "ofer-table-12", shown), **options)

# %% [markdown]
# ### Why the levels of AwA differ
#
# The unit is not the reason, nor the number of classes: 9143 images are three in ten of those of all
# fifty animals, and with one image per class the printed SVM guesses, with 2 %. The features are the
# reason. On Caltech-101 our features come from a network, too. There, with uncentred features, every
# method but OFER in the paper's form has more than 1.5 times the printed accuracy. With the features of
# 2009 and ten or more images per class, every method has less than half of it, in each reading.

# %% mystnb={"figure": {"caption": "Accuracy on Animals with Attributes relative to the printed one, by labelled images per class (rows) and method (columns)."}}
over = {
    id: means / mean_table(read_paper(id).replace(ours), "accuracy")
    for id, means in zip(tables, (on_caltech, on_animals), strict=True)
}
caltech_ratio, animals_ratio = (
    ratio.dropna(how="all", axis=0).dropna(how="all", axis=1) for ratio in over.values()
)
many = animals_ratio.loc[["10", "14"]]
many.round(2)

# %%
guessing = 100 / len(animals.vectors)
n_test = {id: get_experiment(id).parameters["n_test"] for id in tables}
assert round(n_test["ofer-table-12"] / len(animals.X), 1) == 0.3
first = read_paper("ofer-table-12").query("setting == '1'").set_index("method")["mean"]
assert set(first.index[first < 1.1 * guessing]) == {"m-SVM", "Sem-IOKR"}
assert (caltech_ratio.drop(columns="OFER-GMM as printed") > 1.5).all(axis=None)
assert many.max(axis=None) < 0.5
in_any_reading = "^(Sem|OFER).*(constant column|intercept|no constant|by accuracy)$"
for number, contrast in zip((11, 12), contrasts.values(), strict=True):
    paper = mean_table(read_paper(f"ofer-table-{number}"), "accuracy")
    for name, means in contrast.means.filter(regex=in_any_reading).items():
        form = name.split(",")[0].removesuffix(" as printed")
        ratio = (means / paper[form]).dropna()
        if number == 12:
            assert ratio[["10", "14"]].max() < 0.5
        elif form != "OFER-GMM" and "centred" not in name:
            assert ratio.min() > 1.5

# %% [markdown]
# The printed Sem-IOKR has 0.26 % with one image, far below guessing. Its parameters were chosen badly,
# or its votes go to a few classes. Repeat Table 12 with features of a deep network
# ({func}`~reproduction.datasets.images.image_features.load_image_features`).
#
# ## A variational autoencoder
#
# The paper tried a conditional variational autoencoder, too {cite}`sohn2015`. It says that it does not
# converge on so few images, and that its accuracy is near 0 %. It names no architecture. Ours has three
# networks with one hidden layer of 128 units each, and eight latent dimensions. It learns class
# vectors, and the nearest one answers. The row *network* is the same without a latent variable.

# %%
autoencoder = table_of("ofer-autoencoder")
neural = mean_table(autoencoder.frame, "accuracy")
assert autoencoder.contrast("converged").by_split.eq(1).all(axis=None)
same_splits = autoencoder.frame["split"].unique()
rivals = pd.concat(
    {
        name: contrast.by_split.query("split in @same_splits").groupby("setting").mean()
        for name, contrast in contrasts.items()
    }
)
rivals = rivals.set_axis([f"{name}, {size}" for name, size in rivals.index]).loc[neural.index]
leads = rivals.sub(neural["CVAE"], axis=0)
assert leads[["Sem-KRR", "OFER-GMM as printed"]].max(axis=None) < 0
assert leads.loc["Caltech-101, 1", "OFER-GMM as printed"] > -0.5
assert np.all(np.abs(neural["CVAE"] - neural["network"]) < 2)
leads = leads.filter(regex=in_any_reading.replace("Sem", "Sem-KRR")).stack()
above = leads[leads > 0]
assert list(above.index) == [("Caltech-101, 1", f"{printed_form}, as they are, intercept")]
assert above.item() < 0.5

# %% mystnb={"figure": {"caption": "Accuracy in percent of a conditional variational autoencoder (CVAE) and of the same network without a latent variable, by data and labelled images per class (rows). By angle: the class at the smallest angle, seen from the mean of all vectors."}}
by_answer = ["accuracy", "accuracy by angle"]
show_results(autoencoder, metric=by_answer, digits=1, larger_is_better=True)  # "ofer-autoencoder"

# %% [markdown]
# Here its loss stops falling in every run. On the same five splits its mean accuracy is above those of ridge
# regression of class vectors and of OFER in the paper's form, as Tables 11 and 12 have them. With one
# image of Caltech-101 it is above OFER's by less than half a point, and with an intercept below OFER's by
# as little. In the other readings it is below neither. It differs from the network without a latent
# variable by less than two points.
#
# ## What is significant
#
# Paired t-tests over the ten splits. A difference above zero favours the first method, a star passes
# the paper's level.

# %% mystnb={"figure": {"caption": "Mean differences of accuracy over ten splits of Caltech-101, in points of percent, by labelled images per class (columns). A star is significant at the paper's level."}}
pairs = [
    ("OFER-GMM as printed", "m-SVM"),
    ("OFER-GMM as printed", "Sem-KRR"),
    ("OFER-GMM", "Sem-KRR centred"),
    ("OFER-GMM", "Sem-IOKR centred"),
    ("OFER-GMM wide", "Sem-IOKR centred"),
    ("OFER-GMM wide", "one-hot ridge"),
    ("one-hot ridge", "m-SVM"),
]
in_caltech.starred(pairs, digits=1)  # "ofer-table-11"

# %% mystnb={"figure": {"caption": "The same on Animals with Attributes."}}
in_awa.starred(pairs, digits=1)

# %% mystnb={"figure": {"name": "fig-semantics", "caption": "Caltech-101, split by split, in percent: what the mixture adds to regression of class vectors, and what both lose against regression of indicators."}, "image": {"alt": "Two panels of dots for seven training sizes, above zero on the left and below zero on the right."}}
_ = plot_paired_differences(
    caltech_frame,
    [("OFER-GMM", "Sem-KRR centred"), ("OFER-GMM", "one-hot ridge")],
    metric="accuracy",
    size="labelled images per class",
)

# %% [markdown]
# ## Tables 13 and 14: weak labels
#
# OFER regresses the memberships on labelled and weak images together, P(14). It learns the mean within
# a component from the labelled images alone. Caltech-101 has 8677 images, and 5472 are for the test:

# %%
left = len(caltech.y) - n_test["ofer-table-11"]
for per_class in (7, 10):
    print(f"{per_class} labelled images per class leave {left - 101 * per_class} images")

# %% [markdown]
# So 2500 weak images do not exist with seven and ten images per class, unless they come from the test
# set, the labelled images, or no class. We take what is left.

# %% [markdown]
# The paper sets weak labels beside "the best competitor": the SVM on Caltech-101, the network on AwA.
# Neither is the best in all rows of Tables 11 and 12 ({doc}`90_errata`). In print OFER with 2500 weak
# labels is ahead of the SVM with up to five images, and of the network in all rows.
#
# Here the paper's form with 2500 weak labels is significantly behind both: by rank in every row, by
# accuracy in every row but AwA with one image. Our form with ten clusters is behind the SVM by 11 to
# 14 points, and behind the network from ten images on.
# With up to 50 clusters (40 on AwA) it is significantly ahead of the SVM with one image, of the network
# with one image and with seven or more, and significantly behind neither. With 40 clusters for 50
# animals most weak labels name the class ({doc}`06_5_open_classes`).

# %%
rival_of = {"Caltech-101": "m-SVM", "AwA": "MLP"}
for name, in_print_at in {"Caltech-101": [*"12345"], "AwA": list(on_animals.index)}.items():
    assert contrasts[name].worse(best_form, than=rival_of[name])
    assert contrasts[name].worse(wide_form, than=rival_of[name], only=[])
    in_print = mean_table(read_paper(f"ofer-table-{13 + (name == 'AwA')}"), "accuracy")
    ahead = in_print["wOFER+2500"] > in_print[rival_of[name]]
    assert {*ahead.index[ahead]} == {*in_print_at} & {*in_print.index}
assert in_caltech.ahead("m-SVM", of="wOFER+2500", by=(11, 14))
assert in_awa.worse("wOFER+2500", than="MLP", only=many_images)
assert in_caltech.better(wide_form, than="m-SVM", only="1")
assert in_awa.better(wide_form, than="MLP", only=["1", "7", *many_images])


# %% mystnb={"figure": {"caption": "Mean gains of weak labels over ten splits, in points of percent, by labelled images per class (columns). A star is significant at the paper's level."}}
weak_pairs = [(f"wOFER+{n}", "OFER-GMM") for n in (700, 1500, 2500)]
weak_pairs.append(("wOFER+2500 wide", "OFER-GMM wide"))
starred = {name: one.starred(weak_pairs, digits=1) for name, one in contrasts.items()}
pd.concat(starred).fillna("")

# %% mystnb={"figure": {"name": "fig-table-13", "caption": "Table 13, ours and the paper's: weak labels and the SVM on Caltech-101. Left: our form, with up to ten and with up to 50 clusters (wide)."}, "image": {"alt": "Two panels of accuracy against images per class. Ours: weak labels lift the curve most at one image per class, and most of all with many components, where it meets the SVM. Paper: four curves of OFER close together; the SVM begins far below them and passes them after five images."}}
with_rival = weak_frames["Caltech-101"], caltech_frame[caltech_frame["method"] == "m-SVM"]
_ = plot_learning_curves(
    summarize(pd.concat(with_rival)), paper=read_printed_form("ofer-table-13"), **options
)

# %% [markdown]
# The paper prints standard deviations of 0.01 % with weak labels, and above one without. Ours:

# %% mystnb={"figure": {"caption": "Standard deviation of the accuracy over ten splits, in points of percent, by labelled images per class (columns)."}}
spread = {
    name: contrast.deviations[["OFER-GMM", "wOFER+2500"]].T for name, contrast in contrasts.items()
}
ratios = pd.concat([one.loc["wOFER+2500"] / one.loc["OFER-GMM"] for one in spread.values()])
assert np.mean(ratios > 1) > 0.8
pd.concat(spread).map(lambda value: "" if np.isnan(value) else f"{value:.2f}")

# %% [markdown]
# A deviation of 0.01 % is half a test image of 5472: ten random training sets would have to lead to
# nearly the same number of right answers ({ref}`ex-classes-deviation`). Our deviations rise with weak
# labels, at nearly every size.
#
# On Caltech-101 with up to five images per class, weak labels raise the mean by more than in the
# paper. There OFER-GMM (ours) with weak labels beats Sem-KRR at every size, with and without an
# intercept:

# %% mystnb={"figure": {"caption": "Mean lead of weak labels over ridge regression of class vectors on Caltech-101, in points of percent, by labelled images per class (columns). Ten splits; a star is significant at the paper's level."}}
over_names = [("wOFER+2500", "Sem-KRR"), ("wOFER+2500", "Sem-KRR centred")]
in_caltech.starred(over_names, digits=1)

# %%
few = ["1", "2", "3", "4", "5"]
on_paper = mean_table(read_paper("ofer-table-13"), "accuracy")
gained = on_paper["wOFER+2500"] - on_paper["OFER-GMM"]
raised = in_caltech.means["wOFER+2500"] - in_caltech.means["OFER-GMM"]
assert np.all(raised[few] > gained[few])
assert in_caltech.better("wOFER+2500", than=["Sem-KRR", "Sem-KRR centred"])

# %% [markdown]
# With up to ten components weak labels soon have nothing more to say. With up to 50 a component holds
# few classes (3.3 for the average image of Caltech-101, {doc}`06_5_open_classes`).

# %% mystnb={"figure": {"caption": "Mean differences to ridges of class indicators, in points of percent, by labelled images per class (columns). Ten splits; a star is significant at the paper's level."}}
over_indicators = [
    ("wOFER+2500 wide", "one-hot ridge"),
    ("wOFER+2500 wide", "one-hot ridge+2500 imputed"),
    ("one-hot ridge+2500 imputed", "one-hot ridge"),
]
starred = {name: one.starred(over_indicators, digits=1) for name, one in contrasts.items()}
pd.concat(starred).fillna("")

# %% [markdown]
# On AwA the one-hot ridge with imputed labels is significantly ahead of OFER with 1, 7 and 10 images
# per class. Weak labels help both significantly with one image and with ten or more. With one image
# the imputed labels lead to about twice the accuracy that they lead to with two. The number of
# components is fixed at 40 there. With two images it is chosen, below ten in some splits, and a weak
# label of a coarse group says less.

# %%
imputed = in_awa.means[imputed_form]
assert 1.7 < imputed["1"] / imputed["2"] < 2.3
taken = component_counts["AwA", "OFER-GMM wide"]
assert 0.05 < taken[taken.index < 10].sum() / taken.sum() < 0.5
assert in_awa.apart(imputed_form, wide_form, only=["1", "7", "10"])
assert in_awa.better(imputed_form, than=wide_form, only=["1", "7", "10"])
assert in_awa.better(imputed_form, than=ridge_form, only=["1", *many_images])
assert in_awa.better(wide_form, than="OFER-GMM wide", at=["1", *many_images])

# %% [markdown]
# ## The paper's form, and shuffled labels
#
# The verdicts are about P(14) in the paper's form: score scaling, no intercept, one ridge parameter
# for both blocks, and the closed form P(10). Ranks of leave-one-out predictions choose the mixture,
# the ridge parameter and the weight of a weak image. The rows *shuffled* give the weak labels to
# random images.


# %%
def show_controls(id, frame):
    paper = read_printed_form(id).query("method.str.contains('OFER')")
    return show_results(weak_tables[id]._replace(frame=frame), paper, **percent)


# %% mystnb={"figure": {"caption": "Accuracy in percent on Caltech-101 of the paper's form and of controls with shuffled labels, with the paper's Table 13 beneath, by labelled images per class."}}
show_controls("ofer-table-13", controls["Caltech-101"])

# %% mystnb={"figure": {"caption": "The same on Animals with Attributes, with the paper's Table 14 beneath."}}
show_controls("ofer-table-14", controls["AwA"])

# %% mystnb={"figure": {"caption": "Mean changes that weak labels bring in the paper's form, and shuffled ones in either, in points of percent, by labelled images per class (columns). Ten splits; a star is significant at the paper's level."}}
forms = [(f"wOFER+{n} as printed", "OFER-GMM as printed") for n in (700, 2500)]
forms += [("wOFER+2500 as printed, C > 1", "OFER-GMM as printed, C > 1")]
forms += [("wOFER+2500 as printed, shuffled", "OFER-GMM as printed")]
forms += [("wOFER+2500 shuffled", "OFER-GMM")]
pd.concat({name: one.starred(forms, digits=1) for name, one in contrasts.items()}).fillna("")

# %% [markdown]
# In the paper's form cross-validation takes a single component of Caltech-101 in nearly every split,
# from three images per class on. On AwA, with fourteen images per class, weak labels lower the
# accuracy a little. In our form shuffled labels do harm on Caltech-101.

# %%
assert in_awa.ahead("OFER-GMM as printed", of=best_form, at="14")
assert in_caltech.ahead("OFER-GMM", of="wOFER+2500 shuffled")

# %% [markdown]
# Ranks choose the number of clusters in these rows. In two other readings the accuracy of left-out
# images chooses, among all numbers of clusters or among two and more, where a label always says
# something. Whether 2500 weak labels help on Caltech-101 depends on it: they do significantly with two
# clusters or more, with four, seven and ten images, and not in the other readings. On AwA they help
# significantly with three images in each reading, and with two images by ranks and among two clusters and
# more.
#
# Other statements hold in each reading. On both collections 2500 weak labels do significant harm
# nowhere, 700 help significantly nowhere, and 2500 are nowhere significantly better than 700 or 1500.
# The SVM is significantly ahead of 2500 weak labels at every size of Caltech-101, the network from two
# images of AwA on.

# %% mystnb={"figure": {"name": "fig-weak-choice", "caption": "What 2500 weak labels change in the paper's form on Caltech-101, in percent of the accuracy without them, for each number of images (two and more) and each way to choose the number of clusters (C). Sorted, with the choices beneath. Intervals have the level of the paper's test; filled where zero is outside. With one image intervals reach from minus 57 to plus 87 percent."}, "image": {"alt": "Eighteen dots with intervals, nearly all within minus five and plus ten percent. Three are filled and above zero; all have two clusters or more."}}
pairs_of_forms = [
    (best_form, "OFER-GMM as printed"),
    ("wOFER+700 as printed", "OFER-GMM as printed"),
    (best_form, "wOFER+700 as printed"),
    (best_form, "wOFER+1500 as printed"),
]
curves = {
    (name, pair): leads_in_readings(f"ofer-table-{n}", *pair, f"ofer-readings-{n}-choice")
    for name, n in (("Caltech-101", 13), ("AwA", 14))
    for pair in pairs_of_forms
}
gain = curves["Caltech-101", pairs_of_forms[0]].query("size != '1'")
_ = plot_specifications(
    gain, gain[["choice", "size"]].rename(columns={"size": "images"}), label="gain, %"
)

# %%
helped = {}
for (name, pair), effects in curves.items():
    ahead = effects[effects["low"] > 0]
    helped[name, pair] = set(ahead["choice"] + ": " + ahead["size"])
    if pair != pairs_of_forms[0]:
        assert not helped[name, pair]
    else:
        assert not (effects["high"] < 0).any()
mixed_only = {f"by accuracy, C > 1: {size}" for size in ("4", "7", "10")}
assert helped["Caltech-101", pairs_of_forms[0]] == mixed_only
assert helped["AwA", pairs_of_forms[0]] == {
    "by rank: 2", "by rank: 3", "by accuracy: 3",
    "by accuracy, C > 1: 2", "by accuracy, C > 1: 3",
}  # fmt: skip
one_image = curves["Caltech-101", pairs_of_forms[0]].query("size == '1'")
assert round(one_image["low"].min()) == -57
assert round(one_image["high"].max()) == 87
by_accuracy = [f"{best_form}, by accuracy", f"{best_form}, by accuracy, C > 1"]
assert in_caltech.worse([best_form, *by_accuracy], than="m-SVM")
assert in_awa.worse(best_form, than="MLP")
assert in_awa.worse(by_accuracy, than="MLP", only=on_animals.index.drop("1"))
assert in_awa.ahead("MLP", of=by_accuracy)

# %% [markdown]
# The features of AwA are near a mean of zero, so without a constant the paper's form cannot learn one.
# Other readings give it a constant column or an intercept, or centre the features on the labelled
# images (<a href="results/ofer-readings-14.csv" download>ofer-readings-14.csv</a>). With a constant the accuracy rises to 7 percent, still far from the printed
# level. In each of these readings 2500 weak labels help significantly with two images, as they do without.
#
# On Caltech-101 (<a href="results/ofer-readings-13.csv" download>ofer-readings-13.csv</a>) a constant changes little. With two
# components or more the labels still raise the mean in every row, by less than three points. Centred
# features have lost the constant that the form needs: its accuracy falls to 4 to 22 percent. There
# 2500 weak labels put back what it lacks. With two components or more they raise the accuracy by 27
# to 37 points, significantly in every row. From two images on it stays below that of features as
# they are.

# %%
for choice in ("", *(f", {', '.join(one)}" for one in FEATURES_READ[1:])):
    pair = best_form + choice, "OFER-GMM as printed" + choice
    sizes = in_awa.tests(*pair).index
    assert in_awa.apart(*pair, at="2")
    assert in_awa.ahead(*pair, at=sizes.drop("14"))
assert round(mean_table(table_of("ofer-readings-14").frame, "accuracy").max(axis=None)) == 7

# %%
raised = {
    constant: in_caltech.means[f"{best_form}, C > 1, {', '.join(constant)}"]
    - in_caltech.means[f"OFER-GMM as printed, C > 1, {', '.join(constant)}"]
    for constant in FEATURES_READ[1:]
}
raised = pd.DataFrame(raised).dropna()
end = ", C > 1, centred, no constant"
assert in_caltech.apart(best_form + end, "OFER-GMM as printed" + end)
centred = raised["centred", "no constant"]
assert (round(centred.min()), round(centred.max())) == (27, 37)
assert raised["as they are"].stack().between(0, 3, inclusive="neither").all()
fallen = in_caltech.means.filter(regex="^OFER-GMM as printed(, C > 1)?, centred, no constant$")
assert [round(fallen.min(axis=None)), round(fallen.max(axis=None))] == [4, 22]
assert in_caltech.ahead(best_form + end, of=f"{best_form}, C > 1", only="1")

# %% [markdown]
# ## How much should a weak label weigh?
#
# The weight of a weak sample relative to a labelled one is the paper's $\lambda_2$, the subject of
# its Table 15, which we do not have. With three images per class and 2500 weak ones:

# %%
weight_frame = results("ofer-weak-weight", profile=profile).frame
wide = weight_frame.pivot(index=["metric", "method", "split"], columns="setting", values="value")
weights = sorted(wide.columns, key=float)
names = list(weight_frame["method"].unique())
best = {name: least(wide.loc[("rank", name), weights].mean()) for name in names}
for name, weight in best.items():
    print(f"{name}: the mean rank on the labelled images is least with weight {weight}")

# %% mystnb={"figure": {"name": "fig-class-weak-weight", "caption": "Accuracy on test images over the weight of a weak sample, mean and one standard deviation of five splits. Dotted: the weight that the labelled images would choose by leave-one-out."}, "image": {"alt": "Two curves over weights from 0.001 to 100."}}
panels = {n: {"wOFER+2500": wide.loc[("accuracy", n), weights].to_numpy()} for n in names}
_ = plot_curves(
    np.array([float(w) for w in weights]),
    panels,
    xlabel="weight of a weak sample",
    ylabel="accuracy (%)",
    chosen={name: float(weight) for name, weight in best.items()},
)
for name, frame in {"Caltech-101": caltech_frame, "AwA": animals_frame}.items():
    curve = wide.loc[("accuracy", name), weights].mean()
    assert abs(curve["1"] - curve["100"]) < 1
    assert float(best[name]) >= 1
    absent = frame.query("method == 'OFER-GMM' and metric == 'accuracy' and setting == '3'")
    absent = absent.query("split < 5")["value"].mean()
    share = (curve - absent) / (curve["1"] - absent)
    assert 0.9 < share["100"] < 1.1
    assert share["0.001"] > 0.5 if name == "Caltech-101" else abs(share["0.001"]) < 0.15

# %% [markdown]
# A thousandth of the weight of a labelled image gives more than half of the gain on Caltech-101, and
# next to nothing on AwA. A weight of 1 gives the whole gain. More changes nothing, because the weak
# images then decide about memberships alone.
#
# ## Classes without images
#
# We take all images of ten random classes of Caltech-101 out of the training set. For each of their
# test images the class is to be found among all 101, and among the ten.

# %%
task = take(caltech, 10, 0)
hidden = np.random.default_rng(0).choice(101, size=10, replace=False)
seen, queries = ~np.isin(task.y, hidden), np.isin(task.y_test, hidden)
truth = task.y_test[queries]
first_of_ten = []
for size in (None, 10, 50):
    ofer = ridge = KernelRidgeCV()
    if size is not None:
        ofer = OutputFisherRegressor(FrozenEstimator(caltech.natural[size]), ridge, block_wise=True)
    model = SemanticClassifier(ofer, caltech.vectors, metric="cosine")
    scores = model.fit(task.X[seen], task.y[seen]).decision_function(task.X_test[queries])
    rank = (scores > scores[np.arange(len(truth)), truth][:, None]).sum(axis=1)
    among = hidden[scores[:, hidden].argmax(axis=1)]
    first_of_ten.append(np.mean(among == truth))
    print(
        "regression of class vectors" if size is None else f"OFER (ours), {size} clusters",
        f"- first of 101: {100 * np.mean(rank == 0):.1f} %, mean rank {rank.mean() + 1:.1f};",
        f"first of ten: {100 * np.mean(among == truth):.1f} %",
    )
    assert np.mean(rank == 0) < 0.1
    assert rank.mean() < 20
assert first_of_ten[0] > 0.5
assert first_of_ten == sorted(first_of_ten, reverse=True)

# %% [markdown]
# Of ten classes without images, regression of class vectors picks the right one in more than half of
# the cases. Indicators could only guess. Among all 101 the unseen class is seldom first, but near the
# top. Clusters do harm, because the other classes of its cluster must stand in for an unseen one.
#
# ## Verdicts
#
# An ordering holds in a row if the paired t-test at level 0.001 finds it. The last two lines are
# of the short version, which states no level; its claims are tested at 0.05.

# %%
HTML(claims_to_html(read_claims(chapter="06_5_classification")))

# %% [markdown]
# ## Exercises
#
# ```{exercise} Quick
# :label: ex-classes-limit
#
# Take one component for each class. What does OFER-GMM become?
# ```
#
# ```{solution} ex-classes-limit
# :class: dropdown
#
# The one-hot ridge. Memberships are then indicators of the classes, and the mean block holds nothing,
# because every class is at the mean of its own component. The number of components leads from
# Sem-KRR (one) to a classifier that knows no names (one per class).
# ```
#
# ````{exercise} Quick
# :label: ex-classes-deviation
#
# Accuracies on 5472 test images have a standard deviation of 0.01 % over ten splits. By how many
# images do the splits differ?
#
# ```{ask}
# :answer: 1
# :choices: half an image | five images | fifty images
# ```
# ````
#
# ```{solution} ex-classes-deviation
# :class: dropdown
#
# By about half an image. Hardly any split may differ from another by more than one right answer.
# ```

# %%
assert 0.5 < 5472 * 0.01 / 100 < 0.6
ten = np.r_[np.zeros(9), 1]  # one split of ten with one more right answer
assert 100 * ten.std(ddof=1) / 5472 < 0.01

# %% [markdown]
# ```{exercise} Code
# :label: ex-classes-shuffle
#
# Permute the class vectors, so that a crocodile gets the vector of a grand piano, and fit Sem-KRR
# centred again, with four images per class. How much accuracy is left, and what does this say?
# ```
#
# ```{solution-start} ex-classes-shuffle
# :class: dropdown
# ```

# %%
task, accuracies = take(caltech, 4, 0), {}
order = np.random.default_rng(0).permutation(101)
for name, vectors in {"true": caltech.vectors, "permuted": caltech.vectors[order]}.items():
    model = SemanticClassifier(KernelRidgeCV(), vectors, metric="cosine").fit(task.X, task.y)
    accuracies[name] = 100 * np.mean(model.predict(task.X_test) == task.y_test)
for name, accuracy in accuracies.items():
    print(f"{name} class vectors: {accuracy:.0f} %")
assert accuracies["permuted"] > 20 > 100 / 101
assert accuracies["permuted"] < accuracies["true"]

# %% [markdown]
# The loss is what the names are worth. The rest comes from vectors that differ: any fifty-dimensional
# code of 101 classes can be regressed and decoded. Table 11 lacks this control.
#
# ```{solution-end}
# ```
