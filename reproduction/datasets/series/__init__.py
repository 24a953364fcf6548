"""Time series of unequal length."""
