# ---
# jupyter:
#   kernelspec:
#     display_name: Python 3
#     name: python3
# ---

# %% [markdown]
# # The state space
#
# *Sections 3.3 and 4.3 of {cite:t}`djerrab2018`*
#
# The numbers of a time series come in an order, and the order matters: tomorrow continues today. A
# *state-space model* says how. Behind the series moves a hidden state that follows simple rules,
# and what we measure is a noisy view of it.
#
# {cite:t}`djerrab2018` take this model as the second output model of their method: the embedding
# of a series consists of its *innovations*, all that the rules could not foresee (Section 3.3),
# and decoding replays the rules (Section 4.3). This chapter first builds the tools, filter,
# smoother and EM, and holds them against brute force and against pykalman. Then it derives the
# embedding and its inverse, proves that for one common ridge the whole construction cancels, and
# shows what separate ridges gain.

# %% tags=["parameters"]
n_train: int = 40  # training series
n_test: int = 200  # test series
n_steps: int = 20  # steps of the input, and as many of the output
seed: int = 0

# %%
import warnings
from copy import deepcopy

import numpy as np
import pandas as pd
from pykalman import KalmanFilter
from scipy.linalg import block_diag, cholesky, solve_discrete_are, solve_discrete_lyapunov
from scipy.optimize import approx_fprime
from scipy.stats import multivariate_normal
from sklearn.linear_model import LinearRegression

from ofer import KernelRidgeCV, LinearGaussianSSM, OutputFisherRegressor, StateSpaceEmbedding
from reproduction.datasets.generated.state_space_series import make_state_space_series
from ofer.metrics import rrmse
from reproduction.papers.ofer.figures.state_space import (
    plot_eigenvalues,
    plot_filter_and_smoother,
    plot_innovations,
    plot_likelihoods,
    plot_sampled_series,
    plot_shrinkage,
    plot_state_paths,
    plot_state_space_graph,
)
from reproduction.papers.ofer.ridge import squared_error_ridge

# %% [markdown]
# ## The model
#
# Hidden states $m_t \in \R^d$ and observations $z_t \in \R^p$ follow
#
# ```{math}
# :label: eq-state-space
# \begin{aligned}
# m_1 &\sim \mathcal N(\mu_0, \Sigma_0) , \\
# m_t \mid m_{t-1} &\sim \mathcal N(A m_{t-1}, Q) , & t &= 2, \ldots, T , \\
# z_t \mid m_t &\sim \mathcal N(C m_t, R) , & t &= 1, \ldots, T .
# \end{aligned}
# ```
#
# $A$ is the rule of motion, $Q$ says how far a step may stray from it, $C$ is the view and $R$
# its noise. Given the present state, past and future have nothing more to tell each other: there
# is no arrow around a state in {numref}`fig-state-space-graph`.

# %% mystnb={"figure": {"name": "fig-state-space-graph", "caption": "The state-space model of four steps. States (hollow) are hidden, observations (shaded) are seen. Each arrow carries the matrices of its conditional distribution."}, "image": {"alt": "Graph with a chain of four circles m1 to m4, joined by arrows marked A and Q. From each of them an arrow marked C and R leads down to a grey circle, z1 to z4."}}
_ = plot_state_space_graph()

# %% [markdown]
# The data of this chapter come from such a model. A point in the plane turns by a tenth of a
# circle at each step, loses a twentieth of its size and gets a push; two sensors see one coordinate
# each. The first half of a series will later be the input, and the second half the output.

# %%
shape = {"n_steps": 2 * n_steps, "n_given": n_steps, "n_observed": 2}
data = make_state_space_series(n_train + n_test, **shape, random_state=seed)
truth = data.model
A, Q = truth.transition_matrix_, truth.transition_covariance_
C, R = truth.observation_matrix_, truth.observation_covariance_
mu0, Sigma0 = truth.initial_mean_, truth.initial_covariance_
print(f"A {A.round(3).tolist()}\nQ {Q.round(3).tolist()}\nR {R.round(3).tolist()}")

# %% [markdown]
# The series are *stationary*: all states have the same distribution, $\mathcal N(0, \Sigma)$
# with $\Sigma = A \Sigma A\T + Q$. Such a covariance exists when the eigenvalues of $A$ lie
# inside the unit circle; a series that starts from it, $\Sigma_0 = \Sigma$, keeps its level.

# %%
print("moduli of the eigenvalues of A:", np.abs(np.linalg.eigvals(A)).round(3))
print("starts at its own covariance:", np.allclose(Sigma0, solve_discrete_lyapunov(A, Q)))
variances = data.series.var(axis=0).mean(axis=1)
print(f"variance of z at the first step {variances[0]:.2f}, at the last {variances[-1]:.2f}")

# %% mystnb={"figure": {"name": "fig-sampled-series", "caption": "Two series. Left, the paths of the states, from the marker on; right, the first observation. Dotted lines are two standard deviations of the stationary distribution."}, "image": {"alt": "Left, two tangled spirals around the origin. Right, two irregular oscillations with a period of about ten steps, nearly always between the dotted lines."}}
deviation = np.sqrt((C @ Sigma0 @ C.T + R)[0, 0])
_ = plot_sampled_series(data.paths[:2], data.series[:2], deviation)

# %% [markdown]
# The paper writes the same model with noise vectors, $m_t = A m_{t-1} + Q \eta_t$ and standard
# normal $\eta_t$. The covariance of such a step would be $Q Q\T$, while the next lines of the
# paper, and its P(11) and P(12), need it to be $Q$. A sample shows the difference:

# %%
rng = np.random.default_rng(seed)
eta = rng.standard_normal((100_000, 2))
steps = {"as printed, Q eta": eta @ Q.T, "root of Q times eta": eta @ cholesky(Q)}
print(f"variance of a step, wanted: {Q[0, 0]:.3f}")
for name, noise in steps.items():
    print(f"{name}: {np.cov(noise.T)[0, 0]:.3f}")

