# ---
# jupyter:
#   kernelspec:
#     display_name: Python 3
#     name: python3
# ---

# %% [markdown]
# # One Gaussian
#
# *Section 3.1 of {cite:t}`djerrab2018`*
#
# One Gaussian is the simplest model an output can have, and every other output model of this book
# is built from it. Section 3.1 of {cite:t}`djerrab2018` gives its Fisher feature map in one
# equation and one figure. {doc}`Section 2 <02_output_fisher_embedding_regression>` has used it
# already. Here we derive it line by line, in any dimension, and ask about the result: how many of
# the numbers in a Fisher vector are new, how its coordinates vary together, and what changes when
# the Gaussian is isotropic.
#
# No step needs more than the product of two matrices and a first-order expansion. After each of
# them a cell checks that it is true.

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
from reproduction.papers.ofer.figures.fisher_vectors import (
    plot_covariance_types,
    plot_fisher_vectors,
)

# %% [markdown]
# ## The density and its logarithm
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
# In the paper the two exponents in front have changed places: it prints
# $(2\pi)^{-1/2} |\Sigma|^{-d/2}$. For $d = 1$ that is the same. For the Gaussian on the right of
# the paper's Figure 2, $\mathcal N(0, 5 I)$ in the plane, a sum over a fine grid tells which of
# the two is a density:

# %%
axis = np.linspace(-20, 20, 401)
r = np.stack(np.meshgrid(axis, axis), axis=-1)
Sigma, d = 5 * np.eye(2), 2
unscaled = np.exp(-0.5 * np.einsum("xyi,ij,xyj->xy", r, np.linalg.inv(Sigma), r))
integral = unscaled.sum() * (axis[1] - axis[0]) ** 2
det = np.linalg.det(Sigma)
print(f"corrected: {integral * (2 * np.pi) ** (-d / 2) * det ** (-1 / 2):.4f}")
print(f"printed:   {integral * (2 * np.pi) ** (-1 / 2) * det ** (-d / 2):.4f}")

# %% [markdown]
# The logarithm turns products into sums:
#
# ```{math}
# :label: eq-normal-log
# \log p_\theta(y) = -\tfrac d2 \log 2\pi \; - \; \tfrac12 \log |\Sigma| \; - \;
# \tfrac12 (y - \mu)\T \Sigma^{-1} (y - \mu) .
# ```
#
# Three terms, then. The first depends on no parameter. The mean appears in the third term only,
# the covariance in the second and the third. For the rest of the chapter $r = y - \mu$ is the
# residual and $P = \Sigma^{-1}$ the *precision*.
#
# The running example is a Gaussian in the plane whose two coordinates are correlated. It is
# fitted by maximum likelihood; `reg_covar=0` leaves out the small ridge that usually keeps
# variances off zero, so that all that follows is exact.

# %%
rng = np.random.default_rng(seed)
Y = rng.multivariate_normal([1, -1], [[4.0, 1.8], [1.8, 1.2]], size=300)
gaussian = GaussianEmbedding(covariance_type="full", reg_covar=0).fit(Y)
mu, Sigma, P = gaussian.mean_, gaussian.covariance_, gaussian.precision_
by_scipy = multivariate_normal(mu, Sigma).logpdf(Y)
print("same log-density as SciPy's:", np.allclose(gaussian.score_samples(Y), by_scipy))

# %% [markdown]
# ## The derivative in the mean
#
# There is a way to take derivatives in vectors and matrices that needs no tables: move the
# parameter a little way $t$ along some direction, expand, and keep what is linear in $t$. For
# $\mu + t v$ the residual is $r - t v$, and as $P$ is symmetric
#
# $$
# (r - t v)\T P (r - t v) = r\T P r - 2 t \, v\T P r + t^2 \, v\T P v .
# $$
#
# Times $-\frac12$, as in {eq}`eq-normal-log`, the linear term is $t \, v\T P r$. The gradient is
# the vector whose inner product with *every* direction $v$ is this rate, hence
#
# ```{math}
# :label: eq-score-of-the-mean
# \phi_\mu(y) = \nabla_\mu \log p_\theta(y) = P r = \Sigma^{-1} (y - \mu) .
# ```
#
# A central difference of SciPy's log-density, which knows nothing of this, agrees:

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
print("numerical:", numerical.round(4), " phi_mu:", phi_mu.round(4))
assert np.allclose(numerical, phi_mu, atol=1e-4)

