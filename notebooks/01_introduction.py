# ---
# jupyter:
#   kernelspec:
#     display_name: Python 3
#     name: python3
# ---

# %% [markdown]
# # Introduction and a first run
#
# Many things worth predicting are not a single number. A molecule acts on fifty-nine cell lines
# at once; a company's risk is a curve over years; half a picture has to be completed from the
# other half. The coordinates of such an output depend on each other, and a learner that predicts
# each of them alone throws that away.
#
# *Output Fisher embedding regression* (OFER, {cite:t}`djerrab2018`) puts the structure of the
# outputs to work in three steps:
#
# 1. **embed** every training output by the Fisher scores of a generative model of the outputs,
# 2. **regress** these embeddings on the inputs,
# 3. **decode** a predicted embedding back to an output.
#
# This chapter walks through the three steps on pictures small enough to look at. Everything in it
# runs in a few seconds, on data that comes with scikit-learn.

# %% tags=["parameters"]
n_train: int = 100  # labelled pictures
n_components: int = 10  # components of the output model
seed: int = 0

# %%
import numpy as np
from sklearn.frozen import FrozenEstimator

from ofer import GaussianMixtureEmbedding, KernelRidgeCV, OutputFisherRegressor
from ofer.datasets import assemble_digits, load_digits_reconstruction
from reproduction.engine import run
from reproduction.statistics import paired_t_test, repeated_splits, summarize
from reproduction.papers.ofer.digits import declare_first_run
from ofer.kernels import median_bandwidth
from ofer.metrics import rrmse
from reproduction.figures.learning_curves import plot_learning_curves
from reproduction.figures.memberships import plot_memberships
from reproduction.figures.pictures import plot_image_rows, plot_task
from reproduction.figures.tables import show_results
from reproduction.papers.ofer.figures.digits import plot_means_as_images, plot_prediction

# %% [markdown]
# ## The task: what is in the middle?
#
# A handwritten digit of 8 × 8 pixels loses its middle. The input $x$ is the border that is left,
# 48 grey values; the output $y$ is the middle, 16 grey values. Strokes run from the border into
# the middle, so the task is possible; different digits can share a border, so it is not trivial.

# %%
digits = load_digits_reconstruction()
X, Y = digits.X, digits.Y
print(X.shape, Y.shape)

# %% mystnb={"figure": {"name": "fig-task", "caption": "Ten digits, and what the learner sees of them. The hatched middle is to be predicted."}, "image": {"alt": "Two rows of ten digits; in the second row the middle four by four pixels are hatched out."}}
_ = plot_task(digits.images[:10], digits.centre_mask)

# %% [markdown]
# A hundred pictures are labelled: of these we know border and middle. A large test set is put
# aside and touched only to measure errors.

# %%
split = repeated_splits(
    len(Y), n_splits=1, train_fraction=0.5, train_sizes=[n_train], random_state=seed
)[0]
train, rest, test = split.train(n_train), split.rest(n_train), split.test
print(len(train), "labelled,", len(test), "test pictures")

# %% [markdown]
# ## Step 1: embed the outputs
#
# The output model is a mixture of $C$ Gaussians, fitted to the training *outputs* alone:
#
# ```{math}
# :label: eq-intro-mixture
# p_\theta(y) = \sum_{j=1}^{C} \pi_j \, \mathcal{N}(y; \mu_j, \sigma_j^2 I) .
# ```

# %%
embedding = GaussianMixtureEmbedding(n_components, random_state=seed).fit(Y[train])

# %% mystnb={"figure": {"name": "fig-means", "caption": "What the mixture has found: the mean of each component, a typical middle, under the component's weight."}, "image": {"alt": "Ten blurred four by four pictures, the component means, with their weights in per cent."}}
_ = plot_means_as_images(embedding.means_, embedding.weights_)

# %% [markdown]
# The gradient of $\log p_\theta(y)$ in the parameters, the *Fisher score*, says how $y$ would
# move the model: which component it pulls on, and in which direction. OFER keeps a short linear
# summary of it. In the scaling that this package uses by default the summary reads
#
# ```{math}
# :label: eq-intro-embedding
# \phi(y) = \Big( \gamma_1(y), \dots, \gamma_C(y), \;\; y - \sum_j \gamma_j(y) \mu_j \Big) ,
# ```
#
# with $\gamma_j(y)$ the probability that component $j$ made $y$: *memberships*, then the
# *residual* from the soft centroid. The chapter {doc}`02_output_fisher_embedding_regression`
# derives it, and the paper's own scaling.

