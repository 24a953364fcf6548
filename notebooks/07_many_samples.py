# ---
# jupyter:
#   kernelspec: {display_name: Python 3, language: python, name: python3}
#   ofer:
#     data: [spoken_arabic_digits_train, spoken_arabic_digits_test]
#     tables: [ofer-scale, ofer-frames]
# ---

# %% [markdown]
# # Many samples
#
# **The question.** Kernel ridge regression keeps the kernel of all pairs of samples in memory, and takes
# $O(n^3)$ time. That ends at about ten thousand samples. What can you do with more?
#
# **The idea.** Let the function be a combination of kernels at some *centres* only, a few hundred or
# thousand points (the Nyström approximation {cite}`rudi2015`). Then a few sums over the samples are all
# that the fit needs. One pass collects them, on one machine or on many.
#
# **The answer.** Ten million samples with a thousand centres take about five minutes on one
# processor, in a quarter of a gigabyte. The same pass chooses the ridge parameter, and serves OFER, too.
# But more samples help only if there are enough centres. With too few centres, exact kernel ridge
# regression on a part of the samples is better.

# %% tags=["parameters"]
profile: str = "stored"  # or "quick", "full": see "All errors"
seed: int = 0

# %%
import numpy as np
from sklearn.base import clone
from sklearn.frozen import FrozenEstimator
from sklearn.kernel_approximation import Nystroem
from sklearn.linear_model import Ridge

from ofer import GaussianMixtureEmbedding, KernelRidgeCV, NystroemRidgeCV, OutputFisherRegressor
from reproduction.engine import results
from reproduction.studies.second_volume.many_samples.errors import make_block
from reproduction.studies.second_volume.many_samples.figures import plot_errors
from reproduction.studies.second_volume.many_samples.measured import measured_passes

# %%
errors = results("ofer-scale", profile=profile).contrast("mse").means.rename(int).sort_index()
frames = results("ofer-frames", profile=profile).frame
speech = frames.pivot(index="method", columns="metric", values="value")
speech = speech.loc[frames["method"].unique()]
passes = measured_passes("benchmarks")

# %% [markdown]
# ## One pass is enough
#
# With m centres the fit needs three sums: of products of kernel values, of kernel values times outputs,
# and of squared outputs. They take about m² numbers, however many samples there are, and they add up
# over blocks in any order. Two models that have seen different blocks can be merged.
#
# One decomposition of these sums gives the fit for every ridge parameter, and a score for each
# (generalised cross-validation, GCV). So one pass is enough to choose the parameter, too.
# {class}`ofer.NystroemRidgeCV` does that.
#
# ## Samples or centres?
#
# We make samples block after block: 20 inputs, 65 outputs that are smooth functions of them, and noise
# of standard deviation 0.5.

# %% mystnb={"figure": {"name": "fig-many-errors", "caption": "Mean squared error against the function without noise, over the number of samples; one draw. Dotted: the last errors of 100 and 300 centres. More samples do not help where centres are missing."}, "image": {"alt": "Falling lines. Those of 100 and 300 centres become level at dotted lines; that of 1000 centres goes on to the lowest error; the linear model is level above all."}}
floors = {f"floor of {m} centres": errors[f"{m} centres"].dropna().iloc[-1] for m in (100, 300)}
_ = plot_errors(errors, floors)

# %% [markdown]
# Two things limit the error: too few samples, and too few centres ({numref}`tab-many-errors`). With a
# thousand samples, three hundred centres are nearly as good as a thousand. A thousand centres are then
# all samples, and differ from the exact fit only by the choice of the ridge parameter. A hundred centres
# are at their floor with a hundred thousand samples, and a million change nothing. A thousand centres
# still gain. A linear function, fitted by gradient descent, stays above all of them.

