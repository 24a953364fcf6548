# ---
# jupyter:
#   kernelspec:
#     display_name: Python 3
#     name: python3
# ---

# %% [markdown]
# # Generated outputs
#
# *Section 6.2 of {cite:t}`djerrab2018`, Tables 1 to 4*
#
# Before it turns to real data the paper puts three questions to data that it generates. Does the
# reduced Fisher embedding predict better than the full one when the output model is a Gaussian?
# When it is a mixture? And how does the error of OFER-GMM move as training samples and components
# are added? Its answers are: better and faster, twice, and that rich models need data.
#
# We ask the same questions again. The first two answers hold in most rows. But the reason that the
# paper gives, that the search for the pre-image of the full embedding is stuck in local minima,
# turns out to describe one particular search, and mixtures only. With a better one the gap shrinks, and
# what is left of it comes from learning. And on these data, made of clusters though they are, kernel ridge
# regression without any output model is about as good as the best.
#
# ```{admonition} Run it yourself
# `make chapter NAME=06_2_synthetic PARAMS="profile=quick"`
# computes a small part of each stored table of this chapter anew, in about a minute each, and
# shows it beside the stored rows; {doc}`how_to_rerun` says more.
# ```

# %% tags=["parameters"]
profile: str = "stored"  # or "quick", "full": see the box above
level: float = 1e-3  # of the t-tests; the paper's
n_live: int = 100  # training samples of the live part
n_searched: int = 40  # outputs that the live part decodes by gradient descent
seed: int = 0

# %%
import numpy as np
import pandas as pd

from ofer import (
    FullFisherEmbedding,
    GaussianMixtureEmbedding,
    KernelRidgeCV,
    OutputFisherRegressor,
)
from reproduction.datasets.generated.mixtures import make_d1, make_d2
from reproduction.claims import read_claims, scorecard
from reproduction.engine import get_experiment, results
from reproduction.statistics import compare, paired_t_test, read_paper, summarize
from reproduction.papers.ofer.synthetic.d1 import search_by_descent
from reproduction.papers.ofer.synthetic.forensics import LEARNERS
from reproduction.papers.ofer.synthetic.printed_curves import (
    OURS,
    distances,
    distances_with_mixtures,
    printed_curve,
)
from ofer.kernels import median_bandwidth
from ofer.metrics import rrmse
from reproduction.figures.learning_curves import plot_learning_curves
from reproduction.figures.relative_errors import plot_ablation
from reproduction.papers.ofer.figures.synthetic import (
    plot_clusters,
    plot_nearest_settings,
    plot_search_ends,
    plot_time_and_error,
)

# %% [markdown]
# ## Two data sets
#
# All that the paper says of $\mathcal D_1$ is that its outputs come from a Gaussian mixture of 4
# clusters in $\R^{10}$, and that the input of an output is its projection by kernel PCA on 5
# dimensions. $\mathcal D_2$ is made "similarly", with 10 clusters in $\R^5$. Inputs are thus a
# function of the outputs, a compressed one. Not stated are the number of samples, the weights, the
# means and the variances of the clusters, the kernel of the projection and its width, and whether
# there is noise. Our choices, made before any method was run:

# %%
data = {"D1": make_d1(random_state=seed), "D2": make_d2(random_state=seed)}
chosen = pd.DataFrame({name: one.parameters for name, one in data.items()})
chosen.drop("weights").map(lambda value: f"{value:.3g}" if isinstance(value, float) else value)

# %% mystnb={"figure": {"name": "fig-d1-d2", "caption": "One draw of each data set in the plane: outputs on their first principal axes (numbers stand at the cluster means), and the first two of the five inputs. Colour and mark are the cluster."}, "image": {"alt": "Four scatter plots. D1: four clusters, apart in the outputs and in the inputs. D2: ten clusters, some of which overlap in the plane."}}
_ = plot_clusters(data)

# %% [markdown]
# The inputs show plainly to which cluster an output belongs. A regression has to find the place
# within the cluster, and of that five inputs do not tell everything. We return to the choices
# below, with variants of all of them.
#
# ## The protocol
#
# One draw of 600 samples; ten random splits of it into a pool of 400 and a test set of 200 (for
# Table 4 half and half, as the paper has it); the first 10, 50 or 100 samples of the pool are for
# training. The kernel is Gaussian, as in Section 5.1 of the paper, with the median distance of the
# training inputs as its width. Ridges are chosen by exact leave-one-out.
#
# | method | embedding | ridge, intercept | decoded by |
# |---|---|---|---|
# | reduced | $\phi^M_{Fisher}$ as printed | one ridge, none | closed forms (7) and (10) as they are |
# | reduced, defaults | natural scaling of this package | one ridge per block, intercepts | memberships on the simplex |
# | full | $\phi_{Fisher}$, covariances included | one ridge, none | the best of several searches, all outputs at once |
# | full, a ridge a block | the same | one each for weights, means, covariances | the same |
# | full, closed form | the same | one ridge, none | (7) or (10), from the blocks of weights and means |
# | full by descent | the same | one ridge, none | gradient descent from the model's mean, one output after the other |
# | m-KRR, m-KRR centred | the output itself | one ridge, without and with an intercept | |
#
# "Full by descent" is our reading of the paper's own decoder, "a stochastic gradient descent
# algorithm" without a word on steps, stopping or starts. (What would be stochastic about it is not
# clear: the loss of one pre-image is not a sum over samples.) It is so slow that it decodes only
# the first 20 outputs of each test set; its times are scaled up to all 200.

