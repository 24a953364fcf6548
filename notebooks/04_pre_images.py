# ---
# jupyter:
#   kernelspec:
#     display_name: Python 3
#     name: python3
# ---

# %% [markdown]
# # Pre-images
#
# *Sections 4.1 and 4.2 of {cite:t}`djerrab2018`*
#
# A regression has predicted an embedding $h(x)$. Which output does it stand for? Sections 4.1 and
# 4.2 of {cite:t}`djerrab2018` answer with the output whose embedding is nearest,
# {eq}`eq-preimage` of {doc}`02_output_fisher_embedding_regression`, and make a case for dropping
# the covariances from the embedding: what remains has a closed form, and what was dropped makes
# the search for the nearest embedding non-convex.
#
# For one Gaussian we can say exactly when the full loss has a second, false minimum. For a mixture
# the reduced loss is no simple bowl either: the paper's closed form P(10) is not its minimum, and
# can send a prediction to infinity.

# %% tags=["parameters"]
seed: int = 1  # a draw whose three clusters form a triangle
n_train: int = 60  # training samples from the mixture
n_splits: int = 10  # of the measurements
sizes: list = [10, 50, 100]  # training sizes for the Gaussian

# %%
import numpy as np
import pandas as pd
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
from reproduction.datasets.generated.mixtures import make_d1
from reproduction.datasets.generated.mixture_regression import make_mixture_regression
from ofer.embeddings.preimage import levenberg_marquardt, squared_distance
from reproduction.statistics import repeated_splits
from ofer.kernels import median_bandwidth
from ofer.metrics import rrmse
from reproduction.papers.ofer.figures.landscapes import (
    landscape,
    loss_on_grid,
    minima_on_grid,
    with_slopes,
)
from reproduction.papers.ofer.figures.pre_images import (
    plot_loss_curves,
    plot_loss_maps,
    plot_search_paths,
    plot_vanishing_sum,
)

# %% [markdown]
# ## One Gaussian, the full score
#
# With $M = I$ the embedding has two blocks, and the loss of an output $y$ against a prediction
# $h = (h_1, h_2)$ is P(4),
#
# ```{math}
# :label: eq-full-loss
# \begin{aligned}
# L(y, h) &= \| s - h_1 \|^2 + \| q - h_2 \|^2 , \\
# s &= \Sigma^{-1} (y - \mu) , \\
# q &= \tfrac12 \operatorname{vec} ( s s\T - \Sigma^{-1} ) ,
# \end{aligned}
# ```
#
# with the factor $\tfrac12$ that is missing in print (see the {doc}`errata <90_errata>`). Without
# the second block the loss is a parabola. The second block does not know the sign of $y - \mu$:
# it contains only squares.
#
# We fit a Gaussian to the 500 outputs of the earlier chapter, from $\mathcal N(0, 0.5)$, and look
# at the loss when the true output is 2. The prediction is first perfect, then wrong by some noise.

# %%
rng = np.random.default_rng(seed)
y = rng.normal(0, np.sqrt(0.5), size=(500, 1))
full = FullFisherEmbedding(GaussianEmbedding(reg_covar=0)).fit(y)
mu, variance = full.embedding_.mean_[0], full.embedding_.covariance_
truth = np.array([[2.0]])
perfect = full.transform(truth)
noisy = perfect + np.array([[-1.5, 1.0]])
print(f"variance {variance:.3f}; the embedding of 2 is {perfect[0].round(2)}")

# %%
line = np.linspace(-3, 3, 1201)[:, None]


def losses(h):
    difference = np.square(full.transform(line) - h)
    return {"full": difference.sum(axis=1), "reduced": difference[:, 0]}


panels = {"perfect prediction": losses(perfect), "noisy prediction": losses(noisy)}

# %% mystnb={"figure": {"name": "fig-loss-curves", "caption": "The full and the reduced loss over the outputs, with their minima marked. The reduced loss has one minimum. The full loss has a second, false one on the other side of the mean, even where the prediction is perfect."}, "image": {"alt": "Two panels with a solid W-shaped curve with two marked minima and a dashed curve with a single minimum. Left, the right-hand minimum is at the dotted line of the true output; right, both are shifted."}}
_ = plot_loss_curves(line[:, 0], panels, truth[0, 0], highest=250)

