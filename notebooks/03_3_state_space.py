# ---
# jupyter:
#   kernelspec: {display_name: Python 3, language: python, name: python3}
# ---

# %% [markdown]
# # The state space
#
# *Sections 3.3 and 4.3 of {cite:t}`djerrab2018`*
#
# **The question.** Suppose that each output is a time series. Does a model of the series help to
# predict them from inputs?
#
# **The idea.** A *state-space model* says that a hidden state follows a linear rule, and that we
# see the state through noise. The paper describes a series by its *innovations*, the parts that the
# rule does not foresee. It predicts them from the input and replays the rule. (These
# innovations are not the one-step forecast errors that the literature on Kalman filters calls innovations.)
#
# **The answer.** With one ridge parameter and an intercept the model cancels. The method is then
# plain ridge regression of the series, whatever the model. With a ridge parameter for each kind of
# innovation, leave-one-out can declare innovations to be noise. On series that do come from such a
# model, this lowers the error in all ten data sets that we drew.

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

from ofer import (
    KernelRidgeCV,
    LinearGaussianSSM,
    OutputFisherRegressor,
    StateSpaceEmbedding,
)
from ofer.metrics import rrmse
from reproduction.datasets.generated.state_space_series import make_state_space_series
from reproduction.methods.squared_error_ridge import squared_error_ridge
from reproduction.studies.embedding.figures.state_space import (
    plot_eigenvalues,
    plot_filter_and_smoother,
    plot_innovations,
    plot_likelihoods,
    plot_sampled_series,
    plot_shrinkage,
    plot_state_paths,
    plot_state_space_graph,
)
from reproduction.studies.embedding.filter_forms import (
    compare_forms,
    level_of,
    smooth_by_covariances,
    smooth_by_ofer,
)
from reproduction.studies.embedding.shrinkage import errors_of_shrinkage, shrunk

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
# $A$ is the rule of motion, and $Q$ says how far a step may stray from it. $C$ is the view, and $R$
# its noise. Given the present state, past and future are independent: no arrow of
# {numref}`fig-state-space-graph` leads around a state.

# %% mystnb={"figure": {"name": "fig-state-space-graph", "caption": "The state-space model of four steps: states (hollow) are hidden, observations (shaded) are seen. Each arrow carries the matrices of its conditional distribution."}, "image": {"alt": "Graph with a chain of four circles m1 to m4, joined by arrows marked A and Q. From each of them an arrow marked C and R leads down to a grey circle, z1 to z4."}}
_ = plot_state_space_graph()

# %% [markdown]
# The data of this chapter come from such a model. A point in the plane turns by a tenth of a circle
# at each step, loses a twentieth of its size and gets a push. Two sensors see one coordinate each.
# The first half of a series is the input, and the second half is the output.
#
# ## The embedding
#
# The method is output Fisher embedding regression (OFER): embed the outputs, regress the embeddings
# on the inputs, decode the predictions. The embedding of a series $z_1, \ldots, z_T$ with states
# $m_1, \ldots, m_T$ has three *blocks*:
#
# ```{math}
# :label: eq-innovations
# \begin{array}{lcc}
# & \textit{score (the paper's)} & \textit{natural (our default)} \\
# \text{initial} & \Sigma_0^{-1} (m_1 - \mu_0) & m_1 - \mu_0 \\
# \text{transition} & Q^{-1} (m_t - A m_{t-1}) & m_t - A m_{t-1} \\
# \text{emission} & R^{-1} (z_t - C m_t) & z_t - C m_t
# \end{array}
# ```
#
# The paper's *score scaling* multiplies the innovations by an inverse covariance. Our *natural
# scaling* leaves them in their own unit. The matrices come from the training outputs, by maximum
# likelihood. Where the states are hidden, their *smoothed means* take their place: their
# expectations given the whole output.
#
# Decoding starts from the predicted first state, replays the rule and adds the predicted
# innovations. It is exact, and needs no search.
#
# ## One ridge parameter per block
#
# With one ridge parameter for all blocks and an intercept, nothing of the model is left in the
# predictions ({prf:ref}`thm-dynamics-cancel`). So what does the model know that ridge regression of
# the series does not know? It knows that innovations are *noise*. By {eq}`eq-state-space` they are
# independent of everything before them, and no input from the past can predict them. Of the three
# blocks only the first can be learned. (For smoothed means this holds nearly, see *States known or
# hidden*.)
#
# Separate ridge parameters can say this. A large one on transitions and emissions shrinks their
# predictions to the intercept, the mean innovation, which is about zero. Decoding is then
# $m_t = A m_{t-1}$ and $z_t = C m_t$. The regression learns the first state, $d$ numbers instead of
# $T (d + p)$, and the model does the rest.
#
# {numref}`fig-shrinkage` moves from one end to the other. The ridge parameter of the initial block
# is the one that leave-one-out chooses; the other one moves. On the left, innovations are learned
# like everything else; on the right, the model makes its own forecast from a learned start. The
# line below is the forecast of the Kalman filter with the true matrices, which no method can beat
# on average. The error is the {term}`RRMSE`.

# %% tags=["hide-input"]
shape = {"n_steps": 2 * n_steps, "n_given": n_steps, "n_observed": 2}
data = make_state_space_series(n_train + n_test, **shape, random_state=seed)
truth = data.model
A, Q = truth.transition_matrix_, truth.transition_covariance_
C, R = truth.observation_matrix_, truth.observation_covariance_
mu0, Sigma0 = truth.initial_mean_, truth.initial_covariance_
X, Y, states = data.X[:n_train], data.Y[:n_train], data.states[:n_train]
X_test, Y_test, states_test = data.X[n_train:], data.Y[n_train:], data.states[n_train:]

embeddings = {
    scaling: StateSpaceEmbedding(2, scaling=scaling, max_iter=1000, fit_offset=False).fit(Y)
    for scaling in ("natural", "score")
}
embedding = embeddings["natural"]
blockwise = OutputFisherRegressor(embedding, squared_error_ridge(), block_wise=True).fit(X, Y)
ridges = np.logspace(1.5, 5.5, 9)

# %% mystnb={"figure": {"name": "fig-shrinkage", "caption": "Above, the test series with the most swing at the end of its input, and its predictions with a small and a large ridge parameter on the innovations. Below, test error against the common ridge parameter of transitions and emissions, mean of ten data sets (the band is one standard error)."}, "image": {"alt": "Above, a series before and after the present, and three predictions that swing with it and die out, the one with a small ridge less smoothly. Below, an error that falls with the ridge, crosses the line of kernel ridge regression and levels off below it, above the line of the Kalman forecast."}}
draws = [
    make_state_space_series(n_train + n_test, **shape, random_state=seed + k) for k in range(10, 20)
]
errors = np.array([errors_of_shrinkage(draw, n_train, embedding, ridges) for draw in draws])
path, (krr, chosen, bound) = errors[:, : len(ridges)].T, errors[:, len(ridges) :].T

