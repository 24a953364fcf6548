"""Every page of the book, opened from disk in a browser without a network."""

import pytest

from reproduction.pipeline.dodo import HTML

pytestmark = pytest.mark.html

# preload would have axe read style sheets by a request that file:// addresses do not allow
AXE = {
    "runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa"],
    "resultTypes": ["violations"],
    "preload": False,
}
FORMS = AXE | {"rules": {"color-contrast": {"enabled": False}}}
CONTRAST = AXE | {"runOnly": ["color-contrast"]}
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
    for (const node of document.querySelectorAll('*')) {
        delete node.dataset.kind;
        const says = child => child.nodeType === Node.TEXT_NODE && child.data.trim();
        if (![...node.childNodes].some(says)) continue;
        const {color, fontSize, fontWeight, textShadow, visibility} = getComputedStyle(node);
        const shown = visibility === 'visible' && node.getClientRects().length > 0;
        const kind = [color, fontSize, fontWeight, textShadow, shown, ground(node)].join();
        if (!seen.has(kind)) node.dataset.kind = seen.add(kind).size;
    }
    return seen.size;
}"""
# buttons change their colours gradually, and are measured at the end of that
DARK = """() => {
    document.documentElement.dataset.theme = document.documentElement.dataset.mode = 'dark';
    document.getAnimations().forEach(animation => animation.finish());
}"""
NARROW = 390  # CSS pixels, a telephone
# Of the book itself, not the listings of source code. None when nothing is rendered.
PAGES = sorted(
    path.relative_to(HTML).as_posix()
    for path in HTML.rglob("*.html")
    if not {"_static", "_modules"} & {*path.parts} and path != HTML / "index.html"
)


@pytest.fixture(scope="session")
def offline(browser):
    """A browser's window without a network."""
    context = browser.new_context(offline=True)
    yield context
    context.close()


@pytest.fixture(scope="session")
def faults():
    """Function that gives what axe finds wrong on a page."""
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()

    def faults(page, options, part=None):
        found = axe.run(page, context=part, options=options).response["violations"]
        nodes = ((violation["id"], node) for violation in found for node in violation["nodes"])
        return [f"{name}: {node['html'][:200]}" for name, node in nodes]

    return faults


def low_contrast(page, faults):
    assert page.evaluate(MARK_KINDS) > 0
    return faults(page, CONTRAST, "[data-kind]")


@pytest.mark.parametrize("name", PAGES)
def test_a_page_has_no_fault(offline, faults, name):
    page = offline.new_page()
    errors, requests = [], []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on(
        "console",
        lambda said: errors.append(said.text) if said.type in {"error", "warning"} else None,
    )
    page.on("request", lambda request: requests.append(request.url))
    page.goto((HTML / name).as_uri())
    page.evaluate("() => window.MathJax?.startup?.promise")
    formulas, typeset = (page.locator(those).count() for those in (".math", "mjx-container"))
    seen = {
        "plain formulas": max(formulas - typeset, 0),
        "broken formulas": page.eval_on_selector_all(
            "mjx-merror", "all => all.map(e => e.dataset.mjxError)"
        ),
        "broken images": page.eval_on_selector_all(
            "img", "all => all.filter(i => !i.naturalWidth).map(i => i.src)"
        ),
        "violations": faults(page, FORMS),
        "low contrast": low_contrast(page, faults),
    }
    page.evaluate(DARK)
    seen["low contrast in the dark"] = low_contrast(page, faults)
    page.set_viewport_size({"width": NARROW, "height": 800})
    width = page.evaluate("document.documentElement.scrollWidth")
    seen["width on a narrow screen"] = width if width > NARROW else None
    page.close()
    seen["errors"] = errors
    seen["elsewhere"] = [url for url in requests if not url.startswith(("file:", "data:"))]
    assert {fault: found for fault, found in seen.items() if found} == {}


def test_there_are_pages_with_formulas(pages):
    assert len(PAGES) > 5
    assert sum('class="math' in (HTML / name).read_text() for name in PAGES) > 5


def test_pale_texts_are_found_among_many_others(offline, faults):
    page = offline.new_page()
    many = "".join(f'<p style="color: #000">Text {number}</p>' for number in range(50))
    page.set_content(
        f'<html lang="en"><body style="background: #fff">{many}'
        '<p style="color: #ccc">Pale</p>'
        '<div style="background: #222"><p style="color: #000">Dark on dark</p></div>'
        '<p style="color: #000; opacity: 0.2">Faded</p></body></html>'
    )
    assert page.evaluate(MARK_KINDS) == 4
    assert len(low_contrast(page, faults)) == len(faults(page, CONTRAST)) == 3
    page.close()


def test_the_index_leads_to_the_front_page(pages, browser):
    page = browser.new_page()
    page.goto((HTML / "index.html").as_uri())
    page.wait_for_url("**/00_overview.html")
    assert "Does the paper hold up?" in page.inner_text("main")
    page.close()


def test_search_finds_a_word_offline(pages, browser):
    page = browser.new_context(offline=True).new_page()
    page.goto((HTML / "search.html").as_uri() + "?q=embedding")
    page.wait_for_selector("#search-results li a")
    assert page.locator("#search-results li a").count() > 2
