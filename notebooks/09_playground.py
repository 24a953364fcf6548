# ---
# jupyter:
#   kernelspec: {display_name: Python 3, language: python, name: python3}
#   ofer:
#     reads: [ofer-table-10]
# ---

# %% [markdown]
# # Pictures that move
#
# *Output Fisher embedding regression* (OFER) describes an output $y$ by two things
# ({doc}`01_introduction`). *Memberships* are the probabilities that each component of a mixture made
# $y$. They weight the means of the components; the weighted mean is the *centroid*. The *residual*
# is $y$ minus the centroid.
#
# **The question.** What happens to this description when $y$ moves? How does a predicted description
# become an output? What are memberships worth where no output is known?
#
# **The idea.** Move a point or a slider, and see.
#
# **The answer.** Halfway between two components the centroid moves faster than $y$, and the residual
# moves backwards. A regression has to learn both. Most predicted memberships here are not
# probabilities; a projection repairs them. Memberships of samples without outputs lower the error
# most where few outputs are known. A plain regression can use them as well.

# %% tags=["parameters"]
n_train: int = 40  # outputs that the mixture is fitted to
seed: int = 5  # of the data

# %%
import numpy as np
from scipy.stats import multivariate_normal

from ofer import GaussianMixtureEmbedding, KernelRidgeCV, OutputFisherRegressor
from ofer.embeddings import project_simplex
from reproduction.datasets.generated.mixture_regression import make_mixture_regression
from reproduction.engine import results
from reproduction.figures.moving import publish, rounded
from reproduction.studies.embedding.figures.playground import (
    plot_embedding_of_output,
    plot_two_decoders,
    plot_weak_label_panels,
)

# %% [markdown]
# ## Embed: which component, and where in it
#
# Each figure starts from numbers that the package has computed. Then the same formulas run in your
# browser, without a network. Drag with the pointer or a finger, or use the arrow keys. Without
# scripts the figures stand still.
#
# The first two figures use generated outputs of two numbers each, from three clusters. A mixture
# with three components and kernel ridge regression with an intercept learn from forty of them.

# %% tags=["remove-cell"]
data = make_mixture_regression(
    200, n_clusters=3, n_outputs=2, n_inputs=2, separation=3.0, input_noise=0.3, random_state=seed
)
X, Y = data.X, data.Y
ridge = KernelRidgeCV(kernel="rbf", gamma=None, scoring="neg_mean_squared_error")
model = OutputFisherRegressor(
    GaussianMixtureEmbedding(3, n_init=3, random_state=0), ridge, block_wise=True
)
embedding = model.fit(X[:n_train], Y[:n_train]).embedding_

# %% [markdown]
# The mixture has weights $\pi_j$, means $\mu_j$ and variances $\sigma_j^2$. Bayes' rule gives the
# memberships $\gamma_j(y)$. With the residual they make the *embedding* of $y$:
#
# ```{math}
# :label: eq-playground-embedding
# \phi(y) = \Big( \gamma(y), \; y - \sum_j \gamma_j(y) \mu_j \Big) , \qquad
# \gamma_j(y) = \frac{\pi_j \, \mathcal{N}(y; \mu_j, \sigma_j^2 I)}
#                    {\sum_k \pi_k \, \mathcal{N}(y; \mu_k, \sigma_k^2 I)} .
# ```
#
# The figure begins with the output that is hardest to place.

# %% mystnb={"figure": {"name": "fig-play-embedding", "caption": "An output y under three components. A disc has the radius of its component's standard deviation, and is darker with more weight. Lines from the means to the centroid, a square, are as wide as the memberships. The arrow from the centroid to y is the residual."}, "image": {"alt": "Left: three discs with numbered centres, a small square between them, and an arrow from it to the point y. Right: three bars of membership."}}
middle = ((Y.min(axis=0) + Y.max(axis=0)) / 2).round()
half = np.ceil(np.abs(Y - middle).max())
limits = np.array([middle - half, middle + half]).T
y = Y[embedding.predict_proba(Y).max(axis=1).argmin()]
_ = plot_embedding_of_output(embedding, y, limits=limits)

