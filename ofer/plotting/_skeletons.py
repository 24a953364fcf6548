"""Figures of body poses."""

import matplotlib.pyplot as plt
import numpy as np

from ofer.plotting._style import COLORS, DASHES, in_style

__all__ = ["plot_skeletons"]


@in_style
def plot_skeletons(poses, limbs, titles):
    """Body poses seen from two sides, each column a frame, the poses of a frame over each other.

    Parameters
    ----------
    poses : dict of str to ndarray of shape (n, n_points, 3)
        Poses of the same n frames by name, at most two of them: the true and the predicted ones.
        The second axis of space points down.
    limbs : ndarray of shape (n_limbs, 2)
        Pairs of points that are joined.
    titles : sequence of str
        A title a frame.

    Returns
    -------
    Figure
    """
    n = len(titles)
    reach = 1.1 * max(abs(points[..., [0, 2]]).max() for points in poses.values())
    figure, axes = plt.subplots(2, n, figsize=(1.5 * n, 5.2), sharey=True, squeeze=False)
    for row, (across, view) in zip(
        axes, [(0, "from the front"), (2, "from the side")], strict=True
    ):
        for look, (name, points) in enumerate(poses.items()):
            for axis, frame in zip(row, points, strict=True):
                ends = frame[limbs][:, :, [across, 1]]  # (limbs, ends, plane)
                gaps = np.full((len(limbs), 1, 2), np.nan)  # so that one line draws all limbs
                path = np.concatenate([ends, gaps], axis=1).reshape(-1, 2)
                style = {"color": COLORS[look], "ls": DASHES[look], "lw": 3 - 1.5 * look}
                axis.plot(*path.T, label=name, alpha=0.8, **style)
        for axis in row:
            axis.set(aspect="equal", xticks=[], yticks=[], xlim=(-reach, reach))
            axis.grid(False)
        row[0].set_ylabel(view)
    axes[0, 0].invert_yaxis()  # all others share it
    for axis, title in zip(axes[0], titles, strict=True):
        axis.set_title(title, fontsize=9)
    figure.legend(*axes[0, 0].get_legend_handles_labels(), loc="outside lower center", ncols=2)
    return figure
