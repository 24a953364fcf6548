# ---
# jupyter:
#   kernelspec:
#     display_name: Python 3
#     name: python3
# ---
# needs: character_trajectories

# %% [markdown]
# # Fisher kernels at work
#
# *Section 4 of {cite:t}`vandermaaten2011`*
#
# Do scores of a model that was trained to keep classes apart make better features than scores of
# a likely model? {cite:t}`vandermaaten2011` compares them on handwritten letters, spoken digits,
# faces and molecules, with four classifiers and three sizes of the model, and reports the lowest
# error for the trained ones on each. This chapter runs the comparison again on three of these
# sets, and on vowels in the place of the faces. The {doc}`chapter before
# <11_1_fisher_kernel_learning>` has the method.
#
# ```{admonition} Run it yourself
# `make chapter NAME=11_2_fkl_experiments PARAMS="profile=quick"`
# computes a small part of each stored table of this chapter anew, in about a minute each, and
# shows it beside the stored rows; {doc}`how_to_rerun` says more.
# ```

# %% tags=["parameters"]
profile: str = "stored"  # or "quick", "full": see the box above
n_live: int = 400  # training letters of the live part
n_states: int = 5  # of its models
max_iter: int = 12  # of its learning

# %%
import numpy as np
import pandas as pd
import warnings
from IPython.display import HTML
from ofer.companions import FisherKernelLearner, PairwiseMRF
from reproduction.claims import claims_to_html, read_claims
from reproduction.engine import get_experiment, results
from reproduction.statistics import paired_t_test, read_paper, summarize
from reproduction.datasets import dataset_info
from reproduction.datasets.series.character_trajectories import fetch_character_trajectories
from reproduction.papers.fkl.figures.experiments import (
    plot_classifier_errors,
    plot_letters,
    plot_shares,
)
from reproduction.papers.fkl.node_scaler import NodeScaler
from scipy.stats import spearmanr
from sklearn.exceptions import ConvergenceWarning

# %% [markdown]
# ## The data

# %%
for name in (
    "character_trajectories",
    "spoken_arabic_digits_train",
    "japanese_vowels_train",
    "mutagenicity",
):
    info = dataset_info(name)
    print(f"{info.title}. {info.size}. {info.fidelity.capitalize()}. {info.notes}\n")

# %% mystnb={"figure": {"name": "fig-fkl-letters", "caption": "Two writings of ten of the twenty letters, integrated from the velocities that the models see. A ring is where the pen starts. (The third column of the data is the force of the pen.)"}, "image": {"alt": "Two rows of ten handwritten letters; the two writings of each differ a little."}}
letters = fetch_character_trajectories()
shown = [np.flatnonzero(letters.y == label)[:2] for label in range(0, 20, 2)]
rows = {f"writing {turn + 1}": [letters.sequences[pair[turn]] for pair in shown] for turn in (0, 1)}
_ = plot_letters(rows, letters.class_names[::2])

# %% [markdown]
# Vowels are not faces. They stand in for them as a small set of series with many columns, which
# is what the paper's third set was to its method; nothing that it says about faces is decided by
# them.
#
# ## The protocol
#
# Frames are scaled to mean zero and unit variance on the training part. There are 2, 5 or 10
# hidden states, isotropic normal emissions (of molecules multinomial ones, symmetric potentials,
# and loopy propagation), and these representations:
#
# :::{table} Representations that classifiers are given.
# | representation | what it is |
# |---|---|
# | likelihood | log-likelihoods under one model per class; "Bayes" takes the largest posterior |
# | Fisher | scores under one model of maximum likelihood |
# | weights alone | the same scores, with weights that raise the objective {eq}`eq-fkl-objective`; the model stays |
# | FKL as printed | weights and model raise it together: from random emissions, by the paper's alternation |
# | FKL | the same from the model of maximum likelihood, by L-BFGS with the full gradient |
# | random model | scores under the random model that FKL as printed starts from, without any training |
# :::
#
# Softmax and the linear SVM choose their regularisation on a fifth of the training part that is
# held out; they and the large-margin nearest neighbour (LMNN, three neighbours) see standardised
# vectors. We add the plain nearest neighbour (1-NN), which is what the objective speaks of. It
# sees learned distances as they are and others standardised. To the standardised classifiers
# weights alone make no difference.
#
# The paper's folds and its division of the molecules are not published; ours are drawn once. Some
# sizes are cut to what an hour of one processor can do, each by a parameter of the experiment:

