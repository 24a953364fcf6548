# ---
# jupyter:
#   kernelspec: {display_name: Python 3, language: python, name: python3}
#   ofer:
#     data: [character_trajectories]
#     tables: [fkl-theory]
#     reads: [fkl-table-01]
# ---

# %% [markdown]
# # Fisher kernel learning
#
# *Sections 2 and 3 of {cite:t}`vandermaaten2011`*
#
# **The question.** A sequence or a graph has no fixed number of coordinates. Its Fisher score has:
# the gradient of the log-likelihood in the parameters of a generative model
# ({cite:t}`jaakkola1998`). But a model that makes the data probable need not keep the classes
# apart. Should it be trained for the classes?
#
# **The idea.** *Fisher kernel learning* (FKL) trains the model, and a weight for each coordinate of
# the score. Both should make sequences of one class near neighbours.
#
# **The answer.** On our generated sequences, no. Learning helps a nearest neighbour, but the weights
# alone help at least as much. Logistic regression on plain Fisher scores, standardised, errs less
# than any nearest neighbour. The paper trains the model by a gradient of something else; the full gradient ends
# higher. The {doc}`next chapter <11_2_fkl_experiments>` has the experiments.

# %% tags=["parameters"]
profile: str = "stored"  # or "quick", "full": see what maximum likelihood does to scores
n_train: int = 120  # training sequences
n_test: int = 200
n_em: int = 30  # iterations of fits by maximum likelihood, at most
max_iter: int = 20  # of learning, in the figure of its course

# %%
import warnings
from copy import deepcopy
from functools import cache
from itertools import product

import numpy as np
import pandas as pd
from scipy.optimize import approx_fprime
from scipy.special import log_softmax, logsumexp, softmax
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LogisticRegression
from sklearn.manifold import SpectralEmbedding
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from ofer.companions import FisherKernelLearner, PairwiseMRF, nca_objective
from reproduction.datasets.generated.markov_sequences import make_markov_sequences
from reproduction.engine import results
from reproduction.statistics import read_paper, summarize
from reproduction.studies.second_volume.fisher_kernels.derivatives import (
    central_differences,
    enumerate_states,
    held_scores,
)
from reproduction.studies.second_volume.fisher_kernels.figures.learning import (
    plot_mean_scores,
    plot_objective_histories,
    plot_propagation,
    plot_score_embeddings,
    plot_walks,
)
from reproduction.studies.second_volume.fisher_kernels.pairwise_mrf_classifier import (
    PairwiseMRFClassifier,
)
from reproduction.studies.second_volume.fisher_kernels.propagation import (
    bethe_loglikelihood,
    enumerate_chances,
)
from reproduction.studies.second_volume.fisher_kernels.representations import (
    PARAMETERS,
    represent,
    share,
)

# Many fits below are cut short on purpose.
warnings.filterwarnings("ignore", "fit stopped after", ConvergenceWarning)

# %% [markdown]
# ## Sequences whose class is in their order
#
# A walker moves between five places. At each step it stays with probability one half. Otherwise it
# advances by one place in class 0, by two in class 1, and by three or four in the others. We see
# the place, with noise. Only the order tells the classes apart.

# %% mystnb={"figure": {"name": "fig-fkl-walks", "caption": "One sequence of each class. Arrows show moves between the hidden places. Classes 0 and 3 walk around the pentagon, in opposite senses; classes 1 and 2 draw a star."}, "image": {"alt": "Four panels with five circles in a pentagon and dots around them. Arrows run along its sides for classes 0 and 3, along its diagonals for classes 1 and 2."}}
settings = {"n_classes": 4, "persistence": 0.5, "min_steps": 20, "max_steps": 40}
train = make_markov_sequences(n_train, random_state=0, **settings)
test = make_markov_sequences(n_test, random_state=100, **settings)
_ = plot_walks(train)

# %% [markdown]
# ## The model and its scores
#
# An object consists of nodes, such as frames or atoms. Each node $i$ has a hidden state $z_i \in
# \{1, \ldots, K\}$, and edges tie the states of neighbours. The model has potentials $A$ of edges,
# potentials $\pi$ of some nodes $S$ (the first one of a chain), and observations from $p(x_i \mid
# z_i)$:
#
# ```{math}
# :label: eq-fkl-model
# p(X) = \frac{1}{Z(G)} \sum_z \exp\Big[ \sum_{i \in V} \log p(x_i \mid z_i)
#   + \sum_{i \in S} \pi_{z_i} + \sum_{(i, j) \in E} A_{z_i z_j} \Big] .
# ```
#
# The paper's P(1) writes $\propto$ and has no $\pi$. But the constant $Z(G)$, the same sum without
# observations, depends on $A$ and on the graph. So it belongs in every gradient. Emissions are
# multinomial, or normal with mean $\mu_k$ and covariance $\sigma_k^2 I$ in $d$ dimensions.
#
# The score compares the model before and after it has seen $X$. Let $\gamma_{ik}$ be the
# probability of $z_i = k$ given $X$, and $\xi_{ij,km}$ that of $z_i = k$ and $z_j = m$. Let
# $\gamma^0$ and $\xi^0$ be the same without observations, and $s_k = \log \sigma_k$. Then the
# log-likelihood $L$ has the derivatives
#
# ```{math}
# :label: eq-fkl-score
# \begin{aligned}
# \frac{\partial L}{\partial \pi_k} &= \sum_{i \in S} (\gamma_{ik} - \gamma^0_{ik}) , &
# \frac{\partial L}{\partial \mu_k} &= \sum_i \gamma_{ik} \frac{x_i - \mu_k}{\sigma_k^2} , \\
# \frac{\partial L}{\partial A_{km}} &= \sum_{(i, j) \in E} (\xi_{ij,km} - \xi^0_{ij,km}) , &
# \frac{\partial L}{\partial s_k} &= \sum_i \gamma_{ik}
#   \Big( \frac{\|x_i - \mu_k\|^2}{\sigma_k^2} - d \Big) .
# \end{aligned}
# ```
#
# On a chain, one pass of messages forward and one back give these marginals exactly. On a graph
# with cycles the package sends the same messages around until they stop changing. That is good for
# weak couplings, and too sure of itself for strong ones.
#
# ## The objective
#
# Let each object choose a neighbour at random, near ones more often than far ones. The objective
# counts how often the classes agree. There is one weight $w_t$ for each parameter of the model, and
# $g_i$ is the score of object $i$; P(3) and P(4) read
#
# ```{math}
# :label: eq-fkl-objective
# O = \sum_i \sum_{j \ne i} \delta_{y_i y_j} p_{ij} , \qquad
# p_{ij} = \frac{e^{-D_{ij}}}{\sum_{j' \ne i} e^{-D_{ij'}}} , \qquad
# D_{ij} = \sum_t w_t^2 (g_{it} - g_{jt})^2 .
# ```
#
# This is neighbourhood components analysis ({cite:t}`goldberger2004`) with a diagonal metric, of
# vectors that depend on parameters themselves.
#
# The paper starts from $w_t^2 = N / \sum_n g_{nt}^2$. Every coordinate then adds about 2 to the mean
# distance. With dozens of coordinates the nearest neighbour gets nearly all the probability.


