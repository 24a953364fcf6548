# ---
# jupyter:
#   kernelspec: {display_name: Python 3, language: python, name: python3}
# ---

# %% [markdown]
# # One Gaussian
#
# *Section 3.1 of {cite:t}`djerrab2018`*
#
# **The question.** Output Fisher embedding regression (OFER) fits a probability model to the
# training outputs and regresses what the model says about each output. What does the simplest
# model, a single Gaussian, have to say?
#
# **The idea.** An output says how it would like the parameters to change. This is its *Fisher
# score*, the gradient of the log-density in the parameters. A Gaussian has two parameters, so the
# score has two blocks: one for the mean, one for the covariance.
#
# **The answer.** The second block is a function of the first, so it can be dropped. The first is
# an affine map of the output. Kernel ridge regression commutes with affine maps. So with
# the same ridge parameter, OFER with one Gaussian predicts what kernel ridge regression with an
# intercept predicts. More components alone do not change this ({prf:ref}`thm-model-cancels`). They
# matter with separate ridge parameters, a projection or weak labels. Two formulas of the paper turn out
# to be misprinted.

# %% tags=["parameters"]
n_samples: int = 500  # outputs of each Gaussian in Figure 2
n_draws: int = 200_000  # for the Fisher information by simulation
seed: int = 0

# %%
import numpy as np
import pandas as pd
from scipy.linalg import block_diag
from scipy.optimize import approx_fprime
from scipy.stats import chi2, multivariate_normal

from ofer import GaussianEmbedding, KernelRidgeCV, OutputFisherRegressor
from reproduction.studies.embedding.figures.fisher_vectors import (
    plot_covariance_types,
    plot_fisher_vectors,
)

# %% [markdown]
# ## What we found
#
# ### One Gaussian adds nothing to kernel ridge regression
#
# Our outputs are points in the plane with correlated coordinates. We fit a Gaussian with mean
# $\mu$ and covariance $\Sigma$ to them by maximum likelihood. The option `reg_covar=0` leaves out
# the small constant that usually keeps variances above zero, so that all identities are exact.

# %%
rng = np.random.default_rng(seed)
# Cholesky's factor is unique, so every machine draws the same.
Y = rng.multivariate_normal([1, -1], [[4.0, 1.8], [1.8, 1.2]], size=300, method="cholesky")
X = np.column_stack([np.sin(Y[:, 0]), Y.sum(axis=1)]) + rng.normal(size=(300, 2))
gaussian = GaussianEmbedding(covariance_type="full", reg_covar=0).fit(Y)

# %% [markdown]
# OFER *embeds* each training output, here as its score $\phi_\mu(y) = \Sigma^{-1} (y - \mu)$ in the
# mean. It then predicts the embedding of a new input by kernel ridge regression, and *decodes* the
# prediction $h$ as $y^\star = \Sigma \, h + \mu$. The covariance can have three forms: *spherical*
# (isotropic, $\Sigma = s I$, as in all experiments of the paper), *diagonal* or *full*. The table
# compares the predictions for 200 fresh inputs with those of kernel ridge regression on the outputs
# themselves. Leave-one-out chooses the penalty of the regression, the *ridge parameter*, or we give
# OFER that of kernel ridge regression.

# %% mystnb={"figure": {"caption": "OFER with one Gaussian against kernel ridge regression, by form of the covariance (rows): the ridge parameter, chosen by leave-one-out or given, and the largest difference of two predictions."}}
kernel = {"kernel": "rbf", "gamma": 0.5}
plain = KernelRidgeCV(**kernel).fit(X[:100], Y[:100])
ridges = {"chosen": None, "given": [plain.alpha_]}
rows = {}
for kind in ("spherical", "diag", "full"):
    for name, alphas in ridges.items():
        ofer = OutputFisherRegressor(
            GaussianEmbedding(covariance_type=kind),
            KernelRidgeCV(alphas, **kernel),
            block_wise=True,
        ).fit(X[:100], Y[:100])
        gap = np.abs(ofer.predict(X[100:]) - plain.predict(X[100:])).max()
        rows[kind, name] = ofer.regressor_["mean"].alpha_, gap
columns = ["ridge parameter", "largest difference"]
gaps = pd.DataFrame(rows, index=columns).T.rename_axis(["covariance", "choice"])
gaps.rename({"diag": "diagonal"}).round(4)

# %% [markdown]
# With a given ridge parameter all three make the predictions of kernel ridge regression. The
# isotropic Gaussian does so even with the chosen one, because it multiplies all leave-one-out
# errors by the same number. The other two measure errors in another metric, so they may choose
# another ridge parameter. Here only the full Gaussian does.

