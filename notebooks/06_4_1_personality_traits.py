# ---
# jupyter:
#   kernelspec:
#     display_name: Python 3
#     name: python3
# ---
# needs: first_impressions

# %% [markdown]
# # Personality traits
#
# *Section 6.4.1 of {cite:t}`djerrab2018`, Tables 7 and 8*
#
# Show strangers fifteen seconds of a person talking to a camera, and they will say how friendly,
# orderly or nervous that person seems. The paper's first multi-output regression task is to predict
# five such scores from a video. In Table 7 all methods do equally well; in Table 8 weak labels
# improve OFER-GMM more than anywhere else in the paper, from an error of 0.42 to 0.127.
#
# This chapter re-runs both tables and asks where such a gain could come from. A part of the answer
# is in how the training sets are chosen: by their outputs.
#
# The scores are judgements of strangers about the appearance of real people, with all their
# prejudices. They serve here to compare methods; nobody's personality is known by them.
#
# ```{admonition} Run it yourself
# `make chapter NAME=06_4_1_personality_traits PARAMS="profile=quick"`
# computes a small part of each stored table of this chapter anew, in about a minute each, and
# shows it beside the stored rows; {doc}`how_to_rerun` says more.
# ```

# %% tags=["parameters"]
profile: str = "stored"  # or "quick", "full": see the box above
level: float = 1e-3  # of the t-tests; the paper's
n_live: int = 1288  # weak labels of the live part
seed: int = 0  # split of the live part

# %%
import numpy as np
import pandas as pd
from sklearn.frozen import FrozenEstimator

from ofer import GaussianMixtureEmbedding, KernelRidgeCV, OutputFisherRegressor
from reproduction.claims import read_claims, scorecard
from reproduction.engine import results
from reproduction.statistics import compare, paired_t_test, read_paper, summarize
from reproduction.papers.ofer.personality_traits import is_far, kernels, load_clips, take_split
from ofer.metrics import rrmse
from reproduction.figures.splits import plot_error_by_method
from reproduction.papers.ofer.figures.traits import (
    plot_calibration,
    plot_errors_by_weak_labels,
    plot_scores,
)
from reproduction.datasets import dataset_info
from reproduction.datasets.texts.first_impressions import fetch_first_impressions

# %% [markdown]
# ## The data, and how they differ from the paper's

# %%
clips = load_clips()
Y = clips.Y
print(Y.shape, "words:", clips.counts.shape[1])
info = dataset_info("first_impressions")
print(f"{info.fidelity}: {info.notes}")

# %% [markdown]
# The outputs are exactly those of the paper, the development set of the challenge
# {cite:p}`poncelopez2016`. The inputs are not: the paper describes the first frame of a video by a
# convolutional network, we have the words that are spoken. Whatever depends on the outputs alone,
# such as the thresholds, the mixture or the error of a constant prediction, can be compared number
# by number; the errors of the regressions cannot.
#
# ## Training sets chosen by their outputs
#
# The paper keeps clips of which a score is "far from the mean", in $[0, t] \cup [1 - t, 1]$ with $t
# = 0.9$ for the first task and $0.75$ for the second. As printed, the intervals overlap and no clip
# is rejected ({doc}`90_errata`); we read $[0, 1 - t] \cup [t, 1]$. That leaves enough clips for the
# paper's training sets of 100 and 1000:

# %%
thresholds = [0.9, 0.75]
for threshold in thresholds:
    print(f"{threshold}: {is_far(Y, threshold).sum()} clips")

# %% [markdown]
# So we draw: 100 of the first for task 1, 900 more of the second for task 2. Of the remaining 5000
# clips, one half is the test set of both tasks and the other the pool of weak ones.

# %% mystnb={"figure": {"name": "fig-trait-scores", "caption": "Left: all scores, with the thresholds of task 1 (0.9) and task 2 (0.75). Right: the mean score of a clip in the two training sets and in their common test set (first split)."}, "image": {"alt": "A bell-shaped histogram of scores with two pairs of threshold lines, and three distributions of mean scores: two humps for task 1, two lower humps for task 2, one narrow hump for the test set."}}
parts = {task: take_split(Y, task, seed) for task in ("1", "2", "1 random")}
shown = {f"task {task}": Y[parts[task].labelled] for task in ("1", "2")}
_ = plot_scores(Y, thresholds, shown | {"test": Y[parts["1"].test]})

# %% [markdown]
# The training sets hold the extremes, and the test set what is left of the middle. Its clips score
# a little lower on average, and are spread far less:


# %%
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
# Remember the last two columns. Whoever predicts the same five numbers for every test clip, the
# means of the training scores, has the first of these errors, and with the means of the test scores
# the second, the least that a constant can have. The paper prints 0.44 and 0.42 for its four
# methods.
#
# The third row is a control of ours: as many labelled clips as in task 1, drawn at random from all.
#
# ## Table 7: labelled clips alone
#
# | method | what it is | how it chooses |
# |---|---|---|
# | mean | the mean of the training scores | |
# | m-KRR | ridge regression, Gaussian kernel of TF-IDF vectors, no intercept, as printed | ridge by 5-fold cross-validation |
# | m-KRR centred | the same with an intercept | ridge by exact leave-one-out |
# | IOKR | linear kernels in and out, no intercept, as printed | ridge by 5-fold cross-validation |
# | m-RF | random forest on the TF-IDF vectors, 100 trees | words per split by out-of-bag error |
# | OFER-GMM as printed | score scaling, closed form (10) as it is, one ridge, no intercept | ridge and number of components by 5-fold cross-validation |
# | OFER-GMM | this package's defaults | ridges by leave-one-out, components by the leave-one-out error of decoded outputs |
#
# The width of the Gaussian kernel is the median distance of the labelled clips. Whatever is chosen
# or learned, the weights of the words included, comes from the training part.

# %%
table = results("ofer-table-07", profile=profile)
frame = table.frame
print(table.describe())
paper = read_paper("ofer-table-07").replace({"method": {"OFER-GMM": "OFER-GMM as printed"}})
compare(frame, paper, metric="rrmse").T

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


# %%
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
# In both tasks every method predicts worse than the constant: the words do harm. In the control
# they neither help nor harm, but for IOKR. A hundred transcripts say next to nothing about the
# scores, and the choice of extreme clips turns next to nothing into an error. IOKR is worst
# throughout, because the linear kernel of two transcripts is near zero and there is no intercept
# ({ref}`ex-traits-kernel`).

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
# The paper's errors are about twice that of the constant, which does not depend on the inputs: with
# pictures, too, predicting the mean would have been better, if the error is measured as here. If it
# were measured relative to the constant, 0.44 would mean that four fifths of the variance are
# explained; the winner of the challenge did not come near that, as we shall see. The paper takes it
# that all methods agree because the task is easy. They would also agree if none of them had learned
# anything. Between OFER-GMM and kernel ridge regression we find no significant difference either.
#
# ## What the selection does to a regression
#
# A regression is calibrated if the clips that it gives a score of 0.6 have a mean score of 0.6.
# That is lost when the training clips are chosen by their scores: among extremes a word goes with a
# much larger difference in score than among all clips. We fit three models to task 1, with the two
# components that the paper speaks of, and take the same split's control beside it.

# %%
models = {}
for task in ("1", "1 random"):
    part = parts[task]
    n, weak = len(part.labelled), part.weak[:n_live]
    seen = np.concatenate([part.labelled, weak])
    K, K_test = kernels(clips.counts, seen, part.test, n_labelled=n)
    ridge, Y_train = KernelRidgeCV(kernel="precomputed"), Y[part.labelled]
    mixture = GaussianMixtureEmbedding(2, random_state=seed).fit(Y_train)
    plain = OutputFisherRegressor(mixture, ridge).fit(K[:n, :n], Y_train)
    model = OutputFisherRegressor(mixture, ridge).fit(
        K[:n, :n], Y_train, X_weak=K[n:], membership_weak=mixture.predict_proba(Y[weak])
    )
    models[task] = {
        "m-KRR centred": ridge.fit(K[:n, :n], Y_train).predict(K_test[:, :n]),
        "OFER-GMM": plain.predict(K_test[:, :n]),
        f"wOFER+{n_live}": model.predict(K_test),
    }

# %%
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
# The labelled clips alone teach predictions that are spread too far: where m-KRR predicts a
# difference of 0.1 between two clips, about a quarter of it is there. With weak labels, all of them
# of ordinary clips, the spread of the predictions is smaller and the slope nearer to one. In the
# control the slopes are nearer to one from the start, and the errors hardly differ.

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
# Here the weak labels come from the *rest*, the clips that no threshold has chosen. They say to
# which component of the mixture, which was fitted to the extremes, a clip of the middle belongs.
# Whatever they are good for otherwise, they show the regression clips like those of the test.
#
# | method | what it is |
# |---|---|
# | mean, m-KRR centred, OFER-GMM | as in Table 7, labelled clips alone |
# | wOFER+644, +1288, +2500 | the same OFER-GMM with so many weak labels |
# | m-KRR imputed+2500 | m-KRR centred; the output of a weak clip is the mean of its components |
# | m-KRR known+2500 | m-KRR centred; the true scores of the weak clips are known: what no weak label can do |
#
# The last two are not in the paper. The number of components has the least leave-one-out error on
# the labelled clips.

