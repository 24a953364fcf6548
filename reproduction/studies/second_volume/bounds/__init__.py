"""What do weak labels tell that bound an output? Not in the paper."""