# %%
parameters = get_experiment("fkl-table-01").parameters
for name in (
    "n_folds",
    "n_character_folds",
    "n_speakers",
    "n_molecules",
    "max_iter",
    "learner_max_iter",
):
    print(f"{name:18} {parameters[name]}")

# %% [markdown]
# That is: of the ten folds of the letters five are evaluated, with ten states three; of 66
# speakers of the digits a third train, the first ones, as many women as men, while the test set
# is the whole official one; and of 3903 molecules a thousand train. Models of maximum likelihood
# get thirty iterations and learning gets twenty, where the paper waits for convergence. With half
# of the letters public, and a third of the digits used, our models are trained on less than the
# paper's.

# %%
tables_of = {
    "letters": results("fkl-table-01", profile=profile),
    "digits": results("fkl-table-02", profile=profile),
    "vowels": results("fkl-table-03", profile=profile),
    "molecules": results("fkl-table-04", profile=profile),
}
controls = results("fkl-untrained", profile=profile)
for name, table in {**tables_of, "random models": controls}.items():
    print(f"{name}: {table.describe()}")

# %%
parts = controls.frame["setting"].str.split(", ", expand=True)
frames = {}
for name, table in tables_of.items():
    random_models = controls.frame[parts[0] == name].assign(setting=parts[1])
    frames[name] = pd.concat([table.frame, random_models])
panels = {name: summarize(frame) for name, frame in frames.items()}

# %% [markdown]
# ## Tables 1 to 4
#
# Errors in percent, with the standard deviation over folds where there are several, and the
# paper's figures beside ours. Its FKL stands beside ours as printed. The last row of a classifier
# is not better because it is last: sizes were not chosen, all are shown.

# %% tags=["hide-input"]
classifiers = ["Bayes", "softmax", "SVM", "LMNN", "1-NN"]
columns = {
    "likelihood": "likelihood",
    "Fisher": "Fisher",
    "weights alone": None,
    "FKL as printed": "FKL",
    "FKL": None,
    "random model": None,
}


# %% tags=["hide-input"]
def in_layout(name):
    """A table of the paper, its figures beside ours."""
    ours = summarize(frames[name]).set_index(["metric", "setting", "method"])
    paper = read_paper(tables_of[name].sidecar["id"]).set_index(["metric", "setting", "method"])[
        "printed"
    ]
    cells = {
        (method, "paper", *key[:2]): paper[*key[:2], printed]
        for key in paper.index
        for method, printed in columns.items()
        if printed == key[2] and name != "vowels"
    }
    for key in ours.index[ours.index.get_level_values(0).isin(classifiers)]:
        classifier, setting, method = key
        cell = ours.loc[key]
        spread = f" ± {cell['std']:.1f}" if cell["n"] > 1 else ""
        cells[method, "ours", classifier, setting] = f"{cell['mean']:.1f}{spread}"
    table = pd.Series(cells).unstack([0, 1]).fillna("")
    wanted = [(m, s) for m in columns for s in ("ours", "paper") if (m, s) in table.columns]
    order = [(c, k) for c in classifiers for k in ("2", "5", "10")]
    return table.reindex(order)[wanted].rename_axis(["classifier", "K"])


# %% [markdown]
# Table 1, handwritten letters:

# %% mystnb={"figure": {"caption": "Errors in percent on handwritten letters, ours and the paper's Table 1, by classifier and number of states K (rows); mean ± standard deviation over five folds."}}
in_layout("letters")

# %% [markdown]
# Table 2, spoken digits:

