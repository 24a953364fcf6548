"""Style, and the kinds of figure that several chapters share."""
