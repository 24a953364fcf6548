import matplotlib as mpl
import numpy as np
import pandas as pd
import pytest
from matplotlib import pyplot as plt
from matplotlib.colors import to_hex
from numpy.testing import assert_allclose, assert_array_equal
from scipy.stats import norm
from sklearn.base import clone

from ofer import GaussianEmbedding, GaussianMixtureEmbedding, LinearGaussianSSM, plotting
from ofer.datasets import (
    make_markov_sequences,
    make_mixture_regression,
    make_state_space_series,
    make_toy1,
)
from ofer.experiments import repeated_splits, summarize

RNG = np.random.default_rng(0)
IMAGES = RNG.uniform(size=(3, 4, 4))
MASK = np.zeros((4, 4), bool)
MASK[1:3, 1:3] = True
GAMMA = RNG.dirichlet(np.ones(4), size=2)
FRAME = pd.DataFrame(
    [
        (method, setting, split, "rrmse", base + int(setting) / 100 + split / 10)
        for method, base in [("a", 0.0), ("b", 1.0), ("c", 5.0)]
        for setting in ("20", "100")
        for split in range(3)
    ],
    columns=["method", "setting", "split", "metric", "value"],
)
SUMMARY = summarize(FRAME)
ALPHAS = np.logspace(-2, 2, 5)
ERRORS = {"membership": np.array([4.0, 2.0, 1.0, 2.0, 4.0]), "mean": np.array([3, 6.0, 9, 12, 15])}
PLACES = np.linspace(-3, 3, 41)[:, None]
GAUSSIAN = GaussianEmbedding().fit(RNG.normal(size=(30, 1)))
Y = np.vstack([RNG.normal(0, 1, (15, 2)), RNG.normal(9, 1, (15, 2))])
MIXTURE = GaussianMixtureEmbedding(2, random_state=0).fit(Y)
SLANTED = GaussianEmbedding(covariance_type="full").fit(Y)
THREE = GaussianMixtureEmbedding(3, tol=1e-2, random_state=0).fit(Y)
SHARES = pd.DataFrame({2: [0.1, 0.5], 4: [0.2, 0.7]}, index=[0, 8])
TOLERANCES = pd.DataFrame({"mean score": [1e-2, 1e-5], "iterations": [3, 30]}, index=[1e-3, 1e-9])
GRID = np.array([[0.0, 1.0], [9.0, 8.0], [1.0, 0.0]])
BOUNDS = [-5.0, -3.0, -2.5, -2.25]
SPLIT = repeated_splits(20, n_splits=1, train_fraction=0.6, train_sizes=[3, 8], random_state=0)[0]
P_VALUES = {"one": np.linspace(0.001, 1, 500), "two": np.full(500, 0.02)}
ACTIVITIES = RNG.normal(60, 5, size=(12, 5))
SERIES = RNG.normal(size=(2, 6, 3))
STATE_PATHS = RNG.normal(size=(2, 6, 2))
PLANE = np.stack(np.meshgrid(np.linspace(-2, 2, 9), np.linspace(-1, 3, 9)), axis=-1)
BOWL = np.square(PLANE - [0.5, 1.0]).sum(axis=-1)
VALLEYS = np.square(np.square(PLACES[:, 0]) - 1)
CELL_LINES = ["LE:a", "LE:b", "BR:c", "BR:d", "CO:e"]
TURNING = make_state_space_series(4, n_observed=2, random_state=0)
HOLED = np.where(np.arange(10)[:, None] == 5, np.nan, TURNING.series[0])
CURVES = {"1 state": np.array([-9.0, -5.0, -4.0]), "2 states": np.array([-8.0, -3.0, -2.5, -2.4])}
EIGENVALUES = np.array([0.6 + 0.5j, 0.6 - 0.5j])
RIDGES = np.logspace(0, 3, 4)
RIDGE_ERRORS = np.array([[4.0, 4.2], [3.0, 3.2], [2.0, 2.2], [2.0, 2.4]])

COUNTS = pd.DataFrame({"partly": [1, 2], "reproduced": [3, 0]}, index=["one", "two"])
CELLS = pd.DataFrame(
    [
        ("a-table-01", False, 1.0, 1.05),
        ("a-table-01", False, 1.0, 1.2),
        ("a-table-01", False, 30.0, 3.0),
        ("b-table-02", False, 0.0, 5.0),
        ("b-table-02", True, 1.0, 2.0),
    ],
    columns=["table", "is_time", "paper", "ours"],
).assign(ratio=lambda cells: cells["ours"] / cells["paper"])
VOLATILITIES = np.cumsum(RNG.normal(size=(40, 5)), axis=1) - 4
SERIES_MODEL = LinearGaussianSSM(1, tol=1e-4).fit(VOLATILITIES[:, :, None])
WORDS = np.array(["debt", "risk", "dividend", "the", "stable"])
COEFFICIENTS = np.array([0.5, 2.0, -3.0, 0.1, -1.0])
CLUSTERED = make_mixture_regression(60, n_clusters=9, random_state=0)
TIMED = pd.concat([SUMMARY, SUMMARY.assign(metric="predict time", mean=[1e-3, 2e-3, 1, 2, 30, 40])])

BY_WEAK = pd.DataFrame({"mean": [0.4, 0.3], "std": [0.02, 0.01]}, index=[0, 100])
WORTH = pd.DataFrame({"weak": [30.0, 200.0]}, index=[10, 100])

RANKS = pd.Series({"a": 1.2, "b": 2.1, "d": 3.9, "c": 2.8})

PEN, MOVES = np.ones((5, 3)), np.array([0, 0, 1, 1, 1])
CLASSIFIED = FRAME.groupby(["method", "setting", "metric"], sort=False)["value"]
CLASSIFIED = CLASSIFIED.agg(["mean", "std"]).reset_index()
OVERFIT = pd.DataFrame(
    {"training": [0.9, 0.95, 0.8, 1.0], "test": [0.8, 0.7, 0.8, 0.9]},
    index=pd.MultiIndex.from_product([["a", "b"], ["2", "5"]]),
)
POWERS = pd.DataFrame(
    [(f"power {p}", f"{n}", 1e-6 * n**p) for p in (2, 3) for n in (100, 200, 400)],
    columns=["method", "setting", "mean"],
)
TOY = make_toy1(20, n_test=10, random_state=0)
POSES = RNG.normal(size=(2, 4, 3))
LIMBS = np.array([[0, 1], [1, 2], [1, 3]])
WEIGHTS = np.linspace(0.0, 1.0, 5)
BY_ALPHA = pd.Series([3.0, 1.0, 2.0], index=[0.0, 1e-3, 1.0])
CERTAINTY = np.linspace(-2.0, 0.0, 40)
LIMITS = [[-4.0, 14.0], [-4.0, 14.0]]
OUTSIDE = np.array([1.2, 0.1, -0.3, 1.0, 2.0])
LEVEL = {"mean": [3.0, 2.0, 1.0], "std": [0.3, 0.2, 0.1]}
FALLING = [{"weak": 0, **LEVEL}, {"weak": 50, "mean": [2.0, 1.5, 1.0], "std": [0.1, 0.1, 0.1]}]
WALKS = make_markov_sequences(6, n_classes=2, persistence=0.3, random_state=0)
CLOUDS = {"plain": [Y, Y[::3]], "learned": [2 * Y, 2 * Y[::3]]}
HISTORIES = {"full": np.array([0.3, 0.6, 0.9]), "held": np.array([0.3, 0.7, 0.5, 0.6])}

HALF_STEPS = {"falls": [9.0, 8.0, 8.0, 7.0, 6.0], "leaps": [9.0, 5.0, 7.0, 4.0, 6.0]}
NAMES = np.array([list("OBO"), list("OOI")])

