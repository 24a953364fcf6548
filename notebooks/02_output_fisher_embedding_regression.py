# ---
# jupyter:
#   kernelspec: {display_name: Python 3, language: python, name: python3}
# ---

# %% [markdown]
# # Embed, regress, decode
#
# *Section 2 of {cite:t}`djerrab2018`*
#
# **The question.** Output Fisher embedding regression (OFER) predicts vectors. It first fits a
# probability model to the training outputs. Then it regresses what the model says about each
# output. Does the model improve the predictions?
#
# **The idea.** Outputs often come in groups. Scores in two exams, for instance, come from students
# who prepared and from students who did not. A mixture of Gaussians finds such groups. The
# regression then learns the group of an output and its place within the group.
#
# **The answer.** In its plainest form OFER makes the predictions of kernel ridge regression,
# whatever the model. The model cancels, and the proof takes three lines. A model can matter only
# in a form that leaves the plain one. This chapter names six ways to do so. The first is the paper's
# own: it scales the embedding.

# %% tags=["parameters"]
n_samples: int = 300  # outputs of the mixture that runs through the chapter
n_train: int = 60  # of them for training
input_noise: float = 0.5  # noise of the inputs, as a fraction of their size
n_components: int = 3  # components of the output model, at most three for the figures
seed: int = 1  # a draw whose three clusters form a triangle

# %%
from copy import deepcopy

import numpy as np
import pandas as pd
from scipy.differentiate import derivative
from scipy.linalg import block_diag
from scipy.optimize import approx_fprime
from scipy.stats import norm
from sklearn.base import clone
from sklearn.compose import TransformedTargetRegressor
from sklearn.model_selection import GridSearchCV, train_test_split

from ofer import (
    GaussianEmbedding,
    GaussianMixtureEmbedding,
    KernelRidgeCV,
    Memberships,
    OutputFisherRegressor,
)
from ofer.kernels import median_bandwidth
from ofer.metrics import rrmse
from reproduction.datasets.generated.mixture_regression import make_mixture_regression
from reproduction.methods.squared_error_ridge import squared_error_ridge
from reproduction.studies.embedding.figures.embeddings import (
    plot_decoding,
    plot_density_and_score,
    plot_mixture_scores,
    plot_three_steps,
)

# %% [markdown]
# ## The three steps
#
# OFER never regresses an output $y$ itself. It takes a detour through an *embedding* $\phi(y)$, a
# vector that the probability model computes from the output.

# %% mystnb={"figure": {"name": "fig-three-steps", "caption": "The three steps, after Figure 1 of the paper."}, "image": {"alt": "Diagram. An arrow leads from the outputs up to their Fisher embeddings, one from the inputs to the embeddings, and one from the embeddings back down to the outputs."}}
_ = plot_three_steps()

# %% [markdown]
# 1. **Embed.** A Gaussian mixture model (GMM) with $C$ components is fitted to the training
#    outputs. The embedding of an output has two *blocks*, that is, groups of coordinates. The
#    *membership block* holds the probabilities $\gamma_j(y)$ that component $j$ made $y$. The
#    *mean block* holds the residual $y - \sum_j \gamma_j(y) \, \mu_j$: the output minus the
#    weighted mean of the components.
# 2. **Regress.** Kernel ridge regression learns to predict the embedding from the input. Its
#    penalty is called the *ridge parameter*.
# 3. **Decode.** The prediction is the output that belongs to the predicted embedding. With
#    predicted memberships $g_j$ and a predicted residual $h_2$, it is
#    $y^\star = h_2 + \sum_j g_j \mu_j$.
#
# The data of this chapter are points in the plane, in three clusters. The inputs, also two numbers,
# are a noisy and distorted view of the outputs. Some samples train the methods, and half of the
# others test them. Of the remaining half only the memberships are used, as weak labels below.

# %% tags=["hide-input"]
data = make_mixture_regression(
    n_samples,
    n_clusters=3,
    n_outputs=2,
    n_inputs=2,
    separation=5,
    input_noise=input_noise,
    random_state=seed,
)
options = {"random_state": seed}
X, X_rest, Y, Y_rest = train_test_split(data.X, data.Y, train_size=n_train, **options)
X_weak, X_test, Y_weak, Y_test = train_test_split(X_rest, Y_rest, train_size=0.5, **options)
kernel = {"kernel": "rbf", "gamma": 0.5 / median_bandwidth(X) ** 2}

# %% [markdown]
# In code each step is one line. An output model is a *transformer* of scikit-learn that can be
# inverted, and any regressor with several outputs can do the second step.