present = truth.filter(data.series[n_train:]).means[:, n_steps - 1]
shown = np.linalg.norm(present, axis=1).argmax()
small, large = shrunk(blockwise, X, Y, X_test, ridges[[0, -1]])
before = data.series[[n_train + shown], :n_steps]
predictions = {
    "small ridge on innovations": small[shown, :, 0],
    "large ridge": large[shown, :, 0],
    "Kalman, true matrices": truth.forecast(before, n_steps).means[0, :, 0],
}
levels = {"kernel ridge regression": krr, "Kalman, true matrices": bound}
_ = plot_shrinkage(before[0, :, 0], Y_test[shown, :, 0], predictions, ridges, path, levels)

# %%
assert path[0].mean() > krr.mean() > path[-1].mean() > bound.mean()

# %% [markdown]
# A small ridge parameter fits the innovations, noise included. With a large one the model turns the
# learned start on its way and damps it. Leave-one-out sees the training series only, and finds the
# large values by itself. The table compares the result on ten data sets, each with its own training
# and test series:

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
assert np.all(gains > 0)
assert len(gains) == 10
assert 0.35 < gains.mean() / (krr - bound).mean() < 0.45
assert bound.mean() < chosen.mean()

# %% [markdown]
# The error falls in all ten data sets, by two fifths of the gap between ridge regression and the best
# possible forecast. The reason
# is simple: these series *do* come from the model. On other data a forecast follows the wrong
# dynamics. A good choice then has to move the ridge parameters back to the left, towards the common
# one with which the model cancels. {doc}`The chapter on time series <06_2_time_series>` makes the
# full comparison, after the paper's Table 5.
#
# The rest of the chapter builds filter, smoother and the fit of the matrices, checks them by brute
# force and against another package, and derives embedding, decoding and theorem.
#
# ## What the model implies
#
# The matrices of this chapter's model are:

# %%
print(f"A {A.round(3).tolist()}\nQ {Q.round(3).tolist()}\nR {R.round(3).tolist()}")

# %% [markdown]
# The series are *stationary*: all states have the same distribution $\mathcal N(0, \Sigma)$. The
# covariance of $A m_{t-1}$ plus an independent push is $A \Sigma A\T + Q$, so stationarity requires
#
# $$
# \Sigma = A \Sigma A\T + Q .
# $$
#
# A solution exists when the eigenvalues of $A$ lie inside the unit circle. Here their modulus is
# 0.95. A series that starts from it, with $\Sigma_0 = \Sigma$, keeps this
# distribution at every step.

# %%
assert np.allclose(np.abs(np.linalg.eigvals(A)), 0.95)
assert np.allclose(Sigma0, solve_discrete_lyapunov(A, Q))
variances = data.series.var(axis=0).mean(axis=1)
assert abs(variances[-1] / variances[0] - 1) < 0.1

# %% mystnb={"figure": {"name": "fig-sampled-series", "caption": "Two series: left, the paths of the states, from the marker on; right, the first observation. Dotted lines are two standard deviations of the stationary distribution."}, "image": {"alt": "Left, two tangled spirals around the origin. Right, two irregular oscillations with a period of about ten steps, nearly always between the dotted lines."}}
deviation = np.sqrt((C @ Sigma0 @ C.T + R)[0, 0])
_ = plot_sampled_series(data.paths[:2], data.series[:2], deviation)

# %% [markdown]
# The paper writes a step as $m_t = A m_{t-1} + Q \eta_t$ with a standard normal $\eta_t$. The
# covariance of $Q \eta_t$ is $Q Q\T$. But the next lines of the paper, and its equations 11 and 12,
# need it to be $Q$. That takes a root of $Q$, such as its Cholesky factor. A sample shows the
# difference. It is one of several {doc}`errata <90_errata>` of these sections.

# %%
rng = np.random.default_rng(seed)
eta = rng.standard_normal((100_000, 2))
steps = {"as printed, Q eta": eta @ Q.T, "root of Q times eta": eta @ cholesky(Q)}
print(f"variance of a step, wanted: {Q[0, 0]:.3f}")
for name, noise in steps.items():
    print(f"{name}: {np.cov(noise.T)[0, 0]:.3f}")

# %% [markdown]
# ## Filter and smoother
#
# Where is the state, given the observations? States and observations are jointly Gaussian, so one
# fact suffices. For jointly Gaussian $a$ and $b$ with means $\mu_a, \mu_b$ and covariances
# $S_{aa}, S_{ab}, S_{bb}$,
#
# ```{math}
# :label: eq-conditioning
# \operatorname{E}[a \mid b] = \mu_a + S_{ab} S_{bb}^{-1} (b - \mu_b) , \qquad
# \operatorname{Cov}[a \mid b] = S_{aa} - S_{ab} S_{bb}^{-1} S_{ba} .
# ```
#
# *Why?* Let $G = S_{ab} S_{bb}^{-1}$, and let $c = a - \mu_a - G (b - \mu_b)$ be what the best
# linear guess from $b$ leaves of $a$. Then, because $G S_{bb} = S_{ab}$,
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
# For a whole series at once this needs matrices of size $Tp$. The graph allows us to go step by
# step. Write $m_{t|s}$ and $P_{t|s}$ for mean and covariance of $m_t$ given $z_1, \ldots, z_s$.
#
# *The filter* of {cite:t}`kalman1960` takes two moves for each step.
#
# 1. *Move on.* The state $m_t$ is $A m_{t-1}$ plus a push that is independent of the past. So its
#    mean is $A m_{t-1|t-1}$, and its covariance is $A P_{t-1|t-1} A\T + Q$.
# 2. *Take in $z_t$.* Apply {eq}`eq-conditioning` with $a = m_t$ and $b = z_t$, given the past. As
#    $z_t$ is $C m_t$ plus independent noise, $S_{ab} = P_{t|t-1} C\T$ and
#    $S_{bb} = C P_{t|t-1} C\T + R$.
#
# Together, with $S_t$ for $S_{bb}$ and the *gain* $K_t$ for $S_{ab} S_{bb}^{-1}$:
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
# The likelihood comes along, because $z_t$ given its past is $\mathcal N(C m_{t|t-1}, S_t)$, and
# the density of a series is the product of these.
#
# *The smoother* {cite:p}`rauch1965` then walks back, from $t = T$ to 1.
#
# 1. *Suppose that $m_{t+1}$ were known.* Then $z_{t+1}, \ldots, z_T$ have nothing to add about
#    $m_t$, because all of their paths to it lead through $m_{t+1}$. So apply {eq}`eq-conditioning`
#    with $a = m_t$ and $b = m_{t+1}$, given $z_1, \ldots, z_t$.
# 2. *Insert the covariances.* $S_{aa} = P_{t|t}$ and $S_{bb} = P_{t+1|t}$. As
#    $m_{t+1} = A m_t + \varepsilon$ with an independent push, $S_{ab} = P_{t|t} A\T$. With
#    $J_t = P_{t|t} A\T P_{t+1|t}^{-1}$ this is
#
#    $$
#    m_t \mid m_{t+1}, z_{1 \ldots T} \;\sim\; \mathcal N \big(
#      m_{t|t} + J_t (m_{t+1} - m_{t+1|t}) , \; P_{t|t} - J_t P_{t+1|t} J_t\T \big) .
#    $$
#
# 3. *Average over $m_{t+1}$*, which is only known to be $\mathcal N(m_{t+1|T}, P_{t+1|T})$. The
#    mean keeps its form, with $m_{t+1|T}$ in place of $m_{t+1}$. The covariance gains that of the
#    mean, $J_t P_{t+1|T} J_t\T$.
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
# The conditional mean of step 2 also gives
# $\operatorname{Cov}(m_t, m_{t+1} \mid z_{1 \ldots T}) = J_t P_{t+1|T}$, which the fit will need.
#
# A missing entry of $z_t$ removes its row of $C$, and its row and column of $R$; the rest of the
# step stays as it is. In
# {numref}`fig-filter-and-smoother` both sensors fail for eight steps, and one of them for a moment
# later on. In the gap the filter knows only the past, and its band grows until the sensors are
# back. The smoother knows both ends.

