# ---
# jupyter:
#   kernelspec:
#     display_name: Python 3
#     name: python3
# ---

# %% [markdown]
# # Learning, and weak labels
#
# *Section 5 of {cite:t}`djerrab2018`*
#
# Between the embedding of the outputs and its pre-image stands an ordinary regression. Section 5 of
# {cite:t}`djerrab2018` chooses ridge regression in a reproducing kernel Hilbert space, claims that
# Fisher embeddings help when labelled samples are few, and then has what we find the most original
# idea of the paper: a person who cannot give an output may still be able to say to which
# *group* it belongs, and this fits into one block of the embedding.
#
# This chapter derives what is solved and checks each step by brute force. Then it puts the two
# claims, on small data and on weak labels, to a first test on generated data, where we can turn the
# knob that decides: how much the inputs tell about the outputs.

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

from ofer import GaussianMixtureEmbedding, KernelRidgeCV, OutputFisherRegressor
from reproduction.datasets.generated.mixtures import make_d2
from reproduction.statistics import repeated_splits
from ofer.kernels import median_bandwidth
from ofer.metrics import rrmse
from reproduction.figures.curves import plot_curves
from reproduction.papers.ofer.figures.targets import plot_targets
from reproduction.papers.ofer.ridge import squared_error_ridge

# Outputs almost without noise: the smallest ridges of the default grid are the best ones.
warnings.filterwarnings("ignore", "alphas should have")

# %% [markdown]
# ## What is learned
#
# The objective is {eq}`eq-objective`, P(13), over functions $h$ with values in
# $\R^p$. The space $\mathcal H$ belongs to a *matrix-valued* kernel $K(x, x') \in \R^{p \times p}$
# {cite:p}`micchelli2005`. Its functions are made of pieces $K(\cdot, x') c$ with $c \in \R^p$, and
# the inner product reproduces values: $\langle h, K(\cdot, x) c \rangle = h(x)\T c$. That is all
# that is needed to see that the minimum is a finite sum.
#
# ```{prf:theorem} Representer theorem
# :label: thm-representer
# Equation {eq}`eq-objective` is minimised by $h = \sum_{i=1}^\ell K(\cdot, x_i) c_i$ with some
# $c_i \in \R^p$.
# ```
#
# ```{prf:proof}
# Split $h = h_\parallel + h_\perp$ into a part of that form and one orthogonal to all such.
# Then $h_\perp(x_i)\T c = \langle h_\perp, K(\cdot, x_i) c \rangle = 0$ for all $i$ and $c$: it
# changes no value at a training input, hence no loss.
# But $\| h \|^2 = \| h_\parallel \|^2 + \| h_\perp \|^2$, so the minimum has $h_\perp = 0$.
# ```
#
# The paper takes $K(x, x') = I_p \, k(x, x')$ with a scalar kernel $k$. With the coefficients as
# rows of $c \in \R^{\ell \times p}$, the matrix $K_{ii'} = k(x_i, x_{i'})$ and the embeddings as
# rows of $\Phi$, the objective times $2 \ell$ becomes
# $\| \Phi - K c \|_F^2 + 2 \ell \lambda_0 \operatorname{tr}(c\T K c)$, and setting its gradient to
# zero gives
#
# ```{math}
# :label: eq-coefficients
# c = (K + 2 \ell \lambda_0 I)^{-1} \, \Phi .
# ```
#
# `KernelRidgeCV` calls $\alpha = 2 \ell \lambda_0$ the ridge, see {eq}`eq-alpha`. We let a
# general-purpose minimiser loose on the printed objective, all coefficients of all coordinates at
# once, and compare.

# %%
data = make_d2(900, input_noise=1.0, random_state=seed)
small = slice(0, 15)
x, model = data.X[small], GaussianMixtureEmbedding(3, covariance_type="tied", random_state=seed)
Phi = model.fit(data.Y[small]).transform(data.Y[small])
l, p = Phi.shape
lambda_0, gamma = 0.01, 0.5 / median_bandwidth(x) ** 2
K = rbf_kernel(x, gamma=gamma)