# %%
@cache
def scores_after(n_iter):
    """Scores of five states after so many iterations of maximum likelihood."""
    fitted = PairwiseMRF(5, max_iter=n_iter, tol=0, random_state=0).fit(train.sequences)
    return fitted.score_vectors(train.sequences)


G = scores_after(30)
distances = np.square(G[:, None] - G) @ (1 / np.mean(G**2, axis=0))
np.fill_diagonal(distances, np.inf)
chosen = np.exp(-distances.min(axis=1) - logsumexp(-distances, axis=1))
assert np.isclose(distances[np.isfinite(distances)].mean() / G.shape[1], 2, rtol=0.05)
assert chosen.mean() > 0.8

# %% [markdown]
# ## Two gradients
#
# To train the model, the chain rule asks for the Hessian $H_i$ of each object's log-likelihood.
# With $u_i = \partial O / \partial g_i$,
#
# ```{math}
# :label: eq-fkl-chain
# \frac{\partial O}{\partial \Theta} = \sum_i H_i u_i .
# ```
#
# No Hessian is needed. $H_i u_i$ is the derivative of the score in the direction $u_i$, and one more
# pass of messages gives it for all parameters. This is the *full gradient*.
#
# The paper instead holds $\gamma$ and $\xi$, takes one step of steepest ascent, and alternates. That
# replaces the Hessian by
#
# ```{math}
# :label: eq-fkl-held
# J_i = H_i - \operatorname{Cov}\big[ \nabla F \,\big|\, X_i \big] ,
# ```
#
# where $F$ is the exponent in {eq}`eq-fkl-model`. The covariance that is lost is large, and no
# bound, as there is in EM, makes a step along the remaining gradient a gain. We take both gradients
# from two starts: a fit by maximum likelihood, and the paper's start (random emissions and $A = 0$).

# %% mystnb={"figure": {"name": "fig-fkl-histories", "caption": "Objective per training sequence with three hidden states, over the first twelve iterations; a mark at the best of these. From either start the full gradient rises steadily and ends higher. The alternation falls now and then."}, "image": {"alt": "Four curves over the iterations. From either start that of the full gradient rises steadily and ends above that of the alternation, which falls now and then."}}
learners = {}
starts = {
    "likelihood start": PairwiseMRF(3, max_iter=n_em, random_state=0),
    "random start": PairwiseMRF(3, init="random", max_iter=0, random_state=0),
}
optimizers = {"lbfgs": "full gradient", "alternating": "alternation"}
for (start, first), (optimizer, name) in product(starts.items(), optimizers.items()):
    learner = FisherKernelLearner(first, optimizer=optimizer)
    learners[f"{name}, {start}"] = learner.fit(train.sequences, train.y)
histories = {name: one.objectives_[: max_iter + 1] for name, one in learners.items()}
_ = plot_objective_histories({name: values[:13] for name, values in histories.items()})

# %% [markdown]
# The full gradient never falls, by construction, and ends higher from either start. The alternation
# falls in some iterations. From the paper's start it stays below one half.

# %%
for name, values in histories.items():
    assert np.any(np.diff(values) < 0) == ("alternation" in name)
for start in starts:
    best = {name: histories[f"{name}, {start}"].max() for name in optimizers.values()}
    assert best["full gradient"] > best["alternation"]
assert histories["alternation, random start"].max() < 0.5

# %% [markdown]
# If both go on until forty iterations have gained nothing, the full gradient ends on a plateau, on
# which nothing is left to gain. The start decides which plateau; that of the likely model is the
# higher one. The alternation comes to rest as well, but at no maximum of the objective: the full
# gradient is not zero there.

# %%
for name, learner in learners.items():
    flat = learner.gradient_norm_ < 0.01
    assert learner.n_iter_ < learner.max_iter
    assert flat == ("full gradient" in name)
    assert flat or learner.gradient_norm_ > 0.1
reached = {name: learner.objectives_.max() for name, learner in learners.items()}
assert reached["full gradient, likelihood start"] > reached["full gradient, random start"]
for start in starts:
    assert reached[f"full gradient, {start}"] > reached[f"alternation, {start}"]

# %% [markdown]
# ## What learning adds
#
# Does the gain come from the weights or from the model? We compare Fisher scores under the likeliest
# model, scaled to mean square one; the same scores with *weights alone* that raise
# {eq}`eq-fkl-objective`; and *FKL*, which moves weights and model. A nearest neighbour depends on
# the weights. Logistic regression gets standardised vectors, so it depends on the model alone. The
# Bayes classifier has one model per class. To keep this live, learning stops after twenty iterations;
# the {doc}`next chapter <11_2_fkl_experiments>` goes on to the end.

