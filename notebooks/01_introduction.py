# ---
# jupyter:
#   kernelspec: {display_name: Python 3, language: python, name: python3}
#   ofer:
#     tables: [ofer-digits]
# ---

# %% [markdown]
# # Introduction and a first run
#
# **The question.** Many outputs are vectors whose coordinates depend on each other: the activity of
# a molecule on fifty-nine cell lines, the risk of a company over years, the missing part of a
# picture. It seems wasteful to predict each coordinate alone. Is it?
#
# **The idea.** *Output Fisher embedding regression* (OFER, {cite:t}`djerrab2018`) fits a
# probability model to the training outputs and describes each output by this model. It then
# regresses the descriptions on the inputs, and turns a predicted description back into an output.
#
# **The answer**, on small pictures. From the same pictures, OFER learns no better than kernel
# ridge regression with an intercept, and the paper's form makes larger errors. *Weak
# labels* do help: for some further pictures, somebody says only what kind of output they have.

# %% tags=["parameters"]
profile: str = "stored"  # or "quick", "full": see "How to rerun"
n_train: int = 100  # labelled pictures
n_components: int = 10  # components of the output model
seed: int = 0

# %%
import numpy as np
from sklearn.frozen import FrozenEstimator

from ofer import GaussianMixtureEmbedding, KernelRidgeCV, Memberships, OutputFisherRegressor
from ofer.datasets import assemble_digits, load_digits_reconstruction
from ofer.kernels import median_bandwidth
from ofer.metrics import rrmse
from reproduction.engine import results
from reproduction.figures.learning_curves import plot_learning_curves
from reproduction.figures.memberships import plot_memberships
from reproduction.figures.names import method_name
from reproduction.figures.pictures import plot_image_rows, plot_task
from reproduction.figures.tables import show_results
from reproduction.statistics import repeated_splits, summarize
from reproduction.studies.embedding.figures.digits import plot_means_as_images, plot_prediction

# %% [markdown]
# ## The task: fill in the middle
#
# A handwritten digit of 8 × 8 grey values loses its middle. The input $x$ is the border, 48 grey
# values. The output $y$ is the middle, 16 grey values. Strokes run from the border into the middle,
# so the border says much about the middle. It does not say everything, because different digits can
# share a border. The digits come with scikit-learn, and this chapter runs in seconds.

# %%
digits = load_digits_reconstruction()
X, Y = digits.X, digits.Y
print(X.shape, Y.shape)

# %% mystnb={"figure": {"name": "fig-task", "caption": "Ten digits, and what the learner sees of them. The hatched middle is to be predicted."}, "image": {"alt": "Two rows of ten digits; in the second row the middle four by four pixels are hatched out."}}
_ = plot_task(digits.images[:10], digits.centre_mask)

# %% [markdown]
# A hundred pictures are *labelled*: the learner knows their border and their middle. We set a large
# test set aside and use it only to measure errors.

# %%
split = repeated_splits(
    len(Y), n_splits=1, train_fraction=0.5, train_sizes=[n_train], random_state=seed
)[0]
train, rest, test = split.train(n_train), split.rest(n_train), split.test
print(len(train), "labelled,", len(test), "test pictures")

# %% [markdown]
# ## Step 1: embed the outputs
#
# An *output model* describes which outputs occur, whatever the inputs. Our model is a mixture of
# $C$ Gaussians, its *components*, with weights $\pi_j$, means $\mu_j$ and variances $\sigma_j^2$:
#
# ```{math}
# :label: eq-intro-mixture
# p_\theta(y) = \sum_{j=1}^{C} \pi_j \, \mathcal{N}(y; \mu_j, \sigma_j^2 I) .
# ```
#
# Maximum likelihood fits it to the labelled middles alone.

# %%
embedding = GaussianMixtureEmbedding(n_components, random_state=seed).fit(Y[train])

# %% mystnb={"figure": {"name": "fig-means", "caption": "The mean of each component, a typical middle, under the weight of the component."}, "image": {"alt": "Ten blurred four by four pictures, the component means, with their weights in per cent."}}
_ = plot_means_as_images(embedding.means_, embedding.weights_)