# %% [markdown]
# When is there a second minimum? In one dimension this is a question about a cubic.
#
# ```{prf:proposition} A false minimum
# :label: prop-false-minimum
# Let $d = 1$, $v$ the variance and $c = h_2 + \frac{1}{2v}$. The loss {eq}`eq-full-loss` has two
# minima exactly if $c > 1$ and $27 h_1^2 < 8 (c - 1)^3$. For a perfect prediction of an output
# $y_0$ this means $|y_0 - \mu| > 2 \sqrt 2 \, v$.
# ```
#
# ```{prf:proof}
# With $u = (y - \mu) / v$ the loss is $(u - h_1)^2 + (\frac12 u^2 - c)^2$, and half its derivative
# in $u$ is $u - h_1 + u (\frac12 u^2 - c)$. Its zeros are those of
#
# $$u^3 + 2 (1 - c) u - 2 h_1 = 0 .$$
#
# Three real and different zeros mean two minima with a maximum between them, and a cubic
# $u^3 + p u + q$ has them exactly if $-4 p^3 - 27 q^2 > 0$, here $32 (c - 1)^3 > 108 h_1^2$. A
# perfect prediction has $h_1 = u_0$ and $c = \frac12 u_0^2$; then the cubic is
# $(u - u_0)(u^2 + u_0 u + 2)$, and its second factor has real zeros for $u_0^2 > 8$ only.
# ```
#
# The zeros of $u^2 + u_0 u + 2$ have the sign opposite to $u_0$: the false minimum is always on
# the wrong side of the mean. Note the unit in $|y_0 - \mu| > 2\sqrt2\, v$: a distance is compared
# with a variance. For $z = (y_0 - \mu) / \sigma$, the distance in standard deviations, it says
# $|z| > 2 \sqrt 2\, \sigma$, so the same outputs written in a larger unit have more false minima.
# Counting minima on a fine grid confirms it.


# %% mystnb={"figure": {"caption": "Outputs in four units, by their standard deviation: share with two minima as counted, as the proposition says, and as expected under the model."}}
def count_minima(loss):
    return int(((loss[1:-1] < loss[:-2]) & (loss[1:-1] < loss[2:])).sum())


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
assert np.abs(table["two minima"] - table["by the proposition"]).max() < 0.01
table.round(3)

# %% [markdown]
# The full loss is not invariant under a change of unit, and this table is what that costs. (The
# Fisher information, which the method leaves out, would restore the invariance.)
#
# In two dimensions the picture is the same. The covariance block cannot tell $y - \mu$ from
# $-(y - \mu)$, so a false minimum lies opposite to the true one.

# %%
plane = rng.normal(0, np.sqrt(0.5), size=(500, 2))
full = FullFisherEmbedding(GaussianEmbedding(reg_covar=0)).fit(plane)
truth = np.array([[1.2, 1.0]])
perfect = full.transform(truth)
noisy = perfect + rng.normal(0, 1, perfect.shape)
corner = np.linspace(-2.5, 2.5, 161)
grid = np.stack(np.meshgrid(corner, corner), axis=-1)


# %% mystnb={"figure": {"name": "fig-gaussian-landscape", "caption": "Contours of the pre-image loss of a Gaussian in the plane. The full loss for a perfect and for a noisy prediction, and the reduced loss of the same noisy prediction. Darker is lower."}, "image": {"alt": "Three contour maps. In the first two a deep minimum lies at the upper right and a shallower one at the lower left. The third has concentric circles around a single minimum."}}
gaussian = full.embedding_
maps = {
    "full, perfect": landscape(full.transform, perfect, truth, grid),
    "full, noisy": landscape(full.transform, noisy, truth, grid),
    "reduced, noisy": landscape(gaussian.transform, noisy[:, :2], truth, grid),
}
_ = plot_loss_maps(grid, maps)

# %% [markdown]
# ## The closed form, and what the error consists of
#
# The reduced embedding keeps $\varphi_\mu$ alone. Call its prediction $g_1$; then the loss $\|
# \Sigma^{-1}(y - \mu) - g_1 \|^2$ can be brought to zero, P(7):
#
# ```{math}
# :label: eq-gaussian-preimage
# y^\star = \Sigma \, g_1(x) + \mu .
# ```
#
# With $g_1(x) = \varphi_\mu(y^{true}) + \varepsilon$, subtracting
# $y^{true} = \Sigma \varphi_\mu(y^{true}) + \mu$ leaves P(8):
#
# ```{math}
# :label: eq-error
# \| y^{true} - y^\star \| = \| \Sigma \, \varepsilon \| .
# ```
#
# Both are quickly checked, here for a Gaussian with a full covariance.

