# ---
# jupyter:
#   kernelspec: {display_name: Python 3, language: python, name: python3}
#   ofer:
#     data: [nci60]
#     tables: [ofer-ablation]
#     reads: [ofer-table-05, ofer-table-10]
# ---

# %% [markdown]
# # What OFER really computes
#
# **The question.** Output Fisher embedding regression (OFER) takes a detour. It fits a probability
# model to the training outputs and describes each output by that model, in a vector called the
# *embedding*. It regresses the embedding on the inputs, and turns each predicted embedding back
# into an output. What does the detour change in the prediction?
#
# **The idea.** Most regressions predict by weighted sums of training targets. Insert the embedding
# into such a sum, and simplify.
#
# **The answer.** If all coordinates share the weights, and the way back is linear, the model
# cancels: OFER is kernel ridge regression of the outputs themselves. Two things remain in the
# paper's form: an intercept in disguise, and a weight for each training output. So with one ridge
# parameter the embedding is no better target for the same data. With a ridge parameter for each part
# it can be, where the model is right, as on {doc}`series <06_2_time_series>`. It also lets other data
# in.

# %% tags=["parameters"]
profile: str = "stored"  # or "quick", "full": see How to re-run this book
n_train: int = 60  # training samples of the checks
n_components: int = 6  # of the mixtures in the checks
alpha: float = 0.1  # the ridge parameter of the checks

# %%
import numpy as np
import pandas as pd
from sklearn.kernel_ridge import KernelRidge
from sklearn.metrics.pairwise import linear_kernel, rbf_kernel
from sklearn.neighbors import KNeighborsRegressor

from ofer import GaussianMixtureEmbedding, KernelRidgeCV, OutputFisherRegressor, StateSpaceEmbedding
from ofer.metrics import rrmse
from reproduction.datasets.generated.mixtures import make_d2
from reproduction.datasets.generated.state_space_series import make_state_space_series
from reproduction.engine import results
from reproduction.figures.moving import publish, rounded
from reproduction.figures.relative_errors import plot_ablation
from reproduction.figures.tables import show_results
from reproduction.studies.embedding.figures.closed_form import plot_cancellation, plot_explosion

# %% [markdown]
# ## One ridge parameter: the model cancels
#
# Kernel ridge regression predicts a weighted sum of training outputs, $\sum_i a_i(x)\, y_i$. Its
# penalty is the *ridge parameter*. If one ridge parameter serves all coordinates of an embedding,
# it predicts them all with the same weights $a_i(x)$.
#
# Take a Gaussian mixture as the model. The *centroid* of an output is the mean of the component
# means, weighted by its {term}`memberships <membership>`. This package's default, *natural
# scaling*, has two *blocks*: the memberships, and the *residual*, which is the output minus its
# centroid. The prediction is the predicted centroid plus the predicted residual.
# {numref}`fig-cancellation` adds them for outputs that are single numbers.

# %% mystnb={"figure": {"name": "fig-cancellation", "caption": "Seven queries, a row each. Squares are predicted centroids, arrows predicted residuals, rings their sums, and grey lines kernel ridge regression of the outputs themselves."}, "image": {"alt": "Three panels of seven rows. In the first all squares stand in one place, in the second in two groups; all rings stand on the grey lines. In the third some rings stand beside them."}}
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
joint = [blocks(count, given, block_wise=False) for count in counts]
separate = [blocks(count, free, block_wise=True) for count in counts]
still = given.fit(inputs, outputs).predict(queries)[:, 0]
panels = {
    "1 component": joint[0],
    "2 components": joint[1],
    "4 components, two ridge parameters": separate[3],
}
_ = plot_cancellation(panels, still)

# %% tags=["hide-input"]
forms = {
    name: dict(zip(("centroids", "sums"), map(rounded, zip(*runs, strict=True)), strict=True))
    for name, runs in (("one", joint), ("two", separate))
}
publish(
    "cancellation", "fig-cancellation", {"reference": rounded(still), "counts": counts, **forms}
)

# %% [markdown]
# With one ridge parameter a second component moves the centroids, and the residuals take the move
# back. Every sum is the prediction of kernel ridge regression, whatever the mixture
# ({prf:ref}`thm-model-cancels`). With a ridge parameter for each block, some sums leave the lines.