# %% mystnb={"figure": {"name": "fig-filter-and-smoother", "caption": "Filter and smoother on a series with missing entries (shaded). Above, their means for the first coordinate, with bands of two standard deviations; below, the standard deviations."}, "image": {"alt": "Above, an oscillating truth, dots around it, a wide band and a narrower one inside it. In a shaded gap both widen. Below, two curves that rise in the gap, the one of the filter to more than twice its usual height at the end of the gap, the one of the smoother less and in the middle."}}
holed = data.series[0].copy()
holed[14:22] = np.nan
holed[31, 0] = np.nan
_ = plot_filter_and_smoother(truth, holed, data.paths[0])

# %% [markdown]
# Are the recursions right? For four steps we can afford the joint covariance of everything, and
# apply {eq}`eq-conditioning` in one go. Inserting the rule again and again gives
# $m_t = A^{t-1} m_1 + \sum_{s=2}^t A^{t-s} \varepsilon_s$. So the states are a block triangular
# matrix of powers of $A$ times independent noise.

# %%
T = 4
zero = np.zeros_like(A)
powers = [np.linalg.matrix_power(A, k) for k in range(T)]
L = np.block([[powers[t - s] if s <= t else zero for s in range(T)] for t in range(T)])
S_mm = L @ block_diag(Sigma0, Q, Q, Q) @ L.T
view = np.kron(np.eye(T), C)
S_zm = view @ S_mm
S_zz = S_zm @ view.T + np.kron(np.eye(T), R)

# %% [markdown]
# Smoothed means and covariances, those of neighbours, and the log-likelihood agree with this joint
# Gaussian, for a series with missing entries. The smoother checks the filter: at each time the
# filter is the smoother of the series so far.

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
assert np.allclose(smoothed.means[0].ravel(), mean, atol=1e-12)
assert np.allclose(smoothed.covariances[0], blocks, atol=1e-12)
assert np.allclose(by_formula, lagged, atol=1e-12)
assert np.allclose(smoothed.lag_one_covariances[0].mT, lagged, atol=1e-12)
assert np.allclose(smoothed.loglikelihoods, density)
so_far = [truth.smooth(short[None, : t + 1]).means[0, -1] for t in range(T)]
assert np.allclose(past.means[0], so_far, atol=1e-12)

# %% [markdown]
# A series that ends is like a gap without an end. The first line of {eq}`eq-kalman-filter` goes on
# alone, and the forecast of $z_t$ has the covariance $S_t$. If these covariances are honest, 95 %
# of the observations lie within 1.96 standard deviations, at any distance. The shares in the table
# stay within three points of that.

# %% mystnb={"figure": {"caption": "Forecasts of 1 to 20 steps, every fourth shown: their mean standard deviation, and the share of observations within 1.96 of these, which should be 0.95."}}
future = truth.forecast(data.series[:, :n_steps], n_steps)
deviations = np.sqrt(np.diagonal(future.covariances, axis1=-2, axis2=-1))
inside = np.abs(data.series[:, n_steps:] - future.means) < 1.96 * deviations
rows = {"standard deviation": deviations.mean(axis=(0, 2)), "inside": inside.mean(axis=(0, 2))}
ahead = pd.RangeIndex(1, n_steps + 1, name="steps ahead")
pd.DataFrame(rows, index=ahead)[::4].round(3)

# %%
assert np.abs(rows["inside"] - 0.95).max() < 0.03

# %% [markdown]
# ## Which form of the filter, and why
#
# The equations above can be computed as they stand. That is the *covariance form* of the textbooks,
# and it loses digits in two cases that are common in practice. The smoother {eq}`eq-kalman-smoother`
# divides by the predicted covariance, which becomes singular where states have no noise of their own
# and decay. And if the prior is vague and the sensors are exact, the covariance that is left is the
# difference of two large, nearly equal matrices.
#
# {class}`ofer.LinearGaussianSSM` carries square roots of covariances from step to step by QR
# decompositions, and its smoother goes back through the same rotations. It inverts no covariance of
# states, and no variance can become negative. {numref}`tab-filter-forms` sets both forms, and that of
# pykalman, beside a direct solution: the first state and all innovations are the unknowns of one
# least-squares problem.


# %%
def by_pykalman(A, Q, r, S, z):
    """The smoother of pykalman; the sensor sees the first of two states."""
    start = {"initial_state_mean": [0.0, 0.0], "initial_state_covariance": S}
    return KalmanFilter(A, [[1.0, 0.0]], Q, [[r]], **start).smooth(z)


FORMS = {
    "covariance form": smooth_by_covariances,
    "pykalman": by_pykalman,
    "LinearGaussianSSM": smooth_by_ofer,
}
wrong = pd.DataFrame(compare_forms(FORMS))

# %% mystnb={"figure": {"name": "tab-filter-forms", "caption": "Largest error of smoothed means and covariances over forty steps, in units of the smoothed standard deviations, by form of the smoother."}}
wrong.map(level_of)

# %%
assert (wrong["LinearGaussianSSM"] < 1e-6).all()
assert (wrong.loc["an ordinary model"] < 1e-9).all()