# %% mystnb={"figure": {"caption": "Errors in percent on spoken digits, ours and the paper's Table 2, by classifier and number of states K (rows). One split."}}
in_layout("digits")

# %% [markdown]
# Table 4, molecules:

# %% mystnb={"figure": {"caption": "Errors in percent on molecules, ours and the paper's Table 4, by classifier and number of states K (rows). One split."}}
in_layout("molecules")

# %% [markdown]
# In the place of Table 3, our vowels, and below them what the paper has for faces:

# %% mystnb={"figure": {"caption": "Errors in percent on vowels, by classifier and number of states K (rows); mean ± standard deviation over ten folds."}}
in_layout("vowels")

# %% tags=["hide-input"] mystnb={"figure": {"caption": "Errors in percent on faces as the paper's Table 3 prints them, by classifier and number of states K (rows)."}}
faces = read_paper("fkl-table-03").pivot(
    index=["metric", "setting"], columns="method", values="printed"
)
order = [(c, k) for c in classifiers[:4] for k in ("2", "5", "10")]
faces = faces.reindex(order)[["likelihood", "Fisher", "FKL"]].fillna("")
faces.rename_axis(index=["classifier", "K"], columns="Table 3 of the paper")

# %% mystnb={"figure": {"name": "fig-fkl-errors", "caption": "Errors over the number of hidden states. Bars are standard deviations over folds."}, "image": {"alt": "A grid of panels, one row per data set and one column per classifier, with one line per representation over 2, 5 and 10 hidden states."}}
methods = ["likelihood", "Fisher", "FKL as printed", "FKL", "weights alone", "random model"]
_ = plot_classifier_errors(panels, ["softmax", "SVM", "LMNN", "1-NN"], methods)

# %% [markdown]
# ## The best of each
#
# The paper argues with the lowest error of each representation over classifiers and sizes. That
# choice is made on test objects, for all alike, and nine or twelve trials on a few hundred
# objects (two thousand of the digits) leave room for luck. Here is the same for ours, with the
# four classifiers of the paper:

# %% tags=["hide-input"] mystnb={"figure": {"caption": "Lowest error in percent of each representation (rows) on each set (columns), and the classifier and number of states that gave it."}}
lowest = {}
for name, summary in panels.items():
    printed = summary[summary["metric"].isin(classifiers[:4])]
    rows_of = printed.loc[printed.groupby("method", sort=False)["mean"].idxmin()]
    lowest[name] = {
        row.method: f"{row.mean:.1f} ({row.metric}, {row.setting})"
        for row in rows_of.itertuples(index=False)
    }
pd.DataFrame(lowest).reindex([m for m in columns if m != "weights alone"])

# %% tags=["hide-input"]
best = pd.DataFrame(
    {
        name: summary[summary["metric"].isin(classifiers[:4])].groupby("method")["mean"].min()
        for name, summary in panels.items()
    }
)
error = {
    name: s.pivot(index=["metric", "setting"], columns="method", values="mean")
    for name, s in panels.items()
}

# %% [markdown]
# ## Paired tests
#
# On letters and vowels differences can be tested fold by fold. Below are differences in points of
# percent, negative where the first is better, and their p-values; five, three or ten folds are
# few, and the test takes them for independent, which they are not, so a p-value near 0.05 says
# little.

# %% tags=["hide-input"]
pairs = [
    ("FKL as printed", "Fisher"),
    ("FKL", "Fisher"),
    ("FKL as printed", "likelihood"),
    ("FKL", "FKL as printed"),
    ("FKL as printed", "random model"),
]


# %% tags=["hide-input"] mystnb={"figure": {"caption": "Mean differences of the error in points of percent, with p of Student's paired test, by data, classifier and number of states K (rows). A minus favours the first representation."}}
def tests_of(frame, classifier):
    """Differences with their p-values, one column per pair."""
    tests = {
        f"{a} − {b}": paired_t_test(frame, a, b, metric=classifier).loc[["2", "5", "10"]]
        for a, b in pairs
    }
    return pd.DataFrame(
        {
            name: [f"{row.difference:+.1f} ({row.p:.1g})" for row in test.itertuples()]
            for name, test in tests.items()
        },
        index=["2", "5", "10"],
    )


