# ---
# jupyter:
#   kernelspec: {display_name: Python 3, language: python, name: python3}
#   ofer:
#     data: [cbis_ddsm, mias_bof, scene15, cora, conll2002_es]
#     tables: [sslsop-table-01, sslsop-readings-01, sslsop-sensitivity]
# ---

# %% [markdown]
# # Local predictors at work
#
# *Section 4 of {cite:t}`du2016`*
#
# **The question.** One linear predictor for all samples may be too simple. SSLSOP learns one for
# each neighbourhood, and fills in missing outputs at the same time. Does that predict better?
#
# **The idea.** {cite:t}`du2016` reports the lowest loss on four data sets, with outputs for 30 % of
# the training samples. We compare again. We add simple rivals, and a predictor that always gives
# the most frequent label.
#
# **The answer.** No, on our data, of which only the sentences come from the paper's source. SSLSOP is
# nowhere significantly ahead of a linear support vector machine (SVM) that ignores samples without
# outputs. On sentences it has to find names. There it does worse than the predictor that it starts
# from, and no better than one that never finds a name. To fill in the outputs once and leave them
# alone is no worse.

# %% tags=["parameters"]
profile: str = "stored"  # or "quick", "full": see the protocol
fold: int = 0  # the fold of the live parts

# %%
import numpy as np
import pandas as pd
from IPython.display import HTML
from sklearn.neighbors import KNeighborsClassifier
from sklearn.svm import LinearSVC

from ofer.companions import ChainOutputs, LocalStructuredPredictor
from reproduction.claims import claims_to_html, read_claims
from reproduction.datasets import dataset_info
from reproduction.datasets.texts.conll2002_es import fetch_conll2002_es
from reproduction.engine import results
from reproduction.figures.errors_by_split import plot_task_errors
from reproduction.figures.method_times import plot_times
from reproduction.figures.tables import show_results
from reproduction.statistics import Contrast, format_mean_std, mean_table, read_paper, summarize
from reproduction.studies.second_volume.local_predictors.evaluation import (
    break_ties,
    load_classes,
    load_sentences,
    mean_loss,
    quiet,
    take,
    take_rows,
)
from reproduction.studies.second_volume.local_predictors.figures.label_sequences import (
    plot_label_sequences,
)
from reproduction.studies.second_volume.local_predictors.figures.parameters import (
    plot_loss_by_parameter,
)
from reproduction.studies.second_volume.local_predictors.scene_features import choose_form, forms_of
from reproduction.studies.second_volume.local_predictors.sensitivity import (
    NEIGHBORS,
    PENALTIES,
    PRINTED,
)

# %%
table = results("sslsop-table-01", profile=profile)
frame = table.frame
paper = read_paper("sslsop-table-01")
losses = table.contrast("loss", level=0.05, corrected=True)
means = losses.means.T
methods, classes = list(means.index), ["mammograms", "regions", "scenes", "papers"]
both = ["sentences", "whole sentences"]
local = means.index[means.index.str.contains("SSLSOP")]
trivial, held = means.loc["majority"], means.loc["SSLSOP, outputs held"]

# %% [markdown]
# ## The data and the rivals
#
# The paper names archives, not files. So three of its four data sets are replaced by the nearest
# public ones. Two of ours stand for the first set:
#
# - *Mammograms* are radiologists' findings in words. *Regions* are patches of mammograms, described
#   by visual words. Both have three diagnoses.
# - *Scenes* are photographs. Their 15 categories are the leaves of a tree.
# - *Articles* are scientific papers (Cora) with seven topics.
# - *Sentences* are the first nine words of 300 longer Spanish sentences, and *whole sentences* the
#   first 300 as they are. Each word has a tag that says whether it belongs to a name.
#
# The loss is 1 for a wrong answer. On scenes it is the height of the first common ancestor, from 0
# to 3. A sentence is wrong if any of its tags is. So a predictor that never finds a name is wrong
# only on the 58 % of the sentences that have one. Other losses have to be compared with this one.

# %%
assert round(100 * trivial["sentences"]) == 58

# %% data=["conll2002_es"]
short = fetch_conll2002_es(subset="windows_9").tags
assert round(100 * np.mean([np.any(np.asarray(one) != "O") for one in short])) == 58

# %% [markdown]
# The paper compares with four methods that learn one predictor for all samples, and gives no code
# for them. We wrote one of the four from its own publication (*Laplacian SVM*). Common methods
# stand in for the others. SSLSOP learns in turns: it fits the predictors, then changes the missing
# outputs so that the predictors fit them better. It comes in three forms. *SSLSOP (ours)* changes
# outputs by a rule that never raises what learning minimises. *SSLSOP (paper)* takes the paper's
# rule, and starts from random outputs, as the paper names no start. *Outputs held* never changes
# the outputs of the start. The {doc}`chapter before <12_1_local_structured_predictors>` explains
# the method.

