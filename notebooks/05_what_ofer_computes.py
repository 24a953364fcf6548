# ---
# jupyter:
#   kernelspec:
#     display_name: Python 3
#     name: python3
#   ofer:
#     data: [nci60]
#     tables: [ofer-ablation]
# ---

# %% [markdown]
# # What OFER really computes
#
# Output Fisher embedding regression passes through a generative model, a Fisher score, a regression
# and a pre-image. How much of that is left in the prediction? Where regression is linear in its
# training targets, there is an exact answer, with one ridge for all coordinates. In natural scaling
# the model drops out, and what comes out is kernel ridge regression; in the printed form, a
# normalised one whose training outputs are weighted by precisions.
#
# This chapter proves it and checks each identity to rounding error. Where can the model help, then?
# Where an assumption of the identities is dropped: one ridge per block, memberships that are kept
# on the simplex, the exact pre-image, weak labels. What does each of these earn?
#
# ```{admonition} Run it yourself
# `make chapter NAME=05_what_ofer_computes PARAMS="profile=quick"`
# computes a part of each stored table anew, in about a minute each ({doc}`how_to_rerun`).
# ```

# %% tags=["parameters"]
profile: str = "stored"  # or "quick", "full": see the box above
n_train: int = 60  # training samples of the checks
n_components: int = 6  # of the mixtures in the checks
alpha: float = 0.1  # the ridge of the checks

# %%
import numpy as np
import pandas as pd
from sklearn.kernel_ridge import KernelRidge
from sklearn.metrics.pairwise import linear_kernel, rbf_kernel
from sklearn.neighbors import KNeighborsRegressor

from ofer import (
    GaussianMixtureEmbedding,
    KernelRidgeCV,
    OutputFisherRegressor,
    StateSpaceEmbedding,
)
from reproduction.datasets.generated.mixtures import make_d2
from reproduction.datasets.generated.state_space_series import make_state_space_series
from reproduction.engine import results
from reproduction.statistics import paired_t_test, percent_change
from ofer.metrics import rrmse
from reproduction.figures.relative_errors import plot_ablation
from reproduction.figures.moving import publish, rounded
from reproduction.figures.tables import show_results
from reproduction.papers.ofer.figures.closed_form import plot_cancellation, plot_explosion

# %% [markdown]
# ## The setting
#
# A *linear smoother* predicts an embedding by a weighted sum of training embeddings, with the same
# weights for every coordinate:
#
# ```{math}
# :label: eq-smoother
# h(x) = \sum_{i=1}^{n} a_i(x)\, \phi(y_i) .
# ```
#
# Kernel ridge regression with one ridge $\lambda$ is such a smoother, with $a(x) = (K + \lambda
# I)^{-1} k(x)$; so are nearest neighbours, kernel averages and forests whose trees were grown on
# something else. With an intercept the weights are such that $\sum_i a_i(x) = 1$: a constant is
# reproduced.
#
# The checks use *D2*, generated data of the paper's kind: outputs in five dimensions from ten
# clusters, and inputs that are a compressed picture of them, clean or with noise
# ({doc}`06_2_synthetic`).

# %%
data = make_d2(random_state=0, input_noise=0.3)
X, Y = data.X[:n_train], data.Y[:n_train]
X_new, Y_new = data.X[-300:], data.Y[-300:]
gamma = 0.5
K, K_new = rbf_kernel(X, gamma=gamma), rbf_kernel(X_new, X, gamma=gamma)
weights = np.linalg.solve(K + alpha * np.eye(n_train), K_new.T).T
print("sums of the weights without an intercept:", weights.sum(axis=1).round(2)[:6])

