"""Does it pay to train a model for its kernel? Fisher kernel learning, a companion."""
