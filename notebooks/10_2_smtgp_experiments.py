# ---
# jupyter:
#   kernelspec: {display_name: Python 3, language: python, name: python3}
#   ofer:
#     data: [usps, poser]
#     tables: [smtgp-table-02, smtgp-readings-02, smtgp-certainty, smtgp-grid, smtgp-order,
#       smtgp-costs, smtgp-table-03]
# ---

# %% [markdown]
# # Twin Gaussian processes at work
#
# *Sections 5 and 6 of {cite:t}`elhoseiny2015`*
#
# **The question.** Some inputs have several right answers. A *twin Gaussian process* does not
# average them: it searches for one output that suits the input. A divergence measures how well it
# does. Does it pay to choose the divergence by cross-validation?
#
# **The idea.** A number $\alpha$ from 0 to 1 runs through a family of divergences. Its ends are two
# known methods, KLTGP and IKLTGP. SMTGP may take any member, so it should do as well as the better
# end.
#
# **The answer.** It does, nearly, on two generated curves, the paper's digits and its poses (as
# points, not angles): the error is at most a hundredth above the better end's. A gain over *both*
# ends shows only in our form, on the poses. Against ridge regression SMTGP has 4 to 7 % less error
# on digits, and more than a fifth less on poses and curves.

# %% tags=["parameters"]
profile: str = "stored"  # or "quick", "full": see How to re-run this book
seed: int = 0  # of the live parts
n_live: int = 500  # training pictures of the live part on USPS

# %%
import numpy as np
import pandas as pd
from IPython.display import HTML
from scipy.spatial.distance import cdist
from sklearn.neighbors import KNeighborsRegressor

from ofer import KernelRidgeCV
from ofer.companions import TwinGaussianProcess
from ofer.kernels import median_bandwidth
from reproduction.claims import claims_to_html, read_claims
from reproduction.datasets import dataset_info
from reproduction.datasets.generated.toy_curves import branch_error, make_toy2
from reproduction.datasets.images.poser import fetch_poser
from reproduction.datasets.images.usps import fetch_usps
from reproduction.engine import results
from reproduction.figures.errors_by_split import plot_task_errors
from reproduction.figures.method_times import plot_times
from reproduction.figures.pictures import plot_image_rows, plot_task
from reproduction.figures.tables import show_results
from reproduction.statistics import steady, summarize
from reproduction.studies.second_volume.twin_processes.certainties import mean_and_half_width
from reproduction.studies.second_volume.twin_processes.dependence_knn import DependenceKNNRegressor
from reproduction.studies.second_volume.twin_processes.error_by_alpha import (
    distance_to,
    errors_by_alpha,
)
from reproduction.studies.second_volume.twin_processes.figures.experiments import (
    plot_certainty,
    plot_error_by_alpha,
    plot_evaluation_times,
    plot_skeletons,
)
from reproduction.studies.second_volume.twin_processes.figures.toy_curves import plot_multivalued
from reproduction.studies.second_volume.twin_processes.tasks import take_task

# %%
READ = ("smtgp-table-02", "smtgp-table-03", "smtgp-certainty")
stored = {id: results(id, profile=profile) for id in READ}
errors = stored["smtgp-table-02"]
frame = errors.frame
compared = errors.contrast("error", level=0.05)
errors_of = compared.means
ends = errors_of[["KLTGP as printed", "IKLTGP as printed"]].min(axis=1)
better_end = errors_of[["KLTGP", "IKLTGP"]].min(axis=1)
curves, real = ["toy 1", "toy 2"], ["USPS", "Poser", "digits"]
alphas = frame[frame["metric"] == "alpha"].set_index(["method", "setting"])["value"]

# %%
gains = pd.DataFrame(
    {
        f"{b} / {a}": errors_of[b] / errors_of[a]
        for a, b in [
            ("KLTGP as printed", "SMTGP as printed"),
            ("IKLTGP as printed", "IKLTGP"),
            ("SMTGP as printed", "SMTGP"),
            ("m-KRR centred", "KLTGP"),
            ("m-KRR centred", "SMTGP"),
        ]
    }
).T
pairs = [
    ("SMTGP as printed", "KLTGP as printed"),
    ("SMTGP as printed", "IKLTGP as printed"),
    ("SMTGP", "KLTGP"),
    ("SMTGP", "IKLTGP"),
    ("SMTGP", "SMTGP as printed"),
]
below = 1 - gains.loc["SMTGP / m-KRR centred"]
inside = stored["smtgp-certainty"].frame
forms = ["GPR", "KLTGP as printed", "IKLTGP as printed", "SMTGP as printed", "SMTGP"]
correlations = errors.contrast("certainty").means[forms]

# %%
assert np.all(errors_of["SMTGP as printed"] < 1.01 * ends)
assert np.all(errors_of["SMTGP"] < 1.01 * better_end)
p = [compared.tests(*pair)["p"] for pair in pairs[:2]]
assert np.maximum(*p)[[*curves, "USPS", "Poser"]].min() > 0.05
assert compared.apart("SMTGP", ["KLTGP", "IKLTGP"], at="Poser")
assert below[["USPS", "digits"]].between(0.04, 0.07).all()
assert below[["Poser", *curves]].min() > 0.2