# %%
mixing = np.array([[1.0, 0.4, 0.0], [0.0, 0.7, 0.2], [0.0, 0.0, 0.3]])
Y = rng.normal(size=(200, 3)) @ mixing
model = GaussianEmbedding(covariance_type="full").fit(Y)
noise = rng.normal(size=Y.shape)
decoded = model.inverse_transform(model.transform(Y) + noise)
error, predicted = Y - decoded, noise @ model.covariance_
same = np.allclose(np.linalg.norm(error, axis=1), np.linalg.norm(predicted, axis=1), rtol=1e-10)
print("P(8) holds:", same)
found = minimize(lambda v: np.square(model.transform([v]) - noise[:1]).sum(), np.zeros(3))
print("P(7) is the minimum:", np.allclose(found.x, model.inverse_transform(noise[:1]), atol=1e-4))

# %% [markdown]
# For the full embedding the paper speaks of two errors without a formula: that of $h$, and that of
# the pre-image. They can be separated exactly. Let $\hat y$ be the pre-image found, and
# $\varepsilon_1$ the error of the first block. Then
#
# ```{math}
# :label: eq-full-error
# \hat y - y^{true} = \underbrace{\Sigma \varepsilon_1}_{\text{learning}} +
# \underbrace{\Sigma \, (\hat s - h_1)}_{\text{pre-image}}
# ```
#
# with $\hat s = \varphi_\mu(\hat y)$. The first term is the error that the closed form would have
# made with the same $h_1$; the second is how far the covariance block drags the answer away from
# it. We measure both on data like the paper's D1 (four clusters in ten dimensions), for the full
# embedding with one ridge and for the reduced one.


# %%
def measure(split, size):
    train, test = split.train(size), split.test
    ridge = KernelRidgeCV(kernel="rbf", gamma=0.5 / median_bandwidth(d1.X[train]) ** 2)
    full = FullFisherEmbedding(GaussianEmbedding())
    model = OutputFisherRegressor(full, ridge, block_wise=False).fit(d1.X[train], d1.Y[train])
    H = model.predict_embedding(d1.X[test])
    gaussian = model.embedding_.embedding_
    closed = gaussian.inverse_transform(H[:, : d1.Y.shape[1]])
    found = model.embedding_.inverse_transform(H)
    reduced = OutputFisherRegressor(GaussianEmbedding(), ridge).fit(d1.X[train], d1.Y[train])
    parts = {
        "learning": closed - d1.Y[test],
        "pre-image": found - closed,
        "full": found - d1.Y[test],
        "reduced": reduced.predict(d1.X[test]) - d1.Y[test],
    }
    return {name: np.sqrt(np.square(part).sum(axis=1).mean()) for name, part in parts.items()}


# %% mystnb={"figure": {"caption": "Root mean squared distance of pre-images from the true outputs, for the full embedding, split into learning and pre-image, and for the reduced one, by training size (rows). Means over the splits."}}
d1 = make_d1(random_state=seed)
splits = repeated_splits(
    len(d1.Y), n_splits=n_splits, train_fraction=0.5, train_sizes=sizes, random_state=seed
)
runs = {size: pd.DataFrame([measure(split, size) for split in splits]) for size in sizes}
pd.DataFrame({size: frame.mean() for size, frame in runs.items()}).T.round(3)

# %%
for size, frame in runs.items():
    wins = int((frame["reduced"] < frame["full"]).sum())
    print(f"{size:3} samples: reduced has the smaller error in {wins} of {n_splits} splits")
    assert wins > 0.7 * n_splits
    assert frame["learning"].mean() > frame["reduced"].mean()
gaps = [(frame["full"] - frame["reduced"]).mean() for frame in runs.values()]
assert np.all(np.diff(gaps) < 0)

# %% [markdown]
# The reduced embedding has the smaller error, as the paper's Table 1 says, and the gap closes as
# samples become many. But not quite for the reason given: the column *learning* shows that the
# full embedding loses before any pre-image is sought. Its one ridge is chosen for all 110
# coordinates, of which 100 are squares and products. And the search? We start it from training
# outputs drawn at random, and see how often it ends above the lowest loss, in the unit of the
# data and in one that is five times as large.

