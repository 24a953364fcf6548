# ---
# jupyter:
#   kernelspec:
#     display_name: Python 3
#     name: python3
# ---
# needs: caltech101, awa, class_vectors

# %% [markdown]
# # Classes of images
#
# *Section 6.5 of {cite:t}`djerrab2018`, Tables 11 to 14*
#
# A classifier usually takes the names of its classes for mere labels. But *crocodile* is closer to
# *emu* than to *grand piano*, and whoever has one photograph of each of a hundred things might
# profit from knowing so. The paper replaces each class by a vector of its meaning, regresses these
# vectors on the image, and answers with the class whose vector is nearest. OFER-GMM fits a mixture
# to the vectors first. With one example per class it reports four times the accuracy of a support
# vector machine (SVM).
#
# This chapter re-runs Tables 11 to 14. It asks three questions. Does the ordering hold if the
# baselines are tuned? What does the mixture add, and where? And what are weak labels worth?
#
# ```{admonition} Run it yourself
# `make chapter NAME=06_5_classification PARAMS="profile=quick"`
# computes a small part of each stored table of this chapter anew, in about a minute each, and
# shows it beside the stored rows; {doc}`how_to_rerun` says more.
# ```

# %% tags=["parameters"]
profile: str = "stored"  # or "quick", "full": see the box above
level: float = 1e-3  # of the t-tests; the paper's

# %%
import numpy as np
import pandas as pd
from ofer import KernelRidgeCV, OutputFisherRegressor, SemanticClassifier
from reproduction.claims import read_claims, scorecard
from reproduction.engine import results
from reproduction.statistics import compare, paired_t_test, read_paper, summarize
from reproduction.papers.ofer.images.tables import load_images, take
from reproduction.datasets import dataset_info
from reproduction.datasets.texts.class_vectors import fetch_class_vectors
from reproduction.figures.curves import plot_curves
from reproduction.figures.learning_curves import plot_learning_curves
from reproduction.figures.splits import plot_paired_differences
from reproduction.papers.ofer.figures.class_map import plot_class_map
from sklearn.frozen import FrozenEstimator
from sklearn.preprocessing import normalize

# %% [markdown]
# ## The data, and how they differ from the paper's

# %%
for name in ("caltech101", "awa", "class_texts", "glove50"):
    info = dataset_info(name)
    print(f"{info.title}\n  {info.size}; {info.fidelity}. {info.notes}")

# %% [markdown]
# The images of Caltech-101 come as features of a convolutional network, as in the paper, though of
# another, smaller one. For Animals with Attributes (AwA) such features are not at hand. The
# hand-made features of 2009 are so weak that no level of Table 12 can be compared; orderings can.
#
# A class vector is the average of the word vectors of a short text, weighted by TF-IDF
# ({func}`~reproduction.datasets.texts.class_vectors.class_vectors_from_texts`): the line of a dictionary instead of the first
# paragraph of Wikipedia's page.

# %%
caltech, animals = load_images("caltech101"), load_images("awa")
for images in (caltech, animals):
    print(images.X.shape, images.vectors.shape)

# %% mystnb={"figure": {"name": "fig-class-map", "caption": "The fifty animals by the directions of their class vectors from the mean, on the first two principal components. Marks of one look are one component of a mixture of ten."}, "image": {"alt": "Scatter plot with names: rodents at the top, big cats at the left, bears below the middle; gorilla, raccoon, bobcat and spider monkey lie apart at the bottom."}}
component = animals.natural[10].predict_proba(animals.vectors).argmax(axis=1)
directions = normalize(animals.vectors - animals.vectors.mean(axis=0))
_ = plot_class_map(directions, fetch_class_vectors("awa").names, component)

# %% [markdown]
# What the vectors take for similar is what dictionaries describe in similar words: a *pig* lies
# beside a *chihuahua*. The mixture of ten divides the animals unevenly.

# %%
names = fetch_class_vectors("awa").names
sizes = np.bincount(component)
for k in np.argsort(-sizes, kind="stable")[:5]:
    print(sizes[k], "classes:", ", ".join(names[component == k][:6]))
print("components of a single class:", int((sizes == 1).sum()))