# %%
rows, runs, scaled = [], {}, {}
few = PARAMETERS | {"max_iter": 30, "full_gradient_max_iter": 20, "learner_max_iter": 20}
classifiers = {
    "nearest neighbour": KNeighborsClassifier(1),
    "logistic regression": make_pipeline(StandardScaler(), LogisticRegression(max_iter=1000)),
}
for n_states, seed in product((3, 5), range(2)):
    drawn = make_markov_sequences(n_train, random_state=seed, **settings)
    fresh = make_markov_sequences(n_test, random_state=100 + seed, **settings)
    sets = (drawn.sequences, drawn.y, fresh.sequences)
    for name in ("Fisher", "weights alone", "FKL"):
        vectors = represent(name, n_states, *sets, model={}, seed=0, parameters=few)
        runs[n_states, seed, name] = vectors
        scale = 1 if vectors.history is not None else np.sqrt(np.mean(vectors.train**2, axis=0))
        known, unseen = scaled[n_states, seed, name] = vectors.train / scale, vectors.test / scale
        for of, classifier in classifiers.items():
            score = classifier.fit(known, drawn.y).score(unseen, fresh.y)
            rows.append((of, name, n_states, 100 - 100 * score))
    model_of_class = PairwiseMRF(n_states, max_iter=10, random_state=0)
    bayes = PairwiseMRFClassifier(model_of_class).fit(*sets[:2])
    error = 100 * np.mean(bayes.predict(fresh.sequences) != fresh.y)
    rows.append(("Bayes", "one model per class", n_states, error))

# %% mystnb={"figure": {"caption": "Test errors in percent by classifier and representation (rows) and number of hidden states (columns): means over two draws of all data. What an optimiser found may differ between processors, so a range stands there. Logistic regression on plain Fisher scores is far better than any nearest neighbour."}}
frame = pd.DataFrame(rows, columns=["classifier", "representation", "states", "error"])
errors = frame.groupby(["classifier", "representation", "states"], sort=False)["error"].mean()
learned = {  # intervals of what an optimiser found, for three and for five states
    ("nearest neighbour", "weights alone"): [(13, 26), (2, 11)],
    ("nearest neighbour", "FKL"): [(16, 29), (4, 15)],
    ("logistic regression", "FKL"): [(8, 18), (0, 7)],
}
table = errors.map("{:.1f}".format)
for key, intervals in learned.items():
    for n_states, (low, high) in zip((3, 5), intervals, strict=True):
        assert low <= errors[*key, n_states] <= high
        table[*key, n_states] = f"{low} to {high}"
table.unstack().rename_axis(columns="error in %, states:")

# %% [markdown]
# On average over three and five states, learning lowers the errors of the nearest neighbour by more
# than a tenth. Weights alone do so at least as much. Logistic regression finds its own weights, so
# given ones change nothing for it. On plain Fisher scores it errs less than on those of FKL, and
# less than any nearest neighbour. With three states it also errs less than the Bayes classifier.
# (With five, that one makes no error: its models are of the kind that generated the data.) So the
# plain scores hold what tells the classes apart, and only their distances hide it.

# %%
nearest, logistic = (errors[name].unstack() for name in classifiers)
gains = 1 - nearest.sum(axis=1) / nearest.loc["Fisher"].sum()
assert gains["FKL"] > 0.1
assert gains["weights alone"] > gains["FKL"]
assert logistic.sum(axis=1)["Fisher"] < logistic.sum(axis=1)["FKL"]
assert np.allclose(logistic.loc["weights alone"], logistic.loc["Fisher"], rtol=0, atol=0.6)
assert np.all(logistic.loc["Fisher"] < nearest.min())
bayes = errors["Bayes"].unstack().iloc[0]
assert logistic.loc["Fisher", 3] < bayes[3]
assert bayes[5] == 0

# %% [markdown]
# Why does training the model add nothing here? Take the first draw with three states, and count the
# share of sequences that a random neighbour classifies correctly. It rises by more than 0.15 on the
# training sequences, for FKL as for weights alone. On test sequences it rises by less than two
# thirds of this. Both fit what they are shown.

# %%
shares = {
    name: np.array(share(runs[3, 0, name], train.y, test.y))
    for name in ("Fisher", "weights alone", "FKL")
}
for name in ("weights alone", "FKL"):
    training, unseen = shares[name] - shares["Fisher"]
    assert training > 0.15
    assert unseen < 2 / 3 * training

# %% [markdown]
# In the paper only the large-margin neighbours learn a metric of Fisher scores. It reports gains
# for linear classifiers, too, on real data.
#
# ## What this changes for you
#
# - First standardise the plain Fisher scores, and give them to a classifier that finds its own
#   weights, such as logistic regression. The paper takes them as they are;
#   {numref}`fig-fkl-readings` shows what that costs.
# - Learn weights if you need a nearest neighbour.
# - If you do train the model, use the full gradient. It costs one more score, and on sequences it
#   never lowers the objective.
#
# ## Maps of the scores
#
# These are the sequences of the first draw with three states. Laplacian eigenmaps
# ({cite:t}`belkin2003`) of the graph of 20 nearest neighbours place training and test sequences
# together. They keep neighbours together and see no classes. Where t-SNE draws another map for
# another last digit, they do not.

# %% mystnb={"figure": {"name": "fig-fkl-embeddings", "caption": "Three representations with three hidden states, in two dimensions: training sequences above, test sequences below, in the same map. Learning pulls the classes apart, more clearly for the training sequences."}, "image": {"alt": "Six scatter plots of four classes. For Fisher scores the classes overlap; for learned weights and for Fisher kernel learning they lie in bands, which are clear for training sequences and have strays for test sequences."}}
maps = {}
for name in ("Fisher", "weights alone", "FKL"):
    eigenmap = SpectralEmbedding(2, affinity="nearest_neighbors", n_neighbors=20, random_state=0)
    maps[name] = np.split(eigenmap.fit_transform(np.vstack(scaled[3, 0, name])), [n_train])
