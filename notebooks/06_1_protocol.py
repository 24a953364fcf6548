# ---
# jupyter:
#   kernelspec: {display_name: Python 3, language: python, name: python3}
#   ofer:
#     tables: [ofer-test-levels]
#     reads: [ofer-table-05, ofer-table-07, ofer-table-08, ofer-table-09, ofer-table-10,
#       ofer-table-11, ofer-table-12, ofer-table-13, ofer-table-14]
# ---

# %% [markdown]
# # The protocol
#
# *Section 6.1 of {cite:t}`djerrab2018`*
#
# **The question.** When is one method better than another? The answer depends on how models are
# fitted, who chooses their parameters and on which data, what is measured, and which test decides.
#
# **The idea.** Section 6.1 of {cite:t}`djerrab2018` says this on one page. We fill in what it
# leaves out, and check each choice by a small computation.
#
# **The answer.** One choice matters more than we would like. The paper compares methods by
# Student's t-test on random splits, and says "different" where p is below .001. We simulated two
# equally good methods. With ten training samples the test is nearly right. With twenty it says
# "different" twice as often as it should, with five hundred a hundred times as often. The usual correction says nothing with few
# training samples. So our verdicts use the paper's test, because the paper does. Where we stored errors
# by test object we add a sounder one, which errs at most a third more often than it should, and for
# classes, at .001, up to twice as often. Elsewhere read "significant" as "on these splits". In the paper's tables more than a third of
# OFER's leads are smaller than the spread over the splits. On drug activities always predicting the
# mean has an error of .21: only errors below that show that something was learned.

# %% tags=["parameters"]
profile: str = "stored"  # or "quick", "full": see the box above
n_components: int = 10  # of the output model whose EM is watched
n_train: int = 100  # training samples of the part on learning
n_molecules: int = 2228  # of the drug activity data, for the figure of a split
seed: int = 0

# %%
import dataclasses

import numpy as np
import pandas as pd
from sklearn.base import clone
from sklearn.metrics.pairwise import pairwise_kernels
from sklearn.mixture import GaussianMixture
from sklearn.model_selection import LeaveOneOut, cross_val_predict

from ofer import GaussianMixtureEmbedding, KernelRidgeCV, OutputFisherRegressor
from ofer.datasets import load_digits_reconstruction
from ofer.kernels import median_bandwidth
from reproduction.engine import Results, get_experiment, load, results, why_stale
from reproduction.figures.gains import plot_leads
from reproduction.figures.loo_path import plot_loo_path
from reproduction.figures.names import method_name
from reproduction.statistics import leads, read_paper, repeated_splits, summarize
from reproduction.studies.levels_of_tests.figures import (
    plot_em_path,
    plot_levels_of_tests,
    plot_split,
)

# %%
experiment = get_experiment("ofer-table-09")
frame, sidecar = load("ofer-table-09")
place = ["method", "setting"]
means = summarize(frame).pivot(index=place, columns="metric", values="mean")
paper = read_paper("ofer-table-09").replace({"method": {"OFER-GMM": "OFER-GMM as printed"}})
paper = paper.set_index(place)["mean"]
levels = (
    means[["rrmse", "arrmse"]]
    .join(paper.rename("paper"), how="inner")
    .sort_index(key=lambda labels: labels.str.zfill(3))
)
trivial = (means["rrmse"] / means["arrmse"]).groupby("setting").mean()

# %% [markdown]
# ## How a number is made
#
# - **Output model.** EM fits mixtures of Gaussians, as in the paper. We stop it when the mean
#   Fisher score of the outputs is small, because the score is what the method uses.
# - **Regression.** Leave-one-out chooses the ridge parameter, in our form one for each block of the
#   embedding. One eigendecomposition serves all candidates.
# - **Choices.** In every split each method chooses its parameters on the training part. A few
#   choices are shared by all splits and were made with test samples in view. *Selection*, below,
#   lists them.
# - **Splits.** On drug activities ten random permutations cut the data into a pool and a test set.
#   Training sets are nested, and all sizes share the test set.

# %%
assert experiment.n_splits == 10

# %% [markdown]
# ## What is measured
#
# Nearly all regression tables are in "relative root mean squared error". The paper does not say to
# what it is relative. One definition divides by the size of the outputs. Another one, common in the
# multi-target literature, divides target by target by the error of the training mean:
#
# ```{math}
# :label: eq-rrmse
# \begin{aligned}
# \operatorname{RRMSE} &= \frac{\| Y - \hat Y \|_F}{\| Y \|_F} , \\
# \operatorname{aRRMSE} &= \frac1m \sum_{t=1}^m
# \sqrt{ \frac{\sum_i (y_{it} - \hat y_{it})^2}{\sum_i (y_{it} - \bar y_t)^2} } .
# \end{aligned}
# ```
#
# In the first, predicting zero has the error 1. In the second, predicting the training mean has.
# The levels of the paper's Table 9, on drug activities, are those of the first: in every row it is
# nearer.