# %% [markdown]
# ## From an image to a class
#
# With $v_1, \dots, v_K$ the class vectors and $\hat y(x)$ the regressed one, Sem-KRR and OFER as
# printed answer
#
# ```{math}
# :label: eq-nearest-class
# \hat k(x) = \argmin_k \| v_k - \hat y(x) \| .
# ```
#
# There is a step to spare. OFER predicts an embedding $h(x)$ and decodes it to a vector, only to
# compare this with the few vectors that it can be. The pre-image problem (3) of the paper has an
# exact answer here, the class whose *embedding* is nearest to $h(x)$. This keeps the memberships,
# which decoding to a vector mixes into a single mean. And a ridge shrinks predictions towards the
# mean of the training outputs. There, distances favour the classes in the middle; the angle
#
# ```{math}
# :label: eq-class-cosine
# \hat k(x) = \argmax_k \frac{\langle \phi(v_k) - m, \; h(x) - m \rangle}{\| \phi(v_k) - m \|}
# ```
#
# seen from that mean $m$ does not. {class}`~ofer.SemanticClassifier` has all four combinations.
# Here they are on one split of Caltech-101, everything else equal:

# %%
mixture = FrozenEstimator(caltech.natural[10])
rows = []
for per_class in (2, 4, 7):
    task = take(caltech, per_class, 0)
    for decode in ("output", "embedding"):
        for metric in ("euclidean", "cosine"):
            model = SemanticClassifier(
                OutputFisherRegressor(mixture, KernelRidgeCV()),
                caltech.vectors,
                decode=decode,
                metric=metric,
            ).fit(task.X, task.y)
            accuracy = 100 * np.mean(model.predict(task.X_test) == task.y_test)
            rows.append((f"{decode}, {metric}", str(per_class), "accuracy", accuracy))

decoding = pd.DataFrame(rows, columns=["method", "setting", "metric", "mean"]).assign(std=0.0)
ways = decoding.pivot(index="setting", columns="method", values="mean")
for decode in ("output", "embedding"):
    assert np.all(ways[f"{decode}, cosine"] > ways[f"{decode}, euclidean"] + 10)
assert np.all(ways["embedding, cosine"] > ways["output, cosine"])
ways.round(1)

# %% mystnb={"figure": {"name": "fig-class-decoding", "caption": "One regression, four ways to answer (one split of Caltech-101, ten components, ridges by leave-one-out error)."}, "image": {"alt": "Four rising curves of accuracy against 2, 4 and 7 images per class; the two cosine curves lie above the two Euclidean ones, and that of the embedding on top."}}
_ = plot_learning_curves(
    decoding, metric="accuracy", size="labelled images per class", label="accuracy (%)"
)

# %% [markdown]
# ## The protocol
#
# Ten random splits; 5472 test images of Caltech-101 and 9143 of AwA, as in the paper; training
# sets of 1 to 10, or 14, images of each class, the smaller within the larger. Rows of inputs are
# normalised, kernels linear.
#
# | method | what it is |
# |---|---|
# | m-SVM | linear SVM, one against the rest; its cost by two-fold cross-validation, a hard margin with one image per class |
# | MLP | one hidden layer, 200 epochs at most; 64 or 256 units and a rate of 0.001 or 0.01 by two-fold cross-validation |
# | m-RF | random forest of 100 trees; the inputs tried at a split by predictions out of bag |
# | one-hot ridge | ridge regression of indicators: a fair classifier of the same kind that knows no names |
# | Sem-IOKR | IOKR with a Gaussian output kernel on class vectors, no intercept |
# | Sem-KRR | ridge regression of class vectors, no intercept, {eq}`eq-nearest-class` |
# | OFER-GMM as printed | score scaling, closed form (10) as it is, one ridge, no intercept, {eq}`eq-nearest-class`; 1 to 10 components |
# | Sem-IOKR centred, Sem-KRR centred | the same as above with an intercept, compared by the angle {eq}`eq-class-cosine` |
# | OFER-GMM | natural scaling, intercept, compared in the embedding by the angle; 1 to 10 components |
# | OFER-GMM wide | the same with up to 50 components, 40 for the 50 animals |
# | wOFER+*n* | OFER-GMM with *n* weak labels: the component of the image's class; their weight, 0.1 or 1, is chosen as the ridge is |
# | one-hot ridge+2500 imputed | the one-hot ridge, told of a weak image that all classes of its component are equally likely |
#
# **How choices are made.** The paper says 5-fold cross-validation on the training set. With one
# example per class this cannot work as it does elsewhere: whatever is left out, its class is left
# out too, and a classifier that has never seen the class is asked for it. Its accuracy is zero or
# nearly so. What remains visible is the *rank* of the true class among all: a semantic method can
# put a class that it has not seen in the upper half. All methods choose by the mean
# rank of the true class among predictions for images that were left out: the linear ones by exact leave-one-out, at
# every training size, SVM and MLP by two folds, the forest out of bag. The costs of the SVM are decades
# that begin with 1, 10 and 100 and go on where the best one lies at an end. What ranks
# cannot decide with one example per class is fixed: the ridge of indicators (the mean eigenvalue of
# the kernel matrix), the SVM (a hard margin), the number of components (the largest; for the
# printed form ranks decide), the MLP and the forest (width, rate and inputs tried as in scikit-learn). That
# ranks are the criterion was settled with a look at three further splits of the same images.
#
# Mixtures are fitted to the class vectors, once, with a variance floor of 0.1. They see no image,
# so nothing in them depends on the split.

