"""What the tests of the package share."""

import pytest

from ofer import _memory


@pytest.fixture(autouse=True, scope="session")
def memory_is_read_once():
    """How much is free takes longer to read than most models here take to fit."""
    free = _memory.free_memory()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(_memory, "free_memory", lambda: free)
        yield
