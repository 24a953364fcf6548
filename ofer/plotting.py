"""Every figure of the book is a function here.

Colours are those of Okabe and Ito, which colour-blind readers can tell apart; lines differ in
marker and dash too, so that a figure can be read in grey.
"""

from itertools import cycle

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.patches import Ellipse, FancyArrowPatch, FancyBboxPatch

__all__ = [
    "STYLE",
    "plot_activities",
    "plot_activity_profiles",
    "plot_decoding",
    "plot_density_and_score",
    "plot_em_path",
    "plot_image_rows",
    "plot_learning_curves",
    "plot_loo_path",
    "plot_means_as_images",
    "plot_memberships",
    "plot_mixture_scores",
    "plot_p_values",
    "plot_paired_differences",
    "plot_split",
    "plot_task",
    "plot_three_steps",
]

COLORS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00", "#000000")
MARKERS = ("o", "s", "^", "D", "v", "P", "X")
DASHES = ("-", "--", "-.", ":", (0, (5, 1)), (0, (3, 1, 1, 1)), (0, (1, 1)))

STYLE = {
    "axes.grid": True,
    "axes.prop_cycle": plt.cycler(color=COLORS),
    "axes.spines.right": False,
    "axes.spines.top": False,
    "figure.constrained_layout.use": True,
    "figure.dpi": 110,
    "font.size": 10,
    "grid.alpha": 0.3,
    "legend.frameon": False,
    "savefig.dpi": 110,
}


def _subplots(*shape, **options):
    """`plt.subplots` in the book's style."""
    # Loads the backend. Loaded inside the context, a notebook's one would lose its interactive
    # mode at the end of it, and with that every later figure.
    plt.install_repl_displayhook()
    with plt.rc_context(STYLE):
        return plt.subplots(*shape, **options)


def plot_task(images, centre_mask):
    """Whole pictures above what a learner sees of them.

    Parameters
    ----------
    images : ndarray of shape (n, height, width)
        Pictures.
    centre_mask : ndarray of bool of shape (height, width)
        The pixels that are outputs.

    Returns
    -------
    Figure
    """
    n = len(images)
    figure, axes = _subplots(2, n, figsize=(n * 0.95, 2.1), squeeze=False)
    for column, image in zip(axes.T, images, strict=True):
        _show(column[0], image)
        _show(column[1], np.where(centre_mask, np.nan, image))
    _label_rows(axes, ["picture", "input"])
    return figure


def plot_image_rows(rows):
    """Rows of pictures, one a method, with its name.

    Parameters
    ----------
    rows : dict of str to ndarray of shape (n, height, width)
        Pictures by name.

    Returns
    -------
    Figure
    """
    n = len(next(iter(rows.values())))
    figure, axes = _subplots(len(rows), n, figsize=(n * 0.95, len(rows) * 1.0), squeeze=False)
    for axes_row, images in zip(axes, rows.values(), strict=True):
        for axis, image in zip(axes_row, images, strict=True):
            _show(axis, image)
    _label_rows(axes, rows)
    return figure


def plot_means_as_images(means, weights):
    """Component means of an output model as pictures, under their weights.

    Parameters
    ----------
    means : ndarray of shape (C, side * side)
        Component means, square pictures row by row.
    weights : ndarray of shape (C,)
        Component weights, between 0 and 1.

    Returns
    -------
    Figure
    """
    side = round(np.sqrt(means.shape[1]))
    figure, axes = _subplots(1, len(means), figsize=(len(means) * 0.95, 1.4), squeeze=False)
    for axis, mean, weight in zip(axes[0], means, weights, strict=True):
        _show(axis, mean.reshape(side, side))
        axis.set_title(f"{weight:.0%}", fontsize=9)
    return figure