# %%
one = results("ofer-table-01", profile=profile)
print(one.describe())

# %% [markdown]
# ## Table 1: one Gaussian

# %%
frame = one.frame
compare(frame, read_paper("ofer-table-01"), metric="rrmse").T

# %% [markdown]
# The ordering is the paper's: the reduced embedding has the smaller error in every row. The sizes
# are not. All our errors are below 1, the error of predicting zero, and with 50 samples the
# two embeddings differ by about two hundredths, where the paper has 0.12.
#
# A printed error *above* 1 deserves a thought. If RRMSE means $\|Y - \hat Y\|_F / \|Y\|_F$, which
# fits the paper's Table 9 ({doc}`06_1_protocol`), a method with an error of 1.01 does worse than
# one that answers zero whatever it is asked, and a ridge, chosen by cross-validation, should be
# able to do that. The second definition of {eq}`eq-rrmse` divides by the deviations from the
# training mean; in it 1 is the level of predicting this mean, and 1.09 with ten samples, or 1.01 ±
# 0.01 with more, would be methods that have learnt next to nothing. Here are both for our runs:

# %%
shown = summarize(frame).query("method in ['reduced', 'full']")
shown = shown.pivot(index="setting", columns=["metric", "method"], values="mean")
printed = read_paper("ofer-table-01").pivot(index="setting", columns="method", values="mean")
settings = list(get_experiment("ofer-table-01").settings)
levels = pd.concat({**{m: shown[m] for m in ("rrmse", "arrmse")}, "paper": printed}, axis=1)
ours = levels["rrmse"]
assert np.all(ours["reduced"] < ours["full"])
assert ours.max(axis=None) < 0.8
assert 0.015 < ours["full"]["50"] - ours["reduced"]["50"] < 0.03
assert np.all(levels["arrmse"] < 1.2 * ours)
levels.loc[settings].round(3)

# %% [markdown]
# The second definition raises our errors by less than a fifth, as the mean of our outputs is small.
# So no definition gives the printed level with our data; the paper's inputs must have told less
# about the outputs than ours do. There is another oddity. The standard deviation over ten splits
# printed for 100 samples is 0.001:

# %%
spread = summarize(frame).query("metric == 'rrmse' and method == 'reduced'").set_index("setting")
print(spread["std"].round(4).to_dict())
assert spread["std"]["100"] > 5 * 0.001

# %% [markdown]
# Ours, with 200 test outputs per split, is more than five times as large. Test sets must have been much
# larger than ours, or the splits much alike.
#
# ### Why does the full embedding lose?
#
# The paper names two errors: that of the prediction $h(x)$, and that of the search for its
# pre-image ({doc}`04_pre_images` takes them apart by a formula). Two numbers tell what a search
# owes to either. *Learning error* is $\| H - \Phi \|_F / \| \Phi \|_F$, the error of predicted
# embeddings $H$ against the embeddings $\Phi$ of the true outputs. *Solved* is the share of test
# outputs for which the pre-image found fits $h(x)$ at least as well as the true output: there the
# search is not to blame.

# %%
parts = ["rrmse", "learning error", "solved"]
table = summarize(frame).query("metric in @parts").set_index(["setting", "method"])
table = table.pivot(columns="metric", values="mean")[parts]
order = ["reduced", "full, closed form", "full, a ridge a block", "full", "full by descent"]
steps = table.loc["100"]
assert steps.loc[["full", "full by descent"], "solved"].min() > 0.99
assert np.all(np.diff(steps.loc[["reduced", order[2], order[1], "full"], "rrmse"]) > 0)
table.loc[[("100", method) for method in order]].round(3).astype(object).fillna("")

# %% [markdown]
# Every pre-image is solved, by gradient descent too (whose error is that of its 20 outputs per split,
# and not comparable in the last digits): the loss {eq}`eq-full-loss` of this Gaussian has no false
# minima that matter. So the search is innocent. What is worse is the prediction. The covariance
# block holds products of outputs, 100 of the 110 coordinates; it is harder to learn, and has a say
# both in the choice of the ridge and in the pre-image. The rows in between undo this step by step:
# leaving the covariances out of the decoding helps a little, one ridge per block a
# little more, and not learning them at all most.
#
# ## Table 2: how long it takes
#
# Seconds of one processor, for training, with the choice among 25 ridges, and for predicting 200
# test outputs.

