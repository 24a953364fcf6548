import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.base import clone

from ofer import GaussianEmbedding, GaussianMixtureEmbedding
from reproduction.papers.ofer.figures.closed_form import plot_cancellation, plot_explosion
from reproduction.papers.ofer.figures.digits import plot_means_as_images, plot_prediction
from reproduction.papers.ofer.figures.embeddings import (
    plot_class_scheme,
    plot_decoding,
    plot_density_and_score,
    plot_mixture_scores,
    plot_three_steps,
)
from reproduction.papers.ofer.figures.fisher_vectors import (
    plot_covariance_types,
    plot_fisher_vectors,
    plot_responsibilities,
    plot_sparsity,
    plot_tolerances,
)
from reproduction.papers.ofer.figures.playground import (
    plot_embedding_of_output,
    plot_tug,
    plot_two_decoders,
    plot_weak_label_panels,
)
from reproduction.papers.ofer.figures.pre_images import (
    plot_loss_curves,
    plot_loss_maps,
    plot_search_paths,
    plot_vanishing_sum,
)
from reproduction.papers.ofer.figures.targets import plot_targets

RNG = np.random.default_rng(0)
IMAGES = RNG.uniform(size=(3, 4, 4))
GAMMA = RNG.dirichlet(np.ones(4), size=2)
ALPHAS = np.logspace(-2, 2, 5)
PLACES = np.linspace(-3, 3, 41)[:, None]
GAUSSIAN = GaussianEmbedding().fit(RNG.normal(size=(30, 1)))
Y = np.vstack([RNG.normal(0, 1, (15, 2)), RNG.normal(9, 1, (15, 2))])
MIXTURE = GaussianMixtureEmbedding(2, random_state=0).fit(Y)
SLANTED = GaussianEmbedding(covariance_type="full").fit(Y)
THREE = GaussianMixtureEmbedding(3, tol=1e-2, random_state=0).fit(Y)
SHARES = pd.DataFrame({2: [0.1, 0.5], 4: [0.2, 0.7]}, index=[0, 8])
TOLERANCES = pd.DataFrame({"mean score": [1e-2, 1e-5], "iterations": [3, 30]}, index=[1e-3, 1e-9])
GRID = np.array([[0.0, 1.0], [9.0, 8.0], [1.0, 0.0]])
PLANE = np.stack(np.meshgrid(np.linspace(-2, 2, 9), np.linspace(-1, 3, 9)), axis=-1)
BOWL = np.square(PLANE - [0.5, 1.0]).sum(axis=-1)
VALLEYS = np.square(np.square(PLACES[:, 0]) - 1)
LIMITS = [[-4.0, 14.0], [-4.0, 14.0]]
OUTSIDE = np.array([1.2, 0.1, -0.3, 1.0, 2.0])
LEVEL = {"mean": [3.0, 2.0, 1.0], "std": [0.3, 0.2, 0.1]}
RIVAL = {"weak": 50, "mean": [2.5, 1.6, 1.2], "std": [0.1, 0.1, 0.1]}
FALLING = [{"weak": 0, **LEVEL}, {"weak": 50, "mean": [2.0, 1.5, 1.0], "std": [0.1, 0.1, 0.1]}]

SUMS = {"one": (np.array([0.0, 2.0]), np.array([1.0, 3.0])), "two": (np.zeros(2), np.ones(2))}

