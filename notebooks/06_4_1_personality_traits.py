# ---
# jupyter:
#   kernelspec:
#     display_name: Python 3
#     name: python3
#   ofer:
#     data: [first_impressions]
#     tables: [ofer-table-07, ofer-table-08]
# ---

# %% [markdown]
# # Personality traits
#
# *Section 6.4.1 of {cite:t}`djerrab2018`, Tables 7 and 8*
#
# Strangers who see fifteen seconds of a person talking to a camera say how friendly, orderly or
# nervous that person seems. The paper predicts five such scores from the video. In its Table 7 all
# methods do equally well; in Table 8 weak labels take OFER-GMM from an error of 0.42 to 0.127.
# Where could such a gain come from? In part from training sets that are chosen by their outputs.
#
# The scores are strangers' judgements, prejudices included: they tell nobody's personality.
#
# ```{admonition} Run it yourself
# `make chapter NAME=06_4_1_personality_traits PARAMS="profile=quick"`
# computes a part of each stored table anew, in about a minute each ({doc}`how_to_rerun`).
# ```

# %% tags=["parameters"]
profile: str = "stored"  # or "quick", "full": see the box above
level: float = 1e-3  # of the t-tests; the paper's
n_live: int = 1288  # weak labels of the live part
seed: int = 0  # split of the live part

# %%
import numpy as np
import pandas as pd
from IPython.display import HTML
from sklearn.feature_extraction.text import TfidfTransformer
from sklearn.frozen import FrozenEstimator

from ofer import GaussianMixtureEmbedding, KernelRidgeCV, OutputFisherRegressor
from reproduction.claims import cards_to_html, read_claims, scorecard
from reproduction.engine import results
from reproduction.statistics import paired_t_test, read_paper, summarize
from reproduction.papers.ofer.personality_traits import is_far, kernels, load_clips, take_split
from ofer.metrics import rrmse
from reproduction.figures.errors_by_split import plot_error_by_method
from reproduction.papers.ofer.figures.traits import (
    plot_calibration,
    plot_errors_by_weak_labels,
    plot_scores,
)
from reproduction.datasets import dataset_info
from reproduction.datasets.texts.first_impressions import fetch_first_impressions
from reproduction.figures.tables import show_results

# %% [markdown]
# ## The data, and how they differ from the paper's

# %%
clips = load_clips()
Y = clips.Y
print(Y.shape, "words:", clips.counts.shape[1])
info = dataset_info("first_impressions")
print(f"{info.fidelity}: {info.notes}")

# %% [markdown]
# The outputs are the paper's: the development set of the challenge {cite:p}`poncelopez2016`. The
# inputs are not: the paper has the first frame, described by a convolutional network, we have the
# spoken words. So only what depends on the outputs alone (thresholds, mixture, the error of a
# constant) can be compared number by number.
#
# ## Training sets chosen by their outputs
#
# The paper keeps clips with a score "far from the mean", in $[0, t] \cup [1 - t, 1]$ with $t = 0.9$
# for task 1 and $0.75$ for task 2. As printed, that rejects no clip ({doc}`90_errata`); we read
# $[0, 1 - t] \cup [t, 1]$, which leaves enough for the training sets of 100 and 1000:

# %%
thresholds = [0.9, 0.75]
for threshold in thresholds:
    print(f"{threshold}: {is_far(Y, threshold).sum()} clips")

# %% [markdown]
# We draw 100 of the first for task 1 and 900 more of the second for task 2. Half of the remaining
# 5000 clips are the test set of both tasks, the others the pool of weak ones.

# %% mystnb={"figure": {"name": "fig-trait-scores", "caption": "Left: all scores, with the thresholds of task 1 (0.9) and task 2 (0.75). Right: the mean score of a clip in the two training sets and in their common test set (first split)."}, "image": {"alt": "A bell-shaped histogram of scores with two pairs of threshold lines, and three distributions of mean scores: two humps for task 1, two lower humps for task 2, one narrow hump for the test set."}}
parts = {task: take_split(Y, task, seed) for task in ("1", "2", "1 random")}
shown = {f"task {task}": Y[parts[task].labelled] for task in ("1", "2")}
_ = plot_scores(Y, thresholds, shown | {"test": Y[parts["1"].test]})

