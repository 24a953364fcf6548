"""Generated data of the papers."""