# %%
paper = read_paper("ofer-table-02")
some = frame.query("method in ['reduced', 'full', 'full by descent']")
compare(some, paper, metric="fit time", digits=4).T

# %%
compare(some, paper, metric="predict time", digits=4).T

# %%
time = (
    summarize(frame)
    .query("metric == 'predict time'")
    .pivot(index="setting", columns="method", values="mean")
)
ratio = time[["full", "full by descent"]].div(time["reduced"], axis=0).loc[settings]
assert ratio["full by descent"].between(1e3, 1e4).all()
assert ratio["full"].between(10, 100).all()
ratio.map("{:,.0f} times the reduced".format)

# %% [markdown]
# The printed test times of the full embedding, about a minute, are what a slow search of this kind
# may well take. Those of the reduced one, about a millionth of a second, cannot be times of
# predicting a test set: a single call of a numerical library takes longer. In Table 3 the paper
# prints 0.014 s for a mixture of two, twenty thousand times as much. So the ratio of a hundred
# million in Table 2 means nothing. Ours against gradient descent is in the thousands. Against the
# batched search, which improves all test outputs together, a factor of some tens remains, and in
# absolute terms a few hundredths of a second.
#
# ## Table 3: mixtures

# %%
mixtures = results("ofer-table-03", profile=profile)
print(mixtures.describe())
frame = mixtures.frame
paper = read_paper("ofer-table-03")
methods = ["full", "reduced", "full by descent", "reduced, defaults", "m-KRR"]
compare(frame.query("method in @methods"), paper, metric="rrmse", digits=2)

# %% [markdown]
# For two and four components with 50 or 100 samples the ordering is the paper's, and significant.
# In the corners it is not:
#
# * With ten samples and four components the reduced embedding is the *worse* one, in our table as
#   in the paper's, and its error is far above 1.
# * With ten components and 50 or 100 samples its mean error is about 2 or 4, with a standard deviation
#   that is larger still. On a few outputs the sum of predicted precisions, by which the closed form (10)
#   divides, is nearly zero ({doc}`04_pre_images` shows how). Errors above 1 occur in several splits with
#   50 samples and in few with 100, so that the medians below are moderate; with memberships put on the
#   simplex, *reduced, defaults*, there are none.
#
# Then look at the last column. Kernel ridge regression, which has no output model, is better than
# each of these methods or as good to the second decimal, in every row. That four components are the truth about
# $\mathcal D_1$ helps none of them: as long as one linear smoother learns all coordinates,
# the model cancels from the prediction or nearly so ({prf:ref}`thm-model-cancels`). The paper's own
# tables agree: with 100 samples the error of its reduced embedding is 0.83 for one component, 1.03
# for two, 1.19 for the four that are right and 1.27 for ten.

# %%
wide = frame.query("metric == 'rrmse'").pivot_table(
    index="setting", columns="method", values="value", aggfunc="median", sort=False
)
wide.loc[[f"10-GMM {n}" for n in (10, 50, 100)], methods].round(3)

# %% tags=["hide-input"]
cells = summarize(frame).query("metric == 'rrmse'").pivot(index="setting", columns="method")
means, spreads = cells["mean"], cells["std"]["reduced"]
test = paired_t_test(frame, "reduced", "full", metric="rrmse", level=level)
ordered = [f"{C}-GMM {n}" for C in (2, 4) for n in (50, 100)]
assert test.loc[ordered, "significant"].all()
assert test.loc[ordered, "difference"].max() < 0
assert means["reduced"]["4-GMM 10"] > max(1, means["full"]["4-GMM 10"])
ten = ["10-GMM 50", "10-GMM 100"]
assert np.all((means["reduced"][ten] > 1.5) & (spreads[ten] > means["reduced"][ten]))
splits = frame.query("metric == 'rrmse' and setting in @ten and value > 1")
exploding = splits.groupby(["method", "setting"]).size()
assert exploding["reduced", ten[0]] > exploding["reduced", ten[1]] > 0
assert "reduced, defaults" not in exploding
assert np.all(means[methods].min(axis=1) > means["m-KRR"] - 0.005)
wanted = ["10", "50", "100"]
gaps = means["full by descent"] - means["full"]
assert gaps[[f"{C}-GMM {n}" for C in (4, 10) for n in wanted[1:]]].min() > 0

# %% [markdown]
# With ten samples and ten components each component collapses to a point (the package warns of it;
# the experiment lets it pass, for the row is in the paper).

# %%
compare(frame.query("method in @methods[:3]"), paper, metric="predict time", digits=4)

