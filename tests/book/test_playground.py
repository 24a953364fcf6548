"""The pictures that move: they react, and show what the package computes."""

import json
import re

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose

from ofer import GaussianMixtureEmbedding
from ofer.embeddings import project_simplex
from reproduction.statistics import summarize
from tests.book.conftest import BOOK, HTML

pytestmark = pytest.mark.html

CHAPTER = HTML / "09_playground.html"
FIGURES = ("fig-play-embedding", "fig-play-pre-image", "fig-play-weak-labels")
SHOWN = 5.1e-4  # half of the last decimal that a picture shows


@pytest.fixture
def opened(window):
    """Function that opens a chapter: a figure of it, and the figure's numbers."""

    def opened(figure, chapter=CHAPTER.stem):
        page = window.open(HTML / f"{chapter}.html", 1100, 1000)
        numbers = json.loads(page.locator(f"script[data-figure={figure}]").text_content())
        return page.locator(f"#{figure}"), numbers

    yield opened
    assert window.errors == []


def shown(locator):
    """Numbers in a text of the page."""
    text = re.sub("[₀-₉]", "", locator.inner_text()).replace("−", "-")
    return np.array([float(number) for number in re.findall(r"-?\d+(?:\.\d+)?", text)])


def drag(handle, across, down):
    """Drag a handle by so many pixels."""
    handle.scroll_into_view_if_needed()
    box, mouse = handle.locator(".ring").bounding_box(), handle.page.mouse
    x, y = box["x"] + box["width"] / 2 + 2, box["y"] + box["height"] / 2 - 3
    mouse.move(x, y)
    mouse.down()
    mouse.move(x + across / 2, y + down / 2)
    mouse.move(x + across, y + down)
    mouse.up()


def place_of(handle):
    """Where a handle is, as it says to those who cannot see it."""
    text = handle.get_attribute("aria-valuetext").replace("−", "-")
    return [float(number) for number in re.findall(r"-?\d+\.\d+", text)]


def embedding_with(weights, means, scales, decoder="simplex"):
    """An embedding of the package with parameters that no fit has given it."""
    rng = np.random.default_rng(0)
    made = GaussianMixtureEmbedding(3, decoder=decoder, random_state=0)
    made.fit(rng.normal(size=(30, 2)) + np.repeat([[0, 0], [9, 0], [0, 9]], 10, axis=0))
    made.weights_[:], made.means_[:] = weights, means
    made.mixture_.precisions_cholesky_[:] = 1 / np.array(scales)
    return made


def embedded(state, **changed):
    """Memberships, centroid and residual of the output in a picture."""
    state = {**state, **changed}
    made = embedding_with(state["weights"], state["means"], state["scales"])
    found = made.transform([state["output"]])[0]
    return found[:3], np.array(state["output"]) - found[3:], found[3:]


def assert_embeds(figure, state, **changed):
    memberships, centroid, residual = embedded(state, **changed)
    values = figure.locator(".track + .value")
    assert_allclose([shown(value)[0] for value in values.all()], memberships, atol=SHOWN)
    words = shown(figure.locator("output"))
    assert_allclose(words[2:], [*centroid, *residual], atol=SHOWN)


def test_embedding_follows_dragged_points(opened):
    figure, start = opened("fig-play-embedding")
    assert_embeds(figure, start)
    output, mean = (
        figure.get_by_role("slider", name=name, exact=True)
        for name in ("output y", "mean of component 2")
    )
    drag(output, 60, 90)
    moved = place_of(output)
    assert moved[0] > start["output"][0] + 0.5
    assert moved[1] < start["output"][1] - 0.5
    assert_embeds(figure, start, output=moved)
    figure.get_by_role("button", name="Back to the start").click()
    drag(mean, -50, -40)
    means = [start["means"][0], place_of(mean), start["means"][2]]
    assert means != start["means"]
    assert_embeds(figure, start, means=means)


def test_embedding_follows_the_keyboard(opened):
    figure, start = opened("fig-play-embedding")
    output, keyboard = figure.get_by_role("slider", name="output y"), figure.page.keyboard
    output.focus()
    for key in ("ArrowRight", "ArrowRight", "ArrowUp", "ArrowLeft", "Shift+ArrowDown"):
        keyboard.press(key)
    assert_allclose(place_of(output), np.add(start["output"], [0.1, -0.4]), atol=0.02)
    assert output.locator(".reach").evaluate("node => getComputedStyle(node).stroke") != "none"
    for _ in range(40):  # no further than the frame
        keyboard.press("Shift+ArrowRight")
    assert place_of(output)[0] == start["x"][1]
    assert_embeds(figure, start, output=place_of(output))