# %% [markdown]
# The training sets hold the extremes, the test set what is left of the middle. Its clips score a
# little lower on average and are spread far less:


# %% mystnb={"figure": {"caption": "Scores of the labelled and of the test clips of each task (rows): mean, standard deviation, and RRMSE of two constants. One split."}}
def describe(name):
    labelled, test = Y[parts[name].labelled], Y[parts[name].test]
    constant = np.tile(labelled.mean(axis=0), (len(test), 1))
    return {
        "labelled, mean": labelled.mean(),
        "labelled, spread": labelled.std(axis=0).mean(),
        "test, mean": test.mean(),
        "test, spread": test.std(axis=0).mean(),
        "error of labelled mean": rrmse(test, constant),
        "error of test mean": rrmse(test, np.tile(test.mean(axis=0), (len(test), 1))),
    }


pd.DataFrame({f"task {name}": describe(name) for name in parts}).T.round(3)

# %% [markdown]
# The last two columns are the errors of constants; the second of these is the best that a constant
# can do. The paper prints errors from 0.42 to 0.44 for its four methods. The third row is our
# control: as many labelled clips as in task 1, drawn at random from all.
#
# ## Table 7: labelled clips alone
#
# :::{table} Methods with labelled clips alone.
# | method | what it is | how it chooses |
# |---|---|---|
# | mean | the mean of the training scores | |
# | m-KRR | ridge regression, Gaussian kernel of TF-IDF vectors, no intercept, as printed | ridge by 5-fold cross-validation |
# | m-KRR centred | the same with an intercept | ridge by exact leave-one-out |
# | IOKR | linear kernels in and out, no intercept, as printed | ridge by 5-fold cross-validation |
# | m-RF | random forest on the TF-IDF vectors, 100 trees | words per split by out-of-bag error |
# | OFER-GMM as printed | score scaling, closed form P(10) as it is, one ridge, no intercept | ridge and number of components by 5-fold cross-validation |
# | OFER-GMM | our defaults | ridges by leave-one-out, components by the leave-one-out error of decoded outputs |
# :::
#
# The kernel's width is the median distance of the labelled clips. Weights of words are learned
# from all clips that a method sees, in Table 8 from weak ones, too.
#
# ````{admonition} Your bet
# A hundred labelled transcripts of extreme clips: which has the least error in task 1, (a) ridge
# regression, (b) the random forest, (c) OFER-GMM, or (d) the mean of the training scores?
#
# ```{dropdown} Show the answer
# (d), the mean. Every regression does worse than this constant, in task 2 as well.
# ```
# ````

# %% mystnb={"figure": {"caption": "RRMSE of labelled clips alone, ours and the paper's Table 7, by task (columns); mean ± standard deviation over ten splits."}}
table = results("ofer-table-07", profile=profile)
frame = table.frame
print(table.describe())
paper = read_paper("ofer-table-07").replace({"method": {"OFER-GMM": "OFER-GMM as printed"}})
show_results(table, paper, metric="rrmse")

# %% tags=["hide-input"]
bet = summarize(frame).query("metric == 'rrmse' and setting in ['1', '2']")
bet = bet.pivot(index="method", columns="setting", values="mean")
assert (bet.idxmin() == "mean").all()

# %% mystnb={"figure": {"name": "fig-traits-by-method", "caption": "Task 1: error of each method on ten splits (dots) and its mean (bar). The dashed line is the mean error of the constant prediction; to the right of it the words do harm."}, "image": {"alt": "Dots of seven methods; those of all regressions lie to the right of a dashed line, IOKR farthest."}}
first = frame[frame["setting"] == "1"]
constant = first.query("metric == 'rrmse' and method == 'mean'")["value"].mean()
_ = plot_error_by_method(first, metric="rrmse", label="RRMSE", reference=constant)

# %%
columns = {
    "difference": "{:+.4f}".format,
    "p": "{:.1g}".format,
    "significant": {True: "yes", False: "no"}.get,
}