# %%
embedding = GaussianMixtureEmbedding(n_components, random_state=seed).fit(Y)
H = embedding.transform(Y)  # 1
h = squared_error_ridge(**kernel).fit(X, H)  # 2
by_hand = embedding.inverse_transform(h.predict(X_test))  # 3
print(Y.shape, "->", H.shape, "->", by_hand.shape)

# %% [markdown]
# {numref}`fig-decoding` shows how the third step composes a prediction. The predicted memberships
# choose a point between the means, and the predicted residual moves on from there.

# %% mystnb={"figure": {"name": "fig-decoding", "caption": "Decoding ten test outputs: the predicted memberships mix the three means (stars) into a square, and the predicted residual (arrow) leads to the prediction. Grey lines connect predictions with the true outputs."}, "image": {"alt": "A triangle of three stars with squares in and on it, short arrows from the squares to filled circles, and grey lines from these to hollow circles."}}
_ = plot_decoding(embedding, h.predict(X_test[:10]), Y_test[:10])

# %% [markdown]
# ## Does the model matter?
#
# In the plain form, it does not. The plain form has *natural scaling*, in which memberships are
# probabilities and residuals are distances. It has one ridge parameter for all coordinates, and
# decodes by the formula above as it stands, which the package calls `decoder="raw"`. Its
# predictions are those of kernel ridge regression on the outputs:

# %%
fixed = KernelRidgeCV([0.1], **kernel)
raw = GaussianMixtureEmbedding(n_components, decoder="raw", random_state=seed)
with_model = OutputFisherRegressor(raw, fixed, block_wise=False).fit(X, Y).predict(X_test)
without = fixed.fit(X, Y).predict(X_test)

# %% [markdown]
# Both predict the same, to ten decimals.

# %%
assert np.allclose(with_model, without, rtol=0, atol=1e-10)

# %% [markdown]
# The reason is short. The predicted residual subtracts a weighted mean of the components, and
# decoding adds the same weighted mean again. {prf:ref}`thm-model-cancels` below says so exactly.
# The theorem also tells where to look. The model can matter only where a form breaks one of its
# assumptions:
#
# - **Score scaling**, the paper's form. It divides the memberships by the components' weights and
#   multiplies the residuals by inverse covariances. It has no intercept.
# - **One ridge parameter per block.** The regression smooths the two blocks differently, so the
#   weighted means no longer cancel.
# - **Projection onto the simplex.** The predicted memberships are replaced by the nearest
#   probabilities, which are not negative and sum to one.
# - **Weak labels.** A weak label says which component made an output, and nothing else. The
#   membership block learns from weak labels, and the mean block cannot.
# - **Another learner.** A random forest, for instance, weights the training outputs differently in
#   different blocks.
# - **The exact pre-image.** Decoding searches for the output whose own embedding is nearest to the
#   predicted one. This decoding is not linear.
#
# A ridge parameter per block and the projection are the default of the package. It offers score
# scaling too:

# %%
ridge = squared_error_ridge(**kernel)
as_printed = OutputFisherRegressor(
    GaussianMixtureEmbedding(n_components, scaling="score", decoder="raw", random_state=seed),
    squared_error_ridge(**kernel, fit_intercept=False),
    block_wise=False,
).fit(X, Y)

# %% tags=["hide-input"]
weak = Memberships(X_weak, embedding.predict_proba(Y_weak), weight=1.0)


def fitted(decoder, *, block_wise=True, **samples):
    mixture = clone(embedding).set_params(decoder=decoder)
    model = OutputFisherRegressor(mixture, ridge, block_wise=block_wise)
    return model.fit(X, Y, **samples)


variants = {
    "kernel ridge regression": squared_error_ridge(**kernel).fit(X, Y),
    "one ridge parameter, raw": fitted("raw", block_wise=False),
    "one per block, raw": fitted("raw"),
    "one per block, simplex (default)": fitted("simplex"),
    "one per block, exact": fitted("exact"),
    "default, with weak labels": fitted("simplex", weak=weak),
    "the paper's form": as_printed,
}

# %% [markdown]
# The table follows the data through these forms. Leave-one-out chooses every ridge parameter. The
# error is the {term}`RRMSE`.

# %% mystnb={"figure": {"caption": "Kernel ridge regression and six forms of OFER (rows): RRMSE of their predictions against those of kernel ridge regression, and against the truth. One split."}}
predicted = {name: variant.predict(X_test) for name, variant in variants.items()}
reference = predicted["kernel ridge regression"]
rows = {name: (rrmse(reference, P), rrmse(Y_test, P)) for name, P in predicted.items()}
columns = ["distance from kernel ridge regression", "RRMSE"]
distances = pd.DataFrame.from_dict(rows, orient="index", columns=columns)
distances.round(3)