# %% mystnb={"figure": {"name": "fig-time-and-error", "caption": "Error against the time of predicting 200 outputs, with 100 training samples, for one Gaussian and for mixtures. Bars: one standard deviation over ten splits. For ten components the reduced embedding as printed leaves the frame, but for its bar: its mean error is in the table."}, "image": {"alt": "Four panels, time on a logarithmic axis. Reduced methods and ridge regression at the left, near a thousandth of a second, mostly with the smallest errors; the full embedding in the middle; gradient descent at the right."}}
everything = pd.concat([one.frame.assign(setting="1-GMM " + one.frame["setting"]), frame])
_ = plot_time_and_error(
    summarize(everything.query("method in @methods")),
    settings=[f"{C}-GMM 100" for C in (1, 2, 4, 10)],
    limits=(0.4, 1.1),
)

# %% [markdown]
# ### Where gradient descent ends
#
# For the Gaussian descent was slow but right. For mixtures it is slow and wrong, and it is worth
# seeing how. We fit the full embedding of four components to the draw of $\mathcal D_1$ shown
# above and decode some test outputs in both ways.

# %%
d1 = data["D1"]
order = np.random.default_rng(seed).permutation(len(d1.Y))
train, test = order[:n_live], order[n_live : n_live + n_searched]
gamma = 1 / (2 * median_bandwidth(d1.X[train]) ** 2)
ridge = KernelRidgeCV(kernel="rbf", gamma=gamma, fit_intercept=False)
full = FullFisherEmbedding(GaussianMixtureEmbedding(4, random_state=seed))
model = OutputFisherRegressor(full, ridge, block_wise=False).fit(d1.X[train], d1.Y[train])

# %%
H = model.predict_embedding(d1.X[test])
decoded = {
    "several searches": model.embedding_.pre_images(H).outputs,
    "descent from the mean": search_by_descent(model, d1.X[test]),
}
embedding = model.embedding_.embedding_
owner = embedding.predict_proba(d1.Y[test]).argmax(axis=1)
for name, Y in decoded.items():
    found = embedding.predict_proba(Y).argmax(axis=1)
    losses = np.square(model.embedding_.transform(Y) - H).sum(axis=1)
    print(f"{name}: RRMSE {rrmse(d1.Y[test], Y):.3f}, mean loss {losses.mean():.1f}")
    print(f"  component right: {np.mean(found == owner):.0%}, components used: {len(set(found))}")
    stuck = name.startswith("descent")
    assert (len(set(found)) == 1) == stuck
    assert stuck or np.mean(found == owner) > 0.8

# %% mystnb={"figure": {"name": "fig-search-ends", "caption": "Test outputs and what is decoded for them, in the plane of the component means; lines join the two. Left, the best of searches from several starts; right, gradient descent from the mean of the model."}, "image": {"alt": "Two panels. Left, predictions lie near their outputs around four means. Right, all predictions lie around the mean nearest to the start, and long lines lead to the other clusters."}}
start = embedding.weights_ @ embedding.means_
_ = plot_search_ends(embedding.means_, d1.Y[test], decoded, start=start)

# %% [markdown]
# The mean of the mixture lies between the clusters, and there one component owns all
# responsibility, the one that happens to be nearest. Downhill from this place leads to a minimum
# within that component, whatever $h(x)$ says; the others cannot be seen from here. Each output is
# decoded into the same cluster, and the error is that of a constant, near 1 in either definition. A
# search like this brings the full embedding nearer to the printed level of Table 3, 1.33 to 1.50.
#
# Starting at the mean of *each* component as well, and once at the closed form, finds the right one
# in most cases. A search that knows the model need not be stuck.
#
# ## Table 4: samples and components

# %%
four = results("ofer-table-04", profile=profile)
print(four.describe())
frame = four.frame
forms = {f"OFER {C}-GMM as printed": f"OFER {C}-GMM" for C in (1, 2, 3)}
printed = frame.query("method == 'm-KRR' or method in @forms").replace({"method": forms})
paper = read_paper("ofer-table-04")
simple = ["m-KRR", "OFER 1-GMM"]
compare(
    printed.query("method in @simple"), paper.query("method in @simple"), metric="rrmse", digits=2
)

# %%
compare(
    printed.query("method not in @simple"),
    paper.query("method not in @simple"),
    metric="rrmse",
    digits=2,
)

# %% mystnb={"figure": {"name": "fig-table-04", "caption": "Table 4 as learning curves, the forms as printed, ours and the paper's; bands are one standard deviation over ten splits."}, "image": {"alt": "Two panels of error against 12 to 300 training samples."}}
_ = plot_learning_curves(summarize(printed), paper=paper, limits=(0, 1.3))

# %% [markdown]
# The same with an intercept, and with the defaults of this package:

# %%
ours = ["m-KRR centred", *forms.values()]
compare(frame.query("method in @ours"), metric="rrmse").droplevel(1, axis=1)

