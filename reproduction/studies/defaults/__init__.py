"""What do estimators do at their defaults, and which width is a good one? Not in the paper."""