# %% [markdown]
# The *Fisher score* of an output is the gradient of $\log p_\theta(y)$ in the parameters. It says
# how $y$ would move the model: which component $y$ pulls, and in which direction. OFER keeps a
# short linear summary of the score, the *embedding* of $y$. In *natural scaling*, the default of
# this package, the embedding is
#
# ```{math}
# :label: eq-intro-embedding
# \phi(y) = \Big( \gamma_1(y), \dots, \gamma_C(y), \;\; y - \sum_j \gamma_j(y) \mu_j \Big) .
# ```
#
# It has two *blocks*. The first block holds the *memberships*: $\gamma_j(y)$ is the probability
# that component $j$ made $y$. They weight the means of the components, and the weighted mean
# $\sum_j \gamma_j(y) \mu_j$ is the *centroid* of $y$. The second block is the *residual*, the
# output minus its centroid; the code calls it `mean`. Together they have $C + 16$ numbers.
# {doc}`02_output_fisher_embedding_regression` derives the embedding from the score, and compares
# natural scaling with the paper's.

# %%
H = embedding.transform(Y[train])
print(H.shape, embedding.blocks_)

# %% [markdown]
# ## Step 2: regress the embeddings
#
# Kernel ridge regression predicts an embedding by a weighted sum of the training embeddings,
# $h(x) = \sum_i a_i(x)\, \phi(y_i)$. A training picture whose border resembles $x$ gets a large
# weight. The *ridge parameter* sets how much the prediction is smoothed. Leave-one-out
# cross-validation chooses one for each block. A single eigendecomposition of the kernel matrix
# serves all candidates.

# %%
gamma = 0.5 / median_bandwidth(X[train]) ** 2
ridge = KernelRidgeCV(kernel="rbf", gamma=gamma)
model = OutputFisherRegressor(embedding, ridge, block_wise=True).fit(X[train], Y[train])
for name, regressor in model.regressor_.items():
    print(f"{name:10} ridge parameter {regressor.alpha_:.2g}")

# %% [markdown]
# Are the predicted memberships probabilities? They sum to one: an intercept makes the weights
# $a_i(x)$ sum to one, and the memberships of each training output do too. But the weights can be
# negative, so predicted memberships can be negative ({numref}`fig-memberships`), and most test
# pictures have at least one that is.

# %% tags=["hide-input"]
predicted_memberships = model.predict_embedding(X[test])[:, :n_components]
assert np.allclose(predicted_memberships.sum(axis=1), 1)
if n_components == 10:  # which the text speaks of
    assert (predicted_memberships.min(axis=1) < 0).mean() > 0.5

# %% mystnb={"figure": {"name": "fig-memberships", "caption": "True and predicted memberships of five test pictures. Some predictions are negative."}, "image": {"alt": "Five bar charts of true and predicted memberships over ten components."}}
shown = test[:5]
true = model.embedding_.predict_proba(Y[shown])
_ = plot_memberships(true, predicted_memberships[:5])

# %% [markdown]
# ## Step 3: decode
#
# The *pre-image* of a predicted embedding $(h_1, h_2)$ is an output whose embedding is close to it.
# A closed form gives one. It first repairs the memberships: $g$ is the vector of probabilities
# nearest to $h_1$. In other words, $g$ is the *projection* of $h_1$ on the *simplex*, the set of
# all vectors of probabilities. Then the closed form adds the predicted residual to the centroid
# that $g$ makes:
#
# ```{math}
# :label: eq-intro-decode
# y^\star = h_2 + \sum_j g_j \mu_j , \qquad
# g = \argmin_{g \ge 0, \; \sum_j g_j = 1} \| g - h_1 \|^2 .
# ```
#
# Embedding loses nothing, because decoding inverts it. Insert $h = \phi(y)$: the true memberships
# are probabilities already, so $g = \gamma(y)$, and $y^\star = y - \sum_j \gamma_j(y) \mu_j +
# \sum_j \gamma_j(y) \mu_j = y$.

# %%
assert np.allclose(embedding.inverse_transform(H), Y[train])