# %%
gaps = levels[["rrmse", "arrmse"]].sub(levels["paper"], axis=0).abs()
assert (gaps["rrmse"] < gaps["arrmse"]).all()
assert (levels["arrmse"] / levels["paper"]).min() > 4

# %% [markdown]
# How good is an RRMSE of 0.2? The quotient of the two measures estimates the RRMSE of the mean
# predictor, whose aRRMSE is 1. It is about 0.21. So the scale of Table 9 begins at the level of the
# mean, not at 1. With ten or twenty molecules nothing does noticeably better. The paper's errors
# for ten molecules lie at or above that level.

# %%
for setting in experiment.settings:
    best = means["rrmse"].xs(setting, level="setting").min()
    assert (best > 0.98 * trivial[setting]) == (setting in ("10", "20"))
assert trivial.between(0.205, 0.216).all()
assert paper.xs("10", level="setting").min() >= trivial["10"]

# %% [markdown]
# ## When do two numbers differ?
#
# The paper prints a number in bold when Student's t-test at the level $10^{-3}$ tells it from the
# others. Its short version prints the same numbers of Tables 9 and 11 and states no level, so its claims
# are judged at 0.05: one number can pass there and not here. The paper does not say whether the test
# is paired. As all methods see the same splits, it should be. In our tables the best number is bold,
# and so are its ties: those that the test does not tell from it at 0.05, unless the mean is worse by
# half or the standard deviation three times as large.
#
# Let $d_k$ be the difference of two methods on split $k$ of $K$. With the mean $\bar d$ and the
# standard deviation $s$ of these differences,
#
# ```{math}
# :label: eq-paired-t
# \begin{aligned}
# t &= \frac{\bar d}{s \, \sqrt{\tfrac1K + \rho}} , \\
# p &= 2 \, P \left( T_{K - 1} > |t| \right) ,
# \end{aligned}
# ```
#
# with $\rho = 0$. This treats the differences as independent. But they come from the same samples,
# so $s$ is too small, and $t$ too large. {cite:t}`nadeau2003` propose $\rho = n_{test} /
# n_{train}$, the *corrected* test.
#
# How bad is it? The spread over splits sees what is drawn anew in each split: the training set. It
# does not see what is peculiar to the objects, for two splits share two fifths of their test
# objects. With ten training samples nearly all variance comes from training sets, with 500 nearly all
# from test objects. The share depends on the methods and the data, so no correction by sizes alone can be
# right.
#
# So we estimate it. Put the objects into G groups at random, and compute each $d_k$ again without
# the test objects of a group. Delete a group from all splits at once: how far the mean moves tells
# its variance by objects. This **two-way test** has
#
# ```{math}
# :label: eq-two-way
# \begin{aligned}
# t &= \frac{\bar d}{\sqrt V} , \\
# V &= \frac{s^2}{K} + C_o \\
# &\quad + w \, (1 - c) \Big( c s^2 + 2 \sqrt{c s^2 \, C_o} \Big) ,
# \end{aligned}
# ```
#
# where $C_o$ is the covariance of two splits by objects that both test, which the values without
# groups give; c is the share of objects that two training sets have in common, and w the share of
# splits in the variance (`reproduction.statistics.two_way` has the formulas). The last term is for
# objects that two splits share in another way: both train on them, or one trains on them and the
# other tests them. The data do not show this term, so we bound it by the bracket. The factor
# $w (1 - c)$ has no derivation. We chose it on a first set of simulations and tested it on a second.
#
# We **simulate** two equally good methods. Each is ridge regression, on its own half of the inputs,
# and both halves have the same part in the outputs. Pools have 2,228 objects, as the drug
# activities, and are drawn anew each time; ten splits, 60 to 40. There are three populations, each
# with a metric of its own. The draws that settled the last term are not counted here.

# %%
simulated = results("ofer-test-levels", profile=profile)
sizes = simulated.frame["setting"].str.extract(r"(?P<n_train>\d+) of (?P<population>.*)")
trials = simulated.frame.rename(columns={"method": "test"}).join(sizes.astype({"n_train": int}))
cells = trials.groupby(["metric", "test", "n_train", "population"], sort=False)["value"].mean()
LEVELS = {0.05: "05", 0.001: "001"}
rates = pd.concat({level: cells[f"rate_{name}"] for level, name in LEVELS.items()}, names=["level"])
rates = rates.rename("rate").reset_index()
same = rates["test"] == "corrected, whole pool"  # as the greatest correlation

