# ---
# jupyter:
#   kernelspec:
#     display_name: Python 3
#     name: python3
# ---

# %% [markdown]
# # The mixture
#
# *Section 3.2 of {cite:t}`djerrab2018`*
#
# A mixture says that every output was made in two steps: first one of $C$ components was chosen,
# then the output was drawn from its Gaussian. The choice is hidden. What the Fisher vector of a
# mixture adds to that of {doc}`a single Gaussian <03_1_gaussian>` is an opinion on this choice.
#
# This chapter derives Section 3.2 of {cite:t}`djerrab2018` step by step and checks each block
# against a numerical derivative. Then it looks at what the paper says, or takes for granted, about
# these vectors: that they are sparse, that isotropic components will do, that EM delivers the
# maximum.

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
from reproduction.papers.ofer.figures.fisher_vectors import (
    plot_covariance_types,
    plot_responsibilities,
    plot_sparsity,
    plot_tolerances,
)
from reproduction.papers.ofer.figures.playground import plot_tug

# %% [markdown]
# ## Density and responsibilities
#
# With weights $\pi_j > 0$ that sum to one, and $\mathcal N_j(y) = \mathcal N(y; \mu_j, \Sigma_j)$
# for the density of the $j$-th Gaussian,
#
# ```{math}
# :label: eq-mixture-density
# p_\theta(y) = \sum_{j=1}^C \pi_j \, \mathcal N_j(y) .
# ```
#
# The probability that component $j$ was chosen, given the output, is Bayes' rule, and is called the
# *responsibility* of the component for the output:
#
# ```{math}
# :label: eq-responsibility
# \gamma_j(y) = \frac{\pi_j \, \mathcal N_j(y)}{p_\theta(y)} , \qquad \sum_j \gamma_j(y) = 1 .
# ```
#
# Our outputs come from three clusters of different shapes: a long one, a small one, and a flat one
# that touches the long one. A mixture with full covariances is fitted to them.

# %%
clusters = [
    ([0.0, 0.0], [[2.0, 1.4], [1.4, 1.4]]),
    ([3.2, -0.5], [[0.2, 0.0], [0.0, 0.2]]),
    ([2.2, 3.1], [[4.0, 0.0], [0.0, 0.5]]),
]


def draw(n, rng):
    labels = rng.choice(3, size=n, p=[0.4, 0.3, 0.3])
    each = [rng.multivariate_normal(mean, S, size=n) for mean, S in clusters]
    return np.choose(labels[:, None], each), labels


rng = np.random.default_rng(seed)
Y, labels = draw(n_samples, rng)
mixture = GaussianMixtureEmbedding(3, covariance_type="full", max_iter=2000, random_state=seed)
full = FullFisherEmbedding(mixture).fit(Y)
model = full.embedding_
C, d = model.means_.shape
print("weights", model.weights_.round(2), "means", model.means_.round(1).tolist())

# %% mystnb={"figure": {"name": "fig-responsibilities", "caption": "The fitted mixture. Upper left, outputs, marked by their most responsible component, on lines of equal log-density. The other panels: the responsibility of each component over the plane, with the line where it is one half."}, "image": {"alt": "Four panels of the same plane. Contour lines around three clusters of squares, triangles and circles; then one panel per component, dark where it is responsible. The dark areas have curved borders, and one of them has a second piece in a corner where there are no outputs."}}
_ = plot_responsibilities(model, Y, limits=(-5, 8, -5, 7))