# %%
tables = {
    "ofer-table-11": results("ofer-table-11", profile=profile),
    "ofer-table-12": results("ofer-table-12", profile=profile),
}
weak_tables = {
    "ofer-table-13": results("ofer-table-13", profile=profile),
    "ofer-table-14": results("ofer-table-14", profile=profile),
}
for table in (*tables.values(), *weak_tables.values()):
    print(table.describe())

# %% [markdown]
# ## Table 11: Caltech-101
#
# Mean and standard deviation of the accuracy in percent. The paper's OFER-GMM stands beside ours
# *as printed*.

# %%
caltech_frame = tables["ofer-table-11"].frame
ours = {"method": {"OFER-GMM": "OFER-GMM as printed"}}
compare(caltech_frame, read_paper("ofer-table-11").replace(ours), metric="accuracy", digits=1).T

# %% mystnb={"figure": {"name": "fig-table-11", "caption": "Table 11 as learning curves, ours and the paper's; bands are one standard deviation over ten splits."}, "image": {"alt": "Two panels of accuracy against 1 to 10 images per class. In ours the one-hot ridge and the SVM coincide far above the semantic methods; in the paper OFER-GMM is on top until 5 images."}}
shown = ["m-SVM", "MLP", "Sem-IOKR", "Sem-KRR", "OFER-GMM as printed", "one-hot ridge", "OFER-GMM"]


def ours_and_paper(frame, id):
    chosen = summarize(frame[frame["method"].isin(shown)])
    paper = read_paper(id).replace(ours)
    return {"summary": chosen, "paper": paper[paper["method"].isin(shown)]}


options = {"metric": "accuracy", "size": "labelled images per class", "label": "accuracy (%)"}
_ = plot_learning_curves(**ours_and_paper(caltech_frame, "ofer-table-11"), **options)

# %% [markdown]
# ## Table 12: Animals with Attributes

# %%
animals_frame = tables["ofer-table-12"].frame
compare(animals_frame, read_paper("ofer-table-12").replace(ours), metric="accuracy", digits=1).T

# %% mystnb={"figure": {"name": "fig-table-12", "caption": "Table 12 as learning curves, ours and the paper's. Features, and with them the levels, differ."}, "image": {"alt": "Two panels of accuracy against 1 to 14 images per class: ours between 2 and 21 percent, the paper's between 0 and 50."}}
_ = plot_learning_curves(**ours_and_paper(animals_frame, "ofer-table-12"), **options)

# %% [markdown]
# ## What is significant
#
# Paired t-tests over the ten splits; a difference above zero favours the first method. A sign is
# shown where the test passes the paper's level.

# %%
pairs = [
    ("OFER-GMM as printed", "m-SVM"),
    ("OFER-GMM as printed", "Sem-KRR"),
    ("OFER-GMM", "Sem-KRR centred"),
    ("OFER-GMM", "Sem-IOKR centred"),
    ("OFER-GMM wide", "Sem-IOKR centred"),
    ("OFER-GMM wide", "one-hot ridge"),
    ("one-hot ridge", "m-SVM"),
]


def differences(frame, pairs):
    columns = {}
    for a, b in pairs:
        test = paired_t_test(frame, a, b, metric="accuracy", level=level)
        star = test["significant"].map({True: " *", False: ""})
        columns[f"{a} − {b}"] = test["difference"].map("{:+.1f}".format) + star
    return pd.DataFrame(columns).T


differences(caltech_frame, pairs)

# %%
differences(animals_frame, pairs)

# %% mystnb={"figure": {"name": "fig-semantics", "caption": "Caltech-101, split by split, in percent: what the mixture adds to regression of class vectors, and what both lose against regression of indicators."}, "image": {"alt": "Two panels of dots for seven training sizes, above zero on the left and below zero on the right."}}
_ = plot_paired_differences(
    caltech_frame,
    [("OFER-GMM", "Sem-KRR centred"), ("OFER-GMM", "one-hot ridge")],
    metric="accuracy",
    size="labelled images per class",
)