# %% [markdown]
# The plain form (second row) is near kernel ridge regression, but not at distance zero.
# Leave-one-out chose its ridge parameter by the error of the embedding, and that of kernel ridge
# regression by the error of the outputs. These two losses weight the coordinates differently.
#
# The exact pre-image goes farthest from kernel ridge regression. On this split it has the lowest
# error, less than a twentieth below that of kernel ridge regression. The default has a slightly
# lower error, too, with weak labels and without. Three forms have a larger one: one ridge parameter
# per block without the simplex, the paper's form, and, by less than half a percent, one ridge
# parameter.
#
# One split does not give a ranking. {doc}`05_what_ofer_computes` has ten splits on each of six
# tasks. In their means the exact pre-image is always worse than the closed form, and the simplex
# lowers the error on one task in six.

# %%
if (input_noise, n_components, seed) == (0.5, 3, 1):  # which the text speaks of
    errors = distances["RRMSE"]
    reached, exact = errors[["kernel ridge regression", "one per block, exact"]]
    away = distances[columns[0]]
    assert away.idxmax() == "one per block, exact"
    assert 0 < away["one ridge parameter, raw"] == away.drop("kernel ridge regression").min()
    assert 0.95 * reached < exact == errors.min()
    excess = errors.drop("kernel ridge regression") - reached
    assert list(excess.index[excess < 0]) == [
        "one per block, simplex (default)",
        "one per block, exact",
        "default, with weak labels",
    ]
    assert excess["one ridge parameter, raw"] < 0.005 * reached

# %% [markdown]
# ## Derivation 1: the score of one Gaussian
#
# Why these two blocks? They come from the *Fisher score*. Let $p_\theta$ be a density with
# parameters $\theta \in \R^m$. The Fisher score of an output is the gradient of its log-density,
# taken in the *parameters*:
#
# ```{math}
# :label: eq-fisher-score
# \phi_{Fisher}(y) = \nabla_\theta \log p_\theta(y) \in \R^m .
# ```
#
# The score says how this output would like the model to change. Each coordinate tells how fast the
# output becomes more likely when that parameter grows. Two outputs that pull on the same parameters
# are alike as far as the model is concerned, wherever they lie.
#
# Start with one Gaussian on the line, with mean $\mu$ and variance $v$. Its log-density is
#
# $$
# \log p_\theta(y) = -\tfrac12 \log 2\pi - \tfrac12 \log v - \frac{(y - \mu)^2}{2 v} .
# $$
#
# Only the last term contains $\mu$. The chain rule gives
#
# $$
# \phi_\mu(y) = \frac{\partial \log p_\theta}{\partial \mu} = \frac{y - \mu}{v} .
# $$
#
# The last two terms contain $v$. Because the derivative of $\log v$ is $1/v$ and that of $1/v$ is
# $-1/v^2$,
#
# $$
# \phi_v(y) = \frac{\partial \log p_\theta}{\partial v}
# = - \frac{1}{2 v} + \frac{(y - \mu)^2}{2 v^2}
# = \tfrac12 \Big( \phi_\mu(y)^2 - \frac1v \Big) .
# $$
#
# In $d$ dimensions the covariance $\Sigma$ takes the place of $v$, and the two blocks have the
# same form ({doc}`03_1_gaussian` derives them):
#
# ```{math}
# :label: eq-gaussian-score
# \phi_\mu(y) = \Sigma^{-1} (y - \mu) , \qquad
# \phi_\Sigma(y) = \tfrac12 \operatorname{vec} \left( \phi_\mu(y) \phi_\mu(y)\T - \Sigma^{-1} \right) .
# ```
#
# We draw 500 outputs with mean 0 and variance 0.5, as the paper does for its Figure 2, and fit the
# Gaussian to them. The option `reg_covar=0` leaves out the small constant that usually keeps a
# variance above zero, so that all identities are exact.

# %%
rng = np.random.default_rng(seed)
y = rng.normal(0, np.sqrt(0.5), size=(500, 1))
gaussian = GaussianEmbedding(reg_covar=0).fit(y)

# %% mystnb={"figure": {"name": "fig-density-score", "caption": "Above, the fitted density. Below, the scores of an output in the mean and in the variance."}, "image": {"alt": "Above, a bell-shaped density. Below, a rising line and a parabola, the scores in mean and variance, over the same axis."}}
_ = plot_density_and_score(gaussian, np.linspace(-2.5, 2.5, 200)[:, None])