# %% tags=["hide-input"]
of_size = frame.pivot_table(index="setting", columns="method", values="value", sort=False)
steady = of_size.drop(columns="OFER 3-GMM as printed")
assert np.all(np.diff(steady.filter(regex="KRR|GMM"), axis=0) < 0)
exploded = of_size["OFER 3-GMM as printed"]
assert exploded[["12", "18"]].min() > 10 > 1 > exploded[["30", "60", "120", "180", "300"]].max()
for form in ("", " as printed"):
    richer = of_size[[f"OFER {C}-GMM{form}" for C in (2, 3)]]
    assert np.all(richer.gt(of_size[f"OFER 1-GMM{form}"], axis=0))
assert np.allclose(of_size["OFER 1-GMM"], of_size["m-KRR centred"])
assert np.all(np.abs(of_size["OFER 1-GMM as printed"] - of_size["m-KRR"]) < 0.006)

# %% [markdown]
# The first of the paper's observations holds for the means: errors fall as samples are added. (Not
# every step passes the test, hence the verdicts *in part* and *inconclusive* below.) The exception
# is three components as printed with 12 and 18 samples, where mean errors of 20 and more, with
# larger standard deviations, come from single splits: (10) divides by nearly zero again. Printed
# there are errors of about 1 with standard deviations up to 1.11, which may have the same cause on
# a smaller scale.
#
# The second is that a richer model pays when there are data enough. Here it never does. With 300
# samples three components are still worse than one, and one component *is* kernel ridge
# regression: with an intercept exactly, as the last table shows.

# %%
pairs = [
    ("OFER 1-GMM as printed", "m-KRR"),
    ("OFER 3-GMM as printed", "OFER 1-GMM as printed"),
    ("OFER 3-GMM", "OFER 3-GMM as printed"),
    ("OFER 3-GMM", "m-KRR centred"),
]
cells = {}
for a, b in pairs:
    test_rows = paired_t_test(frame, a, b, metric="rrmse", level=level).itertuples()
    cells[f"{a} − {b}"] = {
        row.Index: f"{row.difference:+.3f}{' *' if row.significant else ''}" for row in test_rows
    }
print(f"* significant at the level {level:g}")
pd.DataFrame(cells).T

# %% [markdown]
# So what the paper calls a significant improvement by simple models on small training sets is, in
# our runs, a few thousandths at most: the difference between centring outputs at their mean, which
# fitting one Gaussian amounts to, and not doing so. More of it would be seen if the outputs lay
# further from zero.
#
# ## What the paper leaves open
#
# Would other data have given other answers? We draw $\mathcal D_1$ ten times anew in each of some
# variants: with clusters that overlap (separation 2) or lie far apart (12), by a linear kernel PCA,
# by a Gaussian one so narrow that inputs say little but the cluster, with noise on the inputs, of
# 0.3 and 1 times their own size, and with the very same outputs in a unit 5 times as large or as
# small. There are 100 samples for training, 200 for testing.

# %%
variants = results("ofer-sensitivity-d1", profile=profile)
print(variants.describe())
compare(variants.frame, metric="rrmse", digits=2).droplevel(1, axis=1)

# %% mystnb={"figure": {"name": "fig-variants", "caption": "Errors on variants of D1, relative to the reduced embedding of one Gaussian on the same draw: mean (mark) and range over ten draws."}, "image": {"alt": "Panels of horizontal ranges, one per variant. Full embeddings lie to the right of one, gradient descent by far in all variants but that of overlapping clusters."}}
_ = plot_ablation(variants.frame.query("setting != 'ours'"), reference="reduced 1-GMM")

# %% [markdown]
# The level of the reduced embedding changes by more than a factor of two, orderings hardly. With one
# Gaussian the full one differs from it by about a hundredth or less, and wins where inputs are poor, with
# the most noise significantly. With four components the full embedding is worse in all variants.
# Gradient descent from the mean has an error near 0.9 or above wherever clusters are apart (but for the
# last row); only where they overlap, and the mean belongs to all of them, it does as well as the batched
# search. And no mixture beats m-KRR significantly.
#
# The last two rows hold a surprise. Closed forms and ridge regression do not care about the unit
# of the outputs (the reduced mixture only by its choice of the ridge). The full embedding of four
# components does: with outputs a fifth as large its error exceeds 1 even with the best search, worse
# than that of predicting zero. Its covariance block scales as one over the unit squared; it
# drowns the rest, nothing can be learnt of it, and the ridge grows until nothing is learnt at all
# ({ref}`ex-d1-unit`).
#
# So for mixtures the printed level of the full embedding has two explanations that we can
# reproduce, a search that is stuck and outputs with small numbers, and the paper's text excludes
# neither. For one Gaussian, with 1.01 in Table 1, we have none.

