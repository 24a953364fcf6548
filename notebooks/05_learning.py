# ---
# jupyter:
#   kernelspec: {display_name: Python 3, language: python, name: python3}
# ---

# %% [markdown]
# # Learning, and weak labels
#
# *Section 5 of {cite:t}`djerrab2018`*
#
# **The question.** Output Fisher embedding regression (OFER) describes each training output by a
# probability model, here a Gaussian mixture. A kernel ridge regression then predicts the
# description. Does this help when few samples are labelled? And can a person help who knows only
# the group of an output, and not the output itself?
#
# **The idea.** One part of the description says which component of the mixture an output belongs
# to. The answer "group 3" is a *weak label*: it fills this part and leaves the other one open.
#
# **The answer.** On generated data the embedding of labelled outputs does not beat ridge regression
# of the outputs with an intercept. Weak labels help where the inputs leave the group in doubt, and
# harm where they do not. On one split of our data, leave-one-out gave them a small weight where they
# harm, and the weight 1 where they help.

# %% tags=["parameters"]
seed: int = 0
n_train: int = 50  # labelled samples of the worked examples
n_components: int = 8  # components of their output model
n_weak: int = 400  # weak samples at most
n_splits: int = 10
sizes: list = [20, 50, 100]  # labelled samples of the learning curves

# %%
import warnings

import numpy as np
from scipy.optimize import minimize
from sklearn.frozen import FrozenEstimator
from sklearn.metrics.pairwise import rbf_kernel

from ofer import (
    GaussianMixtureEmbedding,
    KernelRidgeCV,
    KernelSystem,
    Memberships,
    OutputFisherRegressor,
)
from ofer.kernels import median_bandwidth
from ofer.metrics import rrmse
from reproduction.datasets.generated.mixtures import make_d2
from reproduction.figures.curves import plot_curves
from reproduction.studies.embedding.figures.targets import plot_targets
from reproduction.studies.embedding.noisy_inputs import Contest, regressor

# Outputs almost without noise: the smallest ridges of the default grid are the best ones.
warnings.filterwarnings("ignore", "alphas should have")

# %% [markdown]
# ## The test
#
# The steps of the method are those of {doc}`02_output_fisher_embedding_regression`. The output
# model is a mixture of $C$ Gaussians with means $\mu_j$, and $\gamma_j(y)$ is the
# {term}`membership` of an output $y \in \R^d$ in component $j$. The embedding has two blocks, the
# memberships and a residual:
#
# ```{math}
# :label: eq-learning-embedding
# \phi(y) = \Big( \gamma_1(y), \ldots, \gamma_C(y), \;\; y - \sum_j \gamma_j(y) \, \mu_j \Big) .
# ```
#
# The code calls the residual block *mean*, because the paper derives it from the scores of the
# means. Decoding moves the predicted memberships to the nearest point $g$ of the probability
# simplex: no $g_j$ is negative, and they sum to one. The prediction is $\sum_j g_j \mu_j$ plus the
# predicted residual.
#
# The data set D2 follows the paper's second generated one: its outputs form ten clusters in five
# dimensions. We use it with clean inputs, and with inputs whose noise is as large as the signal.
# The components of the mixture share one covariance. The mixture has one component for every five
# labelled samples, but at most eight. Three methods compete:
#
# - **m-KRR centred** is kernel ridge regression of the outputs, with an intercept.
# - **OFER-GMM (ours)** is the method with a separate ridge parameter for each block.
# - **OFER (ours), one ridge** is the method with the same ridge parameter for both blocks.
#
# Leave-one-out chooses every ridge parameter. The error is the {term}`RRMSE`.
#
# ## Labelled samples alone
#
# Section 5.2 of the paper says that a Fisher embedding "conveys additional information" about an
# output, and should help when labelled samples are few. {numref}`fig-small-data` shows no such
# help. On average over sizes and splits, kernel ridge regression has the smallest error for both
# kinds of inputs. With clean inputs it wins every split. With noisy inputs OFER-GMM (ours)
# comes close to it, and OFER with one ridge parameter stays behind.


# %% mystnb={"figure": {"name": "fig-small-data", "caption": "Test error against the number of labelled samples, without weak labels: means over ten splits, bands of one standard deviation. The panels have different axes."}, "image": {"alt": "Two panels of three falling curves each. With clean inputs kernel ridge regression is lowest and the embedding with one ridge per block is highest; with noisy inputs two are close and the embedding with one ridge is highest."}}
contest = Contest(n_train, n_weak, n_components, seed)
inputs = {"clean inputs": 0.0, "noisy inputs": 1.0}
curves = {title: contest.learning_curves(noise, sizes, n_splits) for title, noise in inputs.items()}
_ = plot_curves(sizes, curves, xlabel="labelled samples", ylabel="RRMSE on the test set")