# %%
train, test = splits[0].train(sizes[-1]), splits[0].test
ridge = KernelRidgeCV(kernel="rbf", gamma=0.5 / median_bandwidth(d1.X[train]) ** 2)
for unit in (1, 5):
    outputs = d1.Y[train] / unit
    full = FullFisherEmbedding(GaussianEmbedding()).fit(outputs)
    H = ridge.fit(d1.X[train], full.transform(outputs)).predict(d1.X[test])
    loss = squared_distance(with_slopes(full.transform), H)
    starts = outputs[rng.choice(len(train), (2, len(test)))]
    ends = np.array([levenberg_marquardt(loss, start, tol=1e-6).losses for start in starts])
    stuck = ends > 1.001 * np.minimum(ends.min(axis=0), full.pre_images(H).losses)
    print(f"unit {unit}: {stuck.mean():.1%} of the searches end in a false minimum")
    assert stuck.mean() < 0.01 if unit == 1 else stuck.mean() > 0.2

# %% [markdown]
# So for these data the search is not to blame: the paper's second error is the pull of the
# covariance block. In another unit there are false minima; starting from several points, as
# `pre_images` does, helps.
#
# ## A mixture: the full loss and the reduced one
#
# For a mixture the full loss is P(9),
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
# Dropping the third term and summing the scores of the means gives the reduced embedding
# $(\varphi_\pi, \sum_j \varphi_{\mu,j})$, with predictions $h_1 \in \R^C$ and
# $h_2 \in \R^d$. Its closed form comes about in three steps.
#
# 1. Ask for a loss of zero: $\varphi_{\pi,j}(y) = h_{1,j}$ for all $j$, and
#    $\sum_j \varphi_{\mu,j}(y) = h_2$.
# 2. The first says what the responsibilities are, $\gamma_j(y) = \pi_j \varphi_{\pi,j}(y) =
#    \pi_j h_{1,j}$. Put them into the second:
#    $\sum_j \pi_j h_{1,j} \Sigma_j^{-1} (y - \mu_j) = h_2$.
# 3. This is linear in $y$. Solve it, P(10):
#
# ```{math}
# :label: eq-mixture-preimage
# \begin{aligned}
# y^\star &= S^{-1} \Big( h_2 + \sum_j g_j \Sigma_j^{-1} \mu_j \Big) , \\
# S &= \sum_j g_j \Sigma_j^{-1} , \quad g_j = \pi_j h_{1,j} .
# \end{aligned}
# ```
#
# We check it on the three clusters of {doc}`02_output_fisher_embedding_regression`. If $h$ *is* the
# embedding of an output, the formula must return this output, and so must a search by brute
# force: all points of a grid, the best of them improved by a general-purpose minimiser.

# %%
data = make_mixture_regression(
    300,
    n_clusters=3,
    n_outputs=2,
    n_inputs=2,
    separation=5,
    input_noise=0.5,
    random_state=seed,
)
X, X_test, Y, Y_test = train_test_split(data.X, data.Y, train_size=n_train, random_state=seed)
options = {"scaling": "score", "decoder": "raw", "random_state": seed}
score = GaussianMixtureEmbedding(3, **options).fit(Y)
axes = np.linspace(data.Y.min(axis=0) - 2, data.Y.max(axis=0) + 2, 121)
grid = np.stack(np.meshgrid(*axes.T), axis=-1)


# %%
def brute_force(embed, h):
    """Best point of the grid, then Nelder and Mead's simplex search."""
    loss = loss_on_grid(embed, h, grid)
    start = grid[np.unravel_index(loss.argmin(), loss.shape)]
    tight = {"xatol": 1e-9, "fatol": 1e-12}
    return minimize(
        lambda v: np.square(embed(v[None]) - h).sum(), start, method="Nelder-Mead", options=tight
    )


real = score.transform(Y_test[:10])
found = np.array([brute_force(score.transform, h).x for h in real])
print("brute force finds the output:", np.allclose(found, Y_test[:10], atol=1e-6))
print("and so does P(10):", np.allclose(score.inverse_transform(real), Y_test[:10]))

# %% [markdown]
# ## Is P(10) the nearest embedding?
#
# Step 1 hides an assumption: that some output has the loss zero. The embedding has $C + d$
# coordinates and the output $d$; the embeddings of outputs are a $d$-dimensional surface in
# $\R^{C+d}$, and a predicted $h$ lies beside it. Then no output has loss zero, and the formula
# solves $d$ of the $C + d$ equations, with responsibilities taken from $h_1$, which the output
# that it finds need not have. So for a predicted $h$, P(10) is *not* the minimum of
# {eq}`eq-preimage`. The package searches for that minimum, as `decoder="exact"`. How far are they
# apart when a true embedding is moved by noise?

