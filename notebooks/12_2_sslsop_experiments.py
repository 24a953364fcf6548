# ---
# jupyter:
#   kernelspec:
#     display_name: Python 3
#     name: python3
#   ofer:
#     data: [cbis_ddsm, mias_bof, scene15, cora, conll2002_es]
#     tables: [sslsop-table-01, sslsop-sensitivity]
# ---

# %% [markdown]
# # Local predictors at work
#
# *Section 4 of {cite:t}`du2016`*
#
# {cite:t}`du2016` reports the lowest loss on four data sets, one for each kind of structure,
# against four semi-supervised methods that learn one predictor for all samples. One of those four we
# have written from its own publication; in the place of the others we take common methods, and
# beside every number stands the predictor that always gives the most frequent label. The {doc}`chapter before <12_1_local_structured_predictors>` explains the
# method.
#
# ```{admonition} Run it yourself
# `make chapter NAME=12_2_sslsop_experiments PARAMS="profile=quick"`
# computes a part of each stored table anew, in about a minute each ({doc}`how_to_rerun`).
# ```

# %% tags=["parameters"]
profile: str = "stored"  # or "quick", "full": see the box above
fold: int = 0  # the fold of the live parts

# %%
import numpy as np
import pandas as pd
from IPython.display import HTML
from ofer.companions import ChainOutputs, LocalStructuredPredictor
from reproduction.claims import cards_to_html, read_claims
from reproduction.engine import get_experiment, results
from reproduction.statistics import format_mean_std, paired_t_test, read_paper, summarize
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
from reproduction.figures.errors_by_split import plot_task_errors
from reproduction.figures.method_times import plot_times
from reproduction.figures.tables import show_results
from reproduction.papers.sslsop.figures.label_sequences import plot_label_sequences
from reproduction.papers.sslsop.figures.parameters import plot_loss_by_parameter
from sklearn.neighbors import KNeighborsClassifier
from sklearn.svm import LinearSVC

# %% [markdown]
# ## The data
#
# Three of the four data sets are substitutes, as the paper names archives, not files; only the
# sentences are its own:

# %%
for name in ("cbis_ddsm", "mias_bof", "scene15", "cora", "conll2002_es"):
    info = dataset_info(name)
    print(f"{info.title}: {info.size}. {info.fidelity.capitalize()}. {info.notes}\n")

# %% [markdown]
# *Mammograms* are the findings of CBIS-DDSM in words, *regions* the small set with bags of visual
# words, *scenes* the photographs with a tree of categories, *papers* Cora with words and citations.
# Rows have unit length. The loss is 0/1, for scenes the height of the first common ancestor, from 0
# to 3, by our tree; the paper prints neither its tree nor its range.
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
# readings: *sentences*, the first nine words of 300 longer ones, and *whole sentences*, the first
# 300 as they are. The loss is 1 if any tag is wrong. A predictor that never sees a name is then
# wrong on the sentences that have one, no more. That number has to stand beside every other.
#
# ### Scenes without their mean
#
# Histograms of gradients are positive, and any two are alike. Their directions say little until the
# mean is taken off. Here is one fold, with the features as they are, centred, and as leading
# principal components, means and components being those of the training part:

# %% mystnb={"figure": {"caption": "Loss on one fold of scenes, with features as they are, centred, and as the table uses them (rows), by method (columns)."}}
tasks = load_tasks()
scenes = tasks["scenes"]
seen, unseen, given = take_rows(scenes, fold)
forms = forms_of(scenes.X, seen)
known, y_test = given >= 0, scenes.y[unseen]
models = {
    "k-NN, 5": KNeighborsClassifier(5, weights="distance"),
    "linear SVM": LinearSVC(random_state=0),
    "SSLSOP, k = 5": LocalStructuredPredictor(scenes.space, n_neighbors=5, C=0.1, eta0=1.0),
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
assert losses.loc["as they are", "linear SVM"] < losses["linear SVM"].min() + 0.005
losses.round(3)

# %% [markdown]
# Methods that use neighbours gain very much, the linear one nothing. The form is chosen in each
# training part, before a test sample is seen: the one in which labelled training samples are the
# best neighbours of each other. All methods are given that form.
#
# ## The protocol
#
# As in the paper, ten folds; of each training part about 30 % are labelled. Findings of a patient,
# or regions of an image, stay in one fold. Parameters are chosen by two folds of the *labelled* training samples, with the unlabelled ones
# always at hand; by accuracy, or by the loss of the space where a method knows it. Local
# predictors, which take longest, are judged on one of the two, and their parameters are chosen one
# after the other, each by going along its candidates while that helps: start (by neighbours, or by
# the perceptron), k (5, 20, 100), C (0.001 to 1) and iterations (5, 10, 25).
#
# :::{table} Methods beside local structured predictors.
# | method | what it is | what is chosen |
# |---|---|---|
# | majority | the most frequent label | nothing |
# | linear SVM | one against the rest, labelled samples only | C |
# | k-NN | weighted by inverse distance, labelled samples only | k |
# | self-training | logistic regression that adds its own confident labels | C |
# | label spreading | labels diffuse along a graph of neighbours | k, clamping |
# | structured perceptron | averaged, with the codes of the output space | nothing |
# | Laplacian ridge | one predictor of codes, smooth along the graph of neighbours | ridge, smoothness |
# | Laplacian SVM | the same with a margin as large as the loss, after Altun et al. | ridge, smoothness |
# | SSLSOP | with the step {eq}`eq-ssl-upper` that does not raise the objective | start, k, C, iterations |
# | SSLSOP as printed | with {eq}`eq-ssl-literal`, from random outputs | k, C, iterations |
# | SSLSOP, outputs held | local predictors of the outputs at the start | as SSLSOP |
# :::
#
# On sequences the perceptron and the Laplacian SVM are the only other methods that learn, and all
# forms of SSLSOP but the printed one start from the perceptron there. For whole sentences k is at
# most 20, since a hundred of them have three thousand words, and the Laplacian SVM is left out, whose
# metric has a row and a column for each of seven thousand features.
#
# The paper gives neither code nor parameters of its four competitors. The Laplacian SVM is the one
# of Altun et al., with a linear kernel; its graph joins samples, or the words of sequences. Laplacian
# ridge is our stand-in for that of Jiang et al., which also uses the graph of neighbours for one
# global predictor, and learns the missing outputs with it. Two are missing: Brefeld and Scheffer
# train two predictors on two views of the inputs, and the paper does not say which views it took;
# Suzuki et al. mix in generative models, and it does not say which for images.

# %%
table = results("sslsop-table-01", profile=profile)
frame = table.frame
print(table.describe())

# %% [markdown]
# ````{admonition} Your bet
# On the sentences, which has the least loss: (a) SSLSOP, (b) the perceptron that it starts from,
# (c) the predictor that never sees a name?
#
# ```{dropdown} Show the answer
# (b). SSLSOP starts there and ends where (c) is.
# ```
# ````

# %% tags=["hide-input"]
bet = frame.query("metric == 'loss' and setting == 'sentences'").groupby("method")["value"].mean()
assert bet[["SSLSOP", "structured perceptron", "majority"]].idxmin() == "structured perceptron"
assert abs(bet["SSLSOP"] - bet["majority"]) < 0.03

# %% [markdown]
# ## Table 1
#
# Mean and standard deviation of the loss over the folds; below ours the paper's, without
# deviations. Losses can be compared for sentences, with the reservation above; for the others only
# orderings can.

# %% tags=["hide-input"] mystnb={"figure": {"caption": "Loss by method (rows) and data (columns), ours and the paper's Table 1; ours as mean ± standard deviation over the folds."}}
paper = read_paper("sslsop-table-01")
show_results(table, paper, metric="loss")

# %% mystnb={"figure": {"name": "fig-sslsop-classes", "caption": "Losses on classes and on the leaves of a tree: one dot per fold, a bar at the mean."}, "image": {"alt": "Four panels of losses of eleven methods. The majority predictor stands apart at the right of three of them, and the others lie close together; on scenes the three forms of SSLSOP lie right of the global methods."}}
methods = list(dict.fromkeys(frame["method"]))
classes = ("mammograms", "regions", "scenes", "papers")
_ = plot_task_errors(frame, {name: (name, "loss") for name in classes}, methods)

# %% mystnb={"figure": {"name": "fig-sslsop-sequences", "caption": "Losses on sequences, and the share of words with a wrong tag."}, "image": {"alt": "Four panels of losses of six methods, one of which short sentences alone have. SSLSOP and its printed form lie where the majority predictor does, the perceptron and the Laplacian SVM far to the left of them; the form with outputs held lies in between."}}
of_sequences = list(dict.fromkeys(frame[frame["setting"] == "sentences"]["method"]))
panels = {
    "sentences": ("sentences", "loss"),
    "their words": ("sentences", "word loss"),
    "whole sentences": ("whole sentences", "loss"),
    "words of these": ("whole sentences", "word loss"),
}
_ = plot_task_errors(frame, panels, of_sequences)

# %% [markdown]
# Are the differences more than chance? Negative is where SSLSOP is better; a star is p below 0.05
# in a paired t-test over the folds, corrected for the overlap of training sets
# ({cite:t}`nadeau2003`).

# %% tags=["hide-input"] mystnb={"figure": {"caption": "Mean differences of the loss over the folds. A minus favours SSLSOP; a star is p below 0.05 in the corrected test."}}
ratio = get_experiment("sslsop-table-01").test_train_ratio
tests, of_loss = {}, {"metric": "loss", "level": 0.05, "test_train_ratio": ratio}
for method in methods:
    if method != "SSLSOP":
        shared = frame[frame["setting"].isin(frame[frame["method"] == method]["setting"])]
        tests[method] = paired_t_test(shared, "SSLSOP", method, **of_loss)
tests = pd.concat(tests, names=["SSLSOP minus", "setting"])
stars = tests["significant_corrected"].map({True: " *", False: ""})
cells = (tests["difference"].map("{:+.3f}".format) + stars).unstack()
cells.reindex(
    index=[m for m in methods if m != "SSLSOP"], columns=paper["setting"].unique()
).fillna("")

# %% [markdown]
# On mammograms, scenes and papers every method has a far lower loss than the majority predictor,
# but local predictors are nowhere ahead. On mammograms and papers no test tells SSLSOP from the
# linear SVM, self-training, the perceptron or either Laplacian method, within a few hundredths. On
# scenes Laplacian ridge has a loss that is lower without significance, and the others a clearly
# lower one. Among the methods of neighbours SSLSOP wins against k-NN on papers, and nowhere
# else. The few regions tell SSLSOP from the majority predictor, and from nothing else.
#
# On sentences SSLSOP and its printed form have the loss of the predictor that never sees a name. The
# perceptron from which SSLSOP starts has a much lower one, and the lowest is that of the Laplacian
# SVM, which in the paper is behind SSLSOP. The paper's 0.450 for SSLSOP lies between the trivial
# loss and these two.

# %% tags=["hide-input"]
means = summarize(frame).query("metric == 'loss'")
means = means.pivot(index="method", columns="setting", values="mean")
local = means.index[means.index.str.contains("SSLSOP")]
for name in ("mammograms", "scenes", "papers"):
    assert np.all(means[name].drop("majority") < 0.75 * means[name]["majority"])
for name in classes:
    assert means[name].idxmin() not in local
against = tests["significant_corrected"].unstack()
others = ["linear SVM", "self-training", "structured perceptron", "Laplacian SVM"]
rivals = [*others, "Laplacian ridge"]
for name in ("mammograms", "papers"):
    assert (means.loc["SSLSOP", name] - means.loc[rivals, name]).abs().max() < 0.03
    assert not against.loc[rivals, name].any()
assert against.loc[others, "scenes"].all()
assert not against.loc["Laplacian ridge", "scenes"]
assert means.loc[rivals, "scenes"].max() < means.loc["SSLSOP", "scenes"]
of_neighbours = against.loc[["k-NN", "label spreading"], list(classes)].stack()
assert list(of_neighbours.index[of_neighbours.astype(bool)]) == [("k-NN", "papers")]
assert means.loc["SSLSOP", "papers"] < means.loc["k-NN", "papers"]
assert not against.loc[["majority", "SSLSOP as printed"], "sentences"].any()
assert against.loc[["structured perceptron", "Laplacian SVM"], "sentences"].all()
assert against.loc["majority", "regions"]
assert not against["regions"].dropna().astype(bool).drop("majority").any()
short = means["sentences"]
assert short[local[:2]].sub(short["majority"]).abs().max() < 0.03
assert short.idxmin() == "Laplacian SVM"
assert short["structured perceptron"] < 0.450 < short["SSLSOP"]
printed_loss = paper[paper["setting"] == "sentences"].set_index("method")["mean"]
assert printed_loss["Altun et al."] > printed_loss["SSLSOP"] == 0.450

# %% [markdown]
# ## What is chosen

# %% tags=["hide-input"] mystnb={"figure": {"caption": "In how many folds a number of neighbours, a start by the perceptron, a C and a number of iterations was chosen."}}
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
# SSLSOP starts from the perceptron in nearly every fold of mammograms and in all of scenes, and
# what it learns from there has a higher mean loss than the perceptron. Five neighbours are taken
# more often than twenty where a start is chosen; the printed form, which has random outputs to
# overcome, takes twenty on mammograms and papers. A hundred are taken in three folds in all, C is
# mostly 0.1 or 1, and five iterations are enough in more than half. The folds see only labelled
# samples.

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
# What becomes of the outputs that were hidden in the training part? One fold of each set of
# classes, live, from the labels of the nearest labelled samples:


# %% mystnb={"figure": {"caption": "Wrong outputs among the hidden ones of the training part, in percent, at the start and at the end, by form and neighbours (rows) and data (columns). One fold."}}
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
                space, n_neighbors=k, C=0.01, eta0=1.0, random_state=0, **options
            ).fit(X, given)
            ends = (model.initial_transduction_, model.transduction_)
            wrong = [100 * np.mean(y[hidden] != truth[hidden]) for y in ends]
            rows.append((form, k, name, *wrong, "{:.1f} → {:.1f}".format(*wrong)))