# %% [markdown]
# ## What we found
#
# On sentences we compare our losses with the paper's, though we do not know which sentences it took.
# On the other data only the order of the methods can be compared.

# %% mystnb={"figure": {"name": "tab-sslsop-losses", "caption": "Loss by method (rows) and data (columns). The printed losses come without deviations. That of SSLSOP stands below SSLSOP (paper), those of its four rivals in the last rows; our Laplacian SVM is the method of Altun et al. Empty cells: the method cannot learn sentences, is too large for whole ones, or has no printed loss. No form of SSLSOP has the lowest loss anywhere, and on sentences SSLSOP (ours) is where the majority predictor is."}}
of_paper = read_paper("sslsop-table-01").replace({"method": {"SSLSOP": "SSLSOP as printed"}})
show_results(table, of_paper, metric="loss")

# %% [markdown]
# **Classes and the tree.** On mammograms, scenes and articles every method has a far lower loss than
# the majority predictor. No local predictor has the lowest loss anywhere.

# %%
for name in means:
    assert means[name].idxmin() not in local
for name in ("mammograms", "scenes", "papers"):
    assert np.all(means[name].drop("majority") < 0.75 * means[name]["majority"])

# %% [markdown]
# We test differences by paired t-tests over the folds, corrected for training sets that overlap
# ({cite:t}`nadeau2003`). All differences are in {numref}`tab-sslsop-differences`. On mammograms and
# articles no test tells SSLSOP (ours) from any method that learns one predictor for all samples, and
# their losses are within 0.03. On scenes all these methods have a lower loss than SSLSOP (ours),
# and all but one significantly. It beats a method of neighbours once: k-NN, on articles. On the few
# regions it beats the majority predictor, and no test tells it from any other method.

# %%
others = ["linear SVM", "self-training", "structured perceptron", "Laplacian SVM"]
rivals, alike = [*others, "Laplacian ridge"], ["mammograms", "papers"]
assert (means.loc[rivals, alike] - means.loc["SSLSOP", alike]).abs().max(axis=None) < 0.03
assert losses.apart("SSLSOP", rivals, at=alike, only=[])
assert losses.ahead(rivals, of="SSLSOP", at="scenes")
assert losses.worse("SSLSOP", than=others, at="scenes")
assert losses.apart("SSLSOP", "Laplacian ridge", at="scenes", only=[])
assert losses.apart("SSLSOP", "label spreading", at=classes, only=[])
assert losses.apart("SSLSOP", "k-NN", at=classes, only="papers")
assert losses.better("SSLSOP", than="k-NN", at=classes, only="papers")
on_regions = means["regions"].dropna().index.drop(["SSLSOP", "majority"])
assert losses.apart("SSLSOP", "majority", at="regions")
assert losses.apart("SSLSOP", on_regions, at="regions", only=[])

# %% [markdown]
# **Learning the missing outputs.** Learning does not pay. With *outputs held* the mean loss is no
# higher on any of these four sets, and significantly lower on scenes.

# %%
changes = (means.loc["SSLSOP"] - held)[classes]
assert changes.min() > -0.001
assert changes.max() < 0.06
assert losses.apart("SSLSOP", "SSLSOP, outputs held", at=classes, only="scenes")
assert losses.worse("SSLSOP", than="SSLSOP, outputs held", at=classes, only="scenes")

# %% [markdown]
# **Sentences.** SSLSOP (ours) and SSLSOP (paper) have about the loss of the predictor that never
# finds a name. The perceptron from which SSLSOP starts has a much lower one. The Laplacian SVM has
# the lowest, while in the paper it is behind SSLSOP. The paper's loss for SSLSOP, 0.450, lies
# between that of the perceptron and ours.

# %%
on_sentences = means["sentences"]
assert losses.apart("SSLSOP", ["majority", "SSLSOP as printed"], at="sentences", only=[])
assert losses.apart("SSLSOP", ["structured perceptron", "Laplacian SVM"], at="sentences")
two_forms = on_sentences[["SSLSOP", "SSLSOP as printed"]]
assert (two_forms - trivial["sentences"]).abs().max() < 0.03
assert losses.best("Laplacian SVM", at="sentences")
assert on_sentences["structured perceptron"] < 0.450 < on_sentences["SSLSOP"]
in_print = mean_table(paper, paper["metric"].iloc[0])
assert in_print.loc["sentences", "Altun et al."] > in_print.loc["sentences", "SSLSOP"] == 0.450

# %% [markdown]
# {numref}`fig-sslsop-names` shows why. It has training sentences whose tags were hidden. At the start
# nearly as many of them get a name as truly have one. Learning deletes almost all of these names.
# Without the change of outputs the names stay ({ref}`ex-sslsop-hamming`). We think that they go because
# a filled-in output has to fit several predictors, and most words in all sentences are no names.

