# ---
# jupyter:
#   kernelspec:
#     display_name: Python 3
#     name: python3
# ---
# needs: cbis_ddsm, mias_bof, scene15, cora, conll2002_es

# %% [markdown]
# # Local predictors at work
#
# *Section 4 of {cite:t}`du2016`*
#
# One predictor for each neighbourhood, and missing outputs learnt with it: {cite:t}`du2016` reports the
# lowest loss on four data sets, one for each kind of structure, against four semi-supervised methods
# that learn one predictor for all samples. This chapter runs the comparison again, with common
# methods in the place of those four, and with the predictor that always gives the most frequent
# label beside every number. The {doc}`chapter before <12_1_local_structured_predictors>` explains the
# method.
#
# ```{admonition} Run it yourself
# `make chapter NAME=12_2_sslsop_experiments PARAMS="profile=quick"`
# computes a small part of each stored table of this chapter anew, in about a minute each, and
# shows it beside the stored rows; {doc}`how_to_rerun` says more.
# ```

# %% tags=["parameters"]
profile: str = "stored"  # or "quick", "full": see the box above
fold: int = 0  # the fold of the live parts

# %%
import numpy as np
import pandas as pd
from IPython.display import HTML
from ofer.companions import LocalStructuredPredictor
from reproduction.claims import claims_to_html, read_claims
from reproduction.engine import results
from reproduction.statistics import compare, format_mean_std, paired_t_test, read_paper, summarize
from reproduction.papers.sslsop.local_predictors import (
    load_tasks,
    mean_loss,
    quiet,
    take,
    take_rows,
)
from reproduction.papers.sslsop.scene_features import choose_form, forms_of
from reproduction.papers.sslsop.sensitivity import NEIGHBORS, PENALTIES
from reproduction.datasets import dataset_info
from reproduction.datasets.texts.conll2002_es import fetch_conll2002_es
from reproduction.figures.splits import plot_task_errors
from reproduction.figures.times import plot_times
from reproduction.papers.sslsop.figures.label_sequences import plot_label_sequences
from reproduction.papers.sslsop.figures.parameters import plot_loss_by_parameter
from sklearn.neighbors import KNeighborsClassifier
from sklearn.svm import LinearSVC

# %% [markdown]
# ## The data
#
# The paper names archives, not files, and publishes no features. So three of the four data sets are
# substitutes here; only the sentences are the paper's own. What is the same, and what is not:

# %%
for name in ("cbis_ddsm", "mias_bof", "scene15", "cora", "conll2002_es"):
    info = dataset_info(name)
    print(f"{info.title}: {info.size}. {info.fidelity.capitalize()}. {info.notes}\n")

# %% [markdown]
# In the tables *mammograms* are the findings of CBIS-DDSM, described in words, *regions* the small
# set with bags of visual words, *scenes* the photographs with a tree of categories, *papers* Cora with
# words and citations side by side. All rows have unit length. The loss is 0/1, except for scenes:
# there it is the height of the first common ancestor, from 0 to 3, by our tree. The paper prints
# neither its tree nor the range of its loss.
#
# ### Three hundred sentences of length nine
#
# Data set IV is said to have 300 sentences, each of length 9. The corpus does not have them:

# %%
train = fetch_conll2002_es(subset="train")
lengths = np.array([len(tags) for tags in train.tags])
print(f"training part: {len(lengths)} sentences, {np.sum(lengths == 9)} of 9 words; ", end="")
print(f"{len(np.unique(np.concatenate(train.tags)))} tags")
readings = {"sentences": "windows_9", "whole sentences": "first_300", "all of 9": "length_9"}
for name, subset in readings.items():
    tags = fetch_conll2002_es(subset=subset).tags
    named = 100 * np.mean([np.any(np.asarray(one) != "O") for one in tags])
    words = 100 * np.mean(np.concatenate(tags) != "O")
    print(f"{name:16} {len(tags)} of {np.mean([len(one) for one in tags]):4.1f} words on average;")
    print(f"{'':16} with a name {named:.1f} %, words that belong to one {words:.1f} %")

