"""Every page of the book, opened from disk in a browser without a network."""

import pytest

from tests.book.conftest import HTML

pytestmark = pytest.mark.html

# preload would have axe read style sheets by a request that file:// addresses do not allow
AXE = {
    "runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa"],
    "resultTypes": ["violations"],
    "preload": False,
}
# What axe says of colours it says after it has noted the place of everything on the page.
COLOURS = AXE | {"runOnly": ["color-contrast", "link-in-text-block"]}
FORMS = AXE | {"rules": {name: {"enabled": False} for name in COLOURS["runOnly"]}}
# axe takes seconds to look at thousands of texts, and says the same of all that are in the same
# letters on the same ground: it is shown the first of each kind.
MARK_KINDS = """() => {
    const grounds = new Map([[null, '']]), seen = new Set();
    const ground = node => {
        if (!grounds.has(node)) {
            const {backgroundColor, backgroundImage, opacity, filter, mixBlendMode} =
                getComputedStyle(node);
            const own = [backgroundColor, backgroundImage, opacity, filter, mixBlendMode].join();
            const under = ground(node.parentElement);
            grounds.set(node, under.endsWith(own) ? under : `${under};${own}`);
        }
        return grounds.get(node);
    };
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT), known = new Set();
    while (texts.nextNode()) {
        const node = texts.currentNode.parentElement;
        if (known.has(node) || !texts.currentNode.data.trim()) continue;
        known.add(node);
        const {color, fontSize, fontWeight, textShadow, visibility} = getComputedStyle(node);
        const shown = visibility === 'visible' && node.getClientRects().length > 0;
        const kind = [color, fontSize, fontWeight, textShadow, shown, ground(node)].join();
        if (!seen.has(kind)) node.dataset.kind = seen.add(kind).size;
    }
    axe.configure({rules: [{id: 'color-contrast', selector: '[data-kind]'}]});
    return seen.size;
}"""
# And it need not note the places of all others, but of links and of what stands beside them.
DROP_OTHERS = """() => document.querySelectorAll(
    'body :not(:has(> a)) > :not([data-kind], a, :has([data-kind], a))'
).forEach(node => node.remove())"""
# buttons change their colours gradually, and are measured at the end of that
THEME = """theme => {
    document.documentElement.dataset.theme = document.documentElement.dataset.mode = theme;
    document.getAnimations().forEach(animation => animation.finish());
}"""
# CSS pixels: a telephone, a tablet, a notebook computer, a screen
NARROW, MEDIUM, WIDE, WIDEST = 390, 768, 1280, 1920
HEIGHT = 800
# when scripts have seen that the size changed
DRAWN = "() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"
# texts that should have been formulas
RAW = r"""() => {
    const walker = document.createTreeWalker(document.querySelector('main'), NodeFilter.SHOW_TEXT);
    const found = [];
    while (walker.nextNode()) {
        const text = walker.currentNode;
        if (text.parentElement.closest('pre, code, script, style, mjx-container, .math')) continue;
        if (/\$[^$\n]*[\\_^][^$\n]*\$|\\(frac|sum|mathbf|begin|lambda|mu)(?![a-z])/.test(text.data))
            found.push(text.data.trim().slice(0, 100));
    }
    return found;
}"""
# texts too small to read, but in formulas, which have indices of indices, and in drawings, whose
# size is not that of the letters
SMALL = """() => {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT), found = [];
    while (walker.nextNode()) {
        const {data, parentElement: box} = walker.currentNode;
        if (!data.trim() || !box.getClientRects().length) continue;
        if (box.closest('mjx-container, svg')) continue;
        if (parseFloat(getComputedStyle(box).fontSize) < 9) found.push(data.trim().slice(0, 60));
    }
    return found;
}"""
# what is wider than its place, and cannot be scrolled there
CUT = """() => [...document.querySelectorAll(
    'main :is(mjx-container, table, pre)'
)].filter(node => {
    const {right} = node.getBoundingClientRect();
    for (let box = node; box.tagName !== 'MAIN'; box = box.parentElement) {
        const {overflowX, display} = getComputedStyle(box);
        if (['auto', 'scroll'].includes(overflowX)) return false;
        const clips = overflowX === 'hidden' && display !== 'inline';
        if (clips && right > box.getBoundingClientRect().right + 1) return true;
    }
    return right > innerWidth + 1;
}).map(node => node.textContent.trim().slice(0, 80))"""
# Of the book itself, not the listings of source code. None when nothing is rendered.
PAGES = sorted(
    path.relative_to(HTML).as_posix()
    for path in HTML.rglob("*.html")
    if not {"_static", "_modules"} & {*path.parts} and path != HTML / "index.html"
)