def objective(c):
    c = c.reshape(l, p)
    return lambda_0 * np.sum(c * (K @ c)) + np.sum((Phi - K @ c) ** 2) / (2 * l)


# %%
found = minimize(objective, np.zeros(l * p), options={"maxiter": 2000})
ridge = KernelRidgeCV([2 * l * lambda_0], kernel="rbf", gamma=gamma, fit_intercept=False)
ridge.fit(x, Phi)
closed = np.linalg.solve(K + 2 * l * lambda_0 * np.eye(l), Phi)
print("(K + 2 l lambda_0 I)^-1 Phi is what is fitted:", np.allclose(ridge.dual_coef_, closed))
print("brute force agrees:", np.allclose(K @ found.x.reshape(l, p), ridge.predict(x), atol=1e-3))

# %% [markdown]
# Because $K(x, x')$ is a multiple of the identity, {eq}`eq-coefficients` treats every column of
# $\Phi$ alone: $p$ regressions that share a matrix. In the general theory there is one system of
# size $\ell p$. With $I_p$ it falls apart into $p$ systems; with another matrix between the
# coordinates it does not:


# %%
def joint(B):
    """Coefficients for the kernel B k(x, x'), as one system."""
    matrix = np.kron(K, B) + 2 * l * lambda_0 * np.eye(l * p)
    return np.linalg.solve(matrix, Phi.ravel()).reshape(l, p)


coupled = 0.5 * np.eye(p) + 0.5 / p
print("with the identity:", np.allclose(joint(np.eye(p)), ridge.dual_coef_))
print("with coupled coordinates:", np.allclose(joint(coupled), ridge.dual_coef_))

# %% [markdown]
# This independence is a limit and a freedom. It is a limit, because the regression does not use
# that the coordinates of an embedding depend on each other. It is a freedom, because each
# coordinate, or each block, may have its own ridge and its own training samples.
#
# ## One decomposition for the whole path
#
# With $K = V \operatorname{diag}(w) V\T$ the coefficients are
# $V \operatorname{diag}(1 / (w + \alpha)) V\T \Phi$ for every $\alpha$: after $O(\ell^3)$ once, a
# further ridge costs $O(\ell^2 p)$. The same factors give the leave-one-out residuals {eq}`eq-loo`.
# {doc}`The protocol <06_1_protocol>` uses that formula; here is why it holds.
#
# ```{prf:theorem} Leave-one-out
# :label: thm-loo
# Let $f$ be the ridge regression of all samples, $f(x_i) = \sum_{i'} A_{ii'} y_{i'}$, and $f_{-i}$
# that without sample $i$. Then $y_i - f_{-i}(x_i) = (y_i - f(x_i)) / (1 - A_{ii})$, with weights of
# the samples and an intercept too.
# ```
#
# ```{prf:proof}
# Add to the other samples the made-up one $(x_i, f_{-i}(x_i))$. The function $f_{-i}$ fits it
# without error, so it still minimises the objective: it is the regression of the outputs $y$ with
# $y_i$ replaced by $f_{-i}(x_i)$. Hence $f_{-i}(x_i) = f(x_i) + A_{ii} (f_{-i}(x_i) - y_i)$.
# Solve for $f_{-i}(x_i)$.
# ```
#
# Without an intercept and weights $A = K (K + \alpha I)^{-1} = I - \alpha (K + \alpha I)^{-1}$, the
# residual is $y - f = \alpha c$, and the quotient is {eq}`eq-loo`. The general case is what weak
# labels will need. We check it with random weights, an intercept, and a refit for every sample.