# %% [markdown]
# Nine is the number of *tags*, and earlier work took the first 300 sentences. So there are two
# readings: *sentences*, the first nine words of 300 longer ones, and *whole sentences*, the first 300 as
# they are. The loss is 1 if any tag is wrong. A predictor that never sees a name is then wrong on
# the sentences that have one, no more. That number has to stand beside every other.
#
# ### Scenes without their mean
#
# Histograms of gradients are positive, and any two are alike. Their directions say little until the
# mean is taken off. Here is one fold, with the features as they are, centred, and as leading principal
# components, means and components being those of the training part:

# %%
tasks = load_tasks()
scenes = tasks["scenes"]
seen, unseen, given = take_rows(scenes, fold)
forms = forms_of(scenes.X, seen)
known, y_test = given >= 0, scenes.y[unseen]
models = {
    "k-NN, 5": KNeighborsClassifier(5, weights="distance"),
    "linear SVM": LinearSVC(random_state=0),
    "SSLSOP, k = 5": LocalStructuredPredictor(scenes.space, n_neighbors=5),
}
losses = pd.DataFrame(index=forms, columns=models, dtype=float)
for form, X in forms.items():
    for name, model in models.items():
        semi = isinstance(model, LocalStructuredPredictor)
        model.fit(*(X[seen], given) if semi else (X[seen][known], given[known]))
        losses.loc[form, name] = mean_loss(scenes.space, y_test, model.predict(X[unseen]))
print("chosen in this training part:", choose_form(scenes.X, seen, given, seed=fold)[0])
neighbours = losses[["k-NN, 5", "SSLSOP, k = 5"]]
assert np.all(neighbours.drop("as they are") < 0.7 * neighbours.loc["as they are"])
losses.round(3)

# %% [markdown]
# Methods of neighbours gain very much, the linear one little. The form is chosen in each training part, before
# a test sample is seen: the one in which labelled training samples are the best neighbours of each other. All
# methods are given that form.
#
# ## The protocol
#
# As in the paper, ten folds; of each training part about 30 % are labelled. Findings of a patient, or
# regions of an image, stay in one fold. The longer sentences have three folds. Parameters are chosen by
# two folds of the *labelled* training samples, with the unlabelled ones always at hand; by accuracy, or
# by the loss of the space where a method knows it. Local predictors, which take longest, are judged on
# one of the two, and their parameters go along a line of candidates one after the other, while that helps: start (by
# neighbours, or by the perceptron), k (5, 20, 100), C (0.001 to 1) and iterations (5, 10, 25).
#
# | method | what it is | what is chosen |
# |---|---|---|
# | majority | the most frequent label | nothing |
# | linear SVM | one against the rest, labelled samples only | C |
# | k-NN | weighted by inverse distance, labelled samples only | k |
# | self-training | logistic regression that adds its own confident labels | C |
# | label spreading | labels diffuse along a graph of neighbours | k, clamping |
# | structured perceptron | averaged, with the codes of the output space | nothing |
# | Laplacian ridge | one predictor of codes, smooth along the graph of neighbours | ridge, smoothness |
# | SSLSOP | with the step {eq}`eq-ssl-upper` that does not raise the objective | start, k, C, iterations |
# | SSLSOP as printed | with {eq}`eq-ssl-literal`, from random outputs | k, C, iterations |
# | SSLSOP, outputs held | local predictors of the outputs at the start | as SSLSOP |
#
# Sequences have the perceptron, and all but the printed form start from it; for whole sentences k is at most 20, since
# a hundred of them have three thousand words. The paper's competitors are
# missing: it gives neither their code nor their parameters, and they are only named in it. Laplacian
# ridge is our stand-in for the nearest of them, that of Jiang et al., which also uses the graph of
# neighbours for one global predictor.

# %%
table = results("sslsop-table-01", profile=profile)
frame = table.frame
print(table.describe())

# %% [markdown]
# ## Table 1
#
# Mean and standard deviation of the loss over the folds; below ours the paper's, which has no
# deviations. Columns of ours and of the paper's can be compared for sentences, with the reservation
# above. For the others the data differ, and only orderings can.

