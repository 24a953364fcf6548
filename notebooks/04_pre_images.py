# ---
# jupyter:
#   kernelspec: {display_name: Python 3, language: python, name: python3}
#   ofer:
#     tables: [ofer-theory]
# ---

# %% [markdown]
# # Pre-images
#
# *Sections 4.1 and 4.2 of {cite:t}`djerrab2018`*
#
# **The question.** Output Fisher embedding regression (OFER) describes outputs by a vector, their
# *embedding*, and predicts this vector. Which output does a predicted embedding stand for?
#
# **The idea.** The paper answers with the *pre-image*, the output whose own embedding is nearest.
# With the covariances of the output model in the embedding, a search for it can end in a *false
# minimum*, a local minimum other than the nearest one. The paper drops the covariances and gets a
# closed form.
#
# **The answer.** False minima exist, and we say exactly when. On our data they are not what makes
# the full embedding worse. For a mixture of Gaussians the closed form is not the output of the
# nearest embedding, and can lie at infinity. Predicted memberships that are projected onto
# probabilities keep it bounded. The exact search lowers the loss, but not the error.

# %% tags=["parameters"]
profile: str = "stored"  # or "quick", "full": see the statements in random cases
seed: int = 1  # a draw whose three clusters form a triangle
n_train: int = 60  # training samples from the mixture
n_splits: int = 10  # of the measurements
sizes: list = [10, 50, 100]  # training sizes for the Gaussian

# %%
import numpy as np
import pandas as pd
from IPython.display import HTML
from scipy.optimize import minimize
from scipy.stats import norm
from sklearn.base import clone
from sklearn.model_selection import train_test_split

from ofer import (
    FullFisherEmbedding,
    GaussianEmbedding,
    GaussianMixtureEmbedding,
    KernelRidgeCV,
    OutputFisherRegressor,
)
from ofer.embeddings.preimage import levenberg_marquardt, squared_distance
from ofer.kernels import median_bandwidth
from ofer.metrics import rrmse
from reproduction.claims import claims_to_html, read_claims
from reproduction.datasets.generated.mixture_regression import make_mixture_regression
from reproduction.datasets.generated.mixtures import make_d1
from reproduction.engine import results
from reproduction.statistics import repeated_splits, summarize
from reproduction.studies.embedding.decoding import (
    pre_images_by_decoder,
    root_mean_squares_by_part,
)
from reproduction.studies.embedding.figures.landscapes import (
    landscape,
    loss_on_grid,
    minima_on_grid,
    with_slopes,
)
from reproduction.studies.embedding.figures.pre_images import (
    plot_loss_curves,
    plot_loss_maps,
    plot_search_paths,
    plot_vanishing_sum,
)

# %% [markdown]
# ## One Gaussian: a false minimum
#
# An embedding collects *scores*, derivatives of the log-density in the parameters of the output
# model ({doc}`02_output_fisher_embedding_regression`). For one Gaussian $\mathcal N(\mu, \Sigma)$
# the *full* embedding has the scores of mean and covariance. The *reduced* one keeps the score of
# the mean, $\Sigma^{-1} (y - \mu)$. The *loss* of an output is the squared distance of its
# embedding from the predicted one; the pre-image minimises it.
#
# The score of the covariance contains squares of $y - \mu$ only, so it does not know the side of
# the mean on which $y$ lies. {numref}`fig-loss-curves` shows the consequence for a Gaussian in one
# dimension and the true output 2. The reduced loss has one minimum. The full loss has two, even
# where the prediction is perfect.

# %% mystnb={"figure": {"name": "fig-loss-curves", "caption": "The full and the reduced loss over the outputs, with their minima marked. The true output is 2; the prediction is its embedding, or that plus noise."}, "image": {"alt": "Two panels with a solid W-shaped curve with two marked minima and a dashed curve with a single minimum. Left, the right-hand minimum is at the dotted line of the true output; right, both are shifted."}}
rng = np.random.default_rng(seed)
y = rng.normal(0, np.sqrt(0.5), size=(500, 1))
full = FullFisherEmbedding(GaussianEmbedding(reg_covar=0)).fit(y)
truth = np.array([[2.0]])
perfect = full.transform(truth)
noisy = perfect + np.array([[-1.5, 1.0]])
line = np.linspace(-3, 3, 1201)[:, None]


def losses(h):
    difference = np.square(full.transform(line) - h)
    return {"full": difference.sum(axis=1), "reduced": difference[:, 0]}


def count_minima(loss):
    return int(((loss[1:-1] < loss[:-2]) & (loss[1:-1] < loss[2:])).sum())


panels = {"perfect prediction": losses(perfect), "noisy prediction": losses(noisy)}
_ = plot_loss_curves(line[:, 0], panels, truth[0, 0], highest=250)

# %%
for curves in panels.values():
    assert {name: count_minima(loss) for name, loss in curves.items()} == {"full": 2, "reduced": 1}

# %% [markdown]
# A false minimum occurs for outputs whose distance from the mean is more than $2 \sqrt 2$ times the
# variance ({prf:ref}`prop-false-minimum`). A distance is compared with a variance here, so the unit
# of the outputs decides.
#
# Is the search then the weakness of the full embedding? On data like the paper's D1, the reduced
# embedding has the smaller error in every split. The paper's Table 1 has the same order. But no search
# ends in a false minimum there. So the loss comes from learning. A likely reason is the ridge parameter
# that ten coordinates share with a hundred squares and products.
#
# ## A mixture: a closed form that explodes
#
# Now let the model be a mixture of Gaussians with weights $\pi_j$, means $\mu_j$ and covariances
# $\Sigma_j$, and $\gamma_j(y)$ be the {term}`membership` of $y$ in component $j$. The reduced
# embedding has two blocks, in one of two scalings:
#
# :::{table} The reduced embedding of a mixture in two scalings.
# | | memberships | second block |
# |---|---|---|
# | *score* (the paper's) | $\gamma_j(y) / \pi_j$ | $\sum_j \gamma_j(y) \, \Sigma_j^{-1} (y - \mu_j)$ |
# | *natural* (ours) | $\gamma_j(y)$ | $y - \sum_j \gamma_j(y) \, \mu_j$ |
# :::
#
# In score scaling the closed form divides by a sum of *precisions* $\Sigma_j^{-1}$, weighted by the
# predicted memberships. True memberships are positive and sum to one. A regression promises
# neither, and where they have mixed signs, the sum can vanish.
#
# {numref}`fig-explosion` shows this for the paper's method: score scaling, a linear kernel, no
# intercept. The data are three clusters in the plane with 60 training samples. The sum is negative
# for nearly half of the test inputs. On the line from one test input to another it crosses zero,
# and the decoded output goes to infinity.