# %% [markdown]
# ## The printed form
#
# ````{prf:theorem} A precision-weighted smoother
# :label: thm-printed
#
# Let $\phi$ be the reduced embedding of a Gaussian mixture as printed,
# $\big(\gamma_j / \pi_j\big)_j$ and $\sum_j \gamma_j \Sigma_j^{-1} (y - \mu_j)$, and $h$ a linear
# smoother {eq}`eq-smoother`. Then the closed form P(10) of the paper equals
#
# ```{math}
# :label: eq-identity-one
# y^*(x) = \Big( \sum_i a_i(x)\, \Lambda_i \Big)^{-1} \sum_i a_i(x)\, \Lambda_i\, y_i ,
# \qquad
# \Lambda_i = \sum_j \gamma_j(y_i)\, \Sigma_j^{-1} .
# ```
# ````
#
# ````{prf:proof}
# The membership block gives $\pi_j h_{1j} = \sum_i a_i \gamma_j(y_i)$. So the matrix of P(10) is
# $\sum_j \pi_j h_{1j} \Sigma_j^{-1} = \sum_i a_i \Lambda_i$. On the right-hand side the mean block
# is $h_2 = \sum_i a_i \big( \Lambda_i y_i - \sum_j \gamma_j(y_i) \Sigma_j^{-1} \mu_j \big)$, and
# what P(10) adds to it, $\sum_j \pi_j h_{1j} \Sigma_j^{-1} \mu_j
# = \sum_i a_i \sum_j \gamma_j(y_i) \Sigma_j^{-1} \mu_j$, cancels all that depends on the means.
# ````

# %%
printed = OutputFisherRegressor(
    GaussianMixtureEmbedding(n_components, scaling="score", decoder="raw", random_state=0),
    KernelRidge(alpha=alpha, kernel="rbf", gamma=gamma),
    block_wise=False,
).fit(X, Y)
responsibilities = printed.embedding_.predict_proba(Y)
precisions = responsibilities @ printed.embedding_.precisions_  # spherical: Lambda_i is a number
smoothed = (weights * precisions) @ Y / (weights @ precisions)[:, None]
gap = np.abs(printed.predict(X_new) - smoothed).max()
print("P(10) is the precision-weighted smoother:", gap < 1e-8)

# %% [markdown]
# Three things follow.
#
# *The means of the components are gone.* Only the precisions are left, as weights of the training
# outputs. With one component, or with a covariance that all components share, these weights are
# equal and the mixture drops out altogether: the prediction is $\sum_i a_i y_i / \sum_i a_i$,
# whatever the number of components.

# %%
tied = OutputFisherRegressor(
    GaussianMixtureEmbedding(
        n_components, covariance_type="tied", scaling="score", decoder="raw", random_state=0
    ),
    KernelRidge(alpha=alpha, kernel="rbf", gamma=gamma),
    block_wise=False,
).fit(X, Y)
normalised = weights @ Y / weights.sum(axis=1, keepdims=True)
gap = np.abs(tied.predict(X_new) - normalised).max()
print("a tied covariance leaves a normalised smoother:", gap < 1e-8)

# %% [markdown]
# *The prediction is normalised.* The paper's baseline m-KRR predicts $\sum_i a_i y_i$ without an
# intercept, so it is pulled towards zero wherever the weights sum to less than one. P(10)
# divides by their sum. That is an intercept in disguise, and any comparison with m-KRR measures it.
# A fair baseline has one too.

# %%
plain = weights @ Y
ridge = KernelRidgeCV([alpha], kernel="rbf", gamma=gamma)
centred = ridge.fit(X, Y).predict(X_new)
for name, predicted in {
    "m-KRR": plain,
    "m-KRR, normalised": normalised,
    "m-KRR centred": centred,
    "OFER-GMM as printed": printed.predict(X_new),
}.items():
    print(f"{name:20} RRMSE {rrmse(Y_new, predicted):.3f}")

# %% [markdown]
# *The denominator can vanish.* The weights of kernel ridge regression may be negative, and nothing
# keeps $\sum_i a_i \Lambda_i$ away from zero. With a linear kernel and inputs around the origin it
# changes sign in the midst of the data.

# %% mystnb={"figure": {"name": "fig-denominator", "caption": "Linear kernel, one dot per test input: the error of the printed form (logarithmic scale) against its denominator (symmetric logarithmic scale). Where the denominator passes zero the prediction explodes; natural scaling has no denominator."}, "image": {"alt": "Scatter plot: errors of the printed form form a peak around a denominator of zero, errors of natural scaling a flat band."}}
K_linear = linear_kernel(X) + alpha * np.eye(n_train)
a = np.linalg.solve(K_linear, linear_kernel(X, X_new)).T
linear = {
    "as printed": printed.set_params(regressor=KernelRidge(alpha=alpha)).fit(X, Y),
    "natural scaling": OutputFisherRegressor(
        GaussianMixtureEmbedding(n_components, random_state=0), KernelRidgeCV([alpha])
    ).fit(X, Y),
}
errors = {
    name: np.linalg.norm(model.predict(X_new) - Y_new, axis=1) for name, model in linear.items()
}
denominators = a @ precisions
assert 0.1 < np.mean(denominators < 0) < 0.9  # in the midst of the data
assert errors["as printed"].max() > 10 * errors["natural scaling"].max()
_ = plot_explosion(denominators, errors)