# %% mystnb={"figure": {"caption": "Loss and median error of two pre-images, P(10) and the exact one, by the size of the noise in the embedding (rows)."}}
nearest = clone(score).set_params(decoder="exact").fit(Y)
rows = []
for size in (0.0, 0.1, 0.3, 1.0):
    h = score.transform(Y_test) + size * rng.normal(size=(len(Y_test), 5))
    by_form, by_search = score.inverse_transform(h), nearest.inverse_transform(h)
    losses = [np.square(score.transform(P) - h).sum(axis=1).mean() for P in (by_form, by_search)]
    errors = [np.median(np.linalg.norm(P - Y_test, axis=1)) for P in (by_form, by_search)]
    rows.append((size, *losses, *errors))
columns = ["noise", "loss of P(10)", "loss, exact", "median error of P(10)", "error, exact"]
noises = pd.DataFrame(rows, columns=columns).set_index("noise")
assert np.all(noises["loss, exact"] <= noises["loss of P(10)"] + 1e-8)
assert np.all((noises["median error of P(10)"] > noises["error, exact"])[[0.1, 0.3, 1.0]])
noises.round(3)

# %% [markdown]
# Is "exact" exact? The decoder takes the best of several searches; does brute force, with a whole
# grid of starts, find anything lower?

# %%
h = score.transform(Y_test[:20]) + 0.3 * rng.normal(size=(20, 5))
forced = np.array([brute_force(score.transform, row).fun for row in h])
found = np.square(score.transform(nearest.inverse_transform(h)) - h).sum(axis=1)
print(f"brute force finds a lower loss for {np.sum(forced < found - 1e-6)} of {len(h)} predictions")
print(f"mean loss: exact {found.mean():.4f}, brute force {forced.mean():.4f}")
assert 1 <= np.sum(forced < found - 1e-6) <= 4
assert forced.mean() < found.mean() < 1.1 * forced.mean()

# %% [markdown]
# For a few of the twenty, yes; the mean loss falls by less than a tenth. The decoder takes the best
# of several local searches, and that need not be the minimum.
#
# The closed form is exact without noise and falls behind with it. Against noise of this kind, the
# same in all directions, the search also has the smaller error: it removes what points away from
# the surface. (The last section asks whether the errors of a regression are of this kind.) With
# much noise the mean loss of P(10) explodes, because of a few predictions.
#
# ## When the closed form explodes
#
# Equation {eq}`eq-mixture-preimage` inverts the matrix $S = \sum_j g_j \Sigma_j^{-1}$. True
# memberships $g$ are positive and sum to one. A regression promises neither. Where they have mixed
# signs, $S$ can be singular, and near such a place the prediction is as large as one likes.
#
# This takes no strange data, only the method as printed: here with a linear kernel and no
# intercept. We walk on a straight line from one test input to another and watch the sum of
# precisions, a single number as our components are spherical.

# %%
linear = KernelRidgeCV(fit_intercept=False)
printed = OutputFisherRegressor(score, linear, block_wise=False).fit(X, Y)
fitted = printed.embedding_
safe = clone(fitted).set_params(decoder="simplex").fit(Y)
membership = fitted.blocks_["membership"]


def sums(H):
    """Sums of precisions, with memberships as predicted and projected."""
    block = H[:, membership]
    raw, projected = block * fitted.weights_, fitted.decode_membership(block)
    return {"raw": raw @ fitted.precisions_, "simplex": projected @ fitted.precisions_}


# %%
raw = sums(printed.predict_embedding(X_test))["raw"]
print(f"sums of precisions: {(raw > 0).mean():.0%} positive, {(raw < 0).mean():.0%} negative")
assert 0.2 < (raw < 0).mean() < 0.8
x_a, x_b = X_test[raw.argmax()], X_test[raw.argmin()]
t = np.linspace(0, 1, 801)
H = printed.predict_embedding(x_a + t[:, None] * (x_b - x_a))
centre = Y.mean(axis=0)
distances = {
    "raw": np.linalg.norm(fitted.inverse_transform(H) - centre, axis=1),
    "simplex": np.linalg.norm(safe.inverse_transform(H) - centre, axis=1),
}
print(
    f"farthest decoded: raw {distances['raw'].max():.0f}, simplex {distances['simplex'].max():.1f}"
)

# %% mystnb={"figure": {"name": "fig-explosion", "caption": "Above, the sum of precisions along a line between two test inputs, for the memberships as predicted and after projection on the simplex. Below, how far from the mean output the decoded one is. Where the raw sum crosses zero, the raw closed form has a pole."}, "image": {"alt": "Above, a line that crosses zero and one that stays positive. Below, on a logarithmic axis, a curve with a sharp peak at the crossing, and one that stays low."}}
scale = np.linalg.norm(Y - centre, axis=1).max()
assert distances["raw"].max() > 100 * scale > 50 * distances["simplex"].max()
_ = plot_vanishing_sum(t, sums(H), distances, scale)