# %% tags=["hide-input"]
data = make_mixture_regression(
    300, n_clusters=3, n_outputs=2, n_inputs=2, separation=5, input_noise=0.5, random_state=seed
)
X, X_test, Y, Y_test = train_test_split(data.X, data.Y, train_size=n_train, random_state=seed)
options = {"scaling": "score", "decoder": "raw", "random_state": seed}
score = GaussianMixtureEmbedding(3, **options).fit(Y)
linear = KernelRidgeCV(fit_intercept=False)
printed = OutputFisherRegressor(score, linear, block_wise=False).fit(X, Y)
fitted = printed.embedding_
safe = clone(fitted).set_params(decoder="simplex").fit(Y)
membership = fitted.blocks_["membership"]


# %% mystnb={"figure": {"name": "fig-explosion", "caption": "Above, the sum of precisions along a line between two test inputs, for the memberships as predicted (raw) and after projection onto the simplex. Below, how far from the mean output the decoded one is."}, "image": {"alt": "Above, a line that crosses zero and one that stays positive. Below, on a logarithmic axis, a curve with a sharp peak at the crossing, and one that stays low."}}
def sums(H):
    """Sums of precisions, with memberships as predicted and projected."""
    block = H[:, membership]
    raw, projected = block * fitted.weights_, fitted.decode_membership(block)
    return {"raw": raw @ fitted.precisions_, "simplex": projected @ fitted.precisions_}


raw = sums(printed.predict_embedding(X_test))["raw"]
x_a, x_b = X_test[raw.argmax()], X_test[raw.argmin()]
t = np.linspace(0, 1, 801)
H = printed.predict_embedding(x_a + t[:, None] * (x_b - x_a))
centre = Y.mean(axis=0)
distances = {
    "raw": np.linalg.norm(fitted.inverse_transform(H) - centre, axis=1),
    "simplex": np.linalg.norm(safe.inverse_transform(H) - centre, axis=1),
}
scale = np.linalg.norm(Y - centre, axis=1).max()
_ = plot_vanishing_sum(t, sums(H), distances, scale)

# %%
assert 0.4 < (raw < 0).mean() < 0.5
assert distances["raw"].max() > 100 * scale > 50 * distances["simplex"].max()
assert sums(H)["raw"].min() < 0 < sums(H)["raw"].max()

# %% [markdown]
# Our default moves the predicted memberships to the nearest point of the *probability simplex*: no
# membership is negative, and they sum to one. This removes the pole, provably
# ({prf:ref}`thm-simplex-bounded`). In natural scaling the closed form has nothing to divide by: it
# is the predicted second block plus a weighted mean of the $\mu_j$.
#
# ## Which decoder?
#
# Given the embedding of a real output, the closed form returns that output. Given a prediction, it
# returns an output whose embedding need not be the nearest one. Does it pay to search for the
# nearest one? The table compares three decoders for each scaling: the closed form with memberships
# as predicted (*raw*), the closed form with projected memberships (*simplex*), and the search for
# the nearest embedding (*exact*). The last row is the search with the full embedding. Kernel ridge
# regression with an intercept and one ridge parameter learns each embedding.
#
# The paper's pre-image asks for a low loss; a reader wants a low {term}`RRMSE`.

# %% mystnb={"figure": {"caption": "Loss of the pre-image (mean) and RRMSE of the output (mean and standard deviation) over ten splits, by scaling and decoder (rows)."}}
splits = repeated_splits(
    len(data.Y), n_splits=n_splits, train_fraction=0.5, train_sizes=[n_train], random_state=seed
)
rows = [
    (name, loss, rrmse(data.Y[split.test], P))
    for split in splits
    for name, (loss, P) in pre_images_by_decoder(
        data, split.train(n_train), split.test, 3, seed
    ).items()
]
frame = pd.DataFrame(rows, columns=["decoder", "loss", "RRMSE"])
of_decoder = frame.groupby("decoder", sort=False).agg({"loss": "mean", "RRMSE": ["mean", "std"]})
of_decoder.round(3)

# %%
means, spreads = of_decoder["RRMSE"]["mean"], of_decoder["RRMSE"]["std"]
for scaling in ("score", "natural"):
    forms = [f"{scaling}, {decoder}" for decoder in ("exact", "raw", "simplex")]
    exact, *closed = of_decoder["loss"]["mean"][forms]
    assert exact < 0.5 * min(closed)
    assert means[forms[0]] > means[forms[1:]].max()
others = means[~means.index.str.endswith("exact")]
assert np.ptp(others) < spreads[others.index].min()

