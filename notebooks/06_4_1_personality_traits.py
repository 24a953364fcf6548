# ---
# jupyter:
#   kernelspec: {display_name: Python 3, language: python, name: python3}
#   ofer:
#     data: [first_impressions]
#     tables: [ofer-table-07, ofer-readings-traits, ofer-table-08, ofer-weak-traits]
# ---

# %% [markdown]
# # Personality traits
#
# *Section 6.4.1 of {cite:t}`djerrab2018`, Tables 7 and 8*
#
# **The question.** Strangers watch fifteen seconds of a person who talks to a camera. They say how
# friendly, orderly or nervous the person seems. The paper predicts five such scores, in two tasks.
# It says that *weak labels* take a third off the error in one task, and two thirds in the other. Do
# they?
#
# **The idea.** The paper trains on clips with extreme scores. Output Fisher embedding regression
# (OFER) fits a mixture of Gaussians to these scores. A weak label names the component of an ordinary
# clip.
#
# **The answer.** We have the same clips, but only their spoken words. Weak labels take less than a
# tenth off the error of our form of OFER. In the paper's form we can show no gain. Without weak
# labels every method is worse than the mean of the training scores, because the training clips are
# extremes. We cannot explain the printed errors: even known components would not give them.

# %% tags=["parameters"]
profile: str = "stored"  # or "quick", "full": see the protocol below
level: float = 1e-3  # of the t-tests; the paper's
n_live: int = 1288  # weak labels of the live part
seed: int = 0  # split of the live part

# %%
import numpy as np
import pandas as pd
from IPython.display import HTML
from sklearn.feature_extraction.text import TfidfTransformer

from ofer import GaussianMixtureEmbedding, KernelRidgeCV, Memberships, OutputFisherRegressor
from ofer.metrics import rrmse
from reproduction.claims import claims_to_html, decide, effects_in_readings, read_claims, scorecard
from reproduction.datasets import dataset_info
from reproduction.datasets.texts.first_impressions import fetch_first_impressions
from reproduction.engine import results
from reproduction.figures.errors_by_split import plot_error_by_method
from reproduction.figures.names import method_name
from reproduction.figures.specification import plot_specifications
from reproduction.figures.tables import show_results
from reproduction.statistics import mean_table, read_paper, summarize
from reproduction.studies.personality_traits.clips import is_far, kernels, load_clips, take_split
from reproduction.studies.personality_traits.figures import (
    plot_calibration,
    plot_errors_by_weak_labels,
    plot_scores,
)

# %% [markdown]
# ## Training on extremes is worse than a constant
#
# The scores are strangers' judgements, prejudices included. They tell nobody's personality.
#
# The paper trains on clips with at least one score far from the mean. Task 1 has 100 clips with a
# score below 0.1 or above 0.9. Task 2 has 900 more with a score below 0.25 or above 0.75. Half of
# the other 5000 clips are the test set of both tasks, and the rest supply weak labels. So the
# training sets hold the extremes, and the test set what is left of the middle
# ({numref}`fig-trait-scores`). As a *control* we also draw 100 training clips at random.

# %%
clips = load_clips()
Y = clips.Y
thresholds = [0.9, 0.75]
parts = {task: take_split(Y, task, seed) for task in ("1", "2", "1 random")}
assert [len(part.labelled) for part in parts.values()] == [100, 1000, 100]
assert len(Y) - 1000 == 5000 == 2 * len(parts["1"].test)
assert np.array_equal(parts["1"].test, parts["2"].test)

# %% mystnb={"figure": {"name": "fig-trait-scores", "caption": "Left: all scores, with the thresholds of task 1 (0.1 and 0.9) and task 2 (0.25 and 0.75). Right: the mean score of a clip in the two training sets and in their test set (first split)."}, "image": {"alt": "A bell-shaped histogram of scores with two pairs of threshold lines, and three distributions of mean scores: two humps for task 1, two lower humps for task 2, one narrow hump for the test set."}}
shown = {f"task {task}": Y[parts[task].labelled] for task in ("1", "2")}
_ = plot_scores(Y, thresholds, shown | {"test": Y[parts["1"].test]})

# %% [markdown]
# In both tasks every regression is worse than the mean of the training scores
# ({numref}`fig-traits-by-method`). In the control the words neither help nor harm, except where a
# linear kernel has no intercept, as in IOKR here ({numref}`tab-traits-labelled`). So words say next to
# nothing about the scores, and the harm in the tasks comes from the choice of extreme clips.
#
# With a Gaussian kernel the paper's form of OFER does not differ significantly from ridge regression,
# with an intercept or without, nor does our form from ridge regression with one. In task 2, with the
# Gaussian kernel of median width, the intercept costs a little: with it, ridge regression and our form
# are significantly worse than ridge regression without it, by less than one percent. With a linear
# kernel the intercept takes 23 percent off the error.