wrong = pd.DataFrame(rows, columns=["form", "k", "data", "start", "end", "wrong outputs, %"])
wrong = wrong.pivot(index=["form", "k"], columns="data")
wrong["wrong outputs, %"][list(classes)]

# %% [markdown]
# With twenty neighbours learning repairs one or two in a hundred of the start's labels on papers
# and mammograms. On regions it makes more of them wrong, and on scenes, too: more than three in a
# hundred, while with five neighbours next to nothing changes there. From random outputs the printed
# form arrives at about the same place on mammograms with twenty neighbours, and far from it on
# scenes and papers; on regions fewer of its outputs are wrong, by four in a hundred or more, and
# fewer than at the good start. In Table 1 outputs that are *held* at their start have a mean loss
# that is no higher on any of the four sets, and significantly lower on scenes.

# %% tags=["hide-input"]
learnt, printed_form = wrong["end"].loc["SSLSOP"], wrong["end"].loc["SSLSOP as printed"]
repaired = wrong["start"].loc["SSLSOP"] - learnt
assert repaired.loc[20, ["papers", "mammograms"]].between(0.5, 3).all()
assert repaired["regions"].max() < 0
assert repaired["scenes"].max() < 0.5
assert repaired.loc[20, "scenes"] < -3
assert abs(repaired.loc[5, "scenes"]) < 0.5
assert abs(printed_form["mammograms"][20] - learnt["mammograms"][20]) < 2
assert (learnt - printed_form)["regions"].min() > 4
assert np.all(printed_form["regions"] < wrong["start"].loc["SSLSOP", "regions"])
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
# "Majority only" is the share of test sentences in which a method finds no name at all:

# %% tags=["hide-input"] mystnb={"figure": {"caption": "Sentences, by method (rows): loss, loss per word, and share of test sentences without any name; mean ± standard deviation over the folds."}}
few = summarize(frame)
metrics = ["loss", "word loss", "majority only"]
few = few[few["metric"].isin(metrics) & few["setting"].str.contains("sent")]
few = few.assign(
    text=[format_mean_std(*pair) for pair in zip(few["mean"], few["std"], strict=True)]
)
few.pivot(index=["setting", "method"], columns="metric", values="text").reindex(
    pd.MultiIndex.from_product([("sentences", "whole sentences"), of_sequences]), columns=metrics
).dropna()

# %% mystnb={"figure": {"name": "fig-sslsop-names", "caption": "Tags of forty hidden training sentences, one row each, white for words outside of names: the truth, the perceptron's tags, from which learning starts, and what becomes of them."}, "image": {"alt": "Four tables of cells. In the first two about half of the sentences have grey and black cells; the last two are empty."}}
task = tasks["sentences"]
index, _, given = take_rows(task, fold)
rows, hidden = [task.X[i] for i in index], [j for j, one in enumerate(given) if one is None]
found = {"truth": [task.y[i] for i in index]}
options = {"n_neighbors": 5, "C": 0.01, "eta0": 1.0, "y_init": "global", "random_state": 0}
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
for name in ("sentences", "whole sentences"):
    assert means.loc["structured perceptron", name] < held[name] < trivial[name]