# %%
H = embedding.transform(Y[train])
print(H.shape, embedding.blocks_)

# %% [markdown]
# Nothing is lost: decoding the embedding of an output gives the output back.

# %%
print("decoding inverts embedding:", np.allclose(embedding.inverse_transform(H), Y[train]))

# %% [markdown]
# ## Step 2: regress the embedding
#
# Kernel ridge regression learns each block of {eq}`eq-intro-embedding` from the border. The ridge
# of a block is chosen by exact leave-one-out over a whole path, at the price of one
# eigendecomposition, so the two blocks can differ in how strongly they are smoothed.

# %%
gamma = 0.5 / median_bandwidth(X[train]) ** 2
ridge = KernelRidgeCV(kernel="rbf", gamma=gamma)
model = OutputFisherRegressor(embedding, ridge).fit(X[train], Y[train])
for name, regressor in model.regressor_.items():
    print(f"{name:10} ridge {regressor.alpha_:.2g}")

# %% mystnb={"figure": {"name": "fig-memberships", "caption": "True and predicted memberships of five test pictures. Regression knows nothing of probabilities: its predictions can be negative, though with an intercept they sum to one."}, "image": {"alt": "Five bar charts of true and predicted memberships over ten components."}}
shown = test[:5]
true = model.embedding_.predict_proba(Y[shown])
_ = plot_memberships(true, model.predict_embedding(X[shown])[:, :n_components])

# %% [markdown]
# ## Step 3: decode
#
# The *pre-image* of a predicted embedding $(h_1, h_2)$ is the output whose embedding is nearest.
# For {eq}`eq-intro-embedding` there is a closed form: project $h_1$ on the probability simplex,
# which repairs what {numref}`fig-memberships` shows, and put the residual on top of the centroid,
#
# ```{math}
# :label: eq-intro-decode
# y^\star = h_2 + \sum_j g_j \mu_j , \qquad
# g = \argmin_{g \ge 0, \; \sum_j g_j = 1} \| g - h_1 \|^2 .
# ```
#
# How good is it? The book measures predictions by the *relative error* RRMSE, the size of all
# errors over the size of all outputs, $\| Y - \hat Y \|_F / \| Y \|_F$: 0 is perfect, and 1 is what
# predicting zero would give ({doc}`06_1_protocol`).

# %%
predicted = model.predict(X[test])
print(f"RRMSE on the test pictures: {rrmse(Y[test], predicted):.3f}")

# %% mystnb={"figure": {"name": "fig-one-prediction", "caption": "One prediction. Above, the input, the decoded output and the truth; below, the predicted memberships in ten components, whose means stand under the bars."}, "image": {"alt": "Above, a digit with a hatched middle, the completed digit, and the true one, which it resembles. Below, a bar chart over ten small pictures."}}
_ = plot_prediction(
    digits.images[test][4],
    digits.centre_mask,
    embedding.means_,
    model.predict_membership(X[test])[4],
    assemble_digits(X[test], predicted.clip(0, 1))[4],
)

# %% mystnb={"figure": {"name": "fig-reconstructions", "caption": "Test digits, their borders completed by the prediction, and by the mean middle of the training pictures."}, "image": {"alt": "Three rows of twelve digits: the truth, the predicted middle, the mean middle."}}
few = slice(0, 12)
mean = np.tile(Y[train].mean(axis=0), (12, 1))
rows = {
    "truth": digits.images[test][few],
    "OFER": assemble_digits(X[test][few], predicted[few].clip(0, 1)),
    "mean": assemble_digits(X[test][few], mean),
}
_ = plot_image_rows(rows)

# %% [markdown]
# ## Does the output model help?
#
# That is the question of this book, and pictures do not answer it. Three regressors and one more
# idea compete on ten random splits:
#
# * **m-KRR centred**: kernel ridge regression of the pixels, with an intercept. The fair baseline.
# * **OFER-GMM as printed**: the paper's scaling and decoder, one ridge, no intercept.
# * **OFER-GMM**: the three steps above, with this package's defaults.
# * **wOFER+500**: the same with 500 *weak* labels, the paper's most original idea: pictures of
#   which somebody has said only to which component their middle belongs.
#
# A weak label is cheap, and it fits into the membership block and nowhere else. Here the mixture
# itself plays the supervisor: it looks at the true middle, as a person would, and tells only the
# memberships. The numbers of components are set by hand in this chapter, so that the means can be
# looked at; the real experiments select them on the training part.