# %% tags=["hide-input"]
paper = read_paper("sslsop-table-01")
ours = compare(frame, metric="loss").droplevel("source", axis=1).T
printed = paper.pivot(index="method", columns="setting", values="printed")
printed = printed.loc[paper["method"].unique()]
table_1 = pd.concat({"ours": ours, "paper": printed}).fillna("")[list(ours.columns)]
table_1

# %% mystnb={"figure": {"name": "fig-sslsop-classes", "caption": "Losses on classes and on the leaves of a tree: one dot per fold, a bar at the mean."}, "image": {"alt": "Four panels of losses of ten methods. The majority predictor stands apart at the right of three of them, and the others lie close together; on scenes the three forms of SSLSOP lie right of the global methods."}}
methods = list(dict.fromkeys(frame["method"]))
classes = ("mammograms", "regions", "scenes", "papers")
_ = plot_task_errors(frame, {name: (name, "loss") for name in classes}, methods)

# %% mystnb={"figure": {"name": "fig-sslsop-sequences", "caption": "Losses on sequences, and the share of words with a wrong tag."}, "image": {"alt": "Four panels of losses of five methods. SSLSOP and its printed form lie where the majority predictor does, the perceptron far to the left of them; the form with outputs held lies in between on short sentences."}}
of_sequences = list(dict.fromkeys(frame[frame["setting"] == "sentences"]["method"]))
panels = {
    "sentences": ("sentences", "loss"),
    "their words": ("sentences", "word loss"),
    "whole sentences": ("whole sentences", "loss"),
    "words of these": ("whole sentences", "word loss"),
}
_ = plot_task_errors(frame, panels, of_sequences)

# %% [markdown]
# Are the differences more than chance? Negative is where SSLSOP is better, and a star is for p below 0.05 in a
# paired t-test over the folds, in the corrected form ({cite:t}`nadeau2003`) that allows for the overlap of
# training sets.

# %% tags=["hide-input"]
tests = {}
for method in methods:
    if method != "SSLSOP":
        shared = frame[frame["setting"].isin(frame[frame["method"] == method]["setting"])]
        options = {"metric": "loss", "level": 0.05, "test_train_ratio": 1 / 9}
        tests[method] = paired_t_test(shared, "SSLSOP", method, **options)
tests = pd.concat(tests, names=["SSLSOP minus", "setting"])
stars = tests["significant_corrected"].map({True: " *", False: ""})
cells = (tests["difference"].map("{:+.3f}".format) + stars).unstack()
cells.reindex(index=[m for m in methods if m != "SSLSOP"], columns=ours.columns).fillna("")

# %% [markdown]
# On mammograms, scenes and papers every method is far from the majority predictor. But local predictors are
# nowhere ahead. On mammograms and papers the means of SSLSOP and of the global methods lie within a few
# hundredths, and no test tells it from the linear SVM, self-training, the perceptron or Laplacian ridge. On scenes
# the first three have a clearly lower loss, and Laplacian ridge one that is lower without significance. Among the
# methods of neighbours it wins against k-NN on papers, and nowhere else. The few regions decide nothing: all folds are small
# and deviations as large as the differences.
#
# On sentences, the one data set that is the paper's own, SSLSOP and its printed form have the loss of the predictor
# that never sees a name. The perceptron from which SSLSOP starts has a much lower one. The paper's 0.450
# lies between the two, on sentences that may be others.

# %% tags=["hide-input"]
means = summarize(frame).query("metric == 'loss'")
means = means.pivot(index="method", columns="setting", values="mean")
local = means.index[means.index.str.contains("SSLSOP")]
for name in ("mammograms", "scenes", "papers"):
    assert np.all(means[name].drop("majority") < 0.75 * means[name]["majority"])
for name in classes:
    assert means[name].idxmin() not in local
against = tests["significant_corrected"].unstack()
rivals = ["linear SVM", "self-training", "structured perceptron", "Laplacian ridge"]
for name in ("mammograms", "papers"):
    assert (means.loc["SSLSOP", name] - means.loc[rivals, name]).abs().max() < 0.03
    assert not against.loc[rivals, name].any()
