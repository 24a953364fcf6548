import json
import re
import sys
from importlib.metadata import version

import pytest

from reproduction.pipeline.inventory import inventory

pytest.importorskip("cyclonedx_py", reason="cyclonedx-bom is not installed")
pytestmark = pytest.mark.filterwarnings("default")  # those of the validator are not ours


@pytest.fixture(scope="module")
def text():
    return inventory(sys.executable)


def test_it_is_valid(text):
    from cyclonedx.schema import SchemaVersion
    from cyclonedx.validation.json import JsonStrictValidator

    assert JsonStrictValidator(SchemaVersion.V1_6).validate_str(text) is None


def test_it_says_what_is_installed_and_who_needs_it(text):
    bill = json.loads(text)
    versions = {component["name"]: component.get("version") for component in bill["components"]}
    needs = {entry["ref"]: entry.get("dependsOn", []) for entry in bill["dependencies"]}
    root = bill["metadata"]["component"]
    assert (root["name"], root["version"]) == ("ofer", version("ofer"))
    for name in ("numpy", "scipy", "scikit-learn"):
        assert versions[name] == version(name)
        assert f"{name}=={version(name)}" in needs[root["bom-ref"]]


def test_it_names_no_place_and_no_time(text):
    assert re.findall(r"file:[^\"]*|\w+://[\w.]*(?:pypi|pythonhosted)[^\"]*", text) == []
    assert sys.prefix not in text
    assert {"serialNumber", "timestamp"} & {
        *json.loads(text),
        *json.loads(text)["metadata"],
    } == set()
    assert inventory(sys.executable) == text


def test_a_failure_says_which_python(tmp_path):
    with pytest.raises(RuntimeError, match=r"No bill of materials of .*no_python: "):
        inventory(tmp_path / "no_python")