shares = few.query("metric == 'majority only'").pivot(
    index="method", columns="setting", values="mean"
)
named = 1 - shares.loc[["SSLSOP", "SSLSOP, outputs held"]]
assert np.all(named.loc["SSLSOP, outputs held"] > 3 * named.loc["SSLSOP"])

# %% [markdown]
# At the start nearly as many sentences have names as in truth; learning deletes almost all of them,
# since each output must please predictors that were mostly taught "no name". With the outputs held,
# more names survive. The loss then lies between the perceptron's and the trivial one, on short
# sentences and on whole ones.
#
# ## Sensitivity to k and C
#
# The paper's Figures 3 and 4 vary one parameter at a time. Here k = 20 and C = 0.01 where the other
# one varies, with a start by neighbours, and for sentences by the perceptron.

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
# C hardly matters, as the paper says: every mean is within a tenth, and moves most on scenes, where
# it rises with C. On mammograms k matters by less than a fifth. Papers bear up to some twenty
# neighbours, lose a little with fifty and much with a hundred; scenes and regions lose with every
# larger neighbourhood from ten on, until regions are behind the majority predictor. The paper's
# best k on data set II is 100, where our loss is largest; on data set I it is 20. So is ours on
# mammograms, where ten folds cannot decide; on regions, the other stand-in for that set, it is 10.
#
# The line of sentences is flat because it *is* the dashed one: whatever k and C, the loss is that
# of the predictor that never sees a name, but for one sentence of the three hundred at k = 5.