assert against.loc[rivals[:3], "scenes"].all()
assert not against.loc["Laplacian ridge", "scenes"]
assert means.loc[rivals, "scenes"].max() < means.loc["SSLSOP", "scenes"]
of_neighbours = against.loc[["k-NN", "label spreading"], list(classes)].stack()
assert list(of_neighbours.index[of_neighbours.astype(bool)]) == [("k-NN", "papers")]
assert means.loc["SSLSOP", "papers"] < means.loc["k-NN", "papers"]
assert not against.loc[["majority", "SSLSOP as printed"], "sentences"].any()
assert against.loc["structured perceptron", "sentences"]
short = means["sentences"]
assert short[local[:2]].sub(short["majority"]).abs().max() < 0.03
assert short["structured perceptron"] < 0.450 < short["SSLSOP"]

# %% [markdown]
# ## What is chosen

# %% tags=["hide-input"]
names = ["global start", "n_neighbors", "C", "n_iter"]
chosen = frame[frame["metric"].isin(names)]
chosen = chosen.pivot(index=["setting", "method", "split"], columns="metric", values="value")
counts = {"start by the perceptron": chosen["global start"].eq(1)}
for name, label in {"n_neighbors": "k", "C": "C", "n_iter": "iterations"}.items():
    for value in sorted(chosen[name].unique()):
        counts[f"{label} = {value:g}"] = chosen[name].eq(value)
counts = pd.DataFrame(counts).groupby(["setting", "method"]).sum()
counts.loc[["mammograms", "regions", "scenes", "papers", "sentences", "whole sentences"]]

# %% [markdown]
# Of the two starts SSLSOP has the perceptron in nearly every fold of mammograms and in all of scenes. What is learnt
# from there has a higher mean loss than the perceptron itself. Five neighbours are taken more often than twenty where
# a start is chosen; the printed form, which has random outputs to overcome, takes twenty on mammograms and papers. A hundred
# are taken in three folds of all. C is 0.1 or 1 in most of them, and five iterations are enough in more than half. The folds
# see only labelled samples, so none of this can follow the test set.

# %% tags=["hide-input"]
starts = counts["start by the perceptron"].unstack()["SSLSOP"]
small, large = counts["k = 5"].unstack(), counts["k = 20"].unstack()
for name in ("mammograms", "scenes"):
    assert starts[name] >= 9
    assert means.loc["SSLSOP", name] > means.loc["structured perceptron", name]
for form in ("SSLSOP", "SSLSOP, outputs held"):
    assert np.all(small[form] > large[form])
assert large["SSLSOP as printed"][["mammograms", "papers"]].min() >= 9
assert counts["k = 100"].sum() == 3
assert counts[["C = 0.1", "C = 1"]].sum().sum() > 0.8 * len(chosen)
assert counts["iterations = 5"].sum() > 0.5 * len(chosen)

# %% [markdown]
# ## What joint learning does to the missing outputs
#
# The test samples are one half of the matter. The other is what becomes of the outputs that were hidden in the
# training part, which is what the method says it learns. One fold of each set of classes, live, from the
# labels of the nearest labelled samples:


# %%
def missing_outputs(name):
    """A training part with its hidden outputs."""
    task = tasks[name]
    (X, given), _ = take(task, fold)
    return task.space, X, given, task.y[take_rows(task, fold)[0]]


rows = []
for name in classes:
    space, X, given, truth = missing_outputs(name)
    hidden = given < 0
    for k in (5, 20):
        for form, options in {
            "SSLSOP": {},
            "SSLSOP as printed": {"y_step": "literal", "y_init": "random"},
        }.items():
            model = LocalStructuredPredictor(
                space, n_neighbors=k, C=0.01, random_state=0, **options
            ).fit(X, given)
            ends = (model.initial_transduction_, model.transduction_)
            wrong = [100 * np.mean(y[hidden] != truth[hidden]) for y in ends]
            rows.append((form, k, name, *wrong, "{:.1f} → {:.1f}".format(*wrong)))
