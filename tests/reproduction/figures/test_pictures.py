import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from reproduction.figures.memberships import plot_memberships
from reproduction.figures.pictures import plot_image_rows, plot_task

RNG = np.random.default_rng(0)
IMAGES = RNG.uniform(size=(3, 4, 4))
MASK = np.zeros((4, 4), bool)
MASK[1:3, 1:3] = True
GAMMA = RNG.dirichlet(np.ones(4), size=2)

FIGURES = {
    "plot_task": (lambda: plot_task(IMAGES, MASK), 6),
    "plot_image_rows": (lambda: plot_image_rows({"one": IMAGES, "two": IMAGES}), 6),
    "plot_memberships": (lambda: plot_memberships(GAMMA, GAMMA - 0.1), 2),
}
# Pictures and diagrams: their text is in titles and row labels instead of axis labels.
WITHOUT_AXES = {"plot_image_rows", "plot_task"}

pytestmark = pytest.mark.usefixtures("without_a_screen")


@pytest.mark.parametrize("name", FIGURES)
def test_is_complete_and_in_the_style(name, check_figure):
    check_figure(name)


def test_a_single_panel():
    assert len(plot_task(IMAGES[:1], MASK).axes) == 2
    assert len(plot_image_rows({"one": IMAGES[:1]}).axes) == 1
    assert len(plot_memberships(GAMMA[:1], GAMMA[:1]).axes) == 1


def test_task_hides_the_outputs_only(draw):
    axes = draw("plot_task").axes
    assert [axes[0].get_ylabel(), axes[3].get_ylabel()] == ["picture", "input"]
    whole, seen = axes[1].images[0].get_array(), axes[4].images[0].get_array()
    assert_array_equal(whole, IMAGES[1])
    assert_array_equal(np.ma.getmaskarray(seen) | np.isnan(np.ma.getdata(seen)), MASK)


def test_image_rows_are_named_in_order(draw):
    axes = draw("plot_image_rows").axes
    assert [axes[0].get_ylabel(), axes[3].get_ylabel()] == ["one", "two"]
    assert_array_equal(axes[5].images[0].get_array(), IMAGES[2])


def test_memberships_as_pairs_of_bars(draw):
    figure = draw("plot_memberships")
    axis = figure.axes[1]
    heights = [[bar.get_height() for bar in bars] for bars in axis.containers]
    assert_allclose(heights, [GAMMA[1], GAMMA[1] - 0.1])
    assert [text.get_text() for text in figure.legends[0].get_texts()] == ["true", "predicted"]
