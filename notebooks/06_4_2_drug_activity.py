# ---
# jupyter:
#   kernelspec: {display_name: Python 3, language: python, name: python3}
#   ofer:
#     data: [nci60]
#     tables: [ofer-table-09, ofer-readings-drugs, ofer-table-10, ofer-readings-10]
# ---

# %% [markdown]
# # Drug activity, with and without weak labels
#
# *Section 6.4.2 of {cite:t}`djerrab2018`, Tables 9 and 10*
#
# **The question.** It is costly to test a molecule on 59 tumour cell lines. Can a few hundred tested
# molecules predict the activities of others from their structure? And do *weak labels* help, which say
# of further molecules only whether they are weak, selective or deadly?
#
# **The idea.** The paper sees levels in the activities, from weak to deadly. In output Fisher embedding
# regression (OFER) a mixture of Gaussians is to find the levels, and a regression to learn the level of a
# molecule and its place within the level. A weak label names the level.
#
# **The answer.** We use public data of the same assay. *Without weak labels* the paper's table has four
# readings, because the paper leaves the kernel and the intercept open. OFER beats ridge regression at
# every size in one of them, with the kernel of the text and no intercept. In the other three no lead is
# significant: an intercept removes it, and so does the Gaussian kernel of the caption. *With 800 weak
# labels* the error of our form falls significantly at every size, by the paper's test at its level, .001.
# A test that allows for molecules that splits share finds this gain at 100 and 300 measured molecules, at
# the level .05, and at no size at .001. In the paper's form, with the kernel of the text, the gain is
# significant with 100 and 300, by the paper's test alone. Ridge regression can use the labels, too, if the mean of the component stands
# in for an output that is not measured. Its mean error is lower than that of our form from 20 molecules
# on, significantly from 300. So the labels help, not the embedding.

# %% tags=["parameters"]
profile: str = "stored"  # or "quick", "full": see the protocol below
level: float = 1e-3  # of the t-tests; the paper's
n_live: int = 100  # training molecules of the live part
n_components: int = 2  # components of the live part
n_levels: int = 3  # components of the live part with weak labels
seed: int = 0

# %%
import warnings

import numpy as np
import pandas as pd
from IPython.display import HTML
from sklearn.kernel_ridge import KernelRidge

from ofer import (
    GaussianMixtureEmbedding,
    InputOutputKernelRegressor,
    KernelRidgeCV,
    Memberships,
    OutputFisherRegressor,
)
from ofer.kernels import median_bandwidth, tanimoto_kernel
from ofer.metrics import rrmse
from reproduction.claims import claims_to_html, decide, effects_in_readings, read_claims
from reproduction.datasets import dataset_info
from reproduction.datasets.tables.nci60 import fetch_nci60
from reproduction.engine import get_experiment, results
from reproduction.figures.errors_by_split import plot_paired_differences
from reproduction.figures.learning_curves import plot_learning_curves
from reproduction.figures.memberships import plot_memberships
from reproduction.figures.names import method_name
from reproduction.figures.specification import plot_specifications
from reproduction.figures.tables import show_results
from reproduction.statistics import (
    gap,
    least,
    mean_table,
    read_paper,
    repeated_splits,
    steady,
    summarize,
)
from reproduction.studies.drug_activity.figures import (
    plot_activities,
    plot_activity_profiles,
    plot_weak_label_value,
)

# %% [markdown]
# ## An intercept removes the gain
#
# The data are activities of 2228 molecules of the NCI-60 screen. In each of ten random splits, 40 %
# of the molecules are for testing. The methods learn from 10 to 500 of the others. The kernel of this
# section is that of the paper's text, the Tanimoto similarity of two structures.
#
# Seven methods compete in {numref}`tab-drug-results`:
#
# - *m-KRR* is kernel ridge regression without an intercept, one reading of the paper's baseline.
#   *m-KRR centred* has an intercept.
# - *OFER-GMM (paper)* is the paper's form of OFER, and *OFER-GMM (ours)* has the defaults
#   of our package.
# - *IOKR*, input output kernel regression, predicts in the feature space of a kernel on the outputs.
#   *IOKR* has the paper's linear kernel, and *IOKR rbf* has a Gaussian one.
# - *m-RF* is a random forest.

# %% mystnb={"figure": {"name": "tab-drug-results", "caption": "Test errors by number of training molecules (columns). Mean ± standard deviation over ten splits. Compare the rows m-KRR and m-KRR centred. Bold is decided at the level 0.05, the sentences of this page at 0.001."}}
table = results("ofer-table-09", profile=profile)
frame = table.frame
paper = read_paper("ofer-table-09").replace({"method": {"OFER-GMM": "OFER-GMM as printed"}})
show_results(table, paper, metric=["rrmse", "arrmse"])

# %% [markdown]
# The paper's form of OFER has significantly lower errors than m-KRR at all five sizes, by the paper's
# test (Student's paired t-test at the level 0.001). An intercept removes the gain. No form of OFER is significantly
# better than m-KRR centred, which has one, at any size. The paper's form, which has none, is
# significantly worse with 300 and 500 molecules ({numref}`fig-paired`).

# %%
errors = table.contrast("rrmse", level=level)
forms = ["OFER-GMM as printed", "OFER-GMM"]
assert errors.better("OFER-GMM as printed", than="m-KRR")
assert errors.better(forms, than="m-KRR centred", only=[])
assert errors.apart("OFER-GMM as printed", "m-KRR centred", only=["300", "500"])
assert (errors.by_split["OFER-GMM as printed"] < errors.by_split["m-KRR"]).all()

# %% mystnb={"figure": {"name": "fig-paired", "caption": "The error of the paper's form of OFER minus that of ridge regression, split by split. Below zero OFER is better. Left: against ridge regression without an intercept OFER wins on every split. Right, on a much finer scale: against ridge regression with an intercept it does not."}, "image": {"alt": "Two panels of dots for five training sizes. In the left one all dots lie below zero, at ten molecules far below. In the right one they lie around zero, and above it with 300 and 500 molecules."}}
pairs = [("OFER-GMM as printed", ridge) for ridge in ("m-KRR", "m-KRR centred")]
_ = plot_paired_differences(frame, pairs, size="training molecules")

# %% [markdown]
# The paper's gain is largest with few molecules, where little can be learned. With 10 or 20 molecules
# no method is more than about one percent better than the mean of the training activities, and m-KRR is
# far worse (aRRMSE in {numref}`tab-drug-results`). With this kernel both forms of OFER have a higher mean
# error than the random forest at every size. The difference is significant only once: the paper's form is
# behind with 500 molecules.