wrong = pd.DataFrame(rows, columns=["form", "k", "data", "start", "end", "wrong outputs, %"])
wrong = wrong.pivot(index=["form", "k"], columns="data")
wrong["wrong outputs, %"][list(classes)]

# %% [markdown]
# With twenty neighbours learning repairs a few of the neighbours' labels on papers and on mammograms, about
# one or two in a hundred. On regions it makes more of them wrong, and on scenes it repairs next to none. From random outputs the
# printed form arrives at about the same place on mammograms with twenty neighbours, and at a slightly better one
# on regions; on scenes and papers it stays far from it. Losses of test samples differ less, since
# predictions are averages. Table 1 agrees: outputs that are *held* at their start have a mean loss that is no
# higher on any of the four sets, and significantly lower on scenes.

# %% tags=["hide-input"]
learnt, printed_form = wrong["end"].loc["SSLSOP"], wrong["end"].loc["SSLSOP as printed"]
repaired = wrong["start"].loc["SSLSOP"] - learnt
assert repaired.loc[20, ["papers", "mammograms"]].between(0.5, 3).all()
assert repaired["regions"].max() < 0
assert repaired["scenes"].max() < 0.5
assert abs(printed_form["mammograms"][20] - learnt["mammograms"][20]) < 2
assert np.all(printed_form["regions"] < learnt["regions"])
assert (printed_form - learnt)[["scenes", "papers"]].min(axis=None) > 5
changes = (means.loc["SSLSOP"] - means.loc["SSLSOP, outputs held"])[list(classes)]
assert changes.min() > -0.001
assert changes.max() < 0.06
held_ahead = against.loc["SSLSOP, outputs held", list(classes)]
assert [name for name in classes if held_ahead[name]] == ["scenes"]
assert changes["scenes"] > 0

# %% [markdown]
# ## Where the names go
#
# On sequences "majority only" in the table is the share of test sentences in which a method finds no
# name at all:

# %% tags=["hide-input"]
few = summarize(frame)
metrics = ["loss", "word loss", "majority only"]
few = few[few["metric"].isin(metrics) & few["setting"].str.contains("sent")]
few = few.assign(
    text=[format_mean_std(*pair) for pair in zip(few["mean"], few["std"], strict=True)]
)
few.pivot(index=["setting", "method"], columns="metric", values="text").loc[
    [(setting, method) for setting in ("sentences", "whole sentences") for method in of_sequences],
    metrics,
]

# %% mystnb={"figure": {"name": "fig-sslsop-names", "caption": "Tags of forty hidden training sentences, one row each, white for words outside of names: the truth, the perceptron's tags, from which learning starts, and what becomes of them."}, "image": {"alt": "Four tables of cells. In the first two about half of the sentences have grey and black cells; the last two are empty."}}
task = tasks["sentences"]
index, _, given = take_rows(task, fold)
rows, hidden = [task.X[i] for i in index], [j for j, one in enumerate(given) if one is None]
found = {"truth": [task.y[i] for i in index]}
options = {"n_neighbors": 5, "C": 0.01, "y_init": "global", "random_state": 0}
for name, y_step in {"learnt": "upper_bound", "learnt, literal": "literal"}.items():
    with quiet():  # the package warns of what the figure shows
        model = LocalStructuredPredictor(task.space, y_step=y_step, **options).fit(rows, given)
    found |= {"start": model.initial_transduction_, name: model.transduction_}
panels = {
    name: np.array([tags[j].astype("U1") for j in hidden[:40]]) for name, tags in found.items()
}
_ = plot_label_sequences(panels, ["O", "I", "B"])

# %%
for name, tags in found.items():
    some = np.mean([np.any(tags[j] != "O") for j in hidden])
    wrong = np.mean([np.any(tags[j] != found["truth"][j]) for j in hidden])
    print(f"{name:16} with a name {100 * some:5.1f} %, wrong {100 * wrong:5.1f} %")
    assert some < 0.02 if name.startswith("learnt") else some > 0.5