# %% [markdown]
# ## Fitting the matrices to many series
#
# In practice the matrices $\theta = (\mu_0, \Sigma_0, A, Q, C, R)$ are unknown, and there are $n$
# training series to learn them from. With known states, $\log p(m, z; \theta)$ would be a sum of
# Gaussian terms, easy to maximise. The EM algorithm {cite:p}`shumway1982` uses the expectation of
# that sum. For any distribution $q$ of the states,
#
# ```{math}
# :label: eq-em-bound
# \log p(z; \theta) = \log \int q(m) \frac{p(m, z; \theta)}{q(m)} \, dm
# \;\ge\; \operatorname{E}_q[\log p(m, z; \theta)] - \operatorname{E}_q[\log q(m)] ,
# ```
#
# because the logarithm of a mean is at least the mean of the logarithms (Jensen's inequality). For
# $q = p(m \mid z; \theta)$ the fraction is the constant $p(z; \theta)$, and both sides are equal.
#
# - The *E-step* takes this $q$ at the present matrices, so the bound touches the likelihood there.
# - The *M-step* maximises the bound over $\theta$. The likelihood cannot fall: it is at least the
#   bound at the new matrices, which is at least the bound at the old ones, which is the old
#   likelihood.
#
# Only the first term of the bound depends on $\theta$. It is a sum of three parts, for first
# states, transitions and emissions. The part of the transitions is
#
# $$
# - \frac12 \sum \Big( \log |2 \pi Q| + \operatorname{tr} Q^{-1}
#   \operatorname{E} \big[ (m_t - A m_{t-1})(m_t - A m_{t-1})\T \big] \Big) .
# $$
#
# *The derivative in $A$* is
# $Q^{-1} \sum \big( \operatorname{E}[m_t m_{t-1}\T] - A \operatorname{E}[m_{t-1} m_{t-1}\T] \big)$.
# Whatever $Q$ is, it is zero for the first line of {eq}`eq-em-steps`.
#
# *The derivative in $Q^{-1}$* is half of $\sum \big( Q - \operatorname{E}[\ldots] \big)$, because
# $\partial \log |Q^{-1}| / \partial Q^{-1} = Q$. It is zero for the second line.
#
# *The emissions* are alike, with $z_t$ in the place of $m_t$ and $m_t$ in that of $m_{t-1}$:
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
# Sums and means run over the steps of all series; $\mu_0$ and $\Sigma_0$ are mean and covariance of
# the first states. An expected product is the product of the means *plus* a covariance. With the
# smoother's results,
#
# $$
# \begin{aligned}
# \operatorname{E}[m_t m_t\T] &= m_{t|T} m_{t|T}\T + P_{t|T} , \\
# \operatorname{E}[m_{t+1} m_t\T] &= m_{t+1|T} m_{t|T}\T + P_{t+1|T} J_t\T .
# \end{aligned}
# $$
#
# So the fit takes the uncertainty about the states into account.
#
# Measured series have a level, and the model has none: all its series are around zero. So
# `LinearGaussianSSM` adds an offset $b$, $z_t = C m_t + b + \text{noise}$, unless it is told not
# to. Its M-step is the same least-squares problem with an intercept. In $C$ and $R$ of
# {eq}`eq-em-steps` all deviations are from the means over the steps, and $b = \bar z - C \bar m$.
# The series of this chapter have no level, so we keep to the paper's model and write
# `fit_offset=False`.
#
# As a check, {eq}`eq-em-steps` applied to the fifth iteration gives the sixth iteration of the
# code:

# %%
with warnings.catch_warnings(action="ignore"):  # both are cut short on purpose
    fifth, sixth = (
        LinearGaussianSSM(2, max_iter=k, tol=0, fit_offset=False).fit(Y) for k in (5, 6)
    )
m, P, lag_one, _ = fifth.smooth(Y)
now, previous = m[:, 1:], m[:, :-1]
squares = np.einsum("nti,ntj->ij", previous, previous) + P[:, :-1].sum(axis=(0, 1))
lagged = np.einsum("nti,ntj->ij", now, previous) + lag_one.sum(axis=(0, 1))
A_new = lagged @ np.linalg.inv(squares)
of_now = np.einsum("nti,ntj->ij", now, now) + P[:, 1:].sum(axis=(0, 1))
Q_new = (of_now - A_new @ lagged.T) / now[..., 0].size
C_new = np.einsum("nti,ntj->ij", Y, m) @ np.linalg.inv(
    np.einsum("nti,ntj->ij", m, m) + P.sum(axis=(0, 1))
)

# %%
assert np.abs(A_new - sixth.transition_matrix_).max() < 1e-10
assert np.abs(Q_new - sixth.transition_covariance_).max() < 1e-10
assert np.abs(C_new - sixth.observation_matrix_).max() < 1e-10

# %% [markdown]
# {numref}`fig-em-likelihoods` fits one, two and three states to the training outputs, from a start that
# knows nothing. No iteration lowers the likelihood. With two and three states nearly all of the gain
# comes in the first ten iterations; with one state, the wrong model, it takes longer. EM creeps where
# it cannot tell states from noise. So after fifteen iterations `fit` climbs the log-likelihood itself,
# by a quasi-Newton method {cite:p}`jamshidian1997`. Its gradient comes from the same smoother pass.

# %%
paths = {}
for d in (1, 2, 3):
    start = LinearGaussianSSM.from_parameters(
        transition_matrix=0.5 * np.eye(d),
        transition_covariance=np.eye(d),
        observation_matrix=np.random.default_rng(seed).normal(size=(Y.shape[2], d)),
        observation_covariance=np.eye(Y.shape[2]),
        initial_mean=np.zeros(d),
        initial_covariance=np.eye(d),
        fit_offset=False,
        max_iter=1000,
    )
    paths[d] = start.fit(Y).loglikelihoods_

# %% mystnb={"figure": {"name": "fig-em-likelihoods", "caption": "Left, the log-likelihood of the training series after each of the fifteen iterations of EM; a thin line says where the fit ends. Right, what the iteration gains. Two states and three end at nearly the same height, one state stays far below."}, "image": {"alt": "Left, three rising curves; those of two and three states flatten at their thin lines, the one of one state stays far below them and below its own. Right, gains that fall by one to three orders of magnitude."}}
names = {d: f"{d} state{'s' * (d > 1)}" for d in paths}
_ = plot_likelihoods({names[d]: curve for d, curve in paths.items()}, n_shown=15)

# %%
shares = {}
for d, curve in paths.items():
    assert np.all(np.diff(curve) >= 0)
    shares[d] = (curve[10] - curve[0]) / (curve[-1] - curve[0])
assert shares[1] < 0.85 < 0.99 < min(shares[2], shares[3])
assert len(paths[1]) > max(len(paths[2]), len(paths[3])) > 16
assert abs(paths[2][-1] - paths[3][-1]) < 0.01 * (paths[2][-1] - paths[1][-1])

# %% [markdown]
# Without a start `fit` tries four, of which more is said below. It arrives at the same heights, with
# three states two nats higher.

# %%
fits = {d: LinearGaussianSSM(d, max_iter=1000, fit_offset=False).fit(Y) for d in (1, 2, 3)}
higher = {d: fits[d].loglikelihoods_[-1] - paths[d][-1] for d in fits}
assert max(abs(higher[1]), abs(higher[2])) < 0.1
assert round(higher[3]) == 2

# %% [markdown]
# At its maximum a larger model never fits the training series worse. New series decide how many
# states there are. One state is worse than the true number, two;
# a third gains nothing:

# %% mystnb={"figure": {"caption": "Log-likelihood per entry of the training and of the test series, by the number of states (rows). More is better."}}
rows = {
    d: (model.loglikelihoods_[-1] / Y.size, model.loglikelihood(Y_test).sum() / Y_test.size)
    for d, model in fits.items()
}
columns = ["training series", "test series"]
per_entry = pd.DataFrame.from_dict(rows, orient="index", columns=columns).rename_axis("states")
per_entry.round(3)