# %% [markdown]
# Nearly everywhere one component takes all. Only along the borders do two of them share, and the
# grey band is widest where two clusters touch. Borders are curves of second order, as the ratio of
# two Gaussians is the exponential of a quadratic polynomial. That has an odd effect in the upper
# right corner: there the long component is responsible again, behind the flat one, because its
# variance in this direction is the larger one. Far from all outputs, responsibilities say which
# component is the least impossible, not which one is near. ({ref}`ex-far-away` goes there.)
#
# ### Why in logarithms
#
# Computing {eq}`eq-responsibility` as it stands is a mistake. In three hundred dimensions the
# density of a quite ordinary output is far too small, or far too large, for a floating point
# number, depending on nothing but the unit. The remedy is to compute $a_j = \log \pi_j + \log
# \mathcal N_j(y)$ and
#
# ```{math}
# :label: eq-responsibility-in-logs
# \begin{aligned}
# \log \gamma_j &= a_j - \log \textstyle\sum_k e^{a_k} , \\
# \log \textstyle\sum_k e^{a_k} &= a_{\max} + \log \textstyle\sum_k e^{a_k - a_{\max}} ,
# \end{aligned}
# ```
#
# where the largest exponent is zero. The cell takes the same two components and the same output
# in three units:

# %%
output = rng.normal(size=300)
for unit in (0.01, 1, 100):
    pair = [multivariate_normal(m * np.ones(300) * unit, unit**2) for m in (0.0, 0.1)]
    with np.errstate(all="ignore"):
        products = np.array([0.5 * component.pdf(output * unit) for component in pair])
        direct = products / products.sum()
    a = np.array([np.log(0.5) + component.logpdf(output * unit) for component in pair])
    in_logs = np.exp(a - logsumexp(a))
    print(f"unit {unit:6}: largest density {products.max():.0e}", end=", ")
    print(f"direct {direct.round(4)}, in logs {in_logs.round(4)}")

# %% [markdown]
# ## The score, block by block
#
# Let $\theta_j$ be any parameter of component $j$ alone. Only one term of the sum contains it, so
# by the chain rule
#
# ```{math}
# :label: eq-chain-rule
# \nabla_{\theta_j} \log p_\theta
# = \frac{\pi_j \nabla_{\theta_j} \mathcal N_j}{p_\theta}
# = \frac{\pi_j \mathcal N_j}{p_\theta} \, \frac{\nabla_{\theta_j} \mathcal N_j}{\mathcal N_j}
# = \gamma_j \nabla_{\theta_j} \log \mathcal N_j .
# ```
#
# That is all. The score in a component's parameters is its score as a single Gaussian, times its
# responsibility. With {eq}`eq-score-of-the-mean` and {eq}`eq-score-of-the-covariance` of the last
# chapter,
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
# In a picture, for round components: an output tugs at every mean, in its own direction and as hard
# as the component is responsible. Times $\Sigma_j$, which takes it back to the unit of the outputs,
# the pull at mean $j$ is $\gamma_j (y - \mu_j)$. The memberships, and the sum of all pulls, are the
# embedding that is left when the score is reduced ({doc}`04_pre_images`).

# %%
round_model = GaussianMixtureEmbedding(3, max_iter=2000, random_state=seed).fit(Y)
tugging = np.array([-2.4, 1.7])
embedded = round_model.transform([tugging])[0]
limits = {"x": [-5, 8], "y": [-5.5, 7.5]}

# %% mystnb={"figure": {"name": "fig-tug", "caption": "An output y tugs at the means of three round components: each arrow is the score of a mean, in the unit of the outputs. Right, the embedding: three memberships, and below the line the sum of the three arrows."}, "image": {"alt": "Left, three discs with numbered centres; from two of them arrows point to the output, which lies beside both. Right, five bars: three memberships, of which two are large, and two coordinates of the sum."}}
_ = plot_tug(round_model, tugging, limits=list(limits.values()))

# %% tags=["hide-input"]
parts = {
    "means": rounded(round_model.means_),
    "weights": rounded(round_model.weights_),
    "scales": rounded(np.sqrt(round_model.covariances_)),
    "output": rounded(tugging),
}
publish("tug", "fig-tug", {**parts, **limits, "reach": 6})

# %% tags=["hide-input"]
shares = round_model.predict_proba([tugging])[0]
pulls = shares[:, None] * (tugging - round_model.means_)
assert np.allclose(np.r_[shares, pulls.sum(axis=0)], embedded)

# %% [markdown]
# To check the blocks we need the log-density as a function of its parameters, at an output on which
# all three components have a say, and numerical derivatives in every entry. Matrices are made
# symmetric, so that an entry and its mirror image each take half of a step (the first convention of
# the last chapter).

