# ---
# jupyter:
#   kernelspec:
#     display_name: Python 3
#     name: python3
#   ofer:
#     data: [usps, poser]
#     tables: [smtgp-table-02, smtgp-grid, smtgp-order, smtgp-costs, smtgp-table-03]
# ---

# %% [markdown]
# # Twin Gaussian processes at work
#
# *Sections 5 and 6 of {cite:t}`elhoseiny2015`*
#
# Does the choice of the divergence pay? {cite:t}`elhoseiny2015` let cross-validation choose
# $\alpha$: SMTGP is then at least as good as the better of KLTGP and IKLTGP on two toys,
# handwritten digits and two sets of body poses, and all three beat Gaussian process regression and
# nearest neighbours. We use the four sets that can be had and a small one, and add kernel ridge
# regression and OFER. The {doc}`chapter before <10_1_sharma_mittal>` has the mathematics.
#
# ```{admonition} Run it yourself
# `make chapter NAME=10_2_smtgp_experiments PARAMS="profile=quick"`
# computes a part of each stored table anew, in about a minute each ({doc}`how_to_rerun`).
# ```

# %% tags=["parameters"]
profile: str = "stored"  # or "quick", "full": see the box above
seed: int = 0  # of the live parts
n_live: int = 800  # training pictures of the live part on USPS

# %%
import numpy as np
import pandas as pd
from IPython.display import HTML
from ofer import KernelRidgeCV
from ofer.companions import TwinGaussianProcess
from reproduction.claims import cards_to_html, read_claims
from reproduction.engine import get_experiment, results
from reproduction.statistics import paired_t_test, read_paper, summarize
from ofer.kernels import median_bandwidth
from reproduction.datasets import dataset_info
from reproduction.datasets.generated.toy_curves import branch_error, make_toy2
from reproduction.datasets.images.poser import fetch_poser
from reproduction.datasets.images.usps import fetch_usps
from reproduction.figures.pictures import plot_image_rows, plot_task
from reproduction.figures.errors_by_split import plot_task_errors
from reproduction.figures.method_times import plot_times
from reproduction.figures.tables import show_results
from reproduction.papers.smtgp.baselines.dependence_knn import DependenceKNNRegressor
from reproduction.papers.smtgp.figures.experiments import (
    plot_certainty,
    plot_error_by_alpha,
    plot_evaluation_times,
    plot_skeletons,
)
from reproduction.papers.smtgp.figures.toy_curves import plot_multivalued
from reproduction.papers.smtgp.structured_errors import mean_point_distance
from reproduction.papers.smtgp.tasks import take_task
from scipy.spatial.distance import cdist
from sklearn.neighbors import KNeighborsRegressor

# %% [markdown]
# ## The tasks
#
# *Toys.* Outputs are uniform on an interval, inputs are $x = y + 0.3 \sin 2\pi y$ with a little
# noise: one S, or two in a row with half as many samples each. Bends have three right answers; our
# error is the distance to the nearest (the paper does not say). Ten draws.
#
# *USPS.* The sixteen pixels in the middle of a digit from the 240 around them; 4649 pictures to
# train and as many to test. The error is the mean norm, as in the paper's formula; the root mean
# square of its text is a quarter of it. Three random halves, the first that of our file; in the
# others 500 test pictures are predicted, since IKLTGP takes minutes for all of them.
#
# *Poser.* A body pose from a silhouette, described by a histogram of 100 shape contexts; 1927
# frames to train and 418 to test. The first division is the authors'. Two more test 418 frames
# each, drawn from the whole set as 11 random stretches of 38 successive frames; no frame is tested
# in both.
#
# *Digits.* The small digits of scikit-learn, 898 to train. Three random halves.

# %%
usps, poser = fetch_usps(), fetch_poser()
for name in ("usps", "poser"):
    info = dataset_info(name)
    print(f"{info.title}: {info.size}. {info.fidelity.capitalize()}. {info.notes}\n")

# %% mystnb={"figure": {"name": "fig-usps-task", "caption": "USPS: pictures, and what a method is shown of them."}, "image": {"alt": "Ten handwritten digits, and below them the same with a hatched square in the middle."}}
shown = usps.test[np.random.default_rng(seed).choice(len(usps.test), 10, replace=False)]
_ = plot_task((usps.images[shown] + 1) / 2, usps.centre_mask)

