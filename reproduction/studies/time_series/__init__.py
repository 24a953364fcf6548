"""Are series better predicted through a state-space model? Table 5 (section 6.2)."""