# %% [markdown]
# ## Natural scaling
#
# The paper leaves the matrix $M$ of the embedding free and takes it to be zeros and ones. It also
# drops the Fisher information matrix. Put it back: the natural gradient multiplies a score by the
# inverse of the information. For well separated components the information on $\mu_j$ is $\pi_j
# \Sigma_j^{-1}$, and that on the weights $\operatorname{diag}(1 / \pi)$. So
#
# ```{math}
# :label: eq-natural-gradient
# \tilde\nabla_{\pi_j} = \pi_j \cdot \frac{\gamma_j}{\pi_j} = \gamma_j , \qquad
# \tilde\nabla_{\mu_j} = \tfrac{1}{\pi_j} \Sigma_j \cdot \gamma_j \Sigma_j^{-1} (y - \mu_j)
# = \tfrac{1}{\pi_j}\, \gamma_j (y - \mu_j) .
# ```
#
# Summing the second over components with the weights $\pi_j$ gives the embedding that this package
# takes by default: memberships, and the residual from the soft centroid,
#
# ```{math}
# :label: eq-natural
# \phi(y) = \Big( \gamma(y),\; y - \sum_j \gamma_j(y) \mu_j \Big), \qquad
# y^* = h_2 + \sum_j h_{1j}\, \mu_j .
# ```
#
# It has the size $C + d$ of the printed one, is in the unit of the outputs, and its pre-image needs
# no inverse. In the paper's terms $M$ has the blocks $\operatorname{diag}(\pi)$ and
# $(\Sigma_1 \cdots \Sigma_C)$.

# %%
mixture = GaussianMixtureEmbedding(n_components, random_state=0).fit(Y)
C, d = mixture.means_.shape
M = np.zeros((C + d, C * (1 + d + d * d)))
M[:C, :C] = np.diag(mixture.weights_)
M[C:, C : C + C * d] = np.hstack([s * np.eye(d) for s in mixture.covariances_])
same = np.allclose(mixture.fisher_vector(Y) @ M.T, mixture.transform(Y), atol=1e-10)
print("M times the Fisher vector is the natural embedding:", same)

# %% [markdown]
# ````{prf:theorem} Natural scaling is kernel ridge regression
# :label: thm-natural
#
# With the embedding and the pre-image {eq}`eq-natural` and a linear smoother
# {eq}`eq-smoother`, $y^*(x) = \sum_i a_i(x)\, y_i$: the smoother applied to the outputs.
# ````
#
# ````{prf:proof}
# The centroids cancel:
#
# ```{math}
# h_2 + \sum_j h_{1j} \mu_j = \sum_i a_i \Big( y_i - \sum_j \gamma_j(y_i) \mu_j \Big)
#   + \sum_i a_i \sum_j \gamma_j(y_i) \mu_j = \sum_i a_i y_i .
# ```
# ````

# %%
raw = GaussianMixtureEmbedding(n_components, decoder="raw", random_state=0)
for intercept, expected in {False: plain, True: centred}.items():
    one = KernelRidgeCV([alpha], kernel="rbf", gamma=gamma, fit_intercept=intercept)
    model = OutputFisherRegressor(raw, one, block_wise=False).fit(X, Y)
    gap = np.abs(model.predict(X_new) - expected).max()
    print(f"intercept {intercept!s:5}: equal to kernel ridge regression:", gap < 1e-9)

# %% [markdown]
# One can watch it. Outputs are single numbers here, and seven queries stand one below the other.
# With more components a centroid jumps to one side, its residual to the other, and the sum stands
# still: it is kernel ridge regression whatever the mixture. With a ridge for each block, chosen
# by leave-one-out, the sum begins to move.

# %%
rng = np.random.default_rng(3)
inputs = np.sort(rng.uniform(-3, 3, size=(40, 1)), axis=0)
outputs = 1.5 * np.sign(inputs) + np.sin(2 * inputs) + 0.4 * rng.normal(size=inputs.shape)
queries, counts = np.linspace(-2.6, 2.6, 7)[:, None], [1, 2, 3, 4, 5, 6]