# %% tags=["hide-input"]
assert np.ptp([centroids for centroids, _ in joint], axis=0).max() > 0.5
assert all(np.allclose(sums, still, atol=1e-9) for _, sums in joint)
assert max(np.abs(sums - still).max() for _, sums in separate) > 0.1

# %% [markdown]
# The paper's form keeps more of the model ({prf:ref}`thm-printed`). It weights the
# training outputs by *precisions*, which are inverse covariances, and divides by the sum of the
# weights. If the components share one covariance, or if there is one component, only the division
# is left. The division acts as an intercept, which the paper's equation (13) lacks. So with one
# component, or with a shared covariance, a comparison of the two measures the intercept. A fair
# baseline has one too; this book calls it *centred*.
#
# ## Where the model can help
#
# In natural scaling the model matters only where one of three assumptions is dropped:
#
# :::{table} Assumptions of {prf:ref}`thm-model-cancels`, and the option that drops each.
# | assumption | what to do instead | option |
# |---|---|---|
# | coordinates share their weights | a ridge parameter for each block | `block_wise="auto"` (default) or `True` |
# | the way back is linear | predicted memberships on the simplex: not negative, sum one | `decoder="simplex"` (default) |
# | the way back is linear | a search for the output whose embedding is nearest | `decoder="exact"` |
# | coordinates share their samples | *weak labels*: samples with a known component and no output | `weak=Memberships(...)` |
# :::
#
# {numref}`fig-ablation` takes these steps one after the other. *D2* are generated: outputs in five
# dimensions from ten clusters, and inputs that are a compressed picture of them, clean or noisy.
# *NCI-60* are activities of drug molecules on tumour cell lines. The number counts training
# samples. The number of components is fixed here, at most 10 for D2 and 4 for the drugs, so that nothing
# but the step changes. Where folds choose it, the errors of the paper's form are smaller, so they differ
# from those of {doc}`06_4_2_drug_activity`. The error is the {term}`RRMSE`.

# %%
table = results("ofer-ablation", profile=profile)
ablation = table.contrast("rrmse")
frame, means, baseline = table.frame, ablation.means, "m-KRR centred"

# %% mystnb={"figure": {"name": "fig-ablation", "caption": "RRMSE of each form, relative to kernel ridge regression with an intercept on the same split: mean and range over ten splits, logarithmic scale. Left of the line is better."}, "image": {"alt": "Six panels of horizontal ranges, one row per form of the method; most lie at or right of one, weak labels left of it on the drug activities."}}
_ = plot_ablation(frame, reference="m-KRR centred")

# %% [markdown]
# In the rows, *m-KRR* is kernel ridge regression as equation (13) has it, without an intercept.
# *Paper's form* is the paper's OFER, and *score, simplex* projects its memberships. Rows that begin
# with *natural* have natural scaling, one ridge parameter, and an intercept or a projection only
# where the name says so. The next three rows have an intercept and a ridge parameter for each
# block, and differ in the way back: linear in *ridges by block*, through the simplex in *defaults*,
# by search in *exact pre-image*. *Weak labels* adds 250 weak labels to the defaults.
#
# ## What we found
#
# *Significant* means p < .001 in Student's paired test over ten splits, the paper's test.
#
# * **Kernel ridge regression with an intercept is hard to beat on the same data.** No form of OFER
#   that sees the same samples is significantly better on any of the six tasks. The paper's form has
#   a larger mean error on all six.
# * **A ridge parameter for each block helps on series only.** The mean error changes by less than
#   two percent on drugs and noisy D2, and rises by a tenth or more on clean D2. On simulated
#   series, whose model is right, it falls.
# * **The simplex does harm on clean D2.** With one ridge parameter, the error rises there by more
#   than a half, and changes by less than two percent on the other tasks. With one for each block,
#   the error rises there by more than a third, and on noisy D2 with 60 samples by 3 %; with 300 it
#   falls by 1 %, and on the drugs it stays. The likely reason: clean inputs tell everything, so a
#   predicted membership of 1.1 carries information, and the projection removes it.
# * **The default keeps the simplex for its bound** ({prf:ref}`thm-simplex-bounded`), not for the
#   mean error. In the paper's scaling, which divides, it lowers the error of the worst split of D2
#   with 60 samples from 2.4 to 0.6 (clean) and from 1.2 to 0.7 (noisy). If your inputs tell the
#   clusters almost without noise, try `decoder="raw"`.
# * **The exact search is worse** on every task than the closed form of the same embedding, and than
#   the baseline. It weighs badly predicted coordinates like well predicted ones.
# * **On these six tasks, weak labels are the only step that beats the baseline significantly**: on
#   the drugs, by five
#   percent or more. They bring information that labelled samples do not have. On clean D2 the
#   form with weak labels is significantly worse.
# * **OFER is one way to use weak labels.** The simplest other way is to *impute*: give each weak
#   sample the mean of its component as output, then fit a ridge regression. On the drugs it does as
#   well, and from 300 molecules on it does better ({doc}`06_4_2_drug_activity`).

