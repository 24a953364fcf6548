# ---
# jupyter:
#   kernelspec: {display_name: Python 3, language: python, name: python3}
# ---

# %% [markdown]
# # The mixture
#
# *Section 3.2 of {cite:t}`djerrab2018`*
#
# **The question.** A mixture of Gaussians says that every output was made in two steps. First one
# of $C$ components was chosen, then the output was drawn from its Gaussian. The choice is hidden.
# What does this model tell about an output that {doc}`a single Gaussian <03_1_gaussian>` does not?
#
# **The idea.** The *Fisher score*, the gradient of the log-density in the parameters, contains an
# opinion on the hidden choice: the probability that each component made the output.
#
# **The answer.** The score of a component is its score as a single Gaussian times this probability.
# Three beliefs about such scores need care. How many of their coordinates are small depends on the
# number of components, the distance of the clusters and the unit. The usual stopping rule of the
# fitting algorithm is too loose for them. And round components can give wrong probabilities.

# %% tags=["parameters"]
n_samples: int = 400  # outputs in the plane
n_clustered: int = 500  # outputs of each mixture whose sparsity is measured
seed: int = 0

# %%
import numpy as np
import pandas as pd
from scipy.optimize import approx_fprime
from scipy.special import logsumexp, softmax
from scipy.stats import multivariate_normal
from sklearn.metrics import adjusted_rand_score

from ofer import FullFisherEmbedding, GaussianMixtureEmbedding
from ofer.datasets import load_digits_reconstruction
from reproduction.figures.moving import publish, rounded
from reproduction.studies.embedding.figures.fisher_vectors import (
    plot_covariance_types,
    plot_responsibilities,
    plot_sparsity,
    plot_tolerances,
)
from reproduction.studies.embedding.figures.playground import plot_tug

# %% [markdown]
# ## What we found
#
# Our outputs come from three clusters of different shapes: a long one, a small one, and a flat one
# that touches the long one.

# %% tags=["hide-input"]
clusters = [
    ([0.0, 0.0], [[2.0, 1.4], [1.4, 1.4]]),
    ([3.2, -0.5], [[0.2, 0.0], [0.0, 0.2]]),
    ([2.2, 3.1], [[4.0, 0.0], [0.0, 0.5]]),
]


def draw(n, rng):
    labels = rng.choice(3, size=n, p=[0.4, 0.3, 0.3])
    # Cholesky's factor is unique, so every machine draws the same.
    each = [rng.multivariate_normal(mean, S, size=n, method="cholesky") for mean, S in clusters]
    return np.choose(labels[:, None], each), labels


rng = np.random.default_rng(seed)
Y, labels = draw(n_samples, rng)

# %% [markdown]
# We fit two mixtures of three Gaussians to them by maximum likelihood, with the EM algorithm. The
# components of the first have full covariances. Those of the second are *isotropic*, that is,
# round, like all components in the paper's experiments.

# %%
options = {"max_iter": 2000, "random_state": seed}
mixture = GaussianMixtureEmbedding(3, covariance_type="full", **options)
full = FullFisherEmbedding(mixture).fit(Y)
model = full.embedding_
round_model = GaussianMixtureEmbedding(3, **options).fit(Y)

# %% [markdown]
# ### An output tugs at the means
#
# The *responsibility* or *membership* $\gamma_j(y)$ is the probability that component $j$ made
# the output $y$. For round components the score has a simple picture. An output pulls every mean
# $\mu_j$ towards itself. The pull is the difference $y - \mu_j$ times the responsibility: the
# score of the mean, multiplied by the variance of the component, is $\gamma_j (y - \mu_j)$.

# %%
tugging = np.array([-2.4, 1.7])
embedded = round_model.transform([tugging])[0]

# %% mystnb={"figure": {"name": "fig-tug", "caption": "An output y tugs at the means of three round components: each arrow is the score of a mean, in the unit of the outputs. Right, the embedding: three memberships, and below the line the sum of the three arrows."}, "image": {"alt": "Left, three discs with numbered centres; from two of them arrows point to the output, which lies beside both. Right, five bars: three memberships, of which two are large, and two coordinates of the sum."}}
limits = {"x": [-5, 8], "y": [-5.5, 7.5]}
_ = plot_tug(round_model, tugging, limits=list(limits.values()))

# %% tags=["hide-input"]
parts = {"means": round_model.means_, "weights": round_model.weights_}
parts |= {"scales": np.sqrt(round_model.covariances_), "output": tugging}
parts = {name: rounded(values) for name, values in parts.items()}
publish("tug", "fig-tug", {**parts, **limits, "reach": 6})

# %% [markdown]
# Output Fisher embedding regression (OFER) learns to predict the memberships and the sum of all
# pulls. They are the *reduced embedding*, and it has $C + d$ coordinates for outputs in $d$
# dimensions. The whole score also has a block for every covariance, and $C (1 + d + d^2)$
# coordinates.