# %% tags=["hide-input"]
curves = sensitivity.frame.pivot_table(index="method", columns="setting", values="value")
of_C, of_k = curves.loc[list(PENALTIES)], curves.loc[list(NEIGHBORS)]
assert np.all(of_C.max() < 1.1 * of_C.min())
assert (of_C.max() / of_C.min()).idxmax() == "scenes"
assert np.all(np.diff(of_C["scenes"]) > 0)
assert of_k["mammograms"].max() < 1.2 * of_k["mammograms"].min()
papers_lose = of_k["papers"] - of_k["papers"].min()
assert papers_lose.iloc[:3].max() < 0.01 < papers_lose["k = 50"] < 0.03
assert papers_lose["k = 100"] > 0.1
for name in ("scenes", "regions"):
    assert np.all(np.diff(of_k[name].iloc[1:]) > 0)
assert of_k["regions"].iloc[-1] > curves["regions"]["majority"]
assert of_k["mammograms"].idxmin() == "k = 20"
assert of_k["regions"].idxmin() == "k = 10"
one_sentence = (curves["sentences"] - curves["sentences"]["majority"]).mul(300).round(6)
assert one_sentence.drop("k = 5").eq(0).all()
assert one_sentence["k = 5"] == 1

# %% [markdown]
# ## Times
#
# The paper's Figure 5 has SSLSOP second of five. Ours is the time of one fit with the chosen
# parameters; other work on the machine adds something to all.

# %% mystnb={"figure": {"name": "fig-sslsop-times", "caption": "Seconds of one processor for one fit, mean over the folds."}, "image": {"alt": "Six panels of times on logarithmic axes. Majority, nearest neighbours and the linear machine are the quickest, local predictors at or near the slow end."}}
_ = plot_times(summarize(frame), metrics=("fit time",))

# %% [markdown]
# On mammograms and on whole sentences the three forms with local predictors are the slowest, on
# short sentences the Laplacian SVM and then the two that start from the perceptron; on papers and
# regions self-training takes longer than SSLSOP, on scenes nearly as long. The linear machine and
# nearest neighbours need a fraction. Our stand-in for Jiang et al., the paper's slowest, is faster
# than SSLSOP, except on papers; the method of Altun et al., its quickest, is our slowest on papers
# and short sentences.

# %% tags=["hide-input"]
seconds = summarize(frame).query("metric == 'fit time'")
seconds = seconds.pivot(index="method", columns="setting", values="mean")
for name in ("mammograms", "whole sentences"):
    assert seconds[name].drop(local).max() < seconds[name][local].min()
from_perceptron = ["SSLSOP", "SSLSOP, outputs held"]
short_ones = seconds["sentences"]
slow = short_ones.drop("Laplacian SVM")
assert slow.drop(from_perceptron).max() < slow[from_perceptron].min()
for name in ("papers", "sentences"):
    assert seconds[name].idxmax() == "Laplacian SVM"
for name, times in {"papers": 1.0, "regions": 1.0, "scenes": 0.8}.items():
    assert seconds[name]["self-training"] > times * seconds[name]["SSLSOP"]
assert np.all(seconds.loc["linear SVM", list(classes)] < 0.5 * seconds.loc["SSLSOP", list(classes)])
faster = seconds.loc["Laplacian ridge"] < seconds.loc["SSLSOP"]
assert set(faster[list(classes)].index[~faster[list(classes)]]) == {"papers"}

# %% [markdown]
# ## Errata of the experiments
#
# Slips of Section 4 that concern counting and citing are {doc}`in the chapter before
# <12_1_local_structured_predictors>`.
#
# 1. *Section 4.1, data set I*: "the last data set" is the first. Its "2620 pairs of images" are the
#    archive's cases, of four images each.
# 2. *Section 4.1, data set III*: the reference for Cora is about matching references. Papers with
#    seven topics come from another publication of that project.
# 3. *Section 4.1, data set IV*: 300 sentences of length 9 are not in the corpus. They are tagged
#    with names here and with parts of speech in the conclusion.
# 4. *Section 4.1, data set II*: "its predecessor" in the code of a leaf must be its ancestor. The
#    tree, on whose heights the loss depends, is not shown.
# 5. *Section 4.3*: SSLSOP is better than all others "significantly", without test or spread.
#    Measured in standard errors of a difference of two shares, for independent errors, its distance
#    to the second is large on papers, and about one on mammograms and sentences.
# 6. *Section 4.3*: the last three methods are "comparable to each other", while SSLSOP is ahead of
#    them all. On data sets I and IV the three lie further apart than SSLSOP and the second.
# 7. *Sections 4.3 and 4.4*: the text does not say which k and C Table 1 has, nor on which samples
#    they were chosen. The figures show losses on test samples only.

