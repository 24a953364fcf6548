"""Wheels of both distributions."""

import zipfile

from reproduction.paths import CHECKOUT
from reproduction.pipeline.archives import build_archives


def test_wheels_hold_the_code_and_hang_on_it_alone(tmp_path):
    for name in ("first", "second"):
        build_archives(tmp_path / name, "--wheel")
    first, second = (sorted((tmp_path / name).iterdir()) for name in ("first", "second"))
    assert [path.read_bytes() for path in first] == [path.read_bytes() for path in second]
    packed = {name for path in first for name in zipfile.ZipFile(path).namelist()}
    code = {
        path.relative_to(CHECKOUT).as_posix()
        for package in ("ofer", "reproduction")
        for path in (CHECKOUT / package).rglob("*.py")
    }
    assert {name for name in packed if name.endswith(".py")} == code
    assert "ofer/py.typed" in packed
