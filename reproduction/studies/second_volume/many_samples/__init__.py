"""How do errors go on with more samples? Up to a million."""