# %%
table = results("ofer-table-08", profile=profile)
weak_frame = table.frame
extra = weak_frame["method"].str.contains("as printed|shuffled")
controls, weak_frame = weak_frame[extra], weak_frame[~extra]
print(table.describe())
compare(weak_frame, read_paper("ofer-table-08"), metric="rrmse").T

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

# %%
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
# The sign of the claim holds: in both tasks weak labels lower the error of OFER-GMM, significantly.
# Its size does not. They take off less than a tenth, where the paper has a third and two thirds.
# What 2500 weak labels achieve in task 2 is that OFER-GMM gets down to the constant, which knows no
# words and no labels; in task 1 they do not achieve that. In the control, where nothing was chosen,
# they gain less still, but end a little below the constant.
#
# As with {doc}`drug activities <06_4_2_weak_labels>` from 20 molecules on, plain ridge regression
# with imputed outputs has a lower error than wOFER, here by too little to be significant. And even
# the regression that knows the scores of all weak clips is not far below the constant: that is what
# these inputs are worth.

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
assert np.all(1 - weak_means.loc["m-KRR known+2500"] / weak_means.loc["mean"] < 0.06)

# %% [markdown]
# ## Is it the labels?
#
# If weak labels help because they show the regression what the middle looks like, it should not
# matter which clip gets which label. So we shuffle them: 644 weak clips, two components, and the
# same labels, dealt out at random. The words are weighed by the same clips in all cases.


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
    model = OutputFisherRegressor(FrozenEstimator(mixture), KernelRidgeCV(kernel="precomputed"))
    for name, labels in {"none": None, "true": true, "shuffled": shuffled}.items():
        told = {} if labels is None else {"X_weak": K[n:], "membership_weak": labels}
        model.fit(K[:n, :n], Y_train, **told)
        predicted = model.predict(K_test if told else K_test[:, :n])
        yield name, task, split, "rrmse", rrmse(Y[part.test], predicted)


# %%
tasks = ("1", "2", "1 random")
rows = [row for task in tasks for split in range(10) for row in errors_with(task, split, 644)]
shuffle_frame = pd.DataFrame(rows, columns=["method", "setting", "split", "metric", "value"])
compare(shuffle_frame, metric="rrmse", digits=4).T

# %%
labels_of = shuffle_frame.groupby(["setting", "method"])["value"].mean().unstack()
assert np.all(labels_of["shuffled"][["1", "2"]] <= labels_of["true"][["1", "2"]])
assert 0 < labels_of["shuffled"]["1 random"] - labels_of["true"]["1 random"] < 0.002
show_tests(shuffle_frame, [("true", "none"), ("shuffled", "none"), ("true", "shuffled")])

# %% [markdown]
# In the tasks with chosen clips, shuffled labels lower the error no less than true ones. What helps
# there is not what a label says about its clip. It is how often each label occurs among ordinary
# clips, and that words do not go with labels so strictly there: the weak clips pull the predicted
# memberships together, and the slope towards one. Only in the control the true labels do better
# than the shuffled ones, by a thousandth, which is not significant at this level.
#
# The same with all 2500 weak clips, and in the form that the paper prints: equation (14) with score scaling, no
# intercept, one ridge for both blocks and the closed form (10) as it is; number of components, ridge
# and weight of a weak clip ($2 \ell \lambda_2$) are chosen together in five folds of the labelled clips. Verdicts are
# about it. In our form a weak clip weighs as much as a labelled one.

# %%
printed_form = read_paper("ofer-table-08")
printed_form = printed_form.assign(method=printed_form["method"] + " as printed")
compare(controls, printed_form, metric="rrmse").T

# %%
show_tests(
    table.frame,
    [
        ("wOFER+2500 as printed", "OFER-GMM as printed"),
        ("wOFER+2500 as printed, shuffled", "OFER-GMM as printed"),
        ("wOFER+2500 as printed", "wOFER+2500 as printed, shuffled"),
        ("wOFER+2500 shuffled", "OFER-GMM"),
    ],
)

# %% [markdown]
# As printed, 2500 weak labels change nothing that ten splits could tell: in both tasks the
# difference from none is below one percent. True labels do not do better than shuffled ones there.
# In our form the 2500 true labels lower the error in both tasks by more than shuffled ones, which
# the selection makes harmless, by taking one component.

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

