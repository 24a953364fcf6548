import numpy as np
import pytest

from reproduction.papers.ofer import time_growth as costs


@pytest.mark.parametrize("method", ["n", "d", "C", "T"])
def test_one_size_grows(method, monkeypatch):
    """Outputs that are drawn have the sizes asked for, and every step is timed."""
    monkeypatch.setitem(costs.PARAMETERS, "base", {"n": 12, "d": 3, "C": 2, "T": 4})
    drawn = []

    def call_once(function):
        value = function()
        drawn.append(value)
        return value, len(drawn)

    monkeypatch.setattr(costs, "shortest_time", call_once)
    found = costs.evaluate(None, method, "2", 0)
    assert found == dict(zip(costs.TIMINGS, (1, 2, 3, 4), strict=True))
    sizes = {"n": 12, "d": 3, "C": 2, "T": 4} | {method: {"n": 24, "d": 6, "C": 4, "T": 8}[method]}
    embedding, _, _, decoded = drawn
    shape = (sizes["T"], 1) if method == "T" else (sizes["d"],)
    assert np.shape(decoded) == (sizes["n"], *shape)
    if method != "T":
        assert embedding.n_components == sizes["C"]