FIGURES = {
    "plot_tug": (lambda: plot_tug(THREE, Y[0], limits=LIMITS), 2),
    "plot_cancellation": (lambda: plot_cancellation(SUMS, np.array([1.0, 3.0])), 2),
    "plot_embedding_of_output": (
        lambda: plot_embedding_of_output(THREE, Y[0], limits=LIMITS),
        2,
    ),
    "plot_two_decoders": (
        lambda: plot_two_decoders(THREE, OUTSIDE, limits=LIMITS),
        2,
    ),
    "plot_weak_label_panels": (
        lambda: plot_weak_label_panels([1, 10, 100], LEVEL, RIVAL, FALLING, ylabel="error"),
        2,
    ),
    "plot_explosion": (
        lambda: plot_explosion(np.array([-1.0, 0.1]), {"one": np.ones(2)}),
        1,
    ),
    "plot_prediction": (
        lambda: plot_prediction(
            np.eye(4), np.eye(4) > 0, np.zeros((3, 4)), np.array([0.5, -0.1, 0.6]), np.ones((4, 4))
        ),
        7,
    ),
    "plot_means_as_images": (
        lambda: plot_means_as_images(IMAGES.reshape(3, 16), np.array([0.5, 0.3, 0.2])),
        3,
    ),
    "plot_density_and_score": (lambda: plot_density_and_score(GAUSSIAN, PLACES), 2),
    "plot_mixture_scores": (lambda: plot_mixture_scores(MIXTURE, Y, GRID), 2),
    "plot_fisher_vectors": (
        lambda: plot_fisher_vectors(GAUSSIAN, PLACES, GaussianEmbedding().fit(Y), Y),
        3,
    ),
    "plot_covariance_types": (
        lambda: plot_covariance_types(
            {"round": GaussianEmbedding().fit(Y), "slanted": SLANTED}, Y, GRID
        ),
        2,
    ),
    "plot_responsibilities": (
        lambda: plot_responsibilities(THREE, Y, limits=(-4, 13, -4, 13)),
        5,
    ),
    "plot_sparsity": (lambda: plot_sparsity(SHARES), 1),
    "plot_tolerances": (lambda: plot_tolerances(TOLERANCES, default=1e-3), 2),
    "plot_three_steps": (plot_three_steps, 1),
    "plot_class_scheme": (lambda: plot_class_scheme(512, 50, 10, 101), 1),
    "plot_decoding": (
        lambda: plot_decoding(MIXTURE, MIXTURE.transform(GRID), GRID + 0.5),
        1,
    ),
    "plot_targets": (
        lambda: plot_targets(GAMMA, np.array([[0.1, -3.0], [2.0, 1.0]]), GAMMA[:1]),
        1,
    ),
    "plot_loss_curves": (
        lambda: plot_loss_curves(
            PLACES[:, 0], {"a": {"full": VALLEYS}, "b": {"full": VALLEYS}}, 1.0, highest=5
        ),
        2,
    ),
    "plot_loss_maps": (
        lambda: plot_loss_maps(
            PLANE, {"a": (BOWL, {"minimum": GRID[:1]}), "b": (9 * BOWL, {"others": GRID})}
        ),
        2,
    ),
    "plot_search_paths": (
        lambda: plot_search_paths(
            PLANE, BOWL, np.stack([GRID, 0.5 * GRID]), {"end": 0.5 * GRID[0]}
        ),
        1,
    ),
    "plot_vanishing_sum": (
        lambda: plot_vanishing_sum(
            ALPHAS, {"raw": ALPHAS - 1}, {"raw": np.abs(1 / (ALPHAS - 1.01))}, 2.0
        ),
        2,
    ),
}
# Pictures and diagrams: their text is in titles and row labels instead of axis labels.
WITHOUT_AXES = {
    "plot_class_scheme",
    "plot_means_as_images",
    "plot_prediction",
    "plot_three_steps",
}

pytestmark = pytest.mark.usefixtures("without_a_screen")


@pytest.mark.parametrize("name", FIGURES)
def test_is_complete_and_in_the_style(name, check_figure):
    check_figure(name)


def test_a_single_panel():
    assert len(plot_means_as_images(np.zeros((1, 16)), np.ones(1)).axes) == 1


def test_means_carry_their_weights(draw):
    axes = draw("plot_means_as_images").axes
    assert [axis.get_title() for axis in axes] == ["50%", "30%", "20%"]


def test_targets_hide_the_mean_block_of_weak_samples(draw):
    axis = draw("plot_targets").axes[0]
    memberships, means = (image.get_array() for image in axis.images)
    assert_array_equal(memberships, np.vstack([GAMMA, GAMMA[:1]]))
    assert_array_equal(means, [[0.1, 3.0], [2.0, 1.0]])
    hidden = axis.patches[0]
    assert (hidden.get_xy(), hidden.get_width(), hidden.get_height()) == ((4, 2), 2, 1)


def test_loss_curves_mark_every_minimum(draw, lines):
    curve = lines(draw("plot_loss_curves").axes[0])["full"]
    assert_allclose(np.abs(curve.get_xdata()[curve.get_markevery()]), [1.05, 1.05])


def test_loss_maps_keep_the_marker_of_a_name(draw):
    first, second = draw("plot_loss_maps").axes
    assert first.lines[0].get_marker() != second.lines[0].get_marker()
    assert_array_equal(second.lines[0].get_xydata(), GRID)
    levels = first.collections[-1].levels
    assert levels.min() > BOWL.min()
    assert levels.max() < BOWL.max()


def test_search_paths_go_from_start_to_end(draw, legend_texts):
    axis = draw("plot_search_paths").axes[0]
    assert_array_equal(axis.lines[1].get_xydata(), [GRID[1], 0.5 * GRID[1]])
    assert legend_texts(axis) == ["steps from a start", "end"]


