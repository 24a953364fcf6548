# ---
# jupyter:
#   kernelspec:
#     display_name: Python 3
#     name: python3
#   ofer:
#     data: [spoken_arabic_digits_train, spoken_arabic_digits_test]
#     tables: [ofer-scale, ofer-frames]
# ---

# %% [markdown]
# # Many samples
#
# Everything so far fits in memory: a kernel ridge regression holds the kernel of all pairs of
# samples and takes $O(n^3)$ time, so that about ten thousand samples are the limit. This chapter
# goes on to any number, on one machine or on many, without giving up what the method is: all
# outputs at once, an intercept, and a ridge that is chosen, not guessed.
#
# ```{admonition} Run it yourself
# `make chapter NAME=07_many_samples PARAMS="profile=quick"`
# computes a part of each stored table anew, in about a minute each ({doc}`how_to_rerun`).
# ```

# %% tags=["parameters"]
profile: str = "stored"  # or "quick", "full": see the box above
seed: int = 0

# %%
import numpy as np
from sklearn.base import clone
from sklearn.frozen import FrozenEstimator
from sklearn.kernel_approximation import Nystroem
from sklearn.linear_model import Ridge

from ofer import GaussianMixtureEmbedding, NystroemRidgeCV, OutputFisherRegressor
from reproduction.engine import results
from reproduction.papers.after.figures.many_samples import plot_errors
from reproduction.papers.after.many_samples import make_block
from reproduction.papers.after.measured import measured_passes

# %% [markdown]
# ## All that is asked of the samples
#
# Restrict the function to a combination of kernels at m centres $z_j$, the Nyström approximation
# {cite}`rudi2015`, with $k_i = (k(x_i, z_1), \dots, k(x_i, z_m))$ and K the kernel of the centres:
#
# ```{math}
# :label: eq-many-objective
#
# \min_{c, b} \; \sum_{i=1}^n \| y_i - c^\top k_i - b \|^2 + \alpha \operatorname{tr} c^\top K c .
# ```
#
# With means taken off, which the tildes say, the solution and its residual sum of squares are
# functions of three sums,
#
# ```{math}
# :label: eq-many-sums
#
# S = \sum_i \tilde k_i \tilde k_i^\top, \quad
# B = \sum_i \tilde k_i \tilde y_i^\top, \quad
# q = \sum_i \| \tilde y_i \|^2, \qquad c = (S + \alpha K)^{-1} B ,
# ```
#
# which take m² numbers whatever n is, and add up over blocks of samples in any order. One
# decomposition, $L^\top K L = I$ and $L^\top S L = \operatorname{diag}(\omega)$, gives for every
# ridge the residual sum of squares R, the degrees of freedom df, and the score of generalised
# cross-validation (GCV):
#
# ```{math}
# :label: eq-many-gcv
#
# \mathrm{GCV}(\alpha) = \frac{R(\alpha) / n}{(1 - \mathrm{df}(\alpha) / n)^2} , \quad
# R(\alpha) = q - \sum_j \| (L^\top B)_j \|^2 \frac{\omega_j + 2 \alpha}{(\omega_j + \alpha)^2} , \quad
# \mathrm{df}(\alpha) = 1 + 1.1 \sum_j \frac{\omega_j}{\omega_j + \alpha} .
# ```
#
# The factor 1.1 follows a custom of smoothing splines. GCV was first written without it, and may
# then take a ridge that leaves nothing free, where both parts of the fraction vanish.
#
# So the ridge is chosen after one pass that nobody has to repeat. {class}`ofer.NystroemRidgeCV`
# does that. Against scikit-learn's features and ridge, in memory, on the same centres:

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
# Blocks in another order, summed by two models that are merged, give the same:

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
# Generalised cross-validation replaces every sample's leverage by their mean, 1.1 times. With the
# decomposition known, a second pass finds the leverages themselves, and the leave-one-out
# residuals, exactly: `selection="loo"`. `fit` does so by itself, as it has all samples again.
# The two scores differ by half a percent at most here, and have the same best ridge:

# %%
twice = NystroemRidgeCV(gamma=0.025, components=model.components_, selection="loo").fit(X, Y)
ratio = twice.gcv_scores_ / twice.loo_scores_
print(f"GCV / leave-one-out, over {len(ratio)} ridges: {ratio.min():.3f} to {ratio.max():.3f}")
assert np.abs(ratio - 1).max() < 0.006
assert twice.gcv_scores_.argmax() == twice.loo_scores_.argmax()

# %% [markdown]
# ## Errors over the number of samples
#
# Samples are made block after block: 20 inputs, 65 outputs that are smooth functions of them, noise
# of standard deviation 0.5. The error is the mean squared one against the function without noise.