# %% [markdown]
# ## Curves with several right answers
#
# {numref}`fig-toy2-predictions` shows the simplest task of the paper. The curve turns, so an input
# in a bend has three right outputs. Kernel ridge regression (m-KRR) averages them and predicts none
# of them. A twin Gaussian process follows one branch and jumps to another. Of the six methods SMTGP
# comes closest to the curve.

# %% mystnb={"figure": {"name": "fig-toy2-predictions", "caption": "Toy 2: training data and predictions of six methods with fixed widths. Ridge regression cuts through the bends. Twin Gaussian processes follow a branch and jump to another."}, "image": {"alt": "Six panels of two joined S shapes with predictions. Averages cut through the bends; twin Gaussian processes follow a branch and jump to another."}}
toy = make_toy2(random_state=seed)
ridges = {"ridge_x": 1e-3, "ridge_y": 1e-3}
near = {"bandwidth_x": 0.1, "bandwidth_y": 0.15, "n_starts": 5, **ridges}
models = {
    "m-KRR centred": KernelRidgeCV([1e-2], kernel="rbf", gamma=0.5 / 0.1**2),
    "W-KNN": KNeighborsRegressor(5, weights="distance"),
    "KTA-KNN": DependenceKNNRegressor("kta", n_neighbors=20, bandwidth_x=0.1, bandwidth_y=0.15),
}
drawn = {name: m.fit(toy.X, toy.Y).predict(toy.X_test) for name, m in models.items()}
family = {"KLTGP": 0, "IKLTGP": 1, "SMTGP, 0.3": 0.3}  # one fit serves all of it
twins = TwinGaussianProcess(**near).fit(toy.X, toy.Y)
drawn |= zip(family, twins.predict_alphas(toy.X_test, list(family.values())), strict=True)
_ = plot_multivalued(toy, drawn)

# %%
mean_errors = {name: branch_error(toy.X_test, values.reshape(-1)) for name, values in drawn.items()}
closest, *others = sorted(mean_errors, key=mean_errors.get)
assert closest == "SMTGP, 0.3"
assert mean_errors[closest] < 0.7 * mean_errors[others[0]]
assert mean_errors[closest] < 0.5 * mean_errors["m-KRR centred"]

# %% [markdown]
# Five tasks test the methods. *Toy 1* and *toy 2* are such curves. In *USPS* a method fills in the
# middle of a handwritten digit. In *Poser* it finds a body pose from a silhouette. The paper does
# not have *digits*, a set of small pictures. HumanEva, its fifth set, is for registered users only.
#
# ## What choosing the divergence gains
#
# We ran the family in two forms. *The paper's form* makes one search for each prediction, and all
# three methods share the widths and the ridge parameter of KLTGP. *Our form* makes five
# searches on the curves, tunes KLTGP and IKLTGP each for itself, and offers SMTGP more values of
# $\alpha$ near the ends.

# %% mystnb={"figure": {"name": "fig-smtgp-errors", "caption": "Errors of all methods on all tasks, of Poser in the unit of the points and in degrees. In our form IKLTGP and SMTGP are best on the curves; elsewhere KLTGP and SMTGP lead by a little."}, "image": {"alt": "Six panels of errors of thirteen methods. On the toys IKLTGP and SMTGP lie left of all others; on the other tasks KLTGP and SMTGP lie a little left of the rest."}}
rows = {
    "toy 1": ("toy 1", "error"),
    "toy 2": ("toy 2", "error"),
    "USPS": ("USPS", "error"),
    "Poser, points": ("Poser", "error"),
    "Poser, degrees": ("Poser", "limb angle"),
    "digits": ("digits", "error"),
}
_ = plot_task_errors(frame, rows, list(frame["method"].unique()))

# %% mystnb={"figure": {"caption": "Ratios of mean errors of two methods (rows), by data (columns). Below one the first method is better. The method m-KRR centred is kernel ridge regression with an intercept."}}
gains.round(3)

# %% [markdown]
# **In the paper's form.** SMTGP has significantly less error than KLTGP on both curves and on Poser. The
# splits do not tell it from IKLTGP there. On USPS and digits it chose $\alpha = 0$ every time, so
# it *is* KLTGP.
#
# **In our form.** SMTGP has the least error of all methods on the curves, Poser and digits. On USPS
# it misses KLTGP by less than one percent. On Poser it is significantly better than both ends. On
# the curves it beats KLTGP, and the splits do not tell it from IKLTGP. Tuning and more searches
# take a sixth or more from the error of IKLTGP on the curves. On USPS and digits IKLTGP stays
# *worse* than ridge regression.

# %%
but_pictures = [*curves, "Poser"]
assert compared.better("SMTGP as printed", than="KLTGP as printed", at=but_pictures)
assert compared.apart("SMTGP as printed", "IKLTGP as printed", at=but_pictures, only=[])
assert np.all(alphas["SMTGP as printed"][["USPS", "digits"]] == 0)
assert compared.best("SMTGP", at=[*but_pictures, "digits"])
assert errors_of.loc["USPS"].idxmin() in ("KLTGP", "KLTGP as printed", "SMTGP as printed")
assert 1 < errors_of.loc["USPS", "SMTGP"] / errors_of.loc["USPS", "KLTGP"] < 1.01
assert compared.apart("SMTGP", "KLTGP", at=curves)
assert compared.apart("SMTGP", "IKLTGP", at=curves, only=[])
assert gains.loc["IKLTGP / IKLTGP as printed", curves].max() < 5 / 6
both_forms = ["IKLTGP", "IKLTGP as printed"]
assert compared.ahead("m-KRR centred", of=both_forms, at=["USPS", "digits"])

