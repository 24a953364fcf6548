import importlib
import sys
from functools import partial

import numpy as np
import pytest

from reproduction.engine import Check, Facts, Score, Tolerance, run
from reproduction.engine.declaration import identity, nothing, sources_of


@pytest.mark.parametrize(
    ("changes", "error", "message"),
    [
        ({"id": "Table 9"}, ValueError, r"id must consist of .* got 'Table 9'"),
        ({"evaluate": np.mean}, TypeError, "evaluate must be a plain function"),
        ({"methods": ["ridge"]}, TypeError, r"methods must be a tuple .* got \['ridge'\]"),
        ({"settings": ("10", "10")}, ValueError, "settings must not repeat a label"),
        ({"datasets": "nci60"}, TypeError, "datasets must be a tuple"),
        ({"n_splits": 0}, ValueError, "n_splits must be an int, at least 1; got 0"),
        ({"parameters": {"a": np.ones(2)}}, TypeError, "parameters must be JSON-able"),
        ({"check": Check(settings=("30",))}, ValueError, r"settings of the check .* got \['30'\]"),
        (
            {"check": Check(more=(("svm", "10", 0),))},
            ValueError,
            "more of the check .* got .*'svm'",
        ),
        ({"methods_of": {"10": ("svm",)}}, ValueError, r"methods_of\['10'\] .* got \['svm'\]"),
        ({"splits_of": {"10": 0}}, ValueError, r"splits_of\['10'\] must be an int.* got 0"),
        ({"scores": [Score("error")]}, TypeError, "scores must be a tuple of Score; got"),
        ({"scores": (Score("e"), Score("e"))}, ValueError, r"not repeat a name; got \['e', 'e'\]"),
        ({"scores": (Score("e", np.mean),)}, ValueError, r"must have no function; got \['e'\]"),
        ({"facts": Facts(thinned={"30": "half"})}, ValueError, r"thinned .* got \['30'\]"),
    ],
)
def test_bad_field_is_named(toy, changes, error, message):
    with pytest.raises(error, match=message):
        toy(**changes)


def test_units_keep_the_declared_order(toy):
    assert toy().units(settings=["100", "10"], splits=[2, 0]) == [
        (method, setting, split)
        for method in ("ridge", "forest")
        for setting in ("10", "100")
        for split in (0, 2)
    ]


def test_methods_of_a_setting(toy):
    experiment = toy(methods_of={"10": ("forest",)})
    units = experiment.units(settings=["10", "100"], splits=[0])
    assert units == [("ridge", "100", 0), ("forest", "10", 0), ("forest", "100", 0)]
    with pytest.raises(ValueError, match=r"must exist in some of \['10'\]; got \['ridge'\]"):
        experiment.units(methods=["ridge"], settings=["10"])


def test_splits_of_a_setting(toy):
    experiment = toy(splits_of={"10": 1, "100": 5})
    units = experiment.units(methods=["ridge"], settings=["10", "100"])
    assert [(unit.setting, unit.split) for unit in units] == [
        ("10", 0), ("100", 0), ("100", 1), ("100", 2)
    ]  # fmt: skip
    with pytest.raises(ValueError, match=r"must exist in some of \['10'\]; got .*, \[2\]"):
        experiment.units(settings=["10"], splits=[2])


@pytest.fixture
def pinned(monkeypatch):
    """Pinned checksums of a data set, in the place of the real ones."""
    pinned = {"X": "aa", "Y": "bb"}
    monkeypatch.setattr("reproduction.datasets.checksums", lambda name: pinned)
    return pinned


def test_identity_ignores_what_does_not_move_results(toy, pinned):
    reference = identity(toy(datasets=("nci60",)))
    same = toy(
        datasets=("nci60",),
        title="Another title",
        check=Check(methods=("ridge",)),
        parameters={"sizes": (10, 20), "alpha": 0.5},
    )
    assert identity(same) == reference


@pytest.mark.parametrize(
    "changes",
    [
        {"parameters": {"alpha": 0.6, "sizes": [10, 20]}},
        {"methods": ("forest", "ridge")},
        {"settings": ("10", "20")},
        {"n_splits": 4},
        {"datasets": ()},
        {"load": lambda: 0},  # which this file defines
    ],
)
def test_identity_follows_each_field(toy, pinned, changes):
    fields = {"datasets": ("nci60",)}
    assert identity(toy(**fields | changes)) != identity(toy(**fields))


