"""No address that worked before is dead: pages and anchors stay, or forward to new ones.

``addresses.txt`` has those that the site once had; a line may be added, and none is taken away.
"""

from pathlib import Path

import pytest

from tests.book.conftest import HTML, MOVED

pytestmark = pytest.mark.html

ADDRESSES = Path(__file__).with_name("addresses.txt").read_text(encoding="utf-8").split()


def test_every_old_address_leads_somewhere(pages, parsed):
    dead = []
    for address in ADDRESSES:
        page, _, anchor = address.partition("#")
        goal = HTML / f"{MOVED.get(page, page)}.html"
        there = (HTML / f"{page}.html").exists() and goal.exists()
        if not there or (anchor and parsed(goal).find(id=anchor) is None):
            dead.append(address)
    assert dead == []


@pytest.mark.parametrize("old", [old for old in MOVED if f"{old}#" in " ".join(ADDRESSES)])
def test_a_page_that_has_moved_forwards_with_its_anchor(window, old):
    address = next(one for one in ADDRESSES if one.startswith(f"{old}#"))
    anchor = address.partition("#")[2]
    window.page.goto(f"{(HTML / old).as_uri()}.html#{anchor}")
    window.page.wait_for_url(f"**/{MOVED[old]}.html#{anchor}")