# %% [markdown]
# In the mean the score is a straight line: an output pulls the mean towards itself, in proportion
# to its distance. In the variance it is a parabola. An output within one standard deviation asks
# for a narrower Gaussian, and one farther out asks for a wider one.
#
# Averaged over the training outputs, the score is the gradient of the mean log-likelihood. Maximum
# likelihood makes this gradient zero. Taken together, the training outputs do not want to change
# anything.

# %%
assert np.allclose(gaussian.fisher_vector(y).mean(axis=0), 0, atol=1e-12)

# %% [markdown]
# The paper's equation for this score, P(1), does not have the factor $\tfrac12$. (We write P(1) for
# the paper's equation of that number.) A numerical derivative of the log-density, which knows
# nothing of our formulas, decides:

# %%
place, mu, variance = 1.5, gaussian.mean_[0], gaussian.covariance_
at_place = derivative(lambda v: norm.logpdf(place, mu, np.sqrt(v)), variance, initial_step=0.1)
numerical = at_place.df
_, half = gaussian.fisher_vector([[place]])[0]
print(f"numerical {numerical:.4f}, with the factor {half:.4f}, as printed {2 * half:.4f}")

# %% [markdown]
# The printed block is twice the score, so it counts four times in a squared loss. The {doc}`errata
# <90_errata>` list this and other slips.

# %%
assert np.isclose(numerical, half)

# %% [markdown]
# Fisher scores have long served on the *input* side of learning {cite:p}`jaakkola1998`. The Fisher
# kernel $\phi_{Fisher}(y)\T I^{-1} \phi_{Fisher}(y')$ compares two objects by what they ask of a
# model. Here $I$ is the *Fisher information*, the covariance of the score. It makes the comparison
# independent of how the model is parametrised {cite:p}`amari1998`. Many authors leave $I$ out, and
# so does OFER. Derivation 3 shows the consequence.
#
# ## Derivation 2: the score of a mixture
#
# A mixture has the density $p_\theta(y) = \sum_j \pi_j \, \mathcal N_j(y)$, where $\mathcal N_j$ is
# the Gaussian with mean $\mu_j$ and covariance $\Sigma_j$. By Bayes' rule the probability that
# component $j$ made $y$, its *membership* or *responsibility*, is
#
# $$
# \gamma_j(y) = \frac{\pi_j \, \mathcal N_j(y)}{p_\theta(y)} , \qquad \sum_j \gamma_j(y) = 1 .
# $$
#
# The density is linear in the weight $\pi_j$, so its derivative is $\mathcal N_j$. Divide by
# $p_\theta$, because $\nabla \log p = \nabla p / p$, and insert the definition of $\gamma_j$:
#
# $$
# \varphi_{\pi,j}(y) = \frac{\mathcal N_j(y)}{p_\theta(y)} = \frac{\gamma_j(y)}{\pi_j} .
# $$
#
# Let $\theta_j$ be the mean or the covariance of component $j$. Only one term of the sum contains
# it. Because $\nabla \mathcal N_j = \mathcal N_j \nabla \log \mathcal N_j$,
#
# $$
# \nabla_{\theta_j} \log p_\theta(y)
# = \frac{\pi_j \nabla_{\theta_j} \mathcal N_j(y)}{p_\theta(y)}
# = \frac{\pi_j \mathcal N_j(y)}{p_\theta(y)} \, \nabla_{\theta_j} \log \mathcal N_j(y)
# = \gamma_j(y) \, \nabla_{\theta_j} \log \mathcal N_j(y) .
# $$
#
# The last factor is the score of a single Gaussian. Insert {eq}`eq-gaussian-score`, and all three
# blocks are found (Section 3.2 of the paper):
#
# ```{math}
# :label: eq-mixture-score
# \begin{aligned}
# \varphi_{\pi,j}(y) &= \gamma_j(y) / \pi_j , \\
# \varphi_{\mu,j}(y) &= \gamma_j(y) \, \Sigma_j^{-1} (y - \mu_j) , \\
# \varphi_{\Sigma,j}(y) &= \tfrac12 \gamma_j(y) \operatorname{vec} \left(
# \Sigma_j^{-1} (y - \mu_j)(y - \mu_j)\T \Sigma_j^{-1} - \Sigma_j^{-1} \right) .
# \end{aligned}
# ```
#
# Finite differences confirm the block of the means, at an output between the clusters.
# {doc}`03_2_gaussian_mixture` confirms all blocks.

# %%
C, d = embedding.means_.shape
between = embedding.means_.mean(axis=0, keepdims=True)
moved = deepcopy(embedding.mixture_)


def log_density(means):
    moved.means_ = means.reshape(C, d)
    return moved.score_samples(between)[0]


numerical = approx_fprime(embedding.means_.ravel(), log_density)
exact = embedding.fisher_vector(between)[0, C : C + C * d]
assert np.allclose(numerical, exact, atol=1e-6)