# %%
counts = {}
for name, frame in {"Caltech-101": caltech_frame, "AwA": animals_frame}.items():
    chosen = frame[(frame["metric"] == "n_components") & (frame["setting"] != "1")]
    for method, values in chosen.groupby("method", sort=False)["value"]:
        counts[name, method] = values.astype(int).value_counts()
pd.DataFrame(counts).fillna(0).astype(int).sort_index().rename_axis("components").T

# %% [markdown]
# Four things stand out.
#
# *The printed SVM is not what an SVM can do.* Ours has several times the paper's accuracy with one
# image per class, and the one-hot ridge does as well. Other features may explain a part of it. But
# the paper's SVM rises from 10 to 23 % when a second image is added, where its OFER-GMM gains six
# points; and a classifier whose cost is chosen by leaving classes out, as five folds must do with
# one image per class, would look like that. We do not know how it was chosen.
#
# *Names do not replace images here.* No method that goes through the class vectors reaches the
# one-hot ridge without weak labels, with one image per class or with ten. The ridge on class vectors
# has fifty numbers to tell 101 classes by, and they put *cougar body* beside *cougar face*, which
# look different enough.
#
# *As printed, the mixture adds nothing.* On Caltech-101, from two images per class on,
# leave-one-out always chooses a single component for it, and OFER-GMM as printed with one component
# is Sem-KRR, but for a fraction of a point. On AwA it takes more than one in most splits, and gains
# nothing by it.
#
# *The mixture does add something to Sem-KRR* if classes are compared in the embedding by the
# angle, and on Caltech-101 more components give more accuracy. The gain has a simple reason ({ref}`ex-classes-limit`):
# with one component for each class, memberships are indicators. More components lead away from the
# names, towards the one-hot ridge. A Gaussian output kernel, which also tells classes apart by
# more than fifty numbers, is ahead of ten components on Caltech-101 and behind fifty; on AwA they differ
# by about one point or less.

# %% tags=["hide-input"]
accuracy = {
    name: frame.query("metric == 'accuracy'").pivot_table(
        index="setting", columns="method", values="value", sort=False
    )
    for name, frame in {"Caltech-101": caltech_frame, "AwA": animals_frame}.items()
}
on_caltech, on_animals = accuracy.values()
printed = read_paper("ofer-table-11").pivot(index="setting", columns="method", values="mean")
assert on_caltech["m-SVM"]["1"] > 4 * printed["m-SVM"]["1"]
assert np.all(on_caltech["one-hot ridge"] > on_caltech["m-SVM"] - 0.5)
steps = printed.loc["2"] - printed.loc["1"]
assert steps["m-SVM"] > 13 > 6 > steps["OFER-GMM"]
for means in (on_caltech, on_animals):
    through_names = means.filter(regex="Sem|OFER").max(axis=1)
    assert np.all(through_names < means["one-hot ridge"])
alone = pd.DataFrame(counts).fillna(0).loc[1, ("Caltech-101", "OFER-GMM as printed")]
assert alone == pd.DataFrame(counts)["Caltech-101", "OFER-GMM as printed"].sum()

# %% tags=["hide-input"]
options_of_test = {"metric": "accuracy", "level": level}
for frame in (caltech_frame, animals_frame):
    test = paired_t_test(frame, "OFER-GMM as printed", "Sem-KRR", **options_of_test)
    assert not (test["significant"] & (test["difference"] > 0)).any()
    assert (
        paired_t_test(frame, "OFER-GMM", "Sem-KRR centred", **options_of_test)["difference"].min()
        > 0
    )
assert np.all(on_caltech["OFER-GMM wide"] > on_caltech["Sem-IOKR centred"])
assert np.all(on_caltech["Sem-IOKR centred"] > on_caltech["OFER-GMM"])
for form in ("OFER-GMM", "OFER-GMM wide"):
    assert (on_animals[form] - on_animals["Sem-IOKR centred"]).abs().max() < 1.1

# %% [markdown]
# ## Tables 13 and 14: weak labels
#
# A weak label says of an image which component its class belongs to, and so which ten or twenty
# classes it may be of. Equation (14) of the paper regresses memberships on labelled and weak
# images together; the mean within a component is learnt from the labelled ones alone.
#
# On Caltech-101 there is less to draw from than the table says. Of
# 8677 images 5472 are for the test; with ten labelled images of each of 101 classes