# %%
two_tasks = ["1", "2"]
table = results("ofer-table-07", profile=profile)
errors = table.contrast("rrmse", level=level)
means = errors.means.T
regressions = means.index.drop("mean")
assert errors.ahead("mean", of=regressions, at=two_tasks)
close = regressions.drop("IOKR")
assert errors.ahead(close, of="mean", by=(-0.003, 0.003), at="1 random")
assert errors.apart("OFER-GMM as printed", ["m-KRR", "m-KRR centred"], only=[])
assert errors.apart("OFER-GMM", "m-KRR centred", only=[])
for method in ("m-KRR centred", "OFER-GMM"):
    assert errors.apart(method, "m-KRR", only="2")
    assert errors.ahead("m-KRR", of=method, by=(0, 0.01 * means.loc["m-KRR", "2"]), at="2")

# %%
readings = results("ofer-readings-traits", profile=profile)
of_readings = readings.contrast("rrmse", level=level)
in_readings = of_readings.means.T
plain_linear = [f"{method}, linear, no intercept" for method in ("IOKR", "m-KRR")]
harm = in_readings["1 random"] / in_readings.loc["training mean", "1 random"] - 1
assert harm[plain_linear].round(2).eq(0.31).all()
assert harm.drop(plain_linear).abs().max() < 0.01
for kernel in ("Gaussian of median width", "Gaussian, width by folds"):
    for intercept in ("no intercept", "intercept"):
        pair = (f"{method}, {kernel}, {intercept}" for method in ("OFER-GMM as printed", "m-KRR"))
        assert of_readings.apart(*pair, only=[])
linear_pair = [f"m-KRR, linear, {intercept}" for intercept in ("intercept", "no intercept")]
assert of_readings.apart(*linear_pair, at="2")
with_intercept, without = in_readings.loc[linear_pair, "2"]
assert round(100 * (with_intercept / without - 1)) == -23

# %% mystnb={"figure": {"name": "fig-traits-by-method", "caption": "Task 1: the error (relative root mean squared error, RRMSE) of each method on ten splits (dots), and its mean (bar). m-KRR is kernel ridge regression without an intercept, centred with one; m-RF is a random forest; IOKR is another kernel method. The dashed line is the error of the training mean: to its right the words do harm."}, "image": {"alt": "Dots of seven methods; those of all regressions lie to the right of a dashed line, IOKR farthest."}}
first, constant = table.frame.query("setting == '1'"), means.loc["mean", "1"]
_ = plot_error_by_method(first, metric="rrmse", label="RRMSE", reference=constant)

# %% [markdown]
# Among extremes a word goes with a larger difference in score than among
# all clips. So predictions for the middle are too bold: of a difference that ridge regression
# predicts, about a quarter is real ({numref}`tab-traits-slopes`).

# %%
models = {}
for task in ("1", "1 random"):
    data = parts[task]
    n, weak = len(data.labelled), data.weak[:n_live]
    seen = np.concatenate([data.labelled, weak])
    K, K_test = kernels(clips.counts, seen, data.test, n_labelled=n)
    ridge, Y_train = KernelRidgeCV(kernel="precomputed"), Y[data.labelled]
    mixture = GaussianMixtureEmbedding(2, random_state=seed).fit(Y_train)
    plain = OutputFisherRegressor(mixture, ridge, block_wise=True).fit(K[:n, :n], Y_train)
    model = OutputFisherRegressor(mixture, ridge, block_wise=True).fit(
        K[:n, :n],
        Y_train,
        weak=Memberships(K[n:], mixture.predict_proba(Y[weak]), weight=1.0),
    )
    models[task] = {
        "m-KRR centred": ridge.fit(K[:n, :n], Y_train).predict(K_test[:, :n]),
        "OFER-GMM": plain.predict(K_test[:, :n]),
        f"wOFER+{n_live}": model.predict(K_test),
    }
rows = {}
for task, predicted in models.items():
    truth = Y[parts[task].test]
    for name, values in predicted.items():
        slope = np.polyfit(values.ravel(), truth.ravel(), 1)[0]
        rows[task, name] = [rrmse(truth, values), values.std(axis=0).mean(), slope]
calibration = pd.DataFrame(rows, index=["RRMSE", "spread of predictions", "slope"]).T
assert 0.15 < calibration.loc[("1", "m-KRR centred"), "slope"] < 0.35