# %% [markdown]
# This is one of several {doc}`errata <90_errata>` of these sections.
#
# ## Filter and smoother
#
# Where is the state, given the observations? All of them together are jointly Gaussian, so one
# fact suffices:
#
# ```{math}
# :label: eq-conditioning
# \operatorname{E}[a \mid b] = \mu_a + S_{ab} S_{bb}^{-1} (b - \mu_b) , \qquad
# \operatorname{Cov}[a \mid b] = S_{aa} - S_{ab} S_{bb}^{-1} S_{ba} .
# ```
#
# Why? Let $G = S_{ab} S_{bb}^{-1}$ and $c = a - \mu_a - G (b - \mu_b)$, what is left of $a$ when
# its best linear guess from $b$ is taken off. Then
#
# $$
# \begin{aligned}
# \operatorname{Cov}(c, b) &= S_{ab} - G S_{bb} = 0 , \\
# \operatorname{Cov}(c) &= S_{aa} - G S_{ba} - S_{ab} G\T + G S_{bb} G\T = S_{aa} - G S_{ba} .
# \end{aligned}
# $$
#
# Jointly Gaussian vectors without correlation are independent. So when $b$ is known, $c$ still is
# $\mathcal N(0, S_{aa} - G S_{ba})$, and $a = \mu_a + G (b - \mu_b) + c$ has the moments of
# {eq}`eq-conditioning`.
#
# Applied to a whole series at once it would need matrices of size $Tp$. The graph allows us to
# apply it step by step. Write $m_{t|s}$ and $P_{t|s}$ for mean and covariance of $m_t$ given $z_1,
# \ldots, z_s$. The *filter* of {cite:t}`kalman1960` first moves on, then takes in the new
# observation, that is {eq}`eq-conditioning` with $a = m_t$ and $b = z_t$:
#
# ```{math}
# :label: eq-kalman-filter
# \begin{aligned}
# m_{t|t-1} &= A m_{t-1|t-1} , & P_{t|t-1} &= A P_{t-1|t-1} A\T + Q , \\
# S_t &= C P_{t|t-1} C\T + R , & K_t &= P_{t|t-1} C\T S_t^{-1} , \\
# m_{t|t} &= m_{t|t-1} + K_t (z_t - C m_{t|t-1}) , & P_{t|t} &= (I - K_t C) P_{t|t-1} .
# \end{aligned}
# ```
#
# The likelihood comes along, because $z_t$ given its past is $\mathcal N(C m_{t|t-1}, S_t)$. The
# *smoother* then walks back {cite:p}`rauch1965`. Suppose first that $m_{t+1}$ were known. Then
# $z_{t+1}, \ldots, z_T$ have nothing to add about $m_t$: all of their paths to it lead through
# $m_{t+1}$. So it is enough to condition, among all that is known at time $t$, $a = m_t$ on $b =
# m_{t+1}$. Their covariance given $z_1, \ldots, z_t$ is $\operatorname{Cov}(m_t, A m_t +
# \varepsilon) = P_{t|t} A\T$, and {eq}`eq-conditioning` gives, with $J_t = P_{t|t} A\T
# P_{t+1|t}^{-1}$,
#
# $$
# m_t \mid m_{t+1}, z_{1 \ldots T} \;\sim\; \mathcal N \big(
#   m_{t|t} + J_t (m_{t+1} - m_{t+1|t}) , \; P_{t|t} - J_t P_{t+1|t} J_t\T \big) .
# $$
#
# But $m_{t+1}$ is only known to be $\mathcal N(m_{t+1|T}, P_{t+1|T})$. Averaging over it keeps the
# mean with $m_{t+1|T}$ in its place, and adds to the covariance that of the mean, $J_t P_{t+1|T}
# J_t\T$:
#
# ```{math}
# :label: eq-kalman-smoother
# \begin{aligned}
# J_t &= P_{t|t} A\T P_{t+1|t}^{-1} , \\
# m_{t|T} &= m_{t|t} + J_t (m_{t+1|T} - m_{t+1|t}) , \\
# P_{t|T} &= P_{t|t} + J_t (P_{t+1|T} - P_{t+1|t}) J_t\T .
# \end{aligned}
# ```
#
# By the same argument $\operatorname{Cov}(m_t, m_{t+1} \mid z_{1 \ldots T}) = J_t P_{t+1|T}$, which
# EM will need.
#
# A missing entry of $z_t$ is a missing row of $C$; the rest of the step stays as it is. In the
# next figure both sensors fail for eight steps, and one of them for a moment later on.

# %%
holed = data.series[0].copy()
holed[14:22] = np.nan
holed[31, 0] = np.nan

# %% mystnb={"figure": {"name": "fig-filter-and-smoother", "caption": "Filter and smoother on a series with missing entries (shaded). Above, their means for the first coordinate, with bands of two standard deviations; below, the standard deviations. In the gap the filter knows only the past, and its band grows until the sensors are back; the smoother knows both ends."}, "image": {"alt": "Above, an oscillating truth, dots around it, a wide band and a narrower one inside it. In a shaded gap both widen. Below, two curves that rise in the gap, the one of the filter to more than twice its usual height at the end of the gap, the one of the smoother less and in the middle."}}
_ = plot_filter_and_smoother(truth, holed, data.paths[0])

# %% [markdown]
# Are the recursions right? For four steps we can afford the joint covariance of everything, and
# apply {eq}`eq-conditioning` in one go. As $m_t = A^{t-1} m_1 + \sum_s A^{t-s} \varepsilon_s$, the
# states are a block triangular matrix of powers of $A$ times independent noise.

# %%
T = 4
zero = np.zeros_like(A)
powers = [np.linalg.matrix_power(A, k) for k in range(T)]
L = np.block([[powers[t - s] if s <= t else zero for s in range(T)] for t in range(T)])
S_mm = L @ block_diag(Sigma0, Q, Q, Q) @ L.T
view = np.kron(np.eye(T), C)
S_zm = view @ S_mm
S_zz = S_zm @ view.T + np.kron(np.eye(T), R)

# %%
short = data.series[1, :T].copy()
short[1] = np.nan
short[2, 0] = np.nan
seen = np.isfinite(short).ravel()
z, S = short.ravel()[seen], S_zz[np.ix_(seen, seen)]
gain = np.linalg.solve(S, S_zm[seen]).T
mean, covariance = gain @ z, S_mm - gain @ S_zm[seen]  # mu0 is zero

smoothed = truth.smooth(short[None])
blocks = [covariance[2 * t : 2 * t + 2, 2 * t : 2 * t + 2] for t in range(T)]
density = multivariate_normal(cov=S).logpdf(z)
past = truth.filter(short[None])
J = past.covariances[0, :-1] @ A.T @ np.linalg.inv(past.predicted_covariances[0, 1:])
by_formula = J @ smoothed.covariances[0, 1:]
lagged = [covariance[2 * t : 2 * t + 2, 2 * t + 2 : 2 * t + 4] for t in range(T - 1)]
agree = {
    "means": np.allclose(smoothed.means[0].ravel(), mean, atol=1e-12),
    "covariances": np.allclose(smoothed.covariances[0], blocks, atol=1e-12),
    "formula of neighbours": np.allclose(by_formula, lagged, atol=1e-12),
    "code of neighbours": np.allclose(smoothed.lag_one_covariances[0].mT, lagged, atol=1e-12),
    "log-likelihood": np.allclose(smoothed.loglikelihoods, density),
}
print("equal to the joint Gaussian:", agree)
assert all(agree.values())

# %% [markdown]
# The filter is checked by the smoother: at each time it is the smoother of the series so far.

# %%
filtered = truth.filter(short[None]).means[0]
so_far = [truth.smooth(short[None, : t + 1]).means[0, -1] for t in range(T)]
print("filter is the smoother of the past:", np.allclose(filtered, so_far, atol=1e-12))

# %% [markdown]
# A series that ends is like a gap without an end. The first line of {eq}`eq-kalman-filter` goes on
# alone, and the forecast of $z_t$ has the covariance $S_t$. Are these covariances honest? If so,
# 95 % of what comes lies within 1.96 standard deviations, at any distance.