_ = plot_score_embeddings(maps, {"training": train.y, "test": test.y})

# %% [markdown]
# ## What maximum likelihood does to scores
#
# At a maximum of the likelihood the gradient of the total vanishes:
#
# ```{math}
# :label: eq-fkl-vanishing
# \sum_n g_n = 0 , \qquad g_n = \nabla_\Theta \log p(X_n) .
# ```
#
# The paper says more: under a model that fits, "the gradients for all objects in the data will be
# nearly zero". The two are not the same.

# %% mystnb={"figure": {"name": "fig-fkl-mean-scores", "caption": "Lengths of scores while EM fits five states to the sequences: of the mean over all of them, of the means of the classes, and the root mean square of the single ones. Only the mean over all goes to zero."}, "image": {"alt": "Three curves over the iterations of EM on logarithmic axes. The mean of all falls by orders of magnitude, the other two stay where they are."}}
iterations = [0, 1, 3, 10, 30]
lengths = {"mean of all": [], "mean of a class": [], "single sequence": []}
for n in iterations:
    G = scores_after(n)
    of_classes = [np.linalg.norm(G[train.y == c].mean(axis=0)) for c in range(4)]
    lengths["mean of all"].append(np.linalg.norm(G.mean(axis=0)))
    lengths["mean of a class"].append(np.mean(of_classes))
    lengths["single sequence"].append(np.sqrt(np.square(G).sum(axis=1).mean()))
ratios = {name: values[-1] / values[0] for name, values in lengths.items()}
assert ratios["mean of all"] < 0.02
assert min(ratios["mean of a class"], ratios["single sequence"]) > 0.8
_ = plot_mean_scores(iterations, lengths)

# %% [markdown]
# The mean goes to zero, and the single scores do not. For a true model their covariance is the
# Fisher information. The means of the classes do not vanish either, because they only have to
# cancel. Indeed, scores under a well fitted model tell these classes apart.
#
# A stored table repeats this ten times, on walks and on the paper's characters, with scores after at
# most a hundred iterations. The paper also expects many short scores, of probable objects, and a few
# long ones. Long scores do belong to improbable objects. But the median length is a quarter to a half
# of the largest.

# %% mystnb={"figure": {"caption": "Scores of five states (means over ten draws): lengths after maximum likelihood over those before, of the mean, of means of classes and of single objects; the median length over the largest; and rank correlations of length and log-likelihood."}}
lengths_of = summarize(results("fkl-theory", profile=profile).frame)
lengths_of = lengths_of.pivot(index="metric", columns="setting", values="mean")
lengths_of.round(2)

# %%
assert (lengths_of.loc["mean of all"] < 0.05).all()
assert (lengths_of.loc[["mean of a class", "single object"]] > 0.85).all(axis=None)
assert lengths_of.loc["median over largest"].between(0.2, 0.5).all()
assert (lengths_of.loc["length and likelihood"] < -0.5).all()

# %% [markdown]
#
# The paper's other argument stands. With too few states, maximum likelihood spends them on what
# explains most of the data, and the classes need not differ in that.
#
# ## The score, derived
#
# Write $F(z)$ for the exponent of {eq}`eq-fkl-model` and $F^0(z)$ for its last two sums, without
# $X$. Then $L = \log p(X) = \log \sum_z e^{F(z)} - \log \sum_z e^{F^0(z)}$. The derivative of the
# logarithm of a sum of exponentials is an average:
#
# ```{math}
# :label: eq-fkl-identity
# \begin{aligned}
# \nabla \log \sum_z e^{F(z)} &= \sum_z \frac{e^{F(z)}}{\sum_{z'} e^{F(z')}} \nabla F(z)
#   = \operatorname{E}\big[ \nabla F \,\big|\, X \big] , \\
# \nabla L &= \operatorname{E}\big[ \nabla F \,\big|\, X \big] - \operatorname{E}_0\big[ \nabla F^0 \big] .
# \end{aligned}
# ```
#
# The weights are the probabilities of $z$ given $X$ (*Fisher's identity*), and
# $\operatorname{E}_0$ is the mean under the model before anything is seen. It remains to
# differentiate $F$:
#
# - $\partial F / \partial \pi_k$ counts the nodes of $S$ in state $k$, and $\partial F / \partial
#   A_{km}$ the edges from state $k$ to state $m$. Means of counts are sums of marginals, $\sum_{i
#   \in S} \gamma_{ik}$ and $\sum_{(i, j) \in E} \xi_{ij,km}$. Both parameters are in $F^0$ too, so
#   the same sums are subtracted with $\gamma^0$ and $\xi^0$.
# - Up to a constant $\log p(x \mid k) = - d s_k - \tfrac12 e^{-2 s_k} \|x - \mu_k\|^2$. Its
#   derivatives are $(x - \mu_k) / \sigma_k^2$ in $\mu_k$ and $\|x - \mu_k\|^2 / \sigma_k^2 - d$ in
#   $s_k$. Node $i$ contributes them with weight $\gamma_{ik}$. $F^0$ does not contain them.
#
# This gives {eq}`eq-fkl-score`. For a chain of five nodes with two states we enumerate
# {eq}`eq-fkl-identity`, and find the package's score.

# %%
rng = np.random.default_rng(0)
model = PairwiseMRF(2).set_parameters(
    initial=rng.normal(size=2),
    transition=rng.normal(size=(2, 2)),
    means=rng.normal(size=(2, 2)),
    log_scales=0.3 * rng.normal(size=2),
)
blocks, objects, labels = model.blocks_, train.sequences[:12], train.y[:12]
short = objects[0][:5]
F, F0 = enumerate_states(model, short)
dF, dF0 = (central_differences(lambda m, i=i: enumerate_states(m, short)[i], model) for i in (0, 1))
by_means = dF @ softmax(F) - dF0 @ softmax(F0)
gap = np.abs(by_means - model.score_vectors([short])[0]).max()
assert gap < 1e-6

