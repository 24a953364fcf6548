"""Methods that predict rankings, as values; a file has those that change together."""