# %% mystnb={"figure": {"caption": "Forecasts of 1 to 20 steps, every fourth shown: their mean standard deviation, and the share of observations within 1.96 of these, which should be 0.95."}}
future = truth.forecast(data.series[:, :n_steps], n_steps)
deviations = np.sqrt(np.diagonal(future.covariances, axis1=-2, axis2=-1))
inside = np.abs(data.series[:, n_steps:] - future.means) < 1.96 * deviations
rows = {"standard deviation": deviations.mean(axis=(0, 2)), "inside": inside.mean(axis=(0, 2))}
ahead = pd.RangeIndex(1, n_steps + 1, name="steps ahead")
assert np.abs(rows["inside"] - 0.95).max() < 0.03
pd.DataFrame(rows, index=ahead)[::4].round(3)

# %% [markdown]
# ## EM over many series
#
# In practice the matrices $\theta$ are unknown, and there are $n$ training series to learn them
# from. If the states were seen, too, $\log p(m, z; \theta)$ would be a sum of Gaussian terms,
# easy to maximise. EM {cite:p}`shumway1982` makes do with the expectation of that sum. For any
# distribution $q$ of the states Jensen's inequality gives
#
# ```{math}
# :label: eq-em-bound
# \log p(z; \theta) = \log \int q(m) \frac{p(m, z; \theta)}{q(m)} \, dm
# \;\ge\; \operatorname{E}_q[\log p(m, z; \theta)] - \operatorname{E}_q[\log q(m)] ,
# ```
#
# with equality for $q = p(m \mid z; \theta)$. The *E-step* takes this $q$ at the present matrices,
# where the bound touches the likelihood. The *M-step* maximises the bound over $\theta$, so the
# likelihood cannot fall. Of the bound only the first term depends on $\theta$, and it falls into
# three parts. That of the transitions is
#
# $$
# - \frac12 \sum \Big( \log |2 \pi Q| + \operatorname{tr} Q^{-1}
#   \operatorname{E} \big[ (m_t - A m_{t-1})(m_t - A m_{t-1})\T \big] \Big) .
# $$
#
# Its derivative in $A$ is $Q^{-1} \sum \big( \operatorname{E}[m_t m_{t-1}\T] - A
# \operatorname{E}[m_{t-1} m_{t-1}\T] \big)$, which is zero for the first line below, whatever $Q$
# is. With $\partial \log |Q^{-1}| / \partial Q^{-1} = Q$ the derivative in $Q^{-1}$ is half of
# $\sum \big( Q - \operatorname{E}[\ldots] \big)$, which is zero for the second line. The
# emissions are alike, with $z_t$ in the place of $m_t$ and $m_t$ in that of $m_{t-1}$:
#
# ```{math}
# :label: eq-em-steps
# \begin{aligned}
# A &= \Big( \sum \operatorname{E}[m_t m_{t-1}\T] \Big)
# \Big( \sum \operatorname{E}[m_{t-1} m_{t-1}\T] \Big)^{-1} , \\
# Q &= \operatorname{mean} \operatorname{E} \big[ (m_t - A m_{t-1})(m_t - A m_{t-1})\T \big] , \\
# C &= \Big( \sum z_t \operatorname{E}[m_t]\T \Big)
# \Big( \sum \operatorname{E}[m_t m_t\T] \Big)^{-1} , \\
# R &= \operatorname{mean} \operatorname{E} \big[ (z_t - C m_t)(z_t - C m_t)\T \big] .
# \end{aligned}
# ```
#
# Sums and means run over the steps of all series; $\mu_0$ and $\Sigma_0$ are mean and covariance
# of the first states. An expected product is the product of the means *plus* a covariance:
# $\operatorname{E}[m_t m_t\T] = m_{t|T} m_{t|T}\T + P_{t|T}$, and
# $\operatorname{E}[m_{t+1} m_t\T] = m_{t+1|T} m_{t|T}\T + P_{t+1|T} J_t\T$. The uncertainty about the
# states is not forgotten.
#
# Measured series have a level, and the model has none: its states, and all that follows, are
# around zero. So `LinearGaussianSSM` adds an offset $b$, $z_t = C m_t + b + \text{noise}$, unless
# it is told not to. Its M-step is the same least-squares problem with an intercept: in $C$ and
# $R$ of {eq}`eq-em-steps` all deviations are from the means over the steps, and $b = \bar z - C
# \bar m$. The series of this chapter have no level, so we keep to the paper's model and write
# `fit_offset=False`.
#
# The code's sixth iteration should be {eq}`eq-em-steps`, applied to its fifth:

# %%
X, Y, states = data.X[:n_train], data.Y[:n_train], data.states[:n_train]
X_test, Y_test, states_test = data.X[n_train:], data.Y[n_train:], data.states[n_train:]
with warnings.catch_warnings(action="ignore"):  # both are cut short on purpose
    fifth, sixth = (
        LinearGaussianSSM(2, max_iter=k, tol=0, fit_offset=False).fit(Y) for k in (5, 6)
    )
m, P, lag_one, _ = fifth.smooth(Y)
now, before = m[:, 1:], m[:, :-1]
squares = np.einsum("nti,ntj->ij", before, before) + P[:, :-1].sum(axis=(0, 1))
lagged = np.einsum("nti,ntj->ij", now, before) + lag_one.sum(axis=(0, 1))
A_new = lagged @ np.linalg.inv(squares)
of_now = np.einsum("nti,ntj->ij", now, now) + P[:, 1:].sum(axis=(0, 1))
Q_new = (of_now - A_new @ lagged.T) / now[..., 0].size
C_new = np.einsum("nti,ntj->ij", Y, m) @ np.linalg.inv(
    np.einsum("nti,ntj->ij", m, m) + P.sum(axis=(0, 1))
)
by_hand = {
    "transition_matrix_": A_new,
    "transition_covariance_": Q_new,
    "observation_matrix_": C_new,
}
for name, matrix in by_hand.items():
    gap = np.abs(matrix - getattr(sixth, name)).max()
    print(f"{name}: within 1e-10 {gap < 1e-10}")
    assert gap < 1e-10

# %% [markdown]
# No iteration may lower the likelihood. We fit one, two and three states to the training outputs,
# and check.

# %%
fits = {
    d: LinearGaussianSSM(d, max_iter=1000, tol=1e-5, fit_offset=False).fit(Y) for d in (1, 2, 3)
}
for d, model in fits.items():
    curve = model.loglikelihoods_
    assert np.all(np.diff(curve) >= 0)
    share = (curve[10] - curve[0]) / (curve[-1] - curve[0])
    print(f"d = {d}: {model.n_iter_} iterations, {share:.0%} of the gain in the first ten")

# %% mystnb={"figure": {"name": "fig-em-likelihoods", "caption": "EM never goes down. Left, the log-likelihood of the training series after each iteration; right, what the iteration gained. Both axes of iterations are logarithmic. Two states and three end at nearly the same height, one state stays far below."}, "image": {"alt": "Left, three rising curves that flatten; the one for one state stays far below the other two. Right, gains that fall over several orders of magnitude."}}
_ = plot_likelihoods({f"{d} state{'s' * (d > 1)}": fits[d].loglikelihoods_ for d in fits})