# %%
against_mean = table.contrast("arrmse").means.loc[["10", "20"]]
assert (against_mean > 0.99).all(axis=None)
assert (against_mean["m-KRR"] > 1.4).all()
assert errors.ahead("m-RF", of=forms)
assert errors.apart("OFER-GMM as printed", "m-RF", only="500")
assert errors.apart("OFER-GMM", "m-RF", only=[])
at_all = {"setting": errors.means.index, "metric": "rrmse", "level": level}
behind, chosen = effects_in_readings("ofer-table-09", forms, "m-RF", **at_all)
behind = behind.join(chosen).query("kernel == 'Tanimoto'")
assert behind["value"].min() > 0
sure = behind.loc[behind["p"] < level, ["method", "setting", "intercept"]]
assert sure.to_numpy().tolist() == [["OFER-GMM as printed", "500", "no intercept"]]

# %% [markdown]
# The level of our errors agrees with the paper's ({numref}`fig-table-09`). Only m-KRR and IOKR, which
# makes the same predictions, are far off, and only with 10 or 20 molecules: our error is more than 1.3
# times the printed one. Perhaps the authors centred the outputs or the kernel; the paper does not say.
# From the agreement of the other methods we identified the paper's measure of error.

# %%
ours, theirs, few = errors.means, mean_table(paper, "rrmse"), ["10", "20"]
alike = ["m-RF", "OFER-GMM as printed"]
assert (ours[alike] - theirs[alike]).abs().max(axis=None) < 0.02
assert (ours["m-KRR"] > 1.3 * theirs["m-KRR"])[few].all()
assert (ours["m-KRR"] - theirs["m-KRR"]).drop(few).abs().max() < 0.02

# %% mystnb={"figure": {"name": "fig-table-09", "caption": "The errors as curves, ours (left) and the paper's (right). Bands are one standard deviation over ten splits. The curve of m-KRR without an intercept, which is also that of IOKR, leaves the frame of ours at the left. All others lie close together."}, "image": {"alt": "Two panels of test error against 10 to 500 training molecules. In ours five methods lie close together, and far above them m-KRR without an intercept and IOKR on one curve. In the paper's all four fall from between 0.22 and 0.24 to 0.19."}}
_ = plot_learning_curves(
    summarize(frame), paper=paper, size="training molecules", limits=(0.12, 0.27)
)

# %% [markdown]
# ## In every reading of the paper
#
# The paper leaves two things open. *The kernel*: its text takes "a Gram matrix with Tanimoto kernel",
# and the caption of its table says "(Gaussian) m-KRR". *The intercept*: its equation of ridge
# regression has none, and no sentence says whether the outputs were centred. So one table has four
# readings. In each, all methods get the same kernel, intercept and folds, and choose on the same grids.
# There is one exception: leave-one-out chooses the ridge parameters of our form. The Gaussian is that of
# the distance which belongs to the Tanimoto kernel.
#
# **OFER leads in one reading of four**, with the Tanimoto kernel and no intercept. There both its forms
# are ahead of ridge regression at every size. In the other three readings neither form is
# significantly better, or worse, at any size. (In a reading both methods have the intercept, or
# neither; the table above gave it to ridge regression alone.) {numref}`fig-drug-readings` shows ten molecules, where
# the lead is largest.

# %% mystnb={"figure": {"name": "fig-drug-readings", "caption": "Error of both forms of OFER with ten molecules, as a difference from ridge regression in the same reading; below zero OFER is better. Readings are sorted by the difference, with the choices of each beneath. Intervals have the level of the paper's test, 99.9 percent; filled where zero is outside."}, "image": {"alt": "Eight dots. Two lie near minus 47 percent, both with the Tanimoto kernel and no intercept. The other six lie near zero, and their intervals contain it."}}
readings = results("ofer-readings-drugs", profile=profile)
compared = ("ofer-table-09", forms, "m-KRR")
effects, choices = effects_in_readings(*compared, setting="10", metric="rrmse", level=level)
_ = plot_specifications(effects, choices.map(method_name), label="difference, %")

# %%
everywhere, choices = effects_in_readings(*compared, **at_all)
in_text = (choices["kernel"] == "Tanimoto") & (choices["intercept"] == "no intercept")
assert everywhere.loc[in_text, "high"].max() < 0
assert everywhere.loc[~in_text, "p"].min() >= level
lowest = least(everywhere["value"])
assert (in_text[lowest], everywhere.loc[lowest, "setting"]) == (True, "10")

# %% [markdown]
# Ridge regression is far off in that reading alone. With ten molecules it errs .40 there, and .21 or
# .22 in the others; the paper prints .24. With 100 molecules the reading is near the print, .23
# beside .22. So no reading fits the print at all sizes.

# %%
in_readings = readings.contrast("rrmse")
ridges = in_readings.means.filter(regex="^m-KRR")
plain, in_print = ridges["m-KRR, Tanimoto, no intercept"], theirs["m-KRR"]
others = ridges.drop(columns=plain.name)
assert list(plain[["10", "100"]].round(2)) == [0.40, 0.23]
assert others.loc["10"].round(2).isin([0.21, 0.22]).all()
assert (in_print["10"], in_print["100"]) == (0.24, 0.22)
assert (ridges.sub(in_print, axis=0).abs().max() > 0.02).all()

# %% [markdown]
# The errors of all methods in all readings, with those of the training mean, are in
# <a href="results/ofer-readings-drugs.csv" download>ofer-readings-drugs.csv</a>. Five folds of the training
# part choose hyper-parameters, but leave-one-out the ridge parameters of OFER-GMM (ours).

# %% [markdown]
# ## Where the gain comes from
#
# **The baseline predicts too low.** The similarity of two molecules is never negative, and small for
# most pairs. Ridge regression without an intercept falls back to zero where similarities are small.
# Activities are far from zero, so its predictions are too low. From ten molecules it predicts less
# than half the mean activity.

# %%
molecules = fetch_nci60()
Y, K = molecules.Y, tanimoto_kernel(molecules.fingerprints, packed=True)
off_diagonal = K[np.triu_indices_from(K, 1)]
assert off_diagonal.min() >= 0
assert np.median(off_diagonal) < 0.2
krr = KernelRidge(alpha=1.0, kernel="precomputed")
low = krr.fit(K[:10, :10], Y[:10]).predict(K[10:, :10])
assert low.mean() < 0.5 * Y[10:].mean()

# %% [markdown]
# **The paper's form of OFER hides an intercept.** A prediction of m-KRR is a weighted sum of the
# training outputs. With one component, the paper's form divides it by the sum of the weights
# ({ref}`ex-drug-normalise`). The new weights sum to one, so a prediction cannot fall back to zero.
#
# **There is hardly a mixture.** The paper reports six components. In each reading our
# cross-validation chooses a hundred times: in two forms, five sizes and ten splits. It takes six
# components one to three times, and one or two in more than three quarters. In the paper's form it
# takes one in most splits, at every size. With one component our form of OFER *is* m-KRR
# centred.