def test_embedding_follows_its_sliders_and_goes_back(opened):
    figure, start = opened("fig-play-embedding")
    figure.get_by_role("slider", name="weight π₃").fill("0.7")
    figure.get_by_role("slider", name="spread σ₁").fill("1.5")
    rest = np.array(start["weights"][:2])
    weights = [*(rest * 0.3 / rest.sum()), 0.7]
    assert_embeds(figure, start, weights=weights, scales=[1.5, *start["scales"][1:]])
    figure.get_by_role("button", name="Back to the start").click()
    assert_embeds(figure, start)


def decoded(figure):
    """Memberships and outputs in the rows of the second picture."""
    return np.array([shown(row) for row in figure.locator("tbody tr").all()])


def assert_decodes(figure, start, memberships, residual):
    rows = decoded(figure)
    assert_allclose(rows[0, :3], memberships, atol=SHOWN)
    assert_allclose(rows[1, :3], project_simplex(np.array([memberships]))[0], atol=SHOWN)
    for row, decoder in zip(rows, ("raw", "simplex"), strict=True):
        made = embedding_with([1 / 3] * 3, start["means"], [1] * 3, decoder)
        expected = made.inverse_transform([[*memberships, *residual]])[0]
        assert_allclose(row[3:], expected, atol=SHOWN)


def test_pre_image_follows_dragged_predictions(opened):
    figure, start = opened("fig-play-pre-image")
    assert min(start["memberships"]) < 0  # a case in which the decoders differ
    assert_decodes(figure, start, start["memberships"], start["residual"])
    prediction = figure.get_by_role("slider", name="predicted memberships")
    for way in ((30, -60), (-70, 20), (150, 40), (60, -250)):
        before = place_of(prediction)
        drag(prediction, *way)
        across, up = place_of(prediction)
        assert [across, up] != before
        memberships = [1 - across - up / 2, across - up / 2, up]
        assert_decodes(figure, start, memberships, start["residual"])


def test_residual_moves_both_outputs(opened):
    figure, start = opened("fig-play-pre-image")
    handle = figure.get_by_role("slider", name="decoded output")
    before = decoded(figure)
    drag(handle, 40, 70)
    moved = decoded(figure)[:, 3:] - before[:, 3:]
    assert np.abs(moved).min() > 0.5
    assert_allclose(moved[0], moved[1], atol=2 * SHOWN)
    centroid = project_simplex(np.array([start["memberships"]])) @ start["means"]
    assert_decodes(figure, start, start["memberships"], place_of(handle) - centroid[0])


def test_weak_labels_are_those_of_the_stored_table(opened):
    figure, _ = opened("fig-play-weak-labels")
    slider = figure.get_by_role("slider", name="weak molecules")
    rows = pd.read_csv(BOOK / "results" / "ofer-table-10.csv", dtype={"setting": str})
    summary = summarize(rows)
    summary = summary[summary["metric"] == "rrmse"].set_index(["method", "setting"])

    methods = {0: "OFER-GMM", 100: "wOFER+100", 500: "wOFER+500", 800: "wOFER+800"}
    curves = set()
    for stop, (weak, method) in enumerate(methods.items()):
        slider.fill(str(stop))
        assert slider.get_attribute("aria-valuetext") == f"{weak} weak molecules"
        for row in figure.locator("tbody tr").all():
            size, *errors, difference, imputed = shown(row)
            own, other, rival = (
                summary.loc[(name, f"{size:.0f}"), ["mean", "std"]].to_numpy(float)
                for name in (method, "m-KRR centred", "m-KRR imputed+800")
            )
            # the page has the numbers with four decimals
            assert_allclose(errors, [*own, *other], atol=SHOWN + 5e-5)
            assert_allclose(imputed, rival[0], atol=SHOWN + 5e-5)
            assert_allclose(difference, own[0] - other[0], atol=SHOWN + 1e-4)
        curves.add(figure.locator(".curve.chosen").get_attribute("d"))
    assert len(curves) == 4


def test_a_curve_lies_where_the_errors_are(opened):
    """A straight line through four numbers of the page and their pixels fits exactly."""
    figure, numbers = opened("fig-play-weak-labels")
    curve = figure.locator(".curve.chosen").get_attribute("d")
    pixels = np.array([pair.split() for pair in curve[1:].split("L")], float).T
    values = np.log10(numbers["sizes"]), numbers["curves"][0]["mean"]
    for places, expected in zip(pixels, values, strict=True):
        slope, intercept = np.polyfit(expected, places, 1)
        assert_allclose(places, slope * np.array(expected) + intercept, atol=1e-6)