# %%
start = {"means": embedding.means_, "weights": embedding.weights_}
start |= {"scales": np.sqrt(embedding.covariances_), "output": y, "x": limits[0], "y": limits[1]}
start = {name: rounded(values) for name, values in start.items()}
publish("embedding", "fig-play-embedding", start)

# %% tags=["hide-input"]
means, weights, scales = (np.array(start[name]) for name in ("means", "weights", "scales"))


def memberships_of(y, scales=scales):
    """By scipy, from the published numbers."""
    parts = zip(weights, means, scales, strict=True)
    densities = [w * multivariate_normal(mean, scale**2).pdf(y) for w, mean, scale in parts]
    return np.array(densities) / np.sum(densities, axis=0)


gamma = memberships_of(start["output"])
phi = np.r_[gamma, start["output"] - gamma @ means]
assert np.allclose(phi, embedding.transform(y[None])[0], atol=1e-3)

# %% [markdown]
# *Things to try.*
#
# * **Move $y$ to the centre of a disc.** One membership is nearly one, and the centroid lies on that
#   mean. The embedding says which component made $y$, and where in it $y$ lies.
# * **Move $y$ from one mean to another.** The memberships swap within less than half of the way.
#   There the centroid moves more than twice as fast as $y$. Centroid and residual always add up to
#   $y$, so the residual moves back. A regression of memberships and residual has to learn both.
# * **Widen one component.** Far from all means, every output now belongs to it, because its density
#   falls most slowly.

# %% tags=["hide-input"]
assert np.diag(memberships_of(means)).min() > 0.95
for first, last in [(0, 1), (0, 2), (1, 2)] if (n_train, seed) == (40, 5) else []:
    way = np.linspace(means[first], means[last], 201)
    along = memberships_of(way)
    steps = np.linalg.norm(np.diff(means.T @ along), axis=0)  # of the centroid
    assert (along.max(axis=0) < 0.9).mean() < 0.5
    assert steps.max() > 2 * np.linalg.norm(way[1] - way[0])
for widest in range(3):
    for far in 30 * np.array([[1, 0], [0, 1], [-1, 0], [0, -1]]):
        assert memberships_of(far, np.where(np.arange(3) == widest, 2, scales))[widest] > 0.999

# %% [markdown]
# ## Decode: raw, or after a projection
#
# A regression predicts an embedding $h = (h_1, h_2)$. The decoded output, its *pre-image* $y^\star$,
# is a centroid plus the predicted residual $h_2$. Two candidates $g$ can take the place of the
# memberships in the centroid:
#
# ```{math}
# :label: eq-playground-decode
# y^\star = h_2 + \sum_j g_j \mu_j , \qquad
# g = h_1 \;\; \text{(raw)} \quad \text{or} \quad
# g = \argmin_{g \ge 0, \; \sum_j g_j = 1} \| g - h_1 \|^2 \;\; \text{(simplex)} .
# ```
#
# The *simplex* is the set of all vectors of probabilities, here a triangle whose corners are the
# components. The *projection* takes the point of the triangle nearest to $h_1$.
#
# Why do predictions leave the triangle? Kernel ridge regression predicts a weighted sum of training
# embeddings. With an intercept the weights sum to one, so predicted memberships do, too. But weights
# can be negative, and nothing keeps predictions inside.

# %% tags=["remove-input"]
H = model.predict_embedding(X[n_train:])
memberships = H[:, embedding.blocks_["membership"]]
outside = memberships.min(axis=1) < 0
print(f"predictions outside the triangle: {outside.mean():.0%}")

# %% [markdown]
# All predictions here sum to one, but most are not probabilities. The figure begins with the one that
# lies farthest outside the triangle.

# %% tags=["hide-input"]
assert np.allclose(memberships.sum(axis=1), 1)
assert outside.mean() > 0.5

# %% mystnb={"figure": {"name": "fig-play-pre-image", "caption": "Left: the simplex, predicted memberships outside it (square), and their projection (ringed disc). Right: the three means as outputs. Arrows add the residual to the two centroids, dashed for raw and solid for simplex, and end in the decoded outputs."}, "image": {"alt": "Two triangles with numbered corners. A square lies outside the left one, a disc on its edge; at the right two parallel arrows start at their images."}}
h = H[memberships.min(axis=1).argmin()]
_ = plot_two_decoders(embedding, h, limits=limits)

