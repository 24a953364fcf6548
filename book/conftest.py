"""nbval runs the chapters as the build does, and skips those without their data."""

from functools import cache

import pytest

from reproduction.pipeline.execute import SOURCES, obstacle, settle

settle()


def pytest_collection_modifyitems(items):
    """Skip the cells of a chapter that cannot be executed here."""
    reason_of = cache(obstacle)
    for item in items:
        if reason := reason_of(SOURCES / f"{item.path.stem}.py"):
            item.add_marker(pytest.mark.skip(reason=reason))
