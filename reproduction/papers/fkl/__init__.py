"""Fisher kernel learning."""