# %% [markdown]
# For Poser the paper has 54 joint angles, our file 21 points in space, which do not determine them.
# So there are two errors: the mean distance of points (a thigh is 19 long), and the mean angle
# between predicted and true limbs in degrees. HumanEva, for registered users only, is left out.
#
# Why stretches? A frame's neighbours in time are nearly copies of it. The silhouette of a frame of
# the authors' test set lies twice as far from the nearest one that is trained on as it would in a
# random division; in the divisions by stretches it lies about as far as in the authors'.

# %% tags=["hide-input"]
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
# that is held out of the digits, on 400 of 1200 pictures of USPS, and on Poser on every third frame
# of every fifth stretch of 40.
#
# "As printed" follows the paper where we could. Two things differ: on Poser the paper trains one
# small model on the 800 nearest neighbours of each test input, we one model on all frames; and the
# paper also chooses $\beta$ from three values, which changes next to nothing, as shown below.
#
# :::{table} Methods beside twin Gaussian processes.
# | method | what it is | what is chosen |
# |---|---|---|
# | GPR | Gaussian process regression, one Gaussian kernel and noise | by likelihood, on the first 800 samples |
# | W-KNN | mean of nearest neighbours, weighted by inverse distance | number of neighbours |
# | HSIC-KNN, KTA-KNN | the output that makes a neighbourhood most dependent | neighbours, two widths |
# | m-KRR | kernel ridge regression, no intercept, as in the papers | width, ridge |
# | m-KRR centred | the same with an intercept: the fair baseline | width, ridge |
# | OFER-GMM | our defaults on the kernel of m-KRR centred | components; ridges by leave-one-out |
# | KLTGP as printed | one search from a linear regression | two widths, ridge |
# | IKLTGP as printed | one search from KLTGP's prediction | nothing: KLTGP's values, as in the paper |
# | SMTGP as printed | the same | $\alpha$ from 0, 0.05, ..., 1, with KLTGP's other values |
# | KLTGP, IKLTGP | on toys five searches, four of them from neighbours' outputs | two widths, ridge, each for itself |
# | SMTGP | the same | $\alpha$ from a grid that is dense at both ends, with either form's other values |
# :::
#
# The two ends of $\alpha$ are KLTGP and IKLTGP. So on the samples that choose, SMTGP *cannot* be
# worse than both. The claim is about the test set.
#
# ````{admonition} Your bet
# On how many of the five tasks is SMTGP in our form, with more searches and the widths of KLTGP or
# IKLTGP, whichever do better, best of all methods: (a) none, (b) two, (c) four, (d) all five?
#
# ```{dropdown} Show the answer
# (c): on both toys, Poser and digits. On USPS KLTGP is ahead by less than one percent.
# ```
# ````

# %%
errors = results("smtgp-table-02", profile=profile)
frame = errors.frame
print(errors.describe())

# %% tags=["hide-input"]
bet = frame.query("metric == 'error'").groupby(["setting", "method"])["value"].mean().unstack()
assert (bet.idxmin(axis=1) == "SMTGP").sum() == 4
assert 1 < bet.loc["USPS", "SMTGP"] / bet.loc["USPS", "KLTGP"] < 1.01

# %% [markdown]
# ## Table 2: errors
#
# %% tags=["hide-input"] mystnb={"figure": {"caption": "Errors by method (rows) and data (columns), of Poser in the unit of the points and in degrees; mean ± standard deviation over ten splits of each toy and three of the others."}}
summary = summarize(frame)
rows = {
    "toy 1": ("toy 1", "error"),
    "toy 2": ("toy 2", "error"),
    "USPS": ("USPS", "error"),
    "Poser, points": ("Poser", "error"),
    "Poser, degrees": ("Poser", "limb angle"),
    "digits": ("digits", "error"),
}
of_task = {name: f"setting == '{task}' and metric == '{m}'" for name, (task, m) in rows.items()}
parts = [frame.query(q).assign(setting=name, metric="error") for name, q in of_task.items()]
show_results(errors._replace(frame=pd.concat(parts)), metric="error")

# %% [markdown]
# The paper's Tables 1 to 3 are not in the text that we have. The results that the text itself
# states:

# %% mystnb={"figure": {"caption": "Results that the paper's text states in numbers."}}
read_paper("smtgp-text")[["method", "setting", "metric", "printed"]]