# %% tags=["hide-input"]
level_of = variants.frame.query("metric == 'rrmse'").pivot_table(
    index="setting", columns="method", values="value", sort=False
)
reduced, full = level_of["reduced 1-GMM"], level_of["full 1-GMM"]
assert reduced.max() > 2 * reduced.min()
assert np.abs(full - reduced).max() < 0.015
test = paired_t_test(variants.frame, "full 1-GMM", "reduced 1-GMM", metric="rrmse", level=level)
assert test.loc["noise 1", "significant"]
assert test.loc["noise 1", "difference"] < 0
assert np.all(level_of["full 4-GMM"] > level_of["reduced 4-GMM"])
descent = level_of["full 4-GMM by descent"].drop("unit 1/5")
assert descent.drop("separation 2").min() > 0.89
assert abs(descent["separation 2"] - level_of["full 4-GMM"]["separation 2"]) < 0.02
assert level_of["full 4-GMM"]["unit 5"] > 1
for method in level_of.columns[level_of.columns.str.contains("4-GMM")]:
    test = paired_t_test(variants.frame, method, "m-KRR centred", metric="rrmse", level=level)
    assert not (test["significant"] & (test["difference"] < 0)).any()

# %% [markdown]
# ## Which choices would give the printed errors?
#
# Our errors in Tables 1, 4 and 5 are smaller than the printed ones by factors between 1.6 and 6. Which of
# the choices that the paper leaves open would give its numbers? What follows is exploratory: choices are
# tried *because* the numbers are known, so agreement suggests an explanation and proves none, and no
# verdict rests on it.
#
# | choice | values; ours first |
# |---|---|
# | clusters | *apart* (6 standard deviations), *overlap* (2), *one* (0.5), *blobs*: as far apart as those of scikit-learn's `make_blobs` |
# | projection | Gaussian kernel PCA of *median* width, of scikit-learn's *default* width, *linear* |
# | inputs | *clean*, *noisy*: noise as large as they are |
# | kernel of the regression | Gaussian of *median* width, of scikit-learn's *default* width, *linear* |
# | ridge | *chosen* by leave-one-out, *1*: what scikit-learn takes if told nothing |
# | error relative to | *outputs*, *centred* outputs |
#
# That makes 288 settings of six free choices, for three printed numbers of Table 1 (reduced, one Gaussian)
# and five of Table 4 (m-KRR). On top of them we change one more thing at a time, what the paper does say
# (dimensions and number of clusters) and the unit. For the series of Table 5 (m-KRR, four numbers)
# there are 24 settings: number of observations, noise, ridge, and whether squared errors are averaged over
# the steps of a series or *summed*. All with ten draws; unlike in Table 4 above, no width is chosen.

# %%
search = results("ofer-forensics", profile=profile)
print(search.describe())
nearness = {name: distances(search.frame, name) for name in OURS}
counted = {
    name: {
        "printed numbers": len(printed_curve(name)),
        "settings": len(table),
        "distance of ours": round(table.loc[OURS[name], "distance"], 2),
        "least distance": round(table["distance"].min(), 3),
        "within 5 %": int((table["distance"] < 0.05).sum()),
        "within 10 %": int((table["distance"] < 0.1).sum()),
    }
    for name, table in nearness.items()
}
pd.DataFrame(counted).T.map("{:g}".format)

# %% tags=["hide-input"]
for name, stored, method in (("D1", one, "reduced"), ("D2", four, "m-KRR")):
    means = summarize(stored.frame).query("metric == 'rrmse'")
    means = means.set_index(["method", "setting"])["mean"][method]
    factors = printed_curve(name).rename(str) / means
    assert factors.dropna().between(1.6, 6).all()
printed_row = read_paper("ofer-table-04").query("method == 'm-KRR'")
printed_row = printed_row.set_index("setting")["mean"]
assert printed_row["18"] < printed_row["12"] < printed_row["30"]

# %% [markdown]
# The *distance* is the mean of $|\log(\text{ours} / \text{printed})|$ over the printed numbers: 0.1 is a tenth off
# on average. The nearest settings:

# %%
nearest = pd.concat(table.head(4) for table in nearness.values())
errors = nearest.drop(columns="distance").apply(
    lambda row: ", ".join(row.dropna().sort_index().map("{:.2f}".format)), axis=1
)
nearest[["distance"]].round(3).assign(errors=errors)

# %% mystnb={"figure": {"name": "fig-forensics", "caption": "Printed errors (black), ours (dashed), and the three settings of each search that come nearest; grey, all settings. Means of ten draws. What the words mean stands in the table above."}, "image": {"alt": "Three panels of falling curves on logarithmic axes. The printed curve lies high in a bundle of grey ones, ours far below it; the nearest three run along the printed curve."}}
panels = {}
for name, title in {"D1": "Table 1", "D2": "Table 4", "series": "Table 5"}.items():
    table = nearness[name].drop(columns="distance")
    nearest = {", ".join(place): table.loc[place] for place in table.index[:3]}
    panels[title] = printed_curve(name), table.loc[OURS[name]], nearest, table