# %% data=["conll2002_es"] mystnb={"figure": {"name": "fig-sslsop-names", "caption": "Tags of forty training sentences whose tags were hidden, one row each; words outside of names (O) are white, the first word of a name (B) is black, a further one (I) grey. The perceptron's tags, from which learning starts, resemble the truth. Learning leaves no name in these sentences, or hardly any, by our rule (learnt) and by the paper's (learnt, literal)."}, "image": {"alt": "Four tables of cells. In the first two about half of the sentences have grey and black cells; the last two are empty."}}
task = load_sentences()["sentences"]
index, _, given = take_rows(task, fold)
rows, hidden = [task.X[i] for i in index], [j for j, one in enumerate(given) if one is None]
labellings = {"truth": [task.y[i] for i in index]}
options = {"n_neighbors": 5, "C": 0.01, "eta0": 1.0, "y_init": "global", "random_state": 0}
for name, y_step in {"learnt": "upper_bound", "learnt, literal": "literal"}.items():
    with quiet():  # the package warns of what the figure shows
        model = LocalStructuredPredictor(task.space, y_step=y_step, **options).fit(rows, given)
    labellings |= {"start": model.initial_transduction_, name: model.transduction_}
panels = {
    name: np.array([tags[j].astype("U1") for j in hidden[:40]]) for name, tags in labellings.items()
}
_ = plot_label_sequences(panels, ["O", "I", "B"])

# %% [markdown]
# With the outputs held, more names survive. The loss then lies between those of the perceptron and
# of the majority predictor, on short sentences and on whole ones.

# %%
assert losses.order("structured perceptron", "SSLSOP, outputs held", "majority", at=both)
named = 1 - table.contrast("majority only").means
assert (named["SSLSOP, outputs held"] > 3 * named["SSLSOP"]).loc[both].all()

# %% [markdown]
# **The size of the neighbourhood.** The paper calls its method stable in the number $k$ of
# neighbours and in the weight $C$ of the penalty.

# %% mystnb={"figure": {"name": "fig-sslsop-k", "caption": "Loss of SSLSOP by the size k of neighbourhoods, in our form and in the paper's: a dot for each fold, lines through the means, and the majority predictor dashed. On scenes and regions small neighbourhoods are best. On sentences the lines lie on the dashed one, whatever k is."}, "image": {"alt": "Five panels of losses over k, two lines each. In our form they are flat for mammograms, rise for regions and scenes, and rise at the end for articles. In the paper's form they rise less, and on articles they fall first. For sentences both lie on the dashed line."}}
sensitivity = results("sslsop-sensitivity", profile=profile)


def both_forms(variants, parameter):
    """Values of a parameter by method, in our form and as printed."""
    return {
        name: {method + ending: one[parameter] for method, one in variants.items()}
        for name, ending in {"SSLSOP": "", "SSLSOP as printed": PRINTED}.items()
    }


values = both_forms(NEIGHBORS, "n_neighbors")
_ = plot_loss_by_parameter(sensitivity.frame, values, label="k", reference="majority")

# %% [markdown]
# Both forms are stable in $C$ ({numref}`fig-sslsop-c`), but not in $k$. On scenes and regions every step
# beyond ten neighbours raises the mean loss. On articles a hundred neighbours do harm. In the paper's
# form five are too few on mammograms and articles.

# %%
curves = sensitivity.contrast("loss").means.T
of_C, of_k, printed_C, printed_k = (
    curves.loc[[name + form for name in variants]]
    for form in ("", PRINTED)
    for variants in (PENALTIES, NEIGHBORS)
)
for means_of in (of_C, printed_C):
    assert np.all(means_of.max() < 1.11 * means_of.min())
for means_of in (of_k, printed_k):
    assert np.all(np.diff(means_of[["scenes", "regions"]].iloc[1:], axis=0) > 0)
    assert means_of["papers"].iloc[-1] > means_of["papers"].min() + 0.09
assert (printed_k / printed_k.min()).loc["k = 5" + PRINTED, ["mammograms", "papers"]].min() > 1.19

# %% [markdown]
# **Readings.** The paper does not say how it chose k, C and the number of steps, or where learning
# starts. {numref}`tab-sslsop-readings` chooses otherwise. It searches the *full grid*, all combinations
# of candidates, rather than along *lines*, one parameter after the other. It takes two inner folds
# instead of one. And the paper's form may choose between two starts. The table has the first five folds
# of three data sets.
#
# No reading lets the paper's form win. On these folds its mean loss moves by at most 0.012 on mammograms and
# articles, and no test tells it from a linear SVM, a perceptron or a semi-supervised method, neither in
# these readings nor in that of {numref}`tab-sslsop-losses`. Five folds are few. On regions, where a fold
# has few labels, a search among more candidates may do harm.

# %% mystnb={"figure": {"name": "tab-sslsop-readings", "caption": "Loss in the readings of what the paper leaves open (rows) on three of the six data sets."}}
readings = results("sslsop-readings-01", profile=profile)
show_results(readings, metric="loss", splits_are="folds")

