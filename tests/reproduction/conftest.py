"""What every figure is asked, and how the tests of figures look at them."""

import matplotlib as mpl
import pytest
from matplotlib import pyplot as plt

from reproduction.figures.style import STYLE


@pytest.fixture
def without_a_screen():
    plt.switch_backend("agg")
    yield
    plt.close("all")


@pytest.fixture
def draw(request, without_a_screen):
    """Draw one of the figures that the test module names in `FIGURES`."""
    return lambda name: request.module.FIGURES[name][0]()


@pytest.fixture
def lines():
    """Lines of a panel by label."""
    return lambda axis: {line.get_label(): line for line in axis.lines}


@pytest.fixture
def legend_texts():
    """Texts of the legend of a panel."""
    return lambda axis: [text.get_text() for text in axis.get_legend().get_texts()]


@pytest.fixture
def check_figure(request, draw):
    """Check a figure of `FIGURES`: (function that draws it, number of its axes) by name."""

    def check(name):
        _, n_axes = request.module.FIGURES[name]
        before = dict(mpl.rcParams)
        figure = draw(name)
        assert dict(mpl.rcParams) == before, "the settings of the caller are left alone"
        figure.canvas.draw()
        assert len(figure.axes) == n_axes
        assert all(axis.has_data() or axis.patches for axis in figure.axes)
        assert plt.get_fignums() == [figure.number], "one figure, left open for the notebook"
        assert figure.dpi == STYLE["figure.dpi"] != plt.rcParams["figure.dpi"], "in the style"
        if name not in getattr(request.module, "WITHOUT_AXES", ()):
            assert any(axis.get_xlabel() for axis in figure.axes)
            assert any(axis.get_ylabel() for axis in figure.axes)

    return check