def test_vanishing_sum_shows_zero_and_the_scale(draw, lines):
    top, bottom = draw("plot_vanishing_sum").axes
    assert_array_equal(top.lines[1].get_ydata(), [0, 0])
    assert_array_equal(lines(bottom)["farthest training output"].get_ydata(), [2, 2])


def test_scores_cross_zero_where_they_should(draw):
    density, score = draw("plot_density_and_score").axes
    assert density.collections, "the density is a filled area"
    in_mean, in_variance = score.lines[:2]
    assert_allclose(in_mean.get_ydata(), GAUSSIAN.fisher_vector(PLACES)[:, 0])
    assert_allclose(in_variance.get_ydata(), GAUSSIAN.fisher_vector(PLACES)[:, 1])


def test_mixture_scores_point_away_from_the_means(draw):
    left, right = draw("plot_mixture_scores").axes
    assert sum(len(line.get_xdata()) for line in left.lines) == len(Y)
    assert len(left.patches) == len(right.patches) == 2
    arrows = {tuple(quiver.get_offsets()[0]): quiver for quiver in right.collections}
    at_one = arrows[9.0, 8.0]
    pulled = np.array([at_one.U, at_one.V]).ravel()
    owner = MIXTURE.predict_proba(GRID[1:2])[0].argmax()
    expected = (GRID[1] - MIXTURE.means_[owner]) / MIXTURE.covariances_[owner]
    assert_allclose(pulled, expected, rtol=1e-6)


def test_fisher_vectors_lie_on_their_surfaces_and_are_marked_by_distance(draw):
    histogram, parabola, paraboloid = draw("plot_fisher_vectors").axes
    assert sum(bar.get_height() for bar in histogram.patches) == len(PLACES)
    within, beyond = parabola.lines
    assert within.get_marker() != beyond.get_marker()
    precision = 1 / GAUSSIAN.covariance_
    for marks in (within, beyond):
        mean, variance = marks.get_data()
        assert_allclose(variance, (mean**2 - precision) / 2)
    assert (within.get_ydata() <= 0).all()
    assert (beyond.get_ydata() > 0).all()
    assert len(within.get_xdata()) + len(beyond.get_xdata()) == len(PLACES)
    precision = 1 / GaussianEmbedding().fit(Y).covariance_
    for marks in paraboloid.lines:
        first, second, height = marks.get_data_3d()
        assert_allclose(height, (first**2 + second**2) / 2 - precision)
    assert (np.square(paraboloid.lines[0].get_data_3d()[:2]).sum(axis=0) <= precision).all()


def test_ellipses_are_two_standard_deviations_and_arrows_are_scores(draw):
    rounded, slanted = draw("plot_covariance_types").axes
    ellipse = slanted.patches[0]
    turn = np.radians(ellipse.angle)
    axes = np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
    ends = axes * [[ellipse.width / 2], [ellipse.height / 2]]
    # Conjugate half axes of length two in the metric of the covariance.
    assert_allclose(ends @ np.linalg.solve(SLANTED.covariance_, ends.T), 4 * np.eye(2), atol=1e-8)
    arrows = slanted.collections[0]
    assert_allclose(np.column_stack([arrows.U, arrows.V]), SLANTED.transform(GRID))
    assert arrows.scale == rounded.collections[0].scale


def test_four_covariance_types_fill_a_square():
    figure = plot_covariance_types(dict.fromkeys("abcd", MIXTURE), Y)
    assert [axis.get_title() for axis in figure.axes] == list("abcd")
    assert [axis.get_ylabel() for axis in figure.axes] == ["$y_2$"] * 4
    assert [len(axis.patches) for axis in figure.axes] == [2] * 4


def test_responsibilities_are_one_half_on_the_line(draw):
    density, *panels, _ = draw("plot_responsibilities").axes
    assert sum(len(line.get_xdata()) for line in density.lines) == len(Y)
    assert sum(len(line.get_xdata()) for panel in panels for line in panel.lines) == len(Y)
    for j, panel in enumerate(panels):
        border = np.concatenate([path.vertices for path in panel.collections[-1].get_paths()])
        assert_allclose(THREE.predict_proba(border)[:, j], 0.5, atol=0.05)


def test_sparsity_with_its_ceilings(draw, lines):
    axis = draw("plot_sparsity").axes[0]
    assert_allclose(lines(axis)["$C = 4$"].get_ydata(), SHARES[4])
    ceilings = [line.get_ydata()[0] for line in axis.lines if line.get_linestyle() == ":"]
    assert_allclose(ceilings, [0.5, 0.75])