# %%
shares = round_model.predict_proba([tugging])[0]
pulls = shares[:, None] * (tugging - round_model.means_)
assert np.allclose(np.r_[shares, pulls.sum(axis=0)], embedded)
assert full.transform(Y).shape[1] == 3 * (1 + 2 + 2**2)

# %% mystnb={"figure": {"name": "fig-responsibilities", "caption": "The mixture with full covariances. Upper left, outputs, marked by their most responsible component, on lines of equal log-density; other panels, the responsibility of each component over the plane, with the line where it is one half."}, "image": {"alt": "Four panels of the same plane. Contour lines around three clusters of squares, triangles and circles; then one panel per component, dark where it is responsible. The dark areas have curved borders, and one of them has a second piece in a corner where there are no outputs."}}
_ = plot_responsibilities(model, Y, limits=(-5, 8, -5, 7))

# %% [markdown]
# ### Memberships mean little far from all outputs
#
# Nearly everywhere one component takes all. Two components share along the borders, and the grey
# band is widest where two clusters touch. The upper right corner looks odd: there the long
# component is responsible again, behind the flat one, because its variance in this direction is the
# larger one. Far from all outputs, responsibilities say which component is the least impossible,
# not which one is near ({ref}`ex-far-away`).

# %%
long = np.abs(model.means_).sum(axis=1).argmin()  # the component around the origin
flat = model.means_[:, 1].argmax()
assert model.predict_proba([[8, 7]])[0].argmax() == long
assert model.predict_proba([[4, 3.5]])[0].argmax() == flat

# %% [markdown]
# ### EM has to run longer than usual
#
# At the maximum of the likelihood, the mean score of the training outputs is zero. EM
# implementations stop when the log-likelihood gains little. But the mean score that is left is of
# the order of the *square root* of that gain. For a mean score of $10^{-6}$, EM must run until
# the gain is $10^{-12}$; the usual limit is $10^{-3}$ ({numref}`fig-tolerances`).
#
# ### How sparse scores are depends on three things
#
# "The Fisher vector is therefore generally very sparse for GMM", says the paper. (GMM is a
# Gaussian mixture model, and the Fisher vector is the score.) The reason is right: a component
# that did not make the output has small derivatives. But at most a share of about
# $1 - 1/C$ of the coordinates is small when the unit of the outputs is sensible; the blocks have
# different units. To reach this ceiling, the clusters must be about six standard deviations apart.
# Sparse vectors do not prove that there are clusters
# ({numref}`fig-sparsity`). The embedding that the paper goes on to use is not sparse.
#
# ### The form of the covariances decides the memberships
#
# Memberships are what the mixture adds, and components of a wrong shape give wrong ones. The
# isotropic mixture cuts our long cluster in two ({numref}`fig-mixture-types`). With few outputs in
# many dimensions, however, full covariances fail ({doc}`03_1_gaussian`).
#
# ### The paper's block for the weights ignores that they sum to one
#
# The paper's block is $\gamma_j / \pi_j$. The score that respects the sum is $\gamma_j - \pi_j$. The
# two differ by a constant and by the scale $1 / \pi_j$, which favours rare components.
#
# ## The derivation
#
# ### Density and responsibilities
#
# With weights $\pi_j > 0$ that sum to one, and $\mathcal N_j(y) = \mathcal N(y; \mu_j, \Sigma_j)$
# for the density of the $j$-th Gaussian, the mixture has the density
#
# ```{math}
# :label: eq-mixture-density
# p_\theta(y) = \sum_{j=1}^C \pi_j \, \mathcal N_j(y) .
# ```
#
# Component $j$ is chosen with probability $\pi_j$, and then makes $y$ with density
# $\mathcal N_j(y)$. By Bayes' rule, the probability that $j$ was chosen, given the output, is
#
# ```{math}
# :label: eq-responsibility
# \gamma_j(y) = \frac{\pi_j \, \mathcal N_j(y)}{p_\theta(y)} , \qquad \sum_j \gamma_j(y) = 1 .
# ```
#
# The sum is one, because the numerators sum to $p_\theta(y)$. The borders in
# {numref}`fig-responsibilities` are curves of second order, because $\log (\gamma_j / \gamma_k)$ is
# $\log (\pi_j / \pi_k) + \log \mathcal N_j - \log \mathcal N_k$, a quadratic polynomial in $y$.
#
# ### Why in logarithms
#
# Do not compute {eq}`eq-responsibility` as it stands. In three hundred dimensions the density of
# a quite ordinary output can easily be too small, or too large, for a floating point number.
# Whether this happens depends on the unit. The remedy is to work with $a_j = \log \pi_j + \log
# \mathcal N_j(y)$. Because $\pi_j \mathcal N_j = e^{a_j}$, the logarithm of
# {eq}`eq-responsibility` is the first line below. The second line takes the factor $e^{a_{\max}}$
# out of the sum:
#
# ```{math}
# :label: eq-responsibility-in-logs
# \begin{aligned}
# \log \gamma_j &= a_j - \log \textstyle\sum_k e^{a_k} , \\
# \log \textstyle\sum_k e^{a_k} &= a_{\max} + \log \textstyle\sum_k e^{a_k - a_{\max}} .
# \end{aligned}
# ```
#
# Now the largest exponent is zero, so nothing overflows, and one term of the sum is 1. The cell
# takes the same two components and the same output in three units:

# %%
output = rng.normal(size=300)
posteriors = {}
for unit in (0.01, 1, 100):
    pair = [multivariate_normal(m * np.ones(300) * unit, unit**2) for m in (0.0, 0.1)]
    with np.errstate(all="ignore"):
        products = np.array([0.5 * component.pdf(output * unit) for component in pair])
        direct = products / products.sum()
    a = np.array([np.log(0.5) + component.logpdf(output * unit) for component in pair])
    in_logs = np.exp(a - logsumexp(a))
    posteriors[unit] = direct, in_logs
    print(f"unit {unit:6}: largest density {products.max():.0e}", end=", ")
    print(f"direct {direct.round(4)}, in logs {in_logs.round(4)}")

# %% [markdown]
# Computed directly, only one of the units gives an answer. In logarithms all three give the same.

# %%
assert [np.isfinite(direct).all() for direct, _ in posteriors.values()] == [False, True, False]
assert all(np.allclose(in_logs, posteriors[1][0]) for _, in_logs in posteriors.values())

# %% [markdown]
# ### The blocks of means and covariances
#
# Let $\theta_j$ be any parameter of component $j$ alone. Only one term of {eq}`eq-mixture-density`
# contains it. The first step is the chain rule for the logarithm. The second multiplies and divides
# by $\mathcal N_j$. The third inserts {eq}`eq-responsibility`, and $\nabla \mathcal N_j / \mathcal
# N_j = \nabla \log \mathcal N_j$:
#
# ```{math}
# :label: eq-chain-rule
# \nabla_{\theta_j} \log p_\theta
# = \frac{\pi_j \nabla_{\theta_j} \mathcal N_j}{p_\theta}
# = \frac{\pi_j \mathcal N_j}{p_\theta} \, \frac{\nabla_{\theta_j} \mathcal N_j}{\mathcal N_j}
# = \gamma_j \nabla_{\theta_j} \log \mathcal N_j .
# ```
#
# The score in a component's parameters is its score as a single Gaussian, times its responsibility.
# Insert the scores of a single Gaussian, {eq}`eq-score-of-the-mean` and
# {eq}`eq-score-of-the-covariance`:
#
# ```{math}
# :label: eq-mixture-blocks
# \begin{aligned}
# \varphi_{\mu,j}(y) &= \gamma_j(y) \, \Sigma_j^{-1} (y - \mu_j) , \\
# \varphi_{\Sigma,j}(y) &= \gamma_j(y) \, \tfrac12 \left(
# \Sigma_j^{-1} (y - \mu_j)(y - \mu_j)\T \Sigma_j^{-1} - \Sigma_j^{-1} \right) .
# \end{aligned}
# ```
#
# Times $\Sigma_j$, the first is the pull $\gamma_j (y - \mu_j)$ of {numref}`fig-tug`.
#
# Numerical derivatives check both blocks in every entry, at an output on which all three components
# have a say. Each matrix must stay symmetric, so an entry and its mirror image each move by half of
# a step. The block is symmetric too, so this is the derivative in a free entry, as in
# {doc}`03_1_gaussian`.

# %% tags=["hide-input"]
C, d = model.means_.shape
place = np.array([3.2, 1.0])
parameters = model.weights_, model.means_, model.covariances_


def log_density(weights, means, covariances):
    symmetric = (covariances + covariances.transpose(0, 2, 1)) / 2
    terms = [
        np.log(weights[j]) + multivariate_normal(means[j], symmetric[j]).logpdf(place)
        for j in range(C)
    ]
    return logsumexp(terms)


def numerical(moved):
    """Derivative of the log-density in all entries of one of the three parameters."""

    def at(values):
        values = values.reshape(parameters[moved].shape)
        return log_density(*parameters[:moved], values, *parameters[moved + 1 :])

    return approx_fprime(parameters[moved].ravel(), at)


# %%
gamma = model.predict_proba([place])[0]
vector = full.transform([place])[0]
print("responsibilities here:", gamma.round(3))
for name in ("means", "covariances"):
    print(f"block of the {name}: {vector[full.blocks_[name]].size} entries")