# %% [markdown]
# ## In every reading of Table 7
#
# The paper names its kernels: a Gaussian one for ridge regression and OFER, and for IOKR "the linear
# kernel which show the best choice". It leaves two things open. *The width* of the Gaussian kernel:
# we take the median distance, and five folds could choose it. *The intercept*: the equation of
# ridge regression has none, and no sentence says whether scores were centred. We also swap the
# kernels. All methods choose on the same grids and folds; leave-one-out chooses the ridge parameters of
# our form alone.
#
# **A linear kernel without an intercept decides.** With these two choices IOKR is 29 to 35 percent
# behind ridge regression with the Gaussian kernel, in both tasks ({numref}`fig-traits-readings`). So
# of all choices for IOKR the printed one, the linear kernel, is the worst here, not the best. Ridge
# regression with the same two choices makes the same predictions. The paper's form of OFER is
# significantly ahead of it in task 2, as {doc}`on drug activities <06_4_2_drug_activity>`. In
# all other readings neither IOKR nor the paper's form differs significantly from ridge regression.
#
# *OFER-GMM (ours)* is significantly ahead of ridge regression in the same reading with these two
# choices alone, by 22 to 25 percent in the two tasks. In the readings folds choose the ridge parameter
# of ridge regression, and leave-one-out those of our form. So tuned, our form is significantly behind in
# task 2 with an intercept and the median width, by less than one percent. Above, leave-one-out chooses
# for both, and they do not differ significantly.

# %% mystnb={"figure": {"name": "fig-traits-readings", "caption": "Task 2: error of IOKR and of the paper's form of OFER, as a difference from ridge regression in the same reading; below zero they are better. Readings are sorted by the difference, with the choices of each beneath: rows with *IOKR:* are the kernel that IOKR has in the reading, rows without it that of ridge regression and OFER. Intervals have the level of the paper's test, 99.9 percent; filled where zero is outside."}, "image": {"alt": "Sixteen dots. One, of OFER, lies near minus 22 percent, and two, of IOKR, near plus 35. The others lie between zero and four percent, and their intervals contain zero."}}
compared = ("ofer-table-07", ["IOKR", "OFER-GMM as printed"], "m-KRR")
effects, choices = effects_in_readings(*compared, setting="2", metric="rrmse", level=level)
of_iokr = {"kernel of IOKR": "IOKR: " + choices["kernel of IOKR"]}
_ = plot_specifications(effects, choices.map(method_name).assign(**of_iokr), label="difference, %")

# %%
ours = ("ofer-table-07", ["OFER-GMM"], "m-KRR")
in_both = {"setting": two_tasks, "metric": "rrmse", "level": level}
effects, choices = effects_in_readings(*compared, **in_both)
iokr, plain = choices["method"] == "IOKR", choices["intercept"] == "no intercept"
linear, linear_iokr = (choices[name] == "linear" for name in ("kernel", "kernel of IOKR"))
behind = iokr & plain & linear_iokr & ~linear
ahead = ~iokr & plain & linear & (effects["setting"] == "2")
assert effects.loc[behind, "value"].round().between(29, 35).all()
assert (effects.loc[iokr & linear, "value"].abs() < 0.01).all()
assert ((effects["p"] < level) == (behind | ahead)).all()
assert round(effects.loc[ahead, "value"].item()) == -22
effects, choices = effects_in_readings(*ours, **in_both)
plain, median = choices["intercept"] == "no intercept", "Gaussian of median width"
ahead = plain & (choices["kernel"] == "linear")
behind = ~plain & (choices["kernel"] == median) & (effects["setting"] == "2")
assert effects.loc[ahead, "value"].round().between(-25, -22).all()
assert effects.loc[behind, "value"].between(0, 1).all()
assert ((effects["p"] < level) == (ahead | behind)).all()

# %% [markdown]
# **The width matters little.** Where folds choose it, the error of ridge regression moves by at most
# 3.2 percent, up or down. In task 2 folds take the narrowest width of the grid, half the median, in
# at least eight of ten splits; we did not try narrower ones. In both tasks every reading of every
# regression is worse than the training mean. In one split of task 1 the paper's form with the linear
# kernel and an intercept fails altogether.

# %%
in_readings = in_readings[two_tasks]
for intercept in ("no intercept", "intercept"):
    median = in_readings.loc[f"m-KRR, Gaussian of median width, {intercept}"]
    moved = in_readings.loc[f"m-KRR, Gaussian, width by folds, {intercept}"] / median - 1
    assert moved.abs().max() < 0.032
widths = readings.contrast("width").by_split.loc["2"].filter(like="by folds")
assert (widths == 0.5).sum().min() >= 8
assert of_readings.ahead("training mean", of=in_readings.index.drop("training mean"), at=two_tasks)
failing = (of_readings.by_split > 1).sum()
assert failing[failing > 0].to_dict() == {"OFER-GMM as printed, linear, intercept": 1}