# %% mystnb={"figure": {"caption": "Printed losses: distance of SSLSOP to the second method, its standard error, and the range of the last three methods, by data (rows)."}}
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
HTML(cards_to_html(read_claims(paper="du2016")))

# %% [markdown]
# The paper names no level of significance; orderings are held to paired t-tests at the usual 0.05.
#
# ## What this changes for you
#
# - Put the majority predictor in every table: without it, a loss of about 0.58 on sentences would
#   look like a result.
# - First try a linear machine that ignores the unlabelled samples: on our substitutes local
#   predictors are nowhere significantly ahead of it, and behind on scenes.
# - Hold the outputs at their start: learning them gains nothing on classes, and costs on the tree;
#   on sentences, short or whole, the mean loss is higher, too, but not significantly.
# - Mind what the paper does not mention: the mean of image features, and the start of missing
#   outputs.

# %% tags=["hide-input"]
held = means.loc["SSLSOP, outputs held"]
both = ["sentences", "whole sentences"]
assert np.all(held[both] < means.loc["SSLSOP", both])
assert not against.loc["SSLSOP, outputs held", both].any()
for form in local:
    on_classes = frame[frame["setting"].isin(list(classes))]
    test = paired_t_test(on_classes, form, "linear SVM", **of_loss)
    assert not (test["significant_corrected"] & (test["difference"] < 0)).any()
    assert test.loc["scenes", "significant_corrected"]
assert [name for name in classes if held_ahead[name]] == ["scenes"]
ends = means.loc[local[:2], both] - means.loc["majority", both]
assert ends.abs().max(axis=None) < 0.03
assert means.loc["SSLSOP", "scenes"] > means.loc["linear SVM", "scenes"]

# %% [markdown]
# ## Exercises
#
# ```{exercise} Quick
# :label: ex-sslsop-always
#
# A table has a loss of 0.58 for a method on sentences, where 58 % of the sentences have a name.
# What would you ask?
# ```
#
# ```{solution} ex-sslsop-always
# :class: dropdown
#
# Whether it ever predicts a name: a method that never does has that loss. The share of sentences
# without any predicted name tells.
# ```
#
# ```{exercise} Quick
# :label: ex-sslsop-best-k
#
# Somebody chose k on the test samples, as the best point of each panel of {numref}`fig-sslsop-k`;
# somebody else took one of the five at random. Where are their losses furthest apart?
# ```
#
# ```{solution} ex-sslsop-best-k
# :class: dropdown
#
# On regions and scenes, by more than a tenth; on sentences not at all. On scenes this is several
# times the distance between SSLSOP and the second in the paper's table.
# ```

# %% tags=["hide-input"]
assert abs(means.loc["SSLSOP", "sentences"] - means.loc["majority", "sentences"]) < 0.03
apart = of_k.mean() - of_k.min()
assert apart[["regions", "scenes"]].min() > 0.1
assert set(apart.nlargest(2).index) == {"regions", "scenes"}
assert apart["sentences"] < 0.01
assert apart["scenes"] > 2 * (q - p)["scenes"]

# %% [markdown]
# ```{exercise} Code
# :label: ex-sslsop-hamming
#
# The 0/1 loss of sequences does not care how many words are wrong. Take the Hamming loss instead,
# in the cell of {numref}`fig-sslsop-names`. Do the names stay? And without a step over the outputs?
# ```
#
# ```{solution-start} ex-sslsop-hamming
# :class: dropdown
# ```