def test_tolerances_against_the_square_root(draw, lines):
    score, iterations = draw("plot_tolerances").axes
    assert_allclose(lines(score)["square root"].get_ydata(), np.sqrt(TOLERANCES.index))
    assert_allclose(lines(score)["mean score"].get_ydata(), TOLERANCES["mean score"])
    assert_allclose(lines(iterations)["iterations"].get_ydata(), TOLERANCES["iterations"])
    assert lines(score)["scikit-learn's default"].get_xdata()[0] == 1e-3


def test_three_steps_are_numbered(draw):
    texts = " ".join(text.get_text() for text in draw("plot_three_steps").axes[0].texts)
    assert all(step in texts for step in ("1  embed", "2  regress", "3  decode"))
    texts = [text.get_text() for text in draw("plot_class_scheme").axes[0].texts]
    steps = sorted(text[0] for text in texts if text[0].isdigit())
    assert steps == list("12345")
    assert any("ℝ^{60}" in text for text in texts), "50 coordinates, 10 memberships"


def test_decoding_ends_at_the_prediction(draw, lines):
    axis = draw("plot_decoding").axes[0]
    by_label = lines(axis)
    predicted = by_label[r"prediction $y^\star$"].get_xydata()
    assert_allclose(predicted, GRID, atol=1e-8)
    assert_allclose(by_label["true output"].get_xydata(), GRID + 0.5)
    arrows = axis.collections[0]
    tips = arrows.get_offsets() + np.column_stack([arrows.U, arrows.V])
    assert_allclose(tips, predicted)


def test_prediction_hides_the_output_and_shows_the_truth(draw):
    given, decoded, truth, bars, *_ = draw("plot_prediction").axes
    seen = given.images[0].get_array()
    assert_array_equal(np.ma.getmaskarray(seen) | np.isnan(np.ma.getdata(seen)), np.eye(4) > 0)
    assert_array_equal(decoded.images[0].get_array(), np.ones((4, 4)))
    assert_array_equal(truth.images[0].get_array(), np.eye(4))
    assert_allclose([bar.get_height() for bar in bars.patches], [0.5, -0.1, 0.6])


def test_embedding_of_output_goes_from_the_centroid_to_the_output(draw):
    plane, bars = draw("plot_embedding_of_output").axes
    embedded = THREE.transform(Y[:1])[0]
    assert_allclose([bar.get_width() for bar in bars.patches], embedded[:3])
    arrow = next(text for text in plane.texts if not text.get_text())
    assert_allclose(arrow.get_position(), Y[0] - embedded[3:])
    assert_allclose(arrow.xy, Y[0])
    radii = [disc.get_radius() for disc in plane.patches]
    assert_allclose(np.square(radii), THREE.covariances_)


def test_two_decoders_end_in_their_outputs(draw, lines):
    triangle, plane = draw("plot_two_decoders").axes
    for decoder in ("raw", "simplex"):
        made = clone(THREE).set_params(decoder=decoder).fit(Y)
        end = lines(plane)[f"$y^\\star$, {decoder}"].get_xydata()[0]
        assert_allclose(end, made.inverse_transform(OUTSIDE[None])[0])
    assert triangle.patches[0].contains_point(
        triangle.transData.transform(lines(triangle)["simplex"].get_xydata()[0]), radius=1.0
    )
    assert lines(triangle)["raw"].get_ydata()[0] < 0


def test_weak_label_panels_repeat_the_baseline(draw, lines):
    figure = draw("plot_weak_label_panels")
    assert [axis.get_title() for axis in figure.axes] == ["0 weak", "50 weak"]
    for axis, curve in zip(figure.axes, FALLING, strict=True):
        assert_array_equal(lines(axis)["baseline"].get_ydata(), LEVEL["mean"])
        assert_array_equal(lines(axis)["OFER"].get_ydata(), curve["mean"])
        assert_array_equal(lines(axis)["imputed"].get_ydata(), RIVAL["mean"])


def test_an_output_tugs_at_the_means_by_their_memberships(draw):
    plane, bars = draw("plot_tug").axes
    vector = THREE.transform(Y[:1])[0]
    assert_allclose([bar.get_width() for bar in bars.patches], vector)
    arrows = [text for text in plane.texts if text.arrow_patch is not None]
    moved = sum(np.subtract(arrow.xy, arrow.xyann) for arrow in arrows)
    assert_allclose(moved, vector[3:], atol=0.2)  # arrows too short to see are left out


def test_cancelled_sums_stand_on_the_reference(draw):
    first, second = draw("plot_cancellation").axes
    assert_array_equal(first.lines[1].get_xdata(), [1.0, 3.0])
    assert_array_equal(second.lines[0].get_xdata(), [0.0, 0.0])