# %% [markdown]
# All entries agree with the numerical derivatives. Section 3.2 of the paper gives
# $\varphi_\mu \in \R^d$ and $\varphi_\Sigma \in \R^{d^2}$. There is one such block for each
# component, so the sizes are $C d$ and $C d^2$, as counted here and in Section 4.2 of the paper
# (see the {doc}`errata <90_errata>`).

# %%
assert gamma.min() > 0.05
for moved, name, entries in [(1, "means", C * d), (2, "covariances", C * d**2)]:
    block = vector[full.blocks_[name]]
    assert np.allclose(numerical(moved), block, atol=1e-5)
    assert block.size == entries

# %% [markdown]
# ### The block of the weights
#
# The density {eq}`eq-mixture-density` is linear in $\pi_j$, with slope $\mathcal N_j$. Divide by
# $p_\theta$, because this is the derivative of a logarithm, and insert {eq}`eq-responsibility`:
#
# ```{math}
# :label: eq-weights-block
# \varphi_{\pi,j}(y) = \frac{\mathcal N_j(y)}{p_\theta(y)} = \frac{\gamma_j(y)}{\pi_j} .
# ```
#
# But in which direction does this derivative go? A step in a single $\pi_j$ leaves the simplex: the
# weights no longer sum to one, and $p_\theta$ is no longer a density. The paper ignores the
# constraint. The usual way to respect it is to write $\pi = \operatorname{softmax}(\alpha)$, that
# is, $\pi_j = e^{\alpha_j} / \sum_k e^{\alpha_k}$, with free $\alpha \in \R^C$. The quotient rule
# gives
#
# $$
# \frac{\partial \pi_j}{\partial \alpha_k}
# = \frac{\delta_{jk} \, e^{\alpha_j}}{\sum_m e^{\alpha_m}}
# - \frac{e^{\alpha_j} e^{\alpha_k}}{\big( \sum_m e^{\alpha_m} \big)^2}
# = \pi_j (\delta_{jk} - \pi_k) ,
# $$
#
# where $\delta_{jk}$ is 1 for $j = k$ and 0 otherwise. The chain rule sums over all weights. Insert
# {eq}`eq-weights-block`; the $\pi_j$ cancel, and the responsibilities sum to one:
#
# ```{math}
# :label: eq-softmax-block
# \frac{\partial \log p_\theta}{\partial \alpha_k}
# = \sum_j \frac{\gamma_j}{\pi_j} \, \pi_j (\delta_{jk} - \pi_k)
# = \gamma_k - \pi_k \sum_j \gamma_j = \gamma_k(y) - \pi_k .
# ```

# %%
weights, *rest = parameters
block = vector[full.blocks_["weights"]]
in_alpha = approx_fprime(np.log(weights), lambda alpha: log_density(softmax(alpha), *rest))
assert np.allclose(numerical(0), block, rtol=1e-4)
assert np.allclose(block, gamma / weights)
assert np.allclose(in_alpha, gamma - weights, atol=1e-5)

# %% [markdown]
# The softmax block {eq}`eq-softmax-block` is $\pi_k$ times the paper's block
# {eq}`eq-weights-block`, minus $\pi_k$. So in each coordinate the two differ by a scale and a
# constant. A regression with an intercept does not notice the constant. It does notice the scale:
# $\gamma_j / \pi_j$ blows up the memberships of rare components, and in a squared loss they count
# $1 / \pi_j^2$ times.
#
# Averaged over the training outputs, the softmax block is zero at the maximum of the likelihood,
# because $\alpha$ is free. So the mean of $\gamma_j$ is $\pi_j$, and the mean of the paper's
# block $\gamma_j / \pi_j$ is *one*. At the maximum all these means equal the Lagrange
# multiplier of the constraint; multiply them by $\pi_j$ and sum: the multiplier is one. The means
# of the blocks for means and covariances are zero.

# %%
scores = full.transform(Y)
for name, columns in full.blocks_.items():
    level = 1 if name == "weights" else 0
    assert np.allclose(scores[:, columns].mean(axis=0), level, atol=1e-4)