def plot_memberships(true, predicted):
    """Memberships of a few outputs, true and predicted, as bars.

    Parameters
    ----------
    true, predicted : ndarray of shape (n, C)
        Responsibilities; predicted ones may leave [0, 1].

    Returns
    -------
    Figure
    """
    n, C = true.shape
    figure, axes = _subplots(1, n, figsize=(n * 1.6, 2.0), sharey=True, squeeze=False)
    place = np.arange(C)
    for axis, t, p in zip(axes[0], true, predicted, strict=True):
        axis.bar(place - 0.2, t, 0.4, label="true", color=COLORS[0])
        axis.bar(
            place + 0.2, p, 0.4, label="predicted", color="white", edgecolor=COLORS[1], hatch="////"
        )
        axis.set(xticks=place, xlabel="component")
        axis.tick_params(axis="x", labelsize=7)
    axes[0, 0].set_ylabel("membership")
    axes[0, -1].legend(fontsize=8, handlelength=1.2)
    return figure


def plot_learning_curves(
    summary,
    *,
    paper=None,
    metric="rrmse",
    size="training samples",
    label="RRMSE on the test set",
    limits=None,
):
    """Mean of each method against the training size, with a band of one standard deviation.

    Parameters
    ----------
    summary : DataFrame
        Columns ``method, setting, metric, mean, std``, as of `ofer.experiments.summarize`;
        settings are training sizes.
    paper : DataFrame, default=None
        The paper's figures in the same columns, for a second panel.
    metric : str, default="rrmse"
        Which metric.
    size, label : str
        Labels of the axes, with their units.
    limits : (float, float), default=None
        Ends of the vertical axis.

    Returns
    -------
    Figure
    """
    panels = [("this book", summary)] + (
        [] if paper is None else [("as printed in the paper", paper)]
    )
    figure, axes = _subplots(
        1, len(panels), figsize=(4.4 * len(panels), 3.6), sharey=True, squeeze=False
    )
    labels = list(dict.fromkeys(m for _, frame in panels for m in frame["method"]))
    styles = dict(zip(labels, cycle(zip(COLORS, MARKERS, DASHES, strict=True)), strict=False))
    for axis, (title, frame) in zip(axes[0], panels, strict=True):
        frame = frame[frame["metric"] == metric]
        for method, rows in frame.groupby("method", sort=False):
            color, marker, dash = styles[method]
            sizes = rows["setting"].astype(int).to_numpy()
            order = np.argsort(sizes)
            sizes = sizes[order]
            mean, std = (rows[name].to_numpy()[order] for name in ("mean", "std"))
            axis.fill_between(sizes, mean - std, mean + std, color=color, alpha=0.15, lw=0)
            axis.plot(sizes, mean, color=color, marker=marker, ls=dash, ms=5, label=method)
        axis.set(xscale="log", xlabel=size, title=title if paper is not None else "")
        axis.set_xticks(sizes, [str(size) for size in sizes])
        axis.minorticks_off()
        axis.legend(fontsize=8)
    axes[0, 0].set(ylabel=label, ylim=limits)
    return figure


def plot_paired_differences(frame, pairs, *, metric="rrmse", size="training samples"):
    """Differences between two methods on the same splits, one dot a split.

    Parameters
    ----------
    frame : DataFrame
        Raw results: columns ``method, setting, split, metric, value``.
    pairs : list of (str, str)
        Methods to compare: the first minus the second.
    metric : str, default="rrmse"
        Which metric; below zero the first method is better.
    size : str
        Label of the horizontal axis.

    Returns
    -------
    Figure
    """
    figure, axes = _subplots(
        1, len(pairs), figsize=(4.4 * len(pairs), 3.2), sharey=True, squeeze=False
    )
    frame = frame[frame["metric"] == metric]
    table = frame.pivot_table(index=["setting", "split"], columns="method", values="value")
    settings = sorted(frame["setting"].unique(), key=int)
    for axis, (method, reference) in zip(axes[0], pairs, strict=True):
        difference = table[method] - table[reference]
        for place, setting in enumerate(settings):
            values = difference.loc[setting].to_numpy()
            spread = np.linspace(-0.15, 0.15, len(values))
            axis.plot(place + spread, values, MARKERS[0], ms=4, color=COLORS[0], alpha=0.7)
            axis.hlines(values.mean(), place - 0.25, place + 0.25, color=COLORS[1], lw=2)
        axis.axhline(0, color="black", lw=0.8)
        axis.set(title=f"{method} minus {reference}", xlabel=size)
        axis.set_xticks(range(len(settings)), settings)
    axes[0, 0].set_ylabel(f"difference in {metric.upper()}")
    return figure