# %% [markdown]
# ## What the certainty tells
#
# The family reports a certainty with each prediction. It should be high where the error is low. We
# fixed $\alpha$ at 0.1, 0.5 and 0.9. On Poser sure predictions err less at each of them. On the
# curves they do at 0.1; at 0.5 and 0.9 nothing can be shown.
#
# The paper finds the certainty similar to the predictive variance of Gaussian process regression.
# On the curves, three of six cases agree with that, and one contradicts it. On Poser that variance
# ranks the errors of its own method better than any certainty of the family does.

# %%
mean, half = mean_and_half_width(inside, "certainty")
poses = mean.index.str.startswith("Poser")
shown = poses | mean.index.str.endswith("0.1")
assert (mean + half)[shown].max() < 0
assert ((mean - half) < 0)[~shown].all()
assert ((mean + half) > 0)[~shown].all()
assert correlations.loc["Poser"].idxmin() == "GPR"
assert correlations.loc["Poser", "GPR"] < mean[poses].min()
alike, half = mean_and_half_width(inside, "certainty and variance")
assert ((alike + half < 0)[~poses].sum(), (alike - half > 0)[~poses].sum()) == (3, 1)

# %% [markdown]
# ## What it costs
#
# {numref}`fig-smtgp-costs` has the times of one evaluation. SMTGP in the form of the paper's
# Equation (16) takes 1.1 to 1.8 times as long as KLTGP. Both times grow more slowly than the square
# of the number of training samples. The paper's first form, Equation (11), factorises a matrix in
# every evaluation. It is six times as slow with 200 samples, and 39 times with 1600.

# %% mystnb={"figure": {"name": "fig-smtgp-costs", "caption": "Time of one evaluation of cost and gradient, on one processor; the shortest of twenty calls with four queries each. Equation (11) lies far above the others and is steeper."}, "image": {"alt": "Three lines on logarithmic axes; that of the cost (11) lies far above the others and is steeper."}}
costs = summarize(results("smtgp-costs", profile=profile).frame)
twins = costs[costs["method"].str.contains("TGP")]
named = twins.replace({"method": {"KLTGP": "KLTGP (0)"}})
_ = plot_evaluation_times(named, ylabel="seconds per evaluation")

# %%
seconds = twins.assign(n=twins["setting"].astype(int)).pivot(
    index="n", columns="method", values="mean"
)
slopes = np.polyfit(np.log(seconds.index), np.log(seconds), 1)[0]
powers = pd.Series(slopes, index=seconds.columns)
assert powers[["KLTGP", "SMTGP (16)"]].max() < 2 < powers["SMTGP (11)"] < 3
slower = seconds["SMTGP (16)"] / seconds["KLTGP"]
assert (round(slower.min(), 1), round(slower.max(), 1)) == (1.1, 1.8)
slower = seconds["SMTGP (11)"] / seconds["SMTGP (16)"]
assert slower.is_monotonic_increasing
assert (round(slower[200]), round(slower[1600])) == (6, 39)

# %% [markdown]
# SMTGP starts its search from the prediction of KLTGP, so a whole prediction takes longer. Each
# form trains on 4649 pictures of USPS and fills in as many others within minutes: KLTGP is the
# fastest, IKLTGP the slowest.

# %%
fit, predict, n_test = (
    stored["smtgp-table-03"].contrast(name).means for name in ("fit time", "predict time", "n_test")
)
whole = (fit + predict * 4649 / n_test).loc["USPS"]
assert whole["KLTGP"] < whole["SMTGP"] < whole["IKLTGP"] < 15 * 60

# %% [markdown]
# ## What this changes for you
#
# - Choose $\alpha$ by cross-validation, on a grid that is dense near its ends. On average this
#   costs at most a hundredth of the error. It gains on poses and, in our form, on curves (over
#   IKLTGP not significantly).
# - For curves, search from several outputs and tune the widths of IKLTGP for itself. KLTGP gains
#   nothing by that, and more searches alone can do harm (an exercise below).
# - Expect large gains over ridge regression where an input has several answers, and small ones on
#   pictures. SMTGP has less error than all methods outside the family on every task, KLTGP on
#   pictures and poses.
# - Ask printed gains for their spread. On toy 2 the paper has 12.70 % over KLTGP and 3.51 % over
#   IKLTGP. In the paper's form the gain over KLTGP is larger here, and there is none over IKLTGP. In our
#   form the gain over IKLTGP is more than a fifth, and still not significant.
# - Take the certainty for a ranking of errors only after a test on held-out data.
# - Do not expect SMTGP to be faster than KLTGP.

