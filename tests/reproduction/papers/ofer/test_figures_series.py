import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.stats import norm

from ofer import LinearGaussianSSM
from reproduction.datasets.generated.state_space_series import make_state_space_series
from reproduction.papers.ofer.figures.forecasts import (
    plot_excess_error,
    plot_forecasts,
    plot_past_and_future,
)
from reproduction.papers.ofer.figures.state_space import (
    plot_eigenvalues,
    plot_filter_and_smoother,
    plot_innovations,
    plot_likelihoods,
    plot_sampled_series,
    plot_shrinkage,
    plot_state_paths,
    plot_state_space_graph,
)
from reproduction.papers.ofer.figures.volatility import (
    plot_series_model,
    plot_volatilities,
    plot_words,
)

RNG = np.random.default_rng(0)
FRAME = pd.DataFrame(
    [
        (method, setting, split, "rrmse", base + int(setting) / 100 + split / 10)
        for method, base in [("a", 0.0), ("b", 1.0), ("c", 5.0)]
        for setting in ("20", "100")
        for split in range(3)
    ],
    columns=["method", "setting", "split", "metric", "value"],
)
SERIES = RNG.normal(size=(2, 6, 3))
STATE_PATHS = RNG.normal(size=(2, 6, 2))
TURNING = make_state_space_series(4, n_observed=2, random_state=0)
HOLED = np.where(np.arange(10)[:, None] == 5, np.nan, TURNING.series[0])
CURVES = {"1 state": np.array([-9.0, -5.0, -4.0]), "2 states": np.array([-8.0, -3.0, -2.5, -2.4])}
EIGENVALUES = np.array([0.6 + 0.5j, 0.6 - 0.5j])
RIDGES = np.logspace(0, 3, 4)
RIDGE_ERRORS = np.array([[4.0, 4.2], [3.0, 3.2], [2.0, 2.2], [2.0, 2.4]])
VOLATILITIES = np.cumsum(RNG.normal(size=(40, 5)), axis=1) - 4
SERIES_MODEL = LinearGaussianSSM(1, tol=1e-4).fit(VOLATILITIES[:, :, None])
WORDS = np.array(["debt", "risk", "dividend", "the", "stable"])
COEFFICIENTS = np.array([0.5, 2.0, -3.0, 0.1, -1.0])

FIGURES = {
    "plot_volatilities": (lambda: plot_volatilities(VOLATILITIES, {"A": 0, "B": 3}), 2),
    "plot_series_model": (
        lambda: plot_series_model(SERIES_MODEL, VOLATILITIES, [0, 3, 5]),
        2,
    ),
    "plot_words": (
        lambda: plot_words(WORDS, COEFFICIENTS, n_words=2, label="coefficient"),
        2,
    ),
    "plot_past_and_future": (
        lambda: plot_past_and_future(SERIES, STATE_PATHS, n_given=4),
        4,
    ),
    "plot_forecasts": (
        lambda: plot_forecasts(
            SERIES[:, :, 0], np.zeros((2, 2)), np.ones((2, 2)), 4, others={"one": np.ones((2, 2))}
        ),
        2,
    ),
    "plot_excess_error": (
        lambda: plot_excess_error(FRAME, metrics=["rrmse"], floor="a"),
        1,
    ),
    "plot_state_space_graph": (plot_state_space_graph, 1),
    "plot_sampled_series": (
        lambda: plot_sampled_series(TURNING.paths, TURNING.series, 1.5),
        2,
    ),
    "plot_filter_and_smoother": (
        lambda: plot_filter_and_smoother(TURNING.model, HOLED, TURNING.paths[0]),
        2,
    ),
    "plot_likelihoods": (lambda: plot_likelihoods(CURVES), 2),
    "plot_eigenvalues": (
        lambda: plot_eigenvalues(EIGENVALUES, {"few": [EIGENVALUES + 0.2, EIGENVALUES]}),
        2,
    ),
    "plot_innovations": (
        lambda: plot_innovations(TURNING.model, TURNING.paths[0], TURNING.series[0]),
        2,
    ),
    "plot_shrinkage": (
        lambda: plot_shrinkage(
            np.arange(4.0),
            np.arange(3.0),
            {"small": np.ones(3), "large": np.zeros(3)},
            RIDGES,
            RIDGE_ERRORS,
            {"best": np.array([1.0, 1.5])},
        ),
        2,
    ),
    "plot_state_paths": (
        lambda: plot_state_paths(
            [{"truth": path, "predicted": -path} for path in TURNING.paths[:2]], ["one", "two"]
        ),
        2,
    ),
}
# Pictures and diagrams: their text is in titles and row labels instead of axis labels.
WITHOUT_AXES = {"plot_state_space_graph"}