# %% [markdown]
# ## The derivative in the covariance
#
# The same trick with $\Sigma + t V$, for any symmetric $V$. Two terms depend on it.
#
# *The determinant.* Determinants multiply, so $|\Sigma + t V| = |\Sigma| \, |I + t P V|$. The
# second factor is the product of $1 + t \lambda_k$ over the eigenvalues $\lambda_k$ of $P V$. To
# first order, this product is one plus $t$ times their sum, and the sum of the eigenvalues is the
# trace:
#
# ```{math}
# :label: eq-derivative-of-log-det
# \log |\Sigma + t V| = \log |\Sigma| + t \operatorname{tr}(P V) + O(t^2) .
# ```
#
# *The inverse.* Multiply $\Sigma + t V$ by $P - t P V P$. The terms in $t$ cancel and
# $I - t^2 \, V P V P$ remains; so to first order we have found the inverse:
#
# ```{math}
# :label: eq-derivative-of-inverse
# (\Sigma + t V)^{-1} = P - t \, P V P + O(t^2) .
# ```
#
# Both can be seen to hold: what is neglected must shrink with the *square* of the step.

# %%
V = np.array([[1.0, 0.5], [0.5, -0.7]])
for t in (1e-1, 1e-2, 1e-3):
    moved = Sigma + t * V
    in_log_det = np.log(np.linalg.det(moved) / np.linalg.det(Sigma)) - t * np.trace(P @ V)
    in_inverse = np.linalg.norm(np.linalg.inv(moved) - (P - t * P @ V @ P))
    print(f"t = {t:g}: neglected, over t^2: {in_log_det / t**2:.2f} and {in_inverse / t**2:.2f}")

# %% [markdown]
# Now collect. The quadratic form changes by $-t \, r\T P V P r = -t \, \phi_\mu\T V \phi_\mu$, and
# a quadratic form is a trace, $\phi_\mu\T V \phi_\mu = \operatorname{tr}(\phi_\mu \phi_\mu\T V)$.
# With the two factors $-\frac12$ of {eq}`eq-normal-log`, the rate of the log-density along $V$ is
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
# P(1) is the pair $(\phi_\mu, \operatorname{vec} \phi_\Sigma)$, but without the $\frac12$. Is
# that a matter of convention? There are indeed two conventions. One may treat all $d^2$ entries
# of $\Sigma$ as free; then the entries $(i, j)$ and $(j, i)$ each get half of a symmetric move.
# Or one may say that a covariance $\sigma_{ij}$ is *one* parameter that sits in both places; then
# a step moves both. We compute all three entries both ways:

# %% mystnb={"figure": {"caption": "Derivatives of the log-likelihood by the entries of the covariance (rows): by finite differences, with entries free or tied in pairs, and by the formula with and without its factor of one half."}}
rows = {}
for i, j in [(0, 0), (0, 1), (1, 1)]:
    free, shared = np.zeros((2, 2)), np.zeros((2, 2))
    for entry in [(i, j), (j, i)]:
        free[entry] += 0.5
        shared[entry] = 1.0
    derivatives = slope([0, 0], free), slope([0, 0], shared)
    rows[f"({i + 1}, {j + 1})"] = *derivatives, phi_Sigma[i, j], 2 * phi_Sigma[i, j]
columns = ["numerical, free", "numerical, shared", "with the factor", "as printed"]
pd.DataFrame.from_dict(rows, orient="index", columns=columns).round(4)

# %% [markdown]
# Equation {eq}`eq-score-of-the-covariance`, with its factor, is the derivative in free entries, on
# and off the diagonal. The printed form is right off the diagonal in the second convention, and
# twice too large on the diagonal in both; there is no convention in which it is right throughout.
# The {doc}`errata <90_errata>` list this and the density. In the squared loss of the method a
# doubled block counts four times.
#
# The package computes the free version. `tests/ofer/embeddings/test_gaussian.py` repeats the check
# for every entry, sample and covariance type.

# %% [markdown]
# ## Figure 2 of the paper
#
# "Geometric intuition" is what the paper's Figure 2 offers: 500 samples of $\mathcal N(0, 0.5)$
# and of $\mathcal N(0, 5 I)$ in the plane, and their Fisher vectors. We take 0.5 to be the
# variance, as 5 is in the plane, and draw the figure anew. In the plane a Fisher vector has $2 +
# 4$ coordinates; of the last four we show the trace, which is the score of the variance of an
# isotropic Gaussian (see below).