def blocks(count, ridge, block_wise):
    embedding = GaussianMixtureEmbedding(count, tol=1e-2, decoder="raw", random_state=0)
    model = OutputFisherRegressor(embedding, ridge, block_wise=block_wise).fit(inputs, outputs)
    memberships, residuals = np.split(model.predict_embedding(queries), [count], axis=1)
    centroids = (memberships @ model.embedding_.means_)[:, 0]
    return centroids, centroids + residuals[:, 0]


given = KernelRidgeCV([alpha], kernel="rbf", gamma=0.5)
free = KernelRidgeCV(kernel="rbf", gamma=0.5)
one = [blocks(count, given, block_wise=False) for count in counts]
two = [blocks(count, free, block_wise=True) for count in counts]
still = given.fit(inputs, outputs).predict(queries)[:, 0]

# %% mystnb={"figure": {"name": "fig-cancellation", "caption": "Seven queries, a row each. Squares are predicted centroids, arrows predicted residuals, rings their sums. Grey lines: kernel ridge regression of the outputs themselves. With one ridge the rings stand on the lines for any number of components; with two they leave them."}, "image": {"alt": "Three panels of seven rows. In the first all squares stand in one place, in the second in two groups; all rings stand on the grey lines. In the third some rings stand beside them."}}
panels = {"1 component": one[0], "2 components": one[1], "4 components, two ridges": two[3]}
_ = plot_cancellation(panels, still)

# %% tags=["hide-input"]
forms = {
    name: dict(zip(("centroids", "sums"), map(rounded, zip(*runs, strict=True)), strict=True))
    for name, runs in (("one", one), ("two", two))
}
publish(
    "cancellation", "fig-cancellation", {"reference": rounded(still), "counts": counts, **forms}
)

# %% tags=["hide-input"]
assert np.ptp([centroids for centroids, _ in one], axis=0).max() > 0.5
assert all(np.allclose(sums, still, atol=1e-9) for _, sums in one)
assert max(np.abs(sums - still).max() for _, sums in two) > 0.1

# %% [markdown]
# ## State-space models
#
# The third identity is about series, and it is proved where their embedding is derived,
# {prf:ref}`thm-dynamics-cancel`: with states that are given, or are any affine function of the
# observations such as smoothed means, one ridge and an intercept, regression on the embedding
# P(11)-P(12) followed by the sequential pre-image is centred kernel ridge regression on the series,
# in either scaling. The embedding is affine and injective, its pre-image is the affine inverse, and
# a smoother whose weights sum to one commutes with affine maps.
#
# The paper's Table 5 is about such series: they are simulated, and the second half is predicted
# from the first. {doc}`Series as outputs <06_2_time_series>` has the consequences for it.

# %%
series = make_state_space_series(n_train, random_state=0)
embedding = StateSpaceEmbedding(series.states.shape[2], scaling="score", fit_offset=False)
past = KernelRidgeCV([alpha])
model = OutputFisherRegressor(embedding, past, block_wise=False)
model.fit(series.X, series.Y, states=series.states)
flat = series.Y.reshape(n_train, -1)
expected = past.fit(series.X, flat).predict(series.X)
gap = np.abs(model.predict(series.X).reshape(n_train, -1) - expected).max()
print("series: equal to centred kernel ridge regression:", gap < 1e-9)

# %% [markdown]
# ## Where the model can matter
#
# The theorems need three things: the same weights for all coordinates, training targets that come
# from the same samples for all coordinates, and a pre-image that is linear in the predicted
# coordinates. Each step away from that is an option of {class}`ofer.OutputFisherRegressor` and
# its embeddings:
#
# :::{table} Assumptions of the theorems, and the option that leaves each.
# | assumption | step away | option |
# |---|---|---|
# | same weights | one ridge per block | `block_wise=True` (default) |
# | linear pre-image | memberships projected on the simplex | `decoder="simplex"` (default) |
# | linear pre-image | the best minimum of P(3) that a search finds | `decoder="exact"` |
# | same samples | weak labels for the membership block | `X_weak`, `membership_weak` |
# :::
#
# The following table starts from m-KRR and takes these steps one after the other, on D2 with
# clean and with noisy inputs and on the drug activities. The number of components is fixed (10
# for D2, 4 for the drugs), so that nothing but the step changes. Forms with one ridge choose it
# by five-fold cross-validation on the error of the outputs, those with one ridge per block by
# leave-one-out on each block.