# %%
def draw(noise, split_seed=seed):
    """Labelled, weak and test samples from D2 with noisy inputs."""
    data = make_d2(900, input_noise=noise, random_state=seed)
    split = repeated_splits(
        900, n_splits=1, train_fraction=0.6, train_sizes=[n_train], random_state=split_seed
    )[0]
    parts = {"labelled": split.train(n_train), "weak": split.rest(n_train)[:n_weak]}
    return {name: (data.X[i], data.Y[i]) for name, i in {**parts, "test": split.test}.items()}


def regressor(X, **options):
    return squared_error_ridge(kernel="rbf", gamma=0.5 / median_bandwidth(X) ** 2, **options)


samples = draw(noise=1.0)
(X, Y), (X_weak, Y_weak), (X_test, Y_test) = samples.values()
mixture = GaussianMixtureEmbedding(n_components, covariance_type="tied", random_state=seed).fit(Y)
H = mixture.transform(Y)

# %%
rng = np.random.default_rng(seed)
weights = rng.uniform(0.1, 3, n_train)
fast = regressor(X).loo_predictions(X, H, alphas=[0.5], sample_weight=weights)[0]
single = regressor(X, alphas=[0.5])
refits = [
    single.fit(np.delete(X, i, 0), np.delete(H, i, 0), np.delete(weights, i)).predict(X[[i]])[0]
    for i in range(n_train)
]
print(f"equals {n_train} refits:", np.allclose(fast, refits))

# %% [markdown]
# {numref}`fig-ridge-path` lays the leave-one-out error, which uses training samples only, beside
# the error on a test set, for the two blocks of the mixture's embedding. A curve of leave-one-out
# errors for 25 ridges stands for 1250 fits, and takes a single decomposition. The curves need not
# coincide; what matters is that their minima are near each other.

# %%
blocks = mixture.blocks_
H_test = mixture.transform(Y_test)
alphas = np.logspace(-3, 2, 25)
panels, chosen = {}, {}
for name, columns in blocks.items():
    loo = regressor(X).loo_predictions(X, H[:, columns], alphas=alphas) - H[:, columns]
    path = [regressor(X, alphas=[a]).fit(X, H[:, columns]).predict(X_test) for a in alphas]
    panels[name] = {
        "leave-one-out": np.square(loo).mean(axis=(1, 2)),
        "test": np.square(path - H_test[:, columns]).mean(axis=(1, 2)),
    }
    chosen[name] = alphas[panels[name]["leave-one-out"].argmin()]

# %% mystnb={"figure": {"name": "fig-ridge-path", "caption": "Mean squared error of the two blocks along the path of ridges, by leave-one-out on the training samples and on the test set. Dotted: the ridge that leave-one-out chooses."}, "image": {"alt": "Two panels with two U-shaped curves each, whose minima lie at similar ridges."}}
_ = plot_curves(
    alphas, panels, xlabel=r"ridge $\alpha$", ylabel="mean squared error", chosen=chosen
)

# %%
for name, curves in panels.items():
    test = curves["test"]
    excess = test[alphas == chosen[name]][0] / test.min() - 1
    print(
        f"{name:10} chosen {chosen[name]:.2g}, test error {excess:.1%} above the best of the path"
    )
    assert excess < 0.05

# %% [markdown]
# ## The intercept, and one ridge per block
#
# P(13) has no intercept. Memberships are numbers around $1/C$, not around zero, and
# without an intercept they are pulled to zero where an input is unlike the training inputs. With
# one, the weights that the regression gives to the training samples sum to one at every input; and
# since all training memberships sum to one, so do the predicted ones, whatever the ridge.

# %%
for fit_intercept in (True, False):
    one = regressor(X, fit_intercept=fit_intercept).fit(X, H[:, blocks["membership"]])
    total = one.predict(X_test).sum(axis=1)
    name = "with" if fit_intercept else "without"
    print(f"{name:7} intercept: sums of memberships from {total.min():.3f} to {total.max():.3f}")
    assert np.allclose(total, 1) == fit_intercept