trivial, held = means.loc["majority"], means.loc["SSLSOP, outputs held"]
assert means.loc["structured perceptron", "sentences"] < held["sentences"] < trivial["sentences"]
shares = few.query("metric == 'majority only'").pivot(
    index="method", columns="setting", values="mean"
)
named = 1 - shares.loc[["SSLSOP", "SSLSOP, outputs held"]]
assert np.all(named.loc["SSLSOP, outputs held"] > 3 * named.loc["SSLSOP"])
assert abs(held["whole sentences"] - trivial["whole sentences"]) < 0.01

# %% [markdown]
# The start has nearly as many sentences with names as the truth, and learning deletes almost all of them, with
# the labelled sentences right beside. That is the attractor of the chapter before: each output must please
# predictors that were mostly taught "no name". The loss of the majority predictor is where the method
# comes to rest, and only the row beside it tells. With the outputs held, more names survive. On short sentences
# the loss then lies between the perceptron's and the trivial one; on whole ones it is the trivial one all the same.
#
# ## Sensitivity to k and C
#
# The paper's Figures 3 and 4 vary one parameter at a time. Three folds here; k = 20 and C = 0.01 where the
# other one varies, a start by neighbours, and for sentences by the perceptron.

# %%
sensitivity = results("sslsop-sensitivity", profile=profile)
print(sensitivity.describe())

# %% mystnb={"figure": {"name": "fig-sslsop-k", "caption": "Loss of SSLSOP over the size k of neighbourhoods; one dot per fold, a line through the means, dashed the majority predictor."}, "image": {"alt": "Five panels of losses over k: flat for mammograms, rising for regions and scenes, rising at the end for papers, and on the dashed line for sentences."}}
values = {name: options["n_neighbors"] for name, options in NEIGHBORS.items()}
_ = plot_loss_by_parameter(sensitivity.frame, values, label="k", reference="majority")

# %% mystnb={"figure": {"name": "fig-sslsop-c", "caption": "The same over C, which weights the squared norms."}, "image": {"alt": "Five panels of losses over C: all flat, on scenes with a slight rise, and on the dashed line for sentences."}}
values = {name: options["C"] for name, options in PENALTIES.items()}
_ = plot_loss_by_parameter(sensitivity.frame, values, label="C", reference="majority")

# %% [markdown]
# C hardly matters, as the paper says: every panel is within a tenth, and regions do not move at all. On
# mammograms k matters by less than a fifth. Papers bear it up to some twenty neighbours; scenes and regions lose with every larger
# neighbourhood from ten on, until regions are at the majority predictor. The paper has its best k on data set II
# at 100, where ours is worst. Its best on data set I, 20, is ours too, by less than the folds differ.
#
# Sentences show what stability can mean. The line is flat because it *is* the dashed one: whatever k and
# C, there is no name left.

# %% tags=["hide-input"]
curves = sensitivity.frame.pivot_table(index="method", columns="setting", values="value")
of_C, of_k = curves.loc[list(PENALTIES)], curves.loc[list(NEIGHBORS)]
assert np.all(of_C.max() < 1.1 * of_C.min())
assert np.ptp(of_C["regions"]) < 1e-9
assert of_k["mammograms"].max() < 1.2 * of_k["mammograms"].min()
assert np.ptp(of_k["papers"].iloc[:3]) < 0.02 < of_k["papers"].iloc[3] - of_k["papers"].min()
for name in ("scenes", "regions"):
    assert np.all(np.diff(of_k[name].iloc[1:]) > 0)
assert of_k["regions"].iloc[-1] > curves["regions"]["majority"] - 0.03
assert of_k["mammograms"].idxmin() == "k = 20"
assert np.allclose(curves["sentences"], curves["sentences"]["majority"], atol=0.01)

# %% [markdown]
# ## Times
#
# The paper's Figure 5 has SSLSOP second of five. Ours shows the time of one fit with the parameters
# that were chosen, without the time to choose them. The machine had other work meanwhile; that adds
# something to all of them.

# %% mystnb={"figure": {"name": "fig-sslsop-times", "caption": "Seconds of one processor for one fit, mean over the folds."}, "image": {"alt": "Six panels of times on logarithmic axes. Majority, nearest neighbours and the linear machine are the quickest, local predictors at or near the slow end."}}
_ = plot_times(summarize(frame), metrics=("fit time",))