# %%
table = results("ofer-ablation", profile=profile)
print(table.describe())

# %% mystnb={"figure": {"caption": "Mean RRMSE over ten splits, from m-KRR step by step to OFER (rows), on two kinds of generated data and the drug activities, with the number of training samples (columns)."}}
frame = table.frame
show_results(table, metric="rrmse")

# %% [markdown]
# The identities can be read off: *natural* is m-KRR and *natural, intercept* is m-KRR centred, on
# every split.

# %%
wide = frame.pivot(index=["setting", "split"], columns="method", values="value")
for form, ridge_form in {"natural": "m-KRR", "natural, intercept": "m-KRR centred"}.items():
    print(f"{form} equals {ridge_form}:", np.allclose(wide[form], wide[ridge_form], rtol=1e-6))

# %% mystnb={"figure": {"name": "fig-ablation", "caption": "Errors relative to centred kernel ridge regression on the same split (mean and range over ten splits, logarithmic scale). Left of the line is better."}, "image": {"alt": "Six panels of horizontal ranges, one row per form of the method; most lie at or right of one, weak labels left of it on the drug activities."}}
_ = plot_ablation(frame, reference="m-KRR centred")

# %% [markdown]
# Which steps are significant? The table tests each form against centred kernel ridge regression,
# by the paper's test.

# %% tags=["hide-input"] mystnb={"figure": {"caption": "Where a form (row) is significantly better or worse than centred kernel ridge regression on its data (column). Student's paired test at the paper's level, ten splits."}}
means = frame.groupby(["method", "setting"], sort=False)["value"].mean().unstack()
signs = {}
for method in means.index.drop("m-KRR centred"):
    test_of = paired_t_test(frame, method, "m-KRR centred", metric="rrmse")
    word = np.where(test_of["difference"] < 0, "better", "worse")
    signs[method] = np.where(test_of["significant"], word, "")
pd.DataFrame(signs, index=test_of.index).T

# %% [markdown]
# A blank is no significant difference, not equality. The printed form is worse than the baseline
# in at least eight of ten splits on every task, but its errors scatter so much that the test shows
# nothing. The next table has its worst splits.

# %% mystnb={"figure": {"caption": "RRMSE of the printed form on the worst of ten splits."}}
worst = frame[frame["method"] == "as printed"].groupby("setting", sort=False)["value"].max()
assert worst.max() > 2  # worse than predicting zero
losses = wide["as printed"] > wide["m-KRR centred"]
assert losses.groupby(level="setting").sum().min() >= 8
assert not np.any(signs["as printed"] != "")
worst.round(2).to_frame("RRMSE of the worst split").T

# %% [markdown]
# ## Series
#
# For series the results of Table 5 answer the same question: they have the form as printed, the
# form with one ridge per block, and the form with hidden states.

# %% mystnb={"figure": {"name": "fig-ablation-series", "caption": "Errors on the simulated series relative to centred kernel ridge regression on the same repetition, with 20, 100, 500 and 1000 training series (mean and range over ten repetitions)."}, "image": {"alt": "Four panels of horizontal ranges: the form as printed lies on or right of one; m-KRR without an intercept lies left of it, and the form with one ridge per block farther left, both less so with more series."}}
series_frame = results("ofer-table-05", allow_stale=profile != "stored").frame
forms = ["m-KRR", "m-KRR centred", "OFER-GSSM as printed", "OFER-GSSM smoothed", "OFER-GSSM"]
some = series_frame.query("method in @forms and setting in ('20', '100', '500', '1000')")
_ = plot_ablation(some, reference="m-KRR centred", metric="rrmse observed")

# %% [markdown]
# Against the centred ridge one ridge per block is a gain, significant at every size, because the
# model is true: leave-one-out finds that innovations cannot be predicted and leaves them to the
# dynamics ({doc}`06_2_time_series`). But these series have mean zero, and the ridge without an
# intercept is the better baseline. Against it the gain is less than two percent, and significant
# from 100 series on.