# %%
taken, taken_again = (one.contrast("n_components").by_split for one in (table, readings))
endings = {name.split(", ", 1)[1] for name in taken_again}
assert (taken[forms] == 6).sum().sum() == 1
for sizes in (taken[forms], *(taken_again.filter(regex=f", {end}$") for end in endings)):
    assert sizes.size == 100
    assert 1 <= (sizes == 6).sum().sum() <= 3
    assert (sizes <= 2).sum().sum() > 75
    ones = (sizes.filter(like="as printed") == 1).groupby("setting").sum()
    assert ones.min(axis=None) > 5  # of ten splits: "takes one in most"

# %% [markdown]
# **An output kernel adds nothing either.** IOKR with a linear output kernel makes the predictions of
# m-KRR. With a Gaussian one its mean error is slightly above that of m-KRR centred up to 100
# molecules, and less than one percent below it with more. No difference is significant.

# %%
for metric in ("rrmse", "arrmse"):
    by_split = table.contrast(metric).by_split
    assert (by_split["IOKR"] - by_split["m-KRR"]).abs().max() < 1e-4
share = ours["IOKR rbf"] / ours["m-KRR centred"] - 1
assert share[["300", "500"]].between(-0.01, 0).all()
assert share[["10", "20", "100"]].min() > 0
assert errors.apart("IOKR rbf", "m-KRR centred", only=[])

# %% [markdown]
# ## What weak labels gain
#
# Molecules, splits and sizes are those above: 10 to
# 500 measured molecules of the NCI-60 screen, and ten splits. Some hundreds of further molecules
# come with a weak label. The methods of {numref}`tab-weak-results` are:
#
# - *m-KRR centred* is kernel ridge regression with an intercept. It learns from the measured
#   molecules alone.
# - *OFER-GMM (ours)* is our form of OFER, from the measured molecules alone. It has an
#   intercept, and one ridge parameter for each part of the embedding. As in the next rows, leave-one-out
#   chooses the number of components; folds do so in {numref}`tab-drug-results`, whose row of this name
#   differs a little.
# - *wOFER+100, +500, +800 (ours)* are the same with 100, 500 and 800 weak labels.
# - *m-KRR imputed+800* is m-KRR centred on all molecules. An output that is not measured is replaced
#   by the mean of its component. The paper does not have this row.

# %% mystnb={"figure": {"name": "tab-weak-results", "caption": "Test errors (relative root mean squared errors) by number of measured molecules (columns), mean ± standard deviation over ten splits; the printed numbers stand beneath the paper's form. The more weak labels, the lower the error, but ridge regression on imputed outputs does as well."}}
weak_table = results("ofer-table-10", profile=profile)
extra = weak_table.frame["method"].str.contains("as printed|shuffled")
weak_frame = weak_table.frame[~extra]
weak_paper = read_paper("ofer-table-10")
printed_form = weak_paper.assign(method=weak_paper["method"] + " as printed")
is_control = weak_table.frame["method"].str.contains("shuffled")
show_results(weak_table._replace(frame=weak_table.frame[~is_control]), printed_form, metric="rrmse")

# %% [markdown]
# Our form comes within 0.015 of the paper's printed numbers, on other data. Its error falls with every
# step in the number of weak labels ({numref}`fig-weak-curves`). The paper's own form gains less than the
# paper prints, as is told below.

# %%
weak_errors = weak_table.contrast("rrmse", level=level)
weak_ours = weak_errors.means
assert (weak_ours - mean_table(weak_paper, "rrmse")).abs().max(axis=None) < 0.015
assert weak_errors.order("wOFER+800", "wOFER+500", "wOFER+100", "OFER-GMM")

# %% mystnb={"figure": {"name": "fig-weak-curves", "caption": "Test error over the number of measured molecules: of our form (left), and as the paper prints it (right); bands are one standard deviation over ten splits. Curves with more weak labels lie lower, most of all with few measured molecules."}, "image": {"alt": "Two panels of falling curves: those with more weak labels lie lower, most of all at the left."}}
_ = plot_learning_curves(summarize(weak_frame), paper=printed_form, size="measured molecules")

# %% [markdown]
# By the paper's test (Student's paired t-test at the level 0.001) 800 weak labels significantly
# beat both m-KRR centred and OFER-GMM (ours) at every size ({numref}`tab-weak-tests`). A hundred
# weak labels beat OFER-GMM (ours) at one size of five. The *capped* test of {doc}`the protocol
# <06_1_protocol>` allows for splits that share molecules. At the level 0.05 it finds 800 weak labels ahead
# of both with 100 and 300 measured molecules ({numref}`tab-weak-corrected`). They win against m-KRR
# centred on at least eight of ten splits at every size.

# %%
without = ["m-KRR centred", "OFER-GMM"]
assert weak_errors.better("wOFER+800", than=without)
assert weak_errors.better(
    "wOFER+800", than=without, corrected=True, level=0.05, only=["100", "300"]
)
assert weak_errors.apart("wOFER+100", "OFER-GMM", only="100")
assert weak_errors.apart("wOFER+100", "OFER-GMM", corrected=True, level=0.05, only=[])
wins = gap(weak_errors.by_split["wOFER+800"], weak_errors.by_split["m-KRR centred"]) < 0
wins = wins.groupby("setting", sort=False).sum()
assert wins.min() >= 8

# %% [markdown]
# The paper's own form has no intercept, and one ridge parameter for all parts. It gains less
# ({numref}`tab-weak-changes`). With 800 weak labels its mean error falls at every size, but
# significantly only with 100 and 300 molecules. With 100 weak labels no gain is significant.

# %%
weak_pairs = {
    "wOFER+800": "OFER-GMM",
    "wOFER+800 shuffled": "OFER-GMM",
    "wOFER+100 as printed": "OFER-GMM as printed",
    "wOFER+800 as printed": "OFER-GMM as printed",
    "wOFER+800 as printed, shuffled": "OFER-GMM as printed",
}
assert weak_errors.ahead("wOFER+800 as printed", of="OFER-GMM as printed")
assert weak_errors.apart("wOFER+800 as printed", "OFER-GMM as printed", only=["100", "300"])
assert weak_errors.apart("wOFER+100 as printed", "OFER-GMM as printed", only=[])
in_print = "wOFER+800 as printed", "OFER-GMM as printed"
assert weak_errors.apart(*in_print, corrected=True, level=0.05, only=[])
assert weak_errors.apart("wOFER+800", "OFER-GMM", corrected=True, only=[])
gain, gain_as_printed = (
    weak_ours[weak_pairs[name]] - weak_ours[name] for name in ("wOFER+800", "wOFER+800 as printed")
)
assert (gain > gain_as_printed).all()

# %% [markdown]
# ## The labels help, not the embedding
#
# Do the labels help by what they say, or by the further molecules that come with them? We deal the
# labels out at random. Shuffled like this, they change the error of either form by less than 2.5
# percent ({numref}`tab-weak-changes`). So what the labels say helps.