# %%
left = len(caltech.y) - 5472
for per_class in (7, 10):
    print(f"{per_class} per class: {left - 101 * per_class} images left")

# %% [markdown]
# So 2500 weak images do not exist with seven and ten images per class, unless they are taken from
# the test set, from the labelled ones, or from images of no class. Ours takes what is left.

# %%
all_rows = {
    "Caltech-101": weak_tables["ofer-table-13"].frame,
    "AwA": weak_tables["ofer-table-14"].frame,
}
weak_frames, controls = {}, {}
for name, rows_of_set in all_rows.items():
    extra = rows_of_set["method"].str.contains("as printed|shuffled")
    weak_frames[name], controls[name] = rows_of_set[~extra], rows_of_set[extra]
paper = read_paper("ofer-table-13")
compare(
    weak_frames["Caltech-101"], paper[paper["method"] != "m-SVM"], metric="accuracy", digits=1
).T

# %%
paper = read_paper("ofer-table-14")
compare(weak_frames["AwA"], paper[paper["method"] != "MLP"], metric="accuracy", digits=1).T

# %%
weak_pairs = [(f"wOFER+{n}", "OFER-GMM") for n in (700, 1500, 2500)]
weak_pairs.append(("wOFER+2500 wide", "OFER-GMM wide"))
pd.concat({name: differences(frame, weak_pairs) for name, frame in weak_frames.items()}).fillna("")

# %% mystnb={"figure": {"name": "fig-table-13", "caption": "Table 13, ours and the paper's: weak labels on Caltech-101."}, "image": {"alt": "Two panels of accuracy against images per class. Ours: weak labels lift the curve most at one image per class, and most of all with many components. Paper: four curves close together."}}
paper = read_paper("ofer-table-13")
_ = plot_learning_curves(
    summarize(weak_frames["Caltech-101"]), paper=paper[paper["method"] != "m-SVM"], **options
)

# %% [markdown]
# The paper prints standard deviations of 0.01 % with weak labels, where those without are above
# one. Ours:

# %%
spread = {
    name: summarize(frame)
    .query("metric == 'accuracy' and method in ['OFER-GMM', 'wOFER+2500']")
    .pivot(index="method", columns="setting", values="std")[list(frame["setting"].unique())]
    for name, frame in weak_frames.items()
}
ratios = pd.concat([one.loc["wOFER+2500"] / one.loc["OFER-GMM"] for one in spread.values()])
assert np.mean(ratios > 1) > 0.8
pd.concat(spread).map(lambda value: "" if np.isnan(value) else f"{value:.2f}")

# %% [markdown]
# A deviation of 0.01 % is half a test image of 5472: to the paper's precision, ten random training
# sets would have to lead to the same number of correct answers. Ours do not fall but rise with weak
# labels, at nearly every size.
#
# The means do rise, at every size and on both sets, on Caltech-101 by more than in the paper with
# up to five images per class. And with weak labels OFER-GMM beats Sem-KRR on Caltech-101 at every
# size, with and without an intercept:

# %%
joined = {}
for name, frame in weak_frames.items():
    supervised = tables["ofer-table-11" if name == "Caltech-101" else "ofer-table-12"].frame
    baselines = ("Sem-KRR", "Sem-KRR centred", "one-hot ridge")
    joined[name] = pd.concat([frame, supervised[supervised["method"].isin(baselines)]])

over_names = [("wOFER+2500", "Sem-KRR"), ("wOFER+2500", "Sem-KRR centred")]
differences(joined["Caltech-101"], over_names)

# %% tags=["hide-input"]
rises = {}
for name, frame in weak_frames.items():
    rises[name] = paired_t_test(frame, "wOFER+2500", "OFER-GMM", **options_of_test)
    assert rises[name]["difference"].min() > 0
printed = read_paper("ofer-table-13").pivot(index="setting", columns="method", values="mean")
gained = (printed["wOFER+2500"] - printed["OFER-GMM"])[["1", "2", "3"]]
assert np.all(rises["Caltech-101"]["difference"][["1", "2", "3"]] > gained)
for a, b in over_names:
    test = paired_t_test(joined["Caltech-101"], a, b, **options_of_test)
    assert (test["significant"] & (test["difference"] > 0)).all()

