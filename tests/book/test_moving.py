"""Pictures that move in the chapters where their idea arises."""

import json
import re

import numpy as np
import pytest
from numpy.testing import assert_allclose

from tests.book.conftest import HTML

pytestmark = pytest.mark.html


@pytest.fixture
def opened(pages, window):
    """Function that opens a chapter: the page, a figure of it, and the figure's numbers."""

    def opened(chapter, figure):
        page = window.open(HTML / f"{chapter}.html", 1100, 1000)
        numbers = json.loads(page.locator(f"script[data-figure={figure}]").text_content())
        return page, page.locator(f"#{figure}"), numbers

    return opened


def shown(locator):
    """Numbers in a text of the page."""
    text = re.sub("[₀-₉]", "", locator.inner_text()).replace("−", "-")
    return np.array([float(number) for number in re.findall(r"-?\d+(?:\.\d+)?", text)])


def expected(start, y):
    """Memberships of an output, and what is left of it."""
    means, scales = np.array(start["means"]), np.array(start["scales"])
    squares = np.square(means - y).sum(axis=1) / scales**2
    parts = np.array(start["weights"]) / scales**2 * np.exp(-squares / 2)
    memberships = parts / parts.sum()
    return np.r_[memberships, y - memberships @ means]


def test_an_output_tugs_as_its_embedding_says(opened):
    page, figure, start = opened("03_2_gaussian_mixture", "fig-tug")
    words = figure.locator("output")
    assert_allclose(shown(words)[2:], expected(start, start["output"]), atol=6e-4)
    figure.get_by_role("slider", name="output y").focus()
    for key in ("ArrowRight", "ArrowRight", "Shift+ArrowDown"):
        page.keyboard.press(key)
    moved = np.add(start["output"], [0.2, -0.5])
    assert_allclose(shown(words)[:2], moved, atol=1e-6)
    assert_allclose(shown(words)[2:], expected(start, moved), atol=6e-4)


def test_a_sum_stands_still_until_there_are_two_ridges(opened):
    _, figure, start = opened("05_what_ofer_computes", "fig-cancellation")
    slider = figure.get_by_role("slider")
    words = figure.locator("output.wide")
    rings = figure.locator("circle.start")
    places = [float(ring.get_attribute("cx")) for ring in rings.all()]
    squares = [square.get_attribute("x") for square in figure.locator("rect.decoder-raw").all()]
    slider.fill("3")
    now = [float(ring.get_attribute("cx")) for ring in rings.all()]
    assert now == pytest.approx(places, abs=0.1)
    assert [s.get_attribute("x") for s in figure.locator("rect.decoder-raw").all()] != squares
    assert shown(words) == [0]
    figure.get_by_role("checkbox").check()
    gap = np.abs(np.subtract(start["two"]["sums"][3], start["reference"])).max()
    assert_allclose(shown(words), [gap], atol=6e-3)
    assert gap > 0.1


def test_the_picture_plays_and_stops_at_the_start(opened):
    page, figure, start = opened("05_what_ofer_computes", "fig-cancellation")
    figure.get_by_role("button", name="Play").click()
    page.wait_for_function(
        "count => document.querySelector('#fig-cancellation output').textContent === count",
        arg=str(start["counts"][2]),
    )
    assert figure.get_by_role("button", name="Stop").is_visible()
    figure.get_by_role("button", name="Stop").click()
    assert figure.get_by_role("button", name="Play").is_visible()