# %% [markdown]
# The errors of all methods in all readings are in
# <a href="results/ofer-readings-traits.csv" download>ofer-readings-traits.csv</a>. Five folds of the training
# part choose hyper-parameters.

# %% [markdown]
# ## What weak labels change
#
# {numref}`tab-traits-weak` has weak labels from up to 2500 ordinary clips. *OFER-GMM (ours)* is our
# form, which has an intercept, and *wOFER+n (ours)* is the same with *n* weak labels. The last
# two rows are ridge regression with an intercept, which learns from the 2500 clips as well. *m-KRR
# imputed+2500* takes the mean of a clip's component for its scores. *m-KRR known+2500* is given the
# true scores.

# %% mystnb={"figure": {"name": "tab-traits-weak", "caption": "Test errors (RRMSE) with weak labels, by task (columns; *1 random* is the control), mean ± standard deviation over ten splits; the printed numbers stand beneath the paper's form. Weak labels lower our errors a little and the paper's a lot."}}
weak_table = results("ofer-table-08", profile=profile)
with_labels = weak_table.contrast("rrmse", level=level)
printed_form = read_paper("ofer-table-08")
printed_form = printed_form.assign(method=printed_form["method"] + " as printed")
is_control = weak_table.frame["method"].str.contains("shuffled")
show_results(weak_table._replace(frame=weak_table.frame[~is_control]), printed_form, metric="rrmse")

# %% [markdown]
# The sign of the paper's claim holds for our form: 2500 weak labels lower its error significantly
# in both tasks. The size does not. They take off less than a tenth. In the paper they take off a
# third in task 1, and more than two thirds in task 2 ({numref}`fig-traits-weak`). With them our
# form reaches the training mean in task 2, but not in task 1. In the paper's form the error
# changes by less than one percent, and no test tells that from nothing
# ({numref}`tab-traits-printed-form`).

# %%
weak_means = with_labels.means
paper = read_paper("ofer-table-08")
printed_means = mean_table(paper, "rrmse")
gain, printed_gain = (
    1 - errors["wOFER+2500"] / errors["OFER-GMM"] for errors in (weak_means, printed_means)
)
assert gain[two_tasks].between(0, 0.1).all()
assert 0.33 < printed_gain["1"] < 0.35
assert 0.67 < printed_gain["2"] < 0.7
above = weak_means["wOFER+2500"] - weak_means["mean"]
assert above["1"] > 0.01 > abs(above["2"])
assert with_labels.apart("wOFER+2500 as printed", "OFER-GMM as printed", at=two_tasks, only=[])
moved = weak_means["wOFER+2500 as printed"] / weak_means["OFER-GMM as printed"] - 1
assert moved[two_tasks].abs().max() < 0.01

# %%
sizes = {"OFER-GMM": 0, "wOFER+644": 644, "wOFER+1288": 1288, "wOFER+2500": 2500}
summary = summarize(weak_table.frame).query("metric == 'rrmse'").set_index(["setting", "method"])
paper = paper.set_index(["setting", "method"])


def over_sizes(source, setting, constant=None):
    """Mean and standard deviation over the number of weak labels."""
    rows = [source.loc[(setting, constant or method)] for method in sizes]
    return pd.DataFrame(rows, index=list(sizes.values()))[["mean", "std"]].astype(float)


panels = {}
for setting, title in [("1", "task 1"), ("2", "task 2"), ("1 random", "task 1, control")]:
    panels[title] = {
        "OFER-GMM": over_sizes(summary, setting),
        "mean": over_sizes(summary, setting, "mean"),
        "m-KRR known+2500": over_sizes(summary, setting, "m-KRR known+2500"),
    }
    if setting in paper.index:
        panels[title]["the paper's"] = over_sizes(paper, setting)

# %% mystnb={"figure": {"name": "fig-traits-weak", "caption": "Error of OFER over the number of weak labels, mean and standard deviation over ten splits, beside the training mean and ridge regression that knows all scores. The paper's curves start above all of ours and, in task 2, end below."}, "image": {"alt": "Three panels. Our curves fall slightly; the paper's fall steeply from 0.44 and 0.42, to 0.29 in task 1 and 0.127 in task 2."}}
_ = plot_errors_by_weak_labels(panels, ylabel="RRMSE")

# %% [markdown]
# **A simpler use does as well.** Ridge regression on imputed scores has a lower mean error than
# wOFER (ours), though not significantly. Even with the true scores of all 2500 clips, its error is
# less than six percent below that of the training mean.