# %%
few, more, most = (errors[f"{m} centres"] for m in (100, 300, 1000))
assert 0.97 < few[10**6] / few[10**5] < 1.03
assert most[10**6] < 0.7 * more[10**6] < more[10**6] < 0.7 * few[10**6]
assert most[10**6] < most[10**5] < most[10**4] < most[1000]
assert abs(more[1000] / most[1000] - 1) < 0.05
assert abs(errors["all samples as centres"][1000] / most[1000] - 1) < 0.05
assert errors["gradient descent, linear"].min() > few.max()
X, Y, _ = make_block(1, 300)
options = {"gamma": 0.025, "n_components": 300, "random_state": seed}
with_all = NystroemRidgeCV([1.0], **options).partial_fit(X, Y).predict(X)
assert np.allclose(with_all, KernelRidgeCV([1.0], kernel="rbf", gamma=0.025).fit(X, Y).predict(X))

# %% [markdown]
# ## Ten million samples
#
# A sample costs m kernel values and about m² operations. With ten million samples and a thousand
# centres that is some $10^{13}$ operations. No program does these faster than the processor can, so we ask
# how much time goes elsewhere. We timed a bare matrix product (dsyrk, of the linear algebra library) in
# the same run. From a hundred thousand samples on, the whole pass runs at about three quarters of the
# rate of that product ({numref}`tab-many-passes`). Two processes take little more than half the time of
# one. They need no more memory than with ten thousand samples. From a million samples to ten million
# the error hardly falls: a thousand centres are then at their floor.

# %%
large = passes[passes["samples"] >= 10**5]
assert large["share of dsyrk"].min() > 0.7
assert passes["memory in MB"].max() < 1.1 * passes["memory in MB"].iloc[0] < 260
wall = large.pivot(index="samples", columns="workers", values="seconds")
assert (wall[1] / wall[2]).min() > 1.7
assert 240 < wall[1][10**7] < 360
floor = passes.set_index("samples")["error"].dropna()
assert 0.97 < floor[10**7] / floor[10**6] < 1

# %% [markdown]
# ## The next frame of speech
#
# The samples of this section are real: frames of digits that people speak in Arabic. A frame has 13
# numbers about the spectrum of the sound (cepstral coefficients). We predict them from the 65 numbers of
# the five frames before. The training speakers give 230,257 such samples, and we test on others.

# %% mystnb={"figure": {"caption": "Next frame of speech: squared error relative to the variance, on other speakers, and the number of training frames. A thousand centres with all frames have the lowest error."}}
shown = speech.assign(n=speech["n"].astype(int).map("{:,}".format))
shown["error"] = shown["error"].map("{:.3f}".format)
shown.rename(columns={"n": "training frames"}).rename_axis(None, axis=1)

# %% [markdown]
# Exact kernel ridge regression on 2000 frames is no better than linear ridge regression on all frames.
# A forest on ten thousand frames is not, either. For ten thousand frames the kernel matrix has 800 MB,
# and its decomposition takes 125 times the operations of that for 2000. The exact fit is then better
# than 300 centres with all frames. A thousand centres with all frames are better than everything else.

# %%
error = speech["error"]
exact = error["kernel ridge, 10000 frames"]
rest = error.drop(["1000 centres", "300 centres", "kernel ridge, 10000 frames"])
assert speech["n"].max() == 230257
assert error["1000 centres"] < exact < error["300 centres"] < rest.min()
assert error["kernel ridge, 2000 frames"] > error["linear ridge"]
assert error["forest, 10000 frames"] > error["linear ridge"]

# %% [markdown]
# ## What this changes for you
#
# * Do not subsample to fit a kernel method. Pass all samples once, and add centres until the error
#   stops falling. From there on only more samples help.
# * If you cannot have enough centres, take fewer samples and fit them exactly. A hundred centres with
#   all frames lose to exact kernel ridge regression on 2000 of them, and to a linear function. On the
#   generated data a million samples with a hundred centres lose to an exact fit of a thousand samples.
# * Compare with a linear function first. With all frames it beats a hundred centres, and exact kernel
#   ridge regression on 2000 frames.

# %%
assert error["100 centres"] > error["kernel ridge, 2000 frames"]
assert error["100 centres"] > error["linear ridge"]
assert few[10**6] > errors["all samples as centres"][1000]