# %% [markdown]
# At its maximum a larger model never fits the training series worse. How many states there are is a
# question for new series, which prefer the true number, two. The table shows log-likelihoods per
# entry:

# %% mystnb={"figure": {"caption": "Log-likelihood per entry of the training and of the test series, by the number of states (rows). More is better."}}
rows = {
    d: (model.loglikelihoods_[-1] / Y.size, model.loglikelihood(Y_test).sum() / Y_test.size)
    for d, model in fits.items()
}
columns = ["training series", "test series"]
per_entry = pd.DataFrame.from_dict(rows, orient="index", columns=columns).rename_axis("states")
assert np.all(np.diff(per_entry["training series"]) > 0)
assert per_entry["test series"].idxmax() == 2
per_entry.round(3)

# %% [markdown]
# Why is this quick? Look at {eq}`eq-kalman-filter` and {eq}`eq-kalman-smoother` again: no $z_t$
# occurs in the lines for $P$, $S$, $K$ and $J$. Covariances and gains depend on the matrices and on
# the clock, not on the data. Series of one length with nothing missing share them, so they are
# computed once, and what is left for each series is a handful of products, done for all series at
# once. After some steps they hardly change any more (lower panel of
# {numref}`fig-filter-and-smoother`), and once they stand still one gain serves all further steps
# ({ref}`ex-steady-state`).

# %%
shared = truth.filter(data.series).covariances
print("all series have the covariances of the first:", np.all(shared == shared[:1]))
print(f"stored once: {shared.strides[0] == 0}, shape as if for each: {shared.shape}")

# %% [markdown]
# A missing entry changes the recursion from its time on. Series with holes in the same places
# still share it; when each has its own holes, each needs its own covariances. The work is then
# batched over all these patterns, and slower (see {doc}`speed`), but there is still no loop over
# series.

# %%
rng = np.random.default_rng(seed)
with_holes = np.where(rng.uniform(size=data.series.shape) < 0.1, np.nan, data.series)
for name, series in [("nothing missing", data.series), ("a tenth missing", with_holes)]:
    covariances = truth.filter(series).covariances.reshape(len(series), -1)
    kinds = len(np.unique(covariances.round(9), axis=0))
    print(f"{name}: {len(series)} series, covariances of {kinds} kinds")

# %% [markdown]
# ## What is identified
#
# Turn the hidden plane by any invertible matrix $G$, that is put $G m_t$ in place of $m_t$ and
#
# ```{math}
# :label: eq-similarity
# A \to G A G^{-1}, \quad Q \to G Q G\T, \quad C \to C G^{-1}, \quad
# \mu_0 \to G \mu_0, \quad \Sigma_0 \to G \Sigma_0 G\T ,
# ```
#
# and nothing that can be observed changes: $C G^{-1} G m_t = C m_t$.

# %%
G = np.array([[2.0, 1.0], [0.0, -0.5]])
back = np.linalg.inv(G)
turned = deepcopy(truth)
turned.transition_matrix_, turned.transition_covariance_ = G @ A @ back, G @ Q @ G.T
turned.observation_matrix_ = C @ back
turned.initial_mean_, turned.initial_covariance_ = G @ mu0, G @ Sigma0 @ G.T
same = np.allclose(turned.loglikelihood(Y_test), truth.loglikelihood(Y_test), atol=1e-9)
print(f"A {turned.transition_matrix_.round(2).tolist()}\nsame likelihood: {same}")

# %% [markdown]
# So no data can tell these models apart, and it makes no sense to compare a fitted $A$ with the
# true one entry by entry. What they have in common are the *eigenvalues* of $A$: period and
# damping. We fit two states to ten draws of five series, and of fifty.

# %%
pool = make_state_space_series(10 * 50, **shape, random_state=seed + 1).Y.reshape(10, 50, -1, 2)
eigenvalues, fitted = np.linalg.eigvals(A), {}
for size in (5, 50):
    models = [
        LinearGaussianSSM(2, max_iter=500, tol=1e-5, fit_offset=False).fit(draw[:size])
        for draw in pool
    ]
    values = np.linalg.eigvals([model.transition_matrix_ for model in models])
    error = np.abs(values[values.imag > 0] - eigenvalues[eigenvalues.imag > 0])
    print(f"{size} series: mean distance from the true eigenvalue {error.mean():.3f}")
    fitted[f"{size} series"] = values
    assert error.mean() < {5: 0.06, 50: 0.02}[size]

# %% mystnb={"figure": {"name": "fig-eigenvalues", "caption": "Eigenvalues of the fitted transition matrices in the unit circle, and the upper ones enlarged. The angle is the turn per step, the distance from the circle the damping. More series, less scatter."}, "image": {"alt": "Left, the unit circle with two clusters of marks, mirror images of each other, close to it on its right side; a small square frames the upper one. Right, one cluster enlarged: circles scatter widely around a star, squares lie close to it."}}
_ = plot_eigenvalues(eigenvalues, fitted)

# %% [markdown]
# ## Beside pykalman
#
# The authors used [pykalman](https://pykalman.github.io), a well-kept package for one series at a
# time. It is the best reference that we could wish for: written by others, from other sources. We
# give it our fitted matrices and one series, and compare what both make of it.

# %%
names = {
    "transition_matrices": "transition_matrix_",
    "transition_covariance": "transition_covariance_",
    "observation_matrices": "observation_matrix_",
    "observation_covariance": "observation_covariance_",
    "initial_state_mean": "initial_mean_",
    "initial_state_covariance": "initial_covariance_",
}


def to_pykalman(model):
    parameters = {theirs: getattr(model, ours) for theirs, ours in names.items()}
    return KalmanFilter(**parameters, em_vars=list(names))


# %%
one, series = to_pykalman(fits[2]), data.series[:1]
filtered, smoothed = fits[2].filter(series), fits[2].smooth(series)
pairs = {
    "filter, means": (filtered.means[0], one.filter(series[0])[0]),
    "filter, covariances": (filtered.covariances[0], one.filter(series[0])[1]),
    "smoother, means": (smoothed.means[0], one.smooth(series[0])[0]),
    "smoother, covariances": (smoothed.covariances[0], one.smooth(series[0])[1]),
    "log-likelihood": (filtered.loglikelihoods[0], one.loglikelihood(series[0])),
}
for name, (ours, theirs) in pairs.items():
    print(f"{name}: within 1e-10 {np.allclose(ours, theirs, rtol=0, atol=1e-10)}")

# %% [markdown]
# EM is deterministic, so the comparison extends to it: from the matrices after our first
# iteration, ten iterations of pykalman must lead to ours after the eleventh. (We stop EM long
# before it has converged, and silence the warning that says so.)

# %%
with warnings.catch_warnings(action="ignore"):
    first, eleventh = (
        LinearGaussianSSM(2, max_iter=k, tol=0, fit_offset=False).fit(series) for k in (1, 11)
    )