# %% [markdown]
# The package's tests repeat these checks for every entry, for 240 outputs and for all forms of
# covariance.
#
# ### The M-step sets the mean score to zero
#
# Write $\gamma_{ij}$ for $\gamma_j(y_i)$. Set the mean scores of the training outputs to zero, with
# the responsibilities held fixed.
#
# *Weights.* The mean of {eq}`eq-softmax-block` is $\frac1n \sum_i \gamma_{ij} - \pi_j$. It is zero
# in the first line below.
#
# *Means.* Multiply $\sum_i \gamma_{ij} \, \Sigma_j^{-1} (y_i - \mu_j) = 0$ by $\Sigma_j$. What
# remains is $\sum_i \gamma_{ij} \, y_i = \mu_j \sum_i \gamma_{ij}$, and hence the second line.
#
# *Covariances.* Take the second line of {eq}`eq-mixture-blocks`, and multiply by $\Sigma_j$ from
# both sides. With $r = y_i - \mu_j$, the bracket becomes $r r\T - \Sigma_j$. So $\sum_i \gamma_{ij}
# \, r r\T = \Sigma_j \sum_i \gamma_{ij}$, and hence the third line:
#
# ```{math}
# :label: eq-m-step
# \begin{aligned}
# \pi_j &= \tfrac1n \textstyle\sum_i \gamma_{ij} , \\
# \mu_j &= \frac{\sum_i \gamma_{ij} \, y_i}{\sum_i \gamma_{ij}} , \\
# \Sigma_j &= \frac{\sum_i \gamma_{ij} (y_i - \mu_j)(y_i - \mu_j)\T}{\sum_i \gamma_{ij}} .
# \end{aligned}
# ```
#
# This is the M-step of the EM algorithm {cite:p}`dempster1977`. The E-step computes new
# responsibilities. At a fixed point, the M-step leaves the parameters in place with the
# responsibilities that belong to them, so the mean score is zero. Conversely, where the mean score
# is zero, the M-step leaves the parameters in place.

# %%
G = model.predict_proba(Y)
totals = G.sum(axis=0)
means = G.T @ Y / totals[:, None]
r = Y[:, None, :] - means
covariances = np.einsum("ij,ija,ijb->jab", G, r, r) / totals[:, None, None]
after = {"weights_": totals / len(Y), "means_": means, "covariances_": covariances}
for name, values in after.items():
    assert np.allclose(values, getattr(model, name), atol=1e-4)

# %% [markdown]
# ## When EM may stop
#
# So the mean score of the training outputs is the natural measure of convergence, above all where
# scores are the aim. EM implementations watch the gain in log-likelihood instead. How are the two
# related? Let $\theta^*$ be the maximum and $e$ the distance of the parameters from it. The
# gradient of the mean log-likelihood, which is the mean score, is zero at the maximum. So at a
# distance $e$ the mean score is of the order $e$, and the mean log-likelihood is below its
# maximum by an amount of the order $e^2$. Near the maximum, each step of EM shrinks $e$ by about
# the same factor, so the gain of a step is a fixed part of what is lacking, again of the order
# $e^2$. Hence a gain of $10^{-2k}$ leaves a score of about $10^{-k}$. And each further digit
# costs a fixed number of steps.
#
# We fit the mixture with a range of gains and measure the mean score that each leaves. The outputs
# are standardised first. `reg_covar`, the small constant on the variances, is zero, because it
# would move the maximum a little.

# %%
Z = (Y - Y.mean(axis=0)) / np.sqrt(np.mean((Y - Y.mean(axis=0)) ** 2))
rows = {}
for gain in 10.0 ** -np.arange(2, 14):
    options = {"reg_covar": 0, "tol": np.sqrt(gain), "max_iter": 5000, "random_state": seed}
    fitted = GaussianMixtureEmbedding(C, covariance_type="full", **options).fit(Z)
    mean_score = fitted.fisher_vector(Z)[:, C:].mean(axis=0)
    rows[gain] = np.abs(mean_score).max(), fitted.n_iter_
frame = pd.DataFrame.from_dict(rows, orient="index", columns=["mean score", "iterations"])
for name, gain in {"scikit-learn's default": 1e-3, "ours": 1e-12}.items():
    score, iterations = frame.loc[gain]
    print(f"{name:22} largest mean score {score:.0e} after {iterations:.0f} iterations")

# %% mystnb={"figure": {"name": "fig-tolerances", "caption": "EM stopped at different gains in log-likelihood. Left, the largest mean score that is left, with the square root of the gain (dotted); right, the number of iterations (dashed: scikit-learn's default gain)."}, "image": {"alt": "Left, a curve on logarithmic axes that rises with the gain, in parallel with a dotted line. Right, the number of iterations falls in a nearly straight line as the gain grows."}}
_ = plot_tolerances(frame, default=1e-3)

# %% [markdown]
# The square root is confirmed: a mean score below $10^{-6}$ takes a gain of $10^{-12}$. The
# iterations are cheap here. In this package `tol` is a size of the score, and its square is passed
# to EM. {doc}`The protocol <06_1_protocol>` shows the same on real outputs.

# %%
slope = np.polyfit(np.log(frame.index), np.log(frame["mean score"]), 1)[0]
assert 0.4 < slope < 0.6  # a square root
assert frame["mean score"][1e-12] < 1e-6

