"""Weak labels in regression: Tables 8 and 10."""
