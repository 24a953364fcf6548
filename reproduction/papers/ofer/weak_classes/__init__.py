"""Weak labels that leave classes open, beyond section 6.5 of the paper, and rival methods."""