def show_tests(frame, pairs):
    """Paired t-tests over the splits, as text."""
    tests = {
        f"{a} − {b}": paired_t_test(frame, a, b, metric="rrmse", level=level)[list(columns)]
        for a, b in pairs
    }
    shown = pd.concat(tests, names=["methods", "task"])
    return shown.apply(lambda column: column.map(columns[column.name]))


# %% mystnb={"figure": {"caption": "Differences of RRMSE over ten splits, by task, with p of Student's paired test."}}
show_tests(
    frame,
    [
        ("m-KRR centred", "mean"),
        ("m-RF", "mean"),
        ("OFER-GMM as printed", "m-KRR"),
        ("OFER-GMM", "m-KRR centred"),
    ],
)

# %% [markdown]
# In both tasks every method predicts worse than the constant. In the control the words neither help
# nor harm, except with IOKR: transcripts say next to nothing about the scores, and the choice of
# extreme clips turns that into an error. IOKR is worst throughout: its linear kernel is near zero
# for most pairs of clips and there is no intercept ({ref}`ex-traits-kernel`).

# %% tags=["hide-input"]
means = summarize(frame).query("metric == 'rrmse'")
means = means.pivot(index="method", columns="setting", values="mean")
regressions = means.drop(index="mean")
assert np.all(regressions[["1", "2"]] > means.loc["mean", ["1", "2"]])
control = regressions["1 random"].drop("IOKR") - means.loc["mean", "1 random"]
assert control.abs().max() < 0.003
assert np.all(means.idxmax() == "IOKR")
ratio = paper["mean"] / paper["setting"].map(means.loc["mean"])
assert ratio.between(1.8, 2.2).all()
for a, b in [("OFER-GMM as printed", "m-KRR"), ("OFER-GMM", "m-KRR centred")]:
    assert not paired_t_test(frame, a, b, metric="rrmse", level=level)["significant"].any()

# %% [markdown]
# The paper's errors are about twice that of the constant: if measured as here, the mean beats
# pictures, too. (Relative to the constant, 0.44 would explain four fifths of the variance, more
# than the winner of the challenge did.) All methods agree because the task is easy, says the paper;
# they would also agree if none had learned anything. Between OFER-GMM and kernel ridge regression
# we find no significant difference either.
#
# ## What the selection does to a regression
#
# A regression is calibrated if the clips to which it gives 0.6 have a mean score of 0.6. Extremes
# break that: among them a word goes with a larger difference in score than among all clips. We look
# at three models of task 1, with the paper's two components, and at the same three of its control:

# %%
models = {}
for task in ("1", "1 random"):
    part = parts[task]
    n, weak = len(part.labelled), part.weak[:n_live]
    seen = np.concatenate([part.labelled, weak])
    K, K_test = kernels(clips.counts, seen, part.test, n_labelled=n)
    ridge, Y_train = KernelRidgeCV(kernel="precomputed"), Y[part.labelled]
    mixture = GaussianMixtureEmbedding(2, random_state=seed).fit(Y_train)
    plain = OutputFisherRegressor(mixture, ridge, block_wise=True).fit(K[:n, :n], Y_train)
    model = OutputFisherRegressor(mixture, ridge, block_wise=True).fit(
        K[:n, :n],
        Y_train,
        X_weak=K[n:],
        membership_weak=mixture.predict_proba(Y[weak]),
        weak_weight=1.0,
    )
    models[task] = {
        "m-KRR centred": ridge.fit(K[:n, :n], Y_train).predict(K_test[:, :n]),
        "OFER-GMM": plain.predict(K_test[:, :n]),
        f"wOFER+{n_live}": model.predict(K_test),
    }

# %% mystnb={"figure": {"caption": "Three models of task 1, and of its control: RRMSE, standard deviation of the predictions, and slope of the truth over them, which is 1 if they are calibrated. One split."}}
rows = {}
for task, predicted in models.items():
    truth = Y[parts[task].test]
    for name, values in predicted.items():
        slope = np.polyfit(values.ravel(), truth.ravel(), 1)[0]
        rows[task, name] = [rrmse(truth, values), values.std(axis=0).mean(), slope]
calibration = pd.DataFrame(rows, index=["RRMSE", "spread of predictions", "slope"]).T
calibration.round(3)