# %% tags=["hide-input"]
test = paired_t_test(series_frame, "OFER-GSSM", "m-KRR centred", metric="rrmse observed")
assert np.all(test["significant"] & (test["difference"] < 0))
assert np.all(np.diff(test["difference"]) > 0)  # and smaller with more series
against = paired_t_test(series_frame, "OFER-GSSM", "m-KRR", metric="rrmse observed")
assert list(against.index[against["significant"]]) == ["100", "200", "500", "1000"]
plain_test = paired_t_test(series_frame, "m-KRR", "m-KRR centred", metric="rrmse observed")
assert plain_test["difference"].max() < 0
for size in against.index:
    change = percent_change(
        series_frame, "m-KRR", "OFER-GSSM", metric="rrmse observed", setting=size
    )
    assert -2 < change.mean() < 0

# %% [markdown]
# ## What we found
#
# * With one ridge and a closed form that is linear the output model drops out of OFER, exactly. In
#   the printed form precisions are left as weights of the training outputs, and an intercept in
#   disguise; its mean error is above that of centred kernel ridge regression on all six tasks.
# * Centred kernel ridge regression is hard to beat without new information: no form of the method
#   that sees the same samples is significantly better on any of the six tasks of the ablation.
# * One ridge per block changes the mean error by less than two percent on the drugs and on noisy
#   D2. On clean D2 it raises it by a tenth or more. On series, whose model is right, it lowers it.
# * The projection on the simplex does the same: it changes the error by less than two percent,
#   except on clean D2, where it raises it by more than a half. There the inputs tell everything, a
#   membership of 1.1 means something, and the projection throws that away.
# * The exact pre-image is worse on every task than the closed form of the same embedding, and worse
#   than centred kernel ridge regression. It is faithful to P(3), and P(3) weights coordinates that
#   were predicted badly as if they had been predicted well.
# * Weak labels bring information that labelled samples do not have. On the drug activities they are
#   the only step that beats the baseline significantly, by five percent or more. In OFER they work
#   through the membership block and the simplex decoder, so they can help only where these do not
#   hurt: with clean inputs, on D2, they are significantly worse than the baseline.
# * The membership block is only one way to use them. On the drug activities a centred ridge that
#   learns the component's mean for each weak sample does as well, and with 300 molecules or more
#   better ({doc}`06_4_2_weak_labels`).
# * The best reading of the paper is therefore this: the embedding is not a better target for the
#   same data, it is one way to let other data in.

# %% tags=["hide-input"]
clean = ["D2 clean 60", "D2 clean 300"]
relative = means / means.loc["m-KRR centred"]
others = relative.columns.difference(clean)
better = pd.DataFrame(signs, index=test_of.index).T == "better"
assert not better.drop(index="weak labels").any(axis=None)
assert better.columns[better.loc["weak labels"]].str.startswith("NCI-60").all()
assert relative.loc["weak labels", ["NCI-60 20", "NCI-60 100"]].max() < 0.95
assert np.all(signs["weak labels"][test_of.index.isin(clean)] == "worse")
for form, least in {"ridges by block": 1.1, "natural, simplex, intercept": 1.5}.items():
    assert np.all(np.abs(relative.loc[form, others] - 1) < 0.02)
    assert relative.loc[form, clean].min() > least
for form in ("ridges by block", "defaults", "m-KRR centred"):
    assert np.all(means.loc["exact pre-image"] > means.loc[form])
assert np.all(means.loc["as printed"] > means.loc["m-KRR centred"])

# %% tags=["hide-input"]
weak_frame = results("ofer-table-10", allow_stale=profile != "stored").frame
imputing, embedded = (
    paired_t_test(weak_frame, method, reference, metric="rrmse")
    for method, reference in (
        ("m-KRR imputed+800", "m-KRR centred"),
        ("wOFER+800", "m-KRR imputed+800"),
    )
)
assert imputing["significant"].all()
assert imputing["difference"].max() < 0
assert list(embedded.index[embedded["significant"]]) == ["300", "500"]
assert embedded["difference"][["300", "500"]].min() > 0

# %% [markdown]
# ## What this changes for you
#
# Take kernel ridge regression as the baseline of any such method, centred unless your outputs have
# mean zero. Reach for OFER when you have a model of your series that you trust, or weak labels;
# with weak labels, first try a ridge that learns the component's mean.
#
# ## Exercises
#
# ```{exercise} Quick
# :label: ex-computes-positive
#
# The printed form explodes where $\sum_i a_i \Lambda_i$ vanishes. Which of these smoothers can
# explode: nearest neighbours, a Nadaraya-Watson average with a Gaussian kernel, kernel ridge
# regression with a Gaussian kernel?
# ```
#
# ```{solution} ex-computes-positive
# :class: dropdown
#
# Only the last. The weights of the first two are not negative and sum to one, so the sum is a
# convex combination of positive definite matrices. Those of kernel ridge regression can be
# negative, and far from all inputs they all go to zero, and with them the denominator.
# ```
#
# ```{exercise} Quick
# :label: ex-computes-tied
#
# How many components should the printed form have if its covariance is tied?
# ```
#
# ```{solution} ex-computes-tied
# :class: dropdown
#
# It does not matter: all give the normalised smoother $\sum_i a_i y_i / \sum_i a_i$.
# ```