# %%
five = frame[(frame["split"] < 5) & frame["setting"].isin(readings.frame["setting"].unique())]
read = pd.concat([five, readings.frame[readings.frame["method"] != "majority"]])
read = Contrast(read, "loss", level=0.05)
forms = [name for name in read.means if name.startswith("SSLSOP as printed")]
assert len(forms) == 5
moves = read.means[forms].sub(read.means["SSLSOP as printed"], axis=0).abs()
assert moves.loc[["mammograms", "papers"]].max(axis=None) < 0.012
assert read.means.loc["regions", forms[-1]] > read.means.loc["regions", forms].min() + 0.05
assert read.apart(forms, ["label spreading", *rivals], only=[])

# %% [markdown]
# ## What this changes for you
#
# - Put the majority predictor in every table. Without it a loss of about 0.58 on sentences would
#   look like a result.
# - First try a linear machine that ignores the unlabelled samples. On our classes local predictors
#   are nowhere significantly ahead of it, and on scenes they are behind.
# - Hold the filled-in outputs at their start. To learn them gains nothing on classes, and raises the
#   loss on the tree. On sentences the mean loss rises, too, though not significantly.
# - Subtract the mean of image features before you look for neighbours ({numref}`tab-sslsop-forms`).
# - Do not start from random outputs. The paper says "Initialize" and not how; our reading of its form
#   starts at random, and on scenes and articles it ends with many more wrong outputs
#   ({numref}`tab-sslsop-outputs`).

# %%
assert losses.ahead("SSLSOP, outputs held", of="SSLSOP", at=both)
assert losses.apart("SSLSOP, outputs held", "SSLSOP", at=both, only=[])
assert losses.better(local, than="linear SVM", at=classes, only=[])
assert losses.apart(local, "linear SVM", at="scenes")
ends = means.loc[["SSLSOP", "SSLSOP as printed"], both] - trivial[both]
assert ends.abs().max(axis=None) < 0.03

# %% [markdown]
# ## The data in detail

# %%
for name in ("cbis_ddsm", "mias_bof", "scene15", "cora", "conll2002_es"):
    info = dataset_info(name)
    print(f"{info.title}: {info.size}. {info.fidelity.capitalize()}. {info.notes}\n")

# %% [markdown]
# Rows of all inputs have unit length. The tree of scenes is ours. The paper prints neither its tree
# nor the range of its loss.
#
# ### Three hundred sentences of length nine
#
# The paper's fourth data set is said to have 300 sentences, each of length 9. The corpus does not
# have them:

# %% data=["conll2002_es"]
train = fetch_conll2002_es(subset="train")
lengths = np.array([len(tags) for tags in train.tags])
print(f"training part: {len(lengths)} sentences, {np.sum(lengths == 9)} of 9 words; ", end="")
print(f"{len(np.unique(np.concatenate(train.tags)))} tags")
readings = {"sentences": "windows_9", "whole sentences": "first_300", "all of 9": "length_9"}
for name, subset in readings.items():
    tags = fetch_conll2002_es(subset=subset).tags
    share = 100 * np.mean([np.any(np.asarray(one) != "O") for one in tags])
    words = 100 * np.mean(np.concatenate(tags) != "O")
    print(f"{name:16} {len(tags)} of {np.mean([len(one) for one in tags]):4.1f} words on average;")
    print(f"{'':16} with a name {share:.1f} %, words that belong to one {words:.1f} %")

# %% [markdown]
# Nine is the number of *tags*, and earlier work took the first 300 sentences. Hence our two
# readings.

# %% data=["conll2002_es"]
assert len(np.unique(np.concatenate(train.tags))) == 9
assert np.sum(lengths == 9) < 300

# %% [markdown]
# ### Scenes without their mean
#
# Histograms of gradients are positive, so any two are alike. Their directions say little until the
# mean is subtracted. This is one fold, with the features as they are, centred, and reduced to
# principal components. Means and components are those of the training part:

# %% mystnb={"figure": {"name": "tab-sslsop-forms", "caption": "Loss on one fold of scenes by form of the features (rows) and method (columns). Subtracting the mean helps both methods of neighbours, and does not help the linear one."}}
tasks = load_classes()
scenes = tasks["scenes"]
seen, unseen, given = take_rows(scenes, fold)
forms = forms_of(scenes.X, seen)
known, y_test = given >= 0, scenes.y[unseen]
models = {
    "k-NN, 5": KNeighborsClassifier(5, weights="distance"),
    "linear SVM": LinearSVC(random_state=0),
    "SSLSOP, k = 5": LocalStructuredPredictor(scenes.space, n_neighbors=5, C=0.1, eta0=1.0),
}
by_form = pd.DataFrame(index=forms, columns=models, dtype=float)
for form, X in forms.items():
    for name, model in models.items():
        semi = isinstance(model, LocalStructuredPredictor)
        model.fit(*(X[seen], given) if semi else (X[seen][known], given[known]))
        by_form.loc[form, name] = mean_loss(scenes.space, y_test, model.predict(X[unseen]))