def plot_loo_path(alphas, curves, chosen):
    """Leave-one-out error against the ridge, for several blocks or models.

    Parameters
    ----------
    alphas : dict of str to ndarray of shape (n_alphas,)
        Ridges by name.
    curves : dict of str to ndarray of shape (n_alphas,)
        Mean squared leave-one-out errors by name.
    chosen : dict of str to float
        The chosen ridge by name.

    Returns
    -------
    Figure
    """
    figure, axis = _subplots(figsize=(5.6, 3.4))
    styles = cycle(zip(COLORS, MARKERS, DASHES, strict=True))
    for (name, errors), (color, marker, dash) in zip(curves.items(), styles, strict=False):
        relative = errors / errors.min()
        axis.plot(alphas[name], relative, color=color, ls=dash, label=name)
        axis.plot(chosen[name], 1.0, marker, color=color, ms=8)
    axis.set(
        xscale="log",
        xlabel=r"ridge $\alpha$",
        ylabel="leave-one-out error\nrelative to the best",
    )
    axis.legend()
    return figure


def plot_density_and_score(embedding, y):
    """Density of outputs in one dimension above its scores in mean and variance.

    Parameters
    ----------
    embedding : GaussianEmbedding or GaussianMixtureEmbedding
        Fitted to one-dimensional outputs.
    y : ndarray of shape (n, 1)
        Places, increasing.

    Returns
    -------
    Figure
    """
    figure, (top, bottom) = _subplots(2, 1, figsize=(5.6, 4.2), sharex=True)
    top.fill_between(y[:, 0], np.exp(embedding.score_samples(y)), color=COLORS[0], alpha=0.4)
    top.set_ylabel(r"density $p_\theta(y)$")
    score = embedding.fisher_vector(y)
    names = [r"$\partial_\mu \log p_\theta(y)$", r"$\partial_\Sigma \log p_\theta(y)$"]
    for name, column, color, dash in zip(names, score.T, COLORS, DASHES, strict=False):
        bottom.plot(y[:, 0], column, color=color, ls=dash, label=name)
    bottom.axhline(0, color="black", lw=0.8)
    bottom.set(xlabel="output $y$", ylabel="score")
    bottom.legend()
    return figure


def plot_mixture_scores(embedding, Y, grid):
    """Outputs of a two-dimensional mixture, and the score of the means over the plane.

    Parameters
    ----------
    embedding : GaussianMixtureEmbedding
        Fitted to outputs in two dimensions, spherical, with at most three components.
    Y : ndarray of shape (n, 2)
        Outputs.
    grid : ndarray of shape (m, 2)
        Places of the arrows.

    Returns
    -------
    Figure
    """
    figure, axes = _subplots(
        1, 2, figsize=(8.4, 4.2), sharex=True, sharey=True, layout="compressed"
    )
    C = len(embedding.weights_)
    owner = embedding.predict_proba(Y).argmax(axis=1)
    gamma = embedding.predict_proba(grid)
    mean_scores = embedding.fisher_vector(grid)[:, C : 3 * C].reshape(-1, C, 2)
    for j in range(C):
        axes[0].plot(*Y[owner == j].T, MARKERS[j], color=COLORS[j], ms=3, alpha=0.6)
        radius = 2 * np.sqrt(embedding.covariances_[j])
        for axis in axes:
            axis.add_patch(
                Ellipse(
                    embedding.means_[j],
                    2 * radius,
                    2 * radius,
                    fill=False,
                    color=COLORS[j],
                    ls=DASHES[j],
                    lw=1.5,
                )
            )
        strong = gamma[:, j] > 0.05
        axes[1].quiver(
            *grid[strong].T, *mean_scores[strong, j].T, color=COLORS[j], angles="xy", width=0.004
        )
    axes[0].set(title="outputs and components", xlabel="$y_1$", ylabel="$y_2$")
    axes[1].set(title=r"scores $\varphi_{\mu,j}(y)$", xlabel="$y_1$")
    for axis in axes:
        axis.set_aspect("equal")
    return figure


