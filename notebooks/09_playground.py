# ---
# jupyter:
#   kernelspec:
#     display_name: Python 3
#     name: python3
# ---

# %% [markdown]
# # Pictures that move
#
# Three things in this book are easier to believe when you can move them: the embedding of an
# output, its pre-image, and what weak labels buy. Each has a figure here whose points or slider can
# be moved, with the pointer, a finger or the keyboard. They start from numbers that the package has
# computed, which the cells below check; from there the same formulas run in your browser, without a
# network. Where scripts do not run, the figures stand still.

# %% tags=["parameters"]
n_train: int = 40  # outputs that the mixture is fitted to
seed: int = 5  # of the data

# %%

import numpy as np
from scipy.stats import multivariate_normal

from ofer import GaussianMixtureEmbedding, KernelRidgeCV, OutputFisherRegressor
from reproduction.datasets.generated.mixture_regression import make_mixture_regression
from ofer.embeddings import project_simplex
from reproduction.engine import results
from reproduction.figures.moving import publish, rounded
from reproduction.statistics import paired_t_test, summarize
from reproduction.papers.ofer.figures.playground import (
    plot_embedding_of_output,
    plot_two_decoders,
    plot_weak_label_panels,
)

# %% [markdown]
# The first two pictures need outputs that fit on a screen: each is two numbers, and they come
# from three clusters. The regression is the usual one, a mixture with three components and kernel
# ridge regression.

# %%
data = make_mixture_regression(
    200,
    n_clusters=3,
    n_outputs=2,
    n_inputs=2,
    separation=3.0,
    input_noise=0.3,
    random_state=seed,
)
X, Y = data.X, data.Y
embedding = GaussianMixtureEmbedding(3, n_init=3, random_state=0)
ridge = KernelRidgeCV(kernel="rbf", gamma=None, scoring="neg_mean_squared_error")
model = OutputFisherRegressor(embedding, ridge)
model.fit(X[:n_train], Y[:n_train])
embedding = model.embedding_

middle = ((Y.min(axis=0) + Y.max(axis=0)) / 2).round()
half = np.ceil(np.abs(Y - middle).max())
limits = np.array([middle - half, middle + half]).T
print("means", embedding.means_.round(2).tolist())
print("weights", embedding.weights_.round(2), "spreads", np.sqrt(embedding.covariances_).round(2))

# %% [markdown]
# A figure gets its numbers as a text in the page, rounded to four decimals; a small script reads
# them and takes the place of the still picture.
#
# ## Embed: which component, and where in it
#
# The embedding of an output $y$ says to which components it belongs, and what is left when their
# means are taken off ({eq}`eq-intro-embedding`):
#
# ```{math}
# :label: eq-playground-embedding
# \phi(y) = \Big( \gamma(y), \; y - \sum_j \gamma_j(y) \mu_j \Big) , \qquad
# \gamma_j(y) = \frac{\pi_j \, \mathcal{N}(y; \mu_j, \sigma_j^2 I)}
#                    {\sum_k \pi_k \, \mathcal{N}(y; \mu_k, \sigma_k^2 I)} .
# ```
#
# We begin with the output that is hardest to place.

# %%
y = Y[embedding.predict_proba(Y).max(axis=1).argmin()]
start = {
    "means": rounded(embedding.means_),
    "weights": rounded(embedding.weights_),
    "scales": rounded(np.sqrt(embedding.covariances_)),
    "output": rounded(y),
    "x": limits[0].tolist(),
    "y": limits[1].tolist(),
}

# %% mystnb={"figure": {"name": "fig-play-embedding", "caption": "An output y under a mixture of three components in the plane. Discs have the radius of the components' standard deviation and are darker with more weight. Lines from the means to the centroid are as wide as the membership; the arrow from the centroid to y is the residual."}, "image": {"alt": "Left: three discs with numbered centres, a small square between them, and an arrow from it to the point y. Right: three bars of membership."}}
_ = plot_embedding_of_output(embedding, y, limits=limits)

# %%
publish("embedding", "fig-play-embedding", start)

# %% [markdown]
# *Things to try.* Move $y$ into the middle of a disc: one membership is nearly one, the square sits
# on the mean, and the embedding is a component's number and a residual. Move it half way between
# two means: the memberships change places within a short distance, and the centroid runs from one
# mean to the other. Now widen one component: far from all means, everything belongs to the widest
# one.
#
# Does the picture start where the package is? The densities of the published numbers, by scipy:

