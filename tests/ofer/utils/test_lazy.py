"""Names that are imported when they are asked for."""

import pytest

from ofer.utils.lazy import lazy_loading

ROOMS = {"decoder": "JSONDecoder JSONDecodeError", "deleted": "Lost"}


@pytest.mark.parametrize(("name", "module"), [("Lost", "deleted"), ("nothing", "nothing")])
def test_what_is_not_there_is_named(name, module):
    load, _ = lazy_loading("json", ROOMS)
    message = rf"^module 'json' has no attribute '{name}'; json\.{module} is not there$"
    with pytest.raises(AttributeError, match=message):
        load(name)