# %%
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
for moved, name in [(1, "means"), (2, "covariances")]:
    block = vector[full.blocks_[name]]
    agree = np.allclose(numerical(moved), block, atol=1e-5)
    print(f"{name:11} {block.size:2} entries, agree with finite differences: {agree}")

# %% [markdown]
# The paper gives $\varphi_\mu \in \R^d$ and $\varphi_\Sigma \in \R^{d^2}$. There is one such block
# for each component, so the sizes are $C d$ and $C d^2$, as counted here and in Section 4.2 of the
# paper (see the {doc}`errata <90_errata>`).
#
# ### The weights
#
# The weights enter {eq}`eq-mixture-density` linearly, and the derivative is quickly taken:
#
# ```{math}
# :label: eq-weights-block
# \varphi_{\pi,j}(y) = \frac{\mathcal N_j(y)}{p_\theta(y)} = \frac{\gamma_j(y)}{\pi_j} .
# ```
#
# But in which direction does it go? A step in a single $\pi_j$ leaves the simplex, the weights no
# longer sum to one, and $p_\theta$ is no longer a density. The paper ignores the constraint. The
# usual way to respect it is to write $\pi = \operatorname{softmax}(\alpha)$ with free $\alpha \in
# \R^C$. As $\partial \pi_j / \partial \alpha_k = \pi_j (\delta_{jk} - \pi_k)$,
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
print("free:    ", block.round(4), np.allclose(numerical(0), block, rtol=1e-4))
in_alpha = approx_fprime(np.log(weights), lambda alpha: log_density(softmax(alpha), *rest))
print("softmax: ", in_alpha.round(4), np.allclose(in_alpha, gamma - weights, atol=1e-5))

# %% [markdown]
# The two differ by a scale $\pi_k$ for each coordinate and a constant. A regression with an
# intercept does not notice the constant. It does notice the scale: $\gamma_j / \pi_j$ blows up the
# memberships of rare components, and in a squared loss they count $1 / \pi_j^2$ times. One more
# consequence: averaged over the training outputs, the softmax block is zero, but the free one is
# *one*, since the mean of $\gamma_j$ is $\pi_j$ at the maximum. It is the Lagrange multiplier of
# the constraint.

# %%
scores = full.transform(Y)
for name, columns in full.blocks_.items():
    mean_score = scores[:, columns].mean(axis=0).round(4) + 0.0
    print(f"{name:11} mean between {mean_score.min():.4f} and {mean_score.max():.4f}")

# %% [markdown]
# `tests/ofer/embeddings/test_mixture.py` repeats these checks for every entry, for 240 outputs and
# for all covariance types.
#
# ## EM, and when it may stop
#
# Set the mean scores of the training outputs to zero, but with the responsibilities held fixed.
# Then {eq}`eq-mixture-blocks` and {eq}`eq-softmax-block` can be solved for the parameters:
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
# This is the M-step of the EM algorithm {cite:p}`dempster1977`; the E-step computes new
# responsibilities. A fixed point of the two is a point where the mean score is zero, and
# conversely:

# %%
G = model.predict_proba(Y)
totals = G.sum(axis=0)
means = G.T @ Y / totals[:, None]
r = Y[:, None, :] - means
covariances = np.einsum("ij,ija,ijb->jab", G, r, r) / totals[:, None, None]
after = {"weights_": totals / len(Y), "means_": means, "covariances_": covariances}
for name, values in after.items():
    in_place = np.allclose(values, getattr(model, name), atol=1e-4)
    print(f"an M-step leaves {name:12} in place: {in_place}")

# %% [markdown]
# So the mean score of the training outputs is the natural measure of convergence, in particular
# here, where scores are what we are after. EM implementations watch the log-likelihood instead.
# Near the maximum its gain is quadratic in what is left of the score, so a gain of $10^{-2k}$
# leaves a score of about $10^{-k}$. We fit the mixture with a range of tolerances on the gain and
# see what mean score each leaves. The outputs are brought to a standard scale first, and
# `reg_covar` is zero, as it would move the maximum a little.

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
slope = np.polyfit(np.log(frame.index), np.log(frame["mean score"]), 1)[0]
assert 0.4 < slope < 0.6  # a square root
assert frame["mean score"][1e-12] < 1e-6