# %% mystnb={"figure": {"caption": "Mean squared error against the function without noise, by the number of samples (rows) and centres (columns). One draw."}}
scale = results("ofer-scale", profile=profile).frame
errors = scale[scale["metric"] == "mse"].pivot(index="setting", columns="method", values="value")
errors.index = errors.index.astype(int)
errors = errors.sort_index()[list(dict.fromkeys(scale["method"]))]
errors.map("{:.4f}".format).replace("nan", "")

# %% mystnb={"figure": {"name": "fig-many-errors", "caption": "Mean squared error against the function without noise, over the number of samples. The dotted lines are the last errors of 100 and 300 centres: more samples do not help where centres are missing."}, "image": {"alt": "Falling lines. Those of 100 and 300 centres become level at dotted lines; that of 1000 centres goes on to the lowest error; the linear model is level above all."}}
floors = {f"floor of {m} centres": errors[f"{m} centres"].dropna().iloc[-1] for m in (100, 300)}
_ = plot_errors(errors, floors)

# %% [markdown]
# Two things limit the error: too few samples, and too few centres. With a thousand samples, three
# hundred centres are nearly as good as a thousand, and all samples as centres are no better. A
# hundred centres are at their floor with a hundred thousand samples, and ten times as many samples
# change nothing. A thousand centres still gain. *Gradient descent* is scikit-learn's `SGDRegressor`
# on the inputs themselves: a linear function stays above all of these.

# %%
few, more, most = (errors[f"{m} centres"] for m in (100, 300, 1000))
assert 0.97 < few[10**6] / few[10**5] < 1.03
assert most[10**6] < 0.7 * more[10**6] < more[10**6] < 0.7 * few[10**6]
assert most[10**6] < most[10**5] < most[10**4] < most[1000]
assert abs(errors["all samples as centres"][1000] / most[1000] - 1) < 0.05
assert errors["gradient descent, linear"].min() > few.loc[10**4 :].max()

# %% [markdown]
# ## Ten million samples
#
# A sample costs m kernel values and about m² operations, so that ten million of them and a thousand
# centres take some $10^{13}$. No program does these products faster than the processor: what can be
# asked is how much of the time goes elsewhere. `benchmarks/scale.py` times the product $\sum_i k_i
# k_i^\top$ alone (dsyrk, the routine of the linear algebra library) in the same run, and stores
# what each pass took, with one worker or two:

# %% mystnb={"figure": {"caption": "Passes over generated samples, a thousand centres: seconds, rate, share of the rate of dsyrk alone, peak memory of a process, and mean squared error of one worker's model."}}
passes = measured_passes("benchmarks")
shown = passes.assign(samples=passes["samples"].map("{:,}".format))
shown["error"] = passes["error"].map("{:.4f}".format).replace("nan", "")
shown.set_index(["samples", "workers"])

# %% [markdown]
# From a hundred thousand samples on, each worker keeps three quarters of the rate that the product
# alone has, kernel values, sums and all. Two workers take little more than half the time of one.
# Memory stays where it was with ten thousand, and the error has come down to the floor that a
# thousand centres set.

# %%
large = passes[passes["samples"] >= 10**5]
assert large["share of dsyrk"].min() > 0.7
assert passes["memory in MB"].max() < 1.1 * passes["memory in MB"].iloc[0] < 1000
wall = large.pivot(index="samples", columns="workers", values="seconds")
assert (wall[1] / wall[2]).min() > 1.7
floor = passes.set_index("samples")["error"].dropna()
assert 0.97 < floor[10**7] / floor[10**6] < 1

# %% [markdown]
# ## The next frame of speech
#
# Real samples: the training speakers of {doc}`11_2_fkl_experiments` spoke 230,257 frames that have
# five frames before them. Predict 13 cepstral coefficients from the 65 of the past, for other
# speakers. The error is relative to the variance.

# %% mystnb={"figure": {"caption": "Next frame of speech: squared error relative to the variance on other speakers, and training frames, by method (rows)."}}
frames = results("ofer-frames", profile=profile).frame
speech = frames.pivot(index="method", columns="metric", values="value")
speech = speech.loc[list(dict.fromkeys(frames["method"]))]
speech.assign(n=speech["n"].astype(int), error=speech["error"].map("{:.3f}".format))

# %% [markdown]
# An exact kernel ridge on 2000 frames, which takes seconds, is no better than the linear one on all
# of them, and neither is the forest on ten thousand. On ten thousand frames, where the kernel
# matrix has 800 MB and its decomposition takes minutes, the exact ridge is better than 300 centres
# with all frames. A thousand centres with all frames are better than everything else.

# %%
error = speech["error"]
exact = error["kernel ridge, 10000 frames"]
rest = error.drop(["1000 centres", "300 centres", "kernel ridge, 10000 frames"])
assert error["1000 centres"] < exact < error["300 centres"] < rest.min()
assert error["kernel ridge, 2000 frames"] > error["linear ridge"]
assert error["forest, 10000 frames"] > error["linear ridge"]
assert error["100 centres"] > error["kernel ridge, 2000 frames"]
assert few[10**6] > errors["all samples as centres"][1000]