# %% [markdown]
# On longer chains, and on a ring, finite differences of the log-likelihood agree.

# %%
ring = [(0, 1), (1, 2), (2, 3), (3, 0)]
for some in (objects, [(rng.normal(size=(4, 2)), ring)]):
    scores = model.score_vectors(some)
    numeric = central_differences(lambda m, some=some: m.loglikelihood(some), model).T
    for block in blocks.values():
        assert np.abs(scores - numeric)[:, block].max() < 1e-5

# %% [markdown]
# **A hidden Markov model is a special case.** If the rows of $e^A$ and the entries of $e^\pi$ sum to
# one, then $Z = 1$ on every chain, and {eq}`eq-fkl-model` is a hidden Markov model. Constants added
# to $A$ or to $\pi$ cancel, so nothing has to be normalised.

# %%
start, transition = log_softmax(rng.normal(size=2)), log_softmax(rng.normal(size=(2, 2)), axis=1)
markov = deepcopy(model).set_parameters(initial=start, transition=transition)
x, scales = objects[0], np.exp(model.log_scales_)
squares = np.square(x[:, None] - model.means_).sum(axis=2)
density = np.exp(-squares / (2 * scales**2)) / (2 * np.pi * scales**2)
forward = np.exp(start) * density[0]
for row in density[1:]:
    forward = forward @ np.exp(transition) * row
shifted = deepcopy(markov).set_parameters(initial=start + 1, transition=transition - 2)
ways = {
    "by matrices": np.log(forward.sum()),
    "pairwise field": markov.loglikelihood([x])[0],
    "with constants added": shifted.loglikelihood([x])[0],
}
assert np.ptp(list(ways.values())) < 1e-8

# %% [markdown]
# ## Loops
#
# On graphs with cycles the package takes the Bethe approximation ({cite:t}`yedidia2005`).
#
# Write $F(z) = \sum_i \psi_i(z_i) + \sum_{(i, j) \in E} A_{z_i z_j}$, where $\psi_i$ holds all that
# depends on node $i$ alone. For any distribution $q$ of $z$, Jensen's inequality gives
# $\log \sum_z q(z) e^{F(z)} / q(z) \ge \operatorname{E}_q[F - \log q]$, with equality for the true
# posterior. So
#
# ```{math}
# :label: eq-fkl-variational
# \log \sum_z e^{F(z)} = \max_q \; \operatorname{E}_q[F] - \operatorname{E}_q[\log q] .
# ```
#
# The first term needs only the marginals $b_i$ of nodes and $b_e$ of edges. Without cycles so does
# the second: there $q(z) = \prod_e b_e \prod_i b_i^{1 - d_i}$, with the degrees $d_i$, since each
# edge adds a node given the one that it hangs on, $b_e / b_i$, and node $i$ is conditioned on in
# all of its edges but one. This makes the maximum
#
# ```{math}
# :label: eq-fkl-bethe
# \log Z \approx \sum_i \langle b_i, \psi_i \rangle + \sum_{e \in E} \langle b_e, A \rangle
#   - \sum_{e \in E} \langle b_e, \log b_e \rangle
#   + \sum_i (d_i - 1) \langle b_i, \log b_i \rangle .
# ```
#
# *Bethe's approximation* takes the same expression where there are cycles, and asks of the
# *beliefs* $b$ only that they are consistent, $\sum_{z_i} b_{ij} = b_j$ for each edge. With a
# multiplier $\lambda_{ij}(z_j)$ for each of these conditions, the derivatives in $b_{ij}$ and in
# $b_i$ vanish, up to constants, for
#
# ```{math}
# :label: eq-fkl-stationary
# \log b_{ij} = A_{z_i z_j} + \lambda_{ij}(z_j) + \lambda_{ji}(z_i) , \qquad
# (d_i - 1) \log b_i = \sum_{j \sim i} \lambda_{ji}(z_i) - \psi_i .
# ```
#
# Call $\lambda_{ji} = \psi_i + \sum_{k \sim i, k \ne j} \log m_{k \to i}$. In the sum over the
# neighbours $j$ of $i$ each message occurs $d_i - 1$ times, so the second equation becomes $\log
# b_i = \psi_i + \sum_{k \sim i} \log m_{k \to i}$, and consistency of the first with it becomes
#
# ```{math}
# :label: eq-fkl-messages
# m_{i \to j}(z_j) \propto \sum_{z_i} e^{A_{z_i z_j} + \psi_i(z_i)}
#   \prod_{k \sim i,\, k \ne j} m_{k \to i}(z_i) ,
# ```
#
# the rule by which messages are sent. Where the derivatives in $b$ vanish along all consistent
# directions, moving a parameter changes {eq}`eq-fkl-bethe` only through the parameter's own place:
# $\partial / \partial A_{km} = \sum_e b_e(k, m)$ and $\partial / \partial \psi_i(k) = b_i(k)$, the
# sums of {eq}`eq-fkl-score` with beliefs for probabilities. So that score is the exact gradient of
# an approximate log-likelihood, as the ring has shown.
#
# The log-likelihood takes {eq}`eq-fkl-bethe` twice, with observations and without. On a ring of four
# symbols the package and the formula agree.

# %%
seen = np.array([0, 1, 1, 0])
loopy = PairwiseMRF(2, emission="multinomial", symmetric=True)
loopy = loopy.set_parameters(initial=[0.2, -0.2], logits=np.log([[0.9, 0.1], [0.3, 0.7]]))
coupled = deepcopy(loopy).set_parameters(transition=[[0.8, -0.8], [-0.8, 0.8]])
by_beliefs = bethe_loglikelihood(coupled, seen, ring)
assert np.isclose(by_beliefs, coupled.loglikelihood([(seen, ring)])[0], atol=1e-8)