# %%
differ = gaps["largest difference"] > 1e-6
assert list(differ.index[differ]) == [("full", "chosen")]
assert len(X[100:]) == 200

# %% [markdown]
# ### The second block says nothing new
#
# The score in the covariance is $\phi_\Sigma = \frac12 (\phi_\mu \phi_\mu\T - \Sigma^{-1})$, a
# function of $\phi_\mu$ alone. Figure 2 of the paper shows this as "geometric intuition". We draw
# it anew, with samples from $\mathcal N(0, 0.5)$ on the line and from $\mathcal N(0, 5 I)$ in the
# plane. We take 0.5 to be the variance, as 5 is in the plane. There, the vertical axis is the trace
# of $\phi_\Sigma$.

# %%
y = rng.normal(0, np.sqrt(0.5), size=(n_samples, 1))
Y5 = rng.normal(0, np.sqrt(5), size=(n_samples, 2))
line = GaussianEmbedding(reg_covar=0).fit(y)
plane = GaussianEmbedding(reg_covar=0).fit(Y5)

# %% mystnb={"figure": {"name": "fig-fisher-vectors", "caption": "The paper's Figure 2, from a run: samples of a Gaussian on the line and their scores (above), and scores of samples in the plane (below). Triangles and hatched bars: samples within one standard deviation of the mean; circles: the others."}, "image": {"alt": "Three panels. A bell-shaped histogram with a hatched middle. A parabola whose lower part, below zero, is made of triangles and whose arms are circles. A bowl in three dimensions with triangles at its bottom."}}
_ = plot_fisher_vectors(line, y, plane, Y5)

# %% [markdown]
# The scores do not fill the plane, they lie on a parabola. It crosses zero where an output is one
# standard deviation $\sigma$ from the mean. So, on the line, the triangles are exactly the outputs
# that ask for a smaller variance. In the plane the parabola becomes a bowl, whose zero level lies at
# the distance $\sqrt 2 \, \sigma$.

# %%
inside = np.abs(y - line.mean_) <= np.sqrt(line.covariance_)
assert np.array_equal(inside, line.fisher_vector(y)[:, 1:] <= 0)
rim = plane.mean_ + np.sqrt(2 * plane.covariance_) * np.array([[0.6, 0.8]])
assert np.isclose(plane.fisher_vector(rim)[0, [2, 5]].sum(), 0)

# %% [markdown]
# The picture does not carry far into higher dimensions. How many outputs lie within one standard
# deviation of the mean?

# %%
distance = np.linalg.norm(Y5 - plane.mean_, axis=1) / np.sqrt(plane.covariance_)
print(f"triangles: {inside.mean():.0%} on the line, {(distance <= 1).mean():.0%} in the plane")
expected = chi2.cdf(1, df=[1, 2, 10])
print("expected in 1, 2 and 10 dimensions:", ", ".join(f"{share:.2%}" for share in expected))

# %% [markdown]
# The share falls from two thirds on the line to practically none in ten dimensions. There, all
# outputs sit on a shell at a distance of about $\sqrt{10} \, \sigma$, near the zero level of the
# bowl.

# %%
assert abs(expected[0] - 2 / 3) < 0.02
assert expected[2] < 0.001

# %% [markdown]
# ### Two formulas are misprinted
#
# The paper exchanges the two exponents in the density of a Gaussian, and its score of the
# covariance lacks the factor $\frac12$. No convention about symmetric matrices explains the missing
# factor. It matters: in a squared loss, a doubled block counts four times. The {doc}`errata
# <90_errata>` list both.
#
# ### The two blocks have different units
#
# With outputs in metres, $\phi_\mu$ is in 1/m and $\phi_\Sigma$ in 1/m². A squared loss that adds
# the two depends on the unit of the outputs. This is a second reason to drop $\phi_\Sigma$.
#
# ### A full covariance needs enough outputs
#
# A full covariance has $d (d + 1) / 2$ numbers to estimate, an isotropic one has a single number.
# We draw correlated outputs in ten dimensions and measure how likely *fresh* outputs are under the
# three forms.

# %% mystnb={"figure": {"caption": "Mean log-likelihood of fresh outputs in ten dimensions under three Gaussians (columns), fitted to 15 to 1000 outputs (rows). More is better."}}
kinds = ("spherical", "diag", "full")
mixing = rng.normal(size=(10, 10)) / np.sqrt(10) + np.eye(10)
fresh = rng.normal(size=(2000, 10)) @ mixing
rows = {}
for n in (15, 30, 100, 1000):
    train = rng.normal(size=(n, 10)) @ mixing
    rows[n] = [
        GaussianEmbedding(covariance_type=kind).fit(train).score_samples(fresh).mean()
        for kind in kinds
    ]