chosen_form, form = choose_form(scenes.X, seen, given, seed=fold, forms=forms)
scenes.forms[fold] = break_ties(form)
print("chosen in this training part:", chosen_form)
by_form.round(3)

# %% [markdown]
# The loss of the two methods of neighbours falls by a third or more. That of the linear one does
# not fall. The form is chosen in each training part: the one in which labelled samples are the best
# neighbours of each other. All methods get that form.

# %%
neighbours = by_form[["k-NN, 5", "SSLSOP, k = 5"]]
assert np.all(neighbours.drop("as they are") < 0.67 * neighbours.loc["as they are"])
assert by_form.loc["as they are", "linear SVM"] < by_form["linear SVM"].min() + 0.005

# %% [markdown]
# ## The protocol
#
# As in the paper there are ten folds, and about 30 % of each training part has labels. Findings of
# one patient, or regions of one image, stay in one fold.
#
# Two folds of the *labelled* training samples choose the parameters. The unlabelled samples are
# always at hand. The criterion is accuracy, or the loss of the output space where a method knows
# it. Local predictors take longest. They are judged on one of the two folds, and choose one
# parameter after the other, going along its candidates while that helps: the start (neighbours or
# perceptron), k (5, 20, 100), C (0.001 to 1) and the iterations (5, 10, 25).
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
# | Laplacian ridge | one predictor of codes, smooth along the graph of neighbours | ridge parameter, smoothness |
# | Laplacian SVM | the same with a margin as large as the loss, after Altun et al. | ridge parameter, smoothness |
# | SSLSOP (ours) | with the step {eq}`eq-ssl-upper` that does not raise the objective | start, k, C, iterations |
# | SSLSOP (paper) | with the paper's step {eq}`eq-ssl-literal`, from random outputs | k, C, iterations |
# | SSLSOP (ours), outputs held | local predictors of the outputs at the start | as SSLSOP (ours) |
# :::
#
# On sequences only the perceptron and the Laplacian SVM learn beside SSLSOP. All forms of SSLSOP
# but the paper's start from the perceptron there. For whole sentences k is at most 20, because
# a hundred of them have three thousand words. The Laplacian SVM is left out there: its metric has a
# row and a column for each of seven thousand features.
#
# The paper gives neither code nor parameters of its four competitors. The Laplacian SVM is the one
# of Altun et al., with a linear kernel; its graph joins samples, or the words of sequences.
# Laplacian ridge stands in for the method of Jiang et al. That method, too, uses the graph of
# neighbours for one global predictor, and it learns the missing outputs as well. Two are missing.
# Brefeld and Scheffer train on two views of the inputs, and the paper does not say which. Suzuki et
# al. mix in generative models, and the paper does not say which for images.
#
# `make chapter NAME=12_2_sslsop_experiments PARAMS="profile=quick"` computes a part of each stored
# table anew, in about a minute each ({doc}`how_to_rerun`).

# %%
print(table.describe())
print(sensitivity.describe())

# %% [markdown]
# ## Table 1
#
# Its losses stand in {numref}`tab-sslsop-losses`.

# %% mystnb={"figure": {"name": "fig-sslsop-classes", "caption": "Losses on classes and on the leaves of a tree: a dot for each fold, a bar at the mean. All methods but the majority predictor lie close together. On scenes the three forms of SSLSOP are behind the global methods."}, "image": {"alt": "Four panels of losses of eleven methods. The majority predictor stands apart at the right of three of them, and the others lie close together; on scenes the three forms of SSLSOP lie right of the global methods."}}
_ = plot_task_errors(frame, {name: (name, "loss") for name in classes}, methods)

# %% mystnb={"figure": {"name": "fig-sslsop-sequences", "caption": "Losses on sequences, and the share of words with a wrong tag. SSLSOP (ours) and SSLSOP (paper) lie where the majority predictor does. The perceptron is far ahead, and so is the Laplacian SVM, which the short sentences alone have."}, "image": {"alt": "Four panels of losses of six methods, one of which short sentences alone have. SSLSOP and its printed form lie where the majority predictor does, the perceptron and the Laplacian SVM far to the left of them; the form with outputs held lies in between."}}
of_sequences = list(dict.fromkeys(frame[frame["setting"] == "sentences"]["method"]))
panels = {
    "sentences": ("sentences", "loss"),
    "their words": ("sentences", "word loss"),
    "whole sentences": ("whole sentences", "loss"),
    "words of these": ("whole sentences", "word loss"),
}
_ = plot_task_errors(frame, panels, of_sequences)

# %% mystnb={"figure": {"name": "tab-sslsop-differences", "caption": "Mean difference of the loss, SSLSOP (ours) minus another method, over the folds. A minus favours SSLSOP. A star is p below 0.05 in the paired t-test, corrected for training sets that overlap. Empty cells: the method was not run there."}}
compared = [method for method in methods if method != "SSLSOP"]
differences = losses.starred([("SSLSOP", method) for method in compared], digits=3)
differences = differences[[*paper["setting"].unique(), "regions", "whole sentences"]]
differences.set_axis(compared).rename_axis(index="SSLSOP minus", columns="setting")