# %% [markdown]
# The exact search does what it is asked to do: its losses are less than half of those of the closed
# forms. Its errors are larger on average. Where a regression is in doubt, it predicts an embedding
# between two clusters. The nearest real embedding can take a side, and the error is large where it
# takes the wrong one. The other decoders differ by less than the spread over the splits.
#
# The rest of the chapter derives and checks these statements.
#
# ## When is there a false minimum?
#
# The full embedding of a Gaussian has two blocks. The loss of an output $y$ against a prediction
# $h = (h_1, h_2)$ is the paper's equation 4,
#
# ```{math}
# :label: eq-full-loss
# \begin{aligned}
# L(y, h) &= \| s - h_1 \|^2 + \| q - h_2 \|^2 , \\
# s &= \Sigma^{-1} (y - \mu) , \\
# q &= \tfrac12 \operatorname{vec} ( s s\T - \Sigma^{-1} ) .
# \end{aligned}
# ```
#
# The paper's equation lacks the factor $\tfrac12$ (see the {doc}`errata <90_errata>`). Without the
# second block the loss is a parabola. In one dimension, the number of minima of the full loss
# depends on a cubic.
#
# ```{prf:proposition} A false minimum
# :label: prop-false-minimum
# Let $d = 1$, $v$ the variance and $c = h_2 + \frac{1}{2v}$. The loss {eq}`eq-full-loss` has two
# minima exactly if $c > 1$ and $27 h_1^2 < 8 (c - 1)^3$. For a perfect prediction of an output
# $y_0$ this means $|y_0 - \mu| > 2 \sqrt 2 \, v$.
# ```
#
# ```{prf:proof}
# *One variable.* Set $u = (y - \mu) / v$. Then $s = u$ and $q = \frac12 (u^2 - \frac1v)$, because
# $\Sigma^{-1} = \frac1v$. So $q - h_2 = \frac12 u^2 - c$, and the loss is
#
# $$
# L = (u - h_1)^2 + \big( \tfrac12 u^2 - c \big)^2 .
# $$
#
# *Its derivative.* Differentiate in $u$:
#
# $$
# L' = 2 (u - h_1) + 2 u \big( \tfrac12 u^2 - c \big) = u^3 + 2 (1 - c) \, u - 2 h_1 .
# $$
#
# *Two minima mean three zeros.* The cubic runs from $-\infty$ to $\infty$. With three different
# real zeros it changes sign at each of them, so the loss has a minimum, a maximum and a minimum.
# With fewer zeros it changes sign from minus to plus once, and there is one minimum.
#
# *When are there three?* A cubic $u^3 + a u + b$ has three different real zeros exactly if its
# discriminant $-4 a^3 - 27 b^2$ is positive. Insert $a = 2 (1 - c)$ and $b = -2 h_1$:
#
# $$
# 32 \, (c - 1)^3 - 108 \, h_1^2 > 0 .
# $$
#
# Divide by 4. The condition forces $c > 1$, because $h_1^2$ is not negative.
#
# *A perfect prediction* is the embedding of $y_0$. With $u_0 = (y_0 - \mu) / v$ it has $h_1 = u_0$
# and $h_2 = \frac12 (u_0^2 - \frac1v)$, so $c = \frac12 u_0^2$. The cubic is then
#
# $$
# u^3 + (2 - u_0^2) \, u - 2 u_0 = (u - u_0) (u^2 + u_0 u + 2) .
# $$
#
# The second factor has two real zeros exactly if $u_0^2 > 8$, and $u_0$ is none of them, because
# $2 u_0^2 + 2 > 0$. So the condition is $|u_0| > 2 \sqrt 2$; multiply by $v$.
# ```
#
# The zeros of $u^2 + u_0 u + 2$ have the product 2 and the sum $-u_0$. So both have the sign
# opposite to $u_0$: the false minimum is always on the wrong side of the mean.
#
# Write $\sigma = \sqrt v$, and $z = (y_0 - \mu) / \sigma$ for the distance in standard deviations.
# The condition becomes $|z| > 2 \sqrt 2 \, \sigma$, because $|y_0 - \mu| = \sigma |z|$ and
# $v = \sigma^2$. The same outputs in a larger unit have a smaller $\sigma$, and more false minima.
# Counting minima on a fine grid agrees with the proposition:

# %% mystnb={"figure": {"caption": "Outputs in four units, by their standard deviation: share with two minima as counted, as the proposition says, and as expected under the model."}}
rows = []
for unit in (0.5, 1.0, 2.0, 4.0):
    scaled = clone(full).fit(y / unit)
    places = np.linspace(-5, 5, 4001)[:, None] * np.sqrt(scaled.embedding_.covariance_)
    H, on_line = scaled.transform(y / unit), scaled.transform(places)
    two = [count_minima(np.square(on_line - h).sum(axis=1)) == 2 for h in H]
    sigma = np.sqrt(scaled.embedding_.covariance_)
    far = np.abs(y[:, 0] / unit - scaled.embedding_.mean_) > np.sqrt(8) * sigma**2
    rows.append((sigma, np.mean(two), np.mean(far), 2 * norm.sf(np.sqrt(8) * sigma)))
columns = ["standard deviation", "two minima", "by the proposition", "expected"]
table = pd.DataFrame(rows, columns=columns)
table.round(3).assign(**{columns[0]: table[columns[0]].map("{:.2f}".format)}).set_index(columns[0])

# %%
assert np.abs(table["two minima"] - table["by the proposition"]).max() < 0.01
assert np.all(np.diff(table["two minima"]) > 0)

# %% [markdown]
# So the full loss depends on the unit of the outputs. The Fisher information, which the method
# leaves out, would remove this dependence.
#
# In two dimensions the picture is the same ({numref}`fig-gaussian-landscape`). The covariance block
# cannot tell $y - \mu$ from $-(y - \mu)$, so a false minimum lies opposite to the true one.

# %% mystnb={"figure": {"name": "fig-gaussian-landscape", "caption": "Contours of the pre-image loss of a Gaussian in the plane: the full loss for a perfect and for a noisy prediction, and the reduced loss of the same noisy prediction. Darker is lower."}, "image": {"alt": "Three contour maps. In the first two a deep minimum lies at the upper right and a shallower one at the lower left. The third has concentric circles around a single minimum."}}
plane = rng.normal(0, np.sqrt(0.5), size=(500, 2))
full = FullFisherEmbedding(GaussianEmbedding(reg_covar=0)).fit(plane)
truth = np.array([[1.2, 1.0]])
perfect = full.transform(truth)
noisy = perfect + rng.normal(0, 1, perfect.shape)
corner = np.linspace(-2.5, 2.5, 161)
grid = np.stack(np.meshgrid(corner, corner), axis=-1)
gaussian = full.embedding_
maps = {
    "full, perfect": landscape(full.transform, perfect, truth, grid),
    "full, noisy": landscape(full.transform, noisy, truth, grid),
    "reduced, noisy": landscape(gaussian.transform, noisy[:, :2], truth, grid),
}
_ = plot_loss_maps(grid, maps)