# %% [markdown]
# How good are the predictions? The book measures them by the *relative error* RRMSE, the size of
# all errors over the size of all outputs, $\| Y - \hat Y \|_F / \| Y \|_F$. A perfect prediction
# has 0, and predicting zero has 1. Predicting the mean of the training outputs lies between.

# %%
predicted = model.predict(X[test])
mean = np.tile(Y[train].mean(axis=0), (len(test), 1))
print(f"RRMSE on the test pictures: OFER {rrmse(Y[test], predicted):.3f}")
print(f"the mean of the training outputs {rrmse(Y[test], mean):.3f}")

# %% mystnb={"figure": {"name": "fig-one-prediction", "caption": "One prediction. Above: the input, the decoded output and the truth; below: the predicted memberships after the projection, over the means of the components."}, "image": {"alt": "Above, a digit with a hatched middle, the completed digit, and the true one, which it resembles. Below, a bar chart over ten small pictures."}}
_ = plot_prediction(
    digits.images[test][4],
    digits.centre_mask,
    embedding.means_,
    model.predict_membership(X[test])[4],
    assemble_digits(X[test], predicted.clip(0, 1))[4],
)

# %% mystnb={"figure": {"name": "fig-reconstructions", "caption": "Test digits: the truth, the middle that OFER predicts, and the mean middle of the training pictures."}, "image": {"alt": "Three rows of twelve digits: the truth, the predicted middle, the mean middle."}}
few = slice(0, 12)
rows = {
    "truth": digits.images[test][few],
    "OFER": assemble_digits(X[test][few], predicted[few].clip(0, 1)),
    "mean": assemble_digits(X[test][few], mean[few]),
}
_ = plot_image_rows(rows)

# %% [markdown]
# ## Does the output model help?
#
# OFER beats the mean, which is a weak rival. The fair one is regression of the pixels themselves.

# %% tags=["hide-input"]
assert rrmse(Y[test], predicted) < rrmse(Y[test], mean) < 1

# %% [markdown]
# We compare four methods on ten random splits:
#
# * **m-KRR centred** is kernel ridge regression of all pixels at once, with an intercept. This
#   baseline lacks the output model and nothing else.
# * **OFER-GMM (ours)** is the three steps above. GMM stands for Gaussian mixture model.
# * **OFER-GMM (paper)** is the paper's form: its scaling, its decoder, one ridge
#   parameter for both blocks, and no intercept.
# * **wOFER+500 (ours)** is OFER-GMM (ours) with 500 weak labels.
#
# A *weak label* says only which component the middle of a picture belongs to. This is the paper's
# most original idea. Such a label is meant to be cheaper than a middle, and the membership block
# can learn from it: that block sees the weakly labelled pictures too, the residual block only the
# labelled ones. Here the mixture plays the part of the person who labels: it sees the true middle
# and returns its memberships.

# %%
weak = rest[:500]
helped = OutputFisherRegressor(FrozenEstimator(embedding), ridge, block_wise=True).fit(
    X[train],
    Y[train],
    weak=Memberships(X[weak], embedding.predict_proba(Y[weak]), weight=1.0),
)
print(f"RRMSE with weak labels: {rrmse(Y[test], helped.predict(X[test])):.3f}")

# %% [markdown]
# We set the numbers of components by hand, so that the means can be looked at. The book's real
# experiments choose them on the training data.

# %% mystnb={"figure": {"caption": "RRMSE of completed digits by the number of labelled pictures and the method. Mean ± standard deviation over ten splits."}}
table = results("ofer-digits", profile=profile)
errors = table.contrast("rrmse")
show_results(table, metric="rrmse")

# %% mystnb={"figure": {"name": "fig-intro-curves", "caption": "Mean error over ten splits against the number of labelled pictures. Bands are one standard deviation."}, "image": {"alt": "Four falling curves of test error against 20, 50 and 100 labelled pictures. The curve with weak labels is lowest, the paper's form highest."}}
_ = plot_learning_curves(summarize(table.frame), size="labelled pictures")

# %% [markdown]
# A paired t-test at the level .001, which the paper uses, compares each method with m-KRR centred.
# A negative difference favours the method.