# %% [markdown]
# ## What is chosen

# %%
names = ["global start", "n_neighbors", "C", "n_iter"]
chosen = frame[frame["metric"].isin(names)]
chosen = chosen.pivot(index=["setting", "method", "split"], columns="metric", values="value")
counts = {"start by the perceptron": chosen["global start"].eq(1)}
for name, label in {"n_neighbors": "k", "C": "C", "n_iter": "iterations"}.items():
    for value in sorted(chosen[name].unique()):
        counts[f"{label} = {value:g}"] = chosen[name].eq(value)
counts = pd.DataFrame(counts).groupby(["setting", "method"]).sum()

# %% [markdown]
# Small neighbourhoods, a C of 0.1 or more and few iterations prevail. SSLSOP (ours) starts from the perceptron in nearly every fold of mammograms and in all of scenes.
# What it learns from there has a higher mean loss than the perceptron. Where a start is chosen,
# five neighbours are taken more often than twenty. SSLSOP (paper) has random outputs to overcome,
# and takes twenty on mammograms and articles. A hundred neighbours are taken in three folds in all. C
# is mostly 0.1 or 1, and five iterations are enough in more than half of the folds.

# %%
starts = counts["start by the perceptron"].unstack()["SSLSOP"]
small, large = counts["k = 5"].unstack(), counts["k = 20"].unstack()
assert starts[["mammograms", "scenes"]].min() >= 9
assert losses.ahead("structured perceptron", of="SSLSOP", at=["mammograms", "scenes"])
for form in ("SSLSOP", "SSLSOP, outputs held"):
    assert np.all(small[form] > large[form])
assert large["SSLSOP as printed"][["mammograms", "papers"]].min() >= 9
assert counts["k = 100"].sum() == 3
assert counts[["C = 0.1", "C = 1"]].sum().sum() > 0.8 * len(chosen)
assert counts["iterations = 5"].sum() > 0.5 * len(chosen)

# %% [markdown]
# ## What joint learning does to the missing outputs
#
# How many of the hidden outputs of the training part are wrong before and after learning? This is
# one fold of each set of classes. SSLSOP (ours) starts from the labels of the nearest labelled
# samples, and SSLSOP (paper) from random labels.


# %% mystnb={"figure": {"name": "tab-sslsop-outputs", "caption": "Wrong outputs among the hidden ones, in percent, at the start and at the end, by form and number of neighbours (rows) and data (columns). One fold. From the labels of neighbours learning repairs little, and harms on regions."}}
def missing_outputs(name):
    """A training part with its hidden outputs."""
    task = tasks[name]
    (X, given), _ = take(task, fold)
    return task.space, X, given, task.y[take_rows(task, fold)[0]]


repairs = []
for name in classes:
    space, X, given, truth = missing_outputs(name)
    without = given < 0
    for k in (5, 20):
        for form, ways in {
            "SSLSOP": {},
            "SSLSOP as printed": {"y_step": "literal", "y_init": "random"},
        }.items():
            model = LocalStructuredPredictor(
                space, n_neighbors=k, C=0.01, eta0=1.0, random_state=0, **ways
            ).fit(X, given)
            ends = (model.initial_transduction_, model.transduction_)
            wrong = [100 * np.mean(y[without] != truth[without]) for y in ends]
            repairs.append((form, k, name, *wrong, "{:.1f} → {:.1f}".format(*wrong)))
wrong = pd.DataFrame(repairs, columns=["form", "k", "data", "start", "end", "wrong outputs, %"])
wrong = wrong.pivot(index=["form", "k"], columns="data")
wrong["wrong outputs, %"][classes]

# %% [markdown]
# With twenty neighbours, learning repairs one or two in a hundred labels on articles and mammograms.
# On regions it makes more labels wrong. On scenes it does so, too, with twenty neighbours, and
# changes next to nothing with five.
#
# From random outputs the paper's form arrives at about the same place on mammograms with twenty
# neighbours. On scenes and articles it ends far behind. On regions fewer of its outputs are wrong, by
# at least four in a hundred, and fewer than at the good start.

# %%
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

# %% [markdown]
# ## Where the names go
#
# "Majority only" is the share of test sentences in which a method finds no name at all:

# %% mystnb={"figure": {"caption": "Sentences, by method (rows): loss, loss per word, and share of test sentences without any name; mean ± standard deviation over the folds. SSLSOP finds names in a few sentences only."}}
few = summarize(frame)
metrics = ["loss", "word loss", "majority only"]
few = few[few["metric"].isin(metrics) & few["setting"].str.contains("sent")]
few = few.assign(
    text=[format_mean_std(*pair) for pair in zip(few["mean"], few["std"], strict=True)]
)
few.pivot(index=["setting", "method"], columns="metric", values="text").reindex(
    pd.MultiIndex.from_product([("sentences", "whole sentences"), of_sequences]), columns=metrics
).dropna()