# %%
densities = [
    weight * multivariate_normal(mean, scale**2).pdf(start["output"])
    for weight, mean, scale in zip(start["weights"], start["means"], start["scales"], strict=True)
]
gamma = np.array(densities) / np.sum(densities)
phi = np.r_[gamma, start["output"] - gamma @ start["means"]]
print("embedding from the published numbers", phi.round(3))
print("equal to the package's:", np.allclose(phi, embedding.transform(y[None])[0], atol=1e-3))

# %% [markdown]
# ## Decode: raw, or by way of the simplex
#
# A regression predicts an embedding $h = (h_1, h_2)$. Its pre-image puts the predicted residual on
# a centroid ({eq}`eq-intro-decode`), and there are two candidates for the memberships $g$:
#
# ```{math}
# :label: eq-playground-decode
# y^\star = h_2 + \sum_j g_j \mu_j , \qquad
# g = h_1 \;\; \text{(raw)} \quad \text{or} \quad
# g = \argmin_{g \ge 0, \; \sum_j g_j = 1} \| g - h_1 \|^2 \;\; \text{(simplex)} .
# ```
#
# A ridge with an intercept predicts memberships that sum to one, as those that it learned from do.
# So they lie in the plane of the triangle whose corners are the components, but nothing keeps them
# inside. We take the test sample whose prediction is farthest out.

# %%
H = model.predict_embedding(X[n_train:])
memberships = H[:, embedding.blocks_["membership"]]
print("sums are one:", np.allclose(memberships.sum(axis=1), 1))
print(f"predictions outside the triangle: {(memberships.min(axis=1) < 0).mean():.0%}")
assert (memberships.min(axis=1) < 0).mean() > 0.5
h = H[memberships.min(axis=1).argmin()]
start_decode = {
    "memberships": rounded(h[:3]),
    "residual": rounded(h[3:]),
    **{name: start[name] for name in ("means", "x", "y")},
}

# %% mystnb={"figure": {"name": "fig-play-pre-image", "caption": "The simplex, with predicted memberships outside it and, joined by a dotted line, their projection, and the plane of outputs with the three means; arrows add the residual to the two centroids, dashed for raw and solid for simplex, and end in the decoded outputs."}, "image": {"alt": "Two triangles with numbered corners. A square lies outside the left one, a disc on its edge; at the right two parallel arrows start at their images."}}
_ = plot_two_decoders(embedding, h, limits=limits)

# %%
publish("preImage", "fig-play-pre-image", start_decode)

# %% [markdown]
# *Things to try.* Inside the triangle the two decoders are one. Outside, the raw one goes on
# straight: the right triangle is an affine image of the left one, and so is all that lies around
# it. The projection stops at the edge. Beyond a corner a whole wedge of predictions is decoded to
# the same centroid, the mean of that component. The residual knows nothing of this: it moves
# both outputs alike.

# %%
for decoder in ("raw", "simplex"):
    embedding.set_params(decoder=decoder)
    print(f"{decoder:7} y* =", embedding.inverse_transform(h[None])[0].round(3))
g = project_simplex(np.array([start_decode["memberships"]]))[0]
decoded = start_decode["residual"] + g @ start["means"]
exact = embedding.inverse_transform(h[None])[0]
print("published numbers decode to the same:", np.allclose(decoded, exact, atol=1e-3))

# %% [markdown]
# ## What weak labels buy
#
# The third picture is a table: the errors of {doc}`Table 10 <06_4_2_weak_labels>` in this package's
# form, in which 800 weak labels have a significant gain at every size, by paired t-tests at the
# paper's level. A few molecules are labelled; of hundreds of others only the component is known.
# The errors, the relative error of {doc}`the protocol <06_1_protocol>`,
#
# ```{math}
# :label: eq-playground-rrmse
# \mathrm{RRMSE} = \sqrt{ \frac{\sum_i \| y_i - \hat y_i \|^2}{\sum_i \| y_i \|^2} } ,
# ```
#
# have a mean and a standard deviation over ten splits. The baseline is centred kernel ridge
# regression of the labelled molecules.

# %%
table = results("ofer-table-10")
print(table.describe())
summary = summarize(table.frame).query("metric == 'rrmse'").set_index("method")
methods = {0: "OFER-GMM", 100: "wOFER+100", 500: "wOFER+500", 800: "wOFER+800"}


