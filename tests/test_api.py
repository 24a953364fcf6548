"""The API reference has every public class, function, method and property of the package."""

import importlib
import importlib.util
import inspect
import re
from pathlib import Path

import pytest

import ofer

BOOK = Path(__file__).resolve().parents[1] / "book"
SPEC = importlib.util.spec_from_file_location("api", BOOK / "_ext" / "api.py")
api = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(api)

PACKAGES = ("ofer", "ofer.companions", "ofer.datasets", "ofer.distributed", "ofer.embeddings")
PACKAGES += ("ofer.kernels", "ofer.metrics", "ofer.state_space")
PUBLIC = {
    getattr(module, name)
    for module in map(importlib.import_module, PACKAGES)
    for name in module.__all__
}
CLASSES = sorted((one for one in PUBLIC if inspect.isclass(one)), key=str)


def documented():
    """Objects that a directive of a page names; of a module, all that it exports."""
    for page in BOOK.glob("api*.rst"):
        within = ""
        for kind, name in re.findall(
            r"^\.\. (currentmodule|auto\w+):: (\S+)$", page.read_text(encoding="utf-8"), re.M
        ):
            if kind == "currentmodule":
                within = name
            elif kind == "automodule":
                module = importlib.import_module(name)
                yield from (getattr(module, each) for each in module.__all__)
            else:
                place, _, last = name.rpartition(".")
                yield getattr(importlib.import_module(place or within), last)


def test_all_that_is_exported_has_a_place():
    missing = [one for one in PUBLIC if one not in list(documented())]
    assert missing == [], "a page book/api_*.rst must name it"


@pytest.mark.parametrize("cls", CLASSES, ids=lambda cls: cls.__name__)
def test_members_of_a_class_appear(cls):
    """What the class lists, or what has a text: autodoc takes no other."""
    for name in dir(cls):
        member = inspect.getattr_static(cls, name)
        home = next(base for base in cls.__mro__ if name in vars(base))
        if re.match(r"_|set_\w+_request", name) or not home.__module__.startswith("ofer"):
            continue
        member = member if isinstance(member, property) else getattr(cls, name)
        if callable(member) or isinstance(member, property):
            shown = inspect.getdoc(getattr(cls, name)) and not api.is_foreign(name, member)
            assert shown or f"{name} : " in cls.__doc__, name


@pytest.mark.parametrize(
    ("cls", "name", "foreign"),
    [
        (ofer.KernelRidgeCV, "kernel_system", False),
        (ofer.OutputFisherRegressor, "score", False),
        (ofer.OutputFisherRegressor, "set_fit_request", True),
        (ofer.TunedThresholdMultilabelClassifier, "score", False),
    ],
)
def test_methods_of_scikit_learn_are_left_out(cls, name, foreign):
    assert api.is_foreign(name, getattr(cls, name)) == foreign