# %% [markdown]
# Here are the shares in the training part of {numref}`fig-sslsop-names`, among the hidden
# sentences:

# %% data=["conll2002_es"]
for name, tags in labellings.items():
    some = np.mean([np.any(tags[j] != "O") for j in hidden])
    mistaken = np.mean([np.any(tags[j] != labellings["truth"][j]) for j in hidden])
    print(f"{name:16} with a name {100 * some:5.1f} %, wrong {100 * mistaken:5.1f} %")
    assert some < 0.02 if name.startswith("learnt") else some > 0.5

# %% [markdown]
# ## Sensitivity to k and C
#
# The paper's Figures 3 and 4 vary one parameter at a time. Here k = 20 and C = 0.01 where the other
# one varies. Learning starts by neighbours, for sentences by the perceptron. The first figure is
# {numref}`fig-sslsop-k`.

# %% mystnb={"figure": {"name": "fig-sslsop-c", "caption": "Loss of SSLSOP by C, the weight of the squared norms, in our form and in the paper's: a dot for each fold, lines through the means, and the majority predictor dashed. C hardly matters."}, "image": {"alt": "Five panels of losses over C: all flat, on scenes with a slight rise in our form and a slight fall in the paper's, and on the dashed line for sentences."}}
values = both_forms(PENALTIES, "C")
_ = plot_loss_by_parameter(sensitivity.frame, values, label="C", reference="majority")

# %% [markdown]
# C changes every mean loss by about a tenth at most. On scenes the loss rises with C in our form and
# is lower at the largest C than at the smallest in the paper's.
#
# On mammograms k changes the mean loss by less than a fifth. In our form articles bear up to twenty
# neighbours, lose a little with fifty and much with a hundred. Regions with a hundred neighbours are
# behind the majority predictor there.
#
# The paper's best k on its second data set is 100, where both forms have their largest loss on scenes.
# On its first data set it is 20. So is ours on mammograms, in both forms, though ten folds do not tell
# it from 10, 50 or 100. On regions, the other stand-in for that set, the best k of both is 10.
#
# On sentences, whatever k and C are, the loss is that of the predictor that never sees a name, but
# for one sentence of the three hundred at k = 5 in our form, and two in the paper's.

# %%
in_folds = sensitivity.contrast("loss", level=0.05)
assert np.all(np.diff(of_C["scenes"]) > 0)
assert printed_C["scenes"].iloc[-1] < printed_C["scenes"].iloc[0]
for means_of, form in ((of_k, ""), (printed_k, PRINTED)):
    assert means_of["mammograms"].max() < 1.2 * means_of["mammograms"].min()
    assert means_of["mammograms"].idxmin() == "k = 20" + form
    assert means_of["regions"].idxmin() == "k = 10" + form
    assert means_of["scenes"].idxmax() == "k = 100" + form
    others = [f"k = {k}" + form for k in (10, 50, 100)]
    assert in_folds.apart("k = 20" + form, others, at="mammograms", only=[])
papers_lose = of_k["papers"] - of_k["papers"].min()
assert papers_lose.iloc[:3].max() < 0.01 < papers_lose["k = 50"] < 0.03
assert of_k["regions"].iloc[-1] > curves["regions"]["majority"]
one_sentence = (curves["sentences"] - curves["sentences"]["majority"]).mul(300).round(6)
assert one_sentence[one_sentence != 0].to_dict() == {"k = 5": 1, "k = 5" + PRINTED: -2}

# %% [markdown]
# ## Times
#
# In the paper's Figure 5 SSLSOP is the second fastest of five. Ours is the time of one fit with the
# chosen parameters. Other work on the machine adds something to all.

# %% mystnb={"figure": {"name": "fig-sslsop-times", "caption": "Seconds of one processor for one fit, mean over the folds. The linear machine and nearest neighbours are quick, and local predictors are among the slowest."}, "image": {"alt": "Six panels of times on logarithmic axes. Majority, nearest neighbours and the linear machine are the quickest, local predictors at or near the slow end."}}
_ = plot_times(summarize(frame), metrics=("fit time",))

# %% [markdown]
# The three local forms are the slowest on mammograms and whole sentences. On short sentences the
# Laplacian SVM is slowest, then the two forms that start from the perceptron. On articles and regions
# self-training takes longer than SSLSOP, on scenes nearly as long. The linear machine needs less
# than half of SSLSOP's time.
#
# Our stand-in for Jiang et al., the paper's slowest method, is faster than SSLSOP, except on
# articles. The method of Altun et al., the paper's fastest, is our slowest on articles and short
# sentences.

# %%
times = table.contrast("fit time")
seconds, from_perceptron = times.means.T, ["SSLSOP", "SSLSOP, outputs held"]
for name in ("mammograms", "whole sentences"):
    assert seconds[name].drop(local).max() < seconds[name][local].min()