# %% [markdown]
# ## The sums
#
# With m centres $z_j$, let $k_i = (k(x_i, z_1), \dots, k(x_i, z_m))$ and K the kernel matrix of the
# centres. The fit minimises
#
# ```{math}
# :label: eq-many-objective
#
# \min_{c, b} \; \sum_{i=1}^n \| y_i - c^\top k_i - b \|^2 + \alpha \operatorname{tr} c^\top K c .
# ```
#
# Tildes say that means are taken off. The solution and its residual sum of squares are functions of
# three sums:
#
# ```{math}
# :label: eq-many-sums
#
# S = \sum_i \tilde k_i \tilde k_i^\top, \quad
# B = \sum_i \tilde k_i \tilde y_i^\top, \quad
# q = \sum_i \| \tilde y_i \|^2, \qquad c = (S + \alpha K)^{-1} B .
# ```
#
# One decomposition, $L^\top K L = I$ and $L^\top S L = \operatorname{diag}(\omega)$, gives for every
# $\alpha$ the residual sum of squares R, the degrees of freedom df, and the GCV score:
#
# ```{math}
# :label: eq-many-gcv
#
# \mathrm{GCV}(\alpha) = \frac{R(\alpha) / n}{(1 - \mathrm{df}(\alpha) / n)^2} , \quad
# R(\alpha) = q - \sum_j \| (L^\top B)_j \|^2 \frac{\omega_j + 2 \alpha}{(\omega_j + \alpha)^2} , \quad
# \mathrm{df}(\alpha) = 1 + 1.1 \sum_j \frac{\omega_j}{\omega_j + \alpha} .
# ```
#
# The factor 1.1 is a custom of smoothing splines. Without it GCV may take an $\alpha$ that leaves
# nothing free, where both parts of the fraction vanish.
#
# Scikit-learn's features and ridge regression, in memory and with the same centres, predict the same:

# %%
blocks = [make_block(1 + i, 1000)[:2] for i in range(5)]
X, Y = (np.concatenate(part) for part in zip(*blocks, strict=True))
X_test, _, truth = make_block(0, 1000)
model = NystroemRidgeCV(gamma=0.025, n_components=200, random_state=seed)
for block in blocks:
    model.partial_fit(*block)
features = Nystroem(gamma=0.025, n_components=200).fit(model.components_)
ridge = Ridge(model.alpha_).fit(features.transform(X), Y)
gap = np.abs(model.predict(X_test) - ridge.predict(features.transform(X_test))).max()
print(f"same predictions up to 1e-8: {gap < 1e-8}")
assert gap < 1e-8

# %% [markdown]
# Two models sum the blocks in another order and are merged. They predict the same, too:

# %%
left, right = (model.without_samples() for _ in range(2))
for i in (4, 0, 3):
    left.partial_fit(*blocks[i])
for i in (2, 1):
    right.partial_fit(*blocks[i])
merged = left.merge(right)
order_gap = np.abs(merged.predict(X_test) - model.predict(X_test)).max()
print(f"{merged.n_samples_seen_} samples, same predictions up to 1e-9: {order_gap < 1e-9}")
assert order_gap < 1e-9

# %% [markdown]
# ## Exact leave-one-out, in a second pass
#
# GCV replaces the leverage of each sample by the mean of all, 1.1 times. A second pass finds the
# leverages themselves, and with them exact leave-one-out residuals: `selection="loo"`. `fit` does so by
# itself, because it has all samples again. Here the two scores differ by half a percent at most, and
# have the same best ridge parameter:

# %%
twice = NystroemRidgeCV(gamma=0.025, components=model.components_, selection="loo").fit(X, Y)
ratio = twice.gcv_scores_ / twice.loo_scores_
print(f"GCV / leave-one-out, over {len(ratio)} parameters: {ratio.min():.3f} to {ratio.max():.3f}")
assert np.abs(ratio - 1).max() < 0.006
assert twice.gcv_scores_.argmax() == twice.loo_scores_.argmax()

# %% [markdown]
# ## All errors

# %% mystnb={"figure": {"name": "tab-many-errors", "caption": "Mean squared error against the function without noise, by the number of samples (rows) and centres (columns). One draw. Gradient descent is scikit-learn's SGDRegressor on the inputs themselves."}}
errors.map("{:.4f}".format).replace("nan", "")