# %% mystnb={"figure": {"name": "fig-levels-of-tests", "caption": "Simulation: how often tests call two equally good methods different, by the number of training samples, at two levels. The grey band is within a third of the level. Lines are means of three populations, dots the two-way test in each of them. Only the two-way test stays in or near the band at all sizes. What is rarer than a hundredth of the level is drawn there."}, "image": {"alt": "Two log-log panels. Student's test begins near the grey band and rises far above it, to a hundred times the level on the right. The corrected test lies at the bottom. The two-way test runs along the band."}}
_ = plot_levels_of_tests(rates[~same], [*LEVELS], "two-way")

# %% [markdown]
# With ten training samples Student's test is nearly right. With twenty it finds up to one and a half
# times as many differences as it should at the level 0.05, and twice as many at 0.001. With a hundred
# it finds twenty times as many at 0.001, with 500 about a hundred times. The corrected test is blind:
# up to a hundred samples it never rejects. A test that takes $\rho = n_{test} / (N - n_{test})$, for
# N objects in all, assumes the *greatest correlation*. It is nearly as blind with few samples, and
# becomes nearly right when test objects decide.
#
# The two-way test is within a third of both levels at every size, on average over the populations,
# and at 0.05 in each of them. At 0.001 it is too generous with classes, by up to a factor of two. Known
# forms of a two-way variance do worse: with *cells* subtracted {cite}`cameron2011` it is too small. (A
# cell is what one group of objects does in one split. Not subtracted, cells count twice.) The *pigeonhole bootstrap*, which draws splits
# and objects {cite}`owen2007`, does not know that ten training sets are few.

# %%
ratio = rates.assign(ratio=rates["rate"] / rates["level"])
by_size = ratio.groupby(["level", "test", "n_train"])["ratio"].mean().unstack("n_train")
usual, strict = by_size.loc[0.05], by_size.loc[0.001]
student = strict.loc["Student"]
assert usual.loc["Student", 20] < 1.6 < 2 < student[20] < 2.5
assert student[10] < 1.5 < 20 < student[100] < 25 < 90 < student[500] < 110
assert by_size.xs("corrected", level="test")[[10, 20, 100]].max(axis=None) < 0.01
assert strict.loc["corrected, whole pool"].equals(strict.loc["greatest correlation"])
assert usual.loc["greatest correlation", 20] < 0.05 < 2 / 3 < usual.loc["greatest correlation", 500]
assert (by_size.xs("two-way", level="test") - 1).abs().max(axis=None) < 1 / 3
single = ratio[ratio["test"] == "two-way"].set_index(["level", "population"])["ratio"]
assert (single.loc[0.05] - 1).abs().max() < 1 / 3
assert 1.8 < single.loc[0.001, "classes, error rate"].max() < 2
assert single.loc[0.001].drop("classes, error rate").max() < 4 / 3
for other in ("two-way, cells subtracted", "pigeonhole bootstrap"):
    assert strict.loc[other].max() > 2

# %% mystnb={"figure": {"name": "tab-power-of-tests", "caption": "Simulation: share of pairs that a test calls different at the level 0.001, by the number of training samples (columns). Left where methods differ by four true standard errors of the mean difference; right where they are equal, in thousandths, which should be 1. Where the right number is large, the left one is no power."}}
power = cells["power_001"].groupby(["test", "n_train"], sort=False).mean().unstack("n_train")
texts = {"differ": power.map("{:.0%}".format), "equal": strict.map("{:.1f}".format)}
shown = pd.concat(texts, axis=1).loc[power.index.drop("corrected, whole pool")]
shown.rename_axis(index=None, columns=["methods", "samples"])

# %% [markdown]
# A lead has to be large to be seen. To find it at the level 0.001 with a probability of 80 %, the
# two-way test needs a difference of five standard errors with ten training samples, and of four and
# a half with 500. The greatest correlation needs fourteen and six, the corrected test a hundred and
# fifty and nine.

# %% mystnb={"figure": {"caption": "The least difference, in standard errors, that a test (rows) finds at the level 0.001 with a probability of 80 %, by the number of training samples (columns)."}}
detectable = cells["detectable_001"].groupby(["test", "n_train"]).mean().unstack("n_train")
shown = detectable.loc[["two-way", "greatest correlation", "corrected"]]
shown = shown.rename_axis(index=None, columns="samples")
shown.map("{:.1f}".format)

# %%
assert 5 < detectable.loc["two-way", 10] < 5.5 < 5.7 < detectable.loc["greatest correlation", 500]
assert 4.3 < detectable.loc["two-way", 500] < 4.6
assert 13 < detectable.loc["greatest correlation", 10] < 14 < 140 < detectable.loc["corrected", 10]
assert 8.5 < detectable.loc["corrected", 500] < 9.5