both = {
    (name, classifier): tests_of(frames[name], classifier)
    for name in ("letters", "vowels")
    for classifier in ("softmax", "SVM", "LMNN", "1-NN")
}
pd.concat(both).rename_axis(["data", "classifier", "K"])

# %% [markdown]
# ## What does the training do?
#
# Two controls take it apart. "Weights alone" has the learned weights without the learned model;
# only the nearest neighbour can tell it from plain Fisher scores. The random model has neither:
# its scores are random features that nobody has trained, with which the alternation of the paper
# starts. Its other classifiers are in the tables above.

# %% tags=["hide-input"] mystnb={"figure": {"caption": "Errors of the nearest neighbour in percent, by representation (rows), data and number of states (columns)."}}
neighbors = {
    name: summary[summary["metric"] == "1-NN"].pivot(
        index="method", columns="setting", values="mean"
    )[["2", "5", "10"]]
    for name, summary in panels.items()
}
pd.concat(neighbors, axis=1).loc[list(columns)].map("{:.1f}".format)

# %% [markdown]
# ## Training against test
#
# The objective is the expected share of training objects whose stochastic neighbour has their
# class. The same share can be computed for test objects, with training objects as their
# neighbours. What learning gains on the former is a gain only as far as the latter follows.

# %% mystnb={"figure": {"name": "fig-fkl-shares", "caption": "Expected share of objects that a stochastic neighbour classifies, training against test objects; numbers are hidden states. On the grey line both are equal. Fisher scores are standardised, which is where the learning of weights starts."}, "image": {"alt": "Four panels of points below a diagonal. Learned representations lie far to the right of plain Fisher scores, and less far above them."}}
learned = ["weights alone", "FKL as printed", "FKL"]
shares = {}
for name, summary in panels.items():
    means = summary.set_index(["metric", "method", "setting"])["mean"]
    pair = {"training": means["objective"], "test": means["test objective"]}
    shares[name] = pd.DataFrame(pair).loc[["Fisher", *learned]]
_ = plot_shares(shares, methods)

# %% tags=["hide-input"] mystnb={"figure": {"caption": "The share that is trained, at the start and at the end, for training and for test objects, and how often an iteration falls. Means over sizes."}}
rise = {}
for name, frame in frames.items():
    means = frame.groupby(["metric", "method"], sort=False)["value"].mean()
    for method in learned:
        start, end, test = (
            means[metric, method] for metric in ("start", "objective", "test objective")
        )
        rise[name, method] = {
            "start": f"{start:.3f}",
            "training": f"{end:.3f}",
            "test": f"{test:.3f}",
        }
        if method != "weights alone":
            rise[name, method]["falls"] = f"{means['falls', method]:.0%} of iterations"
pd.DataFrame(rise).T.fillna("")

# %% [markdown]
# Softmax can be asked for its errors on the objects that trained it, too, mean over all sizes:

# %% tags=["hide-input"] mystnb={"figure": {"caption": "Errors of softmax in percent on training and on test objects, by representation (rows) and data (columns). Means over sizes."}}
gap = {}
for name, frame in frames.items():
    means = frame.groupby(["metric", "method"], sort=False)["value"].mean()
    gap[name] = {
        method: f"{means['softmax, training', method]:.1f} / {means['softmax', method]:.1f}"
        for method in columns
        if method != "weights alone"
    }
pd.DataFrame(gap).rename_axis("error of softmax, training / test")

# %% [markdown]
# ## What the states become
#
# A likely model has states that cover what is frequent. What does learning do to them? Live, on a
# part of the letters with both ways of learning:

# %% mystnb={"figure": {"name": "fig-fkl-states", "caption": "Test letters; markers show the most probable state of each frame, under the model of maximum likelihood, after learning from there, and after learning from random emissions."}, "image": {"alt": "Three rows of ten letters, drawn in markers of five states. In the first row each state covers one direction of the pen; in the third the pieces are others."}}
rng = np.random.default_rng(0)
order = rng.permutation(len(letters.y))
train, test = order[:n_live], order[n_live:]
scaler = NodeScaler().fit([letters.sequences[i] for i in train])
seen = scaler.transform([letters.sequences[i] for i in train])
picked = [next(i for i in test if letters.y[i] == label) for label in range(0, 20, 2)]
likely = PairwiseMRF(n_states, max_iter=30, random_state=0)
random = PairwiseMRF(n_states, init="random", max_iter=0, random_state=0)
with warnings.catch_warnings():
    warnings.simplefilter("ignore", ConvergenceWarning)  # cut short on purpose
    learner = FisherKernelLearner(likely, max_iter=max_iter)
    printed = FisherKernelLearner(random, optimizer="alternating", max_iter=max_iter)
    models = {
        "likely": likely.fit(seen),
        "FKL": learner.fit(seen, letters.y[train]).model_,
        "printed": printed.fit(seen, letters.y[train]).model_,
    }
unseen = [letters.sequences[i] for i in picked]
states = {}
for name, model in models.items():
    found = model.posteriors(scaler.transform(unseen)).nodes
    states[name] = [nodes.argmax(axis=1) for nodes in found]
_ = plot_letters(dict.fromkeys(models, unseen), letters.class_names[::2], states)

# %% [markdown]
# The paper expects that the scores of a likely model are many very small ones, of likely objects,
# and a few very large ones, of unlikely ones. Here are the lengths of
# the scores of training letters, and how they go with the log-likelihood per frame:

# %%
for name, model in models.items():
    lengths = np.linalg.norm(model.score_vectors(seen), axis=1)
    per_frame = model.loglikelihood(seen) / np.array([len(one) for one in seen])
    tenth, most = np.quantile(lengths, [0.1, 0.9]) / np.median(lengths)
    correlation = spearmanr(lengths, per_frame).statistic
    assert tenth > 0.5
    assert most < 2
    print(f"{name:8} eight in ten between half and twice the median")
    # What L-BFGS learns differs between processors, in the second digit of what follows.
    text = "below -0.3" if name == "FKL" else f"{correlation:+.2f}"
    assert name == "printed" or correlation < -0.3
    print(f"{'':8} rank correlation with the likelihood {text}")

# %% [markdown]
# ## Verdicts

# %% mystnb={"figure": {"caption": "Claims of the paper, their verdicts and the evidence."}}
HTML(claims_to_html(read_claims(paper="vandermaaten2011")))

# %% [markdown]
# ## What we found
#
# *On letters and molecules the paper's central result is found again.* FKL as printed has the
# lowest error of the representations in its tables. On letters that is LMNN with ten states, in
# three folds of about a hundred and forty letters; on molecules softmax, by a few percent, on one
# test set of 434. Plain Fisher scores are not poor on letters, though: their lowest error is below
# that of likelihoods.
#
# *What this changes for you:* standardised Fisher scores with softmax are a baseline that any
# learned metric has to beat.

# %% tags=["hide-input"]
assert np.all(best[["letters", "molecules"]].idxmin() == "FKL as printed")
assert best.loc["Fisher", "letters"] < best.loc["likelihood", "letters"]

# %% [markdown]
# *On digits and vowels it is not.* The lowest error of FKL as printed lies below that of
# likelihoods, by less than a point, and above that of plain Fisher scores. What the paper calls
# curious, that with two states Fisher scores do better on digits than FKL, is here as well. FKL by the
# full gradient draws level with the best Fisher scores, to a tenth of a point. With five and ten states
# it helps linear classifiers on digits, by up to three points; these do not see weights, so here it is
# the model that has become better.