def errors_of(method):
    rows = summary.loc[method].sort_values("setting", key=lambda setting: setting.astype(int))
    return {name: rounded(rows[name]) for name in ("mean", "std")}


sizes = sorted(summary["setting"].astype(int).unique().tolist())
baseline = errors_of("m-KRR centred")
rival = {"weak": 800, **errors_of("m-KRR imputed+800")}
curves = [{"weak": weak, **errors_of(method)} for weak, method in methods.items()]

# %% mystnb={"figure": {"name": "fig-play-weak-labels", "caption": "Error over the number of labelled molecules: OFER with weak labels of others, solid, the baseline, which has none, dashed, and the baseline with 800 imputed outputs, dotted. Bands are one standard deviation over ten splits."}, "image": {"alt": "Four panels of falling curves. Without weak labels the curve of OFER lies on the baseline; with 500 or 800 it lies below, most of all at the left. The curve of the imputed baseline, the same in all panels, lies about where that of OFER with 800 does, or below."}}
_ = plot_weak_label_panels(sizes, baseline, rival, curves, ylabel="RRMSE on the test set")

# %%
numbers = {"sizes": sizes, "baseline": baseline, "rival": rival, "curves": curves}
publish("weakLabels", "fig-play-weak-labels", numbers)

# %% [markdown]
# *Things to try.* Follow the left end of the curve and the right one: with ten labelled molecules
# a hundred weak ones are enough to leave the baseline behind, with five hundred labelled ones
# they do next to nothing. Where does the upper edge of the band of OFER fall below the lower edge
# of the baseline's? The dotted curve is the baseline on all molecules, where the output of a weak one
# is the mean of its component: it uses 800 labels as well as OFER does ({doc}`06_4_2_weak_labels`).

# %%
errors = table.frame.query("metric == 'rrmse'").pivot_table(
    index="split", columns=["method", "setting"], values="value"
)
means = errors.mean()
equal = [
    np.allclose(c["mean"], means[methods[c["weak"]]][list(map(str, sizes))], atol=1e-4)
    for c in curves
]
print("published means are those of the splits:", all(equal))
test = paired_t_test(table.frame, "wOFER+800", "m-KRR centred", metric="rrmse")
assert (test["significant"] & (test["difference"] < 0)).all()
test = paired_t_test(table.frame, "wOFER+800", "m-KRR imputed+800", metric="rrmse")
assert not (test["significant"] & (test["difference"] < 0)).any()
for curve in curves[1:]:
    gain = np.subtract(baseline["mean"], curve["mean"])
    print(f"{curve['weak']:3} weak labels: error smaller by {gain[0]:.3f} to {gain[-1]:.3f}")
    assert gain.min() > -1e-3
    assert gain[-1] < gain[0] / 2
    assert curve["weak"] > 100 or gain[0] > 0.01 > 0.002 > gain[-1]

# %% [markdown]
# ## What we found
#
# * Between two components the centroid jumps, and the residual jumps back: their sum is $y$ itself.
#   A regression of the two blocks has to learn both jumps.
# * The projection matters where predictions leave the triangle, and most of those here do.
# * Weak labels lower the curve, most of all where labelled molecules are few. Imputed outputs use
#   them as well.
#
# *What this changes for you:* an embedding is a vector of memberships and a residual; when
# predicted memberships leave the simplex, project them.
#
# ## Exercises
#
# ```{exercise} Quick
# :label: ex-playground-far
#
# In the first picture give all three components the same spread, and move $y$ away from all
# of them in one direction. Which component takes the membership, and does its weight matter?
# ```
#
# ```{solution} ex-playground-far
# :class: dropdown
#
# With equal spreads the logarithm of a ratio of memberships is linear in $y$: the component whose
# mean lies farthest in the direction of the move wins, and a weight only shifts where it takes
# over. With different spreads the ratio is quadratic, and the widest component wins in every
# direction.
# ```
#
# ```{exercise} Quick
# :label: ex-playground-cone
#
# In the second picture, for which predictions is the projection a corner? Find the wedge by hand,
# then compute its two edges.
# ```
#
# ```{solution} ex-playground-cone
# :class: dropdown
#
# Corner 1 is nearest when moving along either side of the triangle from it does not help: $(h_1 -
# e_1)\cdot(e_2 - e_1) \le 0$ and $(h_1 - e_1)\cdot(e_3 - e_1) \le 0$. So the two edges are
# perpendicular to the sides that meet in the corner, and the wedge has an angle of 120°.
# ```