tenth = to_pykalman(first).em(series[0], n_iter=10)
for theirs, ours in names.items():
    gap = np.abs(getattr(tenth, theirs) - getattr(eleventh, ours)).max()
    print(f"{theirs}: within 1e-10 {gap < 1e-10}")

# %% [markdown]
# Where the two packages differ is the shape of the task. pykalman takes one series; a set of them
# is a loop, and EM over a set is not there at all. And pykalman leaves out a whole step when one
# coordinate is missing; here the other coordinates of the step still count. The page {doc}`speed`
# says what the loop costs.

# %%
looped = np.array([one.smooth(series)[0] for series in data.series[:100]])
at_once = fits[2].smooth(data.series[:100]).means
print("same means:", np.allclose(at_once, looped, atol=1e-10))

# %%
one_missing = series.copy()
one_missing[0, 10, 0] = np.nan
step_missing = series.copy()
step_missing[0, 10] = np.nan
theirs = one.smooth(np.ma.masked_invalid(one_missing[0]))[0]
for name, holed_series in [("one coordinate", one_missing), ("whole step", step_missing)]:
    agree = np.allclose(fits[2].smooth(holed_series).means[0], theirs, atol=1e-10)
    print(f"pykalman without one coordinate is ofer without the {name}: {agree}")

# %% [markdown]
# Lists of series of different lengths are taken as they are:

# %%
ragged = [data.series[0, :7], with_holes[1], data.series[2, 5:30]]
print("steps:", [len(means) for means in fits[2].smooth(ragged).means])

# %% [markdown]
# pykalman can start EM wherever we like, which our `fit` deliberately cannot. So we can see that EM
# finds *a* maximum, not *the* maximum. The series below is the sum of two oscillations, and the
# model has only two states, enough for one of them. Each start is an oscillation of its own.

# %%
clock = np.arange(40)
rng = np.random.default_rng(seed)
beat = np.cos(0.4 * clock) + np.cos(2.0 * clock + 1) + 0.2 * rng.standard_normal(40)


def em_from(frequency):
    c, s = np.cos(frequency), np.sin(frequency)
    begin = deepcopy(truth)
    begin.transition_matrix_ = 0.95 * np.array([[c, -s], [s, c]])
    begin.observation_matrix_, begin.observation_covariance_ = np.ones((1, 2)), np.eye(1)
    model = to_pykalman(begin).em(beat[:, None], n_iter=30)
    frequencies = np.angle(np.linalg.eigvals(model.transition_matrices))
    return frequencies.max(), model.loglikelihood(beat)


# %% mystnb={"figure": {"caption": "Two starts of EM on one series: the frequency of the start, that of the model after 30 iterations, and its log-likelihood."}}
rows = [(start, *em_from(start)) for start in (0.6, 1.6)]
columns = ["frequency of the start", "after 30 iterations", "log-likelihood"]
assert [round(row[1], 1) for row in rows] == [0.4, 2.0]
pd.DataFrame(rows, columns=columns).round(2)

# %% [markdown]
# Each start has found the oscillation next to it. Neither is wrong, and from neither does a path
# lead uphill to the other. With four states there is room for both. Our rule for the start, the
# principal components of the observations and their past, finds both without a hint:

# %%
with warnings.catch_warnings(action="ignore"):
    four = LinearGaussianSSM(4, max_iter=100, fit_offset=False).fit(beat[None, :, None])
frequencies = np.unique(np.abs(np.angle(np.linalg.eigvals(four.transition_matrix_))).round(2))
print(f"log-likelihood {four.loglikelihoods_[-1]:.2f}, frequencies {frequencies}")
assert np.allclose(frequencies, [0.4, 2.0], atol=0.05)

# %% [markdown]
# ## The Fisher score
#
# The output of the paper is a series *with* its states, $y = (z_1, \ldots, z_T, m_1, \ldots,
# m_T)$. Its density is a product along the arrows of {numref}`fig-state-space-graph`,
#
# ```{math}
# :label: eq-joint-density
# \begin{aligned}
# \log p(y) = \log \mathcal N(m_1; \mu_0, \Sigma_0)
# &+ \sum_{t=2}^T \log \mathcal N(m_t; A m_{t-1}, Q) \\
# &+ \sum_{t=1}^T \log \mathcal N(z_t; C m_t, R) ,
# \end{aligned}
# ```
#
# and each factor is one Gaussian. The paper differentiates every factor in the mean and the
# covariance of its own Gaussian, P(2):
#
# ```{math}
# :label: eq-state-space-score
# \begin{aligned}
# \phi_0 &= \nabla_{(\mu_0, \Sigma_0)} \log \mathcal N(m_1; \mu_0, \Sigma_0) , \\
# \phi_{1,t} &= \nabla_{(A m_{t-1}, Q)} \log \mathcal N(m_t; A m_{t-1}, Q) ,
# & t &= 2, \ldots, T , \\
# \phi_{2,t} &= \nabla_{(C m_t, R)} \log \mathcal N(z_t; C m_t, R) , & t &= 1, \ldots, T ,
# \end{aligned}
# ```
#
# all of the form {eq}`eq-gaussian-score`. In print the emissions start at $t = 2$, with the mean
# $C m_{t-1}$. But the first state has an observation too, as {numref}`fig-state-space-graph`
# shows, and without its block $z_1$ could not be decoded; and the mean of $z_t$ is $C m_t$. The
# sizes add up to $T (d + d^2) + T (p + p^2)$.

# %%
known = StateSpaceEmbedding(2, fit_offset=False).fit(Y, states=states)
scores = known.fisher_vector(Y, states=states)
print("size of a score:", scores.shape[1], "=", n_steps * (2 + 4) + n_steps * (2 + 4))

# %% [markdown]
# Finite differences judge one block, the transition to the fifth state of the first series: six
# numbers, two for the mean and four for the covariance, whose entries are all free.

# %%
m = states[0]
A_fit, Q_fit = known.model_.transition_matrix_, known.model_.transition_covariance_


def log_density(parameters):
    residual, covariance = m[4] - parameters[:2], parameters[2:].reshape(2, 2)
    _, log_determinant = np.linalg.slogdet(2 * np.pi * covariance)
    return -0.5 * (log_determinant + residual @ np.linalg.solve(covariance, residual))


numerical = approx_fprime(np.concatenate([A_fit @ m[3], Q_fit.ravel()]), log_density)
exact = scores[0].reshape(-1, 6)[4]
print("numerical:", numerical.round(3))
print("exact:    ", exact.round(3))

# %% [markdown]
# Here the states were given, and maximum likelihood is least squares. Then the mean score has to
# be zero, once more: $Q$ belongs to all transitions, so its score is the sum over steps.

# %%
in_Q = scores.reshape(n_train, -1, 6)[:, 1:n_steps, 2:].sum(axis=1)
print("mean score in Q is zero:", np.allclose(in_Q.mean(axis=0), 0, atol=1e-8))