# %%
assert errors_of["SMTGP as printed"]["Poser"] < 0.99 * ends["Poser"]
assert compared.ahead("KLTGP as printed", of="KLTGP", at=curves)
printed_gains = 1 - errors_of["SMTGP as printed"] / errors_of["KLTGP as printed"]
assert printed_gains["toy 2"] > 0.1270
assert errors_of["SMTGP as printed"]["toy 2"] > 0.99 * errors_of["IKLTGP as printed"]["toy 2"]
assert errors_of["SMTGP"]["toy 2"] < 0.8 * errors_of["IKLTGP"]["toy 2"]
rivals = errors_of.columns[~errors_of.columns.str.contains("TGP")]
assert compared.ahead(["SMTGP", "SMTGP as printed"], of=rivals)
assert compared.ahead(["KLTGP", "KLTGP as printed"], of=rivals, at=real)
assert np.all(predict["SMTGP"] > predict["KLTGP"])

# %% [markdown]
# ## The tasks
#
# *Toys*, ten draws. Outputs are uniform on an interval, and inputs are $x = y + 0.3 \sin 2\pi y$
# with a little noise: one S, or two in a row with half as many samples each; 250 samples train. Our
# error is the distance to the nearest right answer; the paper does not say.
#
# *USPS*, three random halves, the first that of our file. Sixteen pixels from the 240 around them;
# 4649 pictures train and as many test. The error is the mean norm, as in the paper's formula; the root
# mean square of its text is a quarter of it.
#
# *Poser*, three splits, the first the authors'. A silhouette is a histogram of 100 shape contexts;
# 1927 frames train and 418 test. The other two splits test 11 random stretches of 38 successive
# frames each; no frame is in both.
#
# *Digits*, three random halves of scikit-learn's small digits, 898 to train.

# %%
usps, poser = fetch_usps(), fetch_poser()
for name in ("usps", "poser"):
    info = dataset_info(name)
    print(f"{info.title}: {info.size}. {info.fidelity.capitalize()}. {info.notes}\n")

# %% mystnb={"figure": {"name": "fig-usps-task", "caption": "USPS: pictures, and what a method is shown of them."}, "image": {"alt": "Ten handwritten digits, and below them the same with a hatched square in the middle."}}
pictured = usps.test[np.random.default_rng(seed).choice(len(usps.test), 10, replace=False)]
_ = plot_task((usps.images[pictured] + 1) / 2, usps.centre_mask)

# %% [markdown]
# For Poser the paper has 54 joint angles. Our file has 21 points in space, which do not determine
# them. So there are two errors: the mean distance of points (a thigh is 19 long), and the mean
# angle between predicted and true limbs.
#
# Frames that follow each other are nearly copies. In the authors' split, a test silhouette lies
# twice as far from the nearest training frame as in a random split; in the splits by stretches
# about as far as in the authors'.

# %%
tasks = [take_task({"Poser": poser}, "Poser", split) for split in range(3)]
gaps = [np.median(cdist(task.X_test, task.X).min(axis=1)) for task in tasks]
frames = np.random.default_rng(seed).permutation(np.concatenate([poser.X, poser.X_test]))
random_gap = np.median(cdist(frames[:418], frames[418:]).min(axis=1))
assert gaps[0] > 2 * random_gap
joints = poser.Y.reshape(-1, 21, 3)
assert np.isclose(np.median(np.linalg.norm(joints[:, 13] - joints[:, 14], axis=1)), 19, atol=0.05)
assert np.all(np.abs(np.divide(gaps, gaps[0]) - 1) < 0.15)

# %% [markdown]
# ## The protocol
#
# Hyper-parameters are chosen on the training part alone: by five folds on the toys, on one fifth
# that is held out of the digits, on 600 of 1800 pictures of USPS, and on Poser on every third frame
# of every fifth stretch of 40. All 4649 pictures of USPS would take an hour and a quarter a split.
#
# The paper has five folds everywhere. {numref}`tab-smtgp-folds` has five folds of the 1800 pictures of
# USPS, too, on the first split. It changes nothing that matters: ten of twelve methods choose the same
# values as with one fold, and only the two methods of neighbours that match kernels or dependence move
# by more than a thousandth. A single split decides no claim, and each takes hours.

# %% mystnb={"figure": {"name": "tab-smtgp-folds", "caption": "Error on the first split of USPS with hyper-parameters chosen by five folds."}}
folds = results("smtgp-readings-02", profile=profile)
show_results(folds, metric="error")

# %%
first = compared.by_split.loc[("USPS", 0)]
of_five = folds.contrast("error").by_split.loc[("USPS", 0)]
of_five.index = of_five.index.str.removesuffix(", five folds")
moved = (of_five / first[of_five.index] - 1).abs()
assert len(moved) == 12
assert {*moved.index[moved > 1e-3]} == {"HSIC-KNN", "KTA-KNN"}