# %% mystnb={"figure": {"name": "fig-smtgp-errors", "caption": "The same errors as a picture: one dot per split, a bar at the mean."}, "image": {"alt": "Six panels of errors of thirteen methods. On the toys IKLTGP and SMTGP lie left of all others; on the other tasks KLTGP and SMTGP lie a little left of the rest."}}
_ = plot_task_errors(frame, rows, list(frame["method"].unique()))

# %% [markdown]
# As printed the paper's claim nearly holds: the error of SMTGP is at most a hundredth above that of
# the better of both others. But on USPS and digits its $\alpha$ was an end of the family, where it
# *is* KLTGP. With widths chosen for KLTGP and IKLTGP each, and searches from several outputs on the
# toys, SMTGP has the least error of all methods on the toys, Poser and digits, and on USPS misses
# that of KLTGP by less than one percent. What tuning and starting well are worth:

# %% mystnb={"figure": {"caption": "Ratios of mean errors of two methods (rows), by data (columns). Below one the first is better."}}
errors_of = summary[summary["metric"] == "error"].pivot(
    index="setting", columns="method", values="mean"
)
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
gains[list(dict.fromkeys(summary["setting"]))].round(3)

# %% tags=["hide-input"]
ends = errors_of[["KLTGP as printed", "IKLTGP as printed"]].min(axis=1)
assert np.all(errors_of["SMTGP as printed"] < 1.01 * ends)
alphas = frame[frame["metric"] == "alpha"].set_index(["method", "setting"])["value"]
assert np.all(alphas["SMTGP as printed"][["USPS", "digits"]] == 0)
first = errors_of.idxmin(axis=1)
assert np.all(first.drop("USPS") == "SMTGP")
assert first["USPS"] in ("KLTGP", "KLTGP as printed", "SMTGP as printed")
assert errors_of.loc["USPS", "SMTGP"] < 1.01 * errors_of.loc["USPS", "KLTGP"]

# %% [markdown]
# Which of these differences do the splits bear out?

# %% tags=["hide-input"] mystnb={"figure": {"caption": "Mean differences of the error of two methods (rows), by data (columns), with p of Student's paired test over splits in brackets. A minus favours the first method."}}
pairs = [
    ("SMTGP as printed", "KLTGP as printed"),
    ("SMTGP as printed", "IKLTGP as printed"),
    ("SMTGP", "KLTGP"),
    ("SMTGP", "IKLTGP"),
    ("SMTGP", "SMTGP as printed"),
]
tests = {f"{a} − {b}": paired_t_test(frame, a, b, metric="error") for a, b in pairs}
cells = {
    name: test["difference"].map("{:+.3f}".format) + test["p"].map(" ({:.1g})".format)
    for name, test in tests.items()
}
pd.DataFrame(cells).T

# %% [markdown]
# On Poser SMTGP as printed is better than KLTGP at the level 0.05; whether it is better than IKLTGP
# three splits cannot decide. Our form is better there than both. On USPS no gain over KLTGP can be
# shown, in either form; on digits ours gains a hundredth, the printed one nothing. On the toys our
# SMTGP beats KLTGP, but ten draws do not show that it beats IKLTGP. Splits of real data share
# training samples, which the test ignores. Corrected for that, our form is still better than both
# on Poser, than KLTGP only just, and the gain over KLTGP on digits misses the level.

# %% tags=["hide-input"]
printed_p = {b: tests[f"SMTGP as printed − {b} as printed"]["p"] for b in ("KLTGP", "IKLTGP")}
own_p = {b: tests[f"SMTGP − {b}"]["p"] for b in ("KLTGP", "IKLTGP")}
assert printed_p["KLTGP"]["Poser"] < 0.05 < printed_p["IKLTGP"]["Poser"]
assert max(own_p["KLTGP"]["Poser"], own_p["IKLTGP"]["Poser"]) < 0.05
overlaps = get_experiment("smtgp-table-02").test_train_ratio
real_data = frame[frame["setting"].isin(list(overlaps))]
corrected = {
    b: paired_t_test(real_data, "SMTGP", b, metric="error", test_train_ratio=overlaps)[
        "p_corrected"
    ]
    for b in ("KLTGP", "IKLTGP")
}
assert corrected["IKLTGP"]["Poser"] < 0.04 < corrected["KLTGP"]["Poser"] < 0.05
assert min(own_p["KLTGP"]["USPS"], printed_p["KLTGP"]["USPS"]) > 0.05
assert 0.985 < errors_of["SMTGP"]["digits"] / errors_of["KLTGP"]["digits"] < 0.995
assert own_p["KLTGP"]["digits"] < 0.05 < corrected["KLTGP"]["digits"]
assert own_p["KLTGP"][["toy 1", "toy 2"]].max() < 0.05
assert own_p["IKLTGP"][["toy 1", "toy 2"]].min() > 0.05