# %% [markdown]
# The *simplex* decoder, our default, replaces $g$ by the nearest point of the probability simplex,
# and provably removes the poles.
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
# Every $\Sigma_j^{-1} - \bar\sigma^{-2} I$ is positive semi-definite, hence so is their convex
# combination $S - \bar\sigma^{-2} I$. For spherical components $S = s I$ with
# $s = \sum_j g_j \sigma_j^{-2}$, and $y^\star = \sum_j w_j \mu_j + h_2 / s$ with
# $w_j = g_j \sigma_j^{-2} / s$, which are not negative and sum to one.
# ```
#
# In the natural scaling even more is true: the closed form is $y^\star = h_2 + \sum_j g_j \mu_j$,
# a point of the hull plus the predicted residual, and there is nothing to invert. Both statements
# hold for whatever a regression may predict:

# %%
wild = 100 * rng.normal(size=(1000, 5))
g, h_2 = safe.decode_membership(wild[:, membership]), wild[:, 3:]
w = g * safe.precisions_ / (g @ safe.precisions_)[:, None]
step = np.linalg.norm(safe.inverse_transform(wild) - w @ safe.means_, axis=1)
bound = safe.covariances_.max() * np.linalg.norm(h_2, axis=1)
print("score scaling within the bound:", bool((step <= bound * (1 + 1e-12)).all()))
natural = GaussianMixtureEmbedding(3, random_state=seed).fit(Y)
hull = natural.decode_membership(wild[:, membership]) @ natural.means_
print(
    "natural scaling is hull + residual:", np.allclose(natural.inverse_transform(wild), hull + h_2)
)

# %% [markdown]
# Bounded is not the same as good. With score scaling $\bar\sigma^2$ can still be large compared
# with the smallest variance, and then a small error of $h_2$ near a wide component is a large one
# of $y^\star$. In the natural scaling an error of $h_2$ is passed on as it is.
#
# ## Landscapes
#
# Here is what is being minimised, for one test input and three embeddings: the full score, the
# reduced one as printed, and the reduced one in natural scaling. Each was learned with an
# intercept and one ridge.

# %%
kernel = {"kernel": "rbf", "gamma": 0.5 / median_bandwidth(X) ** 2}
full = FullFisherEmbedding(natural).fit(Y)
embeddings = {"full": full, "reduced, score": safe, "reduced, natural": natural}
predicted = {
    name: KernelRidgeCV(**kernel).fit(X, one.transform(Y)).predict(X_test)
    for name, one in embeddings.items()
}

# %% mystnb={"figure": {"name": "fig-mixture-landscape", "caption": "The pre-image loss of a mixture in the plane for three embeddings, and for the test input whose predicted memberships are the least decided. Green squares: means of the components. Star: the lowest minimum. Darker is lower."}, "image": {"alt": "Three contour maps of the same plane with three squares for the means. All have several minima, marked by circles, near the means and between them."}}
shown = predicted["reduced, natural"][:, membership].max(axis=1).argmin()
maps = {
    name: landscape(
        one.transform, predicted[name][shown], Y_test[shown], grid, means=natural.means_
    )
    for name, one in embeddings.items()
}
_ = plot_loss_maps(grid, maps)

# %% [markdown]
# The paper's argument for the reduced embedding was that the full loss is not convex. Neither is
# the reduced one: it has a minimum near each mean that competes for the prediction, and more along
# the borders between the clusters, where memberships change fast. What is simple is the closed
# form, not the loss that it is said to minimise. We count minima for 20 test inputs:

# %% mystnb={"figure": {"caption": "Number of local minima of the loss, over 20 test inputs, of three embeddings (rows)."}}
counts = {
    name: [len(minima_on_grid(one.transform, h, grid)) for h in predicted[name][:20]]
    for name, one in embeddings.items()
}
assert min(min(found) for found in counts.values()) > 1
pd.DataFrame({name: pd.Series(n).describe() for name, n in counts.items()}).T[
    ["min", "mean", "max"]
].round(1)

# %% [markdown]
# ## A batched search
#
# So the nearest embedding, full or reduced, takes a search. The package starts from the closed
# form, from the model's mean and from the mean of each component, takes damped Gauss–Newton steps
# for all test inputs and all starts at once, and keeps the best of the points where they end. A
# step that does not lower the loss is not taken, so the loss of the result is never above that of
# the closed form. Its error can be: below, the best end is farther from the true output.

