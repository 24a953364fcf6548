"""Output Fisher embedding regression."""