# %%
assert with_labels.ahead("m-KRR imputed+2500", of="wOFER+2500")
assert with_labels.apart("m-KRR imputed+2500", "wOFER+2500", only=[])
with_scores = 1 - weak_means["m-KRR known+2500"] / weak_means["mean"]
assert with_scores.between(0, 0.06, inclusive="neither").all()

# %% [markdown]
# **Is it what the labels say?** In part. In our form 2500 true labels are better than the same
# labels dealt out at random, significantly in task 2. With 400 labels and two components, random
# labels have the lower mean error in both tasks ({numref}`tab-traits-shuffled`). The same holds
# for 2500 labels in the paper's form ({numref}`tab-traits-printed-form`).

# %%
assert with_labels.ahead("wOFER+2500", of="wOFER+2500 shuffled")
assert with_labels.apart("wOFER+2500", "wOFER+2500 shuffled", only=["2", "1 random"])
name = "wOFER+2500 as printed, shuffled"
assert with_labels.ahead(name, of="wOFER+2500 as printed", at=two_tasks)

# %% [markdown]
# ## Can the printed errors be?
#
# We can explain neither the printed 0.127 nor the printed 0.44.
#
# - If the component of every test clip were *known*, and its mean predicted, the error would be more
#   than twice 0.127 in task 2. In task 1 the error would be far above that of a constant: the
#   components sit at the extremes, the test clips in the middle.
# - The paper prints a spread over splits of $10^{-4}$ in task 2. The error of the best constant has
#   more than ten times that spread, by the choice of test clips alone.
# - An error of 0.127 would be a greater gain over the training mean than that of the winner of the
#   challenge, who had pictures, sound and all 6000 clips ({cite:t}`gurpinar2016`). Measures and test
#   sets differ, so this comparison is rough.
# - Without weak labels the printed errors, 0.42 to 0.44, are about twice that of the training mean.
#   If the paper measures as we do, this constant beats all its methods, which see pictures.

# %%
with_known = {}
for task in two_tasks:
    missed = []
    for split in range(10):
        data = take_split(Y, task, split)
        mixture = GaussianMixtureEmbedding(2, random_state=split).fit(Y[data.labelled])
        known = mixture.predict_proba(Y[data.test]) @ mixture.means_
        missed.append(rrmse(Y[data.test], known))
    with_known[task] = np.mean(missed), np.std(missed, ddof=1)
assert with_known["1"][0] > 1.5 * weak_means.loc["1", "mean"]
assert with_known["1"][0] > 1.4 * paper.loc[("1", "wOFER+2500"), "mean"]
assert with_known["2"][0] > 2 * 0.127
tests = [Y[take_split(Y, "2", split).test] for split in range(10)]
best_constant = [rrmse(test, np.tile(test.mean(axis=0), (len(test), 1))) for test in tests]
assert np.std(best_constant, ddof=1) > 10 * 1e-4
challenge = fetch_first_impressions()
truth = challenge.Y[challenge.split == "test"]
constant_error = np.abs(truth - Y.mean(axis=0)).mean()
winner_error = 1 - (0.9094 + 0.0036)
printed_best = paper.loc[("2", "wOFER+2500"), "mean"] / summary.loc[("2", "mean"), "mean"]
assert printed_best < winner_error / constant_error
paper_7 = read_paper("ofer-table-07")
ratio = paper_7["mean"] / paper_7["setting"].map(means.loc["mean"])
assert ratio.between(1.8, 2.2).all()
assert (paper_7["mean"].min(), paper_7["mean"].max()) == (0.42, 0.44)

# %% [markdown]
# ## What this changes for you
#
# * Do not choose training samples by their outputs. Regressions that learn from extremes predict too
#   boldly for the middle.
# * Compare with the mean of the training outputs. From labelled clips alone no method here beats it.
#   Ridge regression on 2500 imputed scores does, in task 2 and by less than two percent.
# * Shuffle your weak labels once, and change nothing else. The gain that stays does not come from
#   what they say.
# * Do not take our sizes for yours. Our inputs are words, which carry little. With better inputs weak
#   labels may be worth more.

# %%
assert with_labels.better("m-KRR imputed+2500", than="mean", at="2")
assert 0.98 < weak_means.loc["2", "m-KRR imputed+2500"] / weak_means.loc["2", "mean"] < 1

# %% [markdown]
# ## The data, and how they differ from the paper's
#
# The outputs are the paper's: the development set of the challenge {cite:p}`poncelopez2016`. The
# inputs are not. The paper has the first frame, described by a convolutional network; we have the
# spoken words. So only what depends on the outputs alone (thresholds, mixture, error of a constant)
# can be compared number by number.

# %%
info = dataset_info("first_impressions")
print(f"{Y.shape[0]} clips, {Y.shape[1]} scores, {clips.counts.shape[1]} words")
print(f"{info.fidelity}: {info.notes}")