# %% [markdown]
# ## The embedding
#
# The matrix $M$ of the paper keeps the first $d$ or $p$ coordinates of each block, the score of
# the mean, P(11) and P(12):
#
# ```{math}
# :label: eq-innovations
# \begin{array}{lcc}
# & \textit{score (as printed)} & \textit{natural (our default)} \\
# \text{initial} & \Sigma_0^{-1} (m_1 - \mu_0) & m_1 - \mu_0 \\
# \text{transition} & Q^{-1} (m_t - A m_{t-1}) & m_t - A m_{t-1} \\
# \text{emission} & R^{-1} (z_t - C m_t) & z_t - C m_t
# \end{array}
# ```
#
# As for mixtures, the natural scaling multiplies by the covariance and leaves the residual in its
# own unit. Where the states are hidden, their smoothed means take their place. The size is
# $T (d + p)$: more than the series has, but less than the full score.

# %%
embeddings = {
    scaling: StateSpaceEmbedding(2, scaling=scaling, max_iter=1000, fit_offset=False).fit(Y)
    for scaling in ("natural", "score")
}
embedding = embeddings["natural"]
H = embedding.transform(Y_test)
print({name: H[:, columns].shape[1] for name, columns in embedding.blocks_.items()})

# %% mystnb={"figure": {"name": "fig-innovations", "caption": "The embedding of the first test series, up to its twelfth step. Left, from each smoothed state the model moves on (dotted, to the square), and an innovation corrects it (arrow). Right, the residuals of the first observation. Arrows and residuals together, with the first state, are all there is to the series."}, "image": {"alt": "Left, a plane with a path of dots that circles the centre; dotted lines lead from each dot to a square nearby, and short arrows from the square to the next dot. Right, a smooth curve, circles around it, and bars between curve and circles."}}
paths = embedding.model_.smooth(Y_test).means
_ = plot_innovations(embedding.model_, paths[0, :12], Y_test[0, :12])

# %% [markdown]
# Now the way back, Section 4.3. Given a predicted $h = (h_0, h_{1,2}, \ldots, h_{1,T}, h_{2,1},
# \ldots, h_{2,T})$, the pre-image minimises a sum of squares,
#
# ```{math}
# :label: eq-sequential-loss
# \begin{aligned}
# \| \Sigma_0^{-1} (m_1 - \mu_0) - h_0 \|^2
# &+ \sum_{t=2}^T \| Q^{-1} (m_t - A m_{t-1}) - h_{1,t} \|^2 \\
# &+ \sum_{t=1}^T \| R^{-1} (z_t - C m_t) - h_{2,t} \|^2 ,
# \end{aligned}
# ```
#
# over states and observations. Each term has a variable of its own, $m_1$, then $m_t$, then
# $z_t$, that appears in no term before it. So each can be brought to zero in its turn, whatever
# $h$ is, and a sum of squares cannot do better than zero:
#
# ```{math}
# :label: eq-sequential-preimage
# \begin{aligned}
# m_1 &= \mu_0 + \Sigma_0 h_0 , \\
# m_t &= A m_{t-1} + Q \, h_{1,t} , \\
# z_t &= C m_t + R \, h_{2,t} .
# \end{aligned}
# ```
#
# In the natural scaling the covariances disappear from this recursion. Either way it is exact and
# unique, a triangular system solved from the top, and costs $O(T (d + p)^2)$ per series. No search
# is needed.

# %%
for scaling, fitted_embedding in embeddings.items():
    again = fitted_embedding.inverse_transform(fitted_embedding.transform(Y_test))
    exact = np.allclose(again, Y_test, rtol=0, atol=1e-10)
    print(f"{scaling:8} round trip within 1e-10: {exact}")

# %% [markdown]
# The paper's version of the last term has $C \hat z_{t-1}$ where {eq}`eq-innovations` has $C m_t$.
# Dimensions usually forbid it. Here $d = p = 2$, so we can try both, with the first observation
# for free:

# %%
C_fit = embedding.model_.observation_matrix_
residuals = H[:, embedding.blocks_["emission"]].reshape(n_test, n_steps, 2)
with_states = embedding.decode_states(H) @ C_fit.T + residuals
as_printed = Y_test.copy()
for t in range(1, n_steps):
    as_printed[:, t] = as_printed[:, t - 1] @ C_fit.T + residuals[:, t]
for name, decoded in [("C m_t", with_states), ("C z_(t-1)", as_printed)]:
    error = rrmse(Y_test.reshape(n_test, -1), decoded.reshape(n_test, -1))
    print(f"{name:9} relative error {error:.3f}")

# %% [markdown]
# ## One ridge, and the model cancels
#
# For mixtures there was a form of the method in which the model cancels
# ({prf:ref}`thm-model-cancels`). For state-space models it cancels in nearly every form.
#
# ```{prf:theorem} The dynamics cancel
# :label: thm-dynamics-cancel
# Let $h(x) = \sum_i a_i(x) \, \phi(y_i)$ with weights that are the same for all coordinates and
# sum to one, such as those of kernel ridge regression with an intercept. Let $\phi$ be the
# embedding {eq}`eq-innovations` in either scaling, with given states or smoothed means. Then the
# pre-image {eq}`eq-sequential-preimage` is $z^\star = \sum_i a_i(x) \, z^{(i)}$, whatever the
# matrices.
# ```
#
# ```{prf:proof}
# The recursion {eq}`eq-sequential-preimage` is an affine map $D$ of $h$. It inverts the embedding:
# $D(\phi(y_i)) = z^{(i)}$, for any path of the states, because it rebuilds that very path first.
# Affine maps preserve combinations whose weights sum to one, so
#
# $$
# D \Big( \sum_i a_i \, \phi(y_i) \Big) = \sum_i a_i \, D(\phi(y_i)) = \sum_i a_i \, z^{(i)} .
# $$
#
# The weights of kernel ridge regression with an intercept do sum to one: constant targets are
# predicted as what they are.
# ```

# %%
ridge = KernelRidgeCV([10.0])
flat = ridge.fit(X, Y.reshape(n_train, -1)).predict(X_test).reshape(Y_test.shape)
for scaling, unfitted in embeddings.items():
    for name, given in [("hidden", None), ("known", states)]:
        model = OutputFisherRegressor(unfitted, ridge, block_wise=False)
        gap = np.abs(model.fit(X, Y, states=given).predict(X_test) - flat).max()
        print(f"{scaling:8} states {name:6} equal within 1e-10: {gap < 1e-10}")

# %% [markdown]
# The paper's estimator has no intercept, so its weights do not sum to one. The same proof says
# what happens then: the missing weight $1 - \sum_i a_i$ goes to $D(0)$, the path of a series
# without innovations, $C A^{t-1} \mu_0$. That is an intercept too, one that the model chose. For
# a stationary series it is nearly zero, and the printed form falls back on kernel ridge regression
# without an intercept.

# %%
bare = KernelRidgeCV([10.0], fit_intercept=False)
without = OutputFisherRegressor(embedding, bare, block_wise=False).fit(X, Y).predict(X_test)
weights = bare.fit(X, np.eye(n_train)).predict(X_test)
rest = embedding.inverse_transform(np.zeros((1, H.shape[1])))
expected = np.tensordot(weights, Y, 1) + (1 - weights.sum(axis=1))[:, None, None] * rest
print("missing weight goes to the mean path:", np.allclose(without, expected, atol=1e-10))