# %%
assert np.all(np.diff(per_entry["training series"]) > 0)
assert per_entry["test series"].idxmax() == 2

# %% [markdown]
# Why is this quick? No $z_t$ occurs in the lines for $P$, $S$, $K$ and $J$ of
# {eq}`eq-kalman-filter` and {eq}`eq-kalman-smoother`. Covariances and gains depend on the matrices
# and on the time, not on the data. Series of one length with nothing missing share them, so the
# code computes and stores them once. What is left for each series is a handful of products, done
# for all series at once. After some steps the covariances hardly change (lower panel of
# {numref}`fig-filter-and-smoother`), and one gain serves all further steps
# ({ref}`ex-steady-state`).
#
# A missing entry changes the recursion from its time on. Series with holes in the same places still
# share it. When each series has its own holes, each needs its own covariances. The work is then
# batched over all these patterns, and slower (see {doc}`speed`), but there is no loop over series.

# %%
shared = truth.filter(data.series).covariances
assert np.all(shared == shared[:1])
assert shared.strides[0] == 0  # stored once
rng = np.random.default_rng(seed)
with_holes = np.where(rng.uniform(size=data.series.shape) < 0.1, np.nan, data.series)
covariances = truth.filter(with_holes).covariances.reshape(len(with_holes), -1)
assert len(np.unique(covariances.round(9), axis=0)) == len(with_holes)

# %% [markdown]
# ## What is identified
#
# Turn the hidden plane by any invertible matrix $G$: put $G m_t$ in place of $m_t$, and
#
# ```{math}
# :label: eq-similarity
# A \to G A G^{-1}, \quad Q \to G Q G\T, \quad C \to C G^{-1}, \quad
# \mu_0 \to G \mu_0, \quad \Sigma_0 \to G \Sigma_0 G\T .
# ```
#
# Nothing that can be observed changes. The rule gives $G A G^{-1} G m_{t-1} = G A m_{t-1}$, its
# push has the covariance of $G \varepsilon_t$, and the view is $C G^{-1} G m_t = C m_t$. The
# likelihood is the same, although the matrix $A$ looks different:

# %%
G = np.array([[2.0, 1.0], [0.0, -0.5]])
back = np.linalg.inv(G)
turned = deepcopy(truth)
turned.transition_matrix_, turned.transition_covariance_ = G @ A @ back, G @ Q @ G.T
turned.observation_matrix_ = C @ back
turned.initial_mean_, turned.initial_covariance_ = G @ mu0, G @ Sigma0 @ G.T
print(f"A {A.round(2).tolist()}, turned {turned.transition_matrix_.round(2).tolist()}")

# %%
assert np.allclose(turned.loglikelihood(Y_test), truth.loglikelihood(Y_test), atol=1e-9)

# %% [markdown]
# So no data can tell these models apart, and it makes no sense to compare a fitted $A$ with the
# true one entry by entry. The models share the *eigenvalues* of $A$, because $G A G^{-1}$ has the
# same ones: their angle is the turn per step, their modulus the damping. We fit two states to ten
# draws of five series, and of fifty. More series, less scatter:

# %% mystnb={"figure": {"name": "fig-eigenvalues", "caption": "Eigenvalues of the fitted transition matrices in the unit circle, and the upper ones enlarged. The angle is the turn per step, the distance from the circle the damping."}, "image": {"alt": "Left, the unit circle with two clusters of marks, mirror images of each other, close to it on its right side; a small square frames the upper one. Right, one cluster enlarged: circles scatter widely around a star, squares lie close to it."}}
pool = make_state_space_series(10 * 50, **shape, random_state=seed + 1).Y.reshape(10, 50, -1, 2)
eigenvalues, fitted = np.linalg.eigvals(A), {}
for size in (5, 50):
    models = [
        LinearGaussianSSM(2, max_iter=500, tol=1e-4, fit_offset=False).fit(draw[:size])
        for draw in pool
    ]
    fitted[f"{size} series"] = np.linalg.eigvals([model.transition_matrix_ for model in models])
_ = plot_eigenvalues(eigenvalues, fitted)

# %%
for values, limit in zip(fitted.values(), (0.06, 0.02), strict=True):
    error = np.abs(values[values.imag > 0] - eigenvalues[eigenvalues.imag > 0])
    assert error.mean() < limit

# %% [markdown]
# ## Beside pykalman
#
# The authors used [pykalman](https://pykalman.github.io), a package for one series at a time. It is
# a good reference, because others wrote it from other sources. Given our fitted matrices and one
# series, filter, smoother and likelihood agree within $10^{-10}$. EM is deterministic, so the
# comparison extends to it: from the matrices after our first iteration, ten iterations of pykalman
# lead to ours after the eleventh.

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
peer, series = to_pykalman(fits[2]), data.series[:1]
filtered, smoothed = fits[2].filter(series), fits[2].smooth(series)
theirs = peer.filter(series[0]), peer.smooth(series[0])
for ours, (means, covariances) in zip((filtered, smoothed), theirs, strict=True):
    assert np.allclose(ours.means[0], means, rtol=0, atol=1e-10)
    assert np.allclose(ours.covariances[0], covariances, rtol=0, atol=1e-10)
loglikelihood = peer.loglikelihood(series[0])
assert np.allclose(filtered.loglikelihoods[0], loglikelihood, rtol=0, atol=1e-10)

with warnings.catch_warnings(action="ignore"):  # stopped long before it has converged
    first, eleventh = (
        LinearGaussianSSM(2, max_iter=k, tol=0, fit_offset=False).fit(series) for k in (1, 11)
    )
tenth = to_pykalman(first).em(series[0], n_iter=10)
for theirs, ours in names.items():
    assert np.abs(getattr(tenth, theirs) - getattr(eleventh, ours)).max() < 1e-10

# %% [markdown]
# The two packages differ in the task. pykalman takes one series; a set of them is a loop, and it
# has no EM over a set. And pykalman leaves out a whole step when one coordinate is missing; here
# the other coordinates of the step still count. Lists of series of different lengths are taken as
# they are. The page {doc}`speed` says what the loop costs.

# %%
looped = np.array([peer.smooth(series)[0] for series in data.series[:100]])
assert np.allclose(fits[2].smooth(data.series[:100]).means, looped, atol=1e-10)
one_missing, step_missing = series.copy(), series.copy()
one_missing[0, 10, 0] = step_missing[0, 10] = np.nan
theirs = peer.smooth(np.ma.masked_invalid(one_missing[0]))[0]
assert not np.allclose(fits[2].smooth(one_missing).means[0], theirs, atol=1e-10)
assert np.allclose(fits[2].smooth(step_missing).means[0], theirs, atol=1e-10)
ragged = [data.series[0, :7], with_holes[1], data.series[2, 5:30]]
assert [len(means) for means in fits[2].smooth(ragged).means] == [7, 2 * n_steps, 25]