@pytest.mark.parametrize("name", PAGES)
def test_a_page_has_no_fault(window, faults, name):
    page = window.open(HTML / name, NARROW, HEIGHT)
    page.eval_on_selector_all("details.folded", "all => all.forEach(one => one.open = true)")
    formulas, typeset = (page.locator(those).count() for those in (".math", "mjx-container"))
    seen = {
        "plain formulas": max(formulas - typeset, 0),
        "raw formulas": page.evaluate(RAW),
        "broken formulas": page.eval_on_selector_all(
            "mjx-merror", "all => all.map(e => e.dataset.mjxError)"
        ),
        "broken images": page.eval_on_selector_all(
            "img", "all => all.filter(i => !i.naturalWidth).map(i => i.src)"
        ),
    }
    seen["small"] = page.evaluate(SMALL)
    for width in (NARROW, MEDIUM, WIDE, WIDEST):
        page.set_viewport_size({"width": width, "height": HEIGHT})
        page.evaluate(DRAWN)
        reach = page.evaluate("document.documentElement.scrollWidth")
        seen[f"width at {width}"] = reach if reach > width else None
        seen[f"cut at {width}"] = page.evaluate(CUT)
    seen["long lines of code"] = page.eval_on_selector_all(
        "main pre",
        "all => all.filter(e => e.scrollWidth > e.clientWidth + 1).map(e => e.innerText)",
    )
    seen["violations"] = faults(page, FORMS)
    for theme in ("light", "dark"):
        page.evaluate(THEME, theme)
        assert page.evaluate(MARK_KINDS) > 0
    page.evaluate(DROP_OTHERS)
    for theme in ("light", "dark"):
        page.evaluate(THEME, theme)
        seen[f"colours when it is {theme}"] = faults(page, COLOURS)
    seen["errors"] = window.errors
    seen["elsewhere"] = [url for url in window.requests if not url.startswith(("file:", "data:"))]
    assert {fault: found for fault, found in seen.items() if found} == {}


def test_there_are_pages_with_formulas(pages):
    assert len(PAGES) > 5
    assert sum('class="math' in (HTML / name).read_text() for name in PAGES) > 5


def test_faults_of_colour_are_found_among_many_others(browser, faults):
    page = browser.new_page()
    many = "".join(f'<p style="color: #000">Text {number}</p>' for number in range(50))
    page.set_content(
        f'<html lang="en"><body style="background: #fff"><main>{many}'
        '<p style="color: #ccc">Pale</p>'
        '<div style="background: #222"><p style="color: #000">Dark on dark</p></div>'
        '<p style="color: #000; opacity: 0.2">Faded</p>'
        '<p style="color: #000"><em>Words</em> and '
        '<a href="#" style="color: #222; text-decoration: none">a link</a></p></main></body></html>'
    )
    of_all = faults(page, COLOURS)
    assert page.evaluate(MARK_KINDS) == 5
    page.evaluate(DROP_OTHERS)
    assert page.locator("p").count() == 5
    found = faults(page, COLOURS)
    assert len(found) == len(of_all) == 4
    assert sum("a link" in fault for fault in found) == 1
    page.close()


def test_the_index_leads_to_the_front_page(pages, browser):
    page = browser.new_page()
    page.goto((HTML / "index.html").as_uri())
    page.wait_for_url("**/00_overview.html")
    assert "Does the paper hold up?" in page.inner_text("main")
    page.close()