# %% [markdown]
# ## Sparse?
#
# The paper calls the Fisher vectors of a mixture "generally very sparse", because only the
# components that most likely made an output have derivatives far from zero. We count. A coordinate
# is called small if it is below a thousandth of the largest of its vector. The outputs are in ten
# dimensions and come from $C$ isotropic clusters with equal distances between their means. The
# mixture is fitted with the right $C$.


# %%
def share_of_small(C, distance, unit=1.0, embed="fisher_vector"):
    centres = distance / np.sqrt(2) * np.eye(C, 10)
    chosen = rng.integers(C, size=n_clustered)
    Z = unit * (centres[chosen] + rng.normal(size=(n_clustered, 10)))
    options = {"scaling": "score", "tol": 1e-3, "max_iter": 5000, "random_state": seed}
    fitted = GaussianMixtureEmbedding(C, **options).fit(Z)
    size = np.abs(getattr(fitted, embed)(Z))
    return np.mean(size < 1e-3 * size.max(axis=1, keepdims=True))


# %% mystnb={"figure": {"caption": "Share of small coordinates in full Fisher vectors, by the distance of the means in standard deviations (rows) and the number of components (columns)."}}
distances = np.array([0, 1, 2, 3, 4, 5, 6, 8, 10])
shares = {C: [share_of_small(C, distance) for distance in distances] for C in (2, 4, 10)}
shares = pd.DataFrame(shares, index=distances)
shares.rename_axis("distance").round(2)

# %% mystnb={"figure": {"name": "fig-sparsity", "caption": "Share of small coordinates in the Fisher vectors of mixtures with C components, against the distance of the cluster means. Dotted: the share of coordinates that belong to the other components, 1 - 1/C."}, "image": {"alt": "Three curves, for 2, 4 and 10 components. From a distance of about six standard deviations on each runs along its dotted line, at 0.5, 0.75 and 0.9. For smaller distances they are lower, and at distance zero the curves for 4 and 10 components are high again."}}
_ = plot_sparsity(shares)

# %% [markdown]
# The claim is right in its reason and needs three qualifications.
#
# *There is a ceiling.* At best the blocks of all other components are small, a share of $1 - 1/C$.
# (The one per cent on top comes from coordinates of the output's own component that happen to be
# near zero.) For two components that is one half, which nobody would call very sparse; for ten it
# is nine tenths. Fisher vectors of images are known to become sparser with more components
# {cite:p}`perronnin2010`.
#
# *The clusters must be well apart*, by about six standard deviations. At three, where clusters are
# still distinct, a good part of the ceiling is lost. And sparsity is no sign of clusters. At
# distance zero all outputs come from *one* Gaussian, and yet with ten components most coordinates
# are small. With that many components EM splits a single Gaussian too.

# %%
ceiling = 1 - 1 / shares.columns.to_numpy()
assert np.all(np.abs(shares.loc[[6, 8, 10]] - ceiling) < 0.03)
assert np.all(shares.loc[3] < 0.85 * ceiling)
assert shares.loc[0, 10] > 0.5

# %% [markdown]
# *The unit matters.* The memberships have no unit, $\varphi_\mu$ is in 1/unit and $\varphi_\Sigma$
# in 1/unit². "Small" compares them with each other. We draw outputs from
# four clusters and write them in three units:

# %%
by_unit = {unit: share_of_small(4, 8, unit) for unit in (0.01, 1.0, 100.0)}
for unit, share in by_unit.items():
    print(f"unit {unit:6}: share of small coordinates {share:.2f}")

# %% [markdown]
# Where the outputs are large numbers, the whole covariance block is small beside the memberships.
# Then only a few of the 444 coordinates are left.

# %%
assert all((share > 0.9) == (unit == 100) for unit, share in by_unit.items())
assert 0.97 < by_unit[100] < 0.99
assert 4 * (1 + 10 + 10**2) == 444

# %% [markdown]
# The reduced embedding is *not* sparse. It sums the mean blocks over the components. What is left
# are $C$ memberships and $d$ coordinates that are hardly ever zero: at best $C - 1$ of $C + d$
# coordinates are small. Finally, we take real outputs, the middles of handwritten digits from
# {doc}`the introduction <01_introduction>`.

# %%
reduced = share_of_small(4, 8, embed="transform")
print(f"reduced, C = 4, distance 8: {reduced:.2f}")
digits = load_digits_reconstruction().Y
digits = (digits - digits.mean(axis=0)) / digits.std()
on_digits = {}
for n_components in (2, 10):
    fitted = GaussianMixtureEmbedding(n_components, tol=1e-3, random_state=seed).fit(digits)
    size = np.abs(fitted.fisher_vector(digits))
    small = on_digits[n_components] = np.mean(size < 1e-3 * size.max(axis=1, keepdims=True))
    print(f"full, digits, C = {n_components:2}: {small:.2f}, ceiling {1 - 1 / n_components:.2f}")

