"""How sure is a prediction? Regions on seventeen sets; not in the paper."""