pytestmark = pytest.mark.usefixtures("without_a_screen")


@pytest.mark.parametrize("name", FIGURES)
def test_is_complete_and_in_the_style(name, check_figure):
    check_figure(name)


def test_past_and_future_are_told_apart(draw, lines):
    axes = draw("plot_past_and_future").axes
    marks = [line for line in axes[0].lines if line.get_linestyle() == "None"]
    for j in range(3):
        known, hidden = marks[2 * j : 2 * j + 2]
        assert_array_equal(known.get_ydata(), SERIES[0, :4, j])
        assert_array_equal(hidden.get_ydata(), SERIES[0, 4:, j])
        assert hidden.get_markerfacecolor() == "white"
    assert_array_equal(lines(axes[3])["second half"].get_xydata(), STATE_PATHS[1, 4:])


def test_forecast_bands_hold_what_they_say(draw, lines):
    axis = draw("plot_forecasts").axes[1]
    ninety, half = (band.get_paths()[0].vertices[:, 1].max() for band in axis.collections)
    assert_allclose(norm.cdf([ninety, half]) - norm.cdf([-ninety, -half]), [0.9, 0.5], atol=1e-3)
    assert_array_equal(lines(axis)["true"].get_xydata(), np.c_[[5, 6], SERIES[1, 4:, 0]])
    assert_array_equal(lines(axis)["one"].get_xydata(), [[5, 1], [6, 1]])


def test_excess_error_is_above_the_floor(draw, lines):
    axis = draw("plot_excess_error").axes[0]
    curves = lines(axis)
    assert set(curves) == {"b", "c"}
    assert_allclose(curves["c"].get_xydata(), [[20, 5], [100, 5]])
    below = plot_excess_error(FRAME, metrics=["rrmse"], floor="b").axes[0]
    assert np.isnan(lines(below)["a"].get_ydata()).all(), "the floor is no lower bound on a sample"


def test_excess_error_tells_many_methods_apart():
    frame = pd.concat([FRAME.assign(method=f"{k}", value=k + 1) for k in range(14)])
    curves = plot_excess_error(frame, metrics=["rrmse"], floor="0").axes[0].lines
    looks = {(one.get_color(), one.get_markerfacecolor(), one.get_marker()) for one in curves}
    assert len(looks) == len(curves) == 13


def test_graph_has_a_state_and_an_observation_a_step():
    axis = plot_state_space_graph(n_steps=3).axes[0]
    texts = [text.get_text() for text in axis.texts if text.get_text()]
    names = [text for text in texts if text.startswith(("$m", "$z"))]
    assert sorted(names) == ["$m_1$", "$m_2$", "$m_3$", "$z_1$", "$z_2$", "$z_3$"]
    assert len(axis.patches) == 6
    assert [texts.count("$C,\\ R$"), texts.count("$A,\\ Q$")] == [3, 2]


def test_sampled_series_and_their_level(draw):
    plane, time = draw("plot_sampled_series").axes
    assert_array_equal(plane.lines[0].get_xydata(), TURNING.paths[0])
    assert_array_equal(time.lines[1].get_ydata(), TURNING.series[1, :, 0])
    assert [line.get_ydata()[0] for line in time.lines[-2:]] == [-3.0, 3.0]


def test_filter_is_wider_than_smoother_and_holes_are_shaded(draw, lines):
    top, bottom = draw("plot_filter_and_smoother").axes
    curves = lines(bottom)
    filtered, smoothed = curves["filter"].get_ydata(), curves["smoother"].get_ydata()
    assert (filtered[:-1] > smoothed[:-1]).all()
    assert_allclose(filtered[-1], smoothed[-1])
    expected = np.sqrt(TURNING.model.smooth(HOLED[None]).covariances[0, :, 0, 0])
    assert_allclose(smoothed, expected)
    assert len(top.patches) == len(bottom.patches) == 1
    assert len(top.collections) == 2, "a band each"