# %%
start_decode = {"memberships": rounded(h[:3]), "residual": rounded(h[3:])}
start_decode |= {name: start[name] for name in ("means", "x", "y")}
publish("preImage", "fig-play-pre-image", start_decode)

# %% tags=["hide-input"]
candidates = {
    "raw": np.array(start_decode["memberships"]),
    "simplex": project_simplex(np.array([start_decode["memberships"]]))[0],
}
for decoder, g in candidates.items():
    exact = embedding.set_params(decoder=decoder).inverse_transform(h[None])[0]
    assert np.allclose(start_decode["residual"] + g @ means, exact, atol=1e-3)

# %% [markdown]
# *Things to try.*
#
# * **Move the prediction into the triangle.** The two decoders agree.
# * **Move it out again.** The raw output goes straight on: the right triangle is an affine image of
#   the left one. The projection stops at the edge.
# * **Move it beyond a corner.** A whole wedge of predictions has the same projection, the corner.
#   Their centroid is the mean of that component.
# * **Move a decoded output.** That changes the residual, and the other output moves by as much.

# %% tags=["hide-input"]
inside = np.array([[0.2, 0.3, 0.5]])
assert np.allclose(project_simplex(inside), inside)
wedge = [[1.4, -0.2, -0.2], [1.6, -0.5, -0.1], [2, -0.1, -0.9]]
assert np.allclose(project_simplex(np.array(wedge)), [1, 0, 0])

# %% [markdown]
# ## What weak labels buy
#
# A *weak label* gives the memberships of an output and not the output. The third figure shows what
# such labels are worth for drugs, where an output is the activity of a molecule on 59 cell lines. A
# few molecules are *labelled*: their outputs are known. The regression of the memberships also learns
# from hundreds of others with a weak label.
#
# Two kinds of kernel ridge regression with an intercept are the rivals. The *baseline* learns from
# the labelled molecules alone. The *imputed* baseline learns from 800 weak labels too. It takes the
# centroid of each missing output in its place. Errors are relative errors on a test set,
#
# ```{math}
# :label: eq-playground-rrmse
# \mathrm{RRMSE} = \sqrt{ \frac{\sum_i \| y_i - \hat y_i \|^2}{\sum_i \| y_i \|^2} } ,
# ```
#
# over ten random splits. They are stored results of our re-run of the paper's Table 10, with this
# package's defaults for OFER ({doc}`06_4_2_drug_activity`).

# %%
table = results("ofer-table-10")
print(table.describe())
errors = table.contrast("rrmse")
methods = {0: "OFER-GMM", 100: "wOFER+100", 500: "wOFER+500", 800: "wOFER+800"}
sizes = sorted(errors.means.index, key=int)


def errors_of(method):
    parts = {"mean": errors.means, "std": errors.deviations}
    return {name: rounded(part.loc[sizes, method]) for name, part in parts.items()}


baseline = errors_of("m-KRR centred")
rival = {"weak": 800, **errors_of("m-KRR imputed+800")}
curves = [{"weak": weak, **errors_of(method)} for weak, method in methods.items()]
sizes = [int(size) for size in sizes]

# %% mystnb={"figure": {"name": "fig-play-weak-labels", "caption": "Error against the number of labelled molecules: OFER with weak labels (solid), the baseline without (dashed), and the baseline with 800 imputed outputs (dotted). Bands are one standard deviation over ten splits."}, "image": {"alt": "Four panels of falling curves. Without weak labels the curve of OFER lies on the baseline; with 500 or 800 it lies below, most of all at the left. The curve of the imputed baseline, the same in all panels, lies about where that of OFER with 800 does, or below."}}
_ = plot_weak_label_panels(sizes, baseline, rival, curves, ylabel="RRMSE on the test set")

# %%
numbers = {"sizes": sizes, "baseline": baseline, "rival": rival, "curves": curves}
publish("weakLabels", "fig-play-weak-labels", numbers)