# %% mystnb={"figure": {"name": "tab-many-passes", "caption": "Passes over generated samples, a thousand centres: seconds, rate, share of the rate of dsyrk alone, peak memory of a process, and mean squared error of one worker's model. A worker is a process."}}
shown = passes.assign(samples=passes["samples"].map("{:,}".format))
shown["error"] = passes["error"].map("{:.4f}".format).replace("nan", "")
shown.set_index(["samples", "workers"])

# %% [markdown]
# `benchmarks/scale.py` measures these passes, with one worker and with two.
#
# ## OFER without end
#
# {class}`ofer.OutputFisherRegressor` takes blocks if its regressor does. The first block fits the
# output model, which is then kept. All blocks of the embedding share one pass.

# %%
early = OutputFisherRegressor(
    GaussianMixtureEmbedding(2, covariance_type="spherical", random_state=seed),
    NystroemRidgeCV(gamma=0.025, n_components=200, random_state=seed),
    block_wise=True,
)
for block in blocks:
    early.partial_fit(*block)
ours, alone = (np.square(one.predict(X_test) - truth).mean() for one in (early, model))
print(f"error relative to the ridge: {ours / alone:.2f}")
assert 0.8 < ours / alone < 1.2

# %% [markdown]
# An output model of *all* outputs needs the EM algorithm, and EM needs sums, too. With the
# responsibilities $\gamma_{ij}$ under the present model, around its means $\mu_j$, they are
#
# ```{math}
# :label: eq-many-em
#
# \sum_i \gamma_{ij} , \qquad \sum_i \gamma_{ij} (y_i - \mu_j) , \qquad
# \sum_i \gamma_{ij} (y_i - \mu_j) (y_i - \mu_j)^\top .
# ```
#
# `fit_in_batches` starts from the mixture of the first block, and goes through all blocks in each
# iteration. {class}`ofer.LinearGaussianSSM` and `StateSpaceEmbedding` do the same for series, with the
# sums of their smoothed states. Neither order nor partition of the blocks matters. Frozen, the model
# goes into the same regression:

# %%
mixture = clone(early.embedding).set_params(tol=1e-3)
outputs = [y for _, y in blocks]
mixture.fit_in_batches(outputs)
again = clone(mixture).fit_in_batches([outputs[0], *reversed(outputs[1:])])
moved = np.abs(again.means_ - mixture.means_).max()
print(f"same mixture up to 1e-9: {moved < 1e-9}")
assert moved < 1e-9
ofer = OutputFisherRegressor(FrozenEstimator(mixture), early.regressor, block_wise=True)
for block in blocks:
    ofer.partial_fit(*block)
assert 0.8 < np.square(ofer.predict(X_test) - truth).mean() / alone < 1.2