def plot_three_steps():
    """The method as a diagram: embed, regress, decode (the paper's Figure 1, redrawn).

    Returns
    -------
    Figure
    """
    figure, axis = _subplots(figsize=(8.0, 3.2))
    axis.set(xlim=(0, 10), ylim=(0, 4))
    axis.axis("off")
    boxes = {
        "input": (1.2, 1.0, "inputs\n$x \\in \\mathcal{X}$"),
        "output": (8.8, 1.0, "outputs\n$y \\in \\mathcal{Y}$"),
        "embedding": (
            5.0,
            3.1,
            "Fisher embeddings\n$\\phi^M(y) = M\\,\\nabla_\\theta \\log "
            "p_\\theta(y) \\in \\mathbb{R}^p$",
        ),
    }
    for x, y, text in boxes.values():
        width = 3.8 if x == 5.0 else 1.9
        axis.add_patch(
            FancyBboxPatch(
                (x - width / 2, y - 0.5),
                width,
                1.0,
                boxstyle="round,pad=0.08",
                fc="#eef3f8",
                ec="black",
            )
        )
        axis.text(x, y, text, ha="center", va="center")
    arrows = [
        ((8.5, 1.65), (7.1, 2.9), 0.15, "-|>", (8.75, 2.5), "1  embed\n(generative model)", "left"),
        ((1.5, 1.65), (2.9, 2.9), -0.15, "-|>", (1.25, 2.5), "2  regress\n$h(x)$", "right"),
        (
            (5.4, 2.45),
            (7.7, 0.95),
            0.15,
            "-|>",
            (4.55, 1.15),
            "3  decode (pre-image)\n$y^\\star \\in "
            "\\operatorname{arg\\,min}_y \\|\\phi^M(y) - h(x)\\|^2$",
            "center",
        ),
    ]
    for start, end, bend, style, place, text, side in arrows:
        axis.add_patch(
            FancyArrowPatch(
                start,
                end,
                connectionstyle=f"arc3,rad={bend}",
                arrowstyle=style,
                mutation_scale=16,
                lw=1.6,
                color=COLORS[0],
            )
        )
        axis.text(*place, text, ha=side, va="center")
    return figure


def plot_decoding(embedding, H, Y):
    """How predictions are put together: a mean of the means, and a residual.

    Parameters
    ----------
    embedding : GaussianMixtureEmbedding
        Fitted to outputs in two dimensions, with natural scaling.
    H : ndarray of shape (n, C + 2)
        Predicted embeddings.
    Y : ndarray of shape (n, 2)
        The outputs to be predicted.

    Returns
    -------
    Figure
    """
    figure, axis = _subplots(figsize=(5.6, 4.4))
    corners = embedding.means_[[*range(len(embedding.means_)), 0]]
    axis.plot(*corners.T, ":", color="0.4", lw=1)
    axis.plot(*embedding.means_.T, "*", color="black", ms=11, label=r"means $\mu_j$")
    base = embedding.decode_membership(H[:, embedding.blocks_["membership"]]) @ embedding.means_
    predicted = embedding.inverse_transform(H)
    axis.plot(*np.stack([predicted, Y], axis=1).T, color="0.6", lw=1)
    arrows = {"angles": "xy", "scale_units": "xy", "scale": 1, "width": 0.005}
    axis.quiver(*base.T, *(predicted - base).T, color=COLORS[0], **arrows)
    axis.plot(*base.T, MARKERS[1], color=COLORS[0], ms=4, label=r"$\sum_j g_j \mu_j$")
    axis.plot(*predicted.T, MARKERS[0], color=COLORS[1], ms=5, label=r"prediction $y^\star$")
    axis.plot(*Y.T, MARKERS[0], color=COLORS[1], ms=5, mfc="white", label="true output")
    axis.set(xlabel="$y_1$", ylabel="$y_2$", aspect="equal")
    axis.legend(loc="center left", bbox_to_anchor=(1, 0.5))
    return figure


