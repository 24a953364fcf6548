# ---
# jupyter:
#   kernelspec:
#     display_name: Python 3
#     name: python3
#   ofer:
#     tables: [ofer-table-01, ofer-table-03, ofer-table-04, ofer-sensitivity-d1, ofer-forensics]
# ---

# %% [markdown]
# # Generated outputs
#
# *Section 6.2 of {cite:t}`djerrab2018`, Tables 1 to 4*
#
# Does the reduced Fisher embedding predict better than the full one when the output model is a
# Gaussian? When it is a mixture? And what do more training samples and components change? The paper
# answers: better and faster, twice, and rich models need data.
#
# The first two answers hold in most rows, but not because searches for pre-images get stuck: only
# one particular search does, and with mixtures only. What remains comes from learning. And although
# the data are clusters, kernel ridge regression without any output model is about as good as the
# best.
#
# ```{admonition} Run it yourself
# `make chapter NAME=06_2_synthetic PARAMS="profile=quick"`
# computes a part of each stored table anew, in about a minute each ({doc}`how_to_rerun`).
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
from IPython.display import HTML

from ofer import (
    FullFisherEmbedding,
    GaussianMixtureEmbedding,
    OutputFisherRegressor,
)
from reproduction.datasets.generated.mixtures import make_d1, make_d2
from reproduction.claims import cards_to_html, read_claims
from reproduction.engine import get_experiment, results
from reproduction.statistics import paired_t_test, read_paper, summarize
from reproduction.papers.ofer.ridge import squared_error_ridge
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
from reproduction.figures.tables import show_results
from reproduction.papers.ofer.figures.synthetic import (
    plot_clusters,
    plot_nearest_settings,
    plot_search_ends,
    plot_time_and_error,
)

# %% [markdown]
# ## Two data sets
#
# Outputs of $\mathcal D_1$ come from a mixture of 4 clusters in $\R^{10}$, and inputs are their
# projections by kernel PCA on 5 dimensions; $\mathcal D_2$ is made "similarly", with 10 clusters in
# $\R^5$. Not stated are the number of samples, the parameters of the clusters, the kernel of the
# projection and its width, and any noise. Our choices, made before any method was run:

# %% mystnb={"figure": {"caption": "Parameters of the generated data sets D1 and D2, as we have chosen them."}}
data = {"D1": make_d1(random_state=seed), "D2": make_d2(random_state=seed)}
chosen = pd.DataFrame({name: one.parameters for name, one in data.items()})
chosen.drop("weights").map(lambda value: f"{value:.3g}" if isinstance(value, float) else value)

# %% mystnb={"figure": {"name": "fig-d1-d2", "caption": "One draw of each data set in the plane: outputs on their first principal axes (numbers stand at the cluster means), and the first two of the five inputs. Colour and mark are the cluster."}, "image": {"alt": "Four scatter plots. D1: four clusters, apart in the outputs and in the inputs. D2: ten clusters, some of which overlap in the plane."}}
_ = plot_clusters(data)

# %% [markdown]
# The inputs show to which cluster an output belongs, but not all of its place within it. Variants
# follow below.
#
# ## The protocol
#
# One draw of 600 samples; ten random splits of it into a pool of 400 and a test set of 200 (for
# Table 4 half and half, as the paper has it); the first 10, 50 or 100 samples of the pool are for
# training. The kernel is Gaussian, as in Section 5.1 of the paper, with the median distance of the
# training inputs as its width. Ridges are chosen by exact leave-one-out.
#
# :::{table} Methods on generated data.
# | method | embedding | ridge, intercept | decoded by |
# |---|---|---|---|
# | reduced | $\phi^M_{Fisher}$ as printed | one ridge, none | closed forms P(7) and P(10) as they are |
# | reduced, defaults | our natural scaling | one ridge per block, intercepts | memberships on the simplex |
# | full | $\phi_{Fisher}$, covariances included | one ridge, none | the best of several searches, all outputs at once |
# | full, a ridge a block | the same | one each for weights, means, covariances | the same |
# | full, closed form | the same | one ridge, none | P(7) or P(10), from the blocks of weights and means |
# | full by descent | the same | one ridge, none | gradient descent from the model's mean, one output after the other |
# | m-KRR, m-KRR centred | the output itself | one ridge, without and with an intercept | |
# :::
#
# "Full by descent" is our reading of the paper's "stochastic gradient descent algorithm", given
# without steps, stopping or starts. (Nothing is stochastic: the loss of one pre-image is not a sum
# over samples.) It is so slow that it decodes only 20 outputs of each test set; its times are
# scaled up to 200 outputs.
#
# ````{admonition} Your bet
# The full embedding has more coordinates than the reduced one. With 50 samples and one Gaussian,
# which predicts better, and why: (a) full, it knows more; (b) reduced, its pre-image is exact; (c)
# reduced, it has less to learn?
#
# ```{dropdown} Show the answer
# (c). The pre-images of both are solved; covariances are hard to learn.
# ```
# ````