_ = plot_nearest_settings(panels, limits=(0.06, 3.0))

# %% [markdown]
# One change at a time, from ours:

# %%
alone, changes = {}, ["one median clean", "overlap median clean", "blobs median clean"]
changes += ["apart linear clean", "apart default clean", "apart median noisy"]
changes += ["2 inputs", "1 cluster", "40 clusters", "40 outputs", "unit 5", "unit 1/5"]
for name in ("D1", "D2"):
    table, (setting, method, definition) = nearness[name], OURS[name]
    places = {"ours": OURS[name]}
    places |= {change: (f"{name} {change}", method, definition) for change in changes}
    places |= {learner: (setting, learner, definition) for learner in LEARNERS[1:]}
    places["centred"] = (setting, method, "centred")
    alone[name] = table.loc[list(places.values())].set_axis(list(places))
pd.concat(alone, axis=1).round(2)

# %% [markdown]
# *Not the unit, hardly the definition.* Closed forms do not care about the unit, and centring moves our
# errors by less than a tenth.
#
# *Table 1: inputs that tell little.* Noise alone, or clusters that overlap, or are nearly one, takes away more than half of the
# distance; both together the rest. 45 settings are within 5 % of the three numbers, which cannot
# tell them apart; all but those with 40 outputs, which the paper excludes, have noisy
# inputs. The paper mentions no noise, but does not exclude it.
#
# *Table 4: a kernel that is too narrow, and a ridge that is not selected.* No setting is within 10 %. The
# four nearest have scikit-learn's width, 1 as the ridge, and inputs by a linear
# projection of clusters that are well apart. Then an output is predicted from its close neighbours alone,
# and has none while samples are few. The printed curve falls from about 0.9 to 0.35 as these do; its dip at 18
# samples, which is left out here, and its rise at 30 they do not have.
#
# The paper made $\mathcal D_2$ "similarly to" $\mathcal D_1$. Are there settings for both tables?

# %%
both = {
    name: nearness[name]["distance"].rename(lambda word: word[3:], level="setting")
    for name in ("D1", "D2")
}
both = pd.concat(both, axis=1).dropna()
both = both.assign(mean=both.mean(axis=1)).sort_values("mean")
both.head(4).round(2)

# %% tags=["hide-input"]
one_gaussian, ridges = alone["D1"], nearness["D2"].head(4).reset_index()
ours = one_gaussian.loc["ours"]
for unit in ("unit 5", "unit 1/5"):
    assert np.allclose(one_gaussian.loc[unit], ours, rtol=1e-3)
assert np.all(one_gaussian.loc["centred"] / ours < 1.1)
for change in ("apart median noisy", "overlap median clean", "one median clean"):
    assert one_gaussian.loc[change, "distance"] < 0.5 * ours["distance"]
near = nearness["D1"].query("distance < 0.05").reset_index()["setting"]
assert len(near) == 45
assert set(near[~near.str.endswith("noisy")]) == {"D1 40 outputs"}
assert nearness["D2"]["distance"].min() > 0.1
assert set(ridges["method"]) == {"default 1"}
assert set(ridges["setting"]) == {"D2 blobs linear clean", "D2 apart linear clean"}
words = both.head(4).reset_index()
assert set(words["method"]) == {"default 1"}
assert set(words["setting"]) == {"one default clean", "overlap default clean"}
assert both["mean"].min() > 0.12

# %% [markdown]
# The nearest are those where *everything* is what scikit-learn takes if told nothing, and clusters are hard to tell
# apart: some 7 % off in Table 1, and some 20 % in Table 4. So a generator and a regression of a few
# lines, with no parameter chosen, is the simplest story that the search can tell; it does not fit well.
#
# Do the mixtures of Table 3 follow? With our kernel and a chosen ridge, all fifteen cells of
# Tables 1 and 3:

# %%
table, printed = distances_with_mixtures(search.frame)
first, ours = table.index[0], table.loc[("D1 apart median clean", "outputs")]
columns = {"printed": printed, ", ".join(first): table.loc[first], "ours": ours}
beside = pd.DataFrame(columns).loc[[*printed.index, "distance"]]
assert set(table.head(6).index.get_level_values("setting").str[:10]) == {"D1 overlap"}
assert table.head(6).reset_index()["setting"].str.endswith("noisy").all()
assert table["distance"].min() < 0.15 < 0.7 < ours["distance"]
falls = beside[", ".join(first)]
assert falls["reduced 2-GMM 100"] < 0.9 < 1.03 == printed["reduced 2-GMM 100"]
assert falls["full 1-GMM 100"] < 0.9 < 1.01 == printed["full 1-GMM 100"]
beside.round(2).T.map(lambda value: "" if pd.isna(value) else f"{value:.2f}").T