# %% [markdown]
# ## Can the printed errors be?
#
# Three comparisons depend on the outputs alone, which are the paper's. First, what the components
# can tell: if the membership of every *test* clip in the two components were known, and its
# prediction were the mean of its component,

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
# Perfect knowledge of two components does not give 0.29 in task 1 or 0.127 in task 2. In task 1 it
# is far worse than a constant, because the components sit at the extremes and the test clips in the
# middle.
#
# Second, the spread over splits. The paper prints $10^{-4}$ in task 2. Which clips are in the test
# set moves the error by more, even that of the best constant:

# %%
tests = [Y[take_split(Y, "2", split).test] for split in range(10)]
errors = [rrmse(test, np.tile(test.mean(axis=0), (len(test), 1))) for test in tests]
print(f"best constant: RRMSE {np.mean(errors):.4f} ± {np.std(errors, ddof=1):.4f}")
assert np.std(errors, ddof=1) > 10 * 1e-4

# %% [markdown]
# Such a spread is possible if the test set is the same in all repetitions. But then it is in Table
# 7, too, where the spread is 0.04.
#
# Third, the challenge itself, in which all 6000 clips were there to learn from, pictures and sound.
# {cite:t}`gurpinar2016`, with deep features of faces and surroundings, report an accuracy of 0.9094
# on its 2000 test clips, and 0.0036 more for the winner. Accuracy is one minus the mean absolute
# error here. Beside the error of a constant:

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
# Measures and test sets differ, so the two ratios can be compared roughly only. Still, one frame of
# a clip, 1000 labelled clips and 2500 weak ones are said to take away more of the error than the
# winner of the challenge did with everything. We cannot explain the printed 0.127, nor the printed
# 0.44.
#
# ## Verdicts

# %%
verdicts = scorecard(read_claims(table=["ofer-table-07", "ofer-table-08"]))
for claim in verdicts.itertuples():
    print(f"{claim.statement}\n    {claim.verdict}: {claim.evidence}")
assert "reproduced" not in set(verdicts.loc[~verdicts["ours"], "verdict"])
assert verdicts.loc["ofer-08-weak-labels-help-ours", "verdict"] == "reproduced"

# %% [markdown]
# None of the paper's own claims is reproduced. The one that is reproduced concerns our form, and
# only the sign of a difference. The first claim fails mostly because of IOKR, which has no
# intercept.
#
# ## What we found
#
# * The training sets of both tasks are chosen by their outputs, the test set is the rest.
#   Regressions learned from the extremes predict too boldly for the middle, and no method of Table
#   7 beats the mean of the training scores.
# * The printed errors of Table 7 are about twice that of this constant. This holds whatever the
#   inputs, and remains unexplained.
# * As printed, weak labels do not lower the error by anything that ten splits could tell. In our
#   form they do. They come from the unchosen rest, and with two components they do it by undoing
#   the choice: shuffled ones do it as well. In a fair draw their gain is small.
# * The printed 0.127 is less than half of what perfect knowledge of the test clips' two components
#   gives, with a spread far below that of the constant. We cannot reproduce it, nor see how it
#   could be.
# * Our inputs are words, not pictures, and carry little. With better inputs weak labels may be
#   worth more; the effect of the choice will still be there, and should be taken out first.
#
# ## Try next
#
# ```{exercise}
# :label: ex-traits-recalibrate
#
# Let the true scores of 100 clips of the weak pool be known. Use them for nothing but a line:
# regress them on the predictions of m-KRR centred, pooled over traits, and pass the test
# predictions through it, with the mean of the 100 clips as the new centre. Does that beat 2500 weak
# labels?
# ```
#
# ```{solution} ex-traits-recalibrate
# :class: dropdown
#
# Yes. The slope comes out far below one, in some splits near zero, and the error falls to about
# that of the best constant, below wOFER with any number of weak labels. A correct centre and scale
# are worth more here than all the memberships.
# ```
#
# ```{exercise}
# :label: ex-traits-kernel
#
# IOKR has the largest error of Table 7, m-KRR does much better, and both lack an intercept. Compare
# the medians of the off-diagonal values of their two kernel matrices.
# ```
#
# ```{solution} ex-traits-kernel
# :class: dropdown
#
# The linear kernel of two transcripts is about 0.05 in the median, the Gaussian one 0.61: with the
# median rule it is $e^{-1/2}$. So the Gaussian kernel is a constant and something smaller. The
# constant is an intercept that is hardly penalised; the linear kernel has none, and its predictions
# shrink to zero.
# ```