# %% mystnb={"figure": {"name": "fig-mixture-scores", "caption": "Left, the training outputs, each with the mark of its most responsible component, and circles of two standard deviations. Right, the scores of the means over the plane."}, "image": {"alt": "Two panels of the same plane. Left, points in clusters with circles. Right, arrows that point away from the centre of the nearest circle, longer with distance."}}
low, high = data.Y.min(axis=0), data.Y.max(axis=0)
grid = np.stack(np.meshgrid(*np.linspace(low, high, 15).T), axis=-1).reshape(-1, 2)
_ = plot_mixture_scores(embedding, Y, grid)

# %% [markdown]
# An output pulls on the component that made it. Only between clusters does it pull on more than
# one. So the scores of one component stand out, and they name the cluster: more than half of all
# responsibilities are below 0.01. The paper calls its scores sparse for this reason
# ({doc}`03_2_gaussian_mixture` counts how sparse they are), and expects the regression to profit.

# %%
gamma = embedding.predict_proba(Y)
if (n_components, seed) == (3, 1):
    assert np.mean(gamma < 0.01) > 0.5

# %% [markdown]
# ## Derivation 3: from the score to the embedding
#
# Now the three steps in symbols. The embedding is a linear map $M$ of the score,
#
# ```{math}
# :label: eq-embedding
# \text{1. embed:} \quad \phi^M_{Fisher}(y) = M \, \nabla_{\hat\theta} \log p_{\hat\theta}(y) , \qquad M \in \R^{p \times m} ,
# ```
#
# where $\hat\theta$ is estimated from the training outputs. The loss between an output and a
# predicted embedding is $L^M_{Fisher}(y, h(x)) = \| \phi^M_{Fisher}(y) - h(x) \|^2$. The second
# step is kernel ridge regression with this loss, the paper's objective P(13), on $\ell$ training
# samples:
#
# ```{math}
# :label: eq-objective
# \text{2. regress:} \quad \argmin_{h \in \mathcal H} \;\; \lambda_0 \| h \|^2_{\mathcal H}
# + \frac{1}{2 \ell} \sum_{i=1}^{\ell} L^M_{Fisher}(y_i, h(x_i)) .
# ```
#
# The third step looks for the *pre-image*, the output whose embedding is nearest, P(3):
#
# ```{math}
# :label: eq-preimage
# \text{3. decode:} \quad y^\star \in \argmin_{y \in \mathcal Y} \; \| M \phi_{Fisher}(y) - h(x) \|^2 .
# ```
#
# With $M = I$ the embedding is long, and the third step is a search with several minima
# ({doc}`04_pre_images`). The paper therefore keeps the scores of the weights and the *sum* of the
# scores of the means, and drops the covariances. Of $C (1 + d + d^2)$ numbers, $C + d$ remain.

# %%
assert embedding.fisher_vector(Y).shape[1] == C * (1 + d + d**2)
assert H.shape[1] == C + d

# %% mystnb={"figure": {"caption": "Coordinates of the full and of the reduced embedding, for mixtures of C components in d dimensions. The first row is this chapter's."}}
pd.DataFrame(
    [(c, k, c * (1 + k + k**2), c + k) for c, k in [(C, d), (4, 10), (6, 59), (10, 300)]],
    columns=["C", "d", "full", "reduced"],
).set_index(["C", "d"])

# %% [markdown]
# What is kept can still be scaled. We write $M$ for the first two blocks only, because its columns
# for the covariances are zero.
#
# :::{table} Two scalings of what is kept.
# | | *score* (the paper's) | *natural* (our default) |
# |---|---|---|
# | $M$ | $\begin{pmatrix} I_C & 0 \\ 0 & (I_d \cdots I_d) \end{pmatrix}$ | $\begin{pmatrix} \operatorname{diag}(\pi) & 0 \\ 0 & (\Sigma_1 \cdots \Sigma_C) \end{pmatrix}$ |
# | membership block | $\gamma_j(y) / \pi_j$ | $\gamma_j(y)$ |
# | mean block | $\sum_j \gamma_j(y) \Sigma_j^{-1} (y - \mu_j)$ | $y - \sum_j \gamma_j(y) \mu_j$ |
# :::
#
# For score scaling, the blocks are those of {eq}`eq-mixture-score`, the second summed over $j$. For
# natural scaling, multiply them by $M$. In the first block $\pi_j$ cancels the division by $\pi_j$.
# In the second block $\Sigma_j$ cancels $\Sigma_j^{-1}$, and the $\gamma_j$ sum to one:
#
# $$
# \sum_j \Sigma_j \, \varphi_{\mu,j}(y) = \sum_j \gamma_j(y) (y - \mu_j)
# = y - \sum_j \gamma_j(y) \, \mu_j .
# $$
#
# One matrix product each confirms that `transform` returns these blocks.

