"""Which molecules act on which cells? Tables 9 and 10, with weak labels (section 6.4.2)."""