# %% tags=["hide-input"]
some = best[["digits", "vowels"]]
assert (some.loc["likelihood"] - some.loc["FKL as printed"]).between(0, 1).all()
assert np.all(some.loc["FKL as printed"] > some.loc["Fisher"])
three = ["softmax", "SVM", "LMNN"]
two_states = error["digits"].loc[three].xs("2", level="setting")
assert np.all(two_states["Fisher"] < two_states["FKL as printed"])
assert np.all(np.abs(some.loc["FKL"] - some.loc["Fisher"]) < 0.1)
linear = error["digits"].loc[[("softmax", "5"), ("softmax", "10"), ("SVM", "5"), ("SVM", "10")]]
assert (linear["Fisher"] - linear["FKL"]).between(0, 3).all()

# %% [markdown]
# *What the printed method gains is largely not learned.* Scores under its random start, without
# any training, classify digits and vowels as well as what the alternation makes of them: the lowest
# errors are equal to a tenth of a point, or lower. On letters they have the next lowest, and no test finds
# a difference in the paper's classifiers. On molecules the best of them comes within two points,
# although there softmax does gain by learning, with five and ten states. So the comparison of the
# paper mixes two things: the training, and a random model in the place of a likely one. Its text does
# not report the control.

# %% tags=["hide-input"]
assert np.all(some.loc["random model"] < some.loc["FKL as printed"] + 0.1)
assert best["letters"].nsmallest(2).index.tolist() == ["FKL as printed", "random model"]
for classifier in three:
    untrained = paired_t_test(
        frames["letters"], "FKL as printed", "random model", metric=classifier
    )
    assert untrained["p"].min() > 0.05
assert best.loc["random model", "molecules"] < best.loc["FKL as printed", "molecules"] + 2
softmax = error["molecules"].loc["softmax"].loc[["5", "10"]]
assert np.all(softmax["FKL as printed"] < softmax["random model"])

# %% [markdown]
# *On digits and vowels the objective is nearly at its end before learning begins.* On both it starts
# above 0.9 on training objects, while on the digits of new speakers it stays below 0.85. Learning
# raises the first number and moves the second little, in either direction. Letters, all by one hand,
# are the opposite case: with two states learning raises both, and by as much. Weights alone raise the
# objective as high as FKL or higher on every set: no model need be trained for it. And in
# {numref}`fig-fkl-states` most frames keep their state when the likely model learns; it is the weights that
# have moved.

# %% tags=["hide-input"]
assert error["digits"].loc["start"].min(axis=None) > 0.9
assert error["vowels"].loc["start"].min(axis=None) > 0.9
unseen_share = error["digits"].loc["test objective"][["Fisher", *learned]]
moves = unseen_share[learned].sub(unseen_share["Fisher"], axis=0)
assert unseen_share.max(axis=None) < 0.85
assert moves.min(axis=None) < 0 < moves.max(axis=None) < 0.07
letters_of_two = error["letters"].xs("2", level="setting")[["FKL", "weights alone"]]
rises = letters_of_two.loc["objective"] - letters_of_two.loc["start"]
unseen_rises = (
    letters_of_two.loc["test objective"] - error["letters"]["Fisher"]["test objective", "2"]
)
assert np.all(np.abs(rises - unseen_rises) < 0.02)
for name in panels:
    reached = error[name].loc["objective"].mean()
    assert reached["weights alone"] > reached[["FKL", "FKL as printed"]].max() - 0.001
kept = np.concatenate(states["FKL"]) == np.concatenate(states["likely"])
assert kept.mean() > 0.7

# %% [markdown]
# *Nearest neighbours*, for whom all this is done, err less by FKL than by standardised Fisher
# scores in some rows and more in others. Between FKL and Fisher scores the tests on letters and
# vowels find no difference that would survive their number.

# %% tags=["hide-input"]
nearest = pd.concat(neighbors, axis=1)
for form in ("FKL", "FKL as printed"):
    gains = nearest.loc["Fisher"] - nearest.loc[form]
    assert gains.min() < 0 < gains.max()
    p = pd.concat(
        paired_t_test(frames[name], form, "Fisher", metric=classifier)["p"]
        for name, classifier in both
    )
    assert p.min() > 0.05 / len(p)