# %% [markdown]
# EM finds *a* maximum, not *the* maximum. The series below is the sum of two oscillations, and the
# model has only two states, enough for one of them. We start pykalman at two oscillations of our
# choice.

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
pd.DataFrame(rows, columns=columns).set_index(columns[0]).round(2)

# %%
assert [round(row[1], 1) for row in rows] == [0.4, 2.0]

# %% [markdown]
# Each start has found the oscillation next to it. Neither is wrong, and EM does not lead from one
# to the other. With four states there is room for both. Our `fit` has four starts: principal
# components of the observations and their past, an autoregression, a trend, and a trend that was
# fitted. It tries a few iterations from each, and goes on from the best. It finds both oscillations
# without a hint:

# %%
with warnings.catch_warnings(action="ignore"):
    four = LinearGaussianSSM(4, max_iter=100, fit_offset=False).fit(beat[None, :, None])
frequencies = np.unique(np.abs(np.angle(np.linalg.eigvals(four.transition_matrix_))).round(2))
print(f"log-likelihood {four.loglikelihoods_[-1]:.2f}, frequencies {frequencies}")

# %%
assert np.allclose(frequencies, [0.4, 2.0], atol=0.05)

# %% [markdown]
# A trend and an autoregression are special cases of the model, so a fit should never be worse than
# these. The series below grow, each at its own rate, which fades. In a *damped trend* the first
# state is the level, the second one is the slope, and one number $\varphi$ says what is left of the
# slope after a step:
#
# $$
# A = \begin{pmatrix} 1 & 1 \\ 0 & \varphi \end{pmatrix} , \qquad
# C = \begin{pmatrix} 1 & 0 \end{pmatrix} .
# $$
#
# To fit it, `fixed` holds single entries of a matrix by a mask. The free model has no such
# structure, and nobody tells it that series grow:

# %% tags=["remove-cell"]
rng = np.random.default_rng(seed)
slopes = rng.normal(1, 0.2, size=(40, 1)) * 0.9 ** clock[:15] + 0.05 * rng.normal(size=(40, 15))
growing = (slopes.cumsum(axis=1) + 0.1 * rng.normal(size=slopes.shape))[:, :, None]
trend = LinearGaussianSSM.from_parameters(
    transition_matrix=[[1.0, 1.0], [0.0, 1.0]],
    transition_covariance=0.01 * np.eye(2),
    observation_matrix=[[1.0, 0.0]],
    observation_covariance=[[0.01]],
    initial_mean=[1.0, 1.0],
    initial_covariance=0.1 * np.eye(2),
    fit_offset=False,
    max_iter=1000,
)

# %% mystnb={"figure": {"caption": "Log-likelihood of forty growing series and number of free parameters: a damped trend, whose matrix is held but for one entry, and the free model of two states."}}
with warnings.catch_warnings(action="ignore"):  # variances of nearly zero
    damped = trend.fit(
        growing,
        fixed={
            "transition_matrix": [[True, True], [True, False]],
            "transition_covariance": ~np.eye(2, dtype=bool),
            "observation_matrix": True,
        },
    )
    free = LinearGaussianSSM(2).fit(growing)
phi = damped.transition_matrix_[1, 1]
print(f"phi {phi:.2f}")
pd.DataFrame(
    {
        "log-likelihood": [damped.loglikelihoods_[-1], free.loglikelihoods_[-1]],
        "parameters": [damped.n_parameters_, free.n_parameters_],
    },
    index=["damped trend", "free"],
).round(1)

# %%
assert abs(phi - 0.9) < 0.02
assert abs(free.loglikelihoods_[-1] - damped.loglikelihoods_[-1]) < 1
assert free.n_parameters_ == damped.n_parameters_ + 2

# %% [markdown]
# The free model ends at the same height. The damped trend needs two parameters fewer, because it
# knows the structure.

# %% [markdown]
# ## The Fisher score
#
# The output of the paper is a series *with* its states,
# $y = (z_1, \ldots, z_T, m_1, \ldots, m_T)$. Its density is a product along the arrows of
# {numref}`fig-state-space-graph`, so its logarithm is a sum:
#
# ```{math}
# :label: eq-joint-density
# \begin{aligned}
# \log p(y) = \log \mathcal N(m_1; \mu_0, \Sigma_0)
# &+ \sum_{t=2}^T \log \mathcal N(m_t; A m_{t-1}, Q) \\
# &+ \sum_{t=1}^T \log \mathcal N(z_t; C m_t, R) .
# \end{aligned}
# ```
#
# Each term belongs to one Gaussian. The paper differentiates each in the mean and the covariance of
# its own Gaussian, its equation 2:
#
# ```{math}
# :label: eq-state-space-score
# \begin{aligned}
# \phi_0 &= \nabla_{(\mu_0, \Sigma_0)} \log \mathcal N(m_1; \mu_0, \Sigma_0) , \\
# \phi_{1,t} &= \nabla_{(A m_{t-1}, Q)} \log \mathcal N(m_t; A m_{t-1}, Q) ,
# & t &= 2, \ldots, T , \\
# \phi_{2,t} &= \nabla_{(C m_t, R)} \log \mathcal N(z_t; C m_t, R) , & t &= 1, \ldots, T .
# \end{aligned}
# ```
#
# All of them have the form {eq}`eq-gaussian-score`. In print the emissions start at $t = 2$, with
# the mean $C m_{t-1}$. But the first state has an observation too, as
# {numref}`fig-state-space-graph` shows. Without its block $z_1$ could not be decoded. And the mean
# of $z_t$ is $C m_t$.
#
# The sizes add up to $T (d + d^2) + T (p + p^2)$: a mean and a covariance for each of the $T$
# states and the $T$ observations.
#
# Two checks. First, finite differences of the log-density agree with one block, the transition to
# the fifth state of the first series. Second, with given states maximum likelihood is least
# squares, and the mean score at the maximum must be zero. $Q$ belongs to all transitions, so its
# score is the sum over steps.

# %%
known = StateSpaceEmbedding(2, fit_offset=False).fit(Y, states=states)
scores = known.fisher_vector(Y, states=states)

m = states[0]
A_fit, Q_fit = known.model_.transition_matrix_, known.model_.transition_covariance_


def log_density(parameters):
    residual, covariance = m[4] - parameters[:2], parameters[2:].reshape(2, 2)
    _, log_determinant = np.linalg.slogdet(2 * np.pi * covariance)
    return -0.5 * (log_determinant + residual @ np.linalg.solve(covariance, residual))


numerical = approx_fprime(np.concatenate([A_fit @ m[3], Q_fit.ravel()]), log_density)
exact = scores[0].reshape(-1, 6)[4]
in_Q = scores.reshape(n_train, -1, 6)[:, 1:n_steps, 2:].sum(axis=1)

# %%
assert scores.shape[1] == n_steps * (2 + 4) + n_steps * (2 + 4)
assert np.allclose(numerical, exact, atol=1e-2)
assert np.allclose(in_Q.mean(axis=0), 0, atol=1e-8)