def plot_em_path(lower_bounds, stops):
    """Log-likelihood after each EM iteration, and what is still missing to the last one.

    Parameters
    ----------
    lower_bounds : sequence of float
        Mean log-likelihood of an output after each iteration, in nats.
    stops : dict of str to int
        Iterations to mark, numbered from 1, by name.

    Returns
    -------
    Figure
    """
    bounds = np.asarray(lower_bounds)
    iterations = np.arange(1, len(bounds) + 1)
    figure, (left, right) = _subplots(1, 2, figsize=(8.4, 3.2))
    left.plot(iterations, bounds, color=COLORS[0])
    right.plot(iterations[:-1], bounds[-1] - bounds[:-1], color=COLORS[0])
    for axis in (left, right):
        for (name, stop), color, dash in zip(stops.items(), COLORS[1:], DASHES[1:], strict=False):
            axis.axvline(stop, color=color, ls=dash, label=name)
        axis.set(xscale="log", xlabel="EM iteration")
    left.set_ylabel("log-likelihood of an output [nats]")
    right.set(yscale="log", ylabel="missing to the last iteration [nats]")
    left.legend()
    return figure


def plot_split(split, sizes):
    """Parts of one split for several training sizes, as bars.

    Parameters
    ----------
    split : Split
        Training pool and test set, as of `ofer.experiments.repeated_splits`.
    sizes : sequence of int
        Training sizes, one a bar.

    Returns
    -------
    Figure
    """
    figure, axis = _subplots(figsize=(7.6, 0.4 * len(sizes) + 1.4))
    place = np.arange(len(sizes))
    train = np.array([len(split.train(size)) for size in sizes])
    rest = len(split.train_pool) - train
    test = np.full(len(sizes), len(split.test))
    parts = {
        "training set": (train, {"color": COLORS[0]}),
        "rest of the pool (weak labels)": (rest, {"color": COLORS[4], "alpha": 0.4}),
        "test set": (test, {"color": "white", "edgecolor": COLORS[1], "hatch": "////"}),
    }
    start = np.zeros(len(sizes))
    for name, (width, look) in parts.items():
        axis.barh(place, width, 0.7, left=start, label=name, **look)
        start = start + width
    axis.set(xlabel="samples", ylabel="training size", yticks=place, yticklabels=sizes)
    axis.invert_yaxis()
    axis.grid(False)
    figure.legend(loc="outside upper center", ncols=3)
    return figure


def plot_p_values(p_values, levels):
    """How often tests reject equal methods, against how often they should.

    Parameters
    ----------
    p_values : dict of str to ndarray of shape (n_tests,)
        Positive p-values of tests by name, all of them of equal methods.
    levels : sequence of float
        Levels to mark.

    Returns
    -------
    Figure
    """
    figure, axis = _subplots(figsize=(7.6, 3.6))
    grid = np.logspace(-4, 0, 200)
    axis.plot(grid, grid, color="black", lw=0.8, label="as it should be")
    for (name, p), color, dash in zip(p_values.items(), COLORS, DASHES, strict=False):
        share = np.mean(p[:, None] < grid, axis=0)
        axis.plot(grid, np.where(share > 0, share, np.nan), color=color, ls=dash, label=name)
    for level in levels:
        axis.axvline(level, color="0.5", lw=1, ls=":")
    axis.set(
        xscale="log",
        yscale="log",
        xlabel="level of the test",
        ylabel="share of equal pairs\ncalled different",
    )
    figure.legend(loc="outside center right")
    return figure


