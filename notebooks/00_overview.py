# ---
# jupyter:
#   kernelspec:
#     display_name: Python 3
#     name: python3
# ---

# %% [markdown]
# # Output Fisher embedding regression
#
# *Output Fisher embedding regression* (OFER, {cite:t}`djerrab2018`) predicts vectors and time
# series. A generative model, such as a mixture of Gaussians, is fitted to the training outputs.
# Each output is replaced by an embedding made of the model's Fisher scores: to which component it
# belongs, and where it lies in there. A ridge regression learns the embedding from the input, and a
# closed form turns a predicted embedding back into an output. Part of the embedding can be learnt
# from *weak* labels, which name the component and nothing else.

# %% tags=["hide-input"] mystnb={"figure": {"name": "fig-front", "caption": "The middle of a digit is predicted from its border. Bars are predicted memberships in eight components, whose means stand below."}, "image": {"alt": "From left to right: a digit with a hatched middle, a bar chart over eight small pictures, the completed digit, and the true one, which it resembles."}}
from ofer import GaussianMixtureEmbedding, KernelRidgeCV, OutputFisherRegressor
from ofer.datasets import assemble_digits, load_digits_reconstruction
from ofer.kernels import median_bandwidth
from reproduction.papers.ofer.figures.digits import plot_prediction

digits = load_digits_reconstruction()
X, Y, shown = digits.X[:300], digits.Y[:300], slice(1203, 1204)
ridge = KernelRidgeCV(kernel="rbf", gamma=0.5 / median_bandwidth(X) ** 2)
model = OutputFisherRegressor(GaussianMixtureEmbedding(8, random_state=0), ridge).fit(X, Y)
_ = plot_prediction(
    digits.images[shown][0],
    digits.centre_mask,
    model.embedding_.means_,
    model.predict_membership(digits.X[shown])[0],
    assemble_digits(digits.X[shown], model.predict(digits.X[shown]))[0],
)

# %% [markdown]
# ## Does the paper hold up?
#
# This book runs the paper again, on real data where they can be had. Every claim that a table can
# decide has a rule, and its verdict is computed from our results. Three related papers get the
# same treatment.

# %% tags=["hide-input"] mystnb={"figure": {"name": "fig-front-scorecard", "caption": "Claims by paper and verdict."}, "image": {"alt": "Stacked bars, one for each paper, of the numbers of claims reproduced, partly, not reproduced, not testable and undecided."}}
import pandas as pd

from reproduction.claims import PAPERS, read_claims, scorecard
from reproduction.figures.scorecard import plot_scorecard

claims = read_claims()
card = scorecard(claims)
papers = pd.Series([PAPERS[claim.paper] for claim in claims], name="paper")
_ = plot_scorecard(pd.crosstab(papers, card["verdict"].to_numpy()).reindex(papers.unique()))

# %% tags=["hide-input"]
reproduced = card["verdict"].eq("reproduced").to_numpy()
decided = card["verdict"].isin(["reproduced", "partly", "not reproduced"]).to_numpy()
print(f"{reproduced.sum()} of {decided.sum()} decided claims are reproduced in full.")
for paper in papers.unique():
    rows = papers.eq(paper).to_numpy()
    print(f"\n{paper}: {(rows & reproduced).sum()} of {(rows & decided).sum()}")
    for statement in card.loc[rows & reproduced, "statement"]:
        print("✓", statement)

# %% [markdown]
# In short: weak labels do help. Most other advantages of OFER are those of an intercept that the
# baselines lack, of a badly tuned competitor, or not there at all; with fair baselines a mixture
# embedding is level with kernel ridge regression. {doc}`91_scorecard` has all claims and the
# evidence, {doc}`05_what_ofer_computes` the reasons.
#
# Of the companions, {doc}`twin Gaussian processes <10_2_smtgp_experiments>` hold up best, and better
# still with a better search. {doc}`Trained Fisher kernels <11_2_fkl_experiments>` win on two of four
# sets, where untrained ones come near them. {doc}`Local structured predictors
# <12_2_sslsop_experiments>` are level with plain linear classifiers at best.
#
# ## Three ways to read
#
# A student
# : {doc}`01_introduction`, then the chapters of *The method* in order, with pencil and exercises.
#   An hour takes you to {doc}`05_what_ofer_computes`.
#
# A practitioner with fifty labelled examples
# : {doc}`08_guide`; if you have weak labels, {doc}`06_4_2_weak_labels`; then the
#   {doc}`estimators <api_estimators>`.
#
# A referee
# : {doc}`91_scorecard`, {doc}`06_1_protocol`, {doc}`90_errata`, and the chapter behind each verdict
#   that you doubt.
#
# ## Two commands
#
# Python 3.11 or newer and `make` are enough:
#
# ```sh
# make book
# make test
# ```
#
# The first executes the chapters and renders these pages, the second checks the whole project.
# {doc}`how_to_rerun` says what happens then, where the data come from and how to change a
# parameter. All pages work without a network. The button with an arrow, at the top of a chapter,
# saves the notebook or its source; solutions of exercises stay hidden until they are clicked.