def test_still_figures_are_shown_without_scripts(unscripted):
    unscripted.goto(CHAPTER.as_uri())
    for figure in FIGURES:
        still = unscripted.locator(f"#{figure} img")
        still.scroll_into_view_if_needed()
        assert still.is_visible()
        assert unscripted.locator(f"#{figure} .playground").count() == 0


def test_a_finger_moves_a_handle_and_not_the_page(pages, browser):
    context = browser.new_context(
        offline=True, has_touch=True, viewport={"width": 390, "height": 800}
    )
    page = context.new_page()
    page.goto(CHAPTER.as_uri())
    page.evaluate("() => window.MathJax?.startup?.promise")
    output = page.locator("#fig-play-embedding").get_by_role("slider", name="output y")
    output.scroll_into_view_if_needed()
    scrolled, before = page.evaluate("scrollY"), place_of(output)
    box = output.locator(".ring").bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    touch = context.new_cdp_session(page)
    for kind, points in [
        ("touchStart", [{"x": x, "y": y}]),
        ("touchMove", [{"x": x - 10, "y": y + 20}]),
        ("touchMove", [{"x": x - 30, "y": y + 60}]),
        ("touchEnd", []),
    ]:
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
    assert place_of(output)[1] < before[1] - 0.5
    assert page.evaluate("scrollY") == scrolled
    context.close()


def test_the_fit_without_a_point_is_that_of_the_page(opened):
    figure, numbers = opened("fig-sure-left-out", "07_how_sure")
    slider = figure.get_by_role("slider", name="point left out")
    curves = set()
    for i, (output, predicted) in enumerate(zip(numbers["y"], numbers["predicted"], strict=True)):
        slider.fill(str(i))
        cells = shown(figure.locator("tbody tr"))
        assert_allclose(cells, [output, predicted, output - predicted], atol=SHOWN + 1e-4)
        curves.add(figure.locator(".curve.decoder-raw").get_attribute("d"))
    assert len(curves) == len(numbers["x"])


def test_an_output_tugs_as_its_embedding_says(opened):
    figure, start = opened("fig-tug", "03_2_gaussian_mixture")
    figure.get_by_role("slider", name="output y").focus()
    for key in ("ArrowRight", "ArrowRight", "Shift+ArrowDown"):
        figure.page.keyboard.press(key)
    moved = np.add(start["output"], [0.2, -0.5])
    words = shown(figure.locator("output"))
    squares = np.square(np.array(start["means"]) - moved).sum(axis=1) / np.square(start["scales"])
    parts = np.array(start["weights"]) / np.square(start["scales"]) * np.exp(-squares / 2)
    memberships = parts / parts.sum()
    assert_allclose(words[:2], moved, atol=1e-6)
    assert_allclose(words[2:], np.r_[memberships, moved - memberships @ start["means"]], atol=6e-4)


def test_a_sum_stands_still_until_there_are_two_ridges(opened):
    figure, start = opened("fig-cancellation", "05_what_ofer_computes")
    words, rings = figure.locator("output.wide"), figure.locator("circle.start")
    places = [float(ring.get_attribute("cx")) for ring in rings.all()]
    figure.get_by_role("slider").fill("3")
    now = [float(ring.get_attribute("cx")) for ring in rings.all()]
    assert now == pytest.approx(places, abs=0.1)
    assert shown(words) == [0]
    figure.get_by_role("checkbox").check()
    gap = np.abs(np.subtract(start["two"]["sums"][3], start["reference"])).max()
    assert gap > 0.1
    assert_allclose(shown(words), [gap], atol=6e-3)
    figure.get_by_role("button", name="Play").click()
    figure.get_by_role("button", name="Stop").click()
    assert figure.get_by_role("button", name="Play").is_visible()


def test_mathematics_agrees_with_the_package_at_random_places(window):
    page = window.open(CHAPTER)
    rng = np.random.default_rng(0)
    for _ in range(20):
        weights, means = rng.dirichlet(np.ones(3)), rng.normal(0, 3, (3, 2))
        scales, y = rng.uniform(0.2, 3, 3), rng.normal(0, 30, 2)
        state = {"weights": weights.tolist(), "means": means.tolist(), "scales": scales.tolist()}
        computed = page.evaluate(
            "([state, y]) => playground.memberships(state, y)", [state, y.tolist()]
        )
        expected = embedding_with(weights, means, scales).predict_proba([y])[0]
        assert_allclose(computed, expected, rtol=1e-9, atol=1e-12)
        projected = page.evaluate("v => playground.projectSimplex(v)", [*y.tolist(), 0.3])
        assert_allclose(projected, project_simplex(np.array([[*y, 0.3]]))[0], atol=1e-12)
