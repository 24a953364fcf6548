"""What the tests of the package share."""

import pytest

from ofer.utils import memory


@pytest.fixture(autouse=True, scope="session")
def memory_is_read_once():
    """How much is free takes longer to read than most models here take to fit."""
    free = memory.free_memory()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(memory, "free_memory", lambda: free)
        yield