# %% [markdown]
# What limits the two-way test? Where training sets decide, ten splits leave nine degrees of freedom.
# What training objects and test objects have in common is bounded, not estimated; with classes it is
# more than elsewhere. And the test needs values without groups of objects. Where a table has one
# value a split, we give Student's test and the corrected one; the truth lies between. There $\rho$ is
# at most 1.5, or the corrected test would be blind: this is the *capped* test. If only Student's test sees a difference, it is one on
# these splits, and perhaps no more.
#
# **How large are the claimed differences?** {numref}`fig-leads` has every row of the tables in
# which OFER is said to lead. It divides OFER's lead over the best of the others by the standard
# deviation over the splits. With weak labels, the other is OFER without them.

# %%
CLAIMED = dict.fromkeys(
    ("ofer-table-07", "ofer-table-09", "ofer-table-11", "ofer-table-12"), "OFER-GMM"
)
CLAIMED |= {"ofer-table-08": "wOFER+2500", "ofer-table-10": "wOFER+800"}
CLAIMED |= dict.fromkeys(("ofer-table-13", "ofer-table-14"), "wOFER+2500")


# %%
def leads_in(id, method):
    paper, summary = read_paper(id), summarize(load(id)[0])
    metric = paper["metric"].iloc[0]
    larger = metric == "accuracy"
    others = [m for m in paper["method"].unique() if "OFER" not in m]
    others = others if method == "OFER-GMM" else ["OFER-GMM"]
    printed = leads(paper, method, others, larger_is_better=larger)
    summary = summary[(summary["metric"] == metric) & summary["setting"].isin(printed.index)]
    literal = {f"{m} as printed": m for m in (method, "OFER-GMM")}
    summary = summary[~summary["method"].isin(literal.values())].replace({"method": literal})
    ours = leads(summary, method, others, larger_is_better=larger)
    table = f"Table {int(id[-2:])}" + (", weak labels" if method != "OFER-GMM" else "")
    return pd.DataFrame({"table": table, "printed": printed, "ours": ours})


lead = pd.concat([leads_in(id, method) for id, method in CLAIMED.items()])

# %% mystnb={"figure": {"name": "fig-leads", "caption": "Claimed leads beside the noise of ten splits: a mark for each row of a table, right of zero where OFER leads. In the grey band a lead is smaller than one standard deviation over the splits. Many printed leads lie there, and more than half of ours are no leads. The axis is logarithmic beyond ten."}, "image": {"alt": "Eight rows of marks. Many filled ones, which are printed, lie in or near a grey band around zero; most open ones, which are ours, lie in it too, those of Tables 11 and 12 far to its left."}}
_ = plot_leads(lead)

# %% [markdown]
# More than a third of the printed leads are smaller than one standard deviation over the splits. A
# paired test can see differences that small, because all methods share the splits. A reader of
# means and deviations cannot. In our runs of the paper's form more than half are no leads at all,
# above all those of classification (Tables 11 and 12).

# %%
within = lead["printed"].abs() < 1
assert 1 / 3 < within.mean() < 1 / 2
assert (lead["ours"] < 0).mean() > 1 / 2
assert lead.loc[lead["table"].isin(["Table 11", "Table 12"]), "ours"].max() < -5

# %% [markdown]
# ## What this changes for you
#
# - Do not trust a t-test on ten overlapping splits, unless training sets are tiny. With a hundred
#   samples or more it is twenty to a hundred times too generous at the level 0.001. The usual
#   correction sees nothing when training sets are small.
# - Keep the error of each test object, or errors without each of some groups of objects. Then a test
#   over splits and objects keeps its level ({eq}`eq-two-way`).
# - Ask to what an RRMSE is relative. In Table 9 it is the size of the outputs, so the mean
#   predictor is already far below 1.
# - If you use Fisher scores, fit the model to a tolerance on the score, on a standard scale. It
#   costs ten times the iterations.
# - Translate penalties by $\alpha = 2 \ell \lambda_0$ ({eq}`eq-alpha`), and let exact leave-one-out
#   choose one ridge parameter for each block.
#
# ## Estimating the output model
#
# As in the paper, Gaussians are isotropic (`covariance_type="spherical"`) and mixtures are fitted
# by EM; ours is scikit-learn's. State-space models are an exception: the paper says "isotropic in all
# experiments", and our EM fits full covariances $Q$ and $R$, as pykalman does, which the paper used.
#
# The example is the middles of handwritten digits from {doc}`the introduction <01_introduction>`, in
# units of their overall standard deviation. No iteration lowers the likelihood.

