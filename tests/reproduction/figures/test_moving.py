import json
import re

import numpy as np

from reproduction.figures.moving import publish, rounded


def test_a_page_gets_the_numbers_for_its_script():
    numbers = {"x": rounded(np.array([[1 / 3, 2.0]]))}
    html = publish("leftOut", "fig-a", numbers).data
    kind, text = re.fullmatch(r"<script ([^>]*)>(.*)</script>", html).groups()
    assert kind == 'type="application/json" data-playground="leftOut" data-figure="fig-a"'
    assert json.loads(text) == {"x": [[0.3333, 2.0]]}