# %% [markdown]
# ## Which divergence is chosen?

# %% tags=["hide-input"] mystnb={"figure": {"caption": "Values of alpha that were chosen, one for each split."}}
chosen = frame[frame["metric"] == "alpha"]
counts = chosen.groupby(["method", "setting"], sort=False)["value"]
pd.DataFrame({"alpha": counts.agg(lambda values: ", ".join(f"{v:g}" for v in sorted(values)))})

# %% [markdown]
# The widths and the ridge that go with them are our counterpart of the paper's Table 1, whose cells
# are not in the text that we have. Widths are in median distances of training samples, the ridge
# is $\lambda_X = \lambda_Y$, and of $\beta$ nothing is chosen. As printed all three forms share
# what KLTGP has; SMTGP in our form has what KLTGP or IKLTGP has:


# %% tags=["hide-input"] mystnb={"figure": {"caption": "Widths of inputs and outputs and ridges that were chosen, by method and data (rows); in brackets in how many splits, where they differ."}}
def counted(values):
    """Distinct values, the most frequent first, with their numbers if there are several."""
    numbers = values.value_counts()
    return ", ".join(f"{v:g}" + f" ({n})" * (len(numbers) > 1) for v, n in numbers.items())


names = {"factor_x": "width of inputs", "factor_y": "width of outputs", "ridge": "ridge"}
kernels = frame[frame["metric"].isin(list(names))].replace({"metric": names})
kernels = kernels[kernels["method"].isin(["KLTGP as printed", "KLTGP", "IKLTGP", "SMTGP"])]
kernels = kernels.groupby(["method", "setting", "metric"], sort=False)["value"].agg(counted)
kernels.unstack()[list(names.values())]

# %% tags=["hide-input"]
shared = frame[frame["metric"].isin(list(names))].set_index(["setting", "split", "metric"])
of_method = {method: rows["value"].sort_index() for method, rows in shared.groupby("method")}
for form in ("IKLTGP as printed", "SMTGP as printed"):
    assert of_method[form].equals(of_method["KLTGP as printed"])

# %% [markdown]
# On real data the denser grid chooses from between KLTGP and $\alpha = 0.05$, where the paper's has
# nothing, in all splits but one. The next figure follows the error over $\alpha$ on one draw of
# toy 2 and on five hundred pictures of USPS, with fixed widths:

# %%
ALPHAS = (0, 1e-5, 1e-4, 1e-3, 0.01, 0.03, 0.1, 0.3, 0.5, 0.7, 0.9, 0.97, 0.99, 1)


def by_alpha(X, Y, sets, **options):  # errors on some sets, by alpha
    model = TwinGaussianProcess(ridge_x=1e-3, ridge_y=1e-3, **options).fit(X, Y)
    found = {name: {} for name in sets}
    for alpha in ALPHAS:
        model.set_params(alpha=alpha)
        for name, (inputs, error) in sets.items():
            found[name][alpha] = error(model.predict(inputs))
    return {name: pd.Series(values) for name, values in found.items()}


def norm(true):
    return lambda predicted: mean_point_distance(true, predicted, n_coordinates=true.shape[1])