# %%
digits = load_digits_reconstruction()
Y = digits.Y / np.sqrt(np.mean((digits.Y - digits.Y.mean(axis=0)) ** 2))
embedding = GaussianMixtureEmbedding(n_components, random_state=seed)
ours = embedding.fit(Y)
loose = clone(embedding).set_params(tol=np.sqrt(1e-3)).fit(Y)
bounds = np.array(ours.mixture_.lower_bounds_)
assert (np.diff(bounds) > -1e-12).all()

# %% mystnb={"figure": {"name": "fig-em-path", "caption": "Mean log-likelihood of an output during EM (left) and what it still lacks (right, logarithmic). Vertical lines show where scikit-learn's default tolerance stops, and where ours does. By the left panel one would stop too early."}, "image": {"alt": "Left, a curve that rises steeply and flattens after ten iterations. Right, the same on logarithmic axes, falling in steps until beyond a hundred iterations."}}
stops = {"scikit-learn's default": loose.n_iter_, "our default": ours.n_iter_}
_ = plot_em_path(bounds, stops)

# %% [markdown]
# Scikit-learn stops at a gain below $10^{-3}$, which suits clustering. Here the object of interest
# is the *gradient* of the likelihood. The gain of an iteration is quadratic in the mean score that
# is left, so a gain of $10^{-3}$ leaves a score of the order of its square root. Our `tol` is a
# bound on the score, and EM stops at a gain of `tol ** 2`. The mean score is then below $10^{-5}$;
# at scikit-learn's tolerance it is above $10^{-3}$. This takes ten times the iterations.

# %%
C, d = ours.means_.shape
largest = {}
for name, fitted in {"loose": loose, "ours": ours}.items():
    mean_score = fitted.fisher_vector(Y)[:, C : C + C * d].mean(axis=0)
    largest[name] = np.abs(mean_score).max()
assert largest["ours"] < 1e-5
assert largest["loose"] > 1e-3
assert 8 < ours.n_iter_ / loose.n_iter_ < 20

# %% [markdown]
# The memberships should not depend on the unit of the outputs either. But `reg_covar`, the number
# that is added to variances to keep them off zero, has a unit. So we fit on a standard scale and
# transform back. In other units the means then move along and the memberships stay. Without this,
# the typical variance more than doubles when the outputs are divided by 1000.

# %%
far = Y / 1000 + 40
moved = clone(embedding).fit(far)
assert np.abs(moved.means_ - (ours.means_ / 1000 + 40)).max() < 1e-8
assert np.allclose(moved.predict_proba(far), ours.predict_proba(Y), atol=1e-5)
plain = GaussianMixture(n_components, covariance_type="spherical", random_state=seed)
growth = np.median(plain.fit(far).covariances_ * 1000**2 / ours.covariances_)
assert growth > 2

# %% [markdown]
# ## Learning
#
# The learning step {eq}`eq-objective`, P(13), has a penalty $\lambda_0$ and a mean over $\ell$
# samples with a factor $\tfrac12$. Software for kernel ridge regression minimises a *sum* of
# squares plus $\alpha \| h \|^2$. They are the same problem when
#
# ```{math}
# :label: eq-alpha
# \alpha = 2 \, \ell \, \lambda_0 , \qquad
# h(x) = \sum_{i=1}^{\ell} k(x, x_i) \, c_i , \qquad
# (K + \alpha I) \, c = \Phi ,
# ```
#
# with the embeddings as the rows of $\Phi$. So a fixed $\lambda_0$ is a ridge parameter that grows
# with the training set. Mind that when you compare learning curves.

# %%
train = np.random.default_rng(seed).permutation(len(Y))[:n_train]
X, Y = digits.X[train], Y[train]
kernel = {"kernel": "rbf", "gamma": 0.5 / median_bandwidth(X) ** 2}
alpha = 2 * n_train * 0.001
K = pairwise_kernels(X, metric="rbf", gamma=kernel["gamma"])
model = KernelRidgeCV([alpha], fit_intercept=False, **kernel).fit(X, Y)
assert np.allclose((K + alpha * np.eye(n_train)) @ model.dual_coef_, Y)

# %% [markdown]
# Section 5.1 of the paper says that the kernel is Gaussian, and Section 6.1.2 that it is linear
# unless stated otherwise. Most tables name their kernel, and we take it. For Tables 9 and 10 text and
# caption disagree, so we run both. Widths are median distances of
# training inputs unless a chapter says something else.
#
# Leave-one-out costs little. The residual of a sample under the model fitted *without* it follows
# from the model fitted with it:
#
# ```{math}
# :label: eq-loo
# y_i - h_{-i}(x_i) = \frac{c_i}{\big[ (K + \alpha I)^{-1} \big]_{ii}} .
# ```
#
# One eigendecomposition of $K$ gives the right-hand side for every $\alpha$. (An intercept adds one
# row and column to the matrix.) Separate fits without each sample agree.

