"""Every page of the book, opened from disk in a browser without a network."""

import io
import re
from urllib.parse import unquote, urlsplit

import numpy as np
import pytest
import yaml
from PIL import Image

from reproduction.paths import CHECKOUT
from tests.book.conftest import AXE, BOOK, HTML, THEME

pytestmark = pytest.mark.html

NARROW, WIDE = 390, 1280  # CSS pixels: a telephone, a notebook computer
DARK = AXE | {"runOnly": ["color-contrast", "link-in-text-block"]}
# what is wrong with a page at any width
SEEN = r"""() => {
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const raw = [], small = [];
    while (texts.nextNode()) {
        const {data, parentElement: box} = texts.currentNode;
        if (!data.trim() || !box.getClientRects().length || box.closest('mjx-container')) continue;
        const said = data.trim().slice(0, 80);
        if (!box.closest('svg') && parseFloat(getComputedStyle(box).fontSize) < 9) small.push(said);
        if (box.closest('pre, code, script, style, .math') || !box.closest('main')) continue;
        if (/\$[^$\n]*[\\_^][^$\n]*\$|\\(frac|sum|mathbf|begin|lambda|mu)(?![a-z])/.test(data))
            raw.push(said);
    }
    const all = selector => [...document.querySelectorAll(selector)];
    const plain = all('.math').filter(math => !math.querySelector('mjx-container'));
    return {
        'raw formulas': raw,
        'small texts': small,
        'plain formulas': plain.map(math => math.textContent),
        'broken formulas': all('mjx-merror').map(error => error.dataset.mjxError),
        'broken images': all('img').filter(image => !image.naturalWidth).map(image => image.src),
        // the file name is what sphinx puts there when nobody wrote a text
        'images without a text': all('img').filter(
            image => /^$|\.(png|svg)$/.test(image.alt.trim())
        ).map(image => image.src),
        // the card of a claim, and headings above rows by table, say what a table shows
        'tables without a number': all('main table:not(.indextable)').filter(
            table => !table.closest('.claim, .playground, .by-table, .listed') && !(
                table.closest('figure.shown-table') ?? table
            ).querySelector(':is(caption, figcaption) .caption-number')
        ).map(table => table.textContent.slice(0, 80)),
    };
}"""
# what is wider than its place, and cannot be scrolled there
CUT = """() => [...document.querySelectorAll('main :is(mjx-container, table, pre, img)')].filter(
    node => {
        const {right} = node.getBoundingClientRect();
        for (let box = node; box.tagName !== 'MAIN'; box = box.parentElement) {
            const {overflowX, display} = getComputedStyle(box);
            if (['auto', 'scroll'].includes(overflowX)) return false;
            const clips = overflowX === 'hidden' && display !== 'inline';
            if (clips && right > box.getBoundingClientRect().right + 1) return true;
        }
        return right > innerWidth + 1;
    }
).map(node => node.outerHTML.slice(0, 120))"""
# when scripts have seen that the size changed
DRAWN = "() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"
# axe takes seconds for thousands of elements: of what is made alike it is shown five
THIN_OUT = """() => {
    const all = selector => [...document.querySelectorAll(selector)];
    const thin = nodes => nodes.slice(5).forEach(node => node.remove());
    for (const kind of ['mjx-container', 'div.highlight', 'dl.py', 'dl.simple', 'tr', 'nav li',
        'details.claim']) thin(all(kind));
    // words that look alike by their tag and class, and those of all that they are in
    const words = {};
    const plain = ':not(:has(*), :is(svg, a, button, label, summary, h1, h2, h3, h4) *)';
    for (const word of all(`main :is(p, li, span, code, em, strong)${plain}`)) {
        let look = '';
        for (let box = word; box.tagName !== 'MAIN'; box = box.parentElement)
            look += `${box.tagName}.${box.className}.${box.getAttribute('style')} `;
        (words[look] ??= []).push(word);
    }
    Object.values(words).forEach(thin);
}"""
# Of the book itself, not the listings of source code. None when nothing is rendered.
PAGES = sorted(path.name for path in HTML.glob("*.html") if path.name != "index.html")