# %% [markdown]
# On mammograms and on whole sentences the three forms with local predictors are the slowest, on short sentences the two
# that start from the perceptron; on papers and the small regions self-training takes longer, on scenes nearly as long. That is although an iteration is
# much cheaper than the printed one. The linear machine and nearest neighbours need a fraction of it. Our
# stand-in for Jiang et al., the slowest method of the paper, solves one linear system and is faster than
# SSLSOP, but for papers; what theirs does the paper does not say. The text finds SSLSOP second of five on
# three data sets, after the method that it calls not satisfying.

# %% tags=["hide-input"]
seconds = summarize(frame).query("metric == 'fit time'")
seconds = seconds.pivot(index="method", columns="setting", values="mean")
for name in ("mammograms", "whole sentences"):
    assert seconds[name].drop(local).max() < seconds[name][local].min()
from_perceptron = ["SSLSOP", "SSLSOP, outputs held"]
short_ones = seconds["sentences"]
assert short_ones.drop(from_perceptron).max() < short_ones[from_perceptron].min()
for name, times in {"papers": 1.0, "regions": 1.0, "scenes": 0.8}.items():
    assert seconds[name]["self-training"] > times * seconds[name]["SSLSOP"]
assert np.all(seconds.loc["linear SVM", list(classes)] < 0.5 * seconds.loc["SSLSOP", list(classes)])
faster = seconds.loc["Laplacian ridge"] < seconds.loc["SSLSOP"]
assert set(faster[list(classes)].index[~faster[list(classes)]]) == {"papers"}

# %% [markdown]
# ## Errata of the experiments
#
# The method's are {doc}`in the chapter before <12_1_local_structured_predictors>`, with those slips of
# Section 4 that concern counting and citing. What remains is where the text on the experiments
# contradicts itself or the table.
#
# 1. *Section 4.1, data set I*: "the last data set" is the first. Its "2620 pairs of images" are the
#    archive's number of cases, each of which has four images, a pair of either breast.
# 2. *Section 4.1, data set III*: the reference for Cora is about matching references. Papers with seven
#    topics come from another publication of that project.
# 3. *Section 4.1, data set IV*: 300 sentences of length 9 are not in the corpus, see above. They are
#    tagged with names here and with parts of speech in the conclusion.
# 4. *Section 4.1, data set II*: "its predecessor" in the code of a leaf must be its ancestor. The tree, on
#    whose heights the loss depends, is not shown.
# 5. *Section 4.3*: SSLSOP is better than all others "significantly". There is no test and no spread. The
#    next cell puts the distance to the second beside the standard error of a difference of two shares of
#    wrong answers of so many samples, if methods err independently. On papers the distance is many of
#    these, on mammograms and on sentences about one.
# 6. *Section 4.3*: the last three methods are "comparable to each other", while SSLSOP is ahead of them all.
#    On data sets I and IV the three lie further apart than SSLSOP and the second.
# 7. *Sections 4.3 and 4.4*: the text does not say which k and C Table 1 has, nor on which samples they
#    were chosen. The figures know losses on test samples only.

# %%
printed = paper.pivot(index="setting", columns="method", values="mean").loc[
    paper["setting"].unique()
]
others = printed[["Altun et al.", "Brefeld and Scheffer", "Suzuki et al."]]
n_samples = pd.Series({"mammograms": 2620, "papers": 9555, "sentences": 300})
p, q = printed["SSLSOP"], printed["Jiang et al."]
pd.DataFrame(
    {
        "SSLSOP to the second": q - p,
        "its standard error": np.sqrt((p * (1 - p) + q * (1 - q)) / n_samples),
        "among the last three": others.max(axis=1) - others.min(axis=1),
    }
).loc[printed.index].map(lambda value: "" if np.isnan(value) else f"{value:.3f}")

# %% [markdown]
# ## What the claims come to

# %% tags=["hide-input"]
HTML(claims_to_html(read_claims(paper="du2016")))