# %%
y = rng.normal(0, np.sqrt(0.5), size=(n_samples, 1))
Y5 = rng.normal(0, np.sqrt(5), size=(n_samples, 2))
line = GaussianEmbedding(reg_covar=0).fit(y)
plane = GaussianEmbedding(reg_covar=0).fit(Y5)

# %% mystnb={"figure": {"name": "fig-fisher-vectors", "caption": "The paper's Figure 2, from a run. Upper left, samples of a Gaussian on the line. Upper right, their Fisher vectors, one mark per sample. Below, the same for samples in the plane. Triangles (hatched bars): samples within one standard deviation of the mean; circles: the others."}, "image": {"alt": "Three panels. A bell-shaped histogram with a hatched middle. A parabola whose lower part, below zero, is made of triangles and whose arms are circles. A bowl in three dimensions with triangles at its bottom."}}
_ = plot_fisher_vectors(line, y, plane, Y5)

# %% [markdown]
# The samples fill the line, but their Fisher vectors do not fill the plane: they lie on a curve.
# With $\phi_\mu = r / \sigma^2$, {eq}`eq-score-of-the-covariance` reads
# $\phi_\Sigma = \frac12 (\phi_\mu^2 - 1 / \sigma^2)$, a parabola. It crosses zero where
# $|r| = \sigma$. So the marks are not decoration: on the line, triangles are exactly the outputs
# that ask for a smaller variance.

# %%
inside = np.abs(y - line.mean_) <= np.sqrt(line.covariance_)
print("triangles ask for less:", bool((inside == (line.fisher_vector(y)[:, 1:] <= 0)).all()))
distance = np.linalg.norm(Y5 - plane.mean_, axis=1) / np.sqrt(plane.covariance_)
print(f"triangles: {inside.mean():.0%} on the line, {(distance <= 1).mean():.0%} in the plane")
expected = chi2.cdf(1, df=[1, 2, 10])
print("expected in 1, 2 and 10 dimensions:", [f"{share:.2%}" for share in expected])

# %% [markdown]
# In the plane the bowl is a paraboloid, and its zero level lies at the distance $\sqrt 2 \,
# \sigma$, as two coordinates share the variance. The last number is a warning not to carry the
# picture too far: in ten dimensions practically no output is "central". They all sit on a shell at
# a distance of about $\sqrt{10} \, \sigma$, near the zero level of the bowl.
#
# ### How many of the numbers are new
#
# The paper remarks that $\phi_\Sigma$ can be derived from $\phi_\mu$. In
# {eq}`eq-score-of-the-covariance` it is a function of $\phi_\mu$ and nothing else, and $\phi_\mu$
# determines $y$. So all scores lie on a surface of dimension $d$, bent through a space of dimension
# $d + d^2$. The rank of the Jacobian of $y \mapsto \phi(y)$ is the dimension of the surface; the
# rank of a matrix of many scores, centred, is the dimension of the flat space that it needs:

# %%
scores = gaussian.fisher_vector(Y)
outer = scores[:, :d, None] * scores[:, None, :d]
print("rebuilt from phi_mu:", np.allclose(scores[:, d:], (0.5 * (outer - P)).reshape(-1, d * d)))
jacobian = approx_fprime(place, lambda y: gaussian.fisher_vector([y])[0])
surface = np.linalg.matrix_rank(jacobian, tol=1e-4)
flat = np.linalg.matrix_rank(scores - scores.mean(axis=0))
print(f"coordinates {scores.shape[1]}, surface {surface}, flat space {flat}")