def test_search_finds_a_word_offline(pages, browser):
    page = browser.new_context(offline=True).new_page()
    errors = []
    page.on("console", lambda said: errors.append(said.text) if said.type == "error" else None)
    page.goto((HTML / "search.html").as_uri() + "?q=embedding")
    page.wait_for_selector("#search-results li a")
    page.wait_for_selector("text=Search finished")
    assert page.locator("#search-results li a").count() > 2
    assert errors == []
    page.close()


@pytest.mark.parametrize(
    ("words", "name"),
    [
        ("install", "how_to_rerun"),
        ("errata", "90_errata"),
        ("confidence interval", "07_how_sure"),
    ],
)
def test_search_brings_the_page_that_a_reader_wants_first(window, pages, words, name):
    page = window.open(HTML / "search.html", WIDE, HEIGHT)
    page.fill("input[name=q] >> visible=true", words)
    page.keyboard.press("Enter")
    found = page.locator("#search-results li a").first
    found.wait_for()
    page.wait_for_selector("text=Search finished")
    assert found.get_attribute("href").partition("#")[0].startswith(f"{name}.html")


OPEN = "section > details.folded[open]"


def test_a_link_to_a_folded_heading_opens_it(window, pages):
    page = window.open(HTML / "03_3_state_space.html", WIDE, HEIGHT)
    folded = page.locator("section:has(> details.folded)")
    names = folded.evaluate_all("all => all.map(section => section.id)")
    assert page.locator(OPEN).count() == 0
    for name in (names[0], names[-1]):  # another one, and the same again once it was closed
        for _ in range(2):
            page.locator(f'.page-toc a[href="#{name}"], .bd-toc-nav a[href="#{name}"]').last.click()
            opened = page.locator(f'[id="{name}"] > details')
            assert opened.evaluate("box => box.open")
            formulas = opened.locator("mjx-container")
            assert formulas.count() == opened.locator(".math").count()
            assert all(formulas.evaluate_all("all => all.map(one => one.offsetWidth > 0)"))
            opened.locator("> summary").click(position={"x": 2, "y": 10})
            assert not opened.evaluate("box => box.open")
    page.goto("about:blank")
    page.goto(f"{(HTML / '03_3_state_space.html').as_uri()}#{names[1]}")
    assert page.locator(OPEN).count() == 1


@pytest.mark.parametrize("script", [True, False])
def test_what_is_folded_opens_for_a_place_in_it_and_on_paper(pages, browser, script):
    page = browser.new_context(offline=True, java_script_enabled=script).new_page()
    address = (HTML / "06_5_classification.html").as_uri()
    page.goto(address)
    place = page.locator('[id="ofer-table-12"]')
    visible = "place => place.checkVisibility({contentVisibilityAuto: true})"
    assert not place.evaluate(visible)
    page.emulate_media(media="print")
    assert place.evaluate(visible)
    page.emulate_media(media="screen")
    page.goto("about:blank")
    page.goto(f"{address}#ofer-table-12")
    place.scroll_into_view_if_needed()
    assert place.evaluate(visible)
    page.context.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_first_click_on_the_button_changes_the_theme(pages, browser, scheme):
    page = browser.new_context(offline=True, color_scheme=scheme).new_page()
    page.goto((HTML / "01_introduction.html").as_uri())
    theme = "document.documentElement.dataset.theme"
    assert page.evaluate(theme) == scheme
    page.locator("button.theme-switch-button").first.click()
    assert page.evaluate(theme) != scheme
    page.close()


def test_raw_formulas_are_found(browser):
    page = browser.new_page()
    page.set_content(
        r"<main><p>as $h_2$ says</p><p>3 $ and 4 $</p><p>a \sum_i</p><code>$a_b$</code></main>"
    )
    assert page.evaluate(RAW) == ["as $h_2$ says", r"a \sum_i"]
    page.close()


def test_what_is_cut_is_found(browser):
    page = browser.new_page()
    wide = '<pre style="width: 3000px">{}</pre>'
    page.set_content(
        f"<main>{wide.format('beyond')}"
        f'<div style="overflow-x: hidden">{wide.format("hidden")}</div>'
        f'<div style="overflow-x: auto">{wide.format("scrolled")}</div></main>'
    )
    assert page.evaluate(CUT) == ["beyond", "hidden"]
    page.close()