# %% [markdown]
# What we call the paper's form differs from the paper in two ways. On Poser the paper trains a model
# on the 800 nearest neighbours of each test input; we train one on all frames. The paper also chooses
# $\beta$ from three values, which changes next to nothing, as shown below.
#
# :::{table} Methods beside twin Gaussian processes.
# | method | what it is | what is chosen |
# |---|---|---|
# | GPR | Gaussian process regression, one Gaussian kernel and noise | by likelihood, on the first 800 samples |
# | W-KNN | mean of nearest neighbours, weighted by inverse distance | number of neighbours |
# | HSIC-KNN, KTA-KNN | the output that makes a neighbourhood most dependent | neighbours, two widths |
# | m-KRR | kernel ridge regression, no intercept, as in the papers | width, ridge |
# | m-KRR centred | the same with an intercept: the fair baseline | width, ridge |
# | OFER-GMM (ours) | our defaults on the kernel of m-KRR centred | components; ridges by leave-one-out |
# | KLTGP (paper) | one search from a linear regression | two widths, ridge |
# | IKLTGP (paper) | one search from KLTGP's prediction | nothing: KLTGP's values, as in the paper |
# | SMTGP (paper) | the same | $\alpha$ from 0, 0.05, ..., 1, with KLTGP's other values |
# | KLTGP (ours), IKLTGP (ours) | on toys five searches, four of them from neighbours' outputs | two widths, ridge, each for itself |
# | SMTGP (ours) | the same | $\alpha$ from a grid that is dense at both ends, with either form's other values |
# :::
#
# On the toys HSIC-KNN and both ridge regressions have wider grids than elsewhere. With the first ones
# HSIC-KNN took the narrowest width of outputs and the most neighbours in every split. Now
# the splits do not tell it from SMTGP (paper) on toy 2; on toy 1 SMTGP (paper) stays ahead.
# {doc}`92_grids` counts which choices still stand at an end of their grid. Widths and ridge
# parameters of the family are among them.

# %%
assert compared.apart("SMTGP as printed", "HSIC-KNN", at=curves, only="toy 1")

# %% [markdown]
# Both ends are in the grid of SMTGP. So on the samples that choose, it *cannot* be worse than both.
# On the test set it can: the mean error of SMTGP (paper) once is, by less than a hundredth.

# %%
excess = errors_of["SMTGP as printed"] / ends
assert (excess > 1).sum() == 1
assert excess.max() < 1.01

# %%
print(errors.describe())

# %% [markdown]
# ## Table 2: errors

# %% tags=["hide-input"] mystnb={"figure": {"caption": "Errors by method (rows) and data (columns), of Poser in the unit of the points and in degrees; mean ± standard deviation over ten splits of each toy and three of the others."}}
of_task = {name: f"setting == '{task}' and metric == '{m}'" for name, (task, m) in rows.items()}
parts = [frame.query(q).assign(setting=name, metric="error") for name, q in of_task.items()]
show_results(stored["smtgp-table-02"]._replace(frame=pd.concat(parts)), metric="error")

# %% [markdown]
# Our copy of the paper lacks the cells of its Tables 1 to 3. {doc}`01_table_by_table` has the numbers of
# its text.

# %% tags=["hide-input"] mystnb={"figure": {"caption": "Mean differences of the error of two methods (rows), by data (columns), with p of Student's paired test over splits in brackets. A minus favours the first method."}}
cells = {f"{a} − {b}": compared.tests(a, b) for a, b in pairs}
cells = {
    name: test["difference"].map("{:+.3f}".format) + test["p"].map(" ({:.1g})".format)
    for name, test in cells.items()
}
pd.DataFrame(cells).T

# %% [markdown]
# On USPS neither form shows a gain over KLTGP. On digits our form gains a hundredth, the printed
# one nothing. Splits of real data share training samples, and this test ignores that. Corrected for
# it, our form is still better than both ends on Poser, than KLTGP only just, and the gain on digits
# misses the level.

# %%
assert compared.apart("SMTGP", "IKLTGP", at="Poser", corrected=True, level=0.04)
assert compared.apart("SMTGP", "KLTGP", at="Poser", corrected=True)
assert compared.apart("SMTGP", "KLTGP", at="Poser", corrected=True, level=0.04, only=[])
for pair in (("SMTGP", "KLTGP"), ("SMTGP as printed", "KLTGP as printed")):
    assert compared.apart(*pair, at="USPS", only=[])
assert 0.985 < errors_of["SMTGP"]["digits"] / errors_of["KLTGP"]["digits"] < 0.995
assert compared.apart("SMTGP", "KLTGP", at="digits")
assert compared.apart("SMTGP", "KLTGP", at="digits", corrected=True, only=[])

# %% [markdown]
# ## Which divergence is chosen?

# %% tags=["hide-input"] mystnb={"figure": {"caption": "Values of α that were chosen, one for each split."}}
chosen = frame[frame["metric"] == "alpha"]
counts = chosen.groupby(["method", "setting"], sort=False)["value"]
pd.DataFrame({"alpha": counts.agg(lambda values: ", ".join(f"{v:g}" for v in sorted(values)))})

# %% [markdown]
# The next table is our counterpart of the paper's Table 1. Widths are in median distances of
# training samples, and the ridge parameter is $\lambda_X = \lambda_Y$. In the paper's form all three
# share what KLTGP has; SMTGP in our form has what KLTGP or IKLTGP has.


# %% tags=["hide-input"] mystnb={"figure": {"caption": "Widths of inputs and outputs and ridge parameters, by method and data (rows): the value that was chosen most often, in brackets in how many splits where not in all."}}
def most_often(values):
    """The most frequent value, with its number where there are others."""
    numbers = values.value_counts()
    return f"{numbers.index[0]:g}" + f" ({numbers.iloc[0]})" * (len(numbers) > 1)


