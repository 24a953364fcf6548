"""The pictures that move: they react, and show what the package computes."""

import json
import re

import numpy as np
import pytest
from numpy.testing import assert_allclose

from ofer import GaussianMixtureEmbedding
from ofer.embeddings import project_simplex
from reproduction.engine import results
from reproduction.figures.style import COLORS
from reproduction.pipeline.execute import BOOK
from reproduction.statistics import summarize
from tests.book.conftest import HTML

SCRIPTS = BOOK / "_static" / "playground"
CHAPTER = HTML / "09_playground.html"
FIGURES = ("fig-play-embedding", "fig-play-pre-image", "fig-play-weak-labels")
SHOWN = 5.1e-4  # half of the last decimal that a picture shows


def test_colours_are_those_of_the_figures():
    style = (SCRIPTS / "playground.css").read_text()
    used = {colour.upper() for colour in re.findall(r"#[0-9a-fA-F]{3,8}\b", style)}
    assert len(used) > 2
    assert used <= set(COLORS)


@pytest.fixture
def page(pages, window):
    """The chapter, opened without a network; it may write nothing to the console."""
    assert CHAPTER in pages
    yield window.open(CHAPTER, 1100, 1000)
    assert window.errors == []


def numbers_of(page, figure):
    """The numbers that the chapter has put into the page for a figure."""
    return json.loads(page.locator(f"script[data-figure={figure}]").text_content())


def shown(locator):
    """Numbers in a text of the page."""
    text = re.sub("[₀-₉]", "", locator.inner_text()).replace("−", "-")
    return np.array([float(number) for number in re.findall(r"-?\d+(?:\.\d+)?", text)])


def drag(page, handle, across, down):
    """Drag a handle by so many pixels."""
    handle.scroll_into_view_if_needed()
    box = handle.locator(".ring").bounding_box()
    x, y = box["x"] + box["width"] / 2 + 2, box["y"] + box["height"] / 2 - 3
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + across / 2, y + down / 2)
    page.mouse.move(x + across, y + down)
    page.mouse.up()


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


class Embedding:
    """What the first picture shows."""

    def __init__(self, page):
        self.page = page
        self.figure = page.locator("#fig-play-embedding")
        self.start = numbers_of(page, "fig-play-embedding")

    def handle(self, name):
        return self.figure.get_by_role("slider", name=name, exact=True)

    def expected(self, **changed):
        state = {**self.start, **changed}
        made = embedding_with(state["weights"], state["means"], state["scales"])
        embedded = made.transform([state["output"]])[0]
        return embedded[:3], np.array(state["output"]) - embedded[3:], embedded[3:]

    def assert_shows(self, **changed):
        memberships, centroid, residual = self.expected(**changed)
        values = self.figure.locator(".track + .value")
        assert_allclose([shown(value)[0] for value in values.all()], memberships, atol=SHOWN)
        words = shown(self.figure.locator("output"))
        assert_allclose(words[2:], [*centroid, *residual], atol=SHOWN)
        bars = self.figure.locator(".bar").all()
        tracks = self.figure.locator(".track").all()
        widths = [
            bar.bounding_box()["width"] / (track.bounding_box()["width"] - 2)
            for bar, track in zip(bars, tracks, strict=True)
        ]
        assert_allclose(widths, memberships, atol=0.02)


@pytest.fixture
def first(page):
    return Embedding(page)


@pytest.mark.html
def test_embedding_starts_from_the_package(first):
    first.assert_shows()


@pytest.mark.html
def test_embedding_follows_a_dragged_output(first):
    output = first.handle("output y")
    drag(first.page, output, 60, 90)
    moved = place_of(output)
    assert moved[0] > first.start["output"][0] + 0.5
    assert moved[1] < first.start["output"][1] - 0.5
    first.assert_shows(output=moved)


@pytest.mark.html
def test_embedding_follows_a_dragged_mean(first):
    mean = first.handle("mean of component 2")
    drag(first.page, mean, -50, -40)
    moved = place_of(mean)
    assert moved != first.start["means"][1]
    first.assert_shows(means=[first.start["means"][0], moved, first.start["means"][2]])