# %% [markdown]
# The paper prints the condition on a score as $[0, t] \cup [1 - t, 1]$, with $t = 0.9$ for task 1 and
# $0.75$ for task 2. That rejects no clip ({doc}`90_errata`). We read $[0, 1 - t] \cup [t, 1]$, which
# leaves enough for the training sets:

# %%
for threshold in thresholds:
    print(f"threshold {threshold}: {is_far(Y, threshold).sum()} clips")
assert ((Y <= 0.75) | (Y >= 0.25)).any(axis=1).all()


# %% mystnb={"figure": {"caption": "Scores of the labelled and of the test clips of each task (rows): mean, standard deviation, and RRMSE of two constants. The second constant is the best that there is. Test clips score a little lower and are spread far less. One split."}}
def describe(name):
    """Mean and spread of scores of one task, and the errors of constants."""
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
# ## Table 7: labelled clips alone
#
# :::{table} Methods with labelled clips alone.
# | method | what it is | how it chooses |
# |---|---|---|
# | mean | the mean of the training scores | |
# | m-KRR | ridge regression, Gaussian kernel of TF-IDF vectors, no intercept, as in the paper | ridge parameter by 5-fold cross-validation |
# | m-KRR centred | the same with an intercept | ridge parameter by exact leave-one-out |
# | IOKR | linear kernels in and out, no intercept, as in the paper | ridge parameter by 5-fold cross-validation |
# | m-RF | random forest on the TF-IDF vectors, 100 trees | words per split by out-of-bag error |
# | OFER-GMM (paper) | score scaling, closed form P(10) without projection, one ridge parameter, no intercept | ridge parameter and number of components by 5-fold cross-validation |
# | OFER-GMM (ours) | our defaults | ridge parameters by leave-one-out, components by the leave-one-out error of decoded outputs |
# :::
#
# The kernel's width is the median distance of the labelled clips. Weights of words are learned from
# all clips that a method sees, in Table 8 from weak ones, too.

# %% mystnb={"figure": {"name": "tab-traits-labelled", "caption": "RRMSE of labelled clips alone, ours and the paper's Table 7, by task (columns)."}}
print(table.describe())
paper_7 = read_paper("ofer-table-07").replace({"method": {"OFER-GMM": "OFER-GMM as printed"}})
show_results(table, paper_7, metric="rrmse")


# %%
def listed(contrast, pairs):
    """Paired t-tests over the splits, as text."""
    return contrast.listed(pairs).rename_axis(["methods", "task"])


# %% mystnb={"figure": {"caption": "Differences of RRMSE over ten splits, by task, with p of Student's paired test."}}
listed(
    errors,
    [
        ("m-KRR centred", "mean"),
        ("m-RF", "mean"),
        ("OFER-GMM as printed", "m-KRR"),
        ("OFER-GMM", "m-KRR centred"),
    ],
)

# %% [markdown]
# IOKR has the largest error throughout. Its linear kernel is near zero for most pairs of clips, and
# there is no intercept ({ref}`ex-traits-kernel`). With either choice changed no test tells it
# from ridge regression ({numref}`fig-traits-readings`). With the kernel of median width the other three
# methods of the paper's table lie 15 % apart in task 1 and 6 % in task 2. All methods agree because the
# task is easy, says the paper. They would also agree if none had learned anything.

# %%
assert np.all(means.idxmax() == "IOKR")
three = means.loc[["m-KRR", "m-RF", "OFER-GMM as printed"], two_tasks]
assert (100 * (three.max() / three.min() - 1)).round().tolist() == [15, 6]
for intercept in ("no intercept", "intercept"):
    kernel = f"Gaussian of median width, {intercept}"
    two = in_readings.loc[[f"{method}, {kernel}" for method in ("m-KRR", "OFER-GMM as printed")]]
    three = pd.concat([two, means.loc[["m-RF"], two_tasks]])
    assert (100 * (three.max() / three.min() - 1)).round().tolist() == [15, 6]

# %% [markdown]
# ## What the selection does to a regression
#
# A regression is calibrated if the clips to which it gives 0.6 have a mean score of 0.6. Here are
# three models of task 1, with the paper's two components, and the same three of its control.

# %% mystnb={"figure": {"name": "tab-traits-slopes", "caption": "Three models of task 1, and of its control: RRMSE, standard deviation of the predictions, and slope of the truth over them, which is 1 if they are calibrated. One split."}}
calibration.round(3)