names = {"factor_x": "width of inputs", "factor_y": "width of outputs", "ridge": "ridge parameter"}
chosen_kernels = frame[frame["metric"].isin(list(names))].replace({"metric": names})
chosen_kernels = chosen_kernels[
    chosen_kernels["method"].isin(["KLTGP as printed", "KLTGP", "IKLTGP"])
]
chosen_kernels = chosen_kernels.groupby(["method", "setting", "metric"], sort=False)["value"]
chosen_kernels.agg(most_often).unstack()[list(names.values())]

# %%
shared = frame[frame["metric"].isin(list(names))].set_index(["setting", "split", "metric"])
of_method = {method: rows["value"].sort_index() for method, rows in shared.groupby("method")}
for form in ("IKLTGP as printed", "SMTGP as printed"):
    assert of_method[form].equals(of_method["KLTGP as printed"])

# %% [markdown]
# On real data our form chooses an $\alpha$ above 0 and below 0.05, where the paper's grid has
# nothing, in all splits. {numref}`fig-error-by-alpha` follows the error over $\alpha$ on one
# draw of toy 2 and on 450 pictures of USPS, with fixed widths.

# %% mystnb={"figure": {"name": "fig-error-by-alpha", "caption": "Error over α, on outputs held out and on test outputs; rings mark the least. The axis shows the places of the grid. On USPS the least error is at 0 or right beside it."}, "image": {"alt": "Two panels of error curves over alpha. On toy 2 errors fall from KLTGP to the middle; on USPS they are lowest at KLTGP or right beside it and rise from there on."}}
held = {"held out": (toy.X[200:], distance_to(toy.Y[200:]))}
part_test = toy.X_test[::4]
test = {"test": (part_test, lambda predicted: branch_error(part_test, predicted))}
widths = {"bandwidth_x": 0.1, "bandwidth_y": 0.15, "n_starts": 5}
panels = {"toy 2": errors_by_alpha(toy.X[:200], toy.Y[:200], held | test, **widths)}
order = np.random.default_rng(seed).permutation(usps.train)
few, rest, tested = order[:400], order[400:450], usps.test[:50]
held = {"held out": (usps.X[rest], distance_to(usps.Y[rest]))}
test = {"test": (usps.X[tested], distance_to(usps.Y[tested]))}
medians = [median_bandwidth(Z, random_state=0) for Z in (usps.X[few], usps.Y[few])]
widths = {"bandwidth_x": 2 * medians[0], "bandwidth_y": 0.5 * medians[1], "max_iter": 400}
panels["USPS"] = errors_by_alpha(usps.X[few], usps.Y[few], held | test, **widths)
_ = plot_error_by_alpha(panels, ylabel="error")

# %% [markdown]
# On toy 2 held-out errors are larger for every $\alpha$: another right answer than the one held out
# counts as an error. So the folds choose noisily, in the paper's form from nearly everywhere in the
# grid; in our form they always choose 0.9 or more.

# %%
assert np.all(panels["toy 2"]["held out"] > panels["toy 2"]["test"])
assert all(curve.idxmin() < 0.01 for curve in panels["USPS"].values())
for toy_name in curves:
    assert np.ptp(alphas["SMTGP as printed", toy_name]) > 0.9
    assert alphas["SMTGP", toy_name].min() >= 0.9
chosen_real = alphas["SMTGP"][real]
assert np.all((chosen_real > 0) & (chosen_real < 0.05))

# %% [markdown]
# ## What the predictions look like

# %% mystnb={"figure": {"name": "fig-usps-predictions", "caption": "USPS: ten test pictures and their middles as three methods fill them in, trained on a part of the training set. Twin Gaussian processes draw sharper strokes."}, "image": {"alt": "Rows of handwritten digits: the picture, and its reconstructions by kernel ridge regression, KLTGP and SMTGP. Those of twin Gaussian processes have sharper strokes."}}
subset = usps.train[:n_live]
X, Y = usps.X[subset], usps.Y[subset]
medians = [median_bandwidth(Z, random_state=0) for Z in (X, Y)]
digits_widths = {"bandwidth_x": 2 * medians[0], "bandwidth_y": 0.5 * medians[1], **ridges}
ridge = KernelRidgeCV([0.1], kernel="rbf", gamma=2 / medians[0] ** 2).fit(X, Y)
digits_model = TwinGaussianProcess(alpha=0.1, **digits_widths).fit(X, Y)
middles = {"m-KRR centred": ridge.predict(usps.X[pictured])}
family = {"KLTGP": 0, "SMTGP, 0.001": 1e-3}
members = digits_model.predict_alphas(usps.X[pictured], list(family.values()))
middles |= zip(family, members, strict=True)
filled = {"picture": usps.images[pictured]}
for name, predicted in middles.items():
    filled[name] = usps.images[pictured].copy()
    filled[name][:, usps.centre_mask] = predicted
_ = plot_image_rows({name: (images + 1) / 2 for name, images in filled.items()})

