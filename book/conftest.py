"""nbval runs chapters as the build does, compares pictures too, and skips what lacks its data."""

from functools import cache

import pytest

from reproduction.pipeline.execute import SOURCES, obstacle, settle
from reproduction.pipeline.pictures import PICTURES, differing_pictures

settle()


def pytest_collection_modifyitems(items):
    """Skip the cells of a chapter that cannot be executed here, and leave drawings to us."""
    reason_of = cache(obstacle)
    for item in items:
        item.parent.skip_compare += ("image/svg+xml",)
        if reason := reason_of(SOURCES / f"{item.path.stem}.py"):
            item.add_marker(pytest.mark.skip(reason=reason))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item):
    """Compare the pictures of a cell after nbval has compared all else."""
    yield
    folder = PICTURES / item.path.stem / item.cell.id
    if lines := differing_pictures(item.cell.outputs, item.test_outputs, folder):
        item.raise_cell_error("Pictures are not the stored ones.\n" + "\n".join(lines))