# %% mystnb={"figure": {"name": "fig-tolerances", "caption": "EM stopped at different gains in log-likelihood. Left, the largest mean score that is left, with the square root of the gain (dotted). Right, the number of iterations. Dashed: scikit-learn's default gain."}, "image": {"alt": "Left, a curve on logarithmic axes that rises with the gain, in parallel with a dotted line. Right, the number of iterations falls in a nearly straight line as the gain grows."}}
_ = plot_tolerances(frame, default=1e-3)

# %% [markdown]
# The square root is confirmed: a mean score below $10^{-6}$ takes a gain of $10^{-12}$. Each
# further digit costs a fixed number of iterations, and these are cheap here. In this package
# `tol` is meant as a size of the score, and its square is passed to EM; {doc}`the protocol
# <06_1_protocol>` shows the same on real outputs.
#
# ## Sparse?
#
# "The Fisher vector is therefore generally very sparse for GMM", says the paper: only the
# components that most likely made an output have derivatives far from zero. We count. A coordinate
# is called small if it is below a thousandth of the largest of its vector. Outputs are in ten
# dimensions and come from $C$ isotropic clusters with equal distances between their means; the
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


distances = np.array([0, 1, 2, 3, 4, 5, 6, 8, 10])
shares = {C: [share_of_small(C, distance) for distance in distances] for C in (2, 4, 10)}
shares = pd.DataFrame(shares, index=distances)

# %% mystnb={"figure": {"name": "fig-sparsity", "caption": "Share of small coordinates in the Fisher vectors of mixtures with C components, against the distance of the cluster means. Dotted: the share of coordinates that belong to the other components, 1 - 1/C."}, "image": {"alt": "Three curves, for 2, 4 and 10 components. From a distance of about six standard deviations on each runs along its dotted line, at 0.5, 0.75 and 0.9. For smaller distances they are lower, and at distance zero the curves for 4 and 10 components are high again."}}
_ = plot_sparsity(shares)

# %% mystnb={"figure": {"caption": "Share of small coordinates in full Fisher vectors, by the distance of the means in standard deviations (rows) and the number of components (columns)."}}
ceiling = 1 - 1 / shares.columns.to_numpy()
assert np.all(np.abs(shares.loc[[6, 8, 10]] - ceiling) < 0.03)
assert np.all(shares.loc[3] < 0.85 * ceiling)
assert shares.loc[0, 10] > 0.5
shares.rename_axis("distance").round(2)

# %% [markdown]
# The claim is right in its reason and needs three qualifications.
#
# *There is a ceiling.* At best the blocks of all other components are small, a share of $1 - 1/C$
# (the one per cent on top comes from coordinates of the output's own component that happen to be
# near zero). For two components that is one half, which nobody would call very sparse; for ten it
# is nine tenths. That more components make sparser vectors is known from Fisher vectors of images
# {cite:p}`perronnin2010`.
#
# *The clusters must be well apart*, by about six standard deviations. At three, where clusters are
# still distinct, a good part of the ceiling is lost. And sparsity is no sign of clusters: at
# distance zero all outputs come from *one* Gaussian, and yet with ten components most coordinates
# are small. EM has found small groups of outputs that lie close together by chance.
#
# *It depends on the unit.* The blocks are of different degree in the outputs' unit, and "small"
# compares them with each other. Where the outputs are large numbers, the whole covariance block is
# small beside the memberships, and only a few of the 444 coordinates are left:

# %%
for unit in (0.01, 1.0, 100.0):
    share = share_of_small(4, 8, unit)
    print(f"unit {unit:6}: share of small coordinates {share:.2f}")
    assert (share > 0.9) == (unit == 100)
assert 0.97 < share < 0.99