# %% mystnb={"figure": {"name": "fig-poses", "caption": "Poser: five of every third test frame, in order of the error of SMTGP (best, quartiles, worst), trained on every other training frame. In the worst frames the legs are exchanged or the body is turned."}, "image": {"alt": "Stick figures from the front and from the side, true and predicted; they agree in the first columns, and in the last the legs are exchanged or the body is turned."}}
medians = [median_bandwidth(Z, random_state=0) for Z in (poser.X, poser.Y)]
pose_widths = {"bandwidth_x": 2 * medians[0], "bandwidth_y": 0.5 * medians[1], **ridges}
pose_model = TwinGaussianProcess(alpha=0.1, **pose_widths).fit(poser.X[::2], poser.Y[::2])
X_poses, Y_poses = poser.X_test[::3], poser.Y_test[::3]
found_poses, pose_certainty = pose_model.predict(X_poses, return_certainty=True)
true, predicted = (Z.reshape(-1, 21, 3) for Z in (Y_poses, found_poses))
pose_errors = np.linalg.norm(true - predicted, axis=2).mean(axis=1)
ranked = steady(pose_errors).argsort(kind="stable")[
    np.linspace(0, len(pose_errors) - 1, 5).astype(int)
]
titles = [f"error {pose_errors[row]:.1f}" for row in ranked]
_ = plot_skeletons({"true": true[ranked], "SMTGP": predicted[ranked]}, poser.limbs, titles)

# %% [markdown]
# ## Does the certainty know?
#
# The certainty is $\varphi_\alpha$ of {eq}`eq-certainty`. In Table 2 the chosen $\alpha$ is often an
# end of the family, where SMTGP is KLTGP or IKLTGP. The next table therefore fixes $\alpha$. Widths
# and ridge parameter are those of KLTGP (paper), chosen once for each split.

# %% tags=["hide-input"] mystnb={"figure": {"caption": "Rank correlations of the certainty of SMTGP with the error of a prediction, and with the predictive standard deviation of Gaussian process regression, by data and α (rows); means with 95 % intervals, over ten splits of each toy and three of Poser. A certainty that tells errors, or is like the variance, has a negative correlation."}}
columns = {}
for metric in ("certainty", "certainty and variance"):
    mean, half = mean_and_half_width(inside, metric)
    columns[metric] = mean.map("{:+.2f}".format) + " ± " + half.map("{:.2f}".format)
print(stored["smtgp-certainty"].describe())
pd.DataFrame(columns).set_axis(["with the error", "with the deviation of GPR"], axis=1)

# %% [markdown]
# The same with the $\alpha$ that was chosen in Table 2. At an end of the family $\varphi_\alpha$ is
# constant, and the package reports the limit of a power of it. For GPR the certainty is minus its
# standard deviation.

# %% tags=["hide-input"] mystnb={"figure": {"caption": "Rank correlation of certainty and error, by data (rows) and method (columns); means over splits. Negative is as it should be."}}
correlations.round(2)

# %% [markdown]
# On real data every correlation is negative. On the toys a certain prediction need not be a good
# one: for our SMTGP and for GPR the correlation is positive. But the certainty of KLTGP is low
# where it averages.

# %%
assert np.all(correlations.loc[real] < -0.1)
of_toys = correlations.loc[curves]
assert of_toys[["SMTGP", "GPR"]].min(axis=None) > 0 > -0.5 > of_toys["KLTGP as printed"].max()

# %% mystnb={"figure": {"name": "fig-certainty", "caption": "Error over the certainty of SMTGP at α = 0.1, and the mean error in ten bins of equal size. Sure predictions err less; the number is the rank correlation. Axes leave out the outermost points."}, "image": {"alt": "Two scatter plots whose binned means fall from left to right."}}
tested = usps.test[:150]
middles, certainty = digits_model.predict(usps.X[tested], return_certainty=True)
digits_errors = np.linalg.norm(usps.Y[tested] - middles, axis=1)
_ = plot_certainty(
    {
        "USPS": (np.log(certainty), digits_errors),
        "Poser": (np.log(pose_certainty), pose_errors),
    }
)

# %% [markdown]
# ## The order $\beta$, and the grid of $\alpha$
#
# By Lemma 4.2 $\beta$ does not matter. In searches that run to their end, on average less than half
# a percent of predictions differ from those under the logarithm by more than a hundredth of the
# outputs' spread.

# %% mystnb={"figure": {"caption": "Share of predictions that depend on the order β (columns), by data and α (rows); means over ten splits of each toy and five of the digits."}}
shares = results("smtgp-order", profile=profile).contrast("moved").means[["0.5", "0.99", "1.5"]]
assert shares.max(axis=None) < 0.005
shares.round(4)

# %% [markdown]
# Do steps of 0.1 in $\alpha$ do as well as those of 0.05, as the paper says? On the toys the
# coarser grid has up to two percent more error, which ten draws cannot tell from none.

# %% mystnb={"figure": {"caption": "Mean error on the toys with two steps of the grid of α (columns). Ten splits."}}
steps = results("smtgp-grid", profile=profile).contrast("error", level=0.05)
ratio = steps.means["steps of 0.1"] / steps.means["steps of 0.05"]
assert ratio.between(1, 1.02).all()
assert steps.apart("steps of 0.05", "steps of 0.1", only=[])
steps.means.round(4)