# %% [markdown]
# Clusters that overlap and noisy inputs bring these cells within 13 % on average, where our
# choices are off by a factor of two. What such data do not give are errors that stay above 1: with 50
# and 100 samples the printed errors of the full embedding, and of two and four components, are those of
# methods that have learnt nothing, while that of one component falls.
#
# So there are candidates for the levels: data that are harder than ours in Tables 1 and 3, and
# parameters that nobody selected in Tables 4 and 5 ({doc}`06_2_time_series`), and perhaps in Table 6
# ({doc}`06_3_text_to_time_series`). No verdict changes by it. Those are about orderings, which the
# variants above hardly move.

# %% [markdown]
# ## Verdicts
#
# The claims of the paper on these tables, decided by the rules of the ledger. "Better" asks for a
# paired t-test at the paper's level; the methods are those as printed.

# %%
tables = ["ofer-table-01", "ofer-table-03", "ofer-table-04"]
for claim in scorecard(read_claims(paper="djerrab2018", table=tables)).itertuples():
    print(f"{claim.place}\n  {claim.statement}\n  {claim.verdict}: {claim.evidence}")

# %% [markdown]
# ## What we found
#
# * The reduced embedding predicts better than the full one in most rows of Tables 1 and 3: with up to four
#   components and 50 samples or more significantly. For one Gaussian the gap is then at most a few
#   hundredths.
# * The cause is learning, not search. With a search from several starts more than 98 % of the pre-images
#   found fit the prediction at least as well as the truth does. The stuck search is real,
#   but it belongs to gradient descent from one start, and on the draw shown it decodes all outputs
#   into one cluster.
# * The full embedding depends on the unit of the outputs, up to the point of learning nothing.
# * The reduced form as printed has a failure of its own: with many components or few samples its
#   closed form divides by nearly zero, and single splits have errors of a hundred and more. The
#   simplex cures it.
# * No mixture, not even the true one, beats kernel ridge regression significantly on these data,
#   and in Tables 3 and 4 more components are nowhere better than one.
# * Harder data, with noisy inputs and clusters that overlap, would give the printed levels of Table 1 within 5 %, and
#   those of Tables 1 and 3 together within 13 %; a ridge and a width that nobody chose come nearest to
#   Table 4. This was found by a search with the printed numbers in view, and is no evidence.
# * The ratio of times in the paper's Table 2 is an artefact. Ours is some thousands for gradient
#   descent and some tens for a batched search.

# %% tags=["hide-input"]
first = paired_t_test(one.frame, "reduced", "full", metric="rrmse", level=level)
assert first.loc[["50", "100"], "significant"].all()
for table in (one, mixtures):
    assert table.frame.query("metric == 'solved' and method == 'full'")["value"].mean() > 0.98
assert frame.query("method == 'OFER 3-GMM as printed'")["value"].max() > 100

# %% [markdown]
# ## Try next
#
# ```{exercise}
# :label: ex-d1-starts
#
# `search_by_descent` takes another start. Start it at the mean of each component in turn. In which
# component does each search end? Then keep, for each output, the result with the least loss.
# ```
#
# ```{solution} ex-d1-starts
# :class: dropdown
#
# Every search ends in the component in which it starts, and each of the four starts on its own has
# an error near 1 or above. The best of the four for each output has the error of the several
# searches, give or take a hundredth: that is what these consist of. One more of their starts, the
# closed form, finds a lower loss for a few outputs still.
# ```
#
# ```{exercise}
# :label: ex-d1-width
#
# The median distance is a rule of thumb. Divide `gamma` by 9, which makes the kernel three times
# as wide, and compare m-KRR with and without an intercept.
# ```
#
# ```{solution} ex-d1-width
# :class: dropdown
#
# Both improve, by a hundredth or two, and become equal; much wider does not help further. The
# inputs are a smooth function of the outputs, so a nearly linear map is enough to go back. No
# ordering in Table 1 hangs on it, since all embeddings there share the kernel.
# ```
#
# ```{exercise}
# :label: ex-d1-unit
#
# Divide the outputs of $\mathcal D_1$ by 5 and fit the full embedding of four components again.
# What becomes of its ridge, and why? Compare the sums of squares of the blocks (`blocks_`) of the
# embedded training outputs before and after.
# ```
#
# ```{solution} ex-d1-unit
# :class: dropdown
#
# The block of the weights has no unit, that of the means has one over the unit of the outputs, that
# of the covariances one over its square. With outputs a fifth as large the squares of the means
# grow 25-fold and those of the covariances 625-fold, so the one ridge is chosen for the
# covariances, of which the inputs tell next to nothing. It becomes ten thousand times as large, and
# nothing else is learnt either: the predicted embedding is nearly zero.
# ```