# %% mystnb={"figure": {"name": "fig-error-by-alpha", "caption": "Error over alpha, on outputs held out and on test outputs; rings mark the least. The axis shows the places of the grid."}, "image": {"alt": "Two panels of error curves over alpha. On toy 2 errors fall from KLTGP to the middle; on USPS they are lowest at KLTGP or right beside it and rise from there on."}}
toy = make_toy2(random_state=seed)
held = {"held out": (toy.X[200:], norm(toy.Y[200:]))}
half = toy.X_test[::2]
test = {"test": (half, lambda predicted: branch_error(half, predicted))}
widths = {"bandwidth_x": 0.1, "bandwidth_y": 0.15, "n_starts": 5}
panels = {"toy 2": by_alpha(toy.X[:200], toy.Y[:200], held | test, **widths)}
order = np.random.default_rng(seed).permutation(usps.train)
few, rest, tested = order[:400], order[400:500], usps.test[:100]
held = {"held out": (usps.X[rest], norm(usps.Y[rest]))}
test = {"test": (usps.X[tested], norm(usps.Y[tested]))}
medians = [median_bandwidth(Z, random_state=0) for Z in (usps.X[few], usps.Y[few])]
widths = {"bandwidth_x": 2 * medians[0], "bandwidth_y": 0.5 * medians[1], "max_iter": 400}
panels["USPS"] = by_alpha(usps.X[few], usps.Y[few], held | test, **widths)
_ = plot_error_by_alpha(panels, ylabel="error")

# %% [markdown]
# On toy 2 held-out errors are larger for every $\alpha$: predicting another right answer than the
# one held out counts as an error. So the folds choose noisily, as printed from nearly everywhere in
# the grid; in our form they always choose 0.9 or more. Real data do not offer an error that knows
# the branches. On the pictures both curves have their least error at 0 or right beside it, below a
# hundredth.

# %% tags=["hide-input"]
assert np.all(panels["toy 2"]["held out"] > panels["toy 2"]["test"])
assert all(curve.idxmin() < 0.01 for curve in panels["USPS"].values())
for toy_name in ("toy 1", "toy 2"):
    assert np.ptp(alphas["SMTGP as printed", toy_name]) > 0.9
    assert alphas["SMTGP", toy_name].min() >= 0.9
chosen_real = alphas["SMTGP"][["USPS", "Poser", "digits"]]
assert (chosen_real == 0).sum() == 1
assert np.all(chosen_real < 0.05)

# %% [markdown]
# ## What the predictions look like

# %% mystnb={"figure": {"name": "fig-toy2-predictions", "caption": "Toy 2, the draw of the figure before, all widths fixed."}, "image": {"alt": "Six panels of two joined S shapes with predictions. Averages cut through the bends; twin Gaussian processes follow a branch and jump to another."}}
ridges = {"ridge_x": 1e-3, "ridge_y": 1e-3}
near = {"bandwidth_x": 0.1, "bandwidth_y": 0.15, "n_starts": 5, **ridges}
models = {
    "m-KRR centred": KernelRidgeCV([1e-2], kernel="rbf", gamma=0.5 / 0.1**2),
    "W-KNN": KNeighborsRegressor(5, weights="distance"),
    "KTA-KNN": DependenceKNNRegressor("kta", n_neighbors=20, bandwidth_x=0.1, bandwidth_y=0.15),
    "KLTGP": TwinGaussianProcess(alpha=0, **near),
    "IKLTGP": TwinGaussianProcess(alpha=1, **near),
    "SMTGP, 0.3": TwinGaussianProcess(alpha=0.3, **near),
}
drawn = {name: m.fit(toy.X, toy.Y).predict(toy.X_test) for name, m in models.items()}
for name, predicted in drawn.items():
    print(f"{name:14} {branch_error(toy.X_test, predicted.reshape(-1)):.4f}")
_ = plot_multivalued(toy, drawn)

# %% mystnb={"figure": {"name": "fig-usps-predictions", "caption": "USPS: ten test pictures and their middles as three methods fill them in, trained on a part of the training set."}, "image": {"alt": "Rows of handwritten digits: the picture, and its reconstructions by kernel ridge regression, KLTGP and SMTGP. Those of twin Gaussian processes have sharper strokes."}}
part = usps.train[:n_live]
X, Y = usps.X[part], usps.Y[part]
medians = [median_bandwidth(Z, random_state=0) for Z in (X, Y)]
digits_widths = {"bandwidth_x": 2 * medians[0], "bandwidth_y": 0.5 * medians[1], **ridges}
models = {
    "m-KRR centred": KernelRidgeCV([0.1], kernel="rbf", gamma=2 / medians[0] ** 2),
    "KLTGP": TwinGaussianProcess(alpha=0, **digits_widths),
    "SMTGP, 0.001": TwinGaussianProcess(alpha=1e-3, **digits_widths),
}
rows = {"picture": usps.images[shown]}
for name, model in models.items():
    rows[name] = usps.images[shown].copy()
    rows[name][:, usps.centre_mask] = model.fit(X, Y).predict(usps.X[shown])