# %% tags=["hide-input"]
for curve in curves:
    means = errors.by_split[methods[curve["weak"]]].groupby("setting").mean()
    assert np.allclose(curve["mean"], means[list(map(str, sizes))], atol=1e-4)

# %%
for weak in (100, 500, 800):
    gain = errors.tests("m-KRR centred", methods[weak])["difference"]
    print(f"{weak} weak labels lower the error by {gain['10']:.3f}", end=" ")
    print(f"with 10 labelled molecules, by {gain['500']:.3f} with 500")

# %% [markdown]
# *Things to try.*
#
# * **No weak labels.** The curve of OFER lies on the baseline, and no difference is significant.
# * **100 weak labels.** With ten labelled molecules the mean error falls clearly, though ten splits do
#   not make the difference significant. With 500 the weak labels do next to nothing.
# * **800 weak labels.** OFER is significantly better than the baseline at every size. The two bands
#   overlap at 500 labelled molecules only.
# * **The dotted curve.** The imputed baseline uses the 800 labels as well as OFER does. OFER is
#   significantly better at no size; with 300 and with 500 labelled molecules the imputed baseline is.
#
# *Significant* means p < .001 in a paired t-test over the splits. This test ignores that splits
# overlap. A test that allows for as much overlap as two splits can have finds, at 5 %, no gain of 100
# weak labels, one of 500 with 100 labelled molecules, and gains of 800 with 100 and with 300.
#
# So the gain comes from the extra information, and OFER is one way to use it. Shuffled weak labels
# bring no significant gain.

# %% tags=["hide-input"]
assert errors.apart("OFER-GMM", "m-KRR centred", only=[])
assert errors.ahead("OFER-GMM", of="m-KRR centred", by=(-0.002, 0.002))
assert errors.better("wOFER+800", than="m-KRR centred")
assert errors.apart("wOFER+100", "m-KRR centred", at="10", only=[])
for weak, sure in {100: [], 500: ["100"], 800: ["100", "300"]}.items():
    assert errors.apart(methods[weak], "m-KRR centred", corrected=True, level=0.05, only=sure)
assert errors.apart("m-KRR imputed+800", "wOFER+800", only=["300", "500"])
assert errors.better("m-KRR imputed+800", than="wOFER+800", only=["300", "500"])
assert errors.apart("wOFER+800 shuffled", "m-KRR centred", only=[])
for curve in curves[1:]:
    gain = np.subtract(baseline["mean"], curve["mean"])
    assert gain.min() > -1e-3
    assert gain[-1] < gain[0] / 2
    assert curve["weak"] > 100 or gain[0] > 0.01 > 0.002 > gain[-1]
upper, lower = np.add(curves[-1]["mean"], curves[-1]["std"]), np.subtract(*baseline.values())
assert [size for size, over in zip(sizes, upper >= lower, strict=True) if over] == [500]

# %% [markdown]
# ## What this changes for you
#
# - Read an embedding as memberships and a residual.
# - Project predicted memberships that leave the simplex.
# - Collect weak labels where outputs are few.
# - Try imputed outputs before you choose OFER.
#
# ## Exercises
#
# ```{exercise} Quick
# :label: ex-playground-far
#
# In the first figure give all three components the same spread. Move $y$ away from all of them in
# one direction. Which component takes the membership? Does its weight matter?
# ```
#
# ```{solution} ex-playground-far
# :class: dropdown
#
# With equal spreads the logarithm of a ratio of memberships is linear in $y$. The component wins
# whose mean lies farthest in the direction of the move. Its weight only shifts where it takes over.
# With different spreads the logarithm is quadratic, and the widest component wins everywhere.
# ```
#
# ```{exercise} Quick
# :label: ex-playground-cone
#
# In the second figure, for which predictions is the projection a corner? Find the wedge by hand,
# then compute its two edges.
# ```
#
# ```{solution} ex-playground-cone
# :class: dropdown
#
# Corner 1 is nearest if no move along a side of the triangle from it helps: $(h_1 - e_1)\cdot(e_2 -
# e_1) \le 0$ and $(h_1 - e_1)\cdot(e_3 - e_1) \le 0$. The two edges are perpendicular to the sides
# that meet in the corner, so the wedge has an angle of 120°.
# ```