# %% [markdown]
# The embedding that the paper goes on to use is *not* sparse. It sums the mean blocks over the
# components, and what is left are $C$ memberships and $d$ coordinates that are hardly ever zero: a
# share of about $(C - 1) / (C + d)$. Finally, consider real outputs, the middles of handwritten
# digits from {doc}`the introduction <01_introduction>`. With two components they are some way below
# the ceiling, with ten they are near it:

# %%
reduced = share_of_small(4, 8, embed="transform")
print(f"reduced, C = 4, distance 8: {reduced:.2f}")
assert abs(reduced - 3 / 14) < 0.03
digits = load_digits_reconstruction().Y
digits = (digits - digits.mean(axis=0)) / digits.std()
for n_components in (2, 10):
    on_digits = GaussianMixtureEmbedding(n_components, tol=1e-3, random_state=seed).fit(digits)
    size = np.abs(on_digits.fisher_vector(digits))
    small = np.mean(size < 1e-3 * size.max(axis=1, keepdims=True))
    print(f"full, digits, C = {n_components:2}: {small:.2f}, ceiling {1 - 1 / n_components:.2f}")
    assert (1 - 1 / n_components - small > 0.06) == (n_components == 2)

# %% [markdown]
# ## Four forms of covariance
#
# The paper's components are isotropic. The package offers scikit-learn's four forms: `spherical` (a
# variance for each component), `diag` (one for each coordinate as well), `tied` (one matrix for all
# components) and `full`. The score in their own parameters is again a contraction of the covariance
# block: traces, diagonals, the sum over the components, or all of it. At the maximum, exactly this
# contraction has a mean of zero.

# %%
kinds = ("spherical", "diag", "tied", "full")
options = {"reg_covar": 0, "max_iter": 5000, "random_state": seed}
models = {
    kind: GaussianMixtureEmbedding(3, covariance_type=kind, **options).fit(Y) for kind in kinds
}
contract = {"spherical": "jaa->j", "diag": "jaa->ja", "tied": "jab->ab", "full": "jab->jab"}
for kind, fitted in models.items():
    block = fitted.fisher_vector(Y)[:, C + C * d :].mean(axis=0).reshape(C, d, d)
    own = np.abs(np.einsum(contract[kind], block)).max()
    print(f"{kind:9} largest mean score: own parameters {own:.4f}, all {np.abs(block).max():.4f}")

# %% mystnb={"figure": {"name": "fig-mixture-types", "caption": "The same outputs under mixtures with four forms of covariance; ellipses of two standard deviations."}, "image": {"alt": "Four panels with the same three clusters. Circles of different sizes, two of which overlap; upright ellipses; three ellipses of the same shape, two of which miss their cluster; three ellipses that each fit a cluster."}}
_ = plot_covariance_types(models, Y)