# %% [markdown]
# ## One Gaussian: the closed form and its error
#
# The reduced embedding keeps $\varphi_\mu(y) = \Sigma^{-1} (y - \mu)$ alone. Call its prediction
# $g_1$. The loss $\| \Sigma^{-1} (y - \mu) - g_1 \|^2$ is zero for
# $\Sigma^{-1} (y - \mu) = g_1$. Multiply by $\Sigma$ and add $\mu$; this is the paper's equation 7:
#
# ```{math}
# :label: eq-gaussian-preimage
# y^\star = \Sigma \, g_1(x) + \mu .
# ```
#
# *The error.* Write $g_1(x) = \varphi_\mu(y^{true}) + \varepsilon$ with the error $\varepsilon$ of
# the regression, and insert it:
#
# $$
# y^\star = \Sigma \, \varphi_\mu(y^{true}) + \mu + \Sigma \, \varepsilon
# = y^{true} + \Sigma \, \varepsilon ,
# $$
#
# because $\Sigma \, \varphi_\mu(y^{true}) = y^{true} - \mu$. This is the paper's equation 8:
#
# ```{math}
# :label: eq-error
# \| y^{true} - y^\star \| = \| \Sigma \, \varepsilon \| .
# ```
#
# A Gaussian with a full covariance, fitted to drawn outputs, confirms both equations.

# %%
mixing = np.array([[1.0, 0.4, 0.0], [0.0, 0.7, 0.2], [0.0, 0.0, 0.3]])
outputs = rng.normal(size=(200, 3)) @ mixing
model = GaussianEmbedding(covariance_type="full").fit(outputs)
noise = rng.normal(size=outputs.shape)
decoded = model.inverse_transform(model.transform(outputs) + noise)
error, by_formula = outputs - decoded, noise @ model.covariance_
search = minimize(lambda v: np.square(model.transform([v]) - noise[:1]).sum(), np.zeros(3))

# %%
lengths = (np.linalg.norm(one, axis=1) for one in (error, by_formula))
assert np.allclose(*lengths, rtol=1e-10)
assert np.allclose(search.x, model.inverse_transform(noise[:1]), atol=1e-4)

# %% [markdown]
# For the full embedding the paper speaks of two errors without a formula: that of $h$ and that of
# the pre-image. They can be separated exactly. Let $\hat y$ be the pre-image that the search finds,
# $\hat s = \varphi_\mu(\hat y)$ its first block, and $h_1 = \varphi_\mu(y^{true}) + \varepsilon_1$.
#
# 1. Both outputs can be rebuilt from their first block: $\hat y = \Sigma \hat s + \mu$ and
#    $y^{true} = \Sigma \, \varphi_\mu(y^{true}) + \mu$.
# 2. Subtract: $\hat y - y^{true} = \Sigma \, (\hat s - \varphi_\mu(y^{true}))$.
# 3. Insert $\varphi_\mu(y^{true}) = h_1 - \varepsilon_1$:
#
#    ```{math}
#    :label: eq-full-error
#    \hat y - y^{true} = \underbrace{\Sigma \varepsilon_1}_{\text{learning}} +
#    \underbrace{\Sigma \, (\hat s - h_1)}_{\text{pre-image}} .
#    ```
#
# The first term is the error that the closed form would make with the same $h_1$. The second says
# how far the covariance block drags the answer away from the closed form.
#
# We measure both on data like the paper's D1, four clusters in ten dimensions. The full embedding
# has one ridge parameter; the reduced one is learned alone.

# %% mystnb={"figure": {"caption": "Root mean squared distance of pre-images from the true outputs, for the full embedding, split into learning and pre-image (vectors that add up; their lengths do not), and for the reduced one, by training size (rows). Means over the splits."}}
d1 = make_d1(random_state=seed)
d1_splits = repeated_splits(
    len(d1.Y), n_splits=n_splits, train_fraction=0.5, train_sizes=sizes, random_state=seed
)
runs = {
    size: pd.DataFrame(
        [root_mean_squares_by_part(d1, split.train(size), split.test) for split in d1_splits]
    )
    for size in sizes
}
pd.DataFrame({size: frame.mean() for size, frame in runs.items()}).T.round(3)

# %%
for frame in runs.values():
    assert np.all(frame["reduced"] < frame["full"])
    assert frame["learning"].mean() > frame["reduced"].mean()
    assert abs(frame["full"].mean() / frame["learning"].mean() - 1) < 0.05
assert d1.Y.shape[1] ** 2 == 100
gaps = [(frame["full"] - frame["reduced"]).mean() for frame in runs.values()]
assert np.all(np.diff(gaps) < 0)

# %% [markdown]
# The reduced embedding has the smaller error in every split, and the gap closes as samples become
# many. The paper's reason does not explain it. The column *learning* is already larger than the
# column *reduced*: the full embedding loses before any search. One ridge parameter is chosen for
# all its 110 coordinates, of which 100 are squares and products. The search then changes little:
# the columns *full* and *learning* differ by less than five per cent.
#
# And the search? We start it from training outputs drawn at random, and count how often it ends
# above the lowest loss. We do so in the unit of the data and in a unit that is five times as large.

# %%
train, test = d1_splits[0].train(sizes[-1]), d1_splits[0].test
ridge = KernelRidgeCV(kernel="rbf", gamma=0.5 / median_bandwidth(d1.X[train]) ** 2)
stuck = {}
for unit in (1, 5):
    outputs = d1.Y[train] / unit
    full = FullFisherEmbedding(GaussianEmbedding()).fit(outputs)
    H = ridge.fit(d1.X[train], full.transform(outputs)).predict(d1.X[test])
    loss = squared_distance(with_slopes(full.transform), H)
    starts = outputs[rng.choice(len(train), (2, len(test)))]
    ends = np.array([levenberg_marquardt(loss, start, tol=1e-6).losses for start in starts])
    lowest = np.minimum(ends.min(axis=0), full.pre_images(H).losses)
    stuck[unit] = np.mean(ends > 1.001 * lowest)
    print(f"unit {unit}: {stuck[unit]:.1%} of the searches end in a false minimum")