# %%
one = results("ofer-table-01", profile=profile)
print(one.describe())

# %% tags=["hide-input"]
bet = one.frame.query("setting == '50'").pivot_table(
    index="method", columns="metric", values="value"
)
assert bet.loc["reduced", "rrmse"] < bet.loc["full", "rrmse"]
assert bet.loc["full", "solved"] > 0.98

# %% [markdown]
# ## Table 1: one Gaussian

# %% mystnb={"figure": {"caption": "RRMSE with one Gaussian on D1, ours and the paper's Table 1, by training size (columns); mean ± standard deviation over ten splits."}}
frame = one.frame
show_results(one, read_paper("ofer-table-01"), metric="rrmse")

# %% [markdown]
# The ordering is the paper's: the reduced embedding has a smaller error than the full one with our
# searches in every row. (Against the full one by descent, on 20 outputs, no row is significant.)
# The sizes are not: with 50 samples the two differ by about two hundredths, where the paper has
# 0.12, and all our errors are below 1.
#
# How can a printed error be *above* 1? If RRMSE means $\|Y - \hat Y\|_F / \|Y\|_F$, which fits the
# paper's Table 9 ({doc}`06_1_protocol`), 1.01 is worse than always answering zero. In the second
# definition of {eq}`eq-rrmse` 1 is the level of the training mean, and 1.09 with ten samples, or
# 1.01 ± 0.01 with more, would be methods that have learnt next to nothing. Both for our runs:

# %% mystnb={"figure": {"caption": "The two definitions of the error for our runs, and the paper's figure, by training size (rows). Means over ten splits."}}
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
# So neither gives the printed level; the paper's inputs must have told less. The printed standard
# deviation over ten splits, 0.001 for 100 samples, is odd, too:

# %%
spread = summarize(frame).query("metric == 'rrmse' and method == 'reduced'").set_index("setting")
print(spread["std"].round(4).to_dict())
assert spread["std"]["100"] > 5 * 0.001

# %% [markdown]
# Ours is more than five times as large. The paper's test sets must have been much larger than 200,
# or its splits much alike.
#
# ### Why does the full embedding lose?
#
# By an error of the prediction $h(x)$, or of the search for its pre-image ({doc}`04_pre_images`)?
# *Learning error* is $\| H - \Phi \|_F / \| \Phi \|_F$, of predicted embeddings $H$ against the
# embeddings $\Phi$ of the true outputs. *Solved* is the share of test outputs whose pre-image fits
# $h(x)$ at least as well as the true output.

# %% mystnb={"figure": {"caption": "D1, 100 training samples: RRMSE, error of the predicted embedding, and share of pre-images whose search is not to blame. Means over ten splits."}}
parts = ["rrmse", "learning error", "solved"]
table = summarize(frame).query("metric in @parts").set_index(["setting", "method"])
table = table.pivot(columns="metric", values="mean")[parts]
order = ["reduced", "full, closed form", "full, a ridge a block", "full", "full by descent"]
steps = table.loc["100"]
assert steps.loc[["full", "full by descent"], "solved"].min() > 0.99
assert np.all(np.diff(steps.loc[["reduced", order[2], order[1], "full"], "rrmse"]) > 0)
table.loc[[("100", method) for method in order]].round(3).astype(object).fillna("")

# %% [markdown]
# Every pre-image is solved, by gradient descent too (on its 20 outputs). The prediction is worse:
# the covariance block, 100 of the 110 coordinates, is harder to learn, and influences ridge and
# pre-image. Leaving it out of the decoding helps a little, one ridge per block a little more, and
# not learning it at all most.
#
# The measure is lenient, though: with four components and 50 samples (Table 3) descent solves nine
# outputs in ten, and yet has nearly one and a half times the error of the several searches.
#
# ## Table 2: how long it takes
#
# Seconds of one processor, for training, with the choice among 25 ridges, and for predicting 200
# test outputs.