_ = plot_image_rows({name: (images + 1) / 2 for name, images in rows.items()})

# %% mystnb={"figure": {"name": "fig-poses", "caption": "Poser: five of every second test frame, in order of the error of SMTGP (best, quartiles, worst), trained on all training frames."}, "image": {"alt": "Stick figures from the front and from the side, true and predicted; they agree in the first columns, and in the last the legs are exchanged or the body is turned."}}
medians = [median_bandwidth(Z, random_state=0) for Z in (poser.X, poser.Y)]
pose_widths = {"bandwidth_x": 2 * medians[0], "bandwidth_y": 0.5 * medians[1], **ridges}
pose_model = TwinGaussianProcess(alpha=0.1, **pose_widths).fit(poser.X, poser.Y)
X_poses, Y_poses = poser.X_test[::2], poser.Y_test[::2]
poses, pose_certainty = pose_model.predict(X_poses, return_certainty=True)
true, predicted = (Z.reshape(-1, 21, 3) for Z in (Y_poses, poses))
pose_errors = np.linalg.norm(true - predicted, axis=2).mean(axis=1)
ranked = np.argsort(pose_errors)[np.linspace(0, len(pose_errors) - 1, 5).astype(int)]
titles = [f"error {pose_errors[row]:.1f}" for row in ranked]
_ = plot_skeletons({"true": true[ranked], "SMTGP": predicted[ranked]}, poser.limbs, titles)

# %% [markdown]
# ## Does the certainty know?
#
# The paper finds that $\varphi_\alpha$ and the error are negatively correlated, and that the
# certainty resembles the predictive variance of Gaussian process regression. Rank correlations of
# certainty and error, means over splits (the certainty of GPR is minus its standard deviation):

# %% tags=["hide-input"] mystnb={"figure": {"caption": "Rank correlation of certainty and error, by data (rows) and method (columns). Negative is as it should be."}}
certain = summary[summary["metric"] == "certainty"]
order = ["GPR", "KLTGP as printed", "IKLTGP as printed", "SMTGP as printed", "SMTGP"]
correlations = certain.pivot(index="setting", columns="method", values="mean").loc[
    list(dict.fromkeys(certain["setting"])), order
]
correlations.round(2)

# %% mystnb={"figure": {"name": "fig-certainty", "caption": "Error over the certainty of SMTGP, and the mean error in ten bins of equal size; the number is the rank correlation. Axes leave out the outermost points."}, "image": {"alt": "Two scatter plots whose binned means fall from left to right."}}
digits_model = TwinGaussianProcess(alpha=0.1, **digits_widths).fit(X, Y)
tested = usps.test[:300]
middles, certainty = digits_model.predict(usps.X[tested], return_certainty=True)
digits_errors = np.linalg.norm(usps.Y[tested] - middles, axis=1)
_ = plot_certainty(
    {
        "USPS": (np.log(certainty), digits_errors),
        "Poser": (np.log(pose_certainty), pose_errors),
    }
)

# %% [markdown]
# On real data every correlation is negative. On the toys a certain prediction need not be a good
# one, since all three answers fit the input: for our SMTGP and for GPR the correlation is even
# positive. But the certainty of KLTGP is low where it averages. On Poser the standard deviation of
# GPR ranks its errors best.

# %% tags=["hide-input"]
assert np.all(correlations.loc[["USPS", "Poser", "digits"]] < -0.1)
toys = correlations.loc[["toy 1", "toy 2"]]
assert toys[["SMTGP", "GPR"]].min(axis=None) > 0 > -0.5 > toys["KLTGP as printed"].max()
assert correlations.loc["Poser"].idxmin() == "GPR"

# %% [markdown]
# ## The order beta
#
# By Lemma 4.2 $\beta$ does not matter. Could the scale of the objective decide in which valley a
# search ends? Hardly: in searches that run to their end, on average less than half a percent of
# predictions differ from those under the logarithm by more than a hundredth of the outputs' spread.

# %% mystnb={"figure": {"caption": "Share of predictions that depend on the order beta (columns), by data and alpha (rows)."}}
beta = summarize(results("smtgp-order", profile=profile).frame)
moved = beta[beta["metric"] == "moved"]
shares = moved.pivot(index="setting", columns="method", values="mean").loc[
    list(dict.fromkeys(moved["setting"])), ["0.5", "0.99", "1.5"]
]
assert shares.max(axis=None) < 0.005
shares.round(4)