# %% mystnb={"figure": {"name": "fig-traits-calibration", "caption": "Task 1, first split: mean true score over the predicted one, in ten equal groups of predictions. On the thin line a prediction means what it says."}, "image": {"alt": "Three rising lines, all flatter than the diagonal; that with weak labels is the shortest and the steepest."}}
_ = plot_calibration(Y[parts["1"].test], models["1"])

# %% [markdown]
# From the labelled clips alone predictions are spread too far: of a difference that m-KRR centred
# predicts, about a quarter is real. Weak labels, all of ordinary clips, bring the slope nearer to
# one. In the control slopes are nearer to one anyway.

# %% tags=["hide-input"]
chosen, drawn = calibration.loc["1"], calibration.loc["1 random"]
assert 0.15 < chosen["slope"]["m-KRR centred"] < 0.35
weak_name = f"wOFER+{n_live}"
assert chosen["slope"].idxmax() == chosen["spread of predictions"].idxmin() == weak_name
assert chosen["slope"].max() < drawn["slope"].min()
assert np.ptp(drawn["RRMSE"]) < 0.005

# %% [markdown]
# ## Table 8: weak labels
#
# The weak labels come from the clips that no threshold has chosen: they say to which component of
# the mixture, fitted to the extremes, a clip of the middle belongs. At least they show the
# regression clips like those of the test.
#
# :::{table} Methods with weak labels.
# | method | what it is |
# |---|---|
# | mean, m-KRR centred, OFER-GMM | as in Table 7, labelled clips alone |
# | wOFER+644, +1288, +2500 | the same OFER-GMM with so many weak labels |
# | m-KRR imputed+2500 | m-KRR centred; a weak clip's output is the mean of its components |
# | m-KRR known+2500 | m-KRR centred; the true scores of the weak clips are known |
# :::
#
# The last two are ours. The number of components has the least leave-one-out error on labelled
# clips.

# %% mystnb={"figure": {"caption": "RRMSE with weak labels, ours and the paper's Table 8, by task (columns); mean ± standard deviation over ten splits."}}
table = results("ofer-table-08", profile=profile)
weak_frame = table.frame
extra = weak_frame["method"].str.contains("as printed|shuffled")
controls, weak_frame = weak_frame[extra], weak_frame[~extra]
print(table.describe())
show_results(table._replace(frame=weak_frame), read_paper("ofer-table-08"), metric="rrmse")

# %% tags=["hide-input"]
summary = summarize(weak_frame).query("metric == 'rrmse'").set_index(["setting", "method"])
paper = read_paper("ofer-table-08").set_index(["setting", "method"])
sizes = {"OFER-GMM": 0, "wOFER+644": 644, "wOFER+1288": 1288, "wOFER+2500": 2500}


def over_sizes(source, setting, constant=None):
    rows = [source.loc[(setting, constant or method)] for method in sizes]
    return pd.DataFrame(rows, index=list(sizes.values()))[["mean", "std"]].astype(float)


panels = {}
for setting, title in [("1", "task 1"), ("2", "task 2"), ("1 random", "task 1, control")]:
    panels[title] = {
        "OFER-GMM": over_sizes(summary, setting),
        "mean": over_sizes(summary, setting, "mean"),
        "known+2500": over_sizes(summary, setting, "m-KRR known+2500"),
    }
    if setting in paper.index:
        panels[title]["the paper's"] = over_sizes(paper, setting)

# %% mystnb={"figure": {"name": "fig-traits-weak", "caption": "Error over the number of weak labels, mean and standard deviation over ten splits, beside the constant prediction and the regression that knows all scores. The paper's curves start above anything here and end, in task 2, below."}, "image": {"alt": "Three panels. Our curves fall slightly; the paper's fall steeply from 0.44 and 0.42, to 0.29 in task 1 and 0.127 in task 2."}}
_ = plot_errors_by_weak_labels(panels, ylabel="RRMSE")

# %% mystnb={"figure": {"caption": "Differences of RRMSE with weak labels over ten splits, by task, with p of Student's paired test."}}
show_tests(
    weak_frame,
    [
        ("wOFER+2500", "OFER-GMM"),
        ("wOFER+2500", "wOFER+1288"),
        ("wOFER+2500", "mean"),
        ("wOFER+2500", "m-KRR imputed+2500"),
        ("m-KRR known+2500", "mean"),
    ],
)