# %% [markdown]
# With two components the digits are some way below the ceiling, with ten they are near it.

# %%
assert abs(reduced - 3 / 14) < 0.03
for n_components, small in on_digits.items():
    assert (1 - 1 / n_components - small > 0.06) == (n_components == 2)

# %% [markdown]
# ## Four forms of covariance
#
# The paper's components are isotropic. The package offers scikit-learn's four forms: `spherical`
# (one variance for each component), `diag` (one for each coordinate as well), `tied` (one matrix
# for all components) and `full`. As for {doc}`one Gaussian <03_1_gaussian>`, moving a parameter of
# a simpler form moves the matrices $\Sigma_j$ along some direction, so its score is a *contraction*
# of the covariance block. It is the trace for `spherical`, the diagonal for `diag`, and the sum
# over the components for `tied`, because one step moves all matrices.

# %%
kinds = ("spherical", "diag", "tied", "full")
options = {"reg_covar": 0, "max_iter": 5000, "random_state": seed}
models = {
    kind: GaussianMixtureEmbedding(3, covariance_type=kind, **options).fit(Y) for kind in kinds
}

# %% [markdown]
# At the maximum the mean of this contraction is zero. Only for `full` is the mean of the whole
# covariance block zero.

# %%
contract = {"spherical": "jaa->j", "diag": "jaa->ja", "tied": "jab->ab", "full": "jab->jab"}
for kind, fitted in models.items():
    block = fitted.fisher_vector(Y)[:, C + C * d :].mean(axis=0).reshape(C, d, d)
    assert np.allclose(np.einsum(contract[kind], block), 0, atol=1e-4)
    assert (np.abs(block).max() < 1e-4) == (kind == "full")

# %% mystnb={"figure": {"name": "fig-mixture-types", "caption": "The same outputs under mixtures with four forms of covariance; ellipses of two standard deviations."}, "image": {"alt": "Four panels with the same three clusters. Circles of different sizes, two of which overlap; upright ellipses; three ellipses of the same shape, two of which miss their cluster; three ellipses that each fit a cluster."}}
_ = plot_covariance_types(models, Y)

# %% [markdown]
# The table compares the components with the true clusters of fresh outputs, by the adjusted Rand
# index, which is 1 if they agree perfectly.