# %% [markdown]
# ## One ridge per block, and the model speaks
#
# So what does the model know that kernel ridge regression does not? That innovations are
# *noise*. By {eq}`eq-state-space` they are independent of everything before them, so no input
# from the past can predict them. Of the three blocks only the first, where the series starts, can
# be learned at all. (For smoothed means in place of the states this holds nearly; we come back to
# it at the end.)
#
# Separate ridges can say this. When the ridge on transitions and emissions grows, their
# predictions shrink to the intercept, the mean innovation, which is about zero. What is left of
# {eq}`eq-sequential-preimage` is $m_t = A m_{t-1}$ and $z_t = C m_t$: the regression learns the
# first state, $d$ numbers instead of $T (d + p)$, and the model does the rest. Leave-one-out, which
# sees nothing but the training series, can find out by itself:

# %%
blockwise = OutputFisherRegressor(embedding, squared_error_ridge()).fit(X, Y)
for name, regressor in blockwise.regressor_.items():
    place = np.searchsorted(regressor.alphas_, regressor.alpha_) + 1
    print(f"{name:10} ridge {regressor.alpha_:9.0f}, candidate {place} of 25")
    assert (place > 20) == (name != "initial")

# %% [markdown]
# To see the whole way from one end to the other, we keep the chosen ridge of the initial block
# and move the other ones. At the small end innovations are learned like everything else; at the
# large end the model makes its own forecast from a learned start. As a bound we add the Kalman
# forecast with the true matrices, which no method can beat on average.

# %%
ridges = np.logspace(1.5, 5.5, 9)


def shrunk(model, X, Y, X_new, ridge):
    H = model.embedding_.transform(Y)
    predicted = model.predict_embedding(X_new)
    for name in ("transition", "emission"):
        columns = model.embedding_.blocks_[name]
        predicted[:, columns] = KernelRidgeCV([ridge]).fit(X, H[:, columns]).predict(X_new)
    return model.embedding_.inverse_transform(predicted)


# %% [markdown]
# The comparison runs on ten data sets, drawn anew, each with its own training and test series.


# %%
def compare(data):
    X, Y, X_new = data.X[:n_train], data.Y[:n_train], data.X[n_train:]
    truth = data.Y[n_train:].reshape(-1, 2 * n_steps)
    model = OutputFisherRegressor(embedding, squared_error_ridge()).fit(X, Y)
    flat = squared_error_ridge().fit(X, Y.reshape(n_train, -1)).predict(X_new)
    predicted = [shrunk(model, X, Y, X_new, ridge) for ridge in ridges]
    best = data.model.forecast(data.series[n_train:, :n_steps], n_steps).means
    predicted += [flat, model.predict(X_new), best]
    return [rrmse(truth, P.reshape(truth.shape)) for P in predicted]


draws = [
    make_state_space_series(n_train + n_test, **shape, random_state=seed + k) for k in range(10, 20)
]
errors = np.array([compare(draw) for draw in draws])
path, (krr, chosen, bound) = errors[:, : len(ridges)].T, errors[:, len(ridges) :].T

# %% mystnb={"figure": {"name": "fig-shrinkage", "caption": "Shrinking innovations. Above, the test series with the most swing at the end of its input, and its predictions: with a small ridge innovations are fitted, noise included; with a large one the model turns the learned start on its way and damps it. Below, test error against the common ridge of both blocks, mean of ten data sets (the band is one standard error), beside kernel ridge regression and the best possible forecast."}, "image": {"alt": "Above, a series before and after the present, and three predictions that swing with it and die out, the one with a small ridge less smoothly. Below, an error that falls with the ridge, crosses the line of kernel ridge regression and levels off below it, above the line of the Kalman forecast."}}
present = truth.filter(data.series[n_train:]).means[:, n_steps - 1]
shown = np.linalg.norm(present, axis=1).argmax()
small, large = (shrunk(blockwise, X, Y, X_test, ridge) for ridge in ridges[[0, -1]])
before = data.series[[n_train + shown], :n_steps]
predictions = {
    "small ridge on innovations": small[shown, :, 0],
    "large ridge": large[shown, :, 0],
    "Kalman, true matrices": truth.forecast(before, n_steps).means[0, :, 0],
}
levels = {"kernel ridge regression": krr, "Kalman, true matrices": bound}
_ = plot_shrinkage(before[0, :, 0], Y_test[shown, :, 0], predictions, ridges, path, levels)

# %% mystnb={"figure": {"caption": "RRMSE of predicted futures, mean and standard deviation over ten drawn data sets."}}
rows = {
    "kernel ridge regression": krr,
    "one ridge per block, leave-one-out": chosen,
    "Kalman forecast, true matrices": bound,
}
summary = pd.DataFrame({name: (e.mean(), e.std(ddof=1)) for name, e in rows.items()}).T
summary.set_axis(["RRMSE", "standard deviation"], axis=1).round(3)

# %%
gains = krr - chosen
print(f"gain over kernel ridge regression {gains.mean():.3f} +- {gains.std(ddof=1):.3f}")
print(f"data sets with a gain: {np.sum(gains > 0)} of {len(gains)}")
assert np.mean(gains > 0) > 0.8
assert bound.mean() < chosen.mean()

# %% [markdown]
# The gain is there, and it has a simple reason: these series *do* come from the model. On other
# data a forecast follows the wrong dynamics, and a good leave-one-out choice then has to move the
# ridges back to the left, towards the one common ridge with which the model cancels
# ({prf:ref}`thm-dynamics-cancel`). {doc}`The chapter on time series <06_2_time_series>` makes the
# comparison in full, after the paper's Table 5.
#
# ## States known or hidden
#
# The paper's generated series come with their states. `fit` takes them as `states`, and
# `predict_states` returns the decoded path. With known states there is nothing for EM to do; the
# matrices are least squares, in closed form, and in the coordinates of the data.

# %%
hidden = blockwise
given = OutputFisherRegressor(embedding, squared_error_ridge()).fit(X, Y, states=states)
found = {}
for name, model in [("known", given), ("hidden", hidden)]:
    fitted_matrices = model.embedding_.model_
    print(f"{name}: A {fitted_matrices.transition_matrix_.round(2).tolist()}")
    found[name] = rrmse(Y_test.reshape(n_test, -1), model.predict(X_test).reshape(n_test, -1))
    print(f"{name}: RRMSE of the series {found[name]:.3f}")
assert found["known"] < found["hidden"]

# %% [markdown]
# Known states predict these series a little better on this draw. A reason is that smoothed means
# are not the states. The smoother knows the output only, and where that leaves a doubt about the
# first state, it moves this state towards $\mu_0$. The input knows better, so what the smoother
# holds back turns up in the first innovations and can be predicted there. How much of the variance
# of the first transition is explained by the present state, as the filter sees it?