# %% [markdown]
# *Likelihoods* are not the poor representation that the paper sees on faces: with softmax or the
# SVM and five or ten states they are within one point of the best on vowels. But their lowest error is
# the highest of the paper's three representations, on all four sets.
#
# *The alternation* falls now and then on all sets, most on vowels. The best iterate is kept.
#
# *Scores of a likely model are not mostly tiny.* Nine in ten of the live letters have scores less
# than twice as long as the median. Less likely letters do have longer ones, as the paper says.

# %% tags=["hide-input"]
vowels = error["vowels"].loc[[("softmax", "5"), ("softmax", "10"), ("SVM", "5"), ("SVM", "10")]]
vowels = vowels[[m for m in columns if m != "weights alone"]]
assert np.all(vowels["likelihood"] < vowels.min(axis=1) + 1)
assert np.all(best.loc[["likelihood", "Fisher", "FKL as printed"]].idxmax() == "likelihood")
falls = pd.Series(
    {name: table.loc["falls"]["FKL as printed"].mean() for name, table in error.items()}
)
assert falls.min() > 0
assert falls.idxmax() == "vowels"

# %% [markdown]
# Three things speak for caution: our training sets are a part of the paper's, twenty iterations
# are fewer than its own, and steepest ascent is slow, so that more learning might have shown
# more. That the random start is a strong competitor depends on none of them.
#
# ## What to try next
#
# ```{exercise}
# :label: ex-fkl-start
#
# Our two ways of learning differ in start and in gradient. Which of the two matters? Take the
# live letters, five states and twelve iterations.
# ```
#
# ````{solution} ex-fkl-start
# :class: dropdown
#
# Either, and one is enough. The alternation from random emissions ends with the lowest objective
# and the most errors of nearest neighbours. With the full gradient, or from the likeliest model,
# both are about as good as with the two together.
#
# ```python
# from sklearn.neighbors import KNeighborsClassifier
#
# rest = scaler.transform([letters.sequences[i] for i in test[:600]])
# for start in (likely, random):
#     for optimizer in ("lbfgs", "alternating"):
#         learner = FisherKernelLearner(start, optimizer=optimizer, max_iter=max_iter)
#         learner.fit(seen, letters.y[train])
#         nearest = KNeighborsClassifier(1).fit(learner.transform(seen), letters.y[train])
#         score = nearest.score(learner.transform(rest), letters.y[test[:600]])
#         reached = learner.objectives_.max().round(3)
#         print(start.init, optimizer, reached, f"{100 - 100 * score:.1f} %")
# ```
# ````
#
# ```{exercise}
# :label: ex-fkl-longer
#
# Is it harmful to learn for longer? Vary `max_iter` from 3 to 50, with `tol=0`.
# ```
#
# ```{solution} ex-fkl-longer
# :class: dropdown
#
# Not on letters. From 3 to 50 iterations the objective goes from 0.95 to 0.99, and the nearest
# neighbour's error on the other letters from seven percent to five; softmax gains a little, too.
# The gap between training and test objects is there from the first iterations; it does not get
# worse with more of them.
# ```
#
# ```{exercise}
# :label: ex-fkl-bayes
#
# Show that Bayes' rule is a linear classifier of the likelihood representation. Why, then, do
# softmax and the SVM do so much better on it in the tables?
# ```
#
# ```{solution} ex-fkl-bayes
# :class: dropdown
#
# The score of class c is the coordinate c of the representation plus $\log p(y = c)$: the matrix
# of weights is the identity. A linear classifier may also subtract how well the *other* models
# explain the object, and rescale each model. Both are worth something where models are wrong.
# That of a letter with a simple path fits everything a little, that of another almost nothing:
# their log-likelihoods, sums over a hundred frames that are far from independent, then differ for
# reasons that have nothing to do with the class.
# ```