# %% [markdown]
# With up to ten components weak labels soon have nothing more to say: once it is known which tenth
# of the classes an image is of, the rest must come from the labelled images. With up to 50 they are
# worth far more, because a component then holds few classes (3.3 for the average image of
# Caltech-101, {doc}`06_5_weak_labels_done_fully`), and a weak label says nearly as much as a label.
# A referee will ask whether the embedding has a part in this, or whether anybody could do as much
# with such labels. The last row of the tables is for them: a ridge on indicators that takes a weak
# label for what it says, that the image is of one of these classes.

# %%
over_indicators = [
    ("wOFER+2500 wide", "one-hot ridge"),
    ("wOFER+2500 wide", "one-hot ridge+2500 imputed"),
    ("one-hot ridge+2500 imputed", "one-hot ridge"),
]
pd.concat({n: differences(frame, over_indicators) for n, frame in joined.items()}).fillna("")

# %% mystnb={"figure": {"name": "fig-weak-best", "caption": "What 2500 weak labels are worth to OFER-GMM with many components and to the ridge on indicators; bands are one standard deviation over ten splits of Caltech-101."}, "image": {"alt": "Four rising curves. With one image per class OFER-GMM with weak labels is on top; from four images on, the ridge with imputed labels."}}
shown = ["OFER-GMM wide", "wOFER+2500 wide", "one-hot ridge", "one-hot ridge+2500 imputed"]
best = joined["Caltech-101"]
_ = plot_learning_curves(summarize(best[best["method"].isin(shown)]), **options)

# %% [markdown]
# So there is a regime where OFER with weak labels wins against everything here: one image of each
# of a hundred classes, features that are good, and someone who can say of 2500 images which of 50
# groups they belong to. With two images per class it is level with the one-hot ridge, which needs no
# such labels, and from four on behind it. The imputed labels are of no use to the ridge on
# Caltech-101, and with one or two images per class they lower its accuracy.
#
# On AwA it is the other way round. The imputed ridge is ahead at every size, and both gain by weak
# labels. Our reading is that the mean within a component cannot be learnt from so few images with such
# features, and that OFER-GMM lets this noise take part in the answer.
#
# One more remark on AwA. With one image per class the imputed ridge has about twice the accuracy that
# it has with two. The number of components is fixed at 40 in the first row and chosen from then on,
# without regard to weak labels, and comes out below ten in some splits. But it is more than a
# parameter of the method: it decides what the annotators are asked. The finer the groups, the more
# each weak label says.

# %% tags=["hide-input"]
level_of = {
    name: frame.query("metric == 'accuracy'").pivot_table(
        index="setting", columns="method", values="value", sort=False
    )
    for name, frame in joined.items()
}
wide_form, ridge_form = "wOFER+2500 wide", "one-hot ridge"
imputed_form = "one-hot ridge+2500 imputed"
first, second = (level_of["Caltech-101"].loc[n] for n in ("1", "2"))
assert first[wide_form] > on_caltech.loc["1"].max() + 5
assert first[wide_form] == first.max()
test = paired_t_test(joined["Caltech-101"], wide_form, ridge_form, **options_of_test)
assert not test["significant"]["2"]
assert test.loc[["4", "5", "7", "10"], "significant"].all()
assert test.loc[["4", "5", "7", "10"], "difference"].max() < 0
use = paired_t_test(joined["Caltech-101"], imputed_form, ridge_form, **options_of_test)
assert not (use["significant"] & (use["difference"] > 0)).any()
assert use["difference"][["1", "2"]].max() < 0
awa = level_of["AwA"]
assert np.all(awa[imputed_form] > awa[wide_form])
assert np.all(awa[wide_form] > on_animals["OFER-GMM wide"])
assert np.all(awa[imputed_form] > awa[ridge_form])
assert 1.7 < awa[imputed_form]["1"] / awa[imputed_form]["2"] < 2.3
taken = pd.DataFrame(counts)["AwA", "OFER-GMM wide"].dropna()
assert 0.05 < taken[taken.index < 10].sum() / taken.sum() < 0.5

# %% [markdown]
# ## As printed, and with shuffled labels
#
# Equation (14) as it stands has score scaling, no intercept, one ridge for both blocks, and the closed form
# (10) as it is. Size of the mixture, ridge and weight of a weak image are chosen by ranks in leave-one-out
# predictions, as for the other linear methods. Verdicts are about this form. In the rows *shuffled* the weak
# labels are dealt out at random among the weak images, in either form.

# %%
beside = {}
for name, id in {"Caltech-101": "ofer-table-13", "AwA": "ofer-table-14"}.items():
    paper = read_paper(id)
    paper = paper[paper["method"].str.contains("OFER")]
    paper = paper.assign(method=paper["method"] + " as printed")
    beside[name] = compare(controls[name], paper, metric="accuracy", digits=1).T