# %% tags=["hide-input"]
clean, drugs = ["D2 clean 60", "D2 clean 300"], ["NCI-60 20", "NCI-60 100"]
relative = means.div(means[baseline], axis=0)
assert ablation.better(means.columns.drop([baseline, "weak labels"]), than=baseline, only=[])
assert ablation.better("weak labels", than=baseline, only=drugs)
assert relative.loc[drugs, "weak labels"].max() < 0.95
assert ablation.worse("weak labels", than=baseline, at=clean)
for form, least in {"ridges by block": 1.1, "natural, simplex, intercept": 1.5}.items():
    assert np.all(np.abs(relative[form].drop(clean) - 1) < 0.02)
    assert relative.loc[clean, form].min() > least
projected = means["defaults"] / means["ridges by block"] - 1
assert projected[clean].min() > 1 / 3
assert list(projected[["D2 noisy 60", "D2 noisy 300"]].round(2)) == [0.03, -0.01]
assert ablation.apart("defaults", "ridges by block", at=means.index.drop(drugs))
assert projected[drugs].abs().max() < 0.001
worst_of = ablation.by_split[["as printed", "score, simplex"]].groupby("setting").max().round(1)
assert worst_of.loc[["D2 clean 60", "D2 noisy 60"]].T.to_numpy().tolist() == [
    [2.4, 1.2],
    [0.6, 0.7],
]
assert ablation.ahead(["ridges by block", "defaults", baseline], of="exact pre-image")
assert ablation.ahead(baseline, of="as printed")
on_drugs = results("ofer-table-10", allow_stale=profile != "stored").contrast("rrmse")
assert on_drugs.better("m-KRR imputed+800", than=baseline)
assert on_drugs.apart("m-KRR imputed+800", "wOFER+800", only=["300", "500"])
assert on_drugs.better("m-KRR imputed+800", than="wOFER+800", only=["300", "500"])

# %% [markdown]
# ## Proof: the paper's form
#
# {prf:ref}`thm-model-cancels` is proved in the chapter that derives natural scaling,
# {doc}`02_output_fisher_embedding_regression`. Here is what holds of the paper's form. As there, the
# regression is a *linear smoother*: it predicts an embedding $\phi(y)$ by a weighted sum of
# training embeddings, with the same weights for every coordinate:
#
# ```{math}
# :label: eq-smoother
# h(x) = \sum_{i=1}^{n} a_i(x)\, \phi(y_i) .
# ```
#
# Nearest neighbours and kernel averages are linear smoothers, and so is kernel ridge regression
# with one ridge parameter. With an intercept its weights sum to one, because a constant target is
# then predicted exactly. Without one they need not:

# %%
data = make_d2(random_state=0, input_noise=0.3)
X, Y = data.X[:n_train], data.Y[:n_train]
X_new, Y_new = data.X[-300:], data.Y[-300:]
gamma = 0.5
K, K_new = rbf_kernel(X, gamma=gamma), rbf_kernel(X_new, X, gamma=gamma)
weights = np.linalg.solve(K + alpha * np.eye(n_train), K_new.T).T
print("sums of the weights without an intercept:", weights.sum(axis=1).round(2)[:6])