# %%
for method in ("OFER-GMM", "OFER-GMM as printed", "wOFER+500"):
    for row in errors.tests(method, "m-KRR centred").itertuples():
        verdict = "significant" if row.significant else "not significant at .001"
        name = method_name(method)
        print(f"{name:19} {row.Index:>4} labelled: {row.difference:+.3f}  {verdict}")

# %% [markdown]
# **The output model gains nothing.** The mean error of OFER-GMM (ours) is a little larger than that
# of the baseline at each size, and no difference is significant. There is a reason. Give both
# blocks the same ridge parameter and leave out the projection. Then decoding is linear, and it
# turns a weighted sum of training embeddings into the same weighted sum of training outputs. So
# OFER is then the *same function* as kernel ridge regression with an intercept.
# {doc}`05_what_ofer_computes` proves this, and measures what separate ridge parameters and the
# projection are worth.

# %% tags=["hide-input"]
assert errors.ahead("m-KRR centred", of="OFER-GMM")
assert errors.apart("m-KRR centred", "OFER-GMM", only=[])
same_ridge = KernelRidgeCV([0.5], kernel="rbf", gamma=gamma)
no_projection = GaussianMixtureEmbedding(n_components, decoder="raw", random_state=seed)
linear = OutputFisherRegressor(no_projection, same_ridge, block_wise=False).fit(X[train], Y[train])
assert np.allclose(linear.predict(X[test]), same_ridge.fit(X[train], Y[train]).predict(X[test]))

# %% [markdown]
# **The paper's form is worse.** Its mean error is the largest at each size, and with 100 labelled
# pictures it is significantly larger than that of the baseline. The paper's
# equation of kernel ridge regression, with which it compares this form, has no intercept.
# {doc}`05_what_ofer_computes` shows that the form has one in disguise. This package therefore has other
# defaults for scaling, intercept and projection. The paper's form is one call away.

# %% tags=["hide-input"]
assert np.all(errors.means.idxmax(axis=1) == "OFER-GMM as printed")
assert errors.worse("OFER-GMM as printed", than="m-KRR centred", at="100")

# %% [markdown]
# **Weak labels help.** They give the lowest mean error at each size, significantly lower than the
# baseline's with 50 and with 100 labelled pictures. They carry information that the labelled
# pictures lack. Kernel ridge regression can use this information too, if each missing output is
# replaced by the mean of its component. This page does not test that; {doc}`06_4_2_drug_activity`
# does.

# %% tags=["hide-input"]
assert errors.best("wOFER+500")
assert errors.better("wOFER+500", than="m-KRR centred", at=["50", "100"])

# %% [markdown]
# These pictures are ours, not the paper's. The rest of the book re-runs the paper's experiments;
# {doc}`drug activities <06_4_2_drug_activity>` are a good place to start.
#
# ## What this changes for you
#
# Before you model outputs, fit ridge regression with an intercept. Measure every gain against it.
#
# ## Exercises
#
# ```{exercise} Open
# :label: ex-intro-components
#
# Run this chapter with two components instead of ten:
# `make chapter NAME=01_introduction PARAMS="n_components=2"`. What do the two means show? What are
# weak labels then worth?
# ```
#
# ```{solution} ex-intro-components
# :class: dropdown
#
# One mean has its ink on the left, as zeros, fours and sixes do; the other has it on the right. A
# weak label now carries one bit at most, so it helps less. The residual block has to explain all
# the rest, and it learns from labelled pictures alone.
# ```
#
# ```{exercise} Code
# :label: ex-intro-raw
#
# Decode without the projection: `GaussianMixtureEmbedding(..., decoder="raw")`. Give both blocks
# the same ridge parameter with `block_wise=False`. Compare the predictions with those of
# `KernelRidgeCV` alone.
# ```
#
# ```{solution} ex-intro-raw
# :class: dropdown
#
# The predictions equal those of kernel ridge regression with an intercept and the same ridge
# parameter, up to rounding. Decoding is linear in the embedding and inverts it for every training
# output, so a weighted sum of training embeddings decodes to the same weighted sum of outputs.
# ```
