"""Figures in the rendered pages: they can be read on a telephone, and in the dark."""

import pytest

from reproduction.pipeline.dodo import HTML

pytestmark = pytest.mark.html

SMALLEST = 9  # pixels
# Sizes of texts on the screen; an index counts as the text that it stands at.
SMALL = """smallest => [...document.querySelectorAll('.drawn svg')].flatMap(svg => {
    const scale = svg.getBoundingClientRect().width / svg.viewBox.baseVal.width;
    return [...svg.querySelectorAll('text')].map(text => {
        const parts = [text, ...text.querySelectorAll('tspan')].filter(part => part.textContent);
        const sizes = parts.map(part => parseFloat(getComputedStyle(part).fontSize));
        return [text.textContent, scale * Math.max(...sizes.slice(sizes.length > 1))];
    });
}).filter(([, size]) => size < smallest - 0.05)"""
# Contrast of texts with the page, as WCAG measures it; canvas turns any colour into numbers.
PALE = """theme => {
    document.documentElement.dataset.theme = document.documentElement.dataset.mode = theme;
    const pen = document.createElement('canvas').getContext('2d', {willReadFrequently: true});
    const light = color => {
        pen.fillStyle = color;
        pen.fillRect(0, 0, 1, 1);
        const [r, g, b] = [...pen.getImageData(0, 0, 1, 1).data].map(
            part => part / 255 <= 0.04 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4
        );
        return 0.2126 * r + 0.7152 * g + 0.0722 * b + 0.05;
    };
    const page = light(getComputedStyle(document.body).backgroundColor);
    const contrast = text => {
        const own = light(getComputedStyle(text).fill);
        return Math.max(own, page) / Math.min(own, page);
    };
    return [...document.querySelectorAll('.drawn text')]
        .filter(text => contrast(text) < 4.5).map(text => text.textContent);
}"""
PAGES = sorted(
    path.name for path in HTML.glob("*.html") if 'class="drawn"' in path.read_text(encoding="utf-8")
)


def test_there_are_drawn_figures(pages):
    assert len(PAGES) > 20


@pytest.mark.parametrize("name", PAGES)
def test_texts_of_figures_can_be_read(window, name):
    page = window.open(HTML / name, 390, 800)
    page.evaluate("document.querySelectorAll('details').forEach(node => node.open = true)")
    found = {"small": page.evaluate(SMALL, SMALLEST)}
    for theme in ("light", "dark"):
        found[theme] = page.evaluate(PALE, theme)
    assert {fault: texts for fault, texts in found.items() if texts} == {}


def test_small_and_pale_texts_are_found(browser):
    page = browser.new_page()
    page.set_content(
        '<body style="background: #fff"><div class="drawn">'
        '<svg viewBox="0 0 100 100" style="width: 50px">'
        '<text><tspan style="font-size: 18px">nine</tspan>'
        '<tspan style="font-size: 4px">2</tspan></text>'
        '<text style="font-size: 17px; fill: #ddd">less</text></svg></div></body>'
    )
    assert [text for text, _ in page.evaluate(SMALL, SMALLEST)] == ["less"]
    assert page.evaluate(PALE, "light") == ["less"]
    page.close()


def test_panels_are_side_by_side_where_there_is_room_and_have_values(window):
    page = window.open(HTML / "06_4_2_drug_activity.html", 1280, 800)
    panels = page.locator("#fig-table-09 .panels > svg")
    tops = {round(panel.bounding_box()["y"]) for panel in panels.all()}
    assert (panels.count(), len(tops)) == (2, 1)
    page.set_viewport_size({"width": 390, "height": 800})
    first, second = (panel.bounding_box() for panel in panels.all())
    assert second["y"] >= first["y"] + first["height"] - 1
    said = panels.first.locator("use title").all_text_contents()
    assert any(text.startswith("OFER-GMM: 0.") and text.endswith(" at 100") for text in said)