# %% [markdown]
# Five of six, because the matrix is symmetric: $d + d (d + 1) / 2$.
#
# For the regression this has two sides. The additional coordinates are free features: they show a
# linear learner the squares and products of the outputs. But a *predicted* score need not lie on
# the surface. The average of two points of a parabola lies above it, and averages are what
# regression produces. Which output belongs to a point off the surface? That is the pre-image
# problem, and the reason why the paper looks for a matrix $M$ that flattens the surface.
#
# ## The mean score
#
# Averaged over the training outputs, with $\bar y$ their mean and $S$ their covariance around
# $\mu$, the two blocks are
#
# ```{math}
# :label: eq-mean-score
# \begin{aligned}
# \tfrac1n \textstyle\sum_i \phi_\mu(y_i) &= P (\bar y - \mu) , \\
# \tfrac1n \textstyle\sum_i \phi_\Sigma(y_i) &= \tfrac12 \, P \, (S - \Sigma) \, P .
# \end{aligned}
# ```
#
# Setting both to zero gives the maximum likelihood estimates without further work: $\hat\mu =
# \bar y$ and $\hat\Sigma = S$. The identity holds for any $\mu$ and $\Sigma$, and says more when
# the model is too simple. An isotropic fit makes the *trace* of the second block vanish, as it
# has only one variance to choose. The rest of the block stays, as a request:

# %%
isotropic = GaussianEmbedding(reg_covar=0).fit(Y)
S = np.cov(Y.T, bias=True)
for model, own_P in [(gaussian, P), (isotropic, isotropic.precision_ * np.eye(d))]:
    mean_score = model.fisher_vector(Y).mean(axis=0)
    by_formula = 0.5 * own_P @ (S - np.linalg.inv(own_P)) @ own_P
    print(f"{model.covariance_type:9} mean {mean_score[:d].round(3) + 0.0}", end=", ")
    print(f"covariance {mean_score[d:].round(3) + 0.0}", end=", ")
    print("as by formula:", np.allclose(mean_score[d:], by_formula.ravel()))

# %% [markdown]
# The spherical model is asked for more variance in $y_1$, less in $y_2$, and for a correlation that
# it does not have. (A test of a model by the score of a larger one is {cite:t}`rao1948`'s score
# test.)
#
# ## The Fisher information
#
# How do the coordinates of a score vary, when outputs are drawn from the model itself? Their mean
# is zero by {eq}`eq-mean-score`, where then $\bar y = \mu$ and $S = \Sigma$ in expectation. Their
# covariance is the *Fisher information*. For $\phi_\mu = P r$ it is $P \Sigma P = P$. The product
# of one coordinate of $\phi_\mu$ with two others is odd in $r$ and has the mean zero. For
# products of four coordinates one needs fourth moments of a Gaussian with covariance $P$, which
# are sums over the three ways to pair four indices {cite:p}`isserlis1918`:
#
# ```{math}
# :label: eq-gaussian-information
# \begin{aligned}
# \operatorname{Cov}[\phi_\mu, \phi_\mu] &= P , \qquad \operatorname{Cov}[\phi_\mu, \phi_\Sigma] = 0 , \\
# \operatorname{Cov}[\phi_{\Sigma, ij}, \phi_{\Sigma, kl}] &= \tfrac14 \left( P_{ik} P_{jl} + P_{il} P_{jk} \right) .
# \end{aligned}
# ```
#
# Outputs drawn from the fitted Gaussian confirm it. The differences are measured in standard
# errors of the simulation; the largest of the 36 differences should be around two or three.

# %%
draws = gaussian.fisher_vector(rng.multivariate_normal(mu, Sigma, size=n_draws))
fourth = np.einsum("ik,jl->ijkl", P, P) + np.einsum("il,jk->ijkl", P, P)
information = block_diag(P, 0.25 * fourth.reshape(d * d, d * d))
products = draws[:, :, None] * draws[:, None, :]
simulated, error = products.mean(axis=0), products.std(axis=0) / np.sqrt(n_draws)
print("simulated, first rows\n", simulated[:3].round(2) + 0.0)
print("closed form, first rows\n", information[:3].round(2) + 0.0)
print(f"largest difference: {np.abs((simulated - information) / error).max():.1f} standard errors")

# %% [markdown]
# Two things can be read off. The information on the mean is the precision, so the natural gradient
# {cite:p}`amari1998` of the mean, $P^{-1} \phi_\mu = y - \mu$, is the plain residual. This is the
# *natural scaling* of {doc}`02_output_fisher_embedding_regression` in its simplest form. And the
# blocks have different units: if outputs are measured in metres, $\phi_\mu$ is in 1/m and
# $\phi_\Sigma$ in 1/m². A squared loss that adds the two, as the full embedding's does, depends on
# the unit of the outputs. {ref}`ex-unit-of-the-blocks` looks for the unit in which the blocks
# matter equally.
#
# ## Isotropic, diagonal, full
#
# All Gaussians in the paper's experiments are isotropic, $\Sigma = s I$. Their scores need no new
# derivation: moving $s$ moves $\Sigma$ along $V = I$, moving the $i$-th of $d$ variances moves it
# along the matrix with a single one on the diagonal, and the rate along $V$ is
# $\operatorname{tr}(\phi_\Sigma V)$. Hence
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
# So the simpler models' scores are *contractions* of the full one, taken at their own $\Sigma$:

# %%
models = {
    kind: GaussianEmbedding(covariance_type=kind, reg_covar=0).fit(Y)
    for kind in ("spherical", "diag", "full")
}


def log_density(variances):
    return multivariate_normal(mu, np.diag(variances * np.ones(d))).logpdf(place)


for kind, contract in {"spherical": np.trace, "diag": np.diag}.items():
    block = models[kind].fisher_vector([place])[0, d:].reshape(d, d)
    own = np.atleast_1d(models[kind].covariance_)
    numerical = approx_fprime(own, log_density)
    print(f"{kind:9} numerical {numerical.round(4)}, contraction {contract(block).round(4)}")

# %% mystnb={"figure": {"name": "fig-gaussian-types", "caption": "One sample under three Gaussians (ellipses of two standard deviations). Arrows: the score of the mean at 16 outputs around the data, which are equally far out for the full model."}, "image": {"alt": "Three panels with the same slanted cloud of points. A circle with arrows that point away from its centre; an upright ellipse; a slanted ellipse that fits the cloud, with arrows at right angles to its outline, long on the flat sides and short at the tips."}}
turn = np.linspace(0, 2 * np.pi, 16, endpoint=False)
circle = 2 * np.column_stack([np.cos(turn), np.sin(turn)])
_ = plot_covariance_types(models, Y, mu + circle @ np.linalg.cholesky(Sigma).T)

# %% [markdown]
# The isotropic score points straight away from the mean, whatever the data look like: it is the
# residual in another unit. The full one stands at right angles to the ellipse, and is largest
# where the model is most surprised, across the thin side of the cloud.
#
# Is the full model the better one, then? Not with few outputs. It has $d (d + 1) / 2$ numbers to
# estimate for its covariance. We draw correlated outputs in ten dimensions and ask how likely
# *fresh* outputs are under the three fits:

# %% mystnb={"figure": {"caption": "Mean log-likelihood of fresh outputs in ten dimensions under three Gaussians (columns), fitted to 15 to 1000 outputs (rows). More is better."}}
mixing = rng.normal(size=(10, 10)) / np.sqrt(10) + np.eye(10)
fresh = rng.normal(size=(2000, 10)) @ mixing
rows = {}
for n in (15, 30, 100, 1000):
    train = rng.normal(size=(n, 10)) @ mixing
    rows[n] = [
        GaussianEmbedding(covariance_type=kind).fit(train).score_samples(fresh).mean()
        for kind in models
    ]
fits = pd.DataFrame.from_dict(rows, orient="index", columns=list(models)).rename_axis("outputs")
assert fits["spherical"][15] > fits["full"][15] + 5
assert np.all((fits["full"] > fits["spherical"])[[30, 100, 1000]])
fits.round(2)

# %% [markdown]
# With 15 outputs the isotropic Gaussian beats the full one by far; with 30 it has already lost. For
# very small samples the paper's choice is the safe one, at the cost of the correlations.
#
# ## The reduced embedding
#
# As $\phi_\Sigma$ contains nothing that $\phi_\mu$ does not, the paper drops it: $M = (I_d \; 0)$,
# P(5) and P(7),
#
# ```{math}
# :label: eq-gaussian-reduced
# \phi^M(y) = \Sigma^{-1} (y - \mu) , \qquad y^\star = \Sigma \, h + \mu .
# ```
#
# The surface has become flat: the embedding is an *affine* map of the outputs, with an affine
# inverse, so any $h \in \R^d$ is the embedding of exactly one output.

# %%
M = np.hstack([np.eye(d), np.zeros((d, d * d))])
H = gaussian.transform(Y)
print("M times the Fisher vector:", np.allclose(scores @ M.T, H))
between = gaussian.transform((Y[:1] + 2 * Y[1:2]) / 3)
print("embeddings of averages are averages:", np.allclose(between, (H[:1] + 2 * H[1:2]) / 3))
print("decoding inverts embedding:", np.allclose(gaussian.inverse_transform(H), Y))