# %%
assert stuck[1] == 0
assert stuck[5] > 0.2

# %% [markdown]
# So the search is not to blame on these data: the second error of {eq}`eq-full-error` is the pull
# of the covariance block. In another unit there are false minima. Starting from several points, as
# `pre_images` does, helps there.
#
# ## A mixture: the closed form
#
# For a mixture the full loss is the paper's equation 9, with one term for each block of scores:
#
# ```{math}
# :label: eq-full-mixture-loss
# \begin{aligned}
# L(y, h) = \; & \| \varphi_\pi(y) - h_1 \|^2 \\
# + & \sum_j \| \varphi_{\mu,j}(y) - h_{2,j} \|^2 \\
# + & \sum_j \| \varphi_{\Sigma,j}(y) - h_{3,j} \|^2 .
# \end{aligned}
# ```
#
# The reduced embedding drops the third term and sums the scores of the means. What remains is
# $\varphi_{\pi,j} = \gamma_j / \pi_j$ for every component, predicted by $h_1 \in \R^C$, and
# $\sum_j \varphi_{\mu,j} = \sum_j \gamma_j \Sigma_j^{-1} (y - \mu_j)$, predicted by $h_2 \in \R^d$.
# The closed form comes about in four steps.
#
# 1. *Ask for a loss of zero.* Then $\varphi_{\pi,j}(y) = h_{1,j}$ for all $j$, and
#    $\sum_j \varphi_{\mu,j}(y) = h_2$.
# 2. *Read off the memberships.* The first equation says
#    $\gamma_j(y) = \pi_j \varphi_{\pi,j}(y) = \pi_j h_{1,j}$. Call this $g_j$.
# 3. *Insert them* into the second equation: $\sum_j g_j \Sigma_j^{-1} (y - \mu_j) = h_2$. This is
#    linear in $y$, because $g_j$ is now a given number.
# 4. *Solve for $y$.* Move the terms with $\mu_j$ to the right; the matrix in front of $y$ is
#    $S = \sum_j g_j \Sigma_j^{-1}$. This is the paper's equation 10:
#
#    ```{math}
#    :label: eq-mixture-preimage
#    \begin{aligned}
#    y^\star &= S^{-1} \Big( h_2 + \sum_j g_j \Sigma_j^{-1} \mu_j \Big) , \\
#    S &= \sum_j g_j \Sigma_j^{-1} , \quad g_j = \pi_j h_{1,j} .
#    \end{aligned}
#    ```
#
# In natural scaling the second block is $y - \sum_j \gamma_j \mu_j$. The same steps give
# $y^\star = h_2 + \sum_j g_j \mu_j$ with $g = h_1$.
#
# If $h$ *is* the embedding of an output, {eq}`eq-mixture-preimage` must return this output. So must
# a search by brute force: all points of a grid, the best of them improved by a general minimiser.

# %%
axes = np.linspace(data.Y.min(axis=0) - 2, data.Y.max(axis=0) + 2, 121)
grid = np.stack(np.meshgrid(*axes.T), axis=-1)


def brute_force(embed, h):
    """Best point of the grid, then Nelder and Mead's simplex search."""
    loss = loss_on_grid(embed, h, grid)
    start = grid[np.unravel_index(loss.argmin(), loss.shape)]
    tight = {"xatol": 1e-9, "fatol": 1e-12}
    return minimize(
        lambda v: np.square(embed(v[None]) - h).sum(), start, method="Nelder-Mead", options=tight
    )


real = score.transform(Y_test[:10])
by_force = np.array([brute_force(score.transform, h).x for h in real])

# %%
assert np.allclose(by_force, Y_test[:10], atol=1e-6)
assert np.allclose(score.inverse_transform(real), Y_test[:10])

# %% [markdown]
# ## Is the closed form the nearest embedding?
#
# Step 1 hides an assumption: some output has the loss zero. The embedding has $C + d$ coordinates
# and the output only $d$. So the embeddings of all outputs are a surface of $d$ dimensions in
# $\R^{C+d}$, and a predicted $h$ lies beside it. Then no output has the loss zero. The formula
# solves $d$ of the $C + d$ equations. It takes the memberships from $h_1$, and the output that it
# finds need not have them.
#
# So for a predicted $h$, {eq}`eq-mixture-preimage` is *not* the minimum of {eq}`eq-preimage`, the
# squared distance between $\phi(y)$ and $h$. The
# package searches for that minimum with `decoder="exact"`. How far are the two apart when noise
# moves a true embedding?

# %% mystnb={"figure": {"caption": "Loss and median error of two pre-images, the closed form and the exact one, by the size of the noise in the embedding (rows)."}}
nearest = clone(score).set_params(decoder="exact").fit(Y)
rows = []
for size in (0.0, 0.1, 0.3, 1.0):
    h = score.transform(Y_test) + size * rng.normal(size=(len(Y_test), 5))
    by_form, by_search = score.inverse_transform(h), nearest.inverse_transform(h)
    losses = [np.square(score.transform(P) - h).sum(axis=1).mean() for P in (by_form, by_search)]
    errors = [np.median(np.linalg.norm(P - Y_test, axis=1)) for P in (by_form, by_search)]
    rows.append((size, *losses, *errors))
columns = [
    f"{what}, {how}" for what in ("loss", "median error") for how in ("closed form", "exact")
]
noises = pd.DataFrame(rows, columns=["noise", *columns]).set_index("noise")
noises.round(3)

# %%
assert np.all(noises["loss, exact"] <= noises["loss, closed form"] + 1e-8)
errors = noises["median error, closed form"], noises["median error, exact"]
assert np.all((errors[0] > errors[1])[[0.1, 0.3, 1.0]])
assert np.allclose(noises.loc[0.0], 0, atol=1e-3)
assert noises.loc[1.0, "loss, closed form"] > 100 * noises.loc[1.0, "loss, exact"]

