"""Tables of numbers and of findings."""