@pytest.mark.parametrize("name", PAGES)
def test_a_page_has_no_fault(window, faults, name):
    page = window.open(HTML / name, NARROW)
    page.eval_on_selector_all("details.folded", "all => all.forEach(one => one.open = true)")
    seen = page.evaluate(SEEN)
    for width in (NARROW, WIDE):
        page.set_viewport_size({"width": width, "height": 800})
        page.evaluate(DRAWN)
        reach = page.evaluate("document.documentElement.scrollWidth")
        seen[f"width at {width}"] = reach if reach > width else None
        seen[f"cut at {width}"] = page.evaluate(CUT)
    page.evaluate(THIN_OUT)
    for theme, options in {"light": AXE, "dark": DARK}.items():
        page.evaluate(THEME, theme)
        seen[f"violations when it is {theme}"] = faults(page, options)
    seen["errors"] = window.errors
    seen["elsewhere"] = [url for url in window.requests if not url.startswith(("file:", "data:"))]
    assert {fault: found for fault, found in seen.items() if found} == {}


def test_the_index_leads_to_the_front_page(window):
    page = window.page
    page.goto((HTML / "index.html").as_uri())
    page.wait_for_url("**/00_overview.html")
    assert "hold up?" in page.inner_text("main h1")


@pytest.mark.parametrize(
    ("words", "name"),
    [
        ("install", "how_to_rerun"),
        ("errata", "90_errata"),
        ("confidence interval", "07_how_sure"),
        ("own data", "own_data"),
    ],
)
def test_search_brings_the_page_that_a_reader_wants_first(window, words, name):
    page = window.open(HTML / "search.html")
    page.fill("input[name=q] >> visible=true", words)
    page.keyboard.press("Enter")
    page.wait_for_selector("text=Search finished")
    found = page.locator("#search-results li a").first.get_attribute("href")
    assert found.partition("#")[0].startswith(f"{name}.html")
    assert window.errors == []


def test_a_question_says_whether_the_answer_is_right(window):
    page = window.open(HTML / "05_what_ofer_computes.html")
    page.eval_on_selector_all("details.folded", "all => all.forEach(one => one.open = true)")
    number, choice = (page.locator(".ask").nth(i) for i in (0, 1))
    for given, said in (("14 and 40", "No."), ("14 and 444", "Right.")):
        number.locator("input").fill(given)
        number.locator("button").click()
        assert number.locator("output").inner_text().startswith(said)
    for place, said in ((0, "No."), (1, "Right.")):
        choice.locator("input").nth(place).check()
        choice.locator("button").click()
        assert choice.locator("output").inner_text().startswith(said)
        assert choice.locator("details").evaluate("box => box.open") == (said == "Right.")
    assert window.errors == []


def test_a_link_to_a_folded_heading_opens_it(window):
    page = window.open(HTML / "06_2_synthetic.html")
    folded = page.locator("section:has(> details.folded)")
    name = folded.evaluate_all("all => all.map(section => section.id)")[0]
    opened = page.locator(f'[id="{name}"] > details')
    assert page.locator("section > details.folded[open]").count() == 0
    for _ in range(2):  # and again once it was closed
        page.locator(f'.page-toc a[href="#{name}"], .bd-toc-nav a[href="#{name}"]').last.click()
        assert opened.evaluate("box => box.open")
        opened.locator("> summary").click(position={"x": 2, "y": 10})
        assert not opened.evaluate("box => box.open")


def test_what_is_folded_opens_for_a_place_in_it_and_on_paper_without_scripts(unscripted, expect):
    address = (HTML / "06_5_classification.html").as_uri()
    unscripted.goto(address)
    place = unscripted.locator('[id="ofer-table-12"]')
    expect(place).to_be_hidden()
    unscripted.emulate_media(media="print")
    expect(place).to_be_visible()
    unscripted.emulate_media(media="screen")
    unscripted.goto("about:blank")
    unscripted.goto(f"{address}#ofer-table-12")
    expect(place).to_be_visible()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_first_click_on_the_button_changes_the_theme(pages, browser, scheme):
    page = browser.new_context(offline=True, color_scheme=scheme).new_page()
    page.goto((HTML / "01_introduction.html").as_uri())
    theme = "document.documentElement.dataset.theme"
    assert page.evaluate(theme) == scheme
    page.locator("button.theme-switch-button").first.click()
    assert page.evaluate(theme) != scheme
    page.context.close()


def test_the_entries_to_cite_are_copied_by_one_click(window):
    page = window.open(HTML / "how_to_cite.html")
    told = page.locator("main pre").inner_text()
    citation = yaml.safe_load((CHECKOUT / "CITATION.cff").read_text())
    names = " and ".join(f"{{{author['name']}}}" for author in citation["authors"])
    assert f"author = {{{names}}}" in told
    assert f"Version {citation['version']}, {citation['date-released']}" in told
    assert citation["references"][0]["doi"] in told
    page.context.grant_permissions(["clipboard-read"])
    page.locator("main button.copybtn").click()
    page.locator("main button.copybtn.success").wait_for()
    assert page.evaluate("navigator.clipboard.readText()").strip() == told.strip()
    assert f"Version {citation['version']}" in page.locator(".extra_footer").inner_text()
    assert page.locator('.extra_footer a[href$="#report-an-error"]').count() == 1
    assert window.errors == []


