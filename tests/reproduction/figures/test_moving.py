import json
import re

import numpy as np
import pytest
from bs4 import BeautifulSoup

from reproduction.figures.moving import publish, rounded


def test_a_page_gets_the_numbers_for_its_script():
    numbers = {"x": rounded(np.array([[1 / 3, 2.0]]))}
    html = publish("leftOut", "fig-a", numbers).data
    kind, text = re.fullmatch(r"<script ([^>]*)>(.*)</script>", html).groups()
    assert kind == 'type="application/json" data-playground="leftOut" data-figure="fig-a"'
    assert json.loads(text) == {"x": [[0.3333, 2.0]]}


@pytest.mark.parametrize("text", ["</script><b>", "<!-- <script>", "a < b & c"])
def test_no_text_ends_the_element_or_begins_another(text):
    page = BeautifulSoup(publish("leftOut", "fig-a", {text: [text]}).data, "html.parser")
    (script,) = page.find_all(True)
    assert [*page.children] == [script]
    assert "<" not in script.string
    assert json.loads(script.string) == {text: [text]}