# %% [markdown]
# The sign of the claim holds: in both tasks weak labels lower the error of OFER-GMM significantly.
# Its size does not: they take off less than a tenth, in the paper a third and two thirds. With 2500
# of them OFER-GMM reaches the constant in task 2, but not in task 1. In the control they gain less,
# but end a little below the constant.
#
# As with {doc}`drug activities <06_4_2_weak_labels>` from 20 molecules on, ridge regression with
# imputed outputs has a lower error than wOFER, here not significantly. Even with the scores of all
# weak clips known, it is not far below the constant: the inputs are worth no more.

# %% tags=["hide-input"]
weak_means = summary["mean"].unstack("setting")
gain = 1 - weak_means.loc["wOFER+2500"] / weak_means.loc["OFER-GMM"]
assert gain[["1", "2"]].between(0, 0.1).all()
assert 0 < gain["1 random"] < gain[["1", "2"]].min()
above = weak_means.loc["wOFER+2500"] - weak_means.loc["mean"]
assert above["1"] > 0.01 > abs(above["2"])
assert above["1 random"] < 0
tested = {"level": level, "metric": "rrmse"}
assert paired_t_test(weak_frame, "wOFER+2500", "OFER-GMM", **tested)["significant"].all()
imputed = paired_t_test(weak_frame, "wOFER+2500", "m-KRR imputed+2500", **tested)
assert imputed["difference"].min() > 0
assert not imputed["significant"].any()
beats = paired_t_test(weak_frame, "m-KRR imputed+2500", "mean", **tested).loc["2"]
assert beats["significant"]
assert -0.02 < beats["difference"] / weak_means.loc["mean", "2"] < 0
assert np.all(1 - weak_means.loc["m-KRR known+2500"] / weak_means.loc["mean"] < 0.06)

# %% [markdown]
# ## Is it the labels?
#
# Do weak labels only show what the middle looks like? Then it should not matter which clip gets
# which. So we deal them out at random: 400 weak clips, two components, the same weights of words,
# five of the ten splits.


# %%
def errors_with(task, split, n_weak):
    """Error without weak labels, with them, and with shuffled ones."""
    part = take_split(Y, task, split)
    Y_train, weak = Y[part.labelled], part.weak[:n_weak]
    n, seen = len(Y_train), np.concatenate([part.labelled, weak])
    K, K_test = kernels(clips.counts, seen, part.test, n_labelled=n)
    mixture = GaussianMixtureEmbedding(2, random_state=split).fit(Y_train)
    true = mixture.predict_proba(Y[weak])
    shuffled = np.random.default_rng(split).permutation(true)
    model = OutputFisherRegressor(
        FrozenEstimator(mixture), KernelRidgeCV(kernel="precomputed"), block_wise=True
    )
    for name, labels in {"none": None, "true": true, "shuffled": shuffled}.items():
        told = {"X_weak": K[n:], "membership_weak": labels, "weak_weight": 1.0}
        told = {} if labels is None else told
        model.fit(K[:n, :n], Y_train, **told)
        predicted = model.predict(K_test if told else K_test[:, :n])
        yield name, task, split, "rrmse", rrmse(Y[part.test], predicted)


# %% mystnb={"figure": {"caption": "RRMSE without weak labels, with true and with shuffled ones, by task (columns); mean ± standard deviation over five splits."}}
tasks = ("1", "2", "1 random")
rows = [row for task in tasks for split in range(5) for row in errors_with(task, split, 400)]
shuffle_frame = pd.DataFrame(rows, columns=["method", "setting", "split", "metric", "value"])
show_results(shuffle_frame, metric="rrmse", digits=4)

# %% mystnb={"figure": {"caption": "Their differences over five splits, with p of Student's paired test."}}
labels_of = shuffle_frame.groupby(["setting", "method"])["value"].mean().unstack()
assert np.all(labels_of["shuffled"][["1", "2"]] <= labels_of["true"][["1", "2"]])
assert 0 < labels_of["shuffled"]["1 random"] - labels_of["true"]["1 random"] < 0.001
comparisons = [("true", "none"), ("shuffled", "none"), ("true", "shuffled")]
show_tests(shuffle_frame, comparisons)