# %% [markdown]
# {doc}`04_pre_images` shows where sums far from one lead. The sum is repaired by the intercept, the
# signs are not; for them the decoder has the projection on the simplex.
#
# The two blocks are of different kinds: a membership jumps from cluster to cluster, a residual
# varies within one. `OutputFisherRegressor` gives each its own ridge. This breaks the identity of
# {prf:ref}`thm-model-cancels`, by which the mixture would cancel; whether that is for the good is
# the question of the next section.
#
# ## Small data
#
# Section 5.2 of the paper says that a Fisher embedding "conveys additional information" about an
# output, and should help when labelled samples are few. The word needs care. The embedding is a
# *function* of the output and of the fitted mixture, which is a function of the training outputs.
# It is even an invertible one, so it cannot contain anything that the outputs do not. What it
# changes is how errors are counted and what is smoothed together: it is a prior, not information. A
# prior can help and can hurt.
#
# We try it on D2, ten clusters in five dimensions, with clean inputs and with inputs whose noise is
# as large as the signal. The mixture has a component for every five labelled samples, eight at
# most.


# %%
def fit_all(X, Y):
    """The contestants, fitted to the same samples."""
    C = min(n_components, len(Y) // 5)
    model = GaussianMixtureEmbedding(C, covariance_type="tied", random_state=seed).fit(Y)
    ridge, model = regressor(X), FrozenEstimator(model)
    yield "m-KRR centred", ridge.fit(X, Y)
    yield "OFER, one ridge", OutputFisherRegressor(model, ridge, block_wise=False).fit(X, Y)
    yield "OFER-GMM", OutputFisherRegressor(model, ridge).fit(X, Y)


# %%
def learning_curves(noise):
    data = make_d2(900, input_noise=noise, random_state=seed)
    errors = {}
    for split in repeated_splits(
        900, n_splits=n_splits, train_fraction=0.6, train_sizes=sizes, random_state=seed
    ):
        for size in sizes:
            i = split.train(size)
            for name, fitted in fit_all(data.X[i], data.Y[i]):
                error = rrmse(data.Y[split.test], fitted.predict(data.X[split.test]))
                errors.setdefault(name, []).append(error)
    return {name: np.reshape(e, (n_splits, len(sizes))) for name, e in errors.items()}


# %%
inputs = {"clean inputs": 0.0, "noisy inputs": 1.0}
curves = {title: learning_curves(noise) for title, noise in inputs.items()}

# %% mystnb={"figure": {"name": "fig-small-data", "caption": "Test error against the number of labelled samples, without weak labels: means over ten splits, bands of one standard deviation. (The panels have different axes.)"}, "image": {"alt": "Two panels of three falling curves each. With clean inputs kernel ridge regression is lowest and the embedding with one ridge per block is highest; with noisy inputs two are close and the embedding with one ridge is highest."}}
_ = plot_curves(sizes, curves, xlabel="labelled samples", ylabel="RRMSE on the test set")

# %%
for title, errors in curves.items():
    for name in list(errors)[1:]:
        wins = (errors[name] < errors["m-KRR centred"]).sum(axis=0)
        wins = ", ".join(f"{w} at {size}" for w, size in zip(wins, sizes, strict=True))
        print(f"{title}: {name} better than m-KRR in {wins} (of {n_splits} splits)")
    gap = {name: np.mean(values - errors["m-KRR centred"]) for name, values in errors.items()}
    assert min(gap, key=gap.get) == "m-KRR centred"
    worst = "OFER-GMM" if title == "clean inputs" else "OFER, one ridge"
    assert max(gap, key=gap.get) == worst
    assert (gap["OFER, one ridge"] > 0.85 * gap["OFER-GMM"]) or title != "clean inputs"

# %% [markdown]
# With labelled samples alone the embedding does not pay on these data. For clean inputs it does
# harm. There the output is nearly a smooth function of the input, and kernel ridge regression
# follows it; memberships jump, which is hard to learn, and the residual block has to jump in step
# to make up for it. With one ridge and no projection the two jumps cancel exactly
# ({prf:ref}`thm-model-cancels`). The projection breaks this balance: with one ridge, but projected,
# the embedding does nearly as badly as with a ridge for each block.
#
# For noisy inputs nothing can be followed that closely, and the embedding with one ridge per
# block comes near to kernel ridge regression. With one ridge it stays behind. Most of the
# embedding's squared error is in the mean block, which the inputs hardly explain; so leave-one-out
# chooses one large ridge, and the memberships, which could be learned, are smoothed away with it:

# %%
*_, (_, one_ridge), (_, by_block) = fit_all(X, Y)
print(f"one ridge: {one_ridge.regressor_['all'].alpha_:.2g}")
for name, fitted in by_block.regressor_.items():
    print(f"ridge of the {name} block: {fitted.alpha_:.2g}")
apart = by_block.regressor_
assert apart["membership"].alpha_ < one_ridge.regressor_["all"].alpha_ < apart["mean"].alpha_

# %% [markdown]
# ## Weak labels
#
# Now the idea of Section 5.3. Ask a person who does not know the output of $x$ which *group* it
# would be in. The groups are the components of the mixture, which need no names: they can be shown
# as pictures. Such an answer fills the membership block and leaves the other one open.

# %% mystnb={"figure": {"name": "fig-targets", "caption": "The targets of the regression: all 50 labelled samples, and the first 50 weak ones. Darker is larger; of the mean block the absolute value is shown. For weak samples only the memberships are known."}, "image": {"alt": "A table of grey cells. Upper half: eight columns with mostly one black cell in a row, then five grey columns. Lower half: the eight columns only; the rest is hatched and says unknown."}}
gamma_weak = mixture.predict_proba(Y_weak)
_ = plot_targets(H[:, blocks["membership"]], H[:, blocks["mean"]], gamma_weak[:n_train])

# %% [markdown]
# Let $A$ be the $p \times p$ matrix that keeps the first $C$ coordinates and $A^c = I_p - A$.
# With $\ell$ labelled and $w$ weak samples the objective is P(14),
#
# ```{math}
# :label: eq-weak-objective
# \begin{aligned}
# \argmin_{h \in \mathcal H} \;\; & \frac{1}{2\ell} \sum_{i=1}^{\ell} \| A r_i \|^2 \\
# + & \lambda_2 \sum_{i=\ell+1}^{\ell+w} \| A r_i \|^2 \\
# + & \frac{1}{2\ell} \sum_{i=1}^{\ell} \| A^c r_i \|^2 \\
# + & \lambda_0 \| h \|^2 ,
# \end{aligned}
# ```
#
# with the residuals $r_i = \phi(y_i) - h(x_i)$.
#
# ```{prf:proposition} Weak labels separate
# :label: prop-weak
# For $K = I_p k$ the minimiser of {eq}`eq-weak-objective` consists of two regressions. The
# coordinates outside $A$ are learned from the labelled samples as in {eq}`eq-coefficients`; the
# memberships from all samples, with coefficients $(K + 2 \ell \lambda_0 W^{-1})^{-1} \Phi_A$ and
# weights $W_{ii} = 1$ for labelled and $2 \ell \lambda_2$ for weak samples.
# ```
#
# ```{prf:proof}
# For this kernel $\| h \|^2 = \sum_c \| h_c \|^2$ over the coordinates, and each loss is a sum over
# coordinates. The objective is thus a sum of terms with one coordinate each. Times $2 \ell$, that
# of a membership is $\sum_i W_{ii} (\phi_c(y_i) - h_c(x_i))^2$ plus $2 \ell \lambda_0 \| h_c \|^2$.
# With $h_c = \sum_i k(\cdot, x_i) c_i$ the gradient is zero if $W (\phi - K c) = 2 \ell \lambda_0
# c$.
# ```
#
# So `weak_weight` $= 2 \ell \lambda_2$ is the weight of a weak sample relative to a labelled one.
# Its neutral value 1 means $\lambda_2 = 1 / (2 \ell)$. Again a brute-force minimiser gets the
# objective as printed, with coefficients for all samples and all coordinates, and is told nothing
# about blocks:

# %%
few, more = slice(0, 10), slice(0, 8)
everything = np.vstack([X[few], X_weak[more]])
model = GaussianMixtureEmbedding(2, covariance_type="tied", random_state=seed).fit(Y[few])
Phi, G = model.transform(Y[few]), model.predict_proba(Y_weak[more])
l, p, C = len(Phi), Phi.shape[1], 2
lambda_0, lambda_2, gamma = 0.01, 0.02, 0.5 / median_bandwidth(everything) ** 2
K = rbf_kernel(everything, gamma=gamma)


def printed_objective(c):
    c = c.reshape(-1, p)
    h = K @ c
    labelled = np.square(Phi - h[:l])
    weak = np.square(G - h[l:, :C]).sum()
    first = labelled[:, :C].sum() / (2 * l) + lambda_2 * weak
    return first + labelled[:, C:].sum() / (2 * l) + lambda_0 * np.sum(c * (K @ c))


# %%
found = minimize(printed_objective, np.zeros(len(K) * p), options={"maxiter": 2000})
ridge = KernelRidgeCV([2 * l * lambda_0], kernel="rbf", gamma=gamma, fit_intercept=False)
weak = OutputFisherRegressor(FrozenEstimator(model), ridge).fit(
    X[few],
    Y[few],
    X_weak=X_weak[more],
    membership_weak=G,
    weak_weight=2 * l * lambda_2,
)
brute = rbf_kernel(X_test, everything, gamma=gamma) @ found.x.reshape(-1, p)
print("brute force agrees:", np.allclose(brute, weak.predict_embedding(X_test), atol=1e-3))

# %% [markdown]
# ## Where weak labels help
#
# Weak labels say something that the labelled samples do not, so the argument against "additional
# information" does not apply to them. Whether it is *useful* depends on whether the inputs leave
# the group in doubt. We add weak labels to 50 labelled samples, in the clean and in the noisy case.
# The mixture itself plays the supervisor: it sees the true output and tells the memberships.

# %%
counts = [25, 50, 100, 200, 400]


def weak_curves(noise):
    plain, helped = [], []
    for split_seed in range(n_splits):
        (X, Y), (X_weak, Y_weak), (X_test, Y_test) = draw(noise, split_seed).values()
        (_, krr), _, (_, ofer) = fit_all(X, Y)
        plain.append([rrmse(Y_test, one.predict(X_test)) for one in (krr, ofer)])
        gamma = ofer.embedding_.predict_proba(Y_weak)
        for n in counts:
            ofer.fit(X, Y, X_weak=X_weak[:n], membership_weak=gamma[:n])
            helped.append(rrmse(Y_test, ofer.predict(X_test)))
    krr, ofer = np.repeat(np.transpose(plain)[:, :, None], len(counts), axis=2)
    helped = np.reshape(helped, (n_splits, -1))
    return {"m-KRR centred": krr, "OFER-GMM, no weak labels": ofer, "OFER-GMM, weak labels": helped}


curves = {title: weak_curves(noise) for title, noise in inputs.items()}

# %% mystnb={"figure": {"name": "fig-weak-labels", "caption": "Test error against the number of weak labels, with 50 labelled samples: means over ten splits, bands of one standard deviation. Clean inputs: the more weak labels, the worse. Noisy inputs: the more, the better. (The panels have different axes.)"}, "image": {"alt": "Two panels with two horizontal lines and one curve. Left the curve rises above both lines; right it falls below both."}}
_ = plot_curves(counts, curves, xlabel="weak labels", ylabel="RRMSE on the test set")

# %%
for title, errors in curves.items():
    krr, ofer, helped = (values[:, -1] for values in errors.values())
    print(
        f"{title}, {counts[-1]} weak labels: better than without in {(helped < ofer).sum()}, "
        f"than m-KRR in {(helped < krr).sum()} of {n_splits} splits"
    )
    noisy = title == "noisy inputs"
    sign = -1 if noisy else 1  # better, or worse, in every split and with each step
    assert np.all(sign * (helped - ofer) > 0)
    assert np.all(sign * (helped - krr) > 0)
    assert np.all(sign * np.diff(errors["OFER-GMM, weak labels"].mean(axis=0)) > 0)

# %% [markdown]
# For noisy inputs memberships are averages over many samples, and weak samples are many. For clean
# inputs they sharpen the jumps of the membership block, while the residual block, with its 50
# samples, cannot follow; the two fit together less and less.
#
# ## How much weight?
#
# Section 5 leaves $\lambda_2$ open; for one of its tables the paper says that all hyper-parameters
# were selected by cross-validation on the training set. Leave-one-out does this without folds:
# {prf:ref}`thm-loo` holds with weights. For each `weak_weight`, `loo_predict` predicts every
# labelled sample without it, both blocks, and decodes; we measure the error of the *outputs*. (The
# mixture has seen the output that is left out, so these errors are somewhat too small; it is the
# same mixture for all weights.)


# %%
weak_weights = np.logspace(-3, 1, 9)
panels, chosen = {}, {}
for title, noise in inputs.items():
    (X, Y), (X_weak, Y_weak), (X_test, Y_test) = draw(noise).values()
    *_, (_, model) = fit_all(X, Y)
    gamma = model.embedding_.predict_proba(Y_weak)
    errors = {"leave-one-out": [], "test": []}
    for weight in weak_weights:
        model.fit(X, Y, X_weak=X_weak, membership_weak=gamma, weak_weight=weight)
        errors["leave-one-out"].append(rrmse(Y, model.loo_predict()))
        errors["test"].append(rrmse(Y_test, model.predict(X_test)))
    panels[title] = {name: np.array(values) for name, values in errors.items()}
    chosen[title] = weak_weights[np.argmin(errors["leave-one-out"])]

# %% mystnb={"figure": {"name": "fig-weak-weight", "caption": "Error of the decoded outputs against the weight of a weak sample, for 50 labelled and 400 weak samples: leave-one-out on the labelled training samples, and test. Dotted: the weight that leave-one-out chooses. (The panels have different axes.)"}, "image": {"alt": "Two panels of two curves. With clean inputs both rise with the weight, and the smallest weight is chosen. With noisy inputs both fall and flatten, and a large weight is chosen."}}
_ = plot_curves(
    weak_weights,
    panels,
    xlabel=r"weak_weight $= 2 \ell \lambda_2$",
    ylabel="RRMSE of the outputs",
    chosen=chosen,
)

# %%
for title, curves in panels.items():
    at = dict(zip(weak_weights, curves["test"], strict=True))
    print(
        f"{title}: chosen {chosen[title]:.2g}, test error {at[chosen[title]]:.3f}; "
        f"at weight 1 {at[1.0]:.3f}"
    )
assert chosen["clean inputs"] == weak_weights[0]
noisy = panels["noisy inputs"]["test"]
assert noisy[weak_weights == chosen["noisy inputs"]][0] < 1.02 * noisy.min()

# %% [markdown]
# Leave-one-out, on training samples alone, tells the two cases apart on this split. For clean
# inputs it takes the smallest weight on offer: it would rather have no weak labels. For noisy
# inputs it finds a weight in the flat part of the test curve. Its level is too low, for the reason
# given above, but it is the place of the minimum that is used.
#
# ## What we found
#
# - The learning step is $p$ kernel ridge regressions that share a matrix; a minimiser that knows
#   nothing of the theory of kernels arrives at the same functions, with weak labels too.
# - One eigendecomposition gives every ridge and, exactly, every leave-one-out error, with weights
#   and an intercept.
# - An embedding of labelled outputs adds no information. On D2 it does not beat centred kernel
#   ridge regression, and for clean inputs it is clearly worse.
# - Weak labels do add information. With noisy inputs 400 of them take the error below that of
#   kernel ridge regression in every split; with clean inputs they make it larger in every split.
# - The weight of weak labels can be chosen on the training samples.
#
# All of this is one generated data set, with two levels of noise. Whether real inputs are more like
# the noisy case is a question for the experiments, such as {doc}`06_4_2_drug_activity`.
#
# ## What this changes for you
#
# Do not expect an embedding of your labelled outputs to add information. Collect weak labels where
# inputs leave the group in doubt, and let leave-one-out choose their weight: it finds out when they
# are not worth having.
#
# ## Exercises
#
# ```{exercise} Quick
# :label: ex-learning-hard
#
# A person would hardly tell responsibilities; more likely they name one group. Replace the weak
# labels of the noisy case by the index of the most responsible component. How much is lost?
# ```
#
# ```{solution} ex-learning-hard
# :class: dropdown
#
# Next to nothing: most responsibilities of these clusters are near 0 or 1 anyway, see
# {numref}`fig-targets`.
# ```
#
# ```{exercise} Quick
# :label: ex-learning-coupled
#
# With $K(x, x') = B \, k(x, x')$ the coordinates are coupled. Show that the eigenvectors of $B$
# uncouple them again, and that an eigenvalue $b$ acts as a ridge $\alpha / b$.
# ```
#
# ```{solution} ex-learning-coupled
# :class: dropdown
#
# The system is $K c B + \alpha c = \Phi$. With $B = U \operatorname{diag}(b) U\T$, multiplied from
# the right by $U$, it becomes $b_j K c'_j + \alpha c'_j = \phi'_j$ for the columns of $c' = c U$
# and $\phi' = \Phi U$, that is $(K + (\alpha / b_j) I) c'_j = \phi'_j / b_j$. So a coupling of this
# kind is a choice of ridges too, one for each direction of the embedding.
# ```

# %% tags=["hide-input"]
told = {"X_weak": X_weak, "membership_weak": gamma}
soft = rrmse(Y_test, model.fit(X, Y, **told).predict(X_test))
told["membership_weak"] = gamma.argmax(axis=1)
hard = rrmse(Y_test, model.fit(X, Y, **told).predict(X_test))
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
# Let the supervisor of the noisy case be wrong for half of the weak samples, and name a group at
# random. Are the weak labels still worth having? Which `weak_weight` does leave-one-out choose now?
# ```
#
# ```{solution-start} ex-learning-wrong
# :class: dropdown
# ```

# %%
labels = gamma.argmax(axis=1)
wrong = rng.random(len(labels)) < 0.5
labels[wrong] = rng.integers(gamma.shape[1], size=wrong.sum())
found = {}
for weight in (0.001, 0.03, 1.0):
    model.fit(X, Y, X_weak=X_weak, membership_weak=labels, weak_weight=weight)
    found[weight] = rrmse(Y, model.loo_predict()), rrmse(Y_test, model.predict(X_test))
    print(f"weight {weight:g}: leave-one-out {found[weight][0]:.3f}, test {found[weight][1]:.3f}")
without = rrmse(Y_test, model.fit(X, Y).predict(X_test))
assert found[1.0][1] > without
assert min(found, key=lambda weight: found[weight][0]) < 1

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
# Who could give weak labels for your outputs, what would they be shown, and how would you check
# them?
# ```
#
# ```{solution} ex-learning-own
# :class: dropdown
#
# Fit a mixture to your labelled outputs and look at a few of each component: would a person tell
# the groups apart? Let that person label outputs that you know, and compare the error with weights
# chosen by leave-one-out.
# ```