# %% [markdown]
# Let the mixture have weights $\pi_j$, means $\mu_j$ and covariances $\Sigma_j$, and let
# $\gamma_j(y)$ be the membership of $y$ in component $j$. The paper's embedding has the blocks
#
# ```{math}
# :label: eq-computes-score
# \phi_{1j}(y) = \frac{\gamma_j(y)}{\pi_j} , \qquad
# \phi_2(y) = \sum_j \gamma_j(y)\, \Sigma_j^{-1} (y - \mu_j) ,
# ```
#
# and the paper's closed form, its equation 10, turns predicted blocks $h_1$ and $h_2$ into an
# output. For mixtures this is not the output with the nearest embedding, as the paper says
# ({doc}`90_errata`), but it is what the method computes:
#
# ```{math}
# :label: eq-computes-closed-form
# y^* = \Big( \sum_j \pi_j h_{1j}\, \Sigma_j^{-1} \Big)^{-1}
# \Big( h_2 + \sum_j \pi_j h_{1j}\, \Sigma_j^{-1} \mu_j \Big) .
# ```
#
# ````{prf:theorem} A precision-weighted smoother
# :label: thm-printed
#
# With the embedding {eq}`eq-computes-score`, a linear smoother {eq}`eq-smoother` and the closed
# form {eq}`eq-computes-closed-form`, the prediction is
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
# Insert the first block of {eq}`eq-computes-score` into {eq}`eq-smoother` and multiply by $\pi_j$:
#
# ```{math}
# :label: eq-computes-membership
# \pi_j h_{1j} = \sum_i a_i\, \gamma_j(y_i) .
# ```
#
# Insert {eq}`eq-computes-membership` into the matrix of {eq}`eq-computes-closed-form`, and exchange
# the sums. By the definition of $\Lambda_i$ the matrix is
#
# ```{math}
# \sum_j \pi_j h_{1j}\, \Sigma_j^{-1} = \sum_i a_i \sum_j \gamma_j(y_i)\, \Sigma_j^{-1}
# = \sum_i a_i \Lambda_i .
# ```
#
# Insert the second block of {eq}`eq-computes-score` into {eq}`eq-smoother`, and separate what
# contains $y_i$ from what contains the means:
#
# ```{math}
# h_2 = \sum_i a_i \Lambda_i\, y_i - \sum_i a_i \sum_j \gamma_j(y_i)\, \Sigma_j^{-1} \mu_j .
# ```
#
# By {eq}`eq-computes-membership`, the closed form adds to $h_2$ the term
#
# ```{math}
# \sum_j \pi_j h_{1j}\, \Sigma_j^{-1} \mu_j = \sum_i a_i \sum_j \gamma_j(y_i)\, \Sigma_j^{-1} \mu_j
# .
# ```
#
# This is the last sum of $h_2$ with the opposite sign. The two cancel, and
# $\sum_i a_i \Lambda_i\, y_i$ is left in the bracket.
# ````

# %%
ridge_without = KernelRidge(alpha=alpha, kernel="rbf", gamma=gamma)
mixture = GaussianMixtureEmbedding(n_components, scaling="score", decoder="raw", random_state=0)
printed = OutputFisherRegressor(mixture, ridge_without, block_wise=False).fit(X, Y)

# %% tags=["hide-input"]
responsibilities = printed.embedding_.predict_proba(Y)
precisions = responsibilities @ printed.embedding_.precisions_  # spherical: Lambda_i is a number
smoothed = (weights * precisions) @ Y / (weights @ precisions)[:, None]
assert np.abs(printed.predict(X_new) - smoothed).max() < 1e-8

# %% [markdown]
# Three things follow.
#
# **The means are gone.** Only the precisions are left. With one component, or with a covariance
# that all components share (*tied*), all $\Lambda_i$ are equal. Then they cancel as well, and the
# prediction is $\sum_i a_i y_i / \sum_i a_i$, whatever the number of components.