@pytest.mark.html
def test_embedding_follows_the_keyboard(first):
    output = first.handle("output y")
    x, y = first.start["output"]
    output.focus()
    for key in ("ArrowRight", "ArrowRight", "ArrowUp", "ArrowLeft", "Shift+ArrowDown"):
        first.page.keyboard.press(key)
    assert_allclose(place_of(output), [x + 0.1, y - 0.4], atol=0.02)
    first.assert_shows(output=place_of(output))


@pytest.mark.html
def test_a_handle_stays_in_its_plane_and_shows_its_focus(first):
    output = first.handle("output y")
    output.focus()
    first.page.keyboard.press("Tab")
    first.page.keyboard.press("Shift+Tab")
    ring = output.locator(".reach").evaluate("node => getComputedStyle(node).stroke")
    assert ring != "none"
    for _ in range(40):
        first.page.keyboard.press("Shift+ArrowRight")
    assert place_of(output)[0] == first.start["x"][1]
    first.assert_shows(output=place_of(output))


@pytest.mark.html
def test_embedding_follows_its_sliders_and_goes_back(first):
    first.figure.get_by_role("slider", name="weight π₃").fill("0.7")
    first.figure.get_by_role("slider", name="spread σ₁").fill("1.5")
    rest = np.array(first.start["weights"][:2])
    weights = [*(rest * 0.3 / rest.sum()), 0.7]
    first.assert_shows(weights=weights, scales=[1.5, *first.start["scales"][1:]])
    first.figure.get_by_role("button", name="Back to the start").click()
    first.assert_shows()


class PreImage:
    """What the second picture shows."""

    def __init__(self, page):
        self.page = page
        self.figure = page.locator("#fig-play-pre-image")
        self.start = numbers_of(page, "fig-play-pre-image")
        self.prediction = self.figure.get_by_role("slider", name="predicted memberships")
        self.decoded = self.figure.get_by_role("slider", name="decoded output")

    def rows(self):
        return np.array([shown(row) for row in self.figure.locator("tbody tr").all()])

    def assert_decodes(self, memberships, residual):
        rows = self.rows()
        assert_allclose(rows[0, :3], memberships, atol=SHOWN)
        assert_allclose(rows[1, :3], project_simplex(np.array([memberships]))[0], atol=SHOWN)
        h = [[*memberships, *residual]]
        for row, decoder in zip(rows, ("raw", "simplex"), strict=True):
            made = embedding_with([1 / 3] * 3, self.start["means"], [1] * 3, decoder)
            assert_allclose(row[3:], made.inverse_transform(h)[0], atol=SHOWN)


@pytest.fixture
def second(page):
    return PreImage(page)


@pytest.mark.html
def test_pre_image_starts_from_the_package(second):
    assert min(second.start["memberships"]) < 0  # a case in which the decoders differ
    second.assert_decodes(second.start["memberships"], second.start["residual"])


@pytest.mark.html
@pytest.mark.parametrize("way", [(30, -60), (-70, 20), (150, 40), (60, -250)])
def test_pre_image_follows_a_dragged_prediction(second, way):
    drag(second.page, second.prediction, *way)
    across, up = place_of(second.prediction)
    memberships = [1 - across - up / 2, across - up / 2, up]
    assert not np.allclose(memberships, second.start["memberships"], atol=0.05)
    second.assert_decodes(memberships, second.start["residual"])


@pytest.mark.html
def test_decoders_agree_inside_the_triangle(second):
    second.prediction.focus()
    for key in ["ArrowUp"] * 10 + ["ArrowRight"] * 8:
        second.page.keyboard.press(key)
    rows = second.rows()
    assert (rows[0, :3] > 0.1).all()
    assert_allclose(rows[0], rows[1])


@pytest.mark.html
def test_residual_moves_both_outputs(second):
    before = second.rows()
    drag(second.page, second.decoded, 40, 70)
    moved = second.rows()[:, 3:] - before[:, 3:]
    assert np.abs(moved).min() > 0.5
    assert_allclose(moved[0], moved[1], atol=2 * SHOWN)
    centroid = project_simplex(np.array([second.start["memberships"]])) @ second.start["means"]
    residual = place_of(second.decoded) - centroid[0]
    second.assert_decodes(second.start["memberships"], residual)