# %%
alphas = [0.01, 0.1, 1.0]
some = slice(0, 30)
path = KernelRidgeCV(**kernel).loo_predictions(X[some], Y[some], alphas=alphas)
models = [KernelRidgeCV([alpha], **kernel) for alpha in alphas]
brute = [cross_val_predict(model, X[some], Y[some], cv=LeaveOneOut()) for model in models]
assert np.allclose(path, brute)

# %% mystnb={"figure": {"name": "fig-loo", "caption": "Leave-one-out error of the two blocks of a mixture's embedding by the ridge parameter, with marks at the chosen ones. Each block has its own best smoothing. One ridge parameter for both has to compromise."}, "image": {"alt": "Two curves of error against ridge on a logarithmic axis, each with a minimum marked, at different ridges."}}
model = OutputFisherRegressor(embedding, KernelRidgeCV(**kernel), block_wise=True).fit(X, Y)
blocks = model.regressor_
_ = plot_loo_path(blocks)

# %% [markdown]
# The mean block takes the larger ridge parameter. Each is one of 25 candidates. Leave-one-out
# minimises the error of the *embedding*. That is a proxy of the error that we report, of the
# decoded output, and need not have its minimum in the same place.

# %%
assert blocks["membership"].alpha_ < blocks["mean"].alpha_
assert {len(block.alphas_) for block in blocks.values()} == {25}

# %% [markdown]
# ## Selection
#
# The paper selects hyper-parameters by cross-validation on the training set. So do we. In every
# split of every table each method chooses among its candidates on the training part. Baselines use
# the same kind of criterion as the methods that they are compared with. Some rows quote the best on test objects, as a
# paper does; the last item of this section's list names them. In all others no method chooses by a test
# sample.
#
# A table also rests on choices that all its splits share: the candidates, the criterion, the form
# of the features. Some of these had been settled with an eye on test samples, and have been made
# again inside training parts:
#
# :::{table} Choices that all splits share, made again inside training parts.
# | choice | chapter | how it is made |
# |---|---|---|
# | cost of the SVM, width and rate of the MLP, features tried by the forest | {doc}`06_5_classification` | by ranks of left-out images, as for OFER; the grid of costs goes on where the best one lies at its end |
# | form of the features of scenes, and their principal components | {doc}`12_2_sslsop_experiments` | by nearest neighbours among labelled training samples; fitted to training samples |
# | C, neighbours and iterations of SSLSOP | {doc}`12_2_sslsop_experiments` | by folds of the labelled training samples, one after the other |
# :::
#
# The following choices are known to have been settled with test samples or tables in view, and
# could not be made again:
#
# * The criterion in {doc}`06_5_classification` is ranks, not accuracies. Three further splits of
#   the same images settled this. To judge both inside each training part would mean running its
#   four tables twice.
# * With one image per class nothing can be left out. There the ridge parameter of indicators is the
#   mean eigenvalue, the mixture is the largest, the margin of the SVM is hard, the MLP has the
#   width and the rate of scikit-learn, and the forest tries the square root of the inputs. These
#   are arguments, but whoever made them had seen tables.
# * Our own forms, such as the angle in {doc}`06_5_classification`, were found while looking at
#   errors. The paper's form stands beside each, and verdicts are about that.
# * In {doc}`06_5_open_classes` the rule that chooses among inferred classes was picked from about
#   twenty rules. Test samples of digits, wine, partial labels and images were in view, some of them
#   in splits of the tables. No claim of a paper rests on this rule.
# * Time set budgets: the pictures that choose, the samples that a Gaussian process takes its
#   likelihood from and the number of divisions in {doc}`10_2_smtgp_experiments`; at most 25
#   iterations, and twenty neighbours for the longest sentences, in {doc}`12_2_sslsop_experiments`;
#   the number of starts, and dimensions and iterations of LMNN, in {doc}`11_2_fkl_experiments`.
# * In {doc}`11_2_fkl_experiments` we bound the first weights of our learner. We chose the bound by
#   training objectives on molecules, after we had seen test errors of searches without it.
# * {cite:t}`vandermaaten2011` quotes the best of several classifiers and numbers of states on test
#   objects, and so do we beside it. Each row is shown, and the claims say so.
#
# **The weight of weak labels.** With $\lambda_2$ of P(14), a weak label weighs $2 \ell \lambda_2$
# times as much as a label. In the paper's form this weight is chosen together with the ridge
# parameter and the number of components. On traits and on drug activities (Tables 8 and 10) five
# folds of the labelled samples choose it. On images (Tables 13 and 14) ranks in leave-one-out
# predictions of the labelled images do. In our form it is chosen in the same way on images. It is 1
# elsewhere, so a weak sample counts as much as a label. No weight is chosen by the curves of the
# error over it, in {doc}`05_learning` and {doc}`06_5_classification`. The candidates are:

# %%
for number in (8, 10, 13, 14):
    choices = get_experiment(f"ofer-table-{number:02}").parameters
    weights = choices.get("as_printed", choices)["weak_weights"]
    print(f"Table {number}: weights", ", ".join(f"{weight:g}" for weight in weights))

# %% [markdown]
# The methods of the drug activity experiment choose as follows.
#
# :::{table} What each method chooses, and by which criterion.
# | method | choice | criterion |
# |---|---|---|
# | m-KRR and IOKR; OFER-GMM (paper) | ridge parameter; ridge parameter and number of components together | mean RRMSE over cross-validation folds |
# | m-KRR centred | ridge parameter | leave-one-out, {eq}`eq-loo` |
# | OFER-GMM (ours) | ridge parameter of each block; number of components | leave-one-out; cross-validation folds |
# | IOKR rbf | ridge parameter; width of the output kernel | leave-one-out in the output feature space; cross-validation folds |
# | m-RF | features tried at a split | out-of-bag RRMSE |
# :::
#
# *(paper)* after a name means the paper's form, without an intercept, and *(ours)* the form that we
# recommend. In stored tables and in code the first is "as printed", and the second has no word. The
# candidates are part of the declaration of an experiment. (A component has to be left enough
# outputs, so the training size limits the number of components.)

# %%
words = {"n_components": "components", "alphas": "ridge parameters", "widths": "widths"}
for name in ("OFER-GMM as printed", "IOKR rbf"):
    declared = experiment.parameters["methods"][name]["method"]
    for option in [option for option in words if option in declared]:
        values = ", ".join(f"{value:g}" for value in declared[option])
        print(f"{method_name(name)}, {words[option]}: {values}")

# %% [markdown]
# ## The splits
#
# A split cuts a random permutation into a pool and a test set. The training set of size $\ell$ is
# the first $\ell$ samples of the pool. So training sets are nested, all sizes share the test set,
# and what smaller ones leave in the pool can serve as weak labels.

# %% mystnb={"figure": {"name": "fig-split", "caption": "The parts of one split of the drug activity data for five training sizes. The test part is the same for all."}, "image": {"alt": "Five horizontal bars. The training part grows from invisible to a fifth; the rest of the pool and a constant test part follow."}}
sizes = [int(setting) for setting in experiment.settings]
splits = repeated_splits(
    n_molecules,
    n_splits=experiment.n_splits,
    train_fraction=experiment.parameters["train_fraction"],
    train_sizes=sizes,
    random_state=experiment.parameters["random_state"],
)
_ = plot_split(splits[0], sizes)

# %%
first, second = splits[:2]
assert np.isin(first.train(sizes[0]), first.train(sizes[1])).all()
for size in sizes:
    shared = np.isin(first.train(size), second.train(size)).mean()
    print(f"two splits share {shared:.0%} of their training sets of {size}")
shared = np.isin(first.test, second.test).mean()
print(f"two splits share {shared:.0%} of their test sets")

# %% [markdown]
# Repeated splits share samples, so they are not independent experiments.
#
# ## Errors of Table 9 by two definitions

# %% mystnb={"figure": {"caption": "Mean RRMSE and aRRMSE over ten splits of drug activities, and the paper's figure, by method and training size (rows). The paper's figures are at the level of RRMSE."}}
levels.round(3)

# %% [markdown]
# The first rows of m-KRR, kernel ridge regression, and of IOKR, which is the same function here,
# fit neither definition. Without an intercept our errors with ten or twenty molecules are much
# larger than the printed ones ({doc}`06_4_2_drug_activity` says why).

# %%
misfits = gaps["rrmse"][gaps["rrmse"] > 0.02].index
assert set(misfits.get_level_values("method")) == {"m-KRR", "IOKR"}
assert set(misfits.get_level_values("setting")) == {"10", "20"}
few = levels["rrmse"] - levels["paper"]
assert few[["m-KRR", "IOKR"]].unstack()[["10", "20"]].min(axis=None) > 0.08

# %% [markdown]
# The largest gap between our RRMSE and the paper's by method, and the error of the mean predictor
# beside that of the best method:

# %%
for method, gap in gaps["rrmse"].groupby("method").max().items():
    print(f"largest gap between our RRMSE and the paper's, {method_name(method)}: {gap:.3f}")
for setting in experiment.settings:
    best = means["rrmse"].xs(setting, level="setting").min()
    print(f"{setting:>3} molecules: mean {trivial[setting]:.3f}, best method {best:.3f}")