# %% tags=["hide-input"]
assert (weights < 0).any()
averages = K_new / K_new.sum(axis=1, keepdims=True)
assert averages.min() >= 0
assert np.allclose(averages.sum(axis=1), 1)
for count in (1, 3):
    tied.set_params(embedding__n_components=count).fit(X, Y)
    assert np.allclose(tied.predict(X_new), normalised)

# %% [markdown]
# ```{exercise} Code
# :label: ex-computes-neighbours
#
# {prf:ref}`thm-natural` is about any linear smoother. Replace the ridge by
# `KNeighborsRegressor(5)` in `OutputFisherRegressor`, with natural scaling and the raw decoder, and
# compare with nearest neighbours on the outputs themselves.
# ```
#
# ```{solution-start} ex-computes-neighbours
# :class: dropdown
# ```

# %%
neighbours = KNeighborsRegressor(5)
model = OutputFisherRegressor(raw, neighbours, block_wise=False).fit(X, Y)
expected = neighbours.fit(X, Y).predict(X_new)
print("equal to nearest neighbours:", np.allclose(model.predict(X_new), expected))
assert np.allclose(model.predict(X_new), expected)

# %% [markdown]
# The average of five neighbours has weights that do not depend on the coordinate.
#
# ```{solution-end}
# ```
#
# ```{exercise} Open
# :label: ex-computes-forest
#
# A random forest grown on the embedding is not a linear smoother of the outputs in the sense of
# {eq}`eq-smoother`: why not? Does OFER with a forest differ from a forest on the outputs?
# ```
#
# ```{solution} ex-computes-forest
# :class: dropdown
#
# Given its trees a forest averages training targets, with the same weights for every coordinate;
# but the trees are grown on the targets. Grown on memberships and residuals they split in other
# places. So the predictions differ, and here the model can matter.
# ```
#
# ## Recap quiz
#
# Five questions on *The method*.
#
# **1.** What are the three steps of output Fisher embedding regression?
#
# ```{dropdown} Answer
# Embed the outputs by scores of a generative model, regress the embeddings on the inputs, and
# decode the predicted embedding to an output ({doc}`02_output_fisher_embedding_regression`).
# ```
#
# **2.** How many numbers does the reduced embedding of a mixture of 4 components in 10 dimensions
# have, and the full one?
#
# ```{dropdown} Answer
# 14 and 444: $C + d$, and $C (1 + d + d^2)$.
# ```
#
# **3.** You fit a mixture by EM with scikit-learn's default tolerance on the gain in likelihood,
# $10^{-3}$. Of which order is the mean score that is left?
#
# ```{dropdown} Answer
# Of the order of its square root, 0.01 to 0.03: the gain is quadratic in the score
# ({doc}`03_2_gaussian_mixture`).
# ```
#
# **4.** Where does the printed closed form P(10) explode, and what cures it?
#
# ```{dropdown} Answer
# Where predicted memberships have mixed signs, so that the sum of precisions is near zero.
# Memberships on the simplex cure it, or the natural scaling, which has nothing to invert
# ({doc}`04_pre_images`).
# ```
#
# **5.** With one ridge, an intercept, natural scaling and the raw decoder: by how much does the
# prediction change when a mixture of 6 components replaces one of 2?
#
# ```{dropdown} Answer
# By nothing: both are centred kernel ridge regression ({prf:ref}`thm-natural`).
# ```

# %% tags=["hide-input"]
assert (4 + 10, 4 * (1 + 10 + 10**2)) == (14, 444)
assert round(np.sqrt(1e-3), 2) == 0.03
for count in (2, 6):
    some = GaussianMixtureEmbedding(count, decoder="raw", random_state=0)
    by_model = OutputFisherRegressor(some, ridge, block_wise=False).fit(X, Y).predict(X_new)
    assert np.allclose(by_model, centred)