# %%
for name in ("wOFER+800 shuffled", "wOFER+800 as printed, shuffled"):
    assert (weak_ours[name] / weak_ours[weak_pairs[name]] - 1).abs().max() < 0.025

# %% [markdown]
# Do the labels need the embedding? No. No test tells ridge regression on imputed outputs from wOFER
# (ours) with up to 100 measured molecules, and with 300 and 500 it is significantly better
# ({numref}`tab-weak-tests`). So the gain in the paper's Table 10 comes from the labels. The embedding is
# one way to use them, and to write down the mean of the component is a simpler one.

# %%
assert weak_errors.apart("m-KRR imputed+800", "wOFER+800", only=["300", "500"])
assert weak_errors.ahead("m-KRR imputed+800", of="wOFER+800", at=["20", "100", "300", "500"])
assert weak_errors.ahead("wOFER+800", of="m-KRR imputed+800", at="10")

# %% [markdown]
# ## In every reading of Table 10
#
# Table 9 has four readings: the text names the Tanimoto kernel and the
# caption a Gaussian one, and an intercept is neither named nor excluded. Table 10 has the same four.
# The width of the Gaussian kernel is chosen without weak labels. We read the three rows with up to a
# hundred molecules; the other two would take most of the time.
#
# **The mean falls in every reading; whether that is significant depends on the reading.** In each of
# them 800 weak labels lower the mean error of both forms ({numref}`fig-weak-readings`): that of ours by 9 to 12 percent, each time significantly, that of
# the paper's by 5 to 8. With ten and twenty molecules no gain of the paper's form is significant in
# any reading. With a hundred it is with the Tanimoto kernel, and not with the Gaussian one, with which
# the errors of one split are large. Labels that are dealt out at random change the mean by less than
# 2.5 percent.

# %% mystnb={"figure": {"name": "fig-weak-readings", "caption": "What 800 weak labels change in the error with twenty molecules, in the paper's form and in ours; below zero they help. Readings are sorted by the change, with the choices of each beneath. Intervals have the level of the paper's test, 99.9 percent; filled where zero is outside."}, "image": {"alt": "Eight dots, all below zero. The four of our form lie near minus twelve percent, and their intervals do not reach zero. The four of the paper's form lie near minus six, and theirs do."}}
weak_readings = results("ofer-readings-10", profile=profile)
weak_forms = {"wOFER+800 as printed": "OFER-GMM as printed", "wOFER+800": "OFER-GMM"}


rows = {"setting": ["10", "20", "100"], "metric": "rrmse", "level": level}
parts = [
    effects_in_readings("ofer-table-10", [weak], base, **rows) for weak, base in weak_forms.items()
]
weak_effects, weak_choices = (
    pd.concat(part, ignore_index=True) for part in zip(*parts, strict=True)
)
at_twenty = weak_effects["setting"] == "20"
shown = weak_choices[at_twenty].map(method_name)
_ = plot_specifications(weak_effects[at_twenty], shown, label="change, %")

# %%
ours_form, at_hundred = weak_choices["method"] == "wOFER+800", weak_effects["setting"] == "100"
assert weak_effects.loc[ours_form, "value"].round().between(-12, -9).all()
assert weak_effects.loc[~ours_form, "value"].round().between(-8, -5).all()
decided = ours_form | (at_hundred & (weak_choices["kernel"] != "Gaussian"))
assert ((weak_effects["p"] < level) == decided).all()
in_weak_readings = weak_readings.contrast("rrmse")
for method, dealt in in_weak_readings.means.filter(like="shuffled").items():
    plain = method.replace("wOFER+800 as printed, shuffled", "OFER-GMM as printed")
    plain = plain.replace("wOFER+800 shuffled", "OFER-GMM")
    if plain in in_weak_readings.means:
        assert (dealt / in_weak_readings.means[plain] - 1).abs().max() < 0.025
one_bad = in_weak_readings.by_split.loc["100", "wOFER+800 as printed, Gaussian, no intercept"]
assert one_bad.max() > 1.2 * one_bad.nlargest(2).iloc[-1]

# %% [markdown]
# The errors of all forms in all readings are in <a href="results/ofer-readings-10.csv" download>ofer-readings-10.csv</a>.
# The rows of the paper's form in the first reading are those of Table 10.

# %% [markdown]
# ## What a weak label is worth
#
# How many molecules would you have to measure until m-KRR centred is as good as wOFER (ours)? With
# 20 measured molecules and 800 weak labels, more than two hundred ({numref}`fig-weak-value`). That
# is over twelve times what is measured. With 100 measured molecules it is less than five times: a
# component says nothing about the differences within it.

# %%
means = weak_ours[list(dict.fromkeys(weak_frame["method"]))].rename(int).sort_index()
curve = means["m-KRR centred"]
worth = means.apply(
    lambda weak_errors: np.exp(np.interp(-weak_errors, -curve.to_numpy(), np.log(curve.index)))
)
assert worth["wOFER+800"][20] > 200
factors = worth["wOFER+800"] / worth.index
inside = means["wOFER+800"] > curve.min()
assert list(inside.index[inside]) == [10, 20, 100]
assert np.all(np.diff(factors[inside]) < 0)
assert factors[100] < 5 < 12 < factors[20]

# %% mystnb={"figure": {"name": "fig-weak-value", "caption": "Measured molecules that m-KRR centred needs for the error of wOFER. On the line weak labels are worth nothing. Values at 500 are lower bounds, because the curve of m-KRR centred ends there."}, "image": {"alt": "Curves over the number of measured molecules, above the diagonal until they end at 500, the more so the more weak labels."}}
_ = plot_weak_label_value(worth[["wOFER+100", "wOFER+500", "wOFER+800"]])

# %% [markdown]
# ## What this changes for you
#
# * Give your baseline an intercept. With the Tanimoto kernel and no intercept it loses to OFER; with an
#   intercept it is as good or better.
# * Compare with the mean of the training outputs too. With 10 or 20 molecules nothing beats it by
#   more than about one percent.
# * Do not expect much of an output kernel: neither a linear nor a Gaussian one lowers the error
#   significantly.
# * Look at the number of components. If cross-validation takes one or two, as it mostly does here,
#   the mixture has little to give.
# * Collect weak labels of your outputs if they are cheap, and collect hundreds. In our form the
#   gain of 800 is significant at every size, and that of 100 at one size of five.
# * Try the simplest use first: ridge regression on imputed outputs. It does as well as wOFER
#   (ours), and better with 300 measured molecules or more.
# * Expect less from human supervisors. These labels are perfect, because they are computed from the
#   outputs. On one split most of the gain is gone if a fifth of the labels are random
#   ({ref}`ex-weak-errors`).

# %%
few_molecules = in_readings.means.div(in_readings.means["training mean"], axis=0).loc[few]
assert few_molecules.min(axis=None) > 0.989