# %% [markdown]
# The closed form is exact without noise and falls behind with it. This noise is the same in all
# directions, and against such noise the search has the smaller error too: it removes what points
# away from the surface. The errors of a regression are not of this kind, see *Which decoder?*
# above. With much noise the mean loss of the closed form explodes, because of a few predictions.
#
# Is "exact" exact? The decoder takes the best of several local searches. Brute force with a whole
# grid of starts finds a lower loss for a few of twenty predictions. The mean loss falls by less
# than a tenth.

# %%
h = score.transform(Y_test[:20]) + 0.3 * rng.normal(size=(20, 5))
forced = np.array([brute_force(score.transform, row).fun for row in h])
losses = np.square(score.transform(nearest.inverse_transform(h)) - h).sum(axis=1)
print(f"mean loss: exact {losses.mean():.4f}, brute force {forced.mean():.4f}")

# %%
assert 1 <= np.sum(forced < losses - 1e-6) <= 4
assert forced.mean() < losses.mean() < 1.1 * forced.mean()

# %% [markdown]
# ## Why the simplex decoder is bounded
#
# Equation {eq}`eq-mixture-preimage` inverts $S = \sum_j g_j \Sigma_j^{-1}$. For spherical
# components, $\Sigma_j = \sigma_j^2 I$, it divides by the number $s = \sum_j g_j \sigma_j^{-2}$.
# With $g$ of mixed signs $s$ can be positive at one input and negative at another. A continuous
# regression then has $s = 0$ somewhere between the two, as in {numref}`fig-explosion`. With $g$ on
# the simplex this cannot happen.
#
# ```{prf:theorem} The simplex decoder is bounded
# :label: thm-simplex-bounded
# Let $g$ be in the simplex, and $\bar\sigma^2$ the largest eigenvalue of any $\Sigma_j$. Then $S$
# is positive definite and $\| S^{-1} \| \le \bar\sigma^2$. For spherical components
# {eq}`eq-mixture-preimage` is a point of the convex hull of the means plus a vector no longer than
# $\bar\sigma^2 \| h_2 \|$.
# ```
#
# ```{prf:proof}
# *The bound.* All eigenvalues of $\Sigma_j$ are at most $\bar\sigma^2$, so those of $\Sigma_j^{-1}$
# are at least $\bar\sigma^{-2}$. So each $\Sigma_j^{-1} - \bar\sigma^{-2} I$ is positive
# semi-definite. The same holds for their combination with weights $g_j \ge 0$. This combination is
#
# $$
# \sum_j g_j \big( \Sigma_j^{-1} - \bar\sigma^{-2} I \big) = S - \bar\sigma^{-2} I ,
# $$
#
# because the $g_j$ sum to one. So all eigenvalues of $S$ are at least $\bar\sigma^{-2} > 0$, and
# those of $S^{-1}$ are positive and at most $\bar\sigma^2$.
#
# *Spherical components.* Here $S = s I$. Insert this into {eq}`eq-mixture-preimage`:
#
# $$
# y^\star = \sum_j w_j \mu_j + \frac1s h_2 , \qquad w_j = \frac{g_j \sigma_j^{-2}}{s} .
# $$
#
# The $w_j$ are not negative and sum to one, by the definition of $s$. So the first term is in the
# convex hull of the means. The second is no longer than $\bar\sigma^2 \| h_2 \|$, because
# $1 / s \le \bar\sigma^2$.
# ```
#
# In natural scaling the closed form $y^\star = h_2 + \sum_j g_j \mu_j$ is a point of the hull plus
# the predicted residual. Both statements hold for whatever a regression predicts. The check uses
# a thousand random predictions, a hundred times as large as usual.

# %%
wild = 100 * rng.normal(size=(1000, 5))
g, h_2 = safe.decode_membership(wild[:, membership]), wild[:, 3:]
w = g * safe.precisions_ / (g @ safe.precisions_)[:, None]
step = np.linalg.norm(safe.inverse_transform(wild) - w @ safe.means_, axis=1)
bound = safe.covariances_.max() * np.linalg.norm(h_2, axis=1)
natural = GaussianMixtureEmbedding(3, random_state=seed).fit(Y)
hull = natural.decode_membership(wild[:, membership]) @ natural.means_

# %%
assert np.all(step <= bound * (1 + 1e-12))
assert np.allclose(natural.inverse_transform(wild), hull + h_2)

# %% [markdown]
# Bounded is not the same as good. With score scaling $\bar\sigma^2$ can be large compared with the
# smallest variance. Then a small error of $h_2$ near a wide component is a large error of
# $y^\star$. Natural scaling passes an error of $h_2$ on as it is.
#
# ## The reduced loss is not convex either
#
# {numref}`fig-mixture-landscape` shows what is minimised for one test input and three embeddings:
# the full one, and the reduced one in both scalings. Kernel ridge regression with an intercept and
# one ridge parameter learns each.

# %% mystnb={"figure": {"name": "fig-mixture-landscape", "caption": "The pre-image loss of a mixture in the plane for three embeddings, for the test input whose predicted memberships are the least decided. Green squares are means of the components, the star is the lowest minimum, and darker is lower."}, "image": {"alt": "Three contour maps of the same plane with three squares for the means. All have several minima, marked by circles, near the means and between them."}}
kernel = {"kernel": "rbf", "gamma": 0.5 / median_bandwidth(X) ** 2}
full = FullFisherEmbedding(natural).fit(Y)
embeddings = {"full": full, "reduced, score": safe, "reduced, natural": natural}
predicted = {
    name: KernelRidgeCV(**kernel).fit(X, one.transform(Y)).predict(X_test)
    for name, one in embeddings.items()
}
shown = predicted["reduced, natural"][:, membership].max(axis=1).argmin()
maps = {
    name: landscape(
        one.transform, predicted[name][shown], Y_test[shown], grid, means=natural.means_
    )
    for name, one in embeddings.items()
}
_ = plot_loss_maps(grid, maps)