# %% [markdown]
# That has a price. Kernel ridge regression with an intercept commutes with affine maps of its
# targets, so for one Gaussian the whole detour through the embedding changes nothing. It is the
# case $C = 1$ of {prf:ref}`thm-model-cancels`. With an isotropic Gaussian not even the choice of
# the ridge by leave-one-out changes, as all its errors are multiplied by the same number. The table
# gives the largest difference from plain kernel ridge regression on fresh inputs, with the ridge
# that leave-one-out chooses and with the ridge of the plain regression:

# %% mystnb={"figure": {"caption": "OFER with one Gaussian against kernel ridge regression: its ridge, chosen by leave-one-out or given, and the largest difference of two predictions."}}
kernel = {"kernel": "rbf", "gamma": 0.5}
X = np.column_stack([np.sin(Y[:, 0]), Y.sum(axis=1)]) + rng.normal(size=(300, 2))
plain = KernelRidgeCV(**kernel).fit(X[:100], Y[:100])
ridges = {"chosen": None, "given": [plain.alpha_]}
rows = {}
for kind in models:
    for name, alphas in ridges.items():
        ofer = OutputFisherRegressor(
            GaussianEmbedding(covariance_type=kind),
            KernelRidgeCV(alphas, **kernel),
        ).fit(X[:100], Y[:100])
        gap = np.abs(ofer.predict(X[100:]) - plain.predict(X[100:])).max()
        rows[kind, name] = ofer.regressor_["mean"].alpha_, gap
columns = ["ridge", "largest difference"]
gaps = pd.DataFrame(rows, index=columns).T.rename_axis(["model", "ridge is"])
differ = gaps["largest difference"] > 1e-6
assert list(differ.index[differ]) == [("full", "chosen")]
gaps.round(4)

# %% [markdown]
# The full model measures errors in another metric, in which it may choose another ridge, as it does
# here; with the ridge given it too makes the same predictions. A single Gaussian is a building
# block.
#
# ## What we found
#
# - The score of a Gaussian takes two first-order expansions. The paper's density has its
#   exponents exchanged, and its P(1) lacks a factor $\frac12$ that no convention on
#   symmetric matrices explains.
# - Fisher vectors of a Gaussian lie on a surface of dimension $d$, a parabola on the line. Where it
#   crosses zero, the outputs stop asking for a smaller variance.
# - The mean score of the training outputs is zero, their scores' covariance is the Fisher
#   information, and its two blocks have different units.
# - The reduced embedding is an affine map of the outputs, so with an intercept it is kernel ridge
#   regression under another name. To be more, the method needs a second component.
#
# ## What this changes for you
#
# An isotropic Gaussian adds nothing to kernel ridge regression with an intercept, and a full one
# only another metric in which the ridge is chosen: use them to understand scores, not to predict.
# And standardise outputs before you put blocks with different units into one loss.
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
# \operatorname{tr} P^2 \right) = (d^2 + d) / (4 s^2)$. They are equal for $s = (d + 1) / 4$. Where
# outputs are large numbers the mean block dominates, where they are small ones the covariance
# block. In ten dimensions and at the unit variance that standardising gives, the covariance block
# weighs $11/4$ times as much as the mean block; without the factor $\frac12$ it would be eleven
# times.
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
one, two = gaussian.fisher_vector(Y[:2])
average = (one + two) / 2
demanded = 0.5 * (np.outer(average[:d], average[:d]) - P)
gap = average[d:].reshape(d, d) - demanded
difference = one[:d] - two[:d]
print("as by the formula:", np.allclose(gap, np.outer(difference, difference) / 8))
assert np.allclose(gap, np.outer(difference, difference) / 8)

# %% [markdown]
# With $a$ and $b$ for the two mean blocks, the average of the covariance blocks minus the block
# that $(a + b) / 2$ asks for is
#
# $$
# \tfrac14 (a a\T + b b\T) - \tfrac18 (a + b)(a + b)\T = \tfrac18 (a - b)(a - b)\T .
# $$
#
# It is positive semi-definite: averages lie inside the bowl, and the farther inside, the farther
# apart the outputs are.
#
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
# In an exponential family the score is a sufficient statistic minus its mean: affine in that
# statistic. So ask which statistic your decoder inverts, and whether the model then cancels as it
# does here.
# ```
