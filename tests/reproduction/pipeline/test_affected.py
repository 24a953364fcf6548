"""Which tests a change can affect."""

import pytest

from reproduction.paths import CHECKOUT
from reproduction.pipeline.affected import TESTS, affected


def names(*changed):
    return {p.relative_to(TESTS).as_posix() for p in affected([CHECKOUT / c for c in changed])}


@pytest.fixture(scope="module")
def always():
    """Tests that run after any change."""
    return names()


def test_tests_that_look_at_all_files_always_run(always):
    assert always == {path.name for path in TESTS.glob("test_*.py")} != set()


def test_a_module_affects_the_tests_that_reach_it_and_no_others():
    found = names("ofer/metrics.py")
    assert {"ofer/test_metrics.py", "reproduction/papers/ofer/test_multi_target.py"} <= found
    assert "ofer/state_space/test_linear_gaussian.py" not in found
    assert "ofer/test_kernel_ridge.py" in names("ofer/kernel_system.py")


def test_a_test_and_what_it_shares_affect_themselves_alone(always):
    assert names("tests/ofer/test_metrics.py") == always | {"ofer/test_metrics.py"}
    shared = names("tests/reproduction/datasets/conftest.py")
    assert shared - always == {
        path.relative_to(TESTS).as_posix()
        for path in (TESTS / "reproduction" / "datasets").rglob("test_*.py")
    }


def test_a_module_that_is_reached_through_shared_fixtures_counts():
    assert "reproduction/engine/test_store.py" in names("reproduction/figures/style.py")


def test_what_no_test_imports_affects_the_tests_of_its_room_or_of_its_readers():
    assert "ofer/kernels/test_kernels.py" in names("ofer/kernels/__init__.py")
    assert "reproduction/datasets/test_cards.py" in names("data/awa/card.md")
    assert "book/test_chapters.py" in names("notebooks/01_introduction.py")
    assert "book/test_project.py" in names("Makefile")
    assert "reproduction/claims/test_ledger.py" in names("book/claims.yml")
    assert names("removed.py") >= names("Makefile")


def test_the_nearest_come_first():
    found = [p.relative_to(TESTS).as_posix() for p in affected([CHECKOUT / "ofer/metrics.py"])]
    order = ["ofer/test_metrics.py", "ofer/test_conventions.py", "test_api.py"]
    assert sorted(order, key=found.index) == order
    assert affected([CHECKOUT / "ofer/regions/jackknife.py"])[0].parent == TESTS / "ofer/regions"


def test_what_a_room_hands_in_counts():
    handed = {"ofer/test_conventions.py", "ofer/test_sklearn_compat.py"}
    assert handed | {"ofer/robustness/test_robustness.py"} <= names("ofer/regions/jackknife.py")