# %% [markdown]
# The paper argues for the reduced embedding because the full loss is not convex. The reduced loss
# is not convex either. It has a minimum near each mean that competes for the prediction. It has
# more along the borders between the clusters, where memberships change fast. The closed form is
# simple; the loss that it is said to minimise is not. All 20 test inputs of the table have several
# minima under each embedding.

# %% mystnb={"figure": {"caption": "Number of local minima of the loss, over 20 test inputs, of three embeddings (rows)."}}
counts = {
    name: [len(minima_on_grid(one.transform, h, grid)) for h in predicted[name][:20]]
    for name, one in embeddings.items()
}
counts = pd.DataFrame(counts)
counts.agg(["min", "mean", "max"]).T.round(1)

# %%
assert counts.min(axis=None) > 1

# %% [markdown]
# ## A batched search
#
# So the nearest embedding, full or reduced, takes a search. The package starts it from the closed
# form, from the model's mean and from the mean of each component. It takes damped Gauss–Newton
# steps for all test inputs and all starts at once, and keeps the best end. It takes no step that
# does not lower the loss. So the loss of the result is never above that of the closed form. Its
# error can be, as for the test input of {numref}`fig-search-paths`.

# %%
h = predicted["full"][[shown]]
reduced = np.hstack([h[:, full.blocks_["weights"]], h[:, 3:9].reshape(1, 3, 2).sum(axis=1)])
closed = safe.inverse_transform(reduced)
starts = np.vstack([closed, natural.weights_ @ natural.means_, natural.means_])
loss = squared_distance(with_slopes(full.transform), np.tile(h, (len(starts), 1)))
steps = [levenberg_marquardt(loss, starts, max_iter=k) for k in range(25)]
package = full.pre_images(h)
gaps = [np.linalg.norm(P - Y_test[shown]) for P in (closed, package.outputs)]
print("losses at the ends:", steps[-1].losses.round(2))
print(f"distance from the true output: closed form {gaps[0]:.2f}, best end {gaps[1]:.2f}")

# %%
assert np.isclose(package.losses[0], steps[-1].losses.min(), rtol=1e-4)
assert package.losses[0] < steps[0].losses[0]  # of the closed form
assert gaps[0] < gaps[1]

# %% mystnb={"figure": {"name": "fig-search-paths", "caption": "The search in the full loss of the same test input, from the closed form, the model's mean and the means of the components; dots are accepted steps. Not all starts lead to the same minimum."}, "image": {"alt": "A contour map with five dotted paths that begin at the means, their centre and the closed form, and end in different minima; one end has a star."}}
points = {"closed form": closed, "true output": Y_test[shown], "best end": package.outputs}
points |= {"means": natural.means_}
low, high = natural.means_.min(axis=0) - 1.5, natural.means_.max(axis=0) + 1.5
near = np.stack(np.meshgrid(*np.linspace(low, high, 121).T), axis=-1)
paths = np.array([step.outputs for step in steps])
_ = plot_search_paths(near, loss_on_grid(full.transform, h, near), paths, points)

# %% [markdown]
# The table compares the cost of the search with that of the closed form, for one prediction and
# spherical components.
#
# :::{table} Cost of one prediction, up to constants.
# | embedding | size | decoding |
# |---|---|---|
# | closed form | $C + d$ | $C d$ |
# | exact | $C + d$ | $(C + d) d^2$ |
# | full | $C (1 + d + d^2)$ | $C d^2 + d^3$ |
# :::
#
# The last two rows give one step from one start, and there are $C + 2$ starts. The number of steps
# depends on the loss. We count the embeddings that a search from the model's mean and the means of
# the components evaluates.


# %%
def evaluations(name, n=40):
    """Embeddings that are evaluated for a prediction, on average over n test inputs."""
    targets = np.tile(predicted[name][:n], (len(starts) - 1, 1))
    loss = squared_distance(with_slopes(embeddings[name].transform), targets)
    rows = []

    def counted(y, which):
        rows.append(len(y))
        return loss(y, which)

    levenberg_marquardt(counted, np.repeat(starts[1:], n, axis=0), tol=1e-6)
    return sum(rows) / n


count = evaluations("full")
ratio = count / evaluations("reduced, natural")
print(f"full loss: {count:.0f} evaluations, {ratio:.1f} times as many as in the reduced loss")

# %% [markdown]
# {doc}`05_learning` derives how $h$ is learned.
#
# ## The paper's statements in random cases
#
# A stored table puts the statements of the paper's Sections 3 to 5 to the test, each by two routes to
# one number. Its Gaussians, mixtures and state-space models are drawn at random, ten times.
# `make results ID=ofer-theory` computes it anew. These are its rows on the closed form. A search
# *beats* it where it finds a loss that is lower by a hundredth. The *pre-image share* says how far
# the closed form lies from the nearest output, compared with the error of that output.

# %% mystnb={"figure": {"caption": "Closed forms of the paper in random cases (rows): largest relative distance from the output of another route, share of cases in which a search finds a lower loss, and how far closed forms are from nearest outputs, over the error of these. Means over ten draws."}}
theory = summarize(results("ofer-theory", profile=profile).frame)
of_closed = theory.query("method == 'closed form'")
of_closed = of_closed.pivot(index="setting", columns="metric", values="mean")
of_closed = of_closed.loc[theory["setting"].unique()[:6]]
words = {
    "mixture, exact": "mixture, embedding of an output",
    "mixture, spherical": "spherical mixture, with noise",
    "mixture, full": "full mixture, with noise",
    "mixture, learnt": "mixture, ridge regression",
}
shown = of_closed[["deviation", "beaten", "pre-image share"]].rename(words).rename_axis(None)
shown.rename_axis(None, axis=1).map(
    lambda value: "" if np.isnan(value) else f"{value:.1g}" if value < 1 else f"{value:.0f}"
)