# %% tags=["hide-input"]
passed = {}
for pair in comparisons:
    test = paired_t_test(shuffle_frame, *pair, metric="rrmse", level=level)
    passed[pair] = list(test.index[test["significant"]])
assert list(passed.values()) == [[], ["2"], []]

# %% [markdown]
# In the tasks with chosen clips, shuffled labels lower the mean error no less than true ones, but
# only shuffled ones in task 2 pass the test. What can help is how often each label occurs among
# ordinary clips, where words go with labels less strictly: memberships are pulled together. Only in
# the control do true labels beat shuffled ones, by less than a thousandth, not significantly.
#
# The next table has all 2500 weak clips in the printed form, which the verdicts are about: P(14)
# with score scaling, no intercept, one ridge and the closed form P(10); components, ridge and
# weight of a weak clip ($2 \ell \lambda_2$) are chosen together in five folds of the labelled
# clips. In our form a weak clip weighs as much as a labelled one.

# %% mystnb={"figure": {"caption": "RRMSE of the printed form and of controls with shuffled labels, beside the paper's Table 8, by task (columns); mean ± standard deviation over ten splits."}}
printed_form = read_paper("ofer-table-08")
printed_form = printed_form.assign(method=printed_form["method"] + " as printed")
show_results(table._replace(frame=controls), printed_form, metric="rrmse")

# %% mystnb={"figure": {"caption": "Differences of RRMSE of the printed form and of the controls over ten splits, with p of Student's paired test."}}
show_tests(
    table.frame,
    [
        ("wOFER+2500 as printed", "OFER-GMM as printed"),
        ("wOFER+2500 as printed, shuffled", "OFER-GMM as printed"),
        ("wOFER+2500 as printed", "wOFER+2500 as printed, shuffled"),
        ("wOFER+2500 shuffled", "OFER-GMM"),
        ("wOFER+2500", "wOFER+2500 shuffled"),
        ("wOFER+2500 shuffled", "m-KRR centred"),
    ],
)

# %% [markdown]
# As printed, 2500 weak labels change the error by less than one percent in both tasks, which ten
# splits cannot tell from nothing, and true ones do no better than shuffled ones. In our form true
# ones are better, significantly in task 2 and in the control. There a single component is chosen
# for shuffled ones in both tasks, with which no label says anything and OFER-GMM is m-KRR centred.
# Yet in task 1 about two fifths of what wOFER+2500 gains remain: weights of words are learned from
# the weak clips too, and nothing else is left. In task 2 and in the control no such gain is left.

# %% tags=["hide-input"]
tested = {"metric": "rrmse", "level": level}
rows_of_all, two_tasks = table.frame, ["1", "2"]
level_of = rows_of_all.query("metric == 'rrmse'").groupby(["method", "setting"])["value"].mean()
gain = paired_t_test(rows_of_all, "wOFER+2500 as printed", "OFER-GMM as printed", **tested)
assert not gain.loc[two_tasks, "significant"].any()
assert (gain["difference"] / level_of["OFER-GMM as printed"])[two_tasks].abs().max() < 0.01
name = "wOFER+2500 as printed, shuffled"
assert np.all(level_of["wOFER+2500 as printed"][two_tasks] > level_of[name][two_tasks])
assert np.all(level_of["wOFER+2500"][two_tasks] < level_of["wOFER+2500 shuffled"][two_tasks])
sizes_taken = rows_of_all.query("metric == 'n_components' and method == 'wOFER+2500 shuffled'")
assert (sizes_taken.query("setting in @two_tasks")["value"] == 1).all()

# %% tags=["hide-input"]
true_or_not = paired_t_test(rows_of_all, "wOFER+2500", "wOFER+2500 shuffled", **tested)
assert true_or_not["difference"].max() < 0
assert set(true_or_not.index[true_or_not["significant"]]) == {"2", "1 random"}
words_alone = paired_t_test(rows_of_all, "wOFER+2500 shuffled", "m-KRR centred", **tested)
everything = paired_t_test(rows_of_all, "wOFER+2500", "m-KRR centred", **tested)
assert words_alone.loc["1", "significant"]
change = words_alone["difference"]
assert 0.35 < change["1"] / everything.loc["1", "difference"] < 0.45
assert change[["2", "1 random"]].abs().max() < 0.001

