# ---
# jupyter:
#   kernelspec:
#     display_name: Python 3
#     name: python3
# ---

# %% [markdown]
# # Your own output model
#
# The method needs a model of the outputs that can do two things: embed an output, and decode an
# embedding. A Gaussian, a mixture and a state-space model come with the package. Yours may be
# another one: outputs near a few known prototypes, say, such as typical profiles of a patient. This
# page writes that model down in thirty lines, and gets weak labels, exact leave-one-out and
# predicted memberships for it.
#
# ## The contract
#
# `ofer.embeddings.OutputModel` asks for three methods and one attribute:
#
# :::{table} The contract of an output model.
# | | |
# |---|---|
# | `fit(Y, y=None)` | learns from outputs, and sets `blocks_` |
# | `transform(Y)` | embeds outputs, one row per output |
# | `inverse_transform(H)` | decodes any finite rows, not just embeddings of outputs |
# | `blocks_` | a dictionary: the name of each block of columns, and its slice |
# :::
#
# Each block is learned by a regressor of its own, with its own ridge. With squared distances
# $d_k^2(y) = \|y - p_k\|^2$ to the prototypes $p_k$ and a sharpness $s$, ours are the memberships
# and what they leave over:
#
# ```{math}
# :label: eq-prototypes
# \gamma_k(y) = \frac{\exp(-s\, d_k^2(y))}{\sum_j \exp(-s\, d_j^2(y))} , \qquad
# \phi(y) = \Bigl(\gamma(y),\; y - \sum_k \gamma_k(y)\, p_k\Bigr) .
# ```
#
# The pre-image adds the two blocks again. Predicted memberships need not be positive or sum to one,
# so they are brought back to the simplex first.

# %%
import numpy as np
from scipy.special import softmax

from ofer.embeddings import OutputModel


class Prototypes(OutputModel):
    """Soft memberships in a few given points, and what they leave over."""

    def __init__(self, points, sharpness=1.0):
        self.points = points
        self.sharpness = sharpness

    def fit(self, Y, y=None):
        self.points_ = np.asarray(self.points, dtype=float)
        self.n_components_, self.n_features_in_ = self.points_.shape
        ends = np.cumsum(self.points_.shape)
        self.blocks_ = {"membership": slice(0, ends[0]), "rest": slice(*ends)}
        return self

    def memberships(self, Y):
        squares = np.square(np.asarray(Y)[:, None] - self.points_).sum(axis=2)
        return softmax(-self.sharpness * squares, axis=1)

    def simplex(self, block):
        positive = np.maximum(block, 1e-12)
        return positive / positive.sum(axis=1, keepdims=True)

    def transform(self, Y):
        gamma = self.memberships(Y)
        return np.hstack([gamma, Y - gamma @ self.points_])

    def inverse_transform(self, H):
        H = self.check_embeddings(H)
        gamma, rest = (H[:, columns] for columns in self.blocks_.values())
        return self.simplex(gamma) @ self.points_ + rest


# %% [markdown]
# A model with memberships inherits `HasMembership` too, and says three things more: the
# responsibilities of an output (`posterior`), the membership block when only they are known
# (`encode_membership`), and which responsibilities a predicted block stands for
# (`decode_membership`).

# %% tags=["hide-input"]
from sklearn.cluster import KMeans

from ofer import KernelRidgeCV, OutputFisherRegressor
from ofer.embeddings import HasMembership
from ofer.metrics import rrmse


# %%
class SoftPrototypes(HasMembership, Prototypes):
    """Prototypes that can learn from weak labels."""

    def posterior(self, Y):
        return self.memberships(Y)

    def encode_membership(self, responsibilities):
        return responsibilities

    def decode_membership(self, block):
        return self.simplex(block)


# %% [markdown]
# That is all. Three profiles, noisy inputs, forty labelled samples:

# %%
rng = np.random.default_rng(0)
points = np.array([[0.0, 0.0], [4.0, 1.0], [-3.0, 5.0]])
labels = rng.integers(0, 3, size=440)
Y = points[labels] + 0.5 * rng.normal(size=(440, 2))
X = np.eye(3)[labels] + 0.6 * rng.normal(size=(440, 3))
train, weak, test = np.split(np.arange(440), [40, 240])

model = OutputFisherRegressor(
    SoftPrototypes(points), KernelRidgeCV(kernel="rbf", gamma=0.5), block_wise=True
)
model.fit(X[train], Y[train])
labelled_only = rrmse(Y[test], model.predict(X[test]))
print(f"RRMSE with labelled samples alone {labelled_only:.3f}")

# %% [markdown]
# Embedding and decoding are inverse to each other, which is the first thing to check of a new
# model. Leave-one-out comes without a further fit; compare it with the test error above.

# %%
embedding = model.embedding_
assert np.allclose(embedding.inverse_transform(embedding.transform(Y)), Y)
unseen = rrmse(Y[train], model.loo_predict())
print(f"leave-one-out {unseen:.3f}; columns {', '.join(embedding.get_feature_names_out())}")

# %% [markdown]
# Two hundred weak samples say only which prototype is nearest. The contract has told the regressor
# what to do with them:

# %%
nearest = embedding.posterior(Y[weak]).argmax(axis=1)
model.fit(X[train], Y[train], X_weak=X[weak], membership_weak=nearest, weak_weight=1.0)
with_weak = rrmse(Y[test], model.predict(X[test]))
print(f"RRMSE with weak labels {with_weak:.3f}")
right = model.predict_membership(X[test]).argmax(axis=1) == labels[test]
print(f"prototype recognised for {right.mean():.0%} of the test samples")
assert with_weak < labelled_only

# %% [markdown]
# ## To make it part of the package
#
# The model goes into a module of `ofer/embeddings`, its name into the `__init__.py` beside it,
# and an entry for it into `tests/ofer/embeddings/test_base.py`, where every output model goes
# through the same tests: blocks without gaps, an inverse that inverts, clones and pickles, grids,
# weak labels.
#
# ```{exercise} Code
# :label: ex-output-model
#
# Prototypes that are not given but learned: let `fit` run k-means on the outputs. Does the error
# change? What does `loo_predict` say about the number of prototypes?
# ```
#
# ```{solution} ex-output-model
# :class: dropdown
#
# `self.points_ = KMeans(self.n_points, random_state=0).fit(Y).cluster_centers_` in `fit`, and
# `n_points` in the place of `points`. It hardly matters here: from one to eight prototypes the
# errors of leave-one-out lie within five hundredths, those on the test samples within two. Inputs
# that blur the three profiles leave nothing for finer ones to find.
# ```

# %% tags=["hide-input"]
found = []
for n_points in range(1, 9):
    learned = KMeans(n_points, random_state=0).fit(Y[train]).cluster_centers_
    other = OutputFisherRegressor(SoftPrototypes(learned), model.regressor, block_wise=True).fit(
        X[train], Y[train]
    )
    pair = other.predict(X[test]), other.loo_predict()
    found.append([rrmse(*both) for both in zip((Y[test], Y[train]), pair, strict=True)])
assert (np.ptp(found, axis=0).round(2) <= [0.02, 0.05]).all()  # test samples, leave-one-out
