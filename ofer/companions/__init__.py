"""Systems of the companion papers."""
