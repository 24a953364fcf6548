"""What the rooms of the package share: checks, types, memory, series, an optimiser."""
