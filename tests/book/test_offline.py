"""What is taken out of style sheets and fonts is what no page uses."""

import importlib.util

import pytest
from fontTools.ttLib import TTFont

from reproduction.pipeline.dodo import HTML
from reproduction.pipeline.execute import BOOK


@pytest.fixture(scope="module")
def offline():
    """The extension that takes it out."""
    spec = importlib.util.spec_from_file_location("offline", BOOK / "_ext" / "offline.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize(
    ("sheet", "left"),
    [
        (".a{b:c}.x{b:c}", ".a{b:c}"),
        (".x,.a .b{b:c}", ".x,.a .b{b:c}"),
        (".a .x,.-x{b:c}", ""),
        (".a:not(.x):is(.y,.z){b:c}", ".a:not(.x):is(.y,.z){b:c}"),
        ("/* .x{ */p{b:c}", "p{b:c}"),
        ("@media(width:1px){.x{b:c}.a{b:c}}", "@media(width:1px){.a{b:c}}"),
        ('@charset "a";.x{b:c}@font-face{b:c}', '@charset "a";@font-face{b:c}'),
    ],
)
def test_rules_for_what_no_page_holds_go(offline, sheet, left):
    assert offline.without_unused(sheet, {"a", "b"}) == left


@pytest.mark.html
def test_every_icon_of_a_page_is_drawn(pages, browser):
    page = browser.new_context(offline=True).new_page()
    page.goto((HTML / "06_4_2_drug_activity.html").as_uri())
    signs = page.eval_on_selector_all(
        "i[class*=fa-], .admonition-title",
        """all => all.flatMap(icon => ['::before', '::after'].map(
            place => getComputedStyle(icon, place).content
        )).filter(sign => /[\\ue000-\\uf8ff]/.test(sign))""",
    )
    font = HTML / "_static" / "vendor" / "fontawesome" / "webfonts" / "fa-solid-900.ttf"
    assert {sign.strip('"') for sign in signs} <= {*map(chr, TTFont(font).getBestCmap())}
    assert len({*signs}) > 5
    assert page.evaluate(
        "document.fonts.load('900 1em \"Font Awesome 6 Free\"').then(f => f.length)"
    )
    page.context.close()