# %%
exact = ["one Gaussian", "mixture, exact", "series"]
predicted_ones = ["mixture, spherical", "mixture, full", "mixture, learnt"]
assert of_closed.loc[exact, "deviation"].max() < 1e-12
assert (of_closed.loc[exact, "beaten"] == 0).all()
assert (of_closed.loc[predicted_ones, "beaten"] > 0.97).all()
assert of_closed.loc["mixture, learnt", "pre-image share"] > 0.5
others = theory.set_index(["setting", "method", "metric"])["mean"]
sparse = others.xs("others near zero", level="metric")
assert 0.9 < sparse.min() < sparse.max() < 0.99
assert 0.3 < others["one Gaussian", "full loss (4)", "not convex"] < 0.5
assert {*others.xs("chosen over true", level="metric")} == {1, 0.5, 0.25, 0.125}  # always one

# %% [markdown]
# For one Gaussian, for embeddings of outputs and for series the closed forms are the pre-images. For
# mixtures and any other prediction they are not, whether noise is added or a ridge regression
# predicts. For a ridge regression they lie off the nearest outputs by more than half of these
# outputs' errors.
#
# Three other statements of the same sections. On data like D1 and D2, nine in ten entries of a Fisher
# vector are near zero, if those of the likeliest component are left out. The full loss of one Gaussian is
# not convex in two of five cases. Cross-validation with the paper's form takes one component, however
# many clusters the outputs have: with nearly equal variances the mixture cancels
# ({doc}`05_what_ofer_computes`).
#
# ## Verdicts

# %%
HTML(claims_to_html(read_claims(chapter="04_pre_images")))

# %% [markdown]
# ## What this changes for you
#
# Decode by the closed form, in natural scaling or at least on the simplex. Search for the exact
# pre-image only if your predictions are noisy copies of real embeddings. Those of a regression are
# not.
#
# ## Exercises
#
# ```{exercise} Quick
# :label: ex-pre-image-one
#
# Let $C = 1$. What are {eq}`eq-mixture-preimage` and the minimum of {eq}`eq-preimage` for a
# prediction $(h_1, h_2)$ with $h_1 \ne 1$? What does an intercept change?
# ```
#
# ```{solution} ex-pre-image-one
# :class: dropdown
#
# The only membership of any output is 1, so the first block adds a constant to the loss. The
# minimum is $\Sigma h_2 + \mu$, as in {eq}`eq-gaussian-preimage`. Equation
# {eq}`eq-mixture-preimage` gives $\Sigma h_2 / h_1 + \mu$: for $h_1 = \frac12$ twice as far from
# the mean. A regression with an intercept predicts a constant target exactly. Then $h_1 = 1$, and
# the two agree.
# ```
#
# ```{exercise} Quick
# :label: ex-pre-image-direction
#
# The paper's method with a linear kernel and no intercept predicts an output for $x$. What does it
# predict for $3 x$ and for $-x$?
# ```
#
# ```{solution} ex-pre-image-direction
# :class: dropdown
#
# The same. Without an intercept a linear $h$ satisfies $h(tx) = t h(x)$. In
# {eq}`eq-mixture-preimage` the factor $t$ appears in $S$ and in the bracket, and cancels. The
# prediction depends on the direction of the input only, and not even on its sign. The sum of
# precisions is zero on a line in the plane of inputs, and there the prediction has its pole.
# ```

# %% tags=["hide-input"]
single = GaussianMixtureEmbedding(1, scaling="score", decoder="raw").fit(Y)
nearest = clone(single).set_params(decoder="exact").fit(Y)
h = np.array([[0.5, 1.0, 1.0]])
steps = [form.inverse_transform(h) - form.means_ for form in (single, nearest)]
assert np.allclose(steps[0], 2 * steps[1], rtol=1e-4)
for factor in (3, -1):
    assert np.allclose(printed.predict(factor * X_test), printed.predict(X_test), rtol=1e-5)

# %% [markdown]
# ```{exercise} Code
# :label: ex-pre-image-information
#
# Give the two blocks of {eq}`eq-full-loss`, for $d = 1$, the weights that the inverse Fisher
# information would give them, $v$ and $2 v^2$. Repeat the proof of {prf:ref}`prop-false-minimum`
# for a perfect prediction. When is there a false minimum now? Check it with `count_minima`, which
# counts the minima of a loss on a line, in several units.
# ```
#
# ```{solution-start} ex-pre-image-information
# :class: dropdown
# ```

# %%
outputs, shares = np.random.default_rng(seed).normal(size=(200, 1)), []
for unit in (0.5, 1.0, 4.0):
    scaled = FullFisherEmbedding(GaussianEmbedding(reg_covar=0)).fit(outputs / unit)
    v, centre = scaled.embedding_.covariance_, scaled.embedding_.mean_
    places = centre + np.linspace(-5, 5, 4001)[:, None] * np.sqrt(v)
    on_line, targets = scaled.transform(places), scaled.transform(outputs / unit)
    two = [count_minima(np.square(on_line - h) @ [v, 2 * v**2]) == 2 for h in targets]
    shares.append(np.mean(two))
beyond = np.abs(outputs - outputs.mean()) > 2 * outputs.std()
print("share with a false minimum:", [round(float(share), 3) for share in shares])
assert len(set(shares)) == 1
assert abs(shares[0] - beyond.mean()) < 0.01

# %% [markdown]
# With a weight $w$ on the second block relative to the first the cubic of a perfect prediction is
# $(u - u_0)(u^2 + u_0 u + 2 / w)$, so the condition is $u_0^2 > 8 / w$. With $w = 2 v$ it becomes
# $(y_0 - \mu)^2 > 4 v$: outputs beyond two standard deviations have a false minimum, in any unit.
#
# ```{solution-end}
# ```
#
# ```{exercise} Open
# :label: ex-pre-image-answers
#
# What should a decoder answer between two clusters: the mean of both, the nearer one, or "I do not
# know"? Which error would reward each of these?
# ```
#
# ```{solution} ex-pre-image-answers
# :class: dropdown
#
# The squared error rewards the mean. A distance to the nearest right answer, as in
# {doc}`10_2_smtgp_experiments`, rewards choosing. A set of answers needs a price for its size, as
# in {doc}`07_how_sure`.
# ```