# %% mystnb={"figure": {"caption": "Seconds of training, ours and the paper's Table 2, by training size (columns); mean ± standard deviation over ten splits."}}
paper = read_paper("ofer-table-02")
some = frame.query("method in ['reduced', 'full', 'full by descent']")
show_results(one._replace(frame=some), paper, metric="fit time", digits=4)

# %% mystnb={"figure": {"caption": "Seconds of predicting 200 outputs, ours and the paper's Table 2, by training size (columns); mean ± standard deviation over ten splits."}}
show_results(one._replace(frame=some), paper, metric="predict time", digits=4)

# %% mystnb={"figure": {"caption": "How many times as long as the reduced embedding two searches with the full one take to predict, by training size (rows)."}}
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
# A millionth of a second for the reduced embedding, as printed, cannot be: a single call of a
# numerical library takes longer, and Table 3 prints 0.014 s for a mixture of two. So the ratio of a
# hundred million to the full one's minute means nothing. Our ratio is in the thousands against
# gradient descent, and in the tens against the batched search, which takes a few hundredths of a
# second at most.
#
# ## Table 3: mixtures

# %% mystnb={"figure": {"caption": "RRMSE with mixtures on D1, ours and the paper's Table 3, by components and training size (rows); mean ± standard deviation over ten splits."}}
mixtures = results("ofer-table-03", profile=profile)
print(mixtures.describe())
frame = mixtures.frame
paper = read_paper("ofer-table-03")
methods = ["full", "reduced", "full by descent", "reduced, defaults", "m-KRR"]
show_results(mixtures, paper, metric="rrmse", methods=methods, digits=2)

# %% [markdown]
# For two and four components with 50 or 100 samples the ordering is the paper's, and significant.
# In the corners it is not:
#
# * With ten samples and four components the reduced embedding is the *worse* one, in our table as
#   in the paper's, and its error is far above 1.
# * With ten components and 50 or 100 samples its mean error is about 4 or 2, with a larger standard
#   deviation. On a few outputs the sum of predicted precisions, by which the closed form P(10)
#   divides, is nearly zero ({doc}`04_pre_images` shows how): in several splits with 50 samples and
#   in fewer with 100. With memberships on the simplex, *reduced, defaults*, this never happens.
#
# Kernel ridge regression, in the last column, is better than each of these methods or as good to
# the second decimal, in every row. That four components are the truth about $\mathcal D_1$ does not
# help: with one linear smoother for all coordinates the model cancels or nearly so
# ({prf:ref}`thm-model-cancels`). With 100 samples the paper's own errors are 0.83 for one
# component, 1.03 for two, 1.19 for the right four and 1.27 for ten. Medians of ours:

# %% mystnb={"figure": {"caption": "Median RRMSE over ten splits with ten components, by training size (rows)."}}
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
# With ten samples and ten components each component collapses to a point (the package warns; the
# row stands here because it is in the paper).

# %% mystnb={"figure": {"caption": "Seconds of predicting 200 outputs with mixtures, ours and the paper's Table 3; mean ± standard deviation over ten splits."}}
show_results(mixtures, paper, metric="predict time", methods=methods[:3], digits=4)

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
# For mixtures descent is slow, and with four or ten components and 50 or 100 samples it ends in the
# wrong place. Where? We fit the full embedding of four components to the draw of $\mathcal D_1$
# shown above and decode some test outputs in both ways.

# %%
d1 = data["D1"]
order = np.random.default_rng(seed).permutation(len(d1.Y))
train, test = order[:n_live], order[n_live : n_live + n_searched]
gamma = 1 / (2 * median_bandwidth(d1.X[train]) ** 2)
ridge = squared_error_ridge(kernel="rbf", gamma=gamma, fit_intercept=False)
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
# The mean of the mixture lies between the clusters, where the nearest component owns all
# responsibility. Descent ends within that component, whatever $h(x)$ says: each output is decoded
# into the same cluster, with the error of a constant. That is near 1 in either definition, and so
# nearer to the printed level of Table 3, 1.33 to 1.50. Starting at the mean of *each* component as
# well, and once at the closed form, mostly finds the right one.
#
# ## Table 4: samples and components