# %% mystnb={"figure": {"name": "fig-traits-calibration", "caption": "Task 1, first split: mean true score over the predicted one, in ten equal groups of predictions. On the thin line a prediction means what it says. All three models are flatter; with weak labels the slope is nearest to the line's."}, "image": {"alt": "Three rising lines, all flatter than the diagonal; that with weak labels is the shortest and the steepest."}}
_ = plot_calibration(Y[parts["1"].test], models["1"])

# %% [markdown]
# Labelled clips alone spread the predictions too far. Weak labels, all of ordinary clips, bring the
# slope nearer to one. In the control the slopes are nearer to one anyway.

# %%
chosen, drawn = calibration.loc["1"], calibration.loc["1 random"]
weak_name = f"wOFER+{n_live}"
assert chosen["slope"].idxmax() == chosen["spread of predictions"].idxmin() == weak_name
assert chosen["slope"].max() < drawn["slope"].min() < 1
assert np.ptp(drawn["RRMSE"]) < 0.005

# %% [markdown]
# ## Table 8: all tests
#
# The weak labels come from clips that no threshold has chosen. They say to which component of the
# mixture, fitted to the extremes, a clip of the middle belongs. The number of components has the
# least leave-one-out error on labelled clips.

# %% mystnb={"figure": {"caption": "Differences of RRMSE with weak labels over ten splits, by task, with p of Student's paired test."}}
print(weak_table.describe())
listed(
    with_labels,
    [
        ("wOFER+2500", "OFER-GMM"),
        ("wOFER+2500", "wOFER+1288"),
        ("wOFER+2500", "mean"),
        ("wOFER+2500", "m-KRR imputed+2500"),
        ("m-KRR known+2500", "mean"),
    ],
)

# %% [markdown]
# In the control OFER gains less from weak labels than in the tasks, but ends a little below the
# training mean.

# %%
assert 0 < gain["1 random"] < gain[two_tasks].min()
assert above["1 random"] < 0

# %% [markdown]
# ## Is it the labels?
#
# Do weak labels only show what the middle looks like? Then it should not matter which clip gets
# which. So we deal them out at random: 400 weak clips, two components, the same weights of words,
# five of the ten splits.

# %% mystnb={"figure": {"name": "tab-traits-shuffled", "caption": "RRMSE without weak labels, with true and with shuffled ones, by task (columns)."}}
shuffle_table = results("ofer-weak-traits", profile=profile)
dealt = shuffle_table.contrast("rrmse", level=level)
show_results(shuffle_table, metric="rrmse", digits=4)

# %% mystnb={"figure": {"caption": "Their differences over five splits, with p of Student's paired test."}}
listed(dealt, [("true", "none"), ("shuffled", "none"), ("true", "shuffled")])

# %% [markdown]
# In the tasks, shuffled labels lower the mean error no less than true ones, and only shuffled ones in
# task 2 pass the test. What can help is how often each label occurs among ordinary clips. Words go
# with labels less strictly there, and memberships are pulled together. Only in the control do true
# labels beat shuffled ones, by less than a thousandth and not significantly.

# %%
assert np.all(dealt.means.loc[two_tasks, "shuffled"] <= dealt.means.loc[two_tasks, "true"])
assert dealt.ahead("true", of="shuffled", by=(0, 0.001), at="1 random")
assert dealt.apart("true", ["none", "shuffled"], only=[])
assert dealt.apart("shuffled", "none", only="2")

# %% [markdown]
# The verdicts are about the paper's form, which {numref}`tab-traits-weak` has too. It solves the paper's problem P(14) with
# score scaling, no intercept, one ridge parameter and the closed form P(10). Five folds of the
# labelled clips choose the components, the ridge parameter and the weight of a weak clip ($2 \ell
# \lambda_2$) together. In our form a weak clip weighs as much as a labelled one.

# %% mystnb={"figure": {"caption": "RRMSE with all 2500 weak labels shuffled, in our form and in the paper's, by task (rows)."}}
show_results(weak_table._replace(frame=weak_table.frame[is_control]), metric="rrmse")