fits = pd.DataFrame.from_dict(rows, orient="index", columns=list(kinds)).rename_axis("outputs")
fits.rename(columns={"diag": "diagonal"}).round(2)

# %% [markdown]
# With 15 outputs the isotropic Gaussian beats the full one by far; with 30 it has already lost. For
# very small samples the paper's choice is the safe one, at the cost of the correlations.

# %%
assert fits["spherical"][15] > fits["full"][15] + 5
assert np.all((fits["full"] > fits["spherical"])[[30, 100, 1000]])

# %% [markdown]
# ## Derivation 1: the density and its logarithm
#
# A Gaussian vector $y \in \R^d$ with mean $\mu$ and positive definite covariance $\Sigma$ has the
# parameters $\theta = (\mu, \Sigma)$ and the density
#
# ```{math}
# :label: eq-normal-density
# p_\theta(y) = (2\pi)^{-d/2} \, |\Sigma|^{-1/2} \,
# \exp\left( -\tfrac12 (y - \mu)\T \Sigma^{-1} (y - \mu) \right) .
# ```
#
# The paper prints $(2\pi)^{-1/2} |\Sigma|^{-d/2}$ in front. For $d = 1$ this is the same. For
# $\mathcal N(0, 5 I)$ in the plane, a sum over a fine grid tells which of the two is a density. It
# approximates the integral of each:

# %%
axis = np.linspace(-20, 20, 401)
points = np.stack(np.meshgrid(axis, axis), axis=-1)
five, d = 5 * np.eye(2), 2
unscaled = np.exp(-0.5 * np.einsum("xyi,ij,xyj->xy", points, np.linalg.inv(five), points))
integral = unscaled.sum() * (axis[1] - axis[0]) ** 2
det = np.linalg.det(five)
print(f"corrected: {integral * (2 * np.pi) ** (-d / 2) * det ** (-1 / 2):.4f}")
print(f"printed:   {integral * (2 * np.pi) ** (-1 / 2) * det ** (-d / 2):.4f}")

# %% [markdown]
# The corrected formula integrates to one, the printed one does not.

# %%
assert np.isclose(integral, (2 * np.pi) ** (d / 2) * det ** (1 / 2))

# %% [markdown]
# The logarithm turns products into sums:
#
# ```{math}
# :label: eq-normal-log
# \log p_\theta(y) = -\tfrac d2 \log 2\pi \; - \; \tfrac12 \log |\Sigma| \; - \;
# \tfrac12 (y - \mu)\T \Sigma^{-1} (y - \mu) .
# ```
#
# The first term depends on no parameter. The mean appears in the third term only. The covariance
# appears in the second and in the third. From here on, $r = y - \mu$ is the *residual*, and
# $P = \Sigma^{-1}$ is the *precision*.

# %%
mu, Sigma, P = gaussian.mean_, gaussian.covariance_, gaussian.precision_
assert np.allclose(gaussian.score_samples(Y), multivariate_normal(mu, Sigma).logpdf(Y))

# %% [markdown]
# ## Derivation 2: the score of the mean
#
# Derivatives in vectors and matrices need no tables. Move the parameter by a small step $t$ along
# some direction, expand, and keep what is linear in $t$.
#
# Move the mean to $\mu + t v$. The residual becomes $r - t v$. Multiply out; the two mixed terms
# are equal, because $P$ is symmetric:
#
# $$
# (r - t v)\T P (r - t v) = r\T P r - 2 t \, v\T P r + t^2 \, v\T P v .
# $$
#
# This form stands in {eq}`eq-normal-log` with the factor $-\frac12$. So the log-density changes by
# $t \, v\T P r$, up to a term in $t^2$, and its rate along $v$ is $v\T P r$. The gradient is the
# vector whose inner product with *every* direction $v$ is this rate. Hence
#
# ```{math}
# :label: eq-score-of-the-mean
# \phi_\mu(y) = \nabla_\mu \log p_\theta(y) = P r = \Sigma^{-1} (y - \mu) .
# ```
#
# A central difference of SciPy's log-density agrees.

# %%
place, step = np.array([2.0, -2.5]), 1e-5


def slope(v, V):
    """Rate of the log-density when the mean moves along v and the covariance along V."""
    ahead, back = (
        multivariate_normal(mu + t * np.array(v), Sigma + t * np.array(V)).logpdf(place)
        for t in (step, -step)
    )
    return (ahead - back) / (2 * step)


still = np.zeros((2, 2))
vector = gaussian.fisher_vector([place])[0]
phi_mu, phi_Sigma = vector[:d], vector[d:].reshape(d, d)
numerical = np.array([slope(v, still) for v in np.eye(d)])
assert np.allclose(numerical, phi_mu, atol=1e-4)