# %%
for title, errors in curves.items():
    gap = {name: np.mean(values - errors["m-KRR centred"]) for name, values in errors.items()}
    assert min(gap, key=gap.get) == "m-KRR centred"
    worst = "OFER-GMM" if title == "clean inputs" else "OFER, one ridge"
    assert max(gap, key=gap.get) == worst
    assert (gap["OFER, one ridge"] > 0.85 * gap["OFER-GMM"]) or title != "clean inputs"
    assert title != "noisy inputs" or gap["OFER-GMM"] < 0.5 * gap["OFER, one ridge"]
    wins = [(errors[name] < errors["m-KRR centred"]).sum(axis=0) for name in list(errors)[1:]]
    assert np.max(wins) <= (0 if title == "clean inputs" else n_splits // 2)

# %% [markdown]
# The phrase "additional information" needs care. The embedding is a function of the output and of
# the fitted mixture, and the mixture is a function of the training outputs. It can be inverted: the
# residual plus $\sum_j \gamma_j(y) \mu_j$ is $y$. So the embedding contains nothing that the
# outputs do not contain. It changes how errors are counted and what is smoothed together. It acts
# as a prior, and a prior can help or hurt.
#
# With clean inputs it hurts. The output is nearly a smooth function of the input, and ridge
# regression follows it. Memberships jump between clusters, and jumps are hard to learn.
#
# ## With weak labels
#
# Now a person who does not know the output of $x$ names its group, a component of the mixture. The
# groups need no names: example pictures of each are enough. Section 5.3 of the paper adds such
# samples to the membership block alone.
#
# {numref}`fig-weak-labels` adds up to 400 weak labels to 50 labelled samples. The mixture itself
# plays the supervisor: it sees the true output and tells the memberships. With noisy inputs, 400
# weak labels bring the error below that of ridge regression in every split. With clean inputs they
# make it larger in every split.

# %% mystnb={"figure": {"name": "fig-weak-labels", "caption": "Test error against the number of weak labels, with 50 labelled samples: means over ten splits, bands of one standard deviation. The panels have different axes."}, "image": {"alt": "Two panels with two horizontal lines and one curve. Left the curve rises above both lines; right it falls below both."}}
counts = [25, 50, 100, 200, 400]
curves = {title: contest.weak_curves(noise, counts, n_splits) for title, noise in inputs.items()}
_ = plot_curves(counts, curves, xlabel="weak labels", ylabel="RRMSE on the test set")

# %%
assert counts[-1] == n_weak == 400
for title, errors in curves.items():
    krr, ofer, helped = (values[:, -1] for values in errors.values())
    sign = -1 if title == "noisy inputs" else 1  # better, or worse, in every split, at every step
    assert np.all(sign * (helped - ofer) > 0)
    assert np.all(sign * (helped - krr) > 0)
    assert np.all(sign * np.diff(errors["OFER-GMM, weak labels"].mean(axis=0)) > 0)

# %% [markdown]
# Weak labels bring something that the labelled samples do not contain, so the objection to
# "additional information" does not apply to them. With noisy inputs a predicted membership is an
# average over many samples, and weak labels add many samples to this average. With clean inputs
# weak labels sharpen the jumps of the memberships. The residual block has only its 50 samples and
# cannot follow, so the two blocks fit together less and less.
#
# ## How much weight?
#
# Section 5 of the paper leaves the weight of a weak sample open. For one of its tables, the paper
# says that cross-validation on the training set selected all hyper-parameters. Leave-one-out does
# this without folds. For each weight it predicts and decodes every labelled sample without itself.

# %% mystnb={"figure": {"name": "fig-weak-weight", "caption": "Error of the decoded outputs against the weight of a weak sample relative to a labelled one, for 50 labelled and 400 weak samples of one split. The dotted line marks the weight that leave-one-out on the labelled samples chooses."}, "image": {"alt": "Two panels of two curves. With clean inputs both rise with the weight, and the smallest weight is chosen. With noisy inputs both fall and flatten, and a large weight is chosen."}}
weak_weights = np.logspace(-3, 1, 9)
panels, chosen = {}, {}
for title, noise in inputs.items():
    (X, Y), (X_weak, Y_weak), (X_test, Y_test) = contest.draw(noise).values()
    *_, (_, helped) = contest.fit_all(X, Y)
    weak_memberships = helped.embedding_.predict_proba(Y_weak)
    errors = {"leave-one-out": [], "test": []}
    for weight in weak_weights:
        helped.fit(X, Y, weak=Memberships(X_weak, weak_memberships, weight=weight))
        errors["leave-one-out"].append(rrmse(Y, helped.loo_predict()))
        errors["test"].append(rrmse(Y_test, helped.predict(X_test)))
    panels[title] = {name: np.array(values) for name, values in errors.items()}
    chosen[title] = weak_weights[np.argmin(errors["leave-one-out"])]
_ = plot_curves(
    weak_weights,
    panels,
    xlabel=r"weight of weak samples $= 2 \ell \lambda_2$",
    ylabel="RRMSE of the outputs",
    chosen=chosen,
)

# %%
assert chosen["clean inputs"] == weak_weights[0]
clean, noisy = (panels[title]["test"] for title in inputs)
assert 0.88 < clean[0] / clean[weak_weights == 1][0] < 0.92
assert noisy[weak_weights == chosen["noisy inputs"]][0] < 1.02 * noisy.min()
assert chosen["noisy inputs"] == 1
levels = [curves["leave-one-out"].mean() / curves["test"].mean() for curves in panels.values()]
assert max(levels) < 1

# %% [markdown]
# Leave-one-out tells the two cases apart on this split. With clean inputs it takes the smallest
# weight on offer. The test error is then a tenth lower than at
# weight 1. With noisy inputs it takes weight 1, in the flat part of the test curve.
#
# The leave-one-out errors are too low, because the mixture has seen the output that is left out. It
# is the same mixture for all weights, and only the place of the minimum is used.
#
# All of this is one generated data set with two levels of noise. Whether real inputs are more like
# the noisy case is a question for the experiments, such as {doc}`06_4_2_drug_activity`.
#
# The rest of the chapter derives the method and checks each result by brute force.
#
# ## What is learned
#
# The regression step minimises {eq}`eq-objective`, the paper's equation 13, over functions $h$ with
# values in $\R^p$. Here $\phi_i = \phi(y_i)$ is the embedding of output $i$, $\ell$ is the number
# of labelled samples and $\lambda_0 > 0$ the paper's ridge parameter:
#
# ```{math}
# :label: eq-learning-objective
# J(h) = \lambda_0 \, \| h \|^2 + \frac{1}{2 \ell} \sum_{i=1}^{\ell} \| \phi_i - h(x_i) \|^2 .
# ```
#
# The functions $h$ belong to the space of a *matrix-valued* kernel
# $\mathbf K(x, x') \in \R^{p \times p}$ {cite:p}`micchelli2005`. The functions
# $\mathbf K(\cdot, x') \, c$ with $c \in \R^p$ are in this space. Inner products with them
# *reproduce* values:
#
# ```{math}
# :label: eq-reproducing
# \langle h, \mathbf K(\cdot, x) \, c \rangle = h(x)\T c .
# ```
#
# This property is enough to show that the minimum is a finite sum.
#
# ```{prf:theorem} Representer theorem
# :label: thm-representer
# The objective {eq}`eq-objective` is minimised by
# $h = \sum_{i=1}^\ell \mathbf K(\cdot, x_i) \, c_i$ with some $c_i \in \R^p$.
# ```
#
# ```{prf:proof}
# Functions of this form are a subspace of finite dimension. So every $h$ is a sum
# $h = h_\parallel + h_\perp$ with $h_\parallel$ in the subspace and $h_\perp$ orthogonal to it.
#
# *The loss does not see $h_\perp$.* By {eq}`eq-reproducing`,
# $h_\perp(x_i)\T c = \langle h_\perp, \mathbf K(\cdot, x_i) \, c \rangle$. This is zero, because
# the second function is in the subspace. It holds for all $c$, so $h_\perp(x_i) = 0$ for all $i$.
#
# *The penalty does.* By orthogonality $\| h \|^2 = \| h_\parallel \|^2 + \| h_\perp \|^2$.
#
# So replacing $h$ by $h_\parallel$ keeps the loss and lowers the penalty, unless $h_\perp = 0$
# already.
# ```
#
# The paper takes $\mathbf K(x, x') = I_p \, k(x, x')$ with a scalar kernel $k$. Then
# $h(x) = \sum_i k(x, x_i) \, c_i$, and only the coefficients $c_i$ are unknown. Write them as the
# rows of $c \in \R^{\ell \times p}$, the embeddings $\phi_i$ as the rows of $\Phi$, and
# $K_{ii'} = k(x_i, x_{i'})$ for the matrix of the training inputs.
#
# 1. *The predictions* at the training inputs are the rows of $K c$, because
#    $h(x_i) = \sum_{i'} K_{ii'} c_{i'}$.
# 2. *The penalty* follows from {eq}`eq-reproducing` with $\mathbf K(\cdot, x_i) \, c_i$ for $h$:
#
#    $$
#    \| h \|^2
#    = \sum_{i, i'} \langle \mathbf K(\cdot, x_i) \, c_i, \mathbf K(\cdot, x_{i'}) \, c_{i'} \rangle
#    = \sum_{i, i'} K_{ii'} \, c_i\T c_{i'}
#    = \operatorname{tr}(c\T K c) .
#    $$
#
# 3. *The objective.* Insert both into {eq}`eq-learning-objective`, multiply by $2 \ell$ and set
#    $\alpha = 2 \ell \lambda_0$:
#
#    $$
#    2 \ell \, J = \| \Phi - K c \|_F^2 + \alpha \operatorname{tr}(c\T K c) .
#    $$
#
# 4. *The gradient* in $c$ is
#
#    $$
#    - 2 K (\Phi - K c) + 2 \alpha K c = 2 K \big( (K + \alpha I) \, c - \Phi \big) .
#    $$
#
# 5. *The minimum.* The objective is convex, so a zero of the gradient is a minimum. The bracket is
#    zero for
#
#    ```{math}
#    :label: eq-coefficients
#    c = (K + 2 \ell \lambda_0 I)^{-1} \, \Phi .
#    ```
#
#    The inverse exists, because $K$ has no negative eigenvalues and $\alpha > 0$.
#
# `KernelRidgeCV` calls $\alpha = 2 \ell \lambda_0$ the ridge, see {eq}`eq-alpha`. As a check, a
# general-purpose minimiser gets the objective with all coefficients of all coordinates at once. It
# finds the same predictions, to rounding error.

# %%
data = make_d2(900, input_noise=1.0, random_state=seed)
small = slice(0, 10)
x, model = data.X[small], GaussianMixtureEmbedding(3, covariance_type="tied", random_state=seed)
Phi = model.fit(data.Y[small]).transform(data.Y[small])
l, p = Phi.shape
lambda_0, width = 0.01, 0.5 / median_bandwidth(x) ** 2
K = rbf_kernel(x, gamma=width)


def objective(c):
    c = c.reshape(l, p)
    return lambda_0 * np.sum(c * (K @ c)) + np.sum((Phi - K @ c) ** 2) / (2 * l)


search = minimize(objective, np.zeros(l * p), options={"maxiter": 2000})
ridge = KernelRidgeCV([2 * l * lambda_0], kernel="rbf", gamma=width, fit_intercept=False)
ridge.fit(x, Phi)
closed = np.linalg.solve(K + 2 * l * lambda_0 * np.eye(l), Phi)

# %%
assert np.allclose(ridge.dual_coef_, closed)
assert np.allclose(K @ search.x.reshape(l, p), ridge.predict(x), atol=1e-3)

# %% [markdown]
# Equation {eq}`eq-coefficients` treats every column of $\Phi$ alone, because $\mathbf K$ is a
# multiple of the identity. It is $p$ regressions that share a matrix. For a kernel
# $\mathbf K(x, x') = B \, k(x, x')$ with a symmetric positive definite matrix $B$, the predictions
# at the training inputs are the rows of $K c B$, and the coefficients solve
# $K c B + \alpha c = \Phi$, one system of size $\ell p$. With $B = I_p$ it falls apart into $p$
# systems. With another $B$ it gives other coefficients, as the cell checks:


# %%
def joint(B):
    """Coefficients for the kernel B k(x, x'), as one system."""
    matrix = np.kron(K, B) + 2 * l * lambda_0 * np.eye(l * p)
    return np.linalg.solve(matrix, Phi.ravel()).reshape(l, p)


coupled = 0.5 * np.eye(p) + 0.5 / p

# %%
assert np.allclose(joint(np.eye(p)), ridge.dual_coef_)
assert not np.allclose(joint(coupled), ridge.dual_coef_)

# %% [markdown]
# Learning each coordinate alone has a drawback and an advantage. The drawback: the regression
# makes no use of the dependence between the coordinates of an embedding. The advantage: each
# coordinate, or each block, may have its own ridge parameter and its own training samples.
#
# ## One decomposition for the whole path
#
# Let $K = V \operatorname{diag}(w) V\T$ be the eigendecomposition. Then
# $K + \alpha I = V \operatorname{diag}(w + \alpha) V\T$, because $V V\T = I$. Inserted into
# {eq}`eq-coefficients`, this gives
#
# $$
# c = V \operatorname{diag} \Big( \frac{1}{w + \alpha} \Big) V\T \Phi
# $$
#
# for every $\alpha$. The decomposition costs $O(\ell^3)$ once; each further ridge parameter costs
# $O(\ell^2 p)$. The same factors give the leave-one-out residuals, $c_i$ divided by the $i$-th
# diagonal entry of $(K + \alpha I)^{-1}$. The reason is the next theorem.
#
# ```{prf:theorem} Leave-one-out
# :label: thm-loo
# Let $f$ be the ridge regression of all samples, $f(x_i) = \sum_{i'} A_{ii'} y_{i'}$, and $f_{-i}$
# that without sample $i$. Then $y_i - f_{-i}(x_i) = (y_i - f(x_i)) / (1 - A_{ii})$, with weights of
# the samples and an intercept too.
# ```
#
# ```{prf:proof}
# Write $J_{-i}$ for the objective without sample $i$; $f_{-i}$ minimises it. Add the made-up sample
# $(x_i, f_{-i}(x_i))$ with the weight of sample $i$, and call the new objective $\tilde J$.
#
# *The function $f_{-i}$ minimises $\tilde J$.* It fits the new sample without error, so $\tilde
# J(f_{-i}) = J_{-i}(f_{-i})$. Any other function $g$ has $\tilde J(g) \ge J_{-i}(g) \ge
# J_{-i}(f_{-i})$. The first step holds because the added loss is not negative, the second because
# $f_{-i}$ minimises $J_{-i}$.
#
# *So $f_{-i}$ is a ridge regression of all samples*, in which $f_{-i}(x_i)$ stands in place of
# $y_i$. The matrix $A$ depends on inputs and weights only, so it is the same. Changing one output
# changes the fitted value at $x_i$ by $A_{ii}$ times the change:
#
# $$
# f_{-i}(x_i) = f(x_i) + A_{ii} \, \big( f_{-i}(x_i) - y_i \big) .
# $$
#
# Subtract both sides from $y_i$ and collect the terms with $f_{-i}$:
#
# $$
# (1 - A_{ii}) \, \big( y_i - f_{-i}(x_i) \big) = y_i - f(x_i) .
# $$
#
# Weights and an unpenalised intercept change $A$, and no step of this proof.
# ```
#
# Without weights and intercept, $A = K (K + \alpha I)^{-1} = I - \alpha (K + \alpha I)^{-1}$,
# because $K = (K + \alpha I) - \alpha I$. So the residuals $y - f$ are
# $\alpha (K + \alpha I)^{-1} y = \alpha c$. The denominator $1 - A_{ii}$ is
# $\alpha \, [(K + \alpha I)^{-1}]_{ii}$. In the quotient $\alpha$ cancels, and the residual is
# $c_i$ divided by that diagonal entry. Weak labels will need the general case, with weights. The
# check uses random weights, an intercept, and a new fit without each sample in turn.

# %%
samples = contest.draw(noise=1.0)
(X, Y), (X_weak, Y_weak), (X_test, Y_test) = samples.values()
mixture = GaussianMixtureEmbedding(n_components, covariance_type="tied", random_state=seed).fit(Y)
H = mixture.transform(Y)

rng = np.random.default_rng(seed)
weights = rng.uniform(0.1, 3, n_train)
fast = regressor(X).loo_predictions(X, H, alphas=[0.5], sample_weight=weights)[0]
single = regressor(X, alphas=[0.5])
refits = [
    single.fit(np.delete(X, i, 0), np.delete(H, i, 0), np.delete(weights, i)).predict(X[[i]])[0]
    for i in range(n_train)
]

# %%
assert np.allclose(fast, refits)

# %% [markdown]
# {numref}`fig-ridge-path` compares the leave-one-out error, which uses training samples only, with
# the error on a test set, for both blocks of the embedding. One curve of leave-one-out errors
# stands for 1250 fits, 50 samples times 25 ridge parameters, and takes one decomposition. The two
# curves need not coincide. Their minima are near each other: the chosen ridge parameter costs less
# than two per cent of test error.

# %% mystnb={"figure": {"name": "fig-ridge-path", "caption": "Mean squared error of the two blocks along the path of ridge parameters, by leave-one-out on the training samples and on the test set. The dotted line marks the ridge parameter that leave-one-out chooses."}, "image": {"alt": "Two panels with two U-shaped curves each, whose minima lie at similar ridges."}}
blocks = mixture.blocks_
H_test = mixture.transform(Y_test)
alphas = np.logspace(-3, 2, 25)
width = 0.5 / median_bandwidth(X) ** 2
system = KernelSystem.from_kernel(rbf_kernel(X, gamma=width))
K_test = rbf_kernel(X_test, X, gamma=width)
panels, chosen = {}, {}
for name, columns in blocks.items():
    loo = regressor(X).loo_predictions(X, H[:, columns], alphas=alphas) - H[:, columns]
    path = [system.solve(H[:, columns], a).predict(K_test) for a in alphas]
    panels[name] = {
        "leave-one-out": np.square(loo).mean(axis=(1, 2)),
        "test": np.square(path - H_test[:, columns]).mean(axis=(1, 2)),
    }
    chosen[name] = alphas[panels[name]["leave-one-out"].argmin()]
_ = plot_curves(
    alphas, panels, xlabel=r"ridge parameter $\alpha$", ylabel="mean squared error", chosen=chosen
)

# %%
assert len(alphas) * n_train == 1250
for name, curves in panels.items():
    test = curves["test"]
    assert test[alphas == chosen[name]][0] / test.min() - 1 < 0.02

# %% [markdown]
# ## The intercept
#
# The paper's equation 13 has no intercept. Memberships are numbers around $1/C$, not around zero.
# Without an intercept they are pulled to zero where an input is unlike the training inputs.
#
# With an intercept the predicted memberships sum to one:
#
# 1. The prediction is $h(x) = \sum_i a_i(x) \, \phi_i$, with weights $a_i(x)$ that do not depend on
#    the outputs.
# 2. These weights sum to one at every $x$. Take the target 1 for all samples: the intercept 1 alone
#    fits it without loss and without penalty, so the prediction $\sum_i a_i(x) \cdot 1$ is 1.
# 3. Let $h_j$ be the predicted membership of component $j$. Then
#
#    $$
#    \sum_j h_j(x) = \sum_j \sum_i a_i(x) \, \gamma_j(y_i)
#    = \sum_i a_i(x) \sum_j \gamma_j(y_i) = \sum_i a_i(x) = 1 .
#    $$
#
# This holds for every ridge parameter that the memberships share. Without an intercept the sums
# differ from one:

# %%
sums = {}
for name in ("with", "without"):
    ridge = regressor(X, fit_intercept=name == "with").fit(X, H[:, blocks["membership"]])
    total = sums[name] = ridge.predict(X_test).sum(axis=1)
    print(f"{name:7} intercept: sums of memberships from {total.min():.3f} to {total.max():.3f}")

# %%
assert [np.allclose(total, 1) for total in sums.values()] == [True, False]

# %% [markdown]
# {doc}`04_pre_images` shows what sums far from one can do. The intercept repairs the sum but not
# the signs. The projection onto the simplex repairs those.
#
# ## One ridge parameter, or one per block
#
# With one ridge parameter and no projection the mixture cancels ({prf:ref}`thm-model-cancels`).
# Insert the predictions $h_j = \sum_i a_i \gamma_j(y_i)$ of the memberships and
# $\sum_i a_i \big( y_i - \sum_j \gamma_j(y_i) \mu_j \big)$ of the residual into the decoder:
#
# $$
# \sum_j h_j \mu_j + \sum_i a_i y_i - \sum_j \Big( \sum_i a_i \gamma_j(y_i) \Big) \mu_j
# = \sum_i a_i y_i .
# $$
#
# The first and the last sum are equal, because both blocks have the same weights $a_i$. What is
# left is the ridge regression of the outputs: the jumps of memberships and residuals cancel.
#
# *The projection breaks this balance.* It changes the first sum and not the last one. With clean
# inputs, OFER with one ridge parameter is nearly as bad as with one per block
# ({numref}`fig-small-data`).
#
# *Separate ridge parameters break it too*, because the $a_i$ then differ between the blocks. The
# blocks are of different kinds: a membership jumps from cluster to cluster, a residual varies
# within one. With noisy inputs the residual block has most of the squared error of the embedding,
# and the inputs hardly explain it. So leave-one-out chooses one large ridge parameter for both, and
# smooths away the memberships, which could be learned:

# %%
*_, (_, one_ridge), (_, by_block) = contest.fit_all(X, Y)
print(f"one ridge: {one_ridge.regressor_['all'].alpha_:.2g}")
for name, fitted in by_block.regressor_.items():
    print(f"ridge of the {name} block: {fitted.alpha_:.2g}")

# %%
apart = by_block.regressor_
assert apart["membership"].alpha_ < one_ridge.regressor_["all"].alpha_ < apart["mean"].alpha_

# %% [markdown]
# ## Weak labels separate
#
# A weak label fills the membership block of a sample and leaves the residual block open:

# %% mystnb={"figure": {"name": "fig-targets", "caption": "The targets of the regression: all 50 labelled samples, and the first 50 weak ones, of which only the memberships are known. Darker is larger; of the mean block, the residuals, the absolute value is shown."}, "image": {"alt": "A table of grey cells. Upper half: eight columns with mostly one black cell in a row, then five grey columns. Lower half: the eight columns only; the rest is hatched and says unknown."}}
gamma_weak = mixture.predict_proba(Y_weak)
_ = plot_targets(H[:, blocks["membership"]], H[:, blocks["mean"]], gamma_weak[:n_train])

# %% [markdown]
# Let $A$ now be the $p \times p$ matrix that keeps the first $C$ coordinates, the memberships, and
# let $A^c = I_p - A$ keep the others. There are $\ell$ labelled and $w$ weak samples, with
# residuals $r_i = \phi_i - h(x_i)$. The paper's equation 14 is
#
# ```{math}
# :label: eq-weak-objective
# \begin{aligned}
# \argmin_{h \in \mathcal H} \;\; & \frac{1}{2\ell} \sum_{i=1}^{\ell} \| A r_i \|^2 \\
# + & \lambda_2 \sum_{i=\ell+1}^{\ell+w} \| A r_i \|^2 \\
# + & \frac{1}{2\ell} \sum_{i=1}^{\ell} \| A^c r_i \|^2 \\
# + & \lambda_0 \| h \|^2 .
# \end{aligned}
# ```
#
# The lines are the memberships of labelled samples, those of weak samples with weight $\lambda_2$,
# the residual block of labelled samples, and the penalty.
#
# ```{prf:proposition} Weak labels separate
# :label: prop-weak
# For $\mathbf K = I_p k$ the minimiser of {eq}`eq-weak-objective` consists of
# two regressions. The coordinates outside $A$ are learned from the labelled samples as in
# {eq}`eq-coefficients`; the memberships are learned from all samples, with coefficients $(K + 2
# \ell \lambda_0 W^{-1})^{-1} \Phi_A$. Here $K$ is the kernel matrix of all $\ell + w$ inputs, the
# rows of $\Phi_A$ are their memberships, and $W$ is the diagonal matrix of weights, $W_{ii} = 1$
# for labelled and $2 \ell \lambda_2 > 0$ for weak samples.
# ```
#
# ```{prf:proof}
# *The objective is a sum over coordinates.* Each squared norm $\| A r_i \|^2$ and $\| A^c r_i \|^2$
# is a sum of squares, one for each coordinate. For $\mathbf K = I_p k$ the penalty is
# $\| h \|^2 = \sum_q \| h_q \|^2$ over the coordinates $h_q$ of $h$. So each coordinate can be
# minimised alone.
#
# *Coordinates outside $A$* occur in the third and fourth line only. That is
# {eq}`eq-learning-objective` with the labelled samples, and {eq}`eq-coefficients` solves it.
#
# *A membership $q$* occurs in the first, second and fourth line. Multiply by $2 \ell$ and set
# $\alpha = 2 \ell \lambda_0$:
#
# $$
# \sum_{i=1}^{\ell + w} W_{ii} \, \big( \phi_{iq} - h_q(x_i) \big)^2 + \alpha \, \| h_q \|^2 .
# $$
#
# By the representer theorem $h_q = \sum_i k(\cdot, x_i) \, c_i$ over all $\ell + w$ samples. With
# $K$ for their matrix, $\phi$ for their targets and $W$ for the diagonal matrix of weights, the
# gradient in $c$ is
#
# $$
# - 2 K W (\phi - K c) + 2 \alpha K c .
# $$
#
# It is zero if $W (\phi - K c) = \alpha c$. All weights are positive, so multiply by $W^{-1}$ and
# move $K c$ to the right: $\phi = (K + \alpha W^{-1}) \, c$. Solving for $c$ gives the
# coefficients.
# ```
#
# So `weight` $= 2 \ell \lambda_2$ is the weight of a weak sample relative to a labelled one.
# Its neutral value 1 means $\lambda_2 = 1 / (2 \ell)$. {prf:ref}`thm-loo` holds with weights, so
# leave-one-out needs no new fit here either.
#
# As a check, we again minimise the printed objective numerically, over the coefficients of all
# samples and all coordinates at once. The minimiser is told nothing about the separation into two
# regressions, and finds the same predictions.

# %%
few, more = slice(0, 8), slice(0, 5)
everything = np.vstack([X[few], X_weak[more]])
model = GaussianMixtureEmbedding(2, covariance_type="tied", random_state=seed).fit(Y[few])
Phi, G = model.transform(Y[few]), model.predict_proba(Y_weak[more])
l, p, C = len(Phi), Phi.shape[1], 2
lambda_0, lambda_2, width = 0.01, 0.02, 0.5 / median_bandwidth(everything) ** 2
K = rbf_kernel(everything, gamma=width)


def printed_objective(c):
    c = c.reshape(-1, p)
    h = K @ c
    labelled = np.square(Phi - h[:l])
    weak = np.square(G - h[l:, :C]).sum()
    first = labelled[:, :C].sum() / (2 * l) + lambda_2 * weak
    return first + labelled[:, C:].sum() / (2 * l) + lambda_0 * np.sum(c * (K @ c))


# %%
search = minimize(printed_objective, np.zeros(len(K) * p), options={"maxiter": 2000})
ridge = KernelRidgeCV([2 * l * lambda_0], kernel="rbf", gamma=width, fit_intercept=False)
weak = OutputFisherRegressor(FrozenEstimator(model), ridge, block_wise=True).fit(
    X[few], Y[few], weak=Memberships(X_weak[more], G, weight=2 * l * lambda_2)
)

# %%
brute = rbf_kernel(X_test, everything, gamma=width) @ search.x.reshape(-1, p)
assert np.allclose(brute, weak.predict_embedding(X_test), atol=1e-3)

# %% [markdown]
# ## What this changes for you
#
# Do not expect an embedding of your labelled outputs to add information. Collect weak labels where
# inputs leave the group in doubt. Let leave-one-out choose their weight: it can find out that they
# are not worth having.
#
# ## Exercises
#
# ```{exercise} Quick
# :label: ex-learning-hard
#
# A person names one group rather than memberships. Replace the weak labels of the noisy case by the
# index of the component with the largest membership. How much is lost?
# ```
#
# ```{solution} ex-learning-hard
# :class: dropdown
#
# Next to nothing: most memberships of these clusters are near 0 or 1 anyway, see
# {numref}`fig-targets`.
# ```
#
# ```{exercise} Quick
# :label: ex-learning-coupled
#
# With $\mathbf K(x, x') = B \, k(x, x')$ the coordinates are coupled. Show that the eigenvectors of
# $B$ uncouple them again, and that an eigenvalue $b$ acts as a ridge parameter $\alpha / b$.
# ```
#
# ```{solution} ex-learning-coupled
# :class: dropdown
#
# The system is $K c B + \alpha c = \Phi$. Insert $B = U \operatorname{diag}(b) U\T$ and multiply
# from the right by $U$. For the columns of $c' = c U$ and $\Phi' = \Phi U$ this gives
# $b_j K c'_j + \alpha c'_j = \Phi'_j$, that is $(K + (\alpha / b_j) I) \, c'_j = \Phi'_j / b_j$. So
# a coupling of this kind is a choice of ridge parameters too, one for each direction of the
# embedding.
# ```

# %% tags=["hide-input"]
soft, hard = (
    rrmse(Y_test, helped.fit(X, Y, weak=Memberships(X_weak, told, weight=1.0)).predict(X_test))
    for told in (weak_memberships, weak_memberships.argmax(axis=1))
)
assert abs(hard / soft - 1) < 0.02
B, few_rows = 0.5 * np.eye(p) + 0.5 / p, len(Phi)
gram, ridge_of_all = rbf_kernel(X[:few_rows], gamma=0.1), 0.2
system = np.kron(gram, B) + ridge_of_all * np.eye(few_rows * p)
together = np.linalg.solve(system, Phi.ravel()).reshape(few_rows, p)
b, U = np.linalg.eigh(B)
pairs = zip(b, U.T, strict=True)
alone = [np.linalg.solve(gram + ridge_of_all / v * np.eye(few_rows), Phi @ u / v) for v, u in pairs]
assert np.allclose(np.column_stack(alone) @ U.T, together)

# %% [markdown]
# ```{exercise} Code
# :label: ex-learning-wrong
#
# Let the supervisor of the noisy case name a random group for half of the weak samples. Are the
# weak labels still worth having? Which `weight` does leave-one-out choose now?
# ```
#
# ```{solution-start} ex-learning-wrong
# :class: dropdown
# ```

# %%
labels = weak_memberships.argmax(axis=1)
wrong = rng.random(len(labels)) < 0.5
labels[wrong] = rng.integers(weak_memberships.shape[1], size=wrong.sum())
pairs = {}
for weight in (0.001, 0.03, 1.0):
    helped.fit(X, Y, weak=Memberships(X_weak, labels, weight=weight))
    pairs[weight] = rrmse(Y, helped.loo_predict()), rrmse(Y_test, helped.predict(X_test))
    print(f"weight {weight:g}: leave-one-out {pairs[weight][0]:.3f}, test {pairs[weight][1]:.3f}")
without = rrmse(Y_test, helped.fit(X, Y).predict(X_test))
assert pairs[1.0][1] > without
assert min(pairs, key=lambda weight: pairs[weight][0]) < 1

# %% [markdown]
# With weight 1 they do harm: the test error is above that without weak labels. Leave-one-out
# chooses a small weight. A weight chosen on the training samples is an insurance against bad
# supervisors.
#
# ```{solution-end}
# ```
#
# ```{exercise} Open
# :label: ex-learning-own
#
# Who could give weak labels for your outputs, what would they see, and how would you check them?
# ```
#
# ```{solution} ex-learning-own
# :class: dropdown
#
# Fit a mixture to your labelled outputs and look at a few of each component: would a person tell
# the groups apart? Let that person label outputs that you know. Compare the error with weights
# chosen by leave-one-out.
# ```