# %%
weak = rest[:500]
helped = OutputFisherRegressor(FrozenEstimator(embedding), ridge).fit(
    X[train], Y[train], X_weak=X[weak], membership_weak=embedding.predict_proba(Y[weak])
)
print(f"RRMSE with weak labels: {rrmse(Y[test], helped.predict(X[test])):.3f}")

# %% mystnb={"figure": {"caption": "RRMSE of completed digits, mean ± standard deviation over the splits, by the number of labelled digits (rows) and the method (columns)."}}
frame = run(declare_first_run(), n_jobs=1, progress=False).frame
show_results(frame, metric="rrmse")

# %% mystnb={"figure": {"name": "fig-intro-curves", "caption": "Mean error over ten splits against the number of labelled pictures; bands are one standard deviation."}, "image": {"alt": "Four falling curves of test error against 20, 50 and 100 labelled pictures. The curve with weak labels is lowest, the printed form highest."}}
_ = plot_learning_curves(summarize(frame), size="labelled pictures")

# %% [markdown]
# The paired t-test, at the paper's level of $10^{-3}$, says what can be told from ten splits.
# Differences are from the centred baseline; below zero is better.

# %%
for method in ("OFER-GMM as printed", "OFER-GMM", "wOFER+500"):
    test_table = paired_t_test(frame, method, "m-KRR centred", metric="rrmse")
    for row in test_table.itertuples():
        verdict = "different" if row.significant else "no difference shown"
        print(f"{method:19} {row.Index:>4} labelled: {row.difference:+.3f}  {verdict}")

# %% tags=["hide-input"]
if n_components == 10:  # which the text speaks of
    errors = frame.query("metric == 'rrmse'").pivot_table(
        index="setting", columns="method", values="value"
    )
    assert np.all(errors.idxmin(axis=1) == "wOFER+500")
    assert np.all(errors.idxmax(axis=1) == "OFER-GMM as printed")
    plain = paired_t_test(frame, "OFER-GMM", "m-KRR centred", metric="rrmse")
    assert plain["difference"].min() > 0
    assert not plain["significant"].any()
    helped_by = paired_t_test(frame, "wOFER+500", "m-KRR centred", metric="rrmse")
    assert helped_by["significant"][["50", "100"]].all()

# %% [markdown]
# ## What we found
#
# * The embedding loses nothing, and decoding is a closed form.
# * With labelled pictures alone, the output model earns nothing over centred kernel ridge
#   regression; its mean error is a little larger, by less than the test would call different. This
#   is no accident: with one ridge for both blocks and no projection the two are *the same
#   function*, as {doc}`02_output_fisher_embedding_regression` shows.
# * Weak labels are another matter. They lower the mean error at each size, with 50 and 100 labelled
#   pictures significantly. They say something that the labelled pictures do not; a ridge could use
#   them too, with imputed outputs ({doc}`06_4_2_weak_labels`).
# * As printed, the method's mean error is above the baseline's in every row. That is why this
#   package has other defaults for scaling, intercept and projection; the printed form is one call
#   away.
#
# Whether that holds on the paper's own data is what the rest of the book is about, beginning with
# {doc}`drug activity <06_4_2_drug_activity>`.
#
# *What this changes for you:* before you model outputs, fit a ridge with an intercept; it is what
# any gain has to be measured against.
#
# ## Exercises
#
# ```{exercise} Open
# :label: ex-intro-components
#
# Run this chapter again with two components instead of ten:
# `make chapter NAME=01_introduction PARAMS="n_components=2"`. What do the two means show, and what
# happens to the value of weak labels?
# ```
#
# ```{solution} ex-intro-components
# :class: dropdown
#
# One mean has its ink on the left, where zeros, fours and sixes have theirs, the other on the
# right. A weak label then carries one bit at most, and its help shrinks; it rarely hurts, because
# the residual block still has to explain the rest from labelled pictures alone.
# ```
#
# ```{exercise} Code
# :label: ex-intro-raw
#
# Decode without the projection: `GaussianMixtureEmbedding(..., decoder="raw")`. Then give both
# blocks the same ridge with `block_wise=False`, and compare the predictions with those of
# `KernelRidgeCV` alone.
# ```
#
# ```{solution} ex-intro-raw
# :class: dropdown
#
# With `decoder="raw"` and `block_wise=False` the predictions equal those of centred kernel ridge
# regression with the same ridge to rounding error. Decoding is linear in the embedding and undoes
# it for every training output, so a weighted sum of training embeddings decodes to the same
# weighted sum of outputs.
# ```