# %% [markdown]
# ## Derivation 3: the score of the covariance
#
# Now move the covariance to $\Sigma + t V$, for any symmetric $V$. Two terms of
# {eq}`eq-normal-log` change.
#
# *The determinant.* Write $\Sigma + t V = \Sigma (I + t P V)$. Determinants multiply, so
# $|\Sigma + t V| = |\Sigma| \, |I + t P V|$. The second factor is the product of
# $1 + t \lambda_k$ over the eigenvalues $\lambda_k$ of $P V$, because a determinant is the product
# of the eigenvalues. Its logarithm is $\sum_k \log (1 + t \lambda_k) = t \sum_k \lambda_k + O(t^2)$,
# because $\log(1 + x) = x + O(x^2)$. The sum of the eigenvalues is the trace. Hence
#
# ```{math}
# :label: eq-derivative-of-log-det
# \log |\Sigma + t V| = \log |\Sigma| + t \operatorname{tr}(P V) + O(t^2) .
# ```
#
# *The inverse.* Try $P - t P V P$, and multiply it by what it should invert:
#
# $$
# (\Sigma + t V) (P - t P V P) = I - t \, V P + t \, V P - t^2 \, V P V P = I - t^2 \, V P V P ,
# $$
#
# because $\Sigma P = I$. The terms in $t$ cancel, so to first order this is the inverse:
#
# ```{math}
# :label: eq-derivative-of-inverse
# (\Sigma + t V)^{-1} = P - t \, P V P + O(t^2) .
# ```
#
# What both expansions neglect must shrink with the *square* of the step. So, divided by $t^2$, it
# should stay about the same:

# %%
V = np.array([[1.0, 0.5], [0.5, -0.7]])
neglected = []
for t in (1e-1, 1e-2, 1e-3):
    moved = Sigma + t * V
    in_log_det = np.log(np.linalg.det(moved) / np.linalg.det(Sigma)) - t * np.trace(P @ V)
    in_inverse = np.linalg.norm(np.linalg.inv(moved) - (P - t * P @ V @ P))
    neglected.append((in_log_det / t**2, in_inverse / t**2))
    print("t = {:g}: log-determinant {:.2f}, inverse {:.2f}".format(t, *neglected[-1]))

# %% [markdown]
# The quotients stay about the same.

# %%
first, _, last = np.abs(neglected)
assert np.all(first / last < 1.5)

# %% [markdown]
# Now collect. By {eq}`eq-derivative-of-inverse` the quadratic form changes at the rate
# $-r\T P V P r$. This is $-\phi_\mu\T V \phi_\mu$, because $\phi_\mu = P r$ by
# {eq}`eq-score-of-the-mean`. A number is its own trace, and $\operatorname{tr}(A B) =
# \operatorname{tr}(B A)$, so $\phi_\mu\T V \phi_\mu = \operatorname{tr}(\phi_\mu \phi_\mu\T V)$. By
# {eq}`eq-derivative-of-log-det` the log-determinant changes at the rate $\operatorname{tr}(P V)$.
# Insert both into {eq}`eq-normal-log`, each with its factor $-\frac12$:
#
# $$
# -\tfrac12 \operatorname{tr}(P V) + \tfrac12 \operatorname{tr}(\phi_\mu \phi_\mu\T V)
# = \operatorname{tr}\Big( \tfrac12 \big( \phi_\mu \phi_\mu\T - P \big) \, V \Big) .
# $$
#
# For symmetric matrices $\operatorname{tr}(G V)$ is the inner product of $G$ and $V$, entry by
# entry. So the gradient is the matrix in front of $V$:
#
# ```{math}
# :label: eq-score-of-the-covariance
# \phi_\Sigma(y) = \nabla_\Sigma \log p_\theta(y)
# = \tfrac12 \left( \phi_\mu(y) \, \phi_\mu(y)\T - \Sigma^{-1} \right) .
# ```
#
# On the line, with $\Sigma = \sigma^2$ and $\phi_\mu = r / \sigma^2$, this is
# $\frac12 (\phi_\mu^2 - 1 / \sigma^2)$: the parabola of {numref}`fig-fisher-vectors`. It is zero
# where $\phi_\mu^2 = 1 / \sigma^2$, that is, where $|r| = \sigma$.
#
# ## Derivation 4: does the factor depend on a convention?
#
# The paper's Fisher vector, P(1), is the pair $(\phi_\mu, \operatorname{vec} \phi_\Sigma)$ without
# the $\frac12$. (P(1) is the paper's equation of that number.) There are two conventions for the
# derivative in a symmetric matrix. One treats all $d^2$ entries as *free*. Then the entries
# $(i, j)$ and $(j, i)$ each get half of a symmetric move. The other says that a covariance
# $\sigma_{ij}$ is *one* parameter that stands in both places. Then a step moves both. We compute
# all three derivatives both ways, at the output $(2, -2.5)$:

# %% mystnb={"figure": {"caption": "Derivatives of the log-likelihood by the entries of the covariance (rows): by finite differences, with free or shared entries, and by the formula with and without its factor of one half."}}
rows = {}
for i, j in [(0, 0), (0, 1), (1, 1)]:
    free, shared = np.zeros((2, 2)), np.zeros((2, 2))
    for entry in [(i, j), (j, i)]:
        free[entry] += 0.5
        shared[entry] = 1.0
    derivatives = slope([0, 0], free), slope([0, 0], shared)
    rows[f"({i + 1}, {j + 1})"] = *derivatives, phi_Sigma[i, j], 2 * phi_Sigma[i, j]
columns = ["numerical, free", "numerical, shared", "with the factor", "printed formula"]
conventions = pd.DataFrame.from_dict(rows, orient="index", columns=columns)
conventions.round(4)

# %% [markdown]
# Equation {eq}`eq-score-of-the-covariance`, with its factor, is the derivative in free entries, on
# and off the diagonal. The printed form is right off the diagonal in the second convention. On the
# diagonal it is twice too large in both. No convention makes it right throughout. The package
# computes the free version, and its tests repeat this check for every entry, sample and form of
# covariance.

# %%
free, shared, with_factor, as_printed = conventions.to_numpy().T
assert np.allclose(free, with_factor, atol=1e-3)
assert np.allclose(shared, as_printed * [0.5, 1, 0.5], atol=1e-3)
assert np.allclose(free, as_printed / 2, atol=1e-3)

# %% [markdown]
# ## Derivation 5: how many of the numbers are new
#
# In {eq}`eq-score-of-the-covariance`, $\phi_\Sigma$ is a function of $\phi_\mu$ and nothing else,
# and $\phi_\mu$ determines $y$. So all scores lie on a surface of dimension $d$, bent through a
# space of dimension $d + d^2$. Two ranks measure this. The rank of the Jacobian of
# $y \mapsto \phi(y)$ is the dimension of the surface. The rank of a matrix of many centred scores
# is the dimension of the flat space that the surface needs.

# %%
scores = gaussian.fisher_vector(Y)
jacobian = approx_fprime(place, lambda y: gaussian.fisher_vector([y])[0])
surface = np.linalg.matrix_rank(jacobian, tol=1e-4)
flat = np.linalg.matrix_rank(scores - scores.mean(axis=0))
print(f"coordinates {scores.shape[1]}, surface {surface}, flat space {flat}")

# %% [markdown]
# The surface has dimension $d = 2$. It needs five of the six coordinates, because $\phi_\Sigma$ is
# symmetric: $d + d (d + 1) / 2 = 5$.