# %% mystnb={"figure": {"caption": "RRMSE on D2, ours and the paper's Table 4, by training size; mean ± standard deviation over ten splits."}}
four = results("ofer-table-04", profile=profile)
print(four.describe())
frame = four.frame
forms = {f"OFER {C}-GMM as printed": f"OFER {C}-GMM" for C in (1, 2, 3)}
printed = frame.query("method == 'm-KRR' or method in @forms").replace({"method": forms})
paper = read_paper("ofer-table-04")
show_results(four._replace(frame=printed), paper, metric="rrmse", digits=2)

# %% mystnb={"figure": {"name": "fig-table-04", "caption": "Table 4 as learning curves, the forms as printed, ours and the paper's; bands are one standard deviation over ten splits."}, "image": {"alt": "Two panels of error against 12 to 300 training samples."}}
_ = plot_learning_curves(summarize(printed), paper=paper, limits=(0, 1.3))

# %% [markdown]
# With an intercept, and with our defaults:

# %% mystnb={"figure": {"caption": "RRMSE on D2 with an intercept and this package's defaults, by training size (rows); mean ± standard deviation over ten splits."}}
ours = ["m-KRR centred", *forms.values()]
show_results(four, metric="rrmse", methods=ours)

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
# Mean errors fall as samples are added, as the paper says. (Not every step passes the test, hence
# *holds in part* and *undecided* below.) The exception is three components as printed with 12 and 18
# samples, whose mean errors are far above 1: P(10) divides by nearly zero again. The printed
# standard deviations up to 1.11 may have the same cause.
#
# A richer model does not pay here, even with enough data: with 300 samples three components are
# still worse than one, and one component *is* kernel ridge regression, with an intercept exactly.

# %% mystnb={"figure": {"caption": "Mean differences of RRMSE on D2 over ten splits, by training size (columns). A minus favours the first method; a star is significant at the paper's level."}}
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
# So simple models on small training sets gain a few thousandths at most, by centring the outputs at
# their mean, which one Gaussian amounts to; they would gain more if the outputs lay further from
# zero.
#
# ## What the paper leaves open
#
# Would other data have given other answers? Ten draws of each variant of $\mathcal D_1$, with 100
# samples for training and 200 for testing: clusters that overlap (separation 2) or lie far apart
# (12), a linear kernel PCA, a Gaussian one so narrow that inputs say little more than the cluster,
# noise on the inputs of 0.3 and 1 times their size, and the outputs in a unit 5 times as large or a
# fifth as large.

# %% mystnb={"figure": {"caption": "RRMSE on variants of D1 (rows), 100 training samples; mean ± standard deviation over ten draws."}}
variants = results("ofer-sensitivity-d1", profile=profile)
print(variants.describe())
show_results(variants, metric="rrmse", digits=2)

# %% mystnb={"figure": {"name": "fig-variants", "caption": "Errors on variants of D1, relative to the reduced embedding of one Gaussian on the same draw: mean (mark) and range over ten draws."}, "image": {"alt": "Panels of horizontal ranges, one per variant. Full embeddings lie mostly to the right of one, gradient descent by far in all variants but that of overlapping clusters."}}
_ = plot_ablation(variants.frame.query("setting != 'ours'"), reference="reduced 1-GMM")

# %% [markdown]
# The level of the reduced embedding changes by more than a factor of two, orderings hardly. With
# one Gaussian the full one differs from it by about a hundredth or less, and wins where inputs are
# poor, with the most noise significantly. With four components the full embedding is worse in all
# variants. Gradient descent from the mean has an error near 0.9 or above wherever clusters are
# apart (but for the last row); where they overlap, and the mean belongs to all of them, it does as
# well as the batched search. No mixture beats m-KRR centred significantly.
#
# The last two rows surprise. Closed forms and ridge regression do not care about the unit of the
# outputs (the reduced mixture only by its choice of the ridge). The full embedding of four
# components does: with outputs a fifth as large its error exceeds 1 even with the best search. Its
# covariance block scales as one over the unit squared and drowns the rest; nothing can be learnt of
# it, and the ridge grows until nothing is learnt at all ({ref}`ex-d1-unit`).
#
# So an error of the full embedding of a mixture near or above 1 has two explanations, a search that
# is stuck and outputs with small numbers, and the paper's text excludes neither. With
# four components the paper prints 1.33 to 1.50, which is higher still. For 1.01 in Table 1, with one
# Gaussian, we have no explanation.

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
either = level_of[["full 4-GMM", "full 4-GMM by descent"]]
assert either.max(axis=None) < 1.15
for method in level_of.columns[level_of.columns.str.contains("4-GMM")]:
    test = paired_t_test(variants.frame, method, "m-KRR centred", metric="rrmse", level=level)
    assert not (test["significant"] & (test["difference"] < 0)).any()