@pytest.mark.html
def test_weak_labels_are_those_of_the_stored_table(page):
    figure = page.locator("#fig-play-weak-labels")
    slider = figure.get_by_role("slider", name="weak molecules")
    summary = summarize(results("ofer-table-10").frame)
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

    slider.press("ArrowLeft")
    assert slider.get_attribute("aria-valuetext") == "500 weak molecules"


@pytest.mark.html
def test_curve_lies_where_the_errors_are(page):
    """A straight line through four numbers of the page and their pixels fits exactly."""
    curve = page.locator("#fig-play-weak-labels .curve.chosen").get_attribute("d")
    drawn = np.array([pair.split() for pair in curve[1:].split("L")], float)
    numbers = numbers_of(page, "fig-play-weak-labels")
    for pixels, values in zip(
        drawn.T, (np.log10(numbers["sizes"]), numbers["curves"][0]["mean"]), strict=True
    ):
        slope, intercept = np.polyfit(values, pixels, 1)
        assert_allclose(pixels, slope * np.array(values) + intercept, atol=1e-6)


@pytest.mark.html
def test_scripts_take_the_place_of_the_still_figures(page):
    for figure in FIGURES:
        assert page.locator(f"#{figure} .playground svg").count() >= 1
        assert page.locator(f"#{figure} > .drawn").count() == 0
        assert page.locator(f"#{figure} figcaption").is_visible()


@pytest.mark.html
def test_still_figures_are_shown_without_scripts(pages, browser):
    context = browser.new_context(offline=True, java_script_enabled=False)
    page = context.new_page()
    page.goto(CHAPTER.as_uri())
    for figure in FIGURES:
        still = page.locator(f"#{figure} .drawn")
        assert still.is_visible()
        assert still.bounding_box()["width"] > 300
        assert page.locator(f"#{figure} .playground").count() == 0
    context.close()


@pytest.mark.html
def test_a_finger_moves_a_handle_and_not_the_page(pages, browser):
    context = browser.new_context(
        offline=True, has_touch=True, viewport={"width": 390, "height": 800}
    )
    page = context.new_page()
    page.goto(CHAPTER.as_uri())
    page.evaluate("() => window.MathJax?.startup?.promise")
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    first = Embedding(page)
    output = first.handle("output y")
    output.scroll_into_view_if_needed()
    scrolled = page.evaluate("scrollY")
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
    assert place_of(output)[1] < first.start["output"][1] - 0.5
    assert page.evaluate("scrollY") == scrolled
    first.assert_shows(output=place_of(output))
    context.close()


@pytest.mark.html
def test_other_pages_do_not_load_the_scripts(pages):
    loading = [page.name for page in pages if "_static/playground/" in page.read_text()]
    moving = "00_overview", "03_2_gaussian_mixture", "05_what_ofer_computes", "07_how_sure"
    assert loading == [*(f"{name}.html" for name in moving), CHAPTER.name, "own_data.html"]


@pytest.mark.html
def test_the_fit_without_a_point_is_that_of_the_page(pages, window):
    page = window.open(HTML / "07_how_sure.html", 1100, 1000)
    figure = page.locator("#fig-sure-left-out")
    numbers = numbers_of(page, "fig-sure-left-out")
    slider = figure.get_by_role("slider", name="point left out")
    curves = set()
    for i, (output, predicted) in enumerate(zip(numbers["y"], numbers["predicted"], strict=True)):
        slider.fill(str(i))
        assert slider.get_attribute("aria-valuetext") == f"point {i + 1} of {len(numbers['x'])}"
        cells = shown(figure.locator("tbody tr"))
        assert_allclose(cells, [output, predicted, output - predicted], atol=SHOWN + 1e-4)
        near = np.abs(np.subtract(numbers["grid"], numbers["x"][i])).argmin()
        assert abs(numbers["without"][near][i] - predicted) < 0.1  # the fit meets the ring
        curves.add(figure.locator(".curve.decoder-raw").get_attribute("d"))
    assert len(curves) == len(numbers["x"])


@pytest.mark.html
def test_mathematics_agrees_with_the_package_at_random_places(page):
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