# %%
covariances = [variance * np.eye(d) for variance in embedding.covariances_]
M = {
    "score": block_diag(np.eye(C), np.hstack([np.eye(d)] * C)),
    "natural": block_diag(np.diag(embedding.weights_), np.hstack(covariances)),
}
kept = embedding.fisher_vector(Y)[:, : C + C * d]
for scaling, matrix in M.items():
    scaled = clone(embedding).set_params(scaling=scaling).fit(Y)
    assert np.allclose(kept @ matrix.T, scaled.transform(Y))

# %% [markdown]
# Why the natural scaling? It comes from the Fisher information, which {eq}`eq-embedding` leaves
# out. Let the clusters be well apart. Then $\gamma_j$ is 1 for an output that component $j$ made,
# which happens with probability $\pi_j$, and 0 for all others. For the former the residual $y -
# \mu_j$ has the covariance $\Sigma_j$. So the information on $\mu_j$ is about
#
# $$
# \operatorname{E} \left[ \varphi_{\mu,j} \varphi_{\mu,j}\T \right]
# \approx \pi_j \, \Sigma_j^{-1} \Sigma_j \, \Sigma_j^{-1} = \pi_j \, \Sigma_j^{-1} .
# $$
#
# The *natural gradient* of {cite:t}`amari1998` multiplies the score by the inverse of the
# information, which gives $\pi_j^{-1} \Sigma_j \, \varphi_{\mu,j}$. Weighted by $\pi_j$ and summed
# over the components, it is the mean block of the natural scaling: the residual of $y$, in the unit
# of $y$.
#
# ## Derivation 4: decoding
#
# The regression predicts both blocks. Let $g_j$ be the predicted memberships and $h_2$ the
# predicted mean block. In score scaling the first block predicts $\gamma_j / \pi_j$, so $g_j$ is
# $\pi_j$ times its coordinate $j$. Both closed forms come from one thought: take $g$ for the
# memberships of the unknown output, and solve the mean block for $y$.
#
# In score scaling, the mean block with $g_j$ for $\gamma_j$ is
#
# $$
# h_2 = \sum_j g_j \Sigma_j^{-1} (y - \mu_j)
# = \Big( \sum_j g_j \Sigma_j^{-1} \Big) \, y - \sum_j g_j \Sigma_j^{-1} \mu_j .
# $$
#
# This is a linear equation in $y$. Bring the last sum to the left and multiply by the inverse of
# the matrix in front of $y$. In natural scaling the mean block is $h_2 = y - \sum_j g_j \mu_j$, and
# only the sum moves to the left. Hence
#
# ```{math}
# :label: eq-closed-forms
# \begin{aligned}
# \text{score:} \quad y^\star &= \Big( \sum_j g_j \Sigma_j^{-1} \Big)^{-1}
# \Big( h_2 + \sum_j g_j \Sigma_j^{-1} \mu_j \Big) , \\
# \text{natural:} \quad y^\star &= h_2 + \sum_j g_j \mu_j .
# \end{aligned}
# ```
#
# The first is the paper's closed form, P(10). For the embedding of a real output, $g_j$ is
# $\gamma_j(y)$ and both forms give back $y$.

# %%
for scaling in M:
    scaled = clone(embedding).set_params(scaling=scaling).fit(Y)
    assert np.allclose(scaled.inverse_transform(scaled.transform(Y_test)), Y_test)