def test_identity_leaves_out_what_is_known_of_the_table(toy):
    facts = Facts(
        test_train_ratio={"10": 2.0},
        origin={"10": "generated"},
        thinned={"20": "half of it"},
        printed={"a": lambda cell: cell},
        not_recorded="ridge parameters",
    )
    scores = Score("error", high=1.0), Score("score", is_time=True)
    known = toy(facts=facts, scores=scores, tolerance=Tolerance(rtol=0.1))
    assert identity(known) == identity(toy())


def test_times_and_percentages_are_those_of_the_scores(toy):
    scores = Score("error"), Score("s", is_time=True), Score("f1", high=100), Score("gap", low=-1)
    assert toy(scores=scores).timings == ("s",)
    assert toy(scores=scores).percentages == {"f1"}
    assert toy().timings == ()


def test_identity_follows_the_data(toy, pinned):
    before = identity(toy(datasets=("nci60",)))
    pinned["Y"] = "cc"
    assert identity(toy(datasets=("nci60",))) != before


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("evaluate", "def evaluate(data, method, setting, split): return {'error': 0.0}"),
        ("load", "import numpy\ndef load(): return numpy.ones(3)"),
    ],
)
def test_identity_needs_a_source(toy, name, text):
    scope = {}
    exec(text, scope)
    experiment = toy(**{name: scope[name]})
    message = "toy can be kept only when all of its functions are defined in files"
    with pytest.raises(ValueError, match=message):
        identity(experiment)
    assert experiment.code is None
    assert not run(experiment, n_jobs=1, progress=False).frame.empty  # it can be evaluated


LOADS = """
from dataclasses import dataclass
from functools import cache, partial

def plain(size=1):
    return size

@cache
def cached(size=1):
    return size

class Plain:
    def __call__(self):
        return 1

    def fetch(self):
        return 1

    @classmethod
    def make(cls):
        return 1

@dataclass(frozen=True)
class Data(Plain):
    size: int = 1

lambda_, cached_part = (lambda: 1), partial(cached, 2)
called, method, of_class = Plain(), Plain().fetch, Plain.make
data_called, data_method, data_class = Data(), Data().fetch, Data.make
nested = partial(plain, partial(cached, 2))
"""


@pytest.mark.parametrize(
    "name",
    [
        *("plain", "cached", "lambda_", "cached_part", "nested", "Plain", "called", "method"),
        *("of_class", "Data", "data_called", "data_method", "data_class"),
    ],
)
def test_whatever_loads_the_data_has_a_source(tmp_path, monkeypatch, name):
    monkeypatch.syspath_prepend(tmp_path)
    path = tmp_path / "loads_of_this_test.py"
    path.write_text(LOADS)
    module = importlib.import_module("loads_of_this_test")
    try:
        assert {*sources_of(getattr(module, name))} == {path}
    finally:
        del sys.modules["loads_of_this_test"]


def test_what_is_built_in_has_no_source():
    assert [*sources_of(partial(max, 1, key=len))] == []
    assert [*sources_of(nothing)] == []


def test_check_slice(toy):
    part = {"methods": ("forest",), "settings": ("20",)}
    assert toy(check=Check(**part)).check_slice() == [("forest", "20", 0)]
    more = (("ridge", "100", 2), ("ridge", "10", 1))
    assert toy(check=Check(**part, more=more)).check_slice() == [
        ("ridge", "10", 1),
        ("ridge", "100", 2),
        ("forest", "20", 0),
    ]
    assert len(toy().check_slice()) == 6


def test_the_last_digits_of_floats_do_not_count(toy):
    values = [0.1, 1e-300, 12345.678901234567]
    nudged = [float(np.nextafter(value, 1e9)) for value in values]
    parameters = {"alphas": values, "nested": {"pair": (values[0], "text", None, True, 3)}}
    other = {"alphas": nudged, "nested": {"pair": (nudged[0], "text", None, True, 3)}}
    reference = identity(toy(parameters=parameters))
    assert identity(toy(parameters=other)) == reference
    assert identity(toy(parameters={**other, "alphas": [0.1000000001, *nudged[1:]]})) != reference