def test_likelihoods_and_their_gains(draw, lines):
    left, right = draw("plot_likelihoods").axes
    assert_array_equal(lines(left)["2 states"].get_xydata(), [[1, -3.0], [2, -2.5], [3, -2.4]])
    assert_allclose(right.lines[0].get_ydata(), [4.0, 1.0])


def test_eigenvalues_from_afar_and_near(draw, lines):
    far, near = draw("plot_eigenvalues").axes
    assert_allclose(lines(far)["few"].get_xdata(), [0.8, 0.8, 0.6, 0.6])
    (low_x, high_x), (low_y, high_y) = near.get_xlim(), near.get_ylim()
    assert low_x < 0.6 < 0.8 < high_x
    assert low_y < 0.5 < high_y
    assert low_y > -0.5, "the mirror image is left out"
    frame = far.patches[-1]
    assert_allclose([*frame.get_xy(), frame.get_width()], [low_x, low_y, high_x - low_x])


def test_innovations_lead_to_the_next_state(draw):
    plane, time = draw("plot_innovations").axes
    arrows = plane.collections[0]
    tips = arrows.get_offsets() + np.column_stack([arrows.U, arrows.V])
    assert_allclose(tips, TURNING.paths[0, 1:])
    expected = TURNING.paths[0, :-1] @ TURNING.model.transition_matrix_.T
    assert_allclose(arrows.get_offsets(), expected)
    bars = np.array([segment[:, 1] for segment in time.collections[0].get_segments()])
    assert_allclose(bars[:, 1], TURNING.series[0, :, 0])
    assert_allclose(bars[:, 0], TURNING.paths[0] @ TURNING.model.observation_matrix_[0])


def test_shrinkage_joins_past_and_future(draw, lines):
    left, right = draw("plot_shrinkage").axes
    assert_array_equal(left.lines[0].get_xdata(), [-3, -2, -1, 0])
    assert_array_equal(lines(left)["truth"].get_xdata(), [1, 2, 3])
    assert_allclose(lines(right)["a ridge a block"].get_ydata(), [4.1, 3.1, 2.1, 2.2])
    assert_allclose(lines(right)["best"].get_ydata(), 1.25)


def test_state_paths_a_panel_each(draw, lines):
    figure = draw("plot_state_paths")
    assert [axis.get_title() for axis in figure.axes] == ["one", "two"]
    assert_array_equal(lines(figure.axes[1])["truth"].get_xydata(), TURNING.paths[1])
    assert [text.get_text() for text in figure.legends[0].get_texts()] == ["truth", "predicted"]


def test_volatilities_with_their_correlations(draw, lines):
    left, right = draw("plot_volatilities").axes
    assert_allclose(lines(left)["B"].get_ydata(), VOLATILITIES[3])
    assert_allclose(right.images[0].get_array(), np.corrcoef(VOLATILITIES.T))
    assert right.texts[1].get_text() == f"{np.corrcoef(VOLATILITIES.T)[0, 1]:.2f}"


def test_series_model_shows_the_moments_it_implies(draw, lines):
    left, right = draw("plot_series_model").axes
    sampled = SERIES_MODEL.sample(20000, 5)[1][:, :, 0]
    mean, deviation = sampled.mean(axis=0), sampled.std(axis=0)
    assert_allclose(lines(left)["model, two standard deviations"].get_ydata(), mean, atol=0.1)
    band = left.collections[0].get_paths()[0].get_extents()
    assert_allclose(
        [band.y0, band.y1], [(mean - 2 * deviation).min(), (mean + 2 * deviation).max()], atol=0.15
    )
    states = SERIES_MODEL.smooth(VOLATILITIES[[3], :, None]).means[0]
    expected = states @ SERIES_MODEL.observation_matrix_.T + SERIES_MODEL.observation_offset_
    assert_allclose(right.lines[3].get_ydata(), expected[:, 0])
    assert_allclose(right.lines[2].get_ydata(), VOLATILITIES[3])


def test_words_of_either_sign(draw):
    axes = draw("plot_words").axes
    shown = [[text.get_text() for text in axis.get_yticklabels()] for axis in axes]
    assert shown == [["dividend", "stable"], ["risk", "debt"]]
    assert_allclose([bar.get_width() for bar in axes[0].patches], [3.0, 1.0])