# %% [markdown]
# ## Which choices would give the printed errors?
#
# Our errors of the reduced embedding in Table 1, and of m-KRR in Tables 4 and 5, are smaller than
# the printed ones by factors between 1.6 and 6. Which of the choices that the paper leaves open
# would give its numbers? What follows is exploratory: choices are tried *because* the numbers are
# known, so agreement suggests an explanation and proves none, and no verdict rests on it.
#
# :::{table} The choices that the search goes through.
# | choice | values; ours first |
# |---|---|
# | clusters | *apart* (6 standard deviations), *overlap* (2), *one* (0.5), *blobs*: as far apart as those of scikit-learn's `make_blobs` |
# | projection | Gaussian kernel PCA of *median* width, of scikit-learn's *default* width, *linear* |
# | inputs | *clean*, *noisy*: noise as large as they are |
# | kernel of the regression | Gaussian of *median* width, of scikit-learn's *default* width, *linear* |
# | ridge | *chosen* by leave-one-out, *1*: what scikit-learn takes if told nothing |
# | error relative to | *outputs*, *centred* outputs |
# :::
#
# That makes 288 settings of six free choices, for three printed numbers of Table 1 (reduced, one
# Gaussian) and five of Table 4 (m-KRR). On top of them we change one more thing at a time, what the
# paper does say (dimensions and number of clusters) and the unit. For the series of Table 5 (m-KRR,
# four numbers) there are 24 settings: number of observations, noise, ridge, and whether squared
# errors are averaged over the steps of a series or *summed*. All with ten draws; unlike in Table 4
# above, no width is chosen.

# %% mystnb={"figure": {"caption": "The search in numbers: by data (rows), how many settings there are, how near ours and the nearest come, and how many are near."}}
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
series_frame = results("ofer-table-05", allow_stale=profile != "stored").frame
for name, stored, method, metric in (
    ("D1", one.frame, "reduced", "rrmse"),
    ("D2", four.frame, "m-KRR", "rrmse"),
    ("series", series_frame, "m-KRR", "rrmse observed"),
):
    means = summarize(stored[stored["metric"] == metric])
    means = means.set_index(["method", "setting"])["mean"][method]
    factors = printed_curve(name).rename(str) / means
    assert factors.dropna().between(1.6, 6).all()
printed_row = read_paper("ofer-table-04").query("method == 'm-KRR'")
printed_row = printed_row.set_index("setting")["mean"]
assert printed_row["18"] < printed_row["12"] < printed_row["30"]

# %% [markdown]
# The *distance* is the mean of $|\log(\text{ours} / \text{printed})|$ over the printed numbers: 0.1
# is a tenth off on average. The nearest settings:

# %% mystnb={"figure": {"caption": "The settings nearest to the printed curve, by data (rows): their distance, and their errors by training samples."}}
nearest = pd.concat(table.head(4) for table in nearness.values())
errors = nearest.drop(columns="distance").apply(
    lambda row: ", ".join(row.dropna().sort_index().map("{:.2f}".format)), axis=1
)
nearest[["distance"]].round(3).assign(errors=errors)

# %% mystnb={"figure": {"name": "fig-forensics", "caption": "Printed errors (crosses), ours (dashed), and the three settings of each search that come nearest; grey, all settings. Means of ten draws. The table above explains the words."}, "image": {"alt": "Three panels of falling curves on logarithmic axes. The printed curve lies high in a bundle of grey ones, ours far below it; the nearest three run along the printed curve."}}
panels = {}
for name, title in {"D1": "Table 1", "D2": "Table 4", "series": "Table 5"}.items():
    table = nearness[name].drop(columns="distance")
    nearest = {", ".join(place): table.loc[place] for place in table.index[:3]}
    panels[title] = printed_curve(name), table.loc[OURS[name]], nearest, table
_ = plot_nearest_settings(panels, limits=(0.06, 3.0))

# %% [markdown]
# One change at a time, from ours:

# %% mystnb={"figure": {"caption": "Errors on D1 and D2 when one choice of ours is changed (rows), and the distance from the printed curve."}}
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
# *Not the unit, hardly the definition.* Closed forms do not care about the unit, and centring moves
# our errors by less than a tenth.
#
# *Table 1: inputs that tell little.* Noise alone, or clusters that overlap, or are nearly one,
# takes away more than half of the distance; both together the rest. 45 settings are within 5 % of
# the three numbers, which cannot tell them apart; all but those with 40 outputs, which the paper
# excludes, have noisy inputs. The paper mentions no noise, but does not exclude it.
#
# *Table 4: a kernel that is too narrow, and a ridge that is not selected.* No setting is within
# 10 %. The four nearest have scikit-learn's width, 1 as the ridge, and inputs by a linear
# projection of clusters that are well apart. Then an output is predicted from close neighbours
# alone, of which there are none while samples are few. The printed curve falls from about 0.9 to
# 0.35 as these do; they have neither its dip at 18 samples, which is left out here, nor its rise at
# 30.
#
# The paper made $\mathcal D_2$ "similarly to" $\mathcal D_1$. Are there settings for both tables?

# %% mystnb={"figure": {"caption": "The four settings nearest to two printed tables together, and their distances to each."}}
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
# The nearest are those where projection, kernel and ridge are what scikit-learn takes if told
# nothing, and clusters are hard to tell apart: some 7 % off in Table 1, and some 20 % in Table 4.
# So a generator and a regression of a few lines, with no parameter of these three chosen, is the
# simplest story that the search can tell; it does not fit well.
#
# Do the mixtures of Table 3 follow? With our kernel and a chosen ridge, all fifteen cells of
# Tables 1 and 3:

# %% mystnb={"figure": {"caption": "Errors in the nearest setting beside the printed ones, by table and cell."}}
table, printed = distances_with_mixtures(search.frame)
first, ours = table.index[0], table.loc[("D1 apart median clean", "outputs")]
columns = {"printed": printed, ", ".join(first): table.loc[first], "ours": ours}
beside = pd.DataFrame(columns).loc[[*printed.index, "distance"]]
assert set(table.head(6).index.get_level_values("setting").str[:10]) == {"D1 overlap"}
assert table.head(6).reset_index()["setting"].str.endswith("noisy").all()
assert table["distance"].min() < 0.15 < 0.7 < ours["distance"]
falls = beside[", ".join(first)]
low = (falls / beside["printed"]).filter(like="full 1-GMM")
assert low.between(0.85, 0.93).all()
assert falls["reduced 2-GMM 100"] < 0.9 < 1.03 == printed["reduced 2-GMM 100"]
assert falls["full 1-GMM 100"] < 0.9 < 1.01 == printed["full 1-GMM 100"]
beside.round(2).T.map(lambda value: "" if pd.isna(value) else f"{value:.2f}").T

# %% [markdown]
# Clusters that overlap and noisy inputs bring these cells within 13 % on average, where our choices
# are off by a factor of two. The full embedding of one Gaussian stays about a tenth too low. What
# such data do not give are errors that stay above 1: with 50 and 100 samples the printed errors of
# the full embedding, and of the reduced one with two and four components, are those of methods that
# have learnt nothing, while that of the reduced one with one component falls.
#
# So there are candidates for the levels: data that are harder than ours in Tables 1 and 3, and
# parameters that nobody selected in Tables 4 and 5 ({doc}`06_2_time_series`), and perhaps in Table
# 6 ({doc}`06_3_text_to_time_series`). No verdict changes by this: verdicts are about orderings,
# which the variants above hardly move.

# %% [markdown]
# ## Verdicts
#
# "Better" asks for a paired t-test at the paper's level; the methods are those as printed.

# %%
tables = ["ofer-table-01", "ofer-table-03", "ofer-table-04"]
HTML(cards_to_html(read_claims(paper="djerrab2018", table=tables)))

# %% [markdown]
# ## What this changes for you
#
# * Learn the reduced embedding: in most rows it predicts better than the full one, significantly
#   with up to four components and 50 samples or more. The cause is learning: with several starts
#   more than 98 % of pre-images fit the prediction as well as the true output does.
# * If you need the full one, start its search at several points, and mind the unit of the outputs.
# * Keep the simplex. As printed, with many components or few samples the closed form divides by
#   nearly zero, and single splits have errors of a hundred and more.
# * Compare with kernel ridge regression first: no mixture, not even the true one, beats it
#   significantly here.
# * Do not take a match for an explanation. Harder data, with noisy inputs and clusters that
#   overlap, would give the printed errors of the reduced embedding in Table 1 within 5 % on
#   average, and those of Tables 1 and 3 together within 13 % (there those of the full one with one
#   Gaussian stay about a tenth too low); a ridge and a width that nobody chose come nearest to
#   Table 4. This was found by a search with the printed numbers in view.