# %% mystnb={"figure": {"caption": "Four forms of covariance (rows): how many variances and covariances each estimates, the mean log-likelihood of training and of fresh outputs, and the adjusted Rand index of its components with the true clusters."}}
fresh, fresh_labels = draw(10_000, rng)
numbers = {"spherical": C, "diag": C * d, "tied": d * (d + 1) // 2, "full": C * d * (d + 1) // 2}
rows = {}
for kind, fitted in models.items():
    owner = fitted.predict_proba(fresh).argmax(axis=1)
    agreement = adjusted_rand_score(fresh_labels, owner)
    likelihoods = fitted.score_samples(Y).mean(), fitted.score_samples(fresh).mean()
    rows[kind] = numbers[kind], *likelihoods, agreement
columns = ["numbers", "log-likelihood", "fresh", "agreement"]
of_kind = pd.DataFrame.from_dict(rows, orient="index", columns=columns)
of_kind.round(3)

# %% [markdown]
# These clusters have different shapes and there are enough outputs, so the full mixture wins. The
# last column matters for the method. Memberships are what the embedding adds, and a wrong shape
# gives wrong ones: the isotropic mixture cuts the long cluster in two and hands one end to its
# neighbour. With few outputs in many dimensions the order is different. {doc}`03_1_gaussian`
# shows how a full covariance fails there.

# %%
assert np.all(of_kind[columns[1:]].idxmax() == "full")
owner = models["spherical"].predict_proba(fresh[fresh_labels == 0]).argmax(axis=1)
main, end, _ = np.sort(np.bincount(owner, minlength=3) / len(owner))[::-1]
assert main > 0.5
assert end > 0.1

# %% [markdown]
# ## The price of being complete
#
# The full Fisher vector has $C (1 + d + d^2)$ coordinates, one learning problem each. The reduced
# embedding has $C + d$. The table has these numbers for the models of the paper's experiments
# (the largest one where several are compared or tried).

# %% mystnb={"figure": {"caption": "Coordinates of three embeddings for the largest mixture of each of the paper's experiments (rows)."}}
tasks = {
    "first synthetic data, D1 (Table 3)": (10, 10),
    "second synthetic data, D2 (Table 4)": (3, 5),
    "personality traits (Table 8)": (2, 5),
    "drug activities (Tables 9, 10)": (6, 59),
    "images: Caltech-101, AwA (Tables 11, 12)": (10, 50),
}
sizes = pd.DataFrame(tasks, index=["C", "d"]).T
sizes["full"] = sizes.C * (1 + sizes.d + sizes.d**2)
sizes["isotropic"] = sizes.C * (1 + sizes.d + 1)
sizes["reduced"] = sizes.C + sizes.d
sizes

# %% [markdown]
# The column *isotropic* counts the score in the parameters that an isotropic mixture really has,
# with one variance per component. So the alternative to the reduced embedding was never as large as
# the paper's count. The matrices of $d^2$ entries belong to a model that is not fitted.
#
# In the paper's form, both blocks that are kept scale badly. $\gamma_j / \pi_j$ favours rare
# components, and $\Sigma_j^{-1}$ favours narrow ones. The *natural scaling* of
# {doc}`02_output_fisher_embedding_regression`, the package's default, multiplies by $\pi_j$ and
# $\Sigma_j$. The embedding becomes $(\gamma(y), \, y - \sum_j \gamma_j(y) \mu_j)$: memberships, and
# a residual in the unit of the outputs. {doc}`05_what_ofer_computes` asks what a regression on it
# amounts to.
#
# ## What this changes for you
#
# Run EM to a tolerance on the score, not on the likelihood. Do not read sparsity as a sign of
# clusters. And watch the log-density of your outputs: memberships cannot tell you that an output
# belongs nowhere.
#
# ## Exercises
#
# ````{exercise} Quick
# :label: ex-linear-relations
#
# The full Fisher vectors of this chapter have 21 coordinates. How many dimensions do they span
# after centring, and which linear relations hold between the coordinates?
#
# ```{ask}
# :answer: 17
# ```
# ````
#
# ```{solution} ex-linear-relations
# :class: dropdown
#
# Three matrices are symmetric, which makes three relations. One more comes from the weights:
# $\sum_j \pi_j \varphi_{\pi,j} = \sum_j \gamma_j = 1$ for every output. So the answer is 17.
# ```
#
# ```{exercise} Quick
# :label: ex-far-away
#
# Which component takes the outputs $(100, 100)$ and $(200, 200)$, far from all others? How do the
# blocks of the Fisher vector grow from the first to the second, and how would you notice such a
# training output?
# ```
#
# ```{solution} ex-far-away
# :class: dropdown
#
# The long component takes both with a responsibility of 1, because it has the largest variance
# along the diagonal. A mixture has no answer "none of them". The mean block doubles and the
# covariance block becomes four times as large, so a single such output can dominate a squared loss.
# Memberships cannot show it; the log-density does.
# ```

# %% tags=["hide-input"]
assert np.linalg.matrix_rank(scores - scores.mean(axis=0), tol=1e-8) == 17
assert np.ptp(scores[:, full.blocks_["weights"]] @ model.weights_) < 1e-8
far = np.array([[100.0, 100.0], [200.0, 200.0]])
assert np.allclose(model.predict_proba(far)[:, long], 1)
sizes_far = [np.abs(full.transform(far))[:, c].max(axis=1) for c in full.blocks_.values()]
growth = [second / first for first, second in sizes_far]
assert np.allclose(growth, [1, 2, 4], rtol=0.05)
assert model.score_samples(far).max() < model.score_samples(Y).min() - 100

# %% [markdown]
# ```{exercise} Code
# :label: ex-tied-borders
#
# With tied covariances the borders between components are straight. Show it, and find the line
# between two components in `models["tied"]`.
# ```
#
# ```{solution-start} ex-tied-borders
# :class: dropdown
# ```

# %%
tied = models["tied"]
logits = np.log(tied.predict_proba([[0, 0], [1, 0], [0, 1], [1, 1]]))
ratio = logits[:, 0] - logits[:, 1]
slope = tied.precisions_ @ (tied.means_[0] - tied.means_[1])
print("slope of the log-ratio:", slope.round(2))

# %%
assert np.allclose(ratio[1:3] - ratio[0], slope)
assert np.isclose(ratio[3], ratio[0] + slope.sum())

# %% [markdown]
# In $\log (\gamma_j / \gamma_k) = \log (\pi_j / \pi_k) + \log \mathcal N_j - \log \mathcal N_k$ the
# quadratic terms $y\T P y$ are the same and cancel. What remains is affine in $y$ with the slope
# $P (\mu_j - \mu_k)$: responsibilities are a multinomial logistic regression.
#
# ```{solution-end}
# ```
#
# ```{exercise} Open
# :label: ex-how-many
#
# How many components do *your* outputs have? Fit one to ten. Look at the log-likelihood of fresh
# outputs, at the largest responsibility of each output, and at the agreement between two halves of
# the data.
# ```
#
# ```{solution} ex-how-many
# :class: dropdown
#
# The three need not agree. For the method of this book the last two count. Components are of use
# if outputs clearly belong to one, and if another sample would have given the same components.
# ```