def plot_activities(Y, names):
    """Activity scores of molecules: their distribution, and how cell lines hang together.

    Parameters
    ----------
    Y : ndarray of shape (n_molecules, n_cell_lines)
        Activity scores.
    names : sequence of str
        Cell lines as tissue:line.

    Returns
    -------
    Figure
    """
    order = np.argsort(names, kind="stable")
    tissues = np.array([str(name).split(":")[0] for name in np.asarray(names)[order]])
    figure, (left, right) = _subplots(1, 2, figsize=(8.4, 3.6))
    left.hist(Y.ravel(), bins=np.arange(10, 151, 4), color=COLORS[0], density=True)
    left.axvline(60, color="black", ls="--", label="1 micromolar")
    left.set(xlabel="activity score", ylabel="share of scores per unit", yscale="log")
    left.legend()
    image = right.imshow(np.corrcoef(Y[:, order].T), cmap="viridis", vmin=0, vmax=1)
    right.grid(False)
    starts = np.flatnonzero(np.r_[True, tissues[1:] != tissues[:-1]])
    middles = (starts + np.r_[starts[1:], len(tissues)] - 1) / 2
    right.set_xticks(middles, tissues[starts], fontsize=7, rotation=90)
    right.set_yticks(middles, tissues[starts], fontsize=7)
    for start in starts[1:]:
        right.axhline(start - 0.5, color="white", lw=0.5)
        right.axvline(start - 0.5, color="white", lw=0.5)
    figure.colorbar(image, ax=right, label="correlation")
    return figure


def plot_activity_profiles(true, predictions, names):
    """Activities of a few molecules on all cell lines, true and predicted.

    Parameters
    ----------
    true : ndarray of shape (n, n_cell_lines)
        Activity scores.
    predictions : dict of str to ndarray of shape (n, n_cell_lines)
        Predicted scores by method.
    names : sequence of str
        Titles of the molecules.

    Returns
    -------
    Figure
    """
    n, n_cell_lines = true.shape
    figure, axes = _subplots(n, 1, figsize=(8.0, 1.7 * n), sharex=True, squeeze=False)
    place = np.arange(n_cell_lines)
    for i, (axis, name) in enumerate(zip(axes[:, 0], names, strict=True)):
        axis.bar(place, true[i], color="0.8", label="measured")
        styles = zip(predictions.items(), COLORS, DASHES, strict=False)
        for (method, values), color, dash in styles:
            axis.step(place, values[i], where="mid", color=color, ls=dash, label=method)
        axis.set(ylabel="score", title=name)
    axes[-1, 0].set_xlabel("cell line")
    axes[0, 0].legend(fontsize=8, ncols=3, loc="lower right")
    return figure


def _show(axis, image):
    """One grey picture without ticks; missing pixels are hatched."""
    axis.imshow(image, cmap="gray_r", vmin=0, vmax=1)
    axis.set(xticks=[], yticks=[])
    axis.grid(False)
    axis.spines[:].set_visible(True)
    axis.spines[:].set_linewidth(0.5)
    missing = np.isnan(image)
    if missing.any():
        rows, columns = np.nonzero(missing)
        corner = (columns.min() - 0.5, rows.min() - 0.5)
        size = (np.ptp(columns) + 1, np.ptp(rows) + 1)
        axis.add_patch(plt.Rectangle(corner, *size, fc="none", ec="0.6", hatch="///", lw=0.0))


def _label_rows(axes, names):
    for axis, name in zip(axes[:, 0], names, strict=True):
        axis.set_ylabel(name, rotation=0, ha="right", va="center")