# %% [markdown]
# With 16 joint states we can enumerate the truth. The figure has the coupling $A = c
# \begin{pmatrix} 1 & -1 \\ -1 & 1 \end{pmatrix}$ on the ring, and on the line that is left when one
# edge is cut.


# %% mystnb={"figure": {"name": "fig-fkl-propagation", "caption": "Log-likelihood and a marginal of four symbols on a ring, by enumeration and by loopy propagation, and on the line. On the line propagation is exact. On the ring it errs where the coupling is strong."}, "image": {"alt": "Two panels over the coupling. Solid and dashed curves agree near zero and part for strong couplings, more on the positive side."}}
strengths = np.linspace(-2, 2, 41)
pairs_of = {"exact, ring": [], "Bethe, ring": [], "exact, line": [], "Bethe, line": []}
for c in strengths:
    loopy.set_parameters(transition=[[c, -c], [-c, c]])
    for place, edges in {"ring": ring, "line": ring[:3]}.items():
        beliefs = loopy.posteriors([(seen, edges)])
        pairs_of[f"exact, {place}"].append(enumerate_chances(loopy, seen, edges))
        pairs_of[f"Bethe, {place}"].append((beliefs.loglikelihoods[0], beliefs.nodes[0][0, 0]))
curves = {name: np.array(pairs) for name, pairs in pairs_of.items()}
names = [r"$\log p(X)$", r"$p(z_1 = 1 \mid X)$"]
shown = ["exact, ring", "Bethe, ring", "Bethe, line"]
panels = {title: {name: curves[name][:, i] for name in shown} for i, title in enumerate(names)}
_ = plot_propagation(strengths, panels)

# %% [markdown]
# Without a cycle the propagation is exact. On the ring it is good for weak couplings. With strong
# ones a message comes back and counts as fresh evidence, so beliefs become too sure. With still
# stronger ones messages may go round for ever. Then beliefs have no derivative, and the full gradient
# holds them.

# %%
gaps = {
    place: np.abs(curves[f"exact, {place}"] - curves[f"Bethe, {place}"])
    for place in ("ring", "line")
}
weak, strong = np.abs(strengths) < 0.25, np.abs(strengths) > 1.5
sure = {name: np.abs(curve[:, 1] - 0.5)[strong] for name, curve in curves.items()}
assert gaps["line"].max() < 1e-8
assert gaps["ring"][weak].max() < 0.1 * gaps["ring"][strong].max()
assert np.all(sure["Bethe, ring"] >= sure["exact, ring"] - 1e-8)

# %% [markdown]
# ## The gradients, derived
#
# The probabilities $p_{ij}$ of {eq}`eq-fkl-objective` are a softmax of $-D_{ij}$ over $j$. So
# $d p_{ij} = p_{ij} \big( - d D_{ij} + \sum_{j'} p_{ij'}\, d D_{ij'} \big)$. Sum over the neighbours
# with the right class, and let $p_i = \sum_j \delta_{y_i y_j} p_{ij}$ be their share:
#
# ```{math}
# :label: eq-fkl-differential
# dO = - \sum_{ij} C_{ij}\, d D_{ij} , \qquad C_{ij} = p_{ij} (\delta_{y_i y_j} - p_i) .
# ```
#
# Now $\partial D_{ij} / \partial w_t = 2 w_t (g_{it} - g_{jt})^2$ and
# $\partial D_{ij} / \partial g_i = 2 w^2 \circ (g_i - g_j) = - \partial D_{ij} / \partial g_j$. So
# $g_i$ collects $C_{ij} + C_{ji}$ from each $j$. With $S = C + C\T$ and $r = S 1$,
#
# ```{math}
# :label: eq-fkl-gradients
# \begin{aligned}
# \frac{\partial O}{\partial w_t} &= -2 w_t \sum_{ij} C_{ij} (g_{it} - g_{jt})^2 , \\
# u_i = \frac{\partial O}{\partial g_i} &= -2 w^2 \circ \Big( r_i g_i - \sum_j S_{ij} g_j \Big) .
# \end{aligned}
# ```

# %%
G = model.score_vectors(objects)
w = 0.3 / np.sqrt(np.mean(G**2, axis=0))
value, gradient_w, U = nca_objective(G, w, labels)
squares = np.square(G[:, None] - G)  # (n, n, P)
similar = np.exp(-squares @ w**2)
np.fill_diagonal(similar, 0)
p = similar / similar.sum(axis=1, keepdims=True)
same = labels[:, None] == labels
C = p * (same - (same * p).sum(axis=1, keepdims=True))
S = C + C.T
by_hand = {
    "w": (gradient_w, -2 * w * np.einsum("ij,ijt->t", C, squares)),
    "g": (U, -2 * w**2 * (S.sum(axis=1, keepdims=True) * G - S @ G)),
}
assert np.isclose(value, (same * p).sum())
for package, formula in by_hand.values():
    assert np.allclose(package, formula, atol=1e-8)
numeric = approx_fprime(w, lambda w: nca_objective(G, w, labels)[0], 1e-7)
assert np.allclose(gradient_w, numeric, atol=1e-4)

# %% [markdown]
# For the model's parameters, differentiate {eq}`eq-fkl-identity` once more. The mean
# $\sum_z p(z \mid X) \nabla F(z)$ depends on the parameters in $\nabla F$, which gives
# $\operatorname{E}[\nabla^2 F \mid X]$, and in the probabilities. As
# $\log p(z \mid X) = F(z) - \log \sum_{z'} e^{F(z')}$, these have the derivative
# $\nabla p(z \mid X) = p(z \mid X) \big( \nabla F(z) - \operatorname{E}[\nabla F \mid X] \big)$. So the
# second part is $\sum_z p(z \mid X) \big( \nabla F - \operatorname{E}[\nabla F \mid X] \big) \nabla F\T$,
# a covariance. The same holds for $F^0$, which is linear in $\pi$ and $A$. Altogether
#
# ```{math}
# :label: eq-fkl-louis
# H_i = \operatorname{E}\big[ \nabla^2 F \,\big|\, X_i \big]
#   + \operatorname{Cov}\big[ \nabla F \,\big|\, X_i \big] - \operatorname{Cov}_0\big[ \nabla F^0 \big] ,
# ```
#
# the identity of {cite:t}`louis1982`. With marginals held the first covariance is lost, and
# {eq}`eq-fkl-held` remains. The model's own $\gamma^0$ and $\xi^0$ still move with $\pi$ and $A$. On
# the short chain the enumerated covariance is the difference.

