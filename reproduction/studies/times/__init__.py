"""How long do training and prediction take? Table 16 (appendix)."""
