"""nbval runs chapters as the build does, compares pictures, and skips what lacks its data."""

from functools import cache

import pytest
from nbval.plugin import NbCellError

from reproduction.pipeline.chapters import SOURCES, missing_data
from reproduction.pipeline.execute import needed_by, obstacle, settle
from reproduction.pipeline.pictures import PICTURES, differing_pictures

settle()
STOPPED = pytest.StashKey[str]()


@cache
def lacking(name):
    """Why a chapter cannot be executed here, and the data sets that its cells do without."""
    source = SOURCES / f"{name}.py"
    missing = missing_data(source)
    return obstacle(source, missing), missing


def pytest_collection_modifyitems(items):
    """Skip the cells that cannot be executed here, and leave drawings to us."""
    for item in items:
        item.parent.skip_compare += ("image/svg+xml",)
        reason, missing = lacking(item.path.stem)
        reasons = [reason, *(missing.get(name) for name in needed_by(item.cell))]
        if reason := "; ".join(filter(None, reasons)):
            item.add_marker(pytest.mark.skip(reason=reason))


def pytest_runtest_setup(item):
    """Skip what follows a cell that could not read its table: it lacks what that cell makes."""
    if reason := item.parent.stash.get(STOPPED, ""):
        pytest.skip(reason)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item):
    """Compare the pictures of a cell after nbval has compared all else."""
    try:
        yield
    except NbCellError:
        for output in item.test_outputs:
            if output.get("ename") == "StaleResultsError":
                item.parent.stash[STOPPED] = output.evalue
        raise
    folder = PICTURES / item.path.stem / item.cell.id
    if lines := differing_pictures(item.cell.outputs, item.test_outputs, folder):
        item.raise_cell_error("Pictures are not the stored ones.\n" + "\n".join(lines))