FIGURES = {
    "plot_walks": (lambda: plotting.plot_walks(WALKS), 2),
    "plot_mean_scores": (
        lambda: plotting.plot_mean_scores([0, 1, 30], {"mean": [2.0, 0.1, 1e-3], "one": [9, 9, 8]}),
        1,
    ),
    "plot_propagation": (
        lambda: plotting.plot_propagation(
            WEIGHTS,
            {"a sum": {"exact": WEIGHTS, "Bethe": WEIGHTS**2}, "another": {"exact": WEIGHTS}},
        ),
        2,
    ),
    "plot_objective_histories": (lambda: plotting.plot_objective_histories(HISTORIES), 1),
    "plot_score_embeddings": (
        lambda: plotting.plot_score_embeddings(
            CLOUDS, {"training": np.arange(30) % 3, "test": np.arange(10) % 2}
        ),
        4,
    ),
    "plot_half_steps": (lambda: plotting.plot_half_steps(HALF_STEPS), 1),
    "plot_label_sequences": (
        lambda: plotting.plot_label_sequences({"one": NAMES, "two": NAMES[::-1]}, ["O", "I", "B"]),
        2,
    ),
    "plot_local_predictors": (
        lambda: plotting.plot_local_predictors(
            Y[:4], np.array([0, 1, 1, 0]), Y[4:8], (np.arange(3), np.arange(2)), np.eye(2, 3)
        ),
        1,
    ),
    "plot_loss_by_parameter": (
        lambda: plotting.plot_loss_by_parameter(
            FRAME.assign(metric="loss"), {"a": 0.1, "b": 10.0}, label="C", reference="c"
        ),
        2,
    ),
    "plot_transduction": (
        lambda: plotting.plot_transduction(
            Y[:4],
            np.array([0, 1, 1, 0]),
            np.array([True, True, False, False]),
            {"before": np.array([0, 1, 0, 1]), "after": np.array([0, 1, 1, 1])},
        ),
        2,
    ),
    "plot_embedding_of_output": (
        lambda: plotting.plot_embedding_of_output(THREE, Y[0], limits=LIMITS),
        2,
    ),
    "plot_two_decoders": (
        lambda: plotting.plot_two_decoders(THREE, OUTSIDE, limits=LIMITS),
        2,
    ),
    "plot_weak_label_panels": (
        lambda: plotting.plot_weak_label_panels([1, 10, 100], LEVEL, FALLING, ylabel="error"),
        2,
    ),
    "plot_skeletons": (
        lambda: plotting.plot_skeletons(
            {"true": POSES, "predicted": POSES + 0.1}, LIMBS, ["a", "b"]
        ),
        4,
    ),
    "plot_divergence_family": (
        lambda: plotting.plot_divergence_family(
            WEIGHTS, {"one": WEIGHTS, "two": WEIGHTS**2}, {"KL": (1.0, 1.0)}
        ),
        1,
    ),
    "plot_objectives": (
        lambda: plotting.plot_objectives(WEIGHTS, {"one": (WEIGHTS - 0.5) ** 2 + 3.0}, [0.2, 0.8]),
        1,
    ),
    "plot_task_errors": (
        lambda: plotting.plot_task_errors(
            FRAME, {"few": ("20", "rrmse"), "many": ("100", "rrmse")}, ["c", "a"]
        ),
        2,
    ),
    "plot_two_means": (lambda: plotting.plot_two_means(WEIGHTS, [(1.0, 4.0), (2.0, 2.0)]), 2),
    "plot_multivalued": (
        lambda: plotting.plot_multivalued(TOY, dict.fromkeys("abcd", TOY.branches[:, :1])),
        4,
    ),
    "plot_error_by_alpha": (
        lambda: plotting.plot_error_by_alpha(
            {"x": {"test": BY_ALPHA, "validation": 2 * BY_ALPHA}, "y": {"test": BY_ALPHA}},
            ylabel="error",
        ),
        2,
    ),
    "plot_certainty": (
        lambda: plotting.plot_certainty({"x": (CERTAINTY, -CERTAINTY)}, n_bins=4),
        1,
    ),
    "plot_letters": (
        lambda: plotting.plot_letters(
            {"one": [PEN, 2 * PEN], "two": [PEN, PEN]},
            "ab",
            dict.fromkeys(["one", "two"], [MOVES] * 2),
        ),
        4,
    ),
    "plot_classifier_errors": (
        lambda: plotting.plot_classifier_errors(
            {"x": CLASSIFIED, "y": CLASSIFIED}, ["rrmse"], ["a", "c"]
        ),
        2,
    ),
    "plot_shares": (lambda: plotting.plot_shares({"x": OVERFIT}, ["c", "b", "a"]), 1),
    "plot_evaluation_times": (lambda: plotting.plot_evaluation_times(POWERS), 1),
    "plot_class_map": (
        lambda: plotting.plot_class_map(ACTIVITIES, list("abcdefghijkl"), np.arange(12) % 9),
        1,
    ),
    "plot_critical_difference": (lambda: plotting.plot_critical_difference(RANKS, 1.0), 1),
    "plot_relative_errors": (
        lambda: plotting.plot_relative_errors(FRAME, ["b", "c"], reference="a", metric="rrmse"),
        1,
    ),
    "plot_scores": (
        lambda: plotting.plot_scores(GRID / 9, [0.9, 0.75], {"one": GRID / 9, "two": GRID[:1]}),
        2,
    ),
    "plot_calibration": (
        lambda: plotting.plot_calibration(GRID, {"half": GRID / 2, "none": 0 * GRID}, n_bins=2),
        1,
    ),
    "plot_errors_by_weak_labels": (
        lambda: plotting.plot_errors_by_weak_labels(
            {"first": {"ours": BY_WEAK, "paper": BY_WEAK / 2}, "second": {"paper": BY_WEAK}},
            ylabel="error",
        ),
        2,
    ),
    "plot_weak_label_value": (lambda: plotting.plot_weak_label_value(WORTH), 1),
    "plot_clusters": (lambda: plotting.plot_clusters({"one": CLUSTERED, "two": CLUSTERED}), 4),
    "plot_search_ends": (
        lambda: plotting.plot_search_ends(
            CLUSTERED.means,
            CLUSTERED.Y[:5],
            {"many": CLUSTERED.Y[:5], "one": CLUSTERED.Y[5:10]},
            start=CLUSTERED.means[0],
        ),
        2,
    ),
    "plot_time_and_error": (
        lambda: plotting.plot_time_and_error(TIMED, settings=["20", "100"]),
        2,
    ),
    "plot_times": (lambda: plotting.plot_times(TIMED, metrics=("rrmse", "predict time")), 2),
    "plot_ablation": (lambda: plotting.plot_ablation(FRAME, reference="a"), 2),
    "plot_explosion": (
        lambda: plotting.plot_explosion(np.array([-1.0, 0.1]), {"one": np.ones(2)}),
        1,
    ),
    "plot_volatilities": (lambda: plotting.plot_volatilities(VOLATILITIES, {"A": 0, "B": 3}), 2),
    "plot_series_model": (
        lambda: plotting.plot_series_model(SERIES_MODEL, VOLATILITIES, [0, 3, 5]),
        2,
    ),
    "plot_error_by_method": (
        lambda: plotting.plot_error_by_method(
            FRAME[FRAME["setting"] == "20"], metric="rrmse", label="RRMSE", reference=1.0
        ),
        1,
    ),
    "plot_words": (
        lambda: plotting.plot_words(WORDS, COEFFICIENTS, n_words=2, label="coefficient"),
        2,
    ),
    "plot_scorecard": (lambda: plotting.plot_scorecard(COUNTS), 1),
    "plot_printed_and_ours": (lambda: plotting.plot_printed_and_ours(CELLS, n_columns=2), 3),
    "plot_prediction": (
        lambda: plotting.plot_prediction(
            np.eye(4), np.eye(4) > 0, np.zeros((3, 4)), np.array([0.5, -0.1, 0.6]), np.ones((4, 4))
        ),
        7,
    ),
    "plot_task": (lambda: plotting.plot_task(IMAGES, MASK), 6),
    "plot_image_rows": (lambda: plotting.plot_image_rows({"one": IMAGES, "two": IMAGES}), 6),
    "plot_means_as_images": (
        lambda: plotting.plot_means_as_images(IMAGES.reshape(3, 16), np.array([0.5, 0.3, 0.2])),
        3,
    ),
    "plot_memberships": (lambda: plotting.plot_memberships(GAMMA, GAMMA - 0.1), 2),
    "plot_learning_curves": (lambda: plotting.plot_learning_curves(SUMMARY, paper=SUMMARY), 2),
    "plot_paired_differences": (
        lambda: plotting.plot_paired_differences(FRAME, [("b", "a"), ("c", "a")]),
        2,
    ),
    "plot_loo_path": (
        lambda: plotting.plot_loo_path(
            dict.fromkeys(ERRORS, ALPHAS), ERRORS, {"membership": 1.0, "mean": 0.01}
        ),
        1,
    ),
    "plot_density_and_score": (lambda: plotting.plot_density_and_score(GAUSSIAN, PLACES), 2),
    "plot_mixture_scores": (lambda: plotting.plot_mixture_scores(MIXTURE, Y, GRID), 2),
    "plot_fisher_vectors": (
        lambda: plotting.plot_fisher_vectors(GAUSSIAN, PLACES, GaussianEmbedding().fit(Y), Y),
        3,
    ),
    "plot_covariance_types": (
        lambda: plotting.plot_covariance_types(
            {"round": GaussianEmbedding().fit(Y), "slanted": SLANTED}, Y, GRID
        ),
        2,
    ),
    "plot_responsibilities": (
        lambda: plotting.plot_responsibilities(THREE, Y, limits=(-4, 13, -4, 13)),
        5,
    ),
    "plot_sparsity": (lambda: plotting.plot_sparsity(SHARES), 1),
    "plot_tolerances": (lambda: plotting.plot_tolerances(TOLERANCES, default=1e-3), 2),
    "plot_three_steps": (plotting.plot_three_steps, 1),
    "plot_decoding": (
        lambda: plotting.plot_decoding(MIXTURE, MIXTURE.transform(GRID), GRID + 0.5),
        1,
    ),
    "plot_em_path": (lambda: plotting.plot_em_path(BOUNDS, {"early": 2, "late": 4}), 2),
    "plot_split": (lambda: plotting.plot_split(SPLIT, [3, 8]), 1),
    "plot_p_values": (lambda: plotting.plot_p_values(P_VALUES, [0.05]), 1),
    "plot_curves": (
        lambda: plotting.plot_curves(
            ALPHAS,
            {"a": {"one": ERRORS["mean"], "two": np.stack(list(ERRORS.values()))}, "b": ERRORS},
            xlabel="x",
            ylabel="error",
            chosen={"a": 1.0, "b": 0.1},
            yscale="log",
        ),
        2,
    ),
    "plot_targets": (
        lambda: plotting.plot_targets(GAMMA, np.array([[0.1, -3.0], [2.0, 1.0]]), GAMMA[:1]),
        1,
    ),
    "plot_loss_curves": (
        lambda: plotting.plot_loss_curves(
            PLACES[:, 0], {"a": {"full": VALLEYS}, "b": {"full": VALLEYS}}, 1.0, highest=5
        ),
        2,
    ),
    "plot_loss_maps": (
        lambda: plotting.plot_loss_maps(
            PLANE, {"a": (BOWL, {"minimum": GRID[:1]}), "b": (9 * BOWL, {"others": GRID})}
        ),
        2,
    ),
    "plot_search_paths": (
        lambda: plotting.plot_search_paths(
            PLANE, BOWL, np.stack([GRID, 0.5 * GRID]), {"end": 0.5 * GRID[0]}
        ),
        1,
    ),
    "plot_vanishing_sum": (
        lambda: plotting.plot_vanishing_sum(
            ALPHAS, {"raw": ALPHAS - 1}, {"raw": np.abs(1 / (ALPHAS - 1.01))}, 2.0
        ),
        2,
    ),
    "plot_past_and_future": (
        lambda: plotting.plot_past_and_future(SERIES, STATE_PATHS, n_given=4),
        4,
    ),
    "plot_forecasts": (
        lambda: plotting.plot_forecasts(
            SERIES[:, :, 0], np.zeros((2, 2)), np.ones((2, 2)), 4, others={"one": np.ones((2, 2))}
        ),
        2,
    ),
    "plot_excess_error": (
        lambda: plotting.plot_excess_error(FRAME, metrics=["rrmse"], floor="a"),
        1,
    ),
    "plot_activities": (lambda: plotting.plot_activities(ACTIVITIES, CELL_LINES), 3),
    "plot_activity_profiles": (
        lambda: plotting.plot_activity_profiles(
            ACTIVITIES[:2], {"one": ACTIVITIES[2:4], "two": ACTIVITIES[4:6]}, ["NSC 1", "NSC 2"]
        ),
        2,
    ),
    "plot_state_space_graph": (plotting.plot_state_space_graph, 1),
    "plot_sampled_series": (
        lambda: plotting.plot_sampled_series(TURNING.paths, TURNING.series, 1.5),
        2,
    ),
    "plot_filter_and_smoother": (
        lambda: plotting.plot_filter_and_smoother(TURNING.model, HOLED, TURNING.paths[0]),
        2,
    ),
    "plot_likelihoods": (lambda: plotting.plot_likelihoods(CURVES), 2),
    "plot_eigenvalues": (
        lambda: plotting.plot_eigenvalues(EIGENVALUES, {"few": [EIGENVALUES + 0.2, EIGENVALUES]}),
        2,
    ),
    "plot_innovations": (
        lambda: plotting.plot_innovations(TURNING.model, TURNING.paths[0], TURNING.series[0]),
        2,
    ),
    "plot_shrinkage": (
        lambda: plotting.plot_shrinkage(
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
        lambda: plotting.plot_state_paths(
            [{"truth": path, "predicted": -path} for path in TURNING.paths[:2]], ["one", "two"]
        ),
        2,
    ),
}
# Pictures and diagrams: their text is in titles and row labels instead of axis labels.
WITHOUT_AXES = {
    "plot_letters",
    "plot_skeletons",
    "plot_critical_difference",
    "plot_task",
    "plot_image_rows",
    "plot_means_as_images",
    "plot_prediction",
    "plot_state_space_graph",
    "plot_three_steps",
}


@pytest.fixture(autouse=True)
def _without_a_screen():
    plt.switch_backend("agg")
    yield
    plt.close("all")


def draw(name):
    build, _ = FIGURES[name]
    return build()


def lines(axis):
    return {line.get_label(): line for line in axis.lines}


def legend_texts(axis):
    return [text.get_text() for text in axis.get_legend().get_texts()]


def test_every_figure_is_tested():
    assert set(FIGURES) == set(plotting.__all__) - {"STYLE"}


@pytest.mark.parametrize("name", FIGURES)
def test_draws_its_axes_without_a_warning(name):
    build, n_axes = FIGURES[name]
    figure = build()
    figure.canvas.draw()
    assert len(figure.axes) == n_axes
    assert all(axis.has_data() or axis.patches for axis in figure.axes)
    assert plt.get_fignums() == [figure.number], "one figure, left open for the notebook to show"
    assert figure.dpi == plotting.STYLE["figure.dpi"] != plt.rcParams["figure.dpi"], "in the style"


@pytest.mark.parametrize("name", sorted(set(FIGURES) - WITHOUT_AXES))
def test_axes_are_labelled(name):
    axes = draw(name).axes
    assert any(axis.get_xlabel() for axis in axes)
    assert any(axis.get_ylabel() for axis in axes)


@pytest.mark.parametrize("name", FIGURES)
def test_leaves_the_settings_of_the_caller_alone(name):
    before = dict(mpl.rcParams)
    draw(name)
    assert dict(mpl.rcParams) == before


@pytest.mark.parametrize(
    ("build", "n_axes"),
    [
        (lambda: plotting.plot_task(IMAGES[:1], MASK), 2),
        (lambda: plotting.plot_image_rows({"one": IMAGES[:1]}), 1),
        (lambda: plotting.plot_means_as_images(np.zeros((1, 16)), np.ones(1)), 1),
        (lambda: plotting.plot_memberships(GAMMA[:1], GAMMA[:1]), 1),
        (lambda: plotting.plot_activity_profiles(ACTIVITIES[:1], {}, ["NSC 1"]), 1),
    ],
)
def test_a_single_panel(build, n_axes):
    assert len(build().axes) == n_axes


def test_task_hides_the_outputs_only():
    axes = draw("plot_task").axes
    assert [axes[0].get_ylabel(), axes[3].get_ylabel()] == ["picture", "input"]
    whole, seen = axes[1].images[0].get_array(), axes[4].images[0].get_array()
    assert_array_equal(whole, IMAGES[1])
    assert_array_equal(np.ma.getmaskarray(seen) | np.isnan(np.ma.getdata(seen)), MASK)


def test_image_rows_are_named_in_order():
    axes = draw("plot_image_rows").axes
    assert [axes[0].get_ylabel(), axes[3].get_ylabel()] == ["one", "two"]
    assert_array_equal(axes[5].images[0].get_array(), IMAGES[2])


def test_means_carry_their_weights():
    axes = draw("plot_means_as_images").axes
    assert [axis.get_title() for axis in axes] == ["50%", "30%", "20%"]


def test_memberships_as_pairs_of_bars():
    figure = draw("plot_memberships")
    axis = figure.axes[1]
    heights = [[bar.get_height() for bar in bars] for bars in axis.containers]
    assert_allclose(heights, [GAMMA[1], GAMMA[1] - 0.1])
    assert [text.get_text() for text in figure.legends[0].get_texts()] == ["true", "predicted"]


def test_learning_curves_show_the_means_in_order_of_size():
    first, second = draw("plot_learning_curves").axes
    assert [first.get_title(), second.get_title()] == ["this book", "as printed in the paper"]
    curve = lines(first)["b"]
    assert_array_equal(curve.get_xdata(), [20, 100])
    assert_allclose(curve.get_ydata(), [1.3, 2.1])
    assert first.get_xscale() == "log"


def test_curves_are_means_of_runs_and_mark_the_choice():
    figure = draw("plot_curves")
    first, second = figure.axes
    assert_allclose(first.lines[1].get_ydata(), np.mean(list(ERRORS.values()), axis=0))
    assert len(first.collections) == 1, "a band only where there are several runs"
    assert_array_equal(second.lines[-1].get_xdata(), [0.1, 0.1])
    names = [text.get_text() for text in figure.legends[0].get_texts()]
    assert names == ["one", "two", "membership", "mean", "chosen"]
    assert_allclose(first.get_xticks(), ALPHAS)
    assert (second.get_xscale(), second.get_yscale()) == ("log", "log")


def test_targets_hide_the_mean_block_of_weak_samples():
    axis = draw("plot_targets").axes[0]
    memberships, means = (image.get_array() for image in axis.images)
    assert_array_equal(memberships, np.vstack([GAMMA, GAMMA[:1]]))
    assert_array_equal(means, [[0.1, 3.0], [2.0, 1.0]])
    hidden = axis.patches[0]
    assert (hidden.get_xy(), hidden.get_width(), hidden.get_height()) == ((4, 2), 2, 1)


def test_loss_curves_mark_every_minimum():
    curve = lines(draw("plot_loss_curves").axes[0])["full"]
    assert_allclose(np.abs(curve.get_xdata()[curve.get_markevery()]), [1.05, 1.05])


def test_loss_maps_keep_the_marker_of_a_name():
    first, second = draw("plot_loss_maps").axes
    assert first.lines[0].get_marker() != second.lines[0].get_marker()
    assert_array_equal(second.lines[0].get_xydata(), GRID)
    levels = first.collections[-1].levels
    assert levels.min() > BOWL.min()
    assert levels.max() < BOWL.max()


def test_search_paths_go_from_start_to_end():
    axis = draw("plot_search_paths").axes[0]
    assert_array_equal(axis.lines[1].get_xydata(), [GRID[1], 0.5 * GRID[1]])
    assert legend_texts(axis) == ["steps from a start", "end"]


def test_vanishing_sum_shows_zero_and_the_scale():
    top, bottom = draw("plot_vanishing_sum").axes
    assert_array_equal(top.lines[1].get_ydata(), [0, 0])
    assert_array_equal(lines(bottom)["farthest training output"].get_ydata(), [2, 2])


def test_learning_curves_without_the_paper_and_within_limits():
    figure = plotting.plot_learning_curves(SUMMARY, limits=(0.0, 1.0))
    assert len(figure.axes) == 1
    assert figure.axes[0].get_ylim() == (0.0, 1.0)


def test_learning_curves_can_be_told_apart_in_grey():
    curves = draw("plot_learning_curves").axes[0].lines
    for style in ("get_linestyle", "get_marker"):
        assert len({getattr(curve, style)() for curve in curves}) == 3
    assert len({to_hex(curve.get_color()) for curve in curves}) == 3


def test_paired_differences_one_dot_a_split():
    first, second = draw("plot_paired_differences").axes
    dots = [line.get_ydata() for line in second.lines if line.get_linestyle() == "None"]
    assert_allclose(dots, np.full((2, 3), 5.0))
    assert first.get_title() == "b minus a"
    assert [text.get_text() for text in first.get_xticklabels()] == ["20", "100"]


def test_loo_path_is_relative_to_the_best():
    axis = draw("plot_loo_path").axes[0]
    assert legend_texts(axis) == list(ERRORS)
    assert_allclose(lines(axis)["mean"].get_ydata(), ERRORS["mean"] / 3)
    marks = [line for line in axis.lines if line.get_linestyle() == "None"]
    assert [line.get_xdata()[0] for line in marks] == [1.0, 0.01]


def test_scores_cross_zero_where_they_should():
    density, score = draw("plot_density_and_score").axes
    assert density.collections, "the density is a filled area"
    in_mean, in_variance = score.lines[:2]
    assert_allclose(in_mean.get_ydata(), GAUSSIAN.fisher_vector(PLACES)[:, 0])
    assert_allclose(in_variance.get_ydata(), GAUSSIAN.fisher_vector(PLACES)[:, 1])


def test_mixture_scores_point_away_from_the_means():
    left, right = draw("plot_mixture_scores").axes
    assert sum(len(line.get_xdata()) for line in left.lines) == len(Y)
    assert len(left.patches) == len(right.patches) == 2
    arrows = {tuple(quiver.get_offsets()[0]): quiver for quiver in right.collections}
    at_one = arrows[9.0, 8.0]
    pulled = np.array([at_one.U, at_one.V]).ravel()
    owner = MIXTURE.predict_proba(GRID[1:2])[0].argmax()
    expected = (GRID[1] - MIXTURE.means_[owner]) / MIXTURE.covariances_[owner]
    assert_allclose(pulled, expected, rtol=1e-6)


def test_fisher_vectors_lie_on_their_surfaces_and_are_marked_by_distance():
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


def test_ellipses_are_two_standard_deviations_and_arrows_are_scores():
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
    figure = plotting.plot_covariance_types(dict.fromkeys("abcd", MIXTURE), Y)
    assert [axis.get_title() for axis in figure.axes] == list("abcd")
    assert [bool(axis.get_ylabel()) for axis in figure.axes] == [True, False, True, False]
    assert [len(axis.patches) for axis in figure.axes] == [2] * 4


def test_responsibilities_are_one_half_on_the_line():
    density, *panels, _ = draw("plot_responsibilities").axes
    assert sum(len(line.get_xdata()) for line in density.lines) == len(Y)
    assert sum(len(line.get_xdata()) for panel in panels for line in panel.lines) == len(Y)
    for j, panel in enumerate(panels):
        border = np.concatenate([path.vertices for path in panel.collections[-1].get_paths()])
        assert_allclose(THREE.predict_proba(border)[:, j], 0.5, atol=0.05)


def test_sparsity_with_its_ceilings():
    axis = draw("plot_sparsity").axes[0]
    assert_allclose(lines(axis)["$C = 4$"].get_ydata(), SHARES[4])
    ceilings = [line.get_ydata()[0] for line in axis.lines if line.get_linestyle() == ":"]
    assert_allclose(ceilings, [0.5, 0.75])


def test_tolerances_against_the_square_root():
    score, iterations = draw("plot_tolerances").axes
    assert_allclose(lines(score)["square root"].get_ydata(), np.sqrt(TOLERANCES.index))
    assert_allclose(lines(score)["mean score"].get_ydata(), TOLERANCES["mean score"])
    assert_allclose(lines(iterations)["iterations"].get_ydata(), TOLERANCES["iterations"])
    assert lines(score)["scikit-learn's default"].get_xdata()[0] == 1e-3


def test_three_steps_are_numbered():
    texts = " ".join(text.get_text() for text in draw("plot_three_steps").axes[0].texts)
    assert all(step in texts for step in ("1  embed", "2  regress", "3  decode"))


def test_decoding_ends_at_the_prediction():
    axis = draw("plot_decoding").axes[0]
    by_label = lines(axis)
    predicted = by_label[r"prediction $y^\star$"].get_xydata()
    assert_allclose(predicted, GRID, atol=1e-8)
    assert_allclose(by_label["true output"].get_xydata(), GRID + 0.5)
    arrows = axis.collections[0]
    tips = arrows.get_offsets() + np.column_stack([arrows.U, arrows.V])
    assert_allclose(tips, predicted)


def test_em_path_and_what_it_lacks():
    left, right = draw("plot_em_path").axes
    assert_allclose(left.lines[0].get_ydata(), BOUNDS)
    assert_allclose(right.lines[0].get_ydata(), [2.75, 0.75, 0.25])
    assert [line.get_xdata()[0] for line in left.lines[1:]] == [2, 4]
    assert legend_texts(left) == ["early", "late"]


def test_split_bars_add_up():
    axis = draw("plot_split").axes[0]
    widths = [[bar.get_width() for bar in bars] for bars in axis.containers]
    assert_array_equal(widths, [[3, 8], [9, 4], [8, 8]])
    assert [text.get_text() for text in axis.get_yticklabels()] == ["3", "8"]


def test_p_values_as_shares_below_each_level():
    axis = draw("plot_p_values").axes[0]
    level, share = lines(axis)["two"].get_data()
    assert_array_equal(np.isnan(share), level <= 0.02)
    assert_array_equal(share[level > 0.02], 1.0)
    level, share = lines(axis)["one"].get_data()
    assert_allclose(share[level > 0.01], level[level > 0.01], atol=0.01)


def test_activities_as_a_density_and_as_correlations():
    histogram, matrix = draw("plot_activities").axes[:2]
    assert_allclose(sum(bar.get_height() * bar.get_width() for bar in histogram.patches), 1.0)
    shown = matrix.images[0].get_array()
    assert shown.shape == (5, 5)
    assert_allclose(np.diag(shown), 1.0)


def test_activity_profiles_hold_truth_and_predictions():
    first = draw("plot_activity_profiles").axes[0]
    assert "NSC 1" in first.get_title()
    assert_allclose(sorted(bar.get_height() for bar in first.patches), sorted(ACTIVITIES[0]))


def test_past_and_future_are_told_apart():
    axes = draw("plot_past_and_future").axes
    marks = [line for line in axes[0].lines if line.get_linestyle() == "None"]
    for j in range(3):
        known, hidden = marks[2 * j : 2 * j + 2]
        assert_array_equal(known.get_ydata(), SERIES[0, :4, j])
        assert_array_equal(hidden.get_ydata(), SERIES[0, 4:, j])
        assert hidden.get_markerfacecolor() == "white"
    assert_array_equal(lines(axes[3])["second half"].get_xydata(), STATE_PATHS[1, 4:])


def test_forecast_bands_hold_what_they_say():
    axis = draw("plot_forecasts").axes[1]
    ninety, half = (band.get_paths()[0].vertices[:, 1].max() for band in axis.collections)
    assert_allclose(norm.cdf([ninety, half]) - norm.cdf([-ninety, -half]), [0.9, 0.5], atol=1e-3)
    assert_array_equal(lines(axis)["true"].get_xydata(), np.c_[[5, 6], SERIES[1, 4:, 0]])
    assert_array_equal(lines(axis)["one"].get_xydata(), [[5, 1], [6, 1]])


def test_excess_error_is_above_the_floor():
    axis = draw("plot_excess_error").axes[0]
    curves = lines(axis)
    assert set(curves) == {"b", "c"}
    assert_allclose(curves["c"].get_xydata(), [[20, 5], [100, 5]])
    below = plotting.plot_excess_error(FRAME, metrics=["rrmse"], floor="b").axes[0]
    assert np.isnan(lines(below)["a"].get_ydata()).all(), "the floor is no lower bound on a sample"


def test_excess_error_tells_many_methods_apart():
    frame = pd.concat([FRAME.assign(method=f"{k}", value=k + 1) for k in range(14)])
    curves = plotting.plot_excess_error(frame, metrics=["rrmse"], floor="0").axes[0].lines
    looks = {(one.get_color(), one.get_markerfacecolor(), one.get_marker()) for one in curves}
    assert len(looks) == len(curves) == 13


def test_graph_has_a_state_and_an_observation_a_step():
    axis = plotting.plot_state_space_graph(n_steps=3).axes[0]
    texts = [text.get_text() for text in axis.texts if text.get_text()]
    names = [text for text in texts if text.startswith(("$m", "$z"))]
    assert sorted(names) == ["$m_1$", "$m_2$", "$m_3$", "$z_1$", "$z_2$", "$z_3$"]
    assert len(axis.patches) == 6
    assert [texts.count("$C,\\ R$"), texts.count("$A,\\ Q$")] == [3, 2]


def test_sampled_series_and_their_level():
    plane, time = draw("plot_sampled_series").axes
    assert_array_equal(plane.lines[0].get_xydata(), TURNING.paths[0])
    assert_array_equal(time.lines[1].get_ydata(), TURNING.series[1, :, 0])
    assert [line.get_ydata()[0] for line in time.lines[-2:]] == [-3.0, 3.0]


def test_filter_is_wider_than_smoother_and_holes_are_shaded():
    top, bottom = draw("plot_filter_and_smoother").axes
    curves = lines(bottom)
    filtered, smoothed = curves["filter"].get_ydata(), curves["smoother"].get_ydata()
    assert (filtered[:-1] > smoothed[:-1]).all()
    assert_allclose(filtered[-1], smoothed[-1])
    expected = np.sqrt(TURNING.model.smooth(HOLED[None]).covariances[0, :, 0, 0])
    assert_allclose(smoothed, expected)
    assert len(top.patches) == len(bottom.patches) == 1
    assert len(top.collections) == 2, "a band each"


def test_likelihoods_and_their_gains():
    left, right = draw("plot_likelihoods").axes
    assert_array_equal(lines(left)["2 states"].get_xydata(), [[1, -3.0], [2, -2.5], [3, -2.4]])
    assert_allclose(right.lines[0].get_ydata(), [4.0, 1.0])


def test_eigenvalues_from_afar_and_near():
    far, near = draw("plot_eigenvalues").axes
    assert_allclose(lines(far)["few"].get_xdata(), [0.8, 0.8, 0.6, 0.6])
    (low_x, high_x), (low_y, high_y) = near.get_xlim(), near.get_ylim()
    assert low_x < 0.6 < 0.8 < high_x
    assert low_y < 0.5 < high_y
    assert low_y > -0.5, "the mirror image is left out"
    frame = far.patches[-1]
    assert_allclose([*frame.get_xy(), frame.get_width()], [low_x, low_y, high_x - low_x])


def test_innovations_lead_to_the_next_state():
    plane, time = draw("plot_innovations").axes
    arrows = plane.collections[0]
    tips = arrows.get_offsets() + np.column_stack([arrows.U, arrows.V])
    assert_allclose(tips, TURNING.paths[0, 1:])
    expected = TURNING.paths[0, :-1] @ TURNING.model.transition_matrix_.T
    assert_allclose(arrows.get_offsets(), expected)
    bars = np.array([segment[:, 1] for segment in time.collections[0].get_segments()])
    assert_allclose(bars[:, 1], TURNING.series[0, :, 0])
    assert_allclose(bars[:, 0], TURNING.paths[0] @ TURNING.model.observation_matrix_[0])


def test_shrinkage_joins_past_and_future():
    left, right = draw("plot_shrinkage").axes
    assert_array_equal(left.lines[0].get_xdata(), [-3, -2, -1, 0])
    assert_array_equal(lines(left)["truth"].get_xdata(), [1, 2, 3])
    assert_allclose(lines(right)["a ridge a block"].get_ydata(), [4.1, 3.1, 2.1, 2.2])
    assert_allclose(lines(right)["best"].get_ydata(), 1.25)


def test_state_paths_a_panel_each():
    figure = draw("plot_state_paths")
    assert [axis.get_title() for axis in figure.axes] == ["one", "two"]
    assert_array_equal(lines(figure.axes[1])["truth"].get_xydata(), TURNING.paths[1])
    assert [text.get_text() for text in figure.legends[0].get_texts()] == ["truth", "predicted"]


def test_scorecard_stacks_the_verdicts_in_a_fixed_order():
    axes = plotting.plot_scorecard(COUNTS).axes[0]
    assert [text.get_text() for text in axes.get_legend().get_texts()] == ["reproduced", "partly"]
    starts = [[bar.get_x() for bar in bars] for bars in axes.containers]
    assert starts == [[0, 0], [3, 0]]
    assert [bars[0].get_width() for bars in axes.containers] == [3, 1]


def test_printed_and_ours_fill_what_lies_in_the_band():
    errors, percent, times = axes = draw("plot_printed_and_ours").axes
    assert [axis.get_title() for axis in (errors, times)] == ["A Table 1", "B Table 2, times"]
    assert percent.get_title() == "B Table 2"
    assert [axis.get_xscale() for axis in axes] == ["log", "linear", "linear"]
    _, near, far = errors.lines
    assert_array_equal(near.get_xydata(), [(1.0, 1.05)])
    assert_array_equal(far.get_xydata(), [(1.0, 1.2), (30.0, 3.0)])
    assert near.get_markerfacecolor() != far.get_markerfacecolor()
    assert near.get_marker() != times.lines[1].get_marker()
    for axis in axes:
        assert axis.get_xlim() == axis.get_ylim()
        assert_array_equal(*axis.lines[0].get_data())


def test_volatilities_with_their_correlations():
    left, right = draw("plot_volatilities").axes
    assert_allclose(lines(left)["B"].get_ydata(), VOLATILITIES[3])
    assert_allclose(right.images[0].get_array(), np.corrcoef(VOLATILITIES.T))
    assert right.texts[1].get_text() == f"{np.corrcoef(VOLATILITIES.T)[0, 1]:.2f}"


def test_series_model_shows_the_moments_it_implies():
    left, right = draw("plot_series_model").axes
    sampled = SERIES_MODEL.sample(20000, 5)[1][:, :, 0]
    mean, deviation = sampled.mean(axis=0), sampled.std(axis=0)
    assert_allclose(lines(left)["model, two standard deviations"].get_ydata(), mean, atol=0.1)
    band = left.collections[0].get_paths()[0].get_extents()
    assert_allclose(
        [band.y0, band.y1], [(mean - 2 * deviation).min(), (mean + 2 * deviation).max()], atol=0.15
    )
    states = SERIES_MODEL.smooth(VOLATILITIES[[3], :, None]).means[0, :, 0]
    assert_allclose(right.lines[3].get_ydata(), states * SERIES_MODEL.observation_matrix_[0, 0])
    assert_allclose(right.lines[2].get_ydata(), VOLATILITIES[3])


def test_error_by_method_one_dot_a_split():
    axis = draw("plot_error_by_method").axes[0]
    dots = [line.get_xdata() for line in axis.lines if line.get_linestyle() == "None"]
    assert_allclose(dots, [[0.2, 0.3, 0.4], [1.2, 1.3, 1.4], [5.2, 5.3, 5.4]])
    means = [bars.get_paths()[0].vertices[0, 0] for bars in axis.collections]
    assert_allclose(means, [0.3, 1.3, 5.3])
    assert [text.get_text() for text in axis.get_yticklabels()] == ["a", "b", "c"]
    assert axis.yaxis_inverted()


def test_words_of_either_sign():
    axes = draw("plot_words").axes
    shown = [[text.get_text() for text in axis.get_yticklabels()] for axis in axes]
    assert shown == [["dividend", "stable"], ["risk", "debt"]]
    assert_allclose([bar.get_width() for bar in axes[0].patches], [3.0, 1.0])


def test_ablation_shows_the_ratio_to_the_reference():
    panel = plotting.plot_ablation(FRAME, reference="b").axes[0]
    wide = FRAME[FRAME["setting"] == "20"].pivot(index="split", columns="method", values="value")
    assert panel.get_title() == "20"
    assert_allclose(panel.lines[0].get_xdata(), wide[["a", "c"]].div(wide["b"], axis=0).mean())


def test_clusters_are_drawn_apart_in_both_planes():
    left, right = draw("plot_clusters").axes[:2]
    sizes = np.bincount(CLUSTERED.clusters, minlength=9)
    for axis in (left, right):
        assert [len(line.get_xdata()) for line in axis.lines] == sizes.tolist()
        looks = {
            (line.get_color(), line.get_marker(), line.get_markerfacecolor()) for line in axis.lines
        }
        assert len(looks) == 9
    first = right.lines[0].get_xydata()
    assert_allclose(first, CLUSTERED.X[CLUSTERED.clusters == 0, :2])
    # A projection keeps the distances in the plane of the principal axes: labels sit on means.
    centre = left.lines[0].get_xydata().mean(axis=0)
    assert np.linalg.norm(centre - left.texts[0].xy) < 2.0


def test_time_and_error_has_a_mark_a_method():
    left, right = draw("plot_time_and_error").axes
    for axis, setting in ((left, "20"), (right, "100")):
        marks = [container.lines[0].get_xydata()[0] for container in axis.containers]
        rows = TIMED[TIMED["setting"] == setting].pivot(
            index="method", columns="metric", values="mean"
        )
        assert_allclose(marks, rows[["predict time", "rrmse"]])
        assert axis.get_xscale() == "log"


def test_prediction_hides_the_output_and_shows_the_truth():
    given, decoded, truth, bars, *_ = draw("plot_prediction").axes
    seen = given.images[0].get_array()
    assert_array_equal(np.ma.getmaskarray(seen) | np.isnan(np.ma.getdata(seen)), np.eye(4) > 0)
    assert_array_equal(decoded.images[0].get_array(), np.ones((4, 4)))
    assert_array_equal(truth.images[0].get_array(), np.eye(4))
    assert_allclose([bar.get_height() for bar in bars.patches], [0.5, -0.1, 0.6])


def test_times_are_sorted_by_the_first_metric():
    left, _ = draw("plot_times").axes
    rows = TIMED[TIMED["setting"] == "20"].pivot(index="method", columns="metric", values="mean")
    rows = rows.sort_values("rrmse", ascending=False)
    assert [label.get_text() for label in left.get_yticklabels()] == list(rows.index)
    for line, metric in zip(left.lines, ("rrmse", "predict time"), strict=True):
        assert_allclose(line.get_xdata(), rows[metric])


def test_search_ends_are_joined_with_the_truth():
    left, right = draw("plot_search_ends").axes
    *_, true, found, means = left.lines
    assert_allclose(found.get_xydata(), true.get_xydata())
    assert len(means.get_xdata()) == 9
    *pairs, true, found, _, start = right.lines
    joined = [line.get_xydata() for line in pairs]
    assert_allclose([pair[0] for pair in joined], found.get_xydata())
    assert_allclose([pair[1] for pair in joined], true.get_xydata())
    assert_allclose(start.get_xydata(), means.get_xydata()[:1])


def test_value_of_weak_labels_against_the_diagonal():
    curve, diagonal = plotting.plot_weak_label_value(WORTH).axes[0].lines
    assert_array_equal(curve.get_ydata(), [30.0, 200.0])
    assert_array_equal(diagonal.get_xydata(), [[10, 10], [100, 100]])


def test_critical_difference_joins_what_it_cannot_tell_apart():
    axis = draw("plot_critical_difference").axes[0]
    bars = [line.get_xdata() for line in axis.lines if line.get_linewidth() > 3]
    assert_allclose(bars, [[1.16, 2.14], [2.06, 2.84]])
    texts = [text.get_text() for text in axis.texts]
    assert {"a  1.2", "b  2.1", "2.8  c", "3.9  d", "critical difference 1.0"} <= set(texts)


def test_relative_errors_are_means_of_ratios_in_each_split():
    axis = draw("plot_relative_errors").axes[0]
    (ratios,) = (c[0].get_xdata() for c in axis.containers if c.get_label() == "b")
    base = np.array([[0.2, 0.3, 0.4], [1.0, 1.1, 1.2]])
    assert_allclose(ratios, (1 + 1 / base).mean(axis=1))
    assert [text.get_text() for text in axis.get_yticklabels()] == ["20", "100"]


def test_scores_with_thresholds_on_both_sides():
    left, right = draw("plot_scores").axes
    assert_allclose(
        [line.get_xdata()[0] for line in left.lines], [0.9, 0.1, 0.75, 0.25], atol=1e-12
    )
    assert sum(bar.get_height() for bar in left.patches) == GRID.size
    assert legend_texts(left) == ["0.1 and 0.9", "0.25 and 0.75"]
    assert legend_texts(right) == ["one", "two"]


def test_calibration_of_halved_predictions_has_slope_two():
    half, none, diagonal = draw("plot_calibration").axes[0].lines
    assert_allclose(half.get_ydata(), 2 * np.array(half.get_xdata()))
    # The values are 0, 0, 1, 1, 8 and 9, in two bins of three.
    assert_allclose(half.get_ydata(), [1 / 3, 6.0])
    assert_allclose(none.get_xdata(), 0.0)
    assert_array_equal(diagonal.get_xdata(), diagonal.get_ydata())


def test_errors_by_weak_labels_keep_their_look_across_panels():
    figure = draw("plot_errors_by_weak_labels")
    (ours, paper), (again,) = ([bars.lines[0] for bars in axis.containers] for axis in figure.axes)
    assert_array_equal(ours.get_xdata(), [0, 100])
    assert_array_equal(ours.get_ydata(), [0.4, 0.3])
    assert paper.get_color() == again.get_color() != ours.get_color()
    assert paper.get_linestyle() == again.get_linestyle() != ours.get_linestyle()
    assert [text.get_text() for text in figure.legends[0].get_texts()] == ["ours", "paper"]


def test_class_map_names_every_class_at_its_place():
    axis = draw("plot_class_map").axes[0]
    assert [text.get_text() for text in axis.texts] == list("abcdefghijkl")
    points = np.vstack([line.get_xydata() for line in axis.lines])
    assert {text.xy[0] for text in axis.texts} == set(points[:, 0])
    centred = ACTIVITIES - ACTIVITIES.mean(axis=0)
    values = np.linalg.svd(centred, compute_uv=False)
    assert_allclose(np.linalg.norm(points, axis=0), values[:2])
    looks = {(line.get_color(), line.get_marker()) for line in axis.lines}
    assert len(looks) == len(axis.lines) == 9


def test_skeletons_join_points_by_limbs_in_both_views():
    figure = draw("plot_skeletons")
    front, side = figure.axes[0], figure.axes[2]
    for axis, across in ((front, 0), (side, 2)):
        path = axis.lines[0].get_xydata().reshape(3, 3, 2)
        assert_array_equal(path[:, :2], POSES[0][LIMBS][:, :, [across, 1]])
        assert np.isnan(path[:, 2]).all()
        assert axis.yaxis_inverted()
    assert [axis.get_title() for axis in figure.axes[:2]] == ["a", "b"]


def test_objectives_are_measured_from_their_minimum():
    axis = draw("plot_objectives").axes[0]
    assert_allclose(lines(axis)["one"].get_ydata(), 2 * abs(WEIGHTS - 0.5))
    marked = [line for line in axis.lines if line.get_marker() == "v"]
    assert_allclose(marked[0].get_xydata(), [[0.5, 0.0]])
    assert [line.get_xdata()[0] for line in axis.lines[:2]] == [0.2, 0.8]


def test_two_means_agree_where_the_numbers_do():
    first, second = draw("plot_two_means").axes
    geometric, arithmetic = (line.get_ydata() for line in first.lines)
    assert (geometric[1:-1] < arithmetic[1:-1]).all()
    assert_allclose([geometric[0], geometric[-1]], [1.0, 4.0])
    assert_allclose(*(line.get_ydata() for line in second.lines))


def test_multivalued_shows_data_and_predictions():
    axis = draw("plot_multivalued").axes[3]
    assert axis.get_title() == "d"
    data, predicted = axis.lines
    assert_array_equal(data.get_xydata(), np.hstack([TOY.X, TOY.Y]))
    assert_array_equal(predicted.get_xdata(), TOY.X_test[:, 0])


def test_error_by_alpha_marks_the_least():
    axis = draw("plot_error_by_alpha").axes[0]
    rings = [line.get_xydata()[0] for line in axis.lines if line.get_markersize() == 12]
    assert_array_equal(rings, [[1, 1], [1, 2]])
    assert [text.get_text() for text in axis.get_xticklabels()] == ["0", "0.001", "1"]


def test_certainty_is_binned_and_correlated():
    axis = draw("plot_certainty").axes[0]
    assert axis.get_title() == "x: -1.00"
    assert_allclose(axis.lines[1].get_ydata(), -CERTAINTY.reshape(4, 10).mean(axis=1))


def test_evaluation_times_have_slopes():
    axis = draw("plot_evaluation_times").axes[0]
    assert legend_texts(axis) == ["power 2, slope 2.0", "power 3, slope 3.0"]
    assert [text.get_text() for text in axis.get_xticklabels()] == ["100", "200", "400"]


def test_divergence_family_has_its_limits():
    axis = draw("plot_divergence_family").axes[0]
    assert_array_equal(lines(axis)["KL"].get_xydata(), [[1.0, 1.0]])
    assert legend_texts(axis) == ["one", "two", "KL"]


def test_embedding_of_output_goes_from_the_centroid_to_the_output():
    plane, bars = draw("plot_embedding_of_output").axes
    embedded = THREE.transform(Y[:1])[0]
    assert_allclose([bar.get_width() for bar in bars.patches], embedded[:3])
    arrow = next(text for text in plane.texts if not text.get_text())
    assert_allclose(arrow.get_position(), Y[0] - embedded[3:])
    assert_allclose(arrow.xy, Y[0])
    radii = [disc.get_radius() for disc in plane.patches]
    assert_allclose(np.square(radii), THREE.covariances_)


def test_two_decoders_end_in_their_outputs():
    triangle, plane = draw("plot_two_decoders").axes
    for decoder in ("raw", "simplex"):
        made = clone(THREE).set_params(decoder=decoder).fit(Y)
        end = lines(plane)[f"$y^\\star$, {decoder}"].get_xydata()[0]
        assert_allclose(end, made.inverse_transform(OUTSIDE[None])[0])
    assert triangle.patches[0].contains_point(
        triangle.transData.transform(lines(triangle)["simplex"].get_xydata()[0]), radius=1.0
    )
    assert lines(triangle)["raw"].get_ydata()[0] < 0


def test_weak_label_panels_repeat_the_baseline():
    figure = draw("plot_weak_label_panels")
    assert [axis.get_title() for axis in figure.axes] == ["0 weak", "50 weak"]
    for axis, curve in zip(figure.axes, FALLING, strict=True):
        assert_array_equal(lines(axis)["baseline"].get_ydata(), LEVEL["mean"])
        assert_array_equal(lines(axis)["OFER"].get_ydata(), curve["mean"])


def test_task_errors_show_every_split_and_the_mean():
    figure = draw("plot_task_errors")
    first = figure.axes[0]
    dots, mean = first.lines[:2]
    expected = FRAME.query("method == 'c' and setting == '20'")["value"]
    assert_array_equal(dots.get_xdata(), expected)
    assert_allclose(mean.get_xdata(), expected.mean())
    assert [text.get_text() for text in first.get_yticklabels()] == ["c", "a"]
    assert first.yaxis_inverted()


def test_walks_show_the_first_sequence_of_each_class():
    figure = draw("plot_walks")
    for label, axis in enumerate(figure.axes):
        assert axis.get_title() == f"class {label}"
        assert_array_equal(lines(axis)["seen"].get_xydata(), WALKS.sequences[label])
        assert_array_equal(lines(axis)["places"].get_xydata(), WALKS.means)
        moves = np.flatnonzero(np.diff(WALKS.paths[label]))
        starts = [arrow.xyann for arrow in axis.texts]
        assert_array_equal(starts, WALKS.means[WALKS.paths[label][moves]])


def test_mean_scores_are_on_logarithmic_axes_that_hold_zero_iterations():
    axis = draw("plot_mean_scores").axes[0]
    assert (axis.get_xscale(), axis.get_yscale()) == ("symlog", "log")
    assert axis.get_xticks().tolist() == [0, 1, 2, 5, 10, 20]
    assert_array_equal(lines(axis)["mean"].get_xydata(), [(0, 2.0), (1, 0.1), (30, 1e-3)])


def test_propagation_gives_a_method_one_look():
    first, second = draw("plot_propagation").axes
    assert lines(first)["exact"].get_color() == lines(second)["exact"].get_color()
    assert lines(first)["exact"].get_linestyle() != lines(first)["Bethe"].get_linestyle()
    assert [axis.get_ylabel() for axis in (first, second)] == ["a sum", "another"]


def test_objective_histories_mark_the_best_iterate():
    axis = draw("plot_objective_histories").axes[0]
    curves, marks = axis.lines[::2], axis.lines[1::2]
    for curve, mark, place in zip(curves, marks, (2, 1), strict=True):
        assert_array_equal(mark.get_xydata(), curve.get_xydata()[[place]])


def test_score_embeddings_split_their_points_by_class():
    axes = np.reshape(draw("plot_score_embeddings").axes, (2, 2))
    assert axes[1, 0].get_title() == "plain, test"
    assert len(axes[0, 1].lines) == 3
    assert len(axes[1, 1].lines) == 2
    assert_array_equal(axes[0, 1].lines[1].get_xydata(), 2 * Y[1::3])
    assert_array_equal(axes[1, 0].lines[1].get_xydata(), Y[::3][1::2])
    assert len({line.get_marker() for line in axes[0, 0].lines}) == 3


def test_half_steps_mark_the_second_steps_that_rise():
    axis = draw("plot_half_steps").axes[0]
    falls, leaps = axis.lines[1], axis.lines[3]
    assert len(falls.get_xdata()) == 0
    assert_allclose(leaps.get_xdata(), [1.0, 2.0])
    assert_allclose(leaps.get_ydata(), [7.0, 6.0])
    assert leaps.get_label() == "raised by it: 2 times"


def test_transduction_crosses_out_what_is_wrong():
    before, after = draw("plot_transduction").axes
    assert [before.get_title(), after.get_title()] == ["before: 2 wrong", "after: 1 wrong"]
    assert_allclose(after.lines[-1].get_xydata(), Y[3:4])


def test_label_sequences_have_the_cells_of_their_labels():
    cells = draw("plot_label_sequences").axes[0].collections[0].get_array()
    assert_array_equal(cells.reshape(2, 3), [[0, 2, 0], [0, 0, 1]])


def test_local_predictors_have_arrows_of_one_length():
    arrows = draw("plot_local_predictors").axes[0].collections[-1]
    assert_allclose(np.hypot(arrows.U, arrows.V), 1.0)


def test_losses_by_parameter_show_every_split_the_mean_and_the_reference():
    axis = draw("plot_loss_by_parameter").axes[0]
    reference, *splits, mean = axis.lines
    rows = FRAME[FRAME["setting"] == "20"].pivot(index="split", columns="method", values="value")
    assert_allclose(reference.get_ydata(), rows["c"].mean())
    assert_array_equal([line.get_ydata() for line in splits], rows[["a", "b"]])
    assert_array_equal(mean.get_xdata(), [0.1, 10.0])
    assert_allclose(mean.get_ydata(), rows[["a", "b"]].mean())


def test_letters_are_the_integrals_of_velocities_and_show_states():
    axis = draw("plot_letters").axes[1]
    path, first, second, start = axis.lines
    assert_array_equal(path.get_xydata(), 2 * np.cumsum(np.ones((5, 2)), axis=0))
    assert_array_equal(first.get_xydata(), path.get_xydata()[:2])
    assert_array_equal(second.get_xydata(), path.get_xydata()[2:])
    assert_array_equal(start.get_xydata(), path.get_xydata()[:1])
    assert first.get_marker() != second.get_marker()


def test_classifier_errors_are_the_means():
    axis = draw("plot_classifier_errors").axes[0]
    chosen = CLASSIFIED[(CLASSIFIED["method"] == "c") & (CLASSIFIED["metric"] == "rrmse")]
    line = axis.containers[1][0]
    assert_allclose(np.asarray(line.get_ydata(), float), chosen["mean"])
    assert axis.containers[1].get_label() == "c"


def test_shares_join_the_settings_of_a_method():
    axis = draw("plot_shares").axes[0]
    assert_array_equal(axis.lines[1].get_xydata(), OVERFIT.loc["b"])
    assert axis.lines[1].get_marker() == "s", "the second one, as in the other figures"
    assert [text.get_text() for text in axis.texts] == ["2", "5"] * 2