# %%
h = predicted["full"][[shown]]
reduced = np.hstack([h[:, full.blocks_["weights"]], h[:, 3:9].reshape(1, 3, 2).sum(axis=1)])
closed = safe.inverse_transform(reduced)
starts = np.vstack([closed, natural.weights_ @ natural.means_, natural.means_])
loss = squared_distance(with_slopes(full.transform), np.tile(h, (len(starts), 1)))
steps = [levenberg_marquardt(loss, starts, max_iter=k) for k in range(25)]
ends = steps[-1]
package = full.pre_images(h)
print("losses at the ends:", ends.losses.round(2))
print("the package keeps the best:", np.isclose(package.losses[0], ends.losses.min(), rtol=1e-4))
gaps = [np.linalg.norm(P - Y_test[shown]) for P in (closed, package.outputs)]
print(f"distance from the true output: closed form {gaps[0]:.2f}, best end {gaps[1]:.2f}")
assert package.losses[0] < steps[0].losses[0]  # of the closed form
assert gaps[0] < gaps[1]

# %% mystnb={"figure": {"name": "fig-search-paths", "caption": "The search in the full loss of the same test input, from the closed form, the model's mean and the means of the components. Dots are accepted steps. Not all starts lead to the same minimum."}, "image": {"alt": "A contour map with five dotted paths that begin at the means, their centre and the closed form, and end in different minima; one end has a star."}}
points = {"closed form": closed, "true output": Y_test[shown], "best end": package.outputs}
points |= {"means": natural.means_}
low, high = natural.means_.min(axis=0) - 1.5, natural.means_.max(axis=0) + 1.5
near = np.stack(np.meshgrid(*np.linspace(low, high, 121).T), axis=-1)
paths = np.array([step.outputs for step in steps])
_ = plot_search_paths(near, loss_on_grid(full.transform, h, near), paths, points)

# %% [markdown]
# The table sets the cost of the search beside that of the closed form, for one prediction and
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
# The last two are the orders of one step from one start. There are $C + 2$ starts. How many steps
# each of them takes depends on the loss. We count the embeddings that a search from the model's
# mean and the means of the components evaluates.


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


for name in ("reduced, natural", "full"):
    print(f"{name}: {evaluations(name):.0f} evaluations from {len(starts) - 1} starts")

# %% [markdown]
# ## Which decoder?
#
# Lower loss is one thing, a smaller error another. All decoders meet on ten splits of the clusters,
# each with the embedding learned by kernel ridge regression with an intercept and one ridge. The
# first column is what {eq}`eq-preimage` asks for, the second what we want.


# %%
def decoders(split):
    train, test = split.train(n_train), split.test
    ridge = KernelRidgeCV(kernel="rbf", gamma=0.5 / median_bandwidth(data.X[train]) ** 2)
    for scaling in ("score", "natural"):
        options = {"scaling": scaling, "random_state": seed}
        one = GaussianMixtureEmbedding(3, **options).fit(data.Y[train])
        H = ridge.fit(data.X[train], one.transform(data.Y[train])).predict(data.X[test])
        for decoder in ("raw", "simplex", "exact"):
            P = one.set_params(decoder=decoder).inverse_transform(H)
            yield f"{scaling}, {decoder}", np.square(one.transform(P) - H).sum(axis=1).mean(), P
    whole = FullFisherEmbedding(one).fit(data.Y[train])
    H = ridge.fit(data.X[train], whole.transform(data.Y[train])).predict(data.X[test])
    P, losses, _ = whole.pre_images(H)
    yield "full, best of the search", losses.mean(), P


# %% mystnb={"figure": {"caption": "Loss of the pre-image (mean) and RRMSE of the output (mean and standard deviation) over ten splits, by scaling and decoder (rows)."}}
splits = repeated_splits(
    len(data.Y), n_splits=n_splits, train_fraction=0.5, train_sizes=[n_train], random_state=seed
)
rows = [
    (name, loss, rrmse(data.Y[split.test], P))
    for split in splits
    for name, loss, P in decoders(split)
]
frame = pd.DataFrame(rows, columns=["decoder", "loss", "RRMSE"])
of_decoder = frame.groupby("decoder", sort=False).agg({"loss": "mean", "RRMSE": ["mean", "std"]})
means, spreads = of_decoder["RRMSE"]["mean"], of_decoder["RRMSE"]["std"]
for scaling in ("score", "natural"):
    forms = [f"{scaling}, {decoder}" for decoder in ("exact", "raw", "simplex")]
    exact, *closed = of_decoder["loss"]["mean"][forms]
    assert exact < 0.5 * min(closed)
    assert means[forms[0]] > means[forms[1:]].max()
