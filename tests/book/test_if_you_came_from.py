"""The pairs of calls on the page *If you came from ...* are run and compared."""

import importlib.util
import re
import warnings
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose

PAGE = (Path(__file__).parents[2] / "book" / "if_you_came_from.md").read_text(encoding="utf-8")
SETUP, *SECTIONS = (
    re.findall(r"```python\n(.*?)```", part, re.DOTALL) for part in PAGE.split("\n## ")
)
NAMES = re.findall(r"^## (.*)$", PAGE, re.MULTILINE)
OTHERS = "RegressorChain", "SelfTraining", "Tree", "Gaussian", "fastridge", "xRFM", "Errors"
"""Sections whose calls give other numbers."""
PACKAGES = "mapie", "himalaya", "fastridge", "xrfm"


def run():
    """What each section has computed, theirs and ours; sections may use names of earlier ones."""
    space, found = {}, {}
    exec(SETUP[0], space)
    for name, calls in zip(NAMES, SECTIONS, strict=True):
        package = name.lower()
        if package in PACKAGES and importlib.util.find_spec(package) is None:
            calls = calls[1:]  # theirs is not installed
            space.pop("theirs", None)
        for call in calls:
            exec(call, space)
        found[name] = space.get("theirs"), space["ours"]
    return found, space


@pytest.fixture(scope="module")
def computed():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return run()


@pytest.mark.parametrize("name", [name for name in NAMES if not name.startswith(OTHERS)])
def test_both_calls_give_the_same(computed, name):
    theirs, ours = computed[0][name]
    assert np.isfinite(ours).all()
    if theirs is None:
        pytest.skip(f"{name} is not installed")
    assert_allclose(ours, theirs, atol=1e-6)


def test_other_methods_are_ahead_where_the_page_says_so(computed):
    found, space = computed
    chain, search = found["RegressorChain"]
    assert chain.shape == search.shape
    theirs, ours = found["SelfTrainingClassifier, LabelPropagation, LabelSpreading"]
    alone = space["labelled_only"]
    assert all(0.5 < (one - alone) / (ours - alone) < 1 for one in theirs.values())  # "half"
    theirs, ours = found["Tree ensembles"]
    assert ours["smooth"] > theirs["smooth"]
    assert ours["steps"] < theirs["steps"]
    for name in ("fastridge", "xRFM"):
        theirs, ours = found[name]
        assert theirs is None or theirs.shape == ours.shape


def test_holes_are_filled(computed):
    found, space = computed
    (theirs, ours), truth = found["GaussianMixture, with missing entries"], space["complete"]
    assert ours.mean() > theirs.mean() + 0.5
    missing = np.isnan(space["holes"])
    assert_allclose(space["imputed"][~missing], truth[~missing])
    errors = [np.square(one - truth)[missing].mean() for one in (space["imputed"], space["filled"])]
    assert 0.15 < np.sqrt(errors[0] / errors[1]) < 0.25  # "a fifth"


def test_what_is_named_is_held(computed):
    space = computed[1]
    assert_allclose(space["refitted"].transition_matrix_, space["A"])
    assert_allclose(space["refitted"].observation_matrix_, space["C"])