# %% [markdown]
# For a predicted embedding they differ, and neither need be the output whose embedding is nearest,
# which the method asks for: with the memberships given, they solve the mean block alone. The paper's
# first form solves the problem for one Gaussian and for embeddings of outputs
# ({doc}`the erratum <90_errata>`, {doc}`04_pre_images`).
#
# A regression does not know that memberships are positive.
# Where the predicted $g_j$ have mixed signs, the matrix in the first form can come close to
# singular, and the prediction can end up anywhere. The second form has nothing to invert.
#
# ## Derivation 5: the model cancels
#
# A *linear smoother* predicts a weighted sum of the training targets, with weights $a_i(x)$ that do
# not depend on the targets.
#
# ```{prf:theorem} The model cancels
# :label: thm-model-cancels
# Let $h(x) = \sum_i a_i(x) \, \phi(y_i)$ with the same weights $a_i(x)$ for all coordinates, and
# let $\phi$ be the embedding in natural scaling. Then the raw closed form in
# {eq}`eq-closed-forms` is $y^\star = \sum_i a_i(x) \, y_i$, whatever the mixture.
# ```
#
# ```{prf:proof}
# Write $a_i$ for $a_i(x)$. The predicted memberships are the same weighted sum of the training
# memberships,
#
# $$
# g_j = \sum_i a_i \, \gamma_j(y_i) .
# $$
#
# The predicted mean block is the weighted sum of the residuals. Exchange the two sums, and insert
# $g_j$:
#
# $$
# h_2 = \sum_i a_i \Big( y_i - \sum_j \gamma_j(y_i) \, \mu_j \Big)
# = \sum_i a_i y_i - \sum_j \Big( \sum_i a_i \gamma_j(y_i) \Big) \mu_j
# = \sum_i a_i y_i - \sum_j g_j \mu_j .
# $$
#
# The closed form adds $\sum_j g_j \mu_j$ again, because it is $y^\star = h_2 + \sum_j g_j \mu_j$.
# What remains is $\sum_i a_i y_i$.
# ```
#
# Kernel ridge regression with a given ridge parameter $\alpha$ is such a smoother. Its prediction
# without an intercept is $h(x) = k(x)\T (K + \alpha I)^{-1} \Phi$, where $K$ is the kernel matrix
# of the training inputs, $k(x)$ the vector of kernels with $x$, and $\Phi$ has the training
# embeddings as rows ({doc}`05_learning` derives this). So $a(x) = (K + \alpha I)^{-1} k(x)$, and
# the targets do not enter. An intercept adds the mean of the targets and centres the kernel; the
# prediction is still a weighted sum, with other weights. With the outputs as targets, the same
# weights give $\sum_i a_i(x) \, y_i$, and this is the decoded prediction. In the plain form, OFER
# *is* kernel ridge regression of the outputs, by a longer way.
#
# The matrix $M$ leaves one trace when the ridge parameter is common: leave-one-out chooses it by
# the error of the embedding, which depends on $M$. The second row of the table shows this trace.
#
# Score scaling breaks the assumptions of the theorem too. Its closed form weights every training
# output by a precision, that is, by an inverse covariance ({ref}`ex-tied`). These weights are a
# by-product, and they bring the matrix that has to be inverted.
#
# ## The same in scikit-learn
#
# A transformer of the output, a regressor and an inverse make a
# {class}`~sklearn.compose.TransformedTargetRegressor`. It tests that decoding undoes embedding, and
# the mixture passes without a warning.

# %%
one_ridge = OutputFisherRegressor(embedding, ridge, block_wise=False).fit(X, Y)
same = TransformedTargetRegressor(ridge, transformer=embedding).fit(X, Y)

# %% [markdown]
# With one regressor for all coordinates, both make the predictions of the three lines at the top of
# the chapter.

# %%
assert np.allclose(one_ridge.predict(X_test), by_hand)
assert np.allclose(same.predict(X_test), by_hand)

# %% [markdown]
# `OutputFisherRegressor` adds what a transformer alone cannot express. Every block has its own copy
# of the regressor, hence its own ridge parameter. And samples with weak labels can join the
# membership block.

# %%
model = OutputFisherRegressor(embedding, ridge, block_wise=True).fit(X, Y)
for name, regressor in model.regressor_.items():
    print(f"{name:10} ridge parameter {regressor.alpha_:.2g}")

# %% [markdown]
# scikit-learn does the rest. The number of components, for instance, is a parameter of a nested
# estimator. Cross-validation on the training data chooses it like any other:

# %%
candidates = {"embedding__n_components": [1, 2, 3]}
search = GridSearchCV(model, candidates, scoring="neg_mean_squared_error", cv=5).fit(X, Y)
print("mean squared errors:", -search.cv_results_["mean_test_score"].round(3))
print("chosen:", search.best_params_)

# %% [markdown]
# It chooses one component. Then all memberships are 1, and nothing is left of the mixture. So this
# can be the best choice even for outputs that do come in clusters.

# %%
if (input_noise, n_components, seed) == (0.5, 3, 1):
    assert search.best_params_ == {"embedding__n_components": 1}