others = means[~means.index.str.endswith("exact")]
assert np.ptp(others) < spreads[others.index].min()
of_decoder.round(3)

# %% [markdown]
# The exact search does what it is asked to do: the losses are far lower. The errors are not,
# unlike in the experiment with noise. The errors of a regression have a direction: where it is in
# doubt, it predicts an embedding between two clusters. The nearest real embedding often takes a
# side, and where it takes the wrong one the error is large. The other decoders differ little,
# compared with their spread. The printed combination, no intercept and the raw decoder, has done
# worse above.
#
# ## What we found
#
# - One Gaussian: the full loss has a false minimum for outputs whose distance from the mean, in
#   standard deviations, is more than $2\sqrt2\,\sigma$, even if the prediction is perfect.
#   Whether that happens depends on the unit of the outputs.
# - The error of the reduced embedding is $\Sigma \varepsilon$, as the paper says, and on data like
#   D1 it is smaller than that of the full one. What costs the full embedding is the common ridge
#   and, with few samples, the pull of the squares; in the unit of the data no search ended in a
#   false minimum.
# - A mixture: P(10) is the nearest embedding for embeddings of real outputs, but not for
#   predicted ones. The reduced loss is not convex either.
# - Without an intercept and a projection the closed form has poles. Projected on the simplex it is
#   bounded, and in natural scaling it has nothing to invert.
# - The exact pre-image of a learned prediction has a lower loss, and no smaller error.
#
# How $h$ is learned is the subject of {doc}`05_learning`.
#
# ## What this changes for you
#
# Decode by the closed form, in the natural scaling or at least on the simplex. Search for the exact
# pre-image only if your predictions are noisy copies of real embeddings; those of a regression are
# not.
#
# ## Exercises
#
# ```{exercise} Quick
# :label: ex-pre-image-one
#
# Let $C = 1$. What are P(10) and the minimum of {eq}`eq-preimage` for a prediction $(h_1, h_2)$
# with $h_1 \ne 1$? What does an intercept change?
# ```
#
# ```{solution} ex-pre-image-one
# :class: dropdown
#
# The only membership of any output is 1, so the first block is a constant of the loss, and the
# minimum is $\Sigma h_2 + \mu$, P(7). P(10) gives $\Sigma h_2 / h_1 + \mu$: for $h_1 = \frac12$
# twice as far from the mean. A regression with an intercept predicts a constant target exactly, so
# with an intercept $h_1$ is 1, and the two agree.
# ```
#
# ```{exercise} Quick
# :label: ex-pre-image-direction
#
# The printed form with a linear kernel predicts an output for $x$. What does it predict for $3 x$
# and for $-x$?
# ```
#
# ```{solution} ex-pre-image-direction
# :class: dropdown
#
# The same. Without an intercept a linear $h$ satisfies $h(tx) = t h(x)$, and in
# P(10) the factor $t$ appears on both sides and cancels. The prediction depends on the
# direction of the input only, and not even on its sign. The plane of inputs is cut by the line on
# which the sum of precisions is zero, and there the prediction has its pole.
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
# for a perfect prediction. When is there a false minimum now? Check it with `count_minima`, in
# several units.
# ```
#
# ```{solution-start} ex-pre-image-information
# :class: dropdown
# ```

# %%
outputs, found = np.random.default_rng(seed).normal(size=(200, 1)), []
for unit in (0.5, 1.0, 4.0):
    scaled = FullFisherEmbedding(GaussianEmbedding(reg_covar=0)).fit(outputs / unit)
    v, centre = scaled.embedding_.covariance_, scaled.embedding_.mean_
    places = centre + np.linspace(-5, 5, 4001)[:, None] * np.sqrt(v)
    on_line, targets = scaled.transform(places), scaled.transform(outputs / unit)
    two = [count_minima(np.square(on_line - h) @ [v, 2 * v**2]) == 2 for h in targets]
    found.append(np.mean(two))
beyond = np.abs(outputs - outputs.mean()) > 2 * outputs.std()
print("share with a false minimum:", [round(float(share), 3) for share in found])
assert len(set(found)) == 1
assert abs(found[0] - beyond.mean()) < 0.01

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
# The squared error rewards the mean; a distance to the nearest right answer, as in
# {doc}`10_2_smtgp_experiments`, rewards choosing; a set of answers needs a price for its size, as
# in {doc}`07_how_sure`.
# ```
