"""What a file depends on, and what moves its checksum."""

import pytest

from reproduction import closure
from reproduction.closure import closure_of, reached_modules


@pytest.fixture
def project(tmp_path, monkeypatch):
    """Function that writes the files of a package `house` and returns its folder."""
    folder = tmp_path / "house"
    monkeypatch.setattr(closure, "_OWN", ("house",))
    monkeypatch.setattr(closure, "_folder", {"house": folder}.get)

    def write(**files):
        for name, text in files.items():
            path = folder.joinpath(*name.split("__in__"))
            path = path.with_suffix(".py") if path.name != "init" else path.parent / "__init__.py"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        return folder

    write(init="", a="X = 1\n", b="Y = 2\n")
    return write


def reached(folder, text):
    source = folder.parent / "chapter.py"
    source.write_text(text)
    return list(reached_modules(source))


@pytest.mark.parametrize(
    "text",
    [
        "import house.a",
        "import house.a as other",
        "from house import a",
        "from house.a import X",
        "from house.a import *",
        "def f():\n    from house.a import X\n    return X",
        "if False:\n    import house.a",
        "if False:\n    pass\nelse:\n    import house.a",
        "try:\n    pass\nexcept ImportError:\n    import house.a",
        "try:\n    pass\nfinally:\n    import house.a",
        "with f():\n    for x in y:\n        import house.a",
        "match x:\n    case 1:\n        import house.a",
        "class A:\n    async def f():\n        import house.a",
    ],
)
def test_every_form_of_import(project, text):
    assert reached(project(), text) == ["house.a"]


def test_a_name_leads_to_the_module_that_defines_it(project):
    folder = project(init="from house.a import X\nfrom house.b import Y as Z\n")
    assert reached(folder, "from house import X") == ["house.a"]
    assert reached(folder, "from house import Z") == ["house.b"]
    assert reached(folder, "import house") == ["house.a", "house.b"]
    assert reached(folder, "from house import *") == ["house.a", "house.b"]


def test_a_name_that_is_loaded_when_asked_for_leads_to_its_module(project):
    """A package says to type checkers, by imports, where it will find it."""
    folder = project(
        init="if TYPE_CHECKING:\n    from house.b import Y\nelse:\n    def __getattr__(name): ...\n"
    )
    assert reached(folder, "from house import Y") == ["house.b"]


def test_a_function_may_be_called_like_its_module(project):
    folder = project(
        room__in__init="from house.room.b import run", room__in__b="from house.a import X"
    )
    folder = project(room__in__run="from house.b import Y")
    assert reached(folder, "from house.room import run") == ["house.a", "house.room.b"]
    assert reached(folder, "from house.room.run import f") == ["house.b", "house.room.run"]


def test_relative_imports_circles_and_strangers(project):
    folder = project(
        room__in__init="",
        room__in__c="from .. import a\nfrom . import d",
        room__in__d="from .c import f\nimport numpy",
    )
    assert reached(folder, "import house.room.c\nimport no_such_module") == [
        "house.a",
        "house.room.c",
        "house.room.d",
    ]


def test_a_package_with_code_of_its_own_counts(project):
    folder = project(init="VERSION = 1\n")
    assert reached(folder, "from house import VERSION") == ["house"]


@pytest.mark.parametrize(
    ("text", "moves"),
    [
        ("X = 1  # a comment\n", False),
        ('"""Docstring."""\n\nX = (\n    1\n)\n', False),
        ("X = 2\n", True),
        ("X = 1.0\n", True),
        ("Z = 1\n", True),
        ("X = 1\nY = None\n", True),
    ],
)
def test_only_the_meaning_counts(project, text, moves):
    folder = project()
    before = closure_of(folder / "a.py").checksums
    assert list(before) == ["house.a"]
    project(a=text)
    assert (closure_of(folder / "a.py").checksums != before) == moves


def test_docstrings_and_annotations(project):
    def checksum(text):
        return closure_of(project(a=text) / "a.py").checksums["house.a"]

    plain = checksum("def f(x):\n    return x\n")
    assert checksum('def f(x):\n    """Return x."""\n    return x\n') == plain
    assert checksum("def f(x: float) -> float:\n    return x\n") == plain
    assert checksum("def f(x, /):\n    return x\n") != plain
    assert checksum("def f(x):\n    return -x\n") != plain
    assert checksum("X = 'a' \"b\"\n") == checksum("X = 'ab'\n") != checksum("X = 'ba'\n")


def test_a_change_far_below_is_seen(project):
    folder = project(c="from house.b import Y\n")
    before = closure_of(folder / "c.py").checksums
    project(b="Y = 33\n")
    after = closure_of(folder / "c.py").checksums
    assert {name for name in after if after[name] != before[name]} == {"house.b"}


def test_the_checksum_is_the_same_in_every_version_of_python(project):
    # Pinned: another interpreter must find the stored tables fresh.
    folder = project(
        a="import math\n\n\ndef f(x, *, y=None):\n    return f'{x!r:>{y}}' or [*x, math.e]\n"
    )
    assert closure_of(folder / "a.py").checksums == {"house.a": "74a3b45ac0151211"}


def test_what_is_passed_over_is_not_followed(project):
    folder = project(c="from house.b import Y\n", b="from house.a import X\nY = X\n")
    assert list(reached_modules(folder / "c.py")) == ["house.a", "house.b"]
    assert list(reached_modules(folder / "c.py", without=("house.b",))) == []


def test_a_closure_is_that_of_the_time_when_it_was_asked_for(project):
    folder = project(c="def f():\n    from house.a import X\n")
    before = closure_of(folder / "c.py")
    digest = before.digest()
    project(c="def f():\n    pass\n", a="X = 5\n")
    assert before.digest() == digest
