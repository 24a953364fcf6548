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
# buttons change their colours gradually, and are measured at the end of that
DARK = """() => {
    document.documentElement.dataset.theme = document.documentElement.dataset.mode = 'dark';
    document.getAnimations().forEach(animation => animation.finish());
}"""
NARROW = 390  # CSS pixels, a telephone


@pytest.fixture(scope="module")
def visits(pages, browser):
    """What the browser saw on each page of the book itself (not on listings of source code)."""
    axe_core = pytest.importorskip("axe_playwright_python.sync_playwright")
    context = browser.new_context(offline=True)
    seen = {}
    for path in pages:
        if "_modules" in path.parts:
            continue
        page = context.new_page()
        errors, requests = [], []
        page.on("pageerror", lambda error, errors=errors: errors.append(str(error)))
        page.on(
            "console",
            lambda message, errors=errors: (
                errors.append(message.text) if message.type in {"error", "warning"} else None
            ),
        )
        page.on("request", lambda request, requests=requests: requests.append(request.url))
        page.goto(path.as_uri())
        page.evaluate("() => window.MathJax?.startup?.promise")
        violations = axe_core.Axe().run(page, options=AXE).response["violations"]
        seen[path.relative_to(HTML).as_posix()] = visit = {
            "errors": errors,
            "elsewhere": [url for url in requests if not url.startswith(("file:", "data:"))],
            "formulas": page.locator(".math").count(),
            "typeset": page.locator("mjx-container").count(),
            "broken formulas": page.eval_on_selector_all(
                "mjx-merror", "all => all.map(e => e.dataset.mjxError)"
            ),
            "broken images": page.eval_on_selector_all(
                "img", "all => all.filter(i => !i.naturalWidth).map(i => i.src)"
            ),
            "violations": _nodes(violations),
        }
        page.evaluate(DARK)
        options = AXE | {"runOnly": ["color-contrast"]}
        dark = axe_core.Axe().run(page, options=options).response["violations"]
        visit["low contrast in the dark"] = _nodes(dark)
        page.set_viewport_size({"width": NARROW, "height": 800})
        width = page.evaluate("document.documentElement.scrollWidth")
        visit["width on a narrow screen"] = width if width > NARROW else None
        page.close()
    context.close()
    return seen


def _nodes(violations):
    return [
        f"{violation['id']}: {node['html'][:200]}"
        for violation in violations
        for node in violation["nodes"]
    ]


@pytest.mark.parametrize(
    "fault",
    [
        "errors",
        "elsewhere",
        "broken formulas",
        "broken images",
        "violations",
        "low contrast in the dark",
        "width on a narrow screen",
    ],
)
def test_no_page_has(visits, fault):
    assert len(visits) > 5
    assert {name: visit[fault] for name, visit in visits.items() if visit[fault]} == {}


def test_every_formula_is_typeset(visits):
    assert sum(visit["formulas"] for visit in visits.values()) > 20
    plain = {name for name, visit in visits.items() if visit["typeset"] < visit["formulas"]}
    assert plain == set()


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