pd.concat(beside).fillna("")

# %%
forms = [(f"wOFER+{n} as printed", "OFER-GMM as printed") for n in (700, 2500)]
forms += [("wOFER+2500 as printed, shuffled", "OFER-GMM as printed")]
forms += [("wOFER+2500 shuffled", "OFER-GMM")]
pd.concat({name: differences(frame, forms) for name, frame in all_rows.items()}).fillna("")

# %% [markdown]
# As printed, weak labels do nothing on Caltech-101: from three images per class on leave-one-out takes a single
# component in nearly every split, of which every image is a member. On AwA 2500 of them raise an accuracy of two or four
# percent by up to two points, significantly with two and three images per class. Shuffled labels do no
# significant good in either form, and in ours they do harm on Caltech-101.

# %% tags=["hide-input"]
found = {
    (name, a): paired_t_test(frame, a, b, metric="accuracy", level=level)
    for name, frame in all_rows.items()
    for a, b in forms
}
best_form, no_use = "wOFER+2500 as printed", "wOFER+2500 as printed, shuffled"
assert not found["Caltech-101", best_form]["significant"].any()
helped = found["AwA", best_form]["significant"]
assert list(helped.index[helped]) == ["2", "3"]
for name in all_rows:
    for control in (no_use, "wOFER+2500 shuffled"):
        test = found[name, control]
        assert not (test["significant"] & (test["difference"] > 0)).any()
assert found["Caltech-101", "wOFER+2500 shuffled"]["difference"].max() < 0
taken = all_rows["Caltech-101"].query("metric == 'n_components' and method == @best_form")
assert taken.query("setting not in ['1', '2']")["value"].eq(1).mean() > 0.9

# %% [markdown]
# ## How much should a weak label weigh?
#
# The weight of a weak sample relative to a labelled one is the paper's $\lambda_2$, whose effect
# is the subject of its Table 15, in an appendix that we do not have. With three images per class and
# 2500 weak ones:

# %%
weight_frame = results("ofer-weak-weight", profile=profile).frame
wide = weight_frame.pivot(index=["metric", "method", "split"], columns="setting", values="value")
weights = sorted(wide.columns, key=float)
names = list(weight_frame["method"].unique())
best = {name: wide.loc[("rank", name), weights].mean().idxmin() for name in names}
print("least mean rank on the labelled images:", best)

# %% mystnb={"figure": {"name": "fig-class-weak-weight", "caption": "Accuracy on test images over the weight of a weak sample, mean and one standard deviation of five splits. Dotted: the weight that the labelled images would choose by leave-one-out."}, "image": {"alt": "Two curves over weights from 0.001 to 100."}}
panels = {n: {"OFER-GMM + 2500": wide.loc[("accuracy", n), weights].to_numpy()} for n in names}
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
    assert ((curve["0.001"] - absent) / (curve["1"] - absent) > 0.5) == (name == "Caltech-101")

# %% [markdown]
# Weak samples of a thousandth of the weight of a labelled one give more than half of the gain on
# Caltech-101, and next to nothing on AwA; those of the same weight give all that there is to gain, and
# more weight changes nothing, because the 2500 then decide about memberships alone. The weight needs no tuning here, and the labelled images choose
# one from the flat part.
#
# ## Classes without images
#
# What semantics can do that indicators cannot is to name a class that had no image at all. Ten
# random classes of Caltech-101 lose theirs; test images of these are to be told from all classes,
# and from the ten.

# %%
task = take(caltech, 10, 0)
hidden = np.random.default_rng(0).choice(101, size=10, replace=False)
seen, queries = ~np.isin(task.y, hidden), np.isin(task.y_test, hidden)
truth = task.y_test[queries]
first_of_ten = []
for size in (None, 10, 50):
    ridge = KernelRidgeCV()
    ofer = ridge if size is None else OutputFisherRegressor(FrozenEstimator(caltech.natural[size]))
    model = SemanticClassifier(ofer, caltech.vectors, metric="cosine")
    scores = model.fit(task.X[seen], task.y[seen]).decision_function(task.X_test[queries])
    rank = (scores > scores[np.arange(len(truth)), truth][:, None]).sum(axis=1)
    among = hidden[scores[:, hidden].argmax(axis=1)]
    first_of_ten.append(np.mean(among == truth))
    print(
        "Sem-KRR" if size is None else f"OFER-GMM, {size} components",
        f"- first of 101: {100 * np.mean(rank == 0):.1f} %, mean rank {rank.mean() + 1:.1f};",
        f"first of ten: {100 * np.mean(among == truth):.1f} %",
    )
    assert np.mean(rank == 0) < 0.1
    assert rank.mean() < 20