# %% [markdown]
# The paper names no level of significance; claims that one method is better than another are held to paired
# t-tests at the usual 0.05 here.
#
# ## What we found
#
# That many local predictors beat a single one is not what comes out here. On substitutes for three data sets they
# are level with simple methods at best, and on scenes they are behind a linear machine that ignores the
# unlabelled samples altogether. With the paper's own images and features it may have been otherwise.
#
# On the sentences no such excuse is needed. There the method ends at the majority predictor, in both readings of "length 9"
# and in both forms, one of which begins at the perceptron and so at a much lower loss. A table without that predictor would have shown a
# loss of about 0.58 and nothing wrong with it.
#
# Of the two halves of the idea the second one adds nothing here. Local predictors of outputs that are *held* at the start
# are level with those that learn them on classes and ahead of them on the tree, and have a lower mean loss on
# short sentences. What the joint learning adds is a risk. And of the choices that the paper does not
# mention two weigh a lot: to take the mean off image features, and where the missing outputs start.

# %% tags=["hide-input"]
held = means.loc["SSLSOP, outputs held"]
both = ["sentences", "whole sentences"]
assert held["sentences"] < means.loc["SSLSOP", "sentences"]
assert [name for name in classes if held_ahead[name]] == ["scenes"]
ends = means.loc[local[:2], both] - means.loc["majority", both]
assert ends.abs().max(axis=None) < 0.03
assert means.loc["SSLSOP", "scenes"] > means.loc["linear SVM", "scenes"]

# %% [markdown]
# ## What to try next
#
# ```{exercise}
# :label: ex-sslsop-labels
#
# Give the methods *all* training outputs of the fold. Does one predictor for each neighbourhood beat one for
# all samples when nothing is missing?
# ```
#
# ````{solution} ex-sslsop-labels
# :class: dropdown
#
# ```python
# for name in ("scenes", "papers", "mammograms"):
#     space, X, _, truth = missing_outputs(name)
#     _, (X_test, y_test) = take(tasks[name], fold)
#     models = {"linear SVM": LinearSVC(random_state=0)}
#     for k in (5, 20, 50):
#         models[f"local, {k}"] = LocalStructuredPredictor(space, n_neighbors=k, C=0.01)
#     for method, model in models.items():
#         predicted = model.fit(X, truth).predict(X_test)
#         print(name, method, round(mean_loss(space, y_test, predicted), 3))
# ```
#
# On the first fold no: the linear machine has the lower loss on all three, by most on scenes. So what holds
# local predictors back is not only the missing outputs.
# ````
#
# ```{exercise}
# :label: ex-sslsop-hamming
#
# The 0/1 loss of sequences does not care how many words are wrong. Take the Hamming loss instead, in the cell of
# {numref}`fig-sslsop-names`. Do the names stay?
# ```
#
# ````{solution} ex-sslsop-hamming
# :class: dropdown
#
# ```python
# from ofer.companions import ChainOutputs
#
# space = ChainOutputs(task.space.states, loss="hamming")
# with quiet():
#     model = LocalStructuredPredictor(space, **options).fit(rows, given)
# print(np.mean([np.any(model.transduction_[j] != "O") for j in hidden]))
# ```
#
# No, they all go, with 5 neighbours and with 20. The loss is not what removes them; the step over the outputs is.
# With `y_step=None` they stay, whatever the loss.
# ````
#
# ```{exercise}
# :label: ex-sslsop-best-k
#
# Suppose that somebody chose k on the test samples, as the best point of each panel of
# {numref}`fig-sslsop-k`, and somebody else took any of the five. How far apart are their losses?
# ```
#
# ````{solution} ex-sslsop-best-k
# :class: dropdown
#
# ```python
# losses = summarize(sensitivity.frame).pivot(index="setting", columns="method", values="mean")
# print((losses[list(NEIGHBORS)].mean(axis=1) - losses[list(NEIGHBORS)].min(axis=1)).round(3))
# ```
#
# The best point is below the mean of its panel by more than a tenth on regions and scenes, by about a hundredth on mammograms
# and not at all on sentences. On scenes this is several times the distance between SSLSOP and the second
# in the paper's table.
# ````