# %%
held = model.posteriors([short])
H = central_differences(lambda m: m.score_vectors([short])[0], model)
J = central_differences(lambda m: held_scores(m, [short], held)[0], model)
q = softmax(F)
covariance = (dF * q) @ dF.T - np.outer(dF @ q, dF @ q)
assert np.allclose(H - J, covariance, atol=1e-5)

# %% [markdown]
# On twelve sequences the full gradient agrees with finite differences. The cosine of the angle
# between it and the gradient for marginals held is below 0.8.

# %%
G, held = model.score_vectors(objects), model.posteriors(objects)
H = central_differences(lambda m: m.score_vectors(objects), model)  # (P, n, P)
J = central_differences(lambda m: held_scores(m, objects, held), model)
full, fixed = (np.einsum("tip,ip->t", matrix, U) for matrix in (H, J))


def objective(m):
    return nca_objective(m.score_vectors(objects), w, labels)[0]


def cosine(a, b):
    return a @ b / (np.linalg.norm(a) * np.linalg.norm(b))


gap = np.abs(full - central_differences(objective, model)).max()
assert gap < 1e-4
assert cosine(full, fixed) < 0.8

# %% [markdown]
# **How the optimisers run.** The alternation falls although its steps satisfy the conditions of
# Wolfe for marginals held. L-BFGS needs about a hundred iterations along the full gradient, because
# the package scales its coordinates. Weights move by factors. Parameters move by steps of one
# length, chosen so that the gradients of both are alike at the start. Without the scaling most
# iterations move one part alone.
#
# On an objective with plateaus the last bit of a sum, which depends on the processor, may change
# the third digit of the objective after a dozen iterations, and errors by some percent. So the
# curves of {numref}`fig-fkl-histories` stop there. The best of all iterations, which the package
# keeps, lies in these intervals:

# %%
bounds = {
    "full gradient, likelihood start": (0.85, 0.95),
    "alternation, likelihood start": (0.75, 0.87),
    "full gradient, random start": (0.70, 0.82),
    "alternation, random start": (0.25, 0.45),
}
for name, (low, high) in bounds.items():
    print(f"{name:32} {low:.2f} to {high:.2f}")
    assert low < histories[name].max() < high

# %% [markdown]
# ## Errata of the paper
#
# Found while the formulas were implemented, each with a computation.
#
# 1. *Section 3, gradient in* $\theta$: the factor $2 M_\theta$ must be $-2 M_\theta$, since the
#    objective grows when differences of scores within a class shrink. If only the weight of
#    $\theta$ is not zero, the printed sum is the derivative with marginals held, but for its sign.
# 2. *There*: $p_i = \sum_j p_{ij}$ is 1 for every i. It must be the share that has the right class,
#    $\sum_j \delta_{y_i y_j} p_{ij}$.
# 3. *There*: the sum has the derivative in $\theta$ of one coordinate of the score alone, that of
#    $\theta$ itself. But the coordinate of $\sigma_k$ moves with $\mu_k$, and those of $\pi$ and
#    $A$ move with each other; when no weight is zero, what is left out matters, most of all for
#    $\mu$. (For $\pi$, on chains as long as these, the derivative with marginals held is zero to six
#    digits.)

# %%
diagonal = np.einsum("tit->it", J)  # derivative of each coordinate in its own parameter
products = (G[:, None] - G) * (diagonal[:, None] - diagonal)  # (n, n, P)
printed, true = np.zeros((2, len(w)))
for t in range(len(w)):
    single = np.where(np.arange(len(w)) == t, w, 0.0)
    q = softmax(np.where(np.eye(len(G)), -np.inf, -squares @ single**2), axis=1)
    D = q * (same - (same * q).sum(axis=1, keepdims=True))
    printed[t] = 2 * w[t] ** 2 * np.sum(D * products[:, :, t])
    true[t] = np.sum(J[t] * nca_objective(G, single, labels)[2])
ratios = printed / true
print(f"1. printed / true, one weight at a time: from {ratios.min():.3f} to {ratios.max():.3f}")
assert np.allclose(ratios, -1, atol=2e-4)

# %%
print("2. sums as printed", np.unique(p.sum(axis=1).round(4)), end=", ")
print("and of the right class", (same * p).sum(axis=1)[:3].round(4))
opposite = -2 * w**2 * np.einsum("ij,ijt->t", C, products)
alike = {
    name: cosine(opposite[block], fixed[block])
    for name, block in blocks.items()
    if np.abs(fixed[block]).max() > 1e-6
}
for name in blocks:
    known = f"cosine with the true one {alike[name]:+.4f}" if name in alike else ""
    print(f"3. {name:10} {known or 'the true one is zero to six digits'}")
assert "initial" not in alike
assert min(alike, key=alike.get) == "means"

# %% [markdown]
# 4. *Section 3, gradient in* M: the second sum needs a bracket, $-\sum_i [ \ldots - p_i \ldots ]$,
#    and $\|g_i - g_j\|^2$ is the vector of squared coordinates. As printed the subtraction is an
#    addition, and with the printed $p_i$ the bracketed sum has the wrong sign.