# %% [markdown]
# Do steps of 0.1 in $\alpha$ do as well as those of 0.05, as the paper says? On the toys the
# coarser grid has up to two percent more error, which ten draws cannot tell from none:

# %% mystnb={"figure": {"caption": "Mean error on the toys with two steps of the grid of alpha (columns). Ten splits."}}
grid = results("smtgp-grid", profile=profile).frame
steps = grid[grid["metric"] == "error"]
steps = steps.pivot_table(index="setting", columns="method", values="value")
assert (steps["steps of 0.1"] / steps["steps of 0.05"]).between(1, 1.02).all()
finer = paired_t_test(grid, "steps of 0.05", "steps of 0.1", metric="error")
assert finer["p"].min() > 0.05
steps.round(4)

# %% [markdown]
# ## Times
#
# By {eq}`eq-simplified` an evaluation of SMTGP is quadratic in the number of training samples, like
# KLTGP's, while P(11) takes a factorisation. Slopes lie below two and three, because large products
# run faster:

# %% mystnb={"figure": {"name": "fig-smtgp-costs", "caption": "Time of one evaluation of cost and gradient, one processor."}, "image": {"alt": "Three lines on logarithmic axes; that of the cost (11) lies far above the others and is steeper."}}
costs = summarize(results("smtgp-costs", profile=profile).frame)
twins = costs[costs["method"].str.contains("TGP")]
_ = plot_evaluation_times(twins, ylabel="seconds per evaluation")
seconds = twins.assign(n=twins["setting"].astype(int)).pivot(
    index="n", columns="method", values="mean"
)
slopes = np.polyfit(np.log(seconds.index), np.log(seconds), 1)[0]
powers = pd.Series(slopes, index=seconds.columns)
assert powers[["KLTGP", "SMTGP (16)"]].max() < 2 < powers["SMTGP (11)"] < 3
assert np.all(seconds["KLTGP"] < seconds["SMTGP (16)"])

# %% [markdown]
# The identity {eq}`eq-simplified` also saves operations when the divergence itself is computed. The
# paper counts a ratio of 1.67 with equal means and 1.5 otherwise; with LAPACK's routines one
# expects 2.33 for both. Measured ratios are 1.8 to 2.6:

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
# One fit and the predictions of a test set (of USPS and digits five hundred pictures), with given
# hyper-parameters and 250, 250, 4649, 1927 and 898 training samples; SMTGP starts from the
# prediction of KLTGP:

# %% mystnb={"figure": {"name": "fig-smtgp-times", "caption": "Times of fit and prediction of every method on every task."}, "image": {"alt": "For each of five tasks two markers per method on a logarithmic axis of seconds."}}
times = summarize(results("smtgp-table-03", profile=profile).frame)
n_test = times[times["metric"] == "n_test"].groupby("setting")["mean"].max()
assert n_test[["USPS", "digits"]].eq(500).all()
assert n_test.max() == 500
_ = plot_times(times)

# %% [markdown]
# USPS, the largest task here, needs no approximation. Minutes to train a form on all 4649 pictures
# and to predict the other 4649, scaled up from 500 of them:

# %%
usps_times = times[times["setting"] == "USPS"].pivot(
    index="method", columns="metric", values="mean"
)
whole = usps_times["fit time"] + usps_times["predict time"] * 4649 / usps_times["n_test"]
for form in ("KLTGP", "IKLTGP", "SMTGP"):
    print(f"{form:6} {whole[form] / 60:.1f} minutes of one processor")
assert whole["IKLTGP"] > 2 * 60

# %% [markdown]
# ## Verdicts

# %% tags=["hide-input"]
HTML(cards_to_html(read_claims(paper="elhoseiny2015")))