# %% [markdown]
# ## Can the printed errors be?
#
# Three comparisons need the outputs alone. First, the error if the component of every *test* clip
# were known, and its prediction were that component's mean:

# %%
for task in ("1", "2"):
    errors = []
    for split in range(10):
        part = take_split(Y, task, split)
        mixture = GaussianMixtureEmbedding(2, random_state=split).fit(Y[part.labelled])
        known = mixture.predict_proba(Y[part.test]) @ mixture.means_
        errors.append(rrmse(Y[part.test], known))
    print(f"task {task}: RRMSE {np.mean(errors):.3f} ± {np.std(errors, ddof=1):.3f}")
    assert np.mean(errors) > {"1": 1.5 * weak_means["1"]["mean"], "2": 2 * 0.127}[task]

# %% [markdown]
# That gives neither 0.29 in task 1 nor 0.127 in task 2. In task 1 it is far worse than a constant:
# the components sit at the extremes, the test clips in the middle.
#
# Second, the spread over splits, printed as $10^{-4}$ in task 2. The choice of test clips moves
# even the error of the best constant by more:

# %%
tests = [Y[take_split(Y, "2", split).test] for split in range(10)]
errors = [rrmse(test, np.tile(test.mean(axis=0), (len(test), 1))) for test in tests]
print(f"best constant: RRMSE {np.mean(errors):.4f} ± {np.std(errors, ddof=1):.4f}")
assert np.std(errors, ddof=1) > 10 * 1e-4

# %% [markdown]
# So small a spread needs one test set for all repetitions. Then Table 7 should have had it too, but
# there the spread is 0.04.
#
# Third, the challenge, whose participants learned from all 6000 clips, pictures and sound.
# {cite:t}`gurpinar2016` report an accuracy (one minus the mean absolute error) of 0.9094 on its
# 2000 test clips, and 0.0036 more for the winner:

# %%
challenge = fetch_first_impressions()
truth = challenge.Y[challenge.split == "test"]
constant_error = np.abs(truth - Y.mean(axis=0)).mean()
winner_error = 1 - (0.9094 + 0.0036)
print(f"winner / constant, absolute errors: {winner_error / constant_error:.2f}")
printed = paper.loc[("2", "wOFER+2500"), "mean"]
print(f"printed in Table 8 / constant, RRMSE: {printed / summary.loc[('2', 'mean'), 'mean']:.2f}")
assert printed / summary.loc[("2", "mean"), "mean"] < winner_error / constant_error

# %% [markdown]
# Measures and test sets differ, so the comparison is rough. Still, one frame of 1000 labelled and
# 2500 weak clips is said to remove more of the error than the winner did with everything. We can
# explain neither the printed 0.127 nor the printed 0.44.
#
# ## Verdicts

# %%
claims = read_claims(table=["ofer-table-07", "ofer-table-08"])
HTML(cards_to_html(claims))

# %%
card = scorecard(claims)
assert "holds" not in set(card.loc[~card["ours"], "outcome"])
assert card.loc["ofer-08-weak-labels-help-ours", "outcome"] == "holds"
assert set(card["on"]) == {"other data"}
three = means.loc[["m-KRR", "m-RF", "OFER-GMM as printed"], ["1", "2"]]
apart = three.max() / three.min() - 1
assert round(100 * apart["1"]) == 15
assert round(100 * apart["2"]) == 6

# %% [markdown]
# On these data only the claim about our own form holds, as the sign of a difference. The paper's
# first claim fails mostly by IOKR, whose linear kernel has no intercept; the other three still lie
# 15 % apart in task 1 and 6 % in task 2.
#
# ## What this changes for you
#
# * Do not choose training samples by their outputs: regressions learned from extremes predict too
#   boldly for the middle, and from the labelled clips alone no method here beats the mean of the
#   training scores. With 2500 weak labels in task 2 a ridge on imputed outputs does, by less than
#   two percent.
# * Shuffle your weak labels once, and learn all else from the same clips. In the tasks 400 true
#   labels, with two components, do no better than shuffled ones. With 2500 and a chosen number of
#   components they do, significantly in task 2 and in the control.
# * The printed 0.127 is less than half of what known components give; we cannot reproduce it.
# * Our inputs are words, which carry little. With better ones weak labels may be worth more, but
#   the effect of the choice will still be there.