# %%
outer = scores[:, :d, None] * scores[:, None, :d]
assert np.allclose(scores[:, d:], (0.5 * (outer - P)).reshape(-1, d * d))
assert (scores.shape[1], surface, flat) == (d + d**2, d, d + d * (d + 1) // 2)

# %% [markdown]
# For the regression this has two sides. The additional coordinates show a linear learner the
# squares and products of the outputs, at no cost. But a *predicted* score need not lie on the
# surface. The average of two points of a parabola lies above it, and averages are what a regression
# produces. Which output belongs to a point off the surface? This is the pre-image problem
# ({doc}`04_pre_images`), and the reason why the paper looks for a matrix $M$ that flattens the
# surface.
#
# ## Derivation 6: the mean score
#
# Average over the training outputs, with mean $\bar y$ and covariance
# $S = \frac1n \sum_i (y_i - \mu)(y_i - \mu)\T$ around $\mu$. By {eq}`eq-score-of-the-mean` the
# first block is linear in $y$, so its average is $P (\bar y - \mu)$. For the second block, average
# $\phi_\mu \phi_\mu\T = P r r\T P$, which gives $P S P$. Write $P = P \Sigma P$, because
# $\Sigma P = I$, and take $P$ out on both sides:
#
# ```{math}
# :label: eq-mean-score
# \begin{aligned}
# \tfrac1n \textstyle\sum_i \phi_\mu(y_i) &= P (\bar y - \mu) , \\
# \tfrac1n \textstyle\sum_i \phi_\Sigma(y_i) &= \tfrac12 \, P \, (S - \Sigma) \, P .
# \end{aligned}
# ```
#
# Both are zero at the maximum of the likelihood, which gives the estimates without further work:
# $\hat\mu = \bar y$ and $\hat\Sigma = S$. The identity holds for any $\mu$ and $\Sigma$, and says
# more when the model is too simple. An isotropic fit has only one variance to choose. It makes the
# *trace* of the second block vanish. The rest of the block stays, and says which change of the
# covariance would raise the likelihood:

# %%
isotropic = GaussianEmbedding(reg_covar=0).fit(Y)
request = isotropic.fisher_vector(Y).mean(axis=0)[d:].reshape(d, d)
print(request.round(3))

# %% [markdown]
# The outputs ask the spherical model for more variance in $y_1$, for less in $y_2$, and for a
# correlation that it does not have. ({cite:t}`rao1948`'s score test tests a model by the score of a
# larger one.)

# %%
S = np.cov(Y.T, bias=True)
for model, own_P in [(gaussian, P), (isotropic, isotropic.precision_ * np.eye(d))]:
    mean_score = model.fisher_vector(Y).mean(axis=0)
    by_formula = 0.5 * own_P @ (S - np.linalg.inv(own_P)) @ own_P
    assert np.allclose(mean_score[:d], 0)
    assert np.allclose(mean_score[d:], by_formula.ravel())
assert np.isclose(np.trace(request), 0)
assert request[0, 0] > 0.05
assert request[0, 1] > 0.05

# %% [markdown]
# ## Derivation 7: the Fisher information
#
# How do the coordinates of a score vary when outputs are drawn from the model itself? Their mean is
# zero by {eq}`eq-mean-score`, because then $\bar y$ is $\mu$ and $S$ is $\Sigma$ in expectation.
# Their covariance is the *Fisher information*. Write $u = \phi_\mu = P r$.
#
# *Mean with mean.* $u$ is linear in $r$, whose covariance is $\Sigma$. So its covariance is
# $P \Sigma P = P$.
#
# *Mean with covariance.* The product of $u_k$ with $\phi_{\Sigma, ij} = \frac12 (u_i u_j - P_{ij})$
# is odd in $r$, and $r$ and $-r$ are equally likely. So its mean is zero.
#
# *Covariance with covariance.* $\operatorname{E}[u_i u_j] = P_{ij}$ by the first step. So the
# covariance of $\phi_{\Sigma, ij}$ and $\phi_{\Sigma, kl}$ is
# $\frac14 \left( \operatorname{E}[u_i u_j u_k u_l] - P_{ij} P_{kl} \right)$. The fourth moment of a
# Gaussian is the sum over the three ways to pair four indices {cite:p}`isserlis1918`:
#
# $$
# \operatorname{E}[u_i u_j u_k u_l] = P_{ij} P_{kl} + P_{ik} P_{jl} + P_{il} P_{jk} .
# $$
#
# Insert it; the first product cancels. Altogether
#
# ```{math}
# :label: eq-gaussian-information
# \begin{aligned}
# \operatorname{Cov}[\phi_\mu, \phi_\mu] &= P , \qquad \operatorname{Cov}[\phi_\mu, \phi_\Sigma] = 0 , \\
# \operatorname{Cov}[\phi_{\Sigma, ij}, \phi_{\Sigma, kl}] &= \tfrac14 \left( P_{ik} P_{jl} + P_{il} P_{jk} \right) .
# \end{aligned}
# ```
#
# Outputs drawn from the fitted Gaussian confirm it: all 36 entries lie within four standard errors
# of the simulation.

# %%
draws = gaussian.fisher_vector(rng.multivariate_normal(mu, Sigma, size=n_draws, method="cholesky"))
fourth = np.einsum("ik,jl->ijkl", P, P) + np.einsum("il,jk->ijkl", P, P)
information = block_diag(P, 0.25 * fourth.reshape(d * d, d * d))
products = draws[:, :, None] * draws[:, None, :]
simulated, error = products.mean(axis=0), products.std(axis=0) / np.sqrt(n_draws)
assert information.size == 36
assert np.abs((simulated - information) / error).max() < 4

# %% [markdown]
# The information on the mean is the precision. So the *natural gradient* {cite:p}`amari1998` of the
# mean, the inverse of the information times the score, is $P^{-1} \phi_\mu = y - \mu$, the plain
# residual. This is the *natural scaling* of {doc}`02_output_fisher_embedding_regression` in its
# simplest form. The information also shows the units: $P$ is in 1/m² for outputs in metres, and
# the last line in 1/m⁴. {ref}`ex-unit-of-the-blocks` looks for the unit in which both blocks matter
# equally.
#
# ## Derivation 8: isotropic and diagonal covariances
#
# Simpler covariances need no new derivation. Moving the variance $s$ of $\Sigma = s I$ moves
# $\Sigma$ along $V = I$. Moving the $i$-th of $d$ variances moves $\Sigma$ along the matrix with a
# single one, at place $i$ of the diagonal. The rate along $V$ is $\operatorname{tr}(\phi_\Sigma V)$
# by Derivation 3. Insert these two $V$, and {eq}`eq-score-of-the-covariance`:
#
# ```{math}
# :label: eq-score-of-variances
# \begin{aligned}
# \frac{\partial \log p_\theta}{\partial s} &= \operatorname{tr} \phi_\Sigma
# = \tfrac12 \left( \| \phi_\mu \|^2 - d / s \right) , \\
# \frac{\partial \log p_\theta}{\partial \sigma_i^2} &= \phi_{\Sigma, ii}
# = \tfrac12 \left( \phi_{\mu, i}^2 - 1 / \sigma_i^2 \right) .
# \end{aligned}
# ```
#
# The scores of the simpler models are *contractions* of the full one, taken at their own $\Sigma$:
# a trace or a diagonal. The first line also gives the zero level of the bowl. There
# $\| \phi_\mu \|^2 = d / s$; insert $\phi_\mu = r / s$, and the distance $\| r \|$ is
# $\sqrt{d s} = \sqrt d \, \sigma$.

# %%
models = {kind: GaussianEmbedding(covariance_type=kind, reg_covar=0).fit(Y) for kind in kinds}


def log_density(variances):
    return multivariate_normal(mu, np.diag(variances * np.ones(d))).logpdf(place)


for kind, contract in {"spherical": np.trace, "diag": np.diag}.items():
    block = models[kind].fisher_vector([place])[0, d:].reshape(d, d)
    numerical = approx_fprime(np.atleast_1d(models[kind].covariance_), log_density)
    assert np.allclose(numerical, contract(block), atol=1e-4)

# %% mystnb={"figure": {"name": "fig-gaussian-types", "caption": "One sample under three Gaussians (ellipses of two standard deviations). Arrows: the score of the mean at 16 outputs around the data, which are equally far out for the full model."}, "image": {"alt": "Three panels with the same slanted cloud of points. A circle with arrows that point away from its centre; an upright ellipse; a slanted ellipse that fits the cloud, with arrows at right angles to its outline, long on the flat sides and short at the tips."}}
turn = np.linspace(0, 2 * np.pi, 16, endpoint=False)
circle = 2 * np.column_stack([np.cos(turn), np.sin(turn)])
_ = plot_covariance_types(models, Y, mu + circle @ np.linalg.cholesky(Sigma).T)

# %% [markdown]
# The isotropic score points straight away from the mean, whatever the data look like. It is the
# residual in another unit. The full score stands at right angles to the ellipse. It is largest
# where the model is most surprised, across the thin side of the cloud.
#
# ## Derivation 9: why the Gaussian cancels
#
# The paper drops $\phi_\Sigma$, because it contains nothing that $\phi_\mu$ does not: $M = (I_d \;
# 0)$ times the score is $\phi_\mu$ (P(5)). Solve {eq}`eq-score-of-the-mean` for $y$ to decode
# (P(7)):
#
# ```{math}
# :label: eq-gaussian-reduced
# \phi^M(y) = \Sigma^{-1} (y - \mu) , \qquad y^\star = \Sigma \, h + \mu .
# ```
#
# The surface has become flat. The embedding is an *affine* map of the outputs with an affine
# inverse, so any $h \in \R^d$ is the embedding of exactly one output.

# %%
M = np.hstack([np.eye(d), np.zeros((d, d * d))])
H = gaussian.transform(Y)
assert np.allclose(scores @ M.T, H)
between = gaussian.transform((Y[:1] + 2 * Y[1:2]) / 3)
assert np.allclose(between, (H[:1] + 2 * H[1:2]) / 3)
assert np.allclose(gaussian.inverse_transform(H), Y)

# %% [markdown]
# This has a price. Kernel ridge regression with a given ridge parameter predicts a weighted sum of
# the training targets, $h(x) = \sum_i a_i(x) \, \phi^M(y_i)$. The weights $a_i(x)$ depend on the
# inputs only ({doc}`05_learning`). With an intercept they sum to one, because the regression then
# reproduces constant targets. Insert {eq}`eq-gaussian-reduced`, and use $\sum_i a_i = 1$:
#
# $$
# h = \sum_i a_i \, \Sigma^{-1} (y_i - \mu) = \Sigma^{-1} \Big( \sum_i a_i y_i - \mu \Big) .
# $$
#
# Decode, because $\Sigma \Sigma^{-1} = I$:
#
# $$
# y^\star = \Sigma \, h + \mu = \sum_i a_i y_i - \mu + \mu = \sum_i a_i y_i .
# $$
#
# This is the prediction of kernel ridge regression on the outputs, with the same weights. It is the
# case of one component of {prf:ref}`thm-model-cancels`. The first table of the chapter shows it in
# numbers.

# %%
constant = KernelRidgeCV([plain.alpha_], **kernel).fit(X[:100], np.ones(100))
assert np.allclose(constant.predict(X[100:]), 1)

# %% [markdown]
# ## What this changes for you
#
# An isotropic Gaussian adds nothing to kernel ridge regression with an intercept. A full one adds
# only another metric, in which the ridge parameter is chosen. Use them to understand scores, not to
# predict. And standardise outputs before you put blocks with different units into one loss. A
# single Gaussian is a building block: {doc}`the mixture <03_2_gaussian_mixture>` is made of several.
#
# ## Exercises
#
# ```{exercise} Quick
# :label: ex-information-isotropic
#
# What is the Fisher information on the single variance $s$ of an isotropic Gaussian in $d$
# dimensions? Derive it from {eq}`eq-gaussian-information`.
# ```
#
# ```{solution} ex-information-isotropic
# :class: dropdown
#
# The score is $\sum_i \phi_{\Sigma, ii}$. With $P = I / s$ the covariance of $\phi_{\Sigma, ii}$
# and $\phi_{\Sigma, kk}$ is $\frac14 \cdot 2 P_{ik}^2$, which is $1 / (2 s^2)$ for $i = k$ and zero
# otherwise. So the information is $d / (2 s^2)$: the coordinates are $d$ independent witnesses.
# ```
#
# ```{exercise} Quick
# :label: ex-unit-of-the-blocks
#
# Outputs are multiplied by $c$ and the isotropic Gaussian is fitted again. How do the two blocks
# change? For which variance $s$ do they have the same mean squared norm, so that they weigh the
# same in the loss of the full embedding?
# ```
#
# ```{solution} ex-unit-of-the-blocks
# :class: dropdown
#
# $\phi_\mu$ is divided by $c$ and $\phi_\Sigma$ by $c^2$. From {eq}`eq-gaussian-information` the
# mean squared norms are $\operatorname{tr} P = d / s$ and $\frac14 \left( (\operatorname{tr} P)^2 +
# \operatorname{tr} P^2 \right) = (d^2 + d) / (4 s^2)$. They are equal for $s = (d + 1) / 4$. For
# larger outputs the mean block dominates, for smaller ones the covariance block. In ten dimensions
# and at the unit variance that standardising gives, the covariance block weighs $11/4$ times as
# much as the mean block. Without the factor $\frac12$ it would be eleven times.
# ```

# %% tags=["hide-input"]
s = plane.covariance_
traces = plane.fisher_vector(rng.normal(plane.mean_, np.sqrt(s), size=(n_draws, 2)))[:, [2, 5]]
assert np.isclose(traces.sum(axis=1).var(), 2 / (2 * s**2), rtol=0.03)
Z = rng.normal(scale=np.sqrt(3 / 4), size=(n_draws, 2))  # s = (d + 1) / 4
vectors = GaussianEmbedding(reg_covar=0).fit(Z).fisher_vector(Z)
norms = [(vectors[:, part] ** 2).sum(axis=1).mean() for part in (slice(0, 2), slice(2, 6))]
assert np.allclose(norms, 8 / 3, rtol=0.03)

# %% [markdown]
# ```{exercise} Code
# :label: ex-off-the-surface
#
# Average the Fisher vectors of two outputs. By how much does the covariance block of the average
# differ from the one that belongs to its mean block? Find a formula and check it.
# ```
#
# ```{solution-start} ex-off-the-surface
# :class: dropdown
# ```

# %%
first, second = gaussian.fisher_vector(Y[:2])
average = (first + second) / 2
belongs = 0.5 * (np.outer(average[:d], average[:d]) - P)
gap = average[d:].reshape(d, d) - belongs
difference = first[:d] - second[:d]

# %% [markdown]
# With $a$ and $b$ for the two mean blocks, the average of the covariance blocks minus the block
# that belongs to $(a + b) / 2$ is
#
# $$
# \tfrac14 (a a\T + b b\T) - \tfrac18 (a + b)(a + b)\T = \tfrac18 (a - b)(a - b)\T .
# $$
#
# It is positive semi-definite. So averages lie inside the bowl, and the farther apart the two
# outputs are, the farther inside.

# %%
assert np.allclose(gap, np.outer(difference, difference) / 8)

# %% [markdown]
# ```{solution-end}
# ```
#
# ```{exercise} Open
# :label: ex-other-family
#
# Which of this chapter's findings would survive another family, such as Poisson counts? Which
# outputs of yours would suit it?
# ```
#
# ```{solution} ex-other-family
# :class: dropdown
#
# In an exponential family with its natural parameters, the score is a sufficient statistic minus
# its mean, so it is affine in that statistic. Ask which statistic your decoder inverts, and whether
# the model then cancels as it does here.
# ```