# %% tags=["hide-input"]
first = paired_t_test(one.frame, "reduced", "full", metric="rrmse", level=level)
assert first.loc[["50", "100"], "significant"].all()
descent = paired_t_test(one.frame, "full by descent", "reduced", metric="rrmse", level=level)
assert not descent["significant"].any()
hard = mixtures.frame.query("setting == '4-GMM 50'")
hard = hard.pivot_table(index="method", columns="metric", values="value")
assert 0.88 < hard.loc["full by descent", "solved"] < 0.95
assert 1.4 < hard.loc["full by descent", "rrmse"] / hard.loc["full", "rrmse"] < 1.5
for table in (one, mixtures):
    assert table.frame.query("metric == 'solved' and method == 'full'")["value"].mean() > 0.98
assert frame.query("method == 'OFER 3-GMM as printed'")["value"].max() > 100

# %% [markdown]
# ## Exercises
#
# ```{exercise} Quick
# :label: ex-d1-unit
#
# Divide the outputs of $\mathcal D_1$ by 5. By which factors do the squares of the blocks of the
# full embedding grow, and what does that do to the one ridge of all blocks?
# ```
#
# ```{solution} ex-d1-unit
# :class: dropdown
#
# The block of the weights has no unit, that of the means has one over the unit of the outputs, that
# of the covariances one over its square. So the squares of the means grow 25-fold and those of the
# covariances 625-fold. The ridge is chosen for the covariances, of which the inputs tell next to
# nothing: it grows, and nothing else is learnt either.
# ```
#
# ```{exercise} Quick
# :label: ex-d1-level
#
# A method has an RRMSE of 1.01 by the first definition of {eq}`eq-rrmse`. Which prediction without
# any inputs beats it?
# ```
#
# ```{solution} ex-d1-level
# :class: dropdown
#
# Zero: its error is exactly 1.
# ```

# %% tags=["hide-input"]
Y_unit = d1.Y[train]
squares = []
for unit in (1, 5):
    blocks = FullFisherEmbedding(GaussianMixtureEmbedding(4, random_state=seed)).fit(Y_unit / unit)
    H = blocks.transform(Y_unit / unit)
    squares.append([np.square(H[:, columns]).sum() for columns in blocks.blocks_.values()])
growth = np.divide(squares[1], squares[0])
assert np.allclose(np.sort(growth), [1, 25, 625], rtol=0.05)
assert np.isclose(rrmse(Y_unit, np.zeros_like(Y_unit)), 1)

# %% [markdown]
# ```{exercise} Code
# :label: ex-d1-width
#
# The median distance is a rule of thumb. Divide `gamma` by 9, which makes the kernel three times as
# wide, and compare m-KRR with and without an intercept on the live data.
# ```
#
# ```{solution-start} ex-d1-width
# :class: dropdown
# ```

# %%
fresh, found = order[n_live : n_live + 200], {}
for factor in (1, 9):
    for intercept in (False, True):
        krr = squared_error_ridge(kernel="rbf", gamma=gamma / factor, fit_intercept=intercept)
        predicted = krr.fit(d1.X[train], d1.Y[train]).predict(d1.X[fresh])
        found[factor, intercept] = rrmse(d1.Y[fresh], predicted)
print({key: round(value, 3) for key, value in found.items()})
assert found[9, False] < found[1, False]
assert found[9, True] < found[1, True]
assert abs(found[9, True] - found[9, False]) < 0.005

# %% [markdown]
# Both improve, and become equal. The inputs are a smooth function of the outputs, so a nearly
# linear map is enough to go back. No ordering in Table 1 hangs on it, since all embeddings there
# share the kernel.
#
# ```{solution-end}
# ```
#
# ```{exercise} Open
# :label: ex-d1-starts
#
# Which set of starts would you give to gradient descent, at what price? Start `search_by_descent`
# at the mean of each component in turn, and keep, for each output, the result with the least loss.
# ```
#
# ```{solution} ex-d1-starts
# :class: dropdown
#
# See first in which component each search ends. Then compare the error of the best of four with
# that of the several searches of the package, which consist of these and of one from the closed
# form.
# ```