@pytest.mark.parametrize(
    ("name", "goal"),
    [("01_introduction", "bibliography.html#"), ("06_4_2_drug_activity", "notation.html#term-")],
)
def test_a_citation_or_a_name_says_what_it_is_to_pointer_and_keyboard(window, name, goal):
    page = window.open(HTML / f"{name}.html")
    page.eval_on_selector_all("details.folded", "all => all.forEach(box => box.open = true)")
    # the element itself, which loses its title while the note is there
    link = page.locator(f'main a[href*="{goal}"][title] >> visible=true').first.element_handle()
    said = link.get_attribute("title")
    note = page.get_by_role("tooltip")
    for show in (link.hover, link.focus):
        show()
        note.wait_for()
        assert note.inner_text() == said
        assert link.get_attribute("aria-describedby") == note.get_attribute("id")
        own, place = (node.bounding_box() for node in (link, note))
        assert 0 <= place["x"] <= place["x"] + place["width"] <= 1280
        below = place["y"] >= own["y"]
        assert below or place["y"] + place["height"] <= own["y"] + 1
        page.keyboard.press("Escape")
        note.wait_for(state="hidden")
        assert link.get_attribute("title") == said
    assert window.errors == []


def test_a_formula_that_scrolls_has_a_shadow_and_no_other_has_one(window):
    page = window.open(HTML / "06_1_protocol.html", width=NARROW)
    page.wait_for_selector("mjx-container.long")
    found = page.evaluate(
        """() => [...document.querySelectorAll('mjx-container')].map(formula => [
            formula.firstElementChild.getBoundingClientRect().width - formula.clientWidth > 1,
            getComputedStyle(formula).backgroundImage !== 'none',
            formula.tabIndex === 0,
        ])"""
    )
    is_long, has_shadow, is_reached = map(list, zip(*found, strict=True))
    assert any(is_long)
    assert has_shadow == is_reached == is_long


@pytest.mark.parametrize(("width", "beside"), [(1280, True), (1000, True), (390, False)])
def test_the_figure_of_the_front_page_stands_beside_its_headline(window, width, beside):
    page = window.open(HTML / "00_overview.html", width)
    figure, head, caption = (
        page.locator(name).first.bounding_box()
        for name in (".switch svg", "main article h1", "main .tag_front-figure + p")
    )
    assert (figure["x"] >= head["x"] + head["width"]) == beside
    assert (figure["y"] < head["y"] + head["height"]) == beside
    assert figure["y"] + figure["height"] < (400 if beside else 900)
    assert caption["y"] >= figure["y"] + figure["height"]


def test_drawings_have_the_ground_of_the_page_in_the_dark(window):
    page = window.open(HTML / "00_overview.html")
    page.evaluate(THEME, "dark")
    shown = Image.open(io.BytesIO(page.locator(".switch svg").first.screenshot())).convert("L")
    assert np.median(shown) < 40  # of 255, which white has


def test_figures_whose_captions_tell_shades_keep_them_in_the_dark(pages):
    kept = re.search(r":is\((#[^)]*)\) img", (BOOK / "_static" / "book.css").read_text())[1]
    shade = re.compile(r"\b(black|white|dark(er)?|light(er)?|pale|bright(er)?)\b", re.IGNORECASE)
    figure = re.compile(r'<figure [^>]*id="([^"]+)"[^>]*>(.*?)</figure>', re.DOTALL)
    telling = {
        f"#{name}"
        for path in pages
        for name, content in figure.findall(path.read_text(encoding="utf-8"))
        if "<img " in content and shade.search(content.partition("<figcaption")[2])
    }
    assert telling == set(kept.split(", "))


def test_the_arrow_of_a_page_saves_its_notebook(window):
    page = window.open(HTML / "06_4_2_drug_activity.html")
    arrow = page.locator("a.btn-download-source-button").first
    assert arrow.get_attribute("download") == "06_4_2_drug_activity.ipynb"
    address = unquote(urlsplit(arrow.get_attribute("href")).path)
    assert (HTML / address).exists()