# %% [markdown]
# ## From the score to the embedding, and back
#
# The matrix $M$ of the paper keeps the first $d$ or $p$ coordinates of each block, the score of the
# mean. By {eq}`eq-gaussian-score` that is the inverse covariance times the residual. This gives the
# column *score* of {eq}`eq-innovations`, the paper's equations 11 and 12. The natural scaling
# multiplies by the covariance. The size is $T (d + p)$: more than the series has, but less than the
# full score.

# %%
H = embedding.transform(Y_test)
print({name: H[:, columns].shape[1] for name, columns in embedding.blocks_.items()})

# %% mystnb={"figure": {"name": "fig-innovations", "caption": "The embedding of the first test series, up to its twelfth step: from each smoothed state the model moves on (dotted, to the square), and an innovation corrects it (arrow). The second panel shows the residuals of the first observation."}, "image": {"alt": "Left, a plane with a path of dots that circles the centre; dotted lines lead from each dot to a square nearby, and short arrows from the square to the next dot. Right, a smooth curve, circles around it, and bars between curve and circles."}}
paths = embedding.model_.smooth(Y_test).means
_ = plot_innovations(embedding.model_, paths[0, :12], Y_test[0, :12])

# %% [markdown]
# Arrows and residuals of {numref}`fig-innovations`, together with the first state, are all there is
# to the series.
#
# *The way back*, Section 4.3 of the paper. Given a prediction $h = (h_0, h_{1,2}, \ldots, h_{1,T},
# h_{2,1}, \ldots, h_{2,T})$, the *pre-image* is the series with states whose embedding is nearest.
# It minimises a sum of squares over states and observations:
#
# ```{math}
# :label: eq-sequential-loss
# \begin{aligned}
# \| \Sigma_0^{-1} (m_1 - \mu_0) - h_0 \|^2
# &+ \sum_{t=2}^T \| Q^{-1} (m_t - A m_{t-1}) - h_{1,t} \|^2 \\
# &+ \sum_{t=1}^T \| R^{-1} (z_t - C m_t) - h_{2,t} \|^2 .
# \end{aligned}
# ```
#
# 1. *The first term* contains $m_1$ only. It is zero for $\Sigma_0^{-1} (m_1 - \mu_0) = h_0$.
#    Multiply by $\Sigma_0$ and add $\mu_0$.
# 2. *The transition terms.* Once $m_{t-1}$ is found, term $t$ has one unknown, $m_t$. It is zero
#    for $Q^{-1} (m_t - A m_{t-1}) = h_{1,t}$. Multiply by $Q$ and add $A m_{t-1}$.
# 3. *The emission terms.* Once $m_t$ is found, term $t$ has one unknown, $z_t$. Multiply by $R$ and
#    add $C m_t$.
#
# So every term can be brought to zero, whatever $h$ is, and a sum of squares cannot do better:
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
# In natural scaling the covariances disappear from this recursion. Either way it is exact and
# unique, a triangular system solved from the top. It costs $O(T (d + p)^2)$ per series. Decoding
# the embedding of a test series returns the series within $10^{-10}$, in both scalings.

# %%
for scaled in embeddings.values():
    again = scaled.inverse_transform(scaled.transform(Y_test))
    assert np.allclose(again, Y_test, rtol=0, atol=1e-10)

# %% [markdown]
# The paper's version of the last term has $C \hat z_{t-1}$ where {eq}`eq-innovations` has $C m_t$.
# Dimensions usually forbid it. Here $d = p = 2$, so we can try both, with the first observation for
# free:

# %%
C_fit = embedding.model_.observation_matrix_
residuals = H[:, embedding.blocks_["emission"]].reshape(n_test, n_steps, 2)
with_states = embedding.decode_states(H) @ C_fit.T + residuals
as_printed = Y_test.copy()
for t in range(1, n_steps):
    as_printed[:, t] = as_printed[:, t - 1] @ C_fit.T + residuals[:, t]
of_version = {}
for name, decoded in [("C m_t", with_states), ("C z_(t-1)", as_printed)]:
    of_version[name] = rrmse(Y_test.reshape(n_test, -1), decoded.reshape(n_test, -1))
    print(f"{name:9} RRMSE {of_version[name]:.3f}")

# %%
assert of_version["C m_t"] < 1e-10 < 1 < of_version["C z_(t-1)"]

# %% [markdown]
# ## Why the model cancels
#
# For mixtures there is a form of the method in which the model cancels
# ({prf:ref}`thm-model-cancels`). For state-space models it cancels in both scalings, with given
# or smoothed states, if all coordinates share weights that sum to one.
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
# *The weights sum to one.* Ridge regression with an intercept predicts the constant target 1 as 1,
# because the intercept fits it without loss and penalty. The prediction is
# $\sum_i a_i(x) \cdot 1$.
#
# *Decoding is affine.* Each line of {eq}`eq-sequential-preimage` is a matrix times a part of $h$
# plus a matrix times what was found before; only $\mu_0$ is a constant. So the series is
# $D(h) = B h + b$ with a matrix $B$ and a vector $b$.
#
# *Decoding inverts embedding:* $D(\phi(y_i)) = z^{(i)}$. The recursion first rebuilds the very path
# of states from which $\phi(y_i)$ was computed, and then the observations. So it does not matter
# which path that was.
#
# *Insert* the prediction into $D$. The constant $b$ is $\sum_i a_i \, b$, because the weights sum
# to one:
#
# $$
# D \Big( \sum_i a_i \, \phi(y_i) \Big) = \sum_i a_i \, B \phi(y_i) + \sum_i a_i \, b
# = \sum_i a_i \, D(\phi(y_i)) = \sum_i a_i \, z^{(i)} .
# $$
# ```
#
# The sum is the ridge regression of the series themselves. In both scalings, with known and with
# hidden states, the predictions of the code agree with it within $10^{-10}$.

# %%
ridge = KernelRidgeCV([10.0])
flat = ridge.fit(X, Y.reshape(n_train, -1)).predict(X_test).reshape(Y_test.shape)
one_ridge = OutputFisherRegressor(embedding, ridge, block_wise=False).fit(X, Y).predict(X_test)

# %%
assert np.abs(one_ridge - flat).max() < 1e-10
for unfitted in embeddings.values():
    for given in (None, states):
        model = OutputFisherRegressor(unfitted, ridge, block_wise=False)
        assert np.abs(model.fit(X, Y, states=given).predict(X_test) - flat).max() < 1e-10

# %% [markdown]
# *Without an intercept*, as in the paper, the weights do not sum to one. In the last step, $b =
# \sum_i a_i \, b + (1 - \sum_i a_i) \, b$, and $b = D(0)$. So the missing weight goes to $D(0)$,
# the path of a series without innovations, $C A^{t-1} \mu_0$. That is an intercept too, one that
# the model chose. For a stationary series it is nearly zero, and the paper's form falls back on
# ridge regression without an intercept.