# %% [markdown]
# Relative to the *mean* of the outputs, the root mean squared error has nearly the same values:
# they are less than three percent larger.
#
# Tables 5 and 6 fit none of these definitions. In Table 5 all errors lie between 2.2 and 2.5. That
# is more than twice the error of predicting zero in the first definition, and of predicting the
# mean in the second. We do not know what is printed there.

# %%
assert 1 < 1 / np.sqrt(1 - trivial.mean() ** 2) < 1.03
assert read_paper("ofer-table-05")["mean"].between(2.2, 2.5).all()

# %% [markdown]
# ## Stored results
#
# What takes minutes or hours is stored with the book, one row for each method, setting, split and
# metric:

# %% mystnb={"figure": {"caption": "The first three rows of a stored table: one for each method, setting, split and metric."}}
print(Results(frame, sidecar).describe())
frame.head(3).round(4).set_index("method")

# %% [markdown]
# A *sidecar* says what a table was computed from: what the experiment declares, the checksums of
# its data and of the code that its evaluation reaches, and the versions of the packages.

# %% mystnb={"figure": {"caption": "The beginning of the sidecar of one stored table: what it says, or how many entries it has."}}
entries = ["title", "parameters", "methods", "settings", "data", "versions", "machine", "date"]
brief = {
    name: value if isinstance(value, str) else f"entries: {len(value)}"
    for name, value in ((name, sidecar[name]) for name in entries)
}
pd.Series(brief, name="content").to_frame()

# %% [markdown]
# `results("ofer-table-09")` compares the sidecar with the experiment as declared now: parameters,
# methods, settings, the pinned checksums of its data, and every module that its evaluation reaches,
# without comments and docstrings. If anything differs the table is *stale*; of a table whose methods
# are declared one by one, as these are, only the columns that differ. An error then names the
# command that brings it up to date:

# %%
print("as declared:", why_stale(experiment) or "fresh")
ridge = experiment.methods["m-KRR"]
ridge = dataclasses.replace(ridge, method=dataclasses.replace(ridge.method, n_folds=10))
more_folds = dataclasses.replace(experiment, methods={**experiment.methods, "m-KRR": ridge})
print("ridge regression with ten folds:", why_stale(more_folds))

# %% [markdown]
# `make results` executes the chapters that own missing or stale tables, with `profile` set to
# `full`, and continues where it was interrupted. Where only code has changed, it first recomputes a
# part with every method on which a claim rests. If the rows are the stored ones, within the table's
# tolerance, the table is *sealed* again ({doc}`how_to_rerun`).
#
# ## Exercises
#
# ```{exercise} Quick
# :label: ex-protocol-ridge
#
# A colleague reports $\lambda_0 = 0.001$ with 100 samples. Which `alpha` do you give to the
# software, and which with 1000 samples?
# ```
#
# ```{solution} ex-protocol-ridge
# :class: dropdown
#
# By {eq}`eq-alpha` 0.2 and 2: the same $\lambda_0$ is ten times the ridge parameter.
# ```

# %%
assert np.isclose(2 * 100 * 0.001, 0.2)
assert np.isclose(2 * 1000 * 0.001, 2)

# %% [markdown]
# ```{exercise} Code
# :label: ex-protocol-em
#
# Stop EM early, with `tol=np.sqrt(1e-3)`, and fit an `OutputFisherRegressor` to the digits of this
# chapter. How much do the predictions change? Explain it with the theorem of
# {doc}`02_output_fisher_embedding_regression`.
# ```
#
# ```{solution-start} ex-protocol-em
# :class: dropdown
# ```

# %%
fits = {}
for name, tol in {"tight": embedding.tol, "loose": np.sqrt(1e-3)}.items():
    mixture = clone(embedding).set_params(tol=tol)
    ofer = OutputFisherRegressor(mixture, KernelRidgeCV(**kernel), block_wise=True).fit(X, Y)
    fits[name] = ofer.predict(digits.X)
change = np.linalg.norm(fits["loose"] - fits["tight"]) / np.linalg.norm(fits["tight"])
print(f"relative change of the predictions {change:.3f}")
assert change < 0.1

# %% [markdown]
# Hardly, in the natural scaling. The mixture cancels from the prediction, but for separate ridge
# parameters and the projection. So a slightly different mixture makes an even slighter difference.
# A tight tolerance is about being able to *test* a score, more than about accuracy.
#
# ```{solution-end}
# ```
#
# ```{exercise} Open
# :label: ex-protocol-splits
#
# You compute 30 splits instead of 10. Which parts of $V$ in {eq}`eq-two-way` become smaller? What
# would make the others smaller?
# ```
#
# ```{solution} ex-protocol-splits
# :class: dropdown
#
# Only $s^2 / K$. More splits estimate the difference *on these objects* ever more precisely, and on
# any given objects one of the methods happens to be better. More objects make $C_o$ smaller. So do
# new ones, in a second sample.
# ```