# %% [markdown]
# ## The data, and how they differ from the paper's

# %%
info = dataset_info("nci60")
print(f"{info.fidelity.capitalize()}. {info.notes}")

# %%
assert Y.shape == (2228, 59)
assert np.isclose(get_experiment("ofer-table-09").test_train_ratio["10"], round(0.4 * len(Y)) / 10)

# %% mystnb={"figure": {"name": "fig-activities", "caption": "Above: all activity scores; 60 is an effect at one micromolar. Below: correlations of the cell lines over molecules, ordered by tissue (BR breast, CNS brain, CO colon, LC lung, LE leukaemia, ME melanoma, OV ovary, PR prostate, RE kidney). Most lines react alike, because a molecule's general potency dominates. Leukaemias stand apart."}, "image": {"alt": "Histogram of activity scores on a logarithmic scale, and a correlation matrix of 59 cell lines, mostly above one half."}}
_ = plot_activities(Y, molecules.cell_lines)

# %% [markdown]
# One direction, the general potency, has more than four fifths of the variance. An output model
# could use that.

# %%
values = np.linalg.eigvalsh(np.cov(Y.T))[::-1]
share = np.cumsum(values) / values.sum()
print("variance in the first 1, 3, 10 directions:", share[[0, 2, 9]].round(2))
assert share[0] > 0.8

# %% [markdown]
# ## The input kernel
#
# The similarity of two molecules is the Tanimoto kernel of their fingerprints
# ({cite:t}`ralaivola2005`). With $A$ and $B$ the sets of fragments of two molecules, and $x$ and
# $x'$ their indicator vectors,
#
# ```{math}
# :label: eq-tanimoto
# k(x, x') = \frac{|A \cap B|}{|A \cup B|} = \frac{x\T x'}{x\T x + x'\T x' - x\T x'} .
# ```

# %%
bits = np.unpackbits(molecules.fingerprints[:50], axis=1)
assert np.array_equal(K[:50, :50], tanimoto_kernel(bits))
print("median similarity:", round(float(np.median(off_diagonal)), 2))

# %% [markdown]
# The paper's text names this kernel; the caption of its table says "Gaussian". The choice matters to
# ridge regression without an intercept ({numref}`fig-drug-readings`). {ref}`ex-drug-gaussian` shows
# why.
#
# ## The protocol
#
# Each split trains on 60 % and tests on 40 % of the molecules. The first 10, 20, 100, 300 or 500
# molecules of the training part are used, and all choices are made on them. {doc}`06_1_protocol`
# has the rest.
#
# :::{table} Methods on drug activities.
# | method | what it is | how it chooses |
# |---|---|---|
# | m-KRR | ridge regression with kernel {eq}`eq-tanimoto`, no intercept: the paper's equation | ridge parameter by 5-fold cross-validation |
# | m-KRR centred | the same with an intercept: the fair baseline | ridge parameter by exact leave-one-out |
# | IOKR | input output kernel regression, linear output kernel, no intercept, as in the paper | ridge parameter by 5-fold cross-validation |
# | IOKR rbf | the same with a Gaussian output kernel and an intercept | ridge parameter by leave-one-out, output width by 5-fold cross-validation |
# | m-RF | random forest on the fingerprint bits, 100 trees | features per split by out-of-bag error |
# | OFER-GMM (paper) | score scaling, closed form P(10) without projection, one ridge parameter, no intercept | ridge parameter and number of components by 5-fold cross-validation |
# | OFER-GMM (ours) | our defaults: natural scaling, memberships on the simplex, one ridge parameter per block, intercepts | ridge parameters by leave-one-out, components by 5-fold cross-validation |
# :::

# %%
print(table.describe())

# %% [markdown]
# ## All tests
#
# Differences below zero favour the first method. The *sound* test allows for splits that overlap: it
# is the two-way test of {doc}`the protocol <06_1_protocol>`. At the paper's
# level it finds the paper's form ahead of m-KRR at every size, too, and behind m-KRR centred with 500
# molecules. Our form differs from m-KRR centred at no size.

# %%
assert errors.better("OFER-GMM as printed", than="m-KRR", corrected=True)
assert errors.apart("OFER-GMM as printed", "m-KRR centred", corrected=True, only="500")
assert errors.worse("OFER-GMM as printed", than="m-KRR centred", corrected=True, only="500")
assert errors.apart("OFER-GMM", "m-KRR centred", corrected=True, only=[])

# %% [markdown]
# The paper prints OFER-GMM in bold at 10, 20, 100 and 300 molecules. At each of these sizes, by
# Student's test, OFER-GMM (paper) is better than m-KRR; it is worse than m-KRR centred at 300 and
# differs from it at no other. OFER-GMM (ours) differs there neither
# from m-KRR centred nor from IOKR with a Gaussian kernel nor from the forest.

# %%
bold = ["10", "20", "100", "300"]  # the first check of this page has the paper's form
assert errors.apart("OFER-GMM", ["m-KRR centred", "IOKR rbf", "m-RF"], at=bold, only=[])

# %% [markdown]
# The paper also says that OFER has smaller standard deviations, but not than what. In the first table
# our form of OFER varies less over the splits than the random forest at two of five sizes, and the
# paper's form at none. In the other three readings the paper's form varies less at two to four sizes.
# No size is decided in any reading.

# %%
spread = errors.deviations
assert (spread["OFER-GMM"] < spread["m-RF"]).sum() == 2
assert not (spread["OFER-GMM as printed"] < spread["m-RF"]).any()
less = in_readings.deviations.filter(like="OFER-GMM as printed, ").lt(spread["m-RF"], axis=0).sum()
assert less.pop("OFER-GMM as printed, Tanimoto, no intercept") == 0
assert sorted(less) == [2, 3, 4]
(steadier,) = (claim for claim in read_claims() if claim.id == "ofer-09-steadier")
for reading in decide(steadier).readings:
    assert {row.outcome for row in reading.decision.rows} == {"undecided"}

# %% [markdown]
# With 100 molecules m-KRR centred has the lowest mean error of the four ridge and OFER rows. The
# error of m-KRR is more than 15 % above that of the paper's form of OFER.

# %%
assert errors.ahead("m-KRR centred", of=["m-KRR", *forms], at="100")
assert ours.loc["100", "m-KRR"] > 1.15 * ours.loc["100", "OFER-GMM as printed"]

# %% [markdown]
# ## What does an output kernel add?
#
# Input output kernel regression ({cite:t}`brouard2016`) replaces each output by its feature vector
# $\psi(y)$ under an output kernel $k_y$. It predicts $h(x) = \sum_i a_i(x) \psi(y_i)$ with the
# weights $a_i(x)$ of kernel ridge regression. Then it returns the output whose feature vector is
# nearest:
#
# ```{math}
# :label: eq-iokr-preimage
# \hat y(x) = \argmin_y \| \psi(y) - h(x) \|^2
#           = \argmin_y \; k_y(y, y) - 2 \sum_i a_i(x) \, k_y(y_i, y) .
# ```
#
# *The paper's linear kernel.* Here $\psi(y) = y$, and the minimum lies at $\sum_i a_i(x) y_i$. That
# is the prediction of m-KRR, and the paper prints the same numbers for both. Ours agree too, for one
# ridge parameter and in every cell of the table.

