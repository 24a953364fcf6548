"""The ledger of the book, decided once."""

import pytest

from reproduction.claims import read_claims, scorecard


@pytest.fixture(scope="session")
def ledger():
    """All claims, and their scorecard."""
    claims = read_claims()
    return claims, scorecard(claims)