slow = seconds["sentences"].drop("Laplacian SVM")
assert slow.drop(from_perceptron).max() < slow[from_perceptron].min()
assert (seconds[["papers", "sentences"]].idxmax() == "Laplacian SVM").all()
for name, factor in {"papers": 1.0, "regions": 1.0, "scenes": 0.8}.items():
    assert seconds[name]["self-training"] > factor * seconds[name]["SSLSOP"]
assert np.all(seconds.loc["linear SVM", classes] < 0.5 * seconds.loc["SSLSOP", classes])
assert times.ahead("SSLSOP", of="Laplacian ridge", at=classes, only="papers")

# %% [markdown]
# ## Errata of the experiments
#
# The {doc}`chapter before <12_1_local_structured_predictors>` lists slips of Section 4 that concern
# counting and citing.
#
# 1. *Section 4.1, data set I*: "the last data set" is the first. Its "2620 pairs of images" are the
#    archive's cases, of four images each.
# 2. *Section 4.1, data set III*: the reference for Cora is about matching references. Papers with
#    seven topics come from another publication of that project.
# 3. *Section 4.1, data set IV*: the corpus does not have 300 sentences of length 9. The tags are of
#    names here, and parts of speech in the conclusion.
# 4. *Section 4.1, data set II*: "its predecessor" in the code of a leaf must be its ancestor. The
#    paper does not show the tree, on whose heights the loss depends.
# 5. *Section 4.3*: SSLSOP is better than all others "significantly", without test or spread. The
#    table below measures its distance to the second in standard errors, for independent errors. It
#    is large on articles, and about one standard error on mammograms and sentences.
# 6. *Section 4.3*: the last three methods are "comparable to each other", while SSLSOP is ahead of
#    them all. On data sets I and IV the three lie further apart than SSLSOP and the second.
# 7. *Sections 4.3 and 4.4*: the text does not say which k and C Table 1 has, nor on which samples
#    they were chosen. The figures show losses on test samples only.

# %% mystnb={"figure": {"caption": "Printed losses by data (rows): distance of SSLSOP to the second method, its standard error, and the range of the last three methods. On mammograms and sentences the distance is about one standard error."}}
last_three = in_print[["Altun et al.", "Brefeld and Scheffer", "Suzuki et al."]]
n_samples = pd.Series({"mammograms": 2620, "papers": 9555, "sentences": 300})
p, q = in_print["SSLSOP"], in_print["Jiang et al."]
distances = pd.DataFrame(
    {
        "SSLSOP to the second": q - p,
        "its standard error": np.sqrt((p * (1 - p) + q * (1 - q)) / n_samples),
        "among the last three": last_three.max(axis=1) - last_three.min(axis=1),
    }
).loc[in_print.index]
shown = distances.rename(columns={"SSLSOP to the second": "SSLSOP (paper) to the second"})
shown.map(lambda value: "" if np.isnan(value) else f"{value:.3f}")

# %%
in_errors = distances["SSLSOP to the second"] / distances["its standard error"]
assert in_errors["papers"] > 5
assert in_errors[["mammograms", "sentences"]].between(0.8, 1.5).all()
wider = distances["among the last three"] > distances["SSLSOP to the second"]
assert [name for name in distances.index if wider[name]] == ["mammograms", "sentences"]

# %% [markdown]
# ## What the claims come to

# %%
HTML(claims_to_html(read_claims(paper="du2016")))

# %% [markdown]
# The paper names no level of significance. Claims about orderings are judged by paired t-tests at
# the usual 0.05.
#
# ## Exercises
#
# ```{exercise} Quick
# :label: ex-sslsop-best-k
#
# Somebody chose k on the test samples, as the best point of each panel of {numref}`fig-sslsop-k`.
# Somebody else took one of the five at random. Where are their losses furthest apart?
# ```
#
# ```{solution} ex-sslsop-best-k
# :class: dropdown
#
# On regions and scenes, by more than a tenth; on sentences not at all. On scenes this is more than
# twice the distance between SSLSOP and the second in the paper's table.
# ```

# %%
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

# %% data=["conll2002_es"]
space, left = ChainOutputs(task.space.states, loss="hamming"), {}
_, _, given = take_rows(task, fold)
for y_step in ("upper_bound", None):
    with quiet():
        model = LocalStructuredPredictor(space, y_step=y_step, **options).fit(rows, given)
    left[y_step] = np.mean([np.any(model.transduction_[j] != "O") for j in hidden])
print({str(step): f"{100 * share:.0f} % with a name" for step, share in left.items()})
assert left["upper_bound"] < 0.02
assert left[None] > 0.5

# %% [markdown]
# Almost all of them go, and without the step they stay. The step over the outputs removes them, not
# the loss.
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
# predictors of 5, 20 and 50 neighbours. If the linear machine wins here too, missing outputs are
# not all that holds local predictors back.
# ```