# %% [markdown]
# The paper names no level of significance; claims that a method "improves" on another are held to
# paired t-tests at the usual 0.05.
#
# ## What this changes for you
#
# - Let the data choose $\alpha$, on a grid that is dense near its ends: on average it costs no more
#   than a hundredth of the error, and gains on poses and, in our form, on multivalued curves (over
#   IKLTGP not significantly at 0.05).
# - On multivalued curves, search from several outputs and tune the widths of IKLTGP for itself:
#   together that takes a sixth or more from its error. KLTGP gains nothing by them, and more
#   searches alone can do harm (an exercise below).
# - Expect four to seven percent less error than centred kernel ridge regression on pictures, and
#   more than a fifth less on poses and curves. SMTGP beats all methods outside the family
#   everywhere, KLTGP does on pictures and poses; IKLTGP is *worse* than kernel ridge regression on
#   both sets of digits.
# - Ask printed gains for their spread. On toy 2 the paper has 12.70 percent over KLTGP and 3.51
#   over IKLTGP. As printed, ours is larger over the first and none over the second; in our form it
#   is more than a fifth over the second, and still not significant.
# - Do not expect SMTGP to be faster than KLTGP: an evaluation costs more, and it searches on.

# %% tags=["hide-input"]
better_end = errors_of[["KLTGP", "IKLTGP"]].min(axis=1)
assert np.all(errors_of["SMTGP"] < 1.01 * better_end)
assert errors_of["SMTGP as printed"]["Poser"] < 0.99 * ends["Poser"]
curves = ["toy 1", "toy 2"]
assert np.all((errors_of["SMTGP"] < better_end)[[*curves, "Poser"]])
assert tests["SMTGP − IKLTGP"]["p"][curves].min() > 0.05
assert gains.loc["IKLTGP / IKLTGP as printed", curves].max() < 5 / 6
assert np.all((errors_of["KLTGP"] > errors_of["KLTGP as printed"])[curves])
printed_gains = 1 - errors_of["SMTGP as printed"] / errors_of["KLTGP as printed"]
assert printed_gains["toy 2"] > 0.1270
assert errors_of["SMTGP as printed"]["toy 2"] > 0.99 * errors_of["IKLTGP as printed"]["toy 2"]
assert errors_of["SMTGP"]["toy 2"] < 0.8 * errors_of["IKLTGP"]["toy 2"]
families = errors_of.columns.str.contains("TGP")
rivals = errors_of.loc[:, ~families].min(axis=1)
real = ["USPS", "Poser", "digits"]
for form in ("", " as printed"):
    assert np.all(errors_of[f"SMTGP{form}"] < rivals)
    assert np.all(errors_of.loc[real, f"KLTGP{form}"] < rivals[real])
    assert np.all((errors_of[f"IKLTGP{form}"] > errors_of["m-KRR centred"])[["USPS", "digits"]])
below = 1 - gains.loc["SMTGP / m-KRR centred"]
assert below[["USPS", "digits"]].between(0.04, 0.07).all()
assert below[["Poser", *curves]].min() > 0.2
searches = times[times["metric"] == "predict time"].pivot(
    index="setting", columns="method", values="mean"
)
assert np.all(searches["SMTGP"] > searches["KLTGP"])

# %% [markdown]
# ## Exercises
#
# ```{exercise} Quick
# :label: ex-smtgp-ends
#
# On the samples that choose $\alpha$, SMTGP cannot be worse than both KLTGP and IKLTGP. Why? And on
# the test set?
# ```
#
# ```{solution} ex-smtgp-ends
# :class: dropdown
#
# Both are in its grid, at 0 and 1. On the test set it can be worse: as printed its mean error
# once is, by less than a hundredth.
# ```
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
# close to optimal in the bends. Whether multivalued prediction is needed is a question about the
# error, not about the data alone.
# ```

# %% tags=["hide-input"]
excess = errors_of["SMTGP as printed"] / ends
assert (excess > 1).sum() == 1
assert excess.max() < 1.01
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
found = {}
for alpha in (1, 0.3):
    for n_starts in (1, 2, 5):
        model = TwinGaussianProcess(alpha=alpha, **{**near, "n_starts": n_starts})
        predicted = model.fit(toy.X, toy.Y).predict(toy.X_test)
        found[alpha, n_starts] = branch_error(toy.X_test, predicted)
print({key: round(value, 4) for key, value in found.items()})
assert found[0.3, 2] < found[0.3, 1]
assert np.isclose(found[0.3, 5], found[0.3, 2], rtol=0.01)
assert found[1, 5] > 0.99 * found[1, 1]

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
# Try 50 to 400 of the 800. A factorisation for each query costs more than one for all as long as
# that one fits in memory, so look for a size at which three matrices of all samples no longer do.
# ```