assert first_of_ten[0] > 0.5
assert first_of_ten == sorted(first_of_ten, reverse=True)

# %% [markdown]
# Here the names are of use. Of ten classes that it has never seen an image of, a
# ridge on class vectors picks the right one in more than half of the cases; an indicator could do no better than
# chance, one in ten. Among all 101 the unseen class is seldom first, because a class with images
# attracts predictions, but it is near the top. And here components do harm: an unseen
# class belongs to a component whose other classes must stand in for it. The paper leaves this task
# aside, with reference to another.
#
# ## Verdicts
#
# The claims stand in the ledger with their rules of decision: an ordering holds in a row if the
# paired t-test at level 0.001 finds it.

# %%
ids = [f"ofer-table-{number}" for number in (11, 12, 13, 14)]
claims = [claim for id in ids for claim in read_claims(paper="djerrab2018", table=id)]
for claim in scorecard(claims).itertuples():
    print(f"{claim.statement}\n    {claim.verdict}: {claim.evidence}")

# %% [markdown]
# ## What we found
#
# * The advantage over an SVM with few examples does not hold against an SVM with reasonable
#   parameters, nor against a ridge on indicators that is as simple as Sem-KRR.
# * OFER-GMM as printed does not beat Sem-KRR. Compared in the embedding and by the angle it does,
#   on Caltech-101 the better the more components it has; with one component per class it is the one-hot
#   ridge.
# * In this package's form weak labels help at every size. How much depends on how many classes share
#   a component, that is, on how much a weak label tells. The tiny standard deviations of the printed tables are out
#   of reach.
# * With one image per class of Caltech-101 and fine weak labels, OFER-GMM is the best method of
#   this chapter, by more than five points. Elsewhere a ridge on indicators is level or ahead, with the
#   same labels or without.
# * On Caltech-101 random forests are far above the printed 1.6 %.
# * What names are good for is classes without images, which the paper does not test.
# * One cannot choose parameters by leaving out the only example of a class, unless by ranks, and
#   for semantic methods only.
# * The features of AwA are too weak for levels. The experiment should be repeated with those of a
#   deep network ({func}`~reproduction.datasets.images.image_features.load_image_features`).

# %% tags=["hide-input"]
for name, frame in joined.items():
    rivals = [
        paired_t_test(frame, wide_form, b, **options_of_test) for b in (ridge_form, imputed_form)
    ]
    ahead = [test["significant"] & (test["difference"] > 0) for test in rivals]
    assert (ahead[0] & ahead[1]).sum() == (name == "Caltech-101")
assert on_caltech["m-RF"].min() > 5 * 1.6

# %% [markdown]
# ## Try next
#
# ```{exercise}
# :label: ex-classes-limit
#
# Take one component for each class. What does OFER-GMM become?
# ```
#
# ```{solution} ex-classes-limit
# :class: dropdown
#
# The one-hot ridge. Memberships are then indicators of the classes, and the mean block holds
# nothing, since every class is at the mean of its own component; its weight in the comparison is
# zero. The number of components leads from Sem-KRR (one) to a classifier that knows no names (one
# a class). A choice in between is a bet on how much the names tell.
# ```
#
# ```{exercise}
# :label: ex-classes-shuffle
#
# Permute the class vectors, so that a crocodile gets the vector of a grand piano, and fit Sem-KRR
# and OFER-GMM again. How much accuracy is lost, and what does this say?
# ```
#
# ```{solution} ex-classes-shuffle
# :class: dropdown
#
# What is lost is what the names are worth. The rest is owed to vectors that differ: any
# fifty-dimensional code of 101 classes can be regressed and decoded. The comparison with a
# permutation, or with random vectors, is the control that Table 11 lacks.
# ```
#
# ```{exercise}
# :label: ex-classes-full-labels
#
# Give the one-hot ridge the full labels of the weak images, too. How far is the best row of
# Table 13 from it?
# ```
#
# ```{solution} ex-classes-full-labels
# :class: dropdown
#
# This is an upper bound, and with one image per class a distant one. With many components the gap
# closes, because a component of one or two classes is nearly a label: the fewer classes share a
# component, the more a weak label costs whoever gives it.
# ```