# %%
few, rest = slice(0, 300), slice(300, None)
linear = {"output_kernel": "linear", "preimage": "gradient", "fit_intercept": False}
iokr = InputOutputKernelRegressor([1.0], kernel="precomputed", **linear)
first, second = (m.fit(K[few, few], Y[few]).predict(K[rest, few]) for m in (iokr, krr))
assert np.allclose(first, second, rtol=1e-9)
printed_cells = paper.set_index(["method", "setting"])["printed"]
assert (printed_cells["IOKR"] == printed_cells["m-KRR"]).all()

# %% [markdown]
# *A Gaussian kernel.* The best vector is a local mean with weights $a_i(x) \, k_y(y_i, \hat y)$, in
# which outputs far from the others count little. We follow the gradient as the paper does, from the
# best training output. With a wide kernel all outputs count alike, and m-KRR centred remains:

# %%
centred = KernelRidgeCV([1.0], kernel="precomputed").fit(K[few, few], Y[few])
expected = centred.predict(K[rest, few])
for width in (30, 100, 1000, 10000):
    gaussian = InputOutputKernelRegressor(
        [1.0], kernel="precomputed", output_gamma=0.5 / width**2, preimage="gradient"
    )
    decoded = gaussian.fit(K[few, few], Y[few]).predict(K[rest, few])
    distances = np.linalg.norm(decoded - expected, axis=1)
    print(f"width {width:5}: mean distance from m-KRR centred {distances.mean():4.1f}")

# %% [markdown]
# The folds chose among widths from half to eight times the median distance of the training outputs.
# With ten molecules they cannot tell the widths apart. With a hundred or more they take at least
# two median distances, where outputs weigh nearly alike.

# %% mystnb={"figure": {"caption": "How many of ten splits chose a width of the output kernel (columns), by training molecules (rows)."}}
widths = frame[frame["metric"] == "output_width"]
chosen_widths = pd.crosstab(
    widths["setting"].astype(int).rename("training molecules"),
    widths["value"].rename("width, in median distances"),
)
chosen_widths

# %%
assert chosen_widths.loc[10, [0.5, 8.0]].min() > 0
assert np.all(chosen_widths.loc[[100, 300, 500], [0.5, 1.0]] == 0)

# %% mystnb={"figure": {"name": "fig-output-kernel", "caption": "What the Gaussian output kernel changes, split by split: against ridge regression with an intercept (left), and against the random forest (right). Below zero IOKR is better. Neither difference is clear."}, "image": {"alt": "Two panels of dots around a zero line for five training sizes."}}
_ = plot_paired_differences(
    frame, [("IOKR rbf", "m-KRR centred"), ("IOKR rbf", "m-RF")], size="training molecules"
)

# %%
for row in errors.tests("IOKR rbf", "m-KRR centred").itertuples():
    print(f"IOKR rbf − m-KRR centred, {row.Index:>3} molecules: {row.difference:+.4f}")
assert errors.apart("IOKR rbf", "m-RF", only=[])

# %% [markdown]
# ## How many components?
#
# The paper's cross-validation chose six components, "6 clear levels of scores".

# %% mystnb={"figure": {"caption": "How many of ten splits chose a number of components (columns), by method and training molecules (rows)."}}
chosen = frame[frame["metric"] == "n_components"]
pd.crosstab(
    [chosen["method"], chosen["setting"].astype(int).rename("training molecules")],
    chosen["value"].astype(int).rename("components"),
)

# %% [markdown]
# ## A live look
#
# This is one split with our defaults, from the raw kernel to three molecules.

# %%
split = repeated_splits(
    len(Y), n_splits=1, train_fraction=0.6, train_sizes=[n_live], random_state=0
)[0]
train, test = split.train(n_live), split.test
K_train, K_test = K[np.ix_(train, train)], K[np.ix_(test, train)]
ridge = KernelRidgeCV(kernel="precomputed")
models = {
    "m-KRR": KernelRidgeCV(kernel="precomputed", fit_intercept=False),
    "m-KRR centred": ridge,
    "OFER-GMM": OutputFisherRegressor(
        GaussianMixtureEmbedding(n_components, random_state=0), ridge, block_wise=True
    ),
}
predicted = {name: m.fit(K_train, Y[train]).predict(K_test) for name, m in models.items()}
for name, values in predicted.items():
    print(f"{method_name(name):15} RRMSE {rrmse(Y[test], values):.3f}")