# %% [markdown]
# ## What this changes for you
#
# Before you credit a model of your outputs, ask in which of the six ways above your method escapes
# the theorem. With natural scaling, one ridge parameter and no projection, it is kernel ridge
# regression by a longer way.
#
# {doc}`The protocol <06_1_protocol>` says how the book fits and judges the parts. {doc}`Drug
# activity <06_4_2_drug_activity>` tests the forms on the paper's own task.
#
# ## Exercises
#
# ```{exercise} Quick
# :label: ex-score-variance
#
# The mean of `gaussian.fisher_vector(y) ** 2` equals $1 / \hat\sigma^2$ in the coordinate of the
# mean to the last digit, although these outputs are only a sample. Why? In the coordinate of the
# variance it is only near $1 / (2 \hat\sigma^4)$. What would make it larger?
# ```
#
# ```{solution} ex-score-variance
# :class: dropdown
#
# The mean of $(y - \hat\mu)^2 / \hat\sigma^4$ over the training outputs is
# $\hat\sigma^2 / \hat\sigma^4$, because $\hat\sigma^2$ *is* the mean of the squares. These are the
# entries of the Fisher information of a Gaussian. The second one is
# $(\kappa - 1) / (4 \hat\sigma^4)$ in general, with the fourth moment $\kappa$ of the standardised
# outputs, which is 3 for a Gaussian. Heavier tails make it larger.
# ```
#
# ````{exercise} Quick
# :label: ex-count
#
# How many coordinates have the full and the reduced embedding of a mixture of 6 components in 59
# dimensions?
#
# ```{ask}
# :answer: 21246, 65
# ```
# ````
#
# ```{solution} ex-count
# :class: dropdown
#
# The full one has $C (1 + d + d^2) = 21246$, and the reduced one has $C + d = 65$.
# ```

# %% tags=["hide-input"]
squares = (gaussian.fisher_vector(y) ** 2).mean(axis=0)
fourth = np.mean(((y - gaussian.mean_) ** 2 / gaussian.covariance_) ** 2)
assert np.isclose(squares[0], 1 / gaussian.covariance_)
assert np.isclose(squares[1], (fourth - 1) / (4 * gaussian.covariance_**2))
assert 6 * (1 + 59 + 59**2) == 21246
assert H.shape[1] == C + d

# %% [markdown]
# ```{exercise} Code
# :label: ex-tied
#
# Fit the paper's form with one covariance for all components: a `GaussianMixtureEmbedding` with
# `covariance_type="tied"`, `scaling="score"` and `decoder="raw"`, and the ridge parameter 0.1 for all
# coordinates, without an intercept. Take one, two and three components, and compare the predictions.
# Explain what you see.
#
# *Hint:* as in the proof of {prf:ref}`thm-model-cancels`, write $g_j$ and $h_2$ as sums over the
# training outputs, and insert them into the first form of {eq}`eq-closed-forms`.
# ```
#
# ```{solution-start} ex-tied
# :class: dropdown
# ```

# %%
tied = []
for count in (1, 2, 3):
    mixture = GaussianMixtureEmbedding(
        count, covariance_type="tied", scaling="score", decoder="raw", random_state=seed
    )
    single = KernelRidgeCV([0.1], **kernel, fit_intercept=False)
    printed = OutputFisherRegressor(mixture, single, block_wise=False).fit(X, Y)
    tied.append(printed.predict(X_test))

# %% [markdown]
# The three predictions are equal. Written in the training outputs, the first of the closed forms is a
# weighted average,
#
# $$
# y^\star = \Big( \sum_i a_i \Lambda_i \Big)^{-1} \sum_i a_i \Lambda_i y_i , \qquad
# \Lambda_i = \sum_j \gamma_j(y_i) \Sigma_j^{-1} ,
# $$
#
# because $g_j = \sum_i a_i \gamma_j(y_i)$ and $h_2 = \sum_i a_i \sum_j \gamma_j(y_i) \Sigma_j^{-1}
# (y_i - \mu_j)$, and the terms with $\mu_j$ cancel as in the theorem.
# With one common covariance all $\Lambda_i$ are the same matrix, and it cancels too. What is left
# is $\sum_i a_i y_i / \sum_i a_i$: kernel ridge regression without an intercept, divided by that of
# a constant 1. The mixture has dropped out again. The division stands in for the missing
# intercept.

# %%
quotient = single.fit(X, np.column_stack([Y, np.ones(len(Y))])).predict(X_test)
assert all(np.allclose(one, quotient[:, :-1] / quotient[:, -1:]) for one in tied)

# %% [markdown]
# ```{solution-end}
# ```
#
# ```{exercise} Open
# :label: ex-noise
#
# Do weak labels help more with nearly clean or with very noisy inputs, and why? Run the chapter
# with `make chapter NAME=02_output_fisher_embedding_regression PARAMS="input_noise=0.1"` and the
# same with `1.0`, with several seeds.
# ```
#
# ```{solution} ex-noise
# :class: dropdown
#
# As a rule with noisy ones. A clean input shows the cluster by itself. Then further samples teach
# the membership block nothing that the mean block would not need just as much. When the two
# blocks disagree, errors that used to cancel no longer do. With noise the best that one can do is
# to average over many samples, and weak labels are many.
# ```