# %% [markdown]
# ## OFER without end
#
# {class}`ofer.OutputFisherRegressor` takes blocks when its regressor does. The output model is
# fitted to the first block and kept; all blocks of the embedding share one pass.

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
# An output model of all outputs needs EM, which asks no more of them than sums, either: with the
# responsibilities $\gamma_{ij}$ under the present model, around its means $\mu_j$,
#
# ```{math}
# :label: eq-many-em
#
# \sum_i \gamma_{ij} , \qquad \sum_i \gamma_{ij} (y_i - \mu_j) , \qquad
# \sum_i \gamma_{ij} (y_i - \mu_j) (y_i - \mu_j)^\top .
# ```
#
# `fit_in_batches` starts from the mixture of the first block, and goes through all blocks in each
# iteration; {class}`ofer.LinearGaussianSSM` and `StateSpaceEmbedding` do the same for series, with
# the sums of their smoothed states. Neither order nor partition of the blocks matters. Frozen, the
# model goes into the same regression:

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
# The sums are all that has to travel. `ofer.distributed.fit` (extra `ofer[dask]`) takes dask
# arrays, dask dataframes, or a list of delayed blocks, each of which may read its own file. Each
# worker sums where its blocks are; a tree of sums ends on one; a worker that is lost costs the
# blocks that it had summed, which others do again. Two processes on this machine:
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
# On other machines, all with this package installed: `dask scheduler` on one, and `dask worker
# tcp://<address>:8786 --nworkers auto --nthreads 1` on each; then `Client("tcp://<address>:8786")`.
# One thread per worker, because a second thread of a product of this size gains little. The
# experiments of this book run on the same cluster, if the workers have the project, too:
#
# ```sh
# make results SCHEDULER=tcp://<address>:8786
# ```
#
# executes the chapters here, and lets the workers evaluate the splits, through joblib. The data of
# an experiment are read here and sent once; the workers should have the versions of
# `requirements/all.lock`, or last digits differ. The tests run clusters of two processes, kill one of
# them, and compare with one process. Not tried: several machines, schedulers of batch systems,
# cloud services, and dask dataframes read from parquet files, since `dask.dataframe` needs pyarrow,
# which is not in `requirements/all.lock`.
#
# A scheduler runs the code of everybody who reaches it, and so does a worker: by default nobody is
# asked who they are, and nothing is encrypted. Use `tcp://` in networks alone that you trust.
# Elsewhere let all of them show a certificate; then addresses begin with `tls://`. On one machine,
# where the package cryptography is installed, one line makes it:
#
# ```python
# from distributed.security import Security
#
# security = Security.temporary()
# with LocalCluster(security=security) as cluster, Client(cluster, security=security):
#     ...
# ```
#
# On several machines the same file, `~/.config/dask/tls.yaml`, tells scheduler, workers, clients
# and `make results SCHEDULER=tls://<address>:8786` which certificate to show and to ask for:
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
# cluster.key` makes both files. Who has the key is let in, so keep it as you keep a password. The
# tests run a fit and an experiment on a cluster with these settings.
#
# ## What this changes for you
#
# With enough centres, do not subsample to fit a kernel method: pass all samples once, and add
# centres until the error stops falling; then only more samples help. With too few it is the other
# way round: with all frames of speech a hundred centres lose to a kernel ridge on 2000 of them, and
# to the linear one, and three hundred lose to a kernel ridge on ten thousand. On the generated data
# a million samples with a hundred centres lose to a thousand that are all centres.
#
# ## Exercises
#
# ```{exercise} Quick
# :label: ex-many-merge
#
# Two models have summed $k_i$, $y_i$ and their products over different samples, the outputs
# measured from different origins. What has to be added to $\sum_i k_i y_i^\top$ when $\delta$ is
# added to every output?
# ```
#
# ```{solution} ex-many-merge
# :class: dropdown
#
# The sum over $k_i (y_i + \delta)^\top$ is larger by $(\sum_i k_i) \, \delta^\top$. So the sum of
# the $k_i$ and the number of samples have to be among the sums:
# that is why a column of ones stands beside kernel values and outputs.
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
# Without the factor 1.1 for those with equal leverages: leave-one-out divides each residual by one
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
#
# ```{exercise} Open
# :label: ex-many-drift
#
# Samples arrive for months, and what they tell changes. What would you keep instead of plain sums?
# ```
#
# ```{solution} ex-many-drift
# :class: dropdown
#
# The sums add up over samples, so those of each month can be kept apart, weighted and added. Choose
# the weights by the error on the newest block.
# ```