# %% [markdown]
# ## Times
#
# By {eq}`eq-simplified` an evaluation of SMTGP is quadratic in the number of training samples, as
# that of KLTGP is; P(11) takes a factorisation. The slopes of {numref}`fig-smtgp-costs` lie below
# two and three, because overhead counts most at small sizes.
#
# The identity {eq}`eq-simplified` also saves operations when the divergence itself is computed. The
# paper counts a ratio of 1.67 with equal means and 1.5 otherwise; LAPACK's routines make one expect
# 2.33 for both. Measured ratios are 1.8 to 2.6.

# %% mystnb={"figure": {"caption": "How many times faster the short form of the divergence is, by the dimension (rows)."}}
forms = costs.pivot(index="setting", columns="method", values="mean")
forms = forms.loc[list(dict.fromkeys(costs["setting"]))]
ratios = {
    "equal means": forms["D original"] / forms["D simplified"],
    "different means": forms["D original, means"] / forms["D simplified, means"],
}
ratios = pd.DataFrame(ratios).rename_axis("dimension")
assert ratios.stack().between(1.75, 2.65).all()
ratios.map(lambda ratio: f"{ratio:.1f}")

# %% [markdown]
# {numref}`fig-smtgp-times` has the times of one fit and of the predictions of a test set (at most
# 500 inputs), with given hyper-parameters.

# %% mystnb={"figure": {"name": "fig-smtgp-times", "caption": "Times of fit and prediction of every method on every task."}, "image": {"alt": "For each of five tasks two markers per method on a logarithmic axis of seconds."}}
given = stored["smtgp-table-03"].frame
one_start = {name: f"{name} (one start)" for name in ("KLTGP", "IKLTGP", "SMTGP")}
_ = plot_times(summarize(given.replace({"method": one_start})))

# %%
assert n_test.loc[["USPS", "digits"]].max(axis=1).eq(500).all()
assert n_test.max(axis=None) == 500

# %% [markdown]
# USPS, the largest task, needs no approximation. Minutes to train on all 4649 pictures and to
# predict the other 4649, scaled up from 500 of them, with one start as in the paper's form:

# %%
for form in ("KLTGP", "IKLTGP", "SMTGP"):
    print(f"{form:6} {whole[form] / 60:.1f} minutes of one processor")
assert whole["IKLTGP"] > 2 * 60

# %% [markdown]
# ## Verdicts
#
# The claims that this chapter decides:

# %% tags=["hide-input"]
HTML(claims_to_html(read_claims(chapter="10_2_smtgp_experiments")))

# %% [markdown]
# {doc}`The chapter before <10_1_sharma_mittal>` decides these claims of the paper:

# %% tags=["hide-input"]
HTML(claims_to_html(read_claims(chapter="10_1_sharma_mittal")))

# %% [markdown]
# The paper names no level of significance; claims that a method "improves" on another are held to
# paired t-tests at the usual 0.05.
#
# ## Exercises
#
# ```{exercise} Quick
# :label: ex-smtgp-mean
#
# Which output would you choose on toy 2 if you had to predict one for each input, with the *mean*
# distance to all right answers as the error?
# ```
#
# ```{solution} ex-smtgp-mean
# :class: dropdown
#
# The middle one of the right answers: a median minimises a sum of distances. Averages are then
# close to optimal in the bends. Whether you need predictions of one branch is a question about the
# error, not about the data alone.
# ```

# %%
answers = np.array([0.2, 0.45, 0.9])
places = np.linspace(0, 1, 101)
costs_of = np.abs(places[:, None] - answers).mean(axis=1)
assert np.isclose(places[costs_of.argmin()], np.median(answers))

# %% [markdown]
# ```{exercise} Code
# :label: ex-smtgp-starts
#
# On toy 2, with the widths of {numref}`fig-toy2-predictions`, vary the number of starts. Does SMTGP
# with $\alpha = 0.3$ gain from a second one? Do IKLTGP's errors fall as well?
# ```
#
# ```{solution-start} ex-smtgp-starts
# :class: dropdown
# ```

# %%
errors = {}
for n_starts in (1, 2, 5):
    model = TwinGaussianProcess(**{**near, "n_starts": n_starts}).fit(toy.X, toy.Y)
    for alpha, predicted in zip((1, 0.3), model.predict_alphas(toy.X_test, (1, 0.3)), strict=True):
        errors[alpha, n_starts] = branch_error(toy.X_test, predicted)
for (alpha, n_starts), error in errors.items():
    print(f"α = {alpha:<3}  starts {n_starts}: error {error:.4f}")
assert errors[0.3, 2] < errors[0.3, 1]
assert np.isclose(errors[0.3, 5], errors[0.3, 2], rtol=0.01)
assert errors[1, 5] > 0.99 * errors[1, 1]

# %% [markdown]
# SMTGP gains with the second start and then stays. IKLTGP does not: more starts find lower minima
# of the objective, and where the lowest minimum is at a wrong output, a better search finds it more
# often.
#
# ```{solution-end}
# ```
#
# ```{exercise} Open
# :label: ex-smtgp-neighbors
#
# The option `n_neighbors` trains a small model for each query. On the pictures of
# {numref}`fig-usps-predictions`, how many neighbours does it take to match the model of all
# samples, and when does it pay?
# ```
#
# ```{solution} ex-smtgp-neighbors
# :class: dropdown
#
# Try 50 to 300 of the 500. A factorisation for each query costs more than one for all as long as
# that one fits in memory, so look for a size at which three matrices of all samples no longer do.
# ```