# %% mystnb={"figure": {"name": "tab-traits-printed-form", "caption": "Differences of RRMSE of the paper's form and of the controls over ten splits, with p of Student's paired test."}}
listed(
    with_labels,
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
# In our form true labels are better than shuffled ones, significantly in task 2 and in the
# control. For shuffled labels cross-validation takes a single component in both tasks. Then no
# label says anything, and OFER-GMM (ours) is m-KRR centred. Yet in task 1 about two fifths of the
# fall in error by wOFER+2500 (ours) remain, because weights of words are learned from the weak
# clips too. In task 2 and in the control nothing of the fall is left.

# %%
sizes_taken = weak_table.contrast("n_components").by_split["wOFER+2500 shuffled"]
assert (sizes_taken[two_tasks] == 1).all()
assert with_labels.apart("wOFER+2500 shuffled", "m-KRR centred", at="1")
change = weak_means[["wOFER+2500 shuffled", "wOFER+2500"]].sub(weak_means["m-KRR centred"], axis=0)
assert 0.35 < change.loc["1", "wOFER+2500 shuffled"] / change.loc["1", "wOFER+2500"] < 0.45
assert change.loc[["2", "1 random"], "wOFER+2500 shuffled"].abs().max() < 0.001

# %% [markdown]
# ## The printed errors, in numbers
#
# *Known components.* The mean of the known component of each test clip gives neither 0.29 in task 1
# nor 0.127 in task 2.

# %%
for task, (mean, spread) in with_known.items():
    print(f"task {task}: RRMSE {mean:.3f} ± {spread:.3f}")
print(
    f"best constant of task 2: {np.mean(best_constant):.4f} ± {np.std(best_constant, ddof=1):.4f}"
)

# %% [markdown]
# *The spread.* A spread of $10^{-4}$ needs one test set for all repetitions. Then Table 7 should have
# had it too, but there the spread is printed as 0.04.
#
# *The challenge.* {cite:t}`gurpinar2016` report an accuracy (one minus the mean absolute error) of
# 0.9094 on its 2000 test clips, and 0.0036 more for the winner. Measures and test sets differ, so
# the comparison is rough. Still, one frame of 1000 labelled and 2500 weak clips is said to remove
# more of the error than the winner did. If the 0.44 of Table 7 were relative to the constant, it
# would explain four fifths of the variance, again more than the winner.

# %%
print(f"absolute error of the winner / of the constant: {winner_error / constant_error:.2f}")
print(f"RRMSE printed in Table 8 / of the constant: {printed_best:.2f}")
assert 1 - 0.44**2 > 0.8 > 1 - (winner_error / constant_error) ** 2

# %% [markdown]
# ## Verdicts

# %%
claims = read_claims(chapter="06_4_1_personality_traits")
HTML(claims_to_html(claims))

# %% [markdown]
# On these data only the claim about our own form holds, as the sign of a difference. The paper's
# first claim is that all methods are equally good. It does not hold in the three readings in which IOKR
# has a linear kernel and no intercept. The other five do not decide it.

# %%
card = scorecard(claims)
assert "holds" not in set(card.loc[~card["ours"], "outcome"])
assert card.loc["ofer-08-weak-labels-help-ours", "outcome"] == "holds"
assert set(card["on"]) == {"other data"}
(alike,) = (claim for claim in claims if claim.id == "ofer-07-all-equal")
_, *others = decide(alike).readings  # the first is the table's own row
assert len(others) == 8
apart_in = [one.choice for one in others if one.decision.outcome == "does not hold"]
assert len(apart_in) == 3
for case in others:
    lone = (case.choice["kernel of IOKR"], case.choice["intercept"]) == ("linear", "no intercept")
    assert case.decision.outcome == ("does not hold" if lone else "undecided")

# %% [markdown]
# ## Exercises
#
# ```{exercise} Quick
# :label: ex-traits-kernel
#
# IOKR has the largest error of Table 7, and m-KRR does much better. Both lack an intercept. What are
# the medians of the off-diagonal values of their two kernel matrices, and why does that matter?
# ```
#
# ```{solution} ex-traits-kernel
# :class: dropdown
#
# The Gaussian kernel's is $e^{-1/2} = 0.61$ by the median rule, the linear kernel's is below 0.1. So
# the Gaussian kernel is a constant and something smaller. The constant is an intercept that is hardly
# penalised. The linear kernel has none, and its predictions shrink to zero.
# ```

# %%
labelled = parts["1"].labelled
n, pairs = len(labelled), np.triu_indices(len(labelled), 1)
gaussian, _ = kernels(clips.counts, labelled, parts["1"].test, n_labelled=n)
words = TfidfTransformer(sublinear_tf=True).fit_transform(clips.counts[labelled])
assert round(float(np.median(gaussian[pairs])), 2) == 0.61
assert np.median((words @ words.T).toarray()[pairs]) < 0.1

# %% [markdown]
# ```{exercise} Code
# :label: ex-traits-recalibrate
#
# Let the true scores of 100 clips of the weak pool be known. Use them for nothing but a line: regress
# them on the predictions of m-KRR centred, pooled over traits. Pass the test predictions through it,
# with the mean of the 100 clips as the new centre. Does that beat all the weak labels of the live
# part?
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
# It does. The slope is far below one, and the error falls to about that of the best constant. Here a
# correct centre and scale are worth more than all the memberships.
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
# differences of score, so predictions should be too timid: look for a slope above one.
# ```
