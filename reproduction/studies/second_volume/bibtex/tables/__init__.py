"""One module for each stored table, with the name of the table."""
