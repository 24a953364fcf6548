"""Does the reduced embedding beat the full one on generated data? Tables 1 to 4 (section 6.2)."""