# %% tags=["hide-input"]
tied = OutputFisherRegressor(
    GaussianMixtureEmbedding(
        n_components, covariance_type="tied", scaling="score", decoder="raw", random_state=0
    ),
    ridge_without,
    block_wise=False,
).fit(X, Y)
normalised = weights @ Y / weights.sum(axis=1, keepdims=True)
assert np.abs(tied.predict(X_new) - normalised).max() < 1e-8

# %% [markdown]
# **The prediction is normalised.** Equation (13) predicts $\sum_i a_i y_i$ without an
# intercept, so it is pulled towards zero wherever the weights sum to less than one. The closed form
# divides by the sum. That is the intercept in disguise.

# %%
plain = weights @ Y
ridge = KernelRidgeCV([alpha], kernel="rbf", gamma=gamma)
centred = ridge.fit(X, Y).predict(X_new)
for name, predicted in {
    "ridge without an intercept": plain,
    "the same, normalised": normalised,
    "ridge with an intercept": centred,
    "OFER (paper)": printed.predict(X_new),
}.items():
    print(f"{name:27} RRMSE {rrmse(Y_new, predicted):.3f}")

# %% [markdown]
# **The denominator can vanish.** Weights of kernel ridge regression may be negative, so nothing
# keeps $\sum_i a_i \Lambda_i$ away from zero. With a linear kernel and inputs around the origin it
# changes sign in the midst of the data.