# %% [markdown]
# ## Exercises
#
# ```{exercise} Quick
# :label: ex-traits-kernel
#
# IOKR has the largest error of Table 7, m-KRR does much better, and both lack an intercept. What
# are the medians of the off-diagonal values of their two kernel matrices, and why does that matter?
# ```
#
# ```{solution} ex-traits-kernel
# :class: dropdown
#
# The Gaussian kernel's is $e^{-1/2} = 0.61$ by the median rule, the linear kernel's is below 0.1.
# So the Gaussian kernel is a constant and something smaller. The constant is an intercept that is
# hardly penalised; the linear kernel has none, and its predictions shrink to zero.
# ```
#
# ```{exercise} Quick
# :label: ex-traits-shuffled
#
# With 400 shuffled labels the mean error in task 1 falls as much as with true ones. Does it in the
# control as well?
# ```
#
# ```{solution} ex-traits-shuffled
# :class: dropdown
#
# Not as much as with true ones: labelled and test clips are alike there, so there is no choice to
# undo. (The difference is less than a thousandth, and not significant.)
# ```

# %% tags=["hide-input"]
labelled = parts["1"].labelled
n, pairs = len(labelled), np.triu_indices(len(labelled), 1)
gaussian, _ = kernels(clips.counts, labelled, parts["1"].test, n_labelled=n)
words = TfidfTransformer(sublinear_tf=True).fit_transform(clips.counts[labelled])
assert round(float(np.median(gaussian[pairs])), 2) == 0.61
assert np.median((words @ words.T).toarray()[pairs]) < 0.1
assert labels_of.loc["1", "shuffled"] <= labels_of.loc["1", "true"]
assert labels_of.loc["1 random", "shuffled"] > labels_of.loc["1 random", "true"]

# %% [markdown]
# ```{exercise} Code
# :label: ex-traits-recalibrate
#
# Let the true scores of 100 clips of the weak pool be known. Use them for nothing but a line:
# regress them on the predictions of m-KRR centred, pooled over traits, and pass the test
# predictions through it, with the mean of the 100 clips as the new centre. Does that beat all the
# weak labels of the live part?
# ```
#
# ```{solution-start} ex-traits-recalibrate
# :class: dropdown
# ```

# %%
known = parts["1"].weak[:100]
rest = np.concatenate([known, parts["1"].test])
K, K_rest = kernels(clips.counts, labelled, rest, n_labelled=n)
predicted = KernelRidgeCV(kernel="precomputed").fit(K, Y[labelled]).predict(K_rest)
centre = predicted[:100].mean(axis=0)
deviations = (predicted[:100] - centre).ravel(), (Y[known] - Y[known].mean(axis=0)).ravel()
slope = np.polyfit(*deviations, 1)[0]
line = Y[known].mean(axis=0) + slope * (predicted[100:] - centre)
print(f"slope {slope:.2f}, RRMSE {rrmse(Y[parts['1'].test], line):.3f}")
assert slope < 0.5
assert rrmse(Y[parts["1"].test], line) < calibration.loc[("1", weak_name), "RRMSE"]

# %% [markdown]
# It does. The slope is far below one, and the error falls to about that of the best constant: here
# a correct centre and scale are worth more than all the memberships.
#
# ```{solution-end}
# ```
#
# ```{exercise} Open
# :label: ex-traits-middle
#
# Turn the selection round: train on clips of the middle and test on the rest. Which slope do you
# expect, and would weak labels mend it?
# ```
#
# ```{solution} ex-traits-middle
# :class: dropdown
#
# Start from `is_far` and the cell that fits the three models. A sample of the middle has too small
# differences of score, so predictions should be too timid: a slope above one is the thing to look
# for.
# ```