# %%
bare = KernelRidgeCV([10.0], fit_intercept=False)
without = OutputFisherRegressor(embedding, bare, block_wise=False).fit(X, Y).predict(X_test)
weights = bare.fit(X, np.eye(n_train)).predict(X_test)
rest = embedding.inverse_transform(np.zeros((1, H.shape[1])))
expected = np.tensordot(weights, Y, 1) + (1 - weights.sum(axis=1))[:, None, None] * rest

# %%
assert np.allclose(without, expected, atol=1e-10)

# %% [markdown]
# ## What separate ridge parameters choose
#
# A ridge parameter for each block breaks the first assumption of {prf:ref}`thm-dynamics-cancel`:
# the weights differ between coordinates. Leave-one-out on the training series chooses a moderate
# one for the initial block. For transitions and emissions it chooses the largest of its 25
# candidates:

# %%
for name, regressor in blockwise.regressor_.items():
    place = np.searchsorted(regressor.alphas_, regressor.alpha_) + 1
    print(f"{name:10} ridge {regressor.alpha_:9.0f}, candidate {place} of 25")

# %%
for name, regressor in blockwise.regressor_.items():
    assert len(regressor.alphas_) == 25
    assert (regressor.alpha_ == regressor.alphas_[-1]) == (name != "initial")

# %% [markdown]
# ## States known or hidden
#
# The paper's generated series come with their states. `fit` takes them as `states`, and
# `predict_states` returns the decoded path. With known states there is nothing for EM to do: the
# matrices are least squares, in closed form, and in the coordinates of the data. Known states
# predict these series a little better on this draw:

# %%
hidden = blockwise
given = OutputFisherRegressor(embedding, squared_error_ridge(), block_wise=True).fit(
    X, Y, states=states
)
errors = {}
for name, model in [("known", given), ("hidden", hidden)]:
    errors[name] = rrmse(Y_test.reshape(n_test, -1), model.predict(X_test).reshape(n_test, -1))
    print(f"states {name}: RRMSE of the series {errors[name]:.3f}")

# %%
assert errors["known"] < errors["hidden"]

# %% [markdown]
# A reason is that smoothed means are not the states. The smoother knows the output only. Where the
# output leaves a doubt about the first state, the smoother moves this state towards $\mu_0$. The
# input knows better. So what the smoother holds back turns up in the first innovations, and can be
# predicted there. That innovations are noise holds for smoothed means only nearly. How much of the
# variance of the first transition innovation does a regression on the filtered state at the end of
# the input explain? Its $R^2$ is:

# %%
last = truth.filter(data.series).means[:, n_steps - 1]
shares = {}
for name, model, paths in [("known", given, data.states), ("hidden", hidden, None)]:
    columns = model.embedding_.blocks_["transition"]
    first_move = model.embedding_.transform(data.Y, states=paths)[:, columns][:, :2]
    shares[name] = LinearRegression().fit(last, first_move).score(last, first_move)
    print(f"{name:6} states: {shares[name]:.3f}")

# %%
assert shares["known"] < 0.02 < shares["hidden"]

# %% [markdown]
# The states themselves are another matter. By {eq}`eq-similarity`, EM finds them up to a linear
# map, and only known states can tell this map. We estimate it from the training series.
# {numref}`fig-predicted-states` shows the predicted path of one test series. With known states,
# prediction and truth live in the same plane. Hidden states have a plane of their own, here turned
# and stretched, and the linear map brings them back.

# %%
smoothed = hidden.embedding_.model_.smooth(Y).means
link = LinearRegression(fit_intercept=False)
link.fit(smoothed.reshape(-1, 2), states.reshape(-1, 2))
inferred = hidden.predict_states(X_test)
mapped = link.predict(inferred.reshape(-1, 2)).reshape(inferred.shape)
paths = {"known": given.predict_states(X_test), "hidden": inferred, "hidden, mapped": mapped}
of_path = {}
for name, P in paths.items():
    of_path[name] = rrmse(states_test.reshape(n_test, -1), P.reshape(n_test, -1))
    print(f"states {name}: RRMSE of the path {of_path[name]:.3f}")

# %%
assert of_path["known"] < of_path["hidden, mapped"] < of_path["hidden"]

# %% mystnb={"figure": {"name": "fig-predicted-states", "caption": "Predicted path of the states of one test series, and its true path. The states are known, hidden, and hidden with a linear map to the true ones."}, "image": {"alt": "Three panels with a solid irregular path and a dashed smooth spiral. In the first and the last panel the spiral starts near the path; in the middle one it has another size and orientation."}}
panels = [{"truth": states_test[shown], "predicted": P[shown]} for P in paths.values()]
_ = plot_state_paths(panels, list(paths))

# %% [markdown]
# ## What this changes for you
#
# Use a state-space model of your outputs with one ridge parameter per block, or not at all: with a
# single one and an intercept it cancels. Compare models of hidden states by predictions and
# eigenvalues, not by their matrices.
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
# a discrete algebraic Riccati equation. It is the one of optimal control with transposed matrices,
# and `scipy.linalg.solve_discrete_are(A.T, C.T, Q, R)` solves it. After ten steps the filter is
# within $10^{-6}$ of the solution. It forgets its start much faster than the series does,
# $0.95^{10}$ being still 0.6, because every observation helps.
# ```
#
# ```{exercise} Quick
# :label: ex-smoothed-score
#
# With known states the mean score in $Q$ is zero. With smoothed means in place of hidden states it
# is not. Which sign do its diagonal entries have, and what is missing?
# ```
#
# ```{solution} ex-smoothed-score
# :class: dropdown
#
# They are negative. In {eq}`eq-em-steps` the maximum is at $Q = \operatorname{mean}
# \operatorname{E}[\varepsilon \varepsilon\T]$ for $\varepsilon = m_t - A m_{t-1}$. An expected
# product is the product of the means plus a covariance. Smoothed means have the first part only:
# their innovations are much smaller than those of the states. So the full score at smoothed means
# is not the score of the observed series; that would be the expectation of
# {eq}`eq-state-space-score`. The reduced embedding is linear in the states, and for it the
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
# ridge parameter? For one per block?
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
    print(f"{name}: largest distance of the paths {apart[name]:.2f}")
assert apart["one ridge"] < 1e-8 < 0.1 < apart["one ridge per block"]

# %% [markdown]
# For one ridge parameter they agree to rounding: the smoother is affine, so the argument of
# {prf:ref}`thm-dynamics-cancel` applies to it as well. For one per block they differ visibly. The
# prediction is then no combination of the training pairs of series and path. The pre-image
# {eq}`eq-sequential-preimage` is free to choose both, and does not ask that they belong together.
#
# ```{solution-end}
# ```
#
# ```{exercise} Open
# :label: ex-wrong-model
#
# Do separate ridge parameters protect the method from a wrong model? Give the embedding one that
# cannot turn, `StateSpaceEmbedding(1, max_iter=3000, fit_offset=False)`.
# ```
#
# ```{solution} ex-wrong-model
# :class: dropdown
#
# Look at the ridge parameters that leave-one-out chooses for transitions and emissions: are these
# still noise, if the model leaves the oscillation to them? Then compare the error with that of
# ridge regression of the series.
# ```