# %%
space, left = ChainOutputs(task.space.states, loss="hamming"), {}
for y_step in ("upper_bound", None):
    with quiet():
        model = LocalStructuredPredictor(space, y_step=y_step, **options).fit(rows, given)
    left[y_step] = np.mean([np.any(model.transduction_[j] != "O") for j in hidden])
print({str(step): f"{100 * share:.0f} % with a name" for step, share in left.items()})
assert left["upper_bound"] < 0.02
assert left[None] > 0.5

# %% [markdown]
# They all go, and without the step they stay. The loss is not what removes them; the step over the
# outputs is.
#
# ```{solution-end}
# ```
#
# ```{exercise} Open
# :label: ex-sslsop-labels
#
# Does one predictor for each neighbourhood beat one for all samples when nothing is missing? Give
# the methods *all* training outputs of the fold.
# ```
#
# ```{solution} ex-sslsop-labels
# :class: dropdown
#
# `missing_outputs` returns the true outputs beside the given ones. Compare `LinearSVC` with local
# predictors of 5, 20 and 50 neighbours: if the linear machine wins here too, missing outputs are
# not all that holds local predictors back.
# ```
#
# ## Recap quiz
#
# Five questions on *Companion papers*; a cell below checks the answers against the stored tables.
#
# **1.** The divergence of Sharma and Mittal has two parameters. Which one changes no prediction of
# SMTGP?
#
# ```{dropdown} Answer
# $\beta$: all have the same minimiser ({prf:ref}`thm-order`).
# ```
#
# **2.** On pictures, by how much is the error of SMTGP below that of centred kernel ridge
# regression?
#
# ```{dropdown} Answer
# By four to seven percent; on poses and on multivalued curves by more than a fifth
# ({doc}`10_2_smtgp_experiments`).
# ```
#
# **3.** Which control does the paper's comparison of trained and untrained Fisher kernels lack?
#
# ```{dropdown} Answer
# Scores under the random model from which the training starts: on digits and vowels they do as well
# ({doc}`11_2_fkl_experiments`).
# ```
#
# **4.** Which step over the missing outputs never raises the objective of SSLSOP?
#
# ```{dropdown} Answer
# The one that minimises the objective as it stands, {eq}`eq-ssl-upper`; the printed one minimises a
# lower bound.
# ```
#
# **5.** At which predictor does SSLSOP end on the sentences?
#
# ```{dropdown} Answer
# At the one that never sees a name.
# ```

# %% tags=["hide-input"]
ids = ("smtgp-order", "smtgp-table-02", "fkl-table-02", "fkl-table-03", "fkl-untrained")
stored = {id: results(id, allow_stale=profile != "stored").frame for id in ids}
assert stored["smtgp-order"].query("metric == 'moved'")["value"].max() < 0.01
twins = stored["smtgp-table-02"].query("metric == 'error'")
twins = twins.groupby(["method", "setting"])["value"].mean().unstack()
below = 1 - twins.loc["SMTGP"] / twins.loc["m-KRR centred"]
assert below[["USPS", "digits"]].between(0.04, 0.07).all()
assert below[["Poser", "toy 1", "toy 2"]].min() > 0.2
error_of = ["Bayes", "softmax", "SVM", "LMNN"]
untrained = stored["fkl-untrained"].query("metric in @error_of")
for name, id in {"digits": "fkl-table-02", "vowels": "fkl-table-03"}.items():
    trained = stored[id].query("metric in @error_of and method == 'FKL as printed'")
    alone = untrained[untrained["setting"].str.startswith(name)]
    lowest = [one.groupby(["metric", "setting"])["value"].mean().min() for one in (trained, alone)]
    assert lowest[1] < lowest[0] + 0.1
assert abs(means.loc["SSLSOP", "sentences"] - means.loc["majority", "sentences"]) < 0.03