# %% mystnb={"figure": {"caption": "Four kinds of covariance (rows): the variances that each estimates, the mean log-likelihood of training and of fresh outputs, and the adjusted Rand index of its clusters with the true ones."}}
fresh, fresh_labels = draw(10_000, rng)
numbers = {"spherical": C, "diag": C * d, "tied": d * (d + 1) // 2, "full": C * d * (d + 1) // 2}
rows = {}
for kind, fitted in models.items():
    owner = fitted.predict_proba(fresh).argmax(axis=1)
    agreement = adjusted_rand_score(fresh_labels, owner)
    likelihoods = fitted.score_samples(Y).mean(), fitted.score_samples(fresh).mean()
    rows[kind] = numbers[kind], *likelihoods, agreement
columns = ["variances", "log-likelihood", "fresh", "agreement"]
of_kind = pd.DataFrame.from_dict(rows, orient="index", columns=columns)
assert np.all(of_kind[columns[1:]].idxmax() == "full")
of_kind.round(3)

# %% [markdown]
# These clusters have different shapes and there are enough outputs, so the full mixture wins. What
# matters for the method is the last column, the agreement of the components with the clusters of
# fresh outputs (adjusted Rand index, 1 is perfect). Memberships are what the embedding adds, and a
# wrong shape gives wrong ones: the isotropic mixture cuts the long cluster in two and hands one end
# to its neighbour. With few outputs in many dimensions the order is different;
# {doc}`the last chapter <03_1_gaussian>` shows how a full covariance fails there.
#
# ## The price of being complete
#
# The full Fisher vector has $C (1 + d + d^2)$ coordinates, one learning problem each. The reduced
# embedding has $C + d$. The table has these numbers for the models of the paper's experiments
# (the largest one where several are compared or tried).

# %% mystnb={"figure": {"caption": "Coordinates of three embeddings for the largest mixture of each of the paper's experiments (rows)."}}
tasks = {
    "D1 (Table 3)": (10, 10),
    "D2 (Table 4)": (3, 5),
    "personality (Table 8)": (2, 5),
    "drug activity (Tables 9, 10)": (6, 59),
    "Caltech101, AWA (Tables 11, 12)": (10, 50),
}
sizes = pd.DataFrame(tasks, index=["C", "d"]).T
sizes["full"] = sizes.C * (1 + sizes.d + sizes.d**2)
sizes["isotropic"] = sizes.C * (1 + sizes.d + 1)
sizes["reduced"] = sizes.C + sizes.d
sizes

# %% [markdown]
# The column in the middle is the score in the parameters that an isotropic mixture really has, with
# one variance per component. So the alternative to the reduced embedding was never as large as the
# paper's count; the matrices of $d^2$ entries belong to a model that is not fitted.
#
# As printed, both scale badly: $\gamma_j / \pi_j$ favours rare components, and $\Sigma_j^{-1}$
# favours narrow ones. The *natural scaling* of {doc}`02_output_fisher_embedding_regression`, the
# package's default, multiplies by $\pi_j$ and $\Sigma_j$ and turns the embedding into memberships
# and a residual in the unit of the outputs, $(\gamma(y), \, y - \sum_j \gamma_j(y) \mu_j)$; what a
# regression on it amounts to is the subject of {doc}`the chapter on what OFER computes
# <05_what_ofer_computes>`.
#
# ## What we found
#
# - The score of a component is its score as a single Gaussian times its responsibility. All three
#   blocks agree with numerical derivatives.
# - The paper's block for the weights ignores that they sum to one; it differs from the softmax
#   score by a scale for each component and a constant.
# - EM's usual tolerance on the likelihood leaves a mean score of the order of its square root.
# - Fisher vectors are sparse up to a share of $1 - 1/C$, if the clusters are well apart and the
#   unit is sensible. They can be sparse where there are no clusters, and the reduced embedding is
#   not sparse.
# - Memberships depend on the form of the covariances, and far from all outputs they mean little.
#
# ## What this changes for you
#
# Run EM to a tolerance on the score, not on the likelihood. Do not read sparsity as a sign of
# clusters. And watch the log-density of your outputs: memberships cannot tell you that an output
# belongs nowhere.
#
# ## Exercises
#
# ```{exercise} Quick
# :label: ex-linear-relations
#
# The full Fisher vectors of this chapter have 21 coordinates. How many dimensions do they span
# after centring, and which linear relations hold between the coordinates?
# ```
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
# The long cluster, as it has the largest variance along the diagonal, with a responsibility of 1: a
# mixture has no answer "none of them". The mean block doubles and the covariance block becomes four
# times as large, so that a single such output can dominate a squared loss. Memberships cannot show
# it; the log-density does.
# ```

# %% tags=["hide-input"]
assert np.linalg.matrix_rank(scores - scores.mean(axis=0), tol=1e-8) == 17
assert np.ptp(scores[:, full.blocks_["weights"]] @ model.weights_) < 1e-8
far = np.array([[100.0, 100.0], [200.0, 200.0]])
long = np.abs(model.means_).sum(axis=1).argmin()  # the cluster around the origin
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
# How many components do *your* outputs have? Fit one to ten, and look at the log-likelihood of
# fresh outputs, at the largest responsibility of each output, and at the agreement between two
# halves of the data.
# ```
#
# ```{solution} ex-how-many
# :class: dropdown
#
# The three need not agree. For the method of this book the last two count: components are of use if
# outputs have one of their own, and if another sample would have given the same.
# ```