# %% [markdown]
# ## Many machines
#
# Only the sums travel. `ofer.distributed.fit` (extra `ofer[dask]`) takes dask arrays, dask dataframes,
# or a list of delayed blocks, each of which may read its own file. Each worker sums where its blocks
# are, and a tree of sums ends on one of them. If a worker is lost, others sum its blocks again. Two
# processes on this machine:
#
# ```python
# from distributed import Client, LocalCluster
# import dask.array as da
# import ofer.distributed
#
# with LocalCluster(n_workers=2, threads_per_worker=1) as cluster, Client(cluster):
#     X = da.random.normal(size=(10**7, 20), chunks=(10**4, 20))
#     model = ofer.distributed.fit(NystroemRidgeCV(), X, da.sin(X[:, :5]))
# ```
#
# On several machines, all with this package installed: run `dask scheduler` on one, `dask worker
# tcp://<address>:8786 --nworkers auto --nthreads 1` on each, and connect with
# `Client("tcp://<address>:8786")`. Use one thread per worker, because a second thread of a product of
# this size gains little. The experiments of this book run on the same cluster if the workers have the
# project, too:
#
# ```sh
# make results SCHEDULER=tcp://<address>:8786
# ```
#
# This executes the chapters here, and lets the workers evaluate the splits, through joblib. The data of
# an experiment are read here and sent once. The workers should have the versions of
# `requirements/all.lock`, or last digits differ. The tests run clusters of two processes, kill one of
# them, and compare with one process. We have not tried several machines, schedulers of batch systems,
# cloud services, or dask dataframes read from parquet files (`dask.dataframe` needs pyarrow, which is
# not in `requirements/all.lock`).
#
# **Security.** A scheduler runs the code of everybody who reaches it, and so does a worker. By default
# nobody is asked who they are, and nothing is encrypted. Use `tcp://` only in networks that you trust.
# Elsewhere use certificates; then addresses begin with `tls://`. On one machine, where the package
# cryptography is installed, one line makes a certificate:
#
# ```python
# from distributed.security import Security
#
# security = Security.temporary()
# with LocalCluster(security=security) as cluster, Client(cluster, security=security):
#     ...
# ```
#
# On several machines the same file, `~/.config/dask/tls.yaml`, tells scheduler, workers, clients and
# `make results SCHEDULER=tls://<address>:8786` which certificate to show and to ask for:
#
# ```yaml
# distributed:
#   comm:
#     require-encryption: true
#     tls:
#       ca-file: cluster.pem
#       scheduler: {cert: cluster.pem, key: cluster.key}
#       worker: {cert: cluster.pem, key: cluster.key}
#       client: {cert: cluster.pem, key: cluster.key}
# ```
#
# `openssl req -x509 -newkey rsa:2048 -nodes -days 365 -subj /CN=cluster -out cluster.pem -keyout
# cluster.key` makes both files. Whoever has the key is let in, so keep it as you keep a password. The
# tests run a fit and an experiment on a cluster with these settings.
#
# ## Exercises
#
# ```{exercise} Quick
# :label: ex-many-merge
#
# Two models have summed $k_i$, $y_i$ and their products over different samples, and measured the
# outputs from different origins. What has to be added to $\sum_i k_i y_i^\top$ when $\delta$ is added
# to every output?
# ```
#
# ```{solution} ex-many-merge
# :class: dropdown
#
# The sum over $k_i (y_i + \delta)^\top$ is larger by $(\sum_i k_i) \, \delta^\top$. So the sum of the
# $k_i$ and the number of samples have to be among the sums: a column of ones stands beside kernel
# values and outputs.
# ```
#
# ```{exercise} Quick
# :label: ex-many-gcv
#
# For which samples do leave-one-out and generalised cross-validation agree exactly?
# ```
#
# ```{solution} ex-many-gcv
# :class: dropdown
#
# Without the factor 1.1, for those with equal leverages: leave-one-out divides each residual by one
# minus its leverage, GCV by one minus their mean, $\mathrm{df} / n$. On a regular grid of a circle,
# with its points as centres, all leverages are equal.
# ```

# %% tags=["hide-input"]
k_i, delta = features.transform(X), 3.0
assert np.allclose(k_i.T @ (Y + delta), k_i.T @ Y + delta * k_i.sum(axis=0)[:, None])
angles = 2 * np.pi * np.arange(12) / 12
circle = np.column_stack([np.cos(angles), np.sin(angles)])
gram = np.exp(-np.square(circle[:, None] - circle).sum(axis=2))
assert np.ptp(np.diag(gram @ np.linalg.inv(gram + 0.1 * np.eye(12)))) < 1e-12

# %% [markdown]
# ```{exercise} Code
# :label: ex-many-shuffle
#
# Give the blocks to the model in five different orders. By how much do the predictions differ?
# ```
#
# ```{solution-start} ex-many-shuffle
# :class: dropdown
# ```

# %%
orders = [np.random.default_rng(i).permutation(len(blocks)) for i in range(5)]
answers = []
for order in orders:
    other = model.without_samples()
    for i in order:
        other.partial_fit(*blocks[i])
    answers.append(other.predict(X_test))
print("differences below 1e-9:", max(np.ptp(answers, axis=0).ravel()) < 1e-9)
assert np.ptp(answers, axis=0).max() < 1e-9

# %% [markdown]
# By rounding alone: the fit is a function of sums, and sums do not depend on the order.
#
# ```{solution-end}
# ```
