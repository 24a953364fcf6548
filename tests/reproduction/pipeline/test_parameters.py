"""Words of a command line become values of the types that a chapter declares."""

import pytest

from reproduction.engine.profiles import _PROFILES
from reproduction.pipeline.chapters import ChapterError
from reproduction.pipeline.parameters import PROFILES, read_parameters, split_assignments

KINDS = {
    "seed": "int",
    "level": "float",
    "name": "str",
    "sizes": "list",
    "on": "bool",
    "any": "None",
    "profile": "str",
    "n_live": "int",
}
KNOWN = {name: {"inferred_type_name": kind} for name, kind in KINDS.items()}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("seed=010", {"seed": 10}),
        ("seed=3 level=1e-1", {"seed": 3, "level": 0.1}),
        ("level=3", {"level": 3.0}),
        ("sizes=[10, 20] seed=1", {"sizes": [10, 20], "seed": 1}),
        ("name=a=b", {"name": "a=b"}),
        ("name=010 on=True", {"name": "010", "on": True}),
        ("name=two words level=.5", {"name": "two words", "level": 0.5}),
        ("any=(1, 'x')", {"any": (1, "x")}),
        ("profile=quick:ofer-table-09", {"profile": "quick:ofer-table-09"}),
        ("", {}),
    ],
)
def test_values_have_the_declared_types(text, expected):
    found = read_parameters(split_assignments(text), KNOWN)
    assert found == expected
    assert [type(value) for value in found.values()] == [type(v) for v in expected.values()]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("seed=1e1", "seed must be of type int; got '1e1'"),
        ("seed=", "seed must be of type int; got ''"),
        ("sizes=10", "sizes must be of type list; got '10'"),
        ("sizes=[010]", r"sizes must be of type list; got '\[010\]'"),
        ("on=maybe", "on must be of type bool; got 'maybe'"),
        ("level=x", "level must be of type float; got 'x'"),
        ("other=1", r"parameters must be among \['any', .*; got \['other'\]"),
        ("10 seed=1", "PARAMS must be assignments"),
        ("seed=3 seed=4", r"seed must be given once; got \['3', '4'\]"),
        ("level=nan", "level must be a finite number of at least 0; got nan"),
        ("level=inf", "level must be a finite number of at least 0; got inf"),
        ("seed=-1", "seed must be a finite number of at least 0; got -1"),
        ("n_live=-5", "n_live must be a finite number of at least 1; got -5"),
        ("n_live=0", "n_live must be a finite number of at least 1; got 0"),
        ("profile=fast", r"profile must be among \['stored', .*; got 'fast'"),
    ],
)
def test_an_error_names_parameter_and_type(text, message):
    with pytest.raises(ChapterError, match=message):
        read_parameters(split_assignments(text), KNOWN)


def test_the_profiles_are_those_of_the_engine():
    assert [*PROFILES] == [*_PROFILES]