# %% mystnb={"figure": {"name": "fig-denominator", "caption": "Linear kernel, one dot per test input: the error (logarithmic) against the denominator of the paper's form (symmetric logarithmic). The paper's form explodes where the denominator passes zero; natural scaling has none."}, "image": {"alt": "Scatter plot: errors of the paper's form peak around a denominator of zero, errors of natural scaling a flat band."}}
K_linear = linear_kernel(X) + alpha * np.eye(n_train)
a = np.linalg.solve(K_linear, linear_kernel(X, X_new)).T
linear = {
    "as printed": printed.set_params(regressor=KernelRidge(alpha=alpha)).fit(X, Y),
    "natural scaling": OutputFisherRegressor(
        GaussianMixtureEmbedding(n_components, random_state=0),
        KernelRidgeCV([alpha]),
        block_wise=True,
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
# Natural scaling has no denominator. With one ridge parameter and the linear way back it predicts
# what ridge regression predicts:

# %%
raw = GaussianMixtureEmbedding(n_components, decoder="raw", random_state=0)  # the linear way back
natural = OutputFisherRegressor(raw, ridge, block_wise=False).fit(X, Y)  # one ridge parameter
print("OFER: ", natural.predict(X_new)[0].round(4))
print("ridge:", centred[0].round(4))

# %% tags=["hide-input"]
for intercept, expected in {False: plain, True: centred}.items():
    regressor = KernelRidgeCV([alpha], kernel="rbf", gamma=gamma, fit_intercept=intercept)
    model = OutputFisherRegressor(raw, regressor, block_wise=False).fit(X, Y)
    assert np.abs(model.predict(X_new) - expected).max() < 1e-9

# %% [markdown]
# ## Proof: series
#
# For series the output model is a state-space model: hidden states follow linear dynamics, and
# each observation is a linear function of a state plus noise. OFER embeds a series by the
# *innovations*, what the dynamics do not explain, and predicts by running the dynamics with
# predicted innovations. Chapter {doc}`03_3_state_space` proves the identity in
# {prf:ref}`thm-dynamics-cancel`. Its argument: the embedding is affine in the series, its way
# back is the affine inverse, and weights that sum to one commute with affine maps. So with one
# ridge parameter and an intercept, OFER is centred kernel ridge regression of the series, in
# either scaling. The theorem assumes that the states are given, or are an affine function of the
# observations, as smoothed means are.

# %% tags=["hide-input"]
series = make_state_space_series(n_train, random_state=0)
past = KernelRidgeCV([alpha])
flat = series.Y.reshape(n_train, -1)
expected = past.fit(series.X, flat).predict(series.X)
for scaling in ("score", "natural"):
    embedding = StateSpaceEmbedding(series.states.shape[2], scaling=scaling, fit_offset=False)
    model = OutputFisherRegressor(embedding, past, block_wise=False)
    model.fit(series.X, series.Y, states=series.states)
    assert np.abs(model.predict(series.X).reshape(n_train, -1) - expected).max() < 1e-9

# %% [markdown]
# ## What this changes for you
#
# Compare any such method with kernel ridge regression first, with an intercept unless your outputs
# have mean zero. Use OFER if you have a model of your series that you trust, or weak labels. With
# weak labels, first try a ridge regression that learns the component's mean.

# %% [markdown]
# ## The steps in numbers
#
# Forms with one ridge parameter choose it by five-fold cross-validation of the error of outputs.
# Forms with one for each block choose it by leave-one-out on the block. The number of components is
# fixed, at most 10 for D2 and 4 for the drugs, so that nothing but the step changes.

# %% mystnb={"figure": {"caption": "RRMSE of each form (rows) on each task (columns; the number counts training samples): mean and standard deviation over ten splits."}}
print(table.describe())
show_results(table, metric="rrmse")

# %% [markdown]
# The table shows the identity: *natural* equals *m-KRR*, and *natural, intercept* equals *m-KRR
# centred*, on every split.

# %% tags=["hide-input"]
for form, ridge_form in {"natural": "m-KRR", "natural, intercept": "m-KRR centred"}.items():
    assert np.allclose(ablation.by_split[form], ablation.by_split[ridge_form], rtol=1e-6)

# %% tags=["hide-input"] mystnb={"figure": {"caption": "Tasks (columns) on which a form (row) is significantly better or worse than centred kernel ridge regression. A blank is no significant difference, not equality."}}
tests = {name: ablation.tests(name, baseline) for name in means.columns.drop(baseline)}
signs = {
    name: np.where(test["significant"], np.where(test["difference"] < 0, "better", "worse"), "")
    for name, test in tests.items()
}
pd.DataFrame(signs, index=means.index).T

# %% [markdown]
# The paper's form is worse than the baseline in at least eight of ten splits on every task, but its
# errors scatter so much that the test shows nothing. Its worst split can be worse than predicting
# zero, whose RRMSE is 1:

# %% mystnb={"figure": {"caption": "RRMSE of the paper's form on the worst of ten splits."}}
worst = ablation.by_split["as printed"].groupby("setting", sort=False).max()
assert worst.max() > 2  # worse than predicting zero
losses = ablation.by_split["as printed"] > ablation.by_split[baseline]
assert losses.groupby("setting").sum().min() >= 8
assert ablation.apart("as printed", baseline, only=[])
worst.round(2).to_frame("RRMSE of the worst split").T.rename_axis(columns=None)

# %% [markdown]
# On series, a ridge parameter for each block is significantly better than the centred baseline at
# every size. The model is true here. Leave-one-out finds that the inputs do not predict the
# innovations, so the prediction follows the dynamics alone ({doc}`06_2_time_series`). But these
# series have mean zero, so ridge regression without an intercept is the better baseline. Against
# it the gain is less than two percent, and significant from 100 series on.

# %% tags=["hide-input"]
series = results("ofer-table-05", allow_stale=profile != "stored")
on_series, series_frame = series.contrast("rrmse observed"), series.frame
assert on_series.better("OFER-GSSM", than=baseline)
gained = on_series.means[baseline] - on_series.means["OFER-GSSM"]
assert np.all(np.diff(gained) < 0)  # smaller with more series
assert on_series.apart("OFER-GSSM", "m-KRR", only=["100", "200", "500", "1000"])
assert on_series.ahead("m-KRR", of=baseline)
assert on_series.changes("OFER-GSSM", "m-KRR").between(-2, 0, inclusive="neither").all()

# %% mystnb={"figure": {"name": "fig-ablation-series", "caption": "Errors on simulated series relative to centred kernel ridge regression, by number of training series (mean and range over ten repetitions). OFER-GSSM (ours) is OFER with a state-space model and a ridge parameter for each block; OFER-GSSM (paper) is the paper's form."}, "image": {"alt": "Four panels of horizontal ranges: the paper's form lies on or right of one; m-KRR without an intercept lies left of it, and the form with one ridge per block farther left, both less so with more series."}}
forms = ["m-KRR", "m-KRR centred", "OFER-GSSM as printed", "OFER-GSSM smoothed", "OFER-GSSM"]
some = series_frame.query("method in @forms and setting in ('20', '100', '500', '1000')")
_ = plot_ablation(some, reference="m-KRR centred", metric="rrmse observed")

# %% [markdown]
# ## Exercises
#
# ```{exercise} Quick
# :label: ex-computes-positive
#
# The paper's form explodes where $\sum_i a_i \Lambda_i$ vanishes. Which smoothers can explode:
# nearest neighbours, an average weighted by a Gaussian kernel (Nadaraya-Watson), kernel ridge
# regression with a Gaussian kernel?
# ```
#
# ```{solution} ex-computes-positive
# :class: dropdown
#
# Only the last. The weights of the first two are not negative and sum to one, so the sum is a
# convex combination of positive definite matrices. The weights of kernel ridge regression can be
# negative. Far from all inputs they all go to zero, and so does the denominator.
# ```
#
# ```{exercise} Quick
# :label: ex-computes-tied
#
# How many components should the paper's form have if its covariance is tied?
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
# {prf:ref}`thm-model-cancels` is about any linear smoother. Give `OutputFisherRegressor` the regressor
# `KNeighborsRegressor(5)`, natural scaling and the raw decoder. Compare it with nearest neighbours
# on the outputs.
# ```
#
# ```{solution-start} ex-computes-neighbours
# :class: dropdown
# ```

# %%
neighbours = KNeighborsRegressor(5)
model = OutputFisherRegressor(raw, neighbours, block_wise=False).fit(X, Y)
expected = neighbours.fit(X, Y).predict(X_new)
print("largest difference:", np.abs(model.predict(X_new) - expected).max().round(6))
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
# A random forest grown on the embedding is not a linear smoother in the sense of
# {eq}`eq-smoother`. Why not? Does OFER with a forest differ from a forest on the outputs?
# ```
#
# ```{solution} ex-computes-forest
# :class: dropdown
#
# Once its trees are grown, a forest averages training targets, with the same weights for every
# coordinate. But the trees are grown on the targets: on memberships and residuals they split in
# other places than on outputs. So the predictions differ, and here the model can matter.
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
# ````{ask}
# :answer: 14, 444
# **2.** How many numbers does the reduced embedding of a mixture of 4 components in 10 dimensions
# have, and the full one?
#
# ```{dropdown} Answer
# 14 and 444: $C + d$, and $C (1 + d + d^2)$.
# ```
# ````
#
# ````{ask}
# :answer: 2
# :choices: about 0.001 | 0.01 to 0.03 | about 0.3
# **3.** You fit a mixture by EM with scikit-learn's default tolerance on the gain in likelihood,
# $10^{-3}$. Of which order is the mean score that is left?
#
# ```{dropdown} Answer
# Of the order of its square root, 0.01 to 0.03: the gain is quadratic in the score
# ({doc}`03_2_gaussian_mixture`).
# ```
# ````
#
# **4.** Where does the paper's closed form of the mixture explode, and what cures it?
#
# ```{dropdown} Answer
# Where predicted memberships have mixed signs, so that the sum of precisions is near zero.
# Memberships on the simplex cure it, and so does natural scaling, which has nothing to invert
# ({doc}`04_pre_images`).
# ```
#
# ````{ask}
# :answer: 1
# :choices: not at all | by the difference of the two mixtures | more, the more components
# **5.** Take one ridge parameter, an intercept, natural scaling and the raw decoder. By how much
# does the prediction change when a mixture of 6 components replaces one of 2?
#
# ```{dropdown} Answer
# By nothing: both are centred kernel ridge regression ({prf:ref}`thm-model-cancels`).
# ```
# ````

# %% tags=["hide-input"]
assert (4 + 10, 4 * (1 + 10 + 10**2)) == (14, 444)
assert round(np.sqrt(1e-3), 2) == 0.03
for count in (2, 6):
    some = GaussianMixtureEmbedding(count, decoder="raw", random_state=0)
    by_model = OutputFisherRegressor(some, ridge, block_wise=False).fit(X, Y).predict(X_new)
    assert np.allclose(by_model, centred)