# %%
M, right = w**2, (same * p).sum(axis=1)[:, None]
versions = {
    "finite differences": approx_fprime(M, lambda M: nca_objective(G, np.sqrt(M), labels)[0], 1e-8),
    "corrected": -np.einsum("ij,ijt->t", p * (same - right), squares),
    "without bracket": -np.einsum("ij,ijt->t", p * (same + right), squares),
    "p_i = 1": -np.einsum("ij,ijt->t", p * (same - 1.0), squares),
}
for name, gradient in versions.items():
    print(f"4. {name:18}", gradient[:4].round(4))
truth, corrected, _, wrong = versions.values()
assert np.allclose(truth, corrected, rtol=1e-4, atol=1e-4)
assert truth @ wrong > 0

# %% [markdown]
# 5. *Section 3, "fixing the posteriors"*: the marginals $\gamma^0, \xi^0$ of the model without
#    observations must not be fixed with them, or A never leaves its start.
# 6. *Section 2*: A, "a matrix of log-transition probabilities", starts from zero, where the rows of
#    $e^A$ sum to K, and nothing normalises it later. As constants cancel, this is harmless.
# 7. *Section 3*: the alternation was "found to converge in practice"; {numref}`fig-fkl-histories`
#    has iterations in which it falls.
# 8. *Section 2*: "nearly zero" holds for the mean of the scores only,
#    {numref}`fig-fkl-mean-scores`.
# 9. *Section 4.3*: the lowest error with log-likelihoods is given as 3.86 % (K = 2). Table 1 has a
#    lower one, 3.65 %, of the SVM with K = 5.

# %%
K = central_differences(lambda m: held_scores(m, objects, held, own=model), model)
moves = {name: np.abs(D[blocks["transition"]]).max() for name, D in (("live", J), ("held", K))}
print("5. derivatives of scores in A, with the model's marginals", end=" ")
print(f"live {moves['live']:.4f}, held {moves['held']:.4f}")
A = learners["full gradient, random start"].model_.transition_
print("6. row sums of exp(A): 3 at the start; learned, all of them above 1.5")
assert moves["live"] > 1
assert moves["held"] < 1e-6
assert np.exp(A).sum(axis=1).min() > 1.5

# %%
lines = read_paper("fkl-table-01").query("metric != 'Bayes'")
lines = lines.set_index(["method", "metric", "setting"])["mean"]
for name in lines.index.unique("method"):
    of, n_states = lines[name].idxmin()
    print(f"9. {name:10} lowest error {lines[name].min():.2f} %: {of}, K = {n_states}")
assert lines["likelihood"].idxmin() == ("SVM", "5")

# %% [markdown]
# ## Exercises
#
# ```{exercise} Quick
# :label: ex-fkl-length
#
# What do the entries of the block of A in {eq}`eq-fkl-score` sum to, with $\xi^0$ and without? What
# would a nearest neighbour find by the block without it?
# ```
#
# ```{solution} ex-fkl-length
# :class: dropdown
#
# To zero, and to the number of edges. Without $\xi^0$ the block mostly says how long a sequence is,
# and neighbours would be sequences of the same length.
# ```
#
# ```{exercise} Quick
# :label: ex-fkl-ring
#
# How does the error of {eq}`eq-fkl-bethe` depend on the length of the ring?
# ```
#
# ```{solution} ex-fkl-ring
# :class: dropdown
#
# It shrinks as the ring grows: on its way around a message loses a factor at each edge, and the
# approximation lacks only what comes back. Propagation is good where cycles are long.
# ```

# %% tags=["hide-input"]
with_model = model.posteriors(objects)
for i, sequence in enumerate(objects[:3]):
    assert np.isclose(model.score_vectors(objects)[i, blocks["transition"]].sum(), 0, atol=1e-8)
    assert np.isclose(with_model.edges[i].sum(), len(sequence) - 1)
loopy.set_parameters(transition=[[1, -1], [-1, 1]])
misses = []
for length in (4, 6, 8):
    around = [(i, (i + 1) % length) for i in range(length)]
    symbols = np.arange(length) % 2
    exact, _ = enumerate_chances(loopy, symbols, around)
    misses.append(abs(loopy.loglikelihood([(symbols, around)])[0] - exact))
assert misses[0] > misses[1] > misses[2]

# %% [markdown]
# ```{exercise} Code
# :label: ex-fkl-markov
#
# Show that on a chain the hidden states of {eq}`eq-fkl-model`, without what is seen, are a Markov
# chain for every A, with transition probabilities that depend on the distance from the end. What do
# they tend to far from it? Check it with two states.
# ```
#
# ```{solution-start} ex-fkl-markov
# :class: dropdown
# ```

# %%
A = rng.normal(size=(2, 2))
blind = PairwiseMRF(2).set_parameters(transition=A, means=np.zeros((2, 1)), log_scales=[0, 0])
edges = blind.posteriors([np.zeros((30, 1))]).edges[0]
steps = edges / edges.sum(axis=2, keepdims=True)
values, vectors = np.linalg.eig(np.exp(A))
sizes = np.abs(values)
v = np.abs(vectors[:, sizes.argmax()])
limit = np.exp(A) * v / (sizes.max() * v[:, None])
print(steps[[0, -1]].round(3), limit.round(3))
assert np.allclose(steps[0], limit, atol=1e-6)
assert not np.allclose(steps[-1], limit, atol=1e-3)

# %% [markdown]
# With $\beta_T = 1$ and $\beta_t = e^A \beta_{t+1}$, summing over all later states gives $p(z_{t+1}
# = m \mid z_t = k) = e^{A_{km}} \beta_{t+1}(m) / \beta_t(k)$. Repeated products of the positive
# matrix $e^A$ turn $\beta$ into the direction of its largest eigenvector v, with eigenvalue
# $\lambda$, and so the probabilities tend to $e^{A_{km}} v_m / (\lambda v_k)$. An undirected chain
# is a hidden Markov model that feels its end.
#
# ```{solution-end}
# ```