# %% mystnb={"figure": {"name": "fig-profiles", "caption": "Measured and predicted activities of three test molecules on all 59 cell lines: the least active, the median and the most active one. The predicted levels differ far less than the measured ones, and the two methods agree."}, "image": {"alt": "Three bar charts of measured activity over cell lines, with step lines of two predictions, which lie close together and near the middle of the scale."}}
ranked = steady(Y[test].mean(axis=1)).argsort(kind="stable")
few = ranked[[0, len(ranked) // 2, -1]]
names = [f"NSC {number}" for number in molecules.nsc[test][few]]
shown = {name: predicted[name][few] for name in ("m-KRR centred", "OFER-GMM")}
_ = plot_activity_profiles(Y[test][few], shown, names)

# %% [markdown]
# The methods predict a molecule's general potency. The two with an intercept shrink it to less than
# half its spread. No method predicts a tenth of what is peculiar to a molecule on single cell
# lines.


# %%
def own_pattern(activities):
    """Activities less the mean of their cell line, and less the potency of their molecule."""
    centred = activities - Y[train].mean(axis=0)
    return centred - centred.mean(axis=1, keepdims=True)


pattern = own_pattern(Y[test])
for values in predicted.values():
    left = np.sum((pattern - own_pattern(values)) ** 2) / np.sum(pattern**2)
    assert 0.9 < left < 1
for name in shown:
    assert predicted[name].mean(axis=1).std() < 0.5 * Y[test].mean(axis=1).std()
    assert np.ptp(shown[name].mean(axis=1)) < 0.2 * np.ptp(Y[test][few].mean(axis=1))

# %% [markdown]
# ## What a weak label says
#
# As in {doc}`the chapter on learning <05_learning>`, the mixture is fitted to the measured outputs.
# A weak label is the vector of responsibilities $\gamma(y)$ of a molecule. The objective P(14) separates: the
# membership block learns from all molecules, the mean block from the measured ones.

# %%
split = repeated_splits(
    len(Y), n_splits=1, train_fraction=0.6, train_sizes=[n_live], random_state=seed
)[0]
train, test, weak = split.train(n_live), split.test, split.rest(n_live)[:800]
seen = np.concatenate([train, weak])
mixture = GaussianMixtureEmbedding(n_levels, random_state=seed).fit(Y[train])
labels = mixture.predict_proba(Y[weak])
print("mean activity of each component:", mixture.means_.mean(axis=1).round(1))
print("weights:", mixture.weights_.round(2))
assert (labels.max(axis=1) > 0.99).mean() > 0.95
assert np.ptp(mixture.means_.mean(axis=1)) > 20

# %% [markdown]
# The components are levels of potency, as the paper says. More than 95 % of the weak labels have a
# probability above 0.99, because 59 outputs leave hardly any doubt. So a weak label is
# as good as a component's number.
#
# On one split with 100 measured molecules, weak labels lower the error:

# %%
ridge = KernelRidgeCV(kernel="precomputed")
K_train = K[np.ix_(train, train)]
K_told = K[np.ix_(weak, seen)]
plain, model = (OutputFisherRegressor(mixture, ridge, block_wise=True) for _ in range(2))
plain.fit(K_train, Y[train])
model.fit(K_train, Y[train], weak=Memberships(K_told, labels, weight=1.0))
K_plain, K_weak = K[np.ix_(test, train)], K[np.ix_(test, seen)]
truth = mixture.predict_proba(Y[test])
embedded = model.predict_embedding(K_weak)
embedded[:, : len(truth.T)] = truth
live = {
    "measured molecules alone": rrmse(Y[test], plain.predict(K_plain)),
    f"with {len(weak)} weak labels": rrmse(Y[test], model.predict(K_weak)),
    "components of test molecules known": rrmse(Y[test], mixture.inverse_transform(embedded)),
}
for name, error in live.items():
    print(f"{name:35} RRMSE {error:.3f}")
right = {
    name: (one.predict_membership(inputs).argmax(axis=1) == truth.argmax(axis=1)).mean()
    for name, one, inputs in [("alone", plain, K_plain), ("weak", model, K_weak)]
}
print(f"component right: {right['alone']:.0%} alone, {right['weak']:.0%} with weak labels")
without, with_labels, known = live.values()
assert with_labels < without
assert known < 0.8 * with_labels
assert right["alone"] < right["weak"]

# %% [markdown]
# Predicted components get better. By the closed form $y^* = h_2 + \sum_j g_j \mu_j$ the prediction
# then moves towards the mean of the right component. If the components of the test molecules were
# *known*, there would be far more to gain.

# %% mystnb={"figure": {"name": "fig-weak-memberships", "caption": "True memberships of three test molecules, and those predicted with weak labels. The true ones are certain, and the predicted ones are not."}, "image": {"alt": "Bars of membership in each component for three molecules, true beside predicted."}}
_ = plot_memberships(truth[:3], model.predict_membership(K_weak)[:3])

# %%
shown = truth[:3], model.predict_membership(K_weak)[:3]
assert shown[0].max(axis=1).min() > 0.95 > shown[1].max(axis=1).max()

# %% [markdown]
# ## The protocol with weak labels
#
# Splits, kernel and sizes are those of Table 9.
#
# *Our form* takes up to eight components. It chooses the number by the leave-one-out error of
# the *decoded* measured outputs (`OutputFisherRegressor.loo_predict`, exact with the mixture held
# fixed). Each block has its own ridge parameter, by leave-one-out too. A molecule with a
# weak label weighs as much as a measured one.
#
# *The paper's form*, which the verdicts are about, is P(14) as it stands: score scaling, no
# intercept, one ridge parameter, and the closed form P(10). Five folds of the measured molecules
# choose the components, the ridge parameter and the weight of a weak label ($2 \ell \lambda_2$)
# together. Its rows are called *(paper)*.
#
# With natural scaling, wOFER (ours) and imputing differ in two things only. wOFER projects
# memberships on the simplex. And where wOFER says that the residual of a weak label is unknown,
# imputing says that it is zero.

# %%
print(weak_table.describe())

# %% [markdown]
# ## All tests with weak labels

# %% mystnb={"figure": {"name": "tab-weak-tests", "caption": "Mean differences of RRMSE over ten splits, by measured molecules (columns). A minus favours the first method. A star is significant at the paper's level by Student's test."}}
tested = [
    ("wOFER+800", "m-KRR centred"),
    ("wOFER+800", "OFER-GMM"),
    ("wOFER+100", "OFER-GMM"),
    ("wOFER+800", "m-KRR imputed+800"),
    ("m-KRR imputed+800", "m-KRR centred"),
]
weak_errors.starred(tested)

# %% mystnb={"figure": {"name": "tab-weak-corrected", "caption": "P-values of the same differences by the capped test of {doc}`the protocol <06_1_protocol>`, by measured molecules (columns). It is on the safe side, most of all with small training sets."}}
assert np.isclose(get_experiment("ofer-table-10").test_train_ratio["10"], len(test) / 10)
p = {f"{a} − {b}": weak_errors.tests(a, b)["p_corrected"] for a, b in tested}
pd.DataFrame(p).T.map("{:.2g}".format)

# %%
print("splits of ten on which wOFER+800 (ours) beats m-KRR centred:")
print(wins.to_dict())

# %% [markdown]
# ## Shuffled labels
#
# Rows *shuffled* have the same weak labels, dealt out at random.

# %% mystnb={"figure": {"caption": "RRMSE with shuffled labels, in our form and in the paper's, by measured molecules (rows). To be compared with the rows of the same name in {numref}`tab-weak-results`."}}
show_results(weak_table._replace(frame=weak_table.frame[is_control]), metric="rrmse")

# %% mystnb={"figure": {"name": "tab-weak-changes", "caption": "Mean change of RRMSE that weak labels bring over ten splits, by measured molecules (columns): in our form, in the paper's form, and shuffled. A star is significant at the paper's level by Student's test."}}
weak_errors.starred(weak_pairs.items()).set_axis(list(weak_pairs))

# %% [markdown]
# ## What weak labels are worth, in numbers

# %% mystnb={"figure": {"caption": "Measured molecules that m-KRR centred would need for the same mean error, rounded to tens, by measured molecules (rows) and weak labels (columns). 500 means at least 500, where the curve of m-KRR centred ends."}}
shown = worth[["wOFER+100", "wOFER+500", "wOFER+800"]].round(-1).astype(int)
shown.rename_axis(index="measured molecules", columns=None)

# %% [markdown]
# ## Verdicts

# %%
HTML(claims_to_html(read_claims(chapter="06_4_2_drug_activity")))

# %% [markdown]
# ## Exercises
#
# ```{exercise} Quick
# :label: ex-drug-normalise
#
# Fit m-KRR to the activities, and also to a constant output of one. Divide the first prediction by
# the second. To which method of the table is the quotient equal?
# ```
#
# ```{solution} ex-drug-normalise
# :class: dropdown
#
# To OFER-GMM (paper), with one component and the same ridge parameter. Let $a_i(x)$ be the
# weights of the training molecules. m-KRR predicts $\sum_i a_i y_i$, and the fit to the constant
# predicts $\sum_i a_i$. The closed form P(10) with a single precision is their quotient.
# ```
#
# ```{exercise} Quick
# :label: ex-drug-candidates
#
# In IOKR rbf, set `preimage="candidates"`. The prediction is then the measured profile of a training
# molecule. Is it better, because such a profile exists?
# ```
#
# ```{solution} ex-drug-candidates
# :class: dropdown
#
# It is worse, with a hundred molecules and a width of one or four median distances. A measured
# profile brings its own noise along, and the squared error rewards the mean of many. Candidates are
# for outputs that cannot be averaged, such as graphs, or series of unequal lengths.
# ```

# %%
solver = KernelRidge(alpha=1.0, kernel="precomputed")
both = solver.fit(K_train, np.column_stack([Y[train], np.ones(n_live)])).predict(K_test)
form = OutputFisherRegressor(
    GaussianMixtureEmbedding(1, scaling="score", decoder="raw"), solver, block_wise=False
)
assert np.allclose(form.fit(K_train, Y[train]).predict(K_test), both[:, :-1] / both[:, -1:])
for factor in (1, 4):
    width = factor * median_bandwidth(Y[train])
    gaussian = {"kernel": "precomputed", "output_gamma": 0.5 / width**2}
    errors = []
    for preimage in ("candidates", "gradient"):
        iokr = InputOutputKernelRegressor([1.0], preimage=preimage, **gaussian)
        errors.append(rrmse(Y[test], iokr.fit(K_train, Y[train]).predict(K_test)))
    assert errors[0] > errors[1]

# %% [markdown]
# ```{exercise} Code
# :label: ex-drug-gaussian
#
# Replace the kernel $k$ of m-KRR by $\exp(-\eta (2 - 2 k))$, a Gaussian of the distance that
# belongs to $k$. Keep the intercept out, and take ten molecules. What becomes of the error as
# $\eta$ falls from 3 to 0.01?
# ```
#
# ```{solution-start} ex-drug-gaussian
# :class: dropdown
# ```

# %%
ten = split.train(10)
bare = KernelRidgeCV(kernel="precomputed", fit_intercept=False)
K_ten, K_rest = K[np.ix_(ten, ten)], K[np.ix_(test, ten)]
errors = {"Tanimoto": rrmse(Y[test], bare.fit(K_ten, Y[ten]).predict(K_rest))}
for eta in (3, 0.3, 0.01):
    G = np.exp(-2 * eta * (1 - K[:, ten]))
    errors[eta] = rrmse(Y[test], bare.fit(G[ten], Y[ten]).predict(G[test]))
errors["Tanimoto, intercept"] = rrmse(Y[test], ridge.fit(K_ten, Y[ten]).predict(K_rest))
print({name: round(value, 3) for name, value in errors.items()})
assert errors[0.01] < 1.05 * errors["Tanimoto, intercept"] < errors["Tanimoto"]

# %% [markdown]
# It falls to the level of m-KRR centred. A wide Gaussian is nearly constant: it contains an
# intercept that is hardly penalised.
#
# ```{solution-end}
# ```
#
# ```{exercise} Open
# :label: ex-drug-fp3
#
# `fetch_nci60(fingerprint="fp3")` has 55 substructures instead of 1024 hashed paths. How much of
# the accuracy is lost, and does the ordering change?
# ```
#
# ```{solution} ex-drug-fp3
# :class: dropdown
#
# Repeat the live look with these fingerprints, for several training sizes, with and without an
# intercept. Coarse fingerprints have larger similarities, so predictions without an intercept fall
# less towards zero. If worse inputs win, that tells about the intercept, not about chemistry.
# ```

# %% [markdown]
# ```{exercise} Quick
# :label: ex-weak-components
#
# Fix the number of components at 2 and at 4. Does it matter without weak labels, and with 800?
# ```
#
# ```{solution} ex-weak-components
# :class: dropdown
#
# It changes either error by less than four percent, as long as each component has enough measured
# molecules to have a mean worth knowing. (A single component would make weak labels say nothing.)
# ```

# %%
by_count = {}
with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # of a component that holds one molecule
    for count in (2, 4):
        parts = GaussianMixtureEmbedding(count, random_state=seed).fit(Y[train])
        told = Memberships(K_told, parts.predict_proba(Y[weak]), weight=1.0)
        regressor = OutputFisherRegressor(parts, ridge, block_wise=True)
        alone = regressor.fit(K_train, Y[train]).predict(K_plain)
        helped = regressor.fit(K_train, Y[train], weak=told).predict(K_weak)
        by_count[count, "alone"], by_count[count, "weak"] = (
            rrmse(Y[test], alone),
            rrmse(Y[test], helped),
        )
assert abs(by_count[2, "alone"] / by_count[4, "alone"] - 1) < 0.04
assert abs(by_count[2, "weak"] / by_count[4, "weak"] - 1) < 0.04

# %% [markdown]
# ```{exercise} Code
# :label: ex-weak-errors
#
# Replace a share of the weak labels by random components. How wrong may a supervisor be until 800
# weak labels are worth nothing?
# ```
#
# ```{solution-start} ex-weak-errors
# :class: dropdown
# ```

# %%
rng = np.random.default_rng(seed)
weak_errors = {}
for share in (0.0, 0.2, 0.4, 0.8):
    wrong = rng.uniform(size=len(weak)) < share
    wrong_labels = rng.integers(n_levels, size=len(weak))
    told = np.where(wrong, wrong_labels, labels.argmax(axis=1))
    model.fit(K_train, Y[train], weak=Memberships(K_told, told, weight=1.0))
    weak_errors[share] = rrmse(Y[test], model.predict(K_weak))
print({share: round(error - without, 3) for share, error in weak_errors.items()})
assert weak_errors[0.0] < weak_errors[0.2] < without < weak_errors[0.4] < weak_errors[0.8]
assert without - weak_errors[0.2] < 0.25 * (without - weak_errors[0.0])

# %% [markdown]
# With a fifth of them drawn at random most of the gain is gone, with two fifths all of it. Then the
# labels do harm, because they outnumber the measured molecules eight to one. A smaller
# `weight` limits the damage.
#
# ```{solution-end}
# ```
#
# ```{exercise} Open
# :label: ex-weak-which
#
# You may ask for 100 weak labels, of molecules that you choose. Which would you ask for?
# ```
#
# ```{solution} ex-weak-which
# :class: dropdown
#
# Compare a random choice with the molecules whose predicted memberships
# (`predict_membership`) are least certain, and with those most similar to many others.
# ```