# %%
last = truth.filter(data.series).means[:, n_steps - 1]
for name, model, paths in [("known", given, data.states), ("hidden", hidden, None)]:
    columns = model.embedding_.blocks_["transition"]
    first_move = model.embedding_.transform(data.Y, states=paths)[:, columns][:, :2]
    explained = LinearRegression().fit(last, first_move).score(last, first_move)
    print(f"{name:6} states: {explained:.3f}")
    assert (explained > 0.02) == (name == "hidden")

# %% [markdown]
# The states themselves are another matter: by {eq}`eq-similarity` those that EM finds are the true
# ones up to a linear map, which only known states could tell. We estimate it here from the
# training series, for the picture.

# %%
smoothed = hidden.embedding_.model_.smooth(Y).means
link = LinearRegression(fit_intercept=False)
link.fit(smoothed.reshape(-1, 2), states.reshape(-1, 2))
own = hidden.predict_states(X_test)
mapped = link.predict(own.reshape(-1, 2)).reshape(own.shape)
paths = {"known": given.predict_states(X_test), "hidden": own, "hidden, mapped": mapped}
for name, P in paths.items():
    error = rrmse(states_test.reshape(n_test, -1), P.reshape(n_test, -1))
    print(f"states {name}: RRMSE of the path {error:.3f}")

# %% mystnb={"figure": {"name": "fig-predicted-states", "caption": "Predicted path of the states of the same test series, and its true path. With known states both live in the same plane. Hidden ones have a plane of their own, here turned and stretched; a linear map brings them back."}, "image": {"alt": "Three panels with a solid irregular path and a dashed smooth spiral. In the first and the last panel the spiral starts near the path; in the middle one it has another size and orientation."}}
panels = [{"truth": states_test[shown], "predicted": P[shown]} for P in paths.values()]
_ = plot_state_paths(panels, list(paths))

# %% [markdown]
# ## What we found
#
# - Filter, smoother and EM agree with the joint Gaussian and with pykalman, and treat all series
#   at once, because no data enter the recursion of the covariances.
# - Hidden states are found up to a linear map. Eigenvalues, likelihoods and predictions can be
#   compared; matrices cannot.
# - The embedding is the series' innovations. Decoding is an exact recursion, without a search.
# - With one ridge and an intercept the method is kernel ridge regression on the series, for every
#   model and a given ridge. The model speaks through separate ridges: it declares innovations to be
#   noise, and leave-one-out agreed on these data.
# - Three errata: the emissions start at $t = 1$, $Q \eta_t$ should be $Q^{1/2} \eta_t$, and
#   $C \hat z_{t-1}$ should be $C m_t$.
#
# ## What this changes for you
#
# Use a state-space model of your outputs with one ridge per block, or not at all: with a single
# ridge and an intercept it cancels. Compare models of hidden states by predictions and eigenvalues,
# not by their matrices.
#
# ## Exercises
#
# ```{exercise} Quick
# :label: ex-steady-state
#
# After some steps the entries of `truth.filter(data.series[:1]).predicted_covariances[0]` no longer
# change. Which equation does the limit solve, and which function of SciPy solves it without a
# filter?
# ```
#
# ```{solution} ex-steady-state
# :class: dropdown
#
# Put the three lines for $P$, $S$ and $K$ of {eq}`eq-kalman-filter` together and drop the time:
#
# $$
# P = A \big( P - P C\T (C P C\T + R)^{-1} C P \big) A\T + Q ,
# $$
#
# a discrete algebraic Riccati equation. It is the one of optimal control with transposed
# matrices, and `scipy.linalg.solve_discrete_are(A.T, C.T, Q, R)` solves it. After ten steps the
# filter is within $10^{-6}$ of the solution. It forgets its start much faster than the series
# does, $0.95^{10}$ being still 0.6, because every observation helps.
# ```
#
# ```{exercise} Quick
# :label: ex-smoothed-score
#
# With known states the mean score in $Q$ is zero. With hidden ones, whose smoothed means take their
# place, it is not. Which sign do its diagonal entries have, and what is missing?
# ```
#
# ```{solution} ex-smoothed-score
# :class: dropdown
#
# They are negative. In {eq}`eq-em-steps` the maximum is at $Q = \operatorname{mean}
# \operatorname{E}[\varepsilon \varepsilon\T]$ for $\varepsilon = m_t - A m_{t-1}$, and an expected
# product is the product of the means plus a covariance. Smoothed means have the first part only:
# their innovations are much smaller than those of the states. So the full score at smoothed means
# is not the score of the observed series; that would be the expectation of
# {eq}`eq-state-space-score`. The reduced embedding is linear in the states, and so for it the
# expectation *is* the value at the smoothed means.
# ```

# %% tags=["hide-input"]
limit = truth.filter(data.series[:1]).predicted_covariances[0, 10]
transposed = truth.transition_matrix_.T, truth.observation_matrix_.T
noise = truth.transition_covariance_, truth.observation_covariance_
assert np.allclose(limit, solve_discrete_are(*transposed, *noise), atol=1e-6)
assert 0.59 < 0.95**10 < 0.6
at_means = embedding.fisher_vector(Y).reshape(n_train, -1, 6)[:, 1:n_steps, 2:]
assert at_means.sum(axis=1).mean(axis=0)[[0, 3]].max() < -1

# %% [markdown]
# ```{exercise} Code
# :label: ex-consistent-paths
#
# A prediction comes with a decoded path, `predict_states(X_test)`. One could also smooth the
# predicted series, `embedding_.model_.smooth(predict(X_test)).means`. Are they the same for one
# ridge? For one ridge per block?
# ```
#
# ```{solution-start} ex-consistent-paths
# :class: dropdown
# ```

# %%
apart = {}
for name, block_wise in [("one ridge", False), ("one ridge per block", True)]:
    model = OutputFisherRegressor(embedding, squared_error_ridge(), block_wise=block_wise).fit(X, Y)
    smoothed_again = model.embedding_.model_.smooth(model.predict(X_test)).means
    apart[name] = np.abs(model.predict_states(X_test) - smoothed_again).max()
    print(f"{name}: the same path: {apart[name] < 1e-8}")
assert apart["one ridge"] < 1e-8 < 0.1 < apart["one ridge per block"]

# %% [markdown]
# For one ridge they agree to rounding: the smoother is affine, so the argument of
# {prf:ref}`thm-dynamics-cancel` applies to it as well. For one ridge per block they differ visibly.
# The prediction is then no combination of the training pairs of series and path, and the pre-image
# {eq}`eq-sequential-preimage`, free to choose both, does not ask that they belong together.
#
# ```{solution-end}
# ```
#
# ```{exercise} Open
# :label: ex-wrong-model
#
# Do separate ridges protect the method from a wrong model? Give the embedding one that cannot turn,
# `StateSpaceEmbedding(1, max_iter=3000, fit_offset=False)`.
# ```
#
# ```{solution} ex-wrong-model
# :class: dropdown
#
# Look at the ridges that leave-one-out chooses for transitions and emissions: are these still
# noise, if the model leaves the oscillation to them? Then compare the error with that of kernel
# ridge regression.
# ```
